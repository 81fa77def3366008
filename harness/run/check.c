#include "harness/run/check.h"

#include "harness/run/backends.h"
#include "harness/run/image.h"
#include "oracles/equal.h"
#include "oracles/repeat.h"
#include "oracles/screens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ways to run one backend whose results must be the same. */
static const struct {
    const char *name;
    uint32_t threads;
    uint32_t masked_off; /* instruction sets */
    uint32_t capacity;   /* 0: as it is */
} ways[] = {
    { "1 thread", 1, 0, 0 },
    { "2 threads", 2, 0, 0 },
    { "7 threads", 7, 0, 0 },
    { "no instruction sets", 0, UINT32_MAX, 0 },
    { "without instruction set bit 0", 0, 1, 0 },
    { "without instruction set bit 1", 0, 2, 0 },
    { "without instruction set bit 2", 0, 4, 0 },
    { "capacity 1", 0, 0, 1 },
    { "capacity 5", 0, 0, 5 },
    { "2 threads, capacity 16", 2, 0, 16 },
};

enum {
    WAYS = sizeof ways / sizeof ways[0]
};

/* A copy of what a run left behind, so that the same instance can run again. */
struct kept {
    struct pica_state state;
    struct oracle_scope scope;
    uint8_t *bytes;                   /* of all windows */
    uint64_t *bitmaps;                /* of all windows */
    uint8_t *screens[ORACLE_SCREENS]; /* NULL until there was one */
};

struct harness_checker {
    const struct pica_backend *backend;
    struct harness_check_options options;
    struct harness_runner *judge;  /* the reference, which knows all events; created at the first failure */
    struct harness_runner *runner; /* only one: an emulator may not support a second instance */
    struct harness_runner *others[WAYS];
    struct kept kept;
    struct oracle_workspace space;
    struct oracle_twins twins;
    struct pica_state scratch;
};

/* ----------------------------------------------------------------------------------------------------- the checks */

size_t harness_check_count(void)
{
    return HARNESS_CHECK_FIRST_RELATION + oracle_relation_count();
}

static const struct oracle_relation *relation_of(size_t check)
{
    return check < HARNESS_CHECK_FIRST_RELATION ? NULL : oracle_relation_at(check - HARNESS_CHECK_FIRST_RELATION);
}

const char *harness_check_name(size_t check)
{
    if (check == HARNESS_CHECK_DETERMINISTIC)
        return "deterministic";
    if (check == HARNESS_CHECK_INVARIANT)
        return "invariant";
    return relation_of(check) != NULL ? relation_of(check)->name : NULL;
}

const char *harness_check_what(size_t check)
{
    if (check == HARNESS_CHECK_DETERMINISTIC)
        return "the case runs again: on a fresh instance, after another case, a second time";
    if (check == HARNESS_CHECK_INVARIANT)
        return "the case runs with 0, 1, 2 and 7 threads, with instruction sets masked off and with small capacities";
    return relation_of(check) != NULL ? relation_of(check)->what : NULL;
}

const char *harness_check_rules(size_t check)
{
    if (check < HARNESS_CHECK_FIRST_RELATION)
        return "GEN-10";
    return relation_of(check) != NULL ? relation_of(check)->rules : NULL;
}

void harness_check_splits(size_t check, char *out, size_t size)
{
    out[0] = '\0';
    if (relation_of(check) != NULL)
        oracle_relation_splits(relation_of(check), out, size);
}

/* -------------------------------------------------------------------------------------------------------- checkers */

struct harness_checker *harness_checker_create(const struct pica_backend *backend,
                                               const struct harness_check_options *options)
{
    struct harness_checker *const checker = calloc(1, sizeof *checker);
    if (checker == NULL)
        return NULL;
    checker->backend = backend;
    checker->options = *options;
    checker->space.size = ORACLE_WORKSPACE_SIZE;
    checker->space.bytes = malloc(checker->space.size);
    if (checker->space.bytes != NULL)
        return checker;
    harness_checker_destroy(checker);
    return NULL;
}

void harness_checker_destroy(struct harness_checker *checker)
{
    if (checker == NULL)
        return;
    harness_runner_destroy(checker->runner);
    for (size_t i = 0; i < WAYS; i++)
        harness_runner_destroy(checker->others[i]);
    harness_runner_destroy(checker->judge);
    free(checker->kept.bytes);
    free(checker->kept.bitmaps);
    for (uint32_t i = 0; i < ORACLE_SCREENS; i++)
        free(checker->kept.screens[i]);
    free(checker->space.bytes);
    free(checker);
}

