/* The steps of a fragment on two backends, side by side. */
#include "harness/explore/step_rows.h"

#include <criterion/criterion.h>

static struct pica_trace_step step(enum pica_trace_id id, uint32_t index, uint32_t value)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    const struct pica_trace_step out = { info->stage, info->name, index, info->type, 4, { value, 2, 3, 4 } };
    return out;
}

#define ROWS(a, b, rows)                                                     \
    harness_step_rows(&(struct oracle_trace){ a, sizeof(a) / sizeof(a)[0] }, \
                      &(struct oracle_trace){ b, sizeof(b) / sizeof(b)[0] }, rows)

Test(step_rows, steps_with_one_key_stand_together_and_differ_by_their_values)
{
    const struct pica_trace_step a[] = { step(PICA_TRACE_ID_TEXTURE_TEXEL, 0, 1),
                                         step(PICA_TRACE_ID_TEXTURE_TEXEL, 1, 5),
                                         step(PICA_TRACE_ID_COMBINER_RESULT, 0, 7) };
    const struct pica_trace_step b[] = { step(PICA_TRACE_ID_TEXTURE_TEXEL, 0, 1),
                                         step(PICA_TRACE_ID_TEXTURE_TEXEL, 1, 6),
                                         step(PICA_TRACE_ID_COMBINER_RESULT, 0, 7) };
    struct harness_step_row rows[6];
    cr_assert_eq(ROWS(a, b, rows), 3);
    for (size_t i = 0; i < 3; i++) {
        cr_expect(rows[i].a == &a[i] && rows[i].b == &b[i], "row %zu", i);
        cr_expect_eq(rows[i].differs, i == 1, "row %zu", i);
    }
}

/* pica/trace.def: texels are reported where they are computed, weights always. */
Test(step_rows, a_missing_step_differs_only_if_it_has_to_be_there)
{
    const struct pica_trace_step a[] = { step(PICA_TRACE_ID_WEIGHTS, 0, 1), step(PICA_TRACE_ID_COMBINER_RESULT, 0, 7),
                                         step(PICA_TRACE_ID_BLEND_DEST, 0, 9) };
    const struct pica_trace_step b[] = { step(PICA_TRACE_ID_TEXTURE_TEXEL, 0, 1),
                                         step(PICA_TRACE_ID_COMBINER_RESULT, 0, 7) };
    struct harness_step_row rows[5];
    cr_assert_eq(ROWS(a, b, rows), 4);
    cr_expect(rows[0].a == &a[0] && rows[0].b == NULL && rows[0].differs);
    cr_expect(rows[1].a == NULL && rows[1].b == &b[0] && !rows[1].differs);
    cr_expect(rows[2].a == &a[1] && rows[2].b == &b[1] && !rows[2].differs);
    cr_expect(rows[3].a == &a[2] && rows[3].b == NULL && !rows[3].differs);
}

Test(step_rows, one_side_alone_has_no_differences)
{
    const struct pica_trace_step a[] = { step(PICA_TRACE_ID_WEIGHTS, 0, 1) };
    struct harness_step_row rows[1];
    cr_assert_eq(harness_step_rows(&(struct oracle_trace){ a, 1 }, NULL, rows), 1);
    cr_expect(rows[0].a == &a[0] && rows[0].b == NULL && !rows[0].differs);
}

/* Stage 1 passes on what stage 0 made; `operand` is a value of its operands, `output` one of its output. */
static size_t idle_with(uint32_t operand0, uint32_t operand1, uint32_t output)
{
    struct pica_trace_step a[] = { step(PICA_TRACE_ID_COMBINER_OUTPUT, 0, 1),
                                   step(PICA_TRACE_ID_COMBINER_OPERANDS, 1, 1),
                                   step(PICA_TRACE_ID_COMBINER_OUTPUT, 1, output),
                                   step(PICA_TRACE_ID_COMBINER_RESULT, 0, output) };
    struct harness_step_row rows[4];
    a[1].count = 12;
    a[1].values[0] = operand0;
    a[1].values[5] = operand1;
    const size_t count = harness_step_rows(&(struct oracle_trace){ a, 4 }, NULL, rows);
    cr_expect_eq(harness_step_rows_idle(rows, count, 0), 0);
    return harness_step_rows_idle(rows, count, 1);
}

Test(step_rows, a_stage_is_idle_if_it_reads_and_makes_only_what_the_one_before_made)
{
    cr_expect_eq(idle_with(1, 0, 1), 1);
    cr_expect_eq(idle_with(9, 0, 1), 0);
    cr_expect_eq(idle_with(1, 9, 1), 0);
    cr_expect_eq(idle_with(1, 0, 9), 0);
}
