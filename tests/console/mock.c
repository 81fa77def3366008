/* The console as a whole: switched on, run from system call to system call, switched off; and its log. */
#include "tests/console/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STACK_BYTES = 4096, /* all that a loader gives */
    VRAM_BYTES = 0x00600000,
    MOST_BLOCKS = 200000000 /* between two system calls */
};

static const uint32_t STACK = 0x0FFFF000u;
static const uint64_t BLOCK_NANOSECONDS = 8;

/* -------------------------------------------------------------------------------------------------------------- log */

void mock_end(struct mock *console, enum mock_ending ending, const char *format, ...)
{
    if (console->over)
        return;
    console->over = true;
    console->result->ending = ending;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(console->result->reason, sizeof console->result->reason, format, arguments);
    va_end(arguments);
}

static struct mock_effect *append(struct mock *console)
{
    struct mock_result *result = console->result;
    if (result->effect_count == console->effect_capacity) {
        const size_t capacity = console->effect_capacity * 2 + 1024;
        struct mock_effect *effects = realloc(result->effects, capacity * sizeof *effects);
        if (effects == NULL) {
            mock_end(console, MOCK_NOT_STARTED, "no memory for the log");
            return NULL;
        }
        result->effects = effects;
        console->effect_capacity = capacity;
    }
    return &result->effects[result->effect_count++];
}

void mock_effect(struct mock *console, enum mock_effect_kind kind, uint32_t address, uint32_t size, uint32_t value,
                 const char *text)
{
    struct mock_effect *effect = append(console);
    if (effect == NULL)
        return;
    *effect = (struct mock_effect){ kind, address, size, value, "" };
    snprintf(effect->text, sizeof effect->text, "%s", text);
}

