/* `picafuzz fuzz --backends`: the loop over seeds, on crooked plug-ins. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct command_result result;
static char directory[1024];

/* Another hunt in the directory of the one before: it goes on there. */
static void hunt_again(const char *fault, const char *backends, const char *options)
{
    char line[8192], environment[256];
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_FAULT=%s CROOKED=bugs:5", fault);
    (void)snprintf(line, sizeof line,
                   "fuzz --executions 20000 --max-findings 1 --reduce-seconds 1 --findings '%s/found' -b %s %s",
                   directory, backends, options);
    run_picafuzz(&result, environment, line);
}

/* A hunt in a directory of its own. */
static void hunt(const char *name, const char *fault, const char *backends, const char *options)
{
    fresh_directory(directory, sizeof directory, name);
    hunt_again(fault, backends, options);
}

#define FAULTY  "'" PICAFUZZ_BINARY_DIR "/lib/faulty_backend.so'"
#define SEEDS   "--peel --max-findings 50 --reduce-tries 20 --executions 0 --seeds 1..600"
#define CROOKED "'" PICAFUZZ_BINARY_DIR "/lib/crooked.so'" /* six bugs */

/* Does the one finding's reduced case differ, or make the plug-in die, when it is run again? */
static void expect_finding(const char *fault, const char *backends, int exit_code)
{
    char line[4096], environment[256];
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 finding(s)"), "%s", result.output);
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_FAULT=%s", fault);
    (void)snprintf(line, sizeof line, "diff -q -b %s \"$(find '%s/found' -name '*.pcase' | head -n 1)\"", backends,
                   directory);
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, exit_code, "%s: %s", backends, result.output);
}

Test(hunt, a_plug_in_in_this_process_is_compared_and_its_findings_are_reduced_with_it)
{
    hunt("hunt-inside", "blend-max", "reference," FAULTY, "");
    expect_finding("blend-max", "reference," FAULTY, 1);
}

Test(hunt, a_crash_in_a_process_of_its_own_is_a_finding)
{
    hunt("hunt-crash", "crash-fog", "reference," FAULTY, "");
    cr_expect_not_null(strstr(result.output, "crashed in run (submit)"), "%s", result.output);
    expect_finding("crash-fog", "reference," FAULTY, 3);
}

/* Also where the first case of all does so. */
Test(hunt, a_plug_in_that_ends_this_process_is_a_finding)
{
    hunt("hunt-exit", "exit0", "reference,inline:'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'",
         "--executions 0 --seeds 1..9 --max-findings 9");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "ended the process: exit code 0"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, ", 9 cases, all before seed 10"), "%s", result.output);
    hunt("hunt-pipe", "pipe", "reference,inline:'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'",
         "--executions 0 --seeds 1..9 --max-findings 9 --reduce-seconds 0");
    cr_expect_not_null(strstr(result.output, "crashed: Broken pipe"), "%s", result.output);
    hunt("hunt-close", "close", "reference,inline:'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'",
         "--executions 0 --seeds 1..9 --max-findings 9 --reduce-seconds 0");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "closed the descriptors of its process"), "%s", result.output);
    hunt("hunt-inline-crash", "crash-fog", "reference,inline:" FAULTY, "--reduce-seconds 0");
    cr_expect_not_null(strstr(result.output, "a backend that has no process of its own: in "), "%s", result.output);
}

/* Neither of the two is ours; a third one that agrees changes nothing. */
Test(hunt, two_plug_ins_are_compared_without_a_reference)
{
    hunt("hunt-two", "broken", FAULTY ",'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'", "--executions 300");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "agreed on every case that was tested"), "%s", result.output);
    hunt("hunt-two", "pixel", FAULTY ",'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'", "");
    expect_finding("pixel", FAULTY ",'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'", 1);
}

/* It models memory and nothing but fills: all else is not tested, and so is no finding. */
Test(hunt, what_a_plug_in_does_not_take_is_not_tested)
{
    hunt("hunt-minimal", "", "reference,'" PICAFUZZ_BINARY_DIR "/lib/minimal_plug_in.so'", "--executions 300");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "not tested: "), "%s", result.output);
}

Test(hunt, a_backend_that_is_not_there_is_said_at_once)
{
    hunt("hunt-none", "", "reference,./none.so", "");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "./none.so: cannot be opened"), "%s", result.output);
}

/* ---------------------------------------------------------------------------------------------------------- peeling */

