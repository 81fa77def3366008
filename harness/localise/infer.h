/* What the files that infer a stage share. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_INFER_H
#define HARNESS_LOCALISE_INFER_H

#include "harness/localise/experiment.h"
#include "pica/stage_words.h"

enum {
    MOST_LAYERS = 64
};

/* The teller's traced values of the last triangle that covers the pixel; has_* tells which are known. */
struct pixel_values {
    bool covered;
    bool has_color, has_fog, has_result, has_depth;
    uint32_t depth;                       /* binary32 bits */
    uint32_t color[4], fog[4], result[4]; /* of the combiners, after fog, of blending or the logic operation */
    uint32_t has_sources;                 /* mask, by enum pica_tev_source: what the combiners may read */
    uint32_t stored;                      /* bits of the pixel afterwards, in its format */
    bool has_stored;
    const char *alone; /* the stage that writes the pixel instead of those after the combiners, or NULL */
    uint32_t layers[MOST_LAYERS], layer_count; /* `stored` of the triangles before the last one */
};

struct inference {
    struct harness_location *out;
    struct experiment *experiment;
    uint32_t command;        /* the last one that is run */
    struct pica_state state; /* from which the experiments begin */
    uint8_t list[EXPERIMENT_LIST];
    uint32_t list_bytes;
    uint32_t ran;       /* number of experiments so far */
    bool vertices_only; /* only vertices need be tested: if they agree, the stage is known already */
    struct pixel_values values;
    struct vertices *vertices; /* the teller's (infer_vertices.c), or NULL */
};

/* Undoes what an experiment changed. */
void infer_restore(struct inference *inference);

/* Names the stage, because the difference is gone after the change that `what` describes. */
void infer_name(struct inference *inference, enum pica_stage_word stage, const char *what);
void infer_count(struct inference *inference, const struct outcome *outcome);

bool infer_has_geometry(const struct pica_state *state);

/* Sends the teller's trace of a draw of the guilty operation to `sink`. False if there is none. */
bool infer_trace(struct inference *inference, uint32_t draw, enum pica_trace_subject subject, pica_trace_sink sink,
                 void *user);

/* Do the vertices, or a stage between them and the first pixel, make the difference? If so, names the stage. The draws
 * first_draw to end_draw - 1 are those that the experiment runs. */
bool infer_vertices(struct inference *inference, uint32_t first_draw, uint32_t end_draw);

/* Puts the final vertices in place of what the list draws, with the slots `from` (enum pica_outmap_semantic) as their
 * colours, from 0 to 1. False if they are not known. */
bool infer_give_as_colors(struct inference *inference, const uint32_t from[4]);

/* Puts one triangle there that covers all of the framebuffer, in as many colours as fit. False if that cannot be
 * done. */
bool infer_cover(struct inference *inference);

/* Fills inference->values from the teller's trace of the last draw that covers the pixel. False if there is none. */
bool infer_trace_pixel(struct inference *inference, uint32_t first_draw, uint32_t end_draw);

/* Did the other side draw the triangles over the pixel in another order? If so, names the stage. */
bool infer_order(struct inference *inference);

/* Does the difference come from a pixel stage that can be switched off? If so, names the stage. */
bool infer_neutral(struct inference *inference);

/* Names the stage of the pixel that makes the difference, or the one that remains when all others are excluded. */
bool infer_pixel(struct inference *inference);

#endif
