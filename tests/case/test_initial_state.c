/* REG-45: what an initial state says that no machine can hold is dropped, line by line of its list. */
#include "harness/case/state.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 4 /* numbers of a row */
};

/* Element `index` of a part is given, and held after that. */
struct number {
    const char *part;
    uint32_t index, given, held;
};

/* Each row is a state of its own; NG = 4, FN = 3, NV = 2 before. */
static const struct number rows[][MOST] = {
    { { "vertex.queue_length", 0, 9, 3 }, { "geometry.queue_length", 0, 4, 3 }, { "fixed_queue_length", 0, 3, 2 } },
    { { "immediate_count", 0, 16, 15 }, { "reset_armed", 0, 2, 1 } },
    { { "geometry.emit_vertex", 0, 4, 3 },
      { "geometry.emit_primitive", 0, 7, 1 },
      { "geometry.emit_winding", 0, 255, 1 },
      { "geometry.bank", 0, 2, 1 } },
    { { "geometry.compare", 1, 2, 1 },
      { "geometry.in_use", 0, 3, 1 },
      { "geometry.mode", 0, 4, 3 },
      { "geometry.want_count", 0, 9, 1 } },
    { { "geometry.vectors_per_vertex", 0, 17, 16 },
      { "geometry.fixed_vertices", 0, 20, 16 },
      { "geometry.input_vectors", 0, 17, 16 },
      { "geometry.buffer_length", 0, 16, 15 } },
    { { "geometry.in_use", 0, 1, 1 },
      { "geometry.vectors_per_vertex", 0, 0, 1 },
      { "geometry.fixed_vertices", 0, 0, 1 },
      { "geometry.input_vectors", 0, 0, 1 } },
    { { "geometry.in_use", 0, 0, 0 },
      { "geometry.vectors_per_vertex", 0, 0, 0 },
      { "geometry.fixed_vertices", 0, 0, 0 },
      { "geometry.input_vectors", 0, 0, 0 } },
    { { "geometry.buffer_length", 0, 4, 3 }, { "geometry.vertex_count", 0, 3, 2 } },
    { { "geometry.input_vectors", 0, 0, 0 }, { "geometry.buffer_length", 0, 4, 0 } },
    { { "geometry.fixed_vertices", 0, 0, 0 }, { "geometry.vertex_count", 0, 4, 0 } },
    { { "vertex.queue_length", 0, 1, 1 }, { "vertex.queue", 0, 7, 7 }, { "vertex.queue", 1, 7, 0 } },
    { { "geometry.queue_length", 0, 3, 3 }, { "geometry.queue", 2, 7, 7 }, { "geometry.queue", 3, 7, 0 } },
    { { "fixed_queue_length", 0, 1, 1 }, { "fixed_queue", 0, 7, 7 }, { "fixed_queue", 1, 7, 0 } },
    { { "geometry.buffer_length", 0, 1, 1 }, { "geometry.buffer", 3, 7, 7 }, { "geometry.buffer", 4, 7, 0 } },
    { { "assembler.topology", 0, 4, 3 }, { "assembler.winding", 0, 2, 1 }, { "assembler.count", 0, 3, 2 } },
    { { "assembler.topology", 0, 0, 0 }, { "assembler.ready", 0, 1, 0 }, { "assembler.count", 0, 2, 2 } },
    { { "assembler.topology", 0, 3, 3 }, { "assembler.ready", 0, 1, 0 }, { "assembler.count", 0, 1, 1 } },
    { { "assembler.topology", 0, 1, 1 }, { "assembler.ready", 0, 1, 1 }, { "assembler.count", 0, 2, 1 } },
    { { "assembler.topology", 0, 2, 2 }, { "assembler.ready", 0, 1, 1 }, { "assembler.count", 0, 0, 1 } },
    { { "assembler.topology", 0, 2, 2 }, { "assembler.ready", 0, 0, 0 }, { "assembler.count", 0, 2, 1 } },
    { { "assembler.count", 0, 1, 1 }, { "assembler.buffer", 23, 7, 7 }, { "assembler.buffer", 24, 7, 0 } },
    { { "assembler.topology", 0, 1, 1 }, { "assembler.ready", 0, 1, 1 }, { "assembler.buffer", 47, 7, 7 } },
    { { "vertex.uniforms", 383, 0xFFC12345, 0x7FC00000 }, { "geometry.outputs", 5, 0x7F800001, 0x7FC00000 } },
    { { "vertex.code", 511, 0x88000000, 0x88000000 }, { "vertex.code", 512, 0x88000000, 0 } },
    { { "vertex.code", 4095, 1, 0 }, { "geometry.code", 512, 1, 1 }, { "geometry.code", 4095, 1, 1 } },
    { { "vertex.opdescs", 128, 5, 5 }, { "vertex.opdescs", 4095, 5, 5 }, { "geometry.opdescs", 4095, 5, 5 } },
    { { "registers", 0x00F, 1, 0 }, { "registers", 0x034, 1, 1 }, { "registers", 0x035, 1, 0 } },
    { { "external", 0x34 / 4, 0x80000000, 0 }, { "external", 1, 0xFFFFFFFF, 0xFFFFFFFF } },
};

static void expect_held(struct harness_state *state, const struct number numbers[MOST])
{
    harness_state_init(state);
    state->given = UINT64_MAX;
    harness_part_set(&state->values, harness_part_find("geometry.input_vectors"), 0, 4);
    harness_part_set(&state->values, harness_part_find("geometry.fixed_vertices"), 0, 3);
    harness_part_set(&state->values, harness_part_find("geometry.vectors_per_vertex"), 0, 2);
    for (uint32_t i = 0; i < MOST && numbers[i].part != NULL; i++)
        harness_part_set(&state->values, harness_part_find(numbers[i].part), numbers[i].index, numbers[i].given);
    harness_state_normalise(state);
    for (uint32_t i = 0; i < MOST && numbers[i].part != NULL; i++)
        cr_expect_eq(harness_part_get(&state->values, harness_part_find(numbers[i].part), numbers[i].index),
                     numbers[i].held, "REG-45: %s %u = 0x%X", numbers[i].part, (unsigned)numbers[i].index,
                     (unsigned)numbers[i].given);
}

Test(initial_state, REG_45_what_no_machine_can_hold_is_dropped)
{
    struct harness_state *const state = malloc(sizeof *state);
    cr_assert_not_null(state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_held(state, rows[i]);
    free(state);
}

/* Main and left (GSH-20) are of no part: nobody gives them, and they are dropped. */
Test(initial_state, REG_45_main_and_left_become_zero)
{
    struct harness_state *const state = malloc(sizeof *state);
    cr_assert_not_null(state);
    harness_state_init(state);
    state->values.geometry.main_left = 5;
    state->values.geometry.left = 6;
    harness_state_normalise(state);
    cr_expect_eq(state->values.geometry.main_left, 0);
    cr_expect_eq(state->values.geometry.left, 0);
    free(state);
}
