/* A large draw on several threads (fetch_slices.h). */
#include "fast/vertex/fetch_slices.h"

#include <string.h>

#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/reserve.h"
#include "fast/tiles/renderer.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/shader.h"

enum {
    SLICES_PER_THREAD = 5, /* between two drawings of the bins, at each of which threads wait */
    MOST_SLICES = 48,
    LEAST_VALUES = 3,   /* of a slice: what the assembler keeps comes from the two before it, or from the first one */
    UNITS_OF_VALUE = 10 /* cost of a vertex without its pixels, in units of fast_workers_pay */
};

struct slice {
    uint32_t first, count; /* values of i */
    bool shaded;
    /* PRM: the state of the assembler after the slice. */
    uint32_t kept_count;
    bool ready;
    float kept[2][FAST_VERTEX_SLOTS];
};

/* What a thread needs to make slices. */
struct bench {
    struct fast_gather gather;
    struct fast_primitives primitives;
    struct fast_screen screen;
    uint64_t draw; /* number of the draw whose plan constants are in the frame */
};

struct fast_slices {
    struct fast_gpu *gpu;
    uint32_t count; /* slices made at once */
    uint32_t threads;
    struct bench *benches; /* one per thread */
    struct slice slices[MOST_SLICES];
    struct fast_bins bins[MOST_SLICES];
    uint32_t homes[MOST_SLICES]; /* the thread that made the slice with this number last */

    /* The running draw. */
    const struct fast_draw_range *draw;
    uint64_t number; /* number of this draw, counted from 1 */
    uint32_t start;  /* first value of i in the slices that are being made */
};

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* ----------------------------------------------------------------------------------------------------------- making */

static bool is_list(const struct fast_primitives *primitives)
{
    return primitives->topology == 0u || primitives->topology == 3u;
}

static void submit(const struct fast_slices *slices, struct bench *bench, uint32_t first, uint32_t count)
{
    uint32_t offsets[FAST_FETCH_GROUP];
    for (uint32_t done = 0; done < count;) {
        const uint32_t group = lesser(count - done, FAST_FETCH_GROUP);
        fast_gather_values(slices->gpu, &bench->gather, slices->draw, first + done, group, offsets);
        fast_primitive_submit_all(&bench->primitives, offsets, group);
        done += group;
    }
}

/*
 * PRM-03, PRM-04: gives the assembler the state that it has after all values before the slice. A list has just finished
 * a triangle, because slices are cut that way. A strip keeps the last two vertices; a fan keeps the first one (unless
 * it goes on from an earlier draw) and the last one. Submitting these again restores the buffer, and may emit a
 * triangle too many.
 */
static void open_assembler(const struct fast_slices *slices, const struct slice *slice, struct bench *bench)
{
    const struct fast_primitives *const from = slices->gpu->primitives;
    struct fast_primitives *const primitives = &bench->primitives;
    const uint32_t before = slice->first - slices->start;
    memcpy(primitives->floats, from->floats, FAST_BLOCK_FLOATS * sizeof from->floats[0]);
    primitives->buffer[0] = 0u;
    primitives->buffer[1] = 1u;
    primitives->vertex_count = FAST_LANES;
    primitives->topology = from->topology;
    primitives->count = from->count;
    primitives->ready = from->ready;
    primitives->winding = false;
    if (before != 0u && is_list(from)) {
        primitives->count = 0u;
    } else if (before != 0u && from->topology == 1u) {
        primitives->count = (from->count + before) & 1u; /* submitting two more keeps the parity */
        submit(slices, bench, slice->first - 2u, 2u);
    } else if (before != 0u) {
        if ((from->count & 1u) == 0u)
            submit(slices, bench, slices->start, 1u);
        submit(slices, bench, slice->first - 1u, 1u);
    }
    primitives->triangle_count = 0u;
    primitives->ready = primitives->ready || (before != 0u && !is_list(from));
}

