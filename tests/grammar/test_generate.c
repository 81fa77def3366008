/* Generated cases: deterministic, valid, and not vacuous. */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/random.h"
#include "harness/grammar/values.h"
#include "pica/memory.h"
#include "pica/opcodes.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 1 << 20
};

static const enum harness_generate_mode modes[] = { HARNESS_GENERATE_MIXED, HARNESS_GENERATE_DEFINED,
                                                    HARNESS_GENERATE_ANYTHING };

static size_t encode(const struct harness_case *test_case, uint8_t *out)
{
    size_t size = 0;
    cr_assert_eq(harness_pcb_encode(test_case, out, CAPACITY, &size, NULL), HARNESS_OK);
    return size;
}

/* ---------------------------------------------------------------------------------------------------------- random */

/* Computed once with an independent implementation of splitmix64 and xoshiro256**. */
Test(generate, the_sequence_of_a_seed_is_the_same_on_every_machine)
{
    static const uint64_t expected[2][4] = { { UINT64_C(0x99EC5F36CB75F2B4), UINT64_C(0xBF6E1F784956452A),
                                               UINT64_C(0x1A5F849D4933E6E0), UINT64_C(0x6AA594F1262D2D2C) },
                                             { UINT64_C(0xA2C2A42038D4EC3D), UINT64_C(0x05FC25D0738E7B0F),
                                               UINT64_C(0x625E7BFF938E701E), UINT64_C(0x1BA4DDC6FE2B5726) } };
    static const uint64_t seeds[2] = { 0, 0x123456789ABCDEF };
    for (int s = 0; s < 2; s++) {
        struct harness_random random;
        harness_random_init(&random, seeds[s]);
        for (int i = 0; i < 4; i++)
            cr_assert_eq(harness_random_next(&random), expected[s][i], "seed %d value %d", s, i);
    }
}

Test(generate, chance_keeps_its_bounds_and_reaches_them)
{
    struct harness_random random;
    uint32_t seen[4] = { 0 };
    harness_random_init(&random, 1);
    for (int i = 0; i < 1000; i++) {
        const uint32_t value = harness_random_between(&random, 5, 8);
        cr_assert(value >= 5 && value <= 8);
        seen[value - 5]++;
        cr_assert_lt(harness_random_number(&random, 5), 32);
        const float number = harness_random_float(&random, -2.0f, 3.0f);
        cr_assert(number >= -2.0f && number < 3.0f);
    }
    for (int i = 0; i < 4; i++)
        cr_assert_gt(seen[i], 150);
    cr_assert_eq(harness_random_below(&random, 0), 0);
    cr_assert_eq(harness_random_below(&random, 1), 0);
}

Test(generate, weights_decide_how_often)
{
    static const uint32_t weights[3] = { 0, 1, 9 };
    struct harness_random random;
    uint32_t seen[3] = { 0 };
    harness_random_init(&random, 2);
    for (int i = 0; i < 10000; i++)
        seen[harness_random_weighted(&random, weights, 3)]++;
    cr_assert_eq(seen[0], 0);
    cr_assert(seen[1] > 800 && seen[1] < 1200, "%u", seen[1]);
}

Test(generate, small_floats_are_those_of_FLT_12)
{
    cr_assert_eq(harness_small_float(7, 16, 1.0f), 0x3F0000);
    cr_assert_eq(harness_small_float(7, 16, -1.0f), 0xBF0000);
    cr_assert_eq(harness_small_float(7, 16, 3.0f), 0x408000);
    cr_assert_eq(harness_small_float(7, 16, 0.5f), 0x3E0000);
    cr_assert_eq(harness_small_float(5, 10, 1.0f), 0x3C00);
    cr_assert_eq(harness_small_float(7, 23, 1.0f), 0x1F800000);
    cr_assert_eq(harness_small_float(5, 10, 0.0f), 0);
    cr_assert_eq(harness_small_float(5, 10, 1e9f), 0x7BFF);
}

