/*
 * A pass of the reducer handles one kind of thing in a case. It counts these things, and changes a range of them:
 * removes them, or brings them nearer to a canonical value. The engine (reduce.c) picks the ranges, large ones first.
 *
 * Every change must improve some measure that belongs to the pass, or reduction would not terminate; and it must depend
 * only on the case, the range and the variant.
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

/* A walk over all things of one kind. It counts them, and changes those in the range. */
struct reduce_walk {
    const void *what; /* reduce_pass.what */
    struct reduce_range range;
    uint32_t variant;
    uint32_t seen; /* things so far */
    bool changed;
};

/* Counts one thing. Is it to be changed? */
static inline bool harness_reduce_takes(struct reduce_walk *walk)
{
    return harness_reduce_within(walk->range, walk->seen++);
}

/* Counts `count` things; returns which of them are to be changed. */
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
    bool once; /* in the first round only: its changes pay off in later passes */
    /* Counts and changes things; with an empty range only counts. False: memory ran out, and the case is unusable. */
    bool (*walk)(struct harness_case *test_case, struct reduce_walk *walk);
    reduce_word_visitor visit; /* alternative to `walk`: called for each word, with the reduce_walk as user */
    const void *what;          /* passed on as reduce_walk.what */
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

/* The usual passes; the scrubber has others (scrub.c). */
extern const struct reduce_plan harness_reduce_plan;

/* Identifies this list of passes: a saved cursor is valid only for the list that it was saved with. */
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

/* harness_reduce_has_limit: does the case limit the number of commands or instructions? Removing some of them moves the
 * place where the limit is reached, unless it is lowered by as many, which the second function does. That returns false
 * if no limit was lowered. */
bool harness_reduce_has_limit(const struct harness_case *test_case);
bool harness_reduce_lower_limits(const struct harness_case *before, struct harness_case *now);

/* May a colour or depth buffer overlap a list, assuming the largest buffer size that the case sets? Leaves the case
 * unchanged. */
bool harness_reduce_overlaps(struct harness_case *test_case);

/* ----------------------------------------------------------------------------------------- walking through a case */

/* Iterates over the contents of a case: initial memory first, then the contents that operations carry. */
struct reduce_blocks {
    struct harness_case *test_case;
    uint32_t next;
};

/* The next contents, or NULL at the end; *address points to their address in the case. */
struct harness_data *harness_reduce_next_block(struct reduce_blocks *blocks, uint32_t **address);

/* The bytes of contents that are not empty, as memory gets them (harness_data_size says how many): borrowed from the
 * case, or computed in its arena. NULL without memory. */
const uint8_t *harness_reduce_written(struct harness_case *test_case, const struct harness_data *data, bool padded);

/* The next contents that are a list, or NULL at the end. */
struct harness_list *harness_reduce_next_list(struct reduce_blocks *blocks);

void harness_reduce_visit_words(struct harness_case *test_case, reduce_word_visitor visitor, void *user);

#endif
