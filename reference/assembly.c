/*
 * Primitive assembly (SHD-80 to SHD-82, PRM): from shader outputs to triangles.
 *
 * The output map gives each component of the shader's output vectors a meaning: one of 24 slots of a final vertex,
 * position, quaternion, colour, texture coordinates, view. The assembler keeps two of these vertices and makes a
 * triangle of them and the next one. It is never reset by a draw: a strip goes on in the next draw until a register
 * restarts it (PRM-06). A strip has no parity flag; each vertex overwrites the older of the two kept ones, and so the
 * buffer order itself alternates.
 *
 * Worked number: strip v0 to v4: v0 to B[0], v1 to B[1]; v2 emits (v0, v1, v2) and goes to B[0]; v3 emits (v2, v1, v3)
 * and goes to B[1]; v4 emits (v2, v3, v4).
 */
#include "reference/number.h"
#include "reference/pipeline.h"
#include "reference/trace.h"

enum {
    SLOTS = 24,
    SLOT_QUATERNION = 4,
    SLOT_COLOR = 8
};

/* ------------------------------------------------------------------------------------------------------ output map */

static uint32_t outputs_in_use(const struct ref_gpu *gpu)
{
    return pica_sh_outmap_total_total(gpu->regs[PICA_REG_SH_OUTMAP_TOTAL]);
}

static enum pica_outmap_semantic semantic_at(const struct ref_gpu *gpu, uint32_t output, uint32_t component)
{
    return (enum pica_outmap_semantic)pica_sh_outmap_semantic_at(gpu->regs[PICA_REG_SH_OUTMAP_O0 + output], component);
}

/* SHD-82: the meanings that have no slot; 0x1F means "unused" and is fine. */
static bool is_odd_semantic(enum pica_outmap_semantic semantic)
{
    return semantic == PICA_OUTMAP_SEMANTIC_UNUSED_11 || semantic == PICA_OUTMAP_SEMANTIC_UNUSED_15 ||
           (semantic >= PICA_OUTMAP_SEMANTIC_RESERVED_18 && semantic <= PICA_OUTMAP_SEMANTIC_RESERVED_1E);
}

static uint32_t count_bits(uint32_t word)
{
    uint32_t count = 0;
    for (; word != 0; word &= word - 1u)
        count++;
    return count;
}

/* SHD-70, SHD-71: the mask of the last shader stage. */
static uint32_t last_output_mask(const struct ref_gpu *gpu)
{
    return gpu->geometry.in_use ? gpu->geometry.output_mask
                                : pica_shader_outmap_mask_outputs(gpu->regs[PICA_REG_VSH_OUTMAP_MASK]);
}

/* SHD-82. */
void ref_output_map_events(struct ref_gpu *gpu)
{
    const uint32_t total = outputs_in_use(gpu);
    ref_event_if(gpu, total == 0 || total > count_bits(last_output_mask(gpu)), PICA_EVENT_OUTMAP_TOTAL);
    for (uint32_t k = 0; k < total; k++)
        for (uint32_t component = 0; component < 4; component++)
            ref_event_if(gpu, is_odd_semantic(semantic_at(gpu, k, component)), PICA_EVENT_OUTMAP_SEMANTIC);
}

/* SHD-10, class R: whether the last stage's map or the geometry stage uses a component. */
static bool is_component_used(const struct ref_gpu *gpu, uint32_t k, uint32_t component)
{
    if (gpu->geometry.in_use)
        return true;
    return k < outputs_in_use(gpu) && (uint32_t)semantic_at(gpu, k, component) < SLOTS;
}

void ref_output_events(struct ref_gpu *gpu, const struct ref_outputs *outputs)
{
    for (uint32_t k = 0; k < outputs->count; k++)
        for (uint32_t component = 0; component < 4; component++)
            ref_event_if(gpu, (outputs->written[k] >> component & 1u) == 0 && is_component_used(gpu, k, component),
                         PICA_EVENT_UNINIT_OUTPUT);
}

/* SHD-81. */
static uint32_t clamp_color(uint32_t bits)
{
    const float color = ref_abs(ref_float(bits));
    return ref_bits(color < 1.0f ? color : 1.0f);
}

/* SHD-80, SHD-81: later components override earlier ones. */
static void map_outputs(const struct ref_gpu *gpu, const struct ref_outputs *outputs, struct pica_final_vertex *vertex)
{
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        vertex->slots[slot] = 0x3F800000u; /* 1.0 */
    for (uint32_t k = 0; k < outputs_in_use(gpu); k++)
        for (uint32_t component = 0; component < 4; component++) {
            const uint32_t slot = (uint32_t)semantic_at(gpu, k, component);
            if (slot < SLOTS)
                vertex->slots[slot] = outputs->vectors[k].bits[component];
        }
    for (uint32_t i = 0; i < 4; i++)
        vertex->slots[SLOT_COLOR + i] = clamp_color(vertex->slots[SLOT_COLOR + i]);
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        ref_trace(gpu, PICA_TRACE_ID_OUTPUT_SLOT, slot, &vertex->slots[slot], 1);
}

/* ------------------------------------------------------------------------------------------------------- assembler */

/* PRM-01: the buffers keep data that nothing uses. */
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
static void align_quaternion(const struct ref_gpu *gpu, const struct pica_final_vertex *a, struct pica_final_vertex *b)
{
    if (!(quaternion_product(a, b) < 0.0f))
        return;
    ref_feature(gpu, PICA_FEATURE_QUATERNION_FLIPPED);
    for (uint32_t i = 0; i < 4; i++)
        b->slots[SLOT_QUATERNION + i] ^= 0x80000000u;
}

/*
 * PRM-08, PRM-09, FBF-18: at once, with the registers of now; a batch of its own unless a draw trigger runs. What
 * happens to its pixels is no part of the trace of a vertex.
 */
static void emit_triangle(struct ref_gpu *gpu, const struct pica_final_vertex *a, const struct pica_final_vertex *b,
                          const struct pica_final_vertex *c)
{
    struct pica_final_vertex triangle[3] = { *a, *b, *c };
    const bool vertex_is_traced = gpu->trace.is_active;
    ref_feature(gpu, PICA_FEATURE_TRIANGLE_ASSEMBLED + gpu->assembler.topology);
    align_quaternion(gpu, &triangle[0], &triangle[1]);
    align_quaternion(gpu, &triangle[0], &triangle[2]);
    if (!gpu->in_draw)
        ref_batch_begin(gpu);
    gpu->trace.is_active = false;
    ref_draw_triangle(gpu, triangle);
    gpu->trace.is_active = vertex_is_traced;
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
    map_outputs(gpu, outputs, &vertex);
    switch ((enum pica_topology)gpu->assembler.topology) {
    case PICA_TOPOLOGY_LIST: submit_to_list(gpu, &vertex); return;
    case PICA_TOPOLOGY_STRIP: submit_to_strip(gpu, &vertex, false); return;
    case PICA_TOPOLOGY_FAN: submit_to_strip(gpu, &vertex, true); return;
    case PICA_TOPOLOGY_GEOMETRY: submit_to_list(gpu, &vertex); return;
    }
}
