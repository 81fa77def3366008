/* picafuzz fingerprint: what a user sees of it, and what the quirks file that it writes is good for. */
#include "pica/splits.h"
#include "tests/cli/program.h"

enum {
    LINE_SIZE = 8192
};

/* ------------------------------------------------------------------------------------------------ ten random sides */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static struct pica_choices random_choices(uint32_t seed, uint32_t count)
{
    struct pica_choices choices = { { 0 } };
    while (count > 0) {
        const uint32_t choice = next_random(&seed) % PICA_CHOICES;
        if (choices.sides[choice] != 0)
            continue;
        choices.sides[choice] = (uint8_t)(1 + next_random(&seed) % (pica_side_count(choice) - 1));
        count--;
    }
    return choices;
}

static void environment_of(const struct pica_choices *choices, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "PICAFUZZ_CHOICES='");
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        if (choices->sides[i] != 0)
            used += (size_t)snprintf(out + used, size - used, " %s=%s", pica_choice_info(i)->name,
                                     pica_side_info(i, choices->sides[i])->word);
    (void)snprintf(out + used, size - used, "'");
}

/* Did the table say that another choice hides this one? */
static bool is_hidden(const char *table, uint32_t choice)
{
    char line[64];
    (void)snprintf(line, sizeof line, "\n- %s ", pica_choice_info(choice)->name);
    const char *const found = strstr(table, line);
    return found != NULL && strstr(found, "another choice hides it") < strchr(found + 1, '\n');
}

/* The file that was printed names this side of each choice that is not hidden. */
static void expect_sides(const struct pica_choices *choices, const char *table)
{
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        char line[256];
        (void)snprintf(line, sizeof line, "\n  %s = \"%s\";", pica_choice_info(i)->name,
                       pica_side_info(i, choices->sides[i])->word);
        cr_expect(is_hidden(table, i) || strstr(result.output, line) != NULL, "not in the quirks file:%s", line);
    }
}

/* With the file, the reference becomes the plug-in. */
static void round_trip(uint32_t seed)
{
    static struct command_result table;
    const struct pica_choices choices = random_choices(seed, 10);
    char environment[LINE_SIZE];
    environment_of(&choices, environment, sizeof environment);
    empty_test_directory();
    EXPECT_RUN(words_of("%s fingerprint -b @chosen -o @/x.quirks", environment), 0,
               ", 0 neither (!), 0 crashed or hung (!)");
    table = result;
    run_shell("cat @/x.quirks");
    expect_sides(&choices, table.output);
    EXPECT_RUN(words_of("%s diff --quirks @/x.quirks -b reference,@chosen corpus/seeds", environment), 0,
               "170 of 170 cases agree");
    EXPECT_RUN(words_of("%s diff --no-explain -b reference,@chosen corpus/splits", environment), 1, "diverge");
}

Test(fingerprint_command, with_its_file_the_reference_becomes_the_plug_in, .timeout = 600)
{
    round_trip(1);
}

/* --------------------------------------------------------------------------------------------------------- the rest */

Test(fingerprint_command, shows_a_table_and_json)
{
    EXPECT_RUN("fingerprint -b reference", 0, "  row-order            FBF-06      bit-24          GBATEK, Azahar GL\n");
    EXPECT_RUN("PICAFUZZ_CHOICES=zero-area=drawn fingerprint -b @chosen zero-area", 0,
               "* zero-area            CUL-03      drawn           Azahar SW, Citra (knob P8)\n");
    EXPECT_RUN("PICAFUZZ_CHOICES=zero-area=drawn fingerprint --json -b @chosen zero-area", 0,
               "\"choices\":[{\"choice\":\"zero-area\",\"rule\":\"CUL-03\",\"result\":\"side\",\"side\":\"drawn\","
               "\"normative\":false,\"who\":\"Azahar SW, Citra (knob P8)\",\"standing\":\"open\"}]}");
}

