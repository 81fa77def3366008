/* The stages of stages.def, and the rules about when values matter, as tables; the inert ones of inert.def. */
#ifndef PICA_STAGES_H
#define PICA_STAGES_H

#include "pica/stage_words.h"

#include <stddef.h>
#include <stdint.h>

enum pica_stage {
#define STAGE(NAME, WORD, text, WHEN, gate, span, step, pairs, rule) PICA_STAGE_##NAME,
#include "pica/stages.def"
};

enum {
    PICA_STAGE_TOTAL = 0
#define STAGE(NAME, WORD, text, WHEN, gate, span, step, pairs, rule) +1
#include "pica/stages.def"
};

/* See the head of stages.def. */
enum pica_stage_when {
    PICA_STAGE_WHEN_DRAW,
    PICA_STAGE_WHEN_OPERATION,
    PICA_STAGE_WHEN_CASE
};

/* Open if one of the `span` counters from first + step * instance on is not 0; always open if span is 0. */
struct pica_gate {
    uint32_t first, span, step;
};

struct pica_stage_info {
    const char *name; /* "COMBINER" */
    const char *text;
    enum pica_stage_word word;
    enum pica_stage_when when;
    struct pica_gate gate;
    int pairs; /* 0 or 1 */
    const char *rule;
};

/* NULL for numbers that name no stage. */
const struct pica_stage_info *pica_stage_info(enum pica_stage stage);

/* In all names of these lines, * stands for any characters and # for digits. */
struct pica_stage_member {
    enum pica_stage stage;
    const char *registers;
};

struct pica_used_if {
    const char *registers, *fields;
    const char *gate_register, *gate_field;
    uint32_t values; /* bit v = value v of the gate field */
    const char *rule;
};

struct pica_used_when {
    const char *registers, *fields;
    struct pica_gate gate;
    const char *rule;
};

struct pica_removal {
    const char *register_name, *field;
    uint32_t value;
    uint32_t gate; /* a counter */
    const char *rule;
};

/* Classes of values of fields that are not enumerations. */
enum {
    PICA_CLASS_ZERO = 1,
    PICA_CLASS_MAXIMUM = 2,
    PICA_CLASS_RESET = 4,
    PICA_CLASS_OTHER = 8
};

struct pica_unobservable {
    const char *registers, *fields;
    uint64_t values;  /* of an enumeration: bit v = value v */
    uint32_t classes; /* of other fields: PICA_CLASS_*, or'ed */
    const char *rule, *reason;
};

struct pica_impossible {
    uint32_t counter;
    const char *rule, *reason;
};

enum pica_inert_kind {
    PICA_INERT_REGISTER,
    PICA_INERT_EXTREG,
    PICA_INERT_FIELD
};

struct pica_inert {
    enum pica_inert_kind kind;
    const char *name; /* a register, or layout.field */
    const char *rule, *reason;
};

/* The lines in the order of the tables. */
const struct pica_stage_member *pica_stage_members(size_t *count);
const struct pica_used_if *pica_used_if_lines(size_t *count);
const struct pica_used_when *pica_used_when_lines(size_t *count);
const struct pica_removal *pica_removals(size_t *count);
const struct pica_unobservable *pica_unobservables(size_t *count);
const struct pica_impossible *pica_impossibles(size_t *count);
const struct pica_inert *pica_inerts(size_t *count);

#endif
