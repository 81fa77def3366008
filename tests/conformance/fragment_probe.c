#include "tests/conformance/fragment_probe.h"

/* ------------------------------------------------------------------------------------------------------------ dots */

struct probe_vertex *dots_add(struct dots *dots)
{
    cr_assert(dots->count < DOTS_MAX);
    struct probe_vertex *const v = &dots->vertices[3u * dots->count];
    /* VPT-02: X = (x + 1) * 4, in 1/16 pixel: (x + 1) * 64. RST-01: centres at 16 * i + 8. */
    const float x = (float)(16u * (dots->count % PROBE_SIZE) + 8u) / 64.0f - 1.0f;
    const float y = (float)(16u * (dots->count / PROBE_SIZE) + 8u) / 64.0f - 1.0f;
    v[0] = probe_vertex_at(x, y, -0.5f, 1.0f);
    v[1] = probe_vertex_at(x + 2.0f / 64.0f, y, -0.5f, 1.0f);
    v[2] = probe_vertex_at(x, y + 1.0f / 64.0f, -0.5f, 1.0f);
    probe_texcoord(v, 3, 0.0f, 0.0f);
    dots->count++;
    return v;
}

void dot_depth(struct probe_vertex v[3], float depth)
{
    for (uint32_t i = 0; i < 3u; i++)
        v[i].position[2] = -depth;
}

void dot_w(struct probe_vertex v[3], float w0, float w1, float w2)
{
    const float w[3] = { w0, w1, w2 };
    for (uint32_t i = 0; i < 3u; i++)
        for (uint32_t k = 0; k < 4u; k++)
            v[i].position[k] *= w[i];
}

void dots_add_texcoord(struct dots *dots, float u, float v)
{
    probe_texcoord(dots_add(dots), 3, u, v);
}

void dots_add_texcoord3(struct dots *dots, float u, float v, float w)
{
    struct probe_vertex *const dot = dots_add(dots);
    probe_texcoord(dot, 3, u, v);
    for (uint32_t i = 0; i < 3u; i++)
        dot[i].texcoord0_w = w;
}

struct dots dots_one(void)
{
    struct dots dots = { .count = 0 };
    (void)dots_add(&dots);
    return dots;
}

struct dots dots_at(float u, float v)
{
    struct dots dots = { .count = 0 };
    dots_add_texcoord(&dots, u, v);
    return dots;
}

struct dots dots_at3(float u, float v, float w)
{
    struct dots dots = { .count = 0 };
    dots_add_texcoord3(&dots, u, v, w);
    return dots;
}

struct dots dots_image(void)
{
    struct dots dots = { .count = 0 };
    for (uint32_t i = 0; i < 64u; i++)
        dots_add_texcoord(&dots, ((float)(i % 8u) + 0.5f) / 8.0f, ((float)(i / 8u) + 0.5f) / 8.0f);
    return dots;
}

static float *texcoord(struct probe_vertex *vertex, uint32_t which)
{
    return which == 0u ? vertex->texcoord0 : which == 1u ? vertex->texcoord1 : vertex->texcoord2;
}

void dot_derivative(struct probe_vertex v[3], uint32_t which, float u_x, float u_y, float v_x, float v_y)
{
    const float u0 = texcoord(&v[0], which)[0];
    const float v0 = texcoord(&v[0], which)[1];
    texcoord(&v[1], which)[0] = u0 + u_x / 16.0f;
    texcoord(&v[2], which)[0] = u0 + u_y / 32.0f;
    texcoord(&v[1], which)[1] = v0 + v_x / 16.0f;
    texcoord(&v[2], which)[1] = v0 + v_y / 32.0f;
}

void dots_draw(struct machine *m, struct list *list, struct dots *dots)
{
    probe_draw(m, list, dots->vertices, 3u * dots->count, PICA_TOPOLOGY_LIST);
}

