#include "harness/targets/files/memory_file.h"

#include "harness/targets/target.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

const char *memory_file(enum memory_file which, const void *bytes, size_t size)
{
    static struct {
        char path[64];
        int descriptor; /* 0: not created yet */
    } files[2];
    int *const descriptor = &files[which].descriptor;
    if (*descriptor == 0)
        *descriptor = memfd_create("input", MFD_CLOEXEC);
    if (*descriptor < 0 || ftruncate(*descriptor, 0) != 0 || pwrite(*descriptor, bytes, size, 0) != (ssize_t)size)
        target_cannot_begin("no file in memory can be made");
    (void)snprintf(files[which].path, sizeof files[which].path, "/proc/self/fd/%d", *descriptor);
    return files[which].path;
}
