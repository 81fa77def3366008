/* data.js: what the page needs at once. The formats of the other files stand at the top of those that write them. */
#include "harness/explore/explorer.h"
#include "harness/pages/json.h"

#include <stdio.h>
#include <string.h>

enum {
    FORMAT = 2,      /* of all data files */
    MOST_TITLE = 256 /* bytes of it that the page shows */
};

static cJSON *surface_rows(const struct explorer *explorer)
{
    cJSON *const rows = cJSON_CreateArray();
    for (size_t i = 0; i < explorer->surfaces.count; i++) {
        const struct harness_surface *const item = &explorer->surfaces.items[i];
        cJSON *const row = harness_json_row(rows);
        cJSON_AddStringToObject(row, "origin", harness_surface_origin_name(item->origin));
        harness_json_hex(row, "address", item->surface.address);
        cJSON_AddNumberToObject(row, "width", item->surface.width);
        cJSON_AddNumberToObject(row, "height", item->surface.height);
        cJSON_AddStringToObject(row, "format", oracle_format_name(item->surface.format));
        cJSON_AddNumberToObject(row, "code", item->surface.format);
        cJSON_AddNumberToObject(row, "bytes", oracle_bytes_per_pixel(item->surface.format));
    }
    return rows;
}

/* The moment, buffer and pixel that the page opens with: the first difference, after its draw if the right side shows
 * that, else after its operation. */
static cJSON *mark(const struct explorer *explorer)
{
    const struct harness_location *const location = &explorer->location;
    const uint32_t step = explorer_step_of(explorer, location->operation);
    uint32_t index = UINT32_MAX;
    if (!location->differs || step == explorer->program->count)
        return NULL;
    if (location->has_draw)
        index = explore_first_draw(&explorer->draws, step) + location->draw;
    const bool is_draw =
        explorer->right.observes && index < explorer->draws.count && explorer->draws.items[index].step == step;
    cJSON *const row = cJSON_CreateObject();
    cJSON_AddNumberToObject(row, "moment",
                            is_draw ? explore_moment_of_draw(&explorer->draws, index)
                                    : explore_moment_of_step(&explorer->draws, step));
    if (location->has_pixel) {
        const bool is_depth = strcmp(location->pixel.origin, "depth buffer") == 0;
        cJSON_AddNumberToObject(row, "surface",
                                explorer_surface(explorer, true, &location->pixel.surface,
                                                 is_depth ? HARNESS_SURFACE_DEPTH : HARNESS_SURFACE_COLOR));
        cJSON_AddNumberToObject(row, "x", location->pixel.x);
        cJSON_AddNumberToObject(row, "y", location->pixel.y);
    }
    return row;
}

static void add_difference(const struct explorer *explorer, cJSON *data)
{
    struct harness_text text = { 0 };
    cJSON *const place = mark(explorer);
    if (place == NULL)
        return;
    harness_location_text(&explorer->location, &text);
    cJSON_AddItemToObject(data, "mark", place);
    cJSON_AddStringToObject(data, "location", harness_text_string(&text));
    harness_text_free(&text);
}

/* Takes over the rows that were collected. */
static cJSON *main_data(struct explorer *explorer, const struct harness_text *tile_names)
{
    cJSON *const data = cJSON_CreateObject(), *const sides = cJSON_AddArrayToObject(data, "sides");
    char title[MOST_TITLE];
    (void)snprintf(title, sizeof title, "%s", explorer->request->title);
    cJSON_AddNumberToObject(data, "version", FORMAT);
    cJSON_AddStringToObject(data, "title", title);
    cJSON_AddItemToArray(sides, cJSON_CreateString(harness_runner_backend(explorer->left)->name));
    if (explorer->right.runner != NULL) {
        cJSON_AddItemToArray(sides, cJSON_CreateString(harness_runner_backend(explorer->right.runner)->name));
        cJSON_AddBoolToObject(data, "right_has_draws", explorer->right.observes);
    }
    cJSON_AddNumberToObject(data, "chunk", EXPLORE_CHUNK);
    cJSON_AddNumberToObject(data, "moments", explorer->moments);
    cJSON_AddBoolToObject(data, "cut", explorer->tiles.is_cut);
    cJSON_AddItemToObject(data, "surfaces", surface_rows(explorer));
    cJSON_AddItemToObject(data, "operations", explorer->operation_rows);
    cJSON_AddItemToObject(data, "draws", explorer->draw_rows);
    cJSON_AddItemToObject(data, "differing", explorer->differing);
    cJSON_AddItemToObject(data, "images", explorer->resources.image_rows);
    cJSON_AddItemToObject(data, "programs", explorer->resources.program_rows);
    explorer->operation_rows = explorer->draw_rows = explorer->differing = NULL;
    explorer->resources.image_rows = explorer->resources.program_rows = NULL;
    struct harness_text names = { 0 };
    harness_text_format(&names, "[%s]", harness_text_string(tile_names));
    cJSON_AddItemToObject(data, "tiles", cJSON_CreateRaw(harness_text_string(&names)));
    harness_text_free(&names);
    add_difference(explorer, data);
    return data;
}

enum harness_status explorer_write_main(struct explorer *explorer, const struct harness_text *tile_names)
{
    return explore_write_json(explorer->request->directory, "data", main_data(explorer, tile_names), &explorer->bytes,
                              explorer->error);
}
