#include "harness/console/shown.h"

#include "harness/fingerprint/split.h"
#include "harness/run/backends.h"
#include "harness/run/image.h"
#include "harness/run/runner.h"

#include <stdlib.h>
#include <string.h>

enum {
    TILE_PIXELS = 64
};

/* ---------------------------------------------------------------------------------------------------------- pixels */

static uint32_t top(uint8_t channel, uint32_t bits)
{
    return (uint32_t)channel >> (8 - bits);
}

/* Bits of a pixel that the screen does not show. */
static uint32_t alpha_mask(uint32_t format)
{
    static const uint32_t masks[CONSOLE_SHOW_FORMATS] = { 0xFF, 0, 0, 1, 0xF }; /* RGBA8, RGB8, RGB565, RGB5A1, RGBA4 */
    return masks[format];
}

/* The pixel in memory of which the screen shows these colours: however it widens a channel to 8 bits, the upper bits
 * are those of memory. */
static uint32_t color_bits(uint32_t format, const uint8_t rgb[3])
{
    switch (format) {
    case 0: return (uint32_t)rgb[0] << 24 | (uint32_t)rgb[1] << 16 | (uint32_t)rgb[2] << 8;
    case 1: return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    case 2: return top(rgb[0], 5) << 11 | top(rgb[1], 6) << 5 | top(rgb[2], 5);
    case 3: return top(rgb[0], 5) << 11 | top(rgb[1], 5) << 6 | top(rgb[2], 5) << 1;
    default: return top(rgb[0], 4) << 12 | top(rgb[1], 4) << 8 | top(rgb[2], 4) << 4;
    }
}

static void put_pixel(uint8_t *at, uint32_t format, const uint8_t rgb[3])
{
    const uint32_t bits = color_bits(format, rgb), kept = alpha_mask(format);
    for (uint32_t i = 0; i < console_show_bytes(format); i++)
        at[i] = (uint8_t)((at[i] & kept >> 8 * i) | bits >> 8 * i);
}

/* ------------------------------------------------------------------------------------------------------------ range */

/* Bytes of a part as it lies in memory, gaps between its rows included. */
static uint32_t part_bytes(const struct console_show *show)
{
    return ((show->rows - 1) * (show->tiles + show->gap) + show->tiles) * TILE_PIXELS *
           console_show_bytes(show->format);
}

/* A part's place in the case, whose windows may have been moved; 0: not in them. */
static uint32_t address_of(const struct console_show *show, const struct harness_program *program,
                           const struct harness_program *moved)
{
    const uint32_t there = show->address - CONSOLE_VRAM_VIRTUAL + CONSOLE_VRAM_PHYSICAL;
    const struct harness_program *const ran = moved != NULL ? moved : program;
    for (uint32_t w = 0; w < ran->setup.window_count; w++)
        if (console_range_in(there, part_bytes(show), ran->setup.windows[w].address, ran->setup.windows[w].size))
            return there - ran->setup.windows[w].address + program->setup.windows[w].address;
    return 0;
}

static void extend(struct pica_window *range, uint32_t address, uint32_t bytes)
{
    const uint32_t end = range->address + range->size;
    if (range->size == 0) {
        *range = (struct pica_window){ address, bytes };
        return;
    }
    const uint32_t first = address < range->address ? address : range->address;
    range->size = (address + bytes > end ? address + bytes : end) - first;
    range->address = first;
}

/* `at` is what `reference` leaves there, `loaded` what was there. True: a pixel that it draws is seen like that. */
static bool put_part(uint8_t *at, const uint8_t *loaded, const struct console_picture *picture)
{
    const struct console_show *const show = &picture->show;
    const uint32_t pixel = console_show_bytes(show->format);
    bool is_drawn = false;
    for (uint32_t i = 0; i < show->rows * show->tiles * TILE_PIXELS; i++) {
        const size_t place = (size_t)(i + i / TILE_PIXELS / show->tiles * show->gap * TILE_PIXELS) * pixel;
        uint8_t expected[4];
        memcpy(expected, at + place, pixel);
        put_pixel(at + place, show->format, picture->rgb + 3 * (size_t)i);
        is_drawn =
            is_drawn || (memcmp(expected, loaded + place, pixel) != 0 && memcmp(expected, at + place, pixel) == 0);
    }
    return is_drawn;
}

/* ------------------------------------------------------------------------------------------------------------ alpha */

/* Does the side leave other colours than the normative side, but the same alpha? The image has the normative side's
 * alpha: together with another side's colours, if that has other alpha, it would be what no side leaves. */
