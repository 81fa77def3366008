/*
 * A triangle that only one side draws at the pixel: where does the other side have it? Its trace of the pixel shows
 * nothing, so pixels are tried until one is covered there; corners that are the same say that the raster differs,
 * others that the viewport or clipping does.
 */
#include "harness/localise/localise_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRIED = 512,   /* pixels */
    COVERED = 4,   /* of them, where the other side draws something */
    NEAR_UNITS = 1 /* of 1/16 pixel: rounding */
};

/* One triangle of a trace. */
struct corners {
    uint32_t clip[3][4], screen[3][2];
    uint32_t clip_mask, screen_mask;
};

struct look {
    const struct corners *wanted;
    struct corners current;
    enum harness_elsewhere found;
    uint32_t covered; /* pixels */
    bool at_this;     /* the pixel is */
};

static bool is_step(const struct pica_trace_step *step, enum pica_trace_id id)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    return step->stage != NULL && step->name != NULL && strcmp(step->stage, info->stage) == 0 &&
           strcmp(step->name, info->name) == 0 && step->index <= 2;
}

static bool is_near(const struct corners *a, const struct corners *b)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (llabs((int64_t)(int32_t)a->screen[i][k] - (int32_t)b->screen[i][k]) > NEAR_UNITS)
                return false;
    return true;
}

/* Of several triangles the one that is most alike counts: the enumerators are in that order. */
static void compare(struct look *look)
{
    const struct corners *const a = look->wanted, *const b = &look->current;
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
    struct look *const look = user;
    if (is_step(step, PICA_TRACE_ID_CLIP_POSITION)) {
        memcpy(look->current.clip[step->index], step->values, sizeof look->current.clip[0]);
        look->current.clip_mask |= 1u << step->index;
    } else if (is_step(step, PICA_TRACE_ID_SCREEN_POSITION)) {
        memcpy(look->current.screen[step->index], step->values, sizeof look->current.screen[0]);
        look->current.screen_mask |= 1u << step->index;
        if (look->current.screen_mask != 7)
            return;
        compare(look);
        look->at_this = true;
        memset(&look->current, 0, sizeof look->current);
    }
}

void harness_localise_elsewhere(struct harness_localise *search, const struct harness_location *out)
{
    const int other = out->relation == ORACLE_TRACE_ONLY_FIRST ? 1 : 0;
    const uint32_t width = out->pixel.surface.width, height = out->pixel.surface.height;
    struct corners wanted = { .clip_mask = search->clip_mask, .screen_mask = 7 };
    struct look look = { .wanted = &wanted };
    memcpy(wanted.clip, search->clip, sizeof wanted.clip);
    memcpy(wanted.screen, out->corners, sizeof wanted.screen);
    for (uint32_t i = 0; i < TRIED && width != 0 && i / width < height && look.covered < COVERED &&
                         look.found != HARNESS_ELSEWHERE_SAME;
         i++) {
        const struct pica_trace_request request = { out->draw, PICA_TRACE_PIXEL, i % width, height - 1 - i / width };
        look.at_this = false;
        memset(&look.current, 0, sizeof look.current);
        if (!harness_localise_trace(search, other, out->command, &request, take_step, &look))
            break;
        look.covered += look.at_this ? 1u : 0u;
    }
    search->elsewhere = look.found;
}
