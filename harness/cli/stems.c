#include "harness/cli/stems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sorted, so that a corpus of 100 000 files does not take minutes. */
struct named {
    const char *name;
    size_t index;
};

static int by_name(const void *a, const void *b)
{
    const struct named *const one = a, *const other = b;
    const int order = strcmp(one->name, other->name);
    return order != 0 ? order : (one->index > other->index) - (one->index < other->index);
}

static void sort(struct named *sorted, char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct named){ names[i], i };
    qsort(sorted, count, sizeof *sorted, by_name);
}

/* How many, from the first on, have its name. */
static size_t count_alike(const struct named *sorted, size_t count)
{
    size_t alike = 1;
    while (alike < count && strcmp(sorted[alike].name, sorted[0].name) == 0)
        alike++;
    return alike;
}

static char *make_stem(const char *path)
{
    const size_t size = strlen(path) + 1; /* room for the whole path, too */
    char *const stem = malloc(size);
    if (stem != NULL)
        cli_stem(path, stem, size);
    return stem;
}

static void join_parts(const char *path, char *out)
{
    path += strspn(path, "./");
    memcpy(out, path, strlen(path) + 1);
    for (char *c = out; *c != '\0'; c++)
        if (*c == '/')
            *c = '-';
}

static void join_namesakes(const struct cli_paths *paths, char **names, struct named *sorted)
{
    sort(sorted, names, paths->count);
    for (size_t i = 0, alike; i < paths->count; i += alike) {
        alike = count_alike(&sorted[i], paths->count - i);
        for (size_t k = i; alike > 1 && k < i + alike; k++)
            join_parts(paths->items[sorted[k].index], names[sorted[k].index]);
    }
}

static bool append_number(char **name, size_t number)
{
    const size_t length = strlen(*name), more = 24;
    char *const longer = realloc(*name, length + more);
    if (longer == NULL)
        return false;
    (void)snprintf(longer + length, more, "-%zu", number);
    *name = longer;
    return true;
}

/* All but the first of those that are called alike get a number. *changed: which may be another one's name. */
static bool number_namesakes(size_t count, char **names, struct named *sorted, bool *changed)
{
    bool good = true;
    *changed = false;
    sort(sorted, names, count);
    for (size_t i = 0, alike; i < count && good; i += alike) {
        alike = count_alike(&sorted[i], count - i);
        *changed = *changed || alike > 1;
        for (size_t k = 1; k < alike && good; k++)
            good = append_number(&names[sorted[i + k].index], k + 1);
    }
    return good;
}

char **cli_stems(const struct cli_paths *paths)
{
    char **const names = calloc(paths->count + 1, sizeof *names);
    struct named *const sorted = calloc(paths->count + 1, sizeof *sorted);
    bool good = names != NULL && sorted != NULL, changed = true;
    for (size_t i = 0; i < paths->count && good; i++) {
        names[i] = make_stem(paths->items[i]);
        good = names[i] != NULL;
    }
    if (good)
        join_namesakes(paths, names, sorted);
    while (good && changed)
        good = number_namesakes(paths->count, names, sorted, &changed);
    free(sorted);
    if (good)
        return names;
    cli_stems_free(names, paths);
    return NULL;
}

void cli_stems_free(char **stems, const struct cli_paths *paths)
{
    for (size_t i = 0; stems != NULL && i < paths->count; i++)
        free(stems[i]);
    free(stems);
}
