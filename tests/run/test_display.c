/* Which screens a case lights (harness/run/display.h), and that a runner collects what these show, and no other. */
#include "fast/fast.h"
#include "harness/case/formats.h"
#include "harness/run/check.h"
#include "harness/run/display.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"
#include "reference/reference.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const struct pica_window windows[] = { { 0x18000000, 0x1000 }, { 0x20000000, 0x1000 } };

enum {
    TOP = 1 << ORACLE_SCREEN_TOP,
    BOTTOM = 1 << ORACLE_SCREEN_BOTTOM,
    RIGHT = 1 << ORACLE_SCREEN_RIGHT_EYE
};

static uint32_t lit(const struct harness_display *display)
{
    return harness_display_lit(display, windows, 2);
}

static void write(struct harness_display *display, uint32_t address, uint32_t value)
{
    const struct pica_operation operation = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                              .address = address,
                                              .words = { value } };
    harness_display_step(display, &operation);
}

Test(display, PDC_06_screens_that_are_set_to_nothing_in_memory_are_dark)
{
    struct harness_display display = { .is_set = false };
    harness_display_begin(&display, NULL);
    cr_expect_eq(lit(&display), 0);
    write(&display, 0x10400468, 0x08000000);
    write(&display, 0x10400490, 720);
    cr_expect_eq(lit(&display), 0, "no column lies in a window");
    write(&display, 0x10400478, 1);
    write(&display, 0x1040046C, 0x18000000);
    cr_expect_eq(lit(&display), TOP, "PDC-03: the second buffer is shown");
    write(&display, 0x10400478, 0);
    cr_expect_eq(lit(&display), 0);
}

Test(display, PDC_03_a_screen_is_lit_by_any_of_its_columns)
{
    struct harness_display display = { .is_set = false };
    write(&display, 0x10400568, 0x1FFFF000);
    cr_expect_eq(lit(&display), 0);
    write(&display, 0x10400590, 0x1000 / 16 * 16);
    cr_expect_eq(lit(&display), BOTTOM, "the second column begins at 0x20000000");
    write(&display, 0x10400590, 0);
    write(&display, 0x10400568, 0x18000000 - 240 * 4 + 16);
    cr_expect_eq(lit(&display), BOTTOM, "its last pixels lie in a window");
    write(&display, 0x10400568, 0x18001000);
    cr_expect_eq(lit(&display), 0);
}

Test(display, PDC_05_the_right_eye_is_lit_by_its_own_address)
{
    struct harness_display display = { .is_set = false };
    write(&display, 0x10400494, 0x18000000);
    cr_expect_eq(lit(&display), RIGHT);
    write(&display, 0x10400594, 0x18000000);
    cr_expect_eq(lit(&display), RIGHT, "the bottom screen has no second picture");
}

Test(display, PDC_07_a_colour_fill_lights_a_screen_without_memory)
{
    struct harness_display display = { .is_set = false };
    write(&display, 0x10202204, 0x00FFFFFF);
    cr_expect_eq(lit(&display), 0, "bit 24 is off");
    write(&display, 0x10202204, 0x01000000);
    cr_expect_eq(lit(&display), TOP | RIGHT);
    write(&display, 0x10202A06, 0x01000000);
    cr_expect_eq(lit(&display), TOP | RIGHT | BOTTOM, "PSC-12: bits 0-1 of an address are ignored");
}

Test(display, REG_45_an_initial_state_lights_screens_and_the_next_case_begins_dark)
{
    static struct pica_state state;
    struct harness_display display = { .is_set = false };
    state.external[0x468 / 4] = 0x1800000F;
    state.external[0x478 / 4] = 0xFFFFFFFE; /* PSC-01: bit 0 alone is stored */
    state.lcd_fill[1] = 0x01000000;
    harness_display_begin(&display, &state);
    cr_expect_eq(lit(&display), TOP | BOTTOM);
    cr_expect_eq(harness_display_read(&display, 0x10400468), 0x18000000);
    harness_display_begin(&display, NULL);
    cr_expect_eq(lit(&display), 0);
}

static void expect_collected(const struct pica_backend *backend)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct pica_operation operations[] = {
        { .kind = PICA_OPERATION_WRITE_REGISTER, .address = 0x10202A04, .words = { 0x01332211 } },
    };
    const struct pica_setup setup = { .windows = windows, .window_count = 2, .limits = { 1, 1, 1, 1, 1 } };
    struct harness_runner *runner = NULL;
    struct oracle_run run;
    cr_assert_eq(harness_runner_create(backend, &options, &runner), PICA_OK);
    cr_assert_eq(harness_runner_load(runner, &setup), PICA_OK);
    cr_assert_eq(harness_runner_collect(runner, &run), PICA_OK);
    cr_expect_null(run.screens[ORACLE_SCREEN_BOTTOM], "dark");
    cr_assert_eq(harness_runner_step(runner, &operations[0]), PICA_OK);
    cr_assert_eq(harness_runner_collect(runner, &run), PICA_OK);
    cr_expect_null(run.screens[ORACLE_SCREEN_TOP]);
    cr_assert_not_null(run.screens[ORACLE_SCREEN_BOTTOM]);
    cr_expect_eq(run.screens[ORACLE_SCREEN_BOTTOM][0], 0x11);
    cr_expect_eq(run.screens[ORACLE_SCREEN_BOTTOM][oracle_screen_bytes(ORACLE_SCREEN_BOTTOM) - 1], 0x33);
    harness_runner_hide_screens(runner, true);
    cr_assert_eq(harness_runner_collect(runner, &run), PICA_OK);
    cr_expect_null(run.screens[ORACLE_SCREEN_BOTTOM], "hidden");
    harness_runner_destroy(runner);
}

