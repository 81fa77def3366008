#include "tests/console_second/machine.h"

#include "tests/console_second/parts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICKS_A_CALL = 2000, /* of a system call: no source, about 7 us */
    INTERRUPT_SVC = 2    /* as libunicorn numbers them */
};

uint32_t second_register(struct second_machine *m, int which)
{
    uint32_t value = 0;
    uc_reg_read(m->processor, which, &value);
    return value;
}

void second_set_register(struct second_machine *m, int which, uint32_t value)
{
    uc_reg_write(m->processor, which, &value);
}

static void end_run(struct second_machine *m, enum second_end end, const char *format, va_list arguments)
{
    if (m->ended)
        return;
    m->ended = true;
    m->end = end;
    char what[640];
    vsnprintf(what, sizeof what, format, arguments);
    if (end != SECOND_TIDY)
        snprintf(m->text, sizeof m->text, "%s%s%s (program counter 0x%08X, %.6f s)", m->call != NULL ? m->call : "",
                 m->call != NULL ? ": " : "", what, second_register(m, UC_ARM_REG_PC),
                 (double)m->ticks / TICKS_A_SECOND);
    uc_emu_stop(m->processor);
}

void second_finish(struct second_machine *m, enum second_end end, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    end_run(m, end, format, arguments);
    va_end(arguments);
}

bool second_must(struct second_machine *m, bool holds, const char *format, ...)
{
    if (holds)
        return true;
    va_list arguments;
    va_start(arguments, format);
    end_run(m, SECOND_REFUSED, format, arguments);
    va_end(arguments);
    return false;
}

void second_remark(struct second_machine *m, bool holds, const char *format, ...)
{
    if (holds)
        return;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const size_t used = strlen(m->remarks);
    if (strstr(m->remarks, line) == NULL && used + strlen(line) + 2 < sizeof m->remarks)
        sprintf(m->remarks + used, "%s\n", line);
}

const char *second_message(const struct second_machine *m)
{
    return m->text;
}

const char *second_remarks(const struct second_machine *m)
{
    return m->remarks;
}

uint32_t second_lists(const struct second_machine *m)
{
    return m->gsp.lists;
}

uint64_t second_next_due(const struct second_machine *m)
{
    uint64_t due = m->applet.wakes_at < m->applet.tells_at ? m->applet.wakes_at : m->applet.tells_at;
    if (m->gsp.registered && m->gsp.next_blank < due)
        due = m->gsp.next_blank;
    if (m->gsp.busy && !m->gsp.hung && m->gsp.done_at < due)
        due = m->gsp.done_at;
    return due;
}

void second_advance(struct second_machine *m, uint64_t ticks)
{
    while (!m->ended) {
        const uint64_t due = second_next_due(m);
        if (due > ticks)
            break;
        if (due > m->ticks)
            m->ticks = due;
        second_apt_due(m);
        second_gsp_due(m);
    }
    if (ticks > m->ticks)
        m->ticks = ticks;
    const uint64_t seconds = m->options.seconds != 0 ? m->options.seconds : 600;
    if (m->ticks / TICKS_A_SECOND >= seconds)
        second_finish(m, SECOND_TOO_LONG, "the program ran for %u virtual seconds", (unsigned)seconds);
}

/* An instruction is a tick, whatever it does. */
static void on_block(uc_engine *processor, uint64_t address, uint32_t size, void *user)
{
    (void)processor;
    (void)address;
    struct second_machine *const m = user;
    second_advance(m, m->ticks + size / 4);
}

