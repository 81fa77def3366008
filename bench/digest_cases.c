/*
 * One line per case, the same on every host that computes the same: its name, digests of the case itself, of memory,
 * state and class M events after it, and how many draws it made. Needs nothing but the C library, so it runs wherever a
 * compiler goes.
 */
#include "harness/cli/choices.h"
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/dump.h"
#include "harness/run/load.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct request {
    const char *backend;
    struct pica_options options;
    struct harness_generate_options generate;
    struct cli_seeds seeds;
    const char *write; /* NULL: nowhere */
    const char *dump;  /* NULL: nowhere */
    bool cases_only;
    bool isas;
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
    if (harness_runner_run(work->runner, work->program->operations, work->program->count) != PICA_OK)
        return harness_fail(error, HARNESS_HOST, "backend %s: operation %u failed", backend->name,
                            (unsigned)work->program->origins[harness_runner_steps(work->runner) - 1]);
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
    for (uint64_t i = 0; i < request->seeds.count && status == HARNESS_OK; i++)
        status = digest_seed(work, request->seeds.first + i, error);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- options */

static const char about[] =
    "digest_cases - one line a case, the same wherever the same is computed\n"
    "\n"
    "usage: digest_cases [options] [FILE...]\n"
    "\n"
    "  digest_cases corpus/captures/*.picacap                 the captures on the reference\n"
    "  digest_cases --backend fast --isa avx2 --threads 3 --generated 1 2000\n"
    "                                                         the cases of seeds 1 to 2000 on fast\n"
    "  digest_cases --backend ./libmygpu.so --generated 1 2000 | diff before.txt -\n"
    "                                                         what a change to an emulator's GPU changed\n"
    "  for isa in $(digest_cases --isas); do digest_cases --backend fast --isa $isa FILE; done\n"
    "                                                         every instruction set of this host\n"
    "\n"
    "A line has the name of the case, digests of the case itself, of memory, state and events after it, and\n"
    "how many draws it made. Nothing of a host goes in: compare the lines of two compilers, machines or\n"
    "backends with diff. The name of a case appears before it runs, so that after a crash the last line\n"
    "names the culprit.\n";

static const char exits[] = "exit codes: 0 done, 2 usage or bad input, 3 the backend crashed, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "backend", 'b', CLI_BACKEND, 0, 0, offsetof(struct request, backend), "NAME",
      "reference, fast, or the path of a shared library", NULL },
    { "threads", 0, CLI_NUMBER, 0, 64, offsetof(struct request, options.threads), "N", "worker threads of the backend",
      NULL },
    { "capacity", 0, CLI_NUMBER, 0, 1 << 16, offsetof(struct request, options.capacity), "N",
      "entries of each queue and cache of the backend, at most; 0 = as it likes", NULL },
    { "isa", 0, CLI_CHOICE, 0, 0, offsetof(struct request, options.instruction_sets), "NAME",
      "instruction sets of fast", &cli_instruction_sets },
    { "generated", 0, CLI_SEEDS, 0, UINT64_MAX, offsetof(struct request, seeds), "FIRST COUNT",
      "after the files, the cases of so many seeds", NULL },
    { "mode", 'm', CLI_CHOICE, 0, 0, offsetof(struct request, generate.mode), "MODE",
      "of generated cases, as in `picafuzz generate`", &cli_generate_modes },
    { "write", 0, CLI_WRITE, 0, 0, offsetof(struct request, write), "DIRECTORY",
      "also write every case there, as NAME.pcase", NULL },
    { "dump", 0, CLI_WRITE, 0, 0, offsetof(struct request, dump), "DIRECTORY",
      "also write guest memory after every case, as NAME.dump (docs/formats/dump.md)", NULL },
    { "cases-only", 0, CLI_FLAG, 0, 0, offsetof(struct request, cases_only), NULL,
      "run nothing: digests of the cases themselves", NULL },
    { "isas", 0, CLI_FLAG, 0, 0, offsetof(struct request, isas), NULL,
      "print the instruction sets of fast that work on this host, best last, and end", NULL },
};

static const struct request defaults = { .backend = "reference",
                                         .options = { .instruction_sets = UINT32_MAX },
                                         .generate = { .mode = HARNESS_GENERATE_MIXED } };

static const struct cli_program program = {
    .options = { "digest_cases", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .most_words = INT_MAX,
};

/* True if there is something to digest; else *code is the exit code. */
static bool parse(int argc, char **argv, struct request *request, int *code)
{
    const int first = cli_program_parse(&program, argc, argv, request, code);
    if (first < 0)
        return false;
    if (request->isas) {
        printf("%s\n", harness_host_instruction_sets());
        *code = 0;
        return false;
    }
    request->files = argv + first;
    request->file_count = argc - first;
    if (request->file_count > 0 || request->seeds.count > 0)
        return true;
    fprintf(stderr, "digest_cases: no file and no --generated; see `digest_cases --help`\n");
    *code = CLI_PROGRAM_USAGE;
    return false;
}

int main(int argc, char **argv)
{
    struct request request;
    int code = 0;
    if (!parse(argc, argv, &request, &code))
        return code;
    struct work work = { .request = &request };
    struct harness_error error = { "" };
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
