#include "harness/explore/pixel_text.h"

#include "harness/case/little.h"
#include "harness/run/step_values.h"

#include <inttypes.h>
#include <string.h>

void harness_pixel_text(const struct harness_pixel_target *target, const uint8_t bytes[4], struct harness_text *out)
{
    const enum oracle_format format = target->surface.format;
    const struct oracle_pixel pixel = oracle_pixel_decode(format, bytes);
    const uint32_t *const c = pixel.channel;
    if (format == ORACLE_FORMAT_DEPTH24_STENCIL8) {
        harness_text_format(out, "depth 0x%06" PRIX32 " stencil 0x%02" PRIX32, c[0], c[3]);
        return;
    }
    harness_text_add(out, "0x");
    for (uint32_t i = oracle_bytes_per_pixel(format); i-- > 0;)
        harness_text_format(out, "%02X", bytes[i]);
    if (!target->is_depth)
        harness_text_format(out, " (%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 ")", c[0], c[1], c[2], c[3]);
}

void harness_pixel_change_text(const struct harness_pixel_target *target, const uint8_t before[4],
                               const uint8_t after[4], struct harness_text *out)
{
    harness_pixel_text(target, before, out);
    if (memcmp(before, after, 4) == 0) {
        harness_text_add(out, ", stays");
        return;
    }
    harness_text_add(out, " -> ");
    harness_pixel_text(target, after, out);
}

void harness_pixel_visit_text(const struct harness_pixel_target *target, const struct pica_visit_pixel *pixel,
                              struct harness_text *out)
{
    uint8_t before[4], after[4];
    (void)harness_store32(before, pixel->before);
    (void)harness_store32(after, pixel->after);
    harness_pixel_change_text(target, before, after, out);
}

const char *harness_visit_end_text(const struct pica_visit *visit)
{
    switch (visit->end) {
    case PICA_VISIT_ALPHA_TEST: return "ended by the alpha test";
    case PICA_VISIT_STENCIL_TEST:
        return visit->has_written ? "ended by the stencil test, which wrote the stencil" : "ended by the stencil test";
    case PICA_VISIT_DEPTH_TEST:
        return visit->has_written ? "ended by the depth test, the stencil was written" : "ended by the depth test";
    case PICA_VISIT_PASSED: break;
    }
    return visit->has_written ? "written" : "ended by no test, wrote nothing";
}

/* RST-03: three weights, each as low and high word. */
static void add_weights(const struct pica_trace_step *step, struct harness_text *out)
{
    for (uint32_t i = 0; i + 1 < step->count; i += 2)
        harness_text_format(out, "%s%" PRIu64, i == 0 ? "" : " ",
                            (uint64_t)step->values[i + 1] << 32 | step->values[i]);
}

/* TEV-07: three operands of four channels. */
static void add_operands(const struct pica_trace_step *step, struct harness_text *out)
{
    for (uint32_t i = 0; i + 3 < step->count; i += 4)
        harness_text_format(out, "%s%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32, i == 0 ? "" : " | ", step->values[i],
                            step->values[i + 1], step->values[i + 2], step->values[i + 3]);
}

void harness_step_table_text(const struct pica_trace_step *step, bool differs, struct harness_text *out)
{
    const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
    if (info == pica_trace_info(PICA_TRACE_ID_WEIGHTS))
        add_weights(step, out);
    else if (info == pica_trace_info(PICA_TRACE_ID_COMBINER_OPERANDS))
        add_operands(step, out);
    else if (differs)
        harness_step_values(step, out);
    else
        harness_step_numbers(step, out);
}

/* "texture, texel 64". What a plug-in reports may be anything. */
static void add_step_name(const struct pica_trace_step *step, struct harness_text *out)
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
    add_step_name(step, out);
    harness_text_add(out, ": ");
    harness_step_values(step, out);
}

void harness_step_label(const struct pica_trace_step *step, struct harness_text *out)
{
    static const char *const lookups[8] = { "D0", "D1", "SP", "FR", "RB", "RG", "RR", "DA" };
    const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
    const uint32_t index = step->index;
    if (info == pica_trace_info(PICA_TRACE_ID_TEXTURE_TEXEL))
        harness_text_format(out, "texture, texel %" PRIu32 ", unit %" PRIu32 " level %" PRIu32, index % 4, index / 64,
                            index / 4 % 16);
    else if (info == pica_trace_info(PICA_TRACE_ID_LIGHT_LOOKUP))
        harness_text_format(out, "lighting, lookup %s, light %" PRIu32, lookups[index % 8], index / 8);
    else
        add_step_name(step, out);
}

const char *harness_step_note(const struct pica_trace_info *info)
{
    if (info == pica_trace_info(PICA_TRACE_ID_WEIGHTS))
        return "w0 w1 w2";
    if (info == pica_trace_info(PICA_TRACE_ID_COMBINER_OPERANDS))
        return "R G B A of three operands";
    return info->values;
}
