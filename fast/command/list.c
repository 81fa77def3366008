/* The command list (spec 10): what CPU writes start, and the list decoder. Each register write goes through state.c. */
#include "fast/command/list.h"

#include "fast/command/state.h"
#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "pica/regs.h"

/* A running list (SUB-02). */
struct list {
    uint32_t address; /* A */
    uint32_t words;   /* S / 4 */
    uint32_t position;
};

/* ------------------------------------------------------------------------------------------------------------ lists */

/* SUB-02, SUB-01: start of channel k's list. */
static void enter_list(struct fast_gpu *gpu, struct list *list, uint32_t k)
{
    const uint32_t size = gpu->registers[PICA_REG_CMDBUF_SIZE0 + k];
    const uint32_t address = gpu->registers[PICA_REG_CMDBUF_ADDR0 + k];
    if (pica_cmdbuf_size_unaligned(size) != 0u || pica_cmdbuf_addr_unaligned(address) != 0u)
        fast_event(gpu, PICA_EVENT_CMDBUF_UNALIGNED);
    if ((size >> 20 & 1u) != 0u || (address >> 28 & 1u) != 0u)
        fast_event(gpu, PICA_EVENT_CMDBUF_HIGH_BITS);
    list->address = pica_cmdbuf_addr_address(address) << 4;
    list->words = pica_cmdbuf_size_size(size) << 2;
    list->position = 0u;
}

/* CMD-08, MEM-03: one word of the list; past its end or outside memory, too. */
static uint32_t fetch_parameter(struct fast_gpu *gpu, const struct list *list)
{
    const uint32_t address = list->address + 4u * list->position;
    if (list->position >= list->words)
        fast_event(gpu, PICA_EVENT_PARAMS_PAST_END);
    const uint8_t *const bytes = fast_memory_bytes(gpu, address, 4u);
    if (bytes != NULL)
        return fast_load_le32(bytes);
    fast_event(gpu, PICA_EVENT_MEM_OOB);
    return fast_read32(gpu, address);
}

/* CMD-09, CMD-10, CMD-22, CMD-24: may another command be decoded? */
static bool next_command_exists(struct fast_gpu *gpu, const struct list *list)
{
    if (list->position >= list->words)
        return false;
    if (fast_steps_are_spent(gpu))
        return false;
    if (gpu->budget.commands >= gpu->limits.commands) {
        fast_event(gpu, PICA_EVENT_BUDGET_CMDS);
        return false;
    }
    if (!fast_memory_has(gpu, list->address + 4u * list->position, 8u)) { /* SUB-08 */
        fast_event(gpu, PICA_EVENT_CMDLIST_OOB);
        return false;
    }
    return true;
}

/*
 * CMD-01 to CMD-04, CMD-21, SUB-04, SUB-05: one command. A jump has already entered the new list. CMD-12: each write is
 * complete, draws included, before the next word is fetched. CMD-13: no value hangs anything.
 */
static enum fast_write_result run_command(struct fast_gpu *gpu, struct list *list)
{
    const uint8_t *const bytes = fast_memory_bytes(gpu, list->address + 4u * list->position, 8u);
    uint32_t parameter = fast_load_le32(bytes);
    const uint32_t header = fast_load_le32(bytes + 4);
    const uint32_t extra = pica_command_header_extra_parameters(header);
    const uint32_t step = pica_command_header_consecutive(header);
    const uint32_t mask = pica_command_header_mask(header);
    uint32_t id = pica_command_header_id(header);

    gpu->budget.commands += 1u;
    gpu->work.steps += 1u + extra;
    gpu->list_address = list->address;
    gpu->list_word = list->position + 1u;
    list->position += 2u;
    for (uint32_t k = 0;; k++) {
        const enum fast_write_result result = fast_write_from_list(gpu, id, parameter, mask);
        if (result == FAST_WRITE_JUMPS) {
            if (k < extra)
                fast_event(gpu, PICA_EVENT_JUMP_MID_COMMAND);
            enter_list(gpu, list, id - PICA_REG_CMDBUF_JUMP0);
            return FAST_WRITE_JUMPS;
        }
        if (result == FAST_WRITE_FINISHES || k == extra) {
            list->position += list->position & 1u;
            return result;
        }
        id += step;
        parameter = fetch_parameter(gpu, list);
        list->position += 1u;
    }
}

/* CMD-20: a new submission has all its budgets. */
static void start_submission(struct fast_gpu *gpu)
{
    memset(&gpu->budget, 0, sizeof gpu->budget);
    gpu->list_address = 0u;
    gpu->list_word = 0u;
}

/* EXT-CMD-02..04, CMD-11, SUB-06, SUB-07: the CPU starts list k; jumps replace the list in this very loop. */
static void run_list(struct fast_gpu *gpu, uint32_t k)
{
    struct list list;
    bool finished = false;
    start_submission(gpu);
    enter_list(gpu, &list, k);
    while (!finished && next_command_exists(gpu, &list))
        finished = run_command(gpu, &list) == FAST_WRITE_FINISHES;
    if (!finished)
        fast_event(gpu, PICA_EVENT_NO_FINALIZE);
    gpu->registers[PICA_REG_CMDBUF_JUMP0 + k] = 0u;
    gpu->list_address = 0u;
    gpu->list_word = 0u;
}

/* ------------------------------------------------------------------------------------------------------- CPU writes */

/* EXT-CMD-01, EXT-CMD-02, EXT-CMD-05: a CPU write to internal id 0x000-0x3FF. */
static void write_internal(struct fast_gpu *gpu, uint32_t id, uint32_t value)
{
    if (id >= PICA_REGISTERS) {
        fast_event(gpu, PICA_EVENT_REG_ID_RANGE);
    } else if (id < 0x040u) {
        fast_write_interrupt_register(gpu, id, value);
    } else {
        start_submission(gpu);
        fast_write_register(gpu, id, value, 0xfu, FAST_WRITE_BY_CPU);
        if ((id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) && value != 0u)
            run_list(gpu, id - PICA_REG_CMDBUF_JUMP0);
    }
}

void fast_cpu_write(struct fast_gpu *gpu, uint32_t address, uint32_t value)
{
    const uint32_t word_address = address & ~3u;
    if (word_address - PICA_INTERNAL_ADDRESS < 0x1000u)
        write_internal(gpu, (word_address - PICA_INTERNAL_ADDRESS) / 4u, value);
    else if (word_address - PICA_EXTERNAL_ADDRESS < 0x1000u || word_address == PICA_LCD_FILL_TOP_ADDRESS ||
             word_address == PICA_LCD_FILL_BOTTOM_ADDRESS)
        fast_external_write(gpu, word_address, value);
}
