#include "harness/console/screenshots.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LINES = 8 * CONSOLE_SHOW_TILES, /* of the upper screen */
    CODE_COLUMNS = 8 * CONSOLE_SHOW_CODE_ROWS,
    WHITE = 0xF0, /* at least: 16-bit formats may be widened with zeros */
    BLACK = 0x0F  /* at most */
};

struct console_screenshots {
    const struct console_view *view;
    struct console_picture *pictures; /* by number */
    uint32_t count;
};

/* A screenshot, r g b a, and where the screen's upper left corner may lie on it. */
struct sheet {
    const uint8_t *pixels;
    uint32_t width, height, x, y, scale;
};

/* ------------------------------------------------------------------------------------------------- what is shown */

/* All of a payload, in order: numbers are those that `export` gave, or one of them is not taken. */
static uint32_t find_pictures(const struct console_view *view, struct console_picture *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->head.case_count; i++) {
        const struct console_case entry = console_view_case(view, i);
        for (uint32_t at = 0, words = 0; at < entry.words; at += words) {
            uint32_t head;
            struct console_show show;
            memcpy(&head, view->bytes + entry.commands + 4 * (size_t)at, 4);
            words = head >> 16;
            if (words == 0 || words > entry.words - at)
                break;
            if ((head & 0xFFFFu) != CONSOLE_COMMAND_SHOW || words != 1 + sizeof show / 4)
                continue;
            memcpy(&show, view->bytes + entry.commands + 4 * ((size_t)at + 1), sizeof show);
            if (!console_show_allowed(&show) || show.number != count)
                continue;
            if (out != NULL)
                out[count] = (struct console_picture){ .case_index = i, .show = show };
            count++;
        }
    }
    return count;
}

enum harness_status console_screenshots_create(const struct console_view *view, struct console_screenshots **out,
                                               struct harness_error *error)
{
    *out = calloc(1, sizeof **out);
    const uint32_t count = find_pictures(view, NULL);
    struct console_picture *const pictures = calloc((size_t)count + 1, sizeof *pictures);
    if (*out == NULL || pictures == NULL) {
        free(pictures);
        free(*out);
        *out = NULL;
        return harness_fail_memory(error);
    }
    **out = (struct console_screenshots){ view, pictures, count };
    (void)find_pictures(view, pictures);
    return HARNESS_OK;
}

void console_screenshots_destroy(struct console_screenshots *screenshots)
{
    if (screenshots == NULL)
        return;
    for (uint32_t i = 0; i < screenshots->count; i++)
        free(screenshots->pictures[i].rgb);
    free(screenshots->pictures);
    free(screenshots);
}

const struct console_picture *console_screenshots_part(const struct console_screenshots *screenshots,
                                                       uint32_t case_index, uint32_t part)
{
    for (uint32_t i = 0; i < screenshots->count; i++)
        if (screenshots->pictures[i].case_index == case_index && part-- == 0)
            return &screenshots->pictures[i];
    return NULL;
}

void console_screenshots_count(const struct console_screenshots *screenshots, uint32_t *shown, uint32_t *seen)
{
    *shown = screenshots->count;
    *seen = 0;
    for (uint32_t i = 0; i < screenshots->count; i++)
        *seen += screenshots->pictures[i].rgb != NULL;
}

/* ------------------------------------------------------------------------------------------------------- the code */

/* Pixel `along` of column `column` of the screen, as memory counts: from the bottom; `dx`, `dy`: of its block. */
static const uint8_t *at(const struct sheet *sheet, uint32_t column, uint32_t along, uint32_t dx, uint32_t dy)
{
    const uint32_t x = sheet->x + column * sheet->scale + dx, y = sheet->y + (LINES - 1 - along) * sheet->scale + dy;
    return sheet->pixels + 4 * ((size_t)y * sheet->width + x);
}

/* 1 white, 0 black, -1 neither. */
static int brightness(const uint8_t *pixel)
{
    if (pixel[0] >= WHITE && pixel[1] >= WHITE && pixel[2] >= WHITE)
        return 1;
    return pixel[0] <= BLACK && pixel[1] <= BLACK && pixel[2] <= BLACK ? 0 : -1;
}

/* A bit of the code: in the middle of its tile, and of the opposite one; -1: none. */
static int read_bit(const struct sheet *sheet, uint32_t tile)
{
    const int bit = brightness(at(sheet, 4, 8 * tile + 4, 0, 0));
    return bit >= 0 && brightness(at(sheet, 12, 8 * tile + 4, 0, 0)) == 1 - bit ? bit : -1;
}

/* The picture whose code is there; NULL: none of this export. */
static struct console_picture *read_code(const struct console_screenshots *screenshots, const struct sheet *sheet)
{
    const struct console_payload *const head = &screenshots->view->head;
    uint32_t code = 0;
    for (uint32_t tile = 0; tile < CONSOLE_SHOW_TILES; tile++) {
        const int bit = read_bit(sheet, tile);
        if (bit < 0)
            return NULL;
        code = code << 1 | (uint32_t)bit;
    }
    const uint32_t number = code >> 16, words[3] = { head->id[0], head->id[1], number };
    const bool is_ours = number < screenshots->count &&
                         code == console_show_code(number, (uint32_t)crc32(0, (const Bytef *)words, sizeof words));
    return is_ours ? &screenshots->pictures[number] : NULL;
}

