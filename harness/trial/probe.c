/* The parent's side of a probe: workers are started, fed, watched and replaced. */
#include "harness/trial/probe.h"

#include "harness/case/temporary.h"
#include "harness/trial/probe_worker.h"
#include "harness/run/child.h"
#include "harness/run/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    END_MS = 3000,       /* for a worker to end its backends' processes */
    WORDS = 1 << 16,     /* bytes of what a dying worker said */
    EXPLAIN_FACTOR = 10, /* explaining runs a case many times */
    WALL_FACTOR = 10,    /* a case that does not compute (a deadlock) hangs after this many times hang_ms ... */
    WALL_GRACE_MS = 2000 /* ... and this much more: what comes before the call takes time, too */
};

struct worker {
    struct harness_child child;
    int requests;                   /* write end */
    int replies;                    /* read end */
    int said;                       /* an unnamed file: what the worker says when it dies */
    char words[HARNESS_PROBE_SAID]; /* the end of that, once it is gone */
    struct probe_shared *shared;
    size_t shared_size;
    struct harness_program program;  /* as it was shared */
    struct harness_child_time begin; /* of the case in hand */
    const struct harness_probe_options *options;
    char request;
    bool is_busy; /* with it */
};

struct harness_probe {
    const struct harness_probe_options *options;
    struct harness_probe_condition condition; /* that workers begin in */
    char directory[64];                       /* of the files for the user's test, "" if there is none */
    char farewell[HARNESS_DEATH_TEXT + 64];   /* the first that did not end well */
    struct worker workers[HARNESS_PROBE_MAX_JOBS];
};

/* --------------------------------------------------------------------------------------------------------- workers */

static void read_words(const struct worker *worker, char *out, size_t size)
{
    struct stat status = { .st_size = 0 };
    const off_t most = (off_t)size - 1;
    (void)fstat(worker->said, &status);
    const off_t from = status.st_size > most ? status.st_size - most : 0;
    const ssize_t length = pread(worker->said, out, size - 1, from);
    out[length > 0 ? length : 0] = '\0';
}

static void close_worker(struct worker *worker)
{
    read_words(worker, worker->words, sizeof worker->words);
    if (worker->requests >= 0)
        (void)close(worker->requests);
    (void)close(worker->replies);
    (void)close(worker->said);
}

/* Including the children of a test. */
static void kill_worker(struct worker *worker)
{
    if (worker->child.process == 0)
        return;
    harness_child_kill(&worker->child);
    close_worker(worker);
}

/* How a worker ended that was asked to; the first time that it is not well is kept. */
static void note_farewell(struct harness_probe *probe, const struct worker *worker, struct harness_child_end end)
{
    const struct probe_shared *const shared = worker->shared;
    const bool is_sound = shared->guard == PROBE_GUARD && shared->end_guard == PROBE_GUARD;
    const bool said = is_sound && shared->farewell[0] != '\0';
    if (!probe->options->ends_well || probe->farewell[0] != '\0' || (harness_child_is_good(end) && !said))
        return;
    const size_t backend = is_sound && shared->backend < probe->options->backend_count ? shared->backend : 0;
    (void)snprintf(probe->farewell, sizeof probe->farewell, "backend %s: %s",
                   probe->options->backends[backend].backend->name,
                   said ? shared->farewell : "crashed in destroy or at unloading");
    if (!said && end.how == HARNESS_CHILD_SIGNALLED)
        (void)snprintf(probe->farewell + strlen(probe->farewell), sizeof probe->farewell - strlen(probe->farewell),
                       ": %s", strsignal(end.number));
}

/* One that waits for a case ends its backends' processes itself, with all that plug-ins started there: nobody else
 * knows them. */
