/* Runs the vertex shader over the vertices of a draw: by the interpreter, or by a plan. */
#include "fast/vertex/shader.h"

#include <string.h>

#include "fast/gpu.h"
#include "fast/kernels.h"
#include "fast/vertex/fetch.h"
#include "fast/vertex/fetch_load.h"
#include "fast/vertex/output_map.h"
#include "pica/regs.h"

/* ----------------------------------------------------------------------------------------------------------- shader */

/*
 * Copies the c registers that the program names to every lane. What was copied is remembered by the program's serial
 * number, not its address: draws by a plan do not come here, so meanwhile the program may have left the cache and
 * another one may be in its place.
 */
static void spread_uniforms(struct fast_gpu *gpu)
{
    struct fast_vertices *const vertices = gpu->vertices;
    const struct fast_shader_unit *const unit = &gpu->units[PICA_UNIT_VERTEX];
    const struct fast_program *const program = vertices->run.program;
    if (vertices->spread_serial == program->serial)
        return;
    for (uint32_t number = 0; number < PICA_FLOAT_UNIFORMS; number++)
        if ((program->uniforms_read[number / 32u] >> (number % 32u) & 1u) != 0u)
            fast_fill_register(&vertices->file, FAST_ROW_UNIFORMS + number * 4u, unit->uniforms[number]);
    vertices->spread_serial = program->serial;
}

void fast_prepare_shader(struct fast_gpu *gpu)
{
    struct fast_vertices *const vertices = gpu->vertices;
    struct fast_shader_unit *const unit = &gpu->units[PICA_UNIT_VERTEX];
    struct fast_shader_run *const run = &vertices->run;
    fast_decode_outputs(gpu);
    run->gpu = gpu;
    run->geometry = NULL;
    run->program = fast_program_get(&vertices->programs, unit);
    run->file = &vertices->file;
    run->uniforms = (const float(*)[4])unit->uniforms;
    run->unit = unit;
    run->entry = pica_shader_entrypoint_entry(gpu->registers[PICA_REG_VSH_ENTRYPOINT]);
    run->map = vertices->map;
    run->recording = NULL;
    if (unit->uniforms_dirty) {
        vertices->spread_serial = 0u;
        vertices->scalars_dirty = true;
    }
    unit->uniforms_dirty = false;
}

static void clear_register(struct fast_register_file *file, uint32_t first_row)
{
    memset(file->row[first_row], 0, 4u * sizeof file->row[0]);
}

/* Registers that the program never reads need not be cleared. */
void fast_vertices_run(struct fast_gpu *gpu, const struct fast_kernels *kernels, uint32_t count, float *block)
{
    struct fast_vertices *const vertices = gpu->vertices;
    struct fast_shader_run *const run = &vertices->run;
    spread_uniforms(gpu);
    if (run->entry >= 512u)
        fast_event(gpu, PICA_EVENT_ENTRY_RANGE);
    for (uint32_t r = 0; r < 16u; r++)
        if ((run->program->temporaries_read >> r & 1u) != 0u)
            clear_register(&vertices->file, FAST_ROW_TEMPORARIES + r * 4u);
    for (uint32_t k = 0; k < vertices->output_count; k++)
        clear_register(&vertices->file, vertices->output_row[k]);
    memset(run->address, 0, sizeof run->address);
    run->compare[0] = 0u;
    run->compare[1] = 0u;
    run->loop_counter = 0;
    run->bank = 0u;
    run->lanes = count < FAST_FILE_LANES ? (1u << count) - 1u : 0xffffu;
    run->block = block;
    kernels->shade(run);
}

void fast_shade_block(struct fast_gpu *gpu, uint32_t numbers[FAST_FILE_LANES], uint32_t count, float *block)
{
    for (uint32_t lane = count; lane < FAST_FILE_LANES; lane++)
        numbers[lane] = numbers[0];
    fast_load_vertices(gpu, numbers, count);
    fast_vertices_run(gpu, gpu->kernels, count, block);
}

/* Keeps the instruction counts of the block that begins at pool number `first`; call after fast_shade_block. */
static void note_executed(struct fast_vertices *vertices, uint32_t first)
{
    memcpy(vertices->executed + first, vertices->run.executed, sizeof vertices->run.executed);
}

/* ------------------------------------------------------------------------------------------------------------ plans */

/*
 * Can plans be used? FLT-03: steps compute in f32. Their loads need every vertex in memory. A trace needs batches of
 * 16.
 */
