#include "harness/run/shared.h"

#include <string.h>
#include <sys/mman.h>

enum {
    ALIGNMENT = 16
};

void *harness_shared_create(size_t size)
{
    void *const memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void harness_shared_destroy(void *memory, size_t size)
{
    if (memory != NULL)
        (void)munmap(memory, size);
}

size_t harness_packed_size(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t harness_packed_setup_size(const struct pica_setup *setup)
{
    size_t size = harness_packed_size(sizeof(struct pica_state)) +
                  harness_packed_size(setup->window_count * sizeof *setup->windows) +
                  harness_packed_size(setup->chunk_count * sizeof *setup->chunks);
    for (uint32_t i = 0; i < setup->chunk_count; i++)
        size += harness_packed_size(setup->chunks[i].size);
    return size;
}

struct harness_packer harness_packer_behind(void *memory, size_t size, size_t head)
{
    const size_t taken = harness_packed_size(head);
    return (struct harness_packer){ .at = (uint8_t *)memory + taken, .left = size - taken };
}

void *harness_pack_room(struct harness_packer *packer, size_t size)
{
    if (packer->failed || size > packer->left || harness_packed_size(size) > packer->left) {
        packer->failed = true;
        return NULL;
    }
    uint8_t *const room = packer->at;
    packer->at += harness_packed_size(size);
    packer->left -= harness_packed_size(size);
    return room;
}

void *harness_pack(struct harness_packer *packer, const void *bytes, size_t size)
{
    void *const copy = harness_pack_room(packer, size);
    if (copy != NULL && size != 0)
        memcpy(copy, bytes, size);
    return copy;
}

bool harness_pack_setup(struct harness_packer *packer, const struct pica_setup *setup, struct pica_setup *out)
{
    *out = *setup;
    out->windows = harness_pack(packer, setup->windows, setup->window_count * sizeof *setup->windows);
    if (setup->initial_state != NULL)
        out->initial_state = harness_pack(packer, setup->initial_state, sizeof *setup->initial_state);
    struct pica_chunk *const chunks = harness_pack(packer, setup->chunks, setup->chunk_count * sizeof *chunks);
    for (uint32_t i = 0; i < setup->chunk_count && !packer->failed; i++)
        chunks[i].data = harness_pack(packer, setup->chunks[i].data, setup->chunks[i].size);
    out->chunks = chunks;
    return !packer->failed;
}
