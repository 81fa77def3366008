/*
 * Texture images as colours (pica/images.h): every texel of a level, in the order of memory rows, decoded as a unit
 * would read it now. Row 0 of memory is the one with the greatest coordinate (TEX-21), so the image is upright. The
 * machine does not change: reads are not tracked, events are not recorded.
 */
#include "reference/reference.h"
#include "reference/texture.h"

#include "reference/gpu.h"

/* TEX-22, TEX-23: whole tiles of 64 texels, and the last tile even where the level is no multiple of 8. */
static uint32_t level_bytes(const struct ref_level *level)
{
    if (level->width == 0 || level->height == 0)
        return 0;
    const uint32_t tile = ((level->height - 1u) >> 3) * (level->width >> 3) + ((level->width - 1u) >> 3);
    return (tile + 1u) * 8u * ref_texel_bits(level->format);
}

/* PICA_BAD_ARGUMENT where the unit is not live (TEX-16) or has no such face or level. */
static enum pica_status find(const struct ref_gpu *gpu, const struct pica_image *wanted, struct ref_image *image,
                             struct ref_level *level)
{
    if (wanted->unit > 2)
        return PICA_BAD_ARGUMENT;
    ref_image_decode(gpu, wanted->unit, image);
    if (image->state != REF_UNIT_LIVE || wanted->level > image->max_level ||
        wanted->face >= (ref_is_cube(image->type) ? 6u : 1u))
        return PICA_BAD_ARGUMENT;
    ref_image_level(image, wanted->face, wanted->level, level);
    return PICA_OK;
}

enum pica_status ref_find_image(void *instance, uint32_t unit, uint32_t face, uint32_t level, struct pica_image *out)
{
    struct ref_image image;
    struct ref_level found;
    *out = (struct pica_image){ .unit = unit, .face = face, .level = level };
    const enum pica_status status = find(instance, out, &image, &found);
    if (status != PICA_OK)
        return status;
    out->type = image.type;
    out->format = image.format;
    out->faces = ref_is_cube(image.type) ? 6u : 1u;
    out->levels = image.max_level + 1u;
    out->address = found.address;
    out->bytes = level_bytes(&found);
    out->width = found.width;
    out->height = found.height;
    return PICA_OK;
}

enum pica_status ref_read_image(void *instance, const struct pica_image *wanted, uint8_t *rgba, size_t size)
{
    struct ref_gpu *const gpu = instance;
    struct ref_image image;
    struct ref_level level;
    const enum pica_status status = find(gpu, wanted, &image, &level);
    if (status != PICA_OK || size != (size_t)4 * level.width * level.height)
        return PICA_BAD_ARGUMENT;
    uint64_t *const tracked = gpu->read;
    gpu->read = NULL;
    for (uint32_t row = 0; row < level.height; row++)
        for (uint32_t col = 0; col < level.width; col++)
            (void)ref_texel(gpu, &level, col, row, rgba + 4 * ((size_t)row * level.width + col));
    gpu->read = tracked;
    return PICA_OK;
}
