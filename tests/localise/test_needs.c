/* What the difference of one draw needs (harness/localise/localise_needs.c), on planted bugs (bench/bugs). */
#include "harness/case/formats.h"
#include "harness/localise/localise_parts.h"
#include "harness/run/backends.h"
#include "pica/fields.h"
#include "pica/regs.h"
#include "pica/trace.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*change_function)(struct pica_backend *backend);

/* A case with one list, found by the localiser, and what it knows then of the guilty draw. */
struct fixture {
    struct harness_backend opened[2];
    struct pica_backend changed[2];
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_localise *search;
    struct harness_location location;
};

static void open_both(struct fixture *fixture, const char *bug, change_function change)
{
    char path[1024];
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_error error = { "" };
    (void)snprintf(path, sizeof path, PICAFUZZ_BINARY_DIR "/bugs/%s.so", bug);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(harness_backend_open_here(i == 0 ? "reference" : path, &fixture->opened[i], &error), HARNESS_OK,
                     "%s", error.message);
        fixture->changed[i] = *fixture->opened[i].backend;
        if (change != NULL)
            change(&fixture->changed[i]);
        cr_assert_eq(harness_runner_create(&fixture->changed[i], &options, &fixture->search->runners[i]), PICA_OK);
    }
}

static void make(struct fixture *fixture, const char *bug, const char *path, const char *text, change_function change)
{
    struct harness_error error = { "" };
    *fixture = (struct fixture){ .test_case = harness_case_create(),
                                 .program = harness_program_create(),
                                 .search = calloc(1, sizeof *fixture->search) };
    cr_assert_not_null(fixture->search);
    cr_assert_eq(text != NULL ? harness_pcase_read(fixture->test_case, text, strlen(text), "test", &error)
                              : harness_case_load_file(fixture->test_case, path, NULL, NULL, &error),
                 HARNESS_OK, "%s", error.message);
    open_both(fixture, bug, change);
    struct harness_localise *const search = fixture->search;
    struct harness_program *const program = fixture->program;
    cr_assert_eq(harness_case_setup(fixture->test_case, program, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_localise(search->runners[0], search->runners[1], program, &fixture->location, &error),
                 HARNESS_OK);
    cr_assert(fixture->location.has_draw, "%s", fixture->location.note);
    harness_runners_choices(search->runners, 2, &search->choices);
    search->program = program;
    while (program->operations[search->index].kind != PICA_OPERATION_SUBMIT_LIST)
        search->index++;
    search->operation = &program->operations[search->index];
    search->part = HARNESS_LOCALISE_MEMORY;
    search->checkpoint = harness_checkpoint_create();
    cr_assert_eq(harness_runner_load(search->runners[0], &program->setup), PICA_OK);
    cr_assert_eq(harness_runner_run(search->runners[0], program->operations, search->index), PICA_OK);
    cr_assert_eq(harness_checkpoint_take(search->checkpoint, search->runners[0], &program->setup), PICA_OK);
}

/* The guilty draw shows alone: experiments may begin. */
static void show_alone(struct fixture *fixture)
{
    bool ran = false;
    const uint32_t number = fixture->location.command;
    const struct harness_list *list = NULL;
    for (uint32_t i = 0; i < fixture->test_case->operation_count; i++)
        if (fixture->test_case->operations[i].kind == HARNESS_RUN)
            list = &fixture->test_case->operations[i].data.list;
    cr_assert(list != NULL && number <= list->count);
    cr_assert(harness_localise_shows_alone(fixture->search, &list->commands[number - 1], number, &ran) && ran);
}

static void try_needs(struct fixture *fixture)
{
    show_alone(fixture);
    harness_localise_needs(fixture->search, &fixture->location);
    cr_assert(fixture->search->is_tried);
}

static void end(struct fixture *fixture)
{
    for (int i = 0; i < 2; i++) {
        harness_runner_destroy(fixture->search->runners[i]);
        harness_backend_close(&fixture->opened[i]);
    }
    harness_localise_alone_free(fixture->search->alone);
    harness_checkpoint_destroy(fixture->search->checkpoint);
    free(fixture->search);
    harness_program_destroy(fixture->program);
    harness_case_destroy(fixture->test_case);
}

/* min of products (BLD-02): the equation is needed, and the destination's factor; that the target is read is not. */
Test(localise_needs, fields_that_the_difference_can_do_without_are_as_usual_and_others_as_they_were)
{
    struct fixture fixture;
    make(&fixture, "blend-minmax-ignores-factors", PICAFUZZ_SOURCE_DIR "/corpus/seeds/blend/min-max-with-factors.pcase",
         NULL, NULL);
    memcpy(fixture.search->needed, fixture.search->registers, sizeof fixture.search->needed);
    try_needs(&fixture);
    const uint32_t word = fixture.search->needed[PICA_REG_BLEND_FUNC];
    cr_expect_eq(pica_blend_func_rgb_equation(word), PICA_BLEND_EQUATION_MIN);
    cr_expect_eq(pica_blend_func_alpha_equation(word), PICA_BLEND_EQUATION_ADD, "min of alpha is not needed");
    end(&fixture);
}

/* Stored stencil counts as 0 while READ is off, or else nothing is drawn where a window has it. Colours differ in the
 * second half. */
static const char stored_stencil[] =
    "pcase 1\n"
    "window 0x18000000 size 0x4000\n"
    "memory 0x18000000 fill 0xFFFFFFFF size 0x200\n"
    "memory 0x18000600 fill 0x0A141EFF size 0x200\n"
    "memory 0x18001000 fill 0xFFFFFFFF size 0x400\n"
    "memory 0x18002000 table f32*2 {\n -1 -1\n 3 -1\n -1 3\n }\n"
    "run 0x18003000 {\n"
    "COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
    "COLORBUFFER_LOC { address = 0x18000400 }\n"
    "DEPTHBUFFER_FORMAT { format = d24s8 }\n"
    "DEPTHBUFFER_LOC { address = 0x%08X }\n"
    "FRAMEBUFFER_DIM { width = 16, height_minus_1 = 15, top_row_first = 1 }\n"
    "COLORBUFFER_READ { enable = 0xF }\n"
    "COLORBUFFER_WRITE { enable = 0xF }\n"
    "DEPTHBUFFER_READ { enable = 0 }\n"
    "STENCIL_TEST { enable = 1, function = equal, compare_mask = 255 }\n"
    "VIEWPORT_WIDTH { half_size = 8.0 }\n"
    "VIEWPORT_HEIGHT { half_size = 8.0 }\n"
    "COLOR_OPERATION { blend_mode = blend }\n"
    "BLEND_FUNC { rgb_equation = min, alpha_source = one, rgb_source = source-alpha, rgb_dest = source-alpha }\n"
    "DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"
    "ATTRIBBUFFERS_LOC { base = 0x18002000 }\n"
    "ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 1 }\n"
    "ATTRIBBUFFERS_FORMAT_HIGH = 0\n"
    "ATTRIBBUFFER0_CONFIG1 { component0 = attribute0 }\n"
    "ATTRIBBUFFER0_CONFIG2 { stride = 8, count = 1 }\n"
    "VSH_NUM_ATTR = 0\n"
    "VSH_INPUTBUFFER_CONFIG { unit_use = 0xA0 }\n"
    "VSH_OUTMAP_MASK { outputs = 0x1 }\n"
    "SH_OUTMAP_TOTAL { total = 1 }\n"
    "SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"
    "shader vertex {\n mov o0, v0\n end\n }\n"
    "TEXENV5_SOURCE { rgb_source0 = constant, alpha_source0 = constant }\n"
    "TEXENV5_COLOR { red = 200, green = 100, blue = 50, alpha = 128 }\n"
    "PRIMITIVE_CONFIG { outputs_minus_1 = 0 }\n"
    "NUMVERTICES { count = 3 }\n"
    "DRAWARRAYS = 1\n"
    "FINALIZE = 0x12345678\n"
    "}\n";

/* With READ on, the buffer at the first address lets nothing be drawn. Of the other one the first half lies outside of
 * the window: what is drawn there does not differ, and is undefined (FBF-01). Neither says that READ must be off. */
Test(localise_needs, a_field_is_not_needed_because_nothing_is_drawn_without_it_or_what_is_undefined)
{
    static const uint32_t addresses[] = { 0x18001000u, 0x17FFFE00u };
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        char text[sizeof stored_stencil + 8];
        struct fixture fixture;
        (void)snprintf(text, sizeof text, stored_stencil, (unsigned)addresses[i]);
        make(&fixture, "blend-minmax-ignores-factors", NULL, text, NULL);
        cr_assert_str_eq(fixture.location.stage, "blend");
        try_needs(&fixture);
        cr_expect_neq(pica_depthbuffer_access_enable(fixture.search->needed[PICA_REG_DEPTHBUFFER_READ]), 0, "%zu", i);
        cr_expect_eq(pica_blend_func_rgb_equation(fixture.search->needed[PICA_REG_BLEND_FUNC]),
                     PICA_BLEND_EQUATION_MIN);
        end(&fixture);
    }
}

