#include "harness/cli/cli.h"
#include "harness/cli/output.h"
#include "harness/grammar/gen.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "picafuzz generate - make cases from seeds\n"
    "\n"
    "usage: picafuzz generate [options]\n"
    "\n"
    "  picafuzz generate                                   the case of seed 1, as text\n"
    "  picafuzz generate --seed 7 -o seven.pcb             one case, in the form that fuzzers mutate\n"
    "  picafuzz generate --count 1000 --binary -o corpus   seeds 1 to 1000: corpus/mixed-1.pcb, ...\n"
    "  picafuzz generate --defined-only --count 50 -o c    cases whose outcome the specification decides throughout\n"
    "  picafuzz generate --areas blend,stencil --seed 3    nothing but these areas beside what a draw needs\n"
    "\n"
    "A case has a target, shaders, vertices, textures, tables and draws that fit together. Which features it has is\n"
    "drawn anew for each, so that they meet in many combinations. The same seed and options give the same bytes on\n"
    "every machine; another version of this program may give others.\n"
    "\n"
    "  -s, --seed NUMBER    the first seed (default: 1)\n"
    "  -n, --count NUMBER   that many seeds, one after another (default: 1)\n"
    "  -m, --mode MODE      mixed: well-formed, slightly broken, broken and raw cases (default)\n"
    "                       defined: at least 99 of 100 end without any undefined-behaviour event\n"
    "                       anything: every case broken on purpose, or raw\n"
    "                       raw: any writes to any registers, without any plan\n"
    "  -d, --defined-only   the same as --mode defined\n"
    "  -a, --areas LIST     only these, comma-separated; --list-areas names them\n"
    "  -o, --output PATH    one file (.pcase text, .pcb binary), or a directory\n"
    "      --binary         .pcb instead of .pcase in a directory\n"
    "      --list-areas     print the areas, one a line\n"
    "\n"
    "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

struct generate {
    struct harness_generate_options options;
    const char *mode;
    unsigned long seed;
    unsigned long count;
    struct cli_output output;
    bool list_areas;
};

/* Cuts the list up in place. */
static int take_areas(struct generate *generate, char *list)
{
    for (char *name = list; name != NULL;) {
        char *const comma = strchr(name, ',');
        if (comma != NULL)
            *comma = '\0';
        const uint64_t area = harness_generate_area(name);
        if (area == 0)
            return cli_usage("generate", "--areas: '%s' is not one of those that --list-areas prints", name);
        generate->options.areas |= area;
        name = comma != NULL ? comma + 1 : NULL;
    }
    return CLI_OK;
}

static int take_option(struct generate *generate, int option, char *value)
{
    switch (option) {
    case 's':
        return cli_number(value, 0, ULONG_MAX, &generate->seed)
                   ? CLI_OK
                   : cli_usage("generate", "--seed: '%s' is not a number", value);
    case 'n':
        return cli_number(value, 1, 100000000, &generate->count)
                   ? CLI_OK
                   : cli_usage("generate", "--count: '%s' is not a number from 1 to 100000000", value);
    case 'd': generate->mode = "defined"; return CLI_OK;
    case 'm': generate->mode = value; return CLI_OK;
    case 'a': return take_areas(generate, value);
    case 'o': generate->output.path = value; return CLI_OK;
    case 'b': generate->output.binary = true; return CLI_OK;
    case 'l': generate->list_areas = true; return CLI_OK;
    default: return cli_usage("generate", "bad options");
    }
}

static int generate_all(const struct generate *generate)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(&error) : HARNESS_OK;
    for (unsigned long i = 0; i < generate->count && status == HARNESS_OK; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s-%lu", generate->mode, generate->seed + i);
        harness_generate(test_case, generate->seed + i, &generate->options);
        status = cli_output_write(&generate->output, test_case, name, NULL, &error);
    }
    harness_case_destroy(test_case);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

static void list_areas(void)
{
    const char *name;
    for (uint32_t i = 0; (name = harness_generate_area_name(i)) != NULL; i++)
        puts(name);
}

static int command_generate(int argc, char **argv)
{
    static const struct option long_options[] = { { "seed", required_argument, NULL, 's' },
                                                  { "count", required_argument, NULL, 'n' },
                                                  { "mode", required_argument, NULL, 'm' },
                                                  { "defined-only", no_argument, NULL, 'd' },
                                                  { "areas", required_argument, NULL, 'a' },
                                                  { "output", required_argument, NULL, 'o' },
                                                  { "binary", no_argument, NULL, 'b' },
                                                  { "list-areas", no_argument, NULL, 'l' },
                                                  { NULL, 0, NULL, 0 } };
    struct generate generate = { .mode = "mixed", .seed = 1, .count = 1 };
    int code = CLI_OK;
    for (int option; (option = getopt_long(argc, argv, "s:n:m:da:o:", long_options, NULL)) != -1 && code == CLI_OK;)
        code = take_option(&generate, option, optarg);
    if (code != CLI_OK)
        return code;
    if (optind != argc)
        return cli_usage("generate", "takes no files; '%s' is one too many", argv[optind]);
    if (!harness_generate_mode_by_name(generate.mode, &generate.options.mode))
        return cli_usage("generate", "--mode: '%s' is not one of mixed, defined, anything, raw", generate.mode);
    if (generate.options.areas != 0 && generate.options.mode == HARNESS_GENERATE_RAW)
        return cli_usage("generate", "raw cases have no areas");
    if (generate.list_areas) {
        list_areas();
        return CLI_OK;
    }
    code = cli_output_open(&generate.output, "generate", generate.count);
    return code == CLI_OK ? generate_all(&generate) : code;
}

const struct cli_command cli_cmd_generate = { "generate", "make cases from seeds", help, command_generate };
