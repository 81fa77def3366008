/* What fast/fast.h offers to emulators beside the backend: memory without copies, and the name of a draw's state. */
#include "fast/fast.h"
#include "tests/fast/steps.h"

#include <string.h>

enum {
    KEY_MAX = 512
};

static void draw_quad(struct machine *m, struct list *list)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_draw(m, list, quad, 4, PICA_TOPOLOGY_STRIP);
}

/* --------------------------------------------------------------------------------------------------------- memory */

static void expect_place(struct machine *m, uint32_t address, uint32_t size, const uint8_t *place)
{
    machine_case(m, "[%08X, +%X)", (unsigned)address, (unsigned)size);
    EXPECT(m, "MEM-01", fast_share_memory(m->instance, address, size) == place);
}

EACH_INSTRUCTION_SET(fast_embedding, MEM_01_an_address_has_one_place)
{
    const struct pica_window *const fcram = &m->windows[1];
    const uint8_t *view = NULL;
    uint8_t *const first = fast_share_memory(m->instance, fcram->address, fcram->size);
    cr_assert_not_null(first);
    cr_assert_eq(m->backend->view_memory(m->instance, 1, &view), PICA_OK);
    cr_assert_eq(first, view);
    expect_place(m, fcram->address + 5, 1, first + 5);
    expect_place(m, fcram->address + fcram->size - 1, 1, first + fcram->size - 1);
    expect_place(m, fcram->address + fcram->size - 1, 2, NULL);
    expect_place(m, fcram->address - 1, 2, NULL);
    expect_place(m, 0x1F000000u, 1, NULL);
    machine_reset(m);
    expect_place(m, fcram->address, fcram->size, first);
}

/* An 8x8 RGBA8 texture of one colour that the emulator paints over, without a call of the backend. */
static void paint_texture(struct machine *m, uint8_t red)
{
    uint8_t *const texels = fast_share_memory(m->instance, TEXTURE_ADDRESS, 8 * 8 * 4);
    for (size_t i = 0; i < 8 * 8; i++)
        memcpy(texels + 4 * i, (const uint8_t[4]){ 255, 0, 0, red }, 4); /* A B G R */
    fast_memory_changed(m->instance, TEXTURE_ADDRESS, 8 * 8 * 4);
}

static void list_texture(struct list *list)
{
    probe_source(list, PICA_TEV_SOURCE_TEXTURE0);
    list_write(list, PICA_REG_TEXUNIT_CONFIG, 1);
    list_write(list, PICA_REG_TEXUNIT0_DIM, 8u << 16 | 8u);
    list_write(list, PICA_REG_TEXUNIT0_ADDR1, TEXTURE_ADDRESS >> 3);
    list_write(list, PICA_REG_TEXUNIT0_TYPE, PICA_TEXTURE_FORMAT_RGBA8);
}

EACH_INSTRUCTION_SET(fast_embedding, MEM_08_told_writes_are_seen_through_cached_textures)
{
    for (uint8_t red = 100; red < 103; red++) {
        struct list list = { 0 };
        machine_case(m, "texture of red %u", (unsigned)red);
        paint_texture(m, red);
        probe_pipeline(&list);
        list_texture(&list);
        draw_quad(m, &list);
        EXPECT_PIXEL(m, "MEM-08", 3, 4, red, 0, 0, 255);
    }
}

EACH_INSTRUCTION_SET(fast_embedding, MEM_08_told_writes_end_with_the_case)
{
    uint64_t pages[2] = { 0, 0 };
    paint_texture(m, 1);
    cr_assert_eq(m->backend->touched_pages(m->instance, 1, PICA_PAGES_WRITTEN, pages, 2), PICA_OK);
    EXPECT_EQ(m, "MEM-08", (uint32_t)(pages[0] >> ((TEXTURE_ADDRESS - 0x20000000u) / PICA_PAGE_SIZE)), 1);
    machine_reset(m);
    EXPECT_EQ(m, "MEM-08", machine_word(m, TEXTURE_ADDRESS), 0);
    fast_memory_changed(m->instance, 0x1F000000u, 0x1000); /* no window is there */
    EXPECT_EQ(m, "MEM-03", machine_word(m, 0x1F000000u), 0);
}

/* ------------------------------------------------------------------------------------------------------------ key */

static void expect_key(struct machine *m, const char *expected)
{
    char text[KEY_MAX];
    const size_t length = fast_draw_key(m->instance, text, sizeof text);
    cr_expect_str_eq(text, expected, "%s, %s: %s", m->name, m->row, text);
    cr_expect_eq(length, strlen(expected));
}

struct write {
    uint32_t id, value;
};

/* What the probe's pipeline with this source in stage 0 and these writes after it is called. */
struct key_row {
    uint32_t source;        /* enum pica_tev_source */
    struct write writes[4]; /* those with an id */
    const char *key;
};

/* Adding one times the source to zero times the target is copying. */
#define DEFAULT_TARGET " depth=d24s8,always,write color=rgba8 logic=copy"

