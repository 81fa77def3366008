/*
 * Experiments on vertices: the teller's own values of every vertex, taken from its trace, become arrays of floats that
 * both sides draw. Three places to put them in: before the shader (what was fetched), after it (a program that only
 * moves), after the output map (the slots of the final vertices, without a geometry shader).
 */
#include "harness/localise/infer.h"

#include "harness/case/little.h"
#include "harness/case/numbers.h"
#include "pica/fields.h"
#include "pica/opcodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOADED = 12,   /* attributes that an array can load (VTX-01) */
    VECTOR = 16,   /* bytes */
    PLACES = 24,   /* slots of a final vertex (SHD-80) */
    FEW = 7,       /* outputs of a program that can go there */
    MOST = 1024,   /* vertices */
    NO_SLOT = 0x1F /* SHD-80: a component that goes nowhere */
};

struct vertex {
    uint32_t attributes[16][4];
    uint32_t outputs[16][4];
    uint32_t output_mask;
};

struct final_vertex {
    uint32_t slots[PLACES];
    uint32_t mask;
};

struct vertices {
    uint32_t count, finals;
    struct vertex items[MOST];
    struct final_vertex final[MOST];
    uint32_t last_slot;
    uint32_t corners[3][4]; /* of the triangle that covers the pixel, after clipping */
    uint32_t corner_mask;
    bool failed; /* more than there is room for */
    bool sent;   /* experiments send them one by one, and put them into no arrays */
};

/* ----------------------------------------------------------------------------------------------------- collecting */

static void add_slot(struct vertices *vertices, const struct pica_trace_step *step)
{
    if (vertices->finals == 0 || step->index <= vertices->last_slot) {
        vertices->failed = vertices->failed || vertices->finals == MOST;
        if (vertices->failed)
            return;
        vertices->finals++;
    }
    vertices->last_slot = step->index;
    struct final_vertex *const final = &vertices->final[vertices->finals - 1];
    if (step->index < PLACES) {
        final->slots[step->index] = step->values[0];
        final->mask |= 1u << step->index;
    }
}

static void take_step(void *user, const struct pica_trace_step *step)
{
    struct vertices *const vertices = user;
    if (harness_localise_is_step(step, PICA_TRACE_ID_VERTEX_NUMBER)) {
        vertices->failed = vertices->failed || vertices->count == MOST;
        vertices->count += vertices->failed ? 0u : 1u;
        vertices->last_slot = UINT32_MAX - 1;
        return;
    }
    if (vertices->count == 0 || vertices->failed)
        return;
    struct vertex *const vertex = &vertices->items[vertices->count - 1];
    if (harness_localise_is_step(step, PICA_TRACE_ID_VERTEX_ATTRIBUTE) && step->index < 16)
        memcpy(vertex->attributes[step->index], step->values, sizeof vertex->attributes[0]);
    if (harness_localise_is_step(step, PICA_TRACE_ID_OUTPUT_REGISTER) && step->index < 16) {
        memcpy(vertex->outputs[step->index], step->values, sizeof vertex->outputs[0]);
        vertex->output_mask |= 1u << step->index;
    }
    if (harness_localise_is_step(step, PICA_TRACE_ID_OUTPUT_SLOT))
        add_slot(vertices, step);
}

/* ----------------------------------------------------------------------------------------------------- the arrays */

static void put_vector(uint8_t *bytes, const uint32_t values[4])
{
    for (uint32_t i = 0; i < 16; i++)
        bytes[i] = (uint8_t)(values[i / 4] >> (8u * (i % 4)));
}

static uint8_t *vector_at(struct experiment *experiment, uint32_t vertex, uint32_t count, uint32_t i)
{
    return experiment->bytes + EXPERIMENT_LIST + (size_t)VECTOR * (vertex * count + i);
}

static bool has_room(uint32_t count, uint32_t vertices)
{
    return count != 0 && count <= LOADED && vertices != 0 && vertices <= MOST &&
           VECTOR * count * vertices <= EXPERIMENT_VERTICES;
}

