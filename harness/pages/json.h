/* JSON for files and pages: valid UTF-8, whatever bytes names have. */
#ifndef HARNESS_PAGES_JSON_H
#define HARNESS_PAGES_JSON_H

#include "harness/case/error.h"
#include "harness/case/text.h"

#include <stdint.h>

struct cJSON;

/* Adds a number as people read addresses and words: "0x18000000". */
void harness_json_hex(struct cJSON *object, const char *name, uint32_t value);

/* A new object at the end of an array. */
struct cJSON *harness_json_row(struct cJSON *array);

/* Appends the object as text, which it deletes, and a newline. */
void harness_json_text(struct cJSON *object, struct harness_text *out);

/* The same as a file. */
enum harness_status harness_json_write(const char *path, struct cJSON *object, struct harness_error *error);

/* The same as a page (pages.h). */
enum harness_status harness_json_page(const char *path, const char *view, struct cJSON *object,
                                      struct harness_error *error);

#endif
