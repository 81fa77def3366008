#include "harness/cli/output.h"

#include "harness/case/formats.h"
#include "harness/cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Does the path name one file, by its extension .pcase or .pcb? */
static bool names_file(const char *path)
{
    const char *const dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".pcase") == 0 || strcmp(dot, ".pcb") == 0);
}

int cli_output_open(const struct cli_output *output, const char *command, uint64_t count)
{
    struct harness_error error = { "" };
    if (output->path == NULL && (count != 1 || output->binary))
        return cli_usage(command, "say where to with -o; only a single case is printed, as text");
    if (output->path == NULL)
        return CLI_OK;
    if (names_file(output->path) && count != 1)
        return cli_usage(command, "%s is one file; give a directory for %" PRIu64 " cases", output->path, count);
    if (names_file(output->path))
        return CLI_OK;
    const enum harness_status status = cli_make_directory(output->path, &error);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

static enum harness_status print_case(const struct harness_case *test_case, struct harness_error *error)
{
    struct harness_text text = { 0 };
    enum harness_status status = harness_pcase_write(test_case, &text, error);
    if (status == HARNESS_OK && cli_print(stdout, "%s", harness_text_string(&text)) == EOF)
        status = harness_fail(error, HARNESS_HOST, "standard output: cannot be written");
    harness_text_free(&text);
    return status;
}

enum harness_status cli_output_write(const struct cli_output *output, const struct harness_case *test_case,
                                     const char *name, const char *remark, struct harness_error *error)
{
    char path[4096];
    if (output->path == NULL)
        return print_case(test_case, error);
    const bool is_file = names_file(output->path);
    const int length =
        is_file ? snprintf(path, sizeof path, "%s", output->path)
                : snprintf(path, sizeof path, "%s/%s.%s", output->path, name, output->binary ? "pcb" : "pcase");
    if (length < 0 || (size_t)length >= sizeof path)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", output->path);
    const enum harness_status status = harness_case_save_file(test_case, path, error);
    if (status == HARNESS_OK)
        cli_print(stdout, "%s%s%s\n", path, remark != NULL ? ": " : "", remark != NULL ? remark : "");
    return status;
}
