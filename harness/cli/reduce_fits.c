#include "harness/cli/reduce_fits.h"

#include "harness/cli/quirks.h"
#include "harness/console/gate.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"
#include "pica/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cli_fits {
    struct cli_fits_options options;
    struct console_gates *gates;   /* exportable */
    struct harness_runner *runner; /* defined: `reference` */
    struct harness_program *program;
    struct console_plan *plan; /* of the case asked last */
};

static bool is_defined(const struct cli_fits *fits)
{
    const struct harness_program *const program = fits->program;
    struct pica_events events;
    return harness_runner_load(fits->runner, &program->setup) == PICA_OK &&
           harness_runner_run(fits->runner, program->operations, program->count) == PICA_OK &&
           harness_runner_events(fits->runner, &events) == PICA_OK && pica_events_empty(&events);
}

/* Why a case does not fit; NULL: it does. Valid until the next call. */
static const char *complaint(const struct cli_fits *fits, struct harness_case *test_case)
{
    struct harness_error error = { "" };
    if (fits->options.quirks != NULL && !harness_force_holds(&fits->options.quirks->file->force, test_case))
        return "what is forced does not hold";
    if (!fits->options.exportable && !fits->options.defined)
        return NULL;
    if (harness_case_setup(test_case, fits->program, &error) != HARNESS_OK)
        return "it cannot be run";
    if (fits->options.defined && !is_defined(fits))
        return "it touches undefined behaviour, or a budget";
    if (!fits->options.exportable)
        return NULL;
    if (console_gates_ask(fits->gates, fits->program, fits->plan, &error) != HARNESS_OK)
        return "`reference` does not run it";
    return fits->plan->reasons.size != 0 ? harness_text_string(&fits->plan->reasons) : NULL;
}

bool cli_fits(const void *what, struct harness_case *test_case)
{
    return complaint(what, test_case) == NULL;
}

static enum harness_status open_parts(struct cli_fits *fits, struct harness_error *error)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    fits->program = harness_program_create();
    fits->plan = calloc(1, sizeof *fits->plan);
    if (fits->program == NULL || fits->plan == NULL ||
        harness_runner_create(reference, &options, &fits->runner) != PICA_OK)
        return harness_fail_memory(error);
    return console_gates_create(false, &fits->gates, error);
}

/* Does the case that is to be reduced fit? It has what is forced, for it was rewritten. */
static enum harness_status ask_first(struct cli_fits *fits, const struct harness_case *test_case,
                                     struct harness_error *error)
{
    struct harness_case *const copy = harness_case_clone(test_case);
    if (copy == NULL)
        return harness_fail_memory(error);
    fits->options.quirks = NULL;
    const char *const why = complaint(fits, copy);
    harness_case_destroy(copy);
    return why == NULL ? HARNESS_OK
                       : harness_fail(error, HARNESS_BAD_INPUT, "the case itself does not fit: %.*s",
                                      (int)strcspn(why, "\n"), why);
}

enum harness_status cli_fits_open(const struct cli_fits_options *options, const struct harness_case *test_case,
                                  struct cli_fits **out, struct harness_error *error)
{
    *out = NULL;
    if (options->quirks == NULL && !options->exportable && !options->defined)
        return HARNESS_OK;
    struct cli_fits *const fits = calloc(1, sizeof *fits);
    if (fits == NULL)
        return harness_fail_memory(error);
    fits->options = *options;
    enum harness_status status = options->exportable || options->defined ? open_parts(fits, error) : HARNESS_OK;
    if (status == HARNESS_OK && test_case != NULL)
        status = ask_first(fits, test_case, error);
    fits->options.quirks = options->quirks;
    if (status == HARNESS_OK)
        *out = fits;
    else
        cli_fits_close(fits);
    return status;
}

void cli_fits_close(struct cli_fits *fits)
{
    if (fits == NULL)
        return;
    if (fits->plan != NULL)
        console_plan_free(fits->plan);
    free(fits->plan);
    console_gates_destroy(fits->gates);
    harness_runner_destroy(fits->runner);
    harness_program_destroy(fits->program);
    free(fits);
}

/* -------------------------------------------------------------------------------------------------- how it goes on */

static bool is_shown(bool quiet)
{
    return !quiet && isatty(STDERR_FILENO) != 0;
}

static bool show_progress(void *user, const struct harness_reduce_progress *progress)
{
    const bool *const quiet = user;
    if (is_shown(*quiet))
        fprintf(stderr, "\r%6.0f s  round %u  %-20s %8" PRIu64 " tried  %6" PRIu64 " bytes  %4u writes  ",
                progress->elapsed, (unsigned)progress->round, progress->pass, progress->tried, progress->bytes,
                (unsigned)progress->writes);
    return !cli_is_interrupted();
}

void cli_reduce_watch(struct harness_reduce_options *options, bool *quiet)
{
    cli_catch_interrupts();
    options->watcher = show_progress;
    options->user = quiet;
}

void cli_reduce_watched(bool quiet)
{
    if (is_shown(quiet))
        fprintf(stderr, "\r%79s\r", "");
}
