/* What buckets are called after bugs of bench/bugs. Cases of these three shared a bucket with another bug, or had one
 * of their own. */
#include "harness/run/backends.h"
#include "harness/vectors/score.h"
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

struct planted {
    char bug[64], file[64], title[128];
};

ParameterizedTestParameters(planted, a_cause_is_named)
{
    static struct planted rows[] = {
        { "shader-address-out-of-s8-used", "far-address-in-geometry",
          "shader: SHD-22, an operand relative to a0, an address beyond -128 to 127" },
        { "shader-jit-dirty-not-set-by-partial-upload", "code-behind-its-index",
          "register state: REG-21, something kept from an earlier draw, new code" },
        { "shader-mul-zero-inf-nan", "infinity-by-a-branch", "number: FLT-24, infinity or NaN" },
    };
    return cr_make_param_array(struct planted, rows, sizeof rows / sizeof rows[0]);
}

ParameterizedTest(struct planted *row, planted, a_cause_is_named)
{
    struct command_result result;
    char arguments[1024], title[160];
    (void)snprintf(arguments, sizeof arguments,
                   "triage --no-index --json -b reference,'" PICAFUZZ_BINARY_DIR
                   "/bugs/%s.so' tests/cli/cases/%s.pcase",
                   row->bug, row->file);
    run_picafuzz(&result, "", arguments);
    (void)snprintf(title, sizeof title, "\"title\":\"%s\"", row->title);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, title), "no %s: %s", title, result.output);
}

struct display_bug {
    char bug[32], seed[32], place[32];
};

static const struct display_bug display_bugs[] = {
    { "colour-fill-ignored", "color-fill", "COLOR_FILL_TOP (PDC-07)" },
    { "screens-swapped", "two-screens", "PDC0_LEFT0 (PDC-01)" },
    { "right-eye-ignored", "second-buffer-and-right-eye", "PDC0_RIGHT1 (PDC-05)" },
    { "stride-ignored", "two-screens", "PDC0_STRIDE (PDC-02)" },
};

ParameterizedTestParameters(planted, a_bug_of_the_display_fails_diff_reduce_and_score_and_is_named)
{
    static struct display_bug rows[sizeof display_bugs / sizeof display_bugs[0]];
    memcpy(rows, display_bugs, sizeof rows);
    return cr_make_param_array(struct display_bug, rows, sizeof rows / sizeof rows[0]);
}

static struct command_result result;

static void expect_found(const char *bug, const char *arguments, int exit_code, const char *part)
{
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, exit_code, "%s: %s: %s", bug, arguments, result.output);
    cr_expect_not_null(strstr(result.output, part), "%s: %s: no '%s': %s", bug, arguments, part, result.output);
}

