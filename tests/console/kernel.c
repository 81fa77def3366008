/* The system calls that docs/console-facts.md lists, and the table of handles. Any other call is a mistake. */
#include "tests/console/parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SVC_CONTROL_MEMORY = 0x01,
    SVC_EXIT_PROCESS = 0x03,
    SVC_RELEASE_MUTEX = 0x14,
    SVC_CREATE_EVENT = 0x17,
    SVC_CLEAR_EVENT = 0x19,
    SVC_MAP_MEMORY_BLOCK = 0x1F,
    SVC_UNMAP_MEMORY_BLOCK = 0x20,
    SVC_CLOSE_HANDLE = 0x23,
    SVC_WAIT = 0x24,
    SVC_GET_SYSTEM_TICK = 0x28,
    SVC_GET_SYSTEM_INFO = 0x2A,
    SVC_GET_PROCESS_INFO = 0x2B,
    SVC_CONNECT_TO_PORT = 0x2D,
    SVC_SEND_SYNC_REQUEST = 0x32,
    SVC_BREAK = 0x3C,
    SVC_OUTPUT_DEBUG_STRING = 0x3D
};

enum {
    OPERATION_COMMIT = 3,
    OPERATION_LINEAR_COMMIT = 0x10003,
    PERMISSION_READ_WRITE = 3,
    PERMISSION_DO_NOT_CARE = 0x10000000,
    INFO_LINEAR_BASE = 20, /* of GetProcessInfo: virtual - physical of linear memory */
    INFO_LUMA = 0x10000,   /* of GetSystemInfo */
    MESSAGE_OFFSET = 0x80  /* in the thread's local storage */
};

static const uint32_t FIRST_HANDLE = 0x00010000u;
static const uint32_t CURRENT_PROCESS = 0xFFFF8001u;
static const uint32_t PRIVATE_HEAP = 0x08000000u;
static const uint32_t NOWHERE = 0x3C000000u;
static const uint32_t NOT_IMPLEMENTED = 0xF8C007F4u;
static const uint32_t TIMEOUT = 0x09401BFEu;
static const uint32_t INVALID_HANDLE = 0xD8E007F7u;
static const uint32_t INVALID_ADDRESS = 0xE0E01BF5u;
static const uint32_t OUT_OF_MEMORY = 0xD86007F3u;
static const uint32_t NO_SUCH_PORT = 0xD88007FAu;
static const uint64_t CALL_NANOSECONDS = 1500;

/* ---------------------------------------------------------------------------------------------------------- handles */

uint32_t mock_open(struct mock *console, enum mock_object object)
{
    for (uint32_t i = 0; i < MOCK_HANDLES; i++)
        if (console->handles[i].object == MOCK_NOTHING) {
            console->handles[i] = (struct mock_handle){ .object = object, .file = -1 };
            return FIRST_HANDLE + i;
        }
    mock_end(console, MOCK_FAULTED, "more than %d handles are open", MOCK_HANDLES);
    return FIRST_HANDLE;
}

struct mock_handle *mock_handle(struct mock *console, uint32_t handle)
{
    const uint32_t i = handle - FIRST_HANDLE;
    return i < MOCK_HANDLES && console->handles[i].object != MOCK_NOTHING ? &console->handles[i] : NULL;
}

void mock_signal(struct mock *console, uint32_t handle)
{
    struct mock_handle *object = mock_handle(console, handle);
    if (object != NULL)
        object->signaled = true;
}

static void close_object(struct mock_handle *object)
{
    if (object->object == MOCK_SESSION_FILE && object->file >= 0)
        close(object->file);
    object->object = MOCK_NOTHING;
}

static uint32_t close_handle(struct mock *console, uint32_t handle)
{
    struct mock_handle *object = mock_handle(console, handle);
    if (object == NULL) {
        mock_mistake(console, "closes handle %08X, which is not open", handle);
        return INVALID_HANDLE;
    }
    close_object(object);
    return 0;
}

void mock_close_all(struct mock *console)
{
    for (uint32_t i = 0; i < MOCK_HANDLES; i++)
        close_object(&console->handles[i]);
}

