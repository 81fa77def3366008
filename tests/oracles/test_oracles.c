/* Each oracle must see a planted difference, name it, and see none elsewhere. */
#include "oracles/equal.h"
#include "oracles/screens.h"
#include "pica/events.h"
#include "pica/regs.h"
#include "pica/state.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW_SIZE = 2 * PICA_PAGE_SIZE
};

static const struct pica_window window = { 0x18000000u, WINDOW_SIZE };

/* Two equal runs with room to plant a difference. */
struct pair {
    struct pica_state states[2];
    uint8_t memory[2][WINDOW_SIZE];
    uint64_t touched[2][1];
    uint8_t loaded[WINDOW_SIZE];
    struct oracle_run runs[2];
};

static struct pair *make_pair(void)
{
    struct pair *const pair = calloc(1, sizeof *pair);
    cr_assert_not_null(pair);
    for (int i = 0; i < 2; i++) {
        pair->memory[i][5] = 7;
        pair->touched[i][0] = 1;
        pair->runs[i] = (struct oracle_run){ .backend = i == 0 ? "left" : "right",
                                             .state = &pair->states[i],
                                             .window_count = 1,
                                             .windows = &window,
                                             .memory = { pair->memory[i] },
                                             .touched = { pair->touched[i] },
                                             .loaded = { pair->loaded } };
    }
    return pair;
}

static void expect_text(const struct oracle_report *report, const char *part)
{
    cr_expect_not_null(strstr(report->message, part), "message lacks '%s': %s", part, report->message);
}

Test(oracles, equal_runs_agree_without_a_message)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    oracle_all_equal(&pair->runs[0], &pair->runs[1], false, &report);
    cr_expect_eq(report.verdict, ORACLE_AGREE);
    cr_expect_str_eq(report.message, "");
    cr_expect_eq(report.compared, PICA_PAGE_SIZE);
    cr_expect(oracle_same(&pair->runs[0], &pair->runs[1]));
    free(pair);
}

Test(oracles, memory_equal_names_first_byte_count_and_both_values)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pair->memory[1][100] = 0xAB;
    pair->memory[1][101] = 0xCD;
    pair->memory[1][300] = 1;
    oracle_memory_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE);
    cr_expect_eq(report.differences, 3);
    cr_expect_eq(report.first, 0x18000064u);
    expect_text(&report, "3 byte(s) differ in 2 range(s) of 0x18000064-0x1800012C");
    expect_text(&report, "left 0x00, right 0xAB");
    cr_expect_not(oracle_same(&pair->runs[0], &pair->runs[1]));
    free(pair);
}

Test(oracles, memory_equal_reads_a_page_that_only_one_side_reports)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pair->memory[1][PICA_PAGE_SIZE + 1] = 9;
    pair->touched[1][0] = 3;
    oracle_memory_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE);
    free(pair);
}

Test(oracles, memory_equal_slow_finds_a_page_that_nobody_reported)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pair->memory[1][PICA_PAGE_SIZE + 1] = 9;
    oracle_memory_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_AGREE);
    oracle_memory_equal_slow(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE);
    cr_expect_eq(report.compared, WINDOW_SIZE);
    free(pair);
}

Test(oracles, memory_equal_without_page_reports_compares_everything)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pair->memory[1][PICA_PAGE_SIZE + 1] = 9;
    pair->runs[0].touched[0] = NULL;
    oracle_memory_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE);
    free(pair);
}

Test(oracles, memory_equal_that_compared_nothing_is_vacuous)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pair->touched[0][0] = pair->touched[1][0] = 0;
    oracle_memory_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_VACUOUS);
    expect_text(&report, "nothing was compared");
    free(pair);
}

Test(oracles, memory_equal_is_vacuous_if_the_gpu_changed_nothing)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    memcpy(pair->loaded, pair->memory[0], WINDOW_SIZE);
    oracle_memory_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_VACUOUS);
    expect_text(&report, "changed no byte");
    free(pair);
}

Test(oracles, registers_equal_names_register_and_field)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pair->states[1].registers[PICA_REG_DEPTH_COLOR_MASK] = 0x1041;
    oracle_registers_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE);
    cr_expect_eq(report.first, 0x107u);
    expect_text(&report, "register 0x107 DEPTH_COLOR_MASK: left 0x00000000, right 0x00001041");
    expect_text(&report, "depth_function: 0x0, 0x4");
    free(pair);
}

