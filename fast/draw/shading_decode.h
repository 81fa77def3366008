/*
 * Private to the files that decode struct fast_shading_state, one for each stage: SLUG_decode.c. The object that lives
 * as long as the instance, and who decodes what.
 */
#ifndef FAST_DRAW_SHADING_DECODE_H
#define FAST_DRAW_SHADING_DECODE_H

#include "fast/draw/shading_state.h"
#include "fast/draw/texture_cache.h"
#include "fast/gpu.h"
#include "pica/enums.h"
#include "pica/regs.h"

/*
 * Decoded tables: value and slope. Entry by entry they are functions of the raw words of struct pica_tables, which
 * port.c fills (LIT-05, PTX-01, PTX-02, PTX-03, FOG-02, GSF-03; PTX-05: 0 at reset). Each is decoded when a batch first
 * needs it after a change. The gas table never is: its colours and differences have no effect (GSF-04).
 */
struct fast_decoded_tables {
    struct fast_lut256 lighting[24];
    struct fast_lut128 fog, noise, color_map, alpha_map;
    float color[256][4];
    float difference[256][4];
};

struct fast_shading {
    uint32_t stale_tables; /* FAST_TABLE_*: raw words changed since the decoded table was made */
    bool events_are_known; /* `events` are those of the last decoded state */
    struct pica_events events;
    struct fast_decoded_tables tables;
    struct fast_texture_cache textures;
};

/* Tells whether the table (FAST_TABLE_*) has to be decoded, and notes that it will be. */
static inline bool fast_table_is_stale(struct fast_gpu *gpu, uint32_t table)
{
    const uint32_t bit = 1u << table;
    const bool stale = (gpu->shading->stale_tables & bit) != 0;
    gpu->shading->stale_tables &= ~bit;
    return stale;
}

/* Each sets its part of the state. The units look at `unit_used` (TEX-32). */
void fast_decode_combiner(const uint32_t *registers, struct fast_combiner *combiner);
void fast_decode_textures(struct fast_gpu *gpu, struct fast_shading_state *state);
void fast_decode_proctex(struct fast_gpu *gpu, struct fast_shading_state *state);
void fast_decode_lighting(struct fast_gpu *gpu, struct fast_lighting *lighting);
void fast_decode_fog(struct fast_gpu *gpu, struct fast_fog *fog);

/* Sets `rgba` from the stages (combiner_rgba.c). */
void fast_find_rgba_stages(struct fast_combiner *combiner);

/* What decides the class M events of a batch, and where they go. */
struct fast_event_sink {
    const struct fast_gpu *gpu;
    struct pica_events *events;
};

static inline void fast_shading_event_if(const struct fast_event_sink *to, bool condition, enum pica_event event)
{
    if (condition)
        pica_events_add(to->events, event);
}

void fast_texture_events(const struct fast_event_sink *to);
void fast_proctex_events(const struct fast_event_sink *to);
void fast_combiner_events(const struct fast_event_sink *to, bool *names_lighting);
void fast_lighting_events(const struct fast_event_sink *to, bool named); /* LIT-01: by the combiner */
void fast_fog_events(const struct fast_event_sink *to);

#endif
