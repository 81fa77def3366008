/*
 * kernels/raster_set_up.h: boxes (RST-05), weights and their steps (RST-01 to RST-03), and the squares that a small
 * triangle reaches, of 16 triangles, against the rules in 64 bits.
 */
#include "tests/kernels/screen_triangles.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <string.h>

enum {
    ROUNDS = 500 / TEST_PART
};

/* One triangle as the rules have it, in the order after CUL-04. */
struct expected {
    int64_t x[3], y[3];
    int64_t sum;         /* S */
    struct fast_box cut; /* the box of RST-05, inside of the scissor box */
    struct fast_box box; /* and inside of the framebuffer */
    bool uncut;          /* the box is that of the corners */
    int64_t first_row, last_row;
};

static int64_t floor_of_16(int64_t value)
{
    return value >= 0 ? value / 16 : -((-value + 15) / 16);
}

static int64_t memory_row(const struct fast_fragment_state *state, int64_t iy)
{
    return state->bottom_row_last ? (int64_t)state->height - 1 - iy : iy;
}

/* RST-01 to RST-03 for edge i at a pixel. */
static int64_t weight(const struct expected *expected, uint32_t i, int64_t ix, int64_t iy)
{
    const uint32_t a = (i + 1) % 3;
    const uint32_t b = (i + 2) % 3;
    const int64_t dx = expected->x[b] - expected->x[a];
    const int64_t dy = expected->y[b] - expected->y[a];
    const int64_t bias = dy > 0 || (dy == 0 && dx < 0) ? -1 : 0;
    return dx * (16 * iy + 8 - expected->y[a]) - dy * (16 * ix + 8 - expected->x[a]) + bias;
}

static struct fast_box meet(struct fast_box a, struct fast_box b)
{
    return (struct fast_box){ a.left > b.left ? a.left : b.left, a.bottom > b.bottom ? a.bottom : b.bottom,
                              a.right < b.right ? a.right : b.right, a.top < b.top ? a.top : b.top };
}

static bool is_empty(const struct fast_box *box)
{
    return box->left > box->right || box->bottom > box->top;
}

/* RST-05: ceil((min - 8) / 16) to floor((max - 8) / 16). */
static struct fast_box box_of(const struct expected *expected)
{
    int64_t low[2] = { expected->x[0], expected->y[0] };
    int64_t high[2] = { expected->x[0], expected->y[0] };
    for (uint32_t k = 1; k < 3; k++) {
        const int64_t at[2] = { expected->x[k], expected->y[k] };
        for (uint32_t c = 0; c < 2; c++) {
            low[c] = at[c] < low[c] ? at[c] : low[c];
            high[c] = at[c] > high[c] ? at[c] : high[c];
        }
    }
    return (struct fast_box){ (int32_t)-floor_of_16(8 - low[0]), (int32_t)-floor_of_16(8 - low[1]),
                              (int32_t)floor_of_16(high[0] - 8), (int32_t)floor_of_16(high[1] - 8) };
}

static void expect_of(const struct fast_fragment_state *state, const struct screen_triangles *triangles, uint32_t n,
                      struct expected *expected)
{
    const bool turned = screen_triangle_area(triangles, n) < 0;
    const struct fast_box frame = { 0, 0, (int32_t)state->width - 1, (int32_t)state->height - 1 };
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t from = turned && k > 0 ? 3 - k : k;
        expected->x[k] = triangles->x[n][from];
        expected->y[k] = triangles->y[n][from];
    }
    expected->sum = weight(expected, 0, 5, 3) + weight(expected, 1, 5, 3) + weight(expected, 2, 5, 3);
    const struct fast_box whole = box_of(expected);
    expected->cut = state->scissor_inside ? meet(whole, state->scissor) : whole;
    expected->box = meet(expected->cut, frame);
    expected->uncut = memcmp(&whole, &expected->box, sizeof whole) == 0;
    const int64_t ends[2] = { memory_row(state, expected->box.bottom), memory_row(state, expected->box.top) };
    expected->first_row = state->bottom_row_last ? ends[1] : ends[0];
    expected->last_row = state->bottom_row_last ? ends[0] : ends[1];
}

/* The message of all expectations below. */
#define EXPECT_WORD(value, wanted, what)                                                                              \
    cr_expect_eq((int64_t)(value), (int64_t)(wanted), "raster_set_up.h, %s, triangle %u: %s is %lld, not %lld", name, \
                 n, what, (long long)(value), (long long)(wanted))

static void expect_edges(const char *name, uint32_t n, const struct fast_fragment_state *state,
                         const struct expected *expected, const uint32_t *head)
{
    const int64_t bottom = memory_row(state, 0); /* the row of the screen that is memory row 0 */
    const int64_t up = state->bottom_row_last ? -1 : 1;
    float sum;
    memcpy(&sum, &head[FAST_HEAD_AREA], sizeof sum);
    for (uint32_t i = 0; i < 3; i++) {
        const int64_t first = weight(expected, i, 0, bottom);
        EXPECT_WORD((int32_t)head[FAST_HEAD_WEIGHT + i], first, "a weight (RST-03)");
        EXPECT_WORD((int32_t)head[FAST_HEAD_STEP_X + i], weight(expected, i, 1, bottom) - first, "a step to the right");
        EXPECT_WORD((int32_t)head[FAST_HEAD_STEP_ROW + i], weight(expected, i, 0, bottom + up) - first,
                    "a step of rows");
    }
    cr_expect(sum == (float)expected->sum, "raster_set_up.h, %s, triangle %u: S is %a, not %lld", name, n, (double)sum,
              (long long)expected->sum);
}

