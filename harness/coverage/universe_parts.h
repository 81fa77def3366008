/* What the files of this room share: the universe as tables that a collector can walk quickly. */
#ifndef HARNESS_COVERAGE_UNIVERSE_PARTS_H
#define HARNESS_COVERAGE_UNIVERSE_PARTS_H

#include "harness/coverage/deltas.h"
#include "harness/coverage/rereads.h"
#include "harness/coverage/universe.h"
#include "pica/features.h"
#include "pica/fields.h"
#include "pica/stages.h"

/* In place of an item: there is none, for instance for a value that nothing can observe. */
static const uint32_t universe_no_item = UINT32_MAX;

enum universe_space {
    UNIVERSE_INTERNAL, /* id */
    UNIVERSE_EXTERNAL, /* offset from 0x10400000 */
    UNIVERSE_LCD       /* 0 or 1 */
};

enum {
    UNIVERSE_CLASSES = 4, /* zero, maximum, reset, other: bits of PICA_CLASS_* */
    UNIVERSE_CONDITIONS = 6,
    UNIVERSE_GATES = 2,
    UNIVERSE_WHENS = 3,
    UNIVERSE_NAME_SIZE = 64,
    UNIVERSE_INSTANCES = 16,     /* of the stage with most of them */
    UNIVERSE_GROUP_SLOTS = 4096, /* of all groups */
    UNIVERSE_GROUP_MOST = 128    /* of one group */
};

struct universe_register {
    enum universe_space space;
    uint32_t index;
    const char *name;
    enum pica_layout layout;
    uint32_t reset;
    bool is_index; /* it says where the words of a port go, and is not part of a pair */
    bool is_port;  /* its words go to a table, so the fields of the last one mean nothing */
    enum pica_stage stage;
    uint32_t instance;
    uint32_t gate_first, gate_span;
    uint32_t first_slot, slot_count;
    bool removes; /* one of its slots has a removal gate */
    uint32_t item;
};

/* A field of a register. */
struct universe_slot {
    uint32_t register_index; /* into `registers` of the universe */
    const struct pica_field_info *field;
    uint32_t local; /* its number among the small fields of the stage; UINT32_MAX: it is not one of them */
    uint32_t condition_count, gate_count;
    struct {
        uint32_t slot;
        uint32_t values;
    } conditions[UNIVERSE_CONDITIONS];
    struct {
        uint32_t first, span;
    } gates[UNIVERSE_GATES];
    uint64_t hidden;                        /* values that are not items */
    uint32_t hidden_classes;                /* PICA_CLASS_* */
    uint32_t removal_value, removal_gate;   /* gate 0: none */
    uint32_t class_items[UNIVERSE_CLASSES]; /* of a field that is not an enumeration */
    uint32_t first_value;                   /* of an enumeration: the item of value 0 */
};

/* The slots of one instance of a stage that form pairs. */
struct universe_group {
    enum pica_stage stage;
    uint32_t gate_first, gate_span;
    uint32_t first, count; /* into group_slots */
};

/* Within a stage: bases[local a * size + local b] is where the pairs of those two fields begin in pair_items. */
struct universe_matrix {
    uint32_t size;
    uint32_t *bases;
};

struct universe_item {
    uint8_t area;
    uint8_t detail; /* class bit, ... */
    uint16_t a, b;  /* registers, slots, counters, ... by area */
    uint8_t va, vb; /* values */
};

struct harness_universe {
    struct universe_register *registers;
    uint32_t register_count;
    struct universe_slot *slots; /* in the order of their registers */
    uint32_t slot_count;
    uint32_t when_registers[UNIVERSE_WHENS + 1]; /* where the registers of each `when` begin, and where the last end */
    struct universe_group *groups;
    uint32_t group_count;
    uint32_t *group_slots;
    uint32_t group_slot_count;
    struct universe_matrix matrices[PICA_STAGE_TOTAL];
    uint32_t *pair_items;
    uint32_t pair_item_count;
    struct universe_item *items;
    uint32_t item_count;
    bool failed; /* the host refused memory */
    uint32_t area_first[HARNESS_AREA_TOTAL + 1];
    uint32_t delta_items[PICA_REGISTERS]; /* by id */
};

/* Items for each pair of reader and writer: one if the range was not read before, else one for each part. */
enum {
    UNIVERSE_REREADS = 1 + HARNESS_REREAD_PARTS
};

/* The item of a reread, counted from the first of its area. */
static inline uint32_t universe_reread(const struct harness_reread *reread)
{
    const uint32_t detail = reread->before ? 1u + (uint32_t)reread->part : 0u;
    return ((uint32_t)reread->reader * HARNESS_WRITERS + (uint32_t)reread->writer) * UNIVERSE_REREADS + detail;
}

/* How many values a field has that forms pairs. */
static inline uint32_t universe_value_count(const struct universe_slot *slot)
{
    return 1u << slot->field->width;
}

/* Appends an item; universe_no_item without memory. */
uint32_t universe_add_item(struct harness_universe *universe, struct universe_item item);

/* universe_pairs.c: adds groups and the items of pairs. */
void universe_add_pairs(struct harness_universe *universe);

/* PICA_CLASS_* of a value of a field. */
uint32_t universe_class_of(const struct universe_slot *slot, uint32_t reset, uint32_t value);

/* Does `name` fit a pattern of pica/stages.def or inert.def? *number: what # stood for, unchanged without one. */
bool universe_match(const char *pattern, const char *name, uint32_t *number);

#endif
