/*
 * Where do two backends begin to differ? From a whole case down to one value: operation, command, draw, pixel,
 * triangle, vertex, stage.
 *
 * How: the first operation after which the two differ is found by running both side by side. From the state before it,
 * which they share, its list is run repeatedly with a command budget (CMD-20) that bisects to the command that
 * makes the difference. Where that state does not show the fault (a backend keeps something else, such as a cache),
 * the case is run from its start each time, and the list cut short. If the command draws, the first differing pixel of
 * its buffers is traced on both sides (pica/trace.def), and where the corners of its triangle differ already, the
 * vertices.
 *
 * Where a side does not model the whole state, or stops at no command budget, replaying is the only way.
 *
 * Each step asks a little more of a backend; where one cannot give it, the location ends there and says so.
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

struct harness_location {
    const char *first, *second; /* names of the backends */
    bool differs;               /* false: nothing was found, the rest is 0 */

    uint32_t operation; /* index in the case */
    enum pica_operation_kind kind;
    uint32_t unit;
    uint32_t write_address, write_value; /* kind WRITE_REGISTER: what the CPU writes, and where (physical) */
    struct oracle_report report;         /* what the oracles say right after the first differing command or operation */

    bool has_command;
    uint32_t command;      /* executed by the submission before the two differ: 1 = its first */
    uint32_t command_list; /* address of the list that holds it */
    uint32_t command_word; /* index of its header word in that list, UINT32_MAX: not known */
    uint32_t header;       /* that word */
    uint32_t parameter;    /* first parameter */

    bool has_draw;
    uint32_t draw;         /* of the operation, from 0 */
    uint32_t trigger;      /* register id */
    uint32_t list_address; /* of the list that the draw came from, 0 for a CPU write */
    uint32_t list_word;

    bool has_pixel;
    struct harness_location_pixel pixel;

    /* corners[i] = x, y in 1/16 pixel, as the first backend has them (the second, if only it draws) */
    bool has_triangle;
    uint32_t triangle; /* among those of the draw that cover the pixel, from 0 */
    int32_t corners[3][2];

    bool has_vertex;
    uint32_t vertex; /* of the draw, from 0 */

    const char *stage; /* "combiner", "shader", ..., or "registers", "state", "memory", "events", "memory fill", ... */
    bool has_step;     /* the first value that differs */
    enum oracle_trace_relation relation;
    bool whole_part; /* the triangle is drawn by one side only */
    bool has_first, has_second;
    struct pica_trace_step step_first, step_second;
    const char *value;                       /* the step's name, or that of the one that a rule's step leads to */
    bool has_instruction;                    /* the step belongs to this shader instruction */
    uint32_t instruction_address;            /* in code words */
    char instruction[HARNESS_LOCATION_NOTE]; /* disassembled with the descriptors of the state after the command */
    bool has_previous; /* the step is an instruction: the two went on differently after this opcode */
    uint32_t previous_opcode;
    bool has_address; /* a0.x and a0.y, as the first backend has them there */
    int32_t address[2];
    const char *rule;                           /* of docs/spec: defines the value; "" if none is known */
    const char *broken[HARNESS_LOCATION_RULES]; /* what a machine may do against, the likeliest first; NULL: no more */

    const char *display_register; /* stage display: the register that one side does not obey; NULL: not that stage */

    bool keeps_more; /* it shows only in a run from the start of the case: a side keeps more than the state, a cache */
    const char *changed; /* ... and only if this register changes after an earlier draw; NULL: none is known */

    bool inferred; /* the stage (and an earlier command than the draw) are by experiments: one side shows only memory */
    char experiment[HARNESS_LOCATION_NOTE]; /* what ended the difference; empty if it is what was left over */

    /* Where only one side traces: its values of the pixel, stage by stage, for the last triangle that covers it. */
    const char *teller; /* name of that side */
    uint32_t value_count;
    struct pica_trace_step values[HARNESS_LOCATION_VALUES];

    char note[HARNESS_LOCATION_NOTE]; /* why the search stopped early; empty if it went all the way */
};

/*
 * Runs the program on both runners until the first difference and looks for its place. `bytes` for traces and copies
 * are allocated and freed here. A backend that fails, dies or refuses on the way ends the search: the location holds
 * what was found until then, and `note` says why; that is HARNESS_OK. HARNESS_NO_MEMORY otherwise.
 */
enum harness_status harness_localise(struct harness_runner *a, struct harness_runner *b,
                                     const struct harness_program *program, struct harness_location *out,
                                     struct harness_error *error);

/* The location in a dozen lines for people. */
void harness_location_text(const struct harness_location *location, struct harness_text *out);

/* Where no rule is named: the word of the stage, one of whose rules it is; NULL: a rule is named, or no stage. */
const struct pica_stage_word_info *harness_location_word(const struct harness_location *location);

#endif
