/* The property: a case gives the same result again, with any number of threads, instruction sets and any capacity. */
#include "harness/targets/alone.h"

struct alone_choice alone_choice(void)
{
    return (struct alone_choice){ 0, HARNESS_CHECK_FIRST_RELATION, 1 };
}
