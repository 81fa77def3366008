/* `picafuzz reduce` and `picafuzz triage` as a user runs them, and campaigns that are killed. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct command_result result;
static char directory[1024];
static char arguments[8192];

#define BROKEN        "-b reference,'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'"
#define FAULTY        "-b reference,'" PICAFUZZ_BINARY_DIR "/lib/faulty_backend.so'"
#define FAULTY_INLINE "-b reference,inline:'" PICAFUZZ_BINARY_DIR "/lib/faulty_backend.so'"

static void pause_ms(long milliseconds)
{
    const struct timespec pause = { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000 };
    (void)nanosleep(&pause, NULL);
}

static void shell(const char *line)
{
    cr_assert_eq(system(line), 0, "%s", line);
}

/* ---------------------------------------------------------------------------------------------------------- reduce */

Test(reduce_command, a_planted_pixel_comes_down_to_a_few_lines_that_still_show_it)
{
    fresh_directory(directory, sizeof directory, "reduce");
    (void)snprintf(arguments, sizeof arguments,
                   "reduce " BROKEN " corpus/captures/mesh-f0.picacap -o '%s/small.pcase' --json", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\"verdict\":\"diverge\""), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\"bucket\":\"diverge-memory-color-"), "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "diff " BROKEN " '%s/small.pcase'", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "show '%s/small.pcase'", directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_lt(strlen(result.output), 1500u, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "# Bucket diverge-memory-color-"), "%s", result.output);
    cr_expect_eq(count_files(directory, "reducing"), 0, "the state of a finished reduction is still there");
}

Test(reduce_command, crashes_and_hangs_of_a_backend_alone)
{
    fresh_directory(directory, sizeof directory, "reduce-crash");
    (void)snprintf(arguments, sizeof arguments,
                   "reduce -b '%s/lib/broken_backend.so' corpus/captures/jumps-f0.picacap -o '%s/small.pcase' "
                   "--timeout 0.06",
                   PICAFUZZ_BINARY_DIR, directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=crash", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "bucket crash-fail-after-"), "%s", result.output);
    run_picafuzz(&result, "PICAFUZZ_FAULT=hang", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "bucket hang-submit-"), "%s", result.output);
}

Test(reduce_command, a_crash_stays_in_the_function_where_it_was)
{
    static const char *const backends[] = { BROKEN,
                                            "-b reference,inline:'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'" };
    fresh_directory(directory, sizeof directory, "reduce-two-crashes");
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++) {
        (void)snprintf(arguments, sizeof arguments,
                       "reduce %s corpus/captures/mesh-f0.picacap -o '%s/small.pcase' --fresh --tries 300", backends[i],
                       directory);
        run_picafuzz(&result, "PICAFUZZ_FAULT=two-crashes", arguments);
        cr_expect_eq(result.exit_code, 0, "%s", result.output);
        cr_expect_not_null(strstr(result.output, "bucket crash-crash-in-large-"), "%s", result.output);
        cr_expect_not_null(strstr(result.output, "crash in crash_in_large: signal 6"), "%s", result.output);
    }
}

Test(reduce_command, a_relation_that_fails_is_reduced_and_the_write_named)
{
    fresh_directory(directory, sizeof directory, "reduce-relation");
    (void)snprintf(arguments, sizeof arguments,
                   "reduce -b '%s/lib/broken_backend.so' --relation two-lists corpus/captures/mesh-f0.picacap "
                   "-o '%s/small.pcase'",
                   PICAFUZZ_BINARY_DIR, directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "bucket relation-two-lists-"), "%s", result.output);
    cr_expect_not_null(
        strstr(result.output, "it is enough to change operation 0, command 1 of its list: FINALIZE (0x010)"), "%s",
        result.output);
    (void)snprintf(arguments, sizeof arguments, "show '%s/small-variant.pcase'", directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_not_null(strstr(result.output, "FINALIZE = 0x00000078"), "the variant is no list of commands:\n%s",
                       result.output);
    run_picafuzz(&result, "", "reduce --relation two-lists -b reference,fast x.pcase -o y.pcase");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    run_picafuzz(&result, "", "reduce --relation deterministic -b fast x.pcase -o y.pcase");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
}

