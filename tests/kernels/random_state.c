#include "tests/kernels/random_state.h"

#include "fast/draw_state.h"
#include "fast/gpu.h"
#include "pica/regs.h"
#include "tests/kernels/kernel_sets.h"

/* Small textures inside memory; everything else as it comes. */
static void random_textures(struct fast_gpu *gpu, struct harness_random *random)
{
    uint32_t *const r = gpu->registers;
    if (harness_random_percent(random, 80))
        r[PICA_REG_TEXUNIT_CONFIG] |= 0x407u;
    for (uint32_t unit = 0; unit < 3; unit++) {
        const uint32_t width = harness_random_between(random, 1, 40);
        const uint32_t height = harness_random_between(random, 1, 40);
        const uint32_t address = 0x18000000u + 64u * harness_random_below(random, 512);
        r[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM)] =
            harness_random_percent(random, 50) ? 16u << 16 | 32u : width << 16 | height;
        for (uint32_t face = 0; face < (unit == 0 ? 6u : 1u); face++)
            r[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_ADDR1) + face] = (address >> 3) + face * 0x400u;
    }
}

void random_registers(struct fast_gpu *gpu, struct harness_random *random)
{
    uint32_t *const r = gpu->registers;
    for (uint32_t id = 0x040; id < 0x200; id++)
        r[id] = random_word(random);
    for (uint32_t stage = 0; stage < 6; stage++)
        for (uint32_t k = 0; k < 5; k++)
            r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE) + k] = (uint32_t)harness_random_next(random);
    random_textures(gpu, random);
    r[PICA_REG_FRAMEBUFFER_DIM] = (harness_random_percent(random, 50) ? 1u << 24 : 0u) | 63u << 12 | 64u;
    if (harness_random_percent(random, 60))
        r[PICA_REG_COLOR_OPERATION] &= ~3u; /* the other modes are quickly done */
    if (harness_random_percent(random, 50))
        r[PICA_REG_LIGHTING_ENABLE1] &= ~1u;
    if (harness_random_percent(random, 80)) {
        r[PICA_REG_COLORBUFFER_READ] = r[PICA_REG_COLORBUFFER_WRITE] = 15;
        r[PICA_REG_DEPTHBUFFER_READ] = r[PICA_REG_DEPTHBUFFER_WRITE] = 3;
        r[PICA_REG_DEPTH_COLOR_MASK] |= 0x1F00u;
    }
}

void random_bytes(struct harness_random *random, void *bytes, size_t size)
{
    uint8_t *const out = bytes;
    for (size_t i = 0; i < size; i++)
        out[i] = harness_random_percent(random, 10) ? 0xFF : (uint8_t)harness_random_next(random);
}

void decode_state(struct fast_gpu *gpu, bool traced)
{
    gpu->traces_pixel = traced;
    gpu->raster_dirty = gpu->shading_dirty = true;
    gpu->dirty_tables = UINT32_MAX;
    fast_draw_state_update(gpu);
    gpu->traces_pixel = false;
}
