#include "harness/cli/cli.h"

#include "harness/campaign/campaign.h"
#include "harness/cli/baseline.h"
#include "harness/cli/fuzz_print.h"
#include "harness/cli/fuzz_seeds.h"
#include "harness/cli/quirks.h"
#include "harness/trial/probe.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char about[] =
    "picafuzz fuzz - find cases on which backends differ, or one of them crashes\n"
    "\n"
    "usage: picafuzz fuzz [options] [CASE_FILE_OR_DIRECTORY...]\n"
    "\n"
    "  picafuzz fuzz -b ./libmygpu.so                hunts an emulator's bugs, until Ctrl-C\n"
    "  picafuzz fuzz --peel -b reference,./libmygpu.so\n"
    "                                                a night: what was found is avoided from then on\n"
    "  picafuzz fuzz --seconds 300 --jobs 4 -b ./old.so,./new.so\n"
    "                                                two builds of it, neither of which is trusted\n"
    "  picafuzz fuzz --seeds 1..20000 --shard 1/4    a part for each machine: the same findings each time\n"
    "  picafuzz fuzz --shader vertex.shbin -b reference,./libmygpu.so\n"
    "                                                that program alone: its inputs, uniforms, booleans vary\n"
    "  picafuzz fuzz --seconds 60 corpus/captures    a quarter of the cases are made of the captures\n"
    "  picafuzz fuzz --engine libfuzzer --jobs 2     coverage-guided by libFuzzer, of our own backends\n"
    "\n"
    "Each seed makes a case, which runs on all backends; they are compared with the first one, by what they\n"
    "declare to model. A case that one does not support counts as not tested. A plug-in runs in a process of\n"
    "its own, which may crash and hang: that costs a case, and is a finding. What differs or dies is run again\n"
    "in a fresh process first. Files that are given are parents of some of the cases; if a plug-in was built\n"
    "with edges (clang -fsanitize=fuzzer-no-link), so is what reached new ones, which is kept in --corpus.\n"
    "Some cases of our own two run with other threads, queues and instruction sets.\n"
    "\n"
    "Each finding is reduced beside the hunt and put into the directory of its bucket:\n"
    "FINDINGS/BUCKET/CASE.pcase is the reduced case to read, CASE.pcb what was found, CASE.txt what was said\n"
    "about it. A bucket keeps three and counts the others; a finding that shows nothing when run again by\n"
    "itself goes to FINDINGS/unconfirmed. FINDINGS/hunt.json says how far the hunt is: the next start of the\n"
    "same hunt goes on there, however this one ended. Ctrl-C loses nothing. --seconds ends it within five\n"
    "more. What is found depends on seeds and options, not on the number of jobs, on kills or on the clock,\n"
    "but for what hangs (2 s of processor time) and for what edges of a plug-in keep.\n"
    "\n"
    "--peel finds out what each finding needs: fields with certain values. From then on a case that shows\n"
    "it is run again without them (what crashes a backend is taken out beforehand), and is no finding if\n"
    "the backends agree then. Such cases are counted. What is known is in FINDINGS/peel. A crash is known by\n"
    "the place in the plug-in. When a cause is found four times all the same, it is avoided by the next of\n"
    "its needs; when each had its turn, what looks like it counts as it, and is looked at again the 8th,\n"
    "16th, 32nd ... time.\n"
    "\n"
    "With --engine libFuzzer or AFL++ chooses inputs, and runs a target program as a child: fuzz_pair, built\n"
    "by the presets `fuzz` and `asan`, or fuzz_pair_afl, built by `afl` and `afl-asan` (afl-fuzz is in the\n"
    "Debian package afl++). Inputs that reach new code are kept in the corpus directory; the next run\n"
    "goes on from them. --executions counts what the targets run, in all jobs; a case gets a second of\n"
    "processor time.\n";

static const char exits[] = "exit codes: 0 nothing found, 1 findings, 2 usage or bad input, 4 host trouble\n";

enum {
    FINDINGS = 10, /* that are enough for a campaign that was not told how many */
};

struct fuzz_request {
    struct harness_campaign_options campaign;
    uint32_t engine;   /* 0: none, the loop over seeds; else 1 + enum harness_engine */
    const char *seeds; /* of that loop */
    const char *shader;
    uint32_t children;
    struct cli_run_options run; /* backends, only, ignore */
};

