/* Gas: its registers and its table. */
#include "harness/grammar/gen_parts.h"

static void upload_gas(struct gen *gen)
{
    uint32_t words[16];
    for (uint32_t i = 0; i < 16; i++)
        words[i] = gen_below(gen, UINT32_MAX);
    gen_write(gen, PICA_REG_GAS_LUT_INDEX, gen_below(gen, 20));
    gen_write_port(gen, PICA_REG_GAS_LUT_DATA, words, gen_between(gen, 1, 16));
}

void gen_gas(struct gen *gen)
{
    gen_set_drawn(gen, PICA_REG_GAS_ATTENUATION, PICA_REG_GAS_ACCMAX);
    upload_gas(gen);
}

void gen_gas_light(struct gen *gen)
{
    gen_set_drawn(gen, PICA_REG_GAS_LIGHT_XY, PICA_REG_GAS_DELTAZ_DEPTH);
}
