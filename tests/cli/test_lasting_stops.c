/* `picafuzz fuzz --campaign` is stopped, killed, or cut off: what the next start finds, and what it still has. */
#include "tests/cli/lasting.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Killed as by a lack of memory: what it shared with its targets goes with it. */
Test(lasting_stops, a_killed_campaign_leaves_no_file_elsewhere)
{
    begin("lasting-elsewhere");
    campaign_beside(
        "", "--seconds 600 --instances pair",
        "await '[ -s turns ]' && kill -9 $p; find /tmp -maxdepth 1 -name \"picafuzz.tmp-$p-*\"; echo looked");
    cr_expect_str_eq(result.output, "looked\n", "%s", result.output);
}

/* Killed between finding and filing: the next campaign files it. */
Test(lasting_stops, what_a_killed_campaign_left_is_filed_by_the_next)
{
    char path[2048];
    begin("lasting-killed");
    shell("mkdir -p '%s/night/findings' && printf '\\0' >'%s/night/findings/job0-crash-0123'", directory);
    quick_campaign("", "--seconds 3 --instances pair");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/findings/unconfirmed", directory);
    cr_expect_eq(count_files(path, "job0-crash-0123.pcase"), 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/findings", directory);
    cr_expect_eq(count_files(path, "job0"), 0, "nothing waits any more");
}

/* A plug-in that stops who runs it at each list: what is found waits. */
#define STOPPED "FAKE=differ SEED=seed PICAFUZZ_FAULT=stop"
#define PLUG_IN "-b reference,'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so' --instances pair"

/* A campaign whose reduction has begun and stands still; then the script. */
static void reduce_beside(const char *name, const char *environment, const char *options, const char *script)
{
    char variables[1024], all[2048], line[4096];
    begin(name);
    shell("printf '\\0' >'%s/seed'", directory);
    (void)snprintf(variables, sizeof variables, STOPPED " %s", environment);
    (void)snprintf(all, sizeof all, "%s " PLUG_IN, options);
    (void)snprintf(line, sizeof line, "await_reduction; %s", script);
    campaign_beside(variables, all, line);
}

/* Nothing is lost, but it is no good end either. */
Test(lasting_stops, what_waits_for_its_reduction_is_told)
{
    reduce_beside("lasting-waits", "", "--seconds 600",
                  "kill -STOP $reducer; kill -INT $p; wait $p; echo $?; grep -c '^1 more failing input(s), not filed: "
                  "night/findings/job' said; grep -c agreed said; ls night/findings/job0-crash-0123.pcb");
    cr_expect_str_eq(result.output, "1\n1\n0\nnight/findings/job0-crash-0123.pcb\n", "%s", result.output);
}

/* What is in its bucket when the campaign ends is a finding; here, because the disk is full just then: the campaign
 * does nothing until its reduction has ended. */
Test(lasting_stops, what_was_just_filed_is_told)
{
    reduce_beside(
        "lasting-just-filed", "PICAFUZZ_FULL_WHEN=\"$PWD/full\"", "--seconds 600 --reduce-seconds 1",
        "kill -STOP $p; end_reduction; : >full; kill -CONT $p; wait $p; echo $?; grep -c 'not filed' said; grep -c '^1 "
        "finding(s):' said; ls night/findings/*/job0-crash-0123.pcb | wc -l");
    cr_expect_str_eq(result.output, "4\n0\n1\n1\n", "%s", result.output);
}

/* Its last reduction begins when the engines have ended. */
Test(lasting_stops, what_is_filed_at_the_end_is_in_the_statistics)
{
    char variables[2048];
    begin("lasting-drained");
    shell("printf '\\0' >'%s/seed'", directory);
    (void)snprintf(variables, sizeof variables, "FAKE=differ SEED='%s/seed'", directory);
    quick_campaign(variables, "--seconds 3 " PLUG_IN);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\n1 finding(s):"), "%s", result.output);
    read_file("night/stats.json");
    cr_expect_not_null(strstr(result.output, "\n\t\"findings\":\t1,"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\n\t\"waiting\":\t0,"), "%s", result.output);
}

/* Five minutes of fuzzing, and five for a reduction that stands still. Who looks meanwhile sees that something waits,
 * and that nothing runs. */
Test(lasting_stops, a_reduction_without_end_does_not_keep_a_campaign_from_its_end)
{
    reduce_beside(
        "lasting-drain-bound", "", "--seconds 300 --reduce-seconds 80000",
        "kill -STOP $reducer; pass 303; stats=night/stats.json; await \"grep -q 'reducing what was found' said "
        "&& grep -q '^.\\\"seconds\\\":.3' $stats && ! grep -q 'running\\\":.true' $stats\"; grep -c "
        "'^.\"waiting\":.1,' $stats; grep -c '^[0-9]* s, ' said; "
        "pass 301; wait $p; echo $?; grep -c '^1 more failing input(s), not filed' said; "
        "grep -o '^6[0-9]* s, ' said | wc -l");
    cr_expect_str_eq(result.output, "1\n0\n1\n1\n1\n", "%s", result.output);
}

/* Each of A, B and C is named by its contents; B is empty and C is cut, as a power cut may leave them. */
#define A "6dcd4ce23d88e2ee9568ba546c007c63d9131c1b"
#define B "ae4f281df5a5d0ff3cad6371f76d5c29b6d953ec"
#define C "32096c2e0eff33d844ee6d675407ace18289357d"

Test(lasting_stops, what_a_power_cut_left_broken_leaves_every_corpus)
{
    begin("lasting-broken");
    shell("cd '%s' && for corpus in corpus corpus-text; do mkdir -p night/$corpus && cd night/$corpus && printf A >" A
          " && : >" B " && printf x >" C " && cd ../..; done",
          directory);
    quick_campaign("", "--seconds 1 --jobs 2 --instances pair,text");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("cd '%s/night' && ls corpus corpus-text", directory);
    cr_expect_str_eq(result.output, "corpus:\n" A "\n\ncorpus-text:\n" A "\n", "%s", result.output);
}

/* libFuzzer removes an input as soon as it has a smaller one that reaches the same; the disk may have the removal
 * before it has the smaller one. */
Test(lasting_stops, what_was_replaced_just_before_a_cut_comes_back)
{
    begin("lasting-replaced");
    shell("mkdir -p '%s/night/corpus' && printf A >'%s/night/corpus/" A "'", directory);
    campaign_beside("", "--seconds 600 --instances pair",
                    "await '[ -e night/corpus-kept/" A " ]'; rm night/corpus/" A "; : >night/corpus/" B
                    "; kill -9 $p; ls night/corpus-kept; printf x >night/corpus-kept/" C);
    cr_expect_str_eq(result.output, A "\n", "%s", result.output);
    quick_campaign("", "--seconds 1 --instances pair");
    shell("cd '%s/night' && ls corpus; ls -d corpus-kept", directory);
    cr_expect_eq(strncmp(result.output, A "\nls: ", sizeof A + 4), 0,
                 "there again, and the end leaves no second name: %s", result.output);
}

/* A campaign is stopped by kill -15 while its engine runs; then `ask` is run in its directory. */
static void stop(const char *name, const char *fake, const char *ask)
{
    char script[1024];
    begin(name);
    (void)snprintf(script, sizeof script, "await '[ -e turns.ready ]'; kill -15 $p; wait $p; %s", ask);
    campaign_beside(fake, "--seconds 6000 --instances pair", script);
}

/* By SIGUSR1 libFuzzer ends after an input, not between a removal and a writing; but not while it reads its corpus. */
Test(lasting_stops, an_engine_that_is_stopped_ends_what_it_does)
{
    stop("lasting-between", "FAKE=between", "ls night/corpus");
    cr_expect_str_eq(result.output, "11f6ad8ec52a2984abaafd7c3b516503785c2072\n", "%s", result.output);
    stop("lasting-reads", "FAKE=reads", "grep interrupted turns");
    cr_expect_str_eq(result.output, "interrupted\n", "%s", result.output);
    stop("lasting-cut", "FAKE=cut", "ls night/corpus");
    cr_expect_str_eq(result.output, "11f6ad8ec52a2984abaafd7c3b516503785c2072\n", "%s", result.output);
}

/* Lines that look like reports, of a process that lives on. */
Test(lasting_stops, an_engine_whose_plug_in_logs_errors_is_asked_to_end)
{
    stop("lasting-logs", "FAKE=logs", "grep asked turns");
    cr_expect_str_eq(result.output, "asked\n", "%s", result.output);
    stop("lasting-recovers", "FAKE=recovers", "grep asked turns");
    cr_expect_str_eq(result.output, "asked\n", "%s", result.output);
}

/* Of a target that has worked, and ends without a finding. */
Test(lasting_stops, what_a_target_says_when_it_dies_is_told)
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
        campaign(variables, "--seconds 600 --instances pair");
        cr_expect_eq(result.exit_code, 4, "%s", result.output);
        cr_expect_not_null(strstr(result.output, expected), "%s", result.output);
    }
    campaign("FAKE=device", "--seconds 600 --instances pair");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "it said: GPU: ERROR: no device"), "%s", result.output);
}

