/*
 * The reference with one planted fault, as a plug-in. The environment variable PICAFUZZ_FAULT says which: "pixel"
 * (each submitted list also flips a bit of VRAM's first byte), "drift" (the same, but only every third list of a
 * process, so that nothing repeats), "crash", "hang", "wait" (for what never comes), "sleep" (0.6 seconds), "exit",
 * "shout" (crash with words); "open-crash", "create-crash", "load-crash", "read-crash" in those calls;
 * "create-fail" (an error there, after words on stderr). With "large" before a dash, only in lists of more than 1024
 * bytes. "exit0" (exit(0) in a list), "pipe" (SIGPIPE), "destroy-crash", "unload-crash",
 * "close" (every descriptor but the first three), "deaf" (blocks every signal, drops its alarm and waits), "fork"
 * (leaves a child that waits), "session" (the same in a session of its own),
 * "fork-pixel" (both), "eat" (all the memory that it can get, then an error),
 * "fail" (an error in load),
 * "starve" (the same in a list, and it does not look whether it got any), "starve-once" (one piece that is too large,
 * and the same), "starve-exit" (exit(1) then), "scribble" (over memory that
 * processes share), "stale" (as "pixel", but only in the third case of a process and later ones), "stale-fresh" (which
 * also says that each case needs a process of its own), "trace-crash",
 * "reload-crash", "reread-crash" (as "pixel", and crash in a trace, in the second load, in reading the state after it;
 * the first flips the bit only where a list writes),
 * "reload-hang" (the second load never ends),
 * "dirty" (as "pixel", unless memory that was never written holds 0xAA), "counter" (as "pixel", in every second process
 * that counts in the file PICAFUZZ_COUNTER), "two-crashes" (in one place for lists of more than 1024 bytes, in another
 * for others), "stop" (stops the process that started this one; nobody but who waits for that makes it go on).
 */
#include "pica/backend.h"
#include "reference/reference.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Functions whose names findings have: every compiler keeps them. */
__attribute__((noinline)) static void crash_in_large(void)
{
    abort();
}

__attribute__((noinline)) static void crash_in_small(void)
{
    (void)fflush(stdout); /* or a compiler makes one of the two */
    abort();
}

/* Asked at each register and byte, so it looks but once. */
static bool fault_is(const char *name)
{
    static const char *fault;
    if (fault == NULL)
        fault = getenv("PICAFUZZ_FAULT");
    if (fault == NULL)
        fault = "none";
    return strcmp(fault, name) == 0;
}

static void be_deaf(void)
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, NULL);
    (void)alarm(0);
    for (;;)
        (void)pause();
}

static void close_all(void)
{
    for (int descriptor = 3; descriptor < 1024; descriptor++)
        (void)close(descriptor);
}

/* False once there is no more. Writes to one page of each meal: writing to all takes longer than a call may on some
 * machines. */
static bool eat(void)
{
    enum {
        MEAL = 64 << 20
    };
    for (int i = 0; i < 1 << 14; i++) {
        volatile char *volatile const meal = malloc(MEAL); /* or the compiler sees that nobody reads it */
        if (meal == NULL)
            return false;
        *meal = (char)i;
    }
    return true;
}

/* Takes memory without looking whether it got any. */
__attribute__((noinline)) static void starve(void)
{
    volatile char *volatile piece = NULL; /* or gcc leaves out the byte that nobody reads */
    if (fault_is("starve"))
        (void)eat();
    if (fault_is("starve") || fault_is("starve-once") || fault_is("starve-exit"))
        piece = malloc((size_t)1 << 40);
    if (piece == NULL && fault_is("starve-exit"))
        exit(1);
    if (fault_is("starve") || fault_is("starve-once"))
        *piece = 1;
}

/* Over all memory that is shared with other processes. */
static void scribble(void)
{
    char line[512];
    FILE *const maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        unsigned long first = 0, last = 0;
        if (strstr(line, " rw-s ") != NULL && sscanf(line, "%lx-%lx", &first, &last) == 2)
            memset((void *)first, 0xAA, last - first < 16384 ? last - first : 16384); // NOLINT: that is the fault
    }
    if (maps != NULL)
        (void)fclose(maps);
}

static uint32_t cases; /* of this process */

