#include "harness/console/runner/gpu.h"

#include "harness/console/payload.h"
#include "harness/console/runner/message.h"

enum {
    FIRST_USER = 0x2A07,
    SHARED_ADDRESS = 0x10000000,
    SHARED_TRIES = 16, /* pages; a plug-in of the system may have taken the first */
    SHARED_PAGE = 0x1000,
    INTERRUPT_RING = 0x40,  /* bytes for each client, from 0 on */
    INTERRUPT_SLOTS = 0x34, /* bytes, from 0xC on */
    COMMAND_RINGS = 0x800,  /* 0x200 bytes for each client */
    COMMAND_SLOTS = 15,     /* 32 bytes each, from 0x20 on */
    NO_INTERRUPT = 0xFF,
    NO_VERTICAL_BLANKS = 1 << 24, /* a flag in the header word of the ring of interrupts */
    HARDWARE_ID = 0x400000,
    SLICE_MICROSECONDS = 1000,
    COMMAND_FAILED = 0x00800000 /* a flag in the header word of the ring of commands */
};

/* -------------------------------------------------------------------------------------------------------- the right */

int32_t gpu_open(struct gpu *gpu, uint32_t srv)
{
    return message_open_service(srv, "gsp::Gpu", &gpu->session);
}

int32_t gpu_acquire(struct gpu *gpu)
{
    const int32_t result =
        message_send(gpu->session, 0x00160042, (const uint32_t[]){ 0, 0, SYSTEM_CURRENT_PROCESS }, 3);
    gpu->has_right = gpu->has_right || result >= 0;
    return result;
}

void gpu_close(const struct gpu *gpu)
{
    if (gpu->shared != NULL)
        system_unmap_memory_block(gpu->block, (uint32_t)(uintptr_t)gpu->shared);
    if (gpu->block != 0) {
        system_close_handle(gpu->block);
        message_send(gpu->session, 0x00140000, &(uint32_t){ 0 }, 0); /* UnregisterInterruptRelayQueue */
    }
    if (gpu->has_right)
        message_send(gpu->session, 0x00170000, &(uint32_t){ 0 }, 0); /* ReleaseRight */
    if (gpu->session != 0)
        system_close_handle(gpu->session);
}

static bool reads_a_register(const struct gpu *gpu)
{
    uint32_t word = CONSOLE_CANARY;
    return gpu_read_registers(gpu, HARDWARE_ID, &word, 4) >= 0 && word != CONSOLE_CANARY;
}

/* Reading a register needs the right, and where it ever worked nothing else could fail. */
bool gpu_is_ours(const struct gpu *gpu)
{
    return !gpu->reads_registers || reads_a_register(gpu);
}

void gpu_darken(const struct gpu *gpu, bool on)
{
    message_send(gpu->session, 0x000B0040, &(uint32_t){ on ? 1 : 0 }, 1); /* SetLcdForceBlack */
}

/* -------------------------------------------------------------------------------------------------------- registers */

int32_t gpu_write_register(const struct gpu *gpu, uint32_t offset, uint32_t value, uint32_t mask)
{
    const uint32_t words[] = { offset,
                               4,
                               message_static_buffer(4, 0),
                               (uint32_t)(uintptr_t)&value,
                               message_static_buffer(4, 1),
                               (uint32_t)(uintptr_t)&mask };
    if (mask == UINT32_MAX)
        return message_send(gpu->session, 0x00010082, words, 4); /* WriteHWRegs */
    return message_send(gpu->session, 0x00020084, words, 6);     /* WriteHWRegsWithMask */
}

int32_t gpu_read_registers(const struct gpu *gpu, uint32_t offset, uint32_t *words, uint32_t bytes)
{
    message_receive_into(words, bytes);
    return message_send(gpu->session, 0x00040080, (const uint32_t[]){ offset, bytes }, 2); /* ReadHWRegs */
}

