/* What the passes over addresses do to a case. No backend runs: whether a change is kept is up to the engine. */
#include "harness/case/formats.h"
#include "harness/reduce/reduce.h"
#include "harness/reduce/reduce_pass.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct harness_case *parse(const char *text)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), "test", &error), HARNESS_OK, "%s", error.message);
    return test_case;
}

/* `after` NULL: the pass must find nothing to change. */
static void expect(const struct reduce_pass *pass, uint32_t variant, const char *before, const char *after)
{
    struct harness_case *const test_case = parse(before);
    struct harness_case *const wanted = parse(after != NULL ? after : before);
    struct harness_text text = { 0 };
    const uint32_t count = harness_reduce_count(pass, test_case);
    const bool changed =
        count != 0 && harness_reduce_apply(pass, test_case, (struct reduce_range){ 0, count }, variant);
    (void)harness_pcase_write(test_case, &text, NULL);
    cr_expect_eq(changed, after != NULL, "%s", pass->name);
    cr_expect(harness_case_equal(test_case, wanted, false), "%s:\n%s", pass->name, harness_text_string(&text));
    harness_text_free(&text);
    harness_case_destroy(test_case);
    harness_case_destroy(wanted);
}

#define HOME "pcase 1\nwindow 0x18000000 size 0x10000\n"

Test(reduce_home, windows_move_into_the_usual_one_with_all_that_names_them)
{
    static const char before[] =
        "pcase 1\nwindow 0x18100000 size 0x1000\nwindow 0x20005000 size 0x2000\n"
        "memory 0x18100010 bytes {\n 01\n}\n"
        "load 0x20006000 bytes {\n 02\n}\n"
        "run 0x20005100 {\n COLORBUFFER_LOC { address = 0x18100400 }\n"
        " TEXUNIT0_ADDR1 { address = 0x20006000 }\n DEPTHBUFFER_LOC { address = 0x21000000 }\n}\n"
        "fill 0 {\n FILL0_START { address = 0x20005000 }\n FILL0_END { address = 0x20007000 }\n}\n";
    static const char apart[] =
        HOME "memory 0x18000010 bytes {\n 01\n}\n"
             "load 0x18002000 bytes {\n 02\n}\n"
             "run 0x18001100 {\n COLORBUFFER_LOC { address = 0x18000400 }\n"
             " TEXUNIT0_ADDR1 { address = 0x18002000 }\n"
             " DEPTHBUFFER_LOC { address = 0x21000000 }\n}\n"
             "fill 0 {\n FILL0_START { address = 0x18001000 }\n FILL0_END { address = 0x18003000 }\n}\n";
    static const char together[] =
        HOME "memory 0x18000010 bytes {\n 01\n}\n"
             "load 0x18001000 bytes {\n 02\n}\n"
             "run 0x18000100 {\n COLORBUFFER_LOC { address = 0x18000400 }\n"
             " TEXUNIT0_ADDR1 { address = 0x18001000 }\n"
             " DEPTHBUFFER_LOC { address = 0x21000000 }\n}\n"
             "fill 0 {\n FILL0_START { address = 0x18000000 }\n FILL0_END { address = 0x18002000 }\n}\n";
    expect(&harness_reduce_home, 0, before, apart);
    expect(&harness_reduce_home, 1, before, together);
}

Test(reduce_home, windows_that_do_not_fit_and_the_usual_one_stay)
{
    expect(&harness_reduce_home, 0, "pcase 1\nwindow 0x18000000 size 0x9000\nwindow 0x20000000 size 0x8000\n", NULL);
    expect(&harness_reduce_home, 1, "pcase 1\nwindow 0x18000000 size 0x11000\n", NULL);
    expect(&harness_reduce_home, 0, HOME "run 0x18000100 {\n FINALIZE = 1\n}\n", NULL);
    for (uint32_t variant = 0; variant < 5; variant++) /* a smaller one takes more bytes */
        expect(&harness_reduce_window_sizes, variant, HOME, NULL);
}

Test(reduce_home, lists_run_at_the_start)
{
    expect(&harness_reduce_runs, 0, HOME "run 0x18001230 {\n FINALIZE = 1\n}\n",
           HOME "run 0x18000000 {\n FINALIZE = 1\n}\n");
    expect(&harness_reduce_runs, 1,
           HOME "run 0x18001230 {\n COLORBUFFER_LOC { address = 0x18000000 }\n"
                " DEPTHBUFFER_LOC { address = 0x18000800 }\n}\n",
           HOME "run 0x18000000 {\n COLORBUFFER_LOC { address = 0x18008000 }\n"
                " DEPTHBUFFER_LOC { address = 0x1800C000 }\n}\n");
    expect(&harness_reduce_runs, 1, HOME "run 0x18000000 {\n COLORBUFFER_LOC { address = 0x18000000 }\n}\n", NULL);
    expect(&harness_reduce_runs, 0, HOME "run 0x18000000 {\n FINALIZE = 1\n}\nload 0x18001000 bytes {\n 01\n}\n", NULL);
}

