/*
 * The private machine of the fast backend: registers, tables, guest memory, events, limits.
 *
 * Everything here runs on the caller's thread. While that thread waits for a job, workers (tiles/threads.c) only read
 * this state: guest memory, registers, uniforms, the plan of the vertex shader, the vertices that the assembler keeps.
 * They write to slices and bins of their own, events included; only the caller's thread sets events here, marks pages
 * and changes registers. (The pixels of a surface are written by the worker that draws their bin.)
 */
#ifndef FAST_GPU_H
#define FAST_GPU_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fast/capacity.h"
#include "pica/backend.h"
#include "pica/events.h"
#include "pica/memory.h"
#include "pica/state.h"

/* Private parts, each defined by the file that owns it. */
struct fast_draw_state; /* fast/draw/draw_state.h */
struct fast_kernels;    /* fast/kernels.h */
struct fast_renderer;   /* fast/tiles/raster_bins.c, raster_tile.c, threads.c */
struct fast_shading;    /* fast/draw/shading_state.h: texture cache, decoded tables */
struct fast_vertices;   /* fast/vertex/fetch.h */
struct fast_geometry;   /* fast/vertex/geometry.h */
struct fast_primitives; /* fast/vertex/assembly.h */
struct fast_slices;     /* fast/vertex/fetch_slices.h */
struct fast_tracer;     /* fast/trace.h */

/* --------------------------------------------------------------------------------------------------- guest memory */

/*
 * MEM-01. The arena holds the windows of the case from its beginning on, in the order of their addresses, so that every
 * case uses the same few host pages; the host provides a page when it is first used. Windows that touch in the guest
 * also touch in the arena. Slack lies before and after each range of them: no guest byte has offset 0, and a vector
 * load that starts inside a window reads no other range and never leaves the arena. The slack is 0, as is all of the
 * arena that lies in no window, and no result depends on it.
 */
enum {
    FAST_ARENA_SLACK = PICA_PAGE_SIZE,
    FAST_VRAM_BYTES = 0x00600000,
    FAST_FCRAM_BYTES = 0x08000000,
    FAST_ARENA_BYTES = FAST_VRAM_BYTES + FAST_FCRAM_BYTES + (PICA_MAX_WINDOWS + 1) * FAST_ARENA_SLACK,
    FAST_ARENA_PAGES = FAST_ARENA_BYTES / PICA_PAGE_SIZE,
    FAST_PAGE_WORDS = (FAST_ARENA_PAGES + 63) / 64
};

/*
 * A range of guest addresses that exists: windows that touch are merged into one range. Sorted by address. MEM-07:
 * virtual addresses never get here; registers hold physical ones.
 */
struct fast_memory_range {
    uint32_t address;
    uint32_t size;
    uint32_t offset; /* offset of the first byte in the arena */
};

struct fast_memory {
    uint8_t *arena; /* FAST_ARENA_BYTES */
    struct fast_memory_range ranges[PICA_MAX_WINDOWS];
    uint32_t range_count;
    struct pica_window windows[PICA_MAX_WINDOWS]; /* as the case gave them, not merged */
    uint32_t window_count;
    uint64_t touched[FAST_PAGE_WORDS]; /* arena pages written since load (bit p % 64 of word p / 64) */
    uint64_t
        texture_pages[FAST_PAGE_WORDS]; /* arena pages that some cached texture was decoded from (texture_cache.c) */
};

/* ------------------------------------------------------------------------------------------------------ the machine */

/* One shader unit's uploaded state (REG-21..29). */
struct fast_shader_unit {
    uint32_t code[PICA_CODE_WORDS];
    uint32_t opdesc[PICA_OPDESC_WORDS];
    float uniforms[PICA_FLOAT_UNIFORMS][4];
    uint8_t integers[4][4];
    uint16_t booleans;
    uint32_t queue[4];
    uint32_t queue_length;
    uint32_t code_end;   /* every code word from this index on is still 0, because it was never written */
    uint32_t opdesc_end; /* the same of operand descriptors */
    bool program_dirty;  /* code or operand descriptors 0-127 changed since the program was decoded */
    bool uniforms_dirty; /* c0-c95 changed since they were spread over the lanes */
};

