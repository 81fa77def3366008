#include "harness/cli/shader_values.h"

#include "harness/explore/pixel_text.h"
#include "harness/explore/step_rows.h"
#include "harness/run/step_values.h"
#include "harness/shader/shader_text.h"
#include "pica/enums.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL_COLUMNS = 34,
    SLOTS = 24
};

struct view {
    const struct cli_shader_question *question;
    const struct harness_shader_program *program;
    struct harness_shader_result results[CLI_MOST_BACKENDS];
    const char *names[CLI_MOST_BACKENDS];
    size_t count;
    size_t base; /* the first that shows most: the others are compared with it */
    const char *labels[HARNESS_MAX_CODE + 1];
    bool differs;
    /* Of the vertex that is printed. */
    bool vertex_differs;
    const struct pica_trace_step *instruction; /* not printed yet: what the steps that follow belong to */
};

static const char mark[] = "   <-- differs";

/* ---------------------------------------------------------------------------------------------------- what is given */

static void add_numbers(const uint32_t bits[4], struct harness_text *out)
{
    struct pica_trace_step step = { .type = PICA_TRACE_FLOAT, .count = 4 };
    memcpy(step.values, bits, 4 * sizeof bits[0]);
    harness_step_numbers(&step, out);
}

static void add_register(const struct view *view, char bank, uint32_t number, struct harness_text *out)
{
    harness_text_format(out, "%c%" PRIu32, bank, number);
    harness_shader_add_name(view->program, bank, number, out);
}

static void put_head(const struct view *view)
{
    const struct harness_shader_draws *const draws = view->question->draws;
    const struct harness_shader_values *const values = draws->values;
    struct harness_text text;
    harness_text_init(&text);
    harness_text_format(&text, "%s: program %" PRIu32 ", entry point %" PRIu32 "\n", draws->name, draws->program,
                        view->program->entry);
    for (uint32_t k = 0; k < 16; k++) {
        if ((view->program->input_mask >> k & 1u) == 0)
            continue;
        harness_text_add(&text, "  ");
        add_register(view, 'v', k, &text);
        for (uint32_t corner = 0; corner < HARNESS_SHADER_CORNERS; corner++) {
            const bool same = corner != 0 && memcmp(values->inputs[k][corner], values->inputs[k][corner - 1], 16) == 0;
            harness_text_add(&text, corner == 0 ? " = " : same ? "" : " / ");
            if (!same)
                add_numbers(values->inputs[k][corner], &text);
        }
        harness_text_add(&text, (values->made_up_inputs >> k & 1u) != 0 ? "   (made up)\n" : "\n");
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
    cli_print(stdout, "%s", harness_text_string(&text));
    harness_text_free(&text);
}

/* ------------------------------------------------------------------------------------------------------------ steps */

static bool is_step(const struct pica_trace_step *step, enum pica_trace_id id)
{
    return pica_trace_info_by_name(step->stage, step->name) == pica_trace_info(id);
}

static bool has_outputs(const struct oracle_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++)
        if (is_step(&trace->steps[i], PICA_TRACE_ID_OUTPUT_REGISTER))
            return true;
    return false;
}

/* Is an output sent to the slot? */
static bool is_mapped(const struct view *view, uint32_t slot)
{
    for (uint32_t i = 0; i < view->program->output_count; i++)
        for (uint32_t c = 0; c < 4; c++)
            if ((view->program->outputs[i].mask >> c & 1u) != 0 &&
                harness_shader_semantic(view->program->outputs[i].meaning, c) == slot)
                return true;
    return false;
}

static const char *slot_name(uint32_t slot)
{
    size_t count;
    const struct pica_enum_value *const values = pica_enum_values(PICA_ENUM_OUTMAP_SEMANTIC, &count);
    return slot < count ? values[slot].text : "a slot that there is not";
}

