/*
 * Watches a run and marks items. What a draw used is decided when the draw is reported: from its registers, from the
 * counters since the draw before (which stages ran), and from whether it changed a pixel. Engine operations are looked
 * at after the operation, everything else at the end of the run. docs/semantic-coverage.md defines it.
 */
#include "harness/coverage/collector_parts.h"

#include "harness/case/pcase_names.h"
#include "pica/events.h"
#include "pica/memory.h"
#include "pica/opcodes.h"

#include <stdlib.h>
#include <string.h>

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

/* Opcodes have two counters, one for each kind of shader. */
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
    for (uint32_t i = 0; i < COUNTERS; i++)
        collector->quiet[i] = collector->counter_items[i] == universe_no_item ? UINT8_MAX : 0;
}

static void take_counter(struct harness_collector *collector, uint32_t counter, bool effect)
{
    const uint32_t item = collector->counter_items[counter];
    if (collector_is_quiet(collector, item))
        collector->quiet[counter] = UINT8_MAX;
    else
        collector_mark(collector, item, effect || collector->universe->items[item].detail != 0);
}

static uint64_t eight_of(const uint8_t *counters)
{
    uint64_t eight;
    memcpy(&eight, counters, sizeof eight);
    return eight;
}

/* Marks what the live counters counted, and resets them. */
static void take_counters(struct harness_collector *collector, bool effect)
{
    for (uint32_t i = 0; i < COUNTERS; i += 8) {
        const uint64_t eight = eight_of(collector->live + i);
        if (eight == 0)
            continue;
        const uint64_t total = eight_of(collector->total + i) | eight;
        const uint64_t asked = eight & ~eight_of(collector->quiet + i);
        for (uint32_t k = i; k < i + 8 && asked != 0; k++)
            if ((collector->live[k] & ~collector->quiet[k]) != 0)
                take_counter(collector, k, effect);
        memcpy(collector->total + i, &total, sizeof total);
        memset(collector->live + i, 0, 8);
    }
}

/* Did the draw change a pixel? A backend that does not count pixels may still count writes to memory. */
static bool changed_pixels(const struct harness_collector *collector, const struct pica_draw *draw)
{
    if (draw->pixels != UINT32_MAX)
        return draw->pixels != 0;
    return collector_is_open(collector->live, PICA_FEATURE_STENCIL_WRITTEN,
                             PICA_FEATURE_LAST_DEPTH_WRITTEN - PICA_FEATURE_STENCIL_WRITTEN + 1u) ||
           collector_is_open(collector->live, PICA_FEATURE_COLOR_WRITTEN,
                             PICA_FEATURE_LAST_COLOR_WRITTEN - PICA_FEATURE_COLOR_WRITTEN + 1u) ||
           collector->live[PICA_FEATURE_GAS_WRITTEN] != 0 || collector->live[PICA_FEATURE_SHADOW_DEPTH_WRITTEN] != 0 ||
           collector->live[PICA_FEATURE_SHADOW_SOFT_WRITTEN] != 0;
}

static void on_reread(void *user, const struct harness_reread *reread, bool effect)
{
    struct harness_collector *const collector = user;
    collector_mark(collector, collector->universe->area_first[HARNESS_AREA_REREADS] + universe_reread(reread), effect);
}

/* What depends on earlier draws: memory that is read again, and a register that alone has changed. */
static void compare_with_earlier(struct harness_collector *collector, const struct pica_draw *draw, bool effect)
{
    harness_rereads_draw(&collector->rereads, draw, effect);
    const uint32_t alone =
        harness_deltas_draw(&collector->deltas, draw, collector->live + PICA_FEATURE_REGISTER_WRITTEN, effect);
    if (alone < PICA_REGISTERS)
        collector_mark(collector, collector->universe->delta_items[alone], true);
}

