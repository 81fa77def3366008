/*
 * The run of the left side, a `reference`: all that there is to know of each moment. Fragments and vertices come first
 * (pica/visits.h), then the draw that they belong to is reported, then the operation ends.
 */
#include "harness/explore/explorer.h"
#include "harness/explore/pixel_text.h"
#include "harness/explore/touch.h"
#include "harness/pages/json.h"
#include "harness/run/backends.h"
#include "pica/regs.h"

static bool is_in(const struct harness_explore_region *region, uint32_t x, uint32_t y)
{
    return x >= region->x && x - region->x < region->width && y >= region->y && y - region->y < region->height;
}

static bool is_in_any(const struct harness_explore_region *regions, size_t count, uint32_t x, uint32_t y)
{
    for (size_t i = 0; i < count; i++)
        if (is_in(&regions[i], x, y))
            return true;
    return false;
}

static enum pica_visit_wish wants(void *user, uint32_t draw, uint32_t x, uint32_t y)
{
    struct explorer *const explorer = user;
    const struct harness_explore_request *const request = explorer->request;
    (void)draw;
    explorer->in_vertex = false;
    harness_text_clear(&explorer->steps);
    const bool is_chosen = is_in_any(request->regions, request->region_count, x, y) ||
                           is_in_any(explorer->differing_pixels, explorer->differing_count, x, y);
    return is_chosen ? PICA_VISIT_WITH_STEPS : PICA_VISIT_ALONE;
}

static bool wants_vertex(void *user, uint32_t draw, uint32_t vertex)
{
    struct explorer *const explorer = user;
    (void)draw;
    explorer->vertex = vertex;
    explorer->in_vertex = true;
    return vertex < explorer->request->vertices;
}

static void take_step(void *user, const struct pica_trace_step *step)
{
    struct explorer *const explorer = user;
    if (explorer->in_vertex) {
        explore_texts_vertex(&explorer->texts, explorer->vertex, step);
        return;
    }
    harness_step_text(step, &explorer->steps);
    harness_text_add(&explorer->steps, "\n");
}

static void take_visit(void *user, const struct pica_visit *visit)
{
    struct explorer *const explorer = user;
    const char *const steps = explorer->steps.size != 0 ? explorer->steps.data : NULL;
    if (visit->draw < explorer->draws.count)
        explore_tiles_visit(&explorer->tiles, explore_moment_of_draw(&explorer->draws, visit->draw), visit, steps);
}

static cJSON *add_draw_row(const struct explorer *explorer, const struct harness_drawn *drawn, uint32_t moment)
{
    const struct pica_reg_info *const info = pica_reg_info(drawn->trigger);
    cJSON *const row = harness_json_row(explorer->draw_rows);
    cJSON_AddNumberToObject(row, "moment", moment);
    cJSON_AddNumberToObject(row, "number", drawn->number);
    cJSON_AddStringToObject(row, "trigger", info != NULL ? info->name : "?");
    if (drawn->list_address != 0) {
        harness_json_hex(row, "list", drawn->list_address);
        cJSON_AddNumberToObject(row, "word", drawn->list_word);
    }
    if (drawn->pixels != UINT32_MAX)
        cJSON_AddNumberToObject(row, "pixels", drawn->pixels);
    cJSON_AddNumberToObject(row, "color",
                            explorer_surface(explorer, drawn->has_color, &drawn->color, HARNESS_SURFACE_COLOR));
    cJSON_AddNumberToObject(row, "depth",
                            explorer_surface(explorer, drawn->has_depth, &drawn->depth, HARNESS_SURFACE_DEPTH));
    return row;
}

static enum harness_status add_programs(struct explorer *explorer, cJSON *row)
{
    static const char *const names[2] = { "vertex_shader", "geometry_shader" };
    const struct pica_backend *const backend = harness_runner_backend(explorer->left);
    const enum pica_status read = backend->read_state(harness_runner_instance(explorer->left), &explorer->state);
    enum harness_status status = HARNESS_OK;
    if (read != PICA_OK)
        return harness_runner_fail(explorer->left, "reading the state", read, explorer->error);
    const uint32_t units = explorer->state.geometry.in_use != 0 ? 2 : 1;
    for (uint32_t unit = 0; status == HARNESS_OK && unit < units; unit++) {
        uint32_t index = 0;
        status = explore_resources_program(&explorer->resources, &explorer->state.units[unit], &index, explorer->error);
        cJSON_AddNumberToObject(row, names[unit], index);
    }
    return status;
}

