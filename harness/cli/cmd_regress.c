#include "harness/cli/cli.h"

#include "harness/cli/baseline.h"
#include "harness/cli/quirks.h"
#include "harness/cli/trial.h"
#include "harness/report/regress.h"

#include <stdio.h>
#include <string.h>

static const char about[] =
    "picafuzz regress - what changed from one build to the next, as a page of pictures\n"
    "\n"
    "usage: picafuzz regress [options] -b BEFORE -b AFTER FILE_OR_DIRECTORY...\n"
    "\n"
    "  picafuzz regress -b ./old.so -b ./new.so captures/      two builds of an emulator's GPU\n"
    "  picafuzz run -b ./libmygpu.so --no-pictures --record before.res captures/\n"
    "  picafuzz regress -b recorded:before.res -b ./libmygpu.so captures/\n"
    "                                                          a build against the recorded results of an older one\n"
    "  picafuzz regress -b ./old.so -b ./new.so --quirks changes.quirks captures/\n"
    "                                                          intended changes do not count\n"
    "\n"
    "Writes DIRECTORY/index.html. For each case that changed it shows the first operation, draw, pixel and\n"
    "stage (as far as both backends can run parts of a case), the pictures of both and their difference.\n"
    "Cases that did not change are hidden. index.json and findings.sarif have the same contents. Pictures\n"
    "are named after their contents. Neither side is assumed to be right. Against recorded results the stage\n"
    "comes from the other side's history of the pixel, or `reference`'s, and is `inferred`; a case that was\n"
    "not recorded is `not tested`. A difference that does not come back in each of three fresh processes is\n"
    "`unstable` (docs/verdicts.md explains all verdicts).\n"
    "\n"
    "A baseline in the --quirks file accepts changes by case. Use a separate file for it: it accepts changes\n"
    "from build to build, not differences from the hardware.\n";

static const char exits[] =
    "exit codes: 0 nothing that was compared changed, or nothing new did, 1 something changed, 2 usage, bad\n"
    "input, or nothing was compared, 3 a backend crashed or hung, 4 a backend failed, or host trouble; if\n"
    "several apply, the first of 3 4 2 1\n";

struct regress_request {
    struct cli_run_options options;
    const char *output;
};

static const struct regress_request defaults = {
    .options = { .instruction_sets = UINT32_MAX, .timeout = { HARNESS_HANG_MS, false } },
    .output = "regress",
};

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKENDS, 1, 2, offsetof(struct regress_request, options.backends), "NAME",
      "twice, or two with a comma: before, then after", NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct regress_request, output), "DIRECTORY", "where the page goes",
      NULL },
};

/* What cases are judged and drawn with. */
struct regress_work {
    const struct cli_run_options *options;
    struct cli_trials judges;
    struct harness_runner *runners[2]; /* for pictures: only plug-ins die, and they have their own processes */
    struct harness_regress *regress;
    struct harness_tally tally;
    struct cli_case loaded;
    const char *path; /* of the case in hand */
};

/* The word and the first line of what a case showed. */
static void print_case(const struct regress_work *work, const struct harness_trial *trial)
{
    cli_trial_said(trial);
    if (trial->outcome == HARNESS_AGREE)
        return;
    const char *const message = harness_regress_message(work->regress);
    cli_print(stdout, "%s: %s: %.*s\n", work->path, harness_outcome_name(trial->outcome), (int)strcspn(message, "\n"),
              message);
}

/* The page's entry. The case is as it was judged. */
static enum harness_status add(struct regress_work *work, const struct harness_trial *trial,
                               struct harness_error *error)
{
    struct harness_text why = { 0 };
    harness_trial_reason(work->judges.trials, trial, &why);
    enum harness_status status = harness_case_setup(work->loaded.test_case, work->loaded.program, error);
    if (status == HARNESS_OK)
        status = harness_regress_add(work->regress, work->runners, work->path, work->loaded.program, trial,
                                     harness_text_string(&why), error);
    harness_text_free(&why);
    return status;
}

