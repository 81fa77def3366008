#include "harness/console/packs/numbers.h"

#include "harness/case/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct operation {
    const char *name, *rule, *equation, *source, *destination;
};

static const struct operation operations[CONSOLE_NUMBERS] = {
    { "blend-add", "BLD-02", "add", "one", "one" },
    { "blend-subtract", "BLD-02", "subtract", "one", "one" },
    { "blend-reverse-subtract", "BLD-02", "reverse-subtract", "one", "one" },
    { "blend-min", "BLD-02", "min", "one", "one" },
    { "blend-max", "BLD-02", "max", "one", "one" },
    { "blend-multiply", "BLD-01", "add", "dest-color", "zero" },
    { "blend-mix", "BLD-01", "add", "source-color", "one-minus-source-color" },
    { "blend-screen", "BLD-01", "add", "one", "one-minus-source-color" },
};

/* ---------------------------------------------------------------------------------------------------------- export */

static void write_target(struct harness_text *out)
{
    harness_text_add(out, "pcase 1\nwindow 0x18000000 size 0x20000\n"
                          "memory 0x18010000 table f32*3 {\n    -1 -1 -0.5\n    3 -1 -0.5\n    -1 3 -0.5\n}\n"
                          "memory 0x18000000 table u32*64 {");
    for (uint32_t i = 0; i < CONSOLE_PAIRS; i += 4)
        harness_text_format(out, "%s 0x%08X", i % 256 == 0 ? "\n" : "",
                            (unsigned)((i & 0xFFu) * 0x01010101u + 0x03020100u));
    harness_text_add(out, "\n}\n");
}

/* 8x8 pixels, one large triangle over all of them, a constant colour. */
static void write_setup(const struct operation *operation, struct harness_text *out)
{
    harness_text_add(out, "run 0x18011000 {\n"
                          "    COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
                          "    FRAMEBUFFER_DIM { width = 8, height_minus_1 = 7, top_row_first = 1 }\n"
                          "    COLORBUFFER_READ = 0xF\n    COLORBUFFER_WRITE = 0xF\n"
                          "    VIEWPORT_WIDTH { half_size = 4.0 }\n    VIEWPORT_HEIGHT { half_size = 4.0 }\n"
                          "    DEPTHMAP_ENABLE { z_buffer = 1 }\n    DEPTHMAP_SCALE { scale = -1 }\n"
                          "    COLOR_OPERATION { blend_mode = blend }\n");
    harness_text_format(out,
                        "    BLEND_FUNC { rgb_equation = %s, alpha_equation = %s, rgb_source = %s, rgb_dest = %s, "
                        "alpha_source = %s, alpha_dest = %s }\n",
                        operation->equation, operation->equation, operation->source, operation->destination,
                        operation->source, operation->destination);
    harness_text_add(out, "    DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"
                          "    ATTRIBBUFFERS_LOC { base = 0x18010000 }\n"
                          "    ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 2 }\n"
                          "    ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 0 }\n"
                          "    ATTRIBBUFFER0_CONFIG1 { component0 = attribute0 }\n"
                          "    ATTRIBBUFFER0_CONFIG2 { stride = 12, count = 1 }\n"
                          "    VSH_NUM_ATTR { attributes_minus_1 = 0 }\n"
                          "    VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 0, unit_use = 0xA0 }\n"
                          "    VSH_OUTMAP_MASK { outputs = 0x1 }\n"
                          "    SH_OUTMAP_TOTAL { total = 1 }\n"
                          "    SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"
                          "    shader vertex {\n        mov o0, v0\n        end\n    }\n"
                          "    TEXENV5_SOURCE { rgb_source0 = constant, alpha_source0 = constant }\n"
                          "    START_DRAW_FUNC0 { mode = draw }\n    PRIMITIVE_CONFIG { outputs_minus_1 = 0 }\n"
                          "    NUMVERTICES { count = 3 }\n");
}

/* Each draw is flushed before the target moves on (CON-43). */
static void write_draws(struct harness_text *out)
{
    for (unsigned source = 0; source < 256; source++)
        harness_text_format(out,
                            "    TEXENV5_COLOR = 0x%08X\n    COLORBUFFER_LOC { address = 0x%08X }\n"
                            "    DRAWARRAYS = 1\n    FRAMEBUFFER_FLUSH = 1\n    FRAMEBUFFER_INVALIDATE = 1\n",
                            source * 0x01010101u, 0x18000000u + 256 * source);
    harness_text_add(out, "    FINALIZE = 0x12345678\n}\n");
}

static enum harness_status make_case(const struct operation *operation, struct harness_case *out,
                                     struct harness_error *error)
{
    struct harness_text text;
    harness_text_init(&text);
    write_target(&text);
    write_setup(operation, &text);
    write_draws(&text);
    const enum harness_status status =
        text.failed ? harness_fail_memory(error)
                    : harness_pcase_read(out, harness_text_string(&text), text.size, operation->name, error);
    harness_text_free(&text);
    return status;
}

