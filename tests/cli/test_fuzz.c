/* `picafuzz fuzz` before and after an engine runs: what it takes over, and what it cleans up. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct command_result result;
static char directory[1024];

static void shell(const char *line)
{
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s: %s", line, result.output);
}

/* ----------------------------------------------------------------------------------------------------- taking over */

/* Size of a file, 0 if there is none. */
static long size_of(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? (long)file.st_size : 0;
}

/* A killed campaign left 300 inputs. Waiting for the disk would cost milliseconds for each. */
Test(fuzz_command, inputs_are_taken_over_without_a_wait_for_each)
{
    char line[8192], path[2048];
    fresh_directory(directory, sizeof directory, "take-over");
    (void)snprintf(line, sizeof line,
                   "mkdir -p '%s/corpus' '%s/corpus-afl/old/queue' && cd '%s/corpus-afl/old/queue' && "
                   "for i in $(seq 100 399); do echo \"input $i\" >id:000$i,src:000000; done",
                   directory, directory, directory);
    shell(line);
    (void)snprintf(line, sizeof line,
                   "cd '%s' && PATH=\"$PWD/tests/cli/fake:$PATH\" PICAFUZZ_FSYNC_LOG='%s/log' env "
                   "LD_PRELOAD='%s/lib/count_fsync.so' '%s/bin/picafuzz' fuzz --engine afl --seconds 30 --target "
                   "/bin/true --mutator tests/cli/fake/afl-fuzz --corpus '%s/corpus' --findings '%s/found'",
                   PICAFUZZ_SOURCE_DIR, directory, PICAFUZZ_BINARY_DIR, PICAFUZZ_BINARY_DIR, directory, directory);
    run_command(&result, line);
    (void)snprintf(path, sizeof path, "%s/corpus", directory);
    cr_expect_eq(count_files(path, ".pcb"), 301, "300 inputs and what the fake one found");
    (void)snprintf(path, sizeof path, "%s/log", directory);
    cr_expect_gt(size_of(path), 0, "findings are flushed, and nobody saw it");
    cr_expect_lt(size_of(path), 30, "%ld times", size_of(path));
}

/* A campaign that takes over what directory/corpus-afl/old holds; `before`: variables. It ends with the fake one. */
static void take_over(const char *before)
{
    char line[8192];
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && env PATH=\"$PWD/tests/cli/fake:$PATH\" %s '%s/bin/picafuzz' fuzz --engine afl --seconds 30 "
        "--target /bin/true --mutator tests/cli/fake/afl-fuzz --corpus '%s/corpus' --findings '%s/found'",
        PICAFUZZ_SOURCE_DIR, before, PICAFUZZ_BINARY_DIR, directory, directory);
    run_command(&result, line);
}

/* Unflushed writes may be lost until the disk confirms them. */
Test(fuzz_command, inputs_stay_where_they_were_found_if_the_disk_does_not_take_them)
{
    char line[8192], path[2048];
    fresh_directory(directory, sizeof directory, "no-flush");
    (void)snprintf(line, sizeof line,
                   "mkdir -p '%s/corpus' '%s/corpus-afl/old/queue' && echo input >'%s/corpus-afl/old/queue/id:1'",
                   directory, directory, directory);
    shell(line);
    (void)snprintf(path, sizeof path, "%s/corpus-afl/old/queue/id:1", directory);
    take_over("PICAFUZZ_SYNCFS_FAILS=1 LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so'");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "corpus: cannot be written: "), "%s", result.output);
    cr_expect(file_exists(path));
    take_over("LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so'");
    cr_expect_eq(result.exit_code, 1, "the fake one finds something: %s", result.output);
    cr_expect_not(file_exists(path));
}

