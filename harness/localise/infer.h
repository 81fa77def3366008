/* What the files that infer a stage share. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_INFER_H
#define HARNESS_LOCALISE_INFER_H

#include "harness/localise/experiment.h"
#include "pica/stage_words.h"

struct inference {
    struct harness_location *out;
    struct experiment *experiment;
    uint32_t command;        /* the last one that is run */
    struct pica_state state; /* that the experiments begin from */
    uint8_t list[EXPERIMENT_LIST];
    uint32_t list_bytes;
    uint32_t ran; /* experiments */
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

/* Which stage of the pixel makes the difference? The last of the draws that covers it is traced. */
bool infer_pixel(struct inference *inference, uint32_t first_draw, uint32_t end_draw);

#endif
