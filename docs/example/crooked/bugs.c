/*
 * Twenty bugs like those of emulators, each a few bits that somebody misread. Registers are changed for a draw and
 * restored after it, so a bug shows in nothing but pixels.
 */
#include "crooked.h"

#include "pica/enums.h"
#include "pica/fields.h"
#include "pica/regs.h"

#include <stddef.h>

static const uint32_t unit_params[3] = { PICA_REG_TEXUNIT0_PARAM, PICA_REG_TEXUNIT1_PARAM, PICA_REG_TEXUNIT2_PARAM };
static const uint32_t unit_types[3] = { PICA_REG_TEXUNIT0_TYPE, PICA_REG_TEXUNIT1_TYPE, PICA_REG_TEXUNIT2_TYPE };
static const uint32_t stage_sources[6] = { PICA_REG_TEXENV0_SOURCE, PICA_REG_TEXENV1_SOURCE, PICA_REG_TEXENV2_SOURCE,
                                           PICA_REG_TEXENV3_SOURCE, PICA_REG_TEXENV4_SOURCE, PICA_REG_TEXENV5_SOURCE };

static void blend_factors(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_BLEND_FUNC];
    const uint32_t source = pica_blend_func_rgb_source(*word), dest = pica_blend_func_rgb_dest(*word);
    if (pica_blend_func_rgb_equation(*word) == PICA_BLEND_EQUATION_SUBTRACT)
        *word = pica_blend_func_set_rgb_dest(pica_blend_func_set_rgb_source(*word, dest), source);
}

static void blend_reverse(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_BLEND_FUNC];
    if (pica_blend_func_alpha_equation(*word) == PICA_BLEND_EQUATION_REVERSE_SUBTRACT)
        *word = pica_blend_func_set_alpha_equation(*word, PICA_BLEND_EQUATION_SUBTRACT);
}

static void alpha_test_less(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_FRAGOP_ALPHA_TEST];
    if (pica_fragop_alpha_test_function(*word) == PICA_COMPARE_FUNC_LESS)
        *word = pica_fragop_alpha_test_set_function(*word, PICA_COMPARE_FUNC_GREATER);
}

static void depth_test_mask(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_DEPTH_COLOR_MASK];
    if (pica_depth_color_mask_depth_test(*word))
        *word = pica_depth_color_mask_set_depth_write(*word, 1);
}

static void depth_test_not_equal(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_DEPTH_COLOR_MASK];
    if (pica_depth_color_mask_depth_function(*word) == PICA_COMPARE_FUNC_NOT_EQUAL)
        *word = pica_depth_color_mask_set_depth_function(*word, PICA_COMPARE_FUNC_EQUAL);
}

/* Both directions of all three units. */
static void replace_wrap(uint32_t *registers, enum pica_texture_wrap from, enum pica_texture_wrap to)
{
    for (int unit = 0; unit < 3; unit++) {
        uint32_t *const word = &registers[unit_params[unit]];
        if (pica_texunit_param_wrap_s(*word) == from)
            *word = pica_texunit_param_set_wrap_s(*word, to);
        if (pica_texunit_param_wrap_t(*word) == from)
            *word = pica_texunit_param_set_wrap_t(*word, to);
    }
}

static void texture_mirror(uint32_t *registers)
{
    replace_wrap(registers, PICA_TEXTURE_WRAP_MIRRORED_REPEAT, PICA_TEXTURE_WRAP_REPEAT);
}

static void texture_border(uint32_t *registers)
{
    replace_wrap(registers, PICA_TEXTURE_WRAP_CLAMP_TO_BORDER, PICA_TEXTURE_WRAP_CLAMP_TO_EDGE);
}

static void texture_a8(uint32_t *registers)
{
    for (int unit = 0; unit < 3; unit++) {
        uint32_t *const word = &registers[unit_types[unit]];
        if (pica_texunit_type_format(*word) == PICA_TEXTURE_FORMAT_A8)
            *word = pica_texunit_type_set_format(*word, PICA_TEXTURE_FORMAT_I8);
    }
}

static void scissor_inclusive(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_SCISSORTEST_DIM];
    const uint32_t x2 = pica_scissortest_dim_x2(*word);
    if (x2 > 0)
        *word = pica_scissortest_dim_set_x2(*word, x2 - 1);
}

static void cull_back(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_FACECULLING_CONFIG];
    if (pica_faceculling_config_mode(*word) == PICA_CULL_MODE_BACK)
        *word = pica_faceculling_config_set_mode(*word, PICA_CULL_MODE_FRONT);
}

static void stencil_test_mask(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_STENCIL_TEST];
    *word = pica_stencil_test_set_compare_mask(*word, 0xFF);
}

static void stencil_test_invert(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_STENCIL_OP];
    if (pica_stencil_op_pass(*word) == PICA_STENCIL_OP_INVERT)
        *word = pica_stencil_op_set_pass(*word, PICA_STENCIL_OP_ZERO);
}

static void logic_op_pair(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_LOGIC_OP];
    if (pica_logic_op_operation(*word) == PICA_LOGIC_OP_AND_REVERSE)
        *word = PICA_LOGIC_OP_AND_INVERTED;
    else if (pica_logic_op_operation(*word) == PICA_LOGIC_OP_AND_INVERTED)
        *word = PICA_LOGIC_OP_AND_REVERSE;
}

