#include "harness/cli/manual.h"

#include <string.h>

/* Text in which roff finds no orders. */
static void add_plain(struct harness_text *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (i == 0 && (text[i] == '.' || text[i] == '\''))
            harness_text_add(out, "\\&");
        if (text[i] == '\\')
            harness_text_add(out, "\\e");
        else if (text[i] == '-')
            harness_text_add(out, "\\-");
        else
            harness_text_bytes(out, &text[i], 1);
    }
}

static void add_line(struct harness_text *out, const char *text, size_t size)
{
    add_plain(out, text, size);
    harness_text_add(out, "\n");
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line != '\0');
}

/* From `text` to the end: lines that are indented stand as they are, others are filled. */
static void add_paragraphs(struct harness_text *out, const char *text)
{
    bool is_example = false;
    for (; *text != '\0'; text = next_line(text)) {
        const size_t size = strcspn(text, "\n");
        const bool indented = text[0] == ' ';
        if (size == 0 && !is_example) {
            harness_text_add(out, ".PP\n");
            continue;
        }
        if (indented != is_example && size != 0) {
            harness_text_add(out, indented ? ".PP\n.EX\n" : ".EE\n.PP\n");
            is_example = indented;
        }
        add_line(out, text, size);
    }
    if (is_example)
        harness_text_add(out, ".EE\n");
}

/* The lines of the text that begin with "usage: " or go on below it; returns what follows. */
static const char *add_synopsis(struct harness_text *out, const char *about)
{
    static const char usage[] = "usage: ";
    const char *line = strstr(about, usage);
    if (line == NULL)
        return about;
    harness_text_add(out, ".SH SYNOPSIS\n");
    for (bool more = true; more; line = next_line(line)) {
        const size_t indent = strncmp(line, usage, strlen(usage)) == 0 ? strlen(usage) : strspn(line, " ");
        more = *next_line(line) == ' ';
        add_line(out, line + indent, strcspn(line, "\n") - indent);
        harness_text_add(out, more ? ".br\n" : "");
    }
    return line;
}

static void add_option(void *user, const struct cli_option_text *text)
{
    struct harness_text *const out = user;
    harness_text_add(out, ".TP\n");
    add_line(out, text->left, strlen(text->left));
    for (const char *line = text->text; *line != '\0'; line = next_line(line)) {
        add_line(out, line, strcspn(line, "\n"));
        if (*next_line(line) != '\0')
            harness_text_add(out, ".br\n");
    }
}

static void add_head(struct harness_text *out, const char *command, const char *summary)
{
    const char *const dash = *command != '\0' ? "-" : "";
    harness_text_format(out, ".TH picafuzz%s%s 1 \"\" \"picafuzz %s\" \"picafuzz\"\n.SH NAME\npicafuzz%s%s \\- ", dash,
                        command, PICAFUZZ_VERSION, dash, command);
    add_line(out, summary, strlen(summary));
}

static void add_program(struct harness_text *out)
{
    size_t count = 0;
    const struct cli_command *const *const commands = cli_commands(&count);
    add_head(out, "", "fuzzing and differential testing for PICA200 GPU emulation");
    harness_text_add(out,
                     ".SH SYNOPSIS\npicafuzz COMMAND [options] [files]\n.br\npicafuzz \\-\\-version\n.SH COMMANDS\n");
    for (size_t i = 0; i < count; i++) {
        harness_text_format(out, ".TP\n.BR picafuzz\\-%s (1)\n", commands[i]->name);
        add_line(out, commands[i]->summary, strlen(commands[i]->summary));
    }
    harness_text_add(out, ".SH EXIT STATUS\n0 agree or done, 1 divergence found, 2 usage or bad input, 3 a backend "
                          "crashed or hung, 4 trouble with the host (files, memory).\n");
}

void cli_manual_page(const struct cli_command *command, struct harness_text *out)
{
    static const char exits[] = "exit codes: ";
    if (command == NULL) {
        add_program(out);
        return;
    }
    add_head(out, command->name, command->summary);
    const char *const description = add_synopsis(out, command->about);
    harness_text_add(out, ".SH DESCRIPTION\n");
    add_paragraphs(out, description + strspn(description, "\n"));
    harness_text_add(out, ".SH OPTIONS\n");
    cli_manual_options(command, add_option, out);
    harness_text_add(out, ".SH EXIT STATUS\n");
    const bool named = strncmp(command->exits, exits, strlen(exits)) == 0;
    add_paragraphs(out, command->exits + (named ? strlen(exits) : 0));
    harness_text_add(out, ".SH SEE ALSO\n.BR picafuzz (1)\n");
}
