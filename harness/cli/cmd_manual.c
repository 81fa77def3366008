#include "harness/cli/manual.h"

#include "harness/case/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "picafuzz manual - man pages and shell completion, made from what --help prints\n"
    "\n"
    "usage: picafuzz manual [COMMAND]\n"
    "       picafuzz manual --completion SHELL\n"
    "       picafuzz manual -o DIRECTORY\n"
    "\n"
    "  picafuzz manual diff | man -l -              the page of a command\n"
    "  source <(picafuzz manual --completion bash)  completion in this shell\n"
    "  picafuzz manual -o ~/.local/share            all pages and scripts, where man and the shells look for them\n"
    "\n"
    "picafuzz is one file and needs no installed manual: it writes the pages itself. Packages contain what\n"
    "-o writes.\n";

static const char exits[] = "exit codes: 0 done, 2 usage, 4 host trouble\n";

struct manual_request {
    const char *output;
    uint32_t shell; /* CLI_SHELLS: a page */
};

static const struct manual_request defaults = { NULL, CLI_SHELLS };

static const struct cli_choices shells = { "bash, zsh, fish", NULL };

static const struct cli_option option_table[] = {
    { "completion", 0, CLI_CHOICE, 0, 0, offsetof(struct manual_request, shell), "SHELL",
      "print the completion script for this shell", &shells },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct manual_request, output), "DIRECTORY",
      "write everything below this directory: man/man1 and a directory for each shell", NULL },
};

void cli_manual_options(const struct cli_command *command, void (*read)(void *user, const struct cli_option_text *text),
                        void *user)
{
    struct cli_options options = { .program = command->name };
    memcpy(options.sets, command->options, sizeof options.sets);
    cli_options_each(&options, command->defaults, read, user);
}

/* Writes DIRECTORY/PLACE/NAME and frees the text. */
static enum harness_status write_below(const char *directory, const char *place, const char *name,
                                       struct harness_text *text, struct harness_error *error)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", directory, place);
    enum harness_status status = cli_make_directory(path, error);
    const int length = snprintf(path, sizeof path, "%s/%s/%s", directory, place, name);
    if (status == HARNESS_OK && (size_t)length >= sizeof path)
        status = harness_fail(error, HARNESS_BAD_INPUT, "%.80s...: the path is too long", directory);
    if (status == HARNESS_OK)
        status = harness_file_write_text(path, text, error);
    harness_text_free(text);
    return status;
}

static enum harness_status write_pages(const char *directory, struct harness_text *text, struct harness_error *error)
{
    size_t count = 0;
    const struct cli_command *const *const commands = cli_commands(&count);
    cli_manual_page(NULL, text);
    enum harness_status status = write_below(directory, "man/man1", "picafuzz.1", text, error);
    for (size_t i = 0; i < count && status == HARNESS_OK; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "picafuzz-%s.1", commands[i]->name);
        cli_manual_page(commands[i], text);
        status = write_below(directory, "man/man1", name, text, error);
    }
    return status;
}

static enum harness_status write_completions(const char *directory, struct harness_text *text,
                                             struct harness_error *error)
{
    static const struct {
        const char *place, *name;
    } files[CLI_SHELLS] = { { "bash-completion/completions", "picafuzz" },
                            { "zsh/vendor-completions", "_picafuzz" },
                            { "fish/vendor_completions.d", "picafuzz.fish" } };
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; i < CLI_SHELLS && status == HARNESS_OK; i++) {
        cli_manual_completion((enum cli_shell)i, text);
        status = write_below(directory, files[i].place, files[i].name, text, error);
    }
    return status;
}

static int print_page(const char *name, struct harness_text *text)
{
    const struct cli_command *const command = name != NULL ? cli_find_command(name) : NULL;
    if (name != NULL && command == NULL)
        return cli_usage("manual", "there is no command '%s'", name);
    cli_manual_page(command, text);
    fputs(harness_text_string(text), stdout);
    return CLI_OK;
}

static int make(const struct manual_request *request, const char *name, struct harness_text *text)
{
    struct harness_error error = { "" };
    if (request->output != NULL) {
        enum harness_status status = write_pages(request->output, text, &error);
        if (status == HARNESS_OK)
            status = write_completions(request->output, text, &error);
        return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
    }
    if (request->shell == CLI_SHELLS)
        return print_page(name, text);
    cli_manual_completion((enum cli_shell)request->shell, text);
    fputs(harness_text_string(text), stdout);
    return CLI_OK;
}

static int command_manual(void *opaque, int count, char **files)
{
    const struct manual_request *const request = opaque;
    const int asked = (request->output != NULL) + (request->shell != CLI_SHELLS) + (count != 0);
    if (asked > 1 || count > 1)
        return cli_usage("manual", "give a command, --completion or --output, one of them");
    struct harness_text text = { 0 };
    const int code = make(request, count == 1 ? files[0] : NULL, &text);
    harness_text_free(&text);
    return code;
}

const struct cli_command cli_cmd_manual = {
    CLI_COMMAND("manual", command_manual, "man pages and shell completion"),
    .options = { CLI_OWN_OPTIONS },
};
