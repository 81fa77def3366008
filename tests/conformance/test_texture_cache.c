/*
 * TEX-14, TEX-20, TEX-30, MEM-05: what a unit saw before does not matter: memory, registers and tables change, results
 * follow.
 */
#include "tests/conformance/fragment_probe.h"

#include <string.h>

static const uint32_t IMAGE = 0x18020000u;  /* 8x8 RGBA8 */
static const uint32_t SOURCE = 0x18021000u; /* 256 bytes to copy from */

static void sample_into(struct list *list, uint32_t format)
{
    texture_bind(list, &(struct texture){ .format = format, .width = 8, .height = 8, .address = IMAGE });
    list_write(list, PICA_REG_COLORBUFFER_LOC, COLOR_ADDRESS >> 3);
    list_write(list, PICA_REG_DEPTHBUFFER_LOC, DEPTH_ADDRESS >> 3);
}

/* The texel at the centre of dot 0's coordinates: number 42, like every other one here. */
static uint32_t sampled(struct machine *m, uint32_t format)
{
    struct dots dots = dots_one();
    struct list list = probe_list();
    sample_into(&list, format);
    dots_draw(m, &list, &dots);
    return dot_pixel(m, 0);
}

/* ---------------------------------------------------------------------------------------- every way to write memory */

/* Writes `word` to all 64 texels of IMAGE. */
typedef void (*image_writer)(struct machine *m, uint32_t word);

static void load_words(struct machine *m, uint32_t address, uint32_t word)
{
    uint32_t words[64];
    for (uint32_t i = 0; i < 64u; i++)
        words[i] = word;
    machine_load_words(m, address, words, 64);
}

static void write_by_load(struct machine *m, uint32_t word)
{
    load_words(m, IMAGE, word);
}

static void write_by_fill(struct machine *m, uint32_t word)
{
    machine_fill(m, 0, IMAGE, IMAGE + 256u, word, 0x201);
}

static void write_by_fill_of_unit_1(struct machine *m, uint32_t word)
{
    machine_fill(m, 1, IMAGE, IMAGE + 256u, word, 0x201);
}

static void write_by_texture_copy(struct machine *m, uint32_t word)
{
    load_words(m, SOURCE, word);
    machine_transfer(m, &(struct transfer){ .in = SOURCE, .out = IMAGE, .flags = 8, .copy_size = 256 });
}

static void write_by_display_transfer(struct machine *m, uint32_t word)
{
    load_words(m, SOURCE, word);
    machine_transfer(
        m, &(struct transfer){ .in = SOURCE, .out = IMAGE, .dim = 0x00080008, .indim = 0x00080008, .flags = 2 });
}

static void write_by_drawing(struct machine *m, uint32_t word)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, word >> 24, word >> 16 & 0xFFu, word >> 8 & 0xFFu, word & 0xFFu);
    struct list list = probe_list();
    list_write(&list, PICA_REG_COLORBUFFER_LOC, IMAGE >> 3);
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
}

EACH_MACHINE(texture, TEX_14_texels_follow_every_kind_of_write)
{
    static const struct {
        const char *label;
        image_writer write;
    } writers[] = {
        { "load", write_by_load },
        { "fill", write_by_fill },
        { "fill by unit 1", write_by_fill_of_unit_1 },
        { "texture copy", write_by_texture_copy },
        { "display transfer", write_by_display_transfer },
        { "drawing", write_by_drawing },
    };
    static const uint32_t words[] = { 0x11223344, 0x55667788, 0x11223344, 0x99AABBCC };
    for (size_t first = 0; first < sizeof writers / sizeof writers[0]; first++)
        for (size_t then = 0; then < sizeof writers / sizeof writers[0]; then++) {
            machine_reset(m);
            for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
                machine_case(m, "%s, then %s, write %u", writers[first].label, writers[then].label, (unsigned)i);
                (i % 2u ? writers[then] : writers[first]).write(m, words[i]);
                EXPECT_EQ(m, "TEX-14, MEM-05", sampled(m, PICA_TEXTURE_FORMAT_RGBA8), words[i]);
            }
        }
}

