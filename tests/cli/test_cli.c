/* The program as a user runs it: output, exit codes, files. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;

static void expect(const char *arguments, int exit_code, const char *part)
{
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, exit_code, "picafuzz %s: exit code %d, expected %d\n%s", arguments, result.exit_code,
                 exit_code, result.output);
    cr_expect_not_null(strstr(result.output, part), "picafuzz %s: output lacks '%s':\n%s", arguments, part,
                       result.output);
}

static size_t count_lines_with(const char *part)
{
    size_t count = 0;
    for (const char *at = result.output; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

Test(cli, help_teaches_by_example_and_exits_0)
{
    expect("--help", 0, "exit codes:");
    expect("help", 0, "commands:");
    static const char *const commands[] = {
        "run",    "diff",     "show",     "asm",    "import", "fuzz",   "check",
        "report", "backends", "generate", "mutate", "reduce", "triage", "coverage"
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char arguments[64], example[64];
        (void)snprintf(arguments, sizeof arguments, "%s --help", commands[i]);
        (void)snprintf(example, sizeof example, "\n  picafuzz %s", commands[i]);
        expect(arguments, 0, example);
        cr_expect_not_null(strstr(result.output, "exit codes:"));
    }
}

Test(cli, usage_errors_exit_2_and_point_to_the_help)
{
    expect("", 2, "commands:");
    expect("nonsense", 2, "unknown command 'nonsense'");
    expect("rnu", 2, "unknown command 'rnu', did you mean run?");
    expect("backends --count 1", 2, "unknown option '--count'");
    expect("run", 2, "no case given; see `picafuzz run --help`");
    expect("run --threads many x", 2, "--threads: 'many' is not a number from 0 to 64");
    expect("run --capacity -1 x", 2, "--capacity: '-1' is not a number from 0 to 65536");
    expect("run --isa sse9 x", 2, "'sse9' is not one of");
    expect("diff --backends reference x", 2, "2 to 8 names");
    expect("fuzz --jobs 0", 2, "--jobs");
    expect("fuzz --engine honggfuzz", 2, "not one of seeds, libfuzzer, afl");
    expect("show", 2, "give one file");
    expect("check", 2, "no case given; name files, or use --generate SEED COUNT");
    expect("check --relations joined,unheard-of x", 2,
           "'unheard-of' is not one of deterministic, invariant, one-by-one, ");
    expect("reduce --relation invariant -b fast -o /dev/null x", 2, "'invariant' is not one of one-by-one, joined, ");
    expect("generate --areas fog,smoke", 2, "--areas: 'smoke' is not one of ");
    expect("mutate --kind odd x", 2, "--kind: 'odd' is not one of ");
    expect("check --generate 1", 2, "--generate: '1 ' is not a seed and a count");
    expect("check --generate 1 1 --mode odd", 2, "--mode: 'odd' is not one of");
}

Test(cli, check_says_what_applied_and_exits_0_if_all_holds)
{
    expect("check --list", 0, "split-arrays");
    expect("check --list", 0, "SPLIT: PPF-01 PPF-04");
    expect("check --backend fast corpus/captures/mesh-f0.picacap", 0, "check(s) applied, all hold");
    cr_expect_not_null(strstr(result.output, "fast: 1 of 1 case agree"), "%s", result.output);
    expect("check --relations deterministic,joined --generate 1 5 --require 1 --json", 0,
           "{\"applied\":{\"deterministic\":5,");
    cr_expect_not_null(strstr(result.output, "\"executed\":5,\"compared\":5,\"agree\":5,"), "%s", result.output);
    expect("check --relations split-fill --generate 1 40 --areas engines --require 1", 0,
           "reference: 26 of 40 cases agree, 14 were not tested\n");
    expect("check --relations split-fill corpus/seeds/transfer/flip.pcase", 2,
           "not tested: none of the checks applies to it");
    expect("check --relations split-arrays --generate 1 5 --areas nonsense", 2, "--areas: 'nonsense' is not one");
    expect("check --relations strip-as-list corpus/captures/mesh-f0.picacap --require 1", 2,
           "strip-as-list applied to 0 case(s), 1 are required");
}

Test(cli, check_names_relation_rules_and_first_difference_of_a_broken_backend)
{
    char directory[1024], arguments[4096];
    fresh_directory(directory, sizeof directory, "check");
    (void)snprintf(arguments, sizeof arguments,
                   "check --backend " PICAFUZZ_BINARY_DIR "/lib/broken_backend.so --relations two-lists --save %s "
                   "corpus/captures/mesh-f0.picacap",
                   directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    static const char *const parts[] = { "two-lists does not hold: diverge", "EXT-CMD-04", "first at 0x18000000",
                                         "memory: 1 byte(s) differ", "it is enough to change operation 9, command" };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        cr_expect_not_null(strstr(result.output, parts[i]), "output lacks '%s':\n%s", parts[i], result.output);
    cr_expect_eq(count_files(directory, "mesh-f0-two-lists-"), 2);
    (void)snprintf(arguments, sizeof arguments, "diff %s", directory);
    expect(arguments, 0, "2 of 2 cases agree");
    run_picafuzz(&result, "PICAFUZZ_FAULT=crash",
                 "check --backend " PICAFUZZ_BINARY_DIR "/lib/broken_backend.so corpus/captures/mesh-f0.picacap");
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "crashed"), "%s", result.output);
}

/* Without that every relation would fail, and say that its rules are broken. */
Test(cli, check_calls_a_case_that_does_not_repeat_one_finding)
{
    run_picafuzz(&result, "PICAFUZZ_FAULT=drift",
                 "check --backend " PICAFUZZ_BINARY_DIR "/lib/broken_backend.so corpus/captures/mesh-f0.picacap");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    static const char *const parts[] = { "deterministic does not hold", "1 case(s) are not deterministic" };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        cr_expect_not_null(strstr(result.output, parts[i]), "output lacks '%s':\n%s", parts[i], result.output);
    const char *const first = strstr(result.output, "does not hold");
    cr_expect(first == NULL || strstr(first + 1, "does not hold") == NULL, "%s", result.output);
    run_picafuzz(
        &result, "PICAFUZZ_FAULT=drift",
        "check --relations one-by-one,joined,redundant,moved-list,two-lists,overwritten --backend " PICAFUZZ_BINARY_DIR
        "/lib/broken_backend.so corpus/captures/mesh-f0.picacap");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 case(s) are not deterministic"), "%s", result.output);
    cr_expect_null(strstr(result.output, "relation "), "%s", result.output);
}

