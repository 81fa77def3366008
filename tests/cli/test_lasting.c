/* `picafuzz fuzz --campaign`: many kinds of instances by turns, in a directory that goes on where it was. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;
static char directory[1024];

static void shell(const char *format, const char *argument)
{
    char line[4096];
    (void)snprintf(line, sizeof line, format, argument, argument, argument);
    run_command(&result, line);
}

/* A directory of builds whose targets are all lasting_target.sh. */
static void begin(const char *name)
{
    fresh_directory(directory, sizeof directory, name);
    shell("cd '%s' && mkdir -p builds/fuzz/bin builds/asan/bin && for name in fuzz/bin/fuzz_pair asan/bin/fuzz_pair "
          "fuzz/bin/fuzz_invariant asan/bin/fuzz_text; do cp '" PICAFUZZ_SOURCE_DIR
          "/tests/cli/lasting_target.sh' builds/$name; cp '" PICAFUZZ_SOURCE_DIR
          "/tests/cli/target_options.sh' builds/${name%%/*}; done",
          directory);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
}

static void campaign(const char *environment, const char *options)
{
    char line[8192], variables[8192];
    (void)snprintf(line, sizeof line, "fuzz --campaign '%s/night' --builds '%s/builds' --reduce-seconds 1 %s",
                   directory, directory, options);
    (void)snprintf(variables, sizeof variables, "TURNS='%s/turns' %s", directory, environment);
    run_picafuzz(&result, variables, line);
}

/* What a file of the directory holds, in result.output. */
static void read_file(const char *name)
{
    char path[2048];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    shell("cat '%s'", path);
}

/* Numbers of lines of result.output that begin so. */
static unsigned count_lines(const char *begin_of_line)
{
    unsigned count = 0;
    for (const char *line = result.output; line != NULL;) {
        count += strncmp(line, begin_of_line, strlen(begin_of_line)) == 0;
        line = strchr(line, '\n');
        if (line != NULL)
            line++;
    }
    return count;
}

Test(lasting, the_list_says_what_can_run_and_why_the_rest_cannot)
{
    begin("lasting-list");
    campaign("", "--instances list");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\npair-threads       fuzz       ready"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\npair-msan          msan       not built"), "%s", result.output);
}

Test(lasting, instances_are_chosen_by_name)
{
    begin("lasting-names");
    campaign("", "--seconds 1 --jobs 2 --instances pair-f24,inv*");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    read_file("turns");
    cr_expect_eq(count_lines("fuzz_pair   1 "), 1, "%s", result.output);
    campaign("", "--seconds 1 --instances pair-msan");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "pair-msan: not built (preset msan)"), "%s", result.output);
    campaign("", "--seconds 1 --instances pear");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
}

/* One at a time, each for a second: all get their turn, and each is told what makes it another one. */
Test(lasting, instances_take_turns)
{
    begin("lasting-turns");
    campaign("", "--seconds 6 --turn 1 --instances pair,invariant,pair-threads,text,pair-scalar");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, " 2"), "%s", result.output);
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_pair    1"), 1, "%s", result.output);
    cr_expect_eq(count_lines("fuzz_pair 4   1"), 1, "%s", result.output);
    cr_expect_eq(count_lines("fuzz_pair  scalar  1"), 1, "%s", result.output);
    cr_expect_eq(count_lines("fuzz_invariant    1"), 1, "%s", result.output);
    cr_expect_eq(count_lines("fuzz_text    1"), 1, "%s", result.output);
    cr_expect(file_exists(directory), "%s", directory);
}

/* A machine that restarts often gets to all of them, too: whose turn it is does not begin anew with each start. Each
 * start has time for one turn, however slow the machine is. */
Test(lasting, turns_go_on_where_the_start_before_ended)
{
    begin("lasting-starts");
    for (int start = 0; start < 5; start++) {
        campaign("", "--seconds 1 --turn 1 --instances pair,invariant,pair-threads,text,pair-scalar");
        cr_expect_eq(result.exit_code, 0, "%s", result.output);
    }
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_pair    1"), 1, "%s", result.output);
    cr_expect_geq(count_lines("fuzz_pair 4   1"), 1, "%s", result.output);
    cr_expect_geq(count_lines("fuzz_pair  scalar  1"), 1, "%s", result.output);
    cr_expect_geq(count_lines("fuzz_invariant    1"), 1, "%s", result.output);
    cr_expect_geq(count_lines("fuzz_text    1"), 1, "%s", result.output);
}

/* `pair` is to have six times as much: 18 seconds until it had as much of its share. */
Test(lasting, an_instance_that_is_new_does_not_catch_up)
{
    begin("lasting-new");
    campaign("", "--seconds 3 --turn 1 --instances text");
    campaign("", "--seconds 4 --turn 1 --instances pair,text");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_pair"), 1, "%s", result.output);
    cr_expect_geq(count_lines("fuzz_text"), 2, "%s", result.output);
}

/* `pair-f24` had trouble for long, `pair-scalar` is new: the other one need not wait until they have as much. */
Test(lasting, an_instance_that_is_far_behind_does_not_get_every_turn)
{
    begin("lasting-behind");
    campaign("", "--seconds 2 --turn 1 --instances pair-f24,text");
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    shell(
        "cd '%s' && rm turns && sed -i '/\"text\"/,/\"seconds\"/s/\"seconds\":.*/\"seconds\": 3000,/' night/stats.json "
        "&& grep -c '\"seconds\": 3000,' night/stats.json",
        directory);
    cr_assert_str_eq(result.output, "1\n");
    campaign("", "--seconds 9 --turn 1 --instances pair-f24,pair-scalar,text");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_text"), 1, "%s", result.output);
    cr_expect_eq(strncmp(result.output, "fuzz_pair", 9), 0, "it is next, even so: %s", result.output);
}