static const struct key_row key_rows[] = {
    { PICA_TEV_SOURCE_PRIMARY_COLOR, { { 0, 0 } }, "quick shading=color mode=default stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_TEXTURE0,
      { { 0, 0 } },
      "quick shading=texture mode=default texture0=2d stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_TEXTURE0,
      { { PICA_REG_TEXUNIT0_PARAM, 0x2206 } },
      "quick shading=texture mode=default texture0=2d,linear stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_TEXTURE0,
      { { PICA_REG_TEXUNIT0_PARAM, 0x2202 } },
      "quick shading=general mode=default texture0=2d,linear,lod stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_TEXTURE0,
      { { PICA_REG_TEXENV0_SOURCE, 0x00030003 }, { PICA_REG_TEXENV0_COMBINER, 0x00010001 } },
      "quick shading=modulate mode=default texture0=2d stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_TEXTURE0,
      { { PICA_REG_TEXUNIT0_PARAM, 1u << 28 } },
      "quick shading=general mode=default texture0=cube stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_TEXTURE0,
      { { PICA_REG_TEXUNIT0_PARAM, 2u << 28 } },
      "quick shading=general mode=default texture0=shadow-2d stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_TEXTURE0,
      { { PICA_REG_TEXUNIT0_PARAM, 3u << 28 } },
      "quick shading=general mode=default texture0=projection stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_TEXTURE0,
      { { PICA_REG_TEXUNIT0_PARAM, 4u << 28 } },
      "quick shading=general mode=default texture0=shadow-cube stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_TEXTURE0,
      { { PICA_REG_TEXUNIT0_PARAM, 5u << 28 } },
      "quick shading=stages mode=default texture0=constant stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_TEXTURE3,
      { { PICA_REG_TEXUNIT_CONFIG, 1u << 10 } },
      "quick shading=general mode=default texture3=procedural stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_FRAGMENT_PRIMARY,
      { { PICA_REG_LIGHTING_NUM_LIGHTS, 2 }, { PICA_REG_LIGHTING_ENABLE1, 0 } },
      "quick shading=stages mode=default lights=3 stages=1" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_PRIMARY_COLOR,
      { { PICA_REG_TEXENV_UPDATE_BUFFER, PICA_FOG_MODE_FOG } },
      "general mode=default stages=1 fog" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_PRIMARY_COLOR,
      { { PICA_REG_FRAGOP_ALPHA_TEST, 0x800061 }, { PICA_REG_STENCIL_TEST, 0xFF01FF51 } },
      "general mode=default stages=1 alpha-test=greater stencil=less-equal" DEFAULT_TARGET },
    { PICA_TEV_SOURCE_PRIMARY_COLOR,
      { { PICA_REG_DEPTH_COLOR_MASK, 0x0D41 }, { PICA_REG_DEPTHMAP_ENABLE, 0 }, { PICA_REG_SCISSORTEST_MODE, 3 } },
      "general mode=default stages=1 depth=d24s8,less,w-buffer scissor color=rgba8,masked "
      "logic=copy" },
    { PICA_TEV_SOURCE_PRIMARY_COLOR,
      { { PICA_REG_DEPTH_COLOR_MASK, 0xF00 }, { PICA_REG_COLOR_OPERATION, 0 }, { PICA_REG_LOGIC_OP, 5 } },
      "general mode=default stages=1 color=rgba8 logic=copy-inverted" },
    { PICA_TEV_SOURCE_PRIMARY_COLOR,
      { { PICA_REG_BLEND_FUNC, 0x1D7E0201 } },
      "general mode=default stages=1 depth=d24s8,always,write color=rgba8 "
      "rgb=subtract,source-alpha-saturate,one-minus-source-alpha "
      "alpha=reverse-subtract,one-minus-constant-alpha,one" },
    { PICA_TEV_SOURCE_PRIMARY_COLOR,
      { { PICA_REG_DEPTH_COLOR_MASK, 0x1000 } },
      "general mode=default stages=1 depth=d24s8,always,write color=off" },
    { PICA_TEV_SOURCE_PRIMARY_COLOR, { { PICA_REG_DEPTH_COLOR_MASK, 0 } }, "nothing mode=default stages=1 color=off" },
};

static void list_source(struct list *list, const struct key_row *row)
{
    probe_pipeline(list);
    if (row->source == PICA_TEV_SOURCE_TEXTURE0)
        list_texture(list);
    probe_source(list, row->source);
    for (const struct write *write = row->writes; write < row->writes + 4 && write->id != 0; write++)
        list_write(list, write->id, write->value);
}

EACH_INSTRUCTION_SET(fast_embedding, a_draw_has_a_name)
{
    for (size_t row = 0; row < sizeof key_rows / sizeof key_rows[0]; row++) {
        struct list list = { 0 };
        machine_row(m, "row %zu", row);
        expect_key(m, "");
        list_source(&list, &key_rows[row]);
        draw_quad(m, &list);
        expect_key(m, key_rows[row].key);
    }
}

EACH_INSTRUCTION_SET(fast_embedding, a_name_is_cut_to_the_room)
{
    char whole[KEY_MAX], part[KEY_MAX];
    struct list list = probe_list();
    draw_quad(m, &list);
    const size_t length = fast_draw_key(m->instance, whole, sizeof whole);
    for (size_t room = 0; room <= length + 1; room++) {
        memset(part, 'x', sizeof part);
        cr_expect_eq(fast_draw_key(m->instance, part, room), length);
        if (room > 0)
            cr_expect_eq(strlen(part), room - 1);
        cr_expect_arr_eq(part, whole, room > 0 ? room - 1 : 0);
        cr_expect_eq(part[room], 'x');
    }
}
