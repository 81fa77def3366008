#include "harness/vectors/score.h"

#include "harness/run/compare.h"
#include "harness/run/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vectors_scorer {
    const struct vectors *vectors;
    struct harness_runner *runner; /* of the backend */
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_surfaces *surfaces;
    struct harness_comparison *comparison;
    vectors_prepare prepare; /* or NULL */
    const void *what;
};

const char *vectors_result_name(uint32_t result)
{
    static const char *const names[VECTORS_RESULTS] = { "passed",     "acceptable", "failed",
                                                        "not tested", "crashed",    "hung" };
    return result < VECTORS_RESULTS ? names[result] : NULL;
}

void vectors_scorer_destroy(struct vectors_scorer *scorer)
{
    if (scorer == NULL)
        return;
    harness_runner_destroy(scorer->runner);
    harness_program_destroy(scorer->program);
    harness_case_destroy(scorer->test_case);
    free(scorer->surfaces);
    free(scorer->comparison);
    free(scorer);
}

void vectors_scorer_prepare(struct vectors_scorer *scorer, vectors_prepare prepare, const void *what)
{
    scorer->prepare = prepare;
    scorer->what = what;
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
    scorer->test_case = harness_case_create();
    scorer->program = harness_program_create();
    scorer->surfaces = calloc(1, sizeof *scorer->surfaces);
    scorer->comparison = calloc(1, sizeof *scorer->comparison);
    const bool good =
        scorer->test_case != NULL && scorer->program != NULL && scorer->surfaces != NULL && scorer->comparison != NULL;
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

static void take_death(const struct harness_runner *runner, const struct harness_error *error,
                       struct vectors_scored *out)
{
    const struct harness_death *const death = harness_runner_death(runner);
    const bool hung = death != NULL && death->kind == HARNESS_DEATH_HANG;
    out->result = hung ? VECTORS_HUNG : VECTORS_CRASHED;
    take_note(out, death != NULL && death->text[0] != '\0' ? death->text : error->message);
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

/* Compares with what is expected on one side of the pack. True: it is settled, and *out says how. */
static enum harness_status compare(struct vectors_scorer *scorer, size_t index, uint32_t side,
                                   struct vectors_scored *out, struct harness_error *error)
{
    struct harness_runner *const runners[2] = { expect(scorer, side, index), scorer->runner };
    if (runners[0] == NULL)
        return harness_fail_memory(error);
    const struct harness_compare_options options = { .every_operation = true, .surfaces = scorer->surfaces };
    struct harness_comparison *const comparison = scorer->comparison;
    const enum harness_status status = harness_compare(runners, 2, scorer->program, &options, comparison, error);
    harness_runner_destroy(runners[0]);
    if (status == HARNESS_CRASHED) {
        take_death(scorer->runner, error, out);
        return HARNESS_OK;
    }
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

/* It is not what the specification says: is it what another side leaves? */
static enum harness_status compare_others(struct vectors_scorer *scorer, size_t index, struct vectors_scored *out,
                                          struct harness_error *error)
{
    const struct vectors_case *const about = vectors_about(scorer->vectors, index);
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; i < about->side_count && status == HARNESS_OK; i++) {
        struct vectors_scored other = { .side = about->sides[i] };
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

enum harness_status vectors_score(struct vectors_scorer *scorer, size_t index, struct vectors_scored *out,
                                  struct harness_error *error)
{
    const struct vectors_case *const about = vectors_about(scorer->vectors, index);
    memset(out, 0, sizeof *out);
    enum harness_status status = vectors_load(scorer->vectors, index, scorer->test_case, scorer->surfaces, error);
    const char *why = NULL;
    if (status == HARNESS_OK && scorer->prepare != NULL)
        status = scorer->prepare(scorer->what, scorer->test_case, &why, error);
    if (status == HARNESS_OK)
        status = harness_case_setup(scorer->test_case, scorer->program, error);
    if (status != HARNESS_OK)
        return status;
    if (why != NULL) {
        out->result = VECTORS_NOT_TESTED;
        take_note(out, why);
        return HARNESS_OK;
    }
    if ((about->tells & harness_runner_scope(scorer->runner)->parts & ~(uint32_t)PICA_PART_EVENTS) == 0) {
        out->result = VECTORS_NOT_TESTED;
        take_note(out, "it changes nothing that the backend models");
        return HARNESS_OK;
    }
    status = compare(scorer, index, 0, out, error);
    return status == HARNESS_OK && out->result == VECTORS_FAILED ? compare_others(scorer, index, out, error) : status;
}
