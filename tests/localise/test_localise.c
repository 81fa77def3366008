/* The localiser on planted bugs (bench/bugs): operation, command, draw, pixel, stage and value, and where it must
 * stop. */
#include "harness/case/formats.h"
#include "harness/localise/localise.h"
#include "harness/run/backends.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char *const bugs = PICAFUZZ_BINARY_DIR "/bugs/";
static const char *const seeds = PICAFUZZ_SOURCE_DIR "/corpus/seeds/";

/* What a test may do to the backends before they are used. */
typedef void (*change_function)(struct pica_backend *backend);

/* Locates the difference between a sound backend and the one with the bug. */
static void locate_case(const char *sound, const char *bug, change_function change, struct harness_case *test_case,
                        struct harness_location *location)
{
    char path[1024];
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_error error = { "" };
    struct harness_backend opened[2];
    struct pica_backend changed[2];
    struct harness_runner *runners[2];
    struct harness_program *const program = harness_program_create();
    (void)snprintf(path, sizeof path, "%s%s.so", bugs, bug);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(harness_backend_open_here(i == 0 ? sound : path, &opened[i], &error), HARNESS_OK, "%s",
                     error.message);
        changed[i] = *opened[i].backend;
        if (change != NULL)
            change(&changed[i]);
        cr_assert_eq(harness_runner_create(&changed[i], &options, &runners[i]), PICA_OK);
    }
    cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_localise(runners[0], runners[1], program, location, &error), HARNESS_OK, "%s", error.message);
    cr_assert(location->differs, "%s: the case does not show the bug", bug);
    cr_expect_str_eq(location->second, bug);
    for (int i = 0; i < 2; i++) {
        harness_runner_destroy(runners[i]);
        harness_backend_close(&opened[i]);
    }
    location->first = location->second = NULL; /* names in a library that is closed */
    harness_program_destroy(program);
}

static void locate_text(const char *sound, const char *bug, change_function change, const char *text,
                        struct harness_location *location)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), "test", &error), HARNESS_OK, "%s", error.message);
    locate_case(sound, bug, change, test_case, location);
    harness_case_destroy(test_case);
}

static void locate_seed(const char *sound, const char *bug, change_function change, const char *seed,
                        struct harness_location *location)
{
    char path[1024];
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    (void)snprintf(path, sizeof path, "%s%s", seeds, seed);
    cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    locate_case(sound, bug, change, test_case, location);
    harness_case_destroy(test_case);
}

static void expect_command(const struct harness_location *location, uint32_t operation, uint32_t list, uint32_t id)
{
    cr_expect_eq(location->operation, operation);
    cr_expect_eq(location->kind, PICA_OPERATION_SUBMIT_LIST);
    cr_assert(location->has_command);
    cr_assert_neq(location->command_word, UINT32_MAX, "the command is not known");
    cr_expect_eq(location->command_list, list);
    cr_expect_eq(pica_command_header_id(location->header), id, "0x%03X", pica_command_header_id(location->header));
}

static void expect_draw(const struct harness_location *location, uint32_t draw, uint32_t trigger)
{
    cr_assert(location->has_draw);
    cr_expect_eq(location->draw, draw, "draw %u", location->draw);
    cr_expect_eq(location->trigger, trigger);
    cr_expect_eq(location->list_word, location->command_word);
    cr_expect_eq(location->list_address, location->command_list);
}

static void expect_pixel(const struct harness_location *location, uint32_t x, uint32_t y)
{
    cr_assert(location->has_pixel);
    cr_expect_eq(location->pixel.x, x);
    cr_expect_eq(location->pixel.y, y);
}

static void expect_values(const struct harness_location *location, enum pica_trace_id id, const uint32_t first[4],
                          const uint32_t second[4])
{
    cr_assert(location->has_step && location->has_first && location->has_second);
    cr_expect_eq(location->relation, ORACLE_TRACE_VALUES);
    cr_expect_str_eq(location->stage, pica_trace_info(id)->stage);
    cr_expect_str_eq(location->rule, pica_trace_info(id)->rule);
    cr_expect_str_eq(location->step_first.name, pica_trace_info(id)->name);
    cr_expect_str_eq(location->step_second.name, pica_trace_info(id)->name, "it does not outlive the library");
    cr_expect_arr_eq(location->step_first.values, first, 16);
    cr_expect_arr_eq(location->step_second.values, second, 16);
}

/* --------------------------------------------------------------------------------------------- one bug of each kind */

/* The seed's own comment: min of (200, 100, 50) * 128 / 255 and (10, 20, 30) * 127 / 255. */
Test(localise, a_blending_bug_to_its_result)
{
    struct harness_location at;
    locate_seed("reference", "blend-minmax-ignores-factors", NULL, "blend/min-max-with-factors.pcase", &at);
    expect_command(&at, 0, 0x18003000u, PICA_REG_DRAWARRAYS);
    expect_draw(&at, 0, PICA_REG_DRAWARRAYS);
    expect_pixel(&at, 0, 0);
    expect_values(&at, PICA_TRACE_ID_BLEND_RESULT, (const uint32_t[]){ 4, 9, 14, 127 },
                  (const uint32_t[]){ 10, 20, 30, 127 });
    cr_expect(at.has_triangle);
    cr_expect_str_empty(at.note);
}

/* The seed's own comment: 200 and not 206 is 0; the other way round, 6. The third draw has the operation. */
Test(localise, a_wrong_logic_operation_to_its_result)
{
    struct harness_location at;
    locate_seed("reference", "logic_op-row", NULL, "logic_op/sixteen-operations.pcase", &at);
    expect_draw(&at, 2, PICA_REG_DRAWARRAYS);
    expect_values(&at, PICA_TRACE_ID_LOGIC_OP_RESULT, (const uint32_t[]){ 0, 0, 0, 0 },
                  (const uint32_t[]){ 6, 0, 0, 0 });
    cr_expect_str_eq(at.stage, "logic operation");
}

