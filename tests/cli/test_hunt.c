/* `picafuzz fuzz --backends`: the loop over seeds, on crooked plug-ins. */
#include "tests/cli/program.h"

/* No case is made from another one: under sanitizers the plug-ins report their edges, and what is found would depend on
 * the order in which workers reach new ones. */
#define ALONE "--children 0 --corpus @/corpus --findings @/found "

/* Another hunt in the directory of the one before: it goes on there. */
static void hunt_again(const char *fault, const char *backends, const char *options)
{
    run(words_of("PICAFUZZ_FAULT=%s CROOKED=bugs:5 fuzz " ALONE "--executions 20000 --max-findings 1 "
                 "--reduce-seconds 1 -b %s %s",
                 fault, backends, options));
}

/* A hunt in a directory of its own. */
static void hunt(const char *fault, const char *backends, const char *options)
{
    empty_test_directory();
    hunt_again(fault, backends, options);
}

#define SEEDS "--peel --max-findings 50 --reduce-tries 20 --executions 0 --seeds 1..600"

/* Does the one finding's reduced case differ, or make the plug-in die, when it is run again? */
static void expect_finding(const char *fault, const char *backends, int exit_code)
{
    EXPECT_END(1, "1 finding(s)");
    EXPECT_RUN(
        words_of("PICAFUZZ_FAULT=%s diff -q -b %s \"$(find @/found -name '*.pcase' | head -n 1)\"", fault, backends),
        exit_code, "");
}

Test(hunt, a_plug_in_in_this_process_is_compared_and_its_findings_are_reduced_with_it)
{
    hunt("blend-max", "reference,@faulty", "");
    expect_finding("blend-max", "reference,@faulty", 1);
}

Test(hunt, a_crash_in_a_process_of_its_own_is_a_finding)
{
    hunt("crash-fog", "reference,@faulty", "");
    EXPECT_SAID("crashed in run (submit)");
    expect_finding("crash-fog", "reference,@faulty", 3);
}

/* Also where the first case of all does so. */
Test(hunt, a_plug_in_that_ends_this_process_is_a_finding)
{
    hunt("exit0", "reference,inline:@broken", "--executions 0 --seeds 1..9 --max-findings 9");
    EXPECT_END(1, "ended the process: exit code 0", ", 9 cases, all before seed 10");
    hunt("pipe", "reference,inline:@broken", "--executions 0 --seeds 1..9 --max-findings 9 --reduce-seconds 0");
    EXPECT_SAID("crashed: Broken pipe");
    hunt("close", "reference,inline:@broken", "--executions 0 --seeds 1..9 --max-findings 9 --reduce-seconds 0");
    EXPECT_END(1, "closed the descriptors of its process");
    hunt("crash-fog", "reference,inline:@faulty", "--reduce-seconds 0");
    EXPECT_SAID("a backend that has no process of its own: in ");
}

/* Neither of the two is ours; a third one that agrees changes nothing. */
Test(hunt, two_plug_ins_are_compared_without_a_reference)
{
    hunt("broken", "@faulty,@broken", "--executions 300");
    EXPECT_END(0, "agreed on every case that was tested");
    hunt("pixel", "@faulty,@broken", "");
    expect_finding("pixel", "@faulty,@broken", 1);
}

/* It models memory and nothing but fills: all else is not tested, and so is no finding. */
Test(hunt, what_a_plug_in_does_not_take_is_not_tested)
{
    hunt("", "reference,@minimal_plug_in", "--executions 300");
    EXPECT_END(0, "not tested: ");
}

Test(hunt, a_backend_that_is_not_there_is_said_at_once)
{
    hunt("", "reference,./none.so", "");
    EXPECT_END(2, "./none.so: cannot be opened");
}

/* ---------------------------------------------------------------------------------------------------------- peeling */

/* The one fault is found once; the next campaign finds no other and counts it. */
Test(hunt, with_peel_a_cause_is_found_once)
{
    hunt("blend-max", "reference,@faulty", "--peel");
    expect_finding("blend-max", "reference,@faulty", 1);
    hunt_again("blend-max", "reference,@faulty", "--peel --executions 1000 --max-findings 9");
    EXPECT_END(1, "no new findings; 1 of earlier starts", "1 known cause(s)",
               "(avoided by blend_func.rgb_equation = 0)");
}

