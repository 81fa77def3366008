#include "harness/quirks/without.h"

#include "harness/case/field_text.h"
#include "harness/cli/options.h"
#include "harness/quirks/force.h"
#include "harness/quirks/visit.h"
#include "pica/extregs.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <stdio.h>
#include <string.h>

enum kind {
    FIELD_HAS_VALUE, /* of a field: of a register when a draw begins, or of a word for an engine */
    TEXTURE_FORMAT,  /* of a texture unit that is on */
    INSTRUCTION,     /* value: the first opcode of that meaning */
    OPERATION,       /* value: enum harness_operation_kind */
    COPY,            /* value: 0 display transfer, 1 texture copy */
    DRAW,            /* value: 0 arrays, 1 indexed, 2 immediate */
    PROFILE          /* value: enum pica_profile */
};

/* Features with names of their own. A case has a feature if it meets any of the lines of that name. */
static const struct {
    const char *word;
    enum kind kind;
    uint32_t value;
    const char *field; /* "layout.field=value" */
} words[] = {
    { "geometry", FIELD_HAS_VALUE, 0, "geostage_config.mode=geometry-shader" },
    { "gas", FIELD_HAS_VALUE, 0, "color_operation.fragment_mode=gas" },
    { "gas", FIELD_HAS_VALUE, 0, "texenv_update_buffer.fog_mode=gas" },
    { "shadow", FIELD_HAS_VALUE, 0, "color_operation.fragment_mode=shadow" },
    { "shadow", FIELD_HAS_VALUE, 0, "texunit_param.type=shadow-2d" },
    { "shadow", FIELD_HAS_VALUE, 0, "texunit_param.type=shadow-cube" },
    { "fog", FIELD_HAS_VALUE, 0, "texenv_update_buffer.fog_mode=fog" },
    { "lighting", FIELD_HAS_VALUE, 0, "lighting_enable0.enable=1" },
    { "proctex", FIELD_HAS_VALUE, 0, "texunit_config.unit3_enable=1" },
    { "stencil test", FIELD_HAS_VALUE, 0, "stencil_test.enable=1" },
    { "early depth test", FIELD_HAS_VALUE, 0, "earlydepth_test.enable=1" },
    { "logic op", FIELD_HAS_VALUE, 0, "color_operation.blend_mode=logic-op" },
    { "cube", FIELD_HAS_VALUE, 0, "texunit_param.type=cube" },
    { "projection", FIELD_HAS_VALUE, 0, "texunit_param.type=projection" },
    { "f24", PROFILE, PICA_PROFILE_F24, NULL },
    { "f32", PROFILE, PICA_PROFILE_F32, NULL },
    { "memory fill", OPERATION, HARNESS_FILL, NULL },
    { "display transfer", COPY, 0, NULL },
    { "texture copy", COPY, 1, NULL },
    { "vblank", OPERATION, HARNESS_VBLANK, NULL },
    { "cpu write", OPERATION, HARNESS_WRITE, NULL },
    { "arrays", DRAW, 0, NULL },
    { "indexed", DRAW, 1, NULL },
    { "immediate", DRAW, 2, NULL },
};

enum {
    WORDS = sizeof words / sizeof words[0]
};

const char *harness_without_word(size_t index)
{
    for (size_t i = 0; i < WORDS; i++) {
        if (i != 0 && strcmp(words[i - 1].word, words[i].word) == 0)
            continue;
        if (index-- == 0)
            return words[i].word;
    }
    return NULL;
}

/* ----------------------------------------------------------------------------------------------------------- adding */

static enum harness_status add(struct harness_without *without, const char *word,
                               const struct harness_without_item *item, struct harness_error *error)
{
    if (without->count == HARNESS_MOST_WITHOUT)
        return harness_fail(error, HARNESS_BAD_INPUT, "expected at most %d features", HARNESS_MOST_WITHOUT);
    without->items[without->count] = *item;
    (void)snprintf(without->items[without->count++].word, HARNESS_WITHOUT_WORD, "%s", word);
    return HARNESS_OK;
}

