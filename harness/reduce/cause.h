/*
 * Finds by experiment what a difference needs: the fields of a reduced case that cannot be set to their usual value
 * without the difference going away, and the values with which it shows. Only fields that the stage where the two
 * backends begin to differ looks at are tried: later stages make the fault visible but do not cause it. For a crash the
 * stage is unknown, so all fields are tried except those that every draw needs.
 */
#ifndef HARNESS_REDUCE_CAUSE_H
#define HARNESS_REDUCE_CAUSE_H

#include "harness/case/text.h"
#include "harness/trial/probe.h"

enum {
    HARNESS_MOST_NEEDS = 24
};

/* One field, of a register or of a word of an operation, that must have one of `values`. */
struct harness_need {
    uint32_t field;  /* index in the table that pica_fields() gives */
    uint32_t id;     /* of the register; PICA_REGISTERS: a word of an operation */
    uint32_t usual;  /* with this value the difference goes away */
    uint64_t values; /* bit v: it shows with value v (of a crash only the case's value was tried); 0: a number */
    uint32_t value;  /* the value in the case */
};

/* What a difference can need besides field values; cause_traits.def lists the meanings. Bit numbers of
 * harness_cause.traits. */
enum harness_trait {
#define TRAIT(ID, text) HARNESS_TRAIT_##ID,
#include "harness/reduce/cause_traits.def"
};

enum {
    HARNESS_TRAITS = 0
#define TRAIT(ID, text) +1
#include "harness/reduce/cause_traits.def"
};

struct harness_cause {
    struct harness_blame blame;
    uint32_t traits; /* mask: bit 1 << enum harness_trait */
    uint32_t count;
    struct harness_need needs[HARNESS_MOST_NEEDS]; /* in the order of the case */
};

/* The stage that decides the blamed value, in the words of pica/stage_words.def. From clipping on this is the stage of
 * the blamed rule, not blame->stage: a value that the framebuffer stage writes may be a depth (DPT-03). */
const char *harness_cause_stage(const struct harness_blame *blame);

/* Do both blame the same stage and rule? The stages from assembly to rasterisation count as one, whatever the rule: a
 * fault in one of them can look like a fault in another. */
bool harness_cause_same(const struct harness_blame *a, const struct harness_blame *b);

/* "a loop"; static. */
const char *harness_trait_text(enum harness_trait trait);

/* Appends an array: [{"field":"blend_func.rgb_equation","values":["min","max"],"usual":"add"},{"trait":"a loop"}] */
void harness_cause_needs_json(const struct harness_cause *cause, struct harness_text *out);

static inline bool harness_cause_has(const struct harness_cause *cause, enum harness_trait trait)
{
    return (cause->traits >> trait & 1u) != 0;
}

/*
 * Fills *out for `test_case`, which shows `symptom`. Runs the case and variants of it on worker 0 of the probe, which
 * must be idle. On success the last run is that of `test_case` itself, with explanation, so that harness_probe_message
 * and its siblings describe it. Only blame is filled if the symptom is neither a difference nor a crash.
 */
enum harness_status harness_cause_find(struct harness_probe *probe, const struct harness_case *test_case,
                                       const struct harness_symptom *symptom, struct harness_cause *out,
                                       struct harness_error *error);

#endif
