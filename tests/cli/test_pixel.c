/* `picafuzz run --pixel`: what a user sees. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY(name) "'" PICAFUZZ_BINARY_DIR "/lib/" name ".so'"
#define STENCIL       "corpus/seeds/stencil_test/eight-operations.pcase"
#define ALPHA         "corpus/seeds/alpha_test/reference-value.pcase"
#define BLEND         "corpus/seeds/blend/equations.pcase"
#define FRAME         "corpus/captures/mesh-f0.picacap"

static struct command_result result, other;

static void expect(const char *environment, const char *line, int code, const char *words)
{
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, code, "%s %s: %d: %s", environment, line, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, words), "%s %s: no '%s': %s", environment, line, words, result.output);
}

/* The last output has these, in this order. */
static void expect_in_order(const char *const *words, size_t count)
{
    const char *at = result.output;
    for (size_t i = 0; i < count && at != NULL; i++) {
        at = strstr(at, words[i]);
        cr_expect_not_null(at, "no '%s' there: %s", words[i], result.output);
    }
}

static size_t occurrences(const char *words)
{
    size_t count = 0;
    for (const char *at = result.output; (at = strstr(at, words)) != NULL; at += strlen(words))
        count++;
    return count;
}

Test(pixel_command, what_is_no_pixel_is_refused)
{
    expect("", "run --pixel 3 " STENCIL, 2, "--pixel wants X,Y;");
    expect("", "run --pixel 1,2,3 " STENCIL, 2, "pixel");
    expect("", "run --pixel 1, " STENCIL, 2, "pixel");
    expect("", "run --pixel x,2 " STENCIL, 2, "--pixel: 'x' is not a number from 0 to 65535");
    expect("", "run --pixel 2,-1 " STENCIL, 2, "'-1' is not a number");
    expect("", "run --pixel 0x10,1 " STENCIL, 2, "'0x10' is not a number");
    expect("", "run --pixel 2,65536 " STENCIL, 2, "'65536' is not a number from 0 to 65535");
    expect("", "run --pixel 1,99999999999999999999999 " STENCIL, 2, "is not a number");
    expect("", "run --pixel 2,3", 2, "no case given");
    expect("", "run --pixel 2,3 README.nonsense", 2, "README.nonsense");
}

Test(pixel_command, it_does_nothing_else_at_the_same_time)
{
    expect("", "run --pixel 2,3 --json " STENCIL, 2, "--pixel prints a history and does nothing else");
    expect("", "run --pixel 2,3 --screens " STENCIL, 2, "does nothing else");
    expect("", "run --pixel 2,3 --depth " STENCIL, 2, "does nothing else");
    expect("", "run --pixel 2,3 --dump nowhere " STENCIL, 2, "does nothing else");
    expect("", "run --pixel 2,3 --record nowhere " STENCIL, 2, "does nothing else");
    expect("", "run -b reference,fast " STENCIL, 2, "two backends are for --pixel; `picafuzz diff`");
    expect("", "run --pixel 2,3 -b reference,fast,reference " STENCIL, 2, "backend");
}

/* The comment of the seed: zero leaves 00 of the FF that was there; the second draw paints where it is not 0. */
Test(pixel_command, a_history_has_fragments_in_order_with_what_they_stored_and_how_they_ended)
{
    static const char *const words[] = {
        STENCIL "\npixel 2,3 (from the left, from the bottom) on reference, 9 draws\n",
        "colour buffer at 0x18000000, 16 x 16 RGBA8: the pixel is at 0x18000290\n",
        "at first\n",
        "0x404040FF (64 64 64 255)\n",
        "depth 0x000000 stencil 0xFF\n",
        "operation 0, draw 1 (1 since the start), DRAWARRAYS at word 0x",
        "  fragment 0, of triangle 0: written\n",
        "0x404040FF (64 64 64 255) -> 0xFF8000FF (255 128 0 255)\n",
        "depth 0x000000 stencil 0xFF -> depth 0x000000 stencil 0x00\n",
        "    clip, position 0 ",
        "    combiner, stages 1 to 4 pass it on\n",
        "    stencil test, outcome               255 1",
        "operation 0, draw 8 (8 since the start)",
        "  fragment 0, of triangle 0: ended by the stencil test, which wrote the stencil\n",
        "0xFF8000FF (255 128 0 255), stays\n",
        "at last\n",
        "0xFF8000FF (255 128 0 255)\n",
        "\nreference: 2 fragments\n"
    };
    expect("", "run --pixel 2,3 " STENCIL, 0, "2 fragments");
    expect_in_order(words, sizeof words / sizeof words[0]);
    cr_expect_eq(occurrences("  fragment "), 2);
    cr_expect_eq(occurrences("command list"), 0, "its fragments have said it");
}

