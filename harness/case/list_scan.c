#include "harness/case/list_scan.h"
#include "pica/regs.h"

#include <string.h>

void harness_scan_init(struct harness_scan *scan)
{
    memset(scan, 0, sizeof *scan);
    oracle_follow_start(&scan->registers, NULL);
}

void harness_scan_command(struct harness_scan *scan, const struct harness_command *command)
{
    /* Nothing below 0x280 matters, and most commands write there. */
    if (command->id + (command->consecutive ? command->count : 1u) <= PICA_REG_GSH_BOOLUNIFORM ||
        command->id >= PICA_REGISTERS)
        return;
    for (uint32_t k = 0; k < command->count; k++) {
        const struct oracle_element element =
            oracle_follow_write(&scan->registers, harness_command_register(command, k), 15, command->parameters[k]);
        if (element.port != ORACLE_PORT_OPDESCS || element.index >= HARNESS_DESCRIPTORS)
            continue;
        scan->descriptors[element.unit].words[element.index] = command->parameters[k];
        scan->descriptors[element.unit].known[element.index] = UINT32_MAX;
    }
}

const struct harness_descriptors *harness_scan_ahead(struct harness_ahead *ahead, const struct harness_scan *now,
                                                     const struct harness_list *list, uint32_t index, uint32_t unit)
{
    if (index < ahead->until)
        return &ahead->scan.descriptors[unit];
    bool described = false;
    uint32_t i = index;
    ahead->scan = *now;
    for (; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        const uint32_t code_index = pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX);
        if (i > index && (harness_command_draws(command) ||
                          (described && harness_command_writes_to(command, code_index, code_index))))
            break;
        described = described || harness_command_writes_to(command, pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_DATA0),
                                                           pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_DATA7));
        harness_scan_command(&ahead->scan, command);
    }
    ahead->until = i;
    return &ahead->scan.descriptors[unit];
}
