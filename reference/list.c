/*
 * Command lists (CMD, SUB, EXT-CMD): the words that program the GPU.
 *
 * A list is an array of words in guest memory. One command is a parameter, a header, and up to 255 more parameters:
 * the header names the register, says which bytes to write, and whether the further parameters go to the same register
 * or to the following ones. The CPU starts a list through the registers of one of two channels; a list may jump to
 * another list through the same registers, and there is no way back (SUB-04). It is over when it writes an interrupt
 * request that stops it, or at its end, which on a console would wait forever for that interrupt (CMD-11). No parameter
 * hangs this machine (CMD-13).
 *
 * Worked number: `AAAAAAAA 802F011C BBBBBBBB CCCCCCCC` has id 0x11C, mask 0xF, 2 more parameters, consecutive: it
 * writes 0x11C = AAAAAAAA, 0x11D = BBBBBBBB, 0x11E = CCCCCCCC; it takes 4 words, an even number: no padding.
 */
#include "reference/pipeline.h"

/* The list being decoded. */
struct list {
    uint32_t address;
    uint32_t words;
    uint32_t position;     /* counts words from `address`; it may pass `words` inside a command (CMD-08) */
    bool has_read_outside; /* a word of it was not in memory */
};

/* SUB-01, SUB-02, MEM-06: taken from the channel's registers at a start or a jump; units of 16 bytes, or of 8. */
static struct list list_of(const struct ref_gpu *gpu, uint32_t channel)
{
    const uint32_t size = gpu->regs[pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_SIZE0)];
    const uint32_t address = gpu->regs[pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_ADDR0)];
    if (ref_takes(gpu, PICA_SIDE_LIST_SIZE_UNITS_8))
        return (struct list){ .address = (address & 0x0FFFFFFFu) * 8u, .words = (size & 0xFFFFFu) * 2u };
    return (struct list){ .address = pica_cmdbuf_addr_address(address) * 16u,
                          .words = pica_cmdbuf_size_size(size) * 4u };
}

/* CMD-21, MEM-03: one word, read when its turn comes. */
static uint32_t fetch(const struct ref_gpu *gpu, struct list *list)
{
    uint32_t word;
    if (!ref_read_word(gpu, list->address + 4u * list->position, &word))
        list->has_read_outside = true;
    list->position += 1u;
    return word;
}

/* CMD-09, CMD-10, CMD-20, CMD-22, CMD-24, SUB-08: the tests before a command, in this order. */
static bool has_command(struct ref_gpu *gpu, const struct list *list)
{
    if (list->position >= list->words)
        return false;
    if (ref_steps_spent(gpu))
        return false;
    if (gpu->budget.commands >= gpu->limits.commands) {
        ref_event(gpu, PICA_EVENT_BUDGET_CMDS);
        return false;
    }
    if (!ref_range_in_memory(gpu, list->address + 4u * list->position, 8)) {
        ref_event(gpu, PICA_EVENT_CMDLIST_OOB);
        return false;
    }
    gpu->budget.commands += 1u;
    return true;
}

/* ------------------------------------------------------------------------------------------------------- recording */

/* SUB-01, SUB-02: the events of ignored bits in the channel's registers. */
static void record_opening(struct ref_gpu *gpu, uint32_t channel)
{
    const uint32_t size = gpu->regs[pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_SIZE0)];
    const uint32_t address = gpu->regs[pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_ADDR0)];
    ref_feature(gpu, PICA_FEATURE_LIST_OPENED + channel);
    ref_event_if(gpu, pica_cmdbuf_size_unaligned(size) || pica_cmdbuf_addr_unaligned(address),
                 PICA_EVENT_CMDBUF_UNALIGNED);
    ref_event_if(gpu, pica_cmdbuf_size_size(size) >> 19 != 0 || pica_cmdbuf_addr_address(address) >> 27 != 0,
                 PICA_EVENT_CMDBUF_HIGH_BITS); /* bits 20 and 28 of the words */
}

/* Before the list is padded to an even word. */
static void record_command(struct ref_gpu *gpu, const struct list *list, bool is_cut_short)
{
    ref_event_if(gpu, list->has_read_outside, PICA_EVENT_MEM_OOB);
    ref_event_if(gpu, list->position > list->words, PICA_EVENT_PARAMS_PAST_END);
    ref_event_if(gpu, gpu->list_jumped && is_cut_short, PICA_EVENT_JUMP_MID_COMMAND);
}

/* ------------------------------------------------------------------------------------------------------- execution */

static struct list open_list(struct ref_gpu *gpu, uint32_t channel)
{
    record_opening(gpu, channel);
    return list_of(gpu, channel);
}

