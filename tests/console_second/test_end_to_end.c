/*
 * The whole way through the real programs: cases are exported, run in the second machine, imported, and compared with
 * `reference`, which is that machine's GPU, too. So every difference, and every refusal, is a mistake on the way.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/cli/command.h"

static struct command_result result;

static void machine(const char *card, const char *name, const char *options)
{
    char line[2048];
    snprintf(line, sizeof line, "'%s/bin/second_machine' '%s/3ds/%s.3dsx' --sd '%s' %s", PICAFUZZ_BINARY_DIR, card,
             name, card, options);
    run_command(&result, line);
}

static void export(char *card, size_t size, const char *what, const char *directory)
{
    char line[1024];
    fresh_directory(card, size, directory);
    snprintf(line, sizeof line, "export -o '%s/3ds' %s", card, what);
    run_picafuzz(&result, "", line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
}

/* What the import says goes to the file `said` on the card: it is longer than `result` has room for. */
static void import(const char *card, const char *name)
{
    char line[3072];
    snprintf(line, sizeof line,
             "import-results --from '%s/3ds/%s.3dsx' -o '%s/second.res' '%s/3ds/picafuzz/%s.results' >'%s/said'", card,
             name, card, card, name, card);
    run_picafuzz(&result, "", line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
}

static int lines_with(const char *card, const char *pattern)
{
    char line[1024];
    int count = -1;
    snprintf(line, sizeof line, "grep -c '%s' '%s/said'", pattern, card);
    run_command(&result, line);
    cr_assert_eq(sscanf(result.output, "%d", &count), 1, "%s", result.output);
    return count;
}

static const char *const SEEDS = "corpus/seeds/blend corpus/seeds/fill corpus/seeds/transfer corpus/seeds/copy";

static void all_seeds_agree(const char *options, const char *directory)
{
    char card[512], line[2048];
    snprintf(line, sizeof line, "--3dsx %s", SEEDS);
    export(card, sizeof card, line, directory);
    machine(card, "cases", options);
    cr_assert_eq(result.exit_code, 0, "%s: %s", options, result.output);
    import(card, "cases");
    snprintf(line, sizeof line, "diff -b 'reference,recorded:%s/second.res' %s", card, SEEDS);
    run_picafuzz(&result, "", line);
    cr_assert_eq(result.exit_code, 0, "%s: %s", options, result.output);
    cr_assert(strstr(result.output, "agree (memory)") != NULL, "%s", result.output);
}

Test(second_end_to_end, what_the_program_leaves_of_seeds_agrees_with_reference)
{
    all_seeds_agree("", "second_seeds");
}

/* Another base of code and of linear memory, another client, gsp's first use, APT parameters before the wake-up. */
Test(second_end_to_end, the_program_finds_its_way_in_a_console_that_is_set_up_otherwise)
{
    all_seeds_agree("--base 0x4000000 --linear 0x340000 --client 3 --first-user --parameter-first 3",
                    "second_otherwise");
}

Test(second_end_to_end, the_pack_decide_runs_whole_and_contradicts_nothing)
{
    char card[512];
    export(card, sizeof card, "--pack decide", "second_decide");
    machine(card, "decide", "");
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    import(card, "decide");
    const int cases = lines_with(card, ": ok$");
    cr_assert_gt(cases, 100);
    cr_assert_gt(lines_with(card, "  confirmed  "), 50);
    cr_assert_eq(lines_with(card, "  contradicted  "), 0);
    char end[128];
    snprintf(end, sizeof end, "^%d cases say the same in both runs: %d as docs/spec, 0 otherwise$", cases, cases);
    cr_assert_eq(lines_with(card, end), 1, "not all of %d cases as docs/spec", cases);
}

/* HOME; may we sleep, which must be answered; we sleep now. */
Test(second_end_to_end, APT_is_answered_and_nothing_is_lost)
{
    char card[512], line[2048];
    snprintf(line, sizeof line, "--3dsx %s", SEEDS);
    export(card, sizeof card, line, "second_notified");
    static const char *const OPTIONS[] = { "--notification 1", "--notification 3", "--notification 5" };
    for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++) {
        snprintf(line, sizeof line, "rm -rf '%s/3ds/picafuzz'", card);
        run_command(&result, line);
        machine(card, "cases", OPTIONS[i]);
        cr_assert_eq(result.exit_code, 0, "%s: %s", OPTIONS[i], result.output);
        import(card, "cases");
        cr_assert_gt(lines_with(card, ": ok$"), 5, "%s", OPTIONS[i]);
    }
}

/* A list of the second half is one of a case's second run. Whoever dies is started again, and goes on. */
Test(second_end_to_end, a_list_that_hangs_or_kills_costs_one_case)
{
    char card[512], line[2048];
    unsigned lists = 0;
    snprintf(line, sizeof line, "--3dsx %s", SEEDS);
    export(card, sizeof card, line, "second_hang");
    machine(card, "cases", "| grep 'command lists'");
    cr_assert_eq(sscanf(result.output, "%u command lists", &lists), 1, "%s", result.output);
    import(card, "cases");
    const int cases = lines_with(card, ": ok$");
    static const char *const FAULTS[] = { "hang", "crash" };
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        snprintf(line, sizeof line, "rm -rf '%s/3ds/picafuzz'", card);
        run_command(&result, line);
        snprintf(line, sizeof line, "--%s-at-list %u", FAULTS[i], lists * 3 / 4);
        machine(card, "cases", line);
        cr_assert_eq(result.exit_code == 0, i == 0, "%s", result.output);
        machine(card, "cases", "");
        cr_assert_eq(result.exit_code, 0, "%s", result.output);
        import(card, "cases");
        cr_assert_eq(lines_with(card, ": ok$"), cases - 1, "%s", FAULTS[i]);
    }
}
