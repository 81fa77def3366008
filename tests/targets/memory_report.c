/* A fuzz target that decides by what it never wrote, for check_memory_report.sh. */
#include "harness/targets/failure.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target_begin_input();
    int *const never_written = malloc(sizeof *never_written);
    if (never_written == NULL || data == NULL || size < 3)
        return 0;
    if (*never_written == 3)
        abort();
    free(never_written);
    return 0;
}
