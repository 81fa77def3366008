#include "harness/cli/cli.h"

#include "harness/cli/progress.h"
#include "harness/cli/quirks.h"
#include "harness/cli/judge.h"
#include "harness/cli/triage_parts.h"

#include "harness/triage/bucket_record.h"
#include "harness/triage/triage.h"
#include "pica/regs.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char about[] =
    "picafuzz triage - sort findings into buckets, one for each kind of fault\n"
    "\n"
    "usage: picafuzz triage [options] DIRECTORY...\n"
    "\n"
    "  picafuzz triage findings                                  with the backends of the hunt that filed them\n"
    "  picafuzz triage -b reference,./libmygpu.so cases          with these; default: reference against fast\n"
    "  picafuzz triage machine*/findings                         findings of several machines, in one list\n"
    "  picafuzz triage --json findings | head -1                 the fullest bucket, for other programs\n"
    "  picafuzz triage --quirks my.quirks --accept BUCKET findings\n"
    "                                                            accept this bucket from now on\n"
    "  picafuzz triage --migrate findings                        after a new version of picafuzz\n"
    "\n"
    "Every case file below the directory is run once. Where findings are filed (`picafuzz fuzz` does it), or\n"
    "with --index, the results are saved in DIRECTORY/triage.json: the next time only new or changed files\n"
    "are run, or all if a backend changed. `picafuzz report` reads that file, too. It also records when a\n"
    "bucket was first seen. In other directories nothing is written. A CASE.pcb beside a CASE.pcase is what\n"
    "that case was reduced from, and is left out. A bucket is named after the rule of the specification that\n"
    "is broken, as far as that can be told. A bucket of crashes is named after the function of the plug-in.\n"
    "Buckets are precise for reduced cases (`picafuzz reduce`). docs/reading-a-finding.md says more. A result\n"
    "that does not come back in each of three fresh processes is unstable, in a bucket by what it depends on.\n"
    "\n"
    "With a baseline in the --quirks file only what is new counts; what is unstable does not: it is flaky.\n"
    "Findings that are fixed, and entries that no case matches, are reported.\n";

static const char exits[] =
    "exit codes: 0 nothing is wrong with any case that was compared, or nothing is new, 1 divergences (also\n"
    "unstable ones), 2 usage, bad input, or nothing was compared, 3 crashes or hangs, 4 a backend failed, or\n"
    "host trouble; if several apply, the first of 3 4 2 1\n";

static const struct triage_request defaults = {
    .options = CLI_RUN_DEFAULTS(2, "reference", "fast"),
    .triage = { .probe = { .test_format = HARNESS_FORMAT_PCASE, .jobs = 1 } },
};

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKENDS, 2, HARNESS_MOST_BACKENDS, offsetof(struct triage_request, options.backends),
      "A,B[,..]", "2 to 8 backends; the others are compared with the first, a single one with reference", NULL },
    { "index", 0, CLI_FLAG, 0, 0, offsetof(struct triage_request, index), NULL,
      "save the results in DIRECTORY/triage.json, also where no findings are filed", NULL },
    { "no-index", 0, CLI_FLAG, 0, 0, offsetof(struct triage_request, no_index), NULL, "run all files and save nothing",
      NULL },
    { "accept", 0, CLI_EACH, 1, CLI_LIST_MOST, offsetof(struct triage_request, accept), "BUCKET",
      "add this bucket to the baseline of the --quirks file; may be repeated; all: every new bucket", NULL },
    { "note", 0, CLI_TEXT, 0, 0, offsetof(struct triage_request, note), "TEXT", "with --accept: the reason", NULL },
    { "migrate", 0, CLI_FLAG, 0, 0, offsetof(struct triage_request, migrate), NULL,
      "rename the buckets, both directories and entries in the baseline of the --quirks file, to the names that this "
      "version gives them",
      NULL },
    { "sarif", 0, CLI_WRITE, 0, 0, offsetof(struct triage_request, sarif_path), "FILE",
      "write a result for each bucket as SARIF, for annotations", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct triage_request, json), NULL, "one JSON object per bucket on stdout",
      NULL },
};

