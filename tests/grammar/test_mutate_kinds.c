/* The kinds of mutation and of crossover, one by one: all are chosen, all work, all keep the bounds. */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/mutate.h"
#include "harness/grammar/mutate_parts.h"
#include "pica/memory.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 1 << 16
};

struct fixture {
    struct harness_mutator *mutator;
    struct harness_case *test_case;
    uint8_t *bytes; /* CAPACITY each */
    uint8_t *first;
    uint8_t *second;
};

static struct fixture set_up(void)
{
    const struct fixture fixture = { harness_mutator_create(), harness_case_create(), malloc(CAPACITY),
                                     malloc(CAPACITY), malloc(CAPACITY) };
    cr_assert(fixture.mutator != NULL && fixture.test_case != NULL);
    return fixture;
}

static void tear_down(struct fixture *fixture)
{
    harness_mutator_destroy(fixture->mutator);
    harness_case_destroy(fixture->test_case);
    free(fixture->bytes);
    free(fixture->first);
    free(fixture->second);
}

static size_t generate(struct fixture *fixture, uint64_t seed, uint8_t *out)
{
    size_t size = 0;
    harness_generate(fixture->test_case, seed, NULL);
    cr_assert_eq(harness_pcb_encode(fixture->test_case, out, CAPACITY, &size, NULL), HARNESS_OK);
    return size;
}

/* A valid case whose encoding is exactly these bytes. */
static void check_exact(struct fixture *fixture, const uint8_t *bytes, size_t size, const char *kind, uint64_t seed)
{
    uint8_t *const again = malloc(CAPACITY);
    size_t length = 0;
    harness_case_reset(fixture->test_case);
    cr_assert(harness_pcb_decode(fixture->test_case, bytes, size));
    cr_assert_eq(harness_case_check(fixture->test_case, NULL), HARNESS_OK, "%s, seed %d", kind, (int)seed);
    cr_assert_eq(harness_pcb_encode(fixture->test_case, again, CAPACITY, &length, NULL), HARNESS_OK);
    cr_assert(length == size && memcmp(again, bytes, size) == 0, "%s, seed %d", kind, (int)seed);
    free(again);
}

Test(mutate_kinds, each_has_a_name_of_its_own)
{
    cr_assert(harness_mutation_kinds() >= 20 && harness_mutation_kinds() <= 64);
    for (uint32_t k = 0; k < harness_mutation_kinds(); k++)
        for (uint32_t other = 0; other < k; other++)
            cr_assert_str_neq(harness_mutation_kind_name(k), harness_mutation_kind_name(other));
    cr_assert_null(harness_mutation_kind_name(harness_mutation_kinds()));
    cr_assert_null(harness_crossover_kind_name(harness_crossover_kinds()));
}

Test(mutate_kinds, engines_get_all_of_them)
{
    struct fixture fixture = set_up();
    uint32_t seen[64] = { 0 };
    for (uint64_t seed = 0; seed < 8000; seed++) {
        const size_t size = generate(&fixture, seed % 100, fixture.bytes);
        (void)harness_mutate(fixture.mutator, fixture.bytes, size, CAPACITY, seed, NULL);
        for (uint32_t k = 0; k < harness_mutation_kinds(); k++)
            seen[k] += (uint32_t)(harness_mutator_kinds(fixture.mutator) >> k & 1u);
    }
    for (uint32_t k = 0; k < harness_mutation_kinds(); k++)
        cr_assert_geq(seen[k], 15, "%s: %u times", harness_mutation_kind_name(k), seen[k]);
    tear_down(&fixture);
}

