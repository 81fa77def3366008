/* Two traces of the same thing: the first value that differs, whatever one side leaves out. */
#include "oracles/trace_equal.h"

#include <criterion/criterion.h>
#include <string.h>

/* A step by its line in pica/trace.def, with up to two values. */
static struct pica_trace_step step(enum pica_trace_id id, uint32_t index, uint32_t x, uint32_t y)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    const struct pica_trace_step result = { info->stage, info->name, index, info->type, 2, { x, y } };
    return result;
}

enum {
    MOST = 16
};

struct built {
    struct pica_trace_step steps[MOST];
    struct oracle_trace trace;
};

static void add(struct built *built, struct pica_trace_step next)
{
    cr_assert_lt(built->trace.count, MOST);
    built->trace.steps = built->steps;
    built->steps[built->trace.count++] = next;
}

/* A triangle at x over the pixel, whose fragment has this colour. */
static void add_triangle(struct built *built, uint32_t x, uint32_t color)
{
    for (uint32_t corner = 0; corner < 3; corner++)
        add(built, step(PICA_TRACE_ID_SCREEN_POSITION, corner, x, corner));
    add(built, step(PICA_TRACE_ID_COMBINER_RESULT, 0, color, 255));
}

Test(trace, equal_traces_are_the_same)
{
    struct built a = { 0 }, b = { 0 };
    add_triangle(&a, 5, 1);
    add_triangle(&b, 5, 1);
    struct oracle_trace_difference difference;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_SAME);
    cr_expect_eq(oracle_trace_parts(&a.trace), 1);
}

Test(trace, the_first_other_value_is_named_with_its_triangle)
{
    struct built a = { 0 }, b = { 0 };
    add_triangle(&a, 5, 1);
    add_triangle(&b, 5, 1);
    add_triangle(&a, 6, 1);
    add_triangle(&b, 6, 2);
    struct oracle_trace_difference difference;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_assert_eq(difference.relation, ORACLE_TRACE_VALUES);
    cr_expect_eq(difference.info, pica_trace_info(PICA_TRACE_ID_COMBINER_RESULT));
    cr_expect_eq(difference.part, 1);
    cr_expect_eq(difference.first->values[0], 1);
    cr_expect_eq(difference.second->values[0], 2);
    cr_expect_not(difference.whole_part);
}

/* The first value beyond the tolerance; or the first that differs at all, where none is. */
Test(trace, what_a_tolerance_allows_is_passed_over)
{
    static const struct oracle_tolerance two = { .channels = { 2, 0, 0, 0 }, .ulps = 3 };
    struct built a = { 0 }, b = { 0 };
    struct oracle_trace_difference difference;
    add(&a, step(PICA_TRACE_ID_SCREEN_POSITION, 0, 5, 5));
    add(&b, step(PICA_TRACE_ID_SCREEN_POSITION, 0, 5, 5));
    add(&a, step(PICA_TRACE_ID_DEPTH_VALUE, 0, 0x3F800000, 0));
    add(&b, step(PICA_TRACE_ID_DEPTH_VALUE, 0, 0x3F800003, 0));
    add(&a, step(PICA_TRACE_ID_COMBINER_RESULT, 0, 10, 20));
    add(&b, step(PICA_TRACE_ID_COMBINER_RESULT, 0, 12, 20));
    add(&a, step(PICA_TRACE_ID_COLOR_WRITE, 0, 0x1000, 0));
    add(&b, step(PICA_TRACE_ID_COLOR_WRITE, 0, 0x2000, 0));
    oracle_trace_compare(&a.trace, &b.trace, &two, &difference);
    cr_assert_eq(difference.relation, ORACLE_TRACE_VALUES);
    cr_expect_eq(difference.info, pica_trace_info(PICA_TRACE_ID_DEPTH_VALUE), "nothing is beyond: the first of all");
    add(&a, step(PICA_TRACE_ID_ALPHA_TEST, 0, 1, 0));
    add(&b, step(PICA_TRACE_ID_ALPHA_TEST, 0, 0, 0));
    oracle_trace_compare(&a.trace, &b.trace, &two, &difference);
    cr_expect_eq(difference.info, pica_trace_info(PICA_TRACE_ID_ALPHA_TEST), "an outcome is exact");
    b.steps[2].values[1] = 21;
    oracle_trace_compare(&a.trace, &b.trace, &two, &difference);
    cr_expect_eq(difference.info, pica_trace_info(PICA_TRACE_ID_COMBINER_RESULT), "green may not be off");
    b.steps[1].values[0] = 0x3F800004;
    oracle_trace_compare(&a.trace, &b.trace, &two, &difference);
    cr_expect_eq(difference.info, pica_trace_info(PICA_TRACE_ID_DEPTH_VALUE), "four ulps");
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.info, pica_trace_info(PICA_TRACE_ID_DEPTH_VALUE));
}

