/*
 * What a difference needs, by experiment: which fields of a reduced case cannot take their usual value without the
 * difference going away, and which values they need. Only fields count that the stage where the two begin to differ
 * looks at: what comes later shows the fault, and does not make it. Of a crash no stage is known, so all fields count
 * but those that every draw needs.
 */
#ifndef HARNESS_REDUCE_CAUSE_H
#define HARNESS_REDUCE_CAUSE_H

#include "harness/case/text.h"
#include "harness/trial/probe.h"

enum {
    HARNESS_MOST_NEEDS = 24
};

/* A register, or a word of an operation, has a field with one of `values`. */
struct harness_need {
    uint32_t field;  /* index in the table that pica_fields() gives */
    uint32_t id;     /* of the register; PICA_REGISTERS: a word of an operation */
    uint32_t usual;  /* with this value the difference goes away */
    uint64_t values; /* bit v: value v shows it; all others were tried and do not. 0: a number; `value` shows it */
    uint32_t value;  /* the one in the case */
};

/* What is needed beyond fields, one bit each. cause_traits.def says what they mean. */
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
    uint32_t traits; /* bit enum harness_trait */
    uint32_t count;
    struct harness_need needs[HARNESS_MOST_NEEDS]; /* in the order of the case */
};

/* The stage that decides the blamed value, in the words of pica/stage_words.def: what is written to a buffer
 * (framebuffer) may be a depth (DPT-03). */
const char *harness_cause_stage(const struct harness_blame *blame);

/* The same stage by the same rule; stages whose faults show as one another count as one. */
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
 * `symptom` is what `test_case` shows. Runs it and its variants on worker 0 of the probe, which must be idle; the last
 * thing that it runs is `test_case`, explained, so that harness_probe_message and the others speak of that.
 */
enum harness_status harness_cause_find(struct harness_probe *probe, const struct harness_case *test_case,
                                       const struct harness_symptom *symptom, struct harness_cause *out,
                                       struct harness_error *error);

#endif
