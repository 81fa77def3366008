/*
 * Draws that differ in exactly one thing: a draw, one change, the same draw; often the change is undone and the draw
 * made a third time. An implementation that keeps something from draw to draw (decoded state, programs, tables) without
 * checking all that it depends on goes wrong here.
 */
#include "harness/grammar/gen_parts.h"
#include "harness/grammar/mutate_parts.h"

#include <string.h>

enum {
    LARGEST_STEP = 4 /* words of one uniform */
};

/* One change, and how to undo it. */
struct delta {
    bool made;
    uint32_t id;           /* the register that was changed; 0: it was an upload */
    uint32_t word;         /* what the register held */
    struct gen_note note;  /* the upload with its old words */
    uint32_t first, count; /* the words of it that were changed */
    uint32_t index;        /* the entry that they were uploaded to */
};

/* ------------------------------------------------------------------------------------------------------- registers */

/* REG-43: registers of shaders are written in configuration mode. */
static void configure(struct gen *gen)
{
    if (gen->known[PICA_REG_START_DRAW_FUNC0] != PICA_START_DRAW_MODE_CONFIGURE && !gen_wild(gen, 5))
        gen_write(gen, PICA_REG_START_DRAW_FUNC0, PICA_START_DRAW_MODE_CONFIGURE);
}

static void set_word(struct gen *gen, uint32_t id, uint32_t word)
{
    if (id < PICA_REG_GSH_BOOLUNIFORM) {
        gen_set(gen, id, word);
        return;
    }
    configure(gen);
    gen_write(gen, id, word);
}

/* Draws the parameters of a unit anew, but keeps levels, type and mostly size, which decide what is read at all
 * (MIP-02, TEX-17). */
static void draw_texture_parameters(struct gen *scratch, uint32_t unit)
{
    const uint32_t param = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_PARAM);
    const uint32_t lod = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_LOD);
    const uint32_t dim = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM);
    const uint32_t type = pica_texunit_param_type(scratch->want[param]);
    const uint32_t levels = pica_texunit_lod_max_level(scratch->want[lod]);
    const uint32_t size = scratch->want[dim];
    gen_texture_parameters(scratch, unit);
    if (!gen_wild(scratch, 20))
        scratch->want[dim] = size;
    scratch->want[param] = pica_texunit_param_set_type(scratch->want[param], type);
    scratch->want[lod] = pica_texunit_lod_set_max_level(scratch->want[lod], levels);
}

/* TEX-12 */
static uint32_t other_coordinates(uint32_t word)
{
    return pica_texunit_config_set_unit2_coord(word, pica_texunit_config_unit2_coord(word) ^ 1u);
}

/* Draws one of the areas in use anew into `scratch`, a copy of the generator from which nothing is written. */
static void draw_area(struct gen *scratch)
{
    const bool units = (scratch->textures & 7u) != 0;
    const uint32_t weights[] = { 2,
                                 2,
                                 1,
                                 scratch->defined ? 0 : 1, /* size and place of the viewport belong together */
                                 gen_has(scratch, GEN_FOG) ? 2 : 0,
                                 gen_has(scratch, GEN_LIGHTING) ? 3 : 0,
                                 (scratch->textures & 8u) != 0 ? 2 : 0,
                                 (scratch->textures & 4u) != 0 ? 2 : 0,
                                 units ? 3 : 0,
                                 units ? 2 : 0 };
    uint32_t unit = gen_below(scratch, 3);
    while (units && (scratch->textures >> unit & 1u) == 0)
        unit = (unit + 1u) % 3u;
    switch (harness_random_weighted(&scratch->random, weights, sizeof weights / sizeof weights[0])) {
    case 0: gen_combiner(scratch); break;
    case 1: gen_fragment(scratch); break;
    case 2: gen_raster(scratch); break;
    case 3: gen_viewport(scratch); break;
    case 4: gen_fog(scratch); break;
    case 5: gen_lighting(scratch); break;
    case 6: gen_proctex(scratch); break;
    case 7: gen_set(scratch, PICA_REG_TEXUNIT_CONFIG, other_coordinates(scratch->want[PICA_REG_TEXUNIT_CONFIG])); break;
    case 8: draw_texture_parameters(scratch, unit); break;
    default: gen_other_image(scratch, unit); break;
    }
}

