/*
 * Watches a run and marks items. What a draw used is decided when the draw is reported: from its registers, from the
 * counters since the draw before (which stages ran), and from whether it changed a pixel. Engine operations are looked
 * at after the operation, everything else at the end of the run. docs/semantic-coverage.md defines it.
 */
#include "harness/coverage/universe_parts.h"

#include "pica/events.h"
#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <stdlib.h>
#include <string.h>

enum {
    COUNTERS = (PICA_FEATURE_TOTAL + 7) / 8 * 8 /* whole words: most are 0, eight are looked at together */
};

struct harness_collector {
    const struct harness_universe *universe;
    const struct pica_backend *backend;
    void *instance;
    uint8_t *marks;
    uint32_t counter_items[COUNTERS]; /* the item that a counter stands for */
    uint8_t live[COUNTERS];           /* counts since the last draw or operation */
    uint8_t total[COUNTERS];          /* not 0: happened in this run */
    uint32_t external[PICA_EXTERNAL_WORDS];
    uint32_t lcd[2];
    uint8_t external_written[PICA_EXTERNAL_WORDS];
    uint8_t lcd_written[2];
    struct pica_state state;
    struct harness_rereads rereads;
    struct harness_deltas deltas;
    uint32_t *words;  /* of all registers: what `values` were read from */
    uint32_t *values; /* of all slots: the field's value, and whether it matters now */
    uint8_t *used;
    bool draws_without_effect, pairs; /* are looked at */
    uint32_t *hits;                   /* in a hurry: the items with effect, each once; NULL: all items are marked */
    size_t hit_count;
};

/* What is being looked at: a draw, an operation, or the end of a run. */
struct view {
    enum pica_stage_when when;
    const uint32_t *internal, *external, *lcd;
    const uint8_t *counters;
    bool effect;
};

/* ------------------------------------------------------------------------------------------------------------ gates */

static bool is_open(const uint8_t *counters, uint32_t first, uint32_t span)
{
    for (uint32_t i = 0; i < span; i++)
        if (counters[first + i] != 0)
            return true;
    return span == 0;
}

static uint32_t word_of(const struct view *view, const struct universe_register *entry)
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

/* --------------------------------------------------------------------------------------------------------- marking */

static void mark(struct harness_collector *collector, uint32_t item, bool effect)
{
    if (item == universe_no_item)
        return;
    if (collector->hits == NULL) {
        collector->marks[item] |= effect ? HARNESS_MARK_SEEN | HARNESS_MARK_EFFECT : HARNESS_MARK_SEEN;
    } else if (effect && collector->marks[item] == 0) {
        collector->marks[item] = HARNESS_MARK_SEEN | HARNESS_MARK_EFFECT;
        collector->hits[collector->hit_count++] = item;
    }
}

static void read_register(struct harness_collector *collector, uint32_t r, uint32_t word)
{
    const struct universe_register *const entry = &collector->universe->registers[r];
    collector->words[r] = word;
    for (uint32_t s = entry->first_slot; s < entry->first_slot + entry->slot_count; s++)
        collector->values[s] = pica_field_get(collector->universe->slots[s].field, word);
}

/* From one draw to the next, and from one run to the next, few registers change. */
static void read_values(struct harness_collector *collector, const struct view *view)
{
    const struct harness_universe *const universe = collector->universe;
    for (uint32_t r = universe->when_registers[view->when]; r < universe->when_registers[view->when + 1]; r++) {
        const uint32_t word = word_of(view, &universe->registers[r]);
        if (word != collector->words[r])
            read_register(collector, r, word);
    }
}

static bool matters(const struct harness_collector *collector, const struct view *view,
                    const struct universe_slot *slot)
{
    for (uint32_t i = 0; i < slot->condition_count; i++) {
        const uint32_t value = collector->values[slot->conditions[i].slot];
        if (value > 31u || (slot->conditions[i].values >> value & 1u) == 0)
            return false;
    }
    for (uint32_t i = 0; i < slot->gate_count; i++)
        if (!is_open(view->counters, slot->gates[i].first, slot->gates[i].span))
            return false;
    return true;
}

