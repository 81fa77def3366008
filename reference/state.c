/*
 * The register file (REG): what a write to each of the 0x300 internal registers does.
 *
 * Most registers are plain configuration: the word is kept (bytes chosen by a mask) and read when something uses it.
 * Some are ports (port.c), which send the parameter on into a table. Some are triggers: a draw, a jump, an interrupt.
 * Of the first 0x40 ids a list may write the interrupt requests only; the CPU may write all. A port takes the parameter
 * as sent, whatever the mask; everything else looks at the merged word (CMD-07).
 *
 * Worked number: 0x25E holds 0x11223344; a list writes 0x00000300 with mask 0010b: 0x11220344, so topology 3.
 */
#include "reference/pipeline.h"
#include "reference/port.h"

/* CMD-05, REG-01: bit i of the mask lets byte i through. */
uint32_t ref_merge(uint32_t old, uint32_t parameter, uint32_t mask)
{
    uint32_t bytes = 0;
    if (mask == 0xFu)
        return parameter;
    for (uint32_t i = 0; i < 4; i++)
        if (mask >> i & 1u)
            bytes |= 0xFFu << (8u * i);
    return (old & ~bytes) | (parameter & bytes);
}

static bool is_between(uint32_t id, uint32_t first, uint32_t last)
{
    return id >= first && id <= last;
}

/* ------------------------------------------------------------------------------------------------------ interrupts */

/* REG-10: whether line 4 * word + byte is enabled and its request byte equals its compare byte. */
static bool line_matches(const struct ref_gpu *gpu, uint32_t word, uint32_t byte)
{
    const uint32_t line = 4u * word + byte;
    const uint32_t disabled = gpu->regs[line < 32u ? PICA_REG_IRQ_MASK_LOW : PICA_REG_IRQ_MASK_HIGH];
    const uint32_t request = pica_irq_bytes_byte_at(gpu->regs[PICA_REG_FINALIZE + word], byte);
    const uint32_t compare = pica_irq_bytes_byte_at(gpu->regs[PICA_REG_IRQ_COMPARE0 + word], byte);
    return (disabled >> (line % 32u) & 1u) == 0 && request == compare;
}

bool ref_request_matches(const struct ref_gpu *gpu, uint32_t word)
{
    for (uint32_t byte = 0; byte < 4; byte++)
        if (line_matches(gpu, word, byte))
            return true;
    return false;
}

/* REG-12, other side: whether a byte of 0x010 equals its compare byte, enabled or not. */
static bool byte_matches(const struct ref_gpu *gpu)
{
    for (uint32_t byte = 0; byte < 4; byte++)
        if (pica_irq_bytes_byte_at(gpu->regs[PICA_REG_FINALIZE], byte) ==
            pica_irq_bytes_byte_at(gpu->regs[PICA_REG_IRQ_COMPARE0], byte))
            return true;
    return false;
}

/* REG-12: whether a write of request word `word` raises the interrupt; sources differ about what is compared. */
static bool raises_interrupt(const struct ref_gpu *gpu, uint32_t word)
{
    if (ref_takes(gpu, PICA_SIDE_FINALIZE_VALUE_LINES))
        return ref_request_matches(gpu, word);
    if (ref_takes(gpu, PICA_SIDE_FINALIZE_VALUE_WORD_0))
        return word == 0 && byte_matches(gpu);
    if (ref_takes(gpu, PICA_SIDE_FINALIZE_VALUE_MAGIC))
        return word == 0 && gpu->regs[PICA_REG_FINALIZE] == 0x12345678u;
    return word == 0;
}

/* REG-12, REG-14: after the update of request word `word`; true if it raised the P3D interrupt. */
static bool request_interrupt(struct ref_gpu *gpu, uint32_t word)
{
    const bool matches = raises_interrupt(gpu, word);
    ref_feature(gpu, (matches ? PICA_FEATURE_INTERRUPT_RAISED : PICA_FEATURE_INTERRUPT_MISSED) + word);
    if (matches) {
        ref_interrupt(gpu, 5);
        return true;
    }
    ref_event_if(gpu, word == 0, PICA_EVENT_FINALIZE_MISMATCH);
    return false;
}

/* REG-11, REG-12, REG-13: a list can only write the request words 0x010-0x01F. On the other side it also stores into
 * the other ids below 0x040. */
