/* CPU accesses, the list decoder and the register file (spec 10). */
#ifndef FAST_COMMAND_LIST_H
#define FAST_COMMAND_LIST_H

#include <stdint.h>

struct fast_gpu;

/* PSC-12: a CPU write of any physical address; runs whatever it starts. */
void fast_cpu_write(struct fast_gpu *gpu, uint32_t address, uint32_t value);

/* Once in the life of an instance, before the first reset. */
void fast_registers_init(struct fast_gpu *gpu);

/* REG-02: the register file of a machine that the system software has set up. */
void fast_registers_reset(struct fast_gpu *gpu);

#endif
