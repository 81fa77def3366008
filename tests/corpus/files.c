#include "tests/corpus/files.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *copy(const char *text, size_t length)
{
    char *const out = malloc(length + 1);
    cr_assert_not_null(out);
    memcpy(out, text, length);
    out[length] = '\0';
    return out;
}

static void add(struct corpus_files *files, const char *path, size_t extension_length)
{
    if (files->count == files->capacity) {
        files->capacity = files->capacity != 0 ? 2 * files->capacity : 64;
        files->items = realloc(files->items, files->capacity * sizeof *files->items);
        cr_assert_not_null(files->items);
    }
    const char *const name = strrchr(path, '/') + 1;
    const char *area = name - 1;
    while (area[-1] != '/')
        area--;
    files->items[files->count++] = (struct corpus_file){ .path = copy(path, strlen(path)),
                                                         .area = copy(area, (size_t)(name - 1 - area)),
                                                         .name = copy(name, strlen(name) - extension_length) };
}

static bool ends_with(const char *name, const char *extension)
{
    const size_t length = strlen(name), tail = strlen(extension);
    return length > tail && strcmp(name + length - tail, extension) == 0;
}

/* depth 0 is corpus/<directory> itself; only one level of directories lies below it. */
static void search(struct corpus_files *files, const char *path, const char *extension, int depth)
{
    DIR *const directory = opendir(path);
    if (directory == NULL)
        return;
    const size_t before = files->count;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char below[1024];
        struct stat status;
        (void)snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] == '.' || stat(below, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode) && depth == 0)
            search(files, below, extension, depth + 1);
        else if (S_ISREG(status.st_mode) && ends_with(entry->d_name, extension))
            add(files, below, strlen(extension));
    }
    closedir(directory);
    files->directories += depth == 1;
    files->empty += depth == 1 && files->count == before;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct corpus_file *)a)->path, ((const struct corpus_file *)b)->path);
}

void corpus_files_find(struct corpus_files *files, const char *directory, const char *extension)
{
    char path[1024];
    memset(files, 0, sizeof *files);
    (void)snprintf(path, sizeof path, "%s/corpus/%s", PICAFUZZ_SOURCE_DIR, directory);
    search(files, path, extension, 0);
    if (files->count != 0)
        qsort(files->items, files->count, sizeof *files->items, by_path);
}

void corpus_files_free(struct corpus_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
        free(files->items[i].area);
        free(files->items[i].name);
    }
    free(files->items);
    memset(files, 0, sizeof *files);
}
