/*
 * How often do cases write again what was read, before they read it again? And how often do two draws of them differ in
 * exactly one thing? Of generated cases, or with --age of the children of a campaign (campaign.h).
 */
#include "bench/bugs/campaign.h"
#include "bench/measure.h"
#include "harness/case/formats.h"
#include "harness/cli/options.h"
#include "harness/coverage/deltas.h"
#include "harness/coverage/rereads.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"
#include "pica/events.h"
#include "pica/features.h"
#include "pica/regs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct totals {
    uint64_t cases, quiet, with_effect, draws, draws_with_effect;
    uint64_t reads[HARNESS_RANGE_KINDS]; /* of something that the run wrote */
    uint64_t again[HARNESS_RANGE_KINDS][HARNESS_WRITERS];
    uint64_t parts[HARNESS_RANGE_KINDS][HARNESS_REREAD_PARTS];
    uint64_t alone[PICA_REGISTERS + 2]; /* HARNESS_DELTA_* */
    uint64_t events[PICA_EVENT_TOTAL];  /* cases that recorded it */
};

struct bench {
    struct harness_runner *runner;
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_rereads rereads;
    struct harness_deltas deltas;
    uint8_t counters[PICA_FEATURE_TOTAL];
    bool effect; /* some draw of this case had one */
    struct totals totals;
};

static void see_reread(void *user, const struct harness_reread *reread, bool effect)
{
    struct totals *const totals = user;
    (void)effect;
    totals->reads[reread->reader]++;
    if (!reread->first)
        return;
    totals->again[reread->reader][reread->writer]++;
    totals->parts[reread->reader][reread->part]++;
}

static void see_draw(void *user, const struct pica_draw *draw)
{
    struct bench *const bench = user;
    const bool effect = draw->pixels != 0;
    harness_rereads_draw(&bench->rereads, draw, effect);
    bench->totals
        .alone[harness_deltas_draw(&bench->deltas, draw, bench->counters + PICA_FEATURE_REGISTER_WRITTEN, effect)]++;
    memset(bench->counters, 0, sizeof bench->counters);
    bench->totals.draws++;
    bench->totals.draws_with_effect += effect;
    bench->effect = bench->effect || effect;
}

/* True if no event was recorded. */
static bool is_quiet(struct bench *bench)
{
    struct pica_events events;
    uint64_t any = 0;
    if (harness_runner_events(bench->runner, &events) != PICA_OK)
        return false;
    for (int i = 0; i < 4; i++)
        any |= events.words[i];
    for (uint32_t e = 0; any != 0 && e < PICA_EVENT_TOTAL; e++)
        bench->totals.events[e] += pica_events_has(&events, (enum pica_event)e);
    return any == 0;
}

static bool run_case(struct bench *bench)
{
    struct harness_program *const program = bench->program;
    harness_bound_case(bench->test_case);
    if (harness_case_setup(bench->test_case, program, NULL) != HARNESS_OK)
        return false;
    harness_rereads_begin(&bench->rereads, see_reread, &bench->totals);
    harness_deltas_begin(&bench->deltas);
    memset(bench->counters, 0, sizeof bench->counters);
    bench->effect = false;
    enum pica_status status = harness_runner_load(bench->runner, &program->setup);
    for (uint32_t i = 0; i < program->count && status == PICA_OK; i++) {
        status = harness_runner_step(bench->runner, &program->operations[i]);
        harness_rereads_operation(&bench->rereads, &program->operations[i]);
    }
    bench->totals.cases++;
    bench->totals.quiet += is_quiet(bench);
    bench->totals.with_effect += bench->effect;
    return status == PICA_OK;
}

/* ---------------------------------------------------------------------------------------------------------- output */

static void print_rereads(const struct totals *totals)
{
    printf("\nread before, written, read again: times, by what it is and who wrote it last\n%-14s %9s", "", "reads");
    for (uint32_t w = 0; w < HARNESS_WRITERS; w++)
        printf(" %16s", harness_writer_name((enum harness_writer)w));
    printf(" | %8s %8s %8s %8s\n", "all", "first", "last", "inside");
    for (uint32_t kind = 0; kind < HARNESS_RANGE_KINDS; kind++) {
        printf("%-14s %9" PRIu64, harness_range_kind_name((enum harness_range_kind)kind), totals->reads[kind]);
        for (uint32_t w = 0; w < HARNESS_WRITERS; w++)
            printf(" %16" PRIu64, totals->again[kind][w]);
        printf(" |");
        for (uint32_t p = 0; p < HARNESS_REREAD_PARTS; p++)
            printf(" %8" PRIu64, totals->parts[kind][p]);
        printf("\n");
    }
}

static void print_deltas(const struct harness_deltas *deltas, const struct totals *totals, bool all)
{
    uint64_t alone = 0;
    uint32_t registers = 0, of = 0;
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        of += harness_delta_is_named(deltas, id);
        registers += totals->alone[id] != 0;
        alone += totals->alone[id];
    }
    printf("\ndraws with effect after which one thing alone changed before the next: %" PRIu64
           ", %u of %u registers and ports; nothing changed: %" PRIu64 "\n",
           alone, registers, of, totals->alone[HARNESS_DELTA_NONE]);
    for (uint32_t id = 0; id < PICA_REGISTERS && all; id++)
        if (harness_delta_is_named(deltas, id))
            printf("%8" PRIu64 " %s\n", totals->alone[id], pica_reg_info(id)->name);
}

