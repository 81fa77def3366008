#include "harness/reduce/cause.h"

#include "harness/reduce/cause_parts.h"
#include "harness/reduce/reduce_pass.h"
#include "harness/case/usual.h"
#include "harness/run/compare.h"
#include "pica/regs.h"
#include "pica/stage_words.h"
#include "pica/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PLACES = 512, /* fields of one case; further ones are not tried */
    MOST_VALUES = 64   /* values tried of one field */
};

/* One field of one word of the case. */
struct place {
    const struct pica_field_info *field;
    uint32_t unit; /* number of the field in the order of the visit */
    uint32_t id;   /* of the register; PICA_REGISTERS: a word of an operation */
    uint32_t value, usual;
};

struct experiment {
    struct cause_search *search;
    struct place places[MOST_PLACES];
    uint32_t count;
};

/* ------------------------------------------------------------------------------------------------------ what counts */

/* The stages from assembled vertices to the pixels of a triangle: a fault in one can look like a fault in another. */
static bool is_about_triangles(const char *stage)
{
    static const enum pica_stage_word words[] = { PICA_STAGE_WORD_ASSEMBLY, PICA_STAGE_WORD_CLIP,
                                                  PICA_STAGE_WORD_VIEWPORT, PICA_STAGE_WORD_CULL,
                                                  PICA_STAGE_WORD_RASTER };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(stage, pica_stage_word_info(words[i])->text) == 0)
            return true;
    return false;
}

static bool same_stage(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || (is_about_triangles(a) && is_about_triangles(b));
}

bool harness_cause_same(const struct harness_blame *a, const struct harness_blame *b)
{
    return same_stage(a->stage, b->stage) && (is_about_triangles(a->stage) || strcmp(a->rule, b->rule) == 0);
}

const char *harness_cause_stage(const struct harness_blame *blame)
{
    const struct pica_stage_word_info *const word = pica_stage_word_of_rule(blame->rule);
    return word != NULL && blame->has_step && word >= pica_stage_word_info(PICA_STAGE_WORD_CLIP) ? word->text
                                                                                                 : blame->stage;
}

/* Is this a register of a combiner stage other than the blamed one? The six stages are alike, and only the blamed one
 * counts. */
static bool is_other_part(const struct harness_blame *blame, uint32_t id)
{
    const struct pica_stage_word_info *const combiner = pica_stage_word_info(PICA_STAGE_WORD_COMBINER);
    for (uint32_t stage = 0; stage < 6 && blame->has_step && strcmp(blame->stage, combiner->text) == 0; stage++) {
        const uint32_t offset = id - pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE);
        if (offset <= PICA_REG_TEXENV0_SCALE - PICA_REG_TEXENV0_SOURCE)
            return stage != blame->index;
    }
    return false;
}

/* Fields that every draw needs in some form, so that they tell nothing about a fault: those that bring vertices into
 * the shader and out of it, of the register state machine, buffer access, write masks. */
static bool is_plumbing(const struct pica_field_info *field)
{
    static const char *const areas[] = { "VTX-", "SHD-", "REG-" };
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        if (strncmp(field->rule, areas[i], strlen(areas[i])) == 0)
            return true;
    const char *const end = strrchr(field->name, '_');
    if (field->layout == PICA_LAYOUT_COLORBUFFER_ACCESS || field->layout == PICA_LAYOUT_DEPTHBUFFER_ACCESS)
        return true;
    return end != NULL && strcmp(end, "_write") == 0;
}

/* Is nothing known except that memory differs? */
static bool is_anywhere(const struct harness_blame *blame)
{
    return strcmp(blame->stage, pica_stage_word_info(PICA_STAGE_WORD_MEMORY)->text) == 0;
}

/* Does the blamed stage read a pixel's colour, or depth and stencil, from memory, and does the field decide whether or
 * where it reads? */
