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
#include "tests/sanitized.h"

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
    return wanted == NULL ? (TEST_PART == 1 ? 100 : 50) : (uint32_t)strtoul(wanted, NULL, 10);
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
    cr_expect_lt(20 * refused, cases(), "%u of %u refused", refused, cases());
    player_free(&player);
    harness_case_destroy(test_case);
}

/* docs/example/capture.c: bytes of the screen, their checksum as the example computes it. */
static uint32_t checksum_of_screen(void *gpu)
{
    static uint8_t screen[400 * 240 * 3];
    uint32_t checksum = 2166136261u;
    cr_assert_eq(fast_backend()->read_memory(gpu, 0x20010000, screen, sizeof screen), PICA_OK);
    for (size_t i = 0; i < sizeof screen; i++)
        checksum = (checksum ^ screen[i]) * 16777619u;
    return checksum;
}

Test(capture, the_frame_of_the_example_replays_to_the_same_bytes_on_both_backends)
{
    static struct command_result result;
    char line[4096], expected[64];
    make_path("capture_example");
    (void)snprintf(line, sizeof line, "%s/bin/capture_example '%s'", PICAFUZZ_BINARY_DIR, path);
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    void *const replay = player_replay(path);
    (void)snprintf(expected, sizeof expected, "frame.picacap: checksum %08X\n", (unsigned)checksum_of_screen(replay));
    cr_expect_not_null(strstr(result.output, expected), "%s: expected %s", result.output, expected);
    fast_backend()->destroy(replay);
    (void)snprintf(line, sizeof line, "diff -b reference,fast '%s'", path);
    run_picafuzz(&result, "", line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "frame.picacap: agree"), "%s", result.output);
}
