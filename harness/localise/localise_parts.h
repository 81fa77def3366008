/* What the files of the localiser share. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_LOCALISE_PARTS_H
#define HARNESS_LOCALISE_LOCALISE_PARTS_H

#include "harness/localise/localise.h"
#include "harness/run/checkpoint.h"
#include "harness/run/surfaces.h"
#include "pica/regs.h"
#include "pica/stage_words.h"
#include "pica/trace.h"

/* Steps copied from a trace. */
struct harness_recorded {
    struct pica_trace_step *steps;
    size_t count;
    bool failed; /* not enough memory for all of them */
};

/* How a triangle that only one side draws at the pixel appears on the other side, from the least similar to the
 * most. */
enum harness_elsewhere {
    HARNESS_ELSEWHERE_UNKNOWN,
    HARNESS_ELSEWHERE_NOWHERE, /* neither this triangle nor another at any pixel that was tried */
    HARNESS_ELSEWHERE_CLIP,    /* with other corners, before the viewport already */
    HARNESS_ELSEWHERE_SCREEN,  /* with other corners only after the viewport, as far as is known */
    HARNESS_ELSEWHERE_NEAR,    /* with corners that are rounded differently */
    HARNESS_ELSEWHERE_SAME     /* with these corners */
};

/* By texture unit: what earlier draws of the case did with the texture that the guilty draw reads. */
struct harness_earlier {
    bool same[3];  /* one used the same address, size and format in this unit */
    bool drawn[3]; /* one drew into its memory */
};

/* Which part of two runs is compared. The first one in this order that differs after the guilty operation is traced to
 * its command, so that a part that is wrong all the time does not hide a wrong pixel. Parts that a backend does not
 * declare never differ. */
enum harness_localise_part {
    HARNESS_LOCALISE_ALL = 0,
    HARNESS_LOCALISE_MEMORY = 1,
    HARNESS_LOCALISE_REGISTERS = 2,
    HARNESS_LOCALISE_STATE = 3
};

struct harness_localise {
    struct harness_runner *runners[2];
    struct oracle_run runs[2];                /* as of the last collect */
    struct pica_choices choices;              /* of the machine that both sides model */
    const struct oracle_tolerance *tolerance; /* NULL: none. What it allows is not a difference; for this: */
    struct harness_surfaces surfaces;         /* of the case up to the guilty operation */
    struct oracle_tolerated tolerated;        /* memory that runs[1] borrows */
    struct harness_checkpoint *checkpoint;
    const struct harness_program *program;
    uint32_t index;                         /* of the guilty operation in the program */
    const struct pica_operation *operation; /* the guilty one */
    enum harness_localise_part part;
    uint32_t
        old_parts; /* bit enum harness_localise_part: differs before the guilty command, too, and not by what it does */
    bool replays;  /* runs start with the case, not at the checkpoint, since the fault needs more than the state */
    bool stateless;          /* replays because a side cannot load the other's state, or has no command budgets */
    bool is_budgeted;        /* ... but both have budgets, and this list is the first: it runs whole, under a budget */
    struct pica_setup setup; /* if is_budgeted */
    uint32_t *starts;        /* if it replays: first words of the list's commands up to a jump, and of what follows */
    uint32_t start_count;    /* commands in there; the list is cut only after one of them */
    uint32_t skipped;        /* number of a command of the list that is made to write nothing; 0: none */
    uint32_t draws_before;   /* if it replays: draws of the operations before */
    uint32_t *words;         /* if it is stateless: the list that is cut */
    uint8_t *kept[PICA_MAX_WINDOWS + 1]; /* of an experiment */
    struct harness_unrolled *unrolled;   /* what runs in place of lists that jump (unroll.c), or NULL */
    struct harness_alone *alone;         /* a command alone (localise_needs.c), or NULL */
    struct harness_recorded recorded[2];

