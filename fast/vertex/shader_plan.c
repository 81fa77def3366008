/*
 * From a recorded path through a shader to a plan (shader_plan.h): builds the steps of each operation (shader_steps.c),
 * removes those whose rows are never read, and collects the scalars that the plan uses.
 */
#include "fast/vertex/shader_plan.h"

#include <string.h>

#include "fast/gpu.h"
#include "fast/vertex/shader_steps.h"

enum {
    LEAST_REST = 8 /* steps: if the rest has fewer, it is not made a part of its own */
};

/* -------------------------------------------------------------------------------------------------------- finishing */

/* Bit n: operand[n] of this kind of step is a row. */
static uint32_t row_operands(enum fast_step_kind kind)
{
    switch (kind) {
    case FAST_STEP_END: return 0u;
    case FAST_STEP_COPY:
    case FAST_STEP_NEGATE:
    case FAST_STEP_ADD_SCALAR:
    case FAST_STEP_SCALE:
    case FAST_STEP_FLOOR:
    case FAST_STEP_RECIPROCAL:
    case FAST_STEP_ROOT:
    case FAST_STEP_EXPONENTIAL:
    case FAST_STEP_LOGARITHM:
    case FAST_STEP_ADDRESS:
    case FAST_STEP_LOAD: return 0x01u;
    case FAST_STEP_ADD:
    case FAST_STEP_SUBTRACT:
    case FAST_STEP_MULTIPLY:
    case FAST_STEP_MAXIMUM:
    case FAST_STEP_MINIMUM:
    case FAST_STEP_GREATER_EQUAL:
    case FAST_STEP_LESS: return 0x03u;
    case FAST_STEP_MAD_SCALAR: return 0x05u;
    case FAST_STEP_MAD:
    case FAST_STEP_MAD_MINUS:
    case FAST_STEP_MINUS_MAD: return 0x07u;
    case FAST_STEP_DOT3_SCALAR:
    case FAST_STEP_DOT3_PAIR: return 0x07u;
    case FAST_STEP_DOT4_SCALAR:
    case FAST_STEP_DOT4_PAIR: return 0x0fu;
    case FAST_STEP_DOT3: return 0x77u;
    case FAST_STEP_DOT4:
    default: return 0xffu;
    }
}

/* Sets which row each slot of the final vertices comes from; the output map names rows of the register file. */
static void place_map(struct fast_plan_builder *builder)
{
    struct fast_plan *const plan = builder->plan;
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++) {
        const uint32_t row = plan->key.map[slot];
        uint16_t place = FAST_PLACE_IS_SCALAR | FAST_SCALAR_ZERO;
        if (row == FAST_ROW_ONE)
            place = FAST_PLACE_IS_SCALAR | FAST_SCALAR_ONE;
        else if (row != FAST_ROW_ZERO)
            place = builder->value[FAST_FRAME_OUTPUTS + (row - FAST_ROW_OUTPUTS)];
        plan->map[slot] = fast_steps_row(builder, place);
    }
}

/* The steps that certain slots need. */
struct needed_steps {
    uint32_t count;
    uint64_t inputs_read;
    bool needed[FAST_PLAN_STEPS];
};

/* Finds the steps whose rows are read by a later needed step or by one of the slots. */
static void find_needed_steps(const struct fast_plan_builder *builder, uint32_t slots, struct needed_steps *out)
{
    bool live[FAST_FRAME_ROWS] = { false };
    out->count = 0u;
    out->inputs_read = 0u;
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
        live[builder->plan->map[slot]] = live[builder->plan->map[slot]] || (slots >> slot & 1u) != 0u;
    for (uint32_t i = builder->step_count; i-- > 0u;) {
        const struct fast_step *const step = &builder->steps[i];
        const uint32_t rows = step->kind == FAST_STEP_LOAD ? 4u : 1u;
        const uint32_t operands = row_operands(step->kind);
        bool used = false;
        for (uint32_t n = 0; n < rows; n++) {
            used = used || live[step->target + n];
            live[step->target + n] = false;
        }
        for (uint32_t n = 0; used && n < 8u; n++)
            if ((operands >> n & 1u) != 0u)
                live[step->operand[n]] = true;
        out->needed[i] = used;
        out->count += used ? 1u : 0u;
    }
    for (uint32_t row = 0; row < FAST_FRAME_TEMPORARIES; row++)
        out->inputs_read |= (uint64_t)(live[row] ? 1u : 0u) << row;
}

/* Can these two sums over the same rows be one step? The first must not change what the second reads. */
static bool makes_pair(const struct fast_step *first, const struct fast_step *second)
{
    const uint32_t products = first->kind == FAST_STEP_DOT3_SCALAR ? 3u : 4u;
    if (first->kind != second->kind || (first->kind != FAST_STEP_DOT3_SCALAR && first->kind != FAST_STEP_DOT4_SCALAR))
        return false;
    for (uint32_t i = 0; i < products; i++)
        if (first->operand[i] != second->operand[i] || first->target == second->operand[i])
            return false;
    return true;
}

static void pair_steps(struct fast_step *steps, uint32_t count)
{
    for (uint32_t i = 0; i + 1u < count; i++)
        if (makes_pair(&steps[i], &steps[i + 1u])) {
            steps[i].kind = steps[i].kind == FAST_STEP_DOT3_SCALAR ? FAST_STEP_DOT3_PAIR : FAST_STEP_DOT4_PAIR;
            i += 1u;
        }
}

