/*
 * draw_blocks: random registers, tables and texels decoded as a draw does it, then random triangles and blocks of
 * random pixels. Every instruction set leaves the bytes that the scalar kernels leave, and no other byte.
 */
#include "fast/draw_state.h"
#include "fast/gpu.h"
#include "fast/trace.h"
#include "pica/memory.h"
#include "pica/regs.h"
#include "tests/kernels/kernel_sets.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 1200,
    ITEMS_MAX = 9,
    BLOCK_BYTES = 64 /* of one surface, at most */
};

struct round {
    struct harness_random random;
    struct fast_gpu *gpu;
    struct fast_triangle triangle;
    struct fast_block_item items[ITEMS_MAX];
    uint32_t count;
    uint8_t before[2][ITEMS_MAX * BLOCK_BYTES]; /* colour, depth */
    uint8_t scalar[2][ITEMS_MAX * BLOCK_BYTES];
};

/* ----------------------------------------------------------------------------------------------------------- state */

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

static void random_registers(struct fast_gpu *gpu, struct harness_random *random)
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

static void random_bytes(struct harness_random *random, void *bytes, size_t size)
{
    uint8_t *const out = bytes;
    for (size_t i = 0; i < size; i++)
        out[i] = harness_random_percent(random, 10) ? 0xFF : (uint8_t)harness_random_next(random);
}

static void decode(struct fast_gpu *gpu, bool traced)
{
    gpu->traces_pixel = traced;
    gpu->raster_dirty = gpu->shading_dirty = true;
    gpu->dirty_tables = UINT32_MAX;
    fast_draw_state_update(gpu);
    gpu->traces_pixel = false;
}

/* -------------------------------------------------------------------------------------------------------- geometry */

/* VPT-01: finite and not 0. */
static float random_inverse_w(struct harness_random *random)
{
    const float r = fabsf(random_float(random));
    return isfinite(r) && r > 0.0f ? r : 1.0f;
}

/* The condition of `plain` (triangle.c). */
static bool may_be_plain(const struct fast_triangle *triangle)
{
    bool plain = true;
    for (uint32_t i = 0; i < 3; i++) {
        plain = plain && triangle->inverse_w[i] >= 0x1p-60f && triangle->inverse_w[i] <= 0x1p60f;
        for (uint32_t k = 0; k < FAST_ATTRIBUTES; k++)
            plain = plain && fabsf(triangle->attribute[k][i]) <= 0x1p60f; /* false for NaN */
    }
    return plain;
}

/* Weights that cover some pixels of the 64x64: an edge passes through, or all of it is inside. */
static void random_edges(struct harness_random *random, struct fast_triangle *triangle)
{
    const uint32_t step_bits = triangle->narrow ? 16 : 23;
    for (uint32_t i = 0; i < 3; i++) {
        const int64_t greatest = (int64_t)1 << step_bits;
        triangle->step_x[i] = (int32_t)((int64_t)(harness_random_next(random) % (uint64_t)(2 * greatest)) - greatest);
        triangle->step_row[i] = (int32_t)((int64_t)(harness_random_next(random) % (uint64_t)(2 * greatest)) - greatest);
        triangle->weight[i] = -32 * ((int64_t)triangle->step_x[i] + triangle->step_row[i]);
        if (harness_random_percent(random, 70))
            triangle->weight[i] += 64 * greatest;
        triangle->weight_dx[i] = (float)triangle->step_x[i];
        triangle->weight_dy[i] = (float)triangle->step_row[i];
    }
}

static void random_triangle(struct harness_random *random, struct fast_triangle *triangle)
{
    const bool moderate = harness_random_percent(random, 60);
    memset(triangle, 0, sizeof *triangle);
    triangle->narrow = harness_random_percent(random, 80);
    random_edges(random, triangle);
    triangle->left = (uint16_t)harness_random_below(random, 8);
    triangle->first_row = (uint16_t)harness_random_below(random, 8);
    triangle->right = (uint16_t)harness_random_between(random, 32, 63);
    triangle->last_row = (uint16_t)harness_random_between(random, 32, 63);
    triangle->area = (float)harness_random_between(random, 1, 1u << 30);
    for (uint32_t i = 0; i < 3; i++) {
        triangle->inverse_w[i] = moderate ? harness_random_float(random, 0.25f, 4.0f) : random_inverse_w(random);
        triangle->z[i] = moderate ? harness_random_float(random, -1.0f, 0.0f) : random_float(random);
        for (uint32_t k = 0; k < FAST_ATTRIBUTES; k++)
            triangle->attribute[k][i] = moderate ? harness_random_float(random, -2.0f, 2.0f) : random_float(random);
    }
    triangle->plain = may_be_plain(triangle) && harness_random_percent(random, 80);
}

static bool block_is_inside(const struct fast_triangle *triangle, uint32_t column, uint32_t row)
{
    for (uint32_t lane = 0; lane < 16; lane++)
        for (uint32_t i = 0; i < 3; i++)
            if (triangle->weight[i] + (int64_t)(column + lane % 4) * triangle->step_x[i] +
                    (int64_t)(row + lane / 4) * triangle->step_row[i] <
                0)
                return false;
    return true;
}

