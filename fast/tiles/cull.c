/* Culling (30 section 3) of a single triangle. */
#include "fast/tiles/single_triangle.h"

/* CUL-01, CUL-02, CUL-03 (A = 0 draws nothing), CUL-04: what is kept has a positive area. */
void fast_cull_triangle(struct fast_bins *bins, const struct fast_screen_vertex *v0,
                        const struct fast_screen_vertex *v1, const struct fast_screen_vertex *v2)
{
    const struct fast_fragment_state *state = bins->renderer->job.raster;
    const int64_t area = (int64_t)(v1->x - v0->x) * (v2->y - v0->y) - (int64_t)(v1->y - v0->y) * (v2->x - v0->x);
    if (area == 0 || !(area < 0 ? state->keeps_negative : state->keeps_positive))
        return;
    bins->drawing = true; /* FBF-33 */
    const struct fast_screen_vertex *const corners[3] = { v0, area < 0 ? v2 : v1, area < 0 ? v1 : v2 };
    fast_set_up_triangle(bins, corners);
}
