#include "harness/run/load.h"

#include "harness/run/touched.h"

#include <stdio.h>
#include <string.h>

enum harness_status harness_tighten_windows(struct harness_case *test_case, struct harness_text *warnings,
                                            struct harness_error *error)
{
    struct harness_page_reports reports;
    enum harness_status status = harness_touched_pages(test_case, NULL, 0, &reports, error);
    if (status == HARNESS_OK)
        status = harness_import_windows(test_case, reports.windows, warnings, error);
    harness_page_reports_free(&reports);
    return status;
}

enum harness_status harness_load(struct harness_case *out, const char *path, struct harness_text *warnings,
                                 struct harness_error *error)
{
    enum harness_format format = HARNESS_FORMAT_PCASE;
    const enum harness_status status = harness_case_load_file(out, path, &format, warnings, error);
    if (status != HARNESS_OK || format == HARNESS_FORMAT_PCASE || format == HARNESS_FORMAT_PCB)
        return status;
    return harness_tighten_windows(out, warnings, error);
}

enum harness_status harness_load_input(const char *path, uint8_t *out, size_t *size, struct harness_error *error)
{
    *size = 0;
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status =
        test_case == NULL ? harness_fail_memory(error) : harness_load(test_case, path, NULL, error);
    if (status == HARNESS_OK) {
        harness_bound_case(test_case);
        status = harness_pcb_encode(test_case, out, HARNESS_MAX_INPUT, size, error);
    }
    harness_case_destroy(test_case);
    return status;
}

void harness_input_name(const char *path, char *out, size_t size)
{
    size_t first = strlen(path);
    for (int slashes = 0; first != 0 && slashes < 2; first--)
        if (path[first - 1] == '/' && ++slashes == 2)
            break;
    (void)snprintf(out, size, "%s.pcb", path + first);
    for (char *c = out; *c != '\0'; c++)
        if (*c == '/')
            *c = '-';
}
