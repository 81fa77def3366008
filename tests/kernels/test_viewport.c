/*
 * project (kernels/set_up.c): clip.h and viewport.h by themselves. Every instruction set finds the same places, planes
 * and products for 16 vertices at a time, whatever their numbers are.
 */
#include "fast/draw/fragment_state.h"
#include "fast/draw/shading_state.h"
#include "fast/pipeline.h"
#include "fast/tiles/raster_set_up.h"
#include "tests/kernels/kernel_sets.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <string.h>

enum {
    ROUNDS = 2000 / TEST_PART
};

/* What the kernel leaves. */
struct projected {
    _Alignas(64) float screen[FAST_BLOCK_FLOATS];
    _Alignas(64) uint32_t place[FAST_LANES];
};

/* Near the volume mostly, on its edges often, anything now and then. */
static float random_coordinate(struct harness_random *random, float w)
{
    if (harness_random_percent(random, 3))
        return random_float(random);
    return harness_random_percent(random, 20) ? w : harness_random_float(random, -1.1f, 1.1f) * w;
}

static void random_block(struct harness_random *random, float *block)
{
    for (uint32_t lane = 0; lane < FAST_LANES; lane++) {
        const float w =
            harness_random_percent(random, 95) ? harness_random_float(random, 0.25f, 4.0f) : random_float(random);
        for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
            block[slot * FAST_LANES + lane] =
                harness_random_percent(random, 99) ? harness_random_float(random, -1.0f, 1.0f) : random_float(random);
        block[0 * FAST_LANES + lane] = random_coordinate(random, w);
        block[1 * FAST_LANES + lane] = random_coordinate(random, w);
        block[2 * FAST_LANES + lane] = -harness_random_float(random, -0.05f, 1.05f) * w;
        block[3 * FAST_LANES + lane] = w;
    }
}

static void random_view(struct harness_random *random, struct fast_fragment_state *state)
{
    memset(state, 0, sizeof *state);
    state->half_width = harness_random_float(random, 1.0f, 600.0f);
    state->half_height = harness_random_float(random, 1.0f, 600.0f);
    state->offset_x = (float)harness_random_below(random, 1024);
    state->offset_y = (float)harness_random_below(random, 1024);
    state->user_plane = harness_random_percent(random, 30);
    for (uint32_t i = 0; i < 4; i++)
        state->plane[i] = harness_random_float(random, -2.0f, 2.0f);
}

/* Floats of fit vertices alone: the others are not used. Two NaNs are alike (GEN-02). */
static bool same_vertex(const struct projected *a, const struct projected *b, uint32_t lane)
{
    if (a->place[lane] != b->place[lane])
        return false;
    bool same = true;
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS && (a->place[lane] & 0xFFFFu) != FAST_PLACE_UNFIT; slot++)
        same = same &&
               memcmp(&a->screen[slot * FAST_LANES + lane], &b->screen[slot * FAST_LANES + lane], sizeof(float)) == 0;
    return same;
}

Test(viewport, VPT_02_every_instruction_set_finds_the_same_places)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("project");
    const uint32_t needs = FAST_NEED_COLOR | FAST_NEED_TEXCOORD0 | FAST_NEED_TEXCOORD0_W | FAST_NEED_TEXCOORD1 |
                           FAST_NEED_TEXCOORD2 | FAST_NEED_QUATERNION | FAST_NEED_VIEW;
    uint32_t fit = 0, unfit = 0;
    for (uint32_t number = 0; number < ROUNDS; number++) {
        struct harness_random random;
        struct fast_fragment_state state;
        static _Alignas(64) float block[FAST_BLOCK_FLOATS];
        static struct projected scalar, other;
        harness_random_init(&random, seed + number);
        random_view(&random, &state);
        random_block(&random, block);
        memset(&scalar, 0, sizeof scalar);
        sets[0].kernels.project(&state, block, scalar.screen, scalar.place);
        sets[0].kernels.scale(needs, block, scalar.screen, scalar.place);
        for (uint32_t lane = 0; lane < FAST_LANES; lane++) {
            const bool is_fit = (scalar.place[lane] & 0xFFFFu) != FAST_PLACE_UNFIT;
            fit += is_fit;
            unfit += !is_fit;
        }
        for (uint32_t s = 1; s < set_count; s++) {
            memset(&other, 0, sizeof other);
            sets[s].kernels.project(&state, block, other.screen, other.place);
            sets[s].kernels.scale(needs, block, other.screen, other.place);
            for (uint32_t lane = 0; lane < FAST_LANES; lane++)
                cr_expect(same_vertex(&scalar, &other, lane), "viewport.h, clip.h, %s, round %u, lane %u: %08X, %08X",
                          sets[s].name, number, lane, other.place[lane], scalar.place[lane]);
        }
    }
    cr_log_info("%u vertices fit, %u not", fit, unfit);
    cr_expect_geq(fit, ROUNDS);
    cr_expect_geq(unfit, ROUNDS);
}
