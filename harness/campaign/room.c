/*
 * Room on the disk. Engines do not check that their writes arrive: libFuzzer leaves empty or cut files when a disk is
 * full or a file may not grow. So the campaign watches the room, looks for such files (their names say what they should
 * hold), and ends with an error.
 */
#include "harness/campaign/campaign_parts.h"

#include "harness/campaign/set.h"
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
#include <xxhash.h>

enum {
    SHA1_DIGITS = SHA1_DIGEST_STRING_LENGTH - 1,
    MEASURE_SECONDS = 5,  /* between two looks at how much it all is, ... */
    MEASURE_TIMES = 50,   /* ... or so many times as long as one takes: 2 % of a core at most */
    MOST_TIMES = 2,       /* of --disk, before the engines rest */
    MOST_DEPTH = 16,      /* of directories: afl-fuzz has four */
    LEAST_MEMORY = 256,   /* MiB of a process */
    LEAST_MEBIBYTES = 32, /* engines write for a second before the next look */
    LEAST_FILES = 1024,
    FLUSH_SECONDS = 5,
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

bool campaign_is_named_by_contents(const char *name)
{
    return is_engines(name) || (strspn(name, "0123456789abcdef") == 32 && strcmp(name + 32, ".pcb") == 0);
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
        if ((campaign->stopping || campaign->rest != CAMPAIGN_RUNS) && file.st_mtime >= campaign->stopped_at) {
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

/* The instance's, unless an earlier one has the same. */
static bool is_new_corpus(const struct campaign *campaign, unsigned index, char *out, size_t size)
{
    char other[HARNESS_CAMPAIGN_PATH_SIZE];
    campaign_path_of(campaign, &campaign->instances[index], CAMPAIGN_CORPUS, out, size);
    for (unsigned i = 0; i < index; i++) {
        campaign_path_of(campaign, &campaign->instances[i], CAMPAIGN_CORPUS, other, sizeof other);
        if (strcmp(out, other) == 0)
            return false;
    }
    return true;
}

/* In the common corpus, older damage is a sign of a full disk, and is found again; beside it nobody looks for that. */
void campaign_drop_unfinished(const struct campaign *campaign)
{
    struct damage damage;
    char corpus[HARNESS_CAMPAIGN_PATH_SIZE];
    (void)count_damage(campaign, 0.0, &damage);
    for (unsigned i = 0; i < campaign->count; i++)
        if (is_new_corpus(campaign, i, corpus, sizeof corpus) && strcmp(corpus, campaign->options->corpus) != 0)
            (void)remove_damaged(campaign, corpus);
}

enum harness_status campaign_begin_files(struct campaign *campaign)
{
    char corpus[HARNESS_CAMPAIGN_PATH_SIZE];
    enum harness_status status = check_disk(campaign->options->corpus, campaign->error);
    if (status == HARNESS_OK)
        status = check_disk(campaign->options->findings, campaign->error);
    campaign->looked = time(NULL);
    for (unsigned i = 0; i < campaign->count && status == HARNESS_OK; i++) {
        if (!is_new_corpus(campaign, i, corpus, sizeof corpus))
            continue;
        status = remove_damaged(campaign, corpus);
        campaign_keep_restore(corpus); /* now that no empty file has the name */
    }
    return status;
}

unsigned campaign_memory(const struct campaign *campaign)
{
    const unsigned all = campaign->options->memory_mib, each = all / campaign->options->jobs;
    if (all == 0)
        return HARNESS_INPUT_MEMORY;
    return each > LEAST_MEMORY ? each : (unsigned)LEAST_MEMORY;
}

static void flush(const struct campaign *campaign)
{
    const char *const directories[] = { campaign->options->corpus, campaign->options->findings };
    char corpus[HARNESS_CAMPAIGN_PATH_SIZE];
    const time_t begun = time(NULL);
    for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++) {
        const int directory = open(directories[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (directory < 0)
            continue;
        (void)syncfs(directory); /* what it could not write, campaign_check_files finds */
        (void)close(directory);
    }
    for (unsigned i = 0; i < campaign->count; i++)
        if (is_new_corpus(campaign, i, corpus, sizeof corpus))
            campaign_keep(corpus, begun);
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

void campaign_flush_due(struct campaign *campaign)
{
    if (campaign->options->instances == NULL || harness_seconds_now() < campaign->next_flush)
        return;
    flush(campaign);
    campaign->next_flush = harness_seconds_now() + FLUSH_SECONDS;
}

void campaign_flush_last(const struct campaign *campaign)
{
    char corpus[HARNESS_CAMPAIGN_PATH_SIZE];
    if (campaign->options->instances == NULL)
        return;
    flush(campaign);
    for (unsigned i = 0; i < campaign->count; i++)
        if (is_new_corpus(campaign, i, corpus, sizeof corpus))
            campaign_keep_end(corpus);
}

/* Device and number of a file that has several names. */
static uint64_t identity_of(const struct stat *file)
{
    const uint64_t numbers[] = { (uint64_t)file->st_dev, (uint64_t)file->st_ino };
    return XXH3_64bits(numbers, sizeof numbers);
}

/* Files with several names: which are counted already. */
struct counted {
    int corpus;              /* its directory; -1: none */
    struct campaign_set set; /* what it does not have: 16 to 32 bytes each */
};

/* afl-fuzz calls its link to a seed "id:000002,...,orig:SEED", and is given one called SEED. Is that in the corpus,
 * too? */
static bool is_in_corpus(int corpus, const char *name, const struct stat *file)
{
    static const char mark[] = ",orig:";
    const char *const link = strstr(name, mark);
    struct stat seed;
    return fstatat(corpus, link != NULL ? link + strlen(mark) : name, &seed, AT_SYMLINK_NOFOLLOW) == 0 &&
           seed.st_dev == file->st_dev && seed.st_ino == file->st_ino;
}

static bool is_counted(const char *name, const struct stat *file, struct counted *counted)
{
    bool is_new = true;
    if (file->st_nlink == 1)
        return false;
    if (is_in_corpus(counted->corpus, name, file))
        return true;
    return campaign_set_add(&counted->set, identity_of(file), &is_new) && !is_new; /* no memory: rather twice */
}

/* Bytes on the disk, of the files in and below an open directory, which is closed. Those in it have one name there.
 * One entry after the other: fts(3) holds all those of a directory at once, which is megabytes for a corpus. */
static uint64_t size_in(int descriptor, unsigned depth, struct counted *counted)
{
    uint64_t size = 0;
    struct stat file;
    DIR *const directory = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (directory == NULL && descriptor >= 0)
        (void)close(descriptor);
    for (const struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        const char *const name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            fstatat(descriptor, name, &file, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(file.st_mode) && (depth == 0 || !is_counted(name, &file, counted)))
            size += (uint64_t)file.st_blocks * 512;
        else if (S_ISDIR(file.st_mode) && depth < MOST_DEPTH)
            size +=
                size_in(openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), depth + 1, counted);
    }
    if (directory != NULL)
        (void)closedir(directory);
    return size;
}

static uint64_t size_below(const char *path, struct counted *counted)
{
    return size_in(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0, counted);
}

uint64_t campaign_size_below(const char *path)
{
    struct counted counted = { .corpus = -1 };
    const uint64_t size = size_below(path, &counted);
    campaign_set_free(&counted.set);
    return size;
}

/* With those that lie beside it: CORPUS-afl, CORPUS-INSTANCE. afl-fuzz takes its seeds by hard links, so each of its
 * directories has all of the corpus, which takes no room. What a merge takes while it is at work goes by itself;
 * counted, it would stop the engines that it runs beside. Memory, until the end of it, is for what merges removed that
 * an afl-fuzz still has. */
static uint64_t size_of_all(const struct campaign *campaign)
{
    const char *const corpus = campaign->options->corpus;
    struct counted counted = { .corpus = open(corpus, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
    char path[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    (void)snprintf(path, sizeof path, "%s-afl", corpus);
    uint64_t size =
        size_below(corpus, &counted) + size_below(campaign->options->findings, &counted) + size_below(path, &counted);
    for (unsigned i = 0; i < campaign->count; i++) {
        if (campaign->instances[i].inputs != HARNESS_INPUTS_BYTES)
            continue;
        campaign_path_of(campaign, &campaign->instances[i], CAMPAIGN_CORPUS, path, sizeof path);
        size += size_below(path, &counted);
    }
    campaign_set_free(&counted.set);
    if (counted.corpus >= 0)
        (void)close(counted.corpus);
    return size;
}

static void go_to_rest(struct campaign *campaign, uint64_t size)
{
    campaign_note_stop(campaign);
    campaign->rest = CAMPAIGN_GOES_TO_REST;
    (void)snprintf(campaign->rest_trouble, sizeof campaign->rest_trouble,
                   "corpus and findings take %llu MiB of %u (--disk): the engines wait for a merge",
                   (unsigned long long)(size >> 20), campaign->options->disk_mib);
}

/* First the corpora are made smaller, beside the engines. If that is not enough, or the engines are quicker, they rest
 * meanwhile. If that is not enough, either, it is over. */
static enum harness_status check_size(struct campaign *campaign)
{
    const uint64_t most = (uint64_t)campaign->options->disk_mib << 20;
    const double begun = harness_seconds_now();
    if (most == 0 || campaign->stopping || begun < campaign->next_measure || campaign->rest == CAMPAIGN_GOES_TO_REST)
        return HARNESS_OK;
    const bool rests = campaign->rest == CAMPAIGN_RESTS;
    if (rests && campaign_merge_soon(campaign)) /* all of them, also where one would be enough */
        return HARNESS_OK;
    const uint64_t size = size_of_all(campaign);
    const double now = harness_seconds_now(), pause = (now - begun) * MEASURE_TIMES;
    campaign->next_measure = now + (pause > MEASURE_SECONDS ? pause : (double)MEASURE_SECONDS);
    if (size <= most) {
        campaign->rest = CAMPAIGN_RUNS;
        campaign->rest_trouble[0] = '\0';
        campaign_merge_enough(campaign);
        return HARNESS_OK;
    }
    if (!rests && campaign_merge_soon(campaign) && size <= MOST_TIMES * most)
        return HARNESS_OK;
    if (!rests) {
        go_to_rest(campaign, size);
        return HARNESS_OK;
    }
    return harness_fail(campaign->error, HARNESS_HOST,
                        "%s: corpus and findings take %llu MiB; they may take %u (--disk)", campaign->options->corpus,
                        (unsigned long long)(size >> 20), campaign->options->disk_mib);
}

enum harness_status campaign_check_files(struct campaign *campaign, bool ended)
{
    struct damage damage;
    const double now = harness_seconds_now();
    const time_t begun = time(NULL);
    enum harness_status status = check_disk(campaign->options->corpus, campaign->error);
    if (status == HARNESS_OK)
        status = check_disk(campaign->options->findings, campaign->error);
    if (status == HARNESS_OK && !ended)
        status = check_size(campaign);
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
