/* Relations that cut draws into pieces or draw the same with other triggers and indices. */
#include "oracles/relate.h"

enum {
    MOST_VERTICES = 2048 /* of a draw whose indices a relation writes */
};

static void draw_now(struct oracle_job *job, const struct oracle_draw *draw, uint32_t trigger)
{
    oracle_emit_masked(job, job->variant, trigger, draw->mask, draw->parameter);
}

/* -------------------------------------------------------------------------------------------------- cut by vertices */

/* May the draw be split? PRM-06: the assembler continues across draws; GSH-05: a geometry stage would restart. */
static bool may_cut(struct oracle_job *job, const struct oracle_command *command, struct oracle_draw *draw)
{
    return oracle_describe_draw(job->walk, command, draw) && draw->count >= 2 && !draw->geometry &&
           oracle_draw_is_direct(job->walk, job->space, draw);
}

static void split_arrays(struct oracle_job *job, const struct oracle_command *command)
{
    struct oracle_draw draw;
    if (!may_cut(job, command, &draw) || draw.elements) {
        oracle_copy(job, command);
        return;
    }
    oracle_copy_base(job, command);
    const uint32_t part = 1 + oracle_below(job, draw.count - 1);
    oracle_emit_write(job, job->variant, PICA_REG_NUMVERTICES, part);
    draw_now(job, &draw, PICA_REG_DRAWARRAYS);
    oracle_emit_write(job, job->variant, PICA_REG_NUMVERTICES, draw.count - part);
    oracle_emit_write(job, job->variant, PICA_REG_VERTEX_OFFSET, draw.first + part);
    draw_now(job, &draw, PICA_REG_DRAWARRAYS);
    oracle_emit_write(job, job->variant, PICA_REG_NUMVERTICES, draw.count);
    oracle_emit_write(job, job->variant, PICA_REG_VERTEX_OFFSET, draw.first);
    job->changed++;
}

static void split_elements(struct oracle_job *job, const struct oracle_command *command)
{
    struct oracle_draw draw;
    const uint32_t config = job->walk->registers.values[PICA_REG_INDEXBUFFER_CONFIG];
    if (!may_cut(job, command, &draw) || !draw.elements) {
        oracle_copy(job, command);
        return;
    }
    const uint32_t part = 1 + oracle_below(job, draw.count - 1);
    const uint32_t offset = pica_indexbuffer_config_offset(config) + part * draw.index_size;
    if (offset > 0x0FFFFFFFu) {
        oracle_copy(job, command);
        return;
    }
    oracle_copy_base(job, command);
    oracle_emit_write(job, job->variant, PICA_REG_NUMVERTICES, part);
    draw_now(job, &draw, PICA_REG_DRAWELEMENTS);
    oracle_emit_write(job, job->variant, PICA_REG_NUMVERTICES, draw.count - part);
    oracle_emit_write(job, job->variant, PICA_REG_INDEXBUFFER_CONFIG,
                      pica_indexbuffer_config_set_offset(config, offset));
    draw_now(job, &draw, PICA_REG_DRAWELEMENTS);
    oracle_emit_write(job, job->variant, PICA_REG_NUMVERTICES, draw.count);
    oracle_emit_write(job, job->variant, PICA_REG_INDEXBUFFER_CONFIG, config);
    job->changed++;
}

/* VTX-25: a draw of no vertices is only a configuration of the geometry stage, which is not used. */
static void empty_draw(struct oracle_job *job, const struct oracle_command *command)
{
    struct oracle_draw draw;
    oracle_copy(job, command);
    if (!oracle_describe_draw(job->walk, command, &draw) || draw.geometry)
        return;
    oracle_emit_write(job, job->variant, PICA_REG_NUMVERTICES, 0);
    draw_now(job, &draw, draw.trigger);
    oracle_emit_write(job, job->variant, PICA_REG_NUMVERTICES, draw.count);
    job->changed++;
}

/* -------------------------------------------------------------------------------------------------------- indices */

