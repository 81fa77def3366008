/*
 * `reference` as a plug-in that is wrong now and then. The environment variable PICAFUZZ_UNSTEADY says when: "always",
 * "garbage" (always, by bytes that it never wrote), "memory" (if bytes that it never wrote say so), "addresses" (malloc
 * gives memory elsewhere than in the first process), "threads" (in every second process that has more than one
 * processor), "clock" (in every second process), "leak" (after a case with a memory fill), "third" (from the third case
 * of a process on). The file PICAFUZZ_COUNTER is what processes know of each other.
 */
#include "pica/backend.h"
#include "reference/reference.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 4096
};

static uint32_t loads;
static bool saw_fill, sees_fill, is_wrong;

static uint8_t garbage = 1;

static bool fault_is(const char *fault)
{
    const char *const words = getenv("PICAFUZZ_UNSTEADY");
    return words != NULL && strcmp(words, fault) == 0;
}

static bool memory_is_wrong(void)
{
    volatile unsigned char *const bytes = malloc(BLOCK);
    const bool wrong = bytes != NULL && bytes[BLOCK / 2] != 0xAA;
    free((void *)bytes);
    return wrong;
}

/* Far from where it was in the first process that asked: the file says where that is. What a process allocated before
 * moves it a little. */
static bool address_is_wrong(void)
{
    enum {
        FAR = 0x20000
    };
    const char *const path = getenv("PICAFUZZ_COUNTER");
    void *const block = malloc(16);
    const uintptr_t now = (uintptr_t)block;
    unsigned long long first = now;
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    free(block);
    if (file != NULL && fscanf(file, "%llu", &first) != 1)
        first = now;
    if (file == NULL && path != NULL && (file = fopen(path, "w")) != NULL)
        (void)fprintf(file, "%llu", first);
    if (file != NULL)
        (void)fclose(file);
    return now - (uintptr_t)first + FAR > 2 * (uintptr_t)FAR;
}

static bool has_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 1;
}

/* Of the processes that counted so far, is this an odd one? */
static bool is_odd(void)
{
    static bool counted, odd;
    const char *const path = getenv("PICAFUZZ_COUNTER");
    FILE *const file = counted || path == NULL ? NULL : fopen(path, "a");
    counted = true;
    if (file == NULL)
        return odd;
    (void)fputc('.', file);
    odd = ftell(file) % 2 == 1;
    (void)fclose(file);
    return odd;
}

static void take_garbage(void)
{
    volatile unsigned char *const bytes = malloc(BLOCK);
    if (fault_is("garbage") && bytes != NULL)
        garbage = bytes[BLOCK / 2] | 1u;
    free((void *)bytes);
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    loads++;
    saw_fill = saw_fill || sees_fill;
    sees_fill = false;
    take_garbage();
    is_wrong = fault_is("always") || fault_is("garbage") || (fault_is("memory") && memory_is_wrong()) ||
               (fault_is("addresses") && address_is_wrong()) || (fault_is("clock") && is_odd()) ||
               (fault_is("threads") && has_processors() && is_odd()) || (fault_is("leak") && saw_fill) ||
               (fault_is("third") && loads >= 3);
    return ref_backend()->load(instance, setup);
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    sees_fill = sees_fill || operation->kind == PICA_OPERATION_MEMORY_FILL;
    return ref_backend()->run(instance, operation);
}

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    const enum pica_status status = ref_backend()->read_memory(instance, address, out, size);
    if (size != 0 && is_wrong)
        out[0] ^= garbage;
    return status;
}

const struct pica_backend *pica_backend_entry(void);

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend backend;
    static const struct pica_models models = {
        .size = sizeof models, .parts = PICA_PART_MEMORY, .budgets = PICA_BUDGETS_ALL, .float24 = 1
    };
    backend = (struct pica_backend){ .abi = PICA_BACKEND_ABI,
                                     .size = sizeof backend,
                                     .name = "unsteady",
                                     .summary = "wrong now and then",
                                     .create = ref_backend()->create,
                                     .destroy = ref_backend()->destroy,
                                     .load = load,
                                     .run = run,
                                     .read_memory = read_memory,
                                     .models = &models };
    return &backend;
}
