/*
 * A plug-in that draws with OpenGL ES, as accelerated emulators do: vertices are shaded on the CPU (here by
 * `reference`), triangles go to the host's GL, and the picture is read back into guest memory. It draws colours, one
 * texture and blending; every draw that needs more is PICA_NOT_SUPPORTED, so that its case is not tested. It rounds as
 * GL does: gl.quirks says how far results may differ; generated.quirks removes what it lacks from generated cases.
 */
#ifndef GL_GL_H
#define GL_GL_H

#include "pica/backend.h"

#include <stdbool.h>

enum {
    GL_MOST_VERTICES = 4096, /* of a draw, after assembly */
    GL_SLOTS = 24            /* of a final vertex (SHD-80) */
};

/* A draw as the rasterizer gets it. */
struct gl_draw {
    const uint32_t *registers;
    float (*vertices)[GL_SLOTS]; /* three for each triangle */
    uint32_t vertex_count;
    bool swap_factors; /* the bug that can be switched on: source and destination factor exchanged */
};

/* A picture as GL has it: rows from the bottom, bytes r, g, b, a. */
struct gl_picture {
    uint32_t width, height;
    uint8_t *pixels;
};

struct gl_host;

/* An off-screen context; NULL if this machine has none. */
struct gl_host *gl_host_create(void);
void gl_host_destroy(struct gl_host *host); /* accepts NULL */

/* Draws over `target`, with `texture` in unit 0, or NULL. False if GL complains. */
bool gl_host_draw(struct gl_host *host, const struct gl_draw *draw, struct gl_picture *target,
                  const struct gl_picture *texture);

/* supported.c: can this plug-in do everything that the registers ask for? */
bool gl_supports(const uint32_t *registers);

#endif
