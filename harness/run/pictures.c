#include "harness/run/pictures.h"

#include "harness/case/formats.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static uint8_t guest_byte(const struct oracle_run *run, uint32_t address)
{
    for (uint32_t window = 0; window < run->window_count; window++) {
        const uint32_t base = run->windows[window].address;
        if (address >= base && address - base < run->windows[window].size)
            return run->memory[window][address - base];
    }
    return 0; /* MEM-03 */
}

static void pixel_to_rgb(enum oracle_format format, const uint8_t *bytes, uint8_t rgb[3])
{
    const struct oracle_pixel pixel = oracle_pixel_decode(format, bytes);
    const bool depth =
        format == ORACLE_FORMAT_DEPTH16 || format == ORACLE_FORMAT_DEPTH24 || format == ORACLE_FORMAT_DEPTH24_STENCIL8;
    const uint32_t shift = format == ORACLE_FORMAT_DEPTH16 ? 8 : 16;
    for (int c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(depth ? pixel.channel[0] >> shift : pixel.channel[c]);
}

void harness_picture_region(const struct oracle_run *run, const struct oracle_surface *surface,
                            const struct harness_region *region, uint8_t *rgb)
{
    const uint32_t bytes_per_pixel = oracle_bytes_per_pixel(surface->format);
    for (uint32_t y = 0; y < region->height; y++)
        for (uint32_t x = 0; x < region->width; x++) {
            const uint64_t offset = oracle_pixel_offset(surface, region->x + x, region->y + y);
            const uint32_t address = surface->address + (uint32_t)offset;
            uint8_t bytes[4] = { 0 };
            for (uint32_t i = 0; i < bytes_per_pixel; i++)
                bytes[i] = guest_byte(run, address + i);
            pixel_to_rgb(surface->format, bytes, rgb + 3 * ((size_t)y * region->width + x));
        }
}

enum harness_status harness_picture_write_rgb(const uint8_t *rgb, uint32_t width, uint32_t height, const char *path,
                                              struct harness_error *error)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *const file = malloc(size);
    enum harness_status status = HARNESS_NO_MEMORY;
    if (file == NULL)
        status = harness_fail_memory(error);
    else if (!png_image_write_to_memory(&image, file, &size, 0, rgb, 0, NULL))
        status = harness_fail(error, HARNESS_HOST, "%s: cannot be encoded: %s", path, image.message);
    else
        status = harness_file_write(path, file, size, error);
    png_image_free(&image);
    free(file);
    return status;
}

enum harness_status harness_picture_write(const struct oracle_run *run, const struct oracle_surface *surface,
                                          const char *path, struct harness_error *error)
{
    if (surface->width == 0 || surface->height == 0 || surface->width > HARNESS_PICTURE_MAX_SIDE ||
        surface->height > HARNESS_PICTURE_MAX_SIDE)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: a picture of %ux%u is not written (sides are 1-%d)", path,
                            (unsigned)surface->width, (unsigned)surface->height, HARNESS_PICTURE_MAX_SIDE);
    uint8_t *const rows = malloc((size_t)3 * surface->width * surface->height);
    if (rows == NULL)
        return harness_fail_memory(error);
    const struct harness_region whole = { 0, 0, surface->width, surface->height };
    harness_picture_region(run, surface, &whole, rows);
    const enum harness_status status = harness_picture_write_rgb(rows, surface->width, surface->height, path, error);
    free(rows);
    return status;
}

void harness_picture_digest(const uint8_t *rgb, uint32_t width, uint32_t height, char out[HARNESS_PICTURE_DIGEST])
{
    const XXH128_hash_t hash = XXH3_128bits_withSeed(rgb, (size_t)3 * width * height, (uint64_t)width << 32 | height);
    (void)snprintf(out, HARNESS_PICTURE_DIGEST, "%016llx%016llx", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64);
}
