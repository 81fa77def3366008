#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/run/check.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const char help[] =
    "picafuzz check - test one backend without trusting another: changes that must not matter\n"
    "\n"
    "usage: picafuzz check [options] [FILE_OR_DIRECTORY...]\n"
    "\n"
    "  picafuzz check --backend ./libmygpu.so corpus/captures         an emulator's GPU, every capture\n"
    "  picafuzz check --backend fast --generate 1 10000               generated cases, seeds 1 to 10000\n"
    "  picafuzz check --relations split-arrays,redundant a.pcase      two relations on one case\n"
    "  picafuzz check --list                                          all checks and the rules that prove them\n"
    "\n"
    "Each case runs as it is and changed in ways that cannot matter on any correct GPU: draws cut in two, registers\n"
    "written byte by byte, vertices as floats, lists moved and so on (docs/oracles.md). The results must be the same,\n"
    "byte by byte. `deterministic` runs a case again, `invariant` runs it with threads and without instruction sets.\n"
    "A failure names the undefined behaviour that its case touches, as the reference records it.\n"
    "A check that applied to no case proves nothing; the summary says how often each applied.\n"
    "\n"
    "  -b, --backend NAME         reference (default), fast, or a shared library (a path with a '/')\n"
    "      --relations A,B[,..]   only these checks\n"
    "      --generate SEED COUNT  also COUNT generated cases, from SEED on\n"
    "      --mode MODE            of generated cases: mixed (default), defined (no undefined behaviour), anything\n"
    "      --excuse               call a failure of a case that touches undefined behaviour `diverge (undefined)`,\n"
    "                             exit code 0\n"
    "      --seed N               what relations leave open (default 0; a generated case uses its own seed)\n"
    "      --require N            fail (exit code 1) if a check applied to fewer than N cases\n"
    "      --save DIR             write the two cases of each failing relation as .pcase\n"
    "      --list                 print the checks and end\n"
    "      --threads N            worker threads of the backend, 0-64 (default 0)\n"
    "      --isa NAME             fast: all (default), scalar, avx2, avx512, neon\n"
    "      --timeout SECONDS      give up on a case, or 100 generated ones, after that long; 0 = never (default 60)\n"
    "      --json                 one JSON object for each failed check and one for the summary\n"
    "  -q, --quiet                print failures and the summary only\n"
    "\n"
    "exit codes: 0 all checks hold, 1 one does not (or --require), 2 usage or bad input, 3 the backend crashed or\n"
    "hung, 4 host trouble\n";

enum {
    BATCH = 100 /* generated cases for each guarded child */
};

/* Shared with the guarded children, which do the counting. */
struct tally {
    uint64_t cases;
    uint64_t applied[HARNESS_MAX_CHECKS];
    uint64_t failed[HARNESS_MAX_CHECKS];
};

struct check_request {
    struct cli_run_options options;
    bool selected[HARNESS_MAX_CHECKS];
    uint64_t seed;
    unsigned long require;
    const char *save;
    bool excuse;
    bool json;
    bool quiet;
    struct harness_generate_options generate;
    const char *path; /* or NULL: generated */
    uint64_t first;   /* seeds of generated cases */
    unsigned long count;
    struct tally *tally;
};

/* What a guarded child works with. */
struct work {
    const struct check_request *request;
    struct harness_checker *checker;
    struct cli_case loaded;
};

/* -------------------------------------------------------------------------------------------------------- printing */

static void print_failure_json(const char *name, size_t check, const struct harness_check_result *result)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", name);
    cJSON_AddStringToObject(object, "check", harness_check_name(check));
    cJSON_AddStringToObject(object, "rules", harness_check_rules(check));
    cJSON_AddStringToObject(object, "verdict", oracle_verdict_name(result->report.verdict));
    cJSON_AddNumberToObject(object, "differences", (double)result->report.differences);
    cJSON_AddStringToObject(object, "message", result->report.message);
    char *const line = cJSON_PrintUnformatted(object);
    if (line != NULL)
        puts(line);
    cJSON_free(line);
    cJSON_Delete(object);
}

