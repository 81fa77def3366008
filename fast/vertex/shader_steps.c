/*
 * Builds the steps of a plan, operation by operation (shader_steps.h).
 *
 * The builder tracks where the value of each register component lies: in its own row, in the row of another component
 * (after a MOV), or as a scalar. Every step computes exactly what the operation says; only signs are moved, where IEEE
 * 754 gives the same bits: x + (-y) is x - y, and (-x) * y is -(x * y). GEN-02: the sign of a NaN does not matter.
 */
#include "fast/vertex/shader_steps.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "fast/gpu.h"

enum {
    SCRATCH_ROWS = FAST_FRAME_LOADS - FAST_FRAME_SCRATCH
};

static bool is_scalar(uint16_t place)
{
    return (place & FAST_PLACE_IS_SCALAR) != 0u;
}

static uint16_t scalar_place(uint32_t number)
{
    return (uint16_t)(FAST_PLACE_IS_SCALAR | number);
}

/* The scalar with the other sign. */
static uint16_t negated_scalar(uint16_t place)
{
    const uint32_t number = place & ~(uint32_t)FAST_PLACE_IS_SCALAR;
    return scalar_place(number < FAST_SCALAR_NEGATED ? number + FAST_SCALAR_NEGATED : number - FAST_SCALAR_NEGATED);
}

/* ------------------------------------------------------------------------------------------------------------ steps */

static struct fast_step *append(struct fast_plan_builder *builder, enum fast_step_kind kind, uint32_t target)
{
    struct fast_step *const step = &builder->steps[builder->step_count];
    if (builder->step_count == FAST_PLAN_STEPS - 1u)
        builder->failed = true;
    else
        builder->step_count += 1u;
    memset(step, 0, sizeof *step);
    step->kind = kind;
    step->target = target;
    return step;
}

/* From now on, component `row` has the value at `place`. */
static void set_value(struct fast_plan_builder *builder, uint32_t row, uint16_t place)
{
    const uint16_t old = builder->value[row];
    if (!is_scalar(old) && old != row && old < FAST_BUILT_ROWS)
        builder->users[old]--;
    builder->value[row] = place;
    if (!is_scalar(place) && place != row && place < FAST_BUILT_ROWS)
        builder->users[place]++;
}

/* Call before the row changes: every other component whose value lies in this row gets a copy in its own row. */
static void release_row(struct fast_plan_builder *builder, uint32_t row)
{
    for (uint32_t user = 0; user < FAST_BUILT_ROWS && builder->users[row] > 0u; user++)
        if (user != row && builder->value[user] == row) {
            append(builder, FAST_STEP_COPY, user)->operand[0] = row;
            set_value(builder, user, (uint16_t)user);
        }
}

/* A step that computes the new value of a register component. */
static struct fast_step *write_row(struct fast_plan_builder *builder, enum fast_step_kind kind, uint32_t row)
{
    release_row(builder, row);
    set_value(builder, row, (uint16_t)row);
    return append(builder, kind, row);
}

static uint32_t new_scratch(struct fast_plan_builder *builder)
{
    assert(builder->scratch_count < SCRATCH_ROWS);
    builder->scratch_count += 1u;
    return FAST_FRAME_SCRATCH + builder->scratch_count - 1u;
}

/* The row that holds this scalar in every lane; marks the plan as failed if there is no room for another one. */
static uint32_t spread_row(struct fast_plan_builder *builder, uint16_t place)
{
    struct fast_plan *const plan = builder->plan;
    const uint16_t number = (uint16_t)(place & ~(uint32_t)FAST_PLACE_IS_SCALAR);
    for (uint32_t n = 0; n < plan->spread_count; n++)
        if (plan->spread[n] == number)
            return FAST_FRAME_SPREADS + n;
    if (plan->spread_count == FAST_PLAN_SPREADS) {
        builder->failed = true;
        return FAST_FRAME_SPREADS;
    }
    plan->spread[plan->spread_count] = number;
    plan->spread_count += 1u;
    return FAST_FRAME_SPREADS + plan->spread_count - 1u;
}

