/* A case as JSON for other programs. */
#ifndef HARNESS_CLI_SHOW_JSON_H
#define HARNESS_CLI_SHOW_JSON_H

#include "harness/case/case.h"

/* Prints one JSON object to standard output. Numbers that people read in hexadecimal are strings ("0x18000000"). */
void cli_show_json(const struct harness_case *test_case);

#endif