static void print_events(const struct totals *totals)
{
    printf("\nevents, and the cases that record them\n");
    for (uint32_t e = 0; e < PICA_EVENT_TOTAL; e++)
        if (totals->events[e] != 0)
            printf("%8" PRIu64 " %s\n", totals->events[e], pica_event_info((enum pica_event)e)->name);
}

/* --------------------------------------------------------------------------------------------------------- options */

struct request {
    uint64_t seed, count;
    const char *age_text;
    uint64_t age;
    bool defined, all;
};

static const char about[] = "bench_rereads - what cases write again before they read it again\n"
                            "\n"
                            "usage: bench_rereads [options]\n"
                            "\n"
                            "  bench_rereads                              10 000 generated cases\n"
                            "  bench_rereads --defined                    of the mode \"defined\"\n"
                            "  bench_rereads --age 50000 --count 20000    children of a campaign, from that one on\n";

static const char exits[] = "exit codes: 0 measured, 2 bad options, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "seed", 's', CLI_LONG, 0, UINT64_MAX, offsetof(struct request, seed), "N", "the first one, or the campaign's",
      NULL },
    { "count", 'n', CLI_LONG, 1, 100000000, offsetof(struct request, count), "N", "cases", NULL },
    { "age", 0, CLI_TEXT, 0, 0, offsetof(struct request, age_text), "N",
      "children of a campaign that had so many before", NULL },
    { "defined", 0, CLI_FLAG, 0, 0, offsetof(struct request, defined), NULL, "generated in the mode \"defined\"",
      NULL },
    { "all", 0, CLI_FLAG, 0, 0, offsetof(struct request, all), NULL,
      "also: how often each register changed alone, which events there were", NULL },
};

static const struct request defaults = { .seed = 1, .count = 10000 };

static const struct cli_program program = {
    .options = { "bench_rereads", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
};

static bool run_generated(struct bench *bench, const struct request *request)
{
    const struct harness_generate_options options = { .mode = request->defined ? HARNESS_GENERATE_DEFINED
                                                                               : HARNESS_GENERATE_MIXED };
    bool good = true;
    for (uint64_t i = 0; i < request->count && good; i++) {
        harness_generate(bench->test_case, request->seed + i, &options);
        good = run_case(bench);
    }
    return good;
}

static bool run_children(struct bench *bench, const struct request *request)
{
    struct bug_campaign *const campaign = bug_campaign_create(request->seed, request->age);
    bool good = campaign != NULL;
    for (uint64_t i = 0; i < request->count && good; i++) {
        const uint8_t *bytes = NULL;
        const size_t size = bug_campaign_next(campaign, &bytes);
        harness_case_reset(bench->test_case);
        good = harness_pcb_decode(bench->test_case, bytes, size) && run_case(bench);
    }
    bug_campaign_destroy(campaign);
    return good;
}

static bool start(struct bench *bench)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
    harness_deltas_init(&bench->deltas);
    if (bench->test_case == NULL || bench->program == NULL ||
        harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &bench->runner) != PICA_OK)
        return false;
    void *const instance = harness_runner_instance(bench->runner);
    return harness_linked_backend(HARNESS_REFERENCE)->observe_draws(instance, see_draw, bench) == PICA_OK &&
           harness_linked_backend(HARNESS_REFERENCE)
                   ->observe_features(instance, bench->counters, sizeof bench->counters) == PICA_OK;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct request request;
    int code = 0;
    if (cli_program_parse(&program, argc, argv, &request, &code) < 0)
        return code;
    if (request.age_text != NULL && !cli_number(request.age_text, 0, UINT64_MAX, &request.age)) {
        fprintf(stderr, "bench_rereads: --age: '%s' is not a number\n", request.age_text);
        return CLI_PROGRAM_USAGE;
    }
    const double started = bench_cpu_seconds();
    const bool good =
        start(&bench) && (request.age_text != NULL ? run_children(&bench, &request) : run_generated(&bench, &request));
    const struct totals *const totals = &bench.totals;
    const double cases = totals->cases != 0 ? (double)totals->cases : 1.0;
    printf("%" PRIu64 " cases in %.1f s; with effect %.1f %%, without event %.1f %%; %" PRIu64 " draws, %" PRIu64
           " with effect\n",
           totals->cases, bench_cpu_seconds() - started, 100.0 * (double)totals->with_effect / cases,
           100.0 * (double)totals->quiet / cases, totals->draws, totals->draws_with_effect);
    print_rereads(totals);
    print_deltas(&bench.deltas, totals, request.all);
    if (request.all)
        print_events(totals);
    harness_runner_destroy(bench.runner);
    harness_program_destroy(bench.program);
    harness_case_destroy(bench.test_case);
    if (!good)
        fprintf(stderr, "bench_rereads: no memory, or the reference failed\n");
    return good ? 0 : 4;
}
