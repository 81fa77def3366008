#include "harness/cli/relation.h"

#include "harness/case/formats.h"
#include "harness/cli/cli.h"
#include "pica/regs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

size_t cli_find_check(const char *name)
{
    size_t i = 0;
    while (i < harness_check_count() && strcmp(harness_check_name(i), name) != 0)
        i++;
    return i;
}

static void add_command(const struct oracle_place *place, struct harness_text *out)
{
    if (place->id < PICA_REGISTERS)
        harness_text_format(out, "%s ", pica_reg_info(place->id)->name);
    harness_text_format(out, "(0x%03" PRIX32 ") = 0x%08" PRIX32, place->id, place->parameter);
    if (place->mask != 15)
        harness_text_format(out, " under mask %" PRIu32, place->mask);
    if (place->count > 1)
        harness_text_format(out, " and %" PRIu32 " more", place->count - 1);
}

void cli_places_text(const struct harness_check_places *places, struct harness_text *out)
{
    const struct oracle_place *const first = &places->first, *const last = &places->last;
    harness_text_format(out, "operation %" PRIu32, first->operation);
    if (first->is_command)
        harness_text_format(out, ", command %" PRIu32 " of its list", first->command);
    if (places->count > 1 && last->operation != first->operation)
        harness_text_format(out, " to operation %" PRIu32, last->operation);
    if (places->count > 1 && last->is_command)
        harness_text_format(out, " to %" PRIu32, last->command);
    if (!first->is_command)
        return;
    harness_text_add(out, ": ");
    add_command(first, out);
    if (places->count > 1 && last->is_command) {
        harness_text_add(out, " ... ");
        add_command(last, out);
    }
}

static enum harness_status save(const struct harness_case *test_case, const char *stem, const char *side,
                                struct harness_error *error)
{
    char path[4200];
    (void)snprintf(path, sizeof path, "%s-%s.pcase", stem, side);
    return harness_case_save_file(test_case, path, error);
}

enum harness_status cli_save_twins(const struct harness_checker *checker, const char *stem, struct harness_error *error)
{
    struct harness_case *const base = harness_case_create();
    struct harness_case *const variant = harness_case_create();
    enum harness_status status = base != NULL && variant != NULL && harness_check_twins(checker, base, variant)
                                     ? save(base, stem, "base", error)
                                     : harness_fail_memory(error);
    if (status == HARNESS_OK)
        status = save(variant, stem, "variant", error);
    harness_case_destroy(base);
    harness_case_destroy(variant);
    return status;
}

/* Shared with the process that looks for it. */
struct matter {
    const struct harness_probe_options *options;
    const struct harness_case *test_case;
    const char *path;
    struct harness_check_places places;
    bool found;
};

/* "cases/small.pcase" without ".pcase" */
static void stem_beside(const char *path, char *out, size_t size)
{
    const char *const slash = strrchr(path, '/');
    const char *const dot = strrchr(slash != NULL ? slash : path, '.');
    (void)snprintf(out, size, "%.*s", (int)(dot != NULL ? (size_t)(dot - path) : strlen(path)), path);
}

static enum harness_status look(struct matter *matter, struct harness_checker *checker, struct harness_program *program,
                                struct harness_error *error)
{
    char stem[4096];
    const struct harness_probe_options *const options = matter->options;
    const enum harness_status status = harness_case_setup(matter->test_case, program, error);
    if (status != HARNESS_OK)
        return status;
    matter->found = harness_check_narrow(checker, program, options->relation, options->number, &matter->places);
    stem_beside(matter->path, stem, sizeof stem);
    return cli_save_twins(checker, stem, error);
}

static int find_matter(const void *argument)
{
    struct matter *const matter = *(struct matter *const *)argument;
    const struct harness_probe_options *const options = matter->options;
    const struct harness_check_options check = { .backend = options->backend_options,
                                                 .scope = &options->backends[0].scope };
    struct harness_error error = { "" };
    struct harness_checker *const checker = harness_checker_create(options->backends[0].backend, &check);
    struct harness_program *const program = harness_program_create();
    const enum harness_status status =
        checker != NULL && program != NULL ? look(matter, checker, program, &error) : harness_fail_memory(&error);
    harness_program_destroy(program);
    harness_checker_destroy(checker);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

void cli_relation_matter(const struct harness_probe_options *options, const struct harness_case *test_case,
                         const char *path, struct harness_text *out)
{
    enum {
        SECONDS = 60
    };
    struct matter *const matter = cli_shared_create(sizeof *matter);
    if (matter == NULL)
        return;
    matter->options = options;
    matter->test_case = test_case;
    matter->path = path;
    (void)cli_guard(path, SECONDS, find_matter, &matter);
    if (matter->found)
        cli_places_text(&matter->places, out);
    cli_shared_destroy(matter);
}
