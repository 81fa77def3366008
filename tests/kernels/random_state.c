#include "tests/kernels/random_state.h"

#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/tiles/triangle.h"
#include "pica/enums.h"
#include "pica/regs.h"
#include "tests/kernels/kernel_sets.h"

int32_t set_edges(struct fast_triangle *triangle, const int32_t x[3], const int32_t y[3])
{
    int32_t sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t a = (i + 1) % 3, b = (i + 2) % 3;
        const int32_t dx = x[b] - x[a];
        const int32_t dy = y[b] - y[a];
        triangle->weight[i] = dx * (8 - y[a]) - dy * (8 - x[a]) - (dy > 0 || (dy == 0 && dx < 0) ? 1 : 0);
        triangle->step_x[i] = -16 * dy;
        triangle->step_row[i] = 16 * dx;
        triangle->wide_weight[i] = triangle->weight[i];
        triangle->weight_dx[i] = (float)triangle->step_x[i];
        triangle->weight_dy[i] = (float)triangle->step_row[i];
        sum += triangle->weight[i];
    }
    triangle->area = (float)sum;
    return sum;
}

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
        r[PICA_REG_COLOR_OPERATION] &= ~3u; /* the other modes have few cases */
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

void random_rgba_stages(struct fast_gpu *gpu, struct harness_random *random)
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
        if (harness_random_percent(random, 60)) /* the previous output is seen at the end, as some operand */
            env[0] |= PICA_TEV_SOURCE_PREVIOUS * 0x10001u << 4 * harness_random_below(random, 2);
        env[1] = env[4] = 0;
        env[2] = modes[harness_random_below(random, 8)] * 0x10001u;
        if (harness_random_percent(random, 30)) /* whole sources, but not an RGBA stage */
            env[2] = (env[2] & 0xFFFFu) | modes[harness_random_below(random, 8)] << 16;
    }
}

void random_bare_stages(struct fast_gpu *gpu, struct harness_random *random)
{
    static const uint32_t modes[8] = { PICA_TEV_MODE_MODULATE,   PICA_TEV_MODE_MULTIPLY_ADD, PICA_TEV_MODE_ADD_MULTIPLY,
                                       PICA_TEV_MODE_ADD_SIGNED, PICA_TEV_MODE_INTERPOLATE,  PICA_TEV_MODE_REPLACE,
                                       PICA_TEV_MODE_SUBTRACT,   PICA_TEV_MODE_ADD_SIGNED };
    uint32_t *const r = gpu->registers;
    uint8_t *const texels = fast_memory_bytes(gpu, 0x18000000u, 0x10000);
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

/* ----------------------------------------------------------------------------------------------------- common draws */

uint32_t random_dimensions(struct harness_random *random)
{
    const uint32_t width = 1u << harness_random_below(random, 7);
    return width << 16 | 1u << harness_random_below(random, 7);
}

/* Small RGBA8 textures, most of which a quick draw takes; one level, mostly. */
static void common_textures(uint32_t *r, struct harness_random *random)
{
    if (harness_random_percent(random, 85))
        r[PICA_REG_TEXUNIT0_LOD] = r[PICA_REG_TEXUNIT1_LOD] = r[PICA_REG_TEXUNIT2_LOD] = 0;
    r[PICA_REG_TEXUNIT0_TYPE] = r[PICA_REG_TEXUNIT1_TYPE] = r[PICA_REG_TEXUNIT2_TYPE] = PICA_TEXTURE_FORMAT_RGBA8;
    r[PICA_REG_TEXUNIT_CONFIG] |= 7u;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t *const parameters = &r[pica_reg_texunit(k, PICA_REG_TEXUNIT0_DIM) + 1];
        *parameters = (*parameters & 0x00007700u) | (harness_random_percent(random, 50) ? 6u : 0u);
        r[pica_reg_texunit(k, PICA_REG_TEXUNIT0_DIM)] = random_dimensions(random);
    }
}

/* BLD-01: what programs use most, source alpha over one minus source alpha, or one factor off. */
static uint32_t common_blending(struct harness_random *random)
{
    static const uint32_t near[4] = {
        0x71710000, /* source: one, of colours that are multiplied already */
        0x78780000, /* source: destination alpha */
        0x77770000, /* source: one minus source alpha */
        0x66660000  /* destination: source alpha */
    };
    return harness_random_percent(random, 60) ? 0x76760000u : near[harness_random_below(random, 4)];
}