static bool is_about_reading(const struct harness_blame *blame, const struct pica_field_info *field, uint32_t id)
{
    static const enum pica_stage_word words[] = { PICA_STAGE_WORD_BLEND,      PICA_STAGE_WORD_LOGIC_OP,
                                                  PICA_STAGE_WORD_DEPTH_TEST, PICA_STAGE_WORD_STENCIL_TEST,
                                                  PICA_STAGE_WORD_SHADOW,     PICA_STAGE_WORD_FRAMEBUFFER };
    bool reads = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        reads = reads || strcmp(blame->stage, pica_stage_word_info(words[i])->text) == 0;
    return reads && (id == PICA_REG_COLORBUFFER_READ || id == PICA_REG_DEPTHBUFFER_READ ||
                     (id == PICA_REG_FRAMEBUFFER_DIM && strcmp(field->name, "top_row_first") == 0));
}

/* Does the colour that was read from the buffer differ already? Then what the stage does with it does not matter. */
static bool is_destination(const struct harness_blame *blame)
{
    return blame->has_step && strcmp(blame->place, pica_trace_info(PICA_TRACE_ID_BLEND_DEST)->name) == 0;
}

/* Does the blamed stage look at the field of the register? */
static bool counts(const struct harness_blame *blame, const struct pica_field_info *field, uint32_t id)
{
    const struct pica_stage_word_info *word = pica_stage_word_of_rule(field->rule);
    const bool number = field->type != PICA_FIELD_FLAG && field->type != PICA_FIELD_ENUM;
    if (word == NULL || (number && !harness_usual_is_named(field)) || is_other_part(blame, id))
        return false;
    if (is_about_reading(blame, field, id))
        return true;
    if (is_destination(blame))
        return field->layout == PICA_LAYOUT_COLORBUFFER_FORMAT;
    if (blame->keeps_more) /* without a register that must change, blame the fields of the earlier draw */
        return !is_plumbing(field) && blame->changed[0] == '\0';
    if (is_anywhere(blame))
        return !is_plumbing(field);
    if (field->layout == PICA_LAYOUT_SH_OUTMAP)
        word = pica_stage_word_info(PICA_STAGE_WORD_OUTPUT_MAP);
    return same_stage(word->text, harness_cause_stage(blame));
}

/* ------------------------------------------------------------------------------------------------------ experiments */

/* Is the field to be tried? A crash has no blamed stage, so all fields count that are not plumbing. */
static bool matters(const struct cause_search *search, const struct pica_field_info *field, uint32_t id)
{
    const bool number = field->type != PICA_FIELD_FLAG && field->type != PICA_FIELD_ENUM;
    return search->symptom->kind == HARNESS_CRASH ? !is_plumbing(field) && (!number || harness_usual_is_named(field))
                                                  : counts(&search->blame, field, id);
}

struct collecting {
    struct experiment *experiment;
    uint32_t unit;
};

static void collect(void *user, const struct reduce_word *word)
{
    struct collecting *const collecting = user;
    struct experiment *const experiment = collecting->experiment;
    size_t count = 0;
    if (word->is_packed || word->is_code || word->is_descriptor)
        return;
    const struct pica_field_info *const fields = pica_layout_fields(word->layout, &count);
    for (size_t i = 0; i < count; i++, collecting->unit++) {
        const uint32_t value = pica_field_get(&fields[i], *word->word);
        const uint32_t usual = harness_usual_value(&fields[i], pica_field_get(&fields[i], word->reset));
        if (value == usual || !matters(experiment->search, &fields[i], word->id) || experiment->count == MOST_PLACES)
            continue;
        experiment->places[experiment->count++] =
            (struct place){ &fields[i], collecting->unit, word->id, value, usual };
    }
}

struct setting {
    uint32_t target, unit;
    uint32_t value;
};

static void set(void *user, const struct reduce_word *word)
{
    struct setting *const setting = user;
    size_t count = 0;
    if (word->is_packed || word->is_code || word->is_descriptor)
        return;
    const struct pica_field_info *const fields = pica_layout_fields(word->layout, &count);
    if (setting->target - setting->unit < count) {
        const struct pica_field_info *const field = &fields[setting->target - setting->unit];
        *word->word = pica_field_set(field, *word->word, setting->value);
    }
    setting->unit += (uint32_t)count;
}

