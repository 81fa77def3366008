#include "harness/findings/localise.h"

#include "harness/findings/localise_parts.h"
#include "oracles/equal.h"

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

static enum harness_status fail(const struct harness_localise *search, const char *what, struct harness_error *error)
{
    return harness_fail(error, HARNESS_HOST, "localise: %s failed on backend %s or %s", what,
                        harness_runner_backend(search->runners[0])->name,
                        harness_runner_backend(search->runners[1])->name);
}

enum harness_status harness_localise_load(struct harness_localise *search, const struct pica_setup *setup,
                                          struct harness_error *error)
{
    for (int side = 0; side < 2; side++)
        if (harness_runner_load(search->runners[side], setup) != PICA_OK)
            return fail(search, "loading", error);
    return HARNESS_OK;
}

enum harness_status harness_localise_step(struct harness_localise *search, const struct pica_operation *operation,
                                          struct harness_error *error)
{
    for (int side = 0; side < 2; side++)
        if (harness_runner_step(search->runners[side], operation) != PICA_OK)
            return fail(search, "running an operation", error);
    return HARNESS_OK;
}

enum harness_status harness_localise_collect(struct harness_localise *search, struct harness_error *error)
{
    for (int side = 0; side < 2; side++)
        if (harness_runner_collect(search->runners[side], &search->runs[side]) != PICA_OK)
            return fail(search, "reading results", error);
    return HARNESS_OK;
}

/* ----------------------------------------------------------------------------------------------------- the operation */

/* Index in the program of the first operation after which the two differ, or program->count. */
static enum harness_status find_operation(struct harness_localise *search, const struct harness_program *program,
                                          uint32_t *found, struct harness_error *error)
{
    enum harness_status status = harness_localise_load(search, &program->setup, error);
    for (*found = 0; status == HARNESS_OK && *found < program->count; ++*found) {
        status = harness_localise_step(search, &program->operations[*found], error);
        if (status == HARNESS_OK)
            status = harness_localise_collect(search, error);
        if (status == HARNESS_OK && !oracle_same(&search->runs[0], &search->runs[1]))
            return HARNESS_OK;
    }
    return status;
}

