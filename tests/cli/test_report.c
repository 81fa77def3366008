/* `picafuzz report` as a user runs it, on a plug-in with planted faults. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FOLDER_KIB = 200 /* a finding is small enough for a mail */
};

#define BROKEN "-b reference,'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'"

static struct command_result result;
static char directory[1024];
static char arguments[8192];
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

static int shell(const char *format, const char *a, const char *b)
{
    char line[8192];
    (void)snprintf(line, sizeof line, format, a, b);
    return system(line);
}

static void report(const char *fault, const char *output, const char *what)
{
    (void)snprintf(arguments, sizeof arguments, "report " BROKEN " -o '%s/%s' %s", directory, output, what);
    run_picafuzz(&result, fault, arguments);
}

Test(report, pages_pictures_json_and_junit_of_findings)
{
    fresh_directory(directory, sizeof directory, "report");
    report("PICAFUZZ_FAULT=pixel", "out", "corpus/captures/mesh-f0.picacap corpus/captures/jumps-f0.picacap");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "2 cases, 2 with a finding"), "%s", result.output);
    read_file("out/index.html");
    cr_expect_not_null(strstr(text, "0001-mesh-f0/index.html"));
    cr_expect_not_null(strstr(text, "0002-jumps-f0/index.html"));
    read_file("out/junit.xml");
    cr_expect_not_null(strstr(text, "tests=\"2\" failures=\"2\""));
    read_file("out/index.json");
    cr_expect_not_null(strstr(text, "\"format\":\t\"picafuzz report 2\""));
    read_file("out/0001-mesh-f0/index.html");
    cr_expect_not_null(strstr(text, "\"guilty\":true"), "the guilty line is not marked");
    cr_expect_not_null(strstr(text, "buffer0-difference.png"));
    cr_expect_null(strstr(text, "\"rule\":{"),
                   "a byte flipped behind the GPU's back breaks no rule that could be named");
    char folder[2048];
    (void)snprintf(folder, sizeof folder, "%s/out/0001-mesh-f0", directory);
    cr_expect_geq(count_files(folder, ".png"), 4);
}

/* A directory as a campaign leaves it: three findings fell into one bucket, one is kept, with its original
 * beside it. */
