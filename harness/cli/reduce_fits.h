/* What is asked of every case on the way of a reduction, apart from showing what is wrong, and of cases generated for a
 * console: that forced fields stay as they are, that a console may run it, that nothing in it is undefined. */
#ifndef HARNESS_CLI_REDUCE_FITS_H
#define HARNESS_CLI_REDUCE_FITS_H

#include "harness/case/case.h"
#include "harness/reduce/reduce.h"

struct cli_quirks;
struct cli_fits;

struct cli_fits_options {
    const struct cli_quirks *quirks; /* what it forces stays so; NULL: nothing */
    bool exportable, defined;
};

/* *out is NULL if nothing is asked for. `test_case`, if it is not NULL, must fit itself: HARNESS_BAD_INPUT with the
 * reason if not. */
enum harness_status cli_fits_open(const struct cli_fits_options *options, const struct harness_case *test_case,
                                  struct cli_fits **out, struct harness_error *error);
void cli_fits_close(struct cli_fits *fits); /* accepts NULL */

/* For harness_reduce_options.fits; `what` is a struct cli_fits. */
bool cli_fits(const void *what, struct harness_case *test_case);

/* Ctrl-C ends the reduction; a line on a terminal shows how it goes on, unless *quiet, and is wiped away at its end. */
void cli_reduce_watch(struct harness_reduce_options *options, bool *quiet);
void cli_reduce_watched(bool quiet);

#endif