/* It said "unknown", and nothing of a crash. */
Test(triage_command, a_plug_in_that_writes_over_shared_memory_is_named)
{
    fresh_directory(directory, sizeof directory, "triage-scribble");
    (void)snprintf(arguments, sizeof arguments, "cp corpus/captures/jumps-f0.picacap '%s/a.picacap'", directory);
    shell(arguments);
    (void)snprintf(arguments, sizeof arguments, "triage " BROKEN " '%s'", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=scribble", arguments);
    cr_expect_eq(result.exit_code, 3, "%d: %s", result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, "wrote over memory that is not its own"), "%s", result.output);
}

Test(reduce_command, a_script_decides_what_is_interesting)
{
    fresh_directory(directory, sizeof directory, "reduce-script");
    (void)snprintf(arguments, sizeof arguments,
                   "reduce --test 'grep -q DRAW' corpus/captures/hand-f0.picacap -o '%s/small.pcase' --jobs 2",
                   directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "show '%s/small.pcase'", directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_not_null(strstr(result.output, "DRAW"), "%s", result.output);
    cr_expect_lt(strlen(result.output), 600u, "%s", result.output);
    (void)snprintf(arguments, sizeof arguments,
                   "reduce --test false corpus/captures/hand-f0.picacap -o '%s/none.pcase'", directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "does not call the case interesting"), "%s", result.output);
}

Test(reduce_command, passes_are_listed_and_left_out_by_name)
{
    run_picafuzz(&result, "", "reduce --list-passes");
    cr_expect_eq(result.exit_code, 0);
    cr_expect_not_null(strstr(result.output, "\ncommands:2\n"), "%s", result.output);
    fresh_directory(directory, sizeof directory, "reduce-without");
    (void)snprintf(arguments, sizeof arguments,
                   "reduce " FAULTY " tests/reduce/cases/fog.pcb -o '%s/s.pcase' -q --json --tries 300 "
                   "--without commands --without 'memory contents'",
                   directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=fog", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "{\"turn\":\"commands:1\",\"tried\":0,\"kept\":0}"), "%s", result.output);
    cr_expect_null(strstr(result.output, "{\"turn\":\"types:1\",\"tried\":0,\"kept\":0}"), "%s", result.output);
    run_picafuzz(&result, "", "reduce --without nonsense a.pcb -o b.pcase");
    cr_expect_eq(result.exit_code, 2);
    cr_expect_not_null(strstr(result.output, "--list-passes"), "%s", result.output);
}

Test(reduce_command, usage_errors_and_good_cases_exit_2)
{
    run_picafuzz(&result, "", "reduce corpus/captures/hand-f0.picacap");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "--output is missing"), "%s", result.output);
    run_picafuzz(&result, "", "reduce --test-format png a -o b");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    run_picafuzz(&result, "", "reduce corpus/captures/hand-f0.picacap -o build/never.pcase");
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "nothing is wrong"), "%s", result.output);
}

Test(reduce_command, what_ends_early_writes_the_best_so_far_and_the_same_command_goes_on)
{
    fresh_directory(directory, sizeof directory, "reduce-timeout");
    (void)snprintf(arguments, sizeof arguments,
                   "reduce --test 'grep -q DRAW' corpus/captures/jumps-f0.picacap -o '%s/s.pcase' --tries 20",
                   directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "stopped before the end"), "%s", result.output);
    cr_expect_eq(count_files(directory, "s.pcase.reducing"), 1);
    run_picafuzz(&result, "", arguments);
    cr_expect_not_null(strstr(result.output, "went on from earlier work"), "%s", result.output);
}

#define MESH_TEST(sleep) \
    "reduce --test 'sleep " sleep "; grep -q DRAW' corpus/captures/mesh-f0.picacap -o '%s/s.pcase' -q "

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
    fresh_directory(directory, sizeof directory, "reduce-interrupt");
    (void)snprintf(arguments, sizeof arguments,
                   "reduce " FAULTY_INLINE " tests/reduce/cases/fog.pcb -o '%s/s.pcase' -q --json --timeout 20",
                   directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=fog PICAFUZZ_INTERRUPT=48", arguments);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\"complete\":false"), "it was not stopped: %s", result.output);
    cr_expect_lt(number_of("\"tried\":"), 100u, "%s", result.output);
    cr_expect_lt(number_of("\"bytes\":"), number_of("\"first_bytes\":"), "nothing is kept: %s", result.output);
    (void)snprintf(arguments, sizeof arguments, "diff " FAULTY " '%s/s.pcase'", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=fog", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
}

