/* TEV-01, TEV-02, TEV-04, TEV-06, TEV-09, TEV-12, TEV-14, TEV-16: how the six stages hang together, and one alone. */
#include "tests/conformance/fragment_probe.h"

#include <string.h>

/* The five words of a stage. */
static void list_stage(struct list *list, uint32_t stage, uint32_t sources, uint32_t operands, uint32_t modes,
                       uint32_t constant)
{
    const uint32_t words[5] = { sources, operands, modes, constant, 0 };
    list_write_many(list, pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE), true, words, 5);
}

static void draw_one(struct machine *m, struct list *list)
{
    struct dots dots = { .count = 0 };
    probe_color(dots_add(&dots), 3, 200, 100, 50, 128);
    dots_draw(m, list, &dots);
}

/* ---------------------------------------------------------------------------------------------- order (TEV-04, 14) */

EACH_MACHINE(combiner, TEV_04_all_six_stages_run)
{
    /* Stage s adds 1 << s to what the stage before left: all six bits. Any other order or a skipped stage loses
     * some. */
    struct list list = probe_list();
    for (uint32_t stage = 1; stage < 6u; stage++)
        list_stage(&list, stage, 0x00EF00EF, 0, 0x00020002, 0x01010101u << stage);
    /* Stage 0: replace by its constant */
    list_stage(&list, 0, 0x000E000E, 0, 0, 0x01010101);
    draw_one(m, &list);
    EXPECT_DOT(m, "TEV-04, TEV-14", 0, 63, 63, 63, 63);
}

/* TEV-14: what the next stage sees is scaled. */
EACH_MACHINE(combiner, TEV_14_previous_is_the_scaled_output)
{
    /* Doubling and adding alternate: ((((10 + 1) * 2 + 1) * 2) + 1) * 2 = 94; stages 1, 3, 5 only scale. */
    struct list list = probe_list();
    for (uint32_t stage = 0; stage < 6u; stage++) {
        list_stage(&list, stage, stage % 2u ? 0x000F000Fu : 0x00EF00EFu, 0, stage % 2u ? 0u : 0x00020002u, 0x01010101);
        list_write(&list, pica_reg_texenv(stage, PICA_REG_TEXENV0_SCALE), stage % 2u ? 0x00010001u : 0u);
    }
    list_stage(&list, 0, 0x000E000E, 0, 0, 0x0B0B0B0B);
    draw_one(m, &list);
    EXPECT_DOT(m, "TEV-04, TEV-14", 0, 94, 94, 94, 94);
}

/* A stage that replaces by the previous output may still scale: RGB and alpha apart, by 1, 2, 4, and 3 as 1. */
EACH_MACHINE(combiner, TEV_13_a_stage_that_passes_the_previous_output_on_still_scales_it)
{
    static const uint32_t factors[4] = { 1, 2, 4, 1 };
    for (uint32_t stage = 1; stage < 6u; stage++)
        for (uint32_t rgb = 0; rgb < 4u; rgb++)
            for (uint32_t alpha = 0; alpha < 4u; alpha++) {
                machine_row(m, "stage %u, scales %u and %u", (unsigned)stage, (unsigned)rgb, (unsigned)alpha);
                struct list list = probe_list();
                list_stage(&list, 0, 0x000E000E, 0, 0, 0x281E140A); /* (10, 20, 30, 40) */
                list_write(&list, pica_reg_texenv(stage, PICA_REG_TEXENV0_SCALE), alpha << 16 | rgb);
                draw_one(m, &list);
                EXPECT_DOT(m, "TEV-13", 0, 10 * factors[rgb], 20 * factors[rgb], 30 * factors[rgb],
                           40 * factors[alpha]);
            }
}

EACH_MACHINE(combiner, TEV_04_rgb_and_alpha_read_the_state_before_the_stage)
{
    /* Stage 0: (10, 20, 30, 40). Stage 1: RGB = alpha of previous, alpha = red of previous. */
    struct list list = probe_list();
    list_stage(&list, 0, 0x000E000E, 0, 0, 0x281E140A);
    list_stage(&list, 1, 0x000F000F, 0x00002002, 0, 0);
    draw_one(m, &list);
    EXPECT_DOT(m, "TEV-04", 0, 40, 40, 40, 10);
}