void probe_perspective(struct probe_vertex out[6])
{
    static const struct probe_vertex corners[4] = {
        { { -1, -1, -0.25f, 1 },
          { 0.1f, 0.2f, 0.3f, 0.9f },
          { 1, 1, 1, 1 },
          { -0.5f, -0.25f },
          { -1.2f, -0.9f },
          1,
          0,
          { 0.7f, 0 },
          { 0.2f, -0.3f, 1.5f },
          0 },
        { { 2, -2, -0.5f, 2 },
          { 0.3f, -0.1f, 0.2f, 0.8f },
          { 1, 1, 1, 1 },
          { 2.25f, 0.125f },
          { 1.3f, -0.4f },
          0.75f,
          0,
          { 0.2f, 0 },
          { -0.7f, 0.1f, 1.0f },
          0 },
        { { -4, 4, -3.5f, 4 },
          { -0.2f, 0.4f, 0.1f, 1.1f },
          { 1, 1, 1, 1 },
          { 0.375f, 1.75f },
          { -0.3f, 1.6f },
          1.5f,
          0,
          { -0.8f, 0 },
          { 0.4f, 0.9f, 0.6f },
          0 },
        { { 0.5f, 0.5f, -0.0625f, 0.5f },
          { 0.5f, 0.3f, -0.1f, 0.6f },
          { 1, 1, 1, 1 },
          { 1.125f, 3.0f },
          { 0.9f, 1.1f },
          2,
          0,
          { -1.4f, 0 },
          { 0.1f, 0.2f, -0.8f },
          0 },
    };
    static const uint32_t order[6] = { 0, 1, 2, 2, 1, 3 };
    for (uint32_t i = 0; i < 6u; i++)
        out[i] = corners[order[i]];
}

void expect_perspective(struct machine *m, const char *rule, struct list *list, const struct probe_vertex v[6],
                        const uint32_t expected[64])
{
    probe_draw(m, list, v, 6, PICA_TOPOLOGY_LIST);
    for (uint32_t i = 0; i < 64u; i++) {
        machine_case(m, "pixel %u,%u", (unsigned)(i % 8u), (unsigned)(i / 8u));
        cr_expect(machine_equal(m, rule, "colour (rgba)", dot_pixel(m, i), expected[i]), "%s", m->message);
    }
}

uint32_t dot_pixel(struct machine *m, uint32_t i)
{
    return probe_pixel(m, i % PROBE_SIZE, i / PROBE_SIZE);
}

/* -------------------------------------------------------------------------------------------------------- textures */

/* 40-textures.md section 3: bit 1 magnification, bit 2 minification, 8-10 wrap T, 12-14 wrap S, 24 mip, 28-30 type. */
uint32_t texture_param(const struct texture *texture)
{
    return texture->mag << 1 | texture->min << 2 | texture->wrap_t << 8 | texture->wrap_s << 12 | texture->mip << 24 |
           texture->type << 28;
}

/* Bias 0-12, max level 16-19, min level 24-27. */
uint32_t texture_lod(const struct texture *texture)
{
    return ((uint32_t)texture->bias & 0x1FFFu) | texture->max_level << 16 | texture->min_level << 24;
}

void texture_bind(struct list *list, const struct texture *texture)
{
    static const uint32_t first[3] = { PICA_REG_TEXUNIT0_BORDER_COLOR, PICA_REG_TEXUNIT1_BORDER_COLOR,
                                       PICA_REG_TEXUNIT2_BORDER_COLOR };
    static const uint32_t format[3] = { PICA_REG_TEXUNIT0_TYPE, PICA_REG_TEXUNIT1_TYPE, PICA_REG_TEXUNIT2_TYPE };
    const uint32_t address = texture->address != 0u ? texture->address : TEXTURE_ADDRESS;
    const uint32_t words[5] = { texture->border, texture->width << 16 | texture->height, texture_param(texture),
                                texture_lod(texture), address >> 3 };
    list_write_many(list, first[texture->unit], true, words, 5);
    list_write(list, format[texture->unit], texture->format);
    list_write(list, PICA_REG_TEXUNIT_CONFIG, 1u << texture->unit);
    probe_source(list, PICA_TEV_SOURCE_TEXTURE0 + texture->unit);
}