/* What the shell has for the target is not for the campaign; who looks at a finding needs them, too. */
Test(lasting, threads_are_for_instances_without_a_number_of_their_own)
{
    char line[4096];
    begin("lasting-threads");
    campaign("PICAFUZZ_THREADS=9", "--seconds 3 --turn 1 --threads 3 --instances pair,pair-threads");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_pair 3   1"), 1, "%s", result.output);
    cr_expect_geq(count_lines("fuzz_pair 4   1"), 1, "%s", result.output);
    cr_expect_eq(count_lines("fuzz_pair 9"), 0, "%s", result.output);
    (void)snprintf(line, sizeof line, "FAKE=differ SEED='%s/seed'", directory);
    shell("printf '\\0' >'%s/seed'", directory);
    campaign(line, "--seconds 2 --threads 3 --instances pair");
    shell("cat '%s'/night/findings/*/*.txt", directory);
    cr_expect_not_null(strstr(result.output, "look at it: picafuzz diff --threads 3 "), "%s", result.output);
}

Test(lasting, capacities_are_for_instances_without_one_of_their_own)
{
    char line[4096];
    begin("lasting-capacity");
    campaign("PICAFUZZ_CAPACITY=9", "--seconds 4 --turn 1 --capacity 5 --instances pair,pair-small,pair-small-threads");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_pair c5   1"), 1, "%s", result.output);
    cr_expect_geq(count_lines("fuzz_pair c4   1"), 1, "%s", result.output);
    cr_expect_geq(count_lines("fuzz_pair 2c16   1"), 1, "%s", result.output);
    cr_expect_eq(count_lines("fuzz_pair c9"), 0, "%s", result.output);
    (void)snprintf(line, sizeof line, "FAKE=differ SEED='%s/seed'", directory);
    shell("printf '\\0' >'%s/seed'", directory);
    campaign(line, "--seconds 2 --instances pair-small-threads");
    shell("cat '%s'/night/findings/*/*.txt", directory);
    cr_expect_not_null(strstr(result.output, "look at it: picafuzz diff --threads 2 --capacity 16 "), "%s",
                       result.output);
}

Test(lasting, one_in_trouble_is_left_out_and_all_in_trouble_are_trouble)
{
    begin("lasting-trouble");
    campaign("FAKE=trouble", "--seconds 3 --turn 1 --instances pair,invariant");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    read_file("turns");
    cr_expect_eq(count_lines("fuzz_invariant"), 1, "it is not tried again at once: %s", result.output);
    cr_expect_geq(count_lines("fuzz_pair"), 2, "%s", result.output);
    read_file("night/stats.json");
    cr_expect_not_null(strstr(result.output, "fuzz_invariant ended without"), "%s", result.output);
    cr_expect_null(strstr(result.output, "\\n"), "why is said in one line: %s", result.output);
    campaign("FAKE=trouble", "--seconds 3 --turn 1 --instances invariant");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "out of memory"), "%s", result.output);
}

#define FAKE_AFL "PATH=\"$PWD/tests/cli/fake:$PATH\""

/* AFL++'s mutator lies below --builds, as its target does; without it what needs it is not there. */
Test(lasting, the_mutator_is_that_of_the_builds)
{
    char path[2048];
    begin("lasting-mutator");
    shell("cd '%s/builds' && mkdir -p afl/bin && cp '" PICAFUZZ_SOURCE_DIR
          "/tests/cli/fake/target_afl' afl/bin/fuzz_pair_afl",
          directory);
    campaign(FAKE_AFL, "--instances list");
    cr_expect_not_null(strstr(result.output, "\nafl                afl        no mutator"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\nafl-bytes          afl        ready"), "%s", result.output);
    campaign(FAKE_AFL, "--seconds 1 --instances 'pa*,afl*' --jobs 2");
    cr_expect_neq(result.exit_code, 4, "%s", result.output);
    shell("mkdir '%s/builds/afl/lib' && : >'%s/builds/afl/lib/mutator_afl.so'", directory);
    campaign(FAKE_AFL, "--seconds 2 --instances pair,afl --jobs 2");
    cr_expect_neq(result.exit_code, 4, "%s", result.output);
    read_file("night/corpus-afl/afl/mutator");
    (void)snprintf(path, sizeof path, "%s/builds/afl/lib/mutator_afl.so\n", directory);
    cr_expect_str_eq(result.output, path);
}

/* Not only when its turn is over; with one job, the second instance, too. */
Test(lasting, what_afl_fuzz_has_done_is_seen_while_it_runs)
{
    char line[8192];
    begin("lasting-look");
    shell("cd '%s/builds' && mkdir -p afl/bin afl/lib && : >afl/lib/mutator_afl.so && cp '" PICAFUZZ_SOURCE_DIR
          "/tests/cli/fake/target_afl' afl/bin/fuzz_pair_afl",
          directory);
    (void)snprintf(line, sizeof line,
                   "cd '%s' && { PATH='" PICAFUZZ_SOURCE_DIR "/tests/cli/fake':\"$PATH\" FAKE_SECONDS=30 TURNS=turns "
                   "'%s/bin/picafuzz' fuzz --campaign night --builds builds --reduce-seconds 0 --seconds 60 --turn 1 "
                   "--instances pair,afl >said 2>&1 & } && for k in $(seq 150); do grep -qs 4321 night/stats.json && "
                   "break; sleep 0.1; done; grep -c 4321 night/stats.json; kill -INT $!; wait $!",
                   directory, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_eq(strncmp(result.output, "1\n", 2), 0, "%s", result.output);
}

/* Nothing else would ever end it: it does not keep its time, and does not hear. */
Test(lasting, an_engine_that_stands_still_does_not_keep_its_turn)
{
    begin("lasting-still");
    campaign("FAKE=still", "--seconds 24 --turn 2 --still 2 --instances pair,invariant");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "pair does not run: pair executed nothing for 2 seconds, and was ended"),
                       "%s", result.output);
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_invariant"), 1, "%s", result.output);
}

/* A hang that is run again takes half a minute: all that afl-fuzz kept would take hours, and Ctrl-C none of it. */
Test(lasting, what_hangs_is_run_again_until_the_user_wants_an_end)
{
    char line[8192];
    begin("lasting-hangs");
    shell("cd '%s/builds' && mkdir -p afl/bin afl/lib && : >afl/lib/mutator_afl.so && cp '" PICAFUZZ_SOURCE_DIR
          "/tests/cli/fake/target_afl' afl/bin/fuzz_pair_afl",
          directory);
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && { PATH='" PICAFUZZ_SOURCE_DIR "/tests/cli/fake':\"$PATH\" FAKE_SECONDS=90 FAKE_HANGS=60 "
        "TURNS=turns '%s/bin/picafuzz' fuzz --campaign night --builds builds --reduce-seconds 0 --seconds 90 "
        "--instances afl >said 2>&1 & } && p=$! && until ls night/findings 2>/dev/null | grep -q timeout; do sleep "
        "0.1; "
        "done; kill -INT $p; begun=$(date +%%s); wait $p; [ $(($(date +%%s) - begun)) -lt 20 ] && echo soon; "
        "grep -o '[0-9]* more failing input(s), not looked at' said",
        directory, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    const char *const left = strstr(result.output, "soon\n");
    cr_assert_not_null(left, "%s", result.output);
    cr_expect_gt(strtoul(left + 5, NULL, 10), 30ul, "%s", result.output);
    campaign(FAKE_AFL " FAKE_SECONDS=1", "--seconds 1 --instances afl --reduce-seconds 0 --max-findings 100");
    shell("ls '%s'/night/findings/job0-timeout-*.pcb | wc -l", directory);
    cr_expect_str_eq(result.output, "60\n", "all are filed: %s", result.output);
}

/* Where findings are filed beside the engines nothing waits for what hangs, and that does not wait for ever. */
Test(lasting, what_hangs_is_filed_when_nothing_else_is)
{
    begin("lasting-hangs-filed");
    shell("cd '%s/builds' && mkdir -p afl/bin afl/lib && : >afl/lib/mutator_afl.so && cp '" PICAFUZZ_SOURCE_DIR
          "/tests/cli/fake/target_afl' afl/bin/fuzz_pair_afl",
          directory);
    campaign(FAKE_AFL " FAKE_SECONDS=20 FAKE_HANGS=3", "--seconds 20 --instances afl");
    shell("cd '%s/night/findings' && cat unconfirmed/*-timeout-*.txt", directory);
    cr_expect_geq(count_lines("picafuzz: afl-fuzz saw the target hang: afl/hangs/id:0000"), 1, "%s", result.output);
    shell(
        "cd '%s/night/findings' && find . -name 'job0-timeout-*' -printf '%%f\\n' | sed 's/[.].*//' | sort -u | wc -l",
        directory);
    cr_expect_str_eq(result.output, "3\n", "%s", result.output);
}

/* What the seeds do on it says nothing, and others go on. */
Test(lasting, an_afl_target_that_does_not_run_is_left_out_and_leaves_the_seeds)
{
    char path[2048];
    begin("lasting-broken-afl");
    shell("cd '%s/builds' && mkdir -p afl/bin afl/lib && : >afl/lib/mutator_afl.so && cp /bin/false "
          "afl/bin/fuzz_pair_afl",
          directory);
    campaign(FAKE_AFL, "--seconds 2 --turn 1 --instances afl,invariant corpus/seeds/alpha_test");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "afl does not run: the target "), "%s", result.output);
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_invariant"), 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus", directory);
    cr_expect_eq(count_files(path, ".pcb"), 1);
}

