/* Cases that were decoded from lent bytes: the encoder copies what has not changed, and nobody can see it. */
#include "harness/case/formats.h"
#include "harness/case/pcb.h"
#include "tests/case/random_case.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 1 << 22
};

/* Two cases that are to stay the same; the second has an origin. */
struct room {
    struct test_random random;
    struct harness_case *made;
    struct harness_case *plain;
    struct harness_case *lent;
    struct harness_case *other; /* lent too: what commands are copied from */
    uint8_t *bytes, *other_bytes, *expected, *found;
};

static struct room open_room(uint64_t seed)
{
    struct room room = { .made = harness_case_create(),
                         .plain = harness_case_create(),
                         .lent = harness_case_create(),
                         .other = harness_case_create(),
                         .bytes = malloc(CAPACITY),
                         .other_bytes = malloc(CAPACITY),
                         .expected = malloc(CAPACITY),
                         .found = malloc(CAPACITY) };
    cr_assert(room.made != NULL && room.plain != NULL && room.lent != NULL && room.other != NULL);
    cr_assert(room.bytes != NULL && room.other_bytes != NULL && room.expected != NULL && room.found != NULL);
    test_random_seed(&room.random, seed);
    return room;
}

static void close_room(struct room *room)
{
    harness_case_destroy(room->made);
    harness_case_destroy(room->plain);
    harness_case_destroy(room->lent);
    harness_case_destroy(room->other);
    free(room->bytes);
    free(room->other_bytes);
    free(room->expected);
    free(room->found);
}

static size_t encode(const struct harness_case *test_case, uint8_t *bytes)
{
    size_t size;
    struct harness_error error = { "" };
    cr_assert_eq(harness_pcb_encode(test_case, bytes, CAPACITY, &size, &error), HARNESS_OK, "%s", error.message);
    return size;
}

/* A random case, as bytes. */
static size_t make(struct room *room, uint8_t *bytes)
{
    test_random_case(&room->random, room->made, false);
    return encode(room->made, bytes);
}

static void decode_both(struct room *room, size_t size)
{
    cr_assert(harness_pcb_decode(room->plain, room->bytes, size));
    cr_assert(harness_pcb_decode_lent(room->lent, room->bytes, size));
    cr_assert_null(room->plain->origin);
    cr_assert_not_null(room->lent->origin);
}

static void expect_same(struct room *room, const char *after)
{
    cr_assert(harness_case_equal(room->plain, room->lent, true), "after %s", after);
    const size_t expected = encode(room->plain, room->expected), found = encode(room->lent, room->found);
    cr_assert_eq(found, expected, "after %s", after);
    cr_assert_arr_eq(room->found, room->expected, expected, "after %s", after);
}

/* The lists that run, one of them; NULL if it has no command. */
static struct harness_list *list_of(struct harness_case *test_case, uint32_t number)
{
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        struct harness_operation *const operation = &test_case->operations[(number + i) % test_case->operation_count];
        if (operation->kind == HARNESS_RUN && operation->data.list.count != 0)
            return &operation->data.list;
    }
    return NULL;
}

/* What one change does; each gets the same random numbers for both cases. */
struct change {
    struct harness_case *test_case;
    struct harness_list *list;
    const struct harness_list *from; /* of another case */
    uint32_t a, b;                   /* commands of the list */
    uint32_t word;
};

static void change_parameter(const struct change *change)
{
    struct harness_command *const command = harness_list_edit(change->list, change->a);
    harness_command_edit(command)[change->word % command->count] = change->word;
}

static void change_header(const struct change *change)
{
    struct harness_command *const command = harness_list_edit(change->list, change->a);
    command->id = (uint16_t)change->word;
    command->mask = (uint8_t)(change->word >> 16 & 0xFu);
    command->consecutive = (change->word >> 20 & 1u) != 0;
    command->ignored = (uint8_t)(change->word >> 21 & 7u);
}

static void change_parameters(const struct change *change)
{
    const uint32_t words[3] = { change->word, 0, ~change->word };
    cr_assert(harness_command_set(change->test_case, harness_list_edit(change->list, change->a), words,
                                  1 + change->word % 3));
}

static void insert(const struct change *change)
{
    const struct harness_writes writes = {
        .id = (uint16_t)(change->word % 0x400u), .mask = 0xF, .parameters = &change->word, .count = 1
    };
    cr_assert_not_null(harness_list_insert(change->test_case, change->list, change->a, &writes));
}

static void remove_one(const struct change *change)
{
    harness_list_remove(change->list, change->a, 1 + change->word % 2);
}

static void move(const struct change *change)
{
    harness_list_move(change->list, change->a, change->b);
}

static void swap(const struct change *change)
{
    harness_list_swap(change->list, change->a, change->b);
}