static void end_worker(struct harness_probe *probe, struct worker *worker)
{
    const struct harness_probe_options *const options = probe->options;
    bool ends_itself = options->ends_well;
    for (size_t i = 0; i < options->backend_count; i++)
        ends_itself = ends_itself || options->backends[i].process != NULL;
    if (worker->child.process == 0)
        return;
    if (worker->is_busy || !ends_itself || options->test != NULL) {
        kill_worker(worker);
        return;
    }
    worker->shared->farewell[0] = '\0';
    (void)close(worker->requests);
    worker->requests = -1;
    const struct harness_child_end end = harness_child_wait_or_kill(&worker->child, END_MS);
    note_farewell(probe, worker, end);
    close_worker(worker);
}

/* Both ends of the pipes to a worker. */
struct worker_pipes {
    const struct worker *worker;
    const struct harness_probe_condition *condition;
    int requests[2], replies[2];
};

static int serve(void *user)
{
    const struct worker_pipes *const pipes = user;
    harness_child_keep((const int[]){ pipes->requests[0], pipes->replies[1] }, 2);
    harness_probe_work(pipes->worker->options, pipes->condition, pipes->worker->shared, pipes->requests[0],
                       pipes->replies[1]);
}

static enum harness_status start_worker(struct harness_probe *probe, struct worker *worker, struct harness_error *error)
{
    struct worker_pipes pipes = { worker, &probe->condition, { -1, -1 }, { -1, -1 } };
    worker->options = probe->options;
    worker->words[0] = '\0';
    worker->said = memfd_create("picafuzz-worker", MFD_CLOEXEC);
    if (worker->said < 0 || pipe2(pipes.requests, O_CLOEXEC) != 0 || pipe2(pipes.replies, O_CLOEXEC) != 0)
        return harness_fail(error, HARNESS_HOST, "starting a worker: %s", strerror(errno));
    /* Ctrl-C is for the reducer; a worker must not outlive its reducer */
    const struct harness_child_setup setup = {
        .group = true, .silent = true, .said = worker->said, .death_signal = SIGKILL
    };
    const bool started = harness_child_start(&worker->child, &setup, serve, &pipes);
    const int trouble = errno;
    (void)close(pipes.requests[0]);
    (void)close(pipes.replies[1]);
    worker->requests = pipes.requests[1];
    worker->replies = pipes.replies[0];
    return started ? HARNESS_OK : harness_fail(error, HARNESS_HOST, "starting a worker: %s", strerror(trouble));
}

void harness_probe_limit(struct harness_backend *backend, unsigned hang_ms)
{
    harness_backend_limit(backend, hang_ms, hang_ms * WALL_FACTOR); /* before the worker's */
}

static enum harness_status map_workers(struct harness_probe *probe, struct harness_error *error)
{
    const size_t size = sizeof(struct probe_shared) + probe->options->case_bytes + (size_t)(1 << 16);
    for (unsigned i = 0; i < probe->options->jobs; i++) {
        void *const memory = harness_shared_create(size);
        if (memory == NULL)
            return harness_fail_memory(error);
        probe->workers[i].shared = memory;
        probe->workers[i].shared_size = size;
    }
    return HARNESS_OK;
}

/* Temporary files of a user's test lie in a directory of their own. */
static enum harness_status make_directory(struct harness_probe *probe, struct harness_error *error)
{
    if (probe->options->test == NULL)
        return HARNESS_OK;
    struct harness_text name = { 0 };
    harness_temporary_name(&name, "/tmp/picafuzz");
    (void)snprintf(probe->directory, sizeof probe->directory, "%s", harness_text_string(&name));
    harness_text_free(&name);
    if (mkdtemp(probe->directory) != NULL)
        return HARNESS_OK;
    probe->directory[0] = '\0';
    return harness_fail(error, HARNESS_HOST, "/tmp: no directory can be made: %s", strerror(errno));
}

static void test_path(const struct harness_probe *probe, unsigned job, char *out, size_t size)
{
    (void)snprintf(out, size, "%s/case%u.%s", probe->directory, job,
                   probe->options->test_format == HARNESS_FORMAT_PCB ? "pcb" : "pcase");
}

