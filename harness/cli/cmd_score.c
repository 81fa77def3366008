#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/cli/baseline.h"
#include "harness/cli/fingers.h"
#include "harness/cli/progress.h"
#include "harness/cli/quirks.h"
#include "harness/cli/score_report.h"
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
    "  picafuzz score -b fast old.vectors                  a pack other than the built-in one\n"
    "\n"
    "The three numbers, most certain first: cases that somebody measured on a console; cases of what\n"
    "documents say; cases of what we or emulators chose, where the expected result may be wrong. Only tested\n"
    "cases count: a case that a backend does not support, or in which it models nothing that changes, is\n"
    "`not tested`.\n"
    "\n"
    "A pack never changes: it holds cases, and what they must leave after each operation\n"
    "(docs/formats/vectors.md). What a backend declares to model is compared, within the tolerance of its\n"
    "quirks file. Where sources differ, more than one behaviour is right: the backend's sides of the known\n"
    "choices are found as `picafuzz fingerprint` finds them, and what `reference` leaves with those sides is\n"
    "`acceptable`, which counts. Sides that a console was seen not to take, and missing parts of the\n"
    "machine, are not acceptable. For a case that ran on a console, only what was read there must match.\n"
    "\n"
    "Each case runs in a worker process, which the next cases use, too: a crash or a hang costs one case,\n"
    "and so does a failure of the backend (`trouble`: no verdict). A wrong result is run again only if there\n"
    "is a baseline: one that does not come back in three fresh processes is not new (docs/verdicts.md).\n";

static const char exits[] =
    "exit codes: 0 everything tested is right, or nothing is new, 1 a case failed, 2 usage, bad input, or\n"
    "nothing was tested, 3 the backend crashed or hung in a case, 4 it failed in a case (no verdict), or\n"
    "host trouble; if several apply, the first of 3 4 2 1\n";

struct score_request {
    struct cli_run_options options;
    const char *name; /* of the backend, as it was given */
    const char *html, *junit, *badge, *output, *note;
    const char *quirks_path; /* with --accept: to be changed, and there or not */
    uint32_t listed;
    bool json, first, accept;
};

static const struct score_request defaults = {
    .options = { .instruction_sets = UINT32_MAX, .timeout = { HARNESS_HANG_MS, false } },
    .listed = 20,
};

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKEND, 0, 0, offsetof(struct score_request, options.backends.items[0]), "NAME",
      "reference, fast, or the path of a shared library", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct score_request, json), NULL,
      "one JSON object on stdout: score, tables, every case", NULL },
    { "html", 0, CLI_WRITE, 0, 0, offsetof(struct score_request, html), "FILE", "write a page", NULL },
    { "junit", 0, CLI_WRITE, 0, 0, offsetof(struct score_request, junit), "FILE", "write a JUnit file", NULL },
    { "badge", 0, CLI_WRITE, 0, 0, offsetof(struct score_request, badge), "FILE", "write an SVG badge", NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct score_request, output), "DIRECTORY",
      "write the cases that failed, crashed or hung into this directory", NULL },
    { "list", 0, CLI_NUMBER, 0, 1000000, offsetof(struct score_request, listed), "N",
      "print at most N of the cases that did not pass", NULL },
    { "first", 0, CLI_FLAG, 0, 0, offsetof(struct score_request, first), NULL,
      "stop at the first case that does not pass", NULL },
    { "accept", 0, CLI_FLAG, 0, 0, offsetof(struct score_request, accept), NULL,
      "add every new case to the baseline of the --quirks file", NULL },
    { "note", 0, CLI_TEXT, 0, 0, offsetof(struct score_request, note), "TEXT", "with --accept: the reason", NULL },
};

/* What the functions below work with. */
struct work {
    const struct score_request *request;
    struct vectors *vectors;
    struct cli_trials judges;
    struct harness_fingerprint *fingerprint; /* the backend's sides; NULL: not found yet */
    struct vectors_scorer *scorer;           /* of a worker */
    struct vectors_scored *scored;
    struct harness_case *test_case;
    struct harness_surfaces *surfaces;
    bool *done, *known;
    size_t accepted;
};

/* --------------------------------------------------------------------------------------------------------- one case */

/* As entries of a baseline name it: from a '/' on. */
static void baseline_name(const struct work *work, size_t index, char *out, size_t size)
{
    (void)snprintf(out, size, "vectors/%s", vectors_about(work->vectors, index)->name);
}

