/* Relations that change the layout of vertex data: at another address, as floats, without indices. */
#include "oracles/relate.h"

#include <string.h>

enum {
    MOST_VERTICES = 2048, /* of one draw whose vertices a relation copies */
    MOST_BYTES = 1 << 16
};

static bool describe(struct oracle_job *job, const struct oracle_command *command, struct oracle_draw *draw,
                     uint32_t *first, uint32_t *last)
{
    return oracle_describe_draw(job->walk, command, draw) &&
           oracle_draw_vertices(job->walk, job->space, draw, first, last) && *last - *first < MOST_VERTICES &&
           draw->count <= MOST_VERTICES;
}

static bool uses_array(const struct oracle_draw *draw, uint32_t attribute)
{
    return attribute < draw->attributes && draw->sources[attribute].array;
}

static bool room(const struct oracle_job *job, uint64_t size)
{
    return size <= MOST_BYTES && size + 64 <= ORACLE_DATA_SIZE - job->data_used;
}

/* ----------------------------------------------------------------------------------------------------- moved arrays */

/* All bytes that the draw fetches through one array; size 0 if none, false if addresses wrap. */
static bool array_range(const struct oracle_draw *draw, uint32_t array, uint32_t first, uint32_t last,
                        struct oracle_range *out)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t i = 0; i < 12; i++) {
        struct oracle_range range;
        if (!uses_array(draw, i) || draw->sources[i].array_index != array)
            continue;
        if (!oracle_source_range(&draw->sources[i], first, last, &range))
            return false;
        low = range.first < low ? range.first : low;
        high = range.first + range.size > high ? range.first + range.size : high;
    }
    out->first = high != 0 ? (uint32_t)low : 0;
    out->size = high != 0 ? high - low : 0;
    return true;
}

/* Copies what one array feeds to the fresh window and finds the offset that names it; VTX-10 looks at the alignment of
 * addresses, so it stays. False: the array cannot be moved. */
static bool move_array(struct oracle_job *job, const struct oracle_range *range, uint32_t *offset)
{
    uint32_t address = 0;
    if (!room(job, range->size))
        return false;
    uint8_t *const bytes = oracle_take_data(job, (uint32_t)range->size, 16, range->first % 16, &address);
    if (bytes == NULL || !oracle_walk_memory(job->walk, range, bytes))
        return false;
    *offset += address - range->first;
    return *offset <= 0x0FFFFFFFu;
}

static void moved_vertices(struct oracle_job *job, const struct oracle_command *command)
{
    struct oracle_draw draw;
    uint32_t first = 0, last = 0, moved = 0;
    uint32_t offsets[12];
    const uint32_t *const values = job->walk->registers.values;
    oracle_copy_base(job, command);
    const bool usable = describe(job, command, &draw, &first, &last);
    for (uint32_t array = 0; usable && array < 12; array++) {
        struct oracle_range range;
        const uint32_t id = pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_OFFSET);
        offsets[array] = pica_attribbuffer_offset_offset(values[id]);
        if (!array_range(&draw, array, first, last, &range) || range.size == 0 ||
            !move_array(job, &range, &offsets[array]))
            continue;
        oracle_emit_write(job, job->variant, id, offsets[array]);
        moved |= 1u << array;
    }
    oracle_emit(job, job->variant, command, 0);
    for (uint32_t array = 0; array < 12; array++) {
        const uint32_t id = pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_OFFSET);
        if ((moved >> array & 1u) != 0)
            oracle_emit_write(job, job->variant, id, values[id]);
    }
    job->changed += moved != 0;
}

/* ---------------------------------------------------------------------------------------------------- float arrays */

