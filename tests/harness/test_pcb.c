/* The binary form: total, exact, and tame under mutation. */
#include "harness/case/formats.h"
#include "harness/case/pcb.h"
#include "tests/harness/captures.h"
#include "tests/harness/random_case.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 1 << 22
};

struct room {
    struct harness_case *a;
    struct harness_case *b;
    struct harness_program *program;
    uint8_t *bytes;
    uint8_t *mutated;
};

static struct room open_room(void)
{
    const struct room room = { harness_case_create(), harness_case_create(), harness_program_create(), malloc(CAPACITY),
                               malloc(CAPACITY) };
    cr_assert(room.a != NULL && room.b != NULL && room.program != NULL && room.bytes != NULL && room.mutated != NULL);
    return room;
}

static void close_room(struct room *room)
{
    harness_case_destroy(room->a);
    harness_case_destroy(room->b);
    harness_program_destroy(room->program);
    free(room->bytes);
    free(room->mutated);
}

static size_t encode(const struct harness_case *test_case, uint8_t *bytes)
{
    size_t size;
    struct harness_error error = { "" };
    cr_assert_eq(harness_pcb_encode(test_case, bytes, CAPACITY, &size, &error), HARNESS_OK, "%s", error.message);
    return size;
}

/* decode(bytes) is valid and decode(encode(decode(bytes))) equals it. */
static void expect_total(struct room *room, const uint8_t *bytes, size_t size)
{
    struct harness_error error = { "" };
    cr_assert(harness_pcb_decode(room->a, bytes, size));
    cr_assert_eq(harness_case_setup(room->a, room->program, &error), HARNESS_OK, "%s", error.message);
    const size_t again = encode(room->a, room->bytes);
    cr_assert(harness_pcb_decode(room->b, room->bytes, again));
    cr_assert(harness_case_equal(room->a, room->b, true));
}

Test(pcb, decode_of_encode_is_the_case)
{
    struct test_random random;
    struct room room = open_room();
    test_random_seed(&random, 20);
    for (uint32_t round = 0; round < 6000; round++) {
        test_random_case(&random, room.a, false);
        const size_t size = encode(room.a, room.bytes);
        cr_assert(harness_pcb_decode(room.b, room.bytes, size));
        cr_assert(harness_case_equal(room.a, room.b, true), "round %u", round);
    }
    close_room(&room);
}

Test(pcb, captures_survive_the_binary_form)
{
    struct room room = open_room();
    for (uint32_t i = 0; i < TEST_CAPTURES; i++) {
        test_capture_load(i, room.a);
        const size_t size = encode(room.a, room.bytes);
        cr_assert(harness_pcb_decode(room.b, room.bytes, size));
        cr_assert(harness_case_equal(room.a, room.b, true), "%s", test_capture_names[i]);
    }
    close_room(&room);
}

Test(pcb, every_byte_string_decodes_to_a_valid_case)
{
    struct test_random random;
    struct room room = open_room();
    test_random_seed(&random, 21);
    expect_total(&room, (const uint8_t *)"", 0);
    for (uint32_t first = 0; first < 0x10000; first++) { /* every head */
        uint8_t bytes[64];
        for (uint32_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)test_random_word(&random);
        bytes[0] = (uint8_t)first;
        bytes[1] = (uint8_t)(first >> 8);
        expect_total(&room, bytes, first % (sizeof bytes + 1));
    }
    for (uint32_t round = 0; round < 5000; round++) {
        const uint32_t size = test_random_below(&random, 1200);
        for (uint32_t i = 0; i < size; i++)
            room.mutated[i] = (uint8_t)test_random_edge(&random);
        expect_total(&room, room.mutated, size);
    }
    close_room(&room);
}

Test(pcb, mutated_and_cut_encodings_decode_to_valid_cases)
{
    struct test_random random;
    struct room room = open_room();
    test_random_seed(&random, 22);
    for (uint32_t round = 0; round < 6000; round++) {
        test_random_case(&random, room.a, false);
        const size_t size = encode(room.a, room.mutated);
        expect_total(&room, room.mutated, test_mutate(&random, room.mutated, size, CAPACITY));
    }
    close_room(&room);
}

