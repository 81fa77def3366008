/*
 * Vertex loading (VTX): from a draw trigger to the inputs of the vertex shader.
 *
 * A vertex has up to 16 attributes of 1 to 4 elements (s8, u8, s16 or f32, never normalised). An attribute comes from
 * one of 12 arrays in memory, or is fixed for the draw, or is (0, 0, 0, 1). An array has an offset from one common
 * base, a stride, and a list of up to 12 components: attributes, and paddings of 4 to 16 bytes; each attribute is
 * aligned to its element size. A draw walks the vertex numbers, counted up or read from a list of indices. Without
 * arrays, in "immediate mode", the attributes of one vertex after the other go through a port (VTX-41).
 *
 * Worked number: attribute 0 = 1 x u8, attribute 1 = 2 x f32, component list [0, padding of 4, 1]: attribute 0 is at 0,
 * the padding begins at roundup(1, 4) = 4 and ends at 8, attribute 1 is at 8, and the vertex ends at 16.
 */
#include "reference/number.h"
#include "reference/pipeline.h"
#include "reference/trace.h"

/* Where an attribute comes from (VTX-08). */
enum source_kind {
    SOURCE_DEFAULT,
    SOURCE_FIXED,
    SOURCE_ARRAY
};

struct source {
    enum source_kind kind;
    enum pica_attribute_type type;
    uint32_t elements;     /* 1-4 */
    uint32_t element_size; /* bytes */
    uint32_t address;      /* of vertex 0: base + offset */
    uint32_t stride;
    uint32_t array;    /* 0-11, of SOURCE_ARRAY */
    bool is_duplicate; /* VTX-05: another array, or the same one, had it before */
};

/* What a draw reads, decided from the registers once: no register changes within a draw. */
struct layout {
    uint32_t attributes; /* NA */
    struct source sources[16];
    bool has_odd_stride; /* VTX-07: an array with attributes has another stride than its components need */
};

static const struct pica_vector default_attribute = { { 0, 0, 0, 0x3F800000u } }; /* (0, 0, 0, 1) */

static uint32_t round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1u) / unit * unit;
}

/* ---------------------------------------------------------------------------------------------------------- layout */

static uint32_t element_size(enum pica_attribute_type type)
{
    switch (type) {
    case PICA_ATTRIBUTE_TYPE_BYTE: return 1;
    case PICA_ATTRIBUTE_TYPE_UNSIGNED_BYTE: return 1;
    case PICA_ATTRIBUTE_TYPE_SHORT: return 2;
    case PICA_ATTRIBUTE_TYPE_FLOAT:
    default: return 4; /* the field has two bits */
    }
}

/* VTX-02: the format of attribute 0-11. */
static void read_format(const struct ref_gpu *gpu, uint32_t i, struct source *source)
{
    const uint32_t low = gpu->regs[PICA_REG_ATTRIBBUFFERS_FORMAT_LOW];
    const uint32_t high = gpu->regs[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH];
    const uint32_t type =
        i < 8 ? pica_attribbuffers_format_low_type_at(low, i) : pica_attribbuffers_format_high_type_at(high, i - 8u);
    const uint32_t elements_minus_1 = i < 8 ? pica_attribbuffers_format_low_elements_minus_1_at(low, i)
                                            : pica_attribbuffers_format_high_elements_minus_1_at(high, i - 8u);
    source->type = (enum pica_attribute_type)type;
    source->elements = elements_minus_1 + 1u;
    source->element_size = element_size(source->type);
}

/* VTX-03: component 0-11 of an array. */
static uint32_t array_component(const struct ref_gpu *gpu, uint32_t array, uint32_t c)
{
    const uint32_t config1 = gpu->regs[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG1)];
    const uint32_t config2 = gpu->regs[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2)];
    return c < 8 ? pica_attribbuffer_config1_component_at(config1, c)
                 : pica_attribbuffer_config2_component_at(config2, c - 8u);
}

/* VTX-01, MEM-06. */
static uint32_t base_address(const struct ref_gpu *gpu)
{
    return pica_attribbuffers_loc_base(gpu->regs[PICA_REG_ATTRIBBUFFERS_LOC]) * 16u;
}

