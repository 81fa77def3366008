#include "harness/cli/import_scrub.h"

#include "harness/cli/quirks.h"
#include "harness/cli/reduce_fits.h"
#include "harness/reduce/scrub.h"

#include <inttypes.h>

enum {
    MOST_RANGES = 40 /* lines about what stayed */
};

const struct cli_option cli_scrub_option_table[CLI_SCRUB_OPTIONS] = {
    { "scrub", 0, CLI_FLAG, 0, 0, offsetof(struct cli_scrub_options, is_on), NULL,
      "replace texture and vertex bytes as far as the verdict of the backends stays the same", NULL },
    { "backends", 'b', CLI_BACKENDS, 2, HARNESS_MOST_BACKENDS, offsetof(struct cli_scrub_options, run.backends),
      "A,B[,..]",
      "with --scrub: the backends that give the verdict, 2 to 8; the others are compared with the first, a "
      "single one with reference",
      NULL },
    { "jobs", 0, CLI_NUMBER, 1, HARNESS_PROBE_MAX_JOBS, offsetof(struct cli_scrub_options, reduce.probe.jobs), "N",
      "with --scrub: processes that try cases at the same time", NULL },
    { "seconds", 0, CLI_NUMBER, 0, 86400, offsetof(struct cli_scrub_options, reduce.seconds), "SECONDS",
      "with --scrub: stop after this long and write the best so far; 0 = never", NULL },
    { "quiet", 'q', CLI_FLAG, 0, 0, offsetof(struct cli_scrub_options, quiet), NULL, "with --scrub: no progress",
      NULL },
};

int cli_scrub_check(struct cli_scrub_options *options, int captures)
{
    const struct cli_run_options *const run = &options->run;
    if (!options->is_on && (run->backends.count != 0 || run->quirks_path != NULL || run->force.count != 0 ||
                            run->only.count != 0 || run->ignore.count != 0 || options->reduce.seconds != 0))
        return cli_usage("import", "-b, --seconds, --only, --ignore, --quirks and --force go with --scrub");
    if (!options->is_on)
        return CLI_OK;
    if (run->backends.count == 0)
        return cli_usage("import", "--scrub keeps a verdict: say whose with -b, as -b ./libmygpu.so");
    if (captures > 1)
        return cli_usage("import", "--scrub takes one capture");
    return CLI_OK;
}

/* ----------------------------------------------------------------------------------------------------- what is said */

static void add_verdict(const struct cli_scrub_options *options, const struct harness_scrub_result *result,
                        struct harness_text *out)
{
    const struct harness_symptom *const symptom = &result->reduced.symptom;
    const struct cli_list *const backends = &options->run.backends;
    const char *const operation = harness_symptom_operation_name(symptom);
    const char *const who = backends->items[symptom->backend < backends->count ? symptom->backend : 0];
    harness_text_format(out, "the verdict stayed: %s", harness_outcome_name(symptom->kind));
    if (symptom->kind == HARNESS_DIVERGE)
        harness_text_format(out, ", %s and %s in %s: %s", backends->items[0], who, operation, symptom->what);
    else if (harness_outcome_is_wrong(symptom->kind))
        harness_text_format(out, ", %s in %s%s%s", who, operation, symptom->crash.name[0] != '\0' ? ": " : "",
                            symptom->crash.name);
    const struct harness_blame *const blame = &result->reduced.cause.blame;
    if (blame->stage[0] != '\0')
        harness_text_format(out, "; blamed: %s%s%s", harness_cause_stage(blame), blame->rule[0] != '\0' ? ", " : "",
                            blame->rule);
    harness_text_add(out, "\n");
}

static void add_row(const char *name, const struct harness_scrub_row *row, struct harness_text *out)
{
    harness_text_format(out, "%-30s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n", name, row->bytes,
                        row->made_up, row->coarse, row->bytes - row->made_up - row->coarse);
}

static void add_table(const struct harness_scrub_result *result, struct harness_text *out)
{
    /* First what is a game's picture and shape, last what nobody reads. */
    static const enum harness_read_kind order[HARNESS_READ_KINDS] = {
        HARNESS_READ_TEXTURE,  HARNESS_READ_ENGINE,  HARNESS_READ_VERTICES, HARNESS_READ_INDICES,
        HARNESS_READ_SURFACE,  HARNESS_READ_NOTHING, HARNESS_READ_SENT,     HARNESS_READ_TABLE,
        HARNESS_READ_UNIFORMS, HARNESS_READ_CODE,    HARNESS_READ_COMMANDS
    };
    struct harness_scrub_row all = { 0, 0, 0 };
    harness_text_format(out, "%-30s %10s %10s %10s %10s\n", "bytes", "all", "made up", "coarse", "as it was");
    for (size_t i = 0; i < HARNESS_READ_KINDS; i++) {
        const struct harness_scrub_row *const row = &result->rows[order[i]];
        if (row->bytes != 0)
            add_row(harness_read_kind_name(order[i]), row, out);
        all.bytes += row->bytes;
        all.made_up += row->made_up;
        all.coarse += row->coarse;
    }
    add_row("together", &all, out);
}

