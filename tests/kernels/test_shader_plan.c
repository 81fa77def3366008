/*
 * Plans (vertex/shader_plan.h): random programs without conditions. On four blocks of vertices, on every instruction
 * set, the steps of a plan give what the scalar interpreter gives for each block, or say that they cannot tell.
 */
#include "fast/gpu.h"
#include "fast/kernels.h"
#include "fast/trace.h"
#include "fast/vertex/fetch.h"
#include "fast/vertex/shader_plan.h"
#include "tests/kernels/kernel_sets.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 1500,
    CODE_WORDS = 30,
    INPUT_ROWS = 64,
    PLAN_BLOCK = FAST_VERTEX_SLOTS * FAST_FILE_LANES
};

struct round {
    struct harness_random random;
    struct fast_gpu *gpu;
    struct fast_program_cache programs;
    struct fast_register_file file;
    struct fast_recording recording;
    struct fast_plan plan;
    struct fast_plan_frame frame;
    uint16_t map[FAST_VERTEX_SLOTS];
    bool unbounded; /* numbers with NaN and infinities, else small ones */
    uint32_t bones; /* or these: inputs are 0 .. bones - 1, as relative addresses often are */
    float inputs[FAST_PLAN_BLOCKS][INPUT_ROWS][FAST_FILE_LANES];
    float expected[FAST_PLAN_BLOCKS][PLAN_BLOCK];
    float actual[FAST_PLAN_BLOCKS][PLAN_BLOCK];
};

/* What the rounds exercised. */
struct tally {
    uint32_t plans, apart, bones, clean, unknown, kinds;
};

static float small_number(struct harness_random *random)
{
    return 0.25f * ((float)harness_random_below(random, 41) - 20.0f);
}

/* Sources that are often the destination of something, so that copies, swaps and overlaps happen. */
static uint32_t random_source(struct harness_random *random, bool wide)
{
    const uint32_t kind = harness_random_below(random, wide ? 4 : 3);
    if (kind == 0)
        return harness_random_below(random, 4);
    return kind == 3 ? 0x20u + harness_random_below(random, 96) : 0x10u + harness_random_below(random, 5);
}

static uint32_t random_destination(struct harness_random *random)
{
    return harness_random_percent(random, 25) ? harness_random_below(random, 5)
                                              : 0x10u + harness_random_below(random, 5);
}

/* Formats 1 and 1i, 5 and 5i; a little CALLU, IFU, JMPU, LOOP. No condition, so that the way is straight. */
static uint32_t random_instruction(struct harness_random *random)
{
    static const uint8_t opcodes[] = { 0x00, 0x01, 0x02, 0x03, 0x04, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d,
                                       0x0e, 0x0f, 0x12, 0x13, 0x13, 0x13, 0x18, 0x19, 0x1a, 0x1b, 0x05, 0x06 };
    static const uint8_t flow[] = { 0x26, 0x27, 0x29, 0x2d, 0x21, 0x20 };
    const uint32_t kind = harness_random_below(random, 20);
    const uint32_t relative = harness_random_percent(random, 20) ? harness_random_below(random, 4) : 0u;
    const uint32_t destination = random_destination(random);
    const uint32_t wide = random_source(random, true), narrow = random_source(random, false);
    if (kind == 0) {
        uint32_t word = (uint32_t)flow[harness_random_below(random, sizeof flow)] << 26;
        word |= harness_random_below(random, 4) << 22;
        word |= harness_random_below(random, CODE_WORDS) << 10;
        return word | harness_random_below(random, 6);
    }
    if (kind < 5) {
        const uint32_t third = random_source(random, false);
        const bool inverted = harness_random_percent(random, 50);
        return (inverted ? 6u : 7u) << 29 | destination << 24 | relative << 22 | narrow << 17 |
               (inverted ? third << 12 | wide << 5 : wide << 10 | third << 5) | harness_random_below(random, 32);
    }
    const uint32_t opcode = opcodes[harness_random_below(random, sizeof opcodes)];
    const uint32_t sources = opcode >= 0x18 && opcode <= 0x1b ? narrow << 14 | wide << 7 : wide << 12 | narrow << 7;
    return opcode << 26 | destination << 21 | relative << 19 | sources | harness_random_below(random, 128);
}

