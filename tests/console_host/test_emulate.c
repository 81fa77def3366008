/*
 * picafuzz emulate: an emulator that is only a program, here the second machine, wrapped so that it dies, stands still,
 * goes on or does nothing.
 */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MACHINE PICAFUZZ_BINARY_DIR "/bin/second_machine"
#define CASES                                                                                  \
    "--from corpus/seeds/blend --from corpus/seeds/depth_test --from corpus/seeds/alpha_test " \
    "--from corpus/seeds/combiner"
#define CASE_FILES "corpus/seeds/blend corpus/seeds/depth_test corpus/seeds/alpha_test corpus/seeds/combiner"

static struct command_result result;
static char room[512];

/* Its own directory, with a script `emu` that is started with the program's path and the card's. */
static void furnish(const char *name, const char *script)
{
    char path[600];
    fresh_directory(room, sizeof room, name);
    (void)snprintf(path, sizeof path, "%s/emu", room);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file,
            "#!/bin/sh\nexport ASAN_OPTIONS=handle_segv=0:handle_abort=0\ncd '%s'\nstarts=$(($(cat starts 2>/dev/null "
            "|| echo 0) + "
            "1)); echo $starts >starts\n%s\n",
            room, script);
    fclose(file);
    cr_assert_eq(chmod(path, 0755), 0);
}

/* picafuzz emulate with the script, results to room/NAME.res, the card in room/NAME. */
static void emulate(int code, const char *name, const char *more)
{
    char line[4096];
    (void)snprintf(line, sizeof line, "emulate %s --sd '%s/%s' --name %s -o '%s/%s.res' -- '%s/emu' {3dsx} {sd}", more,
                   room, name, name, room, name, room);
    run_picafuzz(&result, "", line);
    cr_assert_eq(result.exit_code, code, "%s: %d\n%s", line, result.exit_code, result.output);
}

static void expect(const char *text)
{
    cr_expect_not_null(strstr(result.output, text), "no '%s' in:\n%s", text, result.output);
}

static void compare(int code, const char *a, const char *b)
{
    char line[4096];
    (void)snprintf(line, sizeof line, "diff -q -b '%s,%s' " CASE_FILES, a, b);
    run_picafuzz(&result, "", line);
    cr_assert_eq(result.exit_code, code, "%s: %d\n%s", line, result.exit_code, result.output);
}

static const char *recorded(char out[700], const char *name)
{
    (void)snprintf(out, 700, "recorded:%s/%s.res", room, name);
    return out;
}

static bool shell(const char *line)
{
    char whole[1024];
    (void)snprintf(whole, sizeof whole, "cd '%s' && %s", room, line);
    return system(whole) == 0;
}

#define PLAIN "exec '" MACHINE "' --sd \"$2\" \"$1\""
/* The last list of the first run: 12 are of the self-tests. */
#define FIRST_LIST "14"

Test(emulate, leaves_a_backend_that_agrees_and_touches_nothing_else_on_the_card, .timeout = 120)
{
    char backend[700];
    furnish("emulate-plain", PLAIN);
    cr_assert(shell("mkdir card && echo mine >card/save"));
    emulate(0, "card", CASES);
    expect("holds other files: they are left alone");
    expect("comes back: loaded bytes, fills, transfers, texture copies, drawn colours");
    expect("; 1 start\n");
    cr_expect(
        shell("test \"$(cat card/save)\" = mine && test \"$(ls card card/3ds card/3ds/picafuzz | tr '\\n' ' ')\" = "
              "'card: 3ds save  card/3ds: card.3dsx picafuzz  card/3ds/picafuzz: card.journal card.results '"));
    compare(0, "reference", recorded(backend, "card"));
    cr_expect_null(strstr(result.output, "hung"), "%s", result.output);
    /* It is done: nothing is started, the results are the same. */
    emulate(0, "card", CASES);
    expect("all is done already");
    cr_expect(shell("test $(cat starts) = 1"));
    emulate(0, "card", CASES " --anew");
    cr_expect(shell("test $(cat starts) = 2"));
    emulate(2, "card", "--json --pack decide");
    expect("results of other cases lie under this name");
}

/* The first 20 starts die, each some lists further into the cases; the signal comes from outside of any case. */
Test(emulate, loses_nothing_when_the_emulator_is_killed_twenty_times, .timeout = 240)
{
    char killed[700], plain[700];
    furnish("emulate-kills",
            "[ $starts -le 20 ] && exec '" MACHINE "' --crash-at-list $((15 + starts % 3)) --sd \"$2\" \"$1\"\n" PLAIN);
    emulate(0, "killed", CASES);
    expect("the emulator ended in it (Segmentation fault); once more");
    expect("; 21 starts\n");
    emulate(0, "plain", CASES); /* its starts are the later ones */
    expect("; 1 start\n");
    compare(0, recorded(plain, "plain"), recorded(killed, "killed"));
    cr_expect_not_null(strstr(result.output, "20 of 20 cases agree"), "%s", result.output);
}

