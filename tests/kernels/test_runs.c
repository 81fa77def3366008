/*
 * Large triangles through bins and tiles (tile.c): on the quick way, where tiles inside of a triangle go to the kernel
 * as runs, every instruction set leaves the bytes that the scalar kernels leave on the general way.
 */
#include "fast/draw_state.h"
#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "fast/renderer.h"
#include "pica/regs.h"
#include "tests/kernels/kernel_sets.h"
#include "tests/kernels/random_state.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 300,
    TRIANGLES = 6,
    WIDTH = 128, /* two bins */
    HEIGHT = 64,
    TARGET = 0x18000000,
    SURFACE_BYTES = WIDTH * HEIGHT * 4,
    DEPTH = TARGET + SURFACE_BYTES,
    TARGET_BYTES = 2 * SURFACE_BYTES
};

struct round {
    struct harness_random random;
    struct fast_gpu *gpu;
    struct fast_triangle triangles[TRIANGLES];
    uint8_t before[TARGET_BYTES], general[TARGET_BYTES];
};

/* Vertex colours; any depth test, any factors of a sum. */
static void random_target(struct harness_random *random, uint32_t *r)
{
    memset(&r[0x040], 0, (0x200 - 0x040) * sizeof r[0]);
    r[PICA_REG_FRAMEBUFFER_DIM] = WIDTH | (HEIGHT - 1u) << 12;
    r[PICA_REG_COLORBUFFER_LOC] = TARGET >> 3;
    r[PICA_REG_COLORBUFFER_FORMAT] = 2;
    r[PICA_REG_DEPTHBUFFER_LOC] = DEPTH >> 3;
    r[PICA_REG_DEPTHBUFFER_FORMAT] = PICA_DEPTH_FORMAT_D24S8;
    r[PICA_REG_COLORBUFFER_READ] = r[PICA_REG_COLORBUFFER_WRITE] = 15;
    r[PICA_REG_DEPTHBUFFER_READ] = r[PICA_REG_DEPTHBUFFER_WRITE] = 3;
    r[PICA_REG_DEPTHMAP_ENABLE] = 1;
    r[PICA_REG_DEPTHMAP_SCALE] = harness_random_percent(random, 70) ? 0xBF0000u : 0xBE0000u; /* -1, -0.5 */
    r[PICA_REG_DEPTH_COLOR_MASK] = 0xF00u | harness_random_below(random, 2) << 12 |
                                   harness_random_below(random, 8) << 4 |
                                   (harness_random_percent(random, 60) ? 1u : 0u);
    r[PICA_REG_COLOR_OPERATION] = 0x00E40000u | (harness_random_percent(random, 60) ? 0x100u : 0u);
    r[PICA_REG_BLEND_FUNC] =
        harness_random_percent(random, 50) ? 0x76760000u : (uint32_t)harness_random_next(random) & 0xFFFF0000u;
    r[PICA_REG_LOGIC_OP] = PICA_LOGIC_OP_COPY;
    r[PICA_REG_LIGHTING_ENABLE1] = 1;
    r[PICA_REG_FRAMEBUFFER_BLOCK32] = harness_random_percent(random, 10) ? 1u : 0u;
    for (uint32_t stage = 1; stage < 6; stage++) /* stage 0 replaces by source 0, the primary colour */
        r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE)] = (uint32_t)PICA_TEV_SOURCE_PREVIOUS * 0x10001u;
}

/* RST-01 to RST-03: corners on and off the screen; S > 0. */
static void random_edges(struct harness_random *random, struct fast_triangle *triangle)
{
    int32_t x[3], y[3], sum = 0;
    while (sum <= 0) {
        const uint32_t reach = harness_random_percent(random, 30) ? 16u * 1000u : 16u * 300u;
        sum = 0;
        for (uint32_t i = 0; i < 3; i++) {
            x[i] = (int32_t)harness_random_below(random, reach) - (int32_t)(reach - 16u * WIDTH) / 2;
            y[i] = (int32_t)harness_random_below(random, reach) - (int32_t)(reach - 16u * HEIGHT) / 2;
        }
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t a = (i + 1) % 3, b = (i + 2) % 3;
            const int32_t dx = x[b] - x[a];
            const int32_t dy = y[b] - y[a];
            triangle->weight[i] = dx * (8 - y[a]) - dy * (8 - x[a]) - (dy > 0 || (dy == 0 && dx < 0) ? 1 : 0);
            triangle->step_x[i] = -16 * dy;
            triangle->step_row[i] = 16 * dx;
            triangle->wide_weight[i] = triangle->weight[i];
            sum += triangle->weight[i];
        }
    }
    triangle->area = (float)sum;
}