/* As in a product with a matrix: an ADD, DP3, DP4, DPH of the same vector and another c register, to another
 * register. */
static uint32_t next_row(struct harness_random *random, uint32_t word)
{
    const uint32_t number = 0x20u + harness_random_below(random, 96);
    return (word & ~0x0007F000u) ^ (1u << 21) ^ (number << 12);
}

static void random_program(struct round *round)
{
    struct fast_shader_unit *const unit = &round->gpu->units[PICA_UNIT_VERTEX];
    struct harness_random *const random = &round->random;
    unit->code_end = harness_random_between(random, 2, CODE_WORDS);
    for (uint32_t i = 0; i + 1 < unit->code_end; i++) {
        const bool goes_on = i > 0 && unit->code[i - 1] >> 28 == 0 && harness_random_percent(random, 50);
        unit->code[i] = goes_on ? next_row(random, unit->code[i - 1]) : random_instruction(random);
    }
    if (round->bones != 0)
        unit->code[0] = 0x12u << 26 | harness_random_below(random, 4) << 12; /* MOVA of an input */
    unit->code[unit->code_end - 1] = 0x22u << 26;                            /* END */
    for (uint32_t i = 0; i < 128; i++) {
        unit->opdesc[i] = random_word(random);
        unit->opdesc[i] &= harness_random_percent(random, 70) ? ~0x00402010u : UINT32_MAX;
    }
    random_uniforms(unit, random, round->unbounded ? random_float : small_number, 4);
    round->gpu->profile = PICA_PROFILE_F32;
    round->gpu->limits.instructions = 300;
}

static void random_inputs(struct round *round)
{
    struct harness_random *const random = &round->random;
    for (uint32_t b = 0; b < FAST_PLAN_BLOCKS; b++)
        for (uint32_t row = 0; row < INPUT_ROWS; row++)
            for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++) {
                const float value = round->unbounded    ? random_float(random)
                                    : round->bones != 0 ? (float)harness_random_below(random, round->bones)
                                                        : small_number(random);
                round->inputs[b][row][lane] = value;
                round->frame.rows[row * FAST_PLAN_VERTICES + b * FAST_FILE_LANES + lane] = value;
            }
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++) {
        const uint32_t kind = harness_random_below(random, 10);
        round->map[slot] = (uint16_t)(kind == 0   ? FAST_ROW_ONE
                                      : kind == 1 ? FAST_ROW_ZERO
                                                  : FAST_ROW_OUTPUTS + harness_random_below(random, 20));
    }
}

/* The scalar interpreter on every block; the first is recorded. */
static void interpret(struct round *round, const struct fast_kernels *scalar, struct fast_plan_key *key)
{
    struct fast_shader_unit *const unit = &round->gpu->units[PICA_UNIT_VERTEX];
    round->recording.straight = true;
    round->recording.count = 0;
    for (uint32_t b = 0; b < FAST_PLAN_BLOCKS; b++) {
        struct fast_shader_run run = { .gpu = round->gpu, .file = &round->file, .unit = unit };
        memset(&round->file, 0, sizeof round->file);
        memcpy(round->file.row, round->inputs[b], sizeof round->inputs[b]);
        for (uint32_t i = 0; i < PICA_FLOAT_UNIFORMS; i++)
            fast_fill_register(&round->file, FAST_ROW_UNIFORMS + 4 * i, unit->uniforms[i]);
        for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
            round->file.row[FAST_ROW_ONE][lane] = 1.0f;
        run.program = fast_program_get(&round->programs, unit);
        run.uniforms = (const float(*)[4])unit->uniforms;
        run.lanes = 0xFFFF;
        run.block = round->expected[b];
        run.map = round->map;
        run.recording = b == 0 ? &round->recording : NULL;
        scalar->shade(&run);
        fast_plan_make_key(key, &run);
    }
}

/* Number of the first block that differs; FAST_PLAN_BLOCKS if none. Two NaNs are alike (GEN-02). */
static uint32_t differing_block(const struct round *round, uint32_t blocks)
{
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t i = 0; i < PLAN_BLOCK; i++) {
            const float x = round->expected[b][i], y = round->actual[b][i];
            if (memcmp(&x, &y, sizeof x) != 0 && (x == x || y == y))
                return b;
        }
    return FAST_PLAN_BLOCKS;
}

