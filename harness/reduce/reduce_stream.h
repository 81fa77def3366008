/*
 * What the lists of a case send to ports, element by element: shader instructions, operand descriptors, float uniforms,
 * fixed attributes, vertices of immediate mode. Jumps are not followed, so the result is a guess; passes may use it
 * since the backends judge every change.
 */
#ifndef HARNESS_REDUCE_REDUCE_STREAM_H
#define HARNESS_REDUCE_REDUCE_STREAM_H

#include "harness/case/list_scan.h"
#include "harness/reduce/reduce_pass.h"

enum {
    REDUCE_DESCRIPTORS = 128, /* SHD-21: what instructions can name */
    REDUCE_UNIFORMS = 96      /* SHD-20: c0-c95 */
};

/*
 * Updates the registers by one command, ignoring changes that the GPU makes itself; start with oracle_follow_start.
 * Passes see a vector only if it lies within one command, and nothing that a command for several ids sends to a port.
 */
void harness_reduce_follow(struct oracle_follower *registers, const struct harness_command *command);

/* One element. `words` may be changed in place. */
struct reduce_element {
    struct oracle_element at;
    uint32_t *words; /* at.words of them */
};

/* Returns true to remove the element. */
typedef bool (*reduce_element_visitor)(void *user, struct reduce_element *element);

/* Visits all elements in order. *removed (may be NULL): whether any was removed. A command that loses all its elements
 * is removed as well. False if memory runs out. */
bool harness_reduce_elements(struct harness_case *test_case, reduce_element_visitor visitor, void *user, bool *removed);

/* The same for a constant case; the visitor must neither change nor remove elements. */
void harness_reduce_look(const struct harness_case *test_case, reduce_element_visitor visitor, void *user);

/* The operand fields of an instruction by pica's tables; NULL where it has none. */
struct reduce_operands {
    const struct pica_field_info *dest; /* of o and r registers */
    const struct pica_field_info *sources[3];
    const struct pica_field_info *descriptor;
};
struct reduce_operands harness_reduce_operands_of(uint32_t instruction);

/* REG-23: converts between the words of a vector and its components. `float32`: four words, else three of float24. */
void harness_reduce_unpack(const uint32_t *words, bool float32, double out[4]);
void harness_reduce_pack(const double in[4], bool float32, uint32_t *words);

#endif
