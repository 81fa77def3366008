#include "tests/kernels/random_state.h"

#include "fast/draw_state.h"
#include "fast/gpu.h"
#include "pica/enums.h"
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

/* --------------------------------------------------------------------------------------------------------- combiner */

/* Bytes, often those that fold into something special; or white. */
static uint32_t random_constant(struct harness_random *random)
{
    static const uint32_t bytes[4] = { 127, 128, 129, 255 };
    uint32_t color = (uint32_t)harness_random_next(random);
    if (harness_random_percent(random, 30))
        return UINT32_MAX;
    for (uint32_t shift = 0; shift < 32; shift += 8)
        if (harness_random_percent(random, 30))
            color = (color & ~(255u << shift)) | bytes[harness_random_below(random, 4)] << shift;
    return color;
}

void random_plain_stages(struct fast_gpu *gpu, struct harness_random *random)
{
    static const uint32_t modes[8] = { PICA_TEV_MODE_REPLACE,      PICA_TEV_MODE_MODULATE,    PICA_TEV_MODE_ADD,
                                       PICA_TEV_MODE_ADD_SIGNED,   PICA_TEV_MODE_INTERPOLATE, PICA_TEV_MODE_SUBTRACT,
                                       PICA_TEV_MODE_MULTIPLY_ADD, PICA_TEV_MODE_ADD_MULTIPLY };
    static const uint32_t sources[8] = { PICA_TEV_SOURCE_PRIMARY_COLOR,      PICA_TEV_SOURCE_TEXTURE0,
                                         PICA_TEV_SOURCE_TEXTURE2,           PICA_TEV_SOURCE_FRAGMENT_PRIMARY,
                                         PICA_TEV_SOURCE_CONSTANT,           PICA_TEV_SOURCE_PREVIOUS,
                                         PICA_TEV_SOURCE_FRAGMENT_SECONDARY, PICA_TEV_SOURCE_PREVIOUS };
    for (uint32_t stage = 0; stage < 6; stage++) {
        uint32_t *const env = &gpu->registers[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE)];
        env[0] &= 0x07770777u;
        if (harness_random_percent(random, 30))
            continue;
        env[0] = 0;
        for (uint32_t i = 0; i < 3; i++)
            env[0] |= sources[harness_random_below(random, 8)] * 0x10001u << 4 * i;
        env[3] = random_constant(random);
        if (harness_random_percent(random, 30))
            env[0] |= PICA_TEV_SOURCE_CONSTANT * 0x10001u << 4 * harness_random_below(random, 3);
        if (harness_random_percent(random, 60)) /* what came before is seen at the end, as whichever operand */
            env[0] |= PICA_TEV_SOURCE_PREVIOUS * 0x10001u << 4 * harness_random_below(random, 2);
        env[1] = env[4] = 0;
        env[2] = modes[harness_random_below(random, 8)] * 0x10001u;
        if (harness_random_percent(random, 30)) /* whole sources, but not plain */
            env[2] = (env[2] & 0xFFFFu) | modes[harness_random_below(random, 8)] << 16;
    }
}

void random_bare_stages(struct fast_gpu *gpu, struct harness_random *random)
{
    static const uint32_t modes[8] = { PICA_TEV_MODE_MODULATE,   PICA_TEV_MODE_MULTIPLY_ADD, PICA_TEV_MODE_ADD_MULTIPLY,
                                       PICA_TEV_MODE_ADD_SIGNED, PICA_TEV_MODE_INTERPOLATE,  PICA_TEV_MODE_REPLACE,
                                       PICA_TEV_MODE_SUBTRACT,   PICA_TEV_MODE_ADD_SIGNED };
    uint32_t *const r = gpu->registers;
    uint8_t *const texels = fast_memory_span(gpu, 0x18000000u, 0x10000);
    for (uint32_t i = 0; i < 0x10000; i++)
        if (texels[i] < 64)
            texels[i] = texels[i] % 2 == 0 ? 255 : 0;
    fast_memory_written(gpu, 0x18000000u, 0x10000);
    for (uint32_t stage = 0; stage < 6; stage++) {
        uint32_t *const env = &r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE)];
        const uint32_t previous = stage == 0 ? PICA_TEV_SOURCE_TEXTURE0 : PICA_TEV_SOURCE_PREVIOUS;
        const uint32_t sources[4] = { previous, previous, PICA_TEV_SOURCE_CONSTANT, PICA_TEV_SOURCE_TEXTURE0 };
        env[0] = previous * 0x10001u;
        env[1] = env[2] = env[4] = 0;
        env[3] = random_constant(random);
        if (stage != 0 && stage != 3)
            continue;
        env[2] = modes[harness_random_below(random, 8)] * 0x10001u;
        env[0] = PICA_TEV_SOURCE_CONSTANT * 0x10001u << 4 * harness_random_below(random, 3);
        for (uint32_t i = 0; i < 3; i++)
            if ((env[0] >> 4 * i & 15u) == 0u)
                env[0] |= sources[harness_random_below(random, 4)] * 0x10001u << 4 * i;
    }
    r[PICA_REG_COLOR_OPERATION] = 0x00E40000u; /* no blending */
}
