#include "harness/case/formats.h"
#include "harness/cli/cli.h"
#include "harness/cli/output.h"
#include "harness/grammar/mutate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "picafuzz mutate - make new cases from one, or from two\n"
    "\n"
    "usage: picafuzz mutate [options] CASE\n"
    "\n"
    "  picafuzz mutate a.pcase                           a change of a.pcase by seed 1, as text\n"
    "  picafuzz mutate --seed 9 -o b.pcb a.pcase         another one, in the form that fuzzers mutate\n"
    "  picafuzz mutate --count 100 -o variants a.pcase   variants/a-1.pcase, ... and what was done to each\n"
    "  picafuzz mutate --kind draws -o b.pcase a.pcase   one change of one kind\n"
    "  picafuzz mutate --with b.pcase -o c.pcase a.pcase   something of b.pcase taken over into a.pcase\n"
    "\n"
    "These are the changes that `picafuzz fuzz` makes: by registers, fields, shader instructions, vertices, "
    "operations.\n"
    "The same case, seed and options give the same bytes on every machine; another version of this program may give\n"
    "others. The outcome is a valid case. Comments are dropped.\n"
    "\n"
    "  -s, --seed NUMBER    the first seed (default: 1)\n"
    "  -n, --count NUMBER   that many seeds, one after another (default: 1)\n"
    "  -w, --with CASE      cross with this one instead of mutating\n"
    "  -k, --kind NAME      exactly one change, of that kind; --list-kinds names them\n"
    "      --max-size N     bytes of the outcome in binary form, at most (default: 1048576)\n"
    "  -o, --output PATH    one file (.pcase text, .pcb binary), or a directory\n"
    "      --binary         .pcb instead of .pcase in a directory\n"
    "      --list-kinds     print the kinds of mutation and of crossover, one a line\n"
    "\n"
    "exit codes: 0 done, 2 usage or bad input (also: no seed found anything of that kind to change), 4 host trouble\n";

enum {
    OPTION_MAX_SIZE = 256,
    OPTION_BINARY,
    OPTION_LIST_KINDS
};

struct mutate {
    unsigned long seed;
    unsigned long count;
    unsigned long max_size;
    const char *with;
    const char *kind_name;
    uint32_t kind; /* of mutation, or of crossover if `with` is given */
    struct cli_output output;
    bool list_kinds;
};

/* A case in binary form. */
struct bytes {
    uint8_t *bytes;
    size_t size;
};

static void list_kinds(void)
{
    for (uint32_t k = 0; k < harness_mutation_kinds(); k++)
        puts(harness_mutation_kind_name(k));
    for (uint32_t k = 0; k < harness_crossover_kinds(); k++)
        printf("%s (with another case)\n", harness_crossover_kind_name(k));
}

static bool find_kind(struct mutate *mutate)
{
    const char *name = "";
    for (uint32_t k = 0; name != NULL; k++) {
        name = mutate->with == NULL ? harness_mutation_kind_name(k) : harness_crossover_kind_name(k);
        mutate->kind = k;
        if (name != NULL && strcmp(name, mutate->kind_name) == 0)
            return true;
    }
    return false;
}

static int take_option(struct mutate *mutate, int option, const char *value)
{
    switch (option) {
    case 's':
        return cli_number(value, 0, ULONG_MAX, &mutate->seed)
                   ? CLI_OK
                   : cli_usage("mutate", "--seed: '%s' is not a number", value);
    case 'n':
        return cli_number(value, 1, 100000000, &mutate->count)
                   ? CLI_OK
                   : cli_usage("mutate", "--count: '%s' is not a number from 1 to 100000000", value);
    case OPTION_MAX_SIZE:
        return cli_number(value, 64, 1 << 24, &mutate->max_size)
                   ? CLI_OK
                   : cli_usage("mutate", "--max-size: '%s' is not a number from 64 to 16777216", value);
    case 'w': mutate->with = value; return CLI_OK;
    case 'k': mutate->kind_name = value; return CLI_OK;
    case 'o': mutate->output.path = value; return CLI_OK;
    case OPTION_BINARY: mutate->output.binary = true; return CLI_OK;
    case OPTION_LIST_KINDS: mutate->list_kinds = true; return CLI_OK;
    default: return cli_usage("mutate", "bad options");
    }
}

static enum harness_status load_bytes(const char *path, struct bytes *out, struct harness_error *error)
{
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(error) : cli_load(path, test_case, error);
    if (status == HARNESS_OK)
        (void)harness_pcb_encode(test_case, NULL, 0, &out->size, NULL);
    out->bytes = malloc(out->size + 1);
    if (status == HARNESS_OK && out->bytes == NULL)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK)
        status = harness_pcb_encode(test_case, out->bytes, out->size + 1, &out->size, error);
    if (status != HARNESS_OK && error->message[0] != '\0')
        harness_error_prefix(error, path);
    harness_case_destroy(test_case);
    return status;
}

