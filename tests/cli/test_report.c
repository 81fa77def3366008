/* `picafuzz report` as a user runs it, on a plug-in with planted faults. */
#include "tests/cli/program.h"

enum {
    FOLDER_KIB = 200 /* a finding is small enough for a mail */
};

static char bucket[64]; /* of make_findings */

static void report(const char *fault, const char *output, const char *what)
{
    run(words_of("%s report -b reference,@broken -o @/%s %s", fault, output, what));
}

Test(report, pages_pictures_json_and_junit_of_findings)
{
    report("PICAFUZZ_FAULT=pixel", "out", "corpus/captures/jumps-f0.picacap corpus/captures/jumps-f5.picacap");
    EXPECT_END(1, "2 cases, 2 with a finding");
    EXPECT_FILE("out/index.html", "0001-jumps-f0/index.html", "0002-jumps-f5/index.html");
    EXPECT_FILE("out/junit.xml", "tests=\"2\" failures=\"2\"");
    EXPECT_FILE("out/index.json", "\"format\":\t\"picafuzz report 3\"");
    EXPECT_FILE("out/0001-jumps-f0/index.html", "\"guilty\":true", "buffer0-difference.png");
    cr_expect_null(strstr(text_of("out/0001-jumps-f0/index.html"), "of the value that differs"),
                   "a byte flipped behind the GPU's back is the value of no rule");
    cr_expect_geq(files_in("out/0001-jumps-f0", ".png"), 4);
}

/* A directory as a campaign leaves it: three findings fell into one bucket, one is kept, with its original
 * beside it. */
static void make_findings(void)
{
    run("PICAFUZZ_FAULT=pixel reduce -b reference,@broken corpus/captures/jumps-f0.picacap --json -o @/case.pcase");
    const char *const name = strstr(result.output, "\"bucket\":\"");
    cr_assert_not_null(name, "%s", result.output);
    (void)snprintf(bucket, sizeof bucket, "%.*s", (int)strcspn(name + 10, "\""), name + 10);
    shell(words_of("mkdir -p @/findings/%s && cp corpus/captures/jumps-f0.picacap @/findings/%s/case.pcb && cd @ && "
                   "mv case.pcase findings/%s && cd findings/%s && echo 3 > count && "
                   "echo 2025-01-02T03:04:05Z > first-seen",
                   bucket, bucket, bucket, bucket));
}

Test(report, findings_stand_by_bucket_with_their_number_and_when_they_were_first_seen)
{
    make_findings();
    report("PICAFUZZ_FAULT=pixel", "out", "@/findings corpus/captures/stale-f0.picacap");
    EXPECT_SAID("2 cases, 2 with a finding");
    const char *const at = strstr(text_of("out/index.json"), bucket);
    cr_assert_not_null(at, "%s: not the bucket of triage", bucket);
    cr_expect_not_null(strstr(at, "\"found\":\t3"));
    cr_expect_not_null(strstr(at, "\"kept\":\t1"));
    cr_expect_not_null(strstr(at, "\"first_seen\":\t\"2025-01-02T03:04:05Z\""));
    EXPECT_FILE("out/index.html", words_of("\"bucket\":\"%s\"", bucket), "2025-01-02T03:04:05Z");
    EXPECT_FILE("out/0001-case/index.html", "2025-01-02T03:04:05Z");
}

Test(report, the_same_directory_gives_the_same_bytes)
{
    make_findings();
    report("PICAFUZZ_FAULT=pixel", "one", "@/findings corpus/captures/relay-f0.picacap");
    report("PICAFUZZ_FAULT=pixel", "two", "@/findings/ corpus/captures/relay-f0.picacap");
    shell("diff -r @/one @/two && cd @/one && test $(find . -type f | wc -l) -gt 8");
}

Test(report, what_triage_knows_is_not_found_out_again)
{
    make_findings();
    EXPECT_RUN("PICAFUZZ_FAULT=crash triage -b reference,@broken @/findings", 3, "");
    report("PICAFUZZ_FAULT=pixel", "out", "@/findings"); /* it would not crash any more */
    EXPECT_END(3, "");
    EXPECT_FILE("out/index.json", "\"verdict\":\t\"crash\"");
    report("PICAFUZZ_FAULT=pixel", "anew", "--timeout 2 corpus/captures/stale-f0.picacap");
    EXPECT_END(1, "");
}

