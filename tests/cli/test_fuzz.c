/* `picafuzz fuzz` before and after an engine runs: what it takes over, and what it cleans up. */
#include "tests/cli/program.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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
    shell("mkdir -p @/corpus @/corpus-afl/structure/queue && cd @/corpus-afl/structure/queue && for i in $(seq 100 "
          "399); do echo "
          "\"input $i\" >id:000$i,src:000000; done");
    run_shell("PATH=\"$PWD/tests/cli/fake:$PATH\" PICAFUZZ_FSYNC_LOG=@/log env LD_PRELOAD=@count_fsync picafuzz "
              "fuzz --engine afl --seconds 30 --target /bin/true --mutator tests/cli/fake/afl-fuzz --corpus @/corpus "
              "--findings @/found");
    cr_expect_eq(files_in("corpus", ".pcb"), 302, "300 inputs, what the fake one found, the smallest case");
    cr_expect_gt(size_of(path_in("log")), 0, "findings are flushed, and nobody saw it");
    cr_expect_lt(size_of(path_in("log")), 30, "%ld times", size_of(path_in("log")));
}

/* A campaign that goes on in directory/corpus-afl; `before`: variables. It ends with the fake one. */
static void take_over(const char *before)
{
    run_shell(words_of("env PATH=\"$PWD/tests/cli/fake:$PATH\" %s picafuzz fuzz --engine afl --seconds 30 "
                       "--target /bin/true --mutator tests/cli/fake/afl-fuzz --corpus @/corpus --findings @/found",
                       before));
}

/* The name is there, but the power cut took the contents. */
Test(fuzz_command, an_input_of_which_only_the_name_was_saved_is_taken_over_again)
{
    shell("mkdir -p @/corpus @/corpus-afl/structure/queue && echo input >@/corpus-afl/structure/queue/id:1,src:0");
    take_over("");
    shell("cd @ && f=$(grep -lx input corpus/*.pcb) && test -n \"$f\" && : >$f");
    take_over("");
    shell("cd @ && grep -lx input corpus/*.pcb");
}

/* ------------------------------------------------------------------------------------------------------- leftovers */

/* A file "PLACE/STEM.tmp-PID-END" that has not changed for this many minutes. */
static void leave(const char *place, const char *stem, pid_t owner, const char *end, int minutes)
{
    shell(words_of("mkdir -p '%s' && touch -d '%d minutes ago' '%s/%s.tmp-%ld-%s'", place, minutes, place, stem,
                   (long)owner, end));
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
    const pid_t gone = ended_process(), alive = getpid();
    cr_assert_gt(gone, 0);
    for (size_t i = 0; i < 3; i++) {
        leave(path_in(places[i]), ".picafuzz", gone, "aaaaaa", 25 * 60);
        leave(path_in(places[i]), ".picafuzz", gone, "young1", 23 * 60);
        leave(path_in(places[i]), ".picafuzz", alive, "bbbbbb", 25 * 60);
        leave(path_in(places[i]), ".picafuzz", gone, "long-end", 25 * 60);
        leave(path_in(places[i]), "notes", gone, "cccccc", 25 * 60);
    }
    leave("/tmp", "picafuzz", gone, "file01", 25 * 60);
    leave("/tmp", "somebody", gone, "file01", 25 * 60);
    shell(
        words_of("d=/tmp/picafuzz.tmp-%ld-direct && mkdir $d && echo case >$d/case0.pcb && touch -d '25 hours ago' $d",
                 (long)gone));
    EXPECT_RUN("fuzz --seconds 1 --target tests/cli/quiet_target.sh --corpus @/corpus --findings @/found", 0, "");
    for (size_t i = 0; i < 3; i++) {
        cr_expect_not(is_left(path_in(places[i]), ".picafuzz", gone, "aaaaaa"), "%s: of a process that is gone",
                      path_in(places[i]));
        cr_expect(is_left(path_in(places[i]), ".picafuzz", gone, "young1"),
                  "%s: its process may be in another namespace", path_in(places[i]));
        cr_expect(is_left(path_in(places[i]), ".picafuzz", alive, "bbbbbb"), "%s: of a living process",
                  path_in(places[i]));
        cr_expect(is_left(path_in(places[i]), ".picafuzz", gone, "long-end"), "%s: no name of ours",
                  path_in(places[i]));
        cr_expect(is_left(path_in(places[i]), "notes", gone, "cccccc"), "%s: no stem of ours", path_in(places[i]));
    }
    cr_expect_not(is_left("/tmp", "picafuzz", gone, "file01"));
    cr_expect_not(is_left("/tmp", "picafuzz", gone, "direct"), "a directory goes with what is in it");
    cr_expect(is_left("/tmp", "somebody", gone, "file01"), "another program's");
    shell(words_of("rm '/tmp/somebody.tmp-%ld-file01'", (long)gone));
}

