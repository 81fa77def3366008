/* picafuzz fingerprint: what a user sees of it, and what the quirks file that it writes is good for. */
#include "pica/splits.h"
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHOSEN  "'" PICAFUZZ_BINARY_DIR "/lib/chosen_backend.so'"
#define PARTIAL "'" PICAFUZZ_BINARY_DIR "/lib/partial_backend.so'"
#define HOSTILE "'" PICAFUZZ_BINARY_DIR "/lib/hostile_backend.so'"
#define CROOKED "'" PICAFUZZ_BINARY_DIR "/lib/crooked.so'"

enum {
    LINE_SIZE = 8192
};

static struct command_result result;

static void expect(const char *environment, const char *line, int code, const char *words)
{
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, code, "%s %s: %d: %s", environment, line, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, words), "%s %s: %s", environment, line, result.output);
}

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
    char directory[1024], environment[LINE_SIZE], line[LINE_SIZE];
    environment_of(&choices, environment, sizeof environment);
    fresh_directory(directory, sizeof directory, "fingerprint");
    (void)snprintf(line, sizeof line, "fingerprint -b " CHOSEN " -o '%s/x.quirks'", directory);
    expect(environment, line, 0, ", 0 neither (!), 0 crashed or hung (!)");
    table = result;
    (void)snprintf(line, sizeof line, "cat '%s/x.quirks'", directory);
    run_command(&result, line);
    expect_sides(&choices, table.output);
    (void)snprintf(line, sizeof line, "diff --quirks '%s/x.quirks' -b reference," CHOSEN " corpus/seeds", directory);
    expect(environment, line, 0, "170 of 170 cases agree");
    expect(environment, "diff --no-explain -b reference," CHOSEN " corpus/splits", 1, "diverge");
}

Test(fingerprint_command, with_its_file_the_reference_becomes_the_plug_in, .timeout = 600)
{
    round_trip(1);
}

/* --------------------------------------------------------------------------------------------------------- the rest */

Test(fingerprint_command, shows_a_table_and_json)
{
    expect("", "fingerprint -b reference", 0, "  row-order            FBF-06      bit-24          GBATEK, Azahar GL\n");
    expect("PICAFUZZ_CHOICES=zero-area=drawn", "fingerprint -b " CHOSEN " zero-area", 0,
           "* zero-area            CUL-03      drawn           Azahar SW, Citra (knob P8)\n");
    expect("PICAFUZZ_CHOICES=zero-area=drawn", "fingerprint --json -b " CHOSEN " zero-area", 0,
           "\"choices\":[{\"choice\":\"zero-area\",\"rule\":\"CUL-03\",\"result\":\"side\",\"side\":\"drawn\","
           "\"normative\":false,\"who\":\"Azahar SW, Citra (knob P8)\",\"standing\":\"open\"}]}");
}

/* SCS-01 CUL-02 BLD-03: parts that are missing; VTX-08: H06 is the console that takes the array. */
Test(fingerprint_command, says_what_no_console_does)
{
    expect("PICAFUZZ_CHOICES='scissor-test=missing cull-register=ignored min-max-factors=ignored'",
           "fingerprint -b " CHOSEN " scissor-test cull-register min-max-factors", 0,
           "x scissor-test         SCS-01      missing ");
    cr_expect_not_null(strstr(result.output, "x cull-register        CUL-02      ignored "));
    cr_expect_not_null(strstr(result.output, "x min-max-factors      BLD-03      ignored "));
    cr_expect_not_null(strstr(result.output, "(a console has it)\n"));
    cr_expect_not_null(strstr(result.output, ": 0 normative, 0 others (*), 3 that a console does not take (x), "));
    expect("PICAFUZZ_CHOICES=attribute-source=mask", "fingerprint -b " CHOSEN " attribute-source", 0,
           "(a console does not: H06)\n");
    expect("PICAFUZZ_CHOICES=attribute-source=mask", "fingerprint --json -b " CHOSEN " attribute-source", 0,
           "\"standing\":\"refuted\",\"piece\":\"H06\"");
}

Test(fingerprint_command, tests_what_a_plug_in_models)
{
    expect("PICAFUZZ_PARTIAL=five", "fingerprint -b " PARTIAL, 0,
           " normative, 0 others (*), 0 that a console does not take (x), 0 neither (!), 0 crashed or hung (!), 8 not "
           "tested (-)");
    cr_expect_not_null(strstr(result.output, "memory does not show it, and it does not model what does"));
}

Test(fingerprint_command, a_crash_or_hang_costs_one_case, .timeout = 300)
{
    expect("CROOKED=exit", "fingerprint -b " CROOKED " gas-mode cull-mode-0", 3,
           "! gas-mode             GAS-01      died");
    cr_expect_not_null(strstr(
        result.output,
        ": 1 normative, 0 others (*), 0 that a console does not take (x), 0 neither (!), 1 crashed or hung (!)"));
    expect("CROOKED=nearest", "fingerprint -b inline:" CROOKED " texture-filter", 0, "nearest         Azahar SW");
}

Test(fingerprint_command, what_fails_is_counted_and_is_no_success)
{
    expect("PICAFUZZ_HOSTILE=fail@transfer", "fingerprint -b " HOSTILE " transfer-size scissor-test", 4,
           "! transfer-size        PPF-04      trouble         backend hostile: running the case: failed\n");
    cr_expect_not_null(strstr(result.output, ", 0 not tested (-), 1 failed: no verdict (!)\n"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, ": 1 normative, "), "%s", result.output);
}

Test(fingerprint_command, leaves_the_rest_of_a_quirks_file_alone)
{
    char directory[1024], line[LINE_SIZE];
    fresh_directory(directory, sizeof directory, "fingerprint-file");
    (void)snprintf(line, sizeof line,
                   "printf '# mine\\nversion = 1;\\nchoices = { zero-area = \"nothing\"; };\\n# and mine\\n"
                   "force = ( \"BLEND_COLOR = 0\" );\\n' >'%s/x.quirks'",
                   directory);
    run_command(&result, line);
    (void)snprintf(line, sizeof line, "fingerprint -b " CHOSEN " -o '%s/x.quirks'", directory);
    expect("PICAFUZZ_CHOICES=zero-area=drawn", line, 0, "1 others");
    (void)snprintf(line, sizeof line, "cat '%s/x.quirks'", directory);
    run_command(&result, line);
    cr_expect_eq(strncmp(result.output, "# mine\nversion = 1;\n", 20), 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\n# and mine\nforce = ( \"BLEND_COLOR = 0\" );\n"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "zero-area = \"drawn\";"), "%s", result.output);
}

Test(fingerprint_command, complains)
{
    expect("", "fingerprint", 2, "no backend given: -b NAME");
    expect("", "fingerprint -b reference no-such-choice", 2, "'no-such-choice' is none of the choices");
    expect("", "fingerprint -b reference -o x.quirks row-order", 2, "-o takes the whole fingerprint");
    expect("", "fingerprint -b ./no-such.so", 2, "no-such.so");
    expect("", "fingerprint -b reference -o /no-such-directory/x.quirks", 4, "/no-such-directory/x.quirks");
    expect("", "fingerprint --help", 0, "usage: picafuzz fingerprint -b BACKEND");
}
