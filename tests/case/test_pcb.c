/* The binary form: total, exact, and tame under mutation. */
#include "harness/case/formats.h"
#include "harness/case/pcb.h"
#include "tests/case/captures.h"
#include "tests/case/random_case.h"

#include <criterion/criterion.h>
#include <stdio.h>
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
        cr_assert(harness_list_write(room.a, &run->data.list, id, 0x11111111));
    const size_t size = encode(room.a, room.bytes);
    /* The last command: two bytes of head, four of the parameter. */
    room.bytes[size - 3] ^= 0x10;
    cr_assert(harness_pcb_decode(room.b, room.bytes, size));
    cr_assert_not(harness_case_equal(room.a, room.b, true));
    *harness_command_edit(harness_list_edit(&run->data.list, 15)) = 0x11110111;
    cr_expect(harness_case_equal(room.a, room.b, true));
    close_room(&room);
}

/* A tail of no words, in both forms: nothing is read for it, and nothing written. */
Test(pcb, a_tail_may_have_no_words)
{
    struct room room = open_room();
    for (uint32_t form = 0; form < 2; form++) {
        uint8_t bytes[64] = { 0x40, 0xC0, 0x00, form == 0 ? 0x89 : 0x99, 0x00, 0x41, 0xC0 };
        memset(bytes + 7, 0xFF, sizeof bytes - 7);
        cr_assert(harness_pcb_decode(room.a, bytes, sizeof bytes));
        cr_assert_eq(room.a->operations[0].data.list.count, 1);
        cr_expect_eq(room.a->operations[0].data.list.tail_count, 0);
        cr_expect_eq(room.a->operations[1].data.list.commands[0].id, 0x041);
        expect_total(&room, bytes, sizeof bytes);
    }
    close_room(&room);
}

Test(pcb, removing_a_whole_command_removes_only_it)
{
    struct room room = open_room();
    cr_assert(harness_pcb_decode(room.a, (const uint8_t *)"", 0));
    struct harness_operation *const run = harness_case_add_run(room.a, 0x18000000);
    for (uint16_t id = 0x100; id < 0x110; id++)
        cr_assert(harness_list_write(room.a, &run->data.list, id, 0x11223344u + id));
    const size_t size = encode(room.a, room.bytes);
    memmove(room.bytes + size - 18, room.bytes + size - 12, 12); /* commands of six bytes: the 14th goes */
    cr_assert(harness_pcb_decode(room.b, room.bytes, size - 6));
    harness_list_remove(&run->data.list, 13, 1);
    cr_expect(harness_case_equal(room.a, room.b, true));
    close_room(&room);
}

/* Encodes room.a, which must give these bytes, and decodes them into room.b, which must be the same case. */
static void expect_bytes(struct room *room, const uint8_t *bytes, size_t size)
{
    const size_t encoded = encode(room->a, room->bytes);
    cr_assert_eq(encoded, size, "%zu bytes", encoded);
    cr_assert_arr_eq(room->bytes, bytes, size);
    cr_assert(harness_pcb_decode(room->b, room->bytes, encoded));
    cr_assert(harness_case_equal(room->a, room->b, true));
}

/* The usual case with a run at the start of VRAM. */
static struct harness_list *usual_list(struct room *room)
{
    cr_assert(harness_pcb_decode(room->a, (const uint8_t *)"", 0));
    return &harness_case_add_run(room->a, 0x18000000)->data.list;
}

static void expect_command(uint8_t mask, bool consecutive, const uint32_t *words, uint32_t count, const char *hex)
{
    struct room room = open_room();
    const struct harness_writes writes = {
        .id = 0x107, .mask = mask, .consecutive = consecutive, .parameters = words, .count = count
    };
    uint8_t bytes[64];
    size_t size = 0;
    cr_assert_not_null(harness_list_insert(room.a, usual_list(&room), 0, &writes));
    for (unsigned byte = 0; sscanf(hex + 3 * size, "%2x", &byte) == 1; size++)
        bytes[size] = (uint8_t)byte;
    expect_bytes(&room, bytes, size);
    close_room(&room);
}

