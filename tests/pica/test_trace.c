/* trace.def: names that can be told apart, and rules that exist. */
#include "pica/trace.h"
#include "tests/pica/spec_text.h"

#include <criterion/criterion.h>
#include <string.h>

static struct spec_rules spec_rules;

static bool is_defined(const char *rule)
{
    for (size_t i = 0; i < spec_rules.count; i++)
        if (strcmp(spec_rules.ids[i], rule) == 0)
            return true;
    return false;
}

Test(pica_trace, every_step_cites_a_rule_of_the_specification)
{
    cr_assert(spec_read_rules(&spec_rules));
    for (uint32_t i = 0; i < PICA_TRACE_IDS; i++) {
        const struct pica_trace_info *const info = pica_trace_info((enum pica_trace_id)i);
        cr_expect(is_defined(info->rule), "%s, %s: %s", info->stage, info->name, info->rule);
    }
}

Test(pica_trace, stage_and_name_find_their_own_line)
{
    for (uint32_t i = 0; i < PICA_TRACE_IDS; i++) {
        const struct pica_trace_info *const info = pica_trace_info((enum pica_trace_id)i);
        cr_expect_eq(pica_trace_info_by_name(info->stage, info->name), info, "%s, %s", info->stage, info->name);
    }
    cr_expect_null(pica_trace_info_by_name("blend", "texel"));
}

Test(pica_trace, steps_of_vertices_come_before_those_of_pixels)
{
    bool pixel_seen = false;
    for (uint32_t i = 0; i < PICA_TRACE_IDS; i++) {
        const struct pica_trace_info *const info = pica_trace_info((enum pica_trace_id)i);
        cr_expect(info->is_pixel || !pixel_seen, "%s, %s", info->stage, info->name);
        pixel_seen = pixel_seen || info->is_pixel;
    }
    cr_expect(pixel_seen);
}
