/*
 * Runs a plan (shader_plan.h) on one block of 16 vertices, or step by step on SEVERAL_BLOCKS of them: then each step is
 * decoded once, and each scalar loaded once, for 32 or 64 vertices.
 */
#include "fast/kernels.h"

#include "fast/vertex/shader_plan.h"
#include "fast/kernels/number.h"
#include "fast/kernels/output_map.h"

/* What the steps work on. */
struct bench {
    float *rows; /* of the frame, from the first block on */
    const float *scalars;
    const float (*columns)[FAST_COLUMN_FLOATS];
    v_mask clean[FAST_PLAN_BLOCKS]; /* lanes in which no NaN can have disappeared */
};

/* Numbers of blocks, as constants where they are used, so that the compiler unrolls the loops below. */
enum {
    ONE_BLOCK = 1,
    SEVERAL_BLOCKS = V_PARTS == 1 ? FAST_PLAN_BLOCKS : FAST_PLAN_BLOCKS / 2
};

/* The row of the first block at this place in the frame. Take the address of every row before storing to any. */
static inline float *row_at(const struct bench *bench, uint32_t place)
{
    return bench->rows + place;
}

static inline v_f32 get(const float *row, int b)
{
    return v_f32_load(row + b * FAST_FILE_LANES);
}

static inline void put(float *row, int b, v_f32 value)
{
    v_f32_store(row + b * FAST_FILE_LANES, value);
}

static inline float scalar_at(const struct bench *bench, uint32_t number)
{
    return bench->scalars[number];
}

/* Marks lanes in which x or y is NaN as not clean. */
static inline void look_for_nan(struct bench *bench, int b, v_f32 x, v_f32 y)
{
    bench->clean[b] = v_mask_and_ordered(bench->clean[b], x, y);
}

/* ------------------------------------------------------------------------------------------------------------ steps */

typedef v_f32 plan_binary(v_f32 a, v_f32 b);
typedef v_f32 plan_ternary(v_f32 a, v_f32 b, v_f32 c);
typedef v_f32 plan_unary(v_f32 a);

static inline v_f32 keep(v_f32 a)
{
    return a;
}

static inline v_f32 f32_reciprocal(v_f32 a)
{
    return reciprocal(a, false);
}

static inline v_f32 f32_root(v_f32 a)
{
    return reciprocal_root(a, false);
}

static inline v_f32 f32_exponential(v_f32 a)
{
    return each_lane(a, exponential);
}

static inline v_f32 f32_logarithm(v_f32 a)
{
    return each_lane(a, logarithm);
}

static inline v_f32 one_if_greater_or_equal(v_f32 a, v_f32 b)
{
    return v_f32_select(v_f32_ge(a, b), v_f32_splat(1.0f), v_f32_splat(0.0f));
}

static inline v_f32 one_if_less(v_f32 a, v_f32 b)
{
    return v_f32_select(v_f32_lt(a, b), v_f32_splat(1.0f), v_f32_splat(0.0f));
}

static inline v_f32 product_plus(v_f32 a, v_f32 b, v_f32 c)
{
    return v_f32_add(v_f32_mul(a, b), c);
}

static inline v_f32 product_minus(v_f32 a, v_f32 b, v_f32 c)
{
    return v_f32_sub(v_f32_mul(a, b), c);
}

static inline v_f32 minus_product(v_f32 a, v_f32 b, v_f32 c)
{
    return v_f32_sub(c, v_f32_mul(a, b));
}

static inline void run_unary(const struct bench *bench, const struct fast_step *step, int blocks, plan_unary *function)
{
    const float *const x = row_at(bench, step->operand[0]);
    float *const out = row_at(bench, step->target);
    for (int b = 0; b < blocks; b++)
        put(out, b, function(get(x, b)));
}

static inline void run_binary(const struct bench *bench, const struct fast_step *step, int blocks,
                              plan_binary *function)
{
    const float *const x = row_at(bench, step->operand[0]), *const y = row_at(bench, step->operand[1]);
    float *const out = row_at(bench, step->target);
    for (int b = 0; b < blocks; b++)
        put(out, b, function(get(x, b), get(y, b)));
}

