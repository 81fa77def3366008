/*
 * One bug of the bench: looks for it with generated cases, or judges what the localiser says about a case. With --age
 * the cases are those of a campaign (campaign.h) from that child on. A library not behind "inline:" may crash or hang;
 * then the bug is found. Each answer is a JSON object.
 */
#include "bench/bugs/campaign.h"
#include "bench/bugs/expectation.h"
#include "bench/measure.h"
#include "harness/case/formats.h"
#include "harness/cli/options.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "harness/run/pair.h"
#include "harness/run/process.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    struct harness_backend backends[2]; /* the sound one, the one with the bug */
    struct harness_runner *runners[2];
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_error error;
    struct pica_options options;
    bool died; /* the process of the one with the bug, in the last case: `error` says how */
};

struct request {
    const char *against;
    uint64_t seed;
    double seconds;
    uint32_t most;        /* cases */
    const char *age_text; /* NULL: no campaign */
    uint64_t age;
    uint32_t threads;
    uint32_t capacity;
    uint32_t repeat; /* how often fresh instances may try to show a difference again */
};

/* ------------------------------------------------------------------------------------------------------------ bench */

static bool open_runners(struct bench *bench)
{
    for (int i = 0; i < 2; i++)
        if (harness_runner_create(bench->backends[i].backend, &bench->options, &bench->runners[i]) != PICA_OK)
            return false;
    return true;
}

static void close_runners(struct bench *bench)
{
    for (int i = 0; i < 2; i++) {
        harness_runner_destroy(bench->runners[i]);
        bench->runners[i] = NULL;
    }
}

static bool open_bench(struct bench *bench, const struct request *request, const char *library)
{
    memset(bench, 0, sizeof *bench);
    bench->options = (struct pica_options){ .threads = request->threads,
                                            .instruction_sets = UINT32_MAX,
                                            .capacity = request->capacity };
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
    return bench->test_case != NULL && bench->program != NULL &&
           harness_backend_open(request->against, &bench->backends[0], &bench->error) == HARNESS_OK &&
           harness_backend_open(library, &bench->backends[1], &bench->error) == HARNESS_OK && open_runners(bench);
}

static void close_bench(struct bench *bench)
{
    close_runners(bench);
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
    harness_backend_close(&bench->backends[0]);
    harness_backend_close(&bench->backends[1]);
}

static int host_trouble(const struct bench *bench)
{
    fprintf(stderr, "bench_bugs: %s\n", bench->error.message[0] != '\0' ? bench->error.message : "out of memory");
    return 4;
}

/* Does the case of the bench make the two differ, or one of them die? */
static enum harness_status compare(struct bench *bench, bool *differ)
{
    const struct harness_compare_options options = { .every_operation = false };
    struct harness_comparison comparison;
    enum harness_status status = harness_case_setup(bench->test_case, bench->program, &bench->error);
    if (status == HARNESS_OK)
        status = harness_compare(bench->runners, 2, bench->program, &options, &comparison, &bench->error);
    bench->died = status == HARNESS_CRASHED;
    if (bench->died)
        status = HARNESS_OK;
    *differ = bench->died || (status == HARNESS_OK && comparison.report.verdict == ORACLE_DIVERGE);
    return status;
}

static void print_object(cJSON *object)
{
    char *const line = cJSON_PrintUnformatted(object);
    if (line != NULL)
        puts(line);
    cJSON_free(line);
    cJSON_Delete(object);
}

/* ------------------------------------------------------------------------------------------------------------- hunt */

/* A difference counts only if instances that never ran another case show it, too; with threads perhaps not at once. */
static enum harness_status confirm(struct bench *bench, uint32_t repeat, bool *differ)
{
    enum harness_status status = HARNESS_OK;
    *differ = false;
    for (uint32_t i = 0; i < repeat && !*differ && status == HARNESS_OK; i++) {
        close_runners(bench);
        if (!open_runners(bench))
            return harness_fail_memory(&bench->error);
        status = compare(bench, differ);
    }
    return status;
}