enum harness_status cause_ask(struct cause_search *search, enum cause_answer *out)
{
    struct harness_symptom now;
    const enum harness_status status =
        harness_probe_try(search->probe, search->candidate, search->blame.has_step, &now, search->error);
    *out = CAUSE_UNKNOWN;
    if (status != HARNESS_OK)
        return status;
    const bool stays = search->blame.has_step && now.kind == HARNESS_DIVERGE
                           ? harness_cause_same(harness_probe_blame(search->probe), &search->blame)
                           : harness_symptom_survives(search->symptom, &now, false);
    const bool is_known = harness_outcome_died(now.kind) ||
                          (harness_outcome_compared(now.kind) &&
                           (search->symptom->kind != HARNESS_DIVERGE ||
                            harness_events_within(&harness_probe_comparison(search->probe)->events, &search->events)));
    *out = stays ? CAUSE_STAYS : is_known ? CAUSE_GONE : CAUSE_UNKNOWN;
    return HARNESS_OK;
}

enum harness_status cause_shows(struct cause_search *search, bool *out)
{
    enum cause_answer answer = CAUSE_UNKNOWN;
    const enum harness_status status = cause_ask(search, &answer);
    *out = answer == CAUSE_STAYS;
    return status;
}

void cause_keep(struct cause_search *search)
{
    struct harness_case *const before = search->best;
    search->best = search->candidate;
    search->events = harness_probe_comparison(search->probe)->events;
    search->candidate = before;
}

/* Runs the best case with another value at one place. The variant is the candidate then; the caller keeps it or not. */
static enum harness_status try_value(struct cause_search *search, const struct place *place, uint32_t value,
                                     enum cause_answer *out)
{
    struct setting setting = { .target = place->unit, .value = value };
    if (!harness_case_copy(search->candidate, search->best))
        return harness_fail_memory(search->error);
    harness_reduce_visit_words(search->candidate, set, &setting);
    return cause_ask(search, out);
}

/* Collects in need->values the values of a field with which the difference shows. The smallest stays in the case. */
static enum harness_status try_values(struct cause_search *search, const struct place *place, struct harness_need *need)
{
    size_t count = 0;
    (void)pica_enum_values(place->field->enumeration, &count);
    need->values = place->value < MOST_VALUES ? UINT64_C(1) << place->value : 0;
    bool first = true;
    for (uint32_t value = 0; value < count && value < MOST_VALUES; value++) {
        enum cause_answer answer = CAUSE_STAYS;
        if (value == place->usual || place->field->type != PICA_FIELD_ENUM)
            continue;
        if (value != place->value) {
            const enum harness_status status = try_value(search, place, value, &answer);
            if (status != HARNESS_OK)
                return status;
        }
        if (answer == CAUSE_STAYS) {
            need->values |= UINT64_C(1) << value;
            if (first && value < place->value)
                cause_keep(search);
            first = false;
        }
    }
    return HARNESS_OK;
}

/* Tries the usual value with noise in memory: in another texture format the same bytes may give texels of one colour
 * only, which can hide the difference. */
static enum harness_status try_with_noise(struct cause_search *search, const struct place *place,
                                          enum cause_answer *out)
{
    struct setting setting = { .target = place->unit, .value = place->usual };
    if (!harness_case_copy(search->candidate, search->best) || !cause_add_noise(search->candidate))
        return harness_fail_memory(search->error);
    harness_reduce_visit_words(search->candidate, set, &setting);
    return cause_ask(search, out);
}

