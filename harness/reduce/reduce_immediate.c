/*
 * Passes that simplify how draws get their vertices: what a draw fetches from arrays is sent in the list itself
 * (VTX-41), then vertices and attributes are removed. A change is a guess, since memory that the GPU wrote is not known
 * here.
 */
#include "harness/reduce/reduce_stream.h"

#include "harness/case/numbers.h"

#include <string.h>

enum {
    ARRAYS = 12,
    ATTRIBUTES = 16,
    VECTOR_WORDS = 3,
    MOST_VERTICES = 24,
    BATCH_WORDS = 252, /* words of vectors in one command: a multiple of 3 */
    IMMEDIATE = 15
};

/* ---------------------------------------------------------------------------------------------------------- memory */

enum {
    MOST_PIECES = 64
};

/* What the CPU put into memory, piece by piece; later pieces override earlier ones. Extended from draw to draw, so that
 * each block of the case is visited once; only computed contents are copied. */
struct image {
    struct {
        uint32_t address;
        uint64_t size;
        const uint8_t *bytes;
    } pieces[MOST_PIECES];
    uint32_t count;
    uint32_t seen; /* number of blocks visited: chunks, then operations */
};

/* Adds the contents before block number `until`. */
static bool take_image(struct harness_case *test_case, uint32_t until, struct image *image)
{
    struct reduce_blocks blocks = { .test_case = test_case, .next = image->seen };
    uint32_t *address = NULL;
    for (const struct harness_data *data; (data = harness_reduce_next_block(&blocks, &address)) != NULL;) {
        if (blocks.next > until || image->count == MOST_PIECES)
            break;
        image->seen = blocks.next;
        const uint64_t size = harness_data_size(data, false);
        if (size == 0)
            continue;
        const uint8_t *const bytes = harness_reduce_written(test_case, data, false);
        if (bytes == NULL)
            return false;
        image->pieces[image->count].address = *address;
        image->pieces[image->count].size = size;
        image->pieces[image->count++].bytes = bytes;
    }
    return true;
}

static uint32_t load(const struct image *image, uint32_t address, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t byte = 0; byte < size; byte++)
        for (uint32_t i = image->count; i-- > 0;) {
            const uint32_t offset = address + byte - image->pieces[i].address;
            if (offset >= image->pieces[i].size)
                continue;
            value |= (uint32_t)image->pieces[i].bytes[offset] << (8 * byte);
            break;
        }
    return value;
}

/* -------------------------------------------------------------------------------------------------------- fetching */

/* Where an attribute comes from. */
struct source {
    bool from_array;
    uint32_t address;
    uint32_t stride;
};

struct fetch {
    const struct image *image;
    const struct oracle_follower *registers;
    double fixed[ATTRIBUTES][4];
    struct source sources[ATTRIBUTES];
    bool normalised; /* convert integers to fractions of their range, as most shaders do */
};

static uint32_t reg(const struct fetch *fetch, uint32_t id)
{
    return fetch->registers->values[id];
}

/* VTX-02: the format nibble of an attribute. */
static uint32_t format_of(const struct fetch *fetch, uint32_t attribute)
{
    const uint32_t id = attribute < 8 ? PICA_REG_ATTRIBBUFFERS_FORMAT_LOW : PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH;
    return pica_bits(reg(fetch, id), 4 * (attribute % 8), 4);
}

static uint32_t element_size(uint32_t format)
{
    return harness_element_size((enum harness_element)(format % 4));
}

/* VTX-04: finds where an array puts its attributes. */
static void place_array(struct fetch *fetch, uint32_t array)
{
    const uint32_t config2 = reg(fetch, pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2));
    const uint64_t components =
        reg(fetch, pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG1)) | (uint64_t)(config2 & 0xFFFFu) << 32;
    const uint32_t base = reg(fetch, pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_OFFSET)) & 0xFFFFFFFu;
    uint32_t at = 0;
    for (uint32_t c = 0; c < pica_attribbuffer_config2_count(config2) && c < ARRAYS; c++) {
        const uint32_t id = (uint32_t)(components >> (4 * c)) & 0xFu;
        if (id >= ARRAYS) {
            at = ((at + 3u) & ~3u) + 4u * (id - 11u);
            continue;
        }
        const uint32_t format = format_of(fetch, id);
        const uint32_t size = element_size(format);
        at = (at + size - 1u) & ~(size - 1u);
        fetch->sources[id] = (struct source){ true, base + at, pica_attribbuffer_config2_stride(config2) };
        at += size * (format / 4 + 1u);
    }
}

static double element_value(const struct fetch *fetch, uint32_t format, uint32_t address)
{
    const uint32_t raw = load(fetch->image, address, element_size(format));
    switch (format % 4) {
    case 0: return (double)(int8_t)(uint8_t)raw / (fetch->normalised ? 127.0 : 1.0);
    case 1: return (double)raw / (fetch->normalised ? 255.0 : 1.0);
    case 2: return (double)(int16_t)(uint16_t)raw / (fetch->normalised ? 32767.0 : 1.0);
    default: return harness_float_value(HARNESS_FLOAT32, raw);
    }
}

/* VTX-08, VTX-09: the four components of a vertex's attribute. */
static void fetch_attribute(const struct fetch *fetch, uint32_t attribute, uint32_t vertex, double out[4])
{
    const struct source *const source = &fetch->sources[attribute];
    const uint32_t mask = pica_attribbuffers_format_high_fixed_mask(reg(fetch, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH));
    const uint32_t base = pica_attribbuffers_loc_base(reg(fetch, PICA_REG_ATTRIBBUFFERS_LOC)) << 4;
    const double missing[4] = { 0.0, 0.0, 0.0, 1.0 };
    memcpy(out, missing, sizeof missing);
    if (!source->from_array) {
        if (attribute >= ARRAYS || (mask >> attribute & 1u) != 0)
            memcpy(out, fetch->fixed[attribute], sizeof missing);
        return;
    }
    const uint32_t format = format_of(fetch, attribute);
    for (uint32_t k = 0; k <= format / 4; k++)
        out[k] =
            element_value(fetch, format, base + source->address + source->stride * vertex + k * element_size(format));
}

