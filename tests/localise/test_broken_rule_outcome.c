/* How two sides differ, as the table of rules asks for it (harness/localise/broken_rule_outcome.h). */
#include "harness/localise/broken_rule_outcome.h"
#include "harness/localise/broken_rule.h"
#include "pica/enums.h"
#include "pica/fields.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* A difference in one traced value. */
struct fixture {
    struct harness_localise *search;
    struct harness_location location;
};

static struct fixture make(enum pica_trace_id id, enum pica_trace_type type, const uint32_t *first,
                           const uint32_t *second, uint32_t count)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    struct fixture fixture = { .search = calloc(1, sizeof *fixture.search) };
    cr_assert_not_null(fixture.search);
    fixture.location = (struct harness_location){ .differs = true,
                                                  .stage = info->stage,
                                                  .value = info->name,
                                                  .has_draw = true,
                                                  .has_step = true,
                                                  .has_first = true,
                                                  .has_second = true };
    fixture.location.step_first = (struct pica_trace_step){ info->stage, info->name, 0, type, count, { 0 } };
    fixture.location.step_second = fixture.location.step_first;
    memcpy(fixture.location.step_first.values, first, count * sizeof *first);
    memcpy(fixture.location.step_second.values, second, count * sizeof *second);
    return fixture;
}

static bool is(const struct fixture *fixture, enum broken_rule_outcome outcome)
{
    return broken_rule_outcome_is(outcome, fixture->search, &fixture->location, 0);
}

Test(broken_rule_outcome, integers_that_are_off_by_one_are_rounded)
{
    struct fixture near =
        make(PICA_TRACE_ID_PRIMARY_COLOR, PICA_TRACE_UNSIGNED, (uint32_t[]){ 7, 0 }, (uint32_t[]){ 8, 0 }, 2);
    struct fixture far =
        make(PICA_TRACE_ID_PRIMARY_COLOR, PICA_TRACE_UNSIGNED, (uint32_t[]){ 7, 0 }, (uint32_t[]){ 9, 0 }, 2);
    cr_expect(is(&near, OUTCOME_ROUNDED));
    cr_expect_not(is(&far, OUTCOME_ROUNDED));
    free(near.search);
    free(far.search);
}

Test(broken_rule_outcome, floats_that_differ_in_nothing_but_the_sign)
{
    struct fixture sign = make(PICA_TRACE_ID_SHADER_RESULT, PICA_TRACE_FLOAT, (uint32_t[]){ 0x3F800000u, 0 },
                               (uint32_t[]){ 0xBF800000u, 0 }, 2);
    struct fixture other = make(PICA_TRACE_ID_SHADER_RESULT, PICA_TRACE_FLOAT, (uint32_t[]){ 0x3F800000u, 0 },
                                (uint32_t[]){ 0xBF800001u, 0 }, 2);
    cr_expect(is(&sign, OUTCOME_SIGN));
    cr_expect_not(is(&other, OUTCOME_SIGN));
    free(sign.search);
    free(other.search);
}

/* TEV-07, TEV-08: an operand is one minus the channel. */
Test(broken_rule_outcome, operands_that_are_inverted_in_all_channels_or_in_alpha)
{
    struct fixture alpha = make(PICA_TRACE_ID_COMBINER_OPERANDS, PICA_TRACE_UNSIGNED, (uint32_t[]){ 9, 9, 9, 250 },
                                (uint32_t[]){ 9, 9, 9, 5 }, 4);
    struct fixture white = make(PICA_TRACE_ID_COMBINER_OPERANDS, PICA_TRACE_UNSIGNED, (uint32_t[]){ 9, 9, 9, 255 },
                                (uint32_t[]){ 9, 9, 9, 0 }, 4);
    struct fixture all = make(PICA_TRACE_ID_COMBINER_OPERANDS, PICA_TRACE_UNSIGNED, (uint32_t[]){ 5, 9, 9, 255 },
                              (uint32_t[]){ 250, 246, 9, 0 }, 4);
    struct fixture neither = make(PICA_TRACE_ID_COMBINER_OPERANDS, PICA_TRACE_UNSIGNED, (uint32_t[]){ 5, 9, 9, 255 },
                                  (uint32_t[]){ 249, 9, 9, 255 }, 4);
    cr_expect(is(&alpha, OUTCOME_INVERTED) && is(&alpha, OUTCOME_INVERTED_ALPHA));
    cr_expect(is(&all, OUTCOME_INVERTED) && !is(&all, OUTCOME_INVERTED_ALPHA));
    cr_expect_not(is(&neither, OUTCOME_INVERTED));
    cr_expect_not(is(&white, OUTCOME_INVERTED), "0 and 255 may come from anywhere");
    free(white.search);
    free(alpha.search);
    free(all.search);
    free(neither.search);
}