/* The same with a file that a writer really left. */
Test(fuzz_command, a_writer_that_was_killed_leaves_no_file_for_ever)
{
    run("PICAFUZZ_FSYNC_KILLS=1 LD_PRELOAD=@count_fsync import -o @ corpus/captures/hand-f0.picacap");
    run_shell("ls -A @; touch -d '25 hours ago' @/.pica*");
    EXPECT_SAID(".picafuzz.tmp-");
    EXPECT_LACKS(".pcase");
    EXPECT_RUN("fuzz --seconds 1 --target tests/cli/quiet_target.sh --corpus @ --findings @/found", 0, "");
    run_shell("ls -A @");
    EXPECT_LACKS(".picafuzz.tmp-");
}

/* ------------------------------------------------------------------------------------------------------------ time */

Test(fuzz_command, a_campaign_of_one_second_is_one)
{
    EXPECT_RUN(
        "WORDS=/nowhere fuzz --seconds 1 --target tests/cli/speaking_target.sh --corpus @/corpus --findings @/found", 0,
        "");
    shell("grep -q 'cov: 5' @/found/engine.log");
}

/* ------------------------------------------------------------------------------------------------- what goes wrong */

/* A campaign of `seconds`, with one of the targets beside this file. */
static void fuzz_with(const char *target, unsigned seconds, const char *environment)
{
    run_shell(
        words_of("%s picafuzz fuzz --seconds %u --reduce-seconds 0 --target %s --corpus @/corpus --findings @/found",
                 environment, seconds, target));
    EXPECT_LACKS("agreed on every case");
}

static void expect_trouble(const char *words)
{
    EXPECT_END(4, words);
}

Test(fuzz_command, what_was_said_of_a_finding_that_was_not_written_is_kept)
{
    fuzz_with("tests/cli/empty_target.sh", 2, "HOW=finding");
    EXPECT_END(1, "picafuzz: the backends differ");
    shell("cd @/found && grep -q 'memory: 1 byte(s) differ' input-1.txt && >hunt.json");
    /* Nobody finds that input again. */
    fuzz_with("/bin/false", 2, "");
    shell("cd @/found && test -e hunt.json.damaged -a -e input-1.pcase -a -e input-1.txt");
}

Test(fuzz_command, a_file_that_may_not_grow_is_trouble_and_no_death)
{
    run_shell("ulimit -f 0 && picafuzz fuzz --seconds 2 --target "
              "tests/cli/quiet_target.sh --corpus @/corpus --findings @/found");
    expect_trouble("File too large");
    run_shell("ulimit -f 0 && picafuzz generate --count 2 -o @/cases");
    expect_trouble("File too large");
}

Test(fuzz_command, a_campaign_ends_before_the_disk_is_full)
{
    static const char variables[] = "LD_PRELOAD=@count_fsync HOW=full FULL=@/full PICAFUZZ_FULL_WHEN=@/full";
    fuzz_with("tests/cli/empty_target.sh", 30, variables);
    expect_trouble("the disk has room for 1 MiB only");
    cr_expect(file_exists(path_in("full")), "it was stopped before it began");
    fuzz_with("tests/cli/empty_target.sh", 30, variables);
    expect_trouble("the disk has room for 1 MiB only");
}

Test(fuzz_command, a_target_that_does_not_run_is_trouble_at_once)
{
    fuzz_with("/bin/false", 30, "timeout 10");
    expect_trouble("executed nothing and ended with exit code 1");
    fuzz_with("/bin/true", 30, "timeout 10");
    expect_trouble("executed nothing and ended with exit code 0");
}

Test(fuzz_command, a_target_that_only_waits_is_trouble)
{
    fuzz_with("tests/cli/waiting_target.sh", 1, "");
    expect_trouble("executed nothing and ended with exit code 0");
}

