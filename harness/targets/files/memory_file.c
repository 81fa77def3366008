#include "harness/targets/files/memory_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const char *memory_file(const void *bytes, size_t size)
{
    static char path[64];
    static int descriptor = -1;
    if (descriptor < 0)
        descriptor = memfd_create("input", MFD_CLOEXEC);
    if (descriptor < 0 || ftruncate(descriptor, 0) != 0 || pwrite(descriptor, bytes, size, 0) != (ssize_t)size) {
        fprintf(stderr, "picafuzz: no file in memory can be made\n");
        exit(1);
    }
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return path;
}
