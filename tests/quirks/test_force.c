/* What *force* rewrites and *without* finds, in cases as they are written and as they are generated. */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/quirks/force.h"
#include "harness/quirks/without.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct harness_case *from_text(const char *text)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), "case", &error), HARNESS_OK, "%s", error.message);
    return test_case;
}

static void force(struct harness_force *out, const char *statement)
{
    struct harness_error error = { "" };
    memset(out, 0, sizeof *out);
    cr_assert_eq(harness_force_add(out, statement, &error), HARNESS_OK, "%s", error.message);
}

static void expect_rewritten(const char *from, const char *statement, int64_t words, const char *to)
{
    struct harness_force statements;
    force(&statements, statement);
    struct harness_case *const test_case = from_text(from);
    struct harness_case *const wanted = from_text(to);
    cr_expect_eq(harness_force_apply(&statements, test_case), words, "%s", statement);
    struct harness_text text = { 0 };
    (void)harness_pcase_write(test_case, &text, NULL);
    cr_expect(harness_case_equal(test_case, wanted, false), "%s:\n%s", statement, harness_text_string(&text));
    cr_expect(harness_force_holds(&statements, test_case));
    harness_text_free(&text);
    harness_case_destroy(test_case);
    harness_case_destroy(wanted);
}

#define HEAD "pcase 1\nwindow 0x18000000 size 0x4000\n"

Test(force, writes_of_lists_are_rewritten_as_far_as_their_mask_reaches)
{
    expect_rewritten(HEAD "run 0x18000000 { BLEND_COLOR = 0x11223344 BLEND_COLOR mask 0x5 = 0x55667788\n"
                          "  FOG_COLOR = 5 }\n",
                     "BLEND_COLOR & 0xFFFF00 = 0xABCD00", 3,
                     HEAD "state registers { BLEND_COLOR = 0x00ABCD00 }\n"
                          "run 0x18000000 { BLEND_COLOR = 0x11ABCD44 BLEND_COLOR mask 0x5 = 0x55AB7788\n"
                          "  FOG_COLOR = 5 }\n");
}

Test(force, consecutive_writes_are_followed_to_their_registers)
{
    expect_rewritten(HEAD "run 0x18000000 { COLOR_OPERATION consecutive { COLOR_OPERATION = 1, 2, 3, 4 } }\n",
                     "LOGIC_OP = 0", 1,
                     HEAD "run 0x18000000 { COLOR_OPERATION consecutive { COLOR_OPERATION = 1, 2, 0, 4 } }\n");
}

Test(force, a_layout_stands_for_all_of_its_registers)
{
    expect_rewritten(HEAD "run 0x18000000 { TEXUNIT0_PARAM = 0xFFFFFFFF TEXUNIT1_PARAM = 0xFFFFFFFF }\n",
                     "texunit_param.mag_filter = nearest", 2,
                     HEAD "run 0x18000000 { TEXUNIT0_PARAM = 0xFFFFFFFD TEXUNIT1_PARAM = 0xFFFFFFFD }\n");
}

Test(force, a_class_stands_for_all_of_its_registers_and_reset_for_their_values)
{
    expect_rewritten(HEAD "run 0x18000000 { UNUSED_045 = 1 UNUSED_148 = 2 LOGIC_OP = 3 IRQ_COMPARE0 = 4 }\n",
                     "unused = reset", 2,
                     HEAD "run 0x18000000 { UNUSED_045 = 0 UNUSED_148 = 0 LOGIC_OP = 3 IRQ_COMPARE0 = 4 }\n");
    expect_rewritten(HEAD "run 0x18000000 { UNUSED_045 = 1 LOGIC_OP = 3 IRQ_COMPARE0 = 4 }\n", "CPU-only = Reset", 1,
                     HEAD "run 0x18000000 { UNUSED_045 = 1 LOGIC_OP = 3 IRQ_COMPARE0 = 0x12345678 }\n");
    expect_rewritten(HEAD "run 0x18000000 { IRQ_COMPARE0 = 4 }\n", "IRQ_COMPARE0 = reset", 1,
                     HEAD "run 0x18000000 { IRQ_COMPARE0 = 0x12345678 }\n");
}

