/* Semantic coverage: the tables that make its universe, and hand-made cases whose coverage is known. */
#include "harness/case/formats.h"
#include "harness/coverage/coverage.h"
#include "harness/coverage/universe.h"
#include "harness/coverage/universe_parts.h"
#include "pica/memory.h"
#include "pica/regs.h"
#include "reference/reference.h"
#include "tests/coverage/item_by_name.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A triangle that covers most of a 16 x 16 target; %s stands for further registers. */
static const char triangle[] =
    "pcase 1\n"
    "window 0x18000000 size 0x10000\n"
    "memory 0x18008000 table f32*3 u8*4 {\n"
    "    -1.0 -1.0 -0.5  200 100 50 255\n"
    "    1.0 -1.0 -0.5  200 100 50 255\n"
    "    0.0 1.0 -0.5  200 100 50 255\n"
    "}\n"
    "run 0x18004000 {\n"
    "    VIEWPORT_WIDTH { half_size = 8.0 }\n"
    "    VIEWPORT_HEIGHT { half_size = 8.0 }\n"
    "    DEPTHMAP_SCALE { scale = -1.0 }\n"
    "    DEPTHMAP_ENABLE { z_buffer = 1 }\n"
    "    SH_OUTMAP_TOTAL { total = 2 }\n"
    "    SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"
    "    SH_OUTMAP_O1 { x = color.r, y = color.g, z = color.b, w = color.a }\n"
    "    COLOR_OPERATION { blend_mode = blend }\n"
    "    BLEND_FUNC { rgb_source = one, alpha_source = one }\n"
    "    DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"
    "    COLORBUFFER_READ { enable = 0xF }\n"
    "    COLORBUFFER_WRITE { enable = 0xF }\n"
    "    COLORBUFFER_FORMAT { pixel_size = 32-bit }\n"
    "    COLORBUFFER_LOC { address = 0x18000000 }\n"
    "    FRAMEBUFFER_DIM { width = 16, height_minus_1 = 15 }\n"
    "    LIGHTING_ENABLE1 { disable = 1 }\n"
    "    ATTRIBBUFFERS_LOC { base = 0x18008000 }\n"
    "    ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 2,"
    " attribute1_type = unsigned-byte, attribute1_elements_minus_1 = 3 }\n"
    "    ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 1 }\n"
    "    ATTRIBBUFFER0_CONFIG1 { component1 = attribute1 }\n"
    "    ATTRIBBUFFER0_CONFIG2 { stride = 16, count = 2 }\n"
    "    NUMVERTICES { count = 3 }\n"
    "    VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 1 }\n"
    "    VSH_ATTRIBUTES_PERMUTATION_LOW { input1 = 1 }\n"
    "    VSH_NUM_ATTR { attributes_minus_1 = 1 }\n"
    "    VSH_OUTMAP_MASK { outputs = 0x3 }\n"
    "    START_DRAW_FUNC0 { mode = configure }\n"
    "    shader vertex {\n"
    "        mov o0, v0\n"
    "        mul o1, c0, v1\n"
    "        end\n"
    "    }\n"
    "    VSH_FLOATUNIFORM_INDEX { format = float32 }\n"
    "    VSH_FLOATUNIFORM_DATA0 repeat f32 { 0.0039 0.0039 0.0039 0.0039 }\n"
    "    START_DRAW_FUNC0 { mode = draw }\n"
    "    %s\n"
    "    DRAWARRAYS = 1\n"
    "    FINALIZE = 0x12345678\n"
    "}\n";

struct fixture {
    struct harness_universe *universe;
    uint8_t *marks;
};

static void setup(struct fixture *fixture)
{
    fixture->universe = harness_universe_create();
    cr_assert(fixture->universe != NULL);
    fixture->marks = calloc(harness_universe_items(fixture->universe), 1);
    cr_assert(fixture->marks != NULL);
}

static void teardown(struct fixture *fixture)
{
    free(fixture->marks);
    harness_universe_destroy(fixture->universe);
}

