#include "harness/vectors/score.h"

#include "harness/run/compare.h"
#include "harness/run/runner.h"
#include "harness/vectors/console.h"
#include "harness/vectors/machines.h"
#include "harness/vectors/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TURNS = 512, /* machines that a case is compared with where sides are unknown */
    MOST_TRACES = 64  /* results of such machines that are told apart */
};

struct vectors_scorer {
    const struct vectors *vectors;
    struct harness_runner *runner; /* of the backend */
    struct vectors_machines *machines;
    bool is_known; /* the following three */
    struct harness_fingerprint fingerprint;
    struct pica_choices sides;   /* those that were found and are open; of others the normative one */
    struct vectors_sides others; /* open ones of choices of which none was found */
    struct harness_case *test_case;
    struct harness_program *own;           /* of the case as the pack holds it */
    const struct harness_program *program; /* that runs */
    struct harness_surfaces *surfaces;
    struct harness_comparison *comparison;
};

const char *vectors_result_name(uint32_t result)
{
    static const char *const names[VECTORS_RESULTS] = { "passed",  "acceptable", "failed", "not tested",
                                                        "crashed", "hung",       "trouble" };
    return result < VECTORS_RESULTS ? names[result] : NULL;
}

void vectors_scorer_destroy(struct vectors_scorer *scorer)
{
    if (scorer == NULL)
        return;
    harness_runner_destroy(scorer->runner);
    vectors_machines_destroy(scorer->machines);
    harness_program_destroy(scorer->own);
    harness_case_destroy(scorer->test_case);
    free(scorer->surfaces);
    free(scorer->comparison);
    free(scorer);
}

static enum harness_status open_runners(struct vectors_scorer *scorer, const struct harness_backend *backend,
                                        const struct pica_options *options, struct harness_error *error)
{
    if (harness_runner_create(backend->backend, options, &scorer->runner) != PICA_OK)
        return harness_fail(error, HARNESS_HOST, "backend %s: cannot be created", backend->backend->name);
    harness_runner_restrict(scorer->runner, &backend->scope);
    harness_runner_tolerate(scorer->runner, backend->tolerance);
    return HARNESS_OK;
}

enum harness_status vectors_scorer_create(const struct vectors *vectors, const struct harness_backend *backend,
                                          const struct pica_options *options, struct vectors_scorer **out,
                                          struct harness_error *error)
{
    *out = NULL;
    struct vectors_scorer *const scorer = calloc(1, sizeof *scorer);
    if (scorer == NULL)
        return harness_fail_memory(error);
    scorer->vectors = vectors;
    scorer->machines = vectors_machines_create();
    scorer->test_case = harness_case_create();
    scorer->own = harness_program_create();
    scorer->surfaces = calloc(1, sizeof *scorer->surfaces);
    scorer->comparison = calloc(1, sizeof *scorer->comparison);
    const bool good = scorer->machines != NULL && scorer->test_case != NULL && scorer->own != NULL &&
                      scorer->surfaces != NULL && scorer->comparison != NULL;
    const enum harness_status status =
        good ? open_runners(scorer, backend, options, error) : harness_fail_memory(error);
    if (status == HARNESS_OK)
        *out = scorer;
    else
        vectors_scorer_destroy(scorer);
    return status;
}

/* The first line of a longer text. */
static void take_note(struct vectors_scored *out, const char *text)
{
    (void)snprintf(out->note, sizeof out->note, "%.*s", (int)strcspn(text, "\n"), text);
}

static void leave_out(uint32_t item, struct oracle_scope *scope)
{
    if (item >= VECTORS_LINE)
        scope->lines &= ~(UINT64_C(1) << (item - VECTORS_LINE));
    else if (item >= VECTORS_PART)
        scope->parts &= ~(1u << (item - VECTORS_PART));
    else if (item >= VECTORS_ENGINE)
        scope->engines[(item - VECTORS_ENGINE) / 64] &= ~(UINT64_C(1) << (item - VECTORS_ENGINE) % 64);
    else
        scope->registers[item / 64] &= ~(UINT64_C(1) << item % 64);
}

