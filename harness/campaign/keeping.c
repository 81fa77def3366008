/*
 * Inputs that were replaced, until what replaced them is on the disk. libFuzzer removes an input as soon as it has a
 * smaller one that reaches the same, and a merge removes what others reach together. A disk keeps that order for names,
 * not for contents: if the power goes before the new file is written, the old one is gone and the new one is empty. So
 * each input has a second name, a hard link in CORPUS-kept/, from the flush that wrote it to the one that wrote what
 * came instead. What has only its second name when a campaign starts gets the first one back. Where there are no hard
 * links nothing is kept.
 */
#include "harness/campaign/campaign_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BETWEEN_SECONDS = 2 /* at most, from the removal of an input to the writing of what comes instead */
};

static int open_directory(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void kept_path(const char *corpus, char *out, size_t size)
{
    size_t length = strlen(corpus);
    while (length > 1 && corpus[length - 1] == '/')
        length--;
    (void)snprintf(out, size, "%.*s-kept", (int)length, corpus);
}

/* Each name in `directory` that contents gave, told with what is there. */
typedef void (*name_visitor)(int directory, const char *name, void *user);

static void visit(const char *path, name_visitor visitor, void *user)
{
    DIR *const opened = opendir(path);
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;)
        if (campaign_is_named_by_contents(entry->d_name))
            visitor(dirfd(opened), entry->d_name, user);
    if (opened != NULL)
        (void)closedir(opened);
}

/* With `user`, the other directory: it gets the name, unless it has one such. */
static void give_name(int directory, const char *name, void *user)
{
    const int other = *(const int *)user;
    struct stat file;
    if (fstatat(directory, name, &file, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(file.st_mode) && file.st_size != 0)
        (void)linkat(directory, name, other, name, 0);
}

static void give_names(const char *from, const char *to)
{
    int other = open_directory(to);
    if (other < 0)
        return;
    visit(from, give_name, &other);
    (void)close(other);
}

/* What second names are compared with. */
struct dropping {
    int corpus;
    time_t begun; /* the flush */
};

/* With `user`, struct dropping: what had lost its first name when the flush began, and was replaced by then, goes.
 * The number of names does not say that: afl-fuzz has one of its own for each seed. A removal changes the time that
 * belongs to the file's other names, so that is read after the look for the first one. */
static void drop_name(int directory, const char *name, void *user)
{
    const struct dropping *const dropping = user;
    struct stat first, second;
    const bool has_first = fstatat(dropping->corpus, name, &first, AT_SYMLINK_NOFOLLOW) == 0;
    if ((!has_first && errno != ENOENT) || fstatat(directory, name, &second, AT_SYMLINK_NOFOLLOW) != 0 ||
        (has_first && first.st_ino == second.st_ino))
        return;
    const bool is_younger = has_first && first.st_ctime > second.st_ctime; /* it was written anew */
    if ((is_younger ? first.st_ctime : second.st_ctime) < dropping->begun - BETWEEN_SECONDS)
        (void)unlinkat(directory, name, 0);
}

static void drop_names(const char *kept, const char *corpus, time_t begun)
{
    struct dropping dropping = { open_directory(corpus), begun };
    if (dropping.corpus < 0)
        return;
    visit(kept, drop_name, &dropping);
    (void)close(dropping.corpus);
}

static void drop_always(int directory, const char *name, void *user)
{
    (void)user;
    (void)unlinkat(directory, name, 0);
}

/* `user`: the directory's path. The power went before what the name is of was written. */
static void drop_damaged(int directory, const char *name, void *user)
{
    char path[HARNESS_CAMPAIGN_PATH_SIZE + 64];
    struct stat file;
    const int length = snprintf(path, sizeof path, "%s/%s", (const char *)user, name);
    if (length > 0 && (size_t)length < sizeof path && fstatat(directory, name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(file.st_mode) && (file.st_size == 0 || campaign_is_cut(path, name)))
        (void)unlinkat(directory, name, 0);
}

void campaign_keep_restore(const char *corpus)
{
    char kept[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    kept_path(corpus, kept, sizeof kept);
    visit(kept, drop_damaged, kept);
    give_names(kept, corpus);
}

void campaign_keep(const char *corpus, time_t begun)
{
    char kept[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    kept_path(corpus, kept, sizeof kept);
    if (mkdir(kept, 0777) != 0 && errno != EEXIST)
        return;
    drop_names(kept, corpus, begun);
    give_names(corpus, kept);
}

void campaign_keep_end(const char *corpus)
{
    char kept[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    kept_path(corpus, kept, sizeof kept);
    visit(kept, drop_always, NULL);
    (void)rmdir(kept);
}