/* CMD-02: how many parameters follow the header: 8 bits, or 11, which are no one field of pica/fields.def. */
static uint32_t extra_parameters(const struct ref_gpu *gpu, uint32_t header)
{
    if (ref_takes(gpu, PICA_SIDE_HEADER_COUNT_BITS_11))
        return pica_bits(header, 20, 11);
    return pica_command_header_extra_parameters(header);
}

/*
 * SUB-05: whether parameters after number `k` are fetched. After a jump they are discarded. On other sides they come
 * from the head of the new list, or (if the jump was not parameter 0) from the old list, which is left at the end of
 * the command.
 */
static bool goes_on(struct ref_gpu *gpu, struct list *list, uint32_t k)
{
    if (gpu->list_stopped)
        return false;
    if (!gpu->list_jumped)
        return true;
    if (ref_takes(gpu, PICA_SIDE_JUMP_REST_DISCARDED))
        return false;
    if (ref_takes(gpu, PICA_SIDE_JUMP_REST_NEW_LIST) || k == 0) {
        *list = open_list(gpu, gpu->jump_channel);
        gpu->list_jumped = false;
    }
    return true;
}

/* CMD-01, CMD-02, CMD-03, CMD-04, CMD-08, CMD-12: one command, up to a write that stops the list (REG-13). */
static void run_command(struct ref_gpu *gpu, struct list *list)
{
    uint32_t parameter = fetch(gpu, list);
    gpu->position = (struct ref_position){ list->address, list->position };
    const uint32_t header = fetch(gpu, list);
    const uint32_t mask = pica_command_header_mask(header);
    const uint32_t count = extra_parameters(gpu, header);
    const uint32_t step = pica_command_header_consecutive(header);
    const uint32_t id = pica_command_header_id(header);
    gpu->work.steps += 1u + count; /* CMD-24 */

    ref_list_register_write(gpu, id, parameter, mask);
    bool has_more = goes_on(gpu, list, 0);
    uint32_t k = 0;
    if (step == 0 && count > 0)
        ref_bulk_begin(gpu, id, count);
    for (; k < count && has_more; k++) {
        parameter = fetch(gpu, list);
        ref_list_register_write(gpu, id + step * (k + 1u), parameter, mask);
        has_more = goes_on(gpu, list, k + 1u);
    }
    ref_bulk_end(gpu);
    record_command(gpu, list, k < count);
    list->position += list->position % 2u;
}

/* CMD-10, CMD-11, SUB-04, SUB-06, SUB-07: a list and all that it jumps to. */
static void run_lists(struct ref_gpu *gpu, uint32_t channel)
{
    struct list list = open_list(gpu, channel);
    gpu->list_stopped = false;
    ref_feature(gpu, PICA_FEATURE_LIST_STARTED + channel);
    while (!gpu->list_stopped && has_command(gpu, &list)) {
        gpu->list_jumped = false;
        run_command(gpu, &list);
        if (gpu->list_jumped) {
            list = open_list(gpu, gpu->jump_channel);
            ref_feature(gpu, PICA_FEATURE_LIST_JUMPED + gpu->jump_channel);
        }
    }
    ref_feature(gpu, gpu->list_stopped ? PICA_FEATURE_LIST_STOPPED : PICA_FEATURE_LIST_ENDED);
    ref_event_if(gpu, !gpu->list_stopped, PICA_EVENT_NO_FINALIZE);
}

/* EXT-CMD-02: whether a CPU write of this value to 0x23C or 0x23D starts a list. */
static bool starts_list(const struct ref_gpu *gpu, uint32_t value)
{
    if (ref_takes(gpu, PICA_SIDE_LIST_START_BIT_0))
        return value % 2u != 0;
    return value != 0 || ref_takes(gpu, PICA_SIDE_LIST_START_ANY);
}

/*
 * EXT-CMD-01, EXT-CMD-02, EXT-CMD-03, EXT-CMD-04, EXT-CMD-05: a CPU write. 0x23C and 0x23D start a list if the value is
 * not 0, and read 0 when it is over. Every CPU write is a submission of its own for the budgets of CMD-20.
 */
void ref_internal_write(struct ref_gpu *gpu, uint32_t id, uint32_t value)
{
    gpu->budget = (struct ref_budget){ 0 };
    gpu->position = (struct ref_position){ 0 };
    if (id != PICA_REG_CMDBUF_JUMP0 && id != PICA_REG_CMDBUF_JUMP1) {
        ref_cpu_register_write(gpu, id, value);
        return;
    }
    gpu->regs[id] = value;
    ref_feature(gpu, PICA_FEATURE_REGISTER_WRITTEN + id);
    if (!starts_list(gpu, value))
        return;
    run_lists(gpu, id - PICA_REG_CMDBUF_JUMP0);
    gpu->regs[id] = 0;
}