/* CMD-20: what the running submission has used. */
struct fast_budget {
    uint32_t commands;
    uint32_t vertices;
    uint64_t pixels;       /* RST-08: the running sum */
    bool pixels_exhausted; /* RST-08: this submission draws nothing more */
};

/* CMD-23: what all operations of the case together have used. */
struct fast_work {
    uint64_t limit;      /* LIM_WORK; UINT64_MAX: no limit */
    uint64_t steps;      /* CMD-24 */
    uint64_t shading;    /* RST-09 */
    bool shading_spent;  /* this case draws nothing more */
    uint32_t pixel_cost; /* RST-09: c of the running batch */
};

/* CMD-24: how many steps each kind of work costs. */
enum {
    FAST_STEPS_DRAW = 128,
    FAST_STEPS_VERTEX = 64,
    FAST_STEPS_IMMEDIATE_VERTEX = 512,
    FAST_STEPS_EMIT = 64,
    FAST_STEPS_IMMEDIATE_EMIT = 1024
};

/* Bits of fast_gpu.dirty_tables: a raw word of that table changed since the owner of the bit cleared it. */
enum {
    FAST_TABLE_LIGHTING_0 = 0, /* bits 0-23: lighting tables */
    FAST_TABLE_FOG = 24,
    FAST_TABLE_GAS = 25,
    FAST_TABLE_NOISE = 26,
    FAST_TABLE_COLOR_MAP = 27,
    FAST_TABLE_ALPHA_MAP = 28,
    FAST_TABLE_COLOR = 29,
    FAST_TABLE_DIFFERENCE = 30
};

struct fast_gpu {
    struct fast_capacity capacity; /* capacity of all parts; set by create */

    uint32_t registers[PICA_REGISTERS];
    uint32_t reset_registers[PICA_REGISTERS]; /* REG-02: their values after a reset */
    uint32_t external[PICA_EXTERNAL_WORDS]; /* stored bits of PSC-01 and status bits; STATUS (EXT-CMD-07) is computed */
    uint32_t lcd_fill[2];
    uint32_t interrupts[PICA_INTERRUPTS];
    struct pica_tables tables;
    uint32_t written_tables;          /* FAST_TABLE_*: tables that may hold words other than 0 */
    struct fast_shader_unit units[2]; /* PICA_UNIT_* */

    struct fast_memory memory;
    struct pica_events events;
    struct pica_limits limits;
    enum pica_profile profile;
    struct fast_budget budget;
    struct fast_work work;

    /* From registers to draw state. Set by every write that may matter, cleared by fast_draw_state_update. */
    bool raster_dirty;     /* a register of 0x040-0x1FF changed (also set by load) */
    bool shading_dirty;    /* as raster_dirty, or bytes of a cached texture were written */
    uint32_t dirty_tables; /* FAST_TABLE_*: set by port.c, cleared by fast_shading_state_decode */

    /* Fixed attributes and immediate mode (REG-25, VTX-40..42). */
    float fixed[16][4];
    float immediate[16][4];
    uint32_t fixed_queue[3];
    uint32_t fixed_queue_length;
    uint32_t immediate_count;
    bool reset_armed;

    /* Position in the running list, for observers; 0 during CPU writes. */
    uint32_t list_address;
    uint32_t list_word;
    pica_draw_observer observer;
    void *observer_user;

    /* Parts that the machine owns; all live from create to destroy. */
    struct fast_draw_state *draw;
    struct fast_kernels *kernels;
    struct fast_renderer *renderer;
    struct fast_shading *shading;
    struct fast_vertices *vertices;
    struct fast_geometry *geometry;
    struct fast_primitives *primitives;
    struct fast_slices *slices; /* NULL without workers */
    struct fast_tracer *tracer;

