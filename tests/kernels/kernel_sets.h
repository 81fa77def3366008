/* The kernel tables of every instruction set of the host, numbers that break kernels, and buffers with guards. */
#ifndef TESTS_KERNELS_KERNEL_SETS_H
#define TESTS_KERNELS_KERNEL_SETS_H

#include "fast/kernels.h"
#include "harness/grammar/random.h"
#include "tests/sanitized.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KERNEL_SETS_MAX = 8,
    GUARD = 192 /* bytes on both sides */
};

struct kernel_set {
    const char *name;
    bool traced; /* the instance with hooks (fast/trace.h) */
    struct fast_kernels kernels;
};

/* Number 0 is "scalar", the one to compare with. Returns how many there are. */
uint32_t kernel_sets(struct kernel_set sets[KERNEL_SETS_MAX]);

/* The seed of a test: that of the environment variable PICAFUZZ_SEED, or a fixed one; it is printed. */
uint64_t test_seed(const char *test);

/* A machine (fast/gpu.h) with two windows, as the backend's own create and load make it. */
struct fast_gpu *machine_create(void);
void machine_destroy(struct fast_gpu *gpu);

/* Bits of a float, often at an edge: NaN, infinities, zeros, denormals, the largest, small integers and fractions. */
uint32_t random_float_bits(struct harness_random *random);
float random_float(struct harness_random *random);
/* The same for integers: 0, 1, all ones, the sign bit, single bits, 0xFF, .. */
uint32_t random_word(struct harness_random *random);

/* Uniforms of a shader unit by `number`; i0-i3 below `integer_limit`, b0-b15 anything; its program is new. */
struct fast_shader_unit;
typedef float random_number_function(struct harness_random *random);
void random_uniforms(struct fast_shader_unit *unit, struct harness_random *random, random_number_function *number,
                     uint32_t integer_limit);

/* A buffer between guards; 64-byte aligned. */
struct guarded {
    uint8_t *whole, *bytes;
    size_t size;
};

void guarded_create(struct guarded *guarded, size_t size);
void guarded_destroy(struct guarded *guarded);
bool guards_intact(const struct guarded *guarded);

#endif