/* A block of 16 texels is 8 bytes; the vertices lie right behind the four blocks of the texture. */
static const char etc1[] =
    "pcase 1\n"
    "window 0x18000000 size 0x4000\n"
    "memory 0x18001800 bytes {\n 6BA41DE2 36C9528F\n A46B2D13 C936528F\n 6BA41DE2 36C9528F\n A46B2D13 C936528F\n }\n"
    "memory 0x18001820 table f32*2 f32*2 {\n -1 -1  0 0\n 3 -1  2 0\n -1 3  0 2\n }\n"
    "run 0x18003000 {\n"
    "COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
    "COLORBUFFER_LOC { address = 0x18000000 }\n"
    "FRAMEBUFFER_DIM { width = 16, height_minus_1 = 15, top_row_first = 1 }\n"
    "COLORBUFFER_WRITE { enable = 0xF }\n"
    "VIEWPORT_WIDTH { half_size = 8.0 }\n"
    "VIEWPORT_HEIGHT { half_size = 8.0 }\n"
    "LOGIC_OP { operation = copy }\n"
    "DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"
    "ATTRIBBUFFERS_LOC { base = 0x18001820 }\n"
    "ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 1, attribute1_type = float,\n"
    " attribute1_elements_minus_1 = 1 }\n"
    "ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 1 }\n"
    "ATTRIBBUFFER0_CONFIG1 { component0 = attribute0, component1 = attribute1 }\n"
    "ATTRIBBUFFER0_CONFIG2 { stride = 16, count = 2 }\n"
    "VSH_NUM_ATTR { attributes_minus_1 = 1 }\n"
    "VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 1, unit_use = 0xA0 }\n"
    "VSH_ATTRIBUTES_PERMUTATION_LOW { input1 = 1 }\n"
    "VSH_OUTMAP_MASK { outputs = 0x3 }\n"
    "SH_OUTMAP_TOTAL { total = 2 }\n"
    "SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"
    "SH_OUTMAP_O1 { x = texcoord0.u, y = texcoord0.v, z = unused, w = unused }\n"
    "shader vertex {\n mov o0, v0\n mov o1, v1\n end\n }\n"
    "TEXUNIT_CONFIG { unit0_enable = 1 }\n"
    "TEXUNIT0_TYPE { format = etc1 }\n"
    "TEXUNIT0_DIM { height = 8, width = 8 }\n"
    "TEXUNIT0_ADDR1 { address = 0x18001800 }\n"
    "TEXENV5_SOURCE { rgb_source0 = texture0, alpha_source0 = texture0 }\n"
    "PRIMITIVE_CONFIG { outputs_minus_1 = 1 }\n"
    "NUMVERTICES { count = 3 }\n"
    "DRAWARRAYS = 1\n"
    "FINALIZE = 0x12345678\n"
    "}\n";

