/* `picafuzz fuzz` end to end, with the real engine, for some seconds. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct command_result result;

Test(campaign, ten_seconds_run_grow_a_corpus_and_end_with_a_summary)
{
    char directory[1024], arguments[4096];
    fresh_directory(directory, sizeof directory, "campaign");
    (void)snprintf(arguments, sizeof arguments,
                   "fuzz --seconds 10 --seed 1 --corpus '%s/corpus' --findings '%s/findings' corpus/captures",
                   directory, directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "28 of 28 seeds added"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "no findings"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "time in the target: decode"), "%s", result.output);
    cr_expect_null(strstr(result.output, " 0 edges"), "nothing was instrumented: %s", result.output);
    (void)snprintf(arguments, sizeof arguments, "%s/corpus", directory);
    cr_expect_gt(count_files(arguments, ""), 28, "the corpus did not grow");
}

Test(campaign, a_missing_target_is_said)
{
    run_picafuzz(&result, "", "fuzz --seconds 1 --corpus build/no-target --target ./no-such-target");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "no fuzz target there"), "%s", result.output);
}
