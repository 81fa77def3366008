/* Operands, destinations and every operation that writes a register (SHD-20 to SHD-35). Part of kernels/shader.c. */
#ifndef FAST_KERNELS_SHADER_OPERATIONS_H
#define FAST_KERNELS_SHADER_OPERATIONS_H

#include "fast/gpu.h"
#include "fast/kernels/shader_machine.h"
#include "fast/kernels/number.h"

#include <assert.h>

/* SHD-21: swizzle by choice of the row, then negation. */
static inline v_f32 source(const struct machine *machine, const struct fast_operation *operation, uint32_t k,
                           uint32_t i)
{
    const v_f32 value = v_f32_load(machine->run->file->row[operation->source[k][i]]);
    return v_f32_from_bits(v_u32_xor(v_u32_from_f32_bits(value), v_u32_splat(operation->negate[k])));
}

/* SHD-22: copies the relatively addressed c register to the rows reserved for it, before swizzle and negation. */
static inline void load_relative(const struct machine *machine, const struct fast_operation *operation)
{
    const struct fast_shader_run *const run = machine->run;
    float(*const rows)[FAST_FILE_LANES] = &run->file->row[FAST_ROW_RELATIVE];
    const v_f32 ones = v_f32_splat(1.0f);
    v_i32 offset;
    switch (operation->relative) {
    case PICA_SHADER_RELATIVE_A0_X: offset = v_i32_load(run->address[0]); break;
    case PICA_SHADER_RELATIVE_A0_Y: offset = v_i32_load(run->address[1]); break;
    case PICA_SHADER_RELATIVE_AL:
    case PICA_SHADER_RELATIVE_NONE: /* has nothing to load */
    default: offset = v_i32_splat(machine->context.loop_counter); break;
    }
    const v_i32 sum = v_i32_add(relative_offset(offset), v_i32_splat(operation->relative_number));
    const v_i32 number = v_i32_and(sum, v_i32_splat(0x7f));
    const v_mask exists = v_i32_lt(number, v_i32_splat(PICA_FLOAT_UNIFORMS));
    const v_i32 index = v_i32_shl(number, 2);
    for (int i = 0; i < 4; i++)
        v_f32_store(rows[i], v_f32_gather(ones, exists, &run->uniforms[0][i], index));
}

/*
 * Where an operation may write at once: its destination, or, if writing there could change a source that is still
 * needed, a place to copy from afterwards.
 */
struct target {
    float (*rows)[FAST_FILE_LANES];       /* to write to */
    float (*final_rows)[FAST_FILE_LANES]; /* the destination */
    bool copies;
    _Alignas(64) float temporary[4][FAST_FILE_LANES];
};

static inline void open_target(const struct machine *machine, const struct fast_operation *operation,
                               struct target *target)
{
    const uint32_t bank = operation->to_output ? machine->run->bank * FAST_ROW_BANK : 0u;
    target->final_rows = &machine->run->file->row[operation->destination + bank];
    target->copies = operation->overlaps || machine->partial;
    target->rows = target->copies ? target->temporary : target->final_rows;
}

/* SHD-15, SHD-23. */
static inline void copy_target(const struct machine *machine, const struct fast_operation *operation,
                               const struct target *target)
{
    for (uint32_t i = 0; i < 4u; i++) {
        if ((operation->mask >> i & 1u) == 0u)
            continue;
        const v_f32 value = v_f32_load(target->temporary[i]);
        const v_f32 old = v_f32_load(target->final_rows[i]);
        v_f32_store(target->final_rows[i], v_f32_select(machine->lane_mask, value, old));
    }
}

/* For operations that give the same value to every enabled component. */
static inline void store_all(const struct target *target, const struct fast_operation *operation, v_f32 value)
{
    for (uint32_t i = 0; i < 4u; i++)
        if ((operation->mask >> i & 1u) != 0u)
            v_f32_store(target->rows[i], value);
}

static inline void store_each(const struct target *target, const struct fast_operation *operation, const v_f32 value[4])
{
    for (uint32_t i = 0; i < 4u; i++)
        if ((operation->mask >> i & 1u) != 0u)
            v_f32_store(target->rows[i], value[i]);
}

/* -------------------------------------------------------------------------------------------- arithmetic operations */

