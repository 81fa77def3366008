/* `picafuzz reduce` and `picafuzz triage` as a user runs them, and campaigns that are killed. */
#include "tests/cli/program.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BROKEN "-b reference,@broken"

static void pause_ms(long milliseconds)
{
    const struct timespec pause = { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000 };
    (void)nanosleep(&pause, NULL);
}

/* ---------------------------------------------------------------------------------------------------------- reduce */

Test(reduce_command, a_planted_pixel_comes_down_to_a_few_lines_that_still_show_it)
{
    EXPECT_RUN(
        "PICAFUZZ_FAULT=pixel reduce -b reference,@broken corpus/captures/jumps-f0.picacap -o @/small.pcase --json", 0,
        "\"verdict\":\"diverge\"", "\"bucket\":\"diverge-framebuffer-fbf-02-");
    EXPECT_RUN("PICAFUZZ_FAULT=pixel diff -b reference,@broken @/small.pcase", 1, "");
    run("show @/small.pcase");
    cr_expect_lt(strlen(result.output), 1500u, "%s", result.output);
    EXPECT_SAID("# Bucket diverge-framebuffer-fbf-02-");
    cr_expect_eq(files_in("", "reducing"), 0, "the state of a finished reduction is still there");
}

Test(reduce_command, a_single_plug_in_is_compared_with_reference)
{
    EXPECT_RUN("PICAFUZZ_FAULT=pixel reduce -b @broken corpus/captures/jumps-f0.picacap -o @/small.pcase --tries 100",
               0, "bucket diverge-");
}

Test(reduce_command, crashes_and_hangs_of_a_plug_in)
{
    EXPECT_RUN(
        "PICAFUZZ_FAULT=crash reduce -b @broken corpus/captures/jumps-f5.picacap -o @/small.pcase --timeout 0.06", 0,
        "bucket crash-fail-after-");
    EXPECT_RUN("PICAFUZZ_FAULT=hang reduce -b @broken corpus/captures/jumps-f5.picacap -o @/small.pcase --timeout 0.06",
               0, "bucket hang-submit-");
}

Test(reduce_command, a_crash_stays_in_the_function_where_it_was)
{
    static const char *const backends[] = { BROKEN, "-b reference,inline:@broken" };
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++)
        EXPECT_RUN(words_of("PICAFUZZ_FAULT=two-crashes reduce %s corpus/captures/jumps-f0.picacap -o @/small.pcase "
                            "--fresh --tries 300",
                            backends[i]),
                   0, "bucket crash-crash-in-large-", "crash in crash_in_large: signal 6");
}

Test(reduce_command, a_relation_that_fails_is_reduced_and_the_write_named)
{
    EXPECT_RUN(
        "PICAFUZZ_FAULT=pixel reduce -b @broken --relation two-lists corpus/captures/mesh-f0.picacap -o @/small.pcase",
        0, "bucket relation-two-lists-", "it is enough to change operation 0, command 1 of its list: FINALIZE (0x010)");
    run("show @/small-variant.pcase");
    EXPECT_SAID("FINALIZE = 0x00000078");
    EXPECT_RUN("reduce --relation two-lists -b reference,fast x.pcase -o y.pcase", 2, "");
    EXPECT_RUN("reduce --relation deterministic -b fast x.pcase -o y.pcase", 2, "");
}

/* It said "unknown", and nothing of a crash. */
Test(triage_command, a_plug_in_that_writes_over_shared_memory_is_named)
{
    shell("cp corpus/captures/jumps-f5.picacap @/a.picacap");
    EXPECT_RUN("PICAFUZZ_FAULT=scribble triage -b reference,@broken @", 3, "wrote over memory that is not its own");
}

Test(reduce_command, a_script_decides_what_is_interesting)
{
    EXPECT_RUN("reduce --test 'grep -q DRAW' corpus/captures/stale-f0.picacap -o @/small.pcase --jobs 2", 0, "");
    run("show @/small.pcase");
    EXPECT_SAID("DRAW");
    cr_expect_lt(strlen(result.output), 600u, "%s", result.output);
    EXPECT_RUN("reduce --test false corpus/captures/stale-f0.picacap -o @/none.pcase", 2,
               "does not call the case interesting");
}