/* INDEXBUFFER_CONFIG for a list of fresh indices; false if the vertex base is too far away (VTX-21). */
static bool index_config(const struct oracle_draw *draw, uint32_t address, uint32_t size, uint32_t *config)
{
    if (address - draw->base > 0x0FFFFFFFu)
        return false;
    const enum pica_index_type type = size == 2 ? PICA_INDEX_TYPE_UNSIGNED_SHORT : PICA_INDEX_TYPE_UNSIGNED_BYTE;
    *config = pica_indexbuffer_config_set_type(pica_indexbuffer_config_set_offset(0, address - draw->base), type);
    return true;
}

static void put_index(uint8_t *bytes, uint32_t size, uint32_t i, uint32_t value)
{
    bytes[(size_t)size * i] = (uint8_t)value;
    if (size == 2)
        bytes[2 * (size_t)i + 1] = (uint8_t)(value >> 8);
}

/* Room for `count` fresh indices and the register that names them; NULL if there is none. */
static uint8_t *take_indices(struct oracle_job *job, const struct oracle_draw *draw, uint32_t count, uint32_t size,
                             uint32_t *config)
{
    uint32_t address = 0;
    if (count > 3 * MOST_VERTICES || count * size > ORACLE_DATA_SIZE - 64 - job->data_used)
        return NULL;
    uint8_t *const bytes = oracle_take_data(job, count * size, 16, 0, &address);
    return bytes != NULL && index_config(draw, address, size, config) ? bytes : NULL;
}

/* Replaces the draw by one of `count` fresh indices, and restores the registers. */
static void draw_fresh(struct oracle_job *job, const struct oracle_draw *draw, uint32_t count, uint32_t config)
{
    oracle_emit_write(job, job->variant, PICA_REG_INDEXBUFFER_CONFIG, config);
    oracle_emit_write(job, job->variant, PICA_REG_NUMVERTICES, count);
    draw_now(job, draw, PICA_REG_DRAWELEMENTS);
    oracle_emit_write(job, job->variant, PICA_REG_NUMVERTICES, draw->count);
    oracle_emit_write(job, job->variant, PICA_REG_INDEXBUFFER_CONFIG,
                      job->walk->registers.values[PICA_REG_INDEXBUFFER_CONFIG]);
    job->changed++;
}

static void arrays_as_elements(struct oracle_job *job, const struct oracle_command *command, uint32_t size)
{
    struct oracle_draw draw;
    const uint32_t most = size == 1 ? 0xFF : 0xFFFF;
    oracle_copy_base(job, command);
    if (oracle_describe_draw(job->walk, command, &draw) && !draw.elements && !draw.geometry && draw.count != 0 &&
        draw.count <= MOST_VERTICES && draw.first <= most && draw.first + (draw.count - 1) <= most) {
        uint32_t config = 0;
        uint8_t *const indices = take_indices(job, &draw, draw.count, size, &config);
        for (uint32_t i = 0; indices != NULL && i < draw.count; i++)
            put_index(indices, size, i, draw.first + i);
        if (indices != NULL) {
            draw_fresh(job, &draw, draw.count, config);
            return;
        }
    }
    oracle_emit(job, job->variant, command, 0);
}

static void arrays_as_bytes(struct oracle_job *job, const struct oracle_command *command)
{
    arrays_as_elements(job, command, 1);
}

static void arrays_as_halfwords(struct oracle_job *job, const struct oracle_command *command)
{
    arrays_as_elements(job, command, 2);
}

static bool all_narrow(const struct oracle_draw *draw, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < draw->count; i++)
        if (oracle_index_at(draw, bytes, i) > 0xFF)
            return false;
    return true;
}

