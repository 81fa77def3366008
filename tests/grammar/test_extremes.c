/* Values that meet: fields that have the same extreme, corners at the limits of screen coordinates, aliases. */
#include "harness/grammar/gen.h"
#include "harness/grammar/mutate_parts.h"
#include "harness/grammar/values.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"
#include "pica/fields.h"
#include "pica/memory.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    WORDS = 20000,
    CASES = 1500,
    INDICES = 0x18000400
};

/* TEV-09 and others take a factor for white by its colour. */
Test(extremes, the_channels_of_a_colour_are_white_together_and_all_but_one)
{
    struct harness_random random;
    uint32_t white = 0, without_alpha = 0;
    harness_random_init(&random, 5);
    for (uint32_t i = 0; i < WORDS; i++) {
        const uint32_t word = harness_layout_draw(&random, PICA_LAYOUT_RGBA8, true);
        white += word == UINT32_MAX;
        without_alpha += (word & 0xFFFFFFu) == 0xFFFFFFu && word != UINT32_MAX;
    }
    cr_expect_gt(white, WORDS / 50, "%u", white);
    cr_expect_gt(without_alpha, WORDS / 110, "%u", without_alpha);
}

Test(extremes, defined_words_have_no_reserved_encodings)
{
    struct harness_random random;
    harness_random_init(&random, 6);
    for (uint32_t layout = 0; layout < PICA_LAYOUT_TOTAL; layout++)
        for (uint32_t i = 0; i < 400; i++) {
            size_t count;
            const struct pica_field_info *const fields = pica_layout_fields((enum pica_layout)layout, &count);
            const uint32_t word = harness_layout_draw(&random, (enum pica_layout)layout, true);
            for (size_t f = 0; f < count; f++)
                cr_assert_not(harness_value_is_reserved(fields[f].enumeration, pica_field_get(&fields[f], word)),
                              "%s %s: %08X", pica_layout_info((enum pica_layout)layout)->name, fields[f].name, word);
        }
}

/* ------------------------------------------------------------------------------------------------------- the screen */

struct huge {
    uint32_t draws;
    uint32_t visible;
};

static void see_draw(void *user, const struct pica_draw *draw)
{
    struct huge *const huge = user;
    if (draw->registers[PICA_REG_VIEWPORT_WIDTH] < harness_small_float(7, 16, 2048.0f) ||
        draw->registers[PICA_REG_VIEWPORT_WIDTH] >> 23 != 0)
        return;
    huge->draws++;
    huge->visible += draw->pixels != 0;
}

/* VPT-03: draws whose viewport is up to 65536 pixels wide change pixels of their small target: of 1500 cases 28 of 105
 * draws. */
Test(extremes, VPT_03_triangles_reach_from_the_target_to_the_limits)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_runner *runner;
    struct huge huge = { 0 };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    cr_assert(test_case != NULL && program != NULL);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &runner), PICA_OK);
    cr_assert_eq(
        harness_linked_backend(HARNESS_REFERENCE)->observe_draws(harness_runner_instance(runner), see_draw, &huge),
        PICA_OK);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        harness_generate(test_case, seed, NULL);
        harness_bound_case(test_case);
        cr_assert_eq(harness_case_setup(test_case, program, NULL), HARNESS_OK);
        cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
        for (uint32_t i = 0; i < program->count; i++)
            cr_assert_eq(harness_runner_step(runner, &program->operations[i]), PICA_OK);
    }
    harness_runner_destroy(runner);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    cr_expect_gt(huge.draws, CASES / 100, "%u", huge.draws);
    cr_expect_gt(huge.visible, huge.draws / 6u, "%u of %u", huge.visible, huge.draws);
}

/* ---------------------------------------------------------------------------------------------------------- aliases */

static bool are_aliases(uint32_t a, uint32_t b)
{
    const uint32_t bits = a ^ b;
    return bits >= 16 && (bits & (bits - 1u)) == 0;
}

/* VTX-24: a cache that looks at few bits of an index takes them for the same. */
static bool has_aliases(const struct harness_data *data)
{
    const uint32_t size = data->layout.fields[0].element == HARNESS_ELEMENT_U16 ? 2 : 1;
    uint32_t indices[64], count = 0;
    if (data->kind != HARNESS_DATA_TABLE || data->layout.field_count != 1 || data->layout.fields[0].count != 1)
        return false;
    for (uint32_t i = 0; i + size <= data->size && count < 64; i += size)
        indices[count++] = size == 2 ? data->bytes[i] | (uint32_t)data->bytes[i + 1u] << 8 : data->bytes[i];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (are_aliases(indices[i], indices[j]))
                return true;
    return false;
}