void random_common(struct fast_gpu *gpu, struct harness_random *random)
{
    uint32_t *const r = gpu->registers;
    const uint32_t shading = harness_random_below(random, 4);
    const uint32_t unit = harness_random_below(random, 3);
    const uint32_t color = PICA_TEV_SOURCE_PRIMARY_COLOR, texture = PICA_TEV_SOURCE_TEXTURE0 + unit;
    const uint32_t sources[4] = { color, texture, texture | color << 4, color | texture << 4 };
    r[PICA_REG_COLORBUFFER_FORMAT] = 2;
    r[PICA_REG_DEPTHBUFFER_FORMAT] = PICA_DEPTH_FORMAT_D24S8;
    r[PICA_REG_COLORBUFFER_READ] = r[PICA_REG_COLORBUFFER_WRITE] = 15;
    r[PICA_REG_DEPTHBUFFER_READ] = r[PICA_REG_DEPTHBUFFER_WRITE] = 3;
    r[PICA_REG_DEPTH_COLOR_MASK] |= 0xF00u;
    r[PICA_REG_DEPTHMAP_ENABLE] = 1;
    if (harness_random_percent(random, 50)) { /* the usual ones: the quotient is the depth, but for its sign */
        r[PICA_REG_DEPTHMAP_SCALE] = harness_random_percent(random, 50) ? 0x3F0000u : 0xBF0000u; /* 1, -1 */
        r[PICA_REG_DEPTHMAP_OFFSET] = 0;
    }
    r[PICA_REG_FRAGOP_ALPHA_TEST] = r[PICA_REG_STENCIL_TEST] = r[PICA_REG_SCISSORTEST_MODE] = 0;
    r[PICA_REG_TEXENV_UPDATE_BUFFER] = 0;
    r[PICA_REG_COLOR_OPERATION] = 0x00E40000u | (harness_random_percent(random, 70) ? 0x100u : 0u);
    r[PICA_REG_LOGIC_OP] = PICA_LOGIC_OP_COPY;
    r[PICA_REG_BLEND_FUNC] &= 0xFFFFF8F8u;
    if (harness_random_percent(random, 50))
        r[PICA_REG_BLEND_FUNC] = common_blending(random);
    common_textures(r, random);
    for (uint32_t stage = 0; stage < 6; stage++) {
        uint32_t *const env = &r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE)];
        const uint32_t mode = shading > 1 ? PICA_TEV_MODE_MODULATE : PICA_TEV_MODE_REPLACE;
        env[0] = stage == 0 ? sources[shading] * 0x10001u : PICA_TEV_SOURCE_PREVIOUS * 0x10001u;
        env[1] = env[4] = 0;
        env[2] = stage == 0 ? mode * 0x10001u : PICA_TEV_MODE_REPLACE * 0x10001u;
    }
}

/* For view vectors of 0, so N.H is NaN: RR makes NaN of S1, whose colour is 0, and the whole secondary colour 0. */
static void degenerate_light(uint32_t *r)
{
    uint32_t *const env = &r[pica_reg_texenv(5, PICA_REG_TEXENV0_SOURCE)];
    env[0] = PICA_TEV_SOURCE_FRAGMENT_SECONDARY * 0x10001u;
    env[1] = env[2] = env[4] = 0;
    r[PICA_REG_LIGHTING_ENABLE1] = r[PICA_REG_LIGHTING_NUM_LIGHTS] = r[PICA_REG_LIGHTING_LIGHT_PERMUTATION] = 0;
    r[PICA_REG_LIGHTING_CONFIG0] = 0; /* D0, RR, spot */
    r[PICA_REG_LIGHTING_CONFIG1] = 0xFF00FF00u;
    r[PICA_REG_LIGHTING_LUTINPUT_ABS] = 0;
    r[PICA_REG_LIGHTING_LUTINPUT_SCALE] = 0;
    r[PICA_REG_LIGHTING_LUTINPUT_SELECT] = PICA_LUT_INPUT_LIGHT_NORMAL; /* of D0; RR takes N.H */
    r[PICA_REG_LIGHT0_SPECULAR0] = 0x0FF3FCFFu;
    r[PICA_REG_LIGHT0_SPECULAR1] = 0;
    r[PICA_REG_LIGHT0_XY] = 0x38003C00u; /* float16 1.0, 0.5 */
    r[PICA_REG_LIGHT0_Z] = 0x4000u;
    r[PICA_REG_LIGHT0_CONFIG] = 2; /* two-sided */
}

