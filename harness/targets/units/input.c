#include "harness/targets/units/unit.h"

uint32_t unit_byte(struct unit_input *input)
{
    if (input->size == 0)
        return 0;
    input->size--;
    return *input->bytes++;
}

uint32_t unit_word(struct unit_input *input)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++)
        word |= unit_byte(input) << (8 * i);
    return word;
}

size_t unit_words(struct unit_input *input, uint32_t *out, size_t most)
{
    size_t count = 0;
    for (; count < most && input->size >= 4; count++)
        out[count] = unit_word(input);
    return count;
}