/* A row with the value of the operand, sign included. */
static uint32_t as_row(struct fast_plan_builder *builder, struct fast_operand operand)
{
    if (is_scalar(operand.place))
        return spread_row(builder, operand.place);
    if (!operand.negative)
        return operand.place;
    const uint32_t row = new_scratch(builder);
    append(builder, FAST_STEP_NEGATE, row)->operand[0] = operand.place;
    return row;
}

/* --------------------------------------------------------------------------------------------------------- operands */

static void use_constant_register(struct fast_plan_builder *builder, int32_t offset, uint32_t number)
{
    const int32_t used = offset >= -128 && offset <= 127 ? offset : 0;
    builder->relative = scalar_place((((uint32_t)used + number) & 0x7fu) * 4u);
}

/* The entry that holds this relatively addressed register, or else the least recently used one. */
static uint32_t find_load(const struct fast_plan_builder *builder, uint32_t address, uint32_t number)
{
    uint32_t oldest = 0u;
    for (uint32_t n = 0; n < FAST_PLAN_LOADS; n++) {
        const struct fast_plan_load *const load = &builder->loads[n];
        if (load->valid && load->address == address && load->number == number)
            return n;
        if (load->last_use < builder->loads[oldest].last_use)
            oldest = n;
    }
    return oldest;
}

/* SHD-22, for a0: an address that no MOVA has written is 0. */
static void use_loaded_register(struct fast_plan_builder *builder, uint32_t address, uint32_t number)
{
    const uint16_t place = builder->value[FAST_FRAME_ADDRESSES + address];
    if (is_scalar(place)) {
        use_constant_register(builder, 0, number);
        return;
    }
    const uint32_t n = find_load(builder, address, number);
    struct fast_plan_load *const load = &builder->loads[n];
    const uint32_t row = FAST_FRAME_LOADS + 4u * n;
    if (!load->valid || load->address != address || load->number != number) {
        *load = (struct fast_plan_load){ .valid = true, .address = address, .number = number };
        for (uint32_t i = 0; i < 4u; i++)
            release_row(builder, row + i);
        builder->plan->relative = true;
        struct fast_step *const step = append(builder, FAST_STEP_LOAD, row);
        step->operand[0] = place;
        step->operand[1] = number;
    }
    builder->clock += 1u;
    load->last_use = builder->clock;
    builder->relative = (uint16_t)row;
}

static void prepare_relative(struct fast_plan_builder *builder, const struct fast_recorded *recorded)
{
    const struct fast_operation *const operation = recorded->operation;
    switch (operation->relative) {
    case PICA_SHADER_RELATIVE_NONE: break;
    case PICA_SHADER_RELATIVE_A0_X: use_loaded_register(builder, 0u, operation->relative_number); break;
    case PICA_SHADER_RELATIVE_A0_Y: use_loaded_register(builder, 1u, operation->relative_number); break;
    case PICA_SHADER_RELATIVE_AL:
        use_constant_register(builder, recorded->loop_counter, operation->relative_number);
        break;
    }
}

/* SHD-20 to SHD-22: component i of source number k. Rows of v and r have the same numbers in file and frame. */
static struct fast_operand read_operand(const struct fast_plan_builder *builder, const struct fast_operation *operation,
                                        uint32_t k, uint32_t i)
{
    const uint32_t row = operation->source[k][i];
    struct fast_operand operand = { 0u, operation->negate[k] != 0u };
    if (row < FAST_ROW_UNIFORMS)
        operand.place = builder->value[row];
    else if (row < FAST_ROW_OUTPUTS)
        operand.place = scalar_place(row - FAST_ROW_UNIFORMS);
    else
        operand.place = (uint16_t)(builder->relative + (row - FAST_ROW_RELATIVE));
    if (is_scalar(operand.place) && operand.negative) {
        operand.place = negated_scalar(operand.place);
        operand.negative = false;
    }
    return operand;
}

