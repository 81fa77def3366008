/* Trimming by structure, with judges that stand in for an engine's comparison of coverage. */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/run/pair.h"
#include "harness/targets/trim.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static uint8_t input[HARNESS_MAX_INPUT], smallest[HARNESS_MAX_INPUT], again[HARNESS_MAX_INPUT];

static uint32_t count_id(const struct harness_data *data, uint16_t id)
{
    uint32_t count = 0;
    for (uint32_t i = 0; data->kind == HARNESS_DATA_LIST && i < data->list.count; i++)
        count += data->list.commands[i].id == id;
    return count;
}

static uint32_t writes(const struct harness_case *test_case, uint16_t id)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        if (test_case->operations[i].kind == HARNESS_RUN)
            count += count_id(&test_case->operations[i].data, id);
    return count;
}

typedef bool (*judge_function)(const struct harness_case *test_case);

static bool draws(const struct harness_case *test_case)
{
    return writes(test_case, PICA_REG_DRAWARRAYS) + writes(test_case, PICA_REG_DRAWELEMENTS) != 0;
}

static bool draws_with_code(const struct harness_case *test_case)
{
    return draws(test_case) && writes(test_case, PICA_REG_VSH_CODETRANSFER_END) != 0;
}

/* Trims `input` with that judge; returns the size of the outcome, which lies in `smallest`. */
static size_t trim(struct harness_trimmer *trimmer, size_t size, judge_function judge, uint32_t *steps)
{
    struct harness_case *const test_case = harness_case_create();
    size_t best = size, encoded = 0;
    memcpy(smallest, input, size);
    *steps = 0;
    for (uint32_t next = harness_trim_begin(trimmer, input, size) ? 0 : HARNESS_TRIM_STEPS;
         next < HARNESS_TRIM_STEPS;) {
        uint8_t *out = NULL;
        const size_t tried = harness_trim_candidate(trimmer, &out);
        harness_case_reset(test_case);
        cr_assert(harness_pcb_decode(test_case, out, tried));
        cr_assert_eq(harness_case_check(test_case, NULL), HARNESS_OK);
        cr_assert_eq(harness_pcb_encode(test_case, again, sizeof again, &encoded, NULL), HARNESS_OK);
        cr_assert(encoded == tried && memcmp(again, out, tried) == 0, "a candidate is an exact encoding");
        cr_assert_leq(tried, best);
        const bool same = judge(test_case);
        if (same)
            memcpy(smallest, out, best = tried);
        next = harness_trim_judge(trimmer, same);
        (*steps)++;
    }
    harness_case_destroy(test_case);
    return best;
}

static size_t generate(uint64_t seed, judge_function judge)
{
    static const struct harness_generate_options options = { .mode = HARNESS_GENERATE_DEFINED };
    struct harness_case *const test_case = harness_case_create();
    size_t size = 0;
    harness_generate(test_case, seed, &options);
    if (!judge(test_case) || harness_pcb_encode(test_case, input, sizeof input, &size, NULL) != HARNESS_OK)
        size = 0;
    harness_case_destroy(test_case);
    return size;
}

/* What the judge needs stays, most of the rest goes. */
static void check_shrinks(judge_function judge, uint32_t least_percent)
{
    struct harness_trimmer *const trimmer = harness_trimmer_create();
    uint32_t cases = 0, steps = 0;
    size_t before = 0, after = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        const size_t size = generate(seed, judge);
        if (size == 0)
            continue;
        cases++;
        before += size;
        after += trim(trimmer, size, judge, &steps);
        cr_assert_leq(steps, HARNESS_TRIM_STEPS);
    }
    cr_assert_gt(cases, 50, "%u", cases);
    cr_expect_leq(after * 100, before * (100 - least_percent), "%zu bytes became %zu", before, after);
    harness_trimmer_destroy(trimmer);
}

Test(trim, nine_tenths_go_where_only_a_draw_matters)
{
    check_shrinks(draws, 90);
}

Test(trim, two_thirds_go_where_a_draw_and_code_matter)
{
    check_shrinks(draws_with_code, 66);
}

static bool never(const struct harness_case *test_case)
{
    (void)test_case;
    return false;
}

static bool always(const struct harness_case *test_case)
{
    (void)test_case;
    return true;
}

