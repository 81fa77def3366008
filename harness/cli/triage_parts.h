/* What the two files of `picafuzz triage` share. */
#ifndef HARNESS_CLI_TRIAGE_PARTS_H
#define HARNESS_CLI_TRIAGE_PARTS_H

#include "harness/cli/cli.h"
#include "harness/triage/triage.h"

struct triage_request {
    struct cli_run_options options;
    struct harness_triage_options triage;
    bool json;
    bool index, no_index;
    struct cli_list accept; /* buckets that go into the baseline */
    const char *note;       /* of them; NULL: none */
    bool migrate;
    const char *quirks_path; /* the file that --accept and --migrate change */
    const char *sarif_path;  /* NULL: none */
};

/* Opens the quirks file; --accept may begin one. Returns an exit code. */
int triage_open(struct triage_request *request);

/* Writes the buckets as SARIF, those of the baseline as accepted, if the request wants that. Returns an exit code. */
int triage_write_sarif(const struct triage_request *request, const struct harness_triage *triage);

/* Accepts, migrates, or holds the buckets against the baseline. Returns an exit code. */
int triage_judge(const struct triage_request *request, const struct harness_triage *triage);

#endif