/* ATS-01: alpha rises from below to above, 128 never passes in the first two columns; DPT-02: the seed's functions. */
Test(pixel_command, the_other_tests_are_named_too)
{
    expect("", "run --pixel 0,2 " ALPHA, 0, "fragment 0, of triangle 0: ended by the alpha test\n");
    cr_expect_null(strstr(result.output, "depth test, outcome"));
    expect("", "run --pixel 0,2 corpus/seeds/depth_test/depth-functions.pcase", 0, "ended by the depth test\n");
    expect("", "run --pixel 4,2 corpus/seeds/scissor/inside.pcase", 0, "reference: 1 fragment\n");
    expect("", "run --pixel 0,2 corpus/seeds/scissor/inside.pcase", 0,
           "reference: 0 fragments\nno triangle covers the pixel, or the scissor test removed it\n");
}

/* FRAMEBUFFER registers always hold some depth buffer; that of this seed lies in no window. */
Test(pixel_command, buffers_that_are_not_in_memory_are_left_out)
{
    expect("", "run --pixel 2,3 " BLEND, 0, "colour buffer at 0x18000000");
    cr_expect_null(strstr(result.output, "depth buffer"), "%s", result.output);
}

/* Indices of pica/trace.def: texel 64 is tap 0 of level 0 in unit 1, lookup 58 table SP of light 7. */
Test(pixel_command, texels_and_lookups_say_of_what)
{
    expect("", "run --pixel 100,100 " FRAME, 0, "    texture, texel 3, unit 0 level 0    231 148 41 255\n");
    expect("", "run --pixel 100,100 " FRAME, 0, "    texture, texel 0, unit 1 level 0    41 223 57 255\n");
    expect("", "run --pixel 2,3 corpus/seeds/lighting/eight-lights.pcase", 0,
           "    lighting, lookup DA, light 7        0.50012213\n    lighting, lookup SP, light 7        0.49975574\n");
}

Test(pixel_command, outside_of_every_buffer_is_an_error)
{
    expect("", "run --pixel 16,0 " STENCIL, 2, "--pixel: no draw has a buffer with that pixel");
    expect("", "run --pixel 0,16 " STENCIL, 2, "--pixel: no draw has a buffer with that pixel");
    expect("", "run --pixel 65535,65535 " STENCIL, 2, "--pixel: no draw has a buffer with that pixel");
    expect("", "run --pixel 0,0 corpus/seeds/copy/blocks.pcase", 2, "blocks.pcase: --pixel: no draw has a buffer");
}

Test(pixel_command, fills_and_transfers_have_their_place)
{
    static const char *const words[] = {
        "operation 7, memory fill, unit 0, 0x18000000 to 0x18014000 with 0x203040FF\n",
        "    colour buffer                       0x00000000 (0 0 0 0) -> 0x203040FF",
        "operation 8, memory fill, unit 1, ",
        "    depth buffer                        0x000000, stays\n",
        "operation 9, draw 0 ",
        "operation 9, draw 1 (1 since the start), DRAWELEMENTS ",
        "operation 10, display transfer, 0x18000000 to 0x2000B000, 128 x 160\n",
        "    colour buffer                       is read; 0x582813FF (88 40 19 255), stays\n"
    };
    expect("", "run --pixel 100,100 " FRAME, 0, "2 fragments\n");
    expect_in_order(words, sizeof words / sizeof words[0]);
}

/* Traced draw by draw, it tells the same steps, and the heading of a fragment stands above all of them. */
Test(pixel_command, a_backend_with_traces_tells_its_fragments)
{
    static const char *const words[] = { "operation 9, draw 0 ",  "  fragment 0\n    clip, position 0 ",
                                         "    clip, position 1 ", "    viewport, screen position 0 ",
                                         "operation 9, draw 1 ",  "  fragment 0\n    clip, position 0 ",
                                         "\nfast: 2 fragments\n" };
    expect("", "run --pixel 100,100 -b fast " FRAME, 0, "fast: 2 fragments");
    expect_in_order(words, sizeof words / sizeof words[0]);
    other = result;
    expect("", "run --pixel 100,100 -b process:fast " FRAME, 0, "fast: 2 fragments");
    cr_expect_str_eq(result.output, other.output);
    expect("", "run --pixel 100,100 -b process:reference " FRAME, 0, "  fragment 0\n    clip, position 0 ");
}

Test(pixel_command, a_backend_without_traces_shows_what_operations_left)
{
    static const char *const words[] = { "of its fragments nothing is known\n",
                                         "operation 9, command list at 0x20000000, ",
                                         "0x203040FF (32 48 64 255) -> 0x582813FF (88 40 19 255)\n",
                                         "depth buffer                        0x000000 -> 0x0D6B2B\n", "at last\n" };
    expect("PICAFUZZ_PARTIAL=five", "run --pixel 100,100 -b " LIBRARY("partial_backend") " " FRAME, 0,
           "partial has no traces: of its fragments nothing is known\n");
    expect_in_order(words, sizeof words / sizeof words[0]);
    cr_expect_eq(occurrences("fragment "), 0);
}