Test(report, the_index_shows_each_bucket_with_its_title_and_small_pictures)
{
    make_findings();
    report("PICAFUZZ_FAULT=pixel", "out", "@/findings");
    EXPECT_FILE("out/index.html", "framebuffer: FBF-02");
    static const char *const pictures[] = { "first", "second", "difference" };
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        EXPECT_FILE("out/index.html", words_of("\"%s\":\"buffer0-%s.png\"", pictures[i], pictures[i]));
        cr_expect(file_exists(path_in(words_of("out/0001-case/buffer0-%s.png", pictures[i]))), "%s", pictures[i]);
    }
}

Test(report, a_folder_of_a_reduced_finding_is_small)
{
    make_findings();
    report("PICAFUZZ_FAULT=pixel", "out", "@/findings");
    shell(words_of("test $(cat @/out/0001-case/* | wc -c) -lt %d", FOLDER_KIB * 1024));
}

Test(report, a_case_that_crashes_a_backend_says_which_and_in_what)
{
    report("PICAFUZZ_FAULT=crash", "out", "corpus/captures/jumps-f0.picacap");
    EXPECT_END(3, "");
    EXPECT_FILE("out/0001-jumps-f0/index.html", "broken: crash in operation", "\"guilty\":true");
    EXPECT_FILE("out/index.html", "\"bucket\":\"crash-fail-after-");
}

Test(report, a_crash_while_a_case_is_loaded_blames_no_operation)
{
    report("PICAFUZZ_FAULT=load-crash", "out", "corpus/captures/jumps-f0.picacap");
    EXPECT_END(3, "");
    EXPECT_FILE("out/0001-jumps-f0/index.html", "broken: crash while the case was loaded: signal 6");
    cr_expect_null(strstr(text_of("out/0001-jumps-f0/index.html"), "\"guilty\":"), "an operation is marked");
    cr_expect_null(strstr(text_of("out/0001-jumps-f0/index.html"), "operation 0"));
    EXPECT_FILE("out/index.html", "\"bucket\":\"crash-crash-if-", "crash in crash_if: signal 6");
}

/* faulty_backend: crash-fog crashes in the first draw with fog. */
Test(report, the_command_that_crashes_a_backend_is_marked)
{
    EXPECT_RUN("PICAFUZZ_FAULT=crash-fog report -b reference,@faulty -o @/out corpus/seeds/fog/table-over-depth.pcase",
               3, "");
    EXPECT_FILE("out/0001-table-over-depth/index.html",
                "faulty: crash in operation 0 (submit), at its command 33 (DRAWARRAYS)",
                "DRAWARRAYS = 1\",\"guilty\":true");
}

/* Where no picture shows a fault (a fill, the alpha of a pixel), the bytes do. */
Test(report, memory_that_differs_stands_side_by_side)
{
    report("PICAFUZZ_FAULT=pixel", "out", "corpus/captures/jumps-f0.picacap");
    EXPECT_FILE("out/0001-jumps-f0/index.html",
                "\"memory\":{\"names\":[\"reference\", \"broken\"],\"lines\":[{\"address\":\"0x18000000\"");
}

Test(report, a_backend_that_hangs_is_named)
{
    report("PICAFUZZ_FAULT=hang", "out", "--timeout 0.3 corpus/captures/jumps-f0.picacap");
    EXPECT_END(3, "");
    EXPECT_FILE("out/index.json", "\"message\":\t\"broken: hang in operation");
}

/* Whatever a plug-in says or does when it is asked for more, the finding has its page. */
Test(report, a_plug_in_that_lies_or_dies_when_it_is_traced_gets_its_page)
{
    static const struct {
        const char *lie, *place;
    } rows[] = { { "steps", "" }, { "names", "" },       { "draw", "" },         { "crash", "" },
                 { "exit", "" },  { "draw", "inline:" }, { "crash", "inline:" }, { "exit", "inline:" } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EXPECT_RUN(
            words_of("PICAFUZZ_LIE=%s report -b %s@liar,reference -o @/%zu corpus/seeds/blend/dest-factors.pcase",
                     rows[i].lie, rows[i].place, i),
            1, "");
        EXPECT_FILE(words_of("%zu/0001-dest-factors/index.html", i), "diverge");
    }
}

