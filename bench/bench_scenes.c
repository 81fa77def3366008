/*
 * Speed of both backends on the scenes of bench/scenes.h. Speed is shown here, never asserted in a test. The
 * configurations take turns, so that a busy machine disturbs all alike.
 */
#include "bench/measure.h"
#include "bench/scenes.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "bench_scenes - how fast both backends draw\n"
    "\n"
    "usage: bench_scenes [options]\n"
    "\n"
    "  bench_scenes                                     every scene, reference and every instruction set of fast\n"
    "  bench_scenes --scene c,d-mesh --isa all          two scenes, fast with the best of the host alone\n"
    "  bench_scenes --scene a --workers 0,1,3,7,15      how it scales\n"
    "\n"
    "  --scene LIST     only these, comma-separated (see --list); a name covers all that begin with it and a dash\n"
    "  --isa LIST       of: reference, scalar, avx2, avx512, neon, all; all is the best of the host\n"
    "  --workers LIST   worker threads beside the caller's, 0-64, with the best instruction set (default: 0,1; with\n"
    "                   --isa none)\n"
    "  --seconds S      of each measurement (default: 0.2)\n"
    "  --runs N         measurements of each configuration, 1-99 (default: 5)\n"
    "  --json           one object a line instead of tables\n"
    "  --list           print the names of the scenes\n"
    "\n"
    "A line shows the median rate, the best, and the median per second of processor time: the latter is what a core\n"
    "does while others are busy. \"x reference\" compares medians, by processor time without workers, else by the\n"
    "clock.\n"
    "\n"
    "exit codes: 0 done, 2 usage, 4 host trouble\n";

enum {
    MOST_RUNS = 99,
    MOST_CONFIGURATIONS = 24,
    MOST_WORKERS = 64
};

struct configuration {
    char name[32];
    size_t backend; /* 0 reference, 1 fast */
    const char *isa;
    uint32_t workers;
};

struct result {
    struct harness_runner *runner;
    double rates[MOST_RUNS], cpu_rates[MOST_RUNS]; /* units a second, units a second of processor time */
    double median, best, cpu_median;
};

struct bench {
    const char *scenes;  /* NULL: all */
    const char *sets;    /* NULL: all */
    const char *workers; /* NULL: 0,1, or with `sets` none */
    double seconds;
    unsigned long runs;
    bool json;
    struct configuration configurations[MOST_CONFIGURATIONS];
    size_t count;
    struct result results[MOST_CONFIGURATIONS];
};

