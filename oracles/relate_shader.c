/* Relations of uploads to the shader units. */
#include "oracles/relate.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------- formats of uniforms */

/* FLT-10: float24 to binary32, exact. False where the two upload formats may differ in profile f24 (FLT-20). */
static bool widen24(uint32_t raw, enum pica_profile profile, uint32_t *bits)
{
    const uint32_t sign = raw >> 23 & 1u, exponent = raw >> 16 & 0x7Fu, mantissa = raw & 0xFFFFu;
    if (exponent == 0 && mantissa != 0)
        return false; /* a denormal: left alone */
    if (exponent == 0) {
        *bits = sign << 31;
        return sign == 0 || profile == PICA_PROFILE_F32;
    }
    *bits = sign << 31 | (exponent == 0x7F ? 0xFFu : exponent + 64) << 23 | mantissa << 7;
    return true;
}

/* FLT-23: binary32 to float24; false if that would round. */
static bool narrow32(uint32_t bits, enum pica_profile profile, uint32_t *raw)
{
    const uint32_t sign = bits >> 31, magnitude = bits & 0x7FFFFFFFu;
    if ((magnitude & 0x7Fu) != 0)
        return false;
    if (magnitude == 0) {
        *raw = sign << 23;
        return sign == 0 || profile == PICA_PROFILE_F32;
    }
    if (magnitude >= 0x7F800000u) {
        *raw = sign << 23 | 0x7F0000u | (magnitude != 0x7F800000u ? 0x8000u : 0);
        return true;
    }
    if (magnitude < 0x20800000u || magnitude >= 0x5F800000u)
        return false;
    *raw = sign << 23 | ((magnitude >> 23) - 64) << 16 | (magnitude >> 7 & 0xFFFFu);
    return true;
}

/* REG-23: converts a vector from three words to four. */
static bool vector_to_float32(const uint32_t *q, enum pica_profile profile, uint32_t *out)
{
    const uint32_t w = q[0] >> 8, z = (q[0] & 0xFFu) << 16 | q[1] >> 16;
    const uint32_t y = (q[1] & 0xFFFFu) << 8 | q[2] >> 24, x = q[2] & 0xFFFFFFu;
    return widen24(w, profile, &out[0]) && widen24(z, profile, &out[1]) && widen24(y, profile, &out[2]) &&
           widen24(x, profile, &out[3]);
}

static bool vector_to_float24(const uint32_t *q, enum pica_profile profile, uint32_t *out)
{
    uint32_t raw[4];
    for (int i = 0; i < 4; i++)
        if (!narrow32(q[i], profile, &raw[i]))
            return false;
    out[0] = raw[0] << 8 | raw[1] >> 16;
    out[1] = raw[1] << 16 | raw[2] >> 8;
    out[2] = raw[2] << 24 | raw[3];
    return true;
}

/* An upload of whole vectors by one command, perhaps with the index before them. */
struct upload {
    uint32_t unit;
    uint32_t index_id; /* the index register */
    uint32_t index;    /* its word when the first vector is sent */
    bool float32;
    const uint32_t *words;
    uint32_t vectors;
};

static bool in_ports(uint32_t id, uint32_t index_id)
{
    return id > index_id && id <= index_id + 8;
}

static bool describe_upload(const struct oracle_walk *walk, const struct oracle_command *command, uint32_t unit,
                            struct upload *out)
{
    out->unit = unit;
    out->index_id = pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX);
    const bool with_index = command->consecutive && command->id == out->index_id;
    const uint32_t skip = with_index ? 1 : 0;
    if (command->mask != 15 || walk->registers.queue[ORACLE_PORT_UNIFORMS][unit] != 0 || command->count <= skip ||
        (!with_index && !oracle_known(walk, out->index_id)))
        return false;
    for (uint32_t k = skip; k < command->count; k++)
        if (!in_ports(oracle_command_register(command, k), out->index_id))
            return false;
    out->index = with_index ? command->parameters[0] : walk->registers.values[out->index_id];
    out->float32 = pica_shader_floatuniform_index_format(out->index) == PICA_UNIFORM_FORMAT_FLOAT32;
    out->words = command->parameters + skip;
    out->vectors = (command->count - skip) / (out->float32 ? 4 : 3);
    return (command->count - skip) % (out->float32 ? 4 : 3) == 0 && out->vectors <= 64;
}

