#include "harness/peel/peel.h"

#include "harness/quirks/force.h"
#include "harness/quirks/visit.h"
#include "pica/regs.h"

#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------- what it has */

/* Registers [first, end): no register outside has the layout. */
struct span {
    uint32_t first, end;
};

/* Which needs of which causes a case has: bit n of has[c] is need n of cause c. A draw has 768 registers and a hunt may
 * know many needs, so the registers of each need's layout are looked up once for each case. */
struct search {
    const struct harness_peel_cause *causes;
    uint32_t count;
    uint32_t has[HARNESS_PEEL_MOST];
    uint16_t layouts[PICA_REGISTERS];
    struct span spans[HARNESS_PEEL_MOST][HARNESS_PEEL_MOST_NEEDS];
};

static bool has_value(const struct harness_peel_need *need, uint32_t word)
{
    const uint32_t value = pica_field_get(need->field, word);
    return value < 128 && (need->values[value / 64] >> (value % 64) & 1u) != 0;
}

static struct span span_of(const struct search *search, enum pica_layout layout)
{
    struct span span = { PICA_REGISTERS, 0 };
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        if (search->layouts[id] == layout) {
            span.first = span.first < id ? span.first : id;
            span.end = id + 1;
        }
    return span;
}

/* Does some register of the field's layout hold one of the values? */
static bool is_at_draw(const struct search *search, const struct harness_peel_need *need, struct span span,
                       const uint32_t *registers)
{
    for (uint32_t id = span.first; id < span.end; id++)
        if (search->layouts[id] == need->field->layout && has_value(need, registers[id]))
            return true;
    return false;
}

static uint32_t result_of(const struct harness_slot_write *write)
{
    return (write->before & ~write->mask) | (write->value & write->mask);
}

static void visit_needs(struct search *search, const uint32_t *registers, const struct harness_slot_write *write)
{
    const enum pica_layout layout = registers == NULL ? harness_slot_layout(write->slot) : PICA_LAYOUT_NONE;
    for (uint32_t c = 0; c < search->count; c++) {
        const struct harness_peel_cause *const cause = &search->causes[c];
        for (uint32_t n = 0; n < cause->count; n++) {
            const struct harness_peel_need *const need = &cause->needs[n];
            if ((search->has[c] >> n & 1u) != 0)
                continue;
            const bool seen = registers != NULL ? is_at_draw(search, need, search->spans[c][n], registers)
                                                : layout == need->field->layout && has_value(need, result_of(write));
            search->has[c] |= seen ? 1u << n : 0u;
        }
    }
}

static void visit_draw(void *user, const uint32_t *registers, bool is_immediate, bool is_indexed)
{
    (void)is_immediate;
    (void)is_indexed;
    visit_needs(user, registers, NULL);
}

/* Writes to registers count, too: command lists that jump run in another order than they are visited, so a draw may see
 * a write that is visited later. */
static uint32_t visit_write(void *user, const struct harness_slot_write *write)
{
    if (!write->is_in_state)
        visit_needs(user, NULL, write);
    return write->value;
}

static bool look(struct search *search, struct harness_case *test_case)
{
    const struct harness_visitor visitor = { .user = search, .write = visit_write, .draw = visit_draw };
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        search->layouts[id] = (uint16_t)pica_reg_info(id)->layout;
    for (uint32_t c = 0; c < search->count; c++)
        for (uint32_t n = 0; n < search->causes[c].count; n++)
            search->spans[c][n] = span_of(search, search->causes[c].needs[n].field->layout);
    return harness_visit(test_case, &visitor) >= 0;
}

bool harness_peel_has(const struct harness_peel_cause *cause, struct harness_case *test_case, uint32_t *has)
{
    struct search search = { .causes = cause, .count = 1 };
    const bool good = look(&search, test_case);
    *has = search.has[0];
    return good;
}

/* -------------------------------------------------------------------------------------------------------- freeing */

static bool has_all(const struct harness_peel_cause *cause, uint32_t has)
{
    return cause->count != 0 && has == (1u << cause->count) - 1u;
}

bool harness_peel_free(const struct harness_peel *peel, bool dies, struct harness_case *test_case,
                       struct harness_peeled *out)
{
    *out = (struct harness_peeled){ 0 };
    if (peel->count == 0)
        return true;
    struct search search = { .causes = peel->causes, .count = peel->count };
    if (!look(&search, test_case))
        return false;
    for (uint32_t c = 0; c < peel->count; c++) {
        const struct harness_peel_cause *const cause = &peel->causes[c];
        if ((dies && !cause->dies) || !has_all(cause, search.has[c]))
            continue;
        const struct harness_peel_need *const need = &cause->needs[0];
        if (harness_force_values(test_case, need->field, need->values, need->usual) < 0)
            return false;
        if (out->count++ == 0)
            out->first = c;
    }
    return true;
}

/* ----------------------------------------------------------------------------------------------------------- signs */

/* A sign is one line: control characters become spaces. */
void harness_peel_sign(const char *kind, const char *key, char out[HARNESS_PEEL_KEY])
{
    (void)snprintf(out, HARNESS_PEEL_KEY, "%s %s", kind, key);
    for (char *at = out; *at != '\0'; at++)
        if ((unsigned char)*at < ' ')
            *at = ' ';
}

int harness_peel_find_sign(const struct harness_peel *peel, const char *kind, const char *key)
{
    char sign[HARNESS_PEEL_KEY];
    harness_peel_sign(kind, key, sign);
    for (uint32_t c = 0; c < peel->count; c++)
        if (strcmp(peel->causes[c].sign, sign) == 0)
            return (int)c;
    return -1;
}
