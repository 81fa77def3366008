/* Plug-ins that model less than everything, --only and --ignore: what a user sees. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLUG_IN "'" PICAFUZZ_BINARY_DIR "/lib/partial_backend.so'"
#define MINIMAL "'" PICAFUZZ_BINARY_DIR "/lib/minimal_plug_in.so'"
#define BROKEN  "'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'"
#define CASE    "corpus/seeds/fog/table-over-depth.pcase"

static struct command_result result;

static void expect(const char *environment, const char *line, int code, const char *words)
{
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, code, "%s %s: %d: %s", environment, line, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, words), "%s %s: %s", environment, line, result.output);
}

Test(scope_command, a_verdict_says_what_was_compared)
{
    expect("PICAFUZZ_PARTIAL=five", "diff -b reference," PLUG_IN " " CASE, 0, "agree (memory), ");
    expect("PICAFUZZ_PARTIAL=five", "diff --json -b reference," PLUG_IN " " CASE, 0, "\"compared\":\"memory\"");
    expect("PICAFUZZ_PARTIAL=registers", "diff -b reference," PLUG_IN " " CASE, 0,
           "agree (memory, registers but VIEWPORT_WIDTH), ");
    expect("PICAFUZZ_PARTIAL=broken", "diff -b reference," PLUG_IN " " CASE, 1,
           "diverge (memory, registers but VIEWPORT_WIDTH) after operation 0");
    expect("", "diff " CASE, 0, "bytes of memory, all registers and state");
    cr_expect_null(strstr(result.output, "("), "%s", result.output);
}

Test(scope_command, only_and_ignore_leave_out_more_in_every_command_that_compares)
{
    static const char *const ways[] = { "inline:" PLUG_IN, PLUG_IN };
    char line[4096];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        (void)snprintf(line, sizeof line, "diff --ignore VIEWPORT_HEIGHT -b reference,%s " CASE, ways[i]);
        expect("PICAFUZZ_PARTIAL=broken", line, 0, "agree (memory, registers but 2), ");
        (void)snprintf(line, sizeof line, "diff --only memory -b reference,%s " CASE, ways[i]);
        expect("PICAFUZZ_PARTIAL=broken", line, 0, "agree (memory), ");
        (void)snprintf(line, sizeof line, "diff --only registers --ignore VIEWPORT_HEIGHT -b reference,%s " CASE,
                       ways[i]);
        expect("PICAFUZZ_PARTIAL=broken", line, 0, "agree (registers but 2)\n");
        (void)snprintf(line, sizeof line, "diff --only registers -b reference,%s " CASE, ways[i]);
        expect("PICAFUZZ_PARTIAL=broken", line, 1, "VIEWPORT_HEIGHT");
        (void)snprintf(line, sizeof line, "triage --no-index -b reference,%s corpus/seeds/fog", ways[i]);
        expect("PICAFUZZ_PARTIAL=broken", line, 1, "diverge-registers-viewport-height-");
        (void)snprintf(line, sizeof line, "triage --no-index --ignore VIEWPORT_HEIGHT -b reference,%s corpus/seeds/fog",
                       ways[i]);
        expect("PICAFUZZ_PARTIAL=broken", line, 0, "nothing is wrong");
        (void)snprintf(line, sizeof line, "reduce --only memory -b reference,%s -o /dev/null " CASE, ways[i]);
        expect("PICAFUZZ_PARTIAL=broken", line, 2, "nothing is wrong with the case");
        (void)snprintf(line, sizeof line, "check --only memory --relations deterministic -b %s " CASE, ways[i]);
        expect("PICAFUZZ_PARTIAL=broken", line, 0, "all hold");
    }
}

Test(scope_command, what_a_plug_in_does_not_support_is_counted_as_not_tested)
{
    static char line[4096], directory[1024];
    fresh_directory(directory, sizeof directory, "scope");
    (void)snprintf(line, sizeof line,
                   "cd '" PICAFUZZ_SOURCE_DIR "' && cp " CASE " corpus/seeds/number/profile-f24.pcase '%s'", directory);
    cr_assert_eq(system(line), 0);
    (void)snprintf(line, sizeof line, "diff -b reference," PLUG_IN " %s", directory);
    expect("PICAFUZZ_PARTIAL=five", line, 0, "profile-f24.pcase: not tested");
    cr_expect_not_null(strstr(result.output, "float24 (FLT-03)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 of 2 cases agree, 1 was not tested\n"), "%s", result.output);
    (void)snprintf(line, sizeof line, "triage --no-index -b reference," PLUG_IN " %s", directory);
    expect("PICAFUZZ_PARTIAL=five", line, 0, "; 1 was not tested");
    cr_expect_not_null(strstr(result.output, "float24 (FLT-03)"), "%s", result.output);
    (void)snprintf(line, sizeof line, "report -o %s/report -b reference," PLUG_IN " %s", directory, directory);
    expect("PICAFUZZ_PARTIAL=five", line, 0, "2 cases, 0 with a finding, 1 not tested");
    (void)snprintf(line, sizeof line,
                   "grep -q 'agree (memory)' %s/report/index.html && grep -q '<skipped/>' "
                   "%s/report/junit.xml",
                   directory, directory);
    cr_expect_eq(system(line), 0);
    (void)snprintf(line, sizeof line, "check --relations deterministic -b " PLUG_IN " %s/profile-f24.pcase", directory);
    expect("PICAFUZZ_PARTIAL=five", line, 2, ": 0 of 1 case agrees, 1 was not tested: nothing was compared");
    cr_expect_not_null(strstr(result.output, "profile-f24.pcase: not tested: backend partial: does not model float24"),
                       "%s", result.output);
    (void)snprintf(line, sizeof line, "reduce -b reference," PLUG_IN " -o /dev/null %s/profile-f24.pcase", directory);
    expect("PICAFUZZ_PARTIAL=five", line, 2, "not tested: ");
}

/* One habit in many registers is one bucket, which says how it is heard of no more. */
Test(scope_command, registers_that_are_treated_alike_are_one_bucket)
{
    static char line[4096], directory[1024];
    fresh_directory(directory, sizeof directory, "habit");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && for id in 045 0E7 148; do printf 'pcase 1\\nwindow 0x18000000 size 0x1000\\n"
                   "fill 0 { FILL0_START { address = 0x18000800 } FILL0_END { address = 0x18000810 } FILL0_VALUE = 7 "
                   "FILL0_CTRL { start = 1 } }\\nrun 0x18000000 { UNUSED_%%s = 7 }\\n' $id > $id.pcase; done && "
                   "printf 'version = 1;\\nforce = ( \"unused = reset\" );\\n' > my.quirks",
                   directory);
    cr_assert_eq(system(line), 0);
    (void)snprintf(line, sizeof line, "triage --no-index -b reference," PLUG_IN " %s", directory);
    expect("PICAFUZZ_PARTIAL=forgetful", line, 1, "    3  diverge-registers-unused-not-kept-");
    cr_expect_not_null(strstr(result.output, "       UNUSED_045, UNUSED_0E7, UNUSED_148\n"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "in a quirks file: force = ( \"unused = reset\" );\n"), "%s",
                       result.output);
    (void)snprintf(line, sizeof line, "diff --quirks %s/my.quirks -b reference," PLUG_IN " %s", directory, directory);
    expect("PICAFUZZ_PARTIAL=forgetful", line, 0, "3 of 3 cases agree");
}