/* Array i holds vector i of each vertex, four floats, and nothing else is loaded; DRAWARRAYS draws `vertices`. */
static void set_arrays(struct experiment *experiment, uint32_t count, uint32_t vertices)
{
    uint32_t *const registers = experiment->state.registers;
    registers[PICA_REG_ATTRIBBUFFERS_LOC] =
        pica_attribbuffers_loc_set_base(0, (experiment->scratch + EXPERIMENT_LIST) / 16u);
    registers[PICA_REG_ATTRIBBUFFERS_FORMAT_LOW] = UINT32_MAX; /* four floats, each */
    uint32_t word = pica_attribbuffers_format_high_set_attributes_minus_1(0xFFFF, count - 1);
    registers[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH] = pica_attribbuffers_format_high_set_fixed_mask(word, 0);
    for (uint32_t i = 0; i < LOADED; i++) {
        registers[pica_reg_attribbuffer(i, PICA_REG_ATTRIBBUFFER0_OFFSET)] = i < count ? VECTOR * i : 0;
        registers[pica_reg_attribbuffer(i, PICA_REG_ATTRIBBUFFER0_CONFIG1)] = i; /* component 0 */
        word = pica_attribbuffer_config2_set_stride(0, i < count ? VECTOR * count : 0);
        registers[pica_reg_attribbuffer(i, PICA_REG_ATTRIBBUFFER0_CONFIG2)] =
            pica_attribbuffer_config2_set_count(word, i < count);
    }
    registers[PICA_REG_NUMVERTICES] = vertices;
    registers[PICA_REG_VERTEX_OFFSET] = 0;
    experiment_write_list(experiment, PICA_REG_DRAWARRAYS, 1);
}

/* VTX-41: the same vectors are sent, as float24. False if the list has no room for them. */
static bool send(struct experiment *experiment, uint32_t count, uint32_t vertices)
{
    const uint32_t port = pica_fixedattrib_index_set_index(0, 15);
    uint32_t *const words = malloc((size_t)count * vertices * 3 * sizeof *words);
    for (uint32_t vector = 0; vector < count * vertices && words != NULL; vector++) {
        uint32_t raw[4];
        for (uint32_t c = 0; c < 4; c++)
            raw[c] = harness_float_raw(
                HARNESS_FLOAT24,
                harness_float_value(HARNESS_FLOAT32, harness_load32(vector_at(experiment, 0, 1, vector) + 4 * c)));
        harness_float24_pack(raw, words + 3 * vector);
    }
    const bool sent = words != NULL && experiment_write_port(experiment, PICA_REG_FIXEDATTRIB_INDEX, port,
                                                             PICA_REG_FIXEDATTRIB_DATA0, words, 3 * count * vertices);
    free(words);
    return sent;
}

/* `count` vectors of each vertex, from vector_at on, are what the list draws. */
static bool draw(struct experiment *experiment, uint32_t count, uint32_t vertices, bool sent)
{
    set_arrays(experiment, count, vertices);
    experiment->state.registers[PICA_REG_VSH_NUM_ATTR] = count - 1;
    return !sent || send(experiment, count, vertices);
}

/* Output `output[i]` of the program is vector i of the array, unchanged. */
static void set_program(struct experiment *experiment, const uint32_t *outputs, uint32_t count)
{
    struct pica_shader_unit *const unit = &experiment->state.units[PICA_UNIT_VERTEX];
    uint32_t *const registers = experiment->state.registers;
    uint32_t mask = 0;
    unit->opdesc[0] = 0xFu | 0x1Bu << 5; /* SHD-21: writes xyzw, reads xyzw */
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = pica_shader_format_1_set_opcode(0, PICA_OPCODE_MOV);
        unit->code[i] = pica_shader_format_1_set_dest(pica_shader_format_1_set_src1(word, i), outputs[i]);
        mask |= 1u << outputs[i];
    }
    unit->code[count] = pica_shader_instruction_set_opcode(0, PICA_OPCODE_END);
    registers[PICA_REG_VSH_ENTRYPOINT] = pica_shader_entrypoint_set_entry(registers[PICA_REG_VSH_ENTRYPOINT], 0);
    registers[PICA_REG_VSH_OUTMAP_MASK] = mask;
    registers[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW] = 0x76543210u;
    registers[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH] = 0xFEDCBA98u;
    registers[PICA_REG_VSH_INPUTBUFFER_CONFIG] =
        pica_shader_inputbuffer_config_set_inputs_minus_1(registers[PICA_REG_VSH_INPUTBUFFER_CONFIG], count - 1);
}