int32_t gpu_first_use(const struct gpu *gpu)
{
    static const struct {
        uint32_t offset, value, mask;
    } writes[] = { { 0x401000, 0, UINT32_MAX },          { 0x401080, 0x12345678, UINT32_MAX },
                   { 0x4010C0, 0xFFFFFFF0, UINT32_MAX }, { 0x4010D0, 1, UINT32_MAX },
                   { 0x401914, 1, UINT32_MAX },          { 0x400C18, 0, 0x0000FF00 },
                   { 0x400004, 0x70100, UINT32_MAX },    { 0x40001C, 0, 0x000000FF },
                   { 0x40002C, 0, 0x000000FF },          { 0x400050, 0x22221200, UINT32_MAX },
                   { 0x400054, 0xFF2, 0x0000FFFF } };
    int32_t result = 0;
    for (uint32_t i = 0; result >= 0 && i < sizeof writes / sizeof *writes; i++)
        result = gpu_write_register(gpu, writes[i].offset, writes[i].value, writes[i].mask);
    return result;
}

static int32_t cache_call(const struct gpu *gpu, uint32_t header, uint32_t address, uint32_t bytes)
{
    return message_send(gpu->session, header, (const uint32_t[]){ address, bytes, 0, SYSTEM_CURRENT_PROCESS }, 4);
}

int32_t gpu_flush(const struct gpu *gpu, uint32_t address, uint32_t bytes)
{
    return cache_call(gpu, 0x00080082, address, bytes);
}

int32_t gpu_invalidate(const struct gpu *gpu, uint32_t address, uint32_t bytes)
{
    return cache_call(gpu, 0x00090082, address, bytes);
}

/* ----------------------------------------------------------------------------------------------------------- queues */

/*
 * CON-33: the header word of each ring is byte 0 position, byte 1 count, and two bytes of flags. gsp changes it, too,
 * so it is changed by LDREX and STREX.
 */
static uint32_t next_position(uint32_t position, uint32_t slots)
{
    return position + 1 >= slots ? 0 : position + 1;
}

static uint32_t take_interrupt(const struct gpu *gpu)
{
    volatile uint8_t *ring = gpu->shared + INTERRUPT_RING * gpu->client;
    volatile uint32_t *header = (volatile uint32_t *)ring;
    for (;;) {
        const uint32_t old = system_load_exclusive(header);
        const uint32_t position = old & 0xFF, count = old >> 8 & 0xFF;
        if (count == 0 || position >= INTERRUPT_SLOTS)
            return NO_INTERRUPT;
        const uint32_t id = ring[0xC + position];
        const uint32_t flags = old & 0xFF000000; /* the error byte is taken, too */
        if (system_store_exclusive(header, flags | (count - 1) << 8 | next_position(position, INTERRUPT_SLOTS)) == 0)
            return id;
    }
}

/* Vertical blanks would only wake us; a gsp that sends them all the same is no trouble. */
static void ask_for_no_vertical_blanks(const struct gpu *gpu)
{
    volatile uint32_t *header = (volatile uint32_t *)(gpu->shared + INTERRUPT_RING * gpu->client);
    while (system_store_exclusive(header, system_load_exclusive(header) | NO_VERTICAL_BLANKS) != 0) {
    }
}

static void forget_interrupts(const struct gpu *gpu)
{
    while (take_interrupt(gpu) != NO_INTERRUPT) {
    }
}

/* Where the next command goes; NULL: the ring is full, which gsp would have to explain. */
static volatile uint32_t *free_slot(volatile uint8_t *ring)
{
    uint32_t slot = (uint32_t)ring[0] + ring[1];
    if (ring[0] >= COMMAND_SLOTS || ring[1] >= COMMAND_SLOTS)
        return NULL;
    if (slot >= COMMAND_SLOTS)
        slot -= COMMAND_SLOTS;
    return (volatile uint32_t *)(ring + 0x20 + 0x20 * slot);
}

static int32_t enqueue(const struct gpu *gpu, const uint32_t words[8])
{
    volatile uint8_t *ring = gpu->shared + COMMAND_RINGS + 0x200 * gpu->client;
    volatile uint32_t *header = (volatile uint32_t *)ring;
    volatile uint32_t *slot = free_slot(ring);
    if (slot == NULL)
        return -1;
    for (int i = 0; i < 8; i++)
        slot[i] = words[i];
    system_barrier();
    uint32_t old;
    do
        old = system_load_exclusive(header);
    while (system_store_exclusive(header, old + 0x100) != 0);
    if ((old >> 8 & 0xFF) != 0)
        return 0;                                                       /* gsp is at work, and will find it */
    return message_send(gpu->session, 0x000C0000, &(uint32_t){ 0 }, 0); /* TriggerCmdReqQueue */
}