Test(reduce_command, passes_are_listed_and_left_out_by_name)
{
    EXPECT_RUN("reduce --list-passes", 0, "\ncommands:2\n");
    EXPECT_RUN("PICAFUZZ_FAULT=fog reduce -b reference,@faulty tests/reduce/cases/fog.pcb -o @/s.pcase -q --json "
               "--tries 300 --without commands --without 'memory contents'",
               0, "{\"turn\":\"commands:1\",\"tried\":0,\"kept\":0}");
    EXPECT_LACKS("{\"turn\":\"types:1\",\"tried\":0,\"kept\":0}");
    EXPECT_RUN("reduce --without nonsense a.pcb -o b.pcase", 2, "--list-passes");
}

Test(reduce_command, usage_errors_and_good_cases_exit_2)
{
    EXPECT_RUN("reduce corpus/captures/stale-f0.picacap", 2, "--output is missing");
    EXPECT_RUN("reduce --test-format png a -o b", 2, "");
    EXPECT_RUN("reduce corpus/captures/stale-f0.picacap -o build/never.pcase", 2, "nothing is wrong");
}

Test(reduce_command, what_ends_early_writes_the_best_so_far_and_the_same_command_goes_on)
{
    EXPECT_RUN("reduce --test 'grep -q DRAW' corpus/captures/jumps-f5.picacap -o @/s.pcase --tries 20", 0,
               "stopped before the end");
    cr_expect_eq(files_in("", "s.pcase.reducing"), 1);
    run("reduce --test 'grep -q DRAW' corpus/captures/jumps-f5.picacap -o @/s.pcase --tries 20");
    EXPECT_SAID("went on from earlier work");
}

#define MESH_TEST(sleep) \
    "reduce --test 'sleep " sleep "; grep -q DRAW' corpus/captures/jumps-f0.picacap -o @/s.pcase -q "

static unsigned long number_of(const char *name)
{
    const char *const found = strstr(result.output, name);
    cr_assert_not_null(found, "no %s: %s", name, result.output);
    return strtoul(found + strlen(name), NULL, 10);
}

/* The backend interrupts at the 48th list of a process, when a stage is blamed and changes have been accepted, and
 * waits until it has been seen, so timing does not matter. */
Test(reduce_command, one_stopped_by_ctrl_c_in_its_first_round_leaves_a_smaller_case)
{
    EXPECT_RUN("PICAFUZZ_FAULT=fog PICAFUZZ_INTERRUPT=48 reduce -b reference,inline:@faulty tests/reduce/cases/fog.pcb "
               "-o @/s.pcase -q --json --timeout 20",
               0, "\"complete\":false");
    cr_expect_lt(number_of("\"tried\":"), 100u, "%s", result.output);
    cr_expect_lt(number_of("\"bytes\":"), number_of("\"first_bytes\":"), "nothing is kept: %s", result.output);
    EXPECT_RUN("PICAFUZZ_FAULT=fog diff -b reference,@faulty @/s.pcase", 1, "");
}

/* Killed in each of its writes: the old file stays until the new one is whole, and the work goes on. */
Test(reduce_command, a_stopped_one_is_written_whole_or_not_at_all)
{
    unsigned writes = 0;
    bool killed = true;
    shell("echo before > @/s.pcase");
    while (killed && writes < 50) {
        run(words_of("PICAFUZZ_FSYNC_KILLS=%u LD_PRELOAD=@count_fsync " MESH_TEST("0.01") "--tries 12", ++writes));
        killed = result.exit_code != 0;
        if (killed) {
            run_shell("cat @/s.pcase");
            cr_expect_str_eq(result.output, "before\n", "killed in write %u", writes);
        }
    }
    cr_expect_not(killed);
    cr_expect_geq(writes, 4, "the state, the state at the end, the case: all of them must be met");
    EXPECT_SAID("went on from earlier work");
    run("show @/s.pcase");
    EXPECT_SAID("DRAW");
}

/* ---------------------------------------------------------------------------------------------------------- triage */

Test(triage_command, findings_of_one_kind_share_a_bucket_and_known_files_are_not_run_again)
{
    shell("cp corpus/captures/relay-f*.picacap @");
    EXPECT_RUN("PICAFUZZ_FAULT=pixel triage --index -b reference,@broken @", 1, " diverge-");
    EXPECT_LACKS(" 0 run now");
    EXPECT_RUN("PICAFUZZ_FAULT=pixel triage --index -b reference,@broken @", 1, " 0 run now");
    shell("cp corpus/captures/stale-f0.picacap @");
    run("PICAFUZZ_FAULT=pixel triage --index -b reference,@broken @");
    EXPECT_SAID(" 1 run now");
    EXPECT_RUN("triage --json @", 0, "\"verdict\":\"agree\"");
}

