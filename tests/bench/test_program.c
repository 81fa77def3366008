/* bench_scenes as its user sees it: what it measures when asked how, and what it refuses. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Stdout and stderr of one call. */
struct output {
    int exit_code;
    char text[1 << 14];
};

static void run_scenes(struct output *output, const char *options)
{
    char command[4096];
    (void)snprintf(command, sizeof command, "%s/bin/bench_scenes --seconds 0.001 --runs 2 %s 2>&1", PICAFUZZ_BINARY_DIR,
                   options);
    FILE *const pipe = popen(command, "r");
    cr_assert_not_null(pipe);
    output->text[fread(output->text, 1, sizeof output->text - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    output->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
    struct output output;
    run_scenes(&output, "--json --scene triangle,vertex --isa reference,scalar --workers 2");
    cr_assert_eq(output.exit_code, 0, "%s", output.text);
    cr_expect_eq(count(output.text, "\n"), 6, "%s", output.text);
    cr_expect_eq(count(output.text, "{\"scene\":\"triangle\""), 3, "%s", output.text);
    cr_expect_eq(count(output.text, "\"renderer\":\"reference\""), 2, "%s", output.text);
    cr_expect_eq(count(output.text, "\"isa\":\"scalar\",\"workers\":0"), 2, "%s", output.text);
    cr_expect_eq(count(output.text, "\"workers\":2,\"unit\":\"cases\""), 2, "%s", output.text);
    cr_expect_eq(count(output.text, ":0,\"best\""), 0, "a rate is 0: %s", output.text);
}

Test(bench_program, a_name_covers_its_family)
{
    struct output output;
    run_scenes(&output, "--scene small --isa scalar");
    cr_assert_eq(output.exit_code, 0, "%s", output.text);
    cr_expect_eq(count(output.text, "small-a: "), 1, "%s", output.text);
    cr_expect_eq(count(output.text, "small-c: "), 1, "%s", output.text);
    cr_expect_eq(count(output.text, "fast scalar"), 4, "a line and a column title in each table: %s", output.text);
    cr_expect_eq(count(output.text, "llvmpipe"), 0, "%s", output.text);
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
    struct output output;
    if (is_sanitized())
        cr_skip_test("Mesa is not built for sanitizers");
    run_scenes(&output, "--scene small-a --isa scalar,llvmpipe");
    cr_assert_eq(output.exit_code, 0, "%s", output.text);
    cr_expect(strstr(output.text, "x llvmpipe") != NULL || strstr(output.text, "(llvmpipe: ") != NULL, "%s",
              output.text);
}

Test(bench_program, what_it_does_not_know_it_refuses)
{
    static const char *const bad[] = { "--scene nothing", "--scene a,", "--isa mmx",   "--workers x", "--workers 65",
                                       "--runs 0",        "--runs 100", "--seconds 0", "--bogus",     "extra" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct output output;
        run_scenes(&output, bad[i]);
        cr_expect_eq(output.exit_code, 2, "%s: exit code %d", bad[i], output.exit_code);
        cr_expect(strstr(output.text, "bench_scenes: ") != NULL, "%s: %s", bad[i], output.text);
    }
}

Test(bench_program, help_and_list_measure_nothing)
{
    struct output output;
    run_scenes(&output, "--help");
    cr_expect(output.exit_code == 0 && strstr(output.text, "usage: bench_scenes") != NULL, "%s", output.text);
    run_scenes(&output, "--list");
    cr_expect(output.exit_code == 0 && count(output.text, "\n") == 13, "%s", output.text);
}
