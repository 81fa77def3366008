/* picafuzz score: what a user sees of a small pack, and what comes of packs that are cut or edited. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BROKEN  "'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'"
#define CHOSEN  "'" PICAFUZZ_BINARY_DIR "/lib/chosen_backend.so'"
#define HOSTILE "'" PICAFUZZ_BINARY_DIR "/lib/hostile_backend.so'"
#define PARTIAL "'" PICAFUZZ_BINARY_DIR "/lib/partial_backend.so'"
#define CONSOLE "corpus/hardware/cases/h01-dot3-808080ff-iiiff-40.pcase"
#define OLD     "tests/cli/version-2.vectors"

/* HEAD with another version and the sum that belongs to it, as a filter. */
#define WITH_VERSION(version)                                                                            \
    "perl -MCompress::Zlib -0777 -pe 'my $n = unpack \"V\", substr $_, 12, 4; substr($_, 20, 4) = pack " \
    "\"V\", " #version "; substr($_, 16, 4) = pack \"V\", crc32(substr $_, 20, $n)'"

static struct command_result result;
static char directory[512], pack[1024];

static void expect(const char *environment, const char *line, int code, const char *words)
{
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, code, "%s %s: %d: %s", environment, line, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, words), "%s %s: no '%s' in: %s", environment, line, words, result.output);
}

static const char five[] =
    "hardware/h01\tfragment-shading\tTEV-10\thw\tH01\t" CONSOLE "\n"
    "seeds/alpha\tframebuffer\tATS-01\tdoc\t-\tcorpus/seeds/alpha_test/reference-value.pcase\n"
    "splits/fill-rule\trasterizer\tRST-02\tsplit\t-\tcorpus/splits/fill-rule.pcase\n"
    "seeds/again\tframebuffer\tATS-01\tdoc\t-\tcorpus/seeds/alpha_test/reference-value.pcase\n"
    "seeds/both\tframebuffer\tMEM-01\tdoc\t-\tcorpus/seeds/framebuffer/tiles-and-odd-width.pcase\n"
    "seeds/<b>\tgeometry\tPRM-01\temu\t-\tcorpus/seeds/assembly/carry-over-and-restart.pcase\n";

static void make_pack_of(const char *name, const char *list)
{
    char line[8192], path[1024];
    fresh_directory(directory, sizeof directory, name);
    (void)snprintf(path, sizeof path, "%s/list", directory);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_geq(fputs(list, file), 0);
    cr_assert_eq(fclose(file), 0);
    (void)snprintf(pack, sizeof pack, "%s/pack.vectors", directory);
    (void)snprintf(line, sizeof line, PICAFUZZ_BINARY_DIR "/bin/make_vectors --list '%s/list' -o '%s'", directory,
                   pack);
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
}

