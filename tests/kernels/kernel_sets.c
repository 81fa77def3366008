#include "tests/kernels/kernel_sets.h"

#include "fast/fast.h"
#include "fast/gpu.h"
#include "fast/pipeline.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <stdlib.h>
#include <string.h>

enum {
    GUARD_BYTE = 0xA5
};

uint32_t kernel_sets(struct kernel_set sets[KERNEL_SETS_MAX])
{
    static const struct {
        const char *name, *traced_name;
        uint32_t mask;
    } known[4] = { { "scalar", "scalar, traced", 0 },
                   { "avx2", "avx2, traced", FAST_CPU_AVX2 },
                   { "avx512", "avx512, traced", FAST_CPU_AVX512 },
                   { "neon", "neon, traced", FAST_CPU_NEON } };
    const uint32_t host = fast_host_instruction_sets();
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if ((known[i].mask & host) != known[i].mask)
            continue;
        sets[count] = (struct kernel_set){ .name = known[i].name };
        fast_kernels_select(&sets[count++].kernels, known[i].mask);
        sets[count] = (struct kernel_set){ .name = known[i].traced_name, .traced = true };
        fast_kernels_select_traced(&sets[count++].kernels, known[i].mask);
    }
    return count;
}

uint64_t test_seed(const char *test)
{
    const char *const text = getenv("PICAFUZZ_SEED");
    const uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : 20261121u;
    cr_log_info("%s: seed %llu (PICAFUZZ_SEED)", test, (unsigned long long)seed);
    return seed;
}

struct fast_gpu *machine_create(void)
{
    static const struct pica_window windows[2] = { { 0x18000000u, 0x40000u }, { 0x20000000u, 0x40000u } };
    const struct pica_setup setup = { .windows = windows,
                                      .window_count = 2,
                                      .limits = { 1u << 20, 1u << 20, 1u << 8, 1u << 8, 1u << 26 } };
    const struct pica_options options = { .instruction_sets = 0 };
    void *instance;
    cr_assert_eq(fast_backend()->create(&options, &instance), PICA_OK);
    cr_assert_eq(fast_backend()->load(instance, &setup), PICA_OK);
    return instance;
}

void machine_destroy(struct fast_gpu *gpu)
{
    fast_backend()->destroy(gpu);
}

uint32_t random_float_bits(struct harness_random *random)
{
    static const uint32_t edges[24] = { 0x00000000u, 0x80000000u, 0x3F800000u, 0xBF800000u, 0x7F800000u, 0xFF800000u,
                                        0x7FC00000u, 0xFFC12345u, 0x7F800001u, 0x00000001u, 0x807FFFFFu, 0x00800000u,
                                        0x7F7FFFFFu, 0xFF7FFFFFu, 0x4F000000u, 0xCF000000u, 0x4EFFFFFFu, 0x3EFFFFFFu,
                                        0x3F000000u, 0x43000000u, 0x437F0000u, 0x5D800000u, 0x21800000u, 0x207FFFFFu };
    if (harness_random_percent(random, 35))
        return edges[harness_random_below(random, 24)];
    if (harness_random_percent(random, 20))
        return (uint32_t)harness_random_next(random);
    const float value = harness_random_float(random, -4.0f, 4.0f);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

float random_float(struct harness_random *random)
{
    const uint32_t bits = random_float_bits(random);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t random_word(struct harness_random *random)
{
    static const uint32_t edges[8] = { 0u, 1u, UINT32_MAX, 0x80000000u, 0x7FFFFFFFu, 0xFFu, 0x00FFFFFFu, 0xFF00FF00u };
    const uint32_t kind = harness_random_below(random, 4);
    if (kind == 0)
        return edges[harness_random_below(random, 8)];
    if (kind == 1)
        return 1u << harness_random_below(random, 32);
    return (uint32_t)harness_random_next(random);
}

void random_uniforms(struct fast_shader_unit *unit, struct harness_random *random, random_number_function *number,
                     uint32_t integer_limit)
{
    for (uint32_t i = 0; i < PICA_FLOAT_UNIFORMS; i++)
        for (uint32_t k = 0; k < 4; k++)
            unit->uniforms[i][k] = number(random);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 4; k++)
            unit->integers[i][k] = (uint8_t)harness_random_below(random, integer_limit);
    unit->booleans = (uint16_t)harness_random_next(random);
    unit->program_dirty = true;
}

void guarded_create(struct guarded *guarded, size_t size)
{
    const size_t room = (size + 63) / 64 * 64;
    guarded->size = size;
    guarded->whole = aligned_alloc(64, room + 2 * GUARD);
    cr_assert_not_null(guarded->whole);
    memset(guarded->whole, GUARD_BYTE, room + 2 * GUARD);
    guarded->bytes = guarded->whole + GUARD;
}

void guarded_destroy(struct guarded *guarded)
{
    free(guarded->whole);
}

bool guards_intact(const struct guarded *guarded)
{
    const size_t room = (guarded->size + 63) / 64 * 64;
    for (size_t i = 0; i < room + 2 * GUARD; i++)
        if ((i < GUARD || i >= GUARD + guarded->size) && guarded->whole[i] != GUARD_BYTE)
            return false;
    return true;
}
