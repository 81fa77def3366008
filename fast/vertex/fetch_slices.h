/*
 * A large draw on several threads. It is cut into slices: consecutive values of i, of up to some hundred triangles. A
 * thread takes a slice from indices to bins with a vertex pool, an index cache and an assembler of its own; the few
 * vertices before the slice that its first triangles need (PRM-03, PRM-04) it shades again, and those that indices of
 * other slices name, too. Nothing is changed that
 * others see. When as many slices are made as there are sets of bins, the caller's thread goes through them in order:
 * budgets, events, what the assembler keeps. Then the bins are drawn, each by one thread, slice after slice: so the
 * order of triangles (PRM-09, RST-06) does not depend on who made what when.
 *
 * A slice that cannot be taken so, because a vertex needs the interpreter, a triangle more room, or a budget does not
 * admit all of its triangles, is forgotten: it and the rest of the draw go the way of one thread.
 */
#ifndef FAST_VERTEX_FETCH_SLICES_H
#define FAST_VERTEX_FETCH_SLICES_H

#include <stdint.h>

#include "fast/vertex/fetch_gather.h"
#include "pica/backend.h"

struct fast_gpu;
struct fast_slices;

/* `threads`: workers beside the caller's; with none there are no slices, and *slices is NULL. */
enum pica_status fast_slices_create(struct fast_gpu *gpu, uint32_t threads, struct fast_slices **slices);
void fast_slices_destroy(struct fast_slices *slices); /* accepts NULL */

/*
 * Draws values of i of the running segment from `first` on in slices, if that can be done and pays; returns the first
 * one that is left. The vertex pool is empty, and so it is afterwards.
 */
uint32_t fast_slices_draw(struct fast_gpu *gpu, struct fast_draw_range *draw, uint32_t first);

#endif
