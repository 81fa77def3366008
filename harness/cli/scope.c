/* --only and --ignore: what of the results is compared. */
#include "harness/cli/cli.h"

#include "harness/cli/quirks.h"

#include <stdio.h>
#include <string.h>

const struct cli_option cli_scope_option_table[CLI_SCOPE_OPTIONS] = {
    { "only", 0, CLI_LIST, 1, CLI_LIST_MOST, offsetof(struct cli_run_options, only), "PART[,..]",
      "compare only these parts: memory, registers, engines, interrupts, tables, units, fixed, geometry, assembler, "
      "events, screens",
      NULL },
    { "ignore", 0, CLI_LIST, 1, CLI_LIST_MOST, offsetof(struct cli_run_options, ignore), "NAME[,..]",
      "do not compare these registers (STATUS, VIEWPORT_WIDTH, ...), parts, or members of parts (tables.gas)", NULL },
    { "quirks", 0, CLI_READ, 0, 0, offsetof(struct cli_run_options, quirks_path), "FILE",
      "known differences of the implementation under test (docs/formats/quirks.md)", NULL },
    { "force", 0, CLI_EACH, 1, CLI_LIST_MOST, offsetof(struct cli_run_options, force), "FIELD=VALUE",
      "set this field to this value in every case (TEXUNIT0_PARAM.mag_filter=nearest); may be repeated", NULL },
};

/* NULL if all is well, else the name that does not exist. */
static const char *take_scope(const struct cli_run_options *options, struct oracle_scope *out)
{
    oracle_scope_all(out);
    if (options->only.count != 0)
        out->parts = 0;
    for (size_t i = 0; i < options->only.count; i++) {
        const uint32_t part = oracle_scope_part(options->only.items[i]);
        if (part == 0)
            return options->only.items[i];
        out->parts |= part;
    }
    for (size_t i = 0; i < options->ignore.count; i++)
        if (!oracle_scope_ignore(out, options->ignore.items[i]))
            return options->ignore.items[i];
    return NULL;
}

bool cli_has_stranger(const struct cli_run_options *options)
{
    for (size_t i = 0; i < options->backends.count; i++)
        if (!harness_backend_name_is_ours(options->backends.items[i]))
            return true;
    return false;
}

int cli_scope_check(const char *command, const struct cli_run_options *options)
{
    struct oracle_scope scope;
    const char *const unknown = take_scope(options, &scope);
    if (unknown != NULL)
        return cli_usage(command, "--only, --ignore: '%s' is no part (%s)%s", unknown, oracle_scope_part_names(),
                         options->ignore.count != 0 ? " and no register" : "");
    if ((options->only.count != 0 || options->ignore.count != 0) && !cli_has_stranger(options))
        return cli_usage(command,
                         "--only, --ignore: reference and fast are equal in everything, or one is wrong; these "
                         "are for plug-ins");
    return CLI_OK;
}

void cli_scope_apply(const struct cli_run_options *options, struct harness_backend *backend)
{
    struct oracle_scope scope;
    (void)take_scope(options, &scope);
    harness_backend_restrict(backend, &scope);
    if (options->quirks != NULL && !oracle_tolerance_is_none(&options->quirks->file->tolerance))
        harness_backend_tolerate(backend, &options->quirks->file->tolerance);
}

static void add_list(struct harness_text *out, const char *option, const struct cli_list *list)
{
    struct harness_text words = { 0 };
    for (size_t i = 0; i < list->count; i++) {
        char word[4096];
        cli_backends_escape(list->items[i], word, sizeof word); /* names of parts have no commas */
        harness_text_format(&words, "%s%s", i != 0 ? "," : "", word);
    }
    if (list->count != 0) {
        harness_text_format(out, "%s ", option);
        harness_text_shell(out, harness_text_string(&words));
        harness_text_add(out, " ");
    }
    harness_text_free(&words);
}

bool cli_are_linked_two(const struct cli_list *backends)
{
    return backends->count == 2 && strcmp(backends->items[0], "reference") == 0 &&
           strcmp(backends->items[1], "fast") == 0;
}

void cli_options_text(const struct cli_run_options *options, struct harness_text *out)
{
    const struct cli_list *const backends = options->quirks != NULL ? &options->quirks->given : &options->backends;
    if (!cli_are_linked_two(backends))
        add_list(out, "-b", backends);
    add_list(out, "--only", &options->only);
    add_list(out, "--ignore", &options->ignore);
    if (options->quirks_path != NULL) {
        harness_text_add(out, "--quirks ");
        harness_text_shell(out, options->quirks_path);
        harness_text_add(out, " ");
    }
    for (size_t i = 0; i < options->force.count; i++) {
        harness_text_add(out, "--force ");
        harness_text_shell(out, options->force.items[i]);
        harness_text_add(out, " ");
    }
    if (options->threads != 0)
        harness_text_format(out, "--threads %u ", (unsigned)options->threads);
    if (options->capacity != 0)
        harness_text_format(out, "--capacity %u ", (unsigned)options->capacity);
    if (options->fresh != 0)
        harness_text_format(out, "--fresh-every %u ", (unsigned)options->fresh);
}

void cli_scope_text(const struct cli_run_options *options, struct harness_text *out)
{
    for (size_t i = 0; i < options->only.count; i++)
        harness_text_format(out, "%s%s", i == 0 ? "; only " : ",", options->only.items[i]);
    for (size_t i = 0; i < options->ignore.count; i++)
        harness_text_format(out, "%s%s", i == 0 ? "; ignore " : ",", options->ignore.items[i]);
    cli_quirks_identity(options, out);
}
