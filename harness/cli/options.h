/*
 * The options of a program, each written once, as a line of a table. The table fills the program's request, checks
 * values, words the complaints, and prints the options part of --help. Underneath is getopt_long.
 *
 *     static const struct cli_option option_table[] = {
 *         { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct request, output), "FILE", "where to", NULL },
 *         { "jobs", 0, CLI_NUMBER, 1, 64, offsetof(struct request, jobs), "N", "processes", NULL },
 *     };
 *
 *       -o, --output FILE  where to
 *           --jobs N       processes (1 to 64; default 1)
 *
 * Defaults are what the request holds before. The kind says which files are read and which are written, so
 * that no output can take an input's place. Knows nothing of the harness: programs in bench/ have such tables, too.
 */
#ifndef HARNESS_CLI_OPTIONS_H
#define HARNESS_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What the target of an option is. */
enum cli_option_kind {
    CLI_FLAG,      /* bool: becomes true; takes no value */
    CLI_NUMBER,    /* uint32_t from `least` to `most` */
    CLI_LONG,      /* uint64_t from `least` to `most` */
    CLI_SECONDS,   /* struct cli_seconds: 0, or 0.001 to `most` seconds */
    CLI_TIME,      /* double: seconds, also parts of one, above 0 and up to `most` */
    CLI_TEXT,      /* const char *, no file */
    CLI_READ,      /* const char *: a file or directory that is read */
    CLI_WRITE,     /* const char *: a file that is written, or a directory into which some are */
    CLI_BACKEND,   /* const char *: a backend's name, with the file of a plug-in; "\," in it is a comma */
    CLI_LIST,      /* struct cli_list of `least` to `most` words with commas between them */
    CLI_BACKENDS,  /* the same of backends, where "\," is a comma of a path; again for more; where it takes two or more,
                    * one alone stands beside "reference" */
    CLI_EACH,      /* struct cli_list of as many words as the option is given times, `most` at most */
    CLI_EACH_READ, /* the same, and each names a file that is read, perhaps behind "NAME=" */
    CLI_CHOICE,    /* uint32_t or an enumeration: what one of `choices` means */
    CLI_SEEDS      /* struct cli_seeds: two words, the first seed and a count from `least` to `most` */
};

struct cli_seconds {
    uint32_t ms;
    bool is_given; /* not the default */
};

enum {
    CLI_LIST_MOST = 64
};

struct cli_list {
    const char *items[CLI_LIST_MOST];
    size_t count;
};

struct cli_seeds {
    uint64_t first;
    uint64_t count;
};

struct cli_choices {
    const char *names;                              /* "libfuzzer, afl" */
    bool (*value)(const char *name, uint32_t *out); /* NULL: 0 for the first name, 1 for the second, ... */
};

struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* or 0 */
    enum cli_option_kind kind;
    uint64_t least;
    uint64_t most;
    size_t target;     /* offset in the request, or in the part of it that the set is for */
    const char *value; /* what help calls it: "FILE"; NULL for flags */
    const char *help;  /* what it does; range and default are added where there are some */
    const struct cli_choices *choices;
};

/* A table for the part of a request that begins at `base`. */
struct cli_option_set {
    const struct cli_option *options;
    size_t count;
    size_t base;
};

enum {
    CLI_OPTION_SETS = 4
};

/* All options of a program. */
struct cli_options {
    const char *program; /* as messages and help call it: "picafuzz run" */
    struct cli_option_set sets[CLI_OPTION_SETS];
};

/* What cli_options_parse returns beside an index. */
enum {
    CLI_PARSE_BAD = -1, /* and has said which */
    CLI_PARSE_HELP = -2 /* --help or -h was among them */
};

/* Fills the request from the command line. Returns the index of the first word that is not an option (those are moved
 * to the end), or one of the above. Cuts lists up in place. */
int cli_options_parse(const struct cli_options *options, int argc, char **argv, void *request);

/* After parsing: was there an option of CLI_BACKENDS? */
bool cli_options_gave_backends(const struct cli_options *options, const void *request, const void *defaults);

/* Is the file among those that a program reads where it is given this directory? */
typedef bool (*cli_reads)(const char *directory, const char *file);

/* After parsing: no output may be an input (of an option or of the words that follow them), nor another output: the
 * same file, by whatever path or link. Complains, naming both, and returns CLI_PARSE_BAD; or 0. `reads` is asked of
 * directories among the words; NULL: nothing in them is read. */
int cli_options_guard(const struct cli_options *options, int word_count, char *const *words, const void *request,
                      cli_reads reads);

/* The next name of a list of backends, which is cut up in place. *rest moves behind it, NULL after the last one. A
 * comma of a path is written "\,". */
char *cli_backends_next(char **rest);

/* Is it `reference`, perhaps with sides of known choices behind a plus? */
bool cli_is_reference(const char *name);

/* One backend that is not `reference` is compared with it: puts that before a single name. */
void cli_backends_pair(struct cli_list *backends);

/* One name as it stands in such a list. */
void cli_backends_escape(const char *name, char *out, size_t size);

/* The options part of a help page. `defaults` is a request before parsing. */
void cli_options_print(const struct cli_options *options, const void *defaults, FILE *to);

/* An option as help words it, for other pages made from the same tables. */
struct cli_option_text {
    const struct cli_option *option;
    const char *left; /* "-o, --output FILE" */
    const char *text; /* what it does, its range and default; lives as long as the call */
};

/* All options in order. `defaults` is a request before parsing. */
void cli_options_each(const struct cli_options *options, const void *defaults,
                      void (*read)(void *user, const struct cli_option_text *text), void *user);

/* A help page: what it is and examples, the options, exit codes. */
void cli_page_print(const struct cli_options *options, const char *about, const char *exits, const void *defaults,
                    FILE *to);

/* A program without subcommands. */
struct cli_program {
    struct cli_options options;
    const char *about, *exits; /* of its help page */
    const void *defaults;      /* the request before; the parsed one begins as a copy */
    size_t request_size;
    int least_words, most_words; /* after the options */
};

enum {
    CLI_PROGRAM_USAGE = 2 /* exit code */
};

/* Index of the first word after the options; or -1 if nothing is left to do: *code is the exit code then. */
int cli_program_parse(const struct cli_program *program, int argc, char **argv, void *request, int *code);

/* A decimal or 0x number within the bounds; false if `text` is anything else. */
bool cli_number(const char *text, uint64_t least, uint64_t most, uint64_t *out);

/* The name that `word` may have been meant as, or NULL if none is near. */
const char *cli_nearest(const char *word, const char *const *names, size_t count);

#endif
