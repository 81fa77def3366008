/* The perf guard as a program; ci/perf builds and runs it. */
#include "bench/contest.h"
#include "bench/guard.h"
#include "bench/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "bench_guard - is fast still as many times as fast as the reference as it was?\n"
    "\n"
    "usage: bench_guard [options] FILE\n"
    "\n"
    "  bench_guard ci/perf.json                     compares with the ratios of this kind of processor\n"
    "  bench_guard --record ci/perf.json            measures them anew and writes them into the file\n"
    "  bench_guard --scene a --scene c ci/perf.json two scenes alone\n"
    "\n"
    "  --record        write the file instead of judging; other processors' ratios stay\n"
    "  --scene NAME    only this one; may be repeated (bench_scenes --list names them)\n"
    "  --seconds S     of each measurement (default: 0.1)\n"
    "  --runs N        measurements of each configuration and round, 1-99 (default: 5)\n"
    "  --rounds N      at most so often is a scene measured that looks slow, 1-99 (default: 5); --record measures all\n"
    "                  of them in each round\n"
    "\n"
    "A ratio is the best rate of fast per second of processor time by that of the reference, over all rounds, for "
    "each\n"
    "scene and instruction set. The file says how many percent it may fall before there is a warning or a failure. On\n"
    "a processor that the file does not know it is compared with the first one there, and failures are warnings.\n"
    "\n"
    "exit codes: 0 fine or warnings, 1 slower, 2 usage or bad file, 4 host trouble\n";

struct guard {
    const char *path;
    bool record;
    bool wanted[BENCH_SCENES];
    uint64_t rounds;
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

static bool take_option(struct guard *guard, int option, char *value)
{
    switch (option) {
    case 'r': guard->record = true; return true;
    case 's': return want(guard, value);
    case 't': return bench_contest_seconds(&guard->contest, "bench_guard", value);
    case 'n': return bench_contest_runs(&guard->contest, "bench_guard", value);
    case 'o':
        return bench_option_number((struct bench_option){ "bench_guard", "--rounds" }, value, 1, BENCH_MOST_RUNS,
                                   &guard->rounds);
    default: return false;
    }
}

static int parse(struct guard *guard, int argc, char **argv)
{
    static const struct option options[] = {
        { "record", no_argument, NULL, 'r' },
        { "scene", required_argument, NULL, 's' },
        { "seconds", required_argument, NULL, 't' },
        { "runs", required_argument, NULL, 'n' },
        { "rounds", required_argument, NULL, 'o' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    bool is_every = true;
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return -1;
        }
        if (!take_option(guard, option, optarg))
            return 2;
        is_every = is_every && option != 's';
    }
    if (optind != argc - 1)
        return 2;
    guard->path = argv[optind];
    for (int scene = 0; scene < BENCH_SCENES; scene++)
        guard->wanted[scene] = guard->wanted[scene] || is_every;
    return 0;
}

int main(int argc, char **argv)
{
    struct guard *const guard = calloc(1, sizeof *guard);
    char cpuinfo[8192] = "";
    if (guard == NULL)
        return 4;
    guard->contest.seconds = 0.1;
    guard->contest.runs = 5;
    guard->rounds = 5;
    const int usage = parse(guard, argc, argv);
    int code = usage > 0 ? usage : 0;
    if (usage > 0)
        fputs("bench_guard: bad options; see --help\n", stderr);
    FILE *const file = fopen("/proc/cpuinfo", "rb");
    if (file != NULL) {
        cpuinfo[fread(cpuinfo, 1, sizeof cpuinfo - 1, file)] = '\0';
        (void)fclose(file);
    }
    bench_guard_processor(cpuinfo, guard->processor, sizeof guard->processor);
    if (usage == 0) {
        configure(guard);
        code = run(guard);
    }
    free(guard);
    return code;
}
