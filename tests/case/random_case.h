/* Random valid cases for tests: every member, every extreme, no sense intended. Deterministic from the seed. */
#ifndef TESTS_RANDOM_CASE_H
#define TESTS_RANDOM_CASE_H

#include "harness/case/case.h"

struct test_random {
    uint64_t state;
};

void test_random_seed(struct test_random *random, uint64_t seed);
uint32_t test_random_word(struct test_random *random);
uint32_t test_random_below(struct test_random *random, uint32_t limit); /* 0 .. limit - 1; limit > 0 */

/* A word that is likely at an edge: 0, all ones, one bit, float specials, or anything. */
uint32_t test_random_edge(struct test_random *random);

/* Makes `out` a random case within the limits of the binary form. */
void test_random_case(struct test_random *random, struct harness_case *out, bool with_comments);

/* Changes, removes, repeats or inserts some bytes; returns the new size, at most `capacity`. */
size_t test_mutate(struct test_random *random, uint8_t *bytes, size_t size, size_t capacity);

#endif
