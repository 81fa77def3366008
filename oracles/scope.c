#include "oracles/scope.h"

#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/regs.h"
#include "pica/state.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    enum pica_part part;
} parts[] = {
    { "memory", PICA_PART_MEMORY },         { "registers", PICA_PART_REGISTERS }, { "engines", PICA_PART_ENGINES },
    { "interrupts", PICA_PART_INTERRUPTS }, { "tables", PICA_PART_TABLES },       { "units", PICA_PART_UNITS },
    { "fixed", PICA_PART_FIXED },           { "geometry", PICA_PART_GEOMETRY },   { "assembler", PICA_PART_ASSEMBLER },
    { "events", PICA_PART_EVENTS },         { "screens", PICA_PART_SCREENS },
};

enum {
    PARTS = sizeof parts / sizeof parts[0],
    SCREENS = 2
};

static const uint32_t screen_addresses[SCREENS] = { 0x10202204, 0x10202A04 };

/* The lines of pica/state.def, by number. */
static const struct {
    const char *name;
    size_t offset; /* in struct pica_state */
} lines[] = {
#define STATE(number, ID, name, member, bits, count, most, FORM, row, label, rule) \
    [number] = { name, offsetof(struct pica_state, member) },
#include "pica/state.def"
};

/* ------------------------------------------------------------------------------------------------------------- bits */

static bool has(const uint64_t *bits, uint32_t index)
{
    return (bits[index / 64] >> (index % 64) & 1u) != 0;
}

static void add(uint64_t *bits, uint32_t index)
{
    bits[index / 64] |= UINT64_C(1) << (index % 64);
}

static void leave_out(uint64_t *bits, uint32_t index)
{
    bits[index / 64] &= ~(UINT64_C(1) << (index % 64));
}

bool oracle_scope_has_register(const struct oracle_scope *scope, uint32_t id)
{
    return (scope->parts & PICA_PART_REGISTERS) != 0 && has(scope->registers, id);
}

bool oracle_scope_has_engine(const struct oracle_scope *scope, uint32_t word)
{
    return (scope->parts & PICA_PART_ENGINES) != 0 && has(scope->engines, word);
}

bool oracle_scope_has_lcd_fill(const struct oracle_scope *scope, uint32_t screen)
{
    return (scope->parts & PICA_PART_ENGINES) != 0 && has(&scope->lcd_fill, screen);
}

bool oracle_scope_has_line(const struct oracle_scope *scope, uint32_t number)
{
    return (scope->parts & (uint32_t)oracle_scope_part_of(number)) != 0 && has(&scope->lines, number);
}

/* ----------------------------------------------------------------------------------------------------------- making */

void oracle_scope_all(struct oracle_scope *out)
{
    out->parts = PICA_PARTS_ALL;
    out->some_pages = false;
    memset(out->registers, 0xFF, sizeof out->registers);
    memset(out->engines, 0xFF, sizeof out->engines);
    out->lcd_fill = (1u << SCREENS) - 1u;
    out->lines = UINT64_MAX;
}

static void add_engine(struct oracle_scope *scope, uint32_t address)
{
    if (address >= PICA_EXTERNAL_ADDRESS && address - PICA_EXTERNAL_ADDRESS < 4u * PICA_EXTERNAL_WORDS)
        add(scope->engines, (address - PICA_EXTERNAL_ADDRESS) / 4u);
    for (uint32_t screen = 0; screen < SCREENS; screen++)
        if (address == screen_addresses[screen])
            add(&scope->lcd_fill, screen);
}

/* Excludes a line of pica/state.def. Three of the lines have elements that can be excluded one by one. */
static void leave_out_line(struct oracle_scope *scope, uint32_t line)
{
    if (line == PICA_STATE_REGISTERS)
        memset(scope->registers, 0, sizeof scope->registers);
    else if (line == PICA_STATE_EXTERNAL)
        memset(scope->engines, 0, sizeof scope->engines);
    else if (line == PICA_STATE_LCD_FILL)
        scope->lcd_fill = 0;
    else
        leave_out(&scope->lines, line);
}

void oracle_scope_declared(const struct pica_models *models, struct oracle_scope *out)
{
    oracle_scope_all(out);
    out->parts = models != NULL ? models->parts & PICA_PARTS_ALL : PICA_PART_MEMORY;
    if (models == NULL)
        return;
    for (uint32_t line = 0; line < PICA_STATE_PARTS; line++)
        if ((models->state_not_kept >> line & 1u) != 0)
            leave_out_line(out, line);
    for (uint32_t i = 0; models->registers_not_kept != NULL && i < models->registers_not_kept_count; i++)
        if (models->registers_not_kept[i] < PICA_REGISTERS)
            leave_out(out->registers, models->registers_not_kept[i]);
    if (models->engine_registers == NULL)
        return;
    memset(out->engines, 0, sizeof out->engines);
    out->lcd_fill = 0;
    for (uint32_t i = 0; i < models->engine_registers_count; i++)
        add_engine(out, models->engine_registers[i]);
}

void oracle_scope_meet(struct oracle_scope *scope, const struct oracle_scope *other)
{
    scope->parts &= other->parts;
    scope->some_pages = scope->some_pages || other->some_pages;
    scope->lcd_fill &= other->lcd_fill;
    scope->lines &= other->lines;
    for (size_t i = 0; i < sizeof scope->registers / sizeof scope->registers[0]; i++)
        scope->registers[i] &= other->registers[i];
    for (size_t i = 0; i < sizeof scope->engines / sizeof scope->engines[0]; i++)
        scope->engines[i] &= other->engines[i];
}

