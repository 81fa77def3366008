/* Cases that vary what a shader is given: the program stays, the rest does not, and something is drawn. */
#include "harness/case/list_scan.h"
#include "harness/run/backends.h"
#include "harness/shader/shader_run.h"
#include "harness/shader/shader_vary.h"
#include "tests/shader/dvlb.h"

#include <criterion/criterion.h>
#include <string.h>

static struct harness_error error;

/* Two vertex programs of which the second starts later; position and colour of uniforms and inputs, a constant. */
static void read_shader(struct harness_shader_file *file)
{
    static const char text[] = "dp4 o0.x, c0, v0\n"
                               "dp4 o0.y, c1, v0\n"
                               "dp4 o0.z, c2, v0\n"
                               "dp4 o0.w, c3, v0\n"
                               "mov r0, c95\n"
                               "second: mul o1, c20, v3\n"
                               "ifu b3, done, done\n"
                               "mov o1, v0\n"
                               "done: end\n";
    static const struct dvlb_program programs[2] = {
        { .end = 8,
          .input_mask = 0x9,
          .output_mask = 0x3,
          .constants = { { 2, 95, { 0x3F0000, 0x3E0000, 0, 0x400000 } } },
          .constant_count = 1,
          .outputs = { { 0, 0, 0xF }, { 2, 1, 0xF } },
          .output_count = 2,
          .names = { { "inpos", 0, 0 },
                     { "incol", 3, 3 },
                     { "projection", 0x10, 0x13 },
                     { "tint", 0x24, 0x24 },
                     { "lit", 0x7B, 0x7B },
                     { "nowhere", 0x90, 0xFFFF } },
          .name_count = 6 },
        { .entry = 5,
          .end = 8,
          .input_mask = 0x9,
          .output_mask = 0x2,
          .outputs = { { 0, 1, 0xF } },
          .output_count = 1 },
    };
    struct harness_descriptors descriptors = { { 0 }, { 0 } };
    uint32_t words[16], count = 0;
    struct harness_text bytes = { 0 };
    const struct harness_shader_source source = {
        .text = text, .size = sizeof text - 1, .name = "two", .first_line = 1, .allocate = true
    };
    cr_assert_eq(harness_shader_assemble(&source, &descriptors, words, NULL, &count, &error), HARNESS_OK, "%s",
                 error.message);
    dvlb_write(words, count, descriptors.words, 8, programs, 2, &bytes);
    cr_assert_eq(harness_shader_read_dvlb(file, (const uint8_t *)bytes.data, bytes.size, "two", &error), HARNESS_OK,
                 "%s", error.message);
    cr_assert_eq(harness_shader_prepare(file, "two", &error), HARNESS_OK, "%s", error.message);
    harness_text_free(&bytes);
}

/* What the case uploads as code is the file's, and c95 gets its constant or, with the second program, nothing. */
static void expect_program(const struct harness_case *test_case, const struct harness_shader_file *file)
{
    const struct harness_list *const list = &test_case->operations[0].data.list;
    uint32_t uploads = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t unit;
        const struct harness_command *const command = &list->commands[i];
        if (oracle_port_of(command->id, &unit) != ORACLE_PORT_CODE)
            continue;
        uploads++;
        cr_expect_eq(command->count, file->code_count);
        cr_expect_eq(memcmp(command->parameters, file->code, 4 * (size_t)file->code_count), 0);
    }
    cr_expect_eq(uploads, 1);
}

Test(shader_vary, inputs_and_uniforms_differ_and_the_program_does_not)
{
    struct harness_shader_file file = { .program_count = 0 };
    struct harness_case *const a = harness_case_create(), *const b = harness_case_create();
    cr_assert(a != NULL && b != NULL);
    read_shader(&file);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        cr_assert_eq(harness_shader_vary(&file, "two", seed, a, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_shader_vary(&file, "two", seed, b, &error), HARNESS_OK, "%s", error.message);
        cr_expect(harness_case_equal(a, b, true), "the same seed, the same case");
        cr_expect_eq(harness_case_check(a, &error), HARNESS_OK, "%s", error.message);
        expect_program(a, &file);
        cr_assert_eq(harness_shader_vary(&file, "two", seed + 1, b, &error), HARNESS_OK, "%s", error.message);
        cr_expect_not(harness_case_equal(a, b, true), "seeds %u and the next", (unsigned)seed);
    }
    harness_case_destroy(a);
    harness_case_destroy(b);
    harness_shader_file_free(&file);
}

