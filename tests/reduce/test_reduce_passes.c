/* What single passes of the reducer do to a list. No backend runs: whether a change is kept is up to the engine. */
#include "harness/case/formats.h"
#include "harness/reduce/reduce_pass.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A case of one list, and what stands before it. */
static struct harness_case *parse(const char *memory, const char *list)
{
    char text[8192];
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    (void)snprintf(text, sizeof text, "pcase 1\nwindow 0x18000000 size 0x2000\n%s\nrun 0x18001000 {\n%s\n}\n", memory,
                   list);
    cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), "test", &error), HARNESS_OK, "%s\n%s", error.message,
                 text);
    return test_case;
}

struct change {
    const struct reduce_pass *pass;
    uint32_t variant;
    uint32_t first, count;
    const char *memory; /* or NULL */
    const char *before;
    const char *after;
};

static void expect(const struct change *change)
{
    const char *const memory = change->memory != NULL ? change->memory : "";
    struct harness_case *const before = parse(memory, change->before);
    struct harness_case *const after = parse(memory, change->after);
    struct harness_text text = { 0 };
    cr_assert_lt(change->variant, change->pass->variants);
    cr_expect_leq(change->first + change->count, harness_reduce_count(change->pass, before), "%s counts %u",
                  change->pass->name, harness_reduce_count(change->pass, before));
    cr_expect(harness_reduce_apply(change->pass, before, (struct reduce_range){ change->first, change->count },
                                   change->variant),
              "%s changes nothing", change->pass->name);
    (void)harness_pcase_write(before, &text, NULL);
    cr_expect(harness_case_equal(before, after, false), "%s:\n%s", change->pass->name, harness_text_string(&text));
    harness_text_free(&text);
    harness_case_destroy(before);
    harness_case_destroy(after);
}

/* A pass that has done its work finds nothing more, or reduction would not end. */
static void expect_done(const struct reduce_pass *pass, uint32_t variant, const char *list)
{
    struct harness_case *const test_case = parse("", list);
    const uint32_t count = harness_reduce_count(pass, test_case);
    if (count != 0)
        cr_expect_not(harness_reduce_apply(pass, test_case, (struct reduce_range){ 0, count }, variant), "%s goes on",
                      pass->name);
    harness_case_destroy(test_case);
}

/* --------------------------------------------------------------------------------------------------------- streams */

Test(reduce_passes, what_goes_to_one_port_in_several_commands_goes_in_one)
{
    const char *const before =
        "VSH_CODETRANSFER_DATA2 = 1\nVIEWPORT_WIDTH = 7\nVSH_CODETRANSFER_DATA6 repeat {\n 2 3\n}\n"
        "GSH_CODETRANSFER_DATA0 = 4\nVSH_CODETRANSFER_DATA0 = 5";
    expect(&(struct change){ .pass = &harness_reduce_streams,
                             .variant = 0,
                             .first = 0,
                             .count = 2,
                             .before = before,
                             .after = "VSH_CODETRANSFER_DATA2 repeat {\n 1 2 3 5\n}\nVIEWPORT_WIDTH = 7\n"
                                      "GSH_CODETRANSFER_DATA0 = 4" });
    expect(&(struct change){ .pass = &harness_reduce_streams,
                             .variant = 1,
                             .first = 0,
                             .count = 1,
                             .before = before,
                             .after = "VIEWPORT_WIDTH = 7\nVSH_CODETRANSFER_DATA6 repeat {\n 1 2 3\n}\n"
                                      "GSH_CODETRANSFER_DATA0 = 4\nVSH_CODETRANSFER_DATA0 = 5" });
    expect_done(&harness_reduce_streams, 0,
                "VSH_CODETRANSFER_DATA2 = 1\nGSH_CODETRANSFER_DATA2 = 1\nVIEWPORT_WIDTH = 7");
}

/* --------------------------------------------------------------------------------------------------------- uploads */

Test(reduce_passes, descriptors_that_go_renumber_those_behind_them)
{
    expect(&(struct change){ .pass = &harness_reduce_descriptors,
                             .first = 1,
                             .count = 2,
                             .before = "VSH_CODETRANSFER_DATA0 repeat {\n 0x4C000003\n 0x4C200000\n}\n"
                                       "VSH_OPDESCS_DATA0 repeat {\n 1 2 3 4\n}",
                             .after = "VSH_CODETRANSFER_DATA0 repeat {\n 0x4C000001\n 0x4C200000\n}\n"
                                      "VSH_OPDESCS_DATA0 repeat {\n 1 4\n}" });
}