/* Its input is no case, so it is kept as it is; the same failure again is the same finding. */
Test(lasting, what_a_reader_fails_on_stays_as_it_is)
{
    char path[2048];
    begin("lasting-bytes");
    campaign("FAKE=finding", "--seconds 2 --instances text,pair --jobs 2");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 finding(s), and more of the same kinds"), "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/findings/text", directory);
    cr_expect_eq(count_files(path, ".input"), 1);
    shell("cat '%s'/*.txt", path);
    cr_expect_not_null(strstr(result.output, "the reader crashed"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "found by: text"), "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus-text", directory);
    cr_expect(file_exists(path), "its inputs are no cases");
}

/* The two backends agree on it, so it ends among the unconfirmed, after a reduction beside the engine. */
Test(lasting, findings_are_filed_while_engines_run)
{
    char path[2048], line[4096];
    begin("lasting-filing");
    (void)snprintf(line, sizeof line, "FAKE=differ SEED='%s/seed'", directory);
    shell("printf '\\0' >'%s/seed'", directory);
    campaign(line, "--seconds 3 --instances pair");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/findings/unconfirmed", directory);
    cr_expect_eq(count_files(path, "job0-crash-0123.pcase"), 1, "%s", result.output);
}

/* No other build shows it again, so it is kept where it says who can. */
Test(lasting, what_a_sanitizer_reports_is_kept_apart)
{
    char path[2048], line[4096];
    begin("lasting-report");
    (void)snprintf(line, sizeof line, "FAKE=report SEED='%s/seed'", directory);
    shell("printf '\\0' >'%s/seed'", directory);
    campaign(line, "--seconds 2 --instances pair-asan");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/findings/pair-asan", directory);
    cr_expect_eq(count_files(path, "job0-crash-0123."), 3, "%s", result.output);
}

/* No input ran, so an empty one is what the engine writes: no sign of a full disk. */
Test(lasting, a_target_that_fails_while_it_mutates_is_a_finding)
{
    begin("lasting-mutation");
    campaign("FAKE=mutation", "--seconds 2 --instances pair-asan");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    read_file("night/findings/pair-asan/job0-crash-da39a3ee5e6b4b0d3255bfef95601890afd80709.txt");
    cr_expect_not_null(strstr(result.output, "MemorySanitizer: use-of-uninitialized-value"), "%s", result.output);
}

/* Killed as by a lack of memory: what it shared with its targets goes with it. */
Test(lasting, a_killed_campaign_leaves_no_file_elsewhere)
{
    char line[8192];
    begin("lasting-elsewhere");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && export TURNS=turns && '%s/bin/picafuzz' fuzz --campaign night --builds builds --seconds "
                   "6 --instances pair >said 2>&1 & p=$!; until grep -qs INITED '%s/said' || [ -s '%s/turns' ]; do "
                   "sleep 0.1; done; kill -9 $p; find /tmp -maxdepth 1 -name \"picafuzz.tmp-$p-*\"; echo looked",
                   directory, PICAFUZZ_BINARY_DIR, directory, directory);
    run_command(&result, line);
    cr_expect_str_eq(result.output, "looked\n", "%s", result.output);
}

