#include "harness/targets/units/unit.h"

#include "harness/case/formats.h"
#include "harness/targets/failure.h"
#include "harness/targets/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A target's process has one of each; the engines' interface leaves no other place for them. */
static struct harness_pair *pair;
static struct harness_case *frame, *test_case;
static const char *kept; /* where to write cases; NULL: nowhere */

/* A function of its own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void backends_differ(void)
{
    target_tell("differ", harness_pair_key(pair), harness_pair_message(pair));
    fprintf(stderr, "picafuzz: the backends differ\n%s", harness_pair_message(pair));
    __builtin_trap();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const struct harness_pair_options options = { .instruction_sets = UINT32_MAX,
                                                  .statistics = harness_pair_statistics_open() };
    struct harness_error error = { "out of memory" };
    (void)argc;
    (void)argv;
    kept = getenv("PICAFUZZ_CASE");
    pair = harness_pair_create(&options);
    frame = harness_case_create();
    test_case = harness_case_create();
    if (pair != NULL && frame != NULL && test_case != NULL &&
        harness_pcase_read(frame, unit_frame, strlen(unit_frame), "frame", &error) == HARNESS_OK)
        return 0;
    fprintf(stderr, "picafuzz: %s\n", error.message);
    exit(1);
}

static void keep_case(void)
{
    struct harness_error error;
    harness_bound_case(test_case); /* as it will run */
    if (harness_case_save_file(test_case, kept, &error) != HARNESS_OK)
        fprintf(stderr, "picafuzz: %s\n", error.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct unit_input input = { data, size };
    target_begin_input();
    if (!harness_case_copy(test_case, frame) || !unit_build(test_case, &input))
        return 0;
    if (kept != NULL)
        keep_case();
    if (harness_pair_run_case(pair, test_case) == HARNESS_DIVERGE)
        backends_differ();
    return 0;
}