bool oracle_scope_is_all(const struct oracle_scope *scope)
{
    struct oracle_scope all;
    oracle_scope_all(&all);
    return scope->parts == all.parts && !scope->some_pages && scope->lcd_fill == all.lcd_fill &&
           scope->lines == all.lines && memcmp(scope->registers, all.registers, sizeof all.registers) == 0 &&
           memcmp(scope->engines, all.engines, sizeof all.engines) == 0;
}

/* ------------------------------------------------------------------------------------------------------------ names */

uint32_t oracle_scope_part(const char *name)
{
    for (size_t i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0)
            return (uint32_t)parts[i].part;
    return 0;
}

const char *oracle_scope_part_names(void)
{
    return "memory, registers, engines, interrupts, tables, units, fixed, geometry, assembler, events, screens";
}

bool oracle_scope_ignore(struct oracle_scope *scope, const char *name)
{
    const uint32_t part = oracle_scope_part(name);
    const struct pica_reg_info *const internal = pica_reg_by_name(name);
    const struct pica_extreg_info *const engine = pica_extreg_by_name(name);
    const struct pica_extreg_info *const screen = pica_lcdreg_by_name(name);
    bool is_line = false;
    scope->parts &= ~part;
    for (uint32_t line = 0; line < PICA_STATE_PARTS && part == 0; line++)
        if (strcmp(lines[line].name, name) == 0) {
            leave_out_line(scope, line);
            is_line = true;
        }
    if (internal != NULL)
        leave_out(scope->registers, internal->id);
    if (engine != NULL)
        leave_out(scope->engines, engine->address / 4u);
    if (screen != NULL)
        leave_out(&scope->lcd_fill, screen->address == screen_addresses[0] ? 0 : 1);
    return part != 0 || is_line || internal != NULL || engine != NULL || screen != NULL;
}

enum pica_part oracle_scope_part_at(size_t offset)
{
    if (offset < offsetof(struct pica_state, external))
        return PICA_PART_REGISTERS;
    if (offset < offsetof(struct pica_state, interrupts))
        return PICA_PART_ENGINES;
    if (offset < offsetof(struct pica_state, tables))
        return PICA_PART_INTERRUPTS;
    if (offset < offsetof(struct pica_state, units))
        return PICA_PART_TABLES;
    if (offset < offsetof(struct pica_state, fixed))
        return PICA_PART_UNITS;
    if (offset < offsetof(struct pica_state, geometry))
        return PICA_PART_FIXED;
    return offset < offsetof(struct pica_state, assembler) ? PICA_PART_GEOMETRY : PICA_PART_ASSEMBLER;
}

enum pica_part oracle_scope_part_of(uint32_t line)
{
    return oracle_scope_part_at(lines[line].offset);
}

/* ------------------------------------------------------------------------------------------------------------- text */

/* How many registers of a part are excluded, and the name of the last one. */
struct lack {
    uint32_t count;
    const char *name;
};

static void count_lack(struct lack *lack, bool is_there, const char *name)
{
    if (is_there)
        return;
    lack->count++;
    lack->name = name;
}

static struct lack lack_of(const struct oracle_scope *scope, enum pica_part part)
{
    struct lack lack = { 0, "" };
    for (uint32_t id = 0; part == PICA_PART_REGISTERS && id < PICA_REGISTERS; id++)
        count_lack(&lack, has(scope->registers, id), pica_reg_info(id)->name);
    for (uint32_t word = 0; part == PICA_PART_ENGINES && word < PICA_EXTERNAL_WORDS; word++) {
        const struct pica_extreg_info *const info = pica_extreg_info(4 * word);
        count_lack(&lack, has(scope->engines, word), info != NULL ? info->name : "1");
    }
    for (uint32_t screen = 0; part == PICA_PART_ENGINES && screen < SCREENS; screen++)
        count_lack(&lack, has(&scope->lcd_fill, screen), pica_lcdreg_info(screen_addresses[screen])->name);
    for (uint32_t line = 0; line < PICA_STATE_PARTS; line++)
        if (oracle_scope_part_at(lines[line].offset) == part)
            count_lack(&lack, has(&scope->lines, line), lines[line].name);
    return lack;
}

static size_t append(char *out, size_t size, size_t used, const char *text)
{
    const int length = used < size ? snprintf(out + used, size - used, "%s", text) : 0;
    return used + (length > 0 ? (size_t)length : 0);
}

void oracle_scope_text(const struct oracle_scope *scope, char *out, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < PARTS; i++) {
        if ((scope->parts & (uint32_t)parts[i].part) == 0)
            continue;
        const struct lack lack = lack_of(scope, parts[i].part);
        char but[64] = "";
        if (lack.count == 1)
            (void)snprintf(but, sizeof but, " but %s", lack.name);
        else if (lack.count > 1)
            (void)snprintf(but, sizeof but, " but %u", (unsigned)lack.count);
        used = append(out, size, used, used != 0 ? ", " : "");
        used = append(out, size, used, parts[i].name);
        used = append(out, size, used, parts[i].part == PICA_PART_MEMORY && scope->some_pages ? " of some pages" : but);
    }
    if (used == 0)
        (void)append(out, size, 0, "nothing");
}