static enum harness_status try_place(struct cause_search *search, const struct place *place, struct harness_cause *out)
{
    size_t total = 0;
    enum cause_answer answer = CAUSE_UNKNOWN;
    enum harness_status status = try_value(search, place, place->usual, &answer);
    if (status == HARNESS_OK && answer != CAUSE_STAYS && place->field->layout == PICA_LAYOUT_TEXUNIT_TYPE)
        status = try_with_noise(search, place, &answer);
    if (status == HARNESS_OK && answer == CAUSE_STAYS)
        cause_keep(search);
    if (status != HARNESS_OK || answer != CAUSE_GONE || out->count == HARNESS_MOST_NEEDS)
        return status;
    struct harness_need *const need = &out->needs[out->count++];
    *need = (struct harness_need){ .field = (uint32_t)(place->field - pica_fields(&total)),
                                   .id = place->id,
                                   .usual = place->usual,
                                   .value = place->value };
    if (search->symptom->kind == HARNESS_CRASH) { /* every further value would cost a crashed process */
        need->values = place->value < MOST_VALUES ? UINT64_C(1) << place->value : 0;
        return HARNESS_OK;
    }
    return place->field->type == PICA_FIELD_ENUM || place->field->type == PICA_FIELD_FLAG
               ? try_values(search, place, need)
               : HARNESS_OK;
}

static enum harness_status try_fields(struct cause_search *search, struct harness_cause *out)
{
    struct experiment *const experiment = calloc(1, sizeof *experiment);
    struct collecting collecting = { .experiment = experiment };
    enum harness_status status = HARNESS_OK;
    if (experiment == NULL)
        return harness_fail_memory(search->error);
    experiment->search = search;
    harness_reduce_visit_words(search->best, collect, &collecting);
    for (uint32_t i = 0; i < experiment->count && status == HARNESS_OK; i++)
        status = try_place(search, &experiment->places[i], out);
    free(experiment);
    return status;
}

/* Registers of a geometry shader are not traced, but they are part of the state: names the register that differs. */
static void blame_geometry(struct harness_blame *blame, const char *part)
{
    static const struct {
        const char *part, *place;
    } places[] = {
        { "geometry.compare", "cmp" },
        { "geometry.loop_counter", "aL" },
        { "geometry.address", "mova" },
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (strcmp(part, places[i].part) == 0) {
            (void)snprintf(blame->place, sizeof blame->place, "%s", places[i].place);
            blame->has_result = true;
        }
}

/* Without a differing value in a trace, the part of the result that differs says more than the guilty command: blames
 * that part, without a rule. */
static void blame_symptom(struct harness_blame *blame, const struct harness_symptom *symptom)
{
    const bool memory = is_anywhere(blame) && symptom->place == HARNESS_PLACE_MEMORY;
    const bool registers = strcmp(blame->stage, "registers") == 0 && symptom->place == HARNESS_PLACE_REGISTER;
    if (blame->has_step)
        return;
    if (symptom->place == HARNESS_PLACE_STATE)
        blame_geometry(blame, symptom->what);
    if (!memory && !registers)
        return;
    (void)snprintf(blame->place, sizeof blame->place, "%s", symptom->what);
    blame->rule[0] = '\0';
}

enum harness_status harness_cause_find(struct harness_probe *probe, const struct harness_case *test_case,
                                       const struct harness_symptom *symptom, struct harness_cause *out,
                                       struct harness_error *error)
{
    struct harness_symptom now;
    memset(out, 0, sizeof *out);
    enum harness_status status = harness_probe_try(probe, test_case, true, &now, error);
    out->blame = *harness_probe_blame(probe);
    const bool dies = symptom->kind == HARNESS_CRASH;
    if (status != HARNESS_OK || (symptom->kind != HARNESS_DIVERGE && !dies))
        return status;
    blame_symptom(&out->blame, symptom);
    struct cause_search search = { .probe = probe, .symptom = symptom, .blame = out->blame, .error = error };
    search.events = harness_probe_comparison(probe)->events;
    search.best = harness_case_clone(test_case);
    search.candidate = harness_case_create();
    if (search.best == NULL || search.candidate == NULL)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK && !dies)
        status = cause_find_traits(&search, out);
    if (status == HARNESS_OK)
        status = cause_write_unwritten(&search);
    if (status == HARNESS_OK)
        status = try_fields(&search, out);
    harness_case_destroy(search.best);
    harness_case_destroy(search.candidate);
    return status == HARNESS_OK ? harness_probe_try(probe, test_case, true, &now, error) : status;
}
