#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/cli/json.h"
#include "harness/cli/shader_values.h"
#include "harness/shader/shader_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char about[] =
    "picafuzz shader - show a shader, run it with given values, make a case of it\n"
    "\n"
    "usage: picafuzz shader [options] FILE\n"
    "\n"
    "  picafuzz shader vertex.shbin                    the code with its labels; entry points, inputs, outputs, "
    "uniforms,\n"
    "                                                  constants by name\n"
    "  picafuzz shader --json vertex.shbin | jq .code  for programs\n"
    "  picafuzz shader --input v0=1,2,3,4 --uniform c4=0.5,0,0,1 vertex.shbin\n"
    "                                                  its outputs for these values\n"
    "  picafuzz shader --input inpos=1,2,3 --uniform 'projection[1]=0,2,0,0' --uniform i0=3 --uniform lit=true "
    "v.shbin\n"
    "                                                  the same by names of the file\n"
    "  picafuzz shader --trace -b reference,./libmygpu.so vertex.shbin\n"
    "                                                  each instruction's values on both, differences marked\n"
    "  picafuzz shader --case draw.pcase vertex.shbin  a draw around it: for diff, reduce, export, your tests\n"
    "  picafuzz shader --raw --opdescs desc.bin code.bin   words of code and of operand descriptors, as a GPU gets "
    "them\n"
    "  picafuzz shader computation.asm                 assembly as .pcase files have it (docs/formats/pcase.md)\n"
    "\n"
    "FILE is a compiled shader (DVLB, .shbin), the output of picasso and other tools, with any number of vertex and\n"
    "geometry programs (docs/formats/shader.md); or assembly text; or raw words with --raw. The output is assembly,\n"
    "with everything else in comments: picafuzz reads it again as the same code. Vertex programs can be run, and\n"
    "geometry programs that take points.\n"
    "\n"
    "With --input, --uniform, --trace or -b the shader is run: it draws a triangle into an 8x8 picture, whose colour\n"
    "is the output `color`. Numbers are written as 0.5, -1e20, inf, nan, 0x7F800001 (bits of a float); missing ones\n"
    "are 0,0,0,1. An input may have one value for each corner, separated by /; so may a uniform of several\n"
    "registers, one for each register. Values that are not given are made up: the first input is a corner of a\n"
    "triangle that covers the picture, the others are 0.25,0.5,0.75,1, a uniform of four registers is the identity\n"
    "matrix, everything else is 0. Outputs come from the backend's trace; a backend without one shows the final\n"
    "vertices of its state, or only the picture. What two backends do not both show is not compared.\n";

static const char exits[] =
    "exit codes: 0 done or agree, 1 backends differ, 2 usage or bad input, or nothing was compared, 3 a\n"
    "backend crashed or hung, 4 host trouble\n";

struct shader_request {
    const char *descriptors;
    bool raw;
    const char *entry;
    const char *program_text;
    struct cli_list inputs, uniforms;
    bool trace;
    bool float24;
    const char *case_path;
    bool json;
    struct cli_run_options run;
};

static const struct shader_request defaults = {
    .run = { .instruction_sets = UINT32_MAX, .timeout = { HARNESS_HANG_MS, false } },
};

