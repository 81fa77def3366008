/* Causes that a hunt knows: as its state and its engine's target read them, and cases that are freed of them. */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/random.h"
#include "harness/hunt/state.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct harness_peel peel;
static struct harness_error error;
static struct hunt_state state;

#define STATE(causes)                                                                                           \
    "{\"picafuzz-hunt\":2,\"identity\":\"x\",\"first\":\"1\",\"blocks\":\"0\",\"begun\":\"0\",\"filed\":\"0\"," \
    "\"chosen\":\"0\",\"statistics\":[],\"keys\":[],\"waiting\":[],\"causes\":[" causes "]}"
#define CAUSE(bucket, needs) \
    "{\"bucket\":\"" bucket "\",\"dies\":false,\"sign\":\"\",\"seen\":\"310\",\"taught\":\"2\",\"needs\":[" needs "]}"
#define NEED(field, low, usual) "{\"field\":\"" field "\",\"low\":\"" low "\",\"high\":\"0\",\"usual\":\"" usual "\"}"
#define BLEND_MODE              NEED("color_operation.blend_mode", "2", "0")
#define BLENDS                  NEED("blend_func.rgb_equation", "16", "0") "," BLEND_MODE
#define DIES                                                                                                     \
    "{\"bucket\":\"crash-2\",\"dies\":true,\"sign\":\"died backend x crashed\",\"seen\":\"0\",\"taught\":\"0\"," \
    "\"needs\":[]}"
#define MAX_BLENDS STATE(CAUSE("diverge-1", BLENDS))

static enum harness_status parse(const char *text)
{
    error.message[0] = '\0';
    const enum harness_status status = hunt_state_parse(text, strlen(text), &state, &error);
    peel = state.peel;
    return status;
}

/* --------------------------------------------------------------------------------------- as it is read and written */

/* Member by member: the gaps between them may hold anything. */
static void expect_same(const struct harness_peel *a, const struct harness_peel *b)
{
    cr_assert_eq(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        const struct harness_peel_cause *const x = &a->causes[i], *const y = &b->causes[i];
        cr_expect_str_eq(x->bucket, y->bucket);
        cr_expect_str_eq(x->sign, y->sign);
        cr_expect_eq(x->dies, y->dies);
        cr_expect_eq(x->seen, y->seen);
        cr_assert_eq(x->count, y->count);
        for (uint32_t k = 0; k < x->count; k++) {
            cr_expect_eq(x->needs[k].field, y->needs[k].field);
            cr_expect_eq(x->needs[k].values[0], y->needs[k].values[0]);
            cr_expect_eq(x->needs[k].values[1], y->needs[k].values[1]);
            cr_expect_eq(x->needs[k].usual, y->needs[k].usual);
        }
    }
}

Test(peel, the_state_of_a_hunt_is_written_as_it_was_read)
{
    cr_assert_eq(parse(STATE(CAUSE("diverge-1", BLENDS) "," DIES)), HARNESS_OK, "%s", error.message);
    cr_assert_eq(peel.count, 2);
    cr_expect_eq(peel.causes[0].count, 2);
    cr_expect_eq(peel.causes[0].needs[1].values[0], 2);
    cr_expect_eq(peel.causes[0].seen, 310);
    cr_expect(peel.causes[1].dies);
    const struct harness_peel first = peel;
    char *const text = hunt_state_print(&state);
    cr_assert_eq(parse(text), HARNESS_OK, "%s", error.message);
    free(text);
    expect_same(&first, &peel);
    cr_expect_eq(state.taught[0], 2);
}

