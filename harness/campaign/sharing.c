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
    struct campaign_set had;      /* inputs of the corpus before the first exchange; empty after it */
    unsigned next;                /* number of the next one */
    bool begun;
    /* What an exchange that failed does not change. */
    struct stat owner; /* the file `campaign` that was there last */
    bool was_mounted;  /* SHARED was a disk of its own at the last exchange that worked */
    double due;
    bool prune;                   /* the corpus was made smaller, and our queue not yet */
    char identity[IDENTITY_SIZE]; /* of this campaign; "": not known yet */
};

struct input {
    uint8_t *bytes; /* NULL: there is none */
    size_t size;
    bool later; /* but there may be one the next time */
    uint64_t sum;
    char hash[HASH_DIGITS + 1];
};

static uint64_t hash_name(const char *directory, const char *name)
{
    return XXH3_64bits_withSeed(name, strlen(name), XXH3_64bits(directory, strlen(directory)));
}

/* None is what is too large, no regular file, gone meanwhile, or empty: somebody is about to write it. HARNESS_HOST if
 * one is there and cannot be read. */
static enum harness_status read_input(const char *path, struct input *out, struct harness_error *error)
{
    struct stat file;
    *out = (struct input){ .bytes = NULL, .later = true };
    if (lstat(path, &file) != 0)
        return errno == ENOENT ? HARNESS_OK : harness_fail(error, HARNESS_HOST, "%s: %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode) || file.st_size > HARNESS_MAX_INPUT) {
        out->later = false;
        return HARNESS_OK;
    }
    const enum harness_status status = harness_file_read(path, &out->bytes, &out->size, error);
    if (status != HARNESS_OK) /* or it has gone just now */
        return access(path, F_OK) != 0 && errno == ENOENT ? HARNESS_OK : status;
    if (out->size == 0) {
        free(out->bytes);
        out->bytes = NULL;
        return HARNESS_OK;
    }
    const XXH128_hash_t sum = XXH3_128bits(out->bytes, out->size);
    out->sum = sum.low64;
    (void)snprintf(out->hash, sizeof out->hash, "%016llx%016llx", (unsigned long long)sum.high64,
                   (unsigned long long)sum.low64);
    return HARNESS_OK;
}

/* For each entry of a directory that is not hidden, until it fails. A directory that can be read in part only is an
 * error; so is one that is not there, unless `is_optional`. */
static enum harness_status visit(const char *directory, bool is_optional,
                                 enum harness_status (*take)(void *user, const char *name), void *user,
                                 struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    DIR *const opened = opendir(directory);
    if (opened == NULL && is_optional && (errno == ENOENT || errno == ENOTDIR))
        return HARNESS_OK;
    if (opened == NULL)
        return harness_fail(error, HARNESS_HOST, "%s: %s", directory, strerror(errno));
    while (status == HARNESS_OK) {
        errno = 0;
        const struct dirent *const entry = readdir(opened);
        if (entry == NULL && errno != 0)
            status = harness_fail(error, HARNESS_HOST, "%s: %s", directory, strerror(errno));
        if (entry == NULL)
            break;
        if (entry->d_name[0] != '.')
            status = take(user, entry->d_name);
    }
    (void)closedir(opened);
    return status;
}

/* Looks at each new file of a directory: what is to be done with its input, if that is a new one. */
struct look {
    struct campaign *campaign;
    const char *directory, *stem; /* of names that count */
    enum harness_status (*take)(struct campaign *campaign, const struct input *input);
    bool all; /* one that cannot be read is an error; else the next look tries again */
};

static enum harness_status look_at(void *user, const char *name)
{
    const struct look *const look = user;
    struct campaign_sharing *const sharing = look->campaign->sharing;
    struct input input;
    char path[PATH_SIZE];
    bool is_new = false;
    const uint64_t hashed = hash_name(look->directory, name);
    if (strncmp(name, look->stem, strlen(look->stem)) != 0 || campaign_set_has(&sharing->names, hashed))
        return HARNESS_OK;
    (void)snprintf(path, sizeof path, "%.1600s/%.400s", look->directory, name);
    const enum harness_status read = read_input(path, &input, look->campaign->error);
    if (read != HARNESS_OK)
        return look->all ? read : HARNESS_OK;
    if (input.bytes == NULL && input.later)
        return HARNESS_OK;
    if (!campaign_set_add(&sharing->names, hashed, &is_new) ||
        (input.bytes != NULL && !campaign_set_add(&sharing->contents, input.sum, &is_new))) {
        free(input.bytes);
        return harness_fail_memory(look->campaign->error);
    }
    enum harness_status status = HARNESS_OK;
    if (input.bytes != NULL && is_new && look->take != NULL)
        status = look->take(look->campaign, &input);
    free(input.bytes);
    return status;
}

