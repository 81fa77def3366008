/* Memory fill (70 section 1). All work is done at once, on the caller's thread. */
#include "fast/command/engine.h"
#include "pica/extregs.h"

/* PSC-05: the number of pattern bytes. */
static uint32_t fill_bytes(enum pica_fill_width width)
{
    switch (width) {
    case PICA_FILL_WIDTH_16: return 2u;
    case PICA_FILL_WIDTH_24:
    case PICA_FILL_WIDTH_24_3: return 3u;
    case PICA_FILL_WIDTH_32:
    default: return 4u;
    }
}

enum {
    PATTERN_BYTES = 48
}; /* a multiple of 2, 3 and 4 */

static void fill_extent(uint8_t *bytes, uint64_t size, const uint8_t *pattern, uint64_t phase)
{
    uint64_t at = 0;
    uint64_t skip = phase % PATTERN_BYTES;
    while (at < size) {
        uint64_t length = PATTERN_BYTES - skip;
        if (length > size - at)
            length = size - at;
        memcpy(bytes + at, pattern + skip, (size_t)length);
        at += length;
        skip = 0;
    }
}

/* PSC-06, PSC-09. */
static void fill_range(struct fast_gpu *gpu, uint32_t start, uint32_t size, const uint8_t *pattern)
{
    for (uint64_t at = 0; at < size;) {
        bool inside;
        const uint32_t address = start + (uint32_t)at;
        const uint64_t extent = fast_memory_extent(gpu, address, size - at, &inside);
        if (inside) {
            fill_extent(fast_memory_bytes(gpu, address, extent), extent, pattern, at);
            fast_memory_written(gpu, address, extent);
        } else {
            fast_event(gpu, PICA_EVENT_MEM_OOB);
        }
        at += extent;
    }
}

/* PSC-14: bytes of the range that are in memory. */
static uint64_t bytes_in_memory(const struct fast_gpu *gpu, uint32_t start, uint32_t size)
{
    uint64_t bytes = 0;
    for (uint64_t at = 0; at < size;) {
        bool inside;
        const uint64_t extent = fast_memory_extent(gpu, start + (uint32_t)at, size - at, &inside);
        bytes += inside ? extent : 0u;
        at += extent;
    }
    return bytes;
}

/* PSC-02, PSC-05, PSC-07, PSC-08, PSC-10, PSC-14. */
void fast_memory_fill(struct fast_gpu *gpu, uint32_t unit)
{
    const uint32_t start =
        pica_fill_address_address(fast_external(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_START))) << 4;
    const uint32_t end = pica_fill_address_address(fast_external(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_END)))
                         << 4;
    const uint32_t value = fast_external(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_VALUE));
    const uint32_t ctrl = fast_external(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_CTRL));
    const uint32_t length = fill_bytes(pica_fill_ctrl_width(ctrl));
    uint8_t pattern[PATTERN_BYTES];
    for (uint32_t i = 0; i < PATTERN_BYTES; i++)
        pattern[i] = (uint8_t)(value >> (8u * (i % length)) & 0xffu);

    gpu->interrupts[FAST_INTERRUPT_PSC0 + unit] += 1u;
    fast_event_if(gpu, start == 0u, PICA_EVENT_FILL_START_ZERO);
    fast_event_if(gpu, end == start, PICA_EVENT_FILL_EMPTY);
    fast_event_if(gpu, end < start, PICA_EVENT_FILL_INVERTED);
    if (end <= start || !fast_engine_admit(gpu, 1u + bytes_in_memory(gpu, start, end - start) / 64u))
        return;
    fast_event_if(gpu, length == 3u && (end - start) % 3u != 0u, PICA_EVENT_FILL_24_TAIL);
    fill_range(gpu, start, end - start, pattern);
}
