/* The engines (spec 70): started by CPU writes of external registers (external.c), or looked at (LCD). */
#ifndef FAST_COMMAND_ENGINE_H
#define FAST_COMMAND_ENGINE_H

#include "fast/gpu.h"
#include "pica/enums.h"

/* Indices of the interrupt counters (EXT-CMD-10). */
enum {
    FAST_INTERRUPT_PSC0 = 0,
    FAST_INTERRUPT_PPF = 4
};

static inline uint32_t fast_external(const struct fast_gpu *gpu, uint32_t offset)
{
    return gpu->external[offset / 4u];
}

/* PSC-14: counts the steps of an engine; false: it does nothing, because they are too many. */
static inline bool fast_engine_admit(struct fast_gpu *gpu, uint64_t steps)
{
    struct fast_work *const work = &gpu->work;
    if (work->steps > work->limit || steps > work->limit - work->steps) {
        work->steps = work->limit;
        fast_event(gpu, PICA_EVENT_BUDGET_WORK);
        return false;
    }
    work->steps += steps;
    return true;
}

static inline void fast_event_if(struct fast_gpu *gpu, bool condition, enum pica_event event)
{
    if (condition)
        fast_event(gpu, event);
}

/* PSC: runs fill unit 0 or 1 from its registers. */
void fast_memory_fill(struct fast_gpu *gpu, uint32_t unit);

/* PPF and TXC: runs the transfer engine from its registers, as a display transfer or a texture copy. */
void fast_transfer(struct fast_gpu *gpu);
void fast_texture_copy(struct fast_gpu *gpu);

enum {
    FAST_SCREEN_LINES = 240,
    FAST_SCREEN_COLUMNS_TOP = 400,
    FAST_SCREEN_COLUMNS_BOTTOM = 320
};

/*
 * PDC: the picture of a screen (0 top, 1 bottom) as memory is now; `right_eye` chooses the right addresses (PDC-05).
 * `rgb` receives lines from the top, columns from the left, three bytes a pixel: 400 or 320 columns, 240 lines. No side
 * effects.
 */
void fast_scan_out(const struct fast_gpu *gpu, uint32_t screen, bool right_eye, uint8_t *rgb);

/* FBF-09, FBF-10, PPF-10: one pixel of a transfer format to r g b a; 5-7 act as RGBA4. */
uint32_t fast_transfer_bytes(uint32_t format);
void fast_transfer_expand(uint32_t format, const uint8_t *bytes, uint8_t rgba[4]);

/* FBF-11, PPF-11: the way back, by truncation. */
void fast_transfer_reduce(enum pica_transfer_format format, const uint8_t rgba[4], uint8_t *bytes);

/* PPF-10: 5-7 act as 4. */
enum pica_transfer_format fast_transfer_format(uint32_t format);

#endif
