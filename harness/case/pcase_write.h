/* What the two halves of the text writer share. */
#ifndef HARNESS_PCASE_WRITE_H
#define HARNESS_PCASE_WRITE_H

#include "harness/case/text.h"

#include <stdint.h>

/* "# line" for each line of the comment; NULL writes nothing. */
void harness_pcase_comment(struct harness_text *out, uint32_t indent, const char *comment);

#endif
