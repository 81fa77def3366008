#include "harness/cli/cli.h"

#include "harness/cli/apart.h"
#include "harness/cli/baseline.h"
#include "harness/cli/quirks.h"
#include "harness/report/regress.h"
#include "harness/run/compare.h"

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
    "                                                          a build against what an older one left\n"
    "  picafuzz regress -b ./old.so -b ./new.so --quirks changes.quirks captures/\n"
    "                                                          changes that are meant do not count\n"
    "\n"
    "Writes DIRECTORY/index.html: each case that changed, the first operation, draw, pixel and stage as far as\n"
    "both can run parts of a case, the pictures of both and their difference. What did not change is hidden.\n"
    "The same as index.json and findings.sarif. Pictures are named after their contents. Neither side is\n"
    "taken for right. Against recorded results the stage comes from the other side's history of the pixel, or\n"
    "`reference`'s, and is `inferred`; a case that is not recorded is `not tested`. A difference that\n"
    "does not come back is `unstable`.\n"
    "\n"
    "A baseline in the --quirks file accepts changes by case. Give it a file of its own: it accepts changes\n"
    "from build to build, not differences from the hardware.\n";

static const char exits[] =
    "exit codes: 0 nothing changed, or nothing that is new, 1 something did, 2 usage or bad input, 3 a backend\n"
    "crashed or hung, 4 host trouble\n";

struct regress_request {
    struct cli_run_options options;
    struct cli_list given; /* -b, as often as it was given */
    const char *output;
};

static const struct regress_request defaults = {
    .options = { .instruction_sets = UINT32_MAX, .timeout = { 60, false } },
    .output = "regress",
};

static const struct cli_option option_table[] = {
    { "backend", 'b', CLI_EACH, 1, 2, offsetof(struct regress_request, given), "NAME",
      "twice, or two with a comma: before, then after", NULL },
    { "output", 'o', CLI_TEXT, 0, 0, offsetof(struct regress_request, output), "DIRECTORY", "where the page goes",
      NULL },
};

/* What cases are run with. */
struct regress_work {
    const struct cli_run_options *options; /* plug-ins apart */
    struct cli_session session;
    struct harness_regress *regress;
    const char *path; /* of the case in hand */
    enum harness_regress_verdict verdict;
    uint64_t not_tested;
};

static int code_of(enum harness_regress_verdict verdict)
{
    switch (verdict) {
    case HARNESS_REGRESS_SAME:
    case HARNESS_REGRESS_NOT_TESTED: return CLI_OK;
    case HARNESS_REGRESS_CHANGED:
    case HARNESS_REGRESS_UNSTABLE: return CLI_DIVERGED;
    case HARNESS_REGRESS_CRASHED:
    case HARNESS_REGRESS_VERDICTS: break;
    }
    return CLI_CRASHED;
}

/* The first line of what a case showed. */
static void print_case(const struct regress_work *work)
{
    if (work->verdict == HARNESS_REGRESS_SAME)
        return;
    const char *const message = harness_regress_message(work->regress);
    cli_print(stdout, "%s: %s: %.*s\n", work->path, harness_regress_verdict_name(work->verdict),
              (int)strcspn(message, "\n"), message);
}

static enum harness_status run_loaded(struct regress_work *work, struct cli_case *loaded, struct harness_error *error)
{
    const char *why = NULL;
    work->verdict = HARNESS_REGRESS_NOT_TESTED;
    enum harness_status status = cli_quirks_case(work->options, loaded->test_case, loaded->program, &why, error);
    if (status != HARNESS_OK)
        return status;
    status = why != NULL ? harness_regress_leave_out(work->regress, work->path, why, error)
                         : harness_regress_add(work->regress, work->session.runners[0], work->session.runners[1],
                                               work->path, loaded->program, &work->verdict, error);
    work->not_tested += work->verdict == HARNESS_REGRESS_NOT_TESTED;
    return status;
}

/* One case, in this process: only plug-ins die, and they have their own. */
static int run_case(const void *argument)
{
    struct regress_work *const work = *(struct regress_work *const *)argument;
    struct harness_error error = { "" };
    struct cli_case loaded = { NULL, NULL };
    enum harness_status status = cli_case_create(&loaded, &error);
    if (status == HARNESS_OK)
        status = cli_case_load(&loaded, work->path, &error);
    if (status == HARNESS_OK)
        status = run_loaded(work, &loaded, &error);
    cli_case_destroy(&loaded);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    print_case(work);
    return code_of(work->verdict);
}

static enum harness_status compare_again(const struct regress_work *work, const struct cli_session *session,
                                         struct cli_case *loaded, bool *differs, struct harness_error *error)
{
    const struct harness_compare_options how = { .every_operation = true };
    struct harness_comparison comparison;
    const char *why = NULL;
    enum harness_status status = cli_quirks_case(work->options, loaded->test_case, loaded->program, &why, error);
    if (status == HARNESS_OK)
        status = harness_compare(session->runners, 2, loaded->program, &how, &comparison, error);
    *differs = status == HARNESS_OK && comparison.report.verdict >= ORACLE_DIVERGE_UNDEFINED;
    return status;
}

