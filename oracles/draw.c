/* What a draw reads and writes, as far as registers and known memory show it. */
#include "oracles/relate.h"
#include "oracles/texture.h"

uint32_t oracle_element_size(enum pica_attribute_type type)
{
    static const uint8_t sizes[4] = { 1, 1, 2, 4 };
    return sizes[(uint32_t)type];
}

/* ----------------------------------------------------------------------------------------------------- attributes */

static void describe_format(const struct oracle_walk *walk, uint32_t attribute, struct oracle_source *out)
{
    const uint32_t low = walk->registers.values[PICA_REG_ATTRIBBUFFERS_FORMAT_LOW];
    const uint32_t high = walk->registers.values[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH];
    if (attribute < 8) {
        out->type = (enum pica_attribute_type)pica_attribbuffers_format_low_type_at(low, attribute);
        out->elements = pica_attribbuffers_format_low_elements_minus_1_at(low, attribute) + 1;
    } else {
        out->type = (enum pica_attribute_type)pica_attribbuffers_format_high_type_at(high, attribute - 8);
        out->elements = pica_attribbuffers_format_high_elements_minus_1_at(high, attribute - 8) + 1;
    }
}

static uint32_t round_up(uint32_t value, uint32_t step)
{
    return (value + step - 1) / step * step;
}

/* VTX-04, VTX-05: describes one array; later arrays override earlier ones. */
static void describe_array(const struct oracle_walk *walk, uint32_t array, struct oracle_draw *draw)
{
    const uint32_t config1 = walk->registers.values[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG1)];
    const uint32_t config2 = walk->registers.values[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2)];
    const uint32_t offset = pica_attribbuffer_offset_offset(
        walk->registers.values[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_OFFSET)]);
    const uint32_t count = pica_attribbuffer_config2_count(config2);
    uint32_t o = 0;
    for (uint32_t c = 0; c < count && c < 12; c++) {
        const uint32_t id = c < 8 ? pica_attribbuffer_config1_component_at(config1, c)
                                  : pica_attribbuffer_config2_component_at(config2, c - 8);
        if (id >= 12) {
            o = round_up(o, 4) + 4 * (id - 11);
            continue;
        }
        struct oracle_source *const source = &draw->sources[id];
        o = round_up(o, oracle_element_size(source->type));
        source->array = true;
        source->array_index = array;
        source->address = draw->base + offset + o;
        source->stride = pica_attribbuffer_config2_stride(config2);
        o += source->elements * oracle_element_size(source->type);
    }
}

static bool registers_known(const struct oracle_walk *walk)
{
    return oracle_span_known(walk, PICA_REG_ATTRIBBUFFERS_LOC, PICA_REG_VERTEX_OFFSET) &&
           oracle_span_known(walk, PICA_REG_TEXUNIT_CONFIG, PICA_REG_TEXUNIT2_TYPE) &&
           oracle_known(walk, PICA_REG_PRIMITIVE_CONFIG);
}

bool oracle_describe_draw(const struct oracle_walk *walk, const struct oracle_command *command, struct oracle_draw *out)
{
    const uint32_t *const values = walk->registers.values;
    if (command->count != 1 || (command->id != PICA_REG_DRAWARRAYS && command->id != PICA_REG_DRAWELEMENTS) ||
        !registers_known(walk) || !oracle_walk_surfaces(walk, &out->color, &out->depth))
        return false;
    const uint32_t indices = values[PICA_REG_INDEXBUFFER_CONFIG];
    out->elements = command->id == PICA_REG_DRAWELEMENTS;
    out->trigger = command->id;
    out->parameter = command->parameters[0];
    out->mask = command->mask;
    out->count = values[PICA_REG_NUMVERTICES];
    out->first = values[PICA_REG_VERTEX_OFFSET];
    out->base = pica_attribbuffers_loc_base(values[PICA_REG_ATTRIBBUFFERS_LOC]) * 16u;
    out->index_size = pica_indexbuffer_config_type(indices) == PICA_INDEX_TYPE_UNSIGNED_SHORT ? 2 : 1;
    out->index_address = out->base + pica_indexbuffer_config_offset(indices);
    out->attributes = pica_attribbuffers_format_high_attributes_minus_1(values[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH]) + 1;
    out->geometry = pica_geostage_config_mode(values[PICA_REG_GEOSTAGE_CONFIG]) != PICA_GEOSTAGE_MODE_OFF;
    out->topology = (uint32_t)pica_primitive_config_topology(values[PICA_REG_PRIMITIVE_CONFIG]);
    for (uint32_t i = 0; i < 12; i++) {
        out->sources[i].array = false;
        describe_format(walk, i, &out->sources[i]);
    }
    for (uint32_t array = 0; array < 12; array++)
        describe_array(walk, array, out);
    return true;
}

