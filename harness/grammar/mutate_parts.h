/* What the files of mutation share among themselves and with generation. Private to harness/grammar. */
#ifndef HARNESS_MUTATE_PARTS_H
#define HARNESS_MUTATE_PARTS_H

#include "harness/case/case.h"
#include "harness/grammar/mutate.h"
#include "harness/grammar/random.h"
#include "harness/grammar/values.h"

/* What every mutation works on. Each returns false if the case has nothing for it; then the case is as before. */
struct mutation {
    struct harness_case *test_case;
    struct harness_random *random;
    harness_leaf_mutator leaf; /* or NULL */
};

/* ------------------------------------------------------------------------------------------------ mutate_kinds.c */

/* Changes of a case in memory, `count` of them. The case stays valid; `leaf` may be NULL. Returns the kinds that were
 * taken, bit by bit as harness_mutation_kind_name numbers them. */
uint64_t harness_case_mutate(struct harness_case *test_case, struct harness_random *random, uint32_t count,
                             harness_leaf_mutator leaf);

bool mutate_by_kind(const struct mutation *mutation, uint32_t kind);

/* ------------------------------------------------------------------------------------------------- mutate_list.c */

/* One of the lists of the case that have commands, each equally likely; NULL if there is none. */
struct harness_list *mutate_pick_list(const struct mutation *mutation);

/* An address that the case names, or near one; else one in one of the windows, mostly aligned as buffers are. */
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

/* Copies of commands first..first + count - 1 of `from`, inserted into `to` before `index`. */
void mutate_insert_copies(struct harness_case *test_case, struct harness_list *to, uint32_t index,
                          const struct harness_list *from, uint32_t first, uint32_t count);

/* ------------------------------------------------------------------------------------------------ mutate_reuse.c */

/* Memory that a case names: contents, lists, buffers, what engines read and write. Size 0: not known. */
struct mutate_place {
    uint32_t address;
    uint32_t size;
};

/* One of them, each equally likely; false if there is none. */
bool mutate_named_place(const struct mutation *mutation, struct mutate_place *out);

/* Its first byte, an end, or an address near it. */
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

/* ------------------------------------------------------------------------------------------------- mutate_data.c */

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

/* Bytes that the windows of a case may have after a change: what they have, at least 256 KiB. */
uint32_t mutate_window_bytes(const struct harness_case *test_case);

/* --------------------------------------------------------------------------------------------------- crossover.c */

/* Takes something of `from` into `to`: one of splice_by_kind's, each in its share; false if `from` has nothing for
 * it. */
bool splice(struct harness_case *to, struct harness_case *from, struct harness_random *random);
bool splice_by_kind(struct harness_case *to, struct harness_case *from, struct harness_random *random, uint32_t kind);

#endif
