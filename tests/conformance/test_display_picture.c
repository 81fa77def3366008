/*
 * 70-gx-engines.md section 4: the pictures, through the scan_out call of pica/backend.h. The registers come as an
 * initial state (REG-45), the bytes as one chunk of memory.
 */
#include "fast/fast.h"
#include "pica/backend.h"
#include "pica/events.h"
#include "reference/reference.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 0x18000000,
    WINDOW_SIZE = 0x80000,
    LINES = 240
};

/* What a picture depends on. Registers are set as stored (PSC-01). */
struct screen_setup {
    uint32_t external[PICA_EXTERNAL_WORDS];
    uint32_t lcd_fill[2];
    uint8_t *bytes; /* WINDOW_SIZE */
};

struct picture {
    const char *name;
    uint8_t rgb[3 * 400 * LINES];
};

static struct screen_setup *setup_create(void)
{
    struct screen_setup *const setup = calloc(1, sizeof *setup);
    cr_assert_not_null(setup);
    setup->bytes = calloc(1, WINDOW_SIZE);
    cr_assert_not_null(setup->bytes);
    return setup;
}

static void setup_destroy(struct screen_setup *setup)
{
    free(setup->bytes);
    free(setup);
}

static void write_screen(struct screen_setup *setup, uint32_t screen, uint32_t offset, uint32_t value)
{
    setup->external[(0x400u + 0x100u * screen + offset) / 4u] = value;
}

/* Byte at WINDOW + offset: no two neighbours alike in any channel. */
static uint8_t pattern(uint32_t offset)
{
    return (uint8_t)(offset * 37u + (offset >> 8) * 11u + 5u);
}

static void fill_pattern(struct screen_setup *setup)
{
    for (uint32_t i = 0; i < WINDOW_SIZE; i++)
        setup->bytes[i] = pattern(i);
}

static void take_picture(const struct pica_backend *backend, const struct screen_setup *setup, uint32_t screen,
                         bool right, struct picture *out)
{
    static const struct pica_window window = { WINDOW, WINDOW_SIZE };
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct pica_chunk chunk = { WINDOW, WINDOW_SIZE, setup->bytes };
    struct pica_state *const state = calloc(1, sizeof *state);
    struct pica_events events;
    void *instance = NULL;
    cr_assert_not_null(state);
    memcpy(state->external, setup->external, sizeof state->external);
    memcpy(state->lcd_fill, setup->lcd_fill, sizeof state->lcd_fill);
    const struct pica_setup load = { .windows = &window,
                                     .window_count = 1,
                                     .chunks = &chunk,
                                     .chunk_count = 1,
                                     .initial_state = state,
                                     .limits = { 1, 1, 1, 1, 1 } };
    const size_t size = 3u * (screen == 0u ? PICA_TOP_COLUMNS : PICA_BOTTOM_COLUMNS) * (size_t)PICA_SCREEN_LINES;
    out->name = backend->name;
    memset(out->rgb, 0xEE, sizeof out->rgb);
    cr_assert_eq(backend->create(&options, &instance), PICA_OK);
    cr_assert_eq(backend->load(instance, &load), PICA_OK);
    cr_expect_eq(backend->scan_out(instance, screen, right, out->rgb, size - 1u), PICA_BAD_ARGUMENT);
    cr_expect_eq(backend->scan_out(instance, screen, right, out->rgb, size), PICA_OK);
    cr_assert_eq(backend->read_events(instance, &events), PICA_OK);
    cr_expect(pica_events_empty(&events), "PDC-06: scan-out records no events");
    backend->destroy(instance);
    free(state);
}

static const struct pica_backend *backend_number(size_t i)
{
    return i == 0 ? ref_backend() : fast_backend();
}