Test(pcb, a_command_takes_the_shortest_form)
{
    static const struct {
        uint8_t mask;
        bool consecutive;
        uint32_t count;
        uint32_t words[4];
        const char *hex;
    } rows[] = {
        { 0xF, false, 1, { 0 }, "07 C1 " },
        { 0xF, false, 1, { 0x003F0000 }, "07 D1 3F " },
        { 0xF, false, 1, { 0x12003400 }, "07 E9 34 12 " },
        { 0xF, false, 1, { 0x12345678 }, "07 01 78 56 34 12 " },
        { 0xA, false, 1, { 0 }, "07 B9 00 05 00 " },
        { 0xA, false, 1, { 1 }, "07 15 01 00 00 00 " },
        { 0xF, true, 1, { 1 }, "07 AD 00 01 01 " },
        { 0xF, false, 2, { 0x4C000000, 0x88000000 }, "07 A9 01 88 4C 88 " },
        { 0xF, false, 3, { 0, 0, 1 }, "07 A9 02 00 01 01 " },
        { 0xF, true, 2, { 0x12345678, 0x9ABCDEF1 }, "07 A5 01 78 56 34 12 F1 DE BC 9A " },
        { 0x5, true, 2, { 0x12345678, 0x9ABCDEF1 }, "07 B5 01 0A 78 56 34 12 F1 DE BC 9A " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_command(rows[i].mask, rows[i].consecutive, rows[i].words, rows[i].count, rows[i].hex);
}

Test(pcb, the_usual_window_and_a_list_at_its_start_take_no_bytes)
{
    static const uint8_t write[] = { 0x2E, 0xC2 };
    static const uint8_t twice[] = { 0x2E, 0xC2, 0x00, 0x98, 0x08, 0x18, 0x2E, 0xC2 };
    static const uint8_t empty[] = { 0x00, 0x98, 0x08, 0x18 };
    struct room room = open_room();
    static const uint8_t window[] = { 0x00, 0x90, 0x04, 0x10 };
    struct harness_list *const list = usual_list(&room);
    expect_bytes(&room, empty, sizeof empty);
    cr_assert(harness_list_write(room.a, list, 0x22E, 0));
    expect_bytes(&room, write, sizeof write);
    struct harness_list *const second = &harness_case_add_run(room.a, 0x18000000)->data.list;
    cr_assert(harness_list_write(room.a, second, 0x22E, 0));
    expect_bytes(&room, twice, sizeof twice);
    harness_case_remove(room.a, 0, 2);
    expect_bytes(&room, window, sizeof window); /* no file is empty */
    close_room(&room);
}

Test(pcb, a_list_in_memory_or_a_tail_in_front_keeps_a_run_apart)
{
    static uint32_t word = 7;
    static const uint8_t behind_tail[] = { 0x2E, 0xC2, 0x00, 0x99, 0x01, 0x01, 0x07, 0x2E, 0xC2 };
    static const uint8_t behind_list[] = { 0x01, 0x97, 0x08, 0x18, 0x2E, 0xC2, 0x00, 0x98, 0x08, 0x18, 0x2E, 0xC2 };
    struct room room = open_room();
    struct harness_list *list = usual_list(&room);
    cr_assert(harness_list_write(room.a, list, 0x22E, 0));
    list->tail = &word;
    list->tail_count = 1;
    list = &harness_case_add_run(room.a, 0x18000000)->data.list;
    cr_assert(harness_list_write(room.a, list, 0x22E, 0));
    expect_bytes(&room, behind_tail, sizeof behind_tail);
    room.a->operations[0].kind = HARNESS_LOAD;
    room.a->operations[0].data.list.tail_count = 0;
    expect_bytes(&room, behind_list, sizeof behind_list);
    close_room(&room);
}

/* As encoders of the first form wrote it: a window of two numbers, words in full, heads of four bytes. */
Test(pcb, files_of_the_first_form_mean_what_they_meant)
{
    static const uint8_t first[] = { 0x00, 0x80, 0x00, 0x00, 0x01, 0x00, 0x00, 0x88, 0x00, 0x00, 0x00, 0x18,
                                     0x2E, 0x02, 0x01, 0x00, 0x00, 0x00, 0x07, 0x41, 0x01, 0x01, 0x02, 0x00,
                                     0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x01, 0x8C, 0x04, 0x00, 0x00, 0x00,
                                     0x05, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00 };
    static const uint32_t pair[] = { 2, 3 }, fill[] = { 4, 5, 6, 7 };
    const struct harness_writes writes = {
        .id = 0x107, .mask = 0xF, .consecutive = true, .parameters = pair, .count = 2
    };
    struct room room = open_room();
    struct harness_list *const list = usual_list(&room);
    room.a->windows[0].size = 0x1000;
    cr_assert(harness_list_write(room.a, list, 0x22E, 1));
    cr_assert_not_null(harness_list_insert(room.a, list, 1, &writes));
    cr_assert_not_null(harness_case_add_fill(room.a, 1, fill));
    cr_assert(harness_pcb_decode(room.b, first, sizeof first));
    cr_expect(harness_case_equal(room.a, room.b, true));
    cr_expect_lt(encode(room.b, room.bytes), sizeof first / 2);
    close_room(&room);
}

Test(pcb, packed_words_that_the_file_cuts_short_are_no_more_than_it_can_hold)
{
    static const uint8_t bytes[] = { 0x07, 0xA9, 0xFF, 0x11, 0x01 }; /* 256 words wanted, two bytes left */
    struct room room = open_room();
    cr_assert(harness_pcb_decode(room.a, bytes, sizeof bytes));
    const struct harness_command *const command = &room.a->operations[0].data.list.commands[0];
    cr_expect_eq(command->count, 4);
    cr_expect_eq(command->parameters[0], 1);
    cr_expect_eq(command->parameters[1], 0);
    close_room(&room);
}

/* Near the end of a file each byte is checked for; far from it whole commands are taken. */
Test(pcb, commands_at_the_end_mean_what_they_mean_before_other_records)
{
    enum {
        BEHIND = 1500 /* a packed command of 256 parameters and more */
    };
    struct room room = open_room();
    struct test_random random;
    uint32_t commands = 0;
    test_random_seed(&random, 12);
    for (uint32_t round = 0; round < 2000; round++) {
        test_random_case(&random, room.a, false);
        uint32_t last = 0; /* the first list with commands: what comes after it goes */
        while (last < room.a->operation_count && room.a->operations[last].data.list.count == 0)
            last++;
        if (last == room.a->operation_count)
            continue;
        room.a->operation_count = last + 1;
        room.a->operations[last].data.list.tail_count = 0;
        const size_t size = encode(room.a, room.bytes);
        for (size_t i = 0; i < BEHIND; i += 2) { /* vertical blanks, two bytes each */
            room.bytes[size + i] = 0x00;
            room.bytes[size + i + 1] = 0x8E;
        }
        cr_assert(harness_pcb_decode(room.a, room.bytes, size));
        cr_assert(harness_pcb_decode(room.b, room.bytes, size + BEHIND));
        cr_assert_eq(room.b->operation_count, room.a->operation_count + BEHIND / 2);
        commands += room.a->operations[room.a->operation_count - 1].data.list.count;
        harness_case_remove(room.b, room.a->operation_count, BEHIND / 2);
        cr_assert(harness_case_equal(room.a, room.b, true));
    }
    cr_expect(commands > 2000);
    close_room(&room);
}

/* Whatever the room is: the same bytes as far as they fit, and none beyond. */
Test(pcb, an_encoding_without_room_is_the_beginning_of_the_whole)
{
    struct room room = open_room();
    struct test_random random;
    test_random_seed(&random, 13);
    for (uint32_t round = 0; round < 500; round++) {
        size_t needed;
        test_random_case(&random, room.a, false);
        const size_t size = encode(room.a, room.bytes);
        for (uint32_t k = 0; k < 16; k++) {
            const size_t capacity = test_random_below(&random, (uint32_t)size);
            memset(room.mutated, 0xA5, size + 16);
            cr_assert_eq(harness_pcb_encode(room.a, room.mutated, capacity, &needed, NULL), HARNESS_TOO_LARGE);
            cr_assert_eq(needed, size);
            for (size_t i = capacity; i < size + 16; i++)
                cr_assert_eq(room.mutated[i], 0xA5);
            cr_assert_eq(memcmp(room.bytes, room.mutated, capacity), 0);
        }
    }
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
    room.a->windows[0].size = 0x1000;
    cr_expect_eq(harness_pcb_encode(room.a, room.bytes, 3, &size, &error), HARNESS_TOO_LARGE);
    cr_expect_eq(size, 4, "one window");
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
