/*
 * Cases made with intent: a target, shaders that are well-formed, vertices that hit the target, textures that exist;
 * then, if wanted, some of it is broken. Swarm style: each case draws its own set of features and leaves the others
 * alone.
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

/* "mixed", "defined", "anything", "raw". */
const char *harness_generate_mode_name(enum harness_generate_mode mode);

struct harness_generate_options {
    enum harness_generate_mode mode;
    uint32_t breakage; /* MIXED: percent of cases broken on purpose; 0 = 40 */
    uint32_t plain;    /* percent of operations with only those values that programs send (plausible.h); 0 = 90 */
    bool exportable;   /* whatever the mode, a defined case that the gates of harness/console let through */
    uint64_t areas;    /* bits of harness_generate_area: what cases may contain besides the least that draws; 0 = all */
};

/* The bit of an area of features, such as "blend"; 0 for any other name. Names by number from 0, NULL beyond. */
uint64_t harness_generate_area(const char *name);
const char *harness_generate_area_name(uint32_t index);

/*
 * Replaces `out` by the case of that seed: valid (harness_case_check), limits of harness_limits_fuzzing, typically 1-12
 * KiB as .pcb. `options` may be NULL (all defaults). If the host refuses memory, the case is shorter but still valid.
 * Returns the areas that the case drew, bits of harness_generate_area; 0 for a raw one.
 */
uint64_t harness_generate(struct harness_case *out, uint64_t seed, const struct harness_generate_options *options);

#endif
