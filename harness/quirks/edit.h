/*
 * Changes a quirks file: one section is replaced, everything else stays byte for byte, comments included. The file is
 * written atomically, and only if it can be read again.
 */
#ifndef HARNESS_QUIRKS_EDIT_H
#define HARNESS_QUIRKS_EDIT_H

#include "harness/quirks/quirks.h"

/*
 * Replaces the section `choices` of a file, or creates the file. Choices are written one a line, with their question
 * and what the side does as comments. known[choice] false: it takes neither side, and is only a comment.
 */
enum harness_status harness_quirks_write_choices(const char *path, const struct pica_choices *choices,
                                                 const bool known[PICA_CHOICES], struct harness_error *error);

/* Adds an entry to the section `baseline`, or replaces the one for the same bucket or case; creates the file if there
 * is none. */
enum harness_status harness_quirks_accept(const char *path, const struct harness_accepted *entry,
                                          struct harness_error *error);

/* Replaces entry `index` by `count` others (0 removes it). */
enum harness_status harness_quirks_replace(const char *path, uint32_t index, const struct harness_accepted *entries,
                                           uint32_t count, struct harness_error *error);

#endif