/* What the left column calls a step. */
static void add_label(const struct view *view, const struct pica_trace_step *step, struct harness_text *out)
{
    const struct harness_shader_file *const file = view->question->draws->file;
    const struct harness_code code = { .words = file->code, .count = file->code_count, .labels = view->labels };
    if (is_step(step, PICA_TRACE_ID_SHADER_INSTRUCTION) && step->count == 1) {
        harness_text_format(out, "%4" PRIu32 "  ", step->index);
        harness_shader_print(step->values[0], &file->descriptors, &code, out);
    } else if (is_step(step, PICA_TRACE_ID_SHADER_RESULT)) {
        harness_text_add(out, "        result");
    } else if (is_step(step, PICA_TRACE_ID_SHADER_ADDRESS)) {
        harness_text_add(out, "        a0.x a0.y");
    } else if (is_step(step, PICA_TRACE_ID_SHADER_COMPARE)) {
        harness_text_add(out, "        cmp.x cmp.y");
    } else if (is_step(step, PICA_TRACE_ID_OUTPUT_REGISTER)) {
        harness_text_add(out, "  ");
        add_register(view, 'o', step->index, out);
    } else if (is_step(step, PICA_TRACE_ID_OUTPUT_SLOT)) {
        harness_text_format(out, "  final vertex, %s", slot_name(step->index));
    } else {
        harness_text_add(out, "  ");
        harness_step_label(step, out);
    }
}

/* Is the step shown where all agree? */
static bool is_wanted(const struct view *view, const struct pica_trace_step *step, bool outputs)
{
    if (is_step(step, PICA_TRACE_ID_OUTPUT_REGISTER))
        return true;
    if (is_step(step, PICA_TRACE_ID_OUTPUT_SLOT))
        return !outputs && is_mapped(view, step->index);
    return view->question->trace && strcmp(step->stage, "fetch") != 0;
}

/* JSON has its own. */
static void put_line(const struct view *view, const char *label, const char *values, const char *after)
{
    const size_t length = strlen(label);
    if (view->question->json)
        return;
    if (values[0] == '\0')
        cli_print(stdout, "%s%s\n", label, after);
    else
        cli_print(stdout, "%s%*s %s%s\n", label, (int)(length < LABEL_COLUMNS ? LABEL_COLUMNS - length : 0), "", values,
                  after);
}

static void put_step(const struct view *view, const struct pica_trace_step *step, const char *name, bool has_bits)
{
    struct harness_text label, values;
    harness_text_init(&label);
    harness_text_init(&values);
    const bool is_instruction = is_step(step, PICA_TRACE_ID_SHADER_INSTRUCTION);
    if (name == NULL)
        add_label(view, step, &label);
    else
        harness_text_format(&label, "    %s:", name);
    if (is_instruction && name != NULL)
        add_label(view, step, &values);
    else if (!is_instruction && has_bits)
        harness_step_values(step, &values);
    else if (!is_instruction)
        harness_step_numbers(step, &values);
    if (is_instruction && name == NULL && step->index < HARNESS_MAX_CODE && view->labels[step->index] != NULL)
        put_line(view, view->labels[step->index], "", ":");
    put_line(view, harness_text_string(&label), harness_text_string(&values), name != NULL ? mark : "");
    harness_text_free(&label);
    harness_text_free(&values);
}

/* What another backend has instead of what the line above says. */
static void put_name(const struct view *view, size_t backend, const char *values)
{
    char label[64];
    (void)snprintf(label, sizeof label, "    %.40s:", view->names[backend]);
    put_line(view, label, values, mark);
}

/* The rows of the base against another backend, and how far they are printed. */
struct rows {
    struct harness_step_row *items;
    size_t count, at;
};

/* What only the other backend has before its row of `step` (NULL: the end), where it has to be there. */
static void put_others(struct view *view, struct rows *rows, size_t backend, const struct pica_trace_step *step)
{
    for (; rows->at < rows->count && (step == NULL || rows->items[rows->at].a != step); rows->at++) {
        const struct harness_step_row *const row = &rows->items[rows->at];
        if (!row->differs || row->a != NULL)
            continue;
        view->differs = true;
        put_step(view, row->b, NULL, true);
        put_name(view, backend, "alone has it");
    }
}

