/* What the files of the scrubber share. Only scrub*.c include this. */
#ifndef HARNESS_REDUCE_SCRUB_PARTS_H
#define HARNESS_REDUCE_SCRUB_PARTS_H

#include "harness/reduce/reduce_pass.h"
#include "harness/reduce/scrub.h"

enum {
    SCRUB_IMAGES = 3, /* ways to replace a byte, the one that says least first */
    SCRUB_KEPT = SCRUB_IMAGES
};

/* Contents of the case as they were: a chunk, a load, the list of a run. */
struct scrub_block {
    uint32_t index; /* in the case: of the chunk, or chunk_count + of the operation */
    uint32_t from;  /* operations of the program from this one on may read it */
    uint32_t address, size;
    const uint8_t *bytes;          /* as they were */
    bool fixed;                    /* a pattern: made up already */
    uint32_t *pieces;              /* of each byte: the piece that it is part of */
    uint8_t *images[SCRUB_IMAGES]; /* each byte, replaced */
};

/* What is read as one: a texture, an attribute of an array. The first piece is all that nothing reads. */
struct scrub_piece {
    struct harness_read read;
    uint64_t bytes; /* that can be replaced */
    uint32_t first_run, run_count;
    uint32_t first_atom, atom_count;
};

struct scrub_run {
    uint32_t piece;
    uint32_t block, from, size;
    bool begins; /* it is the first one of an atom */
};

/* The least that is replaced by itself: neighbouring runs of one piece. */
struct scrub_atom {
    uint32_t piece;
    uint32_t first_run, run_count;
};

struct scrub_plan {
    struct harness_case *original;   /* lists are bytes in it */
    struct harness_program *program; /* of the original */
    struct scrub_block *blocks;
    uint32_t block_count;
    struct scrub_piece *pieces;
    uint32_t piece_count;
    uint32_t unknown;       /* the piece of vertices in lists that nobody could tell from others */
    struct scrub_run *runs; /* by kind, piece, block, place */
    uint32_t run_count;
    struct scrub_atom *atoms; /* in that order */
    uint32_t atom_count;
};

/* `flat` is the case after scrub_flatten. *out is to be destroyed also after a failure; NULL then at most. */
enum harness_status scrub_plan_create(const struct harness_case *test_case, const struct harness_case *flat,
                                      struct scrub_plan **out, struct harness_error *error);
void scrub_plan_destroy(struct scrub_plan *plan); /* accepts NULL */

/* Cuts the atoms that `flat` still needs into smaller ones. *finer: whether there were any to be cut. False without
 * memory. */
bool scrub_plan_refine(struct scrub_plan *plan, const struct harness_case *flat, bool *finer);

/* Fills the images of all pieces but vertices in lists. */
void scrub_images_fill(struct scrub_plan *plan);

/* Those of vertices in lists, before the pieces are cut: what cannot be told becomes part of the piece `unknown`. */
bool scrub_lists_fill(struct scrub_plan *plan, const struct harness_case *test_case);

/* Typed lists become bytes, and what came of these becomes lists again; false without memory. */
bool scrub_flatten(struct harness_case *test_case);
bool scrub_restore(struct harness_case *test_case, const struct harness_case *flat);

/* What the numbers of an attribute lie between; NaN is no number. */
struct scrub_box {
    double least[4], most[4];
};
void scrub_box_clear(struct scrub_box *box);
void scrub_box_take(struct scrub_box *box, uint32_t component, double number);

/* The number of a variant instead of this one. */
struct scrub_place {
    uint32_t piece, vertex, component;
};
double scrub_box_number(const struct scrub_box *box, const struct scrub_place *place, double number, uint32_t variant);

/* Which image an atom of the case holds, SCRUB_KEPT if none. */
uint32_t scrub_atom_rank(const struct scrub_plan *plan, uint32_t atom, const struct harness_case *test_case);

/* The bytes of a block in a case that began as the original. */
uint8_t *scrub_block_bytes(const struct harness_case *test_case, const struct scrub_block *block);

#endif