Test(reduce_passes, the_geometry_unit_may_follow_descriptors_of_the_vertex_unit)
{
    expect(&(struct change){ .pass = &harness_reduce_descriptors,
                             .variant = 1,
                             .first = 0,
                             .count = 1,
                             .before = "GSH_CODETRANSFER_DATA0 = 0x4C000001\n"
                                       "VSH_OPDESCS_DATA0 repeat {\n 1 2\n}",
                             .after = "GSH_CODETRANSFER_DATA0 = 0x4C000000\n"
                                      "VSH_OPDESCS_DATA0 repeat {\n 2\n}" });
}

Test(reduce_passes, uniforms_that_go_renumber_what_reads_those_behind_them)
{
    expect(&(struct change){ .pass = &harness_reduce_uniforms,
                             .first = 0,
                             .count = 2,
                             .before = "VSH_FLOATUNIFORM_DATA0 repeat f24 {\n 0 0 0 0\n 0 0 0 0\n 1 2 3 4\n}\n"
                                       "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov o0, c2 @0\n}",
                             .after = "VSH_FLOATUNIFORM_DATA0 repeat f24 {\n 1 2 3 4\n}\n"
                                      "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov o0, c0 @0\n}" });
}

Test(reduce_passes, code_moves_to_address_0_with_its_entry_point_and_jumps)
{
    const char *const after = "VSH_CODETRANSFER_INDEX = 0\n"
                              "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n jmpc cmp.x, L1\nL1:\n end\n}\n"
                              "VSH_ENTRYPOINT { entry = 1 }";
    expect(&(struct change){ .pass = &harness_reduce_places,
                             .first = 0,
                             .count = 1,
                             .before = "VSH_CODETRANSFER_INDEX = 64\n"
                                       "VSH_CODETRANSFER_DATA0 repeat code at 64 {\n jmpc cmp.x, L65\nL65:\n end\n}\n"
                                       "VSH_ENTRYPOINT { entry = 65 }",
                             .after = after });
    expect_done(&harness_reduce_places, 0, after);
}

Test(reduce_passes, uniforms_move_to_c0)
{
    expect(&(struct change){ .pass = &harness_reduce_places,
                             .first = 1,
                             .count = 1,
                             .before = "VSH_FLOATUNIFORM_INDEX { index = 44 }\n"
                                       "VSH_FLOATUNIFORM_DATA0 repeat f24 {\n 1 2 3 4\n}\n"
                                       "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov o0, c44 @0\n}",
                             .after = "VSH_FLOATUNIFORM_INDEX { index = 0 }\n"
                                      "VSH_FLOATUNIFORM_DATA0 repeat f24 {\n 1 2 3 4\n}\n"
                                      "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov o0, c0 @0\n}" });
}

Test(reduce_passes, uniforms_come_in_three_words)
{
    const char *const after = "VSH_FLOATUNIFORM_INDEX { index = 3 }\n"
                              "VSH_FLOATUNIFORM_DATA0 repeat f24 {\n 1 -2 3.5 0\n}";
    expect(&(struct change){ .pass = &harness_reduce_uniform_formats,
                             .first = 0,
                             .count = 2,
                             .before = "VSH_FLOATUNIFORM_INDEX { index = 3, format = float32 }\n"
                                       "VSH_FLOATUNIFORM_DATA0 repeat f32 {\n 1 -2 3.5 0\n}",
                             .after = after });
    expect_done(&harness_reduce_uniform_formats, 0, after);
}