Test(cli, recorded_results_stand_for_the_backend)
{
    char directory[1024], arguments[4096];
    fresh_directory(directory, sizeof directory, "record");
    (void)snprintf(arguments, sizeof arguments, "run -b fast --no-pictures --record '%s/a.res' corpus/seeds/fill",
                   directory);
    expect(arguments, 0, "2 case(s) recorded");
    (void)snprintf(arguments, sizeof arguments, "diff -b reference,'recorded:%s/a.res' corpus/seeds/fill", directory);
    expect(arguments, 0, "2 of 2 cases agree");
    (void)snprintf(arguments, sizeof arguments, "diff -b reference,'recorded:%s/a.res' corpus/seeds/copy", directory);
    expect(arguments, 2, "this case is not recorded");
    (void)snprintf(arguments, sizeof arguments, "backends 'recorded:%s/a.res'", directory);
    expect(arguments, 0, "holds 2 case(s)");
    (void)snprintf(arguments, sizeof arguments,
                   "run -b " PICAFUZZ_BINARY_DIR "/lib/broken_backend.so --no-pictures --record '%s/b.res' "
                   "corpus/captures/mesh-f0.picacap corpus/seeds/fill",
                   directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=crash", arguments); /* a list crashes it, fills do not */
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "2 case(s) recorded"), "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "diff -b reference,'recorded:%s/b.res' corpus/seeds/fill", directory);
    expect(arguments, 0, "2 of 2 cases agree");
    expect("diff -b recorded:README.md,fast corpus/seeds/fill", 2, "README.md: offset 0: no recorded results");
    expect("diff -b process:recorded:x,fast corpus/seeds/fill", 2, "need no process");
}

Test(cli, bad_input_exits_2_and_names_file_and_place)
{
    char directory[1024], path[2048], arguments[4096];
    fresh_directory(directory, sizeof directory, "bad-input");
    (void)snprintf(path, sizeof path, "%s/broken.pcase", directory);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("pcase 1\nno such statement\n", file);
    fclose(file);
    (void)snprintf(arguments, sizeof arguments, "show '%s'", path);
    expect(arguments, 2, "broken.pcase:2:");
    expect("run no/such/file.pcase", 2, "no/such/file.pcase");
    expect("run --backend nonsense corpus/captures/jumps-f0.picacap", 2, "backend nonsense: not known");
    (void)snprintf(path, sizeof path, "%s/cut.picacap", directory);
    (void)snprintf(arguments, sizeof arguments, "head -c 1000 '%s/corpus/captures/mesh-f0.picacap' > '%s'",
                   PICAFUZZ_SOURCE_DIR, path);
    cr_assert_eq(system(arguments), 0);
    (void)snprintf(arguments, sizeof arguments, "run --no-pictures '%s'", path);
    expect(arguments, 2, "cut.picacap");
}

Test(cli, input_that_cannot_be_meant_is_refused_or_at_least_named)
{
    char directory[512], arguments[2048];
    fresh_directory(directory, sizeof directory, "meant");
    (void)snprintf(arguments, sizeof arguments, "cp %s/corpus/captures/mesh-f0.picacap %s/a.jpg && : > %s/empty.bin",
                   PICAFUZZ_SOURCE_DIR, directory, directory);
    cr_assert_eq(system(arguments), 0);
    (void)snprintf(arguments, sizeof arguments, "show %s/a.jpg", directory); /* whatever it is called */
    expect(arguments, 0, "");
    expect("diff README.md", 2, "README.md: skipped, not a case");
    expect("diff CMakePresets.json corpus/seeds/fill", 2, "CMakePresets.json: this is JSON, no case");
    cr_expect_not_null(strstr(result.output, "widths.pcase: agree"), "%s", result.output);
    expect("show tests/cli/command.h", 2, "command.h: this is text, no case");
    expect("run '" PICAFUZZ_BINARY_DIR "/lib/unsteady_backend.so'", 2, "this is a program or library (ELF), no case");
    (void)snprintf(arguments, sizeof arguments, "run %s/empty.bin", directory);
    expect(arguments, 2, "expected a command list, found nothing");
    (void)snprintf(arguments, sizeof arguments, "asm -o %s/a.jpg %s/a.jpg", directory, directory);
    expect(arguments, 2, "a.jpg, which is read");
    (void)snprintf(arguments, sizeof arguments, "run -b reference --isa avx2 %s/a.jpg", directory);
    expect(arguments, 2, "only fast has");
}