static void print_failure(const struct check_request *request, const char *name, size_t check,
                          const struct harness_check_result *result)
{
    if (request->json) {
        print_failure_json(name, check, result);
        return;
    }
    printf("%s: %s does not hold: %s\n", name, harness_check_name(check), oracle_verdict_name(result->report.verdict));
    for (const char *line = result->report.message; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        printf("  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_summary_json(const struct check_request *request)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON *const applied = cJSON_AddObjectToObject(object, "applied");
    cJSON *const failed = cJSON_AddObjectToObject(object, "failed");
    cJSON_AddNumberToObject(object, "cases", (double)request->tally->cases);
    for (size_t i = 0; i < harness_check_count(); i++)
        if (request->selected[i]) {
            cJSON_AddNumberToObject(applied, harness_check_name(i), (double)request->tally->applied[i]);
            cJSON_AddNumberToObject(failed, harness_check_name(i), (double)request->tally->failed[i]);
        }
    char *const line = cJSON_PrintUnformatted(object);
    if (line != NULL)
        puts(line);
    cJSON_free(line);
    cJSON_Delete(object);
}

static void print_summary(const struct check_request *request)
{
    const struct tally *const tally = request->tally;
    if (request->json) {
        print_summary_json(request);
        return;
    }
    printf("%-20s %10s %10s\n", "check", "applied", "failed");
    for (size_t i = 0; i < harness_check_count(); i++)
        if (request->selected[i])
            printf("%-20s %10llu %10llu\n", harness_check_name(i), (unsigned long long)tally->applied[i],
                   (unsigned long long)tally->failed[i]);
    printf("%llu case(s) on %s\n", (unsigned long long)tally->cases, request->options.backends[0]);
}

static int list_checks(void)
{
    for (size_t i = 0; i < harness_check_count(); i++)
        printf("%-20s %s\n%-20s %s\n", harness_check_name(i), harness_check_what(i), "", harness_check_rules(i));
    return CLI_OK;
}

/* ---------------------------------------------------------------------------------------------------- in the child */

static void save_case(const struct harness_case *test_case, const char *directory, const char *name, const char *side)
{
    char path[4096], stem[256];
    struct harness_error error = { "" };
    cli_stem(name, stem, sizeof stem);
    (void)snprintf(path, sizeof path, "%s/%s-%s.pcase", directory, stem, side);
    if (harness_case_save_file(test_case, path, &error) != HARNESS_OK)
        (void)cli_fail(HARNESS_HOST, &error);
}

static void save_twins(const struct work *work, const char *name, size_t check)
{
    char side[128];
    struct harness_case *const base = harness_case_create();
    struct harness_case *const variant = harness_case_create();
    if (base != NULL && variant != NULL && harness_check_twins(work->checker, base, variant)) {
        (void)snprintf(side, sizeof side, "%s-base", harness_check_name(check));
        save_case(base, work->request->save, name, side);
        (void)snprintf(side, sizeof side, "%s-variant", harness_check_name(check));
        save_case(variant, work->request->save, name, side);
    }
    harness_case_destroy(base);
    harness_case_destroy(variant);
}

/* The case that is loaded. */
static int check_case(const struct work *work, const char *name, uint64_t seed)
{
    const struct check_request *const request = work->request;
    struct harness_error error = { "" };
    enum harness_status status = HARNESS_OK;
    int code = CLI_OK;
    uint32_t applied = 0;
    for (size_t i = 0; status == HARNESS_OK && i < harness_check_count(); i++) {
        struct harness_check_result result;
        if (!request->selected[i])
            continue;
        cli_doing("%s, %s", name, harness_check_name(i));
        status = harness_check(work->checker, work->loaded.program, i, seed, &result);
        request->tally->applied[i] += result.places != 0;
        applied += result.places != 0;
        error = result.error;
        if (status != HARNESS_OK || result.report.verdict < ORACLE_DIVERGE_UNDEFINED)
            continue;
        request->tally->failed[i]++;
        if (result.report.verdict >= ORACLE_DIVERGE)
            code = CLI_DIVERGED;
        print_failure(request, name, i, &result);
        if (request->save != NULL && i >= HARNESS_CHECK_FIRST_RELATION)
            save_twins(work, name, i);
    }
    request->tally->cases++;
    if (status != HARNESS_OK) {
        harness_error_prefix(&error, name);
        return cli_worse(code, cli_fail(status, &error));
    }
    if (!request->json && !request->quiet && request->path != NULL)
        printf("%s: %u check(s) applied%s\n", name, (unsigned)applied, code == CLI_OK ? ", all hold" : "");
    return code;
}

static int check_generated(struct work *work)
{
    int code = CLI_OK;
    /* a backend that crashed here did so in a process of its own, and the next case gets another */
    for (uint64_t i = 0; i < work->request->count && (code <= CLI_DIVERGED || code == CLI_CRASHED); i++) {
        char name[64];
        const uint64_t seed = work->request->first + i;
        (void)snprintf(name, sizeof name, "seed-%llu", (unsigned long long)seed);
        struct harness_error error = { "" };
        harness_case_reset(work->loaded.test_case);
        harness_generate(work->loaded.test_case, seed, &work->request->generate);
        const enum harness_status status = harness_case_setup(work->loaded.test_case, work->loaded.program, &error);
        if (status != HARNESS_OK)
            harness_error_prefix(&error, name);
        code = cli_worse(code, status == HARNESS_OK ? check_case(work, name, seed) : cli_fail(status, &error));
    }
    return code;
}

static int check_file(struct work *work)
{
    struct harness_error error = { "" };
    const enum harness_status status = cli_case_load(&work->loaded, work->request->path, &error);
    return status == HARNESS_OK ? check_case(work, work->request->path, work->request->seed) : cli_fail(status, &error);
}

static int check_guarded(const void *argument)
{
    struct work work = { .request = argument };
    const struct cli_run_options options = work.request->options;
    struct harness_error error = { "" };
    int code = CLI_HOST;
    const struct harness_check_options check_options = { .backend = { .threads = options.threads,
                                                                      .instruction_sets = options.instruction_sets },
                                                         .excuse = work.request->excuse };
    struct harness_backend backend = { NULL, NULL, NULL };
    enum harness_status status = harness_backend_open(options.backends[0], &backend, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    cli_limit_calls(&backend, &options);
    work.checker = harness_checker_create(backend.backend, &check_options);
    status = work.checker != NULL ? cli_case_create(&work.loaded, &error) : harness_fail_memory(&error);
    if (status != HARNESS_OK)
        code = cli_fail(status, &error);
    else
        code = work.request->path != NULL ? check_file(&work) : check_generated(&work);
    cli_case_destroy(&work.loaded);
    harness_checker_destroy(work.checker);
    harness_backend_close(&backend);
    return code;
}

/* ---------------------------------------------------------------------------------------------------------- options */

enum {
    OPTION_RELATIONS = 256,
    OPTION_GENERATE,
    OPTION_MODE,
    OPTION_EXCUSE,
    OPTION_SEED,
    OPTION_REQUIRE,
    OPTION_SAVE,
    OPTION_LIST,
    OPTION_JSON
};

static const struct option long_options[] = {
    { "backend", required_argument, NULL, 'b' },
    { "relations", required_argument, NULL, OPTION_RELATIONS },
    { "generate", required_argument, NULL, OPTION_GENERATE },
    { "mode", required_argument, NULL, OPTION_MODE },
    { "excuse", no_argument, NULL, OPTION_EXCUSE },
    { "seed", required_argument, NULL, OPTION_SEED },
    { "require", required_argument, NULL, OPTION_REQUIRE },
    { "save", required_argument, NULL, OPTION_SAVE },
    { "list", no_argument, NULL, OPTION_LIST },
    { "threads", required_argument, NULL, CLI_OPTION_THREADS },
    { "isa", required_argument, NULL, CLI_OPTION_ISA },
    { "timeout", required_argument, NULL, CLI_OPTION_TIMEOUT },
    { "json", no_argument, NULL, OPTION_JSON },
    { "quiet", no_argument, NULL, 'q' },
    { NULL, 0, NULL, 0 },
};

/* Splits the list in place; an unknown name is an error. */
static int select_checks(char *text, struct check_request *request)
{
    memset(request->selected, 0, sizeof request->selected);
    for (char *name = text; name != NULL;) {
        char *const comma = strchr(name, ',');
        size_t i = 0;
        if (comma != NULL)
            *comma = '\0';
        while (i < harness_check_count() && strcmp(harness_check_name(i), name) != 0)
            i++;
        if (i == harness_check_count())
            return cli_usage("check", "--relations: '%s' is not a check; `picafuzz check --list` names them", name);
        request->selected[i] = true;
        name = comma != NULL ? comma + 1 : NULL;
    }
    return CLI_OK;
}

static int number(const char *option, const char *text, unsigned long least, unsigned long *out)
{
    if (text != NULL && cli_number(text, least, 1000000000ul, out))
        return CLI_OK;
    return cli_usage("check", "%s: '%s' is not a number", option, text != NULL ? text : "");
}

/* --generate takes two words. */
static int generate_range(int argc, char **argv, struct check_request *request)
{
    unsigned long first = 0;
    int code = number("--generate", optarg, 0, &first);
    request->first = first;
    if (code == CLI_OK)
        code = number("--generate SEED", optind < argc ? argv[optind] : NULL, 1, &request->count);
    optind++;
    return code;
}

static int generate_mode(const char *name, struct check_request *request)
{
    static const char *const names[] = { "mixed", "defined", "anything" };
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            request->generate.mode = (enum harness_generate_mode)i;
            return CLI_OK;
        }
    return cli_usage("check", "--mode: '%s' is not one of mixed, defined, anything", name);
}

static int parse(int argc, char **argv, struct check_request *request, bool *list)
{
    int code = CLI_OK;
    unsigned long value = 0;
    for (int option; code == CLI_OK && (option = getopt_long(argc, argv, "b:q", long_options, NULL)) != -1;) {
        switch (option) {
        case 'b': request->options.backends[0] = optarg; break;
        case 'q': request->quiet = true; break;
        case OPTION_RELATIONS: code = select_checks(optarg, request); break;
        case OPTION_GENERATE: code = generate_range(argc, argv, request); break;
        case OPTION_SEED:
            code = number("--seed", optarg, 0, &value);
            request->seed = value;
            break;
        case OPTION_MODE: code = generate_mode(optarg, request); break;
        case OPTION_EXCUSE: request->excuse = true; break;
        case OPTION_REQUIRE: code = number("--require", optarg, 1, &request->require); break;
        case OPTION_SAVE: request->save = optarg; break;
        case OPTION_LIST: *list = true; break;
        case OPTION_JSON: request->json = true; break;
        default: code = cli_run_option("check", option, optarg, &request->options);
        }
    }
    return code;
}

/* ---------------------------------------------------------------------------------------------------------- command */

static int check_paths(int argc, char **argv, struct check_request *request)
{
    struct cli_paths paths = { NULL, 0, 0 };
    int code = CLI_OK;
    for (int i = optind; i < argc; i++)
        code = cli_worse(code, cli_paths_add(&paths, argv[i]));
    for (size_t i = 0; i < paths.count; i++) {
        request->path = paths.items[i];
        code = cli_worse(code, cli_guard(request->path, request->options.timeout, check_guarded, request));
    }
    request->path = NULL;
    cli_paths_free(&paths);
    return code;
}

static int check_seeds(struct check_request *request)
{
    int code = CLI_OK;
    for (unsigned long left = request->count; left > 0;) {
        char name[64];
        request->count = left < BATCH ? left : BATCH;
        left -= request->count;
        (void)snprintf(name, sizeof name, "seeds %llu to %llu", (unsigned long long)request->first,
                       (unsigned long long)(request->first + request->count - 1));
        code = cli_worse(code, cli_guard(name, request->options.timeout, check_guarded, request));
        request->first += request->count;
    }
    return code;
}

/* Checks that applied too seldom. */
static int require(const struct check_request *request)
{
    int code = CLI_OK;
    for (size_t i = 0; i < harness_check_count(); i++) {
        if (!request->selected[i] || request->tally->applied[i] >= request->require)
            continue;
        fprintf(stderr, "picafuzz: %s applied to %llu case(s), %lu are required\n", harness_check_name(i),
                (unsigned long long)request->tally->applied[i], request->require);
        code = CLI_DIVERGED;
    }
    return code;
}

static int run_checks(int argc, char **argv, struct check_request *request)
{
    struct harness_error error = { "" };
    if (request->save != NULL && cli_make_directory(request->save, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    request->tally = mmap(NULL, sizeof *request->tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (request->tally == MAP_FAILED)
        return cli_fail(harness_fail_memory(&error), &error);
    int code = check_paths(argc, argv, request);
    code = cli_worse(code, check_seeds(request));
    print_summary(request);
    code = cli_worse(code, require(request));
    (void)munmap(request->tally, sizeof *request->tally);
    return code;
}

static int command_check(int argc, char **argv)
{
    struct check_request request = {
        .options = { .backends = { "reference" }, .backend_count = 1, .instruction_sets = UINT32_MAX, .timeout = 60 },
    };
    bool list = false;
    for (size_t i = 0; i < harness_check_count(); i++)
        request.selected[i] = true;
    const int code = parse(argc, argv, &request, &list);
    if (code != CLI_OK)
        return code;
    if (list)
        return list_checks();
    if (optind >= argc && request.count == 0)
        return cli_usage("check", "no case given; name files, or use --generate SEED COUNT");
    return run_checks(argc, argv, &request);
}

const struct cli_command cli_cmd_check = { "check", "test one backend by changes that must not matter", help,
                                           command_check };
