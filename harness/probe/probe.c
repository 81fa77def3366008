/* The parent's side of a probe: workers are started, fed, watched and replaced. */
#include "harness/probe/probe.h"

#include "harness/case/temporary.h"
#include "harness/probe/probe_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WATCH_MS = 20,
    EXPLAIN_FACTOR = 10, /* explaining runs a case many times */
    WALL_FACTOR = 10,    /* a case that neither ends nor computes (a deadlock) hangs after so many times hang_ms ... */
    WALL_GRACE_MS = 2000 /* ... and so much more */
};

struct worker {
    pid_t process; /* 0: none */
    int requests;  /* write end */
    int replies;   /* read end */
    int said;      /* a file without a name: what the worker says when it dies */
    struct probe_shared *shared;
    clockid_t processor;
    double busy_from; /* seconds of its processor time, and of the clock */
    double wall_from;
};

struct harness_probe {
    const struct harness_probe_options *options;
    char directory[64]; /* of the files for the user's test, "" if there is none */
    struct worker workers[HARNESS_PROBE_MAX_JOBS];
};

static double seconds(clockid_t clock)
{
    struct timespec time = { 0, 0 };
    (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* --------------------------------------------------------------------------------------------------------- workers */

static void close_worker(struct worker *worker)
{
    if (worker->process == 0)
        return;
    (void)close(worker->requests);
    (void)close(worker->replies);
    (void)close(worker->said);
    worker->process = 0;
}

static void kill_worker(struct worker *worker)
{
    if (worker->process == 0)
        return;
    (void)kill(-worker->process, SIGKILL); /* with the children of a test */
    (void)kill(worker->process, SIGKILL);
    while (waitpid(worker->process, NULL, 0) < 0 && errno == EINTR) {
    }
    close_worker(worker);
}

static _Noreturn void become_worker(const struct harness_probe *probe, const struct worker *worker, int requests,
                                    int replies)
{
    const int null = open("/dev/null", O_RDWR);
    (void)dup2(null, STDIN_FILENO);
    (void)dup2(null, STDOUT_FILENO);
    (void)dup2(worker->said, STDERR_FILENO);
    harness_probe_work(probe->options, worker->shared, requests, replies);
}

static enum harness_status start_worker(struct harness_probe *probe, struct worker *worker, struct harness_error *error)
{
    int requests[2] = { -1, -1 }, replies[2] = { -1, -1 };
    worker->said = memfd_create("picafuzz-worker", MFD_CLOEXEC);
    if (worker->said < 0 || pipe2(requests, O_CLOEXEC) != 0 || pipe2(replies, O_CLOEXEC) != 0)
        return harness_fail(error, HARNESS_HOST, "starting a worker: %s", strerror(errno));
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        (void)close(requests[1]);
        (void)close(replies[0]);
        become_worker(probe, worker, requests[0], replies[1]);
    }
    (void)close(requests[0]);
    (void)close(replies[1]);
    worker->requests = requests[1];
    worker->replies = replies[0];
    if (process < 0)
        return harness_fail(error, HARNESS_HOST, "starting a worker: %s", strerror(errno));
    worker->process = process;
    (void)clock_getcpuclockid(process, &worker->processor);
    return HARNESS_OK;
}

void harness_probe_limit(struct harness_backend *backend, unsigned hang_ms)
{
    harness_backend_limit(backend, hang_ms, hang_ms * WALL_FACTOR + WALL_GRACE_MS / 2); /* before the worker's */
}

static enum harness_status map_workers(struct harness_probe *probe, struct harness_error *error)
{
    const size_t size = sizeof(struct probe_shared) + probe->options->case_bytes + (size_t)(1 << 16);
    for (unsigned i = 0; i < probe->options->jobs; i++) {
        void *const memory =
            mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return harness_fail_memory(error);
        probe->workers[i].shared = memory;
        probe->workers[i].shared->size = size;
    }
    return HARNESS_OK;
}

/* Temporary files of a user's test lie in a directory of their own. */
static enum harness_status make_directory(struct harness_probe *probe, struct harness_error *error)
{
    if (probe->options->test == NULL)
        return HARNESS_OK;
    struct harness_text name;
    harness_text_init(&name);
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
        kill_worker(worker);
        if (worker->shared != NULL)
            (void)munmap(worker->shared, worker->shared->size);
        char path[PROBE_PATH];
        test_path(probe, i, path, sizeof path);
        if (probe->directory[0] != '\0')
            (void)unlink(path);
    }
    if (probe->directory[0] != '\0')
        (void)rmdir(probe->directory);
    free(probe);
}

/* -------------------------------------------------------------------------------------------------------- starting */

