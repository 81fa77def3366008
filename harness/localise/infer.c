/*
 * Which command and which stage make the difference where one side shows nothing but memory. The other one, the
 * teller, has state, budgets, draws and traces: it says what the values should be, and experiments (experiment.h)
 * say which of them the silent side does not have.
 *
 * First: does the silent side still differ if it begins right before the draw, in the teller's state? If not, the draw
 * is sound, and what made its state is not: the last command whose being left to the teller ends the difference.
 * Then vertices (infer_vertices.c), then stages of the pixel (infer_pixel.c).
 */
#include "harness/localise/infer.h"

#include "harness/run/checkpoint.h"
#include "pica/fields.h"
#include "pica/regs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------- shared parts */

void infer_restore(struct inference *inference)
{
    struct experiment *const experiment = inference->experiment;
    experiment->state = inference->state;
    memcpy(experiment->bytes, inference->list, sizeof inference->list);
    experiment->list_bytes = inference->list_bytes;
}

static void remember(struct inference *inference)
{
    inference->state = inference->experiment->state;
    inference->list_bytes = inference->experiment->list_bytes;
    memcpy(inference->list, inference->experiment->bytes, sizeof inference->list);
}

void infer_name(struct inference *inference, enum pica_stage_word stage, const char *what)
{
    struct harness_location *const out = inference->out;
    out->stage = pica_stage_word_info(stage)->text;
    out->rule = "";
    out->inferred = true;
    out->has_step = out->whole_part = false;
    (void)snprintf(out->experiment, sizeof out->experiment, "%s", what);
}

void infer_count(struct inference *inference, const struct outcome *outcome)
{
    inference->ran += outcome->ran ? 1u : 0u;
}

bool infer_has_geometry(const struct pica_state *state)
{
    return state->geometry.in_use != 0 || pica_geostage_config_mode(state->registers[PICA_REG_GEOSTAGE_CONFIG]) != 0;
}

bool infer_trace(struct inference *inference, uint32_t draw, enum pica_trace_subject subject, pica_trace_sink sink,
                 void *user)
{
    struct experiment *const experiment = inference->experiment;
    const struct pica_trace_request request = { draw, subject, inference->out->pixel.x, inference->out->pixel.y };
    return harness_localise_trace(experiment->search, experiment->teller, inference->command, &request, sink, user);
}

/* ------------------------------------------------------------------------------------------------ earlier commands */

/* Do the two differ at the end if the teller does the first `first` commands for both? */
static bool differs_after(struct inference *inference, uint32_t first, bool *ran)
{
    struct outcome outcome = { 0 };
    *ran = experiment_prepare(inference->experiment, first, inference->command);
    if (*ran)
        experiment_run(inference->experiment, &outcome);
    infer_count(inference, &outcome);
    *ran = *ran && outcome.ran;
    return *ran && !outcome.same;
}

/* The most commands that the teller can do while the difference stays; UINT32_MAX: not even with none of them. */
static uint32_t most_done_by_teller(struct inference *inference, bool *ran)
{
    if (differs_after(inference, inference->command - 1, ran) || !*ran)
        return inference->command - 1;
    if (inference->command == 1 || !differs_after(inference, 0, ran))
        return UINT32_MAX;
    uint32_t with = 0, without = inference->command - 1;
    while (*ran && without - with > 1) {
        const uint32_t middle = with + (without - with) / 2;
        if (differs_after(inference, middle, ran))
            with = middle;
        else
            without = middle;
    }
    return with;
}

/* Does a command write one of the registers first .. last? */
static bool writes(const struct harness_localise *search, uint32_t command, uint32_t first, uint32_t last)
{
    const uint32_t header = search->words[search->starts[command - 1] + 1];
    const uint32_t step = pica_command_header_consecutive(header);
    for (uint32_t i = 0; i <= pica_command_header_extra_parameters(header); i++) {
        const uint32_t id = pica_command_header_id(header) + step * i;
        if (id >= first && id <= last)
            return true;
    }
    return false;
}

