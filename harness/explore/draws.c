#include "harness/explore/draws.h"

#include "harness/case/grow.h"

#include <stdlib.h>
#include <string.h>

void harness_draws_init(struct harness_draws *draws, const struct pica_choices *choices)
{
    memset(draws, 0, sizeof *draws);
    draws->choices = *choices;
}

void harness_draws_free(struct harness_draws *draws)
{
    free(draws->items);
    draws->items = NULL;
    draws->count = 0;
}

static struct harness_drawn *append(struct harness_draws *draws)
{
    struct harness_drawn *const items = harness_grow(draws->items, draws->count, sizeof *items);
    draws->failed = draws->failed || items == NULL;
    if (items == NULL)
        return NULL;
    draws->items = items;
    struct harness_drawn *const drawn = &draws->items[draws->count++];
    memset(drawn, 0, sizeof *drawn);
    return drawn;
}

/* A pica_draw_observer; `user` is a struct harness_draws, whose `step` says what runs. */
static void take_draw(void *user, const struct pica_draw *draw)
{
    struct harness_draws *const draws = user;
    struct harness_drawn *const drawn = append(draws);
    if (drawn == NULL)
        return;
    const struct harness_drawn *const before = draws->count > 1 ? drawn - 1 : NULL;
    drawn->step = draws->step;
    drawn->number = before != NULL && before->step == draws->step ? before->number + 1 : 0;
    drawn->trigger = draw->trigger;
    drawn->list_address = draw->list_address;
    drawn->list_word = draw->list_word;
    drawn->pixels = draw->pixels;
    if (draw->registers == NULL)
        return;
    drawn->has_color = oracle_color_surface(draw->registers, &draws->choices, &drawn->color);
    drawn->has_depth = oracle_depth_surface(draw->registers, &draws->choices, &drawn->depth);
}

enum pica_status harness_draws_find(struct harness_draws *draws, struct harness_runner *runner,
                                    const struct harness_program *program)
{
    const struct pica_backend *const backend = harness_runner_backend(runner);
    if (backend->observe_draws == NULL)
        return PICA_NOT_SUPPORTED;
    enum pica_status status = harness_runner_load(runner, &program->setup);
    if (status == PICA_OK)
        status = backend->observe_draws(harness_runner_instance(runner), take_draw, draws);
    for (draws->step = 0; status == PICA_OK && draws->step < program->count; draws->step++)
        status = harness_runner_step(runner, &program->operations[draws->step]);
    (void)backend->observe_draws(harness_runner_instance(runner), NULL, NULL);
    return status == PICA_OK && draws->failed ? PICA_NO_MEMORY : status;
}

bool harness_pixel_address(const struct oracle_surface *surface, uint32_t x, uint32_t y, uint32_t *address)
{
    if (x >= surface->width || y >= surface->height)
        return false;
    const uint64_t offset = oracle_pixel_offset(surface, x, surface->height - 1 - y);
    *address = surface->address + (uint32_t)offset;
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- moments */

uint32_t explore_moment_of_draw(const struct harness_draws *draws, uint32_t draw)
{
    return 1 + draw + draws->items[draw].step;
}

uint32_t explore_first_draw(const struct harness_draws *draws, uint32_t step)
{
    uint32_t low = 0, high = draws->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (draws->items[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t explore_moment_of_step(const struct harness_draws *draws, uint32_t step)
{
    return 1 + explore_first_draw(draws, step + 1) + step;
}
