/* What an engine's target knows of the hunt that runs it: a file with the causes as they are in memory. */
#include "harness/peel/peel.h"

#include "harness/case/formats.h"

#include <stdlib.h>
#include <string.h>

struct shared {
    struct harness_peel peel;
    uint32_t fields[HARNESS_PEEL_MOST][HARNESS_PEEL_MOST_NEEDS]; /* index in pica_fields: addresses differ there */
};

enum harness_status harness_peel_share(const char *path, const struct harness_peel *peel, struct harness_error *error)
{
    size_t total = 0;
    const struct pica_field_info *const fields = pica_fields(&total);
    struct shared *const shared = calloc(1, sizeof *shared);
    if (shared == NULL)
        return harness_fail_memory(error);
    shared->peel = *peel;
    for (uint32_t c = 0; c < peel->count; c++)
        for (uint32_t n = 0; n < peel->causes[c].count; n++)
            shared->fields[c][n] = (uint32_t)(peel->causes[c].needs[n].field - fields);
    const enum harness_status status = harness_file_write(path, shared, sizeof *shared, error);
    free(shared);
    return status;
}

static bool take(struct shared *shared, struct harness_peel *out)
{
    size_t total = 0;
    const struct pica_field_info *const fields = pica_fields(&total);
    if (shared->peel.count > HARNESS_PEEL_MOST)
        return false;
    for (uint32_t c = 0; c < shared->peel.count; c++) {
        struct harness_peel_cause *const cause = &shared->peel.causes[c];
        cause->bucket[sizeof cause->bucket - 1] = cause->sign[sizeof cause->sign - 1] = '\0';
        if (cause->count > HARNESS_PEEL_MOST_NEEDS)
            return false;
        for (uint32_t n = 0; n < cause->count; n++) {
            if (shared->fields[c][n] >= total)
                return false;
            cause->needs[n].field = &fields[shared->fields[c][n]];
        }
    }
    *out = shared->peel;
    return true;
}

bool harness_peel_take(const char *path, struct harness_peel *out)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    const bool good = harness_file_read(path, &bytes, &size, NULL) == HARNESS_OK && size == sizeof(struct shared) &&
                      take((struct shared *)bytes, out);
    free(bytes);
    return good;
}