/* In a guarded child: does the baseline's news come back in fresh processes? */
static int run_again(const void *argument)
{
    const struct regress_work *const work = *(struct regress_work *const *)argument;
    struct harness_error error = { "" };
    struct cli_case loaded = { NULL, NULL };
    struct cli_session session;
    bool differs = false;
    int code = cli_session_open(&session, work->options);
    enum harness_status status = code == CLI_OK ? cli_case_create(&loaded, &error) : HARNESS_OK;
    if (code == CLI_OK && status == HARNESS_OK)
        status = cli_case_load(&loaded, work->path, &error);
    if (code == CLI_OK && status == HARNESS_OK)
        status = compare_again(work, &session, &loaded, &differs, &error);
    if (status != HARNESS_OK)
        code = cli_fail(status, &error);
    else if (differs)
        code = CLI_DIVERGED;
    cli_case_destroy(&loaded);
    return cli_worse(code, cli_session_close(&session));
}

static uint64_t not_tested(const void *argument)
{
    return (*(struct regress_work *const *)argument)->not_tested;
}

static int run_path(struct regress_work *work, const char *path)
{
    work->path = path;
    work->verdict = HARNESS_REGRESS_SAME;
    const struct cli_trial trial = { .name = path,
                                     .timeout = work->options->timeout.seconds,
                                     .first = run_case,
                                     .argument = &work,
                                     .work = run_again,
                                     .again = &work,
                                     .not_tested = not_tested };
    const int code = cli_baseline_run(work->options, &trial);
    if (code == CLI_OK && code_of(work->verdict) != CLI_OK)
        harness_regress_accept(work->regress);
    return code;
}

static int finish(const struct regress_work *work, const struct regress_request *request)
{
    struct harness_error error = { "" };
    const enum harness_status status = harness_regress_finish(work->regress, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    cli_print(stdout, "%s/index.html:", request->output);
    const char *separator = "";
    for (enum harness_regress_verdict verdict = 0; verdict < HARNESS_REGRESS_VERDICTS; verdict++) {
        const size_t count = harness_regress_count(work->regress, verdict, true);
        const size_t accepted = count - harness_regress_count(work->regress, verdict, false);
        if (count == 0)
            continue;
        cli_print(stdout, "%s %zu %s", separator, count, harness_regress_verdict_name(verdict));
        if (accepted != 0)
            cli_print(stdout, " (%zu accepted)", accepted);
        separator = ",";
    }
    const char *const compared = harness_regress_compared(work->regress);
    cli_print(stdout, compared[0] != '\0' ? " (%s)\n" : "%s\n", compared);
    return CLI_OK;
}

static int run_all(struct regress_work *work, const struct regress_request *request, const struct cli_paths *paths)
{
    struct harness_error error = { "" };
    const char *const *const names = request->options.backends.items;
    const enum harness_status status =
        harness_regress_create(request->output, names[0], names[1], &work->regress, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    int code = CLI_OK;
    uint64_t left = 0;
    for (size_t i = 0; i < paths->count; i++) {
        if (!cli_part_has(work->options, i))
            continue;
        if (cli_part_over(work->options))
            left++;
        else
            code = cli_worse(code, run_path(work, paths->items[i]));
    }
    cli_baseline_unmatched(work->options, false);
    cli_part_print(work->options, left, false);
    code = cli_worse(code, finish(work, request));
    harness_regress_destroy(work->regress);
    return code;
}

/* Two names: from two options, or from one with a comma between them. */
static int take_backends(struct regress_request *request, char *room, size_t size)
{
    struct cli_list *const backends = &request->options.backends;
    *backends = request->given;
    const char *const comma = backends->count == 1 ? strchr(backends->items[0], ',') : NULL;
    if (comma != NULL && strlen(backends->items[0]) < size) {
        (void)snprintf(room, size, "%s", backends->items[0]);
        room[comma - backends->items[0]] = '\0';
        backends->items[0] = room;
        backends->items[1] = room + strlen(room) + 1;
        backends->count = 2;
    }
    if (backends->count != 2 || strchr(backends->items[1], ',') != NULL)
        return cli_usage("regress", "two backends are compared: -b BEFORE -b AFTER");
    return CLI_OK;
}

static int run_session(struct regress_request *request, const struct cli_paths *paths)
{
    struct cli_apart apart;
    struct regress_work work = { .options = cli_keep_apart(&request->options, &apart) };
    int code = cli_session_open(&work.session, work.options);
    if (code == CLI_OK)
        code = run_all(&work, request, paths);
    return cli_worse(code, cli_session_close(&work.session));
}

static int command_regress(void *opaque, int count, char **files)
{
    struct regress_request *const request = opaque;
    struct cli_paths paths = { NULL, 0, 0 };
    char room[4096];
    if (count == 0)
        return cli_usage("regress", "no case given");
    if (take_backends(request, room, sizeof room) != CLI_OK || cli_scope_check("regress", &request->options) != CLI_OK)
        return CLI_USAGE;
    int code = cli_part_open("regress", &request->options);
    if (code == CLI_OK)
        code = cli_quirks_open("regress", &request->options);
    if (code != CLI_OK)
        return code;
    code = cli_paths_add_all(&paths, files, count);
    if (paths.count != 0)
        code = cli_worse(code, run_session(request, &paths));
    cli_paths_free(&paths);
    cli_quirks_print(&request->options, false);
    cli_quirks_close(&request->options);
    return code;
}

const struct cli_command cli_cmd_regress = {
    .name = "regress",
    .summary = "what changed between two builds, as a page of pictures",
    .about = about,
    .exits = exits,
    .options = { { option_table, sizeof option_table / sizeof option_table[0], 0 },
                 { cli_run_option_table, CLI_RUN_OPTIONS, offsetof(struct regress_request, options) },
                 { cli_scope_option_table, CLI_SCOPE_OPTIONS, offsetof(struct regress_request, options) },
                 { cli_part_option_table, CLI_PART_OPTIONS, offsetof(struct regress_request, options) } },
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .run = command_regress,
};
