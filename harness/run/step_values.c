#include "harness/run/step_values.h"

#include <inttypes.h>
#include <string.h>

static void add_value(enum pica_trace_type type, uint32_t bits, bool has_bits, struct harness_text *out)
{
    float number;
    switch (type) {
    case PICA_TRACE_UNSIGNED: harness_text_format(out, bits > 0xFFFF ? "0x%08" PRIX32 : "%" PRIu32, bits); return;
    case PICA_TRACE_SIGNED: harness_text_format(out, "%" PRId32, (int32_t)bits); return;
    case PICA_TRACE_FLOAT:
        memcpy(&number, &bits, sizeof number);
        harness_text_format(out, "%.9g", (double)number);
        if (has_bits)
            harness_text_format(out, " [%08" PRIX32 "]", bits);
        return;
    }
    harness_text_format(out, "0x%08" PRIX32, bits); /* a plug-in's nonsense */
}

static void add_values(const struct pica_trace_step *step, bool has_bits, struct harness_text *out)
{
    for (uint32_t i = 0; i < step->count && i < sizeof step->values / sizeof step->values[0]; i++) {
        harness_text_add(out, i == 0 ? "" : " ");
        add_value(step->type, step->values[i], has_bits, out);
    }
}

void harness_step_values(const struct pica_trace_step *step, struct harness_text *out)
{
    add_values(step, true, out);
}

void harness_step_numbers(const struct pica_trace_step *step, struct harness_text *out)
{
    add_values(step, false, out);
}
