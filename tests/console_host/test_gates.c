/* The gates of export: what a console may not be given is refused, and named; what is left is given. */
#include "harness/case/formats.h"
#include "harness/case/state.h"
#include "harness/console/gate.h"
#include "harness/console/prologue.h"
#include "harness/console/walk.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/random.h"
#include "pica/regs.h"
#include "tests/console_host/bench.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The case is refused, and one line of the reasons holds `reason`. */
static void expect_refused(const char *text, bool may_hang, const char *reason)
{
    char *const reasons = bench_ask(text, may_hang, NULL);
    cr_expect_not_null(strstr(reasons, reason), "expected '%s', found '%s'", reason, reasons);
    free(reasons);
}

/* `from` in the text of the triangle, once, is `to` instead. */
static const char *triangle_with(const char *from, const char *to)
{
    static char text[8192];
    const char *const at = strstr(bench_triangle, from);
    cr_assert_not_null(at, "%s", from);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - bench_triangle), bench_triangle, to, at + strlen(from));
    return text;
}

Test(gates, let_through_what_touches_its_windows_alone)
{
    const char *const good[] = { bench_fill, bench_triangle };
    for (size_t i = 0; i < 2; i++) {
        const char *suspect = "";
        char *const reasons = bench_ask(good[i], false, &suspect);
        cr_expect_str_eq(reasons, "");
        cr_expect_null(suspect);
        free(reasons);
    }
}

struct refused {
    const char *operations, *reason;
};

Test(gates, name_registers_and_operations_that_no_case_may_use)
{
    static const struct refused table[] = {
        { "write 0x10400468 = 0\n", "operation 0 writes 0x10400468: an LCD controller" },
        { "write 0x10400568 = 0\n", "an LCD controller" },
        { "write 0x10202204 = 0x010000FF\n", "an LCD register" },
        { "write 0x10401080 = 0\n", "an interrupt register" },
        { "write 0x10400018 = 0\n", "a register that starts something" },
        { "write 0x104018F0 = 1\n", "a register that starts something" }, /* CMDBUF_JUMP0 */
        { "write 0x104018B8 = 1\n", "a register that starts something" }, /* DRAWARRAYS */
        { "write 0x10141200 = 0\n", "a register that starts something" }, /* not of the GPU */
        { "vblank top\n", "operation 0 is a vertical blank" },
    };
    char text[512];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        (void)snprintf(text, sizeof text, "pcase 1\nwindow 0x18000000 size 0x1000\n%s", table[i].operations);
        expect_refused(text, true, table[i].reason);
    }
}

Test(gates, name_memory_outside_of_windows_and_vram)
{
    expect_refused("pcase 1\nwindow 0x20000000 size 0x1000\n", true, "window 0x20000000-0x20000FFF is not in VRAM");
    expect_refused("pcase 1\nwindow 0x18000000 size 0x1000\n"
                   "fill 0 { FILL0_START { address = 0x18000000 } FILL0_END { address = 0x18001010 }\n"
                   "FILL0_VALUE = 1 FILL0_CTRL { start = 1, width = 32-bit } }\n",
                   true, "operation 0: event mem-oob");
    expect_refused(
        triangle_with("COLORBUFFER_LOC { address = 0x18000000 }", "COLORBUFFER_LOC { address = 0x18100000 }"), true,
        "draw 0: the colour buffer 0x18100000, 1024 bytes, does not lie in the windows");
    expect_refused(triangle_with("ATTRIBBUFFERS_LOC { base = 0x18002000 }", "ATTRIBBUFFERS_LOC { base = 0x20002000 }"),
                   true, "draw 0: vertices come from 0x20002000");
    expect_refused(triangle_with("START_DRAW_FUNC0", "TEXUNIT_CONFIG { unit0_enable = 1 }\n TEXUNIT0_ADDR1 { address = "
                                                     "0x1F000000 }\n START_DRAW_FUNC0"),
                   true, "draw 0: texture unit 0 reads 0x1F000000");
}

