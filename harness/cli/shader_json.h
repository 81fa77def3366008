/* A shader as JSON. */
#ifndef HARNESS_CLI_SHADER_JSON_H
#define HARNESS_CLI_SHADER_JSON_H

#include "harness/shader/shader_file.h"

/* One object on stdout. */
void cli_shader_json(const char *path, const struct harness_shader_file *file);

#endif
