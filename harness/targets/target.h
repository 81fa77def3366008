/* The entry points that fuzzing engines call, and what the targets share. */
#ifndef HARNESS_TARGETS_TARGET_H
#define HARNESS_TARGETS_TARGET_H

#include "harness/run/pair.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned int seed);

/* What a target does once, after the engine's last fork and before the first input. A target may lack it. A target that
 * has it also calls it at its first input, for engines that do not call it. */
void target_start(void) __attribute__((weak));

/* Does foreign code, a plug-in of the user's, run in this process? A target without plug-ins lacks it. */
bool target_has_guests(void) __attribute__((weak));

/* Reports that the property does not hold and ends the process. `why`: NULL if there is no more to say. Each kind of
 * failure is reported from a function of its own, since engines distinguish crashes by their stack. */
_Noreturn void target_fails(const char *what, const char *why) __attribute__((noinline));

/* Reports before the first input why the target cannot run, and exits with 1. `why`: "" means lack of memory. */
_Noreturn void target_cannot_begin(const char *why);

/* Maps the file that PICAFUZZ_STATISTICS names, shared, until the process ends. NULL if it is not set, or cannot be
 * mapped. */
struct harness_pair_statistics *harness_pair_statistics_open(void);

/* Runs the linked target on each file of the command line. Returns the exit code: 0, or 2 if a file cannot be read. A
 * target that fails ends the process itself. */
int harness_replay_files(int argc, char **argv);

#endif
