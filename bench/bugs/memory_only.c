/*
 * An adapter that hides what a backend can do beyond the least: the five functions that every plug-in has, and memory
 * as the only thing that it models. No state, no budgets, no draws, no trace. The library that it hides is named by
 * the environment variable PICAFUZZ_ADAPTED.
 */
#include "pica/backend.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void);

const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend least;
    const char *const path = getenv("PICAFUZZ_ADAPTED");
    void *const library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *const symbol = library != NULL ? dlsym(library, "pica_backend_entry") : NULL;
    pica_backend_entry_function entry;
    if (symbol == NULL)
        return NULL;
    memcpy(&entry, &symbol, sizeof entry);
    const struct pica_backend *const whole = entry();
    least = (struct pica_backend){
        .abi = PICA_BACKEND_ABI,
        .name = whole->name,
        .summary = "a backend with one planted bug that shows nothing but memory",
        .create = whole->create,
        .destroy = whole->destroy,
        .load = whole->load,
        .run = whole->run,
        .read_memory = whole->read_memory,
        .size = sizeof least,
    };
    return &least;
}
