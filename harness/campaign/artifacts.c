/* Failing inputs, where engines leave them. */
#include "harness/campaign/campaign_parts.h"

#include "harness/case/formats.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_BYTES = 1 << 20, /* a larger file is no input */
    SETTLE_SECONDS = 2    /* while the engine runs, a file of this age is taken to be complete */
};

static bool is_artifact(const struct harness_campaign *campaign, const char *path)
{
    struct stat file;
    return lstat(path, &file) == 0 && S_ISREG(file.st_mode) && file.st_size <= (off_t)MOST_BYTES &&
           (campaign->child.process == 0 || difftime(time(NULL), file.st_mtime) >= (double)SETTLE_SECONDS) &&
           access(path, R_OK) == 0;
}

/* No engine gives them an extension, so files that a user or a writer put beside them do not count. */
static int has_no_extension(const struct dirent *entry)
{
    return strchr(entry->d_name, '.') == NULL;
}

uint64_t campaign_artifacts(const struct harness_campaign *campaign, char first[HARNESS_HUNT_PATH])
{
    const char *const begin = campaign->engine->artifact;
    char place[CAMPAIGN_PATH_SIZE];
    uint64_t found = 0;
    for (unsigned number = 0; campaign->engine->failing(campaign, number, place); number++) {
        struct dirent **entries = NULL;
        const int count = scandir(place, &entries, has_no_extension, alphasort);
        for (int i = 0; i < count; i++) {
            char path[CAMPAIGN_PATH_SIZE + sizeof entries[i]->d_name];
            const int length = snprintf(path, sizeof path, "%s/%s", place, entries[i]->d_name);
            if (strncmp(entries[i]->d_name, begin, strlen(begin)) == 0 && length < (int)HARNESS_HUNT_PATH &&
                is_artifact(campaign, path) && found++ == 0)
                memcpy(first, path, (size_t)length + 1);
            free(entries[i]);
        }
        free(entries);
    }
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
