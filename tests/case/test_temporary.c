/* Files of killed processes are removed, those of others stay. */
#include "harness/case/temporary.h"
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SOMEBODY = 65534 /* an unused user id */
};

static char place[] = "/tmp/test-temporary-XXXXXX";

static void make_file(int parent, const char *name)
{
    const int descriptor = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    cr_assert_geq(descriptor, 0);
    cr_assert_eq(close(descriptor), 0);
}

static int make_directory(int parent, const char *name)
{
    cr_assert_eq(mkdirat(parent, name, 0700), 0);
    const int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY);
    cr_assert_geq(descriptor, 0);
    return descriptor;
}

static bool is_there(int parent, const char *name)
{
    struct stat status;
    return fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static void age(int parent, const char *name)
{
    const struct timespec times[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
    cr_assert_eq(utimensat(parent, name, times, AT_SYMLINK_NOFOLLOW), 0);
}

/* "stem.tmp-PID-ENDING": nothing says where that process is. */
static void name_of(char out[64], pid_t owner, const char *end)
{
    (void)snprintf(out, 64, "stem.tmp-%ld-%s", (long)owner, end);
}

static int open_place(void)
{
    cr_assert_not_null(mkdtemp(place));
    const int opened = open(place, O_RDONLY | O_DIRECTORY);
    cr_assert_geq(opened, 0);
    return opened;
}

Test(temporary, a_directory_goes_with_what_is_in_it_but_not_with_what_links_lead_to)
{
    char directory[64], link[64];
    const pid_t owner = ended_process();
    cr_assert_gt(owner, 0);
    const int opened = open_place();
    name_of(directory, owner, "direct");
    name_of(link, owner, "symbol");
    const int kept = make_directory(opened, "kept");
    make_file(kept, "file");
    const int outer = make_directory(opened, directory);
    const int inner = make_directory(outer, "inner");
    make_file(outer, "file");
    make_file(inner, "file");
    cr_assert_eq(symlinkat("../../kept", inner, "link"), 0);
    cr_assert_eq(symlinkat("kept", opened, link), 0);
    age(opened, directory);
    age(opened, link);
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_ANYWHERE), 2);
    cr_expect_not(is_there(opened, directory));
    cr_expect_not(is_there(opened, link));
    cr_expect(is_there(kept, "file"));
    cr_expect_eq(unlinkat(kept, "file", 0), 0);
    cr_expect_eq(unlinkat(opened, "kept", AT_REMOVEDIR), 0);
    cr_expect_eq(rmdir(place), 0, "nothing else is left");
}

/* No process is older than this boot, whatever number it has: after a start they are given out anew. What is younger
 * may be written to by one that is not seen from here. */
Test(temporary, what_was_not_written_to_since_the_machine_started_goes_at_once)
{
    char before[64], reused[64], since[64];
    struct timespec up;
    const pid_t owner = ended_process();
    cr_assert_gt(owner, 0);
    cr_assert_eq(clock_gettime(CLOCK_BOOTTIME, &up), 0);
    const int opened = open_place();
    name_of(before, owner, "before");
    name_of(reused, getpid(), "reused");
    name_of(since, owner, "since0");
    const time_t changed = time(NULL) - up.tv_sec - 10;
    const struct timespec times[2] = { { changed, 0 }, { changed, 0 } };
    make_file(opened, before);
    make_file(opened, reused);
    make_file(opened, since);
    cr_assert_eq(utimensat(opened, before, times, 0), 0);
    cr_assert_eq(utimensat(opened, reused, times, 0), 0);
    const bool days = up.tv_sec >= (time_t)HARNESS_TEMPORARY_SECONDS;
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_ANYWHERE), days, "of another host, perhaps");
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_HERE), days ? 1 : 2);
    cr_expect_not(is_there(opened, before));
    cr_expect_not(is_there(opened, reused));
    cr_expect(is_there(opened, since));
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_NONE), 1, "there is nobody to wait for");
    cr_expect_eq(rmdir(place), 0);
}

/* A container's only process is number 1 there, and so is the next container's. */
Test(temporary, an_old_file_from_elsewhere_goes_whoever_has_its_number_here)
{
    char old[64], young[64];
    const int opened = open_place();
    name_of(old, getpid(), "0123456789abcdef-remote");
    name_of(young, getpid(), "0123456789abcdef-modern");
    make_file(opened, old);
    make_file(opened, young);
    age(opened, old);
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_ANYWHERE), 1);
    cr_expect_not(is_there(opened, old));
    cr_expect(is_there(opened, young));
    cr_expect_eq(unlinkat(opened, young, 0), 0);
    cr_expect_eq(rmdir(place), 0);
}

