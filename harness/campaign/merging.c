/*
 * Each corpus is made smaller now and then: libFuzzer says which inputs together reach all that the corpus reaches
 * (-set_cover_merge=1), and the engines' other files go. One at a time is merged, beside the engines and with the
 * lowest priority; what they find meanwhile stays. Until it has ended well nothing goes, so it may be killed at any
 * time.
 *
 * An engine has in memory which input reaches what, and removes one whose every part others reach: also one that the
 * merge keeps, for the sake of one that it leaves out. So the engines end before anything goes, and start again with
 * what is left of their turns; all of them, which is simple, and costs each that it reads its corpus once more. What
 * was kept and is not in the corpus any more comes back first.
 */
#include "harness/campaign/campaign_parts.h"
#include "harness/campaign/set.h"
#include "harness/case/formats.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sha1.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LEAST_INPUTS = 4000, /* a smaller corpus is read in seconds, whatever is in it */
    GROWN_PERCENT = 150, /* of what the last merge left, for the next one */
    AGAIN_SECONDS = 600, /* between two; also after one that failed */
    MOST_SECONDS = 7200
};

/* libFuzzer's, and what is merged, in CORPUS-merged. */
static const char NOTES[] = ".notes", INPUTS[] = ".inputs";

/* Of the corpus of an instance by whose target it is merged. */
struct merged {
    double next;   /* when it may begin */
    uint64_t left; /* inputs, by the last one */
    bool wanted;   /* for lack of room */
};

struct campaign_merging {
    struct harness_child child;
    struct harness_child_time begun;
    int said;       /* a file in memory, if a merge runs or waits */
    bool waits;     /* it has ended well, and its result is to be taken */
    unsigned index; /* of the instance whose corpus it is */
    struct merged corpora[CAMPAIGN_MAX_JOBS];
    bool hurries; /* there is no room: each is merged once, however small it is */
};

static void corpus_of(const struct campaign *campaign, unsigned index, char *out, size_t size)
{
    campaign_path_of(campaign, &campaign->instances[index], CAMPAIGN_CORPUS, out, size);
}

/* CORPUS-merged, where libFuzzer puts copies of what stays. */
static void merged_directory(const struct campaign *campaign, unsigned index, char *out, size_t size)
{
    char corpus[HARNESS_CAMPAIGN_PATH_SIZE];
    corpus_of(campaign, index, corpus, sizeof corpus);
    size_t length = strlen(corpus);
    while (length > 1 && corpus[length - 1] == '/')
        length--;
    (void)snprintf(out, size, "%.*s-merged", (int)length, corpus);
}

/* The quickest target there is, by libFuzzer; others of its kind have the same edges. */
static const struct harness_campaign_instance *merger_of(const struct campaign *campaign)
{
    const struct harness_campaign_instance *found = NULL;
    for (unsigned i = 0; i < campaign->count; i++) {
        const struct harness_campaign_instance *const instance = &campaign->instances[i];
        if (instance->engine == HARNESS_ENGINE_LIBFUZZER && instance->inputs == HARNESS_INPUTS_PAIR &&
            (found == NULL || (found->sanitized && !instance->sanitized)))
            found = instance;
    }
    return found;
}

/* Does its target merge a corpus? Those of inputs that are no cases are merged by the only one that reads them. */
static bool is_merger(const struct campaign *campaign, unsigned index)
{
    const struct harness_campaign_instance *const instance = &campaign->instances[index];
    if (campaign->options->instances == NULL || campaign->options->executions != 0)
        return false;
    if (instance->inputs == HARNESS_INPUTS_BYTES)
        return instance->engine == HARNESS_ENGINE_LIBFUZZER;
    return instance == merger_of(campaign);
}

/* CORPUS-merged. */
static void remove_merged(const char *path)
{
    const int directory = campaign_open_directory(AT_FDCWD, path);
    if (directory < 0)
        return;
    campaign_remove_files(directory, INPUTS);
    (void)close(directory);
    campaign_remove_files(AT_FDCWD, path);
}