Test(generate, defined_fields_are_never_reserved)
{
    struct harness_random random;
    size_t count;
    uint32_t reserved = 0;
    const struct pica_field_info *const fields = pica_fields(&count);
    harness_random_init(&random, 3);
    for (size_t f = 0; f < count; f++)
        for (int i = 0; i < 64; i++) {
            const uint32_t defined = harness_field_draw(&random, &fields[f], true);
            const uint32_t any = harness_field_draw(&random, &fields[f], false);
            cr_assert(fields[f].width == 32 || (defined >> fields[f].width == 0 && any >> fields[f].width == 0), "%s",
                      fields[f].name);
            cr_assert_not(harness_value_is_reserved(fields[f].enumeration, defined), "%s %u", fields[f].name, defined);
            reserved += harness_value_is_reserved(fields[f].enumeration, any) ? 1 : 0;
        }
    cr_assert_gt(reserved, 100);
}

Test(generate, a_changed_field_changes_and_leaves_the_others_alone)
{
    struct harness_random random;
    size_t count;
    uint32_t changed = 0;
    const struct pica_field_info *const fields = pica_fields(&count);
    harness_random_init(&random, 4);
    for (size_t f = 0; f < count; f++)
        for (int i = 0; i < 16; i++) {
            const uint32_t old = harness_field_draw(&random, &fields[f], false);
            const uint32_t new = harness_field_change(&random, &fields[f], old);
            cr_assert(fields[f].width == 32 || new >> fields[f].width == 0, "%s", fields[f].name);
            changed += old != new ? 1 : 0;
        }
    cr_assert_gt(changed, count * 16 * 3 / 4);
}

/* ----------------------------------------------------------------------------------------------------------- cases */

Test(generate, the_same_seed_gives_the_same_bytes)
{
    struct harness_case *const first = harness_case_create();
    struct harness_case *const second = harness_case_create();
    uint8_t *const bytes = malloc(2 * CAPACITY);
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
        const struct harness_generate_options options = { .mode = modes[m] };
        for (uint64_t seed = 0; seed < 150; seed++) {
            harness_generate(first, seed, &options);
            harness_generate(second, seed + 1, &options); /* earlier contents do not matter */
            harness_generate(second, seed, &options);
            const size_t size = encode(first, bytes);
            cr_assert_eq(encode(second, bytes + CAPACITY), size);
            cr_assert_eq(memcmp(bytes, bytes + CAPACITY, size), 0, "mode %zu seed %d", m, (int)seed);
        }
    }
    free(bytes);
    harness_case_destroy(first);
    harness_case_destroy(second);
}

Test(generate, other_seeds_give_other_cases)
{
    struct harness_case *const first = harness_case_create();
    struct harness_case *const second = harness_case_create();
    for (uint64_t seed = 0; seed < 300; seed++) {
        harness_generate(first, seed, NULL);
        harness_generate(second, seed + 1, NULL);
        cr_assert_not(harness_case_equal(first, second, false));
    }
    harness_case_destroy(first);
    harness_case_destroy(second);
}

Test(generate, every_case_is_valid_and_survives_the_binary_form)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_case *const decoded = harness_case_create();
    uint8_t *const bytes = malloc(CAPACITY);
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
        const struct harness_generate_options options = { .mode = modes[m] };
        for (uint64_t seed = 0; seed < 1000; seed++) {
            struct harness_error error = { "" };
            harness_generate(test_case, seed, &options);
            cr_assert_eq(harness_case_check(test_case, &error), HARNESS_OK, "mode %zu seed %d: %s", m, (int)seed,
                         error.message);
            const size_t size = encode(test_case, bytes);
            harness_case_reset(decoded);
            cr_assert(harness_pcb_decode(decoded, bytes, size));
            cr_assert(harness_case_equal(test_case, decoded, false), "mode %zu seed %d", m, (int)seed);
        }
    }
    free(bytes);
    harness_case_destroy(test_case);
    harness_case_destroy(decoded);
}

/* -------------------------------------------------------------------------------------------------------- coverage */

static bool is_trigger(uint32_t id)
{
    return id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS;
}

struct coverage {
    uint32_t registers[PICA_REG_TOTAL];
    uint32_t opcodes[PICA_OPCODE_TOTAL];
    uint32_t operations[8];
    uint32_t contents[4];
    uint32_t profiles[2];
    uint32_t state_parts;
    uint32_t jumps;
    uint32_t draws;                     /* triggers of the last case */
    uint32_t *values[PICA_FIELD_TOTAL]; /* by dense field number: how often each enumerator was written */
};

