/*
 * The property: the engines beside the GPU's pipeline alone. An input is up to eight operations: a byte that says which
 * kind, then the raw words of its registers. Fills, display transfers and texture copies, on memory full of noise.
 */
#include "harness/targets/units/unit.h"

enum {
    MOST_OPERATIONS = 8,
    KINDS = 4 /* fill 0, fill 1, transfer, copy */
};

static const uint32_t copy_flag = 8; /* of the flags, words[4] */

const char unit_frame[] = "pcase 1\n"
                          "window 0x18000000 size 0x8000\n"
                          "window 0x20000000 size 0x4000\n"
                          "memory 0x18000000 noise 1 size 0x8000\n"
                          "memory 0x20000000 noise 2 size 0x4000\n";

bool unit_build(struct harness_case *test_case, struct unit_input *input)
{
    for (int i = 0; i < MOST_OPERATIONS && input->size != 0; i++) {
        const uint32_t kind = unit_byte(input) % KINDS;
        uint32_t words[9];
        for (size_t k = 0; k < (kind < 2 ? 4u : 9u); k++)
            words[k] = unit_word(input);
        if (kind == 3)
            words[4] |= copy_flag;
        if ((kind < 2 ? harness_case_add_fill(test_case, kind, words) : harness_case_add_transfer(test_case, words)) ==
            NULL)
            return false;
    }
    return true;
}