/* A fill uses one unit, so either interrupt is its own; docs/console-facts.md, open question 4. */
static bool is_awaited(uint32_t id, uint32_t awaited)
{
    return id == awaited || (id <= CONSOLE_INTERRUPT_PSC1 && awaited <= CONSOLE_INTERRUPT_PSC1);
}

/* CON-48. Then the ring is begun anew, as at the start. */
static bool was_refused(const struct gpu *gpu, int32_t *refusal)
{
    volatile uint32_t *header = (volatile uint32_t *)(gpu->shared + COMMAND_RINGS + 0x200 * gpu->client);
    if ((header[0] & COMMAND_FAILED) == 0)
        return false;
    *refusal = (int32_t)header[1];
    header[1] = 0;
    header[0] = 0;
    return true;
}

/* Time is counted in waits that ran out: ticks may run faster than we know, and vertical blanks end waits early. */
static enum gpu_outcome wait_for(const struct gpu *gpu, uint32_t awaited, uint32_t microseconds, int32_t *refusal)
{
    for (uint32_t waited = 0; waited < microseconds;) {
        uint32_t id;
        while ((id = take_interrupt(gpu)) != NO_INTERRUPT)
            if (is_awaited(id, awaited))
                return GPU_DONE;
        if (was_refused(gpu, refusal))
            return GPU_REFUSED;
        if (system_wait(gpu->event, SLICE_MICROSECONDS * 1000) != 0)
            waited += SLICE_MICROSECONDS;
    }
    return GPU_HANG;
}

static int32_t map_shared_page(struct gpu *gpu)
{
    int32_t result = -1;
    for (uint32_t i = 0; result < 0 && i < SHARED_TRIES; i++) {
        const uint32_t address = SHARED_ADDRESS + SHARED_PAGE * i;
        result =
            system_map_memory_block(gpu->block, address, SYSTEM_PERMISSION_READ_WRITE, SYSTEM_PERMISSION_DO_NOT_CARE);
        if (result >= 0)
            gpu->shared = (volatile uint8_t *)(uintptr_t)address;
    }
    return result;
}

/* The header word of the commands is cleared once, as every program does (CON-33). */
int32_t gpu_share(struct gpu *gpu)
{
    int32_t result = system_create_event(&gpu->event, SYSTEM_EVENT_ONE_SHOT);
    if (result < 0)
        return result;
    result = message_send(gpu->session, 0x00130042, (const uint32_t[]){ 1, 0, gpu->event }, 3);
    if (result < 0)
        return result;
    gpu->first_user = result == FIRST_USER;
    gpu->client = system_message()[2] & 3;
    gpu->block = system_message()[4];
    result = map_shared_page(gpu);
    if (result < 0)
        return result;
    ask_for_no_vertical_blanks(gpu);
    *(volatile uint32_t *)(gpu->shared + COMMAND_RINGS + 0x200 * gpu->client) = 0;
    gpu->reads_registers = reads_a_register(gpu);
    return 0;
}

enum gpu_outcome gpu_execute(const struct gpu *gpu, const uint32_t words[8], uint32_t interrupt,
                             uint32_t hang_microseconds, int32_t *refusal)
{
    enum gpu_outcome outcome = GPU_HANG;
    forget_interrupts(gpu);
    if (enqueue(gpu, words) >= 0)
        outcome = wait_for(gpu, interrupt, hang_microseconds, refusal);
    return outcome == GPU_HANG && !gpu_is_ours(gpu) ? GPU_LOST : outcome;
}

int32_t gpu_reset(struct gpu *gpu)
{
    const int32_t result = message_send(gpu->session, 0x001B0000, &(uint32_t){ 0 }, 0); /* ResetGpuCore */
    forget_interrupts(gpu);
    return result;
}
