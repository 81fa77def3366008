/* The model: building, copying, comparing, checking, lowering. */
#include "harness/case/case.h"
#include "harness/case/numbers.h"
#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/regs.h"
#include "tests/case/random_case.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct harness_case *small_case(void)
{
    struct harness_case *const test_case = harness_case_create();
    cr_assert_not_null(test_case);
    cr_assert(harness_case_add_window(test_case, PICA_VRAM_ADDRESS, 0x2000));
    return test_case;
}

/* ----------------------------------------------------------------------------------------------------------- lists */

Test(list, CMD_02_header_holds_every_bit_of_the_command)
{
    uint32_t parameter = 0xAAAAAAAA;
    struct harness_case *const test_case = small_case();
    struct harness_list list = { 0 };
    const struct harness_writes writes = {
        .id = 0x11C, .mask = 0x5, .consecutive = true, .parameters = &parameter, .count = 1
    };
    struct harness_command *command = harness_list_insert(test_case, &list, 0, &writes);
    command->ignored = 7;
    cr_expect_eq(harness_command_header(command), 0xF005011C);
    harness_case_destroy(test_case);
}

Test(list, CMD_worked_examples_decode_to_commands)
{
    static const uint32_t words[] = { 0xAAAAAAAA, 0x802F011C, 0xBBBBBBBB, 0xCCCCCCCC, 5, 0x0003025E };
    struct harness_case *const test_case = small_case();
    struct harness_list list;
    cr_assert(harness_list_decode(test_case, &list, words, 6));
    cr_assert_eq(list.count, 2);
    cr_expect_eq(list.tail_count, 0);
    cr_expect_eq(list.commands[0].count, 3);
    cr_expect(list.commands[0].consecutive);
    cr_expect_eq(harness_command_register(&list.commands[0], 2), 0x11E);
    cr_expect_eq(list.commands[1].mask, 3);
    cr_expect_eq(harness_command_register(&list.commands[1], 0), PICA_REG_PRIMITIVE_CONFIG);
    cr_expect_eq(harness_list_header_word(&list, 1), 5);
    harness_case_destroy(test_case);
}

Test(list, any_words_decode_and_encode_to_the_same_words)
{
    struct test_random random;
    struct harness_case *const test_case = small_case();
    uint32_t words[300];
    uint32_t back[300];
    test_random_seed(&random, 1);
    for (uint32_t round = 0; round < 3000; round++) {
        const uint32_t count = test_random_below(&random, 301);
        struct harness_list list;
        for (uint32_t i = 0; i < count; i++) /* few extra parameters, so that there are commands at all */
            words[i] = test_random_word(&random) & (i % 3 == 0 ? UINT32_MAX : 0xF07FFFFF);
        harness_case_reset(test_case);
        cr_assert(harness_list_decode(test_case, &list, words, count));
        cr_assert_eq(harness_list_words(&list), count);
        harness_list_encode(&list, back);
        cr_assert_arr_eq(words, back, count * sizeof words[0]);
    }
    harness_case_destroy(test_case);
}

Test(list, port_writes_are_split_into_commands_of_256)
{
    uint32_t words[600];
    struct harness_case *const test_case = small_case();
    struct harness_list list = { 0 };
    memset(words, 0, sizeof words);
    cr_assert(harness_list_write_port(test_case, &list, PICA_REG_VSH_CODETRANSFER_DATA0, words, 600));
    cr_assert_eq(list.count, 3);
    cr_expect_eq(list.commands[0].count, 256);
    cr_expect_eq(list.commands[2].count, 88);
    harness_list_remove(&list, 1, 5);
    cr_expect_eq(list.count, 1);
    harness_case_destroy(test_case);
}

/* --------------------------------------------------------------------------------------------------------- contents */

