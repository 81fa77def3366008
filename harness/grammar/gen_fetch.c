/* Vertices: which attributes there are, what they hold, and how they reach the shader. */
#include "harness/case/little.h"
#include "harness/grammar/gen_parts.h"

#include <string.h>

enum {
    ARRAY_ATTRIBUTES = 12 /* the formats of an array name no more (VTX-02) */
};

/* ------------------------------------------------------------------------------------------------------ attributes */

struct range {
    float low;
    float high;
};

static struct range texcoord_range(struct gen *gen, uint32_t role, uint32_t component)
{
    static const struct range ranges[] = { { 0.0f, 1.0f }, { -1.0f, 2.0f }, { 0.0f, 4.0f }, { -0.5f, 0.5f } };
    const enum pica_texture_type type = pica_texunit_param_type(gen->want[PICA_REG_TEXUNIT0_PARAM]);
    if (role == GEN_TEXCOORD0 && type == PICA_TEXTURE_TYPE_SHADOW_2D && component == 2)
        return (struct range){ 0.05f, 1.0f };
    if (role == GEN_TEXCOORD0 && (type == PICA_TEXTURE_TYPE_CUBE || type == PICA_TEXTURE_TYPE_SHADOW_CUBE))
        return (struct range){ -1.0f, 1.0f };
    if (component >= 2)
        return (struct range){ 0.5f, 2.0f };
    return ranges[gen->shared_random >> (2 * role) & 3u];
}

static struct range role_range(struct gen *gen, uint32_t role, uint32_t component)
{
    switch (role) {
    case GEN_POSITION:
        if (component == 3)
            return gen_has(gen, GEN_PERSPECTIVE) ? (struct range){ 0.5f, 2.0f } : (struct range){ 1.0f, 1.0f };
        if (component == 2)
            return gen_has(gen, GEN_OVERFLOW) ? (struct range){ -1.3f, 0.3f } : (struct range){ -0.95f, -0.05f };
        return gen_has(gen, GEN_OVERFLOW) ? (struct range){ -1.8f, 1.8f } : (struct range){ -1.0f, 1.0f };
    case GEN_COLOR: return (struct range){ 0.0f, 1.0f };
    case GEN_VIEW: return component == 2 ? (struct range){ 0.2f, 2.0f } : (struct range){ -1.0f, 1.0f };
    case GEN_QUATERNION: return (struct range){ -1.0f, 1.0f };
    case GEN_TEXCOORD0:
    case GEN_TEXCOORD1:
    case GEN_TEXCOORD2: return texcoord_range(gen, role, component);
    default: return (struct range){ -4.0f, 4.0f };
    }
}

static struct range raw_range(enum pica_attribute_type type)
{
    switch (type) {
    case PICA_ATTRIBUTE_TYPE_BYTE: return (struct range){ -128.0f, 127.0f };
    case PICA_ATTRIBUTE_TYPE_UNSIGNED_BYTE: return (struct range){ 0.0f, 255.0f };
    case PICA_ATTRIBUTE_TYPE_SHORT: return (struct range){ -32768.0f, 32767.0f };
    case PICA_ATTRIBUTE_TYPE_FLOAT: return (struct range){ -1.0f, 1.0f };
    }
    return (struct range){ -1.0f, 1.0f }; /* not reached: the field has two bits */
}

/* VTX-09: components that the attribute lacks are 0, 0, 0, 1. */
static void scale_missing(struct gen *gen, struct gen_attribute *attribute, uint32_t component)
{
    const struct range range = role_range(gen, attribute->role, component);
    const float middle = attribute->role == GEN_POSITION && component == 3 ? 1.0f : (range.low + range.high) * 0.5f;
    attribute->scale[component] = 1.0f;
    attribute->bias[component] = component == 3 ? middle - 1.0f : middle;
}

static void draw_scale(struct gen *gen, struct gen_attribute *attribute)
{
    const bool plain = attribute->type == PICA_ATTRIBUTE_TYPE_FLOAT && gen_percent(gen, 60);
    const struct range raw = raw_range(attribute->type);
    for (uint32_t c = 0; c < 4; c++) {
        const struct range range = role_range(gen, attribute->role, c);
        attribute->scale[c] = (range.high - range.low) / (raw.high - raw.low);
        if (plain || range.high - range.low < 0.001f)
            attribute->scale[c] = plain ? 1.0f : 0.0f;
        attribute->bias[c] = plain ? 0.0f : range.low - raw.low * attribute->scale[c];
        if (c >= attribute->elements)
            scale_missing(gen, attribute, c);
    }
}

