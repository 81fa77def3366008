/* --quirks, --force, the baseline, --shard and --seconds: what a user sees. `crooked` is wrong as CROOKED says. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CROOKED "'" PICAFUZZ_BINARY_DIR "/lib/crooked.so'"
#define FLAKY   "'" PICAFUZZ_BINARY_DIR "/lib/flaky_backend.so'"
#define BOTH    "-b reference," CROOKED " --no-explain "

static struct command_result result;
static char directory[1024];

static void expect(const char *environment, const char *line, int code, const char *words)
{
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, code, "%s %s: %d: %s", environment, line, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, words), "%s %s: no '%s': %s", environment, line, words, result.output);
}

/* The same with a quirks file of these sections. */
static void expect_with(const char *sections, const char *environment, const char *line, int code, const char *words)
{
    char path[1100], whole[4096];
    (void)snprintf(path, sizeof path, "%s/my.quirks", directory);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert(fprintf(file, "version = 1;\n%s\n", sections) > 0 && fclose(file) == 0);
    (void)snprintf(whole, sizeof whole, "%s --quirks '%s'", line, path);
    expect(environment, whole, code, words);
}

static void expect_absent(const char *words)
{
    cr_expect_null(strstr(result.output, words), "'%s': %s", words, result.output);
}

static void open_directory(void)
{
    fresh_directory(directory, sizeof directory, "quirks");
}

TestSuite(quirks_command, .init = open_directory);

Test(quirks_command, nothing_is_allowed_between_our_own_two)
{
    static const char *const commands[] = { "diff", "triage", "reduce -o /dev/null", "report -o /dev/null" };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char line[128];
        (void)snprintf(line, sizeof line, "%s corpus/seeds/fog", commands[i]);
        expect_with("tolerance = { color = 1; };", "", line, 2, "known differences are for plug-ins");
    }
    expect_with("tolerance = { color = 1; };", "", "check -b fast corpus/seeds/fog", 2, "are for plug-ins");
}

Test(quirks_command, what_is_wrong_with_the_file_is_said)
{
    expect_with("force = ( \"BLEND_FNUC = 1\" );", "", "diff " BOTH "corpus/seeds/fog", 2,
                "my.quirks:2: expected a register or a layout, found 'BLEND_FNUC'; did you mean BLEND_FUNC?");
    expect("", "diff " BOTH "--force BLEND_FNUC=1 corpus/seeds/fog", 2, "--force: expected a register");
    expect("", "diff " BOTH "--quirks no/such/file corpus/seeds/fog", 2, "no/such/file");
}

Test(quirks_command, a_tolerance_is_counted_and_ends_where_it_says)
{
    static const char line[] = "diff " BOTH "corpus/seeds/transfer";
    expect("CROOKED=off-by-one", line, 1, "diverge");
    expect_with("tolerance = { color = 1; };", "CROOKED=off-by-one", line, 0, "within tolerance: max 1 in ");
    cr_expect_not_null(strstr(result.output, "agree within the tolerance"), "%s", result.output);
    expect_with("tolerance = { green = 1; };", "CROOKED=off-by-one", line, 1, "diverge");
    expect_with("tolerance = { color = 1; };", "CROOKED=cull-back", "diff " BOTH "corpus/seeds/cull", 1, "diverge");
    expect_with("tolerance = { color = 1; };", "CROOKED=off-by-one", "diff --json " BOTH "corpus/seeds/transfer", 0,
                "\"tolerated\":\"max 1 in ");
}

/* Colours are off by one from the interpolation on, and blending is wrong. */
Test(quirks_command, what_is_blamed_is_the_first_beyond_the_tolerance)
{
    static const char wrong[] = "CROOKED=primary-rounding=truncates,blend-factors";
    static const char line[] = "diff -q -b reference," CROOKED " corpus/captures/mask-f0.picacap";
    expect(wrong, line, 1, "stage      interpolation: primary colour (ITP-13)");
    expect_with("tolerance = { color = 1; };", wrong, line, 1, "stage      blend: result (BLD-02)");
}

