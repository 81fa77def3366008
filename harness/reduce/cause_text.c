/* The needs of a cause as JSON. All names come from tables and contain nothing that must be escaped. */
#include "harness/reduce/cause.h"

#include "pica/fields.h"

#include <inttypes.h>

/* The name of the value, such as "min", or the number if it has none. */
static void add_value(struct harness_text *out, const struct pica_field_info *field, uint32_t value)
{
    size_t count = 0;
    const struct pica_enum_value *const values = pica_enum_values(field->enumeration, &count);
    if (value < count)
        harness_text_format(out, "\"%s\"", values[value].text);
    else
        harness_text_format(out, "%" PRIu32, value);
}

static void add_values(struct harness_text *out, const struct pica_field_info *field, const struct harness_need *need)
{
    const char *separator = "";
    if (need->values == 0)
        add_value(out, field, need->value);
    for (uint32_t value = 0; value < 64; value++) {
        if ((need->values >> value & 1u) == 0)
            continue;
        harness_text_add(out, separator);
        add_value(out, field, value);
        separator = ",";
    }
}

void harness_cause_needs_json(const struct harness_cause *cause, struct harness_text *out)
{
    size_t total = 0;
    const char *separator = "";
    harness_text_add(out, "[");
    for (uint32_t i = 0; i < cause->count; i++) {
        const struct pica_field_info *const field = &pica_fields(&total)[cause->needs[i].field];
        harness_text_format(out, "%s{\"field\":\"%s.%s\",\"values\":[", separator,
                            pica_layout_info(field->layout)->name, field->name);
        add_values(out, field, &cause->needs[i]);
        harness_text_add(out, "],\"usual\":");
        add_value(out, field, cause->needs[i].usual);
        harness_text_add(out, "}");
        separator = ",";
    }
    for (uint32_t trait = 0; trait < HARNESS_TRAITS; trait++) {
        if (!harness_cause_has(cause, (enum harness_trait)trait))
            continue;
        harness_text_format(out, "%s{\"trait\":\"%s\"}", separator, harness_trait_text((enum harness_trait)trait));
        separator = ",";
    }
    harness_text_add(out, "]");
}