Test(extremes, VTX_24_indices_of_a_draw_differ_in_one_high_bit)
{
    static const struct harness_generate_options small = { .areas = 0, .mode = HARNESS_GENERATE_DEFINED };
    struct harness_case *const test_case = harness_case_create();
    uint32_t cases = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        bool found = false;
        harness_generate(test_case, seed, &small);
        for (uint32_t i = 0; i < test_case->chunk_count; i++)
            found = found || (test_case->chunks[i].data.size < 64 && has_aliases(&test_case->chunks[i].data));
        cases += found;
    }
    cr_expect_gt(cases, CASES / 200, "%u", cases);
    harness_case_destroy(test_case);
}

/* Mutation makes them of indices that are next to one another. */
Test(extremes, mutation_makes_an_index_an_alias_of_another_one)
{
    struct harness_case *const test_case = harness_case_create();
    uint32_t aliases = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct harness_random random;
        struct harness_data data = { .kind = HARNESS_DATA_TABLE, .size = 24 };
        harness_case_reset(test_case);
        data.bytes = harness_arena_take(&test_case->arena, data.size);
        cr_assert_not_null(data.bytes);
        for (uint32_t i = 0; i < data.size; i++)
            data.bytes[i] = i % 2u == 0 ? (uint8_t)(100u + i / 2u) : 0;
        data.layout.field_count = 1;
        data.layout.fields[0].element = HARNESS_ELEMENT_U16;
        data.layout.fields[0].count = 1;
        cr_assert(harness_case_add_window(test_case, PICA_VRAM_ADDRESS, 0x1000));
        cr_assert(harness_case_add_chunk(test_case, INDICES, &data));
        harness_random_init(&random, seed);
        const struct mutation mutation = { .test_case = test_case, .random = &random };
        aliases += mutate_contents(&mutation) && has_aliases(&test_case->chunks[0].data);
    }
    cr_expect_gt(aliases, 40, "%u", aliases);
    harness_case_destroy(test_case);
}

/* ----------------------------------------------------------------------------------------- what programs often have */

typedef void (*write_seen)(void *user, uint32_t id, uint32_t word);

/* Masked writes hold noise (CMD-05). */
static void see_list(const struct harness_list *list, write_seen see, void *user)
{
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t k = 0; k < list->commands[i].count && list->commands[i].mask == 0xF; k++)
            see(user, harness_command_register(&list->commands[i], k), list->commands[i].parameters[k]);
}

/* What the lists of defined cases with these areas write, in their order. */
static void see_cases(uint64_t areas, write_seen see, void *user)
{
    const struct harness_generate_options options = { .mode = HARNESS_GENERATE_DEFINED, .areas = areas };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_not_null(test_case);
    cr_assert_neq(areas, 0);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        harness_generate(test_case, seed, &options);
        for (uint32_t i = 0; i < test_case->operation_count; i++)
            if (test_case->operations[i].data.kind == HARNESS_DATA_LIST)
                see_list(&test_case->operations[i].data.list, see, user);
    }
    harness_case_destroy(test_case);
}

static bool has_layout(uint32_t id, enum pica_layout layout)
{
    return id < PICA_REG_TOTAL && pica_reg_info(id)->layout == layout;
}

struct images {
    uint32_t wide;
    uint32_t high;
};

static void see_image(void *user, uint32_t id, uint32_t word)
{
    struct images *const images = user;
    if (!has_layout(id, PICA_LAYOUT_TEXUNIT_DIM))
        return;
    images->wide += pica_texunit_dim_width(word) >= 256;
    images->high += pica_texunit_dim_height(word) >= 256;
}

/* TEX-22: columns and rows with bits above those of small images. */
Test(extremes, TEX_22_images_are_long_in_both_directions)
{
    struct images images = { 0 };
    see_cases(harness_generate_area("textures"), see_image, &images);
    cr_expect_gt(images.wide, CASES / 50, "%u", images.wide);
    cr_expect_gt(images.high, CASES / 50, "%u", images.high);
}

struct alike {
    uint32_t all;
    uint32_t same; /* alpha as the colour */
};

/* Stages that hand their input on have the primary colour in places 1 and 2. */
static void see_sources(void *user, uint32_t id, uint32_t word)
{
    struct alike *const alike = user;
    bool same = true, passes_on = true;
    if (!has_layout(id, PICA_LAYOUT_TEXENV_SOURCE))
        return;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t source = pica_texenv_source_rgb_source_at(word, i);
        same = same && source == pica_texenv_source_alpha_source_at(word, i);
        passes_on = passes_on && (i == 0 || source == PICA_TEV_SOURCE_PRIMARY_COLOR);
    }
    alike->all += !passes_on;
    alike->same += !passes_on && same;
}

