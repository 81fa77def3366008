#include "harness/localise/location_json.h"

#include "pica/regs.h"

static cJSON *pixel_json(const struct harness_location_pixel *pixel)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "x", pixel->x);
    cJSON_AddNumberToObject(object, "y", pixel->y);
    cJSON_AddStringToObject(object, "buffer", pixel->origin);
    cJSON_AddNumberToObject(object, "address", pixel->surface.address);
    cJSON_AddNumberToObject(object, "differing", (double)pixel->differing);
    if (pixel->pattern[0] != '\0')
        cJSON_AddStringToObject(object, "pattern", pixel->pattern);
    cJSON *const first = cJSON_AddArrayToObject(object, "first");
    cJSON *const second = cJSON_AddArrayToObject(object, "second");
    for (int c = 0; c < 4; c++) {
        cJSON_AddItemToArray(first, cJSON_CreateNumber(pixel->first.channel[c]));
        cJSON_AddItemToArray(second, cJSON_CreateNumber(pixel->second.channel[c]));
    }
    return object;
}

static const char *type_name(enum pica_trace_type type)
{
    switch (type) {
    case PICA_TRACE_UNSIGNED: return "unsigned";
    case PICA_TRACE_SIGNED: return "signed";
    case PICA_TRACE_FLOAT: return "float bits";
    }
    return "unsigned"; /* not reached by our own backends */
}

static cJSON *step_json(bool has, const struct pica_trace_step *step)
{
    if (!has)
        return cJSON_CreateNull();
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "stage", step->stage);
    cJSON_AddStringToObject(object, "name", step->name);
    cJSON_AddNumberToObject(object, "index", step->index);
    cJSON_AddStringToObject(object, "type", type_name(step->type));
    cJSON *const values = cJSON_AddArrayToObject(object, "values");
    for (uint32_t i = 0; i < step->count && i < 16; i++) {
        const double value =
            step->type == PICA_TRACE_SIGNED ? (double)(int32_t)step->values[i] : (double)step->values[i];
        cJSON_AddItemToArray(values, cJSON_CreateNumber(value));
    }
    return object;
}

static void add_draw(cJSON *object, const struct harness_location *location)
{
    const struct pica_reg_info *const info = pica_reg_info(location->trigger); /* none if the backend tells nonsense */
    cJSON_AddNumberToObject(object, "draw", location->draw);
    cJSON_AddStringToObject(object, "trigger", info != NULL ? info->name : "");
    if (location->list_address != 0) {
        cJSON_AddNumberToObject(object, "list_address", location->list_address);
        cJSON_AddNumberToObject(object, "list_word", location->list_word);
    }
    if (location->has_triangle)
        cJSON_AddNumberToObject(object, "triangle", location->triangle);
    if (location->has_vertex)
        cJSON_AddNumberToObject(object, "vertex", location->vertex);
    if (location->has_pixel)
        cJSON_AddItemToObject(object, "pixel", pixel_json(&location->pixel));
}

cJSON *harness_location_json(const struct harness_location *location)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "first_backend", location->first);
    cJSON_AddStringToObject(object, "second_backend", location->second);
    cJSON_AddNumberToObject(object, "operation", location->operation);
    if (location->kind == PICA_OPERATION_WRITE_REGISTER) {
        cJSON_AddNumberToObject(object, "write_address", location->write_address);
        cJSON_AddNumberToObject(object, "write_value", location->write_value);
    }
    if (location->has_command)
        cJSON_AddNumberToObject(object, "command", location->command);
    if (location->has_command && location->command_word != UINT32_MAX) {
        cJSON_AddNumberToObject(object, "command_list", location->command_list);
        cJSON_AddNumberToObject(object, "command_word", location->command_word);
        cJSON_AddNumberToObject(object, "command_header", location->header);
    }
    if (location->has_draw)
        add_draw(object, location);
    cJSON_AddStringToObject(object, "stage", location->stage);
    cJSON_AddStringToObject(object, "rule", location->rule);
    if (location->display_register != NULL)
        cJSON_AddStringToObject(object, "register", location->display_register);
    cJSON *const broken = cJSON_AddArrayToObject(object, "broken");
    for (uint32_t i = 0; i < HARNESS_LOCATION_RULES && location->broken[i] != NULL; i++)
        cJSON_AddItemToArray(broken, cJSON_CreateString(location->broken[i]));
    if (harness_location_word(location) != NULL)
        cJSON_AddStringToObject(object, "rules", harness_location_word(location)->areas);
    if (location->inferred) {
        cJSON_AddBoolToObject(object, "inferred", true);
        cJSON_AddStringToObject(object, "experiment", location->experiment);
    }
    if (location->has_instruction) {
        cJSON_AddNumberToObject(object, "instruction_address", location->instruction_address);
        cJSON_AddStringToObject(object, "instruction", location->instruction);
    }
    if (location->has_step) {
        cJSON_AddItemToObject(object, "first", step_json(location->has_first, &location->step_first));
        cJSON_AddItemToObject(object, "second", step_json(location->has_second, &location->step_second));
    }
    if (location->value_count != 0) {
        cJSON_AddStringToObject(object, "values_of", location->teller);
        cJSON *const values = cJSON_AddArrayToObject(object, "values");
        for (uint32_t i = 0; i < location->value_count; i++)
            cJSON_AddItemToArray(values, step_json(true, &location->values[i]));
    }
    if (location->note[0] != '\0')
        cJSON_AddStringToObject(object, "note", location->note);
    return object;
}
