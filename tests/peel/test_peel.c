/* Causes that a hunt knows: the file, and cases that are freed of them. */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/random.h"
#include "harness/peel/peel.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct harness_peel peel;
static struct harness_error error;

static enum harness_status parse(const char *text)
{
    error.message[0] = '\0';
    return harness_peel_parse(text, strlen(text), "x", &peel, &error);
}

#define HEAD "picafuzz peel 1\n"
#define MAX_BLENDS                                         \
    HEAD "cause diverge-1 differs\n"                       \
         "need blend_func.rgb_equation 0x10 0x0 usual 0\n" \
         "need color_operation.blend_mode 0x2 0x0 usual 0\n"

/* --------------------------------------------------------------------------------------------------------- the file */

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

Test(peel, a_file_is_read_and_written_as_it_was)
{
    const char *const path = PICAFUZZ_BINARY_DIR "/test-peel";
    cr_assert_eq(parse(MAX_BLENDS "seen 310\ncause crash-2 dies\nsign died backend x\nseen 0\n"), HARNESS_OK, "%s",
                 error.message);
    cr_assert_eq(peel.count, 2);
    cr_expect_eq(peel.causes[0].count, 2);
    cr_expect_eq(peel.causes[0].seen, 310);
    cr_expect(peel.causes[1].dies);
    struct harness_peel again;
    cr_assert_eq(harness_peel_write(path, &peel, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_peel_read(path, &again, &error), HARNESS_OK, "%s", error.message);
    expect_same(&again, &peel);
    (void)unlink(path);
    cr_expect_eq(harness_peel_read(path, &again, &error), HARNESS_OK, "a file that is not there knows nothing");
    cr_expect_eq(again.count, 0);
}

Test(peel, what_is_wrong_with_a_file_is_said_by_line_and_field)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        { "", "x:0: version" },
        { "picafuzz peel 2\n", "x:1: version: `picafuzz peel 1` is expected" },
        { HEAD "need a.b 1 0 usual 0\n", "x:2: cause: is expected first" },
        { HEAD "cause bucket\n", "x:2: cause: a bucket and" },
        { HEAD "cause bucket sleeps\n", "x:2: cause: `differs` or `dies`" },
        { HEAD "cause b dies\nneed blend_func.none 1 0 usual 0\n", "x:3: need: no such field" },
        { HEAD "cause b dies\nneed blend_func.rgb_equation 1 0\n", "x:3: need: a field, two words" },
        { HEAD "cause b dies\nneed blend_func.rgb_equation 0x1 0x0 usual 0\n", "x:3: need: the usual value" },
        { HEAD "cause b dies\nneed blend_func.rgb_equation 0x2 0x0 usual 8\n", "x:3: need: the usual value" },
        { HEAD "cause b dies\nneed colorbuffer_loc.address 0x2 0x0 usual 0\n", "x:3: need: no such field, or one" },
        { HEAD "cause b dies\nseen -1\n", "x:3: seen: a number" },
        { HEAD "cause b dies\nhates 1\n", "x:3: line: cause, need, sign or seen" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_expect_eq(parse(rows[i].text), HARNESS_BAD_INPUT, "row %zu", i);
        cr_expect_eq(strncmp(error.message, rows[i].message, strlen(rows[i].message)), 0, "row %zu: %s", i,
                     error.message);
    }
}

/* Bytes of a sound file changed at random: a status each time, and no more causes than there may be. */
Test(peel, no_bytes_hurt_the_reader)
{
    static const char sound[] = MAX_BLENDS "seen 310\ncause crash-2 dies\nsign died backend x\nseen 0\n";
    struct harness_random random;
    uint32_t good = 0;
    harness_random_init(&random, 15);
    for (uint32_t i = 0; i < 20000; i++) {
        char text[sizeof sound];
        memcpy(text, sound, sizeof sound);
        for (uint32_t k = 0; k <= i % 4; k++) {
            const char byte = (char)harness_random_next(&random);
            text[harness_random_below(&random, sizeof sound)] = byte;
        }
        const size_t size = harness_random_below(&random, sizeof sound + 1);
        good += harness_peel_parse(text, size, "x", &peel, &error) == HARNESS_OK;
        cr_assert_leq(peel.count, HARNESS_PEEL_MOST);
    }
    cr_expect(good > 100 && good < 19000, "%u of 20000 were sound", good);
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
    cr_assert_eq(parse(HEAD "cause a differs\ncause b dies\nsign died backend x crashed\n"), HARNESS_OK);
    cr_expect_eq(harness_peel_find_sign(&peel, "died", "backend x crashed"), 1);
    cr_expect_eq(harness_peel_find_sign(&peel, "differ", "backend x crashed"), -1);
    cr_expect_eq(harness_peel_find_sign(&peel, "died", "backend x"), -1);
}
