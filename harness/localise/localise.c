#include "harness/localise/localise.h"

#include "harness/case/little.h"
#include "harness/localise/broken_rule.h"
#include "harness/localise/localise_parts.h"
#include "harness/run/compare.h"
#include "oracles/equal.h"
#include "pica/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------- running both sides */

void harness_localise_note(struct harness_location *location, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(location->note, sizeof location->note, format, arguments);
    va_end(arguments);
}

enum harness_status harness_localise_fail(const struct harness_localise *search, const char *what,
                                          struct harness_error *error)
{
    for (int side = 0; side < 2; side++)
        if (harness_runner_death(search->runners[side]) != NULL)
            return harness_runner_fail(search->runners[side], what, PICA_FAILED, error);
    return harness_fail(error, HARNESS_HOST, "localise: %s failed on backend %s or %s", what,
                        harness_runner_backend(search->runners[0])->name,
                        harness_runner_backend(search->runners[1])->name);
}

enum pica_status harness_localise_load(struct harness_localise *search, int side, uint32_t commands)
{
    if (search->is_budgeted) {
        search->setup = search->program->setup;
        search->setup.limits.commands = commands != 0 ? commands : 1;
        return harness_runner_load(search->runners[side], &search->setup);
    }
    if (search->replays)
        return harness_runner_load(search->runners[side], &search->program->setup);
    struct pica_setup *const setup = harness_checkpoint_setup(search->checkpoint);
    setup->limits.commands = commands;
    return harness_runner_load(search->runners[side], setup);
}

/*
 * Submits a list cut after `commands` commands. Sizes are counted in 16 bytes (SUB-02), commands in 8: a command that
 * would slip in becomes a write with an empty mask (CMD-05). A list whose end is not known runs whole.
 */
static enum pica_status run_cut(struct harness_localise *search, int side, uint32_t commands)
{
    static const uint8_t nothing[8] = { 0, 0, 0, 0, PICA_REG_FACECULLING_CONFIG, 0, 0, 0 };
    struct harness_runner *const runner = search->runners[side];
    struct pica_operation cut = *search->operation;
    if (commands == 0)
        return PICA_OK;
    if (commands >= search->start_count || search->is_budgeted)
        return harness_runner_step(runner, &cut);
    const uint32_t bytes = search->starts[commands] * 4u;
    cut.size = (bytes + 15u) / 16u * 16u;
    if (cut.size != bytes) {
        const struct pica_operation fill = {
            .kind = PICA_OPERATION_LOAD_MEMORY, .address = cut.address + bytes, .size = sizeof nothing, .data = nothing
        };
        const enum pica_status status = harness_runner_step(runner, &fill);
        if (status != PICA_OK)
            return status;
    }
    return harness_runner_step(runner, &cut);
}

/* CMD-05: a command that writes nothing, and takes as many words as search->skipped, in its place. */
static enum pica_status skip(struct harness_localise *search, int side)
{
    const uint32_t place = search->starts[search->skipped - 1u] + 1u;
    uint32_t header = pica_command_header_set_id(0, PICA_REG_FACECULLING_CONFIG);
    header =
        pica_command_header_set_extra_parameters(header, pica_command_header_extra_parameters(search->words[place]));
    uint8_t bytes[4];
    (void)harness_store32(bytes, header);
    const struct pica_operation load = { .kind = PICA_OPERATION_LOAD_MEMORY,
                                         .address = search->operation->address + 4u * place,
                                         .size = sizeof bytes,
                                         .data = bytes };
    return harness_runner_step(search->runners[side], &load);
}

enum pica_status harness_localise_run(struct harness_localise *search, int side, uint32_t commands)
{
    enum pica_status status = PICA_OK;
    if (search->replays)
        status = harness_runner_run(search->runners[side], search->program->operations, search->index);
    if (status == PICA_OK && search->skipped != 0)
        status = skip(search, side);
    if (status != PICA_OK)
        return status;
    return search->replays ? run_cut(search, side, commands)
                           : harness_runner_step(search->runners[side], search->operation);
}

