/* Random registers and bytes for a machine of kernel_sets.h, decoded as a draw does it. */
#ifndef TESTS_KERNELS_RANDOM_STATE_H
#define TESTS_KERNELS_RANDOM_STATE_H

#include "harness/grammar/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fast_gpu;
struct fast_triangle;

/* Rasteriser to combiner: anything, but textures in the first window, a target of 64x64, and often a common draw. */
void random_registers(struct fast_gpu *gpu, struct harness_random *random);
void random_bytes(struct harness_random *random, void *bytes, size_t size);

/* TEXUNITi_DIM: powers of two, 1 to 64 texels. */
uint32_t random_dimensions(struct harness_random *random);

/* Combiner stages. RGBA: most do the same with all channels of whole sources; the buffer is not read. Bare: one RGBA
 * stage, or two, that nothing comes after, and texels that are often 0 or 255: a byte that is off by one is seen. */
void random_rgba_stages(struct fast_gpu *gpu, struct harness_random *random);
void random_bare_stages(struct fast_gpu *gpu, struct harness_random *random);

/* On top of random_registers: a common draw (fast/draw/quick.h), of any shading but FAST_QUICK_STAGES. */
void random_common(struct fast_gpu *gpu, struct harness_random *random);

/* The lights of random_stages. */
enum random_light {
    RANDOM_LIGHT_ANY,
    RANDOM_LIGHT_DEGENERATE, /* view vectors of 0 make its secondary colour 0, by way of NaN */
    RANDOM_LIGHT_D0          /* one, whose only factor is d0; it is seen */
};

/* On top of random_common: any combiner and lighting that FAST_QUICK_STAGES has; now and then lengths of 0. */
enum random_light random_stages(struct fast_gpu *gpu, struct harness_random *random);

/* RST-01 to RST-03 for corners in 1/16 pixels; returns S. */
int32_t set_edges(struct fast_triangle *triangle, const int32_t x[3], const int32_t y[3]);

/* Registers to draw state; `traced`: what fast_trace_raster makes of it. */
void decode_state(struct fast_gpu *gpu, bool traced);

#endif
