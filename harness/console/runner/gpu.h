/* gsp::Gpu: the right to the GPU, its queues in shared memory, registers, caches. */
#ifndef HARNESS_CONSOLE_RUNNER_GPU_H
#define HARNESS_CONSOLE_RUNNER_GPU_H

#include <stdbool.h>
#include <stdint.h>

struct gpu {
    uint32_t session;
    uint32_t event; /* signaled at each interrupt */
    uint32_t client;
    volatile uint8_t *shared; /* a page of gsp's */
    bool first_user;          /* nobody has initialised the GPU yet */
};

enum gpu_outcome {
    GPU_DONE,
    GPU_HANG, /* no interrupt, and we hold the right */
    GPU_LOST  /* the right was taken away (CON-26) */
};

int32_t gpu_open(struct gpu *gpu, uint32_t srv);
int32_t gpu_acquire(const struct gpu *gpu); /* blocks until whoever holds the GPU lets go */
int32_t gpu_share(struct gpu *gpu);         /* the queues */
void gpu_close(const struct gpu *gpu);

bool gpu_is_ours(const struct gpu *gpu);

/* The registers of a first use, all but those of the screens (CON-52). Negative: a write failed. */
int32_t gpu_first_use(const struct gpu *gpu);
int32_t gpu_reset(struct gpu *gpu); /* after a hang; then gpu_first_use */

/* One GX command, and its interrupt. */
enum gpu_outcome gpu_execute(const struct gpu *gpu, const uint32_t words[8], uint32_t interrupt,
                             uint32_t hang_microseconds);

/* `offset` from 0x1EB00000 (CON-30). */
int32_t gpu_write_register(const struct gpu *gpu, uint32_t offset, uint32_t value, uint32_t mask);
int32_t gpu_read_registers(const struct gpu *gpu, uint32_t offset, uint32_t *words, uint32_t bytes);

int32_t gpu_flush(const struct gpu *gpu, uint32_t address, uint32_t bytes);
int32_t gpu_invalidate(const struct gpu *gpu, uint32_t address, uint32_t bytes);

#endif
