/* picafuzz score: what a user sees of a small pack, and what comes of packs that are cut or edited. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BROKEN  "'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'"
#define CHOSEN  "'" PICAFUZZ_BINARY_DIR "/lib/chosen_backend.so'"
#define PARTIAL "'" PICAFUZZ_BINARY_DIR "/lib/partial_backend.so'"

static struct command_result result;
static char directory[512], pack[1024];

static void expect(const char *environment, const char *line, int code, const char *words)
{
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, code, "%s %s: %d: %s", environment, line, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, words), "%s %s: no '%s' in: %s", environment, line, words, result.output);
}

static void make_list(void)
{
    char path[2048];
    (void)snprintf(path, sizeof path, "%s/list", directory);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file, "seeds/alpha\tframebuffer\tATS-01\tdoc\tcorpus/seeds/alpha_test/reference-value.pcase\n"
                  "splits/fill\trasterizer\tRST-02\tsplit\tcorpus/splits/fill-rule.pcase\n"
                  "seeds/again\tframebuffer\tATS-01\tdoc\tcorpus/seeds/alpha_test/reference-value.pcase\n"
                  "seeds/both\tframebuffer\tMEM-01\tdoc\tcorpus/seeds/framebuffer/row-order.pcase\n"
                  "seeds/<b>\tgeometry\tPRM-01\thw\tcorpus/seeds/assembly/carry-over-and-restart.pcase\n");
    cr_assert_eq(fclose(file), 0);
}

static void make_pack(const char *name)
{
    char line[8192];
    fresh_directory(directory, sizeof directory, name);
    make_list();
    (void)snprintf(pack, sizeof pack, "%s/pack.vectors", directory);
    (void)snprintf(line, sizeof line, PICAFUZZ_BINARY_DIR "/bin/make_vectors --list '%s/list' -o '%s'", directory,
                   pack);
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "4 cases"), "%s", result.output);
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
    expect_of_pack("", "-b fast", 0, "fast: 4 of 4 (pack 1)");
    expect_of_pack("", "-b process:reference", 0, "4 of 4");
    (void)snprintf(line, sizeof line,
                   PICAFUZZ_BINARY_DIR "/bin/make_vectors --again '%s' -o '%s/again.vectors' && cmp '%s' "
                                       "'%s/again.vectors'",
                   pack, directory, pack, directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

Test(score, another_side_of_a_choice_is_acceptable_and_counted_apart)
{
    make_pack("score-side");
    expect_of_pack("PICAFUZZ_CHOICES=fill-rule=division", "-b " CHOSEN " --json", 0, "\"side\":\"fill-rule=division\"");
    cr_expect_not_null(strstr(result.output, "\"score\":4,\"of\":4"), "%s", result.output);
}

Test(score, sides_of_two_choices_that_meet_in_one_picture_are_acceptable_together)
{
    make_pack("score-both");
    expect_of_pack("PICAFUZZ_CHOICES='row-order=highest-first primary-rounding=truncates'", "-b " CHOSEN " --json", 0,
                   "\"side\":\"primary-rounding=truncates+row-order=highest-first\"");
    cr_expect_not_null(strstr(result.output, "\"score\":4,\"of\":4"), "%s", result.output);
}

/* Choices that no case here is about: what they leave in the state is not compared. */
Test(score, what_a_register_holds_at_reset_does_not_matter_to_cases_about_something_else)
{
    make_pack("score-open");
    expect_of_pack("PICAFUZZ_CHOICES='reset-armed=yes reset-243=0x37 reset-289=zero'", "-b " CHOSEN " --json", 0,
                   "\"passed\":4");
}

Test(score, any_instruction_set_and_number_of_threads_gets_the_same_score)
{
    make_pack("score-host");
    expect_of_pack("", "-b fast --isa scalar --threads 3", 0, "fast: 4 of 4 (pack 1)");
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
    cr_expect_not_null(strstr(result.output, "\"case\":\"splits/fill\",\"version\":1"), "%s", result.output);
    expect_of_pack("", "-b fast --json", 0, "\"case\":\"seeds/alpha\",\"version\":1");
}

Test(score, a_crash_and_a_hang_cost_one_case_each)
{
    make_pack("score-crash");
    expect_of_pack("PICAFUZZ_FAULT=crash", "-b " BROKEN, 3, "crashed: ");
    expect_of_pack("PICAFUZZ_FAULT=hang", "-b " BROKEN " --timeout 1", 3, "hung: ");
    cr_expect_not_null(strstr(result.output, " of 4 (pack 1)"), "%s", result.output);
}

Test(score, a_baseline_lets_only_new_failures_count)
{
    char arguments[4096];
    make_pack("score-baseline");
    (void)snprintf(arguments, sizeof arguments, "-b " PARTIAL " --quirks '%s/known.quirks' --accept", directory);
    expect_of_pack("PICAFUZZ_PARTIAL=deaf", arguments, 0, "accepted in");
    (void)snprintf(arguments, sizeof arguments, "-b " PARTIAL " --quirks '%s/known.quirks'", directory);
    expect_of_pack("PICAFUZZ_PARTIAL=deaf", arguments, 0, "failed (known)");
    cr_expect_null(strstr(result.output, "runs"), "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "-b " BROKEN " --quirks '%s/known.quirks'", directory);
    expect_of_pack("PICAFUZZ_FAULT=crash", arguments, 3, "crashed: ");
    cr_expect_not_null(strstr(result.output, "new: 4 of 4 runs"), "%s", result.output);
}

Test(score, page_and_badge_and_junit_say_the_same_and_escape_names)
{
    char arguments[4096], line[4096];
    make_pack("score-files");
    (void)snprintf(arguments, sizeof arguments,
                   "-b " PARTIAL " --html '%s/score.html' --badge '%s/score.svg' --junit '%s/score.xml' -o '%s/bad'",
                   directory, directory, directory, directory);
    expect_of_pack("PICAFUZZ_PARTIAL=deaf", arguments, 1, "failed: ");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && grep -q 'of 4</p>' score.html && grep -q 'of 4</text>' score.svg && "
                   "grep -q 'tests=\"4\"' score.xml && grep -q 'seeds/&lt;b&gt;' score.xml && "
                   "! grep -q 'seeds/<b>' score.html && ls bad/*.pcase",
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
    /* HEAD with version 3 and the sum that belongs to it */
    expect_of_changed("perl -MCompress::Zlib -0777 -pe 'my $n = unpack \"V\", substr $_, 12, 4; substr($_, 20, 4) = "
                      "pack \"V\", 3; substr($_, 16, 4) = pack \"V\", crc32(substr $_, 20, $n)'",
                      "offset 20: version 3; this program reads versions 1 to 2");
}

Test(score, a_backend_is_needed_and_a_pack_that_is_there)
{
    expect("", "score", 2, "no backend given");
    expect("", "score -b fast nowhere.vectors", 4, "nowhere.vectors");
}
