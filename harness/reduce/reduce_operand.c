/*
 * Passes that simplify shader code: they turn an instruction into a MOV of one of its operands, replace a temporary by
 * the value that was moved to it, and write an output register once, completely, from an input.
 */
#include "harness/reduce/reduce_stream.h"

#include "harness/case/shader_fields.h"
#include "pica/opcodes.h"

enum {
    REGISTERS = 16, /* v, o, r: 16 each (SHD-20) */
    OWN_SOURCE = REGISTERS,
    FIRST_TEMPORARY = 0x10,
    FULL_MASK = 0xF,
    MOST_CODE = 4096
};

/* All code of a case in the order of upload; the words may be changed through the pointers. */
struct code {
    uint32_t *words[MOST_CODE];
    uint8_t units[MOST_CODE];
    uint32_t count;
};

static bool add_code(void *user, struct reduce_element *element)
{
    struct code *const code = user;
    if (element->at.port == ORACLE_PORT_CODE && code->count < MOST_CODE) {
        code->units[code->count] = (uint8_t)element->at.unit;
        code->words[code->count++] = element->words;
    }
    return false;
}

static struct code *code_of(struct harness_case *test_case)
{
    struct code *const code = harness_arena_take(&test_case->arena, sizeof *code);
    if (code != NULL && !harness_reduce_elements(test_case, add_code, code, NULL))
        return NULL;
    return code;
}

static bool count_one(void *user, struct reduce_element *element)
{
    *(uint32_t *)user += element->at.port == ORACLE_PORT_CODE;
    return false;
}

static uint32_t count_code(const struct harness_case *test_case)
{
    uint32_t count = 0;
    harness_reduce_look(test_case, count_one, &count);
    return count < MOST_CODE ? count : MOST_CODE;
}

static uint32_t field_of(const struct pica_field_info *field, uint32_t word, uint32_t otherwise)
{
    return field != NULL ? pica_field_get(field, word) : otherwise;
}

static uint32_t move(uint32_t dest, uint32_t source, uint32_t descriptor)
{
    uint32_t word = pica_shader_instruction_set_opcode(0, PICA_OPCODE_MOV);
    word = pica_shader_format_1_set_dest(word, dest);
    word = pica_shader_format_1_set_src1(word, source);
    return pica_shader_format_1_set_desc(word, descriptor);
}

/* ----------------------------------------------------------------------------------------------------------- moves */

static bool change_to_moves(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct code *const code = walk->range.count != 0 ? code_of(test_case) : NULL;
    walk->seen = count_code(test_case);
    for (uint32_t i = 0; code != NULL && i < code->count; i++) {
        uint32_t *const word = code->words[i];
        const struct reduce_operands operands = harness_reduce_operands_of(*word);
        const struct pica_field_info *const source = operands.sources[walk->variant];
        if (!harness_reduce_within(walk->range, i) || operands.dest == NULL || source == NULL ||
            pica_opcode_of(*word) == PICA_OPCODE_MOV)
            continue;
        *word = move(pica_field_get(operands.dest, *word), pica_field_get(source, *word),
                     field_of(operands.descriptor, *word, 0));
        walk->changed = true;
    }
    return true;
}

const struct reduce_pass harness_reduce_moves = { "instructions to moves", 3, .walk = change_to_moves };

/* ---------------------------------------------------------------------------------------------------------- copies */

/* Makes later readers of the temporary read the source of the move instead, if the operand can name it. */
static bool forward(const struct code *code, uint32_t from, uint32_t temporary, uint32_t source)
{
    bool changed = false;
    for (uint32_t i = from; i < code->count; i++) {
        if (code->units[i] != code->units[from - 1])
            continue;
        const struct reduce_operands operands = harness_reduce_operands_of(*code->words[i]);
        for (uint32_t k = 0; k < 3; k++) {
            const struct pica_field_info *const field = operands.sources[k];
            if (field_of(field, *code->words[i], 0) != temporary || source >> field->width != 0)
                continue;
            *code->words[i] = pica_field_set(field, *code->words[i], source);
            changed = true;
        }
    }
    return changed;
}

/* Variant 0: removes the move as well. In the other variant it stays, in case a later instruction needs it. */
static bool forward_copies(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct code *const code = walk->range.count != 0 ? code_of(test_case) : NULL;
    walk->seen = count_code(test_case);
    for (uint32_t i = 0; code != NULL && i < code->count; i++) {
        uint32_t *const word = code->words[i];
        if (!harness_reduce_within(walk->range, i) || pica_opcode_of(*word) != PICA_OPCODE_MOV ||
            (uint32_t)pica_shader_format_1_dest(*word) < FIRST_TEMPORARY)
            continue;
        const uint32_t source = (uint32_t)pica_shader_format_1_src1(*word);
        const uint32_t temporary = (uint32_t)pica_shader_format_1_dest(*word);
        if (source == temporary || !forward(code, i + 1, temporary, source))
            continue;
        if (walk->variant == 0)
            *word = pica_shader_instruction_set_opcode(0, PICA_OPCODE_NOP);
        walk->changed = true;
    }
    return true;
}

const struct reduce_pass harness_reduce_copies = { "copies", 2, .walk = forward_copies };

/* --------------------------------------------------------------------------------------------------------- outputs */

/* The descriptors by their last upload. */
struct descriptors {
    uint32_t words[2][REDUCE_DESCRIPTORS];
    bool known[2][REDUCE_DESCRIPTORS];
};