/* What crashes is taken out of inputs before they run: no process dies of it any more. */
Test(hunt, with_peel_a_crash_is_avoided_beforehand)
{
    hunt("crash-fog", "reference,@faulty", "--peel");
    expect_finding("crash-fog", "reference,@faulty", 3);
    hunt_again("crash-fog", "reference,@faulty", "--peel --executions 1000 --max-findings 9");
    EXPECT_SAID("no new findings", "were changed before they ran");
}

/* What was found, in which buckets, each reduced case byte by byte. What the target said (.txt) holds process ids, and
 * the bucket a time. */
static void list_findings(char *out, size_t size)
{
    shell("cd @/found && find . -name '*.pc*' | sort | xargs -d '\\n' sha256sum && sed -n '/\"causes\"/,/\"keys\"/p' "
          "hunt.json");
    (void)snprintf(out, size, "%s", result.output);
}

/* Nothing depends on the clock, on how many workers there are, or on when a hunt was killed: the cases in flight are
 * run again by the next start, which ends well. A kill comes at a write: of a finding, a bucket, the state. */
Test(hunt, findings_are_the_same_with_any_number_of_jobs_and_kills)
{
    char first[65536], second[65536];
    static const unsigned writes[] = { 1, 6, 15, 16, 17, 18, 14 };
    hunt("", "reference,@crooked", SEEDS);
    EXPECT_SAID(", 600 cases, all before seed 601");
    EXPECT_LACKS("\n1 finding(s)");
    list_findings(first, sizeof first);
    empty_test_directory();
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        shell(words_of("CROOKED=bugs:5 PICAFUZZ_FSYNC_KILLS=%u LD_PRELOAD=@count_fsync picafuzz fuzz --jobs 3 -b "
                       "reference,@crooked " ALONE SEEDS "; [ $? = 137 ]",
                       writes[i]));
    hunt_again("", "reference,@crooked", SEEDS " --jobs 2");
    EXPECT_SAID(", 600 cases, all before seed 601");
    list_findings(second, sizeof second);
    cr_expect_str_eq(first, second);
}

/* After a draw with fog all others are wrong, too, but none of them in a fresh process: they are no findings, but for
 * the 1st, 2nd, 4th, 8th ... What is filed otherwise has fog. */
Test(hunt, what_does_not_show_in_a_fresh_process_is_unstable)
{
    hunt("stain", "reference,@faulty", "--peel --executions 256 --max-findings 50");
    EXPECT_SAID("unstable: ");
    run_shell("ls @/found | grep -c unconfirmed; cd @/found; for f in diverge*/*.pcase; do grep -q fog \"$f\" || echo "
              "\"$f has none\"; done");
    cr_expect_str_eq(result.output, "1\n");
}

/* FBF-06: which row of a picture comes first shows in every draw, and is one bit of one register. */
Test(hunt, with_peel_the_order_of_rows_is_one_finding_in_one_bucket)
{
    hunt("", "reference,process:reference+row-order=highest-first", "--peel --executions 800 --max-findings 50");
    EXPECT_END(1, "\n1 known cause(s)", "(avoided by framebuffer_dim.top_row_first = 1)", "\n1 finding(s):");
}

/* What is known is rewritten in each input, and so it cannot be found. */
Test(hunt, what_is_forced_is_not_found)
{
    hunt("blend-max", "reference,@faulty", "--force BLEND_FUNC.rgb_equation=add --executions 300");
    EXPECT_END(0, "rewritten by force: ");
    run_shell("echo 'version = 1; without = [ \"color_operation.blend_mode=blend\" ];' >@/q");
    hunt_again("blend-max", "reference,@faulty", "--quirks @/q --executions 300 --findings @/others");
    EXPECT_END(0, "not tested: ");
}

/* Another's findings are not taken for its own; a damaged state is set aside. */
Test(hunt, a_directory_is_of_one_hunt)
{
    hunt("", "reference,fast", "--executions 300");
    EXPECT_END(0, "");
    hunt_again("", "reference,@faulty", "--executions 300");
    EXPECT_END(2, "is of another hunt (-b reference,fast ");
    hunt_again("", "reference,fast", "--executions 300 --seed 9");
    EXPECT_END(2, "");
    run_shell("cd @/found && head -c 200 hunt.json >cut && mv cut hunt.json");
    hunt_again("", "reference,fast", "--executions 300");
    EXPECT_END(0, "was renamed to hunt.json.damaged", ", 300 cases, up to seed 301");
    cr_expect(file_exists(path_in("found/hunt.json.damaged")));
}