/* The word with one field as in `other`: the first one that differs, counting from a random field. */
static uint32_t take_field(struct gen *gen, uint32_t id, uint32_t word, uint32_t other)
{
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(pica_reg_info(id)->layout, &count);
    const uint32_t start = gen_below(gen, (uint32_t)count);
    for (uint32_t f = 0; f < count; f++) {
        const struct pica_field_info *const field = &fields[(start + f) % count];
        if (pica_field_get(field, word) != pica_field_get(field, other))
            return pica_field_set(field, word, pica_field_get(field, other));
    }
    return other;
}

/* Gives one register of an area the word that it would have if the area were drawn anew; often only one field of it. */
static bool change_register(struct gen *gen, struct delta *delta)
{
    struct gen scratch = *gen;
    uint32_t seen = 0;
    draw_area(&scratch);
    gen->random = scratch.random;
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        if (scratch.dirty[id] && scratch.want[id] != gen->want[id] && gen_below(gen, ++seen) == 0)
            delta->id = id;
    if (seen == 0)
        return false;
    delta->word = gen->want[delta->id];
    const uint32_t other = scratch.want[delta->id];
    gen_set(gen, delta->id, gen_percent(gen, 60) ? take_field(gen, delta->id, delta->word, other) : other);
    return true;
}

/* Any register that draws look at, by its layout. */
static bool change_any_register(struct gen *gen, struct delta *delta)
{
    delta->id = harness_register_of(&gen->random, PICA_REG_CLASS_CONFIG);
    if (delta->id == PICA_REG_NUMVERTICES)
        return false;
    delta->word = gen->want[delta->id];
    set_word(gen, delta->id, harness_layout_change(&gen->random, pica_reg_info(delta->id)->layout, delta->word));
    return true;
}

/* REG-26: a boolean, or the start or step of a loop, or fewer turns of it: more might exceed LIM_INSTRUCTIONS. */
static bool change_shader_register(struct gen *gen, struct delta *delta)
{
    const uint32_t unit =
        gen->draw.geometry && gen_percent(gen, 40) ? (uint32_t)PICA_UNIT_GEOMETRY : (uint32_t)PICA_UNIT_VERTEX;
    const uint32_t integer = gen_below(gen, 4);
    const bool boolean = gen_percent(gen, 70);
    delta->id = boolean ? pica_reg_shader(unit, PICA_REG_VSH_BOOLUNIFORM)
                        : pica_reg_shader(unit, PICA_REG_VSH_INTUNIFORM_I0) + integer;
    delta->word = gen->known[delta->id];
    const uint32_t turns = delta->word & 0xFFu;
    uint32_t word = delta->word ^ 1u << gen_below(gen, 15);
    if (!boolean && gen_percent(gen, 50))
        word = (delta->word & ~0xFFu) | gen_below(gen, turns + 1u);
    else if (!boolean)
        word = delta->word ^ 1u << (8u + gen_below(gen, 12));
    set_word(gen, delta->id, word);
    return word != delta->word;
}

/* The same picture somewhere else, or in another format of the same size. */
static bool change_target(struct gen *gen, struct delta *delta)
{
    const bool depth = gen_percent(gen, 35);
    delta->id = depth ? PICA_REG_DEPTHBUFFER_LOC : PICA_REG_COLORBUFFER_LOC;
    const uint32_t bytes = depth ? gen->target.depth_bytes : gen->target.color_bytes;
    uint32_t word = gen_allocate(gen, bytes, 64) >> 3;
    if (!depth && gen->target.color_format >= PICA_COLOR_FORMAT_RGB5A1 && gen_percent(gen, 40)) {
        delta->id = PICA_REG_COLORBUFFER_FORMAT;
        word = pica_colorbuffer_format_set_format(gen->want[delta->id],
                                                  (uint32_t)PICA_COLOR_FORMAT_RGB5A1 + gen_below(gen, 3));
    }
    delta->word = gen->want[delta->id];
    gen_set(gen, delta->id, word);
    return word != delta->word;
}

/* --------------------------------------------------------------------------------------------------------- uploads */

/* A bit of the mantissa of one component, in the packing of REG-22: w z y x, 24 bits each. */
static void change_float24(struct gen *gen, uint32_t words[3])
{
    static const uint8_t places[4][2] = { { 2, 8 }, { 1, 0 }, { 1, 24 }, { 0, 16 } };
    const uint8_t *const place = places[gen_below(gen, 4)];
    words[place[0]] ^= 1u << (place[1] + gen_below(gen, 8));
}

