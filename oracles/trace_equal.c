#include "oracles/trace_equal.h"

#include "pica/stage_words.h"

#include <string.h>

bool oracle_trace_same_key(const struct pica_trace_step *a, const struct pica_trace_step *b)
{
    return a->index == b->index && strcmp(a->stage, b->stage) == 0 && strcmp(a->name, b->name) == 0;
}

static bool same_values(const struct pica_trace_step *a, const struct pica_trace_step *b)
{
    return a->count == b->count && memcmp(a->values, b->values, a->count * sizeof a->values[0]) == 0;
}

static bool is_within(uint32_t a, uint32_t b, uint32_t most)
{
    return (a > b ? a - b : b - a) <= most;
}

static bool is_of(const struct pica_trace_info *info, enum pica_trace_id id)
{
    return info == pica_trace_info(id);
}

/* How far value `index` of a step may be off. A pixel's bits in its format may have any value here, since pixels are
 * judged where memory is compared. */
static uint32_t allowance_of(const struct pica_trace_info *info, uint32_t index,
                             const struct oracle_tolerance *tolerance)
{
    const uint32_t *const channels = tolerance->channels;
    if (is_of(info, PICA_TRACE_ID_COLOR_WRITE))
        return (channels[0] | channels[1] | channels[2] | channels[3]) != 0 ? UINT32_MAX : 0;
    if (is_of(info, PICA_TRACE_ID_DEPTH_WRITE) || (is_of(info, PICA_TRACE_ID_DEPTH_TEST) && index < 2))
        return tolerance->depth;
    return info->type == PICA_TRACE_UNSIGNED && strstr(info->values, "R G B A") != NULL ? channels[index % 4] : 0;
}

/* Are two steps with the same key equal within the tolerance? With a tolerance, steps of a single rule and a backend's
 * own steps always are, since no limit is defined for their values. */
static bool same_within(const struct pica_trace_step *a, const struct pica_trace_step *b,
                        const struct oracle_tolerance *tolerance)
{
    const struct pica_trace_info *const info = pica_trace_info_by_name(a->stage, a->name);
    if (same_values(a, b))
        return true;
    if (tolerance == NULL || a->count != b->count)
        return false;
    if (info == NULL)
        return true;
    for (uint32_t i = 0; i < a->count; i++) {
        const uint32_t x = a->values[i], y = b->values[i];
        const bool within = info->type == PICA_TRACE_FLOAT ? oracle_within_ulps(x, y, tolerance->ulps)
                                                           : is_within(x, y, allowance_of(info, i, tolerance));
        if (!within)
            return false;
    }
    return true;
}

static bool is_named(const struct pica_trace_step *step, enum pica_trace_id id)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    return strcmp(step->stage, info->stage) == 0 && strcmp(step->name, info->name) == 0;
}

/* A vertex begins with its number; a triangle's visit of the pixel with its first corner, in clip space if reported. */
static bool begins_part(const struct oracle_trace *trace, size_t at)
{
    const struct pica_trace_step *const step = &trace->steps[at];
    if (is_named(step, PICA_TRACE_ID_VERTEX_NUMBER))
        return true;
    if (step->index != 0)
        return false;
    if (is_named(step, PICA_TRACE_ID_CLIP_POSITION))
        return true;
    return is_named(step, PICA_TRACE_ID_SCREEN_POSITION) &&
           (at == 0 || !is_named(&trace->steps[at - 1], PICA_TRACE_ID_CLIP_POSITION));
}

size_t oracle_trace_parts(const struct oracle_trace *trace)
{
    size_t parts = 0;
    for (size_t i = 0; i < trace->count; i++)
        parts += begins_part(trace, i);
    return parts;
}

size_t oracle_trace_part(const struct oracle_trace *trace, size_t part)
{
    for (size_t i = 0; i < trace->count; i++)
        if (begins_part(trace, i) && part-- == 0)
            return i;
    return trace->count;
}

static bool may_be_missing(const struct pica_trace_step *step)
{
    const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
    return info == NULL || info->need == PICA_TRACE_WHERE_COMPUTED;
}

static void set(struct oracle_trace_difference *out, enum oracle_trace_relation relation,
                const struct pica_trace_step *a, const struct pica_trace_step *b)
{
    const struct pica_trace_step *const step = a != NULL ? a : b;
    out->relation = relation;
    out->first = a;
    out->second = b;
    out->info = pica_trace_info_by_name(step->stage, step->name);
}

/* Steps named by a rule id have no line in trace.def that describes their values: if two differ in form, they report
 * different things. */
