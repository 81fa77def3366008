/* The judges of one backend against itself, and what may be excused: planted differences, and none. */
#include "oracles/equal.h"
#include "oracles/metamorphic.h"
#include "oracles/repeat.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct pica_window window = { 0x18000000u, PICA_PAGE_SIZE };

struct two {
    struct pica_state states[2], scratch;
    uint8_t memory[2][PICA_PAGE_SIZE];
    uint64_t touched[1];
    struct oracle_run runs[2];
    struct oracle_report report;
};

static const struct oracle_relation *relation_of(const char *name)
{
    size_t i = 0;
    while (strcmp(oracle_relation_at(i)->name, name) != 0)
        i++;
    return oracle_relation_at(i);
}

static struct two *make_two(void)
{
    struct two *const two = calloc(1, sizeof *two);
    cr_assert_not_null(two);
    two->touched[0] = 1;
    for (int i = 0; i < 2; i++)
        two->runs[i] = (struct oracle_run){ .backend = "same",
                                            .state = &two->states[i],
                                            .window_count = 1,
                                            .windows = &window,
                                            .memory = { two->memory[i] },
                                            .touched = { two->touched } };
    return two;
}

static void expect_text(const struct two *two, const char *part)
{
    cr_expect_not_null(strstr(two->report.message, part), "message lacks '%s': %s", part, two->report.message);
}

Test(repeat, equal_runs_agree_without_a_message)
{
    struct two *const two = make_two();
    oracle_deterministic(&two->runs[0], &two->runs[1], "run again", &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_AGREE);
    cr_expect_str_eq(two->report.message, "");
    oracle_invariant(&two->runs[0], &two->runs[1], "7 threads", &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_AGREE);
    cr_expect_str_eq(two->report.oracle, "invariant");
    free(two);
}

Test(repeat, GEN_10_a_differing_byte_is_named_with_the_run_that_has_it)
{
    struct two *const two = make_two();
    two->memory[1][9] = 3;
    oracle_deterministic(&two->runs[0], &two->runs[1], "run again", &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_DIVERGE);
    cr_expect_str_eq(two->report.oracle, "deterministic");
    expect_text(two, "GEN-10");
    expect_text(two, "first at 0x18000009: first run 0x00, run again 0x03");
    oracle_invariant(&two->runs[0], &two->runs[1], "7 threads", &two->report);
    expect_text(two, "plain run 0x00, 7 threads 0x03");
    free(two);
}

Test(repeat, a_relation_leaves_out_what_it_excludes_and_nothing_else)
{
    struct two *const two = make_two();
    const struct oracle_relation *const relation = relation_of("arrays-as-bytes");
    cr_assert_not_null(relation);
    two->states[1].registers[PICA_REG_DRAWARRAYS] = 1;
    oracle_relation_judge(relation, &two->runs[0], &two->runs[1], &two->scratch, &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_AGREE, "%s", two->report.message);
    two->states[1].registers[PICA_REG_NUMVERTICES] = 1;
    oracle_relation_judge(relation, &two->runs[0], &two->runs[1], &two->scratch, &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_DIVERGE);
    cr_expect_str_eq(two->report.oracle, "arrays-as-bytes");
    expect_text(two, "NUMVERTICES: base 0x00000000, variant 0x00000001");
    expect_text(two, "VTX-21");
    free(two);
}

Test(repeat, interrupt_counters_and_events_are_excluded_one_by_one)
{
    struct two *const two = make_two();
    const struct oracle_relation *const fill = relation_of("split-fill");
    const struct oracle_relation *const lists = relation_of("two-lists");
    cr_assert(fill != NULL && lists != NULL);
    two->states[1].interrupts[1] = 1; /* PSC1 */
    oracle_relation_judge(fill, &two->runs[0], &two->runs[1], &two->scratch, &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_AGREE, "%s", two->report.message);
    oracle_relation_judge(lists, &two->runs[0], &two->runs[1], &two->scratch, &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_DIVERGE);
    two->states[1].interrupts[1] = 0;
    pica_events_add(&two->runs[1].events, PICA_EVENT_NO_FINALIZE);
    oracle_relation_judge(lists, &two->runs[0], &two->runs[1], &two->scratch, &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_AGREE, "%s", two->report.message);
    oracle_relation_judge(fill, &two->runs[0], &two->runs[1], &two->scratch, &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_DIVERGE);
    free(two);
}

Test(repeat, an_exhausted_budget_voids_the_relations_that_say_so)
{
    struct pica_events events = { { 0 } };
    const struct oracle_relation *const relation = relation_of("scissor-pieces");
    cr_assert_not_null(relation);
    cr_expect(!oracle_relation_is_void(relation, &events));
    pica_events_add(&events, PICA_EVENT_BUDGET_PIXELS);
    cr_expect(oracle_relation_is_void(relation, &events));
    cr_expect(!oracle_relation_is_void(relation_of("joined"), &events));
}

Test(repeat, excuses_name_the_events_and_need_one)
{
    struct two *const two = make_two();
    two->memory[1][0] = 1;
    oracle_all_equal(&two->runs[0], &two->runs[1], false, &two->report);
    cr_expect(!oracle_say_undefined(&two->runs[0], &two->report));
    oracle_excuse_undefined(&two->runs[0], &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_DIVERGE);
    pica_events_add(&two->runs[0].events, PICA_EVENT_TEX_OOB);
    oracle_excuse_undefined(&two->runs[0], &two->report);
    cr_expect_eq(two->report.verdict, ORACLE_DIVERGE_UNDEFINED);
    expect_text(two, "tex-oob (TEX-06)");
    free(two);
}