static void add_attribute(struct gen *gen, uint32_t role)
{
    static const uint32_t weights[] = { 15, 20, 20, 45 };
    struct gen_draw *const draw = &gen->draw;
    struct gen_attribute *const attribute = &draw->attributes[draw->attribute_count++];
    memset(attribute, 0, sizeof *attribute);
    attribute->role = role;
    attribute->type = (enum pica_attribute_type)harness_random_weighted(&gen->random, weights, 4);
    attribute->elements = gen_between(gen, role == GEN_EXTRA ? 1 : 2, 4);
    attribute->fixed = role != GEN_POSITION && gen_has(gen, GEN_FIXED) && gen_percent(gen, 40);
    if (role == GEN_POSITION && gen->screen_half[0] != 0.0f) /* integers are too coarse for a huge viewport */
        attribute->type = PICA_ATTRIBUTE_TYPE_FLOAT;
    if (draw->immediate || attribute->fixed) {
        attribute->type = PICA_ATTRIBUTE_TYPE_FLOAT;
        attribute->elements = 4;
    }
    draw_scale(gen, attribute);
}

static void shuffle_attributes(struct gen *gen)
{
    struct gen_draw *const draw = &gen->draw;
    uint32_t inputs[16];
    gen_permutation(gen, inputs, 16, false);
    const bool orderly = gen_percent(gen, 40);
    for (uint32_t i = 0; i < draw->attribute_count; i++) {
        const uint32_t j = gen_below(gen, i + 1u);
        const struct gen_attribute swapped = draw->attributes[i];
        draw->attributes[i] = draw->attributes[j];
        draw->attributes[j] = swapped;
    }
    for (uint32_t i = 0; i < draw->attribute_count; i++)
        draw->attributes[i].input = orderly ? i : inputs[i];
}

static void draw_attributes(struct gen *gen)
{
    gen->draw.attribute_count = 0;
    for (uint32_t role = 0; role < GEN_ROLES; role++)
        if ((gen->draw.roles >> role & 1u) != 0 && (role == GEN_POSITION || gen_percent(gen, 80)))
            add_attribute(gen, role);
    if (gen_has(gen, GEN_EXTRA_ATTRIBUTES))
        for (uint32_t i = gen_between(gen, 1, gen_percent(gen, 88) ? 4 : 12);
             i > 0 && gen->draw.attribute_count < ARRAY_ATTRIBUTES; i--)
            add_attribute(gen, GEN_EXTRA);
    shuffle_attributes(gen);
}

/* ---------------------------------------------------------------------------------------------------------- values */

/* The first four vertices are corners of triangles that cover much of the viewport; others can be anywhere. */
static void place(struct gen *gen, uint32_t row, float position[4])
{
    static const float corners[4][2] = { { -0.95f, -0.95f }, { 0.95f, -0.9f }, { -0.9f, 0.95f }, { 0.95f, 0.95f } };
    const uint32_t corner = (row + (gen->shared_random >> 20)) & 3u;
    for (uint32_t c = 0; c < 2 && gen->screen_half[0] != 0.0f; c++)
        position[c] = gen_screen_position(gen, row, c);
    if (gen->screen_half[0] != 0.0f)
        return;
    if (row >= 4 && !gen_percent(gen, 15))
        return;
    position[0] = corners[corner][0] * gen_float(gen, 0.7f, 1.0f);
    position[1] = corners[corner][1] * gen_float(gen, 0.7f, 1.0f);
    if (gen_percent(gen, 60))
        position[2] = -0.5f;
}

static void draw_value(struct gen *gen, uint32_t row, uint32_t index)
{
    const struct gen_attribute *const attribute = &gen->draw.attributes[index];
    float *const value = gen->draw.values[row][index];
    for (uint32_t c = 0; c < 4; c++) {
        const struct range range = role_range(gen, attribute->role, c);
        value[c] = gen_float(gen, range.low, range.high);
    }
    if (attribute->role != GEN_POSITION)
        return;
    place(gen, row, value);
    for (uint32_t c = 0; c < 3; c++) /* the volume grows with w (CLP-01) */
        value[c] = value[c] * value[3];
}

