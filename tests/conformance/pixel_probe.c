/* The pixel probe of machine.h. */
#include "tests/conformance/machine.h"

#include <string.h>

struct probe_vertex probe_vertex_at(float x, float y, float z, float w)
{
    const float u = (x + 1.0f) / 2.0f;
    const float v = (y + 1.0f) / 2.0f;
    return (struct probe_vertex){ .position = { x, y, z, w },
                                  .quaternion = { 0, 0, 0, 1 },
                                  .color = { 1, 1, 1, 1 },
                                  .texcoord0 = { u, v },
                                  .texcoord1 = { u, v },
                                  .texcoord0_w = 1,
                                  .texcoord2 = { u, v },
                                  .view = { 0, 0, 1 } };
}

void probe_quad(struct probe_vertex out[4])
{
    out[0] = probe_vertex_at(-1, -1, -0.5f, 1);
    out[1] = probe_vertex_at(1, -1, -0.5f, 1);
    out[2] = probe_vertex_at(-1, 1, -0.5f, 1);
    out[3] = probe_vertex_at(1, 1, -0.5f, 1);
}

void probe_color(struct probe_vertex *vertices, size_t n, uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
    for (size_t i = 0; i < n; i++) {
        vertices[i].color[0] = (float)r / 255.0f;
        vertices[i].color[1] = (float)g / 255.0f;
        vertices[i].color[2] = (float)b / 255.0f;
        vertices[i].color[3] = (float)a / 255.0f;
    }
}

void probe_texcoord(struct probe_vertex *vertices, size_t n, float u, float v)
{
    for (size_t i = 0; i < n; i++) {
        vertices[i].texcoord0[0] = vertices[i].texcoord1[0] = vertices[i].texcoord2[0] = u;
        vertices[i].texcoord0[1] = vertices[i].texcoord1[1] = vertices[i].texcoord2[1] = v;
    }
}

/* SHD-20: MOV o[k], v[k] with the identity descriptor 0, then END. */
static void pass_through_shader(struct list *list)
{
    uint32_t code[PROBE_ATTRIBUTES + 1];
    for (uint32_t k = 0; k < PROBE_ATTRIBUTES; k++)
        code[k] = 0x4C000000u | k << 21 | k << 12;
    code[PROBE_ATTRIBUTES] = 0x88000000u;
    const uint32_t identity = 0x0D86C36Fu;
    list_write(list, PICA_REG_START_DRAW_FUNC0, 1);
    list_code(list, PICA_UNIT_VERTEX, 0, code, PROBE_ATTRIBUTES + 1);
    list_opdescs(list, PICA_UNIT_VERTEX, 0, &identity, 1);
    list_write(list, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000u | (PROBE_ATTRIBUTES - 1u));
    list_write(list, PICA_REG_VSH_ENTRYPOINT, 0);
    list_write(list, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0x76543210);
    list_write(list, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH, 0xFEDCBA98);
    list_write(list, PICA_REG_VSH_OUTMAP_MASK, 0x3F);
    list_write(list, PICA_REG_START_DRAW_FUNC0, 0);
}

/* VTX-01 to VTX-04: one array with six attributes of four f32. SHD-80: every slot from the six outputs. */
static void probe_input_and_output(struct list *list)
{
    list_write(list, PICA_REG_ATTRIBBUFFERS_LOC, VERTEX_ADDRESS >> 3);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 0x00FFFFFF);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, (PROBE_ATTRIBUTES - 1u) << 28);
    list_write(list, PICA_REG_ATTRIBBUFFER0_OFFSET, 0);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG1, 0x00543210);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG2, PROBE_ATTRIBUTES << 28 | PROBE_VERTEX_SIZE << 16);
    list_write(list, PICA_REG_VSH_NUM_ATTR, PROBE_ATTRIBUTES - 1u);
    list_write(list, PICA_REG_SH_OUTMAP_TOTAL, PROBE_ATTRIBUTES);
    static const uint32_t semantics[PROBE_ATTRIBUTES] = { 0x03020100, 0x07060504, 0x0B0A0908,
                                                          0x0F0E0D0C, 0x17161F10, 0x1F141312 };
    list_write_many(list, PICA_REG_SH_OUTMAP_O0, true, semantics, PROBE_ATTRIBUTES);
}

void probe_source(struct list *list, uint32_t source)
{
    list_write(list, PICA_REG_TEXENV0_SOURCE, source | source << 16);
}

static void probe_combiner(struct list *list)
{
    for (uint32_t stage = 0; stage < 6; stage++) {
        const uint32_t words[5] = { stage == 0u ? 0x00000000u : 0x000F000Fu, 0, 0, 0, 0 };
        list_write_many(list, pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE), true, words, 5);
    }
    list_write(list, PICA_REG_LIGHTING_ENABLE0, 0);
    list_write(list, PICA_REG_LIGHTING_ENABLE1, 1);
}

void probe_size(struct list *list, uint32_t width, uint32_t height)
{
    list_write(list, PICA_REG_VIEWPORT_WIDTH, float24(width / 2.0));
    list_write(list, PICA_REG_VIEWPORT_HEIGHT, float24(height / 2.0));
    list_write(list, PICA_REG_FRAMEBUFFER_DIM, width | (height - 1u) << 12);
    list_write(list, PICA_REG_RENDERBUF_DIM, width | (height - 1u) << 12);
}

