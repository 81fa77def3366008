#include "oracles/equal.h"

#include "pica/extregs.h"
#include "pica/regs.h"

#include <string.h>

/* Names the fields that differ in a word. */
static void say_fields(struct oracle_report *report, enum pica_layout layout, uint32_t a, uint32_t b)
{
    size_t count = 0;
    const struct pica_field_info *fields = pica_layout_fields(layout, &count);
    const char *separator = " (";
    for (size_t i = 0; i < count; i++) {
        const uint32_t value_a = pica_field_get(&fields[i], a);
        const uint32_t value_b = pica_field_get(&fields[i], b);
        if (value_a == value_b)
            continue;
        if (report->differences == 1)
            oracle_key(report, " %s", fields[i].name);
        oracle_say(report, "%s%s: 0x%X, 0x%X", separator, fields[i].name, (unsigned)value_a, (unsigned)value_b);
        separator = "; ";
    }
    if (separator[0] == ';')
        oracle_say(report, ")");
}

static void say_word(const struct oracle_run *a, const struct oracle_run *b, uint32_t value_a, uint32_t value_b,
                     enum pica_layout layout, struct oracle_report *report)
{
    oracle_say(report, ": %s 0x%08X, %s 0x%08X", a->backend, (unsigned)value_a, b->backend, (unsigned)value_b);
    say_fields(report, layout, value_a, value_b);
    oracle_say(report, "\n");
}

static void count_difference(struct oracle_report *report, uint32_t first, const char *name)
{
    if (report->differences++ == 0) {
        report->first = first;
        oracle_key(report, "register 0x%03X %s", (unsigned)first, name);
    }
    report->verdict = ORACLE_DIVERGE;
}

static void compare_internal(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_scope *scope,
                             struct oracle_report *report)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        const uint32_t value_a = a->state->registers[id];
        const uint32_t value_b = b->state->registers[id];
        if (value_a == value_b || !oracle_scope_has_register(scope, id))
            continue;
        const struct pica_reg_info *info = pica_reg_info(id);
        count_difference(report, id, info->name);
        oracle_say(report, "register 0x%03X %s", (unsigned)id, info->name);
        say_word(a, b, value_a, value_b, info->layout, report);
    }
}

static void compare_external(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_scope *scope,
                             struct oracle_report *report)
{
    for (uint32_t word = 0; word < PICA_EXTERNAL_WORDS; word++) {
        const uint32_t value_a = a->state->external[word];
        const uint32_t value_b = b->state->external[word];
        if (value_a == value_b || !oracle_scope_has_engine(scope, word))
            continue;
        const struct pica_extreg_info *info = pica_extreg_info(4 * word);
        count_difference(report, 0x10400000u + 4 * word, info ? info->name : "(unnamed)");
        oracle_say(report, "register 0x%08X %s", (unsigned)(0x10400000u + 4 * word), info ? info->name : "(unnamed)");
        say_word(a, b, value_a, value_b, info ? info->layout : PICA_LAYOUT_NONE, report);
    }
    for (uint32_t screen = 0; screen < 2; screen++) {
        const uint32_t value_a = a->state->lcd_fill[screen];
        const uint32_t value_b = b->state->lcd_fill[screen];
        if (value_a == value_b || !oracle_scope_has_lcd_fill(scope, screen))
            continue;
        const uint32_t address = screen == 0 ? 0x10202204u : 0x10202A04u;
        count_difference(report, address, pica_lcdreg_info(address)->name);
        oracle_say(report, "register 0x%08X %s", (unsigned)address, pica_lcdreg_info(address)->name);
        say_word(a, b, value_a, value_b, pica_lcdreg_info(address)->layout, report);
    }
}

void oracle_registers_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report)
{
    memset(report, 0, sizeof *report);
    report->oracle = "registers_equal";
    struct oracle_scope scope;
    oracle_scope_of_runs(a, b, &scope);
    report->compared = PICA_REGISTERS + PICA_EXTERNAL_WORDS + 2;
    compare_internal(a, b, &scope, report);
    compare_external(a, b, &scope, report);
}
