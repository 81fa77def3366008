/*
 * Builds the universe of semantic coverage out of pica's tables: registers and their stages, fields and the conditions
 * under which they matter, then the items, area by area.
 */
#include "harness/coverage/universe_parts.h"

#include "harness/case/grow.h"

#include "pica/events.h"
#include "pica/extregs.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_REGISTERS = PICA_REG_TOTAL + 128,
    MOST_SLOTS = UNIVERSE_GROUP_SLOTS
};

/* ----------------------------------------------------------------------------------------------------------- names */

bool universe_match(const char *pattern, const char *name, uint32_t *number)
{
    for (; *pattern != '\0'; pattern++) {
        if (*pattern == '*') {
            for (; *name != '\0'; name++)
                if (universe_match(pattern + 1, name, number))
                    return true;
            return pattern[1] == '\0';
        }
        if (*pattern == '#') {
            if (!isdigit((unsigned char)*name))
                return false;
            for (*number = 0; isdigit((unsigned char)*name); name++)
                *number = 10u * *number + (uint32_t)(*name - '0');
        } else if (*pattern != *name++) {
            return false;
        }
    }
    return *name == '\0';
}

/* The pattern with `number` in place of each #. */
static void substitute(const char *pattern, uint32_t number, char out[UNIVERSE_NAME_SIZE])
{
    size_t length = 0;
    out[0] = '\0';
    for (; *pattern != '\0' && length + 12u < UNIVERSE_NAME_SIZE; pattern++) {
        if (*pattern == '#') {
            length += (size_t)snprintf(out + length, UNIVERSE_NAME_SIZE - length, "%u", (unsigned)number);
        } else {
            out[length++] = *pattern;
            out[length] = '\0';
        }
    }
}

static bool is_inert(enum pica_inert_kind kind, const char *name)
{
    size_t count;
    uint32_t number = 0;
    const struct pica_inert *const lines = pica_inerts(&count);
    for (size_t i = 0; i < count; i++)
        if (lines[i].kind == kind && universe_match(lines[i].name, name, &number))
            return true;
    return false;
}

static bool field_is_inert(enum pica_layout layout, const struct pica_field_info *field)
{
    char name[2 * UNIVERSE_NAME_SIZE];
    (void)snprintf(name, sizeof name, "%s.%s", pica_layout_info(layout)->name, field->name);
    return is_inert(PICA_INERT_FIELD, name);
}

/* ------------------------------------------------------------------------------------------------------- registers */

static bool find_stage(const char *name, enum pica_stage *stage, uint32_t *instance)
{
    size_t count;
    const struct pica_stage_member *const members = pica_stage_members(&count);
    for (size_t i = 0; i < count; i++) {
        *instance = 0;
        if (universe_match(members[i].registers, name, instance)) {
            *stage = members[i].stage;
            return true;
        }
    }
    return false;
}

static void add_register(struct harness_universe *universe, enum pica_stage_when when,
                         const struct universe_register *candidate)
{
    struct universe_register entry = *candidate;
    const enum pica_inert_kind kind = entry.space == UNIVERSE_INTERNAL ? PICA_INERT_REGISTER : PICA_INERT_EXTREG;
    if (is_inert(kind, entry.name) || !find_stage(entry.name, &entry.stage, &entry.instance))
        return;
    const struct pica_stage_info *const stage = pica_stage_info(entry.stage);
    if (stage->when != when)
        return;
    entry.gate_first = stage->gate.first + stage->gate.step * entry.instance;
    entry.gate_span = stage->gate.span;
    universe->registers[universe->register_count++] = entry;
}

static void add_external(struct harness_universe *universe, enum pica_stage_when when, enum universe_space space)
{
    size_t count;
    const bool is_lcd = space == UNIVERSE_LCD;
    const struct pica_extreg_info *const infos = is_lcd ? pica_lcdregs(&count) : pica_extregs(&count);
    for (size_t i = 0; i < count; i++)
        add_register(universe, when,
                     &(struct universe_register){ .space = space,
                                                  .index = is_lcd ? (uint32_t)i : infos[i].address,
                                                  .name = infos[i].name,
                                                  .layout = infos[i].layout,
                                                  .reset = infos[i].reset });
}