/* The same list, loaded into memory and started by three CPU writes (EXT-CMD-02): the third is the guilty operation. */
static void write_started_by_cpu(struct harness_case *test_case)
{
    struct harness_error error = { "" };
    cr_assert_eq(harness_case_load_file(test_case, PICAFUZZ_SOURCE_DIR "/corpus/seeds/blend/min-max-with-factors.pcase",
                                        NULL, NULL, &error),
                 HARNESS_OK, "%s", error.message);
    struct harness_operation *const run = &test_case->operations[0];
    cr_assert_eq(run->kind, HARNESS_RUN);
    const uint32_t address = run->address;
    run->kind = HARNESS_LOAD;
    harness_case_add_write(test_case, 0x104018E0u, 0x80); /* SUB-02: units of 8 bytes; zeros after the list */
    harness_case_add_write(test_case, 0x104018E8u, address / 8u);
    harness_case_add_write(test_case, 0x104018F0u, 1);
}

Test(localise, a_list_that_the_cpu_starts_to_register_and_word)
{
    struct harness_location at;
    struct harness_text text = { 0 };
    struct harness_case *const test_case = harness_case_create();
    write_started_by_cpu(test_case);
    locate_case("reference", "blend-minmax-ignores-factors", NULL, test_case, &at);
    cr_expect_eq(at.operation, 3);
    cr_expect_eq(at.kind, PICA_OPERATION_WRITE_REGISTER);
    cr_expect_eq(at.write_address, 0x104018F0u);
    cr_assert(at.has_command);
    cr_expect_eq(at.command_list, 0x18003000u);
    cr_expect_eq(at.command_word, 0x3Fu);
    cr_expect_eq(pica_command_header_id(at.header), PICA_REG_DRAWARRAYS);
    expect_draw(&at, 0, PICA_REG_DRAWARRAYS);
    at.first = at.second = "a";
    harness_location_text(&at, &text);
    cr_expect_not_null(strstr(harness_text_string(&text), "(write register): 0x23C CMDBUF_JUMP0 = 1\n"), "%s",
                       harness_text_string(&text));
    cr_expect_not_null(strstr(harness_text_string(&text), "word 0x3F of the list at 0x18003000: 0x22E DRAWARRAYS"),
                       "%s", harness_text_string(&text));
    harness_text_free(&text);
    harness_case_destroy(test_case);
}

Test(localise, a_texture_bug_to_its_texel)
{
    struct harness_location at;
    locate_seed("reference", "texture-a4-nibble-order", NULL, "texture/four-bit-formats.pcase", &at);
    expect_command(&at, 0, 0x18003000u, PICA_REG_DRAWARRAYS);
    expect_draw(&at, 0, PICA_REG_DRAWARRAYS);
    cr_assert(at.has_step && at.has_first && at.has_second);
    cr_expect_str_eq(at.stage, "texture");
    cr_expect_str_eq(at.rule, pica_trace_info(PICA_TRACE_ID_TEXTURE_TEXEL)->rule);
    cr_expect_str_eq(at.broken[0], "TEX-24"); /* which half of a byte */
    cr_expect_str_eq(at.step_first.name, "TEX-24");
    cr_expect_eq(at.step_first.values[0], 170);
    cr_expect_eq(at.step_second.values[0], 187);
}

Test(localise, a_shader_bug_to_its_instruction)
{
    struct harness_location at;
    locate_seed("reference", "shader-loop-body-one-longer", NULL, "shader/loop.pcase", &at);
    cr_expect(at.has_draw && at.has_pixel && at.has_vertex && at.has_step);
    cr_expect_eq(at.vertex, 0);
    cr_expect_str_eq(at.stage, "shader");
    cr_expect(at.has_instruction);
    cr_expect_str_not_empty(at.instruction);
    cr_assert_not_null(at.broken[0]);
    cr_expect_str_eq(at.broken[0], "SHD-48"); /* where the loop ends, which LOOP says */
}

Test(localise, a_fill_bug_to_its_operation)
{
    struct harness_location at;
    locate_seed("reference", "fill-24-bit-order", NULL, "fill/widths.pcase", &at);
    cr_expect_eq(at.operation, 1);
    cr_expect_eq(at.kind, PICA_OPERATION_MEMORY_FILL);
    cr_expect_str_eq(at.stage, "memory fill");
    cr_expect_not(at.has_command);
}

/* A side whose fills of 16 bits are right in the first two bytes only. */
static enum pica_status (*run_right)(void *instance, const struct pica_operation *operation);

static enum pica_status run_first_pattern(void *instance, const struct pica_operation *operation)
{
    static const uint8_t wrong[1] = { 0x99 };
    const enum pica_status status = run_right(instance, operation);
    if (status != PICA_OK || operation->kind != PICA_OPERATION_MEMORY_FILL)
        return status;
    const struct pica_operation spoil = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = operation->words[0] * 8u + 2u, .size = 1, .data = wrong
    };
    return run_right(instance, &spoil);
}

static void repeat_wrongly(struct pica_backend *backend)
{
    if (strcmp(backend->name, "reference") == 0)
        return;
    run_right = backend->run;
    backend->run = run_first_pattern;
}

Test(localise, PSC_06_a_fill_whose_first_pattern_is_right_repeats_it_wrongly)
{
    struct harness_location at;
    locate_text("reference", "fill-24-bit-order", repeat_wrongly,
                "pcase 1\nwindow 0x18000000 size 0x1000\n"
                "fill 0 {\n FILL0_START { address = 0x18000100 }\n FILL0_END { address = 0x18000140 }\n"
                " FILL0_VALUE = 0x1234\n FILL0_CTRL { start = 1, width = 16-bit }\n}\n",
                &at);
    cr_expect_str_eq(at.stage, "memory fill");
    cr_assert_not_null(at.broken[0]);
    cr_expect_str_eq(at.broken[0], "PSC-06", "%s", at.broken[0]);
}

