/*
 * A triangle that only one side draws at the pixel: where does the other side have it? Its trace of the pixel shows
 * nothing, so pixels are tried until one is covered there; corners that are the same say that the raster differs,
 * others that the viewport or clipping does. Triangles that both sides draw there are other triangles.
 */
#include "harness/localise/localise_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 16,     /* triangles over a pixel */
    TRIED = 512,   /* pixels */
    COVERED = 4,   /* of them, where the other side draws something */
    NEAR_UNITS = 1 /* of 1/16 pixel: rounding */
};

/* One triangle of a trace. */
struct corners {
    uint32_t clip[3][4], screen[3][2];
    uint32_t clip_mask, screen_mask;
};

/* The triangles over one pixel. */
struct triangles {
    struct corners items[MOST];
    struct corners current;
    uint32_t count; /* MOST: those that came later are not known */
};

struct look {
    const struct corners *wanted;
    struct triangles sides[2]; /* of the side that draws the triangle, of the other one */
    enum harness_elsewhere found;
    uint32_t covered; /* pixels */
};

static bool is_near(const struct corners *a, const struct corners *b)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (llabs((int64_t)(int32_t)a->screen[i][k] - (int32_t)b->screen[i][k]) > NEAR_UNITS)
                return false;
    return true;
}

static bool has(const struct triangles *triangles, const struct corners *corners)
{
    for (uint32_t i = 0; i < triangles->count; i++)
        if (memcmp(triangles->items[i].screen, corners->screen, sizeof corners->screen) == 0)
            return true;
    return false;
}

/* Of several triangles the one that is most alike counts: the enumerators are in that order. */
static void compare(struct look *look, const struct corners *b)
{
    const struct corners *const a = look->wanted;
    enum harness_elsewhere found = HARNESS_ELSEWHERE_CLIP;
    if (memcmp(a->screen, b->screen, sizeof a->screen) == 0)
        found = HARNESS_ELSEWHERE_SAME;
    else if (is_near(a, b))
        found = HARNESS_ELSEWHERE_NEAR;
    else if (a->clip_mask != 7 || b->clip_mask != 7 || memcmp(a->clip, b->clip, sizeof a->clip) == 0)
        found = HARNESS_ELSEWHERE_SCREEN;
    if (found > look->found)
        look->found = found;
}

static void take_step(void *user, const struct pica_trace_step *step)
{
    struct triangles *const triangles = user;
    struct corners *const current = &triangles->current;
    if (step->index <= 2 && harness_localise_is_step(step, PICA_TRACE_ID_CLIP_POSITION)) {
        memcpy(current->clip[step->index], step->values, sizeof current->clip[0]);
        current->clip_mask |= 1u << step->index;
    } else if (step->index <= 2 && harness_localise_is_step(step, PICA_TRACE_ID_SCREEN_POSITION)) {
        memcpy(current->screen[step->index], step->values, sizeof current->screen[0]);
        current->screen_mask |= 1u << step->index;
        if (current->screen_mask != 7)
            return;
        if (triangles->count < MOST)
            triangles->items[triangles->count++] = *current;
        memset(current, 0, sizeof *current);
    }
}

/* False: a side cannot be traced. */
static bool look_at(struct harness_localise *search, const struct harness_location *out, int other, uint32_t x,
                    uint32_t y, struct look *look)
{
    const struct pica_trace_request request = { out->draw, PICA_TRACE_PIXEL, x, y };
    struct triangles *const drawing = &look->sides[0], *const here = &look->sides[1];
    drawing->count = here->count = 0;
    memset(&here->current, 0, sizeof here->current);
    if (!harness_localise_trace(search, other, out->command, &request, take_step, here))
        return false;
    if (here->count == 0)
        return true;
    look->covered++;
    memset(&drawing->current, 0, sizeof drawing->current);
    if (!harness_localise_trace(search, 1 - other, out->command, &request, take_step, drawing))
        return false;
    for (uint32_t i = 0; i < here->count; i++)
        if (memcmp(here->items[i].screen, look->wanted->screen, sizeof look->wanted->screen) == 0 ||
            !has(drawing, &here->items[i]))
            compare(look, &here->items[i]);
    return true;
}

void harness_localise_elsewhere(struct harness_localise *search, const struct harness_location *out)
{
    const int other = out->relation == ORACLE_TRACE_ONLY_FIRST ? 1 : 0;
    const uint32_t width = out->pixel.surface.width, height = out->pixel.surface.height;
    struct corners wanted = { .clip_mask = search->clip_mask, .screen_mask = 7 };
    struct look look = { .wanted = &wanted };
    memcpy(wanted.clip, search->clip, sizeof wanted.clip);
    memcpy(wanted.screen, out->corners, sizeof wanted.screen);
    bool traced = true;
    for (uint32_t i = 0; traced && i < TRIED && width != 0 && i / width < height && look.covered < COVERED &&
                         look.found != HARNESS_ELSEWHERE_SAME;
         i++)
        traced = look_at(search, out, other, i % width, height - 1 - i / width, &look);
    search->elsewhere = look.found;
    if (look.covered == 0 && traced)
        search->elsewhere = HARNESS_ELSEWHERE_NOWHERE;
}