/* As a process names its file that then ends. */
static void name_of_ended(char out[128])
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        struct harness_text name = { 0 };
        harness_temporary_name(&name, "stem");
        _exit(write(ends[1], harness_text_string(&name), strlen(harness_text_string(&name))) > 0 ? 0 : 1);
    }
    cr_assert_eq(close(ends[1]), 0);
    const ssize_t length = read(ends[0], out, 127);
    cr_assert_gt(length, 0);
    out[length] = '\0';
    cr_assert_eq(waitpid(child, NULL, 0), child);
    cr_assert_eq(close(ends[0]), 0);
}

static void own_name(char out[128])
{
    struct harness_text name = { 0 };
    harness_temporary_name(&name, "stem");
    (void)snprintf(out, 128, "%s", harness_text_string(&name));
    harness_text_free(&name);
}

/* Another digit in PLACE, whose first half is the machine and whose second half its boot and PID namespace. */
static void change_place(char *name, size_t digit)
{
    char *const digits = strchr(strstr(name, ".tmp-") + strlen(".tmp-"), '-') + 1;
    digits[digit] = digits[digit] == '0' ? '1' : '0';
}

/* Nobody has to wait for a process that is seen to have ended; one that is not seen may live. */
Test(temporary, what_an_ended_process_of_this_boot_left_goes_however_young_it_is)
{
    char gone[128], living[128], machine[128], boot[128];
    name_of_ended(gone);
    own_name(living);
    name_of_ended(machine);
    change_place(machine, 0);
    name_of_ended(boot);
    change_place(boot, 8);
    const int opened = open_place();
    make_file(opened, gone);
    make_file(opened, living);
    make_file(opened, machine);
    make_file(opened, boot);
    age(opened, living);
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_ANYWHERE), 1);
    cr_expect_not(is_there(opened, gone), "%s", gone);
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_HERE), 0);
    cr_expect(is_there(opened, living), "it is its process's, however old it is");
    cr_expect(is_there(opened, machine), "another machine's processes are not seen from here");
    cr_expect(is_there(opened, boot), "nor are those of another container");
    age(opened, machine);
    age(opened, boot);
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_ANYWHERE), 2, "after a day they go");
    cr_expect_eq(unlinkat(opened, living, 0), 0);
    cr_expect_eq(rmdir(place), 0);
}

/* An earlier boot is over, but only this machine's. */
Test(temporary, what_another_machine_left_waits_though_it_is_older_than_this_boot)
{
    char machine[128], boot[128];
    struct timespec up;
    cr_assert_eq(clock_gettime(CLOCK_BOOTTIME, &up), 0);
    name_of_ended(machine);
    change_place(machine, 0);
    name_of_ended(boot);
    change_place(boot, 8);
    const int opened = open_place();
    const time_t changed = time(NULL) - up.tv_sec - 10;
    const struct timespec times[2] = { { changed, 0 }, { changed, 0 } };
    make_file(opened, machine);
    make_file(opened, boot);
    cr_assert_eq(utimensat(opened, machine, times, 0), 0);
    cr_assert_eq(utimensat(opened, boot, times, 0), 0);
    const bool days = up.tv_sec >= (time_t)HARNESS_TEMPORARY_SECONDS;
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_HERE), days ? 2 : 1);
    cr_expect_not(is_there(opened, boot));
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_NONE), days ? 0 : 1);
    cr_expect_eq(rmdir(place), 0);
}

/* Only root may give files away. */
Test(temporary, what_is_another_users_stays)
{
    char file[64], directory[64], ours[64];
    if (geteuid() != 0)
        cr_skip_test("needs root");
    const pid_t owner = ended_process();
    cr_assert_gt(owner, 0);
    const int opened = open_place();
    name_of(file, owner, "file01");
    name_of(directory, owner, "direct");
    name_of(ours, owner, "our-in");
    make_file(opened, file);
    make_file(make_directory(opened, directory), "file");
    const int outer = make_directory(opened, ours);
    const int inner = make_directory(outer, "inner");
    make_file(inner, "file");
    cr_assert_eq(fchownat(opened, file, SOMEBODY, SOMEBODY, 0), 0);
    cr_assert_eq(fchownat(opened, directory, SOMEBODY, SOMEBODY, 0), 0);
    cr_assert_eq(fchown(inner, SOMEBODY, SOMEBODY), 0);
    age(opened, file);
    age(opened, directory);
    age(opened, ours);
    cr_expect_eq(harness_temporary_clean(place, "stem", HARNESS_WRITERS_ANYWHERE), 0);
    cr_expect(is_there(opened, file));
    cr_expect(is_there(opened, directory));
    cr_expect(is_there(inner, "file"), "a directory of another user's is not entered");
    char line[128];
    (void)snprintf(line, sizeof line, "rm -r '%s'", place);
    cr_expect_eq(system(line), 0);
}