/* But for that of the kit, and its facts. */
static void expect_no_script(const char *page)
{
    size_t scripts = 0;
    const char *const text = text_of(page);
    for (const char *at = text; (at = strstr(at, "<script")) != NULL; at++)
        scripts++;
    cr_expect_eq(scripts, 2, "%s would run in a browser", page);
    cr_expect_not_null(strstr(text, "</html>"), "%s", page);
}

Test(report, words_of_others_are_no_script_in_a_page)
{
    make_findings();
    run("PICAFUZZ_FAULT=pixel triage -b reference,@broken @/findings");
    shell("sed -i 's/\"bucket\":.*,/\"bucket\": \"<script>\",/' @/findings/triage.json && grep -q '<script>' "
          "@/findings/triage.json");
    report("PICAFUZZ_FAULT=pixel", "out", "@/findings");
    expect_no_script("out/index.html");
    expect_no_script("out/0001-case/index.html");
    EXPECT_RUN("PICAFUZZ_LIE=script report -b @liar,reference -o @/named corpus/seeds/blend/dest-factors.pcase", 1, "");
    expect_no_script("named/index.html");
    expect_no_script("named/0001-dest-factors/index.html");
    EXPECT_FILE("named/0001-dest-factors/index.html", "\\u003cscript>");
}

/* The same words on a terminal, which would obey ESC [. */
Test(report, words_of_others_do_not_steer_the_terminal)
{
    shell("cp corpus/seeds/blend/dest-factors.pcase @/$(printf 'a\\033[31m\\302\\233b').pcase");
    static const char *const commands[] = { "show", "run --no-pictures", "diff", "triage --no-index", "check" };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const bool whole = strncmp(commands[i], "triage", 6) == 0;
        EXPECT_RUN(words_of("%s @%s", commands[i], whole ? "" : "/*.pcase"), 0, "");
        cr_expect_null(strchr(result.output, '\033'), "%s", commands[i]);
        EXPECT_LACKS("\302\233");
    }
    EXPECT_RUN("show @/'no\033[31msuch'", 2, "");
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
        "check --only '" ESC "' corpus/captures/jumps-f0.picacap",
        "diff --isa '" ESC "' corpus/captures/jumps-f0.picacap",
        "diff --generate '" ESC "' 1",
        "diff -b '" ESC ",fast' corpus/captures/jumps-f0.picacap",
        "fuzz --engine '" ESC "'",
        "fuzz --seconds '" ESC "'",
        "manual '" ESC "'",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        EXPECT_RUN(lines[i], 2, "");
        cr_expect_not_null(strchr(result.output, '?'), "the word is not there: %s", result.output);
        cr_expect_null(strchr(result.output, '\033'), "%s", lines[i]);
        EXPECT_LACKS("\302\233");
    }
    shell("cd @ && printf '{\"registers\": 100}' >'" ESC "'");
    EXPECT_RUN("coverage --gate @/'" ESC "' corpus/captures/jumps-f0.picacap", 1, "");
    cr_expect_null(strchr(result.output, '\033'), "%s", result.output);
#undef ESC
}

Test(report, a_fifo_among_findings_hangs_nobody)
{
    make_findings();
    shell(
        words_of("cd @/findings && mkfifo triage.json case.pcase %s/fifo && rm -f count && cd %s && rm count && mkfifo "
                 "count",
                 bucket, bucket));
    run_shell("PICAFUZZ_FAULT=pixel timeout 30 picafuzz triage -b reference,@broken @/findings");
    EXPECT_END(1, "");
}

Test(report, usage_errors_exit_2)
{
    EXPECT_RUN("report corpus/captures/jumps-f0.picacap", 2, "");
    EXPECT_RUN("report -o build/never --timeout soon corpus/captures/jumps-f0.picacap", 2, "--timeout");
}