/* VTX-05, VTX-08: an attribute found in an array; a later one wins. Attributes from NA on do not count. */
static void place_attribute(struct layout *layout, uint32_t i, uint32_t address, uint32_t stride)
{
    struct source *source = &layout->sources[i];
    if (i >= layout->attributes)
        return;
    source->is_duplicate = source->is_duplicate || source->kind == SOURCE_ARRAY;
    source->kind = SOURCE_ARRAY;
    source->address = address;
    source->stride = stride;
}

/* VTX-03: bytes from the base to an array; on the other side, an even number. */
static uint32_t array_offset(const struct ref_gpu *gpu, uint32_t array)
{
    const uint32_t offset =
        pica_attribbuffer_offset_offset(gpu->regs[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_OFFSET)]);
    return ref_takes(gpu, PICA_SIDE_ARRAY_OFFSET_EVEN) ? offset - offset % 2u : offset;
}

/* VTX-03, VTX-04, VTX-06, VTX-07: one array. */
static void read_array(const struct ref_gpu *gpu, struct layout *layout, uint32_t array)
{
    const uint32_t config2 = gpu->regs[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2)];
    const uint32_t offset = array_offset(gpu, array);
    const uint32_t stride = pica_attribbuffer_config2_stride(config2);
    const uint32_t count = pica_attribbuffer_config2_count(config2);
    uint32_t o = 0;
    bool has_attribute = false;

    for (uint32_t c = 0; c < count && c < 12; c++) {
        const uint32_t id = array_component(gpu, array, c);
        if (id >= 12) {
            o = round_up(o, 4) + 4u * (id - 11u);
            continue;
        }
        const struct source *source = &layout->sources[id];
        o = round_up(o, source->element_size);
        place_attribute(layout, id, base_address(gpu) + offset + o, stride);
        layout->sources[id].array = array;
        has_attribute = has_attribute || id < layout->attributes;
        o += source->elements * source->element_size;
    }
    if (has_attribute && (stride < o || stride >= round_up(o, 4) + 4u))
        layout->has_odd_stride = true;
}

/* VTX-08: whether the mask calls an attribute fixed. */
static bool is_fixed(const struct ref_gpu *gpu, uint32_t i)
{
    return i >= 12 || pica_attribbuffers_format_high_fixed_at(gpu->regs[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH], i) != 0;
}

/* VTX-08: an attribute that is in an array and in the mask comes from the array; on the other side, it is fixed. */
static bool takes_fixed(const struct ref_gpu *gpu, const struct layout *layout, uint32_t i)
{
    const bool has_array = layout->sources[i].kind == SOURCE_ARRAY;
    return is_fixed(gpu, i) && (!has_array || ref_takes(gpu, PICA_SIDE_ATTRIBUTE_SOURCE_MASK));
}

/* VTX-01 to VTX-09. */
static void read_layout(const struct ref_gpu *gpu, struct layout *layout)
{
    const uint32_t high = gpu->regs[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH];
    *layout = (struct layout){ .attributes = pica_attribbuffers_format_high_attributes_minus_1(high) + 1u };
    for (uint32_t i = 0; i < 12; i++)
        read_format(gpu, i, &layout->sources[i]);
    for (uint32_t array = 0; array < 12; array++)
        read_array(gpu, layout, array);
    for (uint32_t i = 0; i < layout->attributes; i++)
        if (takes_fixed(gpu, layout, i))
            layout->sources[i].kind = SOURCE_FIXED;
}

/* VTX-10: only elements of more than one byte can be unaligned. */
static bool is_unaligned(const struct source *source)
{
    return source->kind == SOURCE_ARRAY &&
           (source->address % source->element_size != 0 || source->stride % source->element_size != 0);
}

