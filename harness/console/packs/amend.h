/*
 * What answers of a console change in the text of the project: tags of rules in docs/spec, sides in pica/splits.def,
 * and a row of docs/hardware.md for the piece of evidence that they are. As a patch, which `patch -p1` takes.
 */
#ifndef HARNESS_CONSOLE_PACKS_AMEND_H
#define HARNESS_CONSOLE_PACKS_AMEND_H

#include "harness/case/error.h"
#include "harness/case/text.h"

#include <stdbool.h>
#include <stdint.h>

struct console_amend;

/* Reads the text below a directory. HARNESS_BAD_INPUT if it is not there; on failure *out is NULL. */
enum harness_status console_amend_open(const char *tree, struct console_amend **out, struct harness_error *error);
void console_amend_close(struct console_amend *amend); /* accepts NULL */

/* The piece that this is: the first number that is free, "H82". */
const char *console_amend_piece(const struct console_amend *amend);

/* The console takes this side of a choice. `said` gets a line for each change: "FLT-27: [SPLIT] -> [HW H82]". */
void console_amend_choice(struct console_amend *amend, uint32_t choice, uint32_t side, struct harness_text *said);

/* It does what a rule says. */
void console_amend_rule(struct console_amend *amend, const char *rule, struct harness_text *said);

/* The row of the piece: what was measured, where, which rules, with which verdict. */
void console_amend_row(struct console_amend *amend, const char *what, const char *where, const char *rules,
                       const char *verdict);

/* Writes the patch. HARNESS_NO_MEMORY, or what the file says. */
enum harness_status console_amend_write(const struct console_amend *amend, const char *path,
                                        struct harness_error *error);

#endif
