#include "harness/reduce/reduce_digest.h"

#include "harness/run/dump.h"

static void mix(uint64_t *digest, const void *bytes, size_t size)
{
    const uint64_t pair[2] = { *digest, harness_digest_bytes(bytes, size) };
    *digest = harness_digest_bytes(pair, sizeof pair);
}

static void mix_number(uint64_t *digest, uint64_t number)
{
    mix(digest, &number, sizeof number);
}

uint64_t harness_reduce_digest(const struct harness_program *program)
{
    const struct pica_setup *const setup = &program->setup;
    uint64_t digest = 0;
    mix(&digest, setup->windows, setup->window_count * sizeof *setup->windows);
    mix(&digest, &setup->limits, sizeof setup->limits);
    mix_number(&digest, setup->work);
    mix_number(&digest, (uint64_t)setup->profile);
    if (setup->initial_state != NULL)
        mix(&digest, setup->initial_state, sizeof *setup->initial_state);
    for (uint32_t i = 0; i < setup->chunk_count; i++) {
        mix_number(&digest, setup->chunks[i].address);
        mix(&digest, setup->chunks[i].data, setup->chunks[i].size);
    }
    for (uint32_t i = 0; i < program->count; i++) {
        const struct pica_operation *const operation = &program->operations[i];
        mix_number(&digest, (uint64_t)operation->kind << 32 | operation->unit);
        mix_number(&digest, (uint64_t)operation->address << 32 | operation->size);
        mix(&digest, operation->words, sizeof operation->words);
        if (operation->kind == PICA_OPERATION_LOAD_MEMORY)
            mix(&digest, operation->data, operation->size);
    }
    return digest;
}
