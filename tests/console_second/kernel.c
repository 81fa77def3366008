/* System calls (CON-22): numbers in r0.. and results in r0.., as the kernel has them, not as libctru's functions do. */
#include "tests/console_second/parts.h"

#include <stdlib.h>
#include <string.h>

#define NO_TIME_LIMIT UINT64_MAX

static void answer(struct second_machine *m, uint32_t result)
{
    second_set_register(m, UC_ARM_REG_R0, result);
}

static void answer_with(struct second_machine *m, uint32_t r1, uint32_t r2)
{
    answer(m, 0);
    second_set_register(m, UC_ARM_REG_R1, r1);
    second_set_register(m, UC_ARM_REG_R2, r2);
}

static void answer_handle(struct second_machine *m, struct object *object)
{
    if (object != NULL)
        answer_with(m, second_handle(m, object), 0);
}

/* ---------------------------------------------------------------------------------------------------- memory */

/* libctru asks for all linear memory at once, before anything else, and cuts its blocks from that. */
static void linear_memory(struct second_machine *m, uint32_t bytes)
{
    if (!second_must(m, m->linear == NULL, "a second block of linear memory: a standard program takes one") ||
        !second_must(m, bytes <= 0x04000000 - m->options.linear, "r3, size: 0x%X, more than there is", bytes))
        return;
    second_remark(m, !m->registered, "linear memory is taken after srv: was used: libctru takes it first of all");
    second_remark(m, bytes <= 0x02000000, "linear memory of 0x%X bytes: libctru takes at most 32 MiB", bytes);
    m->linear = second_map(m, "linear memory", LINEAR_VIRTUAL + m->options.linear, bytes, READABLE | WRITABLE);
    m->synced = calloc(1, bytes);
    m->linear_bytes = bytes;
    if (m->synced == NULL)
        second_finish(m, SECOND_TROUBLE, "no memory");
    second_gpu_again(m);
    answer_with(m, LINEAR_VIRTUAL + m->options.linear, 0);
}

static void heap_memory(struct second_machine *m, uint32_t address, uint32_t bytes)
{
    if (second_must(m, address == 0x08000000 && m->heap_bytes == 0 && bytes <= 0x04000000,
                    "heap at 0x%08X, 0x%X bytes: libctru takes it once, at 0x08000000", address, bytes) &&
        second_map(m, "heap", address, bytes, READABLE | WRITABLE) != NULL) {
        m->heap_bytes = bytes;
        answer_with(m, address, 0);
    }
}

static void control_memory(struct second_machine *m)
{
    const uint32_t *const r = m->parameter;
    if (!second_must(m, r[3] != 0 && r[3] % PAGE == 0, "r3, size: 0x%X, no multiple of a page", r[3]) ||
        !second_must(m, r[2] == 0, "r2, second address: 0x%X, wanted 0", r[2]) ||
        !second_must(m, r[4] == (READABLE | WRITABLE), "r4, permissions: 0x%X, wanted 3", r[4]))
        return;
    if (r[0] == 0x10003 && second_must(m, r[1] == 0, "r1, address: 0x%X, wanted 0", r[1]))
        linear_memory(m, r[3]);
    else if (r[0] == 3)
        heap_memory(m, r[1], r[3]);
    else
        second_must(m, false, "r0, operation: 0x%X, wanted 3 or 0x10003", r[0]);
}

static void query_memory(struct second_machine *m)
{
    uint32_t first = 0, end = UINT32_C(0x40000000), address = m->parameter[2], permissions = 0, state = 0;
    for (size_t i = 0; i < m->region_count; i++) {
        const struct region *const region = &m->regions[i];
        if (address >= region->address && address - region->address < region->bytes) {
            first = region->address;
            end = region->address + region->bytes;
            permissions = region->permissions;
            state = 5; /* private */
            break;
        }
        if (region->address > address && region->address < end)
            end = region->address;
        if (region->address + region->bytes <= address && region->address + region->bytes > first)
            first = region->address + region->bytes;
    }
    answer_with(m, first, end - first);
    second_set_register(m, UC_ARM_REG_R3, permissions);
    second_set_register(m, UC_ARM_REG_R4, state);
    second_set_register(m, UC_ARM_REG_R5, 0);
}

static void map_block(struct second_machine *m)
{
    const uint32_t *const r = m->parameter;
    struct object *const block = second_named(m, r[0], KIND_BLOCK);
    if (block == NULL ||
        !second_must(m, r[1] >= 0x10000000 && r[1] < 0x14000000 && r[1] % PAGE == 0,
                     "r1, address: 0x%08X, wanted a page of 0x10000000-0x13FFFFFF", r[1]) ||
        !second_must(m, r[2] == block->block_permissions && r[3] == 0x10000000,
                     "r2, r3, permissions of %s: 0x%X, 0x%X, wanted %u, 0x10000000", block->name, r[2], r[3],
                     block->block_permissions) ||
        !second_must(m, block->mapped_at == 0, "%s is mapped already", block->name) ||
        !second_map_bytes(m, block->name, r[1], PAGE, r[2], block->bytes))
        return;
    block->mapped_at = r[1];
    block->references++;
    answer(m, 0);
}

