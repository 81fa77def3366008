/*
 * Reductions that are stopped, and what goes on from them. The fault "stain" is that of a backend that keeps
 * something from an earlier case: it differs on sound cases, too, once it has run another.
 */
#include "harness/reduce/reduce_pass.h"
#include "harness/reduce/reduce_state.h"
#include "tests/reduce/faulty.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SOUND "pcase 1\nwindow 0x18000000 size 0x1000\n" /* 38 bytes */

static const char identity[] = "a test";

static struct harness_case *load_case(void)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(
        harness_case_load_file(test_case, PICAFUZZ_SOURCE_DIR "/tests/reduce/cases/fog.pcb", NULL, NULL, &error),
        HARNESS_OK, "%s", error.message);
    return test_case;
}

static struct harness_case *parse(const char *text)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), "test", &error), HARNESS_OK, "%s", error.message);
    return test_case;
}

/* The path of a state that does not exist yet. */
static void state_path(char out[1024], const char *name)
{
    (void)snprintf(out, 1024, "%s/%s.reducing", PICAFUZZ_BINARY_DIR, name);
    (void)unlink(out);
}

static void reduce(struct harness_case *test_case, const struct harness_reduce_options *options,
                   struct harness_reduce_result *result)
{
    struct harness_error error = { "" };
    cr_assert_eq(harness_reduce(test_case, options, result, &error), HARNESS_OK, "%s", error.message);
}

