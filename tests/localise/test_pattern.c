/* The words for how two pictures differ. */
#include "harness/localise/pattern.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    SIDE = 4,
    BYTES = 4 * 8 * 8, /* a picture of 4x4 pixels, in tiles, too */
    ADDRESS = 0x18000000
};

static const struct pica_window window = { ADDRESS, BYTES };

static struct oracle_surface surface_of(enum oracle_format format)
{
    return (struct oracle_surface){ .address = ADDRESS,
                                    .width = SIDE,
                                    .height = SIDE,
                                    .pitch = SIDE,
                                    .format = format,
                                    .layout = ORACLE_LAYOUT_LINEAR };
}

/* 16 pixels A B G R in memory, no two alike. */
static void fill(uint8_t *bytes)
{
    memset(bytes, 0, BYTES);
    for (int i = 0; i < 4 * SIDE * SIDE; i++)
        bytes[i] = (uint8_t)(10 + 3 * i);
}

static void expect_pattern(const uint8_t *first, const uint8_t *second, const uint8_t *loaded, const char *words)
{
    char text[256];
    const struct oracle_surface surface = surface_of(ORACLE_FORMAT_RGBA8);
    struct oracle_run a = { .backend = "one", .window_count = 1, .windows = &window };
    struct oracle_run b = a;
    a.memory[0] = first;
    b.memory[0] = second;
    a.loaded[0] = loaded;
    b.backend = "other";
    harness_pattern(&a, &b, &surface, text, sizeof text);
    cr_expect_str_eq(text, words);
}

Test(pattern, the_same_pictures_have_none)
{
    uint8_t bytes[BYTES];
    fill(bytes);
    expect_pattern(bytes, bytes, NULL, "");
}

Test(pattern, rows_and_columns_that_are_mirrored)
{
    uint8_t a[BYTES], rows[BYTES], columns[BYTES];
    fill(a);
    fill(rows);
    fill(columns);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            memcpy(rows + 4 * (SIDE * (SIDE - 1 - y) + x), a + 4 * (SIDE * y + x), 4);
            memcpy(columns + 4 * (SIDE * y + SIDE - 1 - x), a + 4 * (SIDE * y + x), 4);
        }
    expect_pattern(a, rows, NULL, "same values, rows mirrored");
    expect_pattern(a, columns, NULL, "same values, columns mirrored");
}

/* y counts upwards: the next row in memory is one lower. */
Test(pattern, a_shift_by_a_pixel)
{
    uint8_t a[BYTES], x[BYTES], y[BYTES];
    fill(a);
    fill(x);
    fill(y);
    memmove(x + 4, a, 4 * SIDE * SIDE - 4);
    memmove(y + 4 * SIDE, a, 4 * SIDE * (SIDE - 1));
    expect_pattern(a, x, NULL, "same values, shifted by x+1");
    expect_pattern(x, a, NULL, "same values, shifted by x-1");
    expect_pattern(a, y, NULL, "same values, shifted by y-1");
    expect_pattern(y, a, NULL, "same values, shifted by y+1");
}

Test(pattern, channels_that_are_exchanged)
{
    uint8_t a[BYTES], b[BYTES];
    fill(a);
    fill(b);
    for (int i = 0; i < SIDE * SIDE; i++) {
        b[4 * i + 3] = a[4 * i + 1]; /* FBF-09: A B G R */
        b[4 * i + 1] = a[4 * i + 3];
    }
    expect_pattern(a, b, NULL, "same values, R and B exchanged");
}

Test(pattern, another_order_of_memory)
{
    uint8_t a[BYTES], b[BYTES];
    const struct oracle_surface linear = surface_of(ORACLE_FORMAT_RGBA8);
    struct oracle_surface tiled = linear;
    tiled.layout = ORACLE_LAYOUT_TILED;
    fill(a);
    memset(b, 0, sizeof b);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            memcpy(b + oracle_pixel_offset(&tiled, x, y), a + oracle_pixel_offset(&linear, x, y), 4);
    expect_pattern(a, b, NULL, "same values, in tiles of 8x8");
}

Test(pattern, one_channel_by_one_by_the_same_and_by_anything)
{
    uint8_t a[BYTES], b[BYTES];
    fill(a);
    fill(b);
    b[2] = (uint8_t)(b[2] + 1);
    b[6] = (uint8_t)(b[6] + 1);
    expect_pattern(a, b, NULL, "off by one in G: other has +1 in 2 of 16 pixels");
    expect_pattern(b, a, NULL, "off by one in G: other has -1 in 2 of 16 pixels");
    fill(b);
    b[0] = (uint8_t)(b[0] + 7);
    expect_pattern(a, b, NULL, "off by the same in alpha: other has +7 in 1 of 16 pixels");
    b[4] = 0;
    expect_pattern(a, b, NULL, "only alpha differs, in 2 of 16 pixels");
}

Test(pattern, a_side_that_draws_nothing)
{
    uint8_t a[BYTES], loaded[BYTES];
    fill(a);
    memset(loaded, 0, sizeof loaded);
    expect_pattern(a, loaded, loaded, "nothing drawn by other where the two differ");
    expect_pattern(loaded, a, loaded, "nothing drawn by one where the two differ");
}

Test(pattern, what_has_no_words_has_no_pattern)
{
    uint8_t a[BYTES], b[BYTES];
    fill(a);
    fill(b);
    b[1] ^= 0x55;
    b[2] ^= 0x2A;
    expect_pattern(a, b, NULL, "");
}

/* The pixel that only one side drew would leave the picture, whose other pixels are alike. */
Test(pattern, one_pixel_is_no_shift)
{
    uint8_t a[BYTES] = { 1, 2, 3, 4 }, b[BYTES] = { 0 };
    expect_pattern(a, b, NULL, "");
}