/* Adds "layout.field=value" or "REGISTER.field=value"; of a flag the value may be left out. */
static enum harness_status add_field(struct harness_without *without, const char *word, const char *text,
                                     struct harness_error *error)
{
    struct harness_without_item item = { .kind = FIELD_HAS_VALUE, .value = 1 };
    char name[HARNESS_WITHOUT_WORD], what[HARNESS_EXPECTATION];
    const size_t length = strcspn(text, "=");
    (void)snprintf(name, sizeof name, "%.*s", (int)length, text);
    const enum harness_status status = harness_force_field(name, &item.field, &item.slot, error);
    if (status != HARNESS_OK)
        return status;
    const char *const value = text[length] == '=' ? text + length + 1 + strspn(text + length + 1, " ") : "";
    if ((text[length] == '=' || item.field->type != PICA_FIELD_FLAG) &&
        !harness_field_parse(item.field, value, &item.value))
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: expected = and %s, found '%s'", name,
                            harness_field_expectation(item.field, what), value);
    return add(without, word, &item, error);
}

static enum harness_status add_instruction(struct harness_without *without, const char *word,
                                           struct harness_error *error)
{
    const struct pica_opcode_info *const info = pica_opcode_by_mnemonic(word + strlen("shader."));
    if (info == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "expected shader. and an instruction, found '%s'", word);
    const struct harness_without_item item = { .kind = INSTRUCTION, .value = (uint32_t)info->first };
    return add(without, word, &item, error);
}

static enum harness_status unknown(const char *word, struct harness_error *error)
{
    const char *names[WORDS];
    size_t count = 0;
    while (harness_without_word(count) != NULL && count < WORDS) {
        names[count] = harness_without_word(count);
        count++;
    }
    const enum harness_status status =
        harness_fail(error, HARNESS_BAD_INPUT,
                     "expected a feature (geometry, etc1, layout.field=value, shader.mad, ...), found '%s'", word);
    harness_error_suggest(error, cli_nearest(word, names, count));
    return status;
}

enum harness_status harness_without_add(struct harness_without *without, const char *word, struct harness_error *error)
{
    size_t count = 0;
    bool found = false;
    enum harness_status status = HARNESS_OK;
    const struct pica_enum_value *const formats = pica_enum_values(PICA_ENUM_TEXTURE_FORMAT, &count);
    if (strlen(word) >= HARNESS_WITHOUT_WORD)
        return harness_fail(error, HARNESS_BAD_INPUT, "expected a feature, found '%.40s...'", word);
    for (size_t i = 0; i < WORDS && status == HARNESS_OK; i++) {
        if (strcmp(words[i].word, word) != 0)
            continue;
        const struct harness_without_item item = { .kind = words[i].kind, .value = words[i].value };
        found = true;
        status =
            words[i].field != NULL ? add_field(without, word, words[i].field, error) : add(without, word, &item, error);
    }
    for (size_t i = 0; i < count && !found; i++)
        if (strcmp(formats[i].text, word) == 0) {
            const struct harness_without_item item = { .kind = TEXTURE_FORMAT, .value = (uint32_t)i };
            return add(without, word, &item, error);
        }
    if (found)
        return status;
    if (strncmp(word, "shader.", strlen("shader.")) == 0)
        return add_instruction(without, word, error);
    return strchr(word, '.') != NULL ? add_field(without, word, word, error) : unknown(word, error);
}

/* ---------------------------------------------------------------------------------------------------------- looking */

struct search {
    const struct harness_without *without;
    uint32_t found; /* index of the first item that the case meets so far; at first the number of items */
};

static void meet(struct search *search, uint32_t item)
{
    if (item < search->found)
        search->found = item;
}

static bool field_met(const struct harness_without_item *item, uint32_t slot, uint32_t word)
{
    return pica_field_get(item->field, word) == item->value &&
           (item->slot == slot || (item->slot == HARNESS_SLOTS && harness_slot_layout(slot) == item->field->layout));
}