void mock_mistake(struct mock *console, const char *format, ...)
{
    char text[sizeof((struct mock_effect *)NULL)->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    console->result->mistakes++;
    mock_effect(console, MOCK_MISTAKE, 0, 0, 0, text);
}

const char *mock_first_mistake(const struct mock_result *result)
{
    for (size_t i = 0; i < result->effect_count; i++)
        if (result->effects[i].kind == MOCK_MISTAKE)
            return result->effects[i].text;
    return "none";
}

void mock_release(struct mock_result *result)
{
    free(result->effects);
    result->effects = NULL;
}

/* ---------------------------------------------------------------------------------------------------- the processor */

static void count_block(uc_engine *cpu, uint64_t address, uint32_t size, void *user)
{
    struct mock *console = user;
    (void)address;
    (void)size;
    if (++console->blocks > MOST_BLOCKS)
        uc_emu_stop(cpu);
}

static void stop_at_call(uc_engine *cpu, uint32_t number, void *user)
{
    (void)number;
    (void)user;
    uc_emu_stop(cpu);
}

/* A load or store that the memory map refuses: named, and the end. */
static bool refuse_access(uc_engine *cpu, uc_mem_type type, uint64_t address, int size, int64_t value, void *user)
{
    (void)cpu;
    struct mock *console = user;
    const bool writes = type == UC_MEM_WRITE_UNMAPPED || type == UC_MEM_WRITE_PROT;
    mock_mistake(console, "%s %08X, %d bytes (%llX)", writes ? "writes" : "reads or runs", (uint32_t)address, size,
                 (unsigned long long)value);
    mock_end(console, MOCK_FAULTED, "%s %08X", writes ? "writes" : "reads or runs", (uint32_t)address);
    return false;
}

static bool add_hooks(struct mock *console)
{
    uc_hook hook;
    return uc_hook_add(console->cpu, &hook, UC_HOOK_INTR, (void *)stop_at_call, console, 1, 0) == UC_ERR_OK &&
           uc_hook_add(console->cpu, &hook, UC_HOOK_BLOCK, (void *)count_block, console, 1, 0) == UC_ERR_OK &&
           uc_hook_add(console->cpu, &hook, UC_HOOK_MEM_INVALID, (void *)refuse_access, console, 1, 0) == UC_ERR_OK;
}

static uint32_t get(struct mock *console, int name)
{
    uint32_t value = 0;
    uc_reg_read(console->cpu, name, &value);
    return value;
}

static void set(struct mock *console, int name, uint32_t value)
{
    uc_reg_write(console->cpu, name, &value);
}

/* Runs up to the next system call; its number, or UINT32_MAX at an end. */
static uint32_t run_to_call(struct mock *console)
{
    const uint32_t from = get(console, UC_ARM_REG_PC);
    console->blocks = 0;
    const uc_err error = uc_emu_start(console->cpu, from, UINT64_MAX & ~1ull, 0, 0);
    const uint32_t at = get(console, UC_ARM_REG_PC);
    mock_pass(console, console->blocks * BLOCK_NANOSECONDS);
    if (console->blocks > MOST_BLOCKS)
        mock_end(console, MOCK_ENDLESS, "no system call for long, at %08X", at);
    else if (error != UC_ERR_OK)
        mock_end(console, MOCK_FAULTED, "at %08X: %s", at, uc_strerror(error));
    const uint8_t *call = mock_bytes(console, at - 4, 4);
    if (!console->over && (call == NULL || mock_word(call) >> 24 != 0xEF))
        mock_end(console, MOCK_FAULTED, "an exception at %08X", at);
    return console->over ? UINT32_MAX : mock_word(call) & 0xFF;
}

/* -------------------------------------------------------------------------------------------------------- switch on */

static bool map_system(struct mock *console)
{
    struct mock_region *vram = mock_map(console, MOCK_VRAM, VRAM_BYTES, UC_PROT_READ);
    struct mock_region *configuration = mock_map(console, MOCK_CONFIGURATION, 2 * MOCK_PAGE, UC_PROT_READ);
    const uint32_t rights = UC_PROT_READ | UC_PROT_WRITE;
    if (vram == NULL || configuration == NULL || mock_map(console, MOCK_TLS, MOCK_PAGE, rights) == NULL ||
        mock_map(console, STACK, STACK_BYTES, rights) == NULL)
        return false;
    vram->physical = 0x18000000;
    vram->clean = calloc(1, VRAM_BYTES);
    mock_put_word(configuration->bytes, 0x02390000);        /* kernel version */
    mock_put_word(configuration->bytes + 0x60, 0x02390000); /* firmware version */
    return vram->clean != NULL;
}

static bool prepare_shared_page(struct mock *console)
{
    const struct mock_faults *faults = &console->setup->faults;
    console->gsp.shared = calloc(1, MOCK_SHARED_BYTES);
    if (console->gsp.shared == NULL)
        return false;
    console->gsp.shared[0x40 * faults->client_index] = (uint8_t)(faults->queue_position % 0x34);
    console->gsp.shared[0x800 + 0x200 * faults->client_index] = (uint8_t)(faults->queue_position % 15);
    return true;
}

static bool switch_on(struct mock *console)
{
    const uint32_t base = console->setup->base != 0 ? console->setup->base : 0x00100000;
    char reason[128] = "";
    if (uc_open(UC_ARCH_ARM, UC_MODE_ARM, &console->cpu) != UC_ERR_OK ||
        uc_ctl_set_cpu_model(console->cpu, UC_CPU_ARM_11MPCORE) != UC_ERR_OK || !add_hooks(console) ||
        !map_system(console) || !prepare_shared_page(console) || mock_gpu_open(console) != PICA_OK) {
        mock_end(console, MOCK_NOT_STARTED, "the host cannot make a console");
        return false;
    }
    if (!mock_load_program(console, base, reason, sizeof reason)) {
        mock_end(console, MOCK_NOT_STARTED, "%s", reason);
        return false;
    }
    set(console, UC_ARM_REG_PC, base);
    set(console, UC_ARM_REG_SP, STACK + STACK_BYTES);
    set(console, UC_ARM_REG_C13_C0_3, MOCK_TLS);
    return true;
}

static void switch_off(struct mock *console)
{
    mock_close_all(console);
    bool shared_is_region = false;
    for (uint32_t i = 0; i < console->region_count; i++)
        shared_is_region = shared_is_region || console->regions[i].bytes == console->gsp.shared;
    if (!shared_is_region)
        free(console->gsp.shared);
    mock_gpu_close(console);
    if (console->cpu != NULL)
        uc_close(console->cpu);
    mock_unmap_all(console);
}

enum pica_status mock_run(const struct mock_setup *setup, struct mock_result *result)
{
    struct mock *console = calloc(1, sizeof *console);
    *result = (struct mock_result){ .ending = MOCK_NOT_STARTED };
    if (console == NULL)
        return PICA_NO_MEMORY;
    console->setup = setup;
    console->result = result;
    if (switch_on(console))
        while (!console->over) {
            const uint32_t number = run_to_call(console);
            if (!console->over)
                mock_system_call(console, number);
            mock_look_at_screens(console);
            if (number == MOCK_SLEEP_THREAD)
                mock_show(console);
        }
    result->nanoseconds = console->now;
    switch_off(console);
    free(console);
    return PICA_OK;
}
