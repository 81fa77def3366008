#include "harness/localise/walk.h"
#include "harness/case/little.h"

#include "pica/fields.h"
#include "pica/memory.h"

#include <stdlib.h>

uint32_t harness_walk_word(const struct oracle_run *run, uint32_t address)
{
    for (uint32_t i = 0; i < run->window_count; i++) {
        const uint32_t offset = address - run->windows[i].address;
        if (address < run->windows[i].address || offset > run->windows[i].size - 4)
            continue;
        return harness_load32(run->memory[i] + offset);
    }
    return 0;
}

bool harness_walk_read(const struct oracle_run *run, uint32_t address, uint32_t count, struct harness_walk *walk)
{
    uint32_t *const words = malloc(((size_t)count + 1u) * sizeof *words);
    for (uint32_t i = 0; words != NULL && i < count; i++)
        words[i] = harness_walk_word(run, address + 4u * i);
    harness_case_reset(walk->scratch);
    walk->list = (struct harness_list){ 0 };
    walk->address = address;
    const bool read = words != NULL && harness_list_decode(walk->scratch, &walk->list, words, count);
    free(words);
    return read;
}

int harness_walk_jump(const struct harness_walk *walk, const struct harness_command *command)
{
    for (uint32_t i = 0; i < command->count; i++) {
        const uint32_t id = harness_command_register(command, i);
        const bool jumps = walk->any_jumps || command->parameters[i] != 0;
        if (jumps && (id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1))
            return (int)(id - PICA_REG_CMDBUF_JUMP0);
    }
    return -1;
}

void harness_walk_channel(const struct harness_localise *search, int side, uint32_t channel, uint32_t *address,
                          uint32_t *words)
{
    const uint32_t *const registers = search->runs[side].state->registers;
    const uint32_t place = registers[pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_ADDR0)];
    const uint32_t size = registers[pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_SIZE0)];
    const bool halves = pica_takes(&search->choices, PICA_SIDE_LIST_SIZE_UNITS_8);
    *address = halves ? (place & 0x0FFFFFFFu) * 8u : pica_cmdbuf_addr_address(place) * 16u;
    *words = halves ? (size & 0xFFFFFu) * 2u : pica_cmdbuf_size_size(size) * 4u;
}

int harness_walk_started(const struct pica_operation *operation)
{
    if (operation->kind != PICA_OPERATION_WRITE_REGISTER || operation->address < PICA_INTERNAL_ADDRESS)
        return -1;
    const uint32_t id = (operation->address - PICA_INTERNAL_ADDRESS) / 4u;
    return id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1 ? (int)(id - PICA_REG_CMDBUF_JUMP0) : -1;
}
