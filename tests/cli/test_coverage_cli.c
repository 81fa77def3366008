/* `picafuzz coverage` as a user runs it: table, JSON, page, level and gate. */
#include "harness/coverage/universe.h"
#include "tests/cli/program.h"

#include <cjson/cJSON.h>

static char *read_text(const char *path)
{
    FILE *const file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    const size_t capacity = (size_t)1 << 25;
    char *const text = malloc(capacity);
    cr_assert(text != NULL);
    text[fread(text, 1, capacity - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

static void write_text(const char *path, const char *text)
{
    FILE *const file = fopen(path, "wb");
    cr_assert(file != NULL, "%s", path);
    fputs(text, file);
    (void)fclose(file);
}

Test(coverage_cli, usage_errors_exit_2)
{
    EXPECT_RUN("coverage", 2, "no case to measure; see `picafuzz coverage --help`");
    EXPECT_RUN("coverage --generate one 5", 2, "'one 5' is not a seed and a count");
    EXPECT_RUN("coverage --generate 1", 2, "is not a seed and a count");
    EXPECT_RUN("coverage --generate 1 5 --mode wild", 2, "'wild' is not one of");
    EXPECT_RUN("coverage --jobs 0 --generate 1 5", 2, "'0' is not a number from 1 to 64");
    EXPECT_RUN("coverage no/such/directory", 2, "no/such/directory");
    EXPECT_RUN("coverage /proc/self/mem corpus/captures", 2, "/proc/self/mem: "); /* opens, but does not read */
}

Test(coverage_cli, json_has_every_area_and_the_names_of_what_is_missing)
{
    EXPECT_RUN("coverage --json --missing --generate 1 20 > @/coverage.json", 0, "");
    char *const text = read_text(path_in("coverage.json"));
    cJSON *const object = cJSON_Parse(text);
    cr_assert(cJSON_IsObject(object));
    cr_expect_eq(cJSON_GetObjectItem(object, "cases")->valuedouble, 20.0);
    const cJSON *const areas = cJSON_GetObjectItem(object, "areas");
    cr_expect_eq(cJSON_GetArraySize(areas), HARNESS_AREA_TOTAL);
    for (int a = 0; a < HARNESS_AREA_TOTAL; a++) {
        const cJSON *const area = cJSON_GetObjectItem(areas, harness_area_name((enum harness_area)a));
        cr_assert(cJSON_IsObject(area), "%s", harness_area_name((enum harness_area)a));
        const double total = cJSON_GetObjectItem(area, "total")->valuedouble;
        const double seen = cJSON_GetObjectItem(area, "seen")->valuedouble;
        const double effect = cJSON_GetObjectItem(area, "effect")->valuedouble;
        const cJSON *const missing = cJSON_GetObjectItem(area, "missing");
        cr_expect(effect > 0 && effect <= seen && seen <= total);
        cr_expect_eq((double)cJSON_GetArraySize(missing), total - effect);
        if (missing->child != NULL) {
            cr_expect(cJSON_IsString(cJSON_GetObjectItem(missing->child, "name")));
            cr_expect(cJSON_IsBool(cJSON_GetObjectItem(missing->child, "seen")));
        }
    }
    cJSON_Delete(object);
    free(text);
}

Test(coverage_cli, a_level_that_was_recorded_holds_and_a_higher_one_fails_with_exit_1)
{
    EXPECT_RUN("coverage --record @/level.json corpus/captures/mesh-f0.picacap", 0, "1 case(s)");
    EXPECT_RUN("coverage --gate @/level.json corpus/captures/mesh-f0.picacap", 0, "registers");
    EXPECT_RUN("coverage --gate @/level.json corpus/captures/copies-f0.picacap", 1, "picafuzz: coverage: opcodes: ");
    static const struct {
        const char *level;
        int exit_code;
        const char *said;
    } rows[] = {
        { "{ \"registers\": 100 }", 1, "asks for 100.00 %" },
        { "{ \"rejisters\": 1 }", 2, "no area is called 'rejisters'" },
        { "{ \"registers\": -5 }", 2, "registers: expected a percentage" },
        { "{ \"registers\": 100.5 }", 2, "registers: expected a percentage" },
        { "[]", 2, "expected a JSON object" },
        { "{}", 2, "asks for nothing" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_in("level.json", rows[i].level);
        EXPECT_RUN("coverage --gate @/level.json corpus/captures/mesh-f0.picacap", rows[i].exit_code, rows[i].said);
    }
}

Test(coverage_cli, missing_names_what_no_case_reached)
{
    EXPECT_RUN("coverage --missing corpus/captures/mesh-f0.picacap > /dev/null; echo done", 0, "done");
    run("coverage --missing corpus/captures/mesh-f0.picacap | grep -A3 'missing opcodes'");
    EXPECT_SAID("missing opcodes:\n  ");
}

Test(coverage_cli, the_page_stands_alone)
{
    EXPECT_RUN("coverage --html @/coverage.html corpus/captures/mesh-f0.picacap", 0, "1 case(s)");
    char *const text = read_text(path_in("coverage.html"));
    cr_expect_not_null(strstr(text, "\"enum-pairs\":{\"total\":"));
    cr_expect_not_null(strstr(text, "{\"name\":\"TEXENV0_SOURCE."));
    cr_expect_null(strstr(text, "http"));
    cr_expect_null(strstr(text, " src=\""), "it loads something");
    free(text);
}

/* libFuzzer calls the inputs of a corpus by their SHA-1, AFL++ id:...; other files of such directories are not
 * cases. */
Test(coverage_cli, directories_of_engines_are_read)
{
    static const char *const names[] = { "0123456789abcdef0123456789abcdef01234567", "id:000001,src:000000,op:x",
                                         "fuzzer_stats" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_text(path_in(names[i]), "any bytes are a case");
    }
    EXPECT_RUN("coverage @", 0, "2 case(s)");
}

Test(coverage_cli, the_same_cases_give_the_same_table)
{
    char first[sizeof result.output];
    EXPECT_RUN("coverage --generate 5 30", 0, "30 case(s)");
    memcpy(first, result.output, sizeof first);
    EXPECT_RUN("coverage --jobs 2 --generate 5 30", 0, "30 case(s)");
    cr_expect_str_eq(first, result.output);
}
