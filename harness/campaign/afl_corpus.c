/*
 * What afl-fuzz takes from the corpus, and gives back: its own directory holds what it found until that has joined the
 * corpus, named by contents.
 */
#include "harness/campaign/engine_afl.h"

#include "harness/case/formats.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

void campaign_afl_join(char out[AFL_PATH_SIZE], const char *directory, const char *name)
{
    (void)snprintf(out, AFL_PATH_SIZE, "%.1600s/%.400s", directory, name);
}

void campaign_afl_state_directory(const struct campaign *campaign, char out[AFL_PATH_SIZE])
{
    size_t length = strlen(campaign->options->corpus);
    while (length > 1 && campaign->options->corpus[length - 1] == '/')
        length--;
    (void)snprintf(out, AFL_PATH_SIZE, "%.*s-afl", (int)length, campaign->options->corpus);
}

enum harness_status campaign_afl_visit(struct campaign *campaign, const char *path, campaign_afl_visitor visitor,
                                       void *user)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, NULL, alphasort);
    enum harness_status status = HARNESS_OK;
    for (int i = 0; i < count; i++) {
        if (status == HARNESS_OK && entries[i]->d_name[0] != '.')
            status = visitor(campaign, path, entries[i]->d_name, user);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ finds */

void campaign_afl_name_by_content(const uint8_t *bytes, size_t size, char *out, size_t out_size)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes, size);
    (void)snprintf(out, out_size, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

/* A power cut can leave an empty or short file of the right name. */
static bool is_taken_over(const char *path, size_t size)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && (uintmax_t)file.st_size == size;
}

/* What is taken over from one instance. */
struct taking {
    char step[64];
    uint64_t done, total;
};

/* "id:000012,src:..." is found, "...,orig:..." a seed and "...,sync:..." another instance's: those are there
 * already. */
static enum harness_status export_entry(struct campaign *campaign, const char *directory, const char *name, void *user)
{
    struct taking *const taking = user;
    campaign_show_step(campaign, taking->step, taking->done++, taking->total);
    if (strncmp(name, "id:", 3) != 0 || strstr(name, ",orig:") != NULL || strstr(name, ",sync:") != NULL)
        return HARNESS_OK;
    char path[AFL_PATH_SIZE], hash[40], file[48];
    campaign_afl_join(path, directory, name);
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum harness_status status = harness_file_read(path, &bytes, &size, campaign->error);
    if (status != HARNESS_OK)
        return status;
    campaign_afl_name_by_content(bytes, size, hash, sizeof hash);
    (void)snprintf(file, sizeof file, "%s.pcb", hash);
    campaign_afl_join(path, campaign->options->corpus, file);
    if (size != 0 && !is_taken_over(path, size))
        status = harness_file_write_lazily(path, bytes, size, campaign->error);
    free(bytes);
    return status;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

/* One instance's directory, recognised by its queue; `user` non-null: the directory goes afterwards. */
static enum harness_status export_instance(struct campaign *campaign, const char *directory, const char *name,
                                           void *user)
{
    char path[AFL_PATH_SIZE], queue[AFL_PATH_SIZE];
    struct taking taking = { .done = 0 };
    campaign_afl_join(path, directory, name);
    campaign_afl_join(queue, path, "queue");
    if (access(queue, R_OK | X_OK) != 0)
        return HARNESS_OK;
    (void)snprintf(taking.step, sizeof taking.step, "taking over what %.30s found", name);
    taking.total = campaign_count_files(queue, 0);
    enum harness_status status = campaign_afl_visit(campaign, queue, export_entry, &taking);
    campaign_show_step(campaign, taking.step, taking.done, taking.total);
    if (status != HARNESS_OK || user == NULL)
        return status;
    status = campaign_flush_corpus(campaign); /* until then only the directory holds a copy that is safe */
    if (status != HARNESS_OK)
        return status;
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be removed: %s", path, strerror(errno));
    return HARNESS_OK;
}

enum harness_status campaign_afl_export_all(struct campaign *campaign, bool and_remove)
{
    char state[AFL_PATH_SIZE];
    campaign_afl_state_directory(campaign, state);
    return campaign_afl_visit(campaign, state, export_instance, and_remove ? campaign : NULL);
}