static uint32_t pixel(const struct picture *p, uint32_t columns, uint32_t x, uint32_t y)
{
    const uint8_t *const rgb = p->rgb + 3u * (y * columns + x);
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

static void expect_pixel(const struct picture *p, const char *rule, uint32_t columns, uint32_t x, uint32_t y,
                         uint32_t rgb)
{
    const uint32_t got = pixel(p, columns, x, y);
    cr_expect_eq(got, rgb, "[%s] %s: pixel %u,%u is %06X, expected %06X", p->name, rule, (unsigned)x, (unsigned)y,
                 (unsigned)got, (unsigned)rgb);
}

/* Runs the check of both pictures of both implementations. */
static void expect_pixel_of(const struct screen_setup *setup, const char *rule, uint32_t screen, bool right, uint32_t x,
                            uint32_t y, uint32_t rgb)
{
    for (size_t i = 0; i < 2; i++) {
        struct picture *const p = malloc(sizeof *p);
        cr_assert_not_null(p);
        take_picture(backend_number(i), setup, screen, right, p);
        expect_pixel(p, rule, screen == 0u ? 400u : 320u, x, y, rgb);
        free(p);
    }
}

static uint32_t rgb8_at(uint32_t offset)
{
    return (uint32_t)pattern(offset + 2u) << 16 | (uint32_t)pattern(offset + 1u) << 8 | pattern(offset);
}

/* The worked example: RGB8, stride 0x2D0. */
Test(display, PDC_03_columns_run_up_and_from_left_to_right)
{
    struct screen_setup *const setup = setup_create();
    fill_pattern(setup);
    write_screen(setup, 0, 0x68, WINDOW);
    write_screen(setup, 0, 0x70, 1);
    write_screen(setup, 0, 0x90, 0x2D0);
    expect_pixel_of(setup, "PDC-03", 0, false, 0, 0, rgb8_at(0x2CD));
    expect_pixel_of(setup, "PDC-03", 0, false, 0, 239, rgb8_at(0));
    expect_pixel_of(setup, "PDC-03", 0, false, 399, 0, rgb8_at(399u * 720u + 717u));
    expect_pixel_of(setup, "PDC-03", 0, false, 1, 239, rgb8_at(720));
    setup_destroy(setup);
}

Test(display, PDC_01_the_bottom_screen_has_320_columns)
{
    struct screen_setup *const setup = setup_create();
    fill_pattern(setup);
    write_screen(setup, 1, 0x68, WINDOW + 0x100);
    write_screen(setup, 1, 0x70, 1);
    write_screen(setup, 1, 0x90, 0x2E0);
    expect_pixel_of(setup, "PDC-01", 1, false, 0, 0, rgb8_at(0x100u + 717u));
    expect_pixel_of(setup, "PDC-01", 1, false, 319, 239, rgb8_at(0x100u + 319u * 0x2E0u));
    expect_pixel_of(setup, "PDC-01", 1, false, 319, 0, rgb8_at(0x100u + 319u * 0x2E0u + 717u));
    setup_destroy(setup);
}

/* Every pixel of one picture of each format; pattern values expanded by FBF-10 as PPF-10 numbers the formats. */
static uint32_t expected_rgb(uint32_t format, uint32_t offset)
{
    const uint32_t p = (uint32_t)pattern(offset + 1u) << 8 | pattern(offset);
    const uint32_t five = p >> 11, low_five = p & 31u, middle = p >> 5 & 63u;
    const uint32_t g5 = p >> 6 & 31u, b5 = p >> 1 & 31u;
    switch (format) {
    case 0: return rgb8_at(offset + 1u);
    case 1: return rgb8_at(offset);
    case 2: return (five << 3 | five >> 2) << 16 | (middle << 2 | middle >> 4) << 8 | (low_five << 3 | low_five >> 2);
    case 3: return (five << 3 | five >> 2) << 16 | (g5 << 3 | g5 >> 2) << 8 | (b5 << 3 | b5 >> 2);
    default: return (p >> 12) * 0x110000u | (p >> 8 & 15u) * 0x1100u | (p >> 4 & 15u) * 0x11u;
    }
}

/* The first pixel that is wrong, as y * 400 + x; 400 * LINES if none is. */
static uint32_t first_wrong(const struct picture *p, uint32_t format, uint32_t bytes)
{
    for (uint32_t i = 0; i < 400u * LINES; i++) {
        const uint32_t x = i % 400u, y = i / 400u;
        if (pixel(p, 400, x, y) != expected_rgb(format, x * 240u * bytes + (239u - y) * bytes))
            return i;
    }
    return 400u * LINES;
}

Test(display, PDC_04_formats_are_those_of_the_transfer_engine_and_5_to_7_act_as_4)
{
    static const uint32_t bytes[8] = { 4, 3, 2, 2, 2, 2, 2, 2 };
    struct screen_setup *const setup = setup_create();
    fill_pattern(setup);
    struct picture *const p = malloc(sizeof *p);
    cr_assert_not_null(p);
    for (uint32_t format = 0; format < 8; format++) {
        write_screen(setup, 0, 0x68, WINDOW);
        write_screen(setup, 0, 0x70, 0xFFFF0308u | format); /* bits that are not modelled do not matter */
        write_screen(setup, 0, 0x90, 240u * bytes[format]);
        for (size_t i = 0; i < 2; i++) {
            take_picture(backend_number(i), setup, 0, false, p);
            const uint32_t wrong = first_wrong(p, format, bytes[format]);
            cr_expect_eq(wrong, 400u * LINES, "[%s] PDC-03, PDC-04: format %u: pixel %u,%u is wrong", p->name,
                         (unsigned)format, (unsigned)(wrong % 400u), (unsigned)(wrong / 400u));
        }
    }
    free(p);
    setup_destroy(setup);
}

Test(display, PDC_03_the_selected_buffer_is_shown)
{
    struct screen_setup *const setup = setup_create();
    fill_pattern(setup);
    write_screen(setup, 0, 0x68, WINDOW + 0x1000);
    write_screen(setup, 0, 0x6C, WINDOW + 0x2010);
    write_screen(setup, 0, 0x94, WINDOW + 0x3020);
    write_screen(setup, 0, 0x98, WINDOW + 0x4030);
    write_screen(setup, 0, 0x70, 1);
    write_screen(setup, 0, 0x90, 0x2D0);
    expect_pixel_of(setup, "PDC-03", 0, false, 0, 239, rgb8_at(0x1000));
    expect_pixel_of(setup, "PDC-05", 0, true, 0, 239, rgb8_at(0x3020));
    write_screen(setup, 0, 0x78, 1);
    expect_pixel_of(setup, "PDC-03", 0, false, 0, 239, rgb8_at(0x2010));
    expect_pixel_of(setup, "PDC-05", 0, true, 0, 239, rgb8_at(0x4030));
    write_screen(setup, 0, 0x70, 0x21); /* 3D: the right picture is the same, now it is also shown */
    expect_pixel_of(setup, "PDC-05", 0, true, 0, 239, rgb8_at(0x4030));
    setup_destroy(setup);
}

Test(display, PDC_06_the_size_register_is_ignored)
{
    struct screen_setup *const setup = setup_create();
    fill_pattern(setup);
    write_screen(setup, 0, 0x5C, 0x00080008);
    write_screen(setup, 0, 0x68, WINDOW);
    write_screen(setup, 0, 0x70, 1);
    write_screen(setup, 0, 0x90, 0x2D0);
    expect_pixel_of(setup, "PDC-06", 0, false, 399, 0, rgb8_at(399u * 720u + 717u));
    expect_pixel_of(setup, "PDC-06", 0, false, 200, 100, rgb8_at(200u * 720u + 139u * 3u));
    setup_destroy(setup);
}

Test(display, PDC_06_outside_bytes_are_black)
{
    struct screen_setup *const setup = setup_create();
    memset(setup->bytes, 0xFF, WINDOW_SIZE);
    write_screen(setup, 0, 0x68, WINDOW + WINDOW_SIZE - 0x10);
    write_screen(setup, 0, 0x70, 1);
    write_screen(setup, 0, 0x90, 0x2D0);
    expect_pixel_of(setup, "PDC-06", 0, false, 0, 239, 0xFFFFFF); /* bytes 0 to 2 */
    expect_pixel_of(setup, "PDC-06", 0, false, 0, 234, 0x0000FF); /* bytes 15 to 17: only the first, blue, is inside */
    expect_pixel_of(setup, "PDC-06", 0, false, 0, 233, 0x000000);
    expect_pixel_of(setup, "PDC-06", 0, false, 399, 0, 0x000000);
    setup_destroy(setup);
}

Test(display, PDC_06_addresses_wrap_at_4_GiB)
{
    struct screen_setup *const setup = setup_create();
    memset(setup->bytes, 0xFF, WINDOW_SIZE);
    /* 0xF0000000 + 1 * 0x28000000 = 0x18000000 modulo 2^32. */
    write_screen(setup, 0, 0x68, 0xF0000000u);
    write_screen(setup, 0, 0x70, 0);
    write_screen(setup, 0, 0x90, 0x28000000u);
    expect_pixel_of(setup, "PDC-03, GEN-04", 0, false, 0, 239, 0x000000);
    expect_pixel_of(setup, "PDC-03, GEN-04", 0, false, 1, 239, 0xFFFFFF);
    expect_pixel_of(setup, "PDC-03, GEN-04", 0, false, 1, 0, 0xFFFFFF);
    setup_destroy(setup);
}

Test(display, PDC_03_a_stride_of_0_repeats_the_column)
{
    struct screen_setup *const setup = setup_create();
    fill_pattern(setup);
    write_screen(setup, 1, 0x68, WINDOW);
    write_screen(setup, 1, 0x70, 2);
    expect_pixel_of(setup, "PDC-03", 1, false, 0, 10, expected_rgb(2, 229u * 2u));
    expect_pixel_of(setup, "PDC-03", 1, false, 319, 10, expected_rgb(2, 229u * 2u));
    setup_destroy(setup);
}

Test(display, PDC_07_the_colour_fill_hides_memory_on_both_pictures)
{
    struct screen_setup *const setup = setup_create();
    fill_pattern(setup);
    write_screen(setup, 0, 0x68, WINDOW);
    write_screen(setup, 0, 0x94, WINDOW);
    write_screen(setup, 1, 0x68, WINDOW);
    setup->lcd_fill[0] = 0xFF332211;
    setup->lcd_fill[1] = 0xFE665544; /* bit 24 is 0: no fill */
    expect_pixel_of(setup, "PDC-07", 0, false, 0, 0, 0x112233);
    expect_pixel_of(setup, "PDC-07", 0, false, 399, 239, 0x112233);
    expect_pixel_of(setup, "PDC-07", 0, true, 200, 120, 0x112233);
    expect_pixel_of(setup, "PDC-07", 1, false, 0, 239, expected_rgb(0, 0));
    setup->lcd_fill[0] = 0;
    setup->lcd_fill[1] = 0x01665544;
    expect_pixel_of(setup, "PDC-07", 0, false, 0, 239, expected_rgb(0, 0));
    expect_pixel_of(setup, "PDC-07", 1, false, 319, 0, 0x445566);
    setup_destroy(setup);
}
