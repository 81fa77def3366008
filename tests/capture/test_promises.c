/* What picafuzz_capture.h promises, on an emulator of eight pages: what is in the file, what is refused and why. */
#include "harness/capture/picafuzz_capture.h"
#include "harness/case/formats.h"
#include "pica/regs.h"
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum {
    PAGE = 4096,
    PAGES = 8,
    FCRAM = 0x20000000,
    LIST = FCRAM + PAGE,
    NOWHERE = 1
};

/* An emulator with PAGES pages at FCRAM, perhaps another one. */
struct toy {
    uint8_t memory[PAGES * PAGE];
    uint32_t extra; /* address of a page of zeros; NOWHERE: there is none */
};

static struct toy toy;
static char path[2048], why[PICAFUZZ_CAPTURE_WHY];
static struct picafuzz_capture *frame;

static int read_toy(void *user, uint32_t address, uint8_t *out, uint32_t size)
{
    const struct toy *const guest = user;
    if (address - FCRAM < sizeof guest->memory)
        memcpy(out, guest->memory + (address - FCRAM), size);
    else if (address - guest->extra < PAGE)
        memset(out, 0, size);
    return address - FCRAM < sizeof guest->memory || address - guest->extra < PAGE;
}

static void store(uint32_t address, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < 4 * count; i++)
        toy.memory[address - FCRAM + i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}

static void begin(const char *test)
{
    char directory[1024];
    fresh_directory(directory, sizeof directory, test);
    (void)snprintf(path, sizeof path, "%s/frame.picacap", directory);
    memset(&toy, 0, sizeof toy);
    toy.extra = NOWHERE;
    frame = picafuzz_capture_begin(read_toy, &toy);
    cr_assert_not_null(frame);
}

/* A list that draws one vertex with texture 0 at `texture`, and no vertex array. */
static uint32_t store_draw(uint32_t texture)
{
    const uint32_t words[] = {
        1,
        0xF0000 | PICA_REG_TEXUNIT_CONFIG,
        8 << 16 | 8,
        0xF0000 | PICA_REG_TEXUNIT0_DIM,
        texture >> 3,
        0xF0000 | PICA_REG_TEXUNIT0_ADDR1,
        1,
        0xF0000 | PICA_REG_NUMVERTICES,
        1,
        0xF0000 | PICA_REG_DRAWARRAYS,
        0x12345678,
        0xF0000 | PICA_REG_FINALIZE,
    };
    store(LIST, words, sizeof words / sizeof words[0]);
    return sizeof words;
}

static void expect_refused(const char *message)
{
    cr_expect_eq(picafuzz_capture_end(frame, path, why, sizeof why), 0);
    cr_expect_str_eq(why, message);
    cr_expect(!file_exists(path), "a refused capture leaves no file");
}

/* The capture as a case, which the caller destroys. */
static struct harness_case *read_back(void)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(picafuzz_capture_end(frame, path, why, sizeof why), 1, "%s", why);
    cr_expect_str_empty(why);
    cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    return test_case;
}

/* Bytes that loads and lists of the case bring to a page, all operations together. */
static uint32_t bytes_to(const struct harness_case *test_case, uint32_t page)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        const struct harness_operation *const operation = &test_case->operations[i];
        if ((operation->kind == HARNESS_LOAD || operation->kind == HARNESS_RUN) &&
            operation->address / PAGE == page / PAGE)
            bytes += harness_data_size(&operation->data, operation->kind == HARNESS_RUN);
    }
    return bytes;
}

/* ------------------------------------------------------------------------------------------------------- refused */

Test(promises, memory_that_the_emulator_does_not_give_is_named_by_address_and_use)
{
    begin("capture_missing");
    picafuzz_capture_list(frame, LIST, store_draw(0x18100000));
    expect_refused("operation 1 (list at 0x20001000) needs 0x18100000 (texture 0), which the emulator does not give");
    begin("capture_missing_list");
    picafuzz_capture_vblank(frame, 0);
    picafuzz_capture_list(frame, FCRAM + PAGES * PAGE, 16);
    expect_refused("operation 2 (list at 0x20008000) needs 0x20008000 (the list), which the emulator does not give");
    begin("capture_missing_told");
    picafuzz_capture_reads(frame, 0x18000000, 4);
    picafuzz_capture_vblank(frame, 0);
    expect_refused(
        "operation 1 (vertical blank 0x00000000) needs 0x18000000 (told by the emulator), which the emulator "
        "does not give");
}

