/* The pictures of what changed: before, after, and the difference, as files that are named after their contents. */
#include "harness/report/regress_parts.h"
#include "harness/run/pictures.h"
#include "oracles/equal.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_SIDE = 1024 /* of what is shown: a screen and more; of larger buffers the part around the first pixel */
};

static enum harness_status write_one(const struct harness_regress *regress, const uint8_t *rgb,
                                     const struct report_picture *picture, char name[REPORT_FILE],
                                     struct harness_error *error)
{
    char path[4096], digest[HARNESS_PICTURE_DIGEST];
    harness_picture_digest(rgb, picture->width, picture->height, digest);
    (void)snprintf(name, REPORT_FILE, "pictures/%s.png", digest);
    const enum harness_status status = report_path(regress->directory, "", name, path, sizeof path, error);
    return status == HARNESS_OK ? harness_picture_write_rgb(rgb, picture->width, picture->height, path, error) : status;
}

static enum harness_status write_picture(const struct harness_regress *regress, struct report_picture *picture,
                                         const struct oracle_run runs[2], struct harness_error *error)
{
    const size_t size = (size_t)3 * picture->width * picture->height;
    uint8_t *const pixels = report_draw_picture(&runs[0], &runs[1], picture);
    if (pixels == NULL)
        return harness_fail_memory(error);
    enum harness_status status = write_one(regress, pixels, picture, picture->first, error);
    if (status == HARNESS_OK)
        status = write_one(regress, pixels + size, picture, picture->second, error);
    if (status == HARNESS_OK)
        status = write_one(regress, pixels + 2 * size, picture, picture->difference, error);
    free(pixels);
    return status;
}

/* The picture of one buffer, if the two differ in it. */
static enum harness_status add_picture(const struct harness_regress *regress, struct regress_entry *entry,
                                       const struct oracle_run runs[2], const struct oracle_surface *surface,
                                       const char *origin, bool is_screen, struct harness_error *error)
{
    struct oracle_pixels_difference difference;
    oracle_pixels_compare(&runs[0], &runs[1], surface, &difference);
    if (difference.pixels == 0 || entry->picture_count == REPORT_MAX_PICTURES)
        return HARNESS_OK;
    struct report_picture *const picture = &entry->pictures[entry->picture_count++];
    *picture = (struct report_picture){ .surface = *surface,
                                        .origin = origin,
                                        .is_screen = is_screen,
                                        .differing = difference.pixels,
                                        .first_x = difference.x,
                                        .first_y = difference.y };
    report_choose_part(picture, MOST_SIDE);
    return write_picture(regress, picture, runs, error);
}

enum harness_status regress_write_pictures(const struct harness_regress *regress, struct regress_entry *entry,
                                           const struct oracle_run runs[2], const struct harness_surfaces *surfaces,
                                           struct harness_error *error)
{
    const struct oracle_run *const both[2] = { &runs[0], &runs[1] };
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; status == HARNESS_OK && i < ORACLE_SCREENS; i++) {
        struct report_screen screen;
        if (!report_screen_open(both, (enum oracle_screen)i, &screen))
            continue;
        status = add_picture(regress, entry, screen.runs, &screen.surface, oracle_screen_name((enum oracle_screen)i),
                             true, error);
        report_screen_close(&screen);
    }
    for (size_t i = 0; status == HARNESS_OK && i < surfaces->count; i++)
        status = add_picture(regress, entry, runs, &surfaces->items[i].surface,
                             harness_surface_origin_name(surfaces->items[i].origin), false, error);
    return status;
}
