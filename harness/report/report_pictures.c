/* The pictures of a finding: both sides, what differs, and the first differing pixel enlarged. */
#include "harness/report/report_parts.h"
#include "harness/run/pictures.h"
#include "oracles/equal.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PART_SIDE = 128,  /* largest part of a buffer that is shown, to keep folders small */
    SHOWN_SIDE = 256, /* small parts are enlarged up to this */
    ZOOM_SIDE = 15,   /* pixels around the first differing one */
    ZOOM_SCALE = 12,
    ZOOM_GAP = 12,
    SHADE_LEAST = 104, /* of a difference of 1 */
    SHADE_STEP = 21    /* of one twice as large */
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The first of `side` pixels around `at`, inside 0 .. size. */
static uint32_t window_start(uint32_t at, uint32_t size, uint32_t side)
{
    const uint32_t start = at > side / 2 ? at - side / 2 : 0;
    return size <= side ? 0 : smaller(start, size - side);
}

/* Each pixel of `in` as a square of `scale` pixels at column x of `out`, whose lines are `pitch` pixels long. */
static void enlarge(const uint8_t *in, uint32_t width, uint32_t height, uint32_t scale, uint8_t *out, uint32_t pitch)
{
    for (uint32_t y = 0; y < height * scale; y++)
        for (uint32_t x = 0; x < width * scale; x++)
            memcpy(out + 3 * ((size_t)y * pitch + x), in + 3 * ((size_t)(y / scale) * width + x / scale), 3);
}

static enum harness_status write_enlarged(const struct harness_report *report, const struct report_entry *entry,
                                          const char *file, const uint8_t *rgb, const struct report_picture *picture,
                                          struct harness_error *error)
{
    char path[4096];
    const uint32_t width = picture->width * picture->scale, height = picture->height * picture->scale;
    uint8_t *const large = malloc((size_t)3 * width * height);
    if (large == NULL)
        return harness_fail_memory(error);
    enlarge(rgb, picture->width, picture->height, picture->scale, large, width);
    enum harness_status status = report_path(report->directory, entry->name, file, path, sizeof path, error);
    if (status == HARNESS_OK)
        status = harness_picture_write_rgb(large, width, height, path, error);
    free(large);
    return status;
}

/* By the largest difference of a channel, by powers of two: 104 for 1, 125 for 2 and 3, 251 for 128 to 255; 0: none. */
static uint8_t shade_of(const uint8_t *first, const uint8_t *second)
{
    uint32_t largest = 0, shade = 0;
    for (int c = 0; c < 3; c++) {
        const uint32_t difference = (uint32_t)abs(first[c] - second[c]);
        largest = difference > largest ? difference : largest;
    }
    for (; largest != 0; largest >>= 1)
        shade = shade == 0 ? SHADE_LEAST : shade + SHADE_STEP;
    return (uint8_t)shade;
}

static void mark_differences(const struct oracle_run *a, const struct oracle_run *b,
                             const struct report_picture *picture, const uint8_t *first, const uint8_t *second,
                             uint8_t *out)
{
    static const uint8_t same[3] = { 32, 32, 32 }, hidden[3] = { 255, 64, 64 };
    for (uint32_t y = 0; y < picture->height; y++)
        for (uint32_t x = 0; x < picture->width; x++) {
            const size_t i = 3 * ((size_t)y * picture->width + x);
            const uint8_t grey = shade_of(first + i, second + i);
            if (grey != 0)
                memset(out + i, grey, 3);
            else if (oracle_pixel_equal(a, b, &picture->surface, picture->left + x, picture->top + y))
                memcpy(out + i, same, 3);
            else
                memcpy(out + i, hidden, 3);
        }
}

uint8_t *report_draw_picture(const struct oracle_run *a, const struct oracle_run *b,
                             const struct report_picture *picture)
{
    const struct harness_region region = { picture->left, picture->top, picture->width, picture->height };
    const size_t size = (size_t)3 * picture->width * picture->height;
    uint8_t *const pixels = malloc(3 * size);
    if (pixels == NULL)
        return NULL;
    harness_picture_region(a, &picture->surface, &region, pixels);
    harness_picture_region(b, &picture->surface, &region, pixels + size);
    mark_differences(a, b, picture, pixels, pixels + size, pixels + 2 * size);
    return pixels;
}

