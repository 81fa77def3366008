/* What the subcommands of `picafuzz` share: exit codes, common options, opening cases. Of all rooms of harness/ only
 * this one prints. */
#ifndef HARNESS_CLI_H
#define HARNESS_CLI_H

#include "harness/case/case.h"
#include "harness/case/error.h"
#include "harness/case/text.h"
#include "harness/cli/choices.h"
#include "harness/cli/print.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/outcome.h"
#include "harness/run/runner.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum cli_exit {
    CLI_OK = HARNESS_EXIT_OK,             /* agree, done */
    CLI_DIVERGED = HARNESS_EXIT_DIVERGED, /* a divergence or a failing case was found */
    CLI_USAGE = HARNESS_EXIT_USAGE,       /* usage or bad input, or nothing was compared */
    CLI_CRASHED = HARNESS_EXIT_CRASH,     /* a backend crashed or hung */
    CLI_HOST = HARNESS_EXIT_HOST          /* host trouble: files, memory; or a backend failed */
};

struct cli_command {
    const char *name;
    const char *summary; /* one line */
    const char *about;   /* the page of --help, by example, down to the options */
    const char *exits;   /* the rest of it: exit codes */
    struct cli_option_set options[CLI_OPTION_SETS];
    const void *defaults; /* of the command's request, which begins as a copy of it */
    size_t request_size;
    int (*run)(void *request, int count, char **files); /* files: what is left of the command line; an exit code */
};

/* The members of a command in its own file, where they are called about, exits, defaults, and option_table. */
#define CLI_COMMAND(word, function, line)                                                 \
    .name = word, .summary = line, .about = about, .exits = exits, .defaults = &defaults, \
    .request_size = sizeof defaults, .run = function
#define CLI_OWN_OPTIONS                                               \
    {                                                                 \
        option_table, sizeof option_table / sizeof option_table[0], 0 \
    }

extern const struct cli_command cli_cmd_run, cli_cmd_diff, cli_cmd_check, cli_cmd_show, cli_cmd_asm, cli_cmd_import,
    cli_cmd_fuzz, cli_cmd_backends, cli_cmd_report, cli_cmd_generate, cli_cmd_mutate, cli_cmd_reduce, cli_cmd_triage,
    cli_cmd_coverage, cli_cmd_fingerprint, cli_cmd_export, cli_cmd_import_results, cli_cmd_manual, cli_cmd_regress,
    cli_cmd_score, cli_cmd_emulate, cli_cmd_init, cli_cmd_explore, cli_cmd_shader;

/* All of them, in the order of `picafuzz --help`. */
const struct cli_command *const *cli_commands(size_t *count);

/* NULL: there is none of that name. */
const struct cli_command *cli_find_command(const char *name);

/* "picafuzz: MESSAGE" on stderr; returns the exit code that fits the status. */
int cli_fail(enum harness_status status, const struct harness_error *error);

/* Says how many files were left out, and why the first of them was; returns CLI_USAGE, or CLI_OK if none was. */
int cli_left_out(size_t count, const char *why);

/* "picafuzz COMMAND: OPTION: 'WORD' is not one of A, B, C" on stderr; returns CLI_USAGE. `name_of` gives the names,
 * NULL beyond the last. */
int cli_not_one_of(const char *command, const char *option, const char *word, const char *(*name_of)(uint32_t index));

/* One line on stdout, valid UTF-8 whatever bytes names have; deletes the object. */
struct cJSON;
void cli_print_json(struct cJSON *object);

/* CLI_OK; or of an index (triage.json) that is damaged, CLI_HOST, after saying so on stderr, and that it was kept. */
int cli_damaged_index(bool is_damaged, const char *path);

