#include "harness/cli/cli.h"

#include "harness/case/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "picafuzz asm - assemble text into a case, the inverse of show\n"
    "\n"
    "usage: picafuzz asm [-o OUTPUT] FILE.pcase\n"
    "\n"
    "  picafuzz asm a.pcase               a.pcb beside it, the form that fuzzers mutate\n"
    "  picafuzz asm -o seed.pcb a.pcase   under another name\n"
    "  picafuzz asm -o clean.pcase a.pcb  any case, written as formatted text\n"
    "\n"
    "Errors name the line and column and what was expected there. The command also says what the binary form\n"
    "cannot hold (for example more than 4 MiB of windows; docs/formats/pcb.md lists its limits). Comments\n"
    "are dropped.\n";

static const char exits[] = "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

struct asm_request {
    const char *output;
};

static const struct asm_request defaults = { NULL };

static const struct cli_option option_table[] = {
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct asm_request, output), "FILE",
      "where the case goes; .pcb is binary, anything else text (default: the input's name with .pcb)", NULL },
};

/* The name beside the input, with .pcb; false if the input is not a .pcase. */
static bool name_beside(const char *input, char *out, size_t size)
{
    if (!harness_has_extension(input, ".pcase") || strlen(input) >= size)
        return false;
    (void)snprintf(out, size, "%.*s.pcb", (int)(strlen(input) - strlen(".pcase")), input);
    return true;
}

static int command_asm(void *opaque, int count, char **files)
{
    const struct asm_request *const request = opaque;
    char beside[4096];
    if (count != 1)
        return cli_usage("asm", "give one file");
    const char *const input = files[0];
    if (request->output == NULL && !name_beside(input, beside, sizeof beside))
        return cli_usage("asm", "%s does not end in .pcase; say where to with -o", input);
    const char *const output = request->output != NULL ? request->output : beside;
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = cli_load(input, test_case, &error);
    if (status == HARNESS_OK)
        status = harness_case_save_file(test_case, output, &error);
    harness_case_destroy(test_case);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

const struct cli_command cli_cmd_asm = {
    CLI_COMMAND("asm", command_asm, "assemble text into a case, the inverse of show"),
    .options = { CLI_OWN_OPTIONS },
};
