/*
 * The pairs of the universe: two values of two small fields of one stage. The instances of a stage (six combiner
 * stages, three texture units) share their pairs: what matters is that the two values met, not where. A pair is left
 * out if the conditions of pica/stages.def say that the two can never matter together.
 *
 * Worked number: of the 16 x 16 pairs of rgb_mode and rgb_source2, only those with the modes interpolate,
 * multiply-add and add-multiply are items, as the other modes do not read the third source (TEV-17): 3 x 16.
 */
#include "harness/coverage/universe_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool forms_pairs(const struct universe_slot *slot)
{
    const enum pica_field_type type = slot->field->type;
    const bool is_small = (type == PICA_FIELD_UNSIGNED || type == PICA_FIELD_MASK) && slot->field->width <= 2;
    return (type == PICA_FIELD_ENUM && slot->field->width <= 5) || type == PICA_FIELD_FLAG || is_small;
}

/* Are the two the same field of two instances of a stage (or of one register)? */
static bool is_same_family(const struct harness_universe *universe, const struct universe_slot *a,
                           const struct universe_slot *b)
{
    size_t count;
    const struct pica_stage_member *const members = pica_stage_members(&count);
    const struct universe_register *const x = &universe->registers[a->register_index];
    const struct universe_register *const y = &universe->registers[b->register_index];
    if (a->field != b->field || x->stage != y->stage)
        return false;
    char expected[UNIVERSE_NAME_SIZE];
    const char *const first = strpbrk(x->name, "0123456789");
    bool has_instances = false;
    uint32_t number = 0;
    for (size_t i = 0; i < count; i++)
        has_instances = has_instances || (members[i].stage == x->stage && strchr(members[i].registers, '#') != NULL &&
                                          universe_match(members[i].registers, x->name, &number));
    if (!has_instances || first == NULL)
        return strcmp(x->name, y->name) == 0;
    const char *rest = first;
    while (isdigit((unsigned char)*rest))
        rest++;
    (void)snprintf(expected, sizeof expected, "%.*s%u%s", (int)(first - x->name), x->name, (unsigned)y->instance, rest);
    return strcmp(expected, y->name) == 0;
}

/* Numbers the small fields of each stage; instances share theirs. */
static void number_slots(struct harness_universe *universe)
{
    for (uint32_t s = 0; s < universe->slot_count; s++) {
        struct universe_slot *const slot = &universe->slots[s];
        const enum pica_stage stage = universe->registers[slot->register_index].stage;
        if (!pica_stage_info(stage)->pairs || !forms_pairs(slot) || universe->registers[slot->register_index].is_index)
            continue;
        for (uint32_t other = 0; other < s && slot->local == UINT32_MAX; other++)
            if (universe->slots[other].local != UINT32_MAX && is_same_family(universe, &universe->slots[other], slot))
                slot->local = universe->slots[other].local;
        if (slot->local == UINT32_MAX)
            slot->local = universe->matrices[stage].size++;
    }
}

static void add_group(struct harness_universe *universe, enum pica_stage stage, uint32_t instance)
{
    struct universe_group *const group = &universe->groups[universe->group_count];
    *group = (struct universe_group){ .stage = stage, .first = universe->group_slot_count };
    for (uint32_t s = 0; s < universe->slot_count; s++) {
        const struct universe_register *const entry = &universe->registers[universe->slots[s].register_index];
        if (entry->stage != stage || entry->instance != instance || universe->slots[s].local == UINT32_MAX ||
            universe->group_slot_count == UNIVERSE_GROUP_SLOTS || group->count == UNIVERSE_GROUP_MOST)
            continue;
        group->gate_first = entry->gate_first;
        group->gate_span = entry->gate_span;
        universe->group_slots[universe->group_slot_count++] = s;
        group->count++;
    }
    if (group->count > 1)
        universe->group_count++;
    else
        universe->group_slot_count = group->first;
}

/* The values of the slot `gate`, a bit each, with which this slot matters; all if it has no condition on it. */
static uint32_t demanded(const struct universe_slot *slot, uint32_t gate)
{
    uint32_t values = UINT32_MAX;
    for (uint32_t i = 0; i < slot->condition_count; i++)
        if (slot->conditions[i].slot == gate)
            values &= slot->conditions[i].values;
    return values;
}

static bool is_value_visible(const struct universe_slot *slot, uint32_t value)
{
    if (slot->field->type == PICA_FIELD_FLAG && (slot->hidden_classes >> value & 1u) != 0)
        return false; /* the classes of a flag are its values */
    const bool is_removal = slot->removal_gate != 0 && slot->removal_value == value;
    return !is_removal && (slot->hidden >> value & 1u) == 0;
}

