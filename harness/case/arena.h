/*
 * A bump allocator: everything of a case comes from its arena and goes with it. Nothing is freed singly, so editing a
 * case leaves garbage until it is copied (a copy is compact) or reset.
 */
#ifndef HARNESS_ARENA_H
#define HARNESS_ARENA_H

#include <stddef.h>

struct harness_arena_block;

struct harness_arena {
    struct harness_arena_block *blocks; /* newest first */
    size_t used;                        /* bytes handed out since init or reset */
};

/* All memory that one arena may hold; beyond it harness_arena_take returns NULL. */
static const size_t HARNESS_ARENA_MAX = (size_t)1 << 30;

void harness_arena_init(struct harness_arena *arena);
void harness_arena_free(struct harness_arena *arena);

/* Forgets all contents but keeps one block, so that a case can be reused without malloc. */
void harness_arena_reset(struct harness_arena *arena);

/* `size` bytes of zeros, aligned for any type; NULL if the host refuses. A size of 0 gives a valid pointer. */
void *harness_arena_take(struct harness_arena *arena, size_t size);

/* The same without the zeros: the caller writes whatever is read. */
void *harness_arena_raw(struct harness_arena *arena, size_t size);

/* count * size bytes of zeros, NULL on overflow too. */
void *harness_arena_array(struct harness_arena *arena, size_t count, size_t size);

/* Copies; NULL if the host refuses. */
void *harness_arena_copy(struct harness_arena *arena, const void *bytes, size_t size);
char *harness_arena_text(struct harness_arena *arena, const char *text, size_t length);

#endif
