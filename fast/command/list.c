/*
 * The command stream (spec 10): CPU accesses, the list decoder, the register file and the side effects of register
 * writes. Ports are in port.c; draws go on to fetch.c.
 */
#include "fast/command/list.h"

#include "fast/command/port.h"
#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/fetch.h"
#include "pica/regs.h"

/* Where a register write comes from: some events exist for lists only. */
enum write_source {
    WRITE_BY_CPU,
    WRITE_BY_LIST
};

/* What the list decoder does after a register write. */
enum write_result {
    WRITE_DONE,
    WRITE_JUMPS,   /* SUB-04 */
    WRITE_FINISHES /* REG-13: the interrupt stops the list */
};

/* A running list (SUB-02). */
struct list {
    uint32_t address; /* A */
    uint32_t words;   /* S / 4 */
    uint32_t position;
};

/* ------------------------------------------------------------------------------------------------------- interrupts */

/*
 * EXT-CMD-10, EXT-CMD-13: interrupts are counters; EXT-CMD-12: fill units count theirs in transfer.c.
 *
 * REG-10, REG-12: does some byte of request word w equal its compare byte on an enabled line?
 */
static bool request_matches(const struct fast_gpu *gpu, uint32_t w)
{
    const uint32_t request = gpu->registers[PICA_REG_FINALIZE + w];
    const uint32_t compare = gpu->registers[PICA_REG_IRQ_COMPARE0 + w];
    for (uint32_t j = 0; j < 4u; j++) {
        const uint32_t line = 4u * w + j;
        const uint32_t disabled = gpu->registers[line < 32u ? PICA_REG_IRQ_MASK_LOW : PICA_REG_IRQ_MASK_HIGH];
        if (pica_irq_bytes_byte_at(request, j) == pica_irq_bytes_byte_at(compare, j) &&
            (disabled >> (line % 32u) & 1u) == 0u)
            return true;
    }
    return false;
}

bool fast_interrupt_pending(const struct fast_gpu *gpu)
{
    for (uint32_t w = 0; w < 16u; w++)
        if (request_matches(gpu, w))
            return true;
    return false;
}

/* REG-12, REG-14: request word w was written. Returns whether the interrupt was raised. EXT-CMD-10. */
static bool request_interrupt(struct fast_gpu *gpu, uint32_t w)
{
    if (request_matches(gpu, w)) {
        gpu->interrupts[5] += 1u;
        return true;
    }
    if (w == 0u)
        fast_event(gpu, PICA_EVENT_FINALIZE_MISMATCH);
    return false;
}

/* REG-15: what a CPU write to ids 0x000-0x03F does. */
static void write_interrupt_register(struct fast_gpu *gpu, uint32_t id, uint32_t value)
{
    if (id < PICA_REG_FINALIZE) {
        gpu->registers[PICA_REG_FINALIZE + id] = value;
    } else if (id < PICA_REG_IRQ_COMPARE0) {
        gpu->registers[id] = value;
        request_interrupt(gpu, id - PICA_REG_FINALIZE);
    } else if (id <= PICA_REG_IRQ_MASK_HIGH || id == PICA_REG_IRQ_AUTOSTOP) {
        gpu->registers[id] = value;
    }
}

/* -------------------------------------------------------------------------------------------------- register writes */

/* REG-06: unused ids that restart primitives on a console, unreliably. */
static bool id_mirrors_restart(uint32_t id)
{
    return (id >= 0x070u && id <= 0x07fu) || (id >= 0x0feu && id <= 0x0ffu) || (id >= 0x127u && id <= 0x12fu) ||
           (id >= 0x1e0u && id <= 0x1ffu) || (id >= 0x240u && id <= 0x241u) || (id >= 0x246u && id <= 0x249u) ||
           (id >= 0x24bu && id <= 0x24fu) || (id >= 0x258u && id <= 0x25du) || (id >= 0x260u && id <= 0x27fu);
}

/* REG-44: ids that may be written while 0x253[0] = 1. */
static bool id_is_safe_while_drawing(uint32_t id)
{
    return (id >= 0x200u && id <= 0x254u) || (id >= 0x280u && id <= 0x2dfu) || id == PICA_REG_RESTART_PRIMITIVE;
}

/* CMD-05. */
static uint32_t expand_mask(uint32_t mask)
{
    return ((mask & 1u) != 0u ? 0x000000ffu : 0u) | ((mask & 2u) != 0u ? 0x0000ff00u : 0u) |
           ((mask & 4u) != 0u ? 0x00ff0000u : 0u) | ((mask & 8u) != 0u ? 0xff000000u : 0u);
}

/* CMD-06, REG-06, REG-43: events that depend on the id and the mask alone. */
static void record_write_events(struct fast_gpu *gpu, uint32_t id, uint32_t mask)
{
    const enum pica_reg_class class = pica_reg_info(id)->reg_class;
    if (mask != 0xfu && (class == PICA_REG_CLASS_PORT || class == PICA_REG_CLASS_TRIGGER))
        fast_event(gpu, PICA_EVENT_MASKED_PORT);
    if (id_mirrors_restart(id))
        fast_event(gpu, PICA_EVENT_MIRROR_RESTART);
    if (id >= 0x2b0u && id <= 0x2dfu &&
        pica_start_draw_func0_mode(gpu->registers[PICA_REG_START_DRAW_FUNC0]) == PICA_START_DRAW_MODE_DRAW)
        fast_event(gpu, PICA_EVENT_VSH_CONFIG_IN_DRAW_MODE);
}

/* REG-40. */
static void record_zero_trigger(struct fast_gpu *gpu, uint32_t parameter)
{
    if (parameter == 0u)
        fast_event(gpu, PICA_EVENT_TRIGGER_ZERO);
}