Test(localise, a_register_bug_to_its_command_not_to_the_draw_that_shows_it)
{
    struct harness_location at;
    locate_seed("reference", "assembly-restart-ignored", NULL, "assembly/carry-over-and-restart.pcase", &at);
    expect_command(&at, 0, 0x18003000u, PICA_REG_RESTART_PRIMITIVE);
    cr_expect_not(at.has_draw);
    cr_expect_str_eq(at.stage, "state");
}

/* The write is a step that a backend need not report, so the traces agree; the pixel does not. */
Test(localise, a_depth_that_is_not_written_to_the_write)
{
    struct harness_location at;
    locate_seed("reference", "depth_test-write-needs-test", NULL, "depth_test/depth-write.pcase", &at);
    cr_assert(at.has_step && at.has_first);
    cr_expect_not(at.has_second);
    cr_expect_str_eq(at.stage, "framebuffer");
    cr_expect_str_eq(at.step_first.name, pica_trace_info(PICA_TRACE_ID_DEPTH_WRITE)->name);
    cr_expect_str_eq(at.pixel.origin, "depth buffer");
}

/* ------------------------------------------------------------------------------------------- where a draw can stand */

#define TARGET                                       \
    "pcase 1\n"                                      \
    "window 0x18000000 size 0x4000\n"                \
    "memory 0x18000000 fill 0x0A141EFF size 0x400\n" \
    "memory 0x18002000 table f32*2 { -1 -1  3 -1  -1 3 }\n"
/* Draws (200, 100, 50, 128) over (10, 20, 30, 255). */
#define SETUP                                                                                 \
    "COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"                            \
    "COLORBUFFER_LOC { address = 0x18000000 }\n"                                              \
    "FRAMEBUFFER_DIM { width = 16, height_minus_1 = 15, top_row_first = 1 }\n"                \
    "COLORBUFFER_READ { enable = 0xF }\n"                                                     \
    "COLORBUFFER_WRITE { enable = 0xF }\n"                                                    \
    "VIEWPORT_WIDTH { half_size = 8.0 }\n"                                                    \
    "VIEWPORT_HEIGHT { half_size = 8.0 }\n"                                                   \
    "COLOR_OPERATION { blend_mode = blend }\n"                                                \
    "DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"  \
    "ATTRIBBUFFERS_LOC { base = 0x18002000 }\n"                                               \
    "ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 1 }\n" \
    "ATTRIBBUFFERS_FORMAT_HIGH = 0\n"                                                         \
    "ATTRIBBUFFER0_CONFIG1 { component0 = attribute0 }\n"                                     \
    "ATTRIBBUFFER0_CONFIG2 { stride = 8, count = 1 }\n"                                       \
    "VSH_NUM_ATTR = 0\n"                                                                      \
    "VSH_INPUTBUFFER_CONFIG { unit_use = 0xA0 }\n"                                            \
    "VSH_OUTMAP_MASK { outputs = 0x1 }\n"                                                     \
    "SH_OUTMAP_TOTAL { total = 1 }\n"                                                         \
    "SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"       \
    "shader vertex {\n mov o0, v0\n end\n }\n"                                                \
    "TEXENV5_SOURCE { rgb_source0 = constant, alpha_source0 = constant }\n"                   \
    "TEXENV5_COLOR { red = 200, green = 100, blue = 50, alpha = 128 }\n"                      \
    "PRIMITIVE_CONFIG { outputs_minus_1 = 0 }\n"                                              \
    "NUMVERTICES { count = 3 }\n"
#define ADD  "BLEND_FUNC { rgb_source = source-alpha, rgb_dest = one, alpha_source = one }\n"
#define MIN  "BLEND_FUNC { rgb_equation = min, rgb_source = source-alpha, rgb_dest = one, alpha_source = one }\n"
#define DRAW "DRAWARRAYS = 1\n"
#define DONE "FINALIZE = 0x12345678\n"

Test(localise, the_guilty_one_of_several_draws_of_a_list)
{
    struct harness_location at;
    const char *const text = TARGET "run 0x18003000 {\n" SETUP ADD DRAW DRAW MIN DRAW ADD DRAW MIN DRAW DONE "}\n";
    locate_text("reference", "blend-minmax-ignores-factors", NULL, text, &at);
    expect_command(&at, 0, 0x18003000u, PICA_REG_DRAWARRAYS);
    expect_draw(&at, 2, PICA_REG_DRAWARRAYS);
    cr_expect_str_eq(at.stage, "blend");
}

/* DRAWARRAYS by the CPU. That the equation is needed, and so its rule, is known by experiments alone. */
Test(localise, BLD_02_a_draw_by_the_cpu_is_tried_with_other_fields_as_a_command)
{
    struct harness_location at;
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    const char *const text = TARGET "run 0x18003000 {\n" SETUP MIN "FINALIZE = 0x12345678\n}\n";
    cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), "test", &error), HARNESS_OK, "%s", error.message);
    harness_case_add_write(test_case, PICA_INTERNAL_ADDRESS + 4u * PICA_REG_DRAWARRAYS, 1);
    locate_case("reference", "blend-minmax-ignores-factors", NULL, test_case, &at);
    cr_expect_eq(at.kind, PICA_OPERATION_WRITE_REGISTER);
    cr_expect_str_eq(at.stage, "blend");
    cr_assert_not_null(at.broken[0]);
    cr_expect_str_eq(at.broken[0], "BLD-02", "%s", at.broken[0]);
    harness_case_destroy(test_case);
}

Test(localise, the_second_of_three_lists)
{
    struct harness_location at;
    const char *const text = TARGET "run 0x18003000 {\n" SETUP ADD DRAW DONE "}\n"
                                    "run 0x18003800 {\n" ADD DRAW MIN DRAW DONE "}\n"
                                    "run 0x18003A00 {\n" MIN DRAW DONE "}\n";
    locate_text("reference", "blend-minmax-ignores-factors", NULL, text, &at);
    expect_command(&at, 1, 0x18003800u, PICA_REG_DRAWARRAYS);
    expect_draw(&at, 1, PICA_REG_DRAWARRAYS);
    cr_expect_eq(at.command, 4);
    cr_expect_str_eq(at.stage, "blend");
}

