#include "tests/kernels/block_rounds.h"

#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/trace.h"
#include "pica/enums.h"
#include "pica/regs.h"
#include "tests/kernels/random_state.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------------------- geometry */

/* VPT-01: finite and not 0. */
static float random_inverse_w(struct harness_random *random)
{
    const float r = fabsf(random_float(random));
    return isfinite(r) && r > 0.0f ? r : 1.0f;
}

/* The condition of `ieee` (tiles/raster_set_up.c). */
static bool may_be_ieee(const struct fast_triangle *triangle)
{
    bool ieee = true;
    for (uint32_t i = 0; i < 3; i++) {
        ieee = ieee && triangle->inverse_w[i] >= 0x1p-60f && triangle->inverse_w[i] <= 0x1p60f;
        for (uint32_t k = 0; k < FAST_ATTRIBUTES; k++)
            ieee = ieee && fabsf(triangle->attribute[k][i]) <= 0x1p60f; /* false for NaN */
    }
    return ieee;
}

/* Weights that cover some pixels of the 64x64: an edge passes through, or all of it is inside. */
static void random_edges(struct harness_random *random, struct fast_triangle *triangle)
{
    const uint32_t step_bits = triangle->narrow ? 16 : 23;
    for (uint32_t i = 0; i < 3; i++) {
        const int64_t greatest = (int64_t)1 << step_bits;
        triangle->step_x[i] = (int32_t)((int64_t)(harness_random_next(random) % (uint64_t)(2 * greatest)) - greatest);
        triangle->step_row[i] = (int32_t)((int64_t)(harness_random_next(random) % (uint64_t)(2 * greatest)) - greatest);
        triangle->wide_weight[i] = -32 * ((int64_t)triangle->step_x[i] + triangle->step_row[i]);
        if (harness_random_percent(random, 70))
            triangle->wide_weight[i] += 64 * greatest;
        triangle->weight[i] = triangle->narrow ? (int32_t)triangle->wide_weight[i] : 0;
        triangle->weight_dx[i] = (float)triangle->step_x[i];
        triangle->weight_dy[i] = (float)triangle->step_row[i];
    }
}

/* RST-01 to RST-03 for a triangle that has corners, of up to 64x64 pixels; A > 0. */
static void real_edges(struct harness_random *random, struct fast_triangle *triangle)
{
    int32_t x[3], y[3];
    do {
        for (uint32_t i = 0; i < 3; i++) {
            x[i] = (int32_t)harness_random_below(random, 1024);
            y[i] = (int32_t)harness_random_below(random, 1024);
        }
    } while (set_edges(triangle, x, y) <= 0);
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
    triangle->ieee = may_be_ieee(triangle) && harness_random_percent(random, 80);
}

static bool block_is_inside(const struct fast_triangle *triangle, uint32_t column, uint32_t row)
{
    for (uint32_t lane = 0; lane < 16; lane++)
        for (uint32_t i = 0; i < 3; i++)
            if (triangle->wide_weight[i] + (int64_t)(column + lane % 4) * triangle->step_x[i] +
                    (int64_t)(row + lane / 4) * triangle->step_row[i] <
                0)
                return false;
    return true;
}

static struct fast_block_item random_item(struct harness_random *random, const struct fast_triangle *t)
{
    const uint32_t column = 4 * harness_random_below(random, 16);
    const uint32_t row = 4 * harness_random_below(random, 16);
    return (struct fast_block_item){
        .triangle = t,
        .column = (uint16_t)column,
        .row = (uint16_t)row,
        .inside = block_is_inside(t, column, row),
        .whole = column >= t->left && column + 3 <= t->right && row >= t->first_row && row + 3 <= t->last_row,
    };
}

static bool tile_is_whole(const struct fast_triangle *t, uint32_t column, uint32_t row)
{
    bool whole = column >= t->left && column + 7 <= t->right && row >= t->first_row && row + 7 <= t->last_row;
    for (uint32_t k = 0; k < 4; k++)
        whole = whole && block_is_inside(t, column + 4 * (k & 1), row + 4 * (k >> 1));
    return whole;
}

/* Up to three tiles side by side that are inside everything, if there are any; returns how many blocks. */
static uint32_t random_span(struct block_round *round, const struct fast_triangle *t, uint32_t first)
{
    struct harness_random *const random = &round->random;
    const uint32_t row = 8 * harness_random_below(random, 8);
    const uint32_t most = harness_random_between(random, 1, 3);
    uint32_t column = 8 * harness_random_below(random, 8);
    uint32_t n = first;
    for (uint32_t tile = 0; tile < most && n + 4 <= ITEMS_MAX && tile_is_whole(t, column, row); tile++, column += 8)
        for (uint32_t k = 0; k < 4; k++, n++) {
            round->items[n] = (struct fast_block_item){ .triangle = t, .inside = true, .whole = true };
            round->items[n].column = (uint16_t)(column + 4 * (k & 1));
            round->items[n].row = (uint16_t)(row + 4 * (k >> 1));
            round->place[n] = n;
            round->follows[n] = n != first;
        }
    return n - first;
}

