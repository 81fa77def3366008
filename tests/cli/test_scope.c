/* Plug-ins that model less than everything, --only and --ignore: what a user sees. */
#include "tests/cli/program.h"

#define CASE "corpus/seeds/fog/table-over-depth.pcase"

Test(scope_command, a_verdict_says_what_was_compared)
{
    EXPECT_RUN("PICAFUZZ_PARTIAL=five diff -b reference,@partial " CASE, 0, "agree (memory), ");
    EXPECT_RUN("PICAFUZZ_PARTIAL=five diff --json -b reference,@partial " CASE, 0, "\"compared\":\"memory\"");
    EXPECT_RUN("PICAFUZZ_PARTIAL=registers diff -b reference,@partial " CASE, 0,
               "agree (memory, registers but VIEWPORT_WIDTH), ");
    EXPECT_RUN("PICAFUZZ_PARTIAL=broken diff -b reference,@partial " CASE, 1,
               "diverge (memory, registers but VIEWPORT_WIDTH) after operation 0");
    EXPECT_RUN("diff " CASE, 0, "bytes of memory, all registers and state");
    EXPECT_LACKS("(");
}

Test(scope_command, only_and_ignore_leave_out_more_in_every_command_that_compares)
{
    static const char *const ways[] = { "inline:@partial", "@partial" };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        EXPECT_RUN(words_of("PICAFUZZ_PARTIAL=broken diff --ignore VIEWPORT_HEIGHT -b reference,%s " CASE, ways[i]), 0,
                   "agree (memory, registers but 2), ");
        EXPECT_RUN(words_of("PICAFUZZ_PARTIAL=broken diff --only memory -b reference,%s " CASE, ways[i]), 0,
                   "agree (memory), ");
        EXPECT_RUN(
            words_of("PICAFUZZ_PARTIAL=broken diff --only registers --ignore VIEWPORT_HEIGHT -b reference,%s " CASE,
                     ways[i]),
            0, "agree (registers but 2)\n");
        EXPECT_RUN(words_of("PICAFUZZ_PARTIAL=broken diff --only registers -b reference,%s " CASE, ways[i]), 1,
                   "VIEWPORT_HEIGHT");
        EXPECT_RUN(words_of("PICAFUZZ_PARTIAL=broken triage --no-index -b reference,%s corpus/seeds/fog", ways[i]), 1,
                   "diverge-registers-viewport-height-");
        EXPECT_RUN(
            words_of(
                "PICAFUZZ_PARTIAL=broken triage --no-index --ignore VIEWPORT_HEIGHT -b reference,%s corpus/seeds/fog",
                ways[i]),
            0, "nothing is wrong");
        EXPECT_RUN(words_of("PICAFUZZ_PARTIAL=broken reduce --only memory -b reference,%s -o /dev/null " CASE, ways[i]),
                   2, "nothing is wrong with the case");
        EXPECT_RUN(
            words_of("PICAFUZZ_PARTIAL=broken check --only memory --relations deterministic -b %s " CASE, ways[i]), 0,
            "all hold");
    }
}

Test(scope_command, what_a_plug_in_does_not_support_is_counted_as_not_tested)
{
    shell("cp " CASE " corpus/seeds/number/profile-f24.pcase @");
    EXPECT_RUN("PICAFUZZ_PARTIAL=five diff -b reference,@partial @", 0, "profile-f24.pcase: not tested",
               "float24 (FLT-03)", "1 of 2 cases agree, 1 was not tested\n");
    EXPECT_RUN("PICAFUZZ_PARTIAL=five triage --no-index -b reference,@partial @", 0, "; 1 was not tested",
               "float24 (FLT-03)");
    EXPECT_RUN("PICAFUZZ_PARTIAL=five report -o @/report -b reference,@partial @", 0,
               "2 cases, 0 with a finding, 1 not tested");
    shell("grep -q 'agree (memory)' @/report/index.html && grep -q '<skipped/>' @/report/junit.xml");
    EXPECT_RUN("PICAFUZZ_PARTIAL=five check --relations deterministic -b @partial @/profile-f24.pcase", 2,
               ": 0 of 1 case agrees, 1 was not tested: nothing was compared",
               "profile-f24.pcase: not tested: backend partial: does not model float24");
    EXPECT_RUN("PICAFUZZ_PARTIAL=five reduce -b reference,@partial -o /dev/null @/profile-f24.pcase", 2,
               "not tested: ");
}