static enum harness_status keep_case(const struct work *work, size_t index, struct harness_error *error)
{
    char path[4096];
    enum harness_status status =
        cli_case_path(work->request->output, vectors_about(work->vectors, index)->name, path, sizeof path, error);
    if (status == HARNESS_OK)
        status = vectors_load(work->vectors, index, work->test_case, work->surfaces, error);
    return status == HARNESS_OK ? harness_case_save_file(work->test_case, path, error) : status;
}

static int accept(struct work *work, const char *name, int code)
{
    const struct score_request *const request = work->request;
    code = cli_baseline_accept_case(request->quirks_path, name, code, request->note);
    work->accepted += code == CLI_OK;
    return code;
}

/* In a worker, which has its own copy of `work`. */
static enum harness_status open_scorer(struct work *work, volatile uint32_t *step, struct harness_error *error)
{
    const struct pica_options options = cli_backend_options(&work->request->options);
    const enum harness_status status =
        vectors_scorer_create(work->vectors, &work->judges.backends[0], &options, &work->scorer, error);
    if (status != HARNESS_OK)
        return status;
    if (work->fingerprint != NULL)
        vectors_scorer_know(work->scorer, work->fingerprint);
    vectors_scorer_tell_step(work->scorer, step);
    return HARNESS_OK;
}

/* Where scoring failed: no verdict, or `death` of a backend that has its own process or was recorded. */
static void say_failure(const struct harness_probe_question *question, const struct harness_death *death,
                        const struct harness_error *error)
{
    struct harness_symptom *const symptom = question->symptom;
    struct oracle_report *const report = &question->comparison->report;
    symptom->kind = HARNESS_TROUBLE;
    (void)snprintf(symptom->detail, sizeof symptom->detail, "%s", error->message);
    if (death == NULL)
        return;
    symptom->kind = death->kind == HARNESS_DEATH_HANG ? HARNESS_HANG : HARNESS_CRASH;
    symptom->code = death->kind == HARNESS_DEATH_HANG ? 0 : death->code;
    symptom->operation_kind = HARNESS_SYMPTOM_LOADING;
    if (*question->step < question->program->count) {
        symptom->operation = question->program->origins[*question->step];
        symptom->operation_kind = (uint32_t)question->program->operations[*question->step].kind;
    }
    (void)snprintf(report->message, sizeof report->message, "%s", error->message);
}

