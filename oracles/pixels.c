#include "oracles/pixels.h"

#include "pica/extregs.h"
#include "pica/regs.h"

static uint32_t round_up(uint32_t value, uint32_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static bool takes(const struct pica_choices *choices, enum pica_side side)
{
    return choices != NULL && pica_takes(choices, side);
}

/* Size, pitch and row order that colour and depth buffer share (FBF-04..FBF-08). */
static void set_common(const uint32_t *registers, const struct pica_choices *choices, struct oracle_surface *out)
{
    const uint32_t dim = registers[PICA_REG_FRAMEBUFFER_DIM];
    const bool block32 = pica_framebuffer_block32_block32(registers[PICA_REG_FRAMEBUFFER_BLOCK32]) != 0;
    out->width = pica_framebuffer_dim_width(dim);
    out->height = pica_framebuffer_dim_height_minus_1(dim) + 1;
    out->pitch = takes(choices, PICA_SIDE_ROW_PITCH_WIDTH) ? out->width : round_up(out->width, block32 ? 32 : 8);
    out->layout = block32 ? ORACLE_LAYOUT_BLOCK32 : ORACLE_LAYOUT_TILED;
    out->rows_reversed = pica_framebuffer_dim_top_row_first(dim) == 0 && !takes(choices, PICA_SIDE_ROW_ORDER_HIGHEST);
}

/* FBF-02. */
static uint32_t buffer_address(uint32_t word, const struct pica_choices *choices)
{
    const uint32_t low = takes(choices, PICA_SIDE_BUFFER_ADDRESS_UNITS_8) ? pica_buffer_loc_low_bits(word) : 0;
    return (pica_buffer_loc_address(word) << 6) + 8 * low;
}

/* FBF-22, or what FBF-30 and GAS-01 say of others. */
static enum pica_fragment_mode fragment_mode(const uint32_t *registers, const struct pica_choices *choices)
{
    const enum pica_fragment_mode mode =
        (enum pica_fragment_mode)pica_color_operation_fragment_mode(registers[PICA_REG_COLOR_OPERATION]);
    const bool as_0 = (mode == PICA_FRAGMENT_MODE_RESERVED_2 && takes(choices, PICA_SIDE_FRAGMENT_MODE_2_AS_0)) ||
                      (mode == PICA_FRAGMENT_MODE_GAS && takes(choices, PICA_SIDE_GAS_MODE_AS_0));
    return as_0 ? PICA_FRAGMENT_MODE_DEFAULT : mode;
}

/* FBF-09 for fragment mode 0; modes 1 and 3 keep four bytes a pixel whatever the format says (GAS-01, SHW-01). */
bool oracle_color_surface(const uint32_t *registers, const struct pica_choices *choices, struct oracle_surface *out)
{
    set_common(registers, choices, out);
    out->address = buffer_address(registers[PICA_REG_COLORBUFFER_LOC], choices);
    const uint32_t format = pica_colorbuffer_format_format(registers[PICA_REG_COLORBUFFER_FORMAT]);
    const enum pica_fragment_mode mode = fragment_mode(registers, choices);
    const bool word_pixels = mode == PICA_FRAGMENT_MODE_SHADOW || mode == PICA_FRAGMENT_MODE_GAS;
    out->format = word_pixels ? ORACLE_FORMAT_RGBA8 : format > 4 ? ORACLE_FORMAT_RESERVED : (enum oracle_format)format;
    return out->width != 0 && mode != PICA_FRAGMENT_MODE_RESERVED_2;
}

/* FBF-14. */
bool oracle_depth_surface(const uint32_t *registers, const struct pica_choices *choices, struct oracle_surface *out)
{
    set_common(registers, choices, out);
    out->address = buffer_address(registers[PICA_REG_DEPTHBUFFER_LOC], choices);
    switch ((enum pica_depth_format)pica_depthbuffer_format_format(registers[PICA_REG_DEPTHBUFFER_FORMAT])) {
    case PICA_DEPTH_FORMAT_D16: out->format = ORACLE_FORMAT_DEPTH16; break;
    case PICA_DEPTH_FORMAT_RESERVED_1: return false;
    case PICA_DEPTH_FORMAT_D24: out->format = ORACLE_FORMAT_DEPTH24; break;
    case PICA_DEPTH_FORMAT_D24S8: out->format = ORACLE_FORMAT_DEPTH24_STENCIL8; break;
    }
    return out->width != 0;
}

/* PPF-10: the transfer engine encodes RGB565 as 2 and RGB5A1 as 3; 5-7 act as RGBA4. */
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

/* The words of a transfer, decoded for a machine with given choices. */
struct transfer {
    uint32_t flags, width, height, input_width;
    enum pica_transfer_scale scale;
    bool crop, tiled_input, tiled_output;
};

/* PPF-04, PPF-07. */
static struct transfer read_transfer(const uint32_t words[9], const struct pica_choices *choices)
{
    const uint32_t flags = words[4], mask = takes(choices, PICA_SIDE_TRANSFER_SIZE_ALL_BITS) ? UINT32_MAX : ~7u;
    const bool keeps = pica_xfer_flags_keep_tiled(flags) != 0, makes = pica_xfer_flags_to_tiled(flags) != 0;
    const bool neither = keeps && makes && takes(choices, PICA_SIDE_TILED_LINEAR_LINEAR);
    return (struct transfer){ .flags = flags,
                              .width = pica_xfer_dim_width(words[2]) & mask,
                              .height = pica_xfer_dim_height(words[2]) & mask,
                              .input_width = pica_xfer_indim_width(words[3]) & mask,
                              .scale = (enum pica_transfer_scale)pica_xfer_flags_scale(flags),
                              .crop = pica_xfer_flags_crop(flags) != 0,
                              .tiled_input = (keeps || !makes) && !neither,
                              .tiled_output = (keeps || makes) && !neither };
}

/* PPF-15; PPF-04 and PPF-09 for others. */
static bool is_refused(const struct transfer *transfer, const uint32_t words[9], const struct pica_choices *choices)
{
    return pica_xfer_flags_copy(transfer->flags) != 0 || transfer->width == 0 || transfer->height == 0 ||
           transfer->scale == PICA_TRANSFER_SCALE_RESERVED_3 || (transfer->crop && transfer->input_width == 0) ||
           (uint64_t)transfer->width * transfer->height > 0x400000u ||
           (takes(choices, PICA_SIDE_INPUT_HEIGHT_REFUSED) && pica_xfer_dim_height(words[3]) == 0) ||
           (takes(choices, PICA_SIDE_LINEAR_SCALING_NOTHING) && !transfer->tiled_input &&
            transfer->scale != PICA_TRANSFER_SCALE_NONE);
}

/* PPF-01, PPF-05, PPF-06, PPF-08, PPF-14. */
bool oracle_transfer_surface(const uint32_t words[9], const struct pica_choices *choices, struct oracle_surface *out)
{
    const struct transfer transfer = read_transfer(words, choices);
    const uint32_t flags = transfer.flags;
    if (is_refused(&transfer, words, choices))
        return false;
    out->width = transfer.scale == PICA_TRANSFER_SCALE_NONE ? transfer.width : transfer.width / 2;
    out->height = transfer.scale == PICA_TRANSFER_SCALE_2X2 ? transfer.height / 2 : transfer.height;
    out->pitch = out->width;
    out->format = transfer_format((enum pica_transfer_format)pica_xfer_flags_out_format(flags));
    out->address = pica_xfer_address_address(words[1]) << 4;
    if (takes(choices, PICA_SIDE_TRANSFER_ADDRESS_UNITS_8))
        out->address += 8 * pica_xfer_address_unaligned(words[1]);
    if (pica_xfer_flags_flip(flags) != 0 && transfer.crop && !takes(choices, PICA_SIDE_FLIP_OFFSET_NONE))
        out->address +=
            (transfer.input_width - transfer.width) * (transfer.height - 1) * oracle_bytes_per_pixel(out->format);
    out->layout = !transfer.tiled_output                ? ORACLE_LAYOUT_LINEAR
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