static inline void set_compare(const struct machine *machine, uint32_t k, uint32_t lanes_true)
{
    uint32_t *const bits = &machine->run->compare[k];
    const uint32_t lanes = machine->context.lanes;
    *bits = (*bits & ~lanes) | (lanes_true & lanes);
}

/* SHD-30: from +0, in the order x, y, z, w. */
static inline v_f32 dot(const struct machine *machine, const struct fast_operation *operation, uint32_t products,
                        bool homogeneous)
{
    const bool f24 = machine->f24;
    v_f32 sum = v_f32_splat(0.0f);
    for (uint32_t i = 0; i < products; i++) {
        const v_f32 a = homogeneous && i == 3u ? v_f32_splat(1.0f) : source(machine, operation, 0u, i);
        sum = add(sum, multiply(a, source(machine, operation, 1u, i), f24), f24);
    }
    return sum;
}

/* SHD-33: max and min against constants; the constants are the second operands. */
static inline void run_litp(const struct machine *machine, const struct fast_operation *operation,
                            const struct target *target)
{
    const v_f32 zero = v_f32_splat(0.0f);
    const v_f32 x = source(machine, operation, 0u, 0u);
    const v_f32 y = source(machine, operation, 0u, 1u);
    const v_f32 w = source(machine, operation, 0u, 3u);
    const v_f32 value[4] = {
        v_f32_greater(x, zero),
        v_f32_lesser(v_f32_greater(y, v_f32_splat(-127.99609375f)), v_f32_splat(127.99609375f)),
        zero,
        v_f32_greater(w, zero),
    };
    set_compare(machine, 0u, v_mask_bits(v_f32_ge(x, zero)));
    set_compare(machine, 1u, v_mask_bits(v_f32_ge(w, zero)));
    store_each(target, operation, value);
}

/* SHD-35. */
static inline void run_dst(const struct machine *machine, const struct fast_operation *operation,
                           const struct target *target)
{
    const v_f32 value[4] = {
        v_f32_splat(1.0f),
        multiply(source(machine, operation, 0u, 1u), source(machine, operation, 1u, 1u), machine->f24),
        source(machine, operation, 0u, 2u),
        source(machine, operation, 1u, 3u),
    };
    store_each(target, operation, value);
}

/* SHD-31. */
static inline v_mask compare_lanes(enum pica_shader_compare operator, v_f32 a, v_f32 b)
{
    switch (operator) {
    case PICA_SHADER_COMPARE_EQ: return v_f32_eq(a, b);
    case PICA_SHADER_COMPARE_NE: return v_f32_ne(a, b);
    case PICA_SHADER_COMPARE_LT: return v_f32_lt(a, b);
    case PICA_SHADER_COMPARE_LE: return v_f32_le(a, b);
    case PICA_SHADER_COMPARE_GT: return v_f32_gt(a, b);
    case PICA_SHADER_COMPARE_GE: return v_f32_ge(a, b);
    case PICA_SHADER_COMPARE_TRUE_6:
    case PICA_SHADER_COMPARE_TRUE_7:
    default: return v_mask_all_lanes();
    }
}

static inline void run_cmp(const struct machine *machine, const struct fast_operation *operation)
{
    for (uint32_t k = 0; k < 2u; k++) {
        const enum pica_shader_compare operator= operation->compare[k];
        const v_mask lanes_true =
            compare_lanes(operator, source(machine, operation, 0u, k), source(machine, operation, 1u, k));
        set_compare(machine, k, v_mask_bits(lanes_true));
        if (operator== PICA_SHADER_COMPARE_TRUE_6 || operator== PICA_SHADER_COMPARE_TRUE_7)
            fast_event(machine->run->gpu, PICA_EVENT_CMP_OP_67);
    }
}

/* SHD-32. */
static inline void run_mova(const struct machine *machine, const struct fast_operation *operation)
{
    for (uint32_t k = 0; k < 2u; k++) {
        if ((operation->mask >> k & 1u) == 0u)
            continue;
        const v_f32 value = source(machine, operation, 0u, k);
        const v_i32 old = v_i32_load(machine->run->address[k]);
        v_i32_store(machine->run->address[k], v_i32_select(machine->lane_mask, address_from(value), old));
    }
}

/* Component-wise operations as functions of one type, so that one loop serves them all. */
typedef v_f32 unary_operation(v_f32 a, bool f24);
typedef v_f32 binary_operation(v_f32 a, v_f32 b, bool f24);

