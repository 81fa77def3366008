/* Makes a pack: runs every case on `reference`, and on one that takes each other side of each known choice. */
#ifndef HARNESS_VECTORS_WRITE_H
#define HARNESS_VECTORS_WRITE_H

#include "harness/vectors/vectors.h"

/* A case to be taken in. */
struct vectors_item {
    const char *name, *area, *rules;
    enum vectors_provenance provenance; /* of its rules; worse if it touches what is undefined, or a known choice */
};

struct vectors_source {
    const struct vectors_item *items;
    size_t count;
    enum harness_status (*load)(const void *what, size_t index, struct harness_case *out, struct harness_error *error);
    const void *what;
    const struct vectors *before; /* whose cases keep their version where nothing changed; or NULL */
    const char *program;          /* that writes: "picafuzz 0.1.0" */
};

struct vectors_written {
    size_t cases;
    size_t same;       /* left out: they leave what another case leaves */
    size_t silent;     /* left out: they change nothing */
    size_t undecided;  /* left out: too many results are acceptable */
    size_t amended;    /* have a new version */
    size_t uncombined; /* have more sides than all combinations of them fit in: each side is there alone */
    size_t sides;
};

/* Writes `path`; files beside it, "PATH.side-N", come and go. */
enum harness_status vectors_write(const char *path, const struct vectors_source *source, struct vectors_written *out,
                                  struct harness_error *error);

#endif
