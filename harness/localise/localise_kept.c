/* Does a draw need more of what came before it than the state? */
#include "harness/localise/localise_parts.h"
#include "harness/run/checkpoint.h"

#include <string.h>

enum {
    LIST_BYTES = 2048 /* of one command: at most a header, 256 parameters and padding, in multiples of 16 (SUB-02) */
};

/* A list that holds the command alone, at the end of a window, where a case seldom has anything. False if it does not
 * fit. */
static bool make_list(const struct pica_setup *setup, const struct harness_command *command, uint8_t *bytes,
                      struct pica_operation *load, struct pica_operation *submit)
{
    const struct harness_list list = { .commands = command, .count = 1 };
    struct harness_data data = { .kind = HARNESS_DATA_LIST, .list = list };
    const uint64_t size = harness_data_size(&data, true);
    const struct pica_window *const window = &setup->windows[setup->window_count - 1u];
    if (setup->window_count == 0 || size > LIST_BYTES || size > window->size)
        return false;
    harness_data_write(&data, true, bytes);
    const uint32_t address = window->address + window->size - (uint32_t)size;
    *load = (struct pica_operation){
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = address, .size = (uint32_t)size, .data = bytes
    };
    *submit = (struct pica_operation){ .kind = PICA_OPERATION_SUBMIT_LIST, .address = address, .size = (uint32_t)size };
    return true;
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

static bool run_both(struct harness_localise *search, const struct pica_operation *operation)
{
    return harness_runner_step(search->runners[0], operation) == PICA_OK &&
           harness_runner_step(search->runners[1], operation) == PICA_OK;
}

bool harness_localise_shows_alone(struct harness_localise *search, const struct harness_command *command,
                                  uint32_t number, bool *ran)
{
    uint8_t bytes[LIST_BYTES];
    struct pica_operation load, submit;
    struct harness_error error = { "" };
    *ran = false;
    if (search->replays || !make_list(&search->program->setup, command, bytes, &load, &submit))
        return false;
    struct harness_checkpoint *const checkpoint = harness_checkpoint_create();
    *ran = checkpoint != NULL && go_before(search, number - 1u, checkpoint) && run_both(search, &load) &&
           run_both(search, &submit) && harness_localise_collect(search, &error) == HARNESS_OK;
    harness_checkpoint_destroy(checkpoint);
    return *ran && harness_localise_differs(search, search->part);
}