static int run_merge(void *user)
{
    const struct campaign *const campaign = user;
    const unsigned index = campaign->merging->index;
    const struct harness_campaign_instance *const merger = &campaign->instances[index];
    char corpus[HARNESS_CAMPAIGN_PATH_SIZE], merged[HARNESS_CAMPAIGN_PATH_SIZE];
    char prefix[HARNESS_CAMPAIGN_PATH_SIZE + 32], length[32], timeout[32], memory[32];
    char notes[HARNESS_CAMPAIGN_PATH_SIZE + 32]; /* else in /tmp, where nobody would remove them */
    char inputs[HARNESS_CAMPAIGN_PATH_SIZE + 32];
    corpus_of(campaign, index, corpus, sizeof corpus);
    merged_directory(campaign, index, merged, sizeof merged);
    (void)snprintf(notes, sizeof notes, "-merge_control_file=%s/%s", merged, NOTES);
    (void)snprintf(prefix, sizeof prefix, "-artifact_prefix=%s/merge-", merged);
    (void)snprintf(length, sizeof length, "-max_len=%d", HARNESS_MAX_INPUT);
    (void)snprintf(timeout, sizeof timeout, "-timeout=%d", HARNESS_INPUT_TIMEOUT);
    (void)snprintf(memory, sizeof memory, "-rss_limit_mb=%u", campaign_memory(campaign));
    (void)snprintf(inputs, sizeof inputs, "%s/%s", merged, INPUTS);
    /* libFuzzer's merge begins anew at each input that has left its directory, and comes to nothing if that was one to
     * keep. */
    const bool is_linked = campaign_link_inputs(corpus, inputs);
    campaign_tell_alone(campaign, merger);
    (void)execl(merger->target, merger->target, "-set_cover_merge=1", "-close_fd_mask=3", length, timeout, memory,
                prefix, notes, "-detect_leaks=0", merged, is_linked ? inputs : corpus, (char *)NULL);
    return HARNESS_CHILD_NOT_RUN;
}

static void kill_group(int number)
{
    (void)number;
    (void)kill(0, SIGKILL);
}

/* libFuzzer runs each attempt in a process of a shell, which does not end with it. Whoever is in the group goes when
 * the campaign does. */
static int watch_merge(void *user)
{
    static const struct harness_child_setup same = { .group = false };
    struct harness_child child;
    (void)signal(SIGTERM, kill_group);
    (void)setpriority(PRIO_PROCESS, 0, 19);
    if (!harness_child_start(&child, &same, run_merge, user))
        return HARNESS_CHILD_NOT_RUN;
    const struct harness_child_end end = harness_child_wait(&child);
    return end.how == HARNESS_CHILD_EXITED ? end.number : HARNESS_CHILD_NOT_RUN;
}

static enum harness_status start(struct campaign *campaign, struct campaign_merging *merging, unsigned index)
{
    struct harness_child_setup setup = { .group = true, .silent = true, .death_signal = SIGTERM };
    char merged[HARNESS_CAMPAIGN_PATH_SIZE];
    merging->index = index;
    merged_directory(campaign, index, merged, sizeof merged);
    remove_merged(merged); /* of one that was killed */
    if (mkdir(merged, 0777) != 0)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be made: %s", merged, strerror(errno));
    merging->said = memfd_create("picafuzz merge", MFD_CLOEXEC);
    if (merging->said < 0)
        return harness_fail(campaign->error, HARNESS_HOST, "no memory for what a merge says: %s", strerror(errno));
    setup.said = merging->said;
    if (!harness_child_start(&merging->child, &setup, watch_merge, campaign)) {
        (void)close(merging->said);
        return harness_fail(campaign->error, HARNESS_HOST, "fork: %s", strerror(errno));
    }
    merging->begun = harness_child_begin(&merging->child);
    return HARNESS_OK;
}

/* How many inputs it says it has kept, or 0. Its last line but for what it says of the end: "MERGE-OUTER: 12 new files
 * with 345 new features added; ...". */