/* Converts the vectors to the other format; at most 64 * 4 words. */
static bool convert(const struct upload *upload, enum pica_profile profile, uint32_t *out)
{
    for (uint32_t i = 0; i < upload->vectors; i++) {
        const bool exact = upload->float32
                               ? vector_to_float24(upload->words + 4 * (size_t)i, profile, out + 3 * (size_t)i)
                               : vector_to_float32(upload->words + 3 * (size_t)i, profile, out + 4 * (size_t)i);
        if (!exact)
            return false;
    }
    return true;
}

static void emit_upload(struct oracle_job *job, const struct upload *upload, const uint32_t *words)
{
    const enum pica_uniform_format other = upload->float32 ? PICA_UNIFORM_FORMAT_FLOAT24 : PICA_UNIFORM_FORMAT_FLOAT32;
    uint32_t index = pica_shader_floatuniform_index_index(upload->index);
    for (uint32_t i = 0; i < upload->vectors && index < PICA_FLOAT_UNIFORMS; i++)
        index++; /* REG-22 */
    const struct oracle_command command = { .id = upload->index_id + 1,
                                            .mask = 15,
                                            .count = upload->vectors * (upload->float32 ? 3 : 4),
                                            .parameters = words };
    oracle_emit_write(job, job->variant, upload->index_id,
                      pica_shader_floatuniform_index_set_format(upload->index, (uint32_t)other));
    oracle_emit(job, job->variant, &command, 0);
    oracle_emit_write(job, job->variant, upload->index_id,
                      pica_shader_floatuniform_index_set_index(upload->index, index));
    job->changed++;
}

static void uniform_format(struct oracle_job *job, const struct oracle_command *command)
{
    uint32_t words[256];
    oracle_copy_base(job, command);
    for (uint32_t unit = 0; unit < 2; unit++) {
        struct upload upload;
        if (!describe_upload(job->walk, command, unit, &upload) ||
            !convert(&upload, job->walk->script->setup.profile, words))
            continue;
        emit_upload(job, &upload, words);
        return;
    }
    oracle_emit(job, job->variant, command, 0);
}

/* --------------------------------------------------------------------------------------------------- shader detour */

enum {
    DETOUR = 508, /* where the detour lies: NOP, NOP, JMPC */
    DETOUR_WORDS = 3,
    QUIET_FROM = 500 /* there is no code here or beyond, and no jump to it */
};

/* Can control reach a place at or beyond QUIET_FROM other than by running into it? If not, it either stops before or
 * runs on through empty words and leaves the code memory, which records pc-range or budget-instr. */
static bool leads_nowhere(const struct oracle_walk *walk)
{
    for (uint32_t i = 0; i < ORACLE_VSH_CODE_WORDS; i++) {
        const uint32_t word = walk->code[i];
        const uint32_t opcode = pica_shader_instruction_opcode(word);
        if (i >= QUIET_FROM && word != 0)
            return false;
        if (opcode >= 0x23 && opcode <= 0x2D && opcode != 0x2A && opcode != 0x2B &&
            pica_shader_format_2_dst(word) + pica_shader_format_2_num(word) + 1 >= QUIET_FROM)
            return false;
    }
    return true;
}

static bool may_detour(const struct oracle_walk *walk, const struct oracle_command *command)
{
    return command->count == 1 && (command->id == PICA_REG_DRAWARRAYS || command->id == PICA_REG_DRAWELEMENTS) &&
           walk->code_known && oracle_known(walk, PICA_REG_VSH_ENTRYPOINT) &&
           oracle_known(walk, PICA_REG_VSH_CODETRANSFER_INDEX) && oracle_known(walk, PICA_REG_START_DRAW_FUNC0) &&
           oracle_known(walk, PICA_REG_VSH_COM_MODE) &&
           pica_shader_entrypoint_entry(walk->registers.values[PICA_REG_VSH_ENTRYPOINT]) < QUIET_FROM &&
           leads_nowhere(walk);
}

/* Puts code at DETOUR and sets the entry point, without copies to the geometry unit (REG-27) and without the event of
 * REG-43; these two registers get back what they held. */
