#include "harness/trial/blame.h"

#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/opcodes.h"
#include "pica/regs.h"
#include "pica/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(char out[HARNESS_BLAME_TEXT], const char *text)
{
    (void)snprintf(out, HARNESS_BLAME_TEXT, "%s", text != NULL ? text : "");
}

/* 0: a number, 1: infinite, 2: not a number */
static int special(uint32_t bits)
{
    return (bits & 0x7F800000u) != 0x7F800000u ? 0 : (bits & 0x007FFFFFu) == 0 ? 1 : 2;
}

static bool one_is_special(const struct harness_location *location)
{
    const struct pica_trace_step *const a = &location->step_first, *const b = &location->step_second;
    if (!location->has_first || !location->has_second || a->type != PICA_TRACE_FLOAT)
        return false;
    for (uint32_t i = 0; i < a->count && i < b->count; i++)
        if (special(a->values[i]) != special(b->values[i]))
            return true;
    return false;
}

/* SHD-22 */
static bool is_far(int32_t address)
{
    return address < -128 || address > 127;
}

/* Branches that read the condition code, which a geometry shader's trace does not have: the two take different ways
 * because what CMP wrote differs. */
static bool reads_untraced_condition(const struct harness_location *location, const struct pica_trace_step *step)
{
    const uint32_t opcode = location->previous_opcode;
    return location->has_previous &&
           strcmp(step->stage, pica_trace_info(PICA_TRACE_ID_GEOMETRY_INSTRUCTION)->stage) == 0 &&
           (opcode == PICA_OPCODE_BREAKC || opcode == PICA_OPCODE_CALLC || opcode == PICA_OPCODE_IFC ||
            opcode == PICA_OPCODE_JMPC);
}

/* Of an instruction, its first word says which one it is. A step that is an instruction itself differs because the one
 * before went elsewhere, or because the program does. */
static void take_step(struct harness_blame *out, const struct harness_location *location)
{
    const struct pica_trace_step *const step = location->has_first ? &location->step_first : &location->step_second;
    out->has_step = true;
    out->index = step->index;
    out->special = one_is_special(location);
    put(out->place, location->value);
    if (!location->has_instruction)
        return;
    if (strcmp(location->value, pica_trace_info(PICA_TRACE_ID_SHADER_INSTRUCTION)->name) == 0) {
        put(out->rule, pica_trace_info(PICA_TRACE_ID_SHADER_INSTRUCTION)->rule);
        if (reads_untraced_condition(location, step))
            put(out->place, pica_opcode_info(PICA_OPCODE_CMP)->mnemonic);
        return;
    }
    out->has_result = true;
    const char *const index = strstr(location->instruction, "[a");
    const char *const descriptor = strrchr(location->instruction, '@');
    out->relative = index != NULL && index[2] == 'L' ? 'L' : index != NULL ? 'a' : '\0';
    if (out->relative == 'a') /* "[a0.x", "[a0.y" */
        out->far_address = location->has_address && is_far(location->address[index[4] == 'y' ? 1 : 0]);
    out->high_descriptor = descriptor != NULL && strtoul(descriptor + 1, NULL, 10) >= 32;
    (void)snprintf(out->place, sizeof out->place, "%.*s", (int)strcspn(location->instruction, " "),
                   location->instruction);
}

/* The register that a command, or the CPU, writes. */
static void take_register(struct harness_blame *out, const struct harness_location *location)
{
    const uint32_t address = location->write_address;
    uint32_t id = PICA_REGISTERS;
    if (location->has_command && location->kind == PICA_OPERATION_SUBMIT_LIST)
        id = pica_command_header_id(location->header);
    else if (location->kind == PICA_OPERATION_WRITE_REGISTER && address >= PICA_INTERNAL_ADDRESS)
        id = (address - PICA_INTERNAL_ADDRESS) / 4u;
    const struct pica_reg_info *const info = id < PICA_REGISTERS ? pica_reg_info(id) : NULL;
    const struct pica_extreg_info *const external = location->kind == PICA_OPERATION_WRITE_REGISTER &&
                                                            address >= PICA_EXTERNAL_ADDRESS &&
                                                            address < PICA_INTERNAL_ADDRESS
                                                        ? pica_extreg_info(address - PICA_EXTERNAL_ADDRESS)
                                                        : NULL;
    put(out->place, info != NULL ? info->name : external != NULL ? external->name : "");
    if (out->rule[0] == '\0')
        put(out->rule, info != NULL ? info->rule : external != NULL ? external->rule : "");
}

void harness_blame_take(struct harness_blame *out, const struct harness_location *location)
{
    memset(out, 0, sizeof *out);
    if (!location->differs)
        return;
    put(out->stage, location->stage);
    put(out->rule, location->rule);
    put(out->broken, location->broken[0]);
    out->has_draw = location->has_draw;
    out->keeps_more = location->keeps_more;
    put(out->changed, location->changed);
    if (location->display_register != NULL)
        put(out->place, location->display_register);
    else if (location->has_step)
        take_step(out, location);
    else if (!location->has_draw)
        take_register(out, location);
}
