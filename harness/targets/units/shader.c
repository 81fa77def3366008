#include "harness/targets/units/shader.h"

#include "pica/regs.h"
#include "pica/state.h"

enum {
    MOST_CODE = 127,
    MOST_OPDESCS = 31,
    MOST_UNIFORMS = 23,
    FLOAT24 = 0x80
};

static const uint32_t vertices_address = 0x18000000;

static void give(struct harness_state *state, uint32_t unit)
{
    static const uint32_t parts[2][5] = {
        { PICA_STATE_VERTEX_CODE, PICA_STATE_VERTEX_OPDESCS, PICA_STATE_VERTEX_UNIFORMS, PICA_STATE_VERTEX_INTEGERS,
          PICA_STATE_VERTEX_BOOLEANS },
        { PICA_STATE_GEOMETRY_CODE, PICA_STATE_GEOMETRY_OPDESCS, PICA_STATE_GEOMETRY_UNIFORMS,
          PICA_STATE_GEOMETRY_INTEGERS, PICA_STATE_GEOMETRY_BOOLEANS },
    };
    for (size_t i = 0; i < sizeof parts[0] / sizeof parts[0][0]; i++)
        state->given |= (uint64_t)1 << parts[unit][i];
}

/* SHD-12: the frame's first list sets everything but where the shader begins. */
static bool add_entry(struct harness_case *test_case, uint32_t unit, uint32_t entry)
{
    const uint16_t id = unit == PICA_UNIT_VERTEX ? PICA_REG_VSH_ENTRYPOINT : PICA_REG_GSH_ENTRYPOINT;
    const struct harness_writes writes = { .id = id, .mask = 0xF, .parameters = &entry, .count = 1 };
    return harness_list_insert(test_case, &test_case->operations[0].data.list, 0, &writes) != NULL;
}

bool unit_shader(struct harness_case *test_case, uint32_t unit, struct unit_input *input)
{
    struct harness_state *const state = harness_case_state(test_case);
    if (state == NULL)
        return false;
    struct pica_shader_unit *const shader = &state->values.units[unit];
    const uint32_t code = unit_byte(input) % (MOST_CODE + 1), opdescs = unit_byte(input) % (MOST_OPDESCS + 1),
                   uniforms = unit_byte(input) % (MOST_UNIFORMS + 1), flags = unit_byte(input);
    const uint32_t word = unit_word(input);
    shader->booleans = (uint16_t)word;
    for (uint32_t i = 0; i < 16; i++)
        shader->integers[i / 4][i % 4] = (uint8_t)unit_byte(input);
    (void)unit_words(input, shader->code, code);
    (void)unit_words(input, shader->opdesc, opdescs);
    (void)unit_words(input, shader->uniforms[0].bits, (size_t)uniforms * 4);
    give(state, unit);
    test_case->profile = (flags & FLOAT24) != 0 ? PICA_PROFILE_F24 : PICA_PROFILE_F32;
    harness_state_settle(state);
    return add_entry(test_case, unit, code != 0 ? (word >> 16) % code : 0);
}

bool unit_vertices(struct harness_case *test_case, uint32_t words, struct unit_input *input)
{
    uint8_t bytes[4 * 4 * UNIT_SHADER_INPUTS] = { 0 };
    struct harness_data data;
    const size_t size = words < sizeof bytes / 4 ? words * 4 : sizeof bytes;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)unit_byte(input);
    return harness_data_bytes(test_case, &data, bytes, size) &&
           harness_case_add_chunk(test_case, vertices_address, &data) != NULL;
}

/* ----------------------------------------------------------------------------------------------------------- seeds */

/* How many there are up to the last that is not 0. */
static uint32_t used(const uint32_t *words, uint32_t most)
{
    while (most > 0 && words[most - 1] == 0)
        most--;
    return most;
}

static void add_words(struct harness_text *out, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t bytes[4] = { (uint8_t)words[i], (uint8_t)(words[i] >> 8), (uint8_t)(words[i] >> 16),
                                   (uint8_t)(words[i] >> 24) };
        harness_text_bytes(out, bytes, sizeof bytes);
    }
}

void unit_shader_write(const struct pica_shader_unit *shader, uint32_t entry, struct harness_text *out)
{
    const uint32_t *const floats = shader->uniforms[0].bits;
    const uint32_t code = used(shader->code, MOST_CODE), opdescs = used(shader->opdesc, MOST_OPDESCS),
                   uniforms = (used(floats, 4 * MOST_UNIFORMS) + 3) / 4;
    const uint32_t words = shader->booleans | entry << 16;
    const uint8_t head[4] = { (uint8_t)code, (uint8_t)opdescs, (uint8_t)uniforms, 0 };
    harness_text_bytes(out, head, sizeof head);
    add_words(out, &words, 1);
    harness_text_bytes(out, shader->integers, sizeof shader->integers);
    add_words(out, shader->code, code);
    add_words(out, shader->opdesc, opdescs);
    add_words(out, floats, uniforms * 4);
}