/* Two flushes later, what came instead is on the disk. */
Test(lasting_stops, what_was_replaced_goes_after_a_while)
{
    begin("lasting-dropped");
    shell("mkdir -p '%s/night/corpus' && printf A >'%s/night/corpus/" A "'", directory);
    campaign_beside("", "--seconds 600 --instances pair",
                    "await '[ -e night/corpus-kept/" A " ]'; rm night/corpus/" A "; pass 6; "
                    "await '! [ -e night/corpus-kept/" A " ]'; ls night/corpus night/corpus-kept; kill -2 $p; wait $p");
    cr_expect_str_eq(result.output, "night/corpus:\n\nnight/corpus-kept:\n", "%s", result.output);
}

/* afl-fuzz has a hard link to each seed for as long as it runs; the corpus need not have the seed for that. */
Test(lasting_stops, what_was_replaced_goes_though_afl_fuzz_began_from_it)
{
    begin("lasting-dropped-afl");
    build_afl();
    shell("mkdir -p '%s/night/corpus' && printf A >'%s/night/corpus/" A "'", directory);
    campaign_beside("FAKE_SECONDS=600 PATH='" PICAFUZZ_SOURCE_DIR "/tests/cli/fake':\"$PATH\"",
                    "--reduce-seconds 0 --seconds 600 --jobs 2 --instances pair,afl",
                    "queue=night/corpus-afl/afl/queue; await '[ -e night/corpus-kept/" A " ] && [ -e $queue/*,orig:" A
                    " ]'; rm night/corpus/" A "; pass 6; await '! [ -e night/corpus-kept/" A " ]'; "
                    "ls night/corpus-kept $queue | grep -o " A "; kill -9 $p");
    cr_expect_str_eq(result.output, A "\n", "afl-fuzz has it, and nobody else: %s", result.output);
    quick_campaign(FAKE_AFL, "--seconds 1 --jobs 2 --instances pair,afl");
    cr_expect_neq(result.exit_code, 4, "%s", result.output);
    shell("ls '%s/night/corpus'", directory);
    cr_expect_null(strstr(result.output, A), "it is there again: %s", result.output);
}