/* What was fetched is given; the program runs. */
static bool give_attributes(struct experiment *experiment, const struct vertices *vertices)
{
    const uint32_t count = LOADED; /* VTX-12: those without a source have values, too */
    if (!has_room(count, vertices->count))
        return false;
    for (uint32_t v = 0; v < vertices->count; v++)
        for (uint32_t i = 0; i < count; i++)
            put_vector(vector_at(experiment, v, count, i), vertices->items[v].attributes[i]);
    return draw(experiment, count, vertices->count, vertices->sent);
}

/* What the program gives is given: its place takes one that only moves. */
static bool give_outputs(struct experiment *experiment, const struct vertices *vertices)
{
    uint32_t outputs[16], count = 0;
    for (uint32_t i = 0; i < 16 && vertices->count != 0; i++)
        if ((vertices->items[0].output_mask >> i & 1) != 0)
            outputs[count++] = i;
    if (!has_room(count, vertices->count))
        return false;
    for (uint32_t v = 0; v < vertices->count; v++)
        for (uint32_t i = 0; i < count; i++)
            put_vector(vector_at(experiment, v, count, i), vertices->items[v].outputs[outputs[i]]);
    set_program(experiment, outputs, count);
    return draw(experiment, count, vertices->count, vertices->sent);
}

/* How the slots of final vertices come out of vectors: component c of vector i is slot 4 i + c; or, if vertices are
 * sent and there are few slots, all components of vector i are slot slots[i], so that no fault of the output map is in
 * the way. */
struct final_map {
    uint32_t count; /* of vectors */
    bool few;
    uint32_t slots[FEW];
};

static void make_map(struct final_map *map, uint32_t mask)
{
    map->few = true;
    map->count = 0;
    for (uint32_t slot = 0; slot < PLACES; slot++)
        if ((mask >> slot & 1) != 0 && map->count < FEW)
            map->slots[map->count++] = slot;
        else
            map->few = map->few && (mask >> slot & 1) == 0;
    map->count = map->few ? map->count : PLACES / 4;
}

static uint32_t slot_at(const struct final_map *map, uint32_t vector, uint32_t component)
{
    return map->few ? map->slots[vector] : 4 * vector + component;
}

/* Slots that no vertex has are left out; of few, one component too, lest a neighbour is taken for it. */
static void set_output_map(struct experiment *experiment, const struct final_map *map, uint32_t mask)
{
    uint32_t *const registers = experiment->state.registers;
    for (uint32_t i = 0; i < map->count; i++) {
        uint32_t word = 0;
        for (uint32_t c = 0; c < 4; c++) {
            const bool is_placed = (mask >> slot_at(map, i, c) & 1) != 0 && !(map->few && c == 3);
            word |= (is_placed ? slot_at(map, i, c) : NO_SLOT) << (8 * c);
        }
        registers[PICA_REG_SH_OUTMAP_O0 + i] = word;
    }
    registers[PICA_REG_SH_OUTMAP_TOTAL] = map->count;
    registers[PICA_REG_VSH_OUTMAP_TOTAL1] = map->count - 1;
    registers[PICA_REG_VSH_OUTMAP_TOTAL2] = map->count - 1;
    registers[PICA_REG_PRIMITIVE_CONFIG] =
        pica_primitive_config_set_outputs_minus_1(registers[PICA_REG_PRIMITIVE_CONFIG], map->count - 1);
}