static void add_registers(struct harness_universe *universe)
{
    for (uint32_t when = 0; when < UNIVERSE_WHENS; when++) {
        universe->when_registers[when] = universe->register_count;
        for (uint32_t id = 0; id < PICA_REG_TOTAL; id++) {
            const struct pica_reg_info *const info = pica_reg_info(id);
            add_register(universe, (enum pica_stage_when)when,
                         &(struct universe_register){ .space = UNIVERSE_INTERNAL,
                                                      .index = id,
                                                      .name = info->name,
                                                      .layout = info->layout,
                                                      .reset = info->reset,
                                                      .is_port = info->reg_class == PICA_REG_CLASS_PORT,
                                                      .is_index = info->reg_class == PICA_REG_CLASS_INDEX });
        }
        add_external(universe, (enum pica_stage_when)when, UNIVERSE_EXTERNAL);
        add_external(universe, (enum pica_stage_when)when, UNIVERSE_LCD);
    }
    universe->when_registers[UNIVERSE_WHENS] = universe->register_count;
}

/* ----------------------------------------------------------------------------------------------------------- slots */

static void add_slots(struct harness_universe *universe)
{
    for (uint32_t r = 0; r < universe->register_count; r++) {
        struct universe_register *const entry = &universe->registers[r];
        entry->first_slot = universe->slot_count;
        size_t count;
        const struct pica_field_info *const fields = pica_layout_fields(entry->layout, &count);
        for (size_t f = 0; f < count && universe->slot_count < MOST_SLOTS; f++)
            if (!entry->is_port && !field_is_inert(entry->layout, &fields[f]))
                universe->slots[universe->slot_count++] = (struct universe_slot){
                    .register_index = r, .field = &fields[f], .local = UINT32_MAX, .first_value = universe_no_item
                };
        entry->slot_count = universe->slot_count - entry->first_slot;
    }
}

static uint32_t find_slot(const struct harness_universe *universe, const char *register_name, const char *field)
{
    for (uint32_t s = 0; s < universe->slot_count; s++)
        if (strcmp(universe->slots[s].field->name, field) == 0 &&
            strcmp(universe->registers[universe->slots[s].register_index].name, register_name) == 0)
            return s;
    return UINT32_MAX;
}

/* Does a line with these two patterns name the slot? *number gets what # stands for. */
static bool speaks_of(const struct harness_universe *universe, const struct universe_slot *slot, const char *registers,
                      const char *fields, uint32_t *number)
{
    *number = universe->registers[slot->register_index].instance;
    return universe_match(registers, universe->registers[slot->register_index].name, number) &&
           universe_match(fields, slot->field->name, number);
}

static void add_conditions(struct harness_universe *universe, struct universe_slot *slot)
{
    size_t count;
    const struct pica_used_if *const lines = pica_used_if_lines(&count);
    for (size_t i = 0; i < count; i++) {
        uint32_t number;
        char register_name[UNIVERSE_NAME_SIZE], field[UNIVERSE_NAME_SIZE];
        if (!speaks_of(universe, slot, lines[i].registers, lines[i].fields, &number))
            continue;
        substitute(lines[i].gate_register, number, register_name);
        substitute(lines[i].gate_field, number, field);
        const uint32_t gate = find_slot(universe, register_name, field);
        if (gate == UINT32_MAX || slot->condition_count == UNIVERSE_CONDITIONS)
            continue;
        slot->conditions[slot->condition_count].slot = gate;
        slot->conditions[slot->condition_count++].values = lines[i].values;
    }
}

static void add_gates(const struct harness_universe *universe, struct universe_slot *slot)
{
    size_t count;
    const struct pica_used_when *const lines = pica_used_when_lines(&count);
    for (size_t i = 0; i < count; i++) {
        uint32_t number;
        if (!speaks_of(universe, slot, lines[i].registers, lines[i].fields, &number) ||
            slot->gate_count == UNIVERSE_GATES)
            continue;
        slot->gates[slot->gate_count].first = lines[i].gate.first + lines[i].gate.step * number;
        slot->gates[slot->gate_count++].span = lines[i].gate.span;
    }
}