/* A file system may have the new name before what it names: each of stats.json, history.tsv and the page is on the disk
 * before it takes the place of the one before. */
Test(lasting_stops, the_pulse_is_on_the_disk_before_it_replaces_the_one_before)
{
    char variables[2048];
    begin("lasting-fsync");
    (void)snprintf(variables, sizeof variables, "PICAFUZZ_FSYNC_LOG='%s/log'", directory);
    quick_campaign(variables, "--seconds 2 --instances pair");
    read_file("log");
    cr_expect_geq(strlen(result.output), 6, "at the start and at the end: %s", result.output);
}

/* What is written when the power goes: the process is gone, and so is the boot that it was of. Beside the pulse, which
 * only the campaign with the lock writes, nothing is waited for, though the process with that number lives. */
Test(lasting_stops, temporary_files_of_an_earlier_boot_go_at_the_start)
{
    begin("lasting-temporary");
    shell(
        "cd '%s' && mkdir -p night/corpus night/findings/bucket && for place in . corpus findings findings/bucket; do "
        "touch -d \"@$(($(date +%%s) - $(cut -d. -f1 /proc/uptime) - 10))\" night/$place/.picafuzz.tmp-4194304-abcdef; "
        "done; touch night/.picafuzz.tmp-1-fedcba",
        directory);
    quick_campaign("", "--seconds 1 --instances pair");
    shell("find '%s/night' -name '.picafuzz.tmp-*'", directory);
    cr_expect_str_eq(result.output, "", "%s", result.output);
}

