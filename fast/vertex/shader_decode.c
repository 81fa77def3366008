/*
 * Decodes shader code to checked linear operations (SHD-20 to SHD-23 and the encodings above them). Decoded programs
 * are cached by content, because games upload the same few programs again and again. The key is the code and operand
 * descriptors 0-127 and is compared in full, so a hit is always right.
 */
#include "fast/vertex/shader_program.h"

#include <stdlib.h>
#include <string.h>

#include "fast/gpu.h"
#include "pica/opcodes.h"

/* SHD-34, SHD-35: one kind per meaning; opcodes that differ only in operand widths share a kind. */
static enum fast_operation_kind operation_kind(enum pica_opcode opcode)
{
    switch (opcode) {
    case PICA_OPCODE_ADD: return FAST_OPERATION_ADD;
    case PICA_OPCODE_DP3: return FAST_OPERATION_DP3;
    case PICA_OPCODE_DP4: return FAST_OPERATION_DP4;
    case PICA_OPCODE_DPH:
    case PICA_OPCODE_DPHI: return FAST_OPERATION_DPH;
    case PICA_OPCODE_DST:
    case PICA_OPCODE_DSTI: return FAST_OPERATION_DST;
    case PICA_OPCODE_EX2: return FAST_OPERATION_EX2;
    case PICA_OPCODE_LG2: return FAST_OPERATION_LG2;
    case PICA_OPCODE_LITP: return FAST_OPERATION_LITP;
    case PICA_OPCODE_MUL: return FAST_OPERATION_MUL;
    case PICA_OPCODE_SGE:
    case PICA_OPCODE_SGEI: return FAST_OPERATION_SGE;
    case PICA_OPCODE_SLT:
    case PICA_OPCODE_SLTI: return FAST_OPERATION_SLT;
    case PICA_OPCODE_FLR: return FAST_OPERATION_FLR;
    case PICA_OPCODE_MAX: return FAST_OPERATION_MAX;
    case PICA_OPCODE_MIN: return FAST_OPERATION_MIN;
    case PICA_OPCODE_RCP: return FAST_OPERATION_RCP;
    case PICA_OPCODE_RSQ: return FAST_OPERATION_RSQ;
    case PICA_OPCODE_MOVA: return FAST_OPERATION_MOVA;
    case PICA_OPCODE_MOV: return FAST_OPERATION_MOV;
    case PICA_OPCODE_BREAK: return FAST_OPERATION_BREAK;
    case PICA_OPCODE_NOP: return FAST_OPERATION_NOP;
    case PICA_OPCODE_END: return FAST_OPERATION_END;
    case PICA_OPCODE_BREAKC: return FAST_OPERATION_BREAKC;
    case PICA_OPCODE_CALL: return FAST_OPERATION_CALL;
    case PICA_OPCODE_CALLC: return FAST_OPERATION_CALLC;
    case PICA_OPCODE_CALLU: return FAST_OPERATION_CALLU;
    case PICA_OPCODE_IFU: return FAST_OPERATION_IFU;
    case PICA_OPCODE_IFC: return FAST_OPERATION_IFC;
    case PICA_OPCODE_LOOP: return FAST_OPERATION_LOOP;
    case PICA_OPCODE_EMIT: return FAST_OPERATION_EMIT;
    case PICA_OPCODE_SETEMIT: return FAST_OPERATION_SETEMIT;
    case PICA_OPCODE_JMPC: return FAST_OPERATION_JMPC;
    case PICA_OPCODE_JMPU: return FAST_OPERATION_JMPU;
    case PICA_OPCODE_CMP:
    case PICA_OPCODE_CMP_2F: return FAST_OPERATION_CMP;
    case PICA_OPCODE_MADI:
    case PICA_OPCODE_MADI_31:
    case PICA_OPCODE_MADI_32:
    case PICA_OPCODE_MADI_33:
    case PICA_OPCODE_MADI_34:
    case PICA_OPCODE_MADI_35:
    case PICA_OPCODE_MADI_36:
    case PICA_OPCODE_MADI_37:
    case PICA_OPCODE_MAD:
    case PICA_OPCODE_MAD_39:
    case PICA_OPCODE_MAD_3A:
    case PICA_OPCODE_MAD_3B:
    case PICA_OPCODE_MAD_3C:
    case PICA_OPCODE_MAD_3D:
    case PICA_OPCODE_MAD_3E:
    case PICA_OPCODE_MAD_3F: return FAST_OPERATION_MAD;
    case PICA_OPCODE_UNASSIGNED_10:
    case PICA_OPCODE_UNASSIGNED_11:
    case PICA_OPCODE_UNASSIGNED_14:
    case PICA_OPCODE_UNASSIGNED_15:
    case PICA_OPCODE_UNASSIGNED_16:
    case PICA_OPCODE_UNASSIGNED_17:
    case PICA_OPCODE_UNASSIGNED_1C:
    case PICA_OPCODE_UNASSIGNED_1D:
    case PICA_OPCODE_UNASSIGNED_1E:
    case PICA_OPCODE_UNASSIGNED_1F:
    default: return FAST_OPERATION_UNASSIGNED;
    }
}

