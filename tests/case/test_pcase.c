/* The text form: round trips, what people write, and the messages they get. */
#include "harness/case/formats.h"
#include "pica/regs.h"
#include "tests/case/captures.h"
#include "tests/case/random_case.h"

#include <criterion/criterion.h>
#include <string.h>

static const char WINDOW[] = "window 0x18000000 size 0x10000\n";

/* read(write(c)) == c, and the text of what was read is the same text. */
static void expect_round_trip(const struct harness_case *test_case, const char *what)
{
    struct harness_case *const back = harness_case_create();
    struct harness_error error = { "" };
    struct harness_text text = { 0 };
    struct harness_text again = { 0 };
    cr_assert_eq(harness_pcase_write(test_case, &text, &error), HARNESS_OK, "%s: %s", what, error.message);
    cr_assert_eq(harness_pcase_read(back, text.data, text.size, what, &error), HARNESS_OK, "%s", error.message);
    cr_assert(harness_case_equal(test_case, back, true), "%s", what);
    cr_assert_eq(harness_pcase_write(back, &again, &error), HARNESS_OK);
    cr_assert_eq(text.size, again.size);
    cr_assert_arr_eq(text.data, again.data, text.size);
    harness_text_free(&text);
    harness_text_free(&again);
    harness_case_destroy(back);
}

Test(pcase, random_cases_round_trip)
{
    struct test_random random;
    struct harness_case *const test_case = harness_case_create();
    test_random_seed(&random, 10);
    for (uint32_t round = 0; round < 3000; round++) {
        test_random_case(&random, test_case, true);
        expect_round_trip(test_case, "random");
    }
    harness_case_destroy(test_case);
}

Test(pcase, all_captures_round_trip)
{
    struct harness_case *const test_case = harness_case_create();
    for (uint32_t i = 0; i < TEST_CAPTURES; i++) {
        test_capture_load(i, test_case);
        expect_round_trip(test_case, test_capture_names[i]);
    }
    harness_case_destroy(test_case);
}

Test(pcase, the_largest_windows_limits_and_texts_round_trip)
{
    char text[HARNESS_MAX_TEXT + 1];
    struct harness_case *const test_case = harness_case_create();
    harness_import_wide_windows(test_case);
    test_case->limits = (struct pica_limits){ 1, 0x10000000, 1, 0x10000000, 1 };
    memset(text, '"', HARNESS_MAX_TEXT);
    text[HARNESS_MAX_TEXT] = '\0';
    harness_case_append(test_case, HARNESS_NOTE)->text = harness_case_text(test_case, text, true);
    test_case->comment = harness_case_text(test_case, text, false);
    expect_round_trip(test_case, "extremes");
    harness_case_destroy(test_case);
}

/* ------------------------------------------------------------------------------------------------------- by hand */

static void read_good(struct harness_case *out, const char *text)
{
    struct harness_error error = { "" };
    cr_assert_eq(harness_pcase_read(out, text, strlen(text), "hand.pcase", &error), HARNESS_OK, "%s", error.message);
}

Test(pcase, fields_enums_floats_and_addresses_are_read_by_name)
{
    struct harness_case *const test_case = harness_case_create();
    read_good(test_case, "# what this case shows\n"
                         "pcase 1\n"
                         "profile f24\n"
                         "limits { vertices = 0x1000, pixels = 131072 }\n"
                         "window 0x18000000 size 0x10000\n"
                         "run 0x18000000 {\n"
                         "    # the depth test\n"
                         "    DEPTH_COLOR_MASK { depth_test = 1, depth_function = less }\n"
                         "    VIEWPORT_WIDTH { half_size = 120.0 }   ; a remark\n"
                         "    COLORBUFFER_LOC { address = 0x18001000 }\n"
                         "    STENCIL_TEST mask 0x3 = 0x1F41\n"
                         "    VIEWPORT_XY { x = -1, y = 5 }\n"
                         "    0x345 ignored 3 = 7\n"
                         "    TEXENV0_SOURCE consecutive {\n"
                         "        TEXENV0_SOURCE = 0x000F000F\n"
                         "        TEXENV0_OPERAND = 0\n"
                         "    }\n"
                         "    FOG_LUT_DATA0 padding 0xEE repeat { 1 2 }\n"
                         "}\n"
                         "write COLOR_FILL_TOP { red = 255, enable = 1 }\n"
                         "vblank bottom\n"
                         "note \"a \\\"b\\\" \\\\\"\n");
    cr_expect_str_eq(test_case->comment, "what this case shows");
    cr_expect_eq(test_case->profile, PICA_PROFILE_F24);
    cr_expect_eq(test_case->limits.pixels, 0x20000);
    cr_assert_eq(test_case->operation_count, 4);
    const struct harness_list *const list = &test_case->operations[0].data.list;
    cr_assert_eq(list->count, 8);
    cr_expect_str_eq(list->commands[0].comment, "the depth test");
    cr_expect_eq(list->commands[0].parameters[0], 0x41);
    cr_expect_eq(list->commands[1].parameters[0], 0x45E000);
    cr_expect_eq(list->commands[2].parameters[0], 0x18001000 / 8);
    cr_expect_eq(list->commands[3].mask, 3);
    cr_expect_eq(list->commands[3].parameters[0], 0x1F41);
    cr_expect_eq(list->commands[4].parameters[0], 0x000503FF);
    cr_expect_eq(list->commands[5].id, 0x345);
    cr_expect_eq(list->commands[5].ignored, 3);
    cr_expect(list->commands[6].consecutive);
    cr_expect_eq(list->commands[6].count, 2);
    cr_expect_eq(list->commands[7].padding, 0xEE);
    cr_expect_eq(test_case->operations[1].address, 0x10202204);
    cr_expect_eq(test_case->operations[1].words[0], 0x010000FF);
    cr_expect_eq(test_case->operations[2].unit, 1);
    cr_expect_str_eq(test_case->operations[3].text, "a \"b\" \\");
    harness_case_destroy(test_case);
}

