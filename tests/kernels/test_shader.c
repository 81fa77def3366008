/*
 * shade: random programs over a register file full of extremes. Every instruction set leaves the registers, addresses,
 * conditions, final vertices and events that the scalar kernel leaves, in the lanes that run.
 */
#include "fast/gpu.h"
#include "fast/trace.h"
#include "fast/vertex/shader_program.h"
#include "pica/opcodes.h"
#include "tests/kernels/kernel_sets.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 1200 / TEST_PART,
    CODE_WORDS = 40,
    SLOTS = 24
};

/* What a run leaves. */
struct result {
    struct fast_shader_run run;
    struct fast_register_file file;
    float block[SLOTS][FAST_FILE_LANES];
    struct pica_events events;
};

struct round {
    struct harness_random random;
    struct fast_gpu *gpu;
    struct fast_program_cache programs;
    struct fast_register_file file;
    uint16_t map[SLOTS];
    uint32_t entry, lanes;
    struct result scalar, other;
};

/* Mostly arithmetic, with jumps that stay near. */
static uint32_t random_instruction(struct harness_random *random)
{
    const uint32_t word = (uint32_t)harness_random_next(random);
    const uint32_t kind = harness_random_below(random, 10);
    if (kind < 6)
        return harness_random_below(random, 0x14) << 26 | (word & 0x03FFFF83u);
    if (kind < 8)
        return (0x30u + harness_random_below(random, 16)) << 26 | (word & 0x03FFFFFFu);
    if (kind != 8)
        return word;
    const uint32_t opcode = harness_random_between(random, 0x20, 0x2D);
    return opcode << 26 | (word & 0x03C00007u) | harness_random_below(random, CODE_WORDS) << 10;
}

static void random_program(struct round *round)
{
    struct fast_shader_unit *const unit = &round->gpu->units[PICA_UNIT_VERTEX];
    struct harness_random *const random = &round->random;
    unit->code_end = harness_random_between(random, 1, CODE_WORDS);
    for (uint32_t i = 0; i < unit->code_end; i++)
        unit->code[i] = random_instruction(random);
    for (uint32_t i = 0; i < 128; i++)
        unit->opdesc[i] = random_word(random);
    random_uniforms(unit, random, random_float, 6);
    round->gpu->profile = harness_random_percent(random, 50) ? PICA_PROFILE_F24 : PICA_PROFILE_F32;
    round->gpu->limits.instructions = harness_random_between(random, 1, 200);
}

static void random_file(struct round *round)
{
    struct harness_random *const random = &round->random;
    const bool alike = harness_random_percent(random, 30); /* all lanes go one way */
    for (uint32_t row = 0; row < FAST_ROW_ZERO; row++)
        for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
            round->file.row[row][lane] = alike && lane > 0 ? round->file.row[row][0] : random_float(random);
    for (uint32_t i = 0; i < PICA_FLOAT_UNIFORMS * 4; i++)
        for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
            round->file.row[FAST_ROW_UNIFORMS + i][lane] = round->gpu->units[PICA_UNIT_VERTEX].uniforms[i / 4][i % 4];
    for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++) {
        round->file.row[FAST_ROW_ZERO][lane] = 0.0f;
        round->file.row[FAST_ROW_ONE][lane] = 1.0f;
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        round->map[slot] = (uint16_t)(FAST_ROW_OUTPUTS + harness_random_below(random, 64));
    round->entry = harness_random_percent(random, 80) ? 0 : harness_random_below(random, 520);
    const uint32_t count = harness_random_between(random, 1, 16);
    round->lanes = count < 16 ? (1u << count) - 1u : 0xFFFFu;
}

