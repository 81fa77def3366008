#include "harness/cli/cli.h"

#include "harness/pages/json.h"
#include "harness/cli/output.h"
#include "harness/cli/quirks.h"
#include "harness/cli/reduce_fits.h"
#include "harness/cli/relation.h"
#include "harness/cli/trial.h"
#include "harness/reduce/reduce.h"
#include "harness/run/dump.h"
#include "harness/triage/bucket.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char about[] =
    "picafuzz reduce - shrink a case while what is wrong with it stays the same\n"
    "\n"
    "usage: picafuzz reduce [options] CASE -o OUT.pcase\n"
    "\n"
    "  picafuzz reduce found.pcb -o small.pcase                        reference and fast differ\n"
    "  picafuzz reduce -b reference,./libmygpu.so found.pcb -o s.pcase an emulator differs, crashes or hangs\n"
    "  picafuzz reduce -b ./libmygpu.so found.pcb -o s.pcase           it crashes or hangs, without a comparison\n"
    "  picafuzz reduce -b ./libmygpu.so crash.pcase -o s.pcase --show --c crash.c  the result, also as C\n"
    "  picafuzz reduce --test ./looks-wrong.sh found.pcase -o s.pcase  your own test: exit 0 = still interesting\n"
    "  picafuzz reduce --exportable -b reference,./libmygpu.so a.pcb -o s.pcase  so that a console can decide\n"
    "  picafuzz reduce -b ./libmygpu.so --relation split-fill a.pcb -o s.pcase  what `picafuzz check` found\n"
    "\n"
    "First it finds out what is wrong. Then it removes or simplifies operations, commands, fields, shader\n"
    "instructions, vertices and other contents, as long as the same is wrong: the same verdict, in the same\n"
    "kind of operation, in the same surface, register or part of the state, for a crash at the same place of\n"
    "the plug-in, with no new undefined event, and with the same stage and rule blamed, because a smaller\n"
    "case may show another fault. With --keep verdict that may happen, and the case is as small as can be.\n"
    "The result is the same for every --jobs. A run that was killed, or stopped by Ctrl-C, --seconds or\n"
    "--tries, continues when it is started again with the same arguments (from OUT.reducing, which a\n"
    "finished run removes). A stopped run writes the best case so far that failed in a process which ran\n"
    "nothing else. OUT is written completely or not at all. Without --timeout, each case that is tried in\n"
    "place of one that hangs has 1 s, and a --test has 60 s. With --relation the report names the one write\n"
    "that is enough to change, and the two cases that must give the same result are written beside OUT:\n"
    "OUT-base.pcase, OUT-variant.pcase.\n";

static const char exits[] =
    "exit codes: 0 reduced, 1 what is wrong is unstable, 2 usage, bad input, or nothing is wrong with the\n"
    "case, 4 host trouble\n";

struct reduce_request {
    struct cli_run_options options;
    struct harness_reduce_options reduce;
    const char *input;
    const char *output;
    const char *c_output;
    bool json;
    bool show;
    bool quiet;
    bool fresh;
    bool list;
    bool exportable;
    bool defined;
    struct cli_list without;
    int keep; /* as in `kept` */
    const char *relation;
    bool hangs; /* the case as it was given */
};

enum {
    TRY_MS = 1000,  /* of processor time for what is tried instead of a case that hangs: it hangs again and again */
    TEST_MS = 60000 /* of time, for a program of the user's */
};

static const struct reduce_request defaults = {
    .options = CLI_RUN_DEFAULTS(2, "reference", "fast"),
    .reduce = { .probe = { .test_format = HARNESS_FORMAT_PCASE, .jobs = 1 } },
};

static const struct cli_choices test_formats = { "pcase, pcb", NULL }; /* as enum harness_format begins */

static const struct cli_choices kept = { "blame, verdict", NULL };

