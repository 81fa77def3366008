/*
 * Room on the disk. Engines do not check that their writes arrive: libFuzzer leaves empty or cut files when a disk is
 * full or a file may not grow. So the campaign watches the room, looks for such files (their names say what they should
 * hold), and ends with an error.
 */
#include "harness/campaign/campaign_parts.h"

#include "harness/case/formats.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sha1.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
    SHA1_DIGITS = SHA1_DIGEST_STRING_LENGTH - 1,
    LEAST_MEMORY = 256,   /* MiB of a process */
    LEAST_MEBIBYTES = 32, /* engines write for a second before the next look */
    LEAST_FILES = 1024,
    SETTLE_SECONDS = 2, /* an empty file that old is not just being written */
    LOOK_SECONDS = 10   /* between two looks at all files of the corpus */
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
    return strlen(name) == SHA1_DIGITS && strspn(name, "0123456789abcdef") == SHA1_DIGITS;
}

/* Files that an engine could not write, and the name of one of them. */
struct damage {
    size_t count;
    char name[SHA1_DIGEST_STRING_LENGTH];
};

bool campaign_is_cut(const char *path, const char *digits)
{
    char hash[SHA1_DIGEST_STRING_LENGTH];
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (!is_engines(digits))
        return false;
    if (harness_file_read(path, &bytes, &size, NULL) != HARNESS_OK)
        return false; /* it may have gone */
    (void)SHA1Data(bytes, size, hash);
    free(bytes);
    return size == 0 || strcmp(hash, digits) != 0;
}

static bool is_file(int directory, const struct dirent *entry)
{
    struct stat file;
    return entry->d_name[0] != '.' &&
           (entry->d_type == DT_REG ||
            (entry->d_type == DT_UNKNOWN && fstatat(directory, entry->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
             S_ISREG(file.st_mode)));
}

uint64_t campaign_count_files(const char *path, uint64_t otherwise)
{
    uint64_t count = 0;
    DIR *const directory = opendir(path);
    if (directory == NULL)
        return otherwise;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += is_file(dirfd(directory), entry);
    (void)closedir(directory);
    return count;
}

void campaign_count_inputs(const struct campaign *campaign)
{
    uint64_t *const inputs = &campaign->summary->progress.inputs;
    *inputs = campaign_count_files(campaign->options->corpus, *inputs);
}

/* Files of the engine in the corpus that have not changed for so many seconds, but since the campaign began. */
static enum harness_status count_damage(const struct campaign *campaign, double seconds, struct damage *damage)
{
    DIR *const directory = opendir(campaign->options->corpus);
    damage->count = 0;
    if (directory == NULL)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", campaign->options->corpus, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        struct stat file;
        char path[HARNESS_CAMPAIGN_PATH_SIZE + 256];
        (void)snprintf(path, sizeof path, "%s/%s", campaign->options->corpus, entry->d_name);
        if (!is_engines(entry->d_name) || lstat(path, &file) != 0 || !S_ISREG(file.st_mode) ||
            file.st_mtime < campaign->looked || difftime(time(NULL), file.st_mtime) < seconds ||
            !campaign_is_cut(path, entry->d_name))
            continue;
        if (campaign->stopping && file.st_mtime >= campaign->stopped_at) {
            (void)unlink(path); /* the engine was writing it when it was stopped */
            continue;
        }
        if (damage->count++ == 0)
            (void)snprintf(damage->name, sizeof damage->name, "%s", entry->d_name);
    }
    (void)closedir(directory);
    return HARNESS_OK;
}

/* Empty and cut files, which nobody is writing, leave the corpus. */
static enum harness_status remove_damaged(const struct campaign *campaign, const char *corpus)
{
    DIR *const directory = opendir(corpus);
    if (directory == NULL)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", corpus, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        struct stat file;
        char path[HARNESS_CAMPAIGN_PATH_SIZE + 256];
        (void)snprintf(path, sizeof path, "%s/%s", corpus, entry->d_name);
        if (is_engines(entry->d_name) && lstat(path, &file) == 0 && S_ISREG(file.st_mode) &&
            campaign_is_cut(path, entry->d_name))
            (void)unlink(path);
    }
    (void)closedir(directory);
    return HARNESS_OK;
}

enum harness_status campaign_begin_files(struct campaign *campaign)
{
    enum harness_status status = check_disk(campaign->options->corpus, campaign->error);
    if (status == HARNESS_OK)
        status = check_disk(campaign->options->findings, campaign->error);
    campaign->looked = time(NULL);
    return status == HARNESS_OK ? remove_damaged(campaign, campaign->options->corpus) : status;
}

unsigned campaign_memory(const struct campaign *campaign)
{
    const unsigned all = campaign->options->memory_mib, each = all / campaign->options->jobs;
    if (all == 0)
        return HARNESS_INPUT_MEMORY;
    return each > LEAST_MEMORY ? each : (unsigned)LEAST_MEMORY;
}

enum harness_status campaign_flush_corpus(const struct campaign *campaign)
{
    const int directory = open(campaign->options->corpus, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum harness_status status = HARNESS_OK;
    if (directory < 0 || syncfs(directory) != 0)
        status = harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be written: %s", campaign->options->corpus,
                              strerror(errno));
    if (directory >= 0)
        (void)close(directory);
    return status;
}

enum harness_status campaign_check_files(struct campaign *campaign, bool ended)
{
    struct damage damage;
    const double now = harness_seconds_now();
    const time_t begun = time(NULL);
    enum harness_status status = check_disk(campaign->options->corpus, campaign->error);
    if (status == HARNESS_OK)
        status = check_disk(campaign->options->findings, campaign->error);
    if (status != HARNESS_OK || (!ended && now < campaign->next_look))
        return status;
    campaign->next_look = now + (double)LOOK_SECONDS;
    status = count_damage(campaign, ended ? 0.0 : (double)SETTLE_SECONDS, &damage);
    campaign_count_inputs(campaign);
    campaign->looked = begun - SETTLE_SECONDS; /* what was too new is looked at again */
    if (status != HARNESS_OK || damage.count == 0)
        return status;
    return harness_fail(campaign->error, HARNESS_HOST,
                        "%s: %zu file(s) there are empty or cut, %s for one: what was found could not be written (is "
                        "the disk full?)",
                        campaign->options->corpus, damage.count, damage.name);
}