/* It says so in colours. */
Test(fuzz_command, why_afl_fuzz_gave_up_is_said)
{
    take_over("FAKE_ABORT='no such mutator'");
    expect_trouble("PROGRAM ABORT : no such mutator\n");
    cr_expect_null(strchr(result.output, '\033'), "%s", result.output);
}

/* What it left behind still holds its log, and does not hold that up. */
Test(fuzz_command, an_engine_that_was_killed_ends_the_campaign)
{
    fuzz_with("tests/cli/killed_engine.sh", 30, "timeout 15");
    expect_trouble("the engine ended with signal 9, and was not asked to");
}

Test(fuzz_command, an_afl_fuzz_that_was_killed_ends_the_campaign)
{
    take_over("FAKE_KILLED=1 timeout 15");
    expect_trouble("the engine ended with signal 9");
}

/* Ctrl-C: afl-fuzz is told to end, with all that it started, and what it found joins the corpus. */
Test(fuzz_command, a_campaign_of_afl_fuzz_ends_when_it_is_told_to)
{
    run_shell("{ PATH=\"$PWD/tests/cli/fake:$PATH\" FAKE_SECONDS=60 timeout 12 picafuzz fuzz --engine afl "
              "--reduce-seconds 0 --target /bin/true --mutator tests/cli/fake/afl-fuzz --corpus @/corpus --findings "
              "@/found & } && p=$! && for i in $(seq 100); do test -e @/corpus-afl/structure/plot_data && break; sleep "
              "0.1; done; sleep 0.3; kill -INT $p; wait $p");
    EXPECT_END(1, "");
    shell("grep -l 'found by structure' @/corpus/*.pcb");
}

/* Ctrl-C while the target says why it failed. */
Test(fuzz_command, a_campaign_that_is_stopped_waits_for_what_is_being_told)
{
    run_shell("{ picafuzz fuzz --reduce-seconds 0 --target tests/cli/slow_teller.sh --corpus @/corpus --findings "
              "@/found & } && p=$! && for i in $(seq 100); do test -e @/telling && break; sleep 0.1; done; sleep 0.3; "
              "kill -INT $p; wait $p");
    EXPECT_END(1, "1 more failing input(s), not filed");
}

/* An hour passes for the program alone, when telling begins: more than a hunt has for its last reductions. */
Test(fuzz_command, a_campaign_whose_time_is_over_waits_for_what_is_being_told)
{
    fuzz_with("tests/cli/slow_teller.sh", 60, "LD_PRELOAD=@count_fsync TELLS=300 PICAFUZZ_LATER_WHEN=@/telling");
    EXPECT_END(1, "1 finding(s)");
}

/* ----------------------------------------------------------------------------------- what the target alone sees */

/* On both inputs the backends agree: each is a finding, with what was said before the target ended. */
Test(fuzz_command, what_shows_nothing_here_is_filed_with_the_words_of_the_target)
{
    static const char *const words[] = { "noise of a plug-in\npicafuzz: one\n",
                                         "==77==ERROR: AddressSanitizer: two\n" };
    for (size_t i = 0; i < 2; i++) {
        FILE *const file = fopen(path_in(words_of("%zu.txt", i)), "w");
        cr_assert_not_null(file);
        (void)fputs(words[i], file);
        (void)fclose(file);
    }
    EXPECT_RUN("WHEN_DONE=interrupt WORDS=@ fuzz --seconds 600 --target tests/cli/speaking_target.sh --corpus @/corpus "
               "--findings @/found",
               1, "2 finding(s):", "engine: picafuzz: one\n");
    shell("cd @/found && grep -l 'AddressSanitizer: two' unconfirmed/input-2.txt");
    run_shell("ls @/found | grep -cE '^(engine-crash|input)-'");
    cr_expect_str_eq(result.output, "0\n");
}

/* Nothing makes /bin/true fail. */
Test(fuzz_command, what_afl_fuzz_alone_saw_says_so)
{
    run_shell("PATH=\"$PWD/tests/cli/fake:$PATH\" picafuzz fuzz --engine afl --seconds 3 --reduce-seconds 0 "
              "--target /bin/true --mutator tests/cli/fake/afl-fuzz --corpus @/corpus --findings @/found");
    static const char words[] = "the engine saw the target fail; see why: /bin/true CASE.pcb";
    EXPECT_SAID(words);
}
