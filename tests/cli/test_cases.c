/* `picafuzz generate` and `picafuzz mutate` as a user runs them: the files they write, and what they refuse. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
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

/* `format` holds the directory once or twice. */
static void expect_in(const char *directory, const char *format, int exit_code, const char *part)
{
    char arguments[8192];
    size_t length = 0;
    for (const char *at = format; *at != '\0' && length + 2048 < sizeof arguments; at++)
        length += *at == '@' ? (size_t)snprintf(arguments + length, sizeof arguments - length, "%s", directory)
                             : (size_t)snprintf(arguments + length, sizeof arguments - length, "%c", *at);
    expect(arguments, exit_code, part);
}

static void expect_same(const char *directory, const char *first, const char *second, bool same)
{
    char line[8192];
    (void)snprintf(line, sizeof line, "cmp -s '%s/%s' '%s/%s'", directory, first, directory, second);
    cr_expect_eq(system(line) == 0, same, "%s and %s %s", first, second, same ? "differ" : "are the same");
}

Test(cli_cases, both_teach_by_example)
{
    expect("generate --help", 0, "\n  picafuzz generate --seed 7 -o seven.pcb");
    expect("mutate --help", 0, "\n  picafuzz mutate --with b.pcase");
    expect("generate --list-areas", 0, "stencil\n");
    expect("mutate --list-kinds", 0, "delete-commands\n");
}

Test(cli_cases, generate_prints_one_case_as_text)
{
    expect("generate --seed 5", 0, "pcase 1\n");
    char first[sizeof result.output];
    memcpy(first, result.output, sizeof first);
    expect("generate -s 5", 0, "pcase 1\n");
    cr_expect_str_eq(result.output, first);
    expect("generate -s 6", 0, "pcase 1\n");
    cr_expect_str_neq(result.output, first);
}

Test(cli_cases, generate_writes_a_file_or_a_directory_of_them)
{
    char directory[1024];
    fresh_directory(directory, sizeof directory, "generate");
    expect_in(directory, "generate --seed 11 --count 4 --binary -o '@/corpus'", 0, "corpus/mixed-14.pcb\n");
    expect_in(directory, "generate --seed 12 -o '@/one.pcb'", 0, "one.pcb\n");
    expect_same(directory, "corpus/mixed-12.pcb", "one.pcb", true);
    expect_same(directory, "corpus/mixed-13.pcb", "one.pcb", false);
    expect_in(directory, "generate --seed 12 -o '@/one.pcase'", 0, "one.pcase\n");
    expect_in(directory, "asm -o '@/again.pcb' '@/one.pcase'", 0, "");
    expect_same(directory, "again.pcb", "one.pcb", true);
    expect_in(directory, "generate --defined-only --count 2 -o '@/defined'", 0, "defined/defined-2.pcase\n");
    expect_in(directory, "generate --mode raw --count 2 -o '@/raw'", 0, "raw/raw-1.pcase\n");
    expect_in(directory, "run --no-pictures '@/corpus' '@/defined' '@/raw'", 0, "raw-2: reference:");
}

/* Without its area a case neither tests stencils nor lights fragments. */
Test(cli_cases, generate_keeps_to_the_areas_named)
{
    char directory[1024];
    fresh_directory(directory, sizeof directory, "areas");
    expect_in(directory, "generate -d --count 30 --areas stencil,blend -o '@/stencil'", 0, "defined-30.pcase");
    expect_in(directory, "generate -d --count 30 --areas lighting -o '@/lighting'", 0, "defined-30.pcase");
    char line[4096];
    static const char stencil_on[] =
        "STENCIL_TEST (mask 0x[13579BDF] )?[{] enable = 1"; /* CMD-05: other masks leave it */
    const struct {
        const char *area;
        const char *text;
        bool expected;
    } rows[] = { { "stencil", stencil_on, true },
                 { "lighting", stencil_on, false },
                 { "stencil", "LIGHTING_LUT_DATA", false },
                 { "lighting", "LIGHTING_LUT_DATA", true } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)snprintf(line, sizeof line, "grep -rqE '%s' '%s/%s'", rows[i].text, directory, rows[i].area);
        cr_expect_eq(system(line) == 0, rows[i].expected, "%s: '%s'", rows[i].area, rows[i].text);
    }
}

