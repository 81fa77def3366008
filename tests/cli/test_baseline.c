/* What is accepted, as every command sees it: the same findings are known to all of them, or to none. */
#include "tests/cli/program.h"

#define PAIR             "-b reference,@crooked"
#define FAULT            "CROOKED=alpha_test-less"
#define PLACE            "corpus/seeds/alpha_test"
#define CASE             "case = \"alpha_test/reference-value.pcase\""
#define QUIRKS(sections) write_in("my.quirks", "version = 1;\n" sections "\n")
#define KNOWN            "baseline = ( { " CASE "; expect = \"fail\"; note = \"issue 7\"; } );"

static const char diff[] = "diff --no-explain " PAIR, triage[] = "triage --no-index " PAIR;
static const char report[] = "report " PAIR " -o @/out";

/* With the fault. */
#define EXPECT_WITH(command, what, exit_code, ...) \
    EXPECT_RUN(words_of(FAULT " %s --quirks @/my.quirks %s", command, what), exit_code, __VA_ARGS__)

Test(baseline, a_case_that_is_accepted_is_accepted_by_every_command)
{
    QUIRKS("baseline = ( );");
    EXPECT_WITH(diff, PLACE, 1, "");
    EXPECT_WITH(triage, PLACE, 1, "");
    EXPECT_WITH(report, PLACE, 1, "");
    QUIRKS(KNOWN);
    EXPECT_WITH(diff, PLACE, 0, "1 known, 0 skipped, 0 fixed, 0 flaky, 0 new; 0 entries match nothing");
    EXPECT_WITH(triage, PLACE, 0, "1 known, 0 skipped, 0 fixed, 0 flaky, 0 new; 0 entries match nothing");
    EXPECT_WITH(report, PLACE, 0, "1 known, 0 skipped, 0 fixed, 0 flaky, 0 new; 0 entries match nothing");
}

Test(baseline, junit_skips_what_is_known_and_fails_for_what_is_new)
{
    QUIRKS(KNOWN);
    EXPECT_WITH(report, PLACE, 0, "0 with a finding, 1 with one that is accepted");
    EXPECT_FILE("out/junit.xml", "failures=\"0\"", "<skipped message=\"known (", "issue 7");
    EXPECT_FILE("out/index.json", "\"accepted\":\t\"known (");
    QUIRKS("baseline = ( { case = \"gone.pcase\"; expect = \"fail\"; } );");
    EXPECT_WITH(report, PLACE, 1, "1 with a finding\n", "gone.pcase: no case is this one");
    EXPECT_FILE("out/junit.xml", "failures=\"1\"");
}

/* A result for each case that differs, for diff; for each bucket, for triage. */
Test(baseline, annotations_are_written_by_diff_and_triage_and_know_the_baseline)
{
    QUIRKS("baseline = ( );");
    EXPECT_WITH(diff, "--sarif @/diff.sarif " PLACE " " PLACE "/../fill", 1, "");
    EXPECT_FILE("diff.sarif", "\"version\":\t\"2.1.0\"", "\"ruleId\":\t\"diverge\"", "\"level\":\t\"error\"",
                "alpha_test/reference-value.pcase", "after operation ");
    cr_expect_null(strstr(text_of("diff.sarif"), "seeds/fill/"));
    EXPECT_WITH(triage, "--sarif @/triage.sarif " PLACE, 1, "");
    EXPECT_FILE("triage.sarif", "diverge-framebuffer-fbf-23-", "\"level\":\t\"error\"");
    QUIRKS(KNOWN);
    EXPECT_WITH(diff, "--sarif @/diff.sarif " PLACE, 0, "");
    EXPECT_FILE("diff.sarif", "\"suppressions\"");
    cr_expect_null(strstr(text_of("diff.sarif"), "\"level\":\t\"error\""));
    EXPECT_WITH(diff, "--sarif /proc/none.sarif " PLACE, 4, "/proc/none.sarif");
}

Test(baseline, all_that_is_new_can_be_accepted_at_once_and_is_known_to_triage_and_report)
{
    EXPECT_WITH(triage, "--accept all --note today " PLACE, 0, ": accepted in ");
    EXPECT_WITH(triage, PLACE, 0, "known (");
    EXPECT_WITH(report, PLACE, 0, "");
    EXPECT_WITH(triage, "--accept all " PLACE, 0, "");
    EXPECT_LACKS(": accepted in ");
}

/* What came and went comes back for good the next day, as another bucket: nobody wants to hear of it. */
Test(baseline, what_was_accepted_is_green_an_unstable_and_a_vacuous_case_included)
{
    shell("mkdir @/found && cp " PLACE "/reference-value.pcase @/found/a.pcase && cp "
          "tests/example/cases/attributes-outside.pcase @/found/b.pcase");
    EXPECT_RUN("PICAFUZZ_FLAKY=@/flag triage --no-index -b reference,@flaky --quirks @/my.quirks --accept all @/found",
               0, "");
    EXPECT_FILE("my.quirks", "/found/a.pcase\"; expect = \"flaky\";");
    EXPECT_WITH(diff, "--buckets @/found corpus/seeds/fill", 0, "a.pcase: known (", "b.pcase: vacuous");
    EXPECT_WITH(triage, "@/found", 0, "1 known, 0 skipped, 0 fixed, 0 flaky, 0 new");
}

Test(baseline, a_bucket_that_nothing_falls_into_is_an_error_that_names_those_that_there_are)
{
    EXPECT_WITH(triage, "--accept nonsense " PLACE, 2, "no case falls into a bucket 'nonsense'; there are: diverge-");
    EXPECT_LACKS("0 known");
}