static const char jumps[] = TARGET "memory 0x18003800 list {\n" ADD DRAW "CMDBUF_SIZE1 { size = 48 }\n"
                                   "CMDBUF_ADDR1 { address = 0x18003900 }\nCMDBUF_JUMP1 = 1\n}\n"
                                   "memory 0x18003900 list {\n" MIN DRAW MIN MIN DRAW DONE "}\n"
                                   "run 0x18003000 {\n" SETUP ADD DRAW "CMDBUF_SIZE0 { size = 48 }\n"
                                   "CMDBUF_ADDR0 { address = 0x18003800 }\nCMDBUF_JUMP0 = 1\n}\n";

/* SUB-05: the list after the jump is not the one that was submitted. */
Test(localise, a_draw_behind_two_jumps)
{
    struct harness_location at;
    locate_text("reference", "blend-minmax-ignores-factors", NULL, jumps, &at);
    expect_command(&at, 0, 0x18003900u, PICA_REG_DRAWARRAYS);
    expect_draw(&at, 2, PICA_REG_DRAWARRAYS);
    cr_expect_eq(at.command_word, 3);
    cr_expect_str_eq(at.stage, "blend");
}

/* A side whose lists end 48 bytes early, although the register with their size is right. */
static enum pica_status (*run_whole)(void *instance, const struct pica_operation *operation);

static enum pica_status run_short(void *instance, const struct pica_operation *operation)
{
    struct pica_operation cut = *operation;
    if (cut.kind != PICA_OPERATION_SUBMIT_LIST)
        return run_whole(instance, operation);
    cut.size -= 48;
    const enum pica_status status = run_whole(instance, &cut);
    const struct pica_operation restore = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                            .address = PICA_INTERNAL_ADDRESS + 4u * PICA_REG_CMDBUF_SIZE0,
                                            .words = { operation->size / 8u } };
    return status == PICA_OK ? run_whole(instance, &restore) : status;
}

static void end_early(struct pica_backend *backend)
{
    if (strcmp(backend->name, "reference") == 0)
        return;
    run_whole = backend->run;
    backend->run = run_short;
}

/* Six commands are cut off; the first two of them change nothing. */
Test(localise, CMD_10_a_list_that_one_side_ends_early_to_the_last_command_of_both)
{
    struct harness_location at;
    locate_text("reference", "fill-24-bit-order", end_early,
                TARGET "run 0x18003000 {\nFOG_COLOR { red = 1 }\nFOG_COLOR { red = 2 }\nFOG_COLOR { red = 3 }\n"
                       "FOG_COLOR { red = 4 }\nVIEWPORT_WIDTH { half_size = 4.0 }\nFOG_COLOR { red = 5 }\n"
                       "FOG_COLOR { red = 5 }\nFOG_COLOR { red = 5 }\nFOG_COLOR { red = 5 }\n"
                       "FOG_COLOR { red = 6 }\nFOG_COLOR { red = 7 }\nFOG_COLOR { red = 8 }\n}\n",
                &at);
    cr_expect_eq(at.command, 6, "command %u", at.command);
    cr_expect_str_eq(at.stage, "command list");
    cr_assert_not_null(at.broken[0]);
    cr_expect_str_eq(at.broken[0], "CMD-10", "%s", at.broken[0]);
    cr_expect_not_null(strstr(at.note, "after command 10"), "%s", at.note);
}

/* ------------------------------------------------------------------------------------------ what a backend may lack */

static void forget_trace(struct pica_backend *backend)
{
    backend->trace = NULL;
}

Test(localise, without_trace_a_note_and_still_command_and_pixel)
{
    struct harness_location at;
    locate_seed("reference", "blend-minmax-ignores-factors", forget_trace, "blend/min-max-with-factors.pcase", &at);
    expect_command(&at, 0, 0x18003000u, PICA_REG_DRAWARRAYS);
    expect_draw(&at, 0, PICA_REG_DRAWARRAYS);
    expect_pixel(&at, 0, 0);
    cr_expect_not(at.has_step);
    cr_expect_str_eq(at.stage, "memory");
    cr_expect(strstr(at.note, "cannot trace") != NULL, "%s", at.note);
}

static void forget_draws(struct pica_backend *backend)
{
    backend->observe_draws = NULL;
    backend->trace = NULL;
}

Test(localise, without_draws_the_command_and_a_note)
{
    struct harness_location at;
    locate_seed("reference", "blend-minmax-ignores-factors", forget_draws, "blend/min-max-with-factors.pcase", &at);
    expect_command(&at, 0, 0x18003000u, PICA_REG_DRAWARRAYS);
    cr_expect_not(at.has_draw);
    cr_expect_str_not_empty(at.note);
}

/* The observer of `fast` does not survive a load. */
Test(localise, whichever_backend_comes_first)
{
    struct harness_location at;
    locate_seed("fast", "blend-minmax-ignores-factors", NULL, "blend/min-max-with-factors.pcase", &at);
    expect_draw(&at, 0, PICA_REG_DRAWARRAYS);
    cr_expect_str_eq(at.stage, "blend");
}

/*
 * The first list leaves a decoded program in a cache, which is not state of the machine; the second changes the
 * descriptor of its MOV to one that negates. From a copy of the state between the two the bug does not show.
 */
Test(localise, a_fault_that_needs_more_than_the_state_by_running_from_the_start)
{
    struct harness_location at;
    const char *const text =
        TARGET "run 0x18003000 {\n" SETUP ADD DRAW DRAW DONE "}\n"
               "run 0x18003800 {\n" ADD "VSH_OPDESCS_INDEX = 0\nVSH_OPDESCS_DATA0 = 0x0D86C37F\n" DRAW DRAW DONE "}\n";
    locate_text("reference", "shader-jit-key-without-descriptors", NULL, text, &at);
    expect_command(&at, 1, 0x18003800u, PICA_REG_DRAWARRAYS);
    expect_draw(&at, 0, PICA_REG_DRAWARRAYS);
    cr_expect_eq(at.command, 4);
    cr_expect_str_eq(at.stage, "shader");
    cr_expect(strstr(at.note, "from the start") != NULL, "%s", at.note);
}

