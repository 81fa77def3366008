#include "harness/explore/step_text.h"

#include "pica/trace.h"

#include <inttypes.h>
#include <string.h>

static void add_value(enum pica_trace_type type, uint32_t bits, struct harness_text *out)
{
    float number;
    switch (type) {
    case PICA_TRACE_UNSIGNED: harness_text_format(out, bits > 0xFFFF ? "0x%08" PRIX32 : "%" PRIu32, bits); return;
    case PICA_TRACE_SIGNED: harness_text_format(out, "%" PRId32, (int32_t)bits); return;
    case PICA_TRACE_FLOAT:
        memcpy(&number, &bits, sizeof number);
        harness_text_format(out, "%.9g [%08" PRIX32 "]", (double)number, bits);
        return;
    }
    harness_text_format(out, "0x%08" PRIX32, bits); /* a plug-in's nonsense */
}

void harness_step_values(const struct pica_trace_step *step, struct harness_text *out)
{
    for (uint32_t i = 0; i < step->count && i < sizeof step->values / sizeof step->values[0]; i++) {
        harness_text_add(out, i == 0 ? "" : " ");
        add_value(step->type, step->values[i], out);
    }
}

void harness_step_text(const struct pica_trace_step *step, struct harness_text *out)
{
    const char *const stage = step->stage != NULL ? step->stage : "(no stage)";
    const char *const name = step->name != NULL ? step->name : "(no name)";
    const struct pica_trace_info *const info = pica_trace_info_by_name(stage, name);
    harness_text_format(out, "%s, %s", stage, name);
    if (info == NULL || strcmp(info->index, "-") != 0)
        harness_text_format(out, " %" PRIu32, step->index);
    harness_text_add(out, ": ");
    harness_step_values(step, out);
}
