#include "harness/cli/shader_view.h"

#include "harness/explore/step_rows.h"
#include "harness/run/step_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL_COLUMNS = 34
};

static const char mark[] = "   <-- differs";

/* ------------------------------------------------------------------------------------------------------------ steps */

static bool has_outputs(const struct cli_shader_view *view, const struct oracle_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++)
        if (cli_shader_is_output(view, &trace->steps[i]))
            return true;
    return false;
}

/* Is the step shown where all agree? */
static bool is_wanted(const struct cli_shader_view *view, const struct pica_trace_step *step, bool outputs)
{
    if (cli_shader_is_hidden(view, step))
        return false;
    if (cli_shader_is_output(view, step))
        return true;
    if (cli_shader_is_step(step, PICA_TRACE_ID_OUTPUT_SLOT))
        return !outputs && cli_shader_is_mapped(view, step->index);
    const bool is_rule = pica_stage_word_of_rule(step->name) != NULL; /* pica/trace.def: on the way to a step */
    return view->question->trace && !is_rule && strcmp(step->stage, "fetch") != 0;
}

/* Prints nothing with --json, whose output is made elsewhere. */
static void put_line(const struct cli_shader_view *view, const char *label, const char *values, const char *after)
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

static void put_step(const struct cli_shader_view *view, const struct pica_trace_step *step, const char *name,
                     bool has_bits)
{
    struct harness_text label = { 0 }, values = { 0 };
    struct pica_trace_step shown = *step;
    if (cli_shader_is_step(step, PICA_TRACE_ID_GEOMETRY_EMIT) && shown.count > 4 * cli_shader_emitted(view))
        shown.count = 4 * cli_shader_emitted(view);
    const bool is_instruction = cli_shader_is_instruction(step);
    if (name == NULL)
        cli_shader_add_label(view, step, &label);
    else
        harness_text_format(&label, "    %s:", name);
    if (is_instruction && name != NULL)
        cli_shader_add_label(view, step, &values);
    else if (!is_instruction && has_bits)
        harness_step_values(&shown, &values);
    else if (!is_instruction)
        harness_step_numbers(&shown, &values);
    if (is_instruction && name == NULL && step->index < HARNESS_MAX_CODE && view->labels[step->index] != NULL)
        put_line(view, view->labels[step->index], "", ":");
    put_line(view, harness_text_string(&label), harness_text_string(&values), name != NULL ? mark : "");
    harness_text_free(&label);
    harness_text_free(&values);
}

/* What another backend has instead of what the line above says. */
static void put_name(const struct cli_shader_view *view, size_t backend, const char *values)
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
static void put_others(struct cli_shader_view *view, struct rows *rows, size_t backend,
                       const struct pica_trace_step *step)
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
static void put_base(struct cli_shader_view *view, const struct pica_trace_step *step, bool differs)
{
    if (view->instruction != NULL && view->instruction != step)
        put_step(view, view->instruction, NULL, false);
    view->instruction = NULL;
    put_step(view, step, NULL, differs);
}

