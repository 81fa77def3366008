/*
 * Fuzz target: `reference` and `fast`, or the backends that PICAFUZZ_BACKENDS names (hunt.h), give the same bits for
 * every case. Any byte string is a case (docs/formats/pcb.md).
 *
 * With libFuzzer this file, a mutator (mutator_libfuzzer.c) and -fsanitize=fuzzer make the fuzzer; with replay.c it
 * becomes a program that replays files. A supervisor watches progress through the file that PICAFUZZ_STATISTICS names.
 */
#include "harness/targets/edges.h"
#include "harness/targets/feedback.h"
#include "harness/targets/hunt.h"
#include "harness/targets/target.h"

#include <stdio.h>
#include <unistd.h>

/* A target's process has one hunt; the engines' interface leaves no other place for it. */
static struct hunt *hunt;
static struct feedback *feedback; /* NULL: none */
static struct edges *edges;       /* NULL: no plug-in of another process has any */

/* A function of its own for each kind of failure, so that engines which tell crashes apart by their stack see kinds. */
static __attribute__((noinline)) void backends_differ(void)
{
    fprintf(stderr, "picafuzz: the backends differ\n%s", hunt_message(hunt));
    __builtin_trap();
}

static __attribute__((noinline)) void backend_died(void)
{
    fprintf(stderr, "picafuzz: %s", hunt_message(hunt));
    __builtin_trap();
}

/* Once, when the engine has done all its forking: a backend may have threads, or a process of its own. */
void target_start(void)
{
    static bool started;
    if (started)
        return;
    started = true;
    struct harness_pair *const pair = hunt_pair(hunt);
    if (pair == NULL)
        target_cannot_begin("a backend cannot be started");
    feedback = feedback_create(harness_pair_reference(pair), feedback_level_of_environment());
}

bool target_has_guests(void)
{
    size_t count = 0;
    const struct harness_backend *const backends = hunt_backends(hunt, &count);
    bool some = false;
    for (size_t i = 0; i < count; i++)
        some = some || backends[i].library != NULL;
    return some;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    struct harness_error error = { "" };
    hunt = hunt_create(harness_pair_statistics_open(), &error);
    size_t count = 0;
    const struct harness_backend *const backends = hunt != NULL ? hunt_backends(hunt, &count) : NULL;
    if (hunt == NULL)
        target_cannot_begin(error.message);
    edges = edges_create(backends, count);
    return 0;
}

/* All executions are made. libFuzzer has no limit while it reads a corpus, so its process ends here; its own end
 * routines would call that a crash. afl-fuzz (-E) ends by itself, and would start another process. */
static void end_if_over(void)
{
#if !defined(__AFL_COMPILER)
    _exit(0);
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (hunt_is_over(hunt)) {
        end_if_over();
        return 0;
    }
    target_start();
    feedback_begin(feedback);
    const enum harness_outcome outcome = hunt_run(hunt, data, size);
    feedback_end(feedback);
    edges_tell(edges, hunt_pair(hunt));
    if (outcome == HARNESS_DIVERGE)
        backends_differ();
    if (harness_outcome_died(outcome))
        backend_died();
    return 0;
}