/* Sizes with which our rules write nothing, and a console perhaps everything. */
Test(gates, refuse_sizes_that_a_console_may_take_for_large_ones)
{
    static const struct refused table[] = {
        { "fill 0 { FILL0_START { address = 0x18000100 } FILL0_END { address = 0x18000000 }\n"
          "FILL0_VALUE = 1 FILL0_CTRL { start = 1, width = 32-bit } }\n",
          "event fill-inverted: leaves its windows" },
        { "fill 0 { FILL0_START { address = 0x18000000 } FILL0_END { address = 0x18000000 }\n"
          "FILL0_VALUE = 1 FILL0_CTRL { start = 1, width = 32-bit } }\n",
          "event fill-empty: leaves its windows" },
        { "transfer { XFER_IN = 0x3000000 XFER_OUT = 0x3000000 XFER_DIM = 0x00080000 XFER_INDIM = 0x00080008 "
          "XFER_FLAGS = 0 }\n",
          "event xfer-zero-size: leaves its windows" },
        { "transfer { XFER_IN = 0x3000000 XFER_OUT = 0x3000000 XFER_DIM = 0xFFF8FFF8 XFER_INDIM = 0xFFF8FFF8 "
          "XFER_FLAGS = 0 }\n",
          "event xfer-too-large: leaves its windows" },
        { "transfer { XFER_IN = 0x3000000 XFER_OUT = 0x3000000 XFER_FLAGS { copy = 1 } COPY_SIZE = 0x02000010 }\n",
          "event copy-too-large: leaves its windows" },
    };
    char text[1024];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        (void)snprintf(text, sizeof text, "pcase 1\nwindow 0x18000000 size 0x1000\n%s", table[i].operations);
        expect_refused(text, true, table[i].reason);
    }
}

Test(gates, keep_buffers_away_from_the_end_of_vram)
{
    expect_refused("pcase 1\nwindow 0x185F8000 size 0x8000\n"
                   "run 0x185F9000 {\n COLORBUFFER_LOC { address = 0x185F8000 }\n COLORBUFFER_WRITE { enable = 0xF }\n"
                   " FRAMEBUFFER_DIM { width = 8, height_minus_1 = 7 }\n NUMVERTICES { count = 3 }\n DRAWARRAYS = 1\n"
                   " FINALIZE = 0x12345678\n}\n",
                   true, "64 KiB before the end of VRAM");
}

Test(gates, let_one_suspected_event_through_if_asked_to)
{
    const char *const text = triangle_with("    DRAWARRAYS = 1\n", "    START_DRAW_FUNC0 = 1\n    DRAWARRAYS = 1\n");
    const char *suspect = NULL;
    expect_refused(text, false, "operation 1: event draw-in-config-mode");
    char *const reasons = bench_ask(text, true, &suspect);
    cr_expect_str_eq(reasons, "");
    cr_assert_not_null(suspect);
    cr_expect_str_eq(suspect, "draw-in-config-mode");
    free(reasons);
    expect_refused(triangle_with("    DRAWARRAYS = 1\n", "    START_DRAW_FUNC0 = 1\n    DRAWARRAYS = 0\n"), true,
                   "a second event");
}

Test(gates, HNG_01_suspect_a_flush_without_a_draw)
{
    const char *const text = "pcase 1\nwindow 0x18000000 size 0x1000\n"
                             "run 0x18000000 {\n FRAMEBUFFER_FLUSH = 1\n FINALIZE = 0x12345678\n}\n";
    const char *const of_nothing = "pcase 1\nwindow 0x18000000 size 0x1000\n"
                                   "run 0x18000000 {\n DRAWARRAYS = 1\n FRAMEBUFFER_FLUSH = 1\n"
                                   " FINALIZE = 0x12345678\n}\n";
    expect_refused(text, false, "operation 1: event flush-without-draw (hangs a console, HNG-01)");
    expect_refused(of_nothing, false, "operation 1: event flush-without-draw (hangs a console, HNG-01)");
    const char *const flushed =
        triangle_with("    FINALIZE", "    FRAMEBUFFER_FLUSH = 1\n    FRAMEBUFFER_INVALIDATE = 1\n    FINALIZE");
    char *const reasons = bench_ask(flushed, false, NULL);
    cr_expect_str_eq(reasons, "");
    free(reasons);
}

/* The map sends o0.z on as position.z. */
Test(gates, HNG_02_suspect_a_mapped_output_that_is_never_written)
{
    const char *const text = triangle_with("mov o0, v0", "mov o0.xyw, v0");
    const char *suspect = NULL;
    expect_refused(text, false, "operation 1: event output-missing (hangs a console, HNG-02)");
    char *const reasons = bench_ask(text, true, &suspect);
    cr_expect_str_eq(reasons, "");
    cr_assert_not_null(suspect);
    cr_expect_str_eq(suspect, "output-missing");
    free(reasons);
}