static uint32_t destination_row(const struct fast_operation *operation, uint32_t i)
{
    const uint32_t row = operation->destination + i;
    return operation->to_output ? row - (uint32_t)FAST_ROW_OUTPUTS + (uint32_t)FAST_FRAME_OUTPUTS : row;
}

/* ------------------------------------------------------------------------------------------------------- arithmetic */

static void two_rows(struct fast_step *step, uint32_t a, uint32_t b)
{
    step->operand[0] = a;
    step->operand[1] = b;
}

static void emit_binary(struct fast_plan_builder *builder, enum fast_step_kind kind, uint32_t target,
                        const struct fast_operand operands[3])
{
    const uint32_t a = as_row(builder, operands[0]);
    const uint32_t b = as_row(builder, operands[1]);
    two_rows(append(builder, kind, target), a, b);
}

static void emit_add(struct fast_plan_builder *builder, uint32_t target, const struct fast_operand operands[3])
{
    const bool swap = operands[0].negative || is_scalar(operands[0].place);
    const struct fast_operand a = operands[swap ? 1 : 0];
    const struct fast_operand b = operands[swap ? 0 : 1];
    const uint32_t row = as_row(builder, a);
    if (b.negative)
        two_rows(append(builder, FAST_STEP_SUBTRACT, target), row, b.place);
    else if (is_scalar(b.place))
        two_rows(append(builder, FAST_STEP_ADD_SCALAR, target), row, b.place & ~(uint32_t)FAST_PLACE_IS_SCALAR);
    else
        two_rows(append(builder, FAST_STEP_ADD, target), row, b.place);
}

/*
 * The factors of a product: a row times a row, or, if `scalar`, a row times a scalar. `negative`: the product must be
 * negated.
 */
struct product {
    bool scalar;
    bool negative;
    uint32_t a, b;
};

static struct product make_product(struct fast_plan_builder *builder, struct fast_operand a, struct fast_operand b)
{
    struct product product = { .negative = a.negative != b.negative };
    const bool swap = is_scalar(a.place);
    struct fast_operand first = swap ? b : a;
    const struct fast_operand second = swap ? a : b;
    product.scalar = is_scalar(second.place);
    first.negative = false;
    product.a = as_row(builder, first);
    product.b = second.place;
    if (product.scalar && product.negative) {
        product.b = negated_scalar(second.place);
        product.negative = false;
    }
    product.b &= ~(uint32_t)FAST_PLACE_IS_SCALAR;
    return product;
}

static void emit_multiply(struct fast_plan_builder *builder, uint32_t target, const struct fast_operand operands[3])
{
    struct product product = make_product(builder, operands[0], operands[1]);
    if (product.negative)
        product.a = as_row(builder, (struct fast_operand){ (uint16_t)product.a, true });
    two_rows(append(builder, product.scalar ? FAST_STEP_SCALE : FAST_STEP_MULTIPLY, target), product.a, product.b);
}

static void emit_mad(struct fast_plan_builder *builder, uint32_t target, const struct fast_operand operands[3])
{
    const struct product product = make_product(builder, operands[0], operands[1]);
    struct fast_operand sum = operands[2];
    const bool subtracts = sum.negative && !product.negative && !product.scalar;
    if (subtracts)
        sum.negative = false;
    const uint32_t c = as_row(builder, sum);
    enum fast_step_kind kind = product.scalar ? FAST_STEP_MAD_SCALAR : FAST_STEP_MAD;
    if (subtracts)
        kind = FAST_STEP_MAD_MINUS;
    else if (product.negative)
        kind = FAST_STEP_MINUS_MAD;
    struct fast_step *const step = append(builder, kind, target);
    two_rows(step, product.a, product.b);
    step->operand[2] = c;
}