/*
 * The same items with spans in place of their blocks, and every other triangle's blocks taken for windows: what
 * raster_tile.c makes for the quick way.
 */
static uint32_t pack_spans(const struct block_round *round, struct fast_block_item packed[ITEMS_MAX])
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < round->count; n++) {
        const bool starts = n + 1 < round->count && round->follows[n + 1] && !round->follows[n];
        const struct fast_block_item *const item = &round->items[n];
        if (!round->follows[n]) {
            packed[count] = *item;
            packed[count].right = 16u;
            packed[count].down = 32u;
            packed[count++].window = !starts && item->whole && item->triangle->bounded && item->triangle->narrow &&
                                     (item->triangle - round->triangles) % 2 == 1;
        }
        if (starts || (round->follows[n] && round->items[n].column % 8 == 0 && round->items[n].row % 8 == 0))
            packed[count - 1].tiles++;
    }
    return count;
}

/* Triangles one after the other, some twice; later ones now and then on pixels of earlier ones (RST-06). */
void block_round_items(struct block_round *round)
{
    struct harness_random *const random = &round->random;
    const uint32_t runs = harness_random_percent(random, 50) ? 1 : harness_random_between(random, 2, 6);
    round->count = 0;
    memset(round->follows, 0, sizeof round->follows);
    for (uint32_t run = 0; run < runs; run++) {
        const struct fast_triangle *const t = &round->triangles[run % ROUND_TRIANGLES];
        const uint32_t first = round->count;
        const uint32_t most = ITEMS_MAX - first < 40 ? ITEMS_MAX - first : 40;
        const uint32_t count = most == 0 ? 0 : harness_random_between(random, 1, runs == 1 ? most : most / 3 + 1);
        for (uint32_t n = first; n < first + count; n++) {
            round->items[n] = random_item(random, t);
            round->place[n] = n;
            if (first != 0 && harness_random_percent(random, 30))
                round->place[n] = n - first < first ? n - first : n;
        }
        round->count += count;
        for (uint32_t tries = 0; t->bounded && tries < 16; tries++)
            round->count += random_span(round, t, round->count);
    }
}

/* Depths of the corners, with one sign: anything, or what fast/kernels/block_spans_tmpl.h has a limit at. */
static void random_depths(struct harness_random *random, float z[3])
{
    static const float limits[8] = {
        0.0f, 0x1p-149f, 1.0f - 0x1p-19f, 1.0f - 0x1p-20f, 1.0f - 0x1p-21f, 1.0f - 0x1p-24f, 1.0f, 1.5f
    };
    const bool usual = harness_random_percent(random, 50);
    const float sign = harness_random_percent(random, 50) ? 1.0f : -1.0f;
    const uint32_t most = harness_random_percent(random, 70) ? 4 : 8;
    for (uint32_t i = 0; i < 3; i++)
        z[i] = sign * (usual ? harness_random_float(random, 0.0f, 1.0f) : limits[harness_random_below(random, most)]);
}

/* What the quick way takes: bounded, with real corners. */
static void random_bounded_triangle(struct harness_random *random, struct fast_triangle *triangle)
{
    triangle->narrow = true;
    triangle->ieee = triangle->bounded = true;
    real_edges(random, triangle);
    random_depths(random, triangle->z);
    for (uint32_t i = 0; i < 3; i++) {
        triangle->inverse_w[i] = harness_random_float(random, 0.25f, 4.0f);
        for (uint32_t k = 0; k < FAST_ATTRIBUTES; k++)
            triangle->attribute[k][i] =
                harness_random_float(random, k < 8 ? 0.0f : -4.0f, k < 8 ? 1.0f : 4.0f) * triangle->inverse_w[i];
    }
    for (uint32_t k = 0; k < 4; k++) /* one colour all over, sometimes at the edge of a byte */
        for (uint32_t i = 0; i < 3 && harness_random_percent(random, 10); i++)
            for (uint32_t corner = 0; corner < 3; corner++)
                triangle->attribute[k][corner] = 0.5f * (float)i * triangle->inverse_w[corner];
}

void block_round_triangles(struct block_round *round, bool bounded)
{
    struct harness_random *const random = &round->random;
    for (uint32_t t = 0; t < ROUND_TRIANGLES; t++) {
        random_triangle(random, &round->triangles[t]);
        if (bounded && (t == 0 || harness_random_percent(random, 70)))
            random_bounded_triangle(random, &round->triangles[t]);
    }
}

