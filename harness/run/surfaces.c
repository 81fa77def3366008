#include "harness/run/surfaces.h"

const char *harness_surface_origin_name(enum harness_surface_origin origin)
{
    switch (origin) {
    case HARNESS_SURFACE_COLOR: return "colour buffer";
    case HARNESS_SURFACE_DEPTH: return "depth buffer";
    case HARNESS_SURFACE_TRANSFER: return "transfer output";
    }
    return "surface"; /* not reached */
}

void harness_surfaces_clear(struct harness_surfaces *surfaces, const struct pica_choices *choices)
{
    surfaces->choices = *choices;
    surfaces->count = 0;
    surfaces->dropped = 0;
}

bool harness_surface_is_same(const struct oracle_surface *a, const struct oracle_surface *b)
{
    return a->address == b->address && a->width == b->width && a->height == b->height && a->pitch == b->pitch &&
           a->format == b->format && a->layout == b->layout && a->rows_reversed == b->rows_reversed;
}

void harness_surfaces_add(struct harness_surfaces *surfaces, const struct oracle_surface *surface,
                          enum harness_surface_origin origin)
{
    for (size_t i = 0; i < surfaces->count; i++)
        if (surfaces->items[i].origin == origin && harness_surface_is_same(&surfaces->items[i].surface, surface))
            return;
    if (surfaces->count == HARNESS_MAX_SURFACES) {
        surfaces->dropped++;
        return;
    }
    surfaces->items[surfaces->count].surface = *surface;
    surfaces->items[surfaces->count].origin = origin;
    surfaces->count++;
}

void harness_surfaces_observe(void *user, const struct pica_draw *draw)
{
    struct harness_surfaces *const surfaces = user;
    struct oracle_surface surface;
    if (oracle_color_surface(draw->registers, &surfaces->choices, &surface))
        harness_surfaces_add(surfaces, &surface, HARNESS_SURFACE_COLOR);
    if (oracle_depth_surface(draw->registers, &surfaces->choices, &surface))
        harness_surfaces_add(surfaces, &surface, HARNESS_SURFACE_DEPTH);
}

void harness_surfaces_add_operation(struct harness_surfaces *surfaces, const struct pica_operation *operation)
{
    struct oracle_surface surface;
    if (operation->kind == PICA_OPERATION_DISPLAY_TRANSFER &&
        oracle_transfer_surface(operation->words, &surfaces->choices, &surface))
        harness_surfaces_add(surfaces, &surface, HARNESS_SURFACE_TRANSFER);
}