static const struct fuzz_request defaults = {
    .campaign = { .jobs = 1, .reduce_seconds = 10, .still_seconds = 600 },
    .children = 25,
    .run = { .backends = { { "reference", "fast" }, 2 }, .instruction_sets = UINT32_MAX },
};

static const struct cli_choices engines = { "seeds, libfuzzer, afl", NULL }; /* 0: none; 1 + enum harness_engine */

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKENDS, 2, CLI_MOST_BACKENDS, offsetof(struct fuzz_request, run.backends), "A,B[,..]",
      "2 to 8 backends; all are compared with the first, one alone with reference", NULL },
    { "engine", 0, CLI_CHOICE, 0, 0, offsetof(struct fuzz_request, engine), "NAME",
      "what chooses the inputs: a loop over seeds, or an engine that runs a fuzz target", &engines },
    { "seeds", 0, CLI_TEXT, 0, 0, offsetof(struct fuzz_request, seeds), "FIRST..LAST",
      "only the cases of these seeds (default: from 1 on, without end)", NULL },
    { "shader", 0, CLI_READ, 0, 0, offsetof(struct fuzz_request, shader), "FILE",
      "only draws with the vertex programs of this file (`picafuzz shader --help`), with other inputs and uniforms",
      NULL },
    { "shard", 0, CLI_TEXT, 0, 0, offsetof(struct fuzz_request, run.shard_text), "K/N",
      "only part K of N of the seeds, for machine K: 1/4", NULL },
    { "children", 0, CLI_NUMBER, 0, 100, offsetof(struct fuzz_request, children), "PERCENT",
      "of the cases that are made of another one, where files are given or a plug-in tells its edges", NULL },
    { "seconds", 0, CLI_NUMBER, 0, 31536000, offsetof(struct fuzz_request, campaign.seconds), "N",
      "how long; 0 = until Ctrl-C", NULL },
    { "executions", 0, CLI_NUMBER, 0, UINT32_MAX, offsetof(struct fuzz_request, campaign.executions), "N",
      "how many cases in all; 0 = any number", NULL },
    { "jobs", 0, CLI_NUMBER, 1, 64, offsetof(struct fuzz_request, campaign.jobs), "N", "processes", NULL },
    { "corpus", 0, CLI_WRITE, 0, 0, offsetof(struct fuzz_request, campaign.corpus), "DIRECTORY",
      "where an engine, or the edges of a plug-in, keep inputs (default: fuzz-corpus)", NULL },
    { "findings", 0, CLI_WRITE, 0, 0, offsetof(struct fuzz_request, campaign.findings), "DIRECTORY",
      "where findings go (default: findings)", NULL },
    { "max-findings", 0, CLI_NUMBER, 1, HARNESS_CAMPAIGN_MAX_FINDINGS,
      offsetof(struct fuzz_request, campaign.max_findings), "N",
      "stop after so many different findings (default: 1000, with --engine 10)", NULL },
    { "reduce-seconds", 0, CLI_NUMBER, 0, 86400, offsetof(struct fuzz_request, campaign.reduce_seconds), "N",
      "for the reduction of each finding; 0 = findings stay as they are", NULL },
    { "reduce-tries", 0, CLI_NUMBER, 1, UINT32_MAX, offsetof(struct fuzz_request, campaign.reduce_tries), "N",
      "the same in tried changes (default: 300 for each of those seconds; engines go by the clock without "
      "--executions)",
      NULL },
    { "seed", 0, CLI_NUMBER, 1, 0x7FFFFFFF, offsetof(struct fuzz_request, campaign.seed), "N",
      "another beginning of the seeds; of an engine, the seed of its random choices", NULL },
    { "peel", 0, CLI_FLAG, 0, 0, offsetof(struct fuzz_request, campaign.peel), NULL,
      "avoid each cause once it was found, so that one cannot hide the others", NULL },
    { "plain", 0, CLI_NUMBER, 1, 100, offsetof(struct fuzz_request, campaign.plain), "PERCENT",
      "of the fills, transfers and copies of generated cases, how many hold only values that programs send", NULL },
    { "threads", 0, CLI_NUMBER, 0, 64, offsetof(struct fuzz_request, run.threads), "N",
      "worker threads of each backend", NULL },
    { "capacity", 0, CLI_NUMBER, 0, 1 << 16, offsetof(struct fuzz_request, run.capacity), "N",
      "entries of each queue and cache of a backend, at most", NULL },
    { "still", 0, CLI_NUMBER, 0, 86400, offsetof(struct fuzz_request, campaign.still_seconds), "SECONDS",
      "an engine that executes nothing for so long is ended; 0: never", NULL },
    { "memory", 0, CLI_NUMBER, 0, 1 << 24, offsetof(struct fuzz_request, campaign.memory_mib), "MIB",
      "of all jobs together; 0 = 4096 for each", NULL },
    { "target", 0, CLI_READ, 0, 0, offsetof(struct fuzz_request, campaign.target), "FILE",
      "the fuzz target (default: fuzz_pair, or fuzz_pair_afl, beside this program or in its preset's directory)",
      NULL },
    { "dictionary", 0, CLI_READ, 0, 0, offsetof(struct fuzz_request, campaign.dictionary), "FILE",
      "for bytewise mutation (default: fuzz_pair.dict above this program or in its preset's directory, if it is there)",
      NULL },
    { "mutator", 0, CLI_READ, 0, 0, offsetof(struct fuzz_request, campaign.mutator), "FILE",
      "AFL++'s custom mutator (default: ../lib/mutator_afl.so beside this program or in its preset's directory)",
      NULL },
    { "cmplog", 0, CLI_READ, 0, 0, offsetof(struct fuzz_request, campaign.cmplog), "FILE",
      "the target built by preset afl-cmplog (default: fuzz_pair_cmplog beside this program or in that preset's "
      "directory, if it is there; used from three jobs on)",
      NULL },
};

