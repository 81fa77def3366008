/*
 * What of two runs is compared. A backend declares what it models (struct pica_models), and a user may leave more out;
 * the rest is not looked at, which is never called agreement: whoever prints a verdict prints the scope beside it.
 */
#ifndef ORACLES_SCOPE_H
#define ORACLES_SCOPE_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ORACLE_SCOPE_TEXT = 192
};

struct oracle_scope {
    uint32_t parts;                             /* enum pica_part */
    uint64_t registers[PICA_REGISTERS / 64];    /* bit id % 64 of word id / 64: compared, if its part is */
    uint64_t engines[PICA_EXTERNAL_WORDS / 64]; /* by word of 0x10400000 */
    uint64_t lcd_fill;                          /* bits 0 and 1 */
    bool some_pages;                            /* of memory only those that both runs hold (oracle_run.held) */
    uint64_t lines;                             /* of pica/state.def, by number: compared, if its part is */
};

/* Everything. */
void oracle_scope_all(struct oracle_scope *out);

/* What a backend declares; NULL: memory, and nothing else. */
void oracle_scope_declared(const struct pica_models *models, struct oracle_scope *out);

/* Leaves out what `other` does not have. */
void oracle_scope_meet(struct oracle_scope *scope, const struct oracle_scope *other);

/* Is it everything? */
bool oracle_scope_is_all(const struct oracle_scope *scope);

/* The bit of a part by its name ("memory", "registers", "engines", ...), or 0. */
uint32_t oracle_scope_part(const char *name);

/* "memory, registers, engines, ...": all names. Static. */
const char *oracle_scope_part_names(void);

/* Leaves out a part by name, a member of one by its name in pica/state.def, or a register by its name in pica/regs.def
 * or pica/extregs.def. False if there is none. */
bool oracle_scope_ignore(struct oracle_scope *scope, const char *name);

/* The part that the bytes of struct pica_state from `offset` on belong to. */
enum pica_part oracle_scope_part_at(size_t offset);

/* That of a line of pica/state.def. */
enum pica_part oracle_scope_part_of(uint32_t line);

bool oracle_scope_has_register(const struct oracle_scope *scope, uint32_t id);
bool oracle_scope_has_engine(const struct oracle_scope *scope, uint32_t word);
bool oracle_scope_has_lcd_fill(const struct oracle_scope *scope, uint32_t screen);
bool oracle_scope_has_line(const struct oracle_scope *scope, uint32_t number); /* of pica/state.def */

/* "memory, registers but 2, engines but STATUS"; "nothing" if it is empty. */
void oracle_scope_text(const struct oracle_scope *scope, char *out, size_t size);

#endif
