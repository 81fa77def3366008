/*
 * The property: any bytes may be what the directory of a bucket remembers. An input is three files, one after the
 * other, with a 0 byte between them. What is read is sound: a moment, or none; a version.
 */
#include "harness/case/formats.h"
#include "harness/targets/failure.h"
#include "harness/targets/files/saved.h"
#include "harness/triage/bucket_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILES = 3,
    PATH_SIZE = 300
};

static const char *const names[FILES] = { "count", "key-version", "first-seen" };

const char saved_beginning[] = "";

/* A function of its own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void record_is_unsound(void)
{
    target_tell("files", "record", "what is read of a bucket is unsound");
    fprintf(stderr, "picafuzz: what is read of a bucket is unsound\n");
    __builtin_trap();
}

static void path_of(const char *directory, int file, char out[PATH_SIZE])
{
    (void)snprintf(out, PATH_SIZE, "%.250s/%s", directory, names[file]);
}

static void write_files(const char *directory, const char *bytes, size_t size)
{
    for (int i = 0; i < FILES; i++) {
        char path[PATH_SIZE];
        const char *const end = i + 1 < FILES ? memchr(bytes, '\0', size) : NULL;
        const size_t length = end != NULL ? (size_t)(end - bytes) : size;
        path_of(directory, i, path);
        FILE *const file = fopen(path, "wb");
        if (file != NULL) {
            (void)fwrite(bytes, 1, length, file);
            (void)fclose(file);
        }
        bytes += length + (end != NULL);
        size -= length + (end != NULL);
    }
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_bucket_record record;
    char directory[256];
    const char *const room = getenv("TMPDIR");
    (void)error;
    (void)snprintf(directory, sizeof directory, "%.200s/picafuzz-bucket-%ld", room != NULL ? room : "/tmp",
                   (long)getpid());
    if (mkdir(directory, 0700) != 0)
        return HARNESS_HOST;
    write_files(directory, bytes, size);
    harness_bucket_record_read(directory, &record);
    for (int i = 0; i < FILES; i++) {
        char path[PATH_SIZE];
        path_of(directory, i, path);
        (void)unlink(path);
    }
    (void)rmdir(directory);
    if (record.version == 0 || (record.first_seen[0] != '\0' && !harness_moment_is_sound(record.first_seen)))
        record_is_unsound();
    return HARNESS_OK;
}
