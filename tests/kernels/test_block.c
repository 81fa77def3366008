/*
 * draw_blocks: random registers, tables and texels decoded as a draw does it, then random triangles and blocks of
 * random pixels. Every instruction set leaves the bytes that the scalar kernels leave, and no other byte; so does the
 * general way where a draw is open to the quick one (fast/draw/quick.h).
 */
#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/trace.h"
#include "pica/regs.h"
#include "tests/kernels/kernel_sets.h"
#include "tests/kernels/random_state.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 2000,
    TRIANGLES = 4,
    ITEMS_MAX = 56,  /* of all triangles: more than a kernel takes at a time */
    BLOCK_BYTES = 64 /* of one surface, at most */
};

struct round {
    struct harness_random random;
    struct fast_gpu *gpu;
    struct fast_triangle triangles[TRIANGLES];
    struct fast_block_item items[ITEMS_MAX];
    uint32_t place[ITEMS_MAX]; /* of the item's pixels in the surfaces below */
    uint32_t count;
    bool follows[ITEMS_MAX];                    /* the item is part of a span: together with the one before it */
    uint8_t before[2][ITEMS_MAX * BLOCK_BYTES]; /* colour, depth */
    uint8_t scalar[2][ITEMS_MAX * BLOCK_BYTES];
};

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

/* Up to three tiles side by side that are inside of everything, if there are some; returns how many blocks. */
static uint32_t random_span(struct round *round, const struct fast_triangle *t, uint32_t first)
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
 * The same items with spans in place of their blocks, and every other triangle's blocks taken for those of a small one:
 * what tile.c makes for the quick way.
 */
static uint32_t pack_spans(const struct round *round, struct fast_block_item packed[ITEMS_MAX])
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < round->count; n++) {
        const bool starts = n + 1 < round->count && round->follows[n + 1] && !round->follows[n];
        const struct fast_block_item *const item = &round->items[n];
        if (!round->follows[n]) {
            packed[count] = *item;
            packed[count++].small = !starts && item->whole && item->triangle->bounded && item->triangle->narrow &&
                                    (item->triangle - round->triangles) % 2 == 1;
        }
        if (starts || (round->follows[n] && round->items[n].column % 8 == 0 && round->items[n].row % 8 == 0))
            packed[count - 1].tiles++;
    }
    return count;
}