/* ITP-12: whether other interpolated values agree. */
Test(broken_rule_outcome, a_colour_that_differs_alone_and_one_among_others)
{
    struct fixture fixture =
        make(PICA_TRACE_ID_PRIMARY_COLOR, PICA_TRACE_UNSIGNED, (uint32_t[]){ 7 }, (uint32_t[]){ 90 }, 1);
    const struct pica_trace_info *const info = pica_trace_info(PICA_TRACE_ID_TEXCOORD);
    struct pica_trace_step steps[2] = { { info->stage, info->name, 0, PICA_TRACE_FLOAT, 1, { 1 } },
                                        { info->stage, info->name, 0, PICA_TRACE_FLOAT, 1, { 1 } } };
    cr_expect_not(is(&fixture, OUTCOME_ALONE), "nobody says anything about others");
    for (int side = 0; side < 2; side++) {
        fixture.search->recorded[side].steps = &steps[side];
        fixture.search->recorded[side].count = 1;
    }
    cr_expect(is(&fixture, OUTCOME_ALONE));
    steps[1].values[0] = 2;
    cr_expect_not(is(&fixture, OUTCOME_ALONE));
    free(fixture.search);
}

Test(broken_rule_outcome, values_that_are_the_same_in_the_first_or_the_first_two)
{
    struct fixture third =
        make(PICA_TRACE_ID_DEPTH_TEST, PICA_TRACE_UNSIGNED, (uint32_t[]){ 1, 2, 0 }, (uint32_t[]){ 1, 2, 1 }, 3);
    struct fixture second =
        make(PICA_TRACE_ID_DEPTH_TEST, PICA_TRACE_UNSIGNED, (uint32_t[]){ 1, 2, 0 }, (uint32_t[]){ 1, 3, 1 }, 3);
    cr_expect(is(&third, OUTCOME_SAME_HEAD) && is(&third, OUTCOME_SAME_PAIR));
    cr_expect(is(&second, OUTCOME_SAME_HEAD) && !is(&second, OUTCOME_SAME_PAIR));
    free(third.search);
    free(second.search);
}

/* RST-01: (0, 0), (4, 0), (0, 4) pixels; the centre of (0, 0) is inside, that of (2, 1) on an edge, (3, 3) outside. */
Test(broken_rule_outcome, a_pixel_is_inside_on_an_edge_or_outside_of_the_triangle_that_is_drawn_there)
{
    static const struct {
        uint32_t x, y;
        bool lost, edge, outside;
    } pixels[] = { { 0, 0, true, false, false }, { 2, 1, false, true, false }, { 3, 3, false, false, true } };
    struct fixture fixture = make(PICA_TRACE_ID_WEIGHTS, PICA_TRACE_UNSIGNED, (uint32_t[]){ 0 }, (uint32_t[]){ 0 }, 1);
    const int32_t corners[3][2] = { { 0, 0 }, { 64, 0 }, { 0, 64 } };
    memcpy(fixture.location.corners, corners, sizeof corners);
    fixture.location.has_pixel = fixture.location.has_triangle = fixture.location.whole_part = true;
    fixture.search->elsewhere = HARNESS_ELSEWHERE_SAME;
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++) {
        fixture.location.pixel.x = pixels[i].x;
        fixture.location.pixel.y = pixels[i].y;
        cr_expect_eq(is(&fixture, OUTCOME_LOST_INSIDE), pixels[i].lost, "%zu", i);
        cr_expect_eq(is(&fixture, OUTCOME_ON_EDGE), pixels[i].edge, "%zu", i);
        cr_expect_eq(is(&fixture, OUTCOME_OUTSIDE), pixels[i].outside, "%zu", i);
    }
    fixture.search->elsewhere = HARNESS_ELSEWHERE_NEAR;
    fixture.location.pixel.x = fixture.location.pixel.y = 0;
    cr_expect_not(is(&fixture, OUTCOME_LOST_INSIDE), "not lost: it has other corners");
    cr_expect(is(&fixture, OUTCOME_ROUNDED_SCREEN));
    free(fixture.search);
}

