/* What the files of the localiser share. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_LOCALISE_PARTS_H
#define HARNESS_LOCALISE_LOCALISE_PARTS_H

#include "harness/localise/localise.h"
#include "harness/run/checkpoint.h"
#include "harness/run/surfaces.h"
#include "pica/regs.h"
#include "pica/stage_words.h"
#include "pica/trace.h"

/* Steps copied out of a trace. */
struct harness_recorded {
    struct pica_trace_step *steps;
    size_t count;
    bool failed; /* not enough memory for all of them */
};

/* How the other side has a triangle that only one side draws at the pixel, the least alike first. */
enum harness_elsewhere {
    HARNESS_ELSEWHERE_UNKNOWN,
    HARNESS_ELSEWHERE_NOWHERE, /* at no pixel that was tried, and nothing else either */
    HARNESS_ELSEWHERE_CLIP,    /* with other corners, before the viewport already */
    HARNESS_ELSEWHERE_SCREEN,  /* with the same ones before the viewport, as far as they are known */
    HARNESS_ELSEWHERE_NEAR,    /* rounded otherwise */
    HARNESS_ELSEWHERE_SAME     /* with these corners */
};

/* What earlier draws of the case had to do with what the guilty one reads from a texture unit. */
struct harness_earlier {
    bool same[3];  /* one had the same address, size and format there */
    bool drawn[3]; /* one drew over it */
};

/* What of two runs is compared. What is not declared never differs, and what is declared and wrong all the time hides
 * no wrong pixel: the first of these that differs after the guilty operation is traced to its command. */
enum harness_localise_part {
    HARNESS_LOCALISE_ALL = 0,
    HARNESS_LOCALISE_MEMORY = 1,
    HARNESS_LOCALISE_REGISTERS = 2,
    HARNESS_LOCALISE_STATE = 3
};

struct harness_localise {
    struct harness_runner *runners[2];
    struct oracle_run runs[2];                /* as of the last collect */
    struct pica_choices choices;              /* of the machine that both are to be */
    const struct oracle_tolerance *tolerance; /* between the two; NULL: none. What it allows is no difference: */
    struct harness_surfaces surfaces;         /* of the case up to the guilty operation */
    struct oracle_tolerated tolerated;        /* what runs[1] borrows */
    struct harness_checkpoint *checkpoint;
    const struct harness_program *program;
    uint32_t index;                         /* of the guilty operation in the program */
    const struct pica_operation *operation; /* the guilty one */
    enum harness_localise_part part;
    uint32_t old_parts; /* bit enum harness_localise_part: differs before the guilty command, too */
    bool replays;       /* runs begin with the case, not with the checkpoint: the fault needs more than the state */
    bool stateless;     /* it replays because a side takes no state of the other, or stops at no command budget */
    bool is_budgeted;   /* ... but both stop at one, and no list comes before: the whole list runs, within a budget */
    struct pica_setup setup; /* if it is budgeted */
    uint32_t *starts;        /* if it replays: first words of the list's commands up to a jump, and of what follows */
    uint32_t start_count;    /* commands in there; the list is cut only after one of them */
    uint32_t skipped;        /* number of a command of the list that writes nothing; 0: all do what they say */
    uint32_t draws_before;   /* if it replays: draws of the operations before */
    uint32_t *words;         /* if it is stateless: the list that is cut */
    uint8_t *kept[PICA_MAX_WINDOWS + 1]; /* of an experiment */
    struct harness_unrolled *unrolled;   /* what runs in place of lists that jump (unroll.c), or NULL */
    struct harness_alone *alone;         /* a command alone (localise_needs.c), or NULL */
    struct harness_recorded recorded[2];