/* The bytes as they were if there is nothing to change; else an exact encoding that mostly differs. */
Test(mutate_kinds, each_changes_cases_and_is_decided_by_its_seed)
{
    struct fixture fixture = set_up();
    for (uint32_t k = 0; k < harness_mutation_kinds(); k++) {
        const char *const name = harness_mutation_kind_name(k);
        uint32_t taken = 0;
        uint32_t different = 0;
        for (uint64_t seed = 0; seed < 300; seed++) {
            const size_t size = generate(&fixture, seed, fixture.bytes);
            memcpy(fixture.first, fixture.bytes, size);
            memcpy(fixture.second, fixture.bytes, size);
            const size_t first = harness_mutate_by(fixture.mutator, k, fixture.first, size, CAPACITY, seed);
            const size_t second = harness_mutate_by(fixture.mutator, k, fixture.second, size, CAPACITY, seed);
            const size_t kept = first == 0 ? size : first;
            cr_assert(first == second && memcmp(fixture.first, fixture.second, kept) == 0, "%s %d", name, (int)seed);
            if (first != 0)
                check_exact(&fixture, fixture.first, first, name, seed);
            else
                cr_assert_eq(memcmp(fixture.first, fixture.bytes, size), 0, "%s %d", name, (int)seed);
            taken += first != 0;
            different += first != 0 && (first != size || memcmp(fixture.first, fixture.bytes, size) != 0);
        }
        cr_assert_geq(taken, 20, "%s: %u of 300", name, taken);
        cr_assert_geq(different * 3, taken * 2, "%s: %u of %u differ", name, different, taken);
    }
    tear_down(&fixture);
}

Test(mutate_kinds, none_goes_beyond_the_limit)
{
    struct fixture fixture = set_up();
    for (uint32_t k = 0; k < harness_mutation_kinds(); k++)
        for (uint64_t seed = 0; seed < 100; seed++) {
            const size_t size = generate(&fixture, seed, fixture.bytes);
            memset(fixture.bytes + size, 0xA5, 16);
            cr_assert_leq(harness_mutate_by(fixture.mutator, k, fixture.bytes, size, size, seed), size);
            for (size_t i = 0; i < 16; i++)
                cr_assert_eq(fixture.bytes[size + i], 0xA5, "%s", harness_mutation_kind_name(k));
        }
    tear_down(&fixture);
}

/* Chains of one kind alone reach the odd corners: empty lists, tables without rows, one window. */
Test(mutate_kinds, long_chains_of_one_kind_stay_valid)
{
    struct fixture fixture = set_up();
    for (uint32_t k = 0; k < harness_mutation_kinds(); k++) {
        size_t size = generate(&fixture, k, fixture.bytes);
        for (uint64_t seed = 0; seed < 400; seed++) {
            const size_t next = harness_mutate_by(fixture.mutator, k, fixture.bytes, size, CAPACITY, seed);
            size = next == 0 ? size : next;
        }
        check_exact(&fixture, fixture.bytes, size, harness_mutation_kind_name(k), k);
    }
    tear_down(&fixture);
}

Test(mutate_kinds, each_crossover_takes_something_over)
{
    struct fixture fixture = set_up();
    for (uint32_t k = 0; k < harness_crossover_kinds(); k++) {
        uint32_t taken = 0;
        for (uint64_t seed = 0; seed < 400; seed++) {
            const size_t size1 = generate(&fixture, seed, fixture.bytes);
            const size_t size2 = generate(&fixture, 1000 + seed, fixture.second);
            const size_t size = harness_crossover_by(fixture.mutator, k, fixture.bytes, size1, fixture.second, size2,
                                                     fixture.first, CAPACITY, seed);
            if (size == 0)
                continue;
            check_exact(&fixture, fixture.first, size, harness_crossover_kind_name(k), seed);
            taken += size != size1 || memcmp(fixture.first, fixture.bytes, size) != 0;
        }
        cr_assert_geq(taken, 10, "%s: %u of 400", harness_crossover_kind_name(k), taken);
    }
    tear_down(&fixture);
}

/* ------------------------------------------------------------------------------------------------------- repairs */

/* Four rows of two bytes at 0x18000100, a list that draws them. */
static struct harness_list *table_case(struct harness_case *test_case)
{
    static const uint8_t rows[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    const struct harness_layout layout = { .field_count = 1, .fields = { { HARNESS_ELEMENT_U8, 2 } } };
    struct harness_data data;
    harness_case_reset(test_case);
    cr_assert(harness_case_add_window(test_case, PICA_VRAM_ADDRESS, 0x1000));
    cr_assert(harness_data_table(test_case, &data, &layout, rows, sizeof rows));
    cr_assert_not_null(harness_case_add_chunk(test_case, PICA_VRAM_ADDRESS + 0x100, &data));
    struct harness_operation *const run = harness_case_add_run(test_case, PICA_VRAM_ADDRESS + 0x800);
    struct harness_list *const list = &run->data.list;
    cr_assert(harness_list_write(test_case, list, PICA_REG_ATTRIBBUFFERS_LOC, PICA_VRAM_ADDRESS >> 4 << 1));
    cr_assert(harness_list_write(test_case, list, PICA_REG_ATTRIBBUFFER0_OFFSET, 0x100));
    cr_assert(harness_list_write(test_case, list, PICA_REG_TEXUNIT0_ADDR1, (PICA_VRAM_ADDRESS + 0x104) >> 3));
    cr_assert(harness_list_write(test_case, list, PICA_REG_NUMVERTICES, 4));
    return list;
}

static bool change(struct harness_case *test_case, bool (*kind)(const struct mutation *mutation), uint64_t seed)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    const struct mutation mutation = { .test_case = test_case, .random = &random };
    return kind(&mutation);
}