struct progress_view {
    bool terminal;
    bool holds;             /* inputs join the corpus at the end only: what the engine holds is shown */
    double next, next_step; /* seconds when the next line, or that of a step, is due if there is no terminal */
    uint64_t last_executions;
    double last_elapsed;
};

/* On a terminal it overwrites the previous line, which is no longer than this one. */
static void show_step(struct progress_view *view, const struct harness_campaign_progress *progress)
{
    char line[128];
    if (!view->terminal && progress->elapsed < view->next_step)
        return;
    view->next_step = progress->elapsed + 10.0;
    (void)snprintf(line, sizeof line, "%s: %llu of %llu", progress->step, (unsigned long long)progress->step_done,
                   (unsigned long long)progress->step_total);
    if (view->terminal)
        fprintf(stderr, "\r%-110s", line);
    else
        fprintf(stderr, "%6.0f s  %s\n", progress->elapsed, line);
}

static bool show_progress(void *user, const struct harness_campaign_progress *progress)
{
    struct progress_view *const view = user;
    if (progress->step != NULL) {
        show_step(view, progress);
        return !cli_is_interrupted();
    }
    const double interval = progress->elapsed - view->last_elapsed;
    if (!view->terminal && progress->elapsed < view->next)
        return !cli_is_interrupted();
    const double rate = interval > 0.0 ? (double)(progress->executions - view->last_executions) / interval : 0.0;
    view->last_executions = progress->executions;
    view->last_elapsed = progress->elapsed;
    view->next = progress->elapsed + 10.0;
    char edges[32] = "     ?"; /* not counted yet */
    if (progress->edges != 0)
        (void)snprintf(edges, sizeof edges, "%6llu", (unsigned long long)progress->edges);
    fprintf(stderr, "%s%6.0f s  %10llu executions  %7.0f/s  %s edges  corpus %5llu  findings %zu%s",
            view->terminal ? "\r" : "", progress->elapsed, (unsigned long long)progress->executions, rate, edges,
            (unsigned long long)(view->holds ? progress->corpus : progress->inputs), progress->findings,
            view->terminal ? "  " : "\n");
    return !cli_is_interrupted();
}

/* As the other commands count it. */
static void print_baseline(const struct harness_campaign_options *options,
                           const struct harness_campaign_summary *summary)
{
    if (options->backends.quirks != NULL && options->backends.quirks->accepted_count != 0)
        printf("baseline: %llu known, %zu new\n", (unsigned long long)summary->accepted, summary->progress.findings);
}