Test(reduce_passes, components_of_vectors_become_plain_one_by_one)
{
    const char *const before = "FIXEDATTRIB_INDEX { index = 3 }\n"
                               "FIXEDATTRIB_DATA0 repeat f24 {\n 0.3 -7.25 1.96875 -0.5\n}";
    static const char *const rows[] = { "0.3 0 0 -0.5", "0.3 -1 1 -0.5", "0.3 -0.5 0.5 -0.5", "0.3 -6 1.5 -0.5" };
    for (uint32_t variant = 0; variant < 4; variant++) {
        char after[128];
        (void)snprintf(after, sizeof after, "FIXEDATTRIB_INDEX { index = 3 }\nFIXEDATTRIB_DATA0 repeat f24 {\n %s\n}",
                       rows[variant]);
        expect(&(struct change){ .pass = &harness_reduce_numbers,
                                 .variant = variant,
                                 .first = 1,
                                 .count = 2,
                                 .before = before,
                                 .after = after });
    }
    expect_done(&harness_reduce_numbers, 3, "FIXEDATTRIB_DATA0 repeat f24 {\n 0 1 -1 1.5\n}");
}

/* -------------------------------------------------------------------------------------------------------- vertices */

static const char arrays[] = "memory 0x18000010 table f32*2 u8*4 {\n 0.5 -1 0 51 255 1\n 2 3 255 0 0 0\n}";
static const char setup[] = "ATTRIBBUFFERS_LOC { base = 0x18000000 }\n"
                            "ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 1, "
                            "attribute1_type = unsigned-byte, attribute1_elements_minus_1 = 3 }\n"
                            "ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 1 }\n"
                            "ATTRIBBUFFER0_OFFSET { offset = 16 }\n"
                            "ATTRIBBUFFER0_CONFIG1 { component0 = attribute0, component1 = attribute1 }\n"
                            "ATTRIBBUFFER0_CONFIG2 { stride = 12, count = 2 }\n"
                            "VSH_NUM_ATTR { attributes_minus_1 = 1 }\n"
                            "NUMVERTICES = 2\n";

static const char *with_setup(char *out, size_t size, const char *rest)
{
    (void)snprintf(out, size, "%s%s", setup, rest);
    return out;
}

Test(reduce_passes, a_draw_from_arrays_sends_what_it_fetched)
{
    char before[1024], after[1024];
    expect(&(struct change){ .pass = &harness_reduce_send,
                             .first = 0,
                             .count = 1,
                             .memory = arrays,
                             .before = with_setup(before, sizeof before, "DRAWARRAYS = 1\nFINALIZE = 1"),
                             .after = with_setup(after, sizeof after,
                                                 "FIXEDATTRIB_INDEX { index = 15 }\n"
                                                 "FIXEDATTRIB_DATA0 repeat f24 {\n 0.5 -1 0 1\n 0 51 255 1\n"
                                                 " 2 3 0 1\n 255 0 0 0\n}\nFINALIZE = 1") });
}

Test(reduce_passes, integers_may_be_sent_as_fractions)
{
    char before[1024], after[1024];
    expect(&(struct change){ .pass = &harness_reduce_send,
                             .variant = 1,
                             .first = 0,
                             .count = 1,
                             .memory = arrays,
                             .before = with_setup(before, sizeof before, "NUMVERTICES = 1\nDRAWARRAYS = 1"),
                             .after = with_setup(after, sizeof after,
                                                 "NUMVERTICES = 1\nFIXEDATTRIB_INDEX { index = 15 }\n"
                                                 "FIXEDATTRIB_DATA0 repeat f24 {\n 0.5 -1 0 1\n"
                                                 " 0 0.2 1 0.00392157\n}") });
}

Test(reduce_passes, indices_choose_the_vertices_that_are_sent)
{
    char before[1024], after[1024], memory[512];
    (void)snprintf(memory, sizeof memory, "%s\nmemory 0x18000100 table u16 {\n 1\n}", arrays);
    expect(&(struct change){
        .pass = &harness_reduce_send,
        .first = 0,
        .count = 1,
        .memory = memory,
        .before = with_setup(before, sizeof before,
                             "NUMVERTICES = 1\nINDEXBUFFER_CONFIG { offset = 256, type = unsigned-short }\n"
                             "DRAWELEMENTS = 1"),
        .after = with_setup(after, sizeof after,
                            "NUMVERTICES = 1\nINDEXBUFFER_CONFIG { offset = 256, type = unsigned-short }\n"
                            "FIXEDATTRIB_INDEX { index = 15 }\n"
                            "FIXEDATTRIB_DATA0 repeat f24 {\n 2 3 0 1\n 255 0 0 0\n}") });
}

