/*
 * Rounds of draw_blocks: random triangles and blocks of random pixels, with a state that the test makes. Every
 * instruction set leaves the bytes that the scalar kernels leave on the general way, and no other byte; so does the
 * quick way where the state is open to it (fast/draw/quick.h).
 */
#ifndef TESTS_KERNELS_BLOCK_ROUNDS_H
#define TESTS_KERNELS_BLOCK_ROUNDS_H

#include "fast/tiles/triangle.h"
#include "tests/kernels/kernel_sets.h"

enum {
    ROUND_TRIANGLES = 4,
    ITEMS_MAX = 56,   /* of all triangles: more than a kernel takes at a time */
    BLOCK_BYTES = 64, /* of one surface, at most */
    STAGE_ROUNDS = 300 / TEST_PART,
    STAGE_RANGES = 6
};

struct block_round {
    const char *kernel; /* for messages */
    struct harness_random random;
    struct fast_gpu *gpu;
    struct fast_triangle triangles[ROUND_TRIANGLES];
    struct fast_block_item items[ITEMS_MAX];
    uint32_t place[ITEMS_MAX]; /* of the item's pixels in the surfaces below */
    uint32_t count;
    bool follows[ITEMS_MAX];                    /* the item is part of a span: together with the one before it */
    uint8_t before[2][ITEMS_MAX * BLOCK_BYTES]; /* colour, depth */
    uint8_t scalar[2][ITEMS_MAX * BLOCK_BYTES];
};

struct block_round *block_round_create(const char *kernel);
void block_round_destroy(struct block_round *round);

/* A round in order: memory, tables, registers and pixels at random; triangles, mostly such as the quick way takes if
 * `bounded`; their blocks. */
void block_round_memory(struct block_round *round, uint64_t seed);
void block_round_triangles(struct block_round *round, bool bounded);
void block_round_items(struct block_round *round);

/* Returns whether the scalar kernels changed any byte. The state must be decoded, and draw. */
bool block_round_run(struct block_round *round, uint32_t number, const struct kernel_set *sets, uint32_t set_count);

/* A stage alone: its registers are random, all others such that a draw stores the colour of its vertices. */
struct stage_rounds {
    const char *kernel; /* the file of fast/kernels */
    struct {
        uint32_t first, last;
    } registers[STAGE_RANGES];                                          /* of the stage; ends with first = 0 */
    void (*adjust)(uint32_t *registers, struct harness_random *random); /* may be NULL */
    uint32_t quick_least; /* rounds that draw on the quick way: at least */
};
void expect_stage_alike(const struct stage_rounds *stage);

/* The combiner shows a source: for `adjust`. */
void show_source(uint32_t *registers, uint32_t source);

#endif
