/* `picafuzz fuzz --campaign --share`: one corpus of several machines. */
#include "tests/cli/lasting.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* What one finds comes to the other, by nothing but a directory, under names that afl-fuzz reads. */
Test(lasting_share, machines_share_a_directory_and_nothing_else)
{
    char path[2048];
    begin("lasting-share");
    shell("mkdir '%s/shared' && mkdir -p '%s/night/corpus' && printf one >'%s/night/corpus/a.pcb'", directory);
    (void)snprintf(path, sizeof path, "--seconds 1 --instances pair --machine one --share '%s/shared'", directory);
    campaign("", path);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("cat '%s'/shared/one/queue/id:000000,*", directory);
    cr_expect_str_eq(result.output, "one");

    shell("mv '%s/night' '%s/other' && mkdir -p '%s/night/corpus'", directory);
    (void)snprintf(path, sizeof path, "--seconds 1 --instances pair --machine two --share '%s/shared'", directory);
    shell("mkdir -p '%s/shared/three/queue' && mkfifo '%s/shared/three/queue/id:000001' && printf two "
          ">'%s/night/corpus/b.pcb'",
          directory);
    campaign("timeout 20", path);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("cat '%s'/night/corpus/*", directory);
    cr_expect_not_null(strstr(result.output, "one"), "%s", result.output);
    shell("cat '%s'/shared/two/queue/id:*", directory);
    cr_expect_str_eq(result.output, "two", "it gives what it found itself, and no more: %s", result.output);
}

/* Two hosts of one name, say. The second has a merge, after which it takes out of its queue what it does not have. */
Test(lasting_share, a_machine_has_its_name_alone_and_keeps_it)
{
    char share[2048];
    begin("lasting-share-twice");
    shell("cd '%s' && mkdir -p shared night/corpus && printf one >night/corpus/a.pcb", directory);
    (void)snprintf(share, sizeof share, "--machine one --share '%s/shared' --instances pair --seconds", directory);
    char line[4096], start[8192];
    (void)snprintf(line, sizeof line, "%s 1", share);
    campaign("", line);
    cr_expect_null(strstr(result.output, "--share"), "%s", result.output);

    shell("cd '%s' && mv night first", directory);
    add_inputs("corpus", 2, 1000000);
    (void)snprintf(line, sizeof line, "%s 5 --disk 1", share);
    campaign("", line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "--share: one is another campaign's: give --machine another name"), "%s",
                       result.output);
    read_file("turns");
    cr_expect_eq(count_lines("merged"), 1, "%s", result.output);
    shell("cat '%s'/shared/one/queue/*", directory);
    cr_expect_str_eq(result.output, "one", "%.99s", result.output);

    shell("cd '%s' && rm -r night && mv first night && printf two >night/corpus/b.pcb && rm turns", directory);
    (void)snprintf(
        start, sizeof start,
        "cd '%s' && { TURNS=turns '%s/bin/picafuzz' fuzz --campaign night --builds builds %s 60 >said 2>&1 & } "
        "&& for k in $(seq 100); do [ -e shared/one/queue/id:000001,* ] && break; sleep 0.1; done; kill -9 "
        "$!; printf three >night/corpus/c.pcb",
        directory, PICAFUZZ_BINARY_DIR, share);
    run_command(&result, start);
    (void)snprintf(line, sizeof line, "%s 1", share);
    campaign("", line);
    cr_expect_null(strstr(result.output, "--share"), "it does not know itself: %s", result.output);
    shell("cat '%s'/shared/one/queue/*; ls '%s/shared/one'", directory);
    cr_expect_str_eq(result.output, "onetwothreecampaign\nqueue\n", "%s", result.output);
}

