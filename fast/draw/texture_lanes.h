/* Texels that a kernel is about to read from a unit that is `lazy` (texture_image.h). */
#ifndef FAST_DRAW_TEXTURE_LANES_H
#define FAST_DRAW_TEXTURE_LANES_H

#include "fast/draw/texture_decode.h"

enum {
    FAST_TEXEL_LANES = 16
};

/* One texel a lane; all lanes hold valid numbers, but only those of `read` matter. */
struct fast_texel_lanes {
    uint32_t read;                  /* bit n: lane n */
    int32_t base[FAST_TEXEL_LANES]; /* of the level */
    int32_t s[FAST_TEXEL_LANES], t[FAST_TEXEL_LANES];
};

/* Decodes what is missing. Indices of all lanes lead into the arena afterwards, also those of lanes not read. */
void fast_texels_needed(const struct fast_texture_unit *unit, const struct fast_texel_lanes *lanes);

#endif
