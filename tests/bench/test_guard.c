/* The perf guard notices what it should: the limits, the file, and the program on an altered file. */
#include "bench/guard.h"
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct bench_guard_limits limits = { .warn = 8, .fail = 15 };

Test(bench_guard, eight_percent_less_warn_and_fifteen_fail)
{
    static const struct {
        double measured, recorded;
        enum bench_guard_verdict expected;
    } table[] = {
        { 10.0, 10.0, BENCH_GUARD_FINE },    { 9.21, 10.0, BENCH_GUARD_FINE },    { 9.19, 10.0, BENCH_GUARD_WARNING },
        { 8.51, 10.0, BENCH_GUARD_WARNING }, { 8.49, 10.0, BENCH_GUARD_FAILURE }, { 0.1, 10.0, BENCH_GUARD_FAILURE },
        { 10.79, 10.0, BENCH_GUARD_FINE },   { 10.81, 10.0, BENCH_GUARD_FASTER }, { 10.0, 0.0, BENCH_GUARD_UNKNOWN },
        { 0.0, 10.0, BENCH_GUARD_UNKNOWN },  { NAN, 10.0, BENCH_GUARD_UNKNOWN },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        cr_expect_eq(bench_guard_judge(table[i].measured, table[i].recorded, &limits), table[i].expected, "%g of %g",
                     table[i].measured, table[i].recorded);
}

Test(bench_guard, processors_are_told_apart_by_vendor_family_and_model)
{
    char name[128];
    bench_guard_processor("processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\n"
                          "model name\t: AMD EPYC\nprocessor\t: 1\nvendor_id\t: Other\n",
                          name, sizeof name);
    cr_expect_str_eq(name, "AuthenticAMD 25 17");
    bench_guard_processor("model name\t: x\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c", name, sizeof name);
    cr_expect_str_eq(name, "0x41 0xd0c");
    bench_guard_processor("", name, sizeof name);
    cr_expect_str_eq(name, "unknown");
    bench_guard_processor("vendor_id : abcdefgh\nmodel : 17", name, 6);
    cr_expect_str_eq(name, "abcde");
}

static void write_file(char *path, size_t size, const char *name, const char *text)
{
    (void)snprintf(path, size, "%s/test-guard-%s.json", PICAFUZZ_BINARY_DIR, name);
    FILE *const file = fopen(path, "wb");
    cr_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static const char empty_file[] =
    "{ \"comment\": \"kept\", \"warn_percent\": 8, \"fail_percent\": 15, \"processors\": {\n"
    "\"other\": { \"a\": { \"avx2\": 3 } } } }";

Test(bench_guard, what_is_recorded_is_read_again_and_the_rest_stays)
{
    char path[4096], text[4096] = "";
    struct bench_guard_error error = { "" };
    struct bench_guard_limits read = { 0, 0 };
    struct bench_ratios ratios = { { { 0 } } }, found;
    bool is_known = true;
    write_file(path, sizeof path, "record", empty_file);
    cr_assert(bench_guard_load(path, "mine", &read, &found, &is_known, &error), "%s", error.message);
    cr_expect(!is_known && found.of[BENCH_VERTEX_COLOR][1] == 3.0, "the first processor's ratios stand in");
    ratios.of[BENCH_MESH][0] = 12.3456;
    ratios.of[BENCH_VERTEX_COLOR][2] = 0.98765;
    cr_assert(bench_guard_record(path, "mine", &ratios, &error), "%s", error.message);
    cr_assert(bench_guard_load(path, "mine", &read, &found, &is_known, &error), "%s", error.message);
    cr_expect(is_known && read.warn == 8 && read.fail == 15);
    cr_expect_eq(found.of[BENCH_MESH][0], 12.3);
    cr_expect_eq(found.of[BENCH_VERTEX_COLOR][2], 0.988);
    cr_expect_eq(found.of[BENCH_VERTEX_COLOR][1], 0.0);
    FILE *const file = fopen(path, "rb");
    cr_assert(file != NULL && fread(text, 1, sizeof text - 1, file) > 0 && fclose(file) == 0);
    cr_expect(strstr(text, "\"comment\": \"kept\"") != NULL && strstr(text, "\"other\": {") != NULL, "%s", text);
    cr_expect_null(strchr(text, '\t'));
}

Test(bench_guard, files_that_are_none_are_refused)
{
    static const char *const bad[] = { "",
                                       "[]",
                                       "{",
                                       "{\"warn_percent\":8,\"processors\":{}}",
                                       "{\"warn_percent\":8,\"fail_percent\":5,\"processors\":{}}",
                                       "{\"warn_percent\":8,\"fail_percent\":15}" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char path[4096];
        struct bench_guard_error error = { "" };
        struct bench_guard_limits read;
        struct bench_ratios found;
        bool is_known = false;
        write_file(path, sizeof path, "bad", bad[i]);
        cr_expect(!bench_guard_load(path, "mine", &read, &found, &is_known, &error), "%s", bad[i]);
        cr_expect_neq(error.message[0], '\0');
    }
}

/* Runs the program on one quick scene; its exit code. */
static int run_guard(const char *options, const char *path)
{
    static struct command_result result;
    char line[8192];
    (void)snprintf(line, sizeof line, "%s/bin/bench_guard --scene triangle --seconds 0.002 --runs 3 --rounds 1 %s '%s'",
                   PICAFUZZ_BINARY_DIR, options, path);
    run_command(&result, line);
    return result.exit_code;
}

/* Multiplies all ratios of the file by `factor`. */
static void alter(const char *path, const char *processor, double factor)
{
    struct bench_guard_error error = { "" };
    struct bench_guard_limits read;
    struct bench_ratios ratios;
    bool is_known = false;
    cr_assert(bench_guard_load(path, processor, &read, &ratios, &is_known, &error) && is_known, "%s", error.message);
    for (int scene = 0; scene < BENCH_SCENES; scene++)
        for (int set = 0; set < BENCH_GUARD_SETS; set++)
            ratios.of[scene][set] *= factor;
    cr_assert(bench_guard_record(path, processor, &ratios, &error), "%s", error.message);
}

Test(bench_guard, the_program_fails_if_a_ratio_fell, .timeout = 120)
{
    char path[4096], cpuinfo[8192] = "", processor[128];
    FILE *const file = fopen("/proc/cpuinfo", "rb");
    if (file != NULL) {
        cpuinfo[fread(cpuinfo, 1, sizeof cpuinfo - 1, file)] = '\0';
        (void)fclose(file);
    }
    bench_guard_processor(cpuinfo, processor, sizeof processor);
    write_file(path, sizeof path, "program", empty_file);
    cr_assert_eq(run_guard("--record", path), 0);
    alter(path, processor, 0.1); /* ten times as fast as recorded */
    cr_expect_eq(run_guard("", path), 0);
    alter(path, processor, 100.0); /* ten times as slow */
    cr_expect_eq(run_guard("", path), 1);
    write_file(
        path, sizeof path, "stranger",
        "{ \"warn_percent\": 8, \"fail_percent\": 15, \"processors\": { \"other\": { \"triangle\": { \"scalar\": "
        "1000 } } } }");
    cr_expect_eq(run_guard("", path), 0, "another processor's ratios only warn");
    write_file(path, sizeof path, "hollow", "{ \"warn_percent\": 8, \"fail_percent\": 15, \"processors\": {} }");
    cr_expect_eq(run_guard("", path), 2, "a guard that compares nothing must not look content");
    cr_expect_eq(run_guard("--bad", path), 2);
    cr_expect_eq(run_guard("--scene nothing", path), 2);
    cr_expect_eq(run_guard("", "/nonexistent/perf.json"), 2);
}