static void draw_values(struct gen *gen)
{
    for (uint32_t row = 0; row < gen->draw.rows && row < GEN_MAX_ROWS; row++)
        for (uint32_t i = 0; i < gen->draw.attribute_count; i++) {
            const bool repeat = row > 0 && (gen->draw.attributes[i].fixed || gen_percent(gen, 5));
            if (repeat && gen->draw.attributes[i].role != GEN_POSITION)
                memcpy(gen->draw.values[row][i], gen->draw.values[row - 1u][i], sizeof gen->draw.values[row][i]);
            else
                draw_value(gen, row, i);
        }
}

/* What the shader gets of an attribute. In a crowd each row has a position of its own, and shares all else with
 * others. */
static void get_value(const struct gen *gen, uint32_t row, uint32_t index, float value[4])
{
    memcpy(value, gen->draw.values[row % GEN_MAX_ROWS][index], 4 * sizeof *value);
    if (gen->draw.crowd != 0 && gen->draw.attributes[index].role == GEN_POSITION)
        gen_capacity_place(gen, row, value);
}

/* The number as it is stored in memory or in a fixed attribute. */
static float raw_value(const struct gen_attribute *attribute, const float value[4], uint32_t component)
{
    const float scale = attribute->scale[component];
    return scale == 0.0f ? 0.0f : (value[component] - attribute->bias[component]) / scale;
}

/* ------------------------------------------------------------------------------------------------------------ plan */

/* Triangles whose boxes together stay below LIM_PIXELS even if clipping cuts each in two. */
static uint32_t most_triangles(const struct gen *gen)
{
    const uint32_t area = gen->target.width * gen->target.height;
    const uint32_t most = gen->out->limits.pixels / 3u / (area == 0 ? 1 : area);
    return most < 1 ? 1 : most;
}

static uint32_t vertices_for(struct gen *gen, uint32_t triangles)
{
    const enum pica_topology topology = gen->draw.topology;
    const bool list = topology == PICA_TOPOLOGY_LIST || topology == PICA_TOPOLOGY_GEOMETRY;
    const uint32_t count = list ? 3u * triangles : triangles + 2u;
    return count + (gen_percent(gen, 10) ? gen_below(gen, 3) : 0);
}

/* The geometry shader makes one or two triangles a run. */
static void plan_geometry(struct gen *gen)
{
    static const uint32_t weights[] = { 45, 30, 25 };
    struct gen_draw *const draw = &gen->draw;
    draw->gsh_mode = (enum pica_gsh_mode)harness_random_weighted(&gen->random, weights, 3);
    if (draw->immediate && draw->gsh_mode == PICA_GSH_MODE_VARIABLE)
        draw->gsh_mode = PICA_GSH_MODE_POINT;
    if (draw->gsh_mode == PICA_GSH_MODE_VARIABLE)
        draw->elements = true;
    draw->vertices_per_run = gen_between(gen, 1, 3);
    draw->topology = gen_percent(gen, 75) ? PICA_TOPOLOGY_GEOMETRY : (enum pica_topology)gen_below(gen, 4);
}

static void plan_counts(struct gen *gen)
{
    struct gen_draw *const draw = &gen->draw;
    const uint32_t most = most_triangles(gen);
    static const uint32_t weights[] = { 40, 28, 14, 8, 4, 3, 3 };
    const uint32_t wanted = 1u + harness_random_weighted(&gen->random, weights, 7);
    const uint32_t triangles = wanted < most ? wanted : most;
    draw->count = vertices_for(gen, triangles);
    if (draw->geometry)
        draw->count = draw->vertices_per_run * (1u + triangles / 2u) + (gen_percent(gen, 10) ? 1u : 0u);
    if (draw->count > GEN_MAX_ROWS - 3)
        draw->count = GEN_MAX_ROWS - 3;
    draw->rows = draw->count + (gen_percent(gen, 30) ? gen_below(gen, 3) : 0);
    draw->spread = draw->elements && gen_percent(gen, 8);
    if (draw->spread) /* so that indices may be aliases of one another */
        draw->rows += 1u << gen_between(gen, 4, 8);
    gen->draw_pixels = (uint64_t)gen->target.width * gen->target.height * (triangles + 2u) * 2u;
}

