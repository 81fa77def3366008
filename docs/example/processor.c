#include "docs/example/processor.h"

#include "pica/memory.h"
#include "pica/regs.h"
#include "reference/reference.h"

#include <string.h>

enum {
    FULL_MASK = 0xF,
    NO_REGISTER = 0x3FF,  /* REG-05: a write to it does nothing */
    OWN_PAGE = 0x25A5A000 /* in FCRAM, far from its ends, where generated cases like to read (outside their windows) */
};

static bool is_inside(const struct processor *processor, uint32_t address)
{
    for (uint32_t i = 0; i < processor->window_count; i++)
        if (address >= processor->windows[i].address &&
            address - processor->windows[i].address < processor->windows[i].size)
            return true;
    return false;
}

/* A word of guest memory; 0 outside (MEM-03). */
static uint32_t word_at(struct processor *processor, uint32_t address)
{
    uint8_t bytes[4] = { 0 };
    if (is_inside(processor, address))
        (void)ref_backend()->read_memory(processor->core, address, bytes, sizeof bytes);
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void run(struct processor *processor, const struct pica_operation *operation)
{
    const enum pica_status status = ref_backend()->run(processor->core, operation);
    if (processor->status == PICA_OK)
        processor->status = status;
}

/* Runs the collected commands on the GPU. Lists are multiples of 16 bytes (SUB-02). */
static void flush(struct processor *processor)
{
    const uint32_t page = processor->windows[processor->window_count].address;
    uint8_t bytes[sizeof processor->block];
    if (processor->block_words == 0)
        return;
    if (processor->block_words % 4 != 0) {
        processor->block[processor->block_words++] = 0;
        processor->block[processor->block_words++] = NO_REGISTER;
    }
    for (uint32_t i = 0; i < 4 * processor->block_words; i++)
        bytes[i] = (uint8_t)(processor->block[i / 4] >> i % 4 * 8);
    run(processor,
        &(struct pica_operation){
            .kind = PICA_OPERATION_LOAD_MEMORY, .address = page, .size = 4 * processor->block_words, .data = bytes });
    run(processor, &(struct pica_operation){
                       .kind = PICA_OPERATION_SUBMIT_LIST, .address = page, .size = 4 * processor->block_words });
    processor->block_words = 0;
}

static void append(struct processor *processor, uint32_t id, uint32_t value, uint32_t mask)
{
    if (processor->block_words == PROCESSOR_BLOCK_WORDS)
        flush(processor);
    processor->block[processor->block_words++] = value;
    processor->block[processor->block_words++] = id | mask << 16;
}

/* CMD-05. */
static void store(struct processor *processor, uint32_t id, uint32_t value, uint32_t mask)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 4; i++)
        bits |= (mask >> i & 1) * (UINT32_C(0xFF) << 8 * i);
    processor->registers[id] = (processor->registers[id] & ~bits) | (value & bits);
}

static bool draws(uint32_t id)
{
    return id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS ||
           (id >= PICA_REG_FIXEDATTRIB_DATA0 && id <= PICA_REG_FIXEDATTRIB_DATA2);
}

/* Writes `values` to the registers in which `bent` differs from what the case wrote. */
static void append_bent(struct processor *processor, const uint32_t *bent, const uint32_t *values)
{
    for (uint32_t id = PICA_REG_FACECULLING_CONFIG; id < PICA_REG_DRAWARRAYS; id++)
        if (bent[id] != processor->registers[id] && pica_reg_info(id)->reg_class == PICA_REG_CLASS_CONFIG)
            append(processor, id, values[id], FULL_MASK);
}