/* ETC-04: the tables of a block are exchanged, whatever the blocks are, so it is there with all blocks alike. Vertices
 * that were texels for an experiment that wrote too much would draw nothing. */
Test(localise_needs, texels_alike_are_written_where_the_format_has_texels)
{
    struct fixture fixture;
    make(&fixture, "texture-etc1-tables-swapped", NULL, etc1, NULL);
    cr_assert_str_eq(fixture.location.stage, "texture");
    cr_assert(fixture.location.has_step);
    try_needs(&fixture);
    cr_expect(fixture.search->differs_alike);
    cr_expect_not(fixture.search->needs_texels);
    end(&fixture);
}

/* TEX-24: with the same half in each byte nothing is left of the order of halves. */
Test(localise_needs, texels_that_are_needed_are_told_from_what_is_made_of_them)
{
    struct fixture fixture;
    make(&fixture, "texture-a4-nibble-order", PICAFUZZ_SOURCE_DIR "/corpus/seeds/texture/four-bit-formats.pcase", NULL,
         NULL);
    cr_assert_str_eq(fixture.location.stage, "texture");
    try_needs(&fixture);
    cr_expect(fixture.search->needs_texels);
    cr_expect_not(fixture.search->differs_alike);
    end(&fixture);
}

/* ------------------------------------------------------------------------------------------------------------- fog */

/* The combiner's result at the pixel, which is what fog is mixed with. */
static void record_white(struct fixture *fixture)
{
    const struct pica_trace_info *const info = pica_trace_info(PICA_TRACE_ID_COMBINER_RESULT);
    struct harness_recorded *const recorded = &fixture->search->recorded[0];
    recorded->steps = calloc(1, sizeof *recorded->steps);
    cr_assert_not_null(recorded->steps);
    recorded->steps[0] =
        (struct pica_trace_step){ info->stage, info->name, 0, PICA_TRACE_UNSIGNED, 4, { 255, 255, 255, 255 } };
    recorded->count = 1;
}

