/* "gsp::Gpu": who holds the GPU, its registers, its caches. The two queues in shared memory are gsp_queue.c's. */
#include "tests/console/parts.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t WRONG_MESSAGE = 0xD900182Fu;
static const uint32_t NO_RIGHT = 0xC8402BF0u;
static const uint32_t WRONG_ADDRESS = 0xE0E02BF5u;
static const uint32_t WRONG_SIZE = 0xE0E02BECu;
static const uint32_t FIRST_USER = 0x00002A07u;
static const uint32_t CURRENT_PROCESS = 0xFFFF8001u;
static const uint32_t REGISTERS_VIRTUAL = 0x1EB00000u;
static const uint32_t REGISTERS_END = 0x00420000u;
static const uint32_t IO_VIRTUAL = 0x1EC00000u;
static const uint32_t IO_PHYSICAL = 0x10100000u;

enum {
    MOST_REGISTER_BYTES = 0x80
};

/* -------------------------------------------------------------------------------------------------------- the right */

/* Blocks until whoever holds the GPU lets go: for ever, if the HOME menu was never told that we woke up. */
static uint32_t acquire_right(struct mock *console, const uint8_t *message)
{
    struct mock_gsp *gsp = &console->gsp;
    if (mock_sent(message, 1) != 0 || mock_sent(message, 2) != 0 || mock_sent(message, 3) != CURRENT_PROCESS) {
        mock_mistake(console, "AcquireRight: %X %X %X", mock_sent(message, 1), mock_sent(message, 2),
                     mock_sent(message, 3));
        return WRONG_MESSAGE;
    }
    if (console->apt.step != MOCK_APT_AWAKE) {
        mock_end(console, MOCK_STUCK, "AcquireRight before the wake-up: the HOME menu never lets go");
        return NO_RIGHT;
    }
    if (gsp->right_returns > console->now)
        mock_pass(console, gsp->right_returns - console->now);
    gsp->has_right = true;
    return 0;
}

static void register_relay_queue(struct mock *console, uint8_t *message)
{
    struct mock_gsp *gsp = &console->gsp;
    const struct mock_handle *event = mock_handle(console, mock_sent(message, 3));
    if (!gsp->has_right || event == NULL || event->object != MOCK_EVENT || mock_sent(message, 1) != 1 ||
        mock_sent(message, 2) != 0) {
        mock_mistake(console, "RegisterInterruptRelayQueue: no right, no event, or other flags than 1");
        mock_answer(message, 1, 0, WRONG_MESSAGE);
        return;
    }
    gsp->event = mock_sent(message, 3);
    gsp->registered = true;
    const uint32_t memory = mock_open(console, MOCK_SHARED_MEMORY);
    mock_answer(message, 2, 2, console->setup->faults.first_user ? FIRST_USER : 0);
    mock_reply(message, 2, console->setup->faults.client_index);
    mock_reply(message, 3, 0);
    mock_reply(message, 4, memory);
}

static uint32_t release(struct mock *console, bool *held)
{
    (void)console;
    const uint32_t result = *held ? 0 : NO_RIGHT;
    *held = false;
    return result;
}

/* -------------------------------------------------------------------------------------------------------- registers */

static uint32_t physical_register(uint32_t offset)
{
    return REGISTERS_VIRTUAL + offset - IO_VIRTUAL + IO_PHYSICAL;
}

static uint32_t check_registers(struct mock *console, uint32_t offset, uint32_t bytes)
{
    if (!console->gsp.has_right)
        return NO_RIGHT;
    if (offset % 4 != 0 || bytes % 4 != 0 || bytes > MOST_REGISTER_BYTES || offset >= REGISTERS_END) {
        mock_mistake(console, "registers: offset %X, %u bytes", offset, bytes);
        return WRONG_SIZE;
    }
    return 0;
}

static void write_word(struct mock *console, uint32_t physical, uint32_t value)
{
    mock_effect(console, MOCK_WRITES_REGISTER, physical, 4, value, "");
    mock_gpu_write(console, physical, value);
}

static uint32_t write_registers(struct mock *console, const uint8_t *message, bool masked)
{
    const uint32_t offset = mock_sent(message, 1), bytes = mock_sent(message, 2);
    const uint32_t refusal = check_registers(console, offset, bytes);
    if (refusal != 0)
        return refusal;
    const uint8_t *values = mock_static_buffer(console, message, 3, 0, bytes);
    const uint8_t *masks = masked ? mock_static_buffer(console, message, 5, 1, bytes) : NULL;
    if (values == NULL || (masked && masks == NULL))
        return WRONG_MESSAGE;
    for (uint32_t i = 0; i < bytes; i += 4) {
        const uint32_t physical = physical_register(offset + i);
        const uint32_t mask = masked ? mock_word(masks + i) : UINT32_MAX;
        const uint32_t kept = mask == UINT32_MAX ? 0 : mock_gpu_register(console, physical) & ~mask;
        write_word(console, physical, kept | (mock_word(values + i) & mask));
    }
    return 0;
}

