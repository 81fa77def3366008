/* What a worker begins with otherwise than usual. What it takes here it never gives back: it ends soon. */
#include "harness/probe/probe_worker.h"

#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    SMALL = 1024, /* bytes of blocks that malloc hands out again: all of those that are free are taken first */
    GRAIN = 16,
    EACH = 64,
    MOVED = 37 * 4096 + 48 /* bytes, for each step of `shift` */
};

/* The worker's own memory, and for a backend in a process of its own, that of the process, which is a copy. Also 0 is
 * set: malloc then gives the same addresses with every filling. */
static void fill_memory(int fill)
{
    char text[16];
    (void)mallopt(M_PERTURB, fill);
    (void)snprintf(text, sizeof text, "%d", fill);
    (void)setenv("MALLOC_PERTURB_", text, 1); /* for programs that a plug-in starts */
}

static void keep(void *memory)
{
    void *volatile kept = memory; /* or compilers would see that nobody needs it */
    (void)kept;
}

static void move_memory(unsigned shift)
{
    if (shift == 0)
        return;
    for (size_t size = GRAIN; size <= SMALL; size += GRAIN)
        for (int i = 0; i < EACH; i++)
            keep(malloc(size));
    keep(malloc((size_t)shift * MOVED));
    keep(mmap(NULL, (size_t)shift * MOVED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

/* The first one that it may use. */
static void take_one_processor(void)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET((size_t)i, &all)) {
            CPU_SET((size_t)i, &one);
            (void)sched_setaffinity(0, sizeof one, &one);
            return;
        }
}

void harness_probe_begin(const struct harness_probe_condition *condition)
{
    fill_memory(condition->fill);
    move_memory(condition->shift);
    if (condition->one_processor)
        take_one_processor();
}
