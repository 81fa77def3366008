/* The pages and completions that come out of the program, read by what users read them with. */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct command_result result;

static void expect_words(const char *words)
{
    cr_expect_not_null(strstr(result.output, words), "no '%s' in: %s", words, result.output);
}

Test(manual, a_page_has_the_parts_of_a_page_and_no_line_that_roff_takes_for_an_order)
{
    run_picafuzz(&result, "", "manual diff");
    cr_assert_eq(result.exit_code, 0);
    static const char *const parts[] = { ".TH picafuzz-diff 1",
                                         ".SH NAME\npicafuzz-diff \\- run cases on",
                                         ".SH SYNOPSIS\npicafuzz diff [options]",
                                         ".SH DESCRIPTION",
                                         ".EX\n",
                                         ".SH OPTIONS\n.TP\n\\-b, \\-\\-backends A,B",
                                         ".SH EXIT STATUS\n0 " };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        expect_words(parts[i]);
    cr_expect_null(strstr(result.output, "\n'"), "a line begins with what roff takes for an order");
}

Test(manual, each_command_and_the_program_has_a_page_and_each_shell_a_file)
{
    char directory[4096], line[8192];
    fresh_directory(directory, sizeof directory, "manual");
    (void)snprintf(line, sizeof line, "manual -o %s", directory);
    run_picafuzz(&result, "", line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
    (void)snprintf(line, sizeof line,
                   "--help | sed -n 's/^  \\([a-z][a-z-]*\\)  *[a-z].*/\\1/p' | while read -r name; do "
                   "test -s %s/man/man1/picafuzz-$name.1 || echo \"no page: $name\"; done",
                   directory);
    run_picafuzz(&result, "", line);
    cr_expect_str_eq(result.output, "");
    (void)snprintf(line, sizeof line,
                   "cd %s && test -s man/man1/picafuzz.1 && test -s zsh/vendor-completions/_picafuzz && "
                   "test -s fish/vendor_completions.d/picafuzz.fish && bash -n bash-completion/completions/picafuzz",
                   directory);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0);
}

/* What bash offers for the last of the words. */
static void complete(const char *words)
{
    char line[8192];
    (void)snprintf(
        line, sizeof line,
        "manual --completion bash >\"$BASH_ENV_FILE\" && bash -c '. \"$BASH_ENV_FILE\"; COMP_WORDS=(picafuzz %s); "
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _picafuzz; echo \"${COMPREPLY[*]}\"'",
        words);
    char directory[4096], environment[4200];
    fresh_directory(directory, sizeof directory, "completion");
    (void)snprintf(environment, sizeof environment, "export BASH_ENV_FILE=%s/picafuzz;", directory);
    run_picafuzz(&result, environment, line);
}

Test(manual, bash_completes_commands_options_and_values)
{
    complete("finger");
    cr_expect_str_eq(result.output, "fingerprint\n");
    complete("diff --buc");
    cr_expect_str_eq(result.output, "--buckets\n");
    complete("diff --isa ne");
    cr_expect_str_eq(result.output, "neon\n");
    complete("diff corpus");
    cr_expect_str_eq(result.output, "\n", "file names are the shell's");
}

Test(manual, there_is_one_thing_at_a_time)
{
    run_picafuzz(&result, "", "manual nothing");
    cr_expect_eq(result.exit_code, 2);
    expect_words("there is no command 'nothing'");
    run_picafuzz(&result, "", "manual diff --completion bash");
    cr_expect_eq(result.exit_code, 2);
    expect_words("one of them");
}

Test(manual, the_version_says_what_was_built_from_what_and_how)
{
    run_picafuzz(&result, "", "--version");
    cr_expect_eq(result.exit_code, 0);
    cr_expect_eq(strncmp(result.output, "picafuzz ", strlen("picafuzz ")), 0);
    expect_words("\ncommit ");
    expect_words("\nbuilt with ");
    expect_words("\ninstruction sets of `fast` here: scalar");
}
