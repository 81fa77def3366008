/*
 * The register file (spec 10): what a write to a register does, and interrupts. Ports, whose data are more than one
 * word, are in port.c; triggers call vertex/.
 */
#include "fast/command/state.h"

#include "fast/command/port.h"
#include "fast/gpu.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/fetch.h"
#include "pica/regs.h"

/* ------------------------------------------------------------------------------------------------------- interrupts */

/*
 * REG-10, REG-12: does some byte of request word w equal its compare byte on an enabled line?
 *
 * EXT-CMD-10, EXT-CMD-13: interrupts are counters. EXT-CMD-12: the fill units count their own in fill.c.
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

/* REG-12, REG-14, EXT-CMD-10: call after request word w was written. Returns whether the interrupt was raised. */
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

/* REG-15: a CPU write to an id of 0x000-0x03F. */
void fast_write_interrupt_register(struct fast_gpu *gpu, uint32_t id, uint32_t value)
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

/* REG-06: unused ids that on a console restart primitives, but not reliably. */
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

/* REG-40: records the event of a trigger written with 0. */
static void record_zero_trigger(struct fast_gpu *gpu, uint32_t parameter)
{
    if (parameter == 0u)
        fast_event(gpu, PICA_EVENT_TRIGGER_ZERO);
}

/* The ids 0x200-0x2FF: draws, fixed attributes, primitives, shader units. */
static enum fast_write_result run_geometry_effect(struct fast_gpu *gpu, uint32_t id, uint32_t parameter,
                                                  uint32_t merged, enum fast_write_source source)
{
    if (id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS) {
        record_zero_trigger(gpu, parameter);
        fast_draw(gpu, id == PICA_REG_DRAWELEMENTS);
    } else if (id == PICA_REG_FIXEDATTRIB_INDEX) {
        fast_write_fixed_index(gpu);
    } else if (id >= PICA_REG_FIXEDATTRIB_DATA0 && id <= PICA_REG_FIXEDATTRIB_DATA2) {
        fast_write_fixed_data(gpu, id, parameter);
    } else if (id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) {
        if (source == FAST_WRITE_BY_LIST) {
            record_zero_trigger(gpu, parameter); /* SUB-03 */
            return FAST_WRITE_JUMPS;
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
    return FAST_WRITE_DONE;
}

/*
 * REG-01, CMD-05..07: one write to an id of 0x010-0x01F or 0x040-0x2FF. Inert ids only store the value (REG-42, FBF-20:
 * 0x063, 0x110, 0x111; 0x231, 0x28F, 0x2BF). REG-44, REG-07: the same holds for ids without effect on a result.
 */
enum fast_write_result fast_write_register(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask,
                                           enum fast_write_source source)
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
        return raised && stops && source == FAST_WRITE_BY_LIST ? FAST_WRITE_FINISHES : FAST_WRITE_DONE; /* REG-13 */
    }
    if (merged != old) {
        gpu->raster_dirty = true;
        gpu->shading_dirty = true;
    }
    fast_write_table(gpu, id, parameter);
    return FAST_WRITE_DONE;
}

/* REG-05, REG-11, REG-44: the checks that apply only to a write from a list, then the write. */
enum fast_write_result fast_write_from_list(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask)
{
    if (pica_geostage_config2_drawing(gpu->registers[PICA_REG_GEOSTAGE_CONFIG2]) != 0u && !id_is_safe_while_drawing(id))
        fast_event(gpu, PICA_EVENT_WRITE_WHILE_DRAWING);
    if (id >= PICA_REGISTERS) {
        fast_event(gpu, PICA_EVENT_REG_ID_RANGE);
        return FAST_WRITE_DONE;
    }
    if (id < PICA_REG_FINALIZE || (id >= PICA_REG_IRQ_COMPARE0 && id < 0x040u)) {
        fast_event(gpu, PICA_EVENT_CPU_ONLY_REG);
        return FAST_WRITE_DONE;
    }
    return fast_write_register(gpu, id, parameter, mask, FAST_WRITE_BY_LIST);
}

/* ------------------------------------------------------------------------------------------------------------ reset */

void fast_registers_init(struct fast_gpu *gpu)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        gpu->reset_registers[id] = pica_reg_info(id)->reset;
}

void fast_registers_reset(struct fast_gpu *gpu)
{
    memcpy(gpu->registers, gpu->reset_registers, sizeof gpu->registers);
}