/* A finding must not shrink to what is allowed. */
Test(quirks_command, reduce_and_triage_go_by_the_tolerance)
{
    static const char triage[] = "triage --no-index -b reference," CROOKED " corpus/seeds/transfer";
    static const char reduce[] = "reduce -q -o /dev/null -b reference," CROOKED " corpus/seeds/transfer/scale.pcase";
    expect_with("tolerance = { green = 1; };", "CROOKED=off-by-one", triage, 1, "diverge in display transfer: scale");
    expect_with("tolerance = { color = 1; };", "CROOKED=off-by-one", triage, 0, "nothing is wrong");
    cr_expect_null(strstr(result.output, "diverge"), "%s", result.output);
    expect_with("tolerance = { color = 1; };", "CROOKED=off-by-one", reduce, 2, "the backends agree");
}

Test(quirks_command, forced_and_left_out_cases_are_counted)
{
    expect_with("without = ( \"geometry\", \"fog\" );", "CROOKED=none", "diff -q " BOTH "corpus/seeds", 0,
                "not tested, because of features that are not there: geometry ");
    expect_with("without = ( \"geometry\", \"fog\" );", "CROOKED=none", "diff --json " BOTH "corpus/seeds/fog", 2,
                "\"without\":{\"geometry\":0,\"fog\":3}");
    expect("CROOKED=fog-flip", "diff " BOTH "tests/example/cases/fog-flip.pcase", 1, "diverge");
    expect("CROOKED=fog-flip",
           "diff " BOTH "--force texenv_update_buffer.fog_z_flip=0 tests/example/cases/fog-flip.pcase", 0,
           "1 of 1 case was rewritten by force");
    expect_with("without = ( \"fog\" );", "CROOKED=none",
                "check -b " CROOKED " --relations deterministic corpus/seeds/fog", 2, "not tested: without: fog");
}

Test(quirks_command, a_case_that_is_left_out_is_not_counted_as_recorded)
{
    char line[2048];
    (void)snprintf(line, sizeof line,
                   "run -b " CROOKED " --no-pictures --record '%s/it.res' corpus/seeds/fog/flip-and-index.pcase "
                   "corpus/seeds/fill/widths.pcase",
                   directory);
    expect_with("without = ( \"fog\" );", "CROOKED=none", line, 0, "it.res: 1 case(s) recorded;");
}

Test(quirks_command, generated_cases_are_forced_and_left_out_too)
{
    char line[1200];
    (void)snprintf(line, sizeof line, "generate --count 40 -o '%s/generated'", directory);
    expect_with("force = ( \"LOGIC_OP.operation = xor\" );\nwithout = ( \"geometry\" );", "", line, 0,
                "cases are left out");
    (void)snprintf(line, sizeof line, "grep -h 'LOGIC_OP {' '%s'/generated/*.pcase | grep -v 'operation = xor'",
                   directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 1, "another value: %s", result.output);
    (void)snprintf(line, sizeof line, "grep -q 'LOGIC_OP {.*operation = xor' '%s'/generated/*.pcase", directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "the cases have it: %s", result.output);
    expect("", "diff --generate 1 50 --force LOGIC_OP.operation=xor", 0, "50 of 50 cases were rewritten by force");
}

Test(quirks_command, mutants_are_forced_and_left_out_too)
{
    char line[2200];
    (void)snprintf(line, sizeof line,
                   "mutate --count 30 -o '%s/mutated' corpus/seeds/logic_op/sixteen-operations.pcase", directory);
    expect_with("force = ( \"LOGIC_OP.operation = xor\" );", "", line, 0, "mutated/");
    (void)snprintf(line, sizeof line, "grep -h 'LOGIC_OP {' '%s'/mutated/*.pcase | grep -v 'operation = xor'",
                   directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 1, "another value: %s", result.output);
    (void)snprintf(line, sizeof line, "mutate --count 30 -o '%s/left' corpus/seeds/fog/table-over-depth.pcase",
                   directory);
    expect_with("without = ( \"fog\" );", "", line, 0, " of 30 cases are left out: they have features");
}

