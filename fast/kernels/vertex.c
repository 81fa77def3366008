/*
 * The shader interpreter for up to 16 vertices at a time (SHD), and the output map (SHD-80, SHD-81).
 *
 * All lanes run one program in step. Where a condition differs between lanes, the context is split: each half is run to
 * its end on its own, with its own stacks, and writes only its own lanes. So the odd rules of the stacks (SHD-40..51) stay
 * those of a single invocation.
 */
#include "fast/kernels.h"

#include <math.h>

#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "fast/shader_program.h"
#include "fast/simd.h"

enum {
    END_OF_CODE = 4095,           /* SHD-13 */
    VERTEX_CODE_WORDS = 512,      /* SHD-13 */
    CALL_DEPTH = 4,               /* SHD-40 */
    IF_DEPTH = 8,
    LOOP_DEPTH = 4,
    NO_END = UINT32_MAX >> 1      /* no instruction ends here: the stack is empty */
};

struct call_entry {
    uint32_t end, ret;
};

struct if_entry {
    uint32_t otherwise, end;
};

struct loop_entry {
    uint32_t entry, end, count, increment, saved;
};

/* One or more lanes that have taken the same way. SHD-40: three stacks, the newest entry last. */
struct context {
    uint32_t lanes;
    uint32_t pc;
    uint32_t executed; /* SHD-14 */
    int32_t loop_counter;
    uint32_t call_count, if_count, loop_count;
    uint32_t call_end, if_otherwise, loop_end; /* of the top entries, NO_END if there is none */
    struct call_entry calls[CALL_DEPTH];
    struct if_entry ifs[IF_DEPTH];
    struct loop_entry loops[LOOP_DEPTH];
};

/* The invocations of one run. At most one context a lane: every split divides the lanes. */
struct machine {
    struct fast_shader_run *run;
    bool f24;          /* FLT-03 */
    bool partial;      /* the running context has not all lanes: writes are masked */
    v_mask lane_mask;  /* of the running context */
    struct context context;
    uint32_t waiting_count;
    struct context waiting[FAST_FILE_LANES];
};

/* -------------------------------------------------------------------------------------------------- arithmetic (FLT-27) */

/* FLT-22: F. */
static inline v_f32 flush_input(v_f32 a)
{
    const v_u32 bits = v_u32_from_f32_bits(a);
    const v_mask small = v_u32_lt(v_u32_and(bits, v_u32_splat(0x7fffffffu)), v_u32_splat(0x20800000u));
    return v_f32_select(small, v_f32_splat(0.0f), a);
}

/* FLT-20: R24. */
static inline v_f32 round24(v_f32 a)
{
    const v_u32 bits = v_u32_from_f32_bits(a);
    const v_u32 magnitude = v_u32_and(bits, v_u32_splat(0x7fffffffu));
    const v_u32 sign = v_u32_and(bits, v_u32_splat(0x80000000u));
    const v_u32 half = v_u32_add(v_u32_splat(0x3fu), v_u32_and(v_u32_shr(magnitude, 7), v_u32_splat(1u)));
    v_u32 rounded = v_u32_and(v_u32_add(magnitude, half), v_u32_splat(0xffffff80u));
    const v_mask overflows = v_u32_ge(rounded, v_u32_splat(0x5f800000u));
    const v_mask vanishes = v_u32_lt(rounded, v_u32_splat(0x20800000u));
    rounded = v_u32_select(overflows, v_u32_splat(0x7f800000u), rounded);
    rounded = v_u32_select(vanishes, v_u32_splat(0u), v_u32_or(rounded, sign));
    rounded = v_u32_select(v_u32_gt(magnitude, v_u32_splat(0x7f800000u)), v_u32_splat(0x7fc00000u), rounded);
    return v_f32_from_bits(rounded);
}

static inline v_f32 operand(v_f32 a, bool f24)
{
    return f24 ? flush_input(a) : a;
}

static inline v_f32 result(v_f32 a, bool f24)
{
    return f24 ? round24(a) : a;
}

/* FLT-24, FLT-27, GEN-03. A product is NaN so rarely that the repair is behind a branch. */
static inline v_f32 multiply(v_f32 a, v_f32 b, bool f24)
{
    const v_f32 x = operand(a, f24);
    const v_f32 y = operand(b, f24);
    v_f32 product = v_f32_mul(x, y);
    const v_mask nan = v_f32_is_nan(product);
    if (v_mask_any(nan)) {
        const v_mask operand_nan = v_mask_or(v_f32_is_nan(x), v_f32_is_nan(y));
        product = v_f32_select(v_mask_andnot(nan, operand_nan), v_f32_splat(0.0f), product);
    }
    return result(product, f24);
}