void gen_vertices(struct gen *gen)
{
    struct gen_draw *const draw = &gen->draw;
    draw->immediate = gen_has(gen, GEN_IMMEDIATE) && gen_percent(gen, 70);
    draw->elements = !draw->immediate && gen_has(gen, GEN_ELEMENTS) && gen_percent(gen, 70);
    const bool geometry = gen_has(gen, GEN_GEOMETRY) && gen_percent(gen, 75);
    draw->geometry = geometry || (draw->geometry && gen->defined); /* SHD-12, HNG-05: none after one is undefined */
    draw->topology = (enum pica_topology)gen_below(gen, gen_percent(gen, 20) ? 4 : 3);
    if (draw->geometry)
        plan_geometry(gen);
    plan_counts(gen);
    draw_attributes(gen);
    gen_capacity_count(gen);
    draw_values(gen);
}

/* ----------------------------------------------------------------------------------------------------- the buffers */

static void put_element(uint8_t *out, const struct gen_attribute *attribute, float raw, uint32_t special)
{
    const struct range range = raw_range(attribute->type);
    if (attribute->type == PICA_ATTRIBUTE_TYPE_FLOAT) {
        (void)harness_store32(out, special != 0 ? special : harness_f32_bits(raw));
        return;
    }
    const float limited = raw > range.low ? (raw < range.high ? raw : range.high) : range.low;
    const uint32_t number = (uint32_t)(int32_t)(limited < 0.0f ? limited - 0.5f : limited + 0.5f);
    out[0] = (uint8_t)number;
    if (attribute->type == PICA_ATTRIBUTE_TYPE_SHORT)
        out[1] = (uint8_t)(number >> 8);
}

/* The bits of a NaN, an infinity or the like, or 0: these are harmless only in roles that end up as a clamped
 * colour. */
static uint32_t special_bits(struct gen *gen, uint32_t role)
{
    if (role == GEN_COLOR || role == GEN_EXTRA)
        return gen_percent(gen, 4) ? harness_random_f32(&gen->random) : 0;
    return gen_wild(gen, 2) ? harness_random_f32(&gen->random) : 0;
}

static uint32_t element_bytes(enum pica_attribute_type type)
{
    return harness_element_size((enum harness_element)type);
}

/* One array (loader) in the making. */
struct array {
    uint32_t components[12]; /* enum pica_loader_component */
    uint32_t offsets[12];    /* of the component in a row */
    uint32_t count;
    uint32_t end;
    uint32_t align;
    struct harness_layout layout;
};

static void add_field(struct array *array, uint32_t element, uint32_t count)
{
    if (count == 0 || array->layout.field_count > HARNESS_MAX_LAYOUT_FIELDS)
        return;
    if (array->layout.field_count < HARNESS_MAX_LAYOUT_FIELDS) {
        array->layout.fields[array->layout.field_count].element = (uint8_t)element;
        array->layout.fields[array->layout.field_count].count = (uint8_t)count;
    }
    array->layout.field_count++; /* one too many means: no table */
}

/* VTX-04 */
static void add_component(struct gen *gen, struct array *array, uint32_t component)
{
    const bool padding = component > PICA_LOADER_COMPONENT_ATTRIBUTE11;
    const struct gen_attribute *const attribute = padding ? NULL : &gen->draw.attributes[component];
    const uint32_t size = padding ? 4u : element_bytes(attribute->type);
    const uint32_t start = (array->end + size - 1u) & ~(size - 1u);
    const uint32_t elements = padding ? component - PICA_LOADER_COMPONENT_ATTRIBUTE11 : attribute->elements;
    add_field(array, HARNESS_ELEMENT_PAD, start - array->end);
    add_field(array, padding ? HARNESS_ELEMENT_U32 : (uint32_t)attribute->type, elements);
    array->components[array->count] = component;
    array->offsets[array->count] = start;
    array->end = start + size * elements;
    array->align = size > array->align ? size : array->align;
    array->count++;
}

static void fill_rows(struct gen *gen, const struct array *array, uint8_t *bytes, uint32_t stride)
{
    for (uint32_t row = 0; row < gen->draw.rows; row++)
        for (uint32_t k = 0; k < array->count; k++) {
            if (array->components[k] > PICA_LOADER_COMPONENT_ATTRIBUTE11)
                continue;
            const struct gen_attribute *const attribute = &gen->draw.attributes[array->components[k]];
            float value[4];
            get_value(gen, row, array->components[k], value);
            for (uint32_t e = 0; e < attribute->elements; e++)
                put_element(bytes + row * stride + array->offsets[k] + e * element_bytes(attribute->type), attribute,
                            raw_value(attribute, value, e), special_bits(gen, attribute->role));
        }
}

