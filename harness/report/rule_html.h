/* The little Markdown that rules are written in, as HTML. */
#ifndef HARNESS_REPORT_RULE_HTML_H
#define HARNESS_REPORT_RULE_HTML_H

#include "harness/case/text.h"

/* Appends paragraphs, list items and tables of a rule's text; **bold** and `code` inside of them. */
void harness_rule_html(const char *markdown, struct harness_text *out);

#endif
