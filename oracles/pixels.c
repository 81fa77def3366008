#include "oracles/pixels.h"

#include "pica/extregs.h"
#include "pica/regs.h"

static uint32_t round_up(uint32_t value, uint32_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

/* Size, pitch and row order that colour and depth buffer share (FBF-04..FBF-08). */
static void set_common(const uint32_t *registers, struct oracle_surface *out)
{
    const uint32_t dim = registers[PICA_REG_FRAMEBUFFER_DIM];
    const bool block32 = pica_framebuffer_block32_block32(registers[PICA_REG_FRAMEBUFFER_BLOCK32]) != 0;
    out->width = pica_framebuffer_dim_width(dim);
    out->height = pica_framebuffer_dim_height_minus_1(dim) + 1;
    out->pitch = round_up(out->width, block32 ? 32 : 8);
    out->layout = block32 ? ORACLE_LAYOUT_BLOCK32 : ORACLE_LAYOUT_TILED;
    out->rows_reversed = pica_framebuffer_dim_top_row_first(dim) == 0;
}

/* FBF-09 for fragment mode 0; modes 1 and 3 keep four bytes a pixel whatever the format says (GAS-01, SHW-01). */
bool oracle_color_surface(const uint32_t *registers, struct oracle_surface *out)
{
    set_common(registers, out);
    out->address = pica_buffer_loc_address(registers[PICA_REG_COLORBUFFER_LOC]) << 6;
    const uint32_t format = pica_colorbuffer_format_format(registers[PICA_REG_COLORBUFFER_FORMAT]);
    const enum pica_fragment_mode mode =
        (enum pica_fragment_mode)pica_color_operation_fragment_mode(registers[PICA_REG_COLOR_OPERATION]);
    const bool word_pixels = mode == PICA_FRAGMENT_MODE_SHADOW || mode == PICA_FRAGMENT_MODE_GAS;
    out->format = word_pixels ? ORACLE_FORMAT_RGBA8 : format > 4 ? ORACLE_FORMAT_RESERVED : (enum oracle_format)format;
    return out->width != 0 && mode != PICA_FRAGMENT_MODE_RESERVED_2;
}

/* FBF-14. */
bool oracle_depth_surface(const uint32_t *registers, struct oracle_surface *out)
{
    set_common(registers, out);
    out->address = pica_buffer_loc_address(registers[PICA_REG_DEPTHBUFFER_LOC]) << 6;
    switch ((enum pica_depth_format)pica_depthbuffer_format_format(registers[PICA_REG_DEPTHBUFFER_FORMAT])) {
    case PICA_DEPTH_FORMAT_D16: out->format = ORACLE_FORMAT_DEPTH16; break;
    case PICA_DEPTH_FORMAT_RESERVED_1: return false;
    case PICA_DEPTH_FORMAT_D24: out->format = ORACLE_FORMAT_DEPTH24; break;
    case PICA_DEPTH_FORMAT_D24S8: out->format = ORACLE_FORMAT_DEPTH24_STENCIL8; break;
    }
    return out->width != 0;
}

/* PPF-10: the transfer engine counts RGB565 as 2 and RGB5A1 as 3; 5-7 act as RGBA4. */
static enum oracle_format transfer_format(enum pica_transfer_format format)
{
    switch (format) {
    case PICA_TRANSFER_FORMAT_RGBA8: return ORACLE_FORMAT_RGBA8;
    case PICA_TRANSFER_FORMAT_RGB8: return ORACLE_FORMAT_RGB8;
    case PICA_TRANSFER_FORMAT_RGB565: return ORACLE_FORMAT_RGB565;
    case PICA_TRANSFER_FORMAT_RGB5A1: return ORACLE_FORMAT_RGB5A1;
    case PICA_TRANSFER_FORMAT_RGBA4:
    case PICA_TRANSFER_FORMAT_RGBA4_5:
    case PICA_TRANSFER_FORMAT_RGBA4_6:
    case PICA_TRANSFER_FORMAT_RGBA4_7: return ORACLE_FORMAT_RGBA4;
    }
    return ORACLE_FORMAT_RGBA4; /* not reached: three bits */
}

/* PPF-04..PPF-08, PPF-14, PPF-15. */
bool oracle_transfer_surface(const uint32_t words[9], struct oracle_surface *out)
{
    const uint32_t flags = words[4];
    const enum pica_transfer_scale scale = (enum pica_transfer_scale)pica_xfer_flags_scale(flags);
    const uint32_t width = pica_xfer_dim_width(words[2]) & ~7u;
    const uint32_t height = pica_xfer_dim_height(words[2]) & ~7u;
    const uint32_t input_width = pica_xfer_indim_width(words[3]) & ~7u;
    const bool crop = pica_xfer_flags_crop(flags) != 0;
    if (pica_xfer_flags_copy(flags) != 0 || width == 0 || height == 0 || scale == PICA_TRANSFER_SCALE_RESERVED_3 ||
        (crop && input_width == 0) || (uint64_t)width * height > 0x400000u)
        return false;
    out->width = scale == PICA_TRANSFER_SCALE_NONE ? width : width / 2;
    out->height = scale == PICA_TRANSFER_SCALE_2X2 ? height / 2 : height;
    out->pitch = out->width;
    out->format = transfer_format((enum pica_transfer_format)pica_xfer_flags_out_format(flags));
    out->address = pica_xfer_address_address(words[1]) << 4;
    if (pica_xfer_flags_flip(flags) != 0 && crop)
        out->address += (input_width - width) * (height - 1) * oracle_bytes_per_pixel(out->format);
    const bool tiled = pica_xfer_flags_keep_tiled(flags) != 0 || pica_xfer_flags_to_tiled(flags) != 0;
    out->layout = !tiled                                ? ORACLE_LAYOUT_LINEAR
                  : pica_xfer_flags_block32(flags) != 0 ? ORACLE_LAYOUT_BLOCK32
                                                        : ORACLE_LAYOUT_TILED;
    out->rows_reversed = false;
    return true;
}

uint32_t oracle_bytes_per_pixel(enum oracle_format format)
{
    switch (format) {
    case ORACLE_FORMAT_RGBA8:
    case ORACLE_FORMAT_RESERVED:
    case ORACLE_FORMAT_DEPTH24_STENCIL8: return 4;
    case ORACLE_FORMAT_RGB8:
    case ORACLE_FORMAT_DEPTH24: return 3;
    case ORACLE_FORMAT_RGB5A1:
    case ORACLE_FORMAT_RGB565:
    case ORACLE_FORMAT_RGBA4:
    case ORACLE_FORMAT_DEPTH16: return 2;
    }
    return 4; /* not reached: all enumerators are named */
}

const char *oracle_format_name(enum oracle_format format)
{
    switch (format) {
    case ORACLE_FORMAT_RGBA8: return "RGBA8";
    case ORACLE_FORMAT_RGB8: return "RGB8";
    case ORACLE_FORMAT_RGB5A1: return "RGB5A1";
    case ORACLE_FORMAT_RGB565: return "RGB565";
    case ORACLE_FORMAT_RGBA4: return "RGBA4";
    case ORACLE_FORMAT_RESERVED: return "reserved format";
    case ORACLE_FORMAT_DEPTH16: return "D16";
    case ORACLE_FORMAT_DEPTH24: return "D24";
    case ORACLE_FORMAT_DEPTH24_STENCIL8: return "D24S8";
    }
    return "?"; /* not reached */
}

/* FBF-07, FBF-08: interleaves the low `bits` bits of x and y, x0 lowest. */
static uint32_t interleave(uint32_t x, uint32_t y, uint32_t bits)
{
    uint32_t result = 0;
    for (uint32_t bit = 0; bit < bits; bit++)
        result |= (((x >> bit) & 1u) << (2 * bit)) | (((y >> bit) & 1u) << (2 * bit + 1));
    return result;
}

static uint64_t pixel_index(const struct oracle_surface *surface, uint32_t x, uint32_t row)
{
    if (surface->layout == ORACLE_LAYOUT_LINEAR)
        return (uint64_t)row * surface->pitch + x;
    const uint32_t bits = surface->layout == ORACLE_LAYOUT_BLOCK32 ? 5 : 3;
    const uint32_t low = (1u << bits) - 1;
    return (uint64_t)(row & ~low) * surface->pitch + (uint64_t)(x & ~low) * (low + 1) +
           interleave(x & low, row & low, bits);
}

uint64_t oracle_surface_bytes(const struct oracle_surface *surface)
{
    const uint32_t unit = surface->layout == ORACLE_LAYOUT_BLOCK32 ? 32
                          : surface->layout == ORACLE_LAYOUT_TILED ? 8
                                                                   : 1;
    return (uint64_t)surface->pitch * round_up(surface->height, unit) * oracle_bytes_per_pixel(surface->format);
}

uint64_t oracle_pixel_offset(const struct oracle_surface *surface, uint32_t x, uint32_t y)
{
    const uint32_t row = surface->rows_reversed ? surface->height - 1 - y : y;
    return pixel_index(surface, x, row) * oracle_bytes_per_pixel(surface->format);
}

static uint32_t expand4(uint32_t value)
{
    return (value & 15u) * 17u;
}

static uint32_t expand5(uint32_t value)
{
    return (value & 31u) << 3 | (value & 31u) >> 2;
}

static uint32_t expand6(uint32_t value)
{
    return (value & 63u) << 2 | (value & 63u) >> 4;
}

struct oracle_pixel oracle_pixel_decode(enum oracle_format format, const uint8_t *bytes)
{
    const uint32_t half = oracle_bytes_per_pixel(format) >= 2 ? bytes[0] | (uint32_t)bytes[1] << 8 : 0;
    switch (format) {
    case ORACLE_FORMAT_RESERVED:
    case ORACLE_FORMAT_RGBA8: return (struct oracle_pixel){ { bytes[3], bytes[2], bytes[1], bytes[0] } };
    case ORACLE_FORMAT_RGB8: return (struct oracle_pixel){ { bytes[2], bytes[1], bytes[0], 255 } };
    case ORACLE_FORMAT_RGB5A1:
        return (
            struct oracle_pixel){ { expand5(half >> 11), expand5(half >> 6), expand5(half >> 1), (half & 1u) * 255u } };
    case ORACLE_FORMAT_RGB565:
        return (struct oracle_pixel){ { expand5(half >> 11), expand6(half >> 5), expand5(half), 255 } };
    case ORACLE_FORMAT_RGBA4:
        return (struct oracle_pixel){ { expand4(half >> 12), expand4(half >> 8), expand4(half >> 4), expand4(half) } };
    case ORACLE_FORMAT_DEPTH16: return (struct oracle_pixel){ { half, 0, 0, 0 } };
    case ORACLE_FORMAT_DEPTH24: return (struct oracle_pixel){ { half | (uint32_t)bytes[2] << 16, 0, 0, 0 } };
    case ORACLE_FORMAT_DEPTH24_STENCIL8:
        return (struct oracle_pixel){ { half | (uint32_t)bytes[2] << 16, 0, 0, bytes[3] } };
    }
    return (struct oracle_pixel){ { 0, 0, 0, 0 } }; /* not reached: all enumerators are named */
}