static void emit_code(struct oracle_job *job, const uint32_t *words, uint32_t entry)
{
    const uint32_t *const values = job->walk->registers.values;
    const struct oracle_command code = {
        .id = PICA_REG_VSH_CODETRANSFER_DATA0, .mask = 15, .count = DETOUR_WORDS, .parameters = words
    };
    oracle_emit_write(job, job->variant, PICA_REG_START_DRAW_FUNC0, (uint32_t)PICA_START_DRAW_MODE_CONFIGURE);
    oracle_emit_write(job, job->variant, PICA_REG_VSH_COM_MODE, 1);
    oracle_emit_write(job, job->variant, PICA_REG_VSH_CODETRANSFER_INDEX, DETOUR);
    oracle_emit(job, job->variant, &code, 0);
    oracle_emit_write(job, job->variant, PICA_REG_VSH_CODETRANSFER_INDEX, values[PICA_REG_VSH_CODETRANSFER_INDEX]);
    oracle_emit_write(job, job->variant, PICA_REG_VSH_ENTRYPOINT, entry);
    oracle_emit_write(job, job->variant, PICA_REG_VSH_COM_MODE, values[PICA_REG_VSH_COM_MODE]);
    oracle_emit_write(job, job->variant, PICA_REG_START_DRAW_FUNC0, values[PICA_REG_START_DRAW_FUNC0]);
}

/* The shader starts with two NOPs and a jump to where it used to start: at the start cmp.x is false (SHD-10). */
static void shader_detour(struct oracle_job *job, const struct oracle_command *command)
{
    if (!may_detour(job->walk, command)) {
        oracle_copy(job, command);
        return;
    }
    const uint32_t word = job->walk->registers.values[PICA_REG_VSH_ENTRYPOINT];
    const uint32_t nop = pica_shader_format_0_set_opcode(0, 0x21);
    uint32_t jump = pica_shader_format_2_set_opcode(0, 0x2C);
    jump = pica_shader_format_2_set_condition(jump, (uint32_t)PICA_SHADER_CONDITION_X);
    jump = pica_shader_format_2_set_dst(jump, pica_shader_entrypoint_entry(word));
    const uint32_t detour[DETOUR_WORDS] = { nop, nop, jump };
    const uint32_t empty[DETOUR_WORDS] = { 0, 0, 0 };
    oracle_copy_base(job, command);
    emit_code(job, detour, DETOUR);
    oracle_emit(job, job->variant, command, 0);
    emit_code(job, empty, word);
    job->changed++;
}

/* The variant runs three more instructions than the base, so its instruction limit is higher by three. */
static void prepare_detour(struct oracle_job *job)
{
    if (job->twins->variant.setup.limits.instructions <= 0x10000000u - DETOUR_WORDS)
        job->twins->variant.setup.limits.instructions += DETOUR_WORDS;
}

const struct oracle_relation oracle_shader_relations[] = {
    { .name = "uniform-format",
      .what = "float uniforms are uploaded in the other of the two formats, where that is exact",
      .rules = "REG-20 REG-22 REG-23 FLT-10 FLT-20",
      .exclude = { .registers = { { PICA_REG_GSH_FLOATUNIFORM_DATA0, PICA_REG_GSH_FLOATUNIFORM_DATA7 },
                                  { PICA_REG_VSH_FLOATUNIFORM_DATA0, PICA_REG_VSH_FLOATUNIFORM_DATA7 } },
                   .register_spans = 2 },
      .command = uniform_format },
    { .name = "shader-detour",
      .what = "the vertex shader starts at two NOPs and a jump to its first instruction",
      .rules = "SHD-10 SHD-12 SHD-13 SHD-14 SHD-41 REG-21 REG-27 REG-43",
      .exclude = { .registers = { { PICA_REG_VSH_CODETRANSFER_DATA0, PICA_REG_VSH_CODETRANSFER_DATA7 } },
                   .register_spans = 1,
                   .voids = { PICA_EVENT_PC_RANGE, PICA_EVENT_BUDGET_INSTR },
                   .void_count = 2 },
      .prepare = prepare_detour,
      .command = shader_detour },
};
const size_t oracle_shader_relation_count = sizeof oracle_shader_relations / sizeof oracle_shader_relations[0];
