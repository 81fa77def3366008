/* The little HTML that the report needs. */
#ifndef HARNESS_REPORT_HTML_H
#define HARNESS_REPORT_HTML_H

#include "harness/case/text.h"

/* Appends text with & < > " ' escaped; as '?' what is no valid UTF-8, control characters but newline and tab, and marks
 * of direction: fit for XML too. */
void harness_html_text(struct harness_text *out, const char *text);

/* Document head with the style of all pages, up to and including the <h1>; `home` is the link back, or NULL. */
void harness_html_begin(struct harness_text *out, const char *title, const char *home);
void harness_html_end(struct harness_text *out);

#endif
