/* Gives a new worker its condition. Memory that is taken for that is never freed: the worker ends soon. */
#include "harness/trial/probe_worker.h"

#include <malloc.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SMALL = 1024, /* bytes of blocks that malloc hands out again: all of those that are free are taken first */
    GRAIN = 16,
    EACH = 64,
    MOST = 1 << 14,     /* blocks that are taken of each size */
    STEP = 0x325000 * 4 /* bytes; many of its bits are set, so most bits of an address change */
};

void harness_probe_fill(int fill)
{
    (void)mallopt(M_PERTURB, fill);
}

/* Small blocks that were freed before are handed out again as they are, whatever mallopt says: this fills them by
 * hand. */
static void fill_small_blocks(int fill)
{
    void *blocks[EACH];
    for (size_t size = GRAIN; size <= SMALL; size += GRAIN) {
        for (int i = 0; i < EACH; i++) {
            blocks[i] = malloc(size);
            if (blocks[i] != NULL && fill != 0)
                memset(blocks[i], ~fill & 0xFF, size);
        }
        for (int i = EACH; i-- > 0;)
            free(blocks[i]);
    }
}

/* The worker's memory, and so that of a backend's process, which is a copy of the worker. Also done for 0, so that
 * malloc gives the same addresses with every filling. */
static void fill_memory(int fill)
{
    char text[16];
    harness_probe_fill(fill);
    (void)snprintf(text, sizeof text, "%d", fill);
    (void)setenv("MALLOC_PERTURB_", text, 1); /* for programs that a plug-in starts */
    fill_small_blocks(fill);
}

/* Takes blocks of this size until malloc has none below `end` any more. */
static void take_below(uintptr_t end, size_t size)
{
    for (int i = 0; i < MOST; i++) {
        void *volatile const block = malloc(size); /* or compilers would see that nobody needs it */
        if (block == NULL || (uintptr_t)block >= end)
            return;
    }
}

/*
 * The heap goes on at another multiple of STEP, so that where blocks lie from now on depends on nothing but `shift`;
 * blocks that were free are taken. What malloc maps lies elsewhere, too.
 */
static void move_memory(unsigned shift)
{
    if (shift == 0)
        return;
    const uintptr_t now = (uintptr_t)sbrk(0);
    const uintptr_t end = (now + (uintptr_t)shift * STEP) / STEP * STEP;
    if (now == UINTPTR_MAX || sbrk((intptr_t)(end - now)) == (void *)-1)
        return;
    for (size_t size = SMALL; size > 0; size -= GRAIN)
        take_below(end, size);
    void *const mapped = mmap(NULL, (size_t)shift * STEP, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)mapped;
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
