/* What a patch of the bug bench says about its bug: the lines "# key: value" at its head. */
#ifndef BENCH_BUGS_EXPECTATION_H
#define BENCH_BUGS_EXPECTATION_H

#include "harness/case/error.h"
#include "harness/localise/localise.h"

#include <stdbool.h>

enum {
    BUG_LINE = 640
};

struct bug_expectation {
    char name[BUG_LINE];
    char rule[BUG_LINE];
    char operation[BUG_LINE]; /* lists with commas between the elements, from here on; `rule` may be one */
    char trigger[BUG_LINE];
    char stage[BUG_LINE];
};

/* HARNESS_BAD_INPUT if a line is missing or too long. */
enum harness_status bug_expectation_read(const char *path, struct bug_expectation *out, struct harness_error *error);

/* The name of an operation as patches write it; static. */
const char *bug_operation_name(const struct harness_location *location);

/*
 * Does the location name what the patch expects? Command: the operation is of an expected kind, and for a list or a
 * register write, what it found is a draw (trigger DRAW), or writes one of the named registers, or has the named form
 * (bench/bugs/README.md). `program` is what was located in.
 */
bool bug_command_is_right(const struct bug_expectation *expected, const struct harness_location *location,
                          const struct harness_program *program);
bool bug_operation_is_right(const struct bug_expectation *expected, const struct harness_location *location);
bool bug_stage_is_right(const struct bug_expectation *expected, const struct harness_location *location);
bool bug_rule_is_right(const struct bug_expectation *expected, const struct harness_location *location);

#endif
