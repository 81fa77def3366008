/*
 * The property: any bytes may be the files in which the directory of a bucket records its history. An input is three
 * files, one after the other, separated by a 0 byte. What is read is sound: a moment, or none; a version.
 */
#include "harness/targets/files/saved.h"
#include "harness/targets/target.h"
#include "harness/triage/bucket_record.h"

#include <string.h>

const char saved_beginning[] = "";

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_bucket_file files[HARNESS_BUCKET_FILES];
    struct harness_bucket_record record;
    (void)error;
    for (int i = 0; i < HARNESS_BUCKET_FILES; i++) {
        const char *const end = i + 1 < HARNESS_BUCKET_FILES ? memchr(bytes, '\0', size) : NULL;
        const size_t length = end != NULL ? (size_t)(end - bytes) : size;
        files[i] = (struct harness_bucket_file){ bytes, length };
        bytes += length + (end != NULL);
        size -= length + (end != NULL);
    }
    harness_bucket_record_parse(files, &record);
    if (record.version == 0 || (record.first_seen[0] != '\0' && !harness_moment_is_sound(record.first_seen)))
        target_fails("what is read of a bucket is unsound", NULL);
    return HARNESS_OK;
}
