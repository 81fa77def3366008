/* `picafuzz regress` and recorded results as a user meets them, on plug-ins with planted faults. */
#include "tests/cli/command.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define BROKEN "'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'"
#define FAULTY "'" PICAFUZZ_BINARY_DIR "/lib/faulty_backend.so'"
#define HALL   "corpus/captures/hall-f0.picacap"
#define MESH   "corpus/captures/jumps-f0.picacap"

static struct command_result result;
static char directory[1024];
static char text[1 << 17];

static void read_file(const char *name)
{
    char path[2048];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
}

static void shell(const char *line)
{
    char whole[4096];
    (void)snprintf(whole, sizeof whole, "cd '%s' && %s", directory, line);
    run_command(&result, whole);
    cr_assert_eq(result.exit_code, 0, "%s: %s", line, result.output);
}

/* `arguments`: %s is the directory of the test, three times at most. */
static void picafuzz(const char *environment, const char *arguments, int code, const char *words)
{
    char line[4096];
    (void)snprintf(line, sizeof line, arguments, directory, directory, directory);
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, code, "%s: %d: %s", line, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, words), "%s: no '%s' in: %s", line, words, result.output);
}

/* What the schema of SARIF 2.1.0 requires, and `count` results of that rule. */
static void expect_sarif(const char *file, const char *rule, int count)
{
    read_file(file);
    cJSON *const root = cJSON_Parse(text);
    cr_assert_not_null(root, "%s is no JSON", file);
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(root, "version")), "2.1.0");
    const cJSON *const run = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "runs"), 0);
    const cJSON *const driver = cJSON_GetObjectItem(cJSON_GetObjectItem(run, "tool"), "driver");
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(driver, "name")), "picafuzz");
    const cJSON *const rules = cJSON_GetObjectItem(driver, "rules");
    cr_expect_not_null(cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(rules, 0), "id")));
    const cJSON *const results = cJSON_GetObjectItem(run, "results"), *item = NULL;
    cr_expect_eq(cJSON_GetArraySize(results), count, "%s", text);
    cJSON_ArrayForEach(item, results)
    {
        const cJSON *const place = cJSON_GetArrayItem(cJSON_GetObjectItem(item, "locations"), 0);
        const cJSON *const artifact =
            cJSON_GetObjectItem(cJSON_GetObjectItem(place, "physicalLocation"), "artifactLocation");
        cr_expect_not_null(strstr(cJSON_GetStringValue(cJSON_GetObjectItem(item, "ruleId")), rule));
        cr_expect_not_null(cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(item, "message"), "text")));
        cr_expect_not_null(cJSON_GetStringValue(cJSON_GetObjectItem(artifact, "uri")));
    }
    cJSON_Delete(root);
}

Test(regress, shows_what_changed_and_hides_the_rest)
{
    fresh_directory(directory, sizeof directory, "regress-page");
    picafuzz("PICAFUZZ_FAULT=fog", "regress -b reference -b " FAULTY " -o '%s/out' " HALL " corpus/seeds/fill", 1,
             "2 agree, 1 diverge");
    read_file("out/index.html");
    cr_expect_not_null(strstr(text, "pixel      ("), "no pixel: %s", text);
    cr_expect_not_null(strstr(text, "draw       "), "no draw: %s", text);
    cr_expect_not_null(strstr(text, "after has "), "both may have the same name: %s", text);
    cr_expect_not_null(strstr(text, "\"difference\":\"pictures/"), "%s", text);
    cr_expect_not_null(strstr(text, "3 cases: 2 agree, 1 diverge"), "%s", text);
    char pictures[2048];
    (void)snprintf(pictures, sizeof pictures, "%s/out/pictures", directory);
    cr_expect_geq(count_files(pictures, ".png"), 3);
    read_file("out/index.json");
    cr_expect_not_null(strstr(text, "\"verdict\":\t\"diverge\""));
    expect_sarif("out/findings.sarif", "diverge", 1);
}

/* Two builds of one emulator have the same name, and each its own process and environment. */
Test(regress, two_builds_that_do_the_same_are_the_same)
{
    fresh_directory(directory, sizeof directory, "regress-same");
    picafuzz("PICAFUZZ_FAULT=pixel", "regress -b " BROKEN "," BROKEN " -o '%s/out' " MESH, 0, "1 agree");
    read_file("out/index.html");
    cr_expect_not_null(strstr(text, "1 case: 1 agree"));
}