/* The runner whose process died, if that is what went wrong. */
static const struct harness_runner *dead_runner(const struct harness_checker *checker)
{
    if (checker->runner != NULL && harness_runner_death(checker->runner) != NULL)
        return checker->runner;
    for (size_t i = 0; i < WAYS; i++)
        if (checker->others[i] != NULL && harness_runner_death(checker->others[i]) != NULL)
            return checker->others[i];
    return NULL;
}

/* `program`: what ran, if that was the case itself. */
static enum harness_status trouble(const struct harness_checker *checker, const struct harness_program *program,
                                   const char *what, struct harness_error *error)
{
    const struct harness_runner *const dead = dead_runner(checker);
    const uint32_t steps = dead != NULL ? harness_runner_steps(dead) : 0;
    char place[128];
    if (dead == NULL)
        return harness_fail(error, HARNESS_HOST, "backend %s: %s failed", checker->backend->name, what);
    if (program != NULL && steps != 0 && steps <= program->count)
        (void)snprintf(place, sizeof place, "%s, operation %u", what, (unsigned)program->origins[steps - 1]);
    else
        (void)snprintf(place, sizeof place, "%s", what);
    return harness_runner_fail(dead, place, PICA_FAILED, error);
}

static enum pica_status runner_for(struct harness_checker *checker, const struct pica_options *options,
                                   struct harness_runner **runner)
{
    if (*runner != NULL)
        return PICA_OK;
    const enum pica_status status = harness_runner_create(checker->backend, options, runner);
    if (status == PICA_OK && checker->options.scope != NULL)
        harness_runner_restrict(*runner, checker->options.scope);
    return status;
}

/* Loads and runs `count` operations. */
static bool run(struct harness_runner *runner, const struct pica_setup *setup, const struct pica_operation *operations,
                size_t count)
{
    return harness_runner_load(runner, setup) == PICA_OK && harness_runner_run(runner, operations, count) == PICA_OK;
}

static bool run_script(struct harness_runner *runner, const struct oracle_script *script, struct oracle_run *out)
{
    return run(runner, &script->setup, script->operations, script->count) &&
           harness_runner_collect(runner, out) == PICA_OK;
}

static struct oracle_script script_of(const struct harness_program *program)
{
    return (struct oracle_script){ program->setup, program->operations, program->count };
}

static bool run_and_collect(struct harness_runner *runner, const struct harness_program *program,
                            struct oracle_run *out)
{
    const struct oracle_script script = script_of(program);
    return run_script(runner, &script, out);
}

static bool reserve_kept(struct kept *kept, const struct oracle_run *run)
{
    size_t size = 0, words = 0;
    for (uint32_t i = 0; i < run->window_count; i++) {
        size += run->windows[i].size;
        words += harness_page_words(run->windows[i].size);
    }
    uint8_t *const bytes = realloc(kept->bytes, size + 1); /* a case may have no window */
    kept->bytes = bytes != NULL ? bytes : kept->bytes;
    uint64_t *const bitmaps = realloc(kept->bitmaps, (words + 1) * sizeof *bitmaps);
    kept->bitmaps = bitmaps != NULL ? bitmaps : kept->bitmaps;
    return bytes != NULL && bitmaps != NULL;
}

static bool keep_screens(struct kept *kept, struct oracle_run *run)
{
    for (uint32_t i = 0; i < ORACLE_SCREENS; i++) {
        const size_t size = oracle_screen_bytes((enum oracle_screen)i);
        if (run->screens[i] == NULL)
            continue;
        if (kept->screens[i] == NULL)
            kept->screens[i] = malloc(size);
        if (kept->screens[i] == NULL)
            return false;
        memcpy(kept->screens[i], run->screens[i], size);
        run->screens[i] = kept->screens[i];
    }
    return true;
}

