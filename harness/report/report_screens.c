/* What a screen shows, as a buffer: so that pictures of screens are made like all others. */
#include "harness/report/report_parts.h"
#include "oracles/screens.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* RGB8 has blue first in memory (FBF-10). */
static void store(uint8_t *bytes, const uint8_t *rgb, size_t size)
{
    for (size_t i = 0; i < size; i += 3) {
        bytes[i] = rgb[i + 2];
        bytes[i + 1] = rgb[i + 1];
        bytes[i + 2] = rgb[i];
    }
}

bool report_screen_open(const struct oracle_run *const runs[2], enum oracle_screen screen, struct report_screen *out)
{
    const size_t size = oracle_screen_bytes(screen);
    memset(out, 0, sizeof *out);
    if (runs[0]->screens[screen] == NULL || runs[1]->screens[screen] == NULL ||
        memcmp(runs[0]->screens[screen], runs[1]->screens[screen], size) == 0)
        return false;
    out->bytes = malloc(2 * size);
    if (out->bytes == NULL)
        return false;
    out->window = (struct pica_window){ 0, (uint32_t)size };
    out->surface = (struct oracle_surface){ .width = oracle_screen_columns(screen),
                                            .height = PICA_SCREEN_LINES,
                                            .pitch = oracle_screen_columns(screen),
                                            .format = ORACLE_FORMAT_RGB8,
                                            .layout = ORACLE_LAYOUT_LINEAR };
    for (size_t side = 0; side < 2; side++) {
        store(out->bytes + side * size, runs[side]->screens[screen], size);
        out->runs[side] = (struct oracle_run){ .backend = runs[side]->backend,
                                               .window_count = 1,
                                               .windows = &out->window,
                                               .memory = { out->bytes + side * size } };
    }
    return true;
}

void report_screen_close(struct report_screen *screen)
{
    free(screen->bytes);
    screen->bytes = NULL;
}

void report_picture_title(const struct report_picture *picture, struct harness_text *out)
{
    const struct oracle_surface *const surface = &picture->surface;
    harness_text_add(out, picture->origin);
    if (!picture->is_screen)
        harness_text_format(out, " at 0x%08" PRIX32, surface->address);
    harness_text_format(out, ", %" PRIu32 "x%" PRIu32, surface->width, surface->height);
    if (!picture->is_screen)
        harness_text_format(out, " %s", oracle_format_name(surface->format));
}
