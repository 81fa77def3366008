/*
 * What the targets of one file format share. An input is a file as its reader gets it; no bytes harm the reader, and
 * what it refuses it says, with the name of the file first.
 *
 * A target is fuzz_NAME.c with saved_beginning and saved_read.
 */
#ifndef HARNESS_TARGETS_SAVED_H
#define HARNESS_TARGETS_SAVED_H

#include "harness/case/error.h"

#include <stddef.h>
#include <stdint.h>

/* What the file is called, for readers that are given a name and for messages. */
extern const char saved_name[];

/* ----------------------------------------------------------------------------------------------- given by a target */

/* What every such file begins with, after comments: put before an input that has it nowhere, for no engine guesses it.
 * "" is nothing. */
extern const char saved_beginning[];

/* Reads the file, which is followed by a 0 byte; HARNESS_BAD_INPUT says why in `error`. */
enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error);

#endif