/* A campaign that was removed and begun anew, say, and somebody gave it the name. */
Test(lasting_share, who_takes_a_name_over_has_what_is_there)
{
    char share[2048];
    begin("lasting-share-over");
    shell("cd '%s' && mkdir -p shared night/corpus && printf one >night/corpus/a.pcb && printf two >night/corpus/b.pcb",
          directory);
    (void)snprintf(share, sizeof share, "--machine one --share '%s/shared' --instances pair --seconds 1", directory);
    campaign("", share);
    shell("cd '%s' && rm -r night shared/one/campaign && ls shared/one/queue | wc -l", directory);
    cr_expect_str_eq(result.output, "2\n", "%s", result.output);
    campaign("PICAFUZZ_SYNCFS_FAILS=1 LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so'", share);
    shell("ls '%s/shared/one'", directory);
    cr_expect_str_eq(result.output, "queue\n", "it is nobody's until all is on the disk: %s", result.output);
    shell("rm -r '%s/night'", directory);
    campaign("PICAFUZZ_UNREADABLE=queue/id:000001 LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so'", share);
    cr_expect_not_null(strstr(result.output, "/one/queue/id:000001"), "%s", result.output);
    shell("ls '%s/shared/one'", directory);
    cr_expect_str_eq(result.output, "queue\n", "or until all was read: %s", result.output);
    campaign("", share);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    shell("cd '%s' && cat night/corpus/* | fold -w 3 | sort | tr '\\n' ' '; ls shared/one/queue | wc -l; ls shared/one",
          directory);
    cr_expect_str_eq(result.output, "one two 2\ncampaign\nqueue\n", "%s", result.output);
    shell("cd '%s' && cd night/corpus && for file in *; do mv $file my-$file; done; rm ../../shared/one/campaign",
          directory);
    campaign("", share);
    shell("cd '%s' && ls night/corpus | wc -l; ls shared/one", directory);
    cr_expect_str_eq(result.output, "2\ncampaign\nqueue\n", "it had them: %s", result.output);
}

/* Starts a campaign that shares `shared`, does `meanwhile`, ends it, and does `after`; in the directory, by its shell.
 * There `await COMMAND` waits until that succeeds. */
static void share_meanwhile(const char *environment, const char *options, const char *meanwhile, const char *after)
{
    char line[8192];
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && await() { for k in $(seq 500); do eval \"$1\" >/dev/null 2>&1 && return; sleep 0.1; done; "
        "} && { TURNS=turns %s LD_PRELOAD='%s/lib/count_fsync.so' '%s/bin/picafuzz' fuzz --campaign night "
        "--builds builds --seconds 1000 --share shared --instances pair %s >said 2>&1 & } && %s; kill -INT $!; "
        "wait $!; %s",
        directory, environment, PICAFUZZ_BINARY_DIR, PICAFUZZ_BINARY_DIR, options, meanwhile, after);
    run_command(&result, line);
}

/* Time passes as the file `clock` grows, a second for each byte. */
#define QUICK "PICAFUZZ_CLOCK=\"$PWD/clock\""

/* Nine inputs that a queue takes, and a file of the user's, are more than --disk 1; a merge leaves one of the nine. */
static void add_more_than_a_mebibyte(void)
{
    add_inputs("corpus", 9, 60000);
    shell("cd '%s' && mkdir shared && head -c 600000 /dev/zero >night/corpus/large", directory);
}

/* What the corpus has cannot be said then. */
Test(lasting_share, nothing_leaves_a_queue_while_the_corpus_cannot_be_read)
{
    begin("lasting-share-blind");
    add_more_than_a_mebibyte();
    shell("head -c 61000 /dev/zero >'%s/night/corpus/mine.pcb'", directory);
    share_meanwhile("PICAFUZZ_UNREADABLE=/mine.pcb", "--machine one --disk 1",
                    "await '[ $(ls night/corpus | wc -l) = 3 ]'",
                    "ls night/corpus | wc -l; ls shared/one/queue | wc -l; grep -c 'nothing leaves the queue: "
                    ".*mine.pcb' said");
    cr_expect_str_eq(result.output, "3\n9\n1\n", "%s", result.output);
}

