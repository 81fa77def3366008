/* Names of the areas and items of semantic coverage. */
#include "harness/coverage/universe_parts.h"

#include "pica/events.h"
#include "pica/opcodes.h"

#include <stdio.h>
#include <string.h>

const char *harness_area_name(enum harness_area area)
{
    switch (area) {
    case HARNESS_AREA_REGISTERS: return "registers";
    case HARNESS_AREA_FIELDS: return "fields";
    case HARNESS_AREA_VALUES: return "enum-values";
    case HARNESS_AREA_PAIRS: return "enum-pairs";
    case HARNESS_AREA_OPCODES: return "opcodes";
    case HARNESS_AREA_OPERANDS: return "operands";
    case HARNESS_AREA_EVENTS: return "events";
    case HARNESS_AREA_OUTCOMES: return "outcomes";
    case HARNESS_AREA_REREADS: return "rereads";
    case HARNESS_AREA_DELTAS: return "deltas";
    }
    return NULL;
}

static const char *register_name(const struct harness_universe *universe, uint32_t slot)
{
    return universe->registers[universe->slots[slot].register_index].name;
}

/* "less" or "1" */
static void value_text(const struct universe_slot *slot, uint32_t value, char *out, size_t size)
{
    size_t count;
    const struct pica_enum_value *const values = pica_enum_values(slot->field->enumeration, &count);
    if (value < count)
        (void)snprintf(out, size, "%s", values[value].text);
    else
        (void)snprintf(out, size, "%u", (unsigned)value);
}

static void field_name(const struct harness_universe *universe, const struct universe_item *item, char *out,
                       size_t size)
{
    static const char *const classes[UNIVERSE_CLASSES] = { "zero", "maximum", "reset", "other" };
    (void)snprintf(out, size, "%s.%s %s", register_name(universe, item->a), universe->slots[item->a].field->name,
                   classes[item->detail]);
}

/* One side of a pair, or a value alone. A pair of a stage with instances is named after the first that it can be in. */
static void side_name(const struct harness_universe *universe, uint32_t slot_index, uint32_t value, char *out,
                      size_t size)
{
    const struct universe_slot *const slot = &universe->slots[slot_index];
    char text[UNIVERSE_NAME_SIZE];
    value_text(slot, value, text, sizeof text);
    (void)snprintf(out, size, "%s.%s=%s", register_name(universe, slot_index), slot->field->name, text);
}

static void pair_name(const struct harness_universe *universe, const struct universe_item *item, char *out, size_t size)
{
    char a[2 * UNIVERSE_NAME_SIZE], b[2 * UNIVERSE_NAME_SIZE];
    side_name(universe, item->a, item->va, a, sizeof a);
    side_name(universe, item->b, item->vb, b, sizeof b);
    (void)snprintf(out, size, "%s x %s", a, b);
}

static void operand_name(uint32_t opcode, uint32_t operand, char *out, size_t size)
{
    static const char *const sources[8] = { "v", "r", "c", "c[a0.x]", "c[a0.y]", "c[aL]", "swizzled", "negated" };
    const char *const mnemonic = pica_opcode_info(opcode)->mnemonic;
    size_t count;
    const struct pica_enum_value *const compares = pica_enum_values(PICA_ENUM_SHADER_COMPARE, &count);
    if (operand < PICA_OPERAND_FEATURE_DEST_O)
        (void)snprintf(out, size, "%s source%u %s", mnemonic, (unsigned)(operand / 8u + 1u), sources[operand % 8u]);
    else if (operand < PICA_OPERAND_FEATURE_MASK)
        (void)snprintf(out, size, "%s dest %s", mnemonic, operand == PICA_OPERAND_FEATURE_DEST_O ? "o" : "r");
    else if (operand < PICA_OPERAND_FEATURE_COMPARE_X)
        (void)snprintf(out, size, "%s mask %s%s%s%s%s", mnemonic, operand % 16u == 0 ? "none" : "",
                       operand & 1u ? "x" : "", operand & 2u ? "y" : "", operand & 4u ? "z" : "",
                       operand & 8u ? "w" : "");
    else
        (void)snprintf(out, size, "%s %s %s", mnemonic, operand < PICA_OPERAND_FEATURE_COMPARE_Y ? "x" : "y",
                       compares[operand % 8u].text);
}

static void outcome_name(const struct universe_item *item, char *out, size_t size)
{
    size_t count;
    const struct pica_feature_info *const line = &pica_features(&count)[item->b];
    const uint32_t index = item->a - line->first;
    const struct pica_enum_value *const values = pica_enum_values(line->enumeration, &count);
    if (values != NULL)
        (void)snprintf(out, size, "%s: %s", line->text, values[index].text);
    else if (line->count > 1)
        (void)snprintf(out, size, "%s %u", line->text, (unsigned)index);
    else
        (void)snprintf(out, size, "%s", line->text);
}

/* "texture after memory fill", "texture after memory fill of its last part, read before" */
static void reread_name(const struct universe_item *item, char *out, size_t size)
{
    static const char *const details[UNIVERSE_REREADS] = { "", ", read before", " of its first part, read before",
                                                           " of its last part, read before", " inside, read before" };
    (void)snprintf(out, size, "%s after %s%s", harness_range_kind_name((enum harness_range_kind)item->a),
                   harness_writer_name((enum harness_writer)item->b), details[item->detail]);
}

void harness_item_name(const struct harness_universe *universe, size_t index, char *out, size_t size)
{
    const struct universe_item *const item = &universe->items[index];
    switch ((enum harness_area)item->area) {
    case HARNESS_AREA_REGISTERS: (void)snprintf(out, size, "%s", universe->registers[item->a].name); return;
    case HARNESS_AREA_FIELDS: field_name(universe, item, out, size); return;
    case HARNESS_AREA_VALUES: side_name(universe, item->a, item->va, out, size); return;
    case HARNESS_AREA_PAIRS: pair_name(universe, item, out, size); return;
    case HARNESS_AREA_OPCODES:
        (void)snprintf(out, size, "%02X %s", (unsigned)item->a, pica_opcode_info(item->a)->mnemonic);
        return;
    case HARNESS_AREA_OPERANDS: operand_name(item->a, item->va, out, size); return;
    case HARNESS_AREA_EVENTS: (void)snprintf(out, size, "%s", pica_event_info((enum pica_event)item->a)->name); return;
    case HARNESS_AREA_OUTCOMES: outcome_name(item, out, size); return;
    case HARNESS_AREA_REREADS: reread_name(item, out, size); return;
    case HARNESS_AREA_DELTAS: (void)snprintf(out, size, "%s", universe->registers[item->a].name); return;
    }
}
