/* Why cases were left out, counted by reason. */
#ifndef HARNESS_CLI_REFUSALS_H
#define HARNESS_CLI_REFUSALS_H

#include <stddef.h>

enum {
    CLI_REFUSALS = 256,       /* different reasons; the last one is "another" if there are more */
    CLI_REFUSAL_TEXT = 256,   /* bytes */
    CLI_REFUSALS_PRINTED = 12 /* unless all are asked for */
};

/* Begins with zeros. */
struct cli_refusals {
    struct cli_refusal {
        char text[CLI_REFUSAL_TEXT];
        size_t count;
    } items[CLI_REFUSALS];
    size_t count, total;
};

/* Counts a case by this reason, which is cut to CLI_REFUSAL_TEXT. */
void cli_refusals_count(struct cli_refusals *refusals, const char *reason);

/* Counts a case that cannot be exported by its first reason, without numbers of operations and addresses. */
void cli_refusals_add(struct cli_refusals *refusals, const char *reasons);

/* "592 cannot be exported:" and a line for each reason, the most frequent first; nothing if there are none. */
void cli_refusals_print(struct cli_refusals *refusals, size_t most);

#endif