static void print_json(const struct harness_triage_bucket *bucket)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "bucket", bucket->name);
    cJSON_AddStringToObject(object, "verdict", harness_outcome_name(bucket->kind));
    cJSON_AddStringToObject(object, "key", bucket->key);
    cJSON_AddStringToObject(object, "title", bucket->title);
    cJSON_AddRawToObject(object, "needs", bucket->smallest->needs);
    cJSON_AddNumberToObject(object, "count", (double)bucket->count);
    cJSON_AddStringToObject(object, "first_seen", bucket->first_seen);
    cJSON_AddStringToObject(object, "smallest", bucket->smallest->path);
    cJSON_AddNumberToObject(object, "bytes", (double)bucket->smallest->bytes);
    if (harness_bucket_register(bucket->title) != NULL)
        cJSON_AddStringToObject(object, "silence", harness_bucket_habit_advice(harness_bucket_register(bucket->title)));
    cli_print_json(object);
}

static size_t count_of(const struct harness_triage *triage, enum harness_outcome kind)
{
    size_t count = 0;
    for (size_t i = 0; i < triage->bucket_count; i++)
        if (triage->buckets[i].kind == kind)
            count += triage->buckets[i].count;
    return count;
}

/* Of registers that are treated alike: which of them, and what to write so that they are heard of no more. */
static void print_habit(const struct harness_triage *triage, const struct harness_triage_bucket *bucket)
{
    const char *separator = "       ";
    if (harness_bucket_register(bucket->title) == NULL)
        return;
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        for (size_t i = 0; i < triage->count; i++)
            if (strcmp(triage->entries[i].bucket, bucket->name) == 0 &&
                harness_bucket_register(triage->entries[i].title) == pica_reg_info(id)) {
                cli_print(stdout, "%s%s", separator, pica_reg_info(id)->name);
                separator = ", ";
                break;
            }
    cli_print(stdout, "\n       all of a plug-in: picafuzz backends; known: %s\n",
              harness_bucket_habit_advice(harness_bucket_register(bucket->title)));
}

static void print_text(const struct triage_request *request, const struct harness_triage *triage)
{
    size_t width = strlen("bucket");
    for (size_t i = 0; i < triage->bucket_count; i++)
        width = strlen(triage->buckets[i].name) > width ? strlen(triage->buckets[i].name) : width;
    cli_print(stdout, "%5s  %-*s  %-20s  smallest\n", "cases", (int)width, "bucket", "first seen");
    for (size_t i = 0; i < triage->bucket_count; i++) {
        const struct harness_triage_bucket *const bucket = &triage->buckets[i];
        cli_print(stdout, "%5zu  %-*s  %-20s  %s (%" PRIu64 " bytes)\n       %s\n", bucket->count, (int)width,
                  bucket->name, bucket->first_seen, bucket->smallest->path, bucket->smallest->bytes, bucket->key);
        if (bucket->smallest->summary[0] != '\0')
            cli_print(stdout, "       %s\n", bucket->smallest->summary);
        print_habit(triage, bucket);
    }
    printf("%zu %s in %zu %s; %zu run now%s", triage->count, cli_word(triage->count, "case", "cases"),
           triage->bucket_count, cli_word(triage->bucket_count, "bucket", "buckets"), triage->run,
           triage->run < triage->count ? ", the others were known" : "");
    const size_t not_tested = count_of(triage, HARNESS_NOT_TESTED);
    const size_t unstable = count_of(triage, HARNESS_UNSTABLE);
    if (not_tested != 0)
        printf("; %zu %s not tested", not_tested, cli_word(not_tested, "was", "were"));
    if (unstable != 0)
        printf("; %zu %s unstable", unstable, cli_word(unstable, "is", "are"));
    if (triage->older != 0)
        printf("; %zu %s of triage.json %s of an older version of the key", triage->older,
               cli_word(triage->older, "bucket", "buckets"), cli_word(triage->older, "is", "are"));
    if (request->triage.index_path == NULL && !request->no_index)
        printf("; none is remembered (--index)");
    printf("\n");
}