static void see_word(struct coverage *coverage, uint32_t id, uint32_t word)
{
    if (id >= PICA_REG_TOTAL)
        return;
    coverage->registers[id]++;
    /* REG-25: number 15 opens the port for vertices, which may stand in a list that is loaded before this one. */
    const bool immediate = id == PICA_REG_FIXEDATTRIB_INDEX && pica_fixedattrib_index_index(word) == 15;
    coverage->draws += is_trigger(id) || immediate ? 1 : 0;
    if (harness_code_port(id) < 2)
        coverage->opcodes[pica_opcode_of(word)]++;
    size_t count;
    size_t all;
    const struct pica_field_info *const fields = pica_layout_fields(pica_reg_info(id)->layout, &count);
    for (size_t f = 0; f < count; f++) {
        uint32_t **const values = &coverage->values[&fields[f] - pica_fields(&all)];
        if (fields[f].type != PICA_FIELD_ENUM)
            continue;
        if (*values == NULL)
            *values = calloc((size_t)1 << fields[f].width, sizeof **values);
        (*values)[pica_field_get(&fields[f], word)]++;
    }
}

static void see_list(struct coverage *coverage, const struct harness_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        for (uint32_t k = 0; k < command->count; k++)
            see_word(coverage, harness_command_register(command, k), command->parameters[k]);
        coverage->jumps += command->id == PICA_REG_CMDBUF_JUMP0 || command->id == PICA_REG_CMDBUF_JUMP1 ? 1 : 0;
    }
}

static void see_data(struct coverage *coverage, const struct harness_data *data)
{
    coverage->contents[data->kind]++;
    if (data->kind == HARNESS_DATA_LIST)
        see_list(coverage, &data->list);
}

static void see_operation(struct coverage *coverage, const struct harness_operation *operation)
{
    coverage->operations[operation->kind]++;
    if (operation->kind == HARNESS_RUN || operation->kind == HARNESS_LOAD)
        see_data(coverage, &operation->data);
    if (operation->kind != HARNESS_WRITE || operation->address < PICA_INTERNAL_ADDRESS ||
        operation->address >= PICA_INTERNAL_ADDRESS + 4 * PICA_REG_TOTAL)
        return;
    const uint32_t id = (operation->address - PICA_INTERNAL_ADDRESS) / 4;
    see_word(coverage, id, operation->words[0]);
}

static void see_case(struct coverage *coverage, const struct harness_case *test_case)
{
    coverage->draws = 0;
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        see_data(coverage, &test_case->chunks[i].data);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        see_operation(coverage, &test_case->operations[i]);
    coverage->profiles[test_case->profile]++;
    coverage->state_parts += test_case->state != NULL && test_case->state->given != 0 ? 1 : 0;
}

static struct coverage *cover(enum harness_generate_mode mode, uint64_t cases)
{
    struct coverage *const coverage = calloc(1, sizeof *coverage);
    struct harness_case *const test_case = harness_case_create();
    const struct harness_generate_options options = { .mode = mode };
    for (uint64_t seed = 0; seed < cases; seed++) {
        harness_generate(test_case, seed, &options);
        see_case(coverage, test_case);
    }
    harness_case_destroy(test_case);
    return coverage;
}

static void forget(struct coverage *coverage)
{
    for (size_t f = 0; f < PICA_FIELD_TOTAL; f++)
        free(coverage->values[f]);
    free(coverage);
}

Test(generate, nearly_all_cases_draw)
{
    struct harness_case *const test_case = harness_case_create();
    struct coverage *const coverage = calloc(1, sizeof *coverage);
    uint32_t drawing[3] = { 0 };
    for (size_t m = 0; m < 3; m++) {
        const struct harness_generate_options options = { .mode = modes[m] };
        for (uint64_t seed = 0; seed < 400; seed++) {
            harness_generate(test_case, seed, &options);
            see_case(coverage, test_case);
            drawing[m] += coverage->draws != 0 ? 1 : 0;
        }
    }
    cr_assert_eq(drawing[1], 400); /* defined */
    cr_assert_geq(drawing[0], 360);
    cr_assert_geq(drawing[2], 300);
    forget(coverage);
    harness_case_destroy(test_case);
}