static void expect_differs_alone(const struct faulty *faulty, const struct harness_case *test_case)
{
    struct harness_symptom symptom;
    struct harness_error error = { "" };
    struct harness_probe *probe = NULL;
    cr_assert_eq(harness_probe_create(&faulty->options, &probe, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_probe_try(probe, test_case, false, &symptom, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(symptom.kind, HARNESS_DIVERGE, "the case is sound in a process that has run nothing else");
    harness_probe_destroy(probe);
}

static void write_state(const char *path, const struct harness_case *best, const struct harness_case *sure)
{
    struct harness_error error = { "" };
    struct harness_case *const own_best = harness_case_clone(best);
    struct harness_case *const own_sure = sure != NULL ? harness_case_clone(sure) : NULL;
    const struct reduce_saved saved = { .cursor = { .round = 1, .pass = 3 }, .tried = 500, .first_bytes = 8952 };
    const struct reduce_cases cases = { .best = own_best, .sure = own_sure };
    cr_assert_eq(harness_reduce_save(path, identity, &saved, &cases, &error), HARNESS_OK, "%s", error.message);
    harness_case_destroy(own_best);
    harness_case_destroy(own_sure);
}

/* -------------------------------------------------------------------------------------------------------- stopped */

Test(reduce_stop, in_the_first_round_it_leaves_a_smaller_case_that_differs_by_itself)
{
    static const char *const faults[] = { "fog", "stain" };
    static const unsigned budgets[] = { 40, 150 };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct faulty faulty;
        faulty_open(&faulty, faults[i]);
        for (size_t k = 0; k < sizeof budgets / sizeof budgets[0]; k++) {
            struct harness_reduce_result result;
            struct harness_case *const test_case = load_case();
            const struct harness_reduce_options options = { .probe = faulty.options, .tries = budgets[k] };
            reduce(test_case, &options, &result);
            cr_expect_not(result.complete);
            cr_expect_eq(result.progress.round, 1);
            cr_expect_eq(result.progress.tried, budgets[k]);
            cr_expect_lt(result.progress.bytes, result.progress.first_bytes, "%s, %u tries: nothing is kept", faults[i],
                         budgets[k]);
            cr_expect_eq(harness_case_bytes(test_case), result.progress.bytes);
            expect_differs_alone(&faulty, test_case);
            harness_case_destroy(test_case);
        }
        faulty_close(&faulty);
    }
}

/* A change that is rejected while others are under way may be among those: it counts once. */
Test(reduce_stop, a_budget_is_the_same_work_whatever_the_number_of_workers)
{
    static const unsigned jobs[] = { 1, 3 };
    struct harness_case *cases[2];
    struct faulty faulty;
    faulty_open(&faulty, "fog");
    for (size_t i = 0; i < 2; i++) {
        struct harness_reduce_result result;
        struct harness_reduce_options options = { .probe = faulty.options, .tries = 300 };
        options.probe.jobs = jobs[i];
        cases[i] = load_case();
        reduce(cases[i], &options, &result);
        cr_expect_not(result.complete);
        cr_expect_eq(result.progress.tried, 300);
    }
    cr_expect(harness_case_equal(cases[0], cases[1], true), "%llu bytes with one worker, %llu with three",
              (unsigned long long)harness_case_bytes(cases[0]), (unsigned long long)harness_case_bytes(cases[1]));
    harness_case_destroy(cases[0]);
    harness_case_destroy(cases[1]);
    faulty_close(&faulty);
}

/* Stopped again and again, each time in a process that knows no more than the state on disk. */
Test(reduce_stop, pieces_come_to_an_end)
{
    char path[1024];
    struct faulty faulty;
    struct harness_reduce_result result = { .complete = false };
    struct harness_case *test_case = NULL;
    unsigned pieces = 0;
    state_path(path, "reduce-pieces");
    faulty_open(&faulty, "stain");
    for (; !result.complete && pieces < 60; pieces++) {
        harness_case_destroy(test_case);
        test_case = load_case();
        const struct harness_reduce_options options = {
            .probe = faulty.options, .tries = 200, .state_path = path, .identity = identity
        };
        reduce(test_case, &options, &result);
        cr_expect_eq(result.resumed, pieces != 0);
    }
    cr_expect(result.complete, "no end after %u pieces", pieces);
    cr_expect_leq(result.progress.writes, 22u, "%u register writes are left", result.progress.writes);
    expect_differs_alone(&faulty, test_case);
    harness_case_destroy(test_case);
    (void)unlink(path);
    faulty_close(&faulty);
}

/* ------------------------------------------------------------------------------------------------------- the state */

Test(reduce_stop, a_state_gives_back_all_that_it_was_made_of)
{
    char path[1024];
    struct reduce_saved restored;
    struct harness_error error = { "" };
    struct harness_case *const best = parse("pcase 1\nwindow 0x18000000 size 0x1000\nvblank top\n");
    struct harness_case *const sure = parse("pcase 1\nwindow 0x18000000 size 0x2000\nvblank bottom\nvblank top\n");
    const struct reduce_cases out = { .best = harness_case_create(), .sure = harness_case_create() };
    const struct reduce_saved saved = { .cursor = { 1, 2, 3, 4, 5 },
                                        .round_accepted = 6,
                                        .tried = UINT64_C(7) << 40,
                                        .accepted = 8,
                                        .first_bytes = 9,
                                        .first_writes = 10,
                                        .careful = true };
    const struct reduce_cases both = { .best = best, .sure = sure };
    state_path(path, "reduce-state");
    cr_expect_not(harness_reduce_restore(path, identity, &restored, &out), "there is no file");
    cr_assert_eq(harness_reduce_save(path, identity, &saved, &both, &error), HARNESS_OK, "%s", error.message);
    cr_expect_not(harness_reduce_restore(path, "another test", &restored, &out));
    cr_expect_not(harness_reduce_restore(path, "a", &restored, &out));
    cr_assert(harness_reduce_restore(path, identity, &restored, &out));
    cr_expect_eq(restored.cursor.round, 1);
    cr_expect_eq(restored.cursor.pass, 2);
    cr_expect_eq(restored.cursor.size, 3);
    cr_expect_eq(restored.cursor.end, 4);
    cr_expect_eq(restored.cursor.variant, 5);
    cr_expect_eq(restored.round_accepted, 6);
    cr_expect_eq(restored.tried, saved.tried);
    cr_expect_eq(restored.accepted, 8);
    cr_expect_eq(restored.first_bytes, 9);
    cr_expect_eq(restored.first_writes, 10);
    cr_expect(restored.careful);
    cr_expect(harness_case_equal(out.best, best, true));
    cr_expect(harness_case_equal(out.sure, sure, true));
    const struct reduce_cases one = { .best = best, .sure = NULL };
    cr_assert_eq(harness_reduce_save(path, identity, &saved, &one, &error), HARNESS_OK, "%s", error.message);
    cr_assert(harness_reduce_restore(path, identity, &restored, &out));
    cr_expect(harness_case_equal(out.sure, best, true), "the best case is the sure one");
    harness_case_destroy(best);
    harness_case_destroy(sure);
    harness_case_destroy(out.best);
    harness_case_destroy(out.sure);
    (void)unlink(path);
}

#define HEAD "# picafuzz reduce, unfinished work: a test"

/* After HEAD, the digest of the passes (another one if `other`), and `numbers_and_cases`. */
static void write_numbers(const char *path, const char *numbers_and_cases, bool other)
{
    char text[512];
    struct harness_error error = { "" };
    const int size = snprintf(text, sizeof text, HEAD "\n# %u %s", (unsigned)(harness_reduce_passes_digest() + other),
                              numbers_and_cases);
    cr_assert_lt(size, (int)sizeof text);
    cr_assert_eq(harness_file_write(path, text, (size_t)size, &error), HARNESS_OK, "%s", error.message);
}

static void expect_no_state(const char *path, const char *what)
{
    struct harness_case *const before = parse(SOUND);
    const struct reduce_cases out = { .best = harness_case_clone(before), .sure = harness_case_clone(before) };
    struct reduce_saved restored = { .tried = 77 };
    cr_expect_not(harness_reduce_restore(path, identity, &restored, &out), "%s", what);
    cr_expect_eq(restored.tried, 77, "%s", what);
    cr_expect(harness_case_equal(out.best, before, true) && harness_case_equal(out.sure, before, true), "%s", what);
    harness_case_destroy(before);
    harness_case_destroy(out.best);
    harness_case_destroy(out.sure);
}

/* A cut or spoilt file is not a state, and changes nothing. */
Test(reduce_stop, half_a_state_is_none)
{
    static const char *const heads[] = { "", HEAD, HEAD "\n" };
    static const char *const rests[] = { "0 0 0 0 0 0 0 0 0 0 0 0\n38\n" SOUND, "0 0 0 0 0 0 0 0 0 0 0 0 39\n" SOUND,
                                         "0 0 0 0 0 0 0 0 0 0 0 0 30\n" SOUND, "0 0 0 0 0 0 0 0 0 0 0 0 38 8\n" SOUND };
    static const char whole[] = "0 0 0 0 0 0 0 0 0 0 0 0 38\n" SOUND;
    char path[1024];
    struct harness_error error = { "" };
    const struct reduce_cases out = { .best = harness_case_create(), .sure = harness_case_create() };
    struct reduce_saved restored;
    state_path(path, "reduce-half");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        cr_assert_eq(harness_file_write(path, heads[i], strlen(heads[i]), &error), HARNESS_OK, "%s", error.message);
        expect_no_state(path, heads[i]);
    }
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++) {
        write_numbers(path, rests[i], false);
        expect_no_state(path, rests[i]);
    }
    write_numbers(path, whole, false);
    cr_expect(harness_reduce_restore(path, identity, &restored, &out), "nor is a whole one");
    harness_case_destroy(out.best);
    harness_case_destroy(out.sure);
    (void)unlink(path);
}