/* A corpus is no place for it; where findings are filed it is made, and where it is it stays up to date. */
Test(triage_command, an_index_is_left_only_where_findings_are_filed_or_it_is_wanted)
{
    shell("cp corpus/captures/relay-f0.picacap @");
    static const struct {
        const char *before, *option, *said;
        size_t indices; /* afterwards */
    } rows[] = {
        { ":", "", "; 1 run now; none is remembered (--index)\n", 0 },
        { "mkdir texture", "", "none is remembered", 0 },
        { ":", "--no-index", "; 1 run now\n", 0 },
        { ":", "--index", "; 1 run now\n", 1 },
        { ":", "", "0 run now, the others were known\n", 1 },
        { "rm triage.json && echo 1 >texture/count", "", "; 1 run now\n", 1 },
        { ":", "", "0 run now, the others were known\n", 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        shell(words_of("cd @ && %s", rows[i].before));
        EXPECT_RUN(words_of("triage %s @", rows[i].option), 0, rows[i].said);
        cr_expect_eq(files_in("", "triage.json"), rows[i].indices, "%zu", i);
    }
    EXPECT_RUN("triage --index --no-index @", 2, "");
}

/* Reduces a seed with a fault of faulty_backend; the name of its bucket. */
static void bucket_of(const char *fault, const char *seed, char *bucket, size_t size)
{
    EXPECT_RUN(words_of("PICAFUZZ_FAULT=%s reduce -b reference,inline:@faulty corpus/seeds/%s.pcase -o @/small.pcase "
                        "-q --json --fresh",
                        fault, seed),
               0, "");
    const char *const name = strstr(result.output, "\"bucket\":\"");
    cr_assert_not_null(name, "%s", result.output);
    (void)snprintf(bucket, size, "%.*s", (int)strcspn(name + 10, "\""), name + 10);
}

Test(triage_command, cases_that_look_different_share_the_bucket_of_what_they_need)
{
    static const struct {
        const char *fault, *seeds[2], *bucket, *need;
    } rows[] = {
        { "fog",
          { "fog/flip-and-index", "fog/reserved-modes" },
          "diverge-fog-fog-05-",
          "{\"field\":\"texenv_update_buffer.fog_mode\",\"values\":[\"fog\"" },
        { "blend-max",
          { "blend/equations", "blend/min-max-with-factors" },
          "diverge-blend-bld-02-",
          "_equation\",\"values\":[\"max\"]" },
    };
    char first[64], other[64];
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        bucket_of(rows[row].fault, rows[row].seeds[0], first, sizeof first);
        cr_expect_eq(strncmp(first, rows[row].bucket, strlen(rows[row].bucket)), 0, "%s", first);
        EXPECT_SAID(rows[row].need);
        bucket_of(rows[row].fault, rows[row].seeds[1], other, sizeof other);
        cr_expect_str_eq(first, other);
    }
}

Test(triage_command, buckets_of_an_older_version_of_the_key_are_counted_and_not_believed)
{
    shell("cp corpus/captures/relay-f0.picacap @");
    run("PICAFUZZ_FAULT=pixel triage --index -b reference,@broken @");
    EXPECT_LACKS("older version");
    shell("sed -i 's/\"version\":.*[0-9]/\"version\": 1/' @/triage.json");
    run("PICAFUZZ_FAULT=pixel triage --index -b reference,@broken @");
    EXPECT_SAID(" 1 run now", "; 1 bucket of triage.json is of an older version of the key");
}

Test(triage_command, a_file_that_is_no_case_is_left_out)
{
    shell("cp corpus/captures/relay-f0.picacap @ && echo garbage > @/a.pcase && echo more > @/z.pcase");
    static const char *const commands[] = { "triage --no-index @", "report -o @-report @" };
    for (size_t i = 0; i < 2; i++)
        EXPECT_RUN(commands[i], 2, "a.pcase:1:", "1 more file(s) were left out");
    shell("test -s @-report/index.html");
}

Test(triage_command, when_a_bucket_was_first_seen_stays_whatever_backend_shows_it)
{
    shell("cp corpus/captures/stale-f0.picacap @");
    run("PICAFUZZ_FAULT=pixel triage --index -b reference,@broken @ --json");
    EXPECT_SAID("\"first_seen\":\"20");
    shell("sed -i 's/\"20[0-9T:-]*Z\"/\"2001-02-03T04:05:06Z\"/' @/triage.json");
    run("PICAFUZZ_FAULT=pixel triage --index -b reference,@broken @ --json");
    EXPECT_SAID("2001-02-03T04:05:06Z");
    run("PICAFUZZ_FAULT=pixel triage -b reference,@broken @ --json --timeout 2");
    EXPECT_SAID("2001-02-03T04:05:06Z");
}

