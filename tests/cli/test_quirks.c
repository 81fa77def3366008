/* --quirks, --force, the baseline, --shard and --seconds: what a user sees. `crooked` is wrong as CROOKED says. */
#include "tests/cli/program.h"

#define BOTH "-b reference,@crooked --no-explain "

/* The same with a quirks file of these sections. */
static void expect_with(const char *sections, const char *environment, const char *line, int code, const char *words)
{
    FILE *const file = fopen(path_in("my.quirks"), "w");
    cr_assert_not_null(file);
    cr_assert(fprintf(file, "version = 1;\n%s\n", sections) > 0 && fclose(file) == 0);
    EXPECT_RUN(words_of("%s %s --quirks @/my.quirks", environment, line), code, words);
}

static void open_directory(void)
{
    empty_test_directory();
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
    EXPECT_RUN("diff " BOTH "--force BLEND_FNUC=1 corpus/seeds/fog", 2, "--force: expected a register");
    EXPECT_RUN("diff " BOTH "--quirks no/such/file corpus/seeds/fog", 2, "no/such/file");
}

Test(quirks_command, a_tolerance_is_counted_and_ends_where_it_says)
{
    static const char line[] = "diff " BOTH "corpus/seeds/transfer";
    EXPECT_RUN(words_of("CROOKED=off-by-one %s", line), 1, "diverge");
    expect_with("tolerance = { color = 1; };", "CROOKED=off-by-one", line, 0, "within tolerance: max 1 in ");
    EXPECT_SAID("agree within the tolerance");
    expect_with("tolerance = { green = 1; };", "CROOKED=off-by-one", line, 1, "diverge");
    expect_with("tolerance = { color = 1; };", "CROOKED=cull-back", "diff " BOTH "corpus/seeds/cull", 1, "diverge");
    expect_with("tolerance = { color = 1; };", "CROOKED=off-by-one", "diff --json " BOTH "corpus/seeds/transfer", 0,
                "\"tolerated\":\"max 1 in ");
}

/* Colours are off by one from the interpolation on, and blending is wrong. */
Test(quirks_command, what_is_blamed_is_the_first_beyond_the_tolerance)
{
    static const char wrong[] = "CROOKED=primary-rounding=truncates,blend-factors";
    static const char line[] = "diff -q -b reference,@crooked corpus/captures/mask-f0.picacap";
    EXPECT_RUN(words_of("%s %s", wrong, line), 1, "stage      interpolation: primary colour (ITP-13)");
    expect_with("tolerance = { color = 1; };", wrong, line, 1, "stage      blend: result (BLD-02)");
}

/* A finding must not shrink to what is allowed. */
Test(quirks_command, reduce_and_triage_go_by_the_tolerance)
{
    static const char triage[] = "triage --no-index -b reference,@crooked corpus/seeds/transfer";
    static const char reduce[] = "reduce -q -o /dev/null -b reference,@crooked corpus/seeds/transfer/scale.pcase";
    expect_with("tolerance = { green = 1; };", "CROOKED=off-by-one", triage, 1, "diverge in display transfer: PPF-09");
    expect_with("tolerance = { color = 1; };", "CROOKED=off-by-one", triage, 0, "nothing is wrong");
    EXPECT_LACKS("diverge");
    expect_with("tolerance = { color = 1; };", "CROOKED=off-by-one", reduce, 2, "the backends agree");
}

Test(quirks_command, forced_and_left_out_cases_are_counted)
{
    expect_with("without = ( \"geometry\", \"fog\" );", "CROOKED=none", "diff -q " BOTH "corpus/seeds", 0,
                "not tested, because of features that are not there: geometry ");
    expect_with("without = ( \"geometry\", \"fog\" );", "CROOKED=none", "diff --json " BOTH "corpus/seeds/fog", 2,
                "\"without\":{\"geometry\":0,\"fog\":3}");
    EXPECT_RUN("CROOKED=fog-flip diff " BOTH "tests/example/cases/fog-flip.pcase", 1, "diverge");
    EXPECT_RUN("CROOKED=fog-flip diff " BOTH
               "--force texenv_update_buffer.fog_z_flip=0 tests/example/cases/fog-flip.pcase",
               0, "1 of 1 case was rewritten by force");
    expect_with("without = ( \"fog\" );", "CROOKED=none",
                "check -b @crooked --relations deterministic corpus/seeds/fog", 2, "not tested: without: fog");
}