static void combiner_scale(uint32_t *registers)
{
    for (int stage = 0; stage < 6; stage++) {
        uint32_t *const word = &registers[stage_sources[stage] + 4];
        if (pica_texenv_scale_rgb_scale(*word) == PICA_TEV_SCALE_4X)
            *word = pica_texenv_scale_set_rgb_scale(*word, PICA_TEV_SCALE_2X);
    }
}

static void combiner_subtract(uint32_t *registers)
{
    for (int stage = 0; stage < 6; stage++) {
        uint32_t *const sources = &registers[stage_sources[stage]];
        uint32_t *const operands = sources + 1;
        const uint32_t source0 = pica_texenv_source_rgb_source0(sources[0]);
        const uint32_t operand0 = pica_texenv_operand_rgb_operand0(operands[0]);
        if (pica_texenv_combiner_rgb_mode(sources[2]) != PICA_TEV_MODE_SUBTRACT)
            continue;
        *sources = pica_texenv_source_set_rgb_source0(*sources, pica_texenv_source_rgb_source1(*sources));
        *sources = pica_texenv_source_set_rgb_source1(*sources, source0);
        *operands = pica_texenv_operand_set_rgb_operand0(*operands, pica_texenv_operand_rgb_operand1(*operands));
        *operands = pica_texenv_operand_set_rgb_operand1(*operands, operand0);
    }
}

static void fog_flip(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_TEXENV_UPDATE_BUFFER];
    *word = pica_texenv_update_buffer_set_fog_z_flip(*word, 0);
}

static void interpolation_w(uint32_t *registers)
{
    registers[PICA_REG_DEPTHMAP_ENABLE] |= 1;
}

static void framebuffer_green(uint32_t *registers)
{
    uint32_t *const word = &registers[PICA_REG_DEPTH_COLOR_MASK];
    *word = pica_depth_color_mask_set_green_write(*word, pica_depth_color_mask_blue_write(*word));
}

static bool is_copy(const struct pica_operation *task)
{
    return task->kind == PICA_OPERATION_DISPLAY_TRANSFER && pica_xfer_flags_copy(task->words[4]);
}

static void fill_24(struct pica_operation *task)
{
    const uint32_t value = task->words[2];
    if (task->kind == PICA_OPERATION_MEMORY_FILL && pica_fill_ctrl_width(task->words[3]) % 2 != 0)
        task->words[2] = (value & 0xFF00FF00u) | (value >> 16 & 0xFF) | (value & 0xFF) << 16;
}

static void transfer_flip(struct pica_operation *task)
{
    if (task->kind == PICA_OPERATION_DISPLAY_TRANSFER && !is_copy(task))
        task->words[4] = pica_xfer_flags_set_flip(task->words[4], 0);
}

const struct crooked_bug crooked_bugs[CROOKED_BUGS] = {
    { "blend-factors", "blend", "subtract exchanges the factors of the colour", blend_factors, NULL },
    { "blend-reverse", "blend", "alpha is subtracted the same way round by both equations", blend_reverse, NULL },
    { "alpha_test-less", "alpha_test", "less acts as greater", alpha_test_less, NULL },
    { "depth_test-mask", "depth_test framebuffer", "with the test on, depth is written whatever the mask",
      depth_test_mask, NULL },
    { "depth_test-not-equal", "depth_test", "not equal acts as equal", depth_test_not_equal, NULL },
    { "texture-mirror", "texture", "mirrored repeat acts as repeat", texture_mirror, NULL },
    { "texture-border", "texture", "clamp to border acts as clamp to edge", texture_border, NULL },
    { "texture-a8", "texture", "A8 is read as I8", texture_a8, NULL },
    { "scissor-inclusive", "scissor raster", "the right column of the scissor is outside of it", scissor_inclusive,
      NULL },
    { "cull-back", "cull raster", "back acts as front", cull_back, NULL },
    { "stencil_test-mask", "stencil_test", "the compare mask is ignored", stencil_test_mask, NULL },
    { "stencil_test-invert", "stencil_test framebuffer", "invert acts as zero where the pixel passes",
      stencil_test_invert, NULL },
    { "logic_op-pair", "logic_op", "and-reverse and and-inverted are exchanged", logic_op_pair, NULL },
    { "combiner-scale", "combiner", "the colour's scale 4 acts as 2", combiner_scale, NULL },
    { "combiner-subtract", "combiner", "subtract takes the colour's operands the other way round", combiner_subtract,
      NULL },
    { "fog-flip", "fog", "the direction of depth is ignored", fog_flip, NULL },
    { "interpolation-w", "interpolation", "depth is never divided by w", interpolation_w, NULL },
    { "framebuffer-green", "framebuffer", "green is masked by blue's bit", framebuffer_green, NULL },
    { "fill-24", "fill", "24-bit fills write their bytes in reverse", NULL, fill_24 },
    { "transfer-flip", "transfer", "the flip bit is ignored", NULL, transfer_flip },
};
