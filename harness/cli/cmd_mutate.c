#include "harness/case/formats.h"
#include "harness/cli/cli.h"
#include "harness/cli/output.h"
#include "harness/cli/quirks.h"
#include "harness/grammar/mutate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "picafuzz mutate - make new cases from one, or from two\n"
    "\n"
    "usage: picafuzz mutate [options] CASE\n"
    "\n"
    "  picafuzz mutate a.pcase                           a.pcase changed by seed 1, as text\n"
    "  picafuzz mutate --seed 9 -o b.pcb a.pcase         another one, in the form that fuzzers mutate\n"
    "  picafuzz mutate --count 100 -o variants a.pcase   variants/a-1.pcase, ... and what was done to each\n"
    "  picafuzz mutate --kind draws -o b.pcase a.pcase   one change of one kind\n"
    "  picafuzz mutate --with b.pcase -o c.pcase a.pcase   a part of b.pcase put into a.pcase\n"
    "\n"
    "These are the changes that `picafuzz fuzz` makes: to registers, fields, shader instructions, vertices,\n"
    "operations. The same case, seed and options give the same bytes on every machine; another version of\n"
    "this program may give others. The result is a valid case. Comments are dropped.\n";

static const char exits[] =
    "exit codes: 0 done, 2 usage or bad input (also: no seed found anything of that kind to change), 4\n"
    "host trouble\n";

struct mutate_request {
    uint64_t seed;
    uint64_t count;
    uint32_t max_size;
    const char *with;
    const char *kind_name;
    uint32_t kind; /* of mutation, or of crossover if `with` is given */
    struct cli_output output;
    struct cli_run_options run; /* --quirks, --force */
    bool list_kinds;
};

static const struct mutate_request defaults = {
    .seed = 1, .count = 1, .max_size = 1 << 20, .run = { .instruction_sets = UINT32_MAX }
};

static const struct cli_option option_table[] = {
    { "seed", 's', CLI_LONG, 0, UINT64_MAX, offsetof(struct mutate_request, seed), "NUMBER", "the first seed", NULL },
    { "count", 'n', CLI_LONG, 1, 100000000, offsetof(struct mutate_request, count), "NUMBER",
      "number of seeds, one after another", NULL },
    { "with", 'w', CLI_READ, 0, 0, offsetof(struct mutate_request, with), "CASE",
      "combine with this case instead of mutating", NULL },
    { "kind", 'k', CLI_TEXT, 0, 0, offsetof(struct mutate_request, kind_name), "NAME",
      "exactly one change, of this kind; --list-kinds names them", NULL },
    { "max-size", 0, CLI_NUMBER, 64, 1 << 24, offsetof(struct mutate_request, max_size), "N",
      "at most N bytes for the result in binary form", NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct mutate_request, output.path), "PATH",
      "one file (.pcase text, .pcb binary), or a directory", NULL },
    { "binary", 0, CLI_FLAG, 0, 0, offsetof(struct mutate_request, output.binary), NULL,
      ".pcb instead of .pcase in a directory", NULL },
    { "list-kinds", 0, CLI_FLAG, 0, 0, offsetof(struct mutate_request, list_kinds), NULL,
      "print the kinds of mutation and of crossover, one per line", NULL },
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
        cli_print(stdout, "%s (with another case)\n", harness_crossover_kind_name(k));
}

static bool find_kind(struct mutate_request *request)
{
    const char *name = "";
    for (uint32_t k = 0; name != NULL; k++) {
        name = request->with == NULL ? harness_mutation_kind_name(k) : harness_crossover_kind_name(k);
        request->kind = k;
        if (name != NULL && strcmp(name, request->kind_name) == 0)
            return true;
    }
    return false;
}

static enum harness_status load_bytes(const char *path, struct bytes *out, struct harness_error *error)
{
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = cli_load(path, test_case, error);
    if (status == HARNESS_OK)
        (void)harness_pcb_encode(test_case, NULL, 0, &out->size, NULL);
    out->bytes = malloc(out->size + 1);
    if (status == HARNESS_OK && out->bytes == NULL)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK) {
        status = harness_pcb_encode(test_case, out->bytes, out->size + 1, &out->size, error);
        if (status != HARNESS_OK)
            harness_error_prefix(error, path); /* cli_load names the file itself */
    }
    harness_case_destroy(test_case);
    return status;
}

/* The new size, or 0 if there was nothing to change. */
static size_t change(struct harness_mutator *mutator, const struct mutate_request *request,
                     const struct bytes inputs[2], uint8_t *out, uint64_t seed)
{
    const bool crosses = request->with != NULL;
    const struct bytes a = inputs[0];
    const struct bytes b = inputs[1];
    if (crosses && request->kind_name != NULL)
        return harness_crossover_by(mutator, request->kind, a.bytes, a.size, b.bytes, b.size, out, request->max_size,
                                    seed);
    if (crosses)
        return harness_crossover(mutator, a.bytes, a.size, b.bytes, b.size, out, request->max_size, seed);
    const size_t kept = a.size < request->max_size ? a.size : request->max_size;
    memcpy(out, a.bytes, kept);
    if (request->kind_name != NULL)
        return harness_mutate_by(mutator, request->kind, out, kept, request->max_size, seed);
    return harness_mutate(mutator, out, kept, request->max_size, seed, NULL);
}

