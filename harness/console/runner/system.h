/*
 * The system calls that the program makes (start.S), and what C expects of a library. Results are those of the system:
 * 0 or positive is success, negative an error. Nothing of the C library is there.
 */
#ifndef HARNESS_CONSOLE_RUNNER_SYSTEM_H
#define HARNESS_CONSOLE_RUNNER_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const uint32_t SYSTEM_CURRENT_PROCESS = 0xFFFF8001u;
static const int32_t SYSTEM_TIMEOUT = 0x09401BFE; /* CON-23: a wait that ran out; not negative */
static const uint64_t SYSTEM_FOR_EVER = UINT64_MAX;

enum {
    SYSTEM_MEMORY_LINEAR = 0x10003, /* commit, linear */
    SYSTEM_PERMISSION_READ_WRITE = 3,
    SYSTEM_PERMISSION_DO_NOT_CARE = 0x10000000,
    SYSTEM_EVENT_ONE_SHOT = 0,
    SYSTEM_PROCESS_LINEAR_BASE = 20, /* CON-11 */
    SYSTEM_INFO_LUMA = 0x10000
};

int32_t system_control_memory(uint32_t *address, uint32_t operation, uint32_t wanted, uint32_t size,
                              uint32_t permission);
void system_sleep(uint64_t nanoseconds);
int32_t system_release_mutex(uint32_t mutex);
int32_t system_create_event(uint32_t *event, uint32_t reset);
int32_t system_map_memory_block(uint32_t block, uint32_t address, uint32_t own, uint32_t other);
int32_t system_unmap_memory_block(uint32_t block, uint32_t address);
int32_t system_close_handle(uint32_t handle);
int32_t system_wait(uint32_t handle, uint64_t nanoseconds);
uint64_t system_get_tick(void);
int32_t system_get_system_info(uint32_t out[2], uint32_t type, uint32_t parameter);
int32_t system_get_process_info(uint32_t out[2], uint32_t process, uint32_t type);
int32_t system_connect_to_port(uint32_t *session, const char *name);
int32_t system_send_sync_request(uint32_t session);

uint32_t *system_message(void); /* the thread's message: 64 words, then 32 of receive buffers */
uint32_t system_load_exclusive(volatile uint32_t *word);
uint32_t system_store_exclusive(volatile uint32_t *word, uint32_t value); /* 0: stored */
void system_barrier(void);

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);

/* CRC-32 as zlib computes it; `crc` is that of the bytes before, 0 at first. */
uint32_t runner_crc(uint32_t crc, const void *bytes, size_t size);

#endif