static void run_text(struct fixture *fixture, const char *text)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    void *instance = NULL;
    cr_assert(harness_pcase_read(test_case, text, strlen(text), "test", &error) == HARNESS_OK, "%s", error.message);
    cr_assert(harness_case_setup(test_case, program, &error) == HARNESS_OK, "%s", error.message);
    cr_assert(ref_backend()->create(NULL, &instance) == PICA_OK);
    struct harness_collector *const collector =
        harness_collector_create(fixture->universe, ref_backend(), instance, fixture->marks);
    cr_assert(collector != NULL);
    cr_assert(harness_collector_run(collector, &program->setup, program->operations, program->count) == PICA_OK);
    harness_collector_destroy(collector);
    ref_backend()->destroy(instance);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

static void run_triangle(struct fixture *fixture, const char *registers)
{
    static char text[2 * sizeof triangle];
    snprintf(text, sizeof text, triangle, registers);
    run_text(fixture, text);
}

struct expectation {
    enum harness_area area;
    const char *name;
    int marks;
};

static void expect_all(const struct fixture *fixture, const struct expectation *expected, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t item = item_by_name(fixture->universe, expected[i].area, expected[i].name);
        cr_assert(item != SIZE_MAX, "no item is called %s", expected[i].name);
        cr_expect(fixture->marks[item] == expected[i].marks, "%s: expected %d, found %d", expected[i].name,
                  expected[i].marks, fixture->marks[item]);
    }
}

enum {
    NO = 0,
    SEEN = HARNESS_MARK_SEEN,
    EFFECT = HARNESS_MARK_SEEN | HARNESS_MARK_EFFECT
};

/* ----------------------------------------------------------------------------------------------------- the tables */

static bool is_register(const char *pattern)
{
    uint32_t number = 0;
    struct harness_universe *const universe = harness_universe_create();
    bool found = false;
    for (uint32_t r = 0; r < universe->register_count; r++)
        found = found || universe_match(pattern, universe->registers[r].name, &number);
    harness_universe_destroy(universe);
    return found;
}

static bool is_field(const struct harness_universe *universe, const char *registers, const char *fields)
{
    for (uint32_t s = 0; s < universe->slot_count; s++) {
        uint32_t number = 0;
        if (universe_match(registers, universe->registers[universe->slots[s].register_index].name, &number) &&
            universe_match(fields, universe->slots[s].field->name, &number))
            return true;
    }
    return false;
}

Test(coverage, every_line_of_stages_def_speaks_of_something)
{
    struct fixture fixture;
    size_t count;
    setup(&fixture);
    const struct pica_stage_member *const members = pica_stage_members(&count);
    for (size_t i = 0; i < count; i++)
        cr_expect(is_register(members[i].registers), "no register fits %s", members[i].registers);
    const struct pica_used_if *const ifs = pica_used_if_lines(&count);
    for (size_t i = 0; i < count; i++) {
        cr_expect(is_field(fixture.universe, ifs[i].registers, ifs[i].fields), "%s %s", ifs[i].registers,
                  ifs[i].fields);
        cr_expect(is_field(fixture.universe, ifs[i].gate_register, ifs[i].gate_field), "%s %s", ifs[i].gate_register,
                  ifs[i].gate_field);
    }
    const struct pica_used_when *const whens = pica_used_when_lines(&count);
    for (size_t i = 0; i < count; i++)
        cr_expect(is_field(fixture.universe, whens[i].registers, whens[i].fields), "%s %s", whens[i].registers,
                  whens[i].fields);
    const struct pica_unobservable *const hidden = pica_unobservables(&count);
    for (size_t i = 0; i < count; i++)
        cr_expect(is_field(fixture.universe, hidden[i].registers, hidden[i].fields), "%s %s", hidden[i].registers,
                  hidden[i].fields);
    const struct pica_removal *const removals = pica_removals(&count);
    for (size_t i = 0; i < count; i++)
        cr_expect(is_field(fixture.universe, removals[i].register_name, removals[i].field));
    teardown(&fixture);
}