static uint64_t count_said(int said)
{
    char text[4096];
    struct stat file;
    if (fstat(said, &file) != 0)
        return 0;
    const off_t most = (off_t)sizeof text - 1, from = file.st_size > most ? file.st_size - most : 0;
    const ssize_t length = pread(said, text, sizeof text - 1, from);
    text[length > 0 ? length : 0] = '\0';
    const char *number = strstr(text, " new files with ");
    while (number != NULL && number > text && number[-1] >= '0' && number[-1] <= '9')
        number--;
    return number != NULL ? strtoull(number, NULL, 10) : 0;
}

/* What a merge has found out, and what follows from it for the corpus. The last three: of names of files. */
struct result {
    char corpus[HARNESS_CAMPAIGN_PATH_SIZE], merged[HARNESS_CAMPAIGN_PATH_SIZE];
    uint64_t count;             /* of what it kept */
    struct campaign_set judged; /* merge_notes.c */
    struct campaign_set kept;
    struct campaign_set there; /* as what the corpus has were called if libFuzzer named it */
    struct campaign_set going;
};

/* Takes a file of a directory, whose path is `path`; false: nothing of the result counts. */
typedef bool (*file_taker)(struct result *result, const char *path, const char *name);

static bool visit(struct result *result, const char *path, file_taker take)
{
    DIR *const directory = opendir(path);
    bool good = directory != NULL;
    for (const struct dirent *entry; good && (entry = readdir(directory)) != NULL;) {
        char file[HARNESS_CAMPAIGN_PATH_SIZE + 256];
        (void)snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        good = take(result, file, entry->d_name);
    }
    if (directory != NULL)
        (void)closedir(directory);
    return good;
}

static bool add(struct campaign_set *set, const char *name)
{
    bool is_new = false;
    return campaign_set_add(set, campaign_hash_name(name), &is_new);
}

/* As libFuzzer reads a file: of a longer one its start. False if that cannot be read, or is no file. */
static bool read_input(const char *path, char hash[SHA1_DIGEST_STRING_LENGTH], size_t *size)
{
    struct stat file;
    uint8_t *bytes = NULL;
    if (lstat(path, &file) != 0 || !S_ISREG(file.st_mode) || harness_file_read(path, &bytes, size, NULL) != HARNESS_OK)
        return false;
    *size = *size < HARNESS_MAX_INPUT ? *size : HARNESS_MAX_INPUT;
    (void)SHA1Data(bytes, *size, hash);
    free(bytes);
    return true;
}

static bool is_copy(const char *name)
{
    return strlen(name) == SHA1_DIGEST_STRING_LENGTH - 1 && campaign_is_named_by_contents(name);
}

/* Of what the merge kept. What it failed on lies there, too, by other names. libFuzzer does not look whether its writes
 * arrive; and what it ran is not what it copied if an engine was still writing that. */
static bool take_copy(struct result *result, const char *path, const char *name)
{
    char hash[SHA1_DIGEST_STRING_LENGTH];
    size_t size = 0;
    if (!is_copy(name))
        return true;
    result->count++;
    return read_input(path, hash, &size) && strcmp(hash, name) == 0 &&
           (!campaign_set_has(&result->judged, campaign_hash_name(name)) ||
            campaign_set_has(&result->judged, campaign_hash_input(name, size))) &&
           add(&result->kept, name);
}

/* One that goes is an engine's, was looked at, and is not worth keeping. Not so what came meanwhile (no clock can say
 * that, a copy may be older), and what the target failed on. */
static bool take_input(struct result *result, const char *path, const char *name)
{
    char hash[SHA1_DIGEST_STRING_LENGTH];
    size_t size = 0;
    if (!read_input(path, hash, &size))
        return true;
    const bool goes = campaign_is_named_by_contents(name) &&
                      campaign_set_has(&result->judged, campaign_hash_input(name, size)) &&
                      !campaign_set_has(&result->kept, campaign_hash_name(hash)) &&
                      !campaign_set_has(&result->kept, campaign_hash_name(name));
    return add(&result->there, hash) && (!goes || add(&result->going, name));
}