/* Kernel_ABI: what a call does not return is lost: r0-r3, r12. Here it is, so that nobody relies on it. */
static void on_interrupt(uc_engine *processor, uint32_t number, void *user)
{
    struct second_machine *const m = user;
    const uint32_t after = second_register(m, UC_ARM_REG_PC);
    uint8_t word[4];
    if (number != INTERRUPT_SVC || uc_mem_read(processor, after - 4, word, sizeof word) != UC_ERR_OK ||
        (get32(word) & 0x0F000000u) != 0x0F000000u) {
        second_finish(m, SECOND_CRASHED, "the processor stopped with exception %u", number);
        return;
    }
    static const int REGISTERS[] = { UC_ARM_REG_R0, UC_ARM_REG_R1, UC_ARM_REG_R2,
                                     UC_ARM_REG_R3, UC_ARM_REG_R4, UC_ARM_REG_R5 };
    for (size_t i = 0; i < sizeof REGISTERS / sizeof *REGISTERS; i++)
        m->parameter[i] = second_register(m, REGISTERS[i]);
    for (int i = 0; i < 4; i++)
        second_set_register(m, REGISTERS[i], UINT32_C(0xDEAD0000) + (uint32_t)i);
    second_set_register(m, UC_ARM_REG_R12, UINT32_C(0xDEAD000C));
    second_advance(m, m->ticks + TICKS_A_CALL);
    if (m->ended)
        return;
    second_call(m, (uint8_t)(get32(word) & 0xFFu));
    if (m->options.trace)
        fprintf(stderr, "%12.6f %s -> 0x%08X\n", (double)m->ticks / TICKS_A_SECOND, m->call,
                second_register(m, UC_ARM_REG_R0));
    if (!m->ended)
        m->call = NULL;
}

static bool on_bad_access(uc_engine *processor, uc_mem_type type, uint64_t address, int size, int64_t value, void *user)
{
    (void)processor;
    (void)value;
    const bool writes = type == UC_MEM_WRITE_UNMAPPED || type == UC_MEM_WRITE_PROT;
    const bool fetches = type == UC_MEM_FETCH_UNMAPPED || type == UC_MEM_FETCH_PROT;
    second_finish(user, SECOND_CRASHED, "the program %s %d bytes at 0x%08X, where it may not",
                  writes ? "writes" : (fetches ? "executes" : "reads"), size, (unsigned)address);
    return false;
}

/* libunicorn names the instruction of a plain store, but for STREX the last one that reached memory before it. So:
 * which is the first that stores, from there on? */
static bool is_exclusive(struct second_machine *m)
{
    const uint32_t from = second_register(m, UC_ARM_REG_PC);
    for (uint32_t i = 0; i < 16; i++) {
        uint8_t bytes[4];
        if (uc_mem_read(m->processor, from + 4 * i, bytes, sizeof bytes) != UC_ERR_OK)
            return false;
        const uint32_t word = get32(bytes);
        const bool single = (word & 0x0C100000u) == 0x04000000u, several = (word & 0x0E100000u) == 0x08000000u;
        const bool half = (word & 0x0E100090u) == 0x00000090u && (word & 0x60u) != 0;
        if ((word & 0x0FF00FF0u) == 0x01800F90u)
            return true;
        if (single || several || half)
            return false;
    }
    return false;
}

static void on_store(uc_engine *processor, uc_mem_type type, uint64_t address, int size, int64_t value, void *user)
{
    (void)processor;
    (void)type;
    struct second_machine *const m = user;
    const struct object *const block = m->gsp.block;
    if (block != NULL && block->mapped_at != 0 && address >= block->mapped_at && address < block->mapped_at + PAGE)
        second_gsp_stores(m, (uint32_t)address - block->mapped_at, (uint32_t)size, (uint32_t)value, is_exclusive(m));
}