/* After a list of so many bytes. Every compiler keeps it a function, whose name findings have. */
__attribute__((noinline)) static void fail_after(uint32_t size)
{
    if (fault_is("crash") || (fault_is("large-crash") && size > 1024))
        abort();
    if (fault_is("two-crashes") && size > 1024)
        crash_in_large();
    else if (fault_is("two-crashes"))
        crash_in_small();
    starve();
    while (fault_is("hang")) {
    }
    if (fault_is("sleep"))
        (void)nanosleep(&(struct timespec){ 0, 600 * 1000 * 1000 }, NULL);
    if (fault_is("stop"))
        (void)kill(getppid(), SIGSTOP);
    while (fault_is("wait"))
        (void)pause();
    if (fault_is("exit"))
        exit(7);
    if (fault_is("scribble"))
        scribble();
    if (fault_is("exit0"))
        exit(0);
    if (fault_is("pipe"))
        (void)raise(SIGPIPE);
    if (fault_is("deaf"))
        be_deaf();
    if (fault_is("close"))
        close_all();
    if ((fault_is("fork") || fault_is("fork-pixel") || fault_is("session")) && fork() == 0) {
        if (fault_is("session"))
            (void)setsid();
        for (;;)
            (void)pause();
    }
    if (fault_is("shout")) {
        fprintf(stderr, "backend: Assertion 'size > 17' failed\n");
        abort();
    }
}

__attribute__((noinline)) static void crash_if(const char *fault)
{
    if (fault_is(fault))
        abort();
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    crash_if("create-crash");
    if (fault_is("create-fail")) {
        (void)fputs("broken: no display\nbroken: giving up\n", stderr);
        return PICA_FAILED;
    }
    return ref_backend()->create(options, instance);
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    crash_if("load-crash");
    cases++;
    if (cases > 1)
        crash_if("reload-crash");
    while (cases > 1 && fault_is("reload-hang")) {
    }
    if (fault_is("fail"))
        return PICA_FAILED;
    if (fault_is("eat") && !eat())
        return PICA_NO_MEMORY;
    return ref_backend()->load(instance, setup);
}

static void destroy(void *instance)
{
    crash_if("destroy-crash");
    ref_backend()->destroy(instance);
}

static __attribute__((destructor)) void unload(void)
{
    crash_if("unload-crash");
}

static enum pica_status read_state(void *instance, struct pica_state *out)
{
    crash_if("read-crash");
    if (cases > 1)
        crash_if("reread-crash");
    return ref_backend()->read_state(instance, out);
}

static enum pica_status trace(void *instance, const struct pica_trace_request *request, pica_trace_sink sink,
                              void *user)
{
    crash_if("trace-crash");
    return ref_backend()->trace(instance, request, sink, user);
}

enum {
    FRESH_BYTES = 1000
};

/* Reads what nobody wrote, on purpose. */
static bool memory_is_dirty(void)
{
    volatile unsigned char *const bytes = malloc(FRESH_BYTES);
    const bool dirty = bytes != NULL && bytes[FRESH_BYTES / 2] != 0xAA;
    free((void *)bytes);
    return dirty;
}

/* Of the processes that came so far, is this an odd one? */
static bool is_odd(void)
{
    static bool counted, odd;
    const char *const path = getenv("PICAFUZZ_COUNTER");
    if (counted || path == NULL)
        return odd;
    FILE *const file = fopen(path, "a");
    counted = true;
    if (file == NULL)
        return odd;
    (void)fputc('.', file);
    odd = ftell(file) % 2 == 1;
    (void)fclose(file);
    return odd;
}

/* Faults that show only when somebody looks closer: until then the pixel is wrong. */
static bool flips_pixel(void)
{
    return fault_is("pixel") || fault_is("fork-pixel") || fault_is("trace-crash") || fault_is("reload-crash") ||
           fault_is("reread-crash") || fault_is("reload-hang") || (fault_is("dirty") && memory_is_dirty()) ||
           (fault_is("counter") && is_odd());
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    uint8_t before = 0;
    (void)ref_backend()->read_memory(instance, 0x18000000u, &before, 1);
    const enum pica_status status = ref_backend()->run(instance, operation);
    if (operation->kind != PICA_OPERATION_SUBMIT_LIST || status != PICA_OK)
        return status;
    fail_after(operation->size);
    uint8_t byte = 0;
    static uint32_t lists;
    lists++;
    if ((flips_pixel() || ((fault_is("stale") || fault_is("stale-fresh")) && cases >= 3) ||
         (fault_is("drift") && lists % 3u == 0)) &&
        ref_backend()->read_memory(instance, 0x18000000u, &byte, 1) == PICA_OK &&
        (byte != before || !fault_is("trace-crash"))) {
        byte ^= 0x10u;
        const struct pica_operation load = {
            .kind = PICA_OPERATION_LOAD_MEMORY, .address = 0x18000000u, .size = 1, .data = &byte
        };
        return ref_backend()->run(instance, &load);
    }
    return PICA_OK;
}

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void);

const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend backend;
    static struct pica_models models;
    crash_if("open-crash");
    backend = *ref_backend();
    models = *backend.models;
    models.fresh_every = fault_is("stale-fresh") ? 1 : 0;
    backend.models = &models;
    backend.name = "broken";
    backend.summary = "the reference with a planted fault, for tests";
    backend.create = create;
    backend.destroy = destroy;
    backend.load = load;
    backend.run = run;
    backend.read_state = read_state;
    backend.trace = trace;
    return &backend;
}