/* The second run without what the tolerance allows. */
static enum harness_status tolerate(struct harness_localise *search, struct harness_error *error)
{
    struct oracle_surface surfaces[HARNESS_MAX_SURFACES];
    struct oracle_allowance allowed;
    struct oracle_run cleaned;
    size_t size = 0;
    for (uint32_t window = 0; window < search->runs[1].window_count; window++)
        size += search->runs[1].windows[window].size;
    if (search->tolerated.memory == NULL) /* windows stay as they are */
        search->tolerated = (struct oracle_tolerated){ .memory = malloc(size), .size = size };
    if (search->tolerated.memory == NULL)
        return harness_fail_memory(error);
    for (size_t i = 0; i < search->surfaces.count; i++)
        surfaces[i] = search->surfaces.items[i].surface;
    oracle_tolerate(&search->runs[0], &search->runs[1], surfaces, search->surfaces.count, search->tolerance,
                    &search->tolerated, &cleaned, &allowed);
    search->runs[1] = cleaned;
    return HARNESS_OK;
}

enum harness_status harness_localise_collect(struct harness_localise *search, struct harness_error *error)
{
    for (int side = 0; side < 2; side++)
        if (harness_runner_collect(search->runners[side], &search->runs[side]) != PICA_OK)
            return harness_localise_fail(search, "reading results", error);
    return search->tolerance != NULL && !oracle_same(&search->runs[0], &search->runs[1]) ? tolerate(search, error)
                                                                                         : HARNESS_OK;
}

bool harness_localise_differs(const struct harness_localise *search, enum harness_localise_part part)
{
    const struct oracle_run *const a = &search->runs[0], *const b = &search->runs[1];
    struct oracle_report report;
    if (oracle_same(a, b))
        return false;
    switch (part) {
    case HARNESS_LOCALISE_MEMORY: oracle_memory_equal(a, b, &report); break;
    case HARNESS_LOCALISE_REGISTERS: oracle_registers_equal(a, b, &report); break;
    case HARNESS_LOCALISE_STATE: oracle_state_equal(a, b, &report); break;
    case HARNESS_LOCALISE_ALL:
    default: return true;
    }
    return report.verdict == ORACLE_DIVERGE;
}

enum harness_status harness_localise_run_commands(struct harness_localise *search, uint32_t commands, bool *differ,
                                                  struct harness_error *error)
{
    for (int side = 0; side < 2; side++)
        if (harness_localise_load(search, side, commands) != PICA_OK ||
            harness_localise_run(search, side, commands) != PICA_OK)
            return harness_localise_fail(search, "running a part of the case", error);
    const enum harness_status status = harness_localise_collect(search, error);
    if (status == HARNESS_OK)
        *differ = harness_localise_differs(search, search->part);
    return status;
}

/* ---------------------------------------------------------------------------------------------------- the operation */

/* The surfaces that are drawn to, where a tolerance asks for them. */
static void observe(struct harness_localise *search, bool on)
{
    struct harness_runner *const runner = search->runners[0];
    const struct pica_backend *const backend = harness_runner_backend(runner);
    if (search->tolerance != NULL && backend->observe_draws != NULL)
        (void)backend->observe_draws(harness_runner_instance(runner), on ? harness_surfaces_observe : NULL,
                                     on ? &search->surfaces : NULL);
}

/* Index in the program of the first operation after which the two differ, or program->count. */
static enum harness_status find_operation(struct harness_localise *search, const struct harness_program *program,
                                          uint32_t *found, struct harness_error *error)
{
    for (int side = 0; side < 2; side++)
        if (harness_runner_load(search->runners[side], &program->setup) != PICA_OK)
            return harness_localise_fail(search, "loading", error);
    observe(search, true);
    for (*found = 0; *found < program->count; ++*found) {
        harness_surfaces_add_operation(&search->surfaces, &program->operations[*found]);
        for (int side = 0; side < 2; side++)
            if (harness_runner_step(search->runners[side], &program->operations[*found]) != PICA_OK)
                return harness_localise_fail(search, "running an operation", error);
        const enum harness_status status = harness_localise_collect(search, error);
        if (status != HARNESS_OK || !oracle_same(&search->runs[0], &search->runs[1]))
            return status;
    }
    return HARNESS_OK;
}

bool harness_localise_shares_state(const struct harness_runner *runner)
{
    const struct pica_models *const models = harness_runner_backend(runner)->models;
    const uint32_t parts = (uint32_t)PICA_PARTS_ALL & ~((uint32_t)PICA_PART_EVENTS | (uint32_t)PICA_PART_SCREENS);
    return models != NULL && (models->parts & parts) == parts && models->registers_not_kept_count == 0 &&
           models->engine_registers == NULL && (models->budgets & (uint32_t)PICA_BUDGET_COMMANDS) != 0;
}