Test(cli, run_replays_every_capture_on_either_backend_with_equal_digests)
{
    char reference[sizeof result.output];
    expect("run --no-pictures corpus/captures/*", 0, "mesh-f0: reference:");
    cr_expect_eq(count_lines_with(": reference: "), 28);
    (void)snprintf(reference, sizeof reference, "%s", result.output);
    expect("run --no-pictures --backend fast corpus/captures/*", 0, "mesh-f0: fast:");
    cr_expect_eq(count_lines_with(": fast: "), 28);
    for (const char *line = reference; (line = strstr(line, ", memory ")) != NULL; line++) {
        char digests[84];
        (void)snprintf(digests, sizeof digests, "%.83s", line);
        cr_expect_not_null(strstr(result.output, digests), "fast has no such digest: %s", digests);
    }
}

Test(cli, run_writes_color_buffers_and_transfer_outputs_as_png)
{
    char directory[1024], arguments[2048], path[2048];
    fresh_directory(directory, sizeof directory, "pictures");
    (void)snprintf(arguments, sizeof arguments, "run --output '%s' corpus/captures/*", directory);
    expect(arguments, 0, "picture(s)");
    cr_expect_geq(count_files(directory, "-color-"), 28);
    cr_expect_geq(count_files(directory, "-transfer-"), 28);
    cr_expect_not_null(strstr(result.output, "README.md: skipped"));
    size_t looked_at = 0, varied_pictures = 0;
    (void)snprintf(arguments, sizeof arguments, "ls '%s'", directory);
    FILE *const names = popen(arguments, "r");
    cr_assert_not_null(names);
    for (char name[256]; fgets(name, sizeof name, names) != NULL; looked_at++) {
        name[strcspn(name, "\n")] = '\0';
        (void)snprintf(path, sizeof path, "%s/%s", directory, name);
        png_image image;
        memset(&image, 0, sizeof image);
        image.version = PNG_IMAGE_VERSION;
        cr_assert(png_image_begin_read_from_file(&image, path), "%s: %s", path, image.message);
        image.format = PNG_FORMAT_RGB;
        uint8_t *const pixels = malloc(PNG_IMAGE_SIZE(image));
        cr_assert(png_image_finish_read(&image, NULL, pixels, 0, NULL), "%s: %s", path, image.message);
        bool varied = false;
        for (size_t i = 3; i < PNG_IMAGE_SIZE(image); i++)
            varied = varied || pixels[i] != pixels[i % 3];
        varied_pictures += varied;
        cr_expect(varied || strstr(name, "-transfer-") == NULL, "%s: every pixel has the same colour", path);
        free(pixels);
    }
    (void)pclose(names);
    cr_expect_geq(looked_at, 56);
    cr_expect_geq(varied_pictures, looked_at - 2, "one list of each `mask` draws to the stencil buffer only");
}

Test(cli, diff_finds_no_difference_in_any_capture)
{
    expect("diff --slow corpus/captures/*", 0, "28 of 28 cases agree");
    cr_expect_eq(count_lines_with(": agree, "), 28);
}

Test(cli, a_directory_stands_for_all_cases_below_it_and_an_empty_one_is_an_error)
{
    expect("diff --quiet corpus/captures", 0, "28 of 28 cases agree");
    expect("diff corpus/seeds", 0, "cases agree");
    cr_expect_eq(count_lines_with(": agree, "), 0, "more than a screen of cases that agree");
    expect("diff --verbose corpus/seeds", 0, "corpus/seeds/display/two-screens.pcase: agree");
    expect("diff docs", 2, "docs: holds no case file");
    expect("show corpus", 2, "found a directory");
}

Test(cli, output_that_went_nowhere_exits_4)
{
    expect("run --no-pictures corpus/captures/hand-f0.picacap > /dev/full", 4, "");
    expect("show corpus/captures/hand-f0.picacap > /dev/full", 4, "");
    expect("--help > /dev/full", 4, "");
}

Test(cli, diff_makes_cases_from_seeds_and_keeps_those_that_differ)
{
    char directory[1024], arguments[4096];
    expect("diff --generate 1 300", 0, "234 of 300 generated cases agree, 66 changed no memory");
    expect("diff --generate 5 20 --mode defined --plain 100", 0, "19 of 20 generated cases agree, 1 changed no memory");
    fresh_directory(directory, sizeof directory, "generated");
    (void)snprintf(arguments, sizeof arguments,
                   "diff --generate 1 20 --no-explain -o '%s' -b reference,'%s/lib/broken_backend.so'", directory,
                   PICAFUZZ_BINARY_DIR);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    const size_t kept = count_files(directory, ".pcase");
    cr_expect_gt(kept, 2, "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "diff -q --no-explain -b reference,'%s/lib/broken_backend.so' '%s'",
                   PICAFUZZ_BINARY_DIR, directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    (void)snprintf(arguments, sizeof arguments, "0 of %zu cases agree", kept);
    cr_expect_not_null(strstr(result.output, arguments), "%s", result.output);
}

/* Each seed is tried, also after those that ended the process. */
Test(cli, diff_goes_on_behind_a_generated_case_that_crashes_a_plug_in)
{
    char directory[1024], arguments[4096];
    fresh_directory(directory, sizeof directory, "generated-crash");
    (void)snprintf(arguments, sizeof arguments, "diff --generate 1 9 -o '%s' -b reference,'%s/lib/broken_backend.so'",
                   directory, PICAFUZZ_BINARY_DIR);
    run_picafuzz(&result, "PICAFUZZ_FAULT=crash", arguments);
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "mixed-9: crash: backend broken: "), "%s", result.output);
    cr_expect_not_null(strstr(result.output, " of 9 generated cases agree"), "%s", result.output);
    cr_expect_gt(count_files(directory, ".pcase"), 3);
}

