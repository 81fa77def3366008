/*
 * Inputs as a campaign has them: a pool of generated cases that the engines' hooks mutate and cross, child after child.
 * No coverage decides which child stays: one in five does, the share that libFuzzer keeps of its first ten thousand.
 * Deterministic by seed.
 */
#ifndef BENCH_BUGS_CAMPAIGN_H
#define BENCH_BUGS_CAMPAIGN_H

#include <stddef.h>
#include <stdint.h>

struct bug_campaign;

/* `age`: how many children came before. NULL if the host refuses memory. */
struct bug_campaign *bug_campaign_create(uint64_t seed, uint64_t age);
void bug_campaign_destroy(struct bug_campaign *campaign); /* accepts NULL */

/* The next child, at most HARNESS_MAX_INPUT bytes; *bytes is valid until the next call. */
size_t bug_campaign_next(struct bug_campaign *campaign, const uint8_t **bytes);

#endif