    /* For the rule that is broken (broken_rule.h). */
    uint32_t registers[PICA_REGISTERS];    /* as the guilty draw saw them */
    uint32_t needed[PICA_REGISTERS];       /* ... with the usual value in fields that the difference does not need */
    bool is_tried;                         /* ... by experiment, and so is what follows */
    uint32_t needed_words[9];              /* of an engine's operation, the same */
    bool has_fog_slopes, has_light_slopes; /* the tables have differences between entries */
    bool needs_slopes, needs_share;        /* differences between entries of the stage's table; how much fog there is */
    bool needs_texels, differs_alike;      /* texels that differ; it is there with all alike, too */
    uint32_t clip[3][4], clip_mask;   /* corners of the triangle that only one side draws; bit i: corner i is known */
    bool reused_number;               /* the vertex number that differs is that of an earlier vertex of the draw */
    struct harness_earlier earlier;   /* known if it replays */
    enum harness_elsewhere elsewhere; /* of the triangle that only one side draws */
    const char *given_rule;           /* whose id the step bears (pica/trace.def), or NULL */
    bool by_rules;                    /* it does, or one of its stage before it does */
    const char *event_rule;           /* of an undefined event that only one side records; NULL: there is none */
    bool one_stops;                   /* ... which is that a budget ended the list, while the other side went on */
    bool traces_agree;                /* those of all draws of the guilty command, on both sides */
    bool event_only;                  /* ... and nothing else differs */
    const char *state_rule;           /* of the first part of the state that differs; "": none does */
    const char *register_rule;        /* of the first register that differs, or NULL */
    const char *collected_rule; /* of the vertices that a geometry shader gets as uniforms, if those differ; NULL */
    bool only_inputs;           /* of the geometry unit's vertices those that wait are the same, the inputs not */
    bool one_draws;             /* no traced value differs, and one side draws fewer pixels */
    bool other_layer;           /* of several triangles over the pixel, the silent side has an earlier one on top */
    bool same_memory;           /* an engine has left the same memory on both sides */
    bool repeated;              /* by a fill: the first pattern is written right (PSC-06) */
    bool not_written;           /* by an engine: where the two differ, one has what was there before */
    bool list_rewritten;        /* the list is not in memory any more as it was when it began */
};

