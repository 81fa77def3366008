/*
 * Shared by the targets for file formats. An input is a file as its reader gets it. No bytes may harm the reader, and
 * each of its errors must begin with the name of the file.
 *
 * A target is fuzz_NAME.c with saved_beginning and saved_read.
 */
#ifndef HARNESS_TARGETS_SAVED_H
#define HARNESS_TARGETS_SAVED_H

#include "harness/case/error.h"

#include <stddef.h>
#include <stdint.h>

/* The name of the file, for readers that need one and for messages. */
extern const char saved_name[];

/* ----------------------------------------------------------------------------------------------- given by a target */

/* What every such file contains, at its beginning or after comments. It is put before an input that lacks it, since no
 * engine would guess it; "": nothing. */
extern const char saved_beginning[];

/* Makes what all inputs need, before the first one, so that no engine takes it for what an input reaches. A target may
 * lack it. */
void saved_begin(void) __attribute__((weak));

/* Reads the file, which is followed by a 0 byte that `size` does not count. HARNESS_BAD_INPUT: `error` says why. */
enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error);

#endif