/* Of another picafuzz, say: the work is good, the place in it means nothing. */
Test(reduce_stop, with_other_passes_the_work_goes_on_from_the_first_one)
{
    static const char numbers[] = "1 2 3 4 5 6 7 8 9 10 1 16 38\n" SOUND;
    char path[1024];
    struct harness_case *const sound = parse(SOUND);
    const struct reduce_cases out = { .best = harness_case_create(), .sure = harness_case_create() };
    struct reduce_saved restored;
    state_path(path, "reduce-other-passes");
    write_numbers(path, numbers, false);
    cr_assert(harness_reduce_restore(path, identity, &restored, &out));
    cr_expect_eq(restored.cursor.pass, 2);
    cr_expect_eq(restored.round_accepted, 6);
    write_numbers(path, numbers, true);
    cr_assert(harness_reduce_restore(path, identity, &restored, &out));
    cr_expect_eq(restored.cursor.round, 0);
    cr_expect_eq(restored.cursor.pass, 0);
    cr_expect_eq(restored.cursor.size, 0);
    cr_expect_eq(restored.round_accepted, 0);
    cr_expect_eq(restored.tried, 7);
    cr_expect(restored.careful);
    cr_expect(harness_case_equal(out.best, sound, true));
    harness_case_destroy(sound);
    harness_case_destroy(out.best);
    harness_case_destroy(out.sure);
    (void)unlink(path);
}

