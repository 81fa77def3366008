/* What comes of a case is the same whether a plug-in has a process of its own or not, whatever it does there. */
#include "harness/run/load.h"
#include "harness/trial/trial.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOSTILE PICAFUZZ_BINARY_DIR "/lib/hostile_backend.so"

enum {
    MOST_WORDS = 512
};

static char said[HARNESS_PROBE_SAID]; /* what the last one that ran said */

static enum harness_outcome outcome_of(const char *backend, const char *deed, unsigned hang_ms, char words[MOST_WORDS])
{
    struct harness_error error = { "" };
    struct harness_backend backends[2];
    struct harness_trials *trials = NULL;
    struct harness_text reason = { 0 };
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
    harness_trial_reason(trials, &trial, &reason);
    (void)snprintf(words, MOST_WORDS, "%s", harness_text_string(&reason));
    (void)snprintf(said, sizeof said, "%s", trial.said);
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
        { "rounded@read", HARNESS_AGREE, "" },
        { "roundup@load,rounded@read", HARNESS_DIVERGE, "" }, /* the mode is its own, and the same at each call */
        { "roundup@entry,rounded@read", HARNESS_DIVERGE, "" },
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

Test(trial, what_a_call_changes_of_a_process_that_is_shared_is_put_back_and_named)
{
    static const char *const rows[][2] = {
        { "roundup@run", "changed how floating-point numbers are computed of the process" },
        { "block@run", "changed which signals are blocked of" },
        { "directory@load", "changed the working directory of" },
        { "umask@create", "changed the umask of" },
        { "locale@read", "changed the locale of" },
        { "standard@run", "" }, /* to nowhere */
    };
    char words[MOST_WORDS];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_expect_eq(outcome_of("inline:" HOSTILE, rows[i][0], 10000, words), HARNESS_AGREE, "%s", words);
        cr_expect_not_null(strstr(said, rows[i][1]), "%s: %s", rows[i][0], said);
        cr_expect_eq(outcome_of(HOSTILE, rows[i][0], 10000, words), HARNESS_AGREE, "%s", words);
        cr_expect_str_eq(said, "", "%s: it is its own process: %s", rows[i][0], said);
    }
}

/* It is opened in this process. */
Test(trial, what_opening_changes_is_put_back)
{
    struct harness_error error = { "" };
    struct harness_backend backend;
    char directory[4096], now[4096];
    cr_assert_not_null(getcwd(directory, sizeof directory));
    (void)setenv("PICAFUZZ_HOSTILE", "roundzero@entry,directory@entry,umask@entry,block@entry,locale@entry", 1);
    const mode_t mask = umask(022);
    cr_assert_eq(harness_backend_open("inline:" HOSTILE, &backend, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(fegetround(), FE_TONEAREST);
    cr_expect_str_eq(getcwd(now, sizeof now), directory);
    cr_expect_eq(umask(mask), 022);
    cr_expect_str_eq(setlocale(LC_ALL, NULL), "C");
    sigset_t blocked;
    (void)sigprocmask(SIG_SETMASK, NULL, &blocked);
    cr_expect_not(sigismember(&blocked, SIGINT));
    harness_backend_close(&backend);
}

Test(trial, who_spins_with_signals_blocked_hangs_both_ways)
{
    char words[MOST_WORDS];
    cr_expect_eq(outcome_of(HOSTILE, "spin@transfer", 200, words), HARNESS_HANG, "%s", words);
    cr_expect_eq(outcome_of("inline:" HOSTILE, "spin@transfer", 200, words), HARNESS_HANG, "%s", words);
}
