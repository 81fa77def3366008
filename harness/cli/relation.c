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

static enum harness_status look(const struct harness_probe_options *options, struct harness_checker *checker,
                                const struct harness_program *program, const char *path, struct harness_text *out,
                                struct harness_error *error)
{
    char stem[4096];
    struct harness_check_places places;
    if (harness_check_narrow(checker, program, options->relation, options->number, &places))
        cli_places_text(&places, out);
    (void)snprintf(stem, sizeof stem, "%.*s", (int)cli_without_extension(path), path);
    return cli_save_twins(checker, stem, error);
}

void cli_relation_matter(const struct harness_probe_options *options, const struct cli_run_options *run,
                         const struct harness_case *test_case, const char *path, struct harness_text *out)
{
    const struct harness_check_options check = { .backend = options->backend_options,
                                                 .scope = &options->backends[0].scope };
    struct harness_error error = { "" };
    struct harness_backend backend;
    struct harness_checker *checker = NULL;
    struct harness_program *const program = harness_program_create();
    enum harness_status status = harness_backend_open(harness_backend_apart(run->backends.items[0]), &backend, &error);
    if (status == HARNESS_OK) {
        harness_probe_limit(&backend, options->hang_ms);
        cli_limit_process(&backend, run);
        checker = harness_checker_create(backend.backend, &check);
        status = checker != NULL && program != NULL ? harness_case_setup(test_case, program, &error)
                                                    : harness_fail_memory(&error);
    }
    if (status == HARNESS_OK)
        status = look(options, checker, program, path, out, &error);
    if (status != HARNESS_OK)
        (void)cli_fail(status, &error);
    harness_checker_destroy(checker);
    harness_backend_close(&backend);
    harness_program_destroy(program);
}
