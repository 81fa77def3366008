#include "tests/exhaustive/exhaustive.h"

#include "pica/enums.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool exhaustive_full(void)
{
    const char *const text = getenv("PICAFUZZ_EXHAUSTIVE");
    return text != NULL && strcmp(text, "full") == 0;
}

uint32_t exhaustive_sample_bits(void)
{
    if (!exhaustive_full())
        return 16;
    const char *const text = getenv("PICAFUZZ_EXHAUSTIVE_SAMPLES");
    if (text == NULL)
        return 24;
    const long bits = strtol(text, NULL, 10);
    cr_assert(bits >= 16 && bits <= 32, "PICAFUZZ_EXHAUSTIVE_SAMPLES is 16..32");
    return (uint32_t)bits;
}

uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    return x ^ x >> 16;
}

/* --------------------------------------------------------------------------------------------------------- reports */

enum {
    REPORTED = 5
};

void tally_compare(struct tally *tally, uint32_t got, uint32_t expected, const char *input, ...)
{
    tally->tried++;
    if (got == expected)
        return;
    tally->wrong++;
    if (tally->wrong > REPORTED)
        return;
    va_list arguments;
    va_start(arguments, input);
    char text[128];
    (void)vsnprintf(text, sizeof text, input, arguments);
    va_end(arguments);
    cr_expect(false, "[%s] %s: %s: %s: got 0x%08X, expected 0x%08X", tally->m->name, tally->rule, tally->m->row, text,
              (unsigned)got, (unsigned)expected);
}

void tally_end(const struct tally *tally, uint64_t least)
{
    cr_expect(tally->wrong == 0, "[%s] %s: %llu of %llu are wrong", tally->m->name, tally->rule,
              (unsigned long long)tally->wrong, (unsigned long long)tally->tried);
    cr_expect(tally->tried >= least, "[%s] %s: only %llu inputs tried", tally->m->name, tally->rule,
              (unsigned long long)tally->tried);
    (void)printf("%-12s %-28s %12llu tried, %llu wrong, %llu skipped\n", tally->m->name, tally->rule,
                 (unsigned long long)tally->tried, (unsigned long long)tally->wrong,
                 (unsigned long long)tally->ambiguous);
    (void)fflush(stdout);
}

/* --------------------------------------------------------------------------------------------------------- picture */

void square_each(machine_test test)
{
    static const struct pica_window windows[2] = { { 0x18000000u, 0x80000u }, { 0x20000000u, 0x200000u } };
    struct pica_setup setup = machine_default_setup();
    setup.windows = windows;
    setup.window_count = 2;
    machine_each_with(&setup, test);
}

/* FBF-09: R is the highest byte. Row 0 is y = 0 (FBF-06), or in a texture the last row is (TEX-21). */
static void load(struct machine *m, uint32_t address, const struct square *contents, bool upside_down)
{
    uint8_t *const bytes = malloc(SQUARE_BYTES);
    cr_assert_not_null(bytes);
    for (uint32_t y = 0; y < SQUARE; y++)
        for (uint32_t x = 0; x < SQUARE; x++) {
            const uint32_t n = model_texel_number(x, upside_down ? SQUARE - 1u - y : y, SQUARE);
            for (uint32_t c = 0; c < 4u; c++)
                bytes[4u * n + 3u - c] = contents->pixels[y * SQUARE + x].c[c];
        }
    machine_load(m, address, bytes, SQUARE_BYTES);
    free(bytes);
}

void square_load_texture(struct machine *m, uint32_t unit, const struct square *contents)
{
    load(m, SQUARE_TEXTURE + unit * SQUARE_BYTES, contents, true);
}

void square_load_target(struct machine *m, const struct square *contents)
{
    load(m, COLOR_ADDRESS, contents, false);
}