/* Replaces numbers of rows by their places in the frame. */
static void locate_rows(struct fast_step *steps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct fast_step *const step = &steps[i];
        const uint32_t operands = row_operands(step->kind);
        step->target *= FAST_PLAN_VERTICES;
        for (uint32_t n = 0; n < 8u; n++)
            if ((operands >> n & 1u) != 0u)
                step->operand[n] *= FAST_PLAN_VERTICES;
    }
}

/* Stores the part's steps in plan->steps from number `first` on; returns the number after its end. */
static uint32_t put_part(const struct fast_plan_builder *builder, enum fast_plan_part_number number, uint32_t slots,
                         const struct needed_steps *steps, uint32_t first)
{
    struct fast_plan *const plan = builder->plan;
    uint32_t end = first;
    plan->parts[number] = (struct fast_plan_part){ slots, first, steps->inputs_read };
    for (uint32_t i = 0; i < builder->step_count; i++)
        if (steps->needed[i])
            plan->steps[end++] = builder->steps[i];
    pair_steps(plan->steps + first, end - first);
    locate_rows(plan->steps + first, end - first);
    plan->steps[end] = (struct fast_step){ .kind = FAST_STEP_END };
    return end + 1u;
}

/*
 * Makes two parts if that pays: in a draw whose triangles are all visible, deciding which triangles are left costs time
 * and saves nothing, and steps that both parts need run twice.
 */
static void put_parts(const struct fast_plan_builder *builder)
{
    const uint32_t position = 0xfu << FAST_SLOT_POSITION, all = (1u << FAST_VERTEX_SLOTS) - 1u;
    struct needed_steps both, first, rest;
    find_needed_steps(builder, all, &both);
    find_needed_steps(builder, position, &first);
    find_needed_steps(builder, all & ~position, &rest);
    const bool apart = rest.count >= LEAST_REST && first.count + rest.count <= both.count + both.count / 8u &&
                       first.count + rest.count <= FAST_PLAN_STEPS;
    const uint32_t next = put_part(builder, FAST_PART_FIRST, apart ? position : all, apart ? &first : &both, 0u);
    if (apart)
        (void)put_part(builder, FAST_PART_REST, all & ~position, &rest, next);
    else
        builder->plan->parts[FAST_PART_REST] = (struct fast_plan_part){ .slots = 0u };
}

void fast_plan_build(struct fast_plan *plan, const struct fast_plan_key *key, const struct fast_recording *recording)
{
    struct fast_plan_builder builder;
    plan->valid = true;
    plan->possible = false;
    plan->relative = false;
    memcpy(&plan->key, key, sizeof *key); /* copies the padding too, as keys are compared as bytes */
    plan->spread_count = 0u;
    if (!recording->straight)
        return;
    fast_steps_begin(&builder, plan);
    for (uint32_t i = 0; i < recording->count; i++)
        fast_steps_add(&builder, &recording->operations[i]);
    place_map(&builder);
    if (builder.failed)
        return;
    put_parts(&builder);
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
        plan->map[slot] *= FAST_PLAN_VERTICES;
    plan->possible = true;
}

/* -------------------------------------------------------------------------------------------------------------- key */

void fast_plan_make_key(struct fast_plan_key *key, const struct fast_shader_run *run)
{
    memset(key, 0, sizeof *key); /* clears the padding too, as keys are compared as bytes */
    key->serial = run->program->serial;
    key->entry = run->entry;
    key->instructions = run->gpu->limits.instructions;
    key->booleans = run->unit->booleans;
    memcpy(key->integers, run->unit->integers, sizeof key->integers);
    memcpy(key->map, run->map, sizeof key->map);
}

bool fast_plan_has_key(const struct fast_plan *plan, const struct fast_plan_key *key)
{
    return plan->valid && memcmp(&plan->key, key, sizeof *key) == 0;
}

/* ---------------------------------------------------------------------------------------------------------- scalars */

static void refresh_scalars(float scalars[FAST_SCALARS], const float (*uniforms)[4])
{
    memcpy(scalars, uniforms, FAST_SCALAR_ONE * sizeof scalars[0]);
    for (uint32_t i = FAST_SCALAR_ONE; i < FAST_SCALAR_ZERO; i++)
        scalars[i] = 1.0f;
    scalars[FAST_SCALAR_ZERO] = 0.0f;
    scalars[FAST_SCALAR_LITP_LIMIT] = 127.99609375f;
    for (uint32_t i = 0; i < FAST_SCALAR_NEGATED; i++)
        scalars[FAST_SCALAR_NEGATED + i] = -scalars[i];
}

static void refresh_columns(struct fast_plan_frame *frame)
{
    for (uint32_t i = 0; i < FAST_COLUMN_FLOATS; i++)
        for (uint32_t k = 0; k < 4u; k++)
            frame->columns[k][i] = frame->scalars[(i & 127u) * 4u + k];
    frame->columns_fresh = true;
}

void fast_plan_spread(struct fast_plan_frame *frame, const struct fast_plan *plan, const float (*uniforms)[4],
                      bool changed)
{
    if (changed)
        refresh_scalars(frame->scalars, uniforms);
    frame->columns_fresh = frame->columns_fresh && !changed;
    if (plan->relative && !frame->columns_fresh)
        refresh_columns(frame);
    if (!changed && frame->spread_plan == plan)
        return;
    frame->spread_plan = plan;
    for (uint32_t n = 0; n < plan->spread_count; n++) {
        float *const row = frame->rows + (size_t)(FAST_FRAME_SPREADS + n) * FAST_PLAN_VERTICES;
        for (uint32_t lane = 0; lane < FAST_PLAN_VERTICES; lane++)
            row[lane] = frame->scalars[plan->spread[n]];
    }
}
