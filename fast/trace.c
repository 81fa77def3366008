/* Tracing: decides which draw is traced, and reports the steps that do not happen inside a kernel. */
#include "fast/trace.h"

#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/number.h"
#include "pica/regs.h"

/* GEN-02. */
static uint32_t canonical(enum pica_trace_type type, uint32_t bits)
{
    return type == PICA_TRACE_FLOAT && (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : bits;
}

void fast_trace_step(const struct fast_tracer *tracer, enum pica_trace_id id, uint32_t index, const uint32_t *values,
                     uint32_t count)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    struct pica_trace_step step = {
        .stage = info->stage, .name = info->name, .index = index, .type = info->type, .count = count
    };
    assert(count >= 1u && count <= 16u);
    for (uint32_t i = 0; i < count; i++)
        step.values[i] = canonical(info->type, values[i]);
    tracer->sink(tracer->user, &step);
}

/* --------------------------------------------------------------------------------------------------------- draws */

/* FBF-06. The framebuffer's height cannot change before the draw ends. */
static void place_pixel(const struct fast_gpu *gpu, struct fast_tracer *tracer)
{
    const uint32_t dim = gpu->registers[PICA_REG_FRAMEBUFFER_DIM];
    const uint32_t y = tracer->request.y;
    tracer->column = tracer->request.x;
    tracer->row = pica_framebuffer_dim_top_row_first(dim) != 0u ? pica_framebuffer_dim_height_minus_1(dim) - y : y;
}

void fast_trace_begin_draw(struct fast_gpu *gpu)
{
    struct fast_tracer *const tracer = gpu->tracer;
    if (!tracer->armed || tracer->draw != tracer->request.draw)
        return;
    tracer->count = 0u;
    tracer->in_geometry = false;
    gpu->traces_pixel = tracer->request.subject == PICA_TRACE_PIXEL;
    gpu->traces_vertices = !gpu->traces_pixel;
    if (gpu->traces_pixel) {
        place_pixel(gpu, tracer);
        gpu->shading_dirty = true; /* units and combiner are decoded in every fragment mode (shading_state.c) */
    }
}

void fast_trace_end_draw(struct fast_gpu *gpu)
{
    if (gpu->traces_pixel)
        gpu->shading_dirty = true;
    gpu->traces_pixel = false;
    gpu->traces_vertices = false;
    gpu->tracer->in_geometry = false;
    gpu->tracer->draw += 1u;
}

/* ---------------------------------------------------------------------------------------------------------- pixel */

static bool surfaces_share_a_byte(const struct fast_surface *a, const struct fast_surface *b)
{
    return a->accessed && b->accessed && a->address < b->address + b->size && b->address < a->address + a->size;
}

/*
 * FBF-24: a write of the colour also counts if a mask or the operation leaves every bit unchanged. GAS-01 and SHW-03:
 * there `written` alone decides. FBF-18 also holds for surfaces that are only looked at, so they may need private
 * copies now.
 */
void fast_trace_raster(const struct fast_gpu *gpu, struct fast_tracer *tracer)
{
    struct fast_fragment_state *const state = &tracer->raster;
    *state = gpu->draw->raster;
    const uint32_t write = gpu->registers[PICA_REG_COLORBUFFER_WRITE];
    state->draws = true; /* so that every triangle goes into bins */
    if (state->mode != PICA_FRAGMENT_MODE_DEFAULT || state->width == 0u)
        return;
    if (pica_colorbuffer_access_enable(write) != 0u && state->color.format <= PICA_COLOR_FORMAT_RGBA4)
        state->color_surface.accessed = true;
    if ((state->depth.test || state->stencil.active) && state->depth.read)
        state->depth_surface.accessed = true;
    state->surfaces_meet = surfaces_share_a_byte(&state->color_surface, &state->depth_surface);
}

static void report_corners(const struct fast_tracer *tracer, const struct fast_trace_corner *corners)
{
    uint32_t values[4];
    for (uint32_t i = 0; i < 3u; i++) {
        for (uint32_t k = 0; k < 4u; k++)
            values[k] = fast_bits(corners[i].position[k]);
        fast_trace_step(tracer, PICA_TRACE_ID_CLIP_POSITION, i, values, 4u);
    }
    for (uint32_t i = 0; i < 3u; i++) {
        values[0] = (uint32_t)corners[i].x;
        values[1] = (uint32_t)corners[i].y;
        fast_trace_step(tracer, PICA_TRACE_ID_SCREEN_POSITION, i, values, 2u);
    }
    for (uint32_t i = 0; i < 3u; i++) {
        values[0] = fast_bits(corners[i].z);
        values[1] = fast_bits(corners[i].inverse_w);
        fast_trace_step(tracer, PICA_TRACE_ID_SCREEN_DEPTH, i, values, 2u);
    }
}

void fast_trace_visit(const struct fast_tracer *tracer, const struct fast_triangle *triangle)
{
    uint32_t values[6];
    report_corners(tracer, tracer->corners[triangle - tracer->triangles]);
    for (uint32_t i = 0; i < 3u; i++) {
        values[2u * i] = (uint32_t)((uint64_t)tracer->weights[i] & 0xffffffffu);
        values[2u * i + 1u] = (uint32_t)((uint64_t)tracer->weights[i] >> 32);
    }
    fast_trace_step(tracer, PICA_TRACE_ID_WEIGHTS, 0u, values, 6u);
}

/* ------------------------------------------------------------------------------------------------------- emission */

void fast_trace_emission(const struct fast_tracer *tracer, const struct fast_shader_run *run, uint32_t slot)
{
    uint32_t values[16];
    for (uint32_t i = 0; i < 16u; i++)
        values[i] = fast_bits(run->file->row[FAST_ROW_OUTPUTS + run->bank * FAST_ROW_BANK + i][0]);
    fast_trace_step(tracer, PICA_TRACE_ID_GEOMETRY_EMIT, slot, values, 16u);
}

void fast_trace_slots(const struct fast_gpu *gpu, uint32_t offset)
{
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++) {
        const uint32_t bits = fast_bits(gpu->primitives->floats[offset + slot * FAST_LANES]);
        fast_trace_step(gpu->tracer, PICA_TRACE_ID_OUTPUT_SLOT, slot, &bits, 1u);
    }
}