static bool draws(const struct harness_localise *search, uint32_t command)
{
    return writes(search, command, PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS) ||
           writes(search, command, PICA_REG_FIXEDATTRIB_DATA0, PICA_REG_FIXEDATTRIB_DATA2);
}

/* Do the commands first .. last only send immediate vertices? Then what they need is in the state before them. */
static bool only_vertices(const struct harness_localise *search, uint32_t first, uint32_t last)
{
    for (uint32_t command = first; command <= last; command++) {
        const uint32_t header = search->words[search->starts[command - 1] + 1];
        const uint32_t id = pica_command_header_id(header);
        if (id < PICA_REG_FIXEDATTRIB_DATA0 || id > PICA_REG_FIXEDATTRIB_DATA2 ||
            (pica_command_header_consecutive(header) != 0 && pica_command_header_extra_parameters(header) > 2))
            return false;
    }
    return true;
}

/*
 * A command with an odd number of extra parameters has a word behind it that is skipped (CMD-03). Does the silent side
 * still differ if all that the command writes is done for it, and only its words are there? Then it goes on in the
 * wrong place: the next command is the one that it does not do.
 */
static bool goes_on_wrong(struct inference *inference, uint32_t command)
{
    struct experiment *const experiment = inference->experiment;
    struct outcome outcome;
    if (!experiment_prepare(experiment, command, inference->command) ||
        !experiment_put_skipped(experiment, command, inference->command))
        return false;
    experiment_run(experiment, &outcome);
    infer_count(inference, &outcome);
    return outcome.ran && !outcome.same;
}

/* ------------------------------------------------------------------------------------------------------- together */

/* A sound draw before the guilty one, without which it would not differ: the silent side keeps more than the state. */
static void name_kept(struct inference *inference, uint32_t first)
{
    const struct harness_localise *const search = inference->experiment->search;
    bool shader = false, texture = false;
    inference->out->keeps_more = inference->out->keeps_more || !inference->vertices_only;
    for (uint32_t command = first + 2; command < inference->command; command++) {
        shader = shader || writes(search, command, PICA_REG_VSH_BOOLUNIFORM, PICA_REG_VSH_OPDESCS_DATA7);
        texture = texture || writes(search, command, PICA_REG_TEXUNIT_CONFIG, PICA_REG_PROCTEX_LUT_DATA7);
    }
    if (inference->vertices_only && !shader)
        return;
    infer_name(inference,
               shader    ? PICA_STAGE_WORD_SHADER
               : texture ? PICA_STAGE_WORD_TEXTURE
                         : PICA_STAGE_WORD_FETCH,
               "they begin with a copy of the state: one keeps something from the draw before");
}

static void name_state(struct inference *inference, const struct harness_localise *search, uint32_t command)
{
    struct harness_location *const out = inference->out;
    out->command = command;
    out->has_draw = out->has_pixel = out->has_triangle = out->has_vertex = false;
    out->inferred = true;
    out->rule = "";
    out->stage = writes(search, command, PICA_REG_VSH_BOOLUNIFORM, PICA_REG_VSH_OPDESCS_DATA7) ||
                         writes(search, command, PICA_REG_RESTART_PRIMITIVE, PICA_REG_GSH_OPDESCS_DATA7)
                     ? "state"
                     : "registers";
    (void)snprintf(out->experiment, sizeof out->experiment, "%s",
                   "this command is left out and what it does given to both");
}