/* Another opcode with the same operands; false if none is known. */
static bool change_opcode(struct gen *gen, uint32_t *word)
{
    static const enum pica_opcode alike[] = { PICA_OPCODE_ADD, PICA_OPCODE_MUL, PICA_OPCODE_MAX,
                                              PICA_OPCODE_MIN, PICA_OPCODE_SGE, PICA_OPCODE_SLT };
    const uint32_t opcode = pica_opcode_of(*word);
    if (opcode == PICA_OPCODE_MOV || opcode == PICA_OPCODE_FLR) {
        *word = pica_shader_format_1_set_opcode(*word, opcode == PICA_OPCODE_MOV ? PICA_OPCODE_FLR : PICA_OPCODE_MOV);
        return true;
    }
    for (uint32_t i = 0; i < 6; i++)
        if (opcode == (uint32_t)alike[i]) {
            *word = pica_shader_format_1_set_opcode(*word, alike[(i + gen_between(gen, 1, 5)) % 6u]);
            return true;
        }
    return false;
}

/* Changes one instruction: the first one from *first on that can be changed, which *first is set to. */
static bool change_code(struct gen *gen, uint32_t *words, uint32_t count, uint32_t *first)
{
    if (gen_wild(gen, 40)) {
        words[*first] = mutate_instruction(&gen->random, words[*first]);
        return true;
    }
    const uint32_t start = *first;
    for (uint32_t i = 0; i < count; i++) {
        *first = (start + i) % count;
        if (change_opcode(gen, words + *first))
            return true;
    }
    return false;
}

/* Changes a swizzle or sign of a source, not the mask: outputs must stay written (SHD-70). */
static void change_descriptor(struct gen *gen, uint32_t *word)
{
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(PICA_LAYOUT_SHADER_OPDESC, &count);
    const struct pica_field_info *field;
    do
        field = &fields[gen_below(gen, (uint32_t)count)];
    while (strncmp(field->name, "src", 3) != 0);
    *word = pica_field_set(field, *word, harness_field_change(&gen->random, field, pica_field_get(field, *word)));
}

static bool is_uniform(const struct gen_note *note)
{
    return note->index_id == PICA_REG_VSH_FLOATUNIFORM_INDEX || note->index_id == PICA_REG_GSH_FLOATUNIFORM_INDEX;
}

/* Words of one entry (REG-22, REG-25). */
static uint32_t words_of(const struct gen_note *note)
{
    if (is_uniform(note))
        return pica_shader_floatuniform_index_format(note->index) == PICA_UNIFORM_FORMAT_FLOAT32 ? 4 : 3;
    return note->index_id == PICA_REG_FIXEDATTRIB_INDEX ? 3 : 1;
}

/* Changes words of an upload in place; *first and *count say which. */
static bool change_words(struct gen *gen, const struct gen_note *note, uint32_t *words, uint32_t *first,
                         uint32_t *count)
{
    const bool uniform = is_uniform(note);
    *count = words_of(note);
    if (note->count < *count)
        return false;
    *first = *count * gen_below(gen, note->count / *count);
    uint32_t *const word = words + *first;
    if (uniform && *count == 4) {
        const uint32_t bit = 13u + gen_below(gen, 10);
        word[gen_below(gen, 4)] ^= 1u << bit;
    } else if (*count == 3)
        change_float24(gen, word);
    else if (harness_code_port(note->port_id) < 2)
        return change_code(gen, words, note->count, first);
    else if (harness_opdesc_port(note->port_id) < 2)
        change_descriptor(gen, word);
    else
        *word = harness_layout_draw(&gen->random, pica_reg_info(note->port_id)->layout, gen->defined);
    return true;
}

/* Where gen_note_program keeps `count` words of the vertex unit from this index on; NULL if they are not of its program
 * or not all inside it. */
static uint32_t *vertex_words(struct gen *gen, uint32_t index_id, uint32_t index, uint32_t count)
{
    const bool code = index_id == PICA_REG_VSH_CODETRANSFER_INDEX;
    const uint32_t most = code ? GEN_VERTEX_CODE : GEN_DESCRIPTORS;
    if ((!code && index_id != PICA_REG_VSH_OPDESCS_INDEX) || index >= most || count > most - index)
        return NULL;
    return (code ? gen->vertex_code : gen->vertex_descriptors) + index;
}