/* An exchange that fails meanwhile, half a minute after the first one, does not change that. */
Test(lasting_share, what_leaves_the_corpus_leaves_the_queue_with_the_next_exchange_that_works)
{
    begin("lasting-share-later");
    add_more_than_a_mebibyte();
    share_meanwhile(
        QUICK, "--machine one --disk 1",
        "await 'ls shared/one/queue/id:000008*'; mv shared away; ls away/one/queue | wc -l; await '[ $(ls "
        "night/corpus | wc -l) = 2 ]'; head -c 40 /dev/zero >>clock; await \"grep '^shared' said\"; grep -c "
        "'^shared' said; mv away shared",
        "ls shared/one/queue | wc -l");
    cr_expect_str_eq(result.output, "9\n1\n1\n", "%s", result.output);
}

/* Who is not known for a moment is not somebody else from then on. */
Test(lasting_share, an_identity_that_cannot_be_read_stays)
{
    char share[2048];
    begin("lasting-share-unread");
    shell("cd '%s' && mkdir -p shared night/corpus && printf one >night/corpus/a.pcb", directory);
    (void)snprintf(share, sizeof share, "--machine one --share '%s/shared' --instances pair --seconds 1", directory);
    campaign("", share);
    shell("cd '%s/night' && mv identity kept && ln -s identity identity", directory);
    campaign("", share);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "night/identity: "), "%s", result.output);
    shell("cd '%s/night' && readlink identity && mv kept identity", directory);
    cr_expect_str_eq(result.output, "identity\n", "%s", result.output);
    campaign("", share);
    cr_expect_null(strstr(result.output, "--share"), "%s", result.output);
    shell("cd '%s' && printf garbage >night/identity && rm shared/one/campaign", directory);
    campaign("", share);
    cr_expect_null(strstr(result.output, "--share"), "what is no number is replaced: %s", result.output);
    shell("cmp '%s/night/identity' '%s/shared/one/campaign' && wc -c <'%s/night/identity'", directory);
    cr_expect_str_eq(result.output, "33\n", "%s", result.output);
}

/* What it found meanwhile went there; and comes here. */
Test(lasting_share, a_share_that_is_another_for_a_while_misses_nothing)
{
    begin("lasting-share-other");
    shell("cd '%s' && mkdir -p real other night/corpus && ln -s real shared && printf one >night/corpus/a.pcb",
          directory);
    share_meanwhile(QUICK, "--machine one",
                    "await 'ls real/one/queue/id:*'; ln -sfn other shared; await 'ls other/one/queue/id:*'; printf two "
                    ">night/corpus/b.pcb; await 'ls other/one/queue/id:000001*'; cat other/one/queue/*; echo; ln -sfn "
                    "real shared",
                    "cat real/one/queue/*");
    cr_expect_str_eq(result.output, "onetwo\nonetwo", "%s", result.output);
}

/* /dev/shm is a mount point; then the link leads to a directory that is none. */
Test(lasting_share, nothing_is_written_where_a_share_was_mounted)
{
    begin("lasting-share-unmounted");
    run_command(&result, "[ -w /dev/shm ] && [ $(stat -c %d /dev/shm) != $(stat -c %d /dev) ]");
    if (result.exit_code != 0)
        cr_skip("/dev/shm is no mount point");
    shell("cd '%s' && mkdir -p under night/corpus && ln -s /dev/shm shared && printf one >night/corpus/a.pcb",
          directory);
    share_meanwhile(QUICK, "--machine picafuzz-test-$$",
                    "there=/dev/shm/picafuzz-test-$$; await 'ls $there/queue/id:*'; ln -sfn under shared; await 'grep "
                    "\"not mounted\" said'; ls -A under; printf two >night/corpus/b.pcb; ln -sfn /dev/shm shared",
                    "cat $there/queue/*; rm -r $there; grep -c 'shared is not mounted any more' said");
    cr_expect_str_eq(result.output, "onetwo1\n", "%s", result.output);
}

