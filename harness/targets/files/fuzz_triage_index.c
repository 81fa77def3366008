/*
 * The property: any bytes may be the index that is kept beside findings (triage.json). What it records about a file is
 * used only if it is valid: the name of a bucket must be one. The one file that is triaged here is no case, so nothing
 * runs.
 */
#include "harness/targets/files/memory_file.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/target.h"
#include "harness/triage/triage.h"

#include <string.h>

const char saved_beginning[] = "";

static bool is_sound(const char *name)
{
    for (size_t i = 0; name[i] != '\0'; i++)
        if (strchr("/.<>&\"'\n\x1b ", name[i]) != NULL)
            return false;
    return name[0] != '\0';
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    static const char no_case[] = "pcase 1\nno case\n"; /* its digest is that in the seed */
    const char *const paths[] = { memory_file(MEMORY_FILE_BESIDE, no_case, sizeof no_case - 1) };
    struct harness_triage triage;
    const struct harness_triage_options options = { .index_path = memory_file(MEMORY_FILE, bytes, size),
                                                    .identity = "fuzz",
                                                    .read_only = true };
    const enum harness_status status = harness_triage_run(paths, 1, &options, &triage, error);
    for (size_t i = 0; status == HARNESS_OK && i < triage.bucket_count; i++)
        if (!is_sound(triage.buckets[i].name))
            target_fails("a bucket with an unsound name is remembered", triage.buckets[i].name);
    harness_triage_free(&triage);
    return status;
}
