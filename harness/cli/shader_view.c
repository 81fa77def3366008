#include "harness/cli/shader_view.h"

#include "harness/explore/pixel_text.h"
#include "harness/run/step_values.h"
#include "pica/enums.h"

#include <inttypes.h>
#include <string.h>

/* "v0 inpos" */
static void add_register(const struct cli_shader_view *view, char bank, uint32_t number, struct harness_text *out)
{
    harness_text_format(out, "%c%" PRIu32, bank, number);
    harness_shader_add_name(view->program, bank, number, out);
}

bool cli_shader_is_step(const struct pica_trace_step *step, enum pica_trace_id id)
{
    return pica_trace_info_by_name(step->stage, step->name) == pica_trace_info(id);
}

bool cli_shader_is_instruction(const struct pica_trace_step *step)
{
    return cli_shader_is_step(step, PICA_TRACE_ID_SHADER_INSTRUCTION) ||
           cli_shader_is_step(step, PICA_TRACE_ID_GEOMETRY_INSTRUCTION);
}

bool cli_shader_is_output(const struct cli_shader_view *view, const struct pica_trace_step *step)
{
    return cli_shader_is_step(step, view->is_geometry ? PICA_TRACE_ID_GEOMETRY_EMIT : PICA_TRACE_ID_OUTPUT_REGISTER);
}

bool cli_shader_is_hidden(const struct cli_shader_view *view, const struct pica_trace_step *step)
{
    return view->is_geometry && (strcmp(step->stage, "shader") == 0 || strcmp(step->stage, "fetch") == 0);
}

uint32_t cli_shader_emitted(const struct cli_shader_view *view)
{
    uint32_t count = 4;
    while (count > 1 && (view->program->output_mask >> (count - 1) & 1u) == 0)
        count--;
    return count;
}

bool cli_shader_is_mapped(const struct cli_shader_view *view, uint32_t slot)
{
    for (uint32_t i = 0; i < view->program->output_count; i++)
        for (uint32_t c = 0; c < 4; c++)
            if ((view->program->outputs[i].mask >> c & 1u) != 0 &&
                harness_shader_semantic(view->program->outputs[i].meaning, c) == slot)
                return true;
    return false;
}

const char *cli_shader_slot_name(uint32_t slot)
{
    size_t count;
    const struct pica_enum_value *const values = pica_enum_values(PICA_ENUM_OUTMAP_SEMANTIC, &count);
    return slot < count ? values[slot].text : "a slot that there is not";
}

void cli_shader_add_label(const struct cli_shader_view *view, const struct pica_trace_step *step,
                          struct harness_text *out)
{
    const struct harness_shader_file *const file = view->question->draws->file;
    const struct harness_code code = { .words = file->code, .count = file->code_count, .labels = view->labels };
    if (cli_shader_is_instruction(step) && step->count == 1) {
        harness_text_format(out, "%4" PRIu32 "  ", step->index);
        harness_shader_print(step->values[0], &file->descriptors, &code, out);
    } else if (cli_shader_is_step(step, PICA_TRACE_ID_SHADER_RESULT) ||
               cli_shader_is_step(step, PICA_TRACE_ID_GEOMETRY_RESULT)) {
        harness_text_add(out, "        result");
    } else if (cli_shader_is_step(step, PICA_TRACE_ID_SHADER_ADDRESS)) {
        harness_text_add(out, "        a0.x a0.y");
    } else if (cli_shader_is_step(step, PICA_TRACE_ID_SHADER_COMPARE)) {
        harness_text_add(out, "        cmp.x cmp.y");
    } else if (cli_shader_is_step(step, PICA_TRACE_ID_OUTPUT_REGISTER)) {
        harness_text_add(out, "  ");
        add_register(view, 'o', step->index, out);
    } else if (cli_shader_is_step(step, PICA_TRACE_ID_GEOMETRY_EMIT)) {
        harness_text_format(out, "  emitted as %" PRIu32 ",", step->index);
        for (uint32_t k = 0; k < cli_shader_emitted(view); k++) {
            harness_text_add(out, " ");
            add_register(view, 'o', k, out);
        }
    } else if (cli_shader_is_step(step, PICA_TRACE_ID_OUTPUT_SLOT)) {
        harness_text_format(out, "  final vertex, %s", cli_shader_slot_name(step->index));
    } else {
        harness_text_add(out, "  ");
        harness_step_label(step, out);
    }
}