Test(generate, sizes_are_those_of_small_tests)
{
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(CAPACITY);
    uint32_t ordinary = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        harness_generate(test_case, seed, NULL);
        const size_t size = encode(test_case, bytes);
        uint32_t window_bytes = 0;
        for (uint32_t w = 0; w < test_case->window_count; w++)
            window_bytes += test_case->windows[w].size;
        ordinary += size >= 800 && size <= 12800 && window_bytes <= 1 << 18 ? 1 : 0;
        cr_assert_leq(size, 1 << 16);
        cr_assert_leq(window_bytes, 1 << 19);
    }
    cr_assert_geq(ordinary, 450);
    free(bytes);
    harness_case_destroy(test_case);
}

Test(generate, limits_are_never_above_those_of_fuzzing)
{
    struct harness_case *const test_case = harness_case_create();
    const struct pica_limits most = harness_limits_fuzzing();
    for (size_t m = 0; m < 3; m++) {
        const struct harness_generate_options options = { .mode = modes[m] };
        for (uint64_t seed = 0; seed < 300; seed++) {
            harness_generate(test_case, seed, &options);
            const struct pica_limits *const limits = &test_case->limits;
            cr_assert(limits->commands <= most.commands && limits->vertices <= most.vertices &&
                      limits->instructions <= most.instructions && limits->emits <= most.emits &&
                      limits->pixels <= most.pixels);
        }
    }
    harness_case_destroy(test_case);
}

Test(generate, every_register_that_does_something_is_written)
{
    struct coverage *const coverage = cover(HARNESS_GENERATE_MIXED, 4000);
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        cr_assert_gt(coverage->registers[id], 0, "%s", pica_reg_info(id)->name);
    forget(coverage);
}

Test(generate, every_configuration_register_is_written_without_events_too)
{
    struct coverage *const coverage = cover(HARNESS_GENERATE_DEFINED, 4000);
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        if (pica_reg_info(id)->reg_class == PICA_REG_CLASS_CONFIG)
            cr_assert_gt(coverage->registers[id], 0, "%s", pica_reg_info(id)->name);
    forget(coverage);
}

Test(generate, every_opcode_is_generated)
{
    struct coverage *const mixed = cover(HARNESS_GENERATE_MIXED, 3000);
    struct coverage *const defined = cover(HARNESS_GENERATE_DEFINED, 3000);
    for (uint32_t op = 0; op < PICA_OPCODE_TOTAL; op++) {
        cr_assert_gt(mixed->opcodes[op], 0, "%02X", op);
        if (pica_opcode_info(op)->format != PICA_OPCODE_FORMAT_NONE)
            cr_assert_gt(defined->opcodes[op], 0, "%02X", op);
    }
    forget(mixed);
    forget(defined);
}

/* The enumerators of a field: all of them; without events only those that record none. */
static void check_values(const struct coverage *coverage, enum pica_layout layout, const char *name, bool defined)
{
    size_t all;
    const struct pica_field_info *const field = pica_field_by_name(layout, name);
    cr_assert_not_null(field);
    const uint32_t *const values = coverage->values[field - pica_fields(&all)];
    cr_assert_not_null(values, "%s", name);
    for (uint32_t v = 0; v < 1u << field->width; v++) {
        const bool reserved = harness_value_is_reserved(field->enumeration, v);
        if (!defined || !reserved)
            cr_assert_gt(values[v], 0, "%s = %u", name, v);
    }
}