static void print_summary(const struct harness_campaign_options *options,
                          const struct harness_campaign_summary *summary, bool good)
{
    const struct harness_campaign_progress *const p = &summary->progress;
    const struct harness_pair_statistics *const s = &summary->statistics;
    char features[48] = "", most[24] = "";
    if (p->features != 0)
        (void)snprintf(features, sizeof features, ", %llu features", (unsigned long long)p->features);
    if (options->executions != 0)
        (void)snprintf(most, sizeof most, " of %u", (unsigned)options->executions);
    cli_print(stdout, "%.0f s, %llu executions%s, %.0f a second, %llu edges%s, %llu inputs in %s/\n", p->elapsed,
              (unsigned long long)p->executions, most, p->elapsed > 0.0 ? (double)p->executions / p->elapsed : 0.0,
              (unsigned long long)p->edges, features, (unsigned long long)p->inputs, options->corpus);
    cli_fuzz_print_untested(s);
    cli_fuzz_print_times(s);
    printf("structure-aware mutator: %llu mutations, %llu splices, %llu trims tried, %llu kept\n",
           (unsigned long long)s->mutations, (unsigned long long)s->crossovers, (unsigned long long)s->trims,
           (unsigned long long)s->trims_kept);
    cli_fuzz_print_known(&summary->peel, s);
    print_baseline(options, summary);
    if (summary->left != 0)
        cli_print(stdout, "%llu more failing input(s), not filed: %s/job*; the next run there files them\n",
                  (unsigned long long)summary->left, options->findings);
    if (p->findings == 0 && good && summary->left == 0)
        cli_fuzz_print_none(s, options->backends.names != NULL ? options->backends.names : "reference and fast",
                            p->duplicates != 0);
    if (p->findings == 0)
        return;
    cli_print(stdout, "%zu finding(s)%s:\n", p->findings, p->duplicates != 0 ? ", and more of the same kinds" : "");
    for (size_t i = 0; i < p->findings; i++)
        cli_print(stdout, "  %s\n    %s\n", summary->findings[i].path, summary->findings[i].title);
    cli_print(stdout, "look at one: picafuzz diff %s%s\n",
              options->backends.options != NULL ? options->backends.options : "", summary->findings[0].path);
}

/* Files that belong to this program, where the presets build them. */
struct companions {
    char target[4096];
    char dictionary[4096];
    char mutator[4096];
    char cmplog[4096];
};

/* `relative` to this program's directory; "" if that is not known. */
static void beside(char *path, size_t size, const char *relative)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    char *const slash = strrchr(path, '/');
    if (slash != NULL)
        (void)snprintf(slash + 1, size - (size_t)(slash + 1 - path), "%s", relative);
}

/* What lies beside this program, or, if it is not built there, in a preset's directory. It is in neither: the first. */
static void beside_or(char *path, size_t size, const char *relative, const char *other)
{
    char elsewhere[4096];
    beside(path, size, relative);
    beside(elsewhere, sizeof elsewhere, other);
    if (access(path, R_OK) != 0 && access(elsewhere, R_OK) == 0)
        (void)snprintf(path, size, "%s", elsewhere);
}

static void find_companions(struct harness_campaign_options *options, struct companions *companions)
{
    const bool afl = options->engine == HARNESS_ENGINE_AFL;
    beside_or(companions->target, sizeof companions->target, afl ? "fuzz_pair_afl" : "fuzz_pair",
              afl ? "../../afl/bin/fuzz_pair_afl" : "../../fuzz/bin/fuzz_pair");
    beside_or(companions->dictionary, sizeof companions->dictionary, "../fuzz_pair.dict", "../../fuzz/fuzz_pair.dict");
    beside_or(companions->mutator, sizeof companions->mutator, "../lib/mutator_afl.so", "../../afl/lib/mutator_afl.so");
    beside_or(companions->cmplog, sizeof companions->cmplog, "fuzz_pair_cmplog",
              "../../afl-cmplog/bin/fuzz_pair_cmplog");
    if (options->target == NULL)
        options->target = companions->target;
    if (options->mutator == NULL)
        options->mutator = companions->mutator;
    if (options->dictionary == NULL && access(companions->dictionary, R_OK) == 0)
        options->dictionary = companions->dictionary;
    if (options->cmplog == NULL && access(companions->cmplog, X_OK) == 0)
        options->cmplog = companions->cmplog;
}

static int add_seeds(const struct harness_campaign_options *options, char **names, int count)
{
    struct cli_paths paths = { NULL, 0, 0 };
    int code = cli_paths_add_all(&paths, names, count);
    size_t added = 0;
    const bool are_cases = cli_paths_check(&paths) == CLI_OK;
    code = are_cases ? code : cli_worse(code, CLI_USAGE);
    for (size_t i = 0; i < paths.count && are_cases; i++) {
        struct harness_error error = { "" };
        const enum harness_status status = harness_campaign_add_seed(options, paths.items[i], &error);
        added += status == HARNESS_OK;
        if (status == HARNESS_TOO_LARGE)
            cli_print(stderr, "picafuzz: %s: not used as a seed: %s\n", paths.items[i], error.message);
        else if (status != HARNESS_OK)
            code = cli_worse(code, cli_fail(status, &error));
    }
    if (paths.count != 0)
        cli_print(stdout, "%zu of %zu seeds added to %s/\n", added, paths.count, options->corpus);
    cli_paths_free(&paths);
    return code;
}