static void run_set(struct round *round, const struct kernel_set *set, struct result *out, bool *guards)
{
    struct guarded file, block;
    guarded_create(&file, sizeof out->file);
    guarded_create(&block, sizeof out->block);
    memcpy(file.bytes, &round->file, sizeof round->file);
    memset(block.bytes, 0, sizeof out->block);
    memset(&round->gpu->events, 0, sizeof round->gpu->events);
    memset(&out->run, 0, sizeof out->run);
    struct fast_shader_unit *const unit = &round->gpu->units[PICA_UNIT_VERTEX];
    out->run.gpu = round->gpu;
    out->run.program = fast_program_get(&round->programs, unit);
    out->run.file = (struct fast_register_file *)(void *)file.bytes;
    out->run.uniforms = (const float(*)[4])unit->uniforms;
    out->run.unit = unit;
    out->run.entry = round->entry;
    out->run.lanes = round->lanes;
    out->run.block = (float *)(void *)block.bytes;
    out->run.map = round->map;
    set->kernels.shade(&out->run);
    memcpy(&out->file, file.bytes, sizeof out->file);
    memcpy(out->block, block.bytes, sizeof out->block);
    out->events = round->gpu->events;
    *guards = guards_intact(&file) && guards_intact(&block);
    guarded_destroy(&file);
    guarded_destroy(&block);
}

/* The same bits, or both NaN (GEN-02). */
static bool same_float(float a, float b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static void expect_same(const struct round *round, uint32_t number, const struct kernel_set *set)
{
    const struct result *const a = &round->scalar;
    const struct result *const b = &round->other;
    for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++) {
        if ((round->lanes >> lane & 1u) == 0u)
            continue;
        for (uint32_t row = 0; row < FAST_ROW_RELATIVE; row++)
            if (!same_float(a->file.row[row][lane], b->file.row[row][lane])) {
                cr_expect(false, "%s, round %u: row %u lane %u: %a, scalar %a; profile %d, entry %u, lanes %x",
                          set->name, number, row, lane, (double)b->file.row[row][lane], (double)a->file.row[row][lane],
                          (int)round->gpu->profile, round->entry, round->lanes);
                return;
            }
        for (uint32_t slot = 0; slot < SLOTS; slot++)
            cr_expect(same_float(a->block[slot][lane], b->block[slot][lane]), "%s, round %u: slot %u lane %u",
                      set->name, number, slot, lane);
        for (uint32_t k = 0; k < 2; k++) {
            cr_expect_eq(a->run.address[k][lane], b->run.address[k][lane], "%s, round %u: a0[%u]", set->name, number,
                         k);
            cr_expect_eq(a->run.compare[k] >> lane & 1u, b->run.compare[k] >> lane & 1u, "%s, round %u: cmp[%u]",
                         set->name, number, k);
        }
    }
    cr_expect_eq(a->run.loop_counter, b->run.loop_counter, "%s, round %u: aL", set->name, number);
    cr_expect(memcmp(&a->events, &b->events, sizeof a->events) == 0, "%s, round %u: events", set->name, number);
}

Test(kernels, every_instruction_set_shades_what_the_scalar_kernel_shades)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("shade");
    struct round *const round = aligned_alloc(64, (sizeof *round + 63) / 64 * 64);
    uint32_t changed = 0;
    cr_assert_not_null(round);
    memset(round, 0, sizeof *round);
    round->gpu = machine_create();
    round->gpu->tracer->lane = 31; /* none */
    cr_assert_eq(fast_program_cache_init(&round->programs, 512), PICA_OK);
    for (uint32_t number = 0; number < ROUNDS; number++) {
        harness_random_init(&round->random, seed + number);
        random_program(round);
        random_file(round);
        for (uint32_t s = 0; s < set_count; s++) {
            bool guards;
            run_set(round, &sets[s], s == 0 ? &round->scalar : &round->other, &guards);
            cr_expect(guards, "%s, round %u: wrote outside the file or the block", sets[s].name, number);
            if (s > 0)
                expect_same(round, number, &sets[s]);
        }
        changed += memcmp(&round->file, &round->scalar.file, sizeof round->file) != 0;
    }
    cr_log_info("%u of %d programs changed a register on %u sets", changed, (int)ROUNDS, set_count);
    cr_expect_geq(changed, ROUNDS / 2u);
    fast_program_cache_free(&round->programs);
    machine_destroy(round->gpu);
    free(round);
}