enum harness_status console_numbers_add(struct console_export *export, console_pack_observer observer, void *user,
                                        size_t *taken, size_t *asked, struct harness_error *error)
{
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(error) : HARNESS_OK;
    for (size_t i = 0; status == HARNESS_OK && i < CONSOLE_NUMBERS; i++) {
        struct console_answer answer = { .taken = false };
        status = make_case(&operations[i], test_case, error);
        if (status != HARNESS_OK)
            break;
        status = console_export_ask(export, operations[i].name, test_case, &answer, error);
        if (status == HARNESS_OK) {
            observer(user, operations[i].name, &answer);
            *taken += answer.taken;
            (*asked)++;
        }
        harness_text_free(&answer.reasons);
    }
    harness_case_destroy(test_case);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- results */

bool console_numbers_note(struct console_numbers_table *table, const struct console_imported *imported)
{
    for (size_t i = 0; i < CONSOLE_NUMBERS; i++)
        if (strcmp(operations[i].name, imported->name) == 0) {
            table->rows[i].is_in_file = true;
            table->rows[i].outcome = imported->outcome;
            return true;
        }
    return false;
}

/* What a backend leaves of all pairs. */
static enum harness_status compute(const char *backend_name, const struct harness_program *program,
                                   uint8_t out[CONSOLE_PAIRS], struct harness_error *error)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_backend backend;
    struct harness_runner *runner = NULL;
    struct oracle_run run;
    size_t failed = 0;
    enum harness_status status = harness_backend_open(backend_name, &backend, error);
    if (status != HARNESS_OK)
        return status;
    if (harness_runner_create(backend.backend, &options, &runner) == PICA_OK &&
        harness_runner_load(runner, &program->setup) == PICA_OK &&
        harness_runner_run(runner, program->operations, program->count, &failed) == PICA_OK &&
        harness_runner_collect(runner, &run) == PICA_OK)
        memcpy(out, run.memory[0], CONSOLE_PAIRS);
    else
        status = harness_fail(error, HARNESS_HOST, "%s does not answer for a case of the pack numbers", backend_name);
    harness_runner_destroy(runner);
    harness_backend_close(&backend);
    return status;
}

static void compare(const uint8_t *expected, const uint8_t *computed, struct console_numbers_row *row)
{
    row->wrong = 0;
    for (uint32_t i = 0; i < CONSOLE_PAIRS; i++) {
        if (expected[i] == computed[i])
            continue;
        if (row->wrong < CONSOLE_WRONG_SHOWN)
            row->shown[row->wrong] =
                (struct console_wrong_pair){ (uint8_t)(i >> 8), (uint8_t)i, expected[i], computed[i] };
        row->wrong++;
    }
    row->verdict = row->wrong == 0 ? CONSOLE_CONFIRMED : CONSOLE_CONTRADICTED;
}

static enum harness_status judge_row(const struct operation *operation, const char *recorded,
                                     struct console_numbers_row *row, struct harness_error *error)
{
    static const size_t size = CONSOLE_PAIRS;
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    uint8_t *const bytes = malloc(2 * size);
    enum harness_status status =
        test_case == NULL || program == NULL || bytes == NULL ? harness_fail_memory(error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = make_case(operation, test_case, error);
    if (status == HARNESS_OK)
        status = harness_case_setup(test_case, program, error);
    if (status == HARNESS_OK)
        status = compute("reference", program, bytes, error);
    if (status == HARNESS_OK)
        status = compute(recorded, program, bytes + size, error);
    if (status == HARNESS_OK)
        compare(bytes, bytes + size, row);
    free(bytes);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    return status;
}

enum harness_status console_numbers_judge(struct console_numbers_table *table, const char *recorded_path,
                                          struct harness_error *error)
{
    char recorded[4200];
    enum harness_status status = HARNESS_OK;
    (void)snprintf(recorded, sizeof recorded, "recorded:%s", recorded_path);
    for (size_t i = 0; status == HARNESS_OK && i < CONSOLE_NUMBERS; i++) {
        struct console_numbers_row *const row = &table->rows[i];
        row->name = operations[i].name;
        row->rule = operations[i].rule;
        row->verdict = row->outcome == CONSOLE_OUTCOME_UNSTABLE ? CONSOLE_UNSTABLE
                       : row->outcome == CONSOLE_OUTCOME_HANG   ? CONSOLE_HUNG
                                                                : CONSOLE_NOT_COVERED;
        if (row->is_in_file && (row->outcome == CONSOLE_OUTCOME_OK || row->outcome == CONSOLE_OUTCOME_ONCE))
            status = judge_row(&operations[i], recorded, row, error);
    }
    return status;
}
