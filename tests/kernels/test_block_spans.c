/*
 * Triangles through bins and tiles (tile.c): on the quick way, where tiles inside of a triangle go to the kernel as
 * spans, every instruction set leaves the bytes that the scalar kernels leave on the general way, with every shading.
 */
#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "fast/tiles/renderer.h"
#include "pica/regs.h"
#include "tests/kernels/kernel_sets.h"
#include "tests/kernels/random_state.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 400 / TEST_PART,
    TRIANGLES = 8,
    MANY_TRIANGLES = 400, /* small ones, more than a tile hands over at once */
    SMALL_REACH = 8,      /* pixels: 3x3 blocks hold them wherever they are */
    WIDTH = 128,          /* two bins */
    HEIGHT = 64,
    TEXTURES = 0x18000000,
    TEXTURE_BYTES = 0x10000,
    TARGET = TEXTURES + TEXTURE_BYTES,
    SURFACE_BYTES = WIDTH * HEIGHT * 4,
    DEPTH = TARGET + SURFACE_BYTES,
    TARGET_BYTES = 2 * SURFACE_BYTES,
    SHADINGS = FAST_QUICK_GENERAL + 1
};

struct round {
    struct harness_random random;
    struct fast_gpu *gpu;
    uint32_t count;
    struct fast_triangle triangles[MANY_TRIANGLES];
    uint32_t blocks[MANY_TRIANGLES]; /* of the small ones, for fast_bins_add; else 0 */
    uint8_t before[TARGET_BYTES], general[TARGET_BYTES];
};

/* What the kernel is handed on the quick way, by shading. */
struct tally {
    uint32_t spans, small, blocks; /* items; `small`: windows; `blocks`: single ones */
};

/* The kernel to watch, and where to count; by spy_draw_blocks, which takes its place. */
static struct {
    void (*draw_blocks)(const struct fast_block_job *job, const struct fast_block_item *items, uint32_t count);
    struct tally tally[SHADINGS];
    uint32_t calls;      /* in this batch */
    uint32_t flushes[2]; /* batches that took more calls than bins: of any triangles, of many small ones */
} spy;

/* ------------------------------------------------------------------------------------------------------------ state */

/* A common draw of any shading; any depth test, any factors of a sum. */
static enum random_light random_target(struct round *round, bool stages)
{
    struct harness_random *const random = &round->random;
    uint32_t *const r = round->gpu->registers;
    random_bytes(random, fast_memory_bytes(round->gpu, TEXTURES, TEXTURE_BYTES), TEXTURE_BYTES);
    fast_memory_written(round->gpu, TEXTURES, TEXTURE_BYTES);
    random_bytes(random, &round->gpu->tables, sizeof round->gpu->tables);
    random_registers(round->gpu, random);
    random_common(round->gpu, random);
    const enum random_light light = stages ? random_stages(round->gpu, random) : RANDOM_LIGHT_ANY;
    r[PICA_REG_FRAMEBUFFER_DIM] = (harness_random_percent(random, 50) ? 1u << 24 : 0u) | WIDTH | (HEIGHT - 1u) << 12;
    r[PICA_REG_COLORBUFFER_LOC] = TARGET >> 3;
    r[PICA_REG_DEPTHBUFFER_LOC] = DEPTH >> 3;
    if (harness_random_percent(random, 80)) {
        r[PICA_REG_DEPTHMAP_SCALE] = harness_random_percent(random, 70) ? 0xBF0000u : 0xBE0000u; /* -1, -0.5 */
        r[PICA_REG_DEPTHMAP_OFFSET] = 0;
    }
    r[PICA_REG_DEPTH_COLOR_MASK] = 0xF00u | harness_random_below(random, 2) << 12;
    r[PICA_REG_DEPTH_COLOR_MASK] |= harness_random_below(random, 8) << 4;
    r[PICA_REG_DEPTH_COLOR_MASK] |= harness_random_percent(random, 60) ? 1u : 0u;
    r[PICA_REG_FRAMEBUFFER_BLOCK32] = harness_random_percent(random, 10) ? 1u : 0u;
    return light;
}