static void expect_box(const char *name, uint32_t n, const struct expected *expected,
                       const struct fast_triangle_batch *batch)
{
    const uint32_t *const head = batch->head[n];
    const struct fast_box *const box = &expected->box;
    const bool counted = !is_empty(box);
    const bool leaves = !is_empty(&expected->cut) && memcmp(box, &expected->cut, sizeof *box) != 0;
    EXPECT_WORD(batch->outside >> n & 1u, leaves, "outside-framebuffer (RST-05)");
    EXPECT_WORD(batch->counted >> n & 1u, counted, "counted");
    EXPECT_WORD(batch->covers >> n & 1u, counted && expected->sum > 0, "S > 0 (RST-04)");
    if (!counted)
        return;
    EXPECT_WORD(batch->pixels[n], (int64_t)(box->right - box->left + 1) * (box->top - box->bottom + 1), "n (RST-08)");
    EXPECT_WORD((int32_t)head[FAST_HEAD_LEFT], box->left, "the left column");
    EXPECT_WORD((int32_t)head[FAST_HEAD_RIGHT], box->right, "the right column");
    EXPECT_WORD((int32_t)head[FAST_HEAD_FIRST_ROW], expected->first_row, "the first row");
    EXPECT_WORD((int32_t)head[FAST_HEAD_LAST_ROW], expected->last_row, "the last row");
    EXPECT_WORD(batch->uncut >> n & 1u, expected->uncut, "uncut");
}

/* Is each edge passed by some pixel of the box in these 4x4 pixels of memory? */
static bool square_reached(const struct fast_fragment_state *state, const struct expected *expected, int64_t column,
                           int64_t row)
{
    bool passed[3] = { false, false, false };
    for (int64_t r = row; r < row + 4; r++)
        for (int64_t ix = column; ix < column + 4; ix++) {
            if (r < expected->first_row || r > expected->last_row || ix < expected->box.left ||
                ix > expected->box.right)
                continue;
            for (uint32_t i = 0; i < 3; i++)
                passed[i] = passed[i] || weight(expected, i, ix, memory_row(state, r)) >= 0;
        }
    return passed[0] && passed[1] && passed[2];
}

/* The least number of squares in a row or column. */
static int64_t square_count(int64_t first, int64_t last, bool windows)
{
    const int64_t start = windows ? first / 2 * 2 : first / 4 * 4;
    return (last - start) / 4 + 1;
}

/* A coordinate of the first square: it holds the first pixel; blocks are aligned, windows are even, and as many as are
 * needed stay in the 8x8 tiles of the box. */
static bool starts_well(int64_t start, int64_t first, int64_t last, bool windows)
{
    const int64_t end = start + 4 * square_count(first, last, windows);
    return start <= first && start + 4 > first && end > last && start % (windows ? 2 : 4) == 0 &&
           start / 8 >= first / 8 && (end - 1) / 8 <= last / 8;
}

/* Returns whether the triangle is small. */
static bool expect_entry(const char *name, uint32_t n, const struct fast_fragment_state *state,
                         const struct fast_bin_layout *layout, const struct expected *expected,
                         const struct fast_triangle_batch *batch)
{
    const struct fast_box *const box = &expected->box;
    if (is_empty(box))
        return false;
    const uint32_t shift = layout->region_shift;
    const int64_t region_column = box->left >> shift, region_row = expected->first_row >> shift;
    const bool astride = box->right >> shift != region_column || expected->last_row >> shift != region_row;
    const bool windows = layout->windows && !astride;
    const bool small = expected->uncut && square_count(box->left, box->right, windows) <= 3 &&
                       square_count(expected->first_row, expected->last_row, windows) <= 3;
    EXPECT_WORD(batch->astride >> n & 1u, astride, "in several bins");
    EXPECT_WORD(batch->region[n], region_row * layout->regions_per_row + region_column, "the bin");
    EXPECT_WORD(batch->small >> n & 1u, small, "small");
    if (!small) {
        EXPECT_WORD(batch->entry[n], 0, "the entry");
        return false;
    }
    const uint32_t entry = batch->entry[n];
    int64_t column = box->left / 4 * 4, row = expected->first_row / 4 * 4;
    uint32_t found = entry;
    if (!astride) {
        column = (region_column << shift) + 2 * (entry >> FAST_ENTRY_COLUMN_SHIFT & 31u);
        row = (region_row << shift) + 2 * (entry >> FAST_ENTRY_ROW_SHIFT & 31u);
        found = entry >> FAST_ENTRY_SQUARES_SHIFT & FAST_ENTRY_SQUARES;
        EXPECT_WORD((entry & FAST_ENTRY_WINDOWS) != 0, windows, "in windows");
    }
    cr_expect(starts_well(column, box->left, box->right, windows), "raster_set_up.h, %s: column %d", name, (int)column);
    cr_expect(starts_well(row, expected->first_row, expected->last_row, windows), "raster_set_up.h, %s: row %d", name,
              (int)row);
    uint32_t squares = 0;
    for (uint32_t k = 0; k < 9; k++)
        squares |= square_reached(state, expected, column + 4 * (k % 3), row + 4 * (k / 3)) ? 1u << k : 0u;
    EXPECT_WORD(found, squares, "the squares that it reaches");
    EXPECT_WORD(batch->misses >> n & 1u, squares == 0, "without a pixel");
    return true;
}

