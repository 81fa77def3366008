#include "harness/vectors/machines.h"

#include "harness/case/text.h"
#include "harness/vectors/steps.h"
#include "pica/splits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 12, /* choices that are asked together: most cases are changed by none of them */
    BLOCKS = (PICA_CHOICES + BLOCK - 1) / BLOCK,
    GROUPS = BLOCKS + PICA_MOST_SIDES - 2 /* side 1 by blocks; of the few further sides all at once */
};

/* They show in nearly every case, and so are asked alone. */
static const enum pica_choice everywhere[] = { PICA_CHOICE_STATUS_BITS,  PICA_CHOICE_RESET_IRQ_MASK,
                                               PICA_CHOICE_RESET_243,    PICA_CHOICE_RESET_289,
                                               PICA_CHOICE_REGISTER_035, PICA_CHOICE_RESET_ARMED };

struct machine {
    struct harness_backend backend;
    struct harness_runner *runner;
};

/* Sides that a machine takes at once. */
struct set {
    uint32_t sides[VECTORS_MOST_SIDES];
    size_t count;
};

struct vectors_machines {
    struct machine sides[VECTORS_ALL_MACHINES];
    struct set sets[VECTORS_MOST_COMBINED];
    size_t set_count;
    struct machine groups[GROUPS];
};

struct vectors_machines *vectors_machines_create(void)
{
    return calloc(1, sizeof(struct vectors_machines));
}

static void close_machine(struct machine *machine)
{
    if (machine->runner == NULL)
        return;
    harness_runner_destroy(machine->runner);
    harness_backend_close(&machine->backend);
}

void vectors_machines_destroy(struct vectors_machines *machines)
{
    if (machines == NULL)
        return;
    for (size_t i = 0; i < VECTORS_ALL_MACHINES; i++)
        close_machine(&machines->sides[i]);
    for (size_t i = 0; i < GROUPS; i++)
        close_machine(&machines->groups[i]);
    free(machines);
}

static enum harness_status open_machine(struct machine *machine, const char *name, struct harness_runner **out,
                                        struct harness_error *error)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    *out = machine->runner;
    if (machine->runner != NULL)
        return HARNESS_OK;
    const enum harness_status status = harness_backend_open(name, &machine->backend, error);
    if (status != HARNESS_OK)
        return status;
    if (harness_runner_create(machine->backend.backend, &options, out) != PICA_OK) {
        harness_backend_close(&machine->backend);
        return harness_fail(error, HARNESS_HOST, "%s: cannot be created", name);
    }
    machine->runner = *out;
    return HARNESS_OK;
}

static uint32_t choice_of(size_t side)
{
    return (uint32_t)(side - 1) / PICA_MOST_SIDES;
}

static void add_name(size_t side, char out[VECTORS_TEXT])
{
    const uint32_t choice = choice_of(side), number = (uint32_t)(side - 1) % PICA_MOST_SIDES;
    const size_t used = strlen(out);
    (void)snprintf(out + used, VECTORS_TEXT - used, "%s%s=%s", used != 0 ? "+" : "", pica_choice_info(choice)->name,
                   pica_side_info(choice, number)->word);
}

void vectors_machine_name(const struct vectors_machines *machines, size_t side, char out[VECTORS_TEXT])
{
    out[0] = '\0';
    if (side >= VECTORS_ALL_SIDES) {
        const struct set *const set = &machines->sets[side - VECTORS_ALL_SIDES];
        for (size_t i = 0; i < set->count; i++)
            add_name(set->sides[i], out);
    } else if (side != 0) {
        add_name(side, out);
    }
}

enum harness_status vectors_machine(struct vectors_machines *machines, size_t side, struct harness_runner **out,
                                    struct harness_error *error)
{
    char word[VECTORS_TEXT], name[VECTORS_TEXT + 16];
    vectors_machine_name(machines, side, word);
    (void)snprintf(name, sizeof name, "reference%s%s", side != 0 ? "+" : "", word);
    return open_machine(&machines->sides[side], name, out, error);
}

