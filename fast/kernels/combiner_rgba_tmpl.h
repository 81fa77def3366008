/*
 * RGBA stages of the combiner on the quick way (combiner_rgba.c), run one after the other for a few cells at a time.
 * The result of a stage stays in registers for the next one, because storing it would take longer than most stages do.
 */
#ifndef FAST_KERNELS_COMBINER_RGBA_TMPL_H
#define FAST_KERNELS_COMBINER_RGBA_TMPL_H

#include "fast/kernels/combiner_machine.h"

/*
 * Cells that are processed together: as many as there are registers for; divides FAST_CELLS. The last group may go
 * beyond the last cell: the contents of those cells are unknown and their results are dropped. With vectors that costs
 * nothing; the scalar set processes one cell at a time.
 */
enum {
    RGBA_GROUP = V_PARTS == 1 ? 8 : V_PART_LANES == 1 ? 1 : 2
};

/* ------------------------------------------------------------------------------------------------- folded constants */

/* Two operands, and the two values that decoding made of the stage's constant; the proofs are in combiner_rgba.c. */
typedef v_u32 folded_operation(v_u32 a, v_u32 b, v_u32 first, v_u32 second);

static inline v_u32 scale_bytes(v_u32 a, v_u32 b, v_u32 factor, v_u32 whole)
{
    (void)b;
    return v_u32_or(v_u16x2_mulhi(a, factor), v_u32_and(a, whole));
}

static inline v_u32 scale_add(v_u32 a, v_u32 b, v_u32 factor, v_u32 whole)
{
    return v_u16x2_adds_bytes(scale_bytes(a, b, factor, whole), b);
}

static inline v_u32 add_scale(v_u32 a, v_u32 b, v_u32 factor, v_u32 whole)
{
    return scale_bytes(v_u16x2_adds_bytes(a, b), b, factor, whole);
}

static inline v_u32 shift_bytes(v_u32 a, v_u32 b, v_u32 more, v_u32 less)
{
    (void)b;
    return v_u16x2_subs(v_u16x2_adds_bytes(a, more), less);
}

static inline v_u32 mix(v_u32 a, v_u32 b, v_u32 constant, v_u32 rest)
{
    const v_u32 sum = v_u16x2_add(v_u16x2_mul(v_u16x2_sub(a, constant), b), rest);
    return v_u16x2_mulhi(sum, v_u32_splat(0x01010101u));
}

/* ----------------------------------------------------------------------------------------------------------- stages */

/* Finds the operands of the run of RGBA stages that begins at stage `first`; returns how many stages it has. */
static uint32_t prepare_rgba_stages(struct machine *machine, const struct fast_combiner *combiner, uint32_t first)
{
    uint32_t count = 0;
    while (first + count < combiner->stage_count && combiner->rgba[first + count].active) {
        const struct fast_rgba_stage *stage = &combiner->rgba[first + count];
        struct rgba_operands *operands = &machine->rgba[count];
        for (uint32_t i = 0; i < 3u; i++) /* operands that are not read may hold anything */
            operands->in[i] = machine->sources[stage->source[i]];
        if (stage->reads_constant) {
            operands->constant = pairs_of_bytes(combiner->stages[first + count].constant);
            for (uint32_t i = 0; i < stage->count; i++)
                if (stage->source[i] == PICA_TEV_SOURCE_CONSTANT)
                    operands->in[i] = (struct operand){ &operands->constant, 0 };
        }
        machine->sources[PICA_TEV_SOURCE_PREVIOUS] = (struct operand){ machine->outputs[0].of, 1 };
        count++;
    }
    return count;
}

static inline void apply(operation *function, const struct rgba_operands *operands, uint32_t first,
                         struct fast_pairs all[RGBA_GROUP])
{
    const struct fast_pairs *b = &operands->in[1].colors[first * operands->in[1].step];
    const struct fast_pairs *c = &operands->in[2].colors[first * operands->in[2].step];
    for (uint32_t k = 0; k < RGBA_GROUP; k++, b += operands->in[1].step, c += operands->in[2].step) {
        all[k].even = function(all[k].even, b->even, c->even);
        all[k].odd = function(all[k].odd, b->odd, c->odd);
    }
}

