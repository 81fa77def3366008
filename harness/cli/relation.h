/* What commands share that ask about metamorphic relations. */
#ifndef HARNESS_CLI_RELATION_H
#define HARNESS_CLI_RELATION_H

#include "harness/case/text.h"
#include "harness/cli/cli.h"
#include "harness/trial/probe.h"
#include "harness/run/check.h"

/* The number of a check by its name; harness_check_count() if there is none. */
size_t cli_find_check(const char *name);

/* Appends "operation 2, command 14 of its list: BLEND_FUNC (0x101) = 0x76760000" or "operation 3"; of several, the
 * first and the last. */
void cli_places_text(const struct harness_check_places *places, struct harness_text *out);

/* The two cases of the last relation, as STEM-base.pcase and STEM-variant.pcase. */
enum harness_status cli_save_twins(const struct harness_checker *checker, const char *stem,
                                   struct harness_error *error);

/*
 * For a case on which the relation of the options does not hold: appends the place that it is enough to change, nothing
 * if there is no single one, and writes the two cases beside `path`. The backend of `run` is opened anew; a plug-in
 * gets a process of its own, and may die there.
 */
void cli_relation_matter(const struct harness_probe_options *options, const struct cli_run_options *run,
                         const struct harness_case *test_case, const char *path, struct harness_text *out);

#endif