/* -------------------------------------------------------------------------------------------------------- triangles */

/* Corners on and off the screen; S > 0. Often a box that cuts it. */
static void large_triangle(struct harness_random *random, struct fast_triangle *triangle)
{
    int32_t x[3], y[3];
    do {
        const uint32_t reach = harness_random_percent(random, 30) ? 16u * 1000u : 16u * 300u;
        for (uint32_t i = 0; i < 3; i++) {
            x[i] = (int32_t)harness_random_below(random, reach) - (int32_t)(reach - 16u * WIDTH) / 2;
            y[i] = (int32_t)harness_random_below(random, reach) - (int32_t)(reach - 16u * HEIGHT) / 2;
        }
    } while (set_edges(triangle, x, y) <= 0);
    triangle->right = WIDTH - 1;
    triangle->last_row = HEIGHT - 1;
    if (harness_random_percent(random, 40)) {
        triangle->left = (uint16_t)harness_random_below(random, WIDTH);
        triangle->first_row = (uint16_t)harness_random_below(random, HEIGHT);
        triangle->right = (uint16_t)harness_random_between(random, triangle->left, WIDTH - 1);
        triangle->last_row = (uint16_t)harness_random_between(random, triangle->first_row, HEIGHT - 1);
    }
}

static int32_t least(const int32_t v[3])
{
    const int32_t two = v[0] < v[1] ? v[0] : v[1];
    return two < v[2] ? two : v[2];
}

static int32_t greatest(const int32_t v[3])
{
    const int32_t two = v[0] > v[1] ? v[0] : v[1];
    return two > v[2] ? two : v[2];
}

/* In up to 3x3 blocks, maybe of both bins; returns the blocks of its box as an entry of a bin has them. */
static uint32_t small_triangle(struct harness_random *random, struct fast_triangle *triangle)
{
    const uint32_t reach = 16u * SMALL_REACH;
    const uint32_t left = harness_random_below(random, 16u * WIDTH - reach + 1u);
    const uint32_t top = harness_random_below(random, 16u * HEIGHT - reach + 1u);
    int32_t x[3], y[3];
    do {
        for (uint32_t i = 0; i < 3; i++) {
            x[i] = (int32_t)(left + harness_random_below(random, reach));
            y[i] = (int32_t)(top + harness_random_below(random, reach));
        }
    } while (set_edges(triangle, x, y) <= 0);
    triangle->left = (uint16_t)(least(x) / 16);
    triangle->right = (uint16_t)(greatest(x) / 16);
    triangle->first_row = (uint16_t)(least(y) / 16);
    triangle->last_row = (uint16_t)(greatest(y) / 16);
    triangle->uncut = true;
    uint32_t blocks = 0;
    for (uint32_t row = 0; row <= triangle->last_row / 4u - triangle->first_row / 4u; row++)
        for (uint32_t column = 0; column <= triangle->right / 4u - triangle->left / 4u; column++)
            blocks |= 1u << (3u * row + column);
    return blocks;
}

/*
 * A channel whose corners lie at, or some steps beside, the edge between two bytes, so that planes
 * (kernels/interpolation_planes.h) decide few lanes of it or none.
 */
static void edge_channel(struct harness_random *random, struct fast_triangle *triangle, uint32_t channel)
{
    const float edge = ((float)harness_random_below(random, 255) + 0.5f) / 255.0f;
    const uint32_t steps = harness_random_percent(random, 50) ? 0 : 9;
    for (uint32_t i = 0; i < 3; i++) {
        const float beside = ldexpf((float)harness_random_below(random, steps + 1) - (float)steps / 2.0f, -20);
        triangle->attribute[FAST_ATTRIBUTE_COLOR + channel][i] = (edge + beside) * triangle->inverse_w[i];
    }
}