static inline v_f32 add(v_f32 a, v_f32 b, bool f24)
{
    return result(v_f32_add(operand(a, f24), operand(b, f24)), f24);
}

/* FLT-25: also of -0. */
static inline v_f32 reciprocal(v_f32 a, bool f24)
{
    const v_f32 x = operand(a, f24);
    const v_mask zero = v_f32_eq(x, v_f32_splat(0.0f));
    const v_f32 quotient = v_f32_div(v_f32_splat(1.0f), x);
    return result(v_f32_select(zero, v_f32_splat(INFINITY), quotient), f24);
}

static inline v_f32 reciprocal_root(v_f32 a, bool f24)
{
    const v_f32 x = operand(a, f24);
    const v_mask zero = v_f32_eq(x, v_f32_splat(0.0f));
    const v_f32 quotient = v_f32_div(v_f32_splat(1.0f), v_f32_sqrt(x)); /* NaN for x < 0 */
    return result(v_f32_select(zero, v_f32_splat(INFINITY), quotient), f24);
}

/* FLT-30, one lane. */
static float exponential(float x)
{
    static const double c[15] = {
        0x1p+0,                 0x1.62e42fefa39efp-1,   0x1.ebfbdff82c58fp-3,   0x1.c6b08d704a0cp-5,
        0x1.3b2ab6fba4e77p-7,   0x1.5d87fe78a6731p-10,  0x1.430912f86c787p-13,  0x1.ffcbfc588b0c7p-17,
        0x1.62c0223a5c824p-20,  0x1.b5253d395e7c4p-24,  0x1.e4cf5158b8ecap-28,  0x1.e8cac7351bb25p-32,
        0x1.c3bd650fc2986p-36,  0x1.816193166d0f9p-40,  0x1.314964d5878a9p-44,
    };
    const uint32_t bits = simd_bits_from_f32(x);
    if (x != x)
        return x;
    if (x >= 128.0f)
        return INFINITY;
    if (x <= -150.0f)
        return 0.0f;
    if (bits == 0x3b429d37u)
        return simd_f32_from_bits(0x3f804385u);
    if (bits == 0xbcf3a937u)
        return simd_f32_from_bits(0x3f7ac6b1u);
    const double exact = (double)x;
    const double n = floor(exact + 0.5);
    const double r = exact - n;
    double p = c[14];
    for (int k = 13; k >= 0; k--)
        p = (p * r) + c[k];
    const uint64_t scale_bits = (uint64_t)(1023 + (int64_t)n) << 52; /* 2^n, n = -150 .. 128 */
    double scale;
    memcpy(&scale, &scale_bits, sizeof scale);
    return (float)(p * scale);
}

/* FLT-31, one lane. */
static float logarithm(float x)
{
    if (x != x || x == INFINITY)
        return x;
    if (x == 0.0f)
        return -INFINITY;
    if (x < 0.0f)
        return simd_f32_from_bits(0x7fc00000u);
    const double exact = (double)x;
    uint64_t bits;
    memcpy(&bits, &exact, sizeof bits);
    int32_t e = (int32_t)(bits >> 52) - 1023;
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m >= 0x1.6a09e667f3bcdp+0) {
        m = m * 0.5;
        e = e + 1;
    }
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double p = 1.0 / 27.0;
    for (int d = 25; d >= 1; d -= 2)
        p = (p * z) + (1.0 / (double)d);
    const double t = (p * s) * 0x1.71547652b82fep+1;
    return (float)((double)e + t);
}

static v_f32 each_lane(v_f32 a, float (*function)(float))
{
    float values[V_LANES];
    v_f32_store(values, a);
    for (int i = 0; i < V_LANES; i++)
        values[i] = function(values[i]);
    return v_f32_load(values);
}

/* ---------------------------------------------------------------------------------------------------- operands, results */

/* SHD-21: swizzle by choice of the row, then negation. */
static inline v_f32 source(const struct machine *machine, const struct fast_operation *operation, uint32_t k, uint32_t i)
{
    const v_f32 value = v_f32_load(machine->run->file->row[operation->source[k][i]]);
    return v_f32_from_bits(v_u32_xor(v_u32_from_f32_bits(value), v_u32_splat(operation->negate[k])));
}