static void read_registers(struct mock *console, uint8_t *message)
{
    const uint32_t offset = mock_sent(message, 1), bytes = mock_sent(message, 2);
    uint32_t result = check_registers(console, offset, bytes);
    if (console->setup->weak.only_standard || console->setup->weak.empty_answers) {
        mock_answer(message, 1, 0, console->setup->weak.only_standard ? WRONG_MESSAGE : 0);
        return;
    }
    uint8_t *out = result == 0 ? mock_receive_buffer(console, message, 0, bytes) : NULL;
    if (result == 0 && out == NULL)
        result = WRONG_MESSAGE;
    for (uint32_t i = 0; result == 0 && i < bytes; i += 4) {
        if (physical_register(offset + i) == 0x10401000 + 4 * 0x06C)
            mock_end(console, MOCK_STUCK, "reads register 06C, which hangs");
        mock_put_word(out + i, mock_gpu_register(console, physical_register(offset + i)));
    }
    mock_answer(message, 1, 2, result);
}

/* ----------------------------------------------------------------------------------------------------------- caches */

static uint32_t cache(struct mock *console, const uint8_t *message, bool flush)
{
    const uint32_t address = mock_sent(message, 1), size = mock_sent(message, 2);
    if (mock_sent(message, 3) != 0 || mock_sent(message, 4) != CURRENT_PROCESS) {
        mock_mistake(console, "cache: words 3 and 4 are %X %X", mock_sent(message, 3), mock_sent(message, 4));
        return WRONG_MESSAGE;
    }
    const bool is_vram = address >= MOCK_VRAM && address < MOCK_VRAM + 0x600000;
    const bool done = flush ? !is_vram && mock_flush(console, address, size) : mock_invalidate(console, address, size);
    if (!done)
        mock_mistake(console, "cache: %08X, %X bytes, is not linear memory", address, size);
    if (!flush && console->setup->weak.only_standard)
        return WRONG_MESSAGE; /* and where there is no cache, it is as if it were done */
    return done ? 0 : WRONG_ADDRESS;
}

static uint32_t force_black(struct mock *console, const uint8_t *message)
{
    if (!console->gsp.has_right)
        return NO_RIGHT;
    console->gsp.is_lit = mock_sent(message, 1) == 0;
    return 0;
}

static uint32_t trigger(struct mock *console)
{
    if (!console->gsp.registered)
        mock_mistake(console, "TriggerCmdReqQueue without shared memory");
    else
        mock_gsp_start(console);
    return 0;
}

static uint32_t reset_core(struct mock *console)
{
    if (!console->gsp.has_right)
        return NO_RIGHT;
    if (console->setup->weak.only_standard)
        return WRONG_MESSAGE;
    mock_effect(console, MOCK_RUNS_ENGINE, 0xFFFFFFFF, 0, 0, "ResetGpuCore");
    mock_gpu_reset(console);
    if (!console->setup->faults.hang_until_power_off || !console->gsp.hung)
        console->gsp.busy = console->gsp.hung = false;
    return 0;
}

void mock_gsp_call(struct mock *console, struct mock_handle *session, uint8_t *message)
{
    (void)session;
    uint32_t result;
    switch (mock_sent(message, 0)) {
    case 0x00160042: result = acquire_right(console, message); break;
    case 0x00130042: register_relay_queue(console, message); return;
    case 0x00010082: result = write_registers(console, message, false); break;
    case 0x00020084: result = write_registers(console, message, true); break;
    case 0x00040080: read_registers(console, message); return;
    case 0x00080082: result = cache(console, message, true); break;
    case 0x00090082: result = cache(console, message, false); break;
    case 0x000B0040: result = force_black(console, message); break;
    case 0x000C0000: result = trigger(console); break;
    case 0x00140000: result = release(console, &console->gsp.registered); break;
    case 0x00170000: result = release(console, &console->gsp.has_right); break;
    case 0x001B0000: result = reset_core(console); break;
    default: mock_mistake(console, "gsp does not know %08X", mock_sent(message, 0)); result = WRONG_MESSAGE;
    }
    mock_answer(message, 1, 0, result);
}
