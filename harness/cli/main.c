/* picafuzz: the one program. Finds the subcommand and hands over. */
#include "harness/cli/cli.h"

#include "harness/cli/recall.h"

#include <picafuzz_version.h> /* made at each build */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_command *const commands[] = {
    &cli_cmd_fuzz,        &cli_cmd_run,      &cli_cmd_diff,     &cli_cmd_check,          &cli_cmd_reduce,
    &cli_cmd_triage,      &cli_cmd_report,   &cli_cmd_regress,  &cli_cmd_show,           &cli_cmd_asm,
    &cli_cmd_import,      &cli_cmd_coverage, &cli_cmd_generate, &cli_cmd_mutate,         &cli_cmd_backends,
    &cli_cmd_fingerprint, &cli_cmd_score,    &cli_cmd_export,   &cli_cmd_import_results, &cli_cmd_manual,
    &cli_cmd_init,        &cli_cmd_explore,
};
static const size_t command_count = sizeof commands / sizeof commands[0];

const struct cli_command *const *cli_commands(size_t *count)
{
    *count = command_count;
    return commands;
}

static void print_help(FILE *to)
{
    fprintf(to, "picafuzz - fuzzing and differential testing for PICA200 GPU emulation\n\n"
                "usage: picafuzz COMMAND [options] [files]\n\ncommands:\n");
    for (size_t i = 0; i < command_count; i++)
        fprintf(to, "  %-14s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(to, "\n`picafuzz COMMAND --help` shows a command by example.\n"
                "Cases are files of these kinds: .pcase (text), .pcb (binary, what fuzzers mutate), .picacap and .ctf\n"
                "(captures). Backends are reference, fast, and paths of plug-ins; a comma in such a path is \\,\n"
                "(`picafuzz backends --help`).\n\n"
                "exit codes: 0 agree or done, 1 divergence found, 2 usage or bad input, 3 a backend crashed or hung,\n"
                "            4 trouble with the host (files, memory)\n");
}

static void print_version(void)
{
    printf("picafuzz " PICAFUZZ_VERSION "\ncommit " PICAFUZZ_COMMIT "\nbuilt with " PICAFUZZ_COMPILER
           ", " PICAFUZZ_BUILD "\ninstruction sets of `fast` here: %s\n",
           harness_host_instruction_sets());
}

/* Output that went nowhere (a full disk, say) is a failure, whatever the command thought. */
static int finish(int code)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return code;
    fprintf(stderr, "picafuzz: standard output: cannot be written\n");
    return CLI_HOST;
}

static const struct cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    return NULL;
}

static bool asks_for_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

/* argv[0] is the command's name. */
static int run_line(const struct cli_command *command, int argc, char **argv)
{
    char program[32];
    (void)snprintf(program, sizeof program, "picafuzz %s", command->name);
    struct cli_options options = { .program = program };
    memcpy(options.sets, command->options, sizeof options.sets);
    struct harness_error error = { "" };
    void *const request = malloc(command->request_size + 1);
    if (request == NULL)
        return cli_fail(harness_fail_memory(&error), &error);
    if (command->request_size != 0)
        memcpy(request, command->defaults, command->request_size);
    const int first = cli_options_parse(&options, argc, argv, request);
    int code = first == CLI_PARSE_HELP ? CLI_OK : CLI_USAGE;
    if (first == CLI_PARSE_HELP)
        cli_page_print(&options, command->about, command->exits, command->defaults, stdout);
    else if (first != CLI_PARSE_BAD &&
             cli_options_guard(&options, argc - first, argv + first, request, cli_reads_file) == 0)
        code = command->run(request, argc - first, argv + first);
    free(request);
    return code;
}

/* The same; findings of a hunt are looked at as it found them. */
static int run_command(const struct cli_command *command, int argc, char **argv)
{
    struct cli_recalled recalled;
    if (!cli_recall(command, argc, argv, &recalled))
        return run_line(command, argc, argv);
    cli_print(stderr, "picafuzz: with the options of the hunt there (%s): %s\n", recalled.path, recalled.text);
    const int code = run_line(command, recalled.count, recalled.words);
    cli_recalled_free(&recalled);
    return code;
}

static int complain_of_command(const char *name)
{
    const char *names[sizeof commands / sizeof commands[0]];
    for (size_t i = 0; i < command_count; i++)
        names[i] = commands[i]->name;
    const char *const near = cli_nearest(name, names, command_count);
    cli_print(stderr, "picafuzz: unknown command '%s'%s%s%s; `picafuzz --help` lists them\n", name,
              near != NULL ? ", did you mean " : "", near != NULL ? near : "", near != NULL ? "?" : "");
    return CLI_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    const bool help = asks_for_help(argv[1]) || strcmp(argv[1], "help") == 0;
    if (help && argc == 2) {
        print_help(stdout);
        return finish(CLI_OK);
    }
    if (strcmp(argv[1], "--version") == 0) {
        print_version();
        return finish(CLI_OK);
    }
    const struct cli_command *const command = find_command(argv[help ? 2 : 1]);
    if (command == NULL)
        return complain_of_command(argv[help ? 2 : 1]);
    static char *ask[] = { "help", "--help", NULL };
    return finish(help ? run_command(command, 2, ask) : run_command(command, argc - 1, argv + 1));
}