enum harness_status harness_probe_create(const struct harness_probe_options *options, struct harness_probe **out,
                                         struct harness_error *error)
{
    *out = NULL;
    struct harness_probe *const probe = calloc(1, sizeof *probe);
    if (probe == NULL)
        return harness_fail_memory(error);
    probe->options = options;
    enum harness_status status = map_workers(probe, error);
    if (status == HARNESS_OK)
        status = make_directory(probe, error);
    if (status == HARNESS_OK)
        *out = probe;
    else
        harness_probe_destroy(probe);
    return status;
}

void harness_probe_destroy(struct harness_probe *probe)
{
    if (probe == NULL)
        return;
    for (unsigned i = 0; i < probe->options->jobs; i++) {
        struct worker *const worker = &probe->workers[i];
        end_worker(probe, worker);
        if (worker->shared != NULL)
            harness_shared_destroy(worker->shared, worker->shared_size);
        char path[PROBE_PATH];
        test_path(probe, i, path, sizeof path);
        if (probe->directory[0] != '\0')
            (void)unlink(path);
    }
    if (probe->directory[0] != '\0')
        (void)rmdir(probe->directory);
    free(probe);
}

const char *harness_probe_farewell(const struct harness_probe *probe)
{
    return probe->farewell;
}

/* -------------------------------------------------------------------------------------------------------- starting */

enum harness_status harness_probe_start(struct harness_probe *probe, unsigned job, const struct harness_case *test_case,
                                        const struct harness_program *program, bool explain,
                                        struct harness_error *error)
{
    struct worker *const worker = &probe->workers[job];
    char request = explain ? PROBE_EXPLAIN : PROBE_RUN;
    enum harness_status status = HARNESS_OK;
    if (worker->child.process == 0)
        status = start_worker(probe, worker, error);
    worker->shared->guard = worker->shared->end_guard = PROBE_GUARD;
    worker->shared->size = worker->shared_size;
    if (status == HARNESS_OK && probe->options->test != NULL) {
        request = PROBE_TEST;
        test_path(probe, job, worker->shared->path, sizeof worker->shared->path);
        status = harness_case_save_file(test_case, worker->shared->path, error);
    } else if (status == HARNESS_OK && !harness_probe_pack(worker->shared, program)) {
        status = harness_fail(error, HARNESS_TOO_LARGE, "a case grew while it was reduced");
    }
    if (status != HARNESS_OK)
        return status;
    worker->shared->comparison.report.message[0] = '\0';
    worker->shared->location.differs = false;
    memset(&worker->shared->blame, 0, sizeof worker->shared->blame);
    worker->shared->judged = 0;
    worker->shared->doing[0] = '\0';
    worker->shared->cut_off = false;
    worker->request = request;
    worker->shared->number = probe->options->number;
    worker->program = worker->shared->program;
    (void)ftruncate(worker->said, 0); /* the last words are those about this case */
    (void)lseek(worker->said, 0, SEEK_SET);
    worker->begin = harness_child_begin(&worker->child);
    worker->is_busy = true;
    /* A worker that is already gone is noticed when its reply does not come. */
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN);
    const ssize_t written = write(worker->requests, &request, 1);
    (void)signal(SIGPIPE, before);
    (void)written;
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------- finishing */

static struct harness_child_time limits_of_case(const void *user)
{
    const struct worker *const worker = user;
    const double limit =
        worker->options->hang_ms * 1e-3 * (worker->shared->judged == PROBE_JUDGED ? EXPLAIN_FACTOR : 1);
    if (worker->options->test != NULL)
        return (struct harness_child_time){ .wall = limit };
    if (worker->options->hang_ms == 0)
        return (struct harness_child_time){ 0.0, 0.0 };
    return (struct harness_child_time){ limit, limit * (double)WALL_FACTOR + (double)WALL_GRACE_MS * 1e-3 };
}

