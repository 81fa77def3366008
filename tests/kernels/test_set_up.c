/*
 * Triangles set up 16 at a time (kernels/set_up.c, tiles/raster_batch.c) leave the bytes, events and budget that the
 * same triangles leave one by one (tiles/raster_set_up.c), with every instruction set. So they do if those that do
 * nothing are taken out first, and what is not needed of the vertices is not there.
 */
#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "fast/tiles/renderer.h"
#include "fast/vertex/assembly.h"
#include "pica/regs.h"
#include "tests/kernels/kernel_sets.h"
#include "tests/kernels/random_state.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 700 / TEST_PART,
    BLOCKS = 6,
    TRIANGLES_MAX = 60,
    SLIVER_LANE = 13,
    TARGET = 0x18000000,
    TARGET_BYTES = 0x10000, /* colour, depth after it */
    DEPTH = TARGET + TARGET_BYTES / 2
};

struct round {
    struct harness_random random;
    struct fast_gpu *gpu;
    _Alignas(64) float floats[BLOCKS * FAST_BLOCK_FLOATS];
    _Alignas(64) uint32_t corner[3][FAST_CHUNK_TRIANGLES];
    _Alignas(64) uint32_t flips[FAST_CHUNK_TRIANGLES];
    uint32_t count;
    uint8_t before[TARGET_BYTES];
    _Alignas(64) float left_floats[BLOCKS * FAST_BLOCK_FLOATS]; /* what is needed of the vertices, else NaN */
    _Alignas(64) uint32_t left_corner[3][FAST_CHUNK_TRIANGLES];
    _Alignas(64) uint32_t left_flips[FAST_CHUNK_TRIANGLES];
};

/* What the kernel made of the triangles of all rounds, by the masks of struct fast_triangle_batch. */
struct tally {
    uint32_t unfit, kept, outside, counted, covers, turned, uncut, bounded, small, misses, astride, windows;
    uint32_t gone; /* neither kept nor unfit: culled, or beyond a plane */
    uint32_t taken_out, void_blocks;
};

/* The kernel to watch, and where to count; by spy_set_up, which takes its place. */
static struct {
    const struct round *round;
    fast_set_up_function *set_up;
    struct tally tally;
} spy;

/* What a batch leaves. */
struct outcome {
    uint8_t bytes[TARGET_BYTES];
    struct pica_events events;
    uint64_t pixels;
    bool exhausted;
};

/* ------------------------------------------------------------------------------------------------------------ state */

static uint32_t viewport_word(struct harness_random *random)
{
    const uint32_t kind = harness_random_below(random, 20);
    if (kind == 0)
        return random_word(random);
    return kind < 4 ? 0x480000 /* 512 */ : 0x440000 /* 32 */;
}

/* Often something visible: no tests, and combiners that show how the light uses the quaternion. */
static void random_sight(struct harness_random *random, uint32_t *r)
{
    if (harness_random_percent(random, 60)) {
        r[PICA_REG_DEPTH_COLOR_MASK] = 0x1F00;
        r[PICA_REG_COLOR_OPERATION] &= 0xFFFFFFFCu;
    }
    if (!harness_random_percent(random, 50))
        return;
    r[PICA_REG_LIGHTING_ENABLE0] = 1;
    r[PICA_REG_LIGHTING_ENABLE1] = 0;
    for (uint32_t stage = 0; stage < 6; stage++) {
        const uint32_t light = harness_random_percent(random, 50) ? 0x111u : 0x212u; /* primary, secondary */
        r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE)] = light | light << 16;
        r[pica_reg_texenv(stage, PICA_REG_TEXENV0_COMBINER)] = 0; /* replace */
    }
}

