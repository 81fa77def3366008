#include "harness/run/dump.h"

#include "harness/case/formats.h"
#include "harness/case/little.h"
#include "harness/case/state.h"
#include "pica/events.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    HEADER_SIZE = 12,
    WINDOW_HEADER_SIZE = 8
};

static void put64(uint8_t *out, uint64_t value)
{
    (void)harness_store32(out, (uint32_t)value);
    (void)harness_store32(out + 4, (uint32_t)(value >> 32));
}

/* Window indices in ascending order of address. */
static void sort_windows(const struct oracle_run *run, uint32_t order[PICA_MAX_WINDOWS])
{
    for (uint32_t i = 0; i < run->window_count; i++) {
        uint32_t at = i;
        for (; at > 0 && run->windows[order[at - 1]].address > run->windows[i].address; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

enum harness_status harness_dump_write(const struct oracle_run *run, const char *path, struct harness_error *error)
{
    size_t size = HEADER_SIZE;
    for (uint32_t i = 0; i < run->window_count; i++)
        size += WINDOW_HEADER_SIZE + run->windows[i].size;
    uint8_t *const file = malloc(size);
    if (file == NULL)
        return harness_fail_memory(error);
    uint32_t order[PICA_MAX_WINDOWS];
    sort_windows(run, order);
    memcpy(file, "PICADMP1", 8);
    (void)harness_store32(file + 8, run->window_count);
    uint8_t *out = file + HEADER_SIZE;
    for (uint32_t i = 0; i < run->window_count; i++) {
        const struct pica_window *window = &run->windows[order[i]];
        (void)harness_store32(out, window->address);
        (void)harness_store32(out + 4, window->size);
        memcpy(out + WINDOW_HEADER_SIZE, run->memory[order[i]], window->size);
        out += WINDOW_HEADER_SIZE + window->size;
    }
    const enum harness_status status = harness_file_write(path, file, size, error);
    free(file);
    return status;
}

static void digest_memory(const struct oracle_run *run, XXH3_state_t *hash)
{
    uint32_t order[PICA_MAX_WINDOWS];
    sort_windows(run, order);
    for (uint32_t i = 0; i < run->window_count; i++) {
        const struct pica_window *window = &run->windows[order[i]];
        uint8_t header[WINDOW_HEADER_SIZE];
        (void)harness_store32(header, window->address);
        (void)harness_store32(header + 4, window->size);
        (void)XXH3_64bits_update(hash, header, sizeof header);
        (void)XXH3_64bits_update(hash, run->memory[order[i]], window->size);
    }
}

static void digest_state(const struct pica_state *state, XXH3_state_t *hash)
{
    for (uint32_t part = 0; part < harness_part_count; part++)
        for (uint32_t i = 0; i < harness_parts[part].count; i++) {
            uint8_t word[4];
            (void)harness_store32(word, harness_part_get(state, part, i));
            (void)XXH3_64bits_update(hash, word, sizeof word);
        }
}

static void digest_events(const struct pica_events *events, XXH3_state_t *hash)
{
    for (size_t i = 0; i < sizeof events->words / sizeof events->words[0]; i++) {
        uint8_t word[8];
        put64(word, events->words[i] & pica_events_class_m().words[i]);
        (void)XXH3_64bits_update(hash, word, sizeof word);
    }
}

enum harness_status harness_digest(const struct oracle_run *run, struct harness_digest *out,
                                   struct harness_error *error)
{
    XXH3_state_t *const hash = XXH3_createState();
    if (hash == NULL)
        return harness_fail_memory(error);
    (void)XXH3_64bits_reset(hash);
    digest_memory(run, hash);
    out->memory = XXH3_64bits_digest(hash);
    (void)XXH3_64bits_reset(hash);
    digest_state(run->state, hash);
    out->state = XXH3_64bits_digest(hash);
    (void)XXH3_64bits_reset(hash);
    digest_events(&run->events, hash);
    out->events = XXH3_64bits_digest(hash);
    (void)XXH3_freeState(hash);
    return HARNESS_OK;
}

uint64_t harness_digest_bytes(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}