/* The name is there, but the power cut took the contents. */
Test(fuzz_command, an_input_of_which_only_the_name_was_saved_is_taken_over_again)
{
    char line[8192];
    fresh_directory(directory, sizeof directory, "power-cut");
    (void)snprintf(line, sizeof line,
                   "mkdir -p '%s/corpus' '%s/corpus-afl/old/queue' && echo input >'%s/corpus-afl/old/queue/id:1'",
                   directory, directory, directory);
    shell(line);
    take_over("");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && f=$(grep -lx input corpus/*.pcb) && test -n \"$f\" && : >$f && mkdir -p "
                   "corpus-afl/old/queue && echo input >corpus-afl/old/queue/id:1",
                   directory);
    shell(line);
    take_over("");
    (void)snprintf(line, sizeof line, "cd '%s' && grep -lx input corpus/*.pcb", directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "it is empty still");
}

/* ------------------------------------------------------------------------------------------------------- leftovers */

/* A file "PLACE/STEM.tmp-PID-END" that has not changed for this many minutes. */
static void leave(const char *place, const char *stem, pid_t owner, const char *end, int minutes)
{
    char line[8192];
    (void)snprintf(line, sizeof line, "mkdir -p '%s' && touch -d '%d minutes ago' '%s/%s.tmp-%ld-%s'", place, minutes,
                   place, stem, (long)owner, end);
    shell(line);
}

static bool is_left(const char *place, const char *stem, pid_t owner, const char *end)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s.tmp-%ld-%s", place, stem, (long)owner, end);
    return file_exists(path);
}

Test(fuzz_command, what_a_kill_left_goes_and_what_somebody_needs_stays)
{
    static const char *const places[] = { "corpus", "found", "found/crash-submit-0123" };
    char line[8192], place[2048];
    const pid_t gone = ended_process(), alive = getpid();
    cr_assert_gt(gone, 0);
    fresh_directory(directory, sizeof directory, "leftovers");
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(place, sizeof place, "%s/%s", directory, places[i]);
        leave(place, ".picafuzz", gone, "aaaaaa", 25 * 60);
        leave(place, ".picafuzz", gone, "young1", 23 * 60);
        leave(place, ".picafuzz", alive, "bbbbbb", 25 * 60);
        leave(place, ".picafuzz", gone, "long-end", 25 * 60);
        leave(place, "notes", gone, "cccccc", 25 * 60);
    }
    leave("/tmp", "picafuzz", gone, "file01", 25 * 60);
    leave("/tmp", "somebody", gone, "file01", 25 * 60);
    (void)snprintf(
        line, sizeof line,
        "d=/tmp/picafuzz.tmp-%ld-direct && mkdir $d && echo case >$d/case0.pcb && touch -d '25 hours ago' $d",
        (long)gone);
    shell(line);
    (void)snprintf(line, sizeof line,
                   "fuzz --seconds 1 --target tests/cli/quiet_target.sh --corpus '%s/corpus' --findings '%s/found'",
                   directory, directory);
    run_picafuzz(&result, "", line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(place, sizeof place, "%s/%s", directory, places[i]);
        cr_expect_not(is_left(place, ".picafuzz", gone, "aaaaaa"), "%s: of a process that is gone", place);
        cr_expect(is_left(place, ".picafuzz", gone, "young1"), "%s: its process may be in another namespace", place);
        cr_expect(is_left(place, ".picafuzz", alive, "bbbbbb"), "%s: of a living process", place);
        cr_expect(is_left(place, ".picafuzz", gone, "long-end"), "%s: no name of ours", place);
        cr_expect(is_left(place, "notes", gone, "cccccc"), "%s: no stem of ours", place);
    }
    cr_expect_not(is_left("/tmp", "picafuzz", gone, "file01"));
    cr_expect_not(is_left("/tmp", "picafuzz", gone, "direct"), "a directory goes with what is in it");
    cr_expect(is_left("/tmp", "somebody", gone, "file01"), "another program's");
    (void)snprintf(line, sizeof line, "rm '/tmp/somebody.tmp-%ld-file01'", (long)gone);
    shell(line);
}

/* The same with a file that a writer really left. */
Test(fuzz_command, a_writer_that_was_killed_leaves_no_file_for_ever)
{
    char line[8192];
    fresh_directory(directory, sizeof directory, "killed-writer");
    (void)snprintf(line, sizeof line, "import -o '%s' corpus/captures/hand-f0.picacap", directory);
    run_picafuzz(&result, "PICAFUZZ_FSYNC_KILLS=1 LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so'", line);
    (void)snprintf(line, sizeof line, "ls -A '%s'; touch -d '25 hours ago' '%s'/.pica*", directory, directory);
    run_command(&result, line);
    cr_assert_not_null(strstr(result.output, ".picafuzz.tmp-"), "%s", result.output);
    cr_expect_null(strstr(result.output, ".pcase"), "half a case: %s", result.output);
    (void)snprintf(line, sizeof line,
                   "fuzz --seconds 1 --target tests/cli/quiet_target.sh --corpus '%s' --findings '%s/found'", directory,
                   directory);
    run_picafuzz(&result, "", line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(line, sizeof line, "ls -A '%s'", directory);
    run_command(&result, line);
    cr_expect_null(strstr(result.output, ".picafuzz.tmp-"), "%s", result.output);
}

/* ------------------------------------------------------------------------------------------------------------ time */

Test(fuzz_command, a_campaign_of_one_second_is_one)
{
    char line[8192];
    fresh_directory(directory, sizeof directory, "one-second");
    (void)snprintf(line, sizeof line,
                   "fuzz --seconds 1 --target tests/cli/speaking_target.sh --corpus '%s/corpus' --findings '%s/found'",
                   directory, directory);
    run_picafuzz(&result, "WORDS=/nowhere", line);
    cr_expect_eq(result.exit_code, 0, "the target was not started: %s", result.output);
    (void)snprintf(line, sizeof line, "grep -q 'cov: 5' '%s/found/engine.log'", directory);
    shell(line);
}

/* ------------------------------------------------------------------------------------------------- what goes wrong */

/* A campaign of `seconds` in `directory`, which is made for it, with one of the targets beside this file. */
static void fuzz_with(const char *name, const char *target, unsigned seconds, const char *environment)
{
    char line[8192];
    (void)snprintf(line, sizeof line,
                   "fuzz --seconds %u --reduce-seconds 0 --target %s --corpus '%s/corpus' --findings '%s/found'",
                   seconds, target, directory, directory);
    cr_assert_not_null(strstr(directory, name), "not a directory of this test");
    run_picafuzz(&result, environment, line);
    cr_expect_null(strstr(result.output, "agreed on every case"), "%s", result.output);
}

static void expect_trouble(const char *words)
{
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, words), "not \"%s\": %s", words, result.output);
}