static bool unit_is_on(const uint32_t *registers, uint32_t unit)
{
    return (registers[PICA_REG_TEXUNIT_CONFIG] >> unit & 1u) != 0;
}

static bool format_met(const struct harness_without_item *item, const uint32_t *registers)
{
    for (uint32_t unit = 0; unit < 3; unit++)
        if (unit_is_on(registers, unit) &&
            (uint32_t)pica_texunit_type_format(registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_TYPE)]) ==
                item->value)
            return true;
    return false;
}

/* The parameters of texture unit 0 count only if the unit is on: programs that do not use it leave them as they are. */
static bool register_met(const struct harness_without_item *item, const uint32_t *registers, uint32_t id)
{
    if (id == PICA_REG_TEXUNIT0_PARAM && !unit_is_on(registers, 0))
        return false;
    return field_met(item, id, registers[id]);
}

static bool draw_met(const struct harness_without_item *item, const uint32_t *registers, uint32_t how)
{
    if (item->kind == DRAW)
        return item->value == how;
    if (item->kind == TEXTURE_FORMAT)
        return format_met(item, registers);
    if (item->kind != FIELD_HAS_VALUE)
        return false;
    if (item->slot < PICA_REGISTERS)
        return register_met(item, registers, item->slot);
    for (uint32_t id = 0; item->slot == HARNESS_SLOTS && id < PICA_REGISTERS; id++)
        if (register_met(item, registers, id))
            return true;
    return false;
}

static void see_draw(void *user, const uint32_t *registers, bool is_immediate, bool is_indexed)
{
    struct search *const search = user;
    const uint32_t how = is_immediate ? 2 : (is_indexed ? 1 : 0);
    for (uint32_t i = 0; i < search->found; i++)
        if (draw_met(&search->without->items[i], registers, how))
            meet(search, i);
}

static void see_instruction(void *user, uint32_t word)
{
    struct search *const search = user;
    const uint32_t opcode = (uint32_t)pica_opcode_info(pica_opcode_of(word))->first;
    for (uint32_t i = 0; i < search->found; i++)
        if (search->without->items[i].kind == INSTRUCTION && search->without->items[i].value == opcode && word != 0)
            meet(search, i);
}

static void see_operation(void *user, const struct harness_operation *operation)
{
    struct search *const search = user;
    for (uint32_t i = 0; i < search->found; i++) {
        const struct harness_without_item *const item = &search->without->items[i];
        if (item->kind == OPERATION && item->value == (uint32_t)operation->kind)
            meet(search, i);
        if (item->kind == COPY && operation->kind == HARNESS_TRANSFER &&
            item->value == pica_xfer_flags_copy(operation->words[4]))
            meet(search, i);
    }
}

/* Only words for engines: see_draw looks at internal registers. */
static uint32_t see_write(void *user, const struct harness_slot_write *write)
{
    struct search *const search = user;
    for (uint32_t i = 0; i < search->found && write->slot >= PICA_REGISTERS && !write->is_in_state; i++)
        if (search->without->items[i].kind == FIELD_HAS_VALUE &&
            field_met(&search->without->items[i], write->slot, write->value))
            meet(search, i);
    return write->value;
}

const char *harness_without_has(const struct harness_without *without, struct harness_case *test_case, bool *failed)
{
    struct search search = { without, without->count };
    *failed = false;
    if (without->count == 0)
        return NULL;
    for (uint32_t i = 0; i < without->count; i++)
        if (without->items[i].kind == PROFILE && without->items[i].value == (uint32_t)test_case->profile)
            meet(&search, i);
    const struct harness_visitor visitor = { .user = &search,
                                             .write = see_write,
                                             .draw = see_draw,
                                             .instruction = see_instruction,
                                             .operation = see_operation };
    *failed = harness_visit(test_case, &visitor) < 0;
    return search.found < without->count ? without->items[search.found].word : NULL;
}