Test(pixel_command, of_two_backends_that_agree_each_line_stands_once)
{
    expect("", "run --pixel 2,3 -b reference,fast " STENCIL, 0,
           "\nreference: 2 fragments, fast: 2 fragments; the two agree\n");
    cr_expect_eq(occurrences("first difference"), 0);
    cr_expect_eq(occurrences("combiner, operands 0 "), 2);
    expect("PICAFUZZ_PARTIAL=five", "run --pixel 100,100 -b reference," LIBRARY("partial_backend") " " FRAME, 0,
           "\nreference: 2 fragments; the two agree\n");
}

/* `crooked` has primary colours of 254 where there should be 255. */
Test(pixel_command, of_two_backends_that_differ_the_first_difference_is_marked)
{
    static const char *const words[] = {
        "pixel 2,3 (from the left, from the bottom) on reference and crooked, 9 draws\n",
        "    raster, weights                     2047 9599 640   (w0 w1 w2)\n",
        "    interpolation, primary colour       reference  255 255 255 255\n",
        "                                        crooked    254 254 254 254   <-- first difference\n",
        "    combiner, operands 0                reference  255 255 255 255 | 0 0 0 0 | 0 0 0 0\n",
        "; the two differ\n"
    };
    expect("", "run --pixel 2,3 -b reference," LIBRARY("crooked") " " BLEND, 1, "the two differ\n");
    expect_in_order(words, sizeof words / sizeof words[0]);
    cr_expect_eq(occurrences("<-- first difference"), 1);
    expect("", "run --pixel 2,3 -b " LIBRARY("crooked") ",reference " BLEND, 1,
           "reference  255 255 255 255   <-- first difference\n");
}

/* RST-04: three weights of 0 are covered on the other side alone; CUL-02: and a clockwise triangle is drawn or not. */
Test(pixel_command, fragments_that_one_of_two_backends_has_are_named_by_it)
{
    expect("", "run --pixel 0,0 -b reference,reference+empty-sum=drawn corpus/splits/empty-sum.pcase", 1,
           "written; on reference+empty-sum=drawn alone   <-- first difference\n");
    cr_expect_eq(occurrences("<-- first difference"), 1);
    cr_expect_eq(occurrences("alone says this"), 0);
    cr_expect_not_null(
        strstr(result.output, "reference: 1 fragment, reference+empty-sum=drawn: 2 fragments; the two differ"));
    expect("", "run --pixel 0,0 -b reference+cull-mode-0=as-2,reference corpus/splits/cull-mode-0.pcase", 1,
           "written; on reference alone   <-- first difference\n");
    cr_expect_not_null(strstr(result.output, ": 0 fragments, reference: 1 fragment; the two differ\n"));
    expect("", "run --pixel 0,0 -b reference,reference+cull-mode-0=as-2 corpus/splits/cull-mode-0.pcase", 1,
           "written; on reference alone   <-- first difference\n");
}

/* What a plug-in tells may be anything: steps with a million values, without names, of draws that are none. */
Test(pixel_command, nonsense_of_a_plug_in_is_shown_or_is_a_crash)
{
    expect("PICAFUZZ_LIE=steps", "run --pixel 100,100 -b " LIBRARY("liar_backend") " " FRAME, 0, "liar: 2 fragments");
    expect("PICAFUZZ_LIE=names", "run --pixel 100,100 -b " LIBRARY("liar_backend") " " FRAME, 0,
           "    (no stage), (no name) 0 ");
    expect("PICAFUZZ_LIE=draw", "run --pixel 100,100 -b reference," LIBRARY("liar_backend") " " FRAME, 1,
           "liar       (nothing)   <-- first difference\n");
    expect("PICAFUZZ_LIE=crash", "run --pixel 100,100 -b " LIBRARY("liar_backend") " " FRAME, 3,
           "backend liar: running the case: crashed in run (load): Aborted");
}

Test(pixel_command, recorded_results_are_a_backend_without_traces)
{
    char directory[1024], line[4096];
    fresh_directory(directory, sizeof directory, "pixel_recorded");
    (void)snprintf(line, sizeof line, "run --no-pictures --record '%s/a.res' " FRAME, directory);
    expect("", line, 0, "recorded");
    (void)snprintf(line, sizeof line, "run --pixel 100,100 -b 'recorded:%s/a.res' " FRAME, directory);
    expect("", line, 0, "0x203040FF (32 48 64 255) -> 0x582813FF (88 40 19 255)\n");
    (void)snprintf(line, sizeof line, "run --pixel 2,3 -b 'recorded:%s/a.res' " BLEND, directory);
    expect("", line, 0, "not tested: ");
}

/* A draw by a plan in two parts, whose coordinate w nothing but a trace looks at. */
Test(pixel_command, a_trace_sees_what_the_draw_does_not_need)
{
    expect("", "run --no-pictures --pixel 5,5 -b reference,fast tests/cli/cases/coordinate-w-by-a-plan.pcase", 0,
           "texture coordinate 0");
}
