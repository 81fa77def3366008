/* Makes a pack: runs every case on `reference`, and finds out which known choices touch it. */
#ifndef HARNESS_VECTORS_WRITE_H
#define HARNESS_VECTORS_WRITE_H

#include "harness/vectors/vectors.h"

/* A case to be taken in. */
struct vectors_item {
    const char *name, *area, *rules, *evidence;
    /* Of its rules: worse if it touches what is undefined, or an open choice, unless it has what a console left. */
    enum vectors_provenance provenance;
};

struct vectors_source {
    const struct vectors_item *items;
    size_t count;
    enum harness_status (*load)(const void *what, size_t index, struct harness_case *out, struct harness_error *error);
    const void *what;
    const struct vectors *before; /* whose cases keep their version where nothing changed; or NULL */
    const char *program;          /* that writes: "picafuzz 0.1.0" */
    bool again; /* the items are the cases of `before`: their provenance, and what touches them, is taken from there */
};

struct vectors_written {
    size_t cases;
    size_t same;    /* left out: they leave what another case leaves */
    size_t silent;  /* left out: they change nothing */
    size_t amended; /* have a new version */
};

/* Writes `path`; a file beside it, "PATH.results", comes and goes. */
enum harness_status vectors_write(const char *path, const struct vectors_source *source, struct vectors_written *out,
                                  struct harness_error *error);

#endif
