/* Draw-level events; those of array layouts are in fetch_layout.c. */
#ifndef FAST_VERTEX_FETCH_EVENTS_H
#define FAST_VERTEX_FETCH_EVENTS_H

#include <stdint.h>

struct fast_gpu;

/* What draws with 0x228 > 0 and immediate vertices have in common. After GSH-05. */
void fast_record_common_events(struct fast_gpu *gpu);

/* VTX-13: array draws only; `attributes` = NA. */
void fast_record_count_event(struct fast_gpu *gpu, uint32_t attributes);

#endif