enum harness_status harness_probe_start(struct harness_probe *probe, unsigned job, const struct harness_case *test_case,
                                        const struct harness_program *program, bool explain,
                                        struct harness_error *error)
{
    struct worker *const worker = &probe->workers[job];
    char request = explain ? PROBE_EXPLAIN : PROBE_RUN;
    enum harness_status status = HARNESS_OK;
    if (worker->process == 0)
        status = start_worker(probe, worker, error);
    if (status == HARNESS_OK && probe->options->test != NULL) {
        request = PROBE_TEST;
        test_path(probe, job, worker->shared->path, sizeof worker->shared->path);
        status = harness_case_save_file(test_case, worker->shared->path, error);
    } else if (status == HARNESS_OK && !harness_probe_pack(worker->shared, program)) {
        status = harness_fail(error, HARNESS_TOO_LARGE, "a case grew while it was reduced");
    }
    if (status != HARNESS_OK)
        return status;
    worker->shared->message[0] = '\0';
    worker->shared->features[0] = '\0';
    worker->shared->stage[0] = '\0';
    worker->shared->judged = false;
    (void)ftruncate(worker->said, 0); /* the last words are those about this case */
    (void)lseek(worker->said, 0, SEEK_SET);
    worker->busy_from = seconds(worker->processor);
    worker->wall_from = seconds(CLOCK_MONOTONIC);
    /* A worker that is gone already is seen when its reply does not come. */
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN);
    const ssize_t written = write(worker->requests, &request, 1);
    (void)signal(SIGPIPE, before);
    (void)written;
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------- finishing */

static bool is_over_time(const struct harness_probe *probe, const struct worker *worker)
{
    const double limit = probe->options->hang_ms * 1e-3 * (worker->shared->judged ? EXPLAIN_FACTOR : 1);
    const double wall = seconds(CLOCK_MONOTONIC) - worker->wall_from;
    if (probe->options->test != NULL)
        return wall > limit;
    const double wall_limit = limit * (double)WALL_FACTOR + (double)WALL_GRACE_MS * 1e-3;
    return seconds(worker->processor) - worker->busy_from > limit || wall > wall_limit;
}

/* The line that says most: a sanitizer's summary, a failed assertion. Digits change from run to run. */
static void take_last_words(const struct worker *worker, char *out, size_t size)
{
    static const char *const marks[] = { "SUMMARY: ", "Assertion ", "runtime error: " };
    char text[8192];
    const ssize_t length = pread(worker->said, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    out[0] = '\0';
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const char *const found = strstr(text, marks[i]);
        if (found == NULL)
            continue;
        (void)snprintf(out, size, "%.*s", (int)strcspn(found, "\n"), found);
        break;
    }
    for (char *at = out; *at != '\0'; at++)
        if (*at >= '0' && *at <= '9')
            *at = '#';
}

static void describe_death(const struct harness_probe *probe, const struct worker *worker, struct harness_symptom *out)
{
    const struct probe_shared *const shared = worker->shared;
    if (shared->judged) { /* it died explaining: the verdict stands */
        *out = shared->symptom;
        return;
    }
    memset(out, 0, sizeof *out);
    out->kind = HARNESS_SYMPTOM_CRASH;
    if (probe->options->test != NULL) {
        out->kind = HARNESS_SYMPTOM_NONE; /* a test that fell or hung says nothing */
        return;
    }
    out->backend = shared->backend;
    out->operation_kind = HARNESS_SYMPTOM_LOADING;
    if (shared->step < shared->program.count) {
        out->operation_kind = (uint32_t)shared->program.operations[shared->step].kind;
        out->operation = shared->program.origins[shared->step];
    }
}

static void bury(struct harness_probe *probe, struct worker *worker, struct harness_symptom *out)
{
    int status = 0;
    while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR) {
    }
    describe_death(probe, worker, out);
    if (worker->shared->judged) {
        close_worker(worker);
        return;
    }
    out->code = WIFSIGNALED(status) ? WTERMSIG(status) : 256 + WEXITSTATUS(status);
    take_last_words(worker, out->detail, sizeof out->detail);
    close_worker(worker);
}

enum harness_status harness_probe_finish(struct harness_probe *probe, unsigned job, struct harness_symptom *out,
                                         struct harness_error *error)
{
    struct worker *const worker = &probe->workers[job];
    struct pollfd descriptor = { .fd = worker->replies, .events = POLLIN };
    for (;;) {
        const int ready = poll(&descriptor, 1, WATCH_MS);
        if (ready < 0 && errno != EINTR)
            return harness_fail(error, HARNESS_HOST, "waiting for a worker: %s", strerror(errno));
        if (ready > 0)
            break;
        if (!is_over_time(probe, worker))
            continue;
        describe_death(probe, worker, out);
        if (out->kind == HARNESS_SYMPTOM_CRASH && !worker->shared->judged)
            out->kind = HARNESS_SYMPTOM_HANG;
        kill_worker(worker);
        return HARNESS_OK;
    }
    char reply = 0;
    if (read(worker->replies, &reply, 1) != 1)
        bury(probe, worker, out);
    else {
        *out = worker->shared->symptom;
        if (out->kind == HARNESS_SYMPTOM_CRASH) /* of a backend in a process of its own */
            take_last_words(worker, out->detail, sizeof out->detail);
    }
    return HARNESS_OK;
}

void harness_probe_renew(struct harness_probe *probe, unsigned job)
{
    kill_worker(&probe->workers[job]);
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

const char *harness_probe_message(const struct harness_probe *probe)
{
    return probe->workers[0].shared->message;
}

const char *harness_probe_features(const struct harness_probe *probe)
{
    return probe->workers[0].shared->features;
}

const char *harness_probe_stage(const struct harness_probe *probe)
{
    return probe->workers[0].shared->stage;
}