/* Killed between finding and filing: the next campaign files it. */
Test(lasting, what_a_killed_campaign_left_is_filed_by_the_next)
{
    char path[2048];
    begin("lasting-killed");
    shell("mkdir -p '%s/night/findings' && printf '\\0' >'%s/night/findings/job0-crash-0123'", directory);
    campaign("", "--seconds 3 --instances pair");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/findings/unconfirmed", directory);
    cr_expect_eq(count_files(path, "job0-crash-0123.pcase"), 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/findings", directory);
    cr_expect_eq(count_files(path, "job0"), 0, "nothing waits any more");
}

/* Each of A, B and C is named by its contents; B is empty and C is cut, as a power cut may leave them. */
#define A "6dcd4ce23d88e2ee9568ba546c007c63d9131c1b"
#define B "ae4f281df5a5d0ff3cad6371f76d5c29b6d953ec"
#define C "32096c2e0eff33d844ee6d675407ace18289357d"

Test(lasting, what_a_power_cut_left_broken_leaves_every_corpus)
{
    begin("lasting-broken");
    shell("cd '%s' && for corpus in corpus corpus-text; do mkdir -p night/$corpus && cd night/$corpus && printf A >" A
          " && : >" B " && printf x >" C " && cd ../..; done",
          directory);
    campaign("", "--seconds 1 --jobs 2 --instances pair,text");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("cd '%s/night' && ls corpus corpus-text", directory);
    cr_expect_str_eq(result.output, "corpus:\n" A "\n\ncorpus-text:\n" A "\n", "%s", result.output);
}

/* libFuzzer removes an input as soon as it has a smaller one that reaches the same; the disk may have the removal
 * before it has the smaller one. */
Test(lasting, what_was_replaced_just_before_a_cut_comes_back)
{
    char line[8192];
    begin("lasting-replaced");
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && mkdir -p night/corpus && printf A >night/corpus/" A " && export TURNS=turns && "
        "{ '%s/bin/picafuzz' fuzz --campaign night --builds builds --seconds 60 --instances pair >said 2>&1 & } "
        "&& for k in $(seq 100); do [ -e night/corpus-kept/" A " ] && break; sleep 0.1; done; "
        "rm night/corpus/" A " && : >night/corpus/" B " && kill -9 $! && ls night/corpus-kept; "
        "printf x >night/corpus-kept/" C,
        directory, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_str_eq(result.output, A "\n", "%s", result.output);
    campaign("", "--seconds 1 --instances pair");
    shell("cd '%s/night' && ls corpus; ls -d corpus-kept", directory);
    cr_expect_eq(strncmp(result.output, A "\nls: ", sizeof A + 4), 0,
                 "there again, and the end leaves no second name: %s", result.output);
}

/* A campaign is stopped by kill -15 while its engine runs; then `ask` is run in its directory. */
static void stop(const char *name, const char *fake, const char *ask)
{
    char line[8192];
    begin(name);
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && export TURNS=turns %s && { '%s/bin/picafuzz' fuzz --campaign night --builds builds "
        "--seconds 60 --instances pair >said 2>&1 & } && for k in $(seq 100); do [ -e turns.ready ] && break; "
        "sleep 0.1; done; kill -15 $!; wait $!; %s",
        directory, fake, PICAFUZZ_BINARY_DIR, ask);
    run_command(&result, line);
}

/* By SIGUSR1 libFuzzer ends after an input, not between a removal and a writing; but not while it reads its corpus. */
Test(lasting, an_engine_that_is_stopped_ends_what_it_does)
{
    stop("lasting-between", "FAKE=between", "ls night/corpus");
    cr_expect_str_eq(result.output, "11f6ad8ec52a2984abaafd7c3b516503785c2072\n", "%s", result.output);
    stop("lasting-reads", "FAKE=reads", "grep interrupted turns");
    cr_expect_str_eq(result.output, "interrupted\n", "%s", result.output);
    stop("lasting-cut", "FAKE=cut", "ls night/corpus");
    cr_expect_str_eq(result.output, "11f6ad8ec52a2984abaafd7c3b516503785c2072\n", "%s", result.output);
}

/* Lines that look like reports, of a process that lives on. */
Test(lasting, an_engine_whose_plug_in_logs_errors_is_asked_to_end)
{
    stop("lasting-logs", "FAKE=logs", "grep asked turns");
    cr_expect_str_eq(result.output, "asked\n", "%s", result.output);
    stop("lasting-recovers", "FAKE=recovers", "grep asked turns");
    cr_expect_str_eq(result.output, "asked\n", "%s", result.output);
}

/* Of a target that has worked, and ends without a finding. */
Test(lasting, what_a_target_says_when_it_dies_is_told)
{
    static const char *const said[] = { "==7==ERROR: AddressSanitizer: f",  "==7== ERROR: libFuzzer: f",
                                        "==7==WARNING: MemorySanitizer: f", "a.c:1:2: runtime error: f",
                                        "SUMMARY: AddressSanitizer: f",     "t: a.c:1: f: Assertion `f",
                                        "picafuzz: out of memory" };
    char variables[256], expected[256];
    begin("lasting-says");
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        (void)snprintf(variables, sizeof variables, "FAKE=says SAYS='%s'", said[i]);
        (void)snprintf(expected, sizeof expected, "ended without a finding; it said: %s", said[i]);
        campaign(variables, "--seconds 5 --instances pair");
        cr_expect_eq(result.exit_code, 4, "%s", result.output);
        cr_expect_not_null(strstr(result.output, expected), "%s", result.output);
    }
    campaign("FAKE=device", "--seconds 5 --instances pair");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "it said: GPU: ERROR: no device"), "%s", result.output);
}

/* Two flushes later, what came instead is on the disk. */
Test(lasting, what_was_replaced_goes_after_a_while)
{
    char line[8192];
    begin("lasting-dropped");
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && mkdir -p night/corpus && printf A >night/corpus/" A " && export TURNS=turns && "
        "{ '%s/bin/picafuzz' fuzz --campaign night --builds builds --seconds 60 --instances pair >said 2>&1 & } "
        "&& for k in $(seq 100); do [ -e night/corpus-kept/" A " ] && break; sleep 0.1; done; "
        "rm night/corpus/" A " && for k in $(seq 300); do [ -e night/corpus-kept/" A " ] || break; sleep 0.1; "
        "done; ls night/corpus night/corpus-kept; kill -2 $!; wait $!",
        directory, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_str_eq(result.output, "night/corpus:\n\nnight/corpus-kept:\n", "%s", result.output);
}

