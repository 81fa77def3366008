/* The `UB:` events of events.def and sets of them (struct pica_events of pica/backend.h). */
#ifndef PICA_EVENTS_H
#define PICA_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pica/backend.h"

/* The value is the event's bit in a set. */
enum pica_event {
#define EVENT(NAME, name, CLASS, rule) PICA_EVENT_##NAME,
#include "pica/events.def"
};

enum {
    PICA_EVENT_TOTAL = 0
#define EVENT(NAME, name, CLASS, rule) +1
#include "pica/events.def"
};

enum {
    PICA_EVENT_WORDS = sizeof(((struct pica_events *)0)->words) / sizeof(uint64_t)
};

_Static_assert((int)PICA_EVENT_TOTAL <= 64 * (int)PICA_EVENT_WORDS, "struct pica_events is too small for events.def");

/* GEN-08 */
enum pica_event_class {
    PICA_EVENT_CLASS_M,   /* both of our backends record it */
    PICA_EVENT_CLASS_R,   /* only the reference has to record it */
    PICA_EVENT_CLASS_GONE /* nobody records it any more */
};

struct pica_event_info {
    enum pica_event event;
    const char *name; /* "mem-oob" */
    enum pica_event_class event_class;
    const char *rule;
};

/* NULL for numbers that name no event. */
const struct pica_event_info *pica_event_info(enum pica_event event);

/* NULL if no event has that name. */
const struct pica_event_info *pica_event_by_name(const char *name);

/* The set of all events of class M. */
struct pica_events pica_events_class_m(void);

static inline void pica_events_add(struct pica_events *events, enum pica_event event)
{
    events->words[(uint32_t)event / 64u] |= UINT64_C(1) << ((uint32_t)event % 64u);
}

static inline bool pica_events_has(const struct pica_events *events, enum pica_event event)
{
    return (events->words[(uint32_t)event / 64u] >> ((uint32_t)event % 64u) & 1u) != 0u;
}

/* into := into | from */
static inline void pica_events_unite(struct pica_events *into, const struct pica_events *from)
{
    for (size_t w = 0; w < PICA_EVENT_WORDS; w++)
        into->words[w] |= from->words[w];
}

/* SHD-12: this event only hints that a console may run a vertex with the state of another shader unit. What emulators
 * compute is defined nevertheless, so the event excuses no difference between them. */
static inline bool pica_event_only_hints(enum pica_event event)
{
    return event == PICA_EVENT_FOURTH_UNIT_DIFFERS;
}

static inline struct pica_events pica_events_without_hints(struct pica_events events)
{
    events.words[PICA_EVENT_FOURTH_UNIT_DIFFERS / 64] &= ~(UINT64_C(1) << (PICA_EVENT_FOURTH_UNIT_DIFFERS % 64));
    return events;
}

static inline bool pica_events_empty(const struct pica_events *events)
{
    uint64_t any = 0;
    for (size_t w = 0; w < PICA_EVENT_WORDS; w++)
        any |= events->words[w];
    return any == 0;
}

static inline bool pica_events_equal(const struct pica_events *a, const struct pica_events *b)
{
    uint64_t difference = 0;
    for (size_t w = 0; w < PICA_EVENT_WORDS; w++)
        difference |= a->words[w] ^ b->words[w];
    return difference == 0;
}

/* Whether two sets have the same events of class M, which is where GEN-08 asks two backends to agree. */
static inline bool pica_events_equal_class_m(const struct pica_events *a, const struct pica_events *b)
{
    const struct pica_events mask = pica_events_class_m();
    uint64_t difference = 0;
    for (size_t w = 0; w < PICA_EVENT_WORDS; w++)
        difference |= (a->words[w] ^ b->words[w]) & mask.words[w];
    return difference == 0;
}

#endif