static int sort_cases(struct triage_request *request, const struct cli_paths *paths)
{
    struct harness_error error = { "" };
    struct harness_triage triage;
    struct cli_progress progress;
    cli_progress_begin(&progress);
    request->triage.goes_on = cli_progress_watch;
    request->triage.watcher = &progress;
    const enum harness_status status =
        harness_triage_run((const char *const *)paths->items, paths->count, &request->triage, &triage, &error);
    int code = CLI_OK;
    if (status != HARNESS_OK) {
        code = cli_fail(status, &error);
    } else {
        for (size_t i = 0; request->json && i < triage.bucket_count; i++)
            print_json(&triage.buckets[i]);
        if (!request->json)
            print_text(request, &triage);
        code = cli_worse(triage_judge(request, &triage), cli_left_out(triage.refused, triage.refusal));
        code = cli_worse(code, cli_progress_end(&progress, triage.left));
        code = cli_worse(code, triage_write_sarif(request, &triage));
        code = cli_worse(code, cli_nothing_sorted(&triage));
        code = cli_worse(code, cli_damaged_index(triage.is_index_damaged, request->triage.index_path));
    }
    harness_triage_free(&triage);
    return code;
}

/* An index is left only where findings are filed, where there is one, or where it is wanted: a corpus is no place for
 * it. */
static bool may_have_index(const struct triage_request *request, const char *directory, const char *index)
{
    return request->index || access(index, F_OK) == 0 || harness_holds_buckets(directory);
}

/* Several directories, of several machines, have one list of buckets, and no index. */
static int open_and_sort(struct triage_request *request, int count, char **directories)
{
    struct harness_backend backends[HARNESS_MOST_BACKENDS];
    struct cli_paths paths = { NULL, 0 };
    struct harness_text index = { 0 }, identity = { 0 };
    size_t opened = 0;
    harness_text_format(&index, "%s/triage.json", directories[0]);
    int code = cli_backends_open(&request->options, false, request->options.timeout.ms, backends, &opened);
    cli_triage_take(&request->options, backends, opened, &request->triage, &identity);
    request->triage.now = time(NULL);
    const bool indexed = !request->no_index && may_have_index(request, directories[0], harness_text_string(&index));
    request->triage.index_path = indexed ? harness_text_string(&index) : NULL;
    for (int i = 0; i < count && code == CLI_OK; i++)
        code = cli_paths_add(&paths, directories[i]);
    if (code == CLI_OK)
        code = sort_cases(request, &paths);
    if (request->accept.count == 0 && !request->migrate) /* they judge nothing */
        cli_quirks_print(&request->options, request->json);
    cli_backends_close(backends, opened);
    cli_paths_free(&paths);
    harness_text_free(&index);
    harness_text_free(&identity);
    return code;
}

static int command_triage(void *opaque, int count, char **files)
{
    struct triage_request *const request = opaque;
    if (count == 0)
        return cli_usage("triage", "give a directory");
    if (count != 1 && (request->index || request->migrate))
        return cli_usage("triage", "--index and --migrate are for one directory");
    request->no_index = request->no_index || count != 1;
    if (request->index && request->no_index)
        return cli_usage("triage", "--index and --no-index: one of the two");
    int code = triage_open(request);
    if (code == CLI_OK)
        code = open_and_sort(request, count, files);
    cli_run_close(&request->options);
    return code;
}

const struct cli_command cli_cmd_triage = {
    CLI_COMMAND("triage", command_triage, "sort findings into buckets"),
    .options = { CLI_OWN_OPTIONS, CLI_RUN_SETS(triage_request, options) },
};
