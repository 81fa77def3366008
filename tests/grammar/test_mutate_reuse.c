/* The kinds of mutation that know what outlives a draw, and the addresses that they take. */
#include "harness/grammar/mutate_parts.h"
#include "harness/grammar/ranges.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

enum {
    TEXTURE = 0x18000400, /* A8, 16 x 16 */
    TARGET = 0x18000800
};

/* A case that draws once, with one texture. */
static void draw_once(struct harness_case *test_case)
{
    harness_case_reset(test_case);
    cr_assert(harness_case_add_window(test_case, PICA_VRAM_ADDRESS, 0x4000));
    struct harness_operation *const run = harness_case_add_run(test_case, PICA_VRAM_ADDRESS + 0x2000);
    struct harness_list *const list = &run->data.list;
    cr_assert(harness_list_write(test_case, list, PICA_REG_TEXUNIT_CONFIG, 1));
    cr_assert(harness_list_write(test_case, list, PICA_REG_TEXUNIT0_DIM, 16u << 16 | 16u));
    cr_assert(harness_list_write(test_case, list, PICA_REG_TEXUNIT0_TYPE, PICA_TEXTURE_FORMAT_A8));
    cr_assert(harness_list_write(test_case, list, PICA_REG_TEXUNIT0_ADDR1, TEXTURE >> 3));
    cr_assert(harness_list_write(test_case, list, PICA_REG_COLORBUFFER_LOC, TARGET >> 3));
    cr_assert(harness_list_write(test_case, list, PICA_REG_DRAWARRAYS, 1));
}

static bool change(struct harness_case *test_case, bool (*kind)(const struct mutation *mutation), uint64_t seed)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    const struct mutation mutation = { .test_case = test_case, .random = &random };
    return kind(&mutation);
}

static uint32_t count_draws(const struct harness_list *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        count += list->commands[i].id == PICA_REG_DRAWARRAYS;
    return count;
}

/* Where an operation writes. */
static bool range_of(const struct harness_operation *operation, struct harness_range *out)
{
    struct harness_range in;
    if (operation->kind == HARNESS_FILL)
        return harness_range_of_fill(operation->words, out);
    if (operation->kind == HARNESS_TRANSFER)
        return harness_ranges_of_transfer(operation->words, &in, out);
    *out = (struct harness_range){ .address = operation->address, .bytes = operation->data.size };
    return operation->kind == HARNESS_LOAD;
}

Test(mutate_reuse, MEM_05_what_a_draw_read_is_written_and_the_draw_comes_again)
{
    struct harness_case *const test_case = harness_case_create();
    uint32_t kinds[8] = { 0 };
    uint32_t texture = 0, last = 0, into = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct harness_range range;
        draw_once(test_case);
        cr_assert(change(test_case, mutate_reuse, seed));
        if (test_case->operation_count == 1) {
            into += count_draws(&test_case->operations[0].data.list) == 3;
            continue;
        }
        cr_assert_eq(test_case->operation_count, 3);
        cr_assert_eq(count_draws(&test_case->operations[2].data.list), 1);
        cr_assert(range_of(&test_case->operations[1], &range), "seed %d", (int)seed);
        kinds[test_case->operations[1].kind]++;
        texture += harness_ranges_meet(range.address, range.bytes, TEXTURE, 256);
        last += range.address == TEXTURE + 192 && range.bytes == 64;
    }
    cr_expect(kinds[HARNESS_LOAD] > 20 && kinds[HARNESS_FILL] > 20 && kinds[HARNESS_TRANSFER] > 40);
    cr_expect_gt(texture, 50);
    cr_expect_gt(last, 5, "the last tile alone: %u", last);
    cr_expect_gt(into, 20, "drawn into: %u", into);
    harness_case_destroy(test_case);
}

/* Words of the last write to a register before the n-th draw; UINT32_MAX if there is none. */
static uint32_t word_at_draw(const struct harness_list *list, uint32_t id, uint32_t draw)
{
    uint32_t word = UINT32_MAX;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->commands[i].id == PICA_REG_DRAWARRAYS && draw-- == 0)
            return word;
        word = list->commands[i].id == id ? list->commands[i].parameters[0] : word;
    }
    return word;
}