static const struct cli_option option_table[] = {
    { "raw", 0, CLI_FLAG, 0, 0, offsetof(struct shader_request, raw), NULL, "FILE is words of code, little-endian",
      NULL },
    { "opdescs", 0, CLI_READ, 0, 0, offsetof(struct shader_request, descriptors), "FILE",
      "with --raw: the words of operand descriptors; without them masks, swizzles and signs are unknown", NULL },
    { "program", 0, CLI_TEXT, 0, 0, offsetof(struct shader_request, program_text), "N",
      "which program of the file is run (default: its first vertex program, else 0)", NULL },
    { "entry", 0, CLI_TEXT, 0, 0, offsetof(struct shader_request, entry), "ADDRESS",
      "where it starts: a label or a code word (default: what the file says; 0)", NULL },
    { "input", 0, CLI_EACH, 1, CLI_LIST_MOST, offsetof(struct shader_request, inputs), "vN=X,Y,Z,W",
      "an input, by number or name; may be repeated", NULL },
    { "uniform", 0, CLI_EACH, 1, CLI_LIST_MOST, offsetof(struct shader_request, uniforms), "cN=X,Y,Z,W",
      "a uniform, by number (c, i, b) or name; may be repeated", NULL },
    { "backends", 'b', CLI_BACKENDS, 1, HARNESS_MOST_BACKENDS, offsetof(struct shader_request, run.backends),
      "A,B[,..]",
      "1 to 8 backends that run it (default: reference); the others are compared with the first that traces", NULL },
    { "trace", 0, CLI_FLAG, 0, 0, offsetof(struct shader_request, trace), NULL,
      "print each instruction that is run, and its result", NULL },
    { "float24", 0, CLI_FLAG, 0, 0, offsetof(struct shader_request, float24), NULL,
      "compute with the 24 bits of a console's numbers, not with binary32", NULL },
    { "case", 0, CLI_WRITE, 0, 0, offsetof(struct shader_request, case_path), "FILE",
      "write the draw as a case; .pcb is binary, anything else text", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct shader_request, json), NULL, "one JSON object", NULL },
};

static enum harness_status show(const char *path, const struct harness_shader_file *file, struct harness_error *error)
{
    struct harness_text text = { 0 };
    harness_shader_text(file, path, &text);
    const enum harness_status status = text.failed ? harness_fail_memory(error) : HARNESS_OK;
    if (status == HARNESS_OK)
        (void)cli_print(stdout, "%s", harness_text_string(&text));
    harness_text_free(&text);
    return status;
}

/* --program, or the first that can be run. */
static enum harness_status choose_program(const struct shader_request *request, const struct harness_shader_file *file,
                                          uint32_t *program, struct harness_error *error)
{
    uint64_t number = 0;
    *program = 0;
    if (request->program_text != NULL) {
        if (!cli_number(request->program_text, 0, file->program_count - 1u, &number))
            return harness_fail(error, HARNESS_BAD_INPUT, "--program %.40s: expected a number from 0 to %u",
                                request->program_text, (unsigned)file->program_count - 1);
        *program = (uint32_t)number;
        return HARNESS_OK;
    }
    while (*program < file->program_count && file->programs[*program].unit != PICA_UNIT_VERTEX)
        ++*program;
    *program = *program < file->program_count ? *program : 0;
    return HARNESS_OK;
}

/* --entry */
static enum harness_status take_entry(const struct shader_request *request, struct harness_shader_file *file,
                                      uint32_t program, struct harness_error *error)
{
    const char *labels[HARNESS_MAX_CODE + 1];
    uint64_t number = 0;
    if (request->entry == NULL)
        return HARNESS_OK;
    harness_shader_labels(file, labels);
    for (uint32_t i = 0; i <= file->code_count; i++)
        if (labels[i] != NULL && strcmp(labels[i], request->entry) == 0) {
            file->programs[program].entry = i;
            return HARNESS_OK;
        }
    if (!cli_number(request->entry, 0, file->code_count, &number))
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "--entry %.40s: expected a label of the file or a code word 0 to %" PRIu32, request->entry,
                            file->code_count);
    file->programs[program].entry = (uint32_t)number;
    return HARNESS_OK;
}

static enum harness_status take_values(const struct shader_request *request,
                                       const struct harness_shader_program *program,
                                       struct harness_shader_values *values, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    harness_shader_values_init(program, values);
    for (size_t i = 0; i < request->inputs.count && status == HARNESS_OK; i++)
        status = harness_shader_values_set(program, "input", request->inputs.items[i], values, error);
    for (size_t i = 0; i < request->uniforms.count && status == HARNESS_OK; i++)
        status = harness_shader_values_set(program, "uniform", request->uniforms.items[i], values, error);
    return status;
}