void texture_dots(struct machine *m, const struct texture *texture, struct dots *dots)
{
    struct list list = probe_list();
    texture_bind(&list, texture);
    dots_draw(m, &list, dots);
}

uint32_t texel_number(uint32_t col, uint32_t row, uint32_t width)
{
    /* y2 x2 y1 x1 y0 x0 from bit 5 to bit 0 */
    static const uint32_t spread[8] = { 0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15 };
    return (row / 8u * (width / 8u) + col / 8u) * 64u + (spread[row % 8u] * 2u | spread[col % 8u]);
}

void texel_put(struct machine *m, uint32_t address, uint32_t number, uint32_t bytes_per_texel, uint32_t value)
{
    const uint8_t bytes[4] = { (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24) };
    machine_load(m, address + number * bytes_per_texel, bytes, bytes_per_texel);
}

void load_pattern(struct machine *m, uint32_t address, uint32_t n, uint32_t step, uint32_t start)
{
    uint8_t bytes[0x4000];
    cr_assert(n <= sizeof bytes);
    for (uint32_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)(i * step + start);
    machine_load(m, address, bytes, n);
}

enum {
    METER_LEVELS = 7
};

struct texture lod_meter(void)
{
    return (struct texture){ .format = PICA_TEXTURE_FORMAT_IA8, .width = 64, .height = 64, .mip = 1, .max_level = 6 };
}

void load_lod_meter(struct machine *m, uint32_t address)
{
    uint8_t bytes[2 * 64 * 64];
    for (uint32_t level = 0; level < METER_LEVELS; level++) {
        const uint32_t size = 2u * (64u >> level) * (64u >> level);
        for (uint32_t i = 0; i < size; i += 2u) {
            bytes[i] = (uint8_t)(40u * level);
            bytes[i + 1u] = level % 2u != 0u ? 255 : 0;
        }
        machine_load(m, address, bytes, size);
        address += size;
    }
}

uint32_t lod_meter_pixel(uint32_t lodc)
{
    const uint32_t l0 = lodc >> 8, f = lodc & 255u;
    const uint32_t l1 = l0 + 1u < METER_LEVELS ? l0 + 1u : l0;
    const uint32_t i = ((l0 % 2u != 0u ? 255u : 0u) * (256u - f) + (l1 % 2u != 0u ? 255u : 0u) * f + 128u) >> 8;
    const uint32_t a = (40u * l0 * (256u - f) + 40u * l1 * f + 128u) >> 8;
    return i << 24 | i << 16 | i << 8 | a;
}

/* ---------------------------------------------------------------------------------------------------------- tables */

static void list_table(struct list *list, const struct register_write *index, uint32_t port, const uint32_t *words,
                       uint32_t n)
{
    list_write(list, index->id, index->value);
    for (uint32_t i = 0; i < n; i += 256u)
        list_write_many(list, port, false, words + i, n - i < 256u ? n - i : 256u);
}

void list_proctex_table(struct list *list, uint32_t table, const uint32_t *words, uint32_t n)
{
    list_table(list, &(struct register_write){ PICA_REG_PROCTEX_LUT, table << 8 }, PICA_REG_PROCTEX_LUT_DATA0, words,
               n);
}

void list_lighting_table(struct list *list, uint32_t table, const uint32_t *words, uint32_t n)
{
    list_table(list, &(struct register_write){ PICA_REG_LIGHTING_LUT_INDEX, table << 8 }, PICA_REG_LIGHTING_LUT_DATA0,
               words, n);
}

void list_fog_table(struct list *list, const uint32_t *words, uint32_t n)
{
    list_table(list, &(struct register_write){ PICA_REG_FOG_LUT_INDEX, 0 }, PICA_REG_FOG_LUT_DATA0, words, n);
}

/* ---------------------------------------------------------------------------------------------- procedural texture */

