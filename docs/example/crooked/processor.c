/*
 * The command processor: decodes lists as the specification has it (CMD, SUB), keeps a copy of the registers, and
 * hands the GPU one parameter after the other, in blocks of one-word commands. Draws alone see other registers than the
 * case wrote. Ids 0x238-0x23D are known here only: the GPU's own hold what the blocks need.
 */
#include "crooked.h"

#include "pica/regs.h"
#include "reference/reference.h"

#include <string.h>

enum {
    FULL_MASK = 0xF,
    NO_REGISTER = 0x3FF /* REG-05: a write to it does nothing */
};

static bool is_inside(const struct crooked_gpu *gpu, uint32_t address)
{
    for (uint32_t i = 0; i < gpu->window_count; i++)
        if (address >= gpu->windows[i].address && address - gpu->windows[i].address < gpu->windows[i].size)
            return true;
    return false;
}

/* A word of guest memory; 0 outside (MEM-03). */
static uint32_t word_at(struct crooked_gpu *gpu, uint32_t address)
{
    uint8_t bytes[4] = { 0 };
    if (is_inside(gpu, address))
        (void)ref_backend()->read_memory(gpu->core, address, bytes, sizeof bytes);
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void run(struct crooked_gpu *gpu, const struct pica_operation *operation)
{
    const enum pica_status status = ref_backend()->run(gpu->core, operation);
    if (gpu->status == PICA_OK)
        gpu->status = status;
}

/* Gives the GPU what was collected. Lists are multiples of 16 bytes (SUB-02). */
static void flush(struct crooked_gpu *gpu)
{
    const uint32_t page = gpu->windows[gpu->window_count].address;
    uint8_t bytes[sizeof gpu->block];
    if (gpu->block_words == 0)
        return;
    if (gpu->block_words % 4 != 0) {
        gpu->block[gpu->block_words++] = 0;
        gpu->block[gpu->block_words++] = NO_REGISTER;
    }
    for (uint32_t i = 0; i < 4 * gpu->block_words; i++)
        bytes[i] = (uint8_t)(gpu->block[i / 4] >> i % 4 * 8);
    run(gpu, &(struct pica_operation){
                 .kind = PICA_OPERATION_LOAD_MEMORY, .address = page, .size = 4 * gpu->block_words, .data = bytes });
    run(gpu,
        &(struct pica_operation){ .kind = PICA_OPERATION_SUBMIT_LIST, .address = page, .size = 4 * gpu->block_words });
    gpu->block_words = 0;
}

static void append(struct crooked_gpu *gpu, uint32_t id, uint32_t value, uint32_t mask)
{
    if (gpu->block_words == CROOKED_BLOCK_WORDS)
        flush(gpu);
    gpu->block[gpu->block_words++] = value;
    gpu->block[gpu->block_words++] = id | mask << 16;
}

/* CMD-05. */
static void store(struct crooked_gpu *gpu, uint32_t id, uint32_t value, uint32_t mask)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 4; i++)
        bits |= (mask >> i & 1) * (UINT32_C(0xFF) << 8 * i);
    gpu->registers[id] = (gpu->registers[id] & ~bits) | (value & bits);
}

static bool draws(uint32_t id)
{
    return id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS ||
           (id >= PICA_REG_FIXEDATTRIB_DATA0 && id <= PICA_REG_FIXEDATTRIB_DATA2);
}

/* The registers in which `bent` differs from what the case wrote, as `values` has them. */
static void append_bent(struct crooked_gpu *gpu, const uint32_t *bent, const uint32_t *values)
{
    for (uint32_t id = PICA_REG_FACECULLING_CONFIG; id < PICA_REG_DRAWARRAYS; id++)
        if (bent[id] != gpu->registers[id] && pica_reg_info(id)->reg_class == PICA_REG_CLASS_CONFIG)
            append(gpu, id, values[id], FULL_MASK);
}

/* The words after a draw are fetched after it (CMD-21), so that it may write over them. */
static void draw(struct crooked_gpu *gpu, uint32_t id, uint32_t value, uint32_t mask)
{
    uint32_t bent[PICA_REGISTERS];
    memcpy(bent, gpu->registers, sizeof bent);
    crooked_bend_draw(gpu, bent);
    append_bent(gpu, bent, bent);
    append(gpu, id, value, mask);
    append_bent(gpu, bent, gpu->registers);
    flush(gpu);
}