/* Puts case `number` into the bench; false without memory. */
static bool next_case(struct bench *bench, const struct request *request, struct bug_campaign *campaign,
                      uint64_t number)
{
    const uint8_t *bytes = NULL;
    if (campaign == NULL) {
        harness_case_reset(bench->test_case);
        harness_generate(bench->test_case, request->seed + number, NULL);
        return true;
    }
    const size_t size = bug_campaign_next(campaign, &bytes);
    if (!harness_pcb_decode(bench->test_case, bytes, size))
        return false;
    harness_bound_case(bench->test_case);
    return true;
}

static int search(struct bench *bench, const struct request *request, struct bug_campaign *campaign, const char *output)
{
    const double start = bench_seconds();
    uint64_t cases = 0, unconfirmed = 0;
    bool found = false;
    double elapsed = 0;
    for (; !found && elapsed < request->seconds && cases < request->most; cases++) {
        bool differ = false;
        if (!next_case(bench, request, campaign, cases))
            return host_trouble(bench);
        enum harness_status status = compare(bench, &differ);
        if (status == HARNESS_OK && differ) {
            status = confirm(bench, request->repeat, &found);
            unconfirmed += !found;
        }
        if (status != HARNESS_OK)
            return host_trouble(bench);
        elapsed = bench_seconds() - start;
    }
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "found", found);
    if (found && bench->died)
        cJSON_AddStringToObject(object, "died", bench->error.message);
    if (found && harness_case_save_file(bench->test_case, output, &bench->error) != HARNESS_OK) {
        cJSON_Delete(object);
        return host_trouble(bench);
    }
    cJSON_AddNumberToObject(object, "cases", (double)cases);
    cJSON_AddNumberToObject(object, "seconds", elapsed);
    cJSON_AddNumberToObject(object, "unconfirmed", (double)unconfirmed);
    print_object(object);
    return found ? 0 : 1;
}

static int hunt(struct bench *bench, const struct request *request, const char *output)
{
    struct bug_campaign *const campaign =
        request->age_text != NULL ? bug_campaign_create(request->seed, request->age) : NULL;
    if (request->age_text != NULL && campaign == NULL)
        return host_trouble(bench);
    const int code = search(bench, request, campaign, output);
    bug_campaign_destroy(campaign);
    return code;
}
/* ------------------------------------------------------------------------------------------------------------ sizes */

enum {
    SAMPLES = 2000
};

static int by_size(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static int print_sizes(const struct request *request)
{
    struct bug_campaign *const campaign = bug_campaign_create(request->seed, request->age);
    size_t sizes[SAMPLES];
    if (campaign == NULL)
        return 4;
    for (size_t i = 0; i < SAMPLES; i++) {
        const uint8_t *bytes = NULL;
        sizes[i] = bug_campaign_next(campaign, &bytes);
    }
    bug_campaign_destroy(campaign);
    qsort(sizes, SAMPLES, sizeof *sizes, by_size);
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "quarter", (double)sizes[SAMPLES / 4]);
    cJSON_AddNumberToObject(object, "median", (double)sizes[SAMPLES / 2]);
    cJSON_AddNumberToObject(object, "tenth_largest", (double)sizes[SAMPLES - SAMPLES / 10]);
    cJSON_AddNumberToObject(object, "largest", (double)sizes[SAMPLES - 1]);
    print_object(object);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ judge */

/* Of a process that died only the operation is known. */
static int judge_death(const struct bench *bench, const struct bug_expectation *expected)
{
    const uint32_t begun = harness_runner_steps(bench->runners[1]);
    const uint32_t last = begun > 0 && begun <= bench->program->count ? begun - 1u : 0;
    const struct harness_location location = { .differs = true, .kind = bench->program->operations[last].kind };
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "died", bench->error.message);
    cJSON_AddStringToObject(object, "operation", bug_operation_name(&location));
    cJSON_AddBoolToObject(object, "operation_right", bug_operation_is_right(expected, &location));
    print_object(object);
    return 0;
}

