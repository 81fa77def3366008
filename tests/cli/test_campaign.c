/* `picafuzz fuzz` end to end, with the real engine, for some executions. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct command_result result;

Test(campaign, some_executions_grow_a_corpus_and_end_with_a_summary)
{
    char directory[1024], arguments[4096];
    fresh_directory(directory, sizeof directory, "campaign");
    (void)snprintf(arguments, sizeof arguments,
                   "fuzz --engine libfuzzer --executions 600 --seed 1 --corpus '%s/corpus' --findings '%s/findings' "
                   "corpus/captures",
                   directory, directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "28 of 28 seeds added"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "no findings"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "time of cases: decode"), "%s", result.output);
    cr_expect_null(strstr(result.output, " 0 edges"), "nothing was instrumented: %s", result.output);
    (void)snprintf(arguments, sizeof arguments, "%s/corpus", directory);
    cr_expect_gt(count_files(arguments, ""), 28, "the corpus did not grow");
}

Test(campaign, a_missing_target_is_said)
{
    run_picafuzz(&result, "", "fuzz --engine libfuzzer --seconds 1 --corpus build/no-target --target ./no-such-target");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "no fuzz target there"), "%s", result.output);
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

Test(campaign, edges_of_every_kind_guide_the_engine)
{
    expect_edges("counting_backend.so", "clang");
    expect_edges("fuzzer_backend.so", "clang");
    expect_edges("guarded_backend.so", "clang");
}

Test(campaign, edges_counted_by_afl_clang_fast_guide_the_engine)
{
    expect_edges("afl_backend.so", "afl-clang-fast (Debian package afl++)");
}
