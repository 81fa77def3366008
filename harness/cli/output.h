/* Where commands put cases: standard output, one file, or a directory of files. */
#ifndef HARNESS_CLI_OUTPUT_H
#define HARNESS_CLI_OUTPUT_H

#include "harness/case/case.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_output {
    const char *path; /* -o, or NULL */
    bool binary;      /* --binary: .pcb in directories */
};

/* Does the path name one file, by its extension .pcase or .pcb? */
bool cli_output_is_file(const char *path);

/* Where the case `name` goes, if the path is that of a directory. HARNESS_BAD_INPUT if that is too long. */
enum harness_status cli_output_path(const struct cli_output *output, const char *name, char *out, size_t size,
                                    struct harness_error *error);

/* Refuses the impossible (many cases into one file) and makes the directory. Returns an exit code. */
int cli_output_open(const struct cli_output *output, const char *command, uint64_t count);

/* One case; `name` is that of its file without extension, if a directory was given. Its path goes to stdout, followed
 * by `remark` if that is not NULL; a case without -o is printed as text. */
enum harness_status cli_output_write(const struct cli_output *output, const struct harness_case *test_case,
                                     const char *name, const char *remark, struct harness_error *error);

/* Prints a case as text; or as C source if `c_name` is not NULL: what its head calls the case. */
enum harness_status cli_output_print(const struct harness_case *test_case, const char *c_name,
                                     struct harness_error *error);

#endif