/* The step as the base has it, after the instruction that it belongs to. */
static void put_base(struct view *view, const struct pica_trace_step *step, bool differs)
{
    if (view->instruction != NULL && view->instruction != step)
        put_step(view, view->instruction, NULL, false);
    view->instruction = NULL;
    put_step(view, step, NULL, differs);
}

static void put_row(struct view *view, struct rows *rows, const struct pica_trace_step *step, bool outputs)
{
    bool differs = false;
    for (size_t k = 0; k < view->count; k++) {
        put_others(view, &rows[k], k, step);
        differs = differs || (rows[k].at < rows[k].count && rows[k].items[rows[k].at].differs);
    }
    const bool is_instruction = is_step(step, PICA_TRACE_ID_SHADER_INSTRUCTION);
    if (is_instruction || is_step(step, PICA_TRACE_ID_OUTPUT_REGISTER))
        view->instruction = is_instruction ? step : NULL;
    /* What follows from another output says nothing new. */
    const bool follows = is_step(step, PICA_TRACE_ID_OUTPUT_SLOT) && outputs && view->vertex_differs;
    if ((differs && !follows) || is_wanted(view, step, outputs))
        put_base(view, step, differs);
    for (size_t k = 0; k < view->count; k++) {
        if (rows[k].at == rows[k].count)
            continue;
        const struct harness_step_row *const row = &rows[k].items[rows[k].at++];
        if (row->differs && row->b != NULL && !follows)
            put_step(view, row->b, view->names[k], true);
        else if (row->differs && !follows)
            put_name(view, k, "has none");
    }
    view->differs = view->differs || differs;
    view->vertex_differs = view->vertex_differs || differs;
}

static bool put_vertex(struct view *view, uint32_t vertex)
{
    const struct oracle_trace base = harness_shader_vertex(&view->results[view->base], vertex);
    struct rows rows[CLI_MOST_BACKENDS] = { { NULL, 0, 0 } };
    bool good = true;
    view->vertex_differs = false;
    view->instruction = NULL;
    for (size_t k = 0; k < view->count; k++) {
        const struct oracle_trace other = harness_shader_vertex(&view->results[k], vertex);
        if (k == view->base || !view->results[k].has_trace)
            continue;
        rows[k].items = calloc(base.count + other.count + 1, sizeof *rows[k].items);
        good = good && rows[k].items != NULL;
        if (rows[k].items != NULL)
            rows[k].count = harness_step_rows(&base, &other, rows[k].items);
    }
    const bool outputs = has_outputs(&base);
    for (size_t i = 0; i < base.count && good; i++)
        put_row(view, rows, &base.steps[i], outputs);
    for (size_t k = 0; k < view->count; k++) {
        put_others(view, &rows[k], k, NULL);
        free(rows[k].items);
    }
    return good;
}

/* ---------------------------------------------------------------------------------- final vertices, without a trace */

/* The slots of one of the first vertices; false: it does not show them. */
static bool take_slots(const struct harness_shader_result *result, uint32_t vertex, uint32_t out[SLOTS])
{
    const struct oracle_trace trace = harness_shader_vertex(result, vertex);
    bool found = false;
    if (result->has_finals && vertex < HARNESS_SHADER_FINALS) {
        memcpy(out, result->finals[vertex].slots, SLOTS * sizeof out[0]);
        return true;
    }
    for (size_t i = 0; i < trace.count; i++)
        if (is_step(&trace.steps[i], PICA_TRACE_ID_OUTPUT_SLOT) && trace.steps[i].index < SLOTS) {
            out[trace.steps[i].index] = trace.steps[i].values[0];
            found = true;
        }
    return found;
}

static void add_slot(uint32_t bits, bool has_bits, struct harness_text *out)
{
    const struct pica_trace_step step = { .type = PICA_TRACE_FLOAT, .count = 1, .values = { bits } };
    harness_text_clear(out);
    if (has_bits)
        harness_step_values(&step, out);
    else
        harness_step_numbers(&step, out);
}

