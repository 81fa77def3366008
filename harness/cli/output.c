#include "harness/cli/output.h"

#include "harness/case/formats.h"
#include "harness/cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool cli_output_is_file(const char *path)
{
    return harness_has_extension(path, ".pcase") || harness_has_extension(path, ".pcb");
}

int cli_output_open(const struct cli_output *output, const char *command, uint64_t count)
{
    struct harness_error error = { "" };
    if (output->path == NULL && (count != 1 || output->binary))
        return cli_usage(command, "say where to with -o; only a single case is printed, as text");
    if (output->path == NULL)
        return CLI_OK;
    if (cli_output_is_file(output->path) && count != 1)
        return cli_usage(command, "%s is one file; give a directory for %" PRIu64 " cases", output->path, count);
    if (cli_output_is_file(output->path))
        return CLI_OK;
    const enum harness_status status = cli_make_directory(output->path, &error);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

enum harness_status cli_output_print(const struct harness_case *test_case, const char *c_name,
                                     struct harness_error *error)
{
    struct harness_text text = { 0 };
    const enum harness_status status = c_name != NULL ? harness_c_write(test_case, c_name, &text, error)
                                                      : harness_pcase_write(test_case, &text, error);
    if (status == HARNESS_OK)
        (void)cli_print(stdout, "%s", harness_text_string(&text)); /* main looks whether that came through */
    harness_text_free(&text);
    return status;
}

enum harness_status cli_output_path(const struct cli_output *output, const char *name, char *out, size_t size,
                                    struct harness_error *error)
{
    const int length = snprintf(out, size, "%s/%s.%s", output->path, name, output->binary ? "pcb" : "pcase");
    return length > 0 && (size_t)length < size
               ? HARNESS_OK
               : harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", output->path);
}

enum harness_status cli_output_write(const struct cli_output *output, const struct harness_case *test_case,
                                     const char *name, const char *remark, struct harness_error *error)
{
    char path[4096];
    if (output->path == NULL)
        return cli_output_print(test_case, NULL, error);
    const bool is_file = cli_output_is_file(output->path);
    const char *const to = is_file ? output->path : path;
    enum harness_status status = is_file ? HARNESS_OK : cli_output_path(output, name, path, sizeof path, error);
    if (status == HARNESS_OK)
        status = harness_case_save_file(test_case, to, error);
    if (status == HARNESS_OK)
        cli_print(stdout, "%s%s%s\n", to, remark != NULL ? ": " : "", remark != NULL ? remark : "");
    return status;
}