Test(coverage, every_register_that_is_not_inert_is_an_item)
{
    struct fixture fixture;
    size_t count;
    uint32_t number = 0;
    setup(&fixture);
    const struct pica_inert *const lines = pica_inerts(&count);
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++) {
        bool inert = false;
        for (size_t i = 0; i < count; i++)
            inert = inert || (lines[i].kind == PICA_INERT_REGISTER &&
                              universe_match(lines[i].name, pica_reg_info(id)->name, &number));
        const size_t item = item_by_name(fixture.universe, HARNESS_AREA_REGISTERS, pica_reg_info(id)->name);
        cr_expect((item == SIZE_MAX) == inert, "%s", pica_reg_info(id)->name);
    }
    teardown(&fixture);
}

Test(coverage, each_item_has_a_name_of_its_own)
{
    struct fixture fixture;
    setup(&fixture);
    for (int a = 0; a < HARNESS_AREA_TOTAL; a++) {
        size_t first, count;
        harness_universe_area(fixture.universe, (enum harness_area)a, &first, &count);
        cr_expect(count > 0, "%s", harness_area_name((enum harness_area)a));
        const size_t step =
            count < 3000 / TEST_PART ? 1 : count / (199 / TEST_PART); /* looking up by name walks the area */
        for (size_t i = first; i < first + count; i += step) {
            char name[256];
            harness_item_name(fixture.universe, i, name, sizeof name);
            cr_expect_eq(item_by_name(fixture.universe, (enum harness_area)a, name), i, "%s", name);
        }
    }
    teardown(&fixture);
}

Test(coverage, patterns_know_stars_and_numbers)
{
    uint32_t number = 99;
    cr_expect(universe_match("TEXENV#_*", "TEXENV3_SOURCE", &number));
    cr_expect_eq(number, 3u);
    cr_expect(universe_match("PDC*_COLOR_TABLE*", "PDC1_COLOR_TABLE0", &number));
    cr_expect(universe_match("IRQ_ACK#", "IRQ_ACK15", &number));
    cr_expect_eq(number, 15u);
    cr_expect_not(universe_match("TEXENV#_*", "TEXENV_BUFFER_COLOR", &number));
    cr_expect_not(universe_match("LIGHT#_*", "LIGHTING_AMBIENT", &number));
    cr_expect_not(universe_match("A*C", "ABCD", &number));
}

