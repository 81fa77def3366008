/*
 * Where one side runs no part of a case, because all that there is of it was recorded: the other one, the teller, runs,
 * and has a history of the pixel; if it has none, `reference` tells what becomes of the pixel there. The draw that
 * covers the pixel last is taken for the guilty one, and the stage is the one of those that made the teller's value
 * which most often makes such a difference: a guess, marked `inferred`. Where the history has no such stage, because
 * colours were merely interpolated and passed on, none is named: it could be any from vertices to the buffer.
 */
#include "harness/localise/localise_parts.h"
#include "harness/run/backends.h"
#include "harness/run/kind.h"
#include "pica/enums.h"
#include "pica/fields.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_DRAWS = 1 << 16, /* of the operation; later ones are not looked at */
    MOST_TRACED = 64      /* of them, from the last */
};

struct drawn {
    uint32_t trigger, list_address, list_word;
};

struct history {
    struct harness_localise *search;
    struct harness_location *out;
    int teller;
    uint32_t draws;                     /* so far, of the whole case */
    uint32_t wanted;                    /* whose registers are kept, from 0 */
    uint32_t registers[PICA_REGISTERS]; /* of that one */
    struct drawn drawn[MOST_DRAWS];     /* of the operation */
    uint32_t drawn_count;
    /* Of the traced pixel. */
    bool covered, textured, procedural, blends, logic;
    uint32_t fragment[4];    /* the colour that comes to blending */
    const char *failed_test; /* stage; NULL: none */
};

static bool is_recorded(const struct harness_runner *runner)
{
    return harness_is_recorded(harness_runner_backend(runner));
}

bool harness_localise_is_recorded(const struct harness_localise *search)
{
    return is_recorded(search->runners[0]) || is_recorded(search->runners[1]);
}

/* ------------------------------------------------------------------------------------------------------------ draws */

static void take_draw(void *user, const struct pica_draw *draw)
{
    struct history *const history = user;
    if (history->draws++ < history->search->draws_before)
        return;
    const uint32_t index = history->draws - 1 - history->search->draws_before;
    if (index < MOST_DRAWS) {
        history->drawn[index] = (struct drawn){ draw->trigger, draw->list_address, draw->list_word };
        history->drawn_count = index + 1;
    }
    if (index <= history->wanted && draw->registers != NULL)
        memcpy(history->registers, draw->registers, sizeof history->registers);
}

/* Runs the case up to and with `operations` operations; the registers of draw `wanted`, or of the last, are kept. */
static bool run_draws(struct history *history, uint32_t operations, uint32_t wanted)
{
    struct harness_runner *const runner = history->search->runners[history->teller];
    const struct pica_backend *const backend = harness_runner_backend(runner);
    history->draws = history->drawn_count = 0;
    history->wanted = wanted;
    if (backend->observe_draws == NULL || harness_runner_load(runner, &history->search->program->setup) != PICA_OK ||
        backend->observe_draws(harness_runner_instance(runner), take_draw, history) != PICA_OK)
        return false;
    const enum pica_status status = harness_runner_run(runner, history->search->program->operations, operations);
    (void)backend->observe_draws(harness_runner_instance(runner), NULL, NULL);
    return status == PICA_OK;
}

/* ------------------------------------------------------------------------------------------------------------ pixel */

/* The last value of a test is its outcome. */
static bool is_failed_test(const struct pica_trace_step *step)
{
    return step->count != 0 && step->values[step->count - 1] == 0 &&
           (harness_localise_is_step(step, PICA_TRACE_ID_ALPHA_TEST) ||
            harness_localise_is_step(step, PICA_TRACE_ID_STENCIL_TEST) ||
            harness_localise_is_step(step, PICA_TRACE_ID_DEPTH_TEST));
}

