/*
 * The whole machine of one case, shared by every file of reference/: registers, tables, shader units, engines,
 * guest memory, and the bookkeeping that never changes a result (events, budgets, page maps).
 *
 * Guest memory is the set of windows of the case (MEM-01). Their bytes lie one window after the other in one host
 * block, the arena. `pages` says for each 4 KiB page of VRAM and FCRAM where in the arena it is, so one look-up
 * decides whether an address is in memory, and windows that touch behave like one. Example: with the windows
 * 0x18000000 + 0x2000 and 0x20000000 + 0x1000, byte 0x20000010 is byte 0x2010 of the arena, 0x18002000 is outside.
 */
#ifndef REFERENCE_GPU_H
#define REFERENCE_GPU_H

#include "pica/backend.h"
#include "pica/events.h"
#include "pica/features.h"
#include "pica/memory.h"
#include "pica/regs.h"
#include "pica/splits.h"
#include "pica/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    REF_VRAM_PAGES = 0x600000 / PICA_PAGE_SIZE,
    REF_FCRAM_PAGES = 0x8000000 / PICA_PAGE_SIZE,
    REF_PAGES = REF_VRAM_PAGES + REF_FCRAM_PAGES,
    REF_BITMAP_WORDS = (REF_PAGES + 63) / 64
};

/* How much the running CPU submission has used of its limits (CMD-20). */
struct ref_budget {
    uint32_t commands;
    uint32_t vertices;
    uint64_t pixels;   /* RST-08: sum of the boxes so far */
    bool pixels_spent; /* RST-08: a box did not fit, so nothing is drawn until the submission ends */
};

/* CMD-23: how much the case has used of LIM_WORK. */
struct ref_work {
    uint64_t limit;
    uint64_t steps;     /* CMD-24 */
    uint64_t shading;   /* RST-09 */
    bool shading_spent; /* RST-09: a triangle did not fit, so nothing is drawn any more */
};

/* REG-24, other side: the extra parameters of a command that all go to one port. */
struct ref_bulk {
    bool is_running;
    bool is_dropped; /* the remaining ones are ignored */
};

/* Where the running command came from, for the observer of draws. */
struct ref_position {
    uint32_t list_address; /* 0: a CPU write */
    uint32_t list_word;    /* index of the header */
};

/* One window and the arena page where its bytes begin. */
struct ref_window {
    uint32_t address;
    uint32_t size; /* bytes */
    uint32_t first_page;
};

/* The request of pica_backend.trace; without a sink there is none. */
struct ref_trace {
    struct pica_trace_request request;
    pica_trace_sink sink;
    void *user;
    struct ref_history *history; /* visits.h: not NULL if an observer wants many fragments instead of one request */
    uint32_t draws;              /* since load */
    uint32_t triangles;          /* of the running draw so far, not culled */
    bool is_active;              /* the requested vertex is being processed, or a triangle visits the requested pixel */
};

/* SHD-10, other side: what an invocation of the vertex shader leaves to the next one of a draw. */
struct ref_vertex_registers {
    struct pica_vector temporaries[16], outputs[16];
    int32_t address[2], loop_counter;
    bool compare[2];
};

struct ref_batch;    /* framebuffer.c: the running batch, its surfaces C and Z (FBF-18) */
struct ref_programs; /* shader.h: instructions that were decoded before */

struct ref_gpu {
    /* REG-01, REG-04: the members of struct pica_state, in its order and without a gap. */
    uint32_t regs[PICA_REGISTERS];
    uint32_t external[PICA_EXTERNAL_WORDS]; /* stored and status bits; STATUS (0x10400034) is computed when read */
    uint32_t lcd_fill[2];                   /* PDC-07 */
    uint32_t interrupts[PICA_INTERRUPTS];   /* EXT-CMD-10 */
    struct pica_tables tables;              /* REG-30 */
    struct pica_shader_unit units[2];       /* PICA_UNIT_VERTEX, PICA_UNIT_GEOMETRY */
    struct pica_vector fixed[16];           /* REG-25 */
    uint32_t fixed_queue[3];
    uint8_t fixed_queue_length;
    uint8_t immediate_count; /* VTX-41 */
    uint8_t reset_armed;     /* VTX-40 */
    uint8_t reserved;        /* 0 */
    struct pica_vector immediate[16];
    struct pica_geometry_state geometry;
    struct pica_assembler_state assembler;
    struct pica_state_blocks zeros; /* which blocks of all these members are known to hold nothing but 0 */

