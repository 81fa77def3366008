/* What a renderer that is not exact may be off: pictures of worked pixels, one difference each. */
#include "oracles/equal.h"
#include "oracles/screens.h"
#include "oracles/tolerance.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    WIDTH = 8,
    SIZE = PICA_PAGE_SIZE
};

static struct pica_state states[2];
static uint8_t memories[2][SIZE], scratch[SIZE];
static const struct pica_window window = { 0x18000000, SIZE };
static struct oracle_allowance allowed;
static const uint8_t *screens[2]; /* the top one of each side, or NULL */

/* An 8x8 picture without tiles: the bytes of pixel (x, y), counted from the viewer's top left. */
static const struct oracle_surface rgba = { .address = 0x18000000,
                                            .width = WIDTH,
                                            .height = WIDTH,
                                            .pitch = WIDTH,
                                            .format = ORACLE_FORMAT_RGBA8,
                                            .layout = ORACLE_LAYOUT_LINEAR };

static struct oracle_run run_of(int side)
{
    struct oracle_run run = { .backend = side == 0 ? "mine" : "other", .state = &states[side], .window_count = 1 };
    run.windows = &window;
    run.memory[0] = memories[side];
    run.screens[ORACLE_SCREEN_TOP] = screens[side];
    return run;
}

static void put(int side, const struct oracle_surface *surface, uint32_t x, uint32_t y, uint32_t word)
{
    memcpy(memories[side] + oracle_pixel_offset(surface, x, y), &word, oracle_bytes_per_pixel(surface->format));
}

static void fill(const struct oracle_surface *surface, uint32_t word)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < WIDTH * WIDTH; i++)
            put(side, surface, i % WIDTH, i / WIDTH, word);
}

/* Are they equal but for what is allowed? */
static bool is_within(const struct oracle_surface *surface, const struct oracle_tolerance *tolerance)
{
    const struct oracle_run a = run_of(0), b = run_of(1);
    struct oracle_run cleaned;
    struct oracle_report report;
    static struct oracle_tolerated space;
    space.memory = scratch;
    space.size = sizeof scratch;
    oracle_tolerate(&a, &b, surface, 1, tolerance, &space, &cleaned, &allowed);
    oracle_all_equal(&a, &cleaned, true, &report);
    return report.verdict < ORACLE_DIVERGE;
}

Test(tolerance, a_channel_may_be_off_by_so_much_and_no_more)
{
    const struct oracle_tolerance two = { .channels = { 2, 2, 2, 0 } };
    fill(&rgba, 0x80808080);
    put(1, &rgba, 3, 3, 0x82808080); /* red is the highest byte */
    cr_expect(is_within(&rgba, &two));
    cr_expect_eq(allowed.pixels, 1);
    cr_expect_eq(allowed.most, 2);
    put(1, &rgba, 3, 3, 0x83808080);
    cr_expect_not(is_within(&rgba, &two));
    put(1, &rgba, 3, 3, 0x80808081);
    cr_expect_not(is_within(&rgba, &two), "alpha has a limit of its own");
}

/* The screen is off because the memory is; of the same memory it is a fault. */
Test(tolerance, a_screen_counts_where_no_pixel_of_memory_was_allowed)
{
    static uint8_t shown[2][3 * PICA_TOP_COLUMNS * PICA_SCREEN_LINES];
    const struct oracle_tolerance two = { .channels = { 2, 2, 2, 0 } };
    screens[0] = shown[0];
    screens[1] = shown[1];
    shown[1][0] = 2;
    fill(&rgba, 0x80808080);
    put(1, &rgba, 3, 3, 0x82808080);
    cr_expect(is_within(&rgba, &two));
    put(1, &rgba, 3, 3, 0x80808080);
    cr_expect_not(is_within(&rgba, &two));
    screens[0] = screens[1] = NULL;
}

Test(tolerance, bytes_outside_of_pictures_are_exact)
{
    const struct oracle_tolerance all = { .channels = { 255, 255, 255, 255 }, .edge = 8, .filter = 8 };
    fill(&rgba, 0);
    put(1, &rgba, 0, 0, 0xFFFFFFFF);
    cr_expect(is_within(&rgba, &all));
    memories[1][WIDTH * WIDTH * 4] = 1;
    cr_expect_not(is_within(&rgba, &all));
}

/* Its first two rows lie before the window. */
Test(tolerance, a_picture_that_begins_before_the_window_is_one_in_it)
{
    const struct oracle_tolerance one = { .channels = { 1, 1, 1, 1 } };
    struct oracle_surface early = rgba;
    early.address -= 2 * WIDTH * 4;
    fill(&rgba, 0x80808080);
    put(1, &rgba, 3, 3, 0x81808080);
    cr_expect(is_within(&early, &one));
    cr_expect_eq(allowed.pixels, 1);
    put(1, &rgba, 3, 5, 0x81808080);
    cr_expect(is_within(&early, &one), "row 7 of the picture is row 5 of the window");
    put(1, &rgba, 3, 6, 0x81808080);
    cr_expect_not(is_within(&early, &one), "there it has ended");
}