/* The attributes are those of a bounded triangle. */
static void random_triangle(struct round *round, uint32_t number, bool small)
{
    struct harness_random *const random = &round->random;
    struct fast_triangle *const triangle = &round->triangles[number];
    memset(triangle, 0, sizeof *triangle);
    round->blocks[number] = 0;
    if (small)
        round->blocks[number] = small_triangle(random, triangle);
    else
        large_triangle(random, triangle);
    triangle->ieee = triangle->narrow = true;
    triangle->bounded = harness_random_percent(random, 90);
    for (uint32_t i = 0; i < 3; i++) {
        triangle->inverse_w[i] = harness_random_float(random, 0.25f, 1.0f);
        triangle->z[i] = -harness_random_float(random, 0.0f, 1.0f);
        for (uint32_t k = 0; k < FAST_ATTRIBUTES; k++)
            triangle->attribute[k][i] = harness_random_float(random, k < FAST_ATTRIBUTE_TEXCOORD0 ? 0.0f : -4.0f,
                                                             k < FAST_ATTRIBUTE_TEXCOORD0 ? 1.0f : 4.0f) *
                                        triangle->inverse_w[i];
    }
    for (uint32_t channel = 0; channel < 4 && harness_random_percent(random, 30); channel++)
        edge_channel(random, triangle, channel);
}

/* Windows from an even place on that hold all of a small triangle, as an entry; 0 if it is in both bins. */
static uint32_t window_entry(const struct fast_triangle *triangle)
{
    const uint32_t left = triangle->left & ~1u, first = triangle->first_row & ~1u;
    const uint32_t columns = (triangle->right - left) / 4u + 1u, rows = (triangle->last_row - first) / 4u + 1u;
    const uint32_t end = triangle->left / FAST_REGION_SIZE * FAST_REGION_SIZE + FAST_REGION_SIZE;
    const uint32_t column = left + 4u * columns <= end ? left : end - 4u * columns;
    const uint32_t row = first + 4u * rows <= HEIGHT ? first : HEIGHT - 4u * rows;
    uint32_t squares = 0;
    if (triangle->left / FAST_REGION_SIZE != triangle->right / FAST_REGION_SIZE)
        return 0;
    for (uint32_t y = 0; y < rows; y++)
        squares |= ((1u << columns) - 1u) << 3u * y;
    return FAST_ENTRY_WINDOWS | column % FAST_REGION_SIZE / 2u << FAST_ENTRY_COLUMN_SHIFT |
           row / 2u << FAST_ENTRY_ROW_SHIFT | squares << FAST_ENTRY_SQUARES_SHIFT;
}

static void random_triangles(struct round *round, enum random_light light)
{
    const bool many = harness_random_percent(&round->random, 4);
    round->count = many ? MANY_TRIANGLES : TRIANGLES;
    for (uint32_t i = 0; i < round->count; i++)
        random_triangle(round, i, many || harness_random_percent(&round->random, 40));
    for (uint32_t k = 0; k < 3 && light == RANDOM_LIGHT_DEGENERATE; k++)
        memset(round->triangles[0].attribute[FAST_ATTRIBUTE_VIEW + k], 0, sizeof round->triangles[0].attribute[0]);
}

/* ------------------------------------------------------------------------------------------------------------- runs */

static void spy_draw_blocks(const struct fast_block_job *job, const struct fast_block_item *items, uint32_t count)
{
    struct tally *const tally = &spy.tally[job->quick->shading];
    for (uint32_t n = 0; n < count && job->quick->active; n++) {
        tally->spans += items[n].tiles != 0;
        tally->small += items[n].window;
        tally->blocks += items[n].tiles == 0 && !items[n].window;
    }
    spy.calls++;
    spy.draw_blocks(job, items, count);
}

/* One batch into the target, which starts as `before`. On the general way each triangle is drawn by itself, none as a
 * small one. */
