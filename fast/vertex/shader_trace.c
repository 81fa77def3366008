/*
 * Tracing of vertices. The batch of up to 16 vertices in which a vertex was shaded is loaded and shaded once more, by
 * the kernel that reports its steps; a vertex shader has no memory (SHD-10), so the results are the same. A vertex that
 * the index cache supplied (VTX-24) also has such a batch. The final slots that are reported are those of the pool,
 * which the draw itself computed.
 */
#include "fast/trace.h"

#include "fast/gpu.h"
#include "fast/number.h"
#include "fast/vertex/fetch.h"
#include "fast/vertex/fetch_layout.h"
#include "fast/vertex/fetch_load.h"
#include "fast/vertex/shader.h"

static bool is_traced(const struct fast_tracer *tracer, uint32_t number_in_draw)
{
    return tracer->request.subject == PICA_TRACE_VERTICES || tracer->request.x == number_in_draw;
}

static void report_vector(const struct fast_tracer *tracer, enum pica_trace_id id, uint32_t index,
                          const float vector[4])
{
    uint32_t values[4];
    for (uint32_t i = 0; i < 4u; i++)
        values[i] = fast_bits(vector[i]);
    fast_trace_step(tracer, id, index, values, 4u);
}

/* Four rows of the register file, in the traced lane. */
static void read_rows(const struct fast_gpu *gpu, uint32_t first_row, float vector[4])
{
    for (uint32_t i = 0; i < 4u; i++)
        vector[i] = gpu->vertices->file.row[first_row + i][gpu->tracer->lane];
}

/* VTX-11, VTX-46: loads an attribute that no register shows. */
static void load_hidden_attribute(struct fast_gpu *gpu, const struct fast_vertex_layout *layout, uint32_t attribute,
                                  uint32_t vertex, float vector[4])
{
    const struct fast_vertices *const vertices = gpu->vertices;
    if (attribute >= layout->attribute_count)
        return;
    if (layout->attributes[attribute].kind == FAST_ATTRIBUTE_FIXED)
        memcpy(vector, gpu->fixed[attribute], 4u * sizeof vector[0]);
    for (uint32_t s = 0; s < vertices->source_count; s++)
        if (vertices->sources[s].attribute == attribute)
            fast_load_attribute(gpu, &vertices->sources[s], vertex, vector);
}

/* VTX-12: reports the buffer before the permutation, as the registers show it. */
static void report_attributes(struct fast_gpu *gpu, uint32_t vertex)
{
    struct fast_vertex_layout layout;
    fast_vertex_layout_decode(gpu, &layout);
    for (uint32_t j = 0; j < FAST_ATTRIBUTE_SLOTS; j++) {
        float vector[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
        const uint32_t target = fast_vertex_target(gpu, j);
        if (target != FAST_NO_REGISTER)
            read_rows(gpu, FAST_ROW_INPUTS + target * 4u, vector);
        else
            load_hidden_attribute(gpu, &layout, j, vertex, vector);
        report_vector(gpu->tracer, PICA_TRACE_ID_VERTEX_ATTRIBUTE, j, vector);
    }
}

/* SHD-10. The draw itself does not clear registers that the program never reads; a trace shows these too. */
static void clear_registers(struct fast_register_file *file)
{
    memset(file->row[FAST_ROW_TEMPORARIES], 0, 16u * 4u * sizeof file->row[0]);
    memset(file->row[FAST_ROW_OUTPUTS], 0, 16u * 4u * sizeof file->row[0]);
}

/* Runs the shader on the inputs in the file, and reports the results in the traced lane. */
static void replay_shader(struct fast_gpu *gpu, uint32_t count)
{
    struct fast_vertices *const vertices = gpu->vertices;
    clear_registers(&vertices->file);
    fast_vertices_run(gpu, &gpu->tracer->kernels, count, NULL);
    for (uint32_t k = 0; k < vertices->output_count; k++) {
        float vector[4];
        const uint32_t row = vertices->output_row[k];
        read_rows(gpu, row, vector);
        report_vector(gpu->tracer, PICA_TRACE_ID_OUTPUT_REGISTER, (row - FAST_ROW_OUTPUTS) / 4u, vector);
    }
}

/* Loads and shades a batch again. `numbers` are relative to the first vertex of the draw. */
static void replay(struct fast_gpu *gpu, const uint32_t numbers[FAST_FILE_LANES], uint32_t count, uint32_t lane)
{
    const uint32_t number = gpu->vertices->first_number + numbers[lane];
    gpu->tracer->lane = lane;
    fast_trace_step(gpu->tracer, PICA_TRACE_ID_VERTEX_NUMBER, 0u, &number, 1u);
    fast_load_vertices(gpu, numbers, count);
    report_attributes(gpu, numbers[lane]);
    replay_shader(gpu, count);
}

/* --------------------------------------------------------------------------------------------------- straight draws */

void fast_trace_batch(struct fast_gpu *gpu, uint32_t block)
{
    assert(block < FAST_POOL_BLOCKS);
    memcpy(gpu->tracer->batches[block], gpu->vertices->gather.numbers + (size_t)block * FAST_LANES,
           sizeof gpu->tracer->batches[block]);
}

void fast_trace_note(struct fast_gpu *gpu, uint32_t first, const uint32_t *offsets, uint32_t count)
{
    struct fast_tracer *const tracer = gpu->tracer;
    if (tracer->count == 0u)
        tracer->first = first;
    assert(tracer->count + count <= FAST_TRACE_VERTICES);
    memcpy(tracer->offsets + tracer->count, offsets, count * sizeof offsets[0]);
    tracer->count += count;
}

/* Number of vertices in the block that were shaded: 16, except in the newest block. */
static uint32_t batch_size(const struct fast_primitives *primitives, uint32_t block)
{
    const uint32_t rest = primitives->vertex_count - block * FAST_LANES;
    return rest < FAST_LANES ? rest : FAST_LANES;
}

void fast_trace_noted(struct fast_gpu *gpu)
{
    struct fast_tracer *const tracer = gpu->tracer;
    for (uint32_t i = 0; i < tracer->count; i++) {
        const uint32_t block = tracer->offsets[i] / FAST_BLOCK_FLOATS;
        if (!is_traced(tracer, tracer->first + i))
            continue;
        replay(gpu, tracer->batches[block], batch_size(gpu->primitives, block), tracer->offsets[i] % FAST_BLOCK_FLOATS);
        fast_trace_slots(gpu, tracer->offsets[i]);
    }
    tracer->count = 0u;
}

/* --------------------------------------------------------------------------------------------------- other vertices */

bool fast_trace_pending(struct fast_gpu *gpu, uint32_t lane, uint32_t count)
{
    struct fast_vertices *const vertices = gpu->vertices;
    if (!is_traced(gpu->tracer, gpu->tracer->numbers_in_draw[lane]))
        return false;
    replay(gpu, vertices->gather.numbers, count, lane);
    gpu->tracer->lane = 0u; /* the geometry shader runs in lane 0 */
    return true;
}

bool fast_trace_immediate(struct fast_gpu *gpu)
{
    const uint32_t number = 0u;
    if (!is_traced(gpu->tracer, 0u))
        return false;
    gpu->tracer->lane = 0u;
    fast_trace_step(gpu->tracer, PICA_TRACE_ID_VERTEX_NUMBER, 0u, &number, 1u);
    for (uint32_t j = 0; j < FAST_ATTRIBUTE_SLOTS; j++)
        report_vector(gpu->tracer, PICA_TRACE_ID_VERTEX_ATTRIBUTE, j, gpu->immediate[j]);
    replay_shader(gpu, 1u);
    return true;
}