static void keep_assembler(struct slice *slice, const struct fast_primitives *primitives)
{
    slice->kept_count = primitives->count;
    slice->ready = primitives->ready;
    for (uint32_t k = 0; k < 2u; k++)
        for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
            slice->kept[k][slot] = primitives->floats[primitives->buffer[k] + slot * FAST_LANES];
}

static void open_bins(struct fast_bins *bins, struct bench *bench)
{
    bins->screen = &bench->screen;
    bins->overflows = false;
    bins->pixels = 0u;
    memset(&bins->events, 0, sizeof bins->events);
}

/* Makes one slice; runs on any thread. */
static void make_slice(void *context, uint32_t item, uint32_t thread)
{
    struct fast_slices *const slices = context;
    const struct fast_gpu *const gpu = slices->gpu;
    struct slice *const slice = &slices->slices[item];
    struct bench *const bench = &slices->benches[thread];
    if (bench->draw != slices->number)
        fast_prepare_frame(gpu, &bench->gather.frame);
    bench->draw = slices->number;
    bench->gather.fails = false;
    fast_gather_begin(&bench->gather);
    open_bins(&slices->bins[item], bench);
    open_assembler(slices, slice, bench);
    submit(slices, bench, slice->first, slice->count);
    fast_gather_shade(slices->gpu, &bench->gather);
    slice->shaded = !bench->gather.fails &&
                    fast_primitive_draw(slices->gpu, &bench->primitives, &bench->gather, &slices->bins[item]);
    if (slice->shaded)
        keep_assembler(slice, &bench->primitives);
    else
        fast_gather_forget(&bench->gather);
}

/* ---------------------------------------------------------------------------------------------------------- cutting */

static uint32_t values_of_triangle(const struct fast_gpu *gpu)
{
    return is_list(gpu->primitives) ? 3u : 1u;
}

/* Most values of i in a slice. */
static uint32_t most_values(const struct fast_gpu *gpu)
{
    return greater(gpu->capacity.slice_triangles * values_of_triangle(gpu), LEAST_VALUES);
}

/* Fewest values of i in a slice; the last slice of a draw may have fewer. */
static uint32_t least_values(const struct fast_gpu *gpu)
{
    return greater(most_values(gpu) / 4u, LEAST_VALUES);
}

/* Values of i per slice, for as many slices of equal length as there can be. */
static uint32_t slice_length(const struct fast_slices *slices, uint32_t left)
{
    const uint32_t values = values_of_triangle(slices->gpu);
    const uint32_t count = lesser(greater(left / least_values(slices->gpu), 1u), slices->count);
    return lesser(left / count + values, most_values(slices->gpu)) / values * values;
}

/* Cuts values [first, end) into slices; returns how many there are. */
static uint32_t cut(struct fast_slices *slices, uint32_t first, uint32_t end)
{
    const struct fast_primitives *const primitives = slices->gpu->primitives;
    const uint32_t length = slice_length(slices, end - first);
    uint32_t begun = is_list(primitives) ? primitives->count : 0u; /* the first slice also finishes this triangle */
    uint32_t count = 0u;
    slices->start = first;
    while (count < slices->count && first < end) {
        const uint32_t values = lesser(length - begun, end - first);
        slices->slices[count++] = (struct slice){ .first = first, .count = values };
        first += values;
        begun = 0u;
    }
    return count;
}

/* ---------------------------------------------------------------------------------------------------------- drawing */

/*
 * On the caller's thread, in the order of slices: applies what the slice has changed. False: the slice cannot be taken,
 * and nothing is changed.
 */
static bool take_slice(struct fast_slices *slices, uint32_t number)
{
    struct fast_gpu *const gpu = slices->gpu;
    struct fast_primitives *const primitives = gpu->primitives;
    const struct slice *const slice = &slices->slices[number];
    const struct fast_bins *const bins = &slices->bins[number];
    if (!slice->shaded || bins->overflows || !fast_triangles_admit(gpu, bins->pixels))
        return false;
    gpu->work.steps += (uint64_t)gpu->vertices->plan->executed * slice->count; /* CMD-24 */
    fast_events_join(&gpu->events, &bins->events);
    primitives->count = slice->kept_count;
    primitives->ready = slice->ready;
    for (uint32_t k = 0; k < 2u; k++)
        for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
            primitives->floats[k + slot * FAST_LANES] = slice->kept[k][slot];
    return true;
}

