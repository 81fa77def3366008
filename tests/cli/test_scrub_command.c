/* picafuzz import --scrub: what a user sees. */
#include "tests/cli/program.h"

Test(scrub_command, says_whose_verdict_it_wants)
{
    EXPECT_RUN("import --help", 0, "--scrub");
    EXPECT_RUN("import --scrub corpus/captures/mask-f0.picacap", 2, "say whose with -b");
    EXPECT_RUN("import -b reference,fast corpus/captures/mask-f0.picacap", 2, "go with --scrub");
    EXPECT_RUN("import --scrub -b reference,fast corpus/captures/mask-f0.picacap corpus/captures/mask-f5.picacap", 2,
               "takes one capture");
    EXPECT_RUN("import --scrub -b fast -o /dev/null/x corpus/captures/mask-f0.picacap", 4, "/dev/null");
}

Test(scrub_command, one_plug_in_is_compared_with_reference)
{
    EXPECT_RUN("import --scrub -b reference -o @ corpus/captures/mask-f0.picacap", 2, "--backends wants 2 to 8 names");
    cr_expect_eq(files_in("", "mask"), 0);
}

Test(scrub_command, a_crash_in_a_process_of_its_own_stays)
{
    EXPECT_RUN("PICAFUZZ_FAULT=crash import --scrub -b @broken -o @ corpus/captures/mask-f0.picacap", 0,
               "the verdict stayed: crash", "textures                             2048       2048          0");
    EXPECT_LACKS("what the verdict needs");
    EXPECT_RUN("PICAFUZZ_FAULT=crash run -b @broken @/mask-f0.pcase", 3, "");
    shell("grep -q '^# Scrubbed' @/mask-f0.pcase");
}

/* The worker sends Ctrl-C in the third list that it runs. */
Test(scrub_command, ctrl_c_writes_the_best_so_far)
{
    EXPECT_RUN("PICAFUZZ_FAULT=strip PICAFUZZ_INTERRUPT=3 import --scrub -b reference,inline:@faulty -o @ "
               "corpus/seeds/texture/mipmap-levels.pcase",
               0, "stopped before the end");
    EXPECT_RUN("PICAFUZZ_FAULT=strip diff -b reference,@faulty @/mipmap-levels.pcase", 1, "colour buffer");
    cr_expect_eq(files_in("", ""), 1, "nothing half-written");
}

/* Other vertices show other differences of the same plug-in in the same buffer, so some of them stay. */
Test(scrub_command, a_difference_keeps_the_stage_and_rule_that_are_blamed)
{
    EXPECT_RUN("CROOKED=fog-flip import --scrub -b reference,@crooked -o @ corpus/captures/hall-f0.picacap", 0,
               "blamed: fog, FOG-05", "vertex arrays, on a coarse grid");
}

Test(scrub_command, agreement_stays_and_a_case_is_scrubbed_like_a_capture)
{
    EXPECT_RUN("import --scrub -b reference,fast -o @ corpus/captures/sparks-f0.picacap", 0,
               "the verdict stayed: agree");
    shell("mkdir @/again");
    EXPECT_RUN("import --scrub -b reference,fast --binary -o @/again @/sparks-f0.pcase", 0, "again/sparks-f0.pcb");
    EXPECT_RUN("import --scrub -b reference,fast --binary -o @/again @/sparks-f0.pcase", 0,
               "indices                                12         12          0          0");
}