/* In a worker: the case `number` of the pack. */
static void ask(const struct harness_probe_question *question)
{
    struct work *const work = question->user;
    struct vectors_scored *const scored = question->answer;
    struct harness_symptom *const symptom = question->symptom;
    struct harness_error error = { "" };
    enum harness_status status = work->scorer == NULL ? open_scorer(work, question->step, &error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = vectors_score(work->scorer, question->number, question->program, scored, &error);
    if (status != HARNESS_OK) {
        say_failure(question, status == HARNESS_CRASHED ? vectors_scorer_death(work->scorer) : NULL, &error);
        return;
    }
    question->comparison->allowed = scored->allowed;
    if (scored->result == VECTORS_FAILED)
        symptom->kind = HARNESS_DIVERGE;
    if (scored->result == VECTORS_NOT_TESTED)
        symptom->kind = HARNESS_NOT_TESTED;
}

static void end(void *user)
{
    vectors_scorer_destroy(((struct work *)user)->scorer);
}

static enum harness_status try_case(struct work *work, size_t index, struct harness_error *error)
{
    enum harness_status status = vectors_load(work->vectors, index, work->test_case, work->surfaces, error);
    harness_trials_number(work->judges.trials, index);
    if (status == HARNESS_OK)
        status =
            cli_trial_case(&work->request->options, &work->judges, work->test_case, NULL, &work->judges.trial, error);
    return status;
}

/* A case left something else than the specification says. It may be what a machine leaves that takes other sides of
 * known choices, so the backend's sides are found now. */
static enum harness_status find_sides(struct work *work, struct harness_error *error)
{
    bool all[PICA_CHOICES];
    int code = CLI_OK; /* the cases of the sides are in the pack, too */
    memset(all, 1, sizeof all);
    work->fingerprint = calloc(1, sizeof *work->fingerprint);
    (void)harness_trials_end(work->judges.trials); /* the next worker is one that knows */
    return work->fingerprint != NULL
               ? cli_fingerprint_take(&work->request->options, &work->judges, all, work->fingerprint, &code, error)
               : harness_fail_memory(error);
}

static enum vectors_result answer_of(const struct work *work)
{
    return ((const struct vectors_scored *)harness_trials_answer(work->judges.trials))->result;
}

/* Tries the case again in another process, which knows the sides. If it passes there without their help, it is
 * unstable. */
static enum harness_status try_knowing(struct work *work, size_t index, struct harness_error *error)
{
    struct harness_trial *const trial = &work->judges.trial;
    enum harness_status status = find_sides(work, error);
    if (status == HARNESS_OK)
        status = try_case(work, index, error);
    if (status != HARNESS_OK || trial->outcome != HARNESS_AGREE || answer_of(work) != VECTORS_PASSED)
        return status;
    trial->outcome = HARNESS_UNSTABLE;
    (void)snprintf(trial->stability.text, sizeof trial->stability.text,
                   "it left something else, and did not in a fresh process");
    return HARNESS_OK;
}

static enum vectors_result result_of(const struct work *work)
{
    switch (work->judges.trial.outcome) {
    case HARNESS_CRASH: return VECTORS_CRASHED;
    case HARNESS_HANG: return VECTORS_HUNG;
    case HARNESS_TROUBLE: return VECTORS_TROUBLE;
    case HARNESS_NOT_TESTED: return VECTORS_NOT_TESTED;
    case HARNESS_DIVERGE:
    case HARNESS_UNSTABLE: return VECTORS_FAILED;
    case HARNESS_AGREE:
    case HARNESS_TEST:
    case HARNESS_RELATION:
    case HARNESS_VACUOUS: break;
    }
    return answer_of(work);
}

/* The answer is that of the worker, unless it died or was not asked. */
static void take_result(const struct work *work, struct vectors_scored *out)
{
    const struct harness_trial *const trial = &work->judges.trial;
    struct harness_text reason = { 0 };
    harness_trial_reason(work->judges.trials, trial, &reason);
    *out = (struct vectors_scored){ .result = result_of(work), .allowed = trial->comparison.allowed };
    const struct vectors_scored *const answer = harness_trials_answer(work->judges.trials);
    (void)snprintf(out->note, sizeof out->note, "%s", reason.size != 0 ? harness_text_string(&reason) : answer->note);
    harness_text_free(&reason);
}

/* A failure that the baseline does not know is new only if it comes back. */
static int judge(struct work *work, size_t index)
{
    char name[VECTORS_TEXT + 16];
    struct harness_error error = { "" };
    const struct cli_run_options *const options = &work->request->options;
    struct vectors_scored *const scored = &work->scored[index];
    const int found = (int)harness_outcome_exit(work->judges.trial.outcome);
    baseline_name(work, index, name, sizeof name);
    take_result(work, scored);
    work->done[index] = true;
    cli_quirks_allowed(options, &scored->allowed);
    if (cli_has_baseline(options) && !cli_baseline_knows(options, name, &work->judges.trial))
        harness_trial_again(work->judges.trials, work->test_case, NULL, &work->judges.trial);
    const struct cli_judge_case question = { .name = name, .trial = &work->judges.trial };
    const int code = cli_baseline_judge_trial(options, &question);
    work->known[index] = found != CLI_OK && code == CLI_OK;
    if (found != CLI_OK && work->request->output != NULL && keep_case(work, index, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    const bool is_new = code == CLI_DIVERGED || code == CLI_CRASHED;
    return is_new && work->request->accept ? accept(work, name, code) : code;
}

static int score_one(struct work *work, size_t index)
{
    char name[VECTORS_TEXT + 16];
    struct harness_error error = { "" };
    baseline_name(work, index, name, sizeof name);
    if (cli_baseline_skips(&work->request->options, name))
        return CLI_OK;
    enum harness_status status = try_case(work, index, &error);
    if (status == HARNESS_OK && work->judges.trial.outcome == HARNESS_DIVERGE && work->fingerprint == NULL)
        status = try_knowing(work, index, &error);
    if (status == HARNESS_OK)
        return judge(work, index);
    memset(&work->judges.trial, 0, sizeof work->judges.trial); /* what is there is of the case before */
    work->judges.trial.outcome = HARNESS_TROUBLE;
    (void)snprintf(work->judges.trial.symptom.detail, sizeof work->judges.trial.symptom.detail, "%s", error.message);
    return judge(work, index);
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
    const struct oracle_scope *const scope = &work->judges.backends[0].scope;
    if (!oracle_scope_is_all(scope))
        oracle_scope_text(scope, compared, sizeof compared);
    struct score_report report = { .backend = request->name,
                                   .compared = compared,
                                   .vectors = work->vectors,
                                   .scored = work->scored,
                                   .done = work->done,
                                   .known = work->known,
                                   .fingerprint = work->fingerprint,
                                   .all = { .name = "all" } };
    score_count(&report);
    if (request->json)
        cli_print_json(score_json(&report));
    else
        score_print_text(&report, request->listed);
    const int code = report.all.cases != 0 && score_tested(&report.all) == 0 ? CLI_USAGE : CLI_OK;
    return cli_worse(code, write_files(request, &report));
}

static int score_all(struct work *work)
{
    int code = CLI_OK;
    const size_t count = vectors_count(work->vectors);
    size_t i = 0;
    struct cli_progress progress;
    cli_progress_begin(&progress);
    for (; i < count && cli_progress_goes_on(&progress, i, count, ""); i++) {
        const int one = score_one(work, i);
        code = cli_worse(code, one);
        if (work->request->first && one != CLI_OK)
            break;
    }
    code = cli_worse(code, cli_progress_end(&progress, cli_is_interrupted() ? count - i : 0));
    if (!work->request->first)
        cli_baseline_unmatched(&work->request->options, false);
    code = cli_worse(code, report_all(work));
    if (work->accepted != 0)
        cli_print(stderr, "picafuzz: %zu case(s) accepted in %s\n", work->accepted, work->request->quirks_path);
    cli_quirks_print(&work->request->options, work->request->json);
    return code;
}

/* ---------------------------------------------------------------------------------------------------------- opening */

static enum harness_status open_pack(struct work *work, const char *pack, struct harness_error *error)
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
    work->test_case = harness_case_create();
    work->surfaces = calloc(1, sizeof *work->surfaces);
    const bool good = work->scored != NULL && work->done != NULL && work->known != NULL && work->test_case != NULL &&
                      work->surfaces != NULL;
    return good ? HARNESS_OK : harness_fail_memory(error);
}

static void close_pack(struct work *work)
{
    vectors_close(work->vectors);
    harness_case_destroy(work->test_case);
    free(work->surfaces);
    free(work->fingerprint);
    free(work->scored);
    free(work->done);
    free(work->known);
}

static int score(const struct score_request *request, const char *pack)
{
    struct work work = { .request = request };
    struct harness_error error = { "" };
    const struct harness_probe_judge judge = { ask, NULL, end, &work };
    const struct harness_trial_options how = { .probe.judge = &judge, .shares = true, .once = true };
    enum harness_status status = request->output != NULL ? cli_make_directory(request->output, &error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = open_pack(&work, pack, &error);
    int code = status == HARNESS_OK ? cli_trials_open(&request->options, &how, &work.judges) : cli_fail(status, &error);
    if (code == CLI_OK)
        code = score_all(&work);
    code = cli_worse(code, cli_trials_close(&work.judges));
    close_pack(&work);
    return code;
}

static int command_score(void *opaque, int count, char **files)
{
    struct score_request *const request = opaque;
    struct cli_run_options *const options = &request->options;
    if (options->backends.items[0] == NULL)
        return cli_usage("score", "no backend given: -b NAME");
    request->name = options->backends.items[0];
    options->hosts = true;
    options->backends.count = 1;
    if (count > 1)
        return cli_usage("score", "takes one pack; '%s' is one too many", files[1]);
    if (request->note != NULL && !request->accept)
        return cli_usage("score", "--note is for --accept");
    int code = request->accept ? cli_quirks_change("score", options, &request->quirks_path) : CLI_OK;
    if (code == CLI_OK)
        code = cli_run_open("score", options);
    if (code == CLI_OK)
        code = score(request, count == 1 ? files[0] : NULL);
    cli_run_close(options);
    return code;
}

const struct cli_command cli_cmd_score = {
    CLI_COMMAND("score", command_score, "how many cases of the frozen pack a backend gets right"),
    .options = { CLI_OWN_OPTIONS, CLI_RUN_SETS(score_request, options) },
};
