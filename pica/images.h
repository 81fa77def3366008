/*
 * Texture images as colours, for tools that show them: what an image unit would read with the current registers and
 * memory. This is not part of the interface of backend.h; of the backends, `reference` offers it (reference.h).
 */
#ifndef PICA_IMAGES_H
#define PICA_IMAGES_H

#include "pica/enums.h"

#include <stdint.h>

/* One level of one face of an image unit. */
struct pica_image {
    uint32_t unit;  /* 0-2 */
    uint32_t face;  /* 0-5 (CUB-01); 0 unless the type is a cube type */
    uint32_t level; /* 0 .. levels - 1 */
    enum pica_texture_type type;
    enum pica_texture_format format;
    uint32_t faces, levels; /* how many the unit has */
    uint32_t address;       /* of the level, physical */
    uint32_t bytes;         /* that its texels occupy from `address` on */
    uint32_t width, height; /* texels; either may be 0 */
};

#endif