/* Killed in each of its writes: the old file stays until the new one is whole, and the work goes on. */
Test(reduce_command, a_stopped_one_is_written_whole_or_not_at_all)
{
    char environment[2048], show[2048];
    unsigned writes = 0;
    bool killed = true;
    fresh_directory(directory, sizeof directory, "reduce-writes");
    (void)snprintf(show, sizeof show, "echo before > '%s/s.pcase'", directory);
    shell(show);
    (void)snprintf(show, sizeof show, "cat '%s/s.pcase'", directory);
    (void)snprintf(arguments, sizeof arguments, MESH_TEST("0.01") "--tries 12", directory);
    while (killed && writes < 50) {
        (void)snprintf(environment, sizeof environment,
                       "PICAFUZZ_FSYNC_KILLS=%u LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so'", ++writes);
        run_picafuzz(&result, environment, arguments);
        killed = result.exit_code != 0;
        if (killed) {
            run_command(&result, show);
            cr_expect_str_eq(result.output, "before\n", "killed in write %u", writes);
        }
    }
    cr_expect_not(killed);
    cr_expect_geq(writes, 4, "the state, the state at the end, the case: all of them must be met");
    cr_expect_not_null(strstr(result.output, "went on from earlier work"), "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "show '%s/s.pcase'", directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_not_null(strstr(result.output, "DRAW"), "%s", result.output);
}

/* ---------------------------------------------------------------------------------------------------------- triage */

Test(triage_command, findings_of_one_kind_share_a_bucket_and_known_files_are_not_run_again)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, "triage");
    (void)snprintf(line, sizeof line, "cp '%s'/corpus/captures/mask-f*.picacap '%s'", PICAFUZZ_SOURCE_DIR, directory);
    shell(line);
    (void)snprintf(arguments, sizeof arguments, "triage --index " BROKEN " '%s'", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, " diverge-"), "%s", result.output);
    cr_expect_null(strstr(result.output, " 0 run now"), "%s", result.output);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, " 0 run now"), "%s", result.output);
    (void)snprintf(line, sizeof line, "cp '%s'/corpus/captures/hand-f0.picacap '%s'", PICAFUZZ_SOURCE_DIR, directory);
    shell(line);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_not_null(strstr(result.output, " 1 run now"), "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "triage --json '%s'", directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 0, "an index of other backends was believed: %s", result.output);
    cr_expect_not_null(strstr(result.output, "\"verdict\":\"agree\""), "%s", result.output);
}

/* A corpus is no place for it; where findings are filed it is made, and where it is it stays up to date. */
Test(triage_command, an_index_is_left_only_where_findings_are_filed_or_it_is_wanted)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, "triage-index");
    (void)snprintf(line, sizeof line, "cp '%s'/corpus/captures/mask-f0.picacap '%s'", PICAFUZZ_SOURCE_DIR, directory);
    shell(line);
    static const struct {
        const char *before, *option, *said;
        size_t indices; /* afterwards */
    } rows[] = {
        { ":", "", "1 run now, the others were known; none is remembered (--index)\n", 0 },
        { "mkdir texture", "", "none is remembered", 0 },
        { ":", "--no-index", "1 run now, the others were known\n", 0 },
        { ":", "--index", "1 run now, the others were known\n", 1 },
        { ":", "", "0 run now, the others were known\n", 1 },
        { "rm triage.json && echo 1 >texture/count", "", "1 run now, the others were known\n", 1 },
        { ":", "", "0 run now, the others were known\n", 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)snprintf(line, sizeof line, "cd '%s' && %s", directory, rows[i].before);
        shell(line);
        (void)snprintf(arguments, sizeof arguments, "triage %s '%s'", rows[i].option, directory);
        run_picafuzz(&result, "", arguments);
        cr_expect_eq(result.exit_code, 0, "%zu: %s", i, result.output);
        cr_expect_not_null(strstr(result.output, rows[i].said), "%zu: %s", i, result.output);
        cr_expect_eq(count_files(directory, "triage.json"), rows[i].indices, "%zu", i);
    }
    (void)snprintf(arguments, sizeof arguments, "triage --index --no-index '%s'", directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 2, "%s", result.output);
}