static const struct cli_option option_table[] = {
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct reduce_request, output), "FILE",
      "where the reduced case goes; .pcase (text) or .pcb", NULL },
    { "backends", 'b', CLI_BACKENDS, 1, HARNESS_MOST_BACKENDS, offsetof(struct reduce_request, options.backends),
      "A,B[,..]",
      "2 to 8 backends; the others are compared with the first, a single one with reference; `reference` "
      "alone can only crash or hang",
      NULL },
    { "test", 0, CLI_READ, 0, 0, offsetof(struct reduce_request, reduce.probe.test), "COMMAND",
      "a shell command that gets the path of a case and decides; no backend runs", NULL },
    { "test-format", 0, CLI_CHOICE, 0, 0, offsetof(struct reduce_request, reduce.probe.test_format), "FORMAT",
      "kind of file that the command is given", &test_formats },
    { "relation", 0, CLI_TEXT, 0, 0, offsetof(struct reduce_request, relation), "NAME",
      "the fault is that this metamorphic relation does not hold on the one backend (picafuzz check --list)", NULL },
    { "seed", 0, CLI_LONG, 0, UINT64_MAX, offsetof(struct reduce_request, reduce.probe.number), "N",
      "with --relation: the seed that `picafuzz check` had", NULL },
    { "exportable", 0, CLI_FLAG, 0, 0, offsetof(struct reduce_request, exportable), NULL,
      "keep it possible to export the case to a console, as it is now (picafuzz export)", NULL },
    { "defined", 0, CLI_FLAG, 0, 0, offsetof(struct reduce_request, defined), NULL,
      "keep the case without undefined behaviour, as it is now", NULL },
    { "keep", 0, CLI_CHOICE, 0, 0, offsetof(struct reduce_request, keep), "WHAT",
      "what must stay the same: the verdict with the blamed stage and rule, or only the verdict", &kept },
    { "any", 0, CLI_FLAG, 0, 0, offsetof(struct reduce_request, reduce.any), NULL,
      "any divergence, crash or hang will do, not only the first one seen", NULL },
    { "jobs", 0, CLI_NUMBER, 1, HARNESS_PROBE_MAX_JOBS, offsetof(struct reduce_request, reduce.probe.jobs), "N",
      "processes that try cases at the same time", NULL },
    { "seconds", 0, CLI_NUMBER, 0, 86400, offsetof(struct reduce_request, reduce.seconds), "SECONDS",
      "stop after this long and write the best so far; 0 = never", NULL },
    { "tries", 0, CLI_NUMBER, 0, UINT32_MAX, offsetof(struct reduce_request, reduce.tries), "N",
      "stop after N cases tried and write the best so far; 0 = never", NULL },
    { "without", 0, CLI_EACH, 1, CLI_LIST_MOST, offsetof(struct reduce_request, without), "PASS[:N]",
      "leave out a pass, or its Nth turn in a round; may be repeated (--list-passes)", NULL },
    { "list-passes", 0, CLI_FLAG, 0, 0, offsetof(struct reduce_request, list), NULL,
      "print the passes of a round, one turn per line", NULL },
    { "fresh", 0, CLI_FLAG, 0, 0, offsetof(struct reduce_request, fresh), NULL,
      "start from the beginning, without OUT.reducing", NULL },
    { "show", 0, CLI_FLAG, 0, 0, offsetof(struct reduce_request, show), NULL,
      "print the result, as `picafuzz show` does", NULL },
    { "c", 0, CLI_WRITE, 0, 0, offsetof(struct reduce_request, c_output), "FILE",
      "also write the result as C source that replays it, as `picafuzz show --c` does", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct reduce_request, json), NULL, "one JSON object on stdout", NULL },
    { "quiet", 'q', CLI_FLAG, 0, 0, offsetof(struct reduce_request, quiet), NULL, "no progress", NULL },
};

static double removed_percent(const struct harness_reduce_progress *progress)
{
    if (progress->first_bytes == 0 || progress->bytes >= progress->first_bytes)
        return 0.0;
    return 100.0 * (double)(progress->first_bytes - progress->bytes) / (double)progress->first_bytes;
}

/* --------------------------------------------------------------------------------------------------------- results */

/* What each turn of a pass tried and kept. */
static void add_turns(cJSON *object, const struct harness_reduce_result *result)
{
    unsigned number = 0;
    cJSON *const turns = cJSON_AddArrayToObject(object, "turns");
    for (uint32_t i = 0; harness_reduce_turn_name(i, &number) != NULL; i++) {
        cJSON *const turn = harness_json_row(turns);
        char name[64];
        (void)snprintf(name, sizeof name, "%s:%u", harness_reduce_turn_name(i, &number), number);
        cJSON_AddStringToObject(turn, "turn", name);
        cJSON_AddNumberToObject(turn, "tried", (double)result->turns[i].tried);
        cJSON_AddNumberToObject(turn, "kept", (double)result->turns[i].kept);
    }
}

