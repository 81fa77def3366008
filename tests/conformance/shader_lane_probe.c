#include "tests/conformance/shader_lane_probe.h"

static const uint32_t INDEX_OFFSET = 0x4000; /* from VERTEX_ADDRESS */

void lane_number(struct lane_run *run)
{
    run->count = LANES;
    for (uint32_t v = 0; v < LANES; v++)
        for (uint32_t c = 0; c < 4; c++) {
            run->inputs[v][0][c] = f32_bits((float)v);
            run->inputs[v][1][c] = 0;
        }
}

static void load_lanes(struct machine *m, const struct lane_run *run)
{
    uint8_t indices[1 + LANES];
    indices[0] = (uint8_t)run->count;
    for (uint32_t v = 0; v < run->count; v++) {
        indices[1 + v] = (uint8_t)v;
        machine_load_words(m, VERTEX_ADDRESS + 32u * v, run->inputs[v][0], 4);
        machine_load_words(m, VERTEX_ADDRESS + 32u * v + 16u, run->inputs[v][1], 4);
    }
    machine_load(m, VERTEX_ADDRESS + INDEX_OFFSET, indices, 1 + run->count);
}

static void list_registers(struct list *list, const struct lane_run *run)
{
    list_write(list, PICA_REG_ATTRIBBUFFERS_LOC, VERTEX_ADDRESS >> 3);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 0xFF);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 0x10000000);
    list_write(list, PICA_REG_ATTRIBBUFFER0_OFFSET, 0);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG1, 0x10);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG2, 2u << 28 | 32u << 16);
    list_write(list, PICA_REG_VSH_NUM_ATTR, 1);
    list_write(list, PICA_REG_INDEXBUFFER_CONFIG, INDEX_OFFSET);
    list_write(list, PICA_REG_GEOSTAGE_CONFIG, 0x80000002);
    list_write(list, PICA_REG_GSH_MISC0, 1);
    list_write(list, PICA_REG_GSH_MISC1, 0);
    list_write(list, PICA_REG_VSH_OUTMAP_TOTAL1, 0);
    list_write(list, PICA_REG_VSH_OUTMAP_TOTAL2, 0);
    list_write(list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000100);
    list_write(list, PICA_REG_GSH_OUTMAP_MASK, 1);
    list_write(list, PICA_REG_SH_OUTMAP_TOTAL, 1);
    list_write(list, PICA_REG_SH_OUTMAP_O0, 0x03020100);
    list_write(list, PICA_REG_NUMVERTICES, run->count + 1u);
}

void lane_draw(struct machine *m, const struct lane_run *run)
{
    const uint32_t end = 0x88000000;
    cr_assert(run->count >= 1u && run->count <= LANES);
    load_lanes(m, run);
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 1);
    list_write(&list, PICA_REG_VSH_COM_MODE, 1);
    list_code(&list, PICA_UNIT_VERTEX, 0, run->code, run->code_count);
    list_opdescs(&list, PICA_UNIT_VERTEX, 0, run->descriptors == NULL ? &IDENTITY : run->descriptors,
                 run->descriptors == NULL ? 1 : run->descriptor_count);
    list_code(&list, PICA_UNIT_GEOMETRY, 0, &end, 1);
    list_write(&list, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000001);
    list_write(&list, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0x10);
    list_write(&list, PICA_REG_VSH_OUTMAP_MASK, 1);
    for (uint32_t i = 0; run->setup != NULL && i < run->setup->count; i++)
        list_word(&list, run->setup->words[i]);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 0);
    list_registers(&list, run);
    list_write(&list, PICA_REG_DRAWELEMENTS, 1);
    machine_submit(m, &list);
}

struct pica_vector lane_output(struct machine *m, uint32_t v)
{
    cr_assert_lt(v, LANES);
    return machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms[1 + v];
}
