#include "harness/explore/step_rows.h"

#include <string.h>

static bool comes_later(const struct oracle_trace *trace, size_t from, const struct pica_trace_step *wanted)
{
    for (size_t i = from; i < trace->count; i++)
        if (oracle_trace_same_key(&trace->steps[i], wanted))
            return true;
    return false;
}

static bool has_to_be_there(const struct pica_trace_step *step)
{
    const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
    return info != NULL && info->need == PICA_TRACE_ALWAYS;
}

static bool same_values(const struct pica_trace_step *a, const struct pica_trace_step *b)
{
    return a->count == b->count && memcmp(a->values, b->values, a->count * sizeof a->values[0]) == 0;
}

/* The next row of both traces: steps with one key together, else the one that the other side does not have later. */
static struct harness_step_row next(const struct oracle_trace *a, size_t *i, const struct oracle_trace *b, size_t *k)
{
    struct harness_step_row row = { *i < a->count ? &a->steps[*i] : NULL, *k < b->count ? &b->steps[*k] : NULL, false };
    if (row.a != NULL && row.b != NULL && !oracle_trace_same_key(row.a, row.b)) {
        if (comes_later(b, *k, row.a))
            row.a = NULL;
        else
            row.b = NULL;
    }
    *i += row.a != NULL;
    *k += row.b != NULL;
    row.differs =
        row.a != NULL && row.b != NULL ? !same_values(row.a, row.b) : has_to_be_there(row.a != NULL ? row.a : row.b);
    return row;
}

size_t harness_step_rows(const struct oracle_trace *a, const struct oracle_trace *b, struct harness_step_row *rows)
{
    const struct oracle_trace none = { NULL, 0 };
    size_t count = 0, i = 0, k = 0;
    while (i < a->count || (b != NULL && k < b->count)) {
        rows[count] = next(a, &i, b != NULL ? b : &none, &k);
        rows[count].differs = rows[count].differs && b != NULL;
        count++;
    }
    return count;
}

/* The step of a row whose sides agree, if it is one of these; else NULL. */
static const struct pica_trace_step *agreed(const struct harness_step_row *row, enum pica_trace_id id)
{
    const struct pica_trace_step *const step = row->a != NULL ? row->a : row->b;
    const bool is_wanted = !row->differs && pica_trace_info_by_name(step->stage, step->name) == pica_trace_info(id);
    return is_wanted ? step : NULL;
}

/* TEV-17: operands that are not read are 0. */
static bool passes_on(const struct pica_trace_step *before, const struct pica_trace_step *operands,
                      const struct pica_trace_step *output)
{
    const size_t size = 4 * sizeof operands->values[0];
    for (uint32_t i = 4; i < operands->count; i++)
        if (operands->values[i] != 0)
            return false;
    return memcmp(operands->values, before->values, size) == 0 && memcmp(output->values, before->values, size) == 0;
}

size_t harness_step_rows_idle(const struct harness_step_row *rows, size_t count, size_t at)
{
    size_t stages = 0;
    for (; at > 0 && at + 1 < count; at += 2, stages++) {
        const struct pica_trace_step *const before = agreed(&rows[at - 1], PICA_TRACE_ID_COMBINER_OUTPUT);
        const struct pica_trace_step *const operands = agreed(&rows[at], PICA_TRACE_ID_COMBINER_OPERANDS);
        const struct pica_trace_step *const output = agreed(&rows[at + 1], PICA_TRACE_ID_COMBINER_OUTPUT);
        if (before == NULL || operands == NULL || output == NULL || !passes_on(before, operands, output))
            break;
    }
    return stages;
}
