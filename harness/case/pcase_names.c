#include "harness/case/pcase_names.h"
#include "harness/case/hash.h"
#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <stddef.h>
#include <string.h>

const char *const harness_limit_names[HARNESS_LIMIT_NAMES] = { "commands", "vertices", "instructions",
                                                               "emits",    "pixels",   "work" };
const char *const harness_element_names[HARNESS_ELEMENT_NAMES] = { "s8", "u8", "s16", "f32", "u16", "u32", "pad" };
const char *const harness_pattern_names[HARNESS_PATTERN_NAMES] = { "fill", "ramp", "noise" };

const uint32_t harness_fill_registers[2][4] = {
    { PICA_EXTREG_FILL0_START, PICA_EXTREG_FILL0_END, PICA_EXTREG_FILL0_VALUE, PICA_EXTREG_FILL0_CTRL },
    { PICA_EXTREG_FILL1_START, PICA_EXTREG_FILL1_END, PICA_EXTREG_FILL1_VALUE, PICA_EXTREG_FILL1_CTRL }
};
const uint32_t harness_transfer_registers[9] = { PICA_EXTREG_XFER_IN,    PICA_EXTREG_XFER_OUT,   PICA_EXTREG_XFER_DIM,
                                                 PICA_EXTREG_XFER_INDIM, PICA_EXTREG_XFER_FLAGS, PICA_EXTREG_XFER_UNK14,
                                                 PICA_EXTREG_COPY_SIZE,  PICA_EXTREG_COPY_IN,    PICA_EXTREG_COPY_OUT };

/* In the order of the names. */
static const size_t limit_offsets[HARNESS_LIMIT_NAMES] = {
    offsetof(struct harness_case, limits.commands),     offsetof(struct harness_case, limits.vertices),
    offsetof(struct harness_case, limits.instructions), offsetof(struct harness_case, limits.emits),
    offsetof(struct harness_case, limits.pixels),       offsetof(struct harness_case, work)
};

uint32_t harness_limit_get(const struct harness_case *test_case, uint32_t index)
{
    uint32_t value;
    memcpy(&value, (const unsigned char *)test_case + limit_offsets[index], sizeof value);
    return value;
}

void harness_limit_set(struct harness_case *test_case, uint32_t index, uint32_t value)
{
    memcpy((unsigned char *)test_case + limit_offsets[index], &value, sizeof value);
}

uint32_t harness_limit_default(uint32_t index)
{
    const struct harness_case normal = { .limits = harness_limits_default(), .work = HARNESS_DEFAULT_WORK };
    return harness_limit_get(&normal, index);
}

bool harness_register_name(uint32_t address, const char **name, enum pica_layout *layout)
{
    const struct pica_extreg_info *external = NULL;
    if (address % 4 != 0)
        return false;
    if (address >= PICA_INTERNAL_ADDRESS && address < PICA_INTERNAL_ADDRESS + 4 * PICA_REGISTERS) {
        const struct pica_reg_info *const info = pica_reg_info((address - PICA_INTERNAL_ADDRESS) / 4);
        *name = info->name;
        *layout = info->layout;
        return true;
    }
    if (address >= PICA_EXTERNAL_ADDRESS && address < PICA_INTERNAL_ADDRESS)
        external = pica_extreg_info(address - PICA_EXTERNAL_ADDRESS);
    else
        external = pica_lcdreg_info(address);
    if (external == NULL)
        return false;
    *name = external->name;
    *layout = external->layout;
    return true;
}

bool harness_register_address(const char *name, uint32_t *address, enum pica_layout *layout)
{
    const struct pica_reg_info *const internal = pica_reg_by_name(name);
    const struct pica_extreg_info *const external = pica_extreg_by_name(name);
    const struct pica_extreg_info *const lcd = pica_lcdreg_by_name(name);
    if (internal != NULL) {
        *address = PICA_INTERNAL_ADDRESS + 4 * internal->id;
        *layout = internal->layout;
        return true;
    }
    if (external == NULL && lcd == NULL)
        return false;
    *address = external != NULL ? PICA_EXTERNAL_ADDRESS + external->address : lcd->address;
    *layout = external != NULL ? external->layout : lcd->layout;
    return true;
}

static uint32_t slot_of(const char *name)
{
    const uint32_t value = harness_hash(harness_hash_start, name, strlen(name));
    return (value ^ value >> 15) % 2048;
}

void harness_register_index_init(struct harness_register_index *index)
{
    memset(index, 0, sizeof *index);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        uint32_t slot = slot_of(pica_reg_info(id)->name);
        while (index->slots[slot] != 0)
            slot = (slot + 1) % 2048;
        index->slots[slot] = (uint16_t)(id + 1);
    }
}

uint32_t harness_register_find(const struct harness_register_index *index, const char *name)
{
    for (uint32_t slot = slot_of(name); index->slots[slot] != 0; slot = (slot + 1) % 2048) {
        const uint32_t id = index->slots[slot] - 1u;
        if (strcmp(pica_reg_info(id)->name, name) == 0)
            return id;
    }
    return PICA_REGISTERS;
}
