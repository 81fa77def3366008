/* What `picafuzz check` says: failures, the summary, the list of checks. */
#include "harness/cli/check_parts.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static void print_failure_json(const char *name, const struct check_failure *failure)
{
    const size_t check = failure->check;
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", name);
    cJSON_AddStringToObject(object, "check", harness_check_name(check));
    cJSON_AddStringToObject(object, "rules", harness_check_rules(check));
    char splits[64];
    harness_check_splits(check, splits, sizeof splits);
    cJSON_AddStringToObject(object, "split_rules", splits);
    cJSON_AddStringToObject(object, "verdict", oracle_verdict_name(failure->report.verdict));
    cJSON_AddNumberToObject(object, "differences", (double)failure->report.differences);
    cJSON_AddStringToObject(object, "message", failure->report.message);
    cli_print_json(object);
}

void check_print_failure(const struct check_request *request, const char *name, const struct check_failure *failure)
{
    const size_t check = failure->check;
    if (request->json) {
        print_failure_json(name, failure);
        return;
    }
    cli_print(stdout, "%s: %s does not hold: %s\n", name, harness_check_name(check),
              oracle_verdict_name(failure->report.verdict));
    cli_print_lines("  ", failure->report.message);
    char splits[64];
    harness_check_splits(check, splits, sizeof splits);
    if (splits[0] != '\0')
        cli_print(stdout, "  sources disagree about %s [SPLIT in docs/spec]: another machine may be right\n", splits);
    if (failure->places[0] != '\0')
        cli_print(stdout, "  it is enough to change %s\n", failure->places);
}

static void print_summary_json(const struct check_request *request)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON *const applied = cJSON_AddObjectToObject(object, "applied");
    cJSON *const failed = cJSON_AddObjectToObject(object, "failed");
    const struct tally *const tally = &request->tally;
    cli_totals_json(&tally->totals, object);
    cJSON_AddNumberToObject(object, "not_deterministic", (double)tally->not_deterministic);
    cJSON_AddNumberToObject(object, "not_whole", (double)tally->not_whole);
    for (size_t i = 0; i < harness_check_count(); i++)
        if (request->selected[i]) {
            cJSON_AddNumberToObject(applied, harness_check_name(i), (double)tally->applied[i]);
            cJSON_AddNumberToObject(failed, harness_check_name(i), (double)tally->failed[i]);
        }
    cli_print_json(object);
}

void check_print_summary(const struct check_request *request)
{
    const struct tally *const tally = &request->tally;
    if (request->json) {
        print_summary_json(request);
        return;
    }
    cli_print(stdout, "%-20s %10s %10s\n", "check", "applied", "failed");
    for (size_t i = 0; i < harness_check_count(); i++)
        if (request->selected[i])
            cli_print(stdout, "%-20s %10llu %10llu\n", harness_check_name(i), (unsigned long long)tally->applied[i],
                      (unsigned long long)tally->failed[i]);
    if (tally->not_deterministic != 0)
        cli_print(stdout, "%llu case(s) are not deterministic: nothing else of them counts\n",
                  (unsigned long long)tally->not_deterministic);
    if (tally->not_whole != 0)
        cli_print(stdout, "%llu case(s) not with all checks: the backend does not support what they make of it\n",
                  (unsigned long long)tally->not_whole);
    cli_print(stdout, "%s: ", request->backend);
    cli_totals_print(&tally->totals, "");
}

int check_print_list(void)
{
    for (size_t i = 0; i < harness_check_count(); i++) {
        char splits[64];
        harness_check_splits(i, splits, sizeof splits);
        cli_print(stdout, "%-20s %s\n%-20s %s\n", harness_check_name(i), harness_check_what(i), "",
                  harness_check_rules(i));
        if (splits[0] != '\0')
            cli_print(stdout, "%-20s SPLIT: %s\n", "", splits);
    }
    return CLI_OK;
}
