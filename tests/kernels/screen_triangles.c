#include "tests/kernels/screen_triangles.h"

#include <string.h>

void screen_triangles_place(struct screen_triangles *triangles)
{
    for (uint32_t n = 0; n < FAST_LANES; n++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t x = (uint32_t)triangles->x[n][k] & 0xFFFFu;
            triangles->place[k * FAST_LANES + n] = x | (uint32_t)triangles->y[n][k] << FAST_PLACE_Y_SHIFT;
            triangles->corner[k][n] = k * FAST_BLOCK_FLOATS + n;
        }
}

static int32_t random_offset(struct harness_random *random, int32_t reach)
{
    return (int32_t)harness_random_below(random, 2u * (uint32_t)reach + 1u) - reach;
}

void screen_triangles_random(struct screen_triangles *triangles, struct harness_random *random, int32_t reach)
{
    for (uint32_t n = 0; n < FAST_LANES; n++) {
        const int32_t x = random_offset(random, 10000) + 6000;
        const int32_t y = random_offset(random, 6000) + 2000;
        const int32_t near = harness_random_percent(random, 20) ? 2 : reach;
        for (uint32_t k = 0; k < 3; k++) {
            triangles->x[n][k] = x + random_offset(random, near);
            triangles->y[n][k] = y + random_offset(random, near);
        }
        if (harness_random_percent(random, 20)) { /* a level edge */
            const uint32_t k = harness_random_below(random, 3);
            triangles->y[n][k] = triangles->y[n][(k + 1) % 3];
        }
    }
    screen_triangles_place(triangles);
}

void screen_triangles_set_up(const struct kernel_set *set, const struct fast_fragment_state *state,
                             const struct fast_bin_layout *layout, const struct screen_triangles *triangles,
                             struct fast_triangle_batch *out)
{
    const uint32_t *const corner[3] = { triangles->corner[0], triangles->corner[1], triangles->corner[2] };
    memset(out, 0, sizeof *out);
    set->kernels.set_up(state, layout, triangles->place, corner, out);
}

int64_t screen_triangle_area(const struct screen_triangles *triangles, uint32_t number)
{
    const int32_t *const x = triangles->x[number];
    const int32_t *const y = triangles->y[number];
    return (int64_t)(x[1] - x[0]) * (y[2] - y[0]) - (int64_t)(y[1] - y[0]) * (x[2] - x[0]);
}