/* By chance one in twenty would. */
Test(extremes, TEV_05_alpha_of_a_stage_often_has_the_sources_of_the_colour)
{
    struct alike alike = { 0 };
    see_cases(harness_generate_area("combiner"), see_sources, &alike);
    cr_expect_gt(alike.all, CASES, "%u", alike.all);
    cr_expect_gt(alike.same, alike.all / 5u, "%u of %u", alike.same, alike.all);
}

/* Without blending the destination has the factor zero. */
static void see_blending(void *user, uint32_t id, uint32_t word)
{
    struct alike *const alike = user;
    if (!has_layout(id, PICA_LAYOUT_BLEND_FUNC) || pica_blend_func_rgb_dest(word) == PICA_BLEND_FACTOR_ZERO)
        return;
    alike->all++;
    alike->same += pica_blend_func_rgb_equation(word) == pica_blend_func_alpha_equation(word) &&
                   pica_blend_func_rgb_source(word) == pica_blend_func_alpha_source(word) &&
                   pica_blend_func_rgb_dest(word) == pica_blend_func_alpha_dest(word);
}

Test(extremes, BLD_01_alpha_is_often_blended_as_the_colour)
{
    struct alike alike = { 0 };
    see_cases(harness_generate_area("blend"), see_blending, &alike);
    cr_expect_gt(alike.all, CASES / 2, "%u", alike.all);
    cr_expect_gt(alike.same, alike.all / 5u, "%u of %u", alike.same, alike.all);
}

struct shared {
    uint32_t ids[4]; /* the last four writes */
    uint32_t words[4];
    uint32_t uploads;
    uint32_t dropped;
};

static void see_shared(void *user, uint32_t id, uint32_t word)
{
    struct shared *const shared = user;
    memmove(shared->ids, shared->ids + 1, 3 * sizeof *shared->ids);
    memmove(shared->words, shared->words + 1, 3 * sizeof *shared->words);
    shared->ids[3] = id;
    shared->words[3] = word;
    const bool code = shared->ids[1] == PICA_REG_VSH_CODETRANSFER_INDEX;
    if (shared->ids[0] != PICA_REG_GEOSTAGE_CONFIG || id != PICA_REG_GEOSTAGE_CONFIG ||
        (!code && shared->ids[1] != PICA_REG_VSH_OPDESCS_INDEX) ||
        pica_geostage_config_mode(shared->words[0]) != PICA_GEOSTAGE_MODE_OFF ||
        pica_geostage_config_mode(word) == PICA_GEOSTAGE_MODE_OFF)
        return;
    shared->uploads++;
    shared->dropped += code && shared->words[1] >= 512; /* REG-20 */
}

/* A word of a program reaches both units only while the geometry stage is off. */
Test(extremes, REG_27_words_reach_both_units_between_draws_with_a_geometry_shader)
{
    struct shared shared = { .uploads = 0 };
    see_cases(harness_generate_area("geometry") | harness_generate_area("delta"), see_shared, &shared);
    cr_expect_gt(shared.uploads, CASES / 300, "%u", shared.uploads);
    cr_expect_eq(shared.dropped, 0, "%u of %u", shared.dropped, shared.uploads);
}

struct code {
    uint32_t words[2][PICA_CODE_WORDS];
    uint32_t index[2];
    uint32_t exchanged;
};

static void see_code(void *user, uint32_t id, uint32_t word)
{
    struct code *const code = user;
    for (uint32_t unit = 0; unit < 2; unit++)
        if (id == pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX))
            code->index[unit] = word;
    const uint32_t unit = harness_code_port(id);
    if (unit >= 2 || code->index[unit] >= PICA_CODE_WORDS)
        return;
    uint32_t *const old = &code->words[unit][code->index[unit]++];
    code->exchanged +=
        (pica_opcode_of(*old) == PICA_OPCODE_MOV && word == pica_shader_format_1_set_opcode(*old, PICA_OPCODE_FLR)) ||
        (pica_opcode_of(*old) == PICA_OPCODE_FLR && word == pica_shader_format_1_set_opcode(*old, PICA_OPCODE_MOV));
    *old = word;
}

/* Programs without the area "arithmetic" have no FLR but by a delta. */
Test(extremes, REG_21_an_instruction_becomes_another_one_with_the_same_operands)
{
    static struct code code;
    see_cases(harness_generate_area("delta"), see_code, &code);
    cr_expect_gt(code.exchanged, CASES / 50, "%u", code.exchanged);
}

