/*
 * load_vertices: every type and number of elements, any alignment, in both profiles, on every instruction set; VTX-02,
 * VTX-09, FLT-03.
 */
#include "fast/number.h"
#include "fast/vertex/fetch.h"
#include "pica/enums.h"
#include "tests/kernels/kernel_sets.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    ROUNDS = 400 / TEST_PART,
    BYTES = 1 << 14,
    SLACK = 16, /* what is read beyond the last element */
    ROWS = 64,
    LANES = 64
};

static uint32_t little_endian(const uint8_t *bytes, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint32_t)bytes[i] << (8 * i);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Bits of element k of vertex `number`. */
static uint32_t expected_bits(const struct fast_attribute_source *source, uint32_t number, uint32_t k, bool f24)
{
    const uint8_t *const at = source->bytes + (size_t)source->stride * number + (size_t)k * source->element_size;
    const uint32_t raw = little_endian(at, source->element_size);
    switch ((enum pica_attribute_type)source->type) {
    case PICA_ATTRIBUTE_TYPE_BYTE: return bits_of((float)raw - (raw >= 0x80u ? 256.0f : 0.0f));
    case PICA_ATTRIBUTE_TYPE_UNSIGNED_BYTE: return bits_of((float)raw);
    case PICA_ATTRIBUTE_TYPE_SHORT: return bits_of((float)raw - (raw >= 0x8000u ? 65536.0f : 0.0f));
    case PICA_ATTRIBUTE_TYPE_FLOAT: return f24 ? fast_round24_bits(raw) : raw;
    }
    return 0;
}

static void random_source(struct harness_random *random, struct fast_attribute_source *source, const uint8_t *bytes)
{
    static const uint8_t sizes[4] = { 1, 1, 2, 4 };
    source->type = (uint8_t)harness_random_below(random, 4);
    source->elements = (uint8_t)harness_random_between(random, 1, 4);
    source->element_size = sizes[source->type];
    source->target =
        (uint8_t)(harness_random_percent(random, 10) ? FAST_NO_REGISTER : harness_random_below(random, 16));
    source->stride = harness_random_percent(random, 20) ? 0 : harness_random_below(random, 256);
    source->bytes = harness_random_percent(random, 10) ? NULL : bytes + harness_random_below(random, 64);
}

static void find_offsets(struct fast_vertex_fetch *fetch, const uint32_t numbers[LANES], uint32_t offsets[3][LANES])
{
    for (uint32_t s = 0; s < fetch->source_count; s++) {
        for (uint32_t lane = 0; lane < LANES; lane++)
            offsets[s][lane] = fetch->sources[s].stride * numbers[lane];
        fetch->offsets[s] = offsets[s];
    }
}

/* Rows of attributes that are wanted hold the elements; all others are as they were. */
static void expect_rows(const struct fast_vertex_fetch *fetch, const uint32_t numbers[LANES], const char *name)
{
    static uint32_t expected[ROWS][LANES];
    memset(expected, 0xA5, sizeof expected);
    for (uint32_t s = 0; s < fetch->source_count; s++) {
        const struct fast_attribute_source *const source = &fetch->sources[s];
        for (uint32_t k = 0; k < source->elements && source->target != FAST_NO_REGISTER; k++)
            for (uint32_t lane = 0; lane < 16 * fetch->blocks && source->bytes != NULL; lane++)
                if ((fetch->rows_wanted >> (source->target * 4u + k) & 1u) != 0)
                    expected[source->target * 4u + k][lane] = expected_bits(source, numbers[lane], k, fetch->f24);
    }
    for (uint32_t row = 0; row < ROWS; row++)
        cr_expect_arr_eq(fetch->rows + (size_t)row * fetch->distance, expected[row], fetch->distance * sizeof(float),
                         "%s: row %u", name, row);
}