/* For functions that may hide a NaN operand: their result need not be NaN. */
static inline void run_choice(struct bench *bench, const struct fast_step *step, int blocks, plan_binary *function)
{
    const float *const x = row_at(bench, step->operand[0]), *const y = row_at(bench, step->operand[1]);
    float *const out = row_at(bench, step->target);
    for (int b = 0; b < blocks; b++) {
        const v_f32 p = get(x, b), q = get(y, b);
        look_for_nan(bench, b, p, q);
        put(out, b, function(p, q));
    }
}

static inline void run_with_scalar(const struct bench *bench, const struct fast_step *step, int blocks,
                                   plan_binary *function)
{
    const v_f32 scalar = v_f32_splat(scalar_at(bench, step->operand[1]));
    const float *const x = row_at(bench, step->operand[0]);
    float *const out = row_at(bench, step->target);
    for (int b = 0; b < blocks; b++)
        put(out, b, function(get(x, b), scalar));
}

static inline void run_ternary(const struct bench *bench, const struct fast_step *step, int blocks,
                               plan_ternary *function)
{
    const float *const x = row_at(bench, step->operand[0]), *const y = row_at(bench, step->operand[1]);
    const float *const z = row_at(bench, step->operand[2]);
    float *const out = row_at(bench, step->target);
    for (int b = 0; b < blocks; b++)
        put(out, b, function(get(x, b), get(y, b), get(z, b)));
}

static inline void run_mad_scalar(const struct bench *bench, const struct fast_step *step, int blocks)
{
    const v_f32 scalar = v_f32_splat(scalar_at(bench, step->operand[1]));
    const float *const x = row_at(bench, step->operand[0]), *const z = row_at(bench, step->operand[2]);
    float *const out = row_at(bench, step->target);
    for (int b = 0; b < blocks; b++)
        put(out, b, product_plus(get(x, b), scalar, get(z, b)));
}

/* SHD-30: from +0, in the order x, y, z, w. */
static inline void run_dot(const struct bench *bench, const struct fast_step *step, int blocks, int products)
{
    float *const out = row_at(bench, step->target);
    v_f32 sum[FAST_PLAN_BLOCKS];
    for (int b = 0; b < blocks; b++)
        sum[b] = v_f32_splat(0.0f);
    for (int i = 0; i < products; i++) {
        const float *const x = row_at(bench, step->operand[i]), *const y = row_at(bench, step->operand[4 + i]);
        for (int b = 0; b < blocks; b++)
            sum[b] = v_f32_add(sum[b], v_f32_mul(get(x, b), get(y, b)));
    }
    for (int b = 0; b < blocks; b++)
        put(out, b, sum[b]);
}

static inline void run_dot_scalar(const struct bench *bench, const struct fast_step *step, int blocks, int products)
{
    float *const out = row_at(bench, step->target);
    v_f32 sum[FAST_PLAN_BLOCKS];
    for (int b = 0; b < blocks; b++)
        sum[b] = v_f32_splat(0.0f);
    for (int i = 0; i < products; i++) {
        const v_f32 scalar = v_f32_splat(scalar_at(bench, step->operand[4 + i]));
        const float *const x = row_at(bench, step->operand[i]);
        for (int b = 0; b < blocks; b++)
            sum[b] = v_f32_add(sum[b], v_f32_mul(get(x, b), scalar));
    }
    for (int b = 0; b < blocks; b++)
        put(out, b, sum[b]);
}

/* Two such sums, step[0] and step[1], over the same rows. */
static inline void run_dot_pair(const struct bench *bench, const struct fast_step *step, int blocks, int products)
{
    float *const out0 = row_at(bench, step[0].target), *const out1 = row_at(bench, step[1].target);
    v_f32 sum0[FAST_PLAN_BLOCKS], sum1[FAST_PLAN_BLOCKS];
    for (int b = 0; b < blocks; b++)
        sum0[b] = sum1[b] = v_f32_splat(0.0f);
    for (int i = 0; i < products; i++) {
        const v_f32 scalar0 = v_f32_splat(scalar_at(bench, step[0].operand[4 + i]));
        const v_f32 scalar1 = v_f32_splat(scalar_at(bench, step[1].operand[4 + i]));
        const float *const x = row_at(bench, step->operand[i]);
        for (int b = 0; b < blocks; b++) {
            const v_f32 value = get(x, b);
            sum0[b] = v_f32_add(sum0[b], v_f32_mul(value, scalar0));
            sum1[b] = v_f32_add(sum1[b], v_f32_mul(value, scalar1));
        }
    }
    for (int b = 0; b < blocks; b++) {
        put(out0, b, sum0[b]);
        put(out1, b, sum1[b]);
    }
}