Test(trim, an_input_that_resists_costs_few_executions)
{
    struct harness_trimmer *const trimmer = harness_trimmer_create();
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint32_t steps = 0;
        const size_t size = generate(seed, always);
        cr_assert_eq(trim(trimmer, size, never, &steps), size);
        cr_assert_leq(steps, 44);
    }
    harness_trimmer_destroy(trimmer);
}

Test(trim, each_kind_of_part_can_go)
{
    struct harness_trimmer *const trimmer = harness_trimmer_create();
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint32_t steps = 0;
        const size_t size = generate(seed, always);
        cr_assert_leq(trim(trimmer, size, always, &steps), 60, "operations, blocks, state and windows are left");
    }
    harness_trimmer_destroy(trimmer);
}

static bool keeps_its_list(const struct harness_case *test_case)
{
    return test_case->operation_count == 1 && test_case->operations[0].kind == HARNESS_RUN;
}

/* A list in which only what follows may go, and a vertex count that halves. */
static bool keeps_commands(const struct harness_case *test_case)
{
    return keeps_its_list(test_case) && test_case->operations[0].data.list.count == 2 &&
           test_case->operations[0].data.list.commands[0].count >= 2 && test_case->chunk_count == 1 &&
           test_case->chunks[0].data.size >= 12;
}

static void expect_shrinking(uint32_t vertices)
{
    static const uint32_t parameters[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    static const uint8_t bytes[100] = { 1, 2, 3 };
    struct harness_case *const test_case = harness_case_create();
    cr_assert(harness_case_add_window(test_case, 0x18000000u, 0x1000));
    struct harness_data data;
    cr_assert(harness_data_bytes(test_case, &data, bytes, sizeof bytes));
    cr_assert_not_null(harness_case_add_chunk(test_case, 0x18000000u, &data));
    struct harness_list *const list = &harness_case_add_run(test_case, 0x18000800u)->data.list;
    cr_assert(harness_list_write_port(test_case, list, PICA_REG_VSH_FLOATUNIFORM_DATA0, parameters, 8));
    cr_assert(harness_list_write(test_case, list, PICA_REG_NUMVERTICES, vertices));
    size_t size = 0;
    cr_assert_eq(harness_pcb_encode(test_case, input, sizeof input, &size, NULL), HARNESS_OK);
    struct harness_trimmer *const trimmer = harness_trimmer_create();
    uint32_t steps = 0;
    const size_t trimmed = trim(trimmer, size, keeps_commands, &steps);
    harness_case_reset(test_case);
    cr_assert(harness_pcb_decode(test_case, smallest, trimmed));
    const struct harness_list *const left = &test_case->operations[0].data.list;
    cr_expect_eq(left->commands[0].count, 2);
    cr_expect_eq(left->commands[1].parameters[0], 1, "%u became %u", vertices, left->commands[1].parameters[0]);
    cr_expect_eq(test_case->chunks[0].data.size, 12);
    harness_trimmer_destroy(trimmer);
    harness_case_destroy(test_case);
}

/* Half of some counts takes more bytes: 0x180 more than 0x300, 0x18000 more than 0x30000. */
Test(trim, parameters_vertices_contents_and_tails_shrink)
{
    static const uint32_t vertices[] = { 64, 768, 0x30000, 0x0300FF, 0xFFFFFFFF };
    for (size_t i = 0; i < sizeof vertices / sizeof vertices[0]; i++)
        expect_shrinking(vertices[i]);
}

Test(trim, the_same_answers_give_the_same_candidates)
{
    struct harness_trimmer *const trimmer = harness_trimmer_create();
    struct harness_trimmer *const other = harness_trimmer_create();
    uint32_t steps = 0, other_steps = 0;
    const size_t size = generate(3, draws);
    cr_assert_neq(size, 0);
    (void)trim(other, size, never, &steps);
    const size_t first = trim(trimmer, size, draws, &steps);
    uint8_t *const copy = malloc(first);
    memcpy(copy, smallest, first);
    cr_expect_eq(trim(other, size, draws, &other_steps), first);
    cr_expect_eq(memcmp(copy, smallest, first), 0);
    cr_expect_eq(steps, other_steps);
    free(copy);
    harness_trimmer_destroy(trimmer);
    harness_trimmer_destroy(other);
}