Test(oracles, registers_equal_sees_external_and_lcd_registers)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pair->states[0].external[0x18 / 4] = 1;
    pair->states[1].lcd_fill[1] = 2;
    oracle_registers_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.differences, 2);
    expect_text(&report, "register 0x10400018 FILL0_VALUE");
    expect_text(&report, "register 0x10202A04");
    free(pair);
}

/* For campaigns, two reports with one key are one kind of finding. */
static void expect_key(const struct pair *pair, const char *key)
{
    struct oracle_report report;
    oracle_all_equal(&pair->runs[0], &pair->runs[1], false, &report);
    cr_expect_str_eq(report.key, key);
}

Test(oracles, a_key_names_what_differs_first_but_no_value_and_not_which_of_many)
{
    struct pair *const pair = make_pair();
    expect_key(pair, "");
    pair->memory[1][100] = 0xAB;
    expect_key(pair, "memory");
    pair->memory[1][101] = 0xCD;
    expect_key(pair, "memory");
    for (uint32_t c = 10; c < 12; c++) {
        pair->states[0].units[PICA_UNIT_VERTEX].uniforms[c].bits[3] = 0x3F800000u + c;
        expect_key(pair, "state vertex shader c.w");
        pair->states[0].units[PICA_UNIT_VERTEX].uniforms[c].bits[3] = 0;
    }
    pair->states[1].external[0x18 / 4] = 1;
    expect_key(pair, "register 0x10400018 FILL0_VALUE value");
    pair->states[1].registers[PICA_REG_DEPTH_COLOR_MASK] = 0x40;
    expect_key(pair, "register 0x107 DEPTH_COLOR_MASK depth_function");
    free(pair);
}

/* Every byte of the state belongs to a comparison: flipping any of them is seen. */
Test(oracles, registers_and_state_together_see_every_byte_of_the_state)
{
    struct pair *const pair = make_pair();
    uint8_t *const bytes = (uint8_t *)&pair->states[1];
    const size_t reserved = offsetof(struct pica_state, reserved);
    size_t looked_at = 0;
    for (size_t at = 0; at < sizeof pair->states[1]; at += at < 4096 ? 1 : 13) {
        if (at == reserved)
            continue;
        struct oracle_report registers, state;
        bytes[at] ^= 0x10;
        oracle_registers_equal(&pair->runs[0], &pair->runs[1], &registers);
        oracle_state_equal(&pair->runs[0], &pair->runs[1], &state);
        cr_assert(registers.verdict == ORACLE_DIVERGE || state.verdict == ORACLE_DIVERGE,
                  "byte %zu of the state is compared by nobody", at);
        cr_assert_not(oracle_same(&pair->runs[0], &pair->runs[1]));
        bytes[at] ^= 0x10;
        looked_at++;
    }
    cr_expect_gt(looked_at, 8000);
    free(pair);
}

Test(oracles, state_equal_names_vector_component_and_rule)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pair->states[0].units[PICA_UNIT_VERTEX].uniforms[10].bits[3] = 0x3F800000u;
    oracle_state_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE);
    expect_text(&report, "vertex shader c10.w (REG-22): left 0x3F800000, right 0x00000000");
    free(pair);
}

Test(oracles, state_equal_names_table_and_entry)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pair->states[1].tables.lighting[3][255] = 5;
    oracle_state_equal(&pair->runs[0], &pair->runs[1], &report);
    expect_text(&report, "lighting table 3, entry 255 (REG-30)");
    free(pair);
}

Test(oracles, events_equal_compares_class_M_and_ignores_class_R)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pica_events_add(&pair->runs[0].events, PICA_EVENT_UNINIT_TEMP);
    oracle_events_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_AGREE);
    cr_expect(oracle_same(&pair->runs[0], &pair->runs[1]));
    pica_events_add(&pair->runs[1].events, PICA_EVENT_MEM_OOB);
    oracle_events_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE);
    expect_text(&report, "event mem-oob");
    expect_text(&report, "right only");
    cr_expect_not(oracle_same(&pair->runs[0], &pair->runs[1]));
    free(pair);
}