/* LIT-25: a table that only one side looks up. trace.def: slot * 8 + 7 is DA, + 2 is SP. */
Test(broken_rule_outcome, a_table_that_only_one_side_looks_up)
{
    struct fixture fixture =
        make(PICA_TRACE_ID_LIGHT_TERMS, PICA_TRACE_FLOAT, (uint32_t[]){ 0 }, (uint32_t[]){ 0x3F800000u }, 1);
    const struct pica_trace_info *const info = pica_trace_info(PICA_TRACE_ID_LIGHT_LOOKUP);
    struct pica_trace_step lookup = { info->stage, info->name, 7, PICA_TRACE_FLOAT, 1, { 0 } };
    fixture.search->recorded[1].steps = &lookup;
    fixture.search->recorded[1].count = 1;
    cr_expect(is(&fixture, OUTCOME_LACKS_DA) && is(&fixture, OUTCOME_LACKS_TABLE));
    cr_expect_not(is(&fixture, OUTCOME_LACKS_SP));
    lookup.index = 15;
    cr_expect_not(is(&fixture, OUTCOME_LACKS_TABLE), "of another light");
    free(fixture.search);
}

/* Another attribute, output or texture: the same numbers in another place; 0 and 1 are everywhere. */
Test(broken_rule_outcome, a_value_that_the_other_side_has_in_another_place)
{
    struct fixture fixture = make(PICA_TRACE_ID_VERTEX_ATTRIBUTE, PICA_TRACE_FLOAT, (uint32_t[]){ 0x40000000u, 7 },
                                  (uint32_t[]){ 0x3F800000u, 0 }, 2);
    struct pica_trace_step other = fixture.location.step_first;
    fixture.search->recorded[1].steps = &other;
    fixture.search->recorded[1].count = 1;
    cr_expect_not(is(&fixture, OUTCOME_EXCHANGED), "the same place");
    other.index = 3;
    cr_expect(is(&fixture, OUTCOME_EXCHANGED));
    other.values[1] = 8;
    cr_expect_not(is(&fixture, OUTCOME_EXCHANGED), "other numbers");
    fixture.location.step_first.values[0] = other.values[0] = 0x3F800000u;
    fixture.location.step_first.values[1] = other.values[1] = 0;
    fixture.location.step_second.values[0] = 0;
    cr_expect_not(is(&fixture, OUTCOME_EXCHANGED), "0 and 1 say nothing");
    free(fixture.search);
}

/* SHD-70: an output that is 0 on one side. */
Test(broken_rule_outcome, a_value_that_one_side_has_lost)
{
    struct fixture lost =
        make(PICA_TRACE_ID_OUTPUT_SLOT, PICA_TRACE_FLOAT, (uint32_t[]){ 0 }, (uint32_t[]){ 0x40000000u }, 1);
    struct fixture other =
        make(PICA_TRACE_ID_OUTPUT_SLOT, PICA_TRACE_FLOAT, (uint32_t[]){ 7 }, (uint32_t[]){ 0x40000000u }, 1);
    cr_expect(is(&lost, OUTCOME_LOST));
    cr_expect_not(is(&other, OUTCOME_LOST));
    free(lost.search);
    free(other.search);
}