/* SHD-21. */
static uint32_t source_selector(uint32_t descriptor, uint32_t k, uint32_t component)
{
    if (k == 0u)
        return pica_shader_opdesc_src1_selector_at(descriptor, component);
    if (k == 1u)
        return pica_shader_opdesc_src2_selector_at(descriptor, component);
    return pica_shader_opdesc_src3_selector_at(descriptor, component);
}

/* SHD-20 to SHD-22: operand k of an operation. */
static void decode_source(struct fast_program *program, struct fast_operation *operation, uint32_t descriptor,
                          uint32_t k, uint32_t number, enum pica_shader_relative relative)
{
    uint32_t first_row = number * 4u;
    if (number >= PICA_SHADER_SOURCE_C0) {
        const uint32_t uniform = number - PICA_SHADER_SOURCE_C0;
        if (relative != PICA_SHADER_RELATIVE_NONE) {
            operation->relative = relative;
            operation->relative_number = (uint8_t)uniform;
            first_row = FAST_ROW_RELATIVE;
        } else {
            program->uniforms_read[uniform / 32u] |= 1u << (uniform % 32u);
        }
    } else if (number >= PICA_SHADER_SOURCE_R0) {
        program->temporaries_read |= 1u << (number - PICA_SHADER_SOURCE_R0);
    }
    for (uint32_t i = 0; i < 4u; i++)
        operation->source[k][i] = (uint16_t)(first_row + source_selector(descriptor, k, i));
    operation->negate[k] = pica_shader_opdesc_negate_at(descriptor, k) << 31;
}

/* SHD-20, SHD-21, SHD-23: destination and mask. */
static void decode_destination(struct fast_operation *operation, uint32_t descriptor, uint32_t number)
{
    operation->to_output = number < PICA_SHADER_DEST_R0;
    if (operation->to_output)
        operation->destination = (uint16_t)(FAST_ROW_OUTPUTS + number * 4u);
    else
        operation->destination = (uint16_t)(FAST_ROW_TEMPORARIES + (number - PICA_SHADER_DEST_R0) * 4u);
    for (uint32_t i = 0; i < 4u; i++)
        operation->mask = (uint8_t)(operation->mask | pica_shader_opdesc_dest_at(descriptor, i) << i);
}

/* SHD-15: would writing the components one after the other change what a later one reads? */
static bool destination_overlaps(const struct fast_operation *operation)
{
    for (uint32_t written = 0; written < 3u; written++) {
        if ((operation->mask >> written & 1u) == 0u)
            continue;
        for (uint32_t later = written + 1u; later < 4u; later++)
            for (uint32_t k = 0; k < 3u; k++)
                if ((operation->mask >> later & 1u) != 0u &&
                    operation->source[k][later] == operation->destination + written)
                    return true;
    }
    return false;
}

static bool kind_has_short_cut(enum fast_operation_kind kind)
{
    return kind == FAST_OPERATION_MOV || kind == FAST_OPERATION_ADD || kind == FAST_OPERATION_MUL ||
           kind == FAST_OPERATION_MAD || kind == FAST_OPERATION_DP3 || kind == FAST_OPERATION_DP4;
}