static void add_ranges(const struct harness_scrub_result *result, struct harness_text *out)
{
    if (result->rest_count != 0)
        harness_text_add(out, "what the verdict needs:\n");
    for (size_t i = 0; i < result->rest_count && i < MOST_RANGES; i++) {
        const struct harness_scrub_rest *const rest = &result->rests[i];
        harness_text_format(out, "  0x%08" PRIX32 "-0x%08" PRIX32 "  %6" PRIu32 " bytes  %s, %s\n", rest->address,
                            rest->address + rest->size - 1, rest->size, harness_read_kind_name(rest->kind),
                            rest->coarse ? "on a coarse grid" : "as they were");
    }
    if (result->rest_count > MOST_RANGES)
        harness_text_format(out, "  and %zu more ranges\n", result->rest_count - MOST_RANGES);
}

static void add_report(const struct cli_scrub_options *options, const struct harness_scrub_result *result,
                       struct harness_text *out)
{
    const struct harness_reduce_progress *const progress = &result->reduced.progress;
    add_verdict(options, result, out);
    add_table(result, out);
    add_ranges(result, out);
    if (result->texts != 0)
        harness_text_format(out, "%" PRIu32 " %s taken out\n", result->texts,
                            cli_word(result->texts, "comment or note", "comments and notes"));
    harness_text_add(
        out, "Shader code, uniforms, tables and commands always stay as they were: a case without them is another\n"
             "one. Say so where you publish it (docs/publishing-a-capture.md).\n");
    if (!result->reduced.complete)
        harness_text_add(out, "stopped before the end: a longer run may replace more\n");
    harness_text_format(out, "%" PRIu64 " %s tried in %.1f s\n", progress->tried,
                        cli_word(progress->tried, "case", "cases"), progress->elapsed);
}

/* For who reads the file alone. No time and no path in it. */
static bool set_head(struct harness_case *test_case, const struct harness_scrub_result *result)
{
    struct harness_text head = { 0 };
    harness_text_format(&head, "Scrubbed (picafuzz import --scrub). The verdict is what it was: %s. Of what it held:\n",
                        harness_outcome_name(result->reduced.symptom.kind));
    add_table(result, &head);
    if (head.size != 0 && head.size <= HARNESS_MAX_TEXT)
        test_case->comment = harness_case_text(test_case, harness_text_string(&head), false);
    harness_text_free(&head);
    return test_case->comment != NULL;
}

/* -------------------------------------------------------------------------------------------------------- the work */

static enum harness_status scrub(struct cli_scrub_options *options, struct harness_case *test_case,
                                 struct harness_text *report, struct harness_error *error)
{
    struct harness_scrub_result result;
    enum harness_status status = harness_scrub(test_case, &options->reduce, &result, error);
    cli_reduce_watched(options->quiet);
    if (status == HARNESS_OK && !set_head(test_case, &result))
        status = harness_fail_memory(error);
    if (status == HARNESS_OK)
        add_report(options, &result, report);
    harness_scrub_free(&result);
    return status;
}

static enum harness_status scrub_with_backends(struct cli_scrub_options *options, struct harness_case *test_case,
                                               struct harness_text *report, struct harness_error *error)
{
    struct harness_backend backends[HARNESS_MOST_BACKENDS];
    struct cli_fits *fits = NULL;
    size_t opened = 0;
    enum harness_status status = cli_quirks_take(&options->run, test_case, error);
    for (size_t i = 0; i < options->run.backends.count && status == HARNESS_OK; i++) {
        status = cli_backend_open(&options->run, options->run.backends.items[i], options->run.timeout.ms, &backends[i],
                                  error);
        opened += status == HARNESS_OK;
    }
    const struct cli_fits_options wanted = { .quirks = options->run.quirks };
    if (status == HARNESS_OK)
        status = cli_fits_open(&wanted, test_case, &fits, error);
    options->reduce.fits = fits != NULL ? cli_fits : NULL;
    options->reduce.fits_what = fits;
    options->reduce.agreeing = true;
    options->reduce.probe.backends = backends;
    options->reduce.probe.backend_count = opened;
    options->reduce.probe.hang_ms = options->run.timeout.ms;
    options->reduce.probe.backend_options = cli_backend_options(&options->run);
    if (status == HARNESS_OK)
        status = scrub(options, test_case, report, error);
    cli_backends_close(backends, opened);
    cli_fits_close(fits);
    return status;
}

enum harness_status cli_scrub_case(struct cli_scrub_options *options, const char *name, struct harness_case *test_case,
                                   struct harness_text *report, struct harness_error *error)
{
    cli_reduce_watch(&options->reduce, &options->quiet);
    const enum harness_status status = scrub_with_backends(options, test_case, report, error);
    if (status != HARNESS_OK)
        harness_error_prefix(error, name);
    return status;
}