/* Whoever removes a cause, to find it again, leaves the others and what they count. */
Test(hunt, a_state_without_one_of_its_causes_keeps_what_the_others_count)
{
    hunt("", "reference,@crooked", SEEDS);
    shell("cd @/found && awk '/^\t+\"bucket\"/ { n++ } /^\t+\"(bucket|seen)\"/ && n != 2' hunt.json >../kept && "
          "awk '/^\t+\"causes\"/ { print; on = 1; next } /^\t+\"keys\"/ { on = 0 } on && /^\t\t}, {/ { n++ } "
          "!on || n != 1' hunt.json >other && mv other hunt.json && test $(grep -c '' ../kept) -ge 2");
    hunt_again("", "reference,@crooked", SEEDS);
    EXPECT_LACKS("damaged");
    shell("cd @ && grep -E '^\t+\"(bucket|seen)\"' found/hunt.json | grep -vFxf - kept; [ $? = 1 ]");
}

/* Whatever lies there instead of what a hunt wrote is renamed and named, and the hunt goes on. */
Test(hunt, what_is_odd_in_its_directory_is_set_aside)
{
    hunt("blend-max", "reference,@faulty", "--peel --max-findings 9 --executions 300");
    shell("cd @/found && rm hunt.json && mkdir -p hunt.json/x hunt.json.damaged/x peel/x "
          "seed-{1,2,3,4,5,6,7,8,9}.{pcb,txt,pcase}/x");
    hunt_again("blend-max", "reference,@faulty", "--peel --max-findings 9 --executions 300");
    EXPECT_END(1, "hunt.json.damaged2, and what it said is found again", "peel: is no file; it was renamed to ",
               ", 300 cases, up to seed 301");
}

/* Also those of earlier starts, once somebody has accepted them. */
Test(hunt, what_the_baseline_accepts_does_not_count)
{
    const char *const options = "--quirks @/q --executions 300";
    run_shell("echo 'version = 1;' >@/q");
    hunt_again("fog", "reference,@faulty", options);
    EXPECT_END(1, "");
    run("PICAFUZZ_FAULT=fog triage --accept all @/found");
    hunt_again("fog", "reference,@faulty", options);
    EXPECT_END(0, "", "baseline: 0 known, 0 new\n");
}

/* What is in no bucket cannot be accepted: it counts, and the last lines say so. */
Test(hunt, findings_that_wait_count_as_new_and_the_summary_says_so)
{
    run_shell("echo 'version = 1; baseline = ( { bucket = \"diverge-memory-blend-1a2b3c4d\"; version = 5; expect = "
              "\"fail\"; note = \"x\"; } );' >@/q");
    hunt_again("", "reference,@crooked", "--quirks @/q --executions 300");
    EXPECT_END(1, "baseline: 0 known, 1 new, ", " not sorted yet, which count as new\n");
    hunt_again("", "reference,@crooked", "--quirks @/q --executions 128 --max-findings 9 --reduce-tries 20");
    EXPECT_LACKS("not sorted yet");
}

/* The reducer moves buffers: the path of the reduced case never stands beside addresses of the one that was found. */
Test(hunt, what_a_finding_shows_is_said_of_the_reduced_case)
{
    hunt("blend-max", "reference,@faulty", "");
    expect_finding("blend-max", "reference,@faulty", 1);
    shell("cd @/found/diverge* && cat seed-*.txt && for f in seed-*.pcb; do grep -q \"^as it was found, in $f:\" "
          "${f%.pcb}.txt; done && grep -q '^look at it, reduced: .*pcase$' seed-*.txt");
    shell("cd @/found && sed -n 's/^# *//p' */seed-*.pcase | head -n 20");
    char head[4096];
    (void)snprintf(head, sizeof head, "%.4095s", result.output);
    hunt("blend-max", "reference,@faulty", "");
    const char *const title = strstr(result.output, "    differ: ");
    cr_assert_not_null(title, "%s", result.output);
    char shown[256];
    (void)snprintf(shown, sizeof shown, "%.*s", (int)strcspn(title + 12, "\n"), title + 12);
    cr_expect_not_null(strstr(head, shown), "%s is not said in\n%s", shown, head);
}

/* With one job cases wait while a finding is reduced: the line of progress says so. */
Test(hunt, the_progress_says_that_it_reduces)
{
    empty_test_directory();
    run("CROOKED=bugs:5 fuzz " ALONE "--executions 300 --max-findings 1 --reduce-tries 100 -b reference,@crooked");
    EXPECT_SAID("  reducing 1 of ", "; cases wait for that\n");
}

