#include "harness/cli/quirks.h"

#include "harness/cli/baseline.h"
#include "harness/run/dump.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------------------- opening */

static enum harness_status read_both(const struct cli_run_options *options, struct harness_quirks *quirks,
                                     struct harness_error *error)
{
    enum harness_status status =
        options->quirks_path != NULL ? harness_quirks_read(quirks, options->quirks_path, error) : HARNESS_OK;
    for (size_t i = 0; i < options->force.count && status == HARNESS_OK; i++) {
        status = harness_force_add(&quirks->force, options->force.items[i], error);
        if (status != HARNESS_OK)
            harness_error_prefix(error, "--force");
    }
    return status;
}

/* Each `reference` among the backends takes the file's choices: it becomes "reference+zero-area=drawn". */
static void take_choices(struct cli_run_options *options, struct cli_quirks *quirks)
{
    for (size_t i = 0; i < options->backends.count && i < HARNESS_MOST_BACKENDS; i++) {
        if (strcmp(harness_backend_target(options->backends.items[i]), "reference") != 0)
            continue;
        harness_text_add(&quirks->names[i], options->backends.items[i]);
        harness_quirks_choices_text(quirks->file, &quirks->names[i]);
        options->backends.items[i] = harness_text_string(&quirks->names[i]);
    }
}

static void destroy(struct cli_quirks *quirks)
{
    if (quirks == NULL)
        return;
    for (size_t i = 0; i < HARNESS_MOST_BACKENDS; i++)
        harness_text_free(&quirks->names[i]);
    harness_quirks_destroy(quirks->file);
    free(quirks);
}

static int open_quirks(const char *command, struct cli_run_options *options)
{
    struct harness_error error = { "" };
    if (options->quirks_path == NULL && options->force.count == 0)
        return CLI_OK;
    const bool alone =
        options->backends.count == 1 && strcmp(harness_backend_target(options->backends.items[0]), "reference") == 0;
    if (options->quirks_path != NULL && options->backends.count != 0 && !cli_has_stranger(options) && !alone)
        return cli_usage(command, "--quirks: reference and fast are equal in everything, or one is wrong; known "
                                  "differences are for plug-ins");
    struct cli_quirks *const quirks = calloc(1, sizeof *quirks);
    if (quirks != NULL)
        quirks->file = harness_quirks_create();
    enum harness_status status =
        quirks == NULL || quirks->file == NULL ? harness_fail_memory(&error) : read_both(options, quirks->file, &error);
    if (status != HARNESS_OK) {
        destroy(quirks);
        return cli_fail(status, &error);
    }
    quirks->given = options->backends;
    take_choices(options, quirks);
    options->quirks = quirks;
    return CLI_OK;
}

int cli_run_open(const char *command, struct cli_run_options *options)
{
    int code = cli_scope_check(command, options);
    if (code == CLI_OK)
        code = cli_part_open(command, options);
    return code == CLI_OK ? open_quirks(command, options) : code;
}

int cli_quirks_change(const char *command, struct cli_run_options *options, const char **path)
{
    *path = options->quirks_path;
    if (options->quirks_path == NULL)
        return cli_usage(command, "--accept and --migrate change a file: name it with --quirks");
    if (!cli_has_stranger(options))
        return cli_usage(command, "--accept, --migrate: between reference and fast nothing is accepted");
    if (access(options->quirks_path, F_OK) != 0)
        options->quirks_path = NULL; /* it begins with what is accepted now */
    return CLI_OK;
}

void cli_run_close(struct cli_run_options *options)
{
    destroy(options->quirks);
    options->quirks = NULL;
}

/* ------------------------------------------------------------------------------------------------------------ cases */

static void count_without(struct cli_quirks *quirks, const char *word)
{
    for (uint32_t i = 0; i < quirks->file->without.count; i++)
        if (quirks->file->without.items[i].word == word)
            quirks->counts.without[i]++;
}

enum harness_status cli_quirks_case(const void *opaque, struct harness_case *test_case, const char **why,
                                    struct harness_error *error)
{
    const struct cli_run_options *const options = opaque;
    struct harness_quirks_result result;
    *why = NULL;
    if (options->quirks == NULL)
        return HARNESS_OK;
    if (harness_quirks_apply(options->quirks->file, test_case, &result) != HARNESS_OK)
        return harness_fail_memory(error);
    options->quirks->counts.cases++;
    options->quirks->counts.forced += result.forced != 0;
    if (result.without != NULL) {
        count_without(options->quirks, result.without);
        *why = result.without;
    }
    return HARNESS_OK;
}

enum harness_status cli_quirks_take(const struct cli_run_options *options, struct harness_case *test_case,
                                    struct harness_error *error)
{
    const char *why = NULL;
    const enum harness_status status = cli_quirks_case(options, test_case, &why, error);
    return status != HARNESS_OK || why == NULL
               ? status
               : harness_fail(error, HARNESS_BAD_INPUT, "not tested: it has a feature that is not there: %s", why);
}

void cli_quirks_left_out(uint64_t left_out, uint64_t count)
{
    if (left_out != 0)
        cli_print(stderr,
                  "picafuzz: %" PRIu64 " of %" PRIu64 " cases are left out: they have features that are not there\n",
                  left_out, count);
}

const struct harness_quirks *cli_quirks_file(const struct cli_run_options *options)
{
    return options->quirks != NULL ? options->quirks->file : NULL;
}

void cli_quirks_allowed(const struct cli_run_options *options, const struct oracle_allowance *allowed)
{
    if (options->quirks == NULL || (allowed->pixels == 0 && allowed->values == 0))
        return;
    options->quirks->counts.tolerated++;
    oracle_allowance_add(&options->quirks->counts.allowed, allowed);
}