/* The state before operation `index`, which both sides share. */
static enum harness_status take_checkpoint(struct harness_localise *search, const struct harness_program *program,
                                           uint32_t index, struct harness_error *error)
{
    struct harness_runner *const runner = search->runners[0];
    size_t failed = 0;
    if (harness_runner_load(runner, &program->setup) != PICA_OK ||
        harness_runner_run(runner, program->operations, index, &failed) != PICA_OK ||
        harness_checkpoint_take(search->checkpoint, runner, &program->setup) != PICA_OK)
        return fail(search, "taking a checkpoint", error);
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------- the command */

enum harness_status harness_localise_run_commands(struct harness_localise *search, uint32_t commands, bool *differ,
                                                  struct harness_error *error)
{
    struct pica_setup *const setup = harness_checkpoint_setup(search->checkpoint);
    setup->limits.commands = commands;
    enum harness_status status = harness_localise_load(search, setup, error);
    if (status == HARNESS_OK)
        status = harness_localise_step(search, search->operation, error);
    if (status == HARNESS_OK)
        status = harness_localise_collect(search, error);
    if (status == HARNESS_OK)
        *differ = !oracle_same(&search->runs[0], &search->runs[1]);
    return status;
}

/* The smallest-known n such that the two are the same after n - 1 commands and differ after n; 0: none. */
static enum harness_status bisect_commands(struct harness_localise *search, uint32_t limit, uint32_t *found,
                                           struct harness_error *error)
{
    uint32_t same = 0, other = 1;
    bool differ = false;
    enum harness_status status = harness_localise_run_commands(search, other, &differ, error);
    while (status == HARNESS_OK && !differ && other < limit) {
        same = other;
        other = other > limit / 2 ? limit : other * 2;
        status = harness_localise_run_commands(search, other, &differ, error);
    }
    *found = differ ? other : 0;
    while (status == HARNESS_OK && differ && *found - same > 1) {
        const uint32_t middle = same + (*found - same) / 2;
        bool half = false;
        status = harness_localise_run_commands(search, middle, &half, error);
        if (half)
            *found = middle;
        else
            same = middle;
    }
    return status;
}

static uint32_t read_word(const struct oracle_run *run, uint32_t address)
{
    for (uint32_t i = 0; i < run->window_count; i++) {
        const uint32_t offset = address - run->windows[i].address;
        if (address < run->windows[i].address || offset > run->windows[i].size - 4)
            continue;
        const uint8_t *const p = run->memory[i] + offset;
        return (uint32_t)p[0] | ((uint32_t)p[1] << 8) | ((uint32_t)p[2] << 16) | ((uint32_t)p[3] << 24);
    }
    return 0;
}

/* The words of the submitted list as the checkpoint has them; the caller frees them. */
static uint32_t *list_words(const struct harness_localise *search, size_t *count)
{
    const struct pica_operation *const operation = search->operation;
    *count = operation->kind == PICA_OPERATION_SUBMIT_LIST ? operation->size / 4 : 0;
    uint32_t *const words = malloc((*count + 1) * sizeof *words);
    for (size_t i = 0; words != NULL && i < *count; i++)
        words[i] = read_word(&search->runs[0], operation->address + 4 * (uint32_t)i);
    return words;
}

static bool jumps(const struct harness_command *command)
{
    for (uint32_t i = 0; i < command->count; i++) {
        const uint32_t id = harness_command_register(command, i);
        if (id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1)
            return true;
    }
    return false;
}

/* Where command number `search->commands` stands: known as long as no earlier command leaves the list. */
static void name_command(struct harness_localise *search, struct harness_location *out)
{
    size_t count = 0;
    uint32_t *const words = list_words(search, &count);
    struct harness_case *const scratch = harness_case_create();
    struct harness_list list = { 0 };
    out->command_word = UINT32_MAX;
    if (words != NULL && scratch != NULL && harness_list_decode(scratch, &list, words, count)) {
        uint32_t index = 0;
        while (index < list.count && index + 1 < out->command && !jumps(&list.commands[index]))
            index++;
        if (index < list.count && index + 1 == out->command) {
            out->command_word = (uint32_t)harness_list_header_word(&list, index);
            out->header = harness_command_header(&list.commands[index]);
            out->parameter = list.commands[index].parameters[0];
        }
    }
    harness_case_destroy(scratch);
    free(words);
}

/* ------------------------------------------------------------------------------------------------------- in one word */

/* What differs when no draw is to blame. */
static void name_difference(struct harness_localise *search, struct harness_location *out)
{
    const struct oracle_run *const a = &search->runs[0], *const b = &search->runs[1];
    struct oracle_report report;
    if (out->kind == PICA_OPERATION_MEMORY_FILL)
        out->stage = "memory fill";
    else if (out->kind == PICA_OPERATION_DISPLAY_TRANSFER)
        out->stage = (search->operation->words[4] & 8u) != 0 ? "texture copy" : "display transfer";
    else if (out->kind == PICA_OPERATION_VERTICAL_BLANK)
        out->stage = "vertical blank";
    if (out->stage != NULL)
        return;
    oracle_registers_equal(a, b, &report);
    out->stage = report.verdict == ORACLE_DIVERGE ? "registers" : NULL;
    oracle_state_equal(a, b, &report);
    if (out->stage == NULL && report.verdict == ORACLE_DIVERGE)
        out->stage = "state";
    oracle_memory_equal(a, b, &report);
    if (out->stage == NULL)
        out->stage = report.verdict == ORACLE_DIVERGE ? "memory" : "events";
}

static enum harness_status find_command(struct harness_localise *search, const struct harness_program *program,
                                        struct harness_location *out, struct harness_error *error)
{
    uint32_t found = 0;
    enum harness_status status = bisect_commands(search, program->setup.limits.commands, &found, error);
    if (status != HARNESS_OK)
        return status;
    if (found == 0) {
        harness_localise_note(out,
                              "from a copy of the state before the operation the two agree: "
                              "a backend does not take over all of an initial state, or the fault depends on more");
        return HARNESS_OK;
    }
    out->has_command = true;
    out->command = found;
    bool differ = false;
    status = harness_localise_run_commands(search, found, &differ, error);
    if (status != HARNESS_OK)
        return status;
    oracle_all_equal(&search->runs[0], &search->runs[1], false, &out->report);
    name_command(search, out);
    return harness_localise_draw(search, out, error);
}

static enum harness_status search_in(struct harness_localise *search, const struct harness_program *program,
                                     struct harness_location *out, struct harness_error *error)
{
    uint32_t index = 0;
    enum harness_status status = find_operation(search, program, &index, error);
    if (status != HARNESS_OK || index == program->count)
        return status;
    search->operation = &program->operations[index];
    out->differs = true;
    out->operation = program->origins[index];
    out->kind = search->operation->kind;
    out->unit = search->operation->unit;
    oracle_all_equal(&search->runs[0], &search->runs[1], false, &out->report);
    name_difference(search, out);
    if (out->kind != PICA_OPERATION_SUBMIT_LIST && out->kind != PICA_OPERATION_WRITE_REGISTER)
        return HARNESS_OK;
    status = take_checkpoint(search, program, index, error);
    return status == HARNESS_OK ? find_command(search, program, out, error) : status;
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
    search->checkpoint = harness_checkpoint_create();
    const enum harness_status status =
        search->checkpoint == NULL ? harness_fail_memory(error) : search_in(search, program, out, error);
    harness_checkpoint_destroy(search->checkpoint);
    free(search->recorded[0].steps);
    free(search->recorded[1].steps);
    free(search);
    return status;
}
