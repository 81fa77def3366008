/* What a draw reads and writes, as far as registers and known memory show it. */
#include "oracles/relate.h"

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

/* VTX-04, VTX-05: one array, later ones win. */
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

/* -------------------------------------------------------------------------------------------------------- textures */

static uint32_t unit_value(const struct oracle_walk *walk, uint32_t unit, enum pica_reg base)
{
    return walk->registers.values[pica_reg_texunit(unit, base)];
}

static enum pica_texture_type texture_type(const struct oracle_walk *walk, uint32_t unit)
{
    return unit == 0 ? pica_texunit_param_type(walk->registers.values[PICA_REG_TEXUNIT0_PARAM]) : PICA_TEXTURE_TYPE_2D;
}

bool oracle_texture_is_live(const struct oracle_walk *walk, uint32_t unit)
{
    const uint32_t config = walk->registers.values[PICA_REG_TEXUNIT_CONFIG];
    const uint32_t enables[3] = { pica_texunit_config_unit0_enable(config), pica_texunit_config_unit1_enable(config),
                                  pica_texunit_config_unit2_enable(config) };
    const uint32_t dim = unit_value(walk, unit, PICA_REG_TEXUNIT0_DIM);
    return enables[unit] != 0 && pica_texunit_addr_address(unit_value(walk, unit, PICA_REG_TEXUNIT0_ADDR1)) != 0 &&
           texture_type(walk, unit) != PICA_TEXTURE_TYPE_DISABLED && pica_texunit_dim_width(dim) != 0 &&
           pica_texunit_dim_height(dim) != 0 &&
           (uint32_t)pica_texunit_type_format(unit_value(walk, unit, PICA_REG_TEXUNIT0_TYPE)) < 14;
}

uint32_t oracle_texture_faces(const struct oracle_walk *walk, uint32_t unit)
{
    const enum pica_texture_type type = texture_type(walk, unit);
    return type == PICA_TEXTURE_TYPE_CUBE || type == PICA_TEXTURE_TYPE_SHADOW_CUBE ? 6 : 1;
}

uint32_t oracle_texture_address(const struct oracle_walk *walk, uint32_t unit, uint32_t face)
{
    const uint32_t first = pica_texunit_addr_address(unit_value(walk, unit, PICA_REG_TEXUNIT0_ADDR1));
    if (face == 0)
        return first * 8;
    const uint32_t low = pica_texunit_addr_face_address_low(walk->registers.values[PICA_REG_TEXUNIT0_ADDR1 + face]);
    return ((first & ~0x3FFFFFu) | low) * 8; /* CUB-03 */
}

static uint64_t interleave3(uint32_t x, uint32_t y)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 3; i++)
        bits |= (uint64_t)(x >> i & 1u) << (2 * i) | (uint64_t)(y >> i & 1u) << (2 * i + 1);
    return bits;
}

/* TEX-31: end of one level, counted from its own base. */
static uint64_t level_end(uint32_t width, uint32_t height, uint32_t format, uint32_t bits)
{
    const uint32_t mx = (width < 8 ? width : 8) - 1, my = (height < 8 ? height : 8) - 1;
    const uint64_t tile = (uint64_t)((height - 1) >> 3) * (width >> 3) + ((width - 1) >> 3);
    if (format == 12 || format == 13)
        return tile * (format == 12 ? 32 : 64) + ((mx >> 2) + 2 * (my >> 2) + 1) * (format == 12 ? 8u : 16u);
    return ((tile * 64 + interleave3(mx, my) + 1) * bits + 7) >> 3;
}

uint64_t oracle_texture_size(const struct oracle_walk *walk, uint32_t unit)
{
    static const uint8_t bits[14] = { 32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8 }; /* TEX-23 */
    const uint32_t dim = unit_value(walk, unit, PICA_REG_TEXUNIT0_DIM);
    const uint32_t format = (uint32_t)pica_texunit_type_format(unit_value(walk, unit, PICA_REG_TEXUNIT0_TYPE));
    const uint32_t levels = pica_texunit_lod_max_level(unit_value(walk, unit, PICA_REG_TEXUNIT0_LOD));
    const uint32_t width = pica_texunit_dim_width(dim), height = pica_texunit_dim_height(dim);
    uint64_t start = 0, most = 0;
    for (uint32_t l = 0; l <= levels && (width >> l) != 0 && (height >> l) != 0; l++) { /* MIP-01, MIP-02 */
        const uint64_t end = start + level_end(width >> l, height >> l, format, bits[format]);
        most = end > most ? end : most;
        start += ((uint64_t)(width >> l) * (height >> l) * bits[format]) >> 3;
    }
    return most;
}

/* ------------------------------------------------------------------------------------------------ what a draw reads */

static bool apart(const struct oracle_draw *draw, const struct oracle_range *range)
{
    return !oracle_ranges_meet(&draw->color, range) && !oracle_ranges_meet(&draw->depth, range) &&
           range->first + range->size <= UINT64_C(0x100000000);
}

static bool textures_apart(const struct oracle_walk *walk, const struct oracle_draw *draw)
{
    for (uint32_t unit = 0; unit < 3; unit++)
        for (uint32_t face = 0; oracle_texture_is_live(walk, unit) && face < oracle_texture_faces(walk, unit); face++) {
            const struct oracle_range range = { oracle_texture_address(walk, unit, face),
                                                oracle_texture_size(walk, unit) };
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
