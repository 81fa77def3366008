/* picafuzz score: what a user sees of a small pack, and what comes of packs that are cut or edited. */
#include "tests/cli/program.h"

#define CONSOLE "corpus/hardware/cases/h01-dot3-808080ff-iiiff-40.pcase"
#define OLD     "tests/cli/version-2.vectors"

/* HEAD with another version and the sum that belongs to it, as a filter. */
#define WITH_VERSION(version)                                                                            \
    "perl -MCompress::Zlib -0777 -pe 'my $n = unpack \"V\", substr $_, 12, 4; substr($_, 20, 4) = pack " \
    "\"V\", " #version "; substr($_, 16, 4) = pack \"V\", crc32(substr $_, 20, $n)'"

static char pack[1024];

static const char five[] =
    "hardware/h01\tfragment-shading\tTEV-10\thw\tH01\t" CONSOLE "\n"
    "seeds/alpha\tframebuffer\tATS-01\tdoc\t-\tcorpus/seeds/alpha_test/reference-value.pcase\n"
    "splits/fill-rule\trasterizer\tRST-02\tsplit\t-\tcorpus/splits/fill-rule.pcase\n"
    "seeds/again\tframebuffer\tATS-01\tdoc\t-\tcorpus/seeds/alpha_test/reference-value.pcase\n"
    "seeds/both\tframebuffer\tMEM-01\tdoc\t-\tcorpus/seeds/framebuffer/tiles-and-odd-width.pcase\n"
    "seeds/<b>\tgeometry\tPRM-01\temu\t-\tcorpus/seeds/assembly/carry-over-and-restart.pcase\n";

static void make_pack_of(const char *list)
{
    empty_test_directory();
    write_in("list", list);
    (void)snprintf(pack, sizeof pack, "%s", path_in("pack.vectors"));
    shell("make_vectors --list @/list -o @/pack.vectors");
}

static void make_pack(void)
{
    make_pack_of(five);
    EXPECT_SAID("5 cases", "1 that leave the same as another");
}

static void expect_of_pack(const char *environment, const char *arguments, int code, const char *words)
{
    EXPECT_RUN(words_of("%s score %s '%s'", environment, arguments, pack), code, words);
}

Test(score, ours_are_right_and_the_same_pack_comes_out_again)
{
    make_pack();
    expect_of_pack("", "-b fast", 0, "fast: 5 of 5 (pack 1)");
    expect_of_pack("", "-b process:reference", 0, "5 of 5");
    shell(words_of("make_vectors --again '%s' -o @/again.vectors && cmp '%s' @/again.vectors", pack, pack));
}

/* ----------------------------------------------------------------------------------------------- machines and sides */

Test(score, best_known_comes_first_and_the_total_is_of_what_was_tested)
{
    make_pack();
    expect_of_pack("", "-b fast", 0,
                   "fast: measured on consoles 1 of 1, documented 0 of 0, chosen by us or by emulators 4 of 4; 0 not "
                   "tested\nfast: 5 of 5 (pack 1)\n");
    expect_of_pack("", "-b fast --json", 0,
                   "\"score\":5,\"of\":5,\"measured\":{\"score\":1,\"of\":1},\"documented\":{\"score\":0,\"of\":0},"
                   "\"chosen\":{\"score\":4,\"of\":4},\"not tested\":0");
    EXPECT_SAID("\"provenance\":\"hw\",\"evidence\":\"H01\"");
}

Test(score, another_side_of_a_choice_is_acceptable_and_counted_apart)
{
    make_pack();
    expect_of_pack("PICAFUZZ_CHOICES=fill-rule=division", "-b @chosen --json", 0, "\"side\":\"fill-rule=division\"");
    EXPECT_SAID("\"score\":5,\"of\":5", "\"sides\":{\"fill-rule\":\"division\"}");
}

Test(score, sides_of_two_choices_that_meet_in_one_picture_are_acceptable_together)
{
    make_pack();
    expect_of_pack("PICAFUZZ_CHOICES='row-pitch=width primary-rounding=truncates'", "-b @chosen --json", 0,
                   "\"side\":\"primary-rounding=truncates+row-pitch=width\"");
    EXPECT_SAID("\"score\":5,\"of\":5");
}

/* It shows the normative side when it is asked, and another one in the case. */
Test(score, a_side_that_is_not_the_backends_is_not_acceptable)
{
    make_pack();
    expect_of_pack("PICAFUZZ_FICKLE=1 PICAFUZZ_CHOICES=fill-rule=division", "-b @chosen", 1,
                   "failed: splits/fill-rule (RST-02; split): ");
    EXPECT_SAID(": 4 of 5 (pack 1)");
}

