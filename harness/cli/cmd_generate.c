#include "harness/cli/cli.h"
#include "harness/cli/output.h"
#include "harness/cli/quirks.h"
#include "harness/cli/reduce_fits.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/plausible.h"

#include <inttypes.h>
#include <stdio.h>

static const char about[] =
    "picafuzz generate - make cases from seeds\n"
    "\n"
    "usage: picafuzz generate [options]\n"
    "\n"
    "  picafuzz generate                                   the case of seed 1, as text\n"
    "  picafuzz generate --seed 7 -o seven.pcb             one case, in the form that fuzzers mutate\n"
    "  picafuzz generate --count 1000 --binary -o corpus   seeds 1 to 1000: corpus/mixed-1.pcb, ...\n"
    "  picafuzz generate --defined-only --count 50 -o c    cases whose whole result the specification defines\n"
    "  picafuzz generate --areas blend,stencil --seed 3    only these areas, and what a draw needs\n"
    "  picafuzz generate --plain 100 --count 50 -o c       no value that a console ignores or programs never send\n"
    "  picafuzz generate --count 10000 --shares            how many operations and draws hold such odd values\n"
    "\n"
    "A case has a target, shaders, vertices, textures, tables and draws that fit together. Its features are\n"
    "chosen at random for each case, so that they meet in many combinations. The same seed and options give\n"
    "the same bytes on every machine; another version of this program may give others.\n";

static const char exits[] = "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

struct generate_request {
    struct harness_generate_options options;
    struct cli_list areas;
    uint64_t seed;
    uint64_t count;
    struct cli_output output;
    struct cli_run_options run; /* --quirks, --force */
    bool defined_only;
    bool list_areas;
    bool shares;
};

static const struct generate_request defaults = { .options = { .plain = HARNESS_GENERATE_PLAIN },
                                                  .seed = 1,
                                                  .count = 1 };

static const struct cli_option option_table[] = {
    { "seed", 's', CLI_LONG, 0, UINT64_MAX, offsetof(struct generate_request, seed), "NUMBER", "the first seed", NULL },
    { "count", 'n', CLI_LONG, 1, 100000000, offsetof(struct generate_request, count), "NUMBER",
      "number of seeds, one after another", NULL },
    { "mode", 'm', CLI_CHOICE, 0, 0, offsetof(struct generate_request, options.mode), "MODE",
      "mixed: well-formed, slightly broken, broken and raw cases\ndefined: at least 99 of 100 end without any "
      "undefined-behaviour event\nanything: every case broken on purpose, or raw\nraw: any writes to any registers, "
      "without any plan\n",
      &cli_generate_modes },
    { "defined-only", 'd', CLI_FLAG, 0, 0, offsetof(struct generate_request, defined_only), NULL,
      "the same as --mode defined", NULL },
    { "areas", 'a', CLI_LIST, 1, CLI_LIST_MOST, offsetof(struct generate_request, areas), "A,B[,..]",
      "only these areas; --list-areas names them", NULL },
    { "exportable", 0, CLI_FLAG, 0, 0, offsetof(struct generate_request, options.exportable), NULL,
      "--defined-only, and only what `picafuzz export` accepts: nothing that may hang a console", NULL },
    { "plain", 0, CLI_NUMBER, 1, 100, offsetof(struct generate_request, options.plain), "PERCENT",
      "share of the fills, transfers and copies in generated cases that hold only values that real programs send",
      NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct generate_request, output.path), "PATH",
      "one file (.pcase text, .pcb binary), or a directory", NULL },
    { "binary", 0, CLI_FLAG, 0, 0, offsetof(struct generate_request, output.binary), NULL,
      ".pcb instead of .pcase in a directory", NULL },
    { "list-areas", 0, CLI_FLAG, 0, 0, offsetof(struct generate_request, list_areas), NULL,
      "print the areas, one per line", NULL },
    { "shares", 0, CLI_FLAG, 0, 0, offsetof(struct generate_request, shares), NULL,
      "write no case: count operations of engines and draws, stage by stage, that hold values that a console ignores "
      "or programs never send",
      NULL },
};

