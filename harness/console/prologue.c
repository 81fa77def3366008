/*
 * Order matters: the modes in which uploads are taken (REG-43, REG-44, REG-27) come first, then tables, code and
 * uniforms through their ports, whose index registers move, then all registers, the modes that are wanted at last.
 */
#include "harness/console/prologue.h"

#include "harness/case/numbers.h"
#include "pica/regs.h"

#include <string.h>

enum {
    BURST = 256,              /* parameters of a command, at most */
    VERTEX_CODE_WORDS = 512,  /* REG-21 */
    OPERAND_DESCRIPTORS = 128 /* that can be referenced */
};

/* ----------------------------------------------------------------------------------------------------------- ports */

/* `count` words through a port, after its index register was set to `index`. */
static void upload(struct console_words *words, uint32_t index_id, uint32_t index, uint32_t port_id,
                   const uint32_t *values, uint32_t count)
{
    console_words_write(words, index_id, index);
    for (uint32_t done = 0; done < count; done += BURST)
        console_words_burst(words, port_id, false, values + done, count - done < BURST ? count - done : BURST);
}

static bool differs(const void *present, const void *wanted, size_t size)
{
    return present == NULL || memcmp(present, wanted, size) != 0;
}

/* One table: words of the member `member` of the state. */
#define TABLE(member, index_id, index, port_id)                                             \
    do {                                                                                    \
        if (differs(present != NULL ? present->tables.member : NULL, wanted->tables.member, \
                    sizeof wanted->tables.member))                                          \
            upload(words, index_id, index, port_id, wanted->tables.member,                  \
                   (uint32_t)(sizeof wanted->tables.member / sizeof(uint32_t)));            \
    } while (false)

/* Proctex tables by REG-31; lighting tables 2 and 7 are never read (REG-30), so they are left alone. */
static void put_tables(struct console_words *words, const struct pica_state *present, const struct pica_state *wanted)
{
    TABLE(proctex_noise, PICA_REG_PROCTEX_LUT, 0x000, PICA_REG_PROCTEX_LUT_DATA0);
    TABLE(proctex_color_map, PICA_REG_PROCTEX_LUT, 0x200, PICA_REG_PROCTEX_LUT_DATA0);
    TABLE(proctex_alpha_map, PICA_REG_PROCTEX_LUT, 0x300, PICA_REG_PROCTEX_LUT_DATA0);
    TABLE(proctex_color, PICA_REG_PROCTEX_LUT, 0x400, PICA_REG_PROCTEX_LUT_DATA0);
    TABLE(proctex_difference, PICA_REG_PROCTEX_LUT, 0x500, PICA_REG_PROCTEX_LUT_DATA0);
    TABLE(fog, PICA_REG_FOG_LUT_INDEX, 0, PICA_REG_FOG_LUT_DATA0);
    TABLE(gas, PICA_REG_GAS_LUT_INDEX, 0, PICA_REG_GAS_LUT_DATA);
    for (uint32_t i = 0; i < 24; i++)
        if (i != 2 && i != 7)
            TABLE(lighting[i], PICA_REG_LIGHTING_LUT_INDEX, i << 8, PICA_REG_LIGHTING_LUT_DATA0);
}

/* REG-22, REG-23: binary32 mode, w first. */
static void put_uniforms(struct console_words *words, uint32_t unit, const struct pica_vector *uniforms)
{
    uint32_t values[4 * PICA_FLOAT_UNIFORMS];
    for (uint32_t i = 0; i < PICA_FLOAT_UNIFORMS; i++)
        for (uint32_t k = 0; k < 4; k++)
            values[4 * i + k] = uniforms[i].bits[3 - k];
    upload(words, pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX), 0x80000000u,
           pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_DATA0), values, 4 * PICA_FLOAT_UNIFORMS);
}

static void put_unit(struct console_words *words, uint32_t unit, const struct pica_shader_unit *present,
                     const struct pica_shader_unit *wanted)
{
    const uint32_t code_words = unit == PICA_UNIT_VERTEX ? VERTEX_CODE_WORDS : PICA_CODE_WORDS;
    if (differs(present != NULL ? present->code : NULL, wanted->code, code_words * sizeof(uint32_t))) {
        upload(words, pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX), 0,
               pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_DATA0), wanted->code, code_words);
        console_words_write(words, pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_END), 1);
    }
    if (differs(present != NULL ? present->opdesc : NULL, wanted->opdesc, OPERAND_DESCRIPTORS * sizeof(uint32_t)))
        upload(words, pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_INDEX), 0,
               pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_DATA0), wanted->opdesc, OPERAND_DESCRIPTORS);
    if (differs(present != NULL ? present->uniforms : NULL, wanted->uniforms, sizeof wanted->uniforms))
        put_uniforms(words, unit, wanted->uniforms);
}

/* REG-25, REG-23: three words of four float24, w first. Writing the index empties the queue. */
static void put_fixed(struct console_words *words, const struct pica_state *wanted)
{
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t raw[4], values[3];
        for (uint32_t k = 0; k < 4; k++)
            raw[k] = harness_float_raw(HARNESS_FLOAT24, harness_float_value(HARNESS_FLOAT32, wanted->fixed[i].bits[k]));
        harness_float24_pack(raw, values);
        console_words_write(words, PICA_REG_FIXEDATTRIB_INDEX, i);
        console_words_burst(words, PICA_REG_FIXEDATTRIB_DATA0, true, values, 3);
    }
}

