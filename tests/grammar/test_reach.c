/* What generated cases reach when they run: pixels, events, values, opcodes. Missing things are listed by name. */
#include "pica/events.h"
#include "pica/opcodes.h"
#include "tests/grammar/reach.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names, one after another; longer lists are cut. */
struct names {
    char text[4000];
    size_t length;
    uint32_t count;
};

static void add_name(struct names *names, const char *what, const char *detail)
{
    const int written = snprintf(names->text + names->length, sizeof names->text - names->length, " %s%s%s", what,
                                 detail[0] == '\0' ? "" : ".", detail);
    if (written > 0 && names->length + (size_t)written < sizeof names->text)
        names->length += (size_t)written;
    names->count++;
}

Test(reach, defined_cases_end_without_event_and_change_pixels, .timeout = 300)
{
    const uint32_t cases = 2000 / TEST_PART;
    struct reach *const reach = reach_run(HARNESS_GENERATE_DEFINED, 100000, cases, false);
    cr_assert_geq(reach->quiet, cases / 100 * 99, "%u of %u cases record no event", reach->quiet, cases);
    cr_assert_geq(reach->visible, cases / 10 * 9, "%u of %u cases change a pixel", reach->visible, cases);
    free(reach);
}

Test(reach, mixed_cases_record_every_event, .timeout = 600)
{
    struct reach *const reach = reach_run(HARNESS_GENERATE_MIXED, 0, 0, false);
    struct names missing = { .count = 1 };
    for (uint64_t first = 0; first < 60000 && missing.count != 0; first += 2500) {
        reach_more(reach, HARNESS_GENERATE_MIXED, first, 2500, false);
        missing = (struct names){ .count = 0 };
        for (uint32_t e = 0; e < PICA_EVENT_TOTAL; e++)
            if ((reach->events.words[e / 64] >> e % 64 & 1u) == 0 &&
                pica_event_info(e)->event_class != PICA_EVENT_CLASS_GONE)
                add_name(&missing, pica_event_info(e)->name, "");
    }
    cr_assert_eq(missing.count, 0, "no case in 60 000 records:%s", missing.text);
    free(reach);
}

/* Is the register sampled by draws? */
static bool is_configuration(const struct pica_reg_info *info)
{
    return info->reg_class == PICA_REG_CLASS_CONFIG || info->reg_class == PICA_REG_CLASS_CONFIG_TRIGGER;
}

static void expect_every_field_of_a_register_varies(const struct reach *reach)
{
    struct names constant = { .count = 0 };
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++) {
        size_t count;
        const struct pica_reg_info *const info = pica_reg_info(id);
        const struct pica_field_info *const fields = pica_layout_fields(info->layout, &count);
        for (size_t f = 0; f < count && is_configuration(info); f++)
            if (!reach->registers[id][f].varied)
                add_name(&constant, info->name, fields[f].name);
    }
    cr_expect_eq(constant.count, 0, "%u fields keep one value in 16 000 cases:%s", constant.count, constant.text);
}

/* FBF-30: such a draw shows nothing, whatever else it sets. */
static bool can_show(enum pica_layout layout, const char *field, uint32_t value)
{
    return layout != PICA_LAYOUT_COLOR_OPERATION || strcmp(field, "fragment_mode") != 0 ||
           value != PICA_FRAGMENT_MODE_RESERVED_2;
}

/* By layout: six combiner stages, three texture units and eight lights have one each. */
static void expect_every_encoding_of_every_enumeration(const struct reach *reach)
{
    struct names missing = { .count = 0 };
    for (uint32_t layout = 0; layout < PICA_LAYOUT_TOTAL; layout++) {
        size_t count;
        const struct pica_field_info *const fields = pica_layout_fields((enum pica_layout)layout, &count);
        for (size_t f = 0; f < count && reach->layouts[layout][f].seen; f++)
            for (uint32_t value = 0; fields[f].type == PICA_FIELD_ENUM && value < 1u << fields[f].width; value++) {
                char place[160];
                size_t values;
                (void)snprintf(place, sizeof place, "%s=%s", fields[f].name,
                               pica_enum_values(fields[f].enumeration, &values)[value].text);
                if ((reach->layouts[layout][f].values[value / 64] >> value % 64 & 1u) == 0 &&
                    can_show((enum pica_layout)layout, fields[f].name, value))
                    add_name(&missing, pica_layout_info((enum pica_layout)layout)->name, place);
            }
    }
    cr_expect_eq(missing.count, 0, "%u encodings are in no draw of 16 000 cases:%s", missing.count, missing.text);
}

Test(reach, every_opcode_is_executed, .timeout = 600)
{
    struct reach *const reach = reach_run(HARNESS_GENERATE_MIXED, 400000, 3000, true);
    struct names missing = { .count = 0 };
    for (uint32_t opcode = 0; opcode < PICA_OPCODE_TOTAL; opcode++) {
        char number[16];
        (void)snprintf(number, sizeof number, "0x%02X", (unsigned)opcode);
        if ((reach->opcodes >> opcode & 1u) == 0)
            add_name(&missing, pica_opcode_info(opcode)->mnemonic, number);
    }
    cr_expect_eq(missing.count, 0, "no case in 3 000 executes:%s", missing.text);
    free(reach);
}

/* Pairs of values of one stage that the specification defines: each must be in several draws that show. */
static void expect_pairs_inside_a_stage(const struct reach *reach)
{
    struct names missing = { .count = 0 };
    char place[64];
    for (uint32_t a = 0; a < 16; a++)
        for (uint32_t b = 0; b < 16; b++) {
            (void)snprintf(place, sizeof place, "%u,%u", (unsigned)a, (unsigned)b);
            if (a < 8 && b < PICA_BLEND_FACTOR_RESERVED_15 && reach->blend[a][b] < 5)
                add_name(&missing, "blend-equation-and-factor", place);
            const bool source = b <= PICA_TEV_SOURCE_TEXTURE3 || b >= PICA_TEV_SOURCE_PREVIOUS_BUFFER;
            if (a < 10 && source && reach->tev[a][b] < 5)
                add_name(&missing, "tev-mode-and-source", place);
            if (a < 14 && b < 4 && reach->texture[a][b] < 5)
                add_name(&missing, "texture-format-and-wrap", place);
            if (a > PICA_COMPARE_FUNC_NEVER && a < 8 && b < 8 && reach->stencil[a][b] < 5)
                add_name(&missing, "stencil-function-and-operation", place);
        }
    cr_expect_eq(missing.count, 0, "%u pairs are rare in 16 000 cases:%s", missing.count, missing.text);
}

Test(reach, every_field_varies_in_draws_that_show_and_every_encoding_and_pair_is_in_some, .timeout = 600)
{
    struct reach *const reach = reach_run(HARNESS_GENERATE_MIXED, 300000, 16000, false);
    expect_every_field_of_a_register_varies(reach);
    expect_every_encoding_of_every_enumeration(reach);
    expect_pairs_inside_a_stage(reach);
    free(reach);
}
