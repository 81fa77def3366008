#include "harness/explore/explorer.h"

#include <stdlib.h>
#include <string.h>

/* What the buffer holds after a step. */
static enum harness_status run_to(struct explorer *explorer, struct harness_runner *runner, uint32_t last, uint8_t *out)
{
    const struct oracle_surface *const surface = &explorer->location.pixel.surface;
    const struct pica_backend *const backend = harness_runner_backend(runner);
    void *const instance = harness_runner_instance(runner);
    enum pica_status status = harness_runner_load(runner, &explorer->program->setup);
    for (uint32_t step = 0; status == PICA_OK && step <= last; step++)
        status = harness_runner_step(runner, &explorer->program->operations[step]);
    if (status == PICA_OK && backend->finish != NULL)
        status = backend->finish(instance);
    if (status == PICA_OK)
        status = backend->read_memory(instance, surface->address, out, oracle_surface_bytes(surface));
    if (status != PICA_OK)
        return harness_runner_fail(runner, "running up to the first difference", status, explorer->error);
    return HARNESS_OK;
}

static void add(struct explorer *explorer, uint32_t x, uint32_t y)
{
    if (explorer->differing_count < EXPLORE_DIFFERING)
        explorer->differing_pixels[explorer->differing_count++] = (struct harness_explore_region){ x, y, 1, 1 };
}

/* Every `stride`th of the pixels that differ; 0: none. Returns how many there are. */
static uint64_t choose(struct explorer *explorer, const uint8_t *a, const uint8_t *b, uint64_t stride)
{
    const struct oracle_surface *const surface = &explorer->location.pixel.surface;
    const uint32_t bytes = oracle_bytes_per_pixel(surface->format);
    uint64_t count = 0;
    for (uint32_t y = 0; y < surface->height; y++)
        for (uint32_t x = 0; x < surface->width; x++) {
            const uint64_t offset = oracle_pixel_offset(surface, x, y);
            if (memcmp(a + offset, b + offset, bytes) == 0)
                continue;
            if (stride != 0 && count % stride == 0)
                add(explorer, x, surface->height - 1 - y);
            count++;
        }
    return count;
}

enum harness_status explorer_find_differing(struct explorer *explorer)
{
    const struct harness_location *const location = &explorer->location;
    const uint32_t last = explorer_step_of(explorer, location->operation);
    if (!location->has_pixel || last == explorer->program->count)
        return HARNESS_OK;
    const uint64_t size = oracle_surface_bytes(&location->pixel.surface);
    uint8_t *const both = malloc(2 * size + 1);
    enum harness_status status = both == NULL ? harness_fail_memory(explorer->error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = run_to(explorer, explorer->left, last, both);
    if (status == HARNESS_OK)
        status = run_to(explorer, explorer->right.runner, last, both + size);
    if (status == HARNESS_OK) {
        const uint64_t count = choose(explorer, both, both + size, 0);
        add(explorer, location->pixel.x, location->pixel.y);
        (void)choose(explorer, both, both + size, count / (EXPLORE_DIFFERING - 1) + 1);
    }
    free(both);
    return status;
}
