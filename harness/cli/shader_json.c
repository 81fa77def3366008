#include "harness/cli/json.h"

#include "harness/cli/cli.h"
#include "harness/pages/json.h"
#include "harness/shader/shader_text.h"

#include <cjson/cJSON.h>
#include <string.h>

/* "c4" */
static void add_register(cJSON *object, const char *name, char bank, uint32_t number)
{
    char text[16];
    (void)snprintf(text, sizeof text, bank == '?' ? "register " : "%c", bank);
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%u", (unsigned)number);
    cJSON_AddStringToObject(object, name, text);
}

static void add_code(cJSON *object, const struct harness_shader_file *file)
{
    const char *labels[HARNESS_MAX_CODE + 1];
    cJSON *const code = cJSON_AddArrayToObject(object, "code");
    struct harness_text text = { 0 };
    harness_shader_labels(file, labels);
    const struct harness_code whole = { .words = file->code, .count = file->code_count, .labels = labels };
    for (uint32_t i = 0; i < file->code_count; i++) {
        cJSON *const row = harness_json_row(code);
        harness_text_clear(&text);
        harness_shader_print(file->code[i], &file->descriptors, &whole, &text);
        cJSON_AddNumberToObject(row, "address", i);
        harness_json_hex(row, "word", file->code[i]);
        cJSON_AddStringToObject(row, "text", harness_text_string(&text));
    }
    harness_text_free(&text);
}

static void add_descriptors(cJSON *object, const struct harness_shader_file *file)
{
    cJSON *const array = cJSON_AddArrayToObject(object, "descriptors");
    struct harness_text text = { 0 };
    for (uint32_t i = 0; i < file->descriptor_count; i++) {
        cJSON *const row = harness_json_row(array);
        harness_text_clear(&text);
        harness_descriptor_print(file->descriptors.words[i], &text);
        cJSON_AddNumberToObject(row, "number", i);
        harness_json_hex(row, "word", file->descriptors.words[i]);
        cJSON_AddStringToObject(row, "text", harness_text_string(&text));
    }
    harness_text_free(&text);
}

static void add_tables(cJSON *object, const struct harness_shader_program *program)
{
    struct harness_text text = { 0 };
    cJSON *const names = cJSON_AddArrayToObject(object, "names");
    cJSON *const outputs = cJSON_AddArrayToObject(object, "outputs");
    cJSON *const constants = cJSON_AddArrayToObject(object, "constants");
    cJSON *const labels = cJSON_AddArrayToObject(object, "labels");
    for (uint32_t i = 0; i < program->name_count; i++) {
        cJSON *const row = harness_json_row(names);
        cJSON_AddStringToObject(row, "name", program->names[i].name);
        add_register(row, "first", program->names[i].bank, program->names[i].first);
        add_register(row, "last", program->names[i].bank, program->names[i].last);
    }
    for (uint32_t i = 0; i < program->output_count; i++) {
        cJSON *const row = harness_json_row(outputs);
        add_register(row, "register", 'o', program->outputs[i].number);
        cJSON_AddStringToObject(row, "meaning", harness_shader_meaning(program->outputs[i].meaning));
        cJSON_AddNumberToObject(row, "mask", program->outputs[i].mask);
    }
    for (uint32_t i = 0; i < program->constant_count; i++) {
        cJSON *const row = harness_json_row(constants);
        harness_text_clear(&text);
        harness_shader_constant_text(&program->constants[i], &text);
        add_register(row, "register", program->constants[i].bank, program->constants[i].number);
        cJSON_AddStringToObject(row, "value", harness_text_string(&text));
    }
    for (uint32_t i = 0; i < program->label_count; i++) {
        cJSON *const row = harness_json_row(labels);
        cJSON_AddStringToObject(row, "name", program->labels[i].name);
        cJSON_AddNumberToObject(row, "address", program->labels[i].address);
    }
    harness_text_free(&text);
}

void cli_shader_json(const char *path, const struct harness_shader_file *file)
{
    static const char *const kinds[] = { "dvlb", "raw", "assembly" };
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "shader", path);
    cJSON_AddStringToObject(object, "kind", kinds[file->kind]);
    cJSON *const programs = cJSON_AddArrayToObject(object, "programs");
    for (uint32_t i = 0; i < file->program_count; i++) {
        const struct harness_shader_program *const program = &file->programs[i];
        cJSON *const row = harness_json_row(programs);
        cJSON_AddStringToObject(row, "unit", program->unit == PICA_UNIT_GEOMETRY ? "geometry" : "vertex");
        cJSON_AddNumberToObject(row, "entry", program->entry);
        if (file->kind == HARNESS_SHADER_DVLB)
            cJSON_AddNumberToObject(row, "end", program->end);
        harness_json_hex(row, "inputs_mask", program->input_mask);
        harness_json_hex(row, "outputs_mask", program->output_mask);
        add_tables(row, program);
    }
    add_code(object, file);
    add_descriptors(object, file);
    cli_print_json(object);
}
