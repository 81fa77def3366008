/*
 * Histories of pixels in bulk: in one run, all fragments that reached any of the wanted pixels, with the pixel's bits
 * before and after each. This is not part of the interface of backend.h; of the backends, `reference` offers it
 * (reference.h). It changes no result.
 */
#ifndef PICA_VISITS_H
#define PICA_VISITS_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stdint.h>

/* What the observer wants to be told about a fragment. */
enum pica_visit_wish {
    PICA_VISIT_UNWANTED = 0,
    PICA_VISIT_ALONE = 1,     /* struct pica_visit */
    PICA_VISIT_WITH_STEPS = 2 /* first its steps (pica/trace.def), then struct pica_visit */
};

/* Which test ended a fragment (FBF-21). */
enum pica_visit_end {
    PICA_VISIT_PASSED = 0, /* no test did; fragment modes 1 to 3 have no tests */
    PICA_VISIT_ALPHA_TEST = 1,
    PICA_VISIT_STENCIL_TEST = 2,
    PICA_VISIT_DEPTH_TEST = 3
};

/* A pixel of one buffer: its bits as stored, in the format of the buffer. */
struct pica_visit_pixel {
    uint32_t bytes; /* size of the pixel, 1-4; 0: the draw does not use this buffer, and all other members are 0 */
    uint32_t address;
    uint32_t before;
    uint32_t after;
};

/* One fragment: a triangle that covers the pixel and that the scissor test lets through (RST-04, SCS-01). */
struct pica_visit {
    uint32_t draw;     /* since load, as struct pica_trace_request counts */
    uint32_t triangle; /* number among the triangles of the draw, after clipping, that are not culled */
    uint32_t x, y;     /* RST-01 coordinates (y up) */
    enum pica_visit_end end;
    bool has_written; /* it wrote colour, depth or stencil, even if the stored bits stayed the same */
    struct pica_visit_pixel color;
    struct pica_visit_pixel depth; /* with the stencil byte in bits 31:24, where the format has one */
};

/* The observer: its functions, and `user`, which each of them gets. */
struct pica_visits {
    /* Asked for every fragment, before anything of it is computed. */
    enum pica_visit_wish (*wants)(void *user, uint32_t draw, uint32_t x, uint32_t y);
    /* Asked for every vertex, by its number i of VTX-20: whether its steps are wanted. NULL: no vertex is wanted. */
    bool (*wants_vertex)(void *user, uint32_t draw, uint32_t vertex);
    /* Gets a step of the fragment or vertex that was asked about last. NULL: no steps are wanted. */
    pica_trace_sink step;
    /* Called when a wanted fragment is over. */
    void (*visit)(void *user, const struct pica_visit *visit);
    void *user;
};

#endif
