/* What is accepted, as every command sees it: the same findings are known to all of them, or to none. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CROOKED "'" PICAFUZZ_BINARY_DIR "/lib/crooked.so'"
#define FLAKY   "'" PICAFUZZ_BINARY_DIR "/lib/flaky_backend.so'"
#define PAIR    "-b reference," CROOKED
#define FAULT   "CROOKED=alpha_test-less"
#define PLACE   "corpus/seeds/alpha_test"
#define CASE    "case = \"alpha_test/reference-value.pcase\""
#define KNOWN   "baseline = ( { " CASE "; expect = \"fail\"; note = \"issue 7\"; } );"

static struct command_result result;
static char directory[1024], quirks[1100], text[1 << 17];

static void open_directory(void)
{
    char name[128];
    (void)snprintf(name, sizeof name, "baseline-%.100s", criterion_current_test->name);
    fresh_directory(directory, sizeof directory, name);
    (void)snprintf(quirks, sizeof quirks, "%s/my.quirks", directory);
}

TestSuite(baseline, .init = open_directory);

static void write_quirks(const char *sections)
{
    FILE *const file = fopen(quirks, "w");
    cr_assert_not_null(file);
    cr_assert(fprintf(file, "version = 1;\n%s\n", sections) > 0 && fclose(file) == 0);
}

static void read_file(const char *name)
{
    char path[2100];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
}

static void expect_words(const char *words)
{
    cr_expect_not_null(strstr(result.output, words), "no '%s': %s", words, result.output);
}

static void expect_absent(const char *words)
{
    cr_expect_null(strstr(result.output, words), "'%s': %s", words, result.output);
}

/* "COMMAND --quirks FILE WHAT", with the fault. */
static void expect(const char *command, const char *what, int code)
{
    char line[4096];
    (void)snprintf(line, sizeof line, "%s --quirks '%s' %s", command, quirks, what);
    run_picafuzz(&result, FAULT, line);
    cr_expect_eq(result.exit_code, code, "%s: %d: %s", line, result.exit_code, result.output);
}

static void shell(const char *format)
{
    char line[4096];
    (void)snprintf(line, sizeof line, format, directory, directory, directory);
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s: %s", line, result.output);
}

static const char diff[] = "diff --no-explain " PAIR, triage[] = "triage --no-index " PAIR;

static void report(int code, const char *what)
{
    char command[2200];
    (void)snprintf(command, sizeof command, "report " PAIR " -o '%s/out'", directory);
    expect(command, what, code);
}

Test(baseline, a_case_that_is_accepted_is_accepted_by_every_command)
{
    write_quirks("baseline = ( );");
    expect(diff, PLACE, 1);
    expect(triage, PLACE, 1);
    report(1, PLACE);
    write_quirks(KNOWN);
    expect(diff, PLACE, 0);
    expect_words("1 known, 0 skipped, 0 fixed, 0 flaky, 0 new; 0 entries match nothing");
    expect(triage, PLACE, 0);
    expect_words("1 known, 0 skipped, 0 fixed, 0 flaky, 0 new; 0 entries match nothing");
    report(0, PLACE);
    expect_words("1 known, 0 skipped, 0 fixed, 0 flaky, 0 new; 0 entries match nothing");
}

Test(baseline, junit_skips_what_is_known_and_fails_for_what_is_new)
{
    write_quirks(KNOWN);
    report(0, PLACE);
    expect_words("0 with a finding, 1 with one that is accepted");
    read_file("out/junit.xml");
    cr_expect_not_null(strstr(text, "failures=\"0\""), "%s", text);
    cr_expect_not_null(strstr(text, "<skipped message=\"known ("), "%s", text);
    cr_expect_not_null(strstr(text, "issue 7"), "%s", text);
    read_file("out/index.json");
    cr_expect_not_null(strstr(text, "\"accepted\":\t\"known ("), "%s", text);
    write_quirks("baseline = ( { case = \"gone.pcase\"; expect = \"fail\"; } );");
    report(1, PLACE);
    expect_words("1 with a finding\n");
    expect_words("gone.pcase: no case is this one");
    read_file("out/junit.xml");
    cr_expect_not_null(strstr(text, "failures=\"1\""), "%s", text);
}

