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
    uint8_t *out = harness_store32(file + 8, run->window_count);
    for (uint32_t i = 0; i < run->window_count; i++) {
        const struct pica_window *window = &run->windows[order[i]];
        out = harness_store32(harness_store32(out, window->address), window->size);
        memcpy(out, run->memory[order[i]], window->size);
        out += window->size;
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
        (void)harness_store32(harness_store32(header, window->address), window->size);
        (void)XXH3_64bits_update(hash, header, sizeof header);
        (void)XXH3_64bits_update(hash, run->memory[order[i]], window->size);
    }
}

static void digest_state(const struct pica_state *state, XXH3_state_t *hash)
{
    for (uint32_t part = 0; part < harness_part_count; part++)
        for (uint32_t i = 0; i < harness_parts[part].count; i++) {
            const uint32_t word = harness_little(harness_part_get(state, part, i));
            (void)XXH3_64bits_update(hash, &word, sizeof word);
        }
}

static void digest_events(const struct pica_events *events, XXH3_state_t *hash)
{
    for (size_t i = 0; i < sizeof events->words / sizeof events->words[0]; i++) {
        uint8_t bytes[8];
        const uint64_t word = events->words[i] & pica_events_class_m().words[i];
        (void)harness_store32(harness_store32(bytes, (uint32_t)word), (uint32_t)(word >> 32));
        (void)XXH3_64bits_update(hash, bytes, sizeof bytes);
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
