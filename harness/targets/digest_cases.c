/*
 * One line a case, the same on every host that computes the same: its name, digests of the case itself, of memory,
 * state
 * and class M events after it, and how many draws it made. Needs nothing but the C library, so it runs wherever a
 * compiler goes.
 *
 *     digest_cases [option...] [FILE...]
 *     digest_cases --isas        the instruction sets of `fast` on this host, best last
 *
 *     --backend NAME             reference (default), fast, the path of a shared library
 *     --threads N                worker threads of the backend, 0-64 (default 0)
 *     --isa NAME                 fast: all (default), scalar, avx2, avx512, neon
 *     --generated FIRST COUNT    after the files, the cases of these seeds
 *     --mode NAME                of generated cases: mixed (default), defined, anything
 *     --write DIRECTORY          also write every case there, as NAME.pcase
 *     --dump DIRECTORY           also write guest memory after every case, as NAME.dump (docs/formats/dump.md)
 *     --cases-only               run nothing: digests of the cases themselves
 *
 * Exit codes: 0 done, 2 usage or bad input, 4 host trouble. The name of a case appears before it runs, so that after a
 * crash the last line names the culprit.
 */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/dump.h"
#include "harness/run/load.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *backend;
    struct pica_options options;
    struct harness_generate_options generate;
    uint64_t first;
    uint64_t count;
    const char *write; /* NULL: nowhere */
    const char *dump;  /* NULL: nowhere */
    bool cases_only;
    char **files;
    int file_count;
};

enum {
    NAME_SIZE = 256,
    PATH_SIZE = 4096
};

struct work {
    const struct request *request;
    char name[NAME_SIZE]; /* of the case */
    struct harness_backend backend;
    struct harness_runner *runner;
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_text text; /* of the case, and warnings of its import */
};

static void count_draw(void *user, const struct pica_draw *draw)
{
    uint32_t *const draws = user;
    (void)draw;
    (*draws)++;
}

static enum harness_status execute(struct work *work, uint32_t *draws, struct harness_error *error)
{
    const struct pica_backend *const backend = harness_runner_backend(work->runner);
    const enum harness_status status = harness_case_setup(work->test_case, work->program, error);
    if (status != HARNESS_OK)
        return status;
    if (harness_runner_load(work->runner, &work->program->setup) != PICA_OK)
        return harness_fail(error, HARNESS_HOST, "backend %s: loading failed", backend->name);
    if (backend->observe_draws != NULL)
        (void)backend->observe_draws(harness_runner_instance(work->runner), count_draw, draws);
    size_t failed = 0;
    if (harness_runner_run(work->runner, work->program->operations, work->program->count, &failed) != PICA_OK)
        return harness_fail(error, HARNESS_HOST, "backend %s: operation %u failed", backend->name,
                            (unsigned)work->program->origins[failed]);
    return HARNESS_OK;
}

static enum harness_status make_path(const struct work *work, const char *directory, const char *extension, char *out,
                                     struct harness_error *error)
{
    const int length = snprintf(out, PATH_SIZE, "%s/%s.%s", directory, work->name, extension);
    if (length < 0 || length >= PATH_SIZE)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", directory);
    return HARNESS_OK;
}

/* The case is in work->test_case, its name printed. */
static enum harness_status digest_case(struct work *work, struct harness_error *error)
{
    char path[PATH_SIZE];
    harness_text_clear(&work->text);
    enum harness_status status = harness_pcase_write(work->test_case, &work->text, error);
    if (status != HARNESS_OK)
        return status;
    printf(" case %016llx", (unsigned long long)harness_digest_bytes(work->text.data, work->text.size));
    (void)fflush(stdout);
    if (work->request->write == NULL)
        return HARNESS_OK;
    status = make_path(work, work->request->write, "pcase", path, error);
    return status == HARNESS_OK ? harness_file_write(path, work->text.data, work->text.size, error) : status;
}

static enum harness_status digest_run(struct work *work, struct harness_error *error)
{
    char path[PATH_SIZE];
    struct oracle_run run;
    struct harness_digest result;
    uint32_t draws = 0;
    enum harness_status status = execute(work, &draws, error);
    if (status == HARNESS_OK && harness_runner_collect(work->runner, &run) != PICA_OK)
        status = harness_fail(error, HARNESS_HOST, "reading results failed");
    if (status == HARNESS_OK)
        status = harness_digest(&run, &result, error);
    if (status == HARNESS_OK && work->request->dump != NULL) {
        status = make_path(work, work->request->dump, "dump", path, error);
        if (status == HARNESS_OK)
            status = harness_dump_write(&run, path, error);
    }
    if (status == HARNESS_OK)
        printf(" memory %016llx state %016llx events %016llx draws %u", (unsigned long long)result.memory,
               (unsigned long long)result.state, (unsigned long long)result.events, (unsigned)draws);
    return status;
}

static enum harness_status digest(struct work *work, struct harness_error *error)
{
    enum harness_status status = digest_case(work, error);
    if (status == HARNESS_OK && !work->request->cases_only)
        status = digest_run(work, error);
    if (status == HARNESS_OK)
        printf("\n");
    return status;
}

static void begin(struct work *work, const char *name)
{
    (void)snprintf(work->name, sizeof work->name, "%s", name);
    printf("%s", work->name);
    (void)fflush(stdout);
}