Test(oracles, excuse_needs_an_event_and_names_it)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    pair->memory[1][100] = 1;
    oracle_memory_equal(&pair->runs[0], &pair->runs[1], &report);
    oracle_excuse_undefined(&pair->runs[0], &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE, "there was no event to excuse it");
    pica_events_add(&pair->runs[0].events, PICA_EVENT_MEM_OOB);
    oracle_excuse_undefined(&pair->runs[0], &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE_UNDEFINED);
    expect_text(&report, "undefined behaviour touched: mem-oob");
    free(pair);
}

Test(oracles, framebuffer_equal_counts_pixels_and_names_the_first_one_from_below)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    const struct oracle_surface surface = { .address = 0x18000000u,
                                            .width = 16,
                                            .height = 8,
                                            .pitch = 16,
                                            .format = ORACLE_FORMAT_RGBA8,
                                            .layout = ORACLE_LAYOUT_TILED };
    pair->memory[0][5] = pair->memory[1][5] = 0;
    pair->memory[1][4 * 64 + 1] = 200;     /* pixel (8, memory row 0): blue */
    pair->memory[1][4 * (64 + 2) + 3] = 9; /* pixel (8, memory row 1): red */
    oracle_framebuffer_equal(&pair->runs[0], &pair->runs[1], &surface, "colour buffer", &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE);
    cr_expect_eq(report.differences, 2);
    expect_text(&report, "2 pixel(s) differ, box x 8-8, y 6-7 (y up); first x 8, y 6");
    expect_text(&report, "left rgba 0,0,0,0, right rgba 9,0,0,0");
    expect_text(&report, "r 9 g 0 b 200 a 0");
    free(pair);
}

/* 16 bits are four digits; only one depth format has a stencil value. */
Test(oracles, framebuffer_equal_shows_depth_with_the_digits_of_its_format)
{
    static const struct {
        enum oracle_format format;
        const char *words, *largest;
    } rows[] = {
        { ORACLE_FORMAT_DEPTH16, "left depth 0x0000, right depth 0x1200; ", "largest difference: depth 4608\n" },
        { ORACLE_FORMAT_DEPTH24, "left depth 0x000000, right depth 0x001200; ", "largest difference: depth 4608\n" },
        { ORACLE_FORMAT_DEPTH24_STENCIL8, "left depth 0x000000 stencil 0x00, right depth 0x001200 stencil 0x00; ",
          "largest difference: depth 4608, stencil 0\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pair *const pair = make_pair();
        struct oracle_report report;
        const struct oracle_surface surface = { .address = 0x18000000u,
                                                .width = 8,
                                                .height = 8,
                                                .pitch = 8,
                                                .format = rows[i].format,
                                                .layout = ORACLE_LAYOUT_TILED };
        pair->memory[0][0] = pair->memory[1][0] = 0;
        pair->memory[0][1] = 0;
        pair->memory[1][1] = 0x12;
        oracle_framebuffer_equal(&pair->runs[0], &pair->runs[1], &surface, "depth buffer", &report);
        expect_text(&report, rows[i].words);
        expect_text(&report, rows[i].largest);
        free(pair);
    }
}

Test(oracles, framebuffer_equal_of_no_pixels_is_vacuous)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    const struct oracle_surface surface = { .address = 0x18000000u };
    oracle_framebuffer_equal(&pair->runs[0], &pair->runs[1], &surface, "colour buffer", &report);
    cr_expect_eq(report.verdict, ORACLE_VACUOUS);
    free(pair);
}

Test(oracles, a_long_message_is_cut_not_overrun)
{
    struct oracle_report report;
    memset(&report, 0, sizeof report);
    for (int i = 0; i < 1000; i++)
        oracle_say(&report, "0123456789%d", i);
    cr_expect_eq(strlen(report.message), sizeof report.message - 1);
}

/* ------------------------------------------------------------------------------------------------------------ scope */

