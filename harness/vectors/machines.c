#include "harness/vectors/machines.h"

#include "harness/vectors/steps.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT = 128, /* machines; each is about a megabyte */
    BLOCK = 16  /* sides that are asked together: most cases are changed by none of them */
};

/* Choices about what registers hold after reset show in nearly every case, so they are asked one by one. */
static const enum pica_choice everywhere[] = { PICA_CHOICE_STATUS_BITS,  PICA_CHOICE_RESET_IRQ_MASK,
                                               PICA_CHOICE_RESET_243,    PICA_CHOICE_RESET_289,
                                               PICA_CHOICE_REGISTER_035, PICA_CHOICE_RESET_ARMED };

struct machine {
    struct pica_choices choices;
    struct harness_backend backend;
    struct harness_runner *runner;
};

struct vectors_machines {
    struct machine items[KEPT];
    size_t count, next; /* next: to be replaced when all are there */
};

struct vectors_machines *vectors_machines_create(void)
{
    return calloc(1, sizeof(struct vectors_machines));
}

static void close_machine(struct machine *machine)
{
    harness_runner_destroy(machine->runner);
    if (machine->backend.backend != NULL)
        harness_backend_close(&machine->backend);
    memset(machine, 0, sizeof *machine);
}

void vectors_machines_destroy(struct vectors_machines *machines)
{
    if (machines == NULL)
        return;
    for (size_t i = 0; i < machines->count; i++)
        close_machine(&machines->items[i]);
    free(machines);
}

static enum harness_status open_machine(struct machine *machine, const struct pica_choices *choices,
                                        struct harness_error *error)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    machine->choices = *choices;
    enum harness_status status = harness_backend_open_chosen(choices, &machine->backend, error);
    if (status == HARNESS_OK && harness_runner_create(machine->backend.backend, &options, &machine->runner) != PICA_OK)
        status = harness_fail_memory(error);
    if (status != HARNESS_OK)
        close_machine(machine);
    return status;
}

enum harness_status vectors_machine(struct vectors_machines *machines, const struct pica_choices *choices,
                                    struct harness_runner **out, struct harness_error *error)
{
    *out = NULL;
    for (size_t i = 0; i < machines->count; i++)
        if (machines->items[i].runner != NULL && memcmp(&machines->items[i].choices, choices, sizeof *choices) == 0) {
            *out = machines->items[i].runner;
            return HARNESS_OK;
        }
    const bool is_full = machines->count == KEPT;
    struct machine *const machine = &machines->items[is_full ? machines->next++ % KEPT : machines->count++];
    close_machine(machine);
    const enum harness_status status = open_machine(machine, choices, error);
    *out = machine->runner;
    return status;
}

/* -------------------------------------------------------------------------------------------------- what touches it */

bool vectors_shows_everywhere(uint32_t choice)
{
    for (size_t i = 0; i < sizeof everywhere / sizeof everywhere[0]; i++)
        if (everywhere[i] == choice)
            return true;
    return false;
}

bool vectors_rules_name(const char *rules, uint32_t choice)
{
    const char *const rule = pica_choice_info(choice)->rule;
    const size_t length = strlen(rule);
    for (const char *at = strstr(rules, rule); at != NULL; at = strstr(at + 1, rule))
        if ((at == rules || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

struct side {
    uint32_t choice, number;
};

/* One case on all of them. */
struct question {
    struct vectors_machines *machines;
    const struct harness_program *program;
    const struct pica_choices *base;
    struct vectors_trace trace; /* of the base */
    struct side sides[PICA_CHOICES * PICA_MOST_SIDES];
    uint32_t count;
    struct vectors_sides *out;
};

/* Ordered by number, so that the sides of a block are of different choices and can be taken together. */
static void list_sides(struct question *question, const struct vectors_sides *asked)
{
    for (uint32_t number = 0; number < PICA_MOST_SIDES; number++)
        for (uint32_t choice = 0; choice < PICA_CHOICES; choice++)
            if (asked->at[choice][number] != VECTORS_NOWHERE && question->base->sides[choice] != number)
                question->sides[question->count++] = (struct side){ choice, number };
}

static uint32_t block_end(const struct question *question, uint32_t first)
{
    uint32_t end = first + 1;
    if (vectors_shows_everywhere(question->sides[first].choice))
        return end;
    while (end < question->count && end - first < BLOCK && !vectors_shows_everywhere(question->sides[end].choice) &&
           question->sides[end].number == question->sides[first].number)
        end++;
    return end;
}

static enum harness_status take_trace(const struct question *question, const struct pica_choices *choices,
                                      struct vectors_trace *out, struct harness_error *error)
{
    struct harness_runner *runner = NULL;
    const enum harness_status status = vectors_machine(question->machines, choices, &runner, error);
    return status == HARNESS_OK ? vectors_take_trace(runner, question->program, out, error) : status;
}

/* All of sides[first .. end) at once; if that shows, either half. */
static enum harness_status ask(struct question *question, uint32_t first, uint32_t end, struct harness_error *error)
{
    struct vectors_trace trace;
    struct pica_choices choices = *question->base;
    for (uint32_t i = first; i < end; i++)
        choices.sides[question->sides[i].choice] = (uint8_t)question->sides[i].number;
    enum harness_status status = take_trace(question, &choices, &trace, error);
    if (status != HARNESS_OK || vectors_trace_equal(&trace, &question->trace))
        return status;
    if (end - first == 1) {
        question->out->at[question->sides[first].choice][question->sides[first].number] =
            trace.memory != question->trace.memory ? VECTORS_IN_MEMORY : VECTORS_ELSEWHERE;
        return HARNESS_OK;
    }
    const uint32_t middle = first + (end - first) / 2;
    status = ask(question, first, middle, error);
    return status == HARNESS_OK ? ask(question, middle, end, error) : status;
}

enum harness_status vectors_machines_touching(struct vectors_machines *machines, const struct harness_program *program,
                                              const struct pica_choices *base, const struct vectors_sides *asked,
                                              struct vectors_sides *out, struct harness_error *error)
{
    struct question question = { .machines = machines, .program = program, .base = base, .out = out };
    memset(out, 0, sizeof *out);
    list_sides(&question, asked);
    enum harness_status status = take_trace(&question, base, &question.trace, error);
    for (uint32_t first = 0; first < question.count && status == HARNESS_OK;) {
        const uint32_t end = block_end(&question, first);
        status = ask(&question, first, end, error);
        first = end;
    }
    return status;
}
