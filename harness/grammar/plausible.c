#include "harness/grammar/plausible.h"

#include "harness/grammar/values.h"
#include "pica/regs.h"

#include <string.h>

/* --------------------------------------------------------------------------------------------------------- engines */

static bool is_odd_address(const struct harness_case *test_case, uint32_t word)
{
    const uint32_t address = word << 3;
    if ((word & 1u) != 0 || word >> 29 != 0)
        return true;
    for (uint32_t w = 0; w < test_case->window_count; w++)
        if (address - test_case->windows[w].address < test_case->windows[w].size)
            return false;
    return true;
}

/* Bits of the word that no field of the layout has. */
static uint32_t other_bits(enum pica_layout layout, uint32_t word)
{
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    for (size_t f = 0; f < count; f++)
        word = pica_field_set(&fields[f], word, 0);
    return count == 0 ? 0 : word;
}

/* Bits above a pattern of 16 or 24 bits are ignored: programs leave them 0, or repeat the pattern in them. */
static bool is_odd_value(uint32_t width, uint32_t value)
{
    if (width == PICA_FILL_WIDTH_16)
        return value >> 16 != 0 && value >> 16 != (value & 0xFFFFu);
    return width != PICA_FILL_WIDTH_32 && value >> 24 != 0 && value >> 24 != (value & 0xFFu);
}

static uint32_t fill_odd(const struct harness_case *test_case, const uint32_t *words)
{
    const uint32_t width = pica_fill_ctrl_width(words[3]);
    const uint32_t size = (words[1] - words[0]) << 3;
    uint32_t odd = 0;
    if (is_odd_address(test_case, words[0]) || (words[1] & 1u) != 0 || words[1] >> 29 != 0)
        odd |= HARNESS_ODD_ADDRESS;
    if (words[1] <= words[0] || (width != PICA_FILL_WIDTH_16 && width != PICA_FILL_WIDTH_32 && size % 3u != 0))
        odd |= HARNESS_ODD_SIZE;
    if (width != PICA_FILL_WIDTH_16 && width != PICA_FILL_WIDTH_24 && width != PICA_FILL_WIDTH_32)
        odd |= HARNESS_ODD_FORMAT;
    if (is_odd_value(width, words[2]))
        odd |= HARNESS_ODD_VALUE;
    if (pica_fill_ctrl_set_width(words[3], 0) != 1)
        odd |= HARNESS_ODD_OTHER_BITS;
    return odd;
}

static uint32_t addresses_odd(const struct harness_case *test_case, const uint32_t *words)
{
    const bool odd = is_odd_address(test_case, words[0]) || is_odd_address(test_case, words[1]);
    return odd ? HARNESS_ODD_ADDRESS : 0;
}

/* TXC-03: with a gap a side has lines, and what is copied is whole lines of it. */
static bool has_odd_lines(uint32_t size, uint32_t in, uint32_t out)
{
    const uint32_t sides[2] = { in, out };
    for (int i = 0; i < 2; i++) {
        const uint32_t length = 16u * pica_copy_line_length(sides[i]);
        if (pica_copy_line_gap(sides[i]) != 0 && (length == 0 || size % length != 0))
            return true;
    }
    return pica_copy_line_gap(in) != 0 && pica_copy_line_gap(out) != 0 &&
           pica_copy_line_length(in) != pica_copy_line_length(out);
}

static uint32_t copy_odd(const struct harness_case *test_case, const uint32_t *words)
{
    uint32_t odd = addresses_odd(test_case, words);
    if ((words[6] & 15u) != 0 || words[6] == 0 || words[6] > 0x02000000u)
        odd |= HARNESS_ODD_SIZE;
    if (has_odd_lines(words[6] & ~15u, words[7], words[8]))
        odd |= HARNESS_ODD_LINES;
    if (pica_xfer_flags_set_crop(pica_xfer_flags_set_copy(words[4], 0), 0) != 0 || words[5] != 0)
        odd |= HARNESS_ODD_OTHER_BITS;
    return odd;
}

