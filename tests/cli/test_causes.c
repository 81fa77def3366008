/* What a bucket is named after: causes by experiment, with `crooked` as the emulator; buckets of older versions. */
#include "tests/cli/command.h"

#include "harness/triage/bucket.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define CROOKED   "-b reference,'" PICAFUZZ_BINARY_DIR "/lib/crooked.so' "
#define CASES     "tests/cli/cases/"
#define ROW_ORDER "CROOKED=row-order=highest-first"

static struct command_result result;
static char directory[1024];

static void triage(const char *environment, const char *arguments)
{
    char line[2048];
    (void)snprintf(line, sizeof line, "triage " CROOKED "%s", arguments);
    run_picafuzz(&result, environment, line);
}

static void expect_words(const char *words)
{
    cr_expect_not_null(strstr(result.output, words), "no '%s': %s", words, result.output);
}

/* A shell line; %s is the test's directory, twice. */
static void shell(const char *form)
{
    char line[4096];
    struct command_result ignored;
    (void)snprintf(line, sizeof line, "D='%s'; %s", directory, form);
    run_command(&ignored, line);
    cr_assert_eq(ignored.exit_code, 0, "%s: %s", line, ignored.output);
}

static void open_directory(void)
{
    fresh_directory(directory, sizeof directory, "causes");
}

TestSuite(causes, .init = open_directory);

Test(causes, FBF_06_where_a_pixel_lies_is_one_bucket_whatever_it_shows_in)
{
    char path[1100];
    shell("cp " CASES "row-order-*.pcase \"$D\"");
    (void)snprintf(path, sizeof path, "--no-index '%s'", directory);
    triage(ROW_ORDER, path);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    expect_words("diverge in framebuffer: row order from the bottom\n");
    expect_words("3 cases in 1 bucket;");
}

Test(causes, FBF_15_what_is_never_written_can_be_needed)
{
    triage("CROOKED=color-read-off=stored", "--no-index --json " CASES "read-off-blend.pcase");
    expect_words("\"title\":\"framebuffer: destination with READ off\"");
    expect_words("{\"field\":\"colorbuffer_access.enable\",\"values\":[0],\"usual\":15}");
}

Test(causes, a_format_is_not_needed_where_other_bytes_would_do)
{
    triage("CROOKED=nearest-texel=truncate", "--no-index --json " CASES "format-of-one-colour.pcase");
    expect_words("\"title\":\"texture: wrap\"");
    cr_expect_null(strstr(result.output, "texunit_type.format"), "%s", result.output);
}

/* The function is the key; what the crash needs is in the title, for people, and in the file of causes of --peel. */
Test(causes, a_crash_has_needs)
{
    triage("CROOKED=crash", "--no-index --json corpus/seeds/texture/shadow-cube.pcase");
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    expect_words("\"key\":\"crash in before_draw: signal 11\"");
    expect_words("\"title\":\"before_draw: needs texture type shadow-cube\"");
    expect_words("{\"field\":\"texunit_param.type\",\"values\":[\"shadow-cube\"],\"usual\":\"2d\"}");
}

/* ----------------------------------------------------------------------------------------- directories of buckets */

/* A directory named by version 2 of the key with cases that show the row order. */
static void make_older(const char *name)
{
    char line[512];
    (void)snprintf(line, sizeof line,
                   "mkdir \"$D/%s\" && cp " CASES "row-order-written.pcase \"$D/%s\" && "
                   "echo 7 >\"$D/%s/count\" && echo 2 >\"$D/%s/key-version\"",
                   name, name, name, name);
    shell(line);
}

static const char *const today = "diverge-framebuffer-row-order-from-the-bottom-5B381A25";

static void migrate(void)
{
    char path[1100];
    (void)snprintf(path, sizeof path, "--no-index --migrate '%s'", directory);
    triage(ROW_ORDER, path);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

static bool has(const char *file)
{
    char path[2048];
    (void)snprintf(path, sizeof path, "%s/%.512s", directory, file);
    return file_exists(path);
}

Test(causes, a_directory_of_an_older_version_gets_the_name_of_today)
{
    char file[128], line[256];
    make_older("older");
    migrate();
    expect_words("1 directory was given the name of version");
    cr_expect_not(has("older"));
    (void)snprintf(file, sizeof file, "%s/row-order-written.pcase", today);
    cr_expect(has(file), "%s", result.output);
    (void)snprintf(line, sizeof line, "test $(cat \"$D/%s/count\") = 7 && test $(cat \"$D/%s/key-version\") = %d",
                   today, today, HARNESS_BUCKET_VERSION);
    shell(line);
    migrate();
    expect_words("0 directories were given");
}

Test(causes, a_directory_is_never_written_over)
{
    char line[256];
    make_older("older");
    (void)snprintf(line, sizeof line, "mkdir \"$D/%s\" && echo mine >\"$D/%s/note\"", today, today);
    shell(line);
    migrate();
    expect_words("left as it is: there is a directory of that name");
    cr_expect(has("older/row-order-written.pcase"));
    (void)snprintf(line, sizeof line, "%s/note", today);
    cr_expect(has(line));
}

Test(causes, a_directory_with_cases_of_several_buckets_stays)
{
    make_older("older");
    shell("cp corpus/seeds/alpha_test/reference-value.pcase \"$D/older/a.pcase\"");
    migrate();
    expect_words("left as it is: its cases fall into several buckets");
    cr_expect(has("older/row-order-written.pcase"));
}