/* The new size, or 0 if there was nothing to change. */
static size_t change(struct harness_mutator *mutator, const struct mutate *mutate, const struct bytes inputs[2],
                     uint8_t *out, uint64_t seed)
{
    const bool crosses = mutate->with != NULL;
    const struct bytes a = inputs[0];
    const struct bytes b = inputs[1];
    if (crosses && mutate->kind_name != NULL)
        return harness_crossover_by(mutator, mutate->kind, a.bytes, a.size, b.bytes, b.size, out, mutate->max_size,
                                    seed);
    if (crosses)
        return harness_crossover(mutator, a.bytes, a.size, b.bytes, b.size, out, mutate->max_size, seed);
    const size_t kept = a.size < mutate->max_size ? a.size : mutate->max_size;
    memcpy(out, a.bytes, kept);
    if (mutate->kind_name != NULL)
        return harness_mutate_by(mutator, mutate->kind, out, kept, mutate->max_size, seed);
    return harness_mutate(mutator, out, kept, mutate->max_size, seed, NULL);
}

/* What was done, for people. */
static void describe(const struct mutate *mutate, const struct harness_mutator *mutator, char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    if (mutate->with != NULL || mutate->kind_name != NULL) {
        (void)snprintf(out, size, "%s", mutate->kind_name != NULL ? mutate->kind_name : "crossed");
        return;
    }
    const uint64_t kinds = harness_mutator_kinds(mutator);
    for (uint32_t k = 0; k < harness_mutation_kinds() && length < size; k++)
        if ((kinds >> k & 1u) != 0)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length != 0 ? ", " : "",
                                       harness_mutation_kind_name(k));
    if (kinds == 0)
        (void)snprintf(out, size, "generated anew");
}

static enum harness_status write_one(const struct mutate *mutate, struct harness_mutator *mutator,
                                     struct harness_case *test_case, const char *name, struct harness_error *error)
{
    char remark[512];
    describe(mutate, mutator, remark, sizeof remark);
    return cli_output_write(&mutate->output, test_case, name, remark, error);
}

static int mutate_all(const struct mutate *mutate, const char *path, const struct bytes inputs[2])
{
    char stem[128];
    char name[192];
    unsigned long written = 0;
    struct harness_error error = { "" };
    enum harness_status status = HARNESS_OK;
    struct harness_mutator *const mutator = harness_mutator_create();
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const out = malloc(mutate->max_size);
    if (mutator == NULL || test_case == NULL || out == NULL)
        status = harness_fail_memory(&error);
    cli_stem(path, stem, sizeof stem);
    for (unsigned long i = 0; i < mutate->count && status == HARNESS_OK; i++) {
        const size_t size = change(mutator, mutate, inputs, out, mutate->seed + i);
        if (size == 0)
            continue;
        (void)snprintf(name, sizeof name, "%s-%lu", stem, mutate->seed + i);
        status = harness_pcb_decode(test_case, out, size) ? write_one(mutate, mutator, test_case, name, &error)
                                                          : harness_fail_memory(&error);
        written++;
    }
    if (status == HARNESS_OK && written == 0)
        status = harness_fail(&error, HARNESS_BAD_INPUT, "%s: no seed from %lu to %lu found anything to change", path,
                              mutate->seed, mutate->seed + mutate->count - 1);
    free(out);
    harness_case_destroy(test_case);
    harness_mutator_destroy(mutator);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

static int load_and_mutate(const struct mutate *mutate, const char *path)
{
    struct bytes inputs[2] = { { NULL, 0 }, { NULL, 0 } };
    struct harness_error error = { "" };
    enum harness_status status = load_bytes(path, &inputs[0], &error);
    if (status == HARNESS_OK && mutate->with != NULL)
        status = load_bytes(mutate->with, &inputs[1], &error);
    const int code = status == HARNESS_OK ? mutate_all(mutate, path, inputs) : cli_fail(status, &error);
    free(inputs[0].bytes);
    free(inputs[1].bytes);
    return code;
}

static int command_mutate(int argc, char **argv)
{
    static const struct option long_options[] = { { "seed", required_argument, NULL, 's' },
                                                  { "count", required_argument, NULL, 'n' },
                                                  { "with", required_argument, NULL, 'w' },
                                                  { "kind", required_argument, NULL, 'k' },
                                                  { "max-size", required_argument, NULL, OPTION_MAX_SIZE },
                                                  { "output", required_argument, NULL, 'o' },
                                                  { "binary", no_argument, NULL, OPTION_BINARY },
                                                  { "list-kinds", no_argument, NULL, OPTION_LIST_KINDS },
                                                  { NULL, 0, NULL, 0 } };
    struct mutate mutate = { .seed = 1, .count = 1, .max_size = 1 << 20 };
    int code = CLI_OK;
    for (int option; (option = getopt_long(argc, argv, "s:n:w:k:o:", long_options, NULL)) != -1 && code == CLI_OK;)
        code = take_option(&mutate, option, optarg);
    if (code != CLI_OK)
        return code;
    if (mutate.list_kinds) {
        list_kinds();
        return CLI_OK;
    }
    if (optind + 1 != argc)
        return cli_usage("mutate", "give one case");
    if (mutate.kind_name != NULL && !find_kind(&mutate))
        return cli_usage("mutate", "--kind: '%s' is not one of those that --list-kinds prints%s", mutate.kind_name,
                         mutate.with != NULL ? " for crossing" : " for one case");
    code = cli_output_open(&mutate.output, "mutate", mutate.count);
    return code == CLI_OK ? load_and_mutate(&mutate, argv[optind]) : code;
}

const struct cli_command cli_cmd_mutate = { "mutate", "make new cases from one, or from two", help, command_mutate };
