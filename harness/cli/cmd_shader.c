#include "harness/cli/cli.h"

#include "harness/cli/shader_json.h"
#include "harness/shader/shader_text.h"

#include <stdio.h>
#include <string.h>

static const char about[] =
    "picafuzz shader - what a shader says, in the words of its author\n"
    "\n"
    "usage: picafuzz shader [options] FILE\n"
    "\n"
    "  picafuzz shader vertex.shbin                    the code with its labels; entry points, inputs, outputs, "
    "uniforms,\n"
    "                                                  constants by name\n"
    "  picafuzz shader --json vertex.shbin | jq .code  for programs\n"
    "  picafuzz shader --raw --opdescs desc.bin code.bin   words of code and of operand descriptors, as a GPU gets "
    "them\n"
    "  picafuzz shader computation.asm                 assembly as .pcase files have it (docs/formats/pcase.md)\n"
    "\n"
    "FILE is a compiled shader (DVLB, .shbin), the output of picasso and other tools, with any number of vertex and\n"
    "geometry programs (docs/formats/shader.md); or assembly text; or raw words with --raw. What is printed is "
    "assembly,\n"
    "and the rest comments: picafuzz reads it again as the same code.\n";

static const char exits[] = "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

struct shader_request {
    const char *descriptors;
    bool raw;
    bool json;
};

static const struct shader_request defaults = { NULL, false, false };

static const struct cli_option option_table[] = {
    { "raw", 0, CLI_FLAG, 0, 0, offsetof(struct shader_request, raw), NULL, "FILE is words of code, little-endian",
      NULL },
    { "opdescs", 0, CLI_READ, 0, 0, offsetof(struct shader_request, descriptors), "FILE",
      "with --raw: the words of operand descriptors, without which no mask, swizzle or sign is known", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct shader_request, json), NULL, "one JSON object", NULL },
};

static enum harness_status show(const char *path, const struct harness_shader_file *file, struct harness_error *error)
{
    struct harness_text text;
    enum harness_status status = HARNESS_OK;
    harness_text_init(&text);
    harness_shader_text(file, path, &text);
    if (text.failed)
        status = harness_fail_memory(error);
    else if (cli_print(stdout, "%s", harness_text_string(&text)) == EOF)
        status = harness_fail(error, HARNESS_HOST, "standard output: cannot be written");
    harness_text_free(&text);
    return status;
}

static int command_shader(void *opaque, int count, char **files)
{
    struct shader_request *const request = opaque;
    struct harness_shader_file file = { .program_count = 0 };
    struct harness_error error = { "" };
    if (count != 1)
        return cli_usage("shader", "give one file");
    if (request->descriptors != NULL && !request->raw)
        return cli_usage("shader", "--opdescs goes with --raw");
    enum harness_status status = cli_shader_load(files[0], request->descriptors, request->raw, &file, &error);
    if (status == HARNESS_OK && request->json)
        cli_shader_json(files[0], &file);
    else if (status == HARNESS_OK)
        status = show(files[0], &file, &error);
    harness_shader_file_free(&file);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

const struct cli_command cli_cmd_shader = {
    CLI_COMMAND("shader", command_shader, "show a compiled shader (.shbin) as assembly with its names"),
    .options = { CLI_OWN_OPTIONS },
};