Test(force, lists_in_chunks_and_loads_are_lists_too)
{
    expect_rewritten(HEAD "memory 0x18000000 list { LOGIC_OP = 3 }\nload 0x18000100 list { LOGIC_OP = 4 }\n",
                     "LOGIC_OP = 0", 2,
                     HEAD "memory 0x18000000 list { LOGIC_OP = 0 }\nload 0x18000100 list { LOGIC_OP = 0 }\n");
}

Test(force, bytes_that_are_submitted_or_jumped_to_are_lists_too)
{
    /* LOGIC_OP is 0x102; the jump goes to 0x18000020, 0x10 bytes */
    expect_rewritten(HEAD "memory 0x18000000 bytes { 0300000002010f00 0400000002010f00 }\n"
                          "memory 0x18000020 bytes { 0500000002010f00 0600000002010f00 }\n"
                          "submit 0x18000000 size 0x10\n"
                          "run 0x18000100 { CMDBUF_SIZE0 { size = 0x10 } CMDBUF_ADDR0 { address = 0x18000020 }\n"
                          "  CMDBUF_JUMP0 = 1 }\n",
                     "LOGIC_OP = 0", 4,
                     HEAD "memory 0x18000000 bytes { 0000000002010f00 0000000002010f00 }\n"
                          "memory 0x18000020 bytes { 0000000002010f00 0000000002010f00 }\n"
                          "submit 0x18000000 size 0x10\n"
                          "run 0x18000100 { CMDBUF_SIZE0 { size = 0x10 } CMDBUF_ADDR0 { address = 0x18000020 }\n"
                          "  CMDBUF_JUMP0 = 1 }\n");
}

Test(force, writes_by_the_cpu_and_words_of_engines_are_rewritten)
{
    expect_rewritten(HEAD "write LOGIC_OP = 3\nwrite XFER_FLAGS = 0xFFFFFFFF\ntransfer { XFER_FLAGS = 0xFFFFFFFF }\n",
                     "XFER_FLAGS.flip = 0", 2,
                     HEAD "write LOGIC_OP = 3\nwrite XFER_FLAGS = 0xFFFFFFFE\ntransfer { XFER_FLAGS = 0xFFFFFFFE }\n");
}

Test(force, the_initial_state_and_what_a_reset_leaves_are_rewritten)
{
    expect_rewritten(HEAD "state registers { LOGIC_OP = 7 }\n", "LOGIC_OP = 3", 1,
                     HEAD "state registers { LOGIC_OP = 3 }\n");
    expect_rewritten(HEAD, "LOGIC_OP = 3", 1, HEAD "state registers { LOGIC_OP = 3 }\n");
    expect_rewritten(HEAD, "LOGIC_OP = 0", 0, HEAD);
}

Test(force, values_of_a_field_are_avoided_and_others_stay)
{
    struct harness_error error = { "" };
    const struct pica_field_info *field = NULL;
    uint32_t slot = 0;
    cr_assert_eq(harness_force_field("blend_func.rgb_equation", &field, &slot, &error), HARNESS_OK);
    struct harness_case *const test_case =
        from_text(HEAD "run 0x18000000 { BLEND_FUNC { rgb_equation = min, alpha_equation = max }\n"
                       "  BLEND_FUNC { rgb_equation = subtract } BLEND_FUNC mask 0x8 = 0xFF000000 }\n");
    struct harness_case *const wanted =
        from_text(HEAD "run 0x18000000 { BLEND_FUNC { rgb_equation = add, alpha_equation = max }\n"
                       "  BLEND_FUNC { rgb_equation = subtract } BLEND_FUNC mask 0x8 = 0xFF000000 }\n");
    const uint64_t values[2] = { UINT64_C(1) << PICA_BLEND_EQUATION_MIN, 0 };
    cr_expect_eq(harness_force_values(test_case, field, values, PICA_BLEND_EQUATION_ADD), 1);
    cr_expect(harness_case_equal(test_case, wanted, false));
    harness_case_destroy(test_case);
    harness_case_destroy(wanted);
}