/* VTX-20, VTX-21: the number of the draw's vertex i. */
static uint32_t vertex_number(const struct fetch *fetch, bool indexed, uint32_t i)
{
    const uint32_t config = reg(fetch, PICA_REG_INDEXBUFFER_CONFIG);
    const uint32_t base = pica_attribbuffers_loc_base(reg(fetch, PICA_REG_ATTRIBBUFFERS_LOC)) << 4;
    const uint32_t size = pica_indexbuffer_config_type(config) == PICA_INDEX_TYPE_UNSIGNED_SHORT ? 2 : 1;
    return indexed ? load(fetch->image, base + pica_indexbuffer_config_offset(config) + i * size, size)
                   : i + reg(fetch, PICA_REG_VERTEX_OFFSET);
}

/* ------------------------------------------------------------------------------------------------------ converting */

static bool note_fixed(void *user, struct reduce_element *element)
{
    struct fetch *const fetch = user;
    if (element->at.port == ORACLE_PORT_FIXED && !element->at.immediate && element->at.index < ATTRIBUTES)
        harness_reduce_unpack(element->words, false, fetch->fixed[element->at.index]);
    return false;
}

static bool is_array_draw(const struct harness_command *command)
{
    return command->id == PICA_REG_DRAWARRAYS || command->id == PICA_REG_DRAWELEMENTS;
}

/* Replaces command `index` by commands that send the vectors. Returns how many these are, or 0 if memory runs out. */
static uint32_t send_vectors(struct harness_case *test_case, struct harness_list *list, uint32_t index,
                             const uint32_t *words, uint32_t count)
{
    const uint32_t immediate = IMMEDIATE;
    uint32_t commands = 0;
    harness_list_remove(list, index, 1);
    const struct harness_writes begin = {
        .id = PICA_REG_FIXEDATTRIB_INDEX, .mask = 0xF, .parameters = &immediate, .count = 1
    };
    if (harness_list_insert(test_case, list, index, &begin) == NULL)
        return 0;
    commands++;
    for (uint32_t done = 0; done < count; done += BATCH_WORDS) {
        const uint32_t size = count - done < BATCH_WORDS ? count - done : BATCH_WORDS;
        const struct harness_writes part = {
            .id = PICA_REG_FIXEDATTRIB_DATA0, .mask = 0xF, .parameters = words + done, .count = size
        };
        if (harness_list_insert(test_case, list, index + commands++, &part) == NULL)
            return 0;
    }
    return commands;
}

static uint32_t convert(struct harness_case *test_case, struct harness_list *list, uint32_t index, struct fetch *fetch)
{
    uint32_t words[MOST_VERTICES * ATTRIBUTES * VECTOR_WORDS];
    uint32_t count = reg(fetch, PICA_REG_NUMVERTICES), size = 0;
    const bool indexed = list->commands[index].id == PICA_REG_DRAWELEMENTS;
    const uint32_t attributes = pica_vsh_num_attr_attributes_minus_1(reg(fetch, PICA_REG_VSH_NUM_ATTR)) + 1u;
    if (count > MOST_VERTICES)
        count = MOST_VERTICES;
    memset(fetch->sources, 0, sizeof fetch->sources);
    for (uint32_t array = 0; array < ARRAYS; array++)
        place_array(fetch, array);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t attribute = 0; attribute < attributes; attribute++, size += VECTOR_WORDS) {
            double vector[4];
            fetch_attribute(fetch, attribute, vertex_number(fetch, indexed, i), vector);
            harness_reduce_pack(vector, false, words + size);
        }
    return count != 0 ? send_vectors(test_case, list, index, words, size) : 0;
}

/* Variants: integers unchanged; integers as fractions. */
static bool send_draws(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    struct oracle_follower registers;
    struct image image = { .count = 0 };
    struct fetch fetch = { .image = &image, .registers = &registers, .normalised = walk->variant == 1 };
    harness_reduce_look(test_case, note_fixed, &fetch);
    oracle_follow_start(&registers, NULL);
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++) {
            harness_reduce_follow(&registers, &list->commands[i]);
            if (!is_array_draw(&list->commands[i]) || !harness_reduce_takes(walk))
                continue;
            if (!take_image(test_case, blocks.next, &image))
                return false;
            const uint32_t commands = convert(test_case, list, i, &fetch);
            if (commands == 0)
                return false;
            i += commands - 1u;
            walk->changed = true;
        }
    return true;
}

const struct reduce_pass harness_reduce_send = { "arrays to vertices in the list", 2, .walk = send_draws };

/* -------------------------------------------------------------------------------------------------------- vertices */

static bool drop_vertex(void *user, struct reduce_element *element)
{
    struct reduce_walk *const walk = user;
    if (!element->at.immediate)
        return false;
    walk->seen = element->at.vertex + 1u;
    return harness_reduce_within(walk->range, element->at.vertex);
}

static bool remove_vertices(struct harness_case *test_case, struct reduce_walk *walk)
{
    return harness_reduce_elements(test_case, drop_vertex, walk, &walk->changed);
}

const struct reduce_pass harness_reduce_vertices = { "vertices", 1, .walk = remove_vertices };