static void list_write_interrupt(struct ref_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask)
{
    if (!is_between(id, PICA_REG_FINALIZE, PICA_REG_IRQ_REQUEST15)) {
        ref_event(gpu, PICA_EVENT_CPU_ONLY_REG);
        if (ref_takes(gpu, PICA_SIDE_CPU_REGISTERS_STORED))
            gpu->regs[id] = ref_merge(gpu->regs[id], parameter, mask);
        return;
    }
    gpu->regs[id] = ref_merge(gpu->regs[id], parameter, mask);
    if (request_interrupt(gpu, id - PICA_REG_FINALIZE))
        gpu->list_stopped = pica_irq_autostop_enable(gpu->regs[PICA_REG_IRQ_AUTOSTOP]) != 0;
}

/* REG-15: words 0x000-0x00F, 0x032, 0x033 and 0x035-0x03F stay 0. */
static void cpu_write_interrupt(struct ref_gpu *gpu, uint32_t id, uint32_t value)
{
    if (is_between(id, PICA_REG_IRQ_ACK0, PICA_REG_IRQ_ACK15)) {
        gpu->regs[PICA_REG_FINALIZE + (id - PICA_REG_IRQ_ACK0)] = value;
    } else if (is_between(id, PICA_REG_FINALIZE, PICA_REG_IRQ_REQUEST15)) {
        gpu->regs[id] = value;
        (void)request_interrupt(gpu, id - PICA_REG_FINALIZE);
    } else if (is_between(id, PICA_REG_IRQ_COMPARE0, PICA_REG_IRQ_MASK_HIGH) || id == PICA_REG_IRQ_AUTOSTOP) {
        gpu->regs[id] = value;
    }
}

/* REG-15, REG-45: sets the words that nobody can write to 0, also in an initial state. */
void ref_clear_fixed_words(struct ref_gpu *gpu)
{
    for (uint32_t id = PICA_REG_IRQ_ACK0; id <= PICA_REG_UNUSED_03F; id++) {
        const bool is_writable =
            is_between(id, PICA_REG_FINALIZE, PICA_REG_IRQ_MASK_HIGH) || id == PICA_REG_IRQ_AUTOSTOP;
        if (!is_writable)
            gpu->regs[id] = 0;
    }
    if (ref_takes(gpu, PICA_SIDE_REGISTER_035_HEX_00010002))
        gpu->regs[PICA_REG_UNUSED_035] = 0x00010002u;
}

/* -------------------------------------------------------------------------------------------------------- triggers */

/* REG-40: any value acts; on the other side, any but 0. */
static bool is_trigger(const struct ref_gpu *gpu, uint32_t parameter)
{
    return parameter != 0 || ref_takes(gpu, PICA_SIDE_TRIGGER_VALUE_ANY);
}

/* REG-40. */
static void write_draw(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    ref_event_if(gpu, parameter == 0, PICA_EVENT_TRIGGER_ZERO);
    if (is_trigger(gpu, parameter))
        ref_draw(gpu, id);
}

/* REG-41, PRM-02: any write to the topology register restarts the assembler; on the other side, none does. */
static void write_topology(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    if (ref_takes(gpu, PICA_SIDE_CONFIG_RESET_RESETS))
        ref_assembler_reset(gpu);
    gpu->assembler.topology = (uint8_t)pica_primitive_config_topology(gpu->regs[id]);
    (void)parameter;
}

/* REG-40, PRM-01. */
static void write_restart(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    ref_event_if(gpu, parameter == 0, PICA_EVENT_TRIGGER_ZERO);
    if (is_trigger(gpu, parameter))
        ref_assembler_reset(gpu);
    (void)id;
}

/* SUB-03: list.c makes the jump; only writes of lists get here. Any value jumps; on the other side, any but 0. */
static void write_jump(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    ref_event_if(gpu, parameter == 0, PICA_EVENT_TRIGGER_ZERO);
    if (parameter == 0 && ref_takes(gpu, PICA_SIDE_JUMP_VALUE_NON_ZERO))
        return;
    gpu->list_jumped = true;
    gpu->jump_channel = id - PICA_REG_CMDBUF_JUMP0;
}

/*
 * The registers whose write does something, in the order of their ids. All others only keep their word: configuration
 * is looked at when it is used, and REG-42 (0x063, 0x110, 0x111, 0x231) and REG-44 list those that nothing looks at.
 */
