#include "harness/cli/fuzz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FINDINGS = 10 /* default of --max-findings with an engine */
};

void cli_fuzz_print_engine(const struct cli_fuzz_engine *engine, const struct harness_hunt_summary *summary)
{
    const struct harness_campaign_options *const options = engine->options;
    const struct harness_hunt_progress *const p = &summary->progress;
    const struct harness_pair_statistics *const s = engine->source->statistics; /* of this start */
    char most[24] = "";
    if (options->executions != 0)
        (void)snprintf(most, sizeof most, " of %u", (unsigned)options->executions);
    cli_print(stdout,
              "%.0f s, %llu executions%s, %.0f a second, %llu inputs in %s/; the engine's words: %s/engine.log\n",
              p->elapsed, (unsigned long long)s->executions, most,
              p->elapsed > 0.0 ? (double)s->executions / p->elapsed : 0.0,
              (unsigned long long)harness_campaign_inputs(engine->campaign), options->corpus, options->findings);
    printf("structure-aware mutator: %llu mutations, %llu splices\n", (unsigned long long)s->mutations,
           (unsigned long long)s->crossovers);
    if (engine->left != 0)
        printf("%llu more failing input(s), not filed; the next run there files them\n",
               (unsigned long long)engine->left);
}

/* Paths of the files that an engine needs, where the presets build them. */
struct companions {
    char target[4096];
    char mutator[4096];
};

/* The path `relative` to this program's directory; "" if that is not known. */
static void beside(char *path, size_t size, const char *relative)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    char *const slash = strrchr(path, '/');
    if (slash != NULL)
        (void)snprintf(slash + 1, size - (size_t)(slash + 1 - path), "%s", relative);
}

/* The path of a file `relative` to this program, or, if it exists only there, at `other`, in a preset's directory. */
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
    beside_or(companions->mutator, sizeof companions->mutator, "../lib/mutator_afl.so", "../../afl/lib/mutator_afl.so");
    if (options->target == NULL)
        options->target = companions->target;
    if (options->mutator == NULL)
        options->mutator = companions->mutator;
}

static int add_seeds(const struct harness_campaign_options *options, char **names, int count)
{
    struct cli_paths paths = { NULL, 0 };
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

/* Joins a list as the user wrote it, "A,B". The caller frees it. NULL for lack of memory, or if the list is empty. */
static char *join(const struct cli_list *list, char separator)
{
    struct harness_text text = { 0 };
    for (size_t i = 0; i < list->count; i++) {
        char word[4096];
        cli_backends_escape(list->items[i], word, sizeof word);
        harness_text_format(&text, "%.*s%s", i != 0, &separator, separator == ',' ? word : list->items[i]);
    }
    char *const joined = list->count != 0 && !text.failed ? strdup(harness_text_string(&text)) : NULL;
    harness_text_free(&text);
    return joined;
}

static int check(const struct harness_campaign_options *options)
{
    struct harness_error error = { "" };
    if (strlen(options->corpus) > HARNESS_CAMPAIGN_PATH_SIZE / 2 ||
        strlen(options->findings) > HARNESS_CAMPAIGN_PATH_SIZE / 2)
        return cli_usage("fuzz", "the path of a directory is too long");
    const char *const preset = options->engine == HARNESS_ENGINE_AFL ? "afl" : "fuzz";
    if (access(options->target, X_OK) != 0)
        return cli_fail(harness_fail(&error, HARNESS_HOST,
                                     "%s: no fuzz target there (%s); build one: cmake --preset %s && cmake --build "
                                     "--preset %s",
                                     options->target, strerror(errno), preset, preset),
                        &error);
    if (cli_make_directory(options->corpus, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    return CLI_OK;
}

static struct harness_campaign_options options_of(const struct cli_fuzz *request)
{
    return (struct harness_campaign_options){
        .engine = request->engine != 0 ? (enum harness_engine)(request->engine - 1) : HARNESS_ENGINE_LIBFUZZER,
        .target = request->target,
        .mutator = request->mutator,
        .corpus = request->corpus != NULL ? request->corpus : "fuzz-corpus",
        .findings = request->findings,
        .seconds = request->seconds,
        .executions = request->executions,
        .seed = request->seed,
        .peel = request->peel,
        .plain = request->plain,
        .threads = request->run.threads,
        .capacity = request->run.capacity,
    };
}

static int run(const struct harness_campaign_options *options, struct harness_hunt_options *hunt)
{
    struct harness_error error = { "" };
    struct harness_campaign *const campaign = harness_campaign_create(options, &error);
    if (campaign == NULL)
        return cli_fail(HARNESS_HOST, &error);
    struct cli_fuzz_engine engine = { campaign, options, harness_campaign_source(campaign), 0 };
    hunt->source = engine.source;
    const int code = cli_fuzz_run(hunt, &engine);
    harness_campaign_destroy(campaign);
    return code;
}

int cli_fuzz_engine(const struct cli_fuzz *request, struct harness_hunt_options *hunt, int count, char **files)
{
    const struct cli_run_options *const others = &request->run;
    struct companions companions;
    struct harness_campaign_options options = options_of(request);
    const bool ours = cli_are_linked_two(&others->backends) && !request->peel && others->quirks == NULL;
    char *const names = ours ? NULL : join(&others->backends, ','), *const only = join(&others->only, ','),
                *const ignore = join(&others->ignore, ','), *const force = join(&others->force, '\n');
    find_companions(&options, &companions);
    options.backends = (struct harness_campaign_backends){ names, only, ignore, others->quirks_path, force };
    hunt->varies = false;
    if (request->max_findings == 0)
        hunt->max_findings = FINDINGS;
    int code = check(&options);
    if (code == CLI_OK)
        code = add_seeds(&options, files, count);
    if (code == CLI_OK)
        code = run(&options, hunt);
    free(names);
    free(only);
    free(ignore);
    free(force);
    return code;
}