/* Of backends without a trace: `alone` where the base has none either. */
static void put_slot(struct view *view, uint32_t vertex, uint32_t slot, const uint32_t base[SLOTS], bool alone)
{
    struct harness_text text;
    char label[64];
    bool is_shown = false;
    harness_text_init(&text);
    (void)snprintf(label, sizeof label, "  final vertex, %s", slot_name(slot));
    if (alone && is_mapped(view, slot)) {
        add_slot(base[slot], false, &text);
        put_line(view, label, harness_text_string(&text), "");
        is_shown = true;
    }
    for (size_t k = 0; k < view->count; k++) {
        uint32_t other[SLOTS];
        if (k == view->base || view->results[k].has_trace || !take_slots(&view->results[k], vertex, other) ||
            other[slot] == base[slot])
            continue;
        view->differs = true;
        add_slot(base[slot], true, &text);
        if (!is_shown)
            put_line(view, label, harness_text_string(&text), "");
        is_shown = true;
        add_slot(other[slot], true, &text);
        put_name(view, k, harness_text_string(&text));
    }
    harness_text_free(&text);
}

static void put_slots(struct view *view, uint32_t vertex)
{
    uint32_t base[SLOTS] = { 0 };
    if (take_slots(&view->results[view->base], vertex, base))
        for (uint32_t slot = 0; slot < SLOTS; slot++)
            put_slot(view, vertex, slot, base, !view->results[view->base].has_trace);
}

/* ---------------------------------------------------------------------------------------------------------- picture */

/* How many pixels were drawn; *of: the first of them, or where all agree the colour. */
static uint32_t count_drawn(const struct harness_shader_result *result, bool *is_even)
{
    uint32_t count = 0;
    *is_even = true;
    for (uint32_t i = 0; i < HARNESS_SHADER_PIXELS; i++) {
        count += harness_shader_is_drawn(result->picture[i]) ? 1u : 0u;
        *is_even = *is_even && memcmp(result->picture[i], result->picture[0], 4) == 0;
    }
    return count;
}

enum {
    MIDDLE = HARNESS_SHADER_SIDE / 2 * HARNESS_SHADER_SIDE + HARNESS_SHADER_SIDE / 2
};

static void picture_text(const struct harness_shader_result *result, char text[96])
{
    bool is_even;
    const uint8_t *const pixel = result->picture[MIDDLE];
    const uint32_t drawn = count_drawn(result, &is_even);
    (void)snprintf(text, 96, "nothing was drawn");
    if (drawn != 0)
        (void)snprintf(text, 96, "%" PRIu32 " of %d pixels, %s %u %u %u %u", drawn, HARNESS_SHADER_PIXELS,
                       is_even ? "all" : "the middle one", pixel[0], pixel[1], pixel[2], pixel[3]);
}

