/*
 * Each chunk is a file buffers/SIDE-NUMBER.js. Numbers have their low byte first:
 *
 *   moment u32, rectangles u32, for each: surface u16, x u16, y u16, width u16, height u16, then its pixels, as
 *   stored, lines from the top; and so on to the end.
 */
#include "harness/explore/buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Inclusive; empty: left > right. */
struct box {
    uint32_t left, right, top, bottom;
};

enum harness_status explore_buffers_open(struct explore_buffers *buffers, const struct harness_surfaces *surfaces,
                                         struct harness_runner *runner, uint32_t side, const char *directory,
                                         struct harness_error *error)
{
    uint64_t most = 1;
    memset(buffers, 0, sizeof *buffers);
    buffers->surfaces = surfaces;
    buffers->runner = runner;
    buffers->side = side;
    buffers->directory = directory;
    buffers->chunk_number = UINT32_MAX;
    for (size_t i = 0; i < surfaces->count; i++) {
        const uint64_t bytes = oracle_surface_bytes(&surfaces->items[i].surface);
        buffers->was[i] = calloc(1, bytes + 1);
        if (buffers->was[i] == NULL)
            return harness_fail_memory(error);
        most = bytes > most ? bytes : most;
    }
    buffers->now = malloc(most);
    return buffers->now == NULL ? harness_fail_memory(error) : HARNESS_OK;
}

void explore_buffers_close(struct explore_buffers *buffers)
{
    for (size_t i = 0; i < HARNESS_MAX_SURFACES; i++)
        free(buffers->was[i]);
    free(buffers->now);
    harness_text_free(&buffers->chunk);
    memset(buffers, 0, sizeof *buffers);
}

static uint32_t bits_of(const uint8_t *bytes, uint32_t count)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i++)
        bits |= (uint32_t)bytes[i] << (8 * i);
    return bits;
}

/* The pixels of which `was` and `now` differ. */
static struct box changed(const struct explore_buffers *buffers, size_t index,
                          void (*tell)(void *user, const struct explore_change *change), void *user)
{
    const struct oracle_surface *const surface = &buffers->surfaces->items[index].surface;
    const uint32_t bytes = oracle_bytes_per_pixel(surface->format);
    struct box box = { UINT32_MAX, 0, UINT32_MAX, 0 };
    for (uint32_t y = 0; y < surface->height; y++)
        for (uint32_t x = 0; x < surface->width; x++) {
            const uint64_t offset = oracle_pixel_offset(surface, x, y);
            if (memcmp(buffers->was[index] + offset, buffers->now + offset, bytes) == 0)
                continue;
            box.left = x < box.left ? x : box.left;
            box.right = x > box.right ? x : box.right;
            box.top = y < box.top ? y : box.top;
            box.bottom = y;
            if (tell != NULL) {
                const struct explore_change change = { index, x, y, bits_of(buffers->was[index] + offset, bytes),
                                                       bits_of(buffers->now + offset, bytes) };
                tell(user, &change);
            }
        }
    return box;
}

/* Appends a rectangle of `was`, which by then holds what the buffer holds now. */
static void put(struct explore_buffers *buffers, size_t index, const struct box *box)
{
    const struct oracle_surface *const surface = &buffers->surfaces->items[index].surface;
    const uint32_t bytes = oracle_bytes_per_pixel(surface->format);
    explore_put16(&buffers->chunk, (uint32_t)index);
    explore_put16(&buffers->chunk, box->left);
    explore_put16(&buffers->chunk, box->top);
    explore_put16(&buffers->chunk, box->right + 1 - box->left);
    explore_put16(&buffers->chunk, box->bottom + 1 - box->top);
    for (uint32_t y = box->top; y <= box->bottom; y++)
        for (uint32_t x = box->left; x <= box->right; x++)
            harness_text_bytes(&buffers->chunk, buffers->was[index] + oracle_pixel_offset(surface, x, y), bytes);
}