/* SHD-33. */
static void emit_litp(struct fast_plan_builder *builder, uint32_t i, uint32_t target, struct fast_operand value)
{
    const struct fast_operand zero = { scalar_place(FAST_SCALAR_ZERO), false };
    const struct fast_operand greatest = { scalar_place(FAST_SCALAR_LITP_LIMIT), false };
    const struct fast_operand least = { negated_scalar(greatest.place), false };
    if (i == 2u) {
        append(builder, FAST_STEP_COPY, target)->operand[0] = as_row(builder, zero);
    } else if (i == 1u) {
        const struct fast_operand limited = { (uint16_t)new_scratch(builder), false };
        emit_binary(builder, FAST_STEP_MAXIMUM, limited.place, (const struct fast_operand[3]){ value, least });
        emit_binary(builder, FAST_STEP_MINIMUM, target, (const struct fast_operand[3]){ limited, greatest });
    } else {
        emit_binary(builder, FAST_STEP_MAXIMUM, target, (const struct fast_operand[3]){ value, zero });
    }
}

static void emit_copy(struct fast_plan_builder *builder, uint32_t target, struct fast_operand value)
{
    const enum fast_step_kind kind = value.negative ? FAST_STEP_NEGATE : FAST_STEP_COPY;
    value.negative = false;
    const uint32_t row = as_row(builder, value);
    append(builder, kind, target)->operand[0] = row;
}

/* SHD-35. */
static void emit_dst(struct fast_plan_builder *builder, uint32_t i, uint32_t target,
                     const struct fast_operand operands[3])
{
    const struct fast_operand one = { scalar_place(FAST_SCALAR_ONE), false };
    if (i == 1u)
        emit_multiply(builder, target, operands);
    else
        emit_copy(builder, target, i == 0u ? one : operands[i - 2u]);
}

/* Component i of an operation that treats all components alike, or nearly so. */
static void emit_component(struct fast_plan_builder *builder, enum fast_operation_kind kind, uint32_t i,
                           uint32_t target, const struct fast_operand operands[3])
{
    if (kind == FAST_OPERATION_ADD)
        emit_add(builder, target, operands);
    else if (kind == FAST_OPERATION_MUL)
        emit_multiply(builder, target, operands);
    else if (kind == FAST_OPERATION_MAD)
        emit_mad(builder, target, operands);
    else if (kind == FAST_OPERATION_MAX)
        emit_binary(builder, FAST_STEP_MAXIMUM, target, operands);
    else if (kind == FAST_OPERATION_MIN)
        emit_binary(builder, FAST_STEP_MINIMUM, target, operands);
    else if (kind == FAST_OPERATION_SGE)
        emit_binary(builder, FAST_STEP_GREATER_EQUAL, target, operands);
    else if (kind == FAST_OPERATION_SLT)
        emit_binary(builder, FAST_STEP_LESS, target, operands);
    else if (kind == FAST_OPERATION_FLR) {
        const uint32_t row = as_row(builder, operands[0]);
        append(builder, FAST_STEP_FLOOR, target)->operand[0] = row;
    } else if (kind == FAST_OPERATION_LITP)
        emit_litp(builder, i, target, operands[0]);
    else if (kind == FAST_OPERATION_DST)
        emit_dst(builder, i, target, operands);
    else
        emit_copy(builder, target, operands[0]);
}

/* ------------------------------------------------------------------------------------------------------- operations */

/* The operands of all enabled components, and whether writing one component would change what another reads. */
struct reading {
    struct fast_operand operands[4][3];
    bool overlaps;
};

/*
 * SHD-15. Overlap is checked in both directions, because a MOV only makes its target refer to another row, which must
 * not be one of its own targets. Checking components that are not enabled, too, is more than needed and harmless.
 */
static void read_all(const struct fast_plan_builder *builder, const struct fast_operation *operation,
                     struct reading *reading)
{
    reading->overlaps = false;
    for (uint32_t i = 0; i < 4u; i++)
        for (uint32_t k = 0; k < 3u; k++) {
            struct fast_operand *const operand = &reading->operands[i][k];
            *operand = read_operand(builder, operation, k, i);
            for (uint32_t other = 0; other < 4u; other++)
                if (other != i && (operation->mask >> other & 1u) != 0u &&
                    operand->place == destination_row(operation, other))
                    reading->overlaps = true;
        }
}