/* SHD-22: brings the relatively addressed c register into its rows, before swizzle and negation. */
static void load_relative(const struct machine *machine, const struct fast_operation *operation)
{
    const struct fast_shader_run *const run = machine->run;
    float(*const rows)[FAST_FILE_LANES] = &run->file->row[FAST_ROW_RELATIVE];
    const v_f32 ones = v_f32_splat(1.0f);
    v_i32 offset;
    switch (operation->relative) {
    case PICA_SHADER_RELATIVE_NONE: return;
    case PICA_SHADER_RELATIVE_A0_X: offset = v_i32_load(run->address[0]); break;
    case PICA_SHADER_RELATIVE_A0_Y: offset = v_i32_load(run->address[1]); break;
    case PICA_SHADER_RELATIVE_AL:   offset = v_i32_splat(machine->context.loop_counter); break;
    }
    const v_mask ignored = v_mask_or(v_i32_gt(offset, v_i32_splat(127)), v_i32_lt(offset, v_i32_splat(-128)));
    offset = v_i32_select(ignored, v_i32_splat(0), offset);
    const v_i32 number = v_i32_and(v_i32_add(offset, v_i32_splat(operation->relative_number)), v_i32_splat(0x7f));
    const v_mask exists = v_i32_lt(number, v_i32_splat(PICA_FLOAT_UNIFORMS));
    const v_i32 index = v_i32_shl(number, 2);
    for (int i = 0; i < 4; i++)
        v_f32_store(rows[i], v_f32_gather(ones, exists, &run->uniforms[0][i], index));
}