static const struct {
    enum pica_layout layout;
    const char *field;
} enumerated[] = { { PICA_LAYOUT_TEXUNIT_TYPE, "format" },
                   { PICA_LAYOUT_TEXUNIT_PARAM, "type" },
                   { PICA_LAYOUT_TEXUNIT_PARAM, "wrap_s" },
                   { PICA_LAYOUT_TEXUNIT_PARAM, "wrap_t" },
                   { PICA_LAYOUT_TEXUNIT_PARAM, "mip_filter" },
                   { PICA_LAYOUT_COLORBUFFER_FORMAT, "format" },
                   { PICA_LAYOUT_DEPTHBUFFER_FORMAT, "format" },
                   { PICA_LAYOUT_BLEND_FUNC, "rgb_source" },
                   { PICA_LAYOUT_BLEND_FUNC, "alpha_dest" },
                   { PICA_LAYOUT_BLEND_FUNC, "rgb_equation" },
                   { PICA_LAYOUT_LOGIC_OP, "operation" },
                   { PICA_LAYOUT_STENCIL_TEST, "function" },
                   { PICA_LAYOUT_STENCIL_OP, "depth_fail" },
                   { PICA_LAYOUT_DEPTH_COLOR_MASK, "depth_function" },
                   { PICA_LAYOUT_FRAGOP_ALPHA_TEST, "function" },
                   { PICA_LAYOUT_TEXENV_SOURCE, "rgb_source0" },
                   { PICA_LAYOUT_TEXENV_OPERAND, "rgb_operand1" },
                   { PICA_LAYOUT_TEXENV_OPERAND, "alpha_operand2" },
                   { PICA_LAYOUT_TEXENV_COMBINER, "rgb_mode" },
                   { PICA_LAYOUT_TEXENV_COMBINER, "alpha_mode" },
                   { PICA_LAYOUT_TEXENV_SCALE, "rgb_scale" },
                   { PICA_LAYOUT_LIGHTING_CONFIG0, "environment" },
                   { PICA_LAYOUT_LIGHTING_CONFIG0, "bump_mode" },
                   { PICA_LAYOUT_LIGHTING_LUTINPUT_SELECT, "d0_input" },
                   { PICA_LAYOUT_LIGHTING_LUTINPUT_SCALE, "sp_scale" },
                   { PICA_LAYOUT_LIGHTING_LUT_INDEX, "table" },
                   { PICA_LAYOUT_TEXUNIT3_PROCTEX0, "rgb_func" },
                   { PICA_LAYOUT_TEXUNIT3_PROCTEX0, "u_clamp" },
                   { PICA_LAYOUT_TEXUNIT3_PROCTEX0, "v_shift" },
                   { PICA_LAYOUT_TEXUNIT3_PROCTEX4, "filter" },
                   { PICA_LAYOUT_PROCTEX_LUT, "table" },
                   { PICA_LAYOUT_FACECULLING_CONFIG, "mode" },
                   { PICA_LAYOUT_SCISSORTEST_MODE, "mode" },
                   { PICA_LAYOUT_PRIMITIVE_CONFIG, "topology" },
                   { PICA_LAYOUT_GSH_MISC0, "mode" },
                   { PICA_LAYOUT_GEOSTAGE_CONFIG, "mode" },
                   { PICA_LAYOUT_ATTRIBBUFFERS_FORMAT_LOW, "attribute0_type" },
                   { PICA_LAYOUT_INDEXBUFFER_CONFIG, "type" },
                   { PICA_LAYOUT_SHADER_FLOATUNIFORM_INDEX, "format" },
                   { PICA_LAYOUT_TEXENV_UPDATE_BUFFER, "fog_mode" },
                   { PICA_LAYOUT_COLOR_OPERATION, "fragment_mode" } };

Test(generate, every_encoding_of_the_important_fields_is_used)
{
    struct coverage *const mixed = cover(HARNESS_GENERATE_MIXED, 5000);
    struct coverage *const defined = cover(HARNESS_GENERATE_DEFINED, 4000);
    for (size_t i = 0; i < sizeof enumerated / sizeof enumerated[0]; i++) {
        check_values(mixed, enumerated[i].layout, enumerated[i].field, false);
        if (enumerated[i].layout != PICA_LAYOUT_PROCTEX_LUT && enumerated[i].layout != PICA_LAYOUT_LIGHTING_LUT_INDEX)
            check_values(defined, enumerated[i].layout, enumerated[i].field, true);
    }
    forget(mixed);
    forget(defined);
}

Test(generate, every_kind_of_operation_and_contents_occurs)
{
    struct coverage *const coverage = cover(HARNESS_GENERATE_DEFINED, 800);
    for (int kind = HARNESS_LOAD; kind < HARNESS_NOTE; kind++)
        cr_assert_gt(coverage->operations[kind], 0, "operation kind %d", kind);
    for (int kind = 0; kind < 4; kind++)
        cr_assert_gt(coverage->contents[kind], 0, "contents kind %d", kind);
    cr_assert_gt(coverage->profiles[PICA_PROFILE_F32], 0);
    cr_assert_gt(coverage->profiles[PICA_PROFILE_F24], 0);
    cr_assert_gt(coverage->state_parts, 0);
    cr_assert_gt(coverage->jumps, 0);
    forget(coverage);
}