static void decode_flow(struct fast_operation *operation, uint32_t word, bool on_condition)
{
    if (on_condition) {
        operation->condition = pica_shader_format_2_condition(word);
        operation->reference[0] = pica_shader_format_2_refx(word) != 0u;
        operation->reference[1] = pica_shader_format_2_refy(word) != 0u;
        operation->target = pica_shader_format_2_dst(word);
        operation->length = pica_shader_format_2_num(word);
    } else {
        operation->uniform = (uint8_t)pica_shader_format_3_uniform(word);
        operation->target = pica_shader_format_3_dst(word);
        operation->length = pica_shader_format_3_num(word);
        operation->inverted = (operation->length & 1u) != 0u;
    }
}

static void decode_operation(struct fast_program *program, struct fast_operation *operation, uint32_t word)
{
    const uint32_t opcode = pica_shader_instruction_opcode(word);
    const enum pica_shader_relative none = PICA_SHADER_RELATIVE_NONE;
    uint32_t descriptor;
    memset(operation, 0, sizeof *operation);
    operation->kind = operation_kind((enum pica_opcode)opcode);
    switch (pica_opcode_info(opcode)->format) {
    case PICA_OPCODE_FORMAT_NONE:
    case PICA_OPCODE_FORMAT_0: break;
    case PICA_OPCODE_FORMAT_1:
        descriptor = program->opdesc[pica_shader_format_1_desc(word)];
        decode_destination(operation, descriptor, pica_shader_format_1_dest(word));
        decode_source(program, operation, descriptor, 0u, pica_shader_format_1_src1(word),
                      pica_shader_format_1_index(word));
        decode_source(program, operation, descriptor, 1u, pica_shader_format_1_src2(word), none);
        break;
    case PICA_OPCODE_FORMAT_1U:
        descriptor = program->opdesc[pica_shader_format_1_desc(word)];
        decode_destination(operation, descriptor, pica_shader_format_1_dest(word));
        decode_source(program, operation, descriptor, 0u, pica_shader_format_1_src1(word),
                      pica_shader_format_1_index(word));
        break;
    case PICA_OPCODE_FORMAT_1I:
        descriptor = program->opdesc[pica_shader_format_1i_desc(word)];
        decode_destination(operation, descriptor, pica_shader_format_1i_dest(word));
        decode_source(program, operation, descriptor, 0u, pica_shader_format_1i_src1(word), none);
        decode_source(program, operation, descriptor, 1u, pica_shader_format_1i_src2(word),
                      pica_shader_format_1i_index(word));
        break;
    case PICA_OPCODE_FORMAT_1C:
        descriptor = program->opdesc[pica_shader_format_1c_desc(word)];
        decode_source(program, operation, descriptor, 0u, pica_shader_format_1c_src1(word),
                      pica_shader_format_1c_index(word));
        decode_source(program, operation, descriptor, 1u, pica_shader_format_1c_src2(word), none);
        operation->compare[0] = pica_shader_format_1c_cmpx(word);
        operation->compare[1] = pica_shader_format_1c_cmpy(word);
        break;
    case PICA_OPCODE_FORMAT_2: decode_flow(operation, word, true); break;
    case PICA_OPCODE_FORMAT_3: decode_flow(operation, word, false); break;
    case PICA_OPCODE_FORMAT_4:
        operation->emit_vertex = (uint8_t)pica_shader_format_4_vertex(word);
        operation->emit_primitive = pica_shader_format_4_primitive(word) != 0u;
        operation->emit_winding = pica_shader_format_4_winding(word) != 0u;
        break;
    case PICA_OPCODE_FORMAT_5:
        descriptor = program->opdesc[pica_shader_format_5_desc(word)];
        decode_destination(operation, descriptor, pica_shader_format_5_dest(word));
        decode_source(program, operation, descriptor, 0u, pica_shader_format_5_src1(word), none);
        decode_source(program, operation, descriptor, 1u, pica_shader_format_5_src2(word),
                      pica_shader_format_5_index(word));
        decode_source(program, operation, descriptor, 2u, pica_shader_format_5_src3(word), none);
        break;
    case PICA_OPCODE_FORMAT_5I:
        descriptor = program->opdesc[pica_shader_format_5i_desc(word)];
        decode_destination(operation, descriptor, pica_shader_format_5i_dest(word));
        decode_source(program, operation, descriptor, 0u, pica_shader_format_5i_src1(word), none);
        decode_source(program, operation, descriptor, 1u, pica_shader_format_5i_src2(word), none);
        decode_source(program, operation, descriptor, 2u, pica_shader_format_5i_src3(word),
                      pica_shader_format_5i_index(word));
        break;
    }
    operation->overlaps = destination_overlaps(operation);
    operation->has_short_cut = kind_has_short_cut(operation->kind) && !operation->overlaps &&
                               (operation->negate[0] | operation->negate[1] | operation->negate[2]) == 0u;
}

