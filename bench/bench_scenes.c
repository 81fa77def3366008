/*
 * Speed of both backends, and of Mesa's llvmpipe, on the scenes of bench/scenes.h. Speed is shown here, never asserted
 * in a test.
 */
#include "bench/contest.h"
#include "harness/cli/options.h"
#include "harness/run/backends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    const char *scenes;  /* NULL: all */
    const char *sets;    /* NULL: all */
    const char *workers; /* NULL: 0,1, or with `sets` none */
    bool json;
    struct bench_contest contest;
};

/* True if the comma-separated list holds `word`, or with `family` the part of it before a dash. */
static bool list_has(const char *list, const char *word, bool family)
{
    for (const char *item = list; *item != '\0';) {
        const size_t length = strcspn(item, ",");
        if (length != 0 && strncmp(item, word, length) == 0 &&
            (word[length] == '\0' || (family && word[length] == '-')))
            return true;
        item += length + (item[length] != '\0');
    }
    return false;
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

/* The configuration that is llvmpipe, if it was measured; otherwise the number of configurations. */
static size_t find_llvmpipe(const struct bench_contest *contest)
{
    size_t index = 0;
    while (index < contest->count &&
           (contest->configurations[index].renderer != BENCH_LLVMPIPE || contest->rates[index].median <= 0.0))
        index++;
    return index;
}

/* How many times as fast as one thread that does the same idle cores are. */
static void print_shares(const struct bench_rates *rates)
{
    if (rates->model > 0.0)
        printf("    %.1f %% of the work is not handed over; by the model idle cores are %.2f times as fast as one\n",
               100.0 * rates->alone, rates->model);
}

static void print_line(const struct bench_contest *contest, size_t index, enum bench_unit unit)
{
    const struct bench_rates *const rates = &contest->rates[index];
    const size_t llvmpipe = find_llvmpipe(contest);
    if (rates->median <= 0.0)
        return;
    printf("  %-18s", contest->configurations[index].name);
    print_value(rates->median, unit);
    print_value(rates->best, unit);
    print_value(rates->cpu_median, unit);
    printf("  %15.2f", bench_contest_ratio(contest, index, 0));
    if (llvmpipe < contest->count)
        printf("  %11.2f", bench_contest_ratio(contest, index, llvmpipe));
    printf("\n");
    print_shares(rates);
}

static void print_table(const struct bench_contest *contest, enum bench_scene scene)
{
    const struct bench_plan *const plan = bench_scene_plan(scene);
    const struct bench_size size = bench_contest_scene_size(contest, scene);
    static const char *const units[] = { "Mpx/s", "Mtri/s", "Mvert/s", "us a case" };
    char base[40];
    (void)snprintf(base, sizeof base, "x %.13s", contest->configurations[0].name);
    printf("%s: %s", plan->name, plan->summary);
    if (plan->unit == BENCH_PIXELS)
        printf(", at %ux%ux%u", (unsigned)size.width, (unsigned)size.height, (unsigned)size.count);
    printf("\n  %-18s  %9s  %9s  %9s  %15s", units[plan->unit], "median", "best", "CPU", base);
    printf(find_llvmpipe(contest) < contest->count ? "  %11s\n" : "\n", "x llvmpipe");
    for (size_t i = 0; i < contest->count; i++)
        print_line(contest, i, plan->unit);
    if (contest->key[0] != '\0')
        printf("  drawn as: %s\n", contest->key);
    if (contest->message[0] != '\0')
        printf("  (%s)\n", contest->message);
}

static void print_json(const struct bench_contest *contest, enum bench_scene scene)
{
    const struct bench_plan *const plan = bench_scene_plan(scene);
    const struct bench_size size = bench_contest_scene_size(contest, scene);
    static const char *const units[] = { "pixels", "triangles", "vertices", "cases" };
    static const char *const renderers[] = { "reference", "fast", "llvmpipe" };
    for (size_t i = 0; i < contest->count; i++) {
        const struct bench_configuration *const configuration = &contest->configurations[i];
        const struct bench_rates *const rates = &contest->rates[i];
        if (rates->median <= 0.0)
            continue;
        printf("{\"scene\":\"%s\",\"configuration\":\"%s\",\"renderer\":\"%s\",\"isa\":\"%s\",\"workers\":%u,"
               "\"unit\":\"%s\",\"median\":%.6g,\"best\":%.6g,\"cpu\":%.6g",
               plan->name, configuration->name, renderers[configuration->renderer], configuration->isa,
               (unsigned)configuration->workers, units[plan->unit], rates->median, rates->best, rates->cpu_median);
        if (plan->unit == BENCH_PIXELS)
            printf(",\"width\":%u,\"height\":%u,\"layers\":%u", (unsigned)size.width, (unsigned)size.height,
                   (unsigned)size.count);
        if (configuration->renderer == BENCH_FAST && contest->key[0] != '\0')
            printf(",\"drawn_as\":\"%s\"", contest->key);
        printf("}\n");
    }
}

/* Names, sizes, what they are. A case without an operation draws nowhere. */
static void print_list(void)
{
    for (int i = 0; i < BENCH_SCENES; i++) {
        const struct bench_plan *const plan = bench_scene_plan((enum bench_scene)i);
        char size[40] = "-";
        if (plan->unit == BENCH_PIXELS)
            (void)snprintf(size, sizeof size, "%ux%ux%u", (unsigned)plan->size.width, (unsigned)plan->size.height,
                           (unsigned)plan->size.count);
        else if (i != BENCH_EMPTY)
            (void)snprintf(size, sizeof size, "%ux%u", (unsigned)plan->size.width, (unsigned)plan->size.height);
        printf("%-12s %-10s %s\n", plan->name, size, plan->summary);
    }
}

static int run_scene(struct bench *bench, enum bench_scene scene)
{
    const struct bench_plan *const plan = bench_scene_plan(scene);
    if (!bench_contest_run(&bench->contest, scene)) {
        fprintf(stderr, "bench_scenes: %s: %s\n", plan->name, bench->contest.message);
        return 4;
    }
    if (bench->json)
        print_json(&bench->contest, scene);
    else
        print_table(&bench->contest, scene);
    fflush(stdout);
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- options */

/* False if the list is none of numbers. */
static bool add_workers(struct bench *bench, const char *list)
{
    for (const char *item = list; *item != '\0';) {
        char *end = NULL;
        char name[32];
        const unsigned long workers = strtoul(item, &end, 10);
        if (end == item || (*end != ',' && *end != '\0') || workers > BENCH_MOST_WORKERS || *item == '-')
            return false;
        (void)snprintf(name, sizeof name, workers == 1 ? "fast, 1 worker" : "fast, %lu workers", workers);
        if (workers != 0)
            (void)bench_contest_add(&bench->contest, name, BENCH_FAST, "all", (uint32_t)workers);
        item = end + (*end == ',');
    }
    return true;
}

static void add_sets(struct bench *bench)
{
    static const char *const sets[] = { "scalar", "avx2", "avx512", "neon" };
    if (bench->sets == NULL || list_has(bench->sets, "reference", false))
        (void)bench_contest_add(&bench->contest, "reference", BENCH_REFERENCE, "all", 0);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "fast %s", sets[i]);
        const bool is_wanted = bench->sets == NULL || list_has(bench->sets, sets[i], false);
        if (is_wanted && bench_host_has(sets[i]))
            (void)bench_contest_add(&bench->contest, name, BENCH_FAST, sets[i], 0);
    }
    if (bench->sets != NULL && list_has(bench->sets, "all", false))
        (void)bench_contest_add(&bench->contest, "fast", BENCH_FAST, "all", 0);
}