/* Memory contents are read once, however many draws fetch from them. */
Test(reduce_passes, many_draws_from_much_memory_cost_little)
{
    enum {
        DRAWS = 300
    };
    char text[16384];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", setup);
    for (uint32_t i = 0; i < DRAWS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "DRAWARRAYS = 1\n");
    struct harness_case *const test_case = harness_case_create();
    struct harness_error error = { "" };
    char *const whole = malloc(length + 256);
    const int size = snprintf(whole, length + 256,
                              "pcase 1\nwindow 0x18000000 size 0x100000\nmemory 0x18000000 noise 7 size 0x80000\n"
                              "run 0x180F0000 {\n%s\n}\n",
                              text);
    cr_assert_eq(harness_pcase_read(test_case, whole, (size_t)size, "test", &error), HARNESS_OK, "%s", error.message);
    const size_t before = test_case->arena.used;
    cr_assert_eq(harness_reduce_count(&harness_reduce_send, test_case), DRAWS);
    cr_assert(harness_reduce_apply(&harness_reduce_send, test_case, (struct reduce_range){ 0, DRAWS }, 0));
    cr_expect_lt(test_case->arena.used - before, 0x200000, "%zu bytes", test_case->arena.used - before);
    cr_expect_eq(harness_reduce_count(&harness_reduce_vertices, test_case), 2 * DRAWS);
    free(whole);
    harness_case_destroy(test_case);
}

/* A later load counts for the draws after it, not for those before it. */
Test(reduce_passes, each_draw_sends_what_lay_in_memory_at_its_time)
{
    static const char head[] = "pcase 1\nwindow 0x18000000 size 0x2000\nmemory 0x18000000 table u8*4 {\n 1 2 3 4\n}\n";
    static const char middle[] = "load 0x18000000 table u8*4 {\n 5 6 7 8\n}\n";
    static const char state[] = "ATTRIBBUFFERS_LOC { base = 0x18000000 }\nATTRIBBUFFERS_FORMAT_LOW { "
                                "attribute0_type = unsigned-byte, attribute0_elements_minus_1 = 3 }\n"
                                "ATTRIBBUFFER0_CONFIG2 { stride = 4, count = 1 }\nNUMVERTICES = 1\n";
    char before[2048], after[2048];
    struct harness_error error = { "" };
    struct harness_case *const sent = harness_case_create();
    struct harness_case *const wanted = harness_case_create();
    int size = snprintf(before, sizeof before, "%srun 0x18001000 {\n%sDRAWARRAYS = 1\n}\n%srun 0x18001800 {\n%s\n}\n",
                        head, state, middle, "DRAWARRAYS = 1");
    cr_assert_eq(harness_pcase_read(sent, before, (size_t)size, "test", &error), HARNESS_OK, "%s", error.message);
    size =
        snprintf(after, sizeof after,
                 "%srun 0x18001000 {\n%sFIXEDATTRIB_INDEX { index = 15 }\nFIXEDATTRIB_DATA0 repeat f24 {\n 1 2 3 4\n}"
                 "\n}\n%srun 0x18001800 {\nFIXEDATTRIB_INDEX { index = 15 }\nFIXEDATTRIB_DATA0 repeat f24 {\n"
                 " 5 6 7 8\n}\n}\n",
                 head, state, middle);
    cr_assert_eq(harness_pcase_read(wanted, after, (size_t)size, "test", &error), HARNESS_OK, "%s", error.message);
    cr_assert(harness_reduce_apply(&harness_reduce_send, sent, (struct reduce_range){ 0, 2 }, 0));
    cr_expect(harness_case_equal(sent, wanted, false));
    harness_case_destroy(sent);
    harness_case_destroy(wanted);
}

/* What is set between the first word of immediate vertices and the last (here the logic operation) is state of that
 * draw: the plain one comes in the place of the words, too, not only in that of what begins them. */
