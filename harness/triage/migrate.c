#include "harness/triage/migrate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

enum {
    PATH_SIZE = 4096
};

/* The directory of a case without the slash after it; 0: it has none, or a name that is too long. */
static size_t directory_of(const struct harness_triage_entry *entry, char out[PATH_SIZE])
{
    const char *const slash = strrchr(entry->path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - entry->path) : 0;
    if (length == 0 || length >= PATH_SIZE)
        return 0;
    memcpy(out, entry->path, length);
    out[length] = '\0';
    return length;
}

static bool lies_in(const struct harness_triage_entry *entry, const char *directory)
{
    char own[PATH_SIZE];
    return directory_of(entry, own) != 0 && strcmp(own, directory) == 0;
}

/* The first case of a directory speaks for it. */
static bool is_first_of(const struct harness_triage *triage, size_t index, const char *directory)
{
    for (size_t i = 0; i < index; i++)
        if (lies_in(&triage->entries[i], directory))
            return false;
    return true;
}

static const char *why_not(const struct harness_triage *triage, const struct harness_triage_entry *first,
                           const char *directory)
{
    for (size_t i = 0; i < triage->count; i++)
        if (lies_in(&triage->entries[i], directory) && strcmp(triage->entries[i].bucket, first->bucket) != 0)
            return "its cases fall into several buckets";
    return harness_outcome_is_finding(first->kind) ? NULL : "nothing is wrong with its cases any more";
}

/* The name is changed first, since it decides. A kill in between leaves the new name with the old version, and the next
 * migration only records the version. */
static enum harness_status rename_directory(struct harness_migrated *migrated, struct harness_error *error)
{
    char to[PATH_SIZE];
    const char *const slash = strrchr(migrated->path, '/');
    const int head = slash != NULL ? (int)(slash - migrated->path) + 1 : 0;
    const int length = snprintf(to, sizeof to, "%.*s%s", head, migrated->path, migrated->bucket);
    if (length < 0 || (size_t)length >= sizeof to)
        return harness_fail(error, HARNESS_HOST, "%.200s: the path is too long", migrated->path);
    if (strcmp(to, migrated->path) != 0 && renameat2(AT_FDCWD, migrated->path, AT_FDCWD, to, RENAME_NOREPLACE) != 0) {
        if (errno != EEXIST && errno != ENOTEMPTY)
            return harness_fail(error, HARNESS_HOST, "%.200s: cannot be renamed: %s", migrated->path, strerror(errno));
        migrated->refused = "there is a directory of that name";
        return HARNESS_OK;
    }
    return harness_bucket_record_renew(to, error);
}

enum harness_status harness_migrate(const struct harness_triage *triage, harness_migrated_teller tell, void *user,
                                    struct harness_error *error)
{
    char directory[PATH_SIZE];
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; i < triage->count && status == HARNESS_OK; i++) {
        const struct harness_triage_entry *const entry = &triage->entries[i];
        if (!entry->older || directory_of(entry, directory) == 0 || !is_first_of(triage, i, directory))
            continue;
        struct harness_migrated migrated = { .path = directory, .bucket = entry->bucket };
        migrated.refused = why_not(triage, entry, directory);
        if (migrated.refused == NULL)
            status = rename_directory(&migrated, error);
        if (status == HARNESS_OK)
            tell(user, &migrated);
    }
    return status;
}