/* REG-22: the queue; REG-23: where its words go; FLT-10: what number a word is. */
Test(broken_rule_outcome, a_uniform_with_the_same_numbers_in_other_places_or_with_other_numbers)
{
    struct pica_state *const states = calloc(2, sizeof *states);
    struct fixture fixture = make(PICA_TRACE_ID_WEIGHTS, PICA_TRACE_UNSIGNED, (uint32_t[]){ 0 }, (uint32_t[]){ 0 }, 1);
    fixture.location.stage = "state";
    fixture.location.has_draw = fixture.location.has_step = false;
    fixture.search->runs[0].state = &states[0];
    fixture.search->runs[1].state = &states[1];
    cr_expect_not(is(&fixture, OUTCOME_STORED_OTHERWISE) || is(&fixture, OUTCOME_STORED_SHUFFLED));
    ((uint32_t *)&states[0].units[0].uniforms[5])[0] = 0x3F800000u;
    cr_expect_not(is(&fixture, OUTCOME_STORED_OTHERWISE), "one side has not stored it");
    ((uint32_t *)&states[1].units[0].uniforms[5])[0] = 0x40000000u;
    cr_expect(is(&fixture, OUTCOME_STORED_OTHERWISE));
    ((uint32_t *)&states[1].units[1].uniforms[7])[2] = 0x3F800000u;
    cr_expect_not(is(&fixture, OUTCOME_STORED_OTHERWISE), "one side has it in another place");
    ((uint32_t *)&states[1].units[1].uniforms[7])[2] = 0;
    ((uint32_t *)&states[1].units[0].uniforms[5])[0] = 0;
    ((uint32_t *)&states[1].units[0].uniforms[5])[1] = 0x3F800000u;
    cr_expect(is(&fixture, OUTCOME_STORED_SHUFFLED));
    cr_expect_not(is(&fixture, OUTCOME_STORED_OTHERWISE));
    states[1].units[0].queue_length = 1;
    cr_expect_not(is(&fixture, OUTCOME_STORED_SHUFFLED), "the queues differ, too");
    free(fixture.search);
    free(states);
}

/* CMD-03: two words to one register, and what is left there; EXT-CMD-03: a list that did not start. */
Test(broken_rule_outcome, a_list_that_did_not_start_and_a_word_that_is_another_one)
{
    struct pica_state *const states = calloc(2, sizeof *states);
    struct fixture fixture = make(PICA_TRACE_ID_WEIGHTS, PICA_TRACE_UNSIGNED, (uint32_t[]){ 0 }, (uint32_t[]){ 0 }, 1);
    fixture.location.stage = "registers";
    fixture.location.has_draw = fixture.location.has_step = false;
    fixture.location.kind = PICA_OPERATION_SUBMIT_LIST;
    fixture.location.has_command = true;
    fixture.location.command = 1;
    fixture.location.header = PICA_REG_FOG_COLOR | 0xFu << 16 | 1u << 20;
    fixture.search->runs[0].state = &states[0];
    fixture.search->runs[1].state = &states[1];
    cr_expect_not(is(&fixture, OUTCOME_OTHER_WORD) || is(&fixture, OUTCOME_NOT_STARTED));
    states[0].registers[PICA_REG_FOG_COLOR] = 1;
    cr_expect(is(&fixture, OUTCOME_OTHER_WORD));
    cr_expect_not(is(&fixture, OUTCOME_NOT_STARTED));
    states[1].registers[PICA_REG_CMDBUF_JUMP0] = 1;
    cr_expect(is(&fixture, OUTCOME_NOT_STARTED));
    free(fixture.search);
    free(states);
}

/* --------------------------------------------------------------------------------------- what the runs tell */

