/* Files in memory, for readers and writers that accept only a path. */
#ifndef HARNESS_TARGETS_MEMORY_FILE_H
#define HARNESS_TARGETS_MEMORY_FILE_H

#include <stddef.h>

enum memory_file {
    MEMORY_FILE,
    MEMORY_FILE_BESIDE /* a second file, where two are needed */
};

/* Replaces the contents of the file by these bytes and returns its path, which stays valid. The file vanishes however
 * the process ends, and is never on a disk. */
const char *memory_file(enum memory_file which, const void *bytes, size_t size);

#endif