/* "picafuzz COMMAND: MESSAGE" plus a hint at --help on stderr; returns CLI_USAGE. */
int cli_usage(const char *command, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* From now on Ctrl-C and SIGTERM do no more than cli_is_interrupted says. */
void cli_catch_interrupts(void);
bool cli_is_interrupted(void);

/* "1 case", "2 cases": the word for a count. */
const char *cli_word(uint64_t count, const char *one, const char *more);

/* The worse of two exit codes: crash over host trouble over bad input over divergence over ok. */
int cli_worse(int a, int b);

enum {
    CLI_SCREEN = 40 /* files: of more of them those that agree get a line only with --verbose */
};

struct cli_quirks;

/* Options of every command that runs backends. */
struct cli_run_options {
    struct cli_list backends;
    struct cli_list only, ignore; /* empty: everything is compared */
    const char *quirks_path;      /* NULL: none */
    struct cli_list force;        /* statements of the command line */
    struct cli_quirks *quirks;    /* what cli_quirks_open made of the two; NULL: neither was given */
    const char *shard_text;       /* as given; NULL: everything */
    uint64_t shard, shards;       /* from 0; 1: no shards */
    struct cli_seconds seconds;   /* begin no case later; 0: as long as it takes */
    double deadline;              /* of those: harness_seconds_now */
    uint32_t threads;             /* given to every backend */
    uint32_t instruction_sets;    /* of `fast` */
    uint32_t capacity;            /* given to every backend; 0: as it likes */
    uint32_t fresh;               /* another process after so many cases; 0: as the backend declares */
    uint32_t memory;              /* MiB of a plug-in's process; 0: HARNESS_MEMORY_MIB */
    bool hosts;                   /* workers run a plug-in in themselves: a process of its own would be one more */
    struct cli_seconds timeout;   /* for each case, 0 = none; if given, one call may take nearly all of it */
};

/* What they begin with in a command that runs `number` backends, which follow. */
#define CLI_RUN_DEFAULTS(number, ...)                                                                                  \
    {                                                                                                                  \
        .backends = { { __VA_ARGS__ }, number }, .instruction_sets = UINT32_MAX, .timeout = { HARNESS_HANG_MS, false } \
    }

/* The rows for them, except for the backends. */
enum {
    CLI_RUN_OPTIONS = 6 /* --threads, --isa, --capacity, --fresh-every, --memory-limit, --timeout */
};
extern const struct cli_option cli_run_option_table[CLI_RUN_OPTIONS];

/* The two sets of a command whose request has such options as a member; the third is for --shard and --seconds. */
#define CLI_RUN_SETS(request, member)                                               \
    { cli_run_option_table, CLI_RUN_OPTIONS, offsetof(struct request, member) },    \
    {                                                                               \
        cli_scope_option_table, CLI_SCOPE_OPTIONS, offsetof(struct request, member) \
    }

/* What backends are created with. */
struct pica_options cli_backend_options(const struct cli_run_options *options);

/* --only, --ignore, --quirks and --force, for the same struct. */
enum {
    CLI_SCOPE_OPTIONS_PARTS = 2, /* --only, --ignore; the others after them */
    CLI_SCOPE_OPTIONS = 4
};
extern const struct cli_option cli_scope_option_table[CLI_SCOPE_OPTIONS];

/* Complains of --only and --ignore with names that do not exist, or where all backends are ours. CLI_OK or
 * CLI_USAGE. */
int cli_scope_check(const char *command, const struct cli_run_options *options);

/* Are the backends "reference,fast", as many commands begin? */
bool cli_are_linked_two(const struct cli_list *backends);

/* Is there a backend that is not ours? */
bool cli_has_stranger(const struct cli_run_options *options);

/* For an opened backend: what is left out does not count in its results. */
void cli_scope_apply(const struct cli_run_options *options, struct harness_backend *backend);

/* Appends the options as a user gives them, so that a command that is shown does what was done: "-b reference,./a.so
 * --quirks my.quirks "; each with a space after it. */
void cli_options_text(const struct cli_run_options *options, struct harness_text *out);

/* Appends what --only, --ignore and --quirks leave out: results that are remembered must not be believed under other
 * options. Nothing if all counts. */
void cli_scope_text(const struct cli_run_options *options, struct harness_text *out);

/* "0x18000000+0x4000": an address and 1 to `most` bytes. False if `text` is anything else. */
bool cli_range(const char *text, uint32_t most, struct pica_window *out);

/* --areas of generated cases. CLI_OK, or CLI_USAGE with a complaint. */
int cli_areas(const char *command, const struct cli_list *names, struct harness_generate_options *out);

/* Paths to run: files as they are, directories by the case files below them, sorted by path. */
struct cli_paths {
    char **items;
    size_t count;
};

/*
 * Adds a path of the command line. A directory adds every case file below it, sorted by path; one without any is
 * CLI_USAGE. A CASE.pcb beside a CASE.pcase in it is left out: in a directory of findings that is the same finding
 * before it was reduced. A file that is plainly documentation (.md .txt .png .html) is skipped with a line on stderr,
 * so that `corpus/captures/` followed by a star works.
 */
int cli_paths_add(struct cli_paths *paths, const char *path);
int cli_paths_add_all(struct cli_paths *paths, char *const *names, int count);
void cli_paths_free(struct cli_paths *paths);

/* Does it end in .pcase, .pcb, .picacap or .ctf? */
bool cli_has_case_extension(const char *path);

/* Is the file a case below the directory, or the index of its findings? For cli_options_guard. */
bool cli_reads_file(const char *directory, const char *file);

/* Loads any kind of case file, ready to run (captures get their windows by CAP-13). Prints warnings to stderr. `out`
 * may be NULL, as harness_case_create leaves it without memory: HARNESS_NO_MEMORY. */
enum harness_status cli_load(const char *path, struct harness_case *out, struct harness_error *error);

/* What a file is by its first bytes: "a picture (PNG)", "a compiled shader (DVLB), ..."; NULL: they say nothing. */
const char *cli_marked_kind(const uint8_t *bytes, size_t size);

/* For commands that do not load by cli_load: CLI_OK, or CLI_USAGE after a complaint of each file that is plainly no
 * case. */
int cli_paths_check(const struct cli_paths *paths);

/* A shader: compiled (DVLB), assembly, or words of code if it `is_raw`, to which `descriptors` (a file; or NULL) gives
 * the operand descriptors. `out` must be zero, and is to be freed in any case. */
struct harness_shader_file;
enum harness_status cli_shader_load(const char *path, const char *descriptors, bool is_raw,
                                    struct harness_shader_file *out, struct harness_error *error);

/* Says on standard error if an instruction names an operand descriptor that the file lacks. */
void cli_shader_warn(const char *path, const struct harness_shader_file *file);

/* A case and what it is lowered to. Begins with zeros. */
struct cli_case {
    struct harness_case *test_case;
    struct harness_program *program; /* borrows from test_case */
};

/* Makes what it does not have yet. */
enum harness_status cli_case_create(struct cli_case *out, struct harness_error *error);
void cli_case_destroy(struct cli_case *test_case); /* also after a create that failed */

/* cli_case_create, cli_load, then harness_case_setup. */
enum harness_status cli_case_load(struct cli_case *out, const char *path, struct harness_error *error);

/* Opened backends with a runner each; plug-ins in processes of their own, whatever their names say. */
struct cli_session {
    struct harness_backend backends[HARNESS_MOST_BACKENDS];
    struct harness_runner *runners[HARNESS_MOST_BACKENDS];
    size_t count;
};

/* Applies --fresh-every and --memory-limit to a backend in a process of its own; the latter also to a plug-in that a
 * worker hosts. */
void cli_limit_process(struct harness_backend *backend, const struct cli_run_options *options);

/* Opens one, and sets its limits and what counts of its results. A call may take hang_ms of processor time; 0: what a
 * case has (HARNESS_HANG_MS, unless the user says otherwise), and by the clock eight times that. */
enum harness_status cli_backend_open(const struct cli_run_options *options, const char *name, unsigned hang_ms,
                                     struct harness_backend *out, struct harness_error *error);

/* The same for all of the options. `shown`: plug-ins in processes of their own, whatever their names say. CLI_OK, or an
 * exit code after a complaint, also where nothing is left to compare. cli_backends_close in any case. */
int cli_backends_open(const struct cli_run_options *options, bool shown, unsigned hang_ms,
                      struct harness_backend *backends, size_t *count);
void cli_backends_close(struct harness_backend *backends, size_t count);

/* A runner on an opened backend, with what counts of its results. `name`: what messages call it. */
enum harness_status cli_runner_create(const struct cli_run_options *options, const char *name,
                                      const struct harness_backend *backend, struct harness_runner **out,
                                      struct harness_error *error);

int cli_session_open(struct cli_session *session, const struct cli_run_options *options);

/* Where its names go: by those that backends give themselves, or where two give the same, by the user's. */
void cli_session_names(const struct cli_session *session, const struct cli_run_options *options, const char **out);

/* Is anything compared between the first backend and each other one, or of a single one? Complains if not. */
int cli_compares_something(const struct harness_backend *backends, size_t count);

/* CLI_OK, or CLI_CRASHED, and a line on stderr, if a backend in a process of its own died in destroy or at unloading:
 * results taken before count all the same. */
int cli_session_close(struct cli_session *session);

/* Bytes of a path before its extension; all of it if it has none. */
size_t cli_without_extension(const char *path);

/* Name of a file without its directories and extension, at most size - 1 characters. */
void cli_stem(const char *path, char *out, size_t size);

/* Do both paths lead to one file that exists? */
bool cli_is_same_file(const char *a, const char *b);

/* Creates a directory and those above it; an existing one is fine. */
enum harness_status cli_make_directory(const char *path, struct harness_error *error);

/* DIRECTORY/NAME.pcase: where the case goes, and the directories that its name names are made. */
enum harness_status cli_case_path(const char *directory, const char *name, char *out, size_t size,
                                  struct harness_error *error);

#endif
