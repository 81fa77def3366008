/*
 * Memory fill: two units that repeat a pattern of 2, 3 or 4 bytes over a range of memory, as programs clear their
 * buffers.
 *
 * A range is two addresses in units of 16 bytes, the end exclusive; one that is empty or inverted completes at once.
 * The pattern counts from the start of the range, whether its bytes are in memory or not. With 24 bits it does not fit
 * a multiple of 16, so the last copy may be cut. The two units are independent of each other.
 *
 * Worked number: START 0x04000000 means address 0x04000000 * 8 = 0x20000000; with END 0x04000006, width 1 (24 bits) and
 * VALUE 0x00FFFF00 the 48 bytes become 00 FF FF 00 FF FF ...
 */
#include "reference/engine.h"

#include "pica/extregs.h"
#include "reference/gpu.h"

/* PSC-05: bytes of the pattern. */
static uint32_t pattern_length(enum pica_fill_width width)
{
    switch (width) {
    case PICA_FILL_WIDTH_16: return 2;
    case PICA_FILL_WIDTH_24: return 3;
    case PICA_FILL_WIDTH_32: return 4;
    case PICA_FILL_WIDTH_24_3:
    default: return 3; /* the field has two bits */
    }
}

/* PSC-06, PSC-09: the part of [start, end) that lies in one window; the pattern counts from `start`. */
static void fill_window(struct ref_gpu *gpu, const struct ref_window *window, uint32_t start, uint32_t end,
                        const uint8_t *pattern, uint32_t length)
{
    enum {
        RUN = 768 /* a multiple of 2, 3 and 4 */
    };
    uint8_t bytes[RUN + 4];
    uint32_t from = start > window->address ? start : window->address;
    const uint32_t to = end < window->address + window->size ? end : window->address + window->size;
    for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] = pattern[i % length];
    while (from < to) {
        const uint32_t part = to - from < (uint32_t)RUN ? to - from : (uint32_t)RUN;
        ref_write_bytes(gpu, from, bytes + (from - start) % length, part);
        from += part;
    }
}

/* The bytes of [start, end) that are in memory. */
static uint32_t bytes_in_windows(const struct ref_gpu *gpu, uint32_t start, uint32_t end)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < gpu->window_count; i++) {
        const uint32_t first = gpu->windows[i].address;
        const uint32_t last = first + gpu->windows[i].size;
        const uint32_t from = start > first ? start : first;
        const uint32_t to = end < last ? end : last;
        bytes += from < to ? to - from : 0;
    }
    return bytes;
}

/* PSC-05: the copies of a pattern begin at `start`. */
static void fill(struct ref_gpu *gpu, uint32_t start, uint32_t end, uint32_t value, uint32_t length)
{
    const uint8_t pattern[4] = { (uint8_t)(value & 0xFFu), (uint8_t)(value >> 8 & 0xFFu),
                                 (uint8_t)(value >> 16 & 0xFFu), (uint8_t)(value >> 24) };
    for (uint32_t i = 0; i < gpu->window_count; i++)
        fill_window(gpu, &gpu->windows[i], start, end, pattern, length);
}

/* PSC-07, other side: the end of the last pattern that begins before `end`. */
static uint32_t end_of_patterns(uint32_t start, uint32_t end, uint32_t length)
{
    return start + (end - start + length - 1u) / length * length;
}

/* ------------------------------------------------------------------------------------------------------- recording */

/* PSC-08, PSC-10. */
static void record_ends(struct ref_gpu *gpu, uint32_t start, uint32_t end)
{
    ref_event_if(gpu, start == 0, PICA_EVENT_FILL_START_ZERO);
    ref_event_if(gpu, end == start, PICA_EVENT_FILL_EMPTY);
    ref_event_if(gpu, end < start, PICA_EVENT_FILL_INVERTED);
}

/* PSC-07, PSC-09. */
static void record_range(struct ref_gpu *gpu, uint32_t start, uint32_t end, uint32_t length)
{
    ref_event_if(gpu, (end - start) % length != 0, PICA_EVENT_FILL_24_TAIL); /* both are multiples of 16 */
    ref_event_if(gpu, !ref_range_in_memory(gpu, start, end - start), PICA_EVENT_MEM_OOB);
}

/* PSC-06, PSC-08, PSC-14: an empty or inverted range has no further events, nor has one that needs too many steps. */
void ref_run_fill(struct ref_gpu *gpu, uint32_t unit, enum pica_fill_width width)
{
    const uint32_t start = ref_engine_address(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_START));
    const uint32_t end = ref_engine_address(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_END));
    const uint32_t value = ref_external_word(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_VALUE));
    const uint32_t length = pattern_length(width);
    record_ends(gpu, start, end);
    if (end <= start)
        return;
    const uint32_t bytes = bytes_in_windows(gpu, start, end);
    if (!ref_take_steps(gpu, 1u + bytes / 64u))
        return;
    record_range(gpu, start, end, length);
    fill(gpu, start, ref_takes(gpu, PICA_SIDE_FILL_TAIL_WHOLE) ? end_of_patterns(start, end, length) : end, value,
         length);
    ref_feature_if(gpu, bytes != 0, PICA_FEATURE_FILL_WROTE + unit);
}