/* ----------------------------------------------------------------------------------------------------------- memory */

static uint32_t commit_linear(struct mock *console, uint32_t size, uint32_t *address)
{
    const struct mock_faults *faults = &console->setup->faults;
    const uint32_t base = faults->linear_address != 0 ? faults->linear_address : 0x30000000u;
    const uint32_t physical = faults->linear_physical != 0 ? faults->linear_physical : 0x20000000u;
    const uint32_t room = faults->linear_bytes != 0 ? faults->linear_bytes : (uint32_t)MOCK_LINEAR_BYTES;
    if (size > room - console->linear_used)
        return OUT_OF_MEMORY;
    if (console->linear_used == 0) {
        struct mock_region *region = mock_map(console, base, MOCK_LINEAR_BYTES, UC_PROT_READ | UC_PROT_WRITE);
        if (region == NULL)
            return OUT_OF_MEMORY;
        region->physical = physical;
        region->clean = (uint8_t *)calloc(1, MOCK_LINEAR_BYTES);
    }
    if (console->linear_used != 0 && console->setup->weak.only_standard)
        return OUT_OF_MEMORY;
    *address = base + console->linear_used; /* the address asked for is ignored */
    if (console->linear_used != 0 && console->setup->weak.one_block)
        *address = NOWHERE;
    console->linear_used += size;
    return 0;
}

static uint32_t control_memory(struct mock *console, uint32_t operation, uint32_t address, uint32_t size,
                               uint32_t permission, uint32_t *out)
{
    if (permission != PERMISSION_READ_WRITE || size == 0 || size % MOCK_PAGE != 0) {
        mock_mistake(console, "ControlMemory: size %08X, permission %X", size, permission);
        return INVALID_ADDRESS;
    }
    if (operation == OPERATION_LINEAR_COMMIT)
        return commit_linear(console, size, out);
    if (operation != OPERATION_COMMIT || address < PRIVATE_HEAP || address + size > 0x0E000000) {
        mock_mistake(console, "ControlMemory: operation %X at %08X", operation, address);
        return INVALID_ADDRESS;
    }
    *out = address;
    return mock_map(console, address, size, UC_PROT_READ | UC_PROT_WRITE) == NULL ? OUT_OF_MEMORY : 0;
}

static uint32_t map_memory_block(struct mock *console, uint32_t handle, uint32_t address, uint32_t own, uint32_t other)
{
    const struct mock_handle *block = mock_handle(console, handle);
    if (block == NULL || block->object != MOCK_SHARED_MEMORY)
        return INVALID_HANDLE;
    if (address < 0x10000000 || address >= 0x14000000 || own != PERMISSION_READ_WRITE ||
        other != PERMISSION_DO_NOT_CARE) {
        mock_mistake(console, "MapMemoryBlock: at %08X, permissions %X and %X", address, own, other);
        return INVALID_ADDRESS;
    }
    const bool is_taken = address == 0x10000000 && console->setup->faults.page_taken;
    struct mock_region *region =
        is_taken ? NULL : mock_map(console, address, MOCK_SHARED_BYTES, UC_PROT_READ | UC_PROT_WRITE);
    if (region == NULL)
        return INVALID_ADDRESS;
    memcpy(region->bytes, console->gsp.shared, MOCK_SHARED_BYTES);
    free(console->gsp.shared);
    console->gsp.shared = region->bytes; /* one memory from now on */
    return 0;
}

static uint32_t unmap_memory_block(struct mock *console, uint32_t handle, uint32_t address)
{
    const struct mock_handle *block = mock_handle(console, handle);
    const struct mock_region *region = mock_region(console, address, MOCK_SHARED_BYTES);
    uint8_t *kept = malloc(MOCK_SHARED_BYTES);
    if (block == NULL || block->object != MOCK_SHARED_MEMORY || region == NULL ||
        region->bytes != console->gsp.shared || kept == NULL) {
        mock_mistake(console, "UnmapMemoryBlock: nothing is mapped at %08X", address);
        free(kept);
        return INVALID_ADDRESS;
    }
    memcpy(kept, region->bytes, MOCK_SHARED_BYTES);
    mock_unmap(console, region);
    console->gsp.shared = kept;
    return 0;
}