/* The answers of one side; what of the case is not compared is left out. NULL: the host refuses memory. */
static struct harness_runner *expect(const struct vectors_scorer *scorer, uint32_t side, size_t index)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct vectors_case *const about = vectors_about(scorer->vectors, index);
    struct harness_runner *runner = NULL;
    struct oracle_scope scope;
    if (harness_runner_create(vectors_side_backend(scorer->vectors, side), &options, &runner) != PICA_OK)
        return NULL;
    oracle_scope_all(&scope);
    for (uint32_t i = 0; i < about->open_count; i++)
        leave_out(about->open[i], &scope);
    harness_runner_restrict(runner, &scope);
    return runner;
}

/* *out says how the backend compares with another. `surfaces`: of the case, or NULL where that one tells them. */
static enum harness_status compare_runners(struct vectors_scorer *scorer, struct harness_runner *other,
                                           const struct harness_surfaces *surfaces, struct vectors_scored *out,
                                           struct harness_error *error)
{
    struct harness_runner *const runners[2] = { other, scorer->runner };
    const struct harness_compare_options options = { .every_operation = true, .surfaces = surfaces };
    struct harness_comparison *const comparison = scorer->comparison;
    const enum harness_status status = harness_compare(runners, 2, scorer->program, &options, comparison, error);
    if (status != HARNESS_OK)
        return status;
    take_note(out, comparison->report.message);
    out->allowed = comparison->allowed;
    const enum oracle_verdict verdict = comparison->report.verdict;
    if (verdict == ORACLE_REFUSED)
        out->result = VECTORS_NOT_TESTED;
    else
        out->result = verdict < ORACLE_REFUSED ? VECTORS_PASSED : VECTORS_FAILED;
    return HARNESS_OK;
}

/* With what the pack holds. */
static enum harness_status compare(struct vectors_scorer *scorer, size_t index, uint32_t side,
                                   struct vectors_scored *out, struct harness_error *error)
{
    struct harness_runner *const other = expect(scorer, side, index);
    if (other == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = compare_runners(scorer, other, scorer->surfaces, out, error);
    harness_runner_destroy(other);
    return status;
}

/* A pack holds no pictures of screens: what a machine shows of such memory and registers, `reference` computes. */
static enum harness_status compare_screens(struct vectors_scorer *scorer, struct vectors_scored *out,
                                           struct harness_error *error)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_runner *machine = NULL;
    struct oracle_scope scope;
    if ((harness_runner_scope(scorer->runner)->parts & (uint32_t)PICA_PART_SCREENS) == 0 ||
        !harness_runner_is_lit(scorer->runner))
        return HARNESS_OK;
    if (harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &machine) != PICA_OK)
        return harness_fail_memory(error);
    oracle_scope_all(&scope);
    scope.parts = PICA_PART_SCREENS;
    harness_runner_restrict(machine, &scope);
    const enum harness_status status = compare_runners(scorer, machine, scorer->surfaces, out, error);
    harness_runner_destroy(machine);
    return status;
}

/* ------------------------------------------------------------------------------------------- packs before version 3 */

/* The backend differs from the specification: does it leave what another side of the pack leaves? */
static enum harness_status compare_others(struct vectors_scorer *scorer, size_t index, struct vectors_scored *out,
                                          struct harness_error *error)
{
    const struct vectors_case *const about = vectors_about(scorer->vectors, index);
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; i < about->side_count && status == HARNESS_OK; i++) {
        struct vectors_scored other = { .result = VECTORS_FAILED };
        status = compare(scorer, index, about->sides[i], &other, error);
        if (status != HARNESS_OK || other.result != VECTORS_PASSED)
            continue;
        *out = other;
        out->result = VECTORS_ACCEPTABLE;
        take_note(out, vectors_side_name(scorer->vectors, about->sides[i]));
        return HARNESS_OK;
    }
    return status;
}

/* --------------------------------------------------------------------------------------------------------- machines */

/* Sides that are known to be wrong are left out. */
void vectors_scorer_know(struct vectors_scorer *scorer, const struct harness_fingerprint *fingerprint)
{
    scorer->fingerprint = *fingerprint;
    memset(&scorer->sides, 0, sizeof scorer->sides);
    memset(&scorer->others, 0, sizeof scorer->others);
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        const struct harness_finger *const finger = &fingerprint->fingers[i];
        if (finger->kind == HARNESS_FINGER_SIDE && vectors_side_is_open(i, finger->side))
            scorer->sides.sides[i] = (uint8_t)finger->side;
        for (uint32_t side = 1; finger->kind != HARNESS_FINGER_SIDE && side < pica_side_count(i); side++)
            if (vectors_side_is_open(i, side))
                scorer->others.at[i][side] = VECTORS_ELSEWHERE;
    }
    scorer->is_known = true;
}