EACH_MACHINE(texture, TEX_14_single_bytes_are_seen)
{
    /* One byte at a time of texel 42, between draws; the other texels keep theirs. */
    load_words(m, IMAGE, 0);
    for (uint32_t byte = 0; byte < 4u; byte++) {
        machine_case(m, "byte %u", (unsigned)byte);
        EXPECT_EQ(m, "TEX-14", sampled(m, PICA_TEXTURE_FORMAT_RGBA8), 0x44332211u & ((1u << 8u * byte) - 1u));
        const uint8_t value = (uint8_t)(0x11u * (byte + 1u));
        machine_load(m, IMAGE + 4u * 42u + byte, &value, 1);
    }
    EXPECT_EQ(m, "TEX-14", sampled(m, PICA_TEXTURE_FORMAT_RGBA8), 0x44332211);
}

EACH_MACHINE(texture, TEX_20_the_same_bytes_in_other_formats)
{
    /* The same bytes 11 22 33 44 .. read in turn as other formats: texel 42 by its own size. */
    for (uint32_t i = 0; i < 64u; i++)
        texel_put(m, IMAGE, i, 4, 0x44332211u);
    static const struct {
        uint32_t format, rgba;
    } rows[] = {
        { 0, 0x44332211 }, { 1, 0x114433FF },                                        /* bytes 126-128: 33 44 11 */
        { 7, 0x333333FF },                                                           /* byte 42: 33 */
        { 0, 0x44332211 }, { 5, 0x22222211 },                                        /* bytes 84, 85: 11 22 */
        { 8, 0x00000033 }, { 6, 0x221100FF }, { 4, 0x22221111 }, { 10, 0x222222FF }, /* byte 21: 22 */
        { 0, 0x44332211 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "format %u", (unsigned)rows[i].format);
        EXPECT_EQ(m, "TEX-20", sampled(m, rows[i].format), rows[i].rgba);
    }
}

/* ------------------------------------------------------------------------------ inside one list: draw, change, draw */

enum {
    STALE_WRITES = 5
};

struct change_row {
    const char *label;
    struct register_write before[STALE_WRITES], change[STALE_WRITES]; /* end at id 0 */
    uint32_t first, second;                                           /* rgba of the dots before and after the change */
};

/*
 * Unit 0: I8 8x8 with all texels 0x64 and border 44332211, coordinates (2, 0.5): clamped to the edge. Unit 3: colour
 * entry 0 = (10, 20, 30, 40), width 1. Lighting: one directional light along the normal, everything disabled, diffuse
 * (100, 50, 25). Fog colour (1, 2, 3), table zero. Stage 0 passes the primary colour (200, 100, 50, 128). Depth 0.5.
 */
static void list_scene(struct list *list)
{
    probe_pipeline(list);
    const uint32_t color = 0x281E140A;
    list_proctex_table(list, PICA_PROCTEX_TABLE_COLOR, &color, 1);
    proctex_bind(list, &(struct proctex){ .width = 1 });
    texture_bind(
        list, &(struct texture){
                  .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8, .border = 0x44332211, .address = IMAGE });
    static const struct register_write writes[] = {
        { 0x080, 0x401 }, { 0x08F, 1 },    { 0x1C6, 0 },   { 0x142, 0x0640C819 }, { 0x145, 0x3C00 },
        { 0x149, 1 },     { 0x1C3, 0x80 }, { 0x1C4, ~0u }, { 0x0E1, 0x030201 },   { 0x0C0, 0 },
    };
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        list_write(list, writes[i].id, writes[i].value);
}

