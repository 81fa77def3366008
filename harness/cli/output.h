/* Where `generate` and `mutate` put their cases: standard output, one file, or a directory of files. */
#ifndef HARNESS_CLI_OUTPUT_H
#define HARNESS_CLI_OUTPUT_H

#include "harness/case/case.h"

#include <stdbool.h>
#include <stdint.h>

struct cli_output {
    const char *path; /* -o, or NULL */
    bool binary;      /* --binary: .pcb in directories */
};

/* Refuses the impossible (many cases into one file) and makes the directory. Returns an exit code. */
int cli_output_open(const struct cli_output *output, const char *command, uint64_t count);

/* One case; `name` is that of its file without extension, if a directory was given. Its path goes to stdout, followed
 * by `remark` if that is not NULL; a case without -o is printed as text. */
enum harness_status cli_output_write(const struct cli_output *output, const struct harness_case *test_case,
                                     const char *name, const char *remark, struct harness_error *error);

#endif
