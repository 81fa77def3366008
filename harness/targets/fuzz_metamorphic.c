/* The property: changes that must not matter do not matter, on `reference` and on `fast`. */
#include "harness/targets/alone.h"

struct alone_choice alone_choice(void)
{
    return (struct alone_choice){ HARNESS_CHECK_FIRST_RELATION, harness_check_count() - HARNESS_CHECK_FIRST_RELATION,
                                  4 };
}
