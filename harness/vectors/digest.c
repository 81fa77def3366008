#include "harness/vectors/digest.h"

#include "harness/case/little.h"
#include "harness/case/state.h"
#include "oracles/scope.h"
#include "pica/events.h"

#include <string.h>
#include <xxhash.h>

static void add32(XXH3_state_t *hash, uint32_t value)
{
    const uint32_t little = harness_little(value);
    (void)XXH3_64bits_update(hash, &little, sizeof little);
}

static uint64_t digest_memory(XXH3_state_t *hash, const struct oracle_run *run)
{
    (void)XXH3_64bits_reset(hash);
    for (uint32_t i = 0; i < run->window_count; i++) {
        add32(hash, run->windows[i].address);
        add32(hash, run->windows[i].size);
        (void)XXH3_64bits_update(hash, run->memory[i], run->windows[i].size);
    }
    return XXH3_64bits_digest(hash);
}

static bool is_of(uint32_t line, enum pica_part part)
{
    return oracle_scope_part_at(harness_parts[line].offset) == part;
}

static void add_line(XXH3_state_t *hash, const struct pica_state *state, uint32_t line)
{
    for (uint32_t i = 0; i < harness_parts[line].count; i++)
        add32(hash, harness_part_get(state, line, i));
}

/* The elements of all lines of pica/state.def that belong to the part, 4 bytes each. */
static uint64_t digest_part(XXH3_state_t *hash, const struct pica_state *state, enum pica_part part)
{
    (void)XXH3_64bits_reset(hash);
    for (uint32_t line = 0; line < harness_part_count; line++)
        if (is_of(line, part))
            add_line(hash, state, line);
    return XXH3_64bits_digest(hash);
}

static bool same_part(const struct pica_state *a, const struct pica_state *b, enum pica_part part)
{
    for (uint32_t line = 0; line < harness_part_count; line++) {
        const struct harness_part *const row = &harness_parts[line];
        if (is_of(line, part) && memcmp((const uint8_t *)a + row->offset, (const uint8_t *)b + row->offset,
                                        (size_t)row->width * row->count) != 0)
            return false;
    }
    return true;
}

static uint64_t digest_events(XXH3_state_t *hash, const struct pica_events *events)
{
    (void)XXH3_64bits_reset(hash);
    for (size_t i = 0; i < sizeof events->words / sizeof events->words[0]; i++) {
        const uint64_t word = events->words[i] & pica_events_class_m().words[i];
        add32(hash, (uint32_t)word);
        add32(hash, (uint32_t)(word >> 32));
    }
    return XXH3_64bits_digest(hash);
}

/* What of a window lies in [first, end). */
static void add_stretch(XXH3_state_t *hash, const struct pica_window *window, const uint8_t *bytes, uint64_t first,
                        uint64_t end)
{
    const uint64_t begin = window->address, behind = begin + window->size;
    const uint64_t from = first > begin ? first : begin, to = end < behind ? end : behind;
    if (from < to)
        (void)XXH3_64bits_update(hash, bytes + (from - begin), (size_t)(to - from));
}

static uint64_t digest_surface(XXH3_state_t *hash, const struct oracle_run *run, const struct oracle_surface *surface)
{
    const uint64_t first = surface->address, end = first + oracle_surface_bytes(surface);
    (void)XXH3_64bits_reset(hash);
    for (uint32_t i = 0; i < run->window_count; i++)
        add_stretch(hash, &run->windows[i], run->memory[i], first, end);
    return XXH3_64bits_digest(hash);
}

bool vectors_digest(const struct oracle_run *run, const struct harness_surfaces *surfaces,
                    const struct vectors_digests *before, const struct pica_state *state, struct vectors_digests *out)
{
    memset(out, 0, sizeof *out);
    XXH3_state_t *const hash = XXH3_createState();
    if (hash == NULL)
        return false;
    out->parts[0] = digest_memory(hash, run);
    for (uint32_t number = 1; number + 1 < VECTORS_PARTS; number++) {
        const enum pica_part part = (enum pica_part)(1u << number);
        out->parts[number] = before != NULL && same_part(run->state, state, part) ? before->parts[number]
                                                                                  : digest_part(hash, run->state, part);
    }
    out->parts[VECTORS_PARTS - 1] = digest_events(hash, &run->events);
    for (size_t i = 0; i < surfaces->count; i++)
        out->surfaces[i] = digest_surface(hash, run, &surfaces->items[i].surface);
    (void)XXH3_freeState(hash);
    return true;
}