    /* Whether the running draw is the one that a trace asks for (trace.h). */
    bool traces_pixel, traces_vertices;

    /* For fast_view_state. */
    struct pica_state dump;
    struct pica_state_blocks dump_zeros; /* blocks of the dump that are known to hold nothing but 0 */
};

/* ----------------------------------------------------------------------------------------------------------- events */

/* GEN-08. */
static inline void fast_events_set(struct pica_events *events, enum pica_event event)
{
    events->words[(uint32_t)event / 64u] |= (uint64_t)1 << ((uint32_t)event % 64u);
}

static inline void fast_events_join(struct pica_events *events, const struct pica_events *others)
{
    for (uint32_t i = 0; i < PICA_EVENT_WORDS; i++)
        events->words[i] |= others->words[i];
}

static inline void fast_event(struct fast_gpu *gpu, enum pica_event event)
{
    fast_events_set(&gpu->events, event);
}

/* CMD-24: are all steps spent? If so, the work that was about to begin must not begin. */
static inline bool fast_steps_are_spent(struct fast_gpu *gpu)
{
    if (gpu->work.steps < gpu->work.limit)
        return false;
    fast_event(gpu, PICA_EVENT_BUDGET_WORK);
    return true;
}

/*
 * RST-08, RST-09: counts the pixels of a triangle's box against the budgets; false: a budget is exhausted, the triangle
 * is not drawn.
 */
static inline bool fast_triangle_admit(struct fast_gpu *gpu, uint64_t pixels)
{
    struct fast_work *const work = &gpu->work;
    if (work->shading_spent)
        return false;
    if (gpu->budget.pixels + pixels > gpu->limits.pixels) {
        fast_event(gpu, PICA_EVENT_BUDGET_PIXELS);
        gpu->budget.pixels_exhausted = true;
    }
    gpu->budget.pixels += pixels;
    if (gpu->budget.pixels_exhausted)
        return false;
    const uint64_t shading = pixels * work->pixel_cost;
    if (shading > work->limit - work->shading) {
        fast_event(gpu, PICA_EVENT_BUDGET_WORK);
        work->shading_spent = true;
        return false;
    }
    work->shading += shading;
    return true;
}

/*
 * The same for many triangles at once, given the sum of their pixels. False: a budget would not have admitted all of
 * them; then nothing is counted.
 */
static inline bool fast_triangles_admit(struct fast_gpu *gpu, uint64_t pixels)
{
    struct fast_work *const work = &gpu->work;
    if (work->shading_spent || gpu->budget.pixels_exhausted || gpu->budget.pixels + pixels > gpu->limits.pixels ||
        pixels * work->pixel_cost > work->limit - work->shading)
        return false;
    gpu->budget.pixels += pixels;
    work->shading += pixels * work->pixel_cost;
    return true;
}

/* ---------------------------------------------------------------------------------------------------- memory access */

/* Tells the texture cache that these bytes may have changed (texture_cache.c). */
void fast_textures_invalidate(struct fast_gpu *gpu, uint32_t address, uint32_t size);

/*
 * Arena offset of `address` if all of [address, address + size) exists, contiguously; else 0 (no guest byte has offset
 * 0). size 0 counts as 1.
 */
static inline uint32_t fast_memory_offset(const struct fast_gpu *gpu, uint32_t address, uint64_t size)
{
    const struct fast_memory *memory = &gpu->memory;
    for (uint32_t i = 0; i < memory->range_count; i++) {
        const struct fast_memory_range *range = &memory->ranges[i];
        const uint32_t distance = address - range->address; /* wraps to a large number below the range */
        if (distance < range->size)
            return size <= range->size - distance ? range->offset + distance : 0u;
    }
    return 0u;
}