/* What an exit must leave: the system takes memory and rights away, and what still uses them shows garbage or hangs. */
static void exit_process(struct mock *console)
{
    const struct mock_gsp *gsp = &console->gsp;
    for (uint32_t i = 0; i < console->region_count; i++)
        if (console->regions[i].bytes == gsp->shared)
            mock_mistake(console, "exits with gsp's page mapped");
    if (gsp->has_right || gsp->registered)
        mock_mistake(console, "exits with the right to the GPU, or its queue");
    if (gsp->is_lit && gsp->shows_linear)
        mock_mistake(console, "exits with screens that show its memory");
    if (console->apt.step != MOCK_APT_NEW && console->apt.step != MOCK_APT_LEFT)
        mock_mistake(console, "exits without leaving by APT");
    mock_end(console, MOCK_EXITED, "exited");
}

/* ----------------------------------------------------------------------------------------------- ports and messages */

static uint32_t connect_to_port(struct mock *console, uint32_t name, uint32_t *session)
{
    const uint8_t *bytes = mock_bytes(console, name, 5);
    if (bytes == NULL || memcmp(bytes, "srv:", 5) != 0) {
        mock_mistake(console, "ConnectToPort: not \"srv:\"");
        return NO_SUCH_PORT;
    }
    *session = mock_open(console, MOCK_SESSION_SRV);
    return 0;
}

static uint32_t send_sync_request(struct mock *console, uint32_t handle)
{
    struct mock_handle *session = mock_handle(console, handle);
    uint8_t *message = mock_bytes(console, MOCK_TLS + MESSAGE_OFFSET, 0x100);
    if (session == NULL) {
        mock_mistake(console, "SendSyncRequest to handle %08X, which is not open", handle);
        return INVALID_HANDLE;
    }
    mock_effect(console, MOCK_CALLS_SERVICE, mock_sent(message, 0), mock_sent(message, 2), mock_sent(message, 1), "");
    switch (session->object) {
    case MOCK_SESSION_SRV: mock_srv(console, session, message); return 0;
    case MOCK_SESSION_APT: mock_apt_call(console, session, message); return 0;
    case MOCK_SESSION_FS: mock_fs(console, session, message); return 0;
    case MOCK_SESSION_FILE: mock_file(console, session, message); return 0;
    case MOCK_SESSION_GSP: mock_gsp_call(console, session, message); return 0;
    case MOCK_NOTHING:
    case MOCK_EVENT:
    case MOCK_MUTEX:
    case MOCK_SHARED_MEMORY: break;
    }
    mock_mistake(console, "SendSyncRequest to a handle that is no session");
    return INVALID_HANDLE;
}

/* -------------------------------------------------------------------------------------------------------- the calls */

static uint32_t create_event(struct mock *console, uint32_t reset, uint32_t *handle)
{
    *handle = mock_open(console, MOCK_EVENT);
    mock_handle(console, *handle)->sticky = reset == 1;
    return 0;
}

static uint32_t set_signal(struct mock *console, uint32_t handle, enum mock_object object, bool signaled)
{
    struct mock_handle *target = mock_handle(console, handle);
    if (target == NULL || target->object != object)
        return INVALID_HANDLE;
    target->signaled = signaled;
    return 0;
}

static uint32_t wait(struct mock *console, uint32_t handle, uint64_t nanoseconds)
{
    if (mock_handle(console, handle) == NULL)
        return INVALID_HANDLE;
    return mock_wait(console, handle, nanoseconds) ? 0 : TIMEOUT;
}

static uint32_t process_info(struct mock *console, uint32_t process, uint32_t type, uint32_t *low)
{
    const struct mock_faults *faults = &console->setup->faults;
    if (console->setup->weak.only_standard)
        return NOT_IMPLEMENTED;
    if (process != CURRENT_PROCESS || type != INFO_LINEAR_BASE) {
        mock_mistake(console, "GetProcessInfo: process %08X, type %u", process, type);
        return INVALID_HANDLE;
    }
    *low = (faults->linear_physical != 0 ? faults->linear_physical : 0x20000000u) -
           (faults->linear_address != 0 ? faults->linear_address : 0x30000000u);
    return 0;
}