    /* The case. */
    struct pica_limits limits;
    enum pica_profile profile;
    struct ref_budget budget;
    struct ref_work work;
    struct ref_position position;
    struct pica_events events;
    bool code_open[2];     /* REG-42: the unit's code port stored a word after the last write to CODETRANSFER_END */
    bool list_stopped;     /* REG-13 */
    bool list_jumped;      /* SUB-03: the last write of the list was a jump to list `jump_channel` */
    uint32_t jump_channel; /* 0 or 1 */
    struct ref_bulk bulk;  /* port.c */
    bool in_draw;          /* FBF-18: a draw trigger runs, so its triangles are one batch */
    uint32_t pixels;       /* of the running draw: visits that wrote something; RST-08 keeps it below 2^32 */
    struct ref_batch *batch;
    struct ref_vertex_registers vertex_registers;
    struct ref_programs *programs;
    uint64_t loads;              /* cases loaded so far, the running one included */
    bool shortcuts;              /* shortcuts.h */
    struct pica_choices choices; /* pica/splits.def */

    /* Observers. The stages of a pixel call their record functions only if features or traces are wanted. */
    bool is_watched;
    pica_draw_observer draw_observer;
    void *draw_user;
    uint8_t *features;       /* counters by enum pica_feature, owned by the observer; NULL: none wanted */
    uint64_t features_stamp; /* changes with every draw and load */
    struct ref_trace trace;

    /* Memory. `written` and `read` are bitmaps of arena pages; `read` is NULL unless reads are tracked. */
    struct ref_window windows[PICA_MAX_WINDOWS];
    uint32_t window_count;
    uint8_t *arena;
    uint32_t arena_pages; /* in use by this case */
    uint32_t arena_capacity;
    uint64_t *written;
    uint64_t *read;
    uint16_t pages[REF_PAGES]; /* 0: outside; else 1 + arena page. VRAM's pages come first, then FCRAM's. */

    /* For ref_view_state. */
    struct pica_state dump;
    struct pica_state_blocks dump_zeros; /* of the dump */
};

/* GEN-07: whether the machine takes this side of a choice (pica/splits.def). Unless ref_set_choices says otherwise, it
 * takes the normative sides. Comments call what any other side does "other side", or name its sources "some". */
static inline bool ref_takes(const struct ref_gpu *gpu, enum pica_side side)
{
    return pica_takes(&gpu->choices, side);
}

/* To be called when a word of the lighting tables, of code or of descriptors is written: most cases fill little of
 * them, and loads and dumps skip what was never written. All other members count as written. */
static inline void ref_note_word(struct ref_gpu *gpu, const uint32_t *word)
{
    const size_t offset = (size_t)((const uint8_t *)word - (const uint8_t *)gpu);
    pica_state_blocks_remove(&gpu->zeros, (uint32_t)(offset / PICA_STATE_BLOCK));
}

/* GEN-08: adds an event to the run's set. */
static inline void ref_event(struct ref_gpu *gpu, enum pica_event event)
{
    gpu->events.words[(uint32_t)event / 64u] |= UINT64_C(1) << ((uint32_t)event % 64u);
}

/* The same, when `condition` holds. */
static inline void ref_event_if(struct ref_gpu *gpu, bool condition, enum pica_event event)
{
    if (condition)
        ref_event(gpu, event);
}

/* Counts something for the observer of features (pica/features.def): PICA_FEATURE_<NAME> + index in its line. */
static inline void ref_feature(const struct ref_gpu *gpu, uint32_t feature)
{
    if (gpu->features != NULL && gpu->features[feature] != UINT8_MAX)
        gpu->features[feature] += 1u;
}

static inline void ref_feature_if(const struct ref_gpu *gpu, bool condition, uint32_t feature)
{
    if (condition)
        ref_feature(gpu, feature);
}

/* CMD-24: whether the steps are used up; asked before anything begins that counts steps. */
static inline bool ref_steps_spent(struct ref_gpu *gpu)
{
    if (gpu->work.steps < gpu->work.limit)
        return false;
    ref_event(gpu, PICA_EVENT_BUDGET_WORK);
    return true;
}

/* PSC-14: takes the steps of an engine from the budget. False: too few were left; they are gone, and the engine must
 * not start. */
static inline bool ref_take_steps(struct ref_gpu *gpu, uint64_t steps)
{
    gpu->work.steps += steps;
    if (gpu->work.steps <= gpu->work.limit)
        return true;
    gpu->work.steps = gpu->work.limit;
    ref_event(gpu, PICA_EVENT_BUDGET_WORK);
    return false;
}