bool cli_shader_take_slots(const struct cli_shader_view *view, size_t backend, uint32_t vertex,
                           uint32_t out[CLI_SHADER_SLOTS])
{
    const struct harness_shader_result *const result = &view->results[backend];
    const struct oracle_trace trace = harness_shader_vertex(result, vertex);
    bool found = false;
    if (view->is_geometry) /* it emits any number of them */
        return false;
    if (result->has_finals && vertex < HARNESS_SHADER_FINALS) {
        memcpy(out, result->finals[vertex].slots, CLI_SHADER_SLOTS * sizeof out[0]);
        return true;
    }
    for (size_t i = 0; i < trace.count; i++)
        if (cli_shader_is_step(&trace.steps[i], PICA_TRACE_ID_OUTPUT_SLOT) && trace.steps[i].index < CLI_SHADER_SLOTS) {
            out[trace.steps[i].index] = trace.steps[i].values[0];
            found = true;
        }
    return found;
}

uint32_t cli_shader_count_drawn(const struct harness_shader_result *result, bool *is_even)
{
    uint32_t count = 0;
    *is_even = true;
    for (uint32_t i = 0; i < HARNESS_SHADER_PIXELS; i++) {
        count += harness_shader_is_drawn(result->picture[i]) ? 1u : 0u;
        *is_even = *is_even && memcmp(result->picture[i], result->picture[0], 4) == 0;
    }
    return count;
}

/* ---------------------------------------------------------------------------------------------------- what is given */

static void add_numbers(const uint32_t bits[4], struct harness_text *out)
{
    struct pica_trace_step step = { .type = PICA_TRACE_FLOAT, .count = 4 };
    memcpy(step.values, bits, 4 * sizeof bits[0]);
    harness_step_numbers(&step, out);
}

/* Integers and booleans that are given, or are not 0 as the file says. */
static void add_others(const struct cli_shader_view *view, struct harness_text *out)
{
    static const uint8_t zero[4];
    const struct harness_shader_values *const values = view->question->draws->values;
    for (uint32_t k = 0; k < 4; k++) {
        const uint8_t *const i = values->integers[k];
        if ((values->given_integers >> k & 1u) == 0 && memcmp(i, zero, sizeof zero) == 0)
            continue;
        harness_text_add(out, "  ");
        add_register(view, 'i', k, out);
        harness_text_format(out, " = %u %u %u %u\n", i[0], i[1], i[2], i[3]);
    }
    for (uint32_t k = 0; k < 16; k++) {
        const bool is_true = (values->booleans >> k & 1u) != 0;
        if ((values->given_booleans >> k & 1u) == 0 && !is_true)
            continue;
        harness_text_add(out, "  ");
        add_register(view, 'b', k, out);
        harness_text_add(out, is_true ? " = true\n" : " = false\n");
    }
}

void cli_shader_put_head(const struct cli_shader_view *view)
{
    const struct harness_shader_draws *const draws = view->question->draws;
    const struct harness_shader_values *const values = draws->values;
    struct harness_text text = { 0 };
    harness_shader_add_path(draws->name, &text);
    harness_text_format(&text, ": program %" PRIu32 ", entry point %" PRIu32 "\n", draws->program,
                        view->program->entry);
    for (uint32_t k = 0; k < 16; k++) {
        const bool is_read = (view->program->input_mask >> k & 1u) != 0;
        const bool is_made_up = (values->made_up_inputs >> k & 1u) != 0;
        if (!is_read && is_made_up)
            continue;
        harness_text_add(&text, "  ");
        add_register(view, 'v', k, &text);
        for (uint32_t corner = 0; corner < HARNESS_SHADER_CORNERS; corner++) {
            const bool same = corner != 0 && memcmp(values->inputs[k][corner], values->inputs[k][corner - 1], 16) == 0;
            harness_text_add(&text, corner == 0 ? " = " : same ? "" : " / ");
            if (!same)
                add_numbers(values->inputs[k][corner], &text);
        }
        harness_text_add(&text, !is_read ? "   (not read by the program)\n" : is_made_up ? "   (made up)\n" : "\n");
    }
    for (uint32_t k = 0; k < 96; k++) {
        if (!values->is_set[k] || values->is_float24[k])
            continue;
        harness_text_add(&text, "  ");
        add_register(view, 'c', k, &text);
        harness_text_add(&text, " = ");
        add_numbers(values->floats[k], &text);
        harness_text_add(&text, values->is_made_up[k] ? "   (made up)\n" : "\n");
    }
    add_others(view, &text);
    cli_print(stdout, "%s", harness_text_string(&text));
    harness_text_free(&text);
}
