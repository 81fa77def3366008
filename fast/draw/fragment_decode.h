/* Private to the files that decode struct fast_fragment_state, one for each stage: SLUG_decode.c. */
#ifndef FAST_DRAW_FRAGMENT_DECODE_H
#define FAST_DRAW_FRAGMENT_DECODE_H

#include "fast/draw/fragment_state.h"
#include "pica/events.h"

struct fast_gpu;

/* Everything is decoded from here, once per change of registers. */
struct fast_decoder {
    const struct fast_gpu *gpu;
    const uint32_t *registers;
    struct fast_fragment_state *state;
    bool color_read, color_write, depth_read, depth_write; /* the registers 0x112-0x115 alone */
};

/* Each sets its part of the state. In this order: some look at what those before them have set. */
void fast_decode_clip(const struct fast_decoder *decoder);
void fast_decode_viewport(const struct fast_decoder *decoder);
void fast_decode_cull(const struct fast_decoder *decoder);
void fast_decode_framebuffer_size(const struct fast_decoder *decoder);
void fast_decode_scissor(const struct fast_decoder *decoder);
void fast_decode_depth_map(const struct fast_decoder *decoder);
void fast_decode_alpha_test(const struct fast_decoder *decoder);
void fast_decode_depth_test(const struct fast_decoder *decoder);
void fast_decode_stencil_test(const struct fast_decoder *decoder);
void fast_decode_logic_op(const struct fast_decoder *decoder);
void fast_decode_blend(const struct fast_decoder *decoder);
void fast_decode_color(const struct fast_decoder *decoder);
void fast_decode_shadow(const struct fast_decoder *decoder);
void fast_decode_framebuffer(const struct fast_decoder *decoder);

/* What a fragment of these modes can read and write. */
void fast_gas_access(const struct fast_decoder *decoder);
void fast_shadow_access(const struct fast_decoder *decoder);

/* Does the result depend on the colour in the framebuffer? */
bool fast_logic_op_reads_destination(enum pica_logic_op operation);

/* GEN-09: the events of a batch that registers decide. `color_used`: some fragment mode may look at that buffer. */
void fast_depth_test_events(const struct fast_decoder *decoder, bool depth_used);
void fast_blend_events(const struct fast_decoder *decoder);
void fast_framebuffer_events(const struct fast_decoder *decoder, bool color_used, bool depth_used);
void fast_shadow_events(const struct fast_decoder *decoder, bool color_used);
void fast_gas_events(const struct fast_decoder *decoder);

static inline void fast_raster_event_if(struct fast_fragment_state *state, bool condition, enum pica_event event)
{
    if (condition)
        state->batch_events.words[(uint32_t)event / 64u] |= (uint64_t)1 << ((uint32_t)event % 64u);
}

#endif
