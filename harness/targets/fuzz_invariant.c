/* The property: a case gives the same result again, with any number of threads, instruction sets and any capacity. */
#include "harness/run/self_check.h"
#include "harness/targets/failure.h"
#include "harness/targets/target.h"

#include <stdio.h>
#include <stdlib.h>

/* One process checks for one engine; its interface has no other place for this. */
static struct harness_self_check *self;

/* A function of its own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void result_varies(void)
{
    target_tell("varies", harness_self_check_key(self), harness_self_check_message(self));
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
    target_begin_input();
    const struct harness_check_choice choice = { 0, HARNESS_CHECK_FIRST_RELATION, 1 };
    if (harness_self_check_run(self, data, size, &choice) == HARNESS_DIVERGE)
        result_varies();
    return 0;
}
