#include "harness/cli/manual.h"

#include <string.h>

typedef void (*completion)(struct harness_text *out, const struct cli_command *const *commands, size_t count);

/* The words of a list like "all, scalar, avx2", with a space after each; nothing if the option takes another value. */
static void add_choices(struct harness_text *out, const struct cli_option *option)
{
    const char *at = option->choices != NULL ? option->choices->names : "";
    while (*at != '\0') {
        const size_t size = strcspn(at, ", ");
        harness_text_bytes(out, at, size);
        harness_text_add(out, " ");
        at += size + strspn(at + size, ", ");
    }
}

/* ------------------------------------------------------------------------------------------------------------ bash */

static void add_bash_names(void *user, const struct cli_option_text *text)
{
    struct harness_text *const out = user;
    harness_text_format(out, " --%s", text->option->name);
    if (text->option->letter != 0)
        harness_text_format(out, " -%c", text->option->letter);
}

struct bash_values {
    struct harness_text *out;
    const char *command;
};

static void add_bash_values(void *user, const struct cli_option_text *text)
{
    const struct bash_values *const values = user;
    if (text->option->choices == NULL)
        return;
    harness_text_format(values->out, "    %s:--%s", values->command, text->option->name);
    if (text->option->letter != 0)
        harness_text_format(values->out, " | %s:-%c", values->command, text->option->letter);
    harness_text_add(values->out, ") words=\"");
    add_choices(values->out, text->option);
    harness_text_add(values->out, "\" ;;\n");
}

/* A value that is no word of a list is left to the shell: file names. */
static void add_bash(struct harness_text *out, const struct cli_command *const *commands, size_t count)
{
    harness_text_add(out,
                     "# bash completion for picafuzz\n"
                     "_picafuzz()\n{\n"
                     "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words= options=\n"
                     "    COMPREPLY=()\n"
                     "    if ((COMP_CWORD == 1)); then\n"
                     "        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; i < count; i++)
        harness_text_format(out, "%s ", commands[i]->name);
    harness_text_add(out, "help --help --version\" -- \"$word\"))\n        return\n    fi\n"
                          "    case ${COMP_WORDS[1]}:$before in\n");
    for (size_t i = 0; i < count; i++)
        cli_manual_options(commands[i], add_bash_values, &(struct bash_values){ out, commands[i]->name });
    harness_text_add(out, "    esac\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < count; i++) {
        harness_text_format(out, "    %s) options=\"--help", commands[i]->name);
        cli_manual_options(commands[i], add_bash_names, out);
        harness_text_add(out, "\" ;;\n");
    }
    harness_text_add(out, "    esac\n"
                          "    [[ -z $words && $word == -* ]] && words=$options\n"
                          "    [[ -z $words ]] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                          "}\ncomplete -o default -F _picafuzz picafuzz\n");
}

/* ------------------------------------------------------------------------------------------------------------- zsh */

/* Up to the end of the sentence, without what zsh or a quoted string would take for more than a letter. */
static void add_short(struct harness_text *out, const char *text)
{
    for (size_t i = 0; text[i] != '\0' && text[i] != ';' && text[i] != '\n'; i++)
        harness_text_bytes(out, strchr("[]:'\\", text[i]) != NULL ? " " : &text[i], 1);
}

static void add_zsh_option(void *user, const struct cli_option_text *text)
{
    struct harness_text *const out = user;
    const struct cli_option *const option = text->option;
    harness_text_add(out, " \\\n            ");
    if (option->letter != 0)
        harness_text_format(out, "'(-%c --%s)'{-%c,--%s}'[", option->letter, option->name, option->letter,
                            option->name);
    else
        harness_text_format(out, "'--%s[", option->name);
    add_short(out, option->help);
    harness_text_add(out, "]");
    if (option->kind != CLI_FLAG) {
        harness_text_add(out, ":");
        add_short(out, option->value);
        harness_text_add(out, option->choices != NULL ? ":(" : ":_files");
        add_choices(out, option);
        harness_text_add(out, option->choices != NULL ? ")" : "");
    }
    harness_text_add(out, "'");
}

static void add_zsh(struct harness_text *out, const struct cli_command *const *commands, size_t count)
{
    harness_text_add(out, "#compdef picafuzz\n_picafuzz()\n{\n    local -a commands=(\n");
    for (size_t i = 0; i < count; i++) {
        harness_text_format(out, "        '%s:", commands[i]->name);
        add_short(out, commands[i]->summary);
        harness_text_add(out, "'\n");
    }
    harness_text_add(out, "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n"
                          "    fi\n    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
                          "    case $command in\n");
    for (size_t i = 0; i < count; i++) {
        harness_text_format(out, "    %s)\n        _arguments '(-h --help)'{-h,--help}'[help by example]'",
                            commands[i]->name);
        cli_manual_options(commands[i], add_zsh_option, out);
        harness_text_add(out, " \\\n            '*:file:_files' ;;\n");
    }
    harness_text_add(out, "    esac\n}\n_picafuzz \"$@\"\n");
}

/* ------------------------------------------------------------------------------------------------------------ fish */

struct fish_option {
    struct harness_text *out;
    const char *command;
};

static void add_fish_option(void *user, const struct cli_option_text *text)
{
    const struct fish_option *const at = user;
    const struct cli_option *const option = text->option;
    harness_text_format(at->out, "complete -c picafuzz -n '__fish_seen_subcommand_from %s' -l %s", at->command,
                        option->name);
    if (option->letter != 0)
        harness_text_format(at->out, " -s %c", option->letter);
    if (option->choices != NULL) {
        harness_text_add(at->out, " -x -a '");
        add_choices(at->out, option);
        harness_text_add(at->out, "'");
    } else if (option->kind != CLI_FLAG) {
        harness_text_add(at->out, " -r");
    }
    harness_text_add(at->out, " -d '");
    add_short(at->out, option->help);
    harness_text_add(at->out, "'\n");
}

static void add_fish(struct harness_text *out, const struct cli_command *const *commands, size_t count)
{
    harness_text_add(out, "# fish completion for picafuzz\n");
    for (size_t i = 0; i < count; i++) {
        harness_text_format(out, "complete -c picafuzz -f -n __fish_use_subcommand -a %s -d '", commands[i]->name);
        add_short(out, commands[i]->summary);
        harness_text_add(out, "'\n");
    }
    for (size_t i = 0; i < count; i++)
        cli_manual_options(commands[i], add_fish_option, &(struct fish_option){ out, commands[i]->name });
}

void cli_manual_completion(enum cli_shell shell, struct harness_text *out)
{
    static const completion completions[CLI_SHELLS] = { add_bash, add_zsh, add_fish };
    size_t count = 0;
    const struct cli_command *const *const commands = cli_commands(&count);
    completions[shell](out, commands, count);
}