Test(cli, diff_agrees_for_every_instruction_set_and_number_of_threads)
{
    expect("diff --quiet --isa scalar corpus/captures/*", 0, "28 of 28 cases agree");
    expect("diff --quiet --isa avx2 --threads 1 corpus/captures/*", 0, "28 of 28 cases agree");
    expect("diff --quiet --threads 3 corpus/captures/*", 0, "28 of 28 cases agree");
    expect("diff --quiet --capacity 5 --threads 1 corpus/captures/*", 0, "28 of 28 cases agree");
}

Test(cli, diff_reports_a_planted_pixel_by_operation_address_and_pixel)
{
    char arguments[2048];
    (void)snprintf(arguments, sizeof arguments, "diff --backends 'reference,%s/lib/broken_backend.so' %s",
                   PICAFUZZ_BINARY_DIR, "corpus/captures/mesh-f0.picacap");
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "mesh-f0.picacap: diverge after operation "), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "first at 0x18000000: reference 0x"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "colour buffer at 0x18000000"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 pixel(s) differ"), "%s", result.output);
}

Test(cli, diff_names_command_and_pixel_of_a_planted_difference_and_says_what_it_cannot_find)
{
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel",
                 "diff -b reference," PICAFUZZ_BINARY_DIR "/lib/broken_backend.so corpus/captures/mesh-f0.picacap");
    cr_expect_not_null(strstr(result.output, "(run list)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "command    number 1 of the submission, word 0x1 of the list"), "%s",
                       result.output);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel",
                 "diff --json -b reference," PICAFUZZ_BINARY_DIR
                 "/lib/broken_backend.so corpus/captures/mesh-f0.picacap");
    cr_expect_not_null(strstr(result.output, "\"stage\":\"memory\""), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\"command\":1,"), "%s", result.output);
}

Test(cli, a_backend_that_crashes_or_hangs_gives_exit_code_3_and_a_name)
{
    char arguments[2048];
    (void)snprintf(arguments, sizeof arguments,
                   "run --no-pictures --timeout 0.5 --backend '%s/lib/broken_backend.so' %s", PICAFUZZ_BINARY_DIR,
                   "corpus/captures/jumps-f0.picacap");
    run_picafuzz(&result, "PICAFUZZ_FAULT=crash", arguments);
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "crashed"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "backend broken: running the case, operation 5: crashed in run (submit)"),
                       "%s", result.output);
    run_picafuzz(&result, "PICAFUZZ_FAULT=hang", arguments);
    cr_expect_eq(result.exit_code, 3, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "operation 5: hung in run (submit): not done after "), "%s",
                       result.output);
}

