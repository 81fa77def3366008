#include "harness/console/packs/numbers.h"

#include "harness/case/formats.h"
#include "harness/console/packs/number_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_BYTES = 40,
    PICTURE = 65536 /* bytes */
};

static void name_case(const struct console_number_operation *operation, uint32_t part, char out[NAME_BYTES])
{
    if (console_number_cases(operation) == 1)
        (void)snprintf(out, NAME_BYTES, "%s", operation->name);
    else
        (void)snprintf(out, NAME_BYTES, "%s-%02" PRIu32, operation->name, part);
}

static enum harness_status make_case(const struct console_number_operation *operation, uint32_t part,
                                     struct harness_case *out, struct harness_error *error)
{
    struct harness_text text = { 0 };
    console_number_write(operation, part, &text);
    const enum harness_status status =
        text.failed ? harness_fail_memory(error)
                    : harness_pcase_read(out, harness_text_string(&text), text.size, operation->name, error);
    harness_text_free(&text);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- export */

enum harness_status console_numbers_add(struct console_asking *asking, struct harness_error *error)
{
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(error) : HARNESS_OK;
    for (uint32_t i = 0; status == HARNESS_OK && i < CONSOLE_NUMBERS; i++)
        for (uint32_t part = 0; status == HARNESS_OK && part < console_number_cases(console_number_operation(i));
             part++) {
            char name[NAME_BYTES];
            name_case(console_number_operation(i), part, name);
            struct console_answer answer = { .taken = false };
            if (!console_export_wants(asking->export, name))
                continue;
            status = make_case(console_number_operation(i), part, test_case, error);
            if (status == HARNESS_OK)
                status = console_export_ask(asking->export, name, test_case, &answer, error);
            if (status == HARNESS_OK)
                console_asking_note(asking, name, &answer);
        }
    harness_case_destroy(test_case);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- results */

/* Case `part` of operation `index` has this name? */
static bool find_case(const char *name, uint32_t *index, uint32_t *part)
{
    char other[NAME_BYTES];
    for (*index = 0; *index < CONSOLE_NUMBERS; (*index)++) {
        const struct console_number_operation *const operation = console_number_operation(*index);
        if (strncmp(operation->name, name, strlen(operation->name)) != 0)
            continue;
        for (*part = 0; *part < console_number_cases(operation); (*part)++) {
            name_case(operation, *part, other);
            if (strcmp(name, other) == 0)
                return true;
        }
    }
    return false;
}

bool console_numbers_note(struct console_numbers_table *table, const struct console_imported *imported)
{
    uint32_t index = 0, part = 0;
    if (!find_case(imported->name, &index, &part))
        return false;
    struct console_numbers_row *const row = &table->rows[index];
    row->outcomes[imported->is_partial ? CONSOLE_OUTCOME_NOT_TESTED : imported->outcome]++;
    row->is_compared[part] =
        !imported->is_partial && (imported->outcome == CONSOLE_OUTCOME_OK || imported->outcome == CONSOLE_OUTCOME_ONCE);
    return true;
}

/* A backend that runs one case after the other. */
struct machine {
    struct harness_backend backend;
    struct harness_runner *runner;
};

static void close_machine(struct machine *machine)
{
    harness_runner_destroy(machine->runner);
    harness_backend_close(&machine->backend);
    machine->runner = NULL;
}

static enum harness_status open_machine(const char *name, struct machine *out, struct harness_error *error)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const enum harness_status status = harness_backend_open(name, &out->backend, error);
    if (status == HARNESS_OK && harness_runner_create(out->backend.backend, &options, &out->runner) != PICA_OK)
        return harness_fail_memory(error);
    return status;
}

static enum harness_status run_machine(struct machine *machine, const struct harness_program *program,
                                       uint8_t picture[PICTURE], struct harness_error *error)
{
    struct oracle_run run;
    if (harness_runner_load(machine->runner, &program->setup) != PICA_OK ||
        harness_runner_run(machine->runner, program->operations, program->count) != PICA_OK ||
        harness_runner_collect(machine->runner, &run) != PICA_OK)
        return harness_fail(error, HARNESS_HOST, "%s does not answer for a case of the pack numbers",
                            machine->backend.backend->name);
    memcpy(picture, run.memory[0], PICTURE);
    return HARNESS_OK;
}

/* `reference` and what a console left, for one operation after the other. */
struct judge {
    struct machine reference, recorded;
    struct harness_case *test_case;
    struct harness_program *program;
    console_wrong_observer observer;
    void *user;
    struct harness_error *error;
    const struct console_number_operation *operation; /* at hand, and its row */
    struct console_numbers_row *row;
    uint8_t expected[PICTURE], computed[PICTURE];
};

static void close_judge(struct judge *judge)
{
    if (judge == NULL)
        return;
    close_machine(&judge->reference);
    close_machine(&judge->recorded);
    harness_program_destroy(judge->program);
    harness_case_destroy(judge->test_case);
    free(judge);
}

static enum harness_status open_judge(const char *recorded_path, struct judge **out, struct harness_error *error)
{
    char recorded[4200];
    struct judge *const judge = calloc(1, sizeof *judge);
    (void)snprintf(recorded, sizeof recorded, "recorded:%s", recorded_path);
    *out = judge;
    if (judge == NULL)
        return harness_fail_memory(error);
    judge->error = error;
    judge->test_case = harness_case_create();
    judge->program = harness_program_create();
    if (judge->test_case == NULL || judge->program == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = open_machine("reference", &judge->reference, error);
    return status == HARNESS_OK ? open_machine(recorded, &judge->recorded, error) : status;
}

/* What the console left of a case, and what another machine leaves. */
static enum harness_status run_both(struct judge *judge, struct machine *other, uint32_t part)
{
    enum harness_status status = make_case(judge->operation, part, judge->test_case, judge->error);
    if (status == HARNESS_OK)
        status = harness_case_setup(judge->test_case, judge->program, judge->error);
    if (status == HARNESS_OK)
        status = run_machine(other, judge->program, judge->expected, judge->error);
    if (status == HARNESS_OK)
        status = run_machine(&judge->recorded, judge->program, judge->computed, judge->error);
    return status;
}

/* A byte, or the float24 above a byte of ones. */
static uint32_t result_at(const struct console_number_operation *operation, const uint8_t *picture, uint32_t offset)
{
    if (!console_number_is_float(operation))
        return picture[offset];
    const uint8_t *const at = picture + offset;
    return at[0] != 0xFF ? CONSOLE_NUMBER_NOTHING : at[1] | (uint32_t)at[2] << 8 | (uint32_t)at[3] << 16;
}

/* Where float24 numbers of one sign are counted, the smallest first. */
static void note_distance(struct console_numbers_row *row, uint32_t expected, uint32_t computed)
{
    static const uint32_t magnitude = 0x7FFFFF, infinity = 0x7F0000;
    const uint32_t a = expected & magnitude, b = computed & magnitude;
    if (((expected ^ computed) & ~magnitude) != 0 || a >= infinity || b >= infinity)
        return;
    const uint32_t distance = a > b ? a - b : b - a;
    row->below += b < a;
    row->above += b > a;
    row->furthest = distance > row->furthest ? distance : row->furthest;
}

static void note_wrong(struct judge *judge, const struct console_wrong_number *wrong)
{
    struct console_numbers_row *const row = judge->row;
    if (row->wrong < CONSOLE_WRONG_SHOWN)
        row->shown[row->wrong] = *wrong;
    row->wrong++;
    if (row->is_float)
        note_distance(row, wrong->expected, wrong->computed);
    if (judge->observer != NULL)
        judge->observer(judge->user, row, wrong);
}

static void compare(struct judge *judge, uint32_t part)
{
    struct console_numbers_row *const row = judge->row;
    const uint32_t count = console_number_count(judge->operation, part), before = row->wrong;
    for (uint32_t i = 0; i < count; i++) {
        struct console_number_place place;
        struct console_wrong_number wrong;
        console_number_place(judge->operation, part, i, &place);
        wrong.expected = result_at(judge->operation, judge->expected, place.offset);
        wrong.computed = result_at(judge->operation, judge->computed, place.offset);
        if (wrong.expected == wrong.computed)
            continue;
        memcpy(wrong.operands, place.operands, sizeof wrong.operands);
        note_wrong(judge, &wrong);
    }
    row->is_wrong[part] = row->wrong != before;
    row->inputs += count;
    row->compared++;
}

/* ----------------------------------------------------------------------------------------------- another side fits? */

/* Whether a machine leaves what the console left in the cases with wrong results, or in the others; ends with the first
 * that differs. */
static enum harness_status ask_machine(struct judge *judge, struct machine *machine, bool wrong_ones, bool *fits)
{
    const struct console_numbers_row *const row = judge->row;
    enum harness_status status = HARNESS_OK;
    for (uint32_t part = 0; status == HARNESS_OK && *fits && part < row->cases; part++) {
        if (!row->is_compared[part] || row->is_wrong[part] != wrong_ones)
            continue;
        status = run_both(judge, machine, part);
        *fits = status == HARNESS_OK && memcmp(judge->expected, judge->computed, PICTURE) == 0;
    }
    return status;
}

/* Choices about numbers, the combiner and blending. */
static bool is_tried(const struct pica_choice_info *choice)
{
    static const char *const prefixes[] = { "FLT-", "TEV-", "BLD-" };
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(choice->rule, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static enum harness_status try_side(struct judge *judge, uint32_t choice, uint32_t side)
{
    char name[160];
    struct machine machine = { .runner = NULL };
    bool fits = true;
    const char *const word = pica_side_info(choice, side)->word, *const about = pica_choice_info(choice)->name;
    (void)snprintf(name, sizeof name, "reference+%s=%s", about, word);
    enum harness_status status = open_machine(name, &machine, judge->error);
    if (status == HARNESS_OK)
        status = ask_machine(judge, &machine, true, &fits);
    if (status == HARNESS_OK)
        status = ask_machine(judge, &machine, false, &fits);
    if (status == HARNESS_OK && fits)
        (void)snprintf(judge->row->fits, sizeof judge->row->fits, "%s = %s", about, word);
    close_machine(&machine);
    return status;
}

static enum harness_status find_side(struct judge *judge)
{
    enum harness_status status = HARNESS_OK;
    for (uint32_t choice = 0; choice < PICA_CHOICES; choice++)
        for (uint32_t side = 1; is_tried(pica_choice_info(choice)) && side < pica_side_count(choice); side++)
            if (status == HARNESS_OK && judge->row->fits[0] == '\0')
                status = try_side(judge, choice, side);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- verdicts */

/* One wrong result is enough; else one case that says nothing is. */
static enum console_verdict verdict_of(const struct console_numbers_row *row)
{
    if (row->wrong != 0)
        return CONSOLE_CONTRADICTED;
    if (row->outcomes[CONSOLE_OUTCOME_UNSTABLE] != 0)
        return CONSOLE_UNSTABLE;
    if (row->outcomes[CONSOLE_OUTCOME_HANG] + row->outcomes[CONSOLE_OUTCOME_CRASH] != 0)
        return CONSOLE_HUNG;
    return row->compared != 0 ? CONSOLE_CONFIRMED : CONSOLE_NOT_COVERED;
}

static void describe_row(const struct console_number_operation *operation, struct console_numbers_row *row)
{
    row->name = operation->name;
    row->rule = operation->rule;
    row->is_float = console_number_is_float(operation);
    row->takes_binary32 = operation->kind == CONSOLE_NUMBER_FETCH;
    row->operand_count = operation->operands;
    row->cases = console_number_cases(operation);
}

static enum harness_status judge_row(struct judge *judge)
{
    struct console_numbers_row *const row = judge->row;
    enum harness_status status = HARNESS_OK;
    describe_row(judge->operation, row);
    for (uint32_t part = 0; status == HARNESS_OK && part < row->cases; part++) {
        if (!row->is_compared[part])
            continue;
        status = run_both(judge, &judge->reference, part);
        if (status == HARNESS_OK)
            compare(judge, part);
    }
    row->verdict = verdict_of(row);
    return status == HARNESS_OK && row->wrong != 0 ? find_side(judge) : status;
}

enum harness_status console_numbers_judge(struct console_numbers_table *table, const char *recorded_path,
                                          console_wrong_observer observer, void *user, struct harness_error *error)
{
    struct judge *judge = NULL;
    enum harness_status status = open_judge(recorded_path, &judge, error);
    for (uint32_t i = 0; status == HARNESS_OK && i < CONSOLE_NUMBERS; i++) {
        judge->observer = observer;
        judge->user = user;
        judge->operation = console_number_operation(i);
        judge->row = &table->rows[i];
        status = judge_row(judge);
    }
    close_judge(judge);
    return status;
}

bool console_numbers_can_read(const struct console_numbers_table *table)
{
    bool some = false;
    for (uint32_t i = 0; i < CONSOLE_NUMBERS; i++) {
        some = some || (table->rows[i].is_float && table->rows[i].compared != 0);
        if (strcmp(table->rows[i].name, "mov") == 0 && table->rows[i].verdict == CONSOLE_CONFIRMED)
            return true;
    }
    return !some;
}
