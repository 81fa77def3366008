/*
 * Draw triggers (VTX-20) and immediate vertices (VTX-42): from registers and arrays to shaded vertices.
 *
 * A draw first decodes the layout of the attributes. Then, group by group, it reads indices, looks each one up among
 * the vertices of this chunk, loads and shades the missing ones 16 at a time, and hands pool offsets to the assembler.
 * A chunk ends when the vertex pool or the list of triangles is full. The rest of a draw may then continue in slices,
 * on several threads. Inert registers: 0x22D, 0x231 (VTX-24).
 */
#include "fast/vertex/fetch.h"

#include <string.h>

#include "fast/gpu.h"
#include "fast/kernels.h"
#include "fast/number.h"
#include "fast/trace.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/fetch_events.h"
#include "fast/vertex/fetch_gather.h"
#include "fast/vertex/fetch_layout.h"
#include "fast/vertex/fetch_slices.h"
#include "fast/vertex/output_map.h"
#include "fast/vertex/geometry.h"
#include "fast/vertex/shader.h"
#include "pica/regs.h"

/* ------------------------------------------------------------------------------------------- shared with geometry.c */

uint32_t fast_input_register(const struct fast_gpu *gpu, uint32_t unit, uint32_t j)
{
    const uint32_t low = gpu->registers[pica_reg_shader(unit, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW)];
    const uint32_t high = gpu->registers[pica_reg_shader(unit, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH)];
    return j < 8u ? pica_shader_permutation_low_input_at(low, j) : pica_shader_permutation_high_input_at(high, j - 8u);
}

uint32_t fast_slot_component(const struct fast_gpu *gpu, uint32_t slot)
{
    return gpu->vertices->slot_component[slot];
}

/* --------------------------------------------------------------------------------------------------- geometry stage */

/* SHD-70: hands the shader's result in one lane to the geometry stage. */
static void hand_to_geometry(struct fast_gpu *gpu, uint32_t lane, bool counted)
{
    const struct fast_vertices *const vertices = gpu->vertices;
    float out[16][4];
    memset(out, 0, sizeof out);
    for (uint32_t k = 0; k < vertices->output_count; k++)
        for (uint32_t i = 0; i < 4u; i++)
            out[k][i] = vertices->file.row[vertices->output_row[k] + i][lane];
    fast_geometry_vertex(gpu, (const float(*)[4])out, counted);
}

/* ---------------------------------------------------------------------------------------------------------- indices */

static void find_index_range(const struct fast_gpu *gpu, struct fast_draw_range *draw)
{
    const struct fast_index_list *const list = &draw->indices;
    uint32_t range[2] = { 0u, list->width == 1u ? 0xffu : 0xffffu };
    if (list->bytes != NULL)
        gpu->kernels->find_index_range(list->bytes, list->width, draw->count, range);
    draw->first = range[0];
    draw->last_relative = range[1] - range[0];
}

/* Adds a range that may wrap around the end of the address space, even more than once. */
static void add_read_range(struct fast_batch_reads *reads, uint32_t address, uint64_t size)
{
    const uint64_t space = (uint64_t)1 << 32;
    const uint64_t head = size < space - address ? size : space - address;
    reads->ranges[reads->count] = (struct fast_range){ address, head };
    reads->count += 1u;
    if (head < size) {
        reads->ranges[reads->count] = (struct fast_range){ 0u, size - head };
        reads->count += 1u;
    }
}

/* -------------------------------------------------------------------------------------------- sources of attributes */

static uint32_t input_count(const struct fast_gpu *gpu)
{
    const uint32_t word = gpu->registers[PICA_REG_VSH_INPUTBUFFER_CONFIG];
    return pica_shader_inputbuffer_config_inputs_minus_1(word) + 1u;
}

uint32_t fast_vertex_target(const struct fast_gpu *gpu, uint32_t j)
{
    const uint32_t inputs = input_count(gpu);
    if (j >= inputs)
        return FAST_NO_REGISTER;
    const uint32_t target = fast_input_register(gpu, PICA_UNIT_VERTEX, j);
    for (uint32_t later = j + 1u; later < inputs; later++)
        if (fast_input_register(gpu, PICA_UNIT_VERTEX, later) == target)
            return FAST_NO_REGISTER;
    return target;
}

static void clear_inputs(struct fast_vertices *vertices)
{
    memset(vertices->file.row[FAST_ROW_INPUTS], 0, 16u * 4u * sizeof vertices->file.row[0]);
}

/*
 * VTX-02, VTX-03, VTX-08, VTX-09: finds the sources of all attributes. Attributes that are the same for every vertex
 * are written to the register file now.
 */
