/*
 * Experiments: the end of a case, begun from the state that one side (the teller) was in there, with something changed.
 * Both sides run it whole, and memory says whether they still differ. Nothing else is asked of the other side: no
 * budget, no state, no trace. Private to harness/localise.
 */
#ifndef HARNESS_LOCALISE_EXPERIMENT_H
#define HARNESS_LOCALISE_EXPERIMENT_H

#include "harness/localise/localise_parts.h"

enum {
    EXPERIMENT_LIST = 1 << 16,                      /* bytes for the list ... */
    EXPERIMENT_BYTES = EXPERIMENT_LIST + (1 << 18), /* ... and for vertices after it */
    EXPERIMENT_PIXEL = 8                            /* bytes of a pixel at most */
};

struct experiment {
    struct harness_localise *search;
    int teller;
    struct harness_checkpoint *checkpoint; /* the teller, before command `first` */
    uint32_t first;                        /* commands of the list that are not run again */
    struct pica_state state;               /* what it begins from: may be changed */
    struct pica_setup setup;               /* of the last run: the runners borrow it */
    struct pica_window windows[PICA_MAX_WINDOWS];
    struct pica_chunk chunks[PICA_MAX_WINDOWS];
    uint32_t window_count;
    uint32_t scratch;                /* address of a window of its own */
    uint8_t bytes[EXPERIMENT_BYTES]; /* what lies there: may be changed */
    uint32_t list_bytes;             /* of the list at its start; 0: the guilty operation runs as it is */

    /* The pixel in question, and what the teller has there when nothing is changed. */
    bool has_pixel;
    struct oracle_surface surface;
    uint32_t x, y;
    uint8_t pixel[EXPERIMENT_PIXEL];
    uint8_t before[EXPERIMENT_PIXEL];      /* ... and before the draw */
    bool draws_nothing;                    /* the teller leaves all of memory as it was */
    bool has_background;                   /* `before` is put there before the list runs */
    uint8_t other_pixel[EXPERIMENT_PIXEL]; /* what the other side has there after the last run */
};

/* What came of one. */
struct outcome {
    bool ran;          /* both sides took it */
    bool same;         /* all of memory */
    bool teller_whole; /* the teller's memory is as it is when nothing is changed */
    bool same_pixel;
    bool teller_pixel; /* the teller's pixel is as it is when nothing is changed */
    bool other_drew;   /* the other side's pixel is not what was there before the draw */
};

/* An address for `size` bytes where no window is, or 0. */
uint32_t experiment_free_address(const struct pica_setup *setup, uint32_t size);

/* Starts from the state after the first `first` commands, changing nothing; the rest ends with command `last`. */
bool experiment_prepare(struct experiment *experiment, uint32_t first, uint32_t last);

/* Begins the list with command `command`, which writes nothing but takes as many words. False if there is no room. */
bool experiment_put_skipped(struct experiment *experiment, uint32_t command, uint32_t last);

/* Replaces the list by one write. */
void experiment_write_list(struct experiment *experiment, uint32_t id, uint32_t value);

/* Runs it on both sides. */
void experiment_run(struct experiment *experiment, struct outcome *out);

/* Runs it with the scratch window behind the list full of one byte: do both change it, and to the same? */
bool experiment_stores_alike(struct experiment *experiment);

/* Runs it as it is, and keeps what the teller has then: `teller_whole` and `teller_pixel` compare with that. */
bool experiment_keep(struct experiment *experiment, struct outcome *out);

/* After that: a pixel in which the teller has what was there before may be drawn or not, and an experiment that draws
 * nothing there looks as if nothing had changed. If the teller draws it whatever was there, something else is there
 * from here on. *out: as it is then. */
void experiment_put_background(struct experiment *experiment, struct outcome *out);

#endif
