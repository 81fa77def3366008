/* The entry points that fuzzing engines call, and what the targets share. */
#ifndef HARNESS_TARGETS_TARGET_H
#define HARNESS_TARGETS_TARGET_H

#include "harness/run/pair.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned int seed);

/* Element PICAFUZZ_JOB of the array in the file that PICAFUZZ_STATISTICS names, mapped; NULL without one. */
struct harness_pair_statistics *harness_pair_statistics_open(void);

#endif
