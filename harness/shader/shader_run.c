#include "harness/shader/shader_run.h"

#include "harness/case/grow.h"
#include "oracles/pixels.h"

#include <stdlib.h>
#include <string.h>

/* What a plug-in reports may be anything: it gets words, and not more values than there is room for. */
static void add_step(void *user, const struct pica_trace_step *step)
{
    struct harness_shader_result *const result = user;
    struct pica_trace_step *const steps = harness_grow(result->steps, result->step_count, sizeof *steps);
    result->failed = result->failed || steps == NULL;
    if (steps == NULL)
        return;
    result->steps = steps;
    struct pica_trace_step *const copy = &result->steps[result->step_count++];
    *copy = *step;
    copy->stage = step->stage != NULL ? step->stage : "(no stage)";
    copy->name = step->name != NULL ? step->name : "(no name)";
    if (copy->count > sizeof copy->values / sizeof copy->values[0])
        copy->count = sizeof copy->values / sizeof copy->values[0];
}

void harness_shader_result_free(struct harness_shader_result *result)
{
    free(result->steps);
    *result = (struct harness_shader_result){ .refusal = NULL };
}

static void take_picture(const struct oracle_run *run, struct harness_shader_result *out)
{
    static const struct oracle_surface surface = { .address = HARNESS_SHADER_TARGET,
                                                   .width = HARNESS_SHADER_SIDE,
                                                   .height = HARNESS_SHADER_SIDE,
                                                   .pitch = HARNESS_SHADER_SIDE,
                                                   .format = ORACLE_FORMAT_RGBA8,
                                                   .rows_reversed = true };
    out->has_picture = true;
    for (uint32_t i = 0; i < HARNESS_SHADER_PIXELS; i++) {
        const uint64_t at = oracle_pixel_offset(&surface, i % HARNESS_SHADER_SIDE, i / HARNESS_SHADER_SIDE);
        const struct oracle_pixel pixel = oracle_pixel_decode(surface.format, run->memory[0] + at);
        for (int c = 0; c < 4; c++)
            out->picture[i][c] = (uint8_t)pixel.channel[c];
    }
}

static enum pica_status run(struct harness_runner *runner, const struct harness_program *program,
                            struct harness_shader_result *out)
{
    const struct pica_backend *const backend = harness_runner_backend(runner);
    const struct pica_trace_request request = { 0, PICA_TRACE_VERTICES, 0, 0 };
    struct oracle_run left;
    enum pica_status status = harness_runner_load(runner, &program->setup);
    if (status == PICA_OK && backend->trace != NULL)
        out->has_trace = backend->trace(harness_runner_instance(runner), &request, add_step, out) == PICA_OK;
    if (status == PICA_OK)
        status = harness_runner_run(runner, program->operations, program->count);
    if (out->has_trace)
        (void)backend->trace(harness_runner_instance(runner), NULL, NULL, NULL);
    if (status == PICA_OK)
        status = harness_runner_collect(runner, &left);
    if (status != PICA_OK)
        return status;
    const uint32_t parts = left.scope != NULL ? left.scope->parts : (uint32_t)PICA_PARTS_ALL;
    out->has_finals = (parts & PICA_PART_ASSEMBLER) != 0 && left.state != NULL;
    if (out->has_finals)
        memcpy(out->finals, left.state->assembler.buffer, sizeof out->finals);
    if ((parts & PICA_PART_MEMORY) != 0)
        take_picture(&left, out);
    return PICA_OK;
}

enum harness_status harness_shader_run(struct harness_runner *runner, const struct harness_program *program,
                                       struct harness_shader_result *out, struct harness_error *error)
{
    const enum pica_status status = run(runner, program, out);
    if (status == PICA_NOT_SUPPORTED)
        out->refusal = harness_runner_refusal(runner);
    else if (status != PICA_OK)
        return harness_runner_fail(runner, "running the shader", status, error);
    return out->failed ? harness_fail_memory(error) : HARNESS_OK;
}

struct oracle_trace harness_shader_vertex(const struct harness_shader_result *result, uint32_t vertex)
{
    const struct oracle_trace whole = { result->steps, result->step_count };
    const size_t first = oracle_trace_part(&whole, vertex), end = oracle_trace_part(&whole, (size_t)vertex + 1);
    return (struct oracle_trace){ first < whole.count ? result->steps + first : NULL, end - first };
}

bool harness_shader_is_drawn(const uint8_t pixel[4])
{
    return ((uint32_t)pixel[0] << 24 | (uint32_t)pixel[1] << 16 | (uint32_t)pixel[2] << 8 | pixel[3]) !=
           HARNESS_SHADER_UNTOUCHED;
}