static int campaign(const struct harness_campaign_options *options)
{
    struct harness_campaign_summary *const summary = malloc(sizeof *summary);
    struct harness_error error = { "" };
    if (summary == NULL)
        return cli_fail(harness_fail_memory(&error), &error);
    struct progress_view view = { .terminal = isatty(STDERR_FILENO) != 0,
                                  .holds = options->engine == HARNESS_ENGINE_AFL,
                                  .next = 5.0,
                                  .next_step = 5.0 };
    cli_fuzz_catch();
    const enum harness_status status = harness_campaign_run(options, show_progress, &view, summary, &error);
    if (view.terminal)
        fprintf(stderr, "\n");
    int code = status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
    print_summary(options, summary, code == CLI_OK);
    const bool found = code == CLI_OK && (summary->progress.findings != 0 || summary->left != 0);
    code = cli_worse(code, cli_fuzz_code(&summary->statistics, summary->statistics.trouble, found));
    free(summary);
    return code;
}

/* "A,B" as it was given; NULL without memory, or if there is nothing. */
static char *join(const struct cli_list *list, char separator)
{
    struct harness_text text;
    harness_text_init(&text);
    for (size_t i = 0; i < list->count; i++) {
        char word[4096];
        cli_backends_escape(list->items[i], word, sizeof word);
        harness_text_format(&text, "%.*s%s", i != 0, &separator, separator == ',' ? word : list->items[i]);
    }
    char *const joined = list->count != 0 && !text.failed ? strdup(harness_text_string(&text)) : NULL;
    harness_text_free(&text);
    return joined;
}

static bool are_linked_two(const struct cli_list *backends)
{
    return backends->count == 2 && strcmp(backends->items[0], "reference") == 0 &&
           strcmp(backends->items[1], "fast") == 0;
}

/* With other backends than the linked two: those of the target, and the same here for reducing. */
static int campaign_of_others(struct fuzz_request *request)
{
    struct harness_backend backends[CLI_MOST_BACKENDS];
    size_t opened = 0;
    const struct cli_run_options *const run = &request->run;
    char *const names = join(&run->backends, ','), *const only = join(&run->only, ','),
                *const ignore = join(&run->ignore, ','), *const force = join(&run->force, '\n');
    int code = cli_backends_open(run, false, CLI_FUZZ_CASE_MS, backends, &opened);
    request->campaign.backends =
        (struct harness_campaign_backends){ .names = names,
                                            .only = only,
                                            .ignore = ignore,
                                            .options = request->campaign.backends.options,
                                            .quirks_path = run->quirks_path,
                                            .force = force,
                                            .quirks = run->quirks != NULL ? run->quirks->file : NULL,
                                            .opened = backends,
                                            .count = opened };
    if (code == CLI_OK)
        code = campaign(&request->campaign);
    for (size_t i = 0; i < opened; i++)
        harness_backend_close(&backends[i]);
    free(names);
    free(only);
    free(ignore);
    free(force);
    return code;
}