/* Turns the geometry shader off; the vertices are those of triangles. */
static void drop_geometry(struct experiment *experiment)
{
    uint32_t *const registers = experiment->state.registers;
    experiment->state.geometry.in_use = 0; /* GSH-01: latched */
    registers[PICA_REG_GEOSTAGE_CONFIG] = pica_geostage_config_set_mode(registers[PICA_REG_GEOSTAGE_CONFIG], 0);
    registers[PICA_REG_VSH_COM_MODE] = 0;
    registers[PICA_REG_PRIMITIVE_CONFIG] =
        pica_primitive_config_set_topology(registers[PICA_REG_PRIMITIVE_CONFIG], PICA_TOPOLOGY_LIST);
    memset(&experiment->state.assembler, 0, sizeof experiment->state.assembler);
}

/* The final vertices are given. */
static bool give_final(struct experiment *experiment, const struct vertices *vertices)
{
    static const uint32_t outputs[FEW] = { 0, 1, 2, 3, 4, 5, 6 };
    struct final_map map;
    uint32_t mask = 0;
    for (uint32_t v = 0; v < vertices->finals; v++)
        for (uint32_t slot = 0; slot < PLACES; slot++) /* SHD-80: those that no output goes to are 1 */
            if (!vertices->sent || vertices->final[v].slots[slot] != 0x3F800000u)
                mask |= 1u << slot;
    mask &= vertices->final[0].mask;
    make_map(&map, mask);
    if (!vertices->sent)
        map = (struct final_map){ .count = PLACES / 4 };
    if (!has_room(map.count, vertices->finals))
        return false;
    for (uint32_t v = 0; v < vertices->finals; v++)
        for (uint32_t i = 0; i < map.count; i++) {
            uint32_t vector[4];
            for (uint32_t c = 0; c < 4; c++)
                vector[c] = vertices->final[v].slots[slot_at(&map, i, c)];
            put_vector(vector_at(experiment, v, map.count, i), vector);
        }
    if (infer_has_geometry(&experiment->state))
        drop_geometry(experiment);
    set_program(experiment, outputs, map.count);
    set_output_map(experiment, &map, mask);
    return draw(experiment, map.count, vertices->finals, vertices->sent);
}

static void take_corner(void *user, const struct pica_trace_step *step)
{
    struct vertices *const vertices = user;
    if (!harness_localise_is_step(step, PICA_TRACE_ID_CLIP_POSITION) || step->index > 2)
        return;
    memcpy(vertices->corners[step->index], step->values, sizeof vertices->corners[0]);
    vertices->corner_mask |= 1u << step->index;
}

/* The final vertex at a position, or none: then clipping made it. */
static const struct final_vertex *vertex_at(const struct vertices *vertices, const uint32_t position[4])
{
    for (uint32_t v = 0; v < vertices->finals; v++)
        if (memcmp(vertices->final[v].slots, position, 4 * sizeof *position) == 0)
            return &vertices->final[v];
    return NULL;
}

/* The triangle that covers the pixel is given as it was after clipping and culling. *clipped: it has new corners, whose
 * other values nobody knows: they are those of vertex `like`. */
static bool give_triangle(struct experiment *experiment, const struct vertices *vertices, uint32_t like, bool *clipped)
{
    struct vertices *const triangle = vertices->corner_mask == 7 ? calloc(1, sizeof *triangle) : NULL;
    bool given = triangle != NULL && like < vertices->finals;
    *clipped = false;
    for (uint32_t i = 0; i < 3 && given; i++) {
        const struct final_vertex *const final = vertex_at(vertices, vertices->corners[i]);
        triangle->final[i] = final != NULL ? *final : vertices->final[like];
        memcpy(triangle->final[i].slots, vertices->corners[i], sizeof vertices->corners[i]);
        *clipped = *clipped || final == NULL;
    }
    if (given) {
        triangle->finals = 3;
        drop_geometry(experiment);
        given = give_final(experiment, triangle);
    }
    free(triangle);
    return given;
}

