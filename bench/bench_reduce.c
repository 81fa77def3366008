/* How small planted faults become: cases of realistic size, reduced by `picafuzz reduce`'s engine. */
#include "bench/measure.h"
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
    struct harness_symptom symptom = { .kind = HARNESS_SYMPTOM_NONE };
    struct harness_probe *probe = NULL;
    if (harness_probe_create(&bench->options, &probe, NULL) != HARNESS_OK)
        return false;
    for (uint64_t seed = 1; seed <= MOST_SEEDS && symptom.kind < HARNESS_SYMPTOM_DIVERGE; seed++) {
        harness_generate(out, seed, &options);
        if (harness_case_bytes(out) >= LEAST_BYTES &&
            harness_probe_try(probe, out, false, &symptom, NULL) != HARNESS_OK)
            break;
    }
    harness_probe_destroy(probe);
    return symptom.kind >= HARNESS_SYMPTOM_DIVERGE;
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
    harness_text_free(&result.features);
    harness_case_destroy(test_case);
}

int main(int argc, char **argv)
{
    static const char *const faults[] = { "blend-max", "depth-less", "texture-mirror", "interpolate", "fog",
                                          "stencil",   "light",      "strip",          "cull",        "indices",
                                          "logic",     "crash-fog",  "hang-light" };
    struct bench bench = { .directory = NULL };
    struct harness_error error = { "" };
    if (argc < 2 || harness_backend_open("reference", &bench.backends[0], &error) != HARNESS_OK ||
        harness_backend_open(argv[1], &bench.backends[1], &error) != HARNESS_OK) {
        fprintf(stderr, "usage: bench_reduce ./faulty_backend.so [FAULT [DIRECTORY]]   (FAULT: a name, or all)\n%s\n",
                error.message);
        return 2;
    }
    bench.options = (struct harness_probe_options){ .backends = bench.backends,
                                                    .backend_count = 2,
                                                    .backend_options = { .instruction_sets = UINT32_MAX },
                                                    .jobs = 1,
                                                    .hang_ms = 300,
                                                    .case_bytes = (size_t)1 << 24 };
    bench.directory = argc > 3 ? argv[3] : NULL;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (argc < 3 || strcmp(argv[2], "all") == 0 || strcmp(argv[2], faults[i]) == 0)
            bench_fault(&bench, faults[i]);
    printf("median: %.1f %% of the bytes removed, %.0f register writes left\n",
           bench_median(bench.removed, bench.count), bench_median(bench.writes, bench.count));
    return 0;
}