/* One habit in many registers is one bucket, which says how it is heard of no more. */
Test(scope_command, registers_that_are_treated_alike_are_one_bucket)
{
    shell("cd @ && for id in 045 0E7 148; do printf 'pcase 1\\nwindow 0x18000000 size 0x1000\\nfill 0 { FILL0_START { "
          "address = 0x18000800 } FILL0_END { address = 0x18000810 } FILL0_VALUE = 7 FILL0_CTRL { start = 1 } }\\nrun "
          "0x18000000 { UNUSED_%s = 7 }\\n' $id > $id.pcase; done && printf 'version = 1;\\nforce = ( \"unused = "
          "reset\" );\\n' > my.quirks");
    EXPECT_RUN("PICAFUZZ_PARTIAL=forgetful triage --no-index -b reference,@partial @", 1,
               "    3  diverge-registers-unused-not-kept-", "       UNUSED_045, UNUSED_0E7, UNUSED_148\n",
               "in a quirks file: force = ( \"unused = reset\" );\n");
    EXPECT_RUN("PICAFUZZ_PARTIAL=broken triage --no-index -b reference,@partial corpus/seeds/fog", 1,
               "diverge-registers-viewport-height-");
    EXPECT_LACKS("registers_not_kept"); /* a wrong value is no habit */
    EXPECT_RUN("PICAFUZZ_PARTIAL=forgetful diff --quirks @/my.quirks -b reference,@partial @", 0, "3 of 3 cases agree");
}

Test(scope_command, our_own_two_are_always_compared_whole)
{
    static const char *const commands[] = { "diff " CASE, "diff -b fast,process:reference " CASE, "check " CASE,
                                            "reduce -o /dev/null " CASE, "triage corpus/seeds/fog" };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        EXPECT_RUN(words_of("%s --only memory", commands[i]), 2, "these are for plug-ins");
        EXPECT_RUN(words_of("%s --ignore STATUS", commands[i]), 2, "these are for plug-ins");
    }
    EXPECT_RUN("PICAFUZZ_FAULT=pixel diff --only units -b reference,fast,@broken " CASE, 0, "agree (units)");
}

Test(scope_command, a_recording_leaves_out_parts_that_are_kept_by_halves)
{
    EXPECT_RUN("PICAFUZZ_PARTIAL=gasless run --no-pictures -b @partial --record @/x.res " CASE, 0, "");
    EXPECT_RUN("diff -b reference,recorded:@/x.res " CASE, 0, "agree (memory)");
}

Test(scope_command, names_that_there_are_not_are_complained_of)
{
    EXPECT_RUN("diff --only memorie -b reference,./x.so " CASE, 2, "'memorie' is no part (memory, registers,");
    EXPECT_RUN("diff --ignore tables.smoke -b reference,./x.so " CASE, 2, "and no register");
    EXPECT_RUN("PICAFUZZ_PARTIAL=gasless diff --ignore tables.fog -b reference,@partial " CASE, 0,
               "agree (memory, tables but 2)");
    EXPECT_RUN("PICAFUZZ_PARTIAL=engines diff --ignore external,lcd_fill -b reference,@partial " CASE, 0,
               "agree (memory, engines but 1026)");
    EXPECT_RUN("diff --ignore STATUSES -b reference,./x.so " CASE, 2, "and no register");
    EXPECT_RUN("diff --only STATUS -b reference,./x.so " CASE, 2, "'STATUS' is no part");
}

Test(scope_command, run_gives_no_digest_of_what_is_not_modelled)
{
    run("run -b @minimal_plug_in --no-pictures corpus/seeds/fill");
    EXPECT_SAID(" state - events -,");
    EXPECT_LACKS("memory -");
    run("run -b @minimal_plug_in --no-pictures --json corpus/seeds/fill");
    EXPECT_SAID("\"state\":null");
    run("run -b fast --no-pictures corpus/seeds/fill");
    EXPECT_LACKS(" state -");
}

/* docs/example/plug_in.c: five functions. */
Test(scope_command, the_example_of_a_minimal_plug_in_works)
{
    EXPECT_RUN("backends @minimal_plug_in inline:@minimal_plug_in", 0, "five functions and a memory fill\n",
               "models: memory\n  offers:\n");
    EXPECT_LACKS("fill wrote");
    EXPECT_RUN("diff -b reference,@minimal_plug_in corpus/seeds/fill", 0, "widths.pcase: agree (memory), ");
    EXPECT_RUN("diff -b reference,@minimal_plug_in corpus/seeds/fog/table-over-depth.pcase", 2, "not tested: ");
    EXPECT_RUN("diff -b reference,@minimal_plug_in corpus/seeds", 0,
               "not tested: 1: backend minimal: does not model float24 (FLT-03)\n", " does not take an operation (run",
               "\n1 of 170 cases agree, 169 were not tested\n");
    EXPECT_LACKS("table-over-depth");
    EXPECT_RUN("check -b @minimal_plug_in --relations deterministic corpus/seeds/fill", 0, "");
}

