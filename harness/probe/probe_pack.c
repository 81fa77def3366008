/* A lowered case as one piece of shared memory. */
#include "harness/probe/probe_worker.h"

#include <string.h>

enum {
    ALIGNMENT = 16
};

struct packer {
    uint8_t *at;
    size_t left;
    bool failed;
};

static size_t aligned(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t harness_probe_size(const struct harness_program *program)
{
    size_t size = aligned(sizeof(struct probe_shared)) + aligned(sizeof(struct pica_state)) +
                  aligned(program->setup.window_count * sizeof(struct pica_window)) +
                  aligned(program->setup.chunk_count * sizeof(struct pica_chunk)) +
                  aligned(program->count * sizeof(struct pica_operation)) + aligned(program->count * sizeof(uint32_t));
    for (uint32_t i = 0; i < program->setup.chunk_count; i++)
        size += aligned(program->setup.chunks[i].size);
    for (uint32_t i = 0; i < program->count; i++)
        if (program->operations[i].kind == PICA_OPERATION_LOAD_MEMORY)
            size += aligned(program->operations[i].size);
    return size;
}

static void *pack(struct packer *packer, const void *bytes, size_t size)
{
    if (packer->failed || packer->left < aligned(size)) {
        packer->failed = true;
        return NULL;
    }
    uint8_t *const copy = packer->at;
    if (size != 0)
        memcpy(copy, bytes, size);
    packer->at += aligned(size);
    packer->left -= aligned(size);
    return copy;
}

static void pack_setup(struct packer *packer, struct pica_setup *setup)
{
    setup->windows = pack(packer, setup->windows, setup->window_count * sizeof *setup->windows);
    if (setup->initial_state != NULL)
        setup->initial_state = pack(packer, setup->initial_state, sizeof *setup->initial_state);
    struct pica_chunk *const chunks = pack(packer, setup->chunks, setup->chunk_count * sizeof *chunks);
    for (uint32_t i = 0; i < setup->chunk_count && !packer->failed; i++)
        chunks[i].data = pack(packer, chunks[i].data, chunks[i].size);
    setup->chunks = chunks;
}

bool harness_probe_pack(struct probe_shared *shared, const struct harness_program *program)
{
    const size_t head = aligned(sizeof *shared);
    struct packer packer = { .at = (uint8_t *)shared + head, .left = shared->size - head };
    shared->program = *program;
    pack_setup(&packer, &shared->program.setup);
    struct pica_operation *const operations =
        pack(&packer, program->operations, program->count * sizeof *program->operations);
    for (uint32_t i = 0; i < program->count && !packer.failed; i++)
        if (operations[i].kind == PICA_OPERATION_LOAD_MEMORY)
            operations[i].data = pack(&packer, operations[i].data, operations[i].size);
    shared->program.operations = operations;
    shared->program.origins = pack(&packer, program->origins, program->count * sizeof *program->origins);
    memset(&shared->program.arena, 0, sizeof shared->program.arena);
    return !packer.failed;
}
