#include "harness/targets/alone.h"

#include "harness/targets/target.h"

#include <stdio.h>
#include <stdlib.h>

/* One process checks for one engine; its interface has no other place for this. */
static struct harness_self_check *self;

static __attribute__((noinline)) void property_does_not_hold(void)
{
    fprintf(stderr, "picafuzz: %s", harness_self_check_message(self));
    __builtin_trap();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    self = harness_self_check_create();
    if (self != NULL)
        return 0;
    fprintf(stderr, "picafuzz: out of memory\n");
    exit(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct harness_check_choice choice = alone_choice();
    if (harness_self_check_run(self, data, size, &choice) == HARNESS_DIVERGE)
        property_does_not_hold();
    return 0;
}