/* A finding whose case was lost while it waited is named, and the others are reduced. */
Test(hunt, a_waiting_finding_that_cannot_be_read_ends_nothing)
{
    hunt("", "reference,@faulty", "--executions 10");
    run_shell("cd @/found && mkdir seed-3.pcb && sed -i 's/\"waiting\":.*/\"waiting\": [{\"kind\": \"differ\", "
              "\"key\": \"x\", \"name\": \"seed-3\", \"title\": \"t\", \"bytes\": \"9\"}]/' hunt.json");
    hunt_again("", "reference,@faulty", "--executions 10");
    EXPECT_END(0, "seed-3.pcb: ", "does not wait any more", ", 20 cases, up to seed 21");
}

/* The state on the disk says that it does not wait any more, but its files were not removed. */
Test(hunt, a_kill_just_after_a_finding_was_filed_leaves_nothing)
{
    hunt("blend-max", "reference,@faulty", "");
    expect_finding("blend-max", "reference,@faulty", 1);
    run_shell("cd @/found && cp */*.pc* */*.txt . && ls seed-* | wc -l");
    cr_expect_str_eq(result.output, "3\n");
    hunt_again("", "reference,@faulty", "--executions 10");
    EXPECT_END(1, "no new findings; 1 of earlier starts are in ");
    run_shell("ls @/found | grep -c '^seed-'");
    cr_expect_str_eq(result.output, "0\n");
}

/* Wherever it is killed while it writes, the next start leaves nothing of that. */
Test(hunt, what_a_killed_hunt_was_writing_goes)
{
    for (unsigned writes = 1; writes <= 5; writes += 2) {
        empty_test_directory();
        run_shell(
            words_of("PICAFUZZ_FAULT=blend-max PICAFUZZ_FSYNC_KILLS=%u LD_PRELOAD=@count_fsync picafuzz fuzz " ALONE
                     "--executions 300 --reduce-seconds 1 -b reference,@faulty",
                     writes));
        hunt_again("blend-max", "reference,@faulty", "--executions 300 --reduce-seconds 1");
        EXPECT_END(1, "");
        run_shell("find @ -name '.picafuzz*' | wc -l");
        cr_expect_str_eq(result.output, "0\n", "killed at write %u", writes);
    }
}

/* No seed is burnt by a backend that does not work at all. */
Test(hunt, a_block_without_any_verdict_ends_the_hunt_and_is_run_again)
{
    hunt("fail", "reference,@broken", "--executions 300");
    EXPECT_END(4, "of the 128 cases up to seed 128 none came to a verdict");
    hunt_again("", "reference,@broken", "--executions 300");
    EXPECT_END(0, ", 300 cases, up to seed 301");
}

Test(hunt, a_seed_that_is_no_case_is_an_error)
{
    hunt("", "reference,fast", "'" PICAFUZZ_SOURCE_DIR "/README.md'");
    EXPECT_END(2, "README.md: ");
}