/* Can both stop at a budget of commands that nothing but the guilty operation meets? */
static bool can_budget(const struct harness_localise *search)
{
    for (int side = 0; side < 2; side++) {
        const struct pica_models *const models = harness_runner_backend(search->runners[side])->models;
        if (models == NULL || (models->budgets & (uint32_t)PICA_BUDGET_COMMANDS) == 0)
            return false;
    }
    for (uint32_t i = 0; i < search->index; i++) {
        const enum pica_operation_kind kind = search->program->operations[i].kind;
        if (kind == PICA_OPERATION_SUBMIT_LIST || kind == PICA_OPERATION_WRITE_REGISTER) /* which may start a list */
            return false;
    }
    return true;
}

/* Brings both sides to the state before operation `index`, which they share. */
static enum harness_status take_checkpoint(struct harness_localise *search, const struct harness_program *program,
                                           uint32_t index, struct harness_error *error)
{
    struct harness_runner *const runner = search->runners[0];
    if (harness_runner_load(runner, &program->setup) != PICA_OK ||
        harness_runner_run(runner, program->operations, index) != PICA_OK ||
        harness_checkpoint_take(search->checkpoint, runner, &program->setup) != PICA_OK)
        return harness_localise_fail(search, "taking a checkpoint", error);
    return HARNESS_OK;
}

static enum harness_localise_part first_part(const struct harness_localise *search)
{
    for (int part = HARNESS_LOCALISE_MEMORY; part <= HARNESS_LOCALISE_STATE; part++)
        if (harness_localise_differs(search, (enum harness_localise_part)part))
            return (enum harness_localise_part)part;
    return HARNESS_LOCALISE_ALL;
}

/* Bytes that differ after an engine has run. */
struct differing {
    uint32_t window[64], offset[64];
    uint8_t values[64][2];
    uint32_t count;
};

static void find_differing(const struct harness_localise *search, struct differing *out)
{
    const uint32_t most = sizeof out->window / sizeof out->window[0];
    for (uint32_t w = 0; w < search->runs[0].window_count; w++)
        for (uint32_t i = 0; i < search->runs[0].windows[w].size && out->count < most; i++) {
            const uint8_t a = search->runs[0].memory[w][i], b = search->runs[1].memory[w][i];
            if (a == b)
                continue;
            out->window[out->count] = w;
            out->offset[out->count] = i;
            out->values[out->count][0] = a;
            out->values[out->count++][1] = b;
        }
}

/* PSC-05, PSC-06: is the first pattern of a fill right? */
static bool is_repeated(const struct harness_localise *search, const struct differing *differing)
{
    const enum pica_fill_width width = pica_fill_ctrl_width(search->operation->words[3]);
    const uint32_t length = width == PICA_FILL_WIDTH_16 ? 2 : width == PICA_FILL_WIDTH_32 ? 4 : 3;
    const uint32_t first = pica_fill_address_address(search->operation->words[0]) * 16u;
    return search->operation->kind == PICA_OPERATION_MEMORY_FILL && differing->count != 0 &&
           search->runs[0].windows[differing->window[0]].address + differing->offset[0] >= first + length;
}

/* Where the two differ after an engine has run, has one of them, byte for byte, what was there before? */
static bool is_not_written(struct harness_localise *search, const struct differing *differing)
{
    bool untouched = true;
    if (harness_runner_load(search->runners[0], &search->program->setup) != PICA_OK ||
        harness_runner_run(search->runners[0], search->program->operations, search->index) != PICA_OK ||
        harness_runner_collect(search->runners[0], &search->runs[0]) != PICA_OK)
        return false;
    for (uint32_t i = 0; i < differing->count; i++) {
        const uint8_t before = search->runs[0].memory[differing->window[i]][differing->offset[i]];
        untouched = untouched && (before == differing->values[i][0] || before == differing->values[i][1]);
    }
    return differing->count != 0 && untouched;
}

/* --------------------------------------------------------------------------------------------------------- together */

