/*
 * Chunks of triangles, set up 16 at a time by the kernels (raster_set_up.h). Triangles that need more, clipping above
 * all, are set up one by one (single_triangle.h) at their place in the order (PRM-09, RST-06).
 */
#include <assert.h>
#include <stddef.h>

#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/number.h"
#include "fast/tiles/renderer.h"
#include "fast/tiles/single_triangle.h"

enum {
    FEW = 3 /* for up to this many triangles, setting up whole blocks of vertices does not pay */
};

_Static_assert(offsetof(struct fast_triangle, weight) == 4 * FAST_HEAD_WEIGHT, "fast_head_word");
_Static_assert(offsetof(struct fast_triangle, step_x) == 4 * FAST_HEAD_STEP_X, "fast_head_word");
_Static_assert(offsetof(struct fast_triangle, step_row) == 4 * FAST_HEAD_STEP_ROW, "fast_head_word");
_Static_assert(offsetof(struct fast_triangle, area) == 4 * FAST_HEAD_AREA, "fast_head_word");

/* Where a triangle's corners are in struct fast_screen, in the order after CUL-04, with the signs of PRM-08. */
struct corners {
    const float *floats[3];
    uint32_t sign[3]; /* xor for the bits of the quaternion */
};

static void copy_values(struct fast_triangle *triangle, const struct corners *corners, uint32_t attribute,
                        uint32_t slot, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < 3u; i++)
            triangle->attribute[attribute + k][i] = corners->floats[i][(slot + k) * FAST_LANES];
}

static void copy_quaternion(struct fast_triangle *triangle, const struct corners *corners)
{
    copy_values(triangle, corners, FAST_ATTRIBUTE_QUATERNION, FAST_SLOT_QUATERNION, 4);
    if ((corners->sign[1] | corners->sign[2]) == 0u)
        return;
    for (uint32_t k = 0; k < 4u; k++)
        for (uint32_t i = 1; i < 3u; i++) {
            float *const value = &triangle->attribute[FAST_ATTRIBUTE_QUATERNION + k][i];
            *value = fast_float(fast_bits(*value) ^ corners->sign[i]);
        }
}

/*
 * TEX-09: the derivatives of the weights. Memory rows may go down the screen (FBF-06); then step_row has the opposite
 * sign.
 */
static void copy_slopes(struct fast_triangle *triangle, bool bottom_row_last)
{
    for (uint32_t i = 0; i < 3u; i++) {
        triangle->weight_dx[i] = (float)triangle->step_x[i];
        triangle->weight_dy[i] = (float)(bottom_row_last ? -triangle->step_row[i] : triangle->step_row[i]);
    }
}

/* Like set_up_values of raster_set_up.c, but copies values that are computed already. */
static void copy_corners(struct fast_triangle *triangle, const struct corners *corners, uint32_t needs,
                         bool bottom_row_last)
{
    for (uint32_t i = 0; i < 3u; i++) {
        triangle->inverse_w[i] = corners->floats[i][FAST_SCREEN_INVERSE_W * FAST_LANES];
        triangle->z[i] = corners->floats[i][FAST_SCREEN_Z * FAST_LANES];
    }
    if ((needs & FAST_NEED_COLOR) != 0u)
        copy_values(triangle, corners, FAST_ATTRIBUTE_COLOR, FAST_SLOT_COLOR, 4);
    if ((needs & FAST_NEED_QUATERNION) != 0u)
        copy_quaternion(triangle, corners);
    if ((needs & FAST_NEED_TEXCOORD0) != 0u)
        copy_values(triangle, corners, FAST_ATTRIBUTE_TEXCOORD0, FAST_SLOT_TEXCOORD0, 2);
    if ((needs & FAST_NEED_TEXCOORD1) != 0u)
        copy_values(triangle, corners, FAST_ATTRIBUTE_TEXCOORD1, FAST_SLOT_TEXCOORD1, 2);
    if ((needs & FAST_NEED_TEXCOORD2) != 0u)
        copy_values(triangle, corners, FAST_ATTRIBUTE_TEXCOORD2, FAST_SLOT_TEXCOORD2, 2);
    if ((needs & FAST_NEED_TEXCOORD0_W) != 0u)
        copy_values(triangle, corners, FAST_ATTRIBUTE_TEXCOORD0_W, FAST_SLOT_TEXCOORD0_W, 1);
    if ((needs & FAST_NEED_VIEW) != 0u)
        copy_values(triangle, corners, FAST_ATTRIBUTE_VIEW, FAST_SLOT_VIEW, 3);
    if ((needs & FAST_NEED_DERIVATIVES) != 0u)
        copy_slopes(triangle, bottom_row_last);
}