Test(emulate, says_of_each_case_in_which_the_emulator_dies_that_it_crashes, .timeout = 120)
{
    char backend[700], line[1024];
    furnish("emulate-crash", "exec '" MACHINE "' --crash-at-list " FIRST_LIST " --sd \"$2\" \"$1\"");
    emulate(3, "crash", "--json --from corpus/seeds/alpha_test");
    expect("\"done\":true");
    expect("\"case\":\"reference-value\",\"outcome\":\"crash\",\"signal\":11");
    compare(3, "reference", recorded(backend, "crash"));
    expect("crashed when it was recorded: signal 11");
    (void)snprintf(line, sizeof line, "score -b '%s'", backend);
    run_picafuzz(&result, "", line);
    cr_expect_eq(result.exit_code, 3);
    expect("crashed: seeds/alpha_test/");
}

Test(emulate, ends_an_emulator_that_stands_still_and_goes_on_behind_the_case, .timeout = 120)
{
    char backend[700];
    furnish("emulate-hang",
            "[ $starts = 1 ] && exec '" MACHINE "' --freeze-at-list " FIRST_LIST " --sd \"$2\" \"$1\"\n" PLAIN);
    emulate(3, "hang", CASES " --limit 2");
    expect(": hang; on behind it");
    expect(" ok, 1 hang; ");
    expect("; 2 starts\n");
    compare(3, "reference", recorded(backend, "hang"));
    expect("hung when it was recorded");
    expect("1 hung");
}

Test(emulate, says_why_an_emulator_leaves_nothing, .timeout = 60)
{
    char line[2048];
    furnish("emulate-nothing", "echo cannot open display >&2; exit 1");
    emulate(4, "nothing", CASES);
    expect("the program left no journal");
    expect("(exit code 1); it said:\ncannot open display");
    expect("no case came to a result");
    (void)snprintf(line, sizeof line, "emulate " CASES " --sd '%s/x' --name x -- '%s/missing' {3dsx}", room, room);
    run_picafuzz(&result, "DISPLAY= WAYLAND_DISPLAY=", line);
    cr_expect_eq(result.exit_code, 4);
    expect("missing: No such file or directory");
    run_picafuzz(&result, "", "emulate --sd x --name x -- emu");
    cr_expect_eq(result.exit_code, 2);
    expect("with {3dsx} where the path of the program goes");
}

/* The example of docs/test-an-emulator-without-source.md: both of its faults are found, nothing else. */
Test(emulate, finds_the_faults_of_the_small_emulator, .timeout = 120)
{
    char line[2048];
    furnish("emulate-small", "exec '" PICAFUZZ_BINARY_DIR "/bin/small_emulator' --sd \"$2\" \"$1\"");
    emulate(3, "small", "--from corpus/seeds/fill/widths.pcase --from corpus/seeds/copy --from corpus/seeds/blend");
    expect("does not come back: registers");
    expect("gaps: crash (Aborted)");
    (void)snprintf(line, sizeof line,
                   "diff -q -b 'reference,recorded:%s/small.res' corpus/seeds/fill/widths.pcase corpus/seeds/copy "
                   "corpus/seeds/blend",
                   room);
    run_picafuzz(&result, "", line);
    cr_expect_eq(result.exit_code, 3);
    expect("5 of 8 cases agree, 1 differs, 2 crashed");
}

/* The same example, as a renderer that gives nothing back: what it draws is read from its window, its fault is found,
 * and nothing else differs. */
Test(emulate, reads_from_screenshots_what_comes_back_in_no_other_way, .timeout = 240)
{
    char line[2048];
    furnish("emulate-shown", "exec '" PICAFUZZ_BINARY_DIR "/bin/small_emulator' --sd \"$2\" --shots shots \"$1\"");
    (void)snprintf(line, sizeof line,
                   "--screens '%s/shots' --hold 2 --from corpus/seeds/blend --from corpus/seeds/framebuffer "
                   "--from corpus/seeds/copy",
                   room);
    emulate(0, "shown", line);
    expect("does not come back: transfers, texture copies, drawn colours");
    expect("5 not tested, 12 seen on the screen");
    (void)snprintf(line, sizeof line,
                   "diff -q -b 'reference,recorded:%s/shown.res' corpus/seeds/blend corpus/seeds/framebuffer "
                   "corpus/seeds/copy",
                   room);
    run_picafuzz(&result, "", line);
    cr_expect_eq(result.exit_code, 1);
    expect("min-max-with-factors.pcase: diverge (memory of some pages)");
    expect("11 of 17 cases agree, 1 differs, 5 were not tested");
    /* Pictures of an earlier build may say other things: they are not mixed. */
    (void)snprintf(line, sizeof line, "--anew --screens '%s/shots' --from corpus/seeds/blend", room);
    emulate(2, "shown", line);
    expect("holds PNG files before anything was run");
}