/* VTX-13: three registers state the number of attributes. */
static bool counts_differ(const struct ref_gpu *gpu, uint32_t attributes)
{
    const uint32_t inputs = pica_shader_inputbuffer_config_inputs_minus_1(gpu->regs[PICA_REG_VSH_INPUTBUFFER_CONFIG]);
    const uint32_t immediate = pica_vsh_num_attr_attributes_minus_1(gpu->regs[PICA_REG_VSH_NUM_ATTR]);
    return attributes != inputs + 1u || attributes != immediate + 1u;
}

/* VTX-03: an array has 12 components at most. */
static bool has_too_many_components(const struct ref_gpu *gpu, uint32_t array)
{
    const uint32_t config2 = gpu->regs[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2)];
    return pica_attribbuffer_config2_count(config2) > 12u;
}

/* VTX-08: whether some attribute in an array is not masked; a console was then seen to take masked ones from arrays. */
static bool has_unmasked_array(const struct ref_gpu *gpu, const struct layout *layout)
{
    bool found = false;
    for (uint32_t i = 0; i < layout->attributes; i++)
        found = found || (layout->sources[i].kind == SOURCE_ARRAY && !is_fixed(gpu, i));
    return found;
}

/* VTX-03, VTX-05, VTX-07, VTX-08, VTX-10, VTX-13: the events of a draw's layout. */
static void layout_events(struct ref_gpu *gpu, const struct layout *layout)
{
    const bool is_seen = has_unmasked_array(gpu, layout);
    for (uint32_t array = 0; array < 12; array++)
        ref_event_if(gpu, has_too_many_components(gpu, array), PICA_EVENT_LOADER_COUNT);
    for (uint32_t i = 0; i < layout->attributes; i++) {
        const struct source *source = &layout->sources[i];
        ref_event_if(gpu, source->is_duplicate, PICA_EVENT_LOADER_DUPLICATE);
        ref_event_if(gpu, source->kind == SOURCE_ARRAY && is_fixed(gpu, i) && (source->is_duplicate || !is_seen),
                     PICA_EVENT_FIXED_AND_ARRAY);
        ref_event_if(gpu, source->kind == SOURCE_DEFAULT, PICA_EVENT_ATTR_NO_SOURCE);
        ref_event_if(gpu, is_unaligned(source), PICA_EVENT_ATTR_UNALIGNED);
    }
    ref_event_if(gpu, layout->has_odd_stride, PICA_EVENT_STRIDE_MISMATCH);
    ref_event_if(gpu, counts_differ(gpu, layout->attributes), PICA_EVENT_ATTR_COUNT);
}

/* ----------------------------------------------------------------------------------------------------------- fetch */

/* VTX-02: one element as binary32 bits; the integers are exact in both profiles. */
static uint32_t read_element(const struct ref_gpu *gpu, enum pica_attribute_type type, uint32_t address)
{
    const uint32_t byte = ref_read8(gpu, address);
    switch (type) {
    case PICA_ATTRIBUTE_TYPE_BYTE: return ref_bits((float)((int32_t)(byte ^ 0x80u) - 0x80));
    case PICA_ATTRIBUTE_TYPE_UNSIGNED_BYTE: return ref_bits((float)byte);
    case PICA_ATTRIBUTE_TYPE_SHORT: return ref_bits((float)((int32_t)(ref_read16(gpu, address) ^ 0x8000u) - 0x8000));
    case PICA_ATTRIBUTE_TYPE_FLOAT:
    default: /* the field has two bits */
        return ref_bits(ref_round_profile(gpu->profile, ref_float(ref_read32(gpu, address))));
    }
}

/* VTX-46: where vertex `vertex` has an attribute of SOURCE_ARRAY. */
static uint32_t attribute_address(const struct source *source, uint32_t vertex)
{
    return source->address + source->stride * vertex;
}

/* VTX-09: missing elements are those of (0, 0, 0, 1). */
static struct pica_vector fetch_attribute(const struct ref_gpu *gpu, const struct source *source, uint32_t vertex)
{
    const uint32_t address = attribute_address(source, vertex);
    struct pica_vector value = default_attribute;
    for (uint32_t k = 0; k < source->elements; k++)
        value.bits[k] = read_element(gpu, source->type, address + k * source->element_size);
    return value;
}