/* Flushes after the draw, too: it may overwrite the words after it, which are fetched only then (CMD-21). */
static void draw(struct processor *processor, uint32_t id, uint32_t value, uint32_t mask)
{
    uint32_t bent[PICA_REGISTERS];
    memcpy(bent, processor->registers, sizeof bent);
    flush(processor);
    if (processor->status == PICA_OK)
        processor->status = processor->before_draw(processor->user, id, bent);
    append_bent(processor, bent, bent);
    append(processor, id, value, mask);
    append_bent(processor, bent, processor->registers);
    flush(processor);
    if (processor->status == PICA_OK && processor->after_draw != NULL)
        processor->status = processor->after_draw(processor->user);
}

/* REG-12, REG-13: did the last write stop the list? */
static bool was_stopped(struct processor *processor)
{
    flush(processor);
    if (processor->status != PICA_OK || ref_backend()->read_state(processor->core, &processor->state) != PICA_OK)
        return true;
    const bool requested = processor->state.interrupts[5] != processor->interrupts;
    processor->interrupts = processor->state.interrupts[5];
    return requested && pica_irq_autostop_enable(processor->state.registers[PICA_REG_IRQ_AUTOSTOP]);
}

enum outcome {
    GO_ON,
    JUMP,
    STOP
};

static enum outcome write_parameter(struct processor *processor, uint32_t id, uint32_t value, uint32_t mask)
{
    if (id >= PICA_REGISTERS)
        return GO_ON; /* REG-05 */
    if (id >= PICA_REG_FACECULLING_CONFIG)
        store(processor, id, value, mask);
    if (id >= PICA_REG_CMDBUF_SIZE0 && id <= PICA_REG_CMDBUF_JUMP1)
        return id >= PICA_REG_CMDBUF_JUMP0 ? JUMP : GO_ON;
    processor->written[id / 32] |= UINT32_C(1) << id % 32;
    if (draws(id)) {
        draw(processor, id, value, mask);
        return GO_ON;
    }
    append(processor, id, value, mask);
    return id >= PICA_REG_FINALIZE && id < PICA_REG_IRQ_COMPARE0 && was_stopped(processor) ? STOP : GO_ON;
}

struct list {
    uint32_t address, words, at;
};

/* SUB-02. */
static struct list take_list(const struct processor *processor, uint32_t channel)
{
    const struct list list = { .address = (processor->registers[PICA_REG_CMDBUF_ADDR0 + channel] & 0x1FFFFFFE) * 8,
                               .words = (processor->registers[PICA_REG_CMDBUF_SIZE0 + channel] & 0x1FFFFE) * 2 };
    return list;
}

/* CMD-03, SUB-05: the rest of a command that jumps is dropped. */
static enum outcome run_command(struct processor *processor, struct list *list)
{
    const uint32_t start = list->address + 4 * list->at;
    const uint32_t header = word_at(processor, start + 4);
    const uint32_t count = pica_command_header_extra_parameters(header);
    const uint32_t step = pica_command_header_consecutive(header);
    uint32_t value = word_at(processor, start);
    for (uint32_t k = 0;; k++) {
        const uint32_t id = pica_command_header_id(header) + k * step;
        const enum outcome outcome = write_parameter(processor, id, value, pica_command_header_mask(header));
        if (outcome == JUMP)
            *list = take_list(processor, id - PICA_REG_CMDBUF_JUMP0);
        if (outcome != GO_ON)
            return outcome;
        if (k == count)
            break;
        value = word_at(processor, start + 8 + 4 * k);
    }
    list->at += 2 + count + count % 2;
    return GO_ON;
}

/* CMD-10: the tests before each command, in their order. */
static void run_list(struct processor *processor, uint32_t channel)
{
    struct list list = take_list(processor, channel);
    for (uint32_t commands = 0; list.at < list.words && commands < processor->command_limit; commands++) {
        const uint32_t start = list.address + 4 * list.at;
        if (!is_inside(processor, start) || !is_inside(processor, start + 4) || run_command(processor, &list) == STOP)
            break;
    }
    flush(processor);
    processor->registers[PICA_REG_CMDBUF_JUMP0 + channel] = 0; /* EXT-CMD-03 */
}