static void index_width(struct oracle_job *job, const struct oracle_command *command)
{
    struct oracle_draw draw;
    const size_t used = job->space->used;
    const uint8_t *bytes = NULL;
    oracle_copy_base(job, command);
    if (oracle_describe_draw(job->walk, command, &draw) && draw.elements && draw.count <= MOST_VERTICES)
        bytes = oracle_draw_indices(job->walk, job->space, &draw);
    if (bytes != NULL && all_narrow(&draw, bytes)) {
        const uint32_t size = 3 - draw.index_size;
        uint32_t config = 0;
        uint8_t *const indices = take_indices(job, &draw, draw.count, size, &config);
        for (uint32_t i = 0; indices != NULL && i < draw.count; i++)
            put_index(indices, size, i, oracle_index_at(&draw, bytes, i));
        if (indices != NULL) {
            draw_fresh(job, &draw, draw.count, config);
            job->space->used = used;
            return;
        }
    }
    job->space->used = used;
    oracle_emit(job, job->variant, command, 0);
}

/* ------------------------------------------------------------------------------------------------- strips and fans */

/* Vertex number i of the draw; `bytes` are the indices of an element draw. */
static uint32_t vertex_at(const struct oracle_draw *draw, const uint8_t *bytes, uint32_t i)
{
    return draw->elements ? oracle_index_at(draw, bytes, i) : draw->first + i;
}

/* PRM-04, from an empty assembler: three indices for each triangle, in the order in which they are emitted. */
static void list_triangles(const struct oracle_draw *draw, const uint8_t *bytes, uint8_t *out)
{
    uint32_t buffer[2] = { 0, 0 }, n = 0, written = 0;
    for (uint32_t i = 0; i < draw->count; i++) {
        const uint32_t vertex = vertex_at(draw, bytes, i);
        if (i >= 2) {
            put_index(out, 2, written++, buffer[0]);
            put_index(out, 2, written++, buffer[1]);
            put_index(out, 2, written++, vertex);
        }
        buffer[n] = vertex;
        n = draw->topology == (uint32_t)PICA_TOPOLOGY_STRIP ? 1 - n : 1;
    }
}

/* In both scripts the assembler is reset before and after the draw; in the variant it draws a list between. */
static void as_list(struct oracle_job *job, const struct oracle_command *command, uint32_t topology)
{
    struct oracle_draw draw;
    const size_t used = job->space->used;
    const uint32_t word = job->walk->registers.values[PICA_REG_PRIMITIVE_CONFIG];
    uint32_t config = 0;
    uint8_t *list = NULL;
    if (oracle_describe_draw(job->walk, command, &draw) && draw.topology == topology && !draw.geometry &&
        draw.count >= 3 && draw.count <= MOST_VERTICES && oracle_quiet(job->walk, PICA_REG_PRIMITIVE_CONFIG) &&
        (draw.elements || (draw.first <= 0xFFFFu && draw.first + (draw.count - 1) <= 0xFFFFu))) {
        const uint8_t *const bytes = draw.elements ? oracle_draw_indices(job->walk, job->space, &draw) : NULL;
        if (!draw.elements || bytes != NULL)
            list = take_indices(job, &draw, 3 * (draw.count - 2), 2, &config);
        if (list != NULL)
            list_triangles(&draw, bytes, list);
    }
    job->space->used = used;
    if (list == NULL) {
        oracle_copy(job, command);
        return;
    }
    oracle_emit_write(job, job->base, PICA_REG_PRIMITIVE_CONFIG, word);
    oracle_copy_base(job, command);
    oracle_emit_write(job, job->base, PICA_REG_PRIMITIVE_CONFIG, word);
    oracle_emit_write(job, job->variant, PICA_REG_PRIMITIVE_CONFIG,
                      pica_primitive_config_set_topology(word, (uint32_t)PICA_TOPOLOGY_LIST));
    draw_fresh(job, &draw, 3 * (draw.count - 2), config);
    oracle_emit_write(job, job->variant, PICA_REG_PRIMITIVE_CONFIG, word);
}

static void strip_as_list(struct oracle_job *job, const struct oracle_command *command)
{
    as_list(job, command, (uint32_t)PICA_TOPOLOGY_STRIP);
}

