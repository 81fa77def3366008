/* The table of rules that may be broken (harness/localise/broken_rule.def), and the conditions in it. */
#include "harness/localise/broken_rule_match.h"
#include "pica/backend.h"
#include "pica/enums.h"
#include "pica/regs.h"
#include "pica/fields.h"
#include "pica/stage_words.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *conditions, *rule;
} lines[] = {
#define BROKEN(stage, value, outcome, conditions, rule) { conditions, rule },
#include "harness/localise/broken_rule.def"
};

Test(broken_rule, every_condition_of_the_table_names_fields_and_values_that_there_are)
{
    cr_assert_gt(sizeof lines / sizeof lines[0], 100);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        cr_expect(broken_rule_is_sound(lines[i].conditions), "%s: %s", lines[i].rule, lines[i].conditions);
    cr_expect_not(broken_rule_is_sound("BLEND_FUNC.rgb_equation = product"));
    cr_expect_not(broken_rule_is_sound("BLEND_FUNC.equation = add"));
    cr_expect_not(broken_rule_is_sound("BLENDING.rgb_equation = add"));
    cr_expect_not(broken_rule_is_sound("BLEND_FUNC.rgb_equation"));
}

/* Does a line of the specification define it? */
static bool is_defined(const char *rule)
{
    static const char *const pages[] = { "10-command-stream",   "20-geometry",    "30-rasterizer", "40-textures",
                                         "50-fragment-shading", "60-framebuffer", "70-gx-engines" };
    char path[1024], line[512], bold[32], cell[32];
    bool found = false;
    (void)snprintf(bold, sizeof bold, "**%s**", rule);
    (void)snprintf(cell, sizeof cell, "| %s |", rule);
    for (size_t i = 0; i < sizeof pages / sizeof pages[0] && !found; i++) {
        (void)snprintf(path, sizeof path, "%s/docs/spec/%s.md", PICAFUZZ_SOURCE_DIR, pages[i]);
        FILE *const file = fopen(path, "r");
        cr_assert_not_null(file, "%s", path);
        while (!found && fgets(line, sizeof line, file) != NULL)
            found = strstr(line, bold) != NULL || strncmp(line, cell, strlen(cell)) == 0;
        fclose(file);
    }
    return found;
}

Test(broken_rule, every_rule_of_the_table_is_in_the_specification)
{
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        cr_expect(is_defined(lines[i].rule), "%s", lines[i].rule);
    cr_expect_not(is_defined("no rule"));
}

Test(broken_rule, conditions_speak_of_registers_instances_and_instructions)
{
    static uint32_t registers[PICA_REGISTERS];
    struct broken_rule_facts facts = { registers, NULL, 2, "mad", "", "" };
    registers[PICA_REG_TEXENV2_COMBINER] = 1; /* rgb modulate, alpha replace */
    cr_expect(broken_rule_holds("", &facts));
    cr_expect(broken_rule_holds("TEXENV2_COMBINER.rgb_mode = add,modulate", &facts));
    cr_expect_not(broken_rule_holds("TEXENV2_COMBINER.rgb_mode = add", &facts));
    cr_expect(broken_rule_holds("TEXENV#_COMBINER.*_mode != replace", &facts));
    cr_expect_not(broken_rule_holds("TEXENV#_COMBINER.alpha_mode != replace", &facts));
    cr_expect(broken_rule_holds("TEXENV*_COMBINER.rgb_mode = modulate & opcode = mul,mad", &facts));
    cr_expect_not(broken_rule_holds("TEXENV*_COMBINER.rgb_mode = modulate & opcode = mul", &facts));
    facts.instance = 3;
    cr_expect_not(broken_rule_holds("TEXENV#_COMBINER.*_mode != replace", &facts));
    facts.registers = NULL;
    cr_expect_not(broken_rule_holds("TEXENV*_COMBINER.*_mode = replace", &facts), "no draw, no registers");
}

Test(broken_rule, conditions_speak_of_the_register_that_the_guilty_command_writes)
{
    const struct broken_rule_facts facts = { NULL, NULL, 0, "", "", "FOG_LUT_DATA3" };
    cr_expect(broken_rule_holds("command = FOG_LUT_DATA*", &facts));
    cr_expect_not(broken_rule_holds("command = GAS_LUT_DATA*,FOG_LUT_INDEX", &facts));
    cr_expect_not(broken_rule_is_sound("command = FOG_LUT_WORD*"));
}

/* Bit 0: flip, bit 2: crop. */
Test(broken_rule, conditions_speak_of_the_words_of_an_engine)
{
    uint32_t words[9] = { 0 };
    const struct broken_rule_facts facts = { NULL, words, 0, "", "", "" };
    words[4] = 5;
    cr_expect(broken_rule_holds("XFER_FLAGS.flip = 1 & XFER_FLAGS.crop = 1", &facts));
    words[4] = 1;
    cr_expect_not(broken_rule_holds("XFER_FLAGS.flip = 1 & XFER_FLAGS.crop = 1", &facts));
}

/* Registers of several stages: the rule of a field says whose it is. */
Test(broken_rule, a_field_is_of_the_stage_that_its_rule_is_of)
{
    static const struct {
        uint32_t id;
        const char *field, *stage;
    } fields[] = { { PICA_REG_STENCIL_TEST, "compare_mask", "stencil test" },
                   { PICA_REG_DEPTH_COLOR_MASK, "red_write", "framebuffer" },
                   { PICA_REG_TEXENV_UPDATE_BUFFER, "fog_mode", "fog" },
                   { PICA_REG_DEPTHMAP_ENABLE, "z_buffer", "interpolation" },
                   { PICA_REG_LOGIC_OP, "operation", "logic operation" },
                   { PICA_REG_BLEND_COLOR, "red", "blend" },
                   { PICA_REG_GSH_BOOLUNIFORM, "values", "geometry shader" } };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        size_t count = 0, k = 0;
        const struct pica_field_info *const layout = pica_layout_fields(pica_reg_info(fields[i].id)->layout, &count);
        while (k < count && strcmp(layout[k].name, fields[i].field) != 0)
            k++;
        cr_assert_lt(k, count, "%s", fields[i].field);
        const struct pica_stage_word_info *const word = broken_rule_field_stage(fields[i].id, &layout[k]);
        cr_assert_not_null(word);
        cr_expect_str_eq(word->text, fields[i].stage, "%s: %s", fields[i].field, word->text);
    }
}