Test(reduce_home, buffers_move_down_to_the_middle_and_never_up)
{
    expect(&harness_reduce_addresses, 0,
           HOME "run 0x18000000 {\n COLORBUFFER_LOC { address = 0x1800F040 }\n DEPTHBUFFER_LOC = 0\n"
                " TEXUNIT0_ADDR1 { address = 0x18000800 }\n}\n",
           HOME "run 0x18000000 {\n COLORBUFFER_LOC { address = 0x18008000 }\n DEPTHBUFFER_LOC = 0\n"
                " TEXUNIT0_ADDR1 { address = 0x18000800 }\n}\n");
    expect(&harness_reduce_addresses, 1, HOME "run 0x18000000 {\n COLORBUFFER_LOC { address = 0x1800F040 }\n}\n",
           HOME "run 0x18000000 {\n COLORBUFFER_LOC { address = 0x1800C000 }\n}\n");
    expect(&harness_reduce_addresses, 0, HOME "run 0x18000000 {\n COLORBUFFER_LOC { address = 0x18008000 }\n}\n", NULL);
}

#define ARRAYS(base, array, indices)                                                         \
    " ATTRIBBUFFER3_OFFSET { offset = " array " }\n ATTRIBBUFFERS_LOC { base = " base " }\n" \
    " INDEXBUFFER_CONFIG { offset = " indices " }\n}\n"

Test(reduce_home, distances_from_the_base_of_arrays_move_with_what_they_lead_to)
{
    expect(&harness_reduce_home, 0,
           "pcase 1\nwindow 0x18004000 size 0x1000\nwindow 0x20007000 size 0x1000\n"
           "run 0x18004000 {\n" ARRAYS("0x18004100", "0x8003000", "64"),
           HOME "run 0x18000000 {\n" ARRAYS("0x18000100", "0x1000", "64"));
}

Test(reduce_home, the_base_of_arrays_goes_to_an_array_or_to_the_indices)
{
    struct harness_case *const once = parse(HOME "run 0x18000000 {\n" ARRAYS("0x18000100", "0x1048", "0x1050"));
    struct harness_case *const wanted = parse(HOME "run 0x18000000 {\n" ARRAYS("0x18001140", "8", "16"));
    cr_assert_eq(harness_reduce_count(&harness_reduce_bases, once), 2);
    cr_expect_not(harness_reduce_apply(&harness_reduce_bases, once, (struct reduce_range){ 0, 2 }, 0), "one at a time");
    cr_assert(harness_reduce_apply(&harness_reduce_bases, once, (struct reduce_range){ 0, 1 }, 0));
    cr_expect(harness_case_equal(once, wanted, false));
    cr_expect_not(harness_reduce_apply(&harness_reduce_bases, once, (struct reduce_range){ 0, 1 }, 0), "it is there");
    harness_case_destroy(once);
    harness_case_destroy(wanted);
}

/* If the base went to the farther one, the other distance would wrap, and the base would move to and fro for ever. */
Test(reduce_home, the_base_of_arrays_never_goes_behind_one_of_them)
{
    struct harness_case *const test_case = parse(HOME "run 0x18000000 {\n" ARRAYS("0x18000100", "0x100", "0x200"));
    struct harness_case *const before = parse(HOME "run 0x18000000 {\n" ARRAYS("0x18000100", "0x100", "0x200"));
    struct harness_case *const wanted = parse(HOME "run 0x18000000 {\n" ARRAYS("0x18000200", "0", "0x100"));
    cr_expect_not(harness_reduce_apply(&harness_reduce_bases, test_case, (struct reduce_range){ 1, 1 }, 0));
    cr_expect(harness_case_equal(test_case, before, false));
    cr_expect(harness_reduce_apply(&harness_reduce_bases, test_case, (struct reduce_range){ 0, 1 }, 0));
    cr_expect(harness_case_equal(test_case, wanted, false));
    for (uint32_t unit = 0; unit < 2; unit++)
        cr_expect_not(harness_reduce_apply(&harness_reduce_bases, test_case, (struct reduce_range){ unit, 1 }, 0));
    harness_case_destroy(test_case);
    harness_case_destroy(before);
    harness_case_destroy(wanted);
}