/* The most telling line: a sanitizer's summary, a failed assertion. Digits are struck out: they change from run to
 * run. */
static void take_detail(const char *text, struct harness_symptom *symptom)
{
    static const char *const marks[] = { "out of memory: its limit", "SUMMARY: ", "Assertion ", "runtime error: " };
    char *const out = symptom->detail;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const char *const found = strstr(text, marks[i]);
        if (found == NULL)
            continue;
        (void)snprintf(out, sizeof symptom->detail, "%.*s", (int)strcspn(found, "\n"), found);
        break;
    }
    unsigned mebibytes = 0;
    symptom->memory_mib = sscanf(out, "out of memory: its limit is %u MiB", &mebibytes) == 1 ? mebibytes : 0;
    for (char *at = out; *at != '\0'; at++)
        if (*at >= '0' && *at <= '9')
            *at = '#';
}

/* The last thing that was said about a case is how it died. */
static void take_last_words(const struct worker *worker, struct harness_symptom *out)
{
    static char text[WORDS]; /* of this thread, which is the only one; too large for a stack */
    read_words(worker, text, sizeof text);
    take_detail(text, out);
    harness_crash_find(text, &out->crash);
}

static void describe_death(const struct harness_probe *probe, const struct worker *worker, struct harness_symptom *out)
{
    const struct probe_shared *const shared = worker->shared;
    if (shared->judged == PROBE_JUDGED) { /* it died explaining: the verdict stands */
        *out = shared->symptom;
        return;
    }
    memset(out, 0, sizeof *out);
    out->kind = HARNESS_CRASH;
    if (probe->options->test != NULL) {
        out->kind = HARNESS_AGREE; /* a test that crashed or hung says nothing */
        return;
    }
    out->backend = shared->backend;
    out->operation_kind = HARNESS_SYMPTOM_LOADING;
    (void)snprintf(out->what, sizeof out->what, "%s", shared->doing);
    if (shared->step < shared->program.count) {
        out->operation_kind = (uint32_t)shared->program.operations[shared->step].kind;
        out->operation = shared->program.origins[shared->step];
    }
}

/* Nothing that the worker said can be believed then, nor where it was. */
static bool is_scribbled(const struct worker *worker)
{
    const struct probe_shared *const shared = worker->shared;
    return shared->guard != PROBE_GUARD || shared->end_guard != PROBE_GUARD ||
           memcmp(&shared->program, &worker->program, sizeof worker->program) != 0;
}

/* All that the worker answered is dropped, too, since any bytes may stand there. `deed`: harness_symptom_scribble or
 * one of its kind. */
static void describe_deed(struct worker *worker, const char *deed, struct harness_symptom *out)
{
    const struct harness_probe_options *const options = worker->options;
    uint32_t stranger = 0; /* the first: ours do no such thing */
    while (stranger + 1 < options->backend_count && options->backends[stranger].is_ours)
        stranger++;
    memset(&worker->shared->comparison, 0, sizeof worker->shared->comparison);
    memset(&worker->shared->location, 0, sizeof worker->shared->location);
    memset(&worker->shared->blame, 0, sizeof worker->shared->blame);
    memset(out, 0, sizeof *out);
    out->kind = HARNESS_CRASH;
    out->backend = stranger;
    out->operation_kind = HARNESS_SYMPTOM_LOADING;
    out->code = SIGSEGV;
    (void)snprintf(out->detail, sizeof out->detail, "%s", deed);
}

static void bury(struct harness_probe *probe, struct worker *worker, struct harness_symptom *out)
{
    const struct harness_child_end end = harness_child_wait_or_kill(&worker->child, END_MS);
    if (worker->shared->cut_off || end.how == HARNESS_CHILD_TIMED_OUT) {
        describe_deed(worker, harness_symptom_cut_off, out);
        close_worker(worker);
        return;
    }
    describe_death(probe, worker, out);
    if (worker->shared->judged != PROBE_JUDGED) {
        out->code = harness_child_code(end);
        take_last_words(worker, out);
    }
    close_worker(worker);
}

