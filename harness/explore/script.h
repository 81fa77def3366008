/*
 * The data files of a page: scripts that hand a string to it. A page opened from a disk may load scripts, and nothing
 * else, so bytes travel as base64 of a zlib stream.
 */
#ifndef HARNESS_EXPLORE_SCRIPT_H
#define HARNESS_EXPLORE_SCRIPT_H

#include "harness/case/error.h"
#include "harness/case/text.h"

#include <stdint.h>

/* Appends two bytes, the low one first; harness_text_word appends four. */
void explore_put16(struct harness_text *out, uint32_t value);

/* Writes DIRECTORY/NAME.js, which calls explore.take(NAME, bytes). Adds what was written to *total. */
enum harness_status explore_write_script(const char *directory, const char *name, const struct harness_text *bytes,
                                         uint64_t *total, struct harness_error *error);

/* The same for the text of a JSON object, which it deletes. */
struct cJSON;
enum harness_status explore_write_json(const char *directory, const char *name, struct cJSON *object, uint64_t *total,
                                       struct harness_error *error);

#endif