/* H06: a console took the array where the fixed value was given, too (VTX-08). */
Test(score, a_side_that_a_console_was_seen_not_to_take_loses)
{
    make_pack_of("splits/attribute-source\tgeometry\tVTX-08\thw\tH06\t"
                 "corpus/splits/attribute-source.pcase\n");
    expect_of_pack("PICAFUZZ_CHOICES=attribute-source=mask", "-b @chosen", 1,
                   "failed: splits/attribute-source (VTX-08; ");
    EXPECT_SAID("attribute-source=mask (refuted by H06)");
    expect_of_pack("", "-b fast", 0, "fast: 1 of 1 (pack 1)");
}

Test(score, a_part_of_the_machine_that_is_missing_loses)
{
    make_pack_of("splits/scissor-test\trasterizer\tSCS-01\tdoc\t-\tcorpus/splits/scissor-test.pcase\n");
    expect_of_pack("PICAFUZZ_CHOICES=scissor-test=missing", "-b @chosen", 1, "failed: splits/scissor-test");
    EXPECT_SAID("scissor-test=missing (a lack)");
}

/* Of registers a console says nothing. */
Test(score, what_a_console_left_passes_whatever_else_is_there)
{
    make_pack_of("hardware/h01\tfragment-shading\tTEV-10\thw\tH01\t" CONSOLE "\n");
    expect_of_pack("PICAFUZZ_CHOICES=reset-243=0x37", "-b @chosen --json", 0, "\"passed\":1");
}

/* What a register holds at reset shows everywhere; where a case does not say it, the machine of that side does. */
Test(score, what_a_register_holds_at_reset_does_not_matter_to_cases_about_something_else)
{
    make_pack();
    expect_of_pack("PICAFUZZ_CHOICES='reset-armed=yes reset-243=0x37 reset-289=zero'", "-b @chosen --json", 0,
                   "\"score\":5,\"of\":5");
}

/* Recorded results run nothing else: where the split is not among them, each side of it is tried. */
Test(score, recorded_results_have_the_sides_that_they_show)
{
    make_pack();
    for (int splits = 0; splits < 2; splits++) {
        shell(words_of(
            "cd @ && rm -rf cases && mkdir cases && make_vectors --again pack.vectors --extract cases && %s && "
            "PICAFUZZ_CHOICES=fill-rule=division picafuzz run -b @chosen --no-pictures --record recorded cases",
            splits != 0 ? "true" : "rm cases/splits-fill-rule.pcase"));
        expect_of_pack("", "-b recorded:@/recorded --json", 0, splits != 0 ? "\"not tested\":0" : "\"not tested\":1");
        EXPECT_SAID(splits != 0 ? "\"score\":5,\"of\":5" : "\"score\":4,\"of\":4");
        cr_expect_eq(strstr(result.output, "\"side\":\"fill-rule=division\"") != NULL, splits != 0, "%s",
                     result.output);
    }
}

/* A pack that holds results of other sides itself, made by the program that wrote version 2. */
Test(score, packs_of_versions_1_and_2_are_read_and_score_as_before)
{
    shell("cp " OLD " @/2 && " WITH_VERSION(1) " <" OLD " >@/1");
    for (int version = 1; version <= 2; version++) {
        (void)snprintf(pack, sizeof pack, "%s/%d", test_directory(), version);
        expect_of_pack("", "-b fast", 0, "fast: 4 of 4 (pack 1)");
        expect_of_pack("PICAFUZZ_CHOICES='row-order=highest-first primary-rounding=truncates'", "-b @chosen --json", 0,
                       "\"side\":\"primary-rounding=truncates+row-order=highest-first\"");
        expect_of_pack("PICAFUZZ_CHOICES='reset-armed=yes reset-243=0x37 reset-289=zero'", "-b @chosen --json", 0,
                       "\"passed\":4");
    }
}

/* ------------------------------------------------------------------------------------------------------------- host */

Test(score, any_instruction_set_and_number_of_threads_gets_the_same_score)
{
    make_pack();
    expect_of_pack("", "-b fast --isa scalar --threads 3", 0, "fast: 5 of 5 (pack 1)");
    expect_of_pack("", "-b fast --isa nothing", 2, "--isa");
}