static void random_target(struct round *round)
{
    struct harness_random *const random = &round->random;
    uint32_t *const r = round->gpu->registers;
    random_registers(round->gpu, random);
    if (harness_random_percent(random, 40))
        random_common(round->gpu, random);
    random_sight(random, r);
    round->gpu->capacity.region_shift = harness_random_between(random, 4, FAST_REGION_SHIFT);
    r[PICA_REG_COLORBUFFER_LOC] = TARGET >> 3;
    r[PICA_REG_DEPTHBUFFER_LOC] = DEPTH >> 3;
    r[PICA_REG_VIEWPORT_WIDTH] = viewport_word(random);
    r[PICA_REG_VIEWPORT_HEIGHT] = viewport_word(random);
    r[PICA_REG_VIEWPORT_XY] = harness_random_percent(random, 70) ? 0 : random_word(random);
    r[PICA_REG_FRAGOP_CLIP] = harness_random_percent(random, 20) ? 1 : 0;
    r[PICA_REG_SCISSORTEST_MODE] = harness_random_percent(random, 60) ? 0 : harness_random_below(random, 4);
    r[PICA_REG_SCISSORTEST_POS] = harness_random_below(random, 40);
    r[PICA_REG_SCISSORTEST_POS] |= harness_random_below(random, 40) << 16;
    r[PICA_REG_SCISSORTEST_DIM] = harness_random_below(random, 80);
    r[PICA_REG_SCISSORTEST_DIM] |= harness_random_below(random, 80) << 16;
    for (uint32_t i = 0; i < 4; i++)
        if (harness_random_percent(random, 90))
            r[PICA_REG_FRAGOP_CLIP_DATA0 + i] = 0x3F0000 | harness_random_below(random, 2) << 23;
    round->gpu->limits.pixels = harness_random_percent(random, 90) ? 1u << 26 : harness_random_below(random, 20000);
}

/* -------------------------------------------------------------------------------------------------------- triangles */

/* One vertex near (x, y) of the screen, mostly inside the volume. */
static void random_vertex(struct harness_random *random, float *out, float x, float y)
{
    const float w = harness_random_percent(random, 50) ? 1.0f : harness_random_float(random, 0.25f, 4.0f);
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
        out[slot * FAST_LANES] =
            harness_random_percent(random, 99) ? harness_random_float(random, -1.0f, 1.0f) : random_float(random);
    out[0 * FAST_LANES] = (x + harness_random_float(random, -0.1f, 0.1f)) * w;
    out[1 * FAST_LANES] = (y + harness_random_float(random, -0.1f, 0.1f)) * w;
    out[2 * FAST_LANES] = harness_random_float(random, -1.0f, 0.0f) * w;
    out[3 * FAST_LANES] = w;
    if (harness_random_percent(random, 3)) {
        const uint32_t component = harness_random_below(random, 4);
        out[component * FAST_LANES] = random_float(random);
    }
}

/*
 * In lanes 13-15: 32 pixels long, of area 1 in 1/16 pixels (in a viewport of 32 and 32), across the centre of a row: a
 * box with pixels, and S <= 0 (RST-04).
 */
static void random_sliver(struct harness_random *random, float *block)
{
    const float pixel = 1.0f / 32.0f, part = pixel / 16.0f;
    const float x = (float)harness_random_below(random, 32) * pixel - 1.0f;
    const float y = ((float)harness_random_below(random, 64) + 0.5f) * pixel - 1.0f;
    const float points[3][2] = { { x, y - part }, { x + 16.0f * pixel, y }, { x + 32.0f * pixel + part, y + part } };
    for (uint32_t k = 0; k < 3; k++) {
        float *const out = block + SLIVER_LANE + k;
        out[0 * FAST_LANES] = points[k][0];
        out[1 * FAST_LANES] = points[k][1];
        out[2 * FAST_LANES] = -0.5f;
        out[3 * FAST_LANES] = 1.0f;
    }
}

/* Any, but told by the corners: triangles that are left are named by these. */
static uint32_t flips_of(const uint32_t *const corner[3], uint32_t number)
{
    return (corner[0][number] ^ corner[1][number] * 3u ^ corner[2][number] * 5u) << 1 & 6u;
}

