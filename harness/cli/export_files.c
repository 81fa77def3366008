#include "harness/cli/export_files.h"

#include "harness/cli/stems.h"

static enum harness_status ask(struct console_export *export, const char *path, const char *name,
                               struct harness_case *test_case, struct console_answer *answer,
                               struct harness_error *error)
{
    enum harness_status status = cli_load(path, test_case, error);
    if (status != HARNESS_OK)
        return status;
    status = console_export_ask(export, name, test_case, answer, error);
    if (status != HARNESS_OK)
        harness_error_prefix(error, path);
    return status;
}

enum harness_status cli_export_files(struct console_asking *asking, const struct cli_paths *paths,
                                     struct harness_error *error)
{
    struct harness_case *const test_case = harness_case_create();
    char **const names = cli_stems(paths);
    enum harness_status status = test_case != NULL && names != NULL ? HARNESS_OK : harness_fail_memory(error);
    for (size_t i = 0; status == HARNESS_OK && i < paths->count; i++) {
        struct console_answer answer = { .taken = false };
        status = ask(asking->export, paths->items[i], names[i], test_case, &answer, error);
        if (status == HARNESS_OK)
            console_asking_note(asking, paths->items[i], &answer);
    }
    cli_stems_free(names, paths);
    harness_case_destroy(test_case);
    return status;
}