/* GSH-11: the same vertices wait, and the inputs made of them are others. */
Test(broken_rule_outcome, GSH_11_other_inputs_from_the_same_waiting_vertices)
{
    struct pica_state *const states = calloc(2, sizeof *states);
    struct fixture fixture = make(PICA_TRACE_ID_WEIGHTS, PICA_TRACE_UNSIGNED, (uint32_t[]){ 0 }, (uint32_t[]){ 0 }, 1);
    cr_assert_not_null(states);
    for (int side = 0; side < 2; side++)
        fixture.search->runs[side].state = &states[side];
    fixture.location.kind = PICA_OPERATION_SUBMIT_LIST;
    harness_localise_name(fixture.search, &fixture.location);
    cr_expect_not(is(&fixture, OUTCOME_SAME_BUFFER));
    ((uint32_t *)states[1].geometry.inputs)[0] = 1;
    harness_localise_name(fixture.search, &fixture.location);
    cr_expect(is(&fixture, OUTCOME_SAME_BUFFER));
    ((uint32_t *)states[1].geometry.buffer)[0] = 1;
    harness_localise_name(fixture.search, &fixture.location);
    cr_expect_not(is(&fixture, OUTCOME_SAME_BUFFER), "others wait");
    free(fixture.search);
    free(states);
}

/* A fog mode that is none (FOG-01), and a table with differences between entries (FOG-03). */
Test(broken_rule_outcome, a_reserved_encoding_comes_first_only_if_experiments_have_left_it)
{
    struct fixture fixture =
        make(PICA_TRACE_ID_FOG_COLOR, PICA_TRACE_UNSIGNED, (uint32_t[]){ 0 }, (uint32_t[]){ 9 }, 1);
    struct harness_localise *const search = fixture.search;
    search->needed[PICA_REG_TEXENV_UPDATE_BUFFER] = PICA_FOG_MODE_RESERVED_1;
    search->needs_slopes = true;
    fixture.location.rule = "";
    harness_localise_rule(search, &fixture.location);
    cr_assert_not_null(fixture.location.broken[0]);
    cr_expect_str_eq(fixture.location.broken[0], "FOG-03", "%s", fixture.location.broken[0]);
    memset(fixture.location.broken, 0, sizeof fixture.location.broken);
    search->is_tried = true;
    harness_localise_rule(search, &fixture.location);
    cr_expect_str_eq(fixture.location.broken[0], "FOG-01", "%s", fixture.location.broken[0]);
    free(fixture.search);
}

/* A step with the id of a rule, or what leads from there to the step behind it, says more than any guess; but not where
 * one side keeps something, so that all that it makes is another thing. */
Test(broken_rule_outcome, what_rules_give_comes_before_guesses)
{
    struct fixture fixture =
        make(PICA_TRACE_ID_FOG_COLOR, PICA_TRACE_UNSIGNED, (uint32_t[]){ 0 }, (uint32_t[]){ 9 }, 1);
    struct harness_localise *const search = fixture.search;
    search->needs_slopes = search->by_rules = true;
    search->given_rule = "FOG-04";
    fixture.location.rule = "FOG-05";
    harness_localise_rule(search, &fixture.location);
    cr_expect_str_eq(fixture.location.broken[0], "FOG-04", "%s", fixture.location.broken[0]);
    cr_expect_str_eq(fixture.location.broken[1], "FOG-03", "%s", fixture.location.broken[1]);
    memset(fixture.location.broken, 0, sizeof fixture.location.broken);
    search->given_rule = NULL;
    harness_localise_rule(search, &fixture.location);
    cr_expect_str_eq(fixture.location.broken[0], "FOG-05", "%s", fixture.location.broken[0]);
    memset(fixture.location.broken, 0, sizeof fixture.location.broken);
    fixture.location.keeps_more = true;
    harness_localise_rule(search, &fixture.location);
    cr_expect_str_eq(fixture.location.broken[0], "FOG-03", "%s", fixture.location.broken[0]);
    free(fixture.search);
}