static void random_triangles(struct round *round)
{
    struct harness_random *const random = &round->random;
    for (uint32_t block = 0; block < BLOCKS; block++) {
        const float x = harness_random_float(random, -1.05f, 1.05f);
        const float y = harness_random_float(random, -1.05f, 1.05f);
        for (uint32_t lane = 0; lane < FAST_LANES; lane++)
            random_vertex(random, round->floats + block * FAST_BLOCK_FLOATS + lane, x, y);
        random_sliver(random, round->floats + block * FAST_BLOCK_FLOATS);
    }
    round->count = harness_random_between(random, 1, TRIANGLES_MAX);
    memset(round->corner, 0, sizeof round->corner);
    memset(round->flips, 0, sizeof round->flips);
    for (uint32_t i = 0; i < round->count; i++) {
        const uint32_t home = harness_random_below(random, BLOCKS);
        const bool sliver = harness_random_percent(random, 5);
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t block = harness_random_percent(random, 90) ? home : harness_random_below(random, BLOCKS);
            round->corner[k][i] = sliver ? home * FAST_BLOCK_FLOATS + SLIVER_LANE + k
                                         : block * FAST_BLOCK_FLOATS + harness_random_below(random, FAST_LANES);
        }
        round->flips[i] =
            flips_of((const uint32_t *const[3]){ round->corner[0], round->corner[1], round->corner[2] }, i);
    }
}

/* ------------------------------------------------------------------------------------------------------------- runs */

static struct fast_triangles part(const struct round *round, uint32_t first, uint32_t count)
{
    return (struct fast_triangles){
        .floats = round->floats,
        .corner = { round->corner[0] + first, round->corner[1] + first, round->corner[2] + first },
        .flips = round->flips + first,
        .count = count,
        .blocks = BLOCKS,
    };
}

static uint32_t bit_count(uint32_t mask)
{
    uint32_t count = 0;
    for (; mask != 0; mask &= mask - 1)
        count++;
    return count;
}

static void spy_set_up(const struct fast_fragment_state *state, const struct fast_bin_layout *layout,
                       const uint32_t *place, const uint32_t *const corner[3], struct fast_triangle_batch *out)
{
    const uint32_t left = spy.round->count - (uint32_t)(corner[0] - spy.round->corner[0]);
    const uint32_t present = left < FAST_LANES ? (1u << left) - 1u : 0xFFFFu;
    struct tally *const tally = &spy.tally;
    spy.set_up(state, layout, place, corner, out);
    tally->unfit += bit_count(out->unfit & present);
    tally->kept += bit_count(out->kept & present);
    tally->outside += bit_count(out->outside & present);
    tally->counted += bit_count(out->counted & present);
    tally->covers += bit_count(out->covers & present);
    tally->turned += bit_count(out->kept & out->turned & present);
    tally->uncut += bit_count(out->covers & out->uncut & present);
    tally->bounded += bit_count(out->covers & out->bounded & present);
    tally->small += bit_count(out->covers & out->small & present);
    tally->misses += bit_count(out->covers & out->misses & present);
    tally->astride += bit_count(out->covers & out->small & out->astride & present);
    for (uint32_t n = 0; n < FAST_LANES; n++)
        tally->windows += (out->covers & out->small & ~out->astride & present) >> n & out->entry[n] >> 30 & 1u;
    tally->gone += bit_count(~(out->unfit | out->kept) & present);
}

/* What of the vertices is not needed becomes NaN, but positions. */
static void void_vertices(struct round *round, const uint8_t needed[BLOCKS])
{
    const uint32_t slots = fast_needed_slots(round->gpu->renderer->job.needs) | 0xFu << FAST_SLOT_POSITION;
    memcpy(round->left_floats, round->floats, sizeof round->left_floats);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        spy.tally.void_blocks += needed[b] == 0;
        for (uint32_t slot = 4; slot < FAST_VERTEX_SLOTS; slot++)
            if (needed[b] == 0 || (slots >> slot & 1u) == 0)
                memset(round->left_floats + b * FAST_BLOCK_FLOATS + slot * FAST_LANES, 0xFF,
                       FAST_LANES * sizeof(float));
    }
}