Test(quirks_command, reference_takes_the_choices)
{
    expect_with("choices = { zero-area = \"drawn\"; };", "CROOKED=none", "diff " BOTH "corpus/seeds/fog", 0,
                "choices: reference takes 1 other side\n");
}

/* --------------------------------------------------------------------------------------------------------- baseline */

#define FAULT "CROOKED=alpha_test-less"
#define PLACE "diff " BOTH "corpus/seeds/alpha_test corpus/seeds/fog"
#define KNOWN "{ case = \"alpha_test/reference-value.pcase\"; expect = \"fail\"; note = \"issue 7\"; }"

Test(quirks_command, only_what_is_new_counts)
{
    expect(FAULT, PLACE, 1, "diverge");
    expect_with("baseline = ( " KNOWN " );", FAULT, PLACE, 0, "known (");
    cr_expect_not_null(strstr(result.output, ":2: issue 7)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "baseline: 1 known, 0 skipped, 0 fixed, 0 flaky, 0 new"), "%s",
                       result.output);
    expect_with("baseline = ( " KNOWN " );", "CROOKED=alpha_test-less,cull-back", PLACE " corpus/seeds/cull", 1,
                "four-modes.pcase: new\n");
    cr_expect_not_null(strstr(result.output, "1 known"), "%s", result.output);
}

Test(quirks_command, what_is_fixed_and_what_matches_nothing_is_said)
{
    expect_with("baseline = ( " KNOWN ", { case = \"gone.pcase\"; expect = \"skip\"; } );", "CROOKED=none", PLACE, 0,
                "fixed: nothing is wrong any more");
    cr_expect_not_null(strstr(result.output, "gone.pcase: no case is this one"), "%s", result.output);
    expect_with("baseline = ( { case = \"gone.pcase\"; expect = \"skip\"; } );", "CROOKED=none", PLACE " --shard 1/2",
                0, "0 entries match nothing");
}

Test(quirks_command, a_crash_is_not_a_divergence_and_skipped_is_not_run)
{
    expect_with("baseline = ( { case = \"reference-value.pcase\"; expect = \"crash\"; } );", FAULT, PLACE, 1,
                ": new\n");
    expect_with("baseline = ( { case = \"reference-value.pcase\"; expect = \"flaky\"; } );", FAULT, PLACE, 0, "known");
    expect_with("baseline = ( { case = \"reference-value.pcase\"; expect = \"skip\"; } );", FAULT, PLACE, 0,
                "1 skipped");
    expect_absent("reference-value.pcase: diverge");
}

/* The next case has another process than the one that saw it. */
Test(quirks_command, a_generated_case_that_fails_a_check_runs_again_in_a_fresh_process)
{
    char file[2048], line[2048], environment[2200];
    fresh_directory(file, sizeof file, "flaky-check");
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_FLAKY_READS=1 PICAFUZZ_FLAKY='%s/first'", file);
    (void)snprintf(line, sizeof line, "check --relations deterministic,redundant --backend %s --generate 1 20", FLAKY);
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "seed-1: unstable: the failure of the relation came back in 0 of 3 fresh"),
                       "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 is unstable"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "19 of 20 cases agree"), "%s", result.output);
    cr_expect_null(strstr(result.output, "does not hold"), "%s", result.output);
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

Test(quirks_command, what_does_not_come_back_is_flaky)
{
    char environment[1200];
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_FLAKY='%s/first'", directory);
    expect_with("baseline = ( " KNOWN " );", environment,
                "diff --no-explain -b reference," FLAKY " corpus/seeds/fog/table-over-depth.pcase", 0,
                "flaky: the difference came back in 0 of 3 fresh processes");
}

