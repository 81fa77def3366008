/* Emulators that are scripts and write the entries of a journal: who is to blame for what is left open? */
#define _POSIX_C_SOURCE 200809L

#include "harness/console/emulate.h"
#include "harness/console/journal.h"
#include "tests/cli/command.h"
#include "tests/console_host/bench.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

enum {
    KINDS = CONSOLE_EMULATE_HUNG + 1,
    SELF_TEST = CONSOLE_JOURNAL_TEST
};

static struct bench bench;
static char room[512], journal[600], results[600], script[600];
static unsigned notes[KINDS];
static char last_how[64];
static struct console_emulated emulated;

static void add(struct harness_text *out, uint32_t kind, uint32_t argument, uint32_t size)
{
    struct console_journal entry = { .magic = CONSOLE_JOURNAL_MAGIC,
                                     .kind = kind,
                                     .argument = argument,
                                     .id = { bench.view.head.id[0], bench.view.head.id[1] },
                                     .results = { size, 0 } };
    entry.crc = (uint32_t)crc32(0, (const Bytef *)&entry, sizeof entry - 4);
    harness_text_bytes(out, &entry, sizeof entry);
}

/*
 * A directory with an emulator: `put N` adds the next N entries to the journal: one OPEN, START and DONE of `first`,
 * then of the runs that follow, with `size` bytes of results from the first DONE on, and END.
 */
static void furnish(const char *name, uint32_t first, uint32_t size, const char *emulator)
{
    struct harness_text text = { 0 };
    bench_open(&bench);
    fresh_directory(room, sizeof room, name);
    (void)snprintf(journal, sizeof journal, "%s/journal", room);
    (void)snprintf(results, sizeof results, "%s/results", room);
    (void)snprintf(script, sizeof script, "%s/emu", room);
    add(&text, CONSOLE_JOURNAL_OPEN, 0, 0);
    add(&text, CONSOLE_JOURNAL_START, first, 0);
    add(&text, CONSOLE_JOURNAL_DONE, first, size);
    for (uint32_t run = first == 0; run < bench.view.head.run_count; run++) {
        add(&text, CONSOLE_JOURNAL_START, run, size);
        add(&text, CONSOLE_JOURNAL_DONE, run, size);
    }
    add(&text, CONSOLE_JOURNAL_END, 0, size);
    cr_assert(write_bytes(room, "all", text.data, text.size));
    harness_text_clear(&text);
    harness_text_format(
        &text,
        "cd '%s'\nput() { dd bs=32 skip=$(($(wc -c <journal) / 32)) count=$1 <all >>journal 2>/dev/null; }\n"
        "starts=$(($(cat starts) + 1)); echo $starts >starts\n%s\n",
        room, emulator);
    cr_assert(write_bytes(room, "emu", text.data, text.size) && write_bytes(room, "starts", "0", 1) &&
              write_bytes(room, "results", "", 0) && write_bytes(room, "journal", "", 0));
    harness_text_free(&text);
}

static bool never(void)
{
    return false;
}

static void take_note(void *user, const struct console_emulate_note *note)
{
    (void)user;
    notes[note->kind]++;
    if (note->how != NULL)
        (void)snprintf(last_how, sizeof last_how, "%s", note->how);
}

static void run(void)
{
    static char shell[] = "/bin/sh";
    char *const command[] = { shell, script, NULL };
    const struct console_emulate emulate = { .view = &bench.view,
                                             .journal = journal,
                                             .results = results,
                                             .command = command,
                                             .limit = 0.5,
                                             .is_interrupted = never,
                                             .observer = take_note };
    struct harness_error error = { "" };
    cr_assert_eq(console_emulate_run(&emulate, &emulated, &error), HARNESS_OK, "%s", error.message);
    bench_close(&bench);
}

Test(journal, what_a_stuck_emulator_begins_when_it_is_asked_to_end_does_not_hang, .timeout = 60)
{
    furnish("journal-wakes", 0, 0,
            "[ $starts = 2 ] && { put 99; exit; }\n"
            "trap 'put 2; trap \"\" TERM; sleep 1000' TERM; put 2; sleep 1000 & wait");
    run();
    cr_expect(emulated.is_over, "%s", emulated.why);
    cr_expect_eq(emulated.starts, 2);
    cr_expect_eq(notes[CONSOLE_EMULATE_HUNG], 0);
    cr_expect_eq(notes[CONSOLE_EMULATE_AGAIN], 0);
}

