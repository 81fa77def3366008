/*
 * What a corpus has at a moment, by second names (hard links) in a directory of their own: for what first lists its
 * inputs and then reads them. A libFuzzer removes inputs meanwhile, some every second where the corpus is young.
 */
#include "harness/campaign/campaign_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int campaign_open_directory(int at, const char *path)
{
    return openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool campaign_link_inputs(const char *corpus, const char *inputs)
{
    bool good = mkdir(inputs, 0777) == 0;
    const int to = campaign_open_directory(AT_FDCWD, inputs);
    DIR *const directory = to >= 0 ? opendir(corpus) : NULL;
    good = good && directory != NULL;
    for (const struct dirent *entry; good && (entry = readdir(directory)) != NULL;) {
        struct stat file;
        if (entry->d_name[0] != '.' && fstatat(dirfd(directory), entry->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(file.st_mode))
            good = linkat(dirfd(directory), entry->d_name, to, entry->d_name, 0) == 0 || errno == ENOENT;
    }
    if (directory != NULL)
        (void)closedir(directory);
    if (to >= 0)
        (void)close(to);
    return good;
}

void campaign_remove_files(int at, const char *path)
{
    const int descriptor = campaign_open_directory(at, path);
    DIR *const directory = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (directory == NULL && descriptor >= 0)
        (void)close(descriptor);
    if (directory == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(descriptor, entry->d_name, 0);
    (void)closedir(directory);
    (void)unlinkat(at, path, AT_REMOVEDIR);
}