/* SHD-32. A NaN, and what does not fit, gives -2^31. */
static inline void run_address(struct bench *bench, const struct fast_step *step, int blocks)
{
    const float *const x = row_at(bench, step->operand[0]);
    float *const out = row_at(bench, step->target);
    for (int b = 0; b < blocks; b++) {
        const v_f32 value = get(x, b);
        look_for_nan(bench, b, value, value);
        put(out, b, v_f32_from_bits(v_u32_from_i32(address_from(value))));
    }
}

static inline bool all_below(v_i32 offsets, uint32_t limit)
{
    return v_mask_bits(v_u32_lt(v_u32_from_i32(offsets), v_u32_splat(limit))) == 0xffffu;
}

/* c[number + offset] of each lane; the scalars hold c0-c127. */
static inline void gather_registers(const struct bench *bench, uint32_t number, v_i32 offset, v_f32 vector[4])
{
    uint32_t indices[V_LANES];
    const v_i32 sum = v_i32_and(v_i32_add(offset, v_i32_splat((int32_t)number)), v_i32_splat(0x7f));
    v_u32_store(indices, v_u32_shl(v_u32_from_i32(sum), 2));
    v_f32_gather4(vector, bench->scalars, indices);
}

/* The same for offsets 0..63, from a table of columns: the usual case of the bones of a model. */
static inline void look_up_registers(const struct bench *bench, uint32_t number, v_i32 offset, v_f32 vector[4])
{
    const v_mask low = v_i32_lt(offset, v_i32_splat(32));
    const v_i32 index = v_i32_and(offset, v_i32_splat(31));
    for (uint32_t i = 0; i < 4u; i++)
        vector[i] = v_f32_lookup32(bench->columns[i] + number, index);
    if (v_mask_bits(low) != 0xffffu)
        for (uint32_t i = 0; i < 4u; i++)
            vector[i] = v_f32_select(low, vector[i], v_f32_lookup32(bench->columns[i] + number + 32, index));
}

/* SHD-22: offsets out of [-128, 127] count as 0. */
static inline void run_load(const struct bench *bench, const struct fast_step *step, int blocks)
{
    const uint32_t number = step->operand[1];
    const float *const x = row_at(bench, step->operand[0]);
    float *const out = row_at(bench, step->target);
    for (int b = 0; b < blocks; b++) {
        v_f32 vector[4];
        const v_i32 offset = relative_offset(v_i32_from_u32(v_u32_from_f32_bits(get(x, b))));
        if (V_PARTS == 1 && all_below(offset, FAST_COLUMN_TABLE)) /* where a table is two registers */
            look_up_registers(bench, number, offset, vector);
        else
            gather_registers(bench, number, offset, vector);
        for (uint32_t i = 0; i < 4u; i++)
            put(out + i * FAST_PLAN_VERTICES, b, vector[i]);
    }
}