Test(gates, HNG_03_tell_what_hangs_from_what_is_merely_undefined)
{
    expect_refused(triangle_with("stride = 8", "stride = 12"), false,
                   "event stride-mismatch (hangs a console, HNG-03)");
    expect_refused(triangle_with("mov o0, v0\n", "mov o0, v0\n        mov o0, v0\n"), false,
                   "event output-twice (hangs a console, HNG-03)");
    expect_refused(triangle_with("TEXENV5_COLOR", "TEXENV5_COMBINER = 0x000F000F\n    TEXENV5_COLOR"), false,
                   "(undefined, may hang)");
}

/* A fourth unit with its own uniforms may take vertices: nothing hangs, but what comes is open. */
Test(gates, SHD_12_say_that_a_result_is_open)
{
    static const char *const coms[] = { "VSH_COM_MODE = 0\n", "VSH_COM_MODE { separate_geometry = 1 }\n" };
    for (size_t i = 0; i < 2; i++) {
        struct harness_error error = { "" };
        struct console_export *export = NULL;
        struct console_answer answer;
        char text[128];
        (void)snprintf(text, sizeof text, "    %s    shader vertex", coms[i]);
        struct harness_case *const test_case = bench_case(triangle_with("    shader vertex", text));
        cr_assert_eq(console_export_create("bench", false, &export, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(console_export_ask(export, "case", test_case, &answer, &error), HARNESS_OK, "%s", error.message);
        cr_expect(answer.taken && answer.suspect == NULL, "%s", harness_text_string(&answer.reasons));
        if (i == 0)
            cr_expect_null(answer.open);
        else
            cr_expect_str_eq(answer.open, "fourth-unit-differs");
        harness_text_free(&answer.reasons);
        harness_case_destroy(test_case);
        console_export_destroy(export);
    }
}

Test(gates, HNG_04_refuse_a_list_that_loses_its_last_command)
{
    expect_refused("pcase 1\nwindow 0x18000000 size 0x4000\n"
                   "memory 0x18003000 list {\n TEXENV0_COLOR = 1\n FINALIZE = 0x12345678\n}\n"
                   "run 0x18001000 {\n CMDBUF_SIZE0 = 3\n CMDBUF_ADDR0 { address = 0x18003000 }\n"
                   " CMDBUF_JUMP0 = 1\n}\n",
                   true, "the size of a list is no multiple of 16 bytes (HNG-04)");
}

/* tests/console_host/hangs/HNG-05-geometry-then-none.pcase: rule and event are its name. */
static void expect_hang(const char *path)
{
    const char *const name = strrchr(path, '/') + 1, *const event = name + sizeof "HNG-05-" - 1;
    const int length = (int)strcspn(event, ".");
    struct harness_error error = { "" };
    char reason[128];
    uint8_t *text = NULL;
    const char *suspect = "";
    size_t size = 0;
    cr_assert_eq(harness_file_read(path, &text, &size, &error), HARNESS_OK, "%s", error.message);
    char *const ended = strndup((const char *)text, size);
    (void)snprintf(reason, sizeof reason, "event %.*s (hangs a console, %.6s)\n", length, event, name);
    expect_refused(ended, false, reason);
    char *const reasons = bench_ask(ended, true, &suspect);
    cr_expect_str_eq(reasons, "", "%s: %s", name, reasons);
    cr_expect(suspect != NULL && strlen(suspect) == (size_t)length && strncmp(suspect, event, (size_t)length) == 0,
              "%s: %s", name, suspect);
    free(reasons);
    free(ended);
    free(text);
}

Test(gates, HNG_05_each_hang_has_a_case_that_only_may_hang_lets_through)
{
    glob_t paths;
    cr_assert_eq(glob(PICAFUZZ_SOURCE_DIR "/tests/console_host/hangs/*.pcase", 0, NULL, &paths), 0);
    cr_expect_geq(paths.gl_pathc, 4);
    for (size_t i = 0; i < paths.gl_pathc; i++)
        expect_hang(paths.gl_pathv[i]);
    globfree(&paths);
}

Test(gates, HNG_06_all_formats_of_4_bits_count_and_unit_1_alone)
{
    static const struct {
        const char *unit0, *unit1;
        bool hangs;
    } table[] = { { "i8", "i4", true },  { "i8", "a4", true },    { "i8", "etc1", true },
                  { "i4", "i8", false }, { "etc1", "a8", false }, { "a4", "etc1a4", false } };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text,
                       "TEXUNIT_CONFIG { unit0_enable = 1, unit1_enable = 1 }\n"
                       "    TEXUNIT0_DIM { height = 8, width = 8 }\n    TEXUNIT1_DIM { height = 8, width = 8 }\n"
                       "    TEXUNIT0_ADDR1 { address = 0x18002800 }\n    TEXUNIT1_ADDR { address = 0x18002800 }\n"
                       "    TEXUNIT0_TYPE { format = %s }\n    TEXUNIT1_TYPE { format = %s }\n    START_DRAW_FUNC0",
                       table[i].unit0, table[i].unit1);
        char *const reasons = bench_ask(triangle_with("START_DRAW_FUNC0", text), false, NULL);
        cr_expect_eq(strstr(reasons, "event unit1-4-bit (hangs a console, HNG-06)") != NULL, table[i].hangs,
                     "%s, %s: %s", table[i].unit0, table[i].unit1, reasons);
        cr_expect_eq(reasons[0] != '\0', table[i].hangs, "%s, %s: %s", table[i].unit0, table[i].unit1, reasons);
        free(reasons);
    }
}