/* EXT-CMD-10, EXT-CMD-13: index 0 PSC0, 1 PSC1, 2 PDC0, 3 PDC1, 4 PPF, 5 P3D. */
static inline void ref_interrupt(struct ref_gpu *gpu, uint32_t index)
{
    gpu->interrupts[index] += 1u;
}

/* ----------------------------------------------------------------------------------- memory (memory.c, MEM-01..05) */

bool ref_in_memory(const struct ref_gpu *gpu, uint32_t address);

/* Whether all `size` bytes from `address` on (modulo 2^32) are in memory; true for size 0. */
bool ref_range_in_memory(const struct ref_gpu *gpu, uint32_t address, uint64_t size);

/* The lower `size` bytes, 1 to 4, of a number in host memory, lowest byte first (MEM-04). */
static inline uint32_t ref_load_little_endian(const uint8_t *bytes, uint32_t size)
{
    uint32_t value = bytes[0];
    if (size == 4)
        return value | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    for (uint32_t i = 1; i < size; i++)
        value |= (uint32_t)bytes[i] << (8u * i);
    return value;
}

static inline void ref_store_little_endian(uint8_t *bytes, uint32_t size, uint32_t value)
{
    if (size == 4) {
        bytes[0] = (uint8_t)(value & 0xFFu);
        bytes[1] = (uint8_t)(value >> 8 & 0xFFu);
        bytes[2] = (uint8_t)(value >> 16 & 0xFFu);
        bytes[3] = (uint8_t)(value >> 24);
        return;
    }
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8u * i) & 0xFFu);
}

/* The four channels of a colour, 0 to 255 each. Written as one word, because it is often copied as one. */
static inline void ref_set_color(uint8_t rgba[4], uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha)
{
    ref_store_little_endian(rgba, 4, red | green << 8 | blue << 16 | alpha << 24);
}

/* Little-endian, any alignment, byte by byte: an outside byte reads 0. No event. */
uint8_t ref_read8(const struct ref_gpu *gpu, uint32_t address);
uint32_t ref_read16(const struct ref_gpu *gpu, uint32_t address);
uint32_t ref_read24(const struct ref_gpu *gpu, uint32_t address);
uint32_t ref_read32(const struct ref_gpu *gpu, uint32_t address);

/* Like ref_read32; false if a byte of it is outside. */
bool ref_read_word(const struct ref_gpu *gpu, uint32_t address, uint32_t *word);

/* The 64 host bytes of the block at `address`, a multiple of 64, for writing; NULL if they are outside. A block never
 * straddles pages. */
uint8_t *ref_block_to_write(struct ref_gpu *gpu, uint32_t address);

/* Bytes in bulk, with the same meaning; a write to an outside byte is dropped. */
void ref_read_bytes(const struct ref_gpu *gpu, uint32_t address, uint8_t *out, size_t size);
void ref_write_bytes(struct ref_gpu *gpu, uint32_t address, const uint8_t *bytes, size_t size);

/* MEM-01: the number of the page of VRAM or FCRAM that holds an address; REF_PAGES if none does. */
static inline uint32_t ref_page_number(uint32_t address)
{
    const uint32_t in_vram = address - PICA_VRAM_ADDRESS;
    const uint32_t in_fcram = address - PICA_FCRAM_ADDRESS;
    if (in_vram < PICA_VRAM_SIZE)
        return in_vram / PICA_PAGE_SIZE;
    if (in_fcram < PICA_FCRAM_SIZE)
        return REF_VRAM_PAGES + in_fcram / PICA_PAGE_SIZE;
    return REF_PAGES;
}

/* windows.c: the windows of a case. PICA_OK, PICA_BAD_ARGUMENT (nothing changed) or PICA_NO_MEMORY. Bytes become 0. */
enum pica_status ref_memory_create(struct ref_gpu *gpu, bool track_reads);
enum pica_status ref_memory_load(struct ref_gpu *gpu, const struct pica_window *windows, uint32_t count);
void ref_memory_destroy(struct ref_gpu *gpu);

/* windows.c: makes the members of struct pica_state 0; copies them as they are. `zeros`: the blocks of `state` that are
 * known to be 0, before and after. */
void ref_state_clear(struct ref_gpu *gpu);
void ref_state_copy(const struct ref_gpu *gpu, struct pica_state *state, struct pica_state_blocks *zeros);

#endif
