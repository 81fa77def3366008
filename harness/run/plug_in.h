/*
 * What a shared library offers: its backend, of any ABI version that is still supported, converted to this version,
 * with a copy of its declaration (struct pica_models).
 */
#ifndef HARNESS_RUN_PLUG_IN_H
#define HARNESS_RUN_PLUG_IN_H

#include "pica/backend.h"

/* The lists of `models` are those below. Copied by harness_declaration_take alone. */
struct harness_declaration {
    struct pica_models models;
    uint16_t registers_not_kept[PICA_REGISTERS];
    uint32_t engine_registers[PICA_EXTERNAL_WORDS + 2];
};

/* NULL: memory, and nothing else. Lists that are too long are cut, unknown bits dropped. */
void harness_declaration_take(struct harness_declaration *out, const struct pica_models *models);

struct harness_plug_in {
    struct pica_backend backend; /* its `models` are those of `declaration` */
    struct harness_declaration declaration;
};

/* What pica_backend_entry returned. NULL if it can be used, else what is wrong with it: static text. */
const char *harness_plug_in_take(struct harness_plug_in *out, const struct pica_backend *offered);

#endif
