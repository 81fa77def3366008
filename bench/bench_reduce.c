/* How small planted faults become: cases of realistic size, reduced by `picafuzz reduce`'s engine. */
#include "bench/measure.h"
#include "harness/cli/options.h"
#include "harness/grammar/gen.h"
#include "harness/reduce/reduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_BYTES = 10000,
    MOST_SEEDS = 20000,
    MOST_FAULTS = 32
};

struct bench {
    struct harness_backend backends[2];
    struct harness_probe_options options;
    double removed[MOST_FAULTS];
    double writes[MOST_FAULTS];
    size_t count;
    const char *directory; /* where FAULT.pcb and FAULT.pcase go; NULL: nowhere */
};

/* Generated cases from seed 1 on: the first one of the size that shows something. */
static bool find_case(const struct bench *bench, struct harness_case *out)
{
    const struct harness_generate_options options = { .mode = HARNESS_GENERATE_DEFINED };
    struct harness_symptom symptom = { .kind = HARNESS_AGREE };
    struct harness_probe *probe = NULL;
    if (harness_probe_create(&bench->options, &probe, NULL) != HARNESS_OK)
        return false;
    for (uint64_t seed = 1; seed <= MOST_SEEDS && symptom.kind < HARNESS_DIVERGE; seed++) {
        harness_generate(out, seed, &options);
        if (harness_case_bytes(out) >= LEAST_BYTES &&
            harness_probe_try(probe, out, false, &symptom, NULL) != HARNESS_OK)
            break;
    }
    harness_probe_destroy(probe);
    return symptom.kind >= HARNESS_DIVERGE;
}

static void save(const struct bench *bench, const struct harness_case *test_case, const char *fault,
                 const char *extension)
{
    char path[4096];
    struct harness_error error = { "" };
    if (bench->directory == NULL)
        return;
    (void)snprintf(path, sizeof path, "%s/%s.%s", bench->directory, fault, extension);
    if (harness_case_save_file(test_case, path, &error) != HARNESS_OK)
        fprintf(stderr, "%s\n", error.message);
}

static void bench_fault(struct bench *bench, const char *fault)
{
    struct harness_reduce_options options = { .probe = bench->options };
    struct harness_reduce_result result;
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    (void)setenv("PICAFUZZ_FAULT", fault, 1);
    if (test_case == NULL || !find_case(bench, test_case)) {
        printf("%-16s no generated case shows it\n", fault);
        harness_case_destroy(test_case);
        return;
    }
    save(bench, test_case, fault, "pcb");
    if (harness_reduce(test_case, &options, &result, &error) != HARNESS_OK) {
        printf("%-16s %s\n", fault, error.message);
    } else {
        const struct harness_reduce_progress *const p = &result.progress;
        const double removed = 100.0 * (1.0 - (double)p->bytes / (double)p->first_bytes);
        printf("%-16s %6" PRIu64 " -> %4" PRIu64 " bytes (%.1f %%), %4u -> %2u writes, %6" PRIu64
               " tried, %.1f s, %.0f a second\n",
               fault, p->first_bytes, p->bytes, removed, p->first_writes, p->writes, p->tried, p->elapsed,
               p->elapsed > 0.0 ? (double)p->tried / p->elapsed : 0.0);
        bench->removed[bench->count] = removed;
        bench->writes[bench->count++] = p->writes;
        save(bench, test_case, fault, "pcase");
    }
    fflush(stdout);
    harness_case_destroy(test_case);
}

/* --------------------------------------------------------------------------------------------------------- options */

struct request {
    uint32_t fault; /* number among the names; 0: all */
    const char *save;
    uint32_t jobs;
};

static const struct cli_choices faults = { "all, blend-max, depth-less, texture-mirror, interpolate, fog, stencil, "
                                           "light, strip, cull, indices, logic, crash-fog, hang-light",
                                           NULL };

static const char about[] =
    "bench_reduce - how small generated cases become that show a planted fault, and how fast\n"
    "\n"
    "usage: bench_reduce [options] FAULTY_BACKEND\n"
    "\n"
    "  bench_reduce build/release/lib/faulty_backend.so               every fault\n"
    "  bench_reduce --fault fog build/release/lib/faulty_backend.so   one of them\n"
    "  bench_reduce --save cases build/release/lib/faulty_backend.so  keep the cases: cases/fog.pcb, fog.pcase\n"
    "\n"
    "The backend is tests/reduce/faulty_backend.c, which presets with tests build. For each fault the first\n"
    "generated case of 10 000 bytes or more that shows it is reduced. A line has bytes and register writes\n"
    "before and after, tries and time; the last one the medians.\n";

static const char exits[] = "exit codes: 0 done, 2 usage, or the backend cannot be opened\n";

static const struct cli_option option_table[] = {
    { "fault", 0, CLI_CHOICE, 0, 0, offsetof(struct request, fault), "NAME", "this one alone", &faults },
    { "jobs", 0, CLI_NUMBER, 1, HARNESS_PROBE_MAX_JOBS, offsetof(struct request, jobs), "N", "worker processes", NULL },
    { "save", 0, CLI_WRITE, 0, 0, offsetof(struct request, save), "DIRECTORY",
      "write each case there, found and reduced", NULL },
};

static const struct request defaults = { .jobs = 1 };

static const struct cli_program program = {
    .options = { "bench_reduce", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .least_words = 1,
    .most_words = 1,
};

/* One after another, without "all". */
static void bench_faults(struct bench *bench, uint32_t wanted)
{
    const char *at = faults.names;
    for (uint32_t number = 1; (at = strchr(at, ',')) != NULL; number++) {
        char fault[32];
        at += 2;
        (void)snprintf(fault, sizeof fault, "%.*s", (int)strcspn(at, ","), at);
        if (wanted == 0 || wanted == number)
            bench_fault(bench, fault);
    }
}

int main(int argc, char **argv)
{
    struct bench bench = { .count = 0 };
    struct request request;
    struct harness_error error = { "" };
    int code = 0;
    const int first = cli_program_parse(&program, argc, argv, &request, &code);
    if (first < 0)
        return code;
    if (harness_backend_open("reference", &bench.backends[0], &error) != HARNESS_OK ||
        harness_backend_open_here(argv[first], &bench.backends[1], &error) != HARNESS_OK) {
        fprintf(stderr, "bench_reduce: %s\n", error.message);
        return CLI_PROGRAM_USAGE;
    }
    bench.directory = request.save;
    bench.options = (struct harness_probe_options){ .backends = bench.backends,
                                                    .backend_count = 2,
                                                    .backend_options = { .instruction_sets = UINT32_MAX },
                                                    .jobs = request.jobs,
                                                    .hang_ms = 300,
                                                    .case_bytes = (size_t)1 << 24 };
    bench_faults(&bench, request.fault);
    printf("median: %.1f %% of the bytes removed, %.0f register writes left\n",
           bench_median(bench.removed, bench.count), bench_median(bench.writes, bench.count));
    return 0;
}