Test(gates, HNG_07_look_at_the_bytes_that_a_write_has)
{
    static const struct {
        const char *write;
        bool hangs;
    } table[] = {
        { "VSH_ENTRYPOINT = 0x7FFF0000\n", false },          { "VSH_ENTRYPOINT = 0\n", true },
        { "GSH_ENTRYPOINT = 0x80000000\n", true },           { "GSH_BOOLUNIFORM = 0x7FFE0000\n", true },
        { "VSH_BOOLUNIFORM mask 0x3 = 5\n", false },         { "VSH_BOOLUNIFORM mask 0x7 = 0x12FF0005\n", false },
        { "VSH_BOOLUNIFORM mask 0x4 = 0x7F000000\n", true }, { "VSH_BOOLUNIFORM mask 0x8 = 0x7F000000\n", false },
        { "VSH_BOOLUNIFORM mask 0x8 = 0x00FF0000\n", true },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "pcase 1\nwindow 0x18000000 size 0x1000\nrun 0x18000000 {\n %s FINALIZE = 0x12345678\n}\n",
                       table[i].write);
        char *const reasons = bench_ask(text, false, NULL);
        cr_expect_eq(strstr(reasons, "event upper-half") != NULL, table[i].hangs, "%s: %s", table[i].write, reasons);
        cr_expect_eq(reasons[0] != '\0', table[i].hangs, "%s: %s", table[i].write, reasons);
        free(reasons);
    }
    expect_refused("pcase 1\nwindow 0x18000000 size 0x1000\nwrite 0x10401AE8 = 0x80000000\n", false,
                   "operation 0: event upper-half"); /* 0x2BA */
}

/* Whatever the state says that a case begins with. */
Test(gates, HNG_07_the_prologue_writes_7FFF_into_upper_halves)
{
    static struct pica_state wanted;
    static struct console_walk walk;
    struct console_words list = { .items = NULL };
    harness_state_reset(&wanted);
    wanted.registers[PICA_REG_VSH_ENTRYPOINT] = 0x12340005;
    console_prologue(&list, NULL, &wanted);
    cr_assert_not(list.failed);
    const struct pica_window window = { 0x18000000, (uint32_t)(list.count * 4) };
    const uint8_t *const bytes = (const uint8_t *)list.items;
    walk = (struct console_walk){ .windows = &window, .bytes = &bytes, .window_count = 1 };
    console_walk_list(&walk, window.address, window.size);
    cr_expect(walk.finalizes);
    cr_expect_not(walk.upper_half);
    console_words_free(&list);
}