/* PPF-12, as the console's: RGBA8 to anything, RGB8 to itself, 16-bit formats among themselves. */
static bool has_odd_format(uint32_t flags)
{
    const uint32_t in = pica_xfer_flags_in_format(flags), out = pica_xfer_flags_out_format(flags);
    if (in > PICA_TRANSFER_FORMAT_RGBA4 || out > PICA_TRANSFER_FORMAT_RGBA4)
        return true;
    if (in == PICA_TRANSFER_FORMAT_RGBA8)
        return false;
    return in == PICA_TRANSFER_FORMAT_RGB8 ? out != in : out < PICA_TRANSFER_FORMAT_RGB565;
}

static bool has_odd_layout(uint32_t flags, uint32_t width, uint32_t height)
{
    const uint32_t scale = pica_xfer_flags_scale(flags);
    const bool tiled = pica_xfer_flags_keep_tiled(flags) || pica_xfer_flags_to_tiled(flags);
    if (pica_xfer_flags_keep_tiled(flags) && pica_xfer_flags_to_tiled(flags))
        return true;
    if (pica_xfer_flags_block32(flags) && (width % 32u != 0 || height % 32u != 0))
        return true;
    return tiled && scale != 0 && width % 16u != 0;
}

static uint32_t transfer_odd(const struct harness_case *test_case, const uint32_t *words)
{
    const uint32_t flags = words[4];
    const uint32_t width = words[2] & 0xFFFFu, height = words[2] >> 16;
    const uint32_t input_width = words[3] & 0xFFFFu, input_height = words[3] >> 16;
    const uint32_t scale = pica_xfer_flags_scale(flags);
    uint32_t odd = addresses_odd(test_case, words);
    if (width == 0 || height == 0 || ((width | height) & 7u) != 0 || width * height > 0x400000u)
        odd |= HARNESS_ODD_SIZE;
    if ((input_width & 7u) != 0 || input_width < width || input_height < height ||
        (input_width != width && !pica_xfer_flags_crop(flags)))
        odd |= HARNESS_ODD_INPUT_SIZE;
    if (has_odd_format(flags))
        odd |= HARNESS_ODD_FORMAT;
    if (has_odd_layout(flags, width, height))
        odd |= HARNESS_ODD_LAYOUT;
    if (scale == 3 || (scale != 0 && pica_xfer_flags_to_tiled(flags)))
        odd |= HARNESS_ODD_SCALE;
    if (other_bits(PICA_LAYOUT_XFER_FLAGS, flags) != 0 || words[5] != 0)
        odd |= HARNESS_ODD_OTHER_BITS;
    return odd;
}

uint32_t harness_operation_odd(const struct harness_case *test_case, const struct harness_operation *operation)
{
    if (operation->kind == HARNESS_FILL)
        return fill_odd(test_case, operation->words);
    if (operation->kind != HARNESS_TRANSFER)
        return 0;
    return pica_xfer_flags_copy(operation->words[4]) ? copy_odd(test_case, operation->words)
                                                     : transfer_odd(test_case, operation->words);
}

/* ---------------------------------------------------------------------------------------------------------- stages */

/* Infinities and NaNs: all bits of the exponent are 1. */
static bool is_odd_float(const struct pica_field_info *field, uint32_t value)
{
    const uint32_t exponent_bits = field->type == PICA_FIELD_FLOAT16 ? 5 : 7;
    const uint32_t ones = (1u << exponent_bits) - 1u;
    return (value >> (field->width - 1u - exponent_bits) & ones) == ones;
}

static bool is_odd_field(const struct pica_field_info *field, uint32_t value)
{
    switch (field->type) {
    case PICA_FIELD_ENUM: return harness_value_is_reserved(field->enumeration, value);
    case PICA_FIELD_FLOAT16:
    case PICA_FIELD_FLOAT20:
    case PICA_FIELD_FLOAT24:
    case PICA_FIELD_FLOAT31: return is_odd_float(field, value);
    case PICA_FIELD_UNSIGNED:
    case PICA_FIELD_SIGNED:
    case PICA_FIELD_FLAG:
    case PICA_FIELD_ADDRESS:
    case PICA_FIELD_SIZE:
    case PICA_FIELD_DIMENSION:
    case PICA_FIELD_FIXED_UNSIGNED:
    case PICA_FIELD_FIXED_SIGNED:
    case PICA_FIELD_COLOR:
    case PICA_FIELD_MASK: return false;
    }
    return false; /* not reached: all types are named */
}

