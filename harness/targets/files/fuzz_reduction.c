/*
 * The property: any bytes may be read as the unfinished work of a reduction. Work that is resumed has valid cases.
 * Anything else is not taken for such work, which is no error: the reduction starts from the beginning.
 */
#include "harness/reduce/reduce_state.h"
#include "harness/targets/files/memory_file.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/target.h"

#define IDENTITY "fuzz"

const char saved_beginning[] = "# picafuzz reduce, unfinished work: " IDENTITY "\n";

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    static struct harness_case *best, *sure;
    struct reduce_saved saved;
    if (best == NULL)
        best = harness_case_create();
    if (sure == NULL)
        sure = harness_case_create();
    const struct reduce_cases cases = { best, sure };
    if (best == NULL || sure == NULL ||
        !harness_reduce_restore(memory_file(MEMORY_FILE, bytes, size), IDENTITY, &saved, &cases))
        return HARNESS_OK;
    if (harness_case_check(best, error) != HARNESS_OK || harness_case_check(sure, error) != HARNESS_OK)
        target_fails("unfinished work is taken up with a case that is none", error->message);
    return HARNESS_OK;
}