static void random_screen(struct harness_random *random, struct fast_fragment_state *state)
{
    memset(state, 0, sizeof *state);
    state->keeps_positive = state->keeps_negative = true;
    state->width = harness_random_between(random, 1, 1023);
    state->height = harness_random_between(random, 1, 1024);
    state->bottom_row_last = harness_random_percent(random, 50);
    state->scissor_inside = harness_random_percent(random, 40);
    state->scissor.left = (int32_t)harness_random_below(random, 500);
    state->scissor.bottom = (int32_t)harness_random_below(random, 500);
    state->scissor.right = state->scissor.left + (int32_t)harness_random_below(random, 600);
    state->scissor.top = state->scissor.bottom + (int32_t)harness_random_below(random, 600);
}

/* Triangles of the rounds, by what they are. */
struct tally {
    uint32_t seen, counted, cut, small;
};

static void expect_round(const struct kernel_set *set, const struct fast_fragment_state *state,
                         const struct fast_bin_layout *layout, const struct screen_triangles *triangles,
                         struct tally *tally)
{
    struct fast_triangle_batch batch;
    screen_triangles_set_up(set, state, layout, triangles, &batch);
    for (uint32_t n = 0; n < FAST_LANES; n++) {
        struct expected expected;
        if (screen_triangle_area(triangles, n) == 0)
            continue; /* CUL-03: not used */
        expect_of(state, triangles, n, &expected);
        cr_expect_eq(batch.unfit >> n & 1u, 0, "raster_set_up.h, %s, triangle %u is unfit", set->name, n);
        expect_edges(set->name, n, state, &expected, batch.head[n]);
        expect_box(set->name, n, &expected, &batch);
        tally->small += expect_entry(set->name, n, state, layout, &expected, &batch);
        tally->seen += 1;
        tally->counted += !is_empty(&expected.box);
        tally->cut += !is_empty(&expected.box) && !expected.uncut;
    }
}

Test(raster_set_up, RST_03_weights_and_boxes_are_those_of_the_rules)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("raster_set_up");
    struct tally tally = { 0, 0, 0, 0 };
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct harness_random random;
        struct fast_fragment_state state;
        static struct screen_triangles triangles;
        harness_random_init(&random, seed + round);
        random_screen(&random, &state);
        const uint32_t shift = harness_random_between(&random, 3, 6);
        const uint32_t per_row = harness_random_between(&random, 1, 128);
        const struct fast_bin_layout layout = { shift, per_row, harness_random_percent(&random, 50) };
        screen_triangles_random(&triangles, &random, harness_random_percent(&random, 60) ? 70 : 8000);
        for (uint32_t s = 0; s < set_count; s++)
            expect_round(&sets[s], &state, &layout, &triangles, &tally);
    }
    cr_log_info("%u triangles, %u with pixels, %u cut, %u small", tally.seen, tally.counted, tally.cut, tally.small);
    cr_expect_geq(tally.counted, tally.seen / 8);
    cr_expect_geq(tally.cut, tally.seen / 20);
    cr_expect_geq(tally.small, tally.seen / 20);
}

/* The kernel computes in 32 bits: 1024 pixels are too many for it, a sixteenth less are not. */
Test(raster_set_up, triangles_of_1024_pixels_are_unfit)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    struct fast_fragment_state state;
    static struct screen_triangles triangles;
    memset(&state, 0, sizeof state);
    state.width = state.height = 1024;
    for (uint32_t n = 0; n < FAST_LANES; n++) {
        const int32_t side = 16384 - (int32_t)(n % 2);
        triangles.x[n][0] = triangles.x[n][2] = n % 4 < 2 ? -side / 2 : 3;
        triangles.x[n][1] = triangles.x[n][0] + (n % 4 < 2 ? side : 16);
        triangles.y[n][0] = triangles.y[n][1] = n % 4 < 2 ? 9 : -side / 2;
        triangles.y[n][2] = triangles.y[n][0] + (n % 4 < 2 ? 16 : side);
    }
    screen_triangles_place(&triangles);
    for (uint32_t s = 0; s < set_count; s++) {
        struct fast_triangle_batch batch;
        screen_triangles_set_up(&sets[s], &state, &screen_layout, &triangles, &batch);
        cr_expect_eq(batch.unfit, 0x5555u, "raster_set_up.h, %s: %04X", sets[s].name, batch.unfit);
    }
}
