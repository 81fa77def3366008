/* Which features a case uses: flags and enumerations that differ from reset in the registers of its draws and in the
 * words of its other operations. All from pica's tables. */
#ifndef HARNESS_PROBE_FEATURES_H
#define HARNESS_PROBE_FEATURES_H

#include "harness/case/case.h"
#include "harness/case/text.h"
#include "pica/backend.h"

#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_FEATURE_FIELDS = 1024, /* at least PICA_FIELD_TOTAL */
    HARNESS_FEATURE_VALUES = 128   /* values of the widest enumeration */
};

/* For each field of pica_fields() the set of values seen: bit v = value v; a flag has value 1 only. */
struct harness_features {
    uint64_t seen[HARNESS_FEATURE_FIELDS][HARNESS_FEATURE_VALUES / 64];
};

void harness_features_clear(struct harness_features *features);

/* PICA_REGISTERS words, as a draw saw them. */
void harness_features_add_draw(struct harness_features *features, const uint32_t *registers);

/* Fills, transfers and register writes; others add nothing. */
void harness_features_add_operation(struct harness_features *features, const struct pica_operation *operation);

/* "color_operation.blend_mode=blend depth_color_mask.depth_test ..." in the order of fields.def; cut if too long. */
void harness_features_text(const struct harness_features *features, char *out, size_t size);

/* Appends " shader.mad shader.ex2 ...": what the shader code in the case's lists holds, sorted by opcode. Those that
 * every shader has (mov, end, nop, words of 0) are left out. */
void harness_features_shader(const struct harness_case *test_case, struct harness_text *out);

#endif
