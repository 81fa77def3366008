#include "harness/case/arena.h"

#include <stdlib.h>
#include <string.h>

struct harness_arena_block {
    struct harness_arena_block *next;
    size_t capacity;
    size_t used;
};

static const size_t FIRST_BLOCK = 4096;
static const size_t LARGEST_STEP = (size_t)1 << 20;

static size_t round_up(size_t size)
{
    return (size + 15u) & ~(size_t)15u;
}

static size_t header_size(void)
{
    return round_up(sizeof(struct harness_arena_block));
}

void harness_arena_init(struct harness_arena *arena)
{
    arena->blocks = NULL;
    arena->used = 0;
}

void harness_arena_free(struct harness_arena *arena)
{
    struct harness_arena_block *block = arena->blocks;
    while (block != NULL) {
        struct harness_arena_block *const next = block->next;
        free(block);
        block = next;
    }
    harness_arena_init(arena);
}

void harness_arena_reset(struct harness_arena *arena)
{
    struct harness_arena_block *const kept = arena->blocks;
    if (kept == NULL)
        return;
    struct harness_arena rest = { kept->next, 0 };
    harness_arena_free(&rest);
    kept->next = NULL;
    kept->used = 0;
    arena->used = 0;
}

/* A new block that holds at least `size` bytes; blocks double up to LARGEST_STEP. */
static struct harness_arena_block *grow(struct harness_arena *arena, size_t size)
{
    size_t capacity = arena->blocks == NULL ? FIRST_BLOCK : arena->blocks->capacity * 2;
    if (capacity > LARGEST_STEP)
        capacity = LARGEST_STEP;
    if (capacity < size)
        capacity = size;
    struct harness_arena_block *const block = malloc(header_size() + capacity);
    if (block == NULL)
        return NULL;
    block->next = arena->blocks;
    block->capacity = capacity;
    block->used = 0;
    arena->blocks = block;
    return block;
}

void *harness_arena_raw(struct harness_arena *arena, size_t size)
{
    if (size > HARNESS_ARENA_MAX || arena->used > HARNESS_ARENA_MAX - size)
        return NULL;
    const size_t rounded = round_up(size);
    struct harness_arena_block *block = arena->blocks;
    if (block == NULL || block->capacity - block->used < rounded)
        block = grow(arena, rounded);
    if (block == NULL)
        return NULL;
    unsigned char *const bytes = (unsigned char *)block + header_size() + block->used;
    block->used += rounded;
    arena->used += rounded;
    return bytes;
}

void *harness_arena_take(struct harness_arena *arena, size_t size)
{
    void *const bytes = harness_arena_raw(arena, size);
    if (bytes != NULL)
        memset(bytes, 0, size);
    return bytes;
}

void *harness_arena_array(struct harness_arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > HARNESS_ARENA_MAX / size)
        return NULL;
    return harness_arena_take(arena, count * size);
}

void *harness_arena_copy(struct harness_arena *arena, const void *bytes, size_t size)
{
    void *const copy = harness_arena_raw(arena, size);
    if (copy != NULL && size != 0)
        memcpy(copy, bytes, size);
    return copy;
}

char *harness_arena_text(struct harness_arena *arena, const char *text, size_t length)
{
    char *const copy = harness_arena_take(arena, length + 1);
    if (copy != NULL && length != 0)
        memcpy(copy, text, length);
    return copy;
}
