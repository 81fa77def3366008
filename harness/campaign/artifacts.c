/* Failing inputs, as engines leave them. */
#include "harness/campaign/campaign_parts.h"

#include "harness/case/formats.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_BYTES = 1 << 20 /* what is larger is none */
};

static int is_artifact(const struct dirent *entry)
{
    return strncmp(entry->d_name, CAMPAIGN_ARTIFACT, strlen(CAMPAIGN_ARTIFACT)) == 0 &&
           strchr(entry->d_name, '.') == NULL && strlen(entry->d_name) < HARNESS_HUNT_PATH / 2;
}

uint64_t campaign_artifacts(const struct harness_campaign *campaign, char first[HARNESS_HUNT_PATH])
{
    struct dirent **entries = NULL;
    uint64_t found = 0;
    const int count = scandir(campaign->options->findings, &entries, is_artifact, alphasort);
    for (int i = 0; i < count; i++) {
        char path[HARNESS_HUNT_PATH];
        struct stat file;
        (void)snprintf(path, sizeof path, "%.*s/%.*s", HARNESS_HUNT_PATH / 2 - 2, campaign->options->findings,
                       HARNESS_HUNT_PATH / 2 - 1, entries[i]->d_name);
        const bool is_one = lstat(path, &file) == 0 && S_ISREG(file.st_mode) && file.st_size <= (off_t)MOST_BYTES &&
                            access(path, R_OK) == 0;
        if (is_one && found++ == 0)
            memcpy(first, path, sizeof path);
        free(entries[i]);
    }
    free(entries);
    return found;
}

static bool is_same(const char *path, const uint8_t *bytes, size_t size)
{
    struct stat file;
    uint8_t *other = NULL;
    size_t other_size = 0;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || (size_t)file.st_size != size)
        return false;
    const bool same = harness_file_read(path, &other, &other_size, NULL) == HARNESS_OK && other_size == size &&
                      memcmp(other, bytes, size) == 0;
    free(other);
    return same;
}

void campaign_drop_from_corpus(const struct harness_campaign *campaign, const char *artifact)
{
    const char *const corpus = campaign->options->corpus;
    uint8_t *bytes = NULL;
    size_t size = 0;
    const bool known = harness_file_read(artifact, &bytes, &size, NULL) == HARNESS_OK;
    DIR *const directory = known ? opendir(corpus) : NULL;
    for (const struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char path[HARNESS_CAMPAIGN_PATH_SIZE + 256];
        (void)snprintf(path, sizeof path, "%s/%s", corpus, entry->d_name);
        if (is_same(path, bytes, size))
            (void)unlink(path);
    }
    if (directory != NULL)
        (void)closedir(directory);
    free(bytes);
}

uint64_t campaign_count_files(const char *path)
{
    uint64_t count = 0;
    DIR *const directory = opendir(path);
    for (const struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    if (directory != NULL)
        (void)closedir(directory);
    return count;
}
