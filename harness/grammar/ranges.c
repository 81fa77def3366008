#include "harness/grammar/ranges.h"

#include "harness/case/pixel_size.h"
#include "pica/extregs.h"
#include "pica/fields.h"
#include "pica/regs.h"

#include <assert.h>

enum {
    MOST_ROWS = 64,
    TILE_TEXELS = 64,
    ENGINE_BLOCK = 16 /* bytes: addresses and sizes of engines count these */
};

const char *harness_range_kind_name(enum harness_range_kind kind)
{
    static const char *const names[HARNESS_RANGE_KINDS] = { "texture", "texture level", "vertex array", "indices",
                                                            "list",    "colour buffer", "depth buffer", "source" };
    return names[kind];
}

const char *harness_writer_name(enum harness_writer writer)
{
    static const char *const names[HARNESS_WRITERS] = { "load", "memory fill", "display transfer", "texture copy",
                                                        "draw" };
    return names[writer];
}

/* There is room for all that a draw can name. */
static void add(struct harness_ranges *out, const struct harness_range *range)
{
    if (range->bytes == 0)
        return;
    assert(out->count < HARNESS_MOST_RANGES);
    out->items[out->count++] = *range;
}

/* -------------------------------------------------------------------------------------------------------- textures */

static bool is_cube(uint32_t type)
{
    return type == PICA_TEXTURE_TYPE_CUBE || type == PICA_TEXTURE_TYPE_SHADOW_CUBE;
}

/* MIP-01, MIP-02: level 0 and the smaller ones, one after another. */
static void add_levels(struct harness_ranges *out, const uint32_t *registers, uint32_t unit, uint32_t face,
                       uint32_t address)
{
    const uint32_t dim = registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM)];
    const uint32_t bits = harness_texel_bits(registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_TYPE)]);
    const uint32_t most = pica_texunit_lod_max_level(registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_LOD)]);
    uint32_t width = pica_texunit_dim_width(dim);
    uint32_t height = pica_texunit_dim_height(dim);
    for (uint32_t level = 0; level <= most && width != 0 && height != 0; level++) {
        const struct harness_range range = { .kind = level == 0 ? HARNESS_RANGE_TEXTURE : HARNESS_RANGE_LEVEL,
                                             .address = address,
                                             .bytes = width * height * bits / 8u,
                                             .unit = TILE_TEXELS * bits / 8u,
                                             .which = unit << 8 | face << 4 | level };
        add(out, &range);
        address += range.bytes;
        width /= 2u;
        height /= 2u;
    }
}

/* TEX-16: only units that are enabled and have an address. CUB-03: the faces share the upper bits of theirs. */
static void add_textures(struct harness_ranges *out, const uint32_t *registers)
{
    for (uint32_t unit = 0; unit < 3; unit++) {
        const uint32_t address = pica_texunit_addr_address(registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_ADDR1)]);
        if (pica_texunit_config_unit_enable_at(registers[PICA_REG_TEXUNIT_CONFIG], unit) == 0 || address == 0)
            continue;
        add_levels(out, registers, unit, 0, address << 3);
        const bool cube = unit == 0 && is_cube(pica_texunit_param_type(registers[PICA_REG_TEXUNIT0_PARAM]));
        for (uint32_t face = 1; cube && face < 6; face++) {
            const uint32_t low = pica_texunit_addr_face_address_low(registers[PICA_REG_TEXUNIT0_ADDR1 + face]);
            add_levels(out, registers, unit, face, ((address & ~0x3FFFFFu) | low) << 3);
        }
    }
}

/* -------------------------------------------------------------------------------------------------------- vertices */

/* VTX-01, VTX-03, VTX-21. */
static void add_vertices(struct harness_ranges *out, const uint32_t *registers, bool elements)
{
    const uint32_t base = pica_attribbuffers_loc_base(registers[PICA_REG_ATTRIBBUFFERS_LOC]) << 4;
    const uint32_t count = registers[PICA_REG_NUMVERTICES] < MOST_ROWS ? registers[PICA_REG_NUMVERTICES] : MOST_ROWS;
    const uint32_t first = elements ? 0 : registers[PICA_REG_VERTEX_OFFSET];
    for (uint32_t array = 0; array < 12; array++) {
        const uint32_t config = registers[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2)];
        const uint32_t stride = pica_attribbuffer_config2_stride(config);
        const uint32_t offset =
            pica_attribbuffer_offset_offset(registers[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_OFFSET)]);
        if (pica_attribbuffer_config2_count(config) != 0)
            add(out, &(struct harness_range){ .kind = HARNESS_RANGE_ARRAY,
                                              .address = base + offset + first * stride,
                                              .bytes = stride * count,
                                              .unit = stride,
                                              .which = array });
    }
    const uint32_t config = registers[PICA_REG_INDEXBUFFER_CONFIG];
    const uint32_t size = pica_indexbuffer_config_type(config) == PICA_INDEX_TYPE_UNSIGNED_SHORT ? 2 : 1;
    if (elements)
        add(out, &(struct harness_range){ .kind = HARNESS_RANGE_INDICES,
                                          .address = base + pica_indexbuffer_config_offset(config),
                                          .bytes = count * size,
                                          .unit = size });
}

