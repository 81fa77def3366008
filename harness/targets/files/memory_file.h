/* A file that is in memory alone, for readers and writers that take nothing but a path. */
#ifndef HARNESS_TARGETS_MEMORY_FILE_H
#define HARNESS_TARGETS_MEMORY_FILE_H

#include <stddef.h>

/* Its path, after it was given these bytes. A process has one: what the last call gave is gone. Nothing of it is left
 * behind, however the process ends, and no disk is waited for. */
const char *memory_file(const void *bytes, size_t size);

#endif
