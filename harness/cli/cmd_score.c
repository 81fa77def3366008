#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/cli/baseline.h"
#include "harness/cli/quirks.h"
#include "harness/cli/score_report.h"
#include "harness/quirks/edit.h"
#include "harness/vectors/score.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "picafuzz score - how many cases of the frozen pack does a backend get right?\n"
    "\n"
    "usage: picafuzz score -b BACKEND [options] [PACK]\n"
    "\n"
    "  picafuzz score -b ./libmygpu.so                     three numbers, and tables\n"
    "  picafuzz score -b ./libmygpu.so --html score.html --badge score.svg --junit score.xml\n"
    "                                                      ... as a page, a badge, for CI\n"
    "  picafuzz score -b ./libmygpu.so --quirks my.quirks  fails only on what is new\n"
    "  picafuzz score -b ./libmygpu.so -o failing          those that did not pass, as files for `picafuzz diff`\n"
    "  picafuzz score -b fast old.vectors                  another pack than the one in this program\n"
    "\n"
    "The numbers, best known first: cases that somebody measured on a console, cases of what documents say,\n"
    "cases of what we or emulators chose, where a wrong one may be ours. They count what was tested: what a\n"
    "backend does not support, or where it models nothing that changes, is `not tested`.\n"
    "\n"
    "A pack never changes: cases, and what they must leave after each operation (docs/formats/vectors.md).\n"
    "What a backend declares to model is compared, within the tolerance of its quirks file. Where sources\n"
    "differ, several machines are right: the backend's sides of the known choices are found as `picafuzz\n"
    "fingerprint` finds them, and what `reference` leaves under those is `acceptable`, which counts. Sides\n"
    "that a console was seen not to take, and parts of the machine that are missing, are not. Of a case that\n"
    "ran on a console, only what was read there must be left.\n"
    "\n"
    "A plug-in runs in a process of its own (process: need not be said): a crash or a hang costs one case.\n";

static const char exits[] =
    "exit codes: 0 all that was tested is right, or nothing is new, 1 a case failed, 2 usage or bad input,\n"
    "3 the backend crashed or hung in a case, 4 host trouble\n";

struct score_request {
    struct cli_run_options options;
    const char *html, *junit, *badge, *output, *note;
    const char *quirks_path; /* with --accept: to be changed, and there or not */
    uint32_t listed;
    bool json, first, accept;
};

static const struct score_request defaults = {
    .options = { .instruction_sets = UINT32_MAX, .timeout = { 10, false } },
    .listed = 20,
};

static const struct cli_option option_table[] = {
    { "backend", 'b', CLI_TEXT, 0, 0, offsetof(struct score_request, options.backends.items[0]), "NAME",
      "reference, fast, or the path of a shared library", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct score_request, json), NULL,
      "one JSON object on stdout: score, tables, every case", NULL },
    { "html", 0, CLI_TEXT, 0, 0, offsetof(struct score_request, html), "FILE", "write a page", NULL },
    { "junit", 0, CLI_TEXT, 0, 0, offsetof(struct score_request, junit), "FILE", "write a JUnit file", NULL },
    { "badge", 0, CLI_TEXT, 0, 0, offsetof(struct score_request, badge), "FILE", "write an SVG badge", NULL },
    { "output", 'o', CLI_TEXT, 0, 0, offsetof(struct score_request, output), "DIRECTORY",
      "write cases that failed, crashed or hung there", NULL },
    { "list", 0, CLI_NUMBER, 0, 1000000, offsetof(struct score_request, listed), "N",
      "print so many of the cases that did not pass", NULL },
    { "first", 0, CLI_FLAG, 0, 0, offsetof(struct score_request, first), NULL, "stop at the first that does not pass",
      NULL },
    { "accept", 0, CLI_FLAG, 0, 0, offsetof(struct score_request, accept), NULL,
      "add each case that is new to the baseline of the --quirks file", NULL },
    { "note", 0, CLI_TEXT, 0, 0, offsetof(struct score_request, note), "TEXT", "with --accept: why", NULL },
};