/* As it was found: with the hunt's backends and parts, unless others are asked for. */
Test(hunt, findings_are_looked_at_with_the_options_of_their_hunt)
{
    static const struct {
        const char *command, *words;
        int exit_code;
        const char *said;
    } rows[] = {
        { "triage", "@/found", 1, "\n1 case in 1 bucket" },
        { "triage", "@/found corpus/seeds/fill", 1, " in 2 buckets" },
        { "diff -q", "@/found/*/*.pcase", 1, "diverge (memory)" },
        { "diff -q", "@/found/../found/diverge*/*.pcase", 1, "diverge (memory)" },
        { "diff -b reference,fast", "@/found/*/*.pcase", 0, ": agree" },
        { "diff -qb reference,fast", "@/found/*/*.pcase", 0, "" },
        { "diff --back reference,fast", "@/found/*/*.pcase", 0, ": agree" },
        { "reduce --tries 1 -o /dev/null", "@/found/*/*.pcase", 0, "bucket diverge" },
    };
    hunt("blend-max", "reference,@faulty", "--only memory");
    expect_finding("blend-max", "reference,@faulty", 1);
    EXPECT_RUN("PICAFUZZ_FAULT=blend-max report -o @/page @/found", 1, "");
    EXPECT_FILE("page/index.json", "\"findings\":\t1,", "\"compared\":\t\"memory\"", "\"time\":\t\"decode ");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EXPECT_RUN(words_of("PICAFUZZ_FAULT=blend-max %s %s", rows[i].command, rows[i].words), rows[i].exit_code,
                   rows[i].said);
        cr_expect_eq(strstr(result.output, "--only memory") != NULL, strstr(rows[i].command, "fast") == NULL, "%s: %s",
                     rows[i].command, result.output);
    }
    run_shell("cd @/found/diverge* && PICAFUZZ_FAULT=blend-max picafuzz diff *.pcase");
    EXPECT_SAID("--only memory");
    /* Paths are those of where the hunt was started, wherever one looks from. */
    run_shell("cd '" PICAFUZZ_BINARY_DIR
              "' && PICAFUZZ_FAULT=blend-max picafuzz fuzz --executions 100 --seeds 1..100 --reduce-seconds 0 -b "
              "reference,lib/faulty_backend.so --corpus @/corpus --findings @/relative >/dev/null; cd / && "
              "PICAFUZZ_FAULT=blend-max "
              "picafuzz diff -q @/relative/*.pcase");
    EXPECT_END(1, "-b reference,lib/faulty_backend.so");
    run("fuzz --executions 10 --findings @/found/inner && cp @/found/diverge*/*.pcase @/found/inner && "
        "'" PICAFUZZ_BINARY_DIR "/bin/picafuzz' diff @/found/inner/*.pcase");
    EXPECT_LACKS("--only memory");
    EXPECT_RUN("PICAFUZZ_FAULT=blend-max diff @/found/inner/*.pcase @/found/diverge*/*.pcase", 2,
               "of hunts with different options");
    run("diff -o @/found corpus/seeds/fill"); /* no case is looked at there */
    EXPECT_LACKS("with the options of the hunt");
}

/* Parts, what is forced and left out, known causes, cases without a verdict, and why. */
Test(hunt, the_page_says_what_is_never_compared_and_what_is_exercised)
{
    unsigned vacuous = 0, looked_at = 0;
    empty_test_directory();
    run_shell("echo 'version = 1; force = ( \"BLEND_FUNC.alpha_equation=add\" ); without = [ \"geometry\" ];' >@/q");
    hunt_again("blend-max", "reference,@faulty",
               "--peel --quirks @/q --ignore screens --executions 600 --max-findings 9");
    EXPECT_SAID("1 known cause(s)");
    EXPECT_RUN("PICAFUZZ_FAULT=blend-max report -o @/page @/found", 1, "");
    EXPECT_FILE("page/index.json", "\"what\":\t\"screens\",\n\t\t\t\t\t\"why\":\t\"a backend does not declare",
                "\"what\":\t\"BLEND_FUNC & 0x00000700 = 0x00000000\"", "\"what\":\t\"geometry\"",
                "\"why\":\t\"found before (avoided by blend_func.rgb_equation = 0)\"",
                "\"why\":\t\"they use what the quirks file leaves out\",\n\t\t\t\t\t\"cases\":\t", "\"rereads\":\t{");
    cr_expect_null(strstr(text_of("page/index.json"), "\"what\":\t\"registers\""));
    const char *const looked = strstr(text_of("page/index.json"), "vacuous: ");
    cr_assert_not_null(looked);
    cr_assert_eq(sscanf(looked, "vacuous: %u of %u that", &vacuous, &looked_at), 2);
    cr_expect(vacuous != 0 && vacuous < looked_at && looked_at < 100, "%u of %u", vacuous, looked_at);
}

/* Two machines with a half each have run all seeds, and none twice. */
Test(hunt, shards_are_parts_of_the_seeds)
{
    static const char *const shards[] = { "1/2", "2/2", "5/9" };
    static const char *const said[] = { ", 256 cases,", ", 144 cases,", "nothing to do: this shard has no seed" };
    for (size_t i = 0; i < 3; i++) {
        hunt("", "reference,fast", words_of("--executions 0 --seeds 1..400 --shard %s", shards[i]));
        EXPECT_END(0, said[i]);
    }
}

Test(hunt, what_is_no_range_of_seeds_is_refused)
{
    static const char *const bad[] = { "1", "5..4", "1..2..3", "..9", "0..18446744073709551615", "a..b" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hunt("", "reference,fast", words_of("--seeds %s", bad[i]));
        EXPECT_END(2, "");
    }
}

Test(hunt, options_of_engines_are_refused_and_the_other_way_round)
{
    static const char *const lines[] = { "--mutator x", "--engine libfuzzer --seeds 1..9", "--engine afl --shard 1/2" };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        EXPECT_RUN(words_of("fuzz --executions 10 %s", lines[i]), 2, " for ");
}
