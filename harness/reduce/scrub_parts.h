/* Shared by the files of the scrubber; only scrub*.c include this. */
#ifndef HARNESS_REDUCE_SCRUB_PARTS_H
#define HARNESS_REDUCE_SCRUB_PARTS_H

#include "harness/reduce/reduce_pass.h"
#include "harness/reduce/scrub.h"

enum {
    SCRUB_IMAGES = 3, /* ways to replace a byte, the one that reveals least first */
    SCRUB_KEPT = SCRUB_IMAGES
};

/* Original contents of the case: a chunk, a load, or the list of a run. */
struct scrub_block {
    uint32_t index; /* in the case: of the chunk, or chunk_count + of the operation */
    uint32_t from;  /* first operation of the program that may read it */
    uint32_t address, size;
    const uint8_t *bytes;          /* the original ones */
    bool fixed;                    /* a pattern: made up already */
    uint32_t *pieces;              /* of each byte: the piece that it is part of */
    uint8_t *images[SCRUB_IMAGES]; /* each byte, replaced */
};

/* Bytes that are read as a unit: a texture, an attribute of an array. The first piece holds all bytes that nothing
 * reads. */
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

/* The smallest unit of replacement: neighbouring runs of one piece. */
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
    uint32_t unknown;       /* the piece of those vertices in lists that could not be told apart */
    struct scrub_run *runs; /* by kind, piece, block, place */
    uint32_t run_count;
    struct scrub_atom *atoms; /* in that order */
    uint32_t atom_count;
};

/* `flat` is the case after scrub_flatten. Destroy *out also after a failure; it may be NULL then. */
enum harness_status scrub_plan_create(const struct harness_case *test_case, const struct harness_case *flat,
                                      struct scrub_plan **out, struct harness_error *error);
void scrub_plan_destroy(struct scrub_plan *plan); /* accepts NULL */

/* Cuts the atoms that `flat` still needs into smaller ones. *finer: whether there were any to be cut. False without
 * memory. */
bool scrub_plan_refine(struct scrub_plan *plan, const struct harness_case *flat, bool *finer);

/* Fills the images of all pieces except vertices in lists. */
void scrub_images_fill(struct scrub_plan *plan);

/* Fills the images of vertices in lists, before the pieces are cut. Vertices that cannot be told apart go into the
 * piece `unknown`. */
bool scrub_lists_fill(struct scrub_plan *plan, const struct harness_case *test_case);

/* scrub_flatten turns typed lists into bytes, scrub_restore turns them back after the changes. False if memory runs
 * out. */
bool scrub_flatten(struct harness_case *test_case);
bool scrub_restore(struct harness_case *test_case, const struct harness_case *flat);

/* The range of an attribute's numbers by component; NaN is ignored. */
struct scrub_box {
    double least[4], most[4];
};
void scrub_box_clear(struct scrub_box *box);
void scrub_box_take(struct scrub_box *box, uint32_t component, double number);

/* Names one number of an attribute; scrub_box_number gives its replacement in a variant. */
struct scrub_place {
    uint32_t piece, vertex, component;
};
double scrub_box_number(const struct scrub_box *box, const struct scrub_place *place, double number, uint32_t variant);

/* The number of the image that an atom of the case holds, or SCRUB_KEPT. */
uint32_t scrub_atom_rank(const struct scrub_plan *plan, uint32_t atom, const struct harness_case *test_case);

/* The bytes of a block in a case derived from the original. */
uint8_t *scrub_block_bytes(const struct harness_case *test_case, const struct scrub_block *block);

#endif
