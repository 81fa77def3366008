/* The batch around the bins: where the surfaces are, which need private copies, batch events (60, section 2). */
#include <stdlib.h>

#include "fast/draw/draw_state.h"
#include "fast/draw/texture_image.h"
#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "fast/reserve.h"
#include "fast/tiles/renderer.h"
#include "fast/trace.h"
#include "pica/regs.h"

/* --------------------------------------------------------------------------------------------------- private copies */

static bool ranges_meet(const struct fast_surface *surface, const struct fast_range *range)
{
    const uint64_t first = surface->address;
    const uint64_t start = range->address;
    return surface->size != 0u && range->size != 0u && first < start + range->size && start < first + surface->size;
}

/* Does the batch draw over bytes of textures that are not decoded yet? */
static bool textures_meet(const struct fast_fragment_state *state, const struct fast_shading_state *shading)
{
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        for (uint32_t face = 0; face < shading->units[unit].face_count; face++) {
            const struct fast_image *image = shading->units[unit].images[face];
            const struct fast_range range = { image->key.address, image->size };
            if (!fast_image_is_complete(image) &&
                ((state->color_surface.written && ranges_meet(&state->color_surface, &range)) ||
                 (state->depth_surface.written && ranges_meet(&state->depth_surface, &range))))
                return true;
        }
    return false;
}

/*
 * FBF-18, FBF-19: private copies are needed if the two surfaces overlap, or if the batch may draw over bytes that it
 * still has to read: indices, attributes, or texels (TEX-30) that are not decoded yet.
 */
static bool needs_copies(const struct fast_fragment_state *state, const struct fast_shading_state *shading,
                         const struct fast_batch_reads *reads)
{
    if (state->surfaces_meet || textures_meet(state, shading))
        return true;
    for (uint32_t i = 0; i < reads->count; i++) {
        if (state->color_surface.written && ranges_meet(&state->color_surface, &reads->ranges[i]))
            return true;
        if (state->depth_surface.written && ranges_meet(&state->depth_surface, &reads->ranges[i]))
            return true;
    }
    return false;
}

static void open_surface(const struct fast_gpu *gpu, struct fast_surface_view *view, const struct fast_surface *surface,
                         uint8_t *copy, bool private_copy)
{
    *view = (struct fast_surface_view){ .surface = surface, .complete = true };
    if (!surface->accessed)
        return;
    view->complete = fast_memory_has(gpu, surface->address, surface->size);
    if (private_copy) {
        view->base = copy;
    } else if (view->complete) {
        view->base = fast_memory_bytes(gpu, surface->address, surface->size);
    }
}

/* The rows that were drawn, as a byte range of the surface: whole rows of tiles. */
static struct fast_range drawn_range(const struct fast_renderer *renderer, const struct fast_surface *surface)
{
    const struct fast_fragment_state *state = renderer->job.raster;
    const uint32_t low = (1u << state->tile_shift) - 1u;
    const uint64_t row_bytes = (uint64_t)state->pitch * surface->bytes_per_pixel;
    const uint64_t first = (renderer->first_row & ~low) * row_bytes;
    const uint64_t end = ((renderer->last_row | low) + 1u) * row_bytes;
    return (struct fast_range){ surface->address + (uint32_t)first, end - first };
}

static void report_written(const struct fast_renderer *renderer, const struct fast_surface *surface)
{
    if (!surface->written)
        return;
    const struct fast_range range = drawn_range(renderer, surface);
    fast_memory_written(renderer->gpu, range.address, range.size);
}

/* ---------------------------------------------------------------------------------------------------------- batches */

static void choose_job(struct fast_gpu *gpu)
{
    struct fast_renderer *renderer = gpu->renderer;
    const struct fast_fragment_state *state = &gpu->draw->raster;
    const uint32_t needs = gpu->draw->shading.needs;
    renderer->kernels = gpu->kernels;
    renderer->job =
        (struct fast_block_job){ state, &gpu->draw->shading, state->shades ? needs : 0u, &gpu->draw->quick, NULL };
    if (!gpu->traces_pixel)
        return;
    fast_trace_raster(gpu, gpu->tracer);
    const uint32_t reported = (needs & FAST_NEED_TEXCOORD0) != 0u ? needs | FAST_NEED_TEXCOORD0_W : needs;
    gpu->tracer->triangles = renderer->own.triangles;
    renderer->kernels = &gpu->tracer->kernels;
    renderer->job =
        (struct fast_block_job){ &gpu->tracer->raster, &gpu->draw->shading, reported, &gpu->draw->quick, gpu->tracer };
}

