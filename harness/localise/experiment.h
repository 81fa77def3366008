/*
 * Experiments for a side that shows nothing but memory. The other side, the teller, reports its state. An experiment
 * changes something in that state and runs the rest of the case from there on both sides, without a budget; memory
 * tells whether they still differ. The side that is not the teller needs neither budgets nor traces, nor need it report
 * its state. Private to harness/localise.
 */
#ifndef HARNESS_LOCALISE_EXPERIMENT_H
#define HARNESS_LOCALISE_EXPERIMENT_H

#include "harness/localise/localise_parts.h"

enum {
    EXPERIMENT_LIST = 1 << 16,     /* bytes for the list ... */
    EXPERIMENT_VERTICES = 1 << 18, /* ... for vertices after it ... */
    EXPERIMENT_PICTURE = 3 << 18,  /* ... and for what is drawn there instead of where the case draws it */
    EXPERIMENT_BYTES = EXPERIMENT_LIST + EXPERIMENT_VERTICES + EXPERIMENT_PICTURE,
    EXPERIMENT_PIXEL = 8 /* bytes of a pixel at most */
};

struct experiment {
    struct harness_localise *search;
    int teller;
    struct harness_checkpoint *checkpoint; /* the teller, before command `first` */
    uint32_t first;                        /* commands of the list that are not run again */
    struct pica_state state;               /* the state that a run begins from: may be changed */
    struct pica_setup setup;               /* of the last run: the runners borrow it */
    struct pica_window windows[PICA_MAX_WINDOWS];
    struct pica_chunk chunks[PICA_MAX_WINDOWS];
    uint32_t window_count;
    uint32_t scratch;                /* address of a window of its own */
    uint8_t bytes[EXPERIMENT_BYTES]; /* contents of the scratch window: may be changed */
    uint32_t list_bytes;             /* size of the list at the start of `bytes`; 0: the guilty operation runs
                                        unchanged */

    /* The pixel in question, and what the teller has there when nothing is changed. */
    bool has_pixel;
    struct oracle_surface surface;
    uint32_t x, y;
    uint8_t pixel[EXPERIMENT_PIXEL];
    uint8_t before[EXPERIMENT_PIXEL];      /* ... and what it has before the draw */
    bool draws_nothing;                    /* the teller leaves all of memory as it was */
    bool has_background;                   /* `before` is put there before the list runs */
    uint8_t other_pixel[EXPERIMENT_PIXEL]; /* what the other side has there after the last run */
};

/* The outcome of one experiment. "Unchanged": in the run of experiment_keep. */
struct outcome {
    bool ran;          /* both sides accepted the setup and ran */
    bool same;         /* all of memory is the same on both sides */
    bool teller_whole; /* the teller's memory is as in the unchanged run */
    bool same_pixel;
    bool teller_pixel; /* the teller's pixel is as in the unchanged run */
    bool other_drew;   /* the other side's pixel is not what was there before the draw */
};

/* An address where `size` bytes lie in no window, or 0. */
uint32_t experiment_free_address(const struct pica_setup *setup, uint32_t size);

/* Prepares a run of commands `first` + 1 to `last` from the teller's state after the first `first` commands, with
 * nothing changed yet. False if that cannot be done. */
bool experiment_prepare(struct experiment *experiment, uint32_t first, uint32_t last);

/* Makes the list begin with a command of the same length as `command` that writes nothing. False if there is no
 * room. */
bool experiment_put_skipped(struct experiment *experiment, uint32_t command, uint32_t last);

/* Replaces the list by one write. */
void experiment_write_list(struct experiment *experiment, uint32_t id, uint32_t value);

/* Replaces the list by one write to `id` and then `count` words to the port `port`. False if there is no room. */
bool experiment_write_port(struct experiment *experiment, uint32_t id, uint32_t value, uint32_t port,
                           const uint32_t *words, uint32_t count);

/* Runs the experiment on both sides. */
void experiment_run(struct experiment *experiment, struct outcome *out);

/* In the last run, has the teller left memory as it was? */
bool experiment_drew_nothing(const struct experiment *experiment);

/* In the last run, did the other side change a byte of memory to something that the teller does not have there? */
bool experiment_other_wrote(const struct experiment *experiment);

/* What the two sides drew into the picture. */
enum picture {
    PICTURE_UNKNOWN, /* the teller nothing, or they did not run */
    PICTURE_SAME,
    PICTURE_OTHER
};

/* The picture's address. */
static inline uint32_t experiment_picture_address(const struct experiment *experiment)
{
    return experiment->scratch + EXPERIMENT_LIST + EXPERIMENT_VERTICES;
}

/* Runs the experiment, which draws into the picture, and compares what the two sides have there. */
enum picture experiment_picture(struct experiment *experiment);

/* Runs the experiment unchanged, and keeps the teller's result, with which `teller_whole` and `teller_pixel` compare
 * later runs. */
bool experiment_keep(struct experiment *experiment, struct outcome *out);

/* To be called after experiment_keep. If the teller leaves the pixel as it was, an experiment that draws nothing there
 * cannot be told from one that draws it. So the pixel gets another initial value for all later runs, if the teller
 * draws it whatever was there before. *out: the unchanged outcome with that value. */
void experiment_put_background(struct experiment *experiment, struct outcome *out);

#endif
