#include "tests/conformance/transfer_probe.h"

uint32_t dim(uint32_t width, uint32_t height)
{
    return height << 16 | width;
}

void transfer(struct machine *m, uint32_t width, uint32_t height, uint32_t indim, uint32_t flags)
{
    machine_transfer(
        m, &(struct transfer){ .in = IN, .out = OUT, .dim = dim(width, height), .indim = indim, .flags = flags });
}

void load_numbers(struct machine *m, uint32_t address, uint32_t n)
{
    uint32_t words[64];
    for (uint32_t first = 0; first < n; first += 64u) {
        for (uint32_t i = 0; i < 64u; i++)
            words[i] = first + i + 1u;
        machine_load_words(m, address + 4u * first, words, 64);
    }
}