/* ----------------------------------------------------------------------------------------------- without, by draws */

static const char *without(const char *word, const char *text)
{
    static struct harness_without features;
    struct harness_error error = { "" };
    bool failed = false;
    memset(&features, 0, sizeof features);
    cr_assert_eq(harness_without_add(&features, word, &error), HARNESS_OK, "%s: %s", word, error.message);
    struct harness_case *const test_case = from_text(text);
    const char *const found = harness_without_has(&features, test_case, &failed);
    cr_expect_not(failed);
    harness_case_destroy(test_case);
    return found;
}

Test(without, a_feature_counts_where_a_draw_uses_it)
{
    static const char shadow[] = "COLOR_OPERATION { fragment_mode = shadow }";
    char text[512];
    (void)snprintf(text, sizeof text, HEAD "run 0x18000000 { %s DRAWARRAYS = 1 }\n", shadow);
    cr_expect_str_eq(without("shadow", text), "shadow");
    cr_expect_null(without("gas", text));
    cr_expect_str_eq(without("arrays", text), "arrays");
    cr_expect_null(without("indexed", text));
    (void)snprintf(text, sizeof text, HEAD "run 0x18000000 { DRAWARRAYS = 1 %s }\n", shadow);
    cr_expect_null(without("shadow", text), "no draw comes after it");
}

/* SUB-03: it is loaded before the registers are set with which it draws; and it may run twice. */
Test(without, a_list_that_a_jump_leads_to_draws_with_the_registers_of_the_jump)
{
    static const char form[] =
        HEAD "load 0x18000100 list { DRAWARRAYS = 1 }\n"
             "run 0x18000000 { CMDBUF_SIZE1 { size = 0x10 } CMDBUF_ADDR1 { address = 0x18000100 }\n"
             "  CMDBUF_JUMP1 = 1 }\n"
             "run 0x18000040 { %s CMDBUF_JUMP1 = 1 }\n";
    char text[512];
    (void)snprintf(text, sizeof text, form, "COLOR_OPERATION { fragment_mode = shadow }");
    cr_expect_str_eq(without("shadow", text), "shadow");
    (void)snprintf(text, sizeof text, form, "");
    cr_expect_null(without("shadow", text));
}

Test(without, a_texture_format_counts_for_units_that_are_on)
{
    cr_expect_null(without("etc1", HEAD "run 0x18000000 { TEXUNIT1_TYPE { format = etc1 } DRAWARRAYS = 1 }\n"));
    cr_expect_not_null(without("etc1", HEAD "run 0x18000000 { TEXUNIT1_TYPE { format = etc1 }\n"
                                            "  TEXUNIT_CONFIG { unit1_enable = 1 } DRAWELEMENTS = 1 }\n"));
}

Test(without, operations_profiles_and_instructions_count)
{
    cr_expect_not_null(without("f24", "pcase 1\nprofile f24\nwindow 0x18000000 size 0x1000\n"));
    cr_expect_null(without("f24", HEAD));
    cr_expect_not_null(without("display transfer", HEAD "transfer { XFER_FLAGS { flip = 1 } }\n"));
    cr_expect_null(without("display transfer", HEAD "transfer { XFER_FLAGS { copy = 1 } }\n"));
    cr_expect_not_null(without("texture copy", HEAD "transfer { XFER_FLAGS { copy = 1 } }\n"));
    cr_expect_not_null(without("xfer_flags.flip", HEAD "transfer { XFER_FLAGS { flip = 1 } }\n"));
    cr_expect_not_null(without("memory fill", HEAD "fill 0 { FILL0_START = 1 }\n"));
    cr_expect_not_null(without("shader.ex2", HEAD "run 0x18000000 { shader vertex { ex2 o0, v0\n end\n } }\n"));
    cr_expect_null(without("shader.ex2", HEAD "run 0x18000000 { shader vertex { mov o0, v0\n end\n } }\n"));
}

