/*
 * Cases made with intent: a target, well-formed shaders, vertices that hit the target, textures that exist; then, if
 * wanted, some of it is broken. Swarm testing: each case draws a set of features of its own and leaves the others out.
 */
#ifndef HARNESS_GEN_H
#define HARNESS_GEN_H

#include "harness/case/case.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    HARNESS_GENERATE_PLAIN = 90
};

enum harness_generate_mode {
    HARNESS_GENERATE_MIXED = 0,    /* sane, slightly broken, broken and raw cases */
    HARNESS_GENERATE_DEFINED = 1,  /* no `UB:` event intended */
    HARNESS_GENERATE_ANYTHING = 2, /* every case broken or raw */
    HARNESS_GENERATE_RAW = 3       /* no intent at all: what the generators of gen_list_raw.c make */
};

/* "mixed", "defined", "anything" or "raw". */
const char *harness_generate_mode_name(enum harness_generate_mode mode);

struct harness_generate_options {
    enum harness_generate_mode mode;
    uint32_t breakage; /* MIXED: percent of cases broken on purpose; 0 = 40 */
    uint32_t plain;    /* percent of operations that have only values that programs send (plausible.h); 0 = 90 */
    bool exportable;   /* a defined case, whatever the mode, that the checks of harness/console let through */
    uint64_t areas;    /* bits of harness_generate_area: the only features that cases may have; 0 = all */
};

/* The bit of a feature by its name, such as "blend", 0 if there is none; and the name of bit `index`, NULL beyond the
 * last. */
uint64_t harness_generate_area(const char *name);
const char *harness_generate_area_name(uint32_t index);

/*
 * Replaces `out` by the case of that seed: valid (harness_case_check), limits of harness_limits_fuzzing, typically 1-12
 * KiB as .pcb. `options` may be NULL (all defaults). If the host refuses memory, the case is shorter but still valid.
 * Returns the features that the case drew, as bits of harness_generate_area; 0 for a raw one.
 */
uint64_t harness_generate(struct harness_case *out, uint64_t seed, const struct harness_generate_options *options);

#endif