Test(mutate_kinds, the_number_of_vertices_mostly_follows_the_rows)
{
    struct harness_case *const test_case = harness_case_create();
    uint32_t followed = 0;
    uint32_t resized = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        const struct harness_list *const list = table_case(test_case);
        cr_assert(change(test_case, mutate_vertices, seed));
        const uint32_t rows = test_case->chunks[0].data.size / 2;
        resized += rows != 4;
        followed += rows != 4 && list->commands[3].parameters[0] == rows;
    }
    cr_assert(resized > 100 && followed < resized, "%u", resized);
    cr_assert_geq(followed * 3, resized * 2, "%u of %u", followed, resized);
    harness_case_destroy(test_case);
}

Test(mutate_kinds, addresses_mostly_follow_what_moves)
{
    struct harness_case *const test_case = harness_case_create();
    uint32_t arrays = 0;
    uint32_t textures = 0;
    uint32_t moved = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        const struct harness_list *const list = table_case(test_case);
        if (!change(test_case, mutate_relocate, seed) || test_case->chunks[0].address % 8 != 0)
            continue;
        const uint32_t address = test_case->chunks[0].address;
        moved++;
        arrays += list->commands[1].parameters[0] == ((address - PICA_VRAM_ADDRESS) & 0x0FFFFFFFu);
        textures += list->commands[2].parameters[0] == (address + 4u) >> 3;
        cr_assert_eq(list->commands[0].parameters[0], PICA_VRAM_ADDRESS >> 4 << 1, "the base stays");
    }
    cr_assert(moved > 100 && arrays < moved && textures < moved, "%u", moved);
    cr_assert(arrays * 3 >= moved * 2 && textures * 3 >= moved * 2, "%u and %u of %u", arrays, textures, moved);
    harness_case_destroy(test_case);
}

/* A jump over what grows or shrinks still reaches END, in most cases. */
Test(mutate_kinds, branch_targets_mostly_follow_instructions)
{
    struct harness_case *const test_case = harness_case_create();
    const uint32_t end = pica_shader_format_0_set_opcode(0, PICA_OPCODE_END);
    const uint32_t nop = pica_shader_format_0_set_opcode(0, PICA_OPCODE_NOP);
    const uint32_t jump = pica_shader_format_3_set_dst(pica_shader_format_3_set_opcode(0, PICA_OPCODE_JMPU), 0x40 + 5);
    uint32_t resized = 0;
    uint32_t followed = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        const uint32_t code[6] = { jump, nop, nop, nop, nop, end };
        struct harness_list *const list = table_case(test_case);
        cr_assert(harness_list_write(test_case, list, PICA_REG_VSH_CODETRANSFER_INDEX, 0x40));
        cr_assert(harness_list_write_port(test_case, list, PICA_REG_VSH_CODETRANSFER_DATA0, code, 6));
        if (!change(test_case, mutate_shader_block, seed))
            continue;
        const struct harness_command *const upload = &list->commands[list->count - 1];
        if (upload->count == 6 || upload->parameters[0] >> 26 != PICA_OPCODE_JMPU)
            continue;
        const uint32_t target = pica_shader_format_3_dst(upload->parameters[0]) - 0x40;
        resized++;
        followed += target < upload->count && upload->parameters[target] == end;
    }
    cr_assert_gt(resized, 100);
    cr_assert(followed * 2 >= resized && followed < resized, "%u of %u", followed, resized);
    harness_case_destroy(test_case);
}
