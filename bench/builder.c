#include "bench/builder.h"

#include "harness/case/shader_asm.h"
#include "pica/regs.h"

#include <string.h>

enum {
    GRANULE = 128
};

void bench_builder_init(struct bench_builder *builder, struct harness_case *test_case)
{
    *builder = (struct bench_builder){
        .test_case = test_case, .next = BENCH_DATA_ADDRESS, .random = UINT64_C(0x9E3779B97F4A7C15), .good = true
    };
}

static uint32_t whole_pages(uint64_t size)
{
    return (uint32_t)((size + PICA_PAGE_SIZE - 1) / PICA_PAGE_SIZE * PICA_PAGE_SIZE);
}

bool bench_builder_finish(struct bench_builder *builder)
{
    struct harness_case *const test_case = builder->test_case;
    bench_put(builder, PICA_REG_FINALIZE, 0x12345678);
    const uint64_t list_bytes = harness_list_words(&builder->list) * 4 + 16;
    builder->good = builder->good && harness_case_add_window(test_case, BENCH_COLOR_ADDRESS, builder->vram_size) &&
                    harness_case_add_window(test_case, BENCH_DATA_ADDRESS,
                                            whole_pages(builder->next - BENCH_DATA_ADDRESS + list_bytes));
    struct harness_operation *const run = builder->good ? harness_case_add_run(test_case, builder->next) : NULL;
    if (run == NULL)
        return false;
    run->data.list = builder->list;
    return true;
}

void bench_put(struct bench_builder *builder, uint16_t id, uint32_t value)
{
    builder->good = builder->good && harness_list_write(builder->test_case, &builder->list, id, value);
}

void bench_put_port(struct bench_builder *builder, uint16_t id, const uint32_t *words, size_t count)
{
    builder->good = builder->good && harness_list_write_port(builder->test_case, &builder->list, id, words, count);
}

static uint32_t add_data(struct bench_builder *builder, const struct harness_data *data, uint32_t size)
{
    const uint32_t address = builder->next;
    builder->good = builder->good && harness_case_add_chunk(builder->test_case, address, data) != NULL;
    builder->next += (size + GRANULE - 1) / GRANULE * GRANULE;
    return address;
}

uint32_t bench_add_bytes(struct bench_builder *builder, const uint8_t *bytes, uint32_t size)
{
    struct harness_data data = { .size = 0 };
    builder->good = builder->good && harness_data_bytes(builder->test_case, &data, bytes, size);
    return add_data(builder, &data, size);
}

