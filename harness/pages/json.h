/* JSON for files and pages: valid UTF-8, whatever bytes names have. */
#ifndef HARNESS_PAGES_JSON_H
#define HARNESS_PAGES_JSON_H

#include "harness/case/error.h"
#include "harness/case/text.h"

struct cJSON;

/* Appends the object, which it deletes, and a newline. */
void harness_json_text(struct cJSON *object, struct harness_text *out);

/* The same as a file. */
enum harness_status harness_json_write(const char *path, struct cJSON *object, struct harness_error *error);

/* The same as a page (pages.h). */
enum harness_status harness_json_page(const char *path, const char *view, struct cJSON *object,
                                      struct harness_error *error);

#endif