Test(quirks_command, a_bucket_is_accepted_known_and_fixed)
{
    char line[4096], name[128], path[1100];
    (void)snprintf(line, sizeof line, "triage --no-index -b reference," CROOKED " corpus/seeds/alpha_test");
    run_picafuzz(&result, FAULT, line);
    const char *const row = strstr(result.output, "diverge-");
    cr_assert_eq(result.exit_code, 1);
    cr_assert_not_null(row, "%s", result.output);
    cr_assert_eq(sscanf(row, "%127s", name), 1);
    (void)snprintf(path, sizeof path, "%s/new.quirks", directory);
    (void)snprintf(line, sizeof line,
                   "triage --no-index -b reference," CROOKED
                   " --quirks '%s' --accept %s --note 'issue 7' corpus/seeds/alpha_test",
                   path, name);
    expect(FAULT, line, 0, "accepted in");
    (void)snprintf(line, sizeof line,
                   "triage --no-index -b reference," CROOKED " --quirks '%s' corpus/seeds/alpha_test", path);
    expect(FAULT, line, 0, "known (");
    expect("CROOKED=alpha_test-less,stencil_test-mask,none", line, 0, "known (");
    expect("CROOKED=none", line, 0, "no case is this one");
    (void)snprintf(line, sizeof line,
                   "triage --no-index -b reference," CROOKED " --quirks '%s' corpus/seeds/depth_test", path);
    expect("CROOKED=depth_test-not-equal", line, 1, ": new\n");
    (void)snprintf(line, sizeof line,
                   "triage --no-index -b reference," CROOKED " --quirks '%s' --accept nonsense corpus/seeds/alpha_test",
                   path);
    expect(FAULT, line, 2, "no case falls into a bucket 'nonsense'");
    expect("", "triage --accept x corpus/seeds/alpha_test", 2, "name it with --quirks");
}

Test(quirks_command, old_keys_are_brought_to_those_of_today)
{
    char line[4096], path[1100];
    (void)snprintf(line, sizeof line, "mkdir -p '%s/f/old-name' && cp corpus/seeds/alpha_test/*.pcase '%s/f/old-name'",
                   directory, directory);
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(line, sizeof line, "triage --no-index -b reference," CROOKED " '%s/f' --migrate", directory);
    expect_with("# mine\nbaseline = ( { bucket = \"old-name\"; version = 0; expect = \"fail\"; note = \"n\"; } );",
                FAULT, line, 0, "old-name: is diverge-");
    (void)snprintf(path, sizeof path, "grep -c '# mine' '%s/my.quirks'", directory);
    run_command(&result, path);
    cr_expect_eq(result.exit_code, 0, "the comment stays: %s", result.output);
    (void)snprintf(line, sizeof line, "triage --no-index -b reference," CROOKED " '%s/f' --quirks '%s/my.quirks'",
                   directory, directory);
    expect(FAULT, line, 0, "known (");
}

/* ------------------------------------------------------------------------------------------------------------ parts */

Test(quirks_command, shards_are_all_of_the_cases_and_each_once)
{
    size_t agree[4] = { 0 };
    static const char *const parts[] = { "", "--shard 1/3", "--shard 2/3", "--shard 3/3" };
    for (size_t i = 0; i < 4; i++) {
        char line[256];
        size_t of = 0;
        (void)snprintf(line, sizeof line, "diff -q corpus/seeds/blend corpus/seeds/fog %s", parts[i]);
        run_picafuzz(&result, "", line);
        cr_assert_eq(sscanf(result.output, "%zu of %zu cases agree", &agree[i], &of), 2, "%s", result.output);
        cr_expect_eq(agree[i], of);
    }
    cr_expect_eq(agree[1] + agree[2] + agree[3], agree[0]);
    cr_expect(agree[1] > 0 && agree[2] > 0 && agree[3] > 0);
    expect("", "diff --generate 10 9 --shard 2/3", 0, "2 of 3 generated cases agree");
    expect("", "check --relations deterministic --generate 10 9 --shard 2/3", 0, "reference: 3 of 3 cases agree");
    expect("", "diff --shard 4/3 corpus", 2, "--shard: '4/3' is not K/N");
}

Test(quirks_command, a_budget_ends_with_what_was_not_run)
{
    expect("", "diff --seconds 1 --generate 1 100000000", 0, "cases were not run: --seconds 1 were over");
    expect("", "check --seconds 1 --relations deterministic --generate 1 100000000", 0, "cases were not run");
    expect("", "diff --seconds 60 corpus/seeds/fog", 0, "3 of 3 cases agree");
    expect_absent("not run");
    expect("", "diff --budget 1d corpus", 2, "'--budget' is --seconds now");
}