/* LIT-34 and LIT-30 are both left; the shadow has two fields, and fresnel one. */
Test(broken_rule_outcome, of_the_fields_that_are_left_the_rule_of_most_comes_first)
{
    struct fixture fixture =
        make(PICA_TRACE_ID_LIGHT_PRIMARY, PICA_TRACE_UNSIGNED, (uint32_t[]){ 0 }, (uint32_t[]){ 9 }, 1);
    uint32_t word = pica_lighting_config0_set_fresnel_to_primary_alpha(0, 1);
    word = pica_lighting_config0_set_shadow_enable(word, 1);
    fixture.search->is_tried = true;
    fixture.location.rule = "";
    fixture.search->needed[PICA_REG_LIGHTING_CONFIG0] = word;
    harness_localise_rule(fixture.search, &fixture.location);
    cr_assert_not_null(fixture.location.broken[0]);
    cr_expect_str_eq(fixture.location.broken[0], "LIT-30", "alone, what lets others matter comes last: %s",
                     fixture.location.broken[0]);
    memset(fixture.location.broken, 0, sizeof fixture.location.broken);
    fixture.search->needed[PICA_REG_LIGHTING_CONFIG0] = pica_lighting_config0_set_shadow_unit(word, 3);
    harness_localise_rule(fixture.search, &fixture.location);
    cr_expect_str_eq(fixture.location.broken[0], "LIT-34", "%s", fixture.location.broken[0]);
    free(fixture.search);
}

/* FOG-03: without experiments a table with differences between entries is a guess. */
Test(broken_rule_outcome, FOG_03_a_table_with_differences_where_no_experiment_ran)
{
    struct pica_state *const state = calloc(1, sizeof *state);
    struct fixture fixture =
        make(PICA_TRACE_ID_FOG_COLOR, PICA_TRACE_UNSIGNED, (uint32_t[]){ 0 }, (uint32_t[]){ 9 }, 1);
    cr_assert_not_null(state);
    fixture.search->runs[0].state = state;
    fixture.location.kind = PICA_OPERATION_SUBMIT_LIST;
    fixture.search->runs[1].state = state;
    for (uint32_t word = 0x2000; word <= 0x2001; word++) { /* an entry, and an entry with a difference */
        state->tables.fog[7] = word;
        harness_localise_name(fixture.search, &fixture.location);
        fixture.location.stage = pica_stage_word_info(PICA_STAGE_WORD_FOG)->text;
        harness_localise_needs(fixture.search, &fixture.location);
        cr_expect_eq(is(&fixture, OUTCOME_TABLE_SLOPES), word == 0x2001);
    }
    cr_expect_not(fixture.search->is_tried);
    free(fixture.search);
    free(state);
}

/* PRM-01: of the state that a draw leaves the winding alone differs. It is the assembler's, whoever set it. */
Test(broken_rule_outcome, PRM_01_the_winding_that_differs_is_the_assemblers)
{
    struct pica_state *const states = calloc(2, sizeof *states);
    struct fixture fixture = make(PICA_TRACE_ID_WEIGHTS, PICA_TRACE_UNSIGNED, (uint32_t[]){ 0 }, (uint32_t[]){ 0 }, 1);
    cr_assert_not_null(states);
    for (int side = 0; side < 2; side++)
        fixture.search->runs[side].state = &states[side];
    states[0].geometry.in_use = states[1].geometry.in_use = 1;
    states[1].assembler.winding = 1;
    fixture.location.kind = PICA_OPERATION_SUBMIT_LIST;
    fixture.location.has_step = false;
    harness_localise_name(fixture.search, &fixture.location);
    harness_localise_name_drawn(fixture.search, &fixture.location);
    cr_expect_str_eq(fixture.location.stage, "primitive assembly", "%s", fixture.location.stage);
    cr_expect_str_eq(fixture.location.rule, "PRM-01", "%s", fixture.location.rule);
    free(fixture.search);
    free(states);
}

