/* The perf guard as a program; ci/perf builds and runs it. */
#include "bench/contest.h"
#include "bench/guard.h"
#include "harness/cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct guard {
    const char *path;
    bool record;
    bool wanted[BENCH_SCENES];
    uint32_t rounds;
    struct bench_contest contest;
    size_t sets[BENCH_MOST_CONFIGURATIONS]; /* of configuration i; configuration 0 is the reference */
    char processor[128];
    bool is_known;
    struct bench_guard_limits limits;
    struct bench_ratios recorded, measured;
    unsigned failures, warnings, compared;
};

static void configure(struct guard *guard)
{
    (void)bench_contest_add(&guard->contest, "reference", BENCH_REFERENCE, "all", 0);
    for (size_t set = 0; set < BENCH_GUARD_SETS; set++)
        if (bench_host_has(bench_guard_set(set))) {
            guard->sets[guard->contest.count] = set;
            (void)bench_contest_add(&guard->contest, bench_guard_set(set), BENCH_FAST, bench_guard_set(set), 0);
        }
}

/* True if a ratio of the scene is too low and has to be measured once more. */
static bool looks_slow(const struct guard *guard, enum bench_scene scene)
{
    for (size_t i = 1; i < guard->contest.count; i++) {
        const size_t set = guard->sets[i];
        const enum bench_guard_verdict verdict =
            bench_guard_judge(guard->measured.of[scene][set], guard->recorded.of[scene][set], &guard->limits);
        if (verdict == BENCH_GUARD_WARNING || verdict == BENCH_GUARD_FAILURE)
            return true;
    }
    return false;
}

static bool measure_scene(struct guard *guard, enum bench_scene scene)
{
    double best[BENCH_MOST_CONFIGURATIONS] = { 0.0 };
    for (uint64_t round = 0; round < guard->rounds; round++) {
        if (!bench_contest_run(&guard->contest, scene)) {
            fprintf(stderr, "bench_guard: %s: %s\n", bench_scene_plan(scene)->name, guard->contest.message);
            return false;
        }
        for (size_t i = 0; i < guard->contest.count; i++)
            if (guard->contest.rates[i].cpu_best > best[i])
                best[i] = guard->contest.rates[i].cpu_best;
        for (size_t i = 1; i < guard->contest.count; i++)
            guard->measured.of[scene][guard->sets[i]] = best[i] / best[0];
        if (!guard->record && !looks_slow(guard, scene))
            break;
    }
    return true;
}

static void judge_scene(struct guard *guard, enum bench_scene scene)
{
    static const char *const words[] = { "fine", "faster", "SLOWER (warning)", "SLOWER", "not recorded" };
    for (size_t i = 1; i < guard->contest.count; i++) {
        const double recorded = guard->recorded.of[scene][guard->sets[i]];
        const double measured = guard->measured.of[scene][guard->sets[i]];
        enum bench_guard_verdict verdict = bench_guard_judge(measured, recorded, &guard->limits);
        if (verdict == BENCH_GUARD_FAILURE && !guard->is_known)
            verdict = BENCH_GUARD_WARNING;
        guard->failures += verdict == BENCH_GUARD_FAILURE;
        guard->warnings += verdict == BENCH_GUARD_WARNING;
        guard->compared += verdict != BENCH_GUARD_UNKNOWN;
        printf("%-12s %-8s %9.3g %9.3g", bench_scene_plan(scene)->name, guard->contest.configurations[i].name, recorded,
               measured);
        if (verdict != BENCH_GUARD_UNKNOWN)
            printf("  %+7.1f %%", (measured / recorded - 1.0) * 100.0);
        printf("  %s\n", words[verdict]);
    }
    fflush(stdout);
}

static int run(struct guard *guard)
{
    struct bench_guard_error error = { "" };
    if (!bench_guard_load(guard->path, guard->processor, &guard->limits, &guard->recorded, &guard->is_known, &error)) {
        fprintf(stderr, "bench_guard: %s\n", error.message);
        return 2;
    }
    printf("processor: %s%s\n%-12s %-8s %9s %9s\n", guard->processor,
           guard->is_known ? "" : " (not in the file: failures are warnings)", "scene", "set", "recorded", "now");
    for (int scene = 0; scene < BENCH_SCENES; scene++) {
        if (!guard->wanted[scene])
            continue;
        if (!measure_scene(guard, (enum bench_scene)scene))
            return 4;
        judge_scene(guard, (enum bench_scene)scene);
    }
    if (guard->record) {
        if (!bench_guard_record(guard->path, guard->processor, &guard->measured, &error)) {
            fprintf(stderr, "bench_guard: %s\n", error.message);
            return 4;
        }
        printf("recorded in %s\n", guard->path);
        return 0;
    }
    printf("%u ratios compared: %u warnings below -%g %%, %u failures below -%g %%\n", guard->compared, guard->warnings,
           guard->limits.warn, guard->failures, guard->limits.fail);
    if (guard->compared == 0) {
        fprintf(stderr, "bench_guard: %s: holds no ratio to compare with; --record first\n", guard->path);
        return 2;
    }
    return guard->failures != 0 ? 1 : 0;
}

