/*
 * The pack `registers`: which bits of each internal register keep what a list writes (REG-01). For each block of 64 ids
 * and each of four patterns a case writes the pattern and nothing else; then the block is read back, by ReadHWRegs.
 *
 * docs/spec says that all 32 bits are stored, and that a console stores fewer: known alternative is that it stores the
 * bits of the register's fields (pica/fields.def). Whatever else comes back is shown as it was seen.
 */
#ifndef HARNESS_CONSOLE_PACKS_REGISTERS_H
#define HARNESS_CONSOLE_PACKS_REGISTERS_H

#include "harness/console/packs/splits.h"
#include "harness/console/results.h"

enum {
    CONSOLE_REGISTER_PATTERNS = 4
};

/* As console_pack_adder (packs.h). */
enum harness_status console_registers_add(struct console_asking *asking, struct harness_error *error);

/* Why no case writes the register; NULL: one does. */
const char *console_register_left_out(uint32_t id);

/* The bits that the fields of the register occupy. */
uint32_t console_register_documented(uint32_t id);

struct console_register_row {
    enum console_verdict verdict;
    bool seen[CONSOLE_REGISTER_PATTERNS], is_unstable, hung;
    uint32_t words[CONSOLE_REGISTER_PATTERNS]; /* that came back */
    uint32_t kept;                             /* bits that came back as written for every pattern */
    uint32_t ones;                             /* bits that came back 1 for every pattern */
    char remark[120];
};

struct console_registers_table {
    size_t cases;                      /* of this pack in the file; 0: it is not of this pack */
    struct console_register_row *rows; /* PICA_REG_TOTAL of them */
};

/* Reads the blocks of all results; console_registers_free empties it. */
enum harness_status console_registers_judge(const struct console_view *view, const struct console_results *results,
                                            size_t count, struct console_registers_table *out,
                                            struct harness_error *error);
void console_registers_free(struct console_registers_table *table);

#endif