/* True if the list, with commas or blanks, holds `word`, or with `family` the part of it before a dash. */
static bool list_has(const char *list, const char *word, bool family)
{
    for (const char *item = list; *item != '\0';) {
        const size_t length = strcspn(item, ", ");
        if (length != 0 && strncmp(item, word, length) == 0 &&
            (word[length] == '\0' || (family && word[length] == '-')))
            return true;
        item += length + (item[length] != '\0');
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------------- measurement */

/* Everything that a case is for BENCH_CASES, the last submission alone for the others. */
static enum pica_status repeat(struct harness_runner *runner, const struct harness_program *program,
                               enum bench_unit unit)
{
    size_t failed = 0;
    if (unit != BENCH_CASES)
        return harness_runner_step(runner, &program->operations[program->count - 1]);
    const enum pica_status status = harness_runner_load(runner, &program->setup);
    return status == PICA_OK ? harness_runner_run(runner, program->operations, program->count, &failed) : status;
}

static bool measure(struct bench *bench, struct result *result, size_t run, const struct harness_program *program,
                    const struct bench_plan *plan)
{
    const double start = bench_seconds(), cpu_start = bench_cpu_seconds();
    double elapsed = 0.0;
    uint64_t repetitions = 0;
    while (elapsed < bench->seconds) {
        const int burst = plan->unit == BENCH_CASES ? 16 : 1;
        for (int i = 0; i < burst; i++)
            if (repeat(result->runner, program, plan->unit) != PICA_OK)
                return false;
        repetitions += (uint64_t)burst;
        elapsed = bench_seconds() - start;
    }
    result->rates[run] = (double)repetitions / elapsed;
    result->cpu_rates[run] = (double)repetitions / (bench_cpu_seconds() - cpu_start);
    return true;
}

static bool open_configuration(struct bench *bench, size_t index, const struct harness_program *program)
{
    const struct configuration *const configuration = &bench->configurations[index];
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    struct pica_options options = { .threads = configuration->workers };
    size_t failed = 0;
    (void)harness_linked_backends(linked, HARNESS_LINKED_BACKENDS);
    (void)harness_instruction_set(configuration->isa, &options.instruction_sets);
    struct result *const result = &bench->results[index];
    return harness_runner_create(linked[configuration->backend], &options, &result->runner) == PICA_OK &&
           harness_runner_load(result->runner, &program->setup) == PICA_OK &&
           harness_runner_run(result->runner, program->operations, program->count, &failed) == PICA_OK;
}

static void summarise(struct bench *bench, struct result *result, double work)
{
    for (unsigned long run = 0; run < bench->runs; run++) {
        result->rates[run] *= work;
        result->cpu_rates[run] *= work;
    }
    result->median = bench_median(result->rates, bench->runs);
    result->best = result->rates[bench->runs - 1];
    result->cpu_median = bench_median(result->cpu_rates, bench->runs);
}

static bool measure_all(struct bench *bench, const struct harness_program *program, const struct bench_plan *plan)
{
    bool good = true;
    for (size_t i = 0; i < bench->count; i++)
        good = good && open_configuration(bench, i, program);
    for (unsigned long run = 0; run < bench->runs; run++)
        for (size_t i = 0; i < bench->count; i++)
            good = good && measure(bench, &bench->results[i], run, program, plan);
    for (size_t i = 0; i < bench->count; i++) {
        harness_runner_destroy(bench->results[i].runner);
        bench->results[i].runner = NULL;
    }
    return good;
}

/* -------------------------------------------------------------------------------------------------------- printing */

/* As a rate in millions, or as microseconds a case. */
static void print_value(double rate, enum bench_unit unit)
{
    if (unit == BENCH_CASES)
        printf("  %9.2f", 1e6 / rate);
    else
        printf("  %9.2f", rate * 1e-6);
}

static void print_table(const struct bench *bench, const struct bench_plan *plan)
{
    static const char *const units[] = { "Mpx/s", "Mtri/s", "Mvert/s", "us a case" };
    printf("%-10s %s: %s\n%24s  %9s  %9s  %9s\n", plan->name, plan->summary, units[plan->unit], "", "median", "best",
           "CPU");
    for (size_t i = 0; i < bench->count; i++) {
        const struct result *const result = &bench->results[i], *const base = &bench->results[0];
        const double ratio = bench->configurations[i].workers == 0 ? result->cpu_median / base->cpu_median
                                                                   : result->median / base->median;
        printf("  %-22s", bench->configurations[i].name);
        print_value(result->median, plan->unit);
        print_value(result->best, plan->unit);
        print_value(result->cpu_median, plan->unit);
        printf("  %8.1f x %s\n", ratio, bench->configurations[0].name);
    }
}

static void print_json(const struct bench *bench, const struct bench_plan *plan)
{
    static const char *const units[] = { "pixels", "triangles", "vertices", "cases" };
    for (size_t i = 0; i < bench->count; i++) {
        const struct configuration *const configuration = &bench->configurations[i];
        const struct result *const result = &bench->results[i];
        printf("{\"scene\":\"%s\",\"configuration\":\"%s\",\"backend\":\"%s\",\"isa\":\"%s\",\"workers\":%u,"
               "\"unit\":\"%s\",\"median\":%.6g,\"best\":%.6g,\"cpu\":%.6g}\n",
               plan->name, configuration->name, configuration->backend == 0 ? "reference" : "fast", configuration->isa,
               (unsigned)configuration->workers, units[plan->unit], result->median, result->best, result->cpu_median);
    }
}

static int run_scene(struct bench *bench, enum bench_scene scene)
{
    const struct bench_plan *const plan = bench_scene_plan(scene);
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    struct harness_error error = { "the backend failed, or the host refused memory" };
    int code = 4;
    if (test_case == NULL || program == NULL || !bench_scene_build(test_case, scene, &plan->size) ||
        harness_case_setup(test_case, program, &error) != HARNESS_OK || !measure_all(bench, program, plan)) {
        fprintf(stderr, "bench_scenes: %s: %s\n", plan->name, error.message);
        goto done;
    }
    for (size_t i = 0; i < bench->count; i++)
        summarise(bench, &bench->results[i], (double)bench_scene_work(scene, &plan->size));
    if (bench->json)
        print_json(bench, plan);
    else
        print_table(bench, plan);
    fflush(stdout);
    code = 0;
done:
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    return code;
}

/* --------------------------------------------------------------------------------------------------------- options */

static void add_configuration(struct bench *bench, const char *name, size_t backend, const char *isa, uint32_t workers)
{
    if (bench->count == MOST_CONFIGURATIONS)
        return;
    struct configuration *const configuration = &bench->configurations[bench->count++];
    *configuration = (struct configuration){ .backend = backend, .isa = isa, .workers = workers };
    (void)snprintf(configuration->name, sizeof configuration->name, "%s", name);
}

/* False if the list is none of numbers. */
static bool add_workers(struct bench *bench, const char *list)
{
    for (const char *item = list; *item != '\0';) {
        char *end = NULL;
        char name[32];
        const unsigned long workers = strtoul(item, &end, 10);
        if (end == item || (*end != ',' && *end != '\0') || workers > MOST_WORKERS || *item == '-')
            return false;
        (void)snprintf(name, sizeof name, workers == 1 ? "fast, 1 worker" : "fast, %lu workers", workers);
        if (workers != 0)
            add_configuration(bench, name, 1, "all", (uint32_t)workers);
        item = end + (*end == ',');
    }
    return true;
}

static void add_sets(struct bench *bench)
{
    static const char *const sets[] = { "scalar", "avx2", "avx512", "neon" };
    if (bench->sets == NULL || list_has(bench->sets, "reference", false))
        add_configuration(bench, "reference", 0, "all", 0);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "fast %s", sets[i]);
        const bool is_wanted = bench->sets == NULL || list_has(bench->sets, sets[i], false);
        if (is_wanted && list_has(harness_host_instruction_sets(), sets[i], false))
            add_configuration(bench, name, 1, sets[i], 0);
    }
    if (bench->sets != NULL && list_has(bench->sets, "all", false))
        add_configuration(bench, "fast", 1, "all", 0);
}

