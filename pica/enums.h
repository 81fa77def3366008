/* The enumerations of enums.def as C enums (enum pica_compare_func, PICA_COMPARE_FUNC_NEVER) and as a table. */
#ifndef PICA_ENUMS_H
#define PICA_ENUMS_H

#include <stddef.h>
#include <stdint.h>

#define ENUM_BEGIN(name, NAME, width, rule) \
    enum pica_##name                        \
    {
#define ENUM_VALUE(name, value, ENUMERATOR, text, rule) PICA_##ENUMERATOR = value,
#define ENUM_END(name) \
    }                  \
    ;
#include "pica/enums.def"

/* Names an enumeration at run time. */
enum pica_enum_id {
    PICA_ENUM_NONE = 0,
#define ENUM_BEGIN(name, NAME, width, rule) PICA_ENUM_##NAME,
#include "pica/enums.def"
};

enum {
    PICA_ENUM_TOTAL = 1 /* ids, PICA_ENUM_NONE included */
#define ENUM_BEGIN(name, NAME, width, rule) +1
#include "pica/enums.def"
};

struct pica_enum_value {
    uint32_t value;
    const char *name; /* enumerator without PICA_ */
    const char *text; /* what listings print, unique within the enumeration */
    const char *rule;
};

struct pica_enum_info {
    const char *name; /* "compare_func" */
    uint32_t width;   /* bits */
    const char *rule;
};

/* NULL for PICA_ENUM_NONE and for numbers that name none. */
const struct pica_enum_info *pica_enum_info(enum pica_enum_id id);

/* All 2^width values; element v has value v. NULL, and *count = 0, where pica_enum_info gives NULL. */
const struct pica_enum_value *pica_enum_values(enum pica_enum_id id, size_t *count);

/* The value with that text, or NULL. */
const struct pica_enum_value *pica_enum_value_by_text(enum pica_enum_id id, const char *text);

#endif
