/* events.def against every `UB:` event of docs/spec, and the rules that the tables cite. */
#include "pica/events.h"
#include "tests/pica/spec_text.h"

#include <criterion/criterion.h>
#include <string.h>

static struct spec_events spec_events;

Test(pica_events, every_event_of_the_specification_is_in_events_def_with_its_class)
{
    cr_assert(spec_read_events(&spec_events));
    cr_assert_gt(spec_events.count, 250);
    for (size_t i = 0; i < spec_events.count; i++) {
        const struct spec_event *const mention = &spec_events.items[i];
        const struct pica_event_info *const info = pica_event_by_name(mention->name);
        cr_expect_not_null(info, "%s: UB: %s", mention->file, mention->name);
        cr_expect(info == NULL || info->event_class != PICA_EVENT_CLASS_GONE, "%s: %s is gone", mention->file,
                  mention->name);
        if (info == NULL || mention->class_letter == ' ')
            continue;
        cr_expect_eq(mention->class_letter, info->event_class == PICA_EVENT_CLASS_M ? 'M' : 'R', "%s: %s",
                     mention->file, mention->name);
    }
}

Test(pica_events, every_event_of_events_def_stands_in_an_event_table_of_the_specification)
{
    cr_assert(spec_read_events(&spec_events));
    for (uint32_t e = 0; e < PICA_EVENT_TOTAL; e++) {
        const struct pica_event_info *const info = pica_event_info((enum pica_event)e);
        bool found = false;
        for (size_t i = 0; i < spec_events.count; i++)
            found = found ||
                    (spec_events.items[i].class_letter != ' ' && strcmp(spec_events.items[i].name, info->name) == 0);
        cr_expect_eq(found, info->event_class != PICA_EVENT_CLASS_GONE, "%s", info->name);
        cr_expect_eq(pica_event_by_name(info->name), info, "%s is not unique", info->name);
    }
}

Test(pica_events, event_enumerators_are_the_names_in_capitals)
{
    static const char *const enumerators[] = {
#define EVENT(NAME, name, CLASS, rule) #NAME,
#include "pica/events.def"
    };
    for (uint32_t e = 0; e < PICA_EVENT_TOTAL; e++) {
        const char *const name = pica_event_info((enum pica_event)e)->name;
        cr_assert_eq(strlen(name), strlen(enumerators[e]));
        for (size_t c = 0; name[c] != '\0'; c++) {
            const char capital = (char)(name[c] == '-' ? '_' : name[c] >= 'a' ? name[c] - 'a' + 'A' : name[c]);
            cr_expect_eq(capital, enumerators[e][c], "%s", name);
        }
    }
}

Test(pica_events, GEN_08_sets_of_events_compare_by_class)
{
    struct pica_events a = { { 0 } };
    struct pica_events b = { { 0 } };
    cr_expect(pica_events_empty(&a));
    pica_events_add(&a, PICA_EVENT_UNINIT_TEMP); /* class R */
    cr_expect(!pica_events_empty(&a));
    cr_expect(!pica_events_equal(&a, &b));
    cr_expect(pica_events_equal_class_m(&a, &b));
    pica_events_add(&b, PICA_EVENT_XFER_ZERO_SIZE); /* class M */
    cr_expect(!pica_events_equal_class_m(&a, &b));
    pica_events_unite(&a, &b);
    cr_expect(pica_events_has(&a, PICA_EVENT_UNINIT_TEMP) && pica_events_has(&a, PICA_EVENT_XFER_ZERO_SIZE));
    cr_expect(!pica_events_has(&a, PICA_EVENT_MEM_OOB));
    cr_expect(pica_events_equal_class_m(&a, &b));
    cr_expect_null(pica_event_info((enum pica_event)PICA_EVENT_TOTAL));
}

/* ----------------------------------------------------------------------------------------------------------- rules */

static const char *const cited_rules[] = {
#define REG(id, NAME, layout, reset, CLASS, rule) rule,
#include "pica/regs.def"
#define EXTREG(offset, NAME, layout, reset, stored, rule) rule,
#include "pica/extregs.def"
#define LAYOUT(layout, LAYOUT_NAME, rule)                               rule,
#define FIELD(layout, field, low, width, TYPE, enumeration, unit, rule) rule,
#define FIELD_ARRAY(layout, name, low, stride, width, count, rule)      rule,
#include "pica/fields.def"
#define ENUM_BEGIN(name, NAME, width, rule)             rule,
#define ENUM_VALUE(name, value, ENUMERATOR, text, rule) rule,
#include "pica/enums.def"
#define OPCODE_FORMAT(FORMAT, layout, text, rule)                                           rule,
#define OPERAND_KIND(KIND, text, rule)                                                      rule,
#define OPCODE(value, NAME, FIRST, mnemonic, FORMAT, dest, source1, source2, source3, rule) rule,
#include "pica/opcodes.def"
#define EVENT(NAME, name, CLASS, rule) rule,
#include "pica/events.def"
};

Test(pica_events, every_cited_rule_is_defined_in_the_specification)
{
    static struct spec_rules rules;
    cr_assert(spec_read_rules(&rules));
    cr_assert_gt(rules.count, 500);
    for (size_t c = 0; c < sizeof cited_rules / sizeof cited_rules[0]; c++) {
        bool found = false;
        for (size_t r = 0; r < rules.count && !found; r++)
            found = strcmp(rules.ids[r], cited_rules[c]) == 0;
        cr_expect(found, "%s", cited_rules[c]);
    }
}