Test(reduce_passes, a_plain_draw_may_stand_where_the_vertices_end)
{
    char list[2048] = "FIXEDATTRIB_INDEX { index = 15 }\nLOGIC_OP { operation = xor }\n"
                      "FIXEDATTRIB_DATA0 repeat f24 {\n 0 0 0 1\n}\nFIXEDATTRIB_DATA1 repeat f24 {\n 1 0 0 1\n}\n";
    for (uint32_t id = 0x100; id < 0x110; id++) /* a case with few writes has no use for a plain draw */
        (void)snprintf(list + strlen(list), sizeof list - strlen(list), "0x%X = 1\n", (unsigned)id);
    struct harness_case *const test_case = parse("", list);
    struct harness_list *const commands = &test_case->operations[0].data.list;
    cr_assert_eq(harness_reduce_count(&harness_reduce_draws, test_case), 2);
    const uint32_t before = commands->count;
    cr_assert(harness_reduce_apply(&harness_reduce_draws, test_case, (struct reduce_range){ 1, 1 }, 0));
    cr_expect_gt(commands->count, before);
    cr_expect_eq(commands->commands[0].id, PICA_REG_FIXEDATTRIB_INDEX);
    cr_expect_eq(commands->commands[2].id, PICA_REG_FIXEDATTRIB_DATA0);
    cr_expect_eq(commands->commands[3].id, PICA_REG_START_DRAW_FUNC0, "the plain draw, for DATA1");
    cr_expect_eq(harness_reduce_count(&harness_reduce_draws, test_case), 2,
                 "the old index and DATA0; the plain draw is none to replace");
    harness_case_destroy(test_case);
}

Test(reduce_passes, an_immediate_vertex_goes_whole)
{
    expect(&(struct change){ .pass = &harness_reduce_vertices,
                             .first = 1,
                             .count = 1,
                             .before = "VSH_NUM_ATTR { attributes_minus_1 = 1 }\nFIXEDATTRIB_INDEX { index = 15 }\n"
                                       "FIXEDATTRIB_DATA0 repeat f24 {\n 1 0 0 0\n 2 0 0 0\n 3 0 0 0\n}\n"
                                       "FIXEDATTRIB_DATA0 repeat f24 {\n 4 0 0 0\n 5 0 0 0\n 6 0 0 0\n}",
                             .after = "VSH_NUM_ATTR { attributes_minus_1 = 1 }\nFIXEDATTRIB_INDEX { index = 15 }\n"
                                      "FIXEDATTRIB_DATA0 repeat f24 {\n 1 0 0 0\n 2 0 0 0\n}\n"
                                      "FIXEDATTRIB_DATA0 repeat f24 {\n 5 0 0 0\n 6 0 0 0\n}" });
}

Test(reduce_passes, an_attribute_goes_from_vertices_in_the_list)
{
    expect(&(struct change){
        .pass = &harness_reduce_attributes,
        .first = 0,
        .count = 1,
        .before = "VSH_NUM_ATTR { attributes_minus_1 = 2 }\nVSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 2 }\n"
                  "VSH_ATTRIBUTES_PERMUTATION_LOW { input0 = 4, input1 = 5, input2 = 6 }\n"
                  "FIXEDATTRIB_INDEX { index = 15 }\n"
                  "FIXEDATTRIB_DATA0 repeat f24 {\n 1 0 0 0\n 2 0 0 0\n 3 0 0 0\n}",
        .after = "VSH_NUM_ATTR { attributes_minus_1 = 1 }\nVSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 1 }\n"
                 "VSH_ATTRIBUTES_PERMUTATION_LOW { input0 = 5, input1 = 6 }\n"
                 "FIXEDATTRIB_INDEX { index = 15 }\n"
                 "FIXEDATTRIB_DATA0 repeat f24 {\n 2 0 0 0\n 3 0 0 0\n}" });
}

static const char packed_arrays[] =
    "ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute1_type = short, attribute1_elements_minus_1 = 2, "
    "attribute2_type = byte }\n"
    "ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 2, fixed_mask = 0xC }\n"
    "ATTRIBBUFFER1_CONFIG1 { component0 = attribute0, component1 = attribute1, component2 = attribute2 }\n"
    "ATTRIBBUFFER1_CONFIG2 { stride = 12, count = 3 }\n"
    "VSH_NUM_ATTR { attributes_minus_1 = 2 }";

Test(reduce_passes, an_attribute_goes_from_arrays_and_they_close_up)
{
    expect(&(struct change){ .pass = &harness_reduce_attributes,
                             .first = 1,
                             .count = 1,
                             .before = packed_arrays,
                             .after = "ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute1_type = byte }\n"
                                      "ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 1, fixed_mask = 0x6 }\n"
                                      "ATTRIBBUFFER1_CONFIG1 { component0 = attribute0, component1 = attribute1 }\n"
                                      "ATTRIBBUFFER1_CONFIG2 { stride = 8, count = 2 }\n"
                                      "VSH_NUM_ATTR { attributes_minus_1 = 1 }" });
}