/* --------------------------------------------------------------------------------------------------------- buffers */

/* FBF-02, FBF-05, FBF-09: whole tiles. */
static void take_target(const uint32_t *registers, struct harness_ranges *out)
{
    const uint32_t dim = registers[PICA_REG_FRAMEBUFFER_DIM];
    const uint32_t width = (pica_framebuffer_dim_width(dim) + 7u) & ~7u;
    const uint32_t height = (pica_framebuffer_dim_height_minus_1(dim) + 8u) & ~7u;
    const uint32_t color = harness_color_bytes(pica_colorbuffer_format_format(registers[PICA_REG_COLORBUFFER_FORMAT]));
    const uint32_t depth = harness_depth_bytes(pica_depthbuffer_format_format(registers[PICA_REG_DEPTHBUFFER_FORMAT]));
    add(out, &(struct harness_range){ .kind = HARNESS_RANGE_COLOR,
                                      .address = pica_buffer_loc_address(registers[PICA_REG_COLORBUFFER_LOC]) << 6,
                                      .bytes = width * height * color,
                                      .unit = TILE_TEXELS * color });
    add(out, &(struct harness_range){ .kind = HARNESS_RANGE_DEPTH,
                                      .address = pica_buffer_loc_address(registers[PICA_REG_DEPTHBUFFER_LOC]) << 6,
                                      .bytes = width * height * depth,
                                      .unit = TILE_TEXELS * depth });
}

void harness_ranges_of_draw(const uint32_t *registers, enum harness_draw_kind kind, struct harness_ranges *out)
{
    out->count = 0;
    add_textures(out, registers);
    if (kind != HARNESS_DRAW_IMMEDIATE)
        add_vertices(out, registers, kind == HARNESS_DRAW_ELEMENTS);
    take_target(registers, out);
}

/* --------------------------------------------------------------------------------------------------------- engines */

/* PSC-02, PSC-06. */
bool harness_range_of_fill(const uint32_t words[4], struct harness_range *out)
{
    const uint32_t start = pica_fill_address_address(words[0]) << 4;
    const uint32_t end = pica_fill_address_address(words[1]) << 4;
    *out = (struct harness_range){ .address = start, .bytes = end - start, .unit = ENGINE_BLOCK };
    return pica_fill_ctrl_start(words[3]) != 0 && start < end;
}

/* TXC-03, TXC-04: lines with their gaps. */
static uint32_t side_bytes(uint32_t line, uint32_t size)
{
    const uint32_t length = pica_copy_line_length(line) * ENGINE_BLOCK;
    const uint32_t gap = pica_copy_line_gap(line) * ENGINE_BLOCK;
    return length == 0 || gap == 0 ? size : size + (size - 1u) / length * gap;
}

bool harness_ranges_of_transfer(const uint32_t words[9], struct harness_range *in, struct harness_range *out)
{
    const uint32_t flags = words[4];
    const uint32_t width = pica_xfer_dim_width(words[2]) & ~7u;
    const uint32_t height = pica_xfer_dim_height(words[2]) & ~7u;
    const uint32_t pitch = pica_xfer_flags_crop(flags) ? pica_xfer_indim_width(words[3]) & ~7u : width;
    const uint32_t scale = pica_xfer_flags_scale(flags);
    const uint32_t size = words[6] & ~(uint32_t)(ENGINE_BLOCK - 1);
    *in = (struct harness_range){ .kind = HARNESS_RANGE_SOURCE,
                                  .address = pica_xfer_address_address(words[0]) << 4,
                                  .bytes = pitch * height * harness_transfer_bytes(pica_xfer_flags_in_format(flags)),
                                  .unit = ENGINE_BLOCK };
    *out = *in;
    out->address = pica_xfer_address_address(words[1]) << 4;
    out->bytes = (width >> (scale == 0 ? 0 : 1)) * (height >> (scale == 2 ? 1 : 0)) *
                 harness_transfer_bytes(pica_xfer_flags_out_format(flags));
    if (pica_xfer_flags_copy(flags) != 0) {
        in->bytes = size == 0 ? 0 : side_bytes(words[7], size);
        out->bytes = size == 0 ? 0 : side_bytes(words[8], size);
    }
    return in->bytes != 0 && out->bytes != 0;
}
