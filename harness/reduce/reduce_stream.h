/*
 * What the lists of a case send to ports, element by element: shader instructions, operand descriptors, float uniforms,
 * fixed attributes, vertices of immediate mode. Only as far as the lists show: jumps are not followed, so what a pass
 * does with it is a guess, and the backends judge.
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
 * The registers as the commands so far leave them, without changes by the GPU itself; oracle_follow_start is the
 * state before the first. Passes see a vector only within one command, and nothing of what a command for several ids
 * sends to a port.
 */
void harness_reduce_follow(struct oracle_follower *registers, const struct harness_command *command);

/* One element. `words` may be changed in place. */
struct reduce_element {
    struct oracle_element at;
    uint32_t *words; /* at.words of them */
};

/* Returns true to take the element out. */
typedef bool (*reduce_element_visitor)(void *user, struct reduce_element *element);

/* Walks through all elements in order. *removed (may be NULL): whether any was taken out; a command that loses all
 * its elements goes. False without memory. */
bool harness_reduce_elements(struct harness_case *test_case, reduce_element_visitor visitor, void *user, bool *removed);

/* The same for a case that is only read; the visitor neither changes nor takes out. */
void harness_reduce_look(const struct harness_case *test_case, reduce_element_visitor visitor, void *user);

/* Instructions, as pica's tables describe them. A field is NULL where the instruction has none. */
struct reduce_operands {
    const struct pica_field_info *dest; /* of o and r registers */
    const struct pica_field_info *sources[3];
    const struct pica_field_info *descriptor;
};
struct reduce_operands harness_reduce_operands_of(uint32_t instruction);

/* REG-23. */
void harness_reduce_unpack(const uint32_t *words, bool float32, double out[4]);
void harness_reduce_pack(const double in[4], bool float32, uint32_t *words);

#endif