static void unmap_block(struct second_machine *m)
{
    const uint32_t *const r = m->parameter;
    struct object *const block = second_named(m, r[0], KIND_BLOCK);
    if (block == NULL || !second_must(m, block->mapped_at != 0 && block->mapped_at == r[1],
                                      "r1, address: 0x%08X, where %s is not mapped", r[1], block->name))
        return;
    second_unmap(m, block->mapped_at);
    block->mapped_at = 0;
    second_release(block);
    answer(m, 0);
}

/* --------------------------------------------------------------------------------------------- events, time */

static void create_event(struct second_machine *m)
{
    if (!second_must(m, m->parameter[1] <= 1, "r1, reset type: %u, wanted 0 or 1", m->parameter[1]))
        return;
    struct object *const event = second_object(m, KIND_EVENT, "an event");
    if (event != NULL)
        event->sticky = m->parameter[1] == 1;
    answer_handle(m, event);
}

static void release_mutex(struct second_machine *m)
{
    struct object *const mutex = second_named(m, m->parameter[0], KIND_MUTEX);
    if (mutex != NULL && second_must(m, !mutex->signaled, "%s is released, but not held", mutex->name)) {
        mutex->signaled = true;
        answer(m, 0);
    }
}

static void set_event(struct second_machine *m, bool signaled)
{
    struct object *const event = second_named(m, m->parameter[0], KIND_EVENT);
    if (event != NULL) {
        event->signaled = signaled;
        answer(m, 0);
    }
}

/* 268111856 ticks a second; 64 bits suffice for 18 s a step, so whole seconds go by themselves. */
static uint64_t ticks_of(int64_t nanoseconds)
{
    const uint64_t ns = (uint64_t)nanoseconds;
    return ns / 1000000000u * TICKS_A_SECOND + ns % 1000000000u * TICKS_A_SECOND / 1000000000u;
}

/* When a wait of so many ns ends: -1, and any negative number, is never. */
static uint64_t deadline(const struct second_machine *m, uint32_t low, uint32_t high)
{
    const int64_t nanoseconds = (int64_t)((uint64_t)high << 32 | low);
    return nanoseconds < 0 || nanoseconds > INT64_C(3600000000000) ? NO_TIME_LIMIT : m->ticks + ticks_of(nanoseconds);
}

static bool take(struct object *object)
{
    if (!object->signaled)
        return false;
    if (object->kind == KIND_MUTEX || !object->sticky)
        object->signaled = false;
    return true;
}

static void wait_one(struct second_machine *m)
{
    struct object *const object = second_named(m, m->parameter[0], KIND_NONE);
    if (object == NULL || !second_must(m, object->kind == KIND_EVENT || object->kind == KIND_MUTEX,
                                       "a wait for %s, which is neither event nor mutex", object->name))
        return;
    const uint64_t until = deadline(m, m->parameter[2], m->parameter[3]);
    while (!take(object) && !m->ended) {
        if (m->ticks >= until) {
            answer(m, TIMED_OUT);
            return;
        }
        const uint64_t due = second_next_due(m), next = due < until ? due : until;
        if (second_must(m, next != NO_TIME_LIMIT, "a wait for %s, which never comes: nothing is under way",
                        object->name))
            second_advance(m, next);
    }
    answer(m, 0);
}

static void sleep_thread(struct second_machine *m)
{
    const uint64_t until = deadline(m, m->parameter[0], m->parameter[1]);
    if (second_must(m, until != NO_TIME_LIMIT, "r0:r1: sleeps for ever"))
        second_advance(m, until);
    answer(m, 0);
}

static void system_tick(struct second_machine *m)
{
    answer(m, (uint32_t)m->ticks);
    second_set_register(m, UC_ARM_REG_R1, (uint32_t)(m->ticks >> 32));
}

/* ------------------------------------------------------------------------------------------------ everything else */

static void system_info(struct second_machine *m)
{
    const uint32_t type = m->parameter[1], which = m->parameter[2];
    if (second_must(m, type == 0x10000 && which == 0, "r1, r2: type 0x%X, parameter %u; wanted 0x10000, 0 (Luma)", type,
                    which))
        answer_with(m, UINT32_C(0x0D040000), 0); /* 13.4 */
}

/* Type 20: what is added to a linear address to make it physical. */
static void process_info(struct second_machine *m)
{
    if (second_must(m, m->parameter[1] == CURRENT_PROCESS && m->parameter[2] == 20,
                    "r1, r2: process 0x%X, type %u; wanted 0xFFFF8001, 20", m->parameter[1], m->parameter[2]))
        answer_with(m, FCRAM_PHYSICAL - LINEAR_VIRTUAL, 0);
}