Test(gates, refuse_draws_that_nothing_can_flush)
{
    expect_refused("pcase 1\nwindow 0x18000000 size 0x4000\n"
                   "memory 0x18003000 list {\n NUMVERTICES { count = 1 }\n DRAWARRAYS = 1\n FINALIZE = 0x12345678\n"
                   " FINALIZE = 0x12345678\n}\n"
                   "run 0x18001000 {\n START_DRAW_FUNC0 { mode = draw }\n CMDBUF_SIZE0 { size = 32 }\n"
                   " CMDBUF_ADDR0 { address = 0x18003000 }\n CMDBUF_JUMP0 = 1\n}\n",
                   false, "draws are not flushed, and its list must run where it is");
}

Test(gates, refuse_lists_that_end_in_a_way_a_console_may_not)
{
    expect_refused("pcase 1\nwindow 0x18000000 size 0x1000\nrun 0x18000000 {\n TEXENV0_COLOR = 1\n}\n", true,
                   "no command of its own for FINALIZE");
    expect_refused("pcase 1\nwindow 0x18000000 size 0x1000\nrun 0x18000000 {\n FINALIZE mask 0x1 = 0x78\n}\n", true,
                   "FINALIZE keeps bytes of what was there");
}

Test(gates, name_state_that_no_register_can_set)
{
    /* half a uniform: nothing takes it out of the queue again */
    expect_refused("pcase 1\nwindow 0x18000000 size 0x1000\n"
                   "run 0x18000000 {\n VSH_FLOATUNIFORM_INDEX = 0\n VSH_FLOATUNIFORM_DATA0 = 1\n"
                   " FINALIZE = 0x12345678\n}\n",
                   false, "leaves 1 words in the queue of uniforms of the vertex shader");
    struct harness_case *const test_case = bench_case(bench_fill);
    struct harness_state *const state = harness_case_state(test_case);
    cr_assert_not_null(state);
    state->values.units[1].queue_length = 2;
    state->given |= UINT64_C(1) << PICA_STATE_GEOMETRY_QUEUE_LENGTH;
    struct harness_text text = { 0 };
    struct harness_error error = { "" };
    cr_assert_eq(harness_pcase_write(test_case, &text, &error), HARNESS_OK, "%s", error.message);
    expect_refused(harness_text_string(&text), true, "begins with 2 words in the queue of uniforms of the geometry");
    harness_text_free(&text);
    harness_case_destroy(test_case);
}

/* ------------------------------------------------------------------------------------------------- any bytes at all */

/* The gates run before anything is known of a case: no bytes may harm them, and what they let through has no event. */
Test(gates, survive_any_case, .timeout = 120)
{
    struct harness_error error = { "" };
    struct console_gates *gates = NULL;
    struct console_plan plan = { .step_count = 0 };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    uint32_t taken = 0, refused = 0;
    cr_assert_eq(console_gates_create(false, &gates, &error), HARNESS_OK, "%s", error.message);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const struct harness_generate_options options = { .mode = HARNESS_GENERATE_ANYTHING,
                                                          .exportable = seed % 4 == 0 };
        harness_generate(test_case, seed, &options);
        cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(console_gates_ask(gates, program, &plan, &error), HARNESS_OK, "seed %u: %s", (unsigned)seed,
                     error.message);
        taken += plan.reasons.size == 0;
        refused += plan.reasons.size != 0;
        cr_assert(plan.reasons.size != 0 || plan.suspect == NULL);
    }
    cr_expect(taken >= 20 && refused >= 20, "%u taken, %u refused", (unsigned)taken, (unsigned)refused);
    console_plan_free(&plan);
    console_gates_destroy(gates);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

/* What is made for a console is let through by them: all of 400. */
Test(gates, let_every_case_through_that_is_generated_to_be_exportable, .timeout = 120)
{
    static const struct harness_generate_options options = { .exportable = true };
    struct harness_error error = { "" };
    struct console_gates *gates = NULL;
    struct console_plan plan = { .step_count = 0 };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    cr_assert_eq(console_gates_create(false, &gates, &error), HARNESS_OK, "%s", error.message);
    for (uint64_t seed = 1; seed <= 400; seed++) {
        harness_generate(test_case, seed, &options);
        cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(console_gates_ask(gates, program, &plan, &error), HARNESS_OK, "%s", error.message);
        cr_expect_eq(plan.reasons.size, 0, "seed %u: %s", (unsigned)seed, harness_text_string(&plan.reasons));
        cr_expect_null(plan.open, "seed %u: %s", (unsigned)seed, plan.open);
    }
    console_plan_free(&plan);
    console_gates_destroy(gates);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}