/* ------------------------------------------------------------------------------------------------------- registers */

/* Written apart, first and last. */
static bool is_mode(uint32_t id)
{
    return id == PICA_REG_GEOSTAGE_CONFIG || id == PICA_REG_VSH_COM_MODE || id == PICA_REG_START_DRAW_FUNC0 ||
           id == PICA_REG_GEOSTAGE_CONFIG2;
}

/* Registers whose value has a meaning; not ports, triggers and interrupts. Channel 0 of the lists is the system's. */
static bool is_setting(uint32_t id)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    if (is_mode(id) || info->layout == PICA_LAYOUT_NONE || id == PICA_REG_CMDBUF_SIZE0 || id == PICA_REG_CMDBUF_ADDR0)
        return false;
    switch (info->reg_class) {
    case PICA_REG_CLASS_CONFIG:
    case PICA_REG_CLASS_INDEX:
    case PICA_REG_CLASS_CONFIG_TRIGGER:
    case PICA_REG_CLASS_STORAGE: return true;
    case PICA_REG_CLASS_PORT:
    case PICA_REG_CLASS_TRIGGER:
    case PICA_REG_CLASS_IRQ_REQUEST:
    case PICA_REG_CLASS_CPU_ONLY: break;
    }
    return false;
}

/* HNG-07: four registers whose upper half has no effect that is known but a hang. */
static void make_safe(uint32_t registers[PICA_REGISTERS])
{
    static const uint32_t ids[] = { PICA_REG_GSH_BOOLUNIFORM, PICA_REG_GSH_ENTRYPOINT, PICA_REG_VSH_BOOLUNIFORM,
                                    PICA_REG_VSH_ENTRYPOINT };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        registers[ids[i]] = 0x7FFF0000u | (registers[ids[i]] & 0xFFFFu);
}

/* All of them, also those that are right already: ports before moved the index registers. Runs of neighbours are one
 * command. */
static void put_registers(struct console_words *words, const uint32_t *registers)
{
    uint32_t wanted[PICA_REGISTERS];
    memcpy(wanted, registers, sizeof wanted);
    make_safe(wanted);
    for (uint32_t id = PICA_REG_FACECULLING_CONFIG; id < PICA_REGISTERS;) {
        uint32_t count = 0;
        while (id + count < PICA_REGISTERS && is_setting(id + count) && count < 32)
            count++;
        if (count != 0)
            console_words_burst(words, id, true, wanted + id, count);
        id += count != 0 ? count : 1;
    }
}

/* CON-43, CON-45: what caches hold is of another time. A flush is not among these: it hangs without a draw (CON-51). */
static void drop_caches(struct console_words *words, const uint32_t *wanted)
{
    console_words_write(words, PICA_REG_FRAMEBUFFER_INVALIDATE, 1);
    console_words_write(words, PICA_REG_TEXUNIT_CONFIG, wanted[PICA_REG_TEXUNIT_CONFIG] | 1u << 16);
    console_words_write(words, PICA_REG_VTX_FUNC, 1);
}

/* Uploads are taken in configuration mode, and not shared with the geometry unit. */
static void enter(struct console_words *words, const uint32_t *wanted)
{
    console_words_write(words, PICA_REG_GEOSTAGE_CONFIG2, wanted[PICA_REG_GEOSTAGE_CONFIG2] & ~1u);
    console_words_write(words, PICA_REG_START_DRAW_FUNC0, 1);
    console_words_write(words, PICA_REG_GEOSTAGE_CONFIG, 0);
    console_words_write(words, PICA_REG_VSH_COM_MODE, 1);
}

static void leave(struct console_words *words, const uint32_t *wanted)
{
    console_words_write(words, PICA_REG_GEOSTAGE_CONFIG, wanted[PICA_REG_GEOSTAGE_CONFIG]);
    console_words_write(words, PICA_REG_VSH_COM_MODE, wanted[PICA_REG_VSH_COM_MODE]);
    console_words_write(words, PICA_REG_GEOSTAGE_CONFIG2, wanted[PICA_REG_GEOSTAGE_CONFIG2]);
    console_words_write(words, PICA_REG_START_DRAW_FUNC0, wanted[PICA_REG_START_DRAW_FUNC0]);
}

void console_prologue(struct console_words *words, const struct pica_state *present, const struct pica_state *wanted)
{
    if (present != NULL && memcmp(present, wanted, sizeof *wanted) == 0)
        return;
    enter(words, wanted->registers);
    drop_caches(words, wanted->registers);
    put_tables(words, present, wanted);
    for (uint32_t unit = 0; unit < 2; unit++)
        put_unit(words, unit, present != NULL ? &present->units[unit] : NULL, &wanted->units[unit]);
    if (differs(present != NULL ? present->fixed : NULL, wanted->fixed, sizeof wanted->fixed))
        put_fixed(words, wanted);
    put_registers(words, wanted->registers);
    leave(words, wanted->registers);
    console_words_finalize(words);
}