/* A machine with much other work is no hang. */
Test(cli, a_case_that_takes_long_by_the_clock_alone_is_no_hang)
{
    run_picafuzz(&result, "PICAFUZZ_FAULT=sleep",
                 "run --no-pictures --timeout 0.3 --backend '" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so' "
                 "corpus/seeds/blend/dest-factors.pcase");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

Test(cli, backends_lists_both_and_they_keep_their_word)
{
    expect("backends", 0, "reference - ");
    cr_expect_not_null(strstr(result.output, "fast - "));
    cr_expect_eq(count_lines_with("checks: 27 pass, 0 fail, 0 died, 0 not declared, 0 not taken"), 2);
    expect("backends ./no-such-plug-in.so", 2, "cannot be opened");
}

Test(cli, what_is_no_regular_file_is_no_plug_in_and_holds_nothing_up, .timeout = 60)
{
    char directory[1024], arguments[4096];
    fresh_directory(directory, sizeof directory, "no-plug-in");
    (void)snprintf(arguments, sizeof arguments, "mkfifo '%s/fifo.so' && mkdir '%s/directory.so'", directory, directory);
    cr_assert_eq(system(arguments), 0);
    for (int i = 0; i < 4; i++) {
        (void)snprintf(arguments, sizeof arguments, "diff -b reference,%s'%s/%s.so' corpus/captures/relay-f0.picacap",
                       i % 2 == 0 ? "inline:" : "", directory, i < 2 ? "fifo" : "directory");
        expect(arguments, 2, "cannot be opened: it is no regular file");
    }
}

Test(cli, what_is_read_from_another_kind_of_file_is_refused_by_name, .timeout = 60)
{
    expect("mutate corpus/captures", 2, "picafuzz: corpus/captures: expected a case file, found a directory");
}

Test(cli, dumps_of_both_backends_are_equal_and_as_documented)
{
    char directory[1024], arguments[4096];
    fresh_directory(directory, sizeof directory, "dump");
    (void)snprintf(arguments, sizeof arguments, "run --no-pictures --dump '%s/a' corpus/captures/relay-f0.picacap",
                   directory);
    expect(arguments, 0, "relay-f0");
    (void)snprintf(arguments, sizeof arguments,
                   "run --no-pictures --backend fast --dump '%s/b' corpus/captures/relay-f0.picacap", directory);
    expect(arguments, 0, "relay-f0");
    (void)snprintf(arguments, sizeof arguments, "cmp '%s/a' '%s/b'", directory, directory);
    cr_expect_eq(system(arguments), 0);
    (void)snprintf(arguments, sizeof arguments, "%s/a", directory);
    FILE *const file = fopen(arguments, "rb");
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
    char directory[1024], arguments[4096];
    fresh_directory(directory, sizeof directory, "show");
    (void)snprintf(arguments, sizeof arguments, "import --output '%s' corpus/captures/sparks-f0.picacap", directory);
    expect(arguments, 0, "sparks-f0.pcase");
    (void)snprintf(arguments, sizeof arguments, "asm '%s/sparks-f0.pcase'", directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "diff '%s/sparks-f0.pcb' '%s/sparks-f0.pcase'", directory, directory);
    expect(arguments, 0, "2 of 2 cases agree");
    (void)snprintf(arguments, sizeof arguments, "show '%s/sparks-f0.pcb' > '%s/again.pcase'", directory, directory);
    run_picafuzz(&result, "", arguments);
    (void)snprintf(arguments, sizeof arguments, "asm '%s/again.pcase'", directory);
    run_picafuzz(&result, "", arguments);
    (void)snprintf(arguments, sizeof arguments, "cmp '%s/again.pcb' '%s/sparks-f0.pcb'", directory, directory);
    cr_expect_eq(system(arguments), 0, "show then asm changes the case");
}

Test(cli, json_output_is_one_object_a_line)
{
    expect("run --no-pictures --json corpus/captures/hand-f0.picacap", 0, "\"backend\":\"reference\"");
    expect("diff --json corpus/captures/hand-f0.picacap", 0, "\"verdict\":\"agree\"");
    expect("show --json corpus/captures/hand-f0.picacap", 0, "\"register\":\"DEPTH_COLOR_MASK\"");
    cr_expect_eq(result.output[0], '{');
}

/* tests/cli/fake_target.sh fails on every seed in the corpus; both leave it. */
Test(cli, fuzz_turns_failing_inputs_into_findings_and_goes_on)
{
    char directory[1024], arguments[4096], path[2048];
    fresh_directory(directory, sizeof directory, "findings");
    (void)snprintf(arguments, sizeof arguments,
                   "fuzz --seconds 600 --target tests/cli/fake_target.sh --corpus '%s/corpus' --findings '%s/found' "
                   "corpus/captures/jumps-f0.picacap corpus/captures/jumps-f5.picacap",
                   directory, directory);
    expect(arguments, 1, "2 finding(s):");
    cr_expect_not_null(strstr(result.output, "picafuzz: the backends differ"), "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/corpus", directory);
    cr_expect_eq(count_files(path, ".pcb"), 0);
    (void)snprintf(path, sizeof path, "%s/found/unconfirmed", directory); /* the two agree: it cannot be reduced */
    cr_expect_eq(count_files(path, ""), 9,
                 "a finding is .pcase, .pcb, .txt; its bucket has a count, a date, a version");
    (void)snprintf(arguments, sizeof arguments, "diff '%s'/found '%s'/found/*/*.pcb", directory, directory);
    expect(arguments, 0, "4 of 4 cases agree"); /* the directory stands for the .pcase alone */
}

/* The message is about one of the two: the other is not a duplicate of it. */
Test(cli, fuzz_keeps_a_finding_whose_words_it_does_not_know)
{
    char directory[1024], arguments[4096], path[2048];
    fresh_directory(directory, sizeof directory, "late");
    (void)snprintf(arguments, sizeof arguments,
                   "fuzz --seconds 600 --target tests/cli/late_target.sh --corpus '%s/corpus' --findings '%s/found'",
                   directory, directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/found/unconfirmed", directory); /* both backends agree on them */
    cr_expect_eq(count_files(path, "input-"), 6, "two inputs, each with .pcase and .txt");
}

/* tests/cli/fake holds an afl-fuzz that "finds" one input and one crash. */
static void run_fake_afl(const char *directory, const char *more)
{
    char arguments[6144], environment[1200];
    (void)snprintf(environment, sizeof environment, "PATH='%s/tests/cli/fake':\"$PATH\"", PICAFUZZ_SOURCE_DIR);
    (void)snprintf(arguments, sizeof arguments,
                   "fuzz --engine afl --seconds 3 --target tests/cli/fake/target_afl --mutator tests/cli/fake/afl-fuzz "
                   "--corpus '%s/corpus' --findings '%s/found' %s corpus/captures/jumps-f0.picacap",
                   directory, directory, more);
    run_picafuzz(&result, environment, arguments);
}

static void write_file(const char *directory, const char *name, const char *text)
{
    char path[3072];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    (void)fputs(text, file);
    (void)fclose(file);
}

static void expect_line(const char *directory, const char *file, const char *words)
{
    char line[4096];
    (void)snprintf(line, sizeof line, "grep -qx '%s' '%s/corpus-afl/structure/%s'", words, directory, file);
    cr_expect_eq(system(line), 0, "%s", words);
}

Test(cli, fuzz_with_afl_keeps_what_was_found_and_writes_crashes_as_findings)
{
    char directory[1024], path[2048];
    fresh_directory(directory, sizeof directory, "afl");
    run_fake_afl(directory, "");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "1 finding(s):"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "tests/cli/fake/target_afl CASE.pcb"), "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/corpus", directory);
    cr_expect_eq(count_files(path, ".pcb"), 2, "the seed, and what was found, under names that are cases");
    (void)snprintf(path, sizeof path, "%s/found/unconfirmed", directory); /* the two agree: it cannot be reduced */
    cr_expect_eq(count_files(path, "input-"), 3);
    expect_line(directory, "mutator", "tests/cli/fake/afl-fuzz");
    expect_line(directory, "core", "try 1 no 0"); /* its target takes turns with it */
}

/* Threads of a backend would have to share that core. */
Test(cli, fuzz_with_afl_has_more_than_one_core_where_a_backend_has_threads)
{
    char directory[1024];
    fresh_directory(directory, sizeof directory, "afl-cores");
    run_fake_afl(directory, "--threads 2");
    expect_line(directory, "core", "try 0 no 1");
}