/* The limits of `now`, which was `before`, become those of `wanted`. */
static void expect_lowered(const char *before, const char *now, const char *wanted)
{
    struct harness_case *const old = parse(before), *const lowered = parse(now), *const right = parse(wanted);
    cr_expect_eq(harness_reduce_lower_limits(old, lowered), strcmp(now, wanted) != 0, "%s", now);
    cr_expect(harness_case_equal(lowered, right, false), "%s", now);
    harness_case_destroy(old);
    harness_case_destroy(lowered);
    harness_case_destroy(right);
}

/* CMD-20 */
Test(reduce_home, a_limit_comes_down_with_what_it_counts)
{
#define COMMANDS(limits, commands)                                                                       \
    HOME limits "run 0x18000000 {\n    FACECULLING_CONFIG { mode = front }\n" commands "    FINALIZE = " \
                "0x12345678\n}\n"
    const char *const three = COMMANDS("limits { commands = 0x9D, pixels = 0x10 }\n",
                                       "    DEPTHMAP_SCALE = 0x3F0000\n    DEPTHMAP_OFFSET = 0x3F0000\n");
    const char *const one = COMMANDS("limits { commands = 0x9D, pixels = 0x10 }\n", "");
    expect_lowered(three, one, COMMANDS("limits { commands = 0x9B, pixels = 0x10 }\n", ""));
    expect_lowered(three, three, three);
    expect_lowered(COMMANDS("", "    DEPTHMAP_SCALE = 0x3F0000\n"), COMMANDS("", ""), COMMANDS("", ""));
    struct harness_case *const limited = parse(one), *const usual = parse(COMMANDS("", ""));
    struct harness_case *const pixels = parse(HOME "limits { pixels = 0x10 }\n");
    cr_expect(harness_reduce_has_limit(limited));
    cr_expect_not(harness_reduce_has_limit(usual));
    cr_expect_not(harness_reduce_has_limit(pixels), "no pass takes pixels away");
    harness_case_destroy(limited);
    harness_case_destroy(usual);
    harness_case_destroy(pixels);
}

/* Where one limit matters, the others go. */
Test(reduce_home, each_limit_goes_by_itself)
{
    static const char before[] = HOME "limits { commands = 0x1000, vertices = 0x40, pixels = 0x1000 }\n";
    expect(&harness_reduce_setup, 2, before, HOME);
    expect(&harness_reduce_setup, 3, before, HOME "limits { vertices = 0x40, pixels = 0x1000 }\n");
    expect(&harness_reduce_setup, 4, before, HOME "limits { commands = 0x1000, pixels = 0x1000 }\n");
    expect(&harness_reduce_setup, 5, before, NULL);
    expect(&harness_reduce_setup, 7, before, HOME "limits { commands = 0x1000, vertices = 0x40 }\n");
}

/* 4 KiB less 98 %: a visible draw at home takes 60 to 70 bytes. */
Test(reduce_home, a_draw_at_home_takes_fewer_bytes_than_elsewhere)
{
    struct harness_case *const away = parse("pcase 1\nwindow 0x25613000 size 0x1000\nrun 0x25613A10 {\n"
                                            " COLORBUFFER_LOC { address = 0x25613400 }\n FINALIZE = 1\n}\n");
    const uint64_t before = harness_case_bytes(away);
    cr_assert(harness_reduce_apply(&harness_reduce_home, away, (struct reduce_range){ 0, 1 }, 0));
    cr_assert(harness_reduce_apply(&harness_reduce_runs, away, (struct reduce_range){ 0, 1 }, 0));
    cr_expect_eq(before, 6 + 6 + 6 + 3);
    cr_expect_eq(harness_case_bytes(away), 4 + 3);
    harness_case_destroy(away);
}

/* 32 bytes a row; the list of three commands ends at 0x18000118. */
Test(reduce_home, a_buffer_over_a_list_is_seen)
{
    static const struct {
        const char *location;
        unsigned rows;
        bool overlaps;
    } rows[] = {
        { "COLORBUFFER_LOC { address = 0x18000140 }", 1, false },
        { "COLORBUFFER_LOC { address = 0x18000100 }", 1, true },
        { "DEPTHBUFFER_LOC { address = 0x180000C0 }", 2, false },
        { "DEPTHBUFFER_LOC { address = 0x180000C0 }", 3, true },
        { "COLORBUFFER_LOC { address = 0x18002000 }", 1, true }, /* a list that is loaded and not run by itself */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text,
                       HOME
                       "load 0x18002000 list {\n FINALIZE = 1\n}\n"
                       "run 0x18000100 {\n %s\n FRAMEBUFFER_DIM { width = 8, height_minus_1 = %u }\n FINALIZE = 1\n}\n",
                       rows[i].location, rows[i].rows - 1);
        struct harness_case *const test_case = parse(text);
        cr_expect_eq(harness_reduce_overlaps(test_case), rows[i].overlaps, "%s", text);
        harness_case_destroy(test_case);
    }
}
