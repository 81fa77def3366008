/*
 * Capacity: a few draws that need much of what a fast implementation has to hold at once: targets wider or higher than
 * a bin, hundreds of tiny triangles, many textures, indices far apart. The case is still cheap to run, since its
 * triangles cover only a few pixels each: MOST_PIXELS in all for one draw.
 */
#include "harness/grammar/gen_parts.h"

enum {
    MOST_AREA = 0x1400,  /* pixels of a target */
    MOST_PIXELS = 0x800, /* of the boxes of a draw */
    MOST_BYTES = 6000,   /* of all vertices, so that the case stays small */
    FEW_VERTICES = 12,   /* of a draw that is repeated with many images */
    FEW_PIXELS = 0x50,   /* of the boxes of such a draw */
    MOST_IMMEDIATE = 60,
    MOST_TOGETHER = 300, /* vertices of a draw, so that three fit the 1024 of a campaign (harness_bound_case) */
    MANY_TEXTURES = 10
};

/* Without the features that add operations and draws, which share the budgets of a case. */
void gen_capacity_begin(struct gen *gen)
{
    static const enum gen_feature others[] = { GEN_ENGINES, GEN_CPU_WRITES, GEN_REUSE, GEN_DELTA, GEN_GEOMETRY };
    for (uint32_t i = 0; i < sizeof others / sizeof others[0] && gen_has(gen, GEN_CAPACITY); i++)
        gen->features &= ~((uint64_t)1 << others[i]);
}

void gen_capacity_size(struct gen *gen)
{
    struct gen_target *const target = &gen->target;
    const bool wide = gen_percent(gen, 60);
    const uint32_t longer = 8u * gen_between(gen, 9, gen_percent(gen, 75) ? 24 : 64);
    const uint32_t most = MOST_AREA / longer < 512 ? MOST_AREA / longer : 512;
    const uint32_t shorter = gen_between(gen, 8, most);
    target->width = (wide ? longer : shorter) & ~7u;
    target->height = wide ? shorter & ~7u : longer - gen_below(gen, 8);
    target->rows = (target->height + 7u) & ~7u;
}

/* -------------------------------------------------------------------------------------------------------- vertices */

static uint32_t bytes_of_vertex(const struct gen_draw *draw)
{
    uint32_t bytes = 4; /* for the index and for alignment */
    for (uint32_t i = 0; i < draw->attribute_count; i++)
        if (!draw->attributes[i].fixed)
            bytes +=
                draw->attributes[i].elements * harness_element_size((enum harness_element)draw->attributes[i].type);
    return bytes;
}

static bool is_list(const struct gen_draw *draw)
{
    return draw->topology == PICA_TOPOLOGY_LIST || draw->topology == PICA_TOPOLOGY_GEOMETRY;
}

static bool is_small(const struct gen_draw *draw)
{
    return draw->count <= FEW_VERTICES;
}

static uint32_t most_pixels(const struct gen_draw *draw)
{
    return is_small(draw) ? FEW_PIXELS : MOST_PIXELS;
}

/* Called once the textures and the attributes are drawn. */
void gen_capacity_count(struct gen *gen)
{
    struct gen_draw *const draw = &gen->draw;
    draw->crowd = 0;
    if (!gen_has(gen, GEN_CAPACITY) || draw->geometry)
        return;
    const uint32_t most = draw->immediate ? MOST_IMMEDIATE : MOST_BYTES / bytes_of_vertex(draw);
    const uint32_t allowed = gen_wild(gen, 25) ? GEN_MAX_CROWD : MOST_TOGETHER;
    const uint32_t high = most < allowed ? most : allowed;
    if ((gen->textures & 7u) != 0 && gen_percent(gen, 35))
        draw->count = gen_between(gen, FEW_VERTICES / 2u, FEW_VERTICES);
    else
        draw->count = gen_between(gen, gen_percent(gen, 50) ? high / 2u : 24, high);
    if (is_list(draw)) /* vertices left over would be corners of the next draw's triangles, and make those large */
        draw->count -= draw->count % 3u;
    draw->rows = draw->count;
    draw->crowd = 1u + gen_below(gen, UINT32_MAX - 1u);
    gen->draw_pixels = 2u * most_pixels(draw);
}

