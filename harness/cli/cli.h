/* What the subcommands of `picafuzz` share: exit codes, common options, opening cases, guarded work. Of all rooms of
 * harness/ only this one prints. */
#ifndef HARNESS_CLI_H
#define HARNESS_CLI_H

#include "harness/case/case.h"
#include "harness/case/error.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

enum cli_exit {
    CLI_OK = 0,       /* agree, done */
    CLI_DIVERGED = 1, /* a divergence or a failing case was found */
    CLI_USAGE = 2,    /* usage or bad input */
    CLI_CRASHED = 3,  /* a backend crashed or hung */
    CLI_HOST = 4      /* host trouble: files, memory */
};

struct cli_command {
    const char *name;
    const char *summary; /* one line */
    const char *help;    /* the whole page of --help, by example */
    int (*run)(int argc, char **argv);
};

extern const struct cli_command cli_cmd_run, cli_cmd_diff, cli_cmd_check, cli_cmd_show, cli_cmd_asm, cli_cmd_import,
    cli_cmd_fuzz, cli_cmd_backends, cli_cmd_report, cli_cmd_generate, cli_cmd_mutate, cli_cmd_reduce, cli_cmd_triage,
    cli_cmd_coverage;

/* "picafuzz: MESSAGE" on stderr; returns the exit code that fits the status. */
int cli_fail(enum harness_status status, const struct harness_error *error);

/* Says that so many files were left out, and why the first of them was; returns CLI_USAGE, or CLI_OK if none was. */
int cli_left_out(size_t count, const char *why);

/* "picafuzz COMMAND: MESSAGE" plus a hint at --help on stderr; returns CLI_USAGE. */
int cli_usage(const char *command, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The worse of two exit codes: crash over host trouble over bad input over divergence over ok. */
int cli_worse(int a, int b);

/* A decimal or 0x number within the bounds; false if `text` is anything else. */
bool cli_number(const char *text, unsigned long least, unsigned long most, unsigned long *out);

/* Options of every command that runs backends. */
struct cli_run_options {
    const char *backends[8];
    size_t backend_count;
    unsigned threads;          /* --threads, given to every backend */
    uint32_t instruction_sets; /* --isa */
    unsigned timeout;          /* seconds a case, 0 = none */
    bool timeout_is_given;     /* by --timeout: then one call of a case may take it all */
};

/* Numbers of the long options that every such command has: "isa", "threads", "timeout". */
enum {
    CLI_OPTION_ISA = 512,
    CLI_OPTION_THREADS,
    CLI_OPTION_TIMEOUT
};

/* Takes one of those; CLI_USAGE, with a message, for a bad value and for any other option. */
int cli_run_option(const char *command, int option, const char *value, struct cli_run_options *options);

/* Splits a comma-separated list of backend names in place. False if there are more than eight. */
bool cli_backend_list(char *text, struct cli_run_options *options);

/* Paths to run: files as they are, directories by the case files below them, sorted by path. */
struct cli_paths {
    char **items;
    size_t count;
    size_t capacity;
};

/*
 * Adds a path of the command line. A directory adds every case file below it, sorted by path; one without any is
 * CLI_USAGE. A file that is plainly documentation (.md .txt .png .html) is skipped with a line on stderr, so that
 * `corpus/captures/` followed by a star works.
 */
int cli_paths_add(struct cli_paths *paths, const char *path);
void cli_paths_free(struct cli_paths *paths);

/* Takes out each CASE.pcb beside which CASE.pcase stands in the list: in a directory of findings it is the same finding
 * before it was reduced. */
void cli_paths_drop_originals(struct cli_paths *paths);

/* Loads any kind of case file, ready to run (captures get their windows by CAP-13). Prints warnings to stderr. */
enum harness_status cli_load(const char *path, struct harness_case *out, struct harness_error *error);

/* A case and what it is lowered to, for the guarded child of a command. Start from zeroes. */
struct cli_case {
    struct harness_case *test_case;
    struct harness_program *program; /* borrows from test_case */
};

enum harness_status cli_case_create(struct cli_case *out, struct harness_error *error);
void cli_case_destroy(struct cli_case *test_case); /* also after a create that failed */

/* cli_load, then harness_case_setup; says so to cli_doing, should the importer's run of a capture die. */
enum harness_status cli_case_load(struct cli_case *out, const char *path, struct harness_error *error);

/* Opened backends with a runner each. */
struct cli_session {
    struct harness_backend backends[8];
    struct harness_runner *runners[8];
    size_t count;
};

/* What a call of a backend in a process of its own may take: the time of the case, by the clock, and where the user
 * has not said how long that is, ten seconds of processor time. */
void cli_limit_calls(struct harness_backend *backend, const struct cli_run_options *options);

int cli_session_open(struct cli_session *session, const struct cli_run_options *options);
void cli_session_close(struct cli_session *session);

/*
 * Runs work(argument) in a child process and waits: a crash of a plug-in, or a hang, ends the child only. Returns the
 * child's exit code; CLI_CRASHED (with a line on stderr that names `what` and what cli_doing said last) if a signal or
 * the
 * timeout ended it.
 */
int cli_guard(const char *what, unsigned timeout, int (*work)(const void *argument), const void *argument);

/* What the guarded child is doing now, for the message if it dies. */
void cli_doing(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* Name of a file without its directories and extension, at most size - 1 characters. */
void cli_stem(const char *path, char *out, size_t size);

/* Creates a directory and those above it; an existing one is fine. */
enum harness_status cli_make_directory(const char *path, struct harness_error *error);

#endif