/* All triangles, those that do nothing taken out first. */
static void draw_left(struct round *round)
{
    struct fast_bins *const bins = &round->gpu->renderer->own;
    uint8_t needed[FAST_POOL_BLOCKS] = { 0 };
    uint32_t *const corner[3] = { round->left_corner[0], round->left_corner[1], round->left_corner[2] };
    struct fast_triangles triangles = part(round, 0, round->count);
    memcpy(round->left_corner, round->corner, sizeof round->left_corner);
    for (uint32_t k = 0; k < 3; k++)
        triangles.corner[k] = round->left_corner[k];
    triangles.count = fast_bins_select(bins, &triangles, corner, needed);
    spy.tally.taken_out += round->count - triangles.count;
    void_vertices(round, needed);
    for (uint32_t i = 0; i < triangles.count; i++)
        round->left_flips[i] = flips_of(triangles.corner, i);
    triangles.floats = round->left_floats;
    triangles.flips = round->left_flips;
    fast_bins_triangles(bins, &triangles, needed);
}

enum {
    ONLY_LEFT = 0 /* a step: all at once, by draw_left */
};

/* The triangles in steps of `step`, as one batch. */
static void draw(struct round *round, const struct kernel_set *set, uint32_t step, struct outcome *out)
{
    struct fast_gpu *const gpu = round->gpu;
    const struct fast_batch_reads reads = { .count = 0 };
    memcpy(fast_memory_bytes(gpu, TARGET, TARGET_BYTES), round->before, TARGET_BYTES);
    fast_memory_written(gpu, TARGET, TARGET_BYTES);
    memset(&gpu->events, 0, sizeof gpu->events);
    memset(&gpu->budget, 0, sizeof gpu->budget);
    *gpu->kernels = set->kernels;
    spy.round = round;
    spy.set_up = set->kernels.set_up;
    if (step != ONLY_LEFT)
        gpu->kernels->set_up = spy_set_up;
    decode_state(gpu, false);
    fast_batch_begin(gpu, &reads);
    if (step == ONLY_LEFT)
        draw_left(round);
    for (uint32_t first = 0; first < round->count && step != ONLY_LEFT; first += step) {
        const uint32_t left = round->count - first;
        const struct fast_triangles triangles = part(round, first, left < step ? left : step);
        fast_batch_triangles(gpu, &triangles);
    }
    fast_batch_end(gpu);
    memcpy(out->bytes, fast_memory_bytes(gpu, TARGET, TARGET_BYTES), TARGET_BYTES);
    out->events = gpu->events;
    out->pixels = gpu->budget.pixels;
    out->exhausted = gpu->budget.pixels_exhausted;
}

static void expect_same(const struct outcome *one, const struct outcome *all, const char *set, uint32_t number)
{
    uint32_t at = 0;
    while (at < TARGET_BYTES && one->bytes[at] == all->bytes[at])
        at++;
    cr_expect_eq(at, TARGET_BYTES, "%s, round %u: byte %05X is %02X, one by one %02X", set, number, at,
                 at < TARGET_BYTES ? all->bytes[at] : 0, at < TARGET_BYTES ? one->bytes[at] : 0);
    cr_expect_arr_eq(&one->events, &all->events, sizeof one->events, "%s, round %u: events", set, number);
    cr_expect_eq(one->pixels, all->pixels, "%s, round %u: %llu pixels, one by one %llu", set, number,
                 (unsigned long long)all->pixels, (unsigned long long)one->pixels);
    cr_expect_eq(one->exhausted, all->exhausted, "%s, round %u: budget", set, number);
}

