/*
 * The .3dsx file (CON-01 to CON-05): the program for the console, whose rodata segment is exchanged for a payload, and
 * the way back, for whoever imports results.
 */
#ifndef HARNESS_CONSOLE_PROGRAM_H
#define HARNESS_CONSOLE_PROGRAM_H

#include "harness/case/error.h"
#include "harness/case/text.h"

#include <stddef.h>
#include <stdint.h>

/* The program that this build embeds, with a rodata segment that is exchanged; *size is 0 if it was built without. */
const uint8_t *console_program(size_t *size);

/* Appends `program` with `payload` as its rodata segment. Bytes, whose size is a multiple of 4. */
enum harness_status console_program_embed(const uint8_t *program, size_t program_size, const uint8_t *payload,
                                          size_t payload_size, struct harness_text *out, struct harness_error *error);

/* Where in a .3dsx its rodata segment lies; `name` for messages. */
enum harness_status console_program_payload(const char *name, const uint8_t *bytes, size_t size,
                                            const uint8_t **payload, size_t *payload_size, struct harness_error *error);

#endif