static enum harness_status write_case(const struct harness_shader_draws *draws, const char *path,
                                      struct harness_error *error)
{
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status =
        test_case == NULL ? harness_fail_memory(error) : harness_shader_case(draws, test_case, error);
    if (status == HARNESS_OK)
        status = harness_case_save_file(test_case, path, error);
    harness_case_destroy(test_case);
    return status;
}

static bool is_run(const struct shader_request *request)
{
    return request->inputs.count != 0 || request->uniforms.count != 0 || request->trace ||
           request->run.backends.count != 0 || request->float24 || request->entry != NULL ||
           request->program_text != NULL;
}

/* Of raw words nobody means descriptors that are 0. */
static enum harness_status check_descriptors(const struct shader_request *request, const char *path,
                                             const struct harness_shader_file *file, struct harness_error *error)
{
    uint32_t descriptor = 0;
    const uint32_t address = harness_shader_undescribed(file, &descriptor);
    if (address == file->code_count)
        return HARNESS_OK;
    if (request->raw)
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "%.200s: code word %" PRIu32 ": expected --opdescs with operand descriptor @%" PRIu32
                            ", found %" PRIu32 " descriptors",
                            path, address, descriptor, file->descriptor_count);
    cli_shader_warn(path, file);
    return HARNESS_OK;
}

/* A draw with it: as a case, or on backends, or both where -b says so. */
static int draw(struct shader_request *request, const char *path, struct harness_shader_file *file)
{
    struct harness_shader_values values;
    struct harness_error error = { "" };
    struct harness_shader_draws draws = { .file = file,
                                          .name = path,
                                          .values = &values,
                                          .count = 1,
                                          .profile = request->float24 ? PICA_PROFILE_F24 : PICA_PROFILE_F32 };
    const bool runs = request->case_path == NULL || request->run.backends.count != 0 || request->trace || request->json;
    const struct cli_shader_question question = { &draws, &request->run, request->trace, request->json };
    enum harness_status status = choose_program(request, file, &draws.program, &error);
    if (status == HARNESS_OK)
        status = take_entry(request, file, draws.program, &error);
    if (status == HARNESS_OK)
        status = harness_shader_can_draw(&file->programs[draws.program], path, &error);
    if (status == HARNESS_OK)
        status = check_descriptors(request, path, file, &error);
    if (status == HARNESS_OK)
        status = take_values(request, &file->programs[draws.program], &values, &error);
    if (status == HARNESS_OK && request->case_path != NULL)
        status = write_case(&draws, request->case_path, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    if (request->run.backends.count == 0)
        request->run.backends = (struct cli_list){ { "reference" }, 1 };
    return runs ? cli_shader_values(&question) : CLI_OK;
}

static int command_shader(void *opaque, int count, char **files)
{
    struct shader_request *const request = opaque;
    struct harness_shader_file file = { .program_count = 0 };
    struct harness_error error = { "" };
    int code = CLI_OK;
    if (count != 1)
        return cli_usage("shader", "give one file");
    if (request->descriptors != NULL && !request->raw)
        return cli_usage("shader", "--opdescs goes with --raw");
    enum harness_status status = cli_shader_load(files[0], request->descriptors, request->raw, &file, &error);
    if (status == HARNESS_OK && (request->case_path != NULL || is_run(request)))
        code = draw(request, files[0], &file);
    else if (status == HARNESS_OK && request->json)
        cli_shader_json(files[0], &file);
    else if (status == HARNESS_OK)
        status = show(files[0], &file, &error);
    harness_shader_file_free(&file);
    return status == HARNESS_OK ? code : cli_fail(status, &error);
}

const struct cli_command cli_cmd_shader = {
    CLI_COMMAND("shader", command_shader, "show a shader (.shbin), run it with given values, make a case of it"),
    .options = { CLI_OWN_OPTIONS, { cli_run_option_table, CLI_RUN_OPTIONS, offsetof(struct shader_request, run) } },
};
