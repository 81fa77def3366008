#include "harness/explore/moments.h"

uint32_t explore_moment_of_draw(const struct harness_draws *draws, uint32_t draw)
{
    return 1 + draw + draws->items[draw].step;
}

uint32_t explore_first_draw(const struct harness_draws *draws, uint32_t step)
{
    uint32_t low = 0, high = draws->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (draws->items[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t explore_moment_of_step(const struct harness_draws *draws, uint32_t step)
{
    return 1 + explore_first_draw(draws, step + 1) + step;
}