/* Pixels that are another colour than before, of how many cases; on the way: both entry points, every boolean. */
Test(shader_vary, something_is_drawn_and_everything_is_varied)
{
    enum {
        CASES = 300
    };
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_shader_file file = { .program_count = 0 };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    struct harness_runner *runner = NULL;
    uint32_t drawn = 0, entries = 0, booleans = 0, tints = 0, floats24 = 0;
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &runner), PICA_OK);
    read_shader(&file);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        struct harness_shader_result result = { .refusal = NULL };
        struct oracle_run run;
        uint32_t pixels = 0;
        cr_assert_eq(harness_shader_vary(&file, "two", seed, test_case, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_shader_run(runner, program, &result, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_runner_collect(runner, &run), PICA_OK);
        for (uint32_t i = 0; i < HARNESS_SHADER_PIXELS; i++)
            pixels += harness_shader_is_drawn(result.picture[i]);
        const bool is_second = (run.state->registers[0x2BA] & 0xFFFFu) == 5;
        const struct pica_vector *const c = run.state->units[PICA_UNIT_VERTEX].uniforms;
        drawn += pixels != 0;
        entries |= is_second ? 2u : 1u;
        booleans |= (run.state->units[PICA_UNIT_VERTEX].booleans >> 3 & 1u) != 0 ? 1u : 2u;
        cr_expect_eq(run.state->units[PICA_UNIT_VERTEX].booleans & (is_second ? 0u : 0xFFF7u), 0,
                     "others have no name");
        tints += c[20].bits[0] != 0;
        floats24 += test_case->profile == PICA_PROFILE_F24;
        if (!is_second)
            cr_expect_eq(c[95].bits[0], 0x3F800000u, "seed %u: a constant of the file stays", (unsigned)seed);
        harness_shader_result_free(&result);
    }
    cr_expect_gt(drawn, CASES / 3, "%u of %u cases draw something", drawn, (unsigned)CASES);
    cr_expect_eq(entries, 3, "both programs");
    cr_expect_eq(booleans, 3, "b3 of both values");
    cr_expect_gt(tints, CASES / 2);
    cr_expect(floats24 > CASES / 10 && floats24 < CASES / 2, "%u", floats24);
    harness_runner_destroy(runner);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    harness_shader_file_free(&file);
}

/* Those of points are varied as others. */
Test(shader_vary, a_file_of_geometry_shaders_without_inputs_is_refused)
{
    struct harness_shader_file file = { .program_count = 0 };
    read_shader(&file);
    cr_expect_eq(harness_shader_prepare(&file, "two", &error), HARNESS_OK);
    file.programs[0].unit = PICA_UNIT_GEOMETRY;
    file.programs[0].geometry_mode = 1;
    cr_expect_eq(harness_shader_prepare(&file, "two", &error), HARNESS_OK, "one is left");
    file.programs[1].unit = PICA_UNIT_GEOMETRY;
    file.programs[1].geometry_mode = 2;
    cr_expect_eq(harness_shader_prepare(&file, "two", &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "two: a geometry shader of mode 2 is shown, but not run"), "%s",
                       error.message);
    harness_shader_file_free(&file);
}

/* Counts what the case's first list uploads to a port of the vertex unit, and compares it with `words`. */
static uint32_t uploaded(const struct harness_case *test_case, enum oracle_port wanted, const uint32_t *words)
{
    const struct harness_list *const list = &test_case->operations[0].data.list;
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t unit;
        const struct harness_command *const command = &list->commands[i];
        if (oracle_port_of(command->id, &unit) != wanted)
            continue;
        for (uint32_t k = 0; k < command->count && words != NULL; k++)
            cr_assert_eq(command->parameters[k], words[count + k], "word %u", count + k);
        count += command->count;
    }
    return count;
}

/* CMD-02: a command has 256 parameters. */
Test(shader_vary, long_programs_and_all_uniforms_are_uploaded_in_several_commands)
{
    static const uint32_t sizes[] = { 256, 257, 512, 4096 };
    struct harness_shader_values values;
    struct harness_case *const test_case = harness_case_create();
    cr_assert_not_null(test_case);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct harness_shader_file file = { .program_count = 0 };
        struct harness_text text = { 0 };
        harness_text_add(&text, "mov o0, v0\n");
        for (uint32_t i = 1; i < sizes[s]; i++)
            harness_text_format(&text, "mov o1, c[a0.x+%u]\n", (unsigned)i % 96);
        cr_assert_eq(harness_shader_read_text(&file, text.data, text.size, "long", &error), HARNESS_OK, "%s",
                     error.message);
        cr_assert_eq(harness_shader_prepare(&file, "long", &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_shader_vary(&file, "long", 7, test_case, &error), HARNESS_OK, "%s", error.message);
        cr_expect_eq(uploaded(test_case, ORACLE_PORT_CODE, file.code), sizes[s]);
        harness_shader_values_init(&file.programs[0], &values);
        for (uint32_t k = 0; k < 96; k++)
            values.is_set[k] = values.is_float24[k] = true;
        for (int form = 0; form < 2; form++) {
            struct harness_shader_draws draws = { .file = &file, .name = "long", .values = &values, .count = 1 };
            cr_assert_eq(harness_shader_case(&draws, test_case, &error), HARNESS_OK, "%s", error.message);
            cr_expect_eq(harness_case_check(test_case, &error), HARNESS_OK, "%s", error.message);
            cr_expect_eq(uploaded(test_case, ORACLE_PORT_UNIFORMS, NULL), form == 0 ? 96u * 3 : 96u * 4);
            memset(values.is_float24, 0, sizeof values.is_float24);
        }
        harness_text_free(&text);
        harness_shader_file_free(&file);
    }
    harness_case_destroy(test_case);
}