/* SCS-01 CUL-02 BLD-03: parts that are missing; VTX-08: H06 is the console that takes the array. */
Test(fingerprint_command, says_what_no_console_does)
{
    EXPECT_RUN("PICAFUZZ_CHOICES='scissor-test=missing cull-register=ignored min-max-factors=ignored' fingerprint -b "
               "@chosen scissor-test cull-register min-max-factors",
               0, "x scissor-test         SCS-01      missing ", "x cull-register        CUL-02      ignored ",
               "x min-max-factors      BLD-03      ignored ", "(a console has it)\n",
               ": 0 normative, 0 others (*), 3 that a console does not take (x), ");
    EXPECT_RUN("PICAFUZZ_CHOICES=attribute-source=mask fingerprint -b @chosen attribute-source", 0,
               "(a console does not: H06)\n");
    EXPECT_RUN("PICAFUZZ_CHOICES=attribute-source=mask fingerprint --json -b @chosen attribute-source", 0,
               "\"standing\":\"refuted\",\"piece\":\"H06\"");
}

Test(fingerprint_command, tests_what_a_plug_in_models)
{
    EXPECT_RUN(
        "PICAFUZZ_PARTIAL=five fingerprint -b @partial", 0,
        " normative, 0 others (*), 0 that a console does not take (x), 0 neither (!), 0 crashed or hung (!), 8 not "
        "tested (-)",
        "memory does not show it, and it does not model what does");
}

Test(fingerprint_command, a_crash_or_hang_costs_one_case, .timeout = 300)
{
    EXPECT_RUN("CROOKED=exit fingerprint -b @crooked gas-mode cull-mode-0", 3,
               "! gas-mode             GAS-01      died");
    cr_expect_not_null(strstr(
        result.output,
        ": 1 normative, 0 others (*), 0 that a console does not take (x), 0 neither (!), 1 crashed or hung (!)"));
    EXPECT_RUN("CROOKED=nearest fingerprint -b inline:@crooked texture-filter", 0, "nearest         Azahar SW");
}

Test(fingerprint_command, what_fails_is_counted_and_is_no_success)
{
    EXPECT_RUN("PICAFUZZ_HOSTILE=fail@transfer fingerprint -b @hostile transfer-size scissor-test", 4,
               "! transfer-size        PPF-04      trouble         backend hostile: running the case: failed\n",
               ", 0 not tested (-), 1 failed: no verdict (!)\n", ": 1 normative, ");
}

Test(fingerprint_command, leaves_the_rest_of_a_quirks_file_alone)
{
    run_shell("printf '# mine\\nversion = 1;\\nchoices = { zero-area = \"nothing\"; };\\n# and mine\\nforce = ( "
              "\"BLEND_COLOR = 0\" );\\n' >@/x.quirks");
    EXPECT_RUN("PICAFUZZ_CHOICES=zero-area=drawn fingerprint -b @chosen -o @/x.quirks", 0, "1 others");
    run_shell("cat @/x.quirks");
    cr_expect_eq(strncmp(result.output, "# mine\nversion = 1;\n", 20), 0, "%s", result.output);
    EXPECT_SAID("\n# and mine\nforce = ( \"BLEND_COLOR = 0\" );\n", "zero-area = \"drawn\";");
}

/* What lies in a page that a recording does not hold says nothing. */
Test(fingerprint_command, does_not_judge_by_pages_that_a_recording_leaves_out)
{
    char directory[1024], line[2300];
    fresh_directory(directory, sizeof directory, "fingerprint-pages");
    (void)snprintf(line, sizeof line,
                   "run -b reference --no-pictures --record '%s/some.res' --record-pages 0x18001000+0x1000 "
                   "'" PICAFUZZ_SOURCE_DIR "/corpus/splits/max-infinity.pcase'",
                   directory);
    run_picafuzz(&result, "", line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(line, sizeof line, "fingerprint -b 'recorded:%s/some.res' max-infinity", directory);
    run_picafuzz(&result, "", line);
    cr_expect_not_null(strstr(result.output, "not tested"), "%s", result.output);
    cr_expect_null(strstr(result.output, "neither         "), "%s", result.output);
}

Test(fingerprint_command, complains)
{
    EXPECT_RUN("fingerprint", 2, "no backend given: -b NAME");
    EXPECT_RUN("fingerprint -b reference no-such-choice", 2, "'no-such-choice' is none of the choices");
    EXPECT_RUN("fingerprint -b reference -o x.quirks row-order", 2, "-o takes the whole fingerprint");
    EXPECT_RUN("fingerprint -b ./no-such.so", 2, "no-such.so");
    EXPECT_RUN("fingerprint -b reference -o /no-such-directory/x.quirks", 4, "/no-such-directory/x.quirks");
    EXPECT_RUN("fingerprint --help", 0, "usage: picafuzz fingerprint -b BACKEND");
}
