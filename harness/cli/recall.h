/* Findings are looked at with the backends and options of the hunt that found them. */
#ifndef HARNESS_CLI_RECALL_H
#define HARNESS_CLI_RECALL_H

#include "harness/cli/cli.h"

/* A command line with the options of a hunt before its own. */
struct cli_recalled {
    char *path; /* of the hunt.json */
    char *text; /* the options, as a shell takes them */
    char *cut;  /* the same, cut into the words below */
    char **words;
    int count;
};

/*
 * Where the command compares backends, is told none, and one of the words names a hunt's directory, or something in it
 * or in one of its buckets: fills *out, whose words are then parsed instead. False: there is nothing to recall.
 */
bool cli_recall(const struct cli_command *command, int argc, char *const *argv, struct cli_recalled *out);
void cli_recalled_free(struct cli_recalled *recalled);

#endif