Test(trace, look_ups_of_a_light_come_in_any_order)
{
    struct built a = { 0 }, b = { 0 };
    add_triangle(&a, 5, 1);
    add_triangle(&b, 5, 1);
    for (uint32_t i = 0; i < 3; i++) {
        add(&a, step(PICA_TRACE_ID_LIGHT_LOOKUP, i, 10 + i, 0));
        add(&b, step(PICA_TRACE_ID_LIGHT_LOOKUP, 2 - i, 12 - i, 0));
    }
    add(&a, step(PICA_TRACE_ID_LIGHT_TERMS, 0, 1, 2));
    add(&b, step(PICA_TRACE_ID_LIGHT_TERMS, 0, 1, 2));
    add(&a, step(PICA_TRACE_ID_LIGHT_LOOKUP, 3, 7, 0));
    struct oracle_trace_difference difference;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_SAME, "one is missing on one side");
    oracle_trace_compare(&b.trace, &a.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_SAME);
    b.steps[5].values[0] = 99; /* number 1 */
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_assert_eq(difference.relation, ORACLE_TRACE_VALUES);
    cr_expect_eq(difference.first->index, 1);
    cr_expect_eq(difference.first->values[0], 11);
    cr_expect_eq(difference.second->values[0], 99);
}

Test(trace, steps_that_may_be_missing_are_passed_over)
{
    struct built a = { 0 }, b = { 0 };
    add(&a, step(PICA_TRACE_ID_CLIP_POSITION, 0, 1, 1)); /* only this side reports clip space */
    add_triangle(&a, 5, 1);
    add(&a, step(PICA_TRACE_ID_BLEND_RESULT, 0, 9, 9));
    add(&a, step(PICA_TRACE_ID_COLOR_WRITE, 0, 3, 0));
    add_triangle(&b, 5, 1);
    add(&b, step(PICA_TRACE_ID_BLEND_DEST, 0, 7, 7)); /* only that side */
    add(&b, step(PICA_TRACE_ID_COLOR_WRITE, 0, 3, 0));
    struct oracle_trace_difference difference;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_SAME);
    b.steps[b.trace.count - 1].values[0] = 4;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_VALUES);
    cr_expect_eq(difference.info, pica_trace_info(PICA_TRACE_ID_COLOR_WRITE));
}

/* What a rule gives, in a form that nobody has agreed on. */
Test(trace, what_rules_give_is_compared_in_one_form_only)
{
    struct built a = { 0 }, b = { 0 };
    struct oracle_trace_difference difference;
    struct pica_trace_step given = step(PICA_TRACE_ID_FOG_COLOR, 0, 7, 8);
    given.name = "FOG-03";
    add(&a, step(PICA_TRACE_ID_SCREEN_POSITION, 0, 5, 0));
    add(&b, step(PICA_TRACE_ID_SCREEN_POSITION, 0, 5, 0));
    add(&a, given);
    given.values[1] = 9;
    add(&b, given);
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_neq(difference.relation, ORACLE_TRACE_SAME);
    b.steps[1].type = PICA_TRACE_FLOAT;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_SAME, "another type");
    b.steps[1] = given;
    b.steps[1].count = 1;
    b.steps[1].values[0] = 6;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_SAME, "another number of values");
}

Test(trace, a_step_that_must_be_there_is_missed)
{
    struct built a = { 0 }, b = { 0 };
    add_triangle(&a, 5, 1);
    add_triangle(&b, 5, 1);
    add(&a, step(PICA_TRACE_ID_ALPHA_TEST, 0, 1, 0));
    struct oracle_trace_difference difference;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_ONLY_FIRST);
    cr_expect_eq(difference.info, pica_trace_info(PICA_TRACE_ID_ALPHA_TEST));
    cr_expect_not(difference.whole_part);
    oracle_trace_compare(&b.trace, &a.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_ONLY_SECOND);
}

