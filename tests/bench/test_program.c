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

Test(bench_program, pixels_are_counted_at_the_size_that_is_asked_for)
{
    run_scenes("--scene a,small-a --isa scalar --size 16x8x2");
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "a: vertex colours, depth test, blending, at 16x8x2\n"), "%s",
                       result.output);
    cr_expect_not_null(strstr(result.output, "small-a: (a), few pixels, at 16x8x2\n"), "%s", result.output);
    run_scenes("--scene triangle --isa scalar --size 16x8");
    cr_expect_null(strstr(result.output, "16x8"), "%s", result.output);
    run_scenes("--scene small-a --isa scalar");
    cr_expect_not_null(strstr(result.output, ", at 64x64x1\n"), "%s", result.output);
    run_scenes("--scene small-a --isa scalar --size 1016x768");
    cr_expect_eq(result.exit_code, 0, "the largest that fits: %s", result.output);
}

Test(bench_program, a_line_of_json_carries_the_size_of_pixels_and_the_state)
{
    run_scenes("--json --scene small-c --isa reference,scalar --size 24x16x3");
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_eq(count(result.output, "\n"), 2, "%s", result.output);
    cr_expect_eq(count(result.output, ",\"width\":24,\"height\":16,\"layers\":3"), 2, "%s", result.output);
    cr_expect_eq(count(result.output, ",\"drawn_as\":\"quick shading=stages "), 1, "of fast: %s", result.output);
    cr_expect_eq(count(result.output, "\"}\n"), 1, "%s", result.output);
    run_scenes("--json --scene small-a --isa reference");
    cr_expect_not_null(strstr(result.output, ",\"width\":64,\"height\":64,\"layers\":1}\n"), "%s", result.output);
    run_scenes("--json --scene triangle --isa reference");
    cr_expect(count(result.output, "width") == 0 && count(result.output, "drawn_as") == 0, "%s", result.output);
}

Test(bench_program, a_table_names_the_state_that_it_draws_with)
{
    run_scenes("--scene small-c --isa scalar");
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output,
                              "  drawn as: quick shading=stages mode=default texture0=2d,linear lights=1 "
                              "stages=6 "),
                       "%s", result.output);
    run_scenes("--scene small-c --isa reference --workers ''");
    cr_expect_eq(count(result.output, "drawn as"), 0, "%s", result.output);
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
    static const char *const bad[] = { "--scene nothing", "--scene a,",    "--isa mmx",       "--workers x",
                                       "--workers 65",    "--runs 0",      "--runs 100",      "--seconds 0",
                                       "--bogus",         "extra",         "--size 64",       "--size 64x60",
                                       "--size 1024x8",   "--size 8x8x65", "--size 8x8x",     "--size 8x8x1x",
                                       "--size 0064x64",  "--size 64x064", "--size 64x64x01", "--size 1016x1016",
                                       "--size 1016x776" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        run_scenes(bad[i]);
        cr_expect_eq(result.exit_code, 2, "%s: exit code %d", bad[i], result.exit_code);
        cr_expect(strstr(result.output, "bench_scenes: ") != NULL, "%s: %s", bad[i], result.output);
    }
}

