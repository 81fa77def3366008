/* The internal registers of regs.def: ids, reset values, classes, and the ids of register groups by index. */
#ifndef PICA_REGS_H
#define PICA_REGS_H

#include <assert.h>
#include <stdint.h>

#include "pica/enums.h"
#include "pica/fields.h"

enum pica_reg {
#define REG(id, NAME, layout, reset, CLASS, rule) PICA_REG_##NAME = id,
#include "pica/regs.def"
};

enum {
    PICA_REG_TOTAL = 0
#define REG(id, NAME, layout, reset, CLASS, rule) +1
#include "pica/regs.def"
};

/* What a write to an id does: the classes of the id table, 10-command-stream.md section 5. */
enum pica_reg_class {
    PICA_REG_CLASS_CONFIG,         /* C: a word that is looked at when something uses it */
    PICA_REG_CLASS_INDEX,          /* X: says where the words of a port go */
    PICA_REG_CLASS_PORT,           /* F: consumes a stream of words */
    PICA_REG_CLASS_TRIGGER,        /* T: the write itself does something */
    PICA_REG_CLASS_CONFIG_TRIGGER, /* C+T: both; such an id never raises the event masked-port (CMD-06) */
    PICA_REG_CLASS_IRQ_REQUEST,    /* Q: interrupt request words (REG-12) */
    PICA_REG_CLASS_CPU_ONLY,       /* K: ignored in lists (REG-11) */
    PICA_REG_CLASS_STORAGE         /* S: stored without effect (REG-06) */
};

struct pica_reg_info {
    uint32_t id;
    const char *name; /* "TEXENV0_SOURCE" */
    enum pica_layout layout;
    uint32_t reset; /* REG-02 */
    enum pica_reg_class reg_class;
    const char *rule;
};

/* NULL for ids of PICA_REG_TOTAL and above. */
const struct pica_reg_info *pica_reg_info(uint32_t id);

/* NULL if no register has that name. */
const struct pica_reg_info *pica_reg_by_name(const char *name);

/* Combiner stage 0-5; `base` is the register of stage 0: pica_reg_texenv(i, PICA_REG_TEXENV0_SOURCE). */
static inline uint32_t pica_reg_texenv(uint32_t stage, enum pica_reg base)
{
    assert(stage < 6u && base >= PICA_REG_TEXENV0_SOURCE && base <= PICA_REG_TEXENV0_SCALE);
    return (uint32_t)base + 8u * stage + (stage >= 4u ? 0x10u : 0u);
}

/* Texture unit 0-2; `base` is a register of unit 0 that units 1 and 2 have too (ADDR1 stands for their ADDR). */
static inline uint32_t pica_reg_texunit(uint32_t unit, enum pica_reg base)
{
    assert(unit < 3u && ((base >= PICA_REG_TEXUNIT0_BORDER_COLOR && base <= PICA_REG_TEXUNIT0_ADDR1) ||
                         base == PICA_REG_TEXUNIT0_TYPE));
    if (base == PICA_REG_TEXUNIT0_TYPE)
        return (uint32_t)base + 8u * unit;
    return (uint32_t)base + (unit == 0u ? 0u : 8u + 8u * unit);
}

/* Light 0-7; `base` is the register of light 0. */
static inline uint32_t pica_reg_light(uint32_t light, enum pica_reg base)
{
    assert(light < 8u && base >= PICA_REG_LIGHT0_SPECULAR0 && base <= PICA_REG_LIGHT0_ATTENUATION_SCALE);
    return (uint32_t)base + 0x10u * light;
}

/* Vertex array (loader) 0-11; `base` is the register of array 0. */
static inline uint32_t pica_reg_attribbuffer(uint32_t array, enum pica_reg base)
{
    assert(array < 12u && base >= PICA_REG_ATTRIBBUFFER0_OFFSET && base <= PICA_REG_ATTRIBBUFFER0_CONFIG2);
    return (uint32_t)base + 3u * array;
}

/* Shader unit, PICA_UNIT_VERTEX (0) or PICA_UNIT_GEOMETRY (1); `base` is the VSH register. */
static inline uint32_t pica_reg_shader(uint32_t unit, enum pica_reg base)
{
    assert(unit < 2u && base >= PICA_REG_VSH_BOOLUNIFORM && base <= PICA_REG_VSH_OPDESCS_DATA7);
    return (uint32_t)base - 0x30u * unit;
}

/* Command list channel 0-1; `base` is the register of channel 0. */
static inline uint32_t pica_reg_cmdbuf(uint32_t channel, enum pica_reg base)
{
    assert(channel < 2u &&
           (base == PICA_REG_CMDBUF_SIZE0 || base == PICA_REG_CMDBUF_ADDR0 || base == PICA_REG_CMDBUF_JUMP0));
    return (uint32_t)base + channel;
}

#endif