/* PRM-04: the triangles of a strip or a fan, each with its own corners. */
static bool give_list(struct experiment *experiment, const struct vertices *vertices, uint32_t topology)
{
    struct vertices *const list = calloc(1, sizeof *list);
    bool given = list != NULL && vertices->finals > 2 && 3 * (vertices->finals - 2) <= MOST;
    for (uint32_t i = 0; given && i + 2 < vertices->finals; i++) {
        const bool fan = topology == PICA_TOPOLOGY_FAN, odd = !fan && i % 2 != 0;
        list->final[list->finals++] = vertices->final[fan ? 0 : odd ? i + 1 : i];
        list->final[list->finals++] = vertices->final[odd ? i : i + 1];
        list->final[list->finals++] = vertices->final[i + 2];
    }
    if (given) {
        drop_geometry(experiment);
        given = give_final(experiment, list);
    }
    free(list);
    return given;
}

/* Does the difference stay with the same triangles in a list? Then how they are put together does not matter. */
static bool stays_in_list(struct inference *inference, const struct vertices *vertices, uint32_t topology)
{
    struct outcome outcome;
    infer_restore(inference);
    if (!give_list(inference->experiment, vertices, topology))
        return false;
    experiment_run(inference->experiment, &outcome);
    infer_count(inference, &outcome);
    return outcome.ran && outcome.teller_pixel && !outcome.same_pixel;
}

/* Does the difference go away with the triangle alone? Not because of what new corners happen to have. */
static bool is_gone_alone(struct inference *inference, const struct vertices *vertices, bool *clipped)
{
    struct outcome outcome;
    *clipped = true;
    for (uint32_t like = 0; *clipped && like < 2; like++) {
        infer_restore(inference);
        if (!give_triangle(inference->experiment, vertices, like, clipped))
            return false;
        experiment_run(inference->experiment, &outcome);
        infer_count(inference, &outcome);
        if (!outcome.ran || !outcome.same_pixel || !outcome.teller_pixel)
            return false;
    }
    return true;
}