static void make_findings(const char *test, char *bucket, size_t size)
{
    fresh_directory(directory, sizeof directory, test);
    (void)snprintf(arguments, sizeof arguments,
                   "reduce " BROKEN " corpus/captures/mesh-f0.picacap --json -o '%s/case.pcase'", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    const char *const name = strstr(result.output, "\"bucket\":\"");
    cr_assert_not_null(name, "%s", result.output);
    (void)snprintf(bucket, size, "%.*s", (int)strcspn(name + 10, "\""), name + 10);
    cr_assert_eq(shell("mkdir -p '%s/findings/%s'", directory, bucket), 0);
    cr_assert_eq(shell("cd '%s' && mv case.pcase 'findings/%s'", directory, bucket), 0);
    cr_assert_eq(shell("cp '" PICAFUZZ_SOURCE_DIR "/corpus/captures/mesh-f0.picacap' '%s/findings/%s/case.pcb'",
                       directory, bucket),
                 0);
    cr_assert_eq(
        shell("cd '%s/findings/%s' && echo 3 > count && echo 2025-01-02T03:04:05Z > first-seen", directory, bucket), 0);
}

Test(report, findings_stand_by_bucket_with_their_number_and_when_they_were_first_seen)
{
    char bucket[64], line[4096];
    make_findings("report-buckets", bucket, sizeof bucket);
    (void)snprintf(line, sizeof line, "'%s/findings' corpus/captures/hand-f0.picacap", directory);
    report("PICAFUZZ_FAULT=pixel", "out", line);
    cr_expect_not_null(strstr(result.output, "2 cases, 2 with a finding"), "the case and what it was reduced from? %s",
                       result.output);
    read_file("out/index.json");
    const char *const at = strstr(text, bucket);
    cr_assert_not_null(at, "%s: not the bucket of triage", bucket);
    cr_expect_not_null(strstr(at, "\"found\":\t3"));
    cr_expect_not_null(strstr(at, "\"kept\":\t1"));
    cr_expect_not_null(strstr(at, "\"first_seen\":\t\"2025-01-02T03:04:05Z\""));
    read_file("out/index.html");
    (void)snprintf(line, sizeof line, "\"bucket\":\"%s\"", bucket);
    cr_expect_not_null(strstr(text, line));
    cr_expect_not_null(strstr(text, "2025-01-02T03:04:05Z"));
    read_file("out/0001-case/index.html");
    cr_expect_not_null(strstr(text, "2025-01-02T03:04:05Z"));
}

Test(report, the_same_directory_gives_the_same_bytes)
{
    char bucket[64], line[2048];
    make_findings("report-twice", bucket, sizeof bucket);
    (void)snprintf(line, sizeof line, "'%s/findings' corpus/captures/mask-f0.picacap", directory);
    report("PICAFUZZ_FAULT=pixel", "one", line);
    report("PICAFUZZ_FAULT=pixel", "two", line);
    cr_expect_eq(shell("diff -r '%s/one' '%s/two'", directory, directory), 0);
    cr_expect_eq(shell("cd '%s/one' && test $(find . -type f | wc -l) -gt 8%s", directory, ""), 0,
                 "there is little to compare");
}

Test(report, what_triage_knows_is_not_found_out_again)
{
    char bucket[64], line[2048];
    make_findings("report-known", bucket, sizeof bucket);
    (void)snprintf(arguments, sizeof arguments, "triage " BROKEN " '%s/findings'", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=crash", arguments);
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    (void)snprintf(line, sizeof line, "'%s/findings'", directory);
    report("PICAFUZZ_FAULT=pixel", "out", line); /* it would not crash any more */
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    read_file("out/index.json");
    cr_expect_not_null(strstr(text, "\"verdict\":\t\"crash\""));
    report("PICAFUZZ_FAULT=pixel", "anew", "--timeout 2 corpus/captures/hand-f0.picacap");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
}

Test(report, the_index_shows_each_bucket_with_its_title_and_small_pictures)
{
    char bucket[64], line[2048];
    make_findings("report-thumbnails", bucket, sizeof bucket);
    (void)snprintf(line, sizeof line, "'%s/findings'", directory);
    report("PICAFUZZ_FAULT=pixel", "out", line);
    read_file("out/index.html");
    cr_expect_not_null(strstr(text, "memory: color"), "no title: %s", text);
    static const char *const pictures[] = { "first", "second", "difference" };
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        (void)snprintf(line, sizeof line, "\"%s\":\"buffer0-%s.png\"", pictures[i], pictures[i]);
        cr_expect_not_null(strstr(text, line), "no %s: %s", line, text);
        (void)snprintf(line, sizeof line, "%s/out/0001-case/buffer0-%s.png", directory, pictures[i]);
        cr_expect_eq(access(line, R_OK), 0, "%s is not there", line);
    }
}

Test(report, a_folder_of_a_reduced_finding_is_small)
{
    char bucket[64], line[2048];
    make_findings("report-small", bucket, sizeof bucket);
    (void)snprintf(line, sizeof line, "'%s/findings'", directory);
    report("PICAFUZZ_FAULT=pixel", "out", line);
    (void)snprintf(line, sizeof line, "test $(cat '%s'/out/0001-case/* | wc -c) -lt %d", directory, FOLDER_KIB * 1024);
    cr_expect_eq(system(line), 0);
}

Test(report, a_case_that_crashes_a_backend_says_which_and_in_what)
{
    fresh_directory(directory, sizeof directory, "report-crash");
    report("PICAFUZZ_FAULT=crash", "out", "corpus/captures/mesh-f0.picacap");
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    read_file("out/0001-mesh-f0/index.html");
    cr_expect_not_null(strstr(text, "broken: crash in operation"));
    cr_expect_not_null(strstr(text, "\"guilty\":true"), "the guilty operation is not marked");
    read_file("out/index.html");
    cr_expect_not_null(strstr(text, "\"bucket\":\"crash-fail-after-"));
}

Test(report, a_crash_while_a_case_is_loaded_blames_no_operation)
{
    fresh_directory(directory, sizeof directory, "report-load-crash");
    report("PICAFUZZ_FAULT=load-crash", "out", "corpus/captures/mesh-f0.picacap");
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    read_file("out/0001-mesh-f0/index.html");
    cr_expect_not_null(strstr(text, "broken: crash while the case was loaded: signal 6"));
    cr_expect_null(strstr(text, "\"guilty\":"), "an operation is marked");
    cr_expect_null(strstr(text, "operation 0"));
    read_file("out/index.html");
    cr_expect_not_null(strstr(text, "\"bucket\":\"crash-crash-if-"));
    cr_expect_not_null(strstr(text, "crash in crash_if: signal 6"));
}

/* faulty_backend: crash-fog crashes in the first draw with fog. */
Test(report, the_command_that_crashes_a_backend_is_marked)
{
    fresh_directory(directory, sizeof directory, "report-fatal");
    (void)snprintf(arguments, sizeof arguments,
                   "report -b reference,'" PICAFUZZ_BINARY_DIR "/lib/faulty_backend.so' -o '%s/out' "
                   "corpus/seeds/fog/table-over-depth.pcase",
                   directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=crash-fog", arguments);
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    read_file("out/0001-table-over-depth/index.html");
    cr_expect_not_null(strstr(text, "faulty: crash in operation 0 (submit), at its command 33 (DRAWARRAYS)"));
    cr_expect_not_null(strstr(text, "DRAWARRAYS = 1\",\"guilty\":true"));
}

/* Where no picture shows a fault (a fill, the alpha of a pixel), the bytes do. */
Test(report, memory_that_differs_stands_side_by_side)
{
    fresh_directory(directory, sizeof directory, "report-memory");
    report("PICAFUZZ_FAULT=pixel", "out", "corpus/captures/mesh-f0.picacap");
    read_file("out/0001-mesh-f0/index.html");
    cr_expect_not_null(
        strstr(text, "\"memory\":{\"names\":[\"reference\", \"broken\"],\"lines\":[{\"address\":\"0x18000000\""), "%s",
        text);
}

Test(report, a_backend_that_hangs_is_named)
{
    fresh_directory(directory, sizeof directory, "report-hang");
    report("PICAFUZZ_FAULT=hang", "out", "--timeout 0.3 corpus/captures/mesh-f0.picacap");
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    read_file("out/index.json");
    cr_expect_not_null(strstr(text, "\"message\":\t\"broken: hang in operation"));
}

/* Whatever a plug-in says or does when it is asked for more, the finding has its page. */
Test(report, a_plug_in_that_lies_or_dies_when_it_is_traced_gets_its_page)
{
    static const struct {
        const char *lie, *place;
    } rows[] = { { "steps", "" }, { "names", "" },       { "draw", "" },         { "crash", "" },
                 { "exit", "" },  { "draw", "inline:" }, { "crash", "inline:" }, { "exit", "inline:" } };
    char variable[64], page[64];
    fresh_directory(directory, sizeof directory, "report-liar");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)snprintf(variable, sizeof variable, "PICAFUZZ_LIE=%s", rows[i].lie);
        (void)snprintf(arguments, sizeof arguments,
                       "report -b %s'" PICAFUZZ_BINARY_DIR
                       "/lib/liar_backend.so',reference -o '%s/%zu' corpus/seeds/blend/dest-factors.pcase",
                       rows[i].place, directory, i);
        run_picafuzz(&result, variable, arguments);
        cr_expect_eq(result.exit_code, 1, "%zu: %d: %s", i, result.exit_code, result.output);
        (void)snprintf(page, sizeof page, "%zu/0001-dest-factors/index.html", i);
        read_file(page);
        cr_expect_not_null(strstr(text, "diverge"), "%zu", i);
    }
}

