#include "harness/cli/fuzz.h"

#include "harness/cli/baseline.h"
#include "harness/cli/fuzz_print.h"
#include "harness/cli/quirks.h"
#include "harness/run/kind.h"
#include "harness/shader/shader_vary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool show_progress(void *user, const struct harness_hunt_progress *progress)
{
    struct cli_fuzz_view *const view = user;
    char waiting[64] = "";
    if (progress->pauses && !view->has_paused) {
        view->has_paused = true;
        view->next = 0.0;
    }
    if (progress->reducing != 0)
        (void)snprintf(waiting, sizeof waiting, "  reducing %u of %zu%s", progress->reducing, progress->waiting,
                       progress->pauses ? "; cases wait for that" : "");
    else if (progress->waiting != 0)
        (void)snprintf(waiting, sizeof waiting, "  %zu to be reduced", progress->waiting);
    return cli_fuzz_view_show(view, progress->elapsed, progress->executions, progress->findings, waiting);
}

static void print_cases(const struct harness_hunt_summary *summary)
{
    char earlier[64] = "";
    if (summary->earlier_cases != 0)
        (void)snprintf(earlier, sizeof earlier, " (%" PRIu64 " of them in earlier starts)", summary->earlier_cases);
    cli_print(stdout, "%.0f s, %" PRIu64 " cases, %s seed %" PRIu64 "%s%s\n", summary->progress.elapsed,
              summary->progress.executions, summary->is_done ? "all before" : "up to", summary->next, earlier,
              summary->is_done ? "" : "; the next start goes on");
}

/* Prints why no finding is new. */
static void print_none(const struct harness_hunt_options *options, const struct harness_hunt_summary *summary)
{
    if (summary->earlier != 0)
        cli_print(stdout, "no new findings; %" PRIu64 " of earlier starts are in %s/\n", summary->earlier,
                  options->findings);
    else
        cli_fuzz_print_none(&summary->statistics, options->varies ? "reference and fast" : "the backends",
                            summary->progress.duplicates != 0);
}

static void print_findings(const struct harness_hunt_options *options, const struct harness_hunt_summary *summary)
{
    const struct harness_hunt_progress *const p = &summary->progress;
    cli_print(stdout, "%zu finding(s)%s:\n", p->findings, p->duplicates != 0 ? ", and more of the same kinds" : "");
    for (size_t i = 0; i < p->findings; i++)
        cli_print(stdout, "  %s\n    %s\n", summary->findings[i].path, summary->findings[i].title);
    cli_print(stdout, "look at one: picafuzz diff %s%s%s\n", options->again, summary->findings[0].machine,
              summary->findings[0].path);
}

/* Findings of this start and earlier ones in the buckets, but not those that the quirks file accepts. */
static uint64_t count_new(const struct harness_hunt_summary *summary)
{
    return summary->progress.findings + summary->earlier;
}

/* Findings that are in no bucket, so that no baseline can accept them. */
static uint64_t count_unsorted(const struct harness_hunt_summary *summary, const struct cli_fuzz_engine *engine)
{
    return summary->progress.waiting + summary->unfiled + (engine != NULL ? engine->left : 0);
}

static void print_summary(const struct harness_hunt_options *options, const struct harness_hunt_summary *summary,
                          const struct cli_fuzz_engine *engine)
{
    const struct harness_hunt_progress *const p = &summary->progress;
    struct harness_text text = { 0 };
    if (engine != NULL)
        cli_fuzz_print_engine(engine, summary);
    else
        print_cases(summary);
    cli_fuzz_statistics_text(&summary->statistics, &text);
    cli_print(stdout, "%s", harness_text_string(&text));
    harness_text_free(&text);
    cli_fuzz_print_known(&summary->peel, &summary->statistics);
    cli_fuzz_print_baseline(options->quirks, summary->accepted, count_new(summary), count_unsorted(summary, engine));
    if (summary->unconfirmed != 0)
        cli_print(stdout, "%" PRIu64 " finding(s) showed nothing when run by themselves: %s/unconfirmed\n",
                  summary->unconfirmed, options->findings);
    if (summary->unfiled != 0)
        printf("not filed, since too many are: %" PRIu64 " cases that show something\n", summary->unfiled);
    if (p->waiting != 0)
        cli_print(stdout, "%zu more finding(s) wait for their reduction: %s/%s-*; the next start goes on with them\n",
                  p->waiting, options->findings, engine != NULL ? "input" : "seed");
    if (p->executions == 0 && summary->is_done)
        printf("nothing to do: this shard has no seed of the range\n");
    else if (p->findings != 0)
        print_findings(options, summary);
    else if (p->waiting == 0 && (engine == NULL || engine->left == 0))
        print_none(options, summary);
}

