/* picafuzz export, import-results, reduce --exportable and --defined, generate --exportable: what a user sees. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct command_result result;

static void run(int exit_code, const char *arguments)
{
    run_picafuzz(&result, "", arguments);
    cr_assert_eq(result.exit_code, exit_code, "picafuzz %s: %d\n%s", arguments, result.exit_code, result.output);
}

static void expect(const char *part)
{
    cr_expect_not_null(strstr(result.output, part), "output lacks '%s':\n%s", part, result.output);
}

Test(console_commands, say_plainly_that_no_console_has_run_them_yet)
{
    run(0, "export --help");
    expect("NOT YET RUN ON A CONSOLE");
    run(0, "import-results --help");
    expect("NOT YET RUN ON A CONSOLE");
}

Test(console_commands, name_what_may_be_exported_and_why_the_rest_may_not)
{
    run(0, "export --list corpus/seeds/fill corpus/seeds/raster corpus/seeds/display");
    expect("yes  corpus/seeds/raster/fill-rule.pcase");
    expect(
        "no   corpus/seeds/fill/limits.pcase\n       operation 1 writes 0x1040001C: a register that starts something");
    expect("an LCD controller");
    run(2, "export --list corpus/seeds/fill/limits.pcase");
    expect("0 of 1 cases may be exported");
}

Test(console_commands, export_one_file_and_one_more_for_each_suspected_event)
{
    char directory[512], line[2048];
    fresh_directory(directory, sizeof directory, "console-export");
    (void)snprintf(line, sizeof line, "export --3dsx -o '%s' --name mine corpus/seeds/raster", directory);
    run(0, line);
    expect("mine.3dsx: 1 cases");
    expect("not yet run on a console");
    cr_expect_eq(count_files(directory, ".3dsx"), 1);
    (void)snprintf(line, sizeof line, "export --3dsx --may-hang -o '%s' corpus/seeds/fill/widths.pcase", directory);
    run(0, line);
    expect("cases-hang1.3dsx: 1 cases");
    expect("may hang: fill-24-tail");
}

Test(console_commands, export_a_part_of_a_pack)
{
    run(0, "export --list --pack numbers --only fetch");
    expect("yes  fetch-00\nyes  fetch-01\n");
    expect("2 of 2 cases may be exported");
    run(0, "export --list --pack registers --only registers-040");
    expect("only 'registers-040' was asked for");
    run(2, "export --list --pack numbers --only nothing-begins-so");
    expect("0 of 0 cases may be exported");
}

Test(console_commands, export_what_begins_with_one_of_several_words)
{
    run(0, "export --list --pack registers --only registers-040,registers-080");
    expect("8 of 44 cases may be exported");
    run(2, "export --list --pack registers --only nothing");
    expect("no case that may be exported begins with 'nothing'");
}

Test(console_commands, write_nothing_over_what_came_back_from_a_console)
{
    char directory[512], line[2048];
    fresh_directory(directory, sizeof directory, "console-results");
    (void)snprintf(line, sizeof line, "echo results >'%s/a.results'", directory);
    run_command(&result, line);
    (void)snprintf(line, sizeof line, "import-results -o '%s/a.results' '%s/a.results'", directory, directory);
    run(2, line);
    expect("a.results, which is read; nothing was run");
}

Test(console_commands, complain_of_senseless_options)
{
    run(2, "export --list --only raster corpus/seeds/raster");
    expect("--only picks cases of a --pack");
    run(2, "export corpus/seeds/raster");
    expect("say --3dsx -o DIRECTORY, or --list");
    run(2, "export --list --safe --may-hang corpus/seeds/raster");
    run(2, "export --list --name 'Not This' corpus/seeds/raster");
    expect("names no files on the card");
    run(2, "import-results corpus/README.md");
    expect("say -o FILE");
    run(2, "import-results -o never.res --from corpus/README.md corpus/README.md");
    expect("expected a .3dsx");
}

Test(console_commands, reduce_to_what_may_be_exported, .timeout = 120)
{
    char directory[512], line[2048];
    fresh_directory(directory, sizeof directory, "console-reduce");
    /* without the option the window may go away, and everything else that a console needs */
    (void)snprintf(line, sizeof line,
                   "reduce -q --exportable --test 'grep -q DRAWARRAYS' corpus/seeds/raster/fill-rule.pcase -o "
                   "'%s/small.pcase'",
                   directory);
    run(0, line);
    (void)snprintf(line, sizeof line, "export --list '%s/small.pcase'", directory);
    run(0, line);
    expect("1 of 1 cases may be exported");
    (void)snprintf(line, sizeof line,
                   "reduce -q --exportable --test 'true' corpus/seeds/fill/limits.pcase -o '%s/no.pcase'", directory);
    run(2, line);
    expect("the case itself does not fit: operation 1 writes 0x1040001C");
}