/* The same in one list: the descriptor is what one side has not seen change. `noise` comes after it. */
#define CHANGED "VSH_OPDESCS_INDEX = 0\nVSH_OPDESCS_DATA0 = 0x0D86C37F\n"

static uint32_t loads;
static enum pica_status (*load_uncounted)(void *instance, const struct pica_setup *setup);

static enum pica_status load_counted(void *instance, const struct pica_setup *setup)
{
    loads++;
    return load_uncounted(instance, setup);
}

static void count_loads(struct pica_backend *backend)
{
    if (strcmp(backend->name, "reference") != 0)
        return;
    load_uncounted = backend->load;
    backend->load = load_counted;
}

static void locate_changed(const char *noise, uint32_t times, struct harness_location *at)
{
    static char text[1 << 15];
    size_t end = 0;
    end += (size_t)snprintf(text + end, sizeof text - end, "%s", TARGET "run 0x18003000 {\n" SETUP ADD DRAW CHANGED);
    for (uint32_t i = 0; i < times; i++)
        end += (size_t)snprintf(text + end, sizeof text - end, "%s", noise);
    end += (size_t)snprintf(text + end, sizeof text - end, "%s", DRAW DONE "}\n");
    cr_assert_lt(end, sizeof text);
    loads = 0;
    locate_text("reference", "shader-jit-key-without-descriptors", count_loads, text, at);
}

Test(localise, the_register_that_one_side_has_not_seen_change)
{
    struct harness_location at;
    locate_changed("", 0, &at);
    cr_expect(at.keeps_more);
    cr_expect_str_eq(at.stage, "shader");
    cr_assert_not_null(at.changed);
    cr_expect_str_eq(at.changed, "VSH_OPDESCS_DATA0");
    locate_changed(MIN, 200, &at);
    cr_assert_not_null(at.changed, "what the stage looks at is tried first");
    cr_expect_str_eq(at.changed, "VSH_OPDESCS_DATA0");
}

/* One run of each side for a change, however many there are, and no more than a bound of them. */
Test(localise, changes_between_draws_are_taken_back_a_bounded_number_of_times)
{
    struct harness_location at;
    locate_changed("", 0, &at);
    const uint32_t few = loads;
    locate_changed("VSH_BOOLUNIFORM = 0\n", 300, &at);
    cr_expect_lt(loads, few + 120, "%u loads, %u with one change", loads, few);
}

/* Each immediate vertex is a draw of its own; the colour that is not limited belongs to the second of three
 * (VTX-41). */
static const char immediate_triangle[] =
    "pcase 1\n"
    "window 0x18472000 size 0x1000\n"
    "\n"
    "run 0x18472450 {\n"
    "    DEPTH_COLOR_MASK { depth_function = never, red_write = 1, green_write = 1, blue_write = 1,\n"
    "        alpha_write = 1 }\n"
    "    COLORBUFFER_WRITE { enable = 0x1 }\n"
    "    COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
    "    COLORBUFFER_LOC { address = 0x18472000 }\n"
    "    FRAMEBUFFER_DIM { width = 8, height_minus_1 = 1 }\n"
    "    VIEWPORT_WIDTH { half_size = 1.0 }\n"
    "    VIEWPORT_HEIGHT { half_size = 1.0 }\n"
    "    SH_OUTMAP_TOTAL { total = 2 }\n"
    "    SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.x }\n"
    "    SH_OUTMAP_O1 { x = position.x, y = color.g, z = color.b, w = color.a }\n"
    "    VSH_OUTMAP_MASK { outputs = 0x3 }\n"
    "    VSH_CODETRANSFER_DATA0 repeat code at 0 {\n"
    "        mov o0, v0 @0\n"
    "        mov o1, v0 @0\n"
    "        end\n"
    "    }\n"
    "    VSH_CODETRANSFER_END = 0\n"
    "    VSH_OPDESCS_DATA0 repeat descriptors {\n"
    "        xyzw, xyzw, xxxx, xxxx ; @0\n"
    "    }\n"
    "    LOGIC_OP { operation = copy }\n"
    "    START_DRAW_FUNC0 = 0\n"
    "    FIXEDATTRIB_INDEX { index = 15 }\n"
    "    FIXEDATTRIB_DATA0 repeat f24 {\n"
    "        0.0 0.0 -1.0 0.0\n"
    "        3.0 0.0 0.0 0.0\n"
    "        0.0 1.0 0.0 0.0\n"
    "    }\n"
    "}\n";

Test(localise, a_corner_of_an_immediate_triangle_that_came_before_the_draw)
{
    struct harness_location at;
    locate_text("reference", "output_map-colour-not-saturated", NULL, immediate_triangle, &at);
    expect_command(&at, 0, 0x18472450u, PICA_REG_FIXEDATTRIB_DATA0);
    expect_draw(&at, 2, PICA_REG_FIXEDATTRIB_DATA0);
    cr_expect_str_eq(at.stage, pica_trace_info(PICA_TRACE_ID_OUTPUT_SLOT)->stage, "%s", at.stage);
    cr_expect_not(at.has_vertex, "the vertex is not one of the draw");
}

/* ------------------------------------------------------------------------------------------ which rule is broken */

/* The first guess on the bench's own case of a bug, and how it comes about. */
static const struct {
    const char *bug, *stage, *rule;
} rules[] = {
    /* Where the other side draws the triangle it has the same corners, other ones, or it draws none. */
    { "raster-bin-misses-border-tile", "raster", "RST-05" },
    { "raster-fill-rule-both", "raster", "RST-02" },
    { "viewport-truncate-to-12-4", "viewport", "VPT-03" },
    { "cull-mode-3", "cull", "CUL-02" },
    /* An earlier draw had the same texture: what has changed is its memory. */
    { "cache-texture-fill-unseen", "texture", "MEM-05" },
    /* The traces agree, and colours and depth lie in the same memory. */
    { "framebuffer-copies-whole", "framebuffer", "FBF-18" },
    /* What blending reads is another colour: not blending is to blame. */
    { "blend-dest-not-quantised", "framebuffer", "FBF-10" },
    /* What the guilty command writes, and whether anything came of it. */
    { "port-lut-fifo-index", "state", "REG-32" },
    { "port-uniform-queue-overflow", "registers", "REG-22" },
    /* The part of the geometry unit that differs is what only one instruction writes. */
    { "shader-cmp-y-copies-x", "geometry shader", "SHD-31" },
    /* What the rules on the way to a value give. */
    { "stencil_test-masks-swapped", "stencil test", "STC-01" },
    { "lighting-permutation-3-bit-step", "lighting", "LIT-15" },
};

