/* A set of numbers, for names and contents of files. */
#ifndef HARNESS_CAMPAIGN_SET_H
#define HARNESS_CAMPAIGN_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open addressing, never more than half full. All zero is an empty one. The lowest bit of a number does not count. */
struct campaign_set {
    uint64_t *slots;
    size_t size, count;
};

/* False without memory. *is_new: it was not there. */
bool campaign_set_add(struct campaign_set *set, uint64_t value, bool *is_new);

bool campaign_set_has(const struct campaign_set *set, uint64_t value);

/* It is an empty one then. */
void campaign_set_free(struct campaign_set *set);

#endif