static void on_draw(void *user, const struct pica_draw *draw)
{
    struct harness_collector *const collector = user;
    const struct collector_view view = { .when = PICA_STAGE_WHEN_DRAW,
                                         .internal = draw->registers,
                                         .external = collector->external,
                                         .lcd = collector->lcd,
                                         .counters = collector->live,
                                         .effect = changed_pixels(collector, draw) };
    if (view.effect || collector->draws_without_effect)
        collector_mark_view(collector, &view);
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
    if (operation->kind == PICA_OPERATION_WRITE_REGISTER)
        cpu_write(collector, operation->address, operation->words[0]);
    if (operation->kind == PICA_OPERATION_MEMORY_FILL && operation->unit < 2)
        for (uint32_t i = 0; i < 4; i++)
            write_external(collector, harness_fill_registers[operation->unit][i], operation->words[i]);
    if (operation->kind != PICA_OPERATION_DISPLAY_TRANSFER)
        return;
    for (uint32_t i = 0; i < 9; i++)
        write_external(collector, harness_transfer_registers[i], operation->words[i]);
    write_external(collector, PICA_EXTREG_XFER_START, 1);
}

static void take_operation(struct harness_collector *collector, const struct pica_operation *operation)
{
    const struct collector_view view = { .when = PICA_STAGE_WHEN_OPERATION,
                                         .internal = collector->state.registers,
                                         .external = collector->external,
                                         .lcd = collector->lcd,
                                         .counters = collector->live,
                                         .effect = true };
    follow(collector, operation);
    harness_rereads_operation(&collector->rereads, operation);
    if (operation->kind != PICA_OPERATION_SUBMIT_LIST && operation->kind != PICA_OPERATION_LOAD_MEMORY)
        collector_mark_view(collector, &view);
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
        collector->marks[collector->hits[--collector->hit_count]] &= HARNESS_MARK_IGNORED;
    if (setup == NULL || setup->initial_state == NULL)
        return;
    memcpy(collector->external, setup->initial_state->external, sizeof collector->external);
    memcpy(collector->lcd, setup->initial_state->lcd_fill, sizeof collector->lcd);
}

void harness_collector_finish(struct harness_collector *collector)
{
    take_counters(collector, false);
}

static void take_end(struct harness_collector *collector, const struct pica_state *state,
                     const struct pica_events *events)
{
    const struct collector_view view = { .when = PICA_STAGE_WHEN_CASE,
                                         .internal = state->registers,
                                         .external = state->external,
                                         .lcd = state->lcd_fill,
                                         .counters = collector->total,
                                         .effect = true };
    uint32_t item = collector->universe->area_first[HARNESS_AREA_EVENTS];
    collector_mark_view(collector, &view);
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++) {
        if (pica_event_info((enum pica_event)event)->event_class == PICA_EVENT_CLASS_GONE)
            continue;
        if (pica_events_has(events, (enum pica_event)event))
            collector_mark(collector, item, true);
        item++;
    }
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
        take_operation(collector, &operations[i]);
    }
    if (status == PICA_OK)
        status = backend->read_state(collector->instance, &collector->state);
    if (status == PICA_OK)
        status = backend->read_events(collector->instance, &events);
    if (status == PICA_OK)
        take_end(collector, &collector->state, &events);
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
    if (!collector_prepare_views(collector)) {
        harness_collector_destroy(collector);
        return NULL;
    }
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
    collector->quiet_pairs = calloc(collector->universe->pair_item_count + 1u, sizeof *collector->quiet_pairs);
    return collector->hits != NULL && collector->quiet_pairs != NULL;
}

const uint32_t *harness_collector_hits(const struct harness_collector *collector, size_t *count)
{
    *count = collector->hit_count;
    return collector->hits;
}

void harness_collector_ignore(struct harness_collector *collector, uint32_t item)
{
    collector->marks[item] |= HARNESS_MARK_IGNORED;
}

void harness_collector_destroy(struct harness_collector *collector)
{
    if (collector == NULL)
        return;
    if (collector->backend->observe_draws != NULL)
        (void)collector->backend->observe_draws(collector->instance, NULL, NULL);
    if (collector->backend->observe_features != NULL)
        (void)collector->backend->observe_features(collector->instance, NULL, 0);
    collector_forget_views(collector);
    free(collector->hits);
    free(collector->quiet_pairs);
    free(collector);
}
