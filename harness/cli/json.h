/* A case, a shader as JSON for other programs. Numbers that people read in hexadecimal are strings ("0x18000000"). */
#ifndef HARNESS_CLI_JSON_H
#define HARNESS_CLI_JSON_H

#include "harness/case/case.h"
#include "harness/shader/shader_file.h"

/* Each prints one object on stdout. */
void cli_show_json(const struct harness_case *test_case);
void cli_shader_json(const char *path, const struct harness_shader_file *file);

#endif
