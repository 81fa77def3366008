#include "harness/quirks/force.h"

#include "harness/case/field_text.h"
#include "harness/case/pcase_names.h"
#include "harness/cli/options.h"
#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum {
    NAME = 96,        /* characters of a name, with its end */
    MOST_FIELDS = 32, /* of a layout */
    MOST_VALUES = 64, /* of an enumeration */
    MOST_NAMES = 1024 /* of registers, for suggestions */
};

/* ------------------------------------------------------------------------------------------------------------ names */

static uint32_t address_of(uint32_t slot)
{
    if (slot < PICA_REGISTERS)
        return PICA_INTERNAL_ADDRESS + 4u * slot;
    if (slot < HARNESS_SLOT_SCREENS)
        return PICA_EXTERNAL_ADDRESS + 4u * (slot - HARNESS_SLOT_EXTERNAL);
    return slot == HARNESS_SLOT_SCREENS ? (uint32_t)PICA_LCDREG_COLOR_FILL_TOP
                                        : (uint32_t)PICA_LCDREG_COLOR_FILL_BOTTOM;
}

enum pica_layout harness_slot_layout(uint32_t slot)
{
    const char *name = NULL;
    enum pica_layout layout = PICA_LAYOUT_NONE;
    (void)harness_register_name(address_of(slot), &name, &layout);
    return layout;
}

/* Copies a name without the blanks at its ends, each character passed through `change` unless that is NULL. False if
 * nothing is left or it is too long. */
static bool take_name(const char *from, size_t length, int (*change)(int), char out[NAME])
{
    while (length != 0 && isspace((unsigned char)from[0]) != 0) {
        from++;
        length--;
    }
    while (length != 0 && isspace((unsigned char)from[length - 1]) != 0)
        length--;
    if (length == 0 || length >= NAME)
        return false;
    for (size_t i = 0; i < length; i++)
        out[i] = (char)(change != NULL ? change((unsigned char)from[i]) : from[i]);
    out[length] = '\0';
    return true;
}

static enum pica_layout layout_by_name(const char *name)
{
    for (int i = 0; i < PICA_LAYOUT_TOTAL; i++)
        if (strcmp(pica_layout_info((enum pica_layout)i)->name, name) == 0)
            return (enum pica_layout)i;
    return PICA_LAYOUT_NONE;
}

/* The name to suggest: one a few letters away, or a longer one that contains this one, such as TEXUNIT0_PARAM for
 * "TEXUNIT0". NULL if there is none. */
static const char *near_name(const char *name, const char *const *names, size_t count)
{
    const char *near = cli_nearest(name, names, count);
    for (size_t i = 0; i < count && near == NULL; i++)
        if (strstr(names[i], name) != NULL)
            near = names[i];
    return near;
}

/* The message suggests a register, whose names are in capitals, or a layout, whose names are in small letters. */
static enum harness_status unknown_register(const char *name, bool with_layouts, struct harness_error *error)
{
    const char *names[MOST_NAMES];
    char upper[NAME], lower[NAME];
    size_t count = 0;
    for (uint32_t slot = 0; slot < HARNESS_SLOTS && count < MOST_NAMES; slot++) {
        enum pica_layout layout;
        if (harness_register_name(address_of(slot), &names[count], &layout))
            count++;
    }
    const char *near = take_name(name, strlen(name), toupper, upper) ? near_name(upper, names, count) : NULL;
    count = 0;
    for (int i = 0; with_layouts && near == NULL && i < PICA_LAYOUT_TOTAL; i++)
        names[count++] = pica_layout_info((enum pica_layout)i)->name;
    if (count != 0 && take_name(name, strlen(name), tolower, lower))
        near = near_name(lower, names, count);
    const enum harness_status status =
        harness_fail(error, HARNESS_BAD_INPUT, "expected a register or a layout, found '%s'", name);
    harness_error_suggest(error, near);
    return status;
}

static enum harness_status unknown_field(const char *name, const char *of, enum pica_layout layout,
                                         struct harness_error *error)
{
    const char *names[MOST_FIELDS];
    struct harness_text all = { 0 };
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    for (size_t i = 0; i < count && i < MOST_FIELDS; i++) {
        names[i] = fields[i].name;
        harness_text_format(&all, "%s%s", i != 0 ? ", " : "", names[i]);
    }
    const char *const near = near_name(name, names, count < MOST_FIELDS ? count : MOST_FIELDS);
    const enum harness_status status =
        harness_fail(error, HARNESS_BAD_INPUT, "expected a field of %s, found '%s'%s%s", of, name,
                     near != NULL ? "" : (count != 0 ? "; it has " : "; it has none"),
                     near != NULL ? "" : harness_text_string(&all));
    harness_error_suggest(error, near);
    harness_text_free(&all);
    return status;
}

