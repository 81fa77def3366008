/*
 * The property: any bytes may be the index that lies beside findings (triage.json). What it remembers of a file is
 * taken only if it is sound: the name of a bucket is one. The one file that is sorted is no case, so nothing runs.
 */
#include "harness/targets/files/memory_file.h"
#include "harness/targets/files/saved.h"
#include "harness/triage/triage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char saved_beginning[] = "";

/* A function of its own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void bucket_is_unsound(const char *name)
{
    fprintf(stderr, "picafuzz: a bucket with an unsound name is remembered: '%s'\n", name);
    __builtin_trap();
}

/* A file in memory that is no case: its digest is that of the seed. */
static const char *finding(void)
{
    static const char text[] = "pcase 1\nno case\n";
    static char path[64];
    if (path[0] != '\0')
        return path;
    const int descriptor = memfd_create("finding", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, text, sizeof text - 1) != (ssize_t)sizeof text - 1) {
        fprintf(stderr, "picafuzz: no file in memory can be made\n");
        exit(1);
    }
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return path;
}

static bool is_sound(const char *name)
{
    for (size_t i = 0; name[i] != '\0'; i++)
        if (strchr("/.<>&\"'\n\x1b ", name[i]) != NULL)
            return false;
    return name[0] != '\0';
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    const char *const paths[] = { finding() };
    struct harness_triage triage;
    const struct harness_triage_options options = { .index_path = memory_file(bytes, size),
                                                    .identity = "fuzz",
                                                    .read_only = true };
    const enum harness_status status = harness_triage_run(paths, 1, &options, &triage, error);
    for (size_t i = 0; status == HARNESS_OK && i < triage.bucket_count; i++)
        if (!is_sound(triage.buckets[i].name))
            bucket_is_unsound(triage.buckets[i].name);
    harness_triage_free(&triage);
    return status;
}