static void copy_from_elsewhere(const struct change *change)
{
    const uint32_t first = change->word % change->from->count;
    const uint32_t left = change->from->count - first;
    const uint32_t count = left < 3 ? left : 3;
    cr_assert_eq(
        harness_list_insert_copies(change->test_case, change->list, change->a, change->from->commands + first, count),
        count);
}

static const struct {
    const char *name;
    void (*apply)(const struct change *change);
} changes[] = {
    { "a parameter", change_parameter },
    { "a header", change_header },
    { "all parameters", change_parameters },
    { "insertion", insert },
    { "removal", remove_one },
    { "a move", move },
    { "a swap", swap },
    { "copies of another case", copy_from_elsewhere },
};

/* The same change of both cases; false if they have no commands. */
static bool change_both(struct room *room, uint32_t kind)
{
    struct harness_case *const cases[2] = { room->plain, room->lent };
    const uint32_t number = test_random_word(&room->random) % 1024u, a = test_random_word(&room->random),
                   b = test_random_word(&room->random), word = test_random_word(&room->random);
    const struct harness_list *const from = list_of(room->other, number);
    for (uint32_t i = 0; i < 2; i++) {
        struct harness_list *const list = list_of(cases[i], number);
        if (list == NULL || from == NULL)
            return false;
        changes[kind].apply(&(struct change){ cases[i], list, from, a % list->count, b % list->count, word });
    }
    return true;
}

Test(pcb_origin, unchanged_cases_have_their_bytes)
{
    struct room room = open_room(40);
    for (uint32_t round = 0; round < 1500; round++) {
        const size_t size = make(&room, room.bytes);
        decode_both(&room, size);
        expect_same(&room, "nothing");
    }
    close_room(&room);
}

/* Forms that the encoder never chooses, cut off ends: the same as if nothing had been lent. */
Test(pcb_origin, bytes_that_no_encoder_gave)
{
    struct room room = open_room(41);
    for (uint32_t round = 0; round < 3000; round++) {
        size_t size = make(&room, room.bytes);
        for (uint32_t i = 0; i < round % 7; i++)
            room.bytes[test_random_below(&room.random, (uint32_t)size)] = (uint8_t)test_random_word(&room.random);
        if (round % 3 == 0)
            size = test_random_below(&room.random, (uint32_t)size + 1);
        if (round % 5 == 0)
            for (size_t i = 0; i < size; i++)
                room.bytes[i] = (uint8_t)test_random_word(&room.random);
        decode_both(&room, size);
        expect_same(&room, "nothing");
    }
    close_room(&room);
}

/* How many commands of the lent case have an origin: of all, of those with several parameters, of consecutive ones. */
struct owned {
    uint32_t all, several, consecutive;
};

static void count_owned(const struct harness_case *test_case, struct owned *owned)
{
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        const struct harness_list *const list = &test_case->operations[i].data.list;
        for (uint32_t k = 0; k < list->count; k++)
            if (list->commands[k].origin != 0) {
                owned->all++;
                owned->several += list->commands[k].count > 1 ? 1 : 0;
                owned->consecutive += list->commands[k].consecutive ? 1 : 0;
            }
    }
}

/* The bytes of a list's first command, with two words. */
static void put_command(uint8_t *bytes, uint32_t head, uint32_t extra, const uint32_t words[2])
{
    static const uint8_t run[6] = { 0x00, 0x88 };
    size_t size = sizeof run;
    memcpy(bytes, run, sizeof run);
    bytes[size++] = (uint8_t)head;
    bytes[size++] = (uint8_t)(head >> 8);
    if (head >= 0x8000 && head < 0xC000)
        bytes[size++] = (uint8_t)extra;
    for (uint32_t i = 0; i < 8; i++)
        bytes[size++] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
}

/* Each form of a command with each parameter in it that makes it the encoder's or not. */
Test(pcb_origin, every_form_of_a_short_command)
{
    static const uint32_t words[] = { 0, 0x11, 0x1100, 0x11001100, 0x110011, 0x11111111, 0x80000000, 0xFFFF };
    struct room room = open_room(42);
    struct owned owned = { 0, 0, 0 };
    for (uint32_t head = 0; head < 0x10000; head += 0x400)
        for (uint32_t w = 0; w < 8 * 8; w++)
            for (uint32_t extra = 0; extra < 3; extra++) {
                memset(room.bytes, 0x5A, 64);
                put_command(room.bytes, head | (0x12B + extra), extra,
                            (const uint32_t[2]){ words[w / 8], words[w % 8] });
                decode_both(&room, 46);
                count_owned(room.lent, &owned);
                expect_same(&room, "nothing");
            }
    cr_expect_gt(owned.all, 1000);
    cr_expect_gt(owned.several, 100);
    cr_expect_gt(owned.consecutive, 100);
    close_room(&room);
}