/* All parts of the plan, one after the other. */
static bool run_parts(struct round *round, const struct fast_kernels *kernels, uint32_t blocks, float *out)
{
    bool known = true;
    for (enum fast_plan_part_number part = FAST_PART_FIRST; part <= FAST_PART_REST; part++) {
        struct fast_plan_run run = { .frame = &round->frame, .plan = &round->plan, .part = part, .blocks = blocks };
        run.slots = round->plan.parts[part].slots;
        for (uint32_t b = 0; b < blocks; b++)
            run.out[b] = out + (size_t)b * FAST_BLOCK_FLOATS;
        if (run.slots != 0)
            known = kernels->run_plan(&run) && known;
    }
    return known;
}

static void run_round(struct round *round, uint32_t number, const struct kernel_set *sets, uint32_t set_count,
                      struct tally *tally)
{
    struct fast_plan_key key;
    random_program(round);
    random_inputs(round);
    interpret(round, &sets[0].kernels, &key);
    fast_plan_build(&round->plan, &key, &round->recording);
    cr_expect(fast_plan_has_key(&round->plan, &key), "round %u", number);
    if (!round->plan.possible)
        return;
    tally->plans++;
    tally->bones += round->bones != 0 && round->plan.relative;
    tally->apart += round->plan.parts[FAST_PART_REST].slots != 0;
    for (uint32_t part = 0; part < FAST_PLAN_PARTS && round->plan.parts[part].slots != 0; part++)
        for (uint32_t i = round->plan.parts[part].first_step; round->plan.steps[i].kind != FAST_STEP_END; i++)
            tally->kinds |= 1u << round->plan.steps[i].kind;
    fast_plan_spread(&round->frame, &round->plan, (const float(*)[4])round->gpu->units[PICA_UNIT_VERTEX].uniforms,
                     true);
    for (uint32_t s = 0; s < set_count; s++) {
        const uint32_t blocks = harness_random_between(&round->random, 1, FAST_PLAN_BLOCKS);
        struct guarded out;
        guarded_create(&out, blocks * sizeof round->actual[0]);
        const bool known = run_parts(round, &sets[s].kernels, blocks, (float *)(void *)out.bytes);
        memcpy(round->actual, out.bytes, out.size);
        cr_expect(guards_intact(&out), "%s, round %u: wrote outside its blocks", sets[s].name, number);
        guarded_destroy(&out);
        tally->clean += known;
        tally->unknown += !known;
        if (known)
            cr_expect_eq(differing_block(round, blocks), FAST_PLAN_BLOCKS, "%s, round %u: block %u", sets[s].name,
                         number, differing_block(round, blocks));
    }
}

Test(kernels, plans_make_the_vertices_that_the_interpreter_makes)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("plan");
    struct tally tally = { 0 };
    struct round *const round = aligned_alloc(64, (sizeof *round + 63) / 64 * 64);
    cr_assert_not_null(round);
    memset(round, 0, sizeof *round);
    round->gpu = machine_create();
    round->gpu->tracer->lane = 31; /* none */
    cr_assert_eq(fast_program_cache_init(&round->programs, 512), PICA_OK);
    for (uint32_t number = 0; number < ROUNDS; number++) {
        harness_random_init(&round->random, seed + number);
        static const uint32_t bones[4] = { 0, 32, 64, 70 }; /* of a table, of two, of more than there are */
        round->unbounded = harness_random_percent(&round->random, 20);
        round->bones = bones[harness_random_below(&round->random, 4)];
        run_round(round, number, sets, set_count, &tally);
    }
    cr_log_info("%u plans of %d, %u in two parts, %u with bones, %u runs known, %u not, kinds %x", tally.plans,
                (int)ROUNDS, tally.apart, tally.bones, tally.clean, tally.unknown, tally.kinds);
    cr_expect_geq(tally.plans, ROUNDS / 2u);
    cr_expect_geq(tally.apart, 20u);
    cr_expect_geq(tally.bones, 50u);
    cr_expect_geq(tally.clean, ROUNDS / 2u * set_count / 2u);
    cr_expect_geq(tally.unknown, 10u);
    cr_expect_eq(tally.kinds, (2u << FAST_STEP_LOAD) - 2u, "every kind of step but END: %x", tally.kinds);
    fast_program_cache_free(&round->programs);
    machine_destroy(round->gpu);
    free(round);
}