enum harness_status explore_buffers_end(struct explore_buffers *buffers, struct harness_error *error)
{
    char name[64];
    if (buffers->chunk_number == UINT32_MAX || buffers->chunk.size == 0)
        return HARNESS_OK;
    (void)snprintf(name, sizeof name, "buffers/%u-%u", (unsigned)buffers->side, (unsigned)buffers->chunk_number);
    const enum harness_status status =
        explore_write_script(buffers->directory, name, &buffers->chunk, &buffers->total, error);
    harness_text_clear(&buffers->chunk);
    buffers->chunk_number = UINT32_MAX;
    return status;
}

/* Opens the chunk of a moment, if it is another one: its first picture will be whole. */
static enum harness_status turn(struct explore_buffers *buffers, uint32_t moment, bool *whole,
                                struct harness_error *error)
{
    const bool is_new = buffers->chunk_number != moment / EXPLORE_CHUNK;
    const enum harness_status status = is_new ? explore_buffers_end(buffers, error) : HARNESS_OK;
    *whole = is_new || buffers->is_behind;
    buffers->is_behind = false;
    buffers->chunk_number = moment / EXPLORE_CHUNK;
    buffers->begin = buffers->chunk.size;
    return status;
}

static enum pica_status read_surface(const struct explore_buffers *buffers, size_t index, uint64_t *size)
{
    const struct oracle_surface *const surface = &buffers->surfaces->items[index].surface;
    const struct pica_backend *const backend = harness_runner_backend(buffers->runner);
    *size = oracle_surface_bytes(surface);
    return backend->read_memory(harness_runner_instance(buffers->runner), surface->address, buffers->now, *size);
}

/* Takes a surface, and puts down what changed, or all of it. Returns how many rectangles that were: 0 or 1. */
static uint32_t take_surface(struct explore_buffers *buffers, size_t index, bool whole, uint64_t size,
                             void (*tell)(void *user, const struct explore_change *change), void *user)
{
    const struct oracle_surface *const surface = &buffers->surfaces->items[index].surface;
    struct box box = { UINT32_MAX, 0, 0, 0 };
    if (memcmp(buffers->was[index], buffers->now, size) != 0) {
        box = changed(buffers, index, tell, user);
        memcpy(buffers->was[index], buffers->now, size);
    }
    if (whole && surface->width != 0 && surface->height != 0)
        box = (struct box){ 0, surface->width - 1, 0, surface->height - 1 };
    if (box.left > box.right)
        return 0;
    put(buffers, index, &box);
    return 1;
}

enum harness_status explore_buffers_take(struct explore_buffers *buffers, uint32_t moment,
                                         void (*tell)(void *user, const struct explore_change *change), void *user,
                                         struct harness_error *error)
{
    bool whole;
    uint32_t count = 0;
    XXH3_state_t hash;
    const enum harness_status status = turn(buffers, moment, &whole, error);
    if (status != HARNESS_OK)
        return status;
    harness_text_word(&buffers->chunk, moment);
    const size_t at = buffers->chunk.size;
    harness_text_word(&buffers->chunk, 0);
    (void)XXH3_64bits_reset(&hash);
    for (size_t i = 0; i < buffers->surfaces->count; i++) {
        uint64_t size;
        const enum pica_status read = read_surface(buffers, i, &size);
        if (read != PICA_OK)
            return harness_runner_fail(buffers->runner, "reading memory", read, error);
        count += take_surface(buffers, i, whole, size, tell, user);
        (void)XXH3_64bits_update(&hash, buffers->now, size);
    }
    buffers->digest = XXH3_64bits_digest(&hash);
    if (buffers->chunk.failed)
        return harness_fail_memory(error);
    for (uint32_t i = 0; i < 4; i++)
        buffers->chunk.data[at + i] = (char)(count >> (8 * i) & 0xFFu);
    return HARNESS_OK;
}

void explore_buffers_forget(struct explore_buffers *buffers)
{
    buffers->chunk.size = buffers->begin;
    buffers->is_behind = true;
}

enum harness_status explore_buffers_skip(struct explore_buffers *buffers, uint32_t moment, struct harness_error *error)
{
    if (buffers->chunk_number != moment / EXPLORE_CHUNK)
        return explore_buffers_take(buffers, moment, NULL, NULL, error);
    harness_text_word(&buffers->chunk, moment);
    harness_text_word(&buffers->chunk, 0);
    return HARNESS_OK;
}