static void fan_as_list(struct oracle_job *job, const struct oracle_command *command)
{
    as_list(job, command, (uint32_t)PICA_TOPOLOGY_FAN);
}

/* The variant processes vertices up to three times: it needs room for that if the base has room for them once. */
static void prepare_more_vertices(struct oracle_job *job)
{
    struct pica_limits *const limits = &job->twins->variant.setup.limits;
    if (limits->vertices <= 0x10000000u / 4)
        limits->vertices *= 4;
    else
        limits->vertices = 0x10000000u;
}

/* -------------------------------------------------------------------------------------------------- cut by scissor */

struct box {
    uint32_t x1, y1, x2, y2; /* inclusive */
};

static void draw_box(struct oracle_job *job, const struct oracle_draw *draw, const struct box *box)
{
    oracle_emit_write(job, job->variant, PICA_REG_SCISSORTEST_MODE, (uint32_t)PICA_SCISSOR_MODE_INSIDE);
    oracle_emit_write(job, job->variant, PICA_REG_SCISSORTEST_POS,
                      pica_scissortest_pos_set_y1(pica_scissortest_pos_set_x1(0, box->x1), box->y1));
    oracle_emit_write(job, job->variant, PICA_REG_SCISSORTEST_DIM,
                      pica_scissortest_dim_set_y2(pica_scissortest_dim_set_x2(0, box->x2), box->y2));
    draw_now(job, draw, draw->trigger);
}

/* The part of the picture that the scissor test lets through now, if that is a box. */
static bool present_box(const struct oracle_walk *walk, struct box *box)
{
    const uint32_t *const values = walk->registers.values;
    const enum pica_scissor_mode mode = pica_scissortest_mode_mode(values[PICA_REG_SCISSORTEST_MODE]);
    const uint32_t width = pica_framebuffer_dim_width(values[PICA_REG_FRAMEBUFFER_DIM]);
    if (!oracle_span_known(walk, PICA_REG_SCISSORTEST_MODE, PICA_REG_SCISSORTEST_DIM) ||
        mode == PICA_SCISSOR_MODE_OUTSIDE || width > 1024)
        return false;
    if (mode != PICA_SCISSOR_MODE_INSIDE) {
        *box = (struct box){ 0, 0, 1023, 1023 };
        return true;
    }
    box->x1 = pica_scissortest_pos_x1(values[PICA_REG_SCISSORTEST_POS]);
    box->y1 = pica_scissortest_pos_y1(values[PICA_REG_SCISSORTEST_POS]);
    box->x2 = pica_scissortest_dim_x2(values[PICA_REG_SCISSORTEST_DIM]);
    box->y2 = pica_scissortest_dim_y2(values[PICA_REG_SCISSORTEST_DIM]);
    return box->x1 <= box->x2 && box->y1 <= box->y2;
}

/* Splits a box in two; false if it is only one pixel long in the chosen direction. */
static bool cut_box(struct oracle_job *job, struct box *one, struct box *two)
{
    const uint32_t dim = job->walk->registers.values[PICA_REG_FRAMEBUFFER_DIM];
    uint32_t width = pica_framebuffer_dim_width(dim), height = pica_framebuffer_dim_height_minus_1(dim) + 1;
    *two = *one;
    if (oracle_below(job, 2) == 0) {
        width = one->x2 - one->x1 < width ? one->x2 - one->x1 : width;
        if (width == 0)
            return false;
        two->x1 += 1 + oracle_below(job, width);
        one->x2 = two->x1 - 1;
    } else {
        height = one->y2 - one->y1 < height ? one->y2 - one->y1 : height;
        if (height == 0)
            return false;
        two->y1 += 1 + oracle_below(job, height);
        one->y2 = two->y1 - 1;
    }
    return true;
}

