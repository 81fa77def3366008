/*
 * A large draw on several threads. It is cut into slices: consecutive values of i that make up to some hundred
 * triangles. A thread takes a slice from indices to bins, with a vertex pool, an index cache and an assembler of its
 * own. It shades the few vertices before the slice that its first triangles need (PRM-03, PRM-04) once more, and
 * likewise vertices that indices of other slices name too. Nothing that other threads see is changed. When as many
 * slices are made as there are sets of bins, the caller's thread goes through them in order and applies their budgets,
 * events and assembler state. Then the bins are drawn, each by one thread, slice after slice. So the order of triangles
 * (PRM-09, RST-06) does not depend on which thread made a slice or when.
 *
 * A slice that cannot be taken this way is discarded: because a vertex needs the interpreter, because its bins had no
 * room for a triangle, or because a budget does not admit all of its triangles. It and the rest of the draw are then
 * processed by one thread.
 */
#ifndef FAST_VERTEX_FETCH_SLICES_H
#define FAST_VERTEX_FETCH_SLICES_H

#include <stdint.h>

#include "fast/vertex/fetch_gather.h"
#include "pica/backend.h"

struct fast_gpu;
struct fast_slices;

/* `threads`: number of workers besides the caller's thread; if 0, there are no slices, and *slices is NULL. */
enum pica_status fast_slices_create(struct fast_gpu *gpu, uint32_t threads, struct fast_slices **slices);
void fast_slices_destroy(struct fast_slices *slices); /* accepts NULL */

/*
 * Draws values of i of the running segment in slices, from `first` on, if that is possible and pays; returns the first
 * value that is left. The vertex pool must be empty, and is empty afterwards.
 */
uint32_t fast_slices_draw(struct fast_gpu *gpu, struct fast_draw_range *draw, uint32_t first);

#endif
