#include "harness/hunt/needs.h"

#include "harness/quirks/force.h"
#include "harness/quirks/visit.h"
#include "harness/case/usual.h"
#include "harness/trial/probe.h"
#include "pica/enums.h"
#include "pica/extregs.h"
#include "pica/regs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_FIELDS = 1024, /* at least as many as pica_fields() has */
    WIDEST = 7,         /* bits */
    HANG_MS = 500,      /* a case that ends takes less; each try of a hang costs this much */
    NEEDS_TRIES = 2000, /* limit of tries for a difference, ... */
    HANG_TRIES = 60,    /* ... for a hang, where each costs HANG_MS, ... */
    CRASH_TRIES = 500   /* ... and for a crash, where each costs a new process */
};

/* The values that each field has at the draws of a case and in the words that it writes to external registers: bit v %
 * 64 of values[field][v / 64] is value v. */
struct seen {
    uint64_t values[MOST_FIELDS][2];
};

struct search {
    struct harness_probe_options options; /* borrowed by the probe */
    struct harness_probe *probe;
    const struct harness_case *test_case;
    struct harness_case *candidate;
    struct seen seen;
    unsigned tried, most_tries;
    struct harness_error *error;
};

static void see_word(struct seen *seen, uint32_t slot, uint32_t word)
{
    size_t total = 0, count = 0;
    const struct pica_field_info *const all = pica_fields(&total);
    const struct pica_field_info *const fields = pica_layout_fields(harness_slot_layout(slot), &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t value = pica_field_get(&fields[i], word);
        if (fields[i].width <= WIDEST && fields + i - all < MOST_FIELDS)
            seen->values[fields + i - all][value / 64] |= UINT64_C(1) << (value % 64);
    }
}

static void see_draw(void *user, const uint32_t *registers, bool is_immediate, bool is_indexed)
{
    (void)is_immediate;
    (void)is_indexed;
    for (uint32_t slot = 0; slot < PICA_REGISTERS; slot++)
        see_word(user, slot, registers[slot]);
}

static uint32_t see_write(void *user, const struct harness_slot_write *write)
{
    if (write->slot >= HARNESS_SLOT_EXTERNAL && !write->is_in_state)
        see_word(user, write->slot, write->value);
    return write->value;
}

/* The value of a field after reset; it is the same in all registers of one layout. */
static uint32_t reset_of(const struct pica_field_info *field)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        if (pica_reg_info(id)->layout == field->layout)
            return pica_field_get(field, pica_reg_info(id)->reset);
    return 0;
}

/* The value of a field that usually shows no fault: that of reduced cases (harness/case/usual.h), except for the depth
 * map (ITP-15). All programs enable that, and reduced cases leave it out; without the exception a fault of depth would
 * seem to need the field. */
static uint32_t usual_of(const struct pica_field_info *field)
{
    return field->layout == PICA_LAYOUT_DEPTHMAP_ENABLE ? 1 : harness_usual_value(field, reset_of(field));
}

static bool is_over(const struct search *search)
{
    return search->tried >= search->most_tries;
}

/* Does the case still show a finding if these values of the field are replaced by `to`? */
static enum harness_status shows(struct search *search, const struct harness_peel_need *need, uint32_t to, bool *out)
{
    struct harness_symptom symptom;
    *out = false;
    search->tried++;
    if (!harness_case_copy(search->candidate, search->test_case) ||
        harness_force_values(search->candidate, need->field, need->values, to) < 0)
        return harness_fail_memory(search->error);
    const enum harness_status status =
        harness_probe_try(search->probe, search->candidate, false, &symptom, search->error);
    *out = status == HARNESS_OK && harness_outcome_is_finding(symptom.kind);
    return status;
}

/* Adds the other values of an enumeration that also show the finding. */
static enum harness_status widen(struct search *search, struct harness_peel_need *need)
{
    const struct harness_peel_need found = *need;
    size_t count = 0;
    enum harness_status status = HARNESS_OK;
    if (need->field->type != PICA_FIELD_ENUM)
        return HARNESS_OK;
    (void)pica_enum_values(need->field->enumeration, &count);
    for (uint32_t value = 0; value < count && value >> WIDEST == 0 && status == HARNESS_OK; value++) {
        bool same = false;
        if (value == need->usual || (found.values[value / 64] >> (value % 64) & 1u) != 0)
            continue;
        status = shows(search, &found, value, &same);
        need->values[value / 64] |= same ? UINT64_C(1) << (value % 64) : 0;
    }
    return status;
}

/* Fields that feed vertices to shaders, and shader outputs to later stages: without them nothing is drawn, so every
 * finding would depend on them. */
static bool is_plumbing(const struct pica_field_info *field)
{
    static const char *const areas[] = { "VTX-", "SHD-", "REG-", "CMD-" };
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        if (strncmp(field->rule, areas[i], strlen(areas[i])) == 0)
            return true;
    return false;
}

static enum harness_status try_field(struct search *search, const struct pica_field_info *field, size_t index,
                                     struct harness_peel_cause *out)
{
    const uint32_t usual = usual_of(field);
    struct harness_peel_need need = { field, { search->seen.values[index][0], search->seen.values[index][1] }, usual };
    bool same = true;
    need.values[usual / 64] &= ~(UINT64_C(1) << (usual % 64));
    if ((need.values[0] | need.values[1]) == 0 || out->count == HARNESS_PEEL_MOST_NEEDS || is_over(search))
        return HARNESS_OK;
    enum harness_status status = shows(search, &need, usual, &same);
    if (status != HARNESS_OK || same)
        return status;
    if (!out->dies) /* each try would cost a process */
        status = widen(search, &need);
    if (status == HARNESS_OK)
        out->needs[out->count++] = need;
    return status;
}