/* Every kind of triangle came often. */
static void expect_all_kinds(void)
{
    const struct tally *const tally = &spy.tally;
    const struct {
        const char *name;
        uint32_t count;
    } kinds[] = {
        { "unfit", tally->unfit },
        { "gone at once", tally->gone },
        { "reaching outside", tally->outside },
        { "kept, without a pixel", tally->kept - tally->counted },
        { "counted, covering nothing", tally->counted - tally->covers },
        { "turned", tally->turned },
        { "kept as it stands", tally->kept - tally->turned },
        { "cut by a box", tally->covers - tally->uncut },
        { "small", tally->small },
        { "small, covering nothing", tally->misses },
        { "small, in several bins", tally->astride },
        { "small, in windows", tally->windows },
        { "small, in blocks", tally->small - tally->windows },
        { "uncut, not small", tally->uncut - tally->small },
        { "bounded", tally->bounded },
        { "not bounded", tally->covers - tally->bounded },
        { "taken out", tally->taken_out },
        { "sharing a block that is not needed", tally->void_blocks },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        cr_log_info("%u triangles %s", kinds[i].count, kinds[i].name);
        cr_expect_geq(kinds[i].count, ROUNDS / 7u, "%u triangles %s", kinds[i].count, kinds[i].name);
    }
}

Test(kernels, RST_06_triangles_in_groups_draw_what_they_draw_one_by_one)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("set_up");
    struct round *const round = aligned_alloc(64, (sizeof *round + 63) / 64 * 64);
    struct outcome *const outcomes = calloc(2, sizeof *outcomes);
    uint32_t drawn = 0;
    cr_assert(round != NULL && outcomes != NULL);
    round->gpu = machine_create();
    for (uint32_t number = 0; number < ROUNDS; number++) {
        harness_random_init(&round->random, seed + number);
        random_bytes(&round->random, &round->gpu->tables, sizeof round->gpu->tables);
        random_bytes(&round->random, round->before, sizeof round->before);
        random_target(round);
        random_triangles(round);
        draw(round, &sets[0], 1, &outcomes[0]);
        drawn += memcmp(outcomes[0].bytes, round->before, TARGET_BYTES) != 0;
        for (uint32_t s = 0; s < set_count; s++)
            if (!sets[s].traced) {
                draw(round, &sets[s], FAST_CHUNK_TRIANGLES, &outcomes[1]);
                expect_same(&outcomes[0], &outcomes[1], sets[s].name, number);
                draw(round, &sets[s], ONLY_LEFT, &outcomes[1]);
                expect_same(&outcomes[0], &outcomes[1], sets[s].name, number);
            }
    }
    cr_log_info("%u of %d rounds changed a pixel", drawn, (int)ROUNDS);
    cr_expect_geq(drawn, ROUNDS / 5u);
    expect_all_kinds();
    machine_destroy(round->gpu);
    free(outcomes);
    free(round);
}

/* --------------------------------------------------------------------------------------------------- bins that fill */

/* 2040x1024 pixels of RGBA4 are 512 bins; only the first ones are in memory. */
static void put_wide_target(uint32_t *r)
{
    memset(&r[0x040], 0, (0x200 - 0x040) * sizeof r[0]);
    r[PICA_REG_FRAMEBUFFER_DIM] = 2040u | 1023u << 12;
    r[PICA_REG_COLORBUFFER_LOC] = TARGET >> 3;
    r[PICA_REG_COLORBUFFER_FORMAT] = (uint32_t)PICA_COLOR_FORMAT_RGBA4 << 16;
    r[PICA_REG_COLORBUFFER_READ] = r[PICA_REG_COLORBUFFER_WRITE] = 15;
    r[PICA_REG_DEPTH_COLOR_MASK] = 0xF00;
    r[PICA_REG_LOGIC_OP] = PICA_LOGIC_OP_COPY;
    r[PICA_REG_LIGHTING_ENABLE1] = 1;
    for (uint32_t stage = 1; stage < 6; stage++) /* stage 0 replaces by source 0, the primary colour */
        r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE)] = (uint32_t)PICA_TEV_SOURCE_PREVIOUS * 0x10001u;
}