static void add_needs(cJSON *object, const struct harness_cause *cause)
{
    struct harness_text needs = { 0 };
    harness_cause_needs_json(cause, &needs);
    cJSON_AddRawToObject(object, "needs", harness_text_string(&needs));
    harness_text_free(&needs);
}

static void print_json(const struct reduce_request *request, const struct harness_reduce_result *result,
                       const struct harness_bucket *bucket, const char *matter)
{
    const struct harness_reduce_progress *const progress = &result->progress;
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", request->input);
    cJSON_AddStringToObject(object, "output", request->output);
    cJSON_AddStringToObject(object, "verdict", harness_outcome_name(result->symptom.kind));
    cJSON_AddStringToObject(object, "bucket", bucket->name);
    cJSON_AddStringToObject(object, "key", harness_text_string(&bucket->key));
    add_needs(object, &result->cause);
    cJSON_AddNumberToObject(object, "first_bytes", (double)progress->first_bytes);
    cJSON_AddNumberToObject(object, "bytes", (double)progress->bytes);
    cJSON_AddNumberToObject(object, "first_writes", progress->first_writes);
    cJSON_AddNumberToObject(object, "writes", progress->writes);
    cJSON_AddNumberToObject(object, "tried", (double)progress->tried);
    cJSON_AddNumberToObject(object, "seconds", progress->elapsed);
    cJSON_AddBoolToObject(object, "complete", result->complete);
    cJSON_AddBoolToObject(object, "blame_unknown", result->blame_unknown);
    if (matter[0] != '\0')
        cJSON_AddStringToObject(object, "matters", matter);
    add_turns(object, result);
    cli_print_json(object);
}

static void print_text(const struct reduce_request *request, const struct harness_reduce_result *result,
                       const struct harness_bucket *bucket, const char *matter)
{
    const struct harness_reduce_progress *const progress = &result->progress;
    cli_print(stdout,
              "%s: %" PRIu64 " -> %" PRIu64 " bytes (%.1f %% removed), %u -> %u register writes, %" PRIu64
              " cases tried in %.1f s%s\n",
              request->output, progress->first_bytes, progress->bytes, removed_percent(progress),
              (unsigned)progress->first_writes, (unsigned)progress->writes, progress->tried, progress->elapsed,
              result->resumed ? " (went on from earlier work)" : "");
    if (!result->complete)
        printf("stopped before the end; the same command goes on from here\n");
    if (result->blame_unknown)
        printf("no stage could be blamed for the case as it was, so only its verdict was kept\n");
    cli_print(stdout, "bucket %s: %s\n", bucket->name, harness_text_string(&bucket->key));
    if (matter[0] != '\0')
        cli_print(stdout, "it is enough to change %s\n", matter);
}

/* The reduced case in the other forms that were asked for. */
static enum harness_status write_forms(const struct reduce_request *request, const struct harness_case *test_case,
                                       struct harness_error *error)
{
    struct harness_text text = { 0 };
    enum harness_status status = HARNESS_OK;
    if (request->c_output != NULL)
        status = harness_c_write(test_case, request->output, &text, error);
    if (request->c_output != NULL && status == HARNESS_OK)
        status = harness_file_write_text(request->c_output, &text, error);
    harness_text_free(&text);
    if (request->show && !request->json && status == HARNESS_OK)
        status = cli_output_print(test_case, NULL, error);
    return status;
}