Test(cli, fuzz_with_afl_takes_over_what_a_killed_campaign_left)
{
    char directory[1024], path[2048], arguments[4096];
    fresh_directory(directory, sizeof directory, "afl-again");
    (void)snprintf(arguments, sizeof arguments,
                   "cd '%s' && mkdir -p corpus corpus-afl/old/queue corpus-afl/old/crashes corpus-afl/kept", directory);
    cr_assert_eq(system(arguments), 0);
    write_file(directory, "corpus-afl/old/queue/id:000007,src:000001", "what it had found");
    write_file(directory, "corpus-afl/old/crashes/id:000000,sig:04", "older"); /* fails, as five bytes do */
    write_file(directory, "corpus-afl/.affinity_lock", "");                    /* or afl-fuzz would wait for ever */
    run_fake_afl(directory, "");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "2 finding(s):"), "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "grep -qrx 'what it had found' '%s/corpus'", directory);
    cr_expect_eq(system(arguments), 0);
    (void)snprintf(path, sizeof path, "%s/corpus-afl/old", directory);
    cr_expect_not(file_exists(path));
    (void)snprintf(path, sizeof path, "%s/corpus-afl/kept", directory);
    cr_expect(file_exists(path), "a directory that no instance made is not ours to remove");
}

Test(cli, fuzz_refuses_what_is_the_engines_own_affair_and_says_so)
{
    expect("fuzz --engine libfuzzer --jobs 2", 2, "an engine has means of its own: libFuzzer -fork, AFL++ -M and -S");
    expect("fuzz --engine afl --cmplog x", 2, "--still, --memory and --cmplog are gone: start the engine itself");
}

Test(cli, fuzz_without_afl_fuzz_names_the_package)
{
    char directory[1024], arguments[6144];
    fresh_directory(directory, sizeof directory, "no-afl");
    (void)snprintf(arguments, sizeof arguments,
                   "fuzz --engine afl --seconds 1 --target tests/cli/fake/target_afl --corpus '%s/c' --findings '%s/f'",
                   directory, directory);
    run_picafuzz(&result, "PATH=/nowhere", arguments);
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "Debian package afl++"), "%s", result.output);
    expect("fuzz --engine afl --target ./no-such-target", 4, "cmake --preset afl");
}

/* Seeds of one name in two directories are two seeds. */
Test(cli, seeds_are_named_after_file_and_directory)
{
    char directory[1024], arguments[8192], path[2048];
    fresh_directory(directory, sizeof directory, "seeds");
    (void)snprintf(arguments, sizeof arguments,
                   "mkdir -p '%s/in/a' '%s/in/b' && cp '%s/corpus/captures/jumps-f0.picacap' '%s/in/a/x.picacap' && "
                   "cp '%s/corpus/captures/jumps-f5.picacap' '%s/in/b/x.picacap'",
                   directory, directory, PICAFUZZ_SOURCE_DIR, directory, PICAFUZZ_SOURCE_DIR, directory);
    cr_assert_eq(system(arguments), 0);
    (void)snprintf(
        arguments, sizeof arguments,
        "fuzz --seconds 1 --target tests/cli/quiet_target.sh --corpus '%s/corpus' --findings '%s/found' '%s/in'",
        directory, directory, directory);
    expect(arguments, 0, "2 of 2 seeds added");
    (void)snprintf(path, sizeof path, "%s/corpus", directory);
    cr_expect_eq(count_files(path, "-x.picacap.pcb"), 2);
}

/* DIRECTORY/in/1/a/x.picacap and DIRECTORY/in/2/a/x.picacap: two captures of one name, in directories of one name. */
static void make_namesakes(char *directory, size_t size, const char *name)
{
    char line[8192];
    fresh_directory(directory, size, name);
    (void)snprintf(line, sizeof line,
                   "mkdir -p '%s/in/1/a' '%s/in/2/a' && cp '%s/corpus/captures/jumps-f0.picacap' '%s/in/1/a/x.picacap' "
                   "&& cp '%s/corpus/captures/jumps-f5.picacap' '%s/in/2/a/x.picacap'",
                   directory, directory, PICAFUZZ_SOURCE_DIR, directory, PICAFUZZ_SOURCE_DIR, directory);
    cr_assert_eq(system(line), 0);
}

