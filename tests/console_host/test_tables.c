/*
 * The table that `import-results` prints of the pack `splits`, as a user sees it, from a console of our own: with
 * `reference` as its GPU all that came back is confirmed; with a choice turned or a bug planted exactly that row is
 * contradicted, and the side or answer is named; what hung, gave two results or did not come back says so.
 */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct command_result result;

static void run(const char *line)
{
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s: %d\n%s", line, result.exit_code, result.output);
}

static char directory[512];

/* Imports what lies on the card; the table is in `result`. */
static void import(void)
{
    char line[2048];
    (void)snprintf(line, sizeof line,
                   "cd '%s' && SOURCE_DATE_EPOCH=0 '" PICAFUZZ_BINARY_DIR
                   "/bin/picafuzz' import-results -q --from splits.3dsx -o a.res "
                   "card/3ds/picafuzz/splits.results",
                   directory);
    run(line);
}

/* The pack on a card, run with that GPU and options of console_machine, imported. */
static void travel_only(const char *only, const char *name, const char *options, const char *gpu)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, name);
    (void)snprintf(line, sizeof line,
                   "cd '%s' && PATH='" PICAFUZZ_BINARY_DIR "/bin':$PATH && picafuzz export --pack splits %s -o . && "
                   "mkdir card && console_machine %s splits.3dsx card '%s'",
                   directory, only, options, gpu);
    run(line);
    import();
}

static void travel(const char *name, const char *options, const char *gpu)
{
    travel_only("", name, options, gpu);
}

/* Lines of the output that hold both. */
static size_t lines_with(const char *first, const char *second)
{
    size_t found = 0;
    for (const char *line = result.output; *line != '\0';) {
        char text[1024];
        const size_t length = strcspn(line, "\n");
        (void)snprintf(text, sizeof text, "%.*s", (int)length, line);
        found += strstr(text, first) != NULL && strstr(text, second) != NULL;
        line += length + (line[length] == '\n');
    }
    return found;
}

static void expect(const char *part)
{
    cr_expect_not_null(strstr(result.output, part), "output lacks '%s':\n%s", part, result.output);
}

/* A row of the table: rule, case, verdict and remark as printed. */
static void expect_row(const char *rule, const char *name, const char *verdict, const char *remark)
{
    char row[512];
    (void)snprintf(row, sizeof row, "\n%-11s %-20s %-13s %s", rule, name, verdict, remark);
    cr_expect_not_null(strstr(result.output, row), "no row '%s' in:\n%s", row + 1, result.output);
}

/* Then the same card, its results cut in the middle of the first pass: what ran once, and what never did. */
Test(tables, of_reference_confirm_all_that_came_back, .timeout = 60)
{
    travel("table-same", "", "reference");
    expect_row("DPT-03", "41-depth-off", "confirmed", "written");
    expect_row("FBF-06", "row-order", "confirmed", "bit-24");
    expect_row("GEN-01", "-", "not covered", "no case: ");
    expect_row("EXT-CMD-05", "cpu-write", "not covered", "operation 2 writes 0x104018B8");
    expect_row("SHD-31", "compare-reserved", "not covered", "not in this file; may hang: cmp-op-67");
    cr_expect_eq(lines_with(" contradicted  ", ""), 0);
    cr_expect_eq(lines_with(": contradicted", ""), 0);
    cr_expect_eq(lines_with(", 0 contradicted, 0 unstable, 0 hang, ", ""), 2, "both totals");
    cr_expect_not_null(strstr(result.output, "\n 41  is depth written when the test is off\n"
                                             "     41-depth-off: confirmed: written\n"));
    char line[1024];
    (void)snprintf(line, sizeof line, "cd '%s/card/3ds/picafuzz' && truncate -s 100K splits.results", directory);
    run(line);
    import();
    expect("not finished, cut");
    cr_expect_gt(lines_with(" confirmed     ", " (run once only)"), 5, "%s", result.output);
    cr_expect_gt(lines_with(" not covered   not run", ""), 5, "%s", result.output);
    cr_expect_eq(lines_with(" contradicted  ", ""), 0);
}