/* REG-12, REG-13: did the last write stop the list? */
static bool was_stopped(struct crooked_gpu *gpu)
{
    flush(gpu);
    if (gpu->status != PICA_OK || ref_backend()->read_state(gpu->core, &gpu->state) != PICA_OK)
        return true;
    const bool requested = gpu->state.interrupts[5] != gpu->interrupts;
    gpu->interrupts = gpu->state.interrupts[5];
    return requested && pica_irq_autostop_enable(gpu->state.registers[PICA_REG_IRQ_AUTOSTOP]);
}

enum outcome {
    GO_ON,
    JUMP,
    STOP
};

static enum outcome write_parameter(struct crooked_gpu *gpu, uint32_t id, uint32_t value, uint32_t mask)
{
    if (id >= PICA_REGISTERS)
        return GO_ON; /* REG-05 */
    if (id >= PICA_REG_FACECULLING_CONFIG)
        store(gpu, id, value, mask);
    if (id >= PICA_REG_CMDBUF_SIZE0 && id <= PICA_REG_CMDBUF_JUMP1)
        return id >= PICA_REG_CMDBUF_JUMP0 ? JUMP : GO_ON;
    if (id == PICA_REG_BLEND_COLOR)
        gpu->blend_color_is_stale = false;
    if (draws(id)) {
        draw(gpu, id, value, mask);
        return GO_ON;
    }
    append(gpu, id, value, mask);
    return id >= PICA_REG_FINALIZE && id < PICA_REG_IRQ_COMPARE0 && was_stopped(gpu) ? STOP : GO_ON;
}

struct list {
    uint32_t address, words, at;
};

/* SUB-02. */
static struct list take_list(const struct crooked_gpu *gpu, uint32_t channel)
{
    const struct list list = { .address = (gpu->registers[PICA_REG_CMDBUF_ADDR0 + channel] & 0x1FFFFFFE) * 8,
                               .words = (gpu->registers[PICA_REG_CMDBUF_SIZE0 + channel] & 0x1FFFFE) * 2 };
    return list;
}

/* CMD-03, SUB-05: the rest of a command that jumps is dropped. */
static enum outcome run_command(struct crooked_gpu *gpu, struct list *list)
{
    const uint32_t start = list->address + 4 * list->at;
    const uint32_t header = word_at(gpu, start + 4);
    const uint32_t count = pica_command_header_extra_parameters(header);
    const uint32_t step = pica_command_header_consecutive(header);
    uint32_t value = word_at(gpu, start);
    for (uint32_t k = 0;; k++) {
        const uint32_t id = pica_command_header_id(header) + k * step;
        const enum outcome outcome = write_parameter(gpu, id, value, pica_command_header_mask(header));
        if (outcome == JUMP)
            *list = take_list(gpu, id - PICA_REG_CMDBUF_JUMP0);
        if (outcome != GO_ON)
            return outcome;
        if (k == count)
            break;
        value = word_at(gpu, start + 8 + 4 * k);
    }
    list->at += 2 + count + count % 2;
    return GO_ON;
}

/* CMD-10: the tests before each command, in their order. */
static void run_list(struct crooked_gpu *gpu, uint32_t channel)
{
    struct list list = take_list(gpu, channel);
    for (uint32_t commands = 0; list.at < list.words && commands < gpu->command_limit; commands++) {
        const uint32_t start = list.address + 4 * list.at;
        if (!is_inside(gpu, start) || !is_inside(gpu, start + 4) || run_command(gpu, &list) == STOP)
            break;
    }
    flush(gpu);
    gpu->registers[PICA_REG_CMDBUF_JUMP0 + channel] = 0; /* EXT-CMD-03 */
}

/* EXT-CMD-02, EXT-CMD-05. */
enum pica_status crooked_write_internal(struct crooked_gpu *gpu, uint32_t id, uint32_t value)
{
    gpu->status = PICA_OK;
    if (id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) {
        gpu->registers[id] = value;
        if (value != 0)
            run_list(gpu, id - PICA_REG_CMDBUF_JUMP0);
    } else if (id >= PICA_REG_FACECULLING_CONFIG) {
        (void)write_parameter(gpu, id, value, FULL_MASK);
        flush(gpu);
    } else {
        run(gpu, &(struct pica_operation){
                     .kind = PICA_OPERATION_WRITE_REGISTER, .address = 0x10401000 + 4 * id, .words = { value } });
        (void)was_stopped(gpu);
    }
    return gpu->status;
}

/* EXT-CMD-14. */
enum pica_status crooked_submit(struct crooked_gpu *gpu, uint32_t address, uint32_t size)
{
    gpu->registers[PICA_REG_CMDBUF_SIZE0] = size >> 3;
    gpu->registers[PICA_REG_CMDBUF_ADDR0] = address >> 3;
    return crooked_write_internal(gpu, PICA_REG_CMDBUF_JUMP0, 1);
}
