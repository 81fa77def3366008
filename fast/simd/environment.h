/*
 * Saves the caller's floating-point environment and sets the one that the backend needs: GEN-01 asks for rounding to
 * nearest and for subnormals, and nothing may trap. On x86-64 all arithmetic uses SSE, so setting MXCSR is enough. The
 * functions of the C library also set the x87 unit, which takes 0.28 us, 6 % of a case of one triangle, instead of 0.01
 * us.
 */
#ifndef FAST_SIMD_ENVIRONMENT_H
#define FAST_SIMD_ENVIRONMENT_H

#if defined(__x86_64__)
#include <xmmintrin.h>

struct fast_environment {
    unsigned control; /* MXCSR */
};

static inline struct fast_environment fast_environment_enter(void)
{
    const struct fast_environment callers = { _mm_getcsr() };
    _mm_setcsr(0x1F80); /* round to nearest, keep subnormals, no traps, no exception flags set */
    return callers;
}

/* Restores the caller's environment; exception flags raised meanwhile are dropped. */
static inline void fast_environment_leave(const struct fast_environment *callers)
{
    _mm_setcsr(callers->control);
}

#else
#include <fenv.h>

struct fast_environment {
    fenv_t all;
};

static inline struct fast_environment fast_environment_enter(void)
{
    struct fast_environment callers;
    (void)fegetenv(&callers.all);
    (void)fesetenv(FE_DFL_ENV);
    return callers;
}

static inline void fast_environment_leave(const struct fast_environment *callers)
{
    (void)fesetenv(&callers->all);
}

#endif
#endif