void vectors_scorer_tell_step(struct vectors_scorer *scorer, volatile uint32_t *step)
{
    harness_runner_tell_step(scorer->runner, step);
}

const struct harness_death *vectors_scorer_death(const struct vectors_scorer *scorer)
{
    return harness_runner_death(scorer->runner);
}

/* The search for a machine that leaves what the backend leaves of one case. */
struct search {
    struct vectors_scorer *scorer;
    const struct vectors_case *about;
    struct pica_choices base;                 /* what was found of the backend, as far as it may be so */
    struct vectors_trace traces[MOST_TRACES]; /* of machines that it was compared with, the normative one first */
    size_t count;
    struct vectors_scored *out;
};

/* "row-order=highest-first+zero-area=drawn": sides that touch the case, or all if none does alone. */
static void name_sides(const struct search *search, const struct pica_choices *choices)
{
    char *const note = search->out->note;
    size_t used = 0;
    bool any = false;
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        any = any || (choices->sides[i] != 0 && search->about->touched[i] != VECTORS_NOWHERE);
    note[0] = '\0';
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        if (choices->sides[i] != 0 && (!any || search->about->touched[i] != VECTORS_NOWHERE) && used < VECTORS_NOTE)
            used += (size_t)snprintf(note + used, VECTORS_NOTE - used, "%s%s=%s", used != 0 ? "+" : "",
                                     pica_choice_info(i)->name, pica_side_info(i, choices->sides[i])->word);
}

static bool is_compared(struct search *search, const struct vectors_trace *trace)
{
    for (size_t i = 0; i < search->count; i++)
        if (vectors_trace_equal(trace, &search->traces[i]))
            return true;
    if (search->count < MOST_TRACES)
        search->traces[search->count++] = *trace;
    return false;
}

/* Compares with the machine that takes these sides, unless one that leaves the same was compared with. */
static enum harness_status try_machine(struct search *search, const struct pica_choices *choices,
                                       struct harness_error *error)
{
    struct vectors_scorer *const scorer = search->scorer;
    struct vectors_scored scored = { .result = VECTORS_FAILED };
    struct vectors_trace trace;
    struct harness_runner *machine = NULL;
    enum harness_status status = vectors_machine(scorer->machines, choices, &machine, error);
    if (status == HARNESS_OK)
        status = vectors_take_trace(machine, scorer->program, &trace, error);
    if (status != HARNESS_OK || is_compared(search, &trace))
        return status;
    status = compare_runners(scorer, machine, NULL, &scored, error);
    if (status != HARNESS_OK || scored.result == VECTORS_NOT_TESTED)
        return status;
    *search->out = scored;
    if (scored.result == VECTORS_PASSED) {
        search->out->result = VECTORS_ACCEPTABLE;
        name_sides(search, choices);
    }
    return HARNESS_OK;
}

/* The first trace: of the machine of the specification, with whose results it was compared. */
static enum harness_status begin_search(struct search *search, struct harness_error *error)
{
    const struct pica_choices normative = { { 0 } };
    struct harness_runner *machine = NULL;
    const enum harness_status status = vectors_machine(search->scorer->machines, &normative, &machine, error);
    search->count = 1;
    return status == HARNESS_OK ? vectors_take_trace(machine, search->scorer->program, &search->traces[0], error)
                                : status;
}

/* Combination number `turn` of sides: each choice has the side that was found, then the open ones that touch the case.
 * False: there are fewer combinations. */
static bool turn_sides(const struct pica_choices *base, const struct vectors_sides *touching, uint32_t turn,
                       struct pica_choices *out)
{
    *out = *base;
    for (uint32_t i = 0; i < PICA_CHOICES && turn != 0; i++) {
        uint32_t sides[PICA_MOST_SIDES] = { base->sides[i] }, count = 1;
        for (uint32_t side = 1; side < PICA_MOST_SIDES; side++)
            if (touching->at[i][side] != VECTORS_NOWHERE)
                sides[count++] = side;
        out->sides[i] = (uint8_t)sides[turn % count];
        turn /= count;
    }
    return turn == 0;
}

