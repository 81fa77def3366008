/*
 * The run of the right side: its pictures, where they differ from those of the left one. Any backend can be read after
 * an operation; the linked ones also while they report a draw.
 */
#include "harness/explore/explorer.h"
#include "harness/run/backends.h"

static enum harness_status take_right(struct explorer *explorer, uint32_t moment)
{
    const enum harness_status status =
        explore_buffers_take(&explorer->right.buffers, moment, NULL, NULL, explorer->error);
    if (status == HARNESS_OK && explorer->right.buffers.digest == explorer->digests[moment])
        explore_buffers_forget(&explorer->right.buffers);
    else if (status == HARNESS_OK)
        cJSON_AddItemToArray(explorer->differing, cJSON_CreateNumber(moment));
    return status;
}

/* Draws that the left side does not have are left out. */
static void observe_right(void *user, const struct pica_draw *draw)
{
    struct explorer *const explorer = user;
    const uint32_t index = explore_first_draw(&explorer->draws, explorer->step) + explorer->right.draw++;
    (void)draw;
    if (explorer->status == HARNESS_OK && index < explorer->draws.count &&
        explorer->draws.items[index].step == explorer->step)
        explorer->status = take_right(explorer, explore_moment_of_draw(&explorer->draws, index));
}

/* Of a linked backend it is known that its memory may be read while it reports a draw. */
static bool is_linked(const struct harness_runner *runner)
{
    const struct pica_backend *const backend = harness_runner_backend(runner);
    return backend == harness_linked_backend(HARNESS_REFERENCE) || backend == harness_linked_backend(HARNESS_FAST);
}

static enum harness_status right_step(struct explorer *explorer, uint32_t step)
{
    struct harness_runner *const runner = explorer->right.runner;
    const struct pica_backend *const backend = harness_runner_backend(runner);
    explorer->step = step;
    explorer->right.draw = 0;
    enum pica_status ran = harness_runner_step(runner, &explorer->program->operations[step]);
    if (ran == PICA_OK && backend->finish != NULL)
        ran = backend->finish(harness_runner_instance(runner));
    if (ran != PICA_OK)
        return harness_runner_fail(runner, "an operation", ran, explorer->error);
    if (explorer->status != HARNESS_OK)
        return explorer->status;
    return take_right(explorer, explore_moment_of_step(&explorer->draws, step));
}

enum harness_status explorer_run_right(struct explorer *explorer)
{
    struct explore_right *const right = &explorer->right;
    const struct pica_backend *const backend = harness_runner_backend(right->runner);
    right->observes = is_linked(right->runner) && backend->observe_draws != NULL;
    enum harness_status status = explore_buffers_open(&right->buffers, &explorer->surfaces, right->runner, 1,
                                                      explorer->request->directory, explorer->error);
    enum pica_status begun = harness_runner_load(right->runner, &explorer->program->setup);
    if (begun == PICA_OK && right->observes)
        begun = backend->observe_draws(harness_runner_instance(right->runner), observe_right, explorer);
    if (status == HARNESS_OK && begun != PICA_OK)
        status = harness_runner_fail(right->runner, "beginning the case", begun, explorer->error);
    if (status == HARNESS_OK)
        status = take_right(explorer, 0);
    for (uint32_t step = 0; status == HARNESS_OK && step < explorer->program->count; step++)
        status = right_step(explorer, step);
    if (right->observes)
        (void)backend->observe_draws(harness_runner_instance(right->runner), NULL, NULL);
    if (status == HARNESS_OK)
        status = explore_buffers_end(&right->buffers, explorer->error);
    explorer->bytes += right->buffers.total;
    return status;
}
