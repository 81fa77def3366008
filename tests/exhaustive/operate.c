#include "tests/exhaustive/operate.h"

#include "tests/conformance/shader_probe.h"

enum {
    VERTICES = 6,
    OUTPUTS = 16,
    INSTRUCTIONS = 1 + 4 * OUTPUTS + 1
};

/* MOVA a0.x, v0; OP o[k].i, c[k + a0.x].i for all k and i; END. Descriptor i: component i alone; 4: MOVA's. */
static void vertex_shader(struct list *list, uint32_t opcode)
{
    const uint32_t descriptors[5] = { descriptor("x", "xxxx", "xyzw", "xyzw"), descriptor("y", "yyyy", "xyzw", "xyzw"),
                                      descriptor("z", "zzzz", "xyzw", "xyzw"), descriptor("w", "wwww", "xyzw", "xyzw"),
                                      descriptor("x", "xyzw", "xyzw", "xyzw") };
    uint32_t code[INSTRUCTIONS];
    uint32_t n = 0;
    code[n++] = op1(PICA_OPCODE_MOVA, 0, SRC_V, 0, 4);
    for (uint32_t k = 0; k < OUTPUTS; k++)
        for (uint32_t i = 0; i < 4u; i++)
            code[n++] = relative(op1(opcode, DST_O + k, SRC_C + k, 0, i), 1);
    code[n++] = op0(PICA_OPCODE_END);
    list_code(list, PICA_UNIT_VERTEX, 0, code, n);
    list_opdescs(list, PICA_UNIT_VERTEX, 0, descriptors, 5);
}

void operate_prepare(struct machine *m, uint32_t opcode)
{
    static const uint8_t first_uniform[8] = { 0, 16, 32, 48, 64, 80 };
    machine_load(m, VERTEX_ADDRESS, first_uniform, sizeof first_uniform);
    const uint32_t end = op0(PICA_OPCODE_END);
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 1);
    list_write(&list, PICA_REG_VSH_COM_MODE, 1);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 2);
    vertex_shader(&list, opcode);
    list_code(&list, PICA_UNIT_GEOMETRY, 0, &end, 1);
    /* VTX-02: attribute 0 is one u8. */
    list_write(&list, PICA_REG_ATTRIBBUFFERS_LOC, VERTEX_ADDRESS >> 3);
    list_write(&list, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 1);
    list_write(&list, PICA_REG_ATTRIBBUFFER0_CONFIG2, 1u << 28 | 1u << 16);
    list_write(&list, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000);
    list_write(&list, PICA_REG_VSH_OUTMAP_MASK, 0xFFFF);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, OUTPUTS - 1u);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL2, OUTPUTS - 1u);
    list_write(&list, PICA_REG_GSH_MISC0, 1u << 24 | (OUTPUTS - 1u) << 12 | (VERTICES - 1u) << 8 | 2u);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000100);
    list_write(&list, PICA_REG_GSH_OUTMAP_MASK, 1);
    list_write(&list, PICA_REG_SH_OUTMAP_TOTAL, 1);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 0);
    list_write(&list, PICA_REG_NUMVERTICES, VERTICES);
    machine_submit(m, &list);
}

void operate_run(struct machine *m, bool raw24, const uint32_t values[OPERATE_VALUES])
{
    const uint32_t vector_words = raw24 ? 3u : 4u;
    uint32_t words[4 * PICA_FLOAT_UNIFORMS];
    for (uint32_t k = 0; k < PICA_FLOAT_UNIFORMS; k++) {
        const uint32_t *const v = values + 4u * k;
        if (raw24) {
            float24_words(v[0], v[1], v[2], v[3], words + 3u * k);
            continue;
        }
        for (uint32_t i = 0; i < 4u; i++)
            words[4u * k + i] = v[3u - i]; /* REG-23: w first */
    }
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, raw24 ? 0u : 0x80000000u);
    for (uint32_t k = 0; k < PICA_FLOAT_UNIFORMS; k += 48u)
        list_write_many(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, false, words + vector_words * k, vector_words * 48u);
    list_write(&list, PICA_REG_DRAWARRAYS, 1);
    machine_submit(m, &list);
}

void operate_results(struct machine *m, uint32_t inputs[OPERATE_VALUES], uint32_t outputs[OPERATE_VALUES])
{
    const struct pica_state *const state = machine_state(m);
    for (uint32_t i = 0; i < OPERATE_VALUES; i++) {
        inputs[i] = state->units[PICA_UNIT_VERTEX].uniforms[i / 4u].bits[i % 4u];
        outputs[i] = state->units[PICA_UNIT_GEOMETRY].uniforms[i / 4u].bits[i % 4u];
    }
}
