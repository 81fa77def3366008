/*
 * The property: any text may be read as a case (docs/formats/pcase.md). What is read is a valid case, and the text
 * written from it is read as the same case.
 */
#include "harness/case/formats.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/files/whole_case.h"

const char saved_beginning[] = "pcase 1\n";

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_case *const test_case = whole_case();
    if (test_case == NULL)
        return HARNESS_NO_MEMORY;
    const enum harness_status status = harness_pcase_read(test_case, bytes, size, saved_name, error);
    if (status == HARNESS_OK)
        whole_case_check();
    return status;
}