static void debug_string(struct mock *console, uint32_t address, uint32_t length)
{
    const uint8_t *text = length > 80 ? NULL : mock_bytes(console, address, length);
    char copy[81] = "";
    if (text != NULL)
        memcpy(copy, text, length);
    mock_effect(console, MOCK_CALLS_SYSTEM, SVC_OUTPUT_DEBUG_STRING, length, 0, copy);
}

static uint32_t two_words(uint32_t *registers, uint64_t value)
{
    registers[1] = (uint32_t)(value >> 32);
    return (uint32_t)value;
}

/* Registers come in as the program set them; what is not an answer is destroyed, as a kernel may. */
static uint32_t call(struct mock *console, uint32_t number, const uint32_t in[5], uint32_t out[4])
{
    switch (number) {
    case SVC_CONTROL_MEMORY: return control_memory(console, in[0], in[1], in[3], in[4], &out[1]);
    case SVC_EXIT_PROCESS: exit_process(console); return 0;
    case MOCK_SLEEP_THREAD: mock_pass(console, in[0] | (uint64_t)in[1] << 32); return 0;
    case SVC_RELEASE_MUTEX: return set_signal(console, in[0], MOCK_MUTEX, true);
    case SVC_CREATE_EVENT: return create_event(console, in[1], &out[1]);
    case SVC_CLEAR_EVENT: return set_signal(console, in[0], MOCK_EVENT, false);
    case SVC_MAP_MEMORY_BLOCK: return map_memory_block(console, in[0], in[1], in[2], in[3]);
    case SVC_UNMAP_MEMORY_BLOCK: return unmap_memory_block(console, in[0], in[1]);
    case SVC_CLOSE_HANDLE: return close_handle(console, in[0]);
    case SVC_WAIT: return wait(console, in[0], in[2] | (uint64_t)in[3] << 32);
    case SVC_GET_SYSTEM_TICK: return two_words(out, mock_ticks(console));
    case SVC_GET_SYSTEM_INFO:
        out[1] = in[1] == INFO_LUMA && !mock_is_emulator(console) ? 0x0D040000 : 0;
        out[2] = 0;
        return 0;
    case SVC_GET_PROCESS_INFO: out[2] = 0; return process_info(console, in[1], in[2], &out[1]);
    case SVC_CONNECT_TO_PORT: return connect_to_port(console, in[1], &out[1]);
    case SVC_SEND_SYNC_REQUEST: return send_sync_request(console, in[0]);
    case SVC_BREAK: mock_end(console, MOCK_BROKE, "Break, reason %u", in[0]); return 0;
    case SVC_OUTPUT_DEBUG_STRING: debug_string(console, in[0], in[1]); return 0;
    default: mock_end(console, MOCK_FAULTED, "system call %02X does not exist here", number); return 0;
    }
}

void mock_system_call(struct mock *console, uint32_t number)
{
    static const int names[] = { UC_ARM_REG_R0, UC_ARM_REG_R1, UC_ARM_REG_R2, UC_ARM_REG_R3, UC_ARM_REG_R4 };
    uint32_t in[5], out[4] = { 0, 0xDEAD0001, 0xDEAD0002, 0xDEAD0003 };
    for (int i = 0; i < 5; i++)
        uc_reg_read(console->cpu, names[i], &in[i]);
    mock_effect(console, MOCK_CALLS_SYSTEM, number, 0, in[0], "");
    mock_pass(console, CALL_NANOSECONDS);
    out[0] = call(console, number, in, out);
    for (int i = 0; i < 4; i++)
        uc_reg_write(console->cpu, names[i], &out[i]);
    const uint32_t garbage = 0xDEAD000C;
    uc_reg_write(console->cpu, UC_ARM_REG_R12, &garbage);
}