static const struct change_row change_rows[] = {
    { "wrap", { { 0x0C0, 0x00030003 } }, { { 0x083, 0x1000 } }, 0x646464FF, 0x11223344 },
    { "border", { { 0x0C0, 0x00030003 }, { 0x083, 0x1000 } }, { { 0x081, 0x88776655 } }, 0x11223344, 0x55667788 },
    { "format", { { 0x0C0, 0x00030003 } }, { { 0x08E, 8 } }, 0x646464FF, 0x00000064 },
    { "address", { { 0x0C0, 0x00030003 } }, { { 0x085, 0x18022000 >> 3 } }, 0x646464FF, 0x323232FF },
    { "size", { { 0x0C0, 0x00030003 } }, { { 0x082, 0 } }, 0x646464FF, 0x000000FF },
    { "min level", { { 0x0C0, 0x00030003 }, { 0x084, 0 } }, { { 0x084, 0x01010000 } }, 0x646464FF, 0x7D7D7DFF },
    { "enable", { { 0x0C0, 0x00030003 } }, { { 0x080, 0x400 } }, 0x646464FF, 0x00000000 },
    { "type", { { 0x0C0, 0x00030003 } }, { { 0x083, 5u << 28 } }, 0x646464FF, 0x00000000 },
    { "proctex colour",
      { { 0x0C0, 0x00060006 } },
      { { 0x0AF, 0x400 }, { 0x0B0, 0x04030201 } },
      0x0A141E28,
      0x01020304 },
    { "proctex difference",
      { { 0x0C0, 0x00060006 }, { 0x0AC, 0x1001 }, { 0x0AF, 0x200 }, { 0x0B0, 0x800 } },
      { { 0x0AF, 0x500 }, { 0x0B0, 0x0A0A0A0A } },
      0x0A141E28,
      0x141E2832 },
    { "proctex map",
      { { 0x0C0, 0x00060006 }, { 0x0AC, 0x1000 } },
      { { 0x0AF, 0x200 }, { 0x0B0, 0xFFF } },
      0x0A141E28,
      0x00000000 },
    { "proctex offset", { { 0x0C0, 0x00060006 } }, { { 0x0AD, 1 } }, 0x0A141E28, 0x00000000 },
    { "stage source", { { 0 } }, { { 0x0C0, 0x000E000E }, { 0x0C3, 0x44332211 } }, 0xC8643280, 0x11223344 },
    { "stage constant",
      { { 0x0C0, 0x000E000E }, { 0x0C3, 0x44332211 } },
      { { 0x0C3, 0x88776655 } },
      0x11223344,
      0x55667788 },
    { "stage operand", { { 0 } }, { { 0x0C1, 0x1001 } }, 0xC8643280, 0x379BCD7F },
    { "stage mode", { { 0 } }, { { 0x0C2, 0x00010001 } }, 0xC8643280, 0x9C270940 },
    { "stage 5 scale", { { 0 } }, { { 0x0FC, 0x00000001 } }, 0xC8643280, 0xFFC86480 },
    { "buffer colour", { { 0x0C8, 0x000D000D } }, { { 0x0FD, 0x44332211 } }, 0x00000000, 0x11223344 },
    { "buffer update", { { 0x0D0, 0x000D000D } }, { { 0x0E0, 0x1100 } }, 0x00000000, 0xC8643280 },
    { "fog mode", { { 0 } }, { { 0x0E0, 5 } }, 0xC8643280, 0x01020380 },
    { "fog colour", { { 0x0E0, 5 } }, { { 0x0E1, 0x060504 } }, 0x01020380, 0x04050680 },
    { "fog table", { { 0x0E0, 5 } }, { { 0x0E6, 64 }, { 0x0E8, 2047u << 13 } }, 0x01020380, 0xC8643280 },
    { "light off", { { 0x0C0, 0x00010001 } }, { { 0x1C6, 1 } }, 0x643219FF, 0x00000000 },
    { "light colour", { { 0x0C0, 0x00010001 } }, { { 0x142, 0x01400805 } }, 0x643219FF, 0x140205FF },
    { "global ambient", { { 0x0C0, 0x00010001 } }, { { 0x1C0, 0x00A02805 } }, 0x643219FF, 0x6E3C1EFF },
    { "light table",
      { { 0x0C0, 0x00020002 }, { 0x140, 0x06400019 }, { 0x1C4, 0xFFFEFFFF } },
      { { 0x1C5, 0x0FF }, { 0x1C8, 0xFFF } },
      0x000000FF,
      0x640019FF },
    { "light permutation", { { 0x0C0, 0x00010001 } }, { { 0x1D9, 1 } }, 0x643219FF, 0x000000FF },
    { "light position", { { 0x0C0, 0x00010001 } }, { { 0x145, 0xBC00 } }, 0x643219FF, 0x000000FF },
};

static void list_some(struct list *list, const struct register_write *writes)
{
    for (size_t i = 0; i < STALE_WRITES && writes[i].id != 0u; i++)
        list_write(list, writes[i].id, writes[i].value);
}