/* But for that of the kit, and its facts. */
static void expect_no_script(const char *page)
{
    size_t scripts = 0;
    read_file(page);
    for (const char *at = text; (at = strstr(at, "<script")) != NULL; at++)
        scripts++;
    cr_expect_eq(scripts, 2, "%s would run in a browser", page);
    cr_expect_not_null(strstr(text, "</html>"), "%s", page);
}

Test(report, words_of_others_are_no_script_in_a_page)
{
    char bucket[64], line[4096];
    make_findings("report-script", bucket, sizeof bucket);
    (void)snprintf(arguments, sizeof arguments, "triage " BROKEN " '%s/findings'", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    (void)snprintf(line, sizeof line,
                   "sed -i 's/\"bucket\":.*,/\"bucket\": \"<script>\",/' '%s/findings/triage.json' && "
                   "grep -q '<script>' '%s/findings/triage.json'",
                   directory, directory);
    cr_assert_eq(system(line), 0, "the index has another form");
    (void)snprintf(line, sizeof line, "'%s/findings'", directory);
    report("PICAFUZZ_FAULT=pixel", "out", line);
    expect_no_script("out/index.html");
    expect_no_script("out/0001-case/index.html");
    (void)snprintf(arguments, sizeof arguments,
                   "report -b '" PICAFUZZ_BINARY_DIR "/lib/liar_backend.so',reference -o '%s/named' "
                   "corpus/seeds/blend/dest-factors.pcase",
                   directory);
    run_picafuzz(&result, "PICAFUZZ_LIE=script", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    expect_no_script("named/index.html");
    expect_no_script("named/0001-dest-factors/index.html");
    cr_expect_not_null(strstr(text, "\\u003cscript>"), "the name is not there at all");
}

/* The same words on a terminal, which would obey ESC [. */
Test(report, words_of_others_do_not_steer_the_terminal)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, "report-escapes");
    (void)snprintf(line, sizeof line,
                   "cp corpus/seeds/blend/dest-factors.pcase '%s'/$(printf 'a\\033[31m\\302\\233b').pcase; cd '%s'; ",
                   directory, directory);
    cr_assert_eq(shell("cd '" PICAFUZZ_SOURCE_DIR "' && %s%s", line, ""), 0);
    static const char *const commands[] = { "show", "run --no-pictures", "diff", "triage --no-index", "check" };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const bool whole = strncmp(commands[i], "triage", 6) == 0;
        (void)snprintf(arguments, sizeof arguments, "%s '%s'%s", commands[i], directory, whole ? "" : "/*.pcase");
        run_picafuzz(&result, "", arguments);
        cr_expect_eq(result.exit_code, 0, "%s: %s", commands[i], result.output);
        cr_expect_null(strchr(result.output, '\033'), "%s", commands[i]);
        cr_expect_null(strstr(result.output, "\302\233"), "%s", commands[i]);
    }
    (void)snprintf(arguments, sizeof arguments, "show '%s/no\033[31msuch'", directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    cr_expect_null(strchr(result.output, '\033'));
}

