/*
 * Room on the disk. Engines do not check that their writes arrive: libFuzzer leaves files of 0 bytes when a disk
 * is full or a file may not grow. So the campaign watches the room, looks for such files, and ends with an error.
 */
#include "harness/campaign/campaign_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
    LEAST_MEBIBYTES = 32, /* engines write for a second before the next look */
    LEAST_FILES = 1024,
    SETTLE_SECONDS = 2, /* an empty file that old is not just being written */
    LOOK_SECONDS = 10,  /* between two looks at all files of the corpus */
    NAME_LENGTH = 40
};

static enum harness_status check_disk(const char *directory, struct harness_error *error)
{
    struct statvfs disk;
    if (statvfs(directory, &disk) != 0)
        return harness_fail(error, HARNESS_HOST, "%s: %s", directory, strerror(errno));
    const uint64_t mebibytes = (uint64_t)disk.f_bavail * disk.f_frsize >> 20;
    if (mebibytes < LEAST_MEBIBYTES)
        return harness_fail(error, HARNESS_HOST, "%s: the disk has room for %llu MiB only; a campaign needs %d",
                            directory, (unsigned long long)mebibytes, LEAST_MEBIBYTES);
    if (disk.f_files != 0 && disk.f_favail < LEAST_FILES) /* 0: such a disk does not count them */
        return harness_fail(error, HARNESS_HOST, "%s: the disk has room for %llu files only; a campaign needs %d",
                            directory, (unsigned long long)disk.f_favail, LEAST_FILES);
    return HARNESS_OK;
}

/* As libFuzzer names what it finds: SHA-1 of the contents. Other files in the corpus belong to the user. */
static bool is_engines(const char *name)
{
    return strlen(name) == NAME_LENGTH && strspn(name, "0123456789abcdef") == NAME_LENGTH;
}

/* Empty files of the engine in the corpus that have not changed for so many seconds; `clean`: removes them. */
static enum harness_status count_empty(const struct campaign *campaign, double seconds, bool clean, size_t *empty)
{
    DIR *const directory = opendir(campaign->options->corpus);
    *empty = 0;
    if (directory == NULL)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", campaign->options->corpus, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        struct stat file;
        if (!is_engines(entry->d_name) || fstatat(dirfd(directory), entry->d_name, &file, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(file.st_mode) || file.st_size != 0 || difftime(time(NULL), file.st_mtime) < seconds)
            continue;
        ++*empty;
        if (clean)
            (void)unlinkat(dirfd(directory), entry->d_name, 0);
    }
    (void)closedir(directory);
    return HARNESS_OK;
}

enum harness_status campaign_begin_files(struct campaign *campaign)
{
    size_t empty = 0;
    enum harness_status status = check_disk(campaign->options->corpus, campaign->error);
    if (status == HARNESS_OK)
        status = check_disk(campaign->options->findings, campaign->error);
    return status == HARNESS_OK ? count_empty(campaign, 0.0, true, &empty) : status;
}

enum harness_status campaign_check_files(struct campaign *campaign, bool ended)
{
    size_t empty = 0;
    const double now = harness_seconds_now();
    enum harness_status status = check_disk(campaign->options->corpus, campaign->error);
    if (status == HARNESS_OK)
        status = check_disk(campaign->options->findings, campaign->error);
    if (status != HARNESS_OK || (!ended && now < campaign->next_look))
        return status;
    campaign->next_look = now + LOOK_SECONDS;
    status = count_empty(campaign, ended ? 0.0 : SETTLE_SECONDS, false, &empty);
    if (status != HARNESS_OK || empty == 0)
        return status;
    return harness_fail(campaign->error, HARNESS_HOST,
                        "%s: %zu file(s) there are empty: what was found could not be written (is the disk full?)",
                        campaign->options->corpus, empty);
}