/* --------------------------------------------------------------------------------- previous in stage 0 (TEV-06, 16) */

/* Stage 0 alone; primary colour (200, 100, 50, 128), constant (1, 2, 3, 4). */
static const struct {
    const char *label;
    uint32_t sources, operands, modes;
    uint32_t rgba;
} first_rows[] = {
    { "TEV-16: (15, 15, 0), operands 0, 1", 0x000000FF, 0x00000010, 1, 0x2B3C2880 }, /* 43, 60, 40 */
    { "position 0 reads position 2", 0x0000000F, 0, 0, 0xC8643280 },
    { "position 0, constant in position 2", 0x00000E0F, 0, 0, 0x01020380 },
    { "position 1 reads position 2", 0x00000EF0, 0, 2, 0xC9663580 },
    { "position 1 is not position 0", 0x00000EF0, 0, 0, 0xC8643280 },
    { "position 2 is 0", 0x00000FE0, 0, 4, 0x01020380 },                    /* interpolate: b */
    { "position 2 with operand ~", 0x00000FE0, 0x00000100, 4, 0xC8643280 }, /* a */
    { "all three", 0x00000FFF, 0, 2, 0x00000080 },
    { "all three, operand ~", 0x00000FFF, 0x00000001, 0, 0xFFFFFF80 },
    { "the operand of position 0: alpha", 0x0000000F, 0x00000002, 0, 0x80808080 },
    { "not the operand of position 2", 0x0000000F, 0x00000200, 0, 0xC8643280 },
    { "buffer in position 2: 0", 0x00000D0F, 0, 0, 0x00000080 },
    { "reserved source in position 2: 0", 0x0000070F, 0, 0, 0x00000080 },
    { "alpha: position 0 reads position 2", 0x0E0F0000, 0, 0, 0xC8643204 },
    { "alpha: position 1 reads position 2", 0x0EF00000, 0, 0x00020000, 0xC8643284 },
    { "alpha: position 2 is 0", 0x0FE00000, 0, 0x00040000, 0xC8643204 },
    { "alpha: all three", 0x0FFF0000, 0, 0, 0xC8643200 },
    { "alpha does not look at rgb position 2", 0x000F0E00, 0, 0, 0xC8643280 },
    { "rgb does not look at alpha position 2", 0x0E00000F, 0, 0, 0xC8643280 },
    { "alpha operand red after the redirection", 0x0E0F0000, 0x00002000, 0, 0xC8643201 },
};

EACH_MACHINE(combiner, TEV_06_previous_in_stage_0_is_the_source_of_position_2)
{
    for (size_t i = 0; i < sizeof first_rows / sizeof first_rows[0]; i++) {
        machine_row(m, "%s", first_rows[i].label);
        struct list list = probe_list();
        list_stage(&list, 0, first_rows[i].sources, first_rows[i].operands, first_rows[i].modes, 0x04030201);
        list_write(&list, PICA_REG_TEXENV_BUFFER_COLOR, 0x99999999); /* stage 0 never sees it */
        draw_one(m, &list);
        EXPECT_EQ(m, "TEV-06, TEV-16", dot_pixel(m, 0), first_rows[i].rgba);
    }
}

EACH_MACHINE(combiner, TEV_06_later_stages_have_a_previous_one)
{
    /* In stages 1-5 source 15 is the output before, in every position. */
    for (uint32_t stage = 1; stage < 6u; stage++) {
        machine_row(m, "stage %u", (unsigned)stage);
        struct list list = probe_list();
        list_stage(&list, 0, 0x000E000E, 0, 0, 0x281E140A);
        list_stage(&list, stage, 0x0EFF0EFF, 0, 0x00020002, 0xFFFFFFFF);
        draw_one(m, &list);
        EXPECT_DOT(m, "TEV-06", 0, 20, 40, 60, 80);
    }
}

/* -------------------------------------------------------------------------------------------------- buffer (TEV-12) */