Test(mutate_reuse, a_delta_changes_one_word_between_two_draws_and_often_takes_it_back)
{
    static const uint32_t ids[] = { PICA_REG_TEXUNIT_CONFIG, PICA_REG_TEXUNIT0_DIM, PICA_REG_TEXUNIT0_TYPE,
                                    PICA_REG_TEXUNIT0_ADDR1, PICA_REG_COLORBUFFER_LOC };
    struct harness_case *const test_case = harness_case_create();
    uint32_t back = 0, made = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint32_t different = 0, restored = 0;
        draw_once(test_case);
        if (!change(test_case, mutate_delta, seed))
            continue;
        const struct harness_list *const list = &test_case->operations[0].data.list;
        const uint32_t draws = count_draws(list);
        for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
            different += word_at_draw(list, ids[i], 0) != word_at_draw(list, ids[i], 1);
            restored += draws == 3 && word_at_draw(list, ids[i], 0) == word_at_draw(list, ids[i], 2);
        }
        cr_assert(draws == 2 || draws == 3);
        cr_expect_eq(different, 1, "seed %d: %u", (int)seed, different);
        back += restored == 5;
        made++;
    }
    cr_expect_gt(made, 100);
    cr_expect_gt(back, 30);
    harness_case_destroy(test_case);
}

/* What draw_once names, in windows in which chance finds none of it. */
static const uint32_t named_places[] = { TEXTURE, TARGET, PICA_VRAM_ADDRESS + 0x2000 };

enum {
    DRAWN = 4000
};

static void draw_addresses(uint32_t addresses[DRAWN])
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_random random;
    draw_once(test_case);
    cr_assert(harness_case_add_window(test_case, PICA_FCRAM_ADDRESS, 0x1000000));
    cr_assert(harness_case_add_window(test_case, PICA_FCRAM_ADDRESS + 0x2000000, 0x1000000));
    cr_assert(harness_case_add_window(test_case, PICA_FCRAM_ADDRESS + 0x4000000, 0x1000000));
    harness_random_init(&random, 1);
    const struct mutation mutation = { .test_case = test_case, .random = &random };
    for (int i = 0; i < DRAWN; i++)
        addresses[i] = mutate_any_address(&mutation);
    harness_case_destroy(test_case);
}

/* From a few blocks before a place to a few tiles behind its first byte. */
static bool is_near(uint32_t address)
{
    for (size_t p = 0; p < sizeof named_places / sizeof named_places[0]; p++)
        if (address - (named_places[p] - 160u) <= 160u + 512u)
            return true;
    return false;
}

/* The only bit in which the address is another one than a place; 32 if there is none. */
static uint32_t alias_bit(uint32_t address)
{
    for (size_t p = 0; p < sizeof named_places / sizeof named_places[0]; p++)
        for (uint32_t bit = 0; bit < 32; bit++)
            if ((address ^ named_places[p]) == 1u << bit)
                return bit;
    return 32;
}

Test(mutate_reuse, most_addresses_are_near_those_that_the_case_names)
{
    static uint32_t addresses[DRAWN];
    uint32_t exact = 0, near = 0;
    draw_addresses(addresses);
    for (uint32_t i = 0; i < DRAWN; i++) {
        for (size_t p = 0; p < sizeof named_places / sizeof named_places[0]; p++)
            exact += addresses[i] == named_places[p];
        near += is_near(addresses[i]);
    }
    cr_expect_gt(near, DRAWN * 55 / 100, "%u of %u are near", near, (unsigned)DRAWN);
    cr_expect_gt(exact, DRAWN * 30 / 100, "%u of %u are the first byte", exact, (unsigned)DRAWN);
}

/* Who looks at some of the bits of an address only takes it for another one. */
Test(mutate_reuse, addresses_are_aliases_of_those_that_the_case_names)
{
    static uint32_t addresses[DRAWN];
    uint32_t aliases[33] = { 0 };
    draw_addresses(addresses);
    for (uint32_t i = 0; i < DRAWN; i++)
        if (!is_near(addresses[i]))
            aliases[alias_bit(addresses[i])]++;
    for (uint32_t bit = 11; bit < 20; bit++)
        cr_expect_gt(aliases[bit], 5, "bit %u: %u of %u", bit, aliases[bit], (unsigned)DRAWN);
}

/* How often each of the addresses is a place that the case names. */
static void count_named(struct harness_case *test_case, const uint32_t *addresses, uint32_t count, uint32_t *named)
{
    struct harness_random random;
    struct mutate_place place;
    harness_random_init(&random, 1);
    const struct mutation mutation = { .test_case = test_case, .random = &random };
    for (int i = 0; i < 2000; i++) {
        cr_assert(mutate_named_place(&mutation, &place));
        for (uint32_t a = 0; a < count; a++)
            named[a] += place.address == addresses[a];
    }
}

/* VTX-01, VTX-03, VTX-21, CUB-03, FBF-02, SUB-02: each word in the unit of its field, what is relative with its base,
 * the upper bits of the first face. */
