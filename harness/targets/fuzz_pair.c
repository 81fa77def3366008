/*
 * Fuzz target. The property: `reference` and `fast`, or the backends that the environment names, give the same bits for
 * every case. Any byte string is a case (docs/formats/pcb.md). Environment:
 *
 *     PICAFUZZ_BACKENDS  A,B[,C] as `picafuzz diff --backends` takes them; not set: reference,fast
 *     PICAFUZZ_ONLY, PICAFUZZ_IGNORE  which of a plug-in's results are compared, as --only and --ignore
 *     PICAFUZZ_QUIRKS, PICAFUZZ_FORCE  known differences: a file (harness/quirks), statements of --force, one a line
 *     PICAFUZZ_PEEL  file of known causes that a hunt wrote (harness/peel), read again when it changes: an input that
 *                    shows nothing else is counted, and is no finding
 *     PICAFUZZ_THREADS  worker threads of each backend; not set: none
 *     PICAFUZZ_CAPACITY  entries of each queue and cache of a backend, at most (struct pica_options)
 *     PICAFUZZ_EXECUTIONS  after so many executions (including those in the statistics file) nothing more is run
 *
 * A backend in a process of its own may crash or hang: that is a finding, and the next input starts the process again.
 * A finding must show again in a fresh process; otherwise it is counted as unstable.
 *
 * With libFuzzer this file, a mutator (mutator_libfuzzer.c) and -fsanitize=fuzzer make the fuzzer; with replay.c it
 * becomes a program that replays files. A supervisor can watch the counters in the file that PICAFUZZ_STATISTICS names.
 */
#include "harness/case/formats.h"
#include "harness/cli/options.h"
#include "harness/peel/hunter.h"
#include "harness/run/backends.h"
#include "harness/targets/edges.h"
#include "harness/targets/feedback.h"
#include "harness/targets/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAMES_SIZE = 4096,
    FORCE_SIZE = 256,    /* longest statement of --force */
    CASE_MS = 1000,      /* processor time in ms for a call to a backend in a process of its own */
    CASE_WALL_MS = 6000, /* the same in elapsed time: it may sleep, or share the machine */
    LOOK_EVERY = 256     /* inputs between two checks of the file of causes while nothing fails */
};

/* Global, since the engines' interface has no parameter for this state. */
static struct {
    struct harness_backend backends[HARNESS_MOST_BACKENDS];
    size_t count; /* 0: the linked two */
    struct harness_hunter *hunter;
    struct harness_case *test_case;
    struct harness_quirks *quirks; /* NULL: none */
    const char *peel_path;         /* NULL: nothing is known */
    struct stat peel_seen;
    uint32_t inputs;
    uint64_t most_executions; /* 0: any number */
    struct harness_pair_statistics *statistics, own;
    struct feedback *feedback; /* NULL: none */
    struct edges *edges;       /* NULL: no plug-in has edges to tell */
} hunt;

/* ---------------------------------------------------------------------------------------- what the environment says */

static enum harness_status open_one(const char *name, struct harness_error *error)
{
    if (hunt.count == HARNESS_MOST_BACKENDS)
        return harness_fail(error, HARNESS_BAD_INPUT, "PICAFUZZ_BACKENDS: more than %d backends",
                            HARNESS_MOST_BACKENDS);
    struct harness_backend *const backend = &hunt.backends[hunt.count];
    const enum harness_status status = harness_backend_open(name, backend, error);
    if (status != HARNESS_OK)
        return status;
    hunt.count++;
    harness_backend_keep_memory(backend, 1);
    harness_backend_limit(backend, CASE_MS, CASE_WALL_MS);
    if (hunt.quirks != NULL && !oracle_tolerance_is_none(&hunt.quirks->tolerance))
        harness_backend_tolerate(backend, &hunt.quirks->tolerance);
    return harness_backend_restrict_to(backend, getenv("PICAFUZZ_ONLY"), getenv("PICAFUZZ_IGNORE"), error);
}

/* Parses a copy of the list: the engine may still need its environment unchanged. */
static enum harness_status open_backends(const char *list, struct harness_error *error)
{
    char names[NAMES_SIZE];
    if (strlen(list) >= sizeof names)
        return harness_fail(error, HARNESS_BAD_INPUT, "PICAFUZZ_BACKENDS: too long");
    (void)snprintf(names, sizeof names, "%s", list);
    enum harness_status status = HARNESS_OK;
    char *rest = names;
    while (status == HARNESS_OK && rest != NULL)
        status = open_one(cli_backends_next(&rest), error);
    if (status == HARNESS_OK && hunt.count < 2)
        status =
            harness_fail(error, HARNESS_BAD_INPUT, "PICAFUZZ_BACKENDS: '%s' is one backend, two are compared", list);
    return status;
}

/* Adds each line of the text as a statement. */
static enum harness_status add_force(struct harness_force *force, const char *text, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    for (size_t length; status == HARNESS_OK && *text != '\0'; text += length + (text[length] == '\n')) {
        char statement[FORCE_SIZE];
        length = strcspn(text, "\n");
        (void)snprintf(statement, sizeof statement, "%.*s", (int)length, text);
        if (length != 0)
            status = harness_force_add(force, statement, error);
    }
    return status;
}