Test(localise, the_broken_rule_comes_first_for_each_way_of_finding_it)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        char path[1024];
        struct harness_error error = { "" };
        struct harness_location at;
        struct harness_case *const test_case = harness_case_create();
        (void)snprintf(path, sizeof path, PICAFUZZ_SOURCE_DIR "/bench/bugs/cases/%s.pcase", rules[i].bug);
        cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
        locate_case("reference", rules[i].bug, NULL, test_case, &at);
        cr_expect_str_eq(at.stage, rules[i].stage, "%s: %s", rules[i].bug, at.stage);
        cr_assert_not_null(at.broken[0], "%s", rules[i].bug);
        cr_expect_str_eq(at.broken[0], rules[i].rule, "%s: %s", rules[i].bug, at.broken[0]);
        harness_case_destroy(test_case);
    }
}

/* --------------------------------------------------------------------------- a side that shows nothing but memory */

static void show_memory_only(struct pica_backend *backend)
{
    if (strcmp(backend->name, "reference") == 0)
        return;
    backend->models = NULL;
    backend->read_state = NULL;
    backend->read_events = NULL;
    backend->view_memory = NULL;
    backend->touched_pages = NULL;
    backend->observe_draws = NULL;
    backend->trace = NULL;
    backend->save = NULL;
    backend->restore = NULL;
}

enum {
    ODD_PIXEL = 0x180002A8 /* address of the pixel at the lower left */
};
static enum pica_status (*read_right)(void *instance, uint32_t address, uint8_t *out, size_t size);

