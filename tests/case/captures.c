#include "tests/case/captures.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

const char *const test_capture_names[TEST_CAPTURES] = {
    "copies-f0", "copies-f5", "formats-f0", "formats-f5", "hall-f0",  "hall-f5",  "hand-f0",
    "hand-f5",   "jumps-f0",  "jumps-f5",   "lamps-f0",   "lamps-f5", "mask-f0",  "mask-f5",
    "mesh-f0",   "mesh-f5",   "mirror-f0",  "mirror-f5",  "relay-f0", "relay-f5", "shade-f0",
    "shade-f5",  "sparks-f0", "sparks-f5",  "stale-f0",   "stale-f5", "weave-f0", "weave-f5"
};

uint8_t *test_capture_bytes(uint32_t index, size_t *size)
{
    char path[512];
    uint8_t *bytes;
    struct harness_error error = { "" };
    snprintf(path, sizeof path, "%s/corpus/captures/%s.picacap", PICAFUZZ_SOURCE_DIR, test_capture_names[index]);
    cr_assert_eq(harness_file_read(path, &bytes, size, &error), HARNESS_OK, "%s", error.message);
    return bytes;
}

void test_capture_load(uint32_t index, struct harness_case *out)
{
    size_t size;
    struct harness_error error = { "" };
    uint8_t *const bytes = test_capture_bytes(index, &size);
    cr_assert_eq(harness_picacap_read(out, bytes, size, test_capture_names[index], NULL, &error), HARNESS_OK, "%s",
                 error.message);
    cr_assert_eq(harness_import_windows(out, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    free(bytes);
}
