#include "harness/cli/cli.h"

#include "harness/cli/show_json.h"
#include "harness/run/load.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "picafuzz show - print a case, a capture or a command list as text\n"
    "\n"
    "usage: picafuzz show [options] FILE\n"
    "\n"
    "  picafuzz show finding.pcb                       what a fuzzer found, as readable text\n"
    "  picafuzz show corpus/captures/mesh-f0.picacap   a capture: registers by name, shaders as assembly\n"
    "  picafuzz show list.bin                          a raw dump of one command list\n"
    "  picafuzz show --json a.pcase | jq .operations   for programs\n"
    "\n"
    "The text is the .pcase format (docs/formats/pcase.md): `picafuzz asm` turns it back into exactly the same case.\n"
    "\n"
    "      --json  one JSON object: windows, operations, every command with its registers and fields\n"
    "\n"
    "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

static enum harness_status show_text(const struct harness_case *test_case, struct harness_error *error)
{
    struct harness_text text;
    harness_text_init(&text);
    enum harness_status status = harness_pcase_write(test_case, &text, error);
    if (status == HARNESS_OK && fputs(harness_text_string(&text), stdout) == EOF)
        status = harness_fail(error, HARNESS_HOST, "standard output: cannot be written");
    harness_text_free(&text);
    return status;
}

static int command_show(int argc, char **argv)
{
    static const struct option long_options[] = { { "json", no_argument, NULL, 'j' }, { NULL, 0, NULL, 0 } };
    bool json = false;
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        if (option != 'j')
            return cli_usage("show", "bad options");
        json = true;
    }
    if (optind + 1 != argc)
        return cli_usage("show", "give one file");
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status =
        test_case == NULL ? harness_fail_memory(&error) : cli_load(argv[optind], test_case, &error);
    if (status == HARNESS_OK)
        status = json ? cli_show_json(test_case, &error) : show_text(test_case, &error);
    harness_case_destroy(test_case);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

const struct cli_command cli_cmd_show = { "show", "print a case, capture or command list as text or JSON", help,
                                          command_show };
