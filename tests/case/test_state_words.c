/* Dumped registers (docs/formats/registers.md): both forms, and what is wrong with broken files. */
#include "harness/case/formats.h"
#include "pica/regs.h"
#include "tests/case/random_case.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct harness_state state;

static enum harness_status read_part(uint32_t part, const void *bytes, size_t size, struct harness_error *error)
{
    uint8_t *const exact = malloc(size == 0 ? 1 : size); /* so that the address sanitizer sees the end */
    cr_assert_not_null(exact);
    memcpy(exact, bytes, size);
    harness_state_init(&state);
    const enum harness_status status = harness_state_words_read(&state, part, exact, size, "x", error);
    free(exact);
    return status;
}

static void expect_message(uint32_t part, const char *text, const char *message)
{
    struct harness_error error = { "" };
    cr_expect_eq(read_part(part, text, strlen(text), &error), HARNESS_BAD_INPUT, "%s", text);
    cr_expect_str_eq(error.message, message);
}

Test(state_words, text_says_some_elements_and_the_others_stay)
{
    static const char text[] = "# from the log of a crash\n"
                               "0x117 0x00020000\n"
                               "\n"
                               "  281: 4096 # decimal\r\n"
                               "COLORBUFFER_LOC=0x3000000";
    struct harness_error error = { "" };
    cr_assert_eq(read_part(PICA_STATE_REGISTERS, text, sizeof text - 1, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(state.values.registers[PICA_REG_COLORBUFFER_FORMAT], 0x20000);
    cr_expect_eq(state.values.registers[281], 4096);
    cr_expect_eq(state.values.registers[PICA_REG_COLORBUFFER_LOC], 0x3000000);
    cr_expect_eq(state.values.registers[PICA_REG_IRQ_COMPARE0], 0x12345678, "REG-02");
    cr_expect_eq(state.given, (uint64_t)1 << PICA_STATE_REGISTERS);
}

Test(state_words, raw_words_begin_with_the_first_element)
{
    uint8_t bytes[0xC00] = { 0 };
    struct harness_error error = { "" };
    bytes[4 * 0x117 + 2] = 2;
    cr_assert_eq(read_part(PICA_STATE_REGISTERS, bytes, sizeof bytes, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(state.values.registers[PICA_REG_COLORBUFFER_FORMAT], 0x20000);
    cr_expect_eq(state.values.registers[PICA_REG_IRQ_COMPARE0], 0x12345678, "0x000-0x03F are all 0: not kept");
    bytes[4 * 0x34] = 1;
    cr_assert_eq(read_part(PICA_STATE_REGISTERS, bytes, sizeof bytes, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(state.values.registers[PICA_REG_IRQ_COMPARE0], 0, "one of them is kept, so all are");
}

Test(state_words, messages_name_the_place_and_the_element)
{
    expect_message(0, "\n0x300 1\n", "x:2: expected a register, 0x000 to 0x2FF or its name, found '0x300'");
    expect_message(0, "0x000", "x:1: expected a value that the element can have, found ''");
    expect_message(0, "0x0 0x100000000", "x:1: expected a value that the element can have, found '0x100000000'");
    expect_message(0, "0x0 -1", "x:1: expected a value that the element can have, found '-1'");
    expect_message(0, "010 1", "x:1: expected a register, 0x000 to 0x2FF or its name, found '010'");
    expect_message(0, "0x0 1 2", "x:1: expected the end of the line, found '2'");
    expect_message(0, "0x11D 1\nCOLORBUFFER_LOC 1", "x:2: expected each element once, found 'COLORBUFFER_LOC'");
    expect_message(2, "COLORBUFFER_LOC 1", "x:1: expected the index of an element, found 'COLORBUFFER_LOC'");
    expect_message(27, "0 3", "x:1: expected a value that the element can have, found '3'");
    expect_message(27, "\001\001\001", "x: expected at most 1 words (fixed_queue_length), found 3 bytes");
    expect_message(27, "\003\003\003\003",
                   "x: offset 0x0: expected a value that the element can have, found 0x3030303 for "
                   "fixed_queue_length[0]");
}

/* Whatever bytes there are: a state or a message. As often as test_bad_input.c. */
Test(state_words, broken_files_end_in_a_message)
{
    struct test_random random;
    uint8_t bytes[256];
    uint32_t accepted = 0;
    const char *const wanted = getenv("PICAFUZZ_BAD_INPUT");
    const uint32_t rounds = wanted == NULL ? 2000 : (uint32_t)strtoul(wanted, NULL, 10);
    test_random_seed(&random, 55);
    for (uint32_t round = 0; round < rounds; round++) {
        static const char text[] = "0x117 0x00020000\nCOLORBUFFER_LOC = 1 # x\n3: 0x5\r\n";
        struct harness_error error = { "" };
        memcpy(bytes, text, sizeof text - 1);
        const size_t size = test_mutate(&random, bytes, sizeof text - 1, sizeof bytes);
        const enum harness_status status = read_part(round % harness_part_count, bytes, size, &error);
        accepted += status == HARNESS_OK;
        cr_assert(status == HARNESS_OK || strstr(error.message, "expected") != NULL, "'%s'", error.message);
    }
    cr_expect_gt(accepted, rounds / 200);
}
