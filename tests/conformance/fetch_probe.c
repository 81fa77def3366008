#include "tests/conformance/fetch_probe.h"

uint32_t integer(int32_t value)
{
    return f32_bits((float)value);
}

void byte_pipeline(struct machine *m, struct list *list, const struct list *changes)
{
    uint8_t bytes[256];
    for (uint32_t i = 0; i < 256; i++)
        bytes[i] = (uint8_t)(i + 1u);
    machine_load(m, BYTE_ARRAY, bytes, sizeof bytes);
    static const uint32_t code[3] = { 0x4C000000, 0x4C201000, 0x88000000 };
    struct list setup = { .count = 0 };
    list_write(&setup, PICA_REG_ATTRIBBUFFERS_LOC, BYTE_ARRAY >> 3);
    list_write(&setup, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 1);
    list_write(&setup, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 0);
    list_write(&setup, PICA_REG_ATTRIBBUFFER0_CONFIG1, 0);
    list_write(&setup, PICA_REG_ATTRIBBUFFER0_CONFIG2, 1u << 28 | 1u << 16);
    list_write(&setup, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000);
    list_write(&setup, PICA_REG_VSH_NUM_ATTR, 0);
    for (uint32_t i = 0; changes != NULL && i < changes->count; i++)
        list_word(&setup, changes->words[i]);
    const struct shader_run run = { .code = code, .code_count = 3, .outputs = 2, .setup = &setup };
    shader_run_list(m, &run, list);
}

struct list byte_list(struct machine *m, const struct list *changes)
{
    struct list list = { .count = 0 };
    byte_pipeline(m, &list, changes);
    return list;
}

const struct pica_assembler_state *byte_assembler(struct machine *m)
{
    return &machine_state(m)->assembler;
}

uint32_t buffered_x(struct machine *m, uint32_t i)
{
    return byte_assembler(m)->buffer[i].slots[0];
}