static bool add_hooks(struct second_machine *m)
{
    /* libunicorn takes every kind of function as void *. */
    union {
        void (*interrupt)(uc_engine *, uint32_t, void *);
        void (*block)(uc_engine *, uint64_t, uint32_t, void *);
        bool (*access)(uc_engine *, uc_mem_type, uint64_t, int, int64_t, void *);
        void (*store)(uc_engine *, uc_mem_type, uint64_t, int, int64_t, void *);
        void *any;
    } interrupt = { .interrupt = on_interrupt }, block = { .block = on_block }, access = { .access = on_bad_access },
      store = { .store = on_store };
    uc_hook hook;
    return uc_hook_add(m->processor, &hook, UC_HOOK_INTR, interrupt.any, m, 1, 0) == UC_ERR_OK &&
           uc_hook_add(m->processor, &hook, UC_HOOK_BLOCK, block.any, m, 1, 0) == UC_ERR_OK &&
           uc_hook_add(m->processor, &hook, UC_HOOK_MEM_INVALID, access.any, m, 1, 0) == UC_ERR_OK &&
           uc_hook_add(m->processor, &hook, UC_HOOK_MEM_WRITE, store.any, m, 0x10000000, 0x13FFFFFF) == UC_ERR_OK;
}

struct second_machine *second_create(const struct second_options *options)
{
    struct second_machine *const m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->options = *options;
    m->applet.wakes_at = m->applet.tells_at = UINT64_MAX;
    m->gsp.black = true;
    if (uc_open(UC_ARCH_ARM, UC_MODE_ARM, &m->processor) != UC_ERR_OK ||
        uc_ctl_set_cpu_model(m->processor, UC_CPU_ARM_11MPCORE) != UC_ERR_OK || !add_hooks(m)) {
        second_destroy(m);
        return NULL;
    }
    return m;
}

void second_destroy(struct second_machine *m)
{
    if (m == NULL)
        return;
    if (m->processor != NULL)
        uc_close(m->processor);
    for (size_t i = 0; i < m->region_count; i++)
        if (m->regions[i].owned)
            free(m->regions[i].host);
    for (size_t i = 0; i < MOST_OBJECTS; i++) {
        if (m->objects[i].file != NULL)
            fclose(m->objects[i].file);
        free(m->objects[i].bytes);
    }
    second_gpu_destroy(m);
    free(m->synced);
    free(m->guest_vram);
    free(m);
}

/* What a process has before its first instruction: section 2 of the fact sheet. The launcher's stack: 4096 bytes. */
static bool make_process(struct second_machine *m)
{
    uint8_t *const stack = second_map(m, "stack", 0x0FFFF000, PAGE, READABLE | WRITABLE);
    uint8_t *const settings = second_map(m, "configuration memory", 0x1FF80000, PAGE, READABLE);
    uint8_t *const shared = second_map(m, "shared page", 0x1FF81000, PAGE, READABLE);
    uint8_t *const threads = second_map(m, "thread-local storage", 0x1FF82000, PAGE, READABLE | WRITABLE);
    m->vram = second_map(m, "VRAM", VRAM_VIRTUAL, VRAM_BYTES, READABLE);
    if (stack == NULL || settings == NULL || shared == NULL || threads == NULL || m->vram == NULL)
        return false;
    memset(stack, 0x5A, PAGE);
    memset(threads, 0xA5, PAGE);
    m->tls = threads + 0x200;
    put32(settings, UINT32_C(0x023A0000));        /* kernel 2.58 */
    put32(settings + 0x60, UINT32_C(0x023A0000)); /* firmware 2.58 */
    put32(settings + 0x40, UINT32_C(0x04000000)); /* bytes of APPLICATION */
    second_set_register(m, UC_ARM_REG_C13_C0_3, 0x1FF82200);
    second_set_register(m, UC_ARM_REG_CPSR, 0x10); /* user mode, ARM state */
    second_set_register(m, UC_ARM_REG_SP, 0x10000000);
    return true;
}

enum second_end second_run(struct second_machine *m)
{
    uint32_t entry = 0;
    if (make_process(m) && second_load(m, &entry)) {
        const uc_err error = uc_emu_start(m->processor, entry, UINT64_MAX, 0, 0);
        if (!m->ended)
            second_finish(m, SECOND_CRASHED, "the processor stopped: %s", uc_strerror(error));
    }
    if (!m->gsp.pictured || !m->gsp.black)
        second_screens(m);
    return m->end;
}