static void make_pack(const char *name)
{
    make_pack_of(name, five);
    cr_expect_not_null(strstr(result.output, "5 cases"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 that leave the same as another"), "%s", result.output);
}

static void expect_of_pack(const char *environment, const char *arguments, int code, const char *words)
{
    char line[8192];
    (void)snprintf(line, sizeof line, "score %s '%s'", arguments, pack);
    expect(environment, line, code, words);
}

Test(score, ours_are_right_and_the_same_pack_comes_out_again)
{
    char line[8192];
    make_pack("score-ours");
    expect_of_pack("", "-b fast", 0, "fast: 5 of 5 (pack 1)");
    expect_of_pack("", "-b process:reference", 0, "5 of 5");
    (void)snprintf(line, sizeof line,
                   PICAFUZZ_BINARY_DIR "/bin/make_vectors --again '%s' -o '%s/again.vectors' && cmp '%s' "
                                       "'%s/again.vectors'",
                   pack, directory, pack, directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

/* ----------------------------------------------------------------------------------------------- machines and sides */

Test(score, best_known_comes_first_and_the_total_is_of_what_was_tested)
{
    make_pack("score-three");
    expect_of_pack("", "-b fast", 0,
                   "fast: measured on consoles 1 of 1, documented 0 of 0, chosen by us or by emulators 4 of 4; 0 not "
                   "tested\nfast: 5 of 5 (pack 1)\n");
    expect_of_pack("", "-b fast --json", 0,
                   "\"score\":5,\"of\":5,\"measured\":{\"score\":1,\"of\":1},\"documented\":{\"score\":0,\"of\":0},"
                   "\"chosen\":{\"score\":4,\"of\":4},\"not tested\":0");
    cr_expect_not_null(strstr(result.output, "\"provenance\":\"hw\",\"evidence\":\"H01\""), "%s", result.output);
}

Test(score, another_side_of_a_choice_is_acceptable_and_counted_apart)
{
    make_pack("score-side");
    expect_of_pack("PICAFUZZ_CHOICES=fill-rule=division", "-b " CHOSEN " --json", 0, "\"side\":\"fill-rule=division\"");
    cr_expect_not_null(strstr(result.output, "\"score\":5,\"of\":5"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\"sides\":{\"fill-rule\":\"division\"}"), "%s", result.output);
}

Test(score, sides_of_two_choices_that_meet_in_one_picture_are_acceptable_together)
{
    make_pack("score-both");
    expect_of_pack("PICAFUZZ_CHOICES='row-pitch=width primary-rounding=truncates'", "-b " CHOSEN " --json", 0,
                   "\"side\":\"primary-rounding=truncates+row-pitch=width\"");
    cr_expect_not_null(strstr(result.output, "\"score\":5,\"of\":5"), "%s", result.output);
}

/* It shows the normative side when it is asked, and another one in the case. */
Test(score, a_side_that_is_not_the_backends_is_not_acceptable)
{
    make_pack("score-fickle");
    expect_of_pack("PICAFUZZ_FICKLE=1 PICAFUZZ_CHOICES=fill-rule=division", "-b " CHOSEN, 1,
                   "failed: splits/fill-rule (RST-02; split): ");
    cr_expect_not_null(strstr(result.output, ": 4 of 5 (pack 1)"), "%s", result.output);
}

/* H06: a console took the array where the fixed value was given, too (VTX-08). */
Test(score, a_side_that_a_console_was_seen_not_to_take_loses)
{
    make_pack_of("score-refuted", "splits/attribute-source\tgeometry\tVTX-08\thw\tH06\t"
                                  "corpus/splits/attribute-source.pcase\n");
    expect_of_pack("PICAFUZZ_CHOICES=attribute-source=mask", "-b " CHOSEN, 1,
                   "failed: splits/attribute-source (VTX-08; ");
    cr_expect_not_null(strstr(result.output, "attribute-source=mask (refuted by H06)"), "%s", result.output);
    expect_of_pack("", "-b fast", 0, "fast: 1 of 1 (pack 1)");
}

Test(score, a_part_of_the_machine_that_is_missing_loses)
{
    make_pack_of("score-lack", "splits/scissor-test\trasterizer\tSCS-01\tdoc\t-\tcorpus/splits/scissor-test.pcase\n");
    expect_of_pack("PICAFUZZ_CHOICES=scissor-test=missing", "-b " CHOSEN, 1, "failed: splits/scissor-test");
    cr_expect_not_null(strstr(result.output, "scissor-test=missing (a lack)"), "%s", result.output);
}

/* Of registers a console says nothing. */
Test(score, what_a_console_left_passes_whatever_else_is_there)
{
    make_pack_of("score-console", "hardware/h01\tfragment-shading\tTEV-10\thw\tH01\t" CONSOLE "\n");
    expect_of_pack("PICAFUZZ_CHOICES=reset-243=0x37", "-b " CHOSEN " --json", 0, "\"passed\":1");
}

/* What a register holds at reset shows everywhere; where a case does not say it, the machine of that side does. */
Test(score, what_a_register_holds_at_reset_does_not_matter_to_cases_about_something_else)
{
    make_pack("score-open");
    expect_of_pack("PICAFUZZ_CHOICES='reset-armed=yes reset-243=0x37 reset-289=zero'", "-b " CHOSEN " --json", 0,
                   "\"score\":5,\"of\":5");
}

/* Recorded results run nothing else: where the split is not among them, each side of it is tried. */
Test(score, recorded_results_have_the_sides_that_they_show)
{
    char line[8192], arguments[1024];
    make_pack("score-recorded");
    for (int splits = 0; splits < 2; splits++) {
        (void)snprintf(line, sizeof line,
                       "cd '%s' && rm -rf cases && mkdir cases && '" PICAFUZZ_BINARY_DIR
                       "/bin/make_vectors' --again pack.vectors --extract cases && %s && PICAFUZZ_CHOICES=fill-rule="
                       "division '" PICAFUZZ_BINARY_DIR "/bin/picafuzz' run -b " CHOSEN
                       " --no-pictures --record recorded cases",
                       directory, splits != 0 ? "true" : "rm cases/splits-fill-rule.pcase");
        run_command(&result, line);
        cr_assert_eq(result.exit_code, 0, "%s", result.output);
        (void)snprintf(arguments, sizeof arguments, "-b recorded:'%s/recorded' --json", directory);
        expect_of_pack("", arguments, 0, splits != 0 ? "\"not tested\":0" : "\"not tested\":1");
        cr_expect_not_null(strstr(result.output, splits != 0 ? "\"score\":5,\"of\":5" : "\"score\":4,\"of\":4"), "%s",
                           result.output);
        cr_expect_eq(strstr(result.output, "\"side\":\"fill-rule=division\"") != NULL, splits != 0, "%s",
                     result.output);
    }
}

/* A pack that holds results of other sides itself, made by the program that wrote version 2. */
Test(score, packs_of_versions_1_and_2_are_read_and_score_as_before)
{
    char line[8192];
    fresh_directory(directory, sizeof directory, "score-old");
    (void)snprintf(line, sizeof line, "cp " OLD " '%s/2' && " WITH_VERSION(1) " <" OLD " >'%s/1'", directory,
                   directory);
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    for (int version = 1; version <= 2; version++) {
        (void)snprintf(pack, sizeof pack, "%s/%d", directory, version);
        expect_of_pack("", "-b fast", 0, "fast: 4 of 4 (pack 1)");
        expect_of_pack("PICAFUZZ_CHOICES='row-order=highest-first primary-rounding=truncates'", "-b " CHOSEN " --json",
                       0, "\"side\":\"primary-rounding=truncates+row-order=highest-first\"");
        expect_of_pack("PICAFUZZ_CHOICES='reset-armed=yes reset-243=0x37 reset-289=zero'", "-b " CHOSEN " --json", 0,
                       "\"passed\":4");
    }
}

/* ------------------------------------------------------------------------------------------------------------- host */

Test(score, any_instruction_set_and_number_of_threads_gets_the_same_score)
{
    make_pack("score-host");
    expect_of_pack("", "-b fast --isa scalar --threads 3", 0, "fast: 5 of 5 (pack 1)");
    expect_of_pack("", "-b fast --isa nothing", 2, "--isa");
}

/* A rule is amended: the case must leave something else, and says so by its version, as does the pack. */
Test(score, a_case_that_must_leave_something_else_has_the_next_version)
{
    char line[8192];
    make_pack("score-version");
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && sed 's#alpha_test/reference-value#blend/dest-factors#' list >list2 && cd - && " PICAFUZZ_BINARY_DIR
        "/bin/make_vectors --list '%s/list2' --before '%s' -o '%s/second.vectors'",
        directory, directory, pack, directory);
    run_command(&result, line);
    cr_expect_not_null(strstr(result.output, "1 have a new version"), "%s", result.output);
    (void)snprintf(line, sizeof line, "score -b fast --json '%s/second.vectors'", directory);
    expect("", line, 0, "\"pack\":2");
    cr_expect_not_null(strstr(result.output, "\"case\":\"seeds/alpha\",\"version\":2"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\"case\":\"splits/fill-rule\",\"version\":1"), "%s", result.output);
    expect_of_pack("", "-b fast --json", 0, "\"case\":\"seeds/alpha\",\"version\":1");
}

Test(score, a_crash_and_a_hang_cost_one_case_each)
{
    make_pack("score-crash");
    expect_of_pack("PICAFUZZ_FAULT=crash", "-b " BROKEN, 3, "crashed: ");
    expect_of_pack("PICAFUZZ_FAULT=hang", "-b " BROKEN " --timeout 0.3", 3, "hung: ");
    cr_expect_not_null(strstr(result.output, " of 5 (pack 1)"), "%s", result.output);
}

/* Transfers fail; the rest has a number. */
Test(score, what_fails_without_a_verdict_is_counted_and_named_and_the_rest_is_done)
{
    make_pack_of("score-trouble", "seeds/transfer\tgx-engines\tPPF-01\tdoc\t-\tcorpus/seeds/transfer/flip.pcase\n"
                                  "seeds/fill\tgx-engines\tPSC-01\tdoc\t-\tcorpus/seeds/fill/widths.pcase\n");
    expect_of_pack("PICAFUZZ_HOSTILE=fail@transfer", "-b " HOSTILE, 4, "trouble: seeds/transfer (PPF-01; ");
    cr_expect_not_null(strstr(result.output, ": 1 of 1 (pack 1)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "; 1 failed: no verdict\n"), "%s", result.output);
}

Test(score, nothing_tested_is_no_success)
{
    make_pack_of("score-nothing", "seeds/transfer\tgx-engines\tPPF-01\tdoc\t-\tcorpus/seeds/transfer/flip.pcase\n");
    expect_of_pack("PICAFUZZ_HOSTILE=refuse@transfer", "-b " HOSTILE, 2, ": 0 of 0 (pack 1)");
}

Test(score, a_baseline_lets_only_new_failures_count)
{
    char arguments[4096];
    make_pack("score-baseline");
    (void)snprintf(arguments, sizeof arguments, "-b " PARTIAL " --quirks '%s/known.quirks' --accept", directory);
    expect_of_pack("PICAFUZZ_PARTIAL=deaf", arguments, 0, "accepted in");
    (void)snprintf(arguments, sizeof arguments, "-b " PARTIAL " --quirks '%s/known.quirks'", directory);
    expect_of_pack("PICAFUZZ_PARTIAL=deaf", arguments, 0, "failed (known)");
    cr_expect_null(strstr(result.output, ": new"), "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "-b " BROKEN " --quirks '%s/known.quirks'", directory);
    expect_of_pack("PICAFUZZ_FAULT=crash", arguments, 3, "crashed: ");
    cr_expect_not_null(strstr(result.output, ": new\n"), "%s", result.output);
}

Test(score, page_and_badge_and_junit_say_the_same_and_escape_names)
{
    char arguments[4096], line[4096];
    make_pack("score-files");
    (void)snprintf(arguments, sizeof arguments,
                   "-b " PARTIAL " --html '%s/score.html' --badge '%s/score.svg' --junit '%s/score.xml' -o '%s/bad'",
                   directory, directory, directory, directory);
    expect_of_pack("PICAFUZZ_PARTIAL=deaf", arguments, 1, "failed: ");
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && grep -q '\"chosen\":{\"score\":.,\"of\":4}' score.html && grep -q 'chosen ./4</text>' score.svg && "
        "grep -q 'tests=\"5\"' score.xml && grep -q 'seeds/&lt;b&gt;' score.xml && "
        "grep -q 'seeds/.u003cb>' score.html && ! grep -q 'seeds/<b>' score.html && ls bad/seeds/*.pcase",
        directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

/* -------------------------------------------------------------------------------------------------------- bad files */

/* The pack with `change` done to it: words for the shell that read standard input. */
static void expect_of_changed(const char *change, const char *words)
{
    char line[8192];
    (void)snprintf(line, sizeof line, "%s <'%s' >'%s/changed'", change, pack, directory);
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(line, sizeof line, "score -b fast '%s/changed'", directory);
    expect("", line, 2, words);
    cr_expect_not_null(strstr(result.output, "/changed: offset "), "%s", result.output);
}

Test(score, a_pack_that_is_cut_or_edited_or_of_another_version_is_refused_with_its_offset)
{
    make_pack("score-bad");
    expect_of_changed("head -c 5", "offset 0: no pack of cases");
    expect_of_changed("head -c 1000", "the file is cut");
    expect_of_changed("head -c -12", "the block LAST is missing");
    expect_of_changed("sed 's/reference/referense/'", "CRC-32 does not match");
    expect_of_changed("sh -c 'cat; printf x'", "bytes after the block LAST");
    expect_of_changed(WITH_VERSION(4), "offset 20: version 4; this program reads versions 1 to 3");
}

Test(score, a_backend_is_needed_and_a_pack_that_is_there)
{
    expect("", "score", 2, "no backend given");
    expect("", "score -b fast nowhere.vectors", 2, "nowhere.vectors");
}