/* The one fault is found once; the next campaign finds no other and counts it. */
Test(hunt, with_peel_a_cause_is_found_once)
{
    hunt("hunt-peel", "blend-max", "reference," FAULTY, "--peel");
    expect_finding("blend-max", "reference," FAULTY, 1);
    hunt_again("blend-max", "reference," FAULTY, "--peel --executions 1000 --max-findings 9");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "no new findings; 1 of earlier starts"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 known cause(s)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "(avoided by blend_func.rgb_equation = 0)"), "%s", result.output);
}

/* What crashes is taken out of inputs before they run: no process dies of it any more. */
Test(hunt, with_peel_a_crash_is_avoided_beforehand)
{
    hunt("hunt-peel-crash", "crash-fog", "reference," FAULTY, "--peel");
    expect_finding("crash-fog", "reference," FAULTY, 3);
    hunt_again("crash-fog", "reference," FAULTY, "--peel --executions 1000 --max-findings 9");
    cr_expect_not_null(strstr(result.output, "no new findings"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "were changed before they ran"), "%s", result.output);
}

/* What was found, in which buckets, each reduced case byte by byte. What the target said (.txt) holds process ids, and
 * the bucket a time. */
static void list_findings(char *out, size_t size)
{
    char line[4096];
    (void)snprintf(line, sizeof line,
                   "cd '%s/found' && find . -name '*.pc*' | sort | xargs -d '\\n' sha256sum && cat peel", directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(out, size, "%s", result.output);
}

/* Nothing depends on the clock, on how many workers there are, or on when a hunt was killed: the cases in flight are
 * run again by the next start, which ends well. A kill comes at a write: of a finding, a bucket, the state. */
Test(hunt, findings_are_the_same_with_any_number_of_jobs_and_kills)
{
    static char first[65536], second[65536];
    static const unsigned writes[] = { 1, 6, 15, 16, 17, 18, 14 };
    char line[4096];
    hunt("hunt-count", "", "reference," CROOKED, SEEDS);
    cr_expect_not_null(strstr(result.output, ", 600 cases, all before seed 601"), "%s", result.output);
    cr_expect_null(strstr(result.output, "\n1 finding(s)"), "there are several: %s", result.output);
    list_findings(first, sizeof first);
    fresh_directory(directory, sizeof directory, "hunt-count");
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++) {
        (void)snprintf(line, sizeof line,
                       "CROOKED=bugs:5 PICAFUZZ_FSYNC_KILLS=%u LD_PRELOAD='" PICAFUZZ_BINARY_DIR
                       "/lib/count_fsync.so' '" PICAFUZZ_BINARY_DIR
                       "/bin/picafuzz' fuzz --jobs 3 -b reference,%s %s --findings '%s/found'; [ $? = 137 ]",
                       writes[i], CROOKED, SEEDS, directory);
        run_command(&result, line);
        cr_expect_eq(result.exit_code, 0, "it was killed at write %u: %s", writes[i], result.output);
    }
    hunt_again("", "reference," CROOKED, SEEDS " --jobs 2");
    cr_expect_not_null(strstr(result.output, ", 600 cases, all before seed 601"), "%s", result.output);
    list_findings(second, sizeof second);
    cr_expect_str_eq(first, second);
}

/* After a draw with fog all others are wrong, too, but none of them in a fresh process: they are no findings, but for
 * the 1st, 2nd, 4th, 8th ... What is filed otherwise has fog. */
Test(hunt, what_does_not_show_in_a_fresh_process_is_unstable)
{
    char line[4096];
    hunt("hunt-unstable", "stain", "reference," FAULTY, "--peel --executions 256 --max-findings 50");
    cr_expect_not_null(strstr(result.output, "unstable: "), "%s", result.output);
    (void)snprintf(
        line, sizeof line,
        "ls '%s/found' | grep -c unconfirmed; cd '%s/found'; for f in diverge*/*.pcase; do grep -q fog \"$f\" || "
        "echo \"$f has none\"; done",
        directory, directory);
    run_command(&result, line);
    cr_expect_str_eq(result.output, "1\n");
}

/* FBF-06: which row of a picture comes first shows in every draw, and is one bit of one register. */
Test(hunt, with_peel_the_order_of_rows_is_one_finding_in_one_bucket)
{
    hunt("hunt-rows", "", "reference,process:reference+row-order=highest-first",
         "--peel --executions 800 --max-findings 50");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\n1 known cause(s)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "(avoided by framebuffer_dim.top_row_first = 1)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\n1 finding(s):"), "%s", result.output);
}

