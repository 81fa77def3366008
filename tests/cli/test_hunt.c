/* `picafuzz fuzz --backends` with the real engine on crooked plug-ins, until the first finding. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct command_result result;
static char directory[1024];

/* Another campaign in the directory of the one before. */
static void hunt_again(const char *fault, const char *backends, const char *options)
{
    char line[4096], environment[256];
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_FAULT=%s CROOKED=bugs:1", fault);
    (void)snprintf(line, sizeof line,
                   "fuzz --seed 1 --seconds 600 --max-findings 1 --reduce-seconds 3 -b %s %s --corpus '%s/corpus' "
                   "--findings '%s/found'",
                   backends, options, directory, directory);
    run_picafuzz(&result, environment, line);
}

/* A campaign in a directory of its own. */
static void hunt(const char *name, const char *fault, const char *backends, const char *options)
{
    fresh_directory(directory, sizeof directory, name);
    hunt_again(fault, backends, options);
}

#define FAULTY  "'" PICAFUZZ_BINARY_DIR "/lib/faulty_backend.so'"
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

/* Neither of the two is ours; a third one that agrees changes nothing. */
Test(hunt, two_plug_ins_are_compared_without_a_reference)
{
    hunt("hunt-two", "broken", FAULTY ",'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'", "--seconds 4");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "agreed on every case that was tested"), "%s", result.output);
    hunt("hunt-two", "pixel", FAULTY ",'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'", "");
    expect_finding("pixel", FAULTY ",'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'", 1);
}

/* It models memory and nothing but fills: all else is not tested, and so is no finding. */
Test(hunt, what_a_plug_in_does_not_take_is_not_tested)
{
    hunt("hunt-minimal", "", "reference,'" PICAFUZZ_BINARY_DIR "/lib/minimal_plug_in.so'", "--seconds 4");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "not tested: "), "%s", result.output);
}

Test(hunt, a_backend_that_is_not_there_is_said_at_once)
{
    hunt("hunt-none", "", "reference,./none.so", "");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "./none.so: cannot be opened"), "%s", result.output);
}

/* ---------------------------------------------------------------------------------------------------------- peeling */

/* The one fault is found once; the next campaign finds no other and counts it. */
Test(hunt, with_peel_a_cause_is_found_once)
{
    hunt("hunt-peel", "blend-max", "reference," FAULTY, "--peel");
    expect_finding("blend-max", "reference," FAULTY, 1);
    hunt_again("blend-max", "reference," FAULTY, "--peel --seconds 4 --max-findings 9");
    cr_expect_eq(result.exit_code, 0, "the next campaign knows it: %s", result.output);
    cr_expect_not_null(strstr(result.output, "1 known cause(s)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "(avoided by blend_func.rgb_equation = 0)"), "%s", result.output);
}

/* What crashes is taken out of inputs before they run: no process dies of it any more. */
Test(hunt, with_peel_a_crash_is_avoided_beforehand)
{
    hunt("hunt-peel-crash", "crash-fog", "reference," FAULTY, "--peel");
    expect_finding("crash-fog", "reference," FAULTY, 3);
    hunt_again("crash-fog", "reference," FAULTY, "--peel --seconds 4 --max-findings 9");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "were changed before they ran"), "%s", result.output);
}

/* What was found, in which buckets, each reduced case byte by byte. What the target said (.txt) holds process ids, and
 * the bucket a time. */
static void list_findings(char *out, size_t size)
{
    char line[2048];
    (void)snprintf(line, sizeof line,
                   "cd '%s/found' && find . -name '*.pc*' | sort | xargs -d '\\n' sha256sum && cat peel", directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(out, size, "%s", result.output);
}

/* Started anew after each finding, and in the end exactly so many were run; nothing depends on the clock. */
Test(hunt, executions_are_counted_over_the_campaign_and_give_the_same_findings_twice)
{
    static char first[65536], second[65536];
    static const char options[] = "--peel --executions 1200 --max-findings 50 --seconds 600 "
                                  "--reduce-seconds 100";
    hunt("hunt-count", "", "reference," CROOKED, options);
    cr_expect_not_null(strstr(result.output, ", 1200 executions of 1200,"), "%s", result.output);
    cr_expect_null(strstr(result.output, "\n1 finding(s)"), "several make it start anew: %s", result.output);
    list_findings(first, sizeof first);
    hunt("hunt-count", "", "reference," CROOKED, options);
    list_findings(second, sizeof second);
    cr_expect_str_eq(first, second);
}

/* Each job runs its part. */
Test(hunt, executions_are_those_of_all_jobs)
{
    hunt("hunt-count-jobs", "", "reference," FAULTY, "--jobs 2 --executions 601");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, ", 601 executions of 601,"), "%s", result.output);
}

/* After a draw with fog all others are wrong, too, but none of them in a fresh process: they are no findings, but for
 * the 1st, 2nd, 4th, 8th ... What is filed otherwise has fog. */
Test(hunt, what_does_not_show_in_a_fresh_process_is_unstable)
{
    char line[2048];
    hunt("hunt-unstable", "stain", "reference," FAULTY, "--peel --executions 400 --max-findings 50");
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
         "--peel --executions 4000 --max-findings 50");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\n1 known cause(s)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "(avoided by framebuffer_dim.top_row_first = 1)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\n1 finding(s):"), "%s", result.output);
}

/* What is known is rewritten in each input, and so it cannot be found. */
Test(hunt, what_is_forced_is_not_found)
{
    char line[2048];
    hunt("hunt-force", "blend-max", "reference," FAULTY, "--force BLEND_FUNC.rgb_equation=add --seconds 4");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "rewritten by force: "), "%s", result.output);
    (void)snprintf(line, sizeof line, "echo 'version = 1; without = [ \"color_operation.blend_mode=blend\" ];' >'%s/q'",
                   directory);
    run_command(&result, line);
    (void)snprintf(line, sizeof line, "--quirks '%s/q' --seconds 4", directory);
    hunt_again("blend-max", "reference," FAULTY, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "not tested: "), "%s", result.output);
}

/* What the engine says about a plug-in's edges when it begins: its own counters are the first module. */
static void expect_edges(const char *plug_in, const char *with)
{
    static const char *const places[] = { "inline:", "" };
    char path[1024], line[2048];
    (void)snprintf(path, sizeof path, PICAFUZZ_BINARY_DIR "/lib/%s", plug_in);
    if (!file_exists(path))
        cr_skip_test("%s is missing: %s was not there when this was built", plug_in, with);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        (void)snprintf(line, sizeof line,
                       "PICAFUZZ_BACKENDS='reference,%s%s' '" PICAFUZZ_BINARY_DIR "/bin/fuzz_pair' -runs=20 -seed=1",
                       places[i], path);
        run_command(&result, line);
        cr_expect_eq(result.exit_code, 0, "%s", result.output);
        cr_expect_not_null(strstr(result.output, "INFO: Loaded 2 modules"), "%s: %s", line, result.output);
    }
}

Test(hunt, edges_of_every_kind_guide_the_engine)
{
    expect_edges("counting_backend.so", "clang");
    expect_edges("fuzzer_backend.so", "clang");
    expect_edges("guarded_backend.so", "clang");
}

Test(hunt, edges_counted_by_afl_clang_fast_guide_the_engine)
{
    expect_edges("afl_backend.so", "afl-clang-fast (Debian package afl++)");
}