Test(reduce_passes, an_attribute_goes_from_arrays_and_leaves_padding)
{
    expect(&(struct change){
        .pass = &harness_reduce_attributes,
        .variant = 1,
        .first = 1,
        .count = 1,
        .before = packed_arrays,
        .after = "ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute1_type = byte }\n"
                 "ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 1, fixed_mask = 0x6 }\n"
                 "ATTRIBBUFFER1_CONFIG1 { component0 = attribute0, component1 = padding8, component2 = attribute1 }\n"
                 "ATTRIBBUFFER1_CONFIG2 { stride = 16, count = 3 }\n"
                 "VSH_NUM_ATTR { attributes_minus_1 = 1 }" });
}

Test(reduce_passes, the_ninth_input_becomes_the_eighth)
{
    expect(&(struct change){ .pass = &harness_reduce_attributes,
                             .first = 3,
                             .count = 1,
                             .before = "VSH_NUM_ATTR { attributes_minus_1 = 8 }\n"
                                       "VSH_ATTRIBUTES_PERMUTATION_HIGH { input8 = 8 }",
                             .after = "VSH_NUM_ATTR { attributes_minus_1 = 7 }\n"
                                      "VSH_ATTRIBUTES_PERMUTATION_LOW { input7 = 8 }" });
}

Test(reduce_passes, each_draw_counts_its_own_attributes)
{
    expect(&(struct change){ .pass = &harness_reduce_attributes,
                             .first = 2,
                             .count = 1,
                             .before = "VSH_NUM_ATTR { attributes_minus_1 = 2 }\n"
                                       "ATTRIBBUFFER0_CONFIG1 { component0 = attribute2, component1 = attribute3 }\n"
                                       "ATTRIBBUFFER0_CONFIG2 { stride = 2, count = 2 }\nDRAWARRAYS = 1\n"
                                       "VSH_NUM_ATTR { attributes_minus_1 = 1 }\n"
                                       "ATTRIBBUFFER0_CONFIG1 { component0 = attribute1 }\n"
                                       "ATTRIBBUFFER0_CONFIG2 { stride = 1, count = 1 }\nDRAWARRAYS = 1",
                             .after = "VSH_NUM_ATTR { attributes_minus_1 = 1 }\n"
                                      "ATTRIBBUFFER0_CONFIG1 { component0 = attribute2 }\n"
                                      "ATTRIBBUFFER0_CONFIG2 { stride = 1, count = 1 }\nDRAWARRAYS = 1\n"
                                      "VSH_NUM_ATTR { attributes_minus_1 = 1 }\n"
                                      "ATTRIBBUFFER0_CONFIG1 { component0 = attribute1 }\n"
                                      "ATTRIBBUFFER0_CONFIG2 { stride = 1, count = 1 }\nDRAWARRAYS = 1" });
}

Test(reduce_passes, attributes_come_in_input_registers_of_their_number)
{
    const char *const after = "VSH_ATTRIBUTES_PERMUTATION_LOW = 0x33333330\n"
                              "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov o0, v0 @0\n mov o1, v8 @0\n}";
    expect(&(struct change){ .pass = &harness_reduce_inputs,
                             .first = 0,
                             .count = 1,
                             .before = "VSH_ATTRIBUTES_PERMUTATION_LOW = 0x33333338\n"
                                       "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov o0, v8 @0\n mov o1, v0 @0\n}",
                             .after = after });
    expect_done(&harness_reduce_inputs, 0, after);
}

Test(reduce_passes, an_indexed_draw_does_without_indices)
{
    expect(&(struct change){ .pass = &harness_reduce_indices,
                             .first = 0,
                             .count = 1,
                             .before = "DRAWELEMENTS = 1\nDRAWELEMENTS = 1",
                             .after = "DRAWARRAYS = 1\nDRAWELEMENTS = 1" });
}

/* --------------------------------------------------------------------------------------------------------- shaders */