/* What is known is rewritten in each input, and so it cannot be found. */
Test(hunt, what_is_forced_is_not_found)
{
    char line[4096];
    hunt("hunt-force", "blend-max", "reference," FAULTY, "--force BLEND_FUNC.rgb_equation=add --executions 300");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "rewritten by force: "), "%s", result.output);
    (void)snprintf(line, sizeof line, "echo 'version = 1; without = [ \"color_operation.blend_mode=blend\" ];' >'%s/q'",
                   directory);
    run_command(&result, line);
    (void)snprintf(line, sizeof line, "--quirks '%s/q' --executions 300 --findings '%s/others'", directory, directory);
    hunt_again("blend-max", "reference," FAULTY, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "not tested: "), "%s", result.output);
}

/* Another's findings are not taken for its own; a damaged state is set aside. */
Test(hunt, a_directory_is_of_one_hunt)
{
    char line[4096];
    hunt("hunt-state", "", "reference,fast", "--executions 300");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    hunt_again("", "reference," FAULTY, "--executions 300");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "is of another hunt (-b reference,fast "), "%s", result.output);
    hunt_again("", "reference,fast", "--executions 300 --seed 9");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    (void)snprintf(line, sizeof line, "cd '%s/found' && head -c 200 hunt.json >cut && mv cut hunt.json", directory);
    run_command(&result, line);
    hunt_again("", "reference,fast", "--executions 300");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "was renamed to hunt.json.damaged"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, ", 300 cases, up to seed 301"), "%s", result.output);
    (void)snprintf(line, sizeof line, "%s/found/hunt.json.damaged", directory);
    cr_expect(file_exists(line));
}

/* Its counters go by place, so those of a file that somebody edited are not the hunt's. */
Test(hunt, an_edited_peel_keeps_what_it_counts)
{
    char line[4096];
    hunt("hunt-edited", "", "reference," CROOKED, SEEDS);
    (void)snprintf(
        line, sizeof line,
        "cd '%s/found' && awk '/^cause/ { n++ } n != 2' peel >other && mv other peel && grep -c '^cause' peel "
        "&& cp peel ../edited",
        directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    hunt_again("", "reference," CROOKED, SEEDS);
    (void)snprintf(line, sizeof line, "cd '%s' && diff edited found/peel", directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

/* Whatever lies there instead of what a hunt wrote is renamed and named, and the hunt goes on. */
Test(hunt, what_is_odd_in_its_directory_is_set_aside)
{
    char line[4096];
    hunt("hunt-odd", "blend-max", "reference," FAULTY, "--peel --max-findings 9 --executions 300");
    (void)snprintf(line, sizeof line,
                   "cd '%s/found' && rm hunt.json && mkdir -p hunt.json/x hunt.json.damaged/x peel.next/x "
                   "seed-{1,2,3,4,5,6,7,8,9}.{pcb,txt,pcase}/x && echo nonsense >peel",
                   directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    hunt_again("blend-max", "reference," FAULTY, "--peel --max-findings 9 --executions 300");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "hunt.json.damaged2, and what it said is found again"), "%s",
                       result.output);
    cr_expect_not_null(strstr(result.output, "peel.damaged, and what it said is found again"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "peel.next: is no file; it was renamed to "), "%s", result.output);
    cr_expect_not_null(strstr(result.output, ", 300 cases, up to seed 301"), "%s", result.output);
}

/* Also those of earlier starts, once somebody has accepted them. */
Test(hunt, what_the_baseline_accepts_does_not_count)
{
    char line[8192];
    fresh_directory(directory, sizeof directory, "hunt-accepted");
    (void)snprintf(line, sizeof line, "--quirks '%s/q' --executions 300", directory);
    const char *const options = line;
    char command[4096];
    (void)snprintf(command, sizeof command, "echo 'version = 1;' >'%s/q'", directory);
    run_command(&result, command);
    hunt_again("blend-max", "reference," FAULTY, options);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    (void)snprintf(command, sizeof command, "triage --accept all '%s/found'", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=blend-max", command);
    hunt_again("blend-max", "reference," FAULTY, options);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

/* A finding whose case was lost while it waited is named, and the others are reduced. */
Test(hunt, a_waiting_finding_that_cannot_be_read_ends_nothing)
{
    char line[4096];
    hunt("hunt-unreadable", "", "reference," FAULTY, "--executions 10");
    (void)snprintf(
        line, sizeof line,
        "cd '%s/found' && mkdir seed-3.pcb && "
        "sed -i 's/\"waiting\":.*/\"waiting\": [{\"kind\": \"differ\", \"key\": \"x\", \"name\": \"seed-3\", "
        "\"title\": \"t\", \"bytes\": \"9\"}]/' hunt.json",
        directory);
    run_command(&result, line);
    hunt_again("", "reference," FAULTY, "--executions 10");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "seed-3.pcb: "), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "does not wait any more"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, ", 20 cases, up to seed 21"), "%s", result.output);
}

/* The state on the disk says that it does not wait any more, but its files were not removed. */
Test(hunt, a_kill_just_after_a_finding_was_filed_leaves_nothing)
{
    char line[4096];
    hunt("hunt-filed", "blend-max", "reference," FAULTY, "");
    expect_finding("blend-max", "reference," FAULTY, 1);
    (void)snprintf(line, sizeof line, "cd '%s/found' && cp */*.pc* */*.txt . && ls seed-* | wc -l", directory);
    run_command(&result, line);
    cr_expect_str_eq(result.output, "3\n");
    hunt_again("", "reference," FAULTY, "--executions 10");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "no new findings; 1 of earlier starts are in "), "%s", result.output);
    (void)snprintf(line, sizeof line, "ls '%s/found' | grep -c '^seed-'", directory);
    run_command(&result, line);
    cr_expect_str_eq(result.output, "0\n");
}

