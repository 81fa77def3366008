/* `picafuzz fuzz --campaign`: many kinds of instances by turns, in a directory that goes on where it was. */
#include "tests/cli/lasting.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* AFL++'s mutator lies below --builds, as its target does; without it what needs it is not there. */
Test(lasting, the_mutator_is_that_of_the_builds)
{
    char path[2048];
    begin("lasting-mutator");
    build_afl();
    shell("rm -r '%s/builds/afl/lib'", directory);
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
    build_afl();
    (void)snprintf(line, sizeof line,
                   "cd '%s' && { PATH='" PICAFUZZ_SOURCE_DIR "/tests/cli/fake':\"$PATH\" FAKE_SECONDS=30 TURNS=turns "
                   "'%s/bin/picafuzz' fuzz --campaign night --builds builds --reduce-seconds 0 --seconds 60 --turn 1 "
                   "--instances pair,afl >said 2>&1 & } && for k in $(seq 150); do grep -qs 4321 night/stats.json && "
                   "break; sleep 0.1; done; grep -c 4321 night/stats.json; kill -INT $!; wait $!",
                   directory, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_eq(strncmp(result.output, "1\n", 2), 0, "%s", result.output);
}

/* With targets of AFL++, and an afl-fuzz that reads its seeds once one has gone from the corpus, as libFuzzer removes
 * one. */
static void begin_with_race(const char *name)
{
    begin(name);
    build_afl();
    shell("cd '%s' && mkdir -p night/corpus && printf a >night/corpus/a.pcb && printf b >night/corpus/b.pcb",
          directory);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
}

/* Starts it in the directory, waits until afl-fuzz has listed its seeds, and does the rest. */
static void race(const char *rest)
{
    char line[8192];
    (void)snprintf(line, sizeof line,
                   "cd '%s' && { PATH='" PICAFUZZ_SOURCE_DIR "/tests/cli/fake':\"$PATH\" FAKE_RACE=1 FAKE_SECONDS=30 "
                   "TURNS=turns '%s/bin/picafuzz' fuzz --campaign night --builds builds --reduce-seconds 0 --seconds "
                   "60 --jobs 2 --instances pair,afl >said 2>&1 & } && afl=night/corpus-afl && for k in $(seq 200); "
                   "do [ -e $afl/afl/listed ] && break; sleep 0.1; done; %s",
                   directory, PICAFUZZ_BINARY_DIR, rest);
    run_command(&result, line);
}

/* The real one ends there, too. Its links go when it has its own. */
Test(lasting, an_input_that_goes_before_afl_fuzz_has_read_it_does_not_end_it)
{
    begin_with_race("lasting-race");
    race(
        "rm night/corpus/b.pcb; for k in $(seq 100); do grep -qs 'not run' said && break; [ -e $afl/afl/fuzzer_stats ] "
        "&& [ ! -e $afl/.seeds-afl ] && break; sleep 0.1; done; ls -A $afl; ls $afl/afl/queue | grep -o 'orig:[ab].*';"
        " grep 'not run' said; kill -INT $!; wait $!");
    cr_expect_str_eq(result.output, "afl\norig:a.pcb\norig:b.pcb\n", "%s", result.output);
    read_file("said");
    cr_expect_null(strstr(result.output, "does not run"), "%s", result.output);
}

/* Whatever afl-fuzz was about to read; but what is behind a link in that place is somebody's. */
Test(lasting, links_to_seeds_of_a_killed_campaign_go_at_the_next_start)
{
    begin_with_race("lasting-race-killed");
    race("kill -9 $!; ls $afl/.seeds-afl");
    cr_expect_str_eq(result.output, "a.pcb\nb.pcb\n", "%s", result.output);
    shell("cd '%s' && mkdir mine && echo dear >mine/file && ln -s ../../mine night/corpus-afl/.seeds-afl-bytes",
          directory);
    campaign(FAKE_AFL, "--seconds 1 --jobs 2 --instances pair,afl-bytes");
    cr_expect_neq(result.exit_code, 4, "%s", result.output);
    shell("cd '%s' && ls -A night/corpus-afl; ls night/corpus-afl/afl-bytes/queue | grep -o 'orig:[ab].*'; cat mine/*",
          directory);
    cr_expect_str_eq(result.output, ".seeds-afl-bytes\nafl-bytes\norig:a.pcb\norig:b.pcb\ndear\n", "%s", result.output);
}

/* Nor are they there for the next one when it ends in trouble; here, over a file that an engine could not write. */
Test(lasting, links_to_seeds_go_with_the_campaign_in_any_case)
{
    begin_with_race("lasting-race-trouble");
    race(": >night/corpus/0000000000000000000000000000000000000000; wait $!; echo $?; ls -A $afl");
    cr_expect_str_eq(result.output, "4\nafl\n", "%s", result.output);
    shell("cd '%s' && rm night/corpus/0* && mkdir night/corpus-afl/.seeds-x && ln night/corpus/a.pcb "
          "night/corpus-afl/.seeds-x/a",
          directory);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    campaign("", "--seconds 1 --instances pair");
    shell("ls -A '%s/night/corpus-afl'", directory);
    cr_expect_str_eq(result.output, "afl\n", "also without an afl-fuzz: %s", result.output);
}

/* Another command may use the corpus meanwhile: it has no lock of the campaign's, and no such links. */
Test(lasting, links_to_seeds_stay_while_somebody_else_fuzzes_there)
{
    begin_with_race("lasting-race-beside");
    race(
        "TURNS=other '" PICAFUZZ_BINARY_DIR "/bin/picafuzz' fuzz --corpus night/corpus --findings other-findings "
        "--target builds/fuzz/bin/fuzz_pair --seconds 1 >other-said 2>&1; grep -c fuzz_pair other; ls $afl/.seeds-afl; "
        "kill -INT $!; wait $!");
    cr_expect_str_eq(result.output, "1\na.pcb\nb.pcb\n", "%s", result.output);
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
    build_afl();
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && { PATH='" PICAFUZZ_SOURCE_DIR "/tests/cli/fake':\"$PATH\" FAKE_SECONDS=90 FAKE_HANGS=60 "
        "TURNS=turns '%s/bin/picafuzz' fuzz --campaign night --builds builds --reduce-seconds 0 --seconds 90 "
        "--instances afl >said 2>&1 & } && p=$! && until ls night/findings 2>/dev/null | grep -q timeout; do sleep "
        "0.1; "
        "done; kill -INT $p; begun=$(date +%%s); wait $p; [ $(($(date +%%s) - begun)) -lt 20 ] && echo soon; "
        "grep -o '[0-9]* more failing input(s), not filed' said",
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
    build_afl();
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
    build_afl();
    shell("cp /bin/false '%s/builds/afl/bin/fuzz_pair_afl'", directory);
    campaign(FAKE_AFL, "--seconds 2 --turn 1 --instances afl,invariant corpus/seeds/alpha_test");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "afl does not run: the target fuzz_pair_afl executed nothing and ended "
                                             "with exit code 1\n"),
                       "%s", result.output);
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_invariant"), 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus", directory);
    cr_expect_eq(count_files(path, ".pcb"), 1);
}

/* The engines say that they hold 7 inputs, and builds count their edges differently: the terminal and the files have
 * the inputs that are there, and the edges of the first instance. */
Test(lasting, inputs_and_edges_are_the_same_everywhere)
{
    begin("lasting-numbers");
    campaign("FAKE=edges", "--seconds 4 --turn 1 --instances pair,invariant corpus/seeds/alpha_test/*");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, " 5 edges, 6 features, 1 inputs in "), "%s", result.output);
    shell("cd '%s/night' && ls corpus | wc -l && grep -m 1 -o '^.\"edges\":.*' stats.json && "
          "grep -m 1 -o '^.\"corpus\":.*' stats.json && tail -n 1 history.tsv | cut -f 5,7",
          directory);
    cr_expect_str_eq(result.output, "1\n\t\"edges\":\t5,\n\t\"corpus\":\t1,\n5\t1\n");
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
