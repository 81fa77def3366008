#include "harness/quirks/visit.h"

#include "harness/case/pcase_names.h"
#include "pica/extregs.h"
#include "pica/mask.h"
#include "pica/memory.h"
#include "pica/regs.h"
#include "pica/state.h"

#include <string.h>

enum {
    MOST_RANGES = 64,    /* lists in memory that one operation leads to: jumps may go round in circles */
    MOST_AGAIN = 1 << 18 /* commands of lists that are visited a second time, in all */
};

struct range {
    uint32_t address, size;
};

struct visit {
    struct harness_case *test_case;
    const struct harness_visitor *visitor;
    struct oracle_follower registers;
    uint32_t outside[HARNESS_SLOTS - HARNESS_SLOT_EXTERNAL]; /* registers of the engines and screens */
    int64_t rewritten;                                       /* words */
    bool failed;                                             /* no memory */
    uint32_t again;                                          /* as MOST_AGAIN counts */
    uint32_t range_count, ranges_done;
    struct range ranges[MOST_RANGES];
};

static const uint32_t screens[] = { PICA_LCDREG_COLOR_FILL_TOP, PICA_LCDREG_COLOR_FILL_BOTTOM };

uint32_t harness_slot_of(uint32_t address)
{
    for (uint32_t i = 0; i < 2; i++)
        if (address == screens[i])
            return HARNESS_SLOT_SCREENS + i;
    if (address >= PICA_INTERNAL_ADDRESS && (address - PICA_INTERNAL_ADDRESS) / 4u < PICA_REGISTERS)
        return (address - PICA_INTERNAL_ADDRESS) / 4u;
    if (address >= PICA_EXTERNAL_ADDRESS && (address - PICA_EXTERNAL_ADDRESS) / 4u < PICA_EXTERNAL_WORDS)
        return HARNESS_SLOT_EXTERNAL + (address - PICA_EXTERNAL_ADDRESS) / 4u;
    return HARNESS_SLOTS;
}

/* ----------------------------------------------------------------------------------------------------- single words */

/* The word that the visitor makes of a write to a slot. */
static uint32_t written(struct visit *visit, uint32_t slot, uint32_t mask, uint32_t value, bool is_in_state)
{
    if (visit->visitor->write == NULL)
        return value;
    const uint32_t before = slot < PICA_REGISTERS ? visit->registers.values[slot] & visit->registers.known[slot]
                                                  : visit->outside[slot - HARNESS_SLOT_EXTERNAL];
    const struct harness_slot_write write = { slot, mask, before, value, is_in_state };
    const uint32_t result = visit->visitor->write(visit->visitor->user, &write);
    visit->rewritten += result != value;
    return result;
}

/* Notes that a list continues there (SUB-03); visit_operation visits it. */
static void add_range(struct visit *visit, uint32_t address, uint32_t size)
{
    for (uint32_t i = 0; i < visit->range_count; i++)
        if (visit->ranges[i].address == address && visit->ranges[i].size == size)
            return;
    if (size >= 8 && visit->range_count < MOST_RANGES)
        visit->ranges[visit->range_count++] = (struct range){ address, size & ~7u };
}

static void visit_jump(struct visit *visit, uint32_t id)
{
    const uint32_t *const values = visit->registers.values;
    for (uint32_t channel = 0; channel < 2; channel++)
        if (id == pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_JUMP0))
            add_range(visit, pica_cmdbuf_addr_address(values[pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_ADDR0)]) << 4,
                      pica_cmdbuf_size_size(values[pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_SIZE0)]) << 4);
}

/* Tells the visitor of a write that draws or completes a part of an immediate vertex (VTX-20, VTX-41). */
static void visit_draw(struct visit *visit, uint32_t id, const struct oracle_element *element)
{
    const bool is_draw = id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS;
    if (visit->visitor->draw != NULL && (is_draw || element->immediate))
        visit->visitor->draw(visit->visitor->user, visit->registers.values, element->immediate,
                             id == PICA_REG_DRAWELEMENTS);
}

/* One write of a command; `mask` is its byte mask. Returns the new value. */
static uint32_t visit_register(struct visit *visit, uint32_t id, uint32_t mask, uint32_t value)
{
    if (id >= PICA_REGISTERS)
        return value; /* REG-05 */
    uint32_t unit = 0;
    if (visit->visitor->instruction != NULL && oracle_port_of(id, &unit) == ORACLE_PORT_CODE)
        visit->visitor->instruction(visit->visitor->user, value);
    const uint32_t result = written(visit, id, pica_mask_bits(mask), value, false);
    const struct oracle_element element = oracle_follow_write(&visit->registers, id, mask, result);
    visit_draw(visit, id, &element);
    visit_jump(visit, id);
    return result;
}

/* ------------------------------------------------------------------------------------------------------------ lists */

static void visit_list(struct visit *visit, struct harness_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        for (uint32_t k = 0; k < list->commands[i].count; k++) {
            const struct harness_command *const command = &list->commands[i];
            const uint32_t id = harness_command_register(command, k);
            const uint32_t value = command->parameters[k];
            const uint32_t result = visit_register(visit, id, command->mask, value);
            if (result != value)
                harness_command_edit(harness_list_edit(list, i))[k] = result;
        }
    }
}

/* Visits a list that is in memory as bytes, and encodes it again if something changed. */
static void visit_bytes(struct visit *visit, uint8_t *bytes, uint32_t size)
{
    struct harness_data data;
    const int64_t before = visit->rewritten;
    if (!harness_data_decode(visit->test_case, &data, bytes, size)) {
        visit->failed = true;
        return;
    }
    visit_list(visit, &data.list);
    if (visit->rewritten != before)
        harness_data_write(&data, false, bytes);
}

