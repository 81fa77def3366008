/* `picafuzz run --pixel`: the history of a pixel as text. */
#ifndef HARNESS_CLI_PIXEL_H
#define HARNESS_CLI_PIXEL_H

#include "harness/cli/cli.h"

/* The two words of X,Y as numbers. CLI_OK, or CLI_USAGE with a complaint. */
int cli_pixel_take(const char *command, const struct cli_list *words, uint32_t out[2]);

/* What is asked. Borrowed. */
struct cli_pixel {
    struct harness_runner *const *runners; /* one or two */
    const char *const *names;              /* what the text calls them */
    size_t count;
    const struct harness_program *program;
    const char *path;
    uint32_t x, y; /* RST-01 */
};

/*
 * Runs the program and prints what became of the pixel of every colour and depth buffer. `reference` in this process
 * tells of each fragment what was there before and afterwards; another backend is traced draw by draw; one that has no
 * traces shows the pixel after each operation. Of two runners the same lines stand once, others one below the other,
 * and the first difference is marked.
 */
enum harness_status cli_pixel_print(const struct cli_pixel *wanted, bool *differs, struct harness_error *error);

#endif