/* VTX-08, VTX-11: entries from NA on are (0, 0, 0, 1); on the other side, (0, 0, 0, 0). */
static void load_vertex(const struct ref_gpu *gpu, const struct layout *layout, uint32_t vertex,
                        struct pica_vector attributes[16])
{
    static const struct pica_vector zero = { { 0, 0, 0, 0 } };
    const bool is_zero = ref_takes(gpu, PICA_SIDE_MISSING_ATTRIBUTE_ZERO);
    for (uint32_t i = layout->attributes; i < 16; i++)
        attributes[i] = is_zero ? zero : default_attribute;
    for (uint32_t i = 0; i < layout->attributes; i++) {
        attributes[i] = default_attribute;
        if (layout->sources[i].kind == SOURCE_ARRAY)
            attributes[i] = fetch_attribute(gpu, &layout->sources[i], vertex);
        else if (layout->sources[i].kind == SOURCE_FIXED)
            attributes[i] = gpu->fixed[i];
    }
}

/* VTX-21: address of index i, and its size in bytes. */
static uint32_t index_size(const struct ref_gpu *gpu)
{
    const uint32_t config = gpu->regs[PICA_REG_INDEXBUFFER_CONFIG];
    return pica_indexbuffer_config_type(config) == PICA_INDEX_TYPE_UNSIGNED_SHORT ? 2u : 1u;
}

static uint32_t index_address(const struct ref_gpu *gpu, uint32_t i)
{
    return base_address(gpu) + pica_indexbuffer_config_offset(gpu->regs[PICA_REG_INDEXBUFFER_CONFIG]) +
           i * index_size(gpu);
}

/* VTX-21: no value restarts a primitive. */
static uint32_t read_index(const struct ref_gpu *gpu, uint32_t i)
{
    const uint32_t address = index_address(gpu, i);
    return index_size(gpu) == 2 ? ref_read16(gpu, address) : ref_read8(gpu, address);
}

/* ------------------------------------------------------------------------------------------------------- recording */

/* MEM-03, FBF-34: bytes of an attribute or index. */
static void read_events(struct ref_gpu *gpu, uint32_t address, uint32_t size)
{
    ref_event_if(gpu, !ref_range_in_memory(gpu, address, size), PICA_EVENT_MEM_OOB);
    ref_batch_note_read(gpu, address, size);
}

static void vertex_events(struct ref_gpu *gpu, const struct layout *layout, uint32_t vertex)
{
    for (uint32_t i = 0; i < layout->attributes; i++) {
        const struct source *source = &layout->sources[i];
        if (source->kind == SOURCE_ARRAY)
            read_events(gpu, attribute_address(source, vertex), source->elements * source->element_size);
    }
}

static void record_index(const struct ref_gpu *gpu)
{
    ref_feature(gpu, PICA_FEATURE_INDEX_READ + index_size(gpu) - 1u);
}

/* Where an attribute comes from. */
static void record_source(const struct ref_gpu *gpu, const struct source *source, uint32_t vertex, uint32_t i)
{
    const uint32_t address = attribute_address(source, vertex);
    uint32_t bits[4] = { 0, 0, 0, 0 };
    ref_trace_rule(gpu, "VTX-08", i, (const uint32_t[]){ (uint32_t)source->kind }, 1);
    if (source->kind != SOURCE_ARRAY)
        return;
    for (uint32_t k = 0; k < source->elements; k++)
        bits[k] = read_element(gpu, source->type, address + k * source->element_size);
    ref_trace_rule(gpu, "VTX-03", i, (const uint32_t[]){ source->address, source->stride }, 2);
    ref_trace_rule(gpu, "VTX-46", i, &address, 1);
    ref_trace_rule(gpu, "VTX-02", 2u * i, (const uint32_t[]){ (uint32_t)source->type, source->elements }, 2);
    ref_trace_rule(gpu, "VTX-02", 2u * i + 1u, bits, source->elements);
}