static void resource_limit(struct second_machine *m)
{
    if (second_must(m, m->parameter[1] == CURRENT_PROCESS, "r1, process: 0x%X", m->parameter[1]))
        answer_handle(m, second_object(m, KIND_LIMITS, "resource limits"));
}

/* r0 -> 64-bit values, r1 handle, r2 -> names, r3 count. Name 1 is memory. */
static void limit_values(struct second_machine *m, bool used)
{
    const uint32_t *const r = m->parameter;
    uint8_t *const values = r[3] <= 16 ? second_at(m, r[0], 8 * r[3], READABLE | WRITABLE) : NULL;
    const uint8_t *const names = r[3] <= 16 ? second_at(m, r[2], 4 * r[3], READABLE) : NULL;
    if (second_named(m, r[1], KIND_LIMITS) == NULL ||
        !second_must(m, values != NULL && names != NULL, "r0, r2, r3: values or names cannot be reached"))
        return;
    for (uint32_t i = 0; i < r[3]; i++) {
        if (!second_must(m, get32(names + 4 * i) == 1, "name %u: wanted 1, memory", get32(names + 4 * i)))
            return;
        put32(values + 8 * i, used ? m->heap_bytes + m->linear_bytes : UINT32_C(0x04000000));
        put32(values + 8 * i + 4, 0);
    }
    answer(m, 0);
}

static void connect_to_port(struct second_machine *m)
{
    const char *const name = (const char *)second_at(m, m->parameter[1], 5, READABLE);
    if (!second_must(m, name != NULL && strcmp(name, "srv:") == 0, "r1, name at 0x%08X: wanted \"srv:\"",
                     m->parameter[1]))
        return;
    struct object *const session = second_object(m, KIND_SESSION, "srv:");
    if (session != NULL)
        session->service = &second_srv;
    answer_handle(m, session);
}

static void send_request(struct second_machine *m)
{
    struct object *const session = second_named(m, m->parameter[0], KIND_SESSION);
    if (session != NULL && second_must(m, session->service != NULL, "%s is closed", session->name)) {
        second_send(m, session);
        answer(m, 0);
    }
}

static void debug_string(struct second_machine *m)
{
    const uint8_t *const text = second_at(m, m->parameter[0], m->parameter[1], READABLE);
    if (second_must(m, text != NULL, "r0, text at 0x%08X, %u bytes, cannot be read", m->parameter[0], m->parameter[1]))
        fprintf(stderr, "%.*s\n", (int)m->parameter[1], (const char *)text);
    answer(m, 0);
}

static void exit_process(struct second_machine *m)
{
    for (size_t i = 0; i < MOST_OBJECTS; i++)
        if (m->objects[i].kind == KIND_SESSION && m->objects[i].file != NULL)
            second_must(m, false, "the file %s is still open", m->objects[i].name);
    second_gsp_given_back(m);
    second_apt_at_exit(m);
    second_finish(m, SECOND_TIDY, "%s", "");
}

static const struct {
    uint8_t number;
    const char *name;
    void (*run)(struct second_machine *m);
} CALLS[] = {
    { 0x01, "ControlMemory", control_memory },    { 0x02, "QueryMemory", query_memory },
    { 0x03, "ExitProcess", exit_process },        { 0x0A, "SleepThread", sleep_thread },
    { 0x14, "ReleaseMutex", release_mutex },      { 0x17, "CreateEvent", create_event },
    { 0x1F, "MapMemoryBlock", map_block },        { 0x20, "UnmapMemoryBlock", unmap_block },
    { 0x24, "WaitSynchronization1", wait_one },   { 0x28, "GetSystemTick", system_tick },
    { 0x2A, "GetSystemInfo", system_info },       { 0x2B, "GetProcessInfo", process_info },
    { 0x2D, "ConnectToPort", connect_to_port },   { 0x32, "SendSyncRequest", send_request },
    { 0x38, "GetResourceLimit", resource_limit }, { 0x3D, "OutputDebugString", debug_string },
};

void second_call(struct second_machine *m, uint8_t number)
{
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
        if (CALLS[i].number == number) {
            m->call = CALLS[i].name;
            CALLS[i].run(m);
            return;
        }
    m->call = "system call";
    switch (number) {
    case 0x18: set_event(m, true); break;
    case 0x19: set_event(m, false); break;
    case 0x23:
        m->call = "CloseHandle";
        second_close(m, m->parameter[0]);
        answer(m, 0);
        break;
    case 0x39: limit_values(m, false); break;
    case 0x3A: limit_values(m, true); break;
    case 0x3C: second_finish(m, SECOND_CRASHED, "Break, r0, reason: %u", m->parameter[0]); break;
    default: second_must(m, false, "0x%02X: none that a standard program makes", number);
    }
}
