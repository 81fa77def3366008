/* Which pictures a case makes: the distinct colour and depth buffers its draws used, and outputs of transfers. */
#ifndef HARNESS_RUN_SURFACES_H
#define HARNESS_RUN_SURFACES_H

#include "oracles/pixels.h"
#include "pica/backend.h"

#include <stddef.h>

enum {
    HARNESS_MAX_SURFACES = 64
};

enum harness_surface_origin {
    HARNESS_SURFACE_COLOR = 0,
    HARNESS_SURFACE_DEPTH = 1,
    HARNESS_SURFACE_TRANSFER = 2
};

struct harness_surface {
    struct oracle_surface surface;
    enum harness_surface_origin origin;
};

/* Distinct surfaces in the order of their first use; those beyond HARNESS_MAX_SURFACES are only counted. */
struct harness_surfaces {
    struct pica_choices choices; /* of the machine that has them */
    struct harness_surface items[HARNESS_MAX_SURFACES];
    size_t count;
    size_t dropped;
};

/* "colour buffer", "depth buffer", "transfer output". Static. */
const char *harness_surface_origin_name(enum harness_surface_origin origin);

/* None, on a machine that takes these sides of known choices. */
void harness_surfaces_clear(struct harness_surfaces *surfaces, const struct pica_choices *choices);

/* The same buffer in every respect: address, size, pitch, format, layout, order of rows? */
bool harness_surface_is_same(const struct oracle_surface *a, const struct oracle_surface *b);

/* Adds the surface unless it is there already. */
void harness_surfaces_add(struct harness_surfaces *surfaces, const struct oracle_surface *surface,
                          enum harness_surface_origin origin);

/* A pica_draw_observer; `user` is a struct harness_surfaces. */
void harness_surfaces_observe(void *user, const struct pica_draw *draw);

/* Adds the output of a display transfer; other operations are ignored. */
void harness_surfaces_add_operation(struct harness_surfaces *surfaces, const struct pica_operation *operation);

#endif