Test(data, patterns_are_the_bytes_that_case_h_states)
{
    struct harness_data data;
    uint8_t bytes[600];
    harness_data_pattern(&data, HARNESS_PATTERN_FILL, 0x44332211, 6);
    harness_data_write(&data, false, bytes);
    cr_expect_arr_eq(bytes, "\x11\x22\x33\x44\x11\x22", 6);
    harness_data_pattern(&data, HARNESS_PATTERN_RAMP, 0x00050310, 600);
    harness_data_write(&data, false, bytes);
    cr_expect_eq(bytes[0], 0x10);
    cr_expect_eq(bytes[7], 0x10 + 21);
    cr_expect_eq(bytes[513], (uint8_t)(0x10 + 513 * 3 + 2 * 5));
}

Test(data, lists_to_run_are_padded_to_16_bytes_without_effect)
{
    struct harness_case *const test_case = small_case();
    struct harness_list list = { 0 };
    struct harness_data data;
    uint8_t bytes[32];
    cr_assert(harness_list_write(test_case, &list, PICA_REG_FINALIZE, 0x12345678));
    harness_data_list(&data, &list);
    cr_expect_eq(harness_data_size(&data, false), 8);
    cr_assert_eq(harness_data_size(&data, true), 16);
    harness_data_write(&data, true, bytes);
    cr_expect_arr_eq(bytes, "\x78\x56\x34\x12\x10\x00\x0F\x00\x00\x00\x00\x00\x2B\x02\x00\x00", 16);
    for (uint32_t words = 0; words < 9; words++) { /* any length */
        uint32_t zeros[9] = { 0 };
        cr_assert(harness_list_decode(test_case, &list, zeros, words));
        harness_data_list(&data, &list);
        cr_assert_eq(harness_data_size(&data, true), (words * 4 + 15) / 16 * 16);
        memset(bytes, 0xEE, sizeof bytes);
        harness_data_write(&data, true, bytes);
    }
    harness_case_destroy(test_case);
}

/* ------------------------------------------------------------------------------------------------------------ cases */

Test(model, copies_are_equal_and_independent)
{
    struct test_random random;
    struct harness_case *const a = harness_case_create();
    struct harness_case *const b = harness_case_create();
    test_random_seed(&random, 2);
    for (uint32_t round = 0; round < 500; round++) {
        test_random_case(&random, a, true);
        cr_assert(harness_case_copy(b, a));
        cr_assert(harness_case_equal(a, b, true));
        cr_assert_not_null(harness_case_add_vblank(b, 0));
        cr_assert_not(harness_case_equal(a, b, true));
        harness_case_remove(b, b->operation_count - 1, 1);
        cr_assert(harness_case_equal(a, b, true));
        for (uint32_t i = 0; i < b->operation_count; i++)
            if (b->operations[i].kind == HARNESS_RUN && b->operations[i].data.list.count != 0)
                *harness_command_edit(harness_list_edit(&b->operations[i].data.list, 0)) ^= 1;
        harness_case_reset(a); /* the copy does not depend on it */
        cr_assert_eq(harness_case_check(b, NULL), HARNESS_OK);
    }
    harness_case_destroy(a);
    harness_case_destroy(b);
}

Test(model, insert_and_remove_keep_the_order)
{
    struct harness_case *const test_case = small_case();
    for (uint32_t i = 0; i < 40; i++)
        cr_assert_not_null(harness_case_add_write(test_case, 0x10400000, i));
    const struct harness_operation write = { .kind = HARNESS_WRITE, .address = 4, .words = { 99 } };
    cr_assert_not_null(harness_case_insert(test_case, 10, &write));
    cr_expect_eq(test_case->operations[9].words[0], 9);
    cr_expect_eq(test_case->operations[10].words[0], 99);
    cr_expect_eq(test_case->operations[11].words[0], 10);
    harness_case_remove(test_case, 10, 1);
    harness_case_remove(test_case, 35, 100);
    cr_assert_eq(test_case->operation_count, 35);
    for (uint32_t i = 0; i < 35; i++)
        cr_expect_eq(test_case->operations[i].words[0], i);
    harness_case_destroy(test_case);
}