Test(mutate_reuse, places_are_what_arrays_indices_faces_buffers_and_jumps_name)
{
    static const uint32_t addresses[] = {
        0x20000050, 0x20000250, 0x20000450,      0x19000000, 0x19000400, 0x19000800, 0x19000C00,
        0x19001000, TARGET,     TARGET + 0x1000, 0x20100010, TEXTURE,    0x1F000008, PICA_VRAM_ADDRESS + 0x2000
    };
    enum {
        ADDRESSES = sizeof addresses / sizeof addresses[0]
    };
    static const uint32_t words[][2] = {
        { PICA_REG_ATTRIBBUFFERS_LOC, 0x20000050 >> 3 },
        { PICA_REG_ATTRIBBUFFER0_OFFSET, 0x200 },
        { PICA_REG_INDEXBUFFER_CONFIG, 0x80000400 },
        { PICA_REG_COLORBUFFER_LOC, TARGET >> 3 | 7 }, /* three bits that mean nothing */
        { PICA_REG_DEPTHBUFFER_LOC, (TARGET + 0x1000) >> 3 },
        { PICA_REG_CMDBUF_ADDR0, 0x20100010 >> 3 },
        { PICA_REG_TEXUNIT1_ADDR, 0xF0000000 | TEXTURE >> 3 },
        { PICA_REG_TEXUNIT2_ADDR, 0x1F000008 >> 3 },
        { PICA_REG_TEXUNIT0_ADDR1, 0x18FFFFC0 >> 3 },
    };
    uint32_t faces[6], named[ADDRESSES] = { 0 };
    struct harness_case *const test_case = harness_case_create();
    harness_case_reset(test_case);
    cr_assert(harness_case_add_window(test_case, PICA_VRAM_ADDRESS, 0x4000));
    struct harness_list *const list = &harness_case_add_run(test_case, PICA_VRAM_ADDRESS + 0x2000)->data.list;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        cr_assert(harness_list_write(test_case, list, (uint16_t)words[i][0], words[i][1]));
    for (uint32_t face = 0; face < 6; face++)
        faces[face] = face == 0 ? 0x19000000 >> 3 : ((0x19000000 + 0x400 * (face - 1)) >> 3) & 0x3FFFFF;
    const struct harness_writes cube = {
        .id = PICA_REG_TEXUNIT0_ADDR1, .mask = 15, .consecutive = true, .parameters = faces, .count = 6
    };
    cr_assert_not_null(harness_list_insert(test_case, list, list->count, &cube));
    count_named(test_case, addresses, ADDRESSES, named);
    for (uint32_t a = 0; a < ADDRESSES; a++)
        cr_expect_gt(named[a], 50, "0x%08X: %u", (unsigned)addresses[a], (unsigned)named[a]);
    harness_case_destroy(test_case);
}

/* REG-45: the base that a case begins with. */
Test(mutate_reuse, places_of_arrays_begin_with_the_base_of_the_initial_state)
{
    static const uint32_t address = 0x20000250;
    uint32_t named = 0;
    struct harness_case *const test_case = harness_case_create();
    harness_case_reset(test_case);
    struct harness_state *const state = harness_case_state(test_case);
    cr_assert_not_null(state);
    state->values.registers[PICA_REG_ATTRIBBUFFERS_LOC] = 0x20000050 >> 3;
    struct harness_list *const list = &harness_case_add_run(test_case, PICA_VRAM_ADDRESS)->data.list;
    cr_assert(harness_list_write(test_case, list, PICA_REG_ATTRIBBUFFER0_OFFSET, 0x200));
    count_named(test_case, &address, 1, &named);
    cr_expect_gt(named, 500, "%u of 2000", (unsigned)named);
    harness_case_destroy(test_case);
}

/* PSC-06: a fill whose END moved alone writes nothing, or too much. */
Test(mutate_reuse, start_and_end_of_a_fill_change_together)
{
    struct harness_case *const test_case = harness_case_create();
    static const uint32_t words[4] = { (TARGET) >> 3, (TARGET + 0x100) >> 3, 0, 1 };
    uint32_t moved = 0, alone = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        draw_once(test_case);
        cr_assert_not_null(harness_case_add_fill(test_case, 0, words));
        (void)change(test_case, mutate_operation_words, seed);
        const uint32_t *const now = test_case->operations[1].words;
        moved += now[0] != words[0] && now[1] > now[0];
        alone += now[0] != words[0] && now[1] == words[1];
    }
    cr_expect_gt(moved, 2 * alone, "%u, %u", moved, alone);
    cr_expect_gt(moved, 40);
    harness_case_destroy(test_case);
}
