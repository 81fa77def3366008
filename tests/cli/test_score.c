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
    cr_expect_not_null(strstr(result.output, "3 cases"), "%s", result.output);
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
    expect_of_pack("", "-b fast", 0, "fast: 3 of 3 (pack 1)");
    expect_of_pack("", "-b process:reference", 0, "3 of 3");
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
    cr_expect_not_null(strstr(result.output, "\"score\":3,\"of\":3"), "%s", result.output);
}

Test(score, a_crash_and_a_hang_cost_one_case_each)
{
    make_pack("score-crash");
    expect_of_pack("PICAFUZZ_FAULT=crash", "-b " BROKEN, 3, "crashed: ");
    expect_of_pack("PICAFUZZ_FAULT=hang", "-b " BROKEN " --timeout 1", 3, "hung: ");
    cr_expect_not_null(strstr(result.output, " of 3 (pack 1)"), "%s", result.output);
}

Test(score, a_baseline_lets_only_new_failures_count)
{
    char arguments[4096];
    make_pack("score-baseline");
    (void)snprintf(arguments, sizeof arguments, "-b " PARTIAL " --quirks '%s/known.quirks' --accept", directory);
    expect_of_pack("PICAFUZZ_PARTIAL=deaf", arguments, 0, "accepted in");
    (void)snprintf(arguments, sizeof arguments, "-b " PARTIAL " --quirks '%s/known.quirks'", directory);
    expect_of_pack("PICAFUZZ_PARTIAL=deaf", arguments, 0, "failed (known)");
    (void)snprintf(arguments, sizeof arguments, "-b " BROKEN " --quirks '%s/known.quirks'", directory);
    expect_of_pack("PICAFUZZ_FAULT=crash", arguments, 3, "crashed: ");
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
                   "cd '%s' && grep -q 'of 3</p>' score.html && grep -q 'of 3</text>' score.svg && "
                   "grep -q 'tests=\"3\"' score.xml && grep -q 'seeds/&lt;b&gt;' score.xml && "
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
    /* HEAD with version 2 and the sum that belongs to it */
    expect_of_changed("perl -MCompress::Zlib -0777 -pe 'my $n = unpack \"V\", substr $_, 12, 4; substr($_, 20, 4) = "
                      "pack \"V\", 2; substr($_, 16, 4) = pack \"V\", crc32(substr $_, 20, $n)'",
                      "offset 20: version 2; this program reads version 1");
}

Test(score, a_backend_is_needed_and_a_pack_that_is_there)
{
    expect("", "score", 2, "no backend given");
    expect("", "score -b fast nowhere.vectors", 4, "nowhere.vectors");
}
