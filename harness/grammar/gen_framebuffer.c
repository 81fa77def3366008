/* The target: colour and depth buffer with contents, and the access that fragments have to them. */
#include "harness/case/pixel_size.h"
#include "harness/grammar/gen_parts.h"

/* Fragments are what a case costs, so targets are only large enough for neighbouring pixels and several tiles. */
static void draw_size(struct gen *gen)
{
    static const uint32_t weights[] = { 18, 56, 14, 8, 2, 2 };
    const uint32_t tiles = 1u + harness_random_weighted(&gen->random, weights, 6);
    gen->target.width = 8u * (gen_percent(gen, 4) ? gen_between(gen, 1, 8) : tiles);
    gen->target.height = gen_percent(gen, 50) ? gen->target.width : gen_between(gen, 8, 8u * tiles);
    gen->target.rows = (gen->target.height + 7u) & ~7u;
}

static void draw_formats(struct gen *gen)
{
    static const uint32_t color_weights[] = { 40, 15, 15, 15, 15 };
    static const uint32_t depth_weights[] = { 25, 0, 25, 50 };
    struct gen_target *const target = &gen->target;
    target->color_format = (enum pica_color_format)harness_random_weighted(&gen->random, color_weights, 5);
    target->depth_format = (enum pica_depth_format)harness_random_weighted(&gen->random, depth_weights, 4);
    if (gen_has(gen, GEN_SHADOW_MODE))
        target->color_format = PICA_COLOR_FORMAT_RGBA8;
    if (gen_has(gen, GEN_STENCIL) && gen_percent(gen, 90))
        target->depth_format = PICA_DEPTH_FORMAT_D24S8;
    const uint32_t pixels = target->width * target->rows;
    target->color_bytes = pixels * harness_color_bytes(target->color_format);
    target->depth_bytes = pixels * harness_depth_bytes(target->depth_format);
}

/* The contents of a buffer before the first draw. On noise every write is visible. */
static enum gen_contents fill_buffer(struct gen *gen, uint32_t address, uint32_t size)
{
    static const uint32_t fills[] = { 0x00000000, 0xFFFFFFFF, 0x80808080, 0x00FFFFFF, 0x7FFFFFFF, 0xFF000000 };
    static const uint32_t weights[] = { 8, 14, 12, 45, 21 };
    struct harness_data data;
    const uint32_t kind = harness_random_weighted(&gen->random, weights, 5);
    if (kind == 0)
        return GEN_CONTENTS_ZEROS; /* MEM-01 */
    if (kind == 1)
        harness_data_pattern(&data, HARNESS_PATTERN_FILL, fills[1], size);
    else if (kind == 2)
        harness_data_pattern(&data, HARNESS_PATTERN_FILL, fills[gen_below(gen, 6)], size);
    else
        harness_data_pattern(&data, kind == 3 ? HARNESS_PATTERN_NOISE : HARNESS_PATTERN_RAMP,
                             gen_below(gen, UINT32_MAX), size);
    gen_load(gen, address, &data);
    return kind == 1 ? GEN_CONTENTS_ONES : GEN_CONTENTS_MIXED;
}

/* What can be odd about a target; the last two may record events. */
enum {
    ODD_ROW_ORDER = 1, /* FBF-06: from the bottom */
    ODD_RENDERBUF = 2, /* FBF-03: the second size, which is ignored */
    ODD_PIXEL_SIZE = 4,
    ODD_BLOCK32 = 8
};

static uint32_t pixel_size_of(struct gen *gen, uint32_t odd)
{
    if ((odd & ODD_PIXEL_SIZE) != 0)
        return gen_below(gen, 4);
    switch (harness_color_bytes(gen->target.color_format)) {
    case 4: return PICA_PIXEL_SIZE_32;
    case 3: return PICA_PIXEL_SIZE_24;
    default: return PICA_PIXEL_SIZE_16;
    }
}

static void set_buffers(struct gen *gen)
{
    const struct gen_target *const target = &gen->target;
    const uint32_t odd = gen_odd_parts(gen, 2, 4);
    uint32_t dim = pica_framebuffer_dim_set_width(0, target->width);
    dim = pica_framebuffer_dim_set_height_minus_1(dim, target->height - 1u);
    dim = pica_framebuffer_dim_set_top_row_first(dim, (odd & ODD_ROW_ORDER) != 0 ? 0 : 1);
    uint32_t format = pica_colorbuffer_format_set_format(0, target->color_format);
    format = pica_colorbuffer_format_set_pixel_size(format, pixel_size_of(gen, odd));
    gen_set(gen, PICA_REG_FRAMEBUFFER_DIM, dim);
    gen_set(gen, PICA_REG_RENDERBUF_DIM, (odd & ODD_RENDERBUF) == 0 ? dim : harness_random_number(&gen->random, 32));
    gen_set(gen, PICA_REG_COLORBUFFER_FORMAT, format);
    gen_set(gen, PICA_REG_DEPTHBUFFER_FORMAT, pica_depthbuffer_format_set_format(0, target->depth_format));
    gen_set(gen, PICA_REG_COLORBUFFER_LOC, target->color_address >> 3);
    gen_set(gen, PICA_REG_DEPTHBUFFER_LOC, target->depth_address >> 3);
    gen_set(gen, PICA_REG_FRAMEBUFFER_BLOCK32, (odd & ODD_BLOCK32) != 0 ? 1 : 0);
}

void gen_target(struct gen *gen)
{
    struct gen_target *const target = &gen->target;
    if (gen_has(gen, GEN_CAPACITY))
        gen_capacity_size(gen);
    else
        draw_size(gen);
    draw_formats(gen);
    target->color_address = gen_allocate(gen, target->color_bytes, 64);
    target->depth_address = gen_allocate(gen, target->depth_bytes, 64);
    if (gen_wild(gen, 3))
        target->depth_address = target->color_address;
    (void)fill_buffer(gen, target->color_address, target->color_bytes);
    target->depth_contents = fill_buffer(gen, target->depth_address, target->depth_bytes);
    set_buffers(gen);
    gen_viewport(gen);
}

/* FBF-29: masked channels need READ on. */
void gen_access(struct gen *gen)
{
    const bool all = pica_bits(gen->want[PICA_REG_DEPTH_COLOR_MASK], 8, 4) == 15;
    const bool shadow = pica_color_operation_fragment_mode(gen->want[PICA_REG_COLOR_OPERATION]) != 0;
    const bool may_hide = gen_has(gen, GEN_MASKS) && !shadow;
    const bool reads = !may_hide || !(all || gen_wild(gen, 20)) || gen_percent(gen, 75);
    const bool writes = !may_hide || gen_percent(gen, 95);
    gen_set(gen, PICA_REG_COLORBUFFER_READ, reads ? gen_between(gen, 1, 15) : 0);
    gen_set(gen, PICA_REG_COLORBUFFER_WRITE, writes ? gen_between(gen, 1, 15) : 0);
    gen_set(gen, PICA_REG_DEPTHBUFFER_READ, gen_percent(gen, may_hide ? 80 : 97) ? gen_between(gen, 1, 3) : 0);
    gen_set(gen, PICA_REG_DEPTHBUFFER_WRITE, gen_percent(gen, may_hide ? 80 : 97) ? gen_between(gen, 1, 3) : 0);
    if (gen_wild(gen, 5))
        gen_set_drawn(gen, PICA_REG_COLORBUFFER_READ, PICA_REG_DEPTHBUFFER_WRITE);
}
