/* What a bucket is named after: causes by experiment, with `crooked` as the emulator; buckets of older versions. */
#include "tests/cli/program.h"

#include "harness/triage/bucket.h"

#define CROOKED   " triage -b reference,@crooked --no-index "
#define CASES     "tests/cli/cases/"
#define ROW_ORDER "CROOKED=row-order=highest-first"

Test(causes, FBF_06_where_a_pixel_lies_is_one_bucket_whatever_it_shows_in)
{
    shell("cp " CASES "row-order-*.pcase @");
    EXPECT_RUN(ROW_ORDER CROOKED "@", 1, "diverge in framebuffer: FBF-06\n", "3 cases in 1 bucket;");
}

Test(causes, FBF_15_what_is_never_written_can_be_needed)
{
    run("CROOKED=color-read-off=stored" CROOKED "--json " CASES "read-off-blend.pcase");
    EXPECT_SAID("\"title\":\"framebuffer: FBF-15\"",
                "{\"field\":\"colorbuffer_access.enable\",\"values\":[0],\"usual\":15}");
}

Test(causes, a_format_is_not_needed_where_other_bytes_would_do)
{
    run("CROOKED=nearest-texel=truncate" CROOKED "--json " CASES "format-of-one-colour.pcase");
    EXPECT_SAID("\"key\":\"diverge in texture: ");
    EXPECT_LACKS("texunit_type.format");
}

/* The function is the key; what the crash needs is in the title, for people, and in the file of causes of --peel. */
Test(causes, a_crash_has_needs)
{
    EXPECT_RUN("CROOKED=crash" CROOKED "--json corpus/seeds/texture/shadow-cube.pcase", 3,
               "\"key\":\"crash in before_draw: signal 11\"",
               "\"title\":\"before_draw: needs texture type shadow-cube\"",
               "{\"field\":\"texunit_param.type\",\"values\":[\"shadow-cube\"],\"usual\":\"2d\"}");
}

/* ----------------------------------------------------------------------------------------- directories of buckets */

/* A directory named by version 2 of the key with cases that show the row order. */
static void make_older(const char *name)
{
    shell(words_of("mkdir @/%s && cp " CASES
                   "row-order-written.pcase @/%s && echo 7 >@/%s/count && echo 2 >@/%s/key-version",
                   name, name, name, name));
}

static const char *const today = "diverge-framebuffer-fbf-06-4D5B7B6C";

static void migrate(void)
{
    EXPECT_RUN(ROW_ORDER CROOKED "--migrate @", 0, "");
}

static bool has(const char *file)
{
    return file_exists(path_in(file));
}

Test(causes, a_directory_of_an_older_version_gets_the_name_of_today)
{
    make_older("older");
    migrate();
    EXPECT_SAID("1 directory was given the name of version");
    cr_expect_not(has("older"));
    cr_expect(has(words_of("%s/row-order-written.pcase", today)), "%s", result.output);
    shell(words_of("test $(cat @/%s/count) = 7 && test $(cat @/%s/key-version) = %d", today, today,
                   HARNESS_BUCKET_VERSION));
    migrate();
    EXPECT_SAID("0 directories were given");
}

Test(causes, a_directory_is_never_written_over)
{
    make_older("older");
    shell(words_of("mkdir @/%s && echo mine >@/%s/note", today, today));
    migrate();
    EXPECT_SAID("left as it is: there is a directory of that name");
    cr_expect(has("older/row-order-written.pcase"));
    cr_expect(has(words_of("%s/note", today)));
}

Test(causes, a_directory_with_cases_of_several_buckets_stays)
{
    make_older("older");
    shell("cp corpus/seeds/alpha_test/reference-value.pcase @/older/a.pcase");
    migrate();
    EXPECT_SAID("left as it is: its cases fall into several buckets");
    cr_expect(has("older/row-order-written.pcase"));
}