/* Component slots that are not counted may hold anything (VTX-03). */
static void set_array(struct gen *gen, uint32_t loader, const struct array *array, uint32_t stride)
{
    const bool noisy = gen_percent(gen, 40);
    uint32_t config1 = noisy ? gen_below(gen, UINT32_MAX) : 0;
    uint32_t config2 = noisy ? gen_below(gen, 0x10000) : 0;
    config2 = pica_attribbuffer_config2_set_stride(config2, stride);
    config2 = pica_attribbuffer_config2_set_count(config2, array->count);
    for (uint32_t k = 0; k < array->count; k++) {
        if (k < 8)
            config1 = pica_attribbuffer_config1_set_component_at(config1, k, array->components[k]);
        else
            config2 = pica_attribbuffer_config2_set_component_at(config2, k - 8u, array->components[k]);
    }
    gen_set(gen, pica_reg_attribbuffer(loader, PICA_REG_ATTRIBBUFFER0_CONFIG1), config1);
    gen_set(gen, pica_reg_attribbuffer(loader, PICA_REG_ATTRIBBUFFER0_CONFIG2), config2);
}

/* Stores the rows and returns their address; the offset register is set once the base is known. */
static uint32_t store_array(struct gen *gen, uint32_t loader, struct array *array)
{
    const uint32_t align = array->align == 0 ? 1 : array->align;
    uint32_t stride = (array->end + align - 1u) & ~(align - 1u);
    if (gen_percent(gen, 60))
        stride = (stride + 3u) & ~3u;
    struct harness_data data;
    const uint32_t address = gen_allocate_blocks(gen, stride * gen->draw.rows, gen_percent(gen, 50) ? 16 : 4);
    add_field(array, HARNESS_ELEMENT_PAD, stride - array->end);
    set_array(gen, loader, array, stride);
    if (stride == 0 || !gen_bytes(gen, &data, stride * gen->draw.rows))
        return address;
    fill_rows(gen, array, data.bytes, stride);
    if (array->layout.field_count <= HARNESS_MAX_LAYOUT_FIELDS && gen_percent(gen, 85)) {
        data.kind = HARNESS_DATA_TABLE;
        data.layout = array->layout;
    }
    gen_load(gen, address, &data);
    return address;
}

/* Is there room for padding before `attributes` more? An array has at most twelve components, a stride eight bits. */
static bool has_room(const struct array *array, uint32_t attributes)
{
    return array->count + attributes < 12 && array->end < 112;
}

/* Each attribute that is not fixed goes to one of the arrays. */
static void distribute(struct gen *gen, struct array *arrays, uint32_t count)
{
    const uint32_t padding_percent = gen_percent(gen, 85) ? 10 : 70; /* now and then all twelve slots count */
    for (uint32_t i = 0; i < gen->draw.attribute_count; i++) {
        if (gen->draw.attributes[i].fixed)
            continue;
        struct array *const array = &arrays[gen_below(gen, count)];
        while (has_room(array, gen->draw.attribute_count - i) && gen_percent(gen, padding_percent))
            add_component(gen, array,
                          gen_between(gen, PICA_LOADER_COMPONENT_PADDING4, PICA_LOADER_COMPONENT_PADDING16));
        add_component(gen, array, i);
    }
}

/* VTX-01: all offsets count from one base, which need not lie in memory. */
static void set_base(struct gen *gen, const uint32_t addresses[12], const uint32_t loaders[12], uint32_t count,
                     uint32_t indices)
{
    uint32_t lowest = indices;
    for (uint32_t a = 0; a < count; a++)
        lowest = addresses[a] < lowest ? addresses[a] : lowest;
    uint32_t base = lowest & ~15u;
    if (gen_percent(gen, 40))
        base = gen_percent(gen, 50) ? PICA_VRAM_ADDRESS : base - 16u * gen_below(gen, 64);
    if (gen->exportable && base < PICA_VRAM_ADDRESS)
        base = PICA_VRAM_ADDRESS;
    gen_set(gen, PICA_REG_ATTRIBBUFFERS_LOC, pica_attribbuffers_loc_set_base(0, base >> 4));
    for (uint32_t a = 0; a < count; a++)
        gen_set(gen, pica_reg_attribbuffer(loaders[a], PICA_REG_ATTRIBBUFFER0_OFFSET), addresses[a] - base);
    uint32_t config = gen->want[PICA_REG_INDEXBUFFER_CONFIG];
    config = pica_indexbuffer_config_set_offset(config, indices - base);
    gen_set(gen, PICA_REG_INDEXBUFFER_CONFIG, config);
}