Test(peel, a_state_with_causes_that_cannot_be_is_damaged)
{
    static const char *const bad[] = {
        STATE(CAUSE("b", NEED("blend_func.none", "1", "0"))),         /* no such field */
        STATE(CAUSE("b", NEED("BLEND_FUNC.rgb_equation", "2", "0"))), /* of a register, not of a layout */
        STATE(CAUSE("b", NEED("colorbuffer_loc.address", "2", "0"))), /* too wide */
        STATE(CAUSE("b", NEED("blend_func.rgb_equation", "1", "0"))), /* the usual value shows it */
        STATE(CAUSE("b", NEED("blend_func.rgb_equation", "0", "0"))), /* no value shows it */
        STATE(CAUSE("b", NEED("blend_func.rgb_equation", "2", "8"))), /* no value of the field */
        STATE(CAUSE("b", NEED("blend_func.rgb_equation", "x", "0"))), STATE("7"),
    };
    cr_expect_eq(parse(STATE(CAUSE("b", NEED("blend_func.rgb_equation", "2", "0")))), HARNESS_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_eq(parse(bad[i]), HARNESS_BAD_INPUT, "%s", bad[i]);
}

/* Bytes of a sound file changed at random: a status each time, and no more causes than there may be. */
Test(peel, no_bytes_hurt_the_reader)
{
    static const char sound[] = STATE(CAUSE("diverge-1", BLENDS) "," DIES);
    struct harness_random random;
    uint32_t good = 0;
    harness_random_init(&random, 15);
    for (uint32_t i = 0; i < 4000; i++) {
        char text[sizeof sound];
        memcpy(text, sound, sizeof sound);
        for (uint32_t k = 0; k <= i % 4; k++) {
            const char byte = (char)harness_random_next(&random);
            text[harness_random_below(&random, sizeof sound)] = byte;
        }
        good += hunt_state_parse(text, sizeof sound - 1, &state, &error) == HARNESS_OK;
        cr_assert_leq(state.peel.count, HARNESS_PEEL_MOST);
    }
    cr_expect(good > 100 && good < 3900, "%u of 4000 were sound", good);
}

Test(peel, an_engine_s_target_takes_what_the_hunt_knows_or_nothing)
{
    const char *const path = PICAFUZZ_BINARY_DIR "/test-peel";
    struct harness_peel taken = { .count = 7 };
    uint8_t *bytes = NULL;
    size_t size = 0;
    (void)unlink(path);
    cr_expect_not(harness_peel_take(path, &taken));
    cr_assert_eq(parse(STATE(CAUSE("diverge-1", BLENDS) "," DIES)), HARNESS_OK);
    cr_assert_eq(harness_peel_share(path, &peel, &error), HARNESS_OK, "%s", error.message);
    cr_assert(harness_peel_take(path, &taken));
    expect_same(&peel, &taken);
    cr_assert_eq(harness_file_read(path, &bytes, &size, &error), HARNESS_OK);
    cr_assert_eq(harness_file_write(path, bytes, size - 1, &error), HARNESS_OK);
    cr_expect_not(harness_peel_take(path, &taken), "of another build");
    memset(bytes, 0xFF, size);
    cr_assert_eq(harness_file_write(path, bytes, size, &error), HARNESS_OK);
    cr_expect_not(harness_peel_take(path, &taken), "damaged");
    expect_same(&peel, &taken);
    free(bytes);
    (void)unlink(path);
}

/* -------------------------------------------------------------------------------------------------------- freeing */

/* A list that sets the blending and draws. */
static struct harness_case *blending_case(enum pica_blend_mode mode, enum pica_blend_equation equation)
{
    struct harness_case *const test_case = harness_case_create();
    cr_assert(test_case != NULL && harness_case_add_window(test_case, 0x18000000u, 0x10000));
    struct harness_list *const list = &harness_case_add_run(test_case, 0x18000000u)->data.list;
    cr_assert(harness_list_write(test_case, list, PICA_REG_COLOR_OPERATION,
                                 pica_color_operation_set_blend_mode(0, (uint32_t)mode)));
    cr_assert(harness_list_write(test_case, list, PICA_REG_BLEND_FUNC,
                                 pica_blend_func_set_rgb_equation(0, (uint32_t)equation)));
    cr_assert(harness_list_write(test_case, list, PICA_REG_DRAWARRAYS, 1));
    return test_case;
}

static uint32_t written(const struct harness_case *test_case, uint32_t command)
{
    return test_case->operations[0].data.list.commands[command].parameters[0];
}

Test(peel, a_case_with_all_needs_is_freed_by_the_first_of_them)
{
    struct harness_peeled peeled;
    cr_assert_eq(parse(MAX_BLENDS), HARNESS_OK, "%s", error.message);
    struct harness_case *const test_case = blending_case(PICA_BLEND_MODE_BLEND, PICA_BLEND_EQUATION_MAX);
    cr_assert(harness_peel_free(&peel, false, test_case, &peeled));
    cr_expect_eq(peeled.count, 1);
    cr_expect_eq(peeled.first, 0);
    cr_expect_eq(pica_blend_func_rgb_equation(written(test_case, 1)), PICA_BLEND_EQUATION_ADD);
    cr_expect_eq(pica_color_operation_blend_mode(written(test_case, 0)), PICA_BLEND_MODE_BLEND, "one is enough");
    cr_assert(harness_peel_free(&peel, false, test_case, &peeled));
    cr_expect_eq(peeled.count, 0, "it is free");
    harness_case_destroy(test_case);
}

Test(peel, a_case_that_lacks_a_need_stays_as_it_is)
{
    struct harness_peeled peeled;
    cr_assert_eq(parse(MAX_BLENDS), HARNESS_OK, "%s", error.message);
    struct harness_case *const other = blending_case(PICA_BLEND_MODE_BLEND, PICA_BLEND_EQUATION_MIN);
    cr_assert(harness_peel_free(&peel, false, other, &peeled));
    cr_expect_eq(peeled.count, 0);
    cr_expect_eq(pica_blend_func_rgb_equation(written(other, 1)), PICA_BLEND_EQUATION_MIN);
    harness_case_destroy(other);
    struct harness_case *const off = blending_case(PICA_BLEND_MODE_LOGIC_OP, PICA_BLEND_EQUATION_MAX);
    cr_assert(harness_peel_free(&peel, false, off, &peeled));
    cr_expect_eq(peeled.count, 0);
    harness_case_destroy(off);
}

Test(peel, which_needs_a_case_has)
{
    uint32_t has = 0;
    cr_assert_eq(parse(MAX_BLENDS), HARNESS_OK, "%s", error.message);
    struct harness_case *const both = blending_case(PICA_BLEND_MODE_BLEND, PICA_BLEND_EQUATION_MAX);
    cr_assert(harness_peel_has(&peel.causes[0], both, &has));
    cr_expect_eq(has, 3);
    cr_expect_eq(pica_blend_func_rgb_equation(written(both, 1)), PICA_BLEND_EQUATION_MAX, "it stays as it is");
    harness_case_destroy(both);
    struct harness_case *const off = blending_case(PICA_BLEND_MODE_LOGIC_OP, PICA_BLEND_EQUATION_MAX);
    cr_assert(harness_peel_has(&peel.causes[0], off, &has));
    cr_expect_eq(has, 1);
    harness_case_destroy(off);
}

Test(peel, before_a_case_runs_it_is_freed_of_what_kills_alone)
{
    struct harness_peeled peeled;
    cr_assert_eq(parse(MAX_BLENDS), HARNESS_OK, "%s", error.message);
    struct harness_case *const test_case = blending_case(PICA_BLEND_MODE_BLEND, PICA_BLEND_EQUATION_MAX);
    cr_assert(harness_peel_free(&peel, true, test_case, &peeled));
    cr_expect_eq(peeled.count, 0);
    peel.causes[0].dies = true;
    cr_assert(harness_peel_free(&peel, true, test_case, &peeled));
    cr_expect_eq(peeled.count, 1);
    harness_case_destroy(test_case);
}

Test(peel, signs_are_kind_and_key)
{
    cr_assert_eq(parse(STATE(CAUSE("a", "") "," DIES)), HARNESS_OK);
    cr_expect_eq(harness_peel_find_sign(&peel, "died", "backend x crashed"), 1);
    cr_expect_eq(harness_peel_find_sign(&peel, "differ", "backend x crashed"), -1);
    cr_expect_eq(harness_peel_find_sign(&peel, "died", "backend x"), -1);
}