Test(scope_command, our_own_two_are_always_compared_whole)
{
    static const char *const commands[] = { "diff " CASE, "diff -b fast,process:reference " CASE, "check " CASE,
                                            "reduce -o /dev/null " CASE, "triage corpus/seeds/fog" };
    char line[512];
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        (void)snprintf(line, sizeof line, "%s --only memory", commands[i]);
        expect("", line, 2, "these are for plug-ins");
        (void)snprintf(line, sizeof line, "%s --ignore STATUS", commands[i]);
        expect("", line, 2, "these are for plug-ins");
    }
    expect("PICAFUZZ_FAULT=pixel", "diff --only units -b reference,fast," BROKEN " " CASE, 0, "agree (units)");
}

Test(scope_command, a_recording_leaves_out_parts_that_are_kept_by_halves)
{
    static char line[4096], directory[1024];
    fresh_directory(directory, sizeof directory, "halves");
    (void)snprintf(line, sizeof line, "run --no-pictures -b " PLUG_IN " --record %s/x.res " CASE, directory);
    expect("PICAFUZZ_PARTIAL=gasless", line, 0, "");
    (void)snprintf(line, sizeof line, "diff -b reference,recorded:%s/x.res " CASE, directory);
    expect("", line, 0, "agree (memory)");
}