/* Choices and the side of them that are asked together. */
struct group {
    uint32_t first, end, number;
};

static struct group group_of(uint32_t index)
{
    if (index >= BLOCKS)
        return (struct group){ 0, PICA_CHOICES, index - BLOCKS + 2 };
    const uint32_t end = (index + 1) * BLOCK;
    return (struct group){ index * BLOCK, end < PICA_CHOICES ? end : PICA_CHOICES, 1 };
}

static bool is_everywhere(uint32_t choice)
{
    for (size_t i = 0; i < sizeof everywhere / sizeof everywhere[0]; i++)
        if (everywhere[i] == choice)
            return true;
    return false;
}

/* Has the choice such a side that is asked in groups? */
static bool is_member(uint32_t choice, uint32_t number)
{
    return number < pica_side_count(choice) && !(number == 1 && is_everywhere(choice));
}

static enum harness_status open_group(struct vectors_machines *machines, uint32_t index, struct harness_runner **out,
                                      struct harness_error *error)
{
    static const char base[] = "reference";
    const struct group group = group_of(index);
    struct harness_text name;
    *out = machines->groups[index].runner;
    if (*out != NULL)
        return HARNESS_OK;
    harness_text_init(&name);
    harness_text_add(&name, base);
    for (uint32_t choice = group.first; choice < group.end; choice++)
        if (is_member(choice, group.number))
            harness_text_format(&name, "+%s=%s", pica_choice_info(choice)->name,
                                pica_side_info(choice, group.number)->word);
    const enum harness_status status = open_machine(&machines->groups[index], harness_text_string(&name), out, error);
    harness_text_free(&name);
    return status;
}

/* One case on all of them. */
struct question {
    struct vectors_machines *machines;
    const struct harness_program *program;
    uint64_t normative;
    uint32_t *sides;
    size_t most, count;
};

static enum harness_status ask(const struct question *question, struct harness_runner *runner, bool *differs,
                               struct harness_error *error)
{
    uint64_t trace = question->normative;
    const enum harness_status status = vectors_trace(runner, question->program, &trace, error);
    *differs = trace != question->normative;
    return status;
}

static enum harness_status ask_one(struct question *question, uint32_t choice, uint32_t number,
                                   struct harness_error *error)
{
    bool differs = false;
    struct harness_runner *runner = NULL;
    const uint32_t side = 1 + choice * PICA_MOST_SIDES + number;
    enum harness_status status = vectors_machine(question->machines, side, &runner, error);
    if (status == HARNESS_OK)
        status = ask(question, runner, &differs, error);
    if (differs && question->count < question->most)
        question->sides[question->count] = side;
    question->count += differs;
    return status;
}

static enum harness_status ask_group(struct question *question, uint32_t index, struct harness_error *error)
{
    const struct group group = group_of(index);
    struct harness_runner *runner = NULL;
    bool differs = false;
    enum harness_status status = open_group(question->machines, index, &runner, error);
    if (status == HARNESS_OK)
        status = ask(question, runner, &differs, error);
    for (uint32_t choice = group.first; differs && choice < group.end && status == HARNESS_OK; choice++)
        if (is_member(choice, group.number))
            status = ask_one(question, choice, group.number, error);
    return status;
}

enum harness_status vectors_machines_differing(struct vectors_machines *machines, const struct harness_program *program,
                                               uint32_t *sides, size_t most, size_t *count, struct harness_error *error)
{
    struct question question = { machines, program, 0, sides, most, 0 };
    struct harness_runner *runner = NULL;
    enum harness_status status = vectors_machine(machines, 0, &runner, error);
    if (status == HARNESS_OK)
        status = vectors_trace(runner, program, &question.normative, error);
    for (size_t i = 0; i < sizeof everywhere / sizeof everywhere[0] && status == HARNESS_OK; i++)
        status = ask_one(&question, everywhere[i], 1, error);
    for (uint32_t index = 0; index < GROUPS && status == HARNESS_OK; index++)
        status = ask_group(&question, index, error);
    *count = question.count;
    return status;
}