/* Triangles one after the other, some twice; later ones now and then on pixels of earlier ones (RST-06). */
static void random_items(struct round *round)
{
    struct harness_random *const random = &round->random;
    const uint32_t runs = harness_random_percent(random, 50) ? 1 : harness_random_between(random, 2, 6);
    round->count = 0;
    memset(round->follows, 0, sizeof round->follows);
    for (uint32_t run = 0; run < runs; run++) {
        const struct fast_triangle *const t = &round->triangles[run % TRIANGLES];
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

/* ------------------------------------------------------------------------------------------------------------- runs */

static uint32_t surface_bytes(const struct round *round, uint32_t which)
{
    const struct fast_raster_state *const raster = &round->gpu->draw->raster;
    return 16 * (which == 0 ? raster->color_surface.bytes_per_pixel : raster->depth_surface.bytes_per_pixel);
}

static void run_set(struct round *round, const struct kernel_set *set, const struct fast_quick *quick,
                    struct guarded surfaces[2])
{
    const struct fast_raster_state *const raster = &round->gpu->draw->raster;
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
    cr_expect(false,
              "%s, round %u: %s of block %u (%u,%u), lane %u: byte %02X, scalar %02X; mode %d, formats %d %d, ieee %d, "
              "narrow %d, needs %x, 0x100 = %08X, 0x080 = %08X",
              set->name, number, which == 0 ? "colour" : "depth", block, round->items[block].column,
              round->items[block].row, lane, surface->bytes[at], round->scalar[which][at], (int)raster->mode,
              (int)raster->color.format, (int)raster->depth.format, round->items[block].triangle->ieee,
              round->items[block].triangle->narrow, round->gpu->draw->shading.needs,
              round->gpu->registers[PICA_REG_COLOR_OPERATION], round->gpu->registers[PICA_REG_TEXUNIT_CONFIG]);
}

/* One set, on the quick way or on the general one; returns whether a byte changed. */
static bool run_and_compare(struct round *round, uint32_t number, const struct kernel_set *set,
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

/* Returns whether the scalar kernels changed any byte. They take the general way first. */
static bool run_round(struct round *round, uint32_t number, const struct kernel_set *sets, uint32_t set_count)
{
    static const struct fast_quick general = { .active = false };
    const bool changed = run_and_compare(round, number, &sets[0], &general, true);
    for (uint32_t s = 0; s < set_count; s++)
        run_and_compare(round, number, &sets[s], &round->gpu->draw->quick, false);
    return changed;
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

/* Quaternions and view vectors whose squares vanish or overflow in some components. */
static void extreme_vectors(struct harness_random *random, struct fast_triangle *triangle)
{
    static const float sizes[8] = { 0.0f, 0x1p-149f, 0x1p-80f, 0x1p-64f, 0x1p-24f, 1.0f, 0x1p30f, 0x1p59f };
    for (uint32_t k = FAST_ATTRIBUTE_VIEW; k < FAST_ATTRIBUTES; k++) {
        const float size = sizes[harness_random_below(random, 8)];
        for (uint32_t i = 0; i < 3; i++)
            triangle->attribute[k][i] = harness_random_float(random, -1.0f, 1.0f) * size;
    }
}

/* Any stages; some lights are for vectors of their own. */
static void random_stages_and_vectors(struct round *round)
{
    struct harness_random *const random = &round->random;
    const enum random_light light = random_stages(round->gpu, random);
    for (uint32_t k = 0; k < 3 && light == RANDOM_LIGHT_DEGENERATE; k++)
        for (uint32_t i = 0; i < 3; i++)
            round->triangles[0].attribute[FAST_ATTRIBUTE_VIEW + k][i] = 0.0f;
    for (uint32_t t = 0; t < TRIANGLES && light == RANDOM_LIGHT_D0; t++)
        if (harness_random_percent(random, 25))
            extreme_vectors(random, &round->triangles[t]);
}

/* One light whose only look-up that matters is D0 by N.H (kernels/lighting_d0.c). */
static bool has_highlight(const struct fast_draw_state *draw)
{
    const struct fast_lighting *const lighting = &draw->shading.lighting;
    const struct fast_light *const light = &lighting->lights[0];
    return draw->quick.active && draw->quick.shading == FAST_QUICK_STAGES && lighting->enabled && lighting->primary &&
           lighting->secondary && lighting->light_count == 1 && lighting->lookups[FAST_LUT_D0].enabled &&
           lighting->lookups[FAST_LUT_D0].input == PICA_LUT_INPUT_NORMAL_HALF && !light->has_specular1 &&
           !light->geometric0 && !light->spot_enabled && !light->attenuation_enabled && lighting->primary_is_opaque &&
           lighting->secondary_is_opaque;
}

/* How often a state was set up for the quick way with each operation of RGBA stages, in rounds that draw. */
static void count_operations(const struct fast_draw_state *draw, uint32_t counts[FAST_RGBA_MIX + 1])
{
    const struct fast_combiner *const combiner = &draw->shading.combiner;
    if (!draw->quick.active || draw->quick.shading != FAST_QUICK_STAGES)
        return;
    for (uint32_t stage = 0; stage < combiner->stage_count; stage++)
        if (combiner->rgba[stage].active)
            counts[combiner->rgba[stage].operation]++;
}

Test(kernels, every_instruction_set_draws_what_the_scalar_kernels_draw)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("draw_blocks");
    struct round *const round = aligned_alloc(64, (sizeof *round + 63) / 64 * 64);
    uint32_t drawn = 0;
    uint32_t highlights[2] = { 0, 0 }; /* of positional and directional lights */
    uint32_t spans = 0;                /* on the quick way */
    uint32_t quick[FAST_QUICK_GENERAL + 1] = { 0 };
    uint32_t operations[FAST_RGBA_MIX + 1] = { 0 };
    cr_assert_not_null(round);
    round->gpu = machine_create();
    round->gpu->tracer->column = round->gpu->tracer->row = UINT32_MAX; /* no block has this pixel */
    for (uint32_t number = 0; number < ROUNDS; number++) {
        harness_random_init(&round->random, seed + number);
        random_bytes(&round->random, fast_memory_bytes(round->gpu, 0x18000000u, 0x10000), 0x10000);
        fast_memory_written(round->gpu, 0x18000000u, 0x10000);
        random_bytes(&round->random, &round->gpu->tables, sizeof round->gpu->tables);
        random_registers(round->gpu, &round->random);
        random_bytes(&round->random, round->before, sizeof round->before);
        const bool common = number % 2 == 1 || number % 4 == 0;
        if (common)
            random_common(round->gpu, &round->random);
        for (uint32_t t = 0; t < TRIANGLES; t++) {
            random_triangle(&round->random, &round->triangles[t]);
            if (common && (t == 0 || harness_random_percent(&round->random, 70)))
                random_bounded_triangle(&round->random, &round->triangles[t]);
        }
        if (number % 4 == 0)
            random_stages_and_vectors(round);
        random_items(round);
        decode_state(round->gpu, false);
        const bool draws = round->gpu->draw->raster.draws && run_round(round, number, sets, set_count);
        drawn += draws;
        if (round->gpu->draw->quick.active)
            quick[round->gpu->draw->quick.shading]++;
        for (uint32_t n = 1; n < round->count && draws && round->gpu->draw->quick.active; n++)
            spans += round->follows[n] && !round->follows[n - 1];
        if (draws)
            count_operations(round->gpu->draw, operations);
        if (draws && has_highlight(round->gpu->draw))
            highlights[round->gpu->draw->shading.lighting.lights[0].directional]++;
    }
    cr_log_info("%u of %d rounds changed a pixel on %u sets", drawn, (int)ROUNDS, set_count);
    cr_expect_geq(drawn, ROUNDS / 4u);
    cr_expect_geq(spans, ROUNDS / 10u, "%u spans of tiles", spans);
    for (uint32_t shading = 0; shading <= FAST_QUICK_GENERAL; shading++)
        cr_expect_geq(quick[shading], ROUNDS / (shading == FAST_QUICK_GENERAL ? 60u : 25u),
                      "shading %u on the quick way: %u rounds", shading, quick[shading]);
    for (uint32_t directional = 0; directional < 2; directional++)
        cr_expect_geq(highlights[directional], 15u, "highlights: %u positional, %u directional", highlights[0],
                      highlights[1]);
    for (uint32_t operation = 0; operation <= FAST_RGBA_MIX; operation++)
        cr_expect_geq(operations[operation], 10u, "operation %u of RGBA stages: %u times", operation,
                      operations[operation]);
    machine_destroy(round->gpu);
    free(round);
}