/* afl-fuzz has a hard link to each seed for as long as it runs; the corpus need not have the seed for that. */
Test(lasting, what_was_replaced_goes_though_afl_fuzz_began_from_it)
{
    char line[8192];
    begin("lasting-dropped-afl");
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && mkdir -p night/corpus builds/afl/bin builds/afl/lib && : >builds/afl/lib/mutator_afl.so && cp "
        "'" PICAFUZZ_SOURCE_DIR "/tests/cli/fake/target_afl' builds/afl/bin/fuzz_pair_afl && "
        "printf A >night/corpus/" A " && export TURNS=turns FAKE_SECONDS=60 PATH='" PICAFUZZ_SOURCE_DIR
        "/tests/cli/fake':\"$PATH\" && { '%s/bin/picafuzz' fuzz --campaign night --builds builds --reduce-seconds 0 "
        "--seconds 60 --jobs 2 --instances pair,afl >said 2>&1 & } && for k in $(seq 200); do "
        "[ -e night/corpus-kept/" A " ] && [ -e night/corpus-afl/afl/queue/*,orig:" A " ] && break; sleep 0.1; done; "
        "rm night/corpus/" A " && for k in $(seq 300); do [ -e night/corpus-kept/" A " ] || break; sleep 0.1; "
        "done; ls night/corpus-kept night/corpus-afl/afl/queue | grep -o " A "; kill -9 $!",
        directory, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_str_eq(result.output, A "\n", "afl-fuzz has it, and nobody else: %s", result.output);
    campaign(FAKE_AFL, "--seconds 1 --jobs 2 --instances pair,afl");
    cr_expect_neq(result.exit_code, 4, "%s", result.output);
    shell("ls '%s/night/corpus'", directory);
    cr_expect_null(strstr(result.output, A), "it is there again: %s", result.output);
}

/* A file system may have the new name before what it names: each of stats.json, history.tsv and the page is on the disk
 * before it takes the place of the one before. */
Test(lasting, the_pulse_is_on_the_disk_before_it_replaces_the_one_before)
{
    char variables[2048];
    begin("lasting-fsync");
    (void)snprintf(variables, sizeof variables,
                   "PICAFUZZ_FSYNC_LOG='%s/log' LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so'", directory);
    campaign(variables, "--seconds 2 --instances pair");
    read_file("log");
    cr_expect_geq(strlen(result.output), 6, "at the start and at the end: %s", result.output);
}

/* What is written when the power goes: the process is gone, and so is the boot that it was of. Beside the pulse, which
 * only the campaign with the lock writes, nothing is waited for, though the process with that number lives. */
Test(lasting, temporary_files_of_an_earlier_boot_go_at_the_start)
{
    begin("lasting-temporary");
    shell(
        "cd '%s' && mkdir -p night/corpus night/findings/bucket && for place in . corpus findings findings/bucket; do "
        "touch -d \"@$(($(date +%%s) - $(cut -d. -f1 /proc/uptime) - 10))\" night/$place/.picafuzz.tmp-4194304-abcdef; "
        "done; touch night/.picafuzz.tmp-1-fedcba",
        directory);
    campaign("", "--seconds 1 --instances pair");
    shell("find '%s/night' -name '.picafuzz.tmp-*'", directory);
    cr_expect_str_eq(result.output, "", "%s", result.output);
}

/* Killed while it writes a seed, and started again at once on the same machine: its process is seen to have ended. What
 * a living one, or one of another machine, may be writing stays. */
Test(lasting, a_temporary_file_of_a_killed_campaign_goes_at_the_next_start)
{
    static const char options[] = "--seconds 1 --instances pair corpus/seeds/alpha_test";
    begin("lasting-young");
    campaign("PICAFUZZ_FSYNC_KILLS=1 LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so'", options);
    shell("cd '%s/night' && mkdir -p findings/bucket && place=$(ls -A corpus | sed "
          "'s/.*-\\([0-9a-f]*\\)-......$/\\1/') && "
          "echo ${#place} && case $place in 0*) other=1${place#?} ;; *) other=0${place#?} ;; esac && "
          "touch findings/.picafuzz.tmp-4194304-$place-killed findings/bucket/.picafuzz.tmp-4194304-$place-killed "
          "corpus/.picafuzz.tmp-1-$place-living corpus/.picafuzz.tmp-4194304-$other-remote",
          directory);
    cr_expect_str_eq(result.output, "16\n", "the name says where: %s", result.output);
    campaign("", options);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("find '%s/night' -name '.picafuzz.tmp-*' | sed 's/.*-//' | sort", directory);
    cr_expect_str_eq(result.output, "living\nremote\n", "%s", result.output);
}

/* The terminal closes: the campaign ends as by Ctrl-C, with its summary; under nohup it goes on. */
Test(lasting, a_hang_up_ends_it_in_order_but_not_under_nohup)
{
    static const struct {
        const char *word;
        int seconds;
    } starts[] = { { "", 60 }, { "nohup", 4 } };
    for (int i = 0; i < 2; i++) {
        char line[8192];
        begin("lasting-hang-up");
        (void)snprintf(line, sizeof line,
                       "cd '%s' && export TURNS=turns && %s '%s/bin/picafuzz' fuzz --campaign night --builds builds "
                       "--seconds %d --instances pair >said 2>&1 & p=$!; until [ -s '%s/turns' ]; do sleep 0.1; done; "
                       "kill -HUP $p; wait $p; tail -n 2 '%s/said'",
                       directory, starts[i].word, PICAFUZZ_BINARY_DIR, starts[i].seconds, directory, directory);
        run_command(&result, line);
        cr_expect_not_null(strstr(result.output, "no findings"), "%s", result.output);
        read_file("night/stats.json");
        const char *const seconds = strstr(result.output, "\"seconds\":");
        cr_assert_not_null(seconds, "%s", result.output);
        cr_expect_eq(strtod(seconds + 10, NULL) > starts[i].seconds - 1, i == 1, "%.30s", seconds);
    }
}