/* Nor do those of the command line, in what is said of them. */
Test(report, words_of_the_command_line_do_not_steer_the_terminal)
{
#define ESC "a\033[31m\302\233b"
    static const char *const lines[] = {
        "'" ESC "'",
        "help '" ESC "'",
        "asm '" ESC ".picacap'",
        "generate '" ESC "'",
        "generate --areas '" ESC "' -o x",
        "show '--" ESC "'",
        "show '-\033'",
        "check --only '" ESC "' corpus/captures/mesh-f0.picacap",
        "diff --isa '" ESC "' corpus/captures/mesh-f0.picacap",
        "diff --generate '" ESC "' 1",
        "diff -b '" ESC ",fast' corpus/captures/mesh-f0.picacap",
        "fuzz --engine '" ESC "'",
        "fuzz --seconds '" ESC "'",
        "manual '" ESC "'",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        run_picafuzz(&result, "", lines[i]);
        cr_expect_eq(result.exit_code, 2, "%s: %s", lines[i], result.output);
        cr_expect_not_null(strchr(result.output, '?'), "the word is not there: %s", result.output);
        cr_expect_null(strchr(result.output, '\033'), "%s", lines[i]);
        cr_expect_null(strstr(result.output, "\302\233"), "%s", lines[i]);
    }
    fresh_directory(directory, sizeof directory, "report-level");
    cr_assert_eq(shell("cd '%s' && printf '{\"registers\": 100}' >'" ESC "'%s", directory, ""), 0);
    (void)snprintf(arguments, sizeof arguments, "coverage --gate '%s/" ESC "' corpus/captures/mesh-f0.picacap",
                   directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_null(strchr(result.output, '\033'), "%s", result.output);
#undef ESC
}

Test(report, a_fifo_among_findings_hangs_nobody)
{
    char bucket[64];
    make_findings("report-fifo", bucket, sizeof bucket);
    cr_assert_eq(shell("cd '%s/findings' && mkfifo triage.json case.pcase '%s/fifo' && rm -f count", directory, bucket),
                 0);
    cr_assert_eq(shell("cd '%s/findings/%s' && rm count && mkfifo count", directory, bucket), 0);
    (void)snprintf(arguments, sizeof arguments, "triage " BROKEN " '%s/findings'", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel timeout 30", arguments);
    cr_expect_eq(result.exit_code, 1, "%d: %s", result.exit_code, result.output);
}

Test(report, usage_errors_exit_2)
{
    run_picafuzz(&result, "", "report corpus/captures/mesh-f0.picacap");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    run_picafuzz(&result, "", "report -o build/never --timeout soon corpus/captures/mesh-f0.picacap");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "--timeout"), "%s", result.output);
}
