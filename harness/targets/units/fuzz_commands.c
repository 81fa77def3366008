/*
 * The property: the command processor alone. An input is the words of one list, which both backends read to the same
 * command, with the same registers, tables, events and memory at the end. Draws may happen, but are as small as can
 * be: budgets of a triangle and a few pixels.
 */
#include "harness/targets/units/unit.h"

enum {
    MOST_WORDS = 0x1C00 /* to the end of the window */
};

static const uint32_t list_address = 0x18001000;

const char unit_frame[] = "pcase 1\n"
                          "window 0x18000000 size 0x8000\n"
                          "limits { commands = 0x400, vertices = 6, instructions = 16, emits = 4, pixels = 64 }\n";

bool unit_build(struct harness_case *test_case, struct unit_input *input)
{
    uint32_t words[MOST_WORDS];
    const size_t count = unit_words(input, words, MOST_WORDS);
    struct harness_operation *const run = harness_case_add_run(test_case, list_address);
    return run != NULL && harness_list_decode(test_case, &run->data.list, words, count);
}