/* Makes the run independent of its runner. The windows stay borrowed. False without memory. */
static bool keep(struct kept *kept, struct oracle_run *run)
{
    if (!reserve_kept(kept, run) || !keep_screens(kept, run))
        return false;
    uint8_t *bytes = kept->bytes;
    uint64_t *bitmap = kept->bitmaps;
    kept->state = *run->state;
    run->state = &kept->state;
    if (run->scope != NULL) {
        kept->scope = *run->scope;
        run->scope = &kept->scope;
    }
    for (uint32_t i = 0; i < run->window_count; i++) {
        memcpy(bytes, run->memory[i], run->windows[i].size);
        run->memory[i] = bytes;
        bytes += run->windows[i].size;
        if (run->touched[i] == NULL)
            continue;
        const size_t words = harness_page_words(run->windows[i].size);
        memcpy(bitmap, run->touched[i], words * sizeof *bitmap);
        run->touched[i] = bitmap;
        bitmap += words;
    }
    return true;
}

/* Asks the reference which undefined behaviour a failing case touches. */
static bool name_events(struct harness_checker *checker, const struct pica_setup *setup,
                        const struct pica_operation *operations, uint32_t count, struct oracle_report *report)
{
    static const struct pica_options plain = { .instruction_sets = UINT32_MAX };
    struct oracle_run known;
    if ((checker->judge == NULL &&
         harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &plain, &checker->judge) != PICA_OK) ||
        !run(checker->judge, setup, operations, count) || harness_runner_collect(checker->judge, &known) != PICA_OK)
        return false;
    if (checker->options.excuse)
        oracle_excuse_undefined(&known, report);
    else
        (void)oracle_say_undefined(&known, report);
    return true;
}

/* --------------------------------------------------------------------------------------------------- deterministic */

/* The other case that runs in between: the first half of this one, which leaves work unfinished. */
static bool run_half(struct harness_runner *runner, const struct harness_program *program)
{
    return run(runner, &program->setup, program->operations, program->count / 2);
}

/* A fresh instance; the old one is destroyed first, for backends that allow only one at a time. */
static bool renew(struct harness_checker *checker)
{
    harness_runner_destroy(checker->runner);
    checker->runner = NULL;
    return runner_for(checker, &checker->options.backend, &checker->runner) == PICA_OK;
}

static enum harness_status check_deterministic(struct harness_checker *checker, const struct harness_program *program,
                                               struct harness_check_result *out)
{
    struct oracle_run first, again;
    bool good = run_and_collect(checker->runner, program, &first) && keep(&checker->kept, &first) &&
                run_and_collect(checker->runner, program, &again);
    if (good)
        oracle_deterministic(&first, &again, "run for the second time", &out->report);
    if (good && out->report.verdict < ORACLE_DIVERGE) {
        good = run_half(checker->runner, program) && run_and_collect(checker->runner, program, &again);
        if (good)
            oracle_deterministic(&first, &again, "run after another case", &out->report);
    }
    if (good && out->report.verdict < ORACLE_DIVERGE) {
        good = renew(checker) && run_and_collect(checker->runner, program, &again);
        if (good)
            oracle_deterministic(&first, &again, "run on a fresh instance", &out->report);
    }
    return good ? HARNESS_OK : trouble(checker, program, "running the case again", &out->error);
}

/* ------------------------------------------------------------------------------------------------------- invariant */

static enum harness_status check_invariant(struct harness_checker *checker, const struct harness_program *program,
                                           struct harness_check_result *out)
{
    struct oracle_run plain, other;
    if (!run_and_collect(checker->runner, program, &plain) || !keep(&checker->kept, &plain))
        return trouble(checker, program, "running the case", &out->error);
    for (size_t i = 0; i < WAYS && out->report.verdict < ORACLE_DIVERGE; i++) {
        struct pica_options options = checker->options.backend;
        options.threads = ways[i].threads;
        options.instruction_sets &= ~ways[i].masked_off;
        if (ways[i].capacity != 0)
            options.capacity = ways[i].capacity;
        if (runner_for(checker, &options, &checker->others[i]) != PICA_OK)
            continue; /* no such option, or no second instance */
        if (!run_and_collect(checker->others[i], program, &other))
            return trouble(checker, program, ways[i].name, &out->error);
        oracle_invariant(&plain, &other, ways[i].name, &out->report);
    }
    return HARNESS_OK;
}

/* -------------------------------------------------------------------------------------------------------- relations */