static void random_triangle(struct harness_random *random, struct fast_triangle *triangle)
{
    memset(triangle, 0, sizeof *triangle);
    random_edges(random, triangle);
    triangle->plain = triangle->narrow = true;
    triangle->tame = harness_random_percent(random, 90);
    triangle->right = WIDTH - 1;
    triangle->last_row = HEIGHT - 1;
    if (harness_random_percent(random, 40)) {
        triangle->left = (uint16_t)harness_random_below(random, WIDTH);
        triangle->first_row = (uint16_t)harness_random_below(random, HEIGHT);
        triangle->right = (uint16_t)harness_random_between(random, triangle->left, WIDTH - 1);
        triangle->last_row = (uint16_t)harness_random_between(random, triangle->first_row, HEIGHT - 1);
    }
    for (uint32_t i = 0; i < 3; i++) {
        triangle->inverse_w[i] = harness_random_float(random, 0.25f, 1.0f);
        triangle->z[i] = -harness_random_float(random, 0.0f, 1.0f);
        for (uint32_t k = 0; k < 4; k++)
            triangle->attribute[FAST_ATTRIBUTE_COLOR + k][i] =
                harness_random_float(random, 0.0f, 1.0f) * triangle->inverse_w[i];
    }
}

/* One batch into the target, which starts as `before`. */
static const uint8_t *draw(struct round *round, const struct kernel_set *set, bool quick)
{
    struct fast_gpu *const gpu = round->gpu;
    const struct fast_batch_reads reads = { .count = 0 };
    uint8_t *const bytes = fast_memory_span(gpu, TARGET, TARGET_BYTES);
    memcpy(bytes, round->before, TARGET_BYTES);
    fast_memory_written(gpu, TARGET, TARGET_BYTES);
    *gpu->kernels = set->kernels;
    decode_state(gpu, false);
    cr_assert(gpu->draw->quick.active);
    gpu->draw->quick.active = quick;
    fast_batch_begin(gpu, &reads);
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        *fast_bins_next(gpu->renderer) = round->triangles[i];
        fast_bins_add(gpu->renderer, 0);
    }
    fast_batch_end(gpu);
    return bytes;
}

static void expect_same(const struct round *round, const uint8_t *bytes, const char *set, uint32_t number)
{
    uint32_t at = 0;
    while (at < TARGET_BYTES && bytes[at] == round->general[at])
        at++;
    cr_expect_eq(at, TARGET_BYTES, "%s, round %u: byte %u is %02X, on the general way %02X", set, number, at,
                 bytes[at % TARGET_BYTES], round->general[at % TARGET_BYTES]);
}

Test(kernels, RST_06_runs_of_tiles_draw_what_the_general_way_draws)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("runs");
    struct round *const round = aligned_alloc(64, (sizeof *round + 63) / 64 * 64);
    uint32_t drawn = 0;
    cr_assert_not_null(round);
    round->gpu = machine_create();
    for (uint32_t number = 0; number < ROUNDS; number++) {
        harness_random_init(&round->random, seed + number);
        random_bytes(&round->random, round->before, sizeof round->before);
        random_target(&round->random, round->gpu->registers);
        for (uint32_t i = 0; i < TRIANGLES; i++)
            random_triangle(&round->random, &round->triangles[i]);
        memcpy(round->general, draw(round, &sets[0], false), TARGET_BYTES);
        drawn += memcmp(round->general, round->before, TARGET_BYTES) != 0;
        for (uint32_t s = 0; s < set_count; s++)
            if (!sets[s].traced)
                expect_same(round, draw(round, &sets[s], true), sets[s].name, number);
    }
    cr_log_info("%u of %d rounds changed a pixel", drawn, (int)ROUNDS);
    cr_expect_geq(drawn, ROUNDS / 2u);
    machine_destroy(round->gpu);
    free(round);
}
