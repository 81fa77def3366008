/* A geometry stage to test with: vertices are bytes, the shader counts its invocations in r0.x. */
#ifndef TESTS_CONFORMANCE_GEOMETRY_PROBE_H
#define TESTS_CONFORMANCE_GEOMETRY_PROBE_H

#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

static const uint32_t GS_ARRAY = 0x20008000; /* vertex base; byte v of it is v + 1 */

/* ADD r0,c95,r0: c95 of the GS is (1,1,1,1) */
static const uint32_t GS_COUNT = 0x0207F800;

/*
 * A list of its own, or appends: the VS makes o0 = (n, 0, 0, 1) and o1 = (2n, 0, 0, 2) of a vertex with byte n
 * (attribute 0, one u8; in immediate mode one vector); point mode, NV = NG = 1; GS output mask 1, o0 to the
 * position; GS code at 0 (NULL: count and END) with descriptor 0 = IDENTITY; 0x245 = 0 at the end. 0x244 = 1:
 * nothing is shared (REG-27).
 */
struct list gs_list(struct machine *m, const uint32_t *code, uint32_t code_count);
void gs_pipeline(struct machine *m, struct list *list, const uint32_t *code, uint32_t code_count);
/* Appends an array draw of n vertices from vertex 0 and submits. */
void gs_draw(struct machine *m, struct list *list, uint32_t n);
/* The same draw with the registers as they are. */
void gs_draw_again(struct machine *m, uint32_t n);
/* Appends the vector (n, 0, 0, 1) for the fixed-attribute port. */
void gs_vector(struct list *list, uint32_t n);

/* r0.x of the GS unit as an integer. */
uint32_t gs_invocations(struct machine *m);

#endif
