#include "oracles/equal.h"

#include <string.h>

enum {
    INTERNAL = UINT32_MAX >> 1 /* instead of the number of a line */
};

struct member {
    const char *label; /* NULL: not compared here */
    uint32_t number;   /* of the line; INTERNAL: always 0 in a dump */
    const char *rule;
    size_t offset; /* bytes */
    size_t size;   /* bytes */
    uint32_t bits; /* bits of an element */
    uint32_t row;  /* elements per row: a row is numbered as one */
};

/* In the order of the struct. Members without a label are compared elsewhere (registers_equal.c), or always 0. */
static const struct member members[] = {
#define BYTES(member) sizeof(((struct pica_state *)NULL)->member)
#define MEMBER(number, member, bits, row, label, rule) \
    { label, number, rule, offsetof(struct pica_state, member), BYTES(member), bits, row },
#define STATE(number, ID, name, member, bits, count, most, FORM, row, label, rule) \
    MEMBER(number, member, bits, row, label, rule)
#define STATE_INTERNAL(ID, member, bits, count, label, rule) MEMBER(INTERNAL, member, bits, 1, label, rule)
#include "pica/state.def"
};

static uint32_t word_at(const uint8_t *bytes, size_t offset)
{
    uint32_t word = 0;
    memcpy(&word, bytes + offset, sizeof word);
    return word;
}

/* `at`: which element differs, or which byte where elements are shorter than a word. */
static void say_place(struct oracle_report *report, const struct member *member, uint32_t at)
{
    if (member->bits < 32)
        oracle_say(report, "%s, byte %u", member->label, (unsigned)at);
    else if (member->row == 1)
        oracle_say(report, "%s[%u]", member->label, (unsigned)at);
    else if (member->row == 4)
        oracle_say(report, "%s%u.%c", member->label, (unsigned)(at / 4), "xyzw"[at % 4]);
    else
        oracle_say(report, "%s %u, entry %u", member->label, (unsigned)(at / member->row),
                   (unsigned)(at % member->row));
}

/* Adds the member to the key, and the component of a vector, but not the number of the uniform. */
static void add_key(struct oracle_report *report, const struct member *member, uint32_t unit)
{
    if (report->key[0] != '\0')
        return;
    oracle_key(report, "state %s", member->label);
    if (member->bits >= 32 && member->row == 4)
        oracle_key(report, ".%c", "xyzw"[unit % 4]);
}

/* Is the member compared here, and do both runs model it? */
static bool is_in(const struct member *member, const struct oracle_scope *scope)
{
    if (member->label == NULL)
        return false;
    return member->number == INTERNAL ? (scope->parts & (uint32_t)oracle_scope_part_at(member->offset)) != 0
                                      : oracle_scope_has_line(scope, member->number);
}

static void compare_member(const struct oracle_run *a, const struct oracle_run *b, const struct member *member,
                           struct oracle_report *report)
{
    const uint8_t *bytes_a = (const uint8_t *)a->state + member->offset;
    const uint8_t *bytes_b = (const uint8_t *)b->state + member->offset;
    const size_t step = member->bits < 32 ? 1 : 4;
    report->compared += member->size / step;
    if (memcmp(bytes_a, bytes_b, member->size) == 0)
        return;
    uint64_t differences = 0;
    for (size_t at = 0; at < member->size; at += step) {
        const uint32_t value_a = step == 1 ? bytes_a[at] : word_at(bytes_a, at);
        const uint32_t value_b = step == 1 ? bytes_b[at] : word_at(bytes_b, at);
        if (value_a == value_b)
            continue;
        if (differences++ != 0)
            continue;
        add_key(report, member, (uint32_t)(at / step));
        oracle_say(report, "state: ");
        say_place(report, member, (uint32_t)(at / step));
        oracle_say(report, " (%s): %s 0x%0*X, %s 0x%0*X", member->rule, a->backend, step == 1 ? 2 : 8,
                   (unsigned)value_a, b->backend, step == 1 ? 2 : 8, (unsigned)value_b);
    }
    if (differences > 1)
        oracle_say(report, "; %llu more in this member", (unsigned long long)(differences - 1));
    oracle_say(report, "\n");
    report->differences += differences;
    report->verdict = ORACLE_DIVERGE;
}

void oracle_state_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report)
{
    memset(report, 0, sizeof *report);
    report->oracle = "state_equal";
    struct oracle_scope scope;
    oracle_scope_of_runs(a, b, &scope);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (is_in(&members[i], &scope))
            compare_member(a, b, &members[i], report);
}

const char *oracle_state_rule(const struct oracle_run *a, const struct oracle_run *b)
{
    struct oracle_scope scope;
    oracle_scope_of_runs(a, b, &scope);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (is_in(&members[i], &scope) && memcmp((const uint8_t *)a->state + members[i].offset,
                                                 (const uint8_t *)b->state + members[i].offset, members[i].size) != 0)
            return members[i].rule;
    return "";
}
