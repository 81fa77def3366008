#include "harness/cli/cli.h"

#include "harness/case/formats.h"

#include <stdio.h>
#include <sys/stat.h>
#include <string.h>

static const char about[] =
    "picafuzz import - turn captures into cases\n"
    "\n"
    "usage: picafuzz import [options] CAPTURE...\n"
    "\n"
    "  picafuzz import -o cases trace.ctf                    a CiTrace that an emulator recorded\n"
    "  picafuzz import -o cases corpus/captures/*            all captures, as text\n"
    "  picafuzz import --binary -o fuzz-corpus corpus/captures   as seeds for a fuzzer\n"
    "\n"
    "Reads .picacap, .ctf and raw command lists (.bin). The memory windows of the case are the pages that\n"
    "the capture names and those that its draws read or wrote when the reference ran them (docs/spec/90,\n"
    "CAP-13). Whatever had to be left out is named on stderr.\n";

static const char exits[] = "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

struct import_request {
    const char *directory;
    bool binary;
};

static const struct import_request defaults = { .directory = "." };

static const struct cli_option option_table[] = {
    { "output", 'o', CLI_TEXT, 0, 0, offsetof(struct import_request, directory), "DIRECTORY", "where the cases go",
      NULL },
    { "binary", 0, CLI_FLAG, 0, 0, offsetof(struct import_request, binary), NULL, "write .pcb instead of .pcase",
      NULL },
};

/* No input is overwritten, neither its own nor one that is still to come. */
static enum harness_status check_output(const struct cli_paths *paths, const char *output, struct harness_error *error)
{
    for (size_t i = 0; i < paths->count; i++)
        if (cli_is_same_file(paths->items[i], output))
            return harness_fail(error, HARNESS_BAD_INPUT,
                                "%s: is an input and would be overwritten; give another "
                                "directory with --output",
                                output);
    return HARNESS_OK;
}

static enum harness_status import_one(const struct cli_paths *paths, size_t index, const struct import_request *request,
                                      struct harness_error *error)
{
    char stem[1024];
    char output[4096];
    cli_stem_among(paths, index, stem, sizeof stem);
    const int length =
        snprintf(output, sizeof output, "%s/%s.%s", request->directory, stem, request->binary ? "pcb" : "pcase");
    if (length < 0 || (size_t)length >= sizeof output)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", request->directory);
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = check_output(paths, output, error);
    if (status == HARNESS_OK)
        status = test_case == NULL ? harness_fail_memory(error) : cli_load(paths->items[index], test_case, error);
    if (status == HARNESS_OK)
        status = harness_case_save_file(test_case, output, error);
    if (status == HARNESS_OK)
        cli_print(stdout, "%s: %u window(s), %u operation(s)\n", output, (unsigned)test_case->window_count,
                  (unsigned)test_case->operation_count);
    harness_case_destroy(test_case);
    return status;
}

static int command_import(void *opaque, int count, char **files)
{
    const struct import_request *const request = opaque;
    if (count == 0)
        return cli_usage("import", "no capture given");
    struct harness_error error = { "" };
    struct cli_paths paths = { NULL, 0, 0 };
    int code = cli_paths_add_all(&paths, files, count);
    if (cli_make_directory(request->directory, &error) != HARNESS_OK)
        code = cli_worse(code, cli_fail(HARNESS_HOST, &error));
    for (size_t i = 0; i < paths.count && code != CLI_HOST; i++) {
        const enum harness_status status = import_one(&paths, i, request, &error);
        if (status != HARNESS_OK)
            code = cli_worse(code, cli_fail(status, &error));
    }
    cli_paths_free(&paths);
    return code;
}

const struct cli_command cli_cmd_import = {
    .name = "import",
    .summary = "turn captures into cases",
    .about = about,
    .exits = exits,
    .options = { { option_table, sizeof option_table / sizeof option_table[0], 0 } },
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .run = command_import,
};