/* Visits a list where it runs, after it was visited where it was loaded: here its draws see other registers. */
static void visit_again(struct visit *visit, struct harness_list *list)
{
    if (list->count > MOST_AGAIN - visit->again)
        return;
    visit->again += list->count;
    visit_list(visit, list);
}

static void visit_data(struct visit *visit, uint32_t base, struct harness_data *data, uint32_t address, uint32_t size)
{
    if (data->kind == HARNESS_DATA_LIST) {
        if (address >= base && address - base < 4u * harness_list_words(&data->list))
            visit_again(visit, &data->list);
        return;
    }
    const bool is_plain = data->kind == HARNESS_DATA_BYTES || data->kind == HARNESS_DATA_TABLE;
    if (is_plain && address >= base && (uint64_t)address + size <= (uint64_t)base + data->size)
        visit_bytes(visit, data->bytes + (address - base), size);
}

/* Visits all contents of the case that a list at this range is read from. */
static void visit_range(struct visit *visit, struct range range)
{
    struct harness_case *const test_case = visit->test_case;
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        visit_data(visit, test_case->chunks[i].address, &test_case->chunks[i].data, range.address, range.size);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        if (test_case->operations[i].kind == HARNESS_LOAD)
            visit_data(visit, test_case->operations[i].address, &test_case->operations[i].data, range.address,
                       range.size);
}

/* ---------------------------------------------------------------------------------------------------- state, others */

/* Visits the initial state. If a word of it is rewritten, its part becomes one that the case gives. */
static void visit_state(struct visit *visit)
{
    static const struct {
        uint32_t part, slot, count;
    } rows[] = { { PICA_STATE_REGISTERS, 0, PICA_REGISTERS },
                 { PICA_STATE_EXTERNAL, HARNESS_SLOT_EXTERNAL, PICA_EXTERNAL_WORDS },
                 { PICA_STATE_LCD_FILL, HARNESS_SLOT_SCREENS, 2 } };
    struct harness_state reset;
    harness_state_init(&reset);
    const struct harness_state *const now = visit->test_case->state != NULL ? visit->test_case->state : &reset;
    memcpy(visit->outside, now->values.external, sizeof now->values.external);
    oracle_follow_start(&visit->registers, now->values.registers);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (uint32_t i = 0; i < rows[r].count; i++) {
            const struct harness_state *const from = visit->test_case->state != NULL ? visit->test_case->state : &reset;
            const uint32_t value = harness_part_get(&from->values, rows[r].part, i);
            const uint32_t result = written(visit, rows[r].slot + i, UINT32_MAX, value, true);
            if (result == value)
                continue;
            struct harness_state *const state = harness_case_state(visit->test_case);
            if (state == NULL) {
                visit->failed = true;
                return;
            }
            harness_part_set(&state->values, rows[r].part, i, result);
            state->given |= UINT64_C(1) << rows[r].part;
            if (rows[r].part == PICA_STATE_REGISTERS)
                visit->registers.values[i] = result;
        }
}

/* A write by the CPU, or of a word of a fill or transfer. */
static uint32_t visit_address(struct visit *visit, uint32_t address, uint32_t value)
{
    const uint32_t slot = harness_slot_of(address);
    if (slot < PICA_REGISTERS)
        return visit_register(visit, slot, 15, value);
    if (slot >= HARNESS_SLOTS)
        return value;
    const uint32_t result = written(visit, slot, UINT32_MAX, value, false);
    visit->outside[slot - HARNESS_SLOT_EXTERNAL] = result;
    return result;
}

static void visit_operation(struct visit *visit, struct harness_operation *operation)
{
    visit->range_count = visit->ranges_done = 0; /* the same list may run again, with other registers */
    switch (operation->kind) {
    case HARNESS_LOAD:
    case HARNESS_RUN:
        if (operation->data.kind == HARNESS_DATA_LIST)
            visit_list(visit, &operation->data.list);
        break;
    case HARNESS_SUBMIT: add_range(visit, operation->address, operation->size); break;
    case HARNESS_WRITE: operation->words[0] = visit_address(visit, operation->address, operation->words[0]); break;
    case HARNESS_FILL:
        for (uint32_t i = 0; i < 4; i++)
            operation->words[i] = visit_address(
                visit, PICA_EXTERNAL_ADDRESS + harness_fill_registers[operation->unit & 1u][i], operation->words[i]);
        break;
    case HARNESS_TRANSFER:
        for (uint32_t i = 0; i < 9; i++)
            operation->words[i] =
                visit_address(visit, PICA_EXTERNAL_ADDRESS + harness_transfer_registers[i], operation->words[i]);
        break;
    case HARNESS_VBLANK:
    case HARNESS_NOTE: break;
    }
    for (; visit->ranges_done < visit->range_count; visit->ranges_done++)
        visit_range(visit, visit->ranges[visit->ranges_done]);
    if (visit->visitor->operation != NULL)
        visit->visitor->operation(visit->visitor->user, operation);
}

int64_t harness_visit(struct harness_case *test_case, const struct harness_visitor *visitor)
{
    struct visit visit = { .test_case = test_case, .visitor = visitor };
    visit_state(&visit);
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        if (test_case->chunks[i].data.kind == HARNESS_DATA_LIST)
            visit_list(&visit, &test_case->chunks[i].data.list);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        visit_operation(&visit, &test_case->operations[i]);
    return visit.failed ? -1 : visit.rewritten;
}
