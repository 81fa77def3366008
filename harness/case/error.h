/* How everything in harness/ reports trouble: a status for the program, one line of text for the person. */
#ifndef HARNESS_ERROR_H
#define HARNESS_ERROR_H

#include <stddef.h>

enum harness_status {
    HARNESS_OK = 0,
    HARNESS_BAD_INPUT = 1, /* a file or a case that breaks a rule; the message says where and how */
    HARNESS_TOO_LARGE = 2, /* beyond one of the HARNESS_MAX_* or HARNESS_PCB_* limits */
    HARNESS_NO_MEMORY = 3,
    HARNESS_HOST = 4,   /* files, processes, plug-ins */
    HARNESS_CRASHED = 5 /* a backend in a process of its own crashed or hung */
};

enum {
    HARNESS_ERROR_SIZE = 640
};

/* "file:position: expected X, found Y". Empty as long as nothing failed. */
struct harness_error {
    char message[HARNESS_ERROR_SIZE];
};

/* The functions below accept error = NULL and return `status`, so that `return harness_fail(...)` reads well. */
enum harness_status harness_fail(struct harness_error *error, enum harness_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* HARNESS_NO_MEMORY with its standard message. */
enum harness_status harness_fail_memory(struct harness_error *error);

/* Puts "prefix: " before the present message. */
void harness_error_prefix(struct harness_error *error, const char *prefix);

/* Appends "; did you mean NEAR?", unless `near` is NULL. */
void harness_error_suggest(struct harness_error *error, const char *near);

#endif