void proctex_bind(struct list *list, const struct proctex *p)
{
    const uint32_t words[6] = {
        p->u_clamp | p->v_clamp << 3 | p->rgb_func << 6 | p->alpha_func << 10 | p->separate_alpha << 14 |
            p->noise_enable << 15 | p->u_shift << 16 | p->v_shift << 18 | (p->bias & 0xFFu) << 20,
        p->u_amplitude | p->u_phase << 16,
        p->v_amplitude | p->v_phase << 16,
        p->u_frequency | p->v_frequency << 16,
        p->filter | p->min_lod << 3 | p->max_lod << 7 | p->width << 11 | (p->bias >> 8) << 19,
        p->offsets,
    };
    list_write_many(list, PICA_REG_TEXUNIT3_PROCTEX0, true, words, 6);
    list_write(list, PICA_REG_TEXUNIT_CONFIG, 1u << 10);
    probe_source(list, PICA_TEV_SOURCE_TEXTURE3);
}

uint32_t proctex_ramp(uint32_t i)
{
    const uint32_t value = 4095u * i / 128u;
    return value | (4095u * (i + 1u) / 128u - value) << 12;
}

void list_proctex_ramps(struct list *list)
{
    uint32_t words[128];
    for (uint32_t i = 0; i < 128u; i++)
        words[i] = proctex_ramp(i);
    list_proctex_table(list, PICA_PROCTEX_TABLE_NOISE, words, 128);
    list_proctex_table(list, PICA_PROCTEX_TABLE_RGB_MAP, words, 128);
    list_proctex_table(list, PICA_PROCTEX_TABLE_ALPHA_MAP, words, 128);
}

void list_proctex_meter(struct list *list)
{
    uint32_t colors[256], differences[256];
    for (uint32_t k = 0; k < 256u; k++) {
        colors[k] = k << 8 | (255u - k) << 16 | 128u << 24;
        differences[k] = 127u | (256u - 64u) << 24;
    }
    list_proctex_table(list, PICA_PROCTEX_TABLE_COLOR, colors, 256);
    list_proctex_table(list, PICA_PROCTEX_TABLE_COLOR_DIFFERENCE, differences, 256);
}

/* ---------------------------------------------------------------------------------------------------- batch events */

void list_writes(struct list *list, const struct register_write *writes)
{
    for (size_t i = 0; i < EVENT_ROW_WRITES && writes[i].id != 0u; i++)
        list_write(list, writes[i].id, writes[i].value);
}

static void event_setup(struct machine *m, struct list *list, void (*base)(struct list *), const struct event_row *row,
                        const char *variant)
{
    machine_row(m, "%s%s", row->label, variant);
    list->count = 0;
    probe_pipeline(list);
    base(list);
    list_writes(list, row->writes);
}

static void expect_fires_by_batch_alone(struct machine *m, const char *rule, enum pica_event event,
                                        void (*base)(struct list *), const struct event_row *row)
{
    struct list list = { .count = 0 };
    struct dots dots = dots_one();
    event_setup(m, &list, base, row, ", target without pixels");
    list_write(&list, PICA_REG_FRAMEBUFFER_DIM, 0);
    dots_draw(m, &list, &dots);
    EXPECT_EVENT(m, rule, event);
    event_setup(m, &list, base, row, ", triangle without area");
    dots.vertices[1] = dots.vertices[0];
    dots_draw(m, &list, &dots);
    EXPECT_NO_EVENT(m, rule, event);
    event_setup(m, &list, base, row, ", no draw");
    machine_submit(m, &list);
    EXPECT_NO_EVENT(m, rule, event);
}

void expect_batch_event(struct machine *m, const char *rule, enum pica_event event, void (*base)(struct list *),
                        const struct event_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct list list = { .count = 0 };
        struct dots dots = dots_one();
        event_setup(m, &list, base, &rows[i], "");
        dots_draw(m, &list, &dots);
        cr_expect(machine_event_is(m, rule, event, rows[i].fires), "%s", m->message);
        if (rows[i].fires)
            expect_fires_by_batch_alone(m, rule, event, base, &rows[i]);
    }
}
