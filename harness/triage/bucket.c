#include "harness/triage/bucket.h"

#include "harness/triage/demangle.h"
#include "harness/run/dump.h"
#include "pica/fields.h"
#include "pica/regs.h"
#include "pica/stage_words.h"
#include "pica/trace.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLUG_SIZE = 40
};

/* ------------------------------------------------------------------------------------ what fields say in a key */

enum part {
    WITH_VALUE,
    WITHOUT_VALUE, /* the value that shows the fault depends on the data */
    NOT_AT_ALL     /* a switch without which the stage does not run, or a field that feeds data to it */
};

/* How a needed field enters a title: the first matching line decides. A field that matches no line enters with the
 * first value that shows the difference. A * matches anything. */
static const struct {
    const char *field; /* "layout.field" */
    enum part part;
    const char *only; /* the field enters only if its value begins with this; "": any value */
    const char *text; /* "": the field's own name */
} parts[] = {
    { "attribbuffer_config*", NOT_AT_ALL, "", "" }, /* a trait says whether padding is needed */
    { "attribbuffers_format_*", NOT_AT_ALL, "", "" },
    { "sh_outmap.*", WITH_VALUE, "color", "output" },
    { "geostage_config.*", NOT_AT_ALL, "", "" },
    { "gsh_misc0.*", NOT_AT_ALL, "", "" },
    { "faceculling_config.*", NOT_AT_ALL, "", "" },
    { "texunit_config.*", NOT_AT_ALL, "", "" },
    { "texunit_param.wrap_*", NOT_AT_ALL, "", "" },
    { "texunit_param.*_filter", NOT_AT_ALL, "", "" },
    { "lighting_light_permutation.*", WITHOUT_VALUE, "", "light of a slot" },
    { "lighting_config1.*", NOT_AT_ALL, "", "" },
    { "lighting_config0.*", NOT_AT_ALL, "", "" },
    { "lighting_lut_index.*", NOT_AT_ALL, "", "" },
    { "light_config.*", NOT_AT_ALL, "", "" },
    { "texenv_source.*", NOT_AT_ALL, "", "" },
    { "texenv_operand.*", NOT_AT_ALL, "", "" },
    { "texenv_scale.*", NOT_AT_ALL, "", "" },
    { "texenv_update_buffer.stage*", NOT_AT_ALL, "", "" },
    { "color_operation.blend_mode", NOT_AT_ALL, "", "" },
    { "blend_func.*_source", NOT_AT_ALL, "", "" },
    { "blend_func.*_dest", NOT_AT_ALL, "", "" },
    { "fragop_alpha_test.enable", NOT_AT_ALL, "", "" },
    { "stencil_test.enable", NOT_AT_ALL, "", "" },
    { "stencil_test.function", NOT_AT_ALL, "", "" },
    { "stencil_op.*", NOT_AT_ALL, "", "" },
    { "texenv_update_buffer.fog_z_flip", NOT_AT_ALL, "", "" },
    { "xfer_flags.in_format", NOT_AT_ALL, "", "" },
    { "xfer_flags.out_format", NOT_AT_ALL, "", "" },
    { "xfer_flags.flip", NOT_AT_ALL, "", "" },
    { "colorbuffer_access.enable", NOT_AT_ALL, "", "" },
    { "depthbuffer_access.enable", NOT_AT_ALL, "", "" },
};

/* Does a pattern with at most one * match? */
static bool fits(const char *pattern, const char *text)
{
    const size_t head = strcspn(pattern, "*");
    if (pattern[head] == '\0')
        return strcmp(pattern, text) == 0;
    const char *const tail = pattern + head + 1;
    const size_t length = strlen(text), rest = strlen(tail);
    return length >= head + rest && strncmp(pattern, text, head) == 0 && strcmp(text + length - rest, tail) == 0;
}

static size_t line_of(const char *name)
{
    size_t line = 0;
    while (line < sizeof parts / sizeof parts[0] && !fits(parts[line].field, name))
        line++;
    return line;
}

/* "rgb_equation", "alpha_equation" -> "equation"; "attribute3_type" -> "attribute type": it is chance which of several
 * equal parts shows a fault. */
static void add_words(struct harness_text *out, const char *name)
{
    static const char *const sides[] = { "rgb_", "alpha_" };
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        if (strncmp(name, sides[i], strlen(sides[i])) == 0)
            name += strlen(sides[i]);
    for (; *name != '\0'; name++)
        if (isdigit((unsigned char)*name) == 0)
            harness_text_format(out, "%c", *name == '_' ? ' ' : *name);
}

static uint32_t first_value(const struct harness_need *need)
{
    for (uint32_t value = 0; value < 64; value++)
        if ((need->values >> value & 1u) != 0)
            return value;
    return need->value;
}

