/*
 * The reference as a plug-in that models less than it. The environment variable PICAFUZZ_PARTIAL says what:
 *
 *   five       the five required functions, no declaration
 *   registers  memory and internal registers, but not VIEWPORT_WIDTH; all else of the state is garbage
 *   engines    memory and FILL0_START alone of the engine registers; all else of the state is garbage
 *   broken     like registers, and one register that it declares is wrong
 *   endless    memory; stops at no budget of commands
 *   restless   memory, which is there only after `finish`
 *   chatty     like five, and prints on stdout
 *   deaf       like five, and does nothing of what it is told
 *   growing    like five, and each load takes memory that it never gives back
 *   gasless    memory and tables, but not that of gas; all else of the state is garbage
 *   forgetful  like registers, and shows those without a meaning as a reset leaves them
 *   brittle    like five, and crashes in draws with the logic operation XOR
 *   constant   like registers, and shows those of a reset whatever was written
 *   sleepless  like five, and ends at no command although it declares that budget
 *   picky      takes no case with an initial state
 *   old        knows no options: with a flag it is not created
 *   seven      created with a capacity of 7, and with no other
 *   abi2       a struct of ABI 2, byte for byte
 *   abi1, unsized, short, liar, mute   structs that a loader must look at closely
 */
#include "pica/backend.h"
#include "pica/regs.h"
#include "pica/state.h"
#include "reference/reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const char *name)
{
    const char *const word = getenv("PICAFUZZ_PARTIAL");
    return word != NULL && strcmp(word, name) == 0;
}

/* Of the one instance. */
static bool finished = true;

enum {
    GROWTH = 1 << 14
};

/* Takes it for ever, each page of it. */
static void keep(char *memory)
{
    static char *volatile last;
    if (memory != NULL)
        memset(memory, 1, GROWTH);
    last = memory;
    (void)last;
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    const bool limited = (options->flags & PICA_OPTION_CAPACITY) != 0;
    if (is("old") && options->flags != 0)
        return PICA_NOT_SUPPORTED;
    if (is("seven") && (!limited || options->capacity != 7))
        return PICA_FAILED;
    return ref_backend()->create(options, instance);
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    struct pica_setup own = *setup;
    finished = true;
    if (is("picky") && setup->initial_state != NULL)
        return PICA_NOT_SUPPORTED;
    if (is("endless") || is("sleepless"))
        own.limits.commands = 0x10000000;
    if (is("growing"))
        keep(malloc(GROWTH));
    return ref_backend()->load(instance, &own);
}

/* Has its list, which has run, asked for that? */
static bool draws_by_xor(void *instance)
{
    struct pica_state *const state = malloc(sizeof *state);
    const bool known = state != NULL && ref_backend()->read_state(instance, state) == PICA_OK;
    const bool found = known && pica_logic_op_operation(state->registers[PICA_REG_LOGIC_OP]) == PICA_LOGIC_OP_XOR;
    free(state);
    return found;
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    finished = false;
    if (is("brittle")) {
        const enum pica_status status = ref_backend()->run(instance, operation);
        if (draws_by_xor(instance))
            abort();
        return status;
    }
    if (is("chatty"))
        printf("chatty was here\n");
    if (is("deaf") && operation->kind != PICA_OPERATION_LOAD_MEMORY)
        return PICA_OK;
    return ref_backend()->run(instance, operation);
}

static enum pica_status finish(void *instance)
{
    (void)instance;
    finished = true;
    return PICA_OK;
}

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    memset(out, 0, size);
    return is("restless") && !finished ? PICA_OK : ref_backend()->read_memory(instance, address, out, size);
}

static void reset(uint32_t *registers, bool only_unused)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        if (!only_unused || pica_reg_info(id)->reg_class == PICA_REG_CLASS_STORAGE)
            registers[id] = pica_reg_info(id)->reset;
}

/* Garbage, but for what is declared. */
static enum pica_status read_state(void *instance, struct pica_state *out)
{
    struct pica_state *const state = malloc(sizeof *state);
    const enum pica_status status = state != NULL ? ref_backend()->read_state(instance, state) : PICA_NO_MEMORY;
    if (status == PICA_OK) {
        memset(out, 0xAA, sizeof *out);
        memcpy(out->registers, state->registers, sizeof out->registers);
        out->tables = state->tables;
        memset(out->tables.gas, 0xAA, sizeof out->tables.gas);
        out->registers[PICA_REG_VIEWPORT_WIDTH] = 0xAAAAAAAA;
        out->external[4] = state->external[4];
        if (is("constant") || is("forgetful"))
            reset(out->registers, is("forgetful"));
        out->registers[PICA_REG_VIEWPORT_HEIGHT] ^= is("broken") ? 2u : 0u;
    }
    free(state);
    return status;
}

static const uint16_t not_kept[] = { PICA_REG_VIEWPORT_WIDTH };
static const uint32_t kept_engines[] = { 0x10400010 };

static void declare(struct pica_models *models)
{
    *models = (struct pica_models){ .size = sizeof *models, .parts = PICA_PART_MEMORY, .budgets = PICA_BUDGETS_ALL };
    if (is("registers") || is("broken") || is("liar") || is("constant") || is("forgetful")) {
        models->parts |= (uint32_t)PICA_PART_REGISTERS;
        models->registers_not_kept = not_kept;
        models->registers_not_kept_count = 1;
    }
    if (is("gasless")) {
        models->parts |= (uint32_t)PICA_PART_TABLES;
        models->state_not_kept = UINT64_C(1) << PICA_STATE_TABLES_GAS;
    }
    if (is("engines")) {
        models->parts |= (uint32_t)PICA_PART_ENGINES;
        models->engine_registers = kept_engines;
        models->engine_registers_count = 1;
    }
    if (is("mute"))
        models->parts |= (uint32_t)PICA_PART_EVENTS;
    if (is("endless"))
        models->budgets &= ~(uint32_t)PICA_BUDGET_COMMANDS;
}

/* What a header of ABI 2 made of it: nothing comes after the last function. */
static const struct pica_backend *abi_2(void)
{
    struct abi_2 {
        uint32_t abi;
        const char *name, *summary;
        void (*functions[16])(void);
    };
    _Static_assert(sizeof(struct abi_2) == offsetof(struct pica_backend, size), "ABI 2 is the first part of ABI 3");
    static struct abi_2 *bytes;
    if (bytes == NULL)
        bytes = malloc(sizeof *bytes);
    if (bytes == NULL)
        return NULL;
    memcpy(bytes, ref_backend(), sizeof *bytes);
    bytes->abi = 2;
    return (const struct pica_backend *)(const void *)bytes;
}

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void);

const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend backend;
    static struct pica_models models;
    if (is("abi2"))
        return abi_2();
    declare(&models);
    backend = (struct pica_backend){
        .abi = is("abi1") ? 1 : PICA_BACKEND_ABI,
        .name = "partial",
        .summary = "a part of the reference, for tests",
        .create = create,
        .destroy = ref_backend()->destroy,
        .load = load,
        .run = run,
        .read_memory = read_memory,
        .read_state = is("five") || is("brittle") || is("chatty") || is("liar") ? NULL : read_state,
        .size = is("unsized") ? 0 : sizeof backend,
        .models = is("five") || is("brittle") || is("chatty") ? NULL : &models,
        .finish = is("restless") ? finish : NULL,
    };
    if (is("short")) /* made with the first header of ABI 3 that had no models yet */
        backend.size = offsetof(struct pica_backend, models);
    return &backend;
}