static void put_picture(struct view *view)
{
    const struct harness_shader_result *base = NULL;
    char text[96];
    for (size_t k = 0; k < view->count; k++) {
        const struct harness_shader_result *const result = &view->results[k];
        if (!result->has_picture)
            continue;
        if (base == NULL) {
            base = result;
            picture_text(result, text);
            put_line(view, "picture, R G B A", text, "");
        } else if (memcmp(base->picture, result->picture, sizeof base->picture) != 0) {
            view->differs = true;
            picture_text(result, text);
            put_name(view, k, text);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

static void add_values(cJSON *object, const struct pica_trace_step *step)
{
    cJSON *const values = cJSON_AddArrayToObject(object, "values");
    cJSON *const bits = cJSON_AddArrayToObject(object, "bits");
    struct harness_text text;
    harness_text_init(&text);
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

static cJSON *step_json(const struct view *view, const struct pica_trace_step *step)
{
    cJSON *const object = cJSON_CreateObject();
    struct harness_text text;
    harness_text_init(&text);
    add_label(view, step, &text);
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

static cJSON *vertex_json(const struct view *view, size_t backend, uint32_t vertex)
{
    const struct oracle_trace trace = harness_shader_vertex(&view->results[backend], vertex);
    cJSON *const object = cJSON_CreateObject();
    uint32_t slots[SLOTS] = { 0 };
    cJSON_AddNumberToObject(object, "vertex", vertex);
    cJSON *const outputs = cJSON_AddArrayToObject(object, "outputs");
    cJSON *const steps = view->question->trace ? cJSON_AddArrayToObject(object, "trace") : NULL;
    for (size_t i = 0; i < trace.count; i++) {
        if (is_step(&trace.steps[i], PICA_TRACE_ID_OUTPUT_REGISTER))
            cJSON_AddItemToArray(outputs, step_json(view, &trace.steps[i]));
        if (steps != NULL)
            cJSON_AddItemToArray(steps, step_json(view, &trace.steps[i]));
    }
    if (!take_slots(&view->results[backend], vertex, slots))
        return object;
    cJSON *const final = cJSON_AddArrayToObject(object, "final_vertex");
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        const struct pica_trace_step step = { .type = PICA_TRACE_FLOAT, .count = 1, .values = { slots[slot] } };
        if (!is_mapped(view, slot))
            continue;
        cJSON *const row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "slot", slot_name(slot));
        add_values(row, &step);
        cJSON_AddItemToArray(final, row);
    }
    return object;
}

static cJSON *backend_json(const struct view *view, size_t backend, uint32_t vertices)
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
    cJSON_AddNumberToObject(picture, "drawn", count_drawn(result, &is_even));
    cJSON_AddItemToObject(picture, "middle", pixel);
    for (int c = 0; c < 4; c++)
        cJSON_AddItemToArray(pixel, cJSON_CreateNumber(result->picture[MIDDLE][c]));
    return object;
}

static void put_json(const struct view *view, uint32_t vertices)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "shader", view->question->draws->name);
    cJSON_AddNumberToObject(object, "program", view->question->draws->program);
    cJSON_AddBoolToObject(object, "differs", view->differs);
    cJSON *const backends = cJSON_AddArrayToObject(object, "backends");
    for (size_t k = 0; k < view->count; k++)
        cJSON_AddItemToArray(backends, backend_json(view, k, vertices));
    cli_print_json(object);
}

/* --------------------------------------------------------------------------------------------------------- together */

/* Bit n: corner n has other inputs than those before it. */
static uint32_t find_vertices(const struct view *view)
{
    const struct harness_shader_values *const values = view->question->draws->values;
    uint32_t found = 0;
    for (uint32_t corner = 0; corner < HARNESS_SHADER_CORNERS; corner++) {
        bool is_new = true;
        for (uint32_t other = 0; other < corner; other++) {
            bool same = true;
            for (uint32_t k = 0; k < 16; k++)
                same = same && ((view->program->input_mask >> k & 1u) == 0 ||
                                memcmp(values->inputs[k][corner], values->inputs[k][other], 16) == 0);
            is_new = is_new && !same;
        }
        found |= is_new ? (uint32_t)1 << corner : 0;
    }
    return found;
}

/* By the name that it gives itself, or where two give the same, by the user's. */
static void take_names(struct view *view, const struct cli_session *session)
{
    const struct cli_list *const given = &view->question->run->backends;
    for (size_t i = 0; i < view->count; i++) {
        view->names[i] = session->backends[i].backend->name;
        for (size_t k = 0; k < view->count; k++)
            if (k != i && strcmp(session->backends[k].backend->name, session->backends[i].backend->name) == 0)
                view->names[i] = given->items[i];
    }
}

/* The first with a trace, else with final vertices, else that runs at all. */
static bool choose_base(struct view *view)
{
    int best = 0;
    for (size_t k = 0; k < view->count; k++) {
        const struct harness_shader_result *const result = &view->results[k];
        const int shows = result->refusal != NULL ? 0 : result->has_trace ? 3 : result->has_finals ? 2 : 1;
        if (shows > best)
            view->base = k;
        best = shows > best ? shows : best;
    }
    return best != 0;
}