static bool put_back(struct result *result, const char *path, const char *name)
{
    char back[HARNESS_CAMPAIGN_PATH_SIZE + 256];
    (void)snprintf(back, sizeof back, "%s/%s", result->corpus, name);
    return !is_copy(name) || campaign_set_has(&result->there, campaign_hash_name(name)) || rename(path, back) == 0;
}

static bool drop(struct result *result, const char *path, const char *name)
{
    if (campaign_set_has(&result->going, campaign_hash_name(name)))
        (void)unlink(path);
    return true;
}

/* Whatever went wrong with the result: nothing goes before all that was kept is there. In a child: what it takes to
 * remember the names of a corpus is the campaign's no longer than that. */
static int take_result(void *user)
{
    const struct campaign *const campaign = user;
    const struct campaign_merging *const merging = campaign->merging;
    struct result result = { .count = 0 };
    bool is_taken = false;
    char notes[HARNESS_CAMPAIGN_PATH_SIZE + 256];
    const uint64_t said = count_said(merging->said);
    corpus_of(campaign, merging->index, result.corpus, sizeof result.corpus);
    merged_directory(campaign, merging->index, result.merged, sizeof result.merged);
    (void)snprintf(notes, sizeof notes, "%s/%s", result.merged, NOTES);
    if (said != 0 && campaign_merge_judged(notes, &result.judged) && visit(&result, result.merged, take_copy) &&
        result.count >= said && visit(&result, result.corpus, take_input) && visit(&result, result.merged, put_back))
        is_taken = visit(&result, result.corpus, drop);
    campaign_set_free(&result.judged);
    campaign_set_free(&result.kept);
    campaign_set_free(&result.there);
    campaign_set_free(&result.going);
    return is_taken ? 0 : 1;
}

/* What a merge that has ended leaves beside the corpus. */
static void clear(const struct campaign *campaign, struct campaign_merging *merging)
{
    char merged[HARNESS_CAMPAIGN_PATH_SIZE];
    merged_directory(campaign, merging->index, merged, sizeof merged);
    remove_merged(merged);
    (void)close(merging->said);
    merging->waits = false;
}

static void drop_line(void *user, const char *line, size_t length)
{
    (void)user;
    (void)line;
    (void)length;
}

void campaign_merge_take(struct campaign *campaign)
{
    static const struct harness_child_setup setup = { .death_signal = SIGKILL };
    struct harness_child_end end;
    struct campaign_merging *const merging = campaign->merging;
    char corpus[HARNESS_CAMPAIGN_PATH_SIZE];
    if (merging == NULL || !merging->waits)
        return;
    const bool is_taken = harness_child_run(&setup, take_result, campaign, MOST_SECONDS, drop_line, NULL, &end) &&
                          harness_child_is_good(end);
    clear(campaign, merging);
    campaign->next_measure = 0.0;
    if (!is_taken) /* the next merge does it */
        return;
    corpus_of(campaign, merging->index, corpus, sizeof corpus);
    merging->corpora[merging->index].left = campaign_count_files(corpus, 0);
    if (campaign->instances[merging->index].inputs != HARNESS_INPUTS_BYTES)
        campaign_share_less(campaign);
}

static bool is_due(const struct campaign *campaign, struct campaign_merging *merging, unsigned index)
{
    struct merged *const one = &merging->corpora[index];
    const double now = harness_seconds_now();
    char corpus[HARNESS_CAMPAIGN_PATH_SIZE];
    if (!is_merger(campaign, index) || (!one->wanted && now < one->next))
        return false;
    one->next = now + AGAIN_SECONDS;
    corpus_of(campaign, index, corpus, sizeof corpus);
    const uint64_t count = campaign_count_files(corpus, 0);
    return one->wanted || (count >= LEAST_INPUTS && count * 100 >= one->left * GROWN_PERCENT);
}