static bool is_told_by_color(const struct harness_split *split, uint32_t side, const struct console_shown *shown,
                             uint32_t format)
{
    const uint32_t alpha = alpha_mask(format), mask = console_show_bytes(format) == 2 ? alpha << 16 | alpha : alpha;
    uint32_t others = 0;
    for (uint32_t i = 0; i < split->places.count; i++) {
        const struct harness_word_place *const place = &split->places.at[i];
        if (place->kind == HARNESS_WORD_OF_MEMORY &&
            console_range_in(place->address, 4, shown->range.address, shown->range.size))
            others |= split->sides[side].at[i] ^ split->sides[0].at[i];
    }
    return (others & ~mask) != 0 && (others & mask) == 0;
}

/* Is it the case of a known choice whose sides cannot all be told apart by colours alone? */
static bool is_told_by_alpha(const char *name, const struct console_shown *shown, uint32_t format)
{
    const char *const slash = strrchr(name, '/');
    const struct pica_choice_info *const info = pica_choice_by_name(slash != NULL ? slash + 1 : name);
    struct harness_split split;
    bool told = false;
    if (info == NULL || harness_split_open(&split, info->choice, NULL) != HARNESS_OK)
        return false;
    for (uint32_t side = 1; side < pica_side_count(info->choice); side++)
        told = told || !is_told_by_color(&split, side, shown, format);
    harness_split_free(&split);
    return told;
}

/* ------------------------------------------------------------------------------------------------------------- case */

/* The memory that `reference` leaves. */
static enum harness_status run_reference(const struct harness_program *program, uint8_t *image,
                                         struct harness_error *error)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct harness_runner *runner = NULL;
    struct oracle_run run;
    enum pica_status status = harness_runner_create(reference, &options, &runner);
    if (status == PICA_OK)
        status = harness_runner_run_case(runner, &program->setup, program->operations, program->count);
    if (status == PICA_OK)
        status = harness_runner_collect(runner, &run);
    if (status == PICA_OK)
        harness_image_take(&run, image);
    harness_runner_destroy(runner);
    return status == PICA_OK ? HARNESS_OK : harness_fail_memory(error);
}

/* Are all its parts on screenshots, once or alike, and in its windows? */
static enum console_shown_kind look(const struct console_screenshots *screenshots, uint32_t case_index,
                                    const struct harness_program *program, const struct harness_program *moved,
                                    struct pica_window *range)
{
    const struct console_picture *picture = NULL;
    enum console_shown_kind kind = CONSOLE_SHOWN_COLORS;
    uint32_t part = 0;
    for (; (picture = console_screenshots_part(screenshots, case_index, part)) != NULL; part++) {
        const uint32_t address = address_of(&picture->show, program, moved);
        if (picture->rgb == NULL || address == 0)
            return CONSOLE_SHOWN_NOTHING;
        if (picture->is_double)
            kind = CONSOLE_SHOWN_UNSTABLE;
        extend(range, address, part_bytes(&picture->show));
    }
    return part != 0 ? kind : CONSOLE_SHOWN_NOTHING;
}

enum harness_status console_shown_take(const struct console_screenshots *screenshots, uint32_t case_index,
                                       const char *name, const struct harness_program *program,
                                       const struct harness_program *moved, struct console_shown *out,
                                       struct harness_error *error)
{
    const struct console_picture *picture = console_screenshots_part(screenshots, case_index, 0);
    *out = (struct console_shown){ .image = NULL };
    out->kind = look(screenshots, case_index, program, moved, &out->range);
    if (out->kind == CONSOLE_SHOWN_COLORS && is_told_by_alpha(name, out, picture->show.format))
        out->kind = CONSOLE_SHOWN_ALPHA;
    if (out->kind != CONSOLE_SHOWN_COLORS)
        return HARNESS_OK;
    const size_t size = harness_image_size(&program->setup);
    uint8_t *const loaded = malloc(size);
    out->image = malloc(size);
    enum harness_status status =
        loaded != NULL && out->image != NULL ? run_reference(program, out->image, error) : harness_fail_memory(error);
    if (status == HARNESS_OK)
        harness_image_loads(&program->setup, program->operations, program->count, loaded);
    for (uint32_t part = 0; status == HARNESS_OK; part++) {
        picture = console_screenshots_part(screenshots, case_index, part);
        if (picture == NULL)
            break;
        const uint32_t address = address_of(&picture->show, program, moved);
        if (put_part(harness_image_at(&program->setup, out->image, address, 1),
                     harness_image_at(&program->setup, loaded, address, 1), picture))
            out->is_drawn = true;
    }
    if (status != HARNESS_OK) {
        free(out->image);
        out->image = NULL;
    }
    free(loaded);
    return status;
}