/* Wherever it is killed while it writes, the next start leaves nothing of that. */
Test(hunt, what_a_killed_hunt_was_writing_goes)
{
    char line[4096];
    for (unsigned writes = 1; writes <= 5; writes += 2) {
        fresh_directory(directory, sizeof directory, "hunt-written");
        (void)snprintf(line, sizeof line,
                       "PICAFUZZ_FAULT=blend-max PICAFUZZ_FSYNC_KILLS=%u LD_PRELOAD='" PICAFUZZ_BINARY_DIR
                       "/lib/count_fsync.so' '" PICAFUZZ_BINARY_DIR "/bin/picafuzz' fuzz --executions 300 "
                       "--reduce-seconds 1 --findings '%s/found' -b reference," FAULTY,
                       writes, directory);
        run_command(&result, line);
        hunt_again("blend-max", "reference," FAULTY, "--executions 300 --reduce-seconds 1");
        cr_expect_eq(result.exit_code, 1, "%s", result.output);
        (void)snprintf(line, sizeof line, "find '%s' -name '.picafuzz*' | wc -l", directory);
        run_command(&result, line);
        cr_expect_str_eq(result.output, "0\n", "killed at write %u", writes);
    }
}

/* No seed is burnt by a backend that does not work at all. */
Test(hunt, a_block_without_any_verdict_ends_the_hunt_and_is_run_again)
{
    hunt("hunt-fails", "fail", "reference,'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'", "--executions 300");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "of the 128 cases up to seed 128 none came to a verdict"), "%s",
                       result.output);
    hunt_again("", "reference,'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'", "--executions 300");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, ", 300 cases, up to seed 301"), "%s", result.output);
}

Test(hunt, a_seed_that_is_no_case_is_an_error)
{
    hunt("hunt-no-case", "", "reference,fast", "'" PICAFUZZ_SOURCE_DIR "/README.md'");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "README.md: "), "%s", result.output);
}