static void hide_values(const struct harness_universe *universe, struct universe_slot *slot)
{
    size_t count;
    uint32_t number;
    const struct pica_unobservable *const lines = pica_unobservables(&count);
    for (size_t i = 0; i < count; i++)
        if (speaks_of(universe, slot, lines[i].registers, lines[i].fields, &number)) {
            slot->hidden |= lines[i].values;
            slot->hidden_classes |= lines[i].classes;
        }
    const struct pica_removal *const removals = pica_removals(&count);
    for (size_t i = 0; i < count; i++)
        if (speaks_of(universe, slot, removals[i].register_name, removals[i].field, &number)) {
            slot->removal_value = removals[i].value;
            slot->removal_gate = removals[i].gate;
            universe->registers[slot->register_index].removes = true;
        }
}

/* ----------------------------------------------------------------------------------------------------------- items */

uint32_t universe_add_item(struct harness_universe *universe, struct universe_item item)
{
    struct universe_item *const items = harness_grow(universe->items, universe->item_count, sizeof *items);
    universe->failed = universe->failed || items == NULL;
    if (items == NULL)
        return universe_no_item;
    universe->items = items;
    universe->items[universe->item_count] = item;
    return universe->item_count++;
}

static bool is_enumeration(const struct universe_slot *slot)
{
    return slot->field->type == PICA_FIELD_ENUM;
}

uint32_t universe_class_of(const struct universe_slot *slot, uint32_t reset, uint32_t value)
{
    const uint32_t maximum = UINT32_MAX >> (32u - slot->field->width);
    if (value == 0)
        return PICA_CLASS_ZERO;
    if (value == maximum)
        return PICA_CLASS_MAXIMUM;
    return value == pica_field_get(slot->field, reset) ? PICA_CLASS_RESET : PICA_CLASS_OTHER;
}

/* The classes of values that a field has. One of one bit has no other value than 0 and the maximum; few have a reset
 * value that is neither. */
static uint32_t classes_of(const struct universe_slot *slot, uint32_t reset)
{
    const uint32_t of_reset = universe_class_of(slot, reset, pica_field_get(slot->field, reset));
    const uint32_t other = slot->field->width > 1 ? PICA_CLASS_OTHER : 0;
    return PICA_CLASS_ZERO | PICA_CLASS_MAXIMUM | of_reset | other;
}

static void add_field_items(struct harness_universe *universe)
{
    for (uint32_t s = 0; s < universe->slot_count; s++) {
        struct universe_slot *const slot = &universe->slots[s];
        const uint32_t reset = universe->registers[slot->register_index].reset;
        for (uint32_t c = 0; c < UNIVERSE_CLASSES; c++) {
            const bool is_item = !is_enumeration(slot) && (classes_of(slot, reset) >> c & 1u) != 0 &&
                                 (slot->hidden_classes >> c & 1u) == 0;
            slot->class_items[c] = universe_no_item;
            if (is_item)
                slot->class_items[c] = universe_add_item(
                    universe,
                    (struct universe_item){ .area = HARNESS_AREA_FIELDS, .detail = (uint8_t)c, .a = (uint16_t)s });
        }
    }
}

/* One item for each value. Hidden values have one, too, since the item of a value is first_value + value. */
static void add_value_items(struct harness_universe *universe)
{
    for (uint32_t s = 0; s < universe->slot_count; s++) {
        struct universe_slot *const slot = &universe->slots[s];
        if (!is_enumeration(slot) || slot->hidden == UINT64_MAX)
            continue;
        slot->first_value = universe->item_count;
        for (uint32_t v = 0; v < universe_value_count(slot); v++)
            (void)universe_add_item(
                universe, (struct universe_item){ .area = HARNESS_AREA_VALUES, .a = (uint16_t)s, .va = (uint8_t)v });
    }
}

/* ---------------------------------------------------------------------------------------- shaders, events, outcomes */

static void add_operand_item(struct harness_universe *universe, uint32_t opcode, uint32_t operand)
{
    (void)universe_add_item(
        universe,
        (struct universe_item){ .area = HARNESS_AREA_OPERANDS, .a = (uint16_t)opcode, .va = (uint8_t)operand });
}

static void add_source_items(struct harness_universe *universe, uint32_t opcode, uint32_t source,
                             enum pica_operand_kind kind)
{
    const uint32_t base = PICA_OPERAND_FEATURE_SOURCE * source;
    if (kind != PICA_OPERAND_WIDE && kind != PICA_OPERAND_NARROW)
        return;
    for (uint32_t f = PICA_OPERAND_FEATURE_V; f <= PICA_OPERAND_FEATURE_NEGATED; f++)
        if (kind == PICA_OPERAND_WIDE || f < PICA_OPERAND_FEATURE_C || f > PICA_OPERAND_FEATURE_C_AL)
            add_operand_item(universe, opcode, base + f);
}

