#include "harness/cli/json.h"

#include "harness/cli/cli.h"
#include "harness/pages/json.h"
#include "pica/regs.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static cJSON *hex(uint32_t value)
{
    char text[12];
    (void)snprintf(text, sizeof text, "0x%08X", (unsigned)value);
    return cJSON_CreateString(text);
}

/* The fields of a register's value: enums by name, numbers as they are. */
static cJSON *fields_of(uint32_t id, uint32_t value)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(info->layout, &count);
    cJSON *const object = cJSON_CreateObject();
    for (size_t i = 0; i < count; i++) {
        const uint32_t field = pica_field_get(&fields[i], value);
        size_t values = 0;
        const struct pica_enum_value *const names =
            fields[i].type == PICA_FIELD_ENUM ? pica_enum_values(fields[i].enumeration, &values) : NULL;
        const char *text = NULL;
        for (size_t k = 0; k < values; k++)
            if (names[k].value == field)
                text = names[k].text;
        if (text != NULL)
            cJSON_AddStringToObject(object, fields[i].name, text);
        else
            cJSON_AddNumberToObject(object, fields[i].name, field);
    }
    return object;
}

static cJSON *command_json(const struct harness_command *command)
{
    cJSON *const object = cJSON_CreateObject();
    char id[8];
    (void)snprintf(id, sizeof id, "0x%03X", (unsigned)command->id);
    cJSON_AddStringToObject(object, "id", id);
    cJSON_AddNumberToObject(object, "mask", command->mask);
    cJSON_AddBoolToObject(object, "consecutive", command->consecutive);
    cJSON *const writes = cJSON_AddArrayToObject(object, "writes");
    for (uint32_t i = 0; i < command->count; i++) {
        const uint32_t target = harness_command_register(command, i);
        const struct pica_reg_info *const info = pica_reg_info(target);
        cJSON *const write = harness_json_row(writes);
        cJSON_AddStringToObject(write, "register", info != NULL ? info->name : "outside");
        harness_json_hex(write, "value", command->parameters[i]);
        if (info != NULL && info->layout != PICA_LAYOUT_NONE)
            cJSON_AddItemToObject(write, "fields", fields_of(target, command->parameters[i]));
    }
    if (command->comment != NULL)
        cJSON_AddStringToObject(object, "comment", command->comment);
    return object;
}

static void add_data(cJSON *object, const struct harness_data *data)
{
    cJSON_AddNumberToObject(object, "bytes", (double)harness_data_size(data, false));
    if (data->kind != HARNESS_DATA_LIST)
        return;
    cJSON *const commands = cJSON_AddArrayToObject(object, "commands");
    for (uint32_t i = 0; i < data->list.count; i++)
        cJSON_AddItemToArray(commands, command_json(&data->list.commands[i]));
}

static void add_words(cJSON *object, const uint32_t *words, uint32_t count)
{
    cJSON *const array = cJSON_AddArrayToObject(object, "words");
    for (uint32_t i = 0; i < count; i++)
        cJSON_AddItemToArray(array, hex(words[i]));
}

static cJSON *operation_json(const struct harness_operation *operation)
{
    cJSON *const object = cJSON_CreateObject();
    switch (operation->kind) {
    case HARNESS_LOAD:
    case HARNESS_RUN:
        cJSON_AddStringToObject(object, "kind", operation->kind == HARNESS_LOAD ? "load" : "run");
        harness_json_hex(object, "address", operation->address);
        add_data(object, &operation->data);
        break;
    case HARNESS_SUBMIT:
        cJSON_AddStringToObject(object, "kind", "submit");
        harness_json_hex(object, "address", operation->address);
        cJSON_AddNumberToObject(object, "size", operation->size);
        break;
    case HARNESS_WRITE:
        cJSON_AddStringToObject(object, "kind", "write");
        harness_json_hex(object, "address", operation->address);
        add_words(object, operation->words, 1);
        break;
    case HARNESS_FILL:
        cJSON_AddStringToObject(object, "kind", "fill");
        cJSON_AddNumberToObject(object, "unit", operation->unit);
        add_words(object, operation->words, 4);
        break;
    case HARNESS_TRANSFER:
        cJSON_AddStringToObject(object, "kind", "transfer");
        add_words(object, operation->words, 9);
        break;
    case HARNESS_VBLANK:
        cJSON_AddStringToObject(object, "kind", "vblank");
        cJSON_AddNumberToObject(object, "screen", operation->unit);
        break;
    case HARNESS_NOTE:
        cJSON_AddStringToObject(object, "kind", "note");
        cJSON_AddStringToObject(object, "text", operation->text);
        break;
    }
    if (operation->comment != NULL)
        cJSON_AddStringToObject(object, "comment", operation->comment);
    return object;
}

static void add_limits(cJSON *object, const struct pica_limits *limits, uint32_t work)
{
    cJSON *const item = cJSON_AddObjectToObject(object, "limits");
    cJSON_AddNumberToObject(item, "commands", limits->commands);
    cJSON_AddNumberToObject(item, "vertices", limits->vertices);
    cJSON_AddNumberToObject(item, "instructions", limits->instructions);
    cJSON_AddNumberToObject(item, "emits", limits->emits);
    cJSON_AddNumberToObject(item, "pixels", limits->pixels);
    cJSON_AddNumberToObject(item, "work", work);
}

static cJSON *case_json(const struct harness_case *test_case)
{
    cJSON *const object = cJSON_CreateObject();
    if (test_case->comment != NULL)
        cJSON_AddStringToObject(object, "comment", test_case->comment);
    cJSON_AddStringToObject(object, "profile", test_case->profile == PICA_PROFILE_F24 ? "f24" : "f32");
    add_limits(object, &test_case->limits, test_case->work);
    cJSON_AddBoolToObject(object, "initial_state", test_case->state != NULL);
    cJSON *const windows = cJSON_AddArrayToObject(object, "windows");
    for (uint32_t i = 0; i < test_case->window_count; i++) {
        cJSON *const window = harness_json_row(windows);
        harness_json_hex(window, "address", test_case->windows[i].address);
        cJSON_AddNumberToObject(window, "size", test_case->windows[i].size);
    }
    cJSON *const chunks = cJSON_AddArrayToObject(object, "memory");
    for (uint32_t i = 0; i < test_case->chunk_count; i++) {
        cJSON *const chunk = harness_json_row(chunks);
        harness_json_hex(chunk, "address", test_case->chunks[i].address);
        add_data(chunk, &test_case->chunks[i].data);
    }
    cJSON *const operations = cJSON_AddArrayToObject(object, "operations");
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        cJSON_AddItemToArray(operations, operation_json(&test_case->operations[i]));
    return object;
}

void cli_show_json(const struct harness_case *test_case)
{
    cli_print_json(case_json(test_case));
}
