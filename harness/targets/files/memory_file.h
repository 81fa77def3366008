/* Files that are in memory alone, for readers and writers that take nothing but a path. */
#ifndef HARNESS_TARGETS_MEMORY_FILE_H
#define HARNESS_TARGETS_MEMORY_FILE_H

#include <stddef.h>

enum memory_file {
    MEMORY_FILE,
    MEMORY_FILE_BESIDE /* another one, if both are needed */
};

/* Its path, after it was given these bytes: what the last call gave it is gone. Nothing of it is left behind, however
 * the process ends, and no disk is waited for. */
const char *memory_file(enum memory_file which, const void *bytes, size_t size);

#endif