static enum harness_status open_quirks(struct harness_error *error)
{
    const char *const path = getenv("PICAFUZZ_QUIRKS"), *const force = getenv("PICAFUZZ_FORCE");
    if (path == NULL && force == NULL)
        return HARNESS_OK;
    hunt.quirks = harness_quirks_create();
    if (hunt.quirks == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = path != NULL ? harness_quirks_read(hunt.quirks, path, error) : HARNESS_OK;
    return status == HARNESS_OK && force != NULL ? add_force(&hunt.quirks->force, force, error) : status;
}

static uint64_t number_of(const char *name)
{
    const char *const text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : 0;
}

static enum harness_status open_all(struct harness_error *error)
{
    const char *const names = getenv("PICAFUZZ_BACKENDS");
    enum harness_status status = open_quirks(error);
    if (status == HARNESS_OK && names != NULL)
        status = open_backends(names, error);
    hunt.statistics = harness_pair_statistics_open();
    if (hunt.statistics == NULL)
        hunt.statistics = &hunt.own;
    hunt.peel_path = getenv("PICAFUZZ_PEEL");
    hunt.most_executions = number_of("PICAFUZZ_EXECUTIONS");
    const struct harness_hunter_options options = { .pair = { .threads = (uint32_t)number_of("PICAFUZZ_THREADS"),
                                                              .instruction_sets = UINT32_MAX,
                                                              .capacity = (uint32_t)number_of("PICAFUZZ_CAPACITY"),
                                                              .statistics = hunt.statistics,
                                                              .backends = hunt.count != 0 ? hunt.backends : NULL,
                                                              .backend_count = hunt.count },
                                                    .quirks = hunt.quirks,
                                                    .confirms = true };
    hunt.hunter = harness_hunter_create(&options);
    hunt.test_case = harness_case_create();
    return status == HARNESS_OK && (hunt.hunter == NULL || hunt.test_case == NULL) ? harness_fail_memory(error)
                                                                                   : status;
}

/* ------------------------------------------------------------------------------------------------------ the engine */

/* Each kind of failure has its own function, because some engines classify crashes by their stack. */
static __attribute__((noinline)) void backends_differ(void)
{
    fprintf(stderr, "picafuzz: the backends differ\n%s", harness_hunter_message(hunt.hunter));
    __builtin_trap();
}

static __attribute__((noinline)) void backend_died(void)
{
    fprintf(stderr, "picafuzz: %s", harness_hunter_message(hunt.hunter));
    __builtin_trap();
}

/* Called once, after the engine's last fork: a backend may have threads, or a process of its own. */
void target_start(void)
{
    static bool started;
    if (started)
        return;
    started = true;
    struct harness_pair *const pair = harness_hunter_pair(hunt.hunter);
    if (pair == NULL)
        target_cannot_begin("a backend cannot be started");
    hunt.feedback = feedback_create(harness_pair_reference(pair), feedback_level_of_environment());
}

bool target_has_guests(void)
{
    bool some = false;
    for (size_t i = 0; i < hunt.count; i++)
        some = some || hunt.backends[i].library != NULL;
    return some;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct harness_error error = { "" };
    (void)argc;
    (void)argv;
    if (open_all(&error) != HARNESS_OK)
        target_cannot_begin(error.message);
    hunt.edges = edges_create(hunt.backends, hunt.count);
    return 0;
}

/* Reads the file of causes again if it has changed; the campaign replaces it with each cause that it finds. If it
 * cannot be read, the known causes stay as they are. */
static void look_at_causes(void)
{
    struct stat now;
    if (hunt.peel_path == NULL || stat(hunt.peel_path, &now) != 0 ||
        (now.st_ino == hunt.peel_seen.st_ino && now.st_size == hunt.peel_seen.st_size &&
         now.st_mtim.tv_sec == hunt.peel_seen.st_mtim.tv_sec && now.st_mtim.tv_nsec == hunt.peel_seen.st_mtim.tv_nsec))
        return;
    hunt.peel_seen = now;
    struct harness_peel *const read = malloc(sizeof *read);
    if (read != NULL && harness_peel_take(hunt.peel_path, read))
        *harness_hunter_peel(hunt.hunter) = *read;
    free(read);
}

/* Has the limit of executions been reached? libFuzzer enforces no limit while it reads a corpus, so the process ends
 * here, by _exit because libFuzzer's exit handler would report a crash. afl-fuzz ends by itself (-E), and would only
 * start another process. */
static bool is_over(void)
{
    const bool over = hunt.most_executions != 0 && hunt.statistics->executions >= hunt.most_executions;
#if !defined(__AFL_COMPILER)
    if (over)
        _exit(0);
#endif
    return over;
}

static enum harness_outcome run(const uint8_t *bytes, size_t size)
{
    harness_case_reset(hunt.test_case);
    if (!harness_pcb_decode(hunt.test_case, bytes, size))
        return HARNESS_TROUBLE;
    if (hunt.inputs++ % LOOK_EVERY == 0)
        look_at_causes();
    const enum harness_outcome outcome = harness_hunter_run(hunt.hunter, hunt.test_case);
    if (harness_outcome_is_finding(outcome))
        look_at_causes();
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (is_over())
        return 0;
    target_start();
    feedback_begin(hunt.feedback);
    const enum harness_outcome outcome = run(data, size);
    feedback_end(hunt.feedback);
    edges_tell(hunt.edges, harness_hunter_pair(hunt.hunter));
    if (outcome == HARNESS_DIVERGE)
        backends_differ();
    if (harness_outcome_died(outcome))
        backend_died();
    return 0;
}
