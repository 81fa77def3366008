/* What does not come back, and on what it depends: harness/trial/stable.h, on a plug-in that is wrong now and then. */
#include "harness/trial/stable.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define OWN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define OWN_MALLOC 1
#endif
#endif

static const char plain[] = "pcase 1\nwindow 0x18000000 size 0x1000\nvblank top\n";
static const char filling[] = "pcase 1\nwindow 0x18000000 size 0x1000\n"
                              "fill 0 { FILL0_START { address = 0x18000000 }\nFILL0_END { address = 0x18000020 }\n"
                              "FILL0_CTRL { start = 1, width = 16-bit } }\n";

static void read_case(struct harness_case *out, const char *text)
{
    struct harness_error error = { "" };
    harness_case_reset(out);
    cr_assert_eq(harness_pcase_read(out, text, strlen(text), "test", &error), HARNESS_OK, "%s", error.message);
}

/* Texts of the cases that ran before: text 0 right before. */
struct past {
    const char *texts[8];
    size_t count;
};

static bool before(const void *what, size_t back, struct harness_case *out)
{
    const struct past *const past = what;
    read_case(out, past->texts[back - 1]);
    return true;
}

static void ask(const char *fault, enum harness_outcome kind, const struct past *past, struct harness_stability *out)
{
    struct harness_error error = { "" };
    struct harness_backend backends[2];
    struct harness_case *const test_case = harness_case_create();
    char counter[64];
    (void)snprintf(counter, sizeof counter, "/tmp/picafuzz-unsteady-%ld", (long)getpid());
    (void)unlink(counter);
    (void)setenv("PICAFUZZ_COUNTER", counter, 1);
    (void)setenv("PICAFUZZ_UNSTEADY", fault, 1);
    read_case(test_case, plain);
    const size_t alone = kind == HARNESS_AGREE;
    cr_assert_eq(harness_backend_open("reference", &backends[0], &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_backend_open(PICAFUZZ_BINARY_DIR "/lib/unsteady_backend.so", &backends[1], &error), HARNESS_OK,
                 "%s", error.message);
    const struct harness_probe_options options = { .backends = backends + alone,
                                                   .backend_count = 2 - alone,
                                                   .backend_options = { .instruction_sets = UINT32_MAX },
                                                   .hang_ms = 5000 };
    const struct harness_past before_it = { before, past, past != NULL ? past->count : 0 };
    const struct harness_stable_question question = {
        .probe = &options, .test_case = test_case, .kind = kind, .past = past != NULL ? &before_it : NULL
    };
    cr_assert_eq(harness_stable(&question, out, &error), HARNESS_OK, "%s", error.message);
    harness_backend_close(&backends[1]);
    harness_backend_close(&backends[0]);
    harness_case_destroy(test_case);
    (void)unlink(counter);
}

static void expect(const char *fault, enum harness_outcome kind, const struct past *past,
                   enum harness_dependence dependence, const char *words)
{
    struct harness_stability stability;
    ask(fault, kind, past, &stability);
    cr_expect_not(stability.stable, "%s", fault);
    cr_expect_eq(stability.depends_on, dependence, "%s: %s: %s", fault, harness_dependence_name(stability.depends_on),
                 stability.text);
    cr_expect_not_null(strstr(stability.text, words), "%s: %s", fault, stability.text);
}

Test(stable, what_comes_back_three_times_is_stable)
{
    struct harness_stability stability;
    ask("always", HARNESS_DIVERGE, NULL, &stability);
    cr_expect(stability.stable, "%s", stability.text);
    cr_expect_eq(stability.came_back, HARNESS_STABLE_TRIES);
    cr_expect_eq(stability.depends_on, HARNESS_DEPENDS_ON_NOTHING);
    cr_expect_str_eq(stability.text, "");
}

#ifndef OWN_MALLOC
Test(stable, memory_that_was_never_written)
{
    expect("memory", HARNESS_DIVERGE, NULL, HARNESS_DEPENDS_ON_MEMORY,
           "came back in 2 of 3 fresh processes; it depends on memory that was never written: with fresh memory as it "
           "is they differ, with fresh memory full of 0xAA they agree");
    expect("memory", HARNESS_AGREE, NULL, HARNESS_DEPENDS_ON_MEMORY, "memory that was never written");
}

Test(stable, a_difference_that_is_another_one_each_time)
{
    expect("garbage", HARNESS_DIVERGE, NULL, HARNESS_DEPENDS_ON_MEMORY,
           "came back in 3 of 3 fresh processes, but not the same; it depends on memory that was never written");
}

Test(stable, where_memory_lies)
{
    expect("addresses", HARNESS_DIVERGE, NULL, HARNESS_DEPENDS_ON_ADDRESSES, "addresses");
}
#endif

Test(stable, threads_where_there_are_processors_for_them)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 2)
        cr_skip_test("one processor");
    expect("threads", HARNESS_DIVERGE, NULL, HARNESS_DEPENDS_ON_THREADS, "threads: on one processor");
}

Test(stable, chance)
{
    expect("clock", HARNESS_DIVERGE, NULL, HARNESS_DEPENDS_ON_CHANCE, "nothing that can be set here");
}

Test(stable, what_never_comes_back_depends_on_nothing_that_is_known)
{
    expect("never", HARNESS_DIVERGE, NULL, HARNESS_DEPENDS_ON_CHANCE, "came back in 0 of 3");
    expect("never", HARNESS_CRASH, NULL, HARNESS_DEPENDS_ON_CHANCE, "the crash came back in 0 of 3");
}

Test(stable, the_case_before_and_which_one)
{
    const struct past right_before = { { filling, plain }, 2 }, three_back = { { plain, plain, filling, plain }, 4 };
    struct harness_stability stability;
    expect("leak", HARNESS_DIVERGE, &right_before, HARNESS_DEPENDS_ON_CASE_BEFORE,
           "the case before it: after that it comes back, so state leaks");
    ask("leak", HARNESS_DIVERGE, &three_back, &stability);
    cr_expect_eq(stability.depends_on, HARNESS_DEPENDS_ON_CASE_BEFORE, "%s", stability.text);
    cr_expect_eq(stability.back, 3, "%s", stability.text);
}

Test(stable, several_cases_before_none_of_which_is_enough)
{
    const struct past past = { { plain, plain, plain }, 3 };
    struct harness_stability stability;
    ask("third", HARNESS_DIVERGE, &past, &stability);
    cr_expect_eq(stability.depends_on, HARNESS_DEPENDS_ON_CASES_BEFORE, "%s", stability.text);
    cr_expect_eq(stability.back, 2, "%s", stability.text);
    cr_expect_not_null(strstr(stability.text, "the 2 cases before it, in their order"), "%s", stability.text);
}

Test(stable, without_a_past_the_case_itself_is_run_before_itself)
{
    struct harness_stability stability;
    ask("third", HARNESS_AGREE, NULL, &stability);
    cr_expect_eq(stability.depends_on, HARNESS_DEPENDS_ON_CHANCE, "%s", stability.text);
}
