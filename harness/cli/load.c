#include "harness/cli/cli.h"

#include "harness/run/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Every byte string is a .pcb, so a picture or a typing error would silently pass for a case. Files without any
 * extension are written by fuzzing engines. */
static void note_unknown_extension(const char *path)
{
    static const char *const known[] = { ".pcase", ".pcb", ".picacap", ".ctf", ".bin" };
    const char *const slash = strrchr(path, '/');
    const char *const dot = strrchr(slash != NULL ? slash : path, '.');
    if (dot == NULL)
        return;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(dot, known[i]) == 0)
            return;
    cli_print(stderr,
              "picafuzz: %s: unknown extension; unless it begins as text or a capture does, it is read as .pcb\n",
              path);
}

enum harness_status cli_load(const char *path, struct harness_case *out, struct harness_error *error)
{
    struct stat status_of_file;
    if (stat(path, &status_of_file) != 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (S_ISDIR(status_of_file.st_mode))
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: expected a case file, found a directory", path);
    note_unknown_extension(path);
    struct harness_text warnings;
    harness_text_init(&warnings);
    const enum harness_status status = harness_load(out, path, &warnings, error);
    (void)cli_print(stderr, "%s", harness_text_string(&warnings));
    harness_text_free(&warnings);
    return status;
}

enum harness_status cli_case_create(struct cli_case *out, struct harness_error *error)
{
    out->test_case = harness_case_create();
    out->program = harness_program_create();
    return out->test_case != NULL && out->program != NULL ? HARNESS_OK : harness_fail_memory(error);
}

void cli_case_destroy(struct cli_case *test_case)
{
    harness_program_destroy(test_case->program);
    harness_case_destroy(test_case->test_case);
}

enum harness_status cli_case_load(struct cli_case *out, const char *path, struct harness_error *error)
{
    cli_doing("reading the case");
    enum harness_status status = cli_load(path, out->test_case, error);
    if (status != HARNESS_OK)
        return status;
    status = harness_case_setup(out->test_case, out->program, error);
    if (status != HARNESS_OK)
        harness_error_prefix(error, path);
    return status;
}
