/*
 * A plug-in that was built for a fuzzing engine calls the engine's functions when it is loaded. Our programs without an
 * engine offer these instead, which do nothing; those with one offer what that lacks (AFL++'s runtime has no
 * __sancov_lowest_stack). A plug-in's process finds the counters by itself (harness/run/edges.h); the functions that
 * count are in coverage_guards.c. Weak, so that an engine's own functions win.
 */
#include <stdint.h>

/* With a prototype first, or the compiler would warn: no header declares these. */
#define STUB(name, ...)                           \
    __attribute__((weak)) void name(__VA_ARGS__); \
    void name(__VA_ARGS__)                        \
    {                                             \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"

STUB(__sanitizer_cov_8bit_counters_init, uint8_t *start, uint8_t *stop)
STUB(__sanitizer_cov_pcs_init, const uintptr_t *start, const uintptr_t *stop)
STUB(__sanitizer_cov_trace_pc, void)
STUB(__sanitizer_cov_trace_pc_indir, uintptr_t callee)
STUB(__sanitizer_cov_trace_cmp1, uint8_t a, uint8_t b)
STUB(__sanitizer_cov_trace_cmp2, uint16_t a, uint16_t b)
STUB(__sanitizer_cov_trace_cmp4, uint32_t a, uint32_t b)
STUB(__sanitizer_cov_trace_cmp8, uint64_t a, uint64_t b)
STUB(__sanitizer_cov_trace_const_cmp1, uint8_t a, uint8_t b)
STUB(__sanitizer_cov_trace_const_cmp2, uint16_t a, uint16_t b)
STUB(__sanitizer_cov_trace_const_cmp4, uint32_t a, uint32_t b)
STUB(__sanitizer_cov_trace_const_cmp8, uint64_t a, uint64_t b)
STUB(__sanitizer_cov_trace_switch, uint64_t value, uint64_t *cases)
STUB(__sanitizer_cov_trace_div4, uint32_t value)
STUB(__sanitizer_cov_trace_div8, uint64_t value)
STUB(__sanitizer_cov_trace_gep, uintptr_t index)

__attribute__((weak)) __thread uintptr_t __sancov_lowest_stack;