/* EXT-CMD-02, EXT-CMD-05. */
static void write_internal(struct processor *processor, uint32_t id, uint32_t value)
{
    if (id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) {
        processor->registers[id] = value;
        if (value != 0)
            run_list(processor, id - PICA_REG_CMDBUF_JUMP0);
    } else if (id >= PICA_REG_FACECULLING_CONFIG) {
        (void)write_parameter(processor, id, value, FULL_MASK);
        flush(processor);
    } else {
        run(processor, &(struct pica_operation){ .kind = PICA_OPERATION_WRITE_REGISTER,
                                                 .address = PICA_INTERNAL_ADDRESS + 4 * id,
                                                 .words = { value } });
        (void)was_stopped(processor);
    }
}

enum pica_status processor_run(struct processor *processor, const struct pica_operation *operation)
{
    const uint32_t offset = operation->address - PICA_INTERNAL_ADDRESS;
    processor->status = PICA_OK;
    if (operation->kind == PICA_OPERATION_SUBMIT_LIST) { /* EXT-CMD-14 */
        processor->registers[PICA_REG_CMDBUF_SIZE0] = operation->size >> 3;
        processor->registers[PICA_REG_CMDBUF_ADDR0] = operation->address >> 3;
        write_internal(processor, PICA_REG_CMDBUF_JUMP0, 1);
    } else if (operation->kind == PICA_OPERATION_WRITE_REGISTER && offset < 0x1000)
        write_internal(processor, offset / 4, operation->words[0]);
    else
        run(processor, operation);
    return processor->status;
}

/* ---------------------------------------------------------------------------------------------------------- a case */

static bool overlaps(const struct pica_setup *setup, uint32_t page)
{
    for (uint32_t i = 0; i < setup->window_count; i++)
        if (page >= setup->windows[i].address && page - setup->windows[i].address < setup->windows[i].size)
            return true;
    return false;
}

/* The windows of the case, and one page for the blocks outside of them. If a case reads that very page, it sees blocks
 * where another GPU reads 0 (MEM-03). */
static bool place_windows(struct processor *processor, const struct pica_setup *setup)
{
    uint32_t page = OWN_PAGE;
    while (page >= PICA_FCRAM_ADDRESS && overlaps(setup, page))
        page -= PICA_PAGE_SIZE;
    if (page < PICA_FCRAM_ADDRESS || setup->window_count >= PICA_MAX_WINDOWS)
        return false;
    memcpy(processor->windows, setup->windows, setup->window_count * sizeof *setup->windows);
    processor->window_count = setup->window_count;
    processor->windows[processor->window_count] = (struct pica_window){ page, PICA_PAGE_SIZE };
    return true;
}

enum pica_status processor_load(struct processor *processor, const struct pica_setup *setup)
{
    struct pica_setup own = *setup;
    if (!place_windows(processor, setup))
        return PICA_NOT_SUPPORTED;
    own.windows = processor->windows;
    own.window_count = processor->window_count + 1;
    own.limits.commands = 0x10000000; /* counted here, because blocks have commands of their own */
    own.work = 0;
    processor->command_limit = setup->limits.commands;
    processor->block_words = 0;
    memset(processor->written, 0, sizeof processor->written);
    enum pica_status status = ref_backend()->load(processor->core, &own);
    if (status == PICA_OK)
        status = ref_backend()->read_state(processor->core, &processor->state);
    if (status != PICA_OK)
        return status;
    memcpy(processor->registers, processor->state.registers, sizeof processor->registers);
    processor->interrupts = processor->state.interrupts[5];
    return PICA_OK;
}

enum pica_status processor_read_state(struct processor *processor, struct pica_state *out)
{
    const enum pica_status status = ref_backend()->read_state(processor->core, out);
    if (status == PICA_OK)
        for (uint32_t id = PICA_REG_CMDBUF_SIZE0; id <= PICA_REG_CMDBUF_JUMP1; id++)
            out->registers[id] = processor->registers[id];
    return status;
}
