#include "harness/cli/shader_view.h"

#include "harness/pages/json.h"
#include "harness/run/step_values.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>

static void add_values(cJSON *object, const struct pica_trace_step *step)
{
    cJSON *const values = cJSON_AddArrayToObject(object, "values");
    cJSON *const bits = cJSON_AddArrayToObject(object, "bits");
    struct harness_text text = { 0 };
    for (uint32_t i = 0; i < step->count; i++) {
        const struct pica_trace_step one = { .type = step->type, .count = 1, .values = { step->values[i] } };
        char hex[12];
        harness_text_clear(&text);
        harness_step_numbers(&one, &text);
        (void)snprintf(hex, sizeof hex, "0x%08" PRIX32, step->values[i]);
        cJSON_AddItemToArray(values, cJSON_CreateString(harness_text_string(&text)));
        cJSON_AddItemToArray(bits, cJSON_CreateString(hex));
    }
    harness_text_free(&text);
}

static cJSON *step_json(const struct cli_shader_view *view, const struct pica_trace_step *step)
{
    cJSON *const object = cJSON_CreateObject();
    struct harness_text text = { 0 };
    cli_shader_add_label(view, step, &text);
    const char *label = harness_text_string(&text);
    while (*label == ' ')
        label++;
    cJSON_AddStringToObject(object, "what", label);
    cJSON_AddStringToObject(object, "name", step->name);
    cJSON_AddNumberToObject(object, "index", step->index);
    add_values(object, step);
    harness_text_free(&text);
    return object;
}

static cJSON *vertex_json(const struct cli_shader_view *view, size_t backend, uint32_t vertex)
{
    const struct oracle_trace trace = harness_shader_vertex(&view->results[backend], vertex);
    cJSON *const object = cJSON_CreateObject();
    uint32_t slots[CLI_SHADER_SLOTS] = { 0 };
    cJSON_AddNumberToObject(object, "vertex", vertex);
    cJSON *const outputs = cJSON_AddArrayToObject(object, "outputs");
    cJSON *const steps = view->question->trace ? cJSON_AddArrayToObject(object, "trace") : NULL;
    for (size_t i = 0; i < trace.count; i++) {
        if (cli_shader_is_hidden(view, &trace.steps[i]))
            continue;
        if (cli_shader_is_output(view, &trace.steps[i]))
            cJSON_AddItemToArray(outputs, step_json(view, &trace.steps[i]));
        if (steps != NULL)
            cJSON_AddItemToArray(steps, step_json(view, &trace.steps[i]));
    }
    if (!cli_shader_take_slots(view, backend, vertex, slots))
        return object;
    cJSON *const final = cJSON_AddArrayToObject(object, "final_vertex");
    for (uint32_t slot = 0; slot < CLI_SHADER_SLOTS; slot++) {
        const struct pica_trace_step step = { .type = PICA_TRACE_FLOAT, .count = 1, .values = { slots[slot] } };
        if (!cli_shader_is_mapped(view, slot))
            continue;
        cJSON *const row = harness_json_row(final);
        cJSON_AddStringToObject(row, "slot", cli_shader_slot_name(slot));
        add_values(row, &step);
    }
    return object;
}

static cJSON *backend_json(const struct cli_shader_view *view, size_t backend, uint32_t vertices)
{
    const struct harness_shader_result *const result = &view->results[backend];
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "backend", view->names[backend]);
    if (result->refusal != NULL)
        cJSON_AddStringToObject(object, "not_tested", result->refusal);
    cJSON *const array = cJSON_AddArrayToObject(object, "vertices");
    for (uint32_t vertex = 0; vertex < HARNESS_SHADER_CORNERS; vertex++)
        if ((vertices >> vertex & 1u) != 0)
            cJSON_AddItemToArray(array, vertex_json(view, backend, vertex));
    if (!result->has_picture)
        return object;
    bool is_even;
    cJSON *const picture = cJSON_AddObjectToObject(object, "picture");
    cJSON *const pixel = cJSON_CreateArray();
    cJSON_AddNumberToObject(picture, "drawn", cli_shader_count_drawn(result, &is_even));
    cJSON_AddItemToObject(picture, "middle", pixel);
    for (int c = 0; c < 4; c++)
        cJSON_AddItemToArray(pixel, cJSON_CreateNumber(result->picture[CLI_SHADER_MIDDLE][c]));
    return object;
}

void cli_shader_put_json(const struct cli_shader_view *view, uint32_t vertices)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "shader", view->question->draws->name);
    cJSON_AddNumberToObject(object, "program", view->question->draws->program);
    cJSON_AddBoolToObject(object, "differs", view->differs);
    cJSON_AddStringToObject(object, "base", view->names[view->base]);
    cJSON *const backends = cJSON_AddArrayToObject(object, "backends");
    for (size_t k = 0; k < view->count; k++)
        cJSON_AddItemToArray(backends, backend_json(view, k, vertices));
    cli_print_json(object);
}