/* ---------------------------------------------------------------------------------------------------------- summary */

/* How many were not tested for lack of item `i`: alternatives of a word count as one. *next: the item behind them. */
static uint64_t count_word(const struct cli_quirks *quirks, uint32_t i, uint32_t *next)
{
    const struct harness_without *const without = &quirks->file->without;
    uint64_t count = 0;
    for (*next = i; *next < without->count && strcmp(without->items[*next].word, without->items[i].word) == 0; ++*next)
        count += quirks->counts.without[*next];
    return count;
}

/* "geometry 4, etc1 2" */
static void without_text(const struct cli_quirks *quirks, struct harness_text *out)
{
    for (uint32_t i = 0, next; i < quirks->file->without.count; i = next) {
        const uint64_t count = count_word(quirks, i, &next);
        harness_text_format(out, "%s%s %" PRIu64, i != 0 ? ", " : "", quirks->file->without.items[i].word, count);
    }
}

static void print_json(const struct cli_quirks *quirks, const char *used)
{
    char allowed[160];
    const struct cli_quirks_counts *const counts = &quirks->counts;
    const struct harness_without *const without = &quirks->file->without;
    cJSON *const object = cJSON_CreateObject();
    cJSON *const inner = cJSON_AddObjectToObject(object, "quirks");
    oracle_allowance_text(&counts->allowed, allowed, sizeof allowed);
    (void)cJSON_AddStringToObject(inner, "used", used);
    (void)cJSON_AddNumberToObject(inner, "cases", (double)counts->cases);
    (void)cJSON_AddNumberToObject(inner, "forced", (double)counts->forced);
    cJSON *const words = cJSON_AddObjectToObject(inner, "without");
    for (uint32_t i = 0, next; i < without->count; i = next) {
        const uint64_t count = count_word(quirks, i, &next);
        (void)cJSON_AddNumberToObject(words, without->items[i].word, (double)count);
    }
    if (quirks->file->accepted_count != 0) {
        cJSON *const baseline = cJSON_AddObjectToObject(inner, "baseline");
        (void)cJSON_AddNumberToObject(baseline, "known", (double)counts->known);
        (void)cJSON_AddNumberToObject(baseline, "skipped", (double)counts->skipped);
        (void)cJSON_AddNumberToObject(baseline, "fixed", (double)counts->fixed);
        (void)cJSON_AddNumberToObject(baseline, "flaky", (double)counts->flaky);
        (void)cJSON_AddNumberToObject(baseline, "new", (double)counts->fresh);
        (void)cJSON_AddNumberToObject(baseline, "unmatched", (double)counts->unmatched);
    }
    (void)cJSON_AddNumberToObject(inner, "within_tolerance", (double)counts->tolerated);
    (void)cJSON_AddStringToObject(inner, "tolerated", allowed);
    cli_print_json(object);
}

static void print_text(const struct cli_quirks *quirks, const char *used)
{
    char allowed[160];
    struct harness_text text = { 0 };
    const struct cli_quirks_counts *const counts = &quirks->counts;
    without_text(quirks, &text);
    cli_print(stdout, "with known differences: %s\n", used[0] != '\0' ? used : "none, the quirks file names none");
    if (quirks->file->force.count != 0)
        cli_print(stdout, "  %" PRIu64 " of %" PRIu64 " %s %s rewritten by force\n", counts->forced, counts->cases,
                  cli_word(counts->cases, "case", "cases"), cli_word(counts->forced, "was", "were"));
    if (text.size != 0)
        cli_print(stdout, "  not tested, because of features that are not there: %s\n", harness_text_string(&text));
    oracle_allowance_text(&counts->allowed, allowed, sizeof allowed);
    if (counts->tolerated != 0)
        cli_print(stdout, "  %" PRIu64 " %s within the tolerance only: %s\n", counts->tolerated,
                  cli_word(counts->tolerated, "case agrees", "cases agree"), allowed);
    if (quirks->file->accepted_count != 0)
        cli_print(stdout,
                  "  baseline: %" PRIu64 " known, %" PRIu64 " skipped, %" PRIu64 " fixed, %" PRIu64 " flaky, %" PRIu64
                  " new; %" PRIu64 " %s nothing\n",
                  counts->known, counts->skipped, counts->fixed, counts->flaky, counts->fresh, counts->unmatched,
                  cli_word(counts->unmatched, "entry matches", "entries match"));
    harness_text_free(&text);
}

void cli_quirks_print(const struct cli_run_options *options, bool json)
{
    struct harness_text used = { 0 };
    if (options->quirks == NULL)
        return;
    harness_quirks_text(options->quirks->file, &used);
    if (json)
        print_json(options->quirks, harness_text_string(&used));
    else
        print_text(options->quirks, harness_text_string(&used));
    harness_text_free(&used);
}

void cli_quirks_identity(const struct cli_run_options *options, struct harness_text *out)
{
    if (options->quirks == NULL)
        return;
    const struct harness_quirks *const file = options->quirks->file;
    harness_text_add(out, "; quirks ");
    harness_quirks_choices_text(file, out);
    harness_text_format(out, " force %016" PRIX64 " without",
                        harness_digest_bytes((const uint8_t *)&file->force, sizeof file->force));
    for (uint32_t i = 0; i < file->without.count; i++)
        harness_text_format(out, " %s", file->without.items[i].word);
    harness_text_format(out, " tolerance %016" PRIX64,
                        harness_digest_bytes((const uint8_t *)&file->tolerance, sizeof file->tolerance));
}