/* The surroundings of the first differing pixel: first backend on the left, second on the right. */
static enum harness_status write_zoom(const struct harness_report *report, const struct report_entry *entry,
                                      const struct oracle_run *a, const struct oracle_run *b,
                                      const struct report_picture *picture, struct harness_error *error)
{
    const struct oracle_surface *const surface = &picture->surface;
    const uint32_t row = surface->height - 1 - picture->first_y;
    const struct harness_region region = { window_start(picture->first_x, surface->width, ZOOM_SIDE),
                                           window_start(row, surface->height, ZOOM_SIDE),
                                           smaller(surface->width, ZOOM_SIDE), smaller(surface->height, ZOOM_SIDE) };
    const uint32_t half = region.width * ZOOM_SCALE, height = region.height * ZOOM_SCALE;
    const uint32_t width = 2 * half + ZOOM_GAP;
    uint8_t small[3 * ZOOM_SIDE * ZOOM_SIDE];
    uint8_t *const large = malloc((size_t)3 * width * height);
    if (large == NULL)
        return harness_fail_memory(error);
    memset(large, 255, (size_t)3 * width * height);
    harness_picture_region(a, surface, &region, small);
    enlarge(small, region.width, region.height, ZOOM_SCALE, large, width);
    harness_picture_region(b, surface, &region, small);
    enlarge(small, region.width, region.height, ZOOM_SCALE, large + 3 * (size_t)(half + ZOOM_GAP), width);
    /* a ring around the pixel, on both sides */
    const uint32_t x0 = (picture->first_x - region.x) * ZOOM_SCALE, y0 = (row - region.y) * ZOOM_SCALE;
    for (uint32_t i = 0; i < ZOOM_SCALE; i++)
        for (uint32_t side = 0; side < 2; side++) {
            const uint32_t x = x0 + side * (half + ZOOM_GAP);
            const size_t ring[4] = { (size_t)y0 * width + x + i, (size_t)(y0 + ZOOM_SCALE - 1) * width + x + i,
                                     (size_t)(y0 + i) * width + x, (size_t)(y0 + i) * width + x + ZOOM_SCALE - 1 };
            for (int k = 0; k < 4; k++)
                memcpy(large + 3 * ring[k], (const uint8_t[3]){ 255, 0, 255 }, 3);
        }
    char path[4096];
    enum harness_status status = report_path(report->directory, entry->name, picture->zoom, path, sizeof path, error);
    if (status == HARNESS_OK)
        status = harness_picture_write_rgb(large, width, height, path, error);
    free(large);
    return status;
}

/* What writes the pictures of a finding. */
struct folder {
    const struct harness_report *report;
    const struct report_entry *entry;
};

/* A report_picture_writer; `user` is a struct folder. Small parts are enlarged. */
static enum harness_status write_picture(const void *user, const struct oracle_run runs[2],
                                         struct report_picture *picture, unsigned number, struct harness_error *error)
{
    const struct folder *const folder = user;
    const struct harness_report *const report = folder->report;
    const struct report_entry *const entry = folder->entry;
    const uint32_t longer = picture->width > picture->height ? picture->width : picture->height;
    const size_t size = (size_t)3 * picture->width * picture->height;
    uint8_t *const pixels = report_draw_picture(&runs[0], &runs[1], picture);
    if (pixels == NULL)
        return harness_fail_memory(error);
    picture->scale = longer * 2 > SHOWN_SIDE ? 1 : SHOWN_SIDE / longer;
    (void)snprintf(picture->first, sizeof picture->first, "buffer%u-first.png", number);
    (void)snprintf(picture->second, sizeof picture->second, "buffer%u-second.png", number);
    (void)snprintf(picture->difference, sizeof picture->difference, "buffer%u-difference.png", number);
    (void)snprintf(picture->zoom, sizeof picture->zoom, "buffer%u-zoom.png", number);
    enum harness_status status = write_enlarged(report, entry, picture->first, pixels, picture, error);
    if (status == HARNESS_OK)
        status = write_enlarged(report, entry, picture->second, pixels + size, picture, error);
    if (status == HARNESS_OK)
        status = write_enlarged(report, entry, picture->difference, pixels + 2 * size, picture, error);
    if (status == HARNESS_OK)
        status = write_zoom(report, entry, &runs[0], &runs[1], picture, error);
    free(pixels);
    return status;
}

