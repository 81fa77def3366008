/*
 * One bug of the bench: looks for it with generated cases, or judges what the localiser says about a case.
 *
 * Usage: bench_bugs hunt LIBRARY OUT.pcb [--seed N] [--seconds S] [--against BACKEND]
 *        bench_bugs judge LIBRARY PATCH CASE [--against BACKEND]
 *
 * Each prints one JSON object. Exit codes: 0 done, 1 not found in time, 2 usage or bad input, 4 host trouble.
 */
#include "bench/bugs/expectation.h"
#include "bench/measure.h"
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"

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
};

struct request {
    const char *against;
    uint64_t seed;
    double seconds;
};

/* ------------------------------------------------------------------------------------------------------------ bench */

static bool open_runners(struct bench *bench)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    for (int i = 0; i < 2; i++)
        if (harness_runner_create(bench->backends[i].backend, &options, &bench->runners[i]) != PICA_OK)
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

static bool open_bench(struct bench *bench, const char *against, const char *library)
{
    memset(bench, 0, sizeof *bench);
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
    return bench->test_case != NULL && bench->program != NULL &&
           harness_backend_open(against, &bench->backends[0], &bench->error) == HARNESS_OK &&
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

/* Does the case of the bench make the two differ? */
static enum harness_status compare(struct bench *bench, bool *differ)
{
    const struct harness_compare_options options = { .every_operation = false };
    struct harness_comparison comparison;
    enum harness_status status = harness_case_setup(bench->test_case, bench->program, &bench->error);
    if (status == HARNESS_OK)
        status = harness_compare(bench->runners, 2, bench->program, &options, &comparison, &bench->error);
    *differ = status == HARNESS_OK && comparison.report.verdict == ORACLE_DIVERGE;
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

/* A difference counts only if instances that never ran another case show it, too. */
static enum harness_status confirm(struct bench *bench, bool *differ)
{
    close_runners(bench);
    if (!open_runners(bench))
        return harness_fail_memory(&bench->error);
    return compare(bench, differ);
}

static int hunt(struct bench *bench, const struct request *request, const char *output)
{
    const double start = bench_seconds();
    uint64_t cases = 0, unconfirmed = 0;
    bool found = false;
    double elapsed = 0;
    for (; !found && elapsed < request->seconds; cases++) {
        harness_case_reset(bench->test_case);
        harness_generate(bench->test_case, request->seed + cases, NULL);
        bool differ = false;
        enum harness_status status = compare(bench, &differ);
        if (status == HARNESS_OK && differ) {
            status = confirm(bench, &found);
            unconfirmed += !found;
        }
        if (status != HARNESS_OK)
            return host_trouble(bench);
        elapsed = bench_seconds() - start;
    }
    if (found && harness_case_save_file(bench->test_case, output, &bench->error) != HARNESS_OK)
        return host_trouble(bench);
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "found", found);
    cJSON_AddNumberToObject(object, "cases", (double)cases);
    cJSON_AddNumberToObject(object, "seconds", elapsed);
    cJSON_AddNumberToObject(object, "unconfirmed", (double)unconfirmed);
    print_object(object);
    return found ? 0 : 1;
}

/* ------------------------------------------------------------------------------------------------------------ judge */

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
    const double start = bench_seconds();
    if (harness_localise(bench->runners[0], bench->runners[1], bench->program, &location, &bench->error) != HARNESS_OK)
        return host_trouble(bench);
    const double seconds = bench_seconds() - start;
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "differs", location.differs);
    cJSON_AddBoolToObject(object, "command_right", bug_command_is_right(&expected, &location, bench->program));
    cJSON_AddBoolToObject(object, "stage_right", bug_stage_is_right(&expected, &location));
    cJSON_AddStringToObject(object, "operation", location.differs ? bug_operation_name(&location) : "");
    cJSON_AddStringToObject(object, "stage", location.stage != NULL ? location.stage : "");
    cJSON_AddStringToObject(object, "named_rule", location.rule);
    cJSON_AddStringToObject(object, "note", location.note);
    cJSON_AddStringToObject(object, "rule", expected.rule);
    cJSON_AddNumberToObject(object, "localise_seconds", seconds);
    print_object(object);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- main */

static int usage(void)
{
    fprintf(stderr, "usage: bench_bugs hunt LIBRARY OUT.pcb [--seed N] [--seconds S] [--against BACKEND]\n"
                    "       bench_bugs judge LIBRARY PATCH CASE [--against BACKEND]\n");
    return 2;
}

static bool parse(int argc, char **argv, struct request *request)
{
    for (int i = 0; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            request->seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--seconds") == 0)
            request->seconds = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--against") == 0)
            request->against = argv[i + 1];
        else
            return false;
    }
    return argc % 2 == 0;
}

int main(int argc, char **argv)
{
    struct request request = { .against = "reference", .seed = 1, .seconds = 120 };
    const bool hunts = argc >= 4 && strcmp(argv[1], "hunt") == 0;
    const bool judges = argc >= 5 && strcmp(argv[1], "judge") == 0;
    const int first = hunts ? 4 : 5;
    if ((!hunts && !judges) || !parse(argc - first, argv + first, &request))
        return usage();
    struct bench bench;
    int code = 4;
    if (!open_bench(&bench, request.against, argv[2]))
        code = host_trouble(&bench);
    else
        code = hunts ? hunt(&bench, &request, argv[3]) : judge(&bench, argv[3], argv[4]);
    close_bench(&bench);
    return code;
}