/* Reduces a seed with a fault of faulty_backend; the name of its bucket. */
static void bucket_of(const char *fault, const char *seed, char *bucket, size_t size)
{
    char environment[64];
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_FAULT=%s", fault);
    (void)snprintf(arguments, sizeof arguments,
                   "reduce " FAULTY_INLINE " corpus/seeds/%s.pcase -o '%s/small.pcase' -q --json --fresh", seed,
                   directory);
    run_picafuzz(&result, environment, arguments);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
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
          "diverge-fog-fog-mode-fog-",
          "{\"field\":\"texenv_update_buffer.fog_mode\",\"values\":[\"fog\"" },
        { "blend-max",
          { "blend/equations", "blend/min-max-with-factors" },
          "diverge-blend-equation-min-or-max-",
          "_equation\",\"values\":[\"max\"]" },
    };
    char first[64], other[64];
    fresh_directory(directory, sizeof directory, "triage-causes");
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        bucket_of(rows[row].fault, rows[row].seeds[0], first, sizeof first);
        cr_expect_eq(strncmp(first, rows[row].bucket, strlen(rows[row].bucket)), 0, "%s", first);
        cr_expect_not_null(strstr(result.output, rows[row].need), "%s", result.output);
        bucket_of(rows[row].fault, rows[row].seeds[1], other, sizeof other);
        cr_expect_str_eq(first, other);
    }
}

Test(triage_command, buckets_of_an_older_version_of_the_key_are_counted_and_not_believed)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, "triage-version");
    (void)snprintf(line, sizeof line, "cp '%s'/corpus/captures/mask-f0.picacap '%s'", PICAFUZZ_SOURCE_DIR, directory);
    shell(line);
    (void)snprintf(arguments, sizeof arguments, "triage --index " BROKEN " '%s'", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_null(strstr(result.output, "older version"), "%s", result.output);
    (void)snprintf(line, sizeof line, "sed -i 's/\"version\":.*[0-9]/\"version\": 1/' '%s/triage.json'", directory);
    shell(line);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_not_null(strstr(result.output, " 1 run now"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "; 1 bucket of triage.json is of an older version of the key"), "%s",
                       result.output);
}

Test(triage_command, a_file_that_is_no_case_is_left_out)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, "triage-bad");
    (void)snprintf(
        line, sizeof line,
        "cp '%s'/corpus/captures/mask-f0.picacap '%s' && echo garbage > '%s/a.pcase' && echo more > '%s/z.pcase'",
        PICAFUZZ_SOURCE_DIR, directory, directory, directory);
    shell(line);
    static const char *const commands[] = { "triage --no-index '%s'", "report -o '%s-report' '%s'" };
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(arguments, sizeof arguments, commands[i], directory, directory);
        run_picafuzz(&result, "", arguments);
        cr_expect_eq(result.exit_code, 2, "%s", result.output);
        cr_expect_not_null(strstr(result.output, "a.pcase:1:"), "%s", result.output);
        cr_expect_not_null(strstr(result.output, "1 more file(s) were left out"), "%s", result.output);
    }
    (void)snprintf(line, sizeof line, "test -s '%s-report/index.html'", directory);
    shell(line);
}

