/* Layout of vertex arrays (VTX-01 to VTX-10), and the events of a draw that depend on it. */
#include "fast/vertex/fetch_layout.h"

#include "fast/gpu.h"
#include "pica/regs.h"

enum {
    ARRAYS = 12,
    ARRAY_ATTRIBUTES = 12, /* attributes 0-11 can come from arrays */
    ARRAY_COMPONENTS = 12
};

static uint32_t round_up(uint32_t value, uint32_t granule)
{
    return (value + granule - 1u) & ~(granule - 1u); /* granule: 1, 2 or 4 */
}

/* VTX-02. */
static void decode_type(const struct fast_gpu *gpu, uint32_t i, struct fast_layout_attribute *attribute)
{
    static const uint32_t sizes[4] = { 1u, 1u, 2u, 4u };
    const uint32_t low = gpu->registers[PICA_REG_ATTRIBBUFFERS_FORMAT_LOW];
    const uint32_t high = gpu->registers[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH];
    if (i < 8u) {
        attribute->type = pica_attribbuffers_format_low_type_at(low, i);
        attribute->elements = pica_attribbuffers_format_low_elements_minus_1_at(low, i) + 1u;
    } else {
        attribute->type = pica_attribbuffers_format_high_type_at(high, i - 8u);
        attribute->elements = pica_attribbuffers_format_high_elements_minus_1_at(high, i - 8u) + 1u;
    }
    attribute->element_size = sizes[attribute->type];
}

/* One array's registers (VTX-03). */
struct array {
    uint32_t offset;
    uint32_t component[ARRAY_COMPONENTS];
    uint32_t stride;
    uint32_t count; /* as written, 0-15 */
};

static void decode_array(const struct fast_gpu *gpu, uint32_t number, struct array *array)
{
    const uint32_t config1 = gpu->registers[pica_reg_attribbuffer(number, PICA_REG_ATTRIBBUFFER0_CONFIG1)];
    const uint32_t config2 = gpu->registers[pica_reg_attribbuffer(number, PICA_REG_ATTRIBBUFFER0_CONFIG2)];
    array->offset =
        pica_attribbuffer_offset_offset(gpu->registers[pica_reg_attribbuffer(number, PICA_REG_ATTRIBBUFFER0_OFFSET)]);
    for (uint32_t c = 0; c < 8u; c++)
        array->component[c] = pica_attribbuffer_config1_component_at(config1, c);
    for (uint32_t c = 8u; c < ARRAY_COMPONENTS; c++)
        array->component[c] = pica_attribbuffer_config2_component_at(config2, c - 8u);
    array->stride = pica_attribbuffer_config2_stride(config2);
    array->count = pica_attribbuffer_config2_count(config2);
}

/* VTX-04 to VTX-07: lays out one element of the array. */
static void place_array(struct fast_gpu *gpu, struct fast_vertex_layout *layout, const struct array *array)
{
    const uint32_t components = array->count < ARRAY_COMPONENTS ? array->count : ARRAY_COMPONENTS;
    uint32_t o = 0u;
    bool used = false;
    if (array->count > ARRAY_COMPONENTS)
        fast_event(gpu, PICA_EVENT_LOADER_COUNT);
    for (uint32_t c = 0; c < components; c++) {
        const uint32_t id = array->component[c];
        if (id >= ARRAY_ATTRIBUTES) {
            o = round_up(o, 4u) + 4u * (id - 11u);
            continue;
        }
        struct fast_layout_attribute *const attribute = &layout->attributes[id];
        o = round_up(o, attribute->element_size);
        if (id < layout->attribute_count) {
            if (attribute->kind == FAST_ATTRIBUTE_FROM_ARRAY)
                fast_event(gpu, PICA_EVENT_LOADER_DUPLICATE);
            used = true;
        }
        layout->repeated |= layout->listed & 1u << id;
        layout->listed |= 1u << id;
        attribute->kind = FAST_ATTRIBUTE_FROM_ARRAY;
        attribute->source = array->offset + o;
        attribute->stride = array->stride;
        o += attribute->elements * attribute->element_size;
    }
    if (used && (array->stride < o || array->stride >= round_up(o, 4u) + 4u))
        fast_event(gpu, PICA_EVENT_STRIDE_MISMATCH);
}

/* VTX-08, VTX-10: records the events of attribute i < NA, and sets its source if no array supplies it. */
static void finish_attribute(struct fast_gpu *gpu, struct fast_vertex_layout *layout, uint32_t i, bool fixed)
{
    struct fast_layout_attribute *const attribute = &layout->attributes[i];
    if (attribute->kind != FAST_ATTRIBUTE_FROM_ARRAY) {
        attribute->kind = fixed ? FAST_ATTRIBUTE_FIXED : FAST_ATTRIBUTE_MISSING;
        if (!fixed)
            fast_event(gpu, PICA_EVENT_ATTR_NO_SOURCE);
        return;
    }
    const uint32_t misaligned = (layout->base + attribute->source) | attribute->stride;
    if ((misaligned & (attribute->element_size - 1u)) != 0u)
        fast_event(gpu, PICA_EVENT_ATTR_UNALIGNED);
}

/*
 * VTX-08: records that the mask covers attributes that arrays list, where this goes beyond what was observed on a
 * console.
 */
static void record_fixed_and_array(struct fast_gpu *gpu, const struct fast_vertex_layout *layout)
{
    const uint32_t high = gpu->registers[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH];
    const uint32_t listed = layout->listed & ((1u << layout->attribute_count) - 1u);
    const uint32_t masked = listed & pica_attribbuffers_format_high_fixed_mask(high);
    if ((masked & layout->repeated) != 0u || (masked != 0u && masked == listed))
        fast_event(gpu, PICA_EVENT_FIXED_AND_ARRAY);
}

void fast_vertex_layout_decode(struct fast_gpu *gpu, struct fast_vertex_layout *layout)
{
    const uint32_t high = gpu->registers[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH];
    memset(layout, 0, sizeof *layout);
    layout->base = pica_attribbuffers_loc_base(gpu->registers[PICA_REG_ATTRIBBUFFERS_LOC]) << 4; /* MEM-06 */
    layout->attribute_count = pica_attribbuffers_format_high_attributes_minus_1(high) + 1u;
    for (uint32_t i = 0; i < 16u; i++)
        layout->attributes[i].kind = FAST_ATTRIBUTE_MISSING;
    for (uint32_t i = 0; i < ARRAY_ATTRIBUTES; i++)
        decode_type(gpu, i, &layout->attributes[i]);
    for (uint32_t number = 0; number < ARRAYS; number++) {
        struct array array;
        decode_array(gpu, number, &array);
        place_array(gpu, layout, &array);
    }
    record_fixed_and_array(gpu, layout);
    for (uint32_t i = 0; i < layout->attribute_count; i++) {
        const bool fixed = i >= ARRAY_ATTRIBUTES || pica_attribbuffers_format_high_fixed_at(high, i) != 0u;
        finish_attribute(gpu, layout, i, fixed);
    }
}