/* Finds a register or a layout by name, in capitals or small letters. *slot is HARNESS_SLOTS for a layout. */
static bool find_register(const char *name, uint32_t *slot, enum pica_layout *layout)
{
    char upper[NAME], lower[NAME];
    uint32_t address = 0;
    if (!take_name(name, strlen(name), toupper, upper) || !take_name(name, strlen(name), tolower, lower))
        return false;
    *slot = HARNESS_SLOTS;
    *layout = layout_by_name(lower);
    /* Some names, like that of BLEND_FUNC, are those of a register and of a layout: small letters mean the layout. */
    if (strcmp(name, lower) == 0 && *layout != PICA_LAYOUT_NONE)
        return true;
    if (harness_register_address(upper, &address, layout)) {
        *slot = harness_slot_of(address);
        return *slot < HARNESS_SLOTS;
    }
    *layout = layout_by_name(lower);
    return *layout != PICA_LAYOUT_NONE;
}

enum harness_status harness_force_field(const char *name, const struct pica_field_info **field, uint32_t *slot,
                                        struct harness_error *error)
{
    char of[NAME], wanted[NAME];
    enum pica_layout layout = PICA_LAYOUT_NONE;
    const char *const point = strchr(name, '.');
    if (point == NULL || !take_name(name, (size_t)(point - name), NULL, of) ||
        !take_name(point + 1, strlen(point + 1), tolower, wanted))
        return harness_fail(error, HARNESS_BAD_INPUT, "expected REGISTER.field, found '%.80s'", name);
    if (!find_register(of, slot, &layout))
        return unknown_register(of, true, error);
    *field = pica_field_by_name(layout, wanted);
    return *field != NULL ? HARNESS_OK : unknown_field(wanted, of, layout, error);
}

/* ------------------------------------------------------------------------------------------------------- statements */

static void add_bits(struct harness_force *force, uint32_t slot, uint32_t mask, uint32_t value)
{
    force->masks[slot] |= mask;
    force->values[slot] = (force->values[slot] & ~mask) | (value & mask);
}

static uint32_t bits_of(const struct pica_field_info *field)
{
    return (UINT32_MAX >> (32u - field->width)) << field->low;
}

/* The message lists the names of an enumeration and suggests one. */
static enum harness_status unknown_value(const struct pica_field_info *field, const char *name, const char *value,
                                         struct harness_error *error)
{
    const char *names[MOST_VALUES];
    char what[HARNESS_EXPECTATION];
    size_t count = 0;
    const struct pica_enum_value *const values =
        field->type == PICA_FIELD_ENUM ? pica_enum_values(field->enumeration, &count) : NULL;
    for (size_t i = 0; i < count && i < MOST_VALUES; i++)
        names[i] = values[i].text;
    const enum harness_status status = harness_fail(error, HARNESS_BAD_INPUT, "%s: expected %s, found '%s'", name,
                                                    harness_field_expectation(field, what), value);
    harness_error_suggest(error, near_name(value, names, count < MOST_VALUES ? count : MOST_VALUES));
    return status;
}

static enum harness_status add_field(struct harness_force *force, const char *name, const char *value,
                                     struct harness_error *error)
{
    const struct pica_field_info *field = NULL;
    uint32_t only = HARNESS_SLOTS, bits = 0;
    const enum harness_status status = harness_force_field(name, &field, &only, error);
    if (status != HARNESS_OK)
        return status;
    if (!harness_field_parse(field, value, &bits))
        return unknown_value(field, name, value, error);
    for (uint32_t slot = 0; slot < HARNESS_SLOTS; slot++)
        if (slot == only || (only == HARNESS_SLOTS && harness_slot_layout(slot) == field->layout))
            add_bits(force, slot, bits_of(field), bits << field->low);
    return HARNESS_OK;
}

