/* gsp::Gpu: the right to the GPU, its queues in shared memory, registers, caches. */
#ifndef HARNESS_CONSOLE_RUNNER_GPU_H
#define HARNESS_CONSOLE_RUNNER_GPU_H

#include <stdbool.h>
#include <stdint.h>

struct gpu {
    uint32_t session;
    uint32_t event; /* signaled at each interrupt */
    uint32_t client;
    uint32_t block;           /* of memory that gsp shares; 0: none */
    volatile uint8_t *shared; /* where its page lies */
    bool has_right;
    bool first_user;      /* nobody has initialised the GPU yet */
    bool reads_registers; /* ReadHWRegs has data for us */
};

enum gpu_outcome {
    GPU_DONE,
    GPU_HANG,   /* no interrupt, and we hold the right, as far as we can tell */
    GPU_LOST,   /* the right was taken away (CON-26) */
    GPU_REFUSED /* gsp did not take the command (CON-48) */
};

int32_t gpu_open(struct gpu *gpu, uint32_t srv);
int32_t gpu_acquire(struct gpu *gpu);  /* blocks until whoever holds the GPU lets go */
int32_t gpu_share(struct gpu *gpu);    /* the queues */
void gpu_close(const struct gpu *gpu); /* as far as it was opened */

bool gpu_is_ours(const struct gpu *gpu);         /* or we cannot tell */
void gpu_darken(const struct gpu *gpu, bool on); /* both screens, whatever their memory holds */

/* The registers of a first use, all but those of the screens (CON-52). Negative: a write failed. */
int32_t gpu_first_use(const struct gpu *gpu);
int32_t gpu_reset(struct gpu *gpu); /* after a hang; then gpu_first_use */

/* One GX command, and its interrupt. *refusal: gsp's result, if it did not take it. */
enum gpu_outcome gpu_execute(const struct gpu *gpu, const uint32_t words[8], uint32_t interrupt,
                             uint32_t hang_microseconds, int32_t *refusal);

/* `offset` from 0x1EB00000 (CON-30). */
int32_t gpu_write_register(const struct gpu *gpu, uint32_t offset, uint32_t value, uint32_t mask);
int32_t gpu_read_registers(const struct gpu *gpu, uint32_t offset, uint32_t *words, uint32_t bytes);

int32_t gpu_flush(const struct gpu *gpu, uint32_t address, uint32_t bytes);
int32_t gpu_invalidate(const struct gpu *gpu, uint32_t address, uint32_t bytes);

#endif