/* What the draws between the states make of them. */
static void infer_draws(struct inference *inference, uint32_t first, uint32_t first_draw, uint32_t end_draw)
{
    struct harness_location *const out = inference->out;
    struct experiment *const experiment = inference->experiment;
    struct outcome outcome;
    if (!experiment_prepare(experiment, first, inference->command))
        return;
    experiment->has_pixel = out->has_pixel;
    experiment->surface = out->pixel.surface;
    experiment->x = out->pixel.x;
    experiment->y = out->pixel.surface.height - 1 - out->pixel.y; /* from the top, as oracle_pixel_offset counts */
    remember(inference);
    if (!experiment_keep(experiment, &outcome) || outcome.same)
        return;
    if (experiment->teller != 0 && experiment->draws_nothing)
        return; /* whatever keeps the first side from drawing, too, would seem to end the difference */
    experiment_put_background(experiment, &outcome);
    const bool traced = !inference->vertices_only && infer_trace_pixel(inference, first_draw, end_draw);
    if (!infer_vertices(inference, first_draw, end_draw) && traced)
        (void)infer_pixel(inference);
}

/* Commands before the last one that draws and comes before `command`. */
static uint32_t last_draw_before(const struct harness_localise *search, uint32_t command)
{
    for (uint32_t before = command; --before > 0 && search->words != NULL;)
        if (draws(search, before))
            return before - 1;
    return 0;
}

static void infer_list(struct inference *inference, struct harness_error *error)
{
    struct harness_localise *const search = inference->experiment->search;
    bool ran = false;
    const uint32_t first = most_done_by_teller(inference, &ran);
    if (!ran)
        return;
    if (first == UINT32_MAX) {
        name_kept(inference, last_draw_before(search, inference->command));
        return;
    }
    const bool at_draw = first + 1 == inference->command;
    if (!at_draw && inference->vertices_only)
        return;
    if (!at_draw && !draws(search, first + 1)) {
        name_state(inference, search, goes_on_wrong(inference, first + 1) ? first + 2 : first + 1);
        return;
    }
    if (!at_draw && !only_vertices(search, first + 1, inference->command)) {
        name_kept(inference, first);
        return;
    }
    uint32_t first_draw = 0, end_draw = 0;
    if (harness_localise_draws_in(search, first, &first_draw, error) != HARNESS_OK ||
        harness_localise_draws_in(search, inference->command, &end_draw, error) != HARNESS_OK)
        return;
    infer_draws(inference, first, first_draw, end_draw);
}

/* A side that can tell: it takes checkpoints, stops at budgets, reports draws and traces. */
static bool can_tell(const struct harness_localise *search, int side)
{
    const struct pica_backend *const backend = harness_runner_backend(search->runners[side]);
    return harness_localise_shares_state(search->runners[side]) && backend->observe_draws != NULL &&
           backend->trace != NULL;
}

/* Where both can, the first one does; if what it tells is not what it does without a trace, the other one. */
static void infer_with(struct harness_localise *search, int teller, struct inference *inference,
                       struct harness_location *out, struct harness_error *error)
{
    struct experiment *const experiment = calloc(1, sizeof *experiment);
    struct harness_checkpoint *const checkpoint = harness_checkpoint_create();
    memset(inference, 0, sizeof *inference);
    if (experiment != NULL && checkpoint != NULL) {
        experiment->search = search;
        experiment->teller = teller;
        experiment->checkpoint = checkpoint;
        inference->out = out;
        inference->command = out->command;
        inference->experiment = experiment;
        inference->vertices_only = out->has_step;
        infer_list(inference, error);
        free(inference->vertices);
        for (int side = 0; side < 2; side++) /* they borrow what is freed now */
            (void)harness_localise_load(search, side, 1);
    }
    harness_checkpoint_destroy(checkpoint);
    free(experiment);
}

void harness_localise_infer(struct harness_localise *search, struct harness_location *out, struct harness_error *error)
{
    /* What lies behind a jump is not in the list that experiments cut up. */
    const bool is_listed = search->words == NULL || out->command <= search->start_count;
    struct inference *const inference = is_listed ? calloc(1, sizeof *inference) : NULL;
    for (int side = 0; side < 2 && inference != NULL && out->has_draw && !out->inferred; side++)
        if (can_tell(search, side))
            infer_with(search, side, inference, out, error);
    free(inference);
}