/* Can both values matter in one draw? Not if one field matters only with another value of the other, or if both need
 * different values of a third one. */
static bool is_pair_possible(const struct harness_universe *universe, const uint32_t slots[2], const uint32_t values[2])
{
    const struct universe_slot *const a = &universe->slots[slots[0]];
    const struct universe_slot *const b = &universe->slots[slots[1]];
    if (!is_value_visible(a, values[0]) || !is_value_visible(b, values[1]))
        return false;
    if ((demanded(a, slots[1]) >> values[1] & 1u) == 0 || (demanded(b, slots[0]) >> values[0] & 1u) == 0)
        return false;
    for (uint32_t i = 0; i < a->condition_count; i++) {
        const uint32_t gate = a->conditions[i].slot;
        if ((demanded(a, gate) & demanded(b, gate)) == 0)
            return false;
    }
    return true;
}

static void add_pairs_of(struct harness_universe *universe, enum pica_stage stage, const uint32_t slots[2])
{
    const struct universe_slot *const a = &universe->slots[slots[0]];
    const struct universe_slot *const b = &universe->slots[slots[1]];
    const struct universe_matrix *const matrix = &universe->matrices[stage];
    const uint32_t base = matrix->bases[a->local * matrix->size + b->local];
    const uint32_t count_b = universe_value_count(b);
    for (uint32_t va = 0; va < universe_value_count(a); va++)
        for (uint32_t vb = 0; vb < count_b; vb++) {
            uint32_t *const item = &universe->pair_items[base + va * count_b + vb];
            if (*item != universe_no_item || !is_pair_possible(universe, slots, (uint32_t[2]){ va, vb }))
                continue;
            *item = universe_add_item(universe, (struct universe_item){ .area = HARNESS_AREA_PAIRS,
                                                                        .a = (uint16_t)slots[0],
                                                                        .b = (uint16_t)slots[1],
                                                                        .va = (uint8_t)va,
                                                                        .vb = (uint8_t)vb });
        }
}

typedef void (*pair_visitor)(struct harness_universe *universe, enum pica_stage stage, const uint32_t slots[2]);

static void visit_pairs(struct harness_universe *universe, pair_visitor visit)
{
    for (uint32_t g = 0; g < universe->group_count; g++) {
        const struct universe_group *const group = &universe->groups[g];
        const uint32_t *const slots = &universe->group_slots[group->first];
        for (uint32_t i = 0; i < group->count; i++)
            for (uint32_t j = i + 1; j < group->count; j++)
                visit(universe, group->stage, (uint32_t[2]){ slots[i], slots[j] });
    }
}

/* Decides where the pairs of two fields begin in pair_items; pair_item_count counts all so far. */
static void place_pairs(struct harness_universe *universe, enum pica_stage stage, const uint32_t slots[2])
{
    const struct universe_slot *const a = &universe->slots[slots[0]];
    const struct universe_slot *const b = &universe->slots[slots[1]];
    const struct universe_matrix *const matrix = &universe->matrices[stage];
    uint32_t *const base = &matrix->bases[a->local * matrix->size + b->local];
    if (*base != universe_no_item)
        return;
    *base = universe->pair_item_count;
    universe->pair_item_count += universe_value_count(a) * universe_value_count(b);
}

/* An array of `count` times universe_no_item; NULL without memory, which the universe notes. */
static uint32_t *no_items(struct harness_universe *universe, size_t count)
{
    uint32_t *const items = malloc((count + 1u) * sizeof *items);
    universe->failed = universe->failed || items == NULL;
    if (items != NULL)
        memset(items, 0xFF, count * sizeof *items);
    return items;
}

void universe_add_pairs(struct harness_universe *universe)
{
    number_slots(universe);
    for (uint32_t stage = 0; stage < PICA_STAGE_TOTAL; stage++) {
        struct universe_matrix *const matrix = &universe->matrices[stage];
        matrix->bases = no_items(universe, (size_t)matrix->size * matrix->size);
        if (matrix->bases == NULL)
            return;
        for (uint32_t instance = 0; instance < UNIVERSE_INSTANCES && matrix->size > 1; instance++)
            add_group(universe, (enum pica_stage)stage, instance);
    }
    visit_pairs(universe, place_pairs);
    universe->pair_items = no_items(universe, universe->pair_item_count);
    if (universe->pair_items != NULL)
        visit_pairs(universe, add_pairs_of);
}
