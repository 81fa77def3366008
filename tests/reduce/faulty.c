#define _POSIX_C_SOURCE 200809L

#include "tests/reduce/faulty.h"

#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

void faulty_open(struct faulty *faulty, const char *fault)
{
    struct harness_error error = { "" };
    memset(faulty, 0, sizeof *faulty);
    cr_assert_eq(setenv("PICAFUZZ_FAULT", fault, 1), 0);
    cr_assert_eq(harness_backend_open("reference", &faulty->backends[0], &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_backend_open_here(PICAFUZZ_BINARY_DIR "/lib/faulty_backend.so", &faulty->backends[1], &error),
                 HARNESS_OK, "%s", error.message);
    faulty->options = (struct harness_probe_options){ .backends = faulty->backends,
                                                      .backend_count = 2,
                                                      .backend_options = { .instruction_sets = UINT32_MAX },
                                                      .jobs = 1,
                                                      .hang_ms = 40 * TEST_PART,
                                                      .case_bytes = (size_t)1 << 24 };
}

void faulty_close(struct faulty *faulty)
{
    harness_backend_close(&faulty->backends[0]);
    harness_backend_close(&faulty->backends[1]);
}
