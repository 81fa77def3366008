/* The program as a user runs it: output, exit codes, files. */
#include "tests/cli/program.h"

#include <png.h>
#include <stdint.h>

Test(cli, help_teaches_by_example_and_exits_0)
{
    EXPECT_RUN("--help", 0, "exit codes:");
    EXPECT_RUN("help", 0, "commands:");
    static const char *const commands[] = {
        "run",    "diff",     "show",     "asm",    "import", "fuzz",   "check",
        "report", "backends", "generate", "mutate", "reduce", "triage", "coverage"
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        EXPECT_RUN(words_of("%s --help", commands[i]), 0, words_of("\n  picafuzz %s", commands[i]), "exit codes:");
}

Test(cli, usage_errors_exit_2_and_point_to_the_help)
{
    EXPECT_RUN("", 2, "commands:");
    EXPECT_RUN("nonsense", 2, "unknown command 'nonsense'");
    EXPECT_RUN("rnu", 2, "unknown command 'rnu', did you mean run?");
    EXPECT_RUN("backends --count 1", 2, "unknown option '--count'");
    EXPECT_RUN("run", 2, "no case given; see `picafuzz run --help`");
    EXPECT_RUN("run --threads many x", 2, "--threads: 'many' is not a number from 0 to 64");
    EXPECT_RUN("run --capacity -1 x", 2, "--capacity: '-1' is not a number from 0 to 65536");
    EXPECT_RUN("run --isa sse9 x", 2, "'sse9' is not one of");
    EXPECT_RUN("diff --backends reference x", 2, "2 to 8 names");
    EXPECT_RUN("fuzz --jobs 0", 2, "--jobs");
    EXPECT_RUN("fuzz --engine honggfuzz", 2, "not one of seeds, libfuzzer, afl");
    EXPECT_RUN("show", 2, "give one file");
    EXPECT_RUN("check", 2, "no case given; name files, or use --generate SEED COUNT");
    EXPECT_RUN("check --relations joined,unheard-of x", 2,
               "'unheard-of' is not one of deterministic, invariant, one-by-one, ");
    EXPECT_RUN("reduce --relation invariant -b fast -o /dev/null x", 2,
               "'invariant' is not one of one-by-one, joined, ");
    EXPECT_RUN("generate --areas fog,smoke", 2, "--areas: 'smoke' is not one of ");
    EXPECT_RUN("mutate --kind odd x", 2, "--kind: 'odd' is not one of ");
    EXPECT_RUN("check --generate 1", 2, "--generate: '1 ' is not a seed and a count");
    EXPECT_RUN("check --generate 1 1 --mode odd", 2, "--mode: 'odd' is not one of");
}

Test(cli, check_says_what_applied_and_exits_0_if_all_holds)
{
    EXPECT_RUN("check --list", 0, "split-arrays");
    EXPECT_RUN("check --list", 0, "SPLIT: PPF-01 PPF-04");
    EXPECT_RUN("check --backend fast corpus/captures/mesh-f0.picacap", 0, "check(s) applied, all hold",
               "fast: 1 of 1 case agree");
    EXPECT_RUN("check --relations deterministic,joined --generate 1 5 --require 1 --json", 0,
               "{\"applied\":{\"deterministic\":5,", "\"executed\":5,\"compared\":5,\"agree\":5,");
    EXPECT_RUN("check --relations split-fill --generate 1 40 --areas engines --require 1", 0,
               "reference: 26 of 40 cases agree, 14 were not tested\n");
    EXPECT_RUN("check --relations split-fill corpus/seeds/transfer/flip.pcase", 2,
               "not tested: none of the checks applies to it");
    EXPECT_RUN("check --relations split-arrays --generate 1 5 --areas nonsense", 2, "--areas: 'nonsense' is not one");
    EXPECT_RUN("check --relations strip-as-list corpus/captures/mesh-f0.picacap --require 1", 2,
               "strip-as-list applied to 0 case(s), 1 are required");
}

Test(cli, check_names_relation_rules_and_first_difference_of_a_broken_backend)
{
    EXPECT_RUN(
        "PICAFUZZ_FAULT=pixel check --backend @broken --relations two-lists --save @ corpus/captures/mesh-f0.picacap",
        1, "");
    static const char *const parts[] = { "two-lists does not hold: diverge", "EXT-CMD-04", "first at 0x18000000",
                                         "memory: 1 byte(s) differ", "it is enough to change operation 9, command" };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        EXPECT_SAID(parts[i]);
    cr_expect_eq(files_in("", "mesh-f0-two-lists-"), 2);
    EXPECT_RUN("diff @", 0, "2 of 2 cases agree");
    EXPECT_RUN("PICAFUZZ_FAULT=crash check --backend @broken corpus/captures/mesh-f0.picacap", 3, "crashed");
}

/* Without that every relation would fail, and say that its rules are broken. */
Test(cli, check_calls_a_case_that_does_not_repeat_one_finding)
{
    EXPECT_RUN("PICAFUZZ_FAULT=drift check --backend @broken corpus/captures/mesh-f0.picacap", 1,
               "deterministic does not hold", "1 case(s) are not deterministic");
    const char *const first = strstr(result.output, "does not hold");
    cr_expect(first == NULL || strstr(first + 1, "does not hold") == NULL, "%s", result.output);
    EXPECT_RUN("PICAFUZZ_FAULT=drift check --relations one-by-one,joined,redundant,moved-list,two-lists,overwritten "
               "--backend @broken corpus/captures/mesh-f0.picacap",
               1, "1 case(s) are not deterministic");
    EXPECT_LACKS("relation ");
}

Test(cli, recorded_results_stand_for_the_backend)
{
    EXPECT_RUN("run -b fast --no-pictures --record @/a.res corpus/seeds/fill", 0, "2 case(s) recorded");
    EXPECT_RUN("diff -b reference,recorded:@/a.res corpus/seeds/fill", 0, "2 of 2 cases agree");
    EXPECT_RUN("diff -b reference,recorded:@/a.res corpus/seeds/copy", 2, "this case is not recorded");
    EXPECT_RUN("backends recorded:@/a.res", 0, "holds 2 case(s)");
    EXPECT_RUN("PICAFUZZ_FAULT=crash run -b @broken --no-pictures --record @/b.res corpus/captures/mesh-f0.picacap "
               "corpus/seeds/fill",
               3, "2 case(s) recorded"); /* a list crashes it, fills do not */
    EXPECT_RUN("diff -b reference,recorded:@/b.res corpus/seeds/fill", 0, "2 of 2 cases agree");
    EXPECT_RUN("diff -b recorded:README.md,fast corpus/seeds/fill", 2, "README.md: offset 0: no recorded results");
    EXPECT_RUN("diff -b process:recorded:x,fast corpus/seeds/fill", 2, "need no process");
}

Test(cli, bad_input_exits_2_and_names_file_and_place)
{
    write_in("broken.pcase", "pcase 1\nno such statement\n");
    EXPECT_RUN("show @/broken.pcase", 2, "broken.pcase:2:");
    EXPECT_RUN("run no/such/file.pcase", 2, "no/such/file.pcase");
    EXPECT_RUN("run --backend nonsense corpus/captures/jumps-f0.picacap", 2, "backend nonsense: not known");
    shell("head -c 1000 corpus/captures/mesh-f0.picacap > @/cut.picacap");
    EXPECT_RUN("run --no-pictures @/cut.picacap", 2, "cut.picacap");
}

Test(cli, input_that_cannot_be_meant_is_refused_or_at_least_named)
{
    shell("cp corpus/captures/mesh-f0.picacap @/a.jpg && : > @/empty.bin");
    EXPECT_RUN("show @/a.jpg", 0, ""); /* whatever it is called */
    EXPECT_RUN("diff README.md", 2, "README.md: skipped, not a case");
    EXPECT_RUN("diff CMakePresets.json corpus/seeds/fill", 2, "CMakePresets.json: this is JSON, no case",
               "widths.pcase: agree");
    EXPECT_RUN("show tests/cli/command.h", 2, "command.h: this is text, no case");
    EXPECT_RUN("run @unsteady", 2, "this is a program or library (ELF; a plug-in goes behind -b), no case");
    EXPECT_RUN("run @/empty.bin", 2, "expected a command list, found nothing");
    EXPECT_RUN("asm -o @/a.jpg @/a.jpg", 2, "a.jpg, which is read");
    EXPECT_RUN("run -b reference --isa avx2 @/a.jpg", 2, "only fast has");
}

Test(cli, run_replays_every_capture_on_either_backend_with_equal_digests)
{
    char reference[sizeof result.output];
    EXPECT_RUN("run --no-pictures corpus/captures/*", 0, "mesh-f0: reference:");
    cr_expect_eq(times_said(": reference: "), 28);
    (void)snprintf(reference, sizeof reference, "%s", result.output);
    EXPECT_RUN("run --no-pictures --backend fast corpus/captures/*", 0, "mesh-f0: fast:");
    cr_expect_eq(times_said(": fast: "), 28);
    for (const char *line = reference; (line = strstr(line, ", memory ")) != NULL; line++)
        EXPECT_SAID(words_of("%.83s", line));
}

Test(cli, run_writes_color_buffers_and_transfer_outputs_as_png)
{
    EXPECT_RUN("run --output @ corpus/captures/*", 0, "picture(s)");
    cr_expect_geq(files_in("", "-color-"), 28);
    cr_expect_geq(files_in("", "-transfer-"), 28);
    EXPECT_SAID("README.md: skipped");
    size_t looked_at = 0, varied_pictures = 0;
    run_shell("ls @");
    for (const char *name = strtok(result.output, "\n"); name != NULL; name = strtok(NULL, "\n"), looked_at++) {
        png_image image;
        memset(&image, 0, sizeof image);
        image.version = PNG_IMAGE_VERSION;
        cr_assert(png_image_begin_read_from_file(&image, path_in(name)), "%s: %s", path_in(name), image.message);
        image.format = PNG_FORMAT_RGB;
        uint8_t *const pixels = malloc(PNG_IMAGE_SIZE(image));
        cr_assert(png_image_finish_read(&image, NULL, pixels, 0, NULL), "%s: %s", path_in(name), image.message);
        bool varied = false;
        for (size_t i = 3; i < PNG_IMAGE_SIZE(image); i++)
            varied = varied || pixels[i] != pixels[i % 3];
        varied_pictures += varied;
        cr_expect(varied || strstr(name, "-transfer-") == NULL, "%s: every pixel has the same colour", path_in(name));
        free(pixels);
    }
    cr_expect_geq(looked_at, 56);
    cr_expect_geq(varied_pictures, looked_at - 2, "one list of each `mask` draws to the stencil buffer only");
}

Test(cli, diff_finds_no_difference_in_any_capture)
{
    EXPECT_RUN("diff --slow corpus/captures/*", 0, "28 of 28 cases agree");
    cr_expect_eq(times_said(": agree, "), 28);
}

Test(cli, a_directory_stands_for_all_cases_below_it_and_an_empty_one_is_an_error)
{
    EXPECT_RUN("diff --quiet corpus/captures", 0, "28 of 28 cases agree");
    EXPECT_RUN("diff corpus/seeds", 0, "cases agree");
    cr_expect_eq(times_said(": agree, "), 0, "more than a screen of cases that agree");
    EXPECT_RUN("diff --verbose corpus/seeds/display", 0, "corpus/seeds/display/two-screens.pcase: agree");
    EXPECT_RUN("diff docs", 2, "docs: holds no case file");
    EXPECT_RUN("show corpus", 2, "found a directory");
}

Test(cli, output_that_went_nowhere_exits_4)
{
    EXPECT_RUN("run --no-pictures corpus/captures/hand-f0.picacap > /dev/full", 4, "");
    EXPECT_RUN("show corpus/captures/hand-f0.picacap > /dev/full", 4, "");
    EXPECT_RUN("--help > /dev/full", 4, "");
}

Test(cli, diff_makes_cases_from_seeds_and_keeps_those_that_differ)
{
    EXPECT_RUN("diff --generate 1 300", 0, "234 of 300 generated cases agree, 66 changed no memory");
    EXPECT_RUN("diff --generate 5 20 --mode defined --plain 100", 0,
               "19 of 20 generated cases agree, 1 changed no memory");
    EXPECT_RUN("PICAFUZZ_FAULT=pixel diff --generate 1 20 --no-explain -o @ -b reference,@broken", 1, "");
    const size_t kept = files_in("", ".pcase");
    cr_expect_gt(kept, 2, "%s", result.output);
    run("PICAFUZZ_FAULT=pixel diff -q --no-explain -b reference,@broken @");
    EXPECT_SAID(words_of("0 of %zu cases agree", kept));
}

/* Each seed is tried, also after those that ended the process. */
Test(cli, diff_goes_on_behind_a_generated_case_that_crashes_a_plug_in)
{
    EXPECT_RUN("PICAFUZZ_FAULT=crash diff --generate 1 9 -o @ -b reference,@broken", 3,
               "mixed-9: crash: backend broken: ", " of 9 generated cases agree");
    cr_expect_gt(files_in("", ".pcase"), 3);
}

Test(cli, diff_agrees_for_every_instruction_set_and_number_of_threads)
{
    static const char *const options[] = { "--isa scalar", "--isa avx2 --threads 1", "--threads 3",
                                           "--capacity 5 --threads 1" };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        EXPECT_RUN(words_of("diff --quiet %s corpus/captures/*-f0*", options[i]), 0, "14 of 14 cases agree");
}

Test(cli, diff_reports_a_planted_pixel_by_operation_address_and_pixel)
{
    EXPECT_RUN("PICAFUZZ_FAULT=pixel diff --backends reference,@broken corpus/captures/mesh-f0.picacap", 1,
               "mesh-f0.picacap: diverge after operation ", "first at 0x18000000: reference 0x",
               "colour buffer at 0x18000000", "1 pixel(s) differ");
}

Test(cli, diff_names_command_and_pixel_of_a_planted_difference_and_says_what_it_cannot_find)
{
    run("PICAFUZZ_FAULT=pixel diff -b reference,@broken corpus/captures/mesh-f0.picacap");
    EXPECT_SAID("(run list)", "command    number 1 of the submission, word 0x1 of the list");
    run("PICAFUZZ_FAULT=pixel diff --json -b reference,@broken corpus/captures/mesh-f0.picacap");
    EXPECT_SAID("\"stage\":\"memory\"", "\"command\":1,");
}

Test(cli, a_backend_that_crashes_or_hangs_gives_exit_code_3_and_a_name)
{
    EXPECT_RUN(
        "PICAFUZZ_FAULT=crash run --no-pictures --timeout 0.5 --backend @broken corpus/captures/jumps-f0.picacap", 3,
        "crashed", "backend broken: running the case, operation 5: crashed in run (submit)");
    EXPECT_RUN("PICAFUZZ_FAULT=hang run --no-pictures --timeout 0.5 --backend @broken corpus/captures/jumps-f0.picacap",
               3, "operation 5: hung in run (submit): not done after ");
}

/* A machine with much other work is no hang. */
Test(cli, a_case_that_takes_long_by_the_clock_alone_is_no_hang)
{
    EXPECT_RUN(
        "PICAFUZZ_FAULT=sleep run --no-pictures --timeout 0.3 --backend @broken corpus/seeds/blend/dest-factors.pcase",
        0, "");
}

Test(cli, backends_lists_both_and_they_keep_their_word)
{
    EXPECT_RUN("backends", 0, "reference - ", "fast - ");
    cr_expect_eq(times_said("checks: 27 pass, 0 fail, 0 died, 0 not declared, 0 not taken"), 2);
    EXPECT_RUN("backends ./no-such-plug-in.so", 2, "cannot be opened");
}

Test(cli, what_is_no_regular_file_is_no_plug_in_and_holds_nothing_up, .timeout = 60)
{
    shell("mkfifo @/fifo.so && mkdir @/directory.so");
    for (int i = 0; i < 4; i++)
        EXPECT_RUN(words_of("diff -b reference,%s'@/%s.so' corpus/captures/relay-f0.picacap",
                            i % 2 == 0 ? "inline:" : "", i < 2 ? "fifo" : "directory"),
                   2, "cannot be opened: it is no regular file");
}

Test(cli, what_is_read_from_another_kind_of_file_is_refused_by_name, .timeout = 60)
{
    EXPECT_RUN("mutate corpus/captures", 2, "picafuzz: corpus/captures: expected a case file, found a directory");
}

Test(cli, dumps_of_both_backends_are_equal_and_as_documented)
{
    EXPECT_RUN("run --no-pictures --dump @/a corpus/captures/relay-f0.picacap", 0, "relay-f0");
    EXPECT_RUN("run --no-pictures --backend fast --dump @/b corpus/captures/relay-f0.picacap", 0, "relay-f0");
    shell("cmp @/a @/b");
    FILE *const file = fopen(path_in("a"), "rb");
    uint8_t header[20];
    cr_assert(file != NULL && fread(header, 1, sizeof header, file) == sizeof header);
    cr_expect_arr_eq(header, "PICADMP1", 8);
    const uint32_t windows = header[8];
    cr_expect(windows >= 1 && windows <= 16);
    uint32_t expected = 12, at = 12;
    for (uint32_t i = 0; i < windows; i++) {
        uint8_t window[8];
        cr_assert_eq(fseek(file, (long)at, SEEK_SET), 0);
        cr_assert_eq(fread(window, 1, 8, file), 8);
        const uint32_t size =
            window[4] | (uint32_t)window[5] << 8 | (uint32_t)window[6] << 16 | (uint32_t)window[7] << 24;
        cr_expect_eq(size % 4096, 0);
        at += 8 + size;
        expected += 8 + size;
    }
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    cr_expect_eq((uint32_t)ftell(file), expected);
    fclose(file);
}

Test(cli, show_and_asm_are_inverse)
{
    EXPECT_RUN("import --output @ corpus/captures/sparks-f0.picacap", 0, "sparks-f0.pcase");
    EXPECT_RUN("asm @/sparks-f0.pcase", 0, "");
    EXPECT_RUN("diff @/sparks-f0.pcb @/sparks-f0.pcase", 0, "2 of 2 cases agree");
    run("show @/sparks-f0.pcb > @/again.pcase");
    run("asm @/again.pcase");
    shell("cmp @/again.pcb @/sparks-f0.pcb");
}

Test(cli, json_output_is_one_object_a_line)
{
    EXPECT_RUN("run --no-pictures --json corpus/captures/hand-f0.picacap", 0, "\"backend\":\"reference\"");
    EXPECT_RUN("diff --json corpus/captures/hand-f0.picacap", 0, "\"verdict\":\"agree\"");
    EXPECT_RUN("show --json corpus/captures/hand-f0.picacap", 0, "\"register\":\"DEPTH_COLOR_MASK\"");
    cr_expect_eq(result.output[0], '{');
}

/* tests/cli/fake_target.sh fails on every seed in the corpus; both leave it. */
Test(cli, fuzz_turns_failing_inputs_into_findings_and_goes_on)
{
    EXPECT_RUN("fuzz --seconds 600 --target tests/cli/fake_target.sh --corpus @/corpus --findings @/found "
               "corpus/captures/jumps-f0.picacap corpus/captures/jumps-f5.picacap",
               1, "2 finding(s):", "picafuzz: the backends differ");
    cr_expect_eq(files_in("corpus", ".pcb"), 0);
    /* The two agree: it cannot be reduced. */
    cr_expect_eq(files_in("found/unconfirmed", ""), 9,
                 "a finding is .pcase, .pcb, .txt; its bucket has a count, a date, a version");
    EXPECT_RUN("diff @/found @/found/*/*.pcb", 0, "4 of 4 cases agree"); /* the directory stands for the .pcase alone */
}

/* The message is about one of the two: the other is not a duplicate of it. */
Test(cli, fuzz_keeps_a_finding_whose_words_it_does_not_know)
{
    EXPECT_RUN("fuzz --seconds 600 --target tests/cli/late_target.sh --corpus @/corpus --findings @/found", 1, "");
    cr_expect_eq(files_in("found/unconfirmed", "input-"), 6,
                 "two inputs, each with .pcase and .txt"); /* both backends agree on them */
}

/* tests/cli/fake holds an afl-fuzz that "finds" one input and one crash. */
static void run_fake_afl(const char *more)
{
    run(words_of(
        "PATH='" PICAFUZZ_SOURCE_DIR
        "/tests/cli/fake':\"$PATH\" fuzz --engine afl --seconds 3 --target tests/cli/fake/target_afl --mutator "
        "tests/cli/fake/afl-fuzz --corpus @/corpus --findings @/found %s corpus/captures/jumps-f0.picacap",
        more));
}

static void expect_line(const char *file, const char *words)
{
    shell(words_of("grep -qx '%s' '@/corpus-afl/structure/%s'", words, file));
}

Test(cli, fuzz_with_afl_keeps_what_was_found_and_writes_crashes_as_findings)
{
    run_fake_afl("");
    EXPECT_END(1, "1 finding(s):", "tests/cli/fake/target_afl CASE.pcb");
    cr_expect_eq(files_in("corpus", ".pcb"), 2, "the seed, and what was found, under names that are cases");
    cr_expect_eq(files_in("found/unconfirmed", "input-"), 3); /* the two agree: it cannot be reduced */
    expect_line("mutator", "tests/cli/fake/afl-fuzz");
    expect_line("core", "try 1 no 0"); /* its target takes turns with it */
}

/* Threads of a backend would have to share that core. */
Test(cli, fuzz_with_afl_has_more_than_one_core_where_a_backend_has_threads)
{
    run_fake_afl("--threads 2");
    expect_line("core", "try 0 no 1");
}

Test(cli, fuzz_with_afl_goes_on_where_a_killed_campaign_was)
{
    shell("cd @ && mkdir -p corpus corpus-afl/structure/queue corpus-afl/structure/hangs corpus-afl/structure/crashes");
    write_in("corpus-afl/structure/fuzzer_stats", "execs_done : 1");
    write_in("corpus-afl/structure/queue/id:000007,src:000001", "what it had found");
    write_in("corpus-afl/structure/hangs/id:000000,src:000002", "older"); /* fails, as five bytes do */
    write_in("corpus-afl/.affinity_lock", "");                            /* or afl-fuzz would wait for ever */
    run_fake_afl("");
    EXPECT_END(1, "2 finding(s):");
    shell("grep -qrx 'what it had found' @/corpus");
    cr_expect_eq(files_in("corpus-afl/structure/hangs", "id:"), 0, "what was judged goes");
    expect_line("foreign", path_in("corpus"));
}

Test(cli, fuzz_refuses_what_is_the_engines_own_affair_and_says_so)
{
    EXPECT_RUN("fuzz --engine libfuzzer --jobs 2", 2,
               "an engine has means of its own: libFuzzer -fork, AFL++ -M and -S");
    EXPECT_RUN("fuzz --engine afl --cmplog x", 2, "'--cmplog' is gone: start the engine itself");
    EXPECT_RUN("fuzz --campaign=weeks --jobs 2", 2, "'--campaign' is gone: a hunt always goes on where it was");
}

Test(cli, fuzz_without_afl_fuzz_names_the_package)
{
    EXPECT_RUN(
        "PATH=/nowhere fuzz --engine afl --seconds 1 --target tests/cli/fake/target_afl --corpus @/c --findings @/f", 4,
        "Debian package afl++");
    EXPECT_RUN("fuzz --engine afl --target ./no-such-target", 4, "cmake --preset afl");
}

/* Seeds of one name in two directories are two seeds. */
Test(cli, seeds_are_named_after_file_and_directory)
{
    shell("mkdir -p @/in/a @/in/b && cp corpus/captures/jumps-f0.picacap @/in/a/x.picacap && cp "
          "corpus/captures/jumps-f5.picacap @/in/b/x.picacap");
    EXPECT_RUN("fuzz --seconds 1 --target tests/cli/quiet_target.sh --corpus @/corpus --findings @/found @/in", 0,
               "2 of 2 seeds added");
    cr_expect_eq(files_in("corpus", "-x.picacap.pcb"), 2);
}

/* DIRECTORY/in/1/a/x.picacap and DIRECTORY/in/2/a/x.picacap: two captures of one name, in directories of one name. */
static void make_namesakes(void)
{
    empty_test_directory();
    shell("mkdir -p @/in/1/a @/in/2/a && cp corpus/captures/jumps-f0.picacap @/in/1/a/x.picacap && cp "
          "corpus/captures/jumps-f5.picacap @/in/2/a/x.picacap");
}

Test(cli, no_case_overwrites_what_became_of_another_one)
{
    make_namesakes();
    EXPECT_RUN("import -o @/cases @/in", 0, "window(s)");
    cr_expect_eq(files_in("cases", "a-x.picacap.pcase"), 2, "%s", result.output);
    EXPECT_RUN("run -o @/one @/in/1/a/x.picacap", 0, "x: reference:");
    const size_t pictures = files_in("one", ".png");
    cr_expect_gt(pictures, 0);
    EXPECT_RUN("run -o @/both @/in", 0, "a-x.picacap: reference:");
    cr_expect_eq(files_in("both", ".png"), 2 * pictures, "%s", result.output);
    EXPECT_RUN("fuzz --seconds 1 --target tests/cli/quiet_target.sh --corpus @/corpus --findings @/found @/in", 0,
               "2 of 2 seeds added");
    cr_expect_eq(files_in("corpus", ".pcb"), 2, "%s", result.output);
}

/* a/x and ../a/x: not even their paths tell them apart. */
Test(cli, names_that_stay_the_same_get_a_number)
{
    make_namesakes();
    shell("cd @/in && mv 2/a a && cd 1 && picafuzz import -o ../../cases a/x.picacap ../a/x.picacap && picafuzz run -o "
          "../../one a/x.picacap && picafuzz run -o ../../both a/x.picacap ../a/x.picacap");
    cr_expect_eq(files_in("cases", "a-x.picacap"), 2, "%s", result.output);
    const size_t pictures = files_in("one", ".png");
    cr_expect_eq(files_in("both", ".png"), 2 * pictures, "%s", result.output);
}

Test(cli, twins_of_cases_of_one_name_are_all_saved)
{
    shell("cd @ && mkdir 1 2 && cp '" PICAFUZZ_SOURCE_DIR
          "/corpus/captures/mesh-f0.picacap' 1 && cp 1/mesh-f0.picacap 2");
    EXPECT_RUN("PICAFUZZ_FAULT=pixel check -b @broken --relations two-lists --save @ @/1 @/2", 1, "");
    cr_expect_eq(files_in("", "-two-lists-"), 4, "%s", result.output);
}

/* A link to where it lies, twice, would make 65 536 cases of one. */
Test(cli, a_link_to_a_directory_above_is_not_followed)
{
    shell("mkdir -p @/in && cp corpus/seeds/blend/dest-factors.pcase @/in && ln -s . @/in/one && ln -s ../in @/in/two "
          "&& timeout 60 picafuzz diff @/in");
    EXPECT_SAID("dest-factors.pcase: agree");
    cr_expect_eq(times_said("agree"), 1, "%s", result.output);
}

/* All in one directory, as engines leave them; to look for the case that each was reduced from took minutes. */
Test(cli, a_directory_of_30000_files_is_listed_in_seconds)
{
    run_shell("cd @ && seq -f 'in%06g.pcb' 30000 | xargs touch && touch in000001.pcase && ulimit -t 3 && picafuzz diff "
              "--shard 1/30000 --quiet .; code=$?; find . -name 'in*' -delete; exit $code");
    EXPECT_END(2, "in000001.pcase");
}

Test(cli, import_never_overwrites_its_input)
{
    shell("cp corpus/seeds/blend/dest-factors.pcase @/x.pcase");
    EXPECT_RUN("import -o @ @/x.pcase", 2, "is an input and would be overwritten");
    shell("cmp corpus/seeds/blend/dest-factors.pcase @/x.pcase");
}

/* As `reduce capture -o capture` and `mutate case -o case` did. A directory was complained of when all was done. */
Test(cli, no_command_writes_over_its_input)
{
    run_shell("cd @ && cp '" PICAFUZZ_SOURCE_DIR
              "/corpus/seeds/blend/dest-factors.pcase' x.pcase && ln -s x.pcase z.pcase && mkdir d.pcase; cp x.pcase "
              "kept; for to in x z; do for command in 'reduce --test true' mutate asm; do picafuzz $command x.pcase -o "
              "$to.pcase; echo $?; done; done; picafuzz reduce --test true x.pcase -o d.pcase; echo $?; cmp x.pcase "
              "kept && echo 'is as it was'");
    EXPECT_SAID("is as it was");
    cr_expect_eq(times_said("\n2\n"), 7, "%s", result.output);
}

/* Two engines found it, and the campaign was killed before it said so. */
Test(cli, a_bucket_keeps_an_input_once)
{
    shell("mkdir @/found && echo same >@/found/engine-crash-0123 && echo same >@/found/engine-crash-0124 && echo other "
          ">@/found/engine-crash-4567");
    EXPECT_RUN("fuzz --seconds 60 --target tests/cli/quiet_target.sh --corpus @/corpus --findings @/found", 1,
               "2 finding(s)");
    cr_expect_eq(files_in("found/unconfirmed", ".pcb"), 2, "%s", result.output);
}

/* A case that was reduced by hand, say, beside the input that it was reduced from. */
Test(cli, fuzz_leaves_other_files_beside_failing_inputs)
{
    shell("mkdir @/found && echo input >@/found/engine-crash-0123 && echo mine >@/found/engine-crash-0123.pcase");
    EXPECT_RUN("fuzz --seconds 60 --target tests/cli/quiet_target.sh --corpus @/corpus --findings @/found", 1,
               "1 finding(s)");
    cr_expect(file_exists(path_in("found/engine-crash-0123.pcase")), "%s", result.output);
}

Test(cli, a_full_disk_is_said_and_exits_4)
{
    EXPECT_RUN("run --no-pictures --dump /dev/full/x corpus/captures/hand-f0.picacap", 4, "/dev/full/x");
    EXPECT_RUN("import --output /dev/null/x corpus/captures/hand-f0.picacap", 4, "");
}

/* A backend that dies of being looked at more closely, in the program or in a process of its own, loses no verdict. */
Test(cli, diff_keeps_the_verdict_when_explaining_it_crashes_or_hangs)
{
    static const char *const faults[] = { "trace-crash", "reload-crash", "reread-crash", "reload-hang" };
    static const char *const hosts[] = { "inline:", "" };
    for (size_t i = 0; i < 2 * sizeof faults / sizeof faults[0]; i++)
        EXPECT_RUN(words_of("PICAFUZZ_FAULT=%s diff --timeout 0.1 -b reference,%s@broken "
                            "corpus/seeds/blend/min-max-with-factors.pcase",
                            faults[i / 2], hosts[i % 2]),
                   1, ".pcase: diverge", "note       ");
}

#if defined(__SANITIZE_ADDRESS__)
#define OWN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define OWN_MALLOC 1
#endif
#endif

/* What does not come back in three fresh processes is no divergence but a verdict of its own. */
Test(cli, diff_says_unstable_and_on_what_it_depends)
{
    static const char case_file[] = "corpus/seeds/blend/min-max-with-factors.pcase";
    EXPECT_RUN(words_of("PICAFUZZ_FAULT=counter PICAFUZZ_COUNTER=@/count diff -b reference,@broken %s %s", case_file,
                        case_file),
               1, ".pcase: unstable: the difference came back in 1 of 3", "time, threads", " unstable\n");
#ifndef OWN_MALLOC
    EXPECT_RUN(words_of("PICAFUZZ_FAULT=dirty diff -b reference,@broken %s %s", case_file, case_file), 1,
               "never written: with fresh memory as it is they differ, with fresh memory "
               "full of 0xAA they agree");
#endif
}

/* The third of the generated cases shows what the two before it left behind; alone it agrees. */
Test(cli, a_generated_case_that_differs_after_others_only_is_unstable)
{
    EXPECT_RUN("PICAFUZZ_UNSTEADY=third diff -b reference,@unsteady --mode defined --generate 1 4", 1,
               "defined-3: unstable (memory): the difference came back in 0 of 3 fresh "
               "processes; it depends on the 2 cases before it",
               "2 of 4 generated cases agree, 2 are unstable");
    run("PICAFUZZ_UNSTEADY=third diff --json -b reference,@unsteady --mode defined --generate 1 3");
    EXPECT_SAID("\"verdict\":\"unstable\"", "\"depends_on\":\"cases-before\"");
}

/* Its first contents alone are compared. */
Test(cli, a_case_without_operations_is_judged)
{
    shell("printf 'pcase 1\nwindow 0x18000000 size 0x1000\n' > @/none.pcase");
    EXPECT_RUN("PICAFUZZ_UNSTEADY=always diff -b reference,@unsteady @/none.pcase", 1, "none.pcase: diverge (memory)");
}

/* What comes back is what it was, for all of more than are looked at together. */
Test(cli, generated_cases_that_come_back_are_divergences)
{
    EXPECT_RUN("PICAFUZZ_UNSTEADY=always diff -q -b reference,@unsteady --mode defined --generate 1 40", 1,
               "defined-40: diverge (memory)", "0 of 40 generated cases agree, 40 differ\n");
}