/* The case's lists name addresses of FCRAM: it is moved to VRAM, and what it leaves is read back to where it was. Two
 * files have the same name: they are two cases, also as files. */
Test(emulate, runs_cases_that_do_not_lie_in_vram, .timeout = 120)
{
    char line[4096];
    furnish("emulate-moved", PLAIN);
    (void)snprintf(line, sizeof line,
                   "for c in blend/equations alpha_test/reference-value texture/wrap-modes copy/gaps fill/widths; do "
                   "sed 's/0x1800/0x2000/g; s/0x1801/0x2001/g' '" PICAFUZZ_SOURCE_DIR
                   "/corpus/seeds/'$c.pcase >$(basename $c).pcase || exit 1; done; grep -L 'window 0x2' *.pcase; "
                   "mkdir more && cp '" PICAFUZZ_SOURCE_DIR
                   "/corpus/seeds/blend/dest-factors.pcase' more/widths.pcase");
    cr_assert(shell(line));
    (void)snprintf(line, sizeof line, "--from '%s' --cases '%s/cases'", room, room);
    emulate(0, "moved", line);
    expect("6 ok; 6 of 6 cases could be exported");
    (void)snprintf(line, sizeof line, "diff -q -b 'reference,recorded:%s/moved.res' '%s/cases'", room, room);
    run_picafuzz(&result, "", line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    expect("6 of 6 cases agree");
}

/* Its first start interrupts picafuzz, which is its parent, in the middle of a run. */
Test(emulate, interrupted_keeps_what_is_done_and_the_same_command_goes_on, .timeout = 120)
{
    char first[700], plain[700];
    furnish("emulate-interrupt",
            "[ $starts = 1 ] && { '" MACHINE
            "' --crash-at-list 30 --sd \"$2\" \"$1\"; kill -INT $PPID; exec sleep 1000; }\n" PLAIN);
    emulate(4, "cut", CASES);
    expect("interrupted: what is done is kept, the same command goes on");
    expect("not run");
    emulate(0, "cut", CASES);
    expect("; 1 start\n");
    emulate(0, "plain", CASES);
    compare(0, recorded(plain, "plain"), recorded(first, "cut"));
    cr_expect_not_null(strstr(result.output, "20 of 20 cases agree"), "%s", result.output);
}

/* The journal cannot be read any more; then neither can it be begun anew. */
Test(emulate, keeps_what_is_there_where_it_cannot_go_on, .timeout = 60)
{
    furnish("emulate-lost", "'" MACHINE "' --crash-at-list 40 --sd \"$2\" \"$1\"\n"
                            "rm lost/3ds/picafuzz/lost.journal; mkdir lost/3ds/picafuzz/lost.journal; exit 1");
    emulate(4, "lost", CASES);
    expect("score it:   picafuzz score");
    expect("lost.journal: ");
    cr_expect(shell("test -s lost.res && rmdir lost/3ds/picafuzz/lost.journal && "
                    "rm lost/3ds/picafuzz/lost.results && mkdir lost/3ds/picafuzz/lost.results"));
    emulate(4, "lost", CASES " --anew");
    expect("lost.results: Is a directory");
    cr_expect(shell("test $(cat starts) = 1"));
}

/* One in the emulator's group, one that took a session of its own; and an emulator that goes on when all is done. */
Test(emulate, leaves_no_process_behind, .timeout = 120)
{
    furnish("emulate-children",
            "setsid sh -c 'echo $$ >>pids; exec sleep 1000' &\nsh -c 'echo $$ >>pids; exec sleep 1000' &\n"
            "'" MACHINE "' --sd \"$2\" \"$1\"\necho $$ >>pids\nwhile [ $(wc -l <pids) -lt 3 ]; do :; done\n"
            "exec sleep 1000");
    emulate(0, "children", "--from corpus/seeds/alpha_test");
    expect("; 1 start\n");
    cr_expect(shell("test $(wc -l <pids) = 3 && for p in $(cat pids); do ! kill -0 $p 2>/dev/null || exit 1; done"));
}