static void take_step(void *user, const struct pica_trace_step *step)
{
    struct history *const history = user;
    struct harness_location *const out = history->out;
    if (step->stage == NULL || step->name == NULL)
        return;
    if (harness_localise_is_step(step, PICA_TRACE_ID_WEIGHTS)) { /* another triangle begins */
        history->covered = true;
        history->textured = history->procedural = history->blends = history->logic = false;
        history->failed_test = NULL;
        out->value_count = 0;
    }
    const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
    if (info != NULL && info->word >= PICA_STAGE_WORD_INTERPOLATION &&
        !harness_localise_is_step(step, PICA_TRACE_ID_TEXTURE_TEXEL) && out->value_count < HARNESS_LOCATION_VALUES)
        out->values[out->value_count++] = *step;
    history->textured = history->textured || harness_localise_is_step(step, PICA_TRACE_ID_TEXTURE_COLOR);
    history->procedural = history->procedural || harness_localise_is_step(step, PICA_TRACE_ID_PROCTEX_COLOR);
    if (step->count == 4 && (harness_localise_is_step(step, PICA_TRACE_ID_COMBINER_RESULT) ||
                             harness_localise_is_step(step, PICA_TRACE_ID_FOG_COLOR)))
        memcpy(history->fragment, step->values, sizeof history->fragment);
    if (step->count == 4 && harness_localise_is_step(step, PICA_TRACE_ID_BLEND_RESULT))
        history->blends = memcmp(history->fragment, step->values, sizeof history->fragment) != 0;
    history->logic = history->logic || harness_localise_is_step(step, PICA_TRACE_ID_LOGIC_OP_RESULT);
    if (is_failed_test(step))
        history->failed_test = info != NULL ? pica_stage_word_info(info->word)->text : step->stage;
}