Test(lasting, two_campaigns_do_not_share_a_directory)
{
    char line[8192];
    begin("lasting-locked");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && export TURNS=turns && { '%s/bin/picafuzz' fuzz --campaign night --builds builds "
                   "--seconds 60 --instances pair & } && p=$! && until [ -s turns ]; do sleep 0.1; done; "
                   "'%s/bin/picafuzz' fuzz --campaign night --builds builds --seconds 1; code=$?; kill -INT $p; "
                   "wait $p; exit $code",
                   directory, PICAFUZZ_BINARY_DIR, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "another campaign runs there"), "%s", result.output);
}

/* The lock is gone a moment after the process that was killed. */
Test(lasting, a_killed_campaign_can_be_started_again_at_once)
{
    char line[8192];
    begin("lasting-again");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && mkdir night && { flock night/lock sleep 0.5 & } && sleep 0.2 && TURNS=turns "
                   "'%s/bin/picafuzz' fuzz --campaign night --builds builds --seconds 1 --instances pair",
                   directory, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

/* What one finds comes to the other, by nothing but a directory, under names that afl-fuzz reads. */
Test(lasting, machines_share_a_directory_and_nothing_else)
{
    char path[2048];
    begin("lasting-share");
    shell("mkdir '%s/shared' && mkdir -p '%s/night/corpus' && printf one >'%s/night/corpus/a.pcb'", directory);
    (void)snprintf(path, sizeof path, "--seconds 1 --instances pair --machine one --share '%s/shared'", directory);
    campaign("", path);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("cat '%s'/shared/one/queue/id:000000,*", directory);
    cr_expect_str_eq(result.output, "one");

    shell("mv '%s/night' '%s/other' && mkdir -p '%s/night/corpus'", directory);
    (void)snprintf(path, sizeof path, "--seconds 1 --instances pair --machine two --share '%s/shared'", directory);
    shell("mkdir -p '%s/shared/three/queue' && mkfifo '%s/shared/three/queue/id:000001' && printf two "
          ">'%s/night/corpus/b.pcb'",
          directory);
    campaign("timeout 20", path);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("cat '%s'/night/corpus/*", directory);
    cr_expect_not_null(strstr(result.output, "one"), "%s", result.output);
    shell("cat '%s'/shared/two/queue/id:*", directory);
    cr_expect_str_eq(result.output, "two", "it gives what it found itself, and no more: %s", result.output);
}

/* Somebody keeps notes beside the machines' directories. */
Test(lasting, what_is_no_machine_among_them_does_no_harm)
{
    char path[2048];
    begin("lasting-notes");
    shell("mkdir -p '%s/shared/other/queue' && echo note >'%s/shared/0README' && ln -s nowhere '%s/shared/1link'",
          directory);
    shell("printf two >'%s/shared/other/queue/id:000000'", directory);
    (void)snprintf(path, sizeof path, "--seconds 1 --instances pair --machine one --share '%s/shared'", directory);
    campaign("", path);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_null(strstr(result.output, "shared"), "it complains: %s", result.output);
    shell("cat '%s'/night/corpus/*", directory);
    cr_expect_str_eq(result.output, "two");
}

Test(lasting, a_share_that_is_away_is_no_error)
{
    begin("lasting-away");
    campaign("", "--seconds 2 --instances pair --share /nowhere/at/all");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "/nowhere/at/all"), "%s", result.output);
}

/* 3 MiB where 1 is allowed: engines' files that a merge leaves out go, the user's stay. */
Test(lasting, a_corpus_that_is_too_large_is_merged)
{
    char path[2048];
    begin("lasting-merge");
    shell("mkdir -p '%s/night/corpus' && cd '%s/night/corpus' && for k in 1 2 3; do head -c 1000000 /dev/zero | tr "
          "'\\0' $k >file && mv file $(sha1sum <file | cut -d' ' -f1); done; printf mine >mine.pcb; printf x >x; mv x "
          "$(sha1sum <x | cut -d' ' -f1); touch -d yesterday *",
          directory);
    (void)snprintf(path, sizeof path, "--seconds 5 --instances pair --disk 1 --machine one --share '%s/shared'",
                   directory);
    shell("mkdir '%s/shared'", directory);
    campaign("", path);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/shared/one/queue", directory);
    cr_expect_eq(count_files(path, "id:"), 2, "what is shared is not merged");
    (void)snprintf(path, sizeof path, "%s/night/corpus", directory);
    cr_expect_eq(count_files(path, ""), 2, "%s", result.output);
    cr_expect_eq(count_files(path, "mine.pcb"), 1, "%s", result.output);
    shell("cat '%s/turns'; ls -d '%s/night/corpus-merged'", directory);
    cr_expect_not_null(strstr(result.output, "noted\nmerged\n"), "notes beside what they are about: %s", result.output);
    cr_expect_null(strstr(result.output, "night/corpus-merged\n"), "nothing stays: %s", result.output);
}

static char campaign_said[sizeof result.output];

/* Inputs whose first characters are f, f, 3 and x, of which x is small: what is left of them after a merge. */
static void expect_left(const char *name, const char *fake, const char *left)
{
    begin(name);
    shell("mkdir -p '%s/night/corpus' && cd '%s/night/corpus' && for k in f1 f2 3; do { printf $k; head -c 400000 "
          "/dev/zero; } >file && mv file $(sha1sum <file | cut -d' ' -f1); done; printf x >x; mv x $(sha1sum <x | cut "
          "-d' ' -f1)",
          directory);
    campaign(fake, "--seconds 5 --instances pair --disk 1");
    (void)snprintf(campaign_said, sizeof campaign_said, "%s", result.output);
    cr_expect(result.exit_code == 0 || strlen(left) == 4, "%s", result.output); /* all that is left is too much */
    shell("cd '%s/night/corpus' && for file in *; do head -c 1 $file; done | fold -w 1 | sort | tr -d '\\n'",
          directory);
    cr_expect_str_eq(result.output, left, "%s: %s", name, result.output);
}

