#include "harness/run/plug_in.h"

#include <stdbool.h>
#include <string.h>

enum {
    FIRST_ABI = 2, /* the oldest that is loaded */
    FIRST_SIZED_ABI = 3
};

static const struct pica_models everything = {
    .size = sizeof everything,
    .parts = PICA_PARTS_ALL,
    .budgets = (uint32_t)PICA_BUDGETS_ALL & ~(uint32_t)PICA_BUDGET_WORK, /* which is younger */
    .float24 = 1,
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void harness_declaration_take(struct harness_declaration *out, const struct pica_models *models)
{
    memset(out, 0, sizeof *out);
    out->models.parts = PICA_PART_MEMORY;
    if (models != NULL)
        memcpy(&out->models, models, smaller(models->size, sizeof out->models));
    struct pica_models *const own = &out->models;
    own->size = sizeof *own;
    own->parts &= PICA_PARTS_ALL;
    own->budgets &= PICA_BUDGETS_ALL;
    own->registers_not_kept_count = (uint32_t)smaller(own->registers_not_kept_count, PICA_REGISTERS);
    own->engine_registers_count = (uint32_t)smaller(own->engine_registers_count, PICA_EXTERNAL_WORDS + 2);
    if (own->registers_not_kept != NULL) {
        memcpy(out->registers_not_kept, own->registers_not_kept,
               own->registers_not_kept_count * sizeof out->registers_not_kept[0]);
        own->registers_not_kept = out->registers_not_kept;
    }
    if (own->engine_registers != NULL) {
        memcpy(out->engine_registers, own->engine_registers,
               own->engine_registers_count * sizeof out->engine_registers[0]);
        own->engine_registers = out->engine_registers;
    }
}

/* What it declares must be there to be read. */
static const char *declaration_fault(const struct pica_backend *backend)
{
    const uint32_t parts = backend->models->parts;
    const uint32_t elsewhere = (uint32_t)PICA_PART_MEMORY | (uint32_t)PICA_PART_EVENTS | (uint32_t)PICA_PART_SCREENS;
    const uint32_t of_state = (uint32_t)PICA_PARTS_ALL & ~elsewhere;
    if ((parts & of_state) != 0 && backend->read_state == NULL)
        return "it declares parts of the state (member models), and has no read_state to give them";
    if ((parts & PICA_PART_EVENTS) != 0 && backend->read_events == NULL)
        return "it declares events (member models), and has no read_events to give them";
    return NULL;
}

static const char *fault_of(const struct pica_backend *backend)
{
    if (backend->name == NULL || backend->summary == NULL)
        return "it has no name or summary";
    if (backend->create == NULL || backend->destroy == NULL || backend->load == NULL || backend->run == NULL ||
        backend->read_memory == NULL)
        return "it lacks one of create, destroy, load, run, read_memory";
    return declaration_fault(backend);
}

const char *harness_plug_in_take(struct harness_plug_in *out, const struct pica_backend *offered)
{
    if (offered == NULL)
        return "pica_backend_entry returned NULL";
    if (offered->abi < FIRST_ABI || offered->abi > PICA_BACKEND_ABI)
        return "it was built for another version of pica/backend.h (member abi)";
    const bool is_sized = offered->abi >= FIRST_SIZED_ABI;
    if (is_sized && offered->size <= offsetof(struct pica_backend, size))
        return "it does not say how large its struct is (member size)";
    memset(out, 0, sizeof *out);
    memcpy(&out->backend, offered,
           is_sized ? smaller(offered->size, sizeof out->backend) : offsetof(struct pica_backend, size));
    harness_declaration_take(&out->declaration, is_sized ? out->backend.models : &everything);
    out->backend.abi = PICA_BACKEND_ABI;
    out->backend.size = sizeof out->backend;
    out->backend.models = &out->declaration.models;
    return fault_of(&out->backend);
}