static void add_operand_items(struct harness_universe *universe)
{
    for (uint32_t opcode = 0; opcode < PICA_OPCODE_TOTAL; opcode++) {
        const struct pica_opcode_info *const info = pica_opcode_info(opcode);
        if ((uint32_t)info->first != opcode)
            continue;
        for (uint32_t source = 0; source < 3; source++)
            add_source_items(universe, opcode, source, info->sources[source]);
        if (info->dest == PICA_OPERAND_REGISTER) {
            add_operand_item(universe, opcode, PICA_OPERAND_FEATURE_DEST_O);
            add_operand_item(universe, opcode, PICA_OPERAND_FEATURE_DEST_R);
        }
        for (uint32_t mask = 0; mask < 16; mask++) {
            if (info->dest == PICA_OPERAND_REGISTER || info->dest == PICA_OPERAND_ADDRESS)
                add_operand_item(universe, opcode, PICA_OPERAND_FEATURE_MASK + mask);
            if (info->dest == PICA_OPERAND_COMPARE)
                add_operand_item(universe, opcode, PICA_OPERAND_FEATURE_COMPARE_X + mask);
        }
    }
}

static bool is_possible(uint32_t counter)
{
    size_t count;
    const struct pica_impossible *const lines = pica_impossibles(&count);
    for (size_t i = 0; i < count; i++)
        if (lines[i].counter == counter)
            return false;
    return true;
}

/* Does this outcome count even if no pixel changes, because it is outside of draws, or is what keeps pixels away? */
static bool is_always_effective(const struct pica_feature_info *line, uint32_t counter)
{
    size_t count;
    const struct pica_removal *const removals = pica_removals(&count);
    bool result = line->kind == PICA_FEATURE_KIND_STREAM;
    for (size_t i = 0; i < count; i++)
        result = result || removals[i].gate == counter;
    return result;
}

static void add_outcome_items(struct harness_universe *universe)
{
    size_t count;
    const struct pica_feature_info *const lines = pica_features(&count);
    for (size_t line = 0; line < count; line++)
        for (uint32_t i = 0; i < lines[line].count; i++)
            if ((lines[line].kind == PICA_FEATURE_KIND_OUTCOME || lines[line].kind == PICA_FEATURE_KIND_STREAM) &&
                is_possible(lines[line].first + i))
                (void)universe_add_item(universe, (struct universe_item){ .area = HARNESS_AREA_OUTCOMES,
                                                                          .detail = is_always_effective(
                                                                              &lines[line], lines[line].first + i),
                                                                          .a = (uint16_t)(lines[line].first + i),
                                                                          .b = (uint16_t)line });
}

static void add_reread_items(struct harness_universe *universe)
{
    for (uint32_t kind = 0; kind < HARNESS_RANGE_KINDS; kind++)
        for (uint32_t writer = 0; writer < HARNESS_WRITERS; writer++)
            for (uint32_t detail = 0; detail < UNIVERSE_REREADS; detail++)
                (void)universe_add_item(universe, (struct universe_item){ .area = HARNESS_AREA_REREADS,
                                                                          .detail = (uint8_t)detail,
                                                                          .a = (uint16_t)kind,
                                                                          .b = (uint16_t)writer });
}

/* One item for each register and port that draws look at. */
static void add_delta_items(struct harness_universe *universe)
{
    struct harness_deltas *const deltas = malloc(sizeof *deltas);
    universe->failed = universe->failed || deltas == NULL;
    if (deltas == NULL)
        return;
    harness_deltas_init(deltas);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        universe->delta_items[id] = universe_no_item;
    for (uint32_t r = universe->when_registers[PICA_STAGE_WHEN_DRAW];
         r < universe->when_registers[PICA_STAGE_WHEN_DRAW + 1]; r++)
        if (universe->registers[r].space == UNIVERSE_INTERNAL &&
            harness_delta_is_named(deltas, universe->registers[r].index))
            universe->delta_items[universe->registers[r].index] =
                universe_add_item(universe, (struct universe_item){ .area = HARNESS_AREA_DELTAS, .a = (uint16_t)r });
    free(deltas);
}