/* A result for each case that differs, for diff; for each bucket, for triage. */
Test(baseline, annotations_are_written_by_diff_and_triage_and_know_the_baseline)
{
    char line[2400];
    write_quirks("baseline = ( );");
    (void)snprintf(line, sizeof line, "--sarif '%s/diff.sarif' " PLACE " " PLACE "/../fill", directory);
    expect(diff, line, 1);
    read_file("diff.sarif");
    cr_expect_not_null(strstr(text, "\"version\":\t\"2.1.0\""), "%s", text);
    cr_expect_not_null(strstr(text, "\"ruleId\":\t\"diverge\""), "%s", text);
    cr_expect_not_null(strstr(text, "\"level\":\t\"error\""), "%s", text);
    cr_expect_not_null(strstr(text, "alpha_test/reference-value.pcase"), "%s", text);
    cr_expect_not_null(strstr(text, "after operation "), "%s", text);
    cr_expect_null(strstr(text, "seeds/fill/"), "what agrees is no finding");
    (void)snprintf(line, sizeof line, "--sarif '%s/triage.sarif' " PLACE, directory);
    expect(triage, line, 1);
    read_file("triage.sarif");
    cr_expect_not_null(strstr(text, "diverge-alpha-test-"), "a bucket is the rule: %s", text);
    cr_expect_not_null(strstr(text, "\"level\":\t\"error\""), "%s", text);
    write_quirks(KNOWN);
    (void)snprintf(line, sizeof line, "--sarif '%s/diff.sarif' " PLACE, directory);
    expect(diff, line, 0);
    read_file("diff.sarif");
    cr_expect_not_null(strstr(text, "\"suppressions\""), "%s", text);
    cr_expect_null(strstr(text, "\"level\":\t\"error\""), "%s", text);
    expect(diff, "--sarif /proc/none.sarif " PLACE, 4);
    expect_words("/proc/none.sarif");
}

Test(baseline, all_that_is_new_can_be_accepted_at_once_and_is_known_to_triage_and_report)
{
    expect(triage, "--accept all --note today " PLACE, 0);
    expect_words(": accepted in ");
    expect(triage, PLACE, 0);
    expect_words("known (");
    report(0, PLACE);
    expect(triage, "--accept all " PLACE, 0);
    expect_absent(": accepted in ");
}

/* What came and went comes back for good the next day, as another bucket: nobody wants to hear of it. */
Test(baseline, what_was_accepted_is_green_an_unstable_and_a_vacuous_case_included)
{
    char line[4096], environment[1200], found[1100];
    shell("mkdir '%s/found' && cp " PLACE "/reference-value.pcase '%s/found/a.pcase' && "
          "cp tests/example/cases/attributes-outside.pcase '%s/found/b.pcase'");
    (void)snprintf(found, sizeof found, "'%s/found' corpus/seeds/fill", directory);
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_FLAKY='%s/flag'", directory);
    (void)snprintf(line, sizeof line, "triage --no-index -b reference," FLAKY " --quirks '%s' --accept all '%s/found'",
                   quirks, directory);
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, 0, "%d: %s", result.exit_code, result.output);
    read_file("my.quirks");
    cr_expect_not_null(strstr(text, "/found/a.pcase\"; expect = \"flaky\";"), "%s", text);
    (void)snprintf(line, sizeof line, "%s --buckets", diff);
    expect(line, found, 0);
    expect_words("a.pcase: known (");
    expect_words("b.pcase: vacuous");
    (void)snprintf(found, sizeof found, "'%s/found'", directory);
    expect(triage, found, 0);
    expect_words("1 known, 0 skipped, 0 fixed, 0 flaky, 0 new");
}

Test(baseline, a_bucket_that_nothing_falls_into_is_an_error_that_names_those_that_there_are)
{
    expect(triage, "--accept nonsense " PLACE, 2);
    expect_words("no case falls into a bucket 'nonsense'; there are: diverge-");
    expect_absent("0 known");
}

Test(baseline, diff_says_that_it_does_not_judge_buckets_unless_it_is_asked_to)
{
    expect(triage, "--accept all " PLACE, 0);
    expect(diff, PLACE, 1);
    expect_words("1 entry accepts a bucket: `picafuzz triage --quirks` and report judge it, `diff --buckets` too");
    expect(diff, "--buckets " PLACE, 0);
    expect_words("known (");
    expect_absent("accepts a bucket");
    expect(diff, "--buckets corpus/seeds/fog", 0);
    expect_words("no case is this one");
}

Test(baseline, diff_writes_what_is_new_into_the_baseline)
{
    expect(diff, "--accept --note 'day one' --generate 1 300 " PLACE, 0);
    expect_words("case(s) accepted in ");
    read_file("my.quirks");
    cr_expect_not_null(strstr(text, "{ case = \"corpus/seeds/alpha_test/reference-value.pcase\"; expect = \"fail\"; "
                                    "note = \"day one\"; }"),
                       "%s", text);
    cr_expect_not_null(strstr(text, "{ case = \"mixed-"), "of generated cases, too: %s", text);
    expect(diff, "--generate 1 300 " PLACE, 0);
    expect_words(" 0 new");
    run_picafuzz(&result, "", "diff --accept corpus/seeds/fog");
    cr_expect_eq(result.exit_code, 2);
    expect_words("name it with --quirks");
}