/* TEV-17: only interpolate, multiply-add and add-multiply read the third source. */
Test(coverage, pairs_that_cannot_matter_together_are_no_items)
{
    struct fixture fixture;
    setup(&fixture);
    static const struct {
        const char *name;
        bool is_item;
    } pairs[] = {
        { "TEXENV0_SOURCE.rgb_source2=constant x TEXENV0_COMBINER.rgb_mode=interpolate", true },
        { "TEXENV0_SOURCE.rgb_source2=constant x TEXENV0_COMBINER.rgb_mode=add", false },
        { "TEXENV0_COMBINER.rgb_mode=dot3-rgba x TEXENV0_COMBINER.alpha_mode=add", false },
        { "BLEND_FUNC.rgb_equation=add x BLEND_FUNC.rgb_dest=one", true },
        { "COLOR_OPERATION.blend_mode=blend x LOGIC_OP.operation=xor", false },
        { "BLEND_FUNC.rgb_equation=add x LOGIC_OP.operation=xor", false },
        { "FRAGOP_ALPHA_TEST.function=never x STENCIL_OP.pass=zero", false },
        { "STENCIL_TEST.enable=0 x STENCIL_OP.pass=zero", false },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        cr_expect((item_by_name(fixture.universe, HARNESS_AREA_PAIRS, pairs[i].name) != SIZE_MAX) == pairs[i].is_item,
                  "%s", pairs[i].name);
    teardown(&fixture);
}

/* ------------------------------------------------------------------------------------------------ hand-made cases */

/* The same draw again, once with another blend colour, once after its vertices were loaded anew. */
Test(coverage, what_outlives_a_draw_is_counted)
{
    static char text[2 * sizeof triangle];
    struct fixture fixture;
    setup(&fixture);
    const int length = snprintf(text, sizeof text, triangle, "DRAWARRAYS = 1\n    BLEND_COLOR { red = 7 }");
    snprintf(text + length, sizeof text - (size_t)length,
             "load 0x18008010 bytes { 00 00 80 3F }\nrun 0x18005000 {\n    DRAWARRAYS = 1\n}\n");
    run_text(&fixture, text);
    static const struct expectation expected[] = {
        { HARNESS_AREA_DELTAS, "BLEND_COLOR", EFFECT },
        { HARNESS_AREA_DELTAS, "BLEND_FUNC", NO },
        { HARNESS_AREA_REREADS, "vertex array after load inside, read before", EFFECT },
        { HARNESS_AREA_REREADS, "vertex array after load of its last part, read before", NO },
        { HARNESS_AREA_REREADS, "list after load", EFFECT },
        { HARNESS_AREA_REREADS, "colour buffer after draw, read before", EFFECT },
        { HARNESS_AREA_REREADS, "depth buffer after draw, read before", NO },
    };
    expect_all(&fixture, expected, sizeof expected / sizeof expected[0]);
    teardown(&fixture);
}

Test(coverage, a_triangle_gives_effect_to_what_it_used)
{
    struct fixture fixture;
    static const struct expectation expected[] = {
        { HARNESS_AREA_REGISTERS, "DRAWARRAYS", EFFECT },
        { HARNESS_AREA_REGISTERS, "DRAWELEMENTS", NO },
        { HARNESS_AREA_REGISTERS, "BLEND_FUNC", EFFECT },
        { HARNESS_AREA_REGISTERS, "LOGIC_OP", NO },
        { HARNESS_AREA_REGISTERS, "VSH_CODETRANSFER_DATA0", EFFECT },
        { HARNESS_AREA_REGISTERS, "FINALIZE", EFFECT },
        { HARNESS_AREA_REGISTERS, "CMDBUF_JUMP0", EFFECT },
        { HARNESS_AREA_REGISTERS, "CMDBUF_JUMP1", NO },
        { HARNESS_AREA_VALUES, "COLOR_OPERATION.blend_mode=blend", EFFECT },
        { HARNESS_AREA_VALUES, "COLOR_OPERATION.blend_mode=logic-op", NO },
        { HARNESS_AREA_VALUES, "LOGIC_OP.operation=clear", SEEN },
        { HARNESS_AREA_VALUES, "TEXENV5_COMBINER.rgb_mode=replace", EFFECT },
        { HARNESS_AREA_VALUES, "TEXENV0_SOURCE.rgb_source1=primary-color", SEEN },
        { HARNESS_AREA_VALUES, "TEXUNIT0_TYPE.format=rgba8", SEEN },
        { HARNESS_AREA_VALUES, "ATTRIBBUFFERS_FORMAT_LOW.attribute0_type=float", EFFECT },
        { HARNESS_AREA_VALUES, "ATTRIBBUFFERS_FORMAT_LOW.attribute2_type=byte", SEEN },
        { HARNESS_AREA_VALUES, "ATTRIBBUFFER0_CONFIG1.component1=attribute1", EFFECT },
        { HARNESS_AREA_VALUES, "ATTRIBBUFFER0_CONFIG1.component2=attribute0", SEEN },
        { HARNESS_AREA_FIELDS, "NUMVERTICES.count other", EFFECT },
        { HARNESS_AREA_FIELDS, "STENCIL_TEST.enable zero", SEEN },
        { HARNESS_AREA_PAIRS, "BLEND_FUNC.rgb_source=one x BLEND_FUNC.rgb_dest=zero", EFFECT },
        { HARNESS_AREA_PAIRS, "BLEND_FUNC.rgb_source=zero x BLEND_FUNC.rgb_dest=zero", NO },
        { HARNESS_AREA_OPCODES, "13 mov", EFFECT },
        { HARNESS_AREA_OPCODES, "08 mul", EFFECT },
        { HARNESS_AREA_OPCODES, "00 add", NO },
        { HARNESS_AREA_OPERANDS, "mul source1 c", EFFECT },
        { HARNESS_AREA_OPERANDS, "mul source1 v", NO },
        { HARNESS_AREA_OPERANDS, "mov mask xyzw", EFFECT },
        { HARNESS_AREA_OUTCOMES, "triangle assembled: list", EFFECT },
        { HARNESS_AREA_OUTCOMES, "colour written: rgba8", EFFECT },
        { HARNESS_AREA_OUTCOMES, "list stopped by its interrupt", EFFECT },
        { HARNESS_AREA_OUTCOMES, "fog applied", NO },
        { HARNESS_AREA_EVENTS, "trigger-zero", NO },
    };
    setup(&fixture);
    run_triangle(&fixture, "");
    expect_all(&fixture, expected, sizeof expected / sizeof expected[0]);
    teardown(&fixture);
}

Test(coverage, a_draw_that_changes_nothing_gives_no_effect_but_to_the_test_that_stopped_it)
{
    struct fixture fixture;
    static const struct expectation expected[] = {
        { HARNESS_AREA_REGISTERS, "BLEND_FUNC", SEEN },
        { HARNESS_AREA_VALUES, "COLOR_OPERATION.blend_mode=blend", SEEN },
        { HARNESS_AREA_OPCODES, "13 mov", SEEN },
        { HARNESS_AREA_VALUES, "FRAGOP_ALPHA_TEST.function=never", EFFECT },
        { HARNESS_AREA_OUTCOMES, "alpha test failed: never", EFFECT },
    };
    setup(&fixture);
    run_triangle(&fixture, "FRAGOP_ALPHA_TEST { enable = 1, function = never }");
    expect_all(&fixture, expected, sizeof expected / sizeof expected[0]);
    teardown(&fixture);
}

Test(coverage, PSC_03_a_fill_gives_effect_to_its_unit_alone_and_only_if_it_wrote)
{
    struct fixture fixture;
    static const struct expectation expected[] = {
        { HARNESS_AREA_REGISTERS, "FILL1_START", EFFECT },
        { HARNESS_AREA_REGISTERS, "FILL0_START", SEEN },
        { HARNESS_AREA_VALUES, "FILL1_CTRL.width=32-bit", EFFECT },
        { HARNESS_AREA_VALUES, "FILL0_CTRL.width=24-bit", SEEN },
        { HARNESS_AREA_OUTCOMES, "fill wrote memory, unit 1", EFFECT },
        { HARNESS_AREA_OUTCOMES, "fill wrote memory, unit 0", NO },
        { HARNESS_AREA_REGISTERS, "XFER_IN", NO },
        { HARNESS_AREA_EVENTS, "fill-empty", EFFECT },
    };
    setup(&fixture);
    run_text(&fixture,
             "pcase 1\nwindow 0x18000000 size 0x1000\n"
             "fill 1 { FILL1_START { address = 0x18000000 } FILL1_END { address = 0x18000100 } FILL1_VALUE = 5 "
             "FILL1_CTRL { start = 1, width = 32-bit } }\n"
             "fill 0 { FILL0_START { address = 0x18000000 } FILL0_END { address = 0x18000000 } "
             "FILL0_CTRL { start = 1, width = 24-bit } }\n");
    expect_all(&fixture, expected, sizeof expected / sizeof expected[0]);
    teardown(&fixture);
}

/* -------------------------------------------------------------------------------------------------------- features */

/* State and first window of the triangle, with or without an observer. */
static void run_for_results(uint8_t *counters, struct pica_state *state, uint8_t *memory, size_t size)
{
    static char text[2 * sizeof triangle];
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    void *instance = NULL;
    snprintf(text, sizeof text, triangle, "STENCIL_TEST { enable = 1, function = less }");
    cr_assert(harness_pcase_read(test_case, text, strlen(text), "test", &error) == HARNESS_OK, "%s", error.message);
    cr_assert(harness_case_setup(test_case, program, &error) == HARNESS_OK);
    cr_assert(ref_backend()->create(NULL, &instance) == PICA_OK);
    cr_assert(ref_backend()->observe_features(instance, counters, counters != NULL ? PICA_FEATURE_TOTAL : 0) ==
              PICA_OK);
    cr_assert(ref_backend()->load(instance, &program->setup) == PICA_OK);
    for (uint32_t i = 0; i < program->count; i++)
        cr_assert(ref_backend()->run(instance, &program->operations[i]) == PICA_OK);
    cr_assert(ref_backend()->read_state(instance, state) == PICA_OK);
    cr_assert(ref_backend()->read_memory(instance, 0x18000000u, memory, size) == PICA_OK);
    ref_backend()->destroy(instance);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

Test(coverage, counting_changes_no_result)
{
    static uint8_t counters[PICA_FEATURE_TOTAL];
    static struct pica_state states[2];
    static uint8_t memories[2][0x1000];
    run_for_results(NULL, &states[0], memories[0], sizeof memories[0]);
    run_for_results(counters, &states[1], memories[1], sizeof memories[1]);
    cr_expect(counters[PICA_FEATURE_FRAGMENT_MADE] != 0);
    cr_expect(memcmp(&states[0], &states[1], sizeof states[0]) == 0);
    cr_expect(memcmp(memories[0], memories[1], sizeof memories[0]) == 0);
}

Test(coverage, the_observer_wants_room_for_all_counters)
{
    static uint8_t counters[PICA_FEATURE_TOTAL];
    void *instance = NULL;
    cr_assert(ref_backend()->create(NULL, &instance) == PICA_OK);
    cr_expect_eq(ref_backend()->observe_features(instance, counters, PICA_FEATURE_TOTAL - 1), PICA_BAD_ARGUMENT);
    cr_expect_eq(ref_backend()->observe_features(instance, counters, PICA_FEATURE_TOTAL), PICA_OK);
    cr_expect_eq(ref_backend()->observe_features(instance, NULL, 0), PICA_OK);
    ref_backend()->destroy(instance);
}

Test(coverage, counters_saturate)
{
    static uint8_t counters[PICA_FEATURE_TOTAL];
    static const struct pica_window window = { 0x18000000u, 0x1000u };
    const struct pica_setup setup_of_case = { .windows = &window,
                                              .window_count = 1,
                                              .limits = { 0x1000, 0x1000, 0x1000, 0x1000, 0x1000 } };
    const struct pica_operation write = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                          .address = PICA_INTERNAL_ADDRESS + 4u * PICA_REG_BLEND_FUNC };
    void *instance = NULL;
    cr_assert(ref_backend()->create(NULL, &instance) == PICA_OK);
    cr_assert(ref_backend()->observe_features(instance, counters, sizeof counters) == PICA_OK);
    cr_assert(ref_backend()->load(instance, &setup_of_case) == PICA_OK);
    for (int i = 0; i < 300; i++)
        cr_assert(ref_backend()->run(instance, &write) == PICA_OK);
    cr_expect_eq(counters[PICA_FEATURE_OF(REGISTER_WRITTEN, REG_BLEND_FUNC)], 255);
    cr_expect_eq(counters[PICA_FEATURE_OF(REGISTER_WRITTEN, REG_LOGIC_OP)], 0);
    ref_backend()->destroy(instance);
}

/* ------------------------------------------------------------------------------------------------------ many cases */

static uint64_t digest(const uint8_t *marks, size_t count)
{
    uint64_t sum = 0xCBF29CE484222325u;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ marks[i]) * 0x100000001B3u;
    return sum;
}

Test(coverage, the_number_of_processes_does_not_matter)
{
    uint64_t digests[2];
    static const unsigned jobs[2] = { 1, 3 };
    for (int i = 0; i < 2; i++) {
        struct fixture fixture;
        struct harness_error error = { "" };
        struct harness_coverage_result result;
        const struct harness_coverage_input input = { .first_seed = 7, .generated = 40, .jobs = jobs[i] };
        setup(&fixture);
        cr_assert(harness_coverage_measure(fixture.universe, &input, fixture.marks, &result, &error) == HARNESS_OK,
                  "%s", error.message);
        cr_expect_eq(result.cases, 40u);
        cr_expect_eq(result.crashed, 0u);
        digests[i] = digest(fixture.marks, harness_universe_items(fixture.universe));
        teardown(&fixture);
    }
    cr_expect_eq(digests[0], digests[1]);
}