/* The ids 0x200-0x2FF: draws, fixed attributes, primitives, shader units. */
static enum write_result run_geometry_effect(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t merged,
                                             enum write_source source)
{
    if (id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS) {
        record_zero_trigger(gpu, parameter);
        fast_draw(gpu, id == PICA_REG_DRAWELEMENTS);
    } else if (id == PICA_REG_FIXEDATTRIB_INDEX) {
        fast_write_fixed_index(gpu);
    } else if (id >= PICA_REG_FIXEDATTRIB_DATA0 && id <= PICA_REG_FIXEDATTRIB_DATA2) {
        fast_write_fixed_data(gpu, id, parameter);
    } else if (id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) {
        if (source == WRITE_BY_LIST) {
            record_zero_trigger(gpu, parameter); /* SUB-03 */
            return WRITE_JUMPS;
        }
    } else if (id == PICA_REG_PRIMITIVE_CONFIG) { /* REG-41 */
        fast_primitive_reset(gpu);
        fast_primitive_set_topology(gpu, (uint32_t)pica_primitive_config_topology(merged));
    } else if (id == PICA_REG_RESTART_PRIMITIVE) {
        record_zero_trigger(gpu, parameter);
        fast_primitive_reset(gpu);
    } else if (id == PICA_REG_VSH_OUTMAP_MASK) {
        fast_write_output_mask(gpu, parameter);
    } else if (id >= PICA_REG_GSH_BOOLUNIFORM && id <= PICA_REG_VSH_OPDESCS_DATA7) {
        fast_write_shader_unit(gpu, id, parameter, merged);
    }
    return WRITE_DONE;
}

/*
 * REG-01, CMD-05..07: one write to an id of 0x010-0x01F or 0x040-0x2FF. Inert ids (REG-42, FBF-20: 0x063, 0x110, 0x111;
 * 0x231, 0x28F, 0x2BF) have only storage. REG-44, REG-07: ids without effect on a result are storage like any other.
 */
static enum write_result write_register(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask,
                                        enum write_source source)
{
    record_write_events(gpu, id, mask);
    const uint32_t byte_mask = expand_mask(mask);
    const uint32_t old = gpu->registers[id];
    const uint32_t merged = (old & ~byte_mask) | (parameter & byte_mask);
    gpu->registers[id] = merged;

    if (id >= 0x200u)
        return run_geometry_effect(gpu, id, parameter, merged, source);
    if (id < 0x040u) {
        const bool raised = request_interrupt(gpu, id - PICA_REG_FINALIZE);
        const bool stops = pica_irq_autostop_enable(gpu->registers[PICA_REG_IRQ_AUTOSTOP]) != 0u;
        return raised && stops && source == WRITE_BY_LIST ? WRITE_FINISHES : WRITE_DONE; /* REG-13 */
    }
    if (merged != old) {
        gpu->raster_dirty = true;
        gpu->shading_dirty = true;
    }
    fast_write_table(gpu, id, parameter);
    return WRITE_DONE;
}

/* REG-05, REG-11, REG-44: what only a list meets before its write. */
static enum write_result write_from_list(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask)
{
    if (pica_geostage_config2_drawing(gpu->registers[PICA_REG_GEOSTAGE_CONFIG2]) != 0u && !id_is_safe_while_drawing(id))
        fast_event(gpu, PICA_EVENT_WRITE_WHILE_DRAWING);
    if (id >= PICA_REGISTERS) {
        fast_event(gpu, PICA_EVENT_REG_ID_RANGE);
        return WRITE_DONE;
    }
    if (id < PICA_REG_FINALIZE || (id >= PICA_REG_IRQ_COMPARE0 && id < 0x040u)) {
        fast_event(gpu, PICA_EVENT_CPU_ONLY_REG);
        return WRITE_DONE;
    }
    return write_register(gpu, id, parameter, mask, WRITE_BY_LIST);
}

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

/* CMD-09, CMD-10, CMD-22: may another command be decoded? */
static bool next_command_exists(struct fast_gpu *gpu, const struct list *list)
{
    if (list->position >= list->words)
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
static enum write_result run_command(struct fast_gpu *gpu, struct list *list)
{
    const uint8_t *const bytes = fast_memory_bytes(gpu, list->address + 4u * list->position, 8u);
    uint32_t parameter = fast_load_le32(bytes);
    const uint32_t header = fast_load_le32(bytes + 4);
    const uint32_t extra = pica_command_header_extra_parameters(header);
    const uint32_t step = pica_command_header_consecutive(header);
    const uint32_t mask = pica_command_header_mask(header);
    uint32_t id = pica_command_header_id(header);

    gpu->budget.commands += 1u;
    gpu->list_address = list->address;
    gpu->list_word = list->position + 1u;
    list->position += 2u;
    for (uint32_t k = 0;; k++) {
        const enum write_result result = write_from_list(gpu, id, parameter, mask);
        if (result == WRITE_JUMPS) {
            if (k < extra)
                fast_event(gpu, PICA_EVENT_JUMP_MID_COMMAND);
            enter_list(gpu, list, id - PICA_REG_CMDBUF_JUMP0);
            return WRITE_JUMPS;
        }
        if (result == WRITE_FINISHES || k == extra) {
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
        finished = run_command(gpu, &list) == WRITE_FINISHES;
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
        write_interrupt_register(gpu, id, value);
    } else {
        start_submission(gpu);
        write_register(gpu, id, value, 0xfu, WRITE_BY_CPU);
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

void fast_registers_init(struct fast_gpu *gpu)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        gpu->reset_registers[id] = pica_reg_info(id)->reset;
}

void fast_registers_reset(struct fast_gpu *gpu)
{
    memcpy(gpu->registers, gpu->reset_registers, sizeof gpu->registers);
}
