/* picafuzz export, import-results, reduce --exportable and --defined, generate --exportable: what a user sees. */
#include "tests/cli/program.h"

Test(console_commands, say_plainly_that_no_console_has_run_them_yet)
{
    EXPECT_RUN("export --help", 0, "NOT YET RUN ON A CONSOLE");
    EXPECT_RUN("import-results --help", 0, "NOT YET RUN ON A CONSOLE");
}

Test(console_commands, name_what_may_be_exported_and_why_the_rest_may_not)
{
    EXPECT_RUN(
        "export --list corpus/seeds/fill corpus/seeds/raster corpus/seeds/display", 0,
        "yes  corpus/seeds/raster/fill-rule.pcase",
        "no   corpus/seeds/fill/limits.pcase\n       operation 1 writes 0x1040001C: a register that starts something",
        "an LCD controller");
    EXPECT_RUN("export --list corpus/seeds/fill/limits.pcase", 2, "0 of 1 cases may be exported");
}

Test(console_commands, export_one_file_and_one_more_for_each_suspected_event)
{
    EXPECT_RUN("export --3dsx -o @ --name mine corpus/seeds/raster", 0, "mine.3dsx: 1 cases",
               "not yet run on a console");
    cr_expect_eq(files_in("", ".3dsx"), 1);
    EXPECT_RUN("export --3dsx --may-hang -o @ corpus/seeds/fill/widths.pcase", 0, "cases-hang1.3dsx: 1 cases",
               "may hang: fill-24-tail");
}

Test(console_commands, export_a_part_of_a_pack)
{
    EXPECT_RUN("export --list --pack numbers --only fetch", 0, "yes  fetch-00\nyes  fetch-01\n",
               "2 of 2 cases may be exported");
    EXPECT_RUN("export --list --pack registers --only registers-040", 0, "only 'registers-040' was asked for");
    EXPECT_RUN("export --list --pack numbers --only nothing-begins-so", 2, "0 of 0 cases may be exported");
}

Test(console_commands, export_what_begins_with_one_of_several_words)
{
    EXPECT_RUN("export --list --pack registers --only registers-040,registers-080", 0, "8 of 44 cases may be exported");
    EXPECT_RUN("export --list --pack registers --only nothing", 2,
               "no case that may be exported begins with 'nothing'");
}

Test(console_commands, write_nothing_over_what_came_back_from_a_console)
{
    run_shell("echo results >@/a.results");
    EXPECT_RUN("import-results -o @/a.results @/a.results", 2, "a.results, which is read; nothing was run");
}

Test(console_commands, complain_of_senseless_options)
{
    EXPECT_RUN("export --list --only raster corpus/seeds/raster", 2, "--only picks cases of a --pack");
    EXPECT_RUN("export corpus/seeds/raster", 2, "say --3dsx -o DIRECTORY, or --list");
    EXPECT_RUN("export --list --safe --may-hang corpus/seeds/raster", 2, "");
    EXPECT_RUN("export --list --name 'Not This' corpus/seeds/raster", 2, "names no files on the card");
    EXPECT_RUN("import-results corpus/README.md", 2, "say -o FILE");
    EXPECT_RUN("import-results -o never.res --from corpus/README.md corpus/README.md", 2, "expected a .3dsx");
}

Test(console_commands, reduce_to_what_may_be_exported, .timeout = 120)
{
    /* without the option the window may go away, and everything else that a console needs */
    EXPECT_RUN(
        "reduce -q --exportable --test 'grep -q DRAWARRAYS' corpus/seeds/raster/fill-rule.pcase -o @/small.pcase", 0,
        "");
    EXPECT_RUN("export --list @/small.pcase", 0, "1 of 1 cases may be exported");
    EXPECT_RUN("reduce -q --exportable --test true corpus/seeds/fill/limits.pcase -o @/no.pcase", 2,
               "the case itself does not fit: operation 1 writes 0x1040001C");
}

Test(console_commands, reduce_to_what_is_defined, .timeout = 120)
{
    EXPECT_RUN("reduce -q --defined --test 'grep -q DRAWARRAYS' corpus/seeds/raster/fill-rule.pcase -o @/small.pcase",
               0, "");
    EXPECT_RUN("run --no-pictures @/small.pcase", 0, "");
    EXPECT_LACKS("undefined");
    EXPECT_RUN("reduce -q --defined --test true corpus/seeds/fill/widths.pcase -o @/no.pcase", 2,
               "the case itself does not fit: it touches undefined behaviour");
}

Test(console_commands, generate_cases_that_may_be_exported)
{
    unsigned taken = 0, all = 0;
    EXPECT_RUN("generate --exportable --count 40 --binary -o @", 0, "");
    EXPECT_RUN("export --list @", 0, "");
    const char *const total = strstr(result.output, " cases may be exported");
    cr_assert_not_null(total);
    const char *start = total;
    while (start > result.output && start[-1] != '\n')
        start--;
    cr_assert_eq(sscanf(start, "%u of %u", &taken, &all), 2);
    cr_expect(all == 40 && taken == 40, "%u of %u", taken, all);
    EXPECT_RUN("generate --exportable --seed 1115 --count 2 -o @", 0,
               "1 of 2 cases are left out: a console might not survive them"); /* w-not-positive in 1116 */
    EXPECT_RUN("generate --exportable --mode raw", 2, "--exportable makes defined cases");
}

Test(console_commands, a_pack_is_named_and_tells_what_it_leaves_out)
{
    EXPECT_RUN("export --pack splits --list", 0, "yes  fill-rule",
               "no   reset-243\n       asks for a value after reset",
               "no   cpu-write\n       operation 2 writes 0x104018B8: a register that starts");
    EXPECT_RUN("export --pack splits -o @", 0, "splits.3dsx: ", "an estimate, nobody measured it");
    cr_expect_eq(files_in("", ".3dsx"), 1);
    EXPECT_RUN("export --pack registers -o @", 0, "registers.3dsx: 44 cases");
    EXPECT_RUN("export --pack nothing --list", 2, "there is no pack 'nothing'");
    EXPECT_RUN("export --pack splits --list corpus/seeds/raster", 2, "");
}

#ifdef PICAFUZZ_HAS_BUGS
/* A recorded side runs no part of a case: the other's history of the pixel says which draw and which stage. */
Test(console_commands, infer_draw_and_stage_where_a_side_is_recorded, .timeout = 60)
{
    EXPECT_RUN("run --no-pictures --record @/a.res -b '" PICAFUZZ_BINARY_DIR
               "/bugs/stencil_test-masks-swapped.so' corpus/seeds/stencil_test/fail-and-mask.pcase",
               0, "");
    EXPECT_RUN("diff --only memory -b reference,recorded:@/a.res corpus/seeds/stencil_test/fail-and-mask.pcase", 1,
               "draw       0 of the operation, by DRAWARRAYS", "stage      stencil test, inferred",
               "reference's history of the pixel");
    EXPECT_RUN("run --no-pictures --record @/b.res -b reference corpus/seeds/stencil_test/fail-and-mask.pcase", 0, "");
    EXPECT_RUN("diff --only memory -b recorded:@/a.res,recorded:@/b.res corpus/seeds/stencil_test/fail-and-mask.pcase",
               1, "both sides are recorded");
}
#endif
