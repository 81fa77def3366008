/* Children that exit, crash, hang, leave children behind, ignore signals: each ends as it is told. */
#include "harness/run/child.h"
#include "harness/run/shared.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------- what children do */

static int give_back(void *user)
{
    return *(const int *)user;
}

static int die_by_signal(void *user)
{
    (void)raise(*(const int *)user);
    return 0;
}

static int hang(void *user)
{
    (void)user;
    while (pause() != 0) { /* it never returns 0 */
    }
    return 0;
}

static int begin_and_hang(void *user)
{
    *(volatile bool *)user = true;
    return hang(NULL);
}

static int compute(void *user)
{
    volatile unsigned i = 0;
    (void)user;
    while (i != UINT_MAX)
        i = (i + 1) % 1000;
    return 0;
}

static int hang_and_refuse_to_end(void *user)
{
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGINT, SIG_IGN);
    return hang(user);
}

static int say_something(void *user)
{
    (void)user;
    printf("this is not for stderr\n");
    fprintf(stderr, "this is");
    return 5;
}

/* Leaves a process behind that holds stderr and writes its number to the shared memory. */
static int leave_a_child(void *user)
{
    volatile pid_t *const left = user;
    const pid_t process = fork();
    if (process == 0)
        (void)hang(NULL);
    *left = process;
    fprintf(stderr, "left\n");
    return 0;
}

static struct harness_child start(const struct harness_child_setup *setup, int (*work)(void *user), void *user)
{
    struct harness_child child = { .process = 0 };
    cr_assert(harness_child_start(&child, setup, work, user), "%s", strerror(errno));
    return child;
}

