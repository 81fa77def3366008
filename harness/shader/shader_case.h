/*
 * A draw around a shader: a case in which a vertex program gets inputs and uniforms and a triangle is drawn with its
 * outputs. A geometry program of points gets them from a vertex program that passes them on, and draws what it emits.
 * Everything else is as plain as a draw can be: the primary colour, written to an 8x8 buffer.
 */
#ifndef HARNESS_SHADER_SHADER_CASE_H
#define HARNESS_SHADER_SHADER_CASE_H

#include "harness/case/case.h"
#include "harness/shader/shader_file.h"

enum {
    HARNESS_SHADER_CORNERS = 3,
    HARNESS_SHADER_VERTICES = 5, /* of a draw: the corners, then the first two again, which stay in the assembler */
    HARNESS_SHADER_INPUTS = 12,  /* that a draw can have (VTX-02) */
    HARNESS_SHADER_DRAWS = 16,   /* of a case */
    HARNESS_SHADER_TARGET = 0x18000000,
    HARNESS_SHADER_SIDE = 8,              /* pixels */
    HARNESS_SHADER_UNTOUCHED = 0x404040FF /* what they are before the first draw */
};

/* What a draw gives to a program. binary32 bits, but for constants of the file. */
struct harness_shader_values {
    uint32_t inputs[16][HARNESS_SHADER_CORNERS][4];
    uint32_t floats[96][4];
    bool is_set[96];     /* the others keep what they have: 0 */
    bool is_float24[96]; /* the words are float24 */
    uint8_t integers[4][4];
    uint16_t booleans;
    uint32_t made_up_inputs;                 /* bit k: nobody said what vk is */
    uint32_t given_integers, given_booleans; /* bit k: harness_shader_values_set did */
    bool is_made_up[96];
};

/*
 * Constants of the file; what else it does not say is made up so that a picture appears where programs do the usual:
 * the first input is a corner of a triangle that covers the buffer, the others are (0.25, 0.5, 0.75, 1), uniforms with
 * a name for four registers are the identity, the rest is 0.
 */
void harness_shader_values_init(const struct harness_shader_program *program, struct harness_shader_values *out);

/*
 * Sets what one "REGISTER=VALUE" says; `what` is "input" or "uniform", for messages, and decides which banks there are.
 * v and c: 1 to 4 numbers with commas, missing ones are 0, 0, 0, 1; "/" between the corners of v, the last one stands
 * for the rest. i: 1 to 4 numbers 0-255. b: true or false. A name for several registers takes as many vectors.
 */
enum harness_status harness_shader_values_set(const struct harness_shader_program *program, const char *what,
                                              const char *assignment, struct harness_shader_values *values,
                                              struct harness_error *error);

/* Is there a way to draw with it? Of a program that has an output, and not more inputs than a draw; a geometry program
 * takes points. */
enum harness_status harness_shader_can_draw(const struct harness_shader_program *program, const char *name,
                                            struct harness_error *error);

struct harness_shader_draws {
    const struct harness_shader_file *file;
    uint32_t program;
    const char *name; /* of the file, for the case's comment */
    const struct harness_shader_values *values;
    uint32_t count; /* 1 to HARNESS_SHADER_DRAWS: an operation each */
    enum pica_profile profile;
};

/* Replaces `out`. */
enum harness_status harness_shader_case(const struct harness_shader_draws *draws, struct harness_case *out,
                                        struct harness_error *error);

#endif
