/*
 * Marks what a view shows: the registers of the stages that ran, the values of their fields, pairs of those. In a
 * campaign this must not cost more than the draws themselves. So what depends on a register alone is computed when its
 * word changes, registers whose stage did not run are skipped as a range, and in a hurry an ignored pair costs one
 * byte.
 */
#include "harness/coverage/collector_parts.h"

#include "pica/regs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- values */

static uint32_t word_of(const struct collector_view *view, const struct universe_register *entry)
{
    switch (entry->space) {
    case UNIVERSE_INTERNAL: return view->internal[entry->index];
    case UNIVERSE_EXTERNAL: return view->external[entry->index / 4u];
    case UNIVERSE_LCD: return view->lcd[entry->index];
    }
    return 0; /* not reached */
}

static bool was_written(const struct harness_collector *collector, const struct universe_register *entry)
{
    const uint32_t counter = PICA_FEATURE_REGISTER_WRITTEN + entry->index;
    switch (entry->space) {
    case UNIVERSE_INTERNAL: return collector->total[counter] != 0 || collector->live[counter] != 0;
    case UNIVERSE_EXTERNAL: return collector->external_written[entry->index / 4u] != 0;
    case UNIVERSE_LCD: return collector->lcd_written[entry->index] != 0;
    }
    return false; /* not reached */
}

/* The item of a field that has this value. */
static uint32_t item_of(const struct universe_slot *slot, uint32_t reset, uint32_t value)
{
    if (slot->first_value != universe_no_item)
        return slot->first_value + value;
    const uint32_t class_bit = universe_class_of(slot, reset, value);
    for (uint32_t c = 0; c < UNIVERSE_CLASSES; c++)
        if ((class_bit >> c & 1u) != 0)
            return slot->class_items[c];
    return universe_no_item; /* not reached */
}

static void read_register(struct harness_collector *collector, uint32_t r, uint32_t word)
{
    const struct universe_register *const entry = &collector->universe->registers[r];
    collector->words[r] = word;
    for (uint32_t s = entry->first_slot; s < entry->first_slot + entry->slot_count; s++) {
        const struct universe_slot *const slot = &collector->universe->slots[s];
        collector->values[s] = pica_field_get(slot->field, word);
        collector->slot_items[s] = item_of(slot, entry->reset, collector->values[s]);
    }
}

/* From one draw to the next, and from one run to the next, few registers change. */
static void read_values_of_draw(struct harness_collector *collector, const uint32_t *internal)
{
    const uint32_t first = collector->universe->when_registers[PICA_STAGE_WHEN_DRAW];
    const uint32_t end = collector->universe->when_registers[PICA_STAGE_WHEN_DRAW + 1];
    for (uint32_t r = first; r < end; r++) {
        const uint32_t word = internal[collector->draw_registers[r - first]];
        if (word != collector->words[r])
            read_register(collector, r, word);
    }
}

static void read_values(struct harness_collector *collector, const struct collector_view *view)
{
    const struct harness_universe *const universe = collector->universe;
    if (view->when == PICA_STAGE_WHEN_DRAW) {
        read_values_of_draw(collector, view->internal);
        return;
    }
    for (uint32_t r = universe->when_registers[view->when]; r < universe->when_registers[view->when + 1]; r++) {
        const uint32_t word = word_of(view, &universe->registers[r]);
        if (word != collector->words[r])
            read_register(collector, r, word);
    }
}

/* --------------------------------------------------------------------------------------------------------- marking */

static bool matters(const struct harness_collector *collector, const struct collector_view *view,
                    const struct universe_slot *slot)
{
    for (uint32_t i = 0; i < slot->condition_count; i++) {
        const uint32_t value = collector->values[slot->conditions[i].slot];
        if (value > 31u || (slot->conditions[i].values >> value & 1u) == 0)
            return false;
    }
    for (uint32_t i = 0; i < slot->gate_count; i++)
        if (!collector_is_open(view->counters, slot->gates[i].first, slot->gates[i].span))
            return false;
    return true;
}

/* REMOVES of pica/stages.def. */
static bool removed_pixels(const struct collector_view *view, const struct universe_slot *slot, uint32_t value)
{
    return slot->removal_gate != 0 && slot->removal_value == value && view->counters[slot->removal_gate] != 0;
}

/* A register matters if one of its fields does; one without fields, if its stage ran. */
static void mark_register(struct harness_collector *collector, const struct collector_view *view,
                          const struct universe_register *entry, bool open)
{
    bool used = entry->slot_count == 0;
    for (uint32_t s = entry->first_slot; s < entry->first_slot + entry->slot_count; s++) {
        const struct universe_slot *const slot = &collector->universe->slots[s];
        const bool slot_used = open && matters(collector, view, slot);
        const bool removed = entry->removes && removed_pixels(view, slot, collector->values[s]);
        collector->used[s] = slot_used;
        used = used || slot_used;
        collector_mark(collector, collector->slot_items[s], (slot_used && view->effect) || removed);
    }
    if (was_written(collector, entry))
        collector_mark(collector, entry->item, open && used && view->effect);
}

static void mark_range(struct harness_collector *collector, const struct collector_view *view,
                       struct collector_range *range)
{
    const bool open = collector_is_open(view->counters, range->first->gate_first, range->first->gate_span);
    if (open || collector->hits == NULL || range->removes) {
        for (uint32_t i = 0; i < range->count; i++)
            mark_register(collector, view, &range->first[i], open);
    } else if (range->has_used) { /* closed: none of it matters, and in a hurry nothing else is marked */
        memset(collector->used + range->first_slot, 0, range->slot_count);
    }
    range->has_used = open;
}