static int check_request(const struct fuzz_request *request)
{
    const struct harness_campaign_options *const options = &request->campaign;
    struct harness_error error = { "" };
    if (strlen(options->corpus) > HARNESS_CAMPAIGN_PATH_SIZE / 2 ||
        strlen(options->findings) > HARNESS_CAMPAIGN_PATH_SIZE / 2)
        return cli_usage("fuzz", "the path of a directory is too long");
    if (cli_scope_check("fuzz", &request->run) != CLI_OK)
        return CLI_USAGE;
    if (options->peel && options->reduce_seconds == 0)
        return cli_usage("fuzz", "--peel finds causes in reduced findings; --reduce-seconds 0 leaves them as they are");
    const char *const preset = options->engine == HARNESS_ENGINE_AFL ? "afl" : "fuzz";
    if (access(options->target, X_OK) != 0)
        return cli_fail(harness_fail(&error, HARNESS_HOST,
                                     "%s: no fuzz target there (%s); build one: cmake --preset %s && cmake --build "
                                     "--preset %s",
                                     options->target, strerror(errno), preset, preset),
                        &error);
    if (cli_make_directory(options->corpus, &error) != HARNESS_OK ||
        cli_make_directory(options->findings, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    return CLI_OK;
}

/* Names of directories, and how many findings are enough. */
static void settle(struct fuzz_request *request)
{
    struct harness_campaign_options *const options = &request->campaign;
    if (options->max_findings == 0)
        options->max_findings = FINDINGS;
    if (options->corpus == NULL)
        options->corpus = "fuzz-corpus";
    if (options->findings == NULL)
        options->findings = "findings";
    if (options->executions != 0 && options->reduce_tries == 0)
        options->reduce_tries = (unsigned)CLI_FUZZ_TRIES * options->reduce_seconds;
    options->threads = request->run.threads;
    options->capacity = request->run.capacity;
}

static int run_campaign(struct fuzz_request *request, int count, char **files)
{
    int code = check_request(request);
    if (code == CLI_OK)
        code = cli_quirks_open("fuzz", &request->run);
    if (code == CLI_OK)
        code = add_seeds(&request->campaign, files, count);
    if (code != CLI_OK)
        return code;
    struct harness_text again;
    harness_text_init(&again);
    cli_options_text(&request->run, &again);
    request->campaign.backends.options = harness_text_string(&again);
    if (are_linked_two(&request->run.backends) && !request->campaign.peel && request->run.quirks == NULL)
        code = campaign(&request->campaign);
    else
        code = campaign_of_others(request);
    harness_text_free(&again);
    cli_quirks_close(&request->run);
    return code;
}

/* Without an engine, and no target that has one. */
static bool is_loop(const struct fuzz_request *request)
{
    return request->engine == 0 && request->campaign.target == NULL;
}

/* What the loop has no use for is said, not ignored. */
static int check_loop(const struct fuzz_request *request)
{
    const struct harness_campaign_options *const options = &request->campaign;
    if (options->dictionary == NULL && options->mutator == NULL && options->cmplog == NULL &&
        options->memory_mib == 0 && options->still_seconds == defaults.campaign.still_seconds)
        return CLI_OK;
    return cli_usage("fuzz", "--dictionary, --mutator, --cmplog, --memory and --still are for --engine");
}

/* And the other way round. */
static int check_engine(const struct fuzz_request *request)
{
    if (request->seeds == NULL && request->run.shard_text == NULL && request->shader == NULL)
        return CLI_OK;
    return cli_usage("fuzz", "--seeds, --shard and --shader are for the loop over seeds, not for engines");
}

static int loop(const struct fuzz_request *request, int count, char **files)
{
    const struct harness_campaign_options *const options = &request->campaign;
    struct cli_hunt hunt = { .run = request->run,
                             .findings = options->findings,
                             .corpus = options->corpus,
                             .seeds = request->seeds,
                             .shader = request->shader,
                             .seed = options->seed,
                             .executions = options->executions,
                             .jobs = options->jobs,
                             .seconds = options->seconds,
                             .max_findings = options->max_findings != 0 ? options->max_findings
                                                                        : (unsigned)HARNESS_HUNT_MOST_FINDINGS,
                             .plain = options->plain,
                             .children = request->children,
                             .reduce_seconds = options->reduce_seconds,
                             .reduce_tries = options->reduce_tries,
                             .peel = options->peel };
    return cli_hunt(&hunt, count, files);
}

static int command_fuzz(void *opaque, int count, char **files)
{
    struct companions companions;
    struct fuzz_request *const request = opaque;
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error with a message, here and in the engine */
    if (is_loop(request))
        return check_loop(request) == CLI_OK ? loop(request, count, files) : CLI_USAGE;
    if (check_engine(request) != CLI_OK)
        return CLI_USAGE;
    request->campaign.engine =
        request->engine != 0 ? (enum harness_engine)(request->engine - 1) : HARNESS_ENGINE_LIBFUZZER;
    settle(request);
    find_companions(&request->campaign, &companions);
    return run_campaign(request, count, files);
}

const struct cli_command cli_cmd_fuzz = {
    .name = "fuzz",
    .summary = "find divergences and crashes between the backends",
    .about = about,
    .exits = exits,
    .options = { { option_table, sizeof option_table / sizeof option_table[0], 0 },
                 { cli_scope_option_table, CLI_SCOPE_OPTIONS, offsetof(struct fuzz_request, run) } },
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .run = command_fuzz,
};
