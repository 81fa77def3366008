/* Which bytes an operation other than a list says it reads and writes: fills, transfers, loads. */
#ifndef HARNESS_EXPLORE_TOUCH_H
#define HARNESS_EXPLORE_TOUCH_H

#include "harness/case/text.h"
#include "pica/backend.h"
#include "pica/splits.h"

#include <stdbool.h>
#include <stdint.h>

/* Addresses [first, end); empty: first = end. Of what is written, all bytes between the first and the last. */
struct harness_range {
    uint64_t first, end;
};

struct harness_touch {
    struct harness_range reads, writes;
};

/* On a machine that takes these sides of known choices. */
struct harness_touch harness_touch_of(const struct pica_operation *operation, const struct pica_choices *choices);

bool harness_range_has(const struct harness_range *range, uint32_t address, uint32_t bytes);

/* "memory fill, unit 0, 0x18000000 to 0x1805DC00 with 0x00000000": an operation in a line. */
void harness_operation_text(const struct pica_operation *operation, struct harness_text *out);

#endif