/* Registers that the geometry stage latches with the first immediate vertex (GSH-05). */
static const uint16_t latched_ids[] = { PICA_REG_VSH_OUTMAP_TOTAL1, PICA_REG_GSH_MISC0, PICA_REG_GSH_INPUTBUFFER_CONFIG,
                                        PICA_REG_GSH_OUTMAP_MASK };

enum {
    LATCHED = sizeof latched_ids / sizeof latched_ids[0]
};

struct latched {
    uint32_t known[PICA_REGISTERS];
    bool immediate;        /* vertices are coming, */
    bool began;            /* and words of one have come */
    bool changed[LATCHED]; /* since then */
    uint32_t between[LATCHED];
};

static void see_latched(void *user, uint32_t id, uint32_t word)
{
    struct latched *const latched = user;
    const bool port = id - PICA_REG_FIXEDATTRIB_DATA0 < 3;
    if (id == PICA_REG_FIXEDATTRIB_INDEX) {
        latched->immediate = pica_fixedattrib_index_index(word) == 15;
        latched->began = false;
    }
    latched->began = latched->began || (latched->immediate && port);
    for (uint32_t k = 0; k < LATCHED; k++) {
        latched->between[k] += port && latched->changed[k];
        latched->changed[k] =
            !port && latched->began && (latched->changed[k] || (id == latched_ids[k] && word != latched->known[id]));
    }
    latched->known[id] = word;
}

static bool is_quiet(const struct pica_backend *backend, void *instance)
{
    struct pica_events events;
    cr_assert_eq(backend->read_events(instance, &events), PICA_OK);
    return (events.words[0] | events.words[1] | events.words[2] | events.words[3]) == 0;
}

/* Defined cases with these areas that record an event. */
static uint32_t count_events(uint64_t areas, uint32_t cases)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct harness_generate_options wanted = { .mode = HARNESS_GENERATE_DEFINED, .areas = areas };
    struct harness_runner *runner;
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    uint32_t loud = 0;
    cr_assert(test_case != NULL && program != NULL);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &runner), PICA_OK);
    for (uint64_t seed = 1; seed <= cases; seed++) {
        harness_generate(test_case, seed, &wanted);
        cr_assert_eq(harness_case_setup(test_case, program, NULL), HARNESS_OK);
        cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
        cr_assert_eq(harness_runner_run(runner, program->operations, program->count), PICA_OK);
        loud += !is_quiet(harness_linked_backend(HARNESS_REFERENCE), harness_runner_instance(runner));
    }
    harness_runner_destroy(runner);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    return loud;
}

/* GSH-07 stays quiet: what must agree does. So does SHD-12: without a geometry shader the output masks of both units
 * stay as they are. */
Test(extremes, GSH_05_what_is_latched_changes_between_immediate_vertices)
{
    static struct latched latched[2];
    const uint64_t areas = harness_generate_area("immediate") | harness_generate_area("delta");
    const uint64_t geometry = areas | harness_generate_area("geometry");
    see_cases(areas, see_latched, &latched[0]);
    see_cases(geometry, see_latched, &latched[1]);
    for (uint32_t with = 0; with < 2; with++)
        for (uint32_t k = 0; k < LATCHED; k++)
            if (with != 0 || latched_ids[k] != PICA_REG_GSH_OUTMAP_MASK)
                cr_expect_gt(latched[with].between[k], CASES / 20, "%s, %s a geometry shader: %u",
                             pica_reg_info(latched_ids[k])->name, with != 0 ? "with" : "without",
                             latched[with].between[k]);
            else
                cr_expect_eq(latched[with].between[k], 0);
    const uint32_t loud = count_events(geometry, CASES);
    cr_expect_lt(loud, CASES / 100, "%u record an event", loud);
}

enum {
    ENTRIES = 0x2000, /* of all tables behind one index: the number of the table stands above that of the entry */
};

/* What came through the ports behind an index register. */
struct entries {
    bool held[ENTRIES];
    uint32_t index; /* as written last */
    uint32_t words; /* since then */
    uint32_t aliases;
};

struct uploads {
    struct entries of[PICA_REGISTERS];
};

static uint32_t words_of_entry(uint32_t id, uint32_t index)
{
    if (id != PICA_REG_VSH_FLOATUNIFORM_INDEX && id != PICA_REG_GSH_FLOATUNIFORM_INDEX)
        return 1;
    return pica_shader_floatuniform_index_format(index) == PICA_UNIFORM_FORMAT_FLOAT32 ? 4 : 3;
}

