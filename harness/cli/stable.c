#include "harness/cli/stable.h"

#include "harness/cli/quirks.h"

#include <stdio.h>
#include <string.h>

struct request {
    const struct cli_stable *question;
    struct answer *answer; /* shared with the guarded child */
};

struct answer {
    bool given;
    struct harness_stability stability;
};

/* As for a session, but no instance of one is made: fresh processes make them. */
static enum harness_status open_backends(const struct cli_run_options *options, struct harness_backend *backends,
                                         size_t *opened, struct harness_error *error)
{
    for (*opened = 0; *opened < options->backends.count; ++*opened) {
        struct harness_backend *const backend = &backends[*opened];
        const enum harness_status status = harness_backend_open(options->backends.items[*opened], backend, error);
        if (status != HARNESS_OK)
            return status;
        cli_limit_calls(backend, options);
        cli_scope_apply(options, backend);
    }
    return HARNESS_OK;
}

static enum harness_status ask(const struct cli_stable *question, const struct harness_backend *backends, size_t count,
                               const struct harness_case *test_case, struct harness_stability *out,
                               struct harness_error *error)
{
    const struct cli_run_options *const options = question->options;
    const struct harness_probe_options probe = { .backends = backends,
                                                 .backend_count = count,
                                                 .backend_options = cli_backend_options(options),
                                                 .hang_ms = 1000 * options->timeout.seconds,
                                                 .slow = question->slow };
    const struct harness_stable_question full = { .probe = &probe,
                                                  .test_case = test_case,
                                                  .kind = question->kind,
                                                  .before = question->before_count != 0 ? question->make : NULL,
                                                  .before_what = question->what,
                                                  .before_count = question->before_count };
    return harness_stable(&full, out, error);
}

static int ask_guarded(const void *argument)
{
    const struct request *const request = argument;
    const struct cli_stable *const question = request->question;
    struct harness_backend backends[CLI_MOST_BACKENDS];
    struct harness_error error = { "" };
    size_t opened = 0;
    cli_doing("looking whether it comes back");
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status =
        test_case != NULL ? open_backends(question->options, backends, &opened, &error) : HARNESS_NO_MEMORY;
    if (status == HARNESS_OK && question->make(question->what, 0, test_case)) {
        status = ask(question, backends, opened, test_case, &request->answer->stability, &error);
        request->answer->given = status == HARNESS_OK;
    }
    for (size_t i = 0; i < opened; i++)
        harness_backend_close(&backends[i]);
    harness_case_destroy(test_case);
    return CLI_OK;
}

bool cli_stable_ask(const struct cli_stable *question, struct harness_stability *out)
{
    struct answer *const answer = cli_shared_create(sizeof *answer);
    memset(out, 0, sizeof *out);
    if (answer == NULL)
        return false;
    const struct request request = { question, answer };
    (void)cli_guard(question->name, question->options->timeout.seconds, ask_guarded, &request);
    const bool given = answer->given;
    *out = answer->stability;
    cli_shared_destroy(answer);
    return given;
}

bool cli_stable_make_file(const void *what, size_t back, struct harness_case *out)
{
    const struct cli_stable_file *const file = what;
    const struct harness_quirks *const quirks = cli_quirks_file(file->options);
    struct harness_quirks_result result = { 0 };
    struct harness_error error;
    return back == 0 && cli_load(file->path, out, &error) == HARNESS_OK &&
           (quirks == NULL || harness_quirks_apply(quirks, out, &result) == HARNESS_OK) && result.without == NULL;
}
