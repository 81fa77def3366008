/*
 * One corpus of several machines: a directory that all of them see, in the form of AFL++'s synchronisation.
 *
 *     SHARED/MACHINE/queue/id:000012,3f2a...   what MACHINE found, numbered, named by its contents
 *
 * A campaign writes below its own name and reads below all others, so no file has two writers; an afl-fuzz that has
 * SHARED as its output directory takes part as it is. Any bytes are a case, so a file that is not whole yet does no
 * harm. A directory that is away for a while (a network) is tried again.
 *
 *     SHARED/MACHINE/campaign                  whose it is: the number in that campaign's CAMPAIGN/identity
 *
 * Two campaigns may have been given one name. The first one there has it; the other writes and removes nothing. Where
 * nobody has it, a queue that is there was an earlier campaign's: its inputs join the corpus before the name is taken.
 */
#include "harness/campaign/campaign_parts.h"
#include "harness/campaign/set.h"
#include "harness/case/formats.h"
#include "harness/case/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    PERIOD = 30, /* seconds between two looks */
    HASH_DIGITS = 32,
    IDENTITY_SIZE = 33, /* 32 digits, and a newline in files */
    PATH_SIZE = 2048
};

struct campaign_sharing {
    struct campaign_set names;    /* files of the corpus and of other machines that were looked at */
    struct campaign_set contents; /* inputs that are in SHARED already */
    unsigned next;                /* number of the next one */
    bool begun;
    /* What an exchange that failed does not change. */
    double due;
    bool prune;                   /* the corpus was made smaller, and our queue not yet */
    char identity[IDENTITY_SIZE]; /* of this campaign; "": not known yet */
};

static uint64_t hash_name(const char *directory, const char *name)
{
    return XXH3_64bits_withSeed(name, strlen(name), XXH3_64bits(directory, strlen(directory)));
}

