#include "harness/cli/hunt_json.h"

#include "harness/cli/coverage_report.h"
#include "harness/cli/fuzz_print.h"
#include "harness/coverage/coverage.h"
#include "pica/regs.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_MEASURED = 1000, /* cases, in about a second */
    MOST_FORCED = 32      /* registers that are named */
};

/* ---------------------------------------------------------------------------------------- what is never compared */

/* `cases`: how many it concerned; without that if it is not counted by itself. */
static void add_blind(cJSON *list, const char *what, const char *why, uint64_t cases)
{
    cJSON *const item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "what", what);
    cJSON_AddStringToObject(item, "why", why);
    if (cases != 0)
        cJSON_AddNumberToObject(item, "cases", (double)cases);
    cJSON_AddItemToArray(list, item);
}

static void compared_of(const struct cli_session *session, struct oracle_scope *out)
{
    oracle_scope_all(out);
    for (size_t i = 0; i < session->count; i++)
        oracle_scope_meet(out, &session->backends[i].scope);
}

static void add_parts(cJSON *list, const struct oracle_scope *scope)
{
    for (const char *name = oracle_scope_part_names(); *name != '\0';) {
        char part[32];
        const size_t length = strcspn(name, ",");
        (void)snprintf(part, sizeof part, "%.*s", (int)length, name);
        if ((scope->parts & oracle_scope_part(part)) == 0)
            add_blind(list, part, "a backend does not declare this part, or it is ignored", 0);
        name += length + strspn(name + length, ", ");
    }
}

static void add_quirks(cJSON *list, const struct harness_quirks *quirks, const struct harness_pair_statistics *s)
{
    char what[96];
    uint32_t forced = 0;
    for (uint32_t slot = 0; slot < HARNESS_SLOTS; slot++) {
        if (quirks->force.masks[slot] == 0 || ++forced > MOST_FORCED)
            continue;
        const char *const name = slot < PICA_REGISTERS ? pica_reg_info(slot)->name : "an external register";
        (void)snprintf(what, sizeof what, "%s & 0x%08X = 0x%08X", name, (unsigned)quirks->force.masks[slot],
                       (unsigned)quirks->force.values[slot]);
        add_blind(list, what, "forced: other values are replaced before a case runs", 0);
    }
    if (forced > MOST_FORCED) {
        (void)snprintf(what, sizeof what, "%u more registers", (unsigned)forced - MOST_FORCED);
        add_blind(list, what, "forced", 0);
    }
    for (uint32_t i = 0; i < quirks->without.count; i++)
        add_blind(list, quirks->without.items[i].word, "left out: a case that uses it is not tested", 0);
    if (s->tolerated != 0)
        add_blind(list, "small differences of values", "within the tolerance of the quirks file", s->tolerated);
}

static void add_causes(cJSON *list, const struct harness_peel *peel)
{
    for (uint32_t i = 0; i < peel->count; i++) {
        struct harness_text how = { 0 };
        harness_text_add(&how, "found before");
        cli_fuzz_cause_text(&peel->causes[i], &how);
        add_blind(list, peel->causes[i].bucket, harness_text_string(&how), peel->causes[i].seen);
        harness_text_free(&how);
    }
}

static void add_untested(cJSON *list, const struct harness_pair_statistics *s)
{
    const struct {
        const char *what, *why;
        uint64_t cases;
    } rows[] = {
        { "cases not tested", "a backend does not support them", s->not_tested - s->over_budget - s->left_out },
        { "cases not tested", "they use what the quirks file leaves out", s->left_out },
        { "cases not tested", "a budget ran out at which a backend does not stop", s->over_budget },
        { "cases without a verdict", "a backend failed, or this host", s->trouble },
        { "unstable cases", "they showed nothing in a fresh process", s->unstable },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].cases != 0)
            add_blind(list, rows[i].what, rows[i].why, rows[i].cases);
    if (s->vacuous != 0) {
        char why[96];
        (void)snprintf(why, sizeof why, "vacuous: %" PRIu64 " of %" PRIu64 " that agree and were looked at", s->vacuous,
                       s->looked_at);
        add_blind(list, "cases that change no byte of memory", why, 0);
    }
}

/* ------------------------------------------------------------------------------------------------------- coverage */

/* Of the first cases: which ones they are is known, and what is exercised hardly grows after them. NULL without memory,
 * or if a process died. */
static cJSON *coverage_of(const struct harness_hunt_recalled *hunt)
{
    const uint64_t cases = hunt->statistics.executions;
    const struct harness_coverage_input input = { .first_seed = hunt->first,
                                                  .generated = cases < MOST_MEASURED ? cases : (uint64_t)MOST_MEASURED,
                                                  .jobs = 1 };
    struct harness_coverage_result result = { 0 };
    struct harness_error error = { "" };
    struct harness_universe *const universe = harness_universe_create();
    uint8_t *const marks = universe != NULL ? calloc(harness_universe_items(universe), 1) : NULL;
    cJSON *json = NULL;
    if (marks != NULL && harness_coverage_measure(universe, &input, marks, &result, &error) == HARNESS_OK &&
        result.crashed == 0)
        json = coverage_json(&(struct coverage_report){ universe, marks, result.cases }, false);
    free(marks);
    harness_universe_destroy(universe);
    return json;
}

cJSON *cli_hunt_json(const char *directory, const struct harness_hunt_recalled *hunt, const struct cli_session *session,
                     const struct harness_quirks *quirks)
{
    struct oracle_scope scope;
    char compared[ORACLE_SCOPE_TEXT];
    struct harness_text time = { 0 };
    cJSON *const json = cJSON_CreateObject();
    compared_of(session, &scope);
    oracle_scope_text(&scope, compared, sizeof compared);
    cli_fuzz_time_text(&hunt->statistics, &time);
    cJSON_AddStringToObject(json, "directory", directory);
    cJSON_AddNumberToObject(json, "cases", (double)hunt->statistics.executions);
    cJSON_AddNumberToObject(json, "findings", (double)hunt->filed);
    cJSON_AddNumberToObject(json, "waiting", (double)hunt->waiting);
    cJSON_AddStringToObject(json, "compared", compared);
    cJSON_AddStringToObject(json, "time", harness_text_string(&time));
    cJSON *const blind = cJSON_AddArrayToObject(json, "never_compared");
    add_parts(blind, &scope);
    if (quirks != NULL)
        add_quirks(blind, quirks, &hunt->statistics);
    add_causes(blind, &hunt->peel);
    add_untested(blind, &hunt->statistics);
    if (hunt->is_usual && hunt->statistics.executions != 0)
        cJSON_AddItemToObject(json, "coverage", coverage_of(hunt));
    harness_text_free(&time);
    return json;
}
