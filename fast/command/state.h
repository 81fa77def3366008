/* The register file (spec 10): writes and their effects. */
#ifndef FAST_COMMAND_STATE_H
#define FAST_COMMAND_STATE_H

#include <stdint.h>

struct fast_gpu;

/* Where a register write comes from: some events exist for lists only. */
enum fast_write_source {
    FAST_WRITE_BY_CPU,
    FAST_WRITE_BY_LIST
};

/* What the list decoder does after a register write. */
enum fast_write_result {
    FAST_WRITE_DONE,
    FAST_WRITE_JUMPS,   /* SUB-04 */
    FAST_WRITE_FINISHES /* REG-13: the interrupt stops the list */
};

/* One write to an id of 0x010-0x01F or 0x040-0x2FF; `mask`: which bytes (CMD-05). */
enum fast_write_result fast_write_register(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask,
                                           enum fast_write_source source);

/* The same for any id, as a list writes it. */
enum fast_write_result fast_write_from_list(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask);

/* A CPU write to ids 0x000-0x03F. */
void fast_write_interrupt_register(struct fast_gpu *gpu, uint32_t id, uint32_t value);

/* Once in the life of an instance, before the first reset. */
void fast_registers_init(struct fast_gpu *gpu);

/* REG-02: the register file of a machine that the system software has set up. */
void fast_registers_reset(struct fast_gpu *gpu);

#endif