/* An input, or nothing: too large, no regular file, or gone meanwhile. */
static uint8_t *read_input(const char *path, size_t *size)
{
    struct stat file;
    uint8_t *bytes = NULL;
    if (lstat(path, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size > HARNESS_MAX_INPUT ||
        harness_file_read(path, &bytes, size, NULL) != HARNESS_OK)
        return NULL;
    if (*size != 0)
        return bytes;
    free(bytes);
    return NULL;
}

/* Looks at each new file of a directory: what is to be done with its input, if that is a new one. */
struct look {
    struct campaign *campaign;
    const char *directory;
    enum harness_status (*take)(struct campaign *campaign, const uint8_t *bytes, size_t size, const char *hash);
};

static enum harness_status look_at(const struct look *look, const char *name)
{
    struct campaign_sharing *const sharing = look->campaign->sharing;
    char path[PATH_SIZE], hash[40];
    bool is_new = false;
    if (!campaign_set_add(&sharing->names, hash_name(look->directory, name), &is_new))
        return harness_fail_memory(look->campaign->error);
    if (!is_new)
        return HARNESS_OK;
    (void)snprintf(path, sizeof path, "%.1600s/%.400s", look->directory, name);
    size_t size = 0;
    uint8_t *const bytes = read_input(path, &size);
    if (bytes == NULL)
        return HARNESS_OK;
    const XXH128_hash_t sum = XXH3_128bits(bytes, size);
    (void)snprintf(hash, sizeof hash, "%016llx%016llx", (unsigned long long)sum.high64, (unsigned long long)sum.low64);
    enum harness_status status = HARNESS_OK;
    if (!campaign_set_add(&sharing->contents, sum.low64, &is_new))
        status = harness_fail_memory(look->campaign->error);
    else if (is_new && look->take != NULL)
        status = look->take(look->campaign, bytes, size, hash);
    free(bytes);
    return status;
}

static enum harness_status look_into(const struct look *look, const char *stem)
{
    DIR *const opened = opendir(look->directory);
    if (opened == NULL && (errno == ENOENT || errno == ENOTDIR)) /* not a machine's: a file of notes, say */
        return HARNESS_OK;
    if (opened == NULL)
        return harness_fail(look->campaign->error, HARNESS_HOST, "%s: %s", look->directory, strerror(errno));
    enum harness_status status = HARNESS_OK;
    for (const struct dirent *entry; status == HARNESS_OK && (entry = readdir(opened)) != NULL;)
        if (entry->d_name[0] != '.' && strncmp(entry->d_name, stem, strlen(stem)) == 0)
            status = look_at(look, entry->d_name);
    (void)closedir(opened);
    return status;
}

/* Contents of all files of a directory. */
static enum harness_status hash_files(struct campaign *campaign, const char *directory, struct campaign_set *out)
{
    DIR *const opened = opendir(directory);
    enum harness_status status = HARNESS_OK;
    for (const struct dirent *entry; status == HARNESS_OK && opened != NULL && (entry = readdir(opened)) != NULL;) {
        char path[PATH_SIZE];
        bool is_new = false;
        size_t size = 0;
        (void)snprintf(path, sizeof path, "%.1600s/%.400s", directory, entry->d_name);
        uint8_t *const bytes = read_input(path, &size);
        if (bytes != NULL && !campaign_set_add(out, XXH3_128bits(bytes, size).low64, &is_new))
            status = harness_fail_memory(campaign->error);
        free(bytes);
    }
    if (opened != NULL)
        (void)closedir(opened);
    return status;
}

/* Of a machine in SHARED: its directory, or, with "/queue" as `end`, what is in that. */
static void place_of(const struct campaign *campaign, const char *machine, const char *end, char out[PATH_SIZE])
{
    (void)snprintf(out, PATH_SIZE, "%.1200s/%.250s%.100s", campaign->options->share, machine, end);
}

static void own_place(const struct campaign *campaign, const char *end, char out[PATH_SIZE])
{
    place_of(campaign, campaign->options->machine, end, out);
}

/* From the corpus to our queue. */
static enum harness_status publish(struct campaign *campaign, const uint8_t *bytes, size_t size, const char *hash)
{
    char queue[PATH_SIZE], path[PATH_SIZE];
    own_place(campaign, "/queue", queue);
    (void)snprintf(path, sizeof path, "%.1800s/id:%06u,%s", queue, campaign->sharing->next++, hash);
    return harness_file_write_lazily(path, bytes, size, campaign->error);
}

/* From another machine's queue to the corpus. */
static enum harness_status import(struct campaign *campaign, const uint8_t *bytes, size_t size, const char *hash)
{
    char path[PATH_SIZE], name[48];
    bool is_new = false;
    (void)snprintf(name, sizeof name, "%s.pcb", hash);
    (void)snprintf(path, sizeof path, "%s/%s", campaign->options->corpus, name);
    if (!campaign_set_add(&campaign->sharing->names, hash_name(campaign->options->corpus, name), &is_new))
        return harness_fail_memory(campaign->error);
    return harness_file_write_lazily(path, bytes, size, campaign->error);
}

static enum harness_status make(const char *path, struct harness_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST
               ? HARNESS_OK
               : harness_fail(error, HARNESS_HOST, "%s: cannot be made: %s", path, strerror(errno));
}

/* `out`: "" if the file holds no identity. */
static enum harness_status read_identity(const char *path, char out[IDENTITY_SIZE], struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    const enum harness_status status = harness_file_read(path, &bytes, &size, error);
    const bool is_one = status == HARNESS_OK && size == IDENTITY_SIZE && bytes[size - 1] == '\n' &&
                        strspn((const char *)bytes, "0123456789abcdef") == size - 1;
    (void)snprintf(out, IDENTITY_SIZE, "%s", is_one ? (const char *)bytes : "");
    free(bytes);
    return status;
}

static enum harness_status write_identity(const char *path, const char *identity, struct harness_error *error)
{
    char line[IDENTITY_SIZE + 1];
    (void)snprintf(line, sizeof line, "%s\n", identity);
    return harness_file_write(path, line, IDENTITY_SIZE, error);
}

/* This campaign's: made once and kept in its directory, so it is the same one in all its starts. A file that cannot be
 * read now (no descriptor is left, say) is not replaced, or the name there would be another campaign's for ever. */
static enum harness_status know_identity(struct campaign *campaign)
{
    char *const identity = campaign->sharing->identity;
    char path[PATH_SIZE];
    uint64_t random[2];
    if (identity[0] != '\0')
        return HARNESS_OK;
    (void)snprintf(path, sizeof path, "%s/identity", campaign->options->directory);
    if (access(path, F_OK) == 0 || errno != ENOENT) {
        const enum harness_status status = read_identity(path, identity, campaign->error);
        if (status != HARNESS_OK || identity[0] != '\0')
            return status;
    }
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return harness_fail(campaign->error, HARNESS_HOST, "no random number: %s", strerror(errno));
    char made[IDENTITY_SIZE];
    (void)snprintf(made, sizeof made, "%016llx%016llx", (unsigned long long)random[0], (unsigned long long)random[1]);
    const enum harness_status status = write_identity(path, made, campaign->error);
    if (status == HARNESS_OK)
        (void)snprintf(identity, IDENTITY_SIZE, "%s", made);
    return status;
}

/* The queue there is nobody's: what is in it is on this campaign's disk before its first prune() can remove it. */
static enum harness_status inherit(struct campaign *campaign)
{
    char queue[PATH_SIZE];
    own_place(campaign, "/queue", queue);
    const struct look look = { campaign, queue, import };
    const enum harness_status status = look_into(&look, "id:");
    return status == HARNESS_OK ? campaign_flush_corpus(campaign) : status;
}

/* `path` becomes this campaign's: it appears whole, and never in place of one that is there. `own` has a name that no
 * other campaign writes. */
static enum harness_status take_name(struct campaign *campaign, const char *path, const char *own)
{
    enum harness_status status = inherit(campaign);
    if (status == HARNESS_OK)
        status = write_identity(own, campaign->sharing->identity, campaign->error);
    if (status == HARNESS_OK && link(own, path) != 0 && errno != EEXIST)
        (void)rename(own, path);
    return status;
}

/* Its directory there is this campaign's, or becomes so if it is nobody's: HARNESS_HOST if it is another's. Where there
 * are no hard links, two that come at the same moment may both think so, until one of them looks again. */
static enum harness_status claim(struct campaign *campaign)
{
    char machine[PATH_SIZE], path[PATH_SIZE], own[PATH_SIZE], end[64], owner[IDENTITY_SIZE];
    own_place(campaign, "", machine);
    own_place(campaign, "/campaign", path);
    enum harness_status status = know_identity(campaign);
    if (status == HARNESS_OK)
        status = make(machine, campaign->error);
    if (status != HARNESS_OK)
        return status;
    (void)snprintf(end, sizeof end, "/campaign.%s", campaign->sharing->identity);
    own_place(campaign, end, own);
    if (access(path, F_OK) != 0 && errno == ENOENT)
        status = take_name(campaign, path, own);
    (void)unlink(own); /* also of a start that was killed here */
    if (status == HARNESS_OK)
        status = read_identity(path, owner, campaign->error);
    if (status == HARNESS_OK && strcmp(owner, campaign->sharing->identity) != 0)
        status =
            harness_fail(campaign->error, HARNESS_HOST,
                         "--share: %s is another campaign's: give --machine another name", campaign->options->machine);
    return status;
}

/* What an earlier start wrote there: its inputs are known, and numbers go on behind them. */
static enum harness_status begin(struct campaign *campaign)
{
    struct campaign_sharing *const sharing = campaign->sharing;
    char machine[PATH_SIZE], queue[PATH_SIZE];
    own_place(campaign, "", machine);
    own_place(campaign, "/queue", queue);
    const struct look look = { campaign, queue, NULL };
    enum harness_status status = make(queue, campaign->error);
    if (status == HARNESS_OK)
        (void)harness_temporary_clean(machine, HARNESS_TEMPORARY_FILE, HARNESS_WRITERS_HERE);
    if (status == HARNESS_OK)
        (void)harness_temporary_clean(queue, HARNESS_TEMPORARY_FILE, HARNESS_WRITERS_HERE);
    if (status == HARNESS_OK)
        status = look_into(&look, "id:");
    DIR *const opened = status == HARNESS_OK ? opendir(queue) : NULL;
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        const unsigned number =
            strncmp(entry->d_name, "id:", 3) == 0 ? (unsigned)strtoul(entry->d_name + 3, NULL, 10) + 1 : 0;
        sharing->next = number > sharing->next ? number : sharing->next;
    }
    if (opened != NULL)
        (void)closedir(opened);
    sharing->begun = status == HARNESS_OK;
    return status;
}