/* REMOVES of pica/stages.def. */
static bool removed_pixels(const struct view *view, const struct universe_slot *slot, uint32_t value)
{
    return slot->removal_gate != 0 && slot->removal_value == value && view->counters[slot->removal_gate] != 0;
}

static void mark_slot(struct harness_collector *collector, const struct view *view, uint32_t s)
{
    const struct universe_slot *const slot = &collector->universe->slots[s];
    const struct universe_register *const entry = &collector->universe->registers[slot->register_index];
    const uint32_t value = collector->values[s];
    const bool effect = (collector->used[s] != 0 && view->effect) || removed_pixels(view, slot, value);
    if (slot->first_value != universe_no_item) {
        mark(collector, slot->first_value + value, effect);
        return;
    }
    const uint32_t class_bit = universe_class_of(slot, entry->reset, value);
    for (uint32_t c = 0; c < UNIVERSE_CLASSES; c++)
        if ((class_bit >> c & 1u) != 0)
            mark(collector, slot->class_items[c], effect);
}

/* A register matters if one of its fields does; one without fields, if its stage ran. */
static void mark_register(struct harness_collector *collector, const struct view *view,
                          const struct universe_register *entry, bool open)
{
    bool used = entry->slot_count == 0;
    if (!open && collector->hits != NULL && !entry->removes) { /* nothing that anybody asked for */
        memset(collector->used + entry->first_slot, 0, entry->slot_count);
        return;
    }
    for (uint32_t s = entry->first_slot; s < entry->first_slot + entry->slot_count; s++) {
        collector->used[s] = open && matters(collector, view, &collector->universe->slots[s]);
        used = used || collector->used[s] != 0;
        if (collector->hits == NULL || collector->used[s] != 0 || entry->removes)
            mark_slot(collector, view, s);
    }
    if (was_written(collector, entry))
        mark(collector, entry->item, open && used && view->effect);
}

static void mark_group(struct harness_collector *collector, const struct view *view, const struct universe_group *group)
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
            mark(collector, universe->pair_items[bases[b->local] + cell], used && view->effect);
        }
    }
}

/* The same in a hurry: only pairs of fields that matter. */
static void mark_used_of_group(struct harness_collector *collector, const struct universe_group *group)
{
    const struct harness_universe *const universe = collector->universe;
    const struct universe_matrix *const matrix = &universe->matrices[group->stage];
    uint32_t used[UNIVERSE_GROUP_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->count; i++)
        if (collector->used[universe->group_slots[group->first + i]] != 0)
            used[count++] = universe->group_slots[group->first + i];
    for (uint32_t i = 0; i < count; i++) {
        const struct universe_slot *const a = &universe->slots[used[i]];
        const uint32_t *const bases = &matrix->bases[a->local * matrix->size];
        const uint32_t value = collector->values[used[i]];
        for (uint32_t j = i + 1; j < count; j++) {
            const struct universe_slot *const b = &universe->slots[used[j]];
            const uint32_t cell = (value << b->field->width) + collector->values[used[j]];
            mark(collector, universe->pair_items[bases[b->local] + cell], true);
        }
    }
}

static void mark_view(struct harness_collector *collector, const struct view *view)
{
    const struct harness_universe *const universe = collector->universe;
    read_values(collector, view);
    for (uint32_t r = universe->when_registers[view->when]; r < universe->when_registers[view->when + 1]; r++) {
        const struct universe_register *const entry = &universe->registers[r];
        mark_register(collector, view, entry, is_open(view->counters, entry->gate_first, entry->gate_span));
    }
    for (uint32_t g = 0; g < universe->group_count && collector->pairs; g++) {
        const struct universe_group *const group = &universe->groups[g];
        if (pica_stage_info(group->stage)->when != view->when ||
            !is_open(view->counters, group->gate_first, group->gate_span))
            continue;
        if (collector->draws_without_effect)
            mark_group(collector, view, group);
        else
            mark_used_of_group(collector, group);
    }
}

/* ------------------------------------------------------------------------------------------- opcodes and outcomes */