Test(quirks_command, a_case_that_is_left_out_is_not_counted_as_recorded)
{
    expect_with("without = ( \"fog\" );", "CROOKED=none",
                "run -b @crooked --no-pictures --record @/it.res corpus/seeds/fog/flip-and-index.pcase "
                "corpus/seeds/fill/widths.pcase",
                0, "it.res: 1 case(s) recorded;");
}

Test(quirks_command, generated_cases_are_forced_and_left_out_too)
{
    expect_with("force = ( \"LOGIC_OP.operation = xor\" );\nwithout = ( \"geometry\" );", "",
                "generate --count 40 -o @/generated", 0, "cases are left out");
    run_shell("grep -h 'LOGIC_OP {' @/generated/*.pcase | grep -v 'operation = xor'");
    EXPECT_END(1, "");
    shell("grep -q 'LOGIC_OP {.*operation = xor' @/generated/*.pcase");
    EXPECT_RUN("diff --generate 1 50 --force LOGIC_OP.operation=xor", 0, "50 of 50 cases were rewritten by force");
}

Test(quirks_command, mutants_are_forced_and_left_out_too)
{
    expect_with("force = ( \"LOGIC_OP.operation = xor\" );", "",
                "mutate --count 30 -o @/mutated corpus/seeds/logic_op/sixteen-operations.pcase", 0, "mutated/");
    run_shell("grep -h 'LOGIC_OP {' @/mutated/*.pcase | grep -v 'operation = xor'");
    EXPECT_END(1, "");
    expect_with("without = ( \"fog\" );", "", "mutate --count 30 -o @/left corpus/seeds/fog/table-over-depth.pcase", 0,
                " of 30 cases are left out: they have features");
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
    EXPECT_RUN(FAULT " " PLACE, 1, "diverge");
    expect_with("baseline = ( " KNOWN " );", FAULT, PLACE, 0, "known (");
    EXPECT_SAID(":2: issue 7)", "baseline: 1 known, 0 skipped, 0 fixed, 0 flaky, 0 new");
    expect_with("baseline = ( " KNOWN " );", "CROOKED=alpha_test-less,cull-back", PLACE " corpus/seeds/cull", 1,
                "four-modes.pcase: new\n");
    EXPECT_SAID("1 known");
}

Test(quirks_command, what_is_fixed_and_what_matches_nothing_is_said)
{
    expect_with("baseline = ( " KNOWN ", { case = \"gone.pcase\"; expect = \"skip\"; } );", "CROOKED=none", PLACE, 0,
                "fixed: nothing is wrong any more");
    EXPECT_SAID("gone.pcase: no case is this one");
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
    EXPECT_LACKS("reference-value.pcase: diverge");
}

/* The next case has another process than the one that saw it. */
Test(quirks_command, a_generated_case_that_fails_a_check_runs_again_in_a_fresh_process)
{
    EXPECT_RUN("PICAFUZZ_FLAKY_READS=1 PICAFUZZ_FLAKY=@/first check --relations deterministic,redundant --backend "
               "@flaky --generate 1 20",
               1, "seed-1: unstable: the failure of the relation came back in 0 of 3 fresh", "1 is unstable",
               "19 of 20 cases agree");
    EXPECT_LACKS("does not hold");
    EXPECT_RUN("PICAFUZZ_FLAKY_READS=1 PICAFUZZ_FLAKY=@/first check --relations deterministic,redundant --backend "
               "@flaky --generate 1 20",
               0, "");
}

Test(quirks_command, what_does_not_come_back_is_flaky)
{
    expect_with("baseline = ( " KNOWN " );", "PICAFUZZ_FLAKY=@/first",
                "diff --no-explain -b reference,@flaky corpus/seeds/fog/table-over-depth.pcase", 0,
                "flaky: the difference came back in 0 of 3 fresh processes");
}

