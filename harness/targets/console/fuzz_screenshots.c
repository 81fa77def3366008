/*
 * The property: any bytes may be taken for a screenshot of an emulator (docs/formats/console-payload.md), whatever the
 * PNG header claims; and a picture with any pixels is searched to its end.
 *
 * An input that begins as a PNG file is one. Any other bytes are the pixels of one: the first two say how much wider
 * and higher it is than a screen, the others are brightness values, repeated to its end.
 */
#include "harness/console/screenshots.h"
#include "harness/targets/files/saved.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    WIDTH = 400,
    HEIGHT = 240
};

const char saved_beginning[] = "";

/* A payload whose only case displays one tile. */
struct shown {
    struct console_payload head;
    struct console_case entry;
    uint32_t command[1 + sizeof(struct console_show) / 4];
    char name[4];
};

static void make_payload(struct shown *out)
{
    const struct console_show show = { 0, CONSOLE_VRAM_VIRTUAL, 1, 0, 1, 0, CONSOLE_VRAM_VIRTUAL + 0x100000 };
    *out = (struct shown){ .head = { .magic = CONSOLE_PAYLOAD_MAGIC,
                                     .version = CONSOLE_PAYLOAD_VERSION,
                                     .bytes = sizeof *out,
                                     .case_count = 1,
                                     .case_table = offsetof(struct shown, entry),
                                     .run_table = offsetof(struct shown, entry),
                                     .name = "fuzz" },
                           .entry = { .commands = offsetof(struct shown, command),
                                      .words = sizeof out->command / 4,
                                      .name = offsetof(struct shown, name),
                                      .source = offsetof(struct shown, name) },
                           .name = "one" };
    out->command[0] = CONSOLE_COMMAND_SHOW | (uint32_t)(sizeof out->command / 4) << 16;
    memcpy(out->command + 1, &show, sizeof show);
    out->head.crc = (uint32_t)crc32(0, (const Bytef *)out + 16, (uInt)(sizeof *out - 16));
}

static enum harness_status add(struct console_screenshots *screenshots, const uint8_t *bytes, size_t size,
                               struct harness_error *error)
{
    enum console_screenshot found;
    uint32_t shown, seen;
    const enum harness_status status = console_screenshots_add(screenshots, saved_name, bytes, size, &found, error);
    console_screenshots_count(screenshots, &shown, &seen);
    return status;
}

static enum harness_status add_pixels(struct console_screenshots *screenshots, const uint8_t *bytes, size_t size,
                                      struct harness_error *error)
{
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = WIDTH + (size > 0 ? bytes[0] : 0u),
                        .height = HEIGHT + (size > 1 ? bytes[1] : 0u),
                        .format = PNG_FORMAT_GRAY };
    const size_t pixels = (size_t)image.width * image.height;
    uint8_t *const gray = malloc(pixels);
    uint8_t *const png = malloc(PNG_IMAGE_PNG_SIZE_MAX(image));
    png_alloc_size_t png_size = PNG_IMAGE_PNG_SIZE_MAX(image);
    enum harness_status status = HARNESS_NO_MEMORY;
    for (size_t i = 0; gray != NULL && i < pixels; i++)
        gray[i] = size > 2 ? bytes[2 + i % (size - 2)] : 0;
    if (gray != NULL && png != NULL && png_image_write_to_memory(&image, png, &png_size, 0, gray, 0, NULL) != 0)
        status = add(screenshots, png, png_size, error);
    free(gray);
    free(png);
    return status;
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    static const char begin[4] = { '\x89', 'P', 'N', 'G' };
    struct shown payload;
    struct console_view view;
    struct console_screenshots *screenshots = NULL;
    make_payload(&payload);
    enum harness_status status = console_view_open("payload", (const uint8_t *)&payload, sizeof payload, &view, error);
    if (status == HARNESS_OK)
        status = console_screenshots_create(&view, &screenshots, error);
    if (status == HARNESS_OK)
        status = size >= 4 && memcmp(bytes, begin, 4) == 0
                     ? add(screenshots, (const uint8_t *)bytes, size, error)
                     : add_pixels(screenshots, (const uint8_t *)bytes, size, error);
    console_screenshots_destroy(screenshots);
    return status;
}