static void put_row(struct cli_shader_view *view, struct rows *rows, const struct pica_trace_step *step, bool outputs)
{
    bool differs = false;
    for (size_t k = 0; k < view->count; k++) {
        put_others(view, &rows[k], k, step);
        differs = differs || (rows[k].at < rows[k].count && rows[k].items[rows[k].at].differs);
    }
    const bool is_instruction = cli_shader_is_instruction(step);
    if (is_instruction || cli_shader_is_output(view, step))
        view->instruction = is_instruction ? step : NULL;
    /* What follows from another output says nothing new. */
    const bool follows = cli_shader_is_step(step, PICA_TRACE_ID_OUTPUT_SLOT) && outputs && view->vertex_differs;
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

static bool put_vertex(struct cli_shader_view *view, uint32_t vertex)
{
    const struct oracle_trace base = harness_shader_vertex(&view->results[view->base], vertex);
    struct rows rows[HARNESS_MOST_BACKENDS] = { { NULL, 0, 0 } };
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
    const bool outputs = has_outputs(view, &base);
    for (size_t i = 0; i < base.count && good; i++)
        put_row(view, rows, &base.steps[i], outputs);
    for (size_t k = 0; k < view->count; k++) {
        put_others(view, &rows[k], k, NULL);
        free(rows[k].items);
    }
    return good;
}

/* ---------------------------------------------------------------------------------- final vertices, without a trace */

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
static void put_slot(struct cli_shader_view *view, uint32_t vertex, uint32_t slot,
                     const uint32_t base[CLI_SHADER_SLOTS], bool alone)
{
    struct harness_text text = { 0 };
    char label[64];
    bool is_shown = false;
    (void)snprintf(label, sizeof label, "  final vertex, %s", cli_shader_slot_name(slot));
    if (alone && cli_shader_is_mapped(view, slot)) {
        add_slot(base[slot], false, &text);
        put_line(view, label, harness_text_string(&text), "");
        is_shown = true;
    }
    for (size_t k = 0; k < view->count; k++) {
        uint32_t other[CLI_SHADER_SLOTS];
        if (k == view->base || view->results[k].has_trace || !cli_shader_take_slots(view, k, vertex, other) ||
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

static void put_slots(struct cli_shader_view *view, uint32_t vertex)
{
    uint32_t base[CLI_SHADER_SLOTS] = { 0 };
    if (cli_shader_take_slots(view, view->base, vertex, base))
        for (uint32_t slot = 0; slot < CLI_SHADER_SLOTS; slot++)
            put_slot(view, vertex, slot, base, !view->results[view->base].has_trace);
}

/* ---------------------------------------------------------------------------------------------------------- picture */

static void picture_text(const struct harness_shader_result *result, char text[96])
{
    bool is_even;
    const uint8_t *const pixel = result->picture[CLI_SHADER_MIDDLE];
    const uint32_t drawn = cli_shader_count_drawn(result, &is_even);
    (void)snprintf(text, 96, "nothing was drawn");
    if (drawn != 0)
        (void)snprintf(text, 96, "%" PRIu32 " of %d pixels, %s %u %u %u %u", drawn, HARNESS_SHADER_PIXELS,
                       is_even ? "all" : "the middle one", pixel[0], pixel[1], pixel[2], pixel[3]);
}

/* The base's; where it has none, that of the first that has, which is named. */
static void put_picture(struct cli_shader_view *view)
{
    size_t base = view->base;
    char text[96], label[96] = "picture, R G B A";
    if (!view->results[base].has_picture) {
        for (base = 0; base < view->count && !view->results[base].has_picture;)
            base++;
        if (base == view->count)
            return;
        (void)snprintf(label, sizeof label, "picture of %.40s, R G B A", view->names[base]);
    }
    const struct harness_shader_result *const first = &view->results[base];
    picture_text(first, text);
    put_line(view, label, text, "");
    for (size_t k = 0; k < view->count; k++) {
        const struct harness_shader_result *const result = &view->results[k];
        if (!result->has_picture || memcmp(first->picture, result->picture, sizeof first->picture) == 0)
            continue;
        view->differs = true;
        picture_text(result, text);
        put_name(view, k, text);
    }
}

/* --------------------------------------------------------------------------------------------------------- together */

/* Bit n: corner n has other inputs than those before it. */
static uint32_t find_vertices(const struct cli_shader_view *view)
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

/* The first with a trace, else with final vertices, else that runs at all. */
static bool choose_base(struct cli_shader_view *view)
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

static void put_names(const struct cli_shader_view *view)
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
static int put_end(const struct cli_shader_view *view, bool has_base)
{
    size_t ran = 0;
    for (size_t k = 0; k < view->count; k++)
        ran += view->results[k].refusal == NULL &&
               (view->results[k].has_trace || view->results[k].has_finals || view->results[k].has_picture);
    if (!view->question->json && view->count > 1 && ran > 1 && !view->differs)
        cli_print(stdout, "they agree\n");
    else if (!view->question->json && view->differs)
        cli_print(stdout, "they differ: lines without a name are of %s\n", view->names[view->base]);
    if (view->differs)
        return CLI_DIVERGED;
    return !has_base || (view->count > 1 && ran < 2) ? CLI_USAGE : CLI_OK;
}

/* After all backends ran. */
static int show(struct cli_shader_view *view)
{
    struct harness_error error = { "" };
    const uint32_t vertices = find_vertices(view);
    const bool has_base = choose_base(view);
    bool good = true;
    char label[32];
    if (!view->question->json) {
        cli_shader_put_head(view);
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
        cli_shader_put_json(view, vertices);
    return good ? put_end(view, has_base) : cli_fail(harness_fail_memory(&error), &error);
}

static enum harness_status run_all(struct cli_shader_view *view, const struct cli_session *session,
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
    struct cli_shader_view *const view = calloc(1, sizeof *view);
    int code = cli_session_open(&session, question->run);
    enum harness_status status = view != NULL ? cli_case_create(&drawn, &error) : harness_fail_memory(&error);
    if (status == HARNESS_OK)
        status = harness_shader_case(question->draws, drawn.test_case, &error);
    if (status == HARNESS_OK)
        status = harness_case_setup(drawn.test_case, drawn.program, &error);
    if (status == HARNESS_OK && code == CLI_OK) {
        view->question = question;
        view->program = &question->draws->file->programs[question->draws->program];
        view->is_geometry = view->program->unit == PICA_UNIT_GEOMETRY;
        view->count = session.count;
        harness_shader_labels(question->draws->file, view->labels);
        cli_session_names(&session, question->run, view->names);
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