static inline v_f32 keep(v_f32 a, bool f24)
{
    (void)f24;
    return a;
}

static inline v_f32 round_down(v_f32 a, bool f24)
{
    return result(v_f32_floor(operand(a, f24)), f24);
}

static inline v_f32 each_exponential(v_f32 a, bool f24)
{
    return result(each_lane(operand(a, f24), exponential), f24);
}

static inline v_f32 each_logarithm(v_f32 a, bool f24)
{
    return result(each_lane(operand(a, f24), logarithm), f24);
}

/* FLT-26: a comparison and a selection; nothing is flushed or rounded (FLT-27). */
static inline v_f32 maximum(v_f32 a, v_f32 b, bool f24)
{
    (void)f24;
    return v_f32_greater(a, b);
}

static inline v_f32 minimum(v_f32 a, v_f32 b, bool f24)
{
    (void)f24;
    return v_f32_lesser(a, b);
}

static inline v_f32 greater_or_equal(v_f32 a, v_f32 b, bool f24)
{
    (void)f24;
    return v_f32_select(v_f32_ge(a, b), v_f32_splat(1.0f), v_f32_splat(0.0f));
}

static inline v_f32 less(v_f32 a, v_f32 b, bool f24)
{
    (void)f24;
    return v_f32_select(v_f32_lt(a, b), v_f32_splat(1.0f), v_f32_splat(0.0f));
}

static inline void each_component(const struct machine *machine, const struct fast_operation *operation,
                                  const struct target *target, unary_operation *function)
{
    for (uint32_t i = 0; i < 4u; i++)
        if ((operation->mask >> i & 1u) != 0u)
            v_f32_store(target->rows[i], function(source(machine, operation, 0u, i), machine->f24));
}

static inline void each_pair(const struct machine *machine, const struct fast_operation *operation,
                             const struct target *target, binary_operation *function)
{
    for (uint32_t i = 0; i < 4u; i++)
        if ((operation->mask >> i & 1u) != 0u)
            v_f32_store(target->rows[i],
                        function(source(machine, operation, 0u, i), source(machine, operation, 1u, i), machine->f24));
}

static inline void run_mad(const struct machine *machine, const struct fast_operation *operation,
                           const struct target *target)
{
    const bool f24 = machine->f24;
    for (uint32_t i = 0; i < 4u; i++)
        if ((operation->mask >> i & 1u) != 0u) {
            const v_f32 product = multiply(source(machine, operation, 0u, i), source(machine, operation, 1u, i), f24);
            v_f32_store(target->rows[i], add(product, source(machine, operation, 2u, i), f24));
        }
}

static inline void from_x(const struct machine *machine, const struct fast_operation *operation,
                          const struct target *target, unary_operation *function)
{
    store_all(target, operation, function(source(machine, operation, 0u, 0u), machine->f24));
}

/* Runs an operation that writes a register. Rows of `target` may be those of a source (SHD-15: struct target). */
static inline void run_arithmetic(const struct machine *machine, const struct fast_operation *operation)
{
    struct target target;
    open_target(machine, operation, &target);
    switch (operation->kind) {
    case FAST_OPERATION_ADD: each_pair(machine, operation, &target, add); break;
    case FAST_OPERATION_MUL: each_pair(machine, operation, &target, multiply); break;
    case FAST_OPERATION_MAD: run_mad(machine, operation, &target); break;
    case FAST_OPERATION_MOV: each_component(machine, operation, &target, keep); break;
    case FAST_OPERATION_MAX: each_pair(machine, operation, &target, maximum); break;
    case FAST_OPERATION_MIN: each_pair(machine, operation, &target, minimum); break;
    case FAST_OPERATION_SGE: each_pair(machine, operation, &target, greater_or_equal); break;
    case FAST_OPERATION_SLT: each_pair(machine, operation, &target, less); break;
    case FAST_OPERATION_FLR: each_component(machine, operation, &target, round_down); break;
    case FAST_OPERATION_DP3: store_all(&target, operation, dot(machine, operation, 3u, false)); break;
    case FAST_OPERATION_DP4: store_all(&target, operation, dot(machine, operation, 4u, false)); break;
    case FAST_OPERATION_DPH: store_all(&target, operation, dot(machine, operation, 4u, true)); break;
    case FAST_OPERATION_RCP: from_x(machine, operation, &target, reciprocal); break;
    case FAST_OPERATION_RSQ: from_x(machine, operation, &target, reciprocal_root); break;
    case FAST_OPERATION_EX2: from_x(machine, operation, &target, each_exponential); break;
    case FAST_OPERATION_LG2: from_x(machine, operation, &target, each_logarithm); break;
    case FAST_OPERATION_DST: run_dst(machine, operation, &target); break;
    case FAST_OPERATION_LITP:
    case FAST_OPERATION_UNASSIGNED: /* these and those below write no such register: shader.c does them */
    case FAST_OPERATION_MOVA:
    case FAST_OPERATION_BREAK:
    case FAST_OPERATION_NOP:
    case FAST_OPERATION_END:
    case FAST_OPERATION_BREAKC:
    case FAST_OPERATION_CALL:
    case FAST_OPERATION_CALLC:
    case FAST_OPERATION_CALLU:
    case FAST_OPERATION_IFU:
    case FAST_OPERATION_IFC:
    case FAST_OPERATION_LOOP:
    case FAST_OPERATION_EMIT:
    case FAST_OPERATION_SETEMIT:
    case FAST_OPERATION_JMPC:
    case FAST_OPERATION_JMPU:
    case FAST_OPERATION_CMP:
    default:
        assert(operation->kind == FAST_OPERATION_LITP);
        run_litp(machine, operation, &target);
        break;
    }
    if (target.copies)
        copy_target(machine, operation, &target);
}

