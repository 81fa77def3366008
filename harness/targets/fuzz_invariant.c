/* The property: a case gives the same result when it runs again, with any number of threads, any instruction set and
 * any capacity. */
#include "harness/targets/alone.h"

struct alone_choice alone_choice(void)
{
    return (struct alone_choice){ 0, HARNESS_CHECK_FIRST_RELATION, 1 };
}
