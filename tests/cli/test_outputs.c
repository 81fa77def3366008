/* What commands write, and what they never write over. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PICAFUZZ PICAFUZZ_BINARY_DIR "/bin/picafuzz"

static struct command_result result;

/* A directory with a case, links to it, a plug-in, a quirks file, memory, a list and findings; commands run in it. */
static char room[512];

static void in_room(const char *line)
{
    char whole[4096];
    (void)snprintf(whole, sizeof whole, "cd '%s' && %s", room, line);
    run_command(&result, whole);
}

static void furnish(const char *name)
{
    char line[2048];
    fresh_directory(room, sizeof room, name);
    (void)snprintf(
        line, sizeof line,
        "cp '%s' a.pcase && cp '%s/lib/broken_backend.so' my.so && mkdir found && cp a.pcase found/x.pcase && "
        "ln a.pcase hard.pcase && ln -s a.pcase soft && ln -s . here && echo 'version 1' >my.quirks && "
        "head -c 4096 /dev/zero >m.pcb && head -c 4 /dev/zero >list.bin && cp m.pcb rec && "
        "find . -type f -exec sha1sum {} + | sort >../before-%s",
        PICAFUZZ_SOURCE_DIR "/corpus/seeds/blend/dest-factors.pcase", PICAFUZZ_BINARY_DIR, name);
    in_room(line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
}

struct overwriting {
    const char *arguments;
    const char *output, *other; /* both are named */
};

static void expect_refused(const struct overwriting *each)
{
    char line[1024];
    (void)snprintf(line, sizeof line, "'%s' %s", PICAFUZZ, each->arguments);
    in_room(line);
    cr_expect_eq(result.exit_code, 2, "%s: %d %s", each->arguments, result.exit_code, result.output);
    const char *const output = strstr(result.output, each->output);
    cr_expect(output != NULL && strstr(output + 1, each->other) != NULL, "%s: '%s', '%s' are not both in %s",
              each->arguments, each->output, each->other, result.output);
    cr_expect_not_null(strstr(result.output, "nothing was run"), "%s: %s", each->arguments, result.output);
}

Test(outputs, are_never_an_input_a_plug_in_or_an_index_and_nothing_is_run)
{
    static const struct overwriting all[] = {
        { "import --list list.bin --memory 0x18000000=m.pcb -o m.pcb", "--output m.pcb", "--memory 0x18000000=m.pcb" },
        { "import --list list.bin --state vertex.code=m.pcb -o m.pcb", "--output m.pcb", "--state vertex.code=m.pcb" },
        { "import --list m.pcb -o m.pcb", "--output m.pcb", "--list m.pcb" },
        { "run --record a.pcase a.pcase", "--record a.pcase", " a.pcase, which is read" },
        { "run --record ./here/a.pcase a.pcase", "--record ./here/a.pcase", "a.pcase, which is read" },
        { "run --record hard.pcase a.pcase", "--record hard.pcase", "a.pcase, which is read" },
        { "run --record soft a.pcase", "--record soft", "a.pcase, which is read" },
        { "run --dump a.pcase a.pcase", "--dump a.pcase", "a.pcase, which is read" },
        { "run -b ./my.so --record my.so a.pcase", "--record my.so", "--backends ./my.so" },
        { "run -b process:./my.so --dump my.so a.pcase", "--dump my.so", "--backends process:./my.so" },
        { "run --quirks my.quirks --dump my.quirks a.pcase", "--dump my.quirks", "--quirks my.quirks" },
        { "reduce a.pcase -o a.pcase", "--output a.pcase", "a.pcase, which is read" },
        { "reduce a.pcase -b reference,./my.so -o my.so", "--output my.so", "--backends ./my.so" },
        { "reduce a.pcase -b reference,./my.so -o r.pcase --c my.so", "--c my.so", "--backends ./my.so" },
        { "reduce a.pcase --test './my.so now' -o my.so", "--output my.so", "--test ./my.so now" },
        { "diff --sarif a.pcase a.pcase", "--sarif a.pcase", "a.pcase, which is read" },
        { "diff --sarif found/x.pcase found", "--sarif found/x.pcase", "a file of found" },
        { "diff -b reference,./my.so --sarif my.so a.pcase", "--sarif my.so", "--backends ./my.so" },
        { "diff -b reference,recorded:rec --sarif rec a.pcase", "--sarif rec", "--backends recorded:rec" },
        { "diff -b reference+my.quirks,fast --sarif my.quirks a.pcase", "--sarif my.quirks", "--backends reference+" },
        { "triage found --sarif found/x.pcase", "--sarif found/x.pcase", "a file of found" },
        { "triage found --sarif found/triage.json", "--sarif found/triage.json", "a file of found" },
        { "score -b ./my.so --html my.so", "--html my.so", "--backends ./my.so" },
        { "score -b ./my.so --junit my.so", "--junit my.so", "--backends ./my.so" },
        { "score -b ./my.so --badge my.so", "--badge my.so", "--backends ./my.so" },
        { "score -b ./my.so --quirks my.quirks -o my.quirks", "--output my.quirks", "--quirks my.quirks" },
        { "coverage --html a.pcase a.pcase", "--html a.pcase", "a.pcase, which is read" },
        { "coverage --gate m.pcb --record m.pcb a.pcase", "--record m.pcb", "--gate m.pcb" },
        { "asm a.pcase -o a.pcase", "--output a.pcase", "a.pcase, which is read" },
        { "mutate a.pcase -o soft", "--output soft", "a.pcase, which is read" },
        { "mutate a.pcase --with found/x.pcase -o found/x.pcase", "--output found/x.pcase", "--with found/x.pcase" },
        { "fingerprint -b ./my.so -o my.so", "--output my.so", "--backends ./my.so" },
        { "import-results m.pcb -o m.pcb", "--output m.pcb", "m.pcb, which is read" },
        { "import-results m.pcb --from rec -o new --wrong rec", "--wrong rec", "--from rec" },
        { "explore a.pcase -o a.pcase", "--output a.pcase", "a.pcase, which is read" },
        { "report found -b reference,./my.so -o my.so", "--output my.so", "--backends ./my.so" },
        { "regress -b reference -b ./my.so -o my.so found", "--output my.so", "--backends ./my.so" },
        { "check a.pcase --save a.pcase", "--save a.pcase", "a.pcase, which is read" },
        { "export a.pcase -o a.pcase", "--output a.pcase", "a.pcase, which is read" },
        { "fuzz --target my.so --findings my.so", "--findings my.so", "--target my.so" },
    };
    furnish("overwriting");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        expect_refused(&all[i]);
    in_room("find . -type f -exec sha1sum {} + | sort | diff ../before-overwriting -");
    cr_expect_eq(result.exit_code, 0, "something was written:\n%s", result.output);
}

Test(outputs, are_never_two_at_one_place)
{
    static const struct overwriting all[] = {
        { "run --dump x --record x a.pcase", "--record x", "--dump x, which is written, too" },
        { "run --dump new/x --record ./here/new//./x a.pcase", "--record ./here", "--dump new/x, which is written" },
        { "reduce a.pcase -o r.pcase --c r.pcase", "--c r.pcase", "--output r.pcase, which is written" },
        { "score -b reference --html s --junit s", "--junit s", "--html s, which is written" },
        { "score -b reference --badge s -o s", "--output s", "--badge s, which is written" },
        { "coverage --html s --record s a.pcase", "--record s", "--html s, which is written" },
        { "import-results m.pcb -o new --decisions new", "--decisions new", "--output new, which is written" },
        { "fuzz --corpus d --findings d", "--findings d", "--corpus d, which is written" },
    };
    furnish("two-outputs");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        expect_refused(&all[i]);
    in_room("find . -type f -exec sha1sum {} + | sort | diff ../before-two-outputs -");
    cr_expect_eq(result.exit_code, 0, "something was written:\n%s", result.output);
}

Test(outputs, may_stand_beside_what_is_read_and_be_devices)
{
    furnish("beside");
    in_room("'" PICAFUZZ "' diff --sarif found/new.sarif found && '" PICAFUZZ "' diff --sarif found/new.sarif found");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    in_room("'" PICAFUZZ "' run --no-pictures --dump /dev/null --record r a.pcase");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

Test(outputs, may_be_two_that_are_new_at_the_root_and_names_may_begin_with_any_sign)
{
    furnish("root");
    in_room("'" PICAFUZZ "' run --dump /new-1 --record /new-2 missing.pcase");
    cr_expect_null(strstr(result.output, "would overwrite"), "%s", result.output);
    in_room("'" PICAFUZZ "' run --dump ../../../../../../../../../../new --record /new missing.pcase");
    cr_expect_not_null(strstr(result.output, "would overwrite"), "%s", result.output);
    in_room("for name in :a =a +a '' a: :; do timeout 20 '" PICAFUZZ "' run --dump new $name; echo done $?; done");
    cr_expect_null(strstr(result.output, "done 124"), "%s", result.output);
}

Test(outputs, have_the_permissions_that_the_umask_leaves)
{
    static const struct {
        const char *umask, *expected;
    } all[] = { { "022", "644" }, { "002", "664" }, { "077", "600" } };
    furnish("umask");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char line[1024];
        (void)snprintf(
            line, sizeof line,
            "umask %s && rm -rf new && mkdir new && '%s' run -o new/p --dump new/dump --record new/record a.pcase "
            "&& '%s' asm a.pcase -o new/c.pcb && '%s' diff --sarif new/s a.pcase && "
            "'%s' generate -o new/g.pcase && '%s' triage --index found && mv found/triage.json new && "
            "find new -type f -printf 'mode %%m\\n' | sort | uniq -c",
            all[i].umask, PICAFUZZ, PICAFUZZ, PICAFUZZ, PICAFUZZ, PICAFUZZ);
        in_room(line);
        char expected[32];
        (void)snprintf(expected, sizeof expected, "7 mode %s\n", all[i].expected);
        const char *const modes = strstr(result.output, " mode ");
        cr_expect(modes != NULL && strstr(result.output, expected) != NULL, "umask %s:\n%s", all[i].umask,
                  result.output);
    }
}

Test(outputs, a_comma_in_the_path_of_a_plug_in_is_written_with_a_backslash)
{
    furnish("comma");
    in_room("mkdir 'a,b' && cp my.so 'a,b/my,gpu.so' && '" PICAFUZZ
            "' diff -b 'reference,./a\\,b/my\\,gpu.so' a.pcase");
    cr_expect_null(strstr(result.output, "cannot be opened"), "%s", result.output);
    in_room("'" PICAFUZZ "' backends -b './a\\,b/my\\,gpu.so' && '" PICAFUZZ "' backends -b fast,reference");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "broken"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\nreference - "), "%s", result.output);
    in_room("'" PICAFUZZ "' backends --help && '" PICAFUZZ "' --help");
    const char *const first = strstr(result.output, "'\\,'");
    cr_expect(first != NULL && strstr(first + 1, "is \\,") != NULL, "%s", result.output);
}

Test(outputs, a_damaged_index_is_kept_and_named)
{
    furnish("damaged");
    in_room("printf '{\"identity\": \"torn' >found/triage.json && cp found/triage.json before && '" PICAFUZZ
            "' triage found");
    cr_expect_eq(result.exit_code, 4, "%d: %s", result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, "1 case in 1 bucket"), "the rest is done:\n%s", result.output);
    cr_expect_not_null(strstr(result.output, "found/triage.json: is damaged (no JSON) and was left as it is"), "%s",
                       result.output);
    in_room("'" PICAFUZZ "' report -o page found");
    cr_expect_eq(result.exit_code, 4, "%d: %s", result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, "found/triage.json: is damaged"), "%s", result.output);
    in_room("cmp before found/triage.json && test -s page/index.html && rm found/triage.json && '" PICAFUZZ
            "' triage --index found && test -s found/triage.json");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

