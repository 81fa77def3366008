/* What the files of mutation share among themselves and with generation. Private to harness/grammar. */
#ifndef HARNESS_MUTATE_PARTS_H
#define HARNESS_MUTATE_PARTS_H

#include "harness/case/case.h"
#include "harness/grammar/mutate.h"
#include "harness/grammar/random.h"
#include "harness/grammar/values.h"

enum {
    MUTATE_MOST_OPERATIONS = 256, /* cases and lists that have as many only shrink */
    MUTATE_MOST_COMMANDS = 2048,
    MUTATE_MOST_CHUNKS = 256
};

/* What every mutation works on. The functions below that take it and return bool change the case; they return false,
 * and leave it as it was, if it has nothing for them to change. */
struct mutation {
    struct harness_case *test_case;
    struct harness_random *random;
    harness_leaf_mutator leaf; /* or NULL */
};

/* ------------------------------------------------------------------------------------------------ mutate_kinds.c */

/* Makes `count` changes to a case in memory, which stays valid; `leaf` may be NULL. Returns the kinds of change that
 * were made, a bit for each number of harness_mutation_kind_name. */
uint64_t harness_case_mutate(struct harness_case *test_case, struct harness_random *random, uint32_t count,
                             harness_leaf_mutator leaf);

bool mutate_by_kind(const struct mutation *mutation, uint32_t kind);

/* ------------------------------------------------------------------------------------------------- mutate_list.c */

/* One of the lists of the case that have commands, each equally likely; NULL if there is none. */
struct harness_list *mutate_pick_list(const struct mutation *mutation);

/* An address that the case names, or one near it, or one in a window, mostly aligned as buffers are. */
uint32_t mutate_any_address(const struct mutation *mutation);

/* A word for a register, by its layout. */
uint32_t mutate_any_value(const struct mutation *mutation, uint32_t id);

/* The word of a register after one change. */
uint32_t mutate_register_word(const struct mutation *mutation, uint32_t id, uint32_t old);

bool mutate_word(const struct mutation *mutation);
bool mutate_words(const struct mutation *mutation);
bool mutate_header(const struct mutation *mutation);
bool mutate_count(const struct mutation *mutation);
bool mutate_insert_command(const struct mutation *mutation);
bool mutate_delete_commands(const struct mutation *mutation);
bool mutate_repeat_commands(const struct mutation *mutation);
bool mutate_move_commands(const struct mutation *mutation);
bool mutate_draw_again(const struct mutation *mutation);
bool mutate_splice_block(const struct mutation *mutation);
bool mutate_tail(const struct mutation *mutation);

/* Inserts copies of `count` commands of `from`, beginning at `first`, into `to` before `index`. */
void mutate_insert_copies(struct harness_case *test_case, struct harness_list *to, uint32_t index,
                          const struct harness_list *from, uint32_t first, uint32_t count);

/* ------------------------------------------------------------------------------------------------ mutate_reuse.c */

/* Memory that a case names: contents, lists, buffers, what engines read and write. The size is 0 if it is not known. */
struct mutate_place {
    uint32_t address;
    uint32_t size;
};

/* One of them, each equally likely; false if there is none. */
bool mutate_named_place(const struct mutation *mutation, struct mutate_place *out);

/* The address of the first byte of the place, of an end of it, or one near it. */
uint32_t mutate_near(const struct mutation *mutation, const struct mutate_place *place);

bool mutate_reuse(const struct mutation *mutation);
bool mutate_delta(const struct mutation *mutation);

/* ------------------------------------------------------------------------------------------------- mutate_draw.c */

bool mutate_draws(const struct mutation *mutation);
bool mutate_copy_field(const struct mutation *mutation);
bool mutate_stream(const struct mutation *mutation);

/* --------------------------------------------------------------------------------------------- mutate_vertices.c */

bool mutate_vertices(const struct mutation *mutation);
bool mutate_relocate(const struct mutation *mutation);

/* ------------------------------------------------------------------------------------------------ mutate_block.c */

bool mutate_shader_block(const struct mutation *mutation);

/* ----------------------------------------------------------------------------------------------- mutate_shader.c */

uint32_t mutate_any_instruction(struct harness_random *random);
uint32_t mutate_instruction(struct harness_random *random, uint32_t old);
bool mutate_shader(const struct mutation *mutation);

/* Takes `count` parameters out of a command that keeps at least one. */
void mutate_remove_words(struct harness_command *command, uint32_t first, uint32_t count);

/* ------------------------------------------------------------------------------------------------- mutate_data.c */

/* The contents of chunk `index`, or, counting on after the chunks, of an operation: NULL if that is no LOAD. *address
 * is where their address stands. */
struct harness_data *mutate_contents_at(struct harness_case *test_case, uint32_t index, uint32_t **address);

bool mutate_contents(const struct mutation *mutation);
bool mutate_chunks(const struct mutation *mutation);

/* -------------------------------------------------------------------------------------------- mutate_operation.c */

bool mutate_operation_words(const struct mutation *mutation);
bool mutate_insert_operation(const struct mutation *mutation);
bool mutate_delete_operations(const struct mutation *mutation);
bool mutate_move_operation(const struct mutation *mutation);

/* ------------------------------------------------------------------------------------------------ mutate_setup.c */

bool mutate_windows(const struct mutation *mutation);
bool mutate_limits(const struct mutation *mutation);
bool mutate_state(const struct mutation *mutation);

/* How many bytes the windows of a case may have after a change: as many as before, or 256 KiB if that is more. */
uint32_t mutate_window_bytes(const struct harness_case *test_case);

/* --------------------------------------------------------------------------------------------------- crossover.c */

/* Copies something of `from` into `to`: by a kind of crossover that is drawn by weight, or by the given one. False if
 * `from` has nothing for it. */
bool splice(struct harness_case *to, struct harness_case *from, struct harness_random *random);
bool splice_by_kind(struct harness_case *to, struct harness_case *from, struct harness_random *random, uint32_t kind);

#endif