/* Elements of the wanted rows that are not the same in profile f32. */
static uint32_t count_rounded(const struct fast_vertex_fetch *fetch, const uint32_t numbers[LANES])
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < fetch->source_count; s++) {
        const struct fast_attribute_source *const source = &fetch->sources[s];
        for (uint32_t k = 0; k < source->elements && source->target != FAST_NO_REGISTER; k++)
            for (uint32_t lane = 0; lane < 16 * fetch->blocks && source->bytes != NULL; lane++)
                if ((fetch->rows_wanted >> (source->target * 4u + k) & 1u) != 0)
                    count += expected_bits(source, numbers[lane], k, fetch->f24) !=
                             expected_bits(source, numbers[lane], k, false);
    }
    return count;
}

Test(kernels, attributes_of_every_type_are_loaded_from_any_address)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("load");
    static uint8_t bytes[BYTES + SLACK];
    uint32_t rounded = 0; /* elements that profile f24 changes */
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct harness_random random;
        struct fast_attribute_source sources[3];
        uint32_t numbers[LANES], offsets[3][LANES];
        harness_random_init(&random, seed + round);
        for (uint32_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)harness_random_next(&random);
        memset(sources, 0, sizeof sources);
        for (uint32_t s = 0; s < 3; s++)
            random_source(&random, &sources[s], bytes);
        for (uint32_t lane = 0; lane < LANES; lane++)
            numbers[lane] = harness_random_below(&random, 63);
        const uint32_t distance = harness_random_percent(&random, 50) ? 16 : 64;
        for (uint32_t s = 0; s < set_count; s++) {
            struct guarded rows;
            guarded_create(&rows, (size_t)ROWS * distance * sizeof(float));
            memset(rows.bytes, 0xA5, rows.size);
            const bool f24 = harness_random_percent(&random, 50);
            const uint32_t blocks = distance / 16 > 1 ? harness_random_between(&random, 1, 4) : 1;
            struct fast_vertex_fetch fetch = {
                .sources = sources,
                .source_count = 3,
                .f24 = f24,
                .blocks = blocks,
                .rows = (float *)(void *)rows.bytes,
                .distance = distance,
                .rows_wanted = harness_random_percent(&random, 50) ? UINT64_MAX : harness_random_next(&random),
            };
            find_offsets(&fetch, numbers, offsets);
            sets[s].kernels.load_vertices(&fetch);
            expect_rows(&fetch, numbers, sets[s].name);
            rounded += count_rounded(&fetch, numbers);
            cr_expect(guards_intact(&rows), "%s, round %u: wrote outside the rows", sets[s].name, round);
            guarded_destroy(&rows);
        }
    }
    cr_log_info("%u elements were rounded", rounded);
    cr_expect_geq(rounded, ROUNDS * 10u);
}

/* VTX-21: the range of the vertex numbers of a draw. */
Test(kernels, the_least_and_the_greatest_index_are_found)
{
    static uint8_t bytes[BYTES];
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("index_range");
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct harness_random random;
        harness_random_init(&random, seed + round);
        const uint32_t width = harness_random_between(&random, 1, 2);
        const uint32_t count = harness_random_between(&random, 1, 300);
        const uint32_t start = harness_random_below(&random, 64);
        uint32_t least = UINT32_MAX, greatest = 0;
        for (uint32_t i = 0; i < count * width; i++)
            bytes[start + i] = (uint8_t)harness_random_next(&random);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t index = little_endian(bytes + start + (size_t)i * width, width);
            least = index < least ? index : least;
            greatest = index > greatest ? index : greatest;
        }
        for (uint32_t s = 0; s < set_count; s++) {
            uint32_t range[2] = { 1, 0 };
            sets[s].kernels.find_index_range(bytes + start, width, count, range);
            cr_expect(range[0] == least && range[1] == greatest, "%s, round %u: %u to %u, not %u to %u", sets[s].name,
                      round, range[0], range[1], least, greatest);
        }
    }
}
