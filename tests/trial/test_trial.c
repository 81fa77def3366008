/* What comes of a case is the same whether a plug-in has a process of its own or not, whatever it does there. */
#include "harness/run/load.h"
#include "harness/trial/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOSTILE PICAFUZZ_BINARY_DIR "/lib/hostile_backend.so"

enum {
    MOST_WORDS = 512
};

static enum harness_outcome outcome_of(const char *backend, const char *deed, unsigned hang_ms, char words[MOST_WORDS])
{
    struct harness_error error = { "" };
    struct harness_backend backends[2];
    struct harness_trials *trials = NULL;
    struct harness_text reason;
    static struct harness_trial trial; /* of this test; large */
    struct harness_case *const test_case = harness_case_create();
    (void)setenv("PICAFUZZ_HOSTILE", deed, 1);
    cr_assert_eq(harness_load(test_case, PICAFUZZ_SOURCE_DIR "/corpus/seeds/transfer/flip.pcase", NULL, &error),
                 HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_backend_open("reference", &backends[0], &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_backend_open(backend, &backends[1], &error), HARNESS_OK, "%s: %s", deed, error.message);
    harness_probe_limit(&backends[1], hang_ms);
    const struct harness_trial_options options = { .probe = { .backends = backends,
                                                              .backend_count = 2,
                                                              .backend_options = { .instruction_sets = UINT32_MAX },
                                                              .hang_ms = hang_ms },
                                                   .shares = true };
    cr_assert_eq(harness_trials_create(&options, &trials, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_trial_run(trials, test_case, NULL, &trial, &error), HARNESS_OK, "%s: %s", deed, error.message);
    harness_text_init(&reason);
    harness_trial_reason(trials, &trial, &reason);
    (void)snprintf(words, MOST_WORDS, "%s", harness_text_string(&reason));
    harness_text_free(&reason);
    (void)harness_trials_end(trials);
    harness_trials_destroy(trials);
    harness_backend_close(&backends[1]);
    harness_backend_close(&backends[0]);
    harness_case_destroy(test_case);
    return trial.outcome;
}

Test(trial, the_word_is_the_same_with_a_process_and_without)
{
    static const struct {
        const char *deed;
        enum harness_outcome outcome;
        const char *words; /* of the reason, both ways */
    } rows[] = {
        { "fail@transfer", HARNESS_TROUBLE, "hostile" },
        { "memory@transfer", HARNESS_TROUBLE, "hostile" },
        { "refuse@transfer", HARNESS_NOT_TESTED, "hostile" },
        { "wild@run", HARNESS_CRASH, "backend hostile" },
        { "exit0@transfer", HARNESS_CRASH, "backend hostile" },
        { "exit1@load", HARNESS_CRASH, "backend hostile" },
        { "abort@read", HARNESS_CRASH, "backend hostile" },
        { "close@run", HARNESS_CRASH, "closed the descriptors of its process" },
        { "close@read", HARNESS_CRASH, "closed the descriptors of its process" },
        { "stray@run", HARNESS_CRASH, "wrote to descriptors that are not its own" },
        { "interrupt@load", HARNESS_AGREE, "" },
        { "nowait@load", HARNESS_AGREE, "" },
        { "roundup@load", HARNESS_AGREE, "" },
        { "roundzero@run", HARNESS_AGREE, "" },
        { "ignore@load", HARNESS_AGREE, "" },
        { "ignore@load,wild@transfer", HARNESS_CRASH, "backend hostile" },
        { "escape@run", HARNESS_AGREE, "" },
        { "wrong@read", HARNESS_DIVERGE, "" },
    };
    char words[MOST_WORDS];
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const char *const deed = rows[i / 2].deed, *const way = i % 2 != 0 ? "inline:" HOSTILE : HOSTILE;
        const enum harness_outcome outcome = outcome_of(way, deed, 10000, words);
        cr_expect_eq(outcome, rows[i / 2].outcome, "%s, %s: %s: %s", deed, way, harness_outcome_name(outcome), words);
        cr_expect_not_null(strstr(words, rows[i / 2].words), "%s, %s: %s", deed, way, words);
    }
}

Test(trial, who_spins_with_signals_blocked_hangs_both_ways)
{
    char words[MOST_WORDS];
    cr_expect_eq(outcome_of(HOSTILE, "spin@transfer", 200, words), HARNESS_HANG, "%s", words);
    cr_expect_eq(outcome_of("inline:" HOSTILE, "spin@transfer", 200, words), HARNESS_HANG, "%s", words);
}