static bool is_set(const char *name)
{
    uint32_t mask = 0;
    return strcmp(name, "reference") == 0 || harness_instruction_set(name, &mask);
}

static bool is_scene(const char *name)
{
    for (int scene = 0; scene < BENCH_SCENES; scene++)
        if (list_has(name, bench_scene_plan((enum bench_scene)scene)->name, true))
            return true;
    return false;
}

/* Complains of the first item of an option's list that is not known. */
static bool check_list(const char *option, const char *list, bool (*is_known)(const char *))
{
    char item[32];
    if (list == NULL)
        return true;
    do {
        const size_t length = strcspn(list, ",");
        (void)snprintf(item, sizeof item, "%.*s", (int)length, list);
        if (!is_known(item)) {
            fprintf(stderr, "bench_scenes: %s: '%s' is not one of those that --help or --list names\n", option, item);
            return false;
        }
        list += length;
    } while (*list++ == ',');
    return true;
}

static int configure(struct bench *bench)
{
    if (!check_list("--scene", bench->scenes, is_scene) || !check_list("--isa", bench->sets, is_set))
        return 2;
    add_sets(bench);
    const char *const workers = bench->workers != NULL ? bench->workers : bench->sets == NULL ? "0,1" : "0";
    if (!add_workers(bench, workers)) {
        fprintf(stderr, "bench_scenes: --workers: '%s' is not a list of numbers from 0 to %d\n", workers, MOST_WORKERS);
        return 2;
    }
    if (bench->count == 0) {
        fprintf(stderr, "bench_scenes: this host has none of '%s'\n", bench->sets);
        return 2;
    }
    return 0;
}

static int parse(struct bench *bench, int argc, char **argv)
{
    static const struct option options[] = {
        { "scene", required_argument, NULL, 's' },
        { "isa", required_argument, NULL, 'i' },
        { "workers", required_argument, NULL, 'w' },
        { "seconds", required_argument, NULL, 't' },
        { "runs", required_argument, NULL, 'r' },
        { "json", no_argument, NULL, 'j' },
        { "list", no_argument, NULL, 'l' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        switch (option) {
        case 's': bench->scenes = optarg; break;
        case 'i': bench->sets = optarg; break;
        case 'w': bench->workers = optarg; break;
        case 't': bench->seconds = strtod(optarg, NULL); break;
        case 'r': bench->runs = strtoul(optarg, NULL, 10); break;
        case 'j': bench->json = true; break;
        case 'l':
            for (int scene = 0; scene < BENCH_SCENES; scene++)
                printf("%-12s %s\n", bench_scene_plan((enum bench_scene)scene)->name,
                       bench_scene_plan((enum bench_scene)scene)->summary);
            return -1;
        case 'h': fputs(help, stdout); return -1;
        default: return 2;
        }
    }
    if (optind != argc || !(bench->seconds > 0.0) || bench->runs == 0 || bench->runs > MOST_RUNS) {
        fputs("bench_scenes: bad options; see --help\n", stderr);
        return 2;
    }
    return configure(bench);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    bench = (struct bench){ .seconds = 0.2, .runs = 5 };
    const int usage = parse(&bench, argc, argv);
    int code = usage > 0 ? usage : 0;
    if (usage != 0)
        return code;
    for (int scene = 0; scene < BENCH_SCENES && code == 0; scene++) {
        if (bench.scenes != NULL && !list_has(bench.scenes, bench_scene_plan((enum bench_scene)scene)->name, true))
            continue;
        code = run_scene(&bench, (enum bench_scene)scene);
    }
    return code;
}