static int run_file(void *user, const char *path, size_t index)
{
    struct regress_work *const work = user;
    struct harness_trial *const trial = &work->judges.trial;
    struct harness_error error = { "" };
    (void)index;
    work->path = path;
    enum harness_status status = cli_case_load(&work->loaded, work->path, &error);
    if (status == HARNESS_OK)
        status = cli_trial_case(work->options, &work->judges, work->loaded.test_case, NULL, trial, &error);
    if (status == HARNESS_OK)
        status = add(work, trial, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    print_case(work, trial);
    harness_tally_add(&work->tally, trial);
    const struct cli_judge_case question = { .name = work->path, .trial = trial };
    const int code = cli_baseline_judge_trial(work->options, &question);
    if (code == CLI_OK && harness_outcome_exit(trial->outcome) != HARNESS_EXIT_OK)
        harness_regress_accept(work->regress);
    return code;
}

static int finish(const struct regress_work *work, const struct regress_request *request)
{
    struct harness_error error = { "" };
    struct harness_text totals = { 0 };
    const enum harness_status status = harness_regress_finish(work->regress, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    harness_regress_totals(work->regress, &totals);
    const char *const compared = harness_regress_compared(work->regress);
    cli_print(stdout, "%s/index.html:%s", request->output, harness_text_string(&totals));
    cli_print(stdout, compared[0] != '\0' ? " (%s)\n" : "%s\n", compared);
    harness_text_free(&totals);
    return cli_nothing_compared(&work->tally);
}

static int run_paths(struct regress_work *work, const struct regress_request *request, const struct cli_paths *paths)
{
    uint64_t left = 0;
    const int code = cli_part_files(work->options, paths, run_file, work, &left);
    cli_baseline_unmatched(work->options, false);
    cli_part_print(work->options, left, false);
    return cli_worse(code, finish(work, request));
}

static enum harness_status prepare(struct regress_work *work, const struct regress_request *request,
                                   struct harness_error *error)
{
    const char *const *const names = request->options.backends.items;
    for (size_t i = 0; i < 2; i++) {
        const enum harness_status status =
            cli_runner_create(work->options, names[i], &work->judges.backends[i], &work->runners[i], error);
        if (status != HARNESS_OK)
            return status;
    }
    return harness_regress_create(request->output, names[0], names[1], &work->regress, error);
}

static int run_all(struct regress_request *request, const struct cli_paths *paths)
{
    struct harness_error error = { "" };
    const struct harness_trial_options how = { .shares = false };
    struct regress_work work = { .options = &request->options };
    int code = cli_trials_open(work.options, &how, &work.judges);
    if (code == CLI_OK) {
        const enum harness_status status = prepare(&work, request, &error);
        code = status == HARNESS_OK ? run_paths(&work, request, paths) : cli_fail(status, &error);
    }
    harness_regress_destroy(work.regress);
    cli_case_destroy(&work.loaded);
    for (size_t i = 0; i < 2; i++)
        harness_runner_destroy(work.runners[i]);
    return cli_worse(code, cli_trials_close(&work.judges));
}

static int command_regress(void *opaque, int count, char **files)
{
    struct regress_request *const request = opaque;
    struct cli_paths paths = { NULL, 0 };
    if (count == 0)
        return cli_usage("regress", "no case given");
    if (request->options.backends.count != 2)
        return cli_usage("regress", "two backends are compared: -b BEFORE -b AFTER");
    /* This process asks for the pictures, and a plug-in inside of it (inline:) would take it along when it dies. */
    for (size_t i = 0; i < 2; i++)
        request->options.backends.items[i] = harness_backend_apart(request->options.backends.items[i]);
    int code = cli_run_open("regress", &request->options);
    if (code != CLI_OK)
        return code;
    code = cli_paths_add_all(&paths, files, count);
    if (paths.count != 0)
        code = cli_worse(code, run_all(request, &paths));
    cli_paths_free(&paths);
    cli_quirks_print(&request->options, false);
    cli_run_close(&request->options);
    return code;
}

const struct cli_command cli_cmd_regress = {
    CLI_COMMAND("regress", command_regress, "what changed between two builds, as a page of pictures"),
    .options = { CLI_OWN_OPTIONS,
                 CLI_RUN_SETS(regress_request, options),
                 { cli_part_option_table, CLI_PART_OPTIONS, offsetof(struct regress_request, options) } },
};
