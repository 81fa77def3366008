/*
 * Captures as emulators make them: what is replayed is what was played; what lacks memory is refused. Of generated
 * cases 100 are played; PICAFUZZ_CAPTURE_CASES=20000 in the environment makes it as many.
 */
#include "fast/fast.h"
#include "harness/capture/picafuzz_capture.h"
#include "harness/case/formats.h"
#include "harness/case/numbers.h"
#include "harness/grammar/gen.h"
#include "tests/capture/player.h"
#include "tests/case/captures.h"
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char directory[1024], path[2048];

static void make_path(const char *test)
{
    fresh_directory(directory, sizeof directory, test);
    (void)snprintf(path, sizeof path, "%s/frame.picacap", directory);
}

TestSuite(capture);

Test(capture, frames_of_real_programs_replay_to_the_same_state_and_bytes)
{
    struct player player;
    struct harness_case *const test_case = harness_case_create();
    make_path("capture_corpus");
    player_init(&player);
    for (uint32_t i = 0; i < TEST_CAPTURES; i++) {
        test_capture_load(i, test_case);
        cr_assert(player_capture(&player, test_case, path), "%s: %s", test_capture_names[i], player.why);
        void *const replay = player_replay(path);
        player_expect_same(&player, test_case, replay, test_capture_names[i]);
        fast_backend()->destroy(replay);
    }
    cr_expect_eq(player.asked_wrongly, 0);
    player_free(&player);
    harness_case_destroy(test_case);
}

static uint32_t cases(void)
{
    const char *const wanted = getenv("PICAFUZZ_CAPTURE_CASES");
    return wanted == NULL ? 100 : (uint32_t)strtoul(wanted, NULL, 10);
}

/* Cases that fuzzers make, defined and broken ones: jumps into the middle of lists, targets over arrays, copies. */
Test(capture, generated_cases_replay_to_the_same_or_are_refused_with_a_reason)
{
    struct player player;
    struct harness_case *const test_case = harness_case_create();
    uint32_t refused = 0;
    char name[32];
    make_path("capture_generated");
    player_init(&player);
    for (uint64_t seed = 1; seed <= cases(); seed++) {
        harness_generate(test_case, seed, NULL);
        test_case->profile = PICA_PROFILE_F32;
        (void)snprintf(name, sizeof name, "seed %u", (unsigned)seed);
        if (!player_capture(&player, test_case, path)) {
            cr_expect(strstr(player.why, "which the same list draws to") != NULL ||
                          strstr(player.why, "more than 60 MiB") != NULL,
                      "%s: %s", name, player.why);
            refused++;
            continue;
        }
        void *const replay = player_replay(path);
        player_expect_same(&player, test_case, replay, name);
        fast_backend()->destroy(replay);
    }
    cr_expect_lt(refused, cases() / 20, "%u of %u refused", refused, cases());
    player_free(&player);
    harness_case_destroy(test_case);
}