static bool is_set(const char *name)
{
    uint32_t mask = 0;
    return strcmp(name, "reference") == 0 || strcmp(name, "llvmpipe") == 0 || harness_instruction_set(name, &mask);
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
        fprintf(stderr, "bench_scenes: --workers: '%s' is not a list of numbers from 0 to %d\n", workers,
                BENCH_MOST_WORKERS);
        return 2;
    }
    if (bench->sets == NULL || list_has(bench->sets, "llvmpipe", false))
        (void)bench_contest_add(&bench->contest, "llvmpipe", BENCH_LLVMPIPE, "all", 0);
    if (bench->contest.count == 0) {
        fprintf(stderr, "bench_scenes: this host has none of '%s'\n", bench->sets);
        return 2;
    }
    return 0;
}

struct request {
    const char *scenes, *sets, *workers, *size;
    double seconds;
    uint32_t runs;
    bool json, list, shares;
};

static const char about[] =
    "bench_scenes - how fast both backends draw\n"
    "\n"
    "usage: bench_scenes [options]\n"
    "\n"
    "  bench_scenes                                         every scene, every renderer and instruction set\n"
    "  bench_scenes --scene c,d-mesh --isa all              two scenes, fast with the best of the host alone\n"
    "  bench_scenes --scene d --isa all,llvmpipe            beside Mesa's llvmpipe\n"
    "  bench_scenes --scene a --workers 0,1,3,7,15          how it scales\n"
    "  bench_scenes --isa all --workers 1,3,7,15 --shares   how it would with more cores, or idle ones\n"
    "  bench_scenes --scene a --workers 0,1 --size 128x64   do two workers pay for so few pixels?\n"
    "\n"
    "A line shows the median rate, the best, and the median per second of processor time: the latter is what a core\n"
    "does while others are busy. Then how many times as fast that is as the first line, and as llvmpipe on one\n"
    "thread: medians, by processor time without workers, else by the clock. llvmpipe is Mesa's software renderer,\n"
    "which draws the same through OpenGL ES; it is left out where it is not installed.\n";