/* `layout` is NULL in immediate mode. */
static void record_attributes(const struct ref_gpu *gpu, const struct layout *layout, uint32_t vertex,
                              const struct pica_vector attributes[16])
{
    ref_trace(gpu, PICA_TRACE_ID_VERTEX_NUMBER, 0, &vertex, 1);
    for (uint32_t i = 0; i < 16 && gpu->trace.is_active; i++) {
        if (layout != NULL && i < layout->attributes) {
            record_source(gpu, &layout->sources[i], vertex, i);
            ref_trace_rule(gpu, "VTX-09", i, attributes[i].bits, 4);
        }
        ref_trace(gpu, PICA_TRACE_ID_VERTEX_ATTRIBUTE, i, attributes[i].bits, 4);
    }
}

static void record_vertex(const struct ref_gpu *gpu, const struct layout *layout, uint32_t vertex,
                          const struct pica_vector attributes[16])
{
    ref_feature(gpu, PICA_FEATURE_ARRAYS_DRAWN);
    for (uint32_t i = 0; i < layout->attributes; i++) {
        switch (layout->sources[i].kind) {
        case SOURCE_DEFAULT: ref_feature(gpu, PICA_FEATURE_ATTRIBUTE_MISSING + i); break;
        case SOURCE_FIXED: ref_feature(gpu, PICA_FEATURE_ATTRIBUTE_FIXED + i); break;
        case SOURCE_ARRAY:
            ref_feature(gpu, PICA_FEATURE_ARRAY_READ + layout->sources[i].array);
            ref_feature(gpu, PICA_FEATURE_ATTRIBUTE_READ + i);
            break;
        }
    }
    record_attributes(gpu, layout, vertex, attributes);
}

static void record_immediate(const struct ref_gpu *gpu)
{
    ref_feature(gpu, PICA_FEATURE_IMMEDIATE_VERTEX);
    record_attributes(gpu, NULL, 0, gpu->immediate);
}

/* ----------------------------------------------------------------------------------------------------------- draws */

/* CMD-24. */
enum {
    STEPS_OF_DRAW = 128,
    STEPS_OF_VERTEX = 64,
    STEPS_OF_IMMEDIATE_VERTEX = 512 /* its triangle is a batch of its own */
};

/* VTX-23, CMD-22, CMD-24: takes one vertex, and its steps, from the budgets. */
static bool take_vertex(struct ref_gpu *gpu, uint32_t steps)
{
    if (ref_steps_spent(gpu))
        return false;
    if (gpu->budget.vertices >= gpu->limits.vertices) {
        ref_event(gpu, PICA_EVENT_BUDGET_VERTS);
        return false;
    }
    gpu->budget.vertices += 1u;
    gpu->work.steps += steps;
    return true;
}

/* The events of REG-43 and of spec 20 section 6 that arrays and immediate vertices share. */
static void draw_events(struct ref_gpu *gpu)
{
    const bool configures =
        pica_start_draw_func0_mode(gpu->regs[PICA_REG_START_DRAW_FUNC0]) == PICA_START_DRAW_MODE_CONFIGURE;
    ref_event_if(gpu, configures, PICA_EVENT_DRAW_IN_CONFIG_MODE);
    ref_shader_unit_events(gpu);
    ref_geometry_events(gpu);
    ref_output_map_events(gpu);
}

/* VTX-20 (c): the shader, then what follows. */
static void process_vertex(struct ref_gpu *gpu, const struct layout *layout, uint32_t vertex, bool element_draw)
{
    struct pica_vector attributes[16];
    struct ref_outputs outputs;
    load_vertex(gpu, layout, vertex, attributes);
    vertex_events(gpu, layout, vertex);
    if (gpu->is_watched)
        record_vertex(gpu, layout, vertex, attributes);
    ref_run_vertex_shader(gpu, attributes, false, &outputs);
    ref_output_events(gpu, &outputs);
    ref_geometry_vertex(gpu, &outputs, element_draw);
}

static uint32_t next_index(struct ref_gpu *gpu, uint32_t i)
{
    read_events(gpu, index_address(gpu, i), index_size(gpu));
    if (gpu->is_watched)
        record_index(gpu);
    return read_index(gpu, i);
}