EACH_MACHINE(texture, TEX_20_each_draw_of_a_list_sees_its_own_registers_and_tables)
{
    for (size_t i = 0; i < sizeof change_rows / sizeof change_rows[0]; i++) {
        const struct change_row *const row = &change_rows[i];
        machine_reset(m);
        load_pattern(m, IMAGE, 64, 0, 0x64);
        load_pattern(m, IMAGE + 64u, 16, 0, 0x7D); /* level 1 */
        load_pattern(m, 0x18022000, 64, 0, 0x32);
        struct dots dots = { .count = 0 };
        for (uint32_t k = 0; k < 3u; k++) {
            struct probe_vertex *const v = dots_add(&dots);
            probe_color(v, 3, 200, 100, 50, 128);
            probe_texcoord(v, 3, 2.0f, 0.5f);
        }
        struct list list = { .count = 0 };
        list_scene(&list);
        list_some(&list, row->before);
        probe_load_vertices(m, dots.vertices, 9);
        list_draw(&list, 3);
        list_write(&list, PICA_REG_VERTEX_OFFSET, 3);
        list_write(&list, PICA_REG_DRAWARRAYS, 1); /* nothing changed in between */
        list_some(&list, row->change);
        list_write(&list, PICA_REG_VERTEX_OFFSET, 6);
        list_write(&list, PICA_REG_DRAWARRAYS, 1);
        machine_submit(m, &list);
        for (uint32_t k = 0; k < 3u; k++) {
            machine_case(m, "%s, draw %u", row->label, (unsigned)k);
            EXPECT_EQ(m, "TEX-20", dot_pixel(m, k), k < 2u ? row->first : row->second);
        }
    }
}

/* --------------------------------------------------------------------------- inside one list: render, then sample */

EACH_MACHINE(texture, TEX_30_a_later_batch_of_the_list_samples_what_an_earlier_one_drew)
{
    /* One list: sample IMAGE, draw into IMAGE, sample it again, draw another colour, sample: dots 0, 1, 2. */
    for (uint32_t depth = 0; depth < 2u; depth++) {
        machine_reset(m);
        load_words(m, IMAGE, 0x11223344);
        struct dots dots = { .count = 0 };
        for (uint32_t k = 0; k < 3u; k++)
            (void)dots_add(&dots);
        struct probe_vertex quads[2][4];
        probe_quad(quads[0]);
        probe_quad(quads[1]);
        probe_color(quads[0], 4, 0x55, 0x66, 0x77, 0x88);
        probe_color(quads[1], 4, 0x99, 0xAA, 0xBB, 0xCC);
        for (uint32_t k = 0; k < 4u; k++)
            quads[1][k].position[2] = -0.25f; /* depth 0x3FFFFF */
        struct probe_vertex all[9 + 8];
        memcpy(all, dots.vertices, 9 * sizeof all[0]);
        memcpy(all + 9, quads, 8 * sizeof all[0]);
        probe_load_vertices(m, all, 17);
        struct list list = probe_list();
        for (uint32_t k = 0; k < 3u; k++) {
            sample_into(&list, PICA_TEXTURE_FORMAT_RGBA8);
            list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_LIST << 8);
            list_write(&list, PICA_REG_RESTART_PRIMITIVE, 1);
            list_write(&list, PICA_REG_VERTEX_OFFSET, 3u * k);
            list_draw(&list, 3);
            if (k == 2u)
                break;
            list_write(&list, PICA_REG_TEXUNIT_CONFIG, 0);
            probe_source(&list, PICA_TEV_SOURCE_PRIMARY_COLOR);
            list_write(&list, depth ? PICA_REG_DEPTHBUFFER_LOC : PICA_REG_COLORBUFFER_LOC, IMAGE >> 3);
            if (depth)
                list_write(&list, PICA_REG_COLORBUFFER_LOC, 0x18022000 >> 3);
            list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
            list_write(&list, PICA_REG_RESTART_PRIMITIVE, 1);
            list_write(&list, PICA_REG_VERTEX_OFFSET, 9u + 4u * k);
            list_draw(&list, 4);
        }
        machine_submit(m, &list);
        /* A depth write leaves byte 3, the red of RGBA8, alone (FBF-32). */
        static const uint32_t expected[2][3] = { { 0x11223344, 0x55667788, 0x99AABBCC },
                                                 { 0x11223344, 0x117FFFFF, 0x113FFFFF } };
        for (uint32_t k = 0; k < 3u; k++) {
            machine_case(m, "%s, sample %u", depth ? "depth" : "colour", (unsigned)k);
            EXPECT_EQ(m, "TEX-30, MEM-05", dot_pixel(m, k), expected[depth][k]);
        }
    }
}
