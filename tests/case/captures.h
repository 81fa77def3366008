/* The 28 captures of corpus/captures, as imported cases with tight windows. */
#ifndef TESTS_CAPTURES_H
#define TESTS_CAPTURES_H

#include "harness/case/formats.h"

enum {
    TEST_CAPTURES = 28
};

/* "copies-f0", ... */
extern const char *const test_capture_names[TEST_CAPTURES];

/* The file's bytes; the caller frees them. Fails the test if there are none. */
uint8_t *test_capture_bytes(uint32_t index, size_t *size);

/* Imports the capture; windows from the case alone (no run). */
void test_capture_load(uint32_t index, struct harness_case *out);

#endif
