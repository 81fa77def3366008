#include "harness/triage/bucket_record.h"

#include "harness/case/formats.h"
#include "harness/triage/bucket.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096
};

static const char *const names[HARNESS_BUCKET_FILES] = { "count", "key-version", "first-seen" };

void harness_moment_text(time_t moment, char out[HARNESS_MOMENT])
{
    struct tm parts;
    out[0] = '\0';
    if (gmtime_r(&moment, &parts) != NULL && strftime(out, HARNESS_MOMENT, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        out[0] = '\0';
}

bool harness_moment_is_sound(const char *text)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    if (strlen(text) != sizeof form - 1)
        return false;
    for (size_t i = 0; form[i] != '\0'; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return true;
}

/* The first line of a file, "" if there is none or it does not fit. */
static void take_line(const struct harness_bucket_file *file, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; i < file->size && i < size; i++) {
        if (file->bytes[i] != '\n' && file->bytes[i] != '\0' && i + 1 < size)
            continue;
        const size_t length = file->bytes[i] == '\n' ? i : 0;
        memcpy(out, file->bytes, length);
        out[length] = '\0';
        return;
    }
}

static enum harness_status write_line(const char *directory, const char *file, const char *line,
                                      struct harness_error *error)
{
    char path[PATH_SIZE], text[64];
    (void)snprintf(text, sizeof text, "%s\n", line);
    const int written = snprintf(path, sizeof path, "%s/%s", directory, file);
    if (written < 0 || (size_t)written >= sizeof path)
        return harness_fail(error, HARNESS_HOST, "%s: the path is too long", directory);
    return harness_file_write(path, text, strlen(text), error);
}

void harness_bucket_record_parse(const struct harness_bucket_file files[HARNESS_BUCKET_FILES],
                                 struct harness_bucket_record *out)
{
    char line[32];
    char *end = NULL;
    memset(out, 0, sizeof *out);
    take_line(&files[0], line, sizeof line);
    const unsigned long long found = strtoull(line, &end, 10);
    out->found = line[0] >= '0' && line[0] <= '9' && *end == '\0' ? (uint64_t)found : 0;
    take_line(&files[1], line, sizeof line);
    const unsigned long version = strtoul(line, &end, 10);
    out->version = line[0] >= '1' && line[0] <= '9' && *end == '\0' && version < 1000 ? (unsigned)version : 1;
    take_line(&files[2], line, sizeof line);
    if (harness_moment_is_sound(line))
        memcpy(out->first_seen, line, strlen(line) + 1);
}

void harness_bucket_record_read(const char *directory, struct harness_bucket_record *out)
{
    uint8_t *bytes[HARNESS_BUCKET_FILES] = { NULL };
    struct harness_bucket_file files[HARNESS_BUCKET_FILES];
    for (int i = 0; i < HARNESS_BUCKET_FILES; i++) {
        char path[PATH_SIZE];
        size_t size = 0;
        const int written = snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        if (written > 0 && (size_t)written < sizeof path)
            (void)harness_file_read(path, &bytes[i], &size, NULL);
        files[i] = (struct harness_bucket_file){ (const char *)bytes[i], size };
    }
    harness_bucket_record_parse(files, out);
    for (int i = 0; i < HARNESS_BUCKET_FILES; i++)
        free(bytes[i]);
}

bool harness_holds_buckets(const char *directory)
{
    char path[PATH_SIZE];
    bool found = false;
    DIR *const opened = opendir(directory);
    for (const struct dirent *entry; opened != NULL && !found && (entry = readdir(opened)) != NULL;) {
        const int written = snprintf(path, sizeof path, "%s/%s/%s", directory, entry->d_name, names[0]);
        found = entry->d_name[0] != '.' && written > 0 && (size_t)written < sizeof path && access(path, F_OK) == 0;
    }
    if (opened != NULL)
        (void)closedir(opened);
    return found;
}

enum harness_status harness_bucket_record_renew(const char *directory, struct harness_error *error)
{
    char line[32];
    (void)snprintf(line, sizeof line, "%d", HARNESS_BUCKET_VERSION);
    return write_line(directory, names[1], line, error);
}

enum harness_status harness_bucket_record_add(const char *directory, time_t now, struct harness_error *error)
{
    struct harness_bucket_record record;
    char line[32];
    enum harness_status status = HARNESS_OK;
    harness_bucket_record_read(directory, &record);
    if (record.first_seen[0] == '\0') {
        harness_moment_text(now, record.first_seen);
        status = write_line(directory, names[2], record.first_seen, error);
    }
    if (status == HARNESS_OK && record.found == 0)
        status = harness_bucket_record_renew(directory, error);
    (void)snprintf(line, sizeof line, "%" PRIu64, record.found + 1);
    return status == HARNESS_OK ? write_line(directory, names[0], line, error) : status;
}