static enum harness_status check_relation(struct harness_checker *checker, const struct harness_program *program,
                                          const struct oracle_attempt *attempt, struct harness_check_result *out)
{
    const struct oracle_relation *const relation = attempt->relation;
    const struct oracle_script script = script_of(program);
    struct oracle_run base, variant;
    checker->space.used = 0;
    if (!oracle_relation_apply(attempt, &script, &checker->space, &checker->twins))
        return HARNESS_OK;
    if (!run_script(checker->runner, &checker->twins.base, &base) || !keep(&checker->kept, &base))
        return trouble(checker, NULL, "running the case", &out->error);
    if (oracle_relation_is_void(relation, &base.events))
        return HARNESS_OK;
    if (!run_script(checker->runner, &checker->twins.variant, &variant))
        return trouble(checker, NULL, "running a variant of the case", &out->error);
    if (pica_events_has(&variant.events, PICA_EVENT_BUDGET_WORK)) /* the base stayed below the budget by chance */
        return HARNESS_OK;
    out->places = checker->twins.places;
    oracle_relation_judge(relation, &base, &variant, &checker->scratch, &out->report);
    return HARNESS_OK;
}

static bool fails(struct harness_checker *checker, const struct harness_program *program,
                  const struct oracle_attempt *attempt)
{
    struct harness_check_result result;
    memset(&result, 0, sizeof result);
    return check_relation(checker, program, attempt, &result) == HARNESS_OK &&
           result.report.verdict >= ORACLE_DIVERGE_UNDEFINED;
}

/* The least `end` with which it still fails, then the greatest `first`. */
static void bisect(struct harness_checker *checker, const struct harness_program *program,
                   struct oracle_attempt *attempt)
{
    struct oracle_part *const part = &attempt->part;
    for (uint32_t low = part->first, high = part->end; low < high;) {
        part->end = low + (high - low) / 2;
        if (fails(checker, program, attempt))
            high = part->end;
        else
            low = part->end + 1;
        part->end = high;
    }
    for (uint32_t low = part->first, high = part->end; low + 1 < high;) {
        part->first = low + (high - low) / 2;
        if (fails(checker, program, attempt))
            low = part->first;
        else
            high = part->first;
        part->first = low;
    }
}

bool harness_check_narrow(struct harness_checker *checker, const struct harness_program *program, size_t check,
                          uint64_t seed, struct harness_check_places *out)
{
    struct oracle_attempt attempt = { relation_of(check), seed, { 0, ORACLE_WHOLE } };
    if (attempt.relation == NULL || runner_for(checker, &checker->options.backend, &checker->runner) != PICA_OK ||
        !fails(checker, program, &attempt))
        return false;
    const uint32_t candidates = checker->twins.candidates;
    attempt.part.end = candidates;
    bisect(checker, program, &attempt);
    out->count = attempt.part.end - attempt.part.first;
    if (out->count == 0 || (out->count == candidates && candidates > 1) || !fails(checker, program, &attempt)) {
        attempt.part = (struct oracle_part){ 0, ORACLE_WHOLE };
        (void)fails(checker, program, &attempt);
        return false;
    }
    out->first = checker->twins.first;
    out->last = checker->twins.last;
    out->first.operation = program->origins[out->first.operation];
    out->last.operation = program->origins[out->last.operation];
    return true;
}

/* The runner that does not support the case, if that is what went wrong. */
static const struct harness_runner *refusing_runner(const struct harness_checker *checker)
{
    if (checker->runner != NULL && harness_runner_refusal(checker->runner)[0] != '\0')
        return checker->runner;
    for (size_t i = 0; i < WAYS; i++)
        if (checker->others[i] != NULL && harness_runner_refusal(checker->others[i])[0] != '\0')
            return checker->others[i];
    return NULL;
}

static enum harness_status refuse(const struct harness_runner *runner, struct harness_check_result *out)
{
    out->places = 0;
    out->report.verdict = ORACLE_REFUSED;
    oracle_say(&out->report, "%s\n", harness_runner_refusal(runner));
    return HARNESS_OK;
}