/* -------------------------------------------------------------------------------------------------------- indices */

const uint8_t *oracle_draw_indices(const struct oracle_walk *walk, struct oracle_workspace *space,
                                   const struct oracle_draw *draw)
{
    if (draw->count == 0 || draw->count > 0x4000u)
        return NULL;
    const struct oracle_range range = { draw->index_address, (uint64_t)draw->count * draw->index_size };
    uint8_t *const bytes = oracle_take(space, (size_t)range.size);
    return bytes != NULL && oracle_walk_memory(walk, &range, bytes) ? bytes : NULL;
}

uint32_t oracle_index_at(const struct oracle_draw *draw, const uint8_t *bytes, uint32_t i)
{
    if (draw->index_size == 1)
        return bytes[i];
    return (uint32_t)bytes[2 * (size_t)i] | (uint32_t)bytes[2 * (size_t)i + 1] << 8;
}

bool oracle_draw_vertices(const struct oracle_walk *walk, struct oracle_workspace *space,
                          const struct oracle_draw *draw, uint32_t *first, uint32_t *last)
{
    if (draw->count == 0)
        return false;
    if (!draw->elements) {
        *first = draw->first;
        *last = draw->first + (draw->count - 1);
        return *last >= *first;
    }
    const size_t used = space->used;
    const uint8_t *const bytes = oracle_draw_indices(walk, space, draw);
    *first = UINT32_MAX;
    *last = 0;
    for (uint32_t i = 0; bytes != NULL && i < draw->count; i++) {
        const uint32_t v = oracle_index_at(draw, bytes, i);
        *first = v < *first ? v : *first;
        *last = v > *last ? v : *last;
    }
    space->used = used;
    return bytes != NULL;
}

bool oracle_source_range(const struct oracle_source *source, uint32_t first, uint32_t last, struct oracle_range *out)
{
    const uint64_t start = (uint64_t)source->address + (uint64_t)source->stride * first;
    const uint64_t end = (uint64_t)source->address + (uint64_t)source->stride * last +
                         (uint64_t)source->elements * oracle_element_size(source->type);
    if (end > UINT64_C(0x100000000))
        return false;
    out->first = (uint32_t)start;
    out->size = end - start;
    return true;
}

/* ------------------------------------------------------------------------------------------------ what a draw reads */

static bool apart(const struct oracle_draw *draw, const struct oracle_range *range)
{
    return !oracle_ranges_meet(&draw->color, range) && !oracle_ranges_meet(&draw->depth, range) &&
           range->first + range->size <= UINT64_C(0x100000000);
}

static bool textures_apart(const struct oracle_walk *walk, const struct oracle_draw *draw)
{
    const uint32_t *const registers = walk->registers.values;
    for (uint32_t unit = 0; unit < 3; unit++)
        for (uint32_t face = 0; oracle_texture_is_live(registers, unit) && face < oracle_texture_faces(registers, unit);
             face++) {
            const struct oracle_range range = { oracle_texture_address(registers, unit, face),
                                                oracle_texture_size(registers, unit) };
            if (!apart(draw, &range))
                return false;
        }
    return true;
}

bool oracle_draw_is_direct(const struct oracle_walk *walk, struct oracle_workspace *space,
                           const struct oracle_draw *draw)
{
    uint32_t first = 0, last = 0;
    if (oracle_ranges_meet(&draw->color, &draw->depth) || !textures_apart(walk, draw) ||
        !oracle_draw_vertices(walk, space, draw, &first, &last))
        return false;
    const struct oracle_range indices = { draw->index_address, (uint64_t)draw->count * draw->index_size };
    if (draw->elements && (!apart(draw, &indices) || !oracle_in_window(walk->script, &indices)))
        return false;
    for (uint32_t i = 0; i < 12 && i < draw->attributes; i++) {
        struct oracle_range range;
        if (draw->sources[i].array &&
            (!oracle_source_range(&draw->sources[i], first, last, &range) || !apart(draw, &range)))
            return false;
    }
    return true;
}
