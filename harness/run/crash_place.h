/*
 * Where does a plug-in crash? In the process that hosts it, a handler says so on stderr in one line just before the
 * process dies of its signal; the process that reads this names the function. No debugger is needed.
 *
 *     picafuzz: crashed at /home/me/libmygpu.so+0x1a2b (pica_texture_fetch+0x1b)
 */
#ifndef HARNESS_RUN_CRASH_PLACE_H
#define HARNESS_RUN_CRASH_PLACE_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_CRASH_NAME = 80
};

/* The innermost frame of the stack that lies in the plug-in. Plain data. */
struct harness_crash_place {
    char name[HARNESS_CRASH_NAME]; /* function, or file of the library if none is known; "": no place is known */
    uint32_t offset;               /* in that function or library */
    bool is_function;
};

/* In the process that hosts the backend, once it is opened: from now on the handler reports fatal signals, unless the
 * plug-in installs its own. A frame in the library that holds the backend's functions is preferred to any other. May be
 * called for several backends. */
void harness_crash_watch(const struct pica_backend *backend);

/* Finds the place in what such a process said: the handler's line, or the report of a sanitizer. */
void harness_crash_find(const char *said, struct harness_crash_place *out);

/* Puts the function behind a handler's line that lacks it, if it is known, in a text in `size` bytes. */
void harness_crash_complete(char *text, size_t size);

/* Finds the place in the end of a file that such a process writes to (0: none). False: no place is known. */
bool harness_crash_find_in(int file, struct harness_crash_place *out);

/* The function of an ELF file that holds the offset, also a static one; false if its symbols do not tell. */
bool harness_crash_function(const char *path, uint64_t offset, char *name, size_t size, uint32_t *into);

#endif