/* ---------------------------------------------------------------------------------------------------- begun again */

Test(reduce_stop, a_state_that_does_not_hold_falls_back_on_what_was_sure)
{
    char path[1024];
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const sure = load_case();
    struct harness_case *const test_case = load_case();
    struct harness_case *const sound = parse(SOUND);
    faulty_open(&faulty, "fog");
    struct harness_reduce_options options = { .probe = faulty.options, .tries = 300 };
    reduce(sure, &options, &result);
    const uint64_t sure_bytes = result.progress.bytes;
    state_path(path, "reduce-fall-back");
    write_state(path, sound, sure);
    options.state_path = path;
    options.identity = identity;
    options.tries = 1;
    reduce(test_case, &options, &result);
    cr_expect(result.resumed);
    cr_expect_eq(result.progress.tried, 501, "the tries of the state count");
    cr_expect_eq(result.progress.round, 1, "from the first pass on");
    cr_expect_leq(result.progress.bytes, sure_bytes, "the work before is lost");
    expect_differs_alone(&faulty, test_case);
    harness_case_destroy(sure);
    harness_case_destroy(test_case);
    harness_case_destroy(sound);
    (void)unlink(path);
    faulty_close(&faulty);
}

Test(reduce_stop, a_state_in_which_nothing_holds_is_begun_anew_and_ends_alike)
{
    char path[1024];
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const whole = load_case();
    struct harness_case *const again = load_case();
    struct harness_case *const sound = parse(SOUND);
    faulty_open(&faulty, "fog");
    struct harness_reduce_options options = { .probe = faulty.options };
    reduce(whole, &options, &result);
    state_path(path, "reduce-anew");
    write_state(path, sound, NULL);
    options.state_path = path;
    options.identity = identity;
    reduce(again, &options, &result);
    cr_expect(result.complete);
    cr_expect_not(result.resumed, "nothing of the state was of use");
    cr_expect(harness_case_equal(whole, again, true));
    harness_case_destroy(whole);
    harness_case_destroy(again);
    harness_case_destroy(sound);
    (void)unlink(path);
    faulty_close(&faulty);
}

/* A triangle with or without fog that is written or not. */
static struct harness_case *triangle(const char *fog, unsigned enable)
{
    static const char form[] =
        "pcase 1\nwindow 0x18000000 size 0x10000\nmemory 0x18000000 fill 0xFFFFFFFF size 0x9\nrun 0x18001000 {\n"
        "VSH_CODETRANSFER_DATA0 repeat code at 0 {\nmov o3, v0.xyx @0\nend\n}\n"
        "VSH_OPDESCS_DATA0 repeat descriptors {\nxyzw, xyxx, xxxx, xxxx ; @0\n}\nVSH_CODETRANSFER_END = 0\n"
        "VSH_OUTMAP_MASK { outputs = 0x8 }\nSTART_DRAW_FUNC0 = 0\nVIEWPORT_WIDTH { half_size = 1.0 }\n"
        "VIEWPORT_HEIGHT { half_size = 1.0 }\nSH_OUTMAP_TOTAL { total = 1 }\n"
        "SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.x }\n"
        "DEPTH_COLOR_MASK { depth_function = never, red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"
        "COLORBUFFER_WRITE { enable = 0x%X }\nCOLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
        "COLORBUFFER_LOC { address = 0x18000000 }\nFRAMEBUFFER_DIM { width = 8, height_minus_1 = 1 }\n"
        "TEXENV_UPDATE_BUFFER { fog_mode = %s, gas_density_source = plain }\nFIXEDATTRIB_INDEX { index = 15 }\n"
        "FIXEDATTRIB_DATA0 repeat f24 {\n-1.0 0.0 0.0 0.0\n0.0 0.0 0.0 0.0\n0.0 1.0 0.0 0.0\n}\nFINALIZE = 0x78\n}\n";
    char text[sizeof form + 32];
    (void)snprintf(text, sizeof text, form, enable, fog);
    return parse(text);
}

