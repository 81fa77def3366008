/* The reducer's checkpoint on disk: what a later process needs to resume a reduction. */
#ifndef HARNESS_REDUCE_REDUCE_STATE_H
#define HARNESS_REDUCE_REDUCE_STATE_H

#include "harness/case/formats.h"

/* The position of the reducer. It depends only on the cases accepted so far. */
struct reduce_cursor {
    uint32_t round; /* from 0 */
    uint32_t pass;
    uint32_t size; /* things in a range; 0: the pass has not begun */
    uint32_t end;  /* ranges go from the last thing to the first: this one is [end - size, end) */
    uint32_t variant;
};

struct reduce_saved {
    struct reduce_cursor cursor;
    uint32_t round_accepted; /* changes accepted in this round */
    uint64_t tried, accepted;
    uint64_t first_bytes;
    uint32_t first_writes;
    bool careful;         /* every change is confirmed in a fresh process */
    uint32_t blame_after; /* the localiser is asked again after this many accepted changes */
};

/* The two cases of a checkpoint: the best so far, and the last best one that was confirmed in a fresh process. */
struct reduce_cases {
    struct harness_case *best;
    struct harness_case *sure; /* when saving: NULL if it is the same as `best` */
};

/* `identity`: one line of text. The file appears whole or not at all. */
enum harness_status harness_reduce_save(const char *path, const char *identity, const struct reduce_saved *saved,
                                        const struct reduce_cases *cases, struct harness_error *error);

/* Fills `saved` and both cases. Returns false and changes nothing if there is no such file or its identity differs. The
 * cursor is at the start if the file was written with another list of passes. */
bool harness_reduce_restore(const char *path, const char *identity, struct reduce_saved *saved,
                            const struct reduce_cases *cases);

#endif
