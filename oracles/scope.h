/*
 * Which parts of two runs are compared. A backend declares what it models (struct pica_models), and a user may exclude
 * more. What is not compared must not pass for agreement, so code that prints a verdict also prints the scope.
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
    bool some_pages;                            /* of memory only the pages that both runs hold (oracle_run.held) */
    uint64_t lines;                             /* bit per line number of pica/state.def: compared, if its part is */
};

/* The scope that includes everything. */
void oracle_scope_all(struct oracle_scope *out);

/* The scope that a backend declares; NULL: memory only. */
void oracle_scope_declared(const struct pica_models *models, struct oracle_scope *out);

/* Intersects the scope with `other`. */
void oracle_scope_meet(struct oracle_scope *scope, const struct oracle_scope *other);

/* Does the scope include everything? */
bool oracle_scope_is_all(const struct oracle_scope *scope);

/* The bit of a part by its name ("memory", "registers", "engines", ...), or 0. */
uint32_t oracle_scope_part(const char *name);

/* "memory, registers, engines, ...": all names. Static. */
const char *oracle_scope_part_names(void);

/* Excludes a part by name, a member of a part by its name in pica/state.def, or a register by its name in pica/regs.def
 * or pica/extregs.def. False if the name is unknown. */
bool oracle_scope_ignore(struct oracle_scope *scope, const char *name);

/* The part that the bytes of struct pica_state from `offset` on belong to. */
enum pica_part oracle_scope_part_at(size_t offset);

/* The part that a line of pica/state.def belongs to. */
enum pica_part oracle_scope_part_of(uint32_t line);

bool oracle_scope_has_register(const struct oracle_scope *scope, uint32_t id);
bool oracle_scope_has_engine(const struct oracle_scope *scope, uint32_t word);
bool oracle_scope_has_lcd_fill(const struct oracle_scope *scope, uint32_t screen);
bool oracle_scope_has_line(const struct oracle_scope *scope, uint32_t number); /* of pica/state.def */

/* "memory, registers but 2, engines but STATUS"; "nothing" if it is empty. */
void oracle_scope_text(const struct oracle_scope *scope, char *out, size_t size);

#endif
