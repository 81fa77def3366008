#include "oracles/walk.h"

#include <string.h>

/* --------------------------------------------------------------------------------------------------------- ranges */

bool oracle_ranges_meet(const struct oracle_range *a, const struct oracle_range *b)
{
    return a->size != 0 && b->size != 0 && a->first < b->first + b->size && b->first < a->first + a->size;
}

static bool covers(const struct oracle_range *outer, uint32_t first, uint64_t size)
{
    return first >= outer->first && first + size <= outer->first + outer->size;
}

bool oracle_in_window(const struct oracle_script *script, const struct oracle_range *range)
{
    for (uint32_t i = 0; i < script->setup.window_count; i++) {
        const struct oracle_range window = { script->setup.windows[i].address, script->setup.windows[i].size };
        if (covers(&window, range->first, range->size))
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------------------- memory */

static void soil_everything(struct oracle_walk *walk)
{
    walk->all_dirty = true;
    walk->dirty_since = walk->operation;
}

static void soil(struct oracle_walk *walk, const struct oracle_range *range)
{
    if (range->size == 0)
        return;
    if (range->first + range->size > UINT64_C(0x100000000)) {
        soil_everything(walk);
        return;
    }
    for (uint32_t i = 0; i < walk->dirty_count; i++)
        if (walk->dirty[i].range.first == range->first && walk->dirty[i].range.size == range->size) {
            walk->dirty[i].operation = walk->operation;
            return;
        }
    if (walk->dirty_count == ORACLE_MAX_DIRTY) {
        soil_everything(walk);
        return;
    }
    walk->dirty[walk->dirty_count].range = *range;
    walk->dirty[walk->dirty_count++].operation = walk->operation;
}

static void overlay(const struct oracle_range *range, uint8_t *out, uint32_t address, const uint8_t *data,
                    uint32_t size)
{
    const uint64_t end = range->first + range->size;
    const uint64_t from = address > range->first ? address : range->first;
    const uint64_t to = (uint64_t)address + size < end ? (uint64_t)address + size : end;
    if (from < to)
        memcpy(out + (from - range->first), data + (from - address), (size_t)(to - from));
}

/* Index after the last operation that may have written to the range; 0 if none did. */
static uint32_t clean_since(const struct oracle_walk *walk, const struct oracle_range *range)
{
    uint32_t since = walk->all_dirty ? walk->dirty_since + 1 : 0;
    for (uint32_t i = 0; i < walk->dirty_count; i++)
        if (oracle_ranges_meet(&walk->dirty[i].range, range) && walk->dirty[i].operation + 1 > since)
            since = walk->dirty[i].operation + 1;
    return since;
}

bool oracle_walk_memory(const struct oracle_walk *walk, const struct oracle_range *range, uint8_t *out)
{
    if (range->size == 0 || !oracle_in_window(walk->script, range))
        return false;
    const struct pica_setup *const setup = &walk->script->setup;
    const uint32_t since = clean_since(walk, range);
    bool known = since == 0;
    memset(out, 0, (size_t)range->size);
    for (uint32_t i = 0; known && i < setup->chunk_count; i++)
        overlay(range, out, setup->chunks[i].address, setup->chunks[i].data, setup->chunks[i].size);
    for (uint32_t i = 0; i < walk->operation; i++) {
        const struct pica_operation *const load = &walk->script->operations[i];
        if (load->kind != PICA_OPERATION_LOAD_MEMORY)
            continue;
        const struct oracle_range loaded = { load->address, load->size };
        known = known || (i >= since && covers(&loaded, range->first, range->size));
        overlay(range, out, load->address, load->data, load->size);
    }
    return known;
}

/* -------------------------------------------------------------------------------------------------------- surfaces */

static uint64_t round_up(uint64_t value, uint64_t step)
{
    return (value + step - 1) / step * step;
}

static uint32_t color_bytes(const struct oracle_walk *walk)
{
    const enum pica_fragment_mode mode =
        pica_color_operation_fragment_mode(walk->registers.values[PICA_REG_COLOR_OPERATION]);
    const enum pica_color_format format =
        pica_colorbuffer_format_format(walk->registers.values[PICA_REG_COLORBUFFER_FORMAT]);
    if (((uint32_t)mode & 1u) != 0)
        return 4;                                               /* SHW-01, GAS-01 */
    static const uint8_t bytes[8] = { 4, 3, 2, 2, 2, 4, 4, 4 }; /* FBF-09 */
    return bytes[(uint32_t)format];
}

bool oracle_walk_surfaces(const struct oracle_walk *walk, struct oracle_range *color, struct oracle_range *depth)
{
    static const uint8_t depth_bytes[4] = { 2, 4, 3, 4 }; /* FBF-14 */
    if (!oracle_span_known(walk, PICA_REG_COLOR_OPERATION, PICA_REG_FRAMEBUFFER_DIM))
        return false;
    const uint32_t *const values = walk->registers.values;
    const uint32_t step = pica_framebuffer_block32_block32(values[PICA_REG_FRAMEBUFFER_BLOCK32]) != 0 ? 32 : 8;
    const uint64_t width = round_up(pica_framebuffer_dim_width(values[PICA_REG_FRAMEBUFFER_DIM]), step);
    const uint64_t height =
        round_up((uint64_t)pica_framebuffer_dim_height_minus_1(values[PICA_REG_FRAMEBUFFER_DIM]) + 1, step);
    color->first = (values[PICA_REG_COLORBUFFER_LOC] & 0x0FFFFFF8u) * 8u; /* FBF-02 */
    color->size = width * height * color_bytes(walk);
    depth->first = (values[PICA_REG_DEPTHBUFFER_LOC] & 0x0FFFFFF8u) * 8u;
    const enum pica_depth_format format = pica_depthbuffer_format_format(values[PICA_REG_DEPTHBUFFER_FORMAT]);
    depth->size = width * height * depth_bytes[(uint32_t)format];
    return true;
}

/* A draw may happen now: what it may write is dirty, and must be neither the list nor the reserved range. */
static void note_draw(struct oracle_walk *walk)
{
    struct oracle_range surfaces[2];
    walk->draws++;
    if (!oracle_walk_surfaces(walk, &surfaces[0], &surfaces[1])) {
        soil_everything(walk);
        walk->broken = true;
        return;
    }
    for (int i = 0; i < 2; i++) {
        soil(walk, &surfaces[i]);
        if (oracle_ranges_meet(&surfaces[i], &walk->reserved) || oracle_ranges_meet(&surfaces[i], &walk->list_range))
            walk->broken = true;
    }
}

/* ------------------------------------------------------------------------------------------------------- registers */

bool oracle_span_known(const struct oracle_walk *walk, uint32_t first, uint32_t last)
{
    for (uint32_t id = first; id <= last; id++) {
        const enum pica_reg_class reg_class = pica_reg_info(id)->reg_class;
        if ((reg_class == PICA_REG_CLASS_CONFIG || reg_class == PICA_REG_CLASS_CONFIG_TRIGGER) &&
            !oracle_known(walk, id))
            return false;
    }
    return true;
}

/* Forgets the register file and everything that depends on it. */
static void lose_registers(struct oracle_walk *walk)
{
    oracle_follow_lose(&walk->registers);
    walk->assembler_empty = false;
    walk->code_known = false;
}

static void init_state(struct oracle_walk *walk, const struct pica_state *state)
{
    struct oracle_follower *const registers = &walk->registers;
    const struct pica_assembler_state *const assembler = &state->assembler;
    oracle_follow_start(registers, state->registers);
    memcpy(walk->code, state->units[PICA_UNIT_VERTEX].code, sizeof walk->code);
    for (int unit = 0; unit < 2; unit++)
        registers->queue[ORACLE_PORT_UNIFORMS][unit] = (uint8_t)state->units[unit].queue_length;
    registers->queue[ORACLE_PORT_FIXED][0] = state->fixed_queue_length;
    walk->assembler_empty = assembler->count == 0 && assembler->ready == 0 && assembler->winding == 0;
    if (assembler->topology != (uint32_t)pica_primitive_config_topology(state->registers[PICA_REG_PRIMITIVE_CONFIG]))
        registers->known[PICA_REG_PRIMITIVE_CONFIG] = 0; /* so that a known word always names the latched topology */
}

void oracle_walk_init(struct oracle_walk *walk, const struct oracle_script *script)
{
    memset(walk, 0, sizeof *walk);
    walk->script = script;
    walk->code_known = true;
    walk->assembler_empty = true;
    if (script->setup.initial_state == NULL)
        oracle_follow_start(&walk->registers, NULL);
    else
        init_state(walk, script->setup.initial_state);
}

/* REG-12: does the request word as it stands raise the interrupt? Unknown words break the walk. */
static bool request_fires(struct oracle_walk *walk, uint32_t word)
{
    const uint32_t mask_id = word < 8 ? PICA_REG_IRQ_MASK_LOW : PICA_REG_IRQ_MASK_HIGH;
    const uint32_t request = PICA_REG_FINALIZE + word;
    const uint32_t compare = PICA_REG_IRQ_COMPARE0 + word;
    if (!oracle_known(walk, request) || !oracle_known(walk, compare) || !oracle_known(walk, mask_id)) {
        walk->broken = true;
        return false;
    }
    for (uint32_t j = 0; j < 4; j++) {
        const uint32_t line = 4 * word + j;
        const bool equal = (walk->registers.values[request] >> (8 * j) & 0xFFu) ==
                           (walk->registers.values[compare] >> (8 * j) & 0xFFu);
        if (equal && (walk->registers.values[mask_id] >> (line % 32) & 1u) == 0)
            return true;
    }
    return false;
}

/* REG-13 */
static void request_interrupt(struct oracle_walk *walk, uint32_t word)
{
    if (!request_fires(walk, word))
        return;
    if (!oracle_known(walk, PICA_REG_IRQ_AUTOSTOP))
        walk->broken = true;
    else if (pica_irq_autostop_enable(walk->registers.values[PICA_REG_IRQ_AUTOSTOP]) != 0)
        walk->stopped = true;
}

static bool within(uint32_t id, uint32_t first, uint32_t last)
{
    return id >= first && id <= last;
}

/* The side effects of a word in a port: a fixed attribute may be a vertex, vertex shader code is kept. */
static void note_element(struct oracle_walk *walk, const struct oracle_element *element, uint32_t value)
{
    if (element->port == ORACLE_PORT_FIXED && (!element->is_known || element->immediate)) {
        walk->assembler_empty = false;
        note_draw(walk);
    } else if (element->port == ORACLE_PORT_CODE && element->unit == PICA_UNIT_VERTEX) {
        if (!element->is_known)
            walk->code_known = false;
        else if (element->index < ORACLE_VSH_CODE_WORDS)
            walk->code[element->index] = value;
    }
}

/* PRM: a list of whole triangles leaves an empty assembler empty. */
static void note_vertices(struct oracle_walk *walk)
{
    const bool plain =
        oracle_known(walk, PICA_REG_NUMVERTICES) && oracle_known(walk, PICA_REG_PRIMITIVE_CONFIG) &&
        oracle_known(walk, PICA_REG_GEOSTAGE_CONFIG) &&
        pica_geostage_config_mode(walk->registers.values[PICA_REG_GEOSTAGE_CONFIG]) == PICA_GEOSTAGE_MODE_OFF;
    const uint32_t topology =
        (uint32_t)pica_primitive_config_topology(walk->registers.values[PICA_REG_PRIMITIVE_CONFIG]);
    const uint32_t count = walk->registers.values[PICA_REG_NUMVERTICES];
    if (plain && count == 0)
        return;
    if (!plain || count % 3 != 0 || (topology != 0 && topology != 3))
        walk->assembler_empty = false;
}

static void trigger(struct oracle_walk *walk, uint32_t id)
{
    if (id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS) {
        note_vertices(walk);
        note_draw(walk);
    } else if (id == PICA_REG_RESTART_PRIMITIVE) {
        walk->assembler_empty = true;
    } else if (id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) {
        walk->broken = true;
    }
}

/* REG-27: the mask of the vertex unit may be copied to the geometry unit. */
static void share_mask(struct oracle_walk *walk, uint32_t parameter)
{
    if (!oracle_known(walk, PICA_REG_VSH_COM_MODE) || !oracle_known(walk, PICA_REG_GEOSTAGE_CONFIG))
        walk->registers.known[PICA_REG_GSH_OUTMAP_MASK] &= 0xFFFF0000u;
    else if (pica_vsh_com_mode_separate_geometry(walk->registers.values[PICA_REG_VSH_COM_MODE]) == 0 &&
             pica_geostage_config_mode(walk->registers.values[PICA_REG_GEOSTAGE_CONFIG]) == PICA_GEOSTAGE_MODE_OFF)
        oracle_follow_store(&walk->registers, PICA_REG_GSH_OUTMAP_MASK, 0xFFFFu, parameter);
}

static void config_trigger(struct oracle_walk *walk, uint32_t id, uint32_t parameter)
{
    if (id == PICA_REG_PRIMITIVE_CONFIG)
        walk->assembler_empty = true; /* REG-41 */
    else if (id == PICA_REG_VSH_OUTMAP_MASK)
        share_mask(walk, parameter);
}

/* One register write of a list (CMD-05 to CMD-07). */
static void write(struct oracle_walk *walk, uint32_t id, uint32_t mask, uint32_t parameter)
{
    if (id >= PICA_REGISTERS)
        return; /* REG-05 */
    const enum pica_reg_class reg_class = pica_reg_info(id)->reg_class;
    if (reg_class == PICA_REG_CLASS_CPU_ONLY)
        return; /* REG-11 */
    const struct oracle_element element = oracle_follow_write(&walk->registers, id, mask, parameter);
    switch (reg_class) {
    case PICA_REG_CLASS_CONFIG:
    case PICA_REG_CLASS_STORAGE:
    case PICA_REG_CLASS_CPU_ONLY:
    case PICA_REG_CLASS_INDEX: break;
    case PICA_REG_CLASS_PORT: note_element(walk, &element, parameter); break;
    case PICA_REG_CLASS_TRIGGER: trigger(walk, id); break;
    case PICA_REG_CLASS_CONFIG_TRIGGER: config_trigger(walk, id, parameter); break;
    case PICA_REG_CLASS_IRQ_REQUEST: request_interrupt(walk, id - PICA_REG_FINALIZE); break;
    }
}

/* ----------------------------------------------------------------------------------------------------------- lists */

/* CMD-03: decodes the command that begins at word `at` of `count`. Returns its length in words; 0 if it is not
 * whole. */
static uint32_t decode(const uint32_t *words, uint32_t at, uint32_t count, struct oracle_command *out,
                       uint32_t *parameters)
{
    if (at + 2 > count)
        return 0;
    const uint32_t header = words[at + 1];
    out->id = pica_command_header_id(header);
    out->mask = pica_command_header_mask(header);
    out->consecutive = pica_command_header_consecutive(header) != 0;
    out->count = pica_command_header_extra_parameters(header) + 1;
    out->parameters = parameters;
    if (at + 1 + out->count > count)
        return 0; /* CMD-08 */
    parameters[0] = words[at];
    memcpy(parameters + 1, words + at + 2, (out->count - 1) * sizeof *words);
    return 1 + out->count + (out->count % 2 == 0 ? 1 : 0);
}

static void run_list(struct oracle_walk *walk, const uint32_t *words, uint32_t count, oracle_visitor visit, void *user)
{
    uint32_t parameters[256];
    struct oracle_command command;
    uint32_t commands = 0;
    for (uint32_t at = 0; at < count && !walk->stopped && !walk->broken;) {
        const uint32_t length = decode(words, at, count, &command, parameters);
        if (length == 0 || ++commands > walk->script->setup.limits.commands) {
            walk->broken = true;
            return;
        }
        if (visit != NULL)
            visit(user, &command);
        for (uint32_t k = 0; k < command.count && !walk->stopped && !walk->broken; k++)
            write(walk, oracle_command_register(&command, k), command.mask, command.parameters[k]);
        at += length;
    }
}

/* SUB-02 */
static struct oracle_range list_of(const struct pica_operation *submit)
{
    const struct oracle_range range = { ((submit->address >> 3) & 0x1FFFFFFEu) * 8u,
                                        (uint64_t)((submit->size >> 3) & 0x1FFFFEu) * 8u };
    return range;
}

static bool walk_submission(struct oracle_walk *walk, struct oracle_workspace *space, oracle_visitor visit, void *user)
{
    const struct pica_operation *const submit = &walk->script->operations[walk->operation];
    const struct oracle_range range = list_of(submit);
    uint32_t *const words = (uint32_t *)(void *)(space->bytes + space->used); /* aligned: the workspace aligns to 8 */
    const bool readable = range.size != 0 && range.size <= space->size - space->used &&
                          oracle_walk_memory(walk, &range, space->bytes + space->used);
    if (!readable) {
        lose_registers(walk);
        soil_everything(walk);
        return false;
    }
    const uint32_t count = (uint32_t)(range.size / 4);
    for (uint32_t i = 0; i < count; i++) { /* GEN-04: memory is little-endian, whatever the host is */
        const uint8_t *const byte = space->bytes + space->used + 4 * (size_t)i;
        words[i] = (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
    }
    space->used += (size_t)range.size;
    oracle_follow_store(&walk->registers, PICA_REG_CMDBUF_SIZE0, UINT32_MAX, submit->size >> 3); /* EXT-CMD-14 */
    oracle_follow_store(&walk->registers, PICA_REG_CMDBUF_ADDR0, UINT32_MAX, submit->address >> 3);
    oracle_follow_store(&walk->registers, PICA_REG_CMDBUF_JUMP0, UINT32_MAX, 1);
    walk->broken = walk->stopped = false;
    walk->draws = 0;
    walk->list_range = range;
    run_list(walk, words, count, visit, user);
    walk->list_range.size = 0;
    space->used -= (size_t)range.size;
    oracle_follow_store(&walk->registers, PICA_REG_CMDBUF_JUMP0, UINT32_MAX, 0); /* EXT-CMD-03 */
    if (!walk->broken)
        return true;
    lose_registers(walk);
    soil_everything(walk);
    return false;
}

/* ------------------------------------------------------------------------------------------------ other operations */

/* REG-15, EXT-CMD-05: a CPU write to an internal register. */
static void write_internal(struct oracle_walk *walk, uint32_t id, uint32_t value)
{
    walk->broken = walk->stopped = false;
    if (id < 0x10) { /* acknowledge */
        oracle_follow_store(&walk->registers, PICA_REG_FINALIZE + id, UINT32_MAX, value);
    } else if (id < PICA_REGISTERS && pica_reg_info(id)->reg_class == PICA_REG_CLASS_CPU_ONLY) {
        if (within(id, PICA_REG_IRQ_COMPARE0, PICA_REG_IRQ_MASK_HIGH) || id == PICA_REG_IRQ_AUTOSTOP)
            oracle_follow_store(&walk->registers, id, UINT32_MAX, value);
    } else if ((id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) && value == 0) {
        oracle_follow_store(&walk->registers, id, UINT32_MAX, value); /* EXT-CMD-02 */
    } else {
        write(walk, id, 15, value);
    }
    if (!walk->broken)
        return;
    lose_registers(walk);
    soil_everything(walk);
}

/* PSC-12 */
static void write_cpu(struct oracle_walk *walk, const struct pica_operation *operation)
{
    const uint32_t address = operation->address & ~3u;
    if (within(address, 0x10401000u, 0x10401FFFu))
        write_internal(walk, (address - 0x10401000u) / 4, operation->words[0]);
    else if (within(address, 0x10400000u, 0x10400FFFu))
        soil_everything(walk); /* may start an engine with words that nothing here follows */
}

/* PSC-02, PSC-06 */
static void fill(struct oracle_walk *walk, const struct pica_operation *operation)
{
    const uint32_t first = pica_fill_address_address(operation->words[0]) * 16;
    const uint32_t end = pica_fill_address_address(operation->words[1]) * 16;
    const struct oracle_range range = { first, end > first ? end - first : 0 };
    soil(walk, &range);
}

/* What a transfer or copy may write, generously; the rare kinds that displace their output count as everything. */
static void transfer(struct oracle_walk *walk, const struct pica_operation *operation)
{
    const uint32_t *const words = operation->words;
    const uint32_t first = pica_xfer_address_address(words[1]) * 16;
    if (pica_xfer_flags_copy(words[4]) != 0) {
        const uint64_t total = words[6] & ~15u;
        const uint64_t line = (uint64_t)pica_copy_line_length(words[8]) * 16;
        const uint64_t gap = (uint64_t)pica_copy_line_gap(words[8]) * 16;
        const struct oracle_range range = { first, total + (line != 0 ? (total / line + 1) * gap : 0) };
        soil(walk, &range);
    } else if (pica_xfer_flags_flip(words[4]) != 0 && pica_xfer_flags_crop(words[4]) != 0) {
        soil_everything(walk); /* PPF-14 */
    } else {
        const uint64_t width = pica_xfer_dim_width(words[2]) + 64u;
        const uint64_t height = pica_xfer_dim_height(words[2]) + 64u;
        const struct oracle_range range = { first, width * height * 4 };
        soil(walk, &range);
    }
}

bool oracle_walk_operation(struct oracle_walk *walk, struct oracle_workspace *space, oracle_visitor visit, void *user)
{
    const struct pica_operation *const operation = &walk->script->operations[walk->operation];
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY:
    case PICA_OPERATION_VERTICAL_BLANK: break;
    case PICA_OPERATION_SUBMIT_LIST: return walk_submission(walk, space, visit, user);
    case PICA_OPERATION_WRITE_REGISTER: write_cpu(walk, operation); break;
    case PICA_OPERATION_MEMORY_FILL: fill(walk, operation); break;
    case PICA_OPERATION_DISPLAY_TRANSFER: transfer(walk, operation); break;
    }
    return false;
}