/* Killed while it writes a seed, and started again at once on the same machine: its process is seen to have ended. What
 * a living one, or one of another machine, may be writing stays. */
Test(lasting_stops, a_temporary_file_of_a_killed_campaign_goes_at_the_next_start)
{
    static const char options[] = "--seconds 1 --instances pair corpus/seeds/alpha_test";
    begin("lasting-young");
    quick_campaign("PICAFUZZ_FSYNC_KILLS=1", options);
    shell("cd '%s/night' && mkdir -p findings/bucket && place=$(ls -A corpus | sed "
          "'s/.*-\\([0-9a-f]*\\)-......$/\\1/') && "
          "echo ${#place} && case $place in 0*) other=1${place#?} ;; *) other=0${place#?} ;; esac && "
          "touch findings/.picafuzz.tmp-4194304-$place-killed findings/bucket/.picafuzz.tmp-4194304-$place-killed "
          "corpus/.picafuzz.tmp-1-$place-living corpus/.picafuzz.tmp-4194304-$other-remote",
          directory);
    cr_expect_str_eq(result.output, "16\n", "the name says where: %s", result.output);
    quick_campaign("", options);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("find '%s/night' -name '.picafuzz.tmp-*' | sed 's/.*-//' | sort", directory);
    cr_expect_str_eq(result.output, "living\nremote\n", "%s", result.output);
}

/* The terminal closes: the campaign ends as by Ctrl-C, with its summary. */
Test(lasting_stops, a_hang_up_ends_it_in_order)
{
    begin("lasting-hang-up");
    campaign_beside(
        "", "--seconds 600 --instances pair",
        "await '[ -e turns.ready ]'; kill -HUP $p; wait $p; tail -n 2 said; grep '\"seconds\":' night/stats.json");
    cr_expect_not_null(strstr(result.output, "no findings"), "%s", result.output);
    const char *const seconds = strstr(result.output, "\"seconds\":");
    cr_assert_not_null(seconds, "%s", result.output);
    cr_expect_lt(strtod(seconds + 10, NULL), 599.0, "%s", result.output);
}

/* Long after it, the engine still runs; its time ends the campaign. */
Test(lasting_stops, a_hang_up_does_not_end_it_under_nohup)
{
    begin("lasting-nohup");
    campaign_beside("nohup", "--seconds 600 --instances pair",
                    "await '[ -e turns.ready ]'; kill -HUP $p; for seconds in 1 2 3; do pass 100; await \"grep -q "
                    "'^.\\\"seconds\\\":.$seconds[0-9][0-9]' night/stats.json\"; done; grep -m 1 -c 'running\":.true' "
                    "night/stats.json; pass 400; wait $p; tail -n 2 said");
    cr_expect_eq(strncmp(result.output, "1\n", 2), 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "no findings"), "%s", result.output);
}

/* The lock is gone a moment after the process that was killed. */
Test(lasting_stops, a_killed_campaign_can_be_started_again_at_once)
{
    begin("lasting-again");
    quick_campaign("PICAFUZZ_LOCKED=2", "--seconds 1 --instances pair");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}