/* What was done, for people. */
static void describe(const struct mutate_request *request, const struct harness_mutator *mutator, char *out,
                     size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    if (request->with != NULL || request->kind_name != NULL) {
        (void)snprintf(out, size, "%s", request->kind_name != NULL ? request->kind_name : "crossed");
        return;
    }
    const uint64_t kinds = harness_mutator_kinds(mutator);
    for (uint32_t k = 0; k < harness_mutation_kinds() && length < size; k++)
        if ((kinds >> k & 1u) != 0)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length != 0 ? ", " : "",
                                       harness_mutation_kind_name(k));
    if (kinds == 0)
        (void)snprintf(out, size, "nothing to change");
}

static enum harness_status write_one(const struct mutate_request *request, struct harness_mutator *mutator,
                                     struct harness_case *test_case, const char *name, uint64_t *left_out,
                                     struct harness_error *error)
{
    char remark[512];
    const char *why = NULL;
    const enum harness_status status = cli_quirks_case(&request->run, test_case, &why, error);
    if (status != HARNESS_OK || why != NULL) {
        *left_out += why != NULL;
        return status;
    }
    describe(request, mutator, remark, sizeof remark);
    return cli_output_write(&request->output, test_case, name, remark, error);
}

static int mutate_all(const struct mutate_request *request, const char *path, const struct bytes inputs[2])
{
    char stem[128];
    char name[192];
    uint64_t written = 0, left_out = 0;
    struct harness_error error = { "" };
    enum harness_status status = HARNESS_OK;
    struct harness_mutator *const mutator = harness_mutator_create();
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const out = malloc(request->max_size);
    if (mutator == NULL || test_case == NULL || out == NULL)
        status = harness_fail_memory(&error);
    cli_stem(path, stem, sizeof stem);
    for (uint64_t i = 0; i < request->count && status == HARNESS_OK; i++) {
        const size_t size = change(mutator, request, inputs, out, request->seed + i);
        if (size == 0)
            continue;
        (void)snprintf(name, sizeof name, "%s-%" PRIu64, stem, request->seed + i);
        status = harness_pcb_decode(test_case, out, size)
                     ? write_one(request, mutator, test_case, name, &left_out, &error)
                     : harness_fail_memory(&error);
        written++;
    }
    if (status == HARNESS_OK && written == 0)
        status = harness_fail(&error, HARNESS_BAD_INPUT,
                              "%s: no seed from %" PRIu64 " to %" PRIu64 " found anything to change", path,
                              request->seed, request->seed + request->count - 1);
    cli_quirks_left_out(left_out, written);
    free(out);
    harness_case_destroy(test_case);
    harness_mutator_destroy(mutator);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

static int load_and_mutate(const struct mutate_request *request, const char *path)
{
    struct bytes inputs[2] = { { NULL, 0 }, { NULL, 0 } };
    struct harness_error error = { "" };
    enum harness_status status = load_bytes(path, &inputs[0], &error);
    if (status == HARNESS_OK && request->with != NULL)
        status = load_bytes(request->with, &inputs[1], &error);
    const int code = status == HARNESS_OK ? mutate_all(request, path, inputs) : cli_fail(status, &error);
    free(inputs[0].bytes);
    free(inputs[1].bytes);
    return code;
}

static int command_mutate(void *opaque, int count, char **files)
{
    struct mutate_request *const request = opaque;
    if (request->list_kinds) {
        list_kinds();
        return CLI_OK;
    }
    if (count != 1)
        return cli_usage("mutate", "give one case");
    if (request->kind_name != NULL && !find_kind(request))
        return cli_not_one_of("mutate", "--kind", request->kind_name,
                              request->with != NULL ? harness_crossover_kind_name : harness_mutation_kind_name);
    int code = cli_output_open(&request->output, "mutate", request->count);
    if (code == CLI_OK)
        code = cli_run_open("mutate", &request->run);
    if (code == CLI_OK)
        code = load_and_mutate(request, files[0]);
    cli_run_close(&request->run);
    return code;
}

const struct cli_command cli_cmd_mutate = {
    CLI_COMMAND("mutate", command_mutate, "make new cases from one, or from two"),
    .options = { CLI_OWN_OPTIONS,
                 { &cli_scope_option_table[CLI_SCOPE_OPTIONS_PARTS], CLI_SCOPE_OPTIONS - CLI_SCOPE_OPTIONS_PARTS,
                   offsetof(struct mutate_request, run) } },
};