/* Cases of others that are called as those of the pack. */
Test(tables, of_a_pack_are_not_printed_for_other_cases, .timeout = 60)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, "table-alike");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && PATH='" PICAFUZZ_BINARY_DIR "/bin':$PATH && cp '" PICAFUZZ_SOURCE_DIR
                   "/corpus/seeds/alpha_test/reference-value.pcase' . && cp reference-value.pcase row-order.pcase && "
                   "picafuzz export --3dsx --name splits -o . *.pcase && mkdir card && "
                   "console_machine splits.3dsx card reference",
                   directory);
    run(line);
    import();
    cr_expect_eq(lines_with("row-order", ""), 0, "%s", result.output);
    expect("2 ok");
    (void)snprintf(line, sizeof line, "grep -q 1970-01-01T00:00:00Z '%s/a.res'", directory);
    run(line);
}

/*
 * The GPU truncates colours where the specification rounds; hangs at 0x43808000, 257.0, which only 09-a0-width uploads;
 * and spoils every second run of 0xC17A0000, -15.625, which only 09-loop-count uploads. vpt-05-inverse is a gradient:
 * its words are not those that were worked out, but those of a reference that truncates, too.
 */
Test(tables, of_a_turned_choice_a_hang_and_two_results_say_so_in_these_rows_alone, .timeout = 60)
{
    travel("table-turned", "--hang 0x43808000 --unsteady 0xC17A0000", "reference+primary-rounding=truncates");
    expect_row("ITP-13", "primary-rounding", "contradicted", "truncates, as Citra, Mikage");
    expect_row("VPT-05", "vpt-05-inverse", "confirmed", "no-effect");
    expect_row("SHD-22", "09-a0-width", "hang", "it never ended");
    expect_row("SHD-48", "09-loop-count", "unstable", "two results");
    expect_row("DPT-03", "41-depth-off", "confirmed", "written");
    expect_row("ITP-13", "itp-13-near-ties", "contradicted", "truncates");
    cr_expect_eq(lines_with(" contradicted  ", ""), 2, "%s", result.output);
    cr_expect_eq(lines_with(" hang          ", ""), 1, "%s", result.output);
    cr_expect_eq(lines_with(" unstable      ", ""), 1, "%s", result.output);
    expect("\n     09-a0-width: hang: it never ended\n");
    expect("\n     09-loop-count: unstable: two results\n");
}

/* ------------------------------------------------------------------------------------------------- what comes back */

/* Nothing of it is called contradicted, and a run without a case is no success. */
Test(tables, of_a_machine_that_gives_nothing_back_judge_nothing, .timeout = 60)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, "table-host");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && PATH='" PICAFUZZ_BINARY_DIR "/bin':$PATH && picafuzz export --pack splits --only "
                   "primary-rounding,41 -o . && mkdir card && console_machine --weak no-write-back splits.3dsx card && "
                   "{ picafuzz import-results --from splits.3dsx -o a.res card/3ds/picafuzz/splits.results; "
                   "echo code $?; } >said 2>&1; grep -v 'not in this file$\\|no case:\\|left open:' said",
                   directory);
    run(line);
    expect("  read by texture copy, loaded by DMA: comes back: loaded bytes, fills, registers\n");
    expect("  does not come back: transfers, texture copies, drawn colours, drawn depth, what lists in VRAM do\n");
    expect("primary-rounding: not tested: drawn colours did not come back\n");
    expect_row("ITP-13", "primary-rounding", "not covered", "not tested: drawn colours did not come back");
    cr_expect_eq(lines_with(" contradicted  ", ""), 0);
    expect(": 0 confirmed, 0 contradicted, 0 unstable, 0 hang, ");
    expect("no case came to a result\n");
    expect("code 2\n");
}

/* The same machine under a name of its own; what comes back is judged as that of a console. */
Test(tables, of_a_machine_that_knows_standard_programs_alone_are_as_of_a_console, .timeout = 60)
{
    travel_only("--only primary-rounding,41", "table-standard", "--weak only-standard",
                "reference+primary-rounding=truncates");
    expect("  read by texture copy, loaded by texture copy: comes back: ");
    expect("  does not come back: registers\n");
    expect_row("ITP-13", "primary-rounding", "contradicted", "truncates, as Citra, Mikage");
    expect_row("DPT-03", "41-depth-off", "confirmed", "written");
}