/* --------------------------------------------------------------------------------------------------------- checking */

static void expect_refused(struct harness_case *test_case, const char *part_of_message)
{
    struct harness_error error = { "" };
    cr_expect_neq(harness_case_check(test_case, &error), HARNESS_OK);
    cr_expect_not_null(strstr(error.message, part_of_message), "'%s' in '%s'", part_of_message, error.message);
    harness_case_destroy(test_case);
}

Test(check, MEM_01_windows_are_checked)
{
    static const struct {
        struct pica_window windows[2];
        uint32_t count;
        const char *message;
    } rows[] = { { { { 0, 0 } }, 0, "windows: expected 1 to 16" },
                 { { { 0x18000800, 0x1000 } }, 1, "window 0: expected address and size in multiples of 0x1000" },
                 { { { 0x18000000, 0x800 } }, 1, "window 0" },
                 { { { 0x18000000, 0 } }, 1, "window 0" },
                 { { { 0x18600000, 0x1000 } }, 1, "inside VRAM or inside FCRAM" },
                 { { { 0x185FF000, 0x2000 } }, 1, "inside VRAM or inside FCRAM" },
                 { { { 0x17FFF000, 0x2000 } }, 1, "inside VRAM or inside FCRAM" },
                 { { { 0x20000000, 0x3000 }, { 0x20002000, 0x1000 } }, 2, "window 1: expected windows apart" } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct harness_case *const test_case = harness_case_create();
        for (uint32_t w = 0; w < rows[i].count; w++)
            cr_assert(harness_case_add_window(test_case, rows[i].windows[w].address, rows[i].windows[w].size));
        expect_refused(test_case, rows[i].message);
    }
}

Test(check, windows_that_touch_or_fill_a_region_are_fine)
{
    struct harness_case *const test_case = harness_case_create();
    cr_assert(harness_case_add_window(test_case, 0x18001000, 0x1000));
    cr_assert(harness_case_add_window(test_case, 0x18000000, 0x1000));
    cr_assert(harness_case_add_window(test_case, PICA_FCRAM_ADDRESS, PICA_FCRAM_SIZE));
    cr_expect_eq(harness_case_check(test_case, NULL), HARNESS_OK);
    harness_case_destroy(test_case);
}

Test(check, CMD_20_limits_are_checked)
{
    struct harness_case *test_case = small_case();
    test_case->limits.emits = 0;
    expect_refused(test_case, "limits.emits: expected 1 to 0x10000000, found 0x0");
    test_case = small_case();
    test_case->limits.pixels = 0x10000001;
    expect_refused(test_case, "limits.pixels");
}

Test(check, members_out_of_range_are_named)
{
    uint32_t word = 0;
    struct harness_case *test_case = small_case();
    harness_case_add_vblank(test_case, 0)->unit = 2;
    expect_refused(test_case, "operation 0: unit: expected 0 to 1, found 2");
    test_case = small_case();
    struct harness_operation *const run = harness_case_add_run(test_case, 0x18000000);
    const struct harness_writes writes = { .id = PICA_REG_FINALIZE, .mask = 0xF, .parameters = &word, .count = 1 };
    struct harness_command *const command = harness_list_insert(test_case, &run->data.list, 0, &writes);
    command->mask = 16;
    expect_refused(test_case, "operation 0: command 0: expected mask 0-15");
    test_case = small_case();
    harness_case_add_write(test_case, 0, 0)->words[3] = 1;
    expect_refused(test_case, "words[3]: expected 0");
    test_case = small_case();
    harness_case_append(test_case, HARNESS_NOTE)->text = "a\nb";
    expect_refused(test_case, "control characters");
    test_case = small_case();
    harness_case_state(test_case)->values.assembler.topology = 4;
    expect_refused(test_case, "state");
}

