#include "tests/conformance/lighting_probe.h"

#include "tests/conformance/rows.h"

void studio_dots(struct dots *dots)
{
    static const float quaternions[STUDIO_DOTS][4] = {
        { 0.1f, 0.2f, 0.3f, 0.9f }, { 0, 0, 0, 1 }, { -1, 1, -1, 1 }, { 0.7f, 0, 0, -0.2f }
    };
    static const float views[STUDIO_DOTS][3] = {
        { 0.2f, -0.3f, 1.5f }, { 0, 0, 1 }, { 1, -2, 0.25f }, { -0.3f, 0.4f, -0.9f }
    };
    for (uint32_t i = 0; i < STUDIO_DOTS; i++) {
        struct probe_vertex *const v = dots_add(dots);
        for (uint32_t k = 0; k < 3u; k++) {
            for (uint32_t c = 0; c < 4u; c++)
                v[k].quaternion[c] = quaternions[i][c];
            for (uint32_t c = 0; c < 3u; c++)
                v[k].view[c] = views[i][c];
        }
    }
}

void studio_load(struct machine *m)
{
    for (uint32_t unit = 0; unit < 3u; unit++)
        for (uint32_t n = 0; n < 64u; n++)
            machine_load_word(m, TEXTURE_ADDRESS + 256u * unit + 4u * n, STUDIO_TEXELS[unit]);
}

/* Entry k of table t: value 0x600 + 8 k + 16 t, magnitude (3 k + t) & 0x7FF, negative if k is odd. */
void list_studio_tables(struct list *list)
{
    for (uint32_t t = 0; t < 24u; t++) {
        uint32_t words[256];
        for (uint32_t k = 0; k < 256u; k++)
            words[k] = (0x600u + 8u * k + 16u * t) | (3u * k + t) % 0x800u << 12 | k % 2u << 23;
        list_lighting_table(list, t, words, 256);
    }
}

static void list_studio_units(struct list *list)
{
    for (uint32_t unit = 0; unit < 3u; unit++)
        texture_bind(
            list, &(struct texture){ .unit = unit, .width = 8, .height = 8, .address = TEXTURE_ADDRESS + 256u * unit });
    const uint32_t color = 0xBEA028DC; /* STUDIO_TEXELS[3], R lowest */
    list_proctex_table(list, PICA_PROCTEX_TABLE_COLOR, &color, 1);
    proctex_bind(list, &(struct proctex){ .width = 1 });
    list_write(list, PICA_REG_TEXUNIT_CONFIG, 0x407);
}

static const struct register_write studio_registers[] = {
    { 0x08F, 1 },
    { 0x1C6, 0 },
    { 0x1C0, 5u << 20 | 6u << 10 | 7u },
    { 0x1C2, 0 },
    { 0x1C3, STUDIO_CONFIG0 },
    { 0x1C4, 0 },
    { 0x1D0, 0x00202020 }, /* absolute value off for D1, FR, RG */
    { 0x1D1, STUDIO_SELECT },
    { 0x1D2, 0 },
    { 0x1D9, 0x00000052 },
    { 0x160, 230u << 20 | 200u << 10 | 140u },
    { 0x161, 170u << 20 | 180u << 10 | 220u },
    { 0x162, 250u << 20 | 228u << 10 | 164u },
    { 0x163, 50u << 20 | 80u << 10 | 110u },
    { 0x164, 0x40003C00 }, /* (1, 2, -0.5) */
    { 0x165, 0x0000B800 },
    { 0x166, 500u << 16 | 0x1C18 }, /* (-1000, 500, 1800) */
    { 0x167, 1800 },
    { 0x169, 0x0 },
    { 0x16A, 0x3B000 }, /* bias 1/16, scale 1/8 */
    { 0x16B, 0x3C000 },
    { 0x190, 20u << 20 | 90u << 10 | 30u },
    { 0x191, 50u << 20 | 10u << 10 | 60u },
    { 0x192, 33u << 20 | 66u << 10 | 99u },
    { 0x193, 40u << 20 | 4u << 10 | 14u },
    { 0x194, 0x3800C200 }, /* (-3, 0.5, 2) */
    { 0x195, 0x00004000 },
    { 0x196, 0x1F9C0064 }, /* (100, -100, -2000) */
    { 0x197, 0x1830 },
    { 0x199, 0x3 },
    { 0x19A, 0x3D000 },
    { 0x19B, 0x38000 },
};

void list_studio(struct list *list, uint32_t source)
{
    probe_pipeline(list);
    list_studio_units(list);
    for (size_t i = 0; i < sizeof studio_registers / sizeof studio_registers[0]; i++)
        list_write(list, studio_registers[i].id, studio_registers[i].value);
    probe_source(list, source);
}

static void check_colors(struct machine *m, const struct row *row, uint32_t source, const struct cell *colors)
{
    const struct cell *const writes = &row->cells[0];
    struct dots dots = { .count = 0 };
    studio_dots(&dots);
    struct list list = { .count = 0 };
    list_studio(&list, source);
    for (uint32_t i = 0; i < writes->count; i += 2)
        list_write(&list, writes->numbers[i], writes->numbers[i + 1]);
    dots_draw(m, &list, &dots);
    cr_assert_eq(colors->count, STUDIO_DOTS, "%s", row->label);
    for (uint32_t i = 0; i < STUDIO_DOTS; i++) {
        machine_case(m, "fragment %u, %s", (unsigned)i,
                     source == PICA_TEV_SOURCE_FRAGMENT_PRIMARY ? "primary" : "secondary");
        cr_expect(machine_equal(m, row->label, "colour (rgba)", dot_pixel(m, i), colors->numbers[i]), "%s", m->message);
    }
}

static void check_row(struct machine *m, const struct row *row)
{
    check_colors(m, row, PICA_TEV_SOURCE_FRAGMENT_PRIMARY, &row->cells[1]);
    check_colors(m, row, PICA_TEV_SOURCE_FRAGMENT_SECONDARY, &row->cells[2]);
}

void check_studio(struct machine *m)
{
    machine_reset(m);
    studio_load(m);
    struct list tables = { .count = 0 };
    list_studio_tables(&tables);
    machine_submit(m, &tables);
    each_row(m, "lighting", check_row);
}