/* Is it the pixel's triangle, its corners or their order? */
static bool infer_triangle(struct inference *inference, const struct vertices *vertices)
{
    struct experiment *const experiment = inference->experiment;
    bool clipped = false;
    infer_restore(inference);
    const uint32_t config = experiment->state.registers[PICA_REG_PRIMITIVE_CONFIG];
    const uint32_t topology = pica_primitive_config_topology(config);
    const bool is_list = topology == PICA_TOPOLOGY_LIST;
    if (!experiment->has_pixel || !is_gone_alone(inference, vertices, &clipped))
        return false;
    if (infer_order(inference) || (clipped && infer_neutral(inference)))
        return true;
    if (!clipped && !is_list && stays_in_list(inference, vertices, topology)) {
        infer_name(inference, PICA_STAGE_WORD_RASTER, "both are given the pixel's triangle alone, not all in a list");
        return true;
    }
    infer_name(inference,
               clipped   ? PICA_STAGE_WORD_CLIP
               : is_list ? PICA_STAGE_WORD_CULL
                         : PICA_STAGE_WORD_ASSEMBLY,
               "both are given the triangle as it is after clipping and culling");
    return true;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Moves all final vertices into a share of the view volume (CLP-04). */
static void move_inside(struct vertices *vertices, float share)
{
    float most = 1;
    for (uint32_t v = 0; v < vertices->finals; v++) {
        const uint32_t *const slots = vertices->final[v].slots;
        const float w = fabsf(float_of(slots[3])), x = float_of(slots[0]), y = float_of(slots[1]),
                    z = float_of(slots[2]);
        most = fmaxf(most, fmaxf(fmaxf(fabsf(x), fabsf(y)), fabsf(2 * z + w)) / w);
    }
    for (uint32_t v = 0; v < vertices->finals; v++) {
        uint32_t *const slots = vertices->final[v].slots;
        const float w = fabsf(float_of(slots[3])), factor = share / most;
        slots[0] = harness_f32_bits(float_of(slots[0]) * factor);
        slots[1] = harness_f32_bits(float_of(slots[1]) * factor);
        slots[2] = harness_f32_bits(((2 * float_of(slots[2]) + w) * factor - w) / 2);
        slots[3] = harness_f32_bits(w);
    }
}

static bool is_gone_inside(struct inference *inference, float share)
{
    struct experiment *const experiment = inference->experiment;
    struct vertices *const inside = malloc(sizeof *inside);
    struct outcome outcome = { 0 };
    infer_restore(inference);
    experiment->state.registers[PICA_REG_FRAGOP_CLIP] = 0;
    if (inside != NULL) {
        *inside = *inference->vertices;
        move_inside(inside, share);
        if (give_final(experiment, inside))
            experiment_run(experiment, &outcome);
        infer_count(inference, &outcome);
    }
    free(inside);
    return outcome.ran && outcome.same && !experiment_drew_nothing(experiment);
}

/* A value that comes from vertices differs, and they agree. Has the pixel's triangle a corner that clipping has made,
 * and is the difference gone, wherever they are, if none has? A rounding that shows by chance is not. */
static bool infer_clipped(struct inference *inference)
{
    static const float shares[] = { 1, 0.8f, 0.6f, 0.4f };
    struct vertices *const vertices = inference->vertices;
    bool clipped = false;
    for (uint32_t i = 0; i < 3 && vertices->corner_mask == 7; i++)
        clipped = clipped || vertex_at(vertices, vertices->corners[i]) == NULL;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        if (!clipped || !is_gone_inside(inference, shares[i]))
            return false;
    inference->experiment->search->needs_clipping = true;
    infer_name(inference, PICA_STAGE_WORD_CLIP, "all vertices are moved into the view volume");
    return true;
}

/* ------------------------------------------------------------------------------------------------------ together */

/* In the order of the pipeline. */
static const struct {
    enum pica_stage_word stage, with_geometry; /* where the fault is if the difference is gone */
    const char *given;
    bool (*change)(struct experiment *experiment, const struct vertices *vertices);
} places[] = {
    { PICA_STAGE_WORD_FETCH, PICA_STAGE_WORD_FETCH, "both are given the attributes of every vertex", give_attributes },
    { PICA_STAGE_WORD_SHADER, PICA_STAGE_WORD_SHADER, "both are given the outputs of the vertex shader", give_outputs },
    { PICA_STAGE_WORD_OUTPUT_MAP, PICA_STAGE_WORD_GEOMETRY, "both are given the final vertices", give_final },
};

/* A geometry shader has but one way, traced or not: where the traces of all vertices agree, what it emits is right, and
 * what is made of that is not. */
static enum pica_stage_word stage_of(const struct inference *inference, size_t place, bool geometry)
{
    if (geometry && inference->vertices_only && places[place].with_geometry == PICA_STAGE_WORD_GEOMETRY)
        return PICA_STAGE_WORD_ASSEMBLY;
    return geometry ? places[place].with_geometry : places[place].stage;
}

/* The first place where the difference is gone if the teller's values are put there. */
static bool find_place(struct inference *inference)
{
    struct experiment *const experiment = inference->experiment;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct outcome outcome;
        infer_restore(inference);
        const bool geometry = infer_has_geometry(&experiment->state);
        if (!places[i].change(experiment, inference->vertices))
            continue;
        experiment_run(experiment, &outcome);
        infer_count(inference, &outcome);
        if (outcome.ran && outcome.same && outcome.teller_whole) {
            infer_name(inference, stage_of(inference, i, geometry), places[i].given);
            return true;
        }
    }
    return false;
}

bool infer_vertices(struct inference *inference, uint32_t first_draw, uint32_t end_draw)
{
    struct vertices *const vertices = calloc(1, sizeof *vertices);
    bool traced = vertices != NULL;
    for (uint32_t draw = first_draw; draw < end_draw && traced; draw++)
        traced = infer_trace(inference, draw, PICA_TRACE_VERTICES, take_step, vertices);
    if (!traced || vertices->failed) {
        free(vertices);
        return false;
    }
    for (uint32_t draw = end_draw; draw-- > first_draw && vertices->corner_mask == 0;)
        (void)infer_trace(inference, draw, PICA_TRACE_PIXEL, take_corner, vertices);
    inference->vertices = vertices;
    bool found = find_place(inference);
    vertices->sent = !found; /* if arrays are what one side cannot fetch, they hide what is given in them */
    found = found || find_place(inference);
    vertices->sent = false;
    if (found)
        return true;
    if (!inference->vertices_only)
        return infer_triangle(inference, vertices);
    return !inference->experiment->search->by_rules && infer_clipped(inference);
}