static const char exits[] = "exit codes: 0 done, 2 usage, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "scene", 0, CLI_TEXT, 0, 0, offsetof(struct request, scenes), "A[,B..]",
      "only these (see --list); a name covers all that begin with it and a dash", NULL },
    { "isa", 0, CLI_TEXT, 0, 0, offsetof(struct request, sets), "A[,B..]",
      "of: reference, scalar, avx2, avx512, neon, all, llvmpipe; all is the best of the host", NULL },
    { "workers", 0, CLI_TEXT, 0, 0, offsetof(struct request, workers), "N[,M..]",
      "worker threads beside the caller's, 0 to 64, with the best instruction set (default 0,1; with --isa none)",
      NULL },
    { "size", 0, CLI_TEXT, 0, 0, offsetof(struct request, size), "SIZE",
      "of the scenes that count pixels: WIDTHxHEIGHT or WIDTHxHEIGHTxLAYERS, multiples of 8 up to 1016 and together at "
      "most 786432 pixels, 1 to 64 layers (default: what --list says)",
      NULL },
    { "seconds", 0, CLI_TIME, 0, 86400, offsetof(struct request, seconds), "S", "of each measurement", NULL },
    { "runs", 0, CLI_NUMBER, 1, BENCH_MOST_RUNS, offsetof(struct request, runs), "N",
      "measurements of each configuration", NULL },
    { "shares", 0, CLI_FLAG, 0, 0, offsetof(struct request, shares), NULL,
      "with workers: which share of the work is not handed over to them, and how many times as fast as one thread idle "
      "cores are by a model: for machines that are busy or have few cores",
      NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct request, json), NULL, "one object a line instead of tables", NULL },
    { "list", 0, CLI_FLAG, 0, 0, offsetof(struct request, list), NULL,
      "print the names of the scenes and the sizes that they are measured at, and end", NULL },
};

static const struct request defaults = { .seconds = 0.2, .runs = 5 };

static const struct cli_program program = {
    .options = { "bench_scenes", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
};

/* False where all is said: *code is the exit code then. */
static bool parse(struct bench *bench, int argc, char **argv, int *code)
{
    struct request request;
    if (cli_program_parse(&program, argc, argv, &request, code) < 0)
        return false;
    bench->scenes = request.scenes;
    bench->sets = request.sets;
    bench->workers = request.workers;
    bench->json = request.json;
    bench->contest.seconds = request.seconds;
    bench->contest.runs = request.runs;
    bench->contest.shares = request.shares;
    *code = 0;
    if (request.list)
        print_list();
    else if (request.size != NULL && !bench_contest_size(&bench->contest, "bench_scenes", request.size))
        *code = CLI_PROGRAM_USAGE;
    else
        *code = configure(bench);
    return !request.list && *code == 0;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    int code = 0;
    if (!parse(&bench, argc, argv, &code))
        return code;
    if (!bench.json)
        printf("instruction sets here: %s; %zu runs of %g s each\n", harness_host_instruction_sets(),
               bench.contest.runs, bench.contest.seconds);
    for (int scene = 0; scene < BENCH_SCENES && code == 0; scene++) {
        if (bench.scenes != NULL && !list_has(bench.scenes, bench_scene_plan((enum bench_scene)scene)->name, true))
            continue;
        code = run_scene(&bench, (enum bench_scene)scene);
    }
    return code;
}
