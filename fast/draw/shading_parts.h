/*
 * Private to the files that decode shading state (shading*.c, texture_cache.c): the object with a life, and the parts.
 */
#ifndef FAST_DRAW_SHADING_PARTS_H
#define FAST_DRAW_SHADING_PARTS_H

#include "fast/draw/shading.h"
#include "fast/draw/texture_cache.h"
#include "pica/enums.h"
#include "pica/regs.h"

/* Decoded tables. Entry by entry they are functions of the raw words of struct pica_tables. */
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

/* The registers of one image unit, 0-2. */
struct fast_unit_words {
    uint32_t config, border, dim, param, lod, format;
    uint32_t address[FAST_TEXTURE_FACES]; /* bytes; units 1 and 2 have only the first (CUB-03) */
    enum pica_texture_type type;          /* as it acts (TEX-15, TEX-17) */
    uint32_t faces;                       /* 1 or 6 */
    uint32_t last_level;                  /* Lmax of MIP-02; 0 if a side is 0 */
};

/* TEX-16: the first row of the table that applies. */
enum fast_early_result {
    FAST_EARLY_DISABLED = 1,
    FAST_EARLY_NULL = 2,
    FAST_EARLY_TYPE_DISABLED = 3,
    FAST_EARLY_ZERO_DIM = 4,
    FAST_EARLY_FORMAT = 5,
    FAST_LIVE = 6
};

void fast_unit_read_words(const uint32_t *registers, uint32_t unit, struct fast_unit_words *words);
enum fast_early_result fast_unit_early_result(const struct fast_unit_words *words, uint32_t unit);
void fast_unit_image_key(const struct fast_unit_words *words, uint32_t face, struct fast_image_key *key);

/* LIT-08, LIT-09: which look-ups an environment configuration has; bit n = FAST_LUT_n. */
uint32_t fast_lighting_available(uint32_t environment);

/* Decoders of the parts of struct fast_shading_state. `used` is TEX-32's. */
void fast_decode_units(struct fast_gpu *gpu, struct fast_shading_state *state);
void fast_decode_proctex(struct fast_gpu *gpu, struct fast_shading_state *state);
void fast_decode_lighting(struct fast_gpu *gpu, struct fast_lighting *lighting);

/* Sets `rgba` from the stages (combiner_plan.c). */
void fast_plan_combiner(struct fast_combiner *combiner);

/* The decoded tables, brought up to date. */
const struct fast_lut256 *fast_table_lighting(struct fast_gpu *gpu, uint32_t table);
const struct fast_lut128 *fast_table_fog(struct fast_gpu *gpu);
const struct fast_lut128 *fast_table_noise(struct fast_gpu *gpu);
const struct fast_lut128 *fast_table_color_map(struct fast_gpu *gpu);
const struct fast_lut128 *fast_table_alpha_map(struct fast_gpu *gpu);
const float *fast_table_color(struct fast_gpu *gpu);
const float *fast_table_difference(struct fast_gpu *gpu);

#endif