Test(regress, against_recorded_results_infers_the_stage_and_names_what_is_not_recorded)
{
    fresh_directory(directory, sizeof directory, "regress-recorded");
    picafuzz("", "run -b reference --no-pictures --record '%s/a.res' " HALL, 0, "1 case(s) recorded");
    picafuzz("PICAFUZZ_FAULT=fog",
             "regress -b 'recorded:%s/a.res' -b " FAULTY " -o '%s/out' " HALL " corpus/seeds/fill", 1,
             "this case is not recorded");
    cr_expect_not_null(strstr(result.output, "1 diverge, 2 not tested"), "%s", result.output);
    read_file("out/index.html");
    cr_expect_not_null(strstr(text, ", inferred"), "%s", text);
    cr_expect_not_null(strstr(text, "reference's history of the pixel"), "%s", text);
}

/* Colours that are interpolated and passed on: their history does not tell which stage was other. */
Test(regress, of_recorded_results_whose_history_tells_no_stage_name_none)
{
    fresh_directory(directory, sizeof directory, "regress-stage");
    picafuzz("",
             "run -b reference+primary-rounding=truncates --no-pictures --record '%s/a.res' "
             "corpus/splits/primary-rounding.pcase",
             0, "1 case(s) recorded");
    picafuzz("", "diff -b reference,'recorded:%s/a.res' corpus/splits/primary-rounding.pcase", 1, "stage      memory");
    cr_expect_null(strstr(result.output, "inferred"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "which does not tell the stage"), "%s", result.output);
}

/* `agree` must not look like more than was compared. */
/* The fault changes the first byte of VRAM. */
Test(regress, of_memory_chosen_pages_alone_are_recorded_and_compared)
{
    static const char partly[] = "(memory of some pages, registers, ";
    fresh_directory(directory, sizeof directory, "regress-pages");
    picafuzz("", "run -b reference --no-pictures --record '%s/a.res' --record-pages surfaces " HALL, 0, "recorded");
    picafuzz("", "run -b reference --no-pictures --record '%s/b.res' --record-pages 0x18001000+1,0x18300000+2 " HALL, 0,
             "recorded");
    picafuzz("", "diff -b 'recorded:%s/a.res',fast " HALL, 0, partly);
    picafuzz("", "diff -b fast,'recorded:%s/b.res' " HALL, 0, partly);
    picafuzz("PICAFUZZ_FAULT=pixel", "diff --no-explain -b 'recorded:%s/a.res'," BROKEN " " HALL, 1, "0x18000000");
    picafuzz("PICAFUZZ_FAULT=pixel", "diff --no-explain -b 'recorded:%s/b.res'," BROKEN " " HALL, 0, partly);
    picafuzz("PICAFUZZ_FAULT=pixel", "regress -b 'recorded:%s/a.res' -b " BROKEN " -o '%s/out' " HALL, 1, "1 diverge");
    picafuzz("PICAFUZZ_FAULT=pixel", "regress -b 'recorded:%s/b.res' -b " BROKEN " -o '%s/out' " HALL, 0, "1 agree");
    picafuzz("", "run -b reference --record '%s/c.res' --record-pages somewhere " HALL, 2,
             "'somewhere' is neither `surfaces` nor ADDRESS+BYTES");
    picafuzz("", "run -b reference --record '%s/c.res' --record-pages 0x18000000+0 " HALL, 2, "neither");
    picafuzz("", "run -b reference --record-pages surfaces " HALL, 2, "--record-pages goes with --record");
}

Test(regress, says_what_was_compared)
{
    fresh_directory(directory, sizeof directory, "regress-scope");
    picafuzz("PICAFUZZ_FAULT=fog", "regress -b reference -b " FAULTY " --ignore memory -o '%s/out' " HALL, 0,
             "1 agree (");
    read_file("out/index.html");
    cr_expect_not_null(strstr(text, "\"compared\":\"registers"), "%s", text);
}

Test(regress, a_crash_says_which_of_the_two_it_was)
{
    fresh_directory(directory, sizeof directory, "regress-crash");
    picafuzz("PICAFUZZ_FAULT=crash", "regress -b reference -b " BROKEN " -o '%s/out' " MESH " corpus/seeds/fill", 3,
             "crash: after: ");
    cr_expect_not_null(strstr(result.output, "2 agree, 1 crash"), "the rest did not run: %s", result.output);
    picafuzz("PICAFUZZ_FAULT=crash", "regress -b " BROKEN " -b fast -o '%s/out' " MESH, 3, "crash: before: ");
}