static struct corners find_corners(const struct fast_bins *bins, const struct fast_triangles *triangles,
                                   uint32_t number, bool turned)
{
    const float *const floats = bins->screen->floats;
    const uint32_t second = turned ? 2u : 1u;
    const uint32_t third = turned ? 1u : 2u;
    const uint32_t flips = triangles->flips[number];
    return (struct corners){ { floats + triangles->corner[0][number], floats + triangles->corner[second][number],
                               floats + triangles->corner[third][number] },
                             { 0u, (flips >> second & 1u) << 31, (flips >> third & 1u) << 31 } };
}

static void bin_triangle(struct fast_bins *bins, const struct fast_triangle_batch *batch, uint32_t lane,
                         const struct corners *corners)
{
    const struct fast_block_job *const job = &bins->renderer->job;
    struct fast_triangle *const triangle = fast_bins_next(bins);
    const uint32_t *const head = batch->head[lane];
    memcpy(triangle, head, offsetof(struct fast_triangle, left));
    triangle->left = (uint16_t)head[FAST_HEAD_LEFT];
    triangle->first_row = (uint16_t)head[FAST_HEAD_FIRST_ROW];
    triangle->right = (uint16_t)head[FAST_HEAD_RIGHT];
    triangle->last_row = (uint16_t)head[FAST_HEAD_LAST_ROW];
    triangle->ieee = true;
    triangle->bounded = (batch->bounded >> lane & 1u) != 0u;
    triangle->narrow = true;
    triangle->uncut = (batch->uncut >> lane & 1u) != 0u;
    copy_corners(triangle, corners, job->needs, job->raster->bottom_row_last);
    if ((batch->astride >> lane & 1u) != 0u)
        fast_bins_add(bins, batch->entry[lane]);
    else
        fast_bins_add_entry(bins, batch->region[lane], batch->entry[lane]);
}

/*
 * RST-08, RST-09: counts the triangles of the mask all at once. False: not all of them are admitted, and none is
 * counted.
 */
static bool admit_all(struct fast_bins *bins, const struct fast_triangle_batch *batch, uint32_t mask)
{
    uint64_t pixels = 0u;
    for (uint32_t lane = 0; lane < FAST_LANES; lane++)
        pixels += (mask >> lane & 1u) != 0u ? (uint64_t)batch->pixels[lane] : 0u;
    if (!bins->of_slice)
        return fast_triangles_admit(bins->renderer->gpu, pixels);
    bins->pixels += pixels;
    return true;
}

/* Draws up to 16 triangles, from number `first` on. */
static void draw_group(struct fast_bins *bins, const struct fast_triangles *triangles, uint32_t first)
{
    struct fast_triangle_batch batch;
    const struct fast_renderer *const renderer = bins->renderer;
    const struct fast_fragment_state *state = renderer->job.raster;
    const uint32_t left = triangles->count - first;
    const uint32_t present = left < FAST_LANES ? (1u << left) - 1u : 0xFFFFu;
    const uint32_t *const corner[3] = { triangles->corner[0] + first, triangles->corner[1] + first,
                                        triangles->corner[2] + first };
    renderer->kernels->set_up(state, &renderer->layout, bins->screen->place, corner, &batch);
    const uint32_t drawn = state->draws ? batch.covers & ~batch.misses : 0u;
    if ((batch.kept & present) != 0u)
        bins->drawing = true; /* FBF-33 */
    if ((batch.outside & present) != 0u)
        fast_bins_event(bins, PICA_EVENT_OUTSIDE_FRAMEBUFFER);
    const bool admitted = (batch.unfit & present) == 0u && admit_all(bins, &batch, batch.counted & present);
    for (uint32_t mask = (admitted ? drawn : batch.counted | batch.unfit) & present; mask != 0u; mask &= mask - 1u) {
        const uint32_t lane = fast_lowest_bit(mask);
        if ((batch.unfit >> lane & 1u) != 0u) {
            fast_triangle_draw(bins, triangles, first + lane);
        } else if (admitted || (fast_bins_admit(bins, (uint64_t)batch.pixels[lane]) && (drawn >> lane & 1u) != 0u)) {
            const struct corners corners =
                find_corners(bins, triangles, first + lane, (batch.turned >> lane & 1u) != 0u);
            bin_triangle(bins, &batch, lane, &corners);
        }
    }
}

/* Triangles may go in groups of 16 unless each one must record events or be traced: the kernels do neither. */
static bool suits_groups(const struct fast_renderer *renderer, const struct fast_triangles *triangles)
{
    const struct fast_fragment_state *state = renderer->job.raster;
    return triangles->count > FEW && renderer->job.tracer == NULL && !state->viewport_nonfinite &&
           !(state->user_plane && state->plane_nonfinite);
}

/* ------------------------------------------------------------------------------------------------- which are left */