/* A rule is amended: the case must leave something else, and says so by its version, as does the pack. */
Test(score, a_case_that_must_leave_something_else_has_the_next_version)
{
    make_pack();
    run_shell(words_of("cd @ && sed 's#alpha_test/reference-value#blend/dest-factors#' list >list2 && cd - && "
                       "make_vectors --list @/list2 --before '%s' -o @/second.vectors",
                       pack));
    EXPECT_SAID("1 have a new version");
    EXPECT_RUN("score -b fast --json @/second.vectors", 0, "\"pack\":2", "\"case\":\"seeds/alpha\",\"version\":2",
               "\"case\":\"splits/fill-rule\",\"version\":1");
    expect_of_pack("", "-b fast --json", 0, "\"case\":\"seeds/alpha\",\"version\":1");
}

Test(score, a_crash_and_a_hang_cost_one_case_each)
{
    make_pack();
    expect_of_pack("PICAFUZZ_FAULT=crash", "-b @broken", 3, "crashed: ");
    expect_of_pack("PICAFUZZ_FAULT=hang", "-b @broken --timeout 0.3", 3, "hung: ");
    EXPECT_SAID(" of 5 (pack 1)");
}

/* Transfers fail; the rest has a number. */
Test(score, what_fails_without_a_verdict_is_counted_and_named_and_the_rest_is_done)
{
    make_pack_of("seeds/transfer\tgx-engines\tPPF-01\tdoc\t-\tcorpus/seeds/transfer/flip.pcase\n"
                 "seeds/fill\tgx-engines\tPSC-01\tdoc\t-\tcorpus/seeds/fill/widths.pcase\n");
    expect_of_pack("PICAFUZZ_HOSTILE=fail@transfer", "-b @hostile", 4, "trouble: seeds/transfer (PPF-01; ");
    EXPECT_SAID(": 1 of 1 (pack 1)", "; 1 failed: no verdict\n");
}

Test(score, nothing_tested_is_no_success)
{
    make_pack_of("seeds/transfer\tgx-engines\tPPF-01\tdoc\t-\tcorpus/seeds/transfer/flip.pcase\n");
    expect_of_pack("PICAFUZZ_HOSTILE=refuse@transfer", "-b @hostile", 2, ": 0 of 0 (pack 1)");
}

Test(score, a_baseline_lets_only_new_failures_count)
{
    make_pack();
    expect_of_pack("PICAFUZZ_PARTIAL=deaf", "-b @partial --quirks @/known.quirks --accept", 0, "accepted in");
    expect_of_pack("PICAFUZZ_PARTIAL=deaf", "-b @partial --quirks @/known.quirks", 0, "failed (known)");
    EXPECT_LACKS(": new");
    expect_of_pack("PICAFUZZ_FAULT=crash", "-b @broken --quirks @/known.quirks", 3, "crashed: ");
    EXPECT_SAID(": new\n");
}

Test(score, page_and_badge_and_junit_say_the_same_and_escape_names)
{
    make_pack();
    expect_of_pack("PICAFUZZ_PARTIAL=deaf",
                   "-b @partial --html @/score.html --badge @/score.svg --junit @/score.xml -o @/bad", 1, "failed: ");
    shell("cd @ && grep -q '\"chosen\":{\"score\":.,\"of\":4}' score.html && grep -q 'chosen ./4</text>' score.svg && "
          "grep -q 'tests=\"5\"' score.xml && grep -q 'seeds/&lt;b&gt;' score.xml && grep -q 'seeds/.u003cb>' "
          "score.html && ! grep -q 'seeds/<b>' score.html && ls bad/seeds/*.pcase");
}

/* -------------------------------------------------------------------------------------------------------- bad files */

/* The pack with `change` done to it: words for the shell that read standard input. */
static void expect_of_changed(const char *change, const char *words)
{
    shell(words_of("%s <'%s' >@/changed", change, pack));
    EXPECT_RUN("score -b fast @/changed", 2, words, "/changed: offset ");
}

Test(score, a_pack_that_is_cut_or_edited_or_of_another_version_is_refused_with_its_offset)
{
    make_pack();
    expect_of_changed("head -c 5", "offset 0: no pack of cases");
    expect_of_changed("head -c 1000", "the file is cut");
    expect_of_changed("head -c -12", "the block LAST is missing");
    expect_of_changed("sed 's/reference/referense/'", "CRC-32 does not match");
    expect_of_changed("sh -c 'cat; printf x'", "bytes after the block LAST");
    expect_of_changed(WITH_VERSION(4), "offset 20: version 4; this program reads versions 1 to 3");
}

Test(score, a_backend_is_needed_and_a_pack_that_is_there)
{
    EXPECT_RUN("score", 2, "no backend given");
    EXPECT_RUN("score -b fast nowhere.vectors", 2, "nowhere.vectors");
}
