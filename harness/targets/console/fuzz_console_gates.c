/*
 * The property: any case may be checked for whether a console may run it (harness/console/gate.h), and a case that
 * passes becomes a payload that its reader accepts.
 */
#include "harness/case/formats.h"
#include "harness/console/gate.h"
#include "harness/console/pack.h"
#include "harness/console/view.h"
#include "harness/targets/target.h"

/* Global, since the engines' interface has no parameter for this state. */
static struct console_gates *gates;
static struct harness_case *test_case;
static struct harness_program *program;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct harness_error error = { "" };
    (void)argc;
    (void)argv;
    test_case = harness_case_create();
    program = harness_program_create();
    if (test_case == NULL || program == NULL || console_gates_create(true, &gates, &error) != HARNESS_OK)
        target_cannot_begin(error.message);
    return 0;
}

static void check_payload(const struct console_plan *plan)
{
    struct harness_error error = { "" };
    struct console_words payload = { .items = NULL };
    struct console_view view;
    struct console_pack *const pack = console_pack_create("fuzz", 0);
    const struct console_pack_case add = { .name = "case", .test_case = test_case, .program = program, .plan = plan };
    if (pack != NULL && console_pack_add(pack, &add, &error) == HARNESS_OK &&
        console_pack_finish(pack, &payload, &error) == HARNESS_OK &&
        console_view_open("payload", (const uint8_t *)payload.items, payload.count * sizeof(uint32_t), &view, &error) !=
            HARNESS_OK)
        target_fails("a case passed the gates, and its payload is refused", error.message);
    console_words_free(&payload);
    console_pack_destroy(pack);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct harness_error error = { "" };
    struct console_plan plan = { .step_count = 0 };
    harness_case_reset(test_case);
    if (!harness_pcb_decode(test_case, data, size))
        return 0;
    harness_bound_case(test_case);
    if (harness_case_setup(test_case, program, &error) != HARNESS_OK)
        return 0;
    if (console_gates_ask(gates, program, &plan, &error) == HARNESS_OK && plan.reasons.size == 0)
        check_payload(&plan);
    console_plan_free(&plan);
    return 0;
}
