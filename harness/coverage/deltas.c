#include "harness/coverage/deltas.h"

#include "pica/regs.h"

#include <string.h>

/* Is the register without effect on any draw? These only decide about events, or what a list may write. */
static bool is_marker(uint32_t id)
{
    return id == PICA_REG_START_DRAW_FUNC0 || id == PICA_REG_GEOSTAGE_CONFIG2;
}

/* Is the port an alias of the one before it? Their names differ only in the last digit. */
static bool is_alias(uint32_t id)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    const struct pica_reg_info *const before = pica_reg_info(id - 1u);
    const size_t length = strlen(info->name);
    return before->reg_class == PICA_REG_CLASS_PORT && strlen(before->name) == length &&
           strncmp(before->name, info->name, length - 1u) == 0;
}

void harness_deltas_init(struct harness_deltas *deltas)
{
    memset(deltas, 0, sizeof *deltas);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        const enum pica_reg_class reg_class = pica_reg_info(id)->reg_class;
        const bool config = reg_class == PICA_REG_CLASS_CONFIG || reg_class == PICA_REG_CLASS_CONFIG_TRIGGER;
        deltas->names[id] = (uint16_t)(config && !is_marker(id) ? id : HARNESS_DELTA_NONE);
        if (reg_class != PICA_REG_CLASS_PORT)
            continue;
        deltas->names[id] = is_alias(id) ? deltas->names[id - 1u] : (uint16_t)id;
        deltas->ports[deltas->port_count++] = (uint16_t)id;
    }
    harness_deltas_begin(deltas);
}

bool harness_delta_is_named(const struct harness_deltas *deltas, uint32_t id)
{
    return deltas->names[id] == id;
}

void harness_deltas_begin(struct harness_deltas *deltas)
{
    deltas->drawn = false;
    deltas->written = HARNESS_DELTA_NONE;
}

/* What has changed if it was `known` so far and `more` has changed now. */
static uint32_t joined(uint32_t known, uint32_t more)
{
    return known == HARNESS_DELTA_NONE || known == more ? more : HARNESS_DELTA_SEVERAL;
}

/* Notes the ports that were written. REG-25: the words of an immediate vertex are no change. */
static void note_ports(struct harness_deltas *deltas, uint32_t trigger, const uint8_t *written)
{
    const uint32_t vertices = trigger == PICA_REG_DRAWARRAYS || trigger == PICA_REG_DRAWELEMENTS
                                  ? (uint32_t)HARNESS_DELTA_NONE
                                  : (uint32_t)PICA_REG_FIXEDATTRIB_DATA0;
    for (uint32_t i = 0; i < deltas->port_count; i++)
        if (written[deltas->ports[i]] != 0 && deltas->names[deltas->ports[i]] != vertices)
            deltas->written = joined(deltas->written, deltas->names[deltas->ports[i]]);
}

static uint32_t compare(const struct harness_deltas *deltas, const uint32_t *registers)
{
    enum {
        RUN = 32
    };
    uint32_t found = deltas->written;
    for (uint32_t first = 0; first < PICA_REGISTERS && found != HARNESS_DELTA_SEVERAL; first += RUN) {
        if (memcmp(&deltas->before[first], &registers[first], RUN * sizeof *registers) == 0)
            continue;
        for (uint32_t id = first; id < first + RUN; id++)
            if (deltas->before[id] != registers[id] && deltas->names[id] == id)
                found = joined(found, id);
    }
    return found;
}

uint32_t harness_deltas_draw(struct harness_deltas *deltas, const struct pica_draw *draw, const uint8_t *written,
                             bool effect)
{
    note_ports(deltas, draw->trigger, written);
    if (!effect)
        return HARNESS_DELTA_SEVERAL;
    const uint32_t found = deltas->drawn ? compare(deltas, draw->registers) : (uint32_t)HARNESS_DELTA_SEVERAL;
    memcpy(deltas->before, draw->registers, sizeof deltas->before);
    deltas->written = HARNESS_DELTA_NONE;
    deltas->drawn = true;
    return found;
}