/* Draws as many slices as there is room for, from value `first` on; returns the first value of i that was not drawn. */
static uint32_t draw_some(struct fast_slices *slices, struct fast_draw_range *draw, uint32_t first)
{
    struct fast_renderer *const renderer = slices->gpu->renderer;
    const uint32_t count = cut(slices, first, draw->end);
    uint32_t taken = 0u;
    fast_workers_run(renderer->workers, &(struct fast_job){ make_slice, slices, count, slices->homes });
    for (; taken < count && take_slice(slices, taken); taken++)
        first += slices->slices[taken].count;
    fast_bins_draw(renderer, slices->bins, taken);
    draw->one_thread = taken < count;
    for (; taken < count; taken++)
        fast_bins_clear(&slices->bins[taken]);
    return first;
}

/* Does the draw use a plan, need nothing that only the caller's thread may do, and have enough vertices? */
static bool can_be_sliced(const struct fast_gpu *gpu, const struct fast_draw_range *draw, uint32_t left)
{
    const struct fast_primitives *const primitives = gpu->primitives;
    if (gpu->slices == NULL || draw->one_thread || gpu->vertices->plan == NULL || gpu->traces_pixel ||
        (draw->elements && draw->indices.bytes == NULL))
        return false;
    if (is_list(primitives) && (primitives->ready || primitives->winding)) /* left over from another topology */
        return false;
    return left >= 2u * least_values(gpu) && fast_workers_pay(gpu->renderer->workers, (uint64_t)left * UNITS_OF_VALUE);
}

uint32_t fast_slices_draw(struct fast_gpu *gpu, struct fast_draw_range *draw, uint32_t first)
{
    struct fast_slices *const slices = gpu->slices;
    if (!can_be_sliced(gpu, draw, draw->end - first))
        return first;
    fast_primitive_open_batch(gpu);
    fast_bins_draw(gpu->renderer, &gpu->renderer->own, 1u); /* draws what was submitted before */
    slices->draw = draw;
    slices->number += 1u;
    while (first < draw->end && !draw->one_thread)
        first = draw_some(slices, draw, first);
    return first;
}

/* -------------------------------------------------------------------------------------------------------- lifetimes */

enum pica_status fast_slices_create(struct fast_gpu *gpu, uint32_t threads, struct fast_slices **out)
{
    *out = NULL;
    if (threads == 0u)
        return PICA_OK;
    struct fast_slices *const slices = fast_reserve(sizeof *slices);
    if (slices == NULL)
        return PICA_NO_MEMORY;
    *out = slices;
    slices->gpu = gpu;
    slices->threads = threads + 1u;
    slices->count = lesser(slices->threads, MOST_SLICES / SLICES_PER_THREAD) * SLICES_PER_THREAD;
    slices->benches = fast_reserve(slices->threads * sizeof slices->benches[0]);
    enum pica_status status = slices->benches != NULL ? PICA_OK : PICA_NO_MEMORY;
    for (uint32_t i = 0; i < slices->count && status == PICA_OK; i++)
        status = fast_bins_create(&slices->bins[i], gpu->renderer, true);
    for (uint32_t i = 0; i < slices->threads && status == PICA_OK; i++) {
        slices->benches[i].gather.primitives = &slices->benches[i].primitives;
        slices->benches[i].gather.of_slice = true;
    }
    return status;
}

void fast_slices_destroy(struct fast_slices *slices)
{
    if (slices == NULL)
        return;
    for (uint32_t i = 0; i < slices->count; i++)
        fast_bins_destroy(&slices->bins[i]);
    fast_unreserve(slices->benches, slices->threads * sizeof slices->benches[0]);
    fast_unreserve(slices, sizeof *slices);
}