Test(quirks_command, a_bucket_is_accepted_known_and_fixed)
{
    char name[128];
    run(FAULT " triage --no-index -b reference,@crooked corpus/seeds/alpha_test");
    const char *const row = strstr(result.output, "diverge-");
    EXPECT_END(1, "");
    cr_assert_not_null(row, "%s", result.output);
    cr_assert_eq(sscanf(row, "%127s", name), 1);
    EXPECT_RUN(words_of(FAULT " triage --no-index -b reference,@crooked --quirks @/new.quirks --accept %s --note "
                              "'issue 7' corpus/seeds/alpha_test",
                        name),
               0, "accepted in");
    EXPECT_RUN(FAULT " triage --no-index -b reference,@crooked --quirks @/new.quirks corpus/seeds/alpha_test", 0,
               "known (");
    EXPECT_RUN("CROOKED=alpha_test-less,stencil_test-mask,none triage --no-index -b reference,@crooked --quirks "
               "@/new.quirks corpus/seeds/alpha_test",
               0, "known (");
    EXPECT_RUN("CROOKED=none triage --no-index -b reference,@crooked --quirks @/new.quirks corpus/seeds/alpha_test", 0,
               "no case is this one");
    EXPECT_RUN("CROOKED=depth_test-not-equal triage --no-index -b reference,@crooked --quirks @/new.quirks "
               "corpus/seeds/depth_test",
               1, ": new\n");
    EXPECT_RUN(
        FAULT
        " triage --no-index -b reference,@crooked --quirks @/new.quirks --accept nonsense corpus/seeds/alpha_test",
        2, "no case falls into a bucket 'nonsense'");
    EXPECT_RUN("triage --accept x corpus/seeds/alpha_test", 2, "name it with --quirks");
}

Test(quirks_command, old_keys_are_brought_to_those_of_today)
{
    shell("mkdir -p @/f/old-name && cp corpus/seeds/alpha_test/*.pcase @/f/old-name");
    expect_with("# mine\nbaseline = ( { bucket = \"old-name\"; version = 0; expect = \"fail\"; note = \"n\"; } );",
                FAULT, "triage --no-index -b reference,@crooked @/f --migrate", 0, "old-name: is diverge-");
    shell("grep -c '# mine' @/my.quirks");
    EXPECT_RUN(FAULT " triage --no-index -b reference,@crooked @/f --quirks @/my.quirks", 0, "known (");
}

/* ------------------------------------------------------------------------------------------------------------ parts */

Test(quirks_command, shards_are_all_of_the_cases_and_each_once)
{
    size_t agree[4] = { 0 };
    static const char *const parts[] = { "", "--shard 1/3", "--shard 2/3", "--shard 3/3" };
    for (size_t i = 0; i < 4; i++) {
        size_t of = 0;
        run(words_of("diff -q corpus/seeds/blend corpus/seeds/fog %s", parts[i]));
        cr_assert_eq(sscanf(result.output, "%zu of %zu cases agree", &agree[i], &of), 2, "%s", result.output);
        cr_expect_eq(agree[i], of);
    }
    cr_expect_eq(agree[1] + agree[2] + agree[3], agree[0]);
    cr_expect(agree[1] > 0 && agree[2] > 0 && agree[3] > 0);
    EXPECT_RUN("diff --generate 10 9 --shard 2/3", 0, "2 of 3 generated cases agree");
    EXPECT_RUN("check --relations deterministic --generate 10 9 --shard 2/3", 0, "reference: 3 of 3 cases agree");
    EXPECT_RUN("diff --shard 4/3 corpus", 2, "--shard: '4/3' is not K/N");
}

Test(quirks_command, a_budget_ends_with_what_was_not_run)
{
    EXPECT_RUN("diff --seconds 1 --generate 1 100000000", 0, "cases were not run: --seconds 1 were over");
    EXPECT_RUN("check --seconds 1 --relations deterministic --generate 1 100000000", 0, "cases were not run");
    EXPECT_RUN("diff --seconds 60 corpus/seeds/fog", 0, "3 of 3 cases agree");
    EXPECT_LACKS("not run");
    EXPECT_RUN("diff --budget 1d corpus", 2, "'--budget' is --seconds now");
}
