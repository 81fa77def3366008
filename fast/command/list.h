/* CPU writes, and the command lists that they start (spec 10). */
#ifndef FAST_COMMAND_LIST_H
#define FAST_COMMAND_LIST_H

#include <stdint.h>

struct fast_gpu;

/* PSC-12: a CPU write to any physical address; runs whatever it starts. */
void fast_cpu_write(struct fast_gpu *gpu, uint32_t address, uint32_t value);

#endif
