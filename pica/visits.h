/*
 * Histories of pixels in bulk: every fragment that reached any of the pixels that are asked for, in one run, with what
 * the pixel was before and afterwards. A backend may offer that beside the interface of backend.h; `reference` does.
 * It changes no result.
 */
#ifndef PICA_VISITS_H
#define PICA_VISITS_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stdint.h>

/* What is wanted of a fragment. */
enum pica_visit_wish {
    PICA_VISIT_UNWANTED = 0,
    PICA_VISIT_ALONE = 1,     /* struct pica_visit */
    PICA_VISIT_WITH_STEPS = 2 /* before that also its steps (pica/trace.def) */
};

/* Which test ended a fragment (FBF-21). */
enum pica_visit_end {
    PICA_VISIT_PASSED = 0, /* none; in fragment modes 1 to 3 there is none */
    PICA_VISIT_ALPHA_TEST = 1,
    PICA_VISIT_STENCIL_TEST = 2,
    PICA_VISIT_DEPTH_TEST = 3
};

/* A pixel of one buffer: its bits as stored, in its format. */
struct pica_visit_pixel {
    uint32_t bytes; /* 1-4; 0: the draw uses no such buffer, and the rest is 0 */
    uint32_t address;
    uint32_t before;
    uint32_t after;
};

/* One fragment: a triangle that covers the pixel and that the scissor test lets through (RST-04, SCS-01). */
struct pica_visit {
    uint32_t draw;     /* since load, as struct pica_trace_request counts */
    uint32_t triangle; /* of those of the draw that are not culled, fans of the clipper cut up */
    uint32_t x, y;     /* RST-01 coordinates (y up) */
    enum pica_visit_end end;
    bool has_written; /* colour, depth or stencil, if only what was there before */
    struct pica_visit_pixel color;
    struct pica_visit_pixel depth; /* with the stencil byte in bits 31:24, where the format has one */
};

/* Who asks. All of these get `user`. */
struct pica_visits {
    /* Asked for every fragment, before anything of it is computed. */
    enum pica_visit_wish (*wants)(void *user, uint32_t draw, uint32_t x, uint32_t y);
    /* Asked for every vertex, by its number i of VTX-20: steps? NULL: of none. */
    bool (*wants_vertex)(void *user, uint32_t draw, uint32_t vertex);
    /* A step of the fragment or vertex that was asked about last; NULL: none are wanted. */
    pica_trace_sink step;
    /* The fragment is over. */
    void (*visit)(void *user, const struct pica_visit *visit);
    void *user;
};

#endif