static void find_sources(struct fast_gpu *gpu, const struct fast_draw_range *draw,
                         const struct fast_vertex_layout *layout, struct fast_batch_reads *reads)
{
    static const float missing[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
    struct fast_vertices *const vertices = gpu->vertices;
    clear_inputs(vertices);
    vertices->source_count = 0u;
    vertices->first_number = draw->first;
    for (uint32_t j = 0; j < FAST_ATTRIBUTE_SLOTS; j++) {
        const struct fast_layout_attribute *const attribute = &layout->attributes[j];
        const uint32_t target = fast_vertex_target(gpu, j);
        const bool loads = j < layout->attribute_count && attribute->kind == FAST_ATTRIBUTE_FROM_ARRAY;
        const bool fixed = j < layout->attribute_count && attribute->kind == FAST_ATTRIBUTE_FIXED;
        if (target != FAST_NO_REGISTER)
            fast_fill_register(&vertices->file, FAST_ROW_INPUTS + target * 4u, fixed ? gpu->fixed[j] : missing);
        if (!loads)
            continue;
        struct fast_attribute_source *const source = &vertices->sources[vertices->source_count];
        const uint32_t size = attribute->elements * attribute->element_size;
        const uint64_t extent = (uint64_t)attribute->stride * draw->last_relative + size;
        source->attribute = (uint8_t)j;
        source->type = (uint8_t)attribute->type;
        source->elements = (uint8_t)attribute->elements;
        source->element_size = (uint8_t)attribute->element_size;
        source->target = (uint8_t)target;
        source->stride = attribute->stride;
        source->address = layout->base + attribute->source + attribute->stride * draw->first;
        source->bytes = fast_memory_bytes(gpu, source->address, extent);
        add_read_range(reads, source->address, extent);
        vertices->source_count += 1u;
    }
}

/* --------------------------------------------------------------------------------------------------- straight draws */

/*
 * CMD-24: counts the instructions of the chunk. If they are counted per vertex, those of vertices that the index cache
 * spared count too.
 */
static void count_instructions(struct fast_gpu *gpu)
{
    const struct fast_vertices *const vertices = gpu->vertices;
    for (uint32_t v = FAST_LANES; v < gpu->primitives->vertex_count && vertices->gather.counts; v++)
        gpu->work.steps += (uint64_t)vertices->executed[v] * vertices->gather.uses[v];
}

/* Shades the vertices that still wait, and counts the instructions of the chunk. */
static void end_chunk(struct fast_gpu *gpu)
{
    fast_gather_shade(gpu, &gpu->vertices->gather);
    count_instructions(gpu);
    if (gpu->traces_vertices)
        fast_trace_noted(gpu);
}

static void begin_chunk(struct fast_gpu *gpu)
{
    fast_primitive_flush(gpu);
    fast_gather_begin(&gpu->vertices->gather);
}

/* GSH-02: results go straight to the assembler. VTX-20 (b), VTX-26. */
static void draw_straight(struct fast_gpu *gpu, struct fast_draw_range *draw)
{
    uint32_t offsets[FAST_FETCH_GROUP];
    const uint32_t most = gpu->capacity.group;
    if (draw->next != 0u)
        begin_chunk(gpu);
    for (uint32_t i = fast_slices_draw(gpu, draw, draw->next); i < draw->end;) {
        const uint32_t left = draw->end - i;
        const uint32_t group = left < most ? left : most;
        if (!fast_primitive_has_room(gpu->primitives, &gpu->capacity, most)) {
            end_chunk(gpu);
            begin_chunk(gpu);
            i = fast_slices_draw(gpu, draw, i);
            continue;
        }
        fast_gather_values(gpu, &gpu->vertices->gather, draw, i, group, offsets);
        if (!gpu->vertices->gather.counts)
            gpu->work.steps += (uint64_t)gpu->vertices->executed_each * group;
        if (gpu->traces_vertices)
            fast_trace_note(gpu, i, offsets, group);
        fast_primitive_submit_all(gpu->primitives, offsets, group);
        i += group;
    }
    end_chunk(gpu);
}

/* ------------------------------------------------------------------------------------------- draws through geometry */

/* Shades the waiting vertices and hands them to the geometry stage, in order. */
static void hand_pending_to_geometry(struct fast_gpu *gpu, bool counted)
{
    struct fast_vertices *const vertices = gpu->vertices;
    struct fast_gather *const gather = &vertices->gather;
    const uint32_t count = gather->pending_count;
    if (count == 0u)
        return;
    fast_shade_block(gpu, gather->numbers, count, NULL);
    gather->pending_count = 0u;
    for (uint32_t lane = 0; lane < count; lane++)
        gpu->work.steps += vertices->run.executed[lane];
    for (uint32_t lane = 0; lane < count; lane++) {
        if (gpu->traces_vertices)
            gpu->tracer->in_geometry = fast_trace_pending(gpu, lane, count);
        hand_to_geometry(gpu, lane, counted);
    }
}

/*
 * VTX-20 (c), GSH-20. VS results do not depend on the geometry unit, so up to 16 are computed at once; but in variable
 * mode a batch ends where the next index is a count.
 */
static void draw_through_geometry(struct fast_gpu *gpu, const struct fast_draw_range *draw)
{
    struct fast_gather *const gather = &gpu->vertices->gather;
    const struct fast_geometry *const geometry = gpu->geometry;
    const bool has_counts = draw->elements && geometry->mode == PICA_GSH_MODE_VARIABLE;
    for (uint32_t i = draw->next; i < draw->end; i++) {
        const uint32_t number = draw->elements ? fast_read_index(gpu, &draw->indices, i) : i;
        if (has_counts && geometry->want_count) {
            fast_geometry_count(gpu, number);
            continue;
        }
        gather->numbers[gather->pending_count] = number - (draw->elements ? draw->first : 0u);
        if (gpu->traces_vertices)
            gpu->tracer->numbers_in_draw[gather->pending_count] = i;
        gather->pending_count += 1u;
        if (gather->pending_count == gpu->capacity.geometry_vertices ||
            (has_counts && gather->pending_count == geometry->left))
            hand_pending_to_geometry(gpu, draw->elements);
    }
    hand_pending_to_geometry(gpu, draw->elements);
}

/* --------------------------------------------------------------------------------------------------------- triggers */

/* CMD-24, VTX-23, VTX-44: may one more value of i or immediate vertex be processed? */
static bool vertex_is_left(struct fast_gpu *gpu)
{
    if (fast_steps_are_spent(gpu))
        return false;
    if (gpu->budget.vertices < gpu->limits.vertices)
        return true;
    fast_event(gpu, PICA_EVENT_BUDGET_VERTS);
    return false;
}

/*
 * CMD-24: how many values of i may be processed before the steps are checked again: few enough that, even if each costs
 * as much as possible, some steps are left when the last one begins. With a plan all vertices cost the same, also those
 * whose steps need the interpreter (shader_plan.h). At least 1.
 */
static uint64_t segment_length(const struct fast_gpu *gpu)
{
    const struct fast_plan *const plan = gpu->vertices->plan;
    const uint64_t instructions = gpu->limits.instructions;
    uint64_t most = FAST_STEPS_VERTEX + instructions;
    if (gpu->geometry->in_use)
        most += instructions + (uint64_t)FAST_STEPS_EMIT * gpu->limits.emits;
    else if (plan != NULL)
        most = FAST_STEPS_VERTEX + plan->executed;
    return (gpu->work.limit - gpu->work.steps - 1u) / most + 1u;
}

/* VTX-23: starts the next segment of values of i; false if there are none, or a budget ends the draw. */
static bool open_segment(struct fast_gpu *gpu, struct fast_draw_range *draw)
{
    draw->next = draw->end;
    if (draw->next == draw->wanted || !vertex_is_left(gpu))
        return false;
    const uint64_t most = segment_length(gpu);
    const uint32_t left = draw->count - draw->next;
    const uint32_t length = most < left ? (uint32_t)most : left;
    draw->end = draw->next + length;
    gpu->budget.vertices += length;
    gpu->work.steps += (uint64_t)FAST_STEPS_VERTEX * length;
    return true;
}

/* VTX-01, VTX-21, VTX-22: false if the draw does nothing. */
static bool open_draw(struct fast_gpu *gpu, struct fast_draw_range *draw, uint32_t base, uint32_t wanted)
{
    const uint32_t config = gpu->registers[PICA_REG_INDEXBUFFER_CONFIG];
    struct fast_index_list *const list = &draw->indices;
    list->address = base + pica_indexbuffer_config_offset(config);
    list->width = pica_indexbuffer_config_type(config) == PICA_INDEX_TYPE_UNSIGNED_SHORT ? 2u : 1u;
    if (draw->elements && fast_memory_bytes(gpu, list->address, 1u) == NULL) {
        fast_event(gpu, PICA_EVENT_INDEX_OOB);
        return false;
    }
    const uint32_t allowed = gpu->limits.vertices - gpu->budget.vertices;
    draw->wanted = wanted;
    draw->count = wanted < allowed ? wanted : allowed;
    if (!vertex_is_left(gpu))
        return false;
    if (draw->elements) {
        list->bytes = fast_memory_bytes(gpu, list->address, (uint64_t)draw->count * list->width);
        find_index_range(gpu, draw);
        add_read_range(&gpu->primitives->reads, list->address, (uint64_t)draw->count * list->width);
    } else {
        draw->first = gpu->registers[PICA_REG_VERTEX_OFFSET];
        draw->last_relative = draw->count - 1u;
    }
    return true;
}

/* VTX-20 (b), for 0x228 > 0. */
static void draw_vertices(struct fast_gpu *gpu, bool elements, uint32_t wanted)
{
    struct fast_vertex_layout layout;
    struct fast_draw_range draw = { .elements = elements };
    fast_vertex_layout_decode(gpu, &layout);
    fast_record_common_events(gpu);
    fast_record_count_event(gpu, layout.attribute_count);
    fast_primitive_begin_draw(gpu, false);
    if (!open_draw(gpu, &draw, layout.base, wanted))
        return;
    fast_decode_output_map(gpu);
    find_sources(gpu, &draw, &layout, &gpu->primitives->reads);
    fast_prepare_shader(gpu);
    gpu->vertices->gather.pending_count = 0u;
    fast_gather_begin(&gpu->vertices->gather);
    if (!gpu->geometry->in_use)
        fast_begin_shading(gpu, draw.count);
    while (open_segment(gpu, &draw)) {
        if (gpu->geometry->in_use)
            draw_through_geometry(gpu, &draw);
        else
            draw_straight(gpu, &draw);
    }
    fast_primitive_end_draw(gpu);
}

static void report_draw(struct fast_gpu *gpu, uint32_t id)
{
    fast_trace_end_draw(gpu);
    if (gpu->observer == NULL)
        return;
    const struct pica_draw draw = { gpu->registers, gpu->list_address, gpu->list_word, id, UINT32_MAX };
    gpu->observer(gpu->observer_user, &draw);
}

/* VTX-20, VTX-25. */
void fast_draw(struct fast_gpu *gpu, bool elements)
{
    const uint32_t wanted = pica_numvertices_count(gpu->registers[PICA_REG_NUMVERTICES]);
    gpu->work.steps += FAST_STEPS_DRAW;
    fast_trace_begin_draw(gpu);
    fast_geometry_configure(gpu);
    if (wanted > 0u)
        draw_vertices(gpu, elements, wanted);
    report_draw(gpu, elements ? PICA_REG_DRAWELEMENTS : PICA_REG_DRAWARRAYS);
}

/* VTX-42: imm[] to v by VTX-12, in lane 0. */
static void load_immediate_inputs(struct fast_gpu *gpu)
{
    struct fast_vertices *const vertices = gpu->vertices;
    const uint32_t inputs = input_count(gpu);
    clear_inputs(vertices);
    for (uint32_t j = 0; j < inputs; j++) {
        const uint32_t target = fast_input_register(gpu, PICA_UNIT_VERTEX, j);
        for (uint32_t i = 0; i < 4u; i++)
            vertices->file.row[FAST_ROW_INPUTS + target * 4u + i][0] = gpu->immediate[j][i];
    }
}

/*
 * VTX-40, VTX-42, VTX-43 (through the geometry stage, if one is in use), VTX-44 (drawn as soon as it is complete;
 * CMD-24 comes first: if the budget is exhausted, the vertex is lost), VTX-45.
 */
void fast_immediate_vertex(struct fast_gpu *gpu, uint32_t id)
{
    struct fast_primitives *const primitives = gpu->primitives;
    if (!vertex_is_left(gpu))
        return;
    gpu->budget.vertices += 1u;
    gpu->work.steps += FAST_STEPS_IMMEDIATE_VERTEX;
    fast_trace_begin_draw(gpu);
    if (gpu->reset_armed)
        fast_geometry_configure(gpu);
    gpu->reset_armed = false;
    fast_record_common_events(gpu);
    fast_decode_output_map(gpu);
    load_immediate_inputs(gpu);
    fast_prepare_shader(gpu);
    fast_primitive_begin_draw(gpu, true);
    if (gpu->geometry->in_use) {
        fast_vertices_run(gpu, gpu->kernels, 1u, NULL);
        gpu->work.steps += gpu->vertices->run.executed[0];
        if (gpu->traces_vertices)
            gpu->tracer->in_geometry = fast_trace_immediate(gpu);
        hand_to_geometry(gpu, 0u, false);
    } else {
        const uint32_t offset = fast_vertex_offset(primitives->vertex_count);
        fast_vertices_run(gpu, gpu->kernels, 1u, primitives->floats + offset);
        gpu->work.steps += gpu->vertices->run.executed[0];
        if (gpu->traces_vertices && fast_trace_immediate(gpu))
            fast_trace_slots(gpu, offset);
        primitives->vertex_count += 1u;
        fast_primitive_submit(primitives, offset);
    }
    fast_primitive_end_draw(gpu);
    report_draw(gpu, id);
}