static bool want(struct guard *guard, const char *name)
{
    for (int scene = 0; scene < BENCH_SCENES; scene++)
        if (strcmp(name, bench_scene_plan((enum bench_scene)scene)->name) == 0) {
            guard->wanted[scene] = true;
            return true;
        }
    fprintf(stderr, "bench_guard: --scene: '%s' is not one of those that bench_scenes --list prints\n", name);
    return false;
}

/* --------------------------------------------------------------------------------------------------------- options */

struct request {
    bool record;
    struct cli_list scenes;
    double seconds;
    uint32_t runs, rounds;
};

static const char about[] =
    "bench_guard - is fast still as many times as fast as the reference as it was?\n"
    "\n"
    "usage: bench_guard [options] FILE\n"
    "\n"
    "  bench_guard ci/perf.json                      compares with the ratios of this kind of processor\n"
    "  bench_guard --record ci/perf.json             measures them anew and writes them into the file\n"
    "  bench_guard --scene a --scene c ci/perf.json  two scenes alone\n"
    "\n"
    "A ratio is the best rate of fast per second of processor time by that of the reference, over all rounds,\n"
    "for each scene and instruction set. The file says how many percent it may fall before there is a warning\n"
    "or a failure. On a processor that the file does not know it is compared with the first one there, and\n"
    "failures are warnings.\n";

static const char exits[] = "exit codes: 0 fine or warnings, 1 slower, 2 usage or bad file, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "record", 0, CLI_FLAG, 0, 0, offsetof(struct request, record), NULL,
      "write the file instead of judging; other processors' ratios stay", NULL },
    { "scene", 0, CLI_EACH, 1, CLI_LIST_MOST, offsetof(struct request, scenes), "NAME",
      "only this one; may be repeated (bench_scenes --list names them)", NULL },
    { "seconds", 0, CLI_TIME, 0, 86400, offsetof(struct request, seconds), "S", "of each measurement", NULL },
    { "runs", 0, CLI_NUMBER, 1, BENCH_MOST_RUNS, offsetof(struct request, runs), "N",
      "measurements of each configuration and round", NULL },
    { "rounds", 0, CLI_NUMBER, 1, BENCH_MOST_RUNS, offsetof(struct request, rounds), "N",
      "at most so often is a scene measured that looks slow; --record measures all of them in each round", NULL },
};

static const struct request defaults = { .seconds = 0.1, .runs = 5, .rounds = 5 };

static const struct cli_program program = {
    .options = { "bench_guard", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .least_words = 1,
    .most_words = 1,
};

/* False where all is said: *code is the exit code then. */
static bool parse(struct guard *guard, int argc, char **argv, int *code)
{
    struct request request;
    const int first = cli_program_parse(&program, argc, argv, &request, code);
    if (first < 0)
        return false;
    guard->path = argv[first];
    guard->record = request.record;
    guard->rounds = request.rounds;
    guard->contest.seconds = request.seconds;
    guard->contest.runs = request.runs;
    *code = CLI_PROGRAM_USAGE;
    for (size_t i = 0; i < request.scenes.count; i++)
        if (!want(guard, request.scenes.items[i]))
            return false;
    for (int scene = 0; scene < BENCH_SCENES; scene++)
        guard->wanted[scene] = guard->wanted[scene] || request.scenes.count == 0;
    return true;
}

static void read_processor(struct guard *guard)
{
    char cpuinfo[8192] = "";
    FILE *const file = fopen("/proc/cpuinfo", "rb");
    if (file != NULL) {
        cpuinfo[fread(cpuinfo, 1, sizeof cpuinfo - 1, file)] = '\0';
        (void)fclose(file);
    }
    bench_guard_processor(cpuinfo, guard->processor, sizeof guard->processor);
}

int main(int argc, char **argv)
{
    struct guard *const guard = calloc(1, sizeof *guard);
    int code = 4;
    if (guard != NULL && parse(guard, argc, argv, &code)) {
        read_processor(guard);
        configure(guard);
        code = run(guard);
    }
    free(guard);
    return code;
}