/* Same command as with all help; the stage by experiments. */
Test(localise, a_stage_is_inferred_where_a_side_shows_only_memory)
{
    static const struct {
        const char *bug, *seed, *stage, *experiment;
    } cases[] = {
        { "blend-minmax-ignores-factors", "blend/min-max-with-factors.pcase", "blend", "blending is off" },
        { "logic_op-row", "logic_op/sixteen-operations.pcase", "logic operation", "copies its result" },
        { "texture-a4-nibble-order", "texture/four-bit-formats.pcase", "texture",
          "but not if texture 0 is drawn alone" },
        { "shader-loop-body-one-longer", "shader/loop.pcase", "shader", "outputs of the vertex shader" },
        { "depth_test-write-needs-test", "depth_test/depth-write.pcase", "framebuffer", "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct harness_location with, without;
        locate_seed("reference", cases[i].bug, NULL, cases[i].seed, &with);
        locate_seed("reference", cases[i].bug, show_memory_only, cases[i].seed, &without);
        cr_expect_eq(without.operation, with.operation, "%s", cases[i].bug);
        cr_expect_eq(without.command, with.command, "%s", cases[i].bug);
        cr_expect_eq(without.command_word, with.command_word, "%s", cases[i].bug);
        cr_expect_str_eq(without.stage, cases[i].stage, "%s: %s", cases[i].bug, without.stage);
        cr_expect_str_eq(without.stage, with.stage, "%s: with help %s", cases[i].bug, with.stage);
        cr_expect(without.inferred && !with.inferred, "%s", cases[i].bug);
        cr_expect_not_null(strstr(without.experiment, cases[i].experiment), "%s: %s", cases[i].bug, without.experiment);
        cr_expect_not(without.has_step);
    }
}

/* The bug's own case, in tests/localise/cases. */
static void locate_own(const char *bug, change_function change, struct harness_location *at)
{
    char path[1024];
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    (void)snprintf(path, sizeof path, PICAFUZZ_SOURCE_DIR "/tests/localise/cases/%s.pcase", bug);
    cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    locate_case("reference", bug, change, test_case, at);
    harness_case_destroy(test_case);
}

/* What the teller draws is what was there before; a stencil byte beside the depth that is not written; a stage that
 * reads its own constant beside the texture, and the buffer that another stage fills; coordinates that are wrong, and
 * not the texture; arrays from which nothing can be loaded, or not much; pixels in the wrong place; nothing is drawn
 * where no scissor is; an output map that nothing gets through; a colour that is read wrongly, and not what is made of
 * it; a pixel that is not covered, and so no stencil is written. */
Test(localise, what_an_experiment_would_hide_where_a_side_shows_only_memory)
{
    static const struct {
        const char *bug, *stage;
    } cases[] = {
        { "framebuffer-5551-alpha-threshold", "framebuffer" },
        { "depth_test-write-needs-test", "framebuffer" },
        { "texture-a4-nibble-order", "texture" },
        { "proctex-offset", "procedural texture" },
        { "interpolation-sum", "interpolation" },
        { "fetch-first-component", "fetch" },
        { "fetch-late-components", "fetch" },
        { "framebuffer-column", "framebuffer" },
        { "scissor-off", "scissor" },
        { "output_map-first-component", "output map" },
        { "output_map-no-output", "output map" },
        { "framebuffer-read-4-bit", "framebuffer" },
        { "clip-previous", "raster" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct harness_location at;
        locate_own(cases[i].bug, show_memory_only, &at);
        cr_expect_str_eq(at.stage, cases[i].stage, "%s: %s", cases[i].bug, at.stage);
    }
}

/* With traces. CLP-07: the vertices agree, and colours differ only in triangles that are clipped. SCS-01: a triangle is
 * drawn nowhere unless the test lets all through. STC-05: no value differs, with a trace or without. PRM-03: a triangle
 * too many, between vertices that agree. REG-25: no vertex comes out of the port, whose state differs before, too. */
Test(localise, what_the_first_differing_value_does_not_tell_is_found_by_the_rest)
{
    static const struct {
        const char *bug, *stage, *rule;
    } cases[] = {
        { "clip-colour", "clip", "CLP-07" },
        { "scissor-off", "scissor", "SCS-01" },
        { "stencil_test-unasked", "framebuffer", NULL },
        { "assembly-count", "primitive assembly", "PRM-03" },
        { "port-queue", "state", "REG-25" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct harness_location at;
        locate_own(cases[i].bug, NULL, &at);
        cr_expect_str_eq(at.stage, cases[i].stage, "%s: %s", cases[i].bug, at.stage);
        if (cases[i].rule != NULL)
            cr_expect_str_eq(at.broken[0], cases[i].rule, "%s: %s", cases[i].bug, at.broken[0]);
    }
}

/* Has another byte in a pixel that a list draws. */
static enum pica_status run_with_odd_pixel(void *instance, const struct pica_operation *operation)
{
    static uint8_t before[4], pixel[4];
    const struct pica_operation load = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = ODD_PIXEL, .size = sizeof pixel, .data = pixel
    };
    cr_assert_eq(read_right(instance, ODD_PIXEL, before, sizeof before), PICA_OK);
    const enum pica_status status = run_right(instance, operation);
    cr_assert_eq(read_right(instance, ODD_PIXEL, pixel, sizeof pixel), PICA_OK);
    if (status != PICA_OK || memcmp(before, pixel, sizeof pixel) == 0)
        return status;
    pixel[1] ^= 0x15;
    return run_right(instance, &load);
}

static void spoil_pixel(struct pica_backend *backend)
{
    if (strcmp(backend->name, "reference") == 0)
        return;
    run_right = backend->run;
    read_right = backend->read_memory;
    backend->run = run_with_odd_pixel;
    show_memory_only(backend);
}

/* One stage writes the pixel in place of all tests and blending: it is left over, and not the raster. */
Test(localise, GAS_01_the_stage_that_writes_alone_where_a_side_shows_only_memory)
{
    static struct harness_location at;
    locate_seed("reference", "blend-minmax-ignores-factors", spoil_pixel, "gas/halves-of-a-pixel.pcase", &at);
    cr_expect_str_eq(at.stage, "gas", "%s", at.stage);
    cr_expect(at.inferred);
}

/* What a list jumps to cannot be cut; the other side says what stands there. */
Test(localise, SUB_05_a_draw_behind_two_jumps_where_a_side_shows_only_memory)
{
    struct harness_location at;
    locate_text("reference", "blend-minmax-ignores-factors", show_memory_only, jumps, &at);
    expect_command(&at, 0, 0x18003900u, PICA_REG_DRAWARRAYS);
    expect_draw(&at, 2, PICA_REG_DRAWARRAYS);
    cr_expect_eq(at.command_word, 3);
    cr_expect_eq(at.list_address, 0x18003900u);
    cr_expect_eq(at.list_word, 3);
    cr_expect_str_eq(at.stage, "blend");
    cr_expect(at.inferred);
}

/* The reference's values of the pixel, from its own trace, ending with what it writes there. */
Test(localise, the_values_of_the_side_that_traces_are_kept)
{
    static struct harness_location at;
    locate_seed("reference", "blend-minmax-ignores-factors", show_memory_only, "blend/min-max-with-factors.pcase", &at);
    cr_assert_gt(at.value_count, 2);
    bool found = false;
    for (uint32_t i = 0; i < at.value_count; i++)
        found = found || (strcmp(at.values[i].stage, "blend") == 0 && strcmp(at.values[i].name, "result") == 0 &&
                          at.values[i].values[0] == 4 && at.values[i].values[3] == 127);
    cr_expect(found, "no blend result among the values");
}

/* Memory differs after a draw; the command that is not done right came before it. */
Test(localise, an_earlier_command_is_found_where_a_side_shows_only_memory)
{
    static struct harness_location at;
    locate_seed("reference", "assembly-restart-ignored", show_memory_only, "assembly/carry-over-and-restart.pcase",
                &at);
    expect_command(&at, 0, 0x18003000u, PICA_REG_RESTART_PRIMITIVE);
    cr_expect_not(at.has_draw);
    cr_expect(at.inferred);
    cr_expect_str_eq(at.stage, "state");
}

/* Of the side below. */
static struct pica_models declared;
static enum pica_status (*read_state)(void *instance, struct pica_state *out);

/* A register that does not keep what is written to it, from early on. */
static enum pica_status read_wrong_state(void *instance, struct pica_state *out)
{
    const enum pica_status status = read_state(instance, out);
    out->registers[PICA_REG_VSH_CODETRANSFER_DATA0] = 0;
    return status;
}

static void show_declared(struct pica_backend *backend)
{
    if (strcmp(backend->name, "reference") == 0)
        return;
    read_state = backend->read_state;
    show_memory_only(backend);
    backend->read_state = read_wrong_state;
    backend->models = &declared;
}

static void expect_same_for_any_parts(const char *bug, const char *seed)
{
    static const uint32_t parts[] = { PICA_PART_REGISTERS, PICA_PART_UNITS, PICA_PART_FIXED, PICA_PART_ASSEMBLER,
                                      PICA_PARTS_ALL & ~(PICA_PART_EVENTS | PICA_PART_SCREENS) };
    static struct harness_location alone, at;
    locate_seed("reference", bug, show_memory_only, seed, &alone);
    for (uint32_t subset = 0; subset < 64; subset++) {
        declared = (struct pica_models){ .size = sizeof declared, .parts = PICA_PART_MEMORY };
        for (uint32_t i = 0; i < 5; i++)
            declared.parts |= (subset >> i & 1u) != 0 ? parts[i] : 0;
        declared.budgets = subset >= 32 ? PICA_BUDGET_COMMANDS : 0;
        locate_seed("reference", bug, show_declared, seed, &at);
        cr_expect_eq(at.command, alone.command, "%s, %u: command %u", bug, subset, at.command);
        cr_expect_eq(at.command_word, alone.command_word, "%s, %u", bug, subset);
        cr_expect_str_eq(at.stage, alone.stage, "%s, %u: %s", bug, subset, at.stage);
        const char *const broken = at.broken[0] != NULL ? at.broken[0] : "";
        cr_expect_str_eq(broken, alone.broken[0] != NULL ? alone.broken[0] : "", "%s, %u: %s", bug, subset, broken);
    }
}

/* With or without a register that is wrong, a wrong pixel is the same; also where everything is declared and nothing
 * traced, for what is found by switching stages off, and for what is left then. */
Test(localise, what_a_side_declares_beside_memory_does_not_change_what_is_blamed_for_a_pixel)
{
    expect_same_for_any_parts("blend-minmax-ignores-factors", "blend/min-max-with-factors.pcase");
    expect_same_for_any_parts("depth_test-write-needs-test", "depth_test/depth-write.pcase");
}

/* Neither side tells more than memory. */
static void hide_the_bug(struct pica_backend *backend)
{
    show_memory_only(backend);
    if (strcmp(backend->name, "fast") == 0)
        *backend = (struct pica_backend){ .abi = backend->abi,
                                          .name = backend->name,
                                          .summary = backend->summary,
                                          .create = backend->create,
                                          .destroy = backend->destroy,
                                          .load = backend->load,
                                          .run = backend->run,
                                          .read_memory = backend->read_memory,
                                          .size = backend->size };
}

static void stop_at_commands(struct pica_backend *backend)
{
    hide_the_bug(backend);
    backend->models = &declared;
}

/* Where neither side says what a list jumps to, it cannot be cut behind the jump; a side that stops at a budget can. */
Test(localise, a_budget_that_is_declared_is_used)
{
    static struct harness_location at;
    declared = (struct pica_models){ .size = sizeof declared, .parts = PICA_PART_MEMORY };
    locate_text("fast", "blend-minmax-ignores-factors", stop_at_commands, jumps, &at);
    cr_expect_lt(at.command, 50, "command %u", (unsigned)at.command);
    const uint32_t cut = at.command;
    declared.budgets = PICA_BUDGET_COMMANDS;
    locate_text("fast", "blend-minmax-ignores-factors", stop_at_commands, jumps, &at);
    cr_expect_gt(at.command, cut, "%u is not behind the jump", (unsigned)at.command);
}

Test(localise, without_a_side_that_tells_the_command_and_a_note)
{
    static struct harness_location at;
    locate_seed("fast", "blend-minmax-ignores-factors", hide_the_bug, "blend/min-max-with-factors.pcase", &at);
    expect_command(&at, 0, 0x18003000u, PICA_REG_DRAWARRAYS);
    cr_expect_not(at.inferred);
    cr_expect_str_eq(at.stage, "memory");
    cr_expect_str_not_empty(at.note);
}

/* ------------------------------------------------------------------------------------------------- the broken rule */

static void locate_found(const char *bug, struct harness_location *location)
{
    char path[1024];
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    (void)snprintf(path, sizeof path, PICAFUZZ_SOURCE_DIR "/bench/bugs/cases/%s.pcase", bug);
    cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    locate_case("reference", bug, NULL, test_case, location);
    harness_case_destroy(test_case);
}

Test(localise, the_rule_that_is_broken_and_not_that_of_the_value)
{
    static struct harness_location at;
    locate_found("output_map-colour-not-saturated", &at);
    cr_expect_str_eq(at.step_first.name, "SHD-81"); /* and what SHD-80 gives before it is the same */
    cr_expect_str_eq(at.rule, "SHD-80");
    cr_expect_str_eq(at.broken[0], "SHD-81");
    locate_found("depth_test-write-needs-test", &at);
    cr_expect_str_eq(at.broken[0], "DPT-03");
    locate_found("assembly-restart-ignored", &at);
    cr_expect_str_eq(at.broken[0], "PRM-01");
}

/* Vertex 3 has the number of vertex 0: taken for it, not read wrongly (VTX-21). */
Test(localise, VTX_24_a_vertex_that_is_taken_for_an_earlier_one)
{
    static struct harness_location at;
    locate_found("fetch-cache-tag-short", &at);
    cr_expect_eq(at.vertex, 3);
    cr_expect_str_eq(at.broken[0], "VTX-24");
}

/* A draw that is traced is sound, so no value differs: what makes the difference go away names the stage. */
Test(localise, TEV_09_a_fault_that_shows_only_without_a_trace)
{
    static struct harness_location at;
    locate_found("combiner-white-without-alpha", &at);
    cr_expect_not(at.has_step);
    cr_expect(at.inferred);
    cr_expect_str_eq(at.stage, "combiner");
    cr_expect_str_eq(at.broken[0], "TEV-09");
}

static void expect_display(const char *bug, const char *seed, const char *reg, const char *rule)
{
    struct harness_location at;
    locate_seed("reference", bug, NULL, seed, &at);
    cr_expect_str_eq(at.stage, "display", "%s", bug);
    cr_assert_not_null(at.display_register, "%s", bug);
    cr_expect_str_eq(at.display_register, reg, "%s", bug);
    cr_expect_str_eq(at.rule, rule, "%s", bug);
    cr_expect(at.inferred, "%s: no reading of the registers explains the picture", bug);
}

Test(localise, a_display_bug_to_the_register_that_is_not_obeyed)
{
    expect_display("display-colour-fill-ignored", "display/color-fill.pcase", "COLOR_FILL_TOP", "PDC-07");
    expect_display("display-screens-swapped", "display/two-screens.pcase", "PDC0_LEFT0", "PDC-01");
    expect_display("display-right-eye-ignored", "display/second-buffer-and-right-eye.pcase", "PDC0_RIGHT1", "PDC-05");
    expect_display("display-stride-ignored", "display/two-screens.pcase", "PDC0_STRIDE", "PDC-02");
}
