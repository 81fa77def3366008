/* The .def tables as arrays, and look-ups in them. Nothing here can change at run time. */
#include "pica/enums.h"
#include "pica/events.h"
#include "pica/extregs.h"
#include "pica/features.h"
#include "pica/fields.h"
#include "pica/opcodes.h"
#include "pica/regs.h"
#include "pica/state.h"
#include "pica/trace.h"

#include <string.h>

/* --------------------------------------------------------------------------------------------------- enumerations */

#define ENUM_BEGIN(name, NAME, width, rule)             static const struct pica_enum_value values_of_##name[] = {
#define ENUM_VALUE(name, value, ENUMERATOR, text, rule) { value, #ENUMERATOR, text, rule },
#define ENUM_END(name) \
    }                  \
    ;
#include "pica/enums.def"

static const struct pica_enum_info enum_infos[PICA_ENUM_TOTAL] = {
    { NULL, 0, NULL },
#define ENUM_BEGIN(name, NAME, width, rule) { #name, width, rule },
#include "pica/enums.def"
};

static const struct pica_enum_value *const enum_values[PICA_ENUM_TOTAL] = {
    NULL,
#define ENUM_BEGIN(name, NAME, width, rule) values_of_##name,
#include "pica/enums.def"
};

/* The lower-case names of enumerations in fields.def, as ids. */
enum {
    enum_id_none = PICA_ENUM_NONE,
#define ENUM_BEGIN(name, NAME, width, rule) enum_id_##name = PICA_ENUM_##NAME,
#include "pica/enums.def"
};

const struct pica_enum_info *pica_enum_info(enum pica_enum_id id)
{
    const uint32_t index = (uint32_t)id;
    return index == PICA_ENUM_NONE || index >= PICA_ENUM_TOTAL ? NULL : &enum_infos[index];
}

const struct pica_enum_value *pica_enum_values(enum pica_enum_id id, size_t *count)
{
    const struct pica_enum_info *const info = pica_enum_info(id);
    *count = info == NULL ? 0 : (size_t)1 << info->width;
    return info == NULL ? NULL : enum_values[id];
}

const struct pica_enum_value *pica_enum_value_by_text(enum pica_enum_id id, const char *text)
{
    size_t count;
    const struct pica_enum_value *const values = pica_enum_values(id, &count);
    for (size_t v = 0; v < count; v++)
        if (strcmp(values[v].text, text) == 0)
            return &values[v];
    return NULL;
}

/* --------------------------------------------------------------------------------------------- layouts and fields */

/* The lower-case names of layouts in the .def files, as ids. */
enum {
#define LAYOUT(layout, LAYOUT_NAME, rule) layout_id_##layout = PICA_LAYOUT_##LAYOUT_NAME,
#include "pica/fields.def"
};

/*
 * first_<layout> is the number of fields before the layout. The enumerator before_<layout> sets the count back by one,
 * so that position_ of the layout's first field has the same number as first_<layout>.
 */
enum {
#define LAYOUT(layout, LAYOUT_NAME, rule) first_##layout, before_##layout = first_##layout - 1,

#define FIELD(layout, field, low, width, TYPE, enumeration, unit, rule) position_##layout##_##field,
#include "pica/fields.def"
};

static const struct pica_field_info fields[PICA_FIELD_TOTAL] = {
#define FIELD(layout, field, low, width, TYPE, enumeration, unit, rule) \
    { #field,                                                           \
      (enum pica_layout)layout_id_##layout,                             \
      PICA_FIELD_##TYPE,                                                \
      (enum pica_enum_id)enum_id_##enumeration,                         \
      low,                                                              \
      width,                                                            \
      unit,                                                             \
      rule },
#include "pica/fields.def"
};

/* One element more than there are layouts, so that each layout's number of fields is a difference of neighbours. */
static const uint32_t first_fields[PICA_LAYOUT_TOTAL + 1] = {
#define LAYOUT(layout, LAYOUT_NAME, rule) first_##layout,
#include "pica/fields.def"
    PICA_FIELD_TOTAL
};

static const struct pica_layout_info layout_infos[PICA_LAYOUT_TOTAL] = {
#define LAYOUT(layout, LAYOUT_NAME, rule) { #layout, rule },
#include "pica/fields.def"
};

const struct pica_field_info *pica_fields(size_t *count)
{
    *count = PICA_FIELD_TOTAL;
    return fields;
}

const struct pica_layout_info *pica_layout_info(enum pica_layout layout)
{
    const uint32_t index = (uint32_t)layout;
    return index >= PICA_LAYOUT_TOTAL ? NULL : &layout_infos[index];
}

const struct pica_field_info *pica_layout_fields(enum pica_layout layout, size_t *count)
{
    const uint32_t index = (uint32_t)layout;
    *count = index >= PICA_LAYOUT_TOTAL ? 0 : first_fields[index + 1] - first_fields[index];
    return *count == 0 ? NULL : &fields[first_fields[index]];
}