enum harness_status harness_probe_finish(struct harness_probe *probe, unsigned job, struct harness_symptom *out,
                                         struct harness_error *error)
{
    struct worker *const worker = &probe->workers[job];
    const enum harness_child_heard heard =
        harness_child_listen(&worker->child, worker->replies, worker->begin, limits_of_case, worker);
    worker->is_busy = false;
    if (heard == HARNESS_CHILD_DEAF)
        return harness_fail(error, HARNESS_HOST, "waiting for a worker: %s", strerror(errno));
    if (heard == HARNESS_CHILD_LATE && !is_scribbled(worker)) {
        describe_death(probe, worker, out);
        if (out->kind == HARNESS_CRASH && worker->shared->judged != PROBE_JUDGED)
            out->kind = HARNESS_HANG;
        kill_worker(worker);
        return HARNESS_OK;
    }
    if (is_scribbled(worker)) {
        describe_deed(worker, harness_symptom_scribble, out);
        kill_worker(worker);
        return HARNESS_OK;
    }
    char reply = 0;
    if (!harness_child_read(worker->replies, &reply))
        bury(probe, worker, out);
    else if (reply != worker->request) {
        describe_deed(worker, harness_symptom_stray, out);
        kill_worker(worker);
    } else {
        *out = worker->shared->symptom;
        if (out->kind == HARNESS_CRASH) /* of a backend in a process of its own */
            take_last_words(worker, out);
        if (out->kind == HARNESS_TROUBLE) /* a backend that cannot be created may have said why */
            harness_child_add_last_line(worker->said, out->detail, sizeof out->detail);
    }
    return HARNESS_OK;
}

void harness_probe_renew(struct harness_probe *probe, unsigned job)
{
    end_worker(probe, &probe->workers[job]);
}

void harness_probe_set(struct harness_probe *probe, const struct harness_probe_condition *condition)
{
    for (unsigned i = 0; i < probe->options->jobs; i++)
        harness_probe_renew(probe, i);
    probe->condition = *condition;
}

enum harness_status harness_probe_try(struct harness_probe *probe, const struct harness_case *test_case, bool explain,
                                      struct harness_symptom *out, struct harness_error *error)
{
    struct harness_program *const program = harness_program_create();
    enum harness_status status =
        program != NULL ? harness_case_setup(test_case, program, error) : harness_fail_memory(error);
    if (status == HARNESS_OK)
        status = harness_probe_start(probe, 0, test_case, program, explain, error);
    if (status == HARNESS_OK)
        status = harness_probe_finish(probe, 0, out, error);
    harness_program_destroy(program);
    return status;
}

const struct harness_comparison *harness_probe_comparison(const struct harness_probe *probe)
{
    return &probe->workers[0].shared->comparison;
}

const struct harness_location *harness_probe_location(const struct harness_probe *probe)
{
    return probe->workers[0].shared->judged == PROBE_EXPLAINED ? &probe->workers[0].shared->location : NULL;
}

void harness_probe_said(const struct harness_probe *probe, char *out, size_t size)
{
    const struct worker *const worker = &probe->workers[0];
    if (worker->child.process != 0)
        read_words(worker, out, size);
    else
        (void)snprintf(out, size, "%s", worker->words);
}

const void *harness_probe_answer(const struct harness_probe *probe)
{
    return probe->workers[0].shared->answer;
}

uint64_t harness_probe_digest(const struct harness_probe *probe)
{
    return probe->workers[0].shared->digest;
}

const struct harness_blame *harness_probe_blame(const struct harness_probe *probe)
{
    return &probe->workers[0].shared->blame;
}