Test(reduce_passes, an_instruction_becomes_a_move_of_an_operand)
{
    const char *const after = "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov r4, c7 @0\n}";
    expect(&(struct change){ .pass = &harness_reduce_moves,
                             .variant = 1,
                             .first = 0,
                             .count = 1,
                             .before = "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mad r4, v1, c7, r2 @0\n}",
                             .after = after });
    for (uint32_t variant = 0; variant < 3; variant++)
        expect_done(&harness_reduce_moves, variant, after);
}

Test(reduce_passes, a_temporary_gives_way_to_what_was_moved_to_it)
{
    expect(&(struct change){
        .pass = &harness_reduce_copies,
        .first = 0,
        .count = 1,
        .before = "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov r4, v3 @0\n add o0, r4, r4 @0\n mov o1, r5 @0\n}",
        .after = "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n nop\n add o0, v3, v3 @0\n mov o1, r5 @0\n}" });
}

Test(reduce_passes, a_uniform_that_does_not_fit_an_operand_stays_behind_its_temporary)
{
    expect(&(struct change){
        .pass = &harness_reduce_copies,
        .variant = 1,
        .first = 0,
        .count = 1,
        .before = "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov r4, c3 @0\n add o0, r4, r4 @0\n}",
        .after = "VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov r4, c3 @0\n add o0, c3, r4 @0\n}" });
}

/* MUL o2, v1, v2; MOV o2, r1; MOV o3, r1, with a descriptor of x and one of all components (SHD-20). */
Test(reduce_passes, an_output_is_written_once_from_an_input)
{
    static const char *const descriptors = "VSH_OPDESCS_DATA0 repeat descriptors {\n x___, xyzw, xyzw, xyzw\n"
                                           " xyzw, xyzw, xyzw, xyzw\n}\n";
    char before[512], after[512];
    (void)snprintf(before, sizeof before, "%s%s", descriptors,
                   "VSH_CODETRANSFER_DATA0 repeat {\n 0x20401100 0x4C411000 0x4C611000\n}");
    (void)snprintf(after, sizeof after, "%s%s", descriptors,
                   "VSH_CODETRANSFER_DATA0 repeat {\n 0x84000000 0x4C400001 0x4C611000\n}");
    expect(
        &(struct change){ .pass = &harness_reduce_outputs, .first = 2, .count = 1, .before = before, .after = after });
}

/* ADD o2, c4, v0 becomes MOV o2, c4. */
Test(reduce_passes, an_output_gets_a_descriptor_for_all_components_if_there_is_none)
{
    expect(&(struct change){ .pass = &harness_reduce_outputs,
                             .variant = 16,
                             .first = 2,
                             .count = 1,
                             .before = "VSH_OPDESCS_DATA0 = 0\nVSH_CODETRANSFER_DATA0 = 0x00424000",
                             .after = "VSH_OPDESCS_DATA0 repeat {\n 0 0x36F\n}\nVSH_CODETRANSFER_DATA0 = 0x4C424001" });
}

/* ---------------------------------------------------------------------------------------------------------- stages */

Test(reduce_passes, an_output_that_nobody_needs_goes_from_map_and_mask)
{
    expect(&(struct change){ .pass = &harness_reduce_output_map,
                             .first = 1,
                             .count = 1,
                             .before = "VSH_OUTMAP_MASK { outputs = 0x4220 }\n"
                                       "SH_OUTMAP_TOTAL consecutive {\n SH_OUTMAP_TOTAL { total = 3 }\n"
                                       " SH_OUTMAP_O0 = 0x03020100\n SH_OUTMAP_O1 = 0x0B0A0908\n}\n"
                                       "SH_OUTMAP_O2 = 0x0F0E0D0C",
                             .after = "VSH_OUTMAP_MASK { outputs = 0x4020 }\n"
                                      "SH_OUTMAP_TOTAL consecutive {\n SH_OUTMAP_TOTAL { total = 2 }\n"
                                      " SH_OUTMAP_O0 = 0x03020100\n}\n"
                                      "SH_OUTMAP_O1 = 0x0F0E0D0C" });
}

Test(reduce_passes, a_combiner_stage_moves_to_the_end_of_the_chain)
{
    expect(&(struct change){ .pass = &harness_reduce_stages,
                             .variant = 2,
                             .first = 0,
                             .count = 1,
                             .before = "TEXENV2_SOURCE = 3\nTEXENV3_SOURCE = 15\n"
                                       "TEXENV_UPDATE_BUFFER { stage0_rgb_update = 1 }",
                             .after = "TEXENV5_SOURCE = 3\nTEXENV_UPDATE_BUFFER { stage3_rgb_update = 1 }" });
}