static uint32_t counter_of(const struct universe_item *item)
{
    switch (item->area) {
    case HARNESS_AREA_OPCODES: return PICA_FEATURE_OPCODE_RUN + item->a;
    case HARNESS_AREA_OPERANDS: return PICA_FEATURE_OPERAND_USED + (uint32_t)PICA_OPCODE_TOTAL * item->a + item->va;
    case HARNESS_AREA_OUTCOMES: return item->a;
    default: return PICA_FEATURE_TOTAL;
    }
}

/* Opcodes have a counter for each kind of shader. */
static void assign_counters(struct harness_collector *collector)
{
    const struct harness_universe *const universe = collector->universe;
    memset(collector->counter_items, 0xFF, sizeof collector->counter_items); /* universe_no_item */
    for (uint32_t i = universe->area_first[HARNESS_AREA_OPCODES]; i < universe->item_count; i++) {
        const uint32_t counter = counter_of(&universe->items[i]);
        if (counter >= PICA_FEATURE_TOTAL)
            continue;
        collector->counter_items[counter] = i;
        if (universe->items[i].area == HARNESS_AREA_OPCODES)
            collector->counter_items[counter + PICA_OPCODE_TOTAL] = i;
    }
}

/* Marks what was counted, and counts from 0 again. */
static void take_counters(struct harness_collector *collector, bool effect)
{
    for (uint32_t i = 0; i < COUNTERS; i += 8) {
        uint64_t eight;
        memcpy(&eight, collector->live + i, sizeof eight);
        if (eight == 0)
            continue;
        for (uint32_t k = i; k < i + 8; k++) {
            const uint32_t item = collector->counter_items[k];
            if (collector->live[k] != 0 && item != universe_no_item)
                mark(collector, item, effect || collector->universe->items[item].detail != 0);
            collector->total[k] |= collector->live[k];
        }
        memset(collector->live + i, 0, 8);
    }
}

/* Whether a draw changed a pixel; a backend that does not count pixels may report that memory was written. */
static bool changed_pixels(const struct harness_collector *collector, const struct pica_draw *draw)
{
    if (draw->pixels != UINT32_MAX)
        return draw->pixels != 0;
    return is_open(collector->live, PICA_FEATURE_STENCIL_WRITTEN,
                   PICA_FEATURE_LAST_DEPTH_WRITTEN - PICA_FEATURE_STENCIL_WRITTEN + 1u) ||
           is_open(collector->live, PICA_FEATURE_COLOR_WRITTEN,
                   PICA_FEATURE_LAST_COLOR_WRITTEN - PICA_FEATURE_COLOR_WRITTEN + 1u) ||
           collector->live[PICA_FEATURE_GAS_WRITTEN] != 0 || collector->live[PICA_FEATURE_SHADOW_DEPTH_WRITTEN] != 0 ||
           collector->live[PICA_FEATURE_SHADOW_SOFT_WRITTEN] != 0;
}

static void on_reread(void *user, const struct harness_reread *reread, bool effect)
{
    struct harness_collector *const collector = user;
    mark(collector, collector->universe->area_first[HARNESS_AREA_REREADS] + universe_reread(reread), effect);
}

/* What outlives a draw: memory that it reads again, and state that alone is new. */
static void compare_with_earlier(struct harness_collector *collector, const struct pica_draw *draw, bool effect)
{
    harness_rereads_draw(&collector->rereads, draw, effect);
    const uint32_t alone =
        harness_deltas_draw(&collector->deltas, draw, collector->live + PICA_FEATURE_REGISTER_WRITTEN, effect);
    if (alone < PICA_REGISTERS)
        mark(collector, collector->universe->delta_items[alone], true);
}

static void on_draw(void *user, const struct pica_draw *draw)
{
    struct harness_collector *const collector = user;
    const struct view view = { .when = PICA_STAGE_WHEN_DRAW,
                               .internal = draw->registers,
                               .external = collector->external,
                               .lcd = collector->lcd,
                               .counters = collector->live,
                               .effect = changed_pixels(collector, draw) };
    if (view.effect || collector->draws_without_effect)
        mark_view(collector, &view);
    compare_with_earlier(collector, draw, view.effect);
    take_counters(collector, view.effect);
}

