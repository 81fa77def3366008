/* The external registers of extregs.def: fill units, transfer engine, LCD controllers. */
#ifndef PICA_EXTREGS_H
#define PICA_EXTREGS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "pica/enums.h"
#include "pica/fields.h"

/* Offsets from PICA_EXTERNAL_ADDRESS. */
enum pica_extreg {
#define EXTREG(offset, NAME, layout, reset, stored, rule) PICA_EXTREG_##NAME = offset,
#include "pica/extregs.def"
};

/* Physical addresses. */
enum pica_lcdreg {
#define LCDREG(address, NAME, layout, reset, stored, rule) PICA_LCDREG_##NAME = address,
#include "pica/extregs.def"
};

struct pica_extreg_info {
    uint32_t address; /* offset of an EXTREG, physical address of an LCDREG */
    const char *name; /* "FILL0_START" */
    enum pica_layout layout;
    uint32_t reset;
    uint32_t stored; /* bits that keep a written value (PSC-01) */
    const char *rule;
};

/* The listed external registers by rising offset, and the LCD registers. */
const struct pica_extreg_info *pica_extregs(size_t *count);
const struct pica_extreg_info *pica_lcdregs(size_t *count);

/* NULL where extregs.def names nothing: such a word stores all 32 bits (PSC-01). */
const struct pica_extreg_info *pica_extreg_info(uint32_t offset);
const struct pica_extreg_info *pica_lcdreg_info(uint32_t address);

/* NULL if none has that name. */
const struct pica_extreg_info *pica_extreg_by_name(const char *name);
const struct pica_extreg_info *pica_lcdreg_by_name(const char *name);

/* Fill unit 0-1; `base` is the register of unit 0. */
static inline uint32_t pica_extreg_fill(uint32_t unit, enum pica_extreg base)
{
    assert(unit < 2u && base >= PICA_EXTREG_FILL0_START && base <= PICA_EXTREG_FILL0_CTRL);
    return (uint32_t)base + 0x10u * unit;
}

/* Screen 0 (top) or 1 (bottom); `base` is the register of PDC0. */
static inline uint32_t pica_extreg_pdc(uint32_t screen, enum pica_extreg base)
{
    assert(screen < 2u && base >= PICA_EXTREG_PDC0_SIZE && base <= PICA_EXTREG_PDC0_RIGHT1);
    return (uint32_t)base + 0x100u * screen;
}

#endif
