/*
 * libFuzzer's hooks. Peculiarities of libFuzzer: -minimize_crash may pass a size above the maximum; a result of 0 means
 * failure, after which the input may become one space character; a crossover hook gets half of all mutations, so ours
 * often just mutates.
 */
#include "harness/targets/hook.h"
#include "harness/targets/target.h"

#if defined __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#endif
#endif

/* New cases show planted bugs ten and more times as often in a CPU second as children of what a campaign keeps
 * (docs/decisions/011-the-schedule.md). libFuzzer changes an input up to five times in a row, so with this percentage
 * seven of eight inputs are new or descend from a new one. */
enum {
    FRESH_PERCENT = 60
};

/* Provided by libFuzzer; other engines link without it, or with a stub that returns 0. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));

/* libFuzzer itself is not instrumented, so MemorySanitizer would take what it copied from its corpus for uninitialised
 * memory. */
static size_t mutate_leaf(uint8_t *data, size_t size, size_t max_size)
{
    const size_t result = LLVMFuzzerMutate(data, size, max_size);
#if defined __has_feature
#if __has_feature(memory_sanitizer)
    __msan_unpoison(data, result < max_size ? result : max_size);
#endif
#endif
    return result;
}

static harness_leaf_mutator leaf(void)
{
    return LLVMFuzzerMutate != NULL ? mutate_leaf : NULL;
}

/* Static, since a process serves one engine, whose interface has no parameter for this state. */
static struct harness_hook *hook(void)
{
    static struct harness_hook one;
    static bool ready;
    if (!ready)
        ready = harness_hook_init(&one, FRESH_PERCENT);
    return &one;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    return harness_hook_mutate(hook(), data, size, max_size, seed, leaf());
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned int seed)
{
    const struct harness_input inputs[2] = { { data1, size1 }, { data2, size2 } };
    return harness_hook_combine(hook(), inputs, out, max_out_size, seed, leaf());
}