static bool is_gone(pid_t process)
{
    for (int i = 0; i < 60000; i++) { /* init takes a moment to reap what we did not start */
        char path[64], state = 'Z';
        (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
        FILE *const file = fopen(path, "r");
        if (file == NULL || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
            state = 'Z';
        if (file != NULL)
            (void)fclose(file);
        if (state == 'Z')
            return true;
        (void)usleep(1000);
    }
    return false;
}

/* ----------------------------------------------------------------------------------------------------- how they end */

Test(child, an_exit_code_comes_back)
{
    const struct harness_child_setup setup = { .group = false };
    for (int code = 0; code < 256; code += 51) {
        struct harness_child child = start(&setup, give_back, &code);
        const struct harness_child_end end = harness_child_wait(&child);
        cr_expect_eq(end.how, HARNESS_CHILD_EXITED);
        cr_expect_eq(end.number, code);
        cr_expect_eq(harness_child_code(end), 256 + code);
        cr_expect_eq(harness_child_is_good(end), code == 0);
        cr_expect_eq(child.process, 0);
    }
}

Test(child, a_crash_is_a_signal)
{
    static const int signals[] = { SIGSEGV, SIGABRT, SIGKILL, SIGALRM };
    const struct harness_child_setup setup = { .group = true };
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        int number = signals[i];
        (void)signal(SIGSEGV, SIG_DFL); /* the test framework's is not the child's business */
        (void)signal(SIGABRT, SIG_DFL);
        struct harness_child child = start(&setup, die_by_signal, &number);
        const struct harness_child_end end = harness_child_wait(&child);
        cr_expect_eq(end.how, HARNESS_CHILD_SIGNALLED);
        cr_expect_eq(end.number, number);
        cr_expect_eq(harness_child_code(end), number);
    }
}

Test(child, patience_ends_and_sigkill_cannot_be_refused)
{
    const struct harness_child_setup setup = { .group = true };
    struct harness_child child = start(&setup, hang_and_refuse_to_end, NULL);
    const pid_t process = child.process;
    harness_child_stop(&child, false); /* may come before it ignores it */
    const struct harness_child_end end = harness_child_wait_or_kill(&child, 50);
    cr_expect(end.how == HARNESS_CHILD_TIMED_OUT || end.number == SIGINT);
    cr_expect_eq(child.process, 0);
    cr_expect(is_gone(process));
}

Test(child, one_that_ends_in_time_is_not_killed)
{
    const struct harness_child_setup setup = { .group = false };
    int code = 7;
    struct harness_child child = start(&setup, give_back, &code);
    const struct harness_child_end end = harness_child_wait_or_kill(&child, 10000);
    cr_expect_eq(end.how, HARNESS_CHILD_EXITED);
    cr_expect_eq(end.number, 7);
}

Test(child, sigint_asks_a_group_of_its_own_whatever_this_process_does_with_it)
{
    const struct harness_child_setup setup = { .group = true };
    volatile bool *const has_begun = harness_shared_create(sizeof *has_begun);
    cr_assert_not_null((const void *)has_begun);
    (void)signal(SIGINT, SIG_IGN);
    struct harness_child child = start(&setup, begin_and_hang, (void *)has_begun);
    while (!*has_begun)
        (void)usleep(1000);
    harness_child_stop(&child, false);
    const struct harness_child_end end = harness_child_wait_or_kill(&child, 10000);
    cr_expect_eq(end.how, HARNESS_CHILD_SIGNALLED);
    cr_expect_eq(end.number, SIGINT);
}

Test(child, killing_one_takes_what_it_started_along)
{
    const struct harness_child_setup setup = { .group = true, .silent = true };
    volatile pid_t *const left = harness_shared_create(sizeof *left);
    cr_assert_not_null((const void *)left);
    struct harness_child child = start(&setup, leave_a_child, (void *)left);
    while (*left == 0)
        (void)usleep(1000);
    harness_child_kill(&child);
    harness_child_kill(&child); /* nothing to do */
    cr_expect(is_gone(*left));
}

static int start_a_grandchild_and_hang(void *user)
{
    const struct harness_child_setup setup = { .death_signal = SIGKILL };
    struct harness_child child = start(&setup, hang, NULL);
    *(volatile pid_t *)user = child.process;
    return hang(NULL);
}

Test(child, a_parent_that_is_killed_leaves_no_orphan)
{
    const struct harness_child_setup setup = { .group = false };
    volatile pid_t *const left = harness_shared_create(sizeof *left);
    cr_assert_not_null((const void *)left);
    struct harness_child child = start(&setup, start_a_grandchild_and_hang, (void *)left);
    while (*left == 0)
        (void)usleep(1000);
    harness_child_kill(&child);
    cr_expect(is_gone(*left));
}

/* ----------------------------------------------------------------------------------------------------- the watchdog */

static struct harness_child_time limits_of(const void *user)
{
    return *(const struct harness_child_time *)user;
}

static enum harness_child_heard listen_for(int (*work)(void *user), struct harness_child_time limit, double *wall)
{
    const struct harness_child_setup setup = { .group = true };
    int ends[2];
    cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
    struct harness_child child = start(&setup, work, NULL);
    const struct harness_child_time begin = harness_child_begin(&child);
    const enum harness_child_heard heard = harness_child_listen(&child, ends[0], begin, limits_of, &limit);
    *wall = harness_child_spent(&child, begin).wall;
    harness_child_kill(&child);
    (void)close(ends[0]);
    (void)close(ends[1]);
    return heard;
}

Test(child, processor_time_and_time_are_limits_of_their_own)
{
    double wall = 0.0;
    cr_expect_eq(listen_for(compute, (struct harness_child_time){ 0.1, 0.0 }, &wall), HARNESS_CHILD_LATE);
    cr_expect_eq(listen_for(hang, (struct harness_child_time){ 0.05, 0.3 }, &wall), HARNESS_CHILD_LATE);
    cr_expect_geq(wall, 0.3, "one that does not compute waits for the clock");
}

Test(child, the_end_of_what_it_says_is_heard)
{
    const struct harness_child_setup setup = { .group = false };
    const struct harness_child_time limit = { 0.0, 60.0 };
    int ends[2], code = 0;
    cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
    struct harness_child child = start(&setup, give_back, &code);
    (void)close(ends[1]);
    cr_expect_eq(harness_child_listen(&child, ends[0], harness_child_begin(&child), limits_of, &limit),
                 HARNESS_CHILD_HEARD);
    (void)harness_child_wait(&child);
    (void)close(ends[0]);
}

/* ---------------------------------------------------------------------------------------------------- what they say */

Test(child, one_that_is_silent_speaks_to_the_file_that_it_is_given)
{
    char got[16] = "";
    const int file = memfd_create("said", MFD_CLOEXEC);
    const struct harness_child_setup setup = { .silent = true, .said = file, .death_signal = SIGKILL };
    struct harness_child child = start(&setup, say_something, NULL);
    const struct harness_child_end end = harness_child_wait(&child);
    cr_expect_eq(end.how, HARNESS_CHILD_EXITED);
    cr_expect_eq(end.number, 5);
    (void)!pread(file, got, sizeof got - 1, 0);
    cr_expect_str_eq(got, "this is");
    (void)close(file);
}

static int print_much_and_steer(void *user)
{
    char line[2 * HARNESS_LINE_SIZE];
    memset(line, 'a', sizeof line);
    (void)!write(STDOUT_FILENO, "\033[2Jred\n", 8);
    for (int i = 0; i < *(const int *)user; i++)
        (void)!write(STDERR_FILENO, line, sizeof line); /* more than a pipe holds */
    (void)!write(STDERR_FILENO, "\xFF\0", 2);
    return 0;
}

Test(child, what_it_prints_comes_without_what_steers_a_terminal)
{
    int times = 32;
    struct harness_child child;
    const struct harness_child_setup setup = { .group = true, .tamed = true, .death_signal = SIGKILL };
    char got[11] = "";
    const int file = memfd_create("printed", 0), before = dup(STDERR_FILENO);
    (void)dup2(file, STDERR_FILENO);
    const bool started = harness_child_start(&child, &setup, print_much_and_steer, &times);
    const struct harness_child_end end = harness_child_wait_or_kill(&child, 60000);
    (void)dup2(before, STDERR_FILENO);
    cr_assert(started && harness_child_is_good(end), "it waits until somebody reads");
    const off_t size = lseek(file, 0, SEEK_END);
    cr_expect_eq(size, 8 + times * 2 * HARNESS_LINE_SIZE + 2, "%ld bytes", (long)size);
    (void)!pread(file, got, 8, 0);
    (void)!pread(file, got + 8, 2, size - 2);
    cr_expect_str_eq(got, "?[2Jred\n??");
    (void)close(before);
    (void)close(file);
}

static int leave_a_session(void *user)
{
    if (fork() == 0) {
        (void)setsid();
        *(volatile pid_t *)user = getpid();
        hang(NULL);
    }
    while (*(volatile pid_t *)user == 0)
        (void)usleep(1000);
    return 0;
}

Test(child, what_began_a_session_of_its_own_is_adopted_and_ended)
{
    volatile pid_t *const left = harness_shared_create(sizeof *left);
    const struct harness_child_setup setup = { .group = true, .death_signal = SIGKILL };
    struct harness_child child;
    cr_assert(harness_child_adopt());
    cr_assert(harness_child_start(&child, &setup, leave_a_session, (void *)left));
    cr_expect_not(harness_child_adopt(), "it has a child");
    cr_expect(harness_child_is_good(harness_child_wait_or_kill(&child, 60000)));
    cr_expect_eq(kill(*left, 0), 0, "it is in no group of ours");
    harness_child_end_all();
    cr_expect(is_gone(*left));
}

/* ------------------------------------------------------------------------------------------------------- the packer */

Test(shared, pieces_are_aligned_apart_and_end_where_the_memory_does)
{
    enum {
        SIZE = 4096,
        HEAD = 20
    };
    uint8_t *const memory = harness_shared_create(SIZE);
    cr_assert_not_null(memory);
    struct harness_packer packer = harness_packer_behind(memory, SIZE, HEAD);
    const uint8_t *const first = harness_pack(&packer, "abc", 3);
    const struct harness_packer here = packer;
    const uint8_t *const second = harness_pack_room(&packer, 1);
    cr_expect_eq(first, memory + 32);
    cr_expect_eq(second, first + 16);
    cr_expect_arr_eq(first, "abc", 3);
    packer = here;
    cr_expect_eq(harness_pack_room(&packer, packer.left), second, "room that is given back is there again");
    cr_expect_null(harness_pack_room(&packer, 1));
    cr_expect(packer.failed);
    packer = here;
    cr_expect_null(harness_pack_room(&packer, SIZE_MAX), "a size that wraps when it is rounded up");
    cr_expect_null(harness_pack_room(&packer, 0), "after a failure there is nothing more");
    harness_shared_destroy(memory, SIZE);
    harness_shared_destroy(NULL, SIZE);
}

Test(shared, a_setup_takes_what_was_announced_and_points_at_its_own_copy)
{
    static const uint8_t bytes[] = { 1, 2, 3, 4, 5 };
    static struct pica_state state;
    const struct pica_window windows[2] = { { .address = 0x18000000, .size = 0x1000 }, { .address = 0x20000000 } };
    const struct pica_chunk chunks[1] = { { .data = bytes, .size = sizeof bytes } };
    const struct pica_setup setup = {
        .windows = windows, .window_count = 2, .chunks = chunks, .chunk_count = 1, .initial_state = &state
    };
    const size_t size = harness_packed_setup_size(&setup);
    uint8_t *const memory = harness_shared_create(size);
    cr_assert_not_null(memory);
    struct harness_packer packer = harness_packer_behind(memory, size, 0);
    struct pica_setup copy;
    cr_assert(harness_pack_setup(&packer, &setup, &copy));
    cr_expect_eq(packer.left, 0);
    cr_expect_arr_eq(copy.chunks[0].data, bytes, sizeof bytes);
    cr_expect_neq(copy.chunks[0].data, bytes);
    cr_expect_eq(copy.windows[1].address, 0x20000000u);
    cr_expect_neq((const void *)copy.initial_state, (const void *)&state);
    packer = harness_packer_behind(memory, size, 1);
    cr_expect_not(harness_pack_setup(&packer, &setup, &copy), "one piece too few");
    harness_shared_destroy(memory, size);
}