/* Each combination of sides that the fingerprint could not tell and that touch the case, beside those that it found. */
static enum harness_status try_others(struct search *search, struct harness_error *error)
{
    struct vectors_sides touching;
    struct vectors_scorer *const scorer = search->scorer;
    const struct vectors_scored first = *search->out;
    enum harness_status status =
        vectors_machines_touching(scorer->machines, scorer->program, &search->base, &scorer->others, &touching, error);
    for (uint32_t turn = 1; turn < MOST_TURNS && status == HARNESS_OK; turn++) {
        struct pica_choices choices;
        if (!turn_sides(&search->base, &touching, turn, &choices))
            break;
        status = try_machine(search, &choices, error);
        if (search->out->result == VECTORS_ACCEPTABLE)
            return status;
    }
    *search->out = first; /* how it differs from what it was found to be */
    return status;
}

/* The sides that the backend is held to in one case. A wrong value at reset shows in nearly all cases: it is held
 * against the backend only in those about its rule and those where it shows in memory. */
static void take_base(const struct vectors_scorer *scorer, const struct vectors_case *about, struct pica_choices *out)
{
    *out = scorer->sides;
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        const struct harness_finger *const finger = &scorer->fingerprint.fingers[i];
        if (finger->kind == HARNESS_FINGER_SIDE && vectors_shows_everywhere(i) &&
            about->touched[i] == VECTORS_ELSEWHERE && !vectors_rules_name(about->rules, i))
            out->sides[i] = (uint8_t)finger->side;
    }
}

/* The backend differs from the specification: does it leave what a machine with its sides leaves? */
static enum harness_status search_machines(struct vectors_scorer *scorer, size_t index, struct vectors_scored *out,
                                           struct harness_error *error)
{
    struct search search = { .scorer = scorer, .about = vectors_about(scorer->vectors, index), .out = out };
    if (!scorer->is_known)
        return HARNESS_OK;
    enum harness_status status = begin_search(&search, error);
    if (status == HARNESS_OK) {
        take_base(scorer, search.about, &search.base);
        status = try_machine(&search, &search.base, error);
    }
    return status == HARNESS_OK && out->result == VECTORS_FAILED ? try_others(&search, error) : status;
}

/* --------------------------------------------------------------------------------------------------------- one case */

/* The backend leaves what the specification says. If a console left something else, that is only acceptable. */
static void take_passed(const struct vectors_console *console, struct vectors_scored *out)
{
    if (console->under[0] == '\0')
        return;
    out->result = VECTORS_ACCEPTABLE;
    (void)snprintf(out->note, sizeof out->note, "ours; what a console left takes %s", console->under);
}

/* Compares with what a console left of the case, if somebody ran it there; if that differs, or nobody did, with all
 * else. */
static enum harness_status compare_all(struct vectors_scorer *scorer, size_t index, struct vectors_scored *out,
                                       struct harness_error *error)
{
    struct vectors_console console;
    enum harness_status status = vectors_console_read(scorer->test_case, &console, error);
    if (status != HARNESS_OK)
        return status;
    if (console.count != 0 && vectors_console_is_left(&console, scorer->program, scorer->runner))
        return HARNESS_OK; /* passed */
    status = compare(scorer, index, 0, out, error);
    if (status == HARNESS_OK && out->result == VECTORS_PASSED)
        status = compare_screens(scorer, out, error);
    if (status == HARNESS_OK && out->result == VECTORS_PASSED)
        take_passed(&console, out);
    if (status != HARNESS_OK || out->result != VECTORS_FAILED)
        return status;
    return vectors_format(scorer->vectors) < 3 ? compare_others(scorer, index, out, error)
                                               : search_machines(scorer, index, out, error);
}

enum harness_status vectors_score(struct vectors_scorer *scorer, size_t index, const struct harness_program *program,
                                  struct vectors_scored *out, struct harness_error *error)
{
    const struct vectors_case *const about = vectors_about(scorer->vectors, index);
    memset(out, 0, sizeof *out);
    enum harness_status status = vectors_load(scorer->vectors, index, scorer->test_case, scorer->surfaces, error);
    scorer->program = program != NULL ? program : scorer->own;
    if (status == HARNESS_OK && program == NULL)
        status = harness_case_setup(scorer->test_case, scorer->own, error);
    if (status != HARNESS_OK)
        return status;
    if ((about->tells & harness_runner_scope(scorer->runner)->parts & ~(uint32_t)PICA_PART_EVENTS) == 0) {
        out->result = VECTORS_NOT_TESTED;
        take_note(out, "it changes nothing that the backend models");
        return HARNESS_OK;
    }
    return compare_all(scorer, index, out, error);
}