Test(cli_cases, generate_says_what_it_cannot_do)
{
    expect("generate --mode wild", 2, "--mode: 'wild' is not one of mixed, defined, anything, raw");
    expect("generate --areas blend,sound", 2, "--areas: 'sound' is not one of");
    expect("generate --areas blend --mode raw", 2, "raw cases have no areas");
    expect("generate --count 2", 2, "say where to with -o");
    expect("generate --count 2 -o x.pcase", 2, "x.pcase is one file");
    expect("generate --count none", 2, "--count: 'none'");
    expect("generate --seed -1", 2, "--seed: '-1' is not a number");
    expect("generate some.pcase", 2, "'some.pcase' is one too many");
    expect("generate -o /dev/null/x", 4, "/dev/null/x");
}

Test(cli_cases, mutate_makes_variants_and_says_how)
{
    char directory[1024];
    fresh_directory(directory, sizeof directory, "mutate");
    expect_in(directory, "generate --seed 3 -o '@/a.pcase'", 0, "a.pcase");
    expect_in(directory, "mutate --count 20 --binary -o '@/first' '@/a.pcase'", 0, "first/a-20.pcb: ");
    expect_in(directory, "mutate --count 20 --binary -o '@/second' '@/a.pcase'", 0, "second/a-1.pcb: ");
    char line[4096];
    (void)snprintf(line, sizeof line, "diff -r '%s/first' '%s/second'", directory, directory);
    cr_expect_eq(system(line), 0, "the same seeds gave other bytes");
    expect_same(directory, "first/a-1.pcb", "first/a-2.pcb", false);
    expect_in(directory, "mutate --kind delete-commands --seed 4 -o '@/less.pcb' '@/a.pcase'", 0,
              "less.pcb: delete-commands");
    expect_in(directory, "mutate --max-size 600 --count 5 --binary -o '@/small' '@/a.pcase'", 0, "small/a-5.pcb");
    (void)snprintf(line, sizeof line, "test -z \"$(find '%s/small' -type f -size +600c)\"", directory);
    cr_expect_eq(system(line), 0, "larger than --max-size");
    expect_in(directory, "mutate '@/a.pcase'", 0, "pcase 1\n");
    expect_in(directory, "run --no-pictures '@/first'", 0, "a-20: reference:");
}

Test(cli_cases, mutate_crosses_with_another_case)
{
    char directory[1024];
    fresh_directory(directory, sizeof directory, "cross");
    expect_in(directory, "generate --seed 3 -o '@/a.pcase'", 0, "a.pcase");
    expect_in(directory, "generate --seed 4 -o '@/b.pcb'", 0, "b.pcb");
    expect_in(directory, "asm -o '@/a.pcb' '@/a.pcase'", 0, "");
    expect_in(directory, "mutate --with '@/b.pcb' -o '@/c.pcb' '@/a.pcase'", 0, "c.pcb: crossed");
    expect_same(directory, "a.pcb", "c.pcb", false);
    expect_in(directory, "mutate --with '@/b.pcb' --kind commands -o '@/d.pcb' '@/a.pcase'", 0, "d.pcb: commands");
    expect_same(directory, "a.pcb", "d.pcb", false);
    expect_in(directory, "mutate --with '@/b.pcb' --kind draws '@/a.pcase'", 2, "is not one of operations");
}

Test(cli_cases, mutate_says_what_it_cannot_do)
{
    char directory[1024], path[2048];
    fresh_directory(directory, sizeof directory, "mutate-bad");
    (void)snprintf(path, sizeof path, "%s/empty.pcase", directory);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("pcase 1\nwindow 0x18000000 size 0x1000\n", file);
    fclose(file);
    expect("mutate", 2, "give one case");
    expect("mutate a b", 2, "give one case");
    expect("mutate no/such.pcase", 2, "no/such.pcase");
    expect("mutate --kind nonsense x", 2, "--kind: 'nonsense'");
    expect("mutate --max-size 1 x", 2, "--max-size: '1'");
    expect_in(directory, "mutate --kind draws '@/empty.pcase'", 2, "found anything to change");
    expect_in(directory, "mutate --count 2 '@/empty.pcase'", 2, "say where to with -o");
}
