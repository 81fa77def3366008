/* Primitive assembly (PRM), and the hand-over of finished triangles to the renderer (FBF-18). */
#include "fast/vertex/assembly.h"

#include <string.h>

#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/number.h"
#include "fast/tiles/renderer.h"
#include "fast/vertex/fetch_gather.h"

enum {
    FIRST_FREE_VERTEX = FAST_LANES, /* block 0 belongs to B[0] and B[1] */
    TOPOLOGY_STRIP = 1,
    TOPOLOGY_FAN = 2,
    TOPOLOGY_GEOMETRY = 3
};

/* PRM-01. PRM-05: a reset also clears a winding flag that no triangle has used. */
void fast_primitive_reset(struct fast_gpu *gpu)
{
    struct fast_primitives *const primitives = gpu->primitives;
    primitives->count = 0u;
    primitives->ready = false;
    primitives->winding = false;
}

/* PRM-02. */
void fast_primitive_set_topology(struct fast_gpu *gpu, uint32_t topology)
{
    gpu->primitives->topology = topology;
}

/* --------------------------------------------------------------------------------------------------------- assembly */

static inline void emit_triangle(struct fast_primitives *primitives, uint32_t v0, uint32_t v1, uint32_t v2)
{
    const uint32_t i = primitives->triangle_count;
    primitives->corner[0][i] = v0;
    primitives->corner[1][i] = v1;
    primitives->corner[2][i] = v2;
    primitives->triangle_count = i + 1u;
}

/* PRM-03. */
static inline void submit_to_list(struct fast_primitives *primitives, uint32_t offset)
{
    uint32_t *const buffer = primitives->buffer;
    if (primitives->count < 2u) {
        buffer[primitives->count] = offset;
        primitives->count += 1u;
        return;
    }
    primitives->count = 0u;
    if (primitives->winding && primitives->topology == TOPOLOGY_GEOMETRY) {
        emit_triangle(primitives, buffer[1], buffer[0], offset);
        primitives->winding = false;
    } else {
        emit_triangle(primitives, buffer[0], buffer[1], offset);
    }
}

/* PRM-04; n is 0 or 1. An imported state may have another value; then only its lowest bit counts. */
static inline void submit_to_strip(struct fast_primitives *primitives, uint32_t offset)
{
    const uint32_t n = primitives->count & 1u;
    if (primitives->ready)
        emit_triangle(primitives, primitives->buffer[0], primitives->buffer[1], offset);
    primitives->buffer[n] = offset;
    if (n == 1u)
        primitives->ready = true;
    primitives->count = primitives->topology == TOPOLOGY_FAN ? 1u : 1u - n;
}

void fast_primitive_submit(struct fast_primitives *primitives, uint32_t offset)
{
    if (primitives->topology == TOPOLOGY_STRIP || primitives->topology == TOPOLOGY_FAN)
        submit_to_strip(primitives, offset);
    else
        submit_to_list(primitives, offset);
}

void fast_primitive_submit_all(struct fast_primitives *primitives, const uint32_t *offsets, uint32_t count)
{
    uint32_t i = 0;
    if (primitives->topology == TOPOLOGY_STRIP || primitives->topology == TOPOLOGY_FAN) {
        for (; i < count; i++)
            submit_to_strip(primitives, offsets[i]);
        return;
    }
    while (i < count && (primitives->count != 0u || primitives->winding))
        submit_to_list(primitives, offsets[i++]);
    for (; count - i >= 3u; i += 3u) {
        emit_triangle(primitives, offsets[i], offsets[i + 1u], offsets[i + 2u]);
        primitives->buffer[0] = offsets[i];
        primitives->buffer[1] = offsets[i + 1u];
    }
    for (; i < count; i++)
        submit_to_list(primitives, offsets[i]);
}

/* -------------------------------------------------------------------------------------------------- to the renderer */

/* PRM-08: do the quaternions at `a` and `b` lie on opposite sides? */
static bool quaternions_oppose(const float *a, const float *b)
{
    const float x = fast_pica_product(a[0 * FAST_LANES], b[0 * FAST_LANES]);
    const float y = fast_pica_product(a[1 * FAST_LANES], b[1 * FAST_LANES]);
    const float z = fast_pica_product(a[2 * FAST_LANES], b[2 * FAST_LANES]);
    const float w = fast_pica_product(a[3 * FAST_LANES], b[3 * FAST_LANES]);
    return (((x + y) + z) + w) < 0.0f;
}

/* PRM-08: finds the quaternions to negate; the vertices in the pool are not changed. */
static void find_flips(const struct fast_gpu *gpu, struct fast_primitives *primitives, struct fast_triangles *triangles)
{
    const float *const quaternions = primitives->floats + FAST_SLOT_QUATERNION * FAST_LANES;
    const bool lit = (gpu->draw->shading.needs & FAST_NEED_QUATERNION) != 0u;
    for (uint32_t i = 0; i < triangles->count && lit; i++) {
        const float *const first = quaternions + triangles->corner[0][i];
        primitives->flips[i] = (quaternions_oppose(first, quaternions + triangles->corner[1][i]) ? 2u : 0u) |
                               (quaternions_oppose(first, quaternions + triangles->corner[2][i]) ? 4u : 0u);
    }
    if (!lit)
        memset(primitives->flips, 0, triangles->count * sizeof primitives->flips[0]);
    triangles->flips = primitives->flips;
}