Test(cli, no_case_overwrites_what_became_of_another_one)
{
    char directory[1024], arguments[8192], path[2048];
    make_namesakes(directory, sizeof directory, "namesakes");
    (void)snprintf(arguments, sizeof arguments, "import -o '%s/cases' '%s/in'", directory, directory);
    expect(arguments, 0, "window(s)");
    (void)snprintf(path, sizeof path, "%s/cases", directory);
    cr_expect_eq(count_files(path, "a-x.picacap.pcase"), 2, "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "run -o '%s/one' '%s/in/1/a/x.picacap'", directory, directory);
    expect(arguments, 0, "x: reference:");
    (void)snprintf(path, sizeof path, "%s/one", directory);
    const size_t pictures = count_files(path, ".png");
    cr_expect_gt(pictures, 0);
    (void)snprintf(arguments, sizeof arguments, "run -o '%s/both' '%s/in'", directory, directory);
    expect(arguments, 0, "a-x.picacap: reference:");
    (void)snprintf(path, sizeof path, "%s/both", directory);
    cr_expect_eq(count_files(path, ".png"), 2 * pictures, "%s", result.output);
    (void)snprintf(
        arguments, sizeof arguments,
        "fuzz --seconds 1 --target tests/cli/quiet_target.sh --corpus '%s/corpus' --findings '%s/found' '%s/in'",
        directory, directory, directory);
    expect(arguments, 0, "2 of 2 seeds added");
    (void)snprintf(path, sizeof path, "%s/corpus", directory);
    cr_expect_eq(count_files(path, ".pcb"), 2, "%s", result.output);
}

/* a/x and ../a/x: not even their paths tell them apart. */
Test(cli, names_that_stay_the_same_get_a_number)
{
    char directory[1024], line[8192], path[2048];
    make_namesakes(directory, sizeof directory, "same-paths");
    (void)snprintf(line, sizeof line,
                   "cd '%s/in' && mv 2/a a && cd 1 && '%s/bin/picafuzz' import -o ../../cases a/x.picacap "
                   "../a/x.picacap && '%s/bin/picafuzz' run -o ../../one a/x.picacap && '%s/bin/picafuzz' run -o "
                   "../../both a/x.picacap ../a/x.picacap",
                   directory, PICAFUZZ_BINARY_DIR, PICAFUZZ_BINARY_DIR, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/cases", directory);
    cr_expect_eq(count_files(path, "a-x.picacap"), 2, "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/one", directory);
    const size_t pictures = count_files(path, ".png");
    (void)snprintf(path, sizeof path, "%s/both", directory);
    cr_expect_eq(count_files(path, ".png"), 2 * pictures, "%s", result.output);
}

Test(cli, twins_of_cases_of_one_name_are_all_saved)
{
    char directory[1024], arguments[8192];
    fresh_directory(directory, sizeof directory, "saved-namesakes");
    (void)snprintf(arguments, sizeof arguments,
                   "cd '%s' && mkdir 1 2 && cp '%s/corpus/captures/mesh-f0.picacap' 1 && cp 1/mesh-f0.picacap 2",
                   directory, PICAFUZZ_SOURCE_DIR);
    cr_assert_eq(system(arguments), 0);
    (void)snprintf(arguments, sizeof arguments,
                   "check -b '%s/lib/broken_backend.so' --relations two-lists --save '%s' '%s/1' '%s/2'",
                   PICAFUZZ_BINARY_DIR, directory, directory, directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_eq(count_files(directory, "-two-lists-"), 4, "%s", result.output);
}

/* A link to where it lies, twice, would make 65 536 cases of one. */
Test(cli, a_link_to_a_directory_above_is_not_followed)
{
    char directory[1024], line[8192];
    fresh_directory(directory, sizeof directory, "links");
    (void)snprintf(line, sizeof line,
                   "mkdir -p '%s/in' && cp corpus/seeds/blend/dest-factors.pcase '%s/in' && ln -s . '%s/in/one' && ln "
                   "-s ../in '%s/in/two' && timeout 60 '%s/bin/picafuzz' diff '%s/in'",
                   directory, directory, directory, directory, PICAFUZZ_BINARY_DIR, directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "dest-factors.pcase: agree"), "%s", result.output);
    cr_expect_eq(count_lines_with("agree"), 1, "%s", result.output);
}

/* All in one directory, as engines leave them; to look for the case that each was reduced from took minutes. */
Test(cli, a_directory_of_30000_files_is_listed_in_seconds)
{
    char directory[1024], line[8192];
    fresh_directory(directory, sizeof directory, "many");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && seq -f 'in%%06g.pcb' 30000 | xargs touch && touch in000001.pcase && ulimit -t 3 && "
                   "'%s/bin/picafuzz' diff --shard 1/30000 --quiet .; code=$?; find . -name 'in*' -delete; exit $code",
                   directory, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "in000001.pcase"), "the first one is empty text: %s", result.output);
}

Test(cli, import_never_overwrites_its_input)
{
    char directory[1024], arguments[8192], line[4096];
    fresh_directory(directory, sizeof directory, "import-self");
    (void)snprintf(line, sizeof line, "cp '%s/corpus/seeds/blend/dest-factors.pcase' '%s/x.pcase'", PICAFUZZ_SOURCE_DIR,
                   directory);
    cr_assert_eq(system(line), 0);
    (void)snprintf(arguments, sizeof arguments, "import -o '%s' '%s/x.pcase'", directory, directory);
    expect(arguments, 2, "is an input and would be overwritten");
    (void)snprintf(line, sizeof line, "cmp '%s/corpus/seeds/blend/dest-factors.pcase' '%s/x.pcase'",
                   PICAFUZZ_SOURCE_DIR, directory);
    cr_expect_eq(system(line), 0);
}

/* As `reduce capture -o capture` and `mutate case -o case` did. A directory was complained of when all was done. */
Test(cli, no_command_writes_over_its_input)
{
    char directory[1024], line[8192];
    fresh_directory(directory, sizeof directory, "in-place");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && cp '%s/corpus/seeds/blend/dest-factors.pcase' x.pcase && ln -s x.pcase z.pcase && mkdir "
                   "d.pcase; cp x.pcase kept; for to in x z; do for command in 'reduce --test true' mutate asm; do "
                   "'%s/bin/picafuzz' $command x.pcase -o $to.pcase; echo $?; done; done; '%s/bin/picafuzz' reduce "
                   "--test true x.pcase -o d.pcase; echo $?; cmp x.pcase kept && echo 'is as it was'",
                   directory, PICAFUZZ_SOURCE_DIR, PICAFUZZ_BINARY_DIR, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_not_null(strstr(result.output, "is as it was"), "%s", result.output);
    cr_expect_eq(count_lines_with("\n2\n"), 7, "%s", result.output);
}