void square_format(struct list *list, uint32_t unit, uint32_t format)
{
    static const uint32_t first[3] = { PICA_REG_TEXUNIT0_BORDER_COLOR, PICA_REG_TEXUNIT1_BORDER_COLOR,
                                       PICA_REG_TEXUNIT2_BORDER_COLOR };
    static const uint32_t format_id[3] = { PICA_REG_TEXUNIT0_TYPE, PICA_REG_TEXUNIT1_TYPE, PICA_REG_TEXUNIT2_TYPE };
    const uint32_t words[5] = { 0, (uint32_t)SQUARE << 16 | SQUARE, 0, 0, (SQUARE_TEXTURE + unit * SQUARE_BYTES) >> 3 };
    list_write_many(list, first[unit], true, words, 5);
    list_write(list, format_id[unit], format);
}

void square_pipeline(struct list *list, uint32_t units)
{
    probe_pipeline(list);
    probe_size(list, SQUARE, SQUARE);
    /* No depth: the target is larger than the probe's distance between the two buffers. */
    list_write(list, PICA_REG_DEPTH_COLOR_MASK, 0x0F00);
    list_write(list, PICA_REG_DEPTHBUFFER_READ, 0);
    list_write(list, PICA_REG_DEPTHBUFFER_WRITE, 0);
    for (uint32_t unit = 0; unit < units; unit++)
        square_format(list, unit, PICA_TEXTURE_FORMAT_RGBA8);
    list_write(list, PICA_REG_TEXUNIT_CONFIG, (1u << units) - 1u);
    if (units != 0u)
        probe_source(list, PICA_TEV_SOURCE_TEXTURE0);
}

void square_draw_bytes(struct machine *m, struct list *list, uint8_t *bytes, size_t n)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    list_write(list, PICA_REG_RESTART_PRIMITIVE, 1);
    probe_draw(m, list, quad, 4, PICA_TOPOLOGY_STRIP);
    machine_memory(m, COLOR_ADDRESS, bytes, n);
}

void square_draw(struct machine *m, struct list *list, struct square *out)
{
    uint8_t *const bytes = malloc(SQUARE_BYTES);
    cr_assert_not_null(bytes);
    square_draw_bytes(m, list, bytes, SQUARE_BYTES);
    for (uint32_t y = 0; y < SQUARE; y++)
        for (uint32_t x = 0; x < SQUARE; x++) {
            const uint32_t n = model_texel_number(x, y, SQUARE);
            for (uint32_t c = 0; c < 4u; c++)
                out->pixels[y * SQUARE + x].c[c] = bytes[4u * n + 3u - c];
        }
    free(bytes);
}

static uint32_t word_of(struct model_color color)
{
    return (uint32_t)color.c[0] << 24 | (uint32_t)color.c[1] << 16 | (uint32_t)color.c[2] << 8 | color.c[3];
}

void square_compare(struct tally *tally, const struct square *got, const struct square *expected)
{
    if (memcmp(got, expected, sizeof *got) == 0) {
        tally->tried += SQUARE_PIXELS;
        return;
    }
    for (uint32_t i = 0; i < SQUARE_PIXELS; i++)
        tally_compare(tally, word_of(got->pixels[i]), word_of(expected->pixels[i]), "pixel %u,%u (rgba)",
                      (unsigned)(i % SQUARE), (unsigned)(i / SQUARE));
}

void square_pairs(struct square *s, struct square *d, uint32_t variant)
{
    /* s = a x + b y, d = e x + f y: a f - b e is odd */
    static const uint8_t matrix[4][4] = { { 1, 0, 0, 1 }, { 1, 2, 4, 1 }, { 3, 2, 2, 5 }, { 1, 1, 2, 7 } };
    for (uint32_t i = 0; i < SQUARE_PIXELS; i++)
        for (uint32_t c = 0; c < 4u; c++) {
            const uint32_t x = i % SQUARE + variant * 37u * c, y = i / SQUARE + variant * 101u * c;
            s->pixels[i].c[c] = (uint8_t)(matrix[c][0] * x + matrix[c][1] * y);
            d->pixels[i].c[c] = (uint8_t)(matrix[c][2] * x + matrix[c][3] * y);
        }
}