Test(pcase, tables_and_bytes_are_read)
{
    struct harness_case *const test_case = harness_case_create();
    read_good(test_case, "pcase 1\nwindow 0x18000000 size 0x10000\n"
                         "memory 0x18000000 table f32*2 u8 pad { 1.0 -0.5 255 0x00  0x7F800001 2 1 0 bytes aabb }\n"
                         "memory 0x18000100 table u16 { 0 1 65535 }\n"
                         "load 0x18000200 bytes { 00 01*4 ff0203 }\n"
                         "load 0x18000300 noise 0x1234 size 0x400\n");
    cr_assert_eq(test_case->chunk_count, 2);
    cr_assert_eq(test_case->chunks[0].data.size, 22);
    cr_expect_arr_eq(test_case->chunks[0].data.bytes,
                     "\x00\x00\x80\x3F\x00\x00\x00\xBF\xFF\x00\x01\x00\x80\x7F\x00\x00\x00\x40\x01\x00\xAA\xBB", 22);
    cr_expect_arr_eq(test_case->chunks[1].data.bytes, "\x00\x00\x01\x00\xFF\xFF", 6);
    cr_assert_eq(test_case->operations[0].data.size, 8);
    cr_expect_arr_eq(test_case->operations[0].data.bytes, "\x00\x01\x01\x01\x01\xFF\x02\x03", 8);
    cr_expect_eq(test_case->operations[1].data.size, 0x400);
    harness_case_destroy(test_case);
}

Test(pcase, a_shader_block_becomes_code_and_descriptors)
{
    struct harness_case *const test_case = harness_case_create();
    read_good(test_case, "pcase 1\nwindow 0x18000000 size 0x10000\n"
                         "run 0x18000000 {\n"
                         "    shader vertex {\n"
                         "        dp4 o0.x, c0, v0\n"
                         "        dp4 o0.y, c1, v0\n"
                         "        mov o1, v1\n"
                         "        end\n"
                         "    }\n"
                         "}\n");
    const struct harness_list *const list = &test_case->operations[0].data.list;
    cr_assert_eq(list->count, 5);
    cr_expect_eq(list->commands[0].id, PICA_REG_VSH_CODETRANSFER_INDEX);
    cr_expect_eq(list->commands[1].id, PICA_REG_VSH_CODETRANSFER_DATA0);
    cr_expect_eq(list->commands[1].count, 4);
    cr_expect_eq(list->commands[1].parameters[3], 0x88000000);
    cr_expect_eq(list->commands[2].id, PICA_REG_VSH_CODETRANSFER_END);
    cr_expect_eq(list->commands[4].id, PICA_REG_VSH_OPDESCS_DATA0);
    cr_expect_eq(list->commands[4].count, 3);
    cr_expect_eq(list->commands[4].parameters[0] & 0xF, 0x8);
    cr_expect_eq(list->commands[4].parameters[1] & 0xF, 0x4);
    cr_expect_eq(list->commands[4].parameters[2] & 0xF, 0xF);
    expect_round_trip(test_case, "shader block");
    harness_case_destroy(test_case);
}