static enum harness_status import_all(struct campaign *campaign)
{
    DIR *const opened = opendir(campaign->options->share);
    if (opened == NULL)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", campaign->options->share, strerror(errno));
    enum harness_status status = HARNESS_OK;
    for (const struct dirent *entry; status == HARNESS_OK && (entry = readdir(opened)) != NULL;) {
        char queue[PATH_SIZE];
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, campaign->options->machine) == 0)
            continue;
        place_of(campaign, entry->d_name, "/queue", queue);
        const struct look look = { campaign, queue, import };
        status = look_into(&look, "id:");
    }
    (void)closedir(opened);
    return status;
}

/* What the corpus does not hold any more leaves our queue, too, or that would grow for weeks. */
static enum harness_status prune(struct campaign *campaign)
{
    char queue[PATH_SIZE];
    struct campaign_set kept = { NULL, 0, 0 };
    enum harness_status status = hash_files(campaign, campaign->options->corpus, &kept);
    own_place(campaign, "/queue", queue);
    DIR *const opened = status == HARNESS_OK ? opendir(queue) : NULL;
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        const char *const comma = strchr(entry->d_name, ',');
        if (strncmp(entry->d_name, "id:", 3) != 0 || comma == NULL || strlen(comma + 1) != HASH_DIGITS ||
            campaign_set_has(&kept, strtoull(comma + 1 + HASH_DIGITS / 2, NULL, 16)))
            continue;
        (void)unlinkat(dirfd(opened), entry->d_name, 0);
    }
    if (opened != NULL)
        (void)closedir(opened);
    campaign_set_free(&kept);
    campaign->sharing->prune = status != HARNESS_OK;
    return status;
}