/* VTX-20 (b), VTX-24, VTX-26: one vertex after the other, whatever the topology. Vertices are not cached. */
static void draw_vertices(struct ref_gpu *gpu, const struct layout *layout, bool element_draw)
{
    const uint32_t count = pica_numvertices_count(gpu->regs[PICA_REG_NUMVERTICES]);
    const uint32_t first = pica_vertex_offset_offset(gpu->regs[PICA_REG_VERTEX_OFFSET]);
    for (uint32_t i = 0; i < count && take_vertex(gpu, STEPS_OF_VERTEX); i++) {
        const uint32_t vertex = element_draw ? next_index(gpu, i) : i + first;
        if (element_draw && ref_geometry_count(gpu, vertex))
            continue;
        ref_trace_vertex_begin(gpu, i);
        process_vertex(gpu, layout, vertex, element_draw);
        ref_trace_end(gpu);
    }
}

/* The end of a draw trigger or immediate vertex. */
static void report_draw(struct ref_gpu *gpu, uint32_t trigger)
{
    const struct pica_draw draw = { gpu->regs, gpu->position.list_address, gpu->position.list_word, trigger,
                                    gpu->pixels };
    gpu->pixels = 0;
    ref_trace_draw_end(gpu);
    if (gpu->draw_observer != NULL)
        gpu->draw_observer(gpu->draw_user, &draw);
    gpu->features_stamp += 1u;
}

/* VTX-20, VTX-22, VTX-25: DRAWARRAYS and DRAWELEMENTS. PRM-06, other side: each draw begins with an empty assembler. */
void ref_draw(struct ref_gpu *gpu, uint32_t trigger)
{
    const bool element_draw = trigger == PICA_REG_DRAWELEMENTS;
    const bool looks_at_list = element_draw || ref_takes(gpu, PICA_SIDE_BAD_INDEX_LIST_NOTHING); /* VTX-22 */
    gpu->work.steps += STEPS_OF_DRAW;
    if (ref_takes(gpu, PICA_SIDE_DRAW_ASSEMBLER_EMPTY))
        ref_assembler_reset(gpu);
    ref_forget_vertex_registers(gpu);
    ref_geometry_configure(gpu);
    if (pica_numvertices_count(gpu->regs[PICA_REG_NUMVERTICES]) > 0) {
        struct layout layout;
        read_layout(gpu, &layout);
        layout_events(gpu, &layout);
        draw_events(gpu);
        if (looks_at_list && !ref_in_memory(gpu, index_address(gpu, 0))) {
            ref_event(gpu, PICA_EVENT_INDEX_OOB);
        } else {
            gpu->in_draw = true;
            ref_batch_begin(gpu);
            draw_vertices(gpu, &layout, element_draw);
            ref_batch_end(gpu);
            gpu->in_draw = false;
        }
    }
    report_draw(gpu, trigger);
}

/* VTX-42, VTX-43, VTX-44, VTX-45: imm[] is complete. Its triangles are batches of their own (FBF-18). */
void ref_immediate_vertex(struct ref_gpu *gpu, uint32_t port)
{
    struct ref_outputs outputs;
    if (!take_vertex(gpu, STEPS_OF_IMMEDIATE_VERTEX))
        return;
    ref_trace_vertex_begin(gpu, 0);
    if (gpu->is_watched)
        record_immediate(gpu);
    ref_forget_vertex_registers(gpu);
    ref_run_vertex_shader(gpu, gpu->immediate, ref_takes(gpu, PICA_SIDE_IMMEDIATE_ORDER_PLAIN), &outputs);
    if (gpu->reset_armed) {
        ref_geometry_configure(gpu);
        gpu->reset_armed = 0;
    }
    draw_events(gpu);
    ref_output_events(gpu, &outputs);
    if (ref_takes(gpu, PICA_SIDE_IMMEDIATE_GEOMETRY_SKIPPED))
        ref_submit_vertex(gpu, &outputs);
    else
        ref_geometry_vertex(gpu, &outputs, false);
    ref_trace_end(gpu);
    report_draw(gpu, port);
}
