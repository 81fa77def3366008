/* Which vertices a draw needs (VTX-21 to VTX-24): from values of i through the index cache into a vertex pool. */
#include "fast/vertex/fetch_gather.h"

#include <string.h>

#include "fast/gpu.h"
#include "fast/trace.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/shader.h"

uint32_t fast_read_index(struct fast_gpu *gpu, const struct fast_index_list *list, uint32_t i)
{
    if (list->bytes != NULL)
        return list->width == 1u ? list->bytes[i] : fast_load_le16(list->bytes + 2u * (size_t)i);
    const uint32_t address = list->address + i * list->width;
    if (fast_memory_bytes(gpu, address, list->width) == NULL)
        fast_event(gpu, PICA_EVENT_MEM_OOB);
    return list->width == 1u ? fast_read8(gpu, address) : fast_read16(gpu, address);
}

/* Starts a new generation, which invalidates every entry of the index cache. */
void fast_gather_begin(struct fast_gather *gather)
{
    gather->cache_generation += 1u;
    if (gather->cache_generation > 0xffffu) {
        memset(gather->cache, 0, sizeof gather->cache);
        gather->cache_generation = 1u;
    }
}

void fast_gather_forget(struct fast_gather *gather)
{
    memset(gather->half, 0, sizeof gather->half);
    gather->any_half = false;
}

/*
 * On the caller's thread: shades the pending vertices by the plan or the interpreter, and notes them for a trace.
 * `first`: number of the first one in the pool.
 */
static void shade_own(struct fast_gpu *gpu, uint32_t first)
{
    fast_shade_pending(gpu, first);
    if (gpu->traces_vertices)
        fast_trace_batch(gpu, first / FAST_LANES);
}

void fast_gather_shade(struct fast_gpu *gpu, struct fast_gather *gather)
{
    if (gather->pending_count == 0u)
        return;
    const uint32_t first = gather->primitives->vertex_count - gather->pending_count;
    assert(first % FAST_LANES == 0u);
    if (!gather->of_slice)
        shade_own(gpu, first);
    else if (!fast_shade_by_plan(gpu, gather, first))
        gather->fails = true;
    gather->pending_count = 0u;
}

bool fast_gather_complete(struct fast_gpu *gpu, struct fast_gather *gather, const uint8_t needed[FAST_POOL_BLOCKS],
                          uint32_t slots)
{
    const uint32_t count = (gather->primitives->vertex_count + FAST_LANES - 1u) / FAST_LANES;
    uint32_t blocks[FAST_PLAN_BLOCKS];
    uint32_t waiting = 0u;
    uint32_t wanted = slots;
    bool good = true;
    for (uint32_t b = 0; b < count && good; b++) {
        if (!gather->half[b] || needed[b] == 0u)
            continue;
        blocks[waiting++] = b;
        wanted |= needed[b] == FAST_BLOCK_KEPT ? UINT32_MAX : 0u;
        if (waiting == FAST_PLAN_BLOCKS) {
            good = fast_shade_rest(gpu, gather, blocks, waiting, wanted);
            waiting = 0u;
            wanted = slots;
        }
    }
    if (good && waiting != 0u)
        good = fast_shade_rest(gpu, gather, blocks, waiting, wanted);
    memset(gather->half, 0, sizeof gather->half);
    gather->any_half = false;
    return good;
}

/* Reserves a place in the pool for a vertex, which is shaded later. */
static uint32_t add_pending(struct fast_gpu *gpu, struct fast_gather *gather, uint32_t relative)
{
    struct fast_primitives *const primitives = gather->primitives;
    const uint32_t offset = fast_vertex_offset(primitives->vertex_count);
    gather->uses[primitives->vertex_count] = 1u;
    gather->numbers[primitives->vertex_count] = relative;
    gather->pending_count += 1u;
    primitives->vertex_count += 1u;
    if (gather->pending_count == gpu->vertices->pending_limit)
        fast_gather_shade(gpu, gather);
    return offset;
}

/* The same for `count` consecutive vertices. Their offsets grow by one inside a block. */
static void add_pending_run(struct fast_gpu *gpu, struct fast_gather *gather, uint32_t first_relative, uint32_t count,
                            uint32_t *offsets)
{
    struct fast_primitives *const primitives = gather->primitives;
    for (uint32_t done = 0; done < count;) {
        const uint32_t room = FAST_LANES - primitives->vertex_count % FAST_LANES;
        const uint32_t run = count - done < room ? count - done : room;
        const uint32_t offset = fast_vertex_offset(primitives->vertex_count);
        uint32_t *const numbers = gather->numbers + primitives->vertex_count;
        for (uint32_t k = 0; k < run; k++)
            numbers[k] = first_relative + done + k;
        for (uint32_t k = 0; k < run; k++)
            offsets[done + k] = offset + k;
        for (uint32_t k = 0; k < run && gather->counts; k++)
            gather->uses[primitives->vertex_count + k] = 1u;
        gather->pending_count += run;
        primitives->vertex_count += run;
        done += run;
        if (gather->pending_count == gpu->vertices->pending_limit)
            fast_gather_shade(gpu, gather);
    }
}

/* VTX-24: the same index gives the same vertex, so a vertex is shaded only once per chunk if the cache still has it. */
static uint32_t indexed_vertex(struct fast_gpu *gpu, struct fast_gather *gather, uint32_t index, uint32_t first)
{
    struct fast_index_cache_entry *const entry = &gather->cache[index & (gpu->capacity.index_cache - 1u)];
    const uint32_t tag = gather->cache_generation << 16 | index;
    if (entry->tag != tag) {
        entry->tag = tag;
        entry->offset = add_pending(gpu, gather, index - first);
    } else if (gather->counts) {
        gather->uses[fast_vertex_number(entry->offset)] += 1u;
    }
    return entry->offset;
}

static void read_indices(struct fast_gpu *gpu, const struct fast_index_list *list, uint32_t first, uint32_t count,
                         uint32_t *indices)
{
    const uint8_t *const bytes = list->bytes != NULL ? list->bytes + (size_t)first * list->width : NULL;
    if (bytes == NULL)
        for (uint32_t k = 0; k < count; k++)
            indices[k] = fast_read_index(gpu, list, first + k);
    else if (list->width == 1u)
        for (uint32_t k = 0; k < count; k++)
            indices[k] = bytes[k];
    else
        for (uint32_t k = 0; k < count; k++)
            indices[k] = fast_load_le16(bytes + 2u * (size_t)k);
}

void fast_gather_values(struct fast_gpu *gpu, struct fast_gather *gather, const struct fast_draw_range *draw,
                        uint32_t first, uint32_t count, uint32_t *offsets)
{
    uint32_t indices[FAST_FETCH_GROUP];
    assert(count <= FAST_FETCH_GROUP);
    if (!draw->elements) {
        add_pending_run(gpu, gather, first, count, offsets);
        return;
    }
    read_indices(gpu, &draw->indices, first, count, indices);
    for (uint32_t k = 0; k < count; k++)
        offsets[k] = indexed_vertex(gpu, gather, indices[k], draw->first);
}