uint32_t fast_needed_slots(uint32_t needs)
{
    uint32_t slots = 0u;
    for (uint32_t g = 0; g < FAST_NEEDED_ATTRIBUTES; g++)
        if ((needs & fast_needed_attributes[g].need) != 0u)
            slots |= ((1u << fast_needed_attributes[g].count) - 1u) << fast_needed_attributes[g].slot;
    return slots;
}

/* Which triangles of a chunk are left, 16 in a word. */
struct left {
    uint32_t masks[FAST_CHUNK_TRIANGLES / FAST_LANES];
    uint32_t count;
};

static uint32_t count_bits(uint32_t mask)
{
    uint32_t sum = mask - (mask >> 1 & 0x55555555u);
    sum = (sum & 0x33333333u) + (sum >> 2 & 0x33333333u);
    return ((sum + (sum >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

static void find_left(struct fast_bins *bins, const struct fast_triangles *triangles, struct left *left)
{
    const struct fast_renderer *const renderer = bins->renderer;
    left->count = 0u;
    for (uint32_t first = 0; first < triangles->count; first += FAST_LANES) {
        struct fast_selection selection;
        const uint32_t rest = triangles->count - first;
        const uint32_t present = rest < FAST_LANES ? (1u << rest) - 1u : 0xFFFFu;
        const uint32_t *const corner[3] = { triangles->corner[0] + first, triangles->corner[1] + first,
                                            triangles->corner[2] + first };
        renderer->kernels->select(renderer->job.raster, bins->screen->place, corner, &selection);
        if ((selection.empty & present) != 0u)
            bins->drawing = true; /* FBF-33 */
        left->masks[first / FAST_LANES] = selection.left & present;
        left->count += count_bits(selection.left & present);
    }
}

/*
 * Moves the triangles that are left to the front of the arrays, and pads the arrays to a multiple of 16 with vertex 0.
 */
static void keep_left(const struct left *left, uint32_t *const corner[3])
{
    uint32_t count = 0u;
    for (uint32_t group = 0; count < left->count; group++)
        for (uint32_t mask = left->masks[group]; mask != 0u; mask &= mask - 1u) {
            const uint32_t number = group * FAST_LANES + fast_lowest_bit(mask);
            for (uint32_t k = 0; k < 3u; k++)
                corner[k][count] = corner[k][number];
            count++;
        }
    for (; count % FAST_LANES != 0u; count++)
        for (uint32_t k = 0; k < 3u; k++)
            corner[k][count] = 0u;
}

static void place_vertices(const struct fast_bins *bins, const struct fast_triangles *triangles)
{
    const struct fast_renderer *const renderer = bins->renderer;
    assert(triangles->blocks <= FAST_POOL_BLOCKS);
    for (uint32_t b = 0; b < triangles->blocks; b++)
        renderer->kernels->project(renderer->job.raster, triangles->floats + (size_t)b * FAST_BLOCK_FLOATS,
                                   bins->screen->floats + (size_t)b * FAST_BLOCK_FLOATS,
                                   bins->screen->place + (size_t)b * FAST_LANES);
}

uint32_t fast_bins_select(struct fast_bins *bins, const struct fast_triangles *triangles, uint32_t *const corner[3],
                          uint8_t needed[FAST_POOL_BLOCKS])
{
    struct left left = { .count = triangles->count };
    if (suits_groups(bins->renderer, triangles)) {
        place_vertices(bins, triangles);
        find_left(bins, triangles, &left);
        if (left.count < triangles->count)
            keep_left(&left, corner);
    }
    if (left.count > triangles->count / 2u) /* then almost every block has one of their vertices */
        memset(needed, FAST_BLOCK_DRAWN, triangles->blocks);
    else
        for (uint32_t k = 0; k < 3u; k++)
            for (uint32_t i = 0; i < left.count; i++)
                needed[corner[k][i] / FAST_BLOCK_FLOATS] = FAST_BLOCK_DRAWN;
    return left.count;
}

void fast_bins_triangles(struct fast_bins *bins, const struct fast_triangles *triangles, const uint8_t *needed)
{
    const struct fast_renderer *const renderer = bins->renderer;
    if (!suits_groups(renderer, triangles)) {
        for (uint32_t i = 0; i < triangles->count; i++)
            fast_triangle_draw(bins, triangles, i);
        return;
    }
    if (needed == NULL)
        place_vertices(bins, triangles);
    for (uint32_t b = 0; b < triangles->blocks; b++)
        if (needed == NULL || needed[b] != 0u)
            renderer->kernels->scale(renderer->job.needs, triangles->floats + (size_t)b * FAST_BLOCK_FLOATS,
                                     bins->screen->floats + (size_t)b * FAST_BLOCK_FLOATS,
                                     bins->screen->place + (size_t)b * FAST_LANES);
    for (uint32_t first = 0; first < triangles->count; first += FAST_LANES)
        draw_group(bins, triangles, first);
}