Test(triage_command, when_a_bucket_was_first_seen_stays_whatever_backend_shows_it)
{
    char line[4096];
    fresh_directory(directory, sizeof directory, "triage-first-seen");
    (void)snprintf(line, sizeof line, "cp '%s/corpus/captures/hand-f0.picacap' '%s'", PICAFUZZ_SOURCE_DIR, directory);
    shell(line);
    (void)snprintf(arguments, sizeof arguments, "triage --index " BROKEN " '%s' --json", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_not_null(strstr(result.output, "\"first_seen\":\"20"), "%s", result.output);
    (void)snprintf(line, sizeof line, "sed -i 's/\"20[0-9T:-]*Z\"/\"2001-02-03T04:05:06Z\"/' '%s/triage.json'",
                   directory);
    shell(line);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_not_null(strstr(result.output, "2001-02-03T04:05:06Z"), "%s", result.output);
    (void)snprintf(arguments, sizeof arguments, "triage " BROKEN " '%s' --json --timeout 2", directory);
    run_picafuzz(&result, "PICAFUZZ_FAULT=pixel", arguments);
    cr_expect_not_null(strstr(result.output, "2001-02-03T04:05:06Z"), "other options, the same bucket: %s",
                       result.output);
}

/* ------------------------------------------------------------------------------------------------ killed campaigns */

/* A campaign as a process of its own. */
static pid_t start_campaign(const char *log, const char *seed)
{
    char corpus[2048], findings[2048];
    (void)snprintf(corpus, sizeof corpus, "%s/corpus", directory);
    (void)snprintf(findings, sizeof findings, "%s/findings", directory);
    const pid_t child = fork();
    if (child == 0) {
        (void)setpgid(0, 0);
        (void)setenv("FOUND_LOG", log, 1);
        (void)setenv("SEED", seed, 1);
        (void)!freopen("/dev/null", "w", stdout);
        (void)!freopen("/dev/null", "w", stderr);
        (void)execl(PICAFUZZ_BINARY_DIR "/bin/picafuzz", "picafuzz", "fuzz", "--target",
                    PICAFUZZ_SOURCE_DIR "/tests/cli/busy_target.sh", "--corpus", corpus, "--findings", findings,
                    "--max-findings", "1000", (char *)NULL);
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
    char line[4096];
    (void)snprintf(line, sizeof line, "find '%s/findings' -name 'engine-crash-*' -o -name 'input-*.pcb' | wc -l",
                   directory);
    run_command(&result, line);
    return strtoul(result.output, NULL, 10);
}

Test(killed_campaign, twenty_kills_lose_no_finding_and_leave_no_half_file)
{
    char log[2048], seed[2048], name[64];
    fresh_directory(directory, sizeof directory, "killed");
    (void)snprintf(log, sizeof log, "%s/found.log", directory);
    (void)snprintf(seed, sizeof seed, "%s/seed.pcb", directory);
    (void)snprintf(arguments, sizeof arguments, "cp '%s'/corpus/captures/jumps-f0.picacap '%s'", PICAFUZZ_SOURCE_DIR,
                   seed); /* any bytes are a case */
    shell(arguments);
    uint32_t random = 12345; /* seed of the instants */
    int alive[2];            /* every process that campaigns start holds its second end */
    cr_assert_eq(pipe(alive), 0);
    for (int i = 0; i < 20; i++) {
        random = random * 1103515245u + 12345u;
        run_and_kill(log, seed, i % 2 != 0, (long)(random >> 16) % 350);
    }
    (void)close(alive[1]);
    cr_expect_eq(read(alive[0], name, 1), 0, "targets whose campaign is gone end by themselves");
    (void)close(alive[0]);
    FILE *const found = fopen(log, "r");
    cr_assert_not_null(found, "nothing was ever found");
    size_t finds = 0;
    while (fgets(name, sizeof name, found) != NULL)
        finds++;
    fclose(found);
    /* The last one finds nothing, and files what was left. */
    (void)snprintf(arguments, sizeof arguments,
                   "fuzz --seconds 60 --target tests/cli/quiet_target.sh --corpus '%s/corpus' --findings '%s/findings' "
                   "--max-findings 1000",
                   directory, directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_geq(count_kept(), finds, "of %zu that were found %zu are there", finds, count_kept());
    cr_expect_leq(count_kept(), finds + 20, "one more each time, if a kill came before it was noted");
    cr_expect_geq(finds, 10, "only %zu finds: every other campaign was given the time for one", finds);
    /* Every finding file is complete: cases can be read, texts and counts are not empty. */
    (void)snprintf(arguments, sizeof arguments, "run --no-pictures '%s/findings'", directory);
    run_picafuzz(&result, "", arguments);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(arguments, sizeof arguments,
                   "! find '%s/findings' -size 0 '(' -name '*.pcase' -o -name '*.pcb' -o -name '*.txt' -o -name count "
                   "')' | grep .",
                   directory);
    cr_expect_eq(system(arguments), 0, "an empty finding file");
}

/* The plug-in is wrong in every second process: what that looks like says nothing, and is no cause. */
Test(triage_command, what_does_not_come_back_in_fresh_processes_is_unstable)
{
    static const char line[] =
        "triage --no-index -b reference,'" PICAFUZZ_BINARY_DIR "/lib/unsteady_backend.so' corpus/seeds/fog";
    char environment[2048];
    fresh_directory(directory, sizeof directory, "triage-unstable");
    (void)snprintf(environment, sizeof environment, "PICAFUZZ_UNSTEADY=clock PICAFUZZ_COUNTER='%s/counter'", directory);
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "unstable-chance "), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "it depends on nothing that can be set here"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, " unstable\n"), "%s", result.output);
    run_picafuzz(&result, "PICAFUZZ_UNSTEADY=always", line);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_null(strstr(result.output, "unstable"), "%s", result.output);
}
