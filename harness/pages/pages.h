/*
 * Pages: what one shows is JSON, and one script and one style show it, in the same file. Nothing is loaded but the
 * pictures that the JSON names, and whatever it says is text, never markup.
 */
#ifndef HARNESS_PAGES_PAGES_H
#define HARNESS_PAGES_PAGES_H

#include "harness/case/error.h"
#include "harness/case/text.h"

#include <stddef.h>

/* Writes a page. `view`: a function of page.js (findings, finding, regress, score or coverage), with the JSON of its
 * command. `json`: valid JSON in UTF-8. */
enum harness_status harness_page_write(const char *path, const char *view, const struct harness_text *json,
                                       struct harness_error *error);

/* The style that all pages begin with: colours, letters, tables. Static; `size`: its bytes. */
const char *harness_page_style(size_t *size);

/* Appends `text` as text of XML: valid UTF-8, and no character that XML may not hold. */
void harness_xml_text(struct harness_text *out, const char *text);

#endif