static void put_names(const struct view *view)
{
    cli_print(stdout, "on ");
    for (size_t k = 0; k < view->count; k++)
        cli_print(stdout, "%s%s", k == 0 ? "" : ", ", view->names[k]);
    cli_print(stdout, "\n");
    for (size_t k = 0; k < view->count; k++) {
        const struct harness_shader_result *const result = &view->results[k];
        if (result->refusal != NULL)
            cli_print(stdout, "%s: not tested: %s\n", view->names[k], result->refusal);
        else if (!result->has_trace)
            cli_print(stdout, "%s has no trace: it shows %s\n", view->names[k],
                      result->has_finals    ? "the final vertices of the first two corners, and the picture"
                      : result->has_picture ? "the picture alone"
                                            : "nothing");
    }
}

/* CLI_OK, or CLI_USAGE where nothing is left to compare. */
static int put_end(const struct view *view, bool has_base)
{
    size_t ran = 0;
    for (size_t k = 0; k < view->count; k++)
        ran += view->results[k].refusal == NULL &&
               (view->results[k].has_trace || view->results[k].has_finals || view->results[k].has_picture);
    if (!view->question->json && view->count > 1 && ran > 1)
        cli_print(stdout, "%s\n", view->differs ? "they differ" : "they agree");
    if (view->differs)
        return CLI_DIVERGED;
    return !has_base || (view->count > 1 && ran < 2) ? CLI_USAGE : CLI_OK;
}

/* After all backends ran. */
static int show(struct view *view)
{
    struct harness_error error = { "" };
    const uint32_t vertices = find_vertices(view);
    const bool has_base = choose_base(view);
    bool good = true;
    char label[32];
    if (!view->question->json) {
        put_head(view);
        put_names(view);
    }
    for (uint32_t vertex = 0; vertex < HARNESS_SHADER_CORNERS && has_base; vertex++) {
        if ((vertices >> vertex & 1u) == 0)
            continue;
        (void)snprintf(label, sizeof label, "vertex %" PRIu32, vertex);
        put_line(view, label, "", "");
        good = put_vertex(view, vertex) && good;
        put_slots(view, vertex);
    }
    if (has_base)
        put_picture(view);
    if (view->question->json)
        put_json(view, vertices);
    return good ? put_end(view, has_base) : cli_fail(harness_fail_memory(&error), &error);
}

static enum harness_status run_all(struct view *view, const struct cli_session *session,
                                   const struct harness_program *program, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; i < view->count && status == HARNESS_OK; i++)
        status = harness_shader_run(session->runners[i], program, &view->results[i], error);
    return status;
}

int cli_shader_values(const struct cli_shader_question *question)
{
    struct harness_error error = { "" };
    struct cli_session session;
    struct cli_case drawn = { NULL, NULL };
    struct view *const view = calloc(1, sizeof *view);
    int code = cli_session_open(&session, question->run);
    enum harness_status status = view != NULL ? cli_case_create(&drawn, &error) : harness_fail_memory(&error);
    if (status == HARNESS_OK)
        status = harness_shader_case(question->draws, drawn.test_case, &error);
    if (status == HARNESS_OK)
        status = harness_case_setup(drawn.test_case, drawn.program, &error);
    if (status == HARNESS_OK && code == CLI_OK) {
        view->question = question;
        view->program = &question->draws->file->programs[question->draws->program];
        view->count = session.count;
        harness_shader_labels(question->draws->file, view->labels);
        take_names(view, &session);
        status = run_all(view, &session, drawn.program, &error);
    }
    if (status == HARNESS_OK && code == CLI_OK)
        code = show(view);
    if (status != HARNESS_OK)
        code = cli_worse(code, cli_fail(status, &error));
    for (size_t i = 0; view != NULL && i < view->count; i++)
        harness_shader_result_free(&view->results[i]);
    free(view);
    cli_case_destroy(&drawn);
    return cli_worse(code, cli_session_close(&session));
}