/* ----------------------------------------------------------------------------------------------------- combinations */

/* The sides of a case by their choice. */
struct wheel {
    uint32_t choice, sides[PICA_MOST_SIDES];
    uint32_t count;
};

struct wheels {
    struct wheel items[VECTORS_MOST_SIDES];
    size_t count, turns; /* turns: in how many ways a side of each choice, or none, can be taken */
};

static struct wheel *wheel_of(struct wheels *wheels, uint32_t choice)
{
    for (size_t i = 0; i < wheels->count; i++)
        if (wheels->items[i].choice == choice)
            return &wheels->items[i];
    wheels->items[wheels->count] = (struct wheel){ .choice = choice };
    return &wheels->items[wheels->count++];
}

static void sort_sides(const uint32_t *sides, size_t count, struct wheels *out)
{
    *out = (struct wheels){ .turns = 1 };
    for (size_t i = 0; i < count; i++) {
        struct wheel *const wheel = wheel_of(out, choice_of(sides[i]));
        wheel->sides[wheel->count++] = sides[i];
    }
    for (size_t i = 0; i < out->count && out->turns <= VECTORS_MOST_COMBINED; i++)
        out->turns *= out->items[i].count + 1;
}

/* What is taken after so many turns. */
static struct set set_at(const struct wheels *wheels, size_t turn)
{
    struct set set = { .count = 0 };
    for (size_t i = 0; i < wheels->count; i++) {
        const size_t place = turn % (wheels->items[i].count + 1);
        turn /= wheels->items[i].count + 1;
        if (place != 0)
            set.sides[set.count++] = wheels->items[i].sides[place - 1];
    }
    return set;
}

/* The number of the machine that takes these sides, or 0: there are too many. */
static uint32_t combine(struct vectors_machines *machines, const struct set *set)
{
    size_t at = 0;
    while (at < machines->set_count && memcmp(&machines->sets[at], set, sizeof *set) != 0)
        at++;
    if (at == VECTORS_MOST_COMBINED)
        return 0;
    machines->sets[at] = *set;
    machines->set_count += at == machines->set_count;
    return (uint32_t)(VECTORS_ALL_SIDES + at);
}

static enum harness_status trace_of(struct vectors_machines *machines, size_t side,
                                    const struct harness_program *program, uint64_t *out, struct harness_error *error)
{
    struct harness_runner *runner = NULL;
    const enum harness_status status = vectors_machine(machines, side, &runner, error);
    return status == HARNESS_OK ? vectors_trace(runner, program, out, error) : status;
}

static bool is_among(uint64_t trace, const uint64_t *traces, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (traces[i] == trace)
            return true;
    return false;
}

enum harness_status vectors_machines_combined(struct vectors_machines *machines, const struct harness_program *program,
                                              uint32_t *sides, size_t most, size_t *count, bool *fits,
                                              struct harness_error *error)
{
    struct wheels wheels;
    uint64_t traces[VECTORS_MOST_SIDES + 1];
    enum harness_status status = HARNESS_OK;
    sort_sides(sides, *count, &wheels);
    *fits = wheels.turns <= most + 1;
    if (!*fits || wheels.count < 2)
        return HARNESS_OK;
    for (size_t i = 0; i <= *count && status == HARNESS_OK; i++)
        status = trace_of(machines, i == 0 ? 0 : sides[i - 1], program, &traces[i], error);
    for (size_t turn = 1; turn < wheels.turns && status == HARNESS_OK; turn++) {
        const struct set set = set_at(&wheels, turn);
        const uint32_t side = set.count < 2 ? 0 : combine(machines, &set);
        if (side == 0)
            continue;
        status = trace_of(machines, side, program, &traces[*count + 1], error);
        if (status == HARNESS_OK && !is_among(traces[*count + 1], traces, *count + 1))
            sides[(*count)++] = side;
    }
    return status;
}
