/* Differential executions per second and core on generated cases, or on a corpus, and where their time goes. */
#include "bench/measure.h"
#include "harness/case/formats.h"
#include "harness/cli/choices.h"
#include "harness/grammar/gen.h"
#include "harness/run/pair.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CASES = 2000,
    CAPACITY = 1 << 16
};

struct input {
    uint8_t *bytes;
    size_t size;
    char *name;     /* of its file, or its seed */
    double seconds; /* of its quickest run */
};

struct inputs {
    struct input *items;
    size_t count, capacity;
};

static bool add(struct inputs *inputs, const uint8_t *bytes, size_t size, const char *name)
{
    if (inputs->count == inputs->capacity) {
        const size_t capacity = inputs->capacity != 0 ? 2 * inputs->capacity : CASES;
        struct input *const items = realloc(inputs->items, capacity * sizeof *items);
        if (items == NULL)
            return false;
        inputs->items = items;
        inputs->capacity = capacity;
    }
    const struct input input = { malloc(size + 1), size, strdup(name), 0.0 };
    if (input.bytes != NULL)
        memcpy(input.bytes, bytes, size);
    inputs->items[inputs->count++] = input;
    return input.bytes != NULL && input.name != NULL;
}

static void free_inputs(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        free(inputs->items[i].bytes);
        free(inputs->items[i].name);
    }
    free(inputs->items);
}

/* Encoded generated cases, so that generation is not measured. */
static bool add_generated(struct inputs *inputs, uint64_t seed, const struct harness_generate_options *options)
{
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const buffer = malloc(CAPACITY);
    bool done = test_case != NULL && buffer != NULL;
    for (uint64_t i = 0; done && i < CASES; i++) {
        char name[32];
        size_t size = 0;
        harness_case_reset(test_case);
        harness_generate(test_case, seed + i, options);
        (void)snprintf(name, sizeof name, "seed %llu", (unsigned long long)(seed + i));
        if (harness_pcb_encode(test_case, buffer, CAPACITY, &size, NULL) == HARNESS_OK)
            done = add(inputs, buffer, size, name);
    }
    free(buffer);
    harness_case_destroy(test_case);
    return done;
}

/* A campaign's corpus: what engines wrote is a case whatever its name, and the bytes are run as they are. */
static bool add_file(struct inputs *inputs, const char *path)
{
    static uint8_t buffer[CAPACITY + 1];
    FILE *const file = fopen(path, "rb");
    const size_t size = file != NULL ? fread(buffer, 1, sizeof buffer, file) : 0;
    const bool read = file != NULL && ferror(file) == 0;
    if (file != NULL)
        (void)fclose(file);
    return read && (size == 0 || size > CAPACITY || add(inputs, buffer, size, path));
}

static bool add_directory(struct inputs *inputs, const char *path)
{
    DIR *const directory = opendir(path);
    bool done = directory != NULL;
    for (const struct dirent *entry; done && (entry = readdir(directory)) != NULL;) {
        char name[4096];
        const int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            done = length > 0 && (size_t)length < sizeof name && add_file(inputs, name);
    }
    if (directory != NULL)
        (void)closedir(directory);
    if (!done)
        fprintf(stderr, "bench_pair: %s: cannot be read: %s\n", path, strerror(errno));
    return done;
}

static void print_shares(const struct harness_pair_statistics *s)
{
    const double total = (double)(s->decode_ns + s->reset_ns + s->first_ns + s->others_ns + s->compare_ns);
    const struct {
        const char *name;
        uint64_t ns;
    } shares[] = { { "decode", s->decode_ns },
                   { "reset", s->reset_ns },
                   { "reference", s->first_ns },
                   { "fast", s->others_ns },
                   { "compare", s->compare_ns } };
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        printf("  %-10s %8.1f us a case  %5.1f %%\n", shares[i].name,
               (double)shares[i].ns / 1000.0 / (double)s->executions, 100.0 * (double)shares[i].ns / total);
}