Test(pcb_origin, changes_are_encoded)
{
    const uint32_t kinds = sizeof changes / sizeof changes[0];
    struct room room = open_room(43);
    uint32_t applied = 0;
    for (uint32_t round = 0; round < 12000; round++) {
        const size_t size = make(&room, room.bytes), other = make(&room, room.other_bytes);
        decode_both(&room, size);
        cr_assert(harness_pcb_decode_lent(room.other, room.other_bytes, other));
        for (uint32_t i = 0; i <= round % 4; i++) {
            const uint32_t kind = (round + i) % kinds;
            applied += change_both(&room, kind) ? 1 : 0;
            expect_same(&room, changes[kind].name);
        }
    }
    cr_expect_gt(applied, 1000);
    close_room(&room);
}

/* That anything is copied at all: all of a list but what lies at the end of the bytes, until it is edited. */
Test(pcb_origin, commands_keep_their_bytes_until_they_are_edited)
{
    struct room room = open_room(44);
    cr_assert(harness_pcb_decode(room.made, (const uint8_t *)"", 0));
    struct harness_operation *const run = harness_case_add_run(room.made, 0x18000000);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t words[4] = { i << 8, 0x11111111 * (i % 16), i, i % 3 };
        const struct harness_writes writes = { .id = (uint16_t)(0x100 + i),
                                               .mask = i % 5 == 0 ? 0x3 : 0xF,
                                               .consecutive = i % 4 == 0,
                                               .parameters = words,
                                               .count = i % 5 == 0 ? 1 : 1 + i % 4 };
        cr_assert_not_null(harness_list_insert(room.made, &run->data.list, i, &writes));
    }
    const size_t size = encode(room.made, room.bytes);
    decode_both(&room, size);
    struct harness_list *const list = &room.lent->operations[0].data.list;
    uint32_t copied = 0, next = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t origin = list->commands[i].origin;
        copied += origin != 0 ? 1 : 0;
        if (origin != 0 && next != 0)
            cr_expect_eq(harness_pcb_origin_start(origin), next);
        next = origin != 0 ? harness_pcb_origin_start(origin) + harness_pcb_origin_size(origin) : 0;
        cr_expect_eq(room.plain->operations[0].data.list.commands[i].origin, 0);
    }
    cr_expect_geq(copied, 50);
    cr_expect_neq(list->commands[7].origin, 0);
    (void)harness_list_edit(list, 7);
    cr_expect_eq(list->commands[7].origin, 0);
    cr_expect_neq(list->commands[8].origin, 0);
    struct harness_list copy;
    cr_assert(harness_list_copy(room.lent, &copy, list));
    cr_expect_eq(copy.commands[8].origin, 0, "a copy may go to another case");
    close_room(&room);
}

/* Where a command lies can be told in a file of 1 MiB; one that is larger is decoded all the same. */
Test(pcb_origin, large_files_are_not_lent)
{
    struct room room = open_room(45);
    const size_t size = make(&room, room.bytes);
    memset(room.bytes + size, 0, PCB_ORIGIN_BYTES + 1 - size);
    cr_assert(harness_pcb_decode_lent(room.lent, room.bytes, PCB_ORIGIN_BYTES + 1));
    cr_expect_null(room.lent->origin);
    cr_assert(harness_pcb_decode(room.plain, room.bytes, PCB_ORIGIN_BYTES + 1));
    expect_same(&room, "nothing");
    close_room(&room);
}

/* Beyond a limit there is no encoding, and the message is that of any case. */
Test(pcb_origin, limits_are_looked_at)
{
    struct room room = open_room(46);
    struct harness_error error = { "" };
    size_t size = 1;
    memset(room.bytes, 0, CAPACITY);
    static const uint8_t list[] = { 0x00, 0xA8, 255 }; /* 256 packed words of 0 are 1032 bytes of a list */
    for (uint32_t i = 0; i < 1000; i++)
        memcpy(room.bytes + 131 * (size_t)i, list, sizeof list);
    decode_both(&room, (size_t)131 * 1000);
    expect_same(&room, "nothing");
    struct harness_list *const commands = &room.lent->operations[0].data.list;
    while (harness_list_words(commands) * 4 <= HARNESS_PCB_MAX_DATA) {
        const struct harness_writes writes = harness_command_writes(&commands->commands[0]);
        cr_assert_not_null(harness_list_insert(room.lent, commands, 1, &writes));
    }
    cr_expect_eq(harness_pcb_encode(room.lent, room.found, CAPACITY, &size, &error), HARNESS_TOO_LARGE);
    cr_expect_eq(size, 0);
    cr_expect_not_null(strstr(error.message, "bytes of contents"), "%s", error.message);
    decode_both(&room, (size_t)131 * 10);
    harness_list_edit(&room.lent->operations[0].data.list, 2)->mask = 16;
    cr_expect_eq(harness_pcb_encode(room.lent, room.found, CAPACITY, &size, &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "mask"), "%s", error.message);
    close_room(&room);
}