/* The guesses, the likeliest first. */
static void add_named_rules(cJSON *object, const struct harness_location *location)
{
    cJSON *const rules = cJSON_AddArrayToObject(object, "named_rules");
    for (uint32_t i = 0; i < HARNESS_LOCATION_RULES && location->broken[i] != NULL; i++)
        (void)cJSON_AddItemToArray(rules, cJSON_CreateString(location->broken[i]));
}

static int judge(struct bench *bench, const char *patch, const char *path)
{
    struct bug_expectation expected;
    struct harness_location location;
    if (bug_expectation_read(patch, &expected, &bench->error) != HARNESS_OK ||
        harness_case_load_file(bench->test_case, path, NULL, NULL, &bench->error) != HARNESS_OK) {
        fprintf(stderr, "bench_bugs: %s\n", bench->error.message);
        return 2;
    }
    if (harness_case_setup(bench->test_case, bench->program, &bench->error) != HARNESS_OK)
        return host_trouble(bench);
    bool differ = false;
    if (harness_process_is(bench->backends[1].backend) && compare(bench, &differ) == HARNESS_OK && bench->died)
        return judge_death(bench, &expected);
    const double start = bench_seconds();
    if (harness_localise(bench->runners[0], bench->runners[1], bench->program, &location, &bench->error) != HARNESS_OK)
        return host_trouble(bench);
    const double seconds = bench_seconds() - start;
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "differs", location.differs);
    cJSON_AddBoolToObject(object, "command_right", bug_command_is_right(&expected, &location, bench->program));
    cJSON_AddBoolToObject(object, "stage_right", bug_stage_is_right(&expected, &location));
    cJSON_AddBoolToObject(object, "rule_right", bug_rule_is_right(&expected, &location));
    cJSON_AddStringToObject(object, "operation", location.differs ? bug_operation_name(&location) : "");
    cJSON_AddStringToObject(object, "stage", location.stage != NULL ? location.stage : "");
    cJSON_AddStringToObject(object, "named_rule", location.broken[0] != NULL ? location.broken[0] : "");
    add_named_rules(object, &location);
    cJSON_AddStringToObject(object, "note", location.note);
    cJSON_AddStringToObject(object, "rule", expected.rule);
    cJSON_AddNumberToObject(object, "localise_seconds", seconds);
    print_object(object);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ shows */

/* How often does the case show the bug? */
static int count_shown(struct bench *bench, const struct request *request, const char *path)
{
    uint32_t shown = 0, died = 0;
    if (harness_case_load_file(bench->test_case, path, NULL, NULL, &bench->error) != HARNESS_OK) {
        fprintf(stderr, "bench_bugs: %s\n", bench->error.message);
        return 2;
    }
    for (uint32_t i = 0; i < request->repeat; i++) {
        bool differ = false;
        if (compare(bench, &differ) != HARNESS_OK)
            return host_trouble(bench);
        shown += differ ? 1u : 0u;
        died += bench->died ? 1u : 0u;
    }
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "runs", request->repeat);
    cJSON_AddNumberToObject(object, "shown", shown);
    cJSON_AddNumberToObject(object, "died", died);
    print_object(object);
    return shown > 0 ? 0 : 1;
}

/* ------------------------------------------------------------------------------------------------------------- main */