uint32_t bench_add_noise(struct bench_builder *builder, uint32_t size)
{
    struct harness_data data;
    harness_data_pattern(&data, HARNESS_PATTERN_NOISE, 1, size);
    return add_data(builder, &data, size);
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* FLT-23 for numbers that float24 holds exactly. */
static uint32_t float24(float value)
{
    const uint32_t bits = float_bits(value);
    if (value == 0.0f)
        return 0;
    return (bits >> 31) << 23 | (((bits >> 23) & 0xFFu) - 64u) << 16 | ((bits & 0x7FFFFFu) >> 7);
}

float bench_random(struct bench_builder *builder)
{
    builder->random = builder->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (float)(uint32_t)(builder->random >> 40) * 0x1p-24f;
}

uint8_t *bench_store_float(uint8_t *out, float value)
{
    const uint32_t bits = float_bits(value);
    for (int k = 0; k < 4; k++)
        *out++ = (uint8_t)(bits >> (8 * k));
    return out;
}

/* ------------------------------------------------------------------------------------------------------------ state */

void bench_put_target(struct bench_builder *builder, uint32_t width, uint32_t height)
{
    const uint32_t plane = whole_pages((uint64_t)width * height * 4);
    const uint32_t size = width | (height - 1) << 12 | 1u << 24;
    builder->vram_size = 2 * plane;
    bench_put(builder, PICA_REG_VIEWPORT_WIDTH, float24((float)width / 2.0f));
    bench_put(builder, PICA_REG_VIEWPORT_HEIGHT, float24((float)height / 2.0f));
    bench_put(builder, PICA_REG_DEPTHMAP_SCALE, float24(-1.0f));
    bench_put(builder, PICA_REG_DEPTHMAP_OFFSET, 0);
    bench_put(builder, PICA_REG_DEPTHMAP_ENABLE, 1);
    bench_put(builder, PICA_REG_COLORBUFFER_READ, 0xF);
    bench_put(builder, PICA_REG_COLORBUFFER_WRITE, 0xF);
    bench_put(builder, PICA_REG_DEPTHBUFFER_READ, 3);
    bench_put(builder, PICA_REG_DEPTHBUFFER_WRITE, 3);
    bench_put(builder, PICA_REG_DEPTHBUFFER_FORMAT, PICA_DEPTH_FORMAT_D24S8);
    bench_put(builder, PICA_REG_COLORBUFFER_FORMAT, pica_colorbuffer_format_set_pixel_size(0, 2));
    bench_put(builder, PICA_REG_DEPTHBUFFER_LOC, (BENCH_COLOR_ADDRESS + plane) >> 3);
    bench_put(builder, PICA_REG_COLORBUFFER_LOC, BENCH_COLOR_ADDRESS >> 3);
    bench_put(builder, PICA_REG_FRAMEBUFFER_DIM, size);
    bench_put(builder, PICA_REG_RENDERBUF_DIM, size);
}

static void put_shader(struct bench_builder *builder, const char *text)
{
    const struct harness_shader_source source = {
        .text = text, .size = strlen(text), .name = "scene", .first_line = 1, .allocate = true
    };
    struct harness_descriptors descriptors = { .words = { 0 } };
    uint32_t code[HARNESS_MAX_CODE];
    uint32_t count = 0, used = 0;
    if (harness_shader_assemble(&source, &descriptors, code, NULL, &count, NULL) != HARNESS_OK) {
        builder->good = false;
        return;
    }
    while (used < HARNESS_DESCRIPTORS && descriptors.known[used] != 0)
        used++;
    bench_put(builder, PICA_REG_VSH_CODETRANSFER_INDEX, 0);
    bench_put_port(builder, PICA_REG_VSH_CODETRANSFER_DATA0, code, count);
    bench_put(builder, PICA_REG_VSH_CODETRANSFER_END, 1);
    bench_put(builder, PICA_REG_VSH_OPDESCS_INDEX, 0);
    bench_put_port(builder, PICA_REG_VSH_OPDESCS_DATA0, descriptors.words, used);
    bench_put(builder, PICA_REG_VSH_ENTRYPOINT, 0x7FFF0000);
}

void bench_put_vertex_stage(struct bench_builder *builder, const struct bench_vertex_stage *stage, uint32_t vertices)
{
    const uint32_t inputs = stage->attribute_count;
    put_shader(builder, stage->shader);
    bench_put(builder, PICA_REG_VSH_OUTMAP_MASK, (1u << stage->output_count) - 1);
    bench_put(builder, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000 | (inputs - 1));
    bench_put(builder, PICA_REG_VSH_NUM_ATTR, inputs - 1);
    bench_put(builder, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0x76543210);
    bench_put(builder, PICA_REG_VSH_OUTMAP_TOTAL1, stage->output_count - 1);
    bench_put(builder, PICA_REG_VSH_OUTMAP_TOTAL2, stage->output_count - 1);
    bench_put(builder, PICA_REG_SH_OUTMAP_TOTAL, stage->output_count);
    bench_put(builder, PICA_REG_PRIMITIVE_CONFIG, stage->output_count - 1); /* topology 0: triangle list */
    for (uint32_t i = 0; i < stage->output_count; i++)
        bench_put(builder, (uint16_t)(PICA_REG_SH_OUTMAP_O0 + i), stage->outputs[i]);
    bench_put(builder, PICA_REG_ATTRIBBUFFERS_LOC, BENCH_DATA_ADDRESS >> 3);
    bench_put(builder, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, stage->formats);
    bench_put(builder, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, (inputs - 1) << 28);
    bench_put(builder, PICA_REG_ATTRIBBUFFER0_OFFSET, vertices - BENCH_DATA_ADDRESS);
    bench_put(builder, PICA_REG_ATTRIBBUFFER0_CONFIG1, 0x76543210);
    bench_put(builder, PICA_REG_ATTRIBBUFFER0_CONFIG2, inputs << 28 | stage->stride << 16);
}

void bench_put_uniforms(struct bench_builder *builder, uint32_t first, const float (*values)[4], uint32_t count)
{
    bench_put(builder, PICA_REG_VSH_FLOATUNIFORM_INDEX, 1u << 31 | first);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t words[4];
        for (uint32_t k = 0; k < 4; k++)
            words[k] = float_bits(values[i][3 - k]);
        bench_put_port(builder, PICA_REG_VSH_FLOATUNIFORM_DATA0, words, 4);
    }
}

void bench_put_stage(struct bench_builder *builder, uint32_t stage, uint32_t sources, uint32_t mode, uint32_t color)
{
    bench_put(builder, (uint16_t)pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE), sources | sources << 16);
    bench_put(builder, (uint16_t)pica_reg_texenv(stage, PICA_REG_TEXENV0_OPERAND), 0);
    bench_put(builder, (uint16_t)pica_reg_texenv(stage, PICA_REG_TEXENV0_COMBINER), mode | mode << 16);
    bench_put(builder, (uint16_t)pica_reg_texenv(stage, PICA_REG_TEXENV0_COLOR), color);
    bench_put(builder, (uint16_t)pica_reg_texenv(stage, PICA_REG_TEXENV0_SCALE), 0);
}

void bench_put_one_stage(struct bench_builder *builder, uint32_t sources, uint32_t mode)
{
    bench_put_stage(builder, 0, sources, mode, 0);
    for (uint32_t stage = 1; stage < 6; stage++)
        bench_put_stage(builder, stage, PICA_TEV_SOURCE_PREVIOUS, PICA_TEV_MODE_REPLACE, 0);
}

void bench_put_vertex_color(struct bench_builder *builder)
{
    bench_put_one_stage(builder, PICA_TEV_SOURCE_PRIMARY_COLOR, PICA_TEV_MODE_REPLACE);
}

void bench_put_draw(struct bench_builder *builder, uint32_t vertices)
{
    bench_put(builder, PICA_REG_NUMVERTICES, vertices);
    bench_put(builder, PICA_REG_VERTEX_OFFSET, 0);
    bench_put(builder, PICA_REG_START_DRAW_FUNC0, 0);
    bench_put(builder, PICA_REG_DRAWARRAYS, 1);
}

void bench_put_indexed_draw(struct bench_builder *builder, uint32_t indices, uint32_t vertices)
{
    bench_put(builder, PICA_REG_INDEXBUFFER_CONFIG, (indices - BENCH_DATA_ADDRESS) | 1u << 31); /* 16 bits */
    bench_put(builder, PICA_REG_NUMVERTICES, vertices);
    bench_put(builder, PICA_REG_START_DRAW_FUNC0, 0);
    bench_put(builder, PICA_REG_DRAWELEMENTS, 1);
}
