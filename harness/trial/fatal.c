#include "harness/trial/fatal.h"

#include "pica/regs.h"

static bool submits(const struct harness_operation *operation)
{
    return operation->kind == HARNESS_RUN || operation->kind == HARNESS_SUBMIT || operation->kind == HARNESS_WRITE;
}

/* The budget is one for all submissions: none must come before the one that matters. */
static bool can_be_cut(const struct harness_case *test_case, const struct harness_symptom *symptom)
{
    if ((symptom->kind != HARNESS_CRASH && symptom->kind != HARNESS_HANG) ||
        symptom->operation_kind != PICA_OPERATION_SUBMIT_LIST || symptom->operation >= test_case->operation_count)
        return false;
    for (uint32_t i = 0; i < symptom->operation; i++)
        if (submits(&test_case->operations[i]))
            return false;
    return true;
}

static enum harness_status happens_within(struct harness_probe *probe, struct harness_case *test_case,
                                          const struct harness_symptom *symptom, uint32_t commands, bool *out,
                                          struct harness_error *error)
{
    struct harness_symptom now;
    test_case->limits.commands = commands;
    const enum harness_status status = harness_probe_try(probe, test_case, false, &now, error);
    *out = status == HARNESS_OK && now.kind == symptom->kind && now.backend == symptom->backend &&
           now.operation == symptom->operation;
    return status;
}

enum harness_status harness_fatal_command(struct harness_probe *probe, struct harness_case *test_case,
                                          const struct harness_symptom *symptom, uint32_t *out,
                                          struct harness_error *error)
{
    const uint32_t limit = test_case->limits.commands;
    uint32_t well = 0, ill = 1; /* commands */
    bool happens = false;
    *out = 0;
    if (!can_be_cut(test_case, symptom))
        return HARNESS_OK;
    enum harness_status status = happens_within(probe, test_case, symptom, ill, &happens, error);
    while (status == HARNESS_OK && !happens && ill < limit) {
        well = ill;
        ill = ill > limit / 2 ? limit : ill * 2;
        status = happens_within(probe, test_case, symptom, ill, &happens, error);
    }
    const bool found = happens && well != 0;
    while (status == HARNESS_OK && found && ill - well > 1) {
        const uint32_t middle = well + (ill - well) / 2;
        status = happens_within(probe, test_case, symptom, middle, &happens, error);
        if (happens)
            ill = middle;
        else
            well = middle;
    }
    test_case->limits.commands = limit;
    if (status == HARNESS_OK && found)
        *out = ill;
    return status;
}

const struct harness_command *harness_fatal_place(const struct harness_operation *operation, uint32_t command)
{
    const struct harness_list *const list = &operation->data.list;
    if (operation->kind != HARNESS_RUN || command == 0 || command > list->count)
        return NULL;
    for (uint32_t i = 0; i + 1 < command; i++)
        if (harness_command_writes_to(&list->commands[i], PICA_REG_CMDBUF_JUMP0, PICA_REG_CMDBUF_JUMP1))
            return NULL;
    return &list->commands[command - 1];
}
