/* How two pictures of the same buffer differ, in words that say what kind of mistake it may be. */
#ifndef HARNESS_LOCALISE_PATTERN_H
#define HARNESS_LOCALISE_PATTERN_H

#include "oracles/pixels.h"
#include "oracles/run.h"

#include <stddef.h>

/*
 * For example "same values, rows mirrored", "same values, shifted by x+1", "same values, R and B exchanged", "nothing
 * drawn by fast", "off by one in G: fast has +1 in 37 of 64 pixels", "only alpha differs". Empty if the pictures are
 * equal or differ in no way that has words. Runs with `loaded` tell what was drawn at all.
 */
void harness_pattern(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_surface *surface,
                     char *out, size_t size);

#endif