/* ----------------------------------------------------------------------------------------------------- the engines */

static void write_external(struct harness_collector *collector, uint32_t offset, uint32_t value)
{
    const struct pica_extreg_info *const info = pica_extreg_info(offset);
    collector->external[offset / 4u] = info != NULL ? value & info->stored : value;
    collector->external_written[offset / 4u] = 1;
}

static void cpu_write(struct harness_collector *collector, uint32_t address, uint32_t value)
{
    const uint32_t aligned = address & ~3u;
    if (aligned - PICA_EXTERNAL_ADDRESS < 4u * PICA_EXTERNAL_WORDS) {
        write_external(collector, aligned - PICA_EXTERNAL_ADDRESS, value);
    } else if (aligned == PICA_LCD_FILL_TOP_ADDRESS || aligned == PICA_LCD_FILL_BOTTOM_ADDRESS) {
        const uint32_t screen = aligned == PICA_LCD_FILL_TOP_ADDRESS ? 0 : 1;
        collector->lcd[screen] = value;
        collector->lcd_written[screen] = 1;
    }
}

/* The registers that an operation writes, as pica/backend.h says. */
static void follow(struct harness_collector *collector, const struct pica_operation *operation)
{
    static const enum pica_extreg transfer[9] = {
        PICA_EXTREG_XFER_IN,    PICA_EXTREG_XFER_OUT,   PICA_EXTREG_XFER_DIM,
        PICA_EXTREG_XFER_INDIM, PICA_EXTREG_XFER_FLAGS, PICA_EXTREG_XFER_UNK14,
        PICA_EXTREG_COPY_SIZE,  PICA_EXTREG_COPY_IN,    PICA_EXTREG_COPY_OUT,
    };
    if (operation->kind == PICA_OPERATION_WRITE_REGISTER)
        cpu_write(collector, operation->address, operation->words[0]);
    if (operation->kind == PICA_OPERATION_MEMORY_FILL && operation->unit < 2)
        for (uint32_t i = 0; i < 4; i++)
            write_external(collector, pica_extreg_fill(operation->unit, PICA_EXTREG_FILL0_START) + 4u * i,
                           operation->words[i]);
    if (operation->kind != PICA_OPERATION_DISPLAY_TRANSFER)
        return;
    for (uint32_t i = 0; i < 9; i++)
        write_external(collector, (uint32_t)transfer[i], operation->words[i]);
    write_external(collector, PICA_EXTREG_XFER_START, 1);
}

void harness_collector_operation(struct harness_collector *collector, const struct pica_operation *operation)
{
    const struct view view = { .when = PICA_STAGE_WHEN_OPERATION,
                               .internal = collector->state.registers,
                               .external = collector->external,
                               .lcd = collector->lcd,
                               .counters = collector->live,
                               .effect = true };
    follow(collector, operation);
    harness_rereads_operation(&collector->rereads, operation);
    if (operation->kind != PICA_OPERATION_SUBMIT_LIST && operation->kind != PICA_OPERATION_LOAD_MEMORY)
        mark_view(collector, &view);
    take_counters(collector, false);
}

void harness_collector_step(struct harness_collector *collector, const struct pica_operation *operation)
{
    harness_rereads_operation(&collector->rereads, operation);
}

/* ----------------------------------------------------------------------------------------------------- a whole run */

void harness_collector_begin(struct harness_collector *collector, const struct pica_setup *setup)
{
    memset(collector->live, 0, sizeof collector->live);
    memset(collector->total, 0, sizeof collector->total);
    harness_rereads_begin(&collector->rereads, on_reread, collector);
    harness_deltas_begin(&collector->deltas);
    memset(collector->external_written, 0, sizeof collector->external_written);
    memset(collector->lcd_written, 0, sizeof collector->lcd_written);
    memset(collector->external, 0, sizeof collector->external);
    memset(collector->lcd, 0, sizeof collector->lcd);
    while (collector->hit_count != 0)
        collector->marks[collector->hits[--collector->hit_count]] = 0;
    if (setup == NULL || setup->initial_state == NULL)
        return;
    memcpy(collector->external, setup->initial_state->external, sizeof collector->external);
    memcpy(collector->lcd, setup->initial_state->lcd_fill, sizeof collector->lcd);
}