/* ---------------------------------------------------------------------------------------------------------- decide */

/* The text that ci/amend changes, as it is in the tree. */
static void copy_text(void)
{
    char line[2048];
    (void)snprintf(line, sizeof line,
                   "cd '%s' && mkdir -p tree/pica tree/docs && cp '" PICAFUZZ_SOURCE_DIR
                   "/pica/splits.def' tree/pica && "
                   "cp -r '" PICAFUZZ_SOURCE_DIR "/docs/spec' '" PICAFUZZ_SOURCE_DIR "/docs/hardware.md' tree/docs",
                   directory);
    run(line);
}

/* The pack, run with that GPU, imported, and taken into the text; what is said of it is in `result`. */
static void travel_decide(const char *name, const char *gpu)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, name);
    copy_text();
    (void)snprintf(line, sizeof line,
                   "cd '%s' && PATH='" PICAFUZZ_BINARY_DIR "/bin':$PATH && picafuzz export --pack decide -o . && "
                   "mkdir card && console_machine decide.3dsx card '%s' && picafuzz import-results -q "
                   "--from decide.3dsx -o a.res --decisions a.json card/3ds/picafuzz/decide.results >said && "
                   "sed -n '/^what this decides/,$p' said && '" PICAFUZZ_SOURCE_DIR "/ci/amend' --tree tree a.json",
                   directory, gpu);
    run(line);
}

static void look(const char *command)
{
    char line[4096];
    (void)snprintf(line, sizeof line, "cd '%s/tree' && %s", directory, command);
    run(line);
}

Test(tables, of_decide_name_the_side_and_amend_the_text, .timeout = 120)
{
    travel_decide("decide-turned", "reference+primary-rounding=truncates+fog-rounding=rounds");
    expect("what this decides\n");
    expect("\nprimary-rounding (ITP-13 TEV-03 FLT-20): it left 0x180000A8 = 0x7F640000\n"
           "     contradicted: truncates, as Citra, Mikage\n");
    expect("     contradicted: truncates\n"); /* itp-13-near-ties: its own words for that */
    expect("\nfog-rounding (FOG-05): it left ");
    expect("\nblend/equations (BLD-02 BLD-03): it left all words of memory as `reference` does\n");
    cr_expect_eq(lines_with("     contradicted: ", ""), 3, "%s", result.output);
    expect("\nas piece H");
    expect("\nprimary-rounding (ITP-13 TEV-03 FLT-20): contradicted\n"
           "     ITP-13: [SPLIT] -> [HW H");
    expect("     pica/splits.def: primary-rounding is truncates, others refuted\n");
    expect("     pica/splits.def: fog-rounding is rounds, others refuted\n"
           "     FOG-05: its text and both backends say truncates, and must follow\n");
    look("grep '_ROUNDING, ' pica/splits.def && grep 'pack decide. | card' docs/hardware.md");
    expect("SIDE(PRIMARY_ROUNDING, 0, TRUNCATES, \"truncates\", \"Citra, Mikage\"");
    expect("REFUTED(FOG_ROUNDING, 1, TRUNCATES, \"truncates\", \"Azahar SW\", \"truncates\", \"H");
    expect("answers to cases of `export --pack decide` | card/3ds/picafuzz/decide.results, ");
    expect(", contradicts in 3 |\n");
    look("grep -c 'HW H8[0-9]\\]' docs/spec/30-rasterizer.md");
}

/* Of a rule with several choices each has its own tag; one that stands for two is open until both are decided. */
Test(tables, of_decide_change_the_tag_that_is_about_the_choice, .timeout = 120)
{
    travel_decide("decide-tags", "reference+combiner-rounding=rounds+dot3-division=shifts");
    expect("     contradicted: rounds, as float renderers\n");
    expect(": contradicted\n     TEV-09: [SPLIT] -> [HW H");
    expect(": confirmed\n     TEV-10: [SPLIT] -> [HW H");
    expect(": contradicted\n     TEV-10: [SPLIT] -> [HW H");
    cr_expect_eq(lines_with("     TEV-10: [SPLIT] -> [HW H", "]+[SPLIT]"), 1, "%s", result.output);
    look("sed 's/HW H8[0-9]/HW NEW/' docs/spec/50-fragment-shading.md");
    expect("  9. [HW NEW] Add signed");
    expect("[AMENDED 6] [HW NEW] The multiplier");
    expect("at 0 there. [HW NEW] Each has another exact form");
    expect("[SPLIT] Azahar SW (choice\n  `dot3`");
}