static enum harness_status try_fields(struct search *search, bool plumbing, struct harness_peel_cause *out)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_fields(&count);
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; i < count && i < MOST_FIELDS && status == HARNESS_OK; i++)
        if ((fields[i].type == PICA_FIELD_FLAG || fields[i].type == PICA_FIELD_ENUM) &&
            is_plumbing(&fields[i]) == plumbing)
            status = try_field(search, &fields[i], i, out);
    return status;
}

/* ----------------------------------------------------------------------------------------------- the special first */

/* How much of the field's range the values cover, in thousandths. */
static uint32_t share_of(const struct harness_peel_need *need)
{
    uint32_t values = 0;
    for (uint32_t value = 0; value < 128; value++)
        values += (uint32_t)(need->values[value / 64] >> (value % 64) & 1u);
    return 1000 * values >> need->field->width;
}

static bool is_blamed(const struct harness_cause *cause, const struct harness_peel_need *need)
{
    size_t count = 0;
    for (uint32_t i = 0; i < cause->count; i++)
        if (pica_fields(&count) + cause->needs[i].field == need->field)
            return true;
    return false;
}

/* A colour source that selects the texture makes a wrong texel visible, but does not cause it; other cases show it in
 * another way. So if the blamed stage itself needs some fields, only those are kept. */
static void keep_blamed(const struct harness_cause *blamed, struct harness_peel_cause *cause)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cause->count; i++)
        kept += is_blamed(blamed, &cause->needs[i]);
    if (kept == 0)
        return;
    kept = 0;
    for (uint32_t i = 0; i < cause->count; i++)
        if (is_blamed(blamed, &cause->needs[i]))
            cause->needs[kept++] = cause->needs[i];
    cause->count = kept;
}

/* Moves the need with the smallest share of values to the front; among equals the last, which is the furthest along the
 * pipeline. */
static void put_special_first(struct harness_peel_cause *cause)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < cause->count; i++)
        if (share_of(&cause->needs[i]) <= share_of(&cause->needs[best]))
            best = i;
    const struct harness_peel_need first = cause->needs[best];
    cause->needs[best] = cause->needs[0];
    cause->needs[0] = first;
}

static enum harness_status find(struct search *search, const struct harness_cause *blamed,
                                struct harness_peel_cause *out)
{
    const struct harness_visitor visitor = { .user = &search->seen, .write = see_write, .draw = see_draw };
    struct harness_symptom symptom;
    if (!harness_case_copy(search->candidate, search->test_case) || harness_visit(search->candidate, &visitor) < 0)
        return harness_fail_memory(search->error);
    enum harness_status status = harness_probe_try(search->probe, search->test_case, false, &symptom, search->error);
    if (status != HARNESS_OK || !harness_outcome_is_finding(symptom.kind))
        return status;
    status = try_fields(search, false, out);
    if (status == HARNESS_OK && out->count == 0)
        status = try_fields(search, true, out);
    keep_blamed(blamed, out);
    put_special_first(out);
    return status;
}

static unsigned most_tries(enum harness_outcome kind)
{
    if (kind == HARNESS_HANG)
        return HANG_TRIES;
    return kind == HARNESS_CRASH ? (unsigned)CRASH_TRIES : (unsigned)NEEDS_TRIES;
}

static enum harness_status start(struct search *search, const struct harness_filing *filing,
                                 struct harness_program *program)
{
    search->options = (struct harness_probe_options){ .backends = filing->backends,
                                                      .backend_count = filing->backend_count,
                                                      .backend_options = filing->machine,
                                                      .jobs = 1,
                                                      .hang_ms = HANG_MS };
    const enum harness_status status = harness_case_setup(search->test_case, program, search->error);
    if (status != HARNESS_OK)
        return status;
    search->options.case_bytes = 2 * harness_probe_size(program) + sizeof(struct pica_state);
    search->candidate = harness_case_create();
    return search->candidate == NULL ? harness_fail_memory(search->error)
                                     : harness_probe_create(&search->options, &search->probe, search->error);
}

enum harness_status harness_needs_find(const struct harness_filing *filing, const struct harness_filed *filed,
                                       const struct harness_case *reduced, struct harness_peel_cause *out,
                                       struct harness_error *error)
{
    *out = (struct harness_peel_cause){ .dies = harness_outcome_died(filed->symptom.kind) };
    (void)snprintf(out->bucket, sizeof out->bucket, "%s", filed->bucket);
    if (!filed->confirmed)
        return HARNESS_OK;
    struct harness_program *const program = harness_program_create();
    struct search *const search = calloc(1, sizeof *search);
    enum harness_status status = program == NULL || search == NULL ? harness_fail_memory(error) : HARNESS_OK;
    if (status == HARNESS_OK) {
        search->test_case = reduced;
        search->most_tries = most_tries(filed->symptom.kind);
        search->error = error;
        status = start(search, filing, program);
    }
    if (status == HARNESS_OK)
        status = find(search, &filed->cause, out);
    if (search != NULL) {
        harness_probe_destroy(search->probe);
        harness_case_destroy(search->candidate);
    }
    free(search);
    harness_program_destroy(program);
    return status;
}