static enum harness_outcome try_after(const struct faulty *faulty, const struct harness_case *first,
                                      const struct harness_case *second)
{
    struct harness_symptom symptom;
    struct harness_error error = { "" };
    struct harness_probe *probe = NULL;
    cr_assert_eq(harness_probe_create(&faulty->options, &probe, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_probe_try(probe, first, false, &symptom, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(symptom.kind, HARNESS_AGREE);
    cr_assert_eq(harness_probe_try(probe, second, false, &symptom, &error), HARNESS_OK, "%s", error.message);
    harness_probe_destroy(probe);
    return symptom.kind;
}

Test(reduce_stop, no_case_of_a_state_is_tried_behind_another)
{
    char path[1024];
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_error error = { "" };
    struct harness_case *const stains = triangle("fog", 0);
    struct harness_case *const sound = triangle("off", 1);
    struct harness_case *const test_case = harness_case_clone(sound);
    faulty_open(&faulty, "stain");
    cr_assert_eq(try_after(&faulty, stains, sound), HARNESS_DIVERGE, "this shows nothing");
    cr_assert_eq(try_after(&faulty, sound, sound), HARNESS_AGREE);
    state_path(path, "reduce-behind");
    write_state(path, stains, sound);
    const struct harness_reduce_options options = { .probe = faulty.options, .state_path = path, .identity = identity };
    cr_expect_eq(harness_reduce(test_case, &options, &result, &error), HARNESS_BAD_INPUT, "nothing differs by itself");
    cr_expect_not_null(strstr(error.message, "nothing is wrong"), "%s", error.message);
    cr_expect(harness_case_equal(test_case, sound, true));
    harness_case_destroy(stains);
    harness_case_destroy(sound);
    harness_case_destroy(test_case);
    (void)unlink(path);
    faulty_close(&faulty);
}

/* Reduces the case carefully from the first round on, with a backend of which instance `bad` is sound. Returns how
 * many instances there were. */
static long reduce_with_luck(const struct faulty *faulty, struct harness_case *test_case, long bad)
{
    char path[1024], luck[1024], number[32];
    struct harness_error error = { "" };
    struct harness_reduce_result result;
    const struct reduce_saved saved = { .careful = true, .first_bytes = 8952 };
    const struct reduce_cases cases = { .best = test_case };
    const struct harness_reduce_options options = { .probe = faulty->options,
                                                    .state_path = path,
                                                    .identity = identity };
    state_path(path, "reduce-luck");
    state_path(luck, "reduce-luck-count");
    (void)snprintf(number, sizeof number, "%ld", bad);
    cr_assert(setenv("PICAFUZZ_LUCK", luck, 1) == 0 && setenv("PICAFUZZ_BAD_LUCK", number, 1) == 0);
    cr_assert_eq(harness_reduce_save(path, identity, &saved, &cases, &error), HARNESS_OK, "%s", error.message);
    reduce(test_case, &options, &result);
    cr_expect(result.complete && result.resumed);
    FILE *const file = fopen(luck, "ab");
    cr_assert(file != NULL && fseek(file, 0, SEEK_END) == 0);
    const long instances = ftell(file);
    (void)fclose(file);
    (void)unlink(luck);
    (void)unlink(path);
    return instances;
}

/* The last three instances: that of the check at the end of the last round that changed something, that of the check
 * at the end of the round that changed nothing, and that which says what is left. */
Test(reduce_stop, what_fails_at_the_end_of_a_careful_round_is_not_what_is_left)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const start = load_case();
    faulty_open(&faulty, "fog");
    const struct harness_reduce_options options = { .probe = faulty.options, .tries = 500 };
    reduce(start, &options, &result);
    struct harness_case *const lucky = harness_case_clone(start);
    struct harness_case *const unlucky = harness_case_clone(start);
    const long instances = reduce_with_luck(&faulty, lucky, 0);
    cr_assert_gt(instances, 4);
    cr_assert_lt(harness_case_bytes(lucky), harness_case_bytes(start));
    (void)reduce_with_luck(&faulty, unlucky, instances - 2);
    cr_expect_not(harness_case_equal(unlucky, lucky, true), "the case that failed is left");
    cr_expect_gt(harness_case_bytes(unlucky), harness_case_bytes(lucky));
    cr_expect_leq(harness_case_bytes(unlucky), harness_case_bytes(start));
    harness_case_destroy(start);
    harness_case_destroy(lucky);
    harness_case_destroy(unlucky);
    faulty_close(&faulty);
}