static bool plans_fit(const struct fast_gpu *gpu)
{
    const struct fast_vertices *const vertices = gpu->vertices;
    if (gpu->profile != PICA_PROFILE_F32 || gpu->traces_vertices)
        return false;
    for (uint32_t s = 0; s < vertices->source_count; s++)
        if (vertices->sources[s].bytes == NULL)
            return false;
    return true;
}

/* Bit i: row i of v is loaded from an array. */
static uint64_t loaded_rows(const struct fast_vertices *vertices)
{
    uint64_t rows = 0u;
    for (uint32_t s = 0; s < vertices->source_count; s++) {
        const struct fast_attribute_source *const source = &vertices->sources[s];
        if (source->target != FAST_NO_REGISTER)
            rows |= (((uint64_t)1 << source->elements) - 1u) << (source->target * 4u);
    }
    return rows;
}

/* Fills the inputs that are the same for every vertex of the draw. */
static void fill_constant_inputs(const struct fast_vertices *vertices, struct fast_plan_frame *frame)
{
    const struct fast_plan_part *const parts = vertices->plan->parts;
    const uint64_t read = parts[FAST_PART_FIRST].inputs_read | parts[FAST_PART_REST].inputs_read;
    const uint64_t constant = read & ~loaded_rows(vertices);
    for (uint32_t row = 0; row < FAST_FRAME_TEMPORARIES; row++)
        if ((constant >> row & 1u) != 0u)
            for (uint32_t lane = 0; lane < FAST_PLAN_VERTICES; lane++)
                frame->rows[row * FAST_PLAN_VERTICES + lane] = vertices->file.row[FAST_ROW_INPUTS + row][0];
}

/* `changed`: c0-c95 are not those of the previous call. */
static void prepare_frame(const struct fast_gpu *gpu, struct fast_plan_frame *frame, bool changed)
{
    fast_plan_spread(frame, gpu->vertices->plan, (const float(*)[4])gpu->units[PICA_UNIT_VERTEX].uniforms, changed);
    fill_constant_inputs(gpu->vertices, frame);
}

void fast_prepare_frame(const struct fast_gpu *gpu, struct fast_plan_frame *frame)
{
    prepare_frame(gpu, frame, true);
}

static void use_plan(struct fast_gpu *gpu, const struct fast_plan *plan)
{
    struct fast_vertices *const vertices = gpu->vertices;
    if (!plan->possible)
        return;
    vertices->plan = plan;
    vertices->pending_limit = FAST_PLAN_VERTICES;
    prepare_frame(gpu, &vertices->gather.frame, vertices->scalars_dirty);
    vertices->scalars_dirty = false;
    fast_events_join(&gpu->events, &plan->events);
}

/* The plan slot of the prepared program. Only this function chooses where a plan is kept. */
static struct fast_plan *plan_of_program(struct fast_vertices *vertices)
{
    return &vertices->plans[vertices->run.program - vertices->programs.slots];
}

void fast_begin_shading(struct fast_gpu *gpu, uint32_t count)
{
    struct fast_vertices *const vertices = gpu->vertices;
    struct fast_plan_key key;
    vertices->plan = NULL;
    vertices->records = false;
    vertices->pending_limit = FAST_FILE_LANES;
    vertices->gather.counts = true;
    if (count <= gpu->capacity.plan_vertices || !plans_fit(gpu))
        return;
    fast_plan_make_key(&key, &vertices->run);
    if (fast_plan_has_key(plan_of_program(vertices), &key))
        use_plan(gpu, plan_of_program(vertices));
    else
        vertices->records = count >= gpu->capacity.record_vertices;
    if (vertices->plan != NULL) {
        vertices->gather.counts = false;
        vertices->executed_each = vertices->plan->executed;
    }
}

/*
 * Shades one batch by the interpreter and records it; the rest of the draw uses the plan made of the recording. The
 * events of the recorded batch are stored in the plan.
 */
static void shade_and_record(struct fast_gpu *gpu, uint32_t first)
{
    struct fast_vertices *const vertices = gpu->vertices;
    struct fast_plan *const plan = plan_of_program(vertices);
    const struct pica_events before = gpu->events;
    struct fast_plan_key key;
    memset(&gpu->events, 0, sizeof gpu->events);
    vertices->recording.straight = true;
    vertices->recording.count = 0u;
    vertices->run.recording = &vertices->recording;
    fast_shade_block(gpu, vertices->gather.numbers + first, vertices->gather.pending_count,
                     gpu->primitives->floats + fast_vertex_offset(first));
    note_executed(vertices, first);
    vertices->run.recording = NULL;
    vertices->records = false;
    fast_plan_make_key(&key, &vertices->run);
    fast_plan_build(plan, &key, &vertices->recording);
    plan->events = gpu->events;
    plan->executed = vertices->run.executed[0]; /* on a straight path all lanes have the same count */
    fast_events_join(&gpu->events, &before);
    vertices->gather.frame.spread_plan = NULL;
    use_plan(gpu, plan);
}

