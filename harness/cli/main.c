/* picafuzz: the one program. Finds the subcommand and hands over. */
#include "harness/cli/cli.h"

#include "harness/cli/recall.h"
#include "harness/run/child.h"

#include <fcntl.h>
#include <picafuzz_version.h> /* made at each build */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order of help, which puts a title above the first of each group. */
static const struct cli_command *const commands[] = {
    &cli_cmd_diff,     &cli_cmd_check,  &cli_cmd_fingerprint,    &cli_cmd_score,  &cli_cmd_regress,
    &cli_cmd_backends, &cli_cmd_fuzz,   &cli_cmd_generate,       &cli_cmd_mutate, &cli_cmd_coverage,
    &cli_cmd_reduce,   &cli_cmd_triage, &cli_cmd_report,         &cli_cmd_show,   &cli_cmd_asm,
    &cli_cmd_shader,   &cli_cmd_run,    &cli_cmd_explore,        &cli_cmd_init,   &cli_cmd_import,
    &cli_cmd_emulate,  &cli_cmd_export, &cli_cmd_import_results, &cli_cmd_manual,
};
static const struct {
    const struct cli_command *first;
    const char *title;
} groups[] = {
    { &cli_cmd_diff, "compare backends" },
    { &cli_cmd_fuzz, "search for new faults" },
    { &cli_cmd_reduce, "work on findings" },
    { &cli_cmd_show, "look into a case" },
    { &cli_cmd_init, "emulators, captures, consoles, the manual" },
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
    for (size_t i = 0, group = 0; i < command_count; i++) {
        if (group < sizeof groups / sizeof groups[0] && commands[i] == groups[group].first)
            fprintf(to, "\n%s\n", groups[group++].title);
        fprintf(to, "  %-14s %s\n", commands[i]->name, commands[i]->summary);
    }
    fprintf(to, "\n`picafuzz COMMAND --help` explains a command by examples.\n"
                "Cases are files of these kinds: .pcase (text), .pcb (binary, what fuzzers mutate), .picacap and .ctf\n"
                "(captures). Backends are reference, fast, and paths of plug-ins; a comma in such a path is \\,\n"
                "(`picafuzz backends --help`).\n\n"
                "exit codes: 0 agree or done, 1 divergence found, 2 usage or bad input (also a file that\n"
                "            is not there), 3 a backend crashed or hung, 4 trouble with the host (files, memory)\n");
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

const struct cli_command *cli_find_command(const char *name)
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

/* The command line that is run. */
struct line {
    const struct cli_command *command;
    struct cli_options options;
    void *request;
    char **copy; /* of its words, which parsing cuts up */
    int first;   /* index of the first word behind the options, or one of CLI_PARSE_* */
};

static void parse(struct line *line, int argc, char **argv)
{
    if (line->command->request_size != 0)
        memcpy(line->request, line->command->defaults, line->command->request_size);
    line->first = cli_options_parse(&line->options, argc, argv, line->request);
}

/* A copy in one allocation; NULL without memory. */
static char **copy_words(int argc, char *const *argv)
{
    size_t size = (size_t)(argc + 1) * sizeof(char *);
    for (int i = 0; i < argc; i++)
        size += strlen(argv[i]) + 1;
    char **const copy = calloc(1, size);
    char *to = copy != NULL ? (char *)(copy + argc + 1) : NULL;
    for (int i = 0; i < argc && copy != NULL; i++) {
        copy[i] = to;
        to = stpcpy(to, argv[i]) + 1;
    }
    return copy;
}

/* If the files are findings of a hunt, and the line names no backends, the options of the hunt are put before its
 * own. */
static void parse_recalled(struct line *line, struct cli_recalled *recalled, int *argc, char ***argv)
{
    if (line->first < 0 || cli_options_gave_backends(&line->options, line->request, line->command->defaults) ||
        !cli_recall(line->command, *argc - line->first, *argv + line->first, recalled))
        return;
    if (recalled->differs) {
        cli_print(stderr, "picafuzz: the files are of hunts with different options: give -b, or look at each hunt's by "
                          "themselves\n");
        line->first = CLI_PARSE_BAD;
        return;
    }
    const size_t length = strlen(recalled->text); /* it ends with a space, so that a file may follow */
    cli_print(stderr, "picafuzz: with the options of the hunt there (%s): %.*s\n", recalled->path,
              (int)(length != 0 ? length - 1 : 0), recalled->text);
    char **const words = cli_recalled_words(recalled, *argc, line->copy, argc);
    if (words == NULL) {
        cli_print(stderr, "picafuzz: out of memory\n");
        line->first = CLI_PARSE_BAD;
        return;
    }
    *argv = words;
    parse(line, *argc, *argv);
    if (line->first == CLI_PARSE_BAD)
        cli_print(stderr, "picafuzz: the hunt was of other backends than this command takes: give it -b\n");
}

static int run_parsed(struct line *line, int argc, char **argv)
{
    const struct cli_command *const command = line->command;
    struct cli_recalled recalled = { .text = NULL };
    parse(line, argc, argv);
    parse_recalled(line, &recalled, &argc, &argv);
    const int first = line->first;
    int code = first == CLI_PARSE_HELP ? CLI_OK : CLI_USAGE;
    if (first == CLI_PARSE_HELP)
        cli_page_print(&line->options, command->about, command->exits, command->defaults, stdout);
    else if (first != CLI_PARSE_BAD &&
             cli_options_guard(&line->options, argc - first, argv + first, line->request, cli_reads_file) == 0)
        code = command->run(line->request, argc - first, argv + first);
    cli_recalled_free(&recalled);
    return code;
}

/* argv[0] is the command's name. */
static int run_command(const struct cli_command *command, int argc, char **argv)
{
    char program[32];
    (void)snprintf(program, sizeof program, "picafuzz %s", command->name);
    struct line line = { .command = command, .options = { .program = program } };
    memcpy(line.options.sets, command->options, sizeof line.options.sets);
    struct harness_error error = { "" };
    line.request = malloc(command->request_size + 1);
    line.copy = copy_words(argc, argv);
    const int code = line.request != NULL && line.copy != NULL ? run_parsed(&line, argc, argv)
                                                               : cli_fail(harness_fail_memory(&error), &error);
    free(line.copy);
    free(line.request);
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

static void end_by_signal(int number)
{
    harness_child_end_all();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* Processes that a plug-in starts, in whatever session, end with the command, also when a signal ends it. */
static int run_and_end_all(const struct cli_command *command, int argc, char **argv)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
    const bool is_alone = harness_child_adopt();
    for (size_t i = 0; i < sizeof ends / sizeof ends[0] && is_alone; i++)
        if (signal(ends[i], end_by_signal) == SIG_IGN)
            (void)signal(ends[i], SIG_IGN);
    const int code = run_command(command, argc, argv);
    if (is_alone)
        harness_child_end_all();
    return code;
}

/* Where the caller closed 0, 1 or 2, the next file that is opened would get that number, and what is printed would go
 * into it. So /dev/null takes the number, opened the wrong way round: it stays of no use. */
static void fill_standard(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0)
            (void)open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* the lowest that is free */
}

int main(int argc, char **argv)
{
    fill_standard();
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
    const struct cli_command *const command = cli_find_command(argv[help ? 2 : 1]);
    if (command == NULL)
        return complain_of_command(argv[help ? 2 : 1]);
    (void)signal(SIGXFSZ, SIG_IGN); /* a write beyond the size limit fails with a message, in an engine, too */
    static char *ask[] = { "help", "--help", NULL };
    return finish(help ? run_command(command, 2, ask) : run_and_end_all(command, argc - 1, argv + 1));
}