void harness_collector_finish(struct harness_collector *collector)
{
    take_counters(collector, false);
}

void harness_collector_end(struct harness_collector *collector, const struct pica_state *state,
                           const struct pica_events *events)
{
    const struct view view = { .when = PICA_STAGE_WHEN_CASE,
                               .internal = state->registers,
                               .external = state->external,
                               .lcd = state->lcd_fill,
                               .counters = collector->total,
                               .effect = true };
    const uint32_t first = collector->universe->area_first[HARNESS_AREA_EVENTS];
    mark_view(collector, &view);
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++)
        if (pica_events_has(events, (enum pica_event)event))
            mark(collector, first + event, true);
}

enum pica_status harness_collector_run(struct harness_collector *collector, const struct pica_setup *setup,
                                       const struct pica_operation *operations, size_t count)
{
    const struct pica_backend *const backend = collector->backend;
    struct pica_events events;
    harness_collector_begin(collector, setup);
    enum pica_status status = backend->load(collector->instance, setup);
    for (size_t i = 0; i < count && status == PICA_OK; i++) {
        status = backend->run(collector->instance, &operations[i]);
        harness_collector_operation(collector, &operations[i]);
    }
    if (status == PICA_OK)
        status = backend->read_state(collector->instance, &collector->state);
    if (status == PICA_OK)
        status = backend->read_events(collector->instance, &events);
    if (status == PICA_OK)
        harness_collector_end(collector, &collector->state, &events);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- life */

struct harness_collector *harness_collector_create(const struct harness_universe *universe,
                                                   const struct pica_backend *backend, void *instance, uint8_t *marks)
{
    struct harness_collector *const collector = calloc(1, sizeof *collector);
    if (collector == NULL)
        return NULL;
    collector->universe = universe;
    collector->backend = backend;
    collector->instance = instance;
    collector->marks = marks;
    collector->draws_without_effect = true;
    collector->pairs = true;
    assign_counters(collector);
    harness_deltas_init(&collector->deltas);
    harness_rereads_begin(&collector->rereads, on_reread, collector);
    collector->values = calloc(universe->slot_count, sizeof *collector->values);
    collector->used = calloc(universe->slot_count, sizeof *collector->used);
    collector->words = calloc(universe->register_count, sizeof *collector->words);
    if (collector->values == NULL || collector->used == NULL || collector->words == NULL) {
        harness_collector_destroy(collector);
        return NULL;
    }
    for (uint32_t r = 0; r < universe->register_count; r++)
        read_register(collector, r, 0);
    if (backend->observe_draws != NULL)
        (void)backend->observe_draws(instance, on_draw, collector);
    if (backend->observe_features != NULL)
        (void)backend->observe_features(instance, collector->live, PICA_FEATURE_TOTAL);
    return collector;
}

bool harness_collector_hurry(struct harness_collector *collector, bool pairs)
{
    collector->draws_without_effect = false;
    collector->pairs = pairs;
    collector->hits = calloc(collector->universe->item_count + 1u, sizeof *collector->hits);
    return collector->hits != NULL;
}

const uint32_t *harness_collector_hits(const struct harness_collector *collector, size_t *count)
{
    *count = collector->hit_count;
    return collector->hits;
}

void harness_collector_destroy(struct harness_collector *collector)
{
    if (collector == NULL)
        return;
    if (collector->backend->observe_draws != NULL)
        (void)collector->backend->observe_draws(collector->instance, NULL, NULL);
    if (collector->backend->observe_features != NULL)
        (void)collector->backend->observe_features(collector->instance, NULL, 0);
    free(collector->hits);
    free(collector->words);
    free(collector->values);
    free(collector->used);
    free(collector);
}