static void probe_framebuffer(struct list *list)
{
    list_write(list, PICA_REG_DEPTHMAP_SCALE, float24(-1.0));
    list_write(list, PICA_REG_DEPTHMAP_OFFSET, 0);
    list_write(list, PICA_REG_DEPTHMAP_ENABLE, 1);
    list_write(list, PICA_REG_VIEWPORT_INVW, float31(0.25) << 1);
    list_write(list, PICA_REG_VIEWPORT_INVH, float31(0.25) << 1);
    list_write(list, PICA_REG_COLOR_OPERATION, 0x00E40100);
    list_write(list, PICA_REG_BLEND_FUNC, 0x01010000);
    list_write(list, PICA_REG_DEPTH_COLOR_MASK, 0x1F00);
    list_write(list, PICA_REG_COLORBUFFER_READ, 0xF);
    list_write(list, PICA_REG_COLORBUFFER_WRITE, 0xF);
    list_write(list, PICA_REG_DEPTHBUFFER_READ, 3);
    list_write(list, PICA_REG_DEPTHBUFFER_WRITE, 3);
    list_write(list, PICA_REG_DEPTHBUFFER_FORMAT, 3);
    list_write(list, PICA_REG_COLORBUFFER_FORMAT, 2);
    list_write(list, PICA_REG_DEPTHBUFFER_LOC, DEPTH_ADDRESS >> 3);
    list_write(list, PICA_REG_COLORBUFFER_LOC, COLOR_ADDRESS >> 3);
    probe_size(list, PROBE_SIZE, PROBE_SIZE);
}

void probe_pipeline(struct list *list)
{
    pass_through_shader(list);
    probe_input_and_output(list);
    probe_combiner(list);
    probe_framebuffer(list);
}

struct list probe_list(void)
{
    struct list list = { .count = 0 };
    probe_pipeline(&list);
    return list;
}

void probe_load_vertices(struct machine *m, const struct probe_vertex *vertices, uint32_t n)
{
    _Static_assert(sizeof(struct probe_vertex) == PROBE_VERTEX_SIZE, "24 floats");
    uint32_t words[PROBE_VERTEX_SIZE / 4];
    for (uint32_t i = 0; i < n; i++) {
        memcpy(words, &vertices[i], sizeof words);
        machine_load_words(m, VERTEX_ADDRESS + PROBE_VERTEX_SIZE * i, words, PROBE_VERTEX_SIZE / 4);
    }
}

void probe_draw(struct machine *m, struct list *list, const struct probe_vertex *vertices, uint32_t n,
                uint32_t topology)
{
    probe_load_vertices(m, vertices, n);
    list_write(list, PICA_REG_PRIMITIVE_CONFIG, topology << 8);
    list_draw(list, n);
    machine_submit(m, list);
}

uint32_t probe_index(uint32_t x, uint32_t y, uint32_t width)
{
    uint32_t morton = 0;
    for (uint32_t bit = 0; bit < 3; bit++)
        morton |= (x >> bit & 1u) << (2u * bit) | (y >> bit & 1u) << (2u * bit + 1u);
    return y / 8u * 8u * width + x / 8u * 64u + morton;
}

uint32_t probe_pixel(struct machine *m, uint32_t x, uint32_t y)
{
    return machine_word(m, COLOR_ADDRESS + 4u * probe_index(x, y, PROBE_SIZE)); /* FBF-09: R is the highest byte */
}

uint32_t probe_depth_stencil(struct machine *m, uint32_t x, uint32_t y)
{
    return machine_word(m, DEPTH_ADDRESS + 4u * probe_index(x, y, PROBE_SIZE));
}

uint32_t probe_depth(struct machine *m, uint32_t x, uint32_t y)
{
    return probe_depth_stencil(m, x, y) & 0xFFFFFFu;
}

uint32_t probe_stencil(struct machine *m, uint32_t x, uint32_t y)
{
    return probe_depth_stencil(m, x, y) >> 24;
}

static void clear(struct machine *m, uint32_t address, uint32_t word)
{
    uint32_t words[PROBE_SIZE * PROBE_SIZE];
    for (size_t i = 0; i < PROBE_SIZE * PROBE_SIZE; i++)
        words[i] = word;
    machine_load_words(m, address, words, PROBE_SIZE * PROBE_SIZE);
}

void probe_clear_color(struct machine *m, uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
    clear(m, COLOR_ADDRESS, r << 24 | g << 16 | b << 8 | a);
}

void probe_clear_depth_stencil(struct machine *m, uint32_t depth24, uint32_t stencil)
{
    clear(m, DEPTH_ADDRESS, stencil << 24 | depth24);
}

uint32_t probe_covered(struct machine *m, uint32_t background)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < PROBE_SIZE; y++)
        for (uint32_t x = 0; x < PROBE_SIZE; x++)
            count += probe_pixel(m, x, y) != background ? 1u : 0u;
    return count;
}
