/*
 * The reference with one planted fault, as a plug-in. The environment variable PICAFUZZ_FAULT says which: "pixel" (each
 * submitted list also flips a bit of VRAM's first byte), "crash", "hang".
 */
#include "pica/backend.h"
#include "reference/reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool fault_is(const char *name)
{
    const char *const fault = getenv("PICAFUZZ_FAULT");
    return fault != NULL && strcmp(fault, name) == 0;
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    const enum pica_status status = ref_backend()->run(instance, operation);
    if (operation->kind != PICA_OPERATION_SUBMIT_LIST || status != PICA_OK)
        return status;
    if (fault_is("crash"))
        abort();
    while (fault_is("hang")) {
    }
    uint8_t byte = 0;
    if (fault_is("pixel") && ref_backend()->read_memory(instance, 0x18000000u, &byte, 1) == PICA_OK) {
        byte ^= 0x10u;
        const struct pica_operation load = {
            .kind = PICA_OPERATION_LOAD_MEMORY, .address = 0x18000000u, .size = 1, .data = &byte
        };
        return ref_backend()->run(instance, &load);
    }
    return PICA_OK;
}

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void);

const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend backend;
    backend = *ref_backend();
    backend.name = "broken";
    backend.summary = "the reference with a planted fault, for tests";
    backend.run = run;
    return &backend;
}