Test(promises, memory_that_no_case_can_have_is_named)
{
    begin("capture_outside");
    toy.extra = 0x28001000;
    picafuzz_capture_list(frame, LIST, store_draw(0x28001000));
    expect_refused("operation 1 (list at 0x20001000) needs 0x28001000 (texture 0), which is neither in VRAM nor in 128 "
                   "MiB of FCRAM");
    begin("capture_nothing_there"); /* nothing is there: the GPU reads zeros (MEM-02), and so do backends */
    picafuzz_capture_list(frame, LIST, store_draw(0x28001000));
    harness_case_destroy(read_back());
}

Test(promises, state_comes_once_and_before_all_operations)
{
    static const uint32_t words[4097];
    begin("capture_state_twice");
    picafuzz_capture_state(frame, PICAFUZZ_CAPTURE_FOG, words, 128);
    picafuzz_capture_state(frame, PICAFUZZ_CAPTURE_FOG, words, 128);
    expect_refused("state: part 5 is given twice, or after an operation");
    begin("capture_state_late");
    picafuzz_capture_vblank(frame, 1);
    picafuzz_capture_state(frame, PICAFUZZ_CAPTURE_FOG, words, 128);
    expect_refused("state: part 5 is given twice, or after an operation");
    begin("capture_state_long");
    picafuzz_capture_state(frame, PICAFUZZ_CAPTURE_VERTEX_CODE, words, 4097);
    expect_refused("state: there is no part 12 of 4097 words");
    begin("capture_state_unknown");
    picafuzz_capture_state(frame, 60, words, 1);
    expect_refused("state: there is no part 60 of 1 words");
}

Test(promises, too_much_is_refused)
{
    begin("capture_too_much");
    for (uint32_t i = 0; i <= 20000; i++)
        picafuzz_capture_vblank(frame, 0);
    expect_refused("the GPU is told more than 20000 things: capture fewer frames");
}

Test(promises, a_path_that_cannot_be_written_is_said)
{
    begin("capture_path");
    cr_expect_eq(picafuzz_capture_end(frame, "/proc/no/such/frame.picacap", why, sizeof why), 0);
    cr_expect_str_eq(why, "/proc/no/such/frame.picacap: cannot be written");
}

Test(promises, without_a_capture_every_call_does_nothing)
{
    static const uint32_t words[9];
    picafuzz_capture_state(NULL, PICAFUZZ_CAPTURE_FOG, words, 1);
    picafuzz_capture_changed(NULL, FCRAM, 1);
    picafuzz_capture_changed_anywhere(NULL);
    picafuzz_capture_list(NULL, LIST, 16);
    picafuzz_capture_write(NULL, 0x10400010, 1);
    picafuzz_capture_fill(NULL, 0, words);
    picafuzz_capture_transfer(NULL, words);
    picafuzz_capture_vblank(NULL, 0);
    picafuzz_capture_reads(NULL, FCRAM, 1);
    picafuzz_capture_note(NULL, "nothing");
    cr_expect_eq(picafuzz_capture_end(NULL, "x", why, sizeof why), 0);
    begin("capture_given_up");
    picafuzz_capture_list(frame, LIST, 16);
    cr_expect_eq(picafuzz_capture_end(frame, NULL, NULL, 0), 0, "only freed");
}

/* ---------------------------------------------------------------------------------------------------- in the file */

Test(promises, each_page_that_the_GPU_reads_is_there_once_and_no_other)
{
    begin("capture_once");
    memset(toy.memory, 0x11, sizeof toy.memory);
    for (int i = 0; i < 3; i++)
        picafuzz_capture_list(frame, LIST, store_draw(FCRAM + 3 * PAGE + 8));
    struct harness_case *const test_case = read_back();
    for (uint32_t page = 0; page < PAGES; page++)
        cr_expect_eq(bytes_to(test_case, FCRAM + page * PAGE), page == 1 || page == 3 ? PAGE : 0, "page %u", page);
    harness_case_destroy(test_case);
}

