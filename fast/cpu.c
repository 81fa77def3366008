/* Detects the host's instruction sets, and chooses which kernels run. */
#include "fast/fast.h"
#include "fast/kernels.h"
#include "fast/pipeline.h"

/* The build defines FAST_HAVE_AVX2, FAST_HAVE_AVX512, FAST_HAVE_NEON for the sets it compiled kernels for. */
uint32_t fast_cpu_detect(void)
{
    uint32_t cpu = 0;
#if defined(FAST_HAVE_AVX2)
    if (__builtin_cpu_supports("avx2"))
        cpu |= FAST_CPU_AVX2;
#endif
#if defined(FAST_HAVE_AVX512)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        cpu |= FAST_CPU_AVX512;
#endif
#if defined(FAST_HAVE_NEON)
    cpu |= FAST_CPU_NEON; /* part of the base of AArch64 */
#endif
    return cpu;
}

void fast_fill_vertex_scalar(struct fast_kernels *kernels);
void fast_fill_block_scalar(struct fast_kernels *kernels);
void fast_fill_set_up_scalar(struct fast_kernels *kernels);
void fast_fill_vertex_avx2(struct fast_kernels *kernels);
void fast_fill_block_avx2(struct fast_kernels *kernels);
void fast_fill_set_up_avx2(struct fast_kernels *kernels);
void fast_fill_vertex_avx512(struct fast_kernels *kernels);
void fast_fill_block_avx512(struct fast_kernels *kernels);
void fast_fill_set_up_avx512(struct fast_kernels *kernels);
void fast_fill_vertex_neon(struct fast_kernels *kernels);
void fast_fill_block_neon(struct fast_kernels *kernels);
void fast_fill_set_up_neon(struct fast_kernels *kernels);
void fast_fill_vertex_scalar_traced(struct fast_kernels *kernels);
void fast_fill_block_scalar_traced(struct fast_kernels *kernels);
void fast_fill_set_up_scalar_traced(struct fast_kernels *kernels);
void fast_fill_vertex_avx2_traced(struct fast_kernels *kernels);
void fast_fill_block_avx2_traced(struct fast_kernels *kernels);
void fast_fill_set_up_avx2_traced(struct fast_kernels *kernels);
void fast_fill_vertex_avx512_traced(struct fast_kernels *kernels);
void fast_fill_block_avx512_traced(struct fast_kernels *kernels);
void fast_fill_set_up_avx512_traced(struct fast_kernels *kernels);
void fast_fill_vertex_neon_traced(struct fast_kernels *kernels);
void fast_fill_block_neon_traced(struct fast_kernels *kernels);
void fast_fill_set_up_neon_traced(struct fast_kernels *kernels);

/* Later lines override earlier ones. `cpu` must be a subset of fast_cpu_detect. */
void fast_kernels_select(struct fast_kernels *kernels, uint32_t cpu)
{
    fast_fill_vertex_scalar(kernels);
    fast_fill_block_scalar(kernels);
    fast_fill_set_up_scalar(kernels);
#if defined(FAST_HAVE_AVX2)
    if ((cpu & FAST_CPU_AVX2) != 0u) {
        fast_fill_vertex_avx2(kernels);
        fast_fill_block_avx2(kernels);
        fast_fill_set_up_avx2(kernels);
    }
#endif
#if defined(FAST_HAVE_AVX512)
    if ((cpu & FAST_CPU_AVX512) != 0u) {
        fast_fill_vertex_avx512(kernels);
        fast_fill_block_avx512(kernels);
        fast_fill_set_up_avx512(kernels);
    }
#endif
#if defined(FAST_HAVE_NEON)
    if ((cpu & FAST_CPU_NEON) != 0u) {
        fast_fill_vertex_neon(kernels);
        fast_fill_block_neon(kernels);
        fast_fill_set_up_neon(kernels);
    }
#endif
    (void)cpu;
}

/* The same for the kernels that report what they compute (trace.h). */
void fast_kernels_select_traced(struct fast_kernels *kernels, uint32_t cpu)
{
    fast_fill_vertex_scalar_traced(kernels);
    fast_fill_block_scalar_traced(kernels);
    fast_fill_set_up_scalar_traced(kernels);
#if defined(FAST_HAVE_AVX2)
    if ((cpu & FAST_CPU_AVX2) != 0u) {
        fast_fill_vertex_avx2_traced(kernels);
        fast_fill_block_avx2_traced(kernels);
        fast_fill_set_up_avx2_traced(kernels);
    }
#endif
#if defined(FAST_HAVE_AVX512)
    if ((cpu & FAST_CPU_AVX512) != 0u) {
        fast_fill_vertex_avx512_traced(kernels);
        fast_fill_block_avx512_traced(kernels);
        fast_fill_set_up_avx512_traced(kernels);
    }
#endif
#if defined(FAST_HAVE_NEON)
    if ((cpu & FAST_CPU_NEON) != 0u) {
        fast_fill_vertex_neon_traced(kernels);
        fast_fill_block_neon_traced(kernels);
        fast_fill_set_up_neon_traced(kernels);
    }
#endif
    (void)cpu;
}