static int generate_all(const struct generate_request *request)
{
    const char *const mode = harness_generate_mode_name(request->options.mode);
    struct harness_error error = { "" };
    const char *why = NULL;
    uint64_t left_out = 0, refused = 0;
    struct cli_fits *gates = NULL;
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(&error) : HARNESS_OK;
    if (status == HARNESS_OK && request->options.exportable)
        status = cli_fits_open(&(struct cli_fits_options){ .exportable = true }, NULL, &gates, &error);
    for (uint64_t i = 0; i < request->count && status == HARNESS_OK; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s-%" PRIu64, mode, request->seed + i);
        harness_generate(test_case, request->seed + i, &request->options);
        status = cli_quirks_case(&request->run, test_case, &why, &error);
        left_out += why != NULL;
        const bool fits = why != NULL || gates == NULL || cli_fits(gates, test_case);
        refused += !fits;
        if (status == HARNESS_OK && why == NULL && fits)
            status = cli_output_write(&request->output, test_case, name, NULL, &error);
    }
    cli_fits_close(gates);
    harness_case_destroy(test_case);
    if (refused != 0)
        cli_print(stderr, "picafuzz: %" PRIu64 " of %" PRIu64 " cases are left out: a console might not survive them\n",
                  refused, request->count);
    cli_quirks_left_out(left_out, request->count);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

static void list_areas(void)
{
    const char *name;
    for (uint32_t i = 0; (name = harness_generate_area_name(i)) != NULL; i++)
        puts(name);
}

/* One line for each engine, and for each stage that has registers. */
static void print_shares(const struct harness_shares *shares)
{
    printf("%-20s %10s %9s %9s %9s\n", "", "operations", "plain %", "one odd", "several");
    for (uint32_t stage = 0; stage < PICA_STAGE_WORDS; stage++) {
        const uint64_t *const counts = shares->counts[stage];
        const uint64_t sum = counts[0] + counts[1] + counts[2];
        if (sum == 0)
            continue;
        printf("%-20s %10" PRIu64, pica_stage_word_info((enum pica_stage_word)stage)->text, sum);
        for (int share = 0; share < 3; share++)
            printf(" %9.1f", 100.0 * (double)counts[share] / (double)sum);
        printf("\n");
    }
}

static int count_shares(const struct generate_request *request)
{
    struct harness_error error = { "" };
    struct harness_shares shares;
    struct harness_case *const test_case = harness_case_create();
    if (test_case == NULL)
        return cli_fail(harness_fail_memory(&error), &error);
    harness_shares_init(&shares);
    for (uint64_t i = 0; i < request->count; i++) {
        harness_generate(test_case, request->seed + i, &request->options);
        harness_shares_add(&shares, test_case);
    }
    harness_case_destroy(test_case);
    print_shares(&shares);
    return CLI_OK;
}

static int command_generate(void *opaque, int count, char **files)
{
    struct generate_request *const request = opaque;
    if (count != 0)
        return cli_usage("generate", "takes no files; '%s' is one too many", files[0]);
    if (request->defined_only)
        request->options.mode = HARNESS_GENERATE_DEFINED;
    if (request->options.exportable && request->options.mode > HARNESS_GENERATE_DEFINED)
        return cli_usage("generate", "--exportable makes defined cases, and --mode asks for others");
    if (request->options.exportable)
        request->options.mode = HARNESS_GENERATE_DEFINED;
    int code = cli_areas("generate", &request->areas, &request->options);
    if (code != CLI_OK)
        return code;
    if (request->list_areas) {
        list_areas();
        return CLI_OK;
    }
    if (request->shares)
        return count_shares(request);
    code = cli_output_open(&request->output, "generate", request->count);
    if (code == CLI_OK)
        code = cli_run_open("generate", &request->run);
    if (code == CLI_OK)
        code = generate_all(request);
    cli_run_close(&request->run);
    return code;
}

const struct cli_command cli_cmd_generate = {
    CLI_COMMAND("generate", command_generate, "make cases from seeds"),
    .options = { CLI_OWN_OPTIONS,
                 { &cli_scope_option_table[CLI_SCOPE_OPTIONS_PARTS], CLI_SCOPE_OPTIONS - CLI_SCOPE_OPTIONS_PARTS,
                   offsetof(struct generate_request, run) } },
};
