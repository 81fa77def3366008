#include "harness/explore/step_text.h"

#include "pica/trace.h"

#include <inttypes.h>
#include <string.h>

void harness_step_name(const struct pica_trace_step *step, struct harness_text *out)
{
    const char *const stage = step->stage != NULL ? step->stage : "(no stage)";
    const char *const name = step->name != NULL ? step->name : "(no name)";
    const struct pica_trace_info *const info = pica_trace_info_by_name(stage, name);
    harness_text_format(out, "%s, %s", stage, name);
    if (info == NULL || strcmp(info->index, "-") != 0)
        harness_text_format(out, " %" PRIu32, step->index);
}

void harness_step_text(const struct pica_trace_step *step, struct harness_text *out)
{
    harness_step_name(step, out);
    harness_text_add(out, ": ");
    harness_step_values(step, out);
}