Test(scope_command, what_a_plug_in_prints_is_not_among_the_results)
{
    EXPECT_RUN("PICAFUZZ_PARTIAL=chatty diff --json -b reference,@partial " CASE, 0, "chatty was here");
    EXPECT_RUN("PICAFUZZ_PARTIAL=chatty diff --json -b reference,@partial " CASE " 2> /dev/null", 0,
               "\"verdict\":\"agree\"");
    cr_expect_eq(result.output[0], '{', "%s", result.output);
    EXPECT_LACKS("chatty");
}

/* A green exit code for a comparison of nothing would be believed. */
Test(scope_command, where_nothing_is_left_to_compare_nothing_is_green)
{
    static const char *const commands[] = { "diff -b reference,", "triage --no-index -b reference,",
                                            "report -o /dev/null -b reference,", "check -b " };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        EXPECT_RUN(words_of("%s@minimal_plug_in --only units corpus/seeds/fill", commands[i]), 2,
                   "nothing is compared: what minimal declares, --only and --ignore leave nothing");
        cr_expect_null(strstr(strstr(result.output, "nothing is compared") + 1, "nothing is compared"), "%s",
                       result.output);
    }
    EXPECT_RUN("diff -b reference,@minimal_plug_in corpus/seeds/fog", 2,
               "0 of 3 cases agree, 3 were not tested: nothing was compared\n");
}

Test(scope_command, a_backend_that_cannot_be_opened_is_said_once)
{
    static const char *const lines[] = { "diff -b reference,recorded:no/such.res corpus/seeds/fog --generate 1 5",
                                         "diff -b reference,./no/such.so corpus/seeds/fog",
                                         "check -b ./no/such.so corpus/seeds/fog --generate 1 300",
                                         "run --no-pictures -b ./no/such.so corpus/seeds/fog" };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        EXPECT_RUN(lines[i], 2, "cannot be opened");
        cr_expect_null(strstr(strstr(result.output, "cannot be opened") + 1, "picafuzz: "), "%s", result.output);
    }
}

/* A quarter of them is in float24, which few emulators have. */
Test(scope_command, generated_cases_in_float24_run_in_binary32_where_a_plug_in_declares_none)
{
    EXPECT_RUN(
        "PICAFUZZ_PARTIAL=registers diff -q -b reference,@partial --generate 1 40", 0,
        "34 of 40 generated cases agree, 6 changed no memory\ncases in float24 ran in binary32: a backend does not "
        "declare float24\n");
    EXPECT_RUN("diff -q --generate 1 40", 0, "34 of 40 generated cases agree, 6 changed no memory\n");
    EXPECT_LACKS("float24");
    EXPECT_RUN("PICAFUZZ_PARTIAL=registers check -q -b @partial --relations deterministic --generate 1 40", 0,
               "40 of 40 cases agree\n");
    EXPECT_LACKS("not tested");
}

/* One case that a backend does not take is no reason to lose the others. */
Test(scope_command, what_a_plug_in_does_not_support_is_recorded_as_that)
{
    EXPECT_RUN("PICAFUZZ_PARTIAL=five run --no-pictures -b @partial --record @/a.res "
               "corpus/seeds/number/profile-f24.pcase " CASE,
               0, "1 case(s) recorded, 1 more as not tested; compare",
               "profile-f24: not tested: backend partial: does not model float24");
    EXPECT_RUN("diff -b reference,recorded:@/a.res " CASE, 0, "agree (memory), ");
    EXPECT_RUN("run --no-pictures -b @minimal_plug_in --record @/b.res corpus/seeds/fog corpus/seeds/fill", 0,
               "1 case(s) recorded, 4 more as not tested");
    EXPECT_RUN("diff -b reference,recorded:@/b.res corpus/seeds/fog corpus/seeds/fill", 0,
               "recorded as not tested: the backend did not support it", "1 of 5 cases agree, 4 were not tested");
    EXPECT_RUN("run --json --no-pictures -b @minimal_plug_in corpus/seeds/fog", 0,
               "\"not_tested\":\"backend minimal: does not take");
}

/* A wrong word is answered with all of them: the help page names the same. */
Test(scope_command, the_help_page_names_each_part)
{
    char names[256];
    EXPECT_RUN("diff --only nothing -b reference,@partial " CASE, 2, "'nothing' is no part (");
    const char *const begin = strstr(result.output, "no part (") + 9;
    (void)snprintf(names, sizeof names, "%.*s", (int)strcspn(begin, ")"), begin);
    run("diff --help");
    const char *const option = strstr(result.output, "--only PART");
    cr_assert_not_null(option);
    for (char *name = strtok(names, ", "); name != NULL; name = strtok(NULL, ", ")) {
        const char *const found = strstr(option, name);
        cr_expect(found != NULL && found < strstr(option, "--ignore"), "%s", name);
    }
}