/* What ends only a merge has not been judged; of the large ones only that which did not goes. */
Test(lasting, what_a_merge_fails_on_stays)
{
    char path[2048];
    expect_left("lasting-merge-fails", "FAKE=fails", "ffx");
    expect_left("lasting-merge-killed", "FAKE=killed", "ffx");
    expect_left("lasting-merge-notes", "FAKE=notes", "3ffx");
    expect_left("lasting-merge-half", "FAKE=half", "ffx");
    expect_left("lasting-merge-joined", "FAKE=joined", "ffx");
    begin("lasting-merge-all-fail");
    shell("mkdir -p '%s/night/corpus-text' && cd '%s/night/corpus-text' && for k in f1 f2 f3; do { printf $k; head -c "
          "1000000 /dev/zero; } >file && mv file $(sha1sum <file | cut -d' ' -f1); done",
          directory);
    campaign("FAKE=fails", "--seconds 60 --instances text --disk 1");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus-text", directory);
    cr_expect_eq(count_files(path, ""), 3, "it is empty");
}

/* libFuzzer's merge fails where one is missing; here it has names of its own. */
Test(lasting, what_leaves_the_corpus_does_not_end_its_merge)
{
    expect_left("lasting-merge-vanishes", "FAKE=vanishes", "x");
}

/* libFuzzer does not look whether its copies reach the disk. */
Test(lasting, a_merge_whose_copies_are_missing_or_cut_removes_nothing)
{
    expect_left("lasting-merge-lost", "FAKE=lost", "3ffx");
    expect_left("lasting-merge-short", "FAKE=short", "3ffx");
}

/* x, which is kept, leaves the corpus: while it is merged, or when the engine that found it ends. That has in memory
 * what a merge removes. */
Test(lasting, what_an_engine_replaces_beside_a_merge_is_in_the_corpus)
{
    expect_left("lasting-merge-replaced", "FAKE=replaced", "x");
    expect_left("lasting-merge-owner", "FAKE=owner", "xy");
    cr_expect_null(strstr(campaign_said, "(--disk)"), "that is no lack of room: %s", campaign_said);
    read_file("turns");
    cr_expect_eq(count_lines("fuzz_pair"), 2, "it does not go on: %s", result.output);
}

/* What AFL++ found is kept under another name. */
Test(lasting, what_a_merge_keeps_gets_no_second_name)
{
    char path[2048];
    begin("lasting-merge-name");
    shell("mkdir -p '%s/night/corpus' && cd '%s/night/corpus' && printf x >0123456789abcdef0123456789abcdef.pcb && for "
          "k in 1 2; do head -c 600000 /dev/zero | tr '\\0' $k >file && mv file $(sha1sum <file | cut -d' ' -f1); done",
          directory);
    campaign("", "--seconds 5 --instances pair --disk 1");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus", directory);
    cr_expect_eq(count_files(path, ""), 1, "%s", result.output);
    cr_expect_eq(count_files(path, ".pcb"), 1, "%s", result.output);
}

/* With `corpus` of three inputs, of which a merge keeps one, a campaign is started; then `ask` is run. */
static void merge_and(const char *name, const char *fake, const char *ask)
{
    char line[8192];
    begin(name);
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && mkdir -p night/corpus && cd night/corpus && for k in 1 2 3; do head -c 400000 /dev/zero | tr '\\0' "
        "$k >file && mv file $(sha1sum <file | cut -d' ' -f1); done; cd ../.. && export TURNS=turns %s && { "
        "'%s/bin/picafuzz' fuzz --campaign night --builds builds --disk 1 --seconds 60 --instances pair >said 2>&1 & } "
        "&& %s",
        directory, fake, PICAFUZZ_BINARY_DIR, ask);
    run_command(&result, line);
}

/* The merge has ended, and its result waits for the engines to end. */
Test(lasting, a_campaign_that_is_stopped_before_a_merge_counts_loses_nothing)
{
    merge_and("lasting-merge-stopped", "FAKE=slow",
              "for k in $(seq 200); do [ -e turns.asked ] && break; sleep 0.1; done; kill -15 $!; wait $!; grep -c "
              "merged turns; ls night/corpus | wc -l; ls night");
    cr_expect_eq(strncmp(result.output, "1\n3\n", 4), 0, "%s", result.output);
    cr_expect_null(strstr(result.output, "corpus-merged"), "%s", result.output);
}

/* libFuzzer runs it in processes of a shell. */
Test(lasting, a_killed_campaign_leaves_no_process_of_a_merge)
{
    merge_and(
        "lasting-merge-sleeps", "FAKE=sleeps",
        "for k in $(seq 200); do [ -s turns.sub ] && break; sleep 0.1; done; kill -9 $!; for k in $(seq 50); do "
        "[ -n \"$(tr -d '\\0' </proc/$(cat turns.sub)/cmdline)\" ] || break; sleep 0.1; done 2>/dev/null; [ $k -lt "
        "50 ] && echo gone");
    cr_expect_str_eq(result.output, "gone\n", "%s", result.output);
}

/* So that it fails on nothing that the engines' targets take. */
Test(lasting, a_merge_has_the_limits_of_the_engines)
{
    begin("lasting-merge-limits");
    shell("mkdir -p '%s/night/corpus' && head -c 1500000 /dev/zero >'%s/night/corpus/large'", directory);
    campaign("", "--seconds 3 --instances pair --memory 1000 --peel --disk 1");
    read_file("turns");
    cr_expect_not_null(strstr(result.output, "\nlimits -timeout=25 -rss_limit_mb=1000 with known causes\n"), "%s",
                       result.output);
}