/* Of a console that does what docs/spec says no text has to follow. */
Test(tables, of_decide_on_reference_raise_tags_alone, .timeout = 120)
{
    travel_decide("decide-same", "reference");
    cr_expect_eq(lines_with("must follow", ""), 0);
    cr_expect_eq(lines_with("     contradicted: ", ""), 0);
    expect(", 0 otherwise\n");
    look("diff -r docs/spec '" PICAFUZZ_SOURCE_DIR "/docs/spec' | grep -v '^[<>].*HW H' | "
         "grep '^[<>]' | grep -v 'SPLIT\\|CHOICE\\|EMU\\|DOC' | wc -l");
    expect("0\n");
}

/* --------------------------------------------------------------------------------------------------------- numbers */

/* Cases of the pack `numbers`; what --wrong writes is said, too. */
static void travel_numbers(const char *name, const char *only, const char *gpu)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, name);
    (void)snprintf(line, sizeof line,
                   "cd '%s' && PATH='" PICAFUZZ_BINARY_DIR "/bin':$PATH && "
                   "picafuzz export --pack numbers --only %s -o . && mkdir card && "
                   "console_machine --f24 numbers.3dsx card '%s' && "
                   "picafuzz import-results -q --from numbers.3dsx -o a.res --wrong wrong.csv "
                   "card/3ds/picafuzz/numbers.results && cat wrong.csv",
                   directory, only, gpu);
    run(line);
}

Test(tables, of_numbers_say_what_is_compared, .timeout = 60)
{
    travel_numbers("numbers-same", "mov-32", "reference");
    expect("\nFLT-24   mov                      confirmed     0 of ");
    expect("           1 of 33 cases compared, 32 not in this file\n");
    expect("\nFLT-27   rcp                      not covered  \n");
    expect("\n31 operations: 1 confirmed, 0 contradicted, 0 unstable, 0 hang, 30 not covered\n");
    cr_expect_eq(lines_with("mov is not confirmed", ""), 0);
}

Test(tables, of_numbers_name_the_side_that_gives_all_results, .timeout = 60)
{
    travel_numbers("numbers-side", "combine-add-s", "reference+add-signed=127");
    expect("\nTEV-09   combine-add-signed       contradicted  49024 of 65536 wrong\n"
           "           all results are as with add-signed = 127\n"
           "           of 0, 128: computed 1, expected 0\n");
    cr_expect_eq(lines_with("mov is not confirmed", ""), 0);
}

#ifdef PICAFUZZ_HAS_BUGS
Test(tables, of_numbers_show_what_a_planted_bug_computes, .timeout = 60)
{
    travel_numbers("numbers-bug", "mul-64", PICAFUZZ_BINARY_DIR "/bugs/shader-mul-zero-inf-nan.so");
    expect("\nFLT-27   mul                      contradicted  18 of ");
    expect("           of 0x000000 (0.0), 0xFF0000 (-inf): "
           "computed 0x7F8000 (NaN), expected 0x000000 (0.0)\n");
    cr_expect_eq(lines_with("all results are as with", ""), 0);
    cr_expect_eq(lines_with("mul,", ",,0x7F8000,0x000000"), 18, "%s", result.output);
    cr_expect_eq(lines_with("mov is not confirmed", ""), 1);
}

Test(tables, of_a_planted_bug_contradict_its_question_alone, .timeout = 60)
{
    travel("table-bug", "", PICAFUZZ_BINARY_DIR "/bugs/depth_test-write-needs-test.so");
    expect_row("DPT-03", "41-depth-off", "contradicted", "kept");
    cr_expect_eq(lines_with(" contradicted  ", ""), 1, "%s", result.output);
    expect("     41-depth-off: contradicted: kept\n");
}
#endif
