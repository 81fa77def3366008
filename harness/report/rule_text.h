/* The text of one rule, quoted from the specification's files. */
#ifndef HARNESS_REPORT_RULE_TEXT_H
#define HARNESS_REPORT_RULE_TEXT_H

#include "harness/case/text.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Looks in the .md files of `directory` for the paragraph, list item or table row that defines rule `id` ("BLD-02") and
 * appends it as it stands there. `file` gets the name of the file. False if there is none, or nothing can be read.
 */
bool harness_rule_text(const char *directory, const char *id, struct harness_text *out, char *file, size_t size);

#endif