Test(baseline, diff_says_that_it_does_not_judge_buckets_unless_it_is_asked_to)
{
    EXPECT_WITH(triage, "--accept all " PLACE, 0, "");
    EXPECT_WITH(diff, PLACE, 1,
                "1 entry accepts a bucket: `picafuzz triage --quirks` and report judge it, `diff --buckets` too");
    EXPECT_WITH(diff, "--buckets " PLACE, 0, "known (");
    EXPECT_LACKS("accepts a bucket");
    EXPECT_WITH(diff, "--buckets corpus/seeds/fog", 0, "no case is this one");
}

Test(baseline, diff_writes_what_is_new_into_the_baseline)
{
    EXPECT_WITH(diff, "--accept --note 'day one' --generate 1 300 " PLACE, 0, "case(s) accepted in ");
    EXPECT_FILE("my.quirks",
                "{ case = \"corpus/seeds/alpha_test/reference-value.pcase\"; expect = \"fail\"; "
                "note = \"day one\"; }",
                "{ case = \"mixed-");
    EXPECT_WITH(diff, "--generate 1 300 " PLACE, 0, " 0 new");
    EXPECT_RUN("diff --accept corpus/seeds/fog", 2, "name it with --quirks");
}

/* A directory of findings: the reduced case, and the case as it was found. */
Test(baseline, what_a_finding_was_reduced_from_is_not_run_beside_it)
{
    shell("mkdir @/found && cp corpus/seeds/alpha_test/*.pcase @/found && cd @/found && for c in *.pcase; do "
          "cp $c ${c%.pcase}.pcb; done");
    QUIRKS("");
    EXPECT_WITH(diff, "@/found", 1, "found/reference-value.pcase: diverge");
    EXPECT_LACKS("reference-value.pcb");
    EXPECT_WITH(diff, "@/found/reference-value.pcb @/found", 1, "found/reference-value.pcb: ");
}

Test(baseline, an_empty_file_of_differences_is_said_to_be_one)
{
    QUIRKS("");
    EXPECT_WITH(diff, "corpus/seeds/fog", 0, "with known differences: none, the quirks file names none\n");
}

/* ----------------------------------------------------------------------------------------- commands that are shown */

static void expect_command(const char *what, const char *file)
{
    const char *const words = words_of("picafuzz diff -b reference,%s/lib/crooked.so --ignore STATUS --quirks %s %s",
                                       PICAFUZZ_BINARY_DIR, path_in("my.quirks"), file);
    cr_expect_not_null(strstr(what, words), "no '%s': %s", words, what);
}

Test(baseline, the_command_of_a_page_is_what_was_done)
{
    QUIRKS("choices = { zero-area = \"drawn\"; };");
    EXPECT_WITH(report, "--ignore STATUS " PLACE "/reference-value.pcase", 1, "");
    expect_command(text_of("out/0001-reference-value/index.html"), PLACE "/reference-value.pcase");
}

/* A campaign whose target says that one of the seeds is a finding. */
static const char campaign[] =
    "fuzz " PAIR
    " --ignore STATUS --seconds 600 --target tests/cli/fake_target.sh --corpus @/corpus --findings @/found";

Test(baseline, what_a_hunt_finds_is_judged_by_the_same_baseline_and_says_how_to_see_it_again)
{
    QUIRKS("choices = { zero-area = \"drawn\"; };");
    EXPECT_WITH(campaign, PLACE "/reference-value.pcase", 1, "");
    const char *const line = strstr(result.output, "look at one: ");
    cr_assert_not_null(line, "%s", result.output);
    expect_command(line, path_in("found/"));
    shell("cat @/found/*/input-1.txt");
    cr_expect_eq(strncmp(result.output, "picafuzz: differ: ", 18), 0, "%s", result.output);
    expect_command(result.output, path_in("found/*/input-1.pcase"));
    /* Who looks at what an engine found need not say with what. */
    EXPECT_RUN(FAULT " triage --no-index @/found", 1, "--ignore STATUS");
    EXPECT_SAID("/my.quirks\n");
    EXPECT_WITH(triage, "--ignore STATUS --accept all @/found", 0, "");
    shell("rm -r @/corpus @/found");
    EXPECT_WITH(campaign, PLACE "/reference-value.pcase", 0, "baseline: 1 known, 0 new");
}

/* A plug-in that cannot trace names no rule: those of the stage stand there. */
Test(baseline, the_rules_of_an_inferred_stage_are_said_and_that_a_case_draws_over_its_own_list)
{
    run("CROOKED=mute,fog-flip diff " PAIR " tests/example/cases/fog-flip.pcase");
    EXPECT_SAID(
        "stage      fog, inferred: the two agree if ", "rules      FOG: docs/spec/50-fragment-shading.md, 3. FOG\n",
        "the colour buffer lies over the list that draws it: pixels fall on commands that have done their work");
    run("CROOKED=mute,fog-flip diff --json " PAIR " tests/example/cases/fog-flip.pcase");
    EXPECT_SAID("\"rules\":\"FOG\"");
    run("CROOKED=mute,fog-flip report " PAIR " -o @/out tests/example/cases/fog-flip.pcase");
    EXPECT_FILE("out/index.html", "\"rules\":\"FOG\",\"inferred\":true");
    EXPECT_FILE("out/0001-fog-flip/index.html", "\"rules\":[{\"id\":\"FOG-");
    run(FAULT " diff " PAIR " " PLACE);
    EXPECT_LACKS("rules  ");
    EXPECT_LACKS("over the list");
}
