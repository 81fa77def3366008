/* The counters of features.def: their indices, and what each of them counts. */
#ifndef PICA_FEATURES_H
#define PICA_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "pica/enums.h"

/* PICA_FEATURE_<NAME> is the first counter of the line, PICA_FEATURE_LAST_<NAME> the last one. */
enum pica_feature {
#define FEATURE(NAME, text, KIND, enumeration, count, rule) \
    PICA_FEATURE_##NAME, PICA_FEATURE_LAST_##NAME = PICA_FEATURE_##NAME + (count)-1,
#include "pica/features.def"
};

/* The counter of one value in a line that has a counter for each: PICA_FEATURE_OF(SHADER_RAN, UNIT_VERTEX). */
#define PICA_FEATURE_OF(NAME, VALUE) ((uint32_t)PICA_FEATURE_##NAME + (uint32_t)PICA_##VALUE)

enum {
    PICA_FEATURE_TOTAL = 0 /* counters */
#define FEATURE(NAME, text, KIND, enumeration, count, rule) +(count)
#include "pica/features.def"
};

enum {
    PICA_FEATURE_LINES = 0
#define FEATURE(NAME, text, KIND, enumeration, count, rule) +1
#include "pica/features.def"
};

enum pica_feature_kind {
    PICA_FEATURE_KIND_WRITTEN,
    PICA_FEATURE_KIND_OPCODE,
    PICA_FEATURE_KIND_OPERAND,
    PICA_FEATURE_KIND_OUTCOME,
    PICA_FEATURE_KIND_STREAM
};

/* Which of the 64 counters of an opcode (KIND OPERAND in features.def). Three sources have 8 counters each. */
enum pica_operand_feature {
    PICA_OPERAND_FEATURE_V = 0,          /* source is v */
    PICA_OPERAND_FEATURE_R = 1,          /* r */
    PICA_OPERAND_FEATURE_C = 2,          /* c, not indexed */
    PICA_OPERAND_FEATURE_C_A0X = 3,      /* c[a0.x], and so on: 2 + enum pica_shader_relative */
    PICA_OPERAND_FEATURE_C_A0Y = 4,      /* c[a0.y] */
    PICA_OPERAND_FEATURE_C_AL = 5,       /* c[aL] */
    PICA_OPERAND_FEATURE_SWIZZLED = 6,   /* not .xyzw */
    PICA_OPERAND_FEATURE_NEGATED = 7,    /* with a minus */
    PICA_OPERAND_FEATURE_SOURCE = 8,     /* + 8 * (source - 1) for sources 2 and 3 */
    PICA_OPERAND_FEATURE_DEST_O = 24,    /* destination is o */
    PICA_OPERAND_FEATURE_DEST_R = 25,    /* r */
    PICA_OPERAND_FEATURE_MASK = 32,      /* + written components: 1 x, 2 y, 4 z, 8 w */
    PICA_OPERAND_FEATURE_COMPARE_X = 48, /* + enum pica_shader_compare */
    PICA_OPERAND_FEATURE_COMPARE_Y = 56
};

struct pica_feature_info {
    const char *name; /* "DEPTH_PASSES" */
    const char *text;
    enum pica_feature_kind kind;
    enum pica_enum_id enumeration; /* PICA_ENUM_NONE: numbers */
    uint32_t first;                /* counter */
    uint32_t count;
    const char *rule;
};

/* The lines of features.def in their order: PICA_FEATURE_LINES of them. */
const struct pica_feature_info *pica_features(size_t *count);

#endif