/* A machine's queue; there is none in a directory of notes, say. */
static enum harness_status look_into_queue(struct look *look)
{
    return visit(look->directory, true, look_at, look, look->campaign->error);
}

struct hashing {
    struct campaign *campaign;
    struct campaign_set *out;
    bool all; /* one that cannot be read is an error */
};

static enum harness_status hash_file(void *user, const char *name)
{
    const struct hashing *const hashing = user;
    struct input input;
    char path[PATH_SIZE];
    bool is_new = false;
    (void)snprintf(path, sizeof path, "%.1600s/%.400s", hashing->campaign->options->corpus, name);
    const enum harness_status read = read_input(path, &input, hashing->campaign->error);
    enum harness_status status = hashing->all ? read : HARNESS_OK;
    if (input.bytes != NULL && !campaign_set_add(hashing->out, input.sum, &is_new))
        status = harness_fail_memory(hashing->campaign->error);
    free(input.bytes);
    return status;
}

static enum harness_status hash_corpus(struct campaign *campaign, struct campaign_set *out, bool all)
{
    struct hashing hashing = { campaign, out, all };
    return visit(campaign->options->corpus, false, hash_file, &hashing, campaign->error);
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
static enum harness_status publish(struct campaign *campaign, const struct input *input)
{
    char queue[PATH_SIZE], path[PATH_SIZE];
    own_place(campaign, "/queue", queue);
    (void)snprintf(path, sizeof path, "%.1800s/id:%06u,%s", queue, campaign->sharing->next++, input->hash);
    return harness_file_write_lazily(path, input->bytes, input->size, campaign->error);
}

/* From another machine's queue to the corpus, unless that has it, by whatever name. */
static enum harness_status import(struct campaign *campaign, const struct input *input)
{
    char path[PATH_SIZE], name[48];
    bool is_new = false;
    if (campaign_set_has(&campaign->sharing->had, input->sum))
        return HARNESS_OK;
    (void)snprintf(name, sizeof name, "%s.pcb", input->hash);
    (void)snprintf(path, sizeof path, "%s/%s", campaign->options->corpus, name);
    if (!campaign_set_add(&campaign->sharing->names, hash_name(campaign->options->corpus, name), &is_new))
        return harness_fail_memory(campaign->error);
    return harness_file_write_lazily(path, input->bytes, input->size, campaign->error);
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

/* Nothing is known of what is there: the next look reads everything. */
static void forget(struct campaign_sharing *sharing)
{
    campaign_set_free(&sharing->names);
    campaign_set_free(&sharing->contents);
    campaign_set_free(&sharing->had);
    sharing->next = 0;
    sharing->begun = false;
}

/* Our place there: "", "/queue", "/campaign", and "/campaign.NUMBER" before it becomes that. */
struct place {
    char machine[PATH_SIZE], queue[PATH_SIZE], owner[PATH_SIZE], making[PATH_SIZE];
};

static void find_place(const struct campaign *campaign, struct place *place)
{
    char end[64];
    own_place(campaign, "", place->machine);
    own_place(campaign, "/queue", place->queue);
    own_place(campaign, "/campaign", place->owner);
    (void)snprintf(end, sizeof end, "/campaign.%s", campaign->sharing->identity);
    own_place(campaign, end, place->making);
}

/* HARNESS_HOST if it is another campaign's. Where there are no hard links, two that come at the same moment may both
 * think that it is theirs, until one of them looks again. If it is not the one that was there before (a directory was
 * mounted over it, say), nothing is known of it. */
static enum harness_status check_owner(struct campaign *campaign, const struct place *place)
{
    struct campaign_sharing *const sharing = campaign->sharing;
    char owner[IDENTITY_SIZE];
    struct stat file;
    if (stat(place->owner, &file) != 0)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", place->owner, strerror(errno));
    if (sharing->begun && (file.st_dev != sharing->owner.st_dev || file.st_mtime != sharing->owner.st_mtime))
        forget(sharing); /* not by its number, which some network file systems make up */
    sharing->owner = file;
    enum harness_status status = read_identity(place->owner, owner, campaign->error);
    if (status == HARNESS_OK && strcmp(owner, campaign->sharing->identity) != 0)
        status =
            harness_fail(campaign->error, HARNESS_HOST,
                         "--share: %s is another campaign's: give --machine another name", campaign->options->machine);
    return status;
}

static enum harness_status inherit(struct campaign *campaign, const struct place *place)
{
    struct look look = { campaign, place->queue, "id:", import, true };
    const enum harness_status status = look_into_queue(&look);
    return status == HARNESS_OK ? campaign_flush_corpus(campaign) : status;
}

/* The file appears whole, and never in place of one that is there; but where there are no hard links, it may. */
static enum harness_status put_owner(struct campaign *campaign, const struct place *place)
{
    const enum harness_status status = write_identity(place->making, campaign->sharing->identity, campaign->error);
    if (status != HARNESS_OK || link(place->making, place->owner) == 0 || errno == EEXIST)
        return status;
    const bool has_links = errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK;
    if (has_links || rename(place->making, place->owner) != 0)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be made: %s", place->owner, strerror(errno));
    return inherit(campaign, place); /* what a campaign whose file this replaced has written since */
}

/* It is nobody's and becomes this campaign's. What is in the queue is on this campaign's disk before: prune() removes
 * there what the corpus does not have. */
static enum harness_status take_place(struct campaign *campaign, const struct place *place)
{
    enum harness_status status = inherit(campaign, place);
    if (status == HARNESS_OK)
        status = put_owner(campaign, place);
    return status == HARNESS_OK ? check_owner(campaign, place) : status;
}

static enum harness_status take_number(void *user, const char *name)
{
    struct campaign_sharing *const sharing = user;
    const unsigned number = strncmp(name, "id:", 3) == 0 ? (unsigned)strtoul(name + 3, NULL, 10) + 1 : 0;
    sharing->next = number > sharing->next ? number : sharing->next;
    return HARNESS_OK;
}

/* What an earlier start wrote there: its inputs are known, and numbers go on behind them. */
static enum harness_status begin(struct campaign *campaign, const struct place *place)
{
    struct look look = { campaign, place->queue, "id:", NULL, false };
    enum harness_status status = make(place->queue, campaign->error);
    if (status != HARNESS_OK)
        return status;
    (void)harness_temporary_clean(place->machine, HARNESS_TEMPORARY_FILE, HARNESS_WRITERS_HERE);
    (void)harness_temporary_clean(place->queue, HARNESS_TEMPORARY_FILE, HARNESS_WRITERS_HERE);
    status = look_into_queue(&look);
    if (status == HARNESS_OK)
        status = visit(place->queue, false, take_number, campaign->sharing, campaign->error);
    campaign->sharing->begun = status == HARNESS_OK;
    return status;
}

/* Is SHARED a disk of its own? False if that cannot be seen. */
static bool is_mounted(const char *shared)
{
    char parent[PATH_SIZE];
    struct stat file, above;
    (void)snprintf(parent, sizeof parent, "%.1500s/..", shared);
    return stat(shared, &file) == 0 && stat(parent, &above) == 0 && file.st_dev != above.st_dev;
}

/* Whose it is, and what is in it, if that is not known. */
static enum harness_status enter(struct campaign *campaign)
{
    struct campaign_sharing *const sharing = campaign->sharing;
    struct place place;
    enum harness_status status = know_identity(campaign);
    find_place(campaign, &place);
    if (status == HARNESS_OK && sharing->was_mounted && !is_mounted(campaign->options->share))
        status = harness_fail(campaign->error, HARNESS_HOST, "--share: %s is not mounted any more",
                              campaign->options->share);
    const bool is_free = access(place.owner, F_OK) != 0 && errno == ENOENT;
    if (status == HARNESS_OK)
        status = make(place.machine, campaign->error);
    if (status != HARNESS_OK)
        return status;
    if (is_free)
        forget(sharing);
    else
        status = check_owner(campaign, &place);
    if (status == HARNESS_OK && !sharing->begun)
        status = hash_corpus(campaign, &sharing->had, false);
    if (status == HARNESS_OK && is_free)
        status = take_place(campaign, &place);
    (void)unlink(place.making); /* also of a start that was killed here */
    return status == HARNESS_OK && !sharing->begun ? begin(campaign, &place) : status;
}

/* A queue that cannot be entered keeps nobody from the others. */
static enum harness_status import_from(void *user, const char *machine)
{
    struct campaign *const campaign = user;
    char queue[PATH_SIZE];
    struct look look = { campaign, queue, "id:", import, false };
    if (strcmp(machine, campaign->options->machine) == 0 || strcmp(machine, "lost+found") == 0)
        return HARNESS_OK;
    place_of(campaign, machine, "/queue", queue);
    if (access(queue, R_OK | X_OK) == 0 || errno == ENOENT || errno == ENOTDIR)
        return look_into_queue(&look);
    (void)snprintf(campaign->share_trouble, sizeof campaign->share_trouble, "--share: nothing comes from %.100s: %s",
                   machine, strerror(errno));
    return HARNESS_OK;
}

/* What others have first: it need not be written twice. */
static enum harness_status exchange(struct campaign *campaign)
{
    struct look look = { campaign, campaign->options->corpus, "", publish, false };
    enum harness_status status = enter(campaign);
    if (status == HARNESS_OK)
        status = visit(campaign->options->share, false, import_from, campaign, campaign->error);
    if (status == HARNESS_OK)
        status = visit(look.directory, false, look_at, &look, campaign->error);
    campaign_set_free(&campaign->sharing->had);
    if (status == HARNESS_OK)
        campaign->sharing->was_mounted = is_mounted(campaign->options->share);
    return status;
}

struct pruning {
    struct campaign *campaign;
    const char *queue;
    struct campaign_set kept;
};

static enum harness_status prune_entry(void *user, const char *name)
{
    const struct pruning *const pruning = user;
    char path[PATH_SIZE];
    const char *const comma = strchr(name, ',');
    if (strncmp(name, "id:", 3) != 0 || comma == NULL || strlen(comma + 1) != HASH_DIGITS ||
        campaign_set_has(&pruning->kept, strtoull(comma + 1 + HASH_DIGITS / 2, NULL, 16)))
        return HARNESS_OK;
    (void)snprintf(path, sizeof path, "%.1600s/%.400s", pruning->queue, name);
    return unlink(path) == 0 || errno == ENOENT
               ? HARNESS_OK
               : harness_fail(pruning->campaign->error, HARNESS_HOST, "%s: %s", path, strerror(errno));
}

/* What the corpus does not hold any more leaves our queue, too, or that would grow for weeks. */
static enum harness_status prune(struct campaign *campaign)
{
    char queue[PATH_SIZE];
    struct pruning pruning = { campaign, queue, { NULL, 0, 0 } };
    own_place(campaign, "/queue", queue);
    enum harness_status status = hash_corpus(campaign, &pruning.kept, true);
    if (status == HARNESS_OK)
        status = visit(queue, false, prune_entry, &pruning, campaign->error);
    campaign_set_free(&pruning.kept);
    campaign->sharing->prune = status != HARNESS_OK;
    return status;
}

void campaign_share_less(struct campaign *campaign)
{
    if (campaign->sharing != NULL)
        campaign->sharing->prune = true;
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
    const char *undone = "";
    enum harness_status status = exchange(campaign);
    if (status != HARNESS_OK) {
        forget(campaign->sharing); /* a network comes back; our own disk is watched elsewhere */
    } else if (campaign->sharing->prune) {
        undone = "--share: nothing leaves the queue: ";
        status = prune(campaign);
    }
    if (status != HARNESS_OK)
        (void)snprintf(campaign->share_trouble, sizeof campaign->share_trouble, "%s%.*s", undone,
                       (int)(sizeof campaign->share_trouble - 1 - strlen(undone)), campaign->error->message);
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