static bool has_other_form(const struct pica_trace_step *a, const struct pica_trace_step *b)
{
    return pica_trace_info_by_name(a->stage, a->name) == NULL && pica_stage_word_of_rule(a->name) != NULL &&
           (a->type != b->type || a->count != b->count);
}

/* True if a step with the key of `wanted` comes in `trace` at or after `from`, before `end`. */
static bool comes_later(const struct oracle_trace *trace, size_t from, size_t end, const struct pica_trace_step *wanted)
{
    for (size_t i = from; i < end; i++)
        if (oracle_trace_same_key(&trace->steps[i], wanted))
            return true;
    return false;
}

/* The steps [from, end) of two traces, which are one part each, or all of them. */
struct stretch {
    const struct oracle_trace *trace;
    size_t at, end;
    const struct oracle_tolerance *tolerance; /* NULL: none */
};

static const struct pica_trace_step *current(const struct stretch *stretch)
{
    return stretch->at < stretch->end ? &stretch->trace->steps[stretch->at] : NULL;
}

/* Two steps of different keys, or one step and the end: passes over what may be missing; false if that is no
 * help. */
static bool pass_over(struct stretch *a, struct stretch *b)
{
    const struct pica_trace_step *const in_a = current(a);
    const struct pica_trace_step *const in_b = current(b);
    const bool skip_a = in_a != NULL && may_be_missing(in_a) && !comes_later(b->trace, b->at, b->end, in_a);
    const bool skip_b = in_b != NULL && may_be_missing(in_b) && !comes_later(a->trace, a->at, a->end, in_b);
    a->at += skip_a;
    b->at += skip_b;
    return skip_a || skip_b;
}

/* The look-ups of a light may come in any order: each is compared with the one of its number, wherever that is. */
static bool is_unordered(const struct pica_trace_step *step)
{
    return step != NULL && is_named(step, PICA_TRACE_ID_LIGHT_LOOKUP);
}

static const struct pica_trace_step *find_key(const struct stretch *stretch, const struct pica_trace_step *wanted)
{
    for (size_t i = stretch->at; i < stretch->end; i++)
        if (oracle_trace_same_key(&stretch->trace->steps[i], wanted))
            return &stretch->trace->steps[i];
    return NULL;
}

/* Passes over an unordered step of either; true if it is in both, with other values. */
static bool unordered_differs(struct stretch *a, struct stretch *b, const struct stretch *whole_b,
                              struct oracle_trace_difference *out)
{
    const struct pica_trace_step *const step = current(a);
    if (!is_unordered(step)) {
        b->at++;
        return false;
    }
    const struct pica_trace_step *const other = find_key(whole_b, step);
    a->at++;
    if (other == NULL || same_within(step, other, a->tolerance))
        return false;
    set(out, ORACLE_TRACE_VALUES, step, other);
    return true;
}

static bool compare_stretches(struct stretch a, struct stretch b, struct oracle_trace_difference *out)
{
    const struct stretch whole_b = b;
    while (current(&a) != NULL || current(&b) != NULL) {
        const struct pica_trace_step *const in_a = current(&a);
        const struct pica_trace_step *const in_b = current(&b);
        if (is_unordered(in_a) || is_unordered(in_b)) {
            if (unordered_differs(&a, &b, &whole_b, out))
                return true;
            continue;
        }
        if (in_a != NULL && in_b != NULL && oracle_trace_same_key(in_a, in_b)) {
            if (!has_other_form(in_a, in_b) && !same_within(in_a, in_b, a.tolerance)) {
                set(out, ORACLE_TRACE_VALUES, in_a, in_b);
                return true;
            }
            a.at++;
            b.at++;
            continue;
        }
        if (pass_over(&a, &b))
            continue;
        set(out,
            in_b == NULL   ? ORACLE_TRACE_ONLY_FIRST
            : in_a == NULL ? ORACLE_TRACE_ONLY_SECOND
                           : ORACLE_TRACE_PATH,
            in_a, in_b);
        return true;
    }
    return false;
}

static struct stretch part_of(const struct oracle_trace *trace, size_t part)
{
    const struct stretch stretch = { trace, oracle_trace_part(trace, part), oracle_trace_part(trace, part + 1), NULL };
    return stretch;
}

/* The same corners on the screen: both traces speak of one triangle. */
static bool same_triangle(const struct oracle_trace *a, size_t part_a, const struct oracle_trace *b, size_t part_b)
{
    struct stretch in_a = part_of(a, part_a), in_b = part_of(b, part_b);
    for (; current(&in_a) != NULL; in_a.at++) {
        if (!is_named(current(&in_a), PICA_TRACE_ID_SCREEN_POSITION))
            continue;
        for (in_b.at = oracle_trace_part(b, part_b); current(&in_b) != NULL; in_b.at++)
            if (oracle_trace_same_key(current(&in_a), current(&in_b)))
                break;
        if (current(&in_b) == NULL || !same_values(current(&in_a), current(&in_b)))
            return false;
    }
    return true;
}

