/*
 * Gas: fragment mode 1, meant for smoke. Fragments add a density to two float16 halves of the colour buffer's words,
 * and a later pass was to shade the sums through a table of 16 colours.
 *
 * How density is added is unknown. Consoles were seen to do what adding zero would do: a half that is almost zero
 * becomes zero, one that is almost infinite becomes a limit, and all others stay. There are no tests, no blending and
 * no depth. Registers and table are stored and mean nothing (GAS-02, GAS-03; GSF-02, GSF-04, GSF-05; what they may mean
 * is GSF-06). The shading pass is a value of the fog mode that leaves the colour alone (GSF-01: fog.c).
 *
 * Worked number: 0x7E03 in the upper half has k = 0x7E, which is above 0x7C: it becomes 0x7FFF; 0x0312 becomes 0.
 */
#include "reference/fragment.h"

#include "reference/trace.h"

/* GAS-01: what one 16-bit half becomes. */
static uint32_t half_after(uint32_t half)
{
    const uint32_t k = half >> 8 & 0x7Fu;
    if (k <= 0x03u)
        return 0x0000u;
    if (k >= 0x7Du)
        return 0x7FFFu;
    return half;
}

static uint32_t word_after(uint32_t word)
{
    return half_after(word & 0xFFFFu) | half_after(word >> 16) << 16;
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record(const struct ref_gpu *gpu, uint32_t before, uint32_t after)
{
    ref_feature(gpu, PICA_FEATURE_GAS_WRITTEN);
    ref_trace(gpu, PICA_TRACE_ID_GAS_WRITE, 0, (const uint32_t[]){ before, after }, 2);
}

/*
 * GAS-01: no tests; with READ off the halves are seen as 0. The GAS_* registers 0x120-0x126 and the gas table are
 * stored and have no effect, 0x125 is never updated (GAS-02), and neither has the depth function of 0x126 (GAS-03).
 */
void ref_gas_fragment(struct ref_gpu *gpu, uint32_t index)
{
    struct ref_batch *batch = gpu->batch;
    const uint32_t offset = batch->color.first + index * batch->color_bytes;
    if (!batch->color_write)
        return;
    const uint32_t stored = ref_surface_read(gpu, &batch->color, offset, 4);
    const uint32_t before = batch->color_read ? stored : 0u;
    const uint32_t after = word_after(before);
    ref_surface_write(gpu, &batch->color, offset, 4, after);
    if (gpu->is_watched)
        record(gpu, before, after);
}