/* VTX-02: the exact binary32 bits of one element. */
static uint32_t widen(enum pica_attribute_type type, const uint8_t *bytes)
{
    int32_t integer = 0;
    switch (type) {
    case PICA_ATTRIBUTE_TYPE_BYTE: integer = bytes[0] < 128 ? bytes[0] : bytes[0] - 256; break;
    case PICA_ATTRIBUTE_TYPE_UNSIGNED_BYTE: integer = bytes[0]; break;
    case PICA_ATTRIBUTE_TYPE_SHORT:
        integer = bytes[0] | bytes[1] << 8;
        integer = integer < 32768 ? integer : integer - 65536;
        break;
    case PICA_ATTRIBUTE_TYPE_FLOAT:
        return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    }
    const float value = (float)integer; /* exact: 16 bits at most */
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A new array that holds all array attributes as floats. */
struct table {
    struct oracle_draw draw;
    const uint8_t *indices; /* NULL: entry e is vertex first + e, otherwise vertex index e */
    uint32_t first;         /* vertex number of the first byte of `source` bytes */
    uint32_t last;
    uint32_t entries;
    uint32_t stride;
    uint32_t address;
    uint8_t *bytes;
};

static uint32_t table_stride(const struct oracle_draw *draw)
{
    uint32_t stride = 0;
    for (uint32_t i = 0; i < 12; i++)
        if (uses_array(draw, i))
            stride += 4 * draw->sources[i].elements;
    return stride;
}

/* One attribute of all entries, `offset` bytes into each. */
static bool fill_column(struct oracle_job *job, const struct table *table, uint32_t attribute, uint32_t offset)
{
    const struct oracle_source *const source = &table->draw.sources[attribute];
    const uint32_t element = oracle_element_size(source->type);
    struct oracle_range range;
    if (!oracle_source_range(source, table->first, table->last, &range) || range.size > (1u << 20))
        return false;
    const size_t used = job->space->used;
    uint8_t *const bytes = oracle_take(job->space, (size_t)range.size);
    const bool known = bytes != NULL && oracle_walk_memory(job->walk, &range, bytes);
    for (uint32_t e = 0; known && e < table->entries; e++) {
        const uint32_t vertex =
            table->indices != NULL ? oracle_index_at(&table->draw, table->indices, e) - table->first : e;
        for (uint32_t k = 0; k < source->elements; k++) {
            const uint32_t bits = widen(source->type, bytes + (size_t)source->stride * vertex + (size_t)k * element);
            for (uint32_t b = 0; b < 4; b++)
                table->bytes[(size_t)e * table->stride + offset + 4 * k + b] = (uint8_t)(bits >> (8 * b));
        }
    }
    job->space->used = used;
    return known;
}

static bool fill_table(struct oracle_job *job, struct table *table)
{
    table->stride = table_stride(&table->draw);
    if (table->stride == 0 || !room(job, (uint64_t)table->stride * table->entries))
        return false;
    table->bytes = oracle_take_data(job, table->stride * table->entries, 16, 0, &table->address);
    uint32_t offset = 0;
    for (uint32_t i = 0; table->bytes != NULL && i < 12; i++) {
        if (!uses_array(&table->draw, i))
            continue;
        if (!fill_column(job, table, i, offset))
            return false;
        offset += 4 * table->draw.sources[i].elements;
    }
    return table->bytes != NULL;
}

/* Changes the formats of the attributes in the table to float and keeps their numbers of elements (VTX-02). */
static void emit_formats(struct oracle_job *job, const struct table *table)
{
    uint32_t low = job->walk->registers.values[PICA_REG_ATTRIBBUFFERS_FORMAT_LOW];
    uint32_t high = job->walk->registers.values[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH];
    for (uint32_t i = 0; i < 12; i++) {
        if (!uses_array(&table->draw, i))
            continue;
        if (i < 8)
            low = pica_attribbuffers_format_low_set_type_at(low, i, (uint32_t)PICA_ATTRIBUTE_TYPE_FLOAT);
        else
            high = pica_attribbuffers_format_high_set_type_at(high, i - 8, (uint32_t)PICA_ATTRIBUTE_TYPE_FLOAT);
    }
    oracle_emit_write(job, job->variant, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, low);
    oracle_emit_write(job, job->variant, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, high);
}

/* Makes array 0 the table and disables the others. `offset`: of vertex number 0 from the base. */
static void emit_arrays(struct oracle_job *job, const struct table *table, uint32_t offset)
{
    uint32_t config1 = 0, config2 = pica_attribbuffer_config2_set_stride(0, table->stride), count = 0;
    for (uint32_t i = 0; i < 12; i++) {
        if (!uses_array(&table->draw, i))
            continue;
        if (count < 8)
            config1 = pica_attribbuffer_config1_set_component_at(config1, count, i);
        else
            config2 = pica_attribbuffer_config2_set_component_at(config2, count - 8, i);
        count++;
    }
    emit_formats(job, table);
    oracle_emit_write(job, job->variant, PICA_REG_ATTRIBBUFFER0_OFFSET, offset);
    oracle_emit_write(job, job->variant, PICA_REG_ATTRIBBUFFER0_CONFIG1, config1);
    oracle_emit_write(job, job->variant, PICA_REG_ATTRIBBUFFER0_CONFIG2,
                      pica_attribbuffer_config2_set_count(config2, count));
    for (uint32_t array = 1; array < 12; array++)
        oracle_emit_write(job, job->variant, pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2), 0);
}