/* ------------------------------------------------------------------------------------------------------------ cache */

/* FNV-1a over words: only spreads the keys, the words themselves are compared. */
static uint64_t hash_words(uint64_t hash, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x100000001b3u;
    return hash;
}

static bool program_matches(const struct fast_program *program, const struct fast_shader_unit *unit, uint64_t hash)
{
    return program->valid && program->hash == hash && program->count == unit->code_end &&
           memcmp(program->code, unit->code, program->count * sizeof program->code[0]) == 0 &&
           memcmp(program->opdesc, unit->opdesc, sizeof program->opdesc) == 0;
}

static void decode_program(struct fast_program *program, const struct fast_shader_unit *unit, uint64_t hash)
{
    program->valid = true;
    program->hash = hash;
    program->count = unit->code_end;
    memcpy(program->code, unit->code, program->count * sizeof program->code[0]);
    memcpy(program->opdesc, unit->opdesc, sizeof program->opdesc);
    program->temporaries_read = 0u;
    memset(program->uniforms_read, 0, sizeof program->uniforms_read);
    for (uint32_t i = 0; i < program->count; i++)
        decode_operation(program, &program->operations[i], program->code[i]);
    decode_operation(program, &program->zero, 0u);
}

const struct fast_program *fast_program_get(struct fast_program_cache *cache, struct fast_shader_unit *unit)
{
    if (cache->current != NULL && !unit->program_dirty)
        return cache->current;
    assert(unit->code_end <= cache->capacity);
    const uint64_t hash = hash_words(hash_words(0xcbf29ce484222325u, unit->code, unit->code_end), unit->opdesc, 128u);
    struct fast_program *found = NULL;
    struct fast_program *oldest = &cache->slots[0];
    for (uint32_t i = 0; i < cache->used_slots && found == NULL; i++) {
        if (program_matches(&cache->slots[i], unit, hash))
            found = &cache->slots[i];
        else if (cache->slots[i].last_use < oldest->last_use)
            oldest = &cache->slots[i];
    }
    if (found == NULL) {
        decode_program(oldest, unit, hash);
        cache->decoded += 1u;
        oldest->serial = cache->decoded;
        found = oldest;
    }
    cache->clock += 1u;
    found->last_use = cache->clock;
    cache->current = found;
    unit->program_dirty = false;
    return found;
}

void fast_program_cache_reset(struct fast_program_cache *cache)
{
    for (int i = 0; i < FAST_PROGRAM_SLOTS; i++) {
        cache->slots[i].valid = false;
        cache->slots[i].last_use = 0u;
    }
    cache->clock = 0u;
    cache->current = NULL;
}

enum pica_status fast_program_cache_init(struct fast_program_cache *cache, uint32_t capacity)
{
    memset(cache, 0, sizeof *cache);
    cache->capacity = capacity;
    cache->used_slots = FAST_PROGRAM_SLOTS;
    for (int i = 0; i < FAST_PROGRAM_SLOTS; i++) {
        cache->slots[i].operations = calloc(capacity, sizeof *cache->slots[i].operations);
        cache->slots[i].code = calloc(capacity, sizeof *cache->slots[i].code);
        if (cache->slots[i].operations == NULL || cache->slots[i].code == NULL)
            return PICA_NO_MEMORY; /* the caller frees */
    }
    return PICA_OK;
}

void fast_program_cache_free(struct fast_program_cache *cache)
{
    for (int i = 0; i < FAST_PROGRAM_SLOTS; i++) {
        free(cache->slots[i].operations);
        free(cache->slots[i].code);
    }
}