Test(display, PDC_07_a_runner_collects_what_lit_screens_show)
{
    expect_collected(ref_backend());
    expect_collected(fast_backend());
}

static enum pica_status knows_none(void *instance, uint32_t screen, int right_eye, uint8_t *rgb, size_t size)
{
    (void)instance;
    (void)screen;
    (void)right_eye;
    (void)rgb;
    (void)size;
    return PICA_NOT_SUPPORTED;
}

Test(display, a_backend_without_pictures_has_none_and_is_not_blamed)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    static struct pica_state state;
    state.lcd_fill[0] = 0x01FFFFFF;
    const struct pica_setup setup = {
        .windows = windows, .window_count = 2, .initial_state = &state, .limits = { 1, 1, 1, 1, 1 }
    };
    for (int has = 0; has < 2; has++) {
        struct pica_backend backend = *ref_backend();
        struct harness_runner *runner = NULL;
        struct oracle_run run;
        backend.scan_out = has != 0 ? knows_none : NULL;
        cr_assert_eq(harness_runner_create(&backend, &options, &runner), PICA_OK);
        cr_expect_eq((harness_runner_scope(runner)->parts & (uint32_t)PICA_PART_SCREENS) != 0, has != 0);
        cr_assert_eq(harness_runner_load(runner, &setup), PICA_OK);
        cr_assert_eq(harness_runner_collect(runner, &run), PICA_OK);
        cr_expect_null(run.screens[ORACLE_SCREEN_TOP]);
        harness_runner_destroy(runner);
    }
}

static enum pica_status one_pixel_off(void *instance, uint32_t screen, int right_eye, uint8_t *rgb, size_t size)
{
    const enum pica_status status = ref_backend()->scan_out(instance, screen, right_eye, rgb, size);
    rgb[0] ^= 1u;
    return status;
}

/* Another picture each time. */
static enum pica_status unsteady(void *instance, uint32_t screen, int right_eye, uint8_t *rgb, size_t size)
{
    static uint8_t times;
    const enum pica_status status = ref_backend()->scan_out(instance, screen, right_eye, rgb, size);
    rgb[0] = times++;
    return status;
}

Test(display, a_check_compares_the_pictures_of_two_runs)
{
    static const char text[] = "pcase 1\nwindow 0x18000000 size 0x1000\nwrite COLOR_FILL_TOP = 0x1112233";
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    const struct harness_check_options options = { .backend = { .instruction_sets = UINT32_MAX } };
    struct harness_error error = { "" };
    cr_assert_eq(harness_pcase_read(test_case, text, sizeof text - 1, "case", &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
    for (int steady = 0; steady < 2; steady++) {
        struct pica_backend backend = *ref_backend();
        struct harness_check_result result;
        if (steady == 0)
            backend.scan_out = unsteady;
        struct harness_checker *const checker = harness_checker_create(&backend, &options);
        cr_assert_eq(harness_check(checker, program, HARNESS_CHECK_DETERMINISTIC, 0, &result), HARNESS_OK);
        cr_expect_eq(result.report.verdict, steady == 0 ? ORACLE_DIVERGE : ORACLE_AGREE, "%s", result.report.message);
        harness_checker_destroy(checker);
    }
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

enum {
    CASES = 320
};

/* A case that differs in nothing but a screen; how many of them differ, of which a bit each. */
static uint32_t count_differing(struct harness_pair *pair, bool differing[CASES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        char text[128];
        struct harness_error error = { "" };
        struct harness_case *const test_case = harness_case_create();
        (void)snprintf(text, sizeof text, "pcase 1\nwindow 0x18000000 size 0x1000\nwrite COLOR_FILL_TOP = 0x%X",
                       (unsigned)(0x01000000 + i));
        cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), "case", &error), HARNESS_OK, "%s",
                     error.message);
        enum harness_outcome outcome = harness_pair_try(pair, test_case);
        if (outcome == HARNESS_DIVERGE)
            outcome = harness_pair_explain(pair);
        differing[i] = outcome == HARNESS_DIVERGE;
        cr_expect(differing[i] || outcome == HARNESS_AGREE);
        cr_expect(differing[i] == (strcmp(harness_pair_key(pair), "display top screen") == 0));
        count += differing[i];
        harness_case_destroy(test_case);
    }
    return count;
}

Test(display, a_pair_looks_at_the_screens_of_one_case_in_16_and_of_the_same_each_time)
{
    static bool first[CASES], second[CASES];
    struct pica_backend wrong = *ref_backend();
    struct harness_backend backends[2] = { { .backend = ref_backend() }, { .backend = &wrong } };
    const struct harness_pair_options options = { .instruction_sets = UINT32_MAX,
                                                  .backends = backends,
                                                  .backend_count = 2 };
    wrong.name = "wrong";
    wrong.scan_out = one_pixel_off;
    for (size_t i = 0; i < 2; i++)
        harness_backend_models(backends[i].backend, &backends[i].scope);
    struct harness_pair *const pair = harness_pair_create(&options);
    cr_assert_not_null(pair);
    const uint32_t count = count_differing(pair, first);
    cr_expect(count > CASES / 32 && count < CASES / 8, "%u of %u", (unsigned)count, (unsigned)CASES);
    cr_expect_eq(count_differing(pair, second), count);
    cr_expect_arr_eq(first, second, sizeof first);
    harness_pair_destroy(pair);
}