/* -------------------------------------------------------------------------------------------------- generated cases */

struct watch {
    const struct pica_field_info *field;
    uint32_t draws, others; /* of them with another value */
};

static void watch_draw(void *user, const struct pica_draw *draw)
{
    struct watch *const watch = user;
    bool other = false;
    for (uint32_t unit = 0; unit < 3; unit++)
        other = other ||
                pica_field_get(watch->field, draw->registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_PARAM)]) != 0;
    watch->draws++;
    watch->others += other;
}

/* What a machine sees at its draws, not what this code believes of lists: `reference` tells. */
static void run_seed(struct harness_runner *runner, uint64_t seed, const struct harness_force *statements,
                     struct watch *watch)
{
    const struct harness_generate_options options = { .mode = HARNESS_GENERATE_MIXED };
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    harness_generate(test_case, seed, &options);
    if (statements != NULL)
        cr_assert_geq(harness_force_apply(statements, test_case), 0);
    cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
    cr_assert_eq(harness_runner_backend(runner)->observe_draws(harness_runner_instance(runner), watch_draw, watch),
                 PICA_OK);
    cr_assert_eq(harness_runner_run(runner, program->operations, program->count), PICA_OK);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

Test(force, no_draw_of_a_generated_case_has_another_value)
{
    enum {
        SEEDS = 300
    };
    struct harness_force statements;
    struct harness_runner *runner = NULL;
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &runner), PICA_OK);
    force(&statements, "texunit_param.mag_filter = nearest");
    struct watch before = { pica_field_by_name(PICA_LAYOUT_TEXUNIT_PARAM, "mag_filter"), 0, 0 }, after = before;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run_seed(runner, seed, NULL, &before);
        run_seed(runner, seed, &statements, &after);
    }
    harness_runner_destroy(runner);
    cr_expect(before.others > SEEDS / 10, "%u of %u draws filter: the test shows nothing", before.others, before.draws);
    cr_expect(after.draws > SEEDS / 2, "%u draws are left", after.draws);
    cr_expect_eq(after.others, 0, "%u of %u draws", after.others, after.draws);
}

static void watch_blending(void *user, const struct pica_draw *draw)
{
    const uint32_t word = draw->registers[PICA_REG_COLOR_OPERATION];
    *(uint32_t *)user += pica_color_operation_blend_mode(word) == PICA_BLEND_MODE_BLEND;
}

/* The same of features: what counts as a case without it has no draw with it. */
Test(without, no_draw_of_a_generated_case_has_a_feature_that_was_not_seen)
{
    enum {
        SEEDS = 600
    };
    struct harness_without features;
    struct harness_runner *runner = NULL;
    struct harness_error error = { "" };
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    uint32_t free_of_it = 0, missed = 0;
    memset(&features, 0, sizeof features);
    cr_assert_eq(harness_without_add(&features, "color_operation.blend_mode=blend", &error), HARNESS_OK);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &runner), PICA_OK);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        bool failed = false;
        uint32_t draws = 0;
        harness_generate(test_case, seed, NULL);
        if (harness_without_has(&features, test_case, &failed) != NULL)
            continue;
        free_of_it++;
        cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
        cr_assert_eq(harness_linked_backend(HARNESS_REFERENCE)
                         ->observe_draws(harness_runner_instance(runner), watch_blending, &draws),
                     PICA_OK);
        cr_assert_eq(harness_runner_run(runner, program->operations, program->count), PICA_OK);
        missed += draws != 0;
    }
    harness_runner_destroy(runner);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    cr_expect_gt(free_of_it, SEEDS / 20, "%u", free_of_it);
    cr_expect_eq(missed, 0, "%u of %u", missed, free_of_it);
}