/* Where one vertex needs the interpreter, others will. */
static void leave_plan(struct fast_vertices *vertices)
{
    vertices->plan = NULL;
    vertices->pending_limit = FAST_FILE_LANES;
}

/* Runs a part of a plan on up to four blocks of the pool. All 16 numbers of each block must be those of vertices. */
static bool run_part(const struct fast_gpu *gpu, struct fast_gather *gather, const uint32_t *blocks,
                     struct fast_plan_run *run)
{
    uint32_t numbers[FAST_PLAN_VERTICES];
    for (uint32_t i = 0; i < run->blocks; i++) {
        run->out[i] = gather->primitives->floats + (size_t)blocks[i] * FAST_BLOCK_FLOATS;
        memcpy(numbers + (size_t)i * FAST_FILE_LANES, gather->numbers + (size_t)blocks[i] * FAST_FILE_LANES,
               FAST_FILE_LANES * sizeof numbers[0]);
    }
    run->frame = &gather->frame;
    fast_load_frame(gpu, gather, run->plan->parts[run->part].inputs_read, numbers, run->blocks);
    return gpu->kernels->run_plan(run);
}

bool fast_shade_by_plan(const struct fast_gpu *gpu, struct fast_gather *gather, uint32_t first)
{
    const struct fast_plan *const plan = gpu->vertices->plan;
    const uint32_t count = gather->pending_count;
    uint32_t blocks[FAST_PLAN_BLOCKS];
    struct fast_plan_run run = { .plan = plan, .part = FAST_PART_FIRST, .slots = plan->parts[FAST_PART_FIRST].slots };
    run.blocks = (count + FAST_FILE_LANES - 1u) / FAST_FILE_LANES;
    for (uint32_t i = count; i < run.blocks * FAST_FILE_LANES; i++)
        gather->numbers[first + i] = gather->numbers[first];
    for (uint32_t i = 0; i < run.blocks; i++)
        blocks[i] = first / FAST_FILE_LANES + i;
    if (!run_part(gpu, gather, blocks, &run))
        return false;
    gather->plan = plan;
    for (uint32_t i = 0; i < run.blocks && plan->parts[FAST_PART_REST].slots != 0u; i++)
        gather->any_half = gather->half[blocks[i]] = true;
    return true;
}

bool fast_shade_rest(struct fast_gpu *gpu, struct fast_gather *gather, const uint32_t *blocks, uint32_t count,
                     uint32_t slots)
{
    struct fast_plan_run run = { .plan = gather->plan, .part = FAST_PART_REST, .blocks = count };
    run.slots = slots & gather->plan->parts[FAST_PART_REST].slots;
    if (run_part(gpu, gather, blocks, &run))
        return true;
    if (gather->of_slice)
        return false;
    leave_plan(gpu->vertices);
    for (uint32_t i = 0; i < count; i++)
        fast_shade_block(gpu, gather->numbers + (size_t)blocks[i] * FAST_FILE_LANES, FAST_FILE_LANES,
                         gather->primitives->floats + (size_t)blocks[i] * FAST_BLOCK_FLOATS);
    return true;
}

static bool shade_own_by_plan(struct fast_gpu *gpu, uint32_t first)
{
    struct fast_vertices *const vertices = gpu->vertices;
    for (uint32_t i = 0; i < vertices->gather.pending_count && vertices->gather.counts; i++)
        vertices->executed[first + i] = vertices->plan->executed;
    return fast_shade_by_plan(gpu, &vertices->gather, first);
}

void fast_shade_pending(struct fast_gpu *gpu, uint32_t first)
{
    struct fast_vertices *const vertices = gpu->vertices;
    struct fast_gather *const gather = &vertices->gather;
    if (vertices->records) {
        shade_and_record(gpu, first);
        return;
    }
    if (vertices->plan != NULL && shade_own_by_plan(gpu, first))
        return;
    leave_plan(vertices);
    for (uint32_t done = 0; done < gather->pending_count; done += FAST_FILE_LANES) {
        const uint32_t left = gather->pending_count - done;
        fast_shade_block(gpu, gather->numbers + first + done, left < FAST_FILE_LANES ? left : FAST_FILE_LANES,
                         gpu->primitives->floats + fast_vertex_offset(first + done));
        note_executed(vertices, first + done);
    }
}
