/* Draws through the geometry stage that emit more than the vertex pool of `fast` holds. */
#include "tests/conformance/shader_probe.h"
#include "tests/fast/steps.h"

enum {
    SIZE = 64, /* pixels, width and height */
    POINTS = SIZE * SIZE
};

static const uint32_t END = 0x88000000;

/* Vertex v is the pixel v: two bytes, x and y. */
static void load_points(struct machine *m)
{
    static uint8_t bytes[POINTS][2];
    for (uint32_t v = 0; v < POINTS; v++) {
        bytes[v][0] = (uint8_t)(v % SIZE);
        bytes[v][1] = (uint8_t)(v / SIZE);
    }
    machine_load(m, VERTEX_ADDRESS, bytes, sizeof bytes);
}

static void uniform(struct list *list, uint32_t unit, uint32_t index, float x, float y, float w)
{
    list_uniform(list, unit, index, f32_bits(x), f32_bits(y), 0, f32_bits(w));
}

/* The VS takes bytes to clip space: half a pixel is 1/64 there. */
static void vertex_stage(struct list *list)
{
    const uint32_t code[] = { op1(PICA_OPCODE_MUL, DST_R, SRC_C, SRC_V, 0),
                              op1(PICA_OPCODE_ADD, DST_O, SRC_C + 1, SRC_R, 0), END };
    list_code(list, PICA_UNIT_VERTEX, 0, code, 3);
    uniform(list, PICA_UNIT_VERTEX, 0, 1.0f / 32.0f, 1.0f / 32.0f, 1.0f);
    uniform(list, PICA_UNIT_VERTEX, 1, -1.0f, -1.0f, 0.0f);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 0x5); /* two u8 */
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 0);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG1, 0);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG2, 1u << 28 | 2u << 16);
    list_write(list, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000);
    list_write(list, PICA_REG_VSH_OUTMAP_MASK, 1);
    list_write(list, PICA_REG_VSH_OUTMAP_TOTAL1, 0);
}

/* The GS emits a triangle that covers the centre of the pixel alone; its colour is |position|, of the pixel's place. */
static void geometry_stage(struct list *list)
{
    uint32_t code[13];
    for (uint32_t k = 0; k < 3; k++) {
        code[4 * k] = op_setemit(k, k == 2 ? 1 : 0, 0);
        code[4 * k + 1] = op1(PICA_OPCODE_ADD, DST_O, SRC_C + k, SRC_V, 0);
        code[4 * k + 2] = op1(PICA_OPCODE_MOV, DST_O + 1, SRC_V, 0, 0);
        code[4 * k + 3] = op0(PICA_OPCODE_EMIT);
    }
    code[12] = END;
    list_code(list, PICA_UNIT_GEOMETRY, 0, code, 13);
    list_opdescs(list, PICA_UNIT_GEOMETRY, 0, &IDENTITY, 1);
    uniform(list, PICA_UNIT_GEOMETRY, 0, 0.25f / 32, 0.25f / 32, 0.0f);
    uniform(list, PICA_UNIT_GEOMETRY, 1, 1.0f / 32, 0.25f / 32, 0.0f);
    uniform(list, PICA_UNIT_GEOMETRY, 2, 0.25f / 32, 1.0f / 32, 0.0f);
    list_write(list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000000);
    list_write(list, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_LOW, 0x76543210);
    list_write(list, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_HIGH, 0xFEDCBA98);
    list_write(list, PICA_REG_GSH_OUTMAP_MASK, 3);
    list_write(list, PICA_REG_SH_OUTMAP_TOTAL, 2);
    list_write(list, PICA_REG_SH_OUTMAP_O0, 0x03020100);
    list_write(list, PICA_REG_SH_OUTMAP_O0 + 1, 0x0B0A0908);
}

/* SHD-81, ITP-13: the byte of a colour component |c|, c = place / 32 - 1; halves go down. */
static uint32_t color_byte(uint32_t place)
{
    const uint32_t steps = place < 32u ? 32u - place : place - 32u;
    return (steps * 255u + 15u) / 32u;
}

static void many_emissions(struct machine *m)
{
    struct list list = { .count = 0 };
    load_points(m);
    probe_pipeline(&list);
    probe_size(&list, SIZE, SIZE);
    list_write(&list, PICA_REG_DEPTHBUFFER_WRITE, 0);
    list_write(&list, PICA_REG_DEPTHBUFFER_READ, 0);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 1);
    list_write(&list, PICA_REG_VSH_COM_MODE, 1);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 2);
    vertex_stage(&list);
    geometry_stage(&list);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 0);
    list_draw(&list, POINTS);
    machine_submit(m, &list);
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) {
            machine_case(m, "pixel %u, %u", (unsigned)x, (unsigned)y);
            EXPECT_EQ(m, "GSH-35", machine_word(m, COLOR_ADDRESS + 4u * probe_index(x, y, SIZE)),
                      color_byte(x) << 24 | color_byte(y) << 16 | 0xFFu);
        }
}

Test(fast_geometry, GSH_35_every_triangle_of_a_large_draw_is_drawn)
{
    machine_each(many_emissions);
    each_instruction_set(many_emissions);
}