Test(pcb, a_small_file_cannot_make_a_large_case)
{
    struct room room = open_room();
    struct harness_data data;
    cr_assert(harness_pcb_decode(room.a, (const uint8_t *)"", 0));
    for (uint32_t i = 0; i < 64; i++) {
        harness_data_pattern(&data, HARNESS_PATTERN_NOISE, i, 0x4000);
        cr_assert_not_null(harness_case_add_load(room.a, 0x18000000, &data));
    }
    const size_t size = encode(room.a, room.mutated);
    for (size_t i = 0; i < size; i++) /* every size becomes enormous */
        if (i + 2 < size && room.mutated[i] == 0x80 && room.mutated[i + 1] == 0x80 && room.mutated[i + 2] == 0x01)
            room.mutated[i + 2] = 0x7F;
    expect_total(&room, room.mutated, size);
    uint64_t total = 0;
    for (uint32_t i = 0; i < room.a->operation_count; i++)
        total += room.a->operations[i].data.size;
    cr_expect_eq(total, HARNESS_PCB_MAX_DATA);
    close_room(&room);
}

Test(pcb, flipping_a_bit_of_a_parameter_changes_that_parameter_only)
{
    struct room room = open_room();
    cr_assert(harness_pcb_decode(room.a, (const uint8_t *)"", 0));
    struct harness_operation *const run = harness_case_add_run(room.a, 0x18000000);
    for (uint16_t id = 0x100; id < 0x110; id++)
        cr_assert(harness_list_write(room.a, &run->data.list, id, 0));
    const size_t size = encode(room.a, room.bytes);
    /* The last command: two bytes of head, four of the parameter. */
    room.bytes[size - 3] ^= 0x10;
    cr_assert(harness_pcb_decode(room.b, room.bytes, size));
    cr_assert_not(harness_case_equal(room.a, room.b, true));
    run->data.list.commands[15].parameters[0] = 0x1000;
    cr_expect(harness_case_equal(room.a, room.b, true));
    close_room(&room);
}

Test(pcb, removing_a_whole_command_removes_only_it)
{
    struct room room = open_room();
    cr_assert(harness_pcb_decode(room.a, (const uint8_t *)"", 0));
    struct harness_operation *const run = harness_case_add_run(room.a, 0x18000000);
    for (uint16_t id = 0x100; id < 0x110; id++)
        cr_assert(harness_list_write(room.a, &run->data.list, id, id));
    const size_t size = encode(room.a, room.bytes);
    memmove(room.bytes + size - 18, room.bytes + size - 12, 12); /* commands of six bytes: the 14th goes */
    cr_assert(harness_pcb_decode(room.b, room.bytes, size - 6));
    harness_list_remove(&run->data.list, 13, 1);
    cr_expect(harness_case_equal(room.a, room.b, true));
    close_room(&room);
}

Test(pcb, what_is_too_large_is_refused_with_its_number)
{
    struct room room = open_room();
    struct harness_error error = { "" };
    size_t size = 1;
    harness_import_wide_windows(room.a);
    cr_expect_eq(harness_pcb_encode(room.a, room.bytes, CAPACITY, &size, &error), HARNESS_TOO_LARGE);
    cr_expect_eq(size, 0);
    cr_expect_not_null(strstr(error.message, "bytes of windows, found 140509184"), "%s", error.message);
    cr_assert(harness_pcb_decode(room.a, (const uint8_t *)"", 0));
    cr_expect_eq(harness_pcb_encode(room.a, room.bytes, 3, &size, &error), HARNESS_TOO_LARGE);
    cr_expect_eq(size, 6, "one window");
    close_room(&room);
}

Test(pcb, frozen_tables_have_not_moved)
{
    static const struct {
        uint32_t code;
        uint16_t id;
    } ids[] = { { 0x000, 0x000 }, { 0x2FF, 0x2FF }, { 0x300, 0x22E },
                { 0x30B, 0x22F }, { 0x30C, 0x227 }, { 0x3FF, 0x022E } };
    for (size_t i = 0; i + 1 < sizeof ids / sizeof ids[0]; i++)
        cr_expect_eq(harness_pcb_id(ids[i].code), ids[i].id, "%X is %X", ids[i].code, harness_pcb_id(ids[i].code));
    cr_expect_lt(harness_pcb_id(0x3FF), 0x300);
    cr_expect_eq(harness_pcb_write_address(1), 0x10400010);
    cr_expect_eq(harness_pcb_write_address(9), 0x10400C00);
    cr_expect_eq(harness_pcb_write_address(21), 0x104018E0);
    for (uint32_t index = 1; index < PCB_WRITES; index++) {
        const uint32_t back = harness_pcb_write_index(harness_pcb_write_address(index));
        cr_expect(back != 0 && harness_pcb_write_address(back) == harness_pcb_write_address(index));
    }
}