static const struct effect {
    uint32_t first, last;
    void (*act)(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
} effects[] = {
    { PICA_REG_PROCTEX_LUT_DATA0, PICA_REG_PROCTEX_LUT_DATA7, ref_port_proctex_lut },
    { PICA_REG_FOG_LUT_DATA0, PICA_REG_FOG_LUT_DATA7, ref_port_fog_lut },
    { PICA_REG_GAS_LUT_DATA, PICA_REG_GAS_LUT_DATA, ref_port_gas_lut },
    { PICA_REG_LIGHTING_LUT_DATA0, PICA_REG_LIGHTING_LUT_DATA7, ref_port_lighting_lut },
    { PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS, write_draw },
    { PICA_REG_FIXEDATTRIB_INDEX, PICA_REG_FIXEDATTRIB_INDEX, ref_port_fixed_index },
    { PICA_REG_FIXEDATTRIB_DATA0, PICA_REG_FIXEDATTRIB_DATA2, ref_port_fixed },
    { PICA_REG_CMDBUF_JUMP0, PICA_REG_CMDBUF_JUMP1, write_jump },
    { PICA_REG_PRIMITIVE_CONFIG, PICA_REG_PRIMITIVE_CONFIG, write_topology },
    { PICA_REG_RESTART_PRIMITIVE, PICA_REG_RESTART_PRIMITIVE, write_restart },
    { PICA_REG_GSH_BOOLUNIFORM, PICA_REG_GSH_BOOLUNIFORM, ref_port_booleans },
    { PICA_REG_GSH_INTUNIFORM_I0, PICA_REG_GSH_INTUNIFORM_I3, ref_port_integers },
    { PICA_REG_GSH_CODETRANSFER_END, PICA_REG_GSH_CODETRANSFER_END, ref_port_code_end },
    { PICA_REG_GSH_FLOATUNIFORM_INDEX, PICA_REG_GSH_FLOATUNIFORM_INDEX, ref_port_uniform_index },
    { PICA_REG_GSH_FLOATUNIFORM_DATA0, PICA_REG_GSH_FLOATUNIFORM_DATA7, ref_port_uniform },
    { PICA_REG_GSH_CODETRANSFER_DATA0, PICA_REG_GSH_CODETRANSFER_DATA7, ref_port_code },
    { PICA_REG_GSH_OPDESCS_DATA0, PICA_REG_GSH_OPDESCS_DATA7, ref_port_descriptor },
    { PICA_REG_VSH_BOOLUNIFORM, PICA_REG_VSH_BOOLUNIFORM, ref_port_booleans },
    { PICA_REG_VSH_INTUNIFORM_I0, PICA_REG_VSH_INTUNIFORM_I3, ref_port_integers },
    { PICA_REG_VSH_OUTMAP_MASK, PICA_REG_VSH_OUTMAP_MASK, ref_port_output_mask },
    { PICA_REG_VSH_CODETRANSFER_END, PICA_REG_VSH_CODETRANSFER_END, ref_port_code_end },
    { PICA_REG_VSH_FLOATUNIFORM_INDEX, PICA_REG_VSH_FLOATUNIFORM_INDEX, ref_port_uniform_index },
    { PICA_REG_VSH_FLOATUNIFORM_DATA0, PICA_REG_VSH_FLOATUNIFORM_DATA7, ref_port_uniform },
    { PICA_REG_VSH_CODETRANSFER_DATA0, PICA_REG_VSH_CODETRANSFER_DATA7, ref_port_code },
    { PICA_REG_VSH_OPDESCS_DATA0, PICA_REG_VSH_OPDESCS_DATA7, ref_port_descriptor },
};

/* Binary search; the line is among `low` .. `high` - 1. */
static const struct effect *find_effect(uint32_t id)
{
    size_t low = 0, high = sizeof effects / sizeof effects[0];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (is_between(id, effects[middle].first, effects[middle].last))
            return &effects[middle];
        if (id < effects[middle].first)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------------- writes */

/* REG-06: unused ids that may restart primitives on a console. */
static const struct {
    uint32_t first, last;
} mirrors[] = { { 0x070, 0x07F }, { 0x0FE, 0x0FF }, { 0x127, 0x12F }, { 0x1E0, 0x1FF }, { 0x240, 0x241 },
                { 0x246, 0x249 }, { 0x24B, 0x24F }, { 0x258, 0x25D }, { 0x260, 0x27F } };

static bool is_mirror(uint32_t id)
{
    for (size_t i = 0; i < sizeof mirrors / sizeof mirrors[0] && mirrors[i].first <= id; i++)
        if (is_between(id, mirrors[i].first, mirrors[i].last))
            return true;
    return false;
}

/* REG-43: whether an id belongs to the vertex unit; a write to it in the draw mode of 0x245 is an event, no more. */
static bool is_vertex_unit_id(uint32_t id)
{
    return is_between(id, PICA_REG_VSH_BOOLUNIFORM, PICA_REG_UNUSED_2DF);
}

/*
 * CMD-06, CMD-07, REG-01, REG-06, REG-43: a write to an id from 0x040 to 0x2FF, by a list or by the CPU. Most are
 * configuration, which only keeps its word.
 */
static void write_register(struct ref_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask)
{
    const enum pica_reg_class kind = pica_reg_info(id)->reg_class;
    ref_event_if(gpu, kind == PICA_REG_CLASS_STORAGE && is_mirror(id), PICA_EVENT_MIRROR_RESTART);
    ref_event_if(gpu,
                 is_vertex_unit_id(id) &&
                     pica_start_draw_func0_mode(gpu->regs[PICA_REG_START_DRAW_FUNC0]) == PICA_START_DRAW_MODE_DRAW,
                 PICA_EVENT_VSH_CONFIG_IN_DRAW_MODE);

    gpu->regs[id] = ref_merge(gpu->regs[id], parameter, mask);
    if (kind == PICA_REG_CLASS_STORAGE && is_mirror(id) && ref_takes(gpu, PICA_SIDE_UNUSED_IDS_RESTART))
        ref_assembler_reset(gpu);
    if (kind == PICA_REG_CLASS_CONFIG || kind == PICA_REG_CLASS_STORAGE)
        return;
    const struct effect *const effect = find_effect(id);
    if (effect != NULL)
        effect->act(gpu, id, parameter);
}

/* CMD-06: exactly class F or T. */
static bool is_masked_port(uint32_t id, uint32_t mask)
{
    if (mask == 0xFu)
        return false;
    const enum pica_reg_class kind = pica_reg_info(id)->reg_class;
    return kind == PICA_REG_CLASS_PORT || kind == PICA_REG_CLASS_TRIGGER;
}

/* REG-44: 0x253[0] = 1 means "drawing", for an event only. */
static bool is_write_while_drawing(const struct ref_gpu *gpu, uint32_t id)
{
    if (!pica_geostage_config2_drawing(gpu->regs[PICA_REG_GEOSTAGE_CONFIG2]))
        return false;
    return !is_between(id, PICA_REG_ATTRIBBUFFERS_LOC, PICA_REG_GSH_MISC1) &&
           !is_between(id, PICA_REG_GSH_BOOLUNIFORM, PICA_REG_UNUSED_2DF) && id != PICA_REG_RESTART_PRIMITIVE;
}

/* REG-05: ids from 0x300 on take their parameter and do nothing, or some of them are 0x25F, too. */
static void write_high_id(struct ref_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask)
{
    ref_event(gpu, PICA_EVENT_REG_ID_RANGE);
    if (is_between(id, 0x340u, 0x3FFu) && ref_takes(gpu, PICA_SIDE_HIGH_IDS_RESTART))
        write_register(gpu, PICA_REG_RESTART_PRIMITIVE, parameter, mask);
}

void ref_list_register_write(struct ref_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask)
{
    ref_event_if(gpu, is_write_while_drawing(gpu, id), PICA_EVENT_WRITE_WHILE_DRAWING);
    if (id >= PICA_REGISTERS) {
        write_high_id(gpu, id, parameter, mask);
        return;
    }
    ref_feature(gpu, PICA_FEATURE_REGISTER_WRITTEN + id);
    ref_event_if(gpu, is_masked_port(id, mask), PICA_EVENT_MASKED_PORT);
    if (id <= PICA_REG_UNUSED_03F)
        list_write_interrupt(gpu, id, parameter, mask);
    else
        write_register(gpu, id, parameter, mask);
}

/* EXT-CMD-05: like a list write of all bytes, except for the interrupt registers (REG-15). On the other side, it only
 * stores the word. */
void ref_cpu_register_write(struct ref_gpu *gpu, uint32_t id, uint32_t value)
{
    if (id < PICA_REGISTERS)
        ref_feature(gpu, PICA_FEATURE_REGISTER_WRITTEN + id);
    if (id >= PICA_REGISTERS)
        write_high_id(gpu, id, value, 0xFu);
    else if (id <= PICA_REG_UNUSED_03F)
        cpu_write_interrupt(gpu, id, value);
    else if (ref_takes(gpu, PICA_SIDE_CPU_WRITE_STORES))
        gpu->regs[id] = value;
    else
        write_register(gpu, id, value, 0xFu);
}
