/* Backends in a process of their own that crash, hang and exit: what a user sees. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLUG_IN "'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'"
#define INLINE  "inline:" PLUG_IN
#define HOSTILE "'" PICAFUZZ_BINARY_DIR "/lib/hostile_backend.so'"
#define CASE    "corpus/captures/jumps-f5.picacap"
#define FILLS   "corpus/seeds/fill/widths.pcase"

static struct command_result result;
static char directory[1024];
static char arguments[8192];

static void expect(const char *fault, const char *line, int code, const char *words)
{
    char environment[64];
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_FAULT=%s", fault);
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, code, "%s, %s: %d: %s", fault, line, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, words), "%s, %s: %s", fault, line, result.output);
}

Test(process_command, a_sound_backend_agrees_and_a_wrong_one_is_located)
{
    expect("none", "diff -b reference," PLUG_IN " " CASE, 0, "agree");
    expect("pixel", "diff -b reference," PLUG_IN " " CASE, 1, "operation  5 (run list)");
    expect("none", "run --no-pictures -b " PLUG_IN " " CASE, 0, "broken: 15 operation(s)");
    expect("none", "check -b " PLUG_IN " " CASE, 0, "all hold");
    expect("none", "diff -b process:reference,process:fast " CASE, 0, "agree");
    expect("none", "backends " PLUG_IN, 0, "broken - the reference with a planted fault");
}

Test(process_command, whatever_kills_it_is_named_with_backend_case_and_operation)
{
    static const struct {
        const char *fault, *words;
    } rows[] = {
        { "crash",
          CASE ": crash: backend broken: running an operation (operation 5): crashed in run (submit): Aborted, "
               "in fail_after()" },
        { "exit",
          CASE ": crash: backend broken: running an operation (operation 5): ended its process in run (submit): exit "
               "code 7" },
        { "hang", CASE ": hang: backend broken: running an operation (operation 5): hung in run (submit)" },
        { "open-crash", "broken_backend.so: crashed in dlopen: Aborted" },
        { "create-crash", CASE ": crash: backend broken: loading the case: crashed in create: Aborted" },
        { "load-crash", CASE ": crash: backend broken: loading the case: crashed in load: Aborted" },
        { "read-crash", CASE ": crash: backend broken: reading results (operation 4): crashed in read_state: Aborted" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect(rows[i].fault, "diff --timeout 0.3 -b reference," PLUG_IN " " CASE, 3, rows[i].words);
    expect("crash", "run --no-pictures -b " PLUG_IN " " CASE, 3, " (fail_after+0x");
}

Test(process_command, a_backend_that_cannot_start_says_why_in_every_command)
{
    static const char *const lines[] = {
        "diff -b reference," PLUG_IN " " CASE,
        "diff -b reference," INLINE " " CASE,
        "check -b " PLUG_IN " " CASE,
        "diff -b reference," PLUG_IN " --generate 1 2",
        "triage -b reference," PLUG_IN " " CASE,
        "reduce -o /dev/null -b reference," PLUG_IN " " CASE,
        "fingerprint -b " PLUG_IN,
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect("create-fail", lines[i], 4, "(it said: broken: giving up)");
    fresh_directory(directory, sizeof directory, "process-start");
    (void)snprintf(arguments, sizeof arguments, "fuzz --seconds 1 --findings '%s' -b " PLUG_IN, directory);
    expect("create-fail", arguments, 4, "a backend does not start (it said: broken: giving up)");
    expect("create-fail", lines[0], 4, "broken: no display\n" CASE ": trouble: backend broken: cannot be created (it");
}

Test(process_command, who_gives_a_case_more_time_gives_it_to_each_call)
{
    expect("hang", "run --no-pictures --timeout 0.6 -b " PLUG_IN " " CASE, 3, "0.6 s of processor time");
    expect("hang", "run --no-pictures --timeout 0.2 -b " PLUG_IN " " CASE, 3, "0.2 s of processor time");
    expect("", "run --help", 0, "(0 to 86400; default 10)");
}

/* Processor time alone would wait for it for ever. */
Test(process_command, who_sleeps_is_ended_by_the_clock)
{
    expect("wait", "diff --timeout 0.25 -b reference," PLUG_IN " " CASE, 3,
           CASE ": hang: backend broken: running an operation (operation 5): hung in run (submit): not done after 2.");
}

/* Its exit code is that of a program that found nothing. */
Test(process_command, exit_0_is_no_agreement)
{
    expect("exit0", "diff -b reference," PLUG_IN " " CASE, 3, "ended its process in run (submit): exit code 0");
    expect("exit0", "diff -b reference," INLINE " " CASE, 3,
           "crashed in operation 5 (submit): it ended its process with exit code 0");
    cr_expect_null(strstr(result.output, "1 of 1"), "%s", result.output);
    expect("exit0", "check -b " INLINE " " CASE, 3, "deterministic: it ended its process with exit code 0");
}