/* Repeats the whole draw, with one part of the picture each time. The assembler must be empty before and after. */
static void scissor_pieces(struct oracle_job *job, const struct oracle_command *command)
{
    struct oracle_draw draw;
    struct box one, two;
    oracle_copy_base(job, command);
    if (!may_cut(job, command, &draw) || draw.count % 3 != 0 || !job->walk->assembler_empty ||
        (draw.topology != (uint32_t)PICA_TOPOLOGY_LIST && draw.topology != (uint32_t)PICA_TOPOLOGY_GEOMETRY) ||
        !oracle_quiet(job->walk, PICA_REG_SCISSORTEST_MODE) || !present_box(job->walk, &one) ||
        !cut_box(job, &one, &two)) {
        oracle_emit(job, job->variant, command, 0);
        return;
    }
    draw_box(job, &draw, &one);
    draw_box(job, &draw, &two);
    for (uint32_t id = PICA_REG_SCISSORTEST_MODE; id <= PICA_REG_SCISSORTEST_DIM; id++)
        oracle_emit_write(job, job->variant, id, job->walk->registers.values[id]);
    job->changed++;
}

const struct oracle_relation oracle_draw_relations[] = {
    { .name = "split-arrays",
      .what = "a draw of arrays is cut into two",
      .rules = "VTX-20 VTX-23 PRM-06 FBF-18 FBF-19 FBF-33",
      .command = split_arrays },
    { .name = "split-elements",
      .what = "a draw of elements is cut into two",
      .rules = "VTX-20 VTX-21 VTX-23 PRM-06 FBF-18 FBF-19 FBF-33",
      .command = split_elements },
    { .name = "empty-draw",
      .what = "a draw of no vertices follows each draw",
      .rules = "VTX-25 GSH-05",
      .command = empty_draw },
    { .name = "arrays-as-bytes",
      .what = "arrays are drawn as elements with 8-bit indices that count up",
      .rules = "VTX-20 VTX-21 VTX-22",
      .exclude = { .registers = { { PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS } }, .register_spans = 1 },
      .command = arrays_as_bytes },
    { .name = "arrays-as-halfwords",
      .what = "arrays are drawn as elements with 16-bit indices that count up",
      .rules = "VTX-20 VTX-21 VTX-22",
      .exclude = { .registers = { { PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS } }, .register_spans = 1 },
      .command = arrays_as_halfwords },
    { .name = "index-width",
      .what = "8-bit indices become 16-bit ones, and small 16-bit ones 8-bit",
      .rules = "VTX-20 VTX-21 VTX-22",
      .command = index_width },
    { .name = "strip-as-list",
      .what = "a strip is drawn as a list of its triangles",
      .rules = "PRM-01 PRM-02 PRM-03 PRM-04 PRM-08 SHD-10 VTX-21",
      .exclude = { .registers = { { PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS } },
                   .register_spans = 1,
                   .voids = { PICA_EVENT_BUDGET_VERTS },
                   .void_count = 1 },
      .prepare = prepare_more_vertices,
      .command = strip_as_list },
    { .name = "fan-as-list",
      .what = "a fan is drawn as a list of its triangles",
      .rules = "PRM-01 PRM-02 PRM-03 PRM-04 PRM-08 SHD-10 VTX-21",
      .exclude = { .registers = { { PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS } },
                   .register_spans = 1,
                   .voids = { PICA_EVENT_BUDGET_VERTS },
                   .void_count = 1 },
      .prepare = prepare_more_vertices,
      .command = fan_as_list },
    { .name = "scissor-pieces",
      .what = "a draw is done twice, inside one scissor box and inside the rest",
      .rules = "SCS-01 SCS-02 RST-05 RST-06 RST-08 FBF-18 FBF-19 PRM-03",
      .exclude = { .ignored = { PICA_EVENT_OUTSIDE_FRAMEBUFFER },
                   .ignored_count = 1,
                   .voids = { PICA_EVENT_BUDGET_VERTS, PICA_EVENT_BUDGET_PIXELS },
                   .void_count = 2 },
      .prepare = prepare_more_vertices,
      .command = scissor_pieces },
};
const size_t oracle_draw_relation_count = sizeof oracle_draw_relations / sizeof oracle_draw_relations[0];