/* "NAME" or "NAME & MASK" */
static enum harness_status add_register(struct harness_force *force, char *name, const char *value,
                                        struct harness_error *error)
{
    char mask_text[NAME] = "0xFFFFFFFF", own[NAME] = "";
    enum pica_layout layout = PICA_LAYOUT_NONE;
    uint32_t slot = HARNESS_SLOTS;
    uint64_t mask = 0, word = 0;
    char *const sign = strchr(name, '&');
    if (sign != NULL && !take_name(sign + 1, strlen(sign + 1), NULL, mask_text))
        mask_text[0] = '\0';
    if (!take_name(name, sign != NULL ? (size_t)(sign - name) : strlen(name), toupper, own) ||
        !find_register(own, &slot, &layout) || slot == HARNESS_SLOTS)
        return unknown_register(own, false, error);
    if (sign == NULL && slot < PICA_REGISTERS && strcasecmp(value, "reset") == 0) {
        add_bits(force, slot, UINT32_MAX, pica_reg_info(slot)->reset);
        return HARNESS_OK;
    }
    if (!harness_number_parse(mask_text, UINT32_MAX, &mask) || !harness_number_parse(value, UINT32_MAX, &word))
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: expected a number of 32 bits%s, found '%s'", own,
                            sign != NULL ? " as mask and as value" : "", value);
    add_bits(force, slot, (uint32_t)mask, (uint32_t)word);
    return HARNESS_OK;
}

/* Adds "unused = reset" or "cpu-only = reset"; false if it is another statement. */
static bool add_class(struct harness_force *force, const char *name, const char *value)
{
    const bool unused = strcasecmp(name, "unused") == 0;
    const enum pica_reg_class wanted = unused ? PICA_REG_CLASS_STORAGE : PICA_REG_CLASS_CPU_ONLY;
    if ((!unused && strcasecmp(name, "cpu-only") != 0) || strcasecmp(value, "reset") != 0)
        return false;
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        if (pica_reg_info(id)->reg_class == wanted)
            add_bits(force, id, UINT32_MAX, pica_reg_info(id)->reset);
    return true;
}

enum harness_status harness_force_add(struct harness_force *force, const char *statement, struct harness_error *error)
{
    char name[NAME], value[NAME];
    const char *const sign = strchr(statement, '=');
    if (sign == NULL || !take_name(statement, (size_t)(sign - statement), NULL, name) ||
        !take_name(sign + 1, strlen(sign + 1), NULL, value))
        return harness_fail(error, HARNESS_BAD_INPUT, "expected REGISTER.field = value, found '%.80s'", statement);
    const enum harness_status status = add_class(force, name, value) ? HARNESS_OK
                                       : strchr(name, '.') != NULL   ? add_field(force, name, value, error)
                                                                     : add_register(force, name, value, error);
    force->count += status == HARNESS_OK;
    return status;
}

/* -------------------------------------------------------------------------------------------------------- rewriting */

static uint32_t force_word(void *user, const struct harness_slot_write *write)
{
    const struct harness_force *const force = user;
    const uint32_t mask = force->masks[write->slot] & write->mask;
    return (write->value & ~mask) | (force->values[write->slot] & mask);
}

int64_t harness_force_apply(const struct harness_force *force, struct harness_case *test_case)
{
    struct harness_force copy; /* the visitor's user pointer is not const */
    if (force->count == 0)
        return 0;
    copy = *force;
    const struct harness_visitor visitor = { .user = &copy, .write = force_word };
    return harness_visit(test_case, &visitor);
}

struct holding {
    const struct harness_force *force;
    bool holds; /* so far */
};

static uint32_t look_at_word(void *user, const struct harness_slot_write *write)
{
    struct holding *const holding = user;
    const uint32_t mask = holding->force->masks[write->slot] & write->mask;
    holding->holds = holding->holds && ((write->value ^ holding->force->values[write->slot]) & mask) == 0;
    return write->value;
}

bool harness_force_holds(const struct harness_force *force, struct harness_case *test_case)
{
    struct holding holding = { force, true };
    const struct harness_visitor visitor = { .user = &holding, .write = look_at_word };
    return force->count == 0 || (harness_visit(test_case, &visitor) == 0 && holding.holds);
}

struct avoided {
    const struct pica_field_info *field;
    const uint64_t *values;
    uint32_t usual;
};

static uint32_t avoid_word(void *user, const struct harness_slot_write *write)
{
    const struct avoided *const avoided = user;
    const struct pica_field_info *const field = avoided->field;
    if (harness_slot_layout(write->slot) != field->layout)
        return write->value;
    const uint32_t word = (write->before & ~write->mask) | (write->value & write->mask);
    const uint32_t value = pica_field_get(field, word);
    if (value >= 128 || (avoided->values[value / 64] >> (value % 64) & 1u) == 0)
        return write->value;
    const uint32_t bits = bits_of(field) & write->mask;
    return (write->value & ~bits) | (pica_field_set(field, 0, avoided->usual) & bits);
}

int64_t harness_force_values(struct harness_case *test_case, const struct pica_field_info *field,
                             const uint64_t values[2], uint32_t usual)
{
    struct avoided avoided = { field, values, usual };
    const struct harness_visitor visitor = { .user = &avoided, .write = avoid_word };
    return harness_visit(test_case, &visitor);
}