/* One entry alone, where none was, one bit away from one that was. */
static void close_upload(struct entries *entries, uint32_t id)
{
    const uint32_t count = entries->words / words_of_entry(id, entries->index);
    const uint32_t first = entries->index & (ENTRIES - 1u);
    bool alias = false;
    for (uint32_t bit = 2; bit < 12; bit++)
        alias = alias || entries->held[(first ^ 1u << bit) % ENTRIES];
    entries->aliases += count == 1 && alias && !entries->held[first];
    for (uint32_t i = 0; i < count; i++)
        entries->held[(first + i) % ENTRIES] = true;
    entries->words = 0;
}

static void see_upload(void *user, uint32_t id, uint32_t word)
{
    struct uploads *const uploads = user;
    const enum pica_reg_class reg_class = id < PICA_REG_TOTAL ? pica_reg_info(id)->reg_class : PICA_REG_CLASS_STORAGE;
    if (reg_class == PICA_REG_CLASS_INDEX) {
        close_upload(&uploads->of[id], id);
        uploads->of[id].index = word;
    } else if (reg_class == PICA_REG_CLASS_PORT) {
        while (pica_reg_info(id)->reg_class != PICA_REG_CLASS_INDEX)
            id--;
        uploads->of[id].words++;
    }
}

/* REG-20: who looks at the lower bits of an index only puts words over those that are needed. */
Test(extremes, REG_20_words_go_to_aliases_of_the_places_that_are_needed)
{
    /* Of tables and uniforms one entry alone may be new without that, too. */
    static const enum pica_reg ids[] = { PICA_REG_VSH_CODETRANSFER_INDEX, PICA_REG_VSH_OPDESCS_INDEX };
    const struct harness_generate_options options = { .mode = HARNESS_GENERATE_DEFINED,
                                                      .areas = harness_generate_area("delta") };
    static struct uploads uploads;
    struct harness_case *const test_case = harness_case_create();
    for (uint64_t seed = 1; seed <= 4 * CASES; seed++) {
        harness_generate(test_case, seed, &options);
        for (uint32_t id = 0; id < PICA_REGISTERS; id++)
            memset(uploads.of[id].held, 0, sizeof uploads.of[id].held);
        for (uint32_t i = 0; i < test_case->operation_count; i++)
            if (test_case->operations[i].data.kind == HARNESS_DATA_LIST)
                see_list(&test_case->operations[i].data.list, see_upload, &uploads);
        for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
            close_upload(&uploads.of[id], id);
    }
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        cr_expect_gt(uploads.of[ids[i]].aliases, 8, "%s: %u", pica_reg_info(ids[i])->name, uploads.of[ids[i]].aliases);
    harness_case_destroy(test_case);
}

/* An operand, a descriptor or an index of a table becomes an alias of another one in the case. */
Test(extremes, mutation_makes_an_id_an_alias_of_another_one)
{
    struct harness_case *const test_case = harness_case_create();
    uint32_t places = 0, descriptors = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        struct harness_random random;
        harness_case_reset(test_case);
        struct harness_list *const list = &harness_case_add_run(test_case, PICA_VRAM_ADDRESS)->data.list;
        const uint32_t code[2] = { pica_shader_format_1_set_desc(0, 3), pica_shader_format_1_set_desc(0, 0x50) };
        const struct harness_writes upload = {
            .id = PICA_REG_VSH_CODETRANSFER_DATA0, .mask = 15, .parameters = code, .count = 2
        };
        cr_assert(harness_list_write(test_case, list, PICA_REG_VSH_OPDESCS_INDEX, 0x28));
        cr_assert(harness_list_write(test_case, list, PICA_REG_GSH_OPDESCS_INDEX, 0x53));
        cr_assert_not_null(harness_list_insert(test_case, list, 2, &upload));
        harness_random_init(&random, seed);
        const struct mutation mutation = { .test_case = test_case, .random = &random };
        (void)(seed % 2 == 0 ? mutate_copy_field : mutate_shader)(&mutation);
        if (list->count != 3)
            continue;
        const uint32_t vertex = list->commands[0].parameters[0], geometry = list->commands[1].parameters[0];
        const uint32_t bits = vertex ^ geometry;
        places += bits != 0 && (bits & (bits - 1u)) == 0 && (vertex == 0x28 || geometry == 0x53);
        const uint32_t *const words = list->commands[2].parameters;
        const uint32_t other = list->commands[2].count != 2
                                   ? 0
                                   : pica_shader_format_1_desc(words[0]) ^ pica_shader_format_1_desc(words[1]);
        descriptors += other != 0 && (other & (other - 1u)) == 0;
    }
    cr_expect_gt(places, 400, "%u", places);
    cr_expect_gt(descriptors, 90, "%u", descriptors);
    harness_case_destroy(test_case);
}