/* MOV: computes nothing; the target now refers to the value of the source. */
static void build_move(struct fast_plan_builder *builder, const struct fast_operation *operation,
                       const struct reading *reading)
{
    for (uint32_t i = 0; i < 4u; i++) {
        const struct fast_operand operand = reading->operands[i][0];
        const uint32_t row = destination_row(operation, i);
        if ((operation->mask >> i & 1u) == 0u || (operand.place == row && !operand.negative))
            continue;
        if (operand.negative) {
            write_row(builder, FAST_STEP_NEGATE, row)->operand[0] = operand.place;
        } else {
            release_row(builder, row);
            set_value(builder, row, operand.place);
        }
    }
}

/* An operation whose components are computed one by one. */
static void build_components(struct fast_plan_builder *builder, const struct fast_operation *operation)
{
    struct reading reading;
    uint32_t targets[4] = { 0u, 0u, 0u, 0u };
    read_all(builder, operation, &reading);
    if (operation->kind == FAST_OPERATION_MOV && !reading.overlaps) {
        build_move(builder, operation, &reading);
        return;
    }
    for (uint32_t i = 0; i < 4u; i++) {
        if ((operation->mask >> i & 1u) == 0u)
            continue;
        const uint32_t row = destination_row(operation, i);
        targets[i] = reading.overlaps ? new_scratch(builder) : row;
        if (!reading.overlaps) {
            release_row(builder, row);
            set_value(builder, row, (uint16_t)row);
        }
        emit_component(builder, operation->kind, i, targets[i], reading.operands[i]);
    }
    for (uint32_t i = 0; i < 4u && reading.overlaps; i++)
        if ((operation->mask >> i & 1u) != 0u)
            write_row(builder, FAST_STEP_COPY, destination_row(operation, i))->operand[0] = targets[i];
}

/*
 * Operations that give all components the same value: the first enabled component holds it, the others refer to it.
 * Returns the row of the first.
 */
static uint32_t open_all(struct fast_plan_builder *builder, const struct fast_operation *operation)
{
    uint32_t first = 0u;
    while ((operation->mask >> first & 1u) == 0u)
        first++;
    const uint32_t row = destination_row(operation, first);
    for (uint32_t i = first; i < 4u; i++)
        if ((operation->mask >> i & 1u) != 0u)
            release_row(builder, destination_row(operation, i));
    for (uint32_t i = first; i < 4u; i++)
        if ((operation->mask >> i & 1u) != 0u)
            set_value(builder, destination_row(operation, i), (uint16_t)row);
    return row;
}

static void build_unary(struct fast_plan_builder *builder, const struct fast_operation *operation,
                        enum fast_step_kind kind)
{
    const uint32_t row = as_row(builder, read_operand(builder, operation, 0u, 0u));
    const uint32_t target = open_all(builder, operation);
    append(builder, kind, target)->operand[0] = row;
}