/* A triangle in every bin that covers nothing, and one that covers the first pixel with red `nibble`. */
static void bin_triangles(struct fast_renderer *renderer, uint32_t nibble)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct fast_triangle *const triangle = fast_bins_next(&renderer->own);
        memset(triangle, 0, sizeof *triangle);
        triangle->ieee = triangle->narrow = true;
        triangle->area = 1.0f;
        for (uint32_t k = 0; k < 3; k++) {
            triangle->weight[k] = i == 0 ? -1 : k == 0;
            triangle->inverse_w[k] = 1.0f;
        }
        triangle->right = i == 0 ? 2039 : 0;
        triangle->last_row = i == 0 ? 1023 : 0;
        triangle->attribute[FAST_ATTRIBUTE_COLOR][0] = (float)nibble / 15.0f;
        fast_bins_add(&renderer->own, 0);
    }
}

Test(kernels, RST_06_bins_that_fill_up_are_drawn_in_between)
{
    const struct fast_batch_reads reads = { .count = 0 };
    struct fast_gpu *const gpu = machine_create();
    struct fast_renderer *const renderer = gpu->renderer;
    uint32_t most_links = 0;
    uint32_t most_triangles = 0;
    put_wide_target(gpu->registers);
    decode_state(gpu, false);
    fast_batch_begin(gpu, &reads);
    for (uint32_t n = 0; n < 1000; n++) {
        bin_triangles(renderer, n % 16);
        most_triangles = renderer->own.triangle_count > most_triangles ? renderer->own.triangle_count : most_triangles;
        most_links = renderer->own.chunk_count > most_links ? renderer->own.chunk_count : most_links;
    }
    cr_expect_lt(most_triangles, FAST_BINNED_TRIANGLES, "triangles, not links of bins, were used up");
    cr_expect_leq(most_links, FAST_BIN_CHUNKS);
    fast_batch_end(gpu);
    cr_expect_eq(fast_memory_bytes(gpu, TARGET, 2)[1], 999 % 16 << 4, "the last triangle is on top");
    machine_destroy(gpu);
}

/* ----------------------------------------------------------------------------------------- as many triangles as fit */

enum {
    SQUARE = 64, /* pixels of one bin */
    SQUARE_BYTES = SQUARE * SQUARE * 4,
    PIXELS = 512 /* that the triangles use in turn */
};

/* RGBA8, what is there blended over with source alpha. */
static void put_square_target(uint32_t *r)
{
    put_wide_target(r);
    r[PICA_REG_FRAMEBUFFER_DIM] = (uint32_t)SQUARE | (SQUARE - 1u) << 12;
    r[PICA_REG_COLORBUFFER_FORMAT] = 2;
    r[PICA_REG_COLOR_OPERATION] = 0x00E40100u;
    r[PICA_REG_BLEND_FUNC] = 0x76760000u;
}

/*
 * Covers pixel n % PIXELS, with corners (2,2), (15,2) and (2,15) in 1/16 of it; alternately as a small one, whose
 * block is known, and not.
 */
static void bin_pixel_triangle(struct fast_renderer *renderer, uint32_t n)
{
    static const int32_t weight[3] = { 12, 78, 78 }, step_x[3] = { -208, 208, 0 }, step_row[3] = { -208, 0, 208 };
    const uint16_t column = (uint16_t)(n % SQUARE), row = (uint16_t)(n % PIXELS / SQUARE * 7u);
    const float color[4] = { (float)(n % 251) / 255.0f, (float)(n / 251 * 20) / 255.0f, 0.75f, 0.5f };
    struct fast_triangle *const triangle = fast_bins_next(&renderer->own);
    memset(triangle, 0, sizeof *triangle);
    triangle->ieee = triangle->bounded = triangle->narrow = triangle->uncut = true;
    triangle->area = 168.0f;
    triangle->left = triangle->right = column;
    triangle->first_row = triangle->last_row = row;
    for (uint32_t i = 0; i < 3; i++) {
        triangle->weight[i] = weight[i] - step_x[i] * column - step_row[i] * row;
        triangle->step_x[i] = step_x[i];
        triangle->step_row[i] = step_row[i];
        triangle->inverse_w[i] = 1.0f;
        for (uint32_t k = 0; k < 4; k++)
            triangle->attribute[FAST_ATTRIBUTE_COLOR + k][i] = color[k];
    }
    fast_bins_add(&renderer->own, n % 2);
}

