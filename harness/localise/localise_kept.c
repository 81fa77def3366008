/* Does a draw need more of what came before it than the state? */
#include "harness/localise/localise_parts.h"
#include "harness/run/checkpoint.h"
#include "oracles/equal.h"
#include "pica/memory.h"
#include "pica/regs.h"

/* The command as writes of the CPU (PSC-12), on one side. */
static enum pica_status write_it(const struct harness_localise *search, int side, const struct harness_command *command)
{
    for (uint32_t k = 0; k < command->count; k++) {
        struct pica_operation operation = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                            .address =
                                                PICA_INTERNAL_ADDRESS + 4u * harness_command_register(command, k) };
        operation.words[0] = command->parameters[k];
        const enum pica_status status = harness_runner_step(search->runners[side], &operation);
        if (status != PICA_OK)
            return status;
    }
    return PICA_OK;
}

static bool can_be_written(const struct harness_command *command)
{
    return command->mask == 0xF && command->id < PICA_REGISTERS &&
           harness_command_register(command, command->count - 1u) < PICA_REGISTERS;
}

/* Both sides in the state right before the command, which they share. */
static bool go_before(struct harness_localise *search, uint32_t commands, struct harness_checkpoint *checkpoint)
{
    if (harness_localise_load(search, 0, commands != 0 ? commands : 1) != PICA_OK ||
        (commands != 0 && harness_localise_run(search, 0, commands) != PICA_OK) ||
        harness_checkpoint_take(checkpoint, search->runners[0], &search->program->setup) != PICA_OK)
        return false;
    for (int side = 0; side < 2; side++)
        if (harness_runner_load(search->runners[side], harness_checkpoint_setup(checkpoint)) != PICA_OK)
            return false;
    return true;
}

void harness_localise_kept(struct harness_localise *search, const struct harness_command *command,
                           struct harness_location *out)
{
    struct harness_error error = { "" };
    if (search->replays || !can_be_written(command))
        return;
    struct harness_checkpoint *const checkpoint = harness_checkpoint_create();
    if (checkpoint != NULL && go_before(search, out->command - 1u, checkpoint) &&
        write_it(search, 0, command) == PICA_OK && write_it(search, 1, command) == PICA_OK &&
        harness_localise_collect(search, &error) == HARNESS_OK)
        out->keeps_more = oracle_same(&search->runs[0], &search->runs[1]);
    harness_checkpoint_destroy(checkpoint);
}