/* VTX-41: index 15 begins vertices, whichever word of the command it is in; later descriptors are not for this code. */
Test(pcase, code_is_shown_with_the_descriptors_of_the_next_draw)
{
    static const char *const indices[] = { "= 0xF", "repeat { 0x3 0xF }", "repeat { 0xF 0x3 }", "= 0x3" };
    struct harness_case *const test_case = harness_case_create();
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
        struct harness_text text = { 0 }, written = { 0 };
        harness_text_format(
            &text,
            "pcase 1\n%srun 0x18000000 {\nVSH_CODETRANSFER_INDEX = 0\nVSH_CODETRANSFER_DATA0 = 0x4C000000\n"
            "FIXEDATTRIB_INDEX %s\nVSH_OPDESCS_INDEX = 0\nVSH_OPDESCS_DATA0 = 0x0000036E\n}\n",
            WINDOW, indices[i]);
        read_good(test_case, harness_text_string(&text));
        harness_pcase_write_commands(&test_case->operations[0].data.list, 1, &written, NULL, NULL);
        const bool known = strstr(harness_text_string(&written), "mov o0.xyz, v0") != NULL;
        cr_expect_eq(known, i == 3, "%s: %s", indices[i], harness_text_string(&written));
        harness_text_free(&text);
        harness_text_free(&written);
    }
    harness_case_destroy(test_case);
}

/* --------------------------------------------------------------------------------------------------------- messages */