/* ------------------------------------------------------------------------------------ what pixels are made of */

/* Moves and stretches a slot of all vertices so that it goes from 0 to 1, into another slot. */
static void stretch(struct vertices *vertices, uint32_t from, uint32_t to)
{
    float least = INFINITY, most = -INFINITY;
    for (uint32_t v = 0; v < vertices->finals; v++) {
        least = fminf(least, float_of(vertices->final[v].slots[from]));
        most = fmaxf(most, float_of(vertices->final[v].slots[from]));
    }
    for (uint32_t v = 0; v < vertices->finals; v++) {
        const float share = (float_of(vertices->final[v].slots[from]) - least) / (most - least);
        vertices->final[v].slots[to] = harness_f32_bits(isfinite(share) ? share : 0.5f);
        vertices->final[v].mask |= 1u << to;
    }
}

bool infer_give_as_colors(struct inference *inference, const uint32_t from[4])
{
    struct vertices *const colored = inference->vertices != NULL ? malloc(sizeof *colored) : NULL;
    if (colored == NULL)
        return false;
    *colored = *inference->vertices;
    for (uint32_t i = 0; i < 4; i++)
        stretch(colored, from[i], PICA_OUTMAP_SEMANTIC_COLOR_R + i);
    const bool given = give_final(inference->experiment, colored);
    free(colored);
    return given;
}

bool infer_cover(struct inference *inference)
{
    static const float corners[3][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 } };
    struct experiment *const experiment = inference->experiment;
    const struct oracle_surface *const surface = &experiment->surface;
    const double half = surface->width > surface->height ? surface->width : surface->height;
    uint32_t *const registers = experiment->state.registers;
    struct vertices *const triangle = calloc(1, sizeof *triangle);
    if (triangle == NULL)
        return false;
    triangle->finals = 3;
    for (uint32_t i = 0; i < 3; i++) {
        struct final_vertex *const final = &triangle->final[i];
        const float values[2][4] = { { 2 * corners[i][0] - 1, 2 * corners[i][1] - 1, -0.5f, 1 },
                                     { corners[i][0], corners[i][1], 0, 1 } };
        for (uint32_t c = 0; c < 4; c++) {
            final->slots[PICA_OUTMAP_SEMANTIC_POSITION_X + c] = harness_f32_bits(values[0][c]);
            final->slots[PICA_OUTMAP_SEMANTIC_COLOR_R + c] = harness_f32_bits(values[1][c]);
        }
        final->mask = 0xFu << PICA_OUTMAP_SEMANTIC_POSITION_X | 0xFu << PICA_OUTMAP_SEMANTIC_COLOR_R;
    }
    drop_geometry(experiment);
    registers[PICA_REG_VIEWPORT_WIDTH] = registers[PICA_REG_VIEWPORT_HEIGHT] = harness_float_raw(HARNESS_FLOAT24, half);
    registers[PICA_REG_VIEWPORT_INVW] = registers[PICA_REG_VIEWPORT_INVH] =
        pica_viewport_inverse_set_inverse(0, harness_float_raw(HARNESS_FLOAT31, 1 / half));
    registers[PICA_REG_VIEWPORT_XY] = registers[PICA_REG_FRAGOP_CLIP] = registers[PICA_REG_FACECULLING_CONFIG] = 0;
    registers[PICA_REG_SCISSORTEST_MODE] = PICA_SCISSOR_MODE_OFF;
    const bool given = give_final(experiment, triangle);
    free(triangle);
    return given;
}