/* 0xAA everywhere: nothing that the program kept there can be believed, a limit of memory or a verdict as little as a
 * text, which does not even end. */
Test(process_command, who_writes_over_shared_memory_is_named)
{
    static const char *const tried[] = { "check -b " INLINE " " CASE, "diff -b reference," INLINE " " CASE " " CASE,
                                         "diff -b reference," INLINE " --generate 1 3",
                                         "diff -b reference," PLUG_IN " " CASE };
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++)
        expect("scribble", tried[i], 3, ": crash: backend broken: wrote over memory that is not its own");
    expect("scribble", "run --no-pictures -b " PLUG_IN " " CASE, 3, "wrote over memory that is not its own");
    expect("scribble", "run --no-pictures -b " INLINE " " CASE, 3, "wrote over memory that is not its own");
}

Test(process_command, who_dies_in_destroy_or_at_unloading_is_seen)
{
    expect("destroy-crash", "diff -b reference," PLUG_IN " " CASE, 3,
           "backend broken: crashed in destroy or at unloading: Aborted");
    cr_expect_not_null(strstr(result.output, ": agree, "), "the result was there before: %s", result.output);
    expect("unload-crash", "diff -b reference," PLUG_IN " " CASE, 3, "crashed in destroy or at unloading: Aborted");
    expect("unload-crash", "check -b " PLUG_IN " " CASE, 3, "crashed in destroy or at unloading: Aborted");
    expect("destroy-crash", "diff -b reference," INLINE " " CASE, 3, "crashed in destroy or at unloading: Aborted");
    expect("unload-crash", "diff -b reference," INLINE " " CASE, 3, "crashed in destroy or at unloading: Aborted");
}

Test(process_command, who_blocks_signals_and_drops_its_alarm_is_ended)
{
    expect("deaf", "diff --timeout 0.3 -b reference," PLUG_IN " " CASE, 3, "hung in run (submit)");
    expect("deaf", "diff --timeout 0.3 -b reference," INLINE " " CASE, 3,
           "hung in operation 5 (submit): not done after 0.3 s");
}

/* The number 57 tells its processes from those of other tests. */
static bool something_runs(const char *with)
{
    char line[2048];
    (void)snprintf(line, sizeof line, "pgrep -f '%s.*broken_backend.so' >/dev/null", with);
    return system(line) == 0;
}

Test(process_command, children_that_a_plug_in_leaves_are_ended)
{
    expect("session", "diff --timeout 56 -b reference," PLUG_IN " " CASE, 0, ": agree, ");
    cr_expect_not(something_runs("[d]iff --timeout 56 -b reference,.*" PICAFUZZ_BINARY_DIR));
    expect("fork", "diff --timeout 57 -b reference," PLUG_IN " " CASE, 0, ": agree, ");
    cr_expect_not(something_runs("[d]iff --timeout 57 -b reference,.*" PICAFUZZ_BINARY_DIR));
}

/* Where cases run in workers, too: asked whether it comes back, sorted, reduced. */
Test(process_command, children_that_a_plug_in_leaves_behind_a_worker_are_ended)
{
    fresh_directory(directory, sizeof directory, "forks");
    expect("fork-pixel", "diff --timeout 58 -b reference," PLUG_IN " " CASE, 1, "diverge");
    cr_expect_not(something_runs("[d]iff --timeout 58 -b reference,.*" PICAFUZZ_BINARY_DIR));
    (void)snprintf(arguments, sizeof arguments, "reduce --seconds 59 -b reference," PLUG_IN " " CASE " -o '%s/a.pcase'",
                   directory);
    expect("fork-pixel", arguments, 0, "diverge");
    cr_expect_not(something_runs("[r]educe --seconds 59 -b reference,.*" PICAFUZZ_BINARY_DIR));
    (void)snprintf(arguments, sizeof arguments, "triage --timeout 1.999 -b reference," PLUG_IN " '%s'", directory);
    expect("fork-pixel", arguments, 1, "diverge-");
    cr_expect_not(something_runs("[t]riage --timeout 1.999 -b reference,.*" PICAFUZZ_BINARY_DIR));
}

/* A sanitizer takes terabytes of addresses; nothing is limited there. */
#if defined(__SANITIZE_ADDRESS__)
#define UNLIMITED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define UNLIMITED 1
#endif
#endif