static void restore_arrays(struct oracle_job *job)
{
    const uint32_t *const values = job->walk->registers.values;
    for (uint32_t id = PICA_REG_ATTRIBBUFFERS_FORMAT_LOW; id <= PICA_REG_ATTRIBBUFFER0_CONFIG2; id++)
        oracle_emit_write(job, job->variant, id, values[id]);
    for (uint32_t array = 1; array < 12; array++) {
        const uint32_t id = pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2);
        oracle_emit_write(job, job->variant, id, values[id]);
    }
}

static void float_vertices(struct oracle_job *job, const struct oracle_command *command)
{
    struct table table = { .indices = NULL };
    oracle_copy_base(job, command);
    if (describe(job, command, &table.draw, &table.first, &table.last)) {
        table.entries = table.last - table.first + 1;
        if (fill_table(job, &table)) {
            const uint32_t offset = table.address - table.stride * table.first - table.draw.base;
            if (offset <= 0x0FFFFFFFu) {
                emit_arrays(job, &table, offset);
                oracle_emit(job, job->variant, command, 0);
                restore_arrays(job);
                job->changed++;
                return;
            }
        }
    }
    oracle_emit(job, job->variant, command, 0);
}

/* Draws the gathered table as arrays from vertex 0. */
static void draw_gathered(struct oracle_job *job, const struct table *table)
{
    emit_arrays(job, table, table->address - table->draw.base);
    oracle_emit_write(job, job->variant, PICA_REG_VERTEX_OFFSET, 0);
    oracle_emit_masked(job, job->variant, PICA_REG_DRAWARRAYS, table->draw.mask, table->draw.parameter);
    oracle_emit_write(job, job->variant, PICA_REG_VERTEX_OFFSET, table->draw.first);
    restore_arrays(job);
    job->changed++;
}

static void gathered_vertices(struct oracle_job *job, const struct oracle_command *command)
{
    struct table table = { .indices = NULL };
    const size_t used = job->space->used;
    oracle_copy_base(job, command);
    bool good =
        describe(job, command, &table.draw, &table.first, &table.last) && table.draw.elements && !table.draw.geometry;
    if (good) {
        table.entries = table.draw.count;
        table.indices = oracle_draw_indices(job->walk, job->space, &table.draw);
        good = table.indices != NULL && fill_table(job, &table) && table.address - table.draw.base <= 0x0FFFFFFFu;
    }
    if (good)
        draw_gathered(job, &table);
    else
        oracle_emit(job, job->variant, command, 0);
    job->space->used = used;
}

/* Which attributes occur more than once, too: fixed-and-array asks for that. */
#define LAYOUT_EVENTS                                                                                                \
    {                                                                                                                \
        PICA_EVENT_LOADER_DUPLICATE, PICA_EVENT_LOADER_COUNT, PICA_EVENT_STRIDE_MISMATCH, PICA_EVENT_ATTR_UNALIGNED, \
            PICA_EVENT_FIXED_AND_ARRAY                                                                               \
    }

const struct oracle_relation oracle_vertex_relations[] = {
    { .name = "moved-vertices",
      .what = "vertex arrays are read from copies at other addresses",
      .rules = "VTX-01 VTX-03 VTX-04 VTX-09 MEM-04",
      .command = moved_vertices },
    { .name = "float-vertices",
      .what = "all arrays become one array of floats of the same values",
      .rules = "VTX-02 VTX-03 VTX-04 VTX-05 VTX-08 VTX-09 FLT-20",
      .exclude = { .ignored = LAYOUT_EVENTS, .ignored_count = 5 },
      .command = float_vertices },
    { .name = "gathered-vertices",
      .what = "elements are drawn as arrays of the vertices that their indices name",
      .rules = "VTX-02 VTX-04 VTX-09 VTX-20 VTX-21 SHD-10",
      .exclude = { .registers = { { PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS } },
                   .register_spans = 1,
                   .ignored = LAYOUT_EVENTS,
                   .ignored_count = 5 },
      .command = gathered_vertices },
};
const size_t oracle_vertex_relation_count = sizeof oracle_vertex_relations / sizeof oracle_vertex_relations[0];