static enum harness_status search_in(struct harness_localise *search, const struct harness_program *program,
                                     struct harness_location *out, struct harness_error *error)
{
    uint32_t index = 0;
    enum harness_status status = find_operation(search, program, &index, error);
    observe(search, false);
    if (status != HARNESS_OK || index == program->count)
        return status;
    search->program = program;
    search->index = index;
    search->operation = &program->operations[index];
    out->differs = true;
    out->operation = program->origins[index];
    out->kind = search->operation->kind;
    out->unit = search->operation->unit;
    if (out->kind == PICA_OPERATION_WRITE_REGISTER) {
        out->write_address = search->operation->address;
        out->write_value = search->operation->words[0];
    }
    oracle_all_equal(&search->runs[0], &search->runs[1], false, &out->report);
    harness_localise_name(search, out);
    if (strcmp(out->report.oracle, "screens_equal") == 0 && harness_localise_display(search, out)) {
        out->stage = pica_stage_word_info(PICA_STAGE_WORD_DISPLAY)->text;
        return HARNESS_OK;
    }
    if (out->kind != PICA_OPERATION_SUBMIT_LIST && out->kind != PICA_OPERATION_WRITE_REGISTER) {
        struct oracle_report memory;
        oracle_memory_equal(&search->runs[0], &search->runs[1], &memory);
        search->same_memory = memory.verdict != ORACLE_DIVERGE;
        struct differing differing = { .count = 0 };
        find_differing(search, &differing);
        search->repeated = is_repeated(search, &differing);
        search->not_written = is_not_written(search, &differing);
        if (harness_localise_takes_words(out->kind))
            harness_localise_needs_words(search);
        return HARNESS_OK;
    }
    if (harness_localise_is_recorded(search))
        return harness_localise_history(search, out, error);
    search->stateless =
        !harness_localise_shares_state(search->runners[0]) || !harness_localise_shares_state(search->runners[1]);
    if (search->stateless)
        harness_localise_unroll(search);
    search->replays = search->stateless;
    search->is_budgeted = search->stateless && can_budget(search);
    search->part = first_part(search);
    if (!search->replays)
        status = take_checkpoint(search, program, index, error);
    return status == HARNESS_OK ? harness_localise_command(search, out, error) : status;
}

enum {
    FOREIGN = 7 + HARNESS_LOCATION_RULES /* at most HARNESS_LOCATION_NAMES */
};

/* The strings that may be a backend's. */
static void find_foreign(struct harness_location *location, const char **out[FOREIGN])
{
    const char **const strings[FOREIGN] = {
        &location->stage,
        &location->rule,
        &location->value,
        &location->step_first.stage,
        &location->step_first.name,
        &location->step_second.stage,
        &location->step_second.name,
        &location->broken[0],
        &location->broken[1],
        &location->broken[2],
    };
    memcpy(out, strings, sizeof strings);
}

/* Puts what may be a backend's into the location itself. */
static void own_names(struct harness_location *location)
{
    const char **strings[FOREIGN];
    find_foreign(location, strings);
    for (size_t i = 0; i < FOREIGN; i++)
        (void)snprintf(location->names[i], HARNESS_LOCATION_NAME, "%s", *strings[i] != NULL ? *strings[i] : "");
    location->owns_names = true;
    harness_location_moved(location);
}

void harness_location_moved(struct harness_location *location)
{
    const char **strings[FOREIGN];
    find_foreign(location, strings);
    for (size_t i = 0; i < FOREIGN && location->owns_names; i++)
        *strings[i] = *strings[i] != NULL ? location->names[i] : NULL;
}

enum harness_status harness_localise(struct harness_runner *a, struct harness_runner *b,
                                     const struct harness_program *program, struct harness_location *out,
                                     struct harness_error *error)
{
    memset(out, 0, sizeof *out);
    out->first = harness_runner_backend(a)->name;
    out->second = harness_runner_backend(b)->name;
    out->rule = "";
    struct harness_localise *const search = calloc(1, sizeof *search);
    if (search == NULL)
        return harness_fail_memory(error);
    search->runners[0] = a;
    search->runners[1] = b;
    harness_runners_choices(search->runners, 2, &search->choices);
    search->tolerance = harness_compare_tolerance(a, b);
    harness_surfaces_clear(&search->surfaces, &search->choices);
    search->checkpoint = harness_checkpoint_create();
    struct harness_error trouble = { "" };
    const enum harness_status status =
        search->checkpoint == NULL ? harness_fail_memory(&trouble) : search_in(search, program, out, &trouble);
    if (status != HARNESS_OK) /* the difference is known, whatever happens to one who looks closer */
        harness_localise_note(out, "not explained further: %s", trouble.message);
    else
        harness_localise_rule(search, out);
    if (search->unrolled != NULL)
        harness_localise_unrolled_place(search, out);
    own_names(out);
    harness_checkpoint_destroy(search->checkpoint);
    harness_localise_alone_free(search->alone);
    harness_localise_unrolled_free(search->unrolled);
    free(search->tolerated.memory);
    free(search->starts);
    free(search->words);
    for (size_t i = 0; i < sizeof search->kept / sizeof search->kept[0]; i++)
        free(search->kept[i]);
    free(search->recorded[0].steps);
    free(search->recorded[1].steps);
    free(search);
    return HARNESS_OK;
}
