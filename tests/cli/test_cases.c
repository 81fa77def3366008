/* `picafuzz generate` and `picafuzz mutate` as a user runs them: the files they write, and what they refuse. */
#include "tests/cli/program.h"

/* `format` holds the directory once or twice. */
static void expect_same(const char *first, const char *second, bool same)
{
    run_shell(words_of("cd @ && cmp -s %s %s", first, second));
    cr_expect_eq(result.exit_code == 0, same, "%s and %s %s", first, second, same ? "differ" : "are the same");
}

Test(cli_cases, both_teach_by_example)
{
    EXPECT_RUN("generate --help", 0, "\n  picafuzz generate --seed 7 -o seven.pcb");
    EXPECT_RUN("mutate --help", 0, "\n  picafuzz mutate --with b.pcase");
    EXPECT_RUN("generate --list-areas", 0, "stencil\n");
    EXPECT_RUN("mutate --list-kinds", 0, "delete-commands\n");
}

Test(cli_cases, generate_prints_one_case_as_text)
{
    EXPECT_RUN("generate --seed 5", 0, "pcase 1\n");
    char first[sizeof result.output];
    memcpy(first, result.output, sizeof first);
    EXPECT_RUN("generate -s 5", 0, "pcase 1\n");
    cr_expect_str_eq(result.output, first);
    EXPECT_RUN("generate -s 6", 0, "pcase 1\n");
    cr_expect_str_neq(result.output, first);
}

Test(cli_cases, generate_writes_a_file_or_a_directory_of_them)
{
    EXPECT_RUN("generate --seed 11 --count 4 --binary -o @/corpus", 0, "corpus/mixed-14.pcb\n");
    EXPECT_RUN("generate --seed 12 -o @/one.pcb", 0, "one.pcb\n");
    expect_same("corpus/mixed-12.pcb", "one.pcb", true);
    expect_same("corpus/mixed-13.pcb", "one.pcb", false);
    EXPECT_RUN("generate --seed 12 -o @/one.pcase", 0, "one.pcase\n");
    EXPECT_RUN("asm -o @/again.pcb @/one.pcase", 0, "");
    expect_same("again.pcb", "one.pcb", true);
    EXPECT_RUN("generate --defined-only --count 2 -o @/defined", 0, "defined/defined-2.pcase\n");
    EXPECT_RUN("generate --mode raw --count 2 -o @/raw", 0, "raw/raw-1.pcase\n");
    EXPECT_RUN("run --no-pictures @/corpus @/defined @/raw", 0, "raw-2: reference:");
}

/* Without its area a case neither tests stencils nor lights fragments. */
Test(cli_cases, generate_keeps_to_the_areas_named)
{
    EXPECT_RUN("generate -d --count 30 --areas stencil,blend -o @/stencil", 0, "defined-30.pcase");
    EXPECT_RUN("generate -d --count 30 --areas lighting -o @/lighting", 0, "defined-30.pcase");
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
        run_shell(words_of("grep -rqE '%s' @/%s", rows[i].text, rows[i].area));
        cr_expect_eq(result.exit_code == 0, rows[i].expected, "%s: '%s'", rows[i].area, rows[i].text);
    }
}

Test(cli_cases, generate_says_what_it_cannot_do)
{
    EXPECT_RUN("generate --mode wild", 2, "--mode: 'wild' is not one of mixed, defined, anything, raw");
    EXPECT_RUN("generate --areas blend,sound", 2, "--areas: 'sound' is not one of");
    EXPECT_RUN("generate --areas blend --mode raw", 2, "raw cases have no areas");
    EXPECT_RUN("generate --count 2", 2, "say where to with -o");
    EXPECT_RUN("generate --count 2 -o x.pcase", 2, "x.pcase is one file");
    EXPECT_RUN("generate --count none", 2, "--count: 'none'");
    EXPECT_RUN("generate --seed -1", 2, "--seed: '-1' is not a number");
    EXPECT_RUN("generate some.pcase", 2, "'some.pcase' is one too many");
    EXPECT_RUN("generate -o /dev/null/x", 4, "/dev/null/x");
}

Test(cli_cases, mutate_makes_variants_and_says_how)
{
    EXPECT_RUN("generate --seed 3 -o @/a.pcase", 0, "a.pcase");
    EXPECT_RUN("mutate --count 20 --binary -o @/first @/a.pcase", 0, "first/a-20.pcb: ");
    EXPECT_RUN("mutate --count 20 --binary -o @/second @/a.pcase", 0, "second/a-1.pcb: ");
    shell("diff -r @/first @/second");
    expect_same("first/a-1.pcb", "first/a-2.pcb", false);
    EXPECT_RUN("mutate --kind delete-commands --seed 4 -o @/less.pcb @/a.pcase", 0, "less.pcb: delete-commands");
    EXPECT_RUN("mutate --max-size 600 --count 5 --binary -o @/small @/a.pcase", 0, "small/a-5.pcb");
    shell("test -z \"$(find @/small -type f -size +600c)\"");
    EXPECT_RUN("mutate @/a.pcase", 0, "pcase 1\n");
    EXPECT_RUN("run --no-pictures @/first", 0, "a-20: reference:");
}

Test(cli_cases, mutate_crosses_with_another_case)
{
    EXPECT_RUN("generate --seed 3 -o @/a.pcase", 0, "a.pcase");
    EXPECT_RUN("generate --seed 4 -o @/b.pcb", 0, "b.pcb");
    EXPECT_RUN("asm -o @/a.pcb @/a.pcase", 0, "");
    EXPECT_RUN("mutate --with @/b.pcb -o @/c.pcb @/a.pcase", 0, "c.pcb: crossed");
    expect_same("a.pcb", "c.pcb", false);
    EXPECT_RUN("mutate --with @/b.pcb --kind commands -o @/d.pcb @/a.pcase", 0, "d.pcb: commands");
    expect_same("a.pcb", "d.pcb", false);
    EXPECT_RUN("mutate --with @/b.pcb --kind draws @/a.pcase", 2, "is not one of operations");
}

Test(cli_cases, mutate_says_what_it_cannot_do)
{
    FILE *const file = fopen(path_in("empty.pcase"), "w");
    cr_assert_not_null(file);
    fputs("pcase 1\nwindow 0x18000000 size 0x1000\n", file);
    fclose(file);
    EXPECT_RUN("mutate", 2, "give one case");
    EXPECT_RUN("mutate a b", 2, "give one case");
    EXPECT_RUN("mutate no/such.pcase", 2, "no/such.pcase");
    EXPECT_RUN("mutate --kind nonsense x", 2, "--kind: 'nonsense'");
    EXPECT_RUN("mutate --max-size 1 x", 2, "--max-size: '1'");
    EXPECT_RUN("mutate --kind draws @/empty.pcase", 2, "found anything to change");
    EXPECT_RUN("mutate --count 2 @/empty.pcase", 2, "say where to with -o");
}