static void mark_group(struct harness_collector *collector, const struct collector_view *view,
                       const struct universe_group *group)
{
    const struct harness_universe *const universe = collector->universe;
    const struct universe_matrix *const matrix = &universe->matrices[group->stage];
    const uint32_t *const slots = &universe->group_slots[group->first];
    for (uint32_t i = 0; i < group->count; i++) {
        const struct universe_slot *const a = &universe->slots[slots[i]];
        const uint32_t *const bases = &matrix->bases[a->local * matrix->size];
        for (uint32_t j = i + 1; j < group->count; j++) {
            const struct universe_slot *const b = &universe->slots[slots[j]];
            const uint32_t cell = collector->values[slots[i]] * universe_value_count(b) + collector->values[slots[j]];
            const bool used = (collector->used[slots[i]] & collector->used[slots[j]]) != 0;
            collector_mark(collector, universe->pair_items[bases[b->local] + cell], used && view->effect);
        }
    }
}

/* Marks a pair, or, once its item is ignored, notes that for the next time. Soon nearly all are ignored. */
static void mark_pair(struct harness_collector *collector, uint32_t pair)
{
    const uint32_t item = collector->universe->pair_items[pair];
    if (collector_is_quiet(collector, item))
        collector->quiet_pairs[pair] = 1;
    else
        collector_mark(collector, item, true);
}

/* The same in a hurry: only pairs of fields that matter. */
static void mark_used_of_group(struct harness_collector *collector, const struct universe_group *group)
{
    const struct harness_universe *const universe = collector->universe;
    const struct universe_matrix *const matrix = &universe->matrices[group->stage];
    struct {
        uint32_t local, width, value;
    } used[UNIVERSE_GROUP_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        const uint32_t s = universe->group_slots[group->first + i];
        if (collector->used[s] == 0)
            continue;
        used[count].local = universe->slots[s].local;
        used[count].width = universe->slots[s].field->width;
        used[count++].value = collector->values[s];
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *const bases = &matrix->bases[used[i].local * matrix->size];
        for (uint32_t j = i + 1; j < count; j++) {
            const uint32_t pair = bases[used[j].local] + (used[i].value << used[j].width) + used[j].value;
            if (collector->quiet_pairs[pair] == 0)
                mark_pair(collector, pair);
        }
    }
}

void collector_mark_view(struct harness_collector *collector, const struct collector_view *view)
{
    const struct harness_universe *const universe = collector->universe;
    read_values(collector, view);
    for (uint32_t i = collector->when_ranges[view->when]; i < collector->when_ranges[view->when + 1]; i++)
        mark_range(collector, view, &collector->ranges[i]);
    for (uint32_t g = 0; g < universe->group_count && collector->pairs; g++) {
        const struct universe_group *const group = &universe->groups[g];
        if (pica_stage_info(group->stage)->when != view->when ||
            !collector_is_open(view->counters, group->gate_first, group->gate_span))
            continue;
        if (collector->draws_without_effect)
            mark_group(collector, view, group);
        else
            mark_used_of_group(collector, group);
    }
}

/* ------------------------------------------------------------------------------------------------------------- life */

static void list_ranges(struct harness_collector *collector)
{
    const struct harness_universe *const universe = collector->universe;
    uint32_t count = 0;
    for (uint32_t when = 0; when < UNIVERSE_WHENS; when++) {
        collector->when_ranges[when] = count;
        for (uint32_t r = universe->when_registers[when]; r < universe->when_registers[when + 1]; r++) {
            const struct universe_register *const entry = &universe->registers[r];
            struct collector_range *range = count != 0 ? &collector->ranges[count - 1] : NULL;
            if (range == NULL || count == collector->when_ranges[when] ||
                entry->gate_first != range->first->gate_first || entry->gate_span != range->first->gate_span) {
                range = &collector->ranges[count++];
                *range = (struct collector_range){ .first = entry, .first_slot = entry->first_slot };
            }
            range->count++;
            range->slot_count = entry->first_slot + entry->slot_count - range->first_slot;
            range->removes = range->removes || entry->removes;
        }
    }
    collector->when_ranges[UNIVERSE_WHENS] = count;
}

static void list_draw_registers(struct harness_collector *collector)
{
    const struct harness_universe *const universe = collector->universe;
    const uint32_t first = universe->when_registers[PICA_STAGE_WHEN_DRAW];
    for (uint32_t r = first; r < universe->when_registers[PICA_STAGE_WHEN_DRAW + 1]; r++) {
        assert(universe->registers[r].space == UNIVERSE_INTERNAL);
        collector->draw_registers[r - first] = (uint16_t)universe->registers[r].index;
    }
}

bool collector_prepare_views(struct harness_collector *collector)
{
    const struct harness_universe *const universe = collector->universe;
    collector->values = calloc(universe->slot_count, sizeof *collector->values);
    collector->slot_items = calloc(universe->slot_count, sizeof *collector->slot_items);
    collector->used = calloc(universe->slot_count, sizeof *collector->used);
    collector->words = calloc(universe->register_count, sizeof *collector->words);
    collector->ranges = calloc(universe->register_count, sizeof *collector->ranges);
    collector->draw_registers = calloc(universe->register_count, sizeof *collector->draw_registers);
    if (collector->values == NULL || collector->slot_items == NULL || collector->used == NULL ||
        collector->words == NULL || collector->ranges == NULL || collector->draw_registers == NULL)
        return false;
    list_ranges(collector);
    list_draw_registers(collector);
    for (uint32_t r = 0; r < universe->register_count; r++)
        read_register(collector, r, 0);
    return true;
}

void collector_forget_views(struct harness_collector *collector)
{
    free(collector->values);
    free(collector->slot_items);
    free(collector->used);
    free(collector->words);
    free(collector->ranges);
    free(collector->draw_registers);
}