/* The list is changed between its runs; the toy says so, or does not. */
static uint32_t bytes_of_two_runs(const char *test, void (*say)(void))
{
    begin(test);
    const uint32_t size = store_draw(FCRAM + 3 * PAGE);
    picafuzz_capture_list(frame, LIST, size);
    store(LIST + 24, (uint32_t[]){ 3 }, 1);
    say();
    picafuzz_capture_list(frame, LIST, size);
    struct harness_case *const test_case = read_back();
    const uint32_t bytes = bytes_to(test_case, LIST) - PAGE;
    harness_case_destroy(test_case);
    return bytes;
}

static void say_where(void)
{
    picafuzz_capture_changed(frame, LIST + 24, 4);
}

static void say_anywhere(void)
{
    picafuzz_capture_changed_anywhere(frame);
}

static void say_nothing(void)
{
}

static void say_what_is_not_so(void)
{
    picafuzz_capture_changed(frame, LIST + 2 * PAGE, PAGE); /* the texture: as it was */
    picafuzz_capture_changed(frame, 0x1FF80000, PAGE);
}

Test(promises, what_the_CPU_changed_is_there_again_as_far_as_the_emulator_says)
{
    cr_expect_eq(bytes_of_two_runs("capture_changed", say_where), 4);
    cr_expect_eq(bytes_of_two_runs("capture_changed_anywhere", say_anywhere), PAGE);
    cr_expect_eq(bytes_of_two_runs("capture_not_told", say_nothing), 0);
    cr_expect_eq(bytes_of_two_runs("capture_told_wrongly", say_what_is_not_so), 0);
}

Test(promises, pages_that_a_fill_covers_are_left_out_and_its_ends_are_not)
{
    const uint32_t words[4] = { (FCRAM + PAGE) >> 3, (FCRAM + 3 * PAGE + 16) >> 3, 7, 0x201 };
    begin("capture_fill");
    memset(toy.memory, 0x11, sizeof toy.memory);
    picafuzz_capture_fill(frame, 1, words);
    struct harness_case *const test_case = read_back();
    for (uint32_t page = 0; page < PAGES; page++)
        cr_expect_eq(bytes_to(test_case, FCRAM + page * PAGE), page == 3 ? PAGE : 0, "page %u", page);
    cr_assert_eq(test_case->operation_count, 2);
    cr_expect_eq(test_case->operations[1].kind, HARNESS_FILL);
    cr_expect_eq(test_case->operations[1].unit, 1);
    cr_expect_arr_eq(test_case->operations[1].words, words, sizeof words);
    harness_case_destroy(test_case);
}

Test(promises, notes_state_and_floats_arrive)
{
    const uint32_t one = picafuzz_capture_float24(0x3F0000);
    begin("capture_notes");
    picafuzz_capture_state(frame, PICAFUZZ_CAPTURE_VERTEX_FLOATS, &one, 1);
    picafuzz_capture_note(frame, "the third frame");
    picafuzz_capture_vblank(frame, 1);
    struct harness_case *const test_case = read_back();
    cr_assert_eq(test_case->operation_count, 2);
    cr_expect_str_eq(test_case->operations[0].text, "the third frame");
    cr_assert_not_null(test_case->state);
    cr_expect_eq(test_case->state->values.units[PICA_UNIT_VERTEX].uniforms[0].bits[0], 0x3F800000);
    harness_case_destroy(test_case);
}

Test(promises, FLT_12_float24_becomes_the_binary32_of_the_same_value)
{
    static const uint32_t rows[][2] = {
        { 0x3F0000, 0x3F800000 }, { 0xBF0000, 0xBF800000 }, { 0x408000, 0x40400000 }, { 0x010000, 0x20800000 },
        { 0x000001, 0x18800000 }, { 0x00FFFF, 0x207FFF00 }, { 0x7EFFFF, 0x5F7FFF80 }, { 0x7F0000, 0x7F800000 },
        { 0xFF0000, 0xFF800000 }, { 0x7F8000, 0x7FC00000 }, { 0x800000, 0x80000000 }, { 0x3E0000, 0x3F000000 },
        { 0x000000, 0x00000000 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cr_expect_eq(picafuzz_capture_float24(rows[i][0]), rows[i][1], "0x%06X", rows[i][0]);
}