Test(fuzz_command, what_was_said_of_a_finding_that_was_not_written_is_kept)
{
    char line[2048];
    fresh_directory(directory, sizeof directory, "empty-finding");
    fuzz_with("empty-finding", "tests/cli/empty_target.sh", 2, "HOW=finding");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "picafuzz: the backends differ"), "%s", result.output);
    (void)snprintf(line, sizeof line, "cd '%s/found' && grep -q 'memory: 1 byte(s) differ' input-1.txt && >hunt.json",
                   directory);
    shell(line);
    /* Nobody finds that input again. */
    fuzz_with("empty-finding", "/bin/false", 2, "");
    (void)snprintf(line, sizeof line,
                   "cd '%s/found' && test -e hunt.json.damaged -a -e input-1.pcase -a -e input-1.txt", directory);
    shell(line);
}

Test(fuzz_command, a_file_that_may_not_grow_is_trouble_and_no_death)
{
    char line[8192];
    fresh_directory(directory, sizeof directory, "small-files");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && ulimit -f 0 && '%s/bin/picafuzz' fuzz --seconds 2 --target tests/cli/quiet_target.sh "
                   "--corpus '%s/corpus' --findings '%s/found'",
                   PICAFUZZ_SOURCE_DIR, PICAFUZZ_BINARY_DIR, directory, directory);
    run_command(&result, line);
    expect_trouble("File too large");
}

#define PRELOADED "LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so' "

Test(fuzz_command, a_campaign_ends_before_the_disk_is_full)
{
    char variables[8192], path[2048];
    fresh_directory(directory, sizeof directory, "full");
    (void)snprintf(path, sizeof path, "%s/full", directory);
    (void)snprintf(variables, sizeof variables, PRELOADED "HOW=full FULL='%s' PICAFUZZ_FULL_WHEN='%s'", path, path);
    fuzz_with("full", "tests/cli/empty_target.sh", 30, variables);
    expect_trouble("the disk has room for 1 MiB only");
    cr_expect(file_exists(path), "it was stopped before it began");
    fuzz_with("full", "tests/cli/empty_target.sh", 30, variables);
    expect_trouble("the disk has room for 1 MiB only");
}

Test(fuzz_command, a_target_that_does_not_run_is_trouble_at_once)
{
    fresh_directory(directory, sizeof directory, "no-work");
    fuzz_with("no-work", "/bin/false", 30, "timeout 10");
    expect_trouble("executed nothing and ended with exit code 1");
    fuzz_with("no-work", "/bin/true", 30, "timeout 10");
    expect_trouble("executed nothing and ended with exit code 0");
}

Test(fuzz_command, a_target_that_only_waits_is_trouble)
{
    fresh_directory(directory, sizeof directory, "only-waits");
    fuzz_with("only-waits", "tests/cli/waiting_target.sh", 1, "");
    expect_trouble("executed nothing and ended with exit code 0");
}

/* It says so in colours. */
Test(fuzz_command, why_afl_fuzz_gave_up_is_said)
{
    fresh_directory(directory, sizeof directory, "gave-up");
    take_over("FAKE_ABORT='no such mutator'");
    expect_trouble("PROGRAM ABORT : no such mutator\n");
    cr_expect_null(strchr(result.output, '\033'), "%s", result.output);
}

/* What it left behind still holds its log, and does not hold that up. */
Test(fuzz_command, an_engine_that_was_killed_ends_the_campaign)
{
    fresh_directory(directory, sizeof directory, "killed-target");
    fuzz_with("killed-target", "tests/cli/killed_engine.sh", 30, "timeout 15");
    expect_trouble("the engine ended with signal 9, and was not asked to");
}

Test(fuzz_command, an_afl_fuzz_that_was_killed_ends_the_campaign)
{
    fresh_directory(directory, sizeof directory, "killed-afl");
    take_over("FAKE_KILLED=1 timeout 15");
    expect_trouble("the engine ended with signal 9");
}