/* Of the frozen pack the one case that is about the bug, and not all as the program does. */
static void expect_score(const struct display_bug *row)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_error error = { "" };
    struct harness_backend backend;
    struct vectors *pack = NULL;
    struct vectors_scorer *scorer = NULL;
    struct vectors_scored scored = { .result = VECTORS_TROUBLE };
    char library[256], name[64];
    size_t size = 0, index = 0;
    const uint8_t *const bytes = vectors_builtin(&size);
    (void)snprintf(library, sizeof library, PICAFUZZ_BINARY_DIR "/bugs/display-%s.so", row->bug);
    (void)snprintf(name, sizeof name, "seeds/display/%s", row->seed);
    cr_assert_eq(vectors_parse("corpus/vectors", bytes, size, &pack, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_backend_open_here(library, &backend, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(vectors_scorer_create(pack, &backend, &options, &scorer, &error), HARNESS_OK, "%s", error.message);
    while (index < vectors_count(pack) && strcmp(vectors_about(pack, index)->name, name) != 0)
        index++;
    cr_assert_lt(index, vectors_count(pack), "the pack has no %s", name);
    cr_assert_eq(vectors_score(scorer, index, NULL, &scored, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(scored.result, VECTORS_FAILED, "%s: %s", row->bug, scored.note);
    vectors_scorer_destroy(scorer);
    harness_backend_close(&backend);
    vectors_close(pack);
}

ParameterizedTest(struct display_bug *row, planted, a_bug_of_the_display_fails_diff_reduce_and_score_and_is_named)
{
    char library[256], arguments[1024], part[128];
    (void)snprintf(library, sizeof library, "'" PICAFUZZ_BINARY_DIR "/bugs/display-%s.so'", row->bug);
    (void)snprintf(arguments, sizeof arguments, "diff -b reference,%s corpus/seeds/display/%s.pcase", library,
                   row->seed);
    (void)snprintf(part, sizeof part, "stage      display, register %s", row->place);
    expect_found(row->bug, arguments, 1, part);
    (void)snprintf(arguments, sizeof arguments, "reduce -b reference,%s -o /dev/null corpus/seeds/display/%s.pcase",
                   library, row->seed);
    expect_found(row->bug, arguments, 0, "diverge in display: ");
    expect_score(row);
}

Test(planted, a_bug_of_the_display_fails_the_check_of_screens_and_no_other)
{
    for (size_t i = 0; i < sizeof display_bugs / sizeof display_bugs[0]; i++) {
        char line[1024];
        (void)snprintf(line, sizeof line, "backends '" PICAFUZZ_BINARY_DIR "/bugs/display-%s.so'", display_bugs[i].bug);
        expect_found(display_bugs[i].bug, line, 4, "  fail          screens ");
        cr_expect_not_null(strstr(result.output, "checks: 26 pass, 1 fail"), "%s", result.output);
    }
}

/* What `run --screens` writes of the first build is the first picture of the page. */
Test(planted, regress_shows_the_screen_that_changed_as_run_writes_it)
{
    char directory[512], line[2048];
    fresh_directory(directory, sizeof directory, "display-pictures");
    (void)snprintf(line, sizeof line,
                   "run --screens -b reference -o '%s' corpus/seeds/display/second-buffer-and-right-eye.pcase",
                   directory);
    expect_found("", line, 0, "3 picture(s)");
    (void)snprintf(
        line, sizeof line,
        "regress -b reference -b '" PICAFUZZ_BINARY_DIR
        "/bugs/display-stride-ignored.so' -o '%s/page' corpus/seeds/display/second-buffer-and-right-eye.pcase",
        directory);
    expect_found("stride-ignored", line, 1, "1 diverge");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && cmp second-buffer-and-right-eye-screen-top.png page/$(grep -o 'pictures/[0-9a-f]*.png' "
                   "page/index.html | "
                   "head -n 1)",
                   directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(line, sizeof line,
                   "grep -q '\"title\":\"top screen, 400x240\".*\"at_end\":true' '%s/page/index.html'", directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

Test(planted, recorded_results_hold_what_screens_show)
{
    char directory[512], line[2048];
    fresh_directory(directory, sizeof directory, "display-recorded");
    (void)snprintf(line, sizeof line, "run -b reference --no-pictures --record '%s/it.res' corpus/seeds/display",
                   directory);
    expect_found("", line, 0, "3 case(s) recorded");
    (void)snprintf(line, sizeof line, "diff -b recorded:'%s/it.res',fast corpus/seeds/display", directory);
    expect_found("", line, 0, "3 of 3 cases agree");
    for (size_t i = 0; i < sizeof display_bugs / sizeof display_bugs[0]; i++) {
        (void)snprintf(line, sizeof line,
                       "diff -b recorded:'%s/it.res','" PICAFUZZ_BINARY_DIR
                       "/bugs/display-%s.so' corpus/seeds/display/%s.pcase",
                       directory, display_bugs[i].bug, display_bugs[i].seed);
        expect_found(display_bugs[i].bug, line, 1, "stage      display, register ");
    }
}

Test(planted, a_picture_that_is_not_known_is_not_written)
{
    char directory[512], line[2048];
    fresh_directory(directory, sizeof directory, "display-unknown");
    (void)snprintf(line, sizeof line,
                   "printf 'pcase 1\nwindow 0x18000000 size 0x1000\n"
                   "write COLOR_FILL_BOTTOM { red = 255, enable = 1 }\n' >'%s/a.pcase'",
                   directory);
    run_command(&result, line);
    (void)snprintf(line, sizeof line, "run --no-pictures --record '%s/it.res' '%s/a.pcase'", directory, directory);
    expect_found("", line, 0, "1 case(s) recorded");
    (void)snprintf(line, sizeof line, "run -b recorded:'%s/it.res' --screens -o '%s' '%s/a.pcase'", directory,
                   directory, directory);
    expect_found("only the bottom screen was lit", line, 0, "1 picture(s)");
}
