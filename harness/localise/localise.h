/*
 * Where do two backends begin to differ? From a whole case down to one value: operation, command, draw, pixel,
 * triangle, vertex, stage.
 *
 * Both backends run side by side to find the first operation after which they differ. From the state before it, which
 * they share, its list is run repeatedly with command budgets (CMD-20) that bisect to the command that makes the
 * difference. If the fault does not show from that state (because a backend keeps something else, such as a cache), the
 * case is replayed from its start each time, with the list cut short. If the command draws, the first differing pixel
 * of its buffers is traced on both sides (pica/trace.def), and, if the corners of its triangle already differ, the
 * vertices.
 *
 * If a side does not model the whole state, or does not support command budgets, the case is always replayed.
 *
 * Each step needs another ability of a backend. Where one lacks it, the location ends there and its note says so.
 */
#ifndef HARNESS_LOCALISE_LOCALISE_H
#define HARNESS_LOCALISE_LOCALISE_H

#include "harness/case/case.h"
#include "harness/case/text.h"
#include "harness/run/runner.h"
#include "oracles/pixels.h"
#include "oracles/trace_equal.h"
#include "pica/stage_words.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    HARNESS_LOCATION_NOTE = 256,
    HARNESS_LOCATION_VALUES = 32,
    HARNESS_LOCATION_NAMES = 12,
    HARNESS_LOCATION_NAME = 48,
    HARNESS_LOCATION_RULES = 3
};

/* The first differing pixel of one buffer of the guilty draw. */
struct harness_location_pixel {
    uint32_t x, y; /* RST-01: y up */
    struct oracle_surface surface;
    const char *origin; /* "colour buffer" or "depth buffer" */
    struct oracle_pixel first, second;
    uint64_t differing;                  /* pixels of this buffer */
    char pattern[HARNESS_LOCATION_NOTE]; /* how it differs, in words (pattern.h); may be empty */
};

/* Its strings are static, the names of the backends (`first`, `second`, `teller`), or in its own `names`: so it
 * outlives the backends but for their names. After it was copied or moved, harness_location_moved is called on it. */
struct harness_location {
    const char *first, *second; /* names of the backends */
    bool differs;               /* false: no difference was found, and the rest is 0 */

    uint32_t operation; /* index in the case */
    enum pica_operation_kind kind;
    uint32_t unit;
    uint32_t write_address, write_value; /* kind WRITE_REGISTER: what the CPU writes, and where (physical) */
    struct oracle_report report;         /* of the oracles, right after the first differing command or operation */

    bool has_command;
    uint32_t command;      /* number of the first differing command in the submission, from 1 */
    uint32_t command_list; /* address of the list that holds it */
    uint32_t command_word; /* index of its header word in that list; UINT32_MAX: not known */
    uint32_t header;       /* that word */
    uint32_t parameter;    /* first parameter */

    bool has_draw;
    uint32_t draw;         /* of the operation, from 0 */
    uint32_t trigger;      /* register id */
    uint32_t list_address; /* of the list that the draw came from, 0 for a CPU write */
    uint32_t list_word;

    bool has_pixel;
    struct harness_location_pixel pixel;

    /* corners[i] = x, y in 1/16 pixel on the first backend, or on the second if only that one draws the triangle */
    bool has_triangle;
    uint32_t triangle; /* index among the draw's triangles that cover the pixel, from 0 */
    int32_t corners[3][2];

    bool has_vertex;
    uint32_t vertex; /* of the draw, from 0 */

    const char *stage; /* "combiner", "shader", ..., or "registers", "state", "memory", "events", "memory fill", ... */
    bool has_step;     /* the first value that differs */
    enum oracle_trace_relation relation;
    bool whole_part; /* the triangle is drawn by one side only */
    bool has_first, has_second;
    struct pica_trace_step step_first, step_second;
    const char *value;                       /* name of the step, or of the one that a step of a rule leads to */
    bool has_instruction;                    /* the step belongs to this shader instruction */
    uint32_t instruction_address;            /* in code words */
    char instruction[HARNESS_LOCATION_NOTE]; /* disassembled with the descriptors of the state after the command */
    bool has_previous; /* the step is an instruction, and control flow differs after this opcode */
    uint32_t previous_opcode;
    bool has_address; /* a0.x and a0.y at that step on the first backend */
    int32_t address[2];
    const char *rule;                           /* id of the rule in docs/spec that defines the value; "" if none is
                                                   known */
    const char *broken[HARNESS_LOCATION_RULES]; /* rules that may be broken, the likeliest first; NULL: no more */

    const char *display_register; /* the register that one side ignores, if the stage is display; else NULL */

    bool keeps_more; /* the difference shows only in a run from the start of the case: a side has hidden state, such as
                        a cache */
    const char *changed; /* ... and only if this register changes after an earlier draw; NULL: not known */

    bool inferred; /* the stage, or a command before the draw, was found by experiments, since one side shows only
                      memory */
    char experiment[HARNESS_LOCATION_NOTE]; /* the change that ended the difference; empty if the stage was found by
                                               exclusion */

    /* If only one side (the teller) traces: its values of the pixel, by stage, for the last triangle that covers it. */
    const char *teller; /* name of that side */
    uint32_t value_count;
    struct pica_trace_step values[HARNESS_LOCATION_VALUES];

    char note[HARNESS_LOCATION_NOTE]; /* why the search stopped early; empty if it went all the way */
    char names[HARNESS_LOCATION_NAMES][HARNESS_LOCATION_NAME]; /* what backends call stages, steps and rules */
    bool owns_names;                                           /* ... and these strings are there */
};

/* It lies elsewhere than before: its strings are found there. */
void harness_location_moved(struct harness_location *location);

/*
 * Runs the program on both runners until the first difference and locates it. Memory for traces and copies is allocated
 * and freed here. If a backend fails, dies or refuses on the way, the search ends: the location holds what was found
 * until then, `note` says why, and HARNESS_OK is returned. The only error is HARNESS_NO_MEMORY.
 */
enum harness_status harness_localise(struct harness_runner *a, struct harness_runner *b,
                                     const struct harness_program *program, struct harness_location *out,
                                     struct harness_error *error);

/* The location in a dozen lines for people. */
void harness_location_text(const struct harness_location *location, struct harness_text *out);

/* The stage whose rules come into question if none is named; NULL if a rule is named, or no stage is. */
const struct pica_stage_word_info *harness_location_word(const struct harness_location *location);

#endif