/* Ctrl-C: afl-fuzz is told to end, with all that it started, and what it found joins the corpus. */
Test(fuzz_command, a_campaign_of_afl_fuzz_ends_when_it_is_told_to)
{
    char line[8192];
    fresh_directory(directory, sizeof directory, "stopped-afl");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && { PATH=\"$PWD/tests/cli/fake:$PATH\" FAKE_SECONDS=60 timeout 12 '%s/bin/picafuzz' fuzz "
                   "--engine afl --reduce-seconds 0 --target /bin/true --mutator tests/cli/fake/afl-fuzz --corpus "
                   "'%s/corpus' --findings '%s/found' & } && p=$! && for i in $(seq 100); do test -e "
                   "'%s/corpus-afl/structure/plot_data' && break; sleep 0.1; done; sleep 0.3; kill -INT $p; wait $p",
                   PICAFUZZ_SOURCE_DIR, PICAFUZZ_BINARY_DIR, directory, directory, directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 1, "the crash that it saw: %s", result.output);
    (void)snprintf(line, sizeof line, "grep -l 'found by structure' '%s/corpus'/*.pcb", directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

/* Ctrl-C while the target says why it failed. */
Test(fuzz_command, a_campaign_that_is_stopped_waits_for_what_is_being_told)
{
    char line[8192];
    fresh_directory(directory, sizeof directory, "slow-teller");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && { '%s/bin/picafuzz' fuzz --reduce-seconds 0 --target tests/cli/slow_teller.sh --corpus "
                   "'%s/corpus' --findings '%s/found' & } && p=$! && for i in $(seq 100); do test -e '%s/telling' && "
                   "break; sleep 0.1; done; sleep 0.3; kill -INT $p; wait $p",
                   PICAFUZZ_SOURCE_DIR, PICAFUZZ_BINARY_DIR, directory, directory, directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 more failing input(s), not filed"), "%s", result.output);
}

/* The time is over by then, and more than a hunt has for its last reductions. */
Test(fuzz_command, a_campaign_whose_time_is_over_waits_for_what_is_being_told)
{
    fresh_directory(directory, sizeof directory, "late-teller");
    fuzz_with("late-teller", "tests/cli/slow_teller.sh", 1, "TELLS=28");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 finding(s)"), "%s", result.output);
}

/* ----------------------------------------------------------------------------------- what the target alone sees */

/* On both inputs the backends agree: each is a finding, with what was said before the target ended. */
Test(fuzz_command, what_shows_nothing_here_is_filed_with_the_words_of_the_target)
{
    static const char *const words[] = { "noise of a plug-in\npicafuzz: one\n",
                                         "==77==ERROR: AddressSanitizer: two\n" };
    char line[8192], path[2048];
    fresh_directory(directory, sizeof directory, "words");
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/%zu.txt", directory, i);
        FILE *const file = fopen(path, "w");
        cr_assert_not_null(file);
        (void)fputs(words[i], file);
        (void)fclose(file);
    }
    (void)snprintf(
        line, sizeof line,
        "fuzz --seconds 600 --target tests/cli/speaking_target.sh --corpus '%s/corpus' --findings '%s/found'",
        directory, directory);
    (void)snprintf(path, sizeof path, "WHEN_DONE=interrupt WORDS='%s'", directory);
    run_picafuzz(&result, path, line);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "2 finding(s):"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "engine: picafuzz: one\n"), "%s", result.output);
    (void)snprintf(line, sizeof line, "cd '%s/found' && grep -l 'AddressSanitizer: two' unconfirmed/input-2.txt",
                   directory);
    shell(line);
    (void)snprintf(line, sizeof line, "ls '%s/found' | grep -cE '^(engine-crash|input)-'", directory);
    run_command(&result, line);
    cr_expect_str_eq(result.output, "0\n");
}

/* Nothing makes /bin/true fail. */
Test(fuzz_command, what_afl_fuzz_alone_saw_says_so)
{
    char line[8192];
    fresh_directory(directory, sizeof directory, "alone");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && PATH=\"$PWD/tests/cli/fake:$PATH\" '%s/bin/picafuzz' fuzz --engine afl --seconds 3 "
                   "--reduce-seconds 0 --target /bin/true --mutator tests/cli/fake/afl-fuzz "
                   "--corpus '%s/corpus' --findings '%s/found'",
                   PICAFUZZ_SOURCE_DIR, PICAFUZZ_BINARY_DIR, directory, directory);
    run_command(&result, line);
    static const char words[] = "the engine saw the target fail; see why: /bin/true CASE.pcb";
    cr_expect_not_null(strstr(result.output, words), "%s", result.output);
}