/* A step that one side does not have is missing for what decides whether there is one, not for how it is made. */
Test(broken_rule_outcome, FBF_25_a_colour_that_only_one_side_writes)
{
    struct fixture fixture =
        make(PICA_TRACE_ID_COLOR_WRITE, PICA_TRACE_UNSIGNED, (uint32_t[]){ 1 }, (uint32_t[]){ 1 }, 1);
    fixture.search->by_rules = true;
    fixture.location.rule = "FBF-24";
    fixture.search->needed[PICA_REG_COLORBUFFER_WRITE] = 15;
    fixture.location.has_second = false;
    harness_localise_rule(fixture.search, &fixture.location);
    cr_expect_str_eq(fixture.location.broken[0], "FBF-25", "%s", fixture.location.broken[0]);
    memset(fixture.location.broken, 0, sizeof fixture.location.broken);
    fixture.location.has_second = true;
    harness_localise_rule(fixture.search, &fixture.location);
    cr_expect_str_eq(fixture.location.broken[0], "FBF-24", "%s", fixture.location.broken[0]);
    free(fixture.search);
}

/* SHD-12: the program does not begin. VTX-24: of the first vertex there is nothing to take instead. */
Test(broken_rule_outcome, a_program_that_does_not_begin)
{
    struct fixture fixture =
        make(PICA_TRACE_ID_SHADER_INSTRUCTION, PICA_TRACE_UNSIGNED, (uint32_t[]){ 1 }, (uint32_t[]){ 0 }, 1);
    const struct pica_trace_info *const output = pica_trace_info(PICA_TRACE_ID_OUTPUT_REGISTER);
    cr_expect_not(is(&fixture, OUTCOME_NOT_BEGUN), "both run one");
    fixture.location.step_second.name = output->name;
    fixture.location.trigger = PICA_REG_DRAWELEMENTS;
    cr_expect(is(&fixture, OUTCOME_NOT_BEGUN));
    cr_expect_not(is(&fixture, OUTCOME_REUSED));
    fixture.location.vertex = 1;
    cr_expect(is(&fixture, OUTCOME_REUSED));
    fixture.location.has_previous = true;
    cr_expect_not(is(&fixture, OUTCOME_NOT_BEGUN), "it ends early");
    free(fixture.search);
}

/* Before the assembler something differs: there the triangle is lost. */
Test(broken_rule_outcome, a_lost_triangle_is_the_faults_of_the_state_before_it)
{
    struct pica_state *const states = calloc(2, sizeof *states);
    struct fixture fixture = make(PICA_TRACE_ID_WEIGHTS, PICA_TRACE_UNSIGNED, (uint32_t[]){ 0 }, (uint32_t[]){ 0 }, 1);
    struct harness_location *const location = &fixture.location;
    cr_assert_not_null(states);
    for (int side = 0; side < 2; side++)
        fixture.search->runs[side].state = &states[side];
    location->kind = PICA_OPERATION_SUBMIT_LIST;
    states[1].assembler.count = 1;
    harness_localise_name(fixture.search, location);
    location->stage = "raster";
    harness_localise_name_lost(fixture.search, location);
    cr_expect_str_eq(location->stage, "raster", "the assembler differs because of it: %s", location->stage);
    states[1].fixed_queue_length = 1;
    harness_localise_name(fixture.search, location);
    harness_localise_name_lost(fixture.search, location);
    cr_expect_str_eq(location->stage, "state", "%s", location->stage);
    cr_expect_str_eq(location->rule, "REG-25", "%s", location->rule);
    for (int side = 0; side < 2; side++) {
        states[side].geometry.in_use = 1;
        states[side].geometry.mode = PICA_GSH_MODE_VARIABLE;
    }
    ((uint32_t *)states[1].units[PICA_UNIT_GEOMETRY].uniforms)[0] = 1;
    harness_localise_name(fixture.search, location);
    harness_localise_name_lost(fixture.search, location);
    cr_expect_str_eq(location->stage, "geometry shader", "%s", location->stage);
    cr_expect_str_eq(location->rule, "GSH-20", "%s", location->rule);
    free(fixture.search);
    free(states);
}
