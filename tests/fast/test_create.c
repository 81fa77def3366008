/* Creating an instance where the host refuses memory or threads, at every point where it may. */
#define _DEFAULT_SOURCE
#include "fast/fast.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    THREADS = 4,
    STEP_BYTES = 1 << 20,
    STEPS = 1024
};

/* Bytes of address space that the process has now. */
static rlim_t address_space(void)
{
    unsigned long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    cr_assert_not_null(file);
    cr_assert_eq(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Sanitizers need all of the address space for themselves. */
static bool is_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
    return true;
#endif
#endif
    return false;
}

Test(fast_create, with_too_little_memory_nothing_is_created_and_nothing_is_lost)
{
    const struct pica_options options = { .threads = THREADS, .instruction_sets = UINT32_MAX };
    struct rlimit limit;
    uint32_t refused = 0;
    if (is_sanitized())
        return;
    const rlim_t before = address_space();
    cr_assert_eq(getrlimit(RLIMIT_AS, &limit), 0);
    for (uint32_t step = 0; step < STEPS; step++) {
        void *instance = &limit;
        limit.rlim_cur = before + (rlim_t)step * STEP_BYTES;
        cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
        const enum pica_status status = fast_backend()->create(&options, &instance);
        if (status == PICA_OK) {
            fast_backend()->destroy(instance);
            break;
        }
        cr_assert_eq(status, PICA_NO_MEMORY);
        cr_assert_null(instance);
        refused++;
    }
    cr_expect_gt(refused, 8);
    cr_expect_lt(refused, STEPS);
}

Test(fast_create, options_that_it_does_not_know_are_not_supported)
{
    const struct pica_options options = { .flags = PICA_OPTION_TRACK_READS };
    void *instance = NULL;
    cr_expect_eq(fast_backend()->create(&options, &instance), PICA_NOT_SUPPORTED);
    cr_expect_null(instance);
    fast_backend()->destroy(NULL);
}