/* The largest that is due. */
static enum harness_status start_due(struct campaign *campaign, struct campaign_merging *merging)
{
    char corpus[HARNESS_CAMPAIGN_PATH_SIZE];
    unsigned found = campaign->count;
    uint64_t most = 0;
    for (unsigned i = 0; i < campaign->count; i++) {
        if (!is_due(campaign, merging, i))
            continue;
        corpus_of(campaign, i, corpus, sizeof corpus);
        const uint64_t size = campaign_size_below(corpus);
        if (found == campaign->count || size > most) {
            found = i;
            most = size;
        }
    }
    return found != campaign->count ? start(campaign, merging, found) : HARNESS_OK;
}

/* What a killed campaign's merges left goes before the first one. NULL without memory. */
static struct campaign_merging *merging_of(struct campaign *campaign)
{
    if (campaign->merging != NULL)
        return campaign->merging;
    for (unsigned i = 0; i < campaign->count; i++) {
        char merged[HARNESS_CAMPAIGN_PATH_SIZE];
        merged_directory(campaign, i, merged, sizeof merged);
        remove_merged(merged);
    }
    campaign->merging = calloc(1, sizeof *campaign->merging);
    return campaign->merging;
}

bool campaign_merge_soon(struct campaign *campaign)
{
    struct campaign_merging *const merging = merging_of(campaign);
    bool goes_on = merging != NULL && (merging->child.process != 0 || merging->waits);
    for (unsigned i = 0; merging != NULL && i < campaign->count; i++) {
        merging->corpora[i].wanted = merging->hurries ? merging->corpora[i].wanted : is_merger(campaign, i);
        goes_on = goes_on || merging->corpora[i].wanted;
    }
    if (merging != NULL)
        merging->hurries = true;
    return goes_on;
}

void campaign_merge_enough(struct campaign *campaign)
{
    struct campaign_merging *const merging = campaign->merging;
    for (unsigned i = 0; merging != NULL && i < campaign->count; i++)
        merging->corpora[i].wanted = false;
    if (merging != NULL)
        merging->hurries = false;
}

void campaign_merge_forget(struct campaign *campaign)
{
    struct campaign_merging *const merging = campaign->merging;
    if (merging == NULL || (merging->child.process == 0 && !merging->waits))
        return;
    harness_child_kill(&merging->child);
    clear(campaign, merging);
}

void campaign_merge_anew(struct campaign *campaign)
{
    campaign_merge_forget(campaign);
    campaign_merge_enough(campaign);
    (void)campaign_merge_soon(campaign);
}

/* How much it all takes is looked at when they run again, so no rest for lack of room begins meanwhile. */
static void pause_engines(struct campaign *campaign)
{
    campaign_note_stop(campaign);
    campaign->rest = CAMPAIGN_PAUSES;
    campaign->next_measure = HUGE_VAL;
}

enum harness_status campaign_tend_merging(struct campaign *campaign)
{
    if (campaign->options->instances == NULL || campaign->options->executions != 0)
        return HARNESS_OK;
    struct campaign_merging *const merging = merging_of(campaign);
    if (merging == NULL)
        return harness_fail_memory(campaign->error);
    if (merging->waits)
        return HARNESS_OK;
    if (merging->child.process == 0)
        return start_due(campaign, merging);
    const bool late = harness_child_spent(&merging->child, merging->begun).wall > MOST_SECONDS;
    if (!late && !harness_child_has_ended(&merging->child))
        return HARNESS_OK;
    struct merged *const one = &merging->corpora[merging->index];
    one->next = harness_seconds_now() + AGAIN_SECONDS;
    one->wanted = false;
    campaign->next_measure = 0.0;
    merging->waits = harness_child_is_good(harness_child_wait_or_kill(&merging->child, 0)) && !campaign->stopping;
    if (!merging->waits)
        clear(campaign, merging);
    else if (campaign->rest == CAMPAIGN_RESTS)
        campaign_merge_take(campaign);
    else if (campaign->rest == CAMPAIGN_RUNS)
        pause_engines(campaign);
    return HARNESS_OK;
}

void campaign_merging_end(struct campaign *campaign)
{
    campaign_merge_forget(campaign);
    free(campaign->merging);
    campaign->merging = NULL;
}