void gen_note_program(struct gen *gen, uint32_t index_id, uint32_t index, const uint32_t *words, uint32_t count)
{
    uint32_t *const known = vertex_words(gen, index_id, index, count);
    if (known != NULL)
        memcpy(known, words, count * sizeof *words);
}

static bool is_geometry_program(const struct gen_note *note)
{
    return note->index_id == PICA_REG_GSH_CODETRANSFER_INDEX || note->index_id == PICA_REG_GSH_OPDESCS_INDEX;
}

static bool can_be_shared(const struct gen *gen, const struct delta *delta)
{
    const struct gen_note *const note = &delta->note;
    const bool code = note->index_id == PICA_REG_GSH_CODETRANSFER_INDEX;
    return is_geometry_program(note) && (!code || delta->index < GEN_VERTEX_CODE) &&
           pica_geostage_config_mode(gen->known[PICA_REG_GEOSTAGE_CONFIG]) != PICA_GEOSTAGE_MODE_OFF;
}

/* REG-27: uploads to both units through the ports of the vertex unit, while the geometry stage is off; then mostly
 * gives the vertex unit back what it had. */
static void upload_shared(struct gen *gen, const struct delta *delta, const uint32_t *words)
{
    const uint32_t to_vertex = (uint32_t)PICA_REG_VSH_CODETRANSFER_INDEX - (uint32_t)PICA_REG_GSH_CODETRANSFER_INDEX;
    const uint32_t index_id = delta->note.index_id + to_vertex, port_id = delta->note.port_id + to_vertex;
    const uint32_t index = delta->index;
    const uint32_t stage = gen->known[PICA_REG_GEOSTAGE_CONFIG];
    gen_write(gen, PICA_REG_VSH_COM_MODE, 0);
    gen_write(gen, PICA_REG_GEOSTAGE_CONFIG, pica_geostage_config_set_mode(stage, PICA_GEOSTAGE_MODE_OFF));
    gen_write(gen, index_id, index);
    gen_write_port(gen, port_id, words, delta->count);
    gen_write(gen, PICA_REG_GEOSTAGE_CONFIG, stage);
    if (gen_percent(gen, 50))
        gen_write(gen, PICA_REG_VSH_COM_MODE, 1);
    const uint32_t *const had = vertex_words(gen, index_id, index, delta->count);
    if (had == NULL || gen_wild(gen, 20)) {
        gen_note_program(gen, index_id, index, words, delta->count);
    } else {
        gen_write(gen, index_id, index);
        gen_write_port(gen, port_id, had, delta->count);
    }
    gen_write(gen, PICA_REG_VSH_CODETRANSFER_END, 1);
}

/* Writes the words of an upload again. REG-42: the end of code is marked. */
static void upload_again(struct gen *gen, const struct delta *delta, const uint32_t *words)
{
    const struct gen_note *const note = &delta->note;
    if (note->index_id >= PICA_REG_GSH_BOOLUNIFORM)
        configure(gen);
    if (can_be_shared(gen, delta) && gen_percent(gen, 40)) {
        upload_shared(gen, delta, words);
        return;
    }
    gen_write(gen, note->index_id, delta->index);
    gen_write_port(gen, note->port_id, words, delta->count);
    gen_note_program(gen, note->index_id, delta->index, words, delta->count);
    for (uint32_t unit = 0; unit < 2; unit++)
        if (note->index_id == pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX) && !gen_wild(gen, 10))
            gen_write(gen, pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_END), 1);
}

/* The index word of the entry `entries` after that of the note. In tables the bits above 7 name the table (REG-31,
 * LIT-05). */
static uint32_t index_after(const struct gen_note *note, uint32_t entries)
{
    const bool tables = note->index_id == PICA_REG_LIGHTING_LUT_INDEX || note->index_id == PICA_REG_PROCTEX_LUT;
    const uint32_t index = note->index + entries;
    return tables ? (note->index & ~0xFFu) | (index & 0xFFu) : index;
}

