/*
 * The main program of a fuzz target for AFL++, in persistent mode with shared memory: one process runs thousands of
 * inputs. Compiled by afl-clang-fast, whose macros are GNU C. With file names as arguments it replays these files
 * instead, so that a finding can be examined without afl-fuzz.
 */
#include "harness/targets/counters_afl.h"
#include "harness/targets/target.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
    CASES_A_PROCESS = 100000
};

__AFL_FUZZ_INIT();

/* Runs the input from a block of exactly its size, as libFuzzer does: so AddressSanitizer sees a read past its end. */
static void run_one(const unsigned char *bytes, size_t size)
{
    uint8_t *const copy = malloc(size != 0 ? size : 1);
    if (copy == NULL) {
        fprintf(stderr, "picafuzz: out of memory\n");
        exit(1);
    }
    if (size != 0)
        memcpy(copy, bytes, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int argc, char **argv)
{
    /* Without afl-fuzz, AFL++'s runtime believes before this line that its fork server is up. It would then end a
     * process that loads an instrumented plug-in, or registers the edges of one in a process of its own. */
    (void)setenv("AFL_IGNORE_PROBLEMS", "1", 1);
    if (argc > 1)
        counters_close();
    (void)LLVMFuzzerInitialize(&argc, &argv);
    if (argc > 1)
        return harness_replay_files(argc, argv);
    const pid_t server = getpid();
    __AFL_INIT(); /* this process becomes the fork server, after all set-up; its children continue from here */
    /* If afl-fuzz is killed, its fork server ends by itself, but this process, which is stopped, would wait forever. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getpid() != server && getppid() != server) /* the fork server has ended already */
        return 0;
    counters_begin();
    if (target_start != NULL)
        target_start();
    counters_forget();
    if (target_has_guests == NULL || !target_has_guests())
        counters_tell_by_clock();
    const unsigned char *const bytes = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(CASES_A_PROCESS)) {
        const size_t size = (size_t)__AFL_FUZZ_TESTCASE_LEN;
        run_one(bytes, size);
        counters_tell();
    }
    return 0;
}