static inline void apply_folded(folded_operation *function, const struct fast_rgba_stage *stage,
                                const struct rgba_operands *operands, uint32_t at, struct fast_pairs all[RGBA_GROUP])
{
    const struct fast_pairs *b = &operands->in[1].colors[at * operands->in[1].step];
    for (uint32_t k = 0; k < RGBA_GROUP; k++, b += operands->in[1].step) {
        all[k].even = function(all[k].even, b->even, v_u32_splat(stage->first[0]), v_u32_splat(stage->second[0]));
        all[k].odd = function(all[k].odd, b->odd, v_u32_splat(stage->first[1]), v_u32_splat(stage->second[1]));
    }
}

/* TEV-09 */
static inline void apply_stage(const struct fast_rgba_stage *stage, const struct rgba_operands *operands,
                               uint32_t first, struct fast_pairs all[RGBA_GROUP])
{
    switch (stage->operation) {
    case FAST_RGBA_REPLACE: return;
    case FAST_RGBA_MODULATE: apply(modulate, operands, first, all); return;
    case FAST_RGBA_ADD: apply(add, operands, first, all); return;
    case FAST_RGBA_ADD_SIGNED: apply(add_signed, operands, first, all); return;
    case FAST_RGBA_INTERPOLATE: apply(interpolate, operands, first, all); return;
    case FAST_RGBA_SUBTRACT: apply(subtract, operands, first, all); return;
    case FAST_RGBA_MULTIPLY_ADD: apply(multiply_add, operands, first, all); return;
    case FAST_RGBA_ADD_MULTIPLY: apply(add_multiply, operands, first, all); return;
    case FAST_RGBA_SCALE: apply_folded(scale_bytes, stage, operands, first, all); return;
    case FAST_RGBA_SCALE_ADD: apply_folded(scale_add, stage, operands, first, all); return;
    case FAST_RGBA_ADD_SCALE: apply_folded(add_scale, stage, operands, first, all); return;
    case FAST_RGBA_SHIFT: apply_folded(shift_bytes, stage, operands, first, all); return;
    case FAST_RGBA_MIX: apply_folded(mix, stage, operands, first, all); return;
    }
}

/* Runs the stages on the group of cells that begins at `first`; cells beyond the last one hold anything. */
static inline void run_rgba_group(struct machine *machine, const struct fast_rgba_stage *stages, uint32_t count,
                                  uint32_t first, struct fast_pairs all[RGBA_GROUP])
{
    struct fast_pairs *stored = &machine->outputs[0].of[first];
    for (uint32_t k = 0; k < RGBA_GROUP; k++)
        all[k] = machine->zero;
    for (uint32_t index = 0; index < count; index++) {
        const struct operand *in = machine->rgba[index].in;
        if (!stages[index].continues)
            for (uint32_t k = 0; k < RGBA_GROUP; k++)
                all[k] = in[0].colors[(first + k) * in[0].step];
        apply_stage(&stages[index], &machine->rgba[index], first, all);
        if (stages[index].is_read_again)
            for (uint32_t k = 0; k < RGBA_GROUP; k++)
                stored[k] = all[k];
    }
}

/*
 * If these are the last stages, stores the result in the cells; else it becomes the previous output of the next stage.
 */
static void run_rgba_stages(struct machine *machine, const struct fast_rgba_stage *stages, uint32_t count,
                            struct fast_cell *cells)
{
    for (uint32_t first = 0; first < machine->count; first += RGBA_GROUP) {
        struct fast_pairs all[RGBA_GROUP];
        run_rgba_group(machine, stages, count, first, all);
        for (uint32_t k = 0; k < RGBA_GROUP; k++)
            if (cells == NULL)
                machine->outputs[0].of[first + k] = all[k];
            else if (first + k < machine->count)
                cells[first + k].color = all[k];
    }
}

#endif