Test(console_commands, reduce_to_what_is_defined, .timeout = 120)
{
    char directory[512], line[2048];
    fresh_directory(directory, sizeof directory, "console-defined");
    (void)snprintf(line, sizeof line,
                   "reduce -q --defined --test 'grep -q DRAWARRAYS' corpus/seeds/raster/fill-rule.pcase -o "
                   "'%s/small.pcase'",
                   directory);
    run(0, line);
    (void)snprintf(line, sizeof line, "run --no-pictures '%s/small.pcase'", directory);
    run(0, line);
    cr_expect_null(strstr(result.output, "undefined"), "%s", result.output);
    (void)snprintf(line, sizeof line, "reduce -q --defined --test true corpus/seeds/fill/widths.pcase -o '%s/no.pcase'",
                   directory);
    run(2, line);
    expect("the case itself does not fit: it touches undefined behaviour");
}

Test(console_commands, generate_cases_that_may_be_exported)
{
    char directory[512], line[2048];
    unsigned taken = 0, all = 0;
    fresh_directory(directory, sizeof directory, "console-generate");
    (void)snprintf(line, sizeof line, "generate --exportable --count 40 --binary -o '%s'", directory);
    run(0, line);
    (void)snprintf(line, sizeof line, "export --list '%s'", directory);
    run(0, line);
    const char *const total = strstr(result.output, " cases may be exported");
    cr_assert_not_null(total);
    const char *start = total;
    while (start > result.output && start[-1] != '\n')
        start--;
    cr_assert_eq(sscanf(start, "%u of %u", &taken, &all), 2);
    cr_expect(all == 40 && taken == 40, "%u of %u", taken, all);
    (void)snprintf(line, sizeof line, "generate --exportable --seed 1115 --count 2 -o '%s'", directory);
    run(0, line);
    expect("1 of 2 cases are left out: a console might not survive them"); /* w-not-positive in 1116 */
    run(2, "generate --exportable --mode raw");
    expect("--exportable makes defined cases");
}

Test(console_commands, a_pack_is_named_and_tells_what_it_leaves_out)
{
    char directory[512], line[2048];
    run(0, "export --pack splits --list");
    expect("yes  fill-rule");
    expect("no   reset-243\n       asks for a value after reset");
    expect("no   cpu-write\n       operation 2 writes 0x104018B8: a register that starts");
    fresh_directory(directory, sizeof directory, "console-pack");
    (void)snprintf(line, sizeof line, "export --pack splits -o '%s'", directory);
    run(0, line);
    expect("splits.3dsx: ");
    expect("an estimate, nobody measured it");
    cr_expect_eq(count_files(directory, ".3dsx"), 1);
    (void)snprintf(line, sizeof line, "export --pack registers -o '%s'", directory);
    run(0, line);
    expect("registers.3dsx: 44 cases");
    run(2, "export --pack nothing --list");
    expect("there is no pack 'nothing'");
    run(2, "export --pack splits --list corpus/seeds/raster");
}

#ifdef PICAFUZZ_HAS_BUGS
/* A recorded side runs no part of a case: the other's history of the pixel says which draw and which stage. */
Test(console_commands, infer_draw_and_stage_where_a_side_is_recorded, .timeout = 60)
{
    char directory[512], line[2048];
    fresh_directory(directory, sizeof directory, "console-inferred");
    (void)snprintf(line, sizeof line,
                   "run --no-pictures --record '%s/a.res' -b '" PICAFUZZ_BINARY_DIR
                   "/bugs/stencil_test-masks-swapped.so' corpus/seeds/stencil_test/fail-and-mask.pcase",
                   directory);
    run(0, line);
    (void)snprintf(line, sizeof line,
                   "diff --only memory -b 'reference,recorded:%s/a.res' "
                   "corpus/seeds/stencil_test/fail-and-mask.pcase",
                   directory);
    run(1, line);
    expect("draw       0 of the operation, by DRAWARRAYS");
    expect("stage      stencil test, inferred");
    expect("reference's history of the pixel");
    (void)snprintf(line, sizeof line,
                   "run --no-pictures --record '%s/b.res' -b reference corpus/seeds/stencil_test/fail-and-mask.pcase",
                   directory);
    run(0, line);
    (void)snprintf(line, sizeof line,
                   "diff --only memory -b 'recorded:%s/a.res,recorded:%s/b.res' "
                   "corpus/seeds/stencil_test/fail-and-mask.pcase",
                   directory, directory);
    run(1, line);
    expect("both sides are recorded");
}
#endif
