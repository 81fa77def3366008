/* Screenshots of an emulator: the picture on them is found, at any scale and place, or they are refused. */
#include "harness/console/program.h"
#include "harness/console/screenshots.h"
#include "harness/console/show.h"
#include "tests/console_host/bench.h"

#include <criterion/criterion.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    COLUMNS = 400,
    LINES = 240,
    CODE = 16 /* columns */
};

static const uint32_t TRIANGLE = 0; /* the number of its picture: it is the first case that draws, but for self-tests */

/* An export that shows a triangle, and what reads its screenshots. */
static struct harness_text file;
static struct console_view view;
static struct console_screenshots *screenshots;
static const struct console_picture *picture;

static void furnish(void)
{
    struct harness_error error = { "" };
    struct console_export *export = NULL;
    struct console_answer answer;
    struct harness_text program = { 0 };
    const uint8_t *payload = NULL;
    size_t size = 0;
    bench_program(&program);
    struct harness_case *const test_case = bench_case(bench_triangle);
    cr_assert_eq(console_export_create("bench", false, &export, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(console_export_show(export, 2, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(console_export_ask(export, "triangle", test_case, &answer, &error), HARNESS_OK, "%s", error.message);
    cr_assert(answer.taken);
    harness_text_free(&answer.reasons);
    cr_assert_eq(console_export_make(export, (const uint8_t *)program.data, program.size, &file, &error), HARNESS_OK);
    cr_assert_eq(console_program_payload("file", (const uint8_t *)file.data, file.size, &payload, &size, &error),
                 HARNESS_OK);
    cr_assert_eq(console_view_open("file", payload, size, &view, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(console_screenshots_create(&view, &screenshots, &error), HARNESS_OK);
    picture = console_screenshots_part(screenshots, view.head.case_count - 1, 0);
    cr_assert_not_null(picture, "the triangle is shown");
    harness_case_destroy(test_case);
    console_export_destroy(export);
    harness_text_free(&program);
}

static void clear(void)
{
    console_screenshots_destroy(screenshots);
    harness_text_free(&file);
}

TestSuite(screenshots, .init = furnish, .fini = clear);

/* ------------------------------------------------------------------------------------------------------- a painter */

/* The color of pixel (x, y) of the buffer, as the screen shows it: x goes up, y goes right. */
static void color(uint32_t x, uint32_t y, uint8_t rgb[3])
{
    rgb[0] = (uint8_t)(x * 17 + 3);
    rgb[1] = (uint8_t)(y * 31 + 5);
    rgb[2] = (uint8_t)(x ^ y);
}

/* FBF-07. */
static uint32_t place_in_tiles(uint32_t x, uint32_t y, uint32_t tiles)
{
    uint32_t place = (y / 8 * tiles + x / 8) * 64;
    for (uint32_t bit = 0; bit < 3; bit++)
        place += (x >> bit & 1u) << 2 * bit | (y >> bit & 1u) << (2 * bit + 1);
    return place;
}

/* The upper screen with the code of this picture of the export with that id. */
static void paint(uint8_t screen[LINES][COLUMNS][3], uint32_t number, uint32_t id)
{
    const uint32_t words[3] = { id, view.head.id[1], number };
    const uint32_t code = number << 16 | ((uint32_t)crc32(0, (const Bytef *)words, sizeof words) & 0xFFFFu);
    memset(screen, 0, (size_t)LINES * COLUMNS * 3);
    for (uint32_t along = 0; along < LINES; along++)
        for (uint32_t column = 0; column < CODE + 8 * picture->show.rows; column++) {
            uint8_t *const pixel = screen[LINES - 1 - along][column];
            if (column < CODE)
                memset(pixel, (code >> (29 - along / 8) & 1u) == (column < 8 ? 1u : 0u) ? 0xFF : 0, 3);
            else if (along < 8 * picture->show.tiles)
                color(along, column - CODE, pixel);
        }
}

/* A window of grey with the screen in it. */
struct window {
    uint32_t width, height, x, y, scale;
    uint8_t *rgb;
};

static void hang(struct window *window, uint8_t screen[LINES][COLUMNS][3])
{
    window->rgb = malloc((size_t)3 * window->width * window->height);
    memset(window->rgb, 0x77, (size_t)3 * window->width * window->height);
    for (uint32_t y = 0; y < window->scale * LINES; y++)
        for (uint32_t x = 0; x < window->scale * COLUMNS; x++)
            memcpy(window->rgb + 3 * ((size_t)(window->y + y) * window->width + window->x + x),
                   screen[y / window->scale][x / window->scale], 3);
}

static uint8_t *to_png(const struct window *window, uint32_t format, size_t *size)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = window->width, .height = window->height, .format = format
    };
    png_alloc_size_t bytes = 0;
    cr_assert(png_image_write_to_memory(&image, NULL, &bytes, 0, window->rgb, 0, NULL) != 0);
    uint8_t *const out = malloc(bytes);
    cr_assert(png_image_write_to_memory(&image, out, &bytes, 0, window->rgb, 0, NULL) != 0);
    *size = bytes;
    return out;
}

static enum console_screenshot add(struct window *window)
{
    struct harness_error error = { "" };
    enum console_screenshot out = CONSOLE_SCREENSHOT_NOTHING;
    size_t size = 0;
    uint8_t *const png = to_png(window, PNG_FORMAT_RGB, &size);
    cr_assert_eq(console_screenshots_add(screenshots, "shot.png", png, size, &out, &error), HARNESS_OK, "%s",
                 error.message);
    free(png);
    free(window->rgb);
    return out;
}

static uint8_t screen[LINES][COLUMNS][3];

/* ----------------------------------------------------------------------------------------------------------- tests */

Test(screenshots, are_read_at_any_whole_scale_and_place)
{
    const struct window windows[] = { { 400, 240, 0, 0, 1, NULL },
                                      { 401, 241, 1, 1, 1, NULL },
                                      { 860, 1020, 30, 17, 2, NULL },
                                      { 1280, 1000, 80, 0, 3, NULL },
                                      { 3200, 1920, 0, 0, 8, NULL } };
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        struct window window = windows[i];
        paint(screen, picture->show.number, view.head.id[0]);
        hang(&window, screen);
        cr_expect_eq(add(&window), CONSOLE_SCREENSHOT_TAKEN, "scale %u", window.scale);
        cr_assert_not_null(picture->rgb);
        for (uint32_t y = 0; y < 8 * picture->show.rows; y++)
            for (uint32_t x = 0; x < 8 * picture->show.tiles; x++) {
                uint8_t expected[3];
                color(x, y, expected);
                cr_assert_arr_eq(picture->rgb + 3 * (size_t)place_in_tiles(x, y, picture->show.tiles), expected, 3);
            }
        cr_expect(!picture->is_double);
    }
}

Test(screenshots, of_which_two_say_different_things_are_double)
{
    for (uint8_t i = 0; i < 2; i++) {
        struct window window = { 400, 240, 0, 0, 1, NULL };
        paint(screen, picture->show.number, view.head.id[0]);
        screen[LINES - 1][CODE][0] = i;
        hang(&window, screen);
        cr_expect_eq(add(&window), CONSOLE_SCREENSHOT_TAKEN);
        cr_expect_eq(picture->is_double, i == 1);
    }
}

/* The numbers and sums of others, one that is damaged, a part of the screen, nothing at all. */
Test(screenshots, without_a_code_of_this_export_say_nothing)
{
    for (uint32_t i = 0; i < 5; i++) {
        struct window window = { 500, 300, 20, 20, 1, NULL };
        paint(screen, i == 0 ? TRIANGLE + 100 : picture->show.number, view.head.id[0] ^ (i == 1));
        if (i == 2)
            for (uint32_t y = 0; y < 8; y++)
                for (uint32_t x = 0; x < CODE; x++)
                    memset(screen[y][x], screen[y][x][0] ^ 0xFF, 3);
        if (i == 3)
            window.width = 390;
        if (i == 4)
            memset(screen, 0, sizeof screen);
        if (window.width < COLUMNS) {
            window.rgb = calloc(3, (size_t)window.width * window.height);
            for (uint32_t y = 0; y < LINES; y++)
                memcpy(window.rgb + 3 * (size_t)y * window.width, screen[y], 3 * (size_t)window.width);
        } else {
            hang(&window, screen);
        }
        cr_expect_eq(add(&window), CONSOLE_SCREENSHOT_NOTHING, "%u", i);
        cr_expect_null(picture->rgb);
    }
}

/* One pixel of a block that is not as the others: in the code, and in the picture. */
Test(screenshots, that_a_filter_scaled_are_not_taken)
{
    const uint32_t places[] = { 2 * 3, 2 * (CODE + 1) };
    for (size_t i = 0; i < 2; i++) {
        struct window window = { 800, 480, 0, 0, 2, NULL };
        paint(screen, picture->show.number, view.head.id[0]);
        hang(&window, screen);
        window.rgb[3 * ((size_t)477 * window.width + places[i] + 1)] ^= 0x40;
        cr_expect_eq(add(&window), CONSOLE_SCREENSHOT_BLURRED, "%zu", i);
        cr_expect_null(picture->rgb);
    }
}

Test(screenshots, that_are_no_whole_png_files_are_refused_by_name, .timeout = 60)
{
    struct harness_error error = { "" };
    enum console_screenshot out = CONSOLE_SCREENSHOT_NOTHING;
    struct window window = { 400, 240, 0, 0, 1, NULL };
    size_t size = 0;
    paint(screen, picture->show.number, view.head.id[0]);
    hang(&window, screen);
    uint8_t *png = to_png(&window, PNG_FORMAT_RGB, &size);
    for (size_t cut = 0; cut + 20 < size; cut += 1 + size / 50) {
        cr_expect_eq(console_screenshots_add(screenshots, "shot.png", png, cut, &out, &error), HARNESS_BAD_INPUT,
                     "%zu of %zu bytes", cut, size);
        cr_expect_eq(strncmp(error.message, "shot.png: ", 10), 0, "%s", error.message);
    }
    free(png);
    window.width /= 2; /* 16 bits a channel take twice the bytes */
    png = to_png(&window, PNG_FORMAT_LINEAR_RGB, &size);
    cr_expect_eq(console_screenshots_add(screenshots, "deep.png", png, size, &out, &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "deep.png: 16 bits a channel"), "%s", error.message);
    free(png);
    free(window.rgb);
    cr_expect_null(picture->rgb);
}

/* Which buffers are shown, in how many parts. */
Test(screenshots, large_buffers_are_shown_in_parts_and_odd_ones_not_at_all)
{
    static const struct {
        uint32_t width, height, parts;
        enum oracle_format format;
    } rows[] = { { 16, 16, 1, ORACLE_FORMAT_RGBA8 },   { 240, 384, 1, ORACLE_FORMAT_RGB565 },
                 { 256, 256, 2, ORACLE_FORMAT_RGBA8 }, { 240, 400, 2, ORACLE_FORMAT_RGB8 },
                 { 480, 800, 6, ORACLE_FORMAT_RGBA4 }, { 12, 16, 0, ORACLE_FORMAT_RGBA8 },
                 { 16, 4, 0, ORACLE_FORMAT_RGBA8 },    { 16, 16, 0, ORACLE_FORMAT_RESERVED } };
    const struct pica_window window = { CONSOLE_VRAM_PHYSICAL, 0x400000 };
    const struct pica_operation operation = { .kind = PICA_OPERATION_SUBMIT_LIST };
    const struct harness_program program = { .setup = { .windows = &window, .window_count = 1 },
                                             .operations = (struct pica_operation *)&operation,
                                             .count = 1 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct console_show shows[CONSOLE_MOST_SHOWS];
        const struct console_plan plan = { .has_target = true,
                                           .target = { CONSOLE_VRAM_PHYSICAL, rows[i].width, rows[i].height,
                                                       rows[i].width, rows[i].format, ORACLE_LAYOUT_TILED, false } };
        const uint32_t count = console_show_parts(&program, &plan, 7, shows);
        uint64_t pixels = 0;
        for (uint32_t part = 0; part < count; part++) {
            pixels += (uint64_t)shows[part].tiles * shows[part].rows * 64;
            cr_expect_eq(shows[part].number, 7 + part);
            cr_expect_geq(shows[part].picture, CONSOLE_VRAM_VIRTUAL + window.size, "beside the window");
        }
        cr_expect_eq(count, rows[i].parts, "%ux%u: %u parts", rows[i].width, rows[i].height, count);
        cr_expect_eq(pixels, count != 0 ? (uint64_t)rows[i].width * rows[i].height : 0);
    }
}
