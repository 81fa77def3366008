#include "tests/conformance/geometry_probe.h"

enum {
    ONE_BITS = 0x3F800000
};

void gs_pipeline(struct machine *m, struct list *list, const uint32_t *code, uint32_t code_count)
{
    uint8_t bytes[256];
    for (uint32_t i = 0; i < 256; i++)
        bytes[i] = (uint8_t)(i + 1u);
    machine_load(m, GS_ARRAY, bytes, sizeof bytes);
    static const uint32_t vs[3] = { 0x4C000000, 0x00200000, 0x88000000 }; /* MOV o0,v0; ADD o1,v0,v0; END */
    static const uint32_t gs[2] = { 0x0207F800, 0x88000000 };
    list_write(list, PICA_REG_START_DRAW_FUNC0, 1);
    list_write(list, PICA_REG_VSH_COM_MODE, 1);
    list_write(list, PICA_REG_GEOSTAGE_CONFIG, 2);
    list_code(list, PICA_UNIT_VERTEX, 0, vs, 3);
    list_opdescs(list, PICA_UNIT_VERTEX, 0, &IDENTITY, 1);
    list_code(list, PICA_UNIT_GEOMETRY, 0, code == NULL ? gs : code, code == NULL ? 2 : code_count);
    list_opdescs(list, PICA_UNIT_GEOMETRY, 0, &IDENTITY, 1);
    list_uniform(list, PICA_UNIT_GEOMETRY, 95, ONE_BITS, ONE_BITS, ONE_BITS, ONE_BITS);
    list_write(list, PICA_REG_ATTRIBBUFFERS_LOC, GS_ARRAY >> 3);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 1);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 0);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG2, 1u << 28 | 1u << 16);
    list_write(list, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000);
    list_write(list, PICA_REG_VSH_OUTMAP_MASK, 3);
    list_write(list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000000);
    list_write(list, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_LOW, 0x76543210);
    list_write(list, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_HIGH, 0xFEDCBA98);
    list_write(list, PICA_REG_GSH_OUTMAP_MASK, 1);
    list_write(list, PICA_REG_SH_OUTMAP_TOTAL, 1);
    list_write(list, PICA_REG_SH_OUTMAP_O0, 0x03020100);
    list_write(list, PICA_REG_START_DRAW_FUNC0, 0);
}

struct list gs_list(struct machine *m, const uint32_t *code, uint32_t code_count)
{
    struct list list = { .count = 0 };
    gs_pipeline(m, &list, code, code_count);
    return list;
}

void gs_draw(struct machine *m, struct list *list, uint32_t n)
{
    list_draw(list, n);
    machine_submit(m, list);
}

void gs_draw_again(struct machine *m, uint32_t n)
{
    struct list list = { .count = 0 };
    gs_draw(m, &list, n);
}

void gs_vector(struct list *list, uint32_t n)
{
    uint32_t words[3];
    float24_words(float24(n), 0, 0, 0x3F0000, words);
    list_write_many(list, PICA_REG_FIXEDATTRIB_DATA0, true, words, 3);
}

uint32_t gs_invocations(struct machine *m)
{
    return (uint32_t)f32_from_bits(machine_state(m)->geometry.temporaries[0].bits[0]);
}
