/* The pictures of what changed: before, after, and the difference, as files that are named after their contents. */
#include "harness/report/regress_parts.h"
#include "harness/run/pictures.h"

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

/* A report_picture_writer; `user` is the comparison. */
static enum harness_status write_picture(const void *user, const struct oracle_run runs[2],
                                         struct report_picture *picture, unsigned number, struct harness_error *error)
{
    const size_t size = (size_t)3 * picture->width * picture->height;
    uint8_t *const pixels = report_draw_picture(&runs[0], &runs[1], picture);
    (void)number;
    if (pixels == NULL)
        return harness_fail_memory(error);
    enum harness_status status = write_one(user, pixels, picture, picture->first, error);
    if (status == HARNESS_OK)
        status = write_one(user, pixels + size, picture, picture->second, error);
    if (status == HARNESS_OK)
        status = write_one(user, pixels + 2 * size, picture, picture->difference, error);
    free(pixels);
    return status;
}

enum harness_status regress_write_pictures(const struct harness_regress *regress, struct regress_entry *entry,
                                           const struct oracle_run runs[2], const struct harness_surfaces *surfaces,
                                           struct harness_error *error)
{
    return report_find_pictures(runs, surfaces, MOST_SIDE, write_picture, regress, &entry->pictures, error);
}