/* FBF-10: a step of five bits is 8 or 9 of 255. */
Test(tolerance, one_step_of_the_format_counts_as_one)
{
    struct oracle_surface surface = rgba;
    surface.format = ORACLE_FORMAT_RGB565;
    const struct oracle_tolerance one = { .channels = { 1, 1, 1, 1 } };
    fill(&surface, 0x8410);
    put(1, &surface, 1, 1, 0x8410 + (1 << 11));
    cr_expect(is_within(&surface, &one));
    put(1, &surface, 1, 1, 0x8410 + (2 << 11));
    cr_expect_not(is_within(&surface, &one));
}

/* Both have a square; the other's begins a column later. */
static void draw_squares(uint32_t later)
{
    fill(&rgba, 0x000000FF);
    for (int side = 0; side < 2; side++)
        for (uint32_t y = 2; y < 6; y++)
            for (uint32_t x = 2 + (side == 1 ? later : 0); x < 6; x++)
                put(side, &rgba, x, y, 0xFFFFFFFF);
}

Test(tolerance, coverage_may_be_off_along_edges)
{
    const struct oracle_tolerance edge = { .edge = 1 };
    draw_squares(1);
    cr_expect(is_within(&rgba, &edge));
    cr_expect_eq(allowed.edge_pixels, 4);
    put(1, &rgba, 4, 4, 0x000000FF);
    cr_expect_not(is_within(&rgba, &edge), "a hole is no edge");
    draw_squares(1);
    put(1, &rgba, 2, 4, 0x123456FF);
    put(0, &rgba, 2, 4, 0x654321FF);
    cr_expect_not(is_within(&rgba, &edge), "colours that the other has nowhere near");
    draw_squares(3);
    cr_expect_not(is_within(&rgba, &edge), "three columns are no edge");
}

Test(tolerance, a_filtered_value_lies_between_its_neighbours)
{
    const struct oracle_tolerance filter = { .filter = 1 };
    fill(&rgba, 0x00000000);
    for (int side = 0; side < 2; side++)
        for (uint32_t y = 0; y < WIDTH; y++)
            put(side, &rgba, 4, y, 0x64646464); /* 100 beside 0 */
    put(1, &rgba, 4, 4, 0x32323232);
    cr_expect(is_within(&rgba, &filter));
    cr_expect_eq(allowed.filter_pixels, 1);
    put(1, &rgba, 4, 4, 0x65656565);
    cr_expect_not(is_within(&rgba, &filter));
}

Test(tolerance, depth_counts_in_steps_and_stencil_is_exact)
{
    struct oracle_surface surface = rgba;
    surface.format = ORACLE_FORMAT_DEPTH24_STENCIL8;
    const struct oracle_tolerance four = { .channels = { 255, 255, 255, 255 }, .depth = 4 };
    fill(&surface, 0x11800000);
    put(1, &surface, 2, 2, 0x11800004);
    cr_expect(is_within(&surface, &four));
    cr_expect_eq(allowed.most_depth, 4);
    put(1, &surface, 2, 2, 0x11800005);
    cr_expect_not(is_within(&surface, &four));
    put(1, &surface, 2, 2, 0x12800000);
    cr_expect_not(is_within(&surface, &four));
}

Test(tolerance, uniforms_may_be_off_by_ulps_and_registers_not)
{
    const struct oracle_tolerance ulps = { .ulps = 2 };
    const uint32_t one = 0x3F800000, near = 0x3F800002, far = 0x3F800003;
    uint8_t *const uniform = (uint8_t *)&states[1].units[0].uniforms[5];
    memcpy(&states[0].units[0].uniforms[5], &one, sizeof one);
    memcpy(uniform, &near, sizeof near);
    cr_expect(is_within(&rgba, &ulps));
    cr_expect_eq(allowed.values, 1);
    memcpy(uniform, &far, sizeof far);
    cr_expect_not(is_within(&rgba, &ulps));
    memcpy(uniform, &one, sizeof one);
    states[1].registers[0x41] = 1;
    cr_expect_not(is_within(&rgba, &ulps));
}

Test(tolerance, ulps_count_over_zero_and_know_nan)
{
    cr_expect(oracle_within_ulps(0x80000000, 0x00000000, 0), "-0 and +0 are one value");
    cr_expect(oracle_within_ulps(0x80000001, 0x00000001, 2));
    cr_expect_not(oracle_within_ulps(0x80000001, 0x00000001, 1));
    cr_expect(oracle_within_ulps(0x7FC00000, 0x7FC00001, 0));
    cr_expect_not(oracle_within_ulps(0x7FC00000, 0x7F800000, 0x7FFFFF));
}