/* RST-09: c, the cost of a pixel with the registers of the batch. */
static uint32_t pixel_cost(const struct fast_gpu *gpu)
{
    const uint32_t *const r = gpu->registers;
    const uint32_t config = r[PICA_REG_TEXUNIT_CONFIG];
    const uint32_t units = pica_texunit_config_unit0_enable(config) + pica_texunit_config_unit1_enable(config) +
                           pica_texunit_config_unit2_enable(config) + pica_texunit_config_unit3_enable(config);
    const uint32_t lights = pica_lighting_enable1_disable(r[PICA_REG_LIGHTING_ENABLE1]) == 0u
                                ? pica_lighting_num_lights_lights_minus_1(r[PICA_REG_LIGHTING_NUM_LIGHTS]) + 1u
                                : 0u;
    return 8u + 2u * lights + 4u * units;
}

void fast_batch_begin(struct fast_gpu *gpu, const struct fast_batch_reads *reads)
{
    struct fast_renderer *renderer = gpu->renderer;
    renderer->drawing = false;
    gpu->work.pixel_cost = pixel_cost(gpu);
    renderer->first_row = UINT32_MAX;
    renderer->last_row = 0;
    choose_job(gpu);
    const struct fast_fragment_state *state = renderer->job.raster;
    renderer->private_copies = state->draws && needs_copies(state, &gpu->draw->shading, reads);
    open_surface(gpu, &renderer->color, &state->color_surface, renderer->copies.color, renderer->private_copies);
    open_surface(gpu, &renderer->depth, &state->depth_surface, renderer->copies.depth, renderer->private_copies);
    fast_bins_begin(renderer);
}

void fast_batch_triangles(struct fast_gpu *gpu, const struct fast_triangles *triangles)
{
    fast_bins_triangles(&gpu->renderer->own, triangles, NULL);
}

/* GEN-09, FBF-33: records the events that only a batch that draws records. */
static void record_batch_events(struct fast_gpu *gpu)
{
    const struct pica_events *events = &gpu->draw->raster.batch_events;
    for (size_t i = 0; i < PICA_EVENT_WORDS; i++)
        gpu->events.words[i] |= events->words[i];
    fast_shading_events(gpu);
}

void fast_batch_end(struct fast_gpu *gpu)
{
    struct fast_renderer *renderer = gpu->renderer;
    fast_bins_draw(renderer, &renderer->own, 1u);
    if (renderer->first_row <= renderer->last_row) {
        if (renderer->private_copies)
            fast_copies_store(renderer);
        report_written(renderer, renderer->color.surface);
        report_written(renderer, renderer->depth.surface);
    }
    if (renderer->drawing)
        record_batch_events(gpu);
}

/* -------------------------------------------------------------------------------------------------------- lifetimes */

enum pica_status fast_renderer_create(struct fast_gpu *gpu, uint32_t threads, struct fast_renderer **out)
{
    struct fast_renderer *renderer = calloc(1, sizeof *renderer);
    *out = NULL;
    if (renderer == NULL)
        return PICA_NO_MEMORY;
    renderer->gpu = gpu;
    renderer->own.screen = fast_reserve(sizeof *renderer->own.screen);
    renderer->copies.color = fast_reserve(FAST_SURFACE_BYTES);
    renderer->copies.depth = fast_reserve(FAST_SURFACE_BYTES);
    enum pica_status status = fast_bins_create(&renderer->own, renderer, false);
    if (renderer->own.screen == NULL || renderer->copies.color == NULL || renderer->copies.depth == NULL)
        status = PICA_NO_MEMORY;
    if (status == PICA_OK)
        status = fast_workers_create(threads, &gpu->capacity, &renderer->workers);
    if (status != PICA_OK) {
        fast_renderer_destroy(renderer);
        return status;
    }
    *out = renderer;
    return PICA_OK;
}

void fast_renderer_destroy(struct fast_renderer *renderer)
{
    if (renderer == NULL)
        return;
    fast_workers_destroy(renderer->workers);
    fast_unreserve(renderer->copies.depth, FAST_SURFACE_BYTES);
    fast_unreserve(renderer->copies.color, FAST_SURFACE_BYTES);
    fast_unreserve(renderer->own.screen, sizeof *renderer->own.screen);
    fast_bins_destroy(&renderer->own);
    free(renderer);
}

/* Nothing needs to be reset: bins are empty between batches, and a batch sets everything else anew. */
void fast_renderer_reset(struct fast_renderer *renderer)
{
    assert(renderer->own.active_count == 0u && renderer->own.triangle_count == 0u && renderer->copies.count == 0u);
    (void)renderer;
}