    /* Inputs of the search for the broken rule (broken_rule.h). */
    uint32_t registers[PICA_REGISTERS];    /* as seen by the guilty draw */
    uint32_t needed[PICA_REGISTERS];       /* ... with usual values in fields that the difference does not need */
    bool is_tried;                         /* `needed` and what follows were found by experiment */
    uint32_t needed_words[9];              /* the same for the words of an engine's operation */
    bool has_fog_slopes, has_light_slopes; /* the tables have differences between entries */
    bool needs_slopes, needs_share;        /* the difference needs differing entries in the stage's table; a share of
                                              fog */
    bool needs_texels, differs_alike;      /* it needs differing texels; it shows with equal ones, too */
    bool needs_wraps;                      /* it needs S and T to be wrapped in different ways */
    bool needs_clipping;                   /* it needs a corner that clipping has made */
    bool needs_no_scissor;                 /* it needs the scissor test to be off */
    uint32_t clip[3][4], clip_mask;   /* corners of the triangle that only one side draws; bit i: corner i is known */
    bool reused_number;               /* the vertex number that differs is that of an earlier vertex of the draw */
    struct harness_earlier earlier;   /* known if it replays */
    enum harness_elsewhere elsewhere; /* of the triangle that only one side draws */
    const char *given_rule;           /* the rule that the step itself names (pica/trace.def), or NULL */
    bool by_rules;                    /* the step, or an earlier one of its stage, names a rule */
    const char *event_rule;           /* of an undefined event that only one side records; NULL: there is none */
    bool one_stops;                   /* ... namely that a budget ended the list while the other side went on */
    bool traces_agree;                /* the traces of all draws of the guilty command are equal on both sides */
    bool clip_agrees;                 /* both trace what rules of clipping give, all alike */
    bool differs_traced;              /* ... and memory differs where these are traced, too */
    bool event_only;                  /* an event is all that differs */
    const char *state_rule;           /* of the first part of the state that differs; "": none does */
    const char *register_rule;        /* of the first register that differs, or NULL */
    const char *collected_rule;       /* if the vertices that a geometry shader gets as uniforms differ; or NULL */
    bool only_inputs;                 /* of the geometry unit: its queued vertices agree, its inputs differ */
    bool one_draws;                   /* no traced value differs, and one side draws fewer pixels */
    bool other_layer;    /* of several triangles over the pixel, the side without traces shows an earlier one */
    bool same_memory;    /* an engine has left the same memory on both sides */
    bool repeated;       /* a fill: the first copy of the pattern is right (PSC-06) */
    bool not_written;    /* an engine: where the two differ, one side has what was there before */
    bool list_rewritten; /* the list in memory has changed since it began */
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

/* Does this part differ between the runs? */
bool harness_localise_differs(const struct harness_localise *search, enum harness_localise_part part);

/* Runs both sides, collects what both hold then, and says whether search->part of it differs. */
enum harness_status harness_localise_collect(struct harness_localise *search, struct harness_error *error);
enum harness_status harness_localise_run_commands(struct harness_localise *search, uint32_t commands, bool *differ,
                                                  struct harness_error *error);

/* "localise: WHAT failed on backend A or B". */
enum harness_status harness_localise_fail(const struct harness_localise *search, const char *what,
                                          struct harness_error *error);

/* Given the guilty operation, finds the command and all that follows. The checkpoint must have been taken. */
enum harness_status harness_localise_command(struct harness_localise *search, struct harness_location *out,
                                             struct harness_error *error);

/* Given the guilty command, finds draw, pixel, triangle, vertex and stage. The runs must hold the state after the
 * command. */
enum harness_status harness_localise_draw(struct harness_localise *search, struct harness_location *out,
                                          struct harness_error *error);

/* A side without command budgets cannot stop within a list that is jumped to. So if the guilty operation's lists jump,
 * and the other side can tell what they contain, replaces them in search->program by one list without jumps, provided
 * that this still shows the difference. */
void harness_localise_unroll(struct harness_localise *search);
/* Where a command and a draw of that list come from. */
void harness_localise_unrolled_place(const struct harness_localise *search, struct harness_location *out);
void harness_localise_unrolled_free(struct harness_unrolled *unrolled); /* accepts NULL */

/* Sets search->elsewhere for a triangle that only one side draws (out->whole_part). */
void harness_localise_elsewhere(struct harness_localise *search, const struct harness_location *out);

/* Does command number `number` show the fault when it runs alone, from a copy of the first side's state before it?
 * *ran: this could be tried. Overwrites the runs; search->alone keeps the answer and the copy. */
bool harness_localise_shows_alone(struct harness_localise *search, const struct harness_command *command,
                                  uint32_t number, bool *ran);

/* The parts (bit enum harness_localise_part) that differ after that command, and not if nothing runs. 0: none, or it
 * does not show the fault. Overwrites the runs. */
uint32_t harness_localise_own_parts(struct harness_localise *search);

/* FOG-03, LIT-17: has the table of the stage (fog or lighting) non-zero differences between entries? */
bool harness_localise_has_slopes(const struct pica_tables *tables, enum pica_stage_word stage);

void harness_localise_alone_free(struct harness_alone *alone); /* accepts NULL */

/* Sets search->needed and the members after it for a draw that shows the fault alone (the last answer of
 * harness_localise_shows_alone). For other draws sets only whether the stage's table has differences between
 * entries. */
void harness_localise_needs(struct harness_localise *search, const struct harness_location *location);

static inline bool harness_localise_takes_words(enum pica_operation_kind kind)
{
    return kind == PICA_OPERATION_DISPLAY_TRANSFER || kind == PICA_OPERATION_MEMORY_FILL;
}

/* Sets search->needed_words for an engine's operation. Both runners have run something else afterwards. */
void harness_localise_needs_words(struct harness_localise *search);

/* Sets location->changed for a draw whose fault needs more than the state. */
void harness_localise_kept(struct harness_localise *search, struct harness_location *location);

/* Sets out->pixel to the first pixel that differs between the runs in the buffers of a draw with these registers. */
void harness_localise_find_pixel(const struct harness_localise *search, const uint32_t *registers,
                                 struct harness_location *out);

/* Is one side a recording, which cannot run parts of a case? Then harness_localise_history finds draw and stage from
 * the other side's history of the pixel. The runs must hold the state after the operation; both runners are loaded with
 * something else afterwards. */
bool harness_localise_is_recorded(const struct harness_localise *search);
enum harness_status harness_localise_history(struct harness_localise *search, struct harness_location *out,
                                             struct harness_error *error);

/* Can the runner load another's state, and stop at a command budget? */
bool harness_localise_shares_state(const struct harness_runner *runner);

/* Runs the guilty operation up to command `commands` on one side, with a trace. False if the side cannot, or fails. */
bool harness_localise_trace(struct harness_localise *search, int side, uint32_t commands,
                            const struct pica_trace_request *request, pica_trace_sink sink, void *user);

/* The draws of the guilty command, as reported by the first side that can. */
struct harness_drawn {
    bool known;          /* false: neither side can */
    uint32_t first, end; /* numbers among the operation's draws; equal: the command draws nothing */
    uint32_t trigger, list_address, list_word;
};

/* If there are draws, sets search->registers and search->earlier as well. Both runners are loaded with something
 * else. */
enum harness_status harness_localise_drawn(struct harness_localise *search, uint32_t command, struct harness_drawn *out,
                                           struct harness_error *error);

/* A draw that is one immediate vertex (VTX-41). */
static inline bool harness_localise_is_immediate(uint32_t trigger)
{
    return trigger >= PICA_REG_FIXEDATTRIB_DATA0 && trigger <= PICA_REG_FIXEDATTRIB_DATA2;
}

/* *out: the number of draws in the first `commands` commands of the operation. */
enum harness_status harness_localise_draws_in(struct harness_localise *search, uint32_t commands, uint32_t *out,
                                              struct harness_error *error);

/* If one side shows nothing but memory, finds command and stage by experiments. Both runners are loaded with something
 * else afterwards. */
void harness_localise_infer(struct harness_localise *search, struct harness_location *out, struct harness_error *error);

/* If a screen differs, names the display register that explains it, and how the other side interprets that register.
 * False if none does. The runs and the runners must hold the state after the operation. */
bool harness_localise_display(struct harness_localise *search, struct harness_location *out);

/* Is the stage one from `first` to `last`, in pipeline order? */
bool harness_localise_is_between(const char *stage, enum pica_stage_word first, enum pica_stage_word last);

/* Is the differing value one of a pixel that comes from its vertices? */
bool harness_localise_comes_from_vertices(const struct harness_location *location);

/* The word whose text this is, or NULL. */
const struct pica_stage_word_info *harness_localise_word(const char *text);

/* Is it the step `id` of trace.def? */
bool harness_localise_is_step(const struct pica_trace_step *step, enum pica_trace_id id);

/* Sets out->stage to a word for what differs between the runs, from the operation and the oracles alone. */
void harness_localise_name(struct harness_localise *search, struct harness_location *out);

/* The same for a vertex or triangle that only one side has, from the state before the assembler if that differs. */
void harness_localise_name_lost(const struct harness_localise *search, struct harness_location *out);

/* The same for a draw whose traces agree: the stage that a differing part of the state, or event, belongs to. */
void harness_localise_name_drawn(struct harness_localise *search, struct harness_location *out);

#endif