Test(localise_needs, FOG_03_of_a_table_the_differences_between_entries)
{
    struct fixture fixture;
    make(&fixture, "fog-difference-unsigned", PICAFUZZ_SOURCE_DIR "/bench/bugs/cases/fog-difference-unsigned.pcase",
         NULL, NULL);
    record_white(&fixture);
    try_needs(&fixture);
    cr_expect(fixture.search->needs_slopes);
    cr_expect(fixture.search->needs_share);
    free(fixture.search->recorded[0].steps);
    end(&fixture);
}

/* A side that takes no table without differences. */
static enum pica_status (*load_any)(void *instance, const struct pica_setup *setup);
static bool is_picky;

static enum pica_status load_slopes(void *instance, const struct pica_setup *setup)
{
    bool has_slopes = false;
    for (size_t i = 0; setup->initial_state != NULL && i < 128; i++)
        has_slopes = has_slopes || (setup->initial_state->tables.fog[i] & 0x1FFFu) != 0;
    return is_picky && !has_slopes ? PICA_FAILED : load_any(instance, setup);
}

static void be_picky(struct pica_backend *backend)
{
    if (strcmp(backend->name, "reference") != 0)
        return;
    load_any = backend->load;
    backend->load = load_slopes;
}

Test(localise_needs, an_experiment_that_could_not_run_leaves_tables_as_they_were)
{
    struct fixture fixture;
    make(&fixture, "fog-difference-unsigned", PICAFUZZ_SOURCE_DIR "/bench/bugs/cases/fog-difference-unsigned.pcase",
         NULL, be_picky);
    record_white(&fixture);
    show_alone(&fixture);
    is_picky = true;
    try_needs(&fixture);
    cr_expect_not(fixture.search->needs_slopes, "nobody knows");
    cr_expect(fixture.search->needs_share, "the next experiment had another table");
    free(fixture.search->recorded[0].steps);
    end(&fixture);
}

/* ---------------------------------------------------------------------------------------------------- pixels, skips */

/* RST-05: a tile of pixels is missing on one side, whatever values they have. */
Test(localise_needs, one_side_draws_fewer_pixels)
{
    struct fixture fixture;
    make(&fixture, "raster-bin-misses-border-tile",
         PICAFUZZ_SOURCE_DIR "/bench/bugs/cases/raster-bin-misses-border-tile.pcase", NULL, NULL);
    fixture.location.has_step = false; /* as if no trace had shown it */
    cr_assert(fixture.location.has_pixel);
    try_needs(&fixture);
    cr_expect(fixture.search->one_draws);
    end(&fixture);
}

/* The bytes of a pixel that one side does not write are no pixels that it does not draw: the same fault in alpha. */
Test(localise_needs, pixels_of_which_one_side_writes_fewer_bytes_are_as_many_pixels)
{
    struct fixture fixture;
    make(&fixture, "blend-minmax-ignores-factors", PICAFUZZ_SOURCE_DIR "/corpus/seeds/blend/min-max-with-factors.pcase",
         NULL, NULL);
    fixture.location.has_step = false;
    try_needs(&fixture);
    cr_expect_not(fixture.search->one_draws);
    end(&fixture);
}

/* CMD-05: a command that is skipped writes nothing, and all others do what they did. */
Test(localise_needs, a_skipped_command_writes_nothing)
{
    struct fixture fixture;
    bool differ = false;
    struct harness_error error = { "" };
    make(&fixture, "blend-minmax-ignores-factors", PICAFUZZ_SOURCE_DIR "/corpus/seeds/blend/min-max-with-factors.pcase",
         NULL, NULL);
    struct harness_localise *const search = fixture.search;
    const struct harness_list *const list = &fixture.test_case->operations[0].data.list;
    uint32_t words[1024], count = 0;
    uint32_t starts[256] = { 0 };
    search->replays = true;
    search->words = words;
    search->starts = starts;
    for (uint32_t i = 0; i < list->count; i++, search->start_count++) {
        words[count + 1] = harness_command_header(&list->commands[i]);
        count += harness_command_words(&list->commands[i]);
        starts[i + 1] = count;
        if (list->commands[i].id == PICA_REG_BLEND_FUNC && search->skipped == 0)
            search->skipped = i + 1;
    }
    cr_assert_neq(search->skipped, 0);
    cr_assert_eq(harness_localise_run_commands(search, fixture.location.command, &differ, &error), HARNESS_OK, "%s",
                 error.message);
    cr_expect_not(differ, "there is no min without BLEND_FUNC");
    cr_expect_eq(search->runs[0].state->registers[PICA_REG_BLEND_FUNC], pica_reg_info(PICA_REG_BLEND_FUNC)->reset);
    search->skipped = 0;
    cr_assert_eq(harness_localise_run_commands(search, fixture.location.command, &differ, &error), HARNESS_OK);
    cr_expect(differ);
    end(&fixture);
}