Test(reduce_passes, a_combiner_stage_passes_one_source_on)
{
    expect(&(struct change){ .pass = &harness_reduce_modes,
                             .variant = 1,
                             .first = 4,
                             .count = 1,
                             .before = "TEXENV4_SOURCE = 0x00510043\nTEXENV4_COMBINER { rgb_mode = add }\n"
                                       "TEXENV5_COMBINER { rgb_mode = add }",
                             .after = "TEXENV4_SOURCE = 0x00550044\nTEXENV5_COMBINER { rgb_mode = add }" });
}

Test(reduce_passes, a_texture_unit_gives_its_work_to_unit_0)
{
    expect(&(struct change){
        .pass = &harness_reduce_texture_units,
        .variant = 0,
        .first = 0,
        .count = 1,
        .before = "TEXUNIT_CONFIG { unit1_enable = 1 }\nTEXUNIT1_DIM = 0x80008\nTEXUNIT1_ADDR = 1\nTEXUNIT1_TYPE = 5\n"
                  "TEXUNIT0_DIM = 0x10001\nTEXENV5_SOURCE { rgb_source0 = texture1 }\n"
                  "SH_OUTMAP_O1 { x = texcoord1.u, y = texcoord1.v }",
        .after = "TEXUNIT_CONFIG { unit0_enable = 1 }\nTEXUNIT0_DIM = 0x80008\nTEXUNIT0_ADDR1 = 1\nTEXUNIT0_TYPE = 5\n"
                 "TEXENV5_SOURCE { rgb_source0 = texture0 }\nSH_OUTMAP_O1 { x = texcoord0.u, y = texcoord0.v }" });
}

Test(reduce_passes, blending_becomes_one_write_that_copies)
{
    expect(&(struct change){ .pass = &harness_reduce_blending,
                             .first = 0,
                             .count = 1,
                             .before = "LOGIC_OP = 5\nCOLOR_OPERATION { blend_mode = blend }\nBLEND_FUNC = 0x01010000",
                             .after = "COLOR_OPERATION = 0\nLOGIC_OP { operation = copy }" });
}

Test(reduce_passes, words_for_one_port_are_one_write)
{
    expect(&(struct change){ .pass = &harness_reduce_forms,
                             .variant = 3,
                             .first = 0,
                             .count = 1,
                             .before = "VSH_OPDESCS_DATA0 consecutive {\n VSH_OPDESCS_DATA0 = 1\n"
                                       " VSH_OPDESCS_DATA1 = 2\n}",
                             .after = "VSH_OPDESCS_DATA0 repeat {\n 1 2\n}" });
}

static struct harness_case *parse_whole(const char *text)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), "test", &error), HARNESS_OK, "%s", error.message);
    return test_case;
}

/* One word after the place where the GPU begins to read: each parameter becomes a header, and the other way round. */
Test(reduce_passes, SUB_02_a_list_that_lies_askew_becomes_what_the_gpu_reads)
{
    struct harness_case *const before = parse_whole("pcase 1\nwindow 0x18000000 size 0x2000\n"
                                                    "memory 0x18001000 fill 0x12345678 size 0x4\n"
                                                    "run 0x18001004 {\ntail { 0x000F022E 7 0x000F0228 9 }\n}\n");
    struct harness_case *const after = parse_whole("pcase 1\nwindow 0x18000000 size 0x2000\n"
                                                   "memory 0x18001000 fill 0x12345678 size 0x4\n"
                                                   "run 0x18001000 {\nDRAWARRAYS = 0x12345678\nNUMVERTICES = 7\n}\n");
    const struct reduce_range operation = { 1, 1 }; /* after the contents */
    struct harness_text text = { 0 };
    cr_expect(harness_reduce_apply(&harness_reduce_types, before, operation, 3));
    (void)harness_pcase_write(before, &text, NULL);
    cr_expect(harness_case_equal(before, after, false), "%s", harness_text_string(&text));
    cr_expect_not(harness_reduce_apply(&harness_reduce_types, before, operation, 3), "an aligned one stays");
    harness_text_free(&text);
    harness_case_destroy(before);
    harness_case_destroy(after);
}