Test(outputs, texts_with_a_mark_or_in_UTF_16_are_refused_by_name)
{
    furnish("marks");
    in_room("printf '\\357\\273\\277' | cat - a.pcase >m.pcase && '" PICAFUZZ "' run m.pcase");
    cr_expect_eq(result.exit_code, 2);
    cr_expect_not_null(strstr(result.output, "m.pcase:1:1: expected plain UTF-8, found a byte-order mark (EF BB BF)"),
                       "%s", result.output);
    in_room("iconv -t utf-16 a.pcase >u.pcase && '" PICAFUZZ "' run u.pcase");
    cr_expect_eq(result.exit_code, 2);
    cr_expect_not_null(strstr(result.output, "u.pcase:1:1: expected plain UTF-8, found UTF-16"), "%s", result.output);
    in_room("printf '\\357\\273\\277version = 1;' >m.quirks && '" PICAFUZZ "' run --quirks m.quirks a.pcase");
    cr_expect_eq(result.exit_code, 2);
    cr_expect_not_null(strstr(result.output, "m.quirks:1: expected plain UTF-8, found a byte-order mark"), "%s",
                       result.output);
}

/* FF begins no character, E2 80 is cut. */
Test(outputs, JSON_and_pages_are_valid_UTF_8_whatever_bytes_a_name_has)
{
    static const char *const lines[] = {
        "diff --json -b reference,./my.so --sarif out/s \"$name\" >out/diff",
        "check --json -b ./my.so \"$name\" >out/check",
        "triage --json --sarif out/t -b reference,./my.so odd >out/triage",
        "report -b reference,./my.so -o out/page odd",
        "regress -b reference -b ./my.so -o out/regress \"$name\"",
        "run --json -o out \"$name\" >out/run",
        "backends --json ./$name >out/backends || true",
    };
    char line[1024];
    furnish("bytes");
    in_room("mkdir odd out && cp a.pcase \"$(printf 'odd/b\\377\\342\\200.pcase')\"");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        (void)snprintf(line, sizeof line, "export PICAFUZZ_FAULT=pixel && name=$(echo odd/b*) && '%s' %s", PICAFUZZ,
                       lines[i]);
        in_room(line);
        cr_expect(result.exit_code <= 1, "%s: %d %s", lines[i], result.exit_code, result.output);
    }
    in_room("find out -type f ! -name '*.png' | while read -r file; do iconv -f utf-8 -t utf-8 \"$file\" >copy || echo "
            "bad $file; done; "
            "echo $(grep -rl 'b???.pcase' out | wc -l) name it");
    cr_expect_null(strstr(result.output, "bad "), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "9 name it"), "%s", result.output);
}
