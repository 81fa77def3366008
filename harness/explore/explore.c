/*
 * Three runs. The first finds out what is drawn where, so that moments and buffers have numbers (draws.h). The
 * second, of the left side, keeps all there is to know; the third, of the right one, keeps its pictures. Where the two
 * differ, a search names the place before that, so that its pixels show each stage's value.
 */
#include "harness/explore/explorer.h"

#include "harness/case/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t explorer_surface(const struct explorer *explorer, bool has, const struct oracle_surface *wanted,
                         enum harness_surface_origin origin)
{
    for (size_t i = 0; has && i < explorer->surfaces.count; i++) {
        const struct harness_surface *const item = &explorer->surfaces.items[i];
        if (item->origin == origin && harness_surface_is_same(&item->surface, wanted))
            return (int32_t)i;
    }
    return -1;
}

uint32_t explorer_step_of(const struct explorer *explorer, uint32_t operation)
{
    for (uint32_t step = explorer->program->count; step-- > 0;)
        if (explorer->program->origins[step] == operation)
            return step;
    return explorer->program->count;
}

static enum harness_status write_all(struct explorer *explorer)
{
    struct harness_text names = { 0 };
    enum harness_status status =
        explore_tiles_write(&explorer->tiles, explorer->request->directory, &names, &explorer->bytes, explorer->error);
    if (status == HARNESS_OK)
        status = explorer_write_main(explorer, &names);
    if (status == HARNESS_OK)
        status = explore_write_page(explorer->request->directory, &explorer->bytes, explorer->error);
    harness_text_free(&names);
    explorer->bytes += explorer->buffers.total + explorer->texts.total + explorer->resources.total;
    return status;
}

static void add_surface(struct explorer *explorer, const struct oracle_surface *surface,
                        enum harness_surface_origin origin)
{
    if (surface->width != 0 && surface->height != 0 && oracle_bytes_per_pixel(surface->format) != 0)
        harness_surfaces_add(&explorer->surfaces, surface, origin);
}

/* The first run: what is drawn, and into what. */
static enum harness_status look_ahead(struct explorer *explorer)
{
    struct harness_draws *const draws = &explorer->draws;
    const enum pica_status found = harness_draws_find(draws, explorer->left, explorer->program);
    if (found != PICA_OK)
        return harness_runner_fail(explorer->left, "running the case", found, explorer->error);
    for (uint32_t i = 0; i < draws->count; i++) {
        if (draws->items[i].has_color)
            add_surface(explorer, &draws->items[i].color, HARNESS_SURFACE_COLOR);
        if (draws->items[i].has_depth)
            add_surface(explorer, &draws->items[i].depth, HARNESS_SURFACE_DEPTH);
    }
    for (uint32_t step = 0; step < explorer->program->count; step++)
        harness_surfaces_add_operation(&explorer->surfaces, &explorer->program->operations[step]);
    explorer->moments = 1 + draws->count + explorer->program->count;
    explorer->digests = calloc(explorer->moments, sizeof *explorer->digests);
    return explorer->digests == NULL ? harness_fail_memory(explorer->error) : HARNESS_OK;
}

static enum harness_status make_directories(const struct explorer *explorer)
{
    static const char *const names[] = { "buffers", "tiles", "texts", "images" };
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; status == HARNESS_OK && i < sizeof names / sizeof names[0]; i++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%.4000s/%s", explorer->request->directory, names[i]);
        status = harness_directory_make(path, explorer->error);
    }
    return status;
}

static enum harness_status open_all(struct explorer *explorer)
{
    const char *const directory = explorer->request->directory;
    explorer->draw_rows = cJSON_CreateArray();
    explorer->operation_rows = cJSON_CreateArray();
    explorer->differing = cJSON_CreateArray();
    explorer->tiles.most = explorer->request->fragments;
    enum harness_status status = make_directories(explorer);
    if (status == HARNESS_OK)
        status = explore_buffers_open(&explorer->buffers, &explorer->surfaces, explorer->left, 0, directory,
                                      explorer->error);
    if (status == HARNESS_OK)
        status = explore_resources_open(&explorer->resources, explorer->left, directory, explorer->error);
    explore_texts_open(&explorer->texts, explorer->left, directory);
    return status;
}

static void close_all(struct explorer *explorer)
{
    explore_buffers_close(&explorer->buffers);
    explore_buffers_close(&explorer->right.buffers);
    explore_texts_close(&explorer->texts);
    explore_resources_close(&explorer->resources);
    explore_tiles_free(&explorer->tiles);
    free(explorer->digests);
    harness_text_free(&explorer->steps);
    harness_draws_free(&explorer->draws);
    cJSON_Delete(explorer->draw_rows);
    cJSON_Delete(explorer->operation_rows);
    cJSON_Delete(explorer->differing);
}

static enum harness_status run_all(struct explorer *explorer)
{
    enum harness_status status = look_ahead(explorer);
    if (status == HARNESS_OK)
        status = open_all(explorer);
    if (status == HARNESS_OK && explorer->right.runner != NULL)
        status = harness_localise(explorer->left, explorer->right.runner, explorer->program, &explorer->location,
                                  explorer->error);
    if (status == HARNESS_OK)
        status = explorer_find_differing(explorer);
    if (status == HARNESS_OK)
        status = explorer_run_left(explorer);
    if (status == HARNESS_OK && explorer->right.runner != NULL)
        status = explorer_run_right(explorer);
    if (status == HARNESS_OK)
        status = write_all(explorer);
    return status;
}

enum harness_status harness_explore(const struct harness_explore_request *request, struct harness_runner *left,
                                    struct harness_runner *right, const struct harness_program *program,
                                    struct harness_explored *out, struct harness_error *error)
{
    struct explorer *const explorer = calloc(1, sizeof *explorer);
    struct pica_choices choices;
    if (explorer == NULL)
        return harness_fail_memory(error);
    explorer->request = request;
    explorer->program = program;
    explorer->left = left;
    explorer->right.runner = right;
    explorer->error = error;
    harness_runners_choices(&left, 1, &choices);
    harness_draws_init(&explorer->draws, &choices);
    harness_surfaces_clear(&explorer->surfaces, &choices);
    const enum harness_status status = run_all(explorer);
    memset(out, 0, sizeof *out);
    if (status == HARNESS_OK)
        *out = (struct harness_explored){ .draws = explorer->draws.count,
                                          .surfaces = (uint32_t)explorer->surfaces.count,
                                          .records = explorer->tiles.count,
                                          .bytes = explorer->bytes,
                                          .is_cut = explorer->tiles.is_cut,
                                          .differs = explorer->location.differs,
                                          .right_has_draws = explorer->right.observes };
    close_all(explorer);
    free(explorer);
    return status;
}
