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
    uint32_t group;      /* index of the first of the loads since the last operation that is none */
    uint64_t data_total; /* bytes of contents so far */
};

void harness_import_start(struct harness_import *import, struct harness_case *out);

/* Little-endian word; the caller has checked that it exists. */
uint32_t harness_import_u32(const uint8_t *bytes);

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

/* Appends one operation; bytes lie in the file. */
enum harness_status harness_import_load(struct harness_import *import, uint32_t address, const uint8_t *bytes,
                                        uint32_t size);
enum harness_status harness_import_zeros(struct harness_import *import, uint32_t address, uint32_t size);
enum harness_status harness_import_add(struct harness_import *import, const struct harness_operation *operation);

/* Appends "run the list at address"; where the loads just before hold that list whole, they become a typed list. */
enum harness_status harness_import_submit(struct harness_import *import, uint32_t address, uint32_t size);

/* Wide windows, then the check of the whole case. */
enum harness_status harness_import_finish(struct harness_import *import);

#endif