/* Row of component i of source k, for operations without negation. */
static inline v_f32 short_cut_source(float (*rows)[FAST_FILE_LANES], const struct fast_operation *operation, uint32_t k,
                                     uint32_t i)
{
    return v_f32_load(rows[operation->source[k][i]]);
}

/*
 * A sum whose products were not repaired (GEN-03). If it is not NaN, no product was NaN, because a NaN stays in a sum;
 * so there was nothing to repair.
 */
static inline v_f32 short_cut_dot(float (*rows)[FAST_FILE_LANES], const struct fast_operation *operation,
                                  uint32_t products)
{
    v_f32 sum = v_f32_splat(0.0f);
    for (uint32_t i = 0; i < products; i++)
        sum = v_f32_add(sum,
                        v_f32_mul(short_cut_source(rows, operation, 0u, i), short_cut_source(rows, operation, 1u, i)));
    return sum;
}

/*
 * Runs an operation that has a short cut: in profile f32, with all 16 lanes active. Returns false if a product needs a
 * repair; then nothing was written.
 */
static inline bool run_short_cut(const struct machine *machine, const struct fast_operation *operation)
{
    float(*const rows)[FAST_FILE_LANES] = machine->run->file->row;
    const uint32_t bank = operation->to_output ? machine->run->bank * FAST_ROW_BANK : 0u;
    float(*const out)[FAST_FILE_LANES] = &rows[operation->destination + bank];
    const uint32_t mask = operation->mask;
    const enum fast_operation_kind kind = operation->kind;
    if (kind == FAST_OPERATION_DP4 || kind == FAST_OPERATION_DP3) {
        const v_f32 sum =
            kind == FAST_OPERATION_DP4 ? short_cut_dot(rows, operation, 4u) : short_cut_dot(rows, operation, 3u);
        if (v_mask_any(v_f32_is_nan(sum)))
            return false;
        for (uint32_t i = 0; i < 4u; i++)
            if ((mask >> i & 1u) != 0u)
                v_f32_store(out[i], sum);
        return true;
    }
    for (uint32_t i = 0; i < 4u; i++) {
        if ((mask >> i & 1u) == 0u)
            continue;
        const v_f32 a = short_cut_source(rows, operation, 0u, i);
        v_f32 value = a;
        if (kind != FAST_OPERATION_MOV) {
            const v_f32 b = short_cut_source(rows, operation, 1u, i);
            if (kind == FAST_OPERATION_ADD) {
                value = v_f32_add(a, b);
            } else {
                const bool adds = kind == FAST_OPERATION_MAD;
                const v_f32 c = short_cut_source(rows, operation, 2u, i); /* MUL: row 0, not used */
                value = v_f32_mul(a, b);
                if (adds)
                    value = v_f32_add(value, c);
                if (v_mask_any(v_f32_is_nan(value)))
                    value = adds ? add(multiply(a, b, false), c, false) : multiply(a, b, false);
            }
        }
        v_f32_store(out[i], value);
    }
    return true;
}

#endif
