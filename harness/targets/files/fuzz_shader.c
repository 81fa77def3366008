/*
 * The property: any bytes may be read as a compiled shader (docs/formats/shader.md) or as assembly. The text of what
 * was read assembles to the same words and descriptors, and a case can be made for each vertex program that can draw.
 */
#include "harness/shader/shader_case.h"
#include "harness/shader/shader_text.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/target.h"

#include <string.h>

const char saved_beginning[] = "";

static void check_text(const struct harness_shader_file *file)
{
    struct harness_descriptors none = { { 0 }, { 0 } };
    uint32_t words[HARNESS_MAX_CODE], count = 0;
    struct harness_error error = { "other words" };
    struct harness_text text = { 0 };
    harness_shader_text(file, saved_name, &text);
    const struct harness_shader_source source = {
        .text = harness_text_string(&text), .size = text.size, .name = saved_name, .first_line = 1, .allocate = true
    };
    if (!text.failed && (harness_shader_assemble(&source, &none, words, NULL, &count, &error) != HARNESS_OK ||
                         count != file->code_count || memcmp(words, file->code, 4 * (size_t)count) != 0))
        target_fails("the text of a shader is not the same shader", error.message);
    for (uint32_t i = 0; i < file->descriptor_count && !text.failed; i++)
        if (((none.words[i] ^ file->descriptors.words[i]) & none.known[i] & file->descriptors.known[i]) != 0)
            target_fails("the text of a shader is not the same shader", "another descriptor");
    harness_text_free(&text);
}

static void check_cases(const struct harness_shader_file *file)
{
    struct harness_error error = { "" };
    struct harness_shader_values values;
    struct harness_case *const test_case = harness_case_create();
    struct harness_shader_draws draws = { .file = file, .name = saved_name, .values = &values, .count = 1 };
    for (; draws.program < file->program_count && test_case != NULL; draws.program++) {
        const struct harness_shader_program *const program = &file->programs[draws.program];
        if (harness_shader_can_draw(program, saved_name, NULL) != HARNESS_OK)
            continue;
        harness_shader_values_init(program, &values);
        if (harness_shader_case(&draws, test_case, &error) == HARNESS_BAD_INPUT)
            target_fails("no case with a shader", error.message);
    }
    harness_case_destroy(test_case);
}

/* Compiled shaders begin with DVLB, which an engine finds in the dictionary; anything else is read as assembly. */
enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_shader_file file = { .program_count = 0 };
    const bool is_compiled = size >= 4 && memcmp(bytes, "DVLB", 4) == 0;
    const enum harness_status status =
        is_compiled ? harness_shader_read_dvlb(&file, (const uint8_t *)bytes, size, saved_name, error)
                    : harness_shader_read_text(&file, bytes, size, saved_name, error);
    if (status == HARNESS_OK) {
        check_text(&file);
        check_cases(&file);
    }
    harness_shader_file_free(&file);
    return status;
}