/* Bits without a field do not count: programs set some of them, always the same. */
static uint32_t word_odd(const struct pica_reg_info *info, uint32_t word)
{
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(info->layout, &count);
    uint32_t odd = 0;
    for (size_t f = 0; f < count; f++)
        odd += is_odd_field(&fields[f], pica_field_get(&fields[f], word)) ? 1 : 0;
    return odd;
}

static uint32_t pixel_size(uint32_t color_format)
{
    return color_format == PICA_COLOR_FORMAT_RGBA8  ? PICA_PIXEL_SIZE_32
           : color_format == PICA_COLOR_FORMAT_RGB8 ? PICA_PIXEL_SIZE_24
                                                    : PICA_PIXEL_SIZE_16;
}

/* FBF-06: rows from the top; pixels as large as their format says; 8x8 tiles. */
static uint32_t framebuffer_odd(const uint32_t *registers)
{
    const uint32_t format = registers[PICA_REG_COLORBUFFER_FORMAT];
    uint32_t odd = pica_framebuffer_dim_top_row_first(registers[PICA_REG_FRAMEBUFFER_DIM]) ? 0 : 1;
    odd += pica_colorbuffer_format_pixel_size(format) == pixel_size(pica_colorbuffer_format_format(format)) ? 0 : 1;
    odd += registers[PICA_REG_FRAMEBUFFER_BLOCK32] != 0 ? 1 : 0;
    odd += registers[PICA_REG_COLORBUFFER_LOC] == registers[PICA_REG_DEPTHBUFFER_LOC] ? 1 : 0;
    return odd;
}

static bool is_power_of_two_from_8(uint32_t size)
{
    return size >= 8 && size <= 1024 && (size & (size - 1u)) == 0;
}

/* TEX-18: sides that are powers of two. */
static uint32_t texture_odd(const uint32_t *registers)
{
    const uint32_t config = registers[PICA_REG_TEXUNIT_CONFIG];
    uint32_t odd = 0;
    for (uint32_t unit = 0; unit < 3; unit++) {
        const uint32_t dim = registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM)];
        const bool fits =
            is_power_of_two_from_8(pica_texunit_dim_width(dim)) && is_power_of_two_from_8(pica_texunit_dim_height(dim));
        odd += (config >> unit & 1u) != 0 && !fits ? 1 : 0;
    }
    return odd;
}

void harness_register_stages_init(struct harness_register_stages *stages)
{
    memset(stages, 0, sizeof *stages);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        const struct pica_stage_word_info *const word =
            info->reg_class == PICA_REG_CLASS_CONFIG ? pica_stage_word_of_rule(info->rule) : NULL;
        uint32_t stage = 0;
        while (stage < PICA_STAGE_WORDS && pica_stage_word_info((enum pica_stage_word)stage) != word)
            stage++;
        stages->of[id] = stage;
        if (stage < PICA_STAGE_WORDS)
            stages->configured[stage] = true;
    }
}

void harness_draw_odd(const struct harness_register_stages *stages, const uint32_t *registers,
                      uint32_t odd[PICA_STAGE_WORDS])
{
    memset(odd, 0, PICA_STAGE_WORDS * sizeof *odd);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        if (stages->of[id] < PICA_STAGE_WORDS)
            odd[stages->of[id]] += word_odd(pica_reg_info(id), registers[id]);
    odd[PICA_STAGE_WORD_FRAMEBUFFER] += framebuffer_odd(registers);
    odd[PICA_STAGE_WORD_TEXTURE] += texture_odd(registers);
}
