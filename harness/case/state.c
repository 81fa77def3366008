#include "harness/case/state.h"
#include "harness/case/numbers.h"
#include "pica/extregs.h"
#include "pica/regs.h"

#include <stddef.h>
#include <string.h>

enum {
    VERTEX_CODE_WORDS = 512 /* REG-20, REG-21 */
};

const struct harness_part harness_parts[] = {
#define STATE(number, ID, name, member, bits, count, most, FORM, row, label, rule) \
    [number] = { name,                                                             \
                 offsetof(struct pica_state, member),                              \
                 (bits) / 8,                                                       \
                 count,                                                            \
                 (most) != 0 ? (most) : UINT32_MAX >> (32 - (bits)),               \
                 HARNESS_PART_##FORM },
#include "pica/state.def"
};
const uint32_t harness_part_count = PICA_STATE_PARTS;
_Static_assert(sizeof harness_parts / sizeof harness_parts[0] == PICA_STATE_PARTS, "a number of state.def is left out");

uint32_t harness_part_find(const char *name)
{
    uint32_t part = 0;
    while (part < harness_part_count && strcmp(harness_parts[part].name, name) != 0)
        part++;
    return part;
}

/* Elements are members of the struct: in the host's byte order, of 1, 2 or 4 bytes. */
uint32_t harness_part_get(const struct pica_state *state, uint32_t part, uint32_t index)
{
    const struct harness_part *const row = &harness_parts[part];
    const unsigned char *const place = (const unsigned char *)state + row->offset + (size_t)index * row->width;
    uint32_t word = 0;
    uint16_t half = 0;
    if (row->width == 1)
        return *place;
    if (row->width == 2) {
        memcpy(&half, place, sizeof half);
        return half;
    }
    memcpy(&word, place, sizeof word);
    return word;
}

void harness_part_set(struct pica_state *state, uint32_t part, uint32_t index, uint32_t value)
{
    const struct harness_part *const row = &harness_parts[part];
    unsigned char *const place = (unsigned char *)state + row->offset + (size_t)index * row->width;
    const uint16_t half = (uint16_t)value;
    if (row->width == 1)
        *place = (unsigned char)value;
    else if (row->width == 2)
        memcpy(place, &half, sizeof half);
    else
        memcpy(place, &value, sizeof value);
}

/* REG-02 */
const uint32_t harness_reset_registers[PICA_REGISTERS] = {
#define REG(id, NAME, layout, reset, CLASS, rule) [id] = (reset),
#include "pica/regs.def"
};

/* Registers have reset values; everything of REG-04 is zero at reset. */
void harness_state_reset(struct pica_state *state)
{
    memset(state, 0, sizeof *state);
    memcpy(state->registers, harness_reset_registers, sizeof harness_reset_registers);
}

static size_t part_bytes(uint32_t part)
{
    return (size_t)harness_parts[part].count * harness_parts[part].width;
}

static const unsigned char *part_place(const struct pica_state *state, uint32_t part)
{
    return (const unsigned char *)state + harness_parts[part].offset;
}

enum {
    ZEROS = 1024
};

/* Parts are mostly zeros, so stretches of them are skipped 1024 or 64 bytes at a time. */
uint32_t harness_part_next(const struct pica_state *state, uint32_t part, uint32_t index)
{
    const struct harness_part *const row = &harness_parts[part];
    const unsigned char *const place = part_place(state, part);
    const size_t size = part_bytes(part);
    static const unsigned char zeros[ZEROS] = { 0 };
    if (row->type == HARNESS_PART_REGISTERS) {
        while (index < row->count && state->registers[index] == harness_reset_registers[index])
            index++;
        return index;
    }
    while (index < row->count && harness_part_get(state, part, index) == 0) {
        size_t at = (size_t)(index + 1) * row->width;
        for (size_t step = ZEROS; step >= 64; step /= 16)
            while (at + step <= size && memcmp(place + at, zeros, step) == 0)
                at += step;
        index = (uint32_t)(at / row->width);
    }
    return index;
}

void harness_state_init(struct harness_state *state)
{
    harness_state_reset(&state->values);
    state->given = 0;
}

static uint64_t all_parts(void)
{
    return ((uint64_t)1 << harness_part_count) - 1;
}

void harness_state_take(struct harness_state *state, const struct pica_state *values)
{
    state->values = *values;
    state->given = all_parts();
    harness_state_normalise(state);
}

/* ----------------------------------------------------------------------------------------------------- normalising */

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void limit_part(struct pica_state *state, uint32_t part)
{
    const struct harness_part *const row = &harness_parts[part];
    if (row->maximum == UINT32_MAX && row->type != HARNESS_PART_FLOATS)
        return; /* most words of a state are of this kind */
    for (uint32_t i = 0; i < row->count; i++) {
        const uint32_t value = harness_part_get(state, part, i);
        if (row->type == HARNESS_PART_FLOATS && harness_f32_is_nan(value))
            harness_part_set(state, part, i, HARNESS_F32_NAN);
        else if (value > row->maximum)
            harness_part_set(state, part, i, row->maximum);
    }
}

static void reset_part(struct pica_state *state, uint32_t part)
{
    const struct harness_part *const row = &harness_parts[part];
    if (row->type == HARNESS_PART_REGISTERS)
        memcpy(state->registers, harness_reset_registers, sizeof harness_reset_registers);
    else
        memset((unsigned char *)state + row->offset, 0, part_bytes(part));
}

enum {
    MOST_SMALL_BYTES = 4096 /* of a part */
};

_Static_assert(4 * PICA_EXTERNAL_WORDS <= MOST_SMALL_BYTES && 4 * PICA_REGISTERS <= MOST_SMALL_BYTES,
               "not every word of the registers is valid: they are small parts");
_Static_assert(4 * PICA_CODE_WORDS > MOST_SMALL_BYTES, "the code is a large part");

/* Most of a state is tables, code and descriptors, of which every value is valid. Normalising skips these large parts,
 * but for the end of the vertex code, which is always 0 (REG-21). */
static bool is_large(uint32_t part)
{
    return part_bytes(part) > MOST_SMALL_BYTES;
}

/* REG-15: words that are always 0. */
static void fix_registers(struct pica_state *state)
{
    for (uint32_t id = PICA_REG_IRQ_ACK0; id <= PICA_REG_IRQ_ACK15; id++)
        state->registers[id] = 0;
    for (uint32_t id = PICA_REG_IRQ_STATUS_LOW; id < 0x040; id++)
        if (id != PICA_REG_IRQ_AUTOSTOP)
            state->registers[id] = 0;
}

/* PSC-01, PSC-03, PPF-02: the bits that a word can hold while nothing runs. STATUS is computed (EXT-CMD-07). */
static uint32_t external_bits(const struct pica_extreg_info *info)
{
    if (info->address == PICA_EXTREG_FILL0_CTRL || info->address == PICA_EXTREG_FILL1_CTRL)
        return pica_fill_ctrl_set_finished(info->stored, 1);
    if (info->address == PICA_EXTREG_XFER_START)
        return pica_xfer_start_set_finished(0, 1);
    return info->stored;
}

/* Words without a name keep all bits. */
static void fix_external(struct pica_state *state)
{
    size_t count;
    const struct pica_extreg_info *const infos = pica_extregs(&count);
    for (size_t i = 0; i < count; i++)
        state->external[infos[i].address / 4] &= external_bits(&infos[i]);
}

/* REG-04: words beyond a length are 0. */
static void fix_units(struct pica_state *state)
{
    for (uint32_t u = 0; u < 2; u++) {
        struct pica_shader_unit *const unit = &state->units[u];
        for (uint32_t i = unit->queue_length; i < 4; i++)
            unit->queue[i] = 0;
    }
    for (uint32_t i = state->fixed_queue_length; i < 3; i++)
        state->fixed_queue[i] = 0;
}

/* Limits the configuration to what GSH-05 can latch, and the collector to what GSH-10 and GSH-23 can leave. */
static void fix_geometry(struct pica_geometry_state *geometry)
{
    if (geometry->in_use != 0) {
        geometry->vectors_per_vertex = geometry->vectors_per_vertex == 0 ? 1 : geometry->vectors_per_vertex;
        geometry->input_vectors = geometry->input_vectors == 0 ? 1 : geometry->input_vectors;
        geometry->fixed_vertices = geometry->fixed_vertices == 0 ? 1 : geometry->fixed_vertices;
    }
    const uint32_t most_vectors = geometry->input_vectors == 0 ? 0 : geometry->input_vectors - 1u;
    const uint32_t most_vertices = geometry->fixed_vertices == 0 ? 0 : geometry->fixed_vertices - 1u;
    geometry->buffer_length = (uint8_t)smaller(geometry->buffer_length, most_vectors);
    geometry->vertex_count = smaller(geometry->vertex_count, most_vertices);
    for (uint32_t i = geometry->buffer_length; i < 16; i++)
        memset(&geometry->buffer[i], 0, sizeof geometry->buffer[i]);
    geometry->main_left = 0;
    geometry->left = 0;
}

/* PRM-03, PRM-04: what the assembler can hold in each topology. */
static void fix_assembler(struct pica_assembler_state *assembler)
{
    const bool is_list = assembler->topology == 0 || assembler->topology == 3;
    if (is_list)
        assembler->ready = 0;
    else
        assembler->count = (uint8_t)smaller(assembler->count, 1);
    if (assembler->topology == 2 && assembler->ready != 0)
        assembler->count = 1;
    for (uint32_t i = 0; i < 2; i++)
        if (i >= assembler->count && assembler->ready == 0)
            memset(&assembler->buffer[i], 0, sizeof assembler->buffer[i]);
}

/* All but the large parts. */
static void normalise_small(struct harness_state *state)
{
    for (uint32_t part = 0; part < harness_part_count; part++) {
        if (is_large(part))
            continue;
        if ((state->given >> part & 1u) == 0)
            reset_part(&state->values, part);
        else
            limit_part(&state->values, part);
    }
    fix_registers(&state->values);
    fix_external(&state->values);
    fix_units(&state->values);
    fix_geometry(&state->values.geometry);
    fix_assembler(&state->values.assembler);
    state->values.reserved = 0;
}

void harness_state_settle(struct harness_state *state)
{
    state->given &= all_parts();
    normalise_small(state);
    if ((state->given >> PICA_STATE_VERTEX_CODE & 1u) != 0)
        memset(&state->values.units[PICA_UNIT_VERTEX].code[VERTEX_CODE_WORDS], 0,
               sizeof state->values.units[0].code - VERTEX_CODE_WORDS * sizeof state->values.units[0].code[0]);
}

void harness_state_normalise(struct harness_state *state)
{
    for (uint32_t part = 0; part < harness_part_count; part++)
        if (is_large(part) && (state->given >> part & 1u) == 0)
            reset_part(&state->values, part);
    harness_state_settle(state);
}

static bool parts_equal(const struct harness_state *a, const struct harness_state *b, bool large)
{
    for (uint32_t part = 0; part < harness_part_count; part++)
        if (is_large(part) == large &&
            memcmp(part_place(&a->values, part), part_place(&b->values, part), part_bytes(part)) != 0)
            return false;
    return true;
}

static bool rest_equal(const struct harness_state *a, const struct harness_state *b)
{
    return a->given == b->given && a->values.geometry.main_left == b->values.geometry.main_left &&
           a->values.geometry.left == b->values.geometry.left && a->values.reserved == b->values.reserved;
}

/* Are large parts that are not given zeros, and the end of the vertex code, too? */
static bool large_parts_are_normal(const struct harness_state *state)
{
    for (uint32_t part = 0; part < harness_part_count; part++)
        if (is_large(part) && (state->given >> part & 1u) == 0 &&
            harness_part_next(&state->values, part, 0) != harness_parts[part].count)
            return false;
    for (uint32_t i = VERTEX_CODE_WORDS; i < PICA_CODE_WORDS; i++)
        if (state->values.units[PICA_UNIT_VERTEX].code[i] != 0)
            return false;
    return true;
}

bool harness_state_is_normal(const struct harness_state *state)
{
    struct harness_state copy; /* its large parts stay unset: only the others are compared */
    if ((state->given & ~all_parts()) != 0 || !large_parts_are_normal(state))
        return false;
    copy.given = state->given;
    copy.values.geometry.main_left = state->values.geometry.main_left;
    copy.values.geometry.left = state->values.geometry.left;
    copy.values.reserved = state->values.reserved;
    for (uint32_t part = 0; part < harness_part_count; part++)
        if (!is_large(part))
            memcpy((unsigned char *)&copy.values + harness_parts[part].offset, part_place(&state->values, part),
                   part_bytes(part));
    normalise_small(&copy);
    return parts_equal(state, &copy, false) && rest_equal(state, &copy);
}

bool harness_state_equal(const struct harness_state *a, const struct harness_state *b)
{
    return rest_equal(a, b) && parts_equal(a, b, false) && parts_equal(a, b, true);
}

/* ------------------------------------------------------------------------------------------------------ completing */

static bool is_given(const struct harness_state *state, enum pica_state_part part)
{
    return (state->given >> part & 1u) != 0;
}

/* REG-45, REG-26: uniforms of one unit from the words BOOLUNIFORM and INTUNIFORM_I0-I3. */
static void derive_unit(const struct harness_state *state, struct pica_shader_unit *unit, uint32_t first, bool booleans,
                        bool integers)
{
    const uint32_t *const words = &state->values.registers[first];
    if (booleans)
        unit->booleans = (uint16_t)pica_shader_booluniform_values(words[0]);
    for (uint32_t k = 0; integers && k < 4; k++) {
        unit->integers[k][0] = (uint8_t)pica_shader_intuniform_x(words[1 + k]);
        unit->integers[k][1] = (uint8_t)pica_shader_intuniform_y(words[1 + k]);
        unit->integers[k][2] = (uint8_t)pica_shader_intuniform_z(words[1 + k]);
        unit->integers[k][3] = (uint8_t)pica_shader_intuniform_w(words[1 + k]);
    }
}

/* FLT-03: in profile f24 a register component is float24-representable. */
static void round_floats(struct pica_state *state)
{
    for (uint32_t part = 0; part < harness_part_count; part++)
        for (uint32_t i = 0; harness_parts[part].type == HARNESS_PART_FLOATS && i < harness_parts[part].count; i++)
            harness_part_set(state, part, i, harness_f32_to_profile24(harness_part_get(state, part, i)));
}

void harness_state_complete(const struct harness_state *state, enum pica_profile profile, struct pica_state *out)
{
    struct harness_state copy = *state;
    harness_state_normalise(&copy);
    struct pica_state *const values = &copy.values;
    if (is_given(state, PICA_STATE_REGISTERS)) {
        derive_unit(state, &values->units[PICA_UNIT_VERTEX], PICA_REG_VSH_BOOLUNIFORM,
                    !is_given(state, PICA_STATE_VERTEX_BOOLEANS), !is_given(state, PICA_STATE_VERTEX_INTEGERS));
        derive_unit(state, &values->units[PICA_UNIT_GEOMETRY], PICA_REG_GSH_BOOLUNIFORM,
                    !is_given(state, PICA_STATE_GEOMETRY_BOOLEANS), !is_given(state, PICA_STATE_GEOMETRY_INTEGERS));
        if (!is_given(state, PICA_STATE_ASSEMBLER_TOPOLOGY))
            values->assembler.topology =
                (uint8_t)pica_primitive_config_topology(state->values.registers[PICA_REG_PRIMITIVE_CONFIG]);
        fix_assembler(&values->assembler);
    }
    if (profile == PICA_PROFILE_F24)
        round_floats(values);
    *out = *values;
}