#ifndef UNLIMITED
Test(process_command, a_plug_in_that_eats_memory_is_refused_it)
{
    expect("eat", "diff --memory-limit 256 -b reference," PLUG_IN " " CASE, 4,
           "backend broken: loading the case: out of memory: its limit is 256 MiB");
    expect("eat", "diff --memory-limit 256 -b reference," INLINE " " CASE, 4,
           "backend broken: loading the case: out of memory: its limit is 256 MiB");
}

/* Told apart from a crash, also where malloc gave NULL and nobody looked. */
Test(process_command, a_plug_in_that_dies_for_want_of_memory_is_out_of_memory)
{
    static const char *const faults[] = { "starve", "starve-once", "starve-exit" };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        expect(faults[i], "diff --memory-limit 256 -b reference," PLUG_IN " " CASE, 3,
               "out of memory in run (submit): its limit is 256 MiB");
        expect(faults[i], "diff --memory-limit 256 -b reference," INLINE " " CASE, 3,
               "out of memory: its limit is 256 MiB");
    }
    expect("starve-once", "diff -b reference," PLUG_IN " " CASE, 3, "its limit is 4096 MiB (Segmentation fault)");
    expect("crash", "diff --memory-limit 256 -b reference," PLUG_IN " " CASE, 3, "crashed in run (submit)");
    expect("starve-once", "backends " PLUG_IN, 3, "out of memory: its limit is 4096 MiB");
}

/* A finding's bucket says it. */
Test(process_command, a_bucket_says_out_of_memory)
{
    fresh_directory(directory, sizeof directory, "process-memory");
    (void)snprintf(arguments, sizeof arguments, "cp '" PICAFUZZ_SOURCE_DIR "/" CASE "' '%s/case.picacap'", directory);
    run_command(&result, arguments);
    (void)snprintf(arguments, sizeof arguments, "triage --memory-limit 256 -b reference," INLINE " '%s'", directory);
    expect("starve", arguments, 3, "signal 11: out of memory: its limit is 256 MiB");
}
#endif

/* Statics that outlive an instance. */
Test(process_command, a_fresh_process_forgets)
{
    expect("stale", "diff --generate 1 20 --quiet -b reference," PLUG_IN, 1,
           "unstable: the difference came back in 0 of 3 fresh processes; it depends on the 2 cases before it");
    expect("stale", "diff --generate 1 20 --quiet --fresh-every 1 -b reference," PLUG_IN, 0,
           "17 of 20 generated cases agree, 3 changed no memory\n");
    expect("stale-fresh", "diff --generate 1 20 --quiet -b reference," INLINE, 0,
           "17 of 20 generated cases agree, 3 changed no memory\n");
}

Test(process_command, run_check_and_backends_say_so_too)
{
    expect("crash", "run --no-pictures -b " PLUG_IN " " CASE, 3,
           CASE ": backend broken: running the case, operation 5: crashed in run (submit): Aborted");
    expect("crash", "check -b " PLUG_IN " " CASE, 3, "backend broken: crashed in the check deterministic");
    expect("load-crash", "backends " PLUG_IN, 3, "Aborted, in load");
}

/* "large": only lists of more than 1024 bytes; some generated cases have one, some have not. */
Test(process_command, a_run_over_many_cases_goes_on_after_a_crash)
{
    expect("large-crash", "check --generate 1 12 --relations deterministic -b " PLUG_IN, 3, " of 12 cases agree, ");
    size_t crashes = 0;
    for (const char *at = result.output; (at = strstr(at, "crashed in the check")) != NULL; at++)
        crashes++;
    cr_expect_geq(crashes, 2, "%s", result.output);
    cr_expect_leq(crashes, 11, "%s", result.output);
}

Test(process_command, reduce_keeps_the_crash_and_its_words_without_losing_a_worker)
{
    fresh_directory(directory, sizeof directory, "process-reduce");
    (void)snprintf(arguments, sizeof arguments, "reduce -b reference," PLUG_IN " " CASE " -o '%s/small.pcase'",
                   directory);
    expect("shout", arguments, 0, "crash in fail_after: signal 6: Assertion 'size > ##' failed");
    expect("exit", arguments, 0, "crash in submit: exit 7");
    (void)snprintf(arguments, sizeof arguments,
                   "reduce -b " PLUG_IN " " CASE " -o '%s/shown.pcase' --show --c '%s/shown.c'", directory, directory);
    expect("crash", arguments, 0, "signal 6");
    cr_expect_not_null(strstr(result.output, "run 0x18000000 {"), "what is left is printed: %s", result.output);
    (void)snprintf(arguments, sizeof arguments, "grep -q 'hooks->submit_list(hooks->user, 0x18000000' '%s/shown.c'",
                   directory);
    cr_expect_eq(system(arguments), 0);
    (void)snprintf(arguments, sizeof arguments,
                   "reduce --timeout 0.1 -b reference," PLUG_IN " " CASE " -o '%s/small.pcase'", directory);
    expect("hang", arguments, 0, "hang in submit");
}