EACH_MACHINE(combiner, TEV_12_the_buffer_is_one_stage_late)
{
    /*
     * Stage k passes the buffer (13), the stages before it their constants 10 * (s + 1), those after it the previous
     * one. What
     * stage k reads: 0 for k = 0; else the constant of the newest stage s <= k - 2 (and s <= 3) whose update bit is
     * set, else
     * register 0FD (99).
     */
    for (uint32_t k = 0; k < 6u; k++)
        for (uint32_t bits = 0; bits < 16u; bits++) {
            const uint32_t alpha_bits = bits ^ 0xFu;
            machine_row(m, "stage %u reads, rgb updates %X, alpha updates %X", (unsigned)k, (unsigned)bits,
                        (unsigned)alpha_bits);
            struct list list = probe_list();
            for (uint32_t stage = 0; stage < 6u; stage++)
                list_stage(&list, stage,
                           stage < k    ? 0x000E000E
                           : stage == k ? 0x000D000D
                                        : 0x000F000F,
                           0, 0, 0x0A0A0A0Au * (stage + 1u));
            list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, bits << 8 | alpha_bits << 12);
            list_write(&list, PICA_REG_TEXENV_BUFFER_COLOR, 0x63636363);
            draw_one(m, &list);
            uint32_t rgb = k == 0u ? 0 : 99, alpha = rgb;
            for (uint32_t s = 0; s < 4u && s + 2u <= k; s++) {
                rgb = bits >> s & 1u ? 10u * (s + 1u) : rgb;
                alpha = alpha_bits >> s & 1u ? 10u * (s + 1u) : alpha;
            }
            EXPECT_DOT(m, "TEV-12", 0, rgb, rgb, rgb, alpha);
        }
}

EACH_MACHINE(combiner, TEV_14_the_buffer_gets_the_scaled_output)
{
    struct list list = probe_list();
    list_stage(&list, 0, 0x000E000E, 0, 0, 0x281E140A);
    list_write(&list, PICA_REG_TEXENV0_SCALE, 0x00020001); /* rgb x2, alpha x4 */
    list_stage(&list, 2, 0x000D000D, 0, 0, 0);
    list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, 0x1100);
    draw_one(m, &list);
    EXPECT_DOT(m, "TEV-14, TEV-12", 0, 20, 40, 60, 160);
}

/* ------------------------------------------------------------------------------------ what follows (TEV-01, TEV-02) */

EACH_MACHINE(combiner, TEV_01_fog_acts_in_fragment_mode_0_only)
{
    /* Fog factor 0 with black fog would make green 0; shadow mode stores the intensity 64 / (1 + 0 * x) (SHW-02). */
    probe_clear_color(m, 255, 255, 255, 255);
    struct list list = probe_list();
    list_stage(&list, 0, 0x000E000E, 0, 0, 0x80804080);
    list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, 5);
    list_write(&list, PICA_REG_COLOR_OPERATION, 0x00E40003);
    list_write(&list, PICA_REG_FRAGOP_SHADOW, 0x00003C00);
    draw_one(m, &list);
    EXPECT_DOT(m, "TEV-01", 0, 64, 255, 255, 255);
    /* The same in mode 0: fog makes r, g, b 0. */
    struct list normal = { .count = 0 };
    list_write(&normal, PICA_REG_COLOR_OPERATION, 0x00E40100);
    draw_one(m, &normal);
    EXPECT_DOT(m, "TEV-01", 0, 0, 0, 0, 128);
}

EACH_MACHINE(combiner, TEV_01_the_alpha_test_sees_the_same_alpha_before_and_after_fog)
{
    /* Alpha 128 > 127 passes with and without fog; fog leaves alpha alone. */
    for (uint32_t fog = 0; fog < 2u; fog++)
        for (uint32_t reference = 127; reference < 129u; reference++) {
            machine_row(m, "fog %u, reference %u", (unsigned)fog, (unsigned)reference);
            probe_clear_color(m, 9, 9, 9, 9);
            struct list list = probe_list();
            list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, fog ? 5 : 0);
            list_write(&list, PICA_REG_FRAGOP_ALPHA_TEST, 1u | 6u << 4 | reference << 8);
            draw_one(m, &list);
            EXPECT_EQ(m, "TEV-01", dot_pixel(m, 0), reference == 128u ? 0x09090909u : fog ? 0x00000080u : 0xC8643280u);
        }
}