/* A part, and a place in it. */
static const struct {
    const char *name;
    size_t offset; /* in struct pica_state; 0 of memory and events, which are not in there */
} places[] = {
    { "memory", 0 },
    { "events", 0 },
    { "registers", offsetof(struct pica_state, registers[0x92]) },
    { "engines", offsetof(struct pica_state, external[13]) },
    { "engines", offsetof(struct pica_state, lcd_fill[1]) },
    { "interrupts", offsetof(struct pica_state, interrupts[5]) },
    { "tables", offsetof(struct pica_state, tables.lighting[0][0]) },
    { "tables", offsetof(struct pica_state, tables.proctex_difference[255]) },
    { "units", offsetof(struct pica_state, units[0].code[0]) },
    { "units", offsetof(struct pica_state, units[1].queue[3]) },
    { "fixed", offsetof(struct pica_state, fixed[0]) },
    { "fixed", offsetof(struct pica_state, immediate[15].bits[3]) },
    { "geometry", offsetof(struct pica_state, geometry.temporaries[0]) },
    { "geometry", offsetof(struct pica_state, geometry.buffer[15].bits[3]) },
    { "assembler", offsetof(struct pica_state, assembler.buffer[0]) },
    { "assembler", offsetof(struct pica_state, assembler.winding) },
};

static void plant(struct pair *pair, const char *name, size_t offset)
{
    if (strcmp(name, "memory") == 0)
        pair->memory[1][100] = 1;
    else if (strcmp(name, "events") == 0)
        pair->runs[1].events.words[0] |= 1;
    else
        ((uint8_t *)&pair->states[1])[offset] ^= 1;
}

static enum oracle_verdict verdict_within(const struct pair *pair, const struct oracle_scope *scope)
{
    struct oracle_run a = pair->runs[0], b = pair->runs[1];
    struct oracle_report report;
    b.scope = scope; /* one side suffices */
    oracle_all_equal(&a, &b, false, &report);
    cr_expect_eq(oracle_same(&a, &b), report.verdict < ORACLE_DIVERGE);
    return report.verdict;
}

Test(oracles, a_part_that_one_side_does_not_model_is_not_compared_and_every_other_is)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct pair *const pair = make_pair();
        struct oracle_scope but_this, this_alone = { .parts = 0 };
        plant(pair, places[i].name, places[i].offset);
        oracle_scope_all(&but_this);
        cr_assert(oracle_scope_ignore(&but_this, places[i].name));
        oracle_scope_all(&this_alone);
        this_alone.parts = oracle_scope_part(places[i].name);
        cr_expect_eq(verdict_within(pair, NULL), ORACLE_DIVERGE, "%s", places[i].name);
        cr_expect_lt(verdict_within(pair, &but_this), ORACLE_DIVERGE, "%s", places[i].name);
        cr_expect_eq(verdict_within(pair, &this_alone), ORACLE_DIVERGE, "%s", places[i].name);
        free(pair);
    }
}

Test(oracles, a_register_is_left_out_by_name_and_its_neighbour_is_not)
{
    static const struct {
        const char *name;
        size_t offset;
    } registers[] = {
        { "VIEWPORT_WIDTH", offsetof(struct pica_state, registers[PICA_REG_VIEWPORT_WIDTH]) },
        { "STATUS", offsetof(struct pica_state, external[0x34 / 4]) },
        { "COLOR_FILL_BOTTOM", offsetof(struct pica_state, lcd_fill[1]) },
    };
    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++) {
        struct pair *const pair = make_pair();
        struct oracle_scope scope;
        oracle_scope_all(&scope);
        cr_assert(oracle_scope_ignore(&scope, registers[i].name));
        plant(pair, "", registers[i].offset);
        cr_expect_lt(verdict_within(pair, &scope), ORACLE_DIVERGE, "%s", registers[i].name);
        plant(pair, "", registers[i].offset - 4);
        cr_expect_eq(verdict_within(pair, &scope), ORACLE_DIVERGE, "%s", registers[i].name);
        free(pair);
    }
}

Test(oracles, one_line_of_the_state_is_left_out_and_its_neighbours_are_compared)
{
    struct oracle_scope scope;
    char text[ORACLE_SCOPE_TEXT];
    struct pair *const pair = make_pair();
    oracle_scope_all(&scope);
    scope.lines &= ~(UINT64_C(1) << PICA_STATE_RESET_ARMED);
    cr_expect_not(oracle_scope_is_all(&scope));
    oracle_scope_text(&scope, text, sizeof text);
    cr_expect_not_null(strstr(text, "fixed but reset_armed, geometry, "), "%s", text);
    plant(pair, "", offsetof(struct pica_state, reset_armed));
    cr_expect_lt(verdict_within(pair, &scope), ORACLE_DIVERGE);
    plant(pair, "", offsetof(struct pica_state, immediate_count));
    cr_expect_eq(verdict_within(pair, &scope), ORACLE_DIVERGE);
    free(pair);
}