/* VTX-24: an earlier index, or one that differs from it in a single bit. */
static uint32_t alias(struct gen *gen, const uint32_t *indices, uint32_t count)
{
    const uint32_t earlier = indices[gen_below(gen, count)];
    const uint32_t other = earlier ^ 1u << gen_below(gen, 9);
    return other < gen->draw.rows ? other : earlier;
}

/* GSH-20: in variable mode each primitive starts with its count. */
static uint32_t draw_indices(struct gen *gen, uint32_t *indices)
{
    struct gen_draw *const draw = &gen->draw;
    const bool variable = draw->geometry && draw->gsh_mode == PICA_GSH_MODE_VARIABLE;
    uint32_t written = 0;
    for (uint32_t i = 0; i < draw->count; i++) {
        if (variable && i % draw->vertices_per_run == 0)
            indices[written++] = draw->vertices_per_run;
        if (draw->crowd != 0)
            indices[written++] = gen_capacity_index(gen, i);
        else
            indices[written++] = gen_percent(gen, 70) ? i % draw->rows : gen_below(gen, draw->rows);
        if (draw->spread && !variable && i > 0 && gen_percent(gen, 40))
            indices[written - 1u] = alias(gen, indices, written - 1u);
        if (draw->crowd == 0 && gen_wild(gen, 2))
            indices[written - 1u] = gen_below(gen, 0x10000);
    }
    return written;
}

static uint32_t store_indices(struct gen *gen)
{
    uint32_t indices[2 * GEN_MAX_CROWD];
    const uint32_t count = draw_indices(gen, indices);
    const bool wide = gen->draw.rows > 256 || gen_percent(gen, 50);
    const uint32_t size = count << (wide ? 1 : 0);
    const uint32_t address = gen_allocate_blocks(gen, size, gen_percent(gen, 70) ? 16 : 2);
    struct harness_data data;
    gen->want[PICA_REG_INDEXBUFFER_CONFIG] =
        pica_indexbuffer_config_set_type(0, wide ? PICA_INDEX_TYPE_UNSIGNED_SHORT : PICA_INDEX_TYPE_UNSIGNED_BYTE);
    gen_set(gen, PICA_REG_NUMVERTICES, count);
    if (!gen_bytes(gen, &data, size))
        return address;
    for (uint32_t i = 0; i < count; i++) {
        data.bytes[wide ? 2 * i : i] = (uint8_t)indices[i];
        if (wide)
            data.bytes[2 * i + 1] = (uint8_t)(indices[i] >> 8);
    }
    data.kind = HARNESS_DATA_TABLE;
    data.layout.field_count = 1;
    data.layout.fields[0].element = wide ? HARNESS_ELEMENT_U16 : HARNESS_ELEMENT_U8;
    data.layout.fields[0].count = 1;
    gen_load(gen, address, &data);
    return address;
}

static void set_formats(struct gen *gen)
{
    uint32_t low = 0;
    uint32_t high = pica_attribbuffers_format_high_set_attributes_minus_1(0, gen->draw.attribute_count - 1u);
    for (uint32_t i = 0; i < gen->draw.attribute_count && i < 12; i++) {
        const struct gen_attribute *const attribute = &gen->draw.attributes[i];
        if (attribute->fixed)
            high = pica_attribbuffers_format_high_set_fixed_at(high, i, 1);
        if (i < 8) {
            low = pica_attribbuffers_format_low_set_type_at(low, i, attribute->type);
            low = pica_attribbuffers_format_low_set_elements_minus_1_at(low, i, attribute->elements - 1u);
        } else {
            high = pica_attribbuffers_format_high_set_type_at(high, i - 8u, attribute->type);
            high = pica_attribbuffers_format_high_set_elements_minus_1_at(high, i - 8u, attribute->elements - 1u);
        }
    }
    gen_set(gen, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, low);
    gen_set(gen, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, high);
}

static void put_fixed(const struct gen_attribute *attribute, const float value[4], uint32_t words[3])
{
    uint32_t raw[4];
    for (uint32_t c = 0; c < 4; c++)
        raw[c] = gen_float24(raw_value(attribute, value, c));
    harness_float24_pack(raw, words);
}