/* REG-20: how many entries an index register addresses; 0 if that is not listed here. */
static uint32_t entries_of(uint32_t index_id)
{
    static const uint16_t all[][2] = {
        { PICA_REG_PROCTEX_LUT, 128 },
        { PICA_REG_FOG_LUT_INDEX, 128 },
        { PICA_REG_LIGHTING_LUT_INDEX, 256 },
        { PICA_REG_GSH_FLOATUNIFORM_INDEX, PICA_FLOAT_UNIFORMS },
        { PICA_REG_VSH_FLOATUNIFORM_INDEX, PICA_FLOAT_UNIFORMS },
        { PICA_REG_GSH_CODETRANSFER_INDEX, PICA_CODE_WORDS },
        { PICA_REG_VSH_CODETRANSFER_INDEX, GEN_VERTEX_CODE },
        { PICA_REG_GSH_OPDESCS_INDEX, GEN_DESCRIPTORS },
        { PICA_REG_VSH_OPDESCS_INDEX, GEN_DESCRIPTORS },
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i][0] == index_id)
            return all[i][1];
    return 0;
}

/* The entry that an index word names. REG-22: for uniforms the word also has a format. */
static uint32_t place_of(const struct gen_note *note, uint32_t index)
{
    return is_uniform(note) ? pica_shader_floatuniform_index_index(index) : index;
}

/* Has a remembered upload written this entry? */
static bool is_taken(const struct gen *gen, uint32_t index_id, uint32_t index)
{
    for (uint32_t i = 0; i < gen->note_count && i < GEN_NOTES; i++) {
        const struct gen_note *const note = &gen->notes[i];
        if (note->index_id == index_id &&
            place_of(note, index) - place_of(note, note->index) < note->count / words_of(note))
            return true;
    }
    return false;
}

/* Uploads the words to an entry whose index differs in one bit and that no remembered upload has written: code that
 * looks only at the lower bits of an index would put them back where they came from. In defined cases the entry
 * exists. */
static void move_to_alias(struct gen *gen, struct delta *delta)
{
    const uint32_t entries = entries_of(delta->note.index_id);
    uint32_t bits = 0;
    while (entries >> bits > 1u)
        bits++;
    const uint32_t index = delta->index ^ 1u << gen_below(gen, bits + 1u);
    size_t count;
    const struct pica_field_info *const fields =
        pica_layout_fields(pica_reg_info(delta->note.index_id)->layout, &count);
    const bool exists = pica_field_get(&fields[0], index) < entries;
    if (entries != 0 && !is_taken(gen, delta->note.index_id, index) && (exists || gen_wild(gen, 50)))
        delta->index = index;
}

/* Changes a few words of a table, uniform, program, descriptor or fixed attribute that was uploaded before. */
static bool change_upload(struct gen *gen, struct delta *delta)
{
    uint32_t words[GEN_MAX_CODE + LARGEST_STEP];
    if (gen->note_count == 0)
        return false;
    delta->id = 0;
    delta->note = gen->notes[gen_below(gen, gen->note_count < GEN_NOTES ? gen->note_count : GEN_NOTES)];
    const uint32_t count = delta->note.count < GEN_MAX_CODE ? delta->note.count : (uint32_t)GEN_MAX_CODE;
    memcpy(words, delta->note.words, count * sizeof *words);
    delta->note.count = count;
    if (!change_words(gen, &delta->note, words, &delta->first, &delta->count))
        return false;
    delta->index = index_after(&delta->note, delta->first / delta->count);
    if (gen_percent(gen, 25))
        move_to_alias(gen, delta);
    upload_again(gen, delta, words + delta->first);
    return true;
}

void gen_note_upload(struct gen *gen, uint32_t index_id, uint32_t index, uint32_t port_id, const uint32_t *words,
                     uint32_t count)
{
    uint32_t place = gen->note_count % GEN_NOTES;
    for (uint32_t i = 0; i < gen->note_count && i < GEN_NOTES; i++)
        if (gen->notes[i].index_id == index_id && gen->notes[i].index == index)
            place = i;
    uint32_t *const copy = harness_arena_take(&gen->out->arena, count * sizeof *copy);
    if (copy == NULL)
        return;
    memcpy(copy, words, count * sizeof *copy);
    gen->note_count += place == gen->note_count % GEN_NOTES ? 1 : 0;
    gen->notes[place] = (struct gen_note){ index_id, index, port_id, copy, count };
}

/* ---------------------------------------------------------------------------------------------------------- deltas */

