#include "harness/run/history.h"

#include "harness/case/case.h"
#include "harness/case/little.h"
#include "harness/case/state.h"

#include <xxhash.h>

static void add32(XXH3_state_t *hash, uint32_t value)
{
    const uint32_t little = harness_little(value);
    (void)XXH3_128bits_update(hash, &little, sizeof little);
}

static void add_bytes(XXH3_state_t *hash, const uint8_t *bytes, uint32_t size)
{
    add32(hash, size);
    if (size != 0)
        (void)XXH3_128bits_update(hash, bytes, size);
}

static void add_state(XXH3_state_t *hash, const struct pica_state *state)
{
    add32(hash, state != NULL);
    for (uint32_t part = 0; state != NULL && part < harness_part_count; part++)
        for (uint32_t i = 0; i < harness_parts[part].count; i++)
            add32(hash, harness_part_get(state, part, i));
}

/* Recordings are older than LIM_WORK: the history of a case that does not change it is what it was. */
static void add_limits(XXH3_state_t *hash, const struct pica_limits *limits, uint32_t work)
{
    add32(hash, limits->commands);
    add32(hash, limits->vertices);
    add32(hash, limits->instructions);
    add32(hash, limits->emits);
    add32(hash, limits->pixels);
    if (work != HARNESS_DEFAULT_WORK)
        add32(hash, work);
}

static void take(XXH3_state_t *hash, struct harness_history *out)
{
    const XXH128_hash_t digest = XXH3_128bits_digest(hash);
    *out = (struct harness_history){ digest.low64, digest.high64 };
    (void)XXH3_freeState(hash);
}

bool harness_history_begin(const struct pica_setup *setup, struct harness_history *out)
{
    XXH3_state_t *const hash = XXH3_createState();
    if (hash == NULL)
        return false;
    (void)XXH3_128bits_reset(hash);
    add32(hash, setup->window_count);
    for (uint32_t i = 0; i < setup->window_count; i++) {
        add32(hash, setup->windows[i].address);
        add32(hash, setup->windows[i].size);
    }
    add32(hash, setup->chunk_count);
    for (uint32_t i = 0; i < setup->chunk_count; i++) {
        add32(hash, setup->chunks[i].address);
        add_bytes(hash, setup->chunks[i].data, setup->chunks[i].size);
    }
    add_state(hash, setup->initial_state);
    add_limits(hash, &setup->limits, setup->work);
    add32(hash, (uint32_t)setup->profile);
    take(hash, out);
    return true;
}

static void add_words(XXH3_state_t *hash, const struct pica_operation *operation, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add32(hash, operation->words[i]);
}

static void add_operation(XXH3_state_t *hash, const struct pica_operation *operation)
{
    add32(hash, (uint32_t)operation->kind);
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY:
        add32(hash, operation->address);
        add_bytes(hash, operation->data, operation->size);
        break;
    case PICA_OPERATION_SUBMIT_LIST:
        add32(hash, operation->address);
        add32(hash, operation->size);
        break;
    case PICA_OPERATION_WRITE_REGISTER:
        add32(hash, operation->address);
        add_words(hash, operation, 1);
        break;
    case PICA_OPERATION_MEMORY_FILL:
        add32(hash, operation->unit);
        add_words(hash, operation, 4);
        break;
    case PICA_OPERATION_DISPLAY_TRANSFER: add_words(hash, operation, 9); break;
    case PICA_OPERATION_VERTICAL_BLANK: add32(hash, operation->unit); break;
    }
}

bool harness_history_add(struct harness_history *history, const struct pica_operation *operation)
{
    XXH3_state_t *const hash = XXH3_createState();
    if (hash == NULL)
        return false;
    (void)XXH3_128bits_reset(hash);
    add32(hash, (uint32_t)history->low);
    add32(hash, (uint32_t)(history->low >> 32));
    add32(hash, (uint32_t)history->high);
    add32(hash, (uint32_t)(history->high >> 32));
    add_operation(hash, operation);
    take(hash, history);
    return true;
}

int harness_history_order(const struct harness_history *a, const struct harness_history *b)
{
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->low > b->low) - (a->low < b->low);
}