Test(regress, what_the_baseline_accepts_does_not_count)
{
    static const char command[] = "regress -b reference -b " BROKEN " --quirks '%s/a.quirks' -o '%s/out' " MESH;
    fresh_directory(directory, sizeof directory, "regress-baseline");
    shell("echo 'version = 1; baseline = ( { case = \"jumps-f0.picacap\"; expect = \"fail\"; } );' > a.quirks");
    picafuzz("PICAFUZZ_FAULT=pixel", command, 0, "1 diverge (1 accepted)");
    read_file("out/index.html");
    cr_expect_not_null(strstr(text, "\"verdict\":\"diverge\",\"accepted\":true"), "%s", text);
    shell("echo 'version = 1; baseline = ( { case = \"other.pcase\"; expect = \"fail\"; } );' > a.quirks");
    picafuzz("PICAFUZZ_FAULT=pixel", command, 1, ": new\n");
}

Test(regress, a_change_that_does_not_come_back_is_called_unstable)
{
    char environment[2048];
    fresh_directory(directory, sizeof directory, "regress-unstable");
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_FAULT=counter PICAFUZZ_COUNTER='%s/count'", directory);
    picafuzz(environment, "regress -b reference -b " BROKEN " -o '%s/out' " MESH, 1,
             ": unstable: the difference came back in 1 of 3 fresh processes");
}

Test(regress, the_same_results_are_the_same_bytes)
{
    fresh_directory(directory, sizeof directory, "regress-bytes");
    for (int i = 0; i < 2; i++) {
        picafuzz("PICAFUZZ_FAULT=pixel", "regress -b reference -b " BROKEN " -o '%s/out' " MESH, 1, "1 diverge");
        picafuzz("SOURCE_DATE_EPOCH=86400", "run -b reference --no-pictures --record '%s/out/a.res' " MESH, 0,
                 "recorded");
        shell(i == 0 ? "mv out first" : "diff -r first out");
    }
    picafuzz("", "backends 'recorded:%s/out/a.res'", 0, "1970-01-02T00:00:00Z");
}

/* Names of files, cases and backends go into pages and terminals. */
Test(regress, words_of_others_are_text_in_page_and_terminal)
{
    static const char liar[] = PICAFUZZ_BINARY_DIR "/lib/liar_backend.so";
    char line[2048];
    fresh_directory(directory, sizeof directory, "regress-words");
    shell("cp '" PICAFUZZ_SOURCE_DIR "/" MESH "' \"$(printf 'a<script>b\\033[31m.picacap')\"");
    (void)snprintf(line, sizeof line, "run -b '%s' --no-pictures --record '%%s/a.res' '%%s'", liar);
    picafuzz("PICAFUZZ_LIE=script", line, 0, "1 case(s) recorded");
    cr_expect_null(strchr(result.output, '\033'), "%s", result.output);
    picafuzz("", "backends 'recorded:%s/a.res'", 0, "holds 1 case(s)");
    cr_expect_null(strchr(result.output, '\033'), "%s", result.output);
    picafuzz("PICAFUZZ_FAULT=pixel", "regress -b 'recorded:%s/a.res' -b reference -o '%s/out' '%s'", 1, "diverge");
    cr_expect_null(strchr(result.output, '\033'), "%s", result.output);
    read_file("out/index.html");
    cr_expect_null(strstr(text, "a<script"), "%s", text);
    cr_expect_null(strchr(text, '\033'));
    cr_expect_not_null(strstr(text, "a\\u003cscript>b"), "%s", text);
}

Test(regress, two_backends_and_a_whole_recording_or_an_error)
{
    fresh_directory(directory, sizeof directory, "regress-usage");
    picafuzz("", "regress -b fast " MESH, 2, "-b BEFORE -b AFTER");
    picafuzz("", "regress -b fast,reference", 2, "no case given");
    picafuzz("", "run -b reference --no-pictures --record '%s/a.res' corpus/seeds/fill", 0, "recorded");
    shell("head -c 900 a.res > cut.res && cp a.res edited.res && "
          "printf X | dd of=edited.res bs=1 seek=300 conv=notrunc status=none");
    picafuzz("", "regress -b 'recorded:%s/cut.res' -b fast -o '%s/out' corpus/seeds/fill", 2, "the file is cut");
    cr_expect_not_null(strstr(result.output, "cut.res: offset "), "%s", result.output);
    picafuzz("", "regress -b 'recorded:%s/edited.res' -b fast -o '%s/out' corpus/seeds/fill", 2, "edited.res: offset ");
}
