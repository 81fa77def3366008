/*
 * The property: any text may be read as a case (docs/formats/pcase.md). What is read is a valid case, and the text that
 * is written of it is read as the same one. The line that every such file has, after comments, is put before a text
 * without it, for no engine guesses that.
 */
#include "harness/case/formats.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/files/whole_case.h"

#include <string.h>

const char saved_beginning[] = "";

static enum harness_status read_text(const char *text, size_t size, struct harness_error *error)
{
    struct harness_case *const test_case = whole_case();
    if (test_case == NULL)
        return HARNESS_NO_MEMORY;
    const enum harness_status status = harness_pcase_read(test_case, text, size, saved_name, error);
    if (status == HARNESS_OK)
        whole_case_check();
    return status;
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_text whole;
    if (strstr(bytes, "pcase 1") != NULL)
        return read_text(bytes, size, error);
    harness_text_init(&whole);
    harness_text_add(&whole, "pcase 1\n");
    harness_text_bytes(&whole, bytes, size);
    const enum harness_status status =
        whole.failed ? HARNESS_NO_MEMORY : read_text(harness_text_string(&whole), whole.size, error);
    harness_text_free(&whole);
    return status;
}
