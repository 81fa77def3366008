/* stages.def and inert.def as arrays. Nothing here can change at run time. */
#include "pica/stages.h"

#include "pica/backend.h"
#include "pica/enums.h"
#include "pica/features.h"

static const struct pica_stage_info stages[PICA_STAGE_TOTAL] = {
#define STAGE(NAME, WORD, text, WHEN, gate, span, step, pairs, rule) \
    { #NAME, text, PICA_STAGE_WORD_##WORD, PICA_STAGE_WHEN_##WHEN, { gate, span, step }, pairs, rule },
#include "pica/stages.def"
};

const struct pica_stage_info *pica_stage_info(enum pica_stage stage)
{
    const uint32_t index = (uint32_t)stage;
    return index >= PICA_STAGE_TOTAL ? NULL : &stages[index];
}

static const struct pica_stage_member members[] = {
#define MEMBER(STAGE_NAME, registers) { PICA_STAGE_##STAGE_NAME, registers },
#include "pica/stages.def"
};

const struct pica_stage_member *pica_stage_members(size_t *count)
{
    *count = sizeof members / sizeof members[0];
    return members;
}

static const struct pica_used_if used_ifs[] = {
#define USED_IF(registers, fields, gate_register, gate_field, values, rule) \
    { registers, fields, gate_register, gate_field, values, rule },
#include "pica/stages.def"
};

const struct pica_used_if *pica_used_if_lines(size_t *count)
{
    *count = sizeof used_ifs / sizeof used_ifs[0];
    return used_ifs;
}

static const struct pica_used_when used_whens[] = {
#define USED_WHEN(registers, fields, gate, span, step, rule) { registers, fields, { gate, span, step }, rule },
#include "pica/stages.def"
};

const struct pica_used_when *pica_used_when_lines(size_t *count)
{
    *count = sizeof used_whens / sizeof used_whens[0];
    return used_whens;
}

static const struct pica_removal removals[] = {
#define REMOVES(register_name, field, value, gate, rule) { register_name, field, value, gate, rule },
#include "pica/stages.def"
};

const struct pica_removal *pica_removals(size_t *count)
{
    *count = sizeof removals / sizeof removals[0];
    return removals;
}

static const struct pica_unobservable unobservables[] = {
#define UNOBSERVABLE(registers, fields, values, rule, reason)        { registers, fields, values, 0, rule, reason },
#define UNOBSERVABLE_CLASS(registers, fields, classes, rule, reason) { registers, fields, 0, classes, rule, reason },
#include "pica/stages.def"
};

const struct pica_unobservable *pica_unobservables(size_t *count)
{
    *count = sizeof unobservables / sizeof unobservables[0];
    return unobservables;
}

static const struct pica_impossible impossibles[] = {
#define IMPOSSIBLE(counter, rule, reason) { counter, rule, reason },
#include "pica/stages.def"
};

const struct pica_impossible *pica_impossibles(size_t *count)
{
    *count = sizeof impossibles / sizeof impossibles[0];
    return impossibles;
}

static const struct pica_inert inerts[] = {
#define INERT(KIND, name, rule, reason) { PICA_INERT_##KIND, name, rule, reason },
#include "pica/inert.def"
};

const struct pica_inert *pica_inerts(size_t *count)
{
    *count = sizeof inerts / sizeof inerts[0];
    return inerts;
}