/* Four operations of 0.3 s: none of them is too long by itself. */
Test(process_command, what_a_case_takes_counts_together)
{
    static const char *const names[] = { "", "inline:", "process:" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(arguments, sizeof arguments, "diff --timeout 0.7 -b reference,%s" HOSTILE " " FILLS, names[i]);
        run_picafuzz(&result, "PICAFUZZ_HOSTILE=slow@run", arguments);
        cr_expect_eq(result.exit_code, 3, "%s: %s", names[i], result.output);
        cr_expect_not_null(strstr(result.output, "hang"), "%s: %s", names[i], result.output);
    }
    run_picafuzz(&result, "PICAFUZZ_HOSTILE=slow@run", "run --no-pictures --timeout 0.7 -b " HOSTILE " " FILLS);
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
}

/* Else a pipe of the plug-in's process would be descriptor 0. */
Test(process_command, a_closed_input_takes_nothing_of_what_a_plug_in_prints)
{
    run_picafuzz(&result, "PICAFUZZ_HOSTILE=escape@run", "diff -b reference," HOSTILE " " FILLS " <&-");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "RED"), "%s", result.output);
}

Test(process_command, report_lists_the_crash)
{
    fresh_directory(directory, sizeof directory, "process-report");
    (void)snprintf(arguments, sizeof arguments, "report -b reference," PLUG_IN " " CASE " -o '%s/out'", directory);
    expect("crash", arguments, 3, "1 cases, 1 with a finding");
    (void)snprintf(arguments, sizeof arguments,
                   "grep -q 'broken: crash in operation 5 (submit): signal 6' '%s/out/'*/*.html", directory);
    cr_expect_eq(system(arguments), 0);
}

Test(process_command, what_is_no_backend_is_said_at_once)
{
    expect("none", "diff -b reference,./no-such.so " CASE, 2, "cannot be opened");
    expect("none", "diff -b reference,process:nothing " CASE, 4, "not known");
    expect("none", "diff -b reference,process:process:fast " CASE, 2, "one process is enough");
    expect("none", "diff -b reference,inline:process:./x.so " CASE, 2, "one process is enough");
    expect("none", "run -b inline:process:./x.so " CASE, 2, "one process is enough");
    expect("none", "run -b inline:recorded:./x.res " CASE, 2, "leave out what stands before recorded:");
    expect("none", "diff -b reference,process:" PLUG_IN " " CASE, 0, "agree");
}

/* Whatever runs many cases ends after the one that runs, and shows what was done; the exit code says that it is not
 * all. */
Test(process_command, ctrl_c_leaves_what_was_done)
{
    static const struct {
        const char *line, *said, *page; /* where a page is written, or NULL */
    } rows[] = {
        { "diff -b reference," HOSTILE " corpus/seeds/fill", "1 of 1 case agrees", NULL },
        { "diff -b reference," HOSTILE " --generate 1 100", "picafuzz: interrupted: ", NULL },
        { "check -b " HOSTILE " --relations deterministic corpus/seeds/fill", "1 case", NULL },
        { "triage --no-index -b reference," HOSTILE " corpus/seeds/fill", "1 case in 1 bucket", NULL },
        { "regress -b reference -b " HOSTILE " -o '%s/regress' corpus/seeds/fill", "1 agree", "regress/index.html" },
        { "report -b reference," HOSTILE " -o '%s/report' corpus/seeds/fill", "1 cases", "report/index.html" },
        { "score -b " HOSTILE " --html '%s/score.html'", " of ", "score.html" },
    };
    fresh_directory(directory, sizeof directory, "interrupted");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)snprintf(arguments, sizeof arguments, rows[i].line, directory);
        run_picafuzz(&result, "PICAFUZZ_HOSTILE=urge@run PICAFUZZ_COMMAND=$$ exec", arguments);
        cr_expect_eq(result.exit_code, 4, "%s: %d: %s", rows[i].line, result.exit_code, result.output);
        cr_expect_not_null(strstr(result.output, rows[i].said), "%s: %s", rows[i].line, result.output);
        cr_expect_not_null(strstr(result.output, "interrupted: "), "%s: %s", rows[i].line, result.output);
        (void)snprintf(arguments, sizeof arguments, "%s/%s", directory, rows[i].page != NULL ? rows[i].page : "");
        cr_expect_eq(access(arguments, F_OK), 0, "%s: there is no %s", rows[i].line, arguments);
    }
}