/* The last draw of the operation that covers the pixel. */
static bool find_draw(struct history *history)
{
    struct harness_location *const out = history->out;
    uint32_t left = MOST_TRACED;
    for (uint32_t draw = history->drawn_count; draw-- > 0 && left-- > 0;) {
        const struct pica_trace_request request = { draw, PICA_TRACE_PIXEL, out->pixel.x, out->pixel.y };
        if (!harness_localise_trace(history->search, history->teller, UINT32_MAX, &request, take_step, history))
            return false;
        if (!history->covered)
            continue;
        out->has_draw = true;
        out->draw = draw;
        out->trigger = history->drawn[draw].trigger;
        out->list_address = history->drawn[draw].list_address;
        out->list_word = history->drawn[draw].list_word;
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------------------ stage */

/* Does a combiner do more than pass on and multiply? */
static bool combines(const uint32_t *registers)
{
    for (uint32_t stage = 0; stage < 6; stage++) {
        const uint32_t word = registers[pica_reg_texenv(stage, PICA_REG_TEXENV0_COMBINER)];
        if ((word & 0xFu) > PICA_TEV_MODE_MODULATE || (word >> 16 & 0xFu) > PICA_TEV_MODE_MODULATE)
            return true;
    }
    return false;
}

static enum pica_stage_word depth_stage(const struct harness_location_pixel *pixel)
{
    const bool depth = pixel->first.channel[0] != pixel->second.channel[0];
    const bool stencil = pixel->first.channel[3] != pixel->second.channel[3];
    return stencil && !depth ? PICA_STAGE_WORD_STENCIL_TEST : PICA_STAGE_WORD_DEPTH_TEST;
}

static bool only_alpha_differs(const struct harness_location_pixel *pixel)
{
    return memcmp(pixel->first.channel, pixel->second.channel, 3 * sizeof pixel->first.channel[0]) == 0;
}

/* From the end of the pipeline: what was in use and does not merely pass on. MEMORY: nothing. */
static enum pica_stage_word color_stage(const struct history *history)
{
    const struct harness_location_pixel *const pixel = &history->out->pixel;
    if (pixel->surface.format == ORACLE_FORMAT_RGB5A1 && only_alpha_differs(pixel))
        return PICA_STAGE_WORD_FRAMEBUFFER; /* one bit of all that was computed */
    if (history->blends)
        return PICA_STAGE_WORD_BLEND;
    if (history->logic && pica_logic_op_operation(history->registers[PICA_REG_LOGIC_OP]) != PICA_LOGIC_OP_COPY)
        return PICA_STAGE_WORD_LOGIC_OP;
    if (combines(history->registers))
        return PICA_STAGE_WORD_COMBINER;
    if (history->procedural)
        return PICA_STAGE_WORD_PROCTEX;
    return history->textured ? PICA_STAGE_WORD_TEXTURE : PICA_STAGE_WORD_MEMORY;
}

static void name_stage(struct history *history)
{
    struct harness_location *const out = history->out;
    const bool is_depth = strcmp(out->pixel.origin, "depth buffer") == 0;
    const enum pica_stage_word word = is_depth ? depth_stage(&out->pixel) : color_stage(history);
    out->rule = "";
    out->inferred = history->failed_test != NULL || word != PICA_STAGE_WORD_MEMORY;
    out->stage = history->failed_test != NULL ? history->failed_test : pica_stage_word_info(word)->text;
}

/* --------------------------------------------------------------------------------------------------------- together */

/* Where the two are compared, after the operation: the live side has that; the teller may be another one. */
static bool compare_pixels(struct history *history, struct harness_runner *live)
{
    struct harness_localise *const search = history->search;
    const bool tells = search->runners[history->teller] == live; /* then it just ran up to there */
    if (!tells && (harness_runner_load(live, &search->program->setup) != PICA_OK ||
                   harness_runner_run(live, search->program->operations, search->index + 1) != PICA_OK))
        return false;
    if (harness_runner_collect(live, &search->runs[history->teller]) != PICA_OK)
        return false;
    harness_localise_find_pixel(search, history->registers, history->out);
    return history->out->has_pixel;
}

/* False: the teller cannot, or no draw covers the pixel. */
static bool tell(struct history *history, struct harness_runner *live)
{
    struct harness_localise *const search = history->search;
    struct harness_location *const out = history->out;
    search->draws_before = 0;
    history->covered = false;
    if (!run_draws(history, search->index, UINT32_MAX))
        return false;
    search->draws_before = history->draws;
    if (!run_draws(history, search->index + 1, UINT32_MAX) || history->drawn_count == 0 ||
        !compare_pixels(history, live) || !find_draw(history) || !run_draws(history, search->index + 1, out->draw))
        return false;
    out->teller = harness_runner_backend(search->runners[history->teller])->name;
    name_stage(history);
    return true;
}

/* The live side has no history to tell: what `reference` does with the case. */
static void tell_by_reference(struct history *history, struct harness_runner *live)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_localise *const search = history->search;
    struct harness_runner *reference = NULL;
    if (harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &reference) != PICA_OK)
        return;
    search->runners[history->teller] = reference;
    (void)tell(history, live);
    search->runners[history->teller] = live;
    harness_runner_destroy(reference);
}

enum harness_status harness_localise_history(struct harness_localise *search, struct harness_location *out,
                                             struct harness_error *error)
{
    if (is_recorded(search->runners[0]) && is_recorded(search->runners[1])) {
        harness_localise_note(out, "both sides are recorded, and neither runs a part of a case");
        return HARNESS_OK;
    }
    struct history *const history = calloc(1, sizeof *history);
    if (history == NULL)
        return harness_fail_memory(error);
    history->search = search;
    history->out = out;
    history->teller = is_recorded(search->runners[0]) ? 1 : 0;
    search->replays = search->stateless = true;
    struct harness_runner *const live = search->runners[history->teller];
    if (!tell(history, live))
        tell_by_reference(history, live);
    harness_localise_note(out, "recorded results run no part of a case: the rest is from %s's history of the pixel%s",
                          out->teller != NULL ? out->teller : harness_runner_backend(live)->name,
                          out->has_draw && !out->inferred ? ", which does not tell the stage" : "");
    free(history);
    return HARNESS_OK;
}