const struct pica_field_info *pica_field_by_name(enum pica_layout layout, const char *name)
{
    size_t count;
    const struct pica_field_info *const members = pica_layout_fields(layout, &count);
    for (size_t f = 0; f < count; f++)
        if (strcmp(members[f].name, name) == 0)
            return &members[f];
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------- registers */

static const struct pica_reg_info regs[PICA_REG_TOTAL] = {
#define REG(id, NAME, layout, reset, CLASS, rule) \
    [id] = { id, #NAME, (enum pica_layout)layout_id_##layout, reset, PICA_REG_CLASS_##CLASS, rule },
#include "pica/regs.def"
};

const struct pica_reg_info *pica_reg_info(uint32_t id)
{
    return id >= PICA_REG_TOTAL ? NULL : &regs[id];
}

const struct pica_reg_info *pica_reg_by_name(const char *name)
{
    for (size_t r = 0; r < PICA_REG_TOTAL; r++)
        if (strcmp(regs[r].name, name) == 0)
            return &regs[r];
    return NULL;
}

static const struct pica_extreg_info extregs[] = {
#define EXTREG(offset, NAME, layout, reset, stored, rule) \
    { offset, #NAME, (enum pica_layout)layout_id_##layout, reset, stored, rule },
#include "pica/extregs.def"
};

static const struct pica_extreg_info lcdregs[] = {
#define LCDREG(address, NAME, layout, reset, stored, rule) \
    { address, #NAME, (enum pica_layout)layout_id_##layout, reset, stored, rule },
#include "pica/extregs.def"
};

const struct pica_extreg_info *pica_extregs(size_t *count)
{
    *count = sizeof extregs / sizeof extregs[0];
    return extregs;
}

const struct pica_extreg_info *pica_lcdregs(size_t *count)
{
    *count = sizeof lcdregs / sizeof lcdregs[0];
    return lcdregs;
}

static const struct pica_extreg_info *find_address(const struct pica_extreg_info *infos, size_t count, uint32_t address)
{
    for (size_t r = 0; r < count; r++)
        if (infos[r].address == address)
            return &infos[r];
    return NULL;
}

static const struct pica_extreg_info *find_name(const struct pica_extreg_info *infos, size_t count, const char *name)
{
    for (size_t r = 0; r < count; r++)
        if (strcmp(infos[r].name, name) == 0)
            return &infos[r];
    return NULL;
}

const struct pica_extreg_info *pica_extreg_info(uint32_t offset)
{
    return find_address(extregs, sizeof extregs / sizeof extregs[0], offset);
}

const struct pica_extreg_info *pica_lcdreg_info(uint32_t address)
{
    return find_address(lcdregs, sizeof lcdregs / sizeof lcdregs[0], address);
}

const struct pica_extreg_info *pica_extreg_by_name(const char *name)
{
    return find_name(extregs, sizeof extregs / sizeof extregs[0], name);
}

const struct pica_extreg_info *pica_lcdreg_by_name(const char *name)
{
    return find_name(lcdregs, sizeof lcdregs / sizeof lcdregs[0], name);
}

/* --------------------------------------------------------------------------------------------------------- opcodes */

static const struct pica_opcode_format_info opcode_formats[] = {
#define OPCODE_FORMAT(FORMAT, layout, text, rule) { text, (enum pica_layout)layout_id_##layout, rule },
#include "pica/opcodes.def"
};

static const char *const operand_kinds[] = {
#define OPERAND_KIND(KIND, text, rule) text,
#include "pica/opcodes.def"
};

static const struct pica_opcode_info opcodes[PICA_OPCODE_TOTAL] = {
#define OPCODE(value, NAME, FIRST, mnemonic, FORMAT, dest, source1, source2, source3, rule) \
    [value] = { PICA_OPCODE_##NAME,                                                         \
                PICA_OPCODE_##FIRST,                                                        \
                mnemonic,                                                                   \
                PICA_OPCODE_FORMAT_##FORMAT,                                                \
                PICA_OPERAND_##dest,                                                        \
                { PICA_OPERAND_##source1, PICA_OPERAND_##source2, PICA_OPERAND_##source3 }, \
                rule },
#include "pica/opcodes.def"
};

const struct pica_opcode_info *pica_opcode_info(uint32_t opcode)
{
    return opcode >= PICA_OPCODE_TOTAL ? NULL : &opcodes[opcode];
}

const struct pica_opcode_info *pica_opcode_by_mnemonic(const char *mnemonic)
{
    for (size_t op = 0; op < PICA_OPCODE_TOTAL; op++)
        if (strcmp(opcodes[op].mnemonic, mnemonic) == 0)
            return &opcodes[op];
    return NULL;
}

const struct pica_opcode_format_info *pica_opcode_format_info(enum pica_opcode_format format)
{
    const uint32_t index = (uint32_t)format;
    return index >= sizeof opcode_formats / sizeof opcode_formats[0] ? NULL : &opcode_formats[index];
}

const char *pica_operand_kind_text(enum pica_operand_kind kind)
{
    const uint32_t index = (uint32_t)kind;
    return index >= sizeof operand_kinds / sizeof operand_kinds[0] ? NULL : operand_kinds[index];
}

/* ---------------------------------------------------------------------------------------------------------- events */

static const struct pica_event_info events[PICA_EVENT_TOTAL] = {
#define EVENT(NAME, name, CLASS, rule) { PICA_EVENT_##NAME, name, PICA_EVENT_CLASS_##CLASS, rule },
#include "pica/events.def"
};

const struct pica_event_info *pica_event_info(enum pica_event event)
{
    const uint32_t index = (uint32_t)event;
    return index >= PICA_EVENT_TOTAL ? NULL : &events[index];
}

const struct pica_event_info *pica_event_by_name(const char *name)
{
    for (size_t e = 0; e < PICA_EVENT_TOTAL; e++)
        if (strcmp(events[e].name, name) == 0)
            return &events[e];
    return NULL;
}

struct pica_events pica_events_class_m(void)
{
    struct pica_events set = { { 0 } };
    for (size_t e = 0; e < PICA_EVENT_TOTAL; e++)
        if (events[e].event_class == PICA_EVENT_CLASS_M)
            pica_events_add(&set, events[e].event);
    return set;
}

/* ------------------------------------------------------------------------------------------------ steps of a trace */

enum {
    TRACE_OF_PIXEL = 1,
    TRACE_OF_VERTEX = 0
};

/* The texts of stage_words.def as members of one object, because a constant initialiser may contain the address of a
 * member, but not a pointer that is stored in another table. */
static const struct {
#define STAGE_WORD(ID, slug, text, page, section, areas, places) char ID[sizeof text];
#include "pica/stage_words.def"
} stage_texts = {
#define STAGE_WORD(ID, slug, text, page, section, areas, places) text,
#include "pica/stage_words.def"
};

static const struct pica_trace_info trace_infos[PICA_TRACE_IDS] = {
#define TRACE(ID, SUBJECT, STAGE, name, index, TYPE, values, NEED, rule)                        \
    { PICA_STAGE_WORD_##STAGE, stage_texts.STAGE, name, index, values, rule, PICA_TRACE_##TYPE, \
      PICA_TRACE_##NEED,       TRACE_OF_##SUBJECT },
#include "pica/trace.def"
};

const struct pica_trace_info *pica_trace_info(enum pica_trace_id id)
{
    return &trace_infos[id];
}

const struct pica_trace_info *pica_trace_info_by_name(const char *stage, const char *name)
{
    for (size_t i = 0; i < PICA_TRACE_IDS; i++)
        if (strcmp(trace_infos[i].stage, stage) == 0 && strcmp(trace_infos[i].name, name) == 0)
            return &trace_infos[i];
    return NULL;
}

/* -------------------------------------------------------------------------------------------------------- features */

static const struct pica_feature_info features[PICA_FEATURE_LINES] = {
#define FEATURE(NAME, text, KIND, enumeration, count, rule)                                                   \
    {                                                                                                         \
        #NAME, text, PICA_FEATURE_KIND_##KIND, (enum pica_enum_id)enum_id_##enumeration, PICA_FEATURE_##NAME, \
        count, rule                                                                                           \
    },
#include "pica/features.def"
};

const struct pica_feature_info *pica_features(size_t *count)
{
    *count = PICA_FEATURE_LINES;
    return features;
}

/* ----------------------------------------------------------------------------------------------------------- state */

/* struct pica_state as state.def describes it: the same members at the same places, and no padding either. */
struct state_by_table {
#define STATE(number, ID, name, member, bits, count, most, FORM, row, label, rule) uint##bits##_t ID[count];
#define STATE_INTERNAL(ID, member, bits, count, label, rule)                       uint##bits##_t ID[count];
#include "pica/state.def"
};

#define SAME_PLACE(ID, member)                                                                                 \
    _Static_assert(offsetof(struct state_by_table, ID) == offsetof(struct pica_state, member) &&               \
                       sizeof((struct state_by_table *)NULL)->ID == sizeof((struct pica_state *)NULL)->member, \
                   #ID " is not where state.def says, or not that long");
#define STATE(number, ID, name, member, bits, count, most, FORM, row, label, rule) SAME_PLACE(ID, member)
#define STATE_INTERNAL(ID, member, bits, count, label, rule)                       SAME_PLACE(ID, member)
#include "pica/state.def"

enum {
    STATE_BYTES = 0
#define STATE(number, ID, name, member, bits, count, most, FORM, row, label, rule) +(bits) / 8 * (count)
#define STATE_INTERNAL(ID, member, bits, count, label, rule)                       +(bits) / 8 * (count)
#include "pica/state.def"
};
_Static_assert(STATE_BYTES == sizeof(struct pica_state), "state.def leaves out a byte of struct pica_state");