static const uint8_t *draw(struct round *round, const struct kernel_set *set, bool quick)
{
    struct fast_gpu *const gpu = round->gpu;
    const struct fast_batch_reads reads = { .count = 0 };
    uint8_t *const bytes = fast_memory_bytes(gpu, TARGET, TARGET_BYTES);
    memcpy(bytes, round->before, TARGET_BYTES);
    fast_memory_written(gpu, TARGET, TARGET_BYTES);
    *gpu->kernels = set->kernels;
    spy.draw_blocks = set->kernels.draw_blocks;
    gpu->kernels->draw_blocks = spy_draw_blocks;
    decode_state(gpu, false);
    cr_assert(gpu->draw->quick.active);
    gpu->draw->quick.active = quick;
    spy.calls = 0;
    fast_batch_begin(gpu, &reads);
    for (uint32_t i = 0; i < round->count; i++) {
        const struct fast_triangle *const triangle = &round->triangles[i];
        const uint32_t entry =
            quick && triangle->bounded && round->blocks[i] != 0 && i % 3 != 0 ? window_entry(triangle) : 0;
        *fast_bins_next(&gpu->renderer->own) = *triangle;
        if (entry != 0)
            fast_bins_add_entry(&gpu->renderer->own, triangle->left / FAST_REGION_SIZE, entry);
        else
            fast_bins_add(&gpu->renderer->own, quick ? round->blocks[i] : 0);
        if (!quick)
            fast_bins_draw(gpu->renderer, &gpu->renderer->own, 1u);
    }
    fast_batch_end(gpu);
    spy.flushes[round->count == MANY_TRIANGLES] += quick && spy.calls > WIDTH / FAST_REGION_SIZE;
    return bytes;
}

static void expect_same(const struct round *round, const uint8_t *bytes, const char *set, uint32_t number)
{
    uint32_t at = 0;
    while (at < TARGET_BYTES && bytes[at] == round->general[at])
        at++;
    cr_expect_eq(at, TARGET_BYTES, "%s, round %u: byte %u is %02X, on the general way %02X", set, number, at,
                 bytes[at % TARGET_BYTES], round->general[at % TARGET_BYTES]);
}

/* Every kind of item came often, with every shading. */
static void expect_all_items(void)
{
    for (uint32_t shading = 0; shading < SHADINGS; shading++) {
        const struct tally *const tally = &spy.tally[shading];
        cr_log_info("shading %u: %u spans, %u windows, %u blocks", shading, tally->spans, tally->small, tally->blocks);
        cr_expect_geq(tally->spans, ROUNDS / 4u, "shading %u: %u spans", shading, tally->spans);
        cr_expect_geq(tally->small, ROUNDS / 4u, "shading %u: %u windows", shading, tally->small);
        cr_expect_geq(tally->blocks, ROUNDS / 4u, "shading %u: %u single blocks", shading, tally->blocks);
    }
    for (uint32_t many = 0; many < 2; many++)
        cr_expect_geq(spy.flushes[many], ROUNDS / 40u, "%u batches flushed, %s", spy.flushes[many],
                      many == 0 ? "of any triangles" : "of many small ones");
}

Test(kernels, RST_06_spans_of_tiles_draw_what_the_general_way_draws)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("spans");
    struct round *const round = aligned_alloc(64, (sizeof *round + 63) / 64 * 64);
    uint32_t drawn = 0;
    cr_assert_not_null(round);
    round->gpu = machine_create();
    for (uint32_t number = 0; number < ROUNDS; number++) {
        harness_random_init(&round->random, seed + number);
        random_bytes(&round->random, round->before, sizeof round->before);
        random_triangles(round, random_target(round, number % 3 == 0));
        memcpy(round->general, draw(round, &sets[0], false), TARGET_BYTES);
        drawn += memcmp(round->general, round->before, TARGET_BYTES) != 0;
        for (uint32_t s = 0; s < set_count; s++)
            if (!sets[s].traced)
                expect_same(round, draw(round, &sets[s], true), sets[s].name, number);
    }
    cr_log_info("%u of %d rounds changed a pixel", drawn, (int)ROUNDS);
    cr_expect_geq(drawn, ROUNDS / 2u);
    expect_all_items();
    machine_destroy(round->gpu);
    free(round);
}
