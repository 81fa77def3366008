/* JSON for files: valid UTF-8, whatever bytes names have. */
#ifndef HARNESS_TRIAGE_JSON_FILE_H
#define HARNESS_TRIAGE_JSON_FILE_H

#include "harness/case/error.h"
#include "harness/case/text.h"

struct cJSON;

/* Appends the object, which it deletes, and a newline. */
void harness_json_text(struct cJSON *object, struct harness_text *out);

/* The same as a file. */
enum harness_status harness_json_write(const char *path, struct cJSON *object, struct harness_error *error);

#endif
