/* bench_scenes as its user sees it: what it measures when asked how, and what it refuses. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct command_result result;

static void run_scenes(const char *options)
{
    char line[4096];
    (void)snprintf(line, sizeof line, "'%s/bin/bench_scenes' --seconds 0.001 --runs 2 %s", PICAFUZZ_BINARY_DIR,
                   options);
    run_command(&result, line);
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        found++;
    return found;
}

Test(bench_program, json_has_one_line_for_each_scene_and_configuration)
{
    run_scenes("--json --scene triangle,vertex --isa reference,scalar --workers 2");
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_eq(count(result.output, "\n"), 6, "%s", result.output);
    cr_expect_eq(count(result.output, "{\"scene\":\"triangle\""), 3, "%s", result.output);
    cr_expect_eq(count(result.output, "\"renderer\":\"reference\""), 2, "%s", result.output);
    cr_expect_eq(count(result.output, "\"isa\":\"scalar\",\"workers\":0"), 2, "%s", result.output);
    cr_expect_eq(count(result.output, "\"workers\":2,\"unit\":\"cases\""), 2, "%s", result.output);
    cr_expect_eq(count(result.output, ":0,\"best\""), 0, "a rate is 0: %s", result.output);
}

Test(bench_program, a_name_covers_its_family)
{
    run_scenes("--scene small --isa scalar");
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_eq(count(result.output, "small-a: "), 1, "%s", result.output);
    cr_expect_eq(count(result.output, "small-c: "), 1, "%s", result.output);
    cr_expect_eq(count(result.output, "fast scalar"), 4, "a line and a column title in each table: %s", result.output);
    cr_expect_eq(count(result.output, "llvmpipe"), 0, "%s", result.output);
}

/* Mesa and LLVM keep memory until the process ends, and a leak checker says so. */
static bool is_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
    return true;
#endif
#endif
    return false;
}

Test(bench_program, llvmpipe_is_measured_or_its_absence_explained)
{
    if (is_sanitized())
        cr_skip_test("Mesa is not built for sanitizers");
    run_scenes("--scene small-a --isa scalar,llvmpipe");
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    cr_expect(strstr(result.output, "x llvmpipe") != NULL || strstr(result.output, "(llvmpipe: ") != NULL, "%s",
              result.output);
}

Test(bench_program, what_it_does_not_know_it_refuses)
{
    static const char *const bad[] = { "--scene nothing", "--scene a,", "--isa mmx",   "--workers x", "--workers 65",
                                       "--runs 0",        "--runs 100", "--seconds 0", "--bogus",     "extra" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        run_scenes(bad[i]);
        cr_expect_eq(result.exit_code, 2, "%s: exit code %d", bad[i], result.exit_code);
        cr_expect(strstr(result.output, "bench_scenes: ") != NULL, "%s: %s", bad[i], result.output);
    }
}

Test(bench_program, help_and_list_measure_nothing)
{
    run_scenes("--help");
    cr_expect(result.exit_code == 0 && strstr(result.output, "usage: bench_scenes") != NULL, "%s", result.output);
    run_scenes("--list");
    cr_expect(result.exit_code == 0 && count(result.output, "\n") == 13, "%s", result.output);
}