static bool note_descriptor(void *user, struct reduce_element *element)
{
    struct descriptors *const descriptors = user;
    if (element->at.port == ORACLE_PORT_OPDESCS && element->at.index < REDUCE_DESCRIPTORS) {
        descriptors->words[element->at.unit][element->at.index] = element->words[0];
        descriptors->known[element->at.unit][element->at.index] = true;
    }
    return false;
}

/* Does the descriptor select all components of the first source, unchanged? */
static bool is_whole(uint32_t word)
{
    return harness_opdesc_mask(word) == FULL_MASK && !harness_opdesc_negate(word, 1) &&
           harness_opdesc_selectors(word, 1) == HARNESS_IDENTITY_SELECTORS;
}

/* Appends such a descriptor to the last upload of the unit; false if there is no upload. */
static bool append_whole(struct harness_case *test_case, uint32_t unit)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    struct harness_command *last = NULL;
    uint32_t words[HARNESS_MAX_PARAMETERS];
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++) {
            struct harness_command *const command = harness_list_edit(list, i);
            uint32_t other = 0;
            if (oracle_port_of(command->id, &other) == ORACLE_PORT_OPDESCS && other == unit &&
                (!command->consecutive || command->count == 1))
                last = command;
        }
    if (last == NULL || last->count == HARNESS_MAX_PARAMETERS)
        return false;
    for (uint32_t k = 0; k < last->count; k++)
        words[k] = last->parameters[k];
    words[last->count] = FULL_MASK | (uint32_t)HARNESS_IDENTITY_SELECTORS << (harness_opdesc_source_low(1) + 1u);
    last->consecutive = false;
    return harness_command_set(test_case, last, words, last->count + 1u);
}

static uint32_t find_whole(const struct harness_case *test_case, uint32_t unit)
{
    struct descriptors descriptors = { .known = { { false } } };
    uint32_t index = 0;
    harness_reduce_look(test_case, note_descriptor, &descriptors);
    while (index < REDUCE_DESCRIPTORS && !(descriptors.known[unit][index] && is_whole(descriptors.words[unit][index])))
        index++;
    return index;
}

static bool writes_output(uint32_t word, uint32_t output)
{
    const struct reduce_operands operands = harness_reduce_operands_of(word);
    return field_of(operands.dest, word, REGISTERS) == output;
}

static bool is_read(const struct code *code, uint32_t unit, uint32_t input)
{
    for (uint32_t i = 0; i < code->count; i++) {
        const struct reduce_operands operands = harness_reduce_operands_of(*code->words[i]);
        for (uint32_t k = 0; k < 3 && code->units[i] == unit; k++)
            if (field_of(operands.sources[k], *code->words[i], UINT32_MAX) == input)
                return true;
    }
    return false;
}

/* The first source of the last write of the output. */
static uint32_t own_source(const struct code *code, uint32_t unit, uint32_t output)
{
    for (uint32_t i = code->count; i-- > 0;) {
        const struct reduce_operands operands = harness_reduce_operands_of(*code->words[i]);
        if (code->units[i] == unit && writes_output(*code->words[i], output) && operands.sources[0] != NULL)
            return pica_field_get(operands.sources[0], *code->words[i]);
    }
    return 0;
}

/* Makes the last write of the output a plain MOV and removes the others. False if that is already so. */
static bool make_plain(const struct code *code, uint32_t unit, uint32_t output, uint32_t plain)
{
    uint32_t writes = 0;
    bool changed = false;
    for (uint32_t i = code->count; i-- > 0;) {
        if (code->units[i] != unit || !writes_output(*code->words[i], output))
            continue;
        const uint32_t old = *code->words[i];
        const uint32_t next = writes++ == 0 ? plain : pica_shader_instruction_set_opcode(0, PICA_OPCODE_NOP);
        const bool is_plain = pica_opcode_of(old) == PICA_OPCODE_MOV &&
                              ((uint32_t)pica_shader_format_1_src1(old) < REGISTERS ||
                               pica_shader_format_1_src1(old) == pica_shader_format_1_src1(plain)) &&
                              pica_shader_format_1_desc(old) == pica_shader_format_1_desc(plain);
        if (writes == 1 && is_plain)
            continue;
        *code->words[i] = next;
        changed = true;
    }
    return changed;
}

/* Variant: the input register that all outputs in the range are moved from; OWN_SOURCE: each from its own first
 * source. */
static bool change_outputs(struct harness_case *test_case, struct reduce_walk *walk)
{
    const uint32_t variant = walk->variant;
    walk->seen = count_code(test_case) != 0 ? 2 * REGISTERS : 0;
    for (uint32_t unit = 0; unit < 2 && walk->range.count != 0; unit++) {
        struct code *const code = code_of(test_case);
        if (code == NULL || (variant != 0 && variant != OWN_SOURCE && !is_read(code, unit, variant)))
            continue;
        uint32_t whole = find_whole(test_case, unit);
        if (whole == REDUCE_DESCRIPTORS && append_whole(test_case, unit))
            whole = find_whole(test_case, unit);
        for (uint32_t output = 0; output < REGISTERS && whole != REDUCE_DESCRIPTORS; output++)
            if (harness_reduce_within(walk->range, unit * REGISTERS + output)) {
                const uint32_t source = variant == OWN_SOURCE ? own_source(code, unit, output) : variant;
                walk->changed = make_plain(code, unit, output, move(output, source, whole)) || walk->changed;
            }
    }
    return true;
}

const struct reduce_pass harness_reduce_outputs = { "shader outputs", OWN_SOURCE + 1, .walk = change_outputs };
