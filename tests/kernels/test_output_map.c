/*
 * kernels/output_map.h: a program that only ends, so the final vertices are what the map makes of the registers that
 * were there before (SHD-80, SHD-81).
 */
#include "fast/gpu.h"
#include "fast/trace.h"
#include "fast/vertex/shader_program.h"
#include "pica/opcodes.h"
#include "tests/kernels/kernel_sets.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 300 / TEST_PART,
    END = 0x22
};

struct mapped {
    struct fast_gpu *gpu;
    struct fast_program_cache programs;
    struct fast_register_file file, copy;
    uint16_t map[FAST_VERTEX_SLOTS];
    _Alignas(64) float block[FAST_BLOCK_FLOATS];
};

static struct mapped *mapped_create(void)
{
    struct mapped *const mapped = aligned_alloc(64, (sizeof *mapped + 63) / 64 * 64);
    cr_assert_not_null(mapped);
    memset(mapped, 0, sizeof *mapped);
    mapped->gpu = machine_create();
    mapped->gpu->tracer->lane = 31; /* none */
    mapped->gpu->limits.instructions = 10;
    mapped->gpu->units[PICA_UNIT_VERTEX].code[0] = (uint32_t)END << 26;
    mapped->gpu->units[PICA_UNIT_VERTEX].code_end = 1;
    cr_assert_eq(fast_program_cache_init(&mapped->programs, 512), PICA_OK);
    return mapped;
}

static void mapped_destroy(struct mapped *mapped)
{
    fast_program_cache_free(&mapped->programs);
    machine_destroy(mapped->gpu);
    free(mapped);
}

/* Any outputs, in any slots; a slot that is not mapped is 1.0. */
static void random_outputs(struct mapped *mapped, struct harness_random *random)
{
    for (uint32_t row = FAST_ROW_OUTPUTS; row < FAST_ROW_OUTPUTS + FAST_ROW_BANK; row++)
        for (uint32_t lane = 0; lane < FAST_LANES; lane++)
            mapped->file.row[row][lane] =
                harness_random_percent(random, 50) ? harness_random_float(random, -2.0f, 2.0f) : random_float(random);
    for (uint32_t lane = 0; lane < FAST_LANES; lane++)
        mapped->file.row[FAST_ROW_ONE][lane] = 1.0f;
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
        mapped->map[slot] = (uint16_t)(harness_random_percent(random, 15)
                                           ? (uint32_t)FAST_ROW_ONE
                                           : FAST_ROW_OUTPUTS + harness_random_below(random, FAST_ROW_BANK));
}

static void map_outputs(struct mapped *mapped, const struct kernel_set *set)
{
    struct fast_shader_unit *const unit = &mapped->gpu->units[PICA_UNIT_VERTEX];
    struct fast_shader_run run;
    memset(&run, 0, sizeof run);
    mapped->copy = mapped->file;
    memset(mapped->block, 0xAA, sizeof mapped->block);
    run.gpu = mapped->gpu;
    run.program = fast_program_get(&mapped->programs, unit);
    run.file = &mapped->copy;
    run.uniforms = (const float(*)[4])unit->uniforms;
    run.unit = unit;
    run.lanes = 0xFFFFu;
    run.block = mapped->block;
    run.map = mapped->map;
    set->kernels.shade(&run);
}

/* SHD-81 */
static float limited(float c)
{
    c = fabsf(c);
    return c < 1.0f ? c : 1.0f;
}

/* The same bits, or both NaN (GEN-02). */
static bool same(float a, float b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

Test(output_map, SHD_80_every_slot_is_the_register_that_the_map_names)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("output_map");
    struct mapped *const mapped = mapped_create();
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct harness_random random;
        harness_random_init(&random, seed + round);
        random_outputs(mapped, &random);
        for (uint32_t s = 0; s < set_count; s++) {
            map_outputs(mapped, &sets[s]);
            for (uint32_t i = 0; i < FAST_BLOCK_FLOATS; i++) {
                const uint32_t slot = i / FAST_LANES;
                const bool color = slot >= 0x08 && slot <= 0x0B;
                const float from = mapped->file.row[mapped->map[slot]][i % FAST_LANES];
                const float wanted = color ? limited(from) : from;
                cr_expect(same(mapped->block[i], wanted), "output_map.h, %s, round %u: slot %02X is %a, not %a",
                          sets[s].name, round, slot, (double)mapped->block[i], (double)wanted);
            }
        }
    }
    mapped_destroy(mapped);
}
