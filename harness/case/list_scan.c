#include "harness/case/list_scan.h"
#include "pica/regs.h"

#include <string.h>

void harness_scan_init(struct harness_scan *scan)
{
    memset(scan, 0, sizeof *scan);
}

static bool in_port(uint32_t id, uint32_t first, uint32_t last)
{
    return id >= first && id <= last;
}

enum harness_port harness_port_of(uint32_t id, uint32_t *unit)
{
    for (*unit = 0; *unit < 2; *unit += 1) {
        if (in_port(id, pica_reg_shader(*unit, PICA_REG_VSH_CODETRANSFER_DATA0),
                    pica_reg_shader(*unit, PICA_REG_VSH_CODETRANSFER_DATA7)))
            return HARNESS_PORT_CODE;
        if (in_port(id, pica_reg_shader(*unit, PICA_REG_VSH_OPDESCS_DATA0),
                    pica_reg_shader(*unit, PICA_REG_VSH_OPDESCS_DATA7)))
            return HARNESS_PORT_OPDESCS;
        if (in_port(id, pica_reg_shader(*unit, PICA_REG_VSH_FLOATUNIFORM_DATA0),
                    pica_reg_shader(*unit, PICA_REG_VSH_FLOATUNIFORM_DATA7)))
            return HARNESS_PORT_UNIFORMS;
    }
    *unit = 0;
    return in_port(id, PICA_REG_FIXEDATTRIB_DATA0, PICA_REG_FIXEDATTRIB_DATA2) ? HARNESS_PORT_FIXED : HARNESS_PORT_NONE;
}

static void scan_index(struct harness_scan *scan, uint32_t id, uint32_t value)
{
    for (uint32_t unit = 0; unit < 2; unit++) {
        if (id == pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX))
            scan->units[unit].code_index = value;
        else if (id == pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_INDEX))
            scan->units[unit].opdescs_index = value;
        else if (id == pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX))
            scan->units[unit].float32 = pica_shader_floatuniform_index_format(value) == PICA_UNIFORM_FORMAT_FLOAT32;
    }
}

static void scan_write(struct harness_scan *scan, uint32_t id, uint32_t value)
{
    uint32_t unit;
    const enum harness_port port = harness_port_of(id, &unit);
    if (port == HARNESS_PORT_CODE) {
        scan->units[unit].code_index += 1;
    } else if (port == HARNESS_PORT_OPDESCS) {
        struct harness_descriptors *const descriptors = &scan->units[unit].descriptors;
        const uint32_t index = scan->units[unit].opdescs_index;
        if (index < HARNESS_DESCRIPTORS) {
            descriptors->words[index] = value;
            descriptors->known[index] = UINT32_MAX;
        }
        scan->units[unit].opdescs_index = index + 1;
    } else if (port == HARNESS_PORT_NONE) {
        scan_index(scan, id, value);
    }
}

void harness_scan_command(struct harness_scan *scan, const struct harness_command *command)
{
    /* Nothing below 0x280 matters, and most commands write there. */
    if (command->id + (command->consecutive ? command->count : 1u) <= PICA_REG_GSH_BOOLUNIFORM ||
        command->id >= PICA_REGISTERS)
        return;
    for (uint32_t k = 0; k < command->count; k++)
        scan_write(scan, harness_command_register(command, k), command->parameters[k]);
}

/* VTX-20, VTX-41: the command draws, or sends vertices. */
static bool draws(const struct harness_command *command)
{
    for (uint32_t k = 0; k < command->count; k++) {
        const uint32_t id = harness_command_register(command, k);
        if (id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS)
            return true;
        if (id == PICA_REG_FIXEDATTRIB_INDEX && pica_fixedattrib_index_index(command->parameters[k]) == 15)
            return true;
        if (!command->consecutive)
            return false;
    }
    return false;
}

static bool writes(const struct harness_command *command, uint32_t first, uint32_t last)
{
    const uint32_t end = command->consecutive ? command->id + command->count - 1u : command->id;
    return command->id <= last && end >= first;
}

const struct harness_descriptors *harness_scan_ahead(struct harness_ahead *ahead, const struct harness_scan *now,
                                                     const struct harness_list *list, uint32_t index, uint32_t unit)
{
    if (index < ahead->until)
        return &ahead->scan.units[unit].descriptors;
    bool described = false;
    uint32_t i = index;
    ahead->scan = *now;
    for (; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        const uint32_t code_index = pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX);
        if (i > index && (draws(command) || (described && writes(command, code_index, code_index))))
            break;
        described = described || writes(command, pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_DATA0),
                                        pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_DATA7));
        harness_scan_command(&ahead->scan, command);
    }
    ahead->until = i;
    return &ahead->scan.units[unit].descriptors;
}
