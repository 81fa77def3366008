/* `picafuzz explore` as a user meets it. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALL   "corpus/captures/hall-f0.picacap"
#define BROKEN "'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'"

static struct command_result result;
static char directory[1024];

/* `arguments`: %s is the directory of the test. */
static void expect(const char *environment, const char *arguments, int code, const char *words)
{
    char line[4096];
    (void)snprintf(line, sizeof line, arguments, directory);
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, code, "%s: %d: %s", line, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, words), "%s: no '%s' in: %s", line, words, result.output);
}

static void begin(const char *name)
{
    fresh_directory(directory, sizeof directory, name);
}

Test(explore_command, makes_a_page_and_says_what_is_in_it)
{
    static const char *const files[] = { "index.html", "page.js",        "base.css",    "page.css",
                                         "data.js",    "buffers/0-0.js", "tiles/0-0.js" };
    begin("explore_page");
    expect("", "explore -o '%s/deep/page' " HALL, 0, "page/index.html: 4 draws, 3 buffers, 50436 records of pixels, ");
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[2048];
        (void)snprintf(path, sizeof path, "%s/deep/page/%s", directory, files[i]);
        cr_expect(file_exists(path), "%s", path);
    }
}

Test(explore_command, two_backends_agree_or_differ_by_exit_code)
{
    begin("explore_two");
    expect("", "explore -b fast -o '%s' " HALL, 0, "; reference and fast agree");
    expect("", "explore -b reference,fast -o '%s' " HALL, 0, "; reference and fast agree");
    expect("PICAFUZZ_FAULT=pixel", "explore -b " BROKEN " -o '%s' " HALL, 1, "broken_backend.so differ");
    expect("PICAFUZZ_FAULT=pixel", "explore -b inline:" BROKEN " -o '%s' " HALL, 1, "broken_backend.so differ");
    expect("", "explore -b " BROKEN " -o '%s' " HALL, 0, "broken_backend.so agree");
}

Test(explore_command, a_recorded_backend_is_a_right_side)
{
    begin("explore_recorded");
    expect("PICAFUZZ_FAULT=pixel", "run --no-pictures -b " BROKEN " --record '%s/one.res' " HALL, 0, "4 draw");
    char line[4096];
    (void)snprintf(line, sizeof line, "explore -b recorded:'%s/one.res' -o '%%s' " HALL, directory);
    expect("", line, 1, "one.res differ");
}

Test(explore_command, a_crash_of_the_other_backend_is_named)
{
    begin("explore_crash");
    expect("PICAFUZZ_FAULT=crash", "explore -b " BROKEN " -o '%s' " HALL, 3, "broken");
    expect("PICAFUZZ_FAULT=crash", "explore -b inline:" BROKEN " -o '%s' " HALL, 3, "broken");
}

Test(explore_command, bad_requests_are_told_apart)
{
    begin("explore_bad");
    expect("", "explore " HALL, 2, "-o DIR: where does the page go?");
    expect("", "explore -o '%s'", 2, "give one file");
    expect("", "explore -o '%s' " HALL " " HALL, 2, "give one file");
    expect("", "explore -o '%s' --pixel 3 " HALL, 2, "--pixel: '3' is not X,Y, numbers from 0 to 65535");
    expect("", "explore -o '%s' --pixel 3,65536 " HALL, 2, "--pixel: '3,65536'");
    expect("", "explore -o '%s' --pixel 3,4,5 " HALL, 2, "--pixel: '3,4,5'");
    expect("", "explore -o '%s' --region 1,2,3 " HALL, 2, "--region: '1,2,3' is not X,Y,W,H");
    expect("", "explore -o '%s' --region 1,2,3,-4 " HALL, 2, "--region: '1,2,3,-4'");
    expect("", "explore -b fast," BROKEN " -o '%s' " HALL, 2, "the first of two backends is `reference`");
    expect("", "explore -b nowhere -o '%s' " HALL, 2, "nowhere");
    expect("", "explore -o '%s' no-such-file.pcase", 2, "no-such-file.pcase");
    expect("", "explore -o /proc/page " HALL, 4, "/proc/page");
}

Test(explore_command, a_case_without_draws_has_a_page_too)
{
    begin("explore_nothing");
    expect("", "explore -b fast -o '%s' corpus/seeds/fill/widths.pcase", 0, "0 draws, 0 buffers");
}
