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
    const uint8_t *bytes; /* as they were */
    bool fixed;           /* a list or a pattern: stays as it is */
    bool is_pattern;
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
};

/* The least that is replaced by itself: neighbouring runs of one piece. */
struct scrub_atom {
    uint32_t piece;
    uint32_t first_run, run_count;
};

struct scrub_plan {
    struct harness_case *original;
    struct harness_program *program; /* of the original */
    struct scrub_block *blocks;
    uint32_t block_count;
    struct scrub_piece *pieces;
    uint32_t piece_count;
    struct scrub_run *runs; /* by kind, piece, block, place */
    uint32_t run_count, run_capacity;
    struct scrub_atom *atoms; /* in that order */
    uint32_t atom_count;
};

/* *out is to be destroyed also after a failure; NULL then at most. */
enum harness_status scrub_plan_create(const struct harness_case *test_case, struct scrub_plan **out,
                                      struct harness_error *error);
void scrub_plan_destroy(struct scrub_plan *plan); /* accepts NULL */

/* Fills the images of all pieces. */
void scrub_images_fill(struct scrub_plan *plan);

/* Which image an atom of the case holds, SCRUB_KEPT if none. */
uint32_t scrub_atom_rank(const struct scrub_plan *plan, uint32_t atom, const struct harness_case *test_case);

/* The bytes of a block in a case that began as the original. */
uint8_t *scrub_block_bytes(const struct harness_case *test_case, const struct scrub_block *block);

#endif
