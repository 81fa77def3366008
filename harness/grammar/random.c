#include "harness/grammar/random.h"

#include "harness/case/hash.h"
#include "harness/case/numbers.h"

void harness_random_init(struct harness_random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        random->words[i] = harness_splitmix64(&seed);
}

uint32_t harness_random_weighted(struct harness_random *random, const uint32_t *weights, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += weights[i];
    uint32_t left = harness_random_below(random, sum);
    for (uint32_t i = 0; i < count; i++) {
        if (left < weights[i])
            return i;
        left -= weights[i];
    }
    return 0;
}

uint32_t harness_random_number(struct harness_random *random, uint32_t width)
{
    const uint32_t ones = UINT32_MAX >> (32u - width);
    const uint32_t power = 1u << harness_random_below(random, width);
    const uint32_t plain[8] = { 0, ones, power, power - 1u, (power + 1u) & ones, 0, 0, ones ^ power };
    const uint32_t kind = harness_random_below(random, 10);
    if (kind >= 8)
        return (uint32_t)(harness_random_next(random) >> 32) & ones;
    if (kind == 5)
        return (ones - harness_random_below(random, 4)) & ones;
    return kind == 6 ? harness_random_below(random, 8) & ones : plain[kind];
}

float harness_random_float(struct harness_random *random, float low, float high)
{
    const float part = (float)harness_random_below(random, 0x10000) / 65536.0f;
    return low + (high - low) * part;
}

uint32_t harness_random_f32(struct harness_random *random)
{
    static const uint32_t special[] = { 0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
                                        0x7FC00000, 0x00000001, 0x00800000, 0x7F7FFFFF, 0x20800000, 0x207FFFFF,
                                        0x5F7FFF80, 0x5F800000, 0x3F000000, 0x43000000, 0xC3000000, 0x4F000000 };
    const uint32_t sign = harness_random_below(random, 2) << 31;
    switch (harness_random_below(random, 8)) {
    case 0: return special[harness_random_below(random, sizeof special / sizeof special[0])];
    case 1: return harness_f32_bits((float)harness_random_below(random, 256) - 128.0f);
    case 2: return harness_f32_bits(harness_random_float(random, -1000.0f, 1000.0f));
    case 3: return (uint32_t)(harness_random_next(random) >> 32);
    case 4: return sign | harness_random_between(random, 0x70, 0x8E) << 23;
    default: return harness_f32_bits(harness_random_float(random, -2.0f, 2.0f));
    }
}