/* Triangle `part` of both sides differs: does only one side draw it, and the other the next one in its place? */
static void look_for_missing_triangle(const struct oracle_trace *a, const struct oracle_trace *b, size_t part,
                                      struct oracle_trace_difference *out)
{
    const size_t parts_a = oracle_trace_parts(a), parts_b = oracle_trace_parts(b);
    if (part < parts_a && part < parts_b && same_triangle(a, part, b, part))
        return;
    const bool first_has_more = parts_a > parts_b && (part >= parts_b || same_triangle(a, part + 1, b, part));
    const bool second_has_more = parts_b > parts_a && (part >= parts_a || same_triangle(a, part, b, part + 1));
    if (first_has_more)
        set(out, ORACLE_TRACE_ONLY_FIRST, current(&(struct stretch){ a, oracle_trace_part(a, part), a->count, NULL }),
            NULL);
    else if (second_has_more)
        set(out, ORACLE_TRACE_ONLY_SECOND, NULL,
            current(&(struct stretch){ b, oracle_trace_part(b, part), b->count, NULL }));
    out->whole_part = first_has_more || second_has_more;
}

static void compare_parts(const struct oracle_trace *a, const struct oracle_trace *b,
                          const struct oracle_tolerance *tolerance, struct oracle_trace_difference *out)
{
    memset(out, 0, sizeof *out);
    const size_t parts_a = oracle_trace_parts(a), parts_b = oracle_trace_parts(b);
    const size_t parts = parts_a > parts_b ? parts_a : parts_b;
    for (size_t part = 0; part < parts; part++) {
        struct stretch in_a = part_of(a, part);
        in_a.tolerance = tolerance;
        out->part = part;
        if (!compare_stretches(in_a, part_of(b, part), out))
            continue;
        look_for_missing_triangle(a, b, part, out);
        return;
    }
    out->part = 0;
}

void oracle_trace_compare(const struct oracle_trace *a, const struct oracle_trace *b,
                          const struct oracle_tolerance *tolerance, struct oracle_trace_difference *out)
{
    compare_parts(a, b, tolerance, out);
    if (tolerance != NULL && out->relation == ORACLE_TRACE_SAME)
        compare_parts(a, b, NULL, out);
}

/* Does the step say what is stored? All steps of the last stages of each fragment mode do. */
static bool is_write(const struct pica_trace_step *step)
{
    const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
    return info != NULL && (info->word == PICA_STAGE_WORD_FRAMEBUFFER || info->word == PICA_STAGE_WORD_SHADOW ||
                            info->word == PICA_STAGE_WORD_GAS);
}

/* The next step at or after the current one that says what is stored, or NULL. */
static const struct pica_trace_step *next_write(struct stretch *stretch)
{
    while (current(stretch) != NULL && !is_write(current(stretch)))
        stretch->at++;
    return current(stretch);
}

static bool compare_writes(struct stretch a, struct stretch b, struct oracle_trace_difference *out)
{
    for (;;) {
        const struct pica_trace_step *const in_a = next_write(&a);
        const struct pica_trace_step *const in_b = next_write(&b);
        if (in_a == NULL && in_b == NULL)
            return false;
        if (in_a != NULL && in_b != NULL && oracle_trace_same_key(in_a, in_b)) {
            if (!same_values(in_a, in_b)) {
                set(out, ORACLE_TRACE_VALUES, in_a, in_b);
                return true;
            }
            a.at++;
            b.at++;
        } else if (in_a != NULL && !comes_later(b.trace, b.at, b.end, in_a)) {
            set(out, ORACLE_TRACE_ONLY_FIRST, in_a, NULL);
            return true;
        } else {
            set(out, ORACLE_TRACE_ONLY_SECOND, NULL, in_b);
            return true;
        }
    }
}

void oracle_trace_compare_writes(const struct oracle_trace *a, const struct oracle_trace *b,
                                 struct oracle_trace_difference *out)
{
    memset(out, 0, sizeof *out);
    const size_t parts_a = oracle_trace_parts(a), parts_b = oracle_trace_parts(b);
    for (size_t part = 0; part < parts_a && part < parts_b; part++) {
        out->part = part;
        if (compare_writes(part_of(a, part), part_of(b, part), out))
            return;
    }
    out->part = 0;
}