/* ------------------------------------------------------------------------------------------------ killed campaigns */

/* A campaign as a process of its own. */
static pid_t start_campaign(const char *log, const char *seed)
{
    const pid_t child = fork();
    if (child == 0) {
        (void)setpgid(0, 0);
        (void)setenv("FOUND_LOG", log, 1);
        (void)setenv("SEED", seed, 1);
        (void)!freopen("/dev/null", "w", stdout);
        (void)!freopen("/dev/null", "w", stderr);
        (void)execl(PICAFUZZ_BINARY_DIR "/bin/picafuzz", "picafuzz", "fuzz", "--target",
                    PICAFUZZ_SOURCE_DIR "/tests/cli/busy_target.sh", "--corpus", path_in("corpus"), "--findings",
                    path_in("findings"), "--max-findings", "1000", (char *)NULL);
        _exit(127);
    }
    cr_assert_gt(child, 0);
    return child;
}

/* 0 if there is none yet. */
static long size_of(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? (long)file.st_size : 0;
}

/* Killed without warning after this long, counted from the start or from the first find. */
static void run_and_kill(const char *log, const char *seed, bool when_found, long milliseconds)
{
    const long before = size_of(log);
    const pid_t child = start_campaign(log, seed);
    for (int i = 0; when_found && size_of(log) == before; i++) {
        cr_assert_lt(i, 60000, "nothing was found in a minute");
        pause_ms(1);
    }
    pause_ms(milliseconds);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
}

/* Findings, and failing inputs that wait to become one. */
static size_t count_kept(void)
{
    run_shell("find @/findings -name 'engine-crash-*' -o -name 'input-*.pcb' | wc -l");
    return strtoul(result.output, NULL, 10);
}

Test(killed_campaign, twenty_kills_lose_no_finding_and_leave_no_half_file)
{
    char name[64];
    shell("cp corpus/captures/jumps-f5.picacap @/seed.pcb"); /* any bytes are a case */
    uint32_t random = 12345;                                 /* seed of the instants */
    int alive[2]; /* every process that campaigns start holds its second end */
    cr_assert_eq(pipe(alive), 0);
    for (int i = 0; i < 20; i++) {
        random = random * 1103515245u + 12345u;
        run_and_kill(path_in("found.log"), path_in("seed.pcb"), i % 2 != 0, (long)(random >> 16) % 350);
    }
    (void)close(alive[1]);
    cr_expect_eq(read(alive[0], name, 1), 0, "targets whose campaign is gone end by themselves");
    (void)close(alive[0]);
    FILE *const found = fopen(path_in("found.log"), "r");
    cr_assert_not_null(found, "nothing was ever found");
    size_t finds = 0;
    while (fgets(name, sizeof name, found) != NULL)
        finds++;
    fclose(found);
    /* The last one finds nothing, and files what was left. */
    EXPECT_RUN("fuzz --seconds 60 --target tests/cli/quiet_target.sh --corpus @/corpus --findings @/findings "
               "--max-findings 1000",
               1, "");
    cr_expect_geq(count_kept(), finds, "of %zu that were found %zu are there", finds, count_kept());
    cr_expect_leq(count_kept(), finds + 20, "one more each time, if a kill came before it was noted");
    cr_expect_geq(finds, 10, "only %zu finds: every other campaign was given the time for one", finds);
    /* Every finding file is complete: cases can be read, texts and counts are not empty. */
    EXPECT_RUN("run --no-pictures @/findings", 0, "");
    shell(
        "! find @/findings -size 0 '(' -name '*.pcase' -o -name '*.pcb' -o -name '*.txt' -o -name count ')' | grep .");
}

/* The plug-in is wrong in every second process: what that looks like says nothing, and is no cause. */
Test(triage_command, what_does_not_come_back_in_fresh_processes_is_unstable)
{
    static const char line[] = "triage --no-index -b reference,@unsteady corpus/seeds/fog";
    EXPECT_RUN(words_of("PICAFUZZ_UNSTEADY=clock PICAFUZZ_COUNTER=@/counter %s", line), 1, "unstable-chance ",
               "it depends on nothing that can be set here", " unstable\n");
    EXPECT_RUN(words_of("PICAFUZZ_UNSTEADY=always %s", line), 1, "");
    EXPECT_LACKS("unstable");
}