/* Is one pixel of the screen a block of one colour? */
static bool is_sharp(const struct sheet *sheet, uint32_t column, uint32_t along)
{
    const uint8_t *const first = at(sheet, column, along, 0, 0);
    for (uint32_t i = 1; i < sheet->scale * sheet->scale; i++)
        if (memcmp(first, at(sheet, column, along, i % sheet->scale, i / sheet->scale), 3) != 0)
            return false;
    return true;
}

/* Each pixel of the code, so that the screen lies exactly here. */
static bool is_code_sharp(const struct sheet *sheet)
{
    for (uint32_t column = 0; column < CODE_COLUMNS; column++)
        for (uint32_t along = 0; along < LINES; along++) {
            const bool opposite = column >= 8;
            const int bit = brightness(at(sheet, column, along, 0, 0));
            if (bit != (opposite ? 1 : 0) + (opposite ? -1 : 1) * read_bit(sheet, along / 8) ||
                !is_sharp(sheet, column, along))
                return false;
        }
    return true;
}

/* ------------------------------------------------------------------------------------------------------ the picture */

/* FBF-07: pixel i of a tile. */
static uint32_t tile_x(uint32_t i)
{
    return (i & 1u) | (i >> 1 & 2u) | (i >> 2 & 4u);
}

static uint32_t tile_y(uint32_t i)
{
    return tile_x(i >> 1);
}

static bool read_pixels(const struct sheet *sheet, const struct console_show *show, uint8_t *rgb)
{
    for (uint32_t i = 0; i < show->rows * show->tiles * 64; i++) {
        const uint32_t tile = i / 64, row = tile / show->tiles;
        const uint32_t column = CODE_COLUMNS + 8 * row + tile_y(i % 64);
        const uint32_t along = 8 * (tile % show->tiles) + tile_x(i % 64);
        if (!is_sharp(sheet, column, along))
            return false;
        memcpy(rgb + 3 * (size_t)i, at(sheet, column, along, 0, 0), 3);
    }
    return true;
}

static enum harness_status take(const struct sheet *sheet, struct console_picture *picture,
                                enum console_screenshot *out, struct harness_error *error)
{
    const size_t size = (size_t)picture->show.rows * picture->show.tiles * 64 * 3;
    uint8_t *const rgb = malloc(size);
    if (rgb == NULL)
        return harness_fail_memory(error);
    *out = read_pixels(sheet, &picture->show, rgb) ? CONSOLE_SCREENSHOT_TAKEN : CONSOLE_SCREENSHOT_BLURRED;
    if (*out == CONSOLE_SCREENSHOT_TAKEN && picture->rgb == NULL) {
        picture->rgb = rgb;
        return HARNESS_OK;
    }
    if (*out == CONSOLE_SCREENSHOT_TAKEN && memcmp(picture->rgb, rgb, size) != 0)
        picture->is_double = true;
    free(rgb);
    return HARNESS_OK;
}

/* Looks for the screen everywhere, at all scales. */
static enum harness_status search(struct console_screenshots *screenshots, struct sheet *sheet,
                                  enum console_screenshot *out, struct harness_error *error)
{
    *out = CONSOLE_SCREENSHOT_NOTHING;
    for (uint32_t scale = 1; scale <= CONSOLE_SCREENSHOT_SCALES; scale++) {
        if (CONSOLE_SHOW_LINES * scale > sheet->width || LINES * scale > sheet->height)
            break;
        sheet->scale = scale;
        for (sheet->y = 0; sheet->y <= sheet->height - LINES * scale; sheet->y++)
            for (sheet->x = 0; sheet->x <= sheet->width - CONSOLE_SHOW_LINES * scale; sheet->x++) {
                struct console_picture *const picture = read_code(screenshots, sheet);
                if (picture == NULL)
                    continue;
                if (is_code_sharp(sheet))
                    return take(sheet, picture, out, error);
                *out = CONSOLE_SCREENSHOT_BLURRED;
            }
    }
    return HARNESS_OK;
}

enum harness_status console_screenshots_add(struct console_screenshots *screenshots, const char *name,
                                            const uint8_t *png, size_t size, enum console_screenshot *out,
                                            struct harness_error *error)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, png, size) == 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: %s", name, image.message);
    if ((uint64_t)image.width * image.height > CONSOLE_SCREENSHOT_PIXELS ||
        (image.format & PNG_FORMAT_FLAG_LINEAR) != 0) {
        png_image_free(&image);
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: 16 bits a channel, or more than %d pixels", name,
                            CONSOLE_SCREENSHOT_PIXELS);
    }
    image.format = PNG_FORMAT_RGBA;
    uint8_t *const pixels = malloc(PNG_IMAGE_SIZE(image));
    if (pixels == NULL) {
        png_image_free(&image);
        return harness_fail_memory(error);
    }
    struct sheet sheet = { .pixels = pixels, .width = image.width, .height = image.height };
    enum harness_status status = png_image_finish_read(&image, NULL, pixels, 0, NULL) != 0
                                     ? search(screenshots, &sheet, out, error)
                                     : harness_fail(error, HARNESS_BAD_INPUT, "%s: %s", name, image.message);
    free(pixels);
    return status;
}
