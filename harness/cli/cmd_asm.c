#include "harness/cli/cli.h"

#include "harness/case/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "picafuzz asm - assemble text into a case, the inverse of show\n"
    "\n"
    "usage: picafuzz asm [-o OUTPUT] FILE.pcase\n"
    "\n"
    "  picafuzz asm a.pcase               a.pcb beside it, the form that fuzzers mutate\n"
    "  picafuzz asm -o seed.pcb a.pcase   under another name\n"
    "  picafuzz asm -o clean.pcase a.pcb  also formats: any case, written as text\n"
    "\n"
    "Errors name the line and column and what was expected there. What the binary form cannot hold is said (more than "
    "4 MiB\n"
    "of windows, for one; docs/formats/pcb.md lists its limits); comments are dropped.\n"
    "\n"
    "  -o, --output FILE  where to; .pcb is binary, anything else text (default: the input's name with .pcb)\n"
    "\n"
    "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

static bool is_same_file(const char *a, const char *b)
{
    struct stat status_a, status_b;
    return stat(a, &status_a) == 0 && stat(b, &status_b) == 0 && status_a.st_dev == status_b.st_dev &&
           status_a.st_ino == status_b.st_ino;
}

static int command_asm(int argc, char **argv)
{
    static const struct option long_options[] = { { "output", required_argument, NULL, 'o' }, { NULL, 0, NULL, 0 } };
    const char *output = NULL;
    for (int option; (option = getopt_long(argc, argv, "o:", long_options, NULL)) != -1;) {
        if (option != 'o')
            return cli_usage("asm", "bad options");
        output = optarg;
    }
    if (optind + 1 != argc)
        return cli_usage("asm", "give one file");
    const char *const input = argv[optind];
    char name[4096];
    if (output == NULL) {
        const char *const dot = strrchr(input, '.');
        const bool text = dot != NULL && strcmp(dot, ".pcase") == 0;
        if (!text || strlen(input) >= sizeof name)
            return cli_usage("asm", "%s does not end in .pcase; say where to with -o", input);
        (void)snprintf(name, sizeof name, "%.*s.pcb", (int)(dot - input), input);
        output = name;
    }
    if (is_same_file(input, output))
        return cli_usage("asm", "%s is the input too, and would lose its comments or its form", output);
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(&error) : cli_load(input, test_case, &error);
    if (status == HARNESS_OK)
        status = harness_case_save_file(test_case, output, &error);
    harness_case_destroy(test_case);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

const struct cli_command cli_cmd_asm = { "asm", "assemble text into a case, the inverse of show", help, command_asm };