/* Fills the arrays up to the next multiple of 16 with vertex 0, which exists. */
static void pad_triangles(struct fast_primitives *primitives)
{
    for (uint32_t i = primitives->triangle_count; i % FAST_LANES != 0u; i++)
        for (int k = 0; k < 3; k++)
            primitives->corner[k][i] = 0u;
}

static uint32_t used_blocks(const struct fast_primitives *primitives)
{
    return (primitives->vertex_count + FAST_LANES - 1u) / FAST_LANES;
}

/* Describes the collected triangles, without flips. */
static struct fast_triangles collect(struct fast_primitives *primitives)
{
    pad_triangles(primitives);
    return (struct fast_triangles){
        .floats = primitives->floats,
        .corner = { primitives->corner[0], primitives->corner[1], primitives->corner[2] },
        .count = primitives->triangle_count,
        .blocks = used_blocks(primitives),
    };
}

bool fast_primitive_draw(struct fast_gpu *gpu, struct fast_primitives *primitives, struct fast_gather *gather,
                         struct fast_bins *bins)
{
    struct fast_triangles triangles = collect(primitives);
    uint8_t needed[FAST_POOL_BLOCKS] = { 0 };
    const bool half = gather->any_half;
    uint32_t *const corner[3] = { primitives->corner[0], primitives->corner[1], primitives->corner[2] };
    if (half && triangles.count != 0u)
        triangles.count = fast_bins_select(bins, &triangles, corner, needed);
    for (uint32_t k = 0; k < 2u; k++)
        needed[primitives->buffer[k] / FAST_BLOCK_FLOATS] = FAST_BLOCK_KEPT;
    if (half && !fast_gather_complete(gpu, gather, needed, fast_needed_slots(gpu->renderer->job.needs)))
        return false;
    if (triangles.count != 0u) {
        find_flips(gpu, primitives, &triangles);
        fast_bins_triangles(bins, &triangles, half ? needed : NULL);
    }
    return true;
}

void fast_primitive_open_batch(struct fast_gpu *gpu)
{
    struct fast_primitives *const primitives = gpu->primitives;
    if (primitives->batch_is_open)
        return;
    fast_draw_state_update(gpu);
    fast_batch_begin(gpu, &primitives->reads);
    primitives->batch_is_open = true;
}

static void draw_as_part_of_batch(struct fast_gpu *gpu)
{
    if (gpu->primitives->triangle_count > 0u)
        fast_primitive_open_batch(gpu);
    (void)fast_primitive_draw(gpu, gpu->primitives, &gpu->vertices->gather, &gpu->renderer->own);
}

/* FBF-18: in immediate mode every triangle is a batch of its own. */
static void draw_as_batches(struct fast_gpu *gpu)
{
    struct fast_primitives *const primitives = gpu->primitives;
    fast_draw_state_update(gpu);
    struct fast_triangles all = collect(primitives);
    find_flips(gpu, primitives, &all);
    _Alignas(64) uint32_t corner[3][FAST_LANES];
    _Alignas(64) uint32_t flips[FAST_LANES];
    const struct fast_triangles triangles = {
        .floats = primitives->floats,
        .corner = { corner[0], corner[1], corner[2] },
        .flips = flips,
        .count = 1u,
        .blocks = used_blocks(primitives),
    };
    memset(corner, 0, sizeof corner);
    memset(flips, 0, sizeof flips);
    for (uint32_t i = 0; i < primitives->triangle_count; i++) {
        for (int k = 0; k < 3; k++)
            corner[k][0] = primitives->corner[k][i];
        flips[0] = primitives->flips[i];
        fast_draw_state_update(gpu); /* the batch before may have written a texture */
        fast_batch_begin(gpu, &primitives->reads);
        fast_batch_triangles(gpu, &triangles);
        fast_batch_end(gpu);
    }
}

/* PRM-06, PRM-07: the vertices that the assembler keeps move to block 0, as final slots. */
static void keep_buffered_vertices(struct fast_primitives *primitives)
{
    float kept[2][FAST_VERTEX_SLOTS];
    for (uint32_t k = 0; k < 2u; k++)
        for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
            kept[k][slot] = primitives->floats[primitives->buffer[k] + slot * FAST_LANES];
    for (uint32_t k = 0; k < 2u; k++) {
        for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
            primitives->floats[k + slot * FAST_LANES] = kept[k][slot];
        primitives->buffer[k] = k;
    }
}

void fast_primitive_flush(struct fast_gpu *gpu)
{
    struct fast_primitives *const primitives = gpu->primitives;
    if (!primitives->immediate)
        draw_as_part_of_batch(gpu);
    else if (primitives->triangle_count > 0u)
        draw_as_batches(gpu);
    primitives->triangle_count = 0u;
    if (primitives->buffer[0] != 0u || primitives->buffer[1] != 1u)
        keep_buffered_vertices(primitives);
    primitives->vertex_count = FIRST_FREE_VERTEX;
}

void fast_primitive_begin_draw(struct fast_gpu *gpu, bool immediate)
{
    struct fast_primitives *const primitives = gpu->primitives;
    primitives->immediate = immediate;
    primitives->batch_is_open = false;
    primitives->reads.count = 0u;
    primitives->triangle_count = 0u;
    primitives->vertex_count = FIRST_FREE_VERTEX;
}

void fast_primitive_end_draw(struct fast_gpu *gpu)
{
    struct fast_primitives *const primitives = gpu->primitives;
    fast_primitive_flush(gpu);
    if (primitives->batch_is_open)
        fast_batch_end(gpu);
    primitives->batch_is_open = false;
}
