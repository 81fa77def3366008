/* Values that meet: fields that have the same extreme, corners at the limits of screen coordinates, aliases. */
#include "harness/grammar/gen.h"
#include "harness/grammar/mutate_parts.h"
#include "harness/grammar/values.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"
#include "pica/fields.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

enum {
    WORDS = 20000,
    CASES = 1500,
    INDICES = 0x18000400
};

/* TEV-09 and others take a factor for white by its colour. */
Test(extremes, the_channels_of_a_colour_are_white_together_and_all_but_one)
{
    struct harness_random random;
    uint32_t white = 0, without_alpha = 0;
    harness_random_init(&random, 5);
    for (uint32_t i = 0; i < WORDS; i++) {
        const uint32_t word = harness_layout_draw(&random, PICA_LAYOUT_RGBA8, true);
        white += word == UINT32_MAX;
        without_alpha += (word & 0xFFFFFFu) == 0xFFFFFFu && word != UINT32_MAX;
    }
    cr_expect_gt(white, WORDS / 400, "%u", white);
    cr_expect_gt(without_alpha, WORDS / 2000, "%u", without_alpha);
}

Test(extremes, defined_words_have_no_reserved_encodings)
{
    struct harness_random random;
    harness_random_init(&random, 6);
    for (uint32_t layout = 0; layout < PICA_LAYOUT_TOTAL; layout++)
        for (uint32_t i = 0; i < 400; i++) {
            size_t count;
            const struct pica_field_info *const fields = pica_layout_fields((enum pica_layout)layout, &count);
            const uint32_t word = harness_layout_draw(&random, (enum pica_layout)layout, true);
            for (size_t f = 0; f < count; f++)
                cr_assert_not(harness_value_is_reserved(fields[f].enumeration, pica_field_get(&fields[f], word)),
                              "%s %s: %08X", pica_layout_info((enum pica_layout)layout)->name, fields[f].name, word);
        }
}

/* ------------------------------------------------------------------------------------------------------- the screen */

struct huge {
    uint32_t draws;
    uint32_t visible;
};

static void see_draw(void *user, const struct pica_draw *draw)
{
    struct huge *const huge = user;
    if (draw->registers[PICA_REG_VIEWPORT_WIDTH] < harness_small_float(7, 16, 2048.0f) ||
        draw->registers[PICA_REG_VIEWPORT_WIDTH] >> 23 != 0)
        return;
    huge->draws++;
    huge->visible += draw->pixels != 0;
}

/* VPT-03: draws whose viewport is up to 65536 pixels wide change pixels of their small target: of 1500 cases 28 of 105
 * draws. */
Test(extremes, VPT_03_triangles_reach_from_the_target_to_the_limits)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    struct harness_runner *runner;
    struct huge huge = { 0 };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    (void)harness_linked_backends(linked, HARNESS_LINKED_BACKENDS);
    cr_assert(test_case != NULL && program != NULL);
    cr_assert_eq(harness_runner_create(linked[0], &options, &runner), PICA_OK);
    cr_assert_eq(linked[0]->observe_draws(harness_runner_instance(runner), see_draw, &huge), PICA_OK);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        harness_generate(test_case, seed, NULL);
        harness_bound_case(test_case);
        cr_assert_eq(harness_case_setup(test_case, program, NULL), HARNESS_OK);
        cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
        for (uint32_t i = 0; i < program->count; i++)
            cr_assert_eq(harness_runner_step(runner, &program->operations[i]), PICA_OK);
    }
    harness_runner_destroy(runner);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    cr_expect_gt(huge.draws, CASES / 100, "%u", huge.draws);
    cr_expect_gt(huge.visible, huge.draws / 6u, "%u of %u", huge.visible, huge.draws);
}

/* ---------------------------------------------------------------------------------------------------------- aliases */

static bool are_aliases(uint32_t a, uint32_t b)
{
    const uint32_t bits = a ^ b;
    return bits >= 16 && (bits & (bits - 1u)) == 0;
}

/* VTX-24: a cache that looks at few bits of an index takes them for the same. */
static bool has_aliases(const struct harness_data *data)
{
    const uint32_t size = data->layout.fields[0].element == HARNESS_ELEMENT_U16 ? 2 : 1;
    uint32_t indices[64], count = 0;
    if (data->kind != HARNESS_DATA_TABLE || data->layout.field_count != 1 || data->layout.fields[0].count != 1)
        return false;
    for (uint32_t i = 0; i + size <= data->size && count < 64; i += size)
        indices[count++] = size == 2 ? data->bytes[i] | (uint32_t)data->bytes[i + 1u] << 8 : data->bytes[i];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (are_aliases(indices[i], indices[j]))
                return true;
    return false;
}

Test(extremes, VTX_24_indices_of_a_draw_differ_in_one_high_bit)
{
    static const struct harness_generate_options small = { .areas = 0, .mode = HARNESS_GENERATE_DEFINED };
    struct harness_case *const test_case = harness_case_create();
    uint32_t cases = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        bool found = false;
        harness_generate(test_case, seed, &small);
        for (uint32_t i = 0; i < test_case->chunk_count; i++)
            found = found || (test_case->chunks[i].data.size < 64 && has_aliases(&test_case->chunks[i].data));
        cases += found;
    }
    cr_expect_gt(cases, CASES / 200, "%u", cases);
    harness_case_destroy(test_case);
}

/* Mutation makes them of indices that are next to one another. */
Test(extremes, mutation_makes_an_index_an_alias_of_another_one)
{
    struct harness_case *const test_case = harness_case_create();
    uint32_t aliases = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct harness_random random;
        struct harness_data data = { .kind = HARNESS_DATA_TABLE, .size = 24 };
        harness_case_reset(test_case);
        data.bytes = harness_arena_take(&test_case->arena, data.size);
        cr_assert_not_null(data.bytes);
        for (uint32_t i = 0; i < data.size; i++)
            data.bytes[i] = i % 2u == 0 ? (uint8_t)(100u + i / 2u) : 0;
        data.layout.field_count = 1;
        data.layout.fields[0].element = HARNESS_ELEMENT_U16;
        data.layout.fields[0].count = 1;
        cr_assert(harness_case_add_window(test_case, PICA_VRAM_ADDRESS, 0x1000));
        cr_assert(harness_case_add_chunk(test_case, INDICES, &data));
        harness_random_init(&random, seed);
        const struct mutation mutation = { .test_case = test_case, .random = &random };
        aliases += mutate_contents(&mutation) && has_aliases(&test_case->chunks[0].data);
    }
    cr_expect_gt(aliases, 40, "%u", aliases);
    harness_case_destroy(test_case);
}
