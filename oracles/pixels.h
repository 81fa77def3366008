/*
 * Guest framebuffers as pictures: where a pixel lies in memory and what colour its bytes mean (FBF-04..FBF-14). For
 * messages, PNG files and tolerances only; both backends have their own code for this.
 */
#ifndef ORACLES_PIXELS_H
#define ORACLES_PIXELS_H

#include "pica/splits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum oracle_layout {
    ORACLE_LAYOUT_TILED = 0,   /* 8x8 tiles, FBF-07 */
    ORACLE_LAYOUT_BLOCK32 = 1, /* 32x32 blocks, FBF-08 */
    ORACLE_LAYOUT_LINEAR = 2
};

enum oracle_format {
    ORACLE_FORMAT_RGBA8 = 0,
    ORACLE_FORMAT_RGB8 = 1,
    ORACLE_FORMAT_RGB5A1 = 2,
    ORACLE_FORMAT_RGB565 = 3,
    ORACLE_FORMAT_RGBA4 = 4,
    ORACLE_FORMAT_RESERVED = 5,
    ORACLE_FORMAT_DEPTH16 = 6,
    ORACLE_FORMAT_DEPTH24 = 7,
    ORACLE_FORMAT_DEPTH24_STENCIL8 = 8
};

/* A picture in guest memory. */
struct oracle_surface {
    uint32_t address; /* physical */
    uint32_t width;   /* pixels */
    uint32_t height;
    uint32_t pitch; /* pixels between rows (of tiles: tile rows) */
    enum oracle_format format;
    enum oracle_layout layout;
    bool rows_reversed; /* memory row 0 is the top row (FBF-06, bit 24 of FRAMEBUFFER_DIM) */
};

/* The four channels of one pixel: r, g, b, a; of a depth format: depth, 0, 0, stencil. Not more than 24 bits each. */
struct oracle_pixel {
    uint32_t channel[4];
};

/* The colour or depth buffer that a draw with these 0x300 registers uses, on a machine that makes these choices where
 * sources disagree (NULL: the normative ones). Returns false if the draw has none. */
bool oracle_color_surface(const uint32_t *registers, const struct pica_choices *choices, struct oracle_surface *out);
bool oracle_depth_surface(const uint32_t *registers, const struct pica_choices *choices, struct oracle_surface *out);

/* The output of a display transfer given its nine words; false for a texture copy and what PPF-15 refuses. */
bool oracle_transfer_surface(const uint32_t words[9], const struct pica_choices *choices, struct oracle_surface *out);

uint32_t oracle_bytes_per_pixel(enum oracle_format format);
const char *oracle_format_name(enum oracle_format format);

/* Size in bytes from the first to the last byte of the surface. */
uint64_t oracle_surface_bytes(const struct oracle_surface *surface);

/* Byte offset from the surface's address of pixel (x, y); y = 0 is the row that a viewer shows on top. */
uint64_t oracle_pixel_offset(const struct oracle_surface *surface, uint32_t x, uint32_t y);

/* Decodes `oracle_bytes_per_pixel` bytes; colour channels are expanded to 8 bits (FBF-10). */
struct oracle_pixel oracle_pixel_decode(enum oracle_format format, const uint8_t *bytes);

#endif
