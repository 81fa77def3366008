#include "harness/cli/cli.h"

#include "harness/cli/json.h"
#include "harness/cli/output.h"

static const char about[] =
    "picafuzz show - print a case, a capture or a command list as text\n"
    "\n"
    "usage: picafuzz show [options] FILE\n"
    "\n"
    "  picafuzz show finding.pcb                       what a fuzzer found, as readable text\n"
    "  picafuzz show corpus/captures/mesh-f0.picacap   a capture: registers by name, shaders as assembly\n"
    "  picafuzz show list.bin                          a raw dump of one command list\n"
    "  picafuzz show --json a.pcase | jq .operations   for programs\n"
    "  picafuzz show --c small.pcase > crash.c         one C file that replays it in your emulator's tests\n"
    "\n"
    "The text is the .pcase format (docs/formats/pcase.md): `picafuzz asm` turns it back into exactly the\n"
    "same case. The C file has a comment for each command, and calls functions that you write: write memory,\n"
    "run a list, ... (docs/crash-in-a-debugger.md).\n";

static const char exits[] = "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

struct show_request {
    bool json;
    bool c;
};

static const struct show_request defaults = { false, false };

static const struct cli_option option_table[] = {
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct show_request, json), NULL,
      "one JSON object: windows, operations, every command with its registers and fields", NULL },
    { "c", 0, CLI_FLAG, 0, 0, offsetof(struct show_request, c), NULL,
      "one C99 file without dependencies: pages and lists as arrays, and a function that replays them", NULL },
};

static int command_show(void *opaque, int count, char **files)
{
    const struct show_request *const request = opaque;
    if (count != 1)
        return cli_usage("show", "give one file");
    if (request->json && request->c)
        return cli_usage("show", "give --json or --c, not both");
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = cli_load(files[0], test_case, &error);
    if (status == HARNESS_OK && request->json)
        cli_show_json(test_case);
    else if (status == HARNESS_OK)
        status = cli_output_print(test_case, request->c ? files[0] : NULL, &error);
    harness_case_destroy(test_case);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

const struct cli_command cli_cmd_show = {
    CLI_COMMAND("show", command_show, "print a case, capture or command list as text, JSON or C"),
    .options = { CLI_OWN_OPTIONS },
};
