/* What collector.c and collector_view.c share: the collector, and what it looks at. */
#ifndef HARNESS_COVERAGE_COLLECTOR_PARTS_H
#define HARNESS_COVERAGE_COLLECTOR_PARTS_H

#include "harness/coverage/universe_parts.h"

#include "pica/extregs.h"

enum {
    COUNTERS = (PICA_FEATURE_TOTAL + 7) / 8 * 8 /* a multiple of 8: most are 0, so eight are tested at a time */
};

/* Consecutive registers with the same gate, so that they matter together or not at all. */
struct collector_range {
    const struct universe_register *first;
    uint32_t count;
    uint32_t first_slot, slot_count;
    bool removes;  /* one of them has a slot with a removal gate */
    bool has_used; /* `used` may be set for some of its slots */
};

struct harness_collector {
    const struct harness_universe *universe;
    const struct pica_backend *backend;
    void *instance;
    uint8_t *marks;
    uint32_t counter_items[COUNTERS]; /* the item that a counter stands for */
    uint8_t live[COUNTERS];           /* counts since the last draw or operation */
    uint8_t total[COUNTERS];          /* not 0: happened in this run */
    uint8_t quiet[COUNTERS];          /* 255: no item needs it any more; else 0 */
    uint32_t external[PICA_EXTERNAL_WORDS];
    uint32_t lcd[2];
    uint8_t external_written[PICA_EXTERNAL_WORDS];
    uint8_t lcd_written[2];
    struct pica_state state;
    struct harness_rereads rereads;
    struct harness_deltas deltas;
    uint16_t *draw_registers; /* ids of those that are looked at with a draw; all are internal */
    struct collector_range *ranges;
    uint32_t when_ranges[UNIVERSE_WHENS + 1];
    uint32_t *words;                  /* by register: the word that `values` were read from */
    uint32_t *values;                 /* by slot: the value of the field, */
    uint32_t *slot_items;             /* the item of that value, */
    uint8_t *used;                    /* and whether the field matters now */
    bool draws_without_effect, pairs; /* whether those are looked at */
    uint32_t *hits;                   /* in a hurry: the items with effect, each once; NULL: all items are marked */
    size_t hit_count;
    uint8_t *quiet_pairs; /* in a hurry: 1 for those of the universe's pair_items that are ignored */
};

/* What is being looked at: a draw, an operation, or the end of a run. */
struct collector_view {
    enum pica_stage_when when;
    const uint32_t *internal, *external, *lcd;
    const uint8_t *counters;
    bool effect;
};

static inline void collector_mark(struct harness_collector *collector, uint32_t item, bool effect)
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

/* Is the item ignored, in this run and all later ones? */
static inline bool collector_is_quiet(const struct harness_collector *collector, uint32_t item)
{
    return item == universe_no_item || (collector->marks[item] & HARNESS_MARK_IGNORED) != 0;
}

static inline bool collector_is_open(const uint8_t *counters, uint32_t first, uint32_t span)
{
    for (uint32_t i = 0; i < span; i++)
        if (counters[first + i] != 0)
            return true;
    return span == 0;
}

/* collector_view.c. False without memory. */
bool collector_prepare_views(struct harness_collector *collector);
void collector_forget_views(struct harness_collector *collector);
void collector_mark_view(struct harness_collector *collector, const struct collector_view *view);

#endif
