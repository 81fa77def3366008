/* `picafuzz run --pixel`: the history of a pixel as text. */
#ifndef HARNESS_CLI_PIXEL_H
#define HARNESS_CLI_PIXEL_H

#include "harness/cli/cli.h"

/* The two words of X,Y as numbers. CLI_OK, or CLI_USAGE with a complaint. */
int cli_pixel_take(const char *command, const struct cli_list *words, uint32_t out[2]);

/*
 * Runs the program and prints what became of the pixel (x, y), RST-01, of every colour and depth buffer. `reference` in
 * this process tells of each fragment what was there before and afterwards, in one run; another backend is traced draw
 * by draw; one that has no traces shows the pixel after each operation.
 */
enum harness_status cli_pixel_print(struct harness_runner *runner, const struct harness_program *program,
                                    const char *path, const uint32_t pixel[2], struct harness_error *error);

#endif
