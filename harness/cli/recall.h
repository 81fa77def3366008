/* Findings are looked at with the backends and options of the hunt that found them. */
#ifndef HARNESS_CLI_RECALL_H
#define HARNESS_CLI_RECALL_H

#include "harness/cli/cli.h"

struct cli_recalled {
    char *path;       /* of the hunt.json */
    char *text;       /* the options, as a shell takes them */
    bool differs;     /* another of the files is of a hunt with other options: they cannot be looked at together */
    char *started_in; /* directory that paths among them are relative to; NULL: where this process is */
    char *cut;        /* private: the same as text, cut into the words below; ... */
    char *meant[2];   /* ... and those of them that hold paths */
    char **words;
};

/*
 * For a command that compares backends and was told none: is one of the files a hunt's directory, or something in it or
 * in one of its buckets? Then fills *out, to be freed by cli_recalled_free. False: there is nothing to recall.
 */
bool cli_recall(const struct cli_command *command, int count, char *const *files, struct cli_recalled *out);

/* A command line with the options that were recalled before its own: *count words, which *recalled owns. NULL without
 * memory. */
char **cli_recalled_words(struct cli_recalled *recalled, int argc, char *const *argv, int *count);
void cli_recalled_free(struct cli_recalled *recalled);

#endif