static void write_fixed(struct gen *gen)
{
    for (uint32_t i = 0; i < gen->draw.attribute_count; i++) {
        uint32_t words[3];
        if (!gen->draw.attributes[i].fixed)
            continue;
        put_fixed(&gen->draw.attributes[i], gen->draw.values[0][i], words);
        gen_upload(gen, PICA_REG_FIXEDATTRIB_INDEX, i, PICA_REG_FIXEDATTRIB_DATA0, words, 3);
    }
}

/* Fills unused loaders with arrays of any attributes, mostly with all twelve slots in use. The real arrays come after
 * these: an attribute that is supplied twice is that of the later array (VTX-05), so the picture stays the same. */
static void set_decoys(struct gen *gen, const uint32_t *loaders, uint32_t count, uint32_t offset)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t config2 = gen_below(gen, UINT32_MAX);
        if (gen_percent(gen, 80))
            config2 = pica_attribbuffer_config2_set_count(config2, 12);
        gen_set(gen, pica_reg_attribbuffer(loaders[i], PICA_REG_ATTRIBBUFFER0_OFFSET), offset + gen_below(gen, 64));
        gen_set(gen, pica_reg_attribbuffer(loaders[i], PICA_REG_ATTRIBBUFFER0_CONFIG1), gen_below(gen, UINT32_MAX));
        gen_set(gen, pica_reg_attribbuffer(loaders[i], PICA_REG_ATTRIBBUFFER0_CONFIG2), config2);
    }
}

void gen_vertex_buffers(struct gen *gen)
{
    struct array arrays[3];
    uint32_t addresses[12];
    uint32_t loaders[12]; /* those that the arrays use, then the others */
    memset(arrays, 0, sizeof arrays);
    const uint32_t count = gen_between(gen, 1, 3);
    set_formats(gen);
    for (uint32_t loader = 0; loader < 12; loader++)
        gen_set(gen, pica_reg_attribbuffer(loader, PICA_REG_ATTRIBBUFFER0_CONFIG2), 0);
    distribute(gen, arrays, count);
    gen_permutation(gen, loaders, 12, gen_percent(gen, 50));
    const uint32_t decoys = gen_wild(gen, 14) ? gen_between(gen, 1, 3) : 0;
    for (uint32_t i = 0; i < 12 && decoys != 0; i++)
        loaders[i] = 11u - i;
    for (uint32_t a = 0; a < count; a++)
        addresses[a] = store_array(gen, loaders[a], &arrays[a]);
    gen_set(gen, PICA_REG_NUMVERTICES, gen->draw.count);
    const uint32_t spare = gen->draw.rows - gen->draw.count;
    gen_set(gen, PICA_REG_VERTEX_OFFSET, gen->draw.elements ? gen_below(gen, 4) : gen_below(gen, spare + 1u));
    const uint32_t indices = gen->draw.elements ? store_indices(gen) : addresses[0];
    set_base(gen, addresses, loaders, count, indices);
    const uint32_t first_offset = gen->want[pica_reg_attribbuffer(loaders[0], PICA_REG_ATTRIBBUFFER0_OFFSET)];
    set_decoys(gen, loaders + count, decoys, first_offset);
    write_fixed(gen);
}

/* ------------------------------------------------------------------------------------------------- immediate mode */

void gen_immediate(struct gen *gen)
{
    uint32_t words[3 * GEN_MAX_ATTRIBUTES];
    uint32_t changed = 0, old = 0;
    const uint32_t change_at =
        gen_has(gen, GEN_DELTA) && gen_percent(gen, 35) ? gen_between(gen, 1, gen->draw.count) : 0;
    gen_write(gen, PICA_REG_FIXEDATTRIB_INDEX, 15);
    for (uint32_t row = 0; row < gen->draw.count; row++) {
        if (row == change_at && row != 0)
            changed = gen_change_between_vertices(gen, &old);
        for (uint32_t i = 0; i < gen->draw.attribute_count; i++) {
            float value[4];
            get_value(gen, row, i, value);
            put_fixed(&gen->draw.attributes[i], value, words + 3 * i);
        }
        gen_write_port(gen, PICA_REG_FIXEDATTRIB_DATA0 + gen_below(gen, 3), words, 3 * gen->draw.attribute_count);
    }
    if (changed != 0)
        gen_change_back(gen, changed, old);
}
