/* `picafuzz fuzz --campaign`: a corpus that takes more room than it may is merged, and nothing is lost by that. */
#include "tests/cli/lasting.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 3 MiB where 1 is allowed: engines' files that a merge leaves out go, the user's stay. */
Test(lasting_merges, a_corpus_that_is_too_large_is_merged)
{
    char path[2048];
    begin("lasting-merge");
    add_inputs("corpus", 3, 1000000);
    shell("cd '%s/night/corpus' && printf mine >mine.pcb && printf x >x && mv x $(sha1sum <x | cut -d' ' -f1) && touch "
          "-d yesterday *",
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
Test(lasting_merges, what_a_merge_fails_on_stays)
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
Test(lasting_merges, what_leaves_the_corpus_does_not_end_its_merge)
{
    expect_left("lasting-merge-vanishes", "FAKE=vanishes", "x");
}

/* libFuzzer does not look whether its copies reach the disk. */
Test(lasting_merges, a_merge_whose_copies_are_missing_or_cut_removes_nothing)
{
    expect_left("lasting-merge-lost", "FAKE=lost", "3ffx");
    expect_left("lasting-merge-short", "FAKE=short", "3ffx");
}

/* x, which is kept, leaves the corpus: while it is merged, or when the engine that found it ends. That has in memory
 * what a merge removes. */
Test(lasting_merges, what_an_engine_replaces_beside_a_merge_is_in_the_corpus)
{
    expect_left("lasting-merge-replaced", "FAKE=replaced", "x");
    expect_left("lasting-merge-owner", "FAKE=owner", "xy");
    cr_expect_null(strstr(campaign_said, "(--disk)"), "that is no lack of room: %s", campaign_said);
    read_file("turns");
    cr_expect_eq(count_lines("fuzz_pair"), 2, "it does not go on: %s", result.output);
}

/* What AFL++ found is kept under another name. */
Test(lasting_merges, what_a_merge_keeps_gets_no_second_name)
{
    char path[2048];
    begin("lasting-merge-name");
    add_inputs("corpus", 2, 600000);
    shell("printf x >'%s/night/corpus/0123456789abcdef0123456789abcdef.pcb'", directory);
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
    add_inputs("corpus", 3, 400000);
    (void)snprintf(line, sizeof line,
                   "cd '%s' && export TURNS=turns %s && { '%s/bin/picafuzz' fuzz --campaign night --builds builds "
                   "--disk 1 --seconds 60 --instances pair >said 2>&1 & } && %s",
                   directory, fake, PICAFUZZ_BINARY_DIR, ask);
    run_command(&result, line);
}

/* The merge has ended, and its result waits for the engines to end. */
Test(lasting_merges, a_campaign_that_is_stopped_before_a_merge_counts_loses_nothing)
{
    merge_and("lasting-merge-stopped", "FAKE=slow",
              "for k in $(seq 200); do [ -e turns.asked ] && break; sleep 0.1; done; kill -15 $!; wait $!; grep -c "
              "merged turns; ls night/corpus | wc -l; ls night");
    cr_expect_eq(strncmp(result.output, "1\n3\n", 4), 0, "%s", result.output);
    cr_expect_null(strstr(result.output, "corpus-merged"), "%s", result.output);
}

/* libFuzzer runs it in processes of a shell. */
Test(lasting_merges, a_killed_campaign_leaves_no_process_of_a_merge)
{
    merge_and(
        "lasting-merge-sleeps", "FAKE=sleeps",
        "for k in $(seq 200); do [ -s turns.sub ] && break; sleep 0.1; done; kill -9 $!; for k in $(seq 50); do "
        "[ -n \"$(tr -d '\\0' </proc/$(cat turns.sub)/cmdline)\" ] || break; sleep 0.1; done 2>/dev/null; [ $k -lt "
        "50 ] && echo gone");
    cr_expect_str_eq(result.output, "gone\n", "%s", result.output);
}

/* So that it fails on nothing that the engines' targets take. */
Test(lasting_merges, a_merge_has_the_limits_of_the_engines)
{
    begin("lasting-merge-limits");
    shell("mkdir -p '%s/night/corpus' && head -c 1500000 /dev/zero >'%s/night/corpus/large'", directory);
    campaign("", "--seconds 3 --instances pair --memory 1000 --peel --disk 1");
    read_file("turns");
    cr_expect_not_null(strstr(result.output, "\nlimits -timeout=25 -rss_limit_mb=1000 with known causes\n"), "%s",
                       result.output);
}

/* Each by the target that reads it; what a killed campaign had begun goes, too. */
Test(lasting_merges, a_corpus_that_is_no_cases_is_merged_by_its_own_target)
{
    char path[2048];
    begin("lasting-merge-bytes");
    add_inputs("corpus-text", 3, 1000000);
    shell("cd '%s/night' && mkdir corpus-text-merged && touch corpus-text-merged/left && printf mine "
          ">corpus-text/mine.txt && touch -d yesterday corpus-text/*",
          directory);
    campaign("", "--seconds 6 --instances text --disk 1");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus-text", directory);
    cr_expect_eq(count_files(path, ""), 1, "%s", result.output);
    cr_expect_eq(count_files(path, "mine.txt"), 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus-text-merged", directory);
    cr_expect_not(file_exists(path));
}

/* 16 MB until the first look, where two may be, and twice that makes it wait for a merge; then it goes on. */
Test(lasting_merges, an_engine_that_fills_the_disk_quicker_than_merges_empty_it_rests)
{
    begin("lasting-grow");
    campaign_beside("FAKE=grow", "--seconds 600 --jobs 2 --instances pair,text --disk 2",
                    "await '[ $(grep -c ^fuzz_pair turns) -ge 2 ] && [ -e turns.cut ]'; kill -INT $p; wait $p");
    read_file("said");
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
static void begin_from_links(const char *name, const char *environment)
{
    begin(name);
    build_afl();
    add_inputs("corpus", 3, 500000);
    campaign(environment, "--seconds 8 --jobs 3 --instances pair,afl,afl-bytes --disk 2");
    cr_expect_neq(result.exit_code, 4, "%s", result.output);
    cr_expect_null(strstr(result.output, "(--disk)"), "%s", result.output);
    read_file("turns");
    cr_expect_eq(count_lines("fuzz_pair"), 1, "it was stopped: %s", result.output);
    cr_expect_eq(count_lines("merged"), 0, "%s", result.output);
}

Test(lasting_merges, what_afl_fuzz_begins_from_is_counted_once)
{
    char line[4096];
    begin_from_links("lasting-links", FAKE_AFL " FAKE_SECONDS=30");
    (void)snprintf(line, sizeof line, "cd '%s' && ls night/corpus-afl/afl*/queue | grep -c orig:.*0", directory);
    run_command(&result, line);
    cr_expect_geq(strtol(result.output, NULL, 10), 6, "nothing was linked: %s", result.output);
}

/* It never reads them. */
Test(lasting_merges, what_afl_fuzz_is_to_begin_from_is_counted_once)
{
    begin_from_links("lasting-links-unread", FAKE_AFL " FAKE_RACE=1");
    shell("ls '%s/night/corpus-afl/afl/listed'", directory);
    cr_expect_eq(result.exit_code, 0, "it did not wait: %s", result.output);
}

/* The common one is merged first, and would be enough. */
Test(lasting_merges, engines_rest_until_all_corpora_are_merged)
{
    char path[2048];
    begin("lasting-rest-all");
    add_inputs("corpus", 3, 1500000);
    add_inputs("corpus-text", 3, 500000);
    shell("cd '%s/night' && printf mine | tee corpus/mine >corpus-text/mine", directory);
    campaign("", "--seconds 20 --turn 2 --instances pair,text --disk 2");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "MiB of 2 (--disk): the engines wait for a merge"), "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/night/corpus-text", directory);
    cr_expect_eq(count_files(path, ""), 1, "it was not merged");
    read_file("turns");
    cr_expect_geq(count_lines("fuzz_"), 2, "it does not go on: %s", result.output);
}

/* As rsync does from another machine: the clock says that it was there before. A link is not followed, either. */
Test(lasting_merges, what_comes_while_the_corpus_is_merged_stays)
{
    char path[2048];
    begin("lasting-late");
    add_inputs("corpus", 2, 1000000);
    shell("touch -d yesterday '%s'/night/corpus/*", directory);
    campaign("FAKE=late", "--seconds 5 --instances pair --disk 1");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("cat '%s'/night/corpus/*", directory);
    cr_expect_not_null(strstr(result.output, "late"), "it has gone");
    (void)snprintf(path, sizeof path, "%s/night/corpus", directory);
    cr_expect_eq(count_files(path, ""), 2, "nothing was merged");
}

Test(lasting_merges, a_merge_removes_nothing_behind_a_link)
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
Test(lasting_merges, a_corpus_that_stays_too_large_is_trouble)
{
    begin("lasting-full");
    shell("mkdir -p '%s/night/corpus' && head -c 3000000 /dev/zero >'%s/night/corpus/large'", directory);
    campaign("timeout 100", "--seconds 90 --instances pair --disk 1");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "they may take 1"), "%s", result.output);
}

/* With --executions nothing is merged; an engine that is asked to rest has not run them all. */
Test(lasting_merges, a_rest_does_not_end_a_campaign_that_counts_executions)
{
    begin("lasting-spent");
    shell("mkdir -p '%s/night/corpus' && head -c 3000000 /dev/zero >'%s/night/corpus/large'", directory);
    campaign("timeout 60", "--executions 1000 --seconds 50 --instances pair --disk 1");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "they may take 1"), "%s", result.output);
}
