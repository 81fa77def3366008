/* Reads a payload back on the PC: which cases are in a .3dsx, and in which order they run. Everything is checked. */
#ifndef HARNESS_CONSOLE_VIEW_H
#define HARNESS_CONSOLE_VIEW_H

#include "harness/case/error.h"
#include "harness/case/text.h"
#include "harness/console/payload.h"

#include <stddef.h>

struct console_view {
    const char *name;     /* of the file, for messages */
    const uint8_t *bytes; /* borrowed */
    size_t size;
    struct console_payload head;
};

/* HARNESS_BAD_INPUT with offset and field. */
enum harness_status console_view_open(const char *name, const uint8_t *payload, size_t size, struct console_view *out,
                                      struct harness_error *error);

/* Of a valid index. */
struct console_case console_view_case(const struct console_view *view, uint32_t index);
const char *console_view_case_name(const struct console_view *view, uint32_t index);
struct console_run console_view_run(const struct console_view *view, uint32_t index);

/* Appends the text of a case. */
enum harness_status console_view_source(const struct console_view *view, uint32_t index, struct harness_text *out,
                                        struct harness_error *error);

#endif