/* A number of 16 bits for each vertex and purpose, the same on every call. */
static uint32_t hash(uint32_t crowd, uint32_t row, uint32_t part)
{
    uint32_t mixed = (crowd ^ row * 0x9E3779B1u ^ part * 0x85EBCA77u) * 0xC2B2AE3Du;
    mixed = (mixed ^ mixed >> 15) * 0x27D4EB2Fu;
    return mixed >> 16;
}

/* From -1 to 1. */
static float spread(uint32_t crowd, uint32_t row, uint32_t part)
{
    return (float)hash(crowd, row, part) / 32768.0f - 1.0f;
}

/* The corners of a triangle are close together. A strip goes along the target and back, a fan stays in one place. */
void gen_capacity_place(const struct gen *gen, uint32_t row, float position[4])
{
    const struct gen_draw *const draw = &gen->draw;
    const bool list = is_list(draw);
    const uint32_t triangles = list ? draw->count / 3u + 1u : draw->count;
    float side = 0.75f; /* of a triangle, in pixels */
    while (side < 24.0f && side * side * 4.0f * (float)triangles < (float)most_pixels(draw))
        side += 0.25f;
    const float at = (float)(list ? row / 3u * 3u : row) / (float)draw->count;
    const float size[2] = { (float)gen->target.width, (float)gen->target.height };
    float center[2] = { spread(draw->crowd, 0, 0) * 0.9f, spread(draw->crowd, 0, 1) * 0.9f };
    if (list) {
        center[0] = spread(draw->crowd, row / 3u, 2);
        center[1] = spread(draw->crowd, row / 3u, 3);
    } else if (draw->topology == PICA_TOPOLOGY_STRIP) {
        const uint32_t longer = size[0] < size[1] ? 1 : 0; /* along the longer side, and back */
        center[longer] = at < 0.5f ? 4.0f * at - 1.0f : 3.0f - 4.0f * at;
    }
    const float reach = gen_has(gen, GEN_OVERFLOW) ? 1.1f : 1.0f;
    for (uint32_t c = 0; c < 2; c++) {
        const float value = center[c] + spread(draw->crowd, row, 4 + c) * side / size[c];
        position[c] = (value < -1.0f ? -1.0f : value > 1.0f ? 1.0f : value) * reach * position[3];
    }
}

/* A quarter of the triangles of a list repeats an earlier one, mostly a recent one: so a cache of vertices is hit, or
 * has just lost them. */
uint32_t gen_capacity_index(const struct gen *gen, uint32_t number)
{
    const uint32_t triangle = number / 3u;
    const uint32_t chance = hash(gen->draw.crowd, triangle, 6);
    if (!is_list(&gen->draw) || chance % 4u != 0)
        return number;
    return number - 3u * ((chance >> 2) % (triangle + 1u) >> chance / 0x2000u);
}

/* -------------------------------------------------------------------------------------------------------- textures */

/* Repeats the draw with one image after another, each a little behind the one before. A draw of many vertices leaves no
 * room for many repetitions (gen_may_go_on). */
void gen_capacity_textures(struct gen *gen)
{
    uint32_t unit = gen_below(gen, 3);
    if (!gen_has(gen, GEN_CAPACITY) || (gen->textures & 7u) == 0 || (!is_small(&gen->draw) && !gen_percent(gen, 50)))
        return;
    while ((gen->textures >> unit & 1u) == 0)
        unit = (unit + 1u) % 3u;
    const uint32_t address = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_ADDR1);
    const uint32_t first = gen->want[address];
    const bool small = is_small(&gen->draw);
    const uint32_t most = small ? MANY_TEXTURES : MOST_TOGETHER / gen->draw.count;
    for (uint32_t i = gen_between(gen, small ? MANY_TEXTURES / 2u : 1, most); i > 0 && gen_may_go_on(gen); i--) {
        const uint32_t step = gen_percent(gen, 50) ? 1u << gen_below(gen, 6) : gen_between(gen, 1, 32);
        gen_set(gen, address, first + (gen_percent(gen, 85) ? step : 0u));
        gen_draw_again(gen);
    }
}
