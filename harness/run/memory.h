/*
 * Memory of a process that hosts a plug-in: how much it may take, and whether it died for want of it. A plug-in that
 * does not check what malloc returns crashes like any other; only in the dying process can it be seen that memory was
 * refused.
 */
#ifndef HARNESS_RUN_MEMORY_H
#define HARNESS_RUN_MEMORY_H

enum {
    HARNESS_MEMORY_MIB = 4096 /* default limit */
};

/* From now on this process may take so much memory of its own (RLIMIT_DATA) beyond what it has: allocations beyond that
 * fail. 0: any amount. Nothing is limited where this program was built with a sanitizer, which takes terabytes of
 * addresses. */
void harness_memory_limit(unsigned mebibytes);

/* That limit; 0: none. */
unsigned harness_memory_limited(void);

/* From now on *refused becomes the limit if memory was refused before this process dies: by a signal that nobody else
 * handles, or by exit. */
void harness_memory_watch(volatile unsigned *refused);

/* A call of the plug-in begins: what was refused before does not matter. */
void harness_memory_begin(void);

/* This process is about to die; a handler of signals calls it first of all. If memory was refused, it says so where
 * harness_memory_watch wants it, and on stderr in one line: "picafuzz: out of memory: its limit is 256 MiB". */
void harness_memory_note(void);

#endif