/* SHD-30. A sum over scalars if one side consists of scalars only; then signs are moved into the scalars. */
static void build_dot(struct fast_plan_builder *builder, const struct fast_operation *operation, uint32_t products)
{
    struct fast_step step = { .kind = products == 3u ? FAST_STEP_DOT3 : FAST_STEP_DOT4 };
    struct fast_operand side[2][4];
    bool all_scalar[2] = { true, true };
    bool no_scalar[2] = { true, true };
    for (uint32_t k = 0; k < 2u; k++)
        for (uint32_t i = 0; i < products; i++) {
            side[k][i] = read_operand(builder, operation, k, i);
            if (k == 0u && i == 3u && operation->kind == FAST_OPERATION_DPH)
                side[k][i] = (struct fast_operand){ scalar_place(FAST_SCALAR_ONE), false };
            all_scalar[k] = all_scalar[k] && is_scalar(side[k][i].place);
            no_scalar[k] = no_scalar[k] && !is_scalar(side[k][i].place);
        }
    const bool scalar = (all_scalar[0] && no_scalar[1]) || (all_scalar[1] && no_scalar[0]);
    if (scalar)
        step.kind = products == 3u ? FAST_STEP_DOT3_SCALAR : FAST_STEP_DOT4_SCALAR;
    for (uint32_t i = 0; i < products; i++) {
        const struct fast_operand a = side[0][i];
        const struct fast_operand b = side[1][i];
        if (scalar) {
            const struct product product = make_product(builder, a, b);
            step.operand[i] = product.a;
            step.operand[4u + i] = product.b;
        } else {
            const bool negative = a.negative != b.negative;
            const struct fast_operand x = { a.place, negative && !is_scalar(a.place) };
            const struct fast_operand y = { b.place, negative && is_scalar(a.place) };
            step.operand[i] = as_row(builder, x);
            step.operand[4u + i] = as_row(builder, y);
        }
    }
    step.target = open_all(builder, operation);
    *append(builder, step.kind, step.target) = step;
}

/* SHD-32. Registers loaded relative to the old address are now stale. */
static void build_mova(struct fast_plan_builder *builder, const struct fast_operation *operation)
{
    for (uint32_t k = 0; k < 2u; k++) {
        if ((operation->mask >> k & 1u) == 0u)
            continue;
        const uint32_t row = as_row(builder, read_operand(builder, operation, 0u, k));
        write_row(builder, FAST_STEP_ADDRESS, FAST_FRAME_ADDRESSES + k)->operand[0] = row;
        for (uint32_t n = 0; n < FAST_PLAN_LOADS; n++)
            if (builder->loads[n].address == k)
                builder->loads[n].valid = false;
    }
}

void fast_steps_add(struct fast_plan_builder *builder, const struct fast_recorded *recorded)
{
    const struct fast_operation *const operation = recorded->operation;
    builder->scratch_count = 0u;
    if (operation->mask == 0u)
        return;
    prepare_relative(builder, recorded);
    if (operation->kind == FAST_OPERATION_MOVA)
        build_mova(builder, operation);
    else if (operation->kind == FAST_OPERATION_DP3)
        build_dot(builder, operation, 3u);
    else if (operation->kind == FAST_OPERATION_DP4 || operation->kind == FAST_OPERATION_DPH)
        build_dot(builder, operation, 4u);
    else if (operation->kind == FAST_OPERATION_RCP)
        build_unary(builder, operation, FAST_STEP_RECIPROCAL);
    else if (operation->kind == FAST_OPERATION_RSQ)
        build_unary(builder, operation, FAST_STEP_ROOT);
    else if (operation->kind == FAST_OPERATION_EX2)
        build_unary(builder, operation, FAST_STEP_EXPONENTIAL);
    else if (operation->kind == FAST_OPERATION_LG2)
        build_unary(builder, operation, FAST_STEP_LOGARITHM);
    else
        build_components(builder, operation);
}

void fast_steps_begin(struct fast_plan_builder *builder, struct fast_plan *plan)
{
    memset(builder, 0, offsetof(struct fast_plan_builder, steps));
    builder->plan = plan;
    for (uint32_t row = 0; row < FAST_BUILT_ROWS; row++) {
        const bool starts_as_zero =
            (row >= FAST_FRAME_TEMPORARIES && row < FAST_FRAME_SCRATCH) || row >= FAST_FRAME_ADDRESSES; /* SHD-10 */
        builder->value[row] = starts_as_zero ? scalar_place(FAST_SCALAR_ZERO) : (uint16_t)row;
    }
}

uint32_t fast_steps_row(struct fast_plan_builder *builder, uint16_t place)
{
    return as_row(builder, (struct fast_operand){ place, false });
}