/* What others have first: it need not be written twice. */
static enum harness_status exchange(struct campaign *campaign)
{
    const struct look look = { campaign, campaign->options->corpus, publish };
    enum harness_status status = claim(campaign);
    if (status == HARNESS_OK && !campaign->sharing->begun)
        status = begin(campaign);
    if (status == HARNESS_OK)
        status = import_all(campaign);
    if (status == HARNESS_OK)
        status = look_into(&look, "");
    return status == HARNESS_OK && campaign->sharing->prune ? prune(campaign) : status;
}

void campaign_share_less(struct campaign *campaign)
{
    if (campaign->sharing != NULL)
        campaign->sharing->prune = true;
}

/* Of what is there nothing is known any more: the next look reads everything again. */
static void forget(struct campaign_sharing *sharing)
{
    campaign_set_free(&sharing->names);
    campaign_set_free(&sharing->contents);
    sharing->next = 0;
    sharing->begun = false;
}

enum harness_status campaign_share(struct campaign *campaign, bool now)
{
    if (campaign->options->share == NULL)
        return HARNESS_OK;
    if (campaign->sharing == NULL)
        campaign->sharing = calloc(1, sizeof *campaign->sharing);
    if (campaign->sharing == NULL)
        return harness_fail_memory(campaign->error);
    if (!now && harness_seconds_now() < campaign->sharing->due)
        return HARNESS_OK;
    campaign->sharing->due = harness_seconds_now() + PERIOD;
    campaign->share_trouble[0] = '\0';
    if (exchange(campaign) == HARNESS_OK)
        return HARNESS_OK;
    forget(campaign->sharing); /* a network comes back; our own disk is watched elsewhere */
    (void)snprintf(campaign->share_trouble, sizeof campaign->share_trouble, "%.*s",
                   (int)sizeof campaign->share_trouble - 1, campaign->error->message);
    return HARNESS_OK;
}

void campaign_sharing_end(struct campaign *campaign)
{
    if (campaign->sharing == NULL)
        return;
    forget(campaign->sharing);
    free(campaign->sharing);
    campaign->sharing = NULL;
}