Test(journal, starts_that_do_nothing_are_given_up_also_behind_a_self_test_that_hung, .timeout = 60)
{
    furnish("journal-stands", (uint32_t)SELF_TEST, 0, "[ $starts = 1 ] && put 2; exec sleep 1000");
    run();
    cr_expect(!emulated.is_over);
    cr_expect_eq(emulated.starts, 4);
    cr_expect_eq(notes[CONSOLE_EMULATE_HUNG], 1);
    cr_expect_not_null(strstr(emulated.why, "3 starts came to nothing"), "%s", emulated.why);
}

/* The second start must not go on behind a run of which nothing is on the card. */
Test(journal, runs_whose_results_were_lost_are_run_again, .timeout = 60)
{
    furnish("journal-lost", 0, 100,
            "[ $starts = 1 ] && { printf %40s >results; put 4; kill -9 $$; }\n"
            "wc -c <journal >left; printf %100s >results; put 99");
    run();
    char left[8] = "";
    char path[600];
    (void)snprintf(path, sizeof path, "%s/left", room);
    FILE *const file = fopen(path, "r");
    cr_assert_not_null(file);
    cr_assert_not_null(fgets(left, sizeof left, file));
    (void)fclose(file);
    cr_expect_str_eq(left, "32\n", "left of the journal: %s", left);
    cr_expect(emulated.is_over, "%s", emulated.why);
    cr_expect_eq(emulated.starts, 2);
    cr_expect_eq(notes[CONSOLE_EMULATE_AGAIN], 0, "nobody knows in what it died");
}

Test(journal, an_emulator_that_ends_well_crashes_though_a_helper_lives_on, .timeout = 60)
{
    furnish("journal-helper", 0, 0,
            "case $starts in\n1) put 2; sleep 1000 & exit 0;;\n2) put 1; sleep 1000 & exit 0;;\n*) put 99;;\nesac");
    run();
    cr_expect(emulated.is_over, "%s", emulated.why);
    cr_expect_eq(emulated.starts, 3);
    cr_expect_eq(notes[CONSOLE_EMULATE_HUNG], 0);
    cr_expect_eq(notes[CONSOLE_EMULATE_CRASHED], 1);
    cr_expect_str_eq(last_how, "exit code 0");
}

Test(journal, what_a_launcher_started_hangs_after_the_launcher_ended, .timeout = 60)
{
    furnish("journal-launcher", 0, 0,
            "[ $starts = 1 ] && { { sleep 0.3; put 2; exec sleep 1000; } & exit 0; }\nput 99");
    run();
    cr_expect(emulated.is_over, "%s", emulated.why);
    cr_expect_eq(emulated.starts, 2);
    cr_expect_eq(notes[CONSOLE_EMULATE_HUNG], 1);
}

/* picafuzz is killed; what a launcher started goes on, and would write into the journal of the next one. */
Test(journal, is_held_while_an_emulator_lives_that_was_left_behind, .timeout = 60)
{
    struct harness_error error = { "" };
    int lock = -1, status = 0;
    furnish("journal-held", 0, 0, "setsid sleep 1000 & echo $! >pid; kill -9 $PPID; exec sleep 1000");
    const pid_t process = fork();
    if (process == 0) {
        (void)console_journal_hold(journal, &lock, &error);
        run();
        _exit(1);
    }
    cr_assert_eq(waitpid(process, &status, 0), process);
    cr_expect(WIFSIGNALED(status));
    cr_expect_eq(console_journal_hold(journal, &lock, &error), HARNESS_HOST);
    cr_expect_not_null(strstr(error.message, "another emulate runs there"), "%s", error.message);
    (void)close(lock);
    char line[700];
    (void)snprintf(line, sizeof line, "kill $(cat '%s/pid')", room);
    cr_assert_eq(system(line), 0);
    cr_expect_eq(console_journal_hold(journal, &lock, &error), HARNESS_OK, "%s", error.message);
    (void)close(lock);
}