/* That many triangles of a pixel in batches of up to `step`; returns how often full bins were drawn in between. */
static uint32_t draw_pixels(struct fast_gpu *gpu, uint32_t count, uint32_t step, uint8_t bytes[SQUARE_BYTES])
{
    const struct fast_batch_reads reads = { .count = 0 };
    const struct fast_renderer *const renderer = gpu->renderer;
    uint32_t fills = 0;
    memset(fast_memory_bytes(gpu, TARGET, SQUARE_BYTES), 0, SQUARE_BYTES);
    for (uint32_t first = 0; first < count; first += step) {
        fast_batch_begin(gpu, &reads);
        for (uint32_t n = first; n < count && n < first + step; n++) {
            const uint32_t before = renderer->own.triangle_count;
            bin_pixel_triangle(gpu->renderer, n);
            fills += renderer->own.triangle_count <= before;
            cr_assert_leq(renderer->own.triangle_count, FAST_BINNED_TRIANGLES, "triangle %u of %u", n, count);
        }
        cr_expect_lt(renderer->own.chunk_count + FAST_REGIONS, FAST_BIN_CHUNKS, "links are not used up");
        fast_batch_end(gpu);
    }
    memcpy(bytes, fast_memory_bytes(gpu, TARGET, SQUARE_BYTES), SQUARE_BYTES);
    return fills;
}

static uint32_t changed_pixels(const uint8_t bytes[SQUARE_BYTES])
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < SQUARE_BYTES; at += 4)
        count += (bytes[at] | bytes[at + 1] | bytes[at + 2] | bytes[at + 3]) != 0;
    return count;
}

Test(kernels, RST_06_as_many_triangles_as_fit_a_bin_draw_what_they_draw_one_by_one)
{
    static const uint32_t counts[6] = { FAST_BINNED_TRIANGLES - 1,     FAST_BINNED_TRIANGLES,
                                        FAST_BINNED_TRIANGLES + 1,     2 * FAST_BINNED_TRIANGLES,
                                        2 * FAST_BINNED_TRIANGLES + 1, 3 * FAST_BINNED_TRIANGLES - 100 };
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    struct fast_gpu *const gpu = machine_create();
    uint8_t(*const bytes)[SQUARE_BYTES] = calloc(2, sizeof *bytes);
    cr_assert_not_null(bytes);
    put_square_target(gpu->registers);
    for (uint32_t c = 0; c < 6; c++)
        for (uint32_t s = 0; s < set_count; s++) {
            if (sets[s].traced)
                continue;
            *gpu->kernels = sets[s].kernels;
            decode_state(gpu, false);
            cr_assert(gpu->draw->quick.active);
            draw_pixels(gpu, counts[c], 1, bytes[0]);
            const uint32_t fills = draw_pixels(gpu, counts[c], counts[c], bytes[1]);
            cr_expect_eq(fills, (counts[c] - 1) / FAST_BINNED_TRIANGLES, "%u triangles: %u fills", counts[c], fills);
            cr_expect_arr_eq(bytes[0], bytes[1], SQUARE_BYTES, "%s, %u triangles", sets[s].name, counts[c]);
            cr_expect_eq(changed_pixels(bytes[0]), PIXELS, "%s: pixels drawn", sets[s].name);
        }
    free(bytes);
    machine_destroy(gpu);
}