static int by_seconds(const void *a, const void *b)
{
    const struct input *const x = a;
    const struct input *const y = b;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Sorts the inputs by cost. Those that were never run cost 0. */
static void print_spread(const struct inputs *all, size_t worst)
{
    struct input *const inputs = all->items;
    const size_t count = all->count;
    double total = 0.0;
    double late = 0.0;
    qsort(inputs, count, sizeof *inputs, by_seconds);
    for (size_t i = 0; i < count; i++) {
        total += inputs[i].seconds;
        late += i >= count - count / 100 ? inputs[i].seconds : 0.0;
    }
    printf("  a case: mean %.0f us, median %.0f, 90 %% below %.0f, 99 %% below %.0f, most %.0f; the slowest 1 %% take "
           "%.0f %% of the time\n",
           total / (double)count * 1e6, inputs[count / 2].seconds * 1e6, inputs[count * 9 / 10].seconds * 1e6,
           inputs[count * 99 / 100].seconds * 1e6, inputs[count - 1].seconds * 1e6,
           total > 0.0 ? 100.0 * late / total : 0.0);
    for (size_t i = 0; i < worst && i < count; i++)
        printf("  %s: %.0f us\n", inputs[count - 1 - i].name, inputs[count - 1 - i].seconds * 1e6);
}

/* In whole rounds, so that each input counts alike. */
static void run_all(struct harness_pair *pair, struct harness_case *test_case, const struct inputs *inputs,
                    double seconds, size_t *different)
{
    const double start = bench_cpu_seconds();
    double before = start;
    for (size_t i = 0; i != 0 || before - start < seconds; i = (i + 1) % inputs->count) {
        struct input *const input = &inputs->items[i];
        harness_case_reset(test_case);
        *different += harness_pcb_decode(test_case, input->bytes, input->size) &&
                      harness_pair_try(pair, test_case) == HARNESS_DIVERGE;
        const double after = bench_cpu_seconds();
        if (input->seconds <= 0.0 || after - before < input->seconds)
            input->seconds = after - before;
        before = after;
    }
}

struct request {
    double seconds;
    uint64_t seed;
    struct harness_generate_options mode;
    uint32_t worst;
    const char *corpus; /* NULL: generated cases */
};

static int measure(const struct request *request, const struct inputs *inputs, const char *what)
{
    struct harness_pair_statistics statistics = { 0 };
    const struct harness_pair_options options = { .instruction_sets = UINT32_MAX,
                                                  .measure = true,
                                                  .statistics = &statistics };
    struct harness_pair *const pair = harness_pair_create(&options);
    struct harness_case *const test_case = harness_case_create();
    if (pair == NULL || test_case == NULL) {
        fprintf(stderr, "bench_pair: out of memory\n");
        return 4;
    }
    size_t bytes = 0, different = 0;
    for (size_t i = 0; i < inputs->count; i++)
        bytes += inputs->items[i].size;
    const double start = bench_cpu_seconds();
    run_all(pair, test_case, inputs, request->seconds, &different);
    const double elapsed = bench_cpu_seconds() - start;
    printf("%s: %zu cases of %zu bytes on average, %.1f s of processor time\n", what, inputs->count,
           bytes / inputs->count, elapsed);
    printf("  %.0f pair executions/s/core, %zu differences\n", (double)statistics.executions / elapsed, different);
    print_shares(&statistics);
    print_spread(inputs, request->worst);
    harness_case_destroy(test_case);
    harness_pair_destroy(pair);
    return different == 0 ? 0 : 1;
}

static int bench(const struct request *request)
{
    const char *const directory = request->corpus;
    struct inputs inputs = { 0 };
    char what[64] = "corpus";
    int code = 4;
    if (directory == NULL)
        (void)snprintf(what, sizeof what, "generated mix (seed %llu)", (unsigned long long)request->seed);
    const bool done =
        directory != NULL ? add_directory(&inputs, directory) : add_generated(&inputs, request->seed, &request->mode);
    if (done && inputs.count != 0)
        code = measure(request, &inputs, what);
    else
        fprintf(stderr, "bench_pair: no cases\n");
    free_inputs(&inputs);
    return code;
}

/* --------------------------------------------------------------------------------------------------------- options */

static const char about[] =
    "bench_pair - differential executions per second and core on generated cases, or on a corpus\n"
    "\n"
    "usage: bench_pair [options]\n"
    "\n"
    "  bench_pair                                  2000 cases, again and again for five seconds\n"
    "  bench_pair --seconds 20 --worst 5           a steadier number; which five cases cost most\n"
    "  bench_pair --mode defined --seed 7000       other cases\n"
    "  bench_pair --corpus fuzz-corpus             what a campaign kept, in whole rounds\n"
    "  build/asan/bin/bench_pair                   what a campaign pays in that preset; fuzz has one, too\n"
    "\n"
    "Prints executions a second, what share of them goes to decoding, reset, each backend and comparing, and\n"
    "how the cost is spread over the cases. Time is processor time; on a busy machine it counts all the same,\n"
    "but take the best of several runs.\n";

static const char exits[] = "exit codes: 0 measured, 1 the backends differ, 2 usage, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "seconds", 0, CLI_TIME, 0, 86400, offsetof(struct request, seconds), "S", "measure for so long", NULL },
    { "seed", 's', CLI_LONG, 0, UINT64_MAX, offsetof(struct request, seed), "N", "of the first case", NULL },
    { "mode", 'm', CLI_CHOICE, 0, 0, offsetof(struct request, mode.mode), "MODE",
      "of the cases, as in `picafuzz generate`", &cli_generate_modes },
    { "corpus", 0, CLI_READ, 0, 0, offsetof(struct request, corpus), "DIRECTORY", "these cases, not generated ones",
      NULL },
    { "worst", 0, CLI_NUMBER, 0, CASES, offsetof(struct request, worst), "N",
      "print the seeds or files of so many of the slowest", NULL },
};

static const struct request defaults = { .seconds = 5.0, .seed = 1, .mode = { .mode = HARNESS_GENERATE_MIXED } };

static const struct cli_program program = {
    .options = { "bench_pair", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
};

int main(int argc, char **argv)
{
    struct request request;
    int code = 0;
    return cli_program_parse(&program, argc, argv, &request, &code) < 0 ? code : bench(&request);
}