Test(bench_program, a_number_is_taken_whole_or_refused)
{
    static const struct {
        const char *line, *words;
    } rows[] = {
        { "bench_scenes --runs 5x", "bench_scenes: --runs: '5x' is not a number from 1 to 99" },
        { "bench_scenes --seconds nan", "bench_scenes: --seconds: 'nan' is no time in seconds" },
        { "bench_scenes --seconds 1e9", "bench_scenes: --seconds: '1e9' is no time in seconds" },
        { "bench_guard --rounds 0 file", "bench_guard: --rounds: '0' is not a number from 1 to 99" },
        { "bench_pair 5", "bench_pair: '5' is one word too many; see `bench_pair --help`" },
        { "bench_pair --seconds nan", "bench_pair: --seconds: 'nan' is no time in seconds" },
        { "bench_pair --seed -1", "bench_pair: --seed: '-1' is not a number" },
        { "bench_pair --seed 18446744073709551616", "bench_pair: --seed: '18446744073709551616' is not a number" },
        { "bench_pair --seed 010", "bench_pair: --seed: '010' is not a number" },
        { "bench_pair --worst 2001", "bench_pair: --worst: '2001' is not a number from 0 to 2000" },
        { "bench_mutate --calls 0", "bench_mutate: --calls: '0' is not a number from 1 to" },
        { "bench_mutate --seed ''", "bench_mutate: --seed: '' is not a number" },
        { "bench_mutate --size 63", "bench_mutate: --size: '63' is not a number from 64 to 32768" },
        { "bench_mutate --kind none", "bench_mutate: --kind: 'none' is no kind of mutation or crossover" },
        { "bench_mutate 5000", "bench_mutate: '5000' is one word too many; see `bench_mutate --help`" },
        { "bench_worst --seconds 0", "bench_worst: --seconds: '0' is no time in seconds" },
        { "bench_reduce", "bench_reduce: something is missing behind the options" },
        { "bench_reduce --fault flood x", "bench_reduce: --fault: 'flood' is not one of all, blend-max" },
        { "bench_reduce nothing", "bench_reduce: backend nothing: not known" },
        { "digest_cases", "digest_cases: no file and no --generated" },
        { "digest_cases --isa mmx", "digest_cases: --isa: 'mmx' is not one of all, scalar" },
        { "digest_cases --thraeds 1 x", "digest_cases: unknown option '--thraeds', did you mean --threads?" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[2048];
        (void)snprintf(line, sizeof line, "'%s'/bin/%s", PICAFUZZ_BINARY_DIR, rows[i].line);
        run_command(&result, line);
        cr_expect_eq(result.exit_code, 2, "%s: %d, %s", rows[i].line, result.exit_code, result.output);
        cr_expect_not_null(strstr(result.output, rows[i].words), "%s: %s", rows[i].line, result.output);
    }
}

Test(bench_program, each_teaches_by_example)
{
    static const char *const programs[] = { "bench_scenes", "bench_guard", "bench_pair",  "bench_mutate",
                                            "bench_reduce", "bench_worst", "digest_cases" };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        char line[2048], usage[64], example[64];
        (void)snprintf(line, sizeof line, "'%s'/bin/%s --help", PICAFUZZ_BINARY_DIR, programs[i]);
        (void)snprintf(usage, sizeof usage, "usage: %s ", programs[i]);
        (void)snprintf(example, sizeof example, "\n  %s ", programs[i]);
        run_command(&result, line);
        cr_expect_eq(result.exit_code, 0, "%s", result.output);
        cr_expect(strstr(result.output, usage) != NULL && count(result.output, example) >= 3, "%s", result.output);
        cr_expect_not_null(strstr(result.output, "\nexit codes: 0 "), "%s", result.output);
    }
}

Test(bench_program, help_and_list_measure_nothing)
{
    run_scenes("--help");
    cr_expect(result.exit_code == 0 && strstr(result.output, "usage: bench_scenes") != NULL, "%s", result.output);
    run_scenes("--list");
    cr_expect(result.exit_code == 0 && count(result.output, "\n") == 13, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "small-a      64x64x1    (a), few pixels\n"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "d-mesh       400x240    100 000 "), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "empty        -          a case "), "%s", result.output);
}

static void run_mutate(const char *options)
{
    char line[2048];
    (void)snprintf(line, sizeof line, "'%s/bin/bench_mutate' %s", PICAFUZZ_BINARY_DIR, options);
    run_command(&result, line);
}

/* A triangle costs more than a thousandth of a millisecond. */
Test(bench_program, the_worst_case_is_looked_for_and_held_against_a_bound)
{
    static const char line[] = "'" PICAFUZZ_BINARY_DIR "/bin/bench_worst' --seconds 0.1 corpus/seeds/raster/*.pcase %s";
    char full[2048];
    (void)snprintf(full, sizeof full, line, "--at-most 80000");
    run_command(&result, full);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(full, sizeof full, line, "--at-most 0.001");
    run_command(&result, full);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "the worst of "), "%s", result.output);
}

Test(bench_program, mutations_are_measured_by_kind_and_size)
{
    run_mutate("--help");
    cr_expect(result.exit_code == 0 && strstr(result.output, "usage: bench_mutate") != NULL, "%s", result.output);
    run_mutate("--calls 20 --kind any --size 1024");
    cr_expect(result.exit_code == 0 && count(result.output, "\n") == 4, "%s", result.output);
    cr_expect(count(result.output, " | ") == 3 && strstr(result.output, "any (as engines) ") != NULL, "%s",
              result.output);
    run_mutate("--calls 20 --kind 'any crossover' --size 1024");
    cr_expect(result.exit_code == 0 && count(result.output, "\n") == 3, "%s", result.output);
    run_mutate("--calls 20 --kind 'any (as engines)' --size 1024");
    cr_expect(result.exit_code == 0 && count(result.output, "\n") == 3, "%s", result.output);
    run_mutate("--calls 20 --kind field --size 1024 --size 2048");
    cr_expect(result.exit_code == 0 && count(result.output, "\n") == 3, "%s", result.output);
    cr_expect(count(result.output, " | ") == 4 && strstr(result.output, "mutation     field ") != NULL, "%s",
              result.output);
}
