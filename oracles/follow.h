/*
 * Tracks what commands leave in the register file, and where words go that are sent to ports: code, operand descriptors
 * and uniforms of the shader units, fixed attributes, vertices of immediate mode (REG-20 to REG-25, VTX-41). It is fed
 * register writes, from raw words (walk.h) or from typed commands (harness/case, harness/reduce). It executes nothing
 * and follows no jumps: the caller decides what is certain.
 */
#ifndef ORACLES_FOLLOW_H
#define ORACLES_FOLLOW_H

#include "pica/backend.h"
#include "pica/regs.h"

#include <stdbool.h>
#include <stdint.h>

/* The ports that are tracked. Ports of lookup tables (REG-30) are not. */
enum oracle_port {
    ORACLE_PORT_NONE = 0,
    ORACLE_PORT_CODE = 1,
    ORACLE_PORT_OPDESCS = 2,
    ORACLE_PORT_UNIFORMS = 3,
    ORACLE_PORT_FIXED = 4
};

enum {
    ORACLE_PORTS = 5,
    ORACLE_IMMEDIATE = 15,     /* REG-25: fixed attribute that is a vertex */
    ORACLE_QUEUE_UNKNOWN = 255 /* in `queue`: number of words not known */
};

/* The port that a register id belongs to. *unit: its shader unit, 0 for fixed attributes (REG-20). */
enum oracle_port oracle_port_of(uint32_t id, uint32_t *unit);

struct oracle_follower {
    uint32_t values[PICA_REGISTERS];
    uint32_t known[PICA_REGISTERS]; /* mask of the bits in `values` that are certain */
    uint32_t next[ORACLE_PORTS]
                 [2]; /* the element that the next words of a port belong to, by unit: counts on past the last */
    uint8_t queue[ORACLE_PORTS][2]; /* number of words waiting for the rest of their vector, or ORACLE_QUEUE_UNKNOWN */
    uint32_t attribute;             /* of the immediate vertex that is being sent */
    uint32_t vertex;                /* immediate vertices completed so far */
};

/* What one write completed: an instruction, a descriptor, a uniform or an attribute. */
struct oracle_element {
    enum oracle_port port; /* NONE: the write completed nothing */
    uint32_t unit;
    bool is_known;   /* false: unknown where the word went and whether it completed an element; the rest is 0 */
    uint32_t index;  /* in its memory: code address, descriptor, uniform, fixed attribute; of a vertex: its attribute */
    uint32_t words;  /* 1; 3 or 4 of a vector */
    bool float32;    /* a vector in four words, not in three (REG-23) */
    bool immediate;  /* part of an immediate vertex */
    uint32_t vertex; /* its number */
};

/* Starts with everything known and the queues empty. `registers`: PICA_REGISTERS words, or NULL for those after
 * reset. */
void oracle_follow_start(struct oracle_follower *follower, const uint32_t *registers);

/* From here on nothing is known. */
void oracle_follow_lose(struct oracle_follower *follower);

/* Sets bits of a register and does nothing else. */
void oracle_follow_store(struct oracle_follower *follower, uint32_t id, uint32_t bits, uint32_t value);

/* One write of a command, after its mask (CMD-05). Returns the element that it completed. */
struct oracle_element oracle_follow_write(struct oracle_follower *follower, uint32_t id, uint32_t mask, uint32_t value);

/* Number of words of an element of this port, by the present register file (REG-22). */
uint32_t oracle_follow_words(const struct oracle_follower *follower, enum oracle_port port, uint32_t unit);

#endif
