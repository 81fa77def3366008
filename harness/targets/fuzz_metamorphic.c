/* The property: changes that must not matter do not matter, on `reference` and on `fast`. */
#include "harness/targets/alone.h"

struct harness_check_choice alone_choice(void)
{
    return (struct harness_check_choice){ HARNESS_CHECK_FIRST_RELATION,
                                          harness_check_count() - HARNESS_CHECK_FIRST_RELATION, 4 };
}
