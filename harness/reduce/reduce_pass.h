/*
 * A pass of the reducer knows one kind of thing in a case. It counts them, and changes a range of them: takes them
 * away, or brings them nearer to a canonical value. The engine (reduce.c) picks the ranges, large ones first.
 *
 * Every change must improve some measure of the pass's own, or reduction would not end; and it must depend on nothing
 * but the case, the range and the variant.
 */
#ifndef HARNESS_REDUCE_REDUCE_PASS_H
#define HARNESS_REDUCE_REDUCE_PASS_H

#include "harness/case/case.h"
#include "pica/fields.h"

#include <stdbool.h>
#include <stdint.h>

struct reduce_range {
    uint32_t first;
    uint32_t count;
};

static inline bool harness_reduce_within(struct reduce_range range, uint32_t index)
{
    return index - range.first < range.count;
}

/* A walk over all things of one kind: it counts them, and changes those of the range. */
struct reduce_walk {
    const void *what; /* the pass's */
    struct reduce_range range;
    uint32_t variant;
    uint32_t seen; /* things so far */
    bool changed;
};

/* One thing more: is it to be changed? */
static inline bool harness_reduce_takes(struct reduce_walk *walk)
{
    return harness_reduce_within(walk->range, walk->seen++);
}

/* `count` things more: those of them that are to be changed. */
struct reduce_range harness_reduce_takes_of(struct reduce_walk *walk, uint32_t count);

/* A word with a meaning: a parameter of a command, or a word of an operation. */
struct reduce_word {
    uint32_t *word;
    enum pica_layout layout;
    uint32_t id;    /* of the register, PICA_REGISTERS for words of operations */
    uint32_t reset; /* reset value of the register it goes to; 0 for streams */
    bool is_code;   /* a shader instruction */
    bool is_descriptor;
    bool is_packed; /* part of float24 vectors (FLT-10), not a number of its own */
};
typedef void (*reduce_word_visitor)(void *user, const struct reduce_word *word);

struct reduce_pass {
    const char *name;
    uint32_t variants;
    bool once; /* in the first round only: its changes are for the better in the long run */
    /* What it does. With an empty range it writes nothing. False: memory ran out, and the case is of no use. */
    bool (*walk)(struct harness_case *test_case, struct reduce_walk *walk);
    reduce_word_visitor visit; /* or a walk over all words, with the reduce_walk as its user */
    const void *what;          /* given to the walk */
};

uint32_t harness_reduce_count(const struct reduce_pass *pass, const struct harness_case *test_case);

/* False if nothing changed (or memory ran out). */
bool harness_reduce_apply(const struct reduce_pass *pass, struct harness_case *test_case, struct reduce_range range,
                          uint32_t variant);

/* Passes in the order in which they run. */
struct reduce_plan {
    const struct reduce_pass *const *passes;
    uint32_t count;
};

/* Those of every case; somebody who knows more of one than it shows has others (scrub.c). */
extern const struct reduce_plan harness_reduce_plan;

/* Identifies this list of passes: a saved place in the work of one list means nothing to another. */
uint32_t harness_reduce_passes_digest(void);

extern const struct reduce_pass harness_reduce_operations, harness_reduce_merge, harness_reduce_chunks,
    harness_reduce_windows, harness_reduce_window_sizes, harness_reduce_setup, harness_reduce_state; /* structure */
extern const struct reduce_pass harness_reduce_home, harness_reduce_runs, harness_reduce_addresses,
    harness_reduce_bases; /* addresses */
extern const struct reduce_pass harness_reduce_types, harness_reduce_commands, harness_reduce_parameters,
    harness_reduce_forms, harness_reduce_streams;                                                    /* lists */
extern const struct reduce_pass harness_reduce_jumps;                                                /* jumps */
extern const struct reduce_pass harness_reduce_draws;                                                /* draws */
extern const struct reduce_pass harness_reduce_words, harness_reduce_fields, harness_reduce_usual;   /* values */
extern const struct reduce_pass harness_reduce_instructions;                                         /* shaders */
extern const struct reduce_pass harness_reduce_moves, harness_reduce_copies, harness_reduce_outputs; /* operands */
extern const struct reduce_pass harness_reduce_descriptors, harness_reduce_uniforms, harness_reduce_places,
    harness_reduce_uniform_formats, harness_reduce_numbers;                   /* uploads */
extern const struct reduce_pass harness_reduce_send, harness_reduce_vertices; /* immediate vertices */
extern const struct reduce_pass harness_reduce_attributes, harness_reduce_inputs, harness_reduce_indices; /* arrays */
extern const struct reduce_pass harness_reduce_output_map, harness_reduce_stages, harness_reduce_modes,
    harness_reduce_texture_units, harness_reduce_blending;                     /* stages */
extern const struct reduce_pass harness_reduce_bytes, harness_reduce_contents; /* data */

/* Does the case have the one window that its binary form need not name? */
bool harness_reduce_is_home(const struct harness_case *test_case);

/* Does the case set a limit of commands or instructions? Then taking some away moves the place where it strikes, unless
 * it is lowered by as many. False: there were none to lower it by. */
bool harness_reduce_has_limit(const struct harness_case *test_case);
bool harness_reduce_lower_limits(const struct harness_case *before, struct harness_case *now);

/* May a colour or depth buffer lie over a list, by the largest size of buffers that the case sets? The case stays as it
 * is. */
bool harness_reduce_overlaps(struct harness_case *test_case);

/* ----------------------------------------------------------------------------------------- walking through a case */

/* Contents in order: initial memory, then those of operations. */
struct reduce_blocks {
    struct harness_case *test_case;
    uint32_t next;
};

/* NULL at the end; *address is that of the contents. */
struct harness_data *harness_reduce_next_block(struct reduce_blocks *blocks, uint32_t **address);

/* The lists among them. */
struct harness_list *harness_reduce_next_list(struct reduce_blocks *blocks);

void harness_reduce_visit_words(struct harness_case *test_case, reduce_word_visitor visitor, void *user);

#endif