enum harness_status harness_check(struct harness_checker *checker, const struct harness_program *program, size_t check,
                                  uint64_t seed, struct harness_check_result *out)
{
    memset(out, 0, sizeof *out);
    out->report.oracle = harness_check_name(check);
    if (runner_for(checker, &checker->options.backend, &checker->runner) != PICA_OK)
        return trouble(checker, NULL, "creating an instance", &out->error);
    const bool relation = check >= HARNESS_CHECK_FIRST_RELATION;
    const struct oracle_attempt whole = { relation_of(check), seed, { 0, ORACLE_WHOLE } };
    enum harness_status status = HARNESS_OK;
    out->places = relation ? 0 : 1;
    if (relation)
        status = check_relation(checker, program, &whole, out);
    else if (check == HARNESS_CHECK_DETERMINISTIC)
        status = check_deterministic(checker, program, out);
    else
        status = check_invariant(checker, program, out);
    if (status != HARNESS_OK && refusing_runner(checker) != NULL)
        return refuse(refusing_runner(checker), out);
    if (status != HARNESS_OK || out->report.verdict < ORACLE_DIVERGE)
        return status;
    const struct oracle_script *const base = &checker->twins.base;
    const bool named = relation
                           ? name_events(checker, &base->setup, base->operations, base->count, &out->report)
                           : name_events(checker, &program->setup, program->operations, program->count, &out->report);
    return named ? HARNESS_OK : trouble(checker, NULL, "naming undefined behaviour", &out->error);
}

/* ----------------------------------------------------------------------------------------------------------- files */

static bool add_chunks(struct harness_case *out, const struct pica_setup *setup)
{
    for (uint32_t i = 0; i < setup->chunk_count; i++) {
        struct harness_data data;
        if (!harness_data_bytes(out, &data, setup->chunks[i].data, setup->chunks[i].size) ||
            harness_case_add_chunk(out, setup->chunks[i].address, &data) == NULL)
            return false;
    }
    return true;
}

/* Is what the operation loads a list, of which the script submits the whole or the first part of several? */
static bool is_submitted(const struct oracle_script *script, const struct pica_operation *load)
{
    for (uint32_t i = 0; i < script->count && load->size % 4u == 0; i++) {
        const struct pica_operation *const submit = &script->operations[i];
        if (submit->kind == PICA_OPERATION_SUBMIT_LIST && submit->address == load->address &&
            submit->size <= load->size)
            return true;
    }
    return false;
}

/* A list as commands, so that one can read which writes the variant changed. */
static bool add_list(struct harness_case *out, const struct pica_operation *load)
{
    struct harness_data data;
    return harness_data_decode(out, &data, load->data, load->size) &&
           harness_case_add_load(out, load->address, &data) != NULL;
}

static bool add_operation(struct harness_case *out, const struct oracle_script *script,
                          const struct pica_operation *operation)
{
    struct harness_data data;
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY:
        if (operation->size != 0 && is_submitted(script, operation))
            return add_list(out, operation);
        return harness_data_bytes(out, &data, operation->data, operation->size) &&
               harness_case_add_load(out, operation->address, &data) != NULL;
    case PICA_OPERATION_SUBMIT_LIST: return harness_case_add_submit(out, operation->address, operation->size) != NULL;
    case PICA_OPERATION_WRITE_REGISTER:
        return harness_case_add_write(out, operation->address, operation->words[0]) != NULL;
    case PICA_OPERATION_MEMORY_FILL: return harness_case_add_fill(out, operation->unit, operation->words) != NULL;
    case PICA_OPERATION_DISPLAY_TRANSFER: return harness_case_add_transfer(out, operation->words) != NULL;
    case PICA_OPERATION_VERTICAL_BLANK: return harness_case_add_vblank(out, operation->unit) != NULL;
    }
    return false; /* not reached */
}

static bool script_to_case(const struct oracle_script *script, struct harness_case *out)
{
    const struct pica_setup *const setup = &script->setup;
    harness_case_reset(out);
    for (uint32_t i = 0; i < setup->window_count; i++)
        if (!harness_case_add_window(out, setup->windows[i].address, setup->windows[i].size))
            return false;
    out->limits = setup->limits;
    out->profile = setup->profile;
    if (setup->initial_state != NULL) {
        struct harness_state *const state = harness_case_state(out);
        if (state == NULL)
            return false;
        harness_state_take(state, setup->initial_state);
    }
    if (!add_chunks(out, setup))
        return false;
    for (uint32_t i = 0; i < script->count; i++)
        if (!add_operation(out, script, &script->operations[i]))
            return false;
    return true;
}

bool harness_check_twins(const struct harness_checker *checker, struct harness_case *base, struct harness_case *variant)
{
    return script_to_case(&checker->twins.base, base) && script_to_case(&checker->twins.variant, variant);
}