/* Both of the corpus, and of a machine. */
Test(lasting_share, an_input_that_is_being_written_is_looked_at_again)
{
    begin("lasting-share-empty");
    shell("cd '%s' && mkdir -p shared/two/queue night/corpus && : >shared/two/queue/id:000000,x && : "
          ">night/corpus/b.pcb && printf one >night/corpus/a.pcb",
          directory);
    share_meanwhile("", "--machine one",
                    "await 'ls shared/one/queue/id:*'; printf two >shared/two/queue/id:000000,x; printf thr "
                    ">night/corpus/b.pcb",
                    "cat night/corpus/* | fold -w 3 | sort | tr '\\n' ' '; cat shared/one/queue/*");
    cr_expect_str_eq(result.output, "one thr two onethr", "%s", result.output);
}

/* It is somebody's who does not take part. */
Test(lasting_share, a_machine_that_may_not_be_read_keeps_nobody_from_the_others)
{
    char options[2048];
    begin("lasting-share-forbidden");
    shell("cd '%s' && mkdir -p shared/two/queue shared/three/queue night/corpus && printf one >night/corpus/a.pcb && "
          "printf two >shared/two/queue/id:000000 && printf thr >shared/three/queue/id:000000",
          directory);
    (void)snprintf(options, sizeof options, "--machine one --share '%s/shared' --instances pair --seconds 1",
                   directory);
    campaign("PICAFUZZ_UNREADABLE=/two/queue LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so'", options);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "--share: nothing comes from two: Permission denied"), "%s",
                       result.output);
    shell("cat '%s'/night/corpus/*.pcb | fold -w 3 | sort | tr '\\n' ' '; cat '%s'/shared/one/queue/*", directory);
    cr_expect_str_eq(result.output, "one thr one", "%s", result.output);
}

Test(lasting_share, of_two_that_take_a_name_at_once_one_has_it)
{
    char line[8192];
    begin("lasting-share-race");
    (void)snprintf(
        line, sizeof line,
        "cd '%s' && mkdir shared && for k in 1 2 3; do { TURNS=turns$k PICAFUZZ_LATE=campaign "
        "LD_PRELOAD='%s/lib/count_fsync.so' '%s/bin/picafuzz' fuzz --campaign night$k --builds builds --seconds 2 "
        "--machine one --share shared --instances pair >said$k 2>&1 & }; done; wait; ls turns?; grep -l -e '--share: "
        "one is another' said? | wc -l; ls shared/one",
        directory, PICAFUZZ_BINARY_DIR, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_str_eq(result.output, "turns1\nturns2\nturns3\n2\ncampaign\nqueue\n", "%s", result.output);
}

/* Somebody keeps notes beside the machines' directories. */
Test(lasting_share, what_is_no_machine_among_them_does_no_harm)
{
    char path[2048];
    begin("lasting-notes");
    shell("mkdir -p '%s/shared/other/queue' && echo note >'%s/shared/0README' && ln -s nowhere '%s/shared/1link'",
          directory);
    shell("mkdir '%s/shared/2notes' && echo note >'%s/shared/2notes/queue'", directory);
    shell("printf two >'%s/shared/other/queue/id:000000'", directory);
    (void)snprintf(path, sizeof path, "--seconds 1 --instances pair --machine one --share '%s/shared'", directory);
    campaign("", path);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_null(strstr(result.output, "shared"), "it complains: %s", result.output);
    shell("cat '%s'/night/corpus/*", directory);
    cr_expect_str_eq(result.output, "two");
}

Test(lasting_share, a_share_that_is_away_is_no_error)
{
    begin("lasting-away");
    campaign("", "--seconds 4 --instances pair --share /nowhere/at/all");
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    const char *const told = strstr(result.output, "/nowhere/at/all");
    cr_assert_not_null(told, "%s", result.output);
    cr_expect_null(strstr(told + 1, "/nowhere/at/all"), "each second: %s", result.output);
}
