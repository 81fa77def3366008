#include "harness/campaign/set.h"

#include <stdlib.h>

enum {
    FIRST_SLOTS = 1 << 12
};

static size_t slot_of(const struct campaign_set *set, uint64_t value)
{
    size_t at = (size_t)value & (set->size - 1);
    while (set->slots[at] != 0 && set->slots[at] != value)
        at = (at + 1) & (set->size - 1);
    return at;
}

static bool grow(struct campaign_set *set)
{
    const size_t size = set->size != 0 ? 2 * set->size : (size_t)FIRST_SLOTS;
    const struct campaign_set old = *set;
    struct campaign_set bigger = { calloc(size, sizeof *bigger.slots), size, old.count };
    if (bigger.slots == NULL)
        return false;
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i] != 0)
            bigger.slots[slot_of(&bigger, old.slots[i])] = old.slots[i];
    free(old.slots);
    *set = bigger;
    return true;
}

bool campaign_set_add(struct campaign_set *set, uint64_t value, bool *is_new)
{
    *is_new = false;
    if (2 * set->count >= set->size && !grow(set))
        return false;
    const size_t at = slot_of(set, value | 1); /* 0 is the empty slot */
    *is_new = set->slots[at] == 0;
    set->slots[at] = value | 1;
    set->count += *is_new;
    return true;
}

bool campaign_set_has(const struct campaign_set *set, uint64_t value)
{
    return set->size != 0 && set->slots[slot_of(set, value | 1)] != 0;
}

void campaign_set_free(struct campaign_set *set)
{
    free(set->slots);
    *set = (struct campaign_set){ NULL, 0, 0 };
}