/* What the functions below work with. */
struct work {
    const struct score_request *request;
    struct vectors *vectors;
    struct harness_backend backend;
    struct vectors_scorer *scorer;
    struct vectors_scored *scored;
    bool *done, *known;
    uint64_t not_tested;
    size_t accepted;
};

enum {
    AGAIN_TIMEOUTS = 2 /* a call that hangs is seen as such before the process around it is given up */
};

/* --------------------------------------------------------------------------------------------------------- one case */

static int code_of(enum vectors_result result)
{
    if (result == VECTORS_CRASHED || result == VECTORS_HUNG)
        return CLI_CRASHED;
    return result == VECTORS_FAILED ? CLI_DIVERGED : CLI_OK;
}

/* As entries of a baseline name it: from a '/' on. */
static void baseline_name(const struct work *work, size_t index, char *out, size_t size)
{
    (void)snprintf(out, size, "vectors/%s", vectors_about(work->vectors, index)->name);
}

/* "blend/x-3" becomes DIRECTORY/blend-x-3.pcase. */
static enum harness_status keep_case(const struct work *work, size_t index, struct harness_error *error)
{
    char path[4096];
    const char *const directory = work->request->output;
    struct harness_surfaces *const surfaces = malloc(sizeof *surfaces);
    struct harness_case *const test_case = harness_case_create();
    (void)snprintf(path, sizeof path, "%s/%s.pcase", directory, vectors_about(work->vectors, index)->name);
    for (char *at = path + strlen(directory) + 1; *at != '\0'; at++)
        if (*at == '/')
            *at = '-';
    enum harness_status status = surfaces != NULL && test_case != NULL ? HARNESS_OK : harness_fail_memory(error);
    if (status == HARNESS_OK)
        status = vectors_load(work->vectors, index, test_case, surfaces, error);
    if (status == HARNESS_OK)
        status = harness_case_save_file(test_case, path, error);
    harness_case_destroy(test_case);
    free(surfaces);
    return status;
}