/* The exit code. It is a usage error if no case ran although the shard has seeds. */
static int code_of(const struct harness_hunt_summary *summary, const struct cli_fuzz_engine *engine)
{
    const struct harness_hunt_progress *const p = &summary->progress;
    const bool found = count_new(summary) != 0 || count_unsorted(summary, engine) != 0 ||
                       p->duplicates > summary->accepted; /* of full buckets */
    const int code = cli_fuzz_code(&summary->statistics, summary->trouble, found);
    return p->executions == 0 && !summary->is_done && engine == NULL ? cli_worse(code, CLI_USAGE) : code;
}

/* ------------------------------------------------------------------------------------------------------- what to do */

static bool are_ours(const struct harness_backend *backends, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!backends[i].is_ours || harness_special(backends[i].backend) != NULL)
            return false;
    return true;
}

/* Parses "FIRST..LAST"; both ends are included. False: it is no such range. */
static bool take_range(const char *text, uint64_t *first, uint64_t *count)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long from = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || strncmp(end, "..", 2) != 0 || end[2] < '0' || end[2] > '9')
        return false;
    const unsigned long long to = strtoull(end + 2, &end, 10);
    *first = from;
    *count = to - from + 1;
    return errno == 0 && *end == '\0' && to >= from && *count != 0;
}

static int take_seeds(const struct cli_fuzz *request, struct harness_hunt_options *options)
{
    options->seeds.first = 1 + ((uint64_t)request->seed << 32);
    if (request->seeds == NULL)
        return CLI_OK;
    if (request->seed != 0)
        return cli_usage("fuzz", "--seed is another beginning where no --seeds say it");
    if (!take_range(request->seeds, &options->seeds.first, &options->seeds.count))
        return cli_usage("fuzz", "--seeds: '%s' is not FIRST..LAST", request->seeds);
    return CLI_OK;
}

static void fill(const struct cli_fuzz *request, const struct harness_backend *backends, size_t count,
                 struct harness_hunt_options *out)
{
    const struct cli_run_options *const run = &request->run;
    out->backends = backends;
    out->backend_count = count;
    out->machine = cli_backend_options(run);
    out->varies =
        are_ours(backends, count) && run->threads == 0 && run->capacity == 0 && run->instruction_sets == UINT32_MAX;
    out->quirks = run->quirks != NULL ? cli_quirks_file(run) : NULL;
    out->findings = request->findings;
    out->seeds.shard = (uint32_t)run->shard;
    out->seeds.shards = (uint32_t)run->shards;
    out->jobs = request->jobs;
    out->seconds = request->seconds;
    out->seeds.executions = request->executions;
    out->max_findings = request->max_findings != 0 ? request->max_findings : (unsigned)HARNESS_HUNT_MOST_FINDINGS;
    out->reduce_tries = cli_fuzz_tries(request);
    out->peel = request->peel;
    out->cases.plain = request->plain;
    out->cases.children = request->children;
}

int cli_fuzz_run(const struct harness_hunt_options *options, struct cli_fuzz_engine *engine)
{
    struct harness_hunt_summary *const summary = malloc(sizeof *summary);
    struct harness_error error = { "" };
    if (summary == NULL)
        return cli_fail(harness_fail_memory(&error), &error);
    struct cli_fuzz_view view;
    cli_fuzz_catch();
    cli_fuzz_view_begin(&view);
    const enum harness_status status = harness_hunt_run(options, show_progress, &view, summary, &error);
    cli_fuzz_view_end(&view);
    int code = status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
    if (engine != NULL)
        engine->left = harness_campaign_left(engine->campaign);
    if (summary->notice[0] != '\0')
        cli_print(stderr, "picafuzz: %s\n", summary->notice);
    if (code == CLI_OK || summary->progress.executions != 0) /* even after a failure, findings are there */
        print_summary(options, summary, engine);
    if (code == CLI_OK || summary->progress.executions != 0)
        code = cli_worse(code, code_of(summary, engine));
    free(summary);
    return code;
}

/* Does a plug-in report its edges? Cases that reach new ones are then kept, and lead further into its code. */
static bool tells_edges(const struct harness_backend *backends, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (backends[i].process != NULL && harness_process_edges(backends[i].backend) != 0)
            return true;
    return false;
}