/* One light whose only factor is d0, with any input, often N.H, and the sum of both its colours as the result. */
static void d0_light(uint32_t *r, struct harness_random *random)
{
    uint32_t *const env = &r[pica_reg_texenv(5, PICA_REG_TEXENV0_SOURCE)];
    if (harness_random_percent(random, 60))
        r[PICA_REG_LIGHTING_LUTINPUT_SELECT] &= ~7u;
    env[0] = (PICA_TEV_SOURCE_FRAGMENT_PRIMARY | PICA_TEV_SOURCE_FRAGMENT_SECONDARY << 4) * 0x10001u;
    env[1] = env[4] = 0;
    env[2] = PICA_TEV_MODE_ADD * 0x10001u;
    r[PICA_REG_LIGHTING_ENABLE1] = r[PICA_REG_LIGHTING_NUM_LIGHTS] = r[PICA_REG_LIGHTING_LIGHT_PERMUTATION] = 0;
    r[PICA_REG_LIGHTING_CONFIG0] = harness_random_percent(random, 50) ? 1u << 27 : 0; /* D0; are highlights clamped? */
    r[PICA_REG_LIGHTING_CONFIG1] = 0xFF00FF00u;
    r[PICA_REG_LIGHT0_SPECULAR0] &= 0x07F1FC7Fu; /* 7 bits each: sums are not always 255 */
    r[PICA_REG_LIGHT0_SPECULAR1] = 0;
    r[PICA_REG_LIGHT0_DIFFUSE] &= 0x07F1FC7Fu;
    r[PICA_REG_LIGHT0_AMBIENT] &= 0x01F07C1Fu;
    r[PICA_REG_LIGHTING_AMBIENT] &= 0x01F07C1Fu;
    r[PICA_REG_LIGHT0_CONFIG] &= 3u;
}

enum random_light random_stages(struct fast_gpu *gpu, struct harness_random *random)
{
    uint32_t *const r = gpu->registers;
    for (uint32_t stage = 0; stage < 6; stage++)
        for (uint32_t k = 0; k < 5; k++)
            r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE) + k] = (uint32_t)harness_random_next(random);
    r[PICA_REG_TEXENV_UPDATE_BUFFER] = harness_random_below(random, 256) << 8;
    if (harness_random_percent(random, 50))
        random_rgba_stages(gpu, random);
    const bool bare = harness_random_percent(random, 40);
    if (bare)
        random_bare_stages(gpu, random);
    r[PICA_REG_TEXUNIT_CONFIG] &= ~0x400u; /* no procedural unit */
    for (uint32_t k = 0; k < 3; k++)
        r[pica_reg_texunit(k, PICA_REG_TEXUNIT0_DIM) + 1] &= ~0x5500u; /* edge or repeat: no border */
    r[PICA_REG_LIGHTING_ENABLE1] = harness_random_percent(random, 10);
    r[PICA_REG_LIGHTING_CONFIG0] &= 0xCFFFFFFEu; /* no bump, no shadow */
    for (uint32_t light = 0; light < 8; light++) {
        uint32_t *const words = &r[pica_reg_light(light, PICA_REG_LIGHT0_SPECULAR0)];
        for (uint32_t k = 0; k < 2; k++)
            words[k] = harness_random_percent(random, 40) ? 0u : words[k];
    }
    if (!bare && harness_random_percent(random, 20)) {
        degenerate_light(r);
        return RANDOM_LIGHT_DEGENERATE;
    }
    if (!bare && harness_random_percent(random, 50)) {
        d0_light(r, random);
        return RANDOM_LIGHT_D0;
    }
    return RANDOM_LIGHT_ANY;
}