static enum harness_status digest_file(struct work *work, const char *path, struct harness_error *error)
{
    const char *const slash = strrchr(path, '/');
    begin(work, slash != NULL ? slash + 1 : path);
    harness_text_clear(&work->text);
    const enum harness_status status = harness_load(work->test_case, path, &work->text, error);
    return status == HARNESS_OK ? digest(work, error) : status;
}

static enum harness_status digest_seed(struct work *work, uint64_t seed, struct harness_error *error)
{
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "seed-%llu", (unsigned long long)seed);
    begin(work, name);
    harness_case_reset(work->test_case);
    harness_generate(work->test_case, seed, &work->request->generate);
    harness_bound_case(work->test_case);
    return digest(work, error);
}

static enum harness_status digest_all(struct work *work, struct harness_error *error)
{
    const struct request *const request = work->request;
    enum harness_status status = harness_backend_open(request->backend, &work->backend, error);
    if (status != HARNESS_OK)
        return status;
    if (harness_runner_create(work->backend.backend, &request->options, &work->runner) != PICA_OK)
        return harness_fail(error, HARNESS_HOST, "backend %s: cannot be created", request->backend);
    work->test_case = harness_case_create();
    work->program = harness_program_create();
    if (work->test_case == NULL || work->program == NULL)
        return harness_fail_memory(error);
    for (int i = 0; i < request->file_count && status == HARNESS_OK; i++)
        status = digest_file(work, request->files[i], error);
    for (uint64_t i = 0; i < request->count && status == HARNESS_OK; i++)
        status = digest_seed(work, request->first + i, error);
    return status;
}

static bool parse_mode(const char *name, enum harness_generate_mode *mode)
{
    static const char *const names[] = { "mixed", "defined", "anything" };
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *mode = (enum harness_generate_mode)i;
            return true;
        }
    return false;
}

static bool parse_number(const char *text, uint64_t *out)
{
    char *end = NULL;
    *out = strtoull(text, &end, 0);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0';
}

static const char **text_option(const char *name, struct request *request)
{
    if (strcmp(name, "--backend") == 0)
        return &request->backend;
    if (strcmp(name, "--write") == 0)
        return &request->write;
    return strcmp(name, "--dump") == 0 ? &request->dump : NULL;
}

/* One option at argv[0], `left` arguments from there. Returns how many it took, 0 if it is not understood. */
static int parse_option(char **argv, int left, struct request *request)
{
    uint64_t number = 0;
    if (strcmp(argv[0], "--cases-only") == 0) {
        request->cases_only = true;
        return 1;
    }
    const char **const text = text_option(argv[0], request);
    if (left >= 2 && text != NULL) {
        *text = argv[1];
        return 2;
    }
    if (left >= 2 && strcmp(argv[0], "--threads") == 0 && parse_number(argv[1], &number) && number <= 64) {
        request->options.threads = (uint32_t)number;
        return 2;
    }
    if (left >= 2 && strcmp(argv[0], "--isa") == 0 &&
        harness_instruction_set(argv[1], &request->options.instruction_sets))
        return 2;
    if (left >= 2 && strcmp(argv[0], "--mode") == 0 && parse_mode(argv[1], &request->generate.mode))
        return 2;
    if (left >= 3 && strcmp(argv[0], "--generated") == 0 && parse_number(argv[1], &request->first) &&
        parse_number(argv[2], &request->count))
        return 3;
    return 0;
}

static bool parse(int argc, char **argv, struct request *request)
{
    int at = 1;
    while (at < argc && argv[at][0] == '-') {
        const int taken = parse_option(argv + at, argc - at, request);
        if (taken == 0)
            return false;
        at += taken;
    }
    request->files = argv + at;
    request->file_count = argc - at;
    return request->file_count > 0 || request->count > 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--isas") == 0) {
        printf("%s\n", harness_host_instruction_sets());
        return 0;
    }
    struct request request = { .backend = "reference",
                               .options = { .instruction_sets = UINT32_MAX },
                               .generate = { .mode = HARNESS_GENERATE_MIXED } };
    if (!parse(argc, argv, &request)) {
        fprintf(stderr, "usage: digest_cases [--backend NAME] [--threads N] [--isa NAME] [--generated FIRST COUNT] "
                        "[--mode NAME] [--write DIRECTORY] [--dump DIRECTORY] [--cases-only] [FILE...]\n");
        return 2;
    }
    struct work work = { .request = &request };
    struct harness_error error = { "" };
    harness_text_init(&work.text);
    const enum harness_status status = digest_all(&work, &error);
    if (status != HARNESS_OK)
        fprintf(stderr, "\ndigest_cases: %s\n", error.message);
    harness_text_free(&work.text);
    harness_program_destroy(work.program);
    harness_case_destroy(work.test_case);
    harness_runner_destroy(work.runner);
    harness_backend_close(&work.backend);
    switch (status) {
    case HARNESS_OK: return 0;
    case HARNESS_BAD_INPUT:
    case HARNESS_TOO_LARGE: return 2;
    case HARNESS_NO_MEMORY:
    case HARNESS_HOST: return 4;
    case HARNESS_CRASHED: return 3;
    }
    return 4; /* not reached */
}
