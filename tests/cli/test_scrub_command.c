/* picafuzz import --scrub: what a user sees. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAULTY "'" PICAFUZZ_BINARY_DIR "/lib/faulty_backend.so'"
#define BROKEN "'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'"

static void expect(const char *environment, const char *arguments, int exit_code, const char *output)
{
    struct command_result result;
    run_picafuzz(&result, environment, arguments);
    cr_expect_eq(result.exit_code, exit_code, "%s: %d\n%s", arguments, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, output), "%s: no '%s' in\n%s", arguments, output, result.output);
}

Test(scrub_command, says_whose_verdict_it_wants)
{
    expect("", "import --help", 0, "--scrub");
    expect("", "import --scrub corpus/captures/mask-f0.picacap", 2, "say whose with -b");
    expect("", "import -b reference,fast corpus/captures/mask-f0.picacap", 2, "go with --scrub");
    expect("", "import --scrub -b reference,fast corpus/captures/mask-f0.picacap corpus/captures/mask-f5.picacap", 2,
           "takes one capture");
    expect("", "import --scrub -b reference -o /dev/null/x corpus/captures/mask-f0.picacap", 4, "/dev/null");
}

Test(scrub_command, one_backend_must_crash_or_hang)
{
    char directory[1024], arguments[4096];
    fresh_directory(directory, sizeof directory, "scrub-one");
    (void)snprintf(arguments, sizeof arguments, "import --scrub -b reference -o '%s' corpus/captures/mask-f0.picacap",
                   directory);
    expect("", arguments, 2, "neither crashes nor hangs");
    cr_expect_eq(count_files(directory, "mask"), 0);
}

Test(scrub_command, a_crash_in_a_process_of_its_own_stays)
{
    char directory[1024], arguments[4096], path[2048];
    struct command_result result;
    fresh_directory(directory, sizeof directory, "scrub-crash");
    (void)snprintf(arguments, sizeof arguments, "import --scrub -b %s -o '%s' corpus/captures/mask-f0.picacap", BROKEN,
                   directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=crash", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "the verdict stayed: crash"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "textures                             2048       2048          0"), "%s",
                       result.output);
    cr_expect_null(strstr(result.output, "what the verdict needs"), "%s", result.output);
    (void)snprintf(path, sizeof path, "run -b %s '%s/mask-f0.pcase'", BROKEN, directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=crash", path);
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    (void)snprintf(path, sizeof path, "grep -q '^# Scrubbed' '%s/mask-f0.pcase'", directory);
    cr_expect_eq(system(path), 0);
}

/* The worker sends Ctrl-C in the third list that it runs. */
Test(scrub_command, ctrl_c_writes_the_best_so_far)
{
    char directory[1024], arguments[4096];
    fresh_directory(directory, sizeof directory, "scrub-stopped");
    (void)snprintf(arguments, sizeof arguments,
                   "import --scrub -b reference,inline:%s -o '%s' corpus/seeds/texture/mipmap-levels.pcase", FAULTY,
                   directory);
    expect("PICAFUZZ_FAULT=strip PICAFUZZ_INTERRUPT=3", arguments, 0, "stopped before the end");
    (void)snprintf(arguments, sizeof arguments, "diff -b reference,%s '%s/mipmap-levels.pcase'", FAULTY, directory);
    expect("PICAFUZZ_FAULT=strip", arguments, 1, "colour buffer");
    cr_expect_eq(count_files(directory, ""), 1, "nothing half-written");
}

/* Other vertices show other differences of the same plug-in in the same buffer, so some of them stay. */
Test(scrub_command, a_difference_keeps_the_stage_and_rule_that_are_blamed)
{
    char directory[1024], arguments[4096];
    struct command_result result;
    fresh_directory(directory, sizeof directory, "scrub-blame");
    (void)snprintf(arguments, sizeof arguments,
                   "import --scrub -b reference,'%s/lib/crooked.so' -o '%s' corpus/captures/hall-f0.picacap",
                   PICAFUZZ_BINARY_DIR, directory);
    run_picafuzz(&result, "CROOKED=fog-flip", arguments);
    cr_expect_eq(result.exit_code, 0);
    cr_expect_not_null(strstr(result.output, "blamed: fog, FOG-05"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "vertex arrays, on a coarse grid"), "%s", result.output);
}

Test(scrub_command, agreement_stays_and_a_case_is_scrubbed_like_a_capture)
{
    char directory[1024], arguments[4096], line[4096];
    fresh_directory(directory, sizeof directory, "scrub-agree");
    (void)snprintf(arguments, sizeof arguments,
                   "import --scrub -b reference,fast -o '%s' corpus/captures/sparks-f0.picacap", directory);
    expect("", arguments, 0, "the verdict stayed: agree");
    (void)snprintf(line, sizeof line, "mkdir '%s/again'", directory);
    cr_assert_eq(system(line), 0);
    (void)snprintf(arguments, sizeof arguments,
                   "import --scrub -b reference,fast --binary -o '%s/again' '%s/sparks-f0.pcase'", directory,
                   directory);
    expect("", arguments, 0, "again/sparks-f0.pcb");
    expect("", arguments, 0, "indices                                12         12          0          0");
}
