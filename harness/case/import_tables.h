#ifndef HARNESS_IMPORT_TABLES_H
#define HARNESS_IMPORT_TABLES_H

#include "harness/case/case.h"

/* Turns loads of bytes that draws use as vertex arrays and index lists into tables of the same bytes. */
void harness_import_tables(struct harness_case *test_case);

#endif