/* Keeps all that is known of a draw that has just ended. */
static enum harness_status take_draw(struct explorer *explorer, const struct pica_draw *draw)
{
    const struct harness_drawn *const drawn = &explorer->draws.items[explorer->draw];
    const uint32_t moment = explore_moment_of_draw(&explorer->draws, explorer->draw);
    cJSON *const row = add_draw_row(explorer, drawn, moment);
    enum harness_status status = drawn->pixels == 0
                                     ? explore_buffers_skip(&explorer->buffers, moment, explorer->error)
                                     : explore_buffers_take(&explorer->buffers, moment, NULL, NULL, explorer->error);
    explorer->digests[moment] = explorer->buffers.digest;
    if (status == HARNESS_OK)
        status = explore_texts_take(&explorer->texts, moment, draw->registers, draw, explorer->error);
    if (status == HARNESS_OK)
        status = explore_resources_images(&explorer->resources, row, explorer->error);
    if (status == HARNESS_OK)
        status = add_programs(explorer, row);
    return status;
}

/* What is drawn now was drawn in the first run, too, for the backend is the same. */
static void observe_left(void *user, const struct pica_draw *draw)
{
    struct explorer *const explorer = user;
    if (explorer->status == HARNESS_OK && explorer->draw < explorer->draws.count)
        explorer->status = take_draw(explorer, draw);
    explorer->draw++;
}

static void take_change(void *user, const struct explore_change *change)
{
    struct explorer *const explorer = user;
    explore_tiles_change(&explorer->tiles, explore_moment_of_step(&explorer->draws, explorer->step), change,
                         explorer->surfaces.items[change->surface].surface.height);
}

/* The end of an operation, or the beginning of all. */
static enum harness_status take_left(struct explorer *explorer, uint32_t moment, bool tells)
{
    const struct pica_backend *const backend = harness_runner_backend(explorer->left);
    enum harness_status status =
        explore_buffers_take(&explorer->buffers, moment, tells ? take_change : NULL, explorer, explorer->error);
    explorer->digests[moment] = explorer->buffers.digest;
    const enum pica_status read = backend->read_state(harness_runner_instance(explorer->left), &explorer->state);
    if (status == HARNESS_OK && read != PICA_OK)
        status = harness_runner_fail(explorer->left, "reading the state", read, explorer->error);
    if (status == HARNESS_OK)
        status = explore_texts_take(&explorer->texts, moment, explorer->state.registers, NULL, explorer->error);
    return status;
}

static enum harness_status left_step(struct explorer *explorer, uint32_t step)
{
    const struct pica_operation *const operation = &explorer->program->operations[step];
    const bool is_list = operation->kind == PICA_OPERATION_SUBMIT_LIST;
    struct harness_text text = { 0 };
    explorer->step = step;
    explore_texts_list(&explorer->texts, is_list ? operation->address : 0, is_list ? operation->size : 0);
    const enum pica_status ran = harness_runner_step(explorer->left, operation);
    if (ran != PICA_OK)
        return harness_runner_fail(explorer->left, "an operation", ran, explorer->error);
    if (explorer->status != HARNESS_OK)
        return explorer->status;
    harness_operation_text(operation, &text);
    cJSON *const row = harness_json_row(explorer->operation_rows);
    cJSON_AddNumberToObject(row, "operation", explorer->program->origins[step]);
    cJSON_AddStringToObject(row, "text", harness_text_string(&text));
    cJSON_AddNumberToObject(row, "moment", explore_moment_of_step(&explorer->draws, step));
    cJSON_AddNumberToObject(
        row, "draws", explore_first_draw(&explorer->draws, step + 1) - explore_first_draw(&explorer->draws, step));
    harness_text_free(&text);
    return take_left(explorer, explore_moment_of_step(&explorer->draws, step), true);
}

enum harness_status explorer_run_left(struct explorer *explorer)
{
    const struct pica_backend *const backend = harness_runner_backend(explorer->left);
    const struct pica_visits visits = { wants, wants_vertex, take_step, take_visit, explorer };
    const struct harness_explore_request *const request = explorer->request;
    enum pica_status begun = harness_runner_load(explorer->left, &explorer->program->setup);
    if (begun == PICA_OK)
        begun = harness_observe_visits(explorer->left, &visits);
    if (begun == PICA_OK)
        begun = backend->observe_draws(harness_runner_instance(explorer->left), observe_left, explorer);
    if (begun != PICA_OK)
        return harness_runner_fail(explorer->left, "beginning the case", begun, explorer->error);
    enum harness_status status = take_left(explorer, 0, false);
    for (uint32_t step = 0; status == HARNESS_OK && step < explorer->program->count; step++) {
        status = left_step(explorer, step);
        if (request->progress != NULL)
            request->progress(request->user, step + 1, explorer->program->count);
    }
    (void)backend->observe_draws(harness_runner_instance(explorer->left), NULL, NULL);
    (void)harness_observe_visits(explorer->left, NULL);
    if (status == HARNESS_OK)
        status = explore_buffers_end(&explorer->buffers, explorer->error);
    if (status == HARNESS_OK)
        status = explore_texts_end(&explorer->texts, explorer->error);
    return status;
}
