/* Reading whole files: what has another size than it seems, what is no file, what is too large. */
#include "harness/case/formats.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/picafuzz-test-file-XXXXXX";
static uint8_t *bytes;
static size_t size;
static struct harness_error error;

static int make_file(void)
{
    const int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    return descriptor;
}

static void end(void)
{
    free(bytes);
    (void)unlink(path);
}

static void fill(uint8_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (uint8_t)(i * 7u + i / 251u + 1u);
}

static void expect_refused(enum harness_status status, const char *name, const char *words)
{
    error.message[0] = '\0';
    cr_expect_eq(harness_file_read(name, &bytes, &size, &error), status, "%s", name);
    cr_expect_null(bytes);
    cr_expect_eq(size, 0);
    cr_expect_eq(strncmp(error.message, name, strlen(name)), 0, "%s", error.message);
    cr_expect_not_null(strstr(error.message, words), "%s", error.message);
}

Test(file, a_file_of_any_size_is_read_whole_and_a_0_byte_follows, .fini = end)
{
    static const size_t sizes[] = { 0, 1, 4094, 4095, 4096, 4097, 65535, 65536, 100000 };
    static uint8_t wanted[100000];
    const int descriptor = make_file();
    fill(wanted, sizeof wanted);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        cr_assert_eq(ftruncate(descriptor, 0), 0);
        cr_assert_eq(pwrite(descriptor, wanted, sizes[i], 0), (ssize_t)sizes[i]);
        cr_assert_eq(harness_file_read(path, &bytes, &size, &error), HARNESS_OK, "%s", error.message);
        cr_expect_eq(size, sizes[i]);
        cr_expect_eq(memcmp(bytes, wanted, size), 0, "%zu bytes", sizes[i]);
        cr_expect_eq(bytes[size], 0);
        free(bytes);
        bytes = NULL;
    }
    (void)close(descriptor);
}

Test(file, what_does_not_tell_its_size_is_read_to_its_end, .fini = end)
{
    static uint8_t wanted[60000]; /* a pipe takes them without a reader */
    char name[64];
    int ends[2];
    fill(wanted, sizeof wanted);
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], wanted, sizeof wanted), (ssize_t)sizeof wanted);
    (void)close(ends[1]);
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", ends[0]);
    cr_assert_eq(harness_file_read(name, &bytes, &size, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(size, sizeof wanted);
    cr_expect_eq(memcmp(bytes, wanted, size), 0);
    cr_expect_eq(bytes[size], 0);
    (void)close(ends[0]);
}

Test(file, a_fifo_that_nobody_writes_is_empty, .fini = end, .timeout = 20)
{
    (void)close(make_file());
    (void)unlink(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    cr_assert_eq(harness_file_read(path, &bytes, &size, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(size, 0);
}

Test(file, what_is_no_file_is_refused_by_name)
{
    expect_refused(HARNESS_HOST, "/tmp", "cannot be read: ");
    expect_refused(HARNESS_BAD_INPUT, "/tmp/picafuzz/is/not/there", "cannot be opened: ");
}

Test(file, a_file_beyond_the_limit_is_refused_before_it_is_read, .fini = end)
{
    const int descriptor = make_file();
    cr_assert_eq(ftruncate(descriptor, (off_t)HARNESS_MAX_FILE + 1), 0);
    expect_refused(HARNESS_TOO_LARGE, path, "expected at most 268435456 bytes");
    (void)close(descriptor);
}

Test(file, what_never_ends_is_refused_at_the_limit, .timeout = 120)
{
    expect_refused(HARNESS_TOO_LARGE, "/dev/zero", "expected at most 268435456 bytes");
}

/* ---------------------------------------------------------------------------------------------------------- writing */

/* As root, an output /dev/null would become a file for everybody. */
Test(file, what_is_no_file_is_written_in_place, .fini = end)
{
    struct stat status;
    char read_back[8] = "";
    (void)close(make_file());
    (void)unlink(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    const int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    cr_expect_eq(harness_file_write(path, "abc", 3, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(read(reader, read_back, sizeof read_back), 3);
    cr_expect_str_eq(read_back, "abc");
    cr_expect(stat(path, &status) == 0 && S_ISFIFO(status.st_mode));
    cr_expect(harness_file_is_special("/dev/null") && !harness_file_is_special("/no/such/file"));
    (void)close(reader);
    cr_expect_eq(harness_file_write(path, "abc", 3, &error), HARNESS_OK, "nobody reads: %s", error.message);
    cr_expect(stat(path, &status) == 0 && S_ISREG(status.st_mode));
}

Test(file, a_link_stays_a_link, .fini = end)
{
    struct stat status;
    char link[sizeof path + 5];
    (void)close(make_file());
    (void)snprintf(link, sizeof link, "%s-link", path);
    cr_assert_eq(symlink(path, link), 0);
    cr_expect_eq(harness_file_write(link, "abc", 3, &error), HARNESS_OK, "%s", error.message);
    cr_expect(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
    (void)unlink(link);
    cr_assert_eq(harness_file_read(path, &bytes, &size, &error), HARNESS_OK, "%s", error.message);
    cr_expect(size == 3 && memcmp(bytes, "abc", 3) == 0);
}