/* Values that the rules treat alike get one name, since it is chance which of them shows a fault. */
static const struct {
    const char *value, *text;
} alike[] = {
    { "etc1a4", "etc1" },                              /* ETC-01: the same block of colours */
    { "i4", "of 4 bits" },    { "a4", "of 4 bits" },   /* TEX-24 */
    { "min", "min or max" },  { "max", "min or max" }, /* BLD-02: they compare */
    { "24-bit-3", "24-bit" },                          /* PSC-05 */
};

static const char *value_text(const char *value)
{
    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++)
        if (strcmp(value, alike[i].value) == 0)
            return alike[i].text;
    return value;
}

static const char row_order[] = "framebuffer_dim.top_row_first"; /* FBF-06 */

/* "function" alone would be taken for the function of the blamed stage. */
static void add_foreign_stage(struct harness_text *out, const struct pica_field_info *field, const char *stage)
{
    const struct pica_stage_word_info *const word = pica_stage_word_of_rule(field->rule);
    const char *const name = word != NULL ? word->text : "";
    const bool unknown = stage[0] == '\0' || strcmp(stage, pica_stage_word_info(PICA_STAGE_WORD_MEMORY)->text) == 0;
    if (unknown && name[0] != '\0' && strncmp(field->name, name, strlen(name)) != 0)
        harness_text_format(out, "%s ", name);
}