/* Two engines found it, and the campaign was killed before it said so. */
Test(cli, a_bucket_keeps_an_input_once)
{
    char directory[1024], arguments[8192], path[2048];
    fresh_directory(directory, sizeof directory, "twice");
    (void)snprintf(
        arguments, sizeof arguments,
        "mkdir '%s/found' && echo same >'%s/found/engine-crash-0123' && echo same >'%s/found/engine-crash-0124' "
        "&& echo other >'%s/found/engine-crash-4567'",
        directory, directory, directory, directory);
    cr_assert_eq(system(arguments), 0);
    (void)snprintf(arguments, sizeof arguments,
                   "fuzz --seconds 60 --target tests/cli/quiet_target.sh --corpus '%s/corpus' --findings '%s/found'",
                   directory, directory);
    expect(arguments, 1, "2 finding(s)");
    (void)snprintf(path, sizeof path, "%s/found/unconfirmed", directory);
    cr_expect_eq(count_files(path, ".pcb"), 2, "%s", result.output);
}

Test(cli, a_full_disk_is_said_and_exits_4)
{
    expect("run --no-pictures --dump /dev/full/x corpus/captures/hand-f0.picacap", 4, "/dev/full/x");
    run_picafuzz(&result, "", "import --output /dev/null/x corpus/captures/hand-f0.picacap");
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
}

/* A backend that dies of being looked at more closely, in the program or in a process of its own, loses no verdict. */
Test(cli, diff_keeps_the_verdict_when_explaining_it_crashes_or_hangs)
{
    static const char *const faults[] = { "trace-crash", "reload-crash", "reread-crash", "reload-hang" };
    static const char *const hosts[] = { "inline:", "" };
    for (size_t i = 0; i < 2 * sizeof faults / sizeof faults[0]; i++) {
        char arguments[1024], environment[64];
        (void)snprintf(environment, sizeof environment, "PICAFUZZ_FAULT=%s", faults[i / 2]);
        (void)snprintf(arguments, sizeof arguments,
                       "diff --timeout 0.1 -b reference,%s" PICAFUZZ_BINARY_DIR
                       "/lib/broken_backend.so corpus/seeds/blend/min-max-with-factors.pcase",
                       hosts[i % 2]);
        run_picafuzz(&result, environment, arguments);
        cr_expect_eq(result.exit_code, 1, "%s%s: %s", hosts[i % 2], faults[i / 2], result.output);
        cr_expect_not_null(strstr(result.output, ".pcase: diverge"), "%s%s: %s", hosts[i % 2], faults[i / 2],
                           result.output);
        cr_expect_not_null(strstr(result.output, "note       "), "%s%s: %s", hosts[i % 2], faults[i / 2],
                           result.output);
    }
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
    char arguments[1024], environment[4096], path[1024];
    fresh_directory(path, sizeof path, "unstable");
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_FAULT=counter PICAFUZZ_COUNTER=%s/count", path);
    (void)snprintf(arguments, sizeof arguments, "diff -b reference," PICAFUZZ_BINARY_DIR "/lib/broken_backend.so %s %s",
                   case_file, case_file);
    run_picafuzz(&result, environment, arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, ".pcase: unstable: the difference came back in 1 of 3"), "%s",
                       result.output);
    cr_expect_not_null(strstr(result.output, "time, threads"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, " unstable\n"), "%s", result.output);
#ifndef OWN_MALLOC
    run_picafuzz(&result, "PICAFUZZ_FAULT=dirty", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "never written: with fresh memory as it is they differ, with fresh memory "
                                             "full of 0xAA they agree"),
                       "%s", result.output);
#endif
}

#define UNSTEADY "'" PICAFUZZ_BINARY_DIR "/lib/unsteady_backend.so'"

/* The third of the generated cases shows what the two before it left behind; alone it agrees. */
Test(cli, a_generated_case_that_differs_after_others_only_is_unstable)
{
    run_picafuzz(&result, "PICAFUZZ_UNSTEADY=third", "diff -b reference," UNSTEADY " --mode defined --generate 1 4");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "defined-3: unstable (memory): the difference came back in 0 of 3 fresh "
                                             "processes; it depends on the 2 cases before it"),
                       "%s", result.output);
    cr_expect_not_null(strstr(result.output, "2 of 4 generated cases agree, 2 are unstable"), "%s", result.output);
    run_picafuzz(&result, "PICAFUZZ_UNSTEADY=third",
                 "diff --json -b reference," UNSTEADY " --mode defined --generate 1 3");
    cr_expect_not_null(strstr(result.output, "\"verdict\":\"unstable\""), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\"depends_on\":\"cases-before\""), "%s", result.output);
}

/* Its first contents alone are compared. */
Test(cli, a_case_without_operations_is_judged)
{
    char directory[512], arguments[2048];
    fresh_directory(directory, sizeof directory, "no-operations");
    (void)snprintf(arguments, sizeof arguments, "printf 'pcase 1\nwindow 0x18000000 size 0x1000\n' > '%s/none.pcase'",
                   directory);
    cr_assert_eq(system(arguments), 0);
    (void)snprintf(arguments, sizeof arguments, "diff -b reference,%s '%s/none.pcase'", UNSTEADY, directory);
    run_picafuzz(&result, "PICAFUZZ_UNSTEADY=always", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "none.pcase: diverge (memory)"), "%s", result.output);
}

/* What comes back is what it was, for all of more than are looked at together. */
Test(cli, generated_cases_that_come_back_are_divergences)
{
    run_picafuzz(&result, "PICAFUZZ_UNSTEADY=always",
                 "diff -q -b reference," UNSTEADY " --mode defined --generate 1 40");
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "defined-40: diverge (memory)"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "0 of 40 generated cases agree, 40 differ\n"), "%s", result.output);
}