static inline void run_steps(struct bench *bench, const struct fast_step *step, int blocks)
{
    for (;; step++)
        switch (step->kind) {
        case FAST_STEP_END: return;
        case FAST_STEP_COPY: run_unary(bench, step, blocks, keep); break;
        case FAST_STEP_NEGATE: run_unary(bench, step, blocks, v_f32_neg); break;
        case FAST_STEP_ADD: run_binary(bench, step, blocks, v_f32_add); break;
        case FAST_STEP_ADD_SCALAR: run_with_scalar(bench, step, blocks, v_f32_add); break;
        case FAST_STEP_SUBTRACT: run_binary(bench, step, blocks, v_f32_sub); break;
        case FAST_STEP_MULTIPLY: run_binary(bench, step, blocks, v_f32_mul); break;
        case FAST_STEP_SCALE: run_with_scalar(bench, step, blocks, v_f32_mul); break;
        case FAST_STEP_MAD: run_ternary(bench, step, blocks, product_plus); break;
        case FAST_STEP_MAD_SCALAR: run_mad_scalar(bench, step, blocks); break;
        case FAST_STEP_MAD_MINUS: run_ternary(bench, step, blocks, product_minus); break;
        case FAST_STEP_MINUS_MAD: run_ternary(bench, step, blocks, minus_product); break;
        case FAST_STEP_DOT3: run_dot(bench, step, blocks, 3); break;
        case FAST_STEP_DOT4: run_dot(bench, step, blocks, 4); break;
        case FAST_STEP_DOT3_SCALAR: run_dot_scalar(bench, step, blocks, 3); break;
        case FAST_STEP_DOT4_SCALAR: run_dot_scalar(bench, step, blocks, 4); break;
        case FAST_STEP_DOT3_PAIR: run_dot_pair(bench, step++, blocks, 3); break;
        case FAST_STEP_DOT4_PAIR: run_dot_pair(bench, step++, blocks, 4); break;
        case FAST_STEP_MAXIMUM: run_choice(bench, step, blocks, v_f32_greater); break;
        case FAST_STEP_MINIMUM: run_choice(bench, step, blocks, v_f32_lesser); break;
        case FAST_STEP_GREATER_EQUAL: run_choice(bench, step, blocks, one_if_greater_or_equal); break;
        case FAST_STEP_LESS: run_choice(bench, step, blocks, one_if_less); break;
        case FAST_STEP_FLOOR: run_unary(bench, step, blocks, v_f32_floor); break;
        case FAST_STEP_RECIPROCAL: run_unary(bench, step, blocks, f32_reciprocal); break;
        case FAST_STEP_ROOT: run_unary(bench, step, blocks, f32_root); break;
        case FAST_STEP_EXPONENTIAL: run_unary(bench, step, blocks, f32_exponential); break;
        case FAST_STEP_LOGARITHM: run_unary(bench, step, blocks, f32_logarithm); break;
        case FAST_STEP_ADDRESS: run_address(bench, step, blocks); break;
        case FAST_STEP_LOAD: run_load(bench, step, blocks); break;
        }
}

/* ------------------------------------------------------------------------------------------------------- output map */

/* SHD-80, SHD-81: writes the pairs of slots of which at least one is in `slots`. */
static inline void map_block(struct bench *bench, const struct fast_plan *plan, uint32_t slots, int b, float *block)
{
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot += 2u) {
        if ((slots >> slot & 3u) == 0u)
            continue;
        v_f32 x = get(row_at(bench, plan->map[slot]), b);
        v_f32 y = get(row_at(bench, plan->map[slot + 1u]), b);
        look_for_nan(bench, b, x, y);
        if (is_color_slot(slot)) {
            x = limit_color(x);
            y = limit_color(y);
        }
        v_f32_store(block + slot * FAST_FILE_LANES, x);
        v_f32_store(block + (slot + 1u) * FAST_FILE_LANES, y);
    }
}

/*
 * Runs the steps and the output map of `count` blocks from number `first` on. False: a lane may need the repair of
 * GEN-03.
 */
static inline bool run_blocks(const struct fast_plan_run *run, uint32_t first, int count)
{
    struct bench bench = { .rows = run->frame->rows + (size_t)first * FAST_FILE_LANES,
                           .scalars = run->frame->scalars,
                           .columns = (const float(*)[FAST_COLUMN_FLOATS])run->frame->columns };
    v_mask clean = v_mask_all_lanes();
    for (int b = 0; b < count; b++)
        bench.clean[b] = clean;
    run_steps(&bench, run->plan->steps + run->plan->parts[run->part].first_step, count);
    for (int b = 0; b < count; b++) {
        map_block(&bench, run->plan, run->slots, b, run->out[first + (uint32_t)b]);
        clean = v_mask_and(clean, bench.clean[b]);
    }
    return v_mask_bits(clean) == 0xffffu;
}

static bool run_plan(const struct fast_plan_run *run)
{
    uint32_t first = 0u;
    for (; run->blocks - first >= SEVERAL_BLOCKS; first += SEVERAL_BLOCKS)
        if (!run_blocks(run, first, SEVERAL_BLOCKS))
            return false;
    for (; first < run->blocks; first += ONE_BLOCK)
        if (!run_blocks(run, first, ONE_BLOCK))
            return false;
    return true;
}

void FAST_ISA(fast_fill_vertex_plan)(struct fast_kernels *kernels);

void FAST_ISA(fast_fill_vertex_plan)(struct fast_kernels *kernels)
{
    kernels->run_plan = run_plan;
}