/* Where an operation may write at once: its destination, or, if that is not safe yet, a place to copy from. */
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
static void copy_target(const struct machine *machine, const struct fast_operation *operation,
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

/* "all": the same value to every enabled component. */
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

/* --------------------------------------------------------------------------------------------------- arithmetic operations */

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

/* SHD-33: max and min against constants, which are the second operands. */
static void run_litp(const struct machine *machine, const struct fast_operation *operation, const struct target *target)
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
static void run_dst(const struct machine *machine, const struct fast_operation *operation, const struct target *target)
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
static v_mask compare_lanes(enum pica_shader_compare operator, v_f32 a, v_f32 b)
{
    switch (operator) {
    case PICA_SHADER_COMPARE_EQ:     return v_f32_eq(a, b);
    case PICA_SHADER_COMPARE_NE:     return v_f32_ne(a, b);
    case PICA_SHADER_COMPARE_LT:     return v_f32_lt(a, b);
    case PICA_SHADER_COMPARE_LE:     return v_f32_le(a, b);
    case PICA_SHADER_COMPARE_GT:     return v_f32_gt(a, b);
    case PICA_SHADER_COMPARE_GE:     return v_f32_ge(a, b);
    case PICA_SHADER_COMPARE_TRUE_6:
    case PICA_SHADER_COMPARE_TRUE_7: return v_mask_all_lanes();
    }
    return v_mask_none(); /* not reached: the field has three bits */
}

static void run_cmp(const struct machine *machine, const struct fast_operation *operation)
{
    for (uint32_t k = 0; k < 2u; k++) {
        const enum pica_shader_compare operator = operation->compare[k];
        const v_mask lanes_true =
            compare_lanes(operator, source(machine, operation, 0u, k), source(machine, operation, 1u, k));
        set_compare(machine, k, v_mask_bits(lanes_true));
        if (operator == PICA_SHADER_COMPARE_TRUE_6 || operator == PICA_SHADER_COMPARE_TRUE_7)
            fast_event(machine->run->gpu, PICA_EVENT_CMP_OP_67);
    }
}

/* SHD-32: truncation; NaN and what does not fit gives -2^31. */
static void run_mova(const struct machine *machine, const struct fast_operation *operation)
{
    for (uint32_t k = 0; k < 2u; k++) {
        if ((operation->mask >> k & 1u) == 0u)
            continue;
        const v_f32 value = source(machine, operation, 0u, k);
        const v_mask fits =
            v_mask_and(v_f32_gt(value, v_f32_splat(-2147483648.0f)), v_f32_lt(value, v_f32_splat(2147483648.0f)));
        const v_i32 whole = v_i32_trunc_in_range(v_f32_select(fits, value, v_f32_splat(0.0f)));
        const v_i32 old = v_i32_load(machine->run->address[k]);
        const v_i32 address = v_i32_select(fits, whole, v_i32_splat(INT32_MIN));
        v_i32_store(machine->run->address[k], v_i32_select(machine->lane_mask, address, old));
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

/* FLT-26: a compare and a choice; nothing is flushed or rounded (FLT-27). */
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
            v_f32_store(target->rows[i], function(source(machine, operation, 0u, i), source(machine, operation, 1u, i),
                                                  machine->f24));
}

static void run_mad(const struct machine *machine, const struct fast_operation *operation, const struct target *target)
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

/* Everything that writes a register. Rows of `target` may be those of a source (SHD-15: struct target). */
static void run_arithmetic(const struct machine *machine, const struct fast_operation *operation)
{
    struct target target;
    open_target(machine, operation, &target);
    switch (operation->kind) {
    case FAST_OPERATION_ADD:  each_pair(machine, operation, &target, add); break;
    case FAST_OPERATION_MUL:  each_pair(machine, operation, &target, multiply); break;
    case FAST_OPERATION_MAD:  run_mad(machine, operation, &target); break;
    case FAST_OPERATION_MOV:  each_component(machine, operation, &target, keep); break;
    case FAST_OPERATION_MAX:  each_pair(machine, operation, &target, maximum); break;
    case FAST_OPERATION_MIN:  each_pair(machine, operation, &target, minimum); break;
    case FAST_OPERATION_SGE:  each_pair(machine, operation, &target, greater_or_equal); break;
    case FAST_OPERATION_SLT:  each_pair(machine, operation, &target, less); break;
    case FAST_OPERATION_FLR:  each_component(machine, operation, &target, round_down); break;
    case FAST_OPERATION_DP3:  store_all(&target, operation, dot(machine, operation, 3u, false)); break;
    case FAST_OPERATION_DP4:  store_all(&target, operation, dot(machine, operation, 4u, false)); break;
    case FAST_OPERATION_DPH:  store_all(&target, operation, dot(machine, operation, 4u, true)); break;
    case FAST_OPERATION_RCP:  from_x(machine, operation, &target, reciprocal); break;
    case FAST_OPERATION_RSQ:  from_x(machine, operation, &target, reciprocal_root); break;
    case FAST_OPERATION_EX2:  from_x(machine, operation, &target, each_exponential); break;
    case FAST_OPERATION_LG2:  from_x(machine, operation, &target, each_logarithm); break;
    case FAST_OPERATION_DST:  run_dst(machine, operation, &target); break;
    case FAST_OPERATION_LITP: run_litp(machine, operation, &target); break;
    case FAST_OPERATION_UNASSIGNED:
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
    case FAST_OPERATION_CMP:  assert(false); break;
    }
    if (target.copies)
        copy_target(machine, operation, &target);
}

/* ------------------------------------------------------------------------------------------------------------- stacks */

static void refresh_tops(struct context *context)
{
    context->call_end = context->call_count > 0u ? context->calls[context->call_count - 1u].end : NO_END;
    context->if_otherwise = context->if_count > 0u ? context->ifs[context->if_count - 1u].otherwise : NO_END;
    context->loop_end = context->loop_count > 0u ? context->loops[context->loop_count - 1u].end : NO_END;
}

/* SHD-40: a full stack loses its oldest entry. */
static void push_call(struct machine *machine, uint32_t end, uint32_t ret)
{
    struct context *const context = &machine->context;
    if (context->call_count == CALL_DEPTH) {
        fast_event(machine->run->gpu, PICA_EVENT_STACK_OVERFLOW);
        memmove(&context->calls[0], &context->calls[1], sizeof context->calls - sizeof context->calls[0]);
        context->call_count -= 1u;
    }
    context->calls[context->call_count] = (struct call_entry){ end, ret };
    context->call_count += 1u;
    refresh_tops(context);
}

static void push_if(struct machine *machine, uint32_t otherwise, uint32_t end)
{
    struct context *const context = &machine->context;
    if (context->if_count == IF_DEPTH) {
        fast_event(machine->run->gpu, PICA_EVENT_STACK_OVERFLOW);
        memmove(&context->ifs[0], &context->ifs[1], sizeof context->ifs - sizeof context->ifs[0]);
        context->if_count -= 1u;
    }
    context->ifs[context->if_count] = (struct if_entry){ otherwise, end };
    context->if_count += 1u;
    refresh_tops(context);
}

/* SHD-48, SHD-49. */
static void push_loop(struct machine *machine, const struct fast_operation *operation)
{
    struct context *const context = &machine->context;
    const uint8_t *const integer = machine->run->unit->integers[operation->uniform & 3u];
    if (context->loop_count == LOOP_DEPTH) {
        fast_event(machine->run->gpu, PICA_EVENT_STACK_OVERFLOW);
        memmove(&context->loops[0], &context->loops[1], sizeof context->loops - sizeof context->loops[0]);
        context->loop_count -= 1u;
    }
    context->loops[context->loop_count] = (struct loop_entry){
        .entry = context->pc + 1u,
        .end = operation->target + 1u,
        .count = integer[0],
        .increment = integer[2],
        .saved = (uint32_t)context->loop_counter & 0xffu,
    };
    context->loop_count += 1u;
    context->loop_counter = (int32_t)integer[1];
    refresh_tops(context);
}

/* SHD-42. */
static void check_calls(struct context *context, uint32_t next)
{
    uint32_t end = next;
    for (int pops = 1; pops <= 4; pops++) {
        if (context->call_count == 0u || context->calls[context->call_count - 1u].end != end)
            return;
        context->call_count -= 1u;
        if (pops < 4) {
            end = context->calls[context->call_count].ret;
            context->pc = end;
        }
    }
}

/* SHD-43. */
static void check_ifs(struct context *context, uint32_t next)
{
    if (context->if_count > 0u && context->ifs[context->if_count - 1u].otherwise == next) {
        context->if_count -= 1u;
        context->pc = context->ifs[context->if_count].end;
    }
}

/* a + b modulo 2^32 as s32 (SHD-49). */
static int32_t add_wrapping(int32_t a, uint32_t b)
{
    const uint32_t sum = (uint32_t)a + b;
    int32_t value;
    memcpy(&value, &sum, sizeof value);
    return value;
}

/* SHD-44, SHD-51: only the innermost loop is looked at. */
static void check_loops(struct context *context, uint32_t next, bool breaks)
{
    if (context->loop_count == 0u)
        return;
    struct loop_entry *const top = &context->loops[context->loop_count - 1u];
    if (top->end != next && !breaks)
        return;
    context->loop_counter = add_wrapping(context->loop_counter, top->increment);
    if (!breaks && top->count != 0u) {
        top->count -= 1u;
        context->pc = top->entry;
        return;
    }
    context->pc = top->end;
    if (context->loop_count > 1u)
        context->loop_counter = (int32_t)top->saved;
    context->loop_count -= 1u;
}

/* SHD-41: after the instruction at `context->pc`, which goes to `jump` unless a scope ends at `next`. */
static inline void advance(struct context *context, uint32_t jump, bool breaks)
{
    const uint32_t next = context->pc + 1u;
    context->pc = jump;
    if (next != context->call_end && next != context->if_otherwise && next != context->loop_end && !breaks)
        return;
    check_calls(context, next);
    check_ifs(context, next);
    check_loops(context, next, breaks);
    refresh_tops(context);
}

/* -------------------------------------------------------------------------------------------------------- flow control */

/* The lanes of the context for which a format 2 condition holds. */
static uint32_t condition_lanes(const struct machine *machine, const struct fast_operation *operation)
{
    const uint32_t *const compare = machine->run->compare;
    const uint32_t x = operation->reference[0] ? compare[0] : ~compare[0];
    const uint32_t y = operation->reference[1] ? compare[1] : ~compare[1];
    const uint32_t lanes = machine->context.lanes;
    switch (operation->condition) {
    case PICA_SHADER_CONDITION_OR:  return (x | y) & lanes;
    case PICA_SHADER_CONDITION_AND: return (x & y) & lanes;
    case PICA_SHADER_CONDITION_X:   return x & lanes;
    case PICA_SHADER_CONDITION_Y:   return y & lanes;
    }
    return 0u; /* not reached: the field has two bits */
}

/* Leaves only `lanes` in the running context; the others will execute this instruction again on their own. */
static void split_context(struct machine *machine, uint32_t lanes)
{
    struct context *const context = &machine->context;
    struct context *const other = &machine->waiting[machine->waiting_count];
    *other = *context;
    other->lanes = context->lanes & ~lanes;
    other->executed -= 1u; /* it will be counted again */
    machine->waiting_count += 1u;
    context->lanes = lanes;
    machine->partial = true;
    machine->lane_mask = v_mask_from_bits(lanes);
}

/* Is the condition of this instruction true? Lanes that disagree are split off. */
static bool decide(struct machine *machine, const struct fast_operation *operation)
{
    const uint32_t lanes_true = condition_lanes(machine, operation);
    if (lanes_true == 0u)
        return false;
    if (lanes_true != machine->context.lanes)
        split_context(machine, lanes_true);
    return true;
}

static bool boolean_uniform(const struct machine *machine, const struct fast_operation *operation)
{
    return ((uint32_t)machine->run->unit->booleans >> operation->uniform & 1u) != 0u;
}

/* SHD-47. Returns the jump target. */
static uint32_t run_if(struct machine *machine, const struct fast_operation *operation, bool condition)
{
    if (!condition)
        return operation->target;
    push_if(machine, operation->target, operation->target + operation->length);
    return machine->context.pc + 1u;
}

static uint32_t run_call(struct machine *machine, const struct fast_operation *operation, bool condition)
{
    const uint32_t next = machine->context.pc + 1u;
    if (!condition)
        return next;
    push_call(machine, operation->target + operation->length, next);
    return operation->target;
}

/* SHD-50. Returns the break flag of SHD-44. */
static bool run_break(const struct machine *machine)
{
    if (machine->context.loop_count > 0u)
        return true;
    fast_event(machine->run->gpu, PICA_EVENT_BREAK_EMPTY);
    return false;
}

/* GSH-30, GSH-33. */
static void run_emission(const struct machine *machine, const struct fast_operation *operation)
{
    struct fast_shader_run *const run = machine->run;
    if (run->geometry == NULL)
        fast_event(run->gpu, PICA_EVENT_EMIT_IN_VS);
    else if (operation->kind == FAST_OPERATION_EMIT)
        fast_geometry_emit(run);
    else
        fast_geometry_set_emit(run, operation);
}

/*
 * SHD-13: zero words beyond the code. Doing one twice changes nothing, so all up to the next end of a scope (or the limit
 * of instructions, or the end of code memory) are counted at once. The context's pc is that of the first, already executed.
 */
static void skip_zero_words(struct machine *machine)
{
    struct context *const context = &machine->context;
    const struct fast_shader_run *const run = machine->run;
    const uint32_t ends[3] = { context->call_end, context->if_otherwise, context->loop_end };
    uint32_t stop = END_OF_CODE; /* pc + 1 of the last word to take */
    for (int i = 0; i < 3; i++)
        if (ends[i] > context->pc && ends[i] < stop)
            stop = ends[i];
    uint32_t more = stop - 1u - context->pc;
    if (more > run->gpu->limits.instructions - context->executed)
        more = run->gpu->limits.instructions - context->executed;
    context->executed += more;
    context->pc += more;
    if (run->geometry == NULL && context->pc >= VERTEX_CODE_WORDS)
        fast_event(run->gpu, PICA_EVENT_PC_RANGE);
}

/* One instruction. Returns false at END. */
static inline bool execute(struct machine *machine, const struct fast_operation *operation)
{
    struct context *const context = &machine->context;
    const uint32_t next = context->pc + 1u;
    uint32_t jump = next;
    bool breaks = false;
    if (operation->relative != PICA_SHADER_RELATIVE_NONE)
        load_relative(machine, operation);
    switch (operation->kind) {
    case FAST_OPERATION_ADD:
    case FAST_OPERATION_DP3:
    case FAST_OPERATION_DP4:
    case FAST_OPERATION_DPH:
    case FAST_OPERATION_DST:
    case FAST_OPERATION_EX2:
    case FAST_OPERATION_LG2:
    case FAST_OPERATION_LITP:
    case FAST_OPERATION_MUL:
    case FAST_OPERATION_SGE:
    case FAST_OPERATION_SLT:
    case FAST_OPERATION_FLR:
    case FAST_OPERATION_MAX:
    case FAST_OPERATION_MIN:
    case FAST_OPERATION_RCP:
    case FAST_OPERATION_RSQ:
    case FAST_OPERATION_MOV:
    case FAST_OPERATION_MAD:        run_arithmetic(machine, operation); break;
    case FAST_OPERATION_MOVA:       run_mova(machine, operation); break;
    case FAST_OPERATION_CMP:        run_cmp(machine, operation); break;
    case FAST_OPERATION_UNASSIGNED: fast_event(machine->run->gpu, PICA_EVENT_OPCODE_UNASSIGNED); break;
    case FAST_OPERATION_NOP:        break;
    case FAST_OPERATION_END:        return false;
    case FAST_OPERATION_BREAK:      breaks = run_break(machine); break;
    case FAST_OPERATION_BREAKC:     breaks = decide(machine, operation) && run_break(machine); break;
    case FAST_OPERATION_CALL:       jump = run_call(machine, operation, true); break;
    case FAST_OPERATION_CALLC:      jump = run_call(machine, operation, decide(machine, operation)); break;
    case FAST_OPERATION_CALLU:      jump = run_call(machine, operation, boolean_uniform(machine, operation)); break;
    case FAST_OPERATION_IFU:        jump = run_if(machine, operation, boolean_uniform(machine, operation)); break;
    case FAST_OPERATION_IFC:        jump = run_if(machine, operation, decide(machine, operation)); break;
    case FAST_OPERATION_LOOP:       push_loop(machine, operation); break;
    case FAST_OPERATION_EMIT:
    case FAST_OPERATION_SETEMIT:    run_emission(machine, operation); break;
    case FAST_OPERATION_JMPC:       jump = decide(machine, operation) ? operation->target : next; break;
    case FAST_OPERATION_JMPU:
        jump = boolean_uniform(machine, operation) != operation->inverted ? operation->target : next;
        break;
    }
    advance(context, jump, breaks);
    return true;
}

/* SHD-12 to SHD-14: the running context to its end. */
static void run_context(struct machine *machine)
{
    const struct fast_shader_run *const run = machine->run;
    const struct fast_program *const program = run->program;
    struct context *const context = &machine->context;
    const uint32_t limit = run->gpu->limits.instructions;
    for (;;) {
        if (context->pc >= END_OF_CODE) {
            fast_event(run->gpu, PICA_EVENT_PC_RANGE);
            return;
        }
        if (context->executed >= limit) {
            fast_event(run->gpu, PICA_EVENT_BUDGET_INSTR);
            return;
        }
        context->executed += 1u;
        if (context->pc < program->count) {
            if (!execute(machine, &program->operations[context->pc]))
                return;
        } else {
            run_arithmetic(machine, &program->zero);
            if (run->geometry == NULL && context->pc >= VERTEX_CODE_WORDS)
                fast_event(run->gpu, PICA_EVENT_PC_RANGE);
            skip_zero_words(machine);
            advance(context, context->pc + 1u, false);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------- output map */

/* SHD-81: NaN gives 1.0. */
static v_f32 limit_color(v_f32 color)
{
    return v_f32_lesser(v_f32_abs(color), v_f32_splat(1.0f));
}

/* SHD-80. */
static void map_outputs(const struct fast_shader_run *run)
{
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++) {
        v_f32 value = v_f32_load(run->file->row[run->map[slot]]);
        if (slot >= FAST_SLOT_COLOR && slot < FAST_SLOT_COLOR + 4u)
            value = limit_color(value);
        v_f32_store(run->block + (size_t)slot * FAST_FILE_LANES, value);
    }
}

/* ---------------------------------------------------------------------------------------------------------- the kernel */

static void shade(struct fast_shader_run *run)
{
    struct machine machine;
    machine.run = run;
    machine.f24 = run->gpu->profile == PICA_PROFILE_F24;
    machine.partial = false;
    machine.lane_mask = v_mask_all_lanes();
    machine.waiting_count = 0u;
    machine.context.lanes = run->lanes;
    machine.context.pc = run->entry;
    machine.context.executed = 0u;
    machine.context.loop_counter = run->loop_counter;
    machine.context.call_count = 0u;
    machine.context.if_count = 0u;
    machine.context.loop_count = 0u;
    refresh_tops(&machine.context);
    run_context(&machine);
    while (machine.waiting_count > 0u) {
        machine.waiting_count -= 1u;
        machine.context = machine.waiting[machine.waiting_count];
        machine.partial = true;
        machine.lane_mask = v_mask_from_bits(machine.context.lanes);
        run_context(&machine);
    }
    run->loop_counter = machine.context.loop_counter;
    if (run->block != NULL)
        map_outputs(run);
}

void FAST_ISA(fast_fill_vertex)(struct fast_kernels *kernels);

void FAST_ISA(fast_fill_vertex)(struct fast_kernels *kernels)
{
    kernels->shade = shade;
}
