/* What the files that infer a stage share. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_INFER_H
#define HARNESS_LOCALISE_INFER_H

#include "harness/localise/experiment.h"
#include "pica/stage_words.h"

enum {
    MOST_LAYERS = 64
};

/* The teller's values of the last triangle that covers the pixel; has_* tells which there are. */
struct pixel_values {
    bool covered;
    bool has_color, has_fog, has_result, has_depth;
    uint32_t depth;                       /* binary32 bits */
    uint32_t color[4], fog[4], result[4]; /* of the combiners, after fog, of blending or the logic operation */
    uint32_t sources[7][4];               /* by enum pica_tev_source: primary colour to texture 3 */
    uint32_t has_sources;                 /* mask */
    uint32_t stored;                      /* bits of the pixel afterwards, in its format */
    bool has_stored;
    const char *alone; /* the stage that writes it in place of all that follow the combiners, or NULL */
    uint32_t layers[MOST_LAYERS], layer_count; /* the same of triangles before the last one */
};

struct inference {
    struct harness_location *out;
    struct experiment *experiment;
    uint32_t command;        /* the last one that is run */
    struct pica_state state; /* that the experiments begin from */
    uint8_t list[EXPERIMENT_LIST];
    uint32_t list_bytes;
    uint32_t ran;       /* experiments */
    bool vertices_only; /* the stage is known already, if the vertices are sound */
    struct pixel_values values;
};

/* Undoes what an experiment changed. */
void infer_restore(struct inference *inference);

/* The difference is gone if this is done: the stage is named. */
void infer_name(struct inference *inference, enum pica_stage_word stage, const char *what);
void infer_count(struct inference *inference, const struct outcome *outcome);

bool infer_has_geometry(const struct pica_state *state);

/* The teller's trace of a draw of the guilty operation. False: none to be had. */
bool infer_trace(struct inference *inference, uint32_t draw, enum pica_trace_subject subject, pica_trace_sink sink,
                 void *user);

/* Do the vertices, or what becomes of them before the first pixel, make the difference? Then it is named. The draws
 * are those that the experiment runs. */
bool infer_vertices(struct inference *inference, uint32_t first_draw, uint32_t end_draw);

/* The teller's values of the pixel, from the last of the draws that covers it. False: there are none to be had. */
bool infer_trace_pixel(struct inference *inference, uint32_t first_draw, uint32_t end_draw);

/* Did the other side draw the triangles over the pixel in another order? Then it is named. */
bool infer_order(struct inference *inference);

/* Is it a stage of the pixel that can be switched off? Then it is named. */
bool infer_neutral(struct inference *inference);

/* Which stage of the pixel makes the difference, or what is left? */
bool infer_pixel(struct inference *inference);

#endif