/* As it was found: with the hunt's backends and parts, unless others are asked for. */
Test(hunt, findings_are_looked_at_with_the_options_of_their_hunt)
{
    static const struct {
        const char *command, *words;
        int exit_code;
        const char *said;
    } rows[] = {
        { "triage", "'%s/found'", 1, "\n1 case in 1 bucket" },
        { "triage", "'%s'/found corpus/seeds/fill", 1, " in 2 buckets" },
        { "diff -q", "'%s'/found/*/*.pcase", 1, "diverge (memory)" },
        { "diff -q", "'%s'/found/../found/diverge*/*.pcase", 1, "diverge (memory)" },
        { "diff -b reference,fast", "'%s'/found/*/*.pcase", 0, ": agree" },
        { "diff -qb reference,fast", "'%s'/found/*/*.pcase", 0, "" },
        { "diff --back reference,fast", "'%s'/found/*/*.pcase", 0, ": agree" },
        { "reduce --tries 1 -o /dev/null", "'%s'/found/*/*.pcase", 0, "bucket diverge" },
    };
    char words[2048], line[8192];
    hunt("hunt recalled", "blend-max", "reference," FAULTY, "--only memory");
    expect_finding("blend-max", "reference," FAULTY, 1);
    (void)snprintf(line, sizeof line, "report -o '%s/page' '%s/found'", directory, directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=blend-max", line);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    (void)snprintf(line, sizeof line,
                   "grep -cE 'found: [0-9]+ cases, 1 findings.*time of cases: ' '%s/page/index.html'", directory);
    run_command(&result, line);
    cr_expect_str_eq(result.output, "1\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)snprintf(words, sizeof words, rows[i].words, directory);
        (void)snprintf(line, sizeof line, "%s %s", rows[i].command, words);
        run_picafuzz(&result, "PICAFUZZ_FAULT=blend-max", line);
        cr_expect_eq(result.exit_code, rows[i].exit_code, "%s: %s", line, result.output);
        cr_expect_not_null(strstr(result.output, rows[i].said), "%s: %s", line, result.output);
        cr_expect_eq(strstr(result.output, "--only memory") != NULL, strstr(rows[i].command, "fast") == NULL, "%s: %s",
                     line, result.output);
    }
    (void)snprintf(line, sizeof line,
                   "cd '%s'/found/diverge* && PICAFUZZ_FAULT=blend-max '%s/bin/picafuzz' diff *.pcase", directory,
                   PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_not_null(strstr(result.output, "--only memory"), "in its bucket: %s", result.output);
    /* Paths are those of where the hunt was started, wherever one looks from. */
    (void)snprintf(line, sizeof line,
                   "cd '%s' && PICAFUZZ_FAULT=blend-max '%s/bin/picafuzz' fuzz --executions 100 --seeds 1..100 "
                   "--reduce-seconds 0 -b reference,lib/faulty_backend.so --findings '%s/relative' >/dev/null; cd / && "
                   "PICAFUZZ_FAULT=blend-max '%s/bin/picafuzz' diff -q '%s'/relative/*.pcase",
                   PICAFUZZ_BINARY_DIR, PICAFUZZ_BINARY_DIR, directory, PICAFUZZ_BINARY_DIR, directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "-b reference,lib/faulty_backend.so"), "%s", result.output);
    (void)snprintf(
        line, sizeof line,
        "fuzz --executions 10 --findings '%s/found/inner' && cp '%s'/found/diverge*/*.pcase '%s/found/inner' && "
        "'%s/bin/picafuzz' diff '%s'/found/inner/*.pcase",
        directory, directory, directory, PICAFUZZ_BINARY_DIR, directory);
    run_picafuzz(&result, "", line);
    cr_expect_null(strstr(result.output, "--only memory"), "it is of another hunt: %s", result.output);
    (void)snprintf(line, sizeof line, "diff '%s'/found/inner/*.pcase '%s'/found/diverge*/*.pcase", directory,
                   directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=blend-max", line);
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "of hunts with different options"), "%s", result.output);
    (void)snprintf(line, sizeof line, "diff -o '%s/found' corpus/seeds/fill",
                   directory); /* no case is looked at there */
    run_picafuzz(&result, "", line);
    cr_expect_null(strstr(result.output, "with the options of the hunt"), "%s", result.output);
}

/* Two machines with a half each have run all seeds, and none twice. */
Test(hunt, shards_are_parts_of_the_seeds)
{
    static const char *const shards[] = { "1/2", "2/2", "5/9" };
    static const char *const said[] = { ", 256 cases,", ", 144 cases,", "nothing to do: this shard has no seed" };
    char line[256];
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(line, sizeof line, "--executions 0 --seeds 1..400 --shard %s", shards[i]);
        hunt("hunt-shard", "", "reference,fast", line);
        cr_expect_eq(result.exit_code, 0, "%s", result.output);
        cr_expect_not_null(strstr(result.output, said[i]), "%s", result.output);
    }
}

Test(hunt, what_is_no_range_of_seeds_is_refused)
{
    static const char *const bad[] = { "1", "5..4", "1..2..3", "..9", "0..18446744073709551615", "a..b" };
    char line[256];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        (void)snprintf(line, sizeof line, "--seeds %s", bad[i]);
        hunt("hunt-range", "", "reference,fast", line);
        cr_expect_eq(result.exit_code, 2, "%s: %s", bad[i], result.output);
    }
}

Test(hunt, options_of_engines_are_refused_and_the_other_way_round)
{
    static const char *const lines[] = { "--mutator x", "--dictionary x", "--engine libfuzzer --seeds 1..9",
                                         "--engine afl --shard 1/2" };
    char line[256];
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        (void)snprintf(line, sizeof line, "fuzz --executions 10 %s", lines[i]);
        run_picafuzz(&result, "", line);
        cr_expect_eq(result.exit_code, 2, "%s: %s", lines[i], result.output);
        cr_expect_not_null(strstr(result.output, "are for "), "%s: %s", lines[i], result.output);
    }
}