Test(trace, a_triangle_that_one_side_lacks_is_told_from_a_triangle_that_lies_elsewhere)
{
    struct built a = { 0 }, b = { 0 };
    add_triangle(&a, 5, 1);
    add_triangle(&a, 6, 1);
    add_triangle(&a, 7, 1);
    add_triangle(&b, 5, 1);
    add_triangle(&b, 7, 1);
    struct oracle_trace_difference difference;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_ONLY_FIRST);
    cr_expect(difference.whole_part);
    cr_expect_eq(difference.part, 1);
    cr_assert_not_null(difference.first);
    cr_expect_eq(difference.first->values[0], 6);
    oracle_trace_compare(&b.trace, &a.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_ONLY_SECOND);
    cr_expect(difference.whole_part);
    /* the same number of triangles, one moved: the position is at fault, no triangle is missing */
    b.trace.count = 0;
    add_triangle(&b, 5, 1);
    add_triangle(&b, 8, 1);
    add_triangle(&b, 7, 1);
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_VALUES);
    cr_expect_eq(difference.info, pica_trace_info(PICA_TRACE_ID_SCREEN_POSITION));
    cr_expect_not(difference.whole_part);
}

Test(trace, a_last_triangle_that_one_side_lacks_is_missing_as_a_whole)
{
    struct built a = { 0 }, b = { 0 };
    add_triangle(&a, 5, 1);
    add_triangle(&b, 5, 1);
    add_triangle(&b, 6, 1);
    struct oracle_trace_difference difference;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_ONLY_SECOND);
    cr_expect(difference.whole_part);
    cr_expect_eq(difference.part, 1);
}

Test(trace, control_flow_that_parts_is_a_path)
{
    struct built a = { 0 }, b = { 0 };
    add(&a, step(PICA_TRACE_ID_VERTEX_NUMBER, 0, 3, 0));
    add(&b, step(PICA_TRACE_ID_VERTEX_NUMBER, 0, 3, 0));
    add(&a, step(PICA_TRACE_ID_SHADER_INSTRUCTION, 10, 1, 0));
    add(&b, step(PICA_TRACE_ID_SHADER_INSTRUCTION, 10, 1, 0));
    add(&a, step(PICA_TRACE_ID_SHADER_INSTRUCTION, 11, 1, 0));
    add(&b, step(PICA_TRACE_ID_SHADER_INSTRUCTION, 14, 1, 0));
    struct oracle_trace_difference difference;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_assert_eq(difference.relation, ORACLE_TRACE_PATH);
    cr_expect_eq(difference.first->index, 11);
    cr_expect_eq(difference.second->index, 14);
}

Test(trace, a_write_that_only_one_side_reports_is_found_when_asked_for)
{
    struct built a = { 0 }, b = { 0 };
    add_triangle(&a, 5, 1);
    add_triangle(&b, 5, 1);
    add(&a, step(PICA_TRACE_ID_DEPTH_WRITE, 0, 7, 0));
    add(&a, step(PICA_TRACE_ID_COLOR_WRITE, 0, 9, 0));
    add(&b, step(PICA_TRACE_ID_COLOR_WRITE, 0, 9, 0));
    struct oracle_trace_difference difference;
    oracle_trace_compare(&a.trace, &b.trace, NULL, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_SAME, "it need not be reported");
    oracle_trace_compare_writes(&a.trace, &b.trace, &difference);
    cr_assert_eq(difference.relation, ORACLE_TRACE_ONLY_FIRST);
    cr_expect_eq(difference.info, pica_trace_info(PICA_TRACE_ID_DEPTH_WRITE));
    oracle_trace_compare_writes(&b.trace, &a.trace, &difference);
    cr_assert_eq(difference.relation, ORACLE_TRACE_ONLY_SECOND);
    cr_expect_eq(difference.second, &a.steps[4]);
    oracle_trace_compare_writes(&a.trace, &a.trace, &difference);
    cr_expect_eq(difference.relation, ORACLE_TRACE_SAME);
}