static const char about[] =
    "bench_bugs - what bench/bugs/run asks about one planted bug; an answer is a JSON object\n"
    "\n"
    "usage: bench_bugs hunt [options] LIBRARY OUT.pcb       the first case on which it differs from the sound one\n"
    "       bench_bugs judge [options] LIBRARY PATCH CASE   does the localiser name what the patch's head says?\n"
    "       bench_bugs shows [options] LIBRARY CASE         how often the case shows the bug\n"
    "       bench_bugs sizes [options]                      how large the cases of such a campaign are\n"
    "\n"
    "  bench_bugs hunt ./build/release/bugs/shader-call-stack-overflow.so found.pcb\n"
    "  bench_bugs hunt --age 50000 build/release/bugs/fog-difference-unsigned.so found.pcb\n"
    "  bench_bugs hunt --capacity 16 build/release/bugs/raster-queue-wrap.so found.pcb\n"
    "  bench_bugs judge build/release/bugs/fog-difference-unsigned.so bench/bugs/fog-difference-unsigned.patch "
    "found.pcb\n"
    "  bench_bugs shows --threads 1 --repeat 1000 build/release/bugs/threads-shared-8x8-row.so \\\n"
    "      bench/bugs/cases/threads-shared-8x8-row.pcase\n";

static const char exits[] =
    "exit codes: 0 answered, 1 not found in time, or never shown, 2 usage or bad input, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "seed", 's', CLI_LONG, 0, UINT64_MAX, offsetof(struct request, seed), "N",
      "first seed of the generator, seed of the campaign", NULL },
    { "seconds", 0, CLI_TIME, 0, 86400, offsetof(struct request, seconds), "S", "give up after that long", NULL },
    { "most", 0, CLI_NUMBER, 1, UINT32_MAX, offsetof(struct request, most), "N", "give up after so many cases", NULL },
    { "against", 0, CLI_BACKEND, 0, 0, offsetof(struct request, against), "BACKEND", "the sound one", NULL },
    { "age", 0, CLI_TEXT, 0, 0, offsetof(struct request, age_text), "N",
      "cases of a campaign that had so many children before; otherwise freshly generated ones", NULL },
    { "threads", 0, CLI_NUMBER, 0, 64, offsetof(struct request, threads), "N", "worker threads of a backend", NULL },
    { "capacity", 0, CLI_NUMBER, 0, 1 << 16, offsetof(struct request, capacity), "N",
      "entries of each queue and cache of a backend, at most; 0 = as it likes", NULL },
    { "repeat", 0, CLI_NUMBER, 1, 1000, offsetof(struct request, repeat), "N",
      "fresh instances that may try to show a difference again (with threads it may not come at once)", NULL },
};

static const struct request defaults = {
    .against = "reference", .seed = 1, .seconds = 120, .most = UINT32_MAX, .repeat = 1
};

static const struct cli_program program = {
    .options = { "bench_bugs", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .least_words = 1,
    .most_words = 4,
};

static int work_on(const struct request *request, const char *what, const char *library, char **files)
{
    struct bench bench;
    int code = 4;
    if (!open_bench(&bench, request, library))
        code = host_trouble(&bench);
    else if (strcmp(what, "hunt") == 0)
        code = hunt(&bench, request, files[0]);
    else if (strcmp(what, "shows") == 0)
        code = count_shown(&bench, request, files[0]);
    else
        code = judge(&bench, files[0], files[1]);
    close_bench(&bench);
    return code;
}

int main(int argc, char **argv)
{
    struct request request;
    int code = 0;
    const int first = cli_program_parse(&program, argc, argv, &request, &code);
    if (first < 0)
        return code;
    char **const words = argv + first;
    const int count = argc - first;
    if (request.age_text != NULL && !cli_number(request.age_text, 0, UINT64_MAX, &request.age)) {
        fprintf(stderr, "bench_bugs: --age: '%s' is not a number\n", request.age_text);
        return CLI_PROGRAM_USAGE;
    }
    if (strcmp(words[0], "sizes") == 0 && count == 1)
        return print_sizes(&request);
    const bool has_case = strcmp(words[0], "hunt") == 0 || strcmp(words[0], "shows") == 0;
    if ((has_case && count == 3) || (strcmp(words[0], "judge") == 0 && count == 4))
        return work_on(&request, words[0], words[1], words + 2);
    fprintf(stderr, "bench_bugs: '%s' with %d words after it is nothing to do; see `bench_bugs --help`\n", words[0],
            count - 1);
    return CLI_PROGRAM_USAGE;
}