Test(check, fixing_windows_leaves_valid_ones_and_repairs_the_rest)
{
    struct test_random random;
    struct harness_case *const test_case = harness_case_create();
    test_random_seed(&random, 3);
    for (uint32_t round = 0; round < 20000; round++) {
        harness_case_reset(test_case);
        const uint32_t count = test_random_below(&random, 17);
        for (uint32_t i = 0; i < count; i++)
            cr_assert(harness_case_add_window(test_case, test_random_edge(&random) + (round % 2 == 0 ? 0 : 0x18000000),
                                              test_random_edge(&random) >> test_random_below(&random, 20)));
        harness_case_fix_windows(test_case, HARNESS_PCB_MAX_WINDOW_BYTES);
        struct harness_error error = { "" };
        cr_assert_eq(harness_case_check(test_case, &error), HARNESS_OK, "%s", error.message);
        struct harness_case *const again = harness_case_clone(test_case);
        harness_case_fix_windows(again, HARNESS_PCB_MAX_WINDOW_BYTES);
        cr_assert(harness_case_equal(test_case, again, true));
        harness_case_destroy(again);
    }
    harness_case_destroy(test_case);
}

/* --------------------------------------------------------------------------------------------------------- lowering */

Test(lowering, run_becomes_load_and_submit_and_notes_vanish)
{
    struct harness_case *const test_case = small_case();
    struct harness_program *const program = harness_program_create();
    struct harness_error error = { "" };
    harness_case_append(test_case, HARNESS_NOTE)->text = "begin";
    struct harness_operation *const run = harness_case_add_run(test_case, 0x18000100);
    cr_assert(harness_list_write(test_case, &run->data.list, PICA_REG_FINALIZE, 0x12345678));
    cr_assert_not_null(harness_case_add_vblank(test_case, 1));
    cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(program->count, 3);
    cr_expect_eq(program->operations[0].kind, PICA_OPERATION_LOAD_MEMORY);
    cr_expect_eq(program->operations[0].address, 0x18000100);
    cr_expect_eq(program->operations[0].size, 16);
    cr_expect_eq(program->operations[0].data[4], 0x10);
    cr_expect_eq(program->operations[1].kind, PICA_OPERATION_SUBMIT_LIST);
    cr_expect_eq(program->operations[1].size, 16);
    cr_expect_eq(program->operations[2].kind, PICA_OPERATION_VERTICAL_BLANK);
    cr_expect_eq(program->operations[2].unit, 1);
    cr_expect_eq(program->origins[0], 1);
    cr_expect_eq(program->origins[1], 1);
    cr_expect_eq(program->origins[2], 2);
    cr_expect_null(program->setup.initial_state);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

Test(lowering, every_random_case_lowers)
{
    struct test_random random;
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    struct harness_error error = { "" };
    test_random_seed(&random, 4);
    for (uint32_t round = 0; round < 1000; round++) {
        test_random_case(&random, test_case, false);
        cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(program->setup.chunk_count, test_case->chunk_count);
    }
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

/* ------------------------------------------------------------------------------------------------------------ state */

Test(state, REG_02_reset_values)
{
    struct pica_state state;
    harness_state_reset(&state);
    cr_expect_eq(state.registers[0x020], 0x12345678);
    cr_expect_eq(state.registers[0x289], 0xA0000001);
    cr_expect_eq(state.registers[0x245], 1);
    cr_expect_eq(state.registers[0x000], 0);
    cr_expect_eq(state.assembler.topology, 0);
}

Test(state, REG_45_derived_state_comes_from_the_register_file)
{
    struct harness_state state;
    struct pica_state out;
    harness_state_init(&state);
    state.given |= (uint64_t)1 << harness_part_find("registers");
    state.values.registers[PICA_REG_VSH_BOOLUNIFORM] = 0x7FFF8001;
    state.values.registers[PICA_REG_GSH_INTUNIFORM_I2] = 0x04030201;
    state.values.registers[PICA_REG_PRIMITIVE_CONFIG] = 0x00000200;
    state.values.registers[PICA_REG_IRQ_ACK0] = 5; /* REG-15: always 0 */
    harness_state_complete(&state, PICA_PROFILE_F32, &out);
    cr_expect_eq(out.units[PICA_UNIT_VERTEX].booleans, 0x8001);
    cr_expect_eq(out.units[PICA_UNIT_GEOMETRY].booleans, 0);
    cr_expect_arr_eq(out.units[PICA_UNIT_GEOMETRY].integers[2], ((uint8_t[]){ 1, 2, 3, 4 }), 4);
    cr_expect_eq(out.assembler.topology, 2);
    cr_expect_eq(out.registers[PICA_REG_IRQ_ACK0], 0);
}

Test(state, REG_45_given_parts_win_over_derived_ones)
{
    struct harness_state state;
    struct pica_state out;
    harness_state_init(&state);
    state.given |= (uint64_t)1 << harness_part_find("registers") | (uint64_t)1 << harness_part_find("vertex.booleans");
    state.values.registers[PICA_REG_VSH_BOOLUNIFORM] = 0xFFFF;
    state.values.units[PICA_UNIT_VERTEX].booleans = 3;
    harness_state_complete(&state, PICA_PROFILE_F32, &out);
    cr_expect_eq(out.units[PICA_UNIT_VERTEX].booleans, 3);
}

Test(state, FLT_03_profile_f24_holds_only_float24_values)
{
    struct harness_state state;
    struct pica_state out;
    harness_state_init(&state);
    state.given |= (uint64_t)1 << harness_part_find("vertex.uniforms");
    state.values.units[0].uniforms[1].bits[0] = 0x3EAAAAAB;
    state.values.units[0].uniforms[1].bits[1] = 0x18800000; /* the smallest float24, subnormal there */
    state.values.units[0].uniforms[1].bits[2] = 0x80000000;
    state.values.units[0].uniforms[1].bits[3] = 0xFFC12345;
    harness_state_complete(&state, PICA_PROFILE_F24, &out);
    cr_expect_eq(out.units[0].uniforms[1].bits[0], 0x3EAAAA80);
    cr_expect_eq(out.units[0].uniforms[1].bits[1], 0x18800000);
    cr_expect_eq(out.units[0].uniforms[1].bits[2], 0x80000000);
    cr_expect_eq(out.units[0].uniforms[1].bits[3], 0x7FC00000);
    harness_state_complete(&state, PICA_PROFILE_F32, &out);
    cr_expect_eq(out.units[0].uniforms[1].bits[0], 0x3EAAAAAB);
}

Test(state, PSC_01_external_registers_keep_stored_bits_only)
{
    struct harness_state state;
    harness_state_init(&state);
    state.given |= (uint64_t)1 << harness_part_find("external");
    for (uint32_t i = 0; i < PICA_EXTERNAL_WORDS; i++)
        state.values.external[i] = UINT32_MAX;
    harness_state_normalise(&state);
    cr_expect_eq(state.values.external[PICA_EXTREG_FILL0_START / 4], 0x1FFFFFFE);
    cr_expect_eq(state.values.external[PICA_EXTREG_FILL0_CTRL / 4], 0x001F0302);
    cr_expect_eq(state.values.external[PICA_EXTREG_XFER_START / 4], 0x00000100);
    cr_expect_eq(state.values.external[PICA_EXTREG_STATUS / 4], 0);
    cr_expect_eq(state.values.external[1], UINT32_MAX);
}

Test(state, normalising_twice_is_normalising_once)
{
    struct test_random random;
    struct harness_state *const state = malloc(sizeof *state);
    test_random_seed(&random, 5);
    for (uint32_t round = 0; round < 200; round++) {
        harness_state_init(state);
        state->given = (uint64_t)test_random_word(&random) << 32 | test_random_word(&random);
        for (uint32_t k = 0; k < 3000; k++) {
            const uint32_t part = test_random_below(&random, harness_part_count);
            harness_part_set(&state->values, part, test_random_below(&random, harness_parts[part].count),
                             test_random_edge(&random));
        }
        harness_state_normalise(state);
        cr_assert(harness_state_is_normal(state));
    }
    free(state);
}

/* One value of a normal state changed: by the definition, with a copy of all of it. */
static bool is_normal_by_definition(const struct harness_state *state, struct harness_state *copy)
{
    *copy = *state;
    harness_state_normalise(copy);
    return harness_state_equal(state, copy);
}

Test(state, a_state_is_normal_if_normalising_changes_nothing)
{
    struct test_random random;
    struct harness_state *const state = malloc(sizeof *state), *const copy = malloc(sizeof *copy);
    uint32_t found[2] = { 0, 0 };
    test_random_seed(&random, 6);
    for (uint32_t round = 0; round < 4000; round++) {
        const uint32_t part = round % harness_part_count;
        const bool last = test_random_below(&random, 4) == 0;
        const uint32_t count = harness_parts[part].count;
        harness_state_init(state);
        state->given = (uint64_t)test_random_word(&random) << 32 | test_random_word(&random);
        harness_state_normalise(state);
        harness_part_set(&state->values, part, last ? count - 1 : test_random_below(&random, count),
                         test_random_edge(&random));
        const bool normal = is_normal_by_definition(state, copy);
        cr_assert_eq(harness_state_is_normal(state), normal, "part %s", harness_parts[part].name);
        found[normal ? 1 : 0]++;
        harness_state_settle(state);
        cr_assert((state->given >> part & 1u) == 0 || harness_state_equal(state, copy), "part %s",
                  harness_parts[part].name);
    }
    cr_expect(found[0] > 500 && found[1] > 500);
    free(state);
    free(copy);
}

Test(state, the_next_value_that_is_not_at_reset_is_found)
{
    struct pica_state *const state = malloc(sizeof *state);
    for (uint32_t part = 0; part < harness_part_count; part++) {
        const uint32_t count = harness_parts[part].count;
        for (uint32_t index = 0; index < count; index += 1 + count / 37) {
            harness_state_reset(state);
            cr_assert_eq(harness_part_next(state, part, index), count);
            harness_part_set(state, part, index, harness_part_get(state, part, index) ^ 1u);
            cr_assert_eq(harness_part_next(state, part, 0), index);
            cr_assert_eq(harness_part_next(state, part, index), index);
            cr_assert_eq(harness_part_next(state, part, index + 1), count);
        }
    }
    free(state);
}

Test(state, parts_cover_the_whole_struct_once)
{
    unsigned char covered[sizeof(struct pica_state)];
    memset(covered, 0, sizeof covered);
    for (uint32_t part = 0; part < harness_part_count; part++)
        for (uint32_t i = 0; i < harness_parts[part].count * harness_parts[part].width; i++)
            covered[harness_parts[part].offset + i]++;
    size_t missing = 0;
    for (size_t i = 0; i < sizeof covered; i++) {
        cr_assert_leq(covered[i], 1, "byte %zu is in two parts", i);
        missing += covered[i] == 0;
    }
    /* geometry.main_left and .left, dumped as 0, and reserved */
    cr_expect_eq(missing, 4 + 4 + 1, "%zu bytes of struct pica_state are in no part", missing);
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

Test(numbers, FLT_12_examples)
{
    static const uint32_t rows[][2] = { { 0x3F0000, 0x3F800000 }, { 0x7EFFFF, 0x5F7FFF80 }, { 0xBF0000, 0xBF800000 },
                                        { 0x7F0000, 0x7F800000 }, { 0x408000, 0x40400000 }, { 0xFF0000, 0xFF800000 },
                                        { 0x010000, 0x20800000 }, { 0x000001, 0x18800000 }, { 0x800000, 0x80000000 },
                                        { 0x00FFFF, 0x207FFF00 }, { 0x3E0000, 0x3F000000 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cr_expect_eq(harness_float24_to_f32(rows[i][0]), rows[i][1], "%06X", rows[i][0]);
    cr_expect(harness_f32_is_nan(harness_float24_to_f32(0x7F8000)));
    cr_expect_eq(harness_float_raw(HARNESS_FLOAT24, 0.1), 0x3B999A); /* FLT-23 */
    cr_expect_eq(harness_float_raw(HARNESS_FLOAT24, 3.0), 0x408000);
}

Test(numbers, FLT_21_examples)
{
    static const uint32_t rows[][2] = { { 0x3F80003F, 0x3F800000 }, { 0x3F800040, 0x3F800000 },
                                        { 0x3F800041, 0x3F800080 }, { 0x3F8000C0, 0x3F800100 },
                                        { 0x5F7FFFBF, 0x5F7FFF80 }, { 0x5F7FFFC0, 0x7F800000 },
                                        { 0x3EAAAAAB, 0x3EAAAA80 }, { 0x3DCCCCCD, 0x3DCCCD00 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cr_expect_eq(harness_f32_to_profile24(rows[i][0]), rows[i][1], "%08X", rows[i][0]);
}

Test(numbers, decimals_come_back_as_the_same_bits)
{
    static const struct harness_float_format formats[] = { { 5, 10 }, { 7, 12 }, { 7, 16 }, { 7, 23 }, { 8, 23 } };
    struct test_random random;
    char text[HARNESS_NUMBER_TEXT];
    test_random_seed(&random, 6);
    for (uint32_t round = 0; round < 200000; round++) {
        const struct harness_float_format format = formats[round % 5];
        const uint32_t width = 1 + format.exponent + format.mantissa;
        const uint32_t raw = test_random_edge(&random) & (uint32_t)(((uint64_t)1 << width) - 1);
        harness_float_print(text, format, raw);
        const uint32_t back = strncmp(text, "0x", 2) == 0 ? (uint32_t)strtoul(text, NULL, 16)
                                                          : harness_float_raw(format, strtod(text, NULL));
        cr_assert_eq(back, raw, "%u:%u %08X printed as %s is %08X", format.exponent, format.mantissa, raw, text, back);
        cr_assert_not_null(strpbrk(text, ".xen"), "%s looks like an integer", text);
    }
}

/* Digits from the first to the last that is not 0, in "-0.00120" or "1.25e-30". */
static int significant_digits(const char *text)
{
    int seen = 0, count = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (seen == 0 && *text == '0'))
            continue;
        seen++;
        if (*text != '0')
            count = seen;
    }
    return count;
}

Test(numbers, decimals_have_as_few_digits_as_can_be)
{
    static const struct harness_float_format formats[] = { { 7, 16 }, { 8, 23 } };
    struct test_random random;
    char text[HARNESS_NUMBER_TEXT];
    test_random_seed(&random, 7);
    for (uint32_t round = 0; round < 20000; round++) {
        const struct harness_float_format format = formats[round % 2];
        const uint32_t infinity = (((uint32_t)1 << format.exponent) - 1) << format.mantissa;
        /* Every other one is, or is next to, a power of two. */
        const uint32_t bits = round % 4 < 2
                                  ? test_random_word(&random)
                                  : (test_random_word(&random) & infinity) + test_random_word(&random) % 3 - 1;
        const uint32_t raw = bits & (infinity | (((uint32_t)1 << format.mantissa) - 1));
        if (raw == 0 || harness_float_value(format, raw) >= 1.0) /* integers are printed in full */
            continue;
        harness_float_print(text, format, raw);
        char shorter[HARNESS_NUMBER_TEXT];
        for (int digits = significant_digits(text) - 1; digits > 0; digits--) {
            (void)snprintf(shorter, sizeof shorter, "%.*e", digits - 1, harness_float_value(format, raw));
            cr_assert_neq(harness_float_raw(format, strtod(shorter, NULL)), raw, "%s is as good as %s", shorter, text);
        }
    }
}