Test(scope_command, names_that_there_are_not_are_complained_of)
{
    expect("", "diff --only memorie -b reference,./x.so " CASE, 2, "'memorie' is no part (memory, registers,");
    expect("", "diff --ignore tables.smoke -b reference,./x.so " CASE, 2, "and no register");
    expect("PICAFUZZ_PARTIAL=gasless", "diff --ignore tables.fog -b reference," PLUG_IN " " CASE, 0,
           "agree (memory, tables but 2)");
    expect("", "diff --ignore STATUSES -b reference,./x.so " CASE, 2, "and no register");
    expect("", "diff --only STATUS -b reference,./x.so " CASE, 2, "'STATUS' is no part");
}

Test(scope_command, run_gives_no_digest_of_what_is_not_modelled)
{
    run_picafuzz(&result, "", "run -b " MINIMAL " --no-pictures corpus/seeds/fill");
    cr_expect_not_null(strstr(result.output, " state - events -,"), "%s", result.output);
    cr_expect_null(strstr(result.output, "memory -"), "%s", result.output);
    run_picafuzz(&result, "", "run -b " MINIMAL " --no-pictures --json corpus/seeds/fill");
    cr_expect_not_null(strstr(result.output, "\"state\":null"), "%s", result.output);
    run_picafuzz(&result, "", "run -b fast --no-pictures corpus/seeds/fill");
    cr_expect_null(strstr(result.output, " state -"), "%s", result.output);
}

/* docs/example/plug_in.c: five functions. */
Test(scope_command, the_example_of_a_minimal_plug_in_works)
{
    expect("", "backends " MINIMAL " inline:" MINIMAL, 0, "five functions and a memory fill\n");
    cr_expect_not_null(strstr(result.output, "models: memory\n  offers:\n"), "%s", result.output);
    cr_expect_null(strstr(result.output, "fill wrote"), "%s", result.output);
    expect("", "diff -b reference," MINIMAL " corpus/seeds/fill", 0, "widths.pcase: agree (memory), ");
    expect("", "diff -b reference," MINIMAL " corpus/seeds/fog/table-over-depth.pcase", 2, "not tested: ");
    expect("", "check -b " MINIMAL " --relations deterministic corpus/seeds/fill", 0, "");
}

Test(scope_command, what_a_plug_in_prints_is_not_among_the_results)
{
    expect("PICAFUZZ_PARTIAL=chatty", "diff --json -b reference," PLUG_IN " " CASE, 0, "chatty was here");
    expect("PICAFUZZ_PARTIAL=chatty", "diff --json -b reference," PLUG_IN " " CASE " 2> /dev/null", 0,
           "\"verdict\":\"agree\"");
    cr_expect_eq(result.output[0], '{', "%s", result.output);
    cr_expect_null(strstr(result.output, "chatty"), "%s", result.output);
}

/* A green exit code for a comparison of nothing would be believed. */
Test(scope_command, where_nothing_is_left_to_compare_nothing_is_green)
{
    static const char *const commands[] = { "diff -b reference,", "triage --no-index -b reference,",
                                            "report -o /dev/null -b reference,", "check -b " };
    char line[1024];
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        (void)snprintf(line, sizeof line, "%s" MINIMAL " --only units corpus/seeds/fill", commands[i]);
        expect("", line, 2, "nothing is compared: what minimal declares, --only and --ignore leave nothing");
        cr_expect_null(strstr(strstr(result.output, "nothing is compared") + 1, "nothing is compared"), "%s",
                       result.output);
    }
    expect("", "diff -b reference," MINIMAL " corpus/seeds/fog", 2,
           "0 of 3 cases agree, 3 were not tested: nothing was compared\n");
}