/* ---------------------------------------------------------------------------------------------------------- a round */

static uint32_t surface_bytes(const struct block_round *round, uint32_t which)
{
    const struct fast_fragment_state *const raster = &round->gpu->draw->raster;
    return 16 * (which == 0 ? raster->color_surface.bytes_per_pixel : raster->depth_surface.bytes_per_pixel);
}

static void run_set(struct block_round *round, const struct kernel_set *set, const struct fast_quick *quick,
                    struct guarded surfaces[2])
{
    const struct fast_fragment_state *const raster = &round->gpu->draw->raster;
    const struct fast_shading_state *const shading = &round->gpu->draw->shading;
    const struct fast_block_job job = { raster, shading, raster->shades || set->traced ? shading->needs : 0, quick,
                                        set->traced ? round->gpu->tracer : NULL };
    for (uint32_t which = 0; which < 2; which++) {
        guarded_create(&surfaces[which], round->count * surface_bytes(round, which));
        memcpy(surfaces[which].bytes, round->before[which], surfaces[which].size);
    }
    for (uint32_t n = 0; n < round->count; n++) {
        const uint32_t place = round->place[n];
        round->items[n].color =
            raster->color_surface.accessed ? surfaces[0].bytes + place * surface_bytes(round, 0) : NULL;
        round->items[n].depth =
            raster->depth_surface.accessed ? surfaces[1].bytes + place * surface_bytes(round, 1) : NULL;
    }
    if (quick->active && !set->traced) {
        struct fast_block_item packed[ITEMS_MAX];
        set->kernels.draw_blocks(&job, packed, pack_spans(round, packed));
    } else {
        set->kernels.draw_blocks(&job, round->items, round->count);
    }
}

/* Where the surface differs from that of the scalar kernels. */
static void expect_same(const struct block_round *round, uint32_t number, const struct kernel_set *set, uint32_t which,
                        const struct guarded *surface)
{
    const struct fast_fragment_state *const raster = &round->gpu->draw->raster;
    size_t at = 0;
    while (at < surface->size && surface->bytes[at] == round->scalar[which][at])
        at++;
    cr_expect(guards_intact(surface), "%s, %s, round %u: wrote outside the %s blocks", round->kernel, set->name, number,
              which == 0 ? "colour" : "depth");
    if (at == surface->size)
        return;
    const uint32_t lane = (uint32_t)(at % surface_bytes(round, which)) / (surface_bytes(round, which) / 16);
    const uint32_t block = (uint32_t)(at / surface_bytes(round, which));
    cr_expect(
        false,
        "%s, %s, round %u: %s of block %u (%u,%u), lane %u: byte %02X, scalar %02X; mode %d, formats %d %d, ieee %d, "
        "narrow %d, needs %x, 0x100 = %08X, 0x080 = %08X",
        round->kernel, set->name, number, which == 0 ? "colour" : "depth", block, round->items[block].column,
        round->items[block].row, lane, surface->bytes[at], round->scalar[which][at], (int)raster->mode,
        (int)raster->color.format, (int)raster->depth.format, round->items[block].triangle->ieee,
        round->items[block].triangle->narrow, round->gpu->draw->shading.needs,
        round->gpu->registers[PICA_REG_COLOR_OPERATION], round->gpu->registers[PICA_REG_TEXUNIT_CONFIG]);
}

/* One set, on the quick way or on the general one; returns whether a byte changed. */
static bool run_and_compare(struct block_round *round, uint32_t number, const struct kernel_set *set,
                            const struct fast_quick *quick, bool first)
{
    struct guarded surfaces[2];
    bool changed = false;
    decode_state(round->gpu, set->traced);
    run_set(round, set, quick, surfaces);
    for (uint32_t which = 0; which < 2; which++) {
        if (first)
            memcpy(round->scalar[which], surfaces[which].bytes, surfaces[which].size);
        changed = changed || memcmp(round->before[which], surfaces[which].bytes, surfaces[which].size) != 0;
        expect_same(round, number, set, which, &surfaces[which]);
        guarded_destroy(&surfaces[which]);
    }
    return changed;
}

/* The scalar kernels take the general way first. */
bool block_round_run(struct block_round *round, uint32_t number, const struct kernel_set *sets, uint32_t set_count)
{
    static const struct fast_quick general = { .active = false };
    const bool changed = run_and_compare(round, number, &sets[0], &general, true);
    for (uint32_t s = 0; s < set_count; s++)
        run_and_compare(round, number, &sets[s], &round->gpu->draw->quick, false);
    return changed;
}