EACH_MACHINE(combiner, TEV_02_sampling_lighting_and_combining_change_no_state)
{
    /* Registers and tables after a draw that samples, lights and combines are those before it. */
    uint32_t words[256];
    for (uint32_t i = 0; i < 256u; i++)
        words[i] = 0x010203u * i;
    struct list list = probe_list();
    list_lighting_table(&list, 0, words, 256);
    list_fog_table(&list, words, 128);
    list_proctex_meter(&list);
    list_proctex_ramps(&list);
    proctex_bind(&list, &(struct proctex){ .filter = 5, .width = 128, .max_lod = 3, .noise_enable = 1 });
    list_stage(&list, 0, 0x01200126, 0, 0x00020002, 0x01010101);
    list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, 0xFF05);
    list_write(&list, PICA_REG_LIGHTING_ENABLE0, 1);
    list_write(&list, PICA_REG_LIGHTING_ENABLE1, 0);
    machine_submit(m, &list);
    const struct pica_state before = *machine_state(m);
    struct list draw = { .count = 0 };
    draw_one(m, &draw);
    const struct pica_state *const after = machine_state(m);
    EXPECT(m, "TEV-02", memcmp(&before.tables, &after->tables, sizeof before.tables) == 0);
    for (uint32_t id = 0x080; id < 0x200u; id++) {
        machine_case(m, "register %03X", (unsigned)id);
        EXPECT_EQ(m, "TEV-02", after->registers[id], before.registers[id]);
    }
}

/* TEV-09, one stage with a texture, whole blocks of pixels. The texel is 68, 51, 34, 17, primary 200, 100, 50, 128. */
EACH_MACHINE(combiner, TEV_09_one_stage_with_a_texture)
{
    static const struct {
        const char *label;
        uint32_t mode, first, second;
        uint32_t rgba;
    } rows[] = {
        { "texture + primary", PICA_TEV_MODE_ADD, PICA_TEV_SOURCE_TEXTURE0, PICA_TEV_SOURCE_PRIMARY_COLOR, 0xFF975491 },
        { "primary - texture", PICA_TEV_MODE_SUBTRACT, PICA_TEV_SOURCE_PRIMARY_COLOR, PICA_TEV_SOURCE_TEXTURE0,
          0x8431106F },
        { "texture x constant", PICA_TEV_MODE_MODULATE, PICA_TEV_SOURCE_TEXTURE0, PICA_TEV_SOURCE_CONSTANT,
          0x44330011 },
        { "constant, not the texture", PICA_TEV_MODE_REPLACE, PICA_TEV_SOURCE_CONSTANT, PICA_TEV_SOURCE_TEXTURE0,
          0xFFFF00FF },
    };
    uint32_t texels[64];
    for (uint32_t i = 0; i < 64; i++)
        texels[i] = 0x44332211;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct list list = { .count = 0 };
        struct probe_vertex quad[4];
        const uint32_t sources = rows[i].first | rows[i].second << 4;
        machine_row(m, "%s", rows[i].label);
        machine_load_words(m, TEXTURE_ADDRESS, texels, 64);
        probe_quad(quad);
        probe_color(quad, 4, 200, 100, 50, 128);
        probe_pipeline(&list);
        texture_bind(&list, &(struct texture){ .width = 8, .height = 8 });
        list_write(&list, PICA_REG_TEXENV0_SOURCE, sources | sources << 16);
        list_write(&list, PICA_REG_TEXENV0_COMBINER, rows[i].mode | rows[i].mode << 16);
        list_write(&list, PICA_REG_TEXENV0_COLOR, 0xFF00FFFF);
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        for (uint32_t pixel = 0; pixel < 64; pixel += 9)
            EXPECT_EQ(m, "TEV-09", probe_pixel(m, pixel % 8, pixel / 8), rows[i].rgba);
    }
}
