/*
 * What memory a case reads, and as what: textures, vertices, indices, command lists and what lists upload. Found by
 * running the case on the reference and asking each draw's registers; it is what a draw names, not what its pixels
 * happened to touch.
 */
#ifndef HARNESS_RUN_READS_H
#define HARNESS_RUN_READS_H

#include "harness/case/case.h"
#include "pica/enums.h"

/* A byte that is read as several of these counts as the last of them in this list, which is the hardest to do
 * without. */
enum harness_read_kind {
    HARNESS_READ_NOTHING = 0, /* nobody reads it */
    HARNESS_READ_SURFACE = 1, /* colour and depth buffers */
    HARNESS_READ_ENGINE = 2,  /* what display transfers and texture copies read */
    HARNESS_READ_TEXTURE = 3,
    HARNESS_READ_VERTICES = 4,
    HARNESS_READ_INDICES = 5,
    HARNESS_READ_COMMANDS = 6, /* of a list, but for the following */
    HARNESS_READ_TABLE = 7,    /* lighting, fog, gas and procedural tables that a list uploads */
    HARNESS_READ_UNIFORMS = 8, /* and fixed attributes */
    HARNESS_READ_CODE = 9,     /* with its operand descriptors */
    HARNESS_READ_SENT = 10     /* vertices in a list */
};

enum {
    HARNESS_READ_KINDS = 11
};

/* "textures", "vertex arrays", ...; static. */
const char *harness_read_kind_name(enum harness_read_kind kind);

struct harness_read {
    enum harness_read_kind kind;
    uint32_t operation;            /* of the program: what was loaded before it is read */
    uint32_t address;              /* of the first byte */
    uint32_t size;                 /* bytes; vertices: of one attribute of one vertex */
    uint32_t stride;               /* vertices: from one to the next; indices: bytes of one; else 0 */
    uint32_t count;                /* vertices: how many, one after another; else 1 */
    enum pica_attribute_type type; /* vertices */
    uint32_t source;               /* vertices: address of vertex 0 */
};

struct harness_reads {
    struct harness_read *items; /* in no useful order */
    size_t count;
};

/* Runs the case. `reads` is empty before; free it also after a failure. */
enum harness_status harness_reads_find(const struct harness_program *program, struct harness_reads *reads,
                                       struct harness_error *error);
void harness_reads_free(struct harness_reads *reads);

#endif