/* Writes the need's part of a title; nothing if it does not enter. */
static void name_need(const struct harness_need *need, const char *stage, struct harness_text *out)
{
    size_t total = 0, count = 0;
    const struct pica_field_info *const field = &pica_fields(&total)[need->field];
    const struct pica_enum_value *const values = pica_enum_values(field->enumeration, &count);
    const uint32_t first = first_value(need);
    const char *const value = first < count ? values[first].text : "";
    char name[96];
    (void)snprintf(name, sizeof name, "%s.%s", pica_layout_info(field->layout)->name, field->name);
    const size_t line = line_of(name);
    const bool listed = line < sizeof parts / sizeof parts[0];
    if (listed && (parts[line].part == NOT_AT_ALL || strncmp(value, parts[line].only, strlen(parts[line].only)) != 0))
        return;
    if (strcmp(name, row_order) == 0) {
        harness_text_format(out, "row order %s", need->value != 0 ? "from the top" : "from the bottom");
        return;
    }
    add_foreign_stage(out, field, stage);
    if (field->type == PICA_FIELD_FLAG && need->value == 0)
        harness_text_add(out, "no ");
    add_words(out, listed && parts[line].text[0] != '\0' ? parts[line].text : field->name);
    if (value[0] == '\0' || (listed && parts[line].part == WITHOUT_VALUE))
        return;
    harness_text_format(out, " %s", listed && parts[line].only[0] != '\0' ? parts[line].only : value_text(value));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* -------------------------------------------------------------------------------------------- what it is called */

/* Parts of a title, separated. */
struct title {
    struct harness_text text;
    const char *separator;
};

static void add_part(struct title *title, const char *part)
{
    harness_text_format(&title->text, "%s%s", title->separator, part);
    title->separator = ", ";
}

static void add_needs(struct title *title, const struct harness_cause *cause)
{
    char names[HARNESS_MOST_NEEDS][96];
    for (uint32_t i = 0; i < cause->count; i++) {
        struct harness_text text = { 0 };
        name_need(&cause->needs[i], cause->blame.stage, &text);
        (void)snprintf(names[i], sizeof names[i], "%s", harness_text_string(&text));
        harness_text_free(&text);
    }
    qsort(names, cause->count, sizeof names[0], by_name);
    for (uint32_t i = 0; i < cause->count; i++)
        if (names[i][0] != '\0' && (i == 0 || strcmp(names[i], names[i - 1]) != 0))
            add_part(title, names[i]);
}

static void add_traits(struct title *title, const struct harness_cause *cause)
{
    for (uint32_t trait = 0; trait < HARNESS_TRAITS; trait++)
        if (harness_cause_has(cause, (enum harness_trait)trait))
            add_part(title, harness_trait_text((enum harness_trait)trait));
}

static const uint32_t list_traits =
    1u << HARNESS_TRAIT_MASK | 1u << HARNESS_TRAIT_PADDING | 1u << HARNESS_TRAIT_PAST_END;

/* Classes of registers that a backend treats alike. Ports are not among them: each takes something different. */
static const struct habit_class {
    enum pica_reg_class reg_class;
    const char *text, *advice;
} habit_classes[] = {
    { PICA_REG_CLASS_CPU_ONLY, "cpu-only, ", "in a quirks file: force = ( \"cpu-only = reset\" );" },
    { PICA_REG_CLASS_STORAGE, "unused, ", "in a quirks file: force = ( \"unused = reset\" );" },
    { PICA_REG_CLASS_IRQ_REQUEST, "irq-request, ", "name them in registers_not_kept of the plug-in" },
    { PICA_REG_CLASS_CONFIG, "", "name them in registers_not_kept of the plug-in" },
};

static const struct habit_class *habit_class(const struct pica_reg_info *info)
{
    for (size_t i = 0; i < sizeof habit_classes / sizeof habit_classes[0]; i++)
        if (habit_classes[i].reg_class == info->reg_class)
            return &habit_classes[i];
    return NULL;
}

static const char habit_head[] = "registers: ";
static const char *const habit_texts[] = { [HARNESS_HABIT_FORGETS] = "not kept",
                                           [HARNESS_HABIT_KEEPS] = "not as a reset leaves them",
                                           [HARNESS_HABIT_BITS] = "bits without meaning" };

/* Habits such as "registers: unused, not kept": 300 registers, one finding. A register that draws use counts only if
 * its value is lost. */
static bool is_habit(const struct harness_cause *cause, const struct harness_symptom *symptom, struct title *title)
{
    const struct pica_reg_info *const info = pica_reg_by_name(symptom->what);
    if (symptom->place != HARNESS_PLACE_REGISTER || symptom->habit == HARNESS_HABIT_NONE || info == NULL ||
        strcmp(cause->blame.stage, "registers") != 0 || (cause->traits & list_traits) != 0)
        return false;
    const struct habit_class *const class = habit_class(info);
    if (class == NULL || (class->reg_class == PICA_REG_CLASS_CONFIG && symptom->habit == HARNESS_HABIT_KEEPS))
        return false;
    harness_text_format(&title->text, "%s%s%s", habit_head, class->text, habit_texts[symptom->habit]);
    return true;
}

const struct pica_reg_info *harness_bucket_register(const char *title)
{
    const char *const last = strrchr(title, ' ');
    for (size_t i = 1; i < sizeof habit_texts / sizeof habit_texts[0]; i++) {
        const char *const text = strstr(title, habit_texts[i]);
        if (strncmp(title, habit_head, sizeof habit_head - 1) == 0 && text != NULL &&
            last == text + strlen(habit_texts[i]) + 1)
            return pica_reg_by_name(last + 1);
    }
    return NULL;
}

const char *harness_bucket_habit_advice(const struct pica_reg_info *info)
{
    return habit_class(info) != NULL ? habit_class(info)->advice : "";
}

/* Is the pixel stored elsewhere? Then all that is read, tested and blended there differs only for that reason. */
static bool lies_elsewhere(const struct harness_cause *cause)
{
    size_t total = 0;
    const struct pica_field_info *const field = pica_field_by_name(PICA_LAYOUT_FRAMEBUFFER_DIM, "top_row_first");
    for (uint32_t i = 0; i < cause->count; i++)
        if (&pica_fields(&total)[cause->needs[i].field] == field)
            return true;
    return false;
}

/* "blend: BLD-02": the rule that is broken. Without one, the value that differs, or the register that is written; so
 * is a register's own value, whose rule is that of all that is done with it. */
static void add_cause(struct title *title, const struct harness_cause *cause)
{
    const struct harness_blame *const blame = &cause->blame;
    const bool is_register = strcmp(blame->stage, "registers") == 0;
    const char *const rule = lies_elsewhere(cause) ? "FBF-06" : is_register ? "" : blame->broken;
    const struct pica_stage_word_info *const word = pica_stage_word_of_rule(rule);
    harness_text_add(&title->text, word != NULL ? word->text : harness_cause_stage(blame));
    if (rule[0] != '\0' || blame->place[0] != '\0')
        harness_text_format(&title->text, ": %s", rule[0] != '\0' ? rule : blame->place);
    title->separator = ", ";
}

/* Is something kept from an earlier draw, and nobody knows what? Then no rule says more than what the draws need. */
static bool keeps_something(const struct harness_cause *cause)
{
    return harness_cause_has(cause, HARNESS_TRAIT_KEPT) && cause->blame.changed[0] == '\0' && !cause->blame.has_step;
}

static void add_details(struct title *title, const struct harness_cause *cause)
{
    add_traits(title, cause);
    add_needs(title, cause);
}

/* "pica_texture_fetch", "libmygpu.so+0x1a2b"; without the offset in a function, which changes with every build. */
static void add_crash_place(struct harness_text *out, const struct harness_crash_place *crash)
{
    char readable[HARNESS_CRASH_NAME];
    const bool is_read = crash->is_function && harness_demangle(crash->name, readable, sizeof readable);
    harness_text_add(out, is_read ? readable : crash->name);
    if (!crash->is_function)
        harness_text_format(out, "+0x%" PRIx32, crash->offset);
}

/* "crash in pica_texture_fetch: signal 11: ...", "hang in fill"; a divergence is named by its cause. */
static void add_symptom(struct harness_text *key, const struct harness_symptom *symptom)
{
    if (symptom->kind == HARNESS_TEST)
        return;
    if (symptom->kind == HARNESS_RELATION) {
        harness_text_format(key, " %s%s", symptom->what, symptom->undefined ? ", undefined" : "");
        return;
    }
    harness_text_add(key, " in ");
    if (symptom->crash.name[0] != '\0')
        add_crash_place(key, &symptom->crash);
    else
        harness_text_add(key, harness_symptom_operation_name(symptom));
    if (symptom->kind == HARNESS_CRASH)
        harness_text_format(key, ": %s %d%s%s", symptom->code < 256 ? "signal" : "exit", symptom->code % 256,
                            symptom->detail[0] != '\0' ? ": " : "", symptom->detail);
}

/* The middle of the name for everything except divergences. */
static void add_short(struct harness_text *title, const struct harness_symptom *symptom)
{
    if (symptom->kind == HARNESS_RELATION)
        harness_text_add(title, symptom->what);
    else if (symptom->crash.name[0] != '\0')
        add_crash_place(title, &symptom->crash);
    else
        harness_text_add(title, harness_symptom_operation_name(symptom));
}

/* Makes the name from `text`, in characters that every file system allows, and a hash of the key. */
static void name_bucket(struct harness_bucket *bucket, const struct harness_symptom *symptom, const char *text)
{
    const uint64_t hash = harness_digest_bytes(harness_text_string(&bucket->key), bucket->key.size);
    char slug[SLUG_SIZE];
    size_t length = 0;
    for (const char *at = text; *at != '\0' && length + 1 < sizeof slug; at++) {
        const bool letter = isalnum((unsigned char)*at) != 0;
        if (letter || (length != 0 && slug[length - 1] != '-'))
            slug[length++] = letter ? (char)tolower((unsigned char)*at) : '-';
    }
    while (length != 0 && slug[length - 1] == '-')
        length--;
    slug[length] = '\0';
    (void)snprintf(bucket->name, sizeof bucket->name, "%s-%s-%08X", harness_outcome_name(symptom->kind), slug,
                   (unsigned)(hash & 0xFFFFFFFFu));
}

void harness_bucket_make(struct harness_bucket *out, const struct harness_symptom *symptom,
                         const struct harness_cause *cause)
{
    struct title title = { .separator = "" };
    out->key = (struct harness_text){ 0 };
    harness_text_add(&out->key, harness_outcome_name(symptom->kind));
    if (symptom->kind == HARNESS_DIVERGE && cause->blame.stage[0] != '\0') {
        const bool habit = is_habit(cause, symptom, &title);
        const bool unknown = !habit && keeps_something(cause);
        if (unknown)
            add_details(&title, cause);
        else if (!habit)
            add_cause(&title, cause);
        harness_text_format(&out->key, " in %s", harness_text_string(&title.text));
        name_bucket(out, symptom, harness_text_string(&title.text));
        if (habit)
            harness_text_format(&title.text, ": %s", symptom->what);
        else if (!unknown)
            add_details(&title, cause);
    } else {
        add_symptom(&out->key, symptom);
        add_short(&title.text, symptom);
        name_bucket(out, symptom, harness_text_string(&title.text));
        title.separator = ": needs ";
        add_needs(&title, cause);
    }
    out->title = title.text;
}

void harness_bucket_free(struct harness_bucket *bucket)
{
    harness_text_free(&bucket->key);
    harness_text_free(&bucket->title);
}

bool harness_bucket_head(struct harness_case *test_case, const char *name, const struct harness_reduce_result *result,
                         const struct harness_bucket *bucket)
{
    struct harness_text head = { 0 };
    harness_text_format(&head, "Reduced from %s, %" PRIu64 " to %" PRIu64 " bytes.\nBucket %s:\n%s", name,
                        result->progress.first_bytes, result->progress.bytes, bucket->name,
                        harness_text_string(&bucket->key));
    for (const char *line = result->message; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        harness_text_format(&head, "\n%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (!head.failed && head.size > HARNESS_MAX_TEXT)
        head.data[HARNESS_MAX_TEXT] = '\0';
    test_case->comment = head.failed ? NULL : harness_case_text(test_case, head.data, false);
    harness_text_free(&head);
    return test_case->comment != NULL;
}
