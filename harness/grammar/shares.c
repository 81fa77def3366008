/* Counts how many operations and draws of cases have odd values. */
#include "harness/grammar/plausible.h"
#include "pica/mask.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <string.h>

/* The registers while a case is followed. */
struct reader {
    struct harness_shares *shares;
    uint32_t registers[PICA_REGISTERS];
};

static enum harness_share share_of(uint32_t odd)
{
    return odd == 0 ? HARNESS_SHARE_PLAIN : odd == 1 ? HARNESS_SHARE_ONE : HARNESS_SHARE_SEVERAL;
}

static void see_draw(struct reader *reader)
{
    uint32_t odd[PICA_STAGE_WORDS];
    harness_draw_odd(&reader->shares->stages, reader->registers, odd);
    for (uint32_t stage = 0; stage < PICA_STAGE_WORDS; stage++)
        if (reader->shares->stages.configured[stage])
            reader->shares->counts[stage][share_of(odd[stage])]++;
}

/* REG-25: number 15 begins a draw of immediate vertices. */
static void see_write(struct reader *reader, uint32_t id, uint32_t mask, uint32_t value)
{
    if (id >= PICA_REGISTERS)
        return;
    const uint32_t bits = pica_mask_bits(mask);
    reader->registers[id] = (reader->registers[id] & ~bits) | (value & bits);
    const bool immediate = id == PICA_REG_FIXEDATTRIB_INDEX && pica_fixedattrib_index_index(value) == 15;
    if (mask != 0 && (id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS || immediate))
        see_draw(reader);
}

static void see_list(struct reader *reader, const struct harness_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        for (uint32_t k = 0; k < command->count; k++)
            see_write(reader, harness_command_register(command, k), command->mask, command->parameters[k]);
    }
}

/* Follows the lists that were loaded since the last RUN or SUBMIT before operation `end`, which runs them: the
 * generator stores the parts of a list from its end to its start. */
static void see_stored(struct reader *reader, const struct harness_case *test_case, uint32_t end)
{
    for (uint32_t i = end; i > 0; i--) {
        const struct harness_operation *const operation = &test_case->operations[i - 1];
        if (operation->kind == HARNESS_RUN || operation->kind == HARNESS_SUBMIT)
            return;
        if (operation->kind == HARNESS_LOAD && operation->data.kind == HARNESS_DATA_LIST)
            see_list(reader, &operation->data.list);
    }
}

static void see_engine(struct reader *reader, const struct harness_case *test_case,
                       const struct harness_operation *operation)
{
    const enum pica_stage_word word = operation->kind == HARNESS_FILL             ? PICA_STAGE_WORD_FILL
                                      : pica_xfer_flags_copy(operation->words[4]) ? PICA_STAGE_WORD_COPY
                                                                                  : PICA_STAGE_WORD_TRANSFER;
    uint32_t count = 0;
    for (uint32_t odd = harness_operation_odd(test_case, operation); odd != 0; odd &= odd - 1u)
        count++;
    reader->shares->counts[word][share_of(count)]++;
}

static void see_operation(struct reader *reader, const struct harness_case *test_case, uint32_t index)
{
    const struct harness_operation *const operation = &test_case->operations[index];
    switch (operation->kind) {
    case HARNESS_RUN:
        see_list(reader, &operation->data.list);
        see_stored(reader, test_case, index);
        break;
    case HARNESS_SUBMIT: see_stored(reader, test_case, index); break;
    case HARNESS_WRITE:
        if (operation->address - PICA_INTERNAL_ADDRESS < 4u * PICA_REGISTERS)
            see_write(reader, (operation->address - PICA_INTERNAL_ADDRESS) / 4u, 15, operation->words[0]);
        break;
    case HARNESS_FILL:
    case HARNESS_TRANSFER: see_engine(reader, test_case, operation); break;
    case HARNESS_LOAD:
    case HARNESS_VBLANK:
    case HARNESS_NOTE: break;
    }
}

void harness_shares_init(struct harness_shares *shares)
{
    memset(shares, 0, sizeof *shares);
    harness_register_stages_init(&shares->stages);
}

void harness_shares_add(struct harness_shares *shares, const struct harness_case *test_case)
{
    struct reader reader = { .shares = shares };
    memcpy(reader.registers, test_case->state != NULL ? test_case->state->values.registers : harness_reset_registers,
           sizeof reader.registers);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        see_operation(&reader, test_case, i);
}