void harness_localise_note(struct harness_location *location, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/*
 * One side: `load` puts it into the state before the guilty operation, or before the case if it replays; `run` does
 * everything up to and including the first `commands` commands of the operation.
 */
enum pica_status harness_localise_load(struct harness_localise *search, int side, uint32_t commands);
enum pica_status harness_localise_run(struct harness_localise *search, int side, uint32_t commands);

/* Does this part differ in the runs? */
bool harness_localise_differs(const struct harness_localise *search, enum harness_localise_part part);

/* Runs both sides, collects what both hold then, and says whether search->part of it differs. */
enum harness_status harness_localise_collect(struct harness_localise *search, struct harness_error *error);
enum harness_status harness_localise_run_commands(struct harness_localise *search, uint32_t commands, bool *differ,
                                                  struct harness_error *error);

/* "localise: WHAT failed on backend A or B". */
enum harness_status harness_localise_fail(const struct harness_localise *search, const char *what,
                                          struct harness_error *error);

/* From the operation on: the command, then all the rest. The checkpoint has been taken. */
enum harness_status harness_localise_command(struct harness_localise *search, struct harness_location *out,
                                             struct harness_error *error);

/* From the command on: draw, pixel, triangle, vertex, stage. The runs hold the state after the command. */
enum harness_status harness_localise_draw(struct harness_localise *search, struct harness_location *out,
                                          struct harness_error *error);

/* A side that stops at no budget runs what a list jumps to whole. If the guilty operation runs lists that jump, and the
 * other side can tell what they hold: from here on search->program has one list instead, if that still differs. */
void harness_localise_unroll(struct harness_localise *search);
/* Where a command and a draw of that list come from. */
void harness_localise_unrolled_place(const struct harness_localise *search, struct harness_location *out);
void harness_localise_unrolled_free(struct harness_unrolled *unrolled); /* accepts NULL */

/* Of a triangle that only one side draws (out->whole_part): search->elsewhere. */
void harness_localise_elsewhere(struct harness_localise *search, const struct harness_location *out);

/* Does command number `number` show the fault when it runs alone, from a copy of the first side's state before it?
 * *ran: that could be tried. Afterwards the runs hold something else. search->alone keeps the answer, and the copy. */
bool harness_localise_shows_alone(struct harness_localise *search, const struct harness_command *command,
                                  uint32_t number, bool *ran);

/* FOG-03, LIT-17: has the stage's table, of fog or lighting, differences between entries? */
bool harness_localise_has_slopes(const struct pica_tables *tables, enum pica_stage_word stage);

void harness_localise_alone_free(struct harness_alone *alone); /* accepts NULL */

/* Of a draw that shows alone, as harness_localise_shows_alone said last: search->needed and what follows it. Of others
 * no more than whether the stage's table has differences between entries. */
void harness_localise_needs(struct harness_localise *search, const struct harness_location *location);

static inline bool harness_localise_takes_words(enum pica_operation_kind kind)
{
    return kind == PICA_OPERATION_DISPLAY_TRANSFER || kind == PICA_OPERATION_MEMORY_FILL;
}

/* Of an engine's operation: search->needed_words. Both runners have run something else when it returns. */
void harness_localise_needs_words(struct harness_localise *search);

/* Of a draw that needs more than the state: location->changed. */
void harness_localise_kept(struct harness_localise *search, struct harness_location *location);

/* The first pixel that differs in the runs, of the buffers of a draw with these registers: out->pixel. */
void harness_localise_find_pixel(const struct harness_localise *search, const uint32_t *registers,
                                 struct harness_location *out);

/* Is one side recorded, so that it runs no part of a case? Then draw and stage come from the other's history of the
 * pixel. The runs hold the state after the operation; both runners are loaded with something else when it returns. */
bool harness_localise_is_recorded(const struct harness_localise *search);
enum harness_status harness_localise_history(struct harness_localise *search, struct harness_location *out,
                                             struct harness_error *error);

/* Can it go on from the state of another, and stop after so many commands? */
bool harness_localise_shares_state(const struct harness_runner *runner);

/* Runs the guilty operation up to command `commands` on one side, with a trace. False: it cannot, or fails. */
bool harness_localise_trace(struct harness_localise *search, int side, uint32_t commands,
                            const struct pica_trace_request *request, pica_trace_sink sink, void *user);

/* The draws of the guilty command, as the first side that can tell sees them. */
struct harness_drawn {
    bool known;          /* false: neither side can */
    uint32_t first, end; /* among those of the operation; the same: it draws nothing */
    uint32_t trigger, list_address, list_word;
};

/* Sets search->registers and search->earlier, too, if there are any. Both runners are loaded with something else. */
enum harness_status harness_localise_drawn(struct harness_localise *search, uint32_t command, struct harness_drawn *out,
                                           struct harness_error *error);

/* A draw that is one immediate vertex (VTX-41). */
static inline bool harness_localise_is_immediate(uint32_t trigger)
{
    return trigger >= PICA_REG_FIXEDATTRIB_DATA0 && trigger <= PICA_REG_FIXEDATTRIB_DATA2;
}

/* How many draws the first `commands` commands of the operation do. */
enum harness_status harness_localise_draws_in(struct harness_localise *search, uint32_t commands, uint32_t *out,
                                              struct harness_error *error);

/* Where one side shows nothing but memory: which command and which stage, by experiments. Both runners are loaded
 * with something else when this returns. */
void harness_localise_infer(struct harness_localise *search, struct harness_location *out, struct harness_error *error);

/* A screen shows something else: names the register of the display, and how the other side reads it. False: none does.
 * The runs hold the state after the operation, and the runners are still there. */
bool harness_localise_display(struct harness_localise *search, struct harness_location *out);

/* Is it one of these stages, in the order of the pipeline? */
bool harness_localise_is_between(const char *stage, enum pica_stage_word first, enum pica_stage_word last);

/* Is it a value of a pixel that comes from its vertices? */
bool harness_localise_comes_from_vertices(const struct harness_location *location);

/* Is it that step of trace.def? */
bool harness_localise_is_step(const struct pica_trace_step *step, enum pica_trace_id id);

/* One word for what differs in the runs, as far as the operation and the oracles tell. */
void harness_localise_name(struct harness_localise *search, struct harness_location *out);

/* The same for a vertex, or a triangle, that only one side has: by the state before the assembler, if that differs. */
void harness_localise_name_lost(const struct harness_localise *search, struct harness_location *out);

/* The same for a draw whose traces agree: the stage to which a part of the state, or an event, belongs. */
void harness_localise_name_drawn(struct harness_localise *search, struct harness_location *out);

#endif