static struct delta change(struct gen *gen)
{
    static const uint32_t weights[] = { 45, 38, 10, 5 };
    struct delta delta = { .made = false };
    for (int tries = 0; tries < 4 && !delta.made; tries++)
        switch (harness_random_weighted(&gen->random, weights, 4)) {
        case 0: delta.made = gen_wild(gen, 15) ? change_any_register(gen, &delta) : change_register(gen, &delta); break;
        case 1: delta.made = change_upload(gen, &delta); break;
        case 2: delta.made = change_shader_register(gen, &delta); break;
        default: delta.made = change_target(gen, &delta); break;
        }
    return delta;
}

static void take_back(struct gen *gen, const struct delta *delta)
{
    if (delta->id != 0)
        set_word(gen, delta->id, delta->word);
    else
        upload_again(gen, delta, delta->note.words + delta->first);
}

void gen_delta(struct gen *gen)
{
    if (gen_percent(gen, 50)) {
        gen_plain_fragment(gen);
        gen_draw_again(gen);
    }
    for (uint32_t i = gen_between(gen, 1, 3); i > 0 && gen_may_go_on(gen); i--) {
        const struct delta delta = change(gen);
        if (!delta.made)
            return;
        gen_draw_again(gen);
        const bool target = delta.id == PICA_REG_COLORBUFFER_LOC || delta.id == PICA_REG_DEPTHBUFFER_LOC;
        if (!target && !gen_percent(gen, 40))
            continue;
        take_back(gen, &delta);
        gen_draw_again(gen);
    }
}

/* ----------------------------------------------------------------------------------------------- immediate vertices */

/* GSH-07: `drawn` with what must agree with the latched mode, while the stage is in use, as in `old`: otherwise there
 * would be an event. That is the mode itself, and what repeats it in other registers. */
static uint32_t agreeing(uint32_t id, uint32_t old, uint32_t drawn)
{
    if (id == PICA_REG_GSH_MISC0) {
        drawn = pica_gsh_misc0_set_mode(drawn, pica_gsh_misc0_mode(old));
        if (pica_gsh_misc0_mode(old) == PICA_GSH_MODE_FIXED)
            drawn = pica_gsh_misc0_set_vectors_minus_1(drawn, pica_gsh_misc0_vectors_minus_1(old));
    } else if (id == PICA_REG_GSH_INPUTBUFFER_CONFIG) {
        drawn = pica_shader_inputbuffer_config_set_inputs_minus_1(old,
                                                                  pica_shader_inputbuffer_config_inputs_minus_1(drawn));
    }
    return drawn;
}

/* GSH-07: TOTAL1 and TOTAL2 both have the number of vectors; only the first is latched. */
static void write_latched(struct gen *gen, uint32_t id, uint32_t word, bool agree)
{
    gen_write(gen, id, word);
    if (agree && id == PICA_REG_VSH_OUTMAP_TOTAL1)
        gen_write(gen, PICA_REG_VSH_OUTMAP_TOTAL2, word);
}

/* GSH-05: changes a register that the geometry stage has latched while vertices are sent. A defined case that uses the
 * stage does not let it latch again: the program would get other inputs. */
uint32_t gen_change_between_vertices(struct gen *gen, uint32_t *old)
{
    static const uint32_t ids[] = { PICA_REG_GSH_OUTMAP_MASK, PICA_REG_GSH_OUTMAP_MASK, PICA_REG_VSH_OUTMAP_TOTAL1,
                                    PICA_REG_GSH_MISC0, PICA_REG_GSH_INPUTBUFFER_CONFIG };
    const uint32_t first = !gen->draw.geometry && gen->defined ? 2 : 0; /* SHD-12: not the output mask */
    const uint32_t id = ids[first + gen_below(gen, 5 - first)];
    const bool agree = gen->draw.geometry && gen->defined;
    *old = gen->known[id];
    const enum pica_layout layout = pica_reg_info(id)->layout;
    uint32_t word;
    if (gen_wild(gen, 30)) {
        word = harness_layout_change(&gen->random, layout, *old);
    } else {
        const uint32_t drawn = harness_layout_draw(&gen->random, layout, true);
        word = take_field(gen, id, *old, agree ? agreeing(id, *old, drawn) : drawn);
    }
    write_latched(gen, id, word, agree);
    if (gen_wild(gen, 40) || (!gen->draw.geometry && gen_percent(gen, 30))) /* latched again */
        gen_write(gen, PICA_REG_FIXEDATTRIB_INDEX, 15);
    return id;
}

void gen_change_back(struct gen *gen, uint32_t id, uint32_t old)
{
    write_latched(gen, id, old, gen->draw.geometry && gen->defined);
}
