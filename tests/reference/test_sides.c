/*
 * The known choices of the reference, through reference/reference.h: normative without a wish, refused numbers, what a
 * load does. What each side computes: tests/corpus/test_splits.c over corpus/splits.
 */
#include "harness/case/formats.h"
#include "harness/run/runner.h"
#include "pica/regs.h"
#include "reference/reference.h"

#include <criterion/criterion.h>

/* An instance with an empty case: what it shows are the values at reset. */
struct machine {
    struct harness_runner *runner;
    struct harness_case *test_case;
    struct harness_program *program;
};

static struct machine create(void)
{
    const struct pica_options options = { 0 };
    struct machine machine = { .test_case = harness_case_create(), .program = harness_program_create() };
    struct harness_error error = { "" };
    cr_assert_eq(harness_runner_create(ref_backend(), &options, &machine.runner), PICA_OK);
    cr_assert(harness_case_add_window(machine.test_case, 0x18000000, 0x1000));
    cr_assert_eq(harness_case_setup(machine.test_case, machine.program, &error), HARNESS_OK, "%s", error.message);
    return machine;
}

static void destroy(struct machine *machine)
{
    harness_runner_destroy(machine->runner);
    harness_program_destroy(machine->program);
    harness_case_destroy(machine->test_case);
}

/* REG-02: register 0x243 after a load, 0 or 0x37. */
static uint32_t register_243(const struct machine *machine)
{
    struct oracle_run run;
    cr_assert_eq(harness_runner_load(machine->runner, &machine->program->setup), PICA_OK);
    cr_assert_eq(harness_runner_collect(machine->runner, &run), PICA_OK);
    return run.state->registers[0x243];
}

static enum pica_status set(const struct machine *machine, const struct pica_choices *choices)
{
    return ref_set_choices(harness_runner_instance(machine->runner), choices);
}

Test(sides, are_the_normative_ones_without_a_wish_and_after_null_or_zeros)
{
    const struct pica_choices zeros = { { 0 } };
    struct pica_choices other = { { 0 } };
    struct machine machine = create();
    other.sides[PICA_CHOICE_RESET_243] = 1;
    cr_expect_eq(register_243(&machine), 0);
    cr_assert_eq(set(&machine, &other), PICA_OK);
    cr_expect_eq(register_243(&machine), 0x37);
    cr_assert_eq(set(&machine, NULL), PICA_OK);
    cr_expect_eq(register_243(&machine), 0);
    cr_assert_eq(set(&machine, &other), PICA_OK);
    cr_assert_eq(set(&machine, &zeros), PICA_OK);
    cr_expect_eq(register_243(&machine), 0);
    destroy(&machine);
}

Test(sides, stay_over_loads_and_over_a_refused_number)
{
    struct pica_choices choices = { { 0 } };
    struct machine machine = create();
    choices.sides[PICA_CHOICE_RESET_243] = 1;
    cr_assert_eq(set(&machine, &choices), PICA_OK);
    choices.sides[PICA_CHOICE_RESET_243] = 0;
    choices.sides[PICA_CHOICE_ZERO_AREA] = (uint8_t)pica_side_count(PICA_CHOICE_ZERO_AREA);
    cr_expect_eq(set(&machine, &choices), PICA_BAD_ARGUMENT);
    cr_expect_eq(register_243(&machine), 0x37);
    cr_expect_eq(register_243(&machine), 0x37);
    destroy(&machine);
}
