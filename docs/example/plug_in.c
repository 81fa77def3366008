/*
 * A minimal plug-in: the five functions that picafuzz needs of an emulator. The GPU here can only do memory fills; put
 * calls of yours in its place. Nothing is declared (`models` is NULL), so only memory is compared.
 * Build, from the root of the tree, and try:
 *
 *     cc -shared -fPIC -I. -o plug_in.so docs/example/plug_in.c
 *     picafuzz backends ./plug_in.so
 *     picafuzz diff -b reference,./plug_in.so corpus/
 */
#include "pica/backend.h"

#include <stdlib.h>
#include <string.h>

enum {
    VRAM = 0x18000000,
    VRAM_SIZE = 0x600000,
    FCRAM = 0x20000000,
    FCRAM_SIZE = 0x8000000
};

/* Replace this by your emulator's GPU. */
struct gpu {
    uint8_t *vram, *fcram;
    struct pica_window windows[PICA_MAX_WINDOWS]; /* the memory that exists in this case */
    uint32_t window_count;
};

/* The byte at a guest address, or NULL if it is in no window of the case (MEM-01). */
static uint8_t *at(const struct gpu *gpu, uint32_t address)
{
    for (uint32_t i = 0; i < gpu->window_count; i++)
        if (address >= gpu->windows[i].address && address - gpu->windows[i].address < gpu->windows[i].size)
            return address >= FCRAM ? gpu->fcram + (address - FCRAM) : gpu->vram + (address - VRAM);
    return NULL;
}

/* How many of `size` bytes at `address` are in a window, and the address of the first of them. */
static size_t overlap(const struct pica_window *window, uint32_t address, size_t size, uint32_t *first)
{
    const uint64_t end = (uint64_t)address + size, window_end = (uint64_t)window->address + window->size;
    *first = address > window->address ? address : window->address;
    const uint64_t last = end < window_end ? end : window_end;
    return last > *first ? (size_t)(last - *first) : 0;
}

static void write_bytes(const struct gpu *gpu, uint32_t address, const uint8_t *data, uint32_t size)
{
    for (uint32_t i = 0, first; i < gpu->window_count; i++) {
        const size_t count = overlap(&gpu->windows[i], address, size, &first);
        if (count != 0)
            memcpy(at(gpu, first), data + (first - address), count);
    }
}

static void destroy(void *instance)
{
    struct gpu *const gpu = instance;
    if (gpu == NULL)
        return;
    free(gpu->vram);
    free(gpu->fcram);
    free(gpu);
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    struct gpu *const gpu = calloc(1, sizeof *gpu);
    (void)options;
    *instance = gpu;
    if (gpu == NULL)
        return PICA_NO_MEMORY;
    gpu->vram = calloc(1, VRAM_SIZE);
    gpu->fcram = calloc(1, FCRAM_SIZE);
    if (gpu->vram != NULL && gpu->fcram != NULL)
        return PICA_OK;
    destroy(gpu);
    *instance = NULL;
    return PICA_NO_MEMORY;
}

/* Forgets the previous case: clears the windows of the new one, writes their contents, then takes over the state. */
static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    struct gpu *const gpu = instance;
    if (setup->initial_state != NULL)
        return PICA_NOT_SUPPORTED; /* this GPU has no registers; set yours from initial_state, or reset them if NULL */
    memcpy(gpu->windows, setup->windows, setup->window_count * sizeof *setup->windows);
    gpu->window_count = setup->window_count;
    for (uint32_t i = 0; i < setup->window_count; i++)
        memset(at(gpu, setup->windows[i].address), 0, setup->windows[i].size);
    for (uint32_t i = 0; i < setup->chunk_count; i++)
        write_bytes(gpu, setup->chunks[i].address, setup->chunks[i].data, setup->chunks[i].size);
    return PICA_OK;
}

/* START and END (in 8 bytes), VALUE, CTRL (bit 0 starts, bits 8-9: width) = words[0..3] (PSC-02 to PSC-06). */
static enum pica_status fill(const struct gpu *gpu, const uint32_t *words)
{
    static const uint32_t widths[4] = { 2, 3, 4, 3 };
    const uint32_t start = (words[0] & 0x1FFFFFFE) * 8, end = (words[1] & 0x1FFFFFFE) * 8;
    if ((words[3] & 1) == 0)
        return PICA_OK;
    for (uint32_t i = 0; i < gpu->window_count; i++) {
        const uint32_t first = gpu->windows[i].address, last = first + gpu->windows[i].size;
        for (uint32_t address = start > first ? start : first; address < end && address < last; address++)
            *at(gpu, address) = (uint8_t)(words[2] >> (address - start) % widths[words[3] >> 8 & 3] * 8);
    }
    return PICA_OK;
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY:
        write_bytes(instance, operation->address, operation->data, operation->size);
        return PICA_OK;
    case PICA_OPERATION_MEMORY_FILL: return fill(instance, operation->words);
    case PICA_OPERATION_SUBMIT_LIST:      /* give your command processor `size` bytes at `address` */
    case PICA_OPERATION_WRITE_REGISTER:   /* your CPU's write of words[0] to `address` */
    case PICA_OPERATION_DISPLAY_TRANSFER: /* your transfer engine */
    case PICA_OPERATION_VERTICAL_BLANK: break;
    }
    return PICA_NOT_SUPPORTED; /* the case is then "not tested" */
}

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    const struct gpu *const gpu = instance;
    memset(out, 0, size); /* where there is no memory */
    for (uint32_t i = 0, first; i < gpu->window_count; i++) {
        const size_t count = overlap(&gpu->windows[i], address, size, &first);
        if (count != 0)
            memcpy(out + (first - address), at(gpu, first), count);
    }
    return PICA_OK;
}

#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
const struct pica_backend *
pica_backend_entry(void);

const struct pica_backend *pica_backend_entry(void)
{
    static const struct pica_backend backend = {
        .abi = PICA_BACKEND_ABI,
        .name = "minimal",
        .summary = "five functions and a memory fill",
        .create = create,
        .destroy = destroy,
        .load = load,
        .run = run,
        .read_memory = read_memory,
        .size = sizeof(struct pica_backend),
    };
    return &backend;
}
