/*
 * Primitive assembly (PRM): from vertices to triangles.
 *
 * The assembler keeps two vertices and makes a triangle of them and the next one. It is never reset by a draw: a strip
 * goes on in the next draw until a register restarts it (PRM-06). A strip has no parity flag; each vertex overwrites
 * the older of the two kept ones, so the order in the buffer itself alternates. The quaternions of a triangle are
 * turned to the same side, so that they can be interpolated (PRM-08).
 *
 * Worked number: strip v0 to v4: v0 to B[0], v1 to B[1]; v2 emits (v0, v1, v2) and goes to B[0]; v3 emits (v2, v1, v3)
 * and goes to B[1]; v4 emits (v2, v3, v4).
 */
#include "reference/number.h"
#include "reference/pipeline.h"
#include "reference/trace.h"

enum {
    SLOT_QUATERNION = 4
};

/* PRM-01: the buffered vertices are not cleared, but nothing uses them any more. */
void ref_assembler_reset(struct ref_gpu *gpu)
{
    ref_feature_if(gpu, gpu->assembler.count != 0 || gpu->assembler.ready, PICA_FEATURE_PRIMITIVE_RESTARTED);
    gpu->assembler.count = 0;
    gpu->assembler.ready = 0;
    gpu->assembler.winding = 0;
}

static float quaternion_product(const struct pica_final_vertex *a, const struct pica_final_vertex *b)
{
    const uint32_t *p = &a->slots[SLOT_QUATERNION];
    const uint32_t *q = &b->slots[SLOT_QUATERNION];
    return ((ref_mul(ref_float(p[0]), ref_float(q[0])) + ref_mul(ref_float(p[1]), ref_float(q[1]))) +
            ref_mul(ref_float(p[2]), ref_float(q[2]))) +
           ref_mul(ref_float(p[3]), ref_float(q[3]));
}

/* PRM-08: q and -q are the same rotation; turns b's quaternion to a's side, so that they can be interpolated. */
static bool align_quaternion(const struct ref_gpu *gpu, const struct pica_final_vertex *a, struct pica_final_vertex *b)
{
    if (!(quaternion_product(a, b) < 0.0f) || ref_takes(gpu, PICA_SIDE_QUATERNION_SIGN_PLAIN))
        return false;
    for (uint32_t i = 0; i < 4; i++)
        b->slots[SLOT_QUATERNION + i] ^= 0x80000000u;
    return true;
}

static void record_corners(const struct ref_gpu *gpu, const struct pica_final_vertex triangle[3])
{
    const bool is_strip =
        gpu->assembler.topology == PICA_TOPOLOGY_STRIP || gpu->assembler.topology == PICA_TOPOLOGY_FAN;
    for (uint32_t i = 0; i < 3; i++)
        ref_trace_rule(gpu, is_strip ? "PRM-04" : "PRM-03", i, triangle[i].slots, 4);
    for (uint32_t i = 0; i < 3; i++)
        ref_trace_rule(gpu, "PRM-08", i, triangle[i].slots + SLOT_QUATERNION, 4);
}

static void record_triangle(const struct ref_gpu *gpu, bool is_second_turned, bool is_third_turned)
{
    ref_feature(gpu, PICA_FEATURE_TRIANGLE_ASSEMBLED + gpu->assembler.topology);
    ref_feature_if(gpu, is_second_turned, PICA_FEATURE_QUATERNION_FLIPPED);
    ref_feature_if(gpu, is_third_turned, PICA_FEATURE_QUATERNION_FLIPPED);
}

/*
 * PRM-08, PRM-09, FBF-18: draws a triangle at once, with the current registers; it is a batch of its own unless a draw
 * trigger runs. The trace of a vertex ends when the rasteriser has its triangles; their pixels are not part of it.
 */
static void emit_triangle(struct ref_gpu *gpu, const struct pica_final_vertex *a, const struct pica_final_vertex *b,
                          const struct pica_final_vertex *c)
{
    struct pica_final_vertex triangle[3] = { *a, *b, *c };
    const bool is_second_turned = align_quaternion(gpu, &triangle[0], &triangle[1]);
    const bool is_third_turned = align_quaternion(gpu, &triangle[0], &triangle[2]);
    if (gpu->is_watched)
        record_triangle(gpu, is_second_turned, is_third_turned);
    if (gpu->is_watched)
        record_corners(gpu, triangle);
    if (!gpu->in_draw)
        ref_batch_begin(gpu);
    ref_draw_triangle(gpu, triangle);
    if (!gpu->in_draw)
        ref_batch_end(gpu);
}

/* PRM-03, PRM-05: the winding flag counts in topology 3 only, for one triangle. */
static void submit_to_list(struct ref_gpu *gpu, const struct pica_final_vertex *vertex)
{
    struct pica_assembler_state *assembler = &gpu->assembler;
    const bool is_swapped = assembler->topology == PICA_TOPOLOGY_GEOMETRY && assembler->winding;
    if (assembler->count < 2) {
        assembler->buffer[assembler->count] = *vertex;
        assembler->count = (uint8_t)(assembler->count + 1u);
        return;
    }
    assembler->count = 0;
    if (is_swapped)
        assembler->winding = 0;
    emit_triangle(gpu, &assembler->buffer[is_swapped ? 1 : 0], &assembler->buffer[is_swapped ? 0 : 1], vertex);
}

/* PRM-04. In these topologies the count is 0 or 1 and says which vertex is replaced next. */
static void submit_to_strip(struct ref_gpu *gpu, const struct pica_final_vertex *vertex, bool is_fan)
{
    struct pica_assembler_state *assembler = &gpu->assembler;
    if (assembler->ready)
        emit_triangle(gpu, &assembler->buffer[0], &assembler->buffer[1], vertex);
    assembler->buffer[assembler->count & 1u] = *vertex;
    if (assembler->count == 1)
        assembler->ready = 1;
    assembler->count = (uint8_t)(is_fan ? 1u : 1u - (assembler->count & 1u));
}

/* PRM-03, PRM-04, PRM-06, PRM-07: vertices are buffered as the output map of this moment makes them. */
void ref_submit_vertex(struct ref_gpu *gpu, const struct ref_outputs *outputs)
{
    struct pica_final_vertex vertex;
    ref_map_outputs(gpu, outputs, &vertex);
    switch ((enum pica_topology)gpu->assembler.topology) {
    case PICA_TOPOLOGY_LIST: submit_to_list(gpu, &vertex); return;
    case PICA_TOPOLOGY_STRIP: submit_to_strip(gpu, &vertex, false); return;
    case PICA_TOPOLOGY_FAN: submit_to_strip(gpu, &vertex, true); return;
    case PICA_TOPOLOGY_GEOMETRY: submit_to_list(gpu, &vertex); return;
    }
}