/* Each by the target that reads it; what a killed campaign had begun goes, too. */
Test(lasting, a_corpus_that_is_no_cases_is_merged_by_its_own_target)
{
    char path[2048];
    begin("lasting-merge-bytes");
    shell("cd '%s' && mkdir -p night/corpus-text night/corpus-text-merged && touch night/corpus-text-merged/left && cd "
          "night/corpus-text && for k in 1 2 3; do head -c 1000000 /dev/zero | tr '\\0' $k >file && mv file "
          "$(sha1sum <file | cut -d' ' -f1); done; printf mine >mine.txt; touch -d yesterday *",
          directory);
    campaign("", "--seconds 6 --instances text --disk 1");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus-text", directory);
    cr_expect_eq(count_files(path, ""), 1, "%s", result.output);
    cr_expect_eq(count_files(path, "mine.txt"), 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus-text-merged", directory);
    cr_expect_not(file_exists(path));
}

/* 16 MB until the first look, where two may be, and twice that makes it wait for a merge; then it goes on. On a slow
 * machine three of the nine inputs are enough. */
Test(lasting, an_engine_that_fills_the_disk_quicker_than_merges_empty_it_rests)
{
    begin("lasting-grow");
    campaign("FAKE=grow", "--seconds 14 --jobs 2 --instances pair,text --disk 2");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "MiB of 2 (--disk): the engines wait for a merge"), "%s", result.output);
    read_file("turns");
    cr_expect_geq(count_lines("merged"), 1, "%s", result.output);
    cr_expect_geq(count_lines("fuzz_pair"), 2, "it does not go on: %s", result.output);
    shell("du -sm '%s/night/corpus' | cut -f1", directory);
    cr_expect_lt(strtol(result.output, NULL, 10), 36, "%s MiB of 50", result.output);
    shell("cd '%s' && ls turns.cut && cat night/corpus-text/*", directory);
    cr_expect_eq(strncmp(result.output, "turns.cut\n", 10), 0, "no engine was stopped: %s", result.output);
    cr_expect_null(strstr(result.output + 10, "cut"), "what it was writing stays: %s", result.output);
}

/* afl-fuzz has a second name for each seed, which takes no room: 1.5 MB, not 4.5, where 2 MiB may be. */
Test(lasting, what_afl_fuzz_begins_from_is_counted_once)
{
    char line[4096];
    begin("lasting-links");
    shell("cd '%s' && mkdir -p night/corpus builds/afl/bin builds/afl/lib && : >builds/afl/lib/mutator_afl.so && cp "
          "'" PICAFUZZ_SOURCE_DIR
          "/tests/cli/fake/target_afl' builds/afl/bin/fuzz_pair_afl && cd night/corpus && for k in 1 "
          "2 3; do head -c 500000 /dev/zero | tr '\\0' $k >file && mv file $(sha1sum <file | cut -d' ' -f1); done",
          directory);
    campaign(FAKE_AFL " FAKE_SECONDS=30", "--seconds 8 --jobs 3 --instances pair,afl,afl-bytes --disk 2");
    cr_expect_neq(result.exit_code, 4, "%s", result.output);
    cr_expect_null(strstr(result.output, "(--disk)"), "%s", result.output);
    (void)snprintf(line, sizeof line, "cd '%s' && ls night/corpus-afl/afl*/queue | grep -c orig:.*0", directory);
    run_command(&result, line);
    cr_expect_geq(strtol(result.output, NULL, 10), 6, "nothing was linked: %s", result.output);
    read_file("turns");
    cr_expect_eq(count_lines("fuzz_pair"), 1, "it was stopped: %s", result.output);
    cr_expect_eq(count_lines("merged"), 0, "%s", result.output);
}

/* The common one is merged first, and would be enough. */
Test(lasting, engines_rest_until_all_corpora_are_merged)
{
    char path[2048];
    begin("lasting-rest-all");
    shell(
        "mkdir -p '%s/night' && cd '%s/night' && for corpus in corpus corpus-text; do mkdir $corpus && for k in 1 2 3; "
        "do size=1500000; [ $corpus = corpus ] || size=500000; head -c $size /dev/zero | tr '\\0' $k >file && mv file "
        "$corpus/$(sha1sum <file | cut -d' ' -f1); done; printf mine >$corpus/mine; done",
        directory);
    campaign("", "--seconds 20 --turn 2 --instances pair,text --disk 2");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "MiB of 2 (--disk): the engines wait for a merge"), "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus-text", directory);
    cr_expect_eq(count_files(path, ""), 1, "it was not merged");
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_"), 2, "it does not go on: %s", result.output);
}

/* As rsync does from another machine: the clock says that it was there before. A link is not followed, either. */
Test(lasting, what_comes_while_the_corpus_is_merged_stays)
{
    char path[2048];
    begin("lasting-late");
    shell("mkdir -p '%s/night/corpus' && cd '%s/night/corpus' && for k in 1 2; do head -c 1000000 /dev/zero | tr "
          "'\\0' $k >file && mv file $(sha1sum <file | cut -d' ' -f1); done; touch -d yesterday *",
          directory);
    campaign("FAKE=late", "--seconds 5 --instances pair --disk 1");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("cat '%s'/night/corpus/*", directory);
    cr_expect_not_null(strstr(result.output, "late"), "it has gone");
    (void)snprintf(path, sizeof path, "%s/night/corpus", directory);
    cr_expect_eq(count_files(path, ""), 2, "nothing was merged");
}

Test(lasting, a_merge_removes_nothing_behind_a_link)
{
    begin("lasting-link");
    shell("mkdir -p '%s/night/corpus' '%s/mine' && echo dear >'%s/mine/file'", directory);
    shell("ln -s ../mine '%s/night/corpus-merged' && head -c 3000000 /dev/zero >'%s/night/corpus/large'", directory);
    campaign("", "--seconds 3 --instances pair --disk 1");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "corpus-merged: cannot be made"), "%s", result.output);
    read_file("mine/file");
    cr_expect_str_eq(result.output, "dear\n");
}

/* The user's own files are not taken away, so they may be too much. */
Test(lasting, a_corpus_that_stays_too_large_is_trouble)
{
    begin("lasting-full");
    shell("mkdir -p '%s/night/corpus' && head -c 3000000 /dev/zero >'%s/night/corpus/large'", directory);
    campaign("timeout 100", "--seconds 90 --instances pair --disk 1");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "they may take 1"), "%s", result.output);
}

/* With --executions nothing is merged; an engine that is asked to rest has not run them all. */
Test(lasting, a_rest_does_not_end_a_campaign_that_counts_executions)
{
    begin("lasting-spent");
    shell("mkdir -p '%s/night/corpus' && head -c 3000000 /dev/zero >'%s/night/corpus/large'", directory);
    campaign("timeout 60", "--executions 1000 --seconds 50 --instances pair --disk 1");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "they may take 1"), "%s", result.output);
}

Test(lasting, options_that_do_not_go_together_are_refused)
{
    begin("lasting-usage");
    campaign("", "--corpus elsewhere");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    campaign("", "--engine afl");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    run_picafuzz(&result, "", "fuzz --seconds 1 --share somewhere");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    campaign("", "--machine a/b --instances pair");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
}