Test(oracles, a_scope_says_what_is_compared)
{
    char text[ORACLE_SCOPE_TEXT];
    struct oracle_scope scope;
    oracle_scope_all(&scope);
    cr_expect(oracle_scope_is_all(&scope));
    oracle_scope_text(&scope, text, sizeof text);
    cr_expect_str_eq(text, oracle_scope_part_names());
    cr_expect_not(oracle_scope_ignore(&scope, "NO_SUCH_REGISTER"));
    cr_expect(oracle_scope_is_all(&scope));
    scope.parts = PICA_PART_MEMORY | PICA_PART_ENGINES;
    cr_expect(oracle_scope_ignore(&scope, "STATUS"));
    oracle_scope_text(&scope, text, sizeof text);
    cr_expect_str_eq(text, "memory, engines but STATUS");
    oracle_scope_text(&(struct oracle_scope){ .parts = 0 }, text, sizeof text);
    cr_expect_str_eq(text, "nothing");
}

/* ---------------------------------------------------------------------------------------------------------- screens */

/* Both show the same colour on the bottom screen. */
static uint8_t *light_bottom(struct pair *pair)
{
    const size_t size = oracle_screen_bytes(ORACLE_SCREEN_BOTTOM);
    uint8_t *const rgb = calloc(2, size);
    cr_assert_not_null(rgb);
    pair->runs[0].screens[ORACLE_SCREEN_BOTTOM] = rgb;
    pair->runs[1].screens[ORACLE_SCREEN_BOTTOM] = rgb + size;
    return rgb;
}

Test(oracles, a_screen_that_shows_something_else_is_named_with_its_pixel)
{
    struct pair *const pair = make_pair();
    uint8_t *const rgb = light_bottom(pair);
    struct oracle_report report;
    cr_expect(oracle_same(&pair->runs[0], &pair->runs[1]));
    rgb[3 * (2 * PICA_BOTTOM_COLUMNS + 7) + 1] = 200; /* column 7 of line 2, green */
    cr_expect_not(oracle_same(&pair->runs[0], &pair->runs[1]));
    oracle_all_equal(&pair->runs[0], &pair->runs[1], false, &report);
    cr_expect_eq(report.verdict, ORACLE_DIVERGE);
    cr_expect_str_eq(report.oracle, "screens_equal");
    cr_expect_str_eq(report.key, "display bottom screen");
    cr_expect_eq(report.first, ORACLE_SCREEN_BOTTOM);
    expect_text(&report, "bottom screen: 1 of 76800 pixels differ, first at 7,2 from the upper left: left 0 200 0, "
                         "right 0 0 0");
    free(rgb);
    free(pair);
}

Test(oracles, a_screen_that_only_one_side_shows_is_not_compared)
{
    struct pair *const pair = make_pair();
    uint8_t *const rgb = light_bottom(pair);
    struct oracle_report report;
    rgb[0] = 1;
    pair->runs[1].screens[ORACLE_SCREEN_BOTTOM] = NULL;
    cr_expect(oracle_same(&pair->runs[0], &pair->runs[1]));
    oracle_screens_equal(&pair->runs[0], &pair->runs[1], &report);
    cr_expect_eq(report.compared, 0);
    cr_expect_eq(report.verdict, ORACLE_AGREE);
    free(rgb);
    free(pair);
}

Test(oracles, a_case_that_shows_something_is_not_vacuous_though_it_writes_no_memory)
{
    struct pair *const pair = make_pair();
    struct oracle_report report;
    memcpy(pair->loaded, pair->memory[0], WINDOW_SIZE);
    oracle_all_equal(&pair->runs[0], &pair->runs[1], false, &report);
    cr_expect_eq(report.verdict, ORACLE_VACUOUS);
    uint8_t *const rgb = light_bottom(pair);
    oracle_all_equal(&pair->runs[0], &pair->runs[1], false, &report);
    cr_expect_eq(report.verdict, ORACLE_AGREE);
    cr_expect_str_eq(report.message, "");
    free(rgb);
    free(pair);
}
