#include "harness/run/checkpoint.h"

#include "harness/run/image.h"

#include <stdlib.h>

struct harness_checkpoint {
    struct pica_setup setup;
    struct pica_state state;
    struct pica_chunk chunks[PICA_MAX_WINDOWS]; /* one for each window, all of it */
    uint8_t *bytes;
};

struct harness_checkpoint *harness_checkpoint_create(void)
{
    return calloc(1, sizeof(struct harness_checkpoint));
}

void harness_checkpoint_destroy(struct harness_checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    free(checkpoint->bytes);
    free(checkpoint);
}

enum pica_status harness_checkpoint_take(struct harness_checkpoint *checkpoint, struct harness_runner *runner,
                                         const struct pica_setup *setup)
{
    struct oracle_run run;
    const enum pica_status status = harness_runner_collect(runner, &run);
    if (status != PICA_OK)
        return status;
    uint8_t *const bytes = realloc(checkpoint->bytes, harness_image_size(setup) + 1);
    if (bytes == NULL)
        return PICA_NO_MEMORY;
    checkpoint->bytes = bytes;
    checkpoint->state = *run.state;
    checkpoint->setup = *setup;
    checkpoint->setup.initial_state = &checkpoint->state;
    checkpoint->setup.chunks = checkpoint->chunks;
    checkpoint->setup.chunk_count = setup->window_count;
    harness_image_take(&run, bytes);
    for (size_t i = 0, at = 0; i < setup->window_count; at += setup->windows[i++].size)
        checkpoint->chunks[i] = (struct pica_chunk){ setup->windows[i].address, setup->windows[i].size, bytes + at };
    return PICA_OK;
}

struct pica_setup *harness_checkpoint_setup(struct harness_checkpoint *checkpoint)
{
    return &checkpoint->setup;
}