static int write_result(const struct reduce_request *request, struct harness_case *test_case,
                        const struct harness_reduce_result *result)
{
    struct harness_error error = { "" };
    struct harness_bucket bucket;
    char stem[256];
    cli_stem(request->input, stem, sizeof stem);
    harness_bucket_make(&bucket, &result->symptom, &result->cause);
    enum harness_status status = harness_bucket_head(test_case, stem, result, &bucket)
                                     ? harness_case_save_file(test_case, request->output, &error)
                                     : harness_fail_memory(&error);
    if (status == HARNESS_OK && result->complete && request->reduce.state_path != NULL)
        (void)unlink(request->reduce.state_path);
    struct harness_text matter = { 0 };
    if (status == HARNESS_OK && request->relation != NULL)
        cli_relation_matter(&request->reduce.probe, &request->options, test_case, request->output, &matter);
    if (status == HARNESS_OK && request->json)
        print_json(request, result, &bucket, harness_text_string(&matter));
    else if (status == HARNESS_OK)
        print_text(request, result, &bucket, harness_text_string(&matter));
    if (status == HARNESS_OK)
        status = write_forms(request, test_case, &error);
    harness_text_free(&matter);
    harness_bucket_free(&bucket);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

/* ------------------------------------------------------------------------------------------------------- the work */

/* Everything the work depends on: the case and all arguments that change the result. */
static void identify(const struct reduce_request *request, const struct harness_case *test_case, char *out, size_t size)
{
    struct harness_text text = { 0 };
    (void)harness_pcase_write(test_case, &text, NULL);
    for (size_t i = 0; i < request->options.backends.count; i++)
        harness_text_format(&text, "\nbackend %s", request->options.backends.items[i]);
    cli_scope_text(&request->options, &text);
    harness_text_format(&text, "\nwithout %" PRIX64, request->reduce.without);
    if (request->reduce.verdict_alone)
        harness_text_add(&text, "\nkeep verdict");
    if (request->exportable || request->defined)
        harness_text_format(&text, "\nexportable %d defined %d", request->exportable, request->defined);
    if (request->relation != NULL)
        harness_text_format(&text, "\nrelation %s %" PRIu64, request->relation, request->reduce.probe.number);
    if (request->options.capacity != 0)
        harness_text_format(&text, "\ncapacity %" PRIu32, request->options.capacity);
    harness_text_format(&text, "\n%s %d %d %u %u %u",
                        request->reduce.probe.test != NULL ? request->reduce.probe.test : "",
                        (int)request->reduce.probe.test_format, request->reduce.any, request->options.threads,
                        (unsigned)request->options.instruction_sets, request->reduce.probe.hang_ms);
    (void)snprintf(out, size, "%016" PRIX64, harness_digest_bytes(harness_text_string(&text), text.size));
    harness_text_free(&text);
}

static int reduce_case(struct reduce_request *request, struct harness_case *test_case)
{
    char state_path[4096], identity[32];
    struct harness_error error = { "" };
    struct harness_reduce_result result;
    (void)snprintf(state_path, sizeof state_path, "%s.reducing", request->output);
    identify(request, test_case, identity, sizeof identity);
    request->reduce.state_path = harness_file_is_special(request->output) ? NULL : state_path;
    request->reduce.identity = identity;
    if (request->fresh)
        (void)unlink(state_path);
    const enum harness_status status = harness_reduce(test_case, &request->reduce, &result, &error);
    cli_reduce_watched(request->quiet);
    if (status == HARNESS_OK)
        return write_result(request, test_case, &result);
    harness_error_prefix(&error, request->input);
    return cli_fail(status, &error);
}

/* Refuses a case whose failure does not come back in fresh processes: it would be reduced to something else. */
static int judge_case(struct reduce_request *request, const struct harness_case *test_case)
{
    const struct harness_trial_options how = { .probe = request->reduce.probe };
    struct harness_error error = { "" };
    struct harness_trials *trials = NULL;
    if (request->reduce.probe.test != NULL || request->reduce.any)
        return CLI_OK;
    struct harness_trial trial = { .outcome = HARNESS_AGREE };
    enum harness_status status = harness_trials_create(&how, &trials, &error);
    if (status == HARNESS_OK)
        status = harness_trial_run(trials, test_case, NULL, &trial, &error);
    const bool unstable = status == HARNESS_OK && trial.outcome == HARNESS_UNSTABLE;
    request->hangs = status == HARNESS_OK && trial.outcome == HARNESS_HANG;
    if (unstable)
        cli_print(stderr, "picafuzz: %s: unstable: %s; with --any it is reduced all the same\n", request->input,
                  trial.stability.text);
    harness_trials_destroy(trials);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    return unstable ? (int)harness_outcome_exit(HARNESS_UNSTABLE) : CLI_OK;
}

/* A case that hangs is tried again and again: unless --timeout says otherwise, what is tried has less time. */
static void hurry(struct reduce_request *request, struct harness_backend *backends, size_t count)
{
    if (request->options.timeout.is_given || !request->hangs)
        return;
    request->reduce.probe.hang_ms = TRY_MS;
    for (size_t i = 0; i < count; i++)
        harness_probe_limit(&backends[i], TRY_MS);
}

static int open_and_reduce(struct reduce_request *request)
{
    struct harness_backend backends[HARNESS_MOST_BACKENDS];
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = cli_load(request->input, test_case, &error);
    size_t opened = 0;
    if (status == HARNESS_OK) {
        status = cli_quirks_take(&request->options, test_case, &error);
        if (status != HARNESS_OK)
            harness_error_prefix(&error, request->input);
    }
    request->options.hosts = request->relation != NULL;
    int code = status == HARNESS_OK
                   ? cli_backends_open(&request->options, false, request->reduce.probe.hang_ms, backends, &opened)
                   : cli_fail(status, &error);
    const struct cli_fits_options wanted = { request->options.quirks, request->exportable, request->defined };
    struct cli_fits *fits = NULL;
    if (code == CLI_OK)
        status = cli_fits_open(&wanted, test_case, &fits, &error);
    if (code == CLI_OK && status != HARNESS_OK)
        code = cli_fail(status, &error);
    request->reduce.fits = fits != NULL ? cli_fits : NULL;
    request->reduce.fits_what = fits;
    request->reduce.probe.backends = backends;
    request->reduce.probe.backend_count = opened;
    request->reduce.probe.backend_options = cli_backend_options(&request->options);
    if (code == CLI_OK)
        code = judge_case(request, test_case);
    hurry(request, backends, opened);
    if (code == CLI_OK)
        code = reduce_case(request, test_case);
    cli_backends_close(backends, opened);
    cli_fits_close(fits);
    harness_case_destroy(test_case);
    return code;
}

/* --------------------------------------------------------------------------------------------------------- command */

static int leave_out(struct reduce_request *request)
{
    for (size_t i = 0; i < request->without.count; i++) {
        const char *const name = request->without.items[i];
        const uint64_t turns = harness_reduce_find_turns(name);
        if (turns == 0)
            return cli_usage("reduce", "--without: there is no pass '%s'; --list-passes names them", name);
        request->reduce.without |= turns;
    }
    return CLI_OK;
}

static const char *relation_name(uint32_t index)
{
    return harness_check_name(HARNESS_CHECK_FIRST_RELATION + (size_t)index);
}

/* A relation asks one backend. */
static int take_relation(struct reduce_request *request)
{
    if (request->relation == NULL) {
        cli_backends_pair(&request->options.backends);
        return CLI_OK;
    }
    request->reduce.probe.relation = cli_find_check(request->relation);
    if (request->reduce.probe.relation < HARNESS_CHECK_FIRST_RELATION ||
        request->reduce.probe.relation == harness_check_count())
        return cli_not_one_of("reduce", "--relation", request->relation, relation_name);
    if (request->options.backends.count != 1 || request->reduce.probe.test != NULL)
        return cli_usage("reduce", "--relation asks one backend; name it with -b");
    return CLI_OK;
}

static int list_passes(void)
{
    unsigned number = 0;
    for (uint32_t i = 0; harness_reduce_turn_name(i, &number) != NULL; i++)
        cli_print(stdout, "%s:%u\n", harness_reduce_turn_name(i, &number), number);
    return CLI_OK;
}

static int command_reduce(void *opaque, int count, char **files)
{
    struct reduce_request *const request = opaque;
    struct harness_probe_options *const probe = &request->reduce.probe;
    if (leave_out(request) != CLI_OK || take_relation(request) != CLI_OK)
        return CLI_USAGE;
    if (request->list)
        return list_passes();
    if (count != 1)
        return cli_usage("reduce", "give one case");
    if (request->output == NULL)
        return cli_usage("reduce", "--output is missing");
    if (strlen(request->output) > 4000)
        return cli_usage("reduce", "--output: the path is too long");
    struct stat status;
    if (stat(request->output, &status) == 0 && S_ISDIR(status.st_mode)) /* better now than when all is done */
        return cli_usage("reduce", "--output: %s is a directory", request->output);
    probe->hang_ms = request->options.timeout.ms;
    if (probe->test != NULL && !request->options.timeout.is_given)
        probe->hang_ms = TEST_MS;
    request->input = files[0];
    request->reduce.verdict_alone = request->keep == 1;
    cli_reduce_watch(&request->reduce, &request->quiet);
    int code = cli_run_open("reduce", &request->options);
    if (code == CLI_OK)
        code = open_and_reduce(request);
    cli_run_close(&request->options);
    return code;
}

const struct cli_command cli_cmd_reduce = {
    CLI_COMMAND("reduce", command_reduce, "shrink a case while what is wrong with it stays the same"),
    .options = { CLI_OWN_OPTIONS, CLI_RUN_SETS(reduce_request, options) },
};
