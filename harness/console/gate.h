/*
 * May a console run this case, and how? The gates of export (docs/console-facts.md, CON-13, CON-14, CON-51, CON-54): a
 * case passes if all of them find nothing, and every reason why not is named.
 *
 * What a case touches is not guessed from its text: two machines of `reference` run it side by side. One starts from
 * the state that the case wants, the other from what the prologue makes of a state of noise, which is how a console
 * would be found. Both must leave the same memory after each operation, else the case depends on what no register can
 * set.
 */
#ifndef HARNESS_CONSOLE_GATE_H
#define HARNESS_CONSOLE_GATE_H

#include "harness/case/case.h"
#include "harness/case/text.h"
#include "oracles/pixels.h"
#include "pica/events.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is to be done with one operation. */
struct console_step_plan {
    bool is_list;
    bool from_vram;          /* the list must run where it is: it jumps, or something writes over it */
    bool add_flush;          /* it draws and does not flush (CON-43) */
    uint32_t list_words;     /* up to FINALIZE, without it, if it runs from a copy */
    uint32_t finalize_value; /* that ends it */
    uint32_t *list;          /* those words; owned */
    uint32_t pages, crc;     /* what `reference` changes: the STEP that a console agreeing with it writes */
};

/* What the gates found out. Start from zeros; console_plan_free empties it. */
struct console_plan {
    struct harness_text reasons; /* why not, a line each; empty: it may be exported */
    const char *suspect;         /* its name (hangs.h); NULL: none */
    const char *open;            /* the event that leaves its result open, though nothing hangs; NULL: none */
    uint32_t needs;              /* enum console_case_flag: what must come back for a verdict about it */
    bool has_target;
    struct oracle_surface target;    /* colour buffer of the last draw, if there was one that may write colours */
    uint32_t depth[2];               /* first byte and end of the pages that depth and stencil change; 0, 0: none */
    struct console_step_plan *steps; /* one for each operation of the program */
    uint32_t step_count;
};

void console_plan_free(struct console_plan *plan);

struct console_gates;

/* `may_hang`: let a case pass that has one suspected event and nothing else against it. On failure *out is NULL. */
enum harness_status console_gates_create(bool may_hang, struct console_gates **out, struct harness_error *error);
void console_gates_destroy(struct console_gates *gates); /* accepts NULL */

/* From now on any number of suspected events is let pass. */
void console_gates_allow_hangs(struct console_gates *gates);

/* Asks all gates about a case that was lowered. HARNESS_OK whatever they say: see plan->reasons. */
enum harness_status console_gates_ask(struct console_gates *gates, const struct harness_program *program,
                                      struct console_plan *plan, struct harness_error *error);

/* The state a case begins with: its own, or that after reset. */
void console_wanted_state(const struct pica_setup *setup, struct pica_state *out);

#endif