static int add_parents(struct cli_fuzz *request, const struct harness_hunt_options *options, int count, char **files,
                       struct cli_paths *paths)
{
    struct harness_error error = { "" };
    if (options->cases.shader != NULL)
        return CLI_OK;
    const bool keeps = request->corpus != NULL || tells_edges(options->backends, options->backend_count);
    if (keeps && request->corpus == NULL)
        request->corpus = "fuzz-corpus";
    if (keeps && cli_make_directory(request->corpus, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    const int code = cli_paths_add_all(paths, files, count);
    return code == CLI_OK ? cli_paths_check(paths) : code;
}

/* Makes one case with the shader: if none can be made, the user should learn it now, not after the hunt has skipped all
 * seeds. */
static enum harness_status try_shader(const struct harness_shader_file *file, const char *name,
                                      struct harness_error *error)
{
    struct harness_case *const test_case = harness_case_create();
    const enum harness_status status =
        test_case == NULL ? harness_fail_memory(error) : harness_shader_vary(file, name, 1, test_case, error);
    harness_case_destroy(test_case);
    return status;
}

/* Loads the file of --shader, if it is given. CLI_OK, or an exit code. */
static int take_shader(const struct cli_fuzz *request, int count, struct harness_shader_file *file,
                       struct harness_hunt_options *options)
{
    struct harness_error error = { "" };
    if (request->shader == NULL)
        return CLI_OK;
    if (count != 0 || request->corpus != NULL)
        return cli_usage("fuzz", "--shader makes all cases: leave files and --corpus out");
    enum harness_status status = cli_shader_load(request->shader, NULL, false, file, &error);
    if (status == HARNESS_OK)
        status = harness_shader_prepare(file, request->shader, &error);
    if (status == HARNESS_OK)
        status = try_shader(file, request->shader, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    cli_shader_warn(request->shader, file);
    options->cases.shader = file;
    options->cases.shader_name = request->shader;
    return CLI_OK;
}

static int hunt_with(struct cli_fuzz *request, bool has_engine, struct harness_hunt_options *options, int count,
                     char **files)
{
    struct cli_paths paths = { NULL, 0 };
    struct harness_text identity = { 0 }, again = { 0 };
    cli_options_text(&request->run, &again);
    harness_text_format(&identity, "%s", again.size == 0 ? "-b reference,fast " : harness_text_string(&again));
    harness_text_format(&identity, "%sreduce %u, plain %u, shard %u of %u", request->peel ? "--peel " : "",
                        options->reduce_tries, options->cases.plain, (unsigned)options->seeds.shard + 1,
                        options->seeds.shards);
    /* A hunt does not continue after its shader file was changed: its findings would belong to another shader. */
    if (options->cases.shader != NULL)
        harness_text_format(&identity, ", shader %08" PRIx32, options->cases.shader->digest);
    if (has_engine)
        harness_text_add(&identity, ", with an engine");
    options->identity = harness_text_string(&identity);
    options->again = harness_text_string(&again);
    int code = has_engine ? cli_fuzz_engine(request, options, count, files)
                          : add_parents(request, options, count, files, &paths);
    options->corpus = request->corpus;
    options->cases.parents = (const char *const *)paths.items;
    options->cases.parent_count = paths.count;
    if (code == CLI_OK && !has_engine)
        code = cli_fuzz_run(options, NULL);
    cli_paths_free(&paths);
    harness_text_free(&identity);
    harness_text_free(&again);
    return code;
}

int cli_fuzz_hunt(struct cli_fuzz *request, bool has_engine, int count, char **files)
{
    struct harness_backend backends[HARNESS_MOST_BACKENDS];
    struct harness_hunt_options options = { .seeds = { .first = 0 } };
    struct harness_shader_file shader = { .program_count = 0 };
    struct harness_error error = { "" };
    size_t opened = 0;
    if (request->findings == NULL)
        request->findings = "findings";
    if (strlen(request->findings) > HARNESS_HUNT_PATH / 2 - 2) /* names of files are appended */
        return cli_usage("fuzz", "the path of a directory is too long");
    int code = has_engine ? CLI_OK : take_seeds(request, &options);
    if (code == CLI_OK)
        code = take_shader(request, count, &shader, &options);
    if (code == CLI_OK)
        code = cli_run_open("fuzz", &request->run);
    if (code == CLI_OK)
        code = cli_backends_open(&request->run, false, CLI_FUZZ_CASE_MS, backends, &opened);
    if (code == CLI_OK && cli_make_directory(request->findings, &error) != HARNESS_OK)
        code = cli_fail(HARNESS_HOST, &error);
    fill(request, backends, opened, &options);
    if (code == CLI_OK)
        code = hunt_with(request, has_engine, &options, count, files);
    cli_backends_close(backends, opened);
    cli_run_close(&request->run);
    harness_shader_file_free(&shader);
    return code;
}
