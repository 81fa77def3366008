/* index.html, page.js, base.css and page.css: the same for every case. */
#ifndef HARNESS_EXPLORE_PAGE_H
#define HARNESS_EXPLORE_PAGE_H

#include "harness/case/error.h"

#include <stdint.h>

/* Writes them; adds their bytes to *total. */
enum harness_status explore_write_page(const char *directory, uint64_t *total, struct harness_error *error);

#endif
