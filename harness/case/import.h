/* What the importers share: bounded reading of untrusted bytes, and cases that grow operation by operation. */
#ifndef HARNESS_IMPORT_H
#define HARNESS_IMPORT_H

#include "harness/case/case.h"
#include "harness/case/text.h"

/* CAP-07: every access is checked. */
struct harness_import {
    const uint8_t *bytes;
    size_t size;
    const char *name;
    struct harness_error *error;
    struct harness_text *warnings; /* or NULL */
    struct harness_case *test_case;
    uint32_t group;      /* index of the first of the loads that the operations end with; their count if none */
    uint64_t data_total; /* bytes of contents so far */
};

void harness_import_start(struct harness_import *import, struct harness_case *out);

/* "name: offset 0x1C: expected X, found Y" */
enum harness_status harness_import_fail(const struct harness_import *import, uint64_t offset, const char *expected,
                                        const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

void harness_import_warn(const struct harness_import *import, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Append one operation; `bytes` lie in the file and are copied. */
enum harness_status harness_import_load(struct harness_import *import, uint32_t address, const uint8_t *bytes,
                                        uint32_t size);
enum harness_status harness_import_zeros(struct harness_import *import, uint32_t address, uint32_t size);
enum harness_status harness_import_note(struct harness_import *import, const char *text); /* made one line */
enum harness_status harness_import_add(struct harness_import *import, const struct harness_operation *operation);

/* Appends the submission of the list at `address`. If one of the loads just before contains the whole list, the list is
 * cut out of it and becomes typed commands; so do the lists that it jumps to. */
enum harness_status harness_import_submit(struct harness_import *import, uint32_t address, uint32_t size);

/* Gives the case wide windows and tables (import_tables.h), then checks it whole. */
enum harness_status harness_import_finish(struct harness_import *import);

#endif
