/*
 * Rasteriser and framebuffer (spec 30, 60): registers -> struct fast_fragment_state, stage by stage. Each stage has a
 * file of its name beside this one.
 */
#include "fast/draw/fragment_decode.h"
#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "pica/regs.h"

/* RST-07: registers without an effect on drawing. */
static void add_raster_events(const struct fast_decoder *decoder)
{
    const uint32_t *registers = decoder->registers;
    fast_raster_event_if(decoder->state, pica_unused_058_flat_shading(registers[PICA_REG_UNUSED_058]) != 0u,
                         PICA_EVENT_REG_0058);
    fast_raster_event_if(decoder->state, pica_unused_060_pixel_skip(registers[PICA_REG_UNUSED_060]) != 0u,
                         PICA_EVENT_REG_0060);
}

static void add_events(const struct fast_decoder *decoder)
{
    const enum pica_fragment_mode mode = decoder->state->mode;
    const bool color_used = mode != PICA_FRAGMENT_MODE_RESERVED_2 && (decoder->color_read || decoder->color_write);
    const bool depth_used = mode == PICA_FRAGMENT_MODE_DEFAULT && (decoder->depth_read || decoder->depth_write);
    add_raster_events(decoder);
    fast_depth_test_events(decoder, depth_used);
    fast_blend_events(decoder);
    fast_framebuffer_events(decoder, color_used, depth_used);
    fast_shadow_events(decoder, color_used);
    fast_gas_events(decoder);
}

/* FBF-26, FBF-28: any non-zero value of an access register switches the whole buffer on. */
void fast_fragment_state_decode(struct fast_gpu *gpu, struct fast_fragment_state *state)
{
    const uint32_t *registers = gpu->registers;
    struct fast_decoder decoder = { .gpu = gpu, .registers = registers, .state = state };
    decoder.color_read = pica_colorbuffer_access_enable(registers[PICA_REG_COLORBUFFER_READ]) != 0u;
    decoder.color_write = pica_colorbuffer_access_enable(registers[PICA_REG_COLORBUFFER_WRITE]) != 0u;
    decoder.depth_read = pica_depthbuffer_access_enable(registers[PICA_REG_DEPTHBUFFER_READ]) != 0u;
    decoder.depth_write = pica_depthbuffer_access_enable(registers[PICA_REG_DEPTHBUFFER_WRITE]) != 0u;

    *state = (struct fast_fragment_state){
        .mode = pica_color_operation_fragment_mode(registers[PICA_REG_COLOR_OPERATION]),
    };
    fast_decode_clip(&decoder);
    fast_decode_viewport(&decoder);
    fast_decode_cull(&decoder);
    fast_decode_framebuffer_size(&decoder);
    fast_decode_scissor(&decoder);
    fast_decode_depth_map(&decoder);
    fast_decode_alpha_test(&decoder);
    fast_decode_depth_test(&decoder);
    fast_decode_stencil_test(&decoder);
    fast_decode_logic_op(&decoder);
    fast_decode_blend(&decoder);
    fast_decode_color(&decoder);
    fast_decode_shadow(&decoder);
    fast_decode_framebuffer(&decoder);
    add_events(&decoder);
}
