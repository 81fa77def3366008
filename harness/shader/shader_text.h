/* A shader as text: what shader_asm.h assembles to the same words again, and comments with what else the file says. */
#ifndef HARNESS_SHADER_SHADER_TEXT_H
#define HARNESS_SHADER_SHADER_TEXT_H

#include "harness/shader/shader_file.h"

/* What each address is called in the text of the code: elements of `out` are names of the file, or NULL. Of two names
 * of an address the first counts; a name that no label can have, or that another address has, does not. */
void harness_shader_labels(const struct harness_shader_file *file, const char *out[HARNESS_MAX_CODE + 1]);

/* The whole file; `name` is what its first line calls it. */
void harness_shader_text(const struct harness_shader_file *file, const char *name, struct harness_text *out);

/* "0.5 1.0 0.0 inf": the value of a constant. */
void harness_shader_constant_text(const struct harness_shader_constant *constant, struct harness_text *out);

#endif