/* A directory of findings: the reduced case, and the case as it was found. */
Test(baseline, what_a_finding_was_reduced_from_is_not_run_beside_it)
{
    char line[2100];
    shell("mkdir '%s/found' && cp corpus/seeds/alpha_test/*.pcase '%s/found' && cd '%s/found' && "
          "for c in *.pcase; do cp $c ${c%%.pcase}.pcb; done");
    write_quirks("");
    (void)snprintf(line, sizeof line, "'%s/found'", directory);
    expect(diff, line, 1);
    expect_words("found/reference-value.pcase: diverge");
    expect_absent("reference-value.pcb");
    (void)snprintf(line, sizeof line, "'%s/found/reference-value.pcb' '%s/found'", directory, directory);
    expect(diff, line, 1);
    expect_words("found/reference-value.pcb: ");
}

Test(baseline, an_empty_file_of_differences_is_said_to_be_one)
{
    write_quirks("");
    expect(diff, "corpus/seeds/fog", 0);
    expect_words("with known differences: none, the quirks file names none\n");
}

/* ----------------------------------------------------------------------------------------- commands that are shown */

static void expect_command(const char *what, const char *file)
{
    char words[4096];
    (void)snprintf(words, sizeof words, "picafuzz diff -b reference,%s/lib/crooked.so --ignore STATUS --quirks %s %s",
                   PICAFUZZ_BINARY_DIR, quirks, file);
    cr_expect_not_null(strstr(what, words), "no '%s': %s", words, what);
}

Test(baseline, the_command_of_a_page_is_what_was_done)
{
    write_quirks("choices = { zero-area = \"drawn\"; };");
    report(1, "--ignore STATUS " PLACE "/reference-value.pcase");
    read_file("out/0001-reference-value/index.html");
    expect_command(text, "case.pcase");
}

/* A campaign whose target says that one of the seeds is a finding. */
static void hunt(int code)
{
    char command[4096];
    (void)snprintf(command, sizeof command,
                   "fuzz " PAIR " --ignore STATUS --seconds 600 --target tests/cli/fake_target.sh --corpus '%s/corpus' "
                   "--findings '%s/found'",
                   directory, directory);
    expect(command, PLACE "/reference-value.pcase", code);
}

Test(baseline, what_a_hunt_finds_is_judged_by_the_same_baseline_and_says_how_to_see_it_again)
{
    char path[2100];
    write_quirks("choices = { zero-area = \"drawn\"; };");
    hunt(1);
    const char *const line = strstr(result.output, "look at one: ");
    cr_assert_not_null(line, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/found/", directory);
    expect_command(line, path);
    shell("cat '%s'/found/*/input-1.txt");
    cr_expect_eq(strncmp(result.output, "picafuzz: differ: ", 18), 0, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/found/*/input-1.pcase", directory);
    expect_command(result.output, path);
    /* Who looks at what an engine found need not say with what. */
    (void)snprintf(path, sizeof path, "triage --no-index '%s/found'", directory);
    run_picafuzz(&result, FAULT, path);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    expect_words("--ignore STATUS");
    (void)snprintf(path, sizeof path, "--ignore STATUS --accept all '%s/found'", directory);
    expect(triage, path, 0);
    shell("rm -r '%s/corpus' '%s/found'");
    hunt(0);
    expect_words("baseline: 1 known, 0 new");
}

/* A plug-in that cannot trace names no rule: those of the stage stand there. */
Test(baseline, the_rules_of_an_inferred_stage_are_said_and_that_a_case_draws_over_its_own_list)
{
    run_picafuzz(&result, "CROOKED=mute,fog-flip", "diff " PAIR " tests/example/cases/fog-flip.pcase");
    expect_words("stage      fog, inferred: the two agree if ");
    expect_words("rules      FOG: docs/spec/50-fragment-shading.md, 3. FOG\n");
    expect_words(
        "the colour buffer lies over the list that draws it: pixels fall on commands that have done their work");
    run_picafuzz(&result, "CROOKED=mute,fog-flip", "diff --json " PAIR " tests/example/cases/fog-flip.pcase");
    expect_words("\"rules\":\"FOG\"");
    char line[4096];
    (void)snprintf(line, sizeof line, "report " PAIR " -o '%s/out' tests/example/cases/fog-flip.pcase", directory);
    run_picafuzz(&result, "CROOKED=mute,fog-flip", line);
    read_file("out/index.html");
    cr_expect_not_null(strstr(text, "\"rules\":\"FOG\",\"inferred\":true"), "%s", text);
    run_picafuzz(&result, FAULT, "diff " PAIR " " PLACE);
    expect_absent("rules  ");
    expect_absent("over the list");
}