Test(scope_command, a_backend_that_cannot_be_opened_is_said_once)
{
    static const char *const lines[] = { "diff -b reference,recorded:no/such.res corpus/seeds/fog --generate 1 5",
                                         "diff -b reference,./no/such.so corpus/seeds/fog",
                                         "check -b ./no/such.so corpus/seeds/fog --generate 1 300",
                                         "run --no-pictures -b ./no/such.so corpus/seeds/fog" };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        expect("", lines[i], 2, "cannot be opened");
        cr_expect_null(strstr(strstr(result.output, "cannot be opened") + 1, "picafuzz: "), "%s", result.output);
    }
}

/* A quarter of them is in float24, which few emulators have. */
Test(scope_command, generated_cases_in_float24_run_in_binary32_where_a_plug_in_declares_none)
{
    expect("PICAFUZZ_PARTIAL=registers", "diff -q -b reference," PLUG_IN " --generate 1 40", 0,
           "34 of 40 generated cases agree, 6 changed no memory\ncases in float24 ran in binary32: a backend does not "
           "declare float24\n");
    expect("", "diff -q --generate 1 40", 0, "34 of 40 generated cases agree, 6 changed no memory\n");
    cr_expect_null(strstr(result.output, "float24"), "%s", result.output);
    expect("PICAFUZZ_PARTIAL=registers", "check -q -b " PLUG_IN " --relations deterministic --generate 1 40", 0,
           "40 of 40 cases agree\n");
    cr_expect_null(strstr(result.output, "not tested"), "%s", result.output);
}

/* One case that a backend does not take is no reason to lose the others. */
Test(scope_command, what_a_plug_in_does_not_support_is_recorded_as_that)
{
    static char line[4096], directory[1024];
    fresh_directory(directory, sizeof directory, "scope-record");
    (void)snprintf(line, sizeof line,
                   "run --no-pictures -b " PLUG_IN " --record '%s/a.res' corpus/seeds/number/profile-f24.pcase " CASE,
                   directory);
    expect("PICAFUZZ_PARTIAL=five", line, 0, "1 case(s) recorded, 1 more as not tested; compare");
    cr_expect_not_null(strstr(result.output, "profile-f24: not tested: backend partial: does not model float24"), "%s",
                       result.output);
    (void)snprintf(line, sizeof line, "diff -b reference,'recorded:%s/a.res' " CASE, directory);
    expect("", line, 0, "agree (memory), ");
    (void)snprintf(line, sizeof line,
                   "run --no-pictures -b " MINIMAL " --record '%s/b.res' corpus/seeds/fog corpus/seeds/fill",
                   directory);
    expect("", line, 0, "1 case(s) recorded, 4 more as not tested");
    (void)snprintf(line, sizeof line, "diff -b reference,'recorded:%s/b.res' corpus/seeds/fog corpus/seeds/fill",
                   directory);
    expect("", line, 0, "recorded as not tested: the backend did not support it");
    cr_expect_not_null(strstr(result.output, "1 of 5 cases agree, 4 were not tested"), "%s", result.output);
    (void)snprintf(line, sizeof line, "run --json --no-pictures -b " MINIMAL " corpus/seeds/fog");
    expect("", line, 0, "\"not_tested\":\"backend minimal: does not take");
}

/* A wrong word is answered with all of them: the help page names the same. */
Test(scope_command, the_help_page_names_each_part)
{
    char names[256];
    expect("", "diff --only nothing -b reference," PLUG_IN " " CASE, 2, "'nothing' is no part (");
    const char *const begin = strstr(result.output, "no part (") + 9;
    (void)snprintf(names, sizeof names, "%.*s", (int)strcspn(begin, ")"), begin);
    run_picafuzz(&result, "", "diff --help");
    const char *const option = strstr(result.output, "--only PART");
    cr_assert_not_null(option);
    for (char *name = strtok(names, ", "); name != NULL; name = strtok(NULL, ", ")) {
        const char *const found = strstr(option, name);
        cr_expect(found != NULL && found < strstr(option, "--ignore"), "%s", name);
    }
}
