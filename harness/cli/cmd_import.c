#include "harness/cli/cli.h"

#include "harness/case/formats.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "picafuzz import - turn captures into cases\n"
    "\n"
    "usage: picafuzz import [options] CAPTURE...\n"
    "\n"
    "  picafuzz import -o cases trace.ctf                    a CiTrace that an emulator recorded\n"
    "  picafuzz import -o cases corpus/captures/*            all captures, as text\n"
    "  picafuzz import --binary -o fuzz-corpus corpus/captures   as seeds for a fuzzer\n"
    "\n"
    "Reads .picacap, .ctf and raw command lists (.bin). The memory windows of the case are the pages that the capture\n"
    "names and those that its draws read or wrote when the reference ran them (docs/spec/90, CAP-13). What had to be "
    "left\n"
    "out is said on stderr.\n"
    "\n"
    "  -o, --output DIRECTORY  where the cases go (default: .)\n"
    "      --binary            write .pcb instead of .pcase\n"
    "\n"
    "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

static enum harness_status import_one(const char *path, const char *directory, bool binary, struct harness_error *error)
{
    char stem[256];
    char output[4096];
    cli_stem(path, stem, sizeof stem);
    const int length = snprintf(output, sizeof output, "%s/%s.%s", directory, stem, binary ? "pcb" : "pcase");
    if (length < 0 || (size_t)length >= sizeof output)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", directory);
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(error) : cli_load(path, test_case, error);
    if (status == HARNESS_OK)
        status = harness_case_save_file(test_case, output, error);
    if (status == HARNESS_OK)
        printf("%s: %u window(s), %u operation(s)\n", output, (unsigned)test_case->window_count,
               (unsigned)test_case->operation_count);
    harness_case_destroy(test_case);
    return status;
}

static int command_import(int argc, char **argv)
{
    static const struct option long_options[] = {
        { "output", required_argument, NULL, 'o' },
        { "binary", no_argument, NULL, 'b' },
        { NULL, 0, NULL, 0 },
    };
    const char *directory = ".";
    bool binary = false;
    for (int option; (option = getopt_long(argc, argv, "o:", long_options, NULL)) != -1;) {
        if (option != 'o' && option != 'b')
            return cli_usage("import", "bad options");
        if (option == 'b')
            binary = true;
        else
            directory = optarg;
    }
    if (optind == argc)
        return cli_usage("import", "no capture given");
    struct harness_error error = { "" };
    int code = CLI_OK;
    struct cli_paths paths = { NULL, 0, 0 };
    for (int i = optind; i < argc; i++)
        code = cli_worse(code, cli_paths_add(&paths, argv[i]));
    if (cli_make_directory(directory, &error) != HARNESS_OK)
        code = cli_worse(code, cli_fail(HARNESS_HOST, &error));
    for (size_t i = 0; i < paths.count && code != CLI_HOST; i++) {
        const enum harness_status status = import_one(paths.items[i], directory, binary, &error);
        if (status != HARNESS_OK)
            code = cli_worse(code, cli_fail(status, &error));
    }
    cli_paths_free(&paths);
    return code;
}

const struct cli_command cli_cmd_import = { "import", "turn captures into cases", help, command_import };