static int accept(struct work *work, const char *name, int code)
{
    char test_case[VECTORS_TEXT + 16], note[1024];
    struct harness_error error = { "" };
    const struct score_request *const request = work->request;
    (void)snprintf(test_case, sizeof test_case, "%s", name);
    (void)snprintf(note, sizeof note, "%s", request->note != NULL ? request->note : "");
    const struct harness_accepted entry = { .test_case = test_case,
                                            .expectation =
                                                code == CLI_CRASHED ? HARNESS_EXPECT_CRASH : HARNESS_EXPECT_FAIL,
                                            .note = note };
    const enum harness_status status = harness_quirks_accept(request->quirks_path, &entry, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    work->accepted++;
    return CLI_OK;
}

/* One case, as a trial of the baseline sees it. */
struct attempt {
    struct work *work;
    size_t index;
};

static uint64_t count_not_tested(const void *opaque)
{
    const struct attempt *const attempt = opaque;
    return attempt->work->not_tested;
}

static int score_first(const void *opaque)
{
    const struct attempt *const attempt = opaque;
    struct work *const work = attempt->work;
    struct vectors_scored *const scored = &work->scored[attempt->index];
    struct harness_error error = { "" };
    const enum harness_status status = vectors_score(work->scorer, attempt->index, scored, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    work->done[attempt->index] = true;
    work->not_tested += scored->result == VECTORS_NOT_TESTED;
    cli_quirks_allowed(&work->request->options, &scored->allowed);
    return code_of(scored->result);
}

static enum harness_status open_scorer(struct work *work, struct harness_error *error);

/* In a process of its own, and so with a backend of its own: what the first run left there has no say. */
static int score_again(const void *opaque)
{
    const struct attempt *const attempt = opaque;
    struct work fresh = { .request = attempt->work->request, .vectors = attempt->work->vectors };
    struct vectors_scored scored;
    struct harness_error error = { "" };
    enum harness_status status = open_scorer(&fresh, &error);
    const struct harness_fingerprint *const found = vectors_scorer_fingerprint(attempt->work->scorer);
    if (status == HARNESS_OK && found != NULL)
        vectors_scorer_know(fresh.scorer, found);
    if (status == HARNESS_OK)
        status = vectors_score(fresh.scorer, attempt->index, &scored, &error);
    const int code = status == HARNESS_OK ? code_of(scored.result) : cli_fail(status, &error);
    vectors_scorer_destroy(fresh.scorer);
    if (fresh.backend.backend != NULL)
        (void)cli_backend_close(&fresh.backend);
    return code;
}

static int score_one(struct work *work, size_t index)
{
    char name[VECTORS_TEXT + 16];
    struct harness_error error = { "" };
    struct attempt attempt = { work, index };
    baseline_name(work, index, name, sizeof name);
    const struct cli_trial trial = { .name = name,
                                     .timeout = AGAIN_TIMEOUTS * work->request->options.timeout.seconds,
                                     .first = score_first,
                                     .argument = &attempt,
                                     .work = score_again,
                                     .again = &attempt,
                                     .not_tested = count_not_tested };
    const int code = cli_baseline_run(&work->request->options, &trial);
    const int found = work->done[index] ? code_of(work->scored[index].result) : CLI_OK;
    work->known[index] = found != CLI_OK && code == CLI_OK;
    if (found != CLI_OK && work->request->output != NULL && keep_case(work, index, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    return found != CLI_OK && code != CLI_OK && work->request->accept ? accept(work, name, code) : code;
}

/* -------------------------------------------------------------------------------------------------------- all cases */

static int write_files(const struct score_request *request, const struct score_report *report)
{
    struct harness_error error = { "" };
    enum harness_status status = HARNESS_OK;
    if (request->html != NULL)
        status = score_write_html(report, request->html, &error);
    if (request->junit != NULL && status == HARNESS_OK)
        status = score_write_junit(report, request->junit, &error);
    if (request->badge != NULL && status == HARNESS_OK)
        status = score_write_badge(report, request->badge, &error);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

static int report_all(const struct work *work)
{
    char compared[ORACLE_SCOPE_TEXT] = "";
    const struct score_request *const request = work->request;
    if (!oracle_scope_is_all(&work->backend.scope))
        oracle_scope_text(&work->backend.scope, compared, sizeof compared);
    struct score_report report = { .backend = request->options.backends.items[0],
                                   .compared = compared,
                                   .vectors = work->vectors,
                                   .scored = work->scored,
                                   .done = work->done,
                                   .known = work->known,
                                   .fingerprint = vectors_scorer_fingerprint(work->scorer),
                                   .all = { .name = "all" } };
    score_count(&report);
    if (request->json)
        score_print_json(&report);
    else
        score_print_text(&report, request->listed);
    return write_files(request, &report);
}

static int score_all(struct work *work)
{
    int code = CLI_OK;
    for (size_t i = 0; i < vectors_count(work->vectors); i++) {
        const int one = score_one(work, i);
        code = cli_worse(code, one);
        if (one == CLI_HOST || one == CLI_USAGE)
            return code;
        if (work->request->first && one != CLI_OK)
            break;
    }
    if (!work->request->first)
        cli_baseline_unmatched(&work->request->options, false);
    code = cli_worse(code, report_all(work));
    if (work->accepted != 0)
        cli_print(stderr, "picafuzz: %zu case(s) accepted in %s\n", work->accepted, work->request->quirks_path);
    cli_quirks_print(&work->request->options, work->request->json);
    return code;
}

/* ---------------------------------------------------------------------------------------------------------- opening */

/* A plug-in may crash: it gets a process of its own, whatever the user wrote. */
static enum harness_status open_backend(const struct score_request *request, struct harness_backend *out,
                                        struct harness_error *error)
{
    const char *const name = request->options.backends.items[0];
    char guarded[4096];
    const bool is_plain =
        strchr(name, '/') != NULL && strncmp(name, "recorded:", 9) != 0 && harness_backend_target(name) == name;
    (void)snprintf(guarded, sizeof guarded, "%s%s", is_plain ? "process:" : "", name);
    const enum harness_status status = harness_backend_open(guarded, out, error);
    if (status != HARNESS_OK)
        return status;
    cli_limit_calls(out, &request->options);
    cli_scope_apply(&request->options, out);
    return HARNESS_OK;
}

static enum harness_status open_scorer(struct work *work, struct harness_error *error)
{
    const struct score_request *const request = work->request;
    const struct pica_options options = cli_backend_options(&request->options);
    enum harness_status status = open_backend(request, &work->backend, error);
    if (status == HARNESS_OK)
        status = vectors_scorer_create(work->vectors, &work->backend, &options, &work->scorer, error);
    if (status == HARNESS_OK && request->options.quirks != NULL)
        vectors_scorer_prepare(work->scorer, cli_quirks_prepare, &request->options);
    return status;
}

static enum harness_status open_all(struct work *work, const char *pack, struct harness_error *error)
{
    size_t size = 0;
    const uint8_t *const builtin = vectors_builtin(&size);
    const enum harness_status status = pack != NULL
                                           ? vectors_open(pack, &work->vectors, error)
                                           : vectors_parse("corpus/vectors", builtin, size, &work->vectors, error);
    if (status != HARNESS_OK)
        return status;
    const size_t count = vectors_count(work->vectors) + 1;
    work->scored = calloc(count, sizeof *work->scored);
    work->done = calloc(count, sizeof *work->done);
    work->known = calloc(count, sizeof *work->known);
    if (work->scored == NULL || work->done == NULL || work->known == NULL)
        return harness_fail_memory(error);
    return open_scorer(work, error);
}

static int score(const struct score_request *request, const char *pack)
{
    struct work work = { .request = request };
    struct harness_error error = { "" };
    enum harness_status status = request->output != NULL ? cli_make_directory(request->output, &error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = open_all(&work, pack, &error);
    int code = status == HARNESS_OK ? score_all(&work) : cli_fail(status, &error);
    vectors_scorer_destroy(work.scorer);
    if (work.backend.backend != NULL)
        code = cli_worse(code, cli_backend_close(&work.backend));
    vectors_close(work.vectors);
    free(work.scored);
    free(work.done);
    free(work.known);
    return code;
}

static int command_score(void *opaque, int count, char **files)
{
    struct score_request *const request = opaque;
    struct cli_run_options *const options = &request->options;
    if (options->backends.items[0] == NULL)
        return cli_usage("score", "no backend given: -b NAME");
    options->backends.count = 1;
    options->shards = 1;
    if (count > 1)
        return cli_usage("score", "takes one pack; '%s' is one too many", files[1]);
    if (request->note != NULL && !request->accept)
        return cli_usage("score", "--note is for --accept");
    if (cli_scope_check("score", options) != CLI_OK)
        return CLI_USAGE;
    int code = request->accept ? cli_quirks_change("score", options, &request->quirks_path) : CLI_OK;
    if (code == CLI_OK)
        code = cli_quirks_open("score", options);
    if (code != CLI_OK)
        return code;
    code = score(request, count == 1 ? files[0] : NULL);
    cli_quirks_close(options);
    return code;
}

const struct cli_command cli_cmd_score = {
    .name = "score",
    .summary = "how many cases of the frozen pack a backend gets right",
    .about = about,
    .exits = exits,
    .options = { { option_table, sizeof option_table / sizeof option_table[0], 0 },
                 { cli_run_option_table, CLI_RUN_OPTIONS, offsetof(struct score_request, options) },
                 { cli_scope_option_table, CLI_SCOPE_OPTIONS, offsetof(struct score_request, options) } },
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .run = command_score,
};