/* ---------------------------------------------------------------------------------------------------- a stage alone */

struct block_round *block_round_create(const char *kernel)
{
    struct block_round *const round = aligned_alloc(64, (sizeof *round + 63) / 64 * 64);
    cr_assert_not_null(round);
    round->kernel = kernel;
    round->gpu = machine_create();
    round->gpu->tracer->column = round->gpu->tracer->row = UINT32_MAX; /* no block has this pixel */
    return round;
}

void block_round_destroy(struct block_round *round)
{
    machine_destroy(round->gpu);
    free(round);
}

void block_round_memory(struct block_round *round, uint64_t seed)
{
    struct fast_gpu *const gpu = round->gpu;
    harness_random_init(&round->random, seed);
    random_bytes(&round->random, fast_memory_bytes(gpu, 0x18000000u, 0x10000), 0x10000);
    fast_memory_written(gpu, 0x18000000u, 0x10000);
    random_bytes(&round->random, &gpu->tables, sizeof gpu->tables);
    random_registers(gpu, &round->random);
    random_bytes(&round->random, round->before, sizeof round->before);
}

void show_source(uint32_t *registers, uint32_t source)
{
    uint32_t *const env = &registers[pica_reg_texenv(0, PICA_REG_TEXENV0_SOURCE)];
    memset(env, 0, 5 * sizeof env[0]);
    env[0] = source * 0x10001u;
}

/* RGBA8 and D24S8 of 64x64 pixels, all of whose bits are written; the colour is that of the vertices; nothing else. */
static void calm_registers(uint32_t *r)
{
    memset(&r[0x040], 0, (0x200 - 0x040) * sizeof r[0]);
    r[PICA_REG_FRAMEBUFFER_DIM] = 63u << 12 | 64u;
    r[PICA_REG_COLORBUFFER_FORMAT] = 2;
    r[PICA_REG_DEPTHBUFFER_FORMAT] = PICA_DEPTH_FORMAT_D24S8;
    r[PICA_REG_COLORBUFFER_READ] = r[PICA_REG_COLORBUFFER_WRITE] = 15;
    r[PICA_REG_DEPTHBUFFER_READ] = r[PICA_REG_DEPTHBUFFER_WRITE] = 3;
    r[PICA_REG_DEPTH_COLOR_MASK] = 0xF00;
    r[PICA_REG_DEPTHMAP_ENABLE] = 1;
    r[PICA_REG_DEPTHMAP_SCALE] = 0xBF0000u; /* -1 */
    r[PICA_REG_COLOR_OPERATION] = 0x00E40000u;
    r[PICA_REG_LOGIC_OP] = PICA_LOGIC_OP_COPY;
    r[PICA_REG_LIGHTING_ENABLE1] = 1; /* off */
    for (uint32_t stage = 0; stage < 6; stage++)
        r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE)] = PICA_TEV_SOURCE_PREVIOUS * 0x10001u;
    show_source(r, PICA_TEV_SOURCE_PRIMARY_COLOR);
}

static void stage_registers(const struct stage_rounds *stage, struct block_round *round)
{
    uint32_t noise[0x200];
    uint32_t *const r = round->gpu->registers;
    memcpy(noise, r, sizeof noise);
    calm_registers(r);
    for (uint32_t i = 0; i < STAGE_RANGES && stage->registers[i].first != 0; i++)
        for (uint32_t id = stage->registers[i].first; id <= stage->registers[i].last; id++)
            r[id] = noise[id];
    if (stage->adjust != NULL)
        stage->adjust(r, &round->random);
}

void expect_stage_alike(const struct stage_rounds *stage)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed(stage->kernel);
    struct block_round *const round = block_round_create(stage->kernel);
    uint32_t drawn = 0, quick = 0;
    for (uint32_t number = 0; number < STAGE_ROUNDS; number++) {
        block_round_memory(round, seed + number);
        stage_registers(stage, round);
        block_round_triangles(round, number % 2 == 1);
        block_round_items(round);
        decode_state(round->gpu, false);
        const bool draws = round->gpu->draw->raster.draws && block_round_run(round, number, sets, set_count);
        drawn += draws;
        quick += draws && round->gpu->draw->quick.active;
    }
    cr_log_info("%s: %u of %d rounds changed a pixel, %u on the quick way", stage->kernel, drawn, (int)STAGE_ROUNDS,
                quick);
    cr_expect_geq(drawn, STAGE_ROUNDS / 4u, "%s: %u rounds changed a pixel", stage->kernel, drawn);
    cr_expect_geq(quick, stage->quick_least / TEST_PART, "%s: %u rounds on the quick way", stage->kernel, quick);
    block_round_destroy(round);
}