static void add_register_items(struct harness_universe *universe)
{
    for (uint32_t r = 0; r < universe->register_count; r++)
        universe->registers[r].item =
            universe_add_item(universe, (struct universe_item){ .area = HARNESS_AREA_REGISTERS, .a = (uint16_t)r });
}

static void add_opcode_items(struct harness_universe *universe)
{
    for (uint32_t opcode = 0; opcode < PICA_OPCODE_TOTAL; opcode++)
        (void)universe_add_item(universe,
                                (struct universe_item){ .area = HARNESS_AREA_OPCODES, .a = (uint16_t)opcode });
}

static void add_event_items(struct harness_universe *universe)
{
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++)
        if (pica_event_info((enum pica_event)event)->event_class != PICA_EVENT_CLASS_GONE)
            (void)universe_add_item(universe,
                                    (struct universe_item){ .area = HARNESS_AREA_EVENTS, .a = (uint16_t)event });
}

static bool add_items(struct harness_universe *universe)
{
    static void (*const adders[HARNESS_AREA_TOTAL])(struct harness_universe * universe) = {
        [HARNESS_AREA_REGISTERS] = add_register_items, [HARNESS_AREA_FIELDS] = add_field_items,
        [HARNESS_AREA_VALUES] = add_value_items,       [HARNESS_AREA_PAIRS] = universe_add_pairs,
        [HARNESS_AREA_OPCODES] = add_opcode_items,     [HARNESS_AREA_OPERANDS] = add_operand_items,
        [HARNESS_AREA_EVENTS] = add_event_items,       [HARNESS_AREA_OUTCOMES] = add_outcome_items,
        [HARNESS_AREA_REREADS] = add_reread_items,     [HARNESS_AREA_DELTAS] = add_delta_items,
    };
    for (uint32_t area = 0; area < HARNESS_AREA_TOTAL && !universe->failed; area++) {
        universe->area_first[area] = universe->item_count;
        adders[area](universe);
    }
    universe->area_first[HARNESS_AREA_TOTAL] = universe->item_count;
    return !universe->failed;
}

/* ------------------------------------------------------------------------------------------------------------- life */

static bool allocate(struct harness_universe *universe)
{
    universe->registers = calloc(MOST_REGISTERS, sizeof *universe->registers);
    universe->slots = calloc(MOST_SLOTS, sizeof *universe->slots);
    universe->groups = calloc((size_t)PICA_STAGE_TOTAL * UNIVERSE_INSTANCES + 1u, sizeof *universe->groups);
    universe->group_slots = calloc(UNIVERSE_GROUP_SLOTS, sizeof *universe->group_slots);
    return universe->registers != NULL && universe->slots != NULL && universe->groups != NULL &&
           universe->group_slots != NULL;
}

static bool build(struct harness_universe *universe)
{
    add_registers(universe);
    add_slots(universe);
    for (uint32_t s = 0; s < universe->slot_count; s++) {
        add_conditions(universe, &universe->slots[s]);
        add_gates(universe, &universe->slots[s]);
        hide_values(universe, &universe->slots[s]);
    }
    return add_items(universe);
}

struct harness_universe *harness_universe_create(void)
{
    struct harness_universe *const universe = calloc(1, sizeof *universe);
    if (universe == NULL)
        return NULL;
    if (allocate(universe) && build(universe))
        return universe;
    harness_universe_destroy(universe);
    return NULL;
}

void harness_universe_destroy(struct harness_universe *universe)
{
    if (universe == NULL)
        return;
    for (uint32_t stage = 0; stage < PICA_STAGE_TOTAL; stage++)
        free(universe->matrices[stage].bases);
    free(universe->registers);
    free(universe->slots);
    free(universe->groups);
    free(universe->group_slots);
    free(universe->pair_items);
    free(universe->items);
    free(universe);
}

size_t harness_universe_items(const struct harness_universe *universe)
{
    return universe->item_count;
}

void harness_universe_area(const struct harness_universe *universe, enum harness_area area, size_t *first,
                           size_t *count)
{
    *first = universe->area_first[area];
    *count = universe->area_first[area + 1] - universe->area_first[area];
}