enum harness_status report_write_pictures(const struct harness_report *report, struct report_entry *entry,
                                          const struct oracle_run runs[2], const struct harness_surfaces *surfaces,
                                          struct harness_error *error)
{
    const struct folder folder = { report, entry };
    return report_find_pictures(runs, surfaces, PART_SIDE, write_picture, &folder, &entry->pictures, error);
}

/* ---------------------------------------------------------------------------------------------------------- finding */

/* Where pictures of a pair of runs go. */
struct finder {
    uint32_t side;
    report_picture_writer write;
    const void *user;
    struct report_pictures *out;
};

/* The pictures of one buffer, if the two differ in it. */
static enum harness_status add_picture(const struct finder *finder, const struct oracle_run runs[2],
                                       const struct oracle_surface *surface, const char *origin, bool is_screen,
                                       struct harness_error *error)
{
    struct oracle_pixels_difference difference;
    oracle_pixels_compare(&runs[0], &runs[1], surface, &difference);
    if (difference.pixels == 0 || finder->out->count == REPORT_MAX_PICTURES)
        return HARNESS_OK;
    const unsigned number = (unsigned)finder->out->count++;
    struct report_picture *const picture = &finder->out->items[number];
    const uint32_t row = surface->height - 1 - difference.y;
    *picture = (struct report_picture){ .surface = *surface,
                                        .origin = origin,
                                        .is_screen = is_screen,
                                        .differing = difference.pixels,
                                        .first_x = difference.x,
                                        .first_y = difference.y,
                                        .left = window_start(difference.x, surface->width, finder->side),
                                        .top = window_start(row, surface->height, finder->side),
                                        .width = smaller(surface->width, finder->side),
                                        .height = smaller(surface->height, finder->side),
                                        .scale = 1 };
    return finder->write(finder->user, runs, picture, number, error);
}

enum harness_status report_find_pictures(const struct oracle_run runs[2], const struct harness_surfaces *surfaces,
                                         uint32_t side, report_picture_writer write, const void *user,
                                         struct report_pictures *out, struct harness_error *error)
{
    const struct oracle_run *const both[2] = { &runs[0], &runs[1] };
    const struct finder finder = { side, write, user, out };
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; status == HARNESS_OK && i < ORACLE_SCREENS; i++) {
        struct report_screen screen;
        if (!report_screen_open(both, (enum oracle_screen)i, &screen))
            continue;
        status =
            add_picture(&finder, screen.runs, &screen.surface, oracle_screen_name((enum oracle_screen)i), true, error);
        report_screen_close(&screen);
    }
    for (size_t i = 0; status == HARNESS_OK && i < surfaces->count; i++)
        status = add_picture(&finder, runs, &surfaces->items[i].surface,
                             harness_surface_origin_name(surfaces->items[i].origin), false, error);
    return status;
}

cJSON *report_picture_json(const struct report_picture *picture, const char *first, const char *second)
{
    const struct oracle_surface *const surface = &picture->surface;
    struct harness_text text = { 0 };
    cJSON *const object = cJSON_CreateObject();
    report_picture_title(picture, &text);
    cJSON_AddStringToObject(object, "title", harness_text_string(&text));
    cJSON_AddStringToObject(object, "buffer", picture->origin);
    if (!picture->is_screen)
        cJSON_AddNumberToObject(object, "address", surface->address);
    cJSON_AddNumberToObject(object, "differing", (double)picture->differing);
    cJSON_AddNumberToObject(object, "x", picture->first_x);
    cJSON_AddNumberToObject(object, "y", picture->first_y);
    if (picture->width != surface->width || picture->height != surface->height) {
        harness_text_clear(&text);
        harness_text_format(&text, "%" PRIu32 "x%" PRIu32, picture->width, picture->height);
        cJSON_AddStringToObject(object, "part", harness_text_string(&text));
    }
    cJSON_AddStringToObject(object, first, picture->first);
    cJSON_AddStringToObject(object, second, picture->second);
    cJSON_AddStringToObject(object, "difference", picture->difference);
    if (picture->zoom[0] != '\0')
        cJSON_AddStringToObject(object, "zoom", picture->zoom);
    harness_text_free(&text);
    return object;
}
