/*
 * Fuzz target: `reference` and `fast` give the same bits for every case. Any byte string is a case
 * (docs/formats/pcb.md).
 *
 * With libFuzzer this file, a mutator (mutator_libfuzzer.c) and -fsanitize=fuzzer make the fuzzer; with replay.c it
 * becomes a program that replays files. A supervisor watches progress through the file that PICAFUZZ_STATISTICS names.
 */
#include "harness/run/pair.h"
#include "harness/targets/failure.h"
#include "harness/targets/feedback.h"
#include "harness/targets/target.h"

#include <stdio.h>
#include <stdlib.h>

/* A target's process has one pair; the engines' interface leaves no other place for it. */
static struct harness_pair *pair;
static struct feedback *feedback; /* NULL: none */

/* A function of its own for each kind of failure, so that engines which tell crashes apart by their stack see kinds. */
static __attribute__((noinline)) void backends_differ(void)
{
    target_tell("differ", harness_pair_key(pair), harness_pair_message(pair));
    fprintf(stderr, "picafuzz: reference and fast differ\n%s", harness_pair_message(pair));
    __builtin_trap();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    const struct harness_pair_options options = { .instruction_sets = UINT32_MAX,
                                                  .measure = true,
                                                  .statistics = harness_pair_statistics_open() };
    pair = harness_pair_create(&options);
    if (pair != NULL) {
        feedback = feedback_create(harness_pair_reference(pair), feedback_level_of_environment());
        return 0;
    }
    fprintf(stderr, "picafuzz: out of memory\n");
    exit(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target_begin_input();
    feedback_begin(feedback);
    const enum harness_outcome outcome = harness_pair_run(pair, data, size);
    feedback_end(feedback);
    if (outcome == HARNESS_DIFFERENT)
        backends_differ();
    return 0;
}