static void random_items(struct round *round)
{
    round->count = harness_random_between(&round->random, 1, ITEMS_MAX);
    for (uint32_t n = 0; n < round->count; n++) {
        const uint32_t column = 4 * harness_random_below(&round->random, 16);
        const uint32_t row = 4 * harness_random_below(&round->random, 16);
        const struct fast_triangle *const t = &round->triangle;
        round->items[n] = (struct fast_block_item){
            .triangle = t,
            .column = (uint16_t)column,
            .row = (uint16_t)row,
            .inside = block_is_inside(t, column, row),
            .whole = column >= t->left && column + 3 <= t->right && row >= t->first_row && row + 3 <= t->last_row,
        };
    }
}

/* ------------------------------------------------------------------------------------------------------------ runs */

static uint32_t surface_bytes(const struct round *round, uint32_t which)
{
    const struct fast_raster_state *const raster = &round->gpu->draw->raster;
    return 16 * (which == 0 ? raster->color_surface.bytes_per_pixel : raster->depth_surface.bytes_per_pixel);
}

static void run_set(struct round *round, const struct kernel_set *set, struct guarded surfaces[2])
{
    const struct fast_raster_state *const raster = &round->gpu->draw->raster;
    const struct fast_shading_state *const shading = &round->gpu->draw->shading;
    const struct fast_block_job job = { raster, shading, raster->shades || set->traced ? shading->needs : 0,
                                        &round->gpu->draw->quick, set->traced ? round->gpu->tracer : NULL };
    for (uint32_t which = 0; which < 2; which++) {
        guarded_create(&surfaces[which], round->count * surface_bytes(round, which));
        memcpy(surfaces[which].bytes, round->before[which], surfaces[which].size);
    }
    for (uint32_t n = 0; n < round->count; n++) {
        round->items[n].color = raster->color_surface.accessed ? surfaces[0].bytes + n * surface_bytes(round, 0) : NULL;
        round->items[n].depth = raster->depth_surface.accessed ? surfaces[1].bytes + n * surface_bytes(round, 1) : NULL;
    }
    set->kernels.draw_blocks(&job, round->items, round->count);
}

/* Where the surface differs from that of the scalar kernels. */
static void expect_same(const struct round *round, uint32_t number, const struct kernel_set *set, uint32_t which,
                        const struct guarded *surface)
{
    const struct fast_raster_state *const raster = &round->gpu->draw->raster;
    size_t at = 0;
    while (at < surface->size && surface->bytes[at] == round->scalar[which][at])
        at++;
    cr_expect(guards_intact(surface), "%s, round %u: wrote outside the %s blocks", set->name, number,
              which == 0 ? "colour" : "depth");
    if (at == surface->size)
        return;
    const uint32_t lane = (uint32_t)(at % surface_bytes(round, which)) / (surface_bytes(round, which) / 16);
    const uint32_t block = (uint32_t)(at / surface_bytes(round, which));
    cr_expect(
        false,
        "%s, round %u: %s of block %u (%u,%u), lane %u: byte %02X, scalar %02X; mode %d, formats %d %d, plain %d, "
        "narrow %d, needs %x, 0x100 = %08X, 0x080 = %08X",
        set->name, number, which == 0 ? "colour" : "depth", block, round->items[block].column, round->items[block].row,
        lane, surface->bytes[at], round->scalar[which][at], (int)raster->mode, (int)raster->color.format,
        (int)raster->depth.format, round->triangle.plain, round->triangle.narrow, round->gpu->draw->shading.needs,
        round->gpu->registers[PICA_REG_COLOR_OPERATION], round->gpu->registers[PICA_REG_TEXUNIT_CONFIG]);
}

/* Returns whether the scalar kernels changed any byte. */
static bool run_round(struct round *round, uint32_t number, const struct kernel_set *sets, uint32_t set_count)
{
    bool changed = false;
    for (uint32_t s = 0; s < set_count; s++) {
        struct guarded surfaces[2];
        decode(round->gpu, sets[s].traced);
        run_set(round, &sets[s], surfaces);
        for (uint32_t which = 0; which < 2; which++) {
            if (s == 0)
                memcpy(round->scalar[which], surfaces[which].bytes, surfaces[which].size);
            changed = changed || memcmp(round->before[which], surfaces[which].bytes, surfaces[which].size) != 0;
            expect_same(round, number, &sets[s], which, &surfaces[which]);
            guarded_destroy(&surfaces[which]);
        }
    }
    return changed;
}

Test(kernels, every_instruction_set_draws_what_the_scalar_kernels_draw)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("draw_blocks");
    struct round *const round = calloc(1, sizeof *round);
    uint32_t drawn = 0;
    cr_assert_not_null(round);
    round->gpu = machine_create();
    round->gpu->tracer->column = round->gpu->tracer->row = UINT32_MAX; /* no block has this pixel */
    for (uint32_t number = 0; number < ROUNDS; number++) {
        harness_random_init(&round->random, seed + number);
        random_bytes(&round->random, fast_memory_span(round->gpu, 0x18000000u, 0x10000), 0x10000);
        fast_memory_written(round->gpu, 0x18000000u, 0x10000);
        random_bytes(&round->random, &round->gpu->tables, sizeof round->gpu->tables);
        random_registers(round->gpu, &round->random);
        random_bytes(&round->random, round->before, sizeof round->before);
        random_triangle(&round->random, &round->triangle);
        random_items(round);
        decode(round->gpu, false);
        if (round->gpu->draw->raster.draws)
            drawn += run_round(round, number, sets, set_count);
    }
    cr_log_info("%u of %d rounds changed a pixel on %u sets", drawn, (int)ROUNDS, set_count);
    cr_expect_geq(drawn, ROUNDS / 4u);
    machine_destroy(round->gpu);
    free(round);
}