/*
 * Host pointer to [address, address + size) if the whole range is in memory, else NULL: then use the per-byte accessors
 * below. Reading through the pointer needs nothing more; after writing through it, call fast_memory_written.
 */
static inline uint8_t *fast_memory_bytes(const struct fast_gpu *gpu, uint32_t address, uint64_t size)
{
    const uint32_t offset = fast_memory_offset(gpu, address, size);
    return offset != 0u ? gpu->memory.arena + offset : NULL;
}

/*
 * Length in bytes of the longest extent that starts at `address` and is either all inside or all outside memory; at
 * most `size`, and it ends at 2^32 at the latest. *inside tells which. For loops over ranges that may be partly
 * outside.
 */
static inline uint64_t fast_memory_extent(const struct fast_gpu *gpu, uint32_t address, uint64_t size, bool *inside)
{
    const struct fast_memory *memory = &gpu->memory;
    uint64_t end = (uint64_t)address + size;
    if (end > (uint64_t)1 << 32)
        end = (uint64_t)1 << 32;
    *inside = false;
    for (uint32_t i = 0; i < memory->range_count; i++) {
        const uint64_t first = memory->ranges[i].address;
        const uint64_t last = first + memory->ranges[i].size; /* exclusive */
        if (address >= first && address < last) {
            *inside = true;
            return (end < last ? end : last) - address;
        }
        if (first > address && first < end)
            end = first;
    }
    return end - address;
}

/* MEM-02: is every byte of the range in memory? The range may not wrap: address + size <= 2^32. */
static inline bool fast_memory_has(const struct fast_gpu *gpu, uint32_t address, uint64_t size)
{
    return size == 0u || fast_memory_offset(gpu, address, size) != 0u;
}

/*
 * Every write of guest memory must be reported here, before or after the bytes change, on the caller's thread and
 * before the next texture or batch is looked at: marks pages and tells the texture cache. Bytes of the range that are
 * outside memory are skipped, so the range may be larger than what was written. address + size may pass 2^32 (it
 * wraps).
 */
void fast_memory_written(struct fast_gpu *gpu, uint32_t address, uint64_t size);

/*
 * MEM-03, MEM-04: one byte; outside memory, reads give 0 and writes are dropped. The writing accessors call
 * fast_memory_written themselves.
 */
static inline uint8_t fast_read8(const struct fast_gpu *gpu, uint32_t address)
{
    const uint32_t offset = fast_memory_offset(gpu, address, 1u);
    return offset != 0u ? gpu->memory.arena[offset] : (uint8_t)0;
}

/* Little-endian loads and stores of host bytes. */
static inline uint32_t fast_load_le16(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static inline uint32_t fast_load_le32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void fast_store_le16(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)(value & 0xffu);
    bytes[1] = (uint8_t)(value >> 8 & 0xffu);
}

static inline void fast_store_le32(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)(value & 0xffu);
    bytes[1] = (uint8_t)(value >> 8 & 0xffu);
    bytes[2] = (uint8_t)(value >> 16 & 0xffu);
    bytes[3] = (uint8_t)(value >> 24 & 0xffu);
}

/* Slow, but defined for any address and alignment: split into bytes at the edges of memory. */
uint32_t fast_read16(const struct fast_gpu *gpu, uint32_t address);
uint32_t fast_read32(const struct fast_gpu *gpu, uint32_t address);
void fast_write8(struct fast_gpu *gpu, uint32_t address, uint32_t value);

/* Copies; bytes outside memory read as 0, and writes to them are dropped. */
void fast_read_bytes(const struct fast_gpu *gpu, uint32_t address, uint8_t *out, size_t size);
void fast_write_bytes(struct fast_gpu *gpu, uint32_t address, const uint8_t *bytes, size_t size);

/* -------------------------------------------------------------------------------------------- list.c, for others */

/* EXT-CMD-07 bit 31: does an enabled request byte equal its compare byte (REG-12)? */
bool fast_interrupt_pending(const struct fast_gpu *gpu);

#endif