Test(pcase, messages_say_where_and_what)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        { "", "bad.pcase:1:1: expected pcase, found the end of the file" },
        { "\xEF\xBB\xBFpcase 1\n", "bad.pcase:1:1: expected plain UTF-8, found a byte-order mark (EF BB BF)" },
        { "\xFF\xFEp", "bad.pcase:1:1: expected plain UTF-8, found UTF-16" },
        { "\xFE\xFF\x01p", "bad.pcase:1:1: expected plain UTF-8, found UTF-16" },
        { "pcase 2\n", "bad.pcase:1:7: expected 1, found '2'" },
        { "pcase 1\nfoo\n", "bad.pcase:2:1: expected window, limits, profile, state, memory or an operation" },
        { "pcase 1\nwindow 0x18000000 0x1000\n", "bad.pcase:2:19: expected size, found '0x1000'" },
        { "pcase 1\nwindow 0x180000000 size 1\n", "bad.pcase:2:8: expected an address, found '0x180000000'" },
        { "pcase 1\nwindow 0x18000000 size 0x800\n", "bad.pcase: window 0: expected address and size in multiples" },
        { "pcase 1\nprofile f25\n", "bad.pcase:2:9: expected f32 or f24, found 'f25'" },
        { "pcase 1\nlimits { verts = 1 }\n", "bad.pcase:2:10: expected commands, vertices, instructions" },
        { "pcase 1\nrun 0x18000000 {\n  DEPTH_COLOR_MASK { depth = 1 }\n}\n",
          "bad.pcase:3:22: expected a field of depth_color_mask (depth_test, depth_function, red_write, green_write, "
          "blue_write, alpha_write, depth_write), found 'depth'" },
        { "pcase 1\nrun 0x18000000 {\n  DEPTH_COLOR_MASK { depth_function = lesser }\n}\n",
          "bad.pcase:3:39: expected a name of the enumeration or its number (never, always, equal, not-equal, less, "
          "less-equal, "
          "greater, greater-equal), found 'lesser'" },
        { "pcase 1\nrun 0x18000000 {\n  DEPTH_COLOR_MASK { depth_test = 2 }\n}\n",
          "bad.pcase:3:35: expected 0 or 1, found '2'" },
        { "pcase 1\nrun 0x18000000 {\n  COLORBUFFER_LOC { address = 0x18000001 }\n}\n",
          "bad.pcase:3:31: expected an address in bytes that the field can hold, found '0x18000001'" },
        { "pcase 1\nrun 0x18000000 {\n  DEPTH_COLOUR = 1\n}\n",
          "bad.pcase:3:3: expected the name or number of a register, found 'DEPTH_COLOUR'" },
        { "pcase 1\nrun 0x18000000 {\n  BLEND_COLOR mask 16 = 1\n}\n",
          "bad.pcase:3:20: expected a byte mask 0 to 0xF" },
        { "pcase 1\nrun 0x18000000 {\n  BLEND_COLOR = 0x1G\n}\n", "bad.pcase:3:17: expected a number of 32 bits" },
        { "pcase 1\nrun 0x18000000 {\n  BLEND_COLOR consecutive { LOGIC_OP = 1 }\n}\n",
          "bad.pcase:3:29: expected BLEND_COLOR (0x103), the next register, found 'LOGIC_OP'" },
        { "pcase 1\nrun 0x18000000 {\n  FOG_LUT_DATA0 repeat { }\n}\n",
          "bad.pcase:3:3: expected a command with 1 to 256 parameters" },
        { "pcase 1\nrun 0x18000000 {\n", "bad.pcase:3:1: expected a register, tail, shader or '}', found the end" },
        { "pcase 1\nload 0x18000000 bytes { 012 }\n",
          "bad.pcase:2:25: expected pairs of hexadecimal digits, found '012'" },
        { "pcase 1\nload 0x18000000 table f64 { }\n", "bad.pcase:2:23: expected an element type" },
        { "pcase 1\nload 0x18000000 table u8 { 256 }\n", "bad.pcase:2:28: expected an integer that fits the element" },
        { "pcase 1\nload 0x18000000 fill 0 size 0x4000001\n", "bad.pcase:2:29: expected a size of at most 0x4000000" },
        { "pcase 1\nstate moon { }\n", "bad.pcase:2:7: expected a part of the state, or reset, found 'moon'" },
        { "pcase 1\nstate interrupts { 6: 1 }\n", "bad.pcase:2:20: expected an index into this part" },
        { "pcase 1\nnote \"open\n", "bad.pcase:2:6: expected a string that ends on its line" },
        { "pcase 1\n$\n", "bad.pcase:2:1: expected a word, a string or one of" },
        { "pcase 1\nrun 0x18000000 {\n  shader vertex {\n    mov o0, w1\n  }\n}\n",
          "bad.pcase:4:13: expected a register, found 'w1'" },
        { "pcase 1\nrun 0x18000000 {\n  shader vertex {\n    jmpc cmp.x, there\n  }\n}\n",
          "bad.pcase:4:17: expected a label of this code or an address, found 'there'" },
        { "pcase 1\nrun 0x18000000 {\n  VSH_CODETRANSFER_DATA0 repeat code at 0 {\n    mov o0, v0\n  }\n}\n",
          "bad.pcase:4:15: expected the number of an operand descriptor, like @3" },
        { "pcase 1\nrun 0x18000000 {\n VSH_CODETRANSFER_DATA0 repeat code at 0 {\n mov o0.x, v0 @0\n }\n"
          " VSH_OPDESCS_INDEX = 0\n VSH_OPDESCS_DATA0 repeat descriptors { xyzw, xyzw, xyzw, xyzw }\n}\n",
          "bad.pcase:4:1: expected operands as the list's descriptor @0 has them (xyzw, xyzw, xyzw, xyzw)" },
    };
    struct harness_case *const test_case = harness_case_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct harness_error error = { "" };
        cr_expect_eq(harness_pcase_read(test_case, rows[i].text, strlen(rows[i].text), "bad.pcase", &error),
                     HARNESS_BAD_INPUT, "%s", rows[i].text);
        cr_expect_eq(strncmp(error.message, rows[i].message, strlen(rows[i].message)), 0, "expected '%s', found '%s'",
                     rows[i].message, error.message);
    }
    harness_case_destroy(test_case);
}

Test(pcase, a_small_file_cannot_make_a_large_case)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_text text = { 0 };
    struct harness_error error = { "" };
    harness_text_format(&text, "pcase 1\n%s", WINDOW);
    for (uint32_t i = 0; i < 3; i++)
        harness_text_add(&text, "load 0x18000000 fill 0 size 0x2000000\n");
    cr_expect_eq(harness_pcase_read(test_case, text.data, text.size, "bomb", &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "at most 0x4000000 bytes of contents"), "%s", error.message);
    harness_text_free(&text);
    harness_case_destroy(test_case);
}

Test(pcase, a_command_is_written_as_it_stands_in_its_list)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_list list = { 0 };
    struct harness_text text = { 0 };
    cr_assert(harness_list_write(test_case, &list, PICA_REG_DEPTH_COLOR_MASK, 0x41));
    cr_assert(harness_list_write_masked(test_case, &list, PICA_REG_UNUSED_0E2, 0, 0x12345678));
    harness_pcase_write_commands(&list, 1, &text, NULL, NULL);
    cr_expect_str_eq(text.data, "    DEPTH_COLOR_MASK { depth_test = 1, depth_function = less }\n"
                                "    UNUSED_0E2 mask 0x0 = 0x12345678\n");
    harness_text_free(&text);
    harness_case_destroy(test_case);
}
