/*
 * What a draw may ask for. Only supported features are listed: every register that is not named here must have its
 * reset value, so that nothing is overlooked.
 */
#include "docs/example/gl/gl.h"

#include "pica/regs.h"

/* Registers of features that another register, which is checked, switches off: the early depth test, texture units 1 to
 * 3 and the other faces of unit 0, clipping, lighting, gas, shadows. */
static bool is_switched_off(uint32_t id)
{
    return id == PICA_REG_EARLYDEPTH_FUNC || id == PICA_REG_EARLYDEPTH_DATA ||
           (id >= PICA_REG_TEXUNIT0_ADDR2 && id <= PICA_REG_TEXUNIT0_SHADOW) ||
           (id >= PICA_REG_TEXUNIT1_BORDER_COLOR && id <= PICA_REG_TEXUNIT3_PROCTEX5) ||
           (id >= PICA_REG_FRAGOP_CLIP_DATA0 && id <= PICA_REG_FRAGOP_CLIP_DATA3) || id == PICA_REG_GAS_ATTENUATION ||
           id == PICA_REG_GAS_ACCMAX || id == PICA_REG_FRAGOP_SHADOW ||
           (id >= PICA_REG_GAS_LIGHT_XY && id <= PICA_REG_GAS_DELTAZ_DEPTH) ||
           (id >= PICA_REG_LIGHT0_SPECULAR0 && id <= PICA_REG_LIGHTING_LIGHT_PERMUTATION &&
            id != PICA_REG_LIGHTING_ENABLE0);
}

/* Stages of vertices, which the CPU does, and registers without effect on this plug-in's draws. */
static bool is_free(uint32_t id)
{
    switch (id) {
    case PICA_REG_SH_OUTATTR_MODE:
    case PICA_REG_SH_OUTATTR_CLOCK:
    case PICA_REG_VIEWPORT_WIDTH:
    case PICA_REG_VIEWPORT_INVW:
    case PICA_REG_VIEWPORT_HEIGHT:
    case PICA_REG_VIEWPORT_INVH:
    case PICA_REG_VIEWPORT_XY:
    case PICA_REG_DEPTHMAP_SCALE:
    case PICA_REG_DEPTHMAP_OFFSET:
    case PICA_REG_DEPTHMAP_ENABLE:
    case PICA_REG_RENDERBUF_DIM:
    case PICA_REG_SCISSORTEST_POS:
    case PICA_REG_SCISSORTEST_DIM:
    case PICA_REG_TEXUNIT0_BORDER_COLOR:
    case PICA_REG_TEXUNIT0_DIM:
    case PICA_REG_TEXUNIT0_ADDR1:
    case PICA_REG_FOG_COLOR:
    case PICA_REG_TEXENV_BUFFER_COLOR:
    case PICA_REG_BLEND_FUNC:
    case PICA_REG_BLEND_COLOR:
    case PICA_REG_COLORBUFFER_READ:
    case PICA_REG_DEPTHBUFFER_READ:
    case PICA_REG_DEPTHBUFFER_FORMAT:
    case PICA_REG_DEPTHBUFFER_LOC:
    case PICA_REG_COLORBUFFER_LOC:
    case PICA_REG_FRAMEBUFFER_DIM: return true;
    default: break;
    }
    return id >= PICA_REG_SH_OUTMAP_TOTAL && id <= PICA_REG_SH_OUTMAP_O6;
}

static bool is_combiner(uint32_t id)
{
    return (id >= PICA_REG_TEXENV0_SOURCE && id <= PICA_REG_TEXENV3_SCALE) ||
           (id >= PICA_REG_TEXENV4_SOURCE && id <= PICA_REG_TEXENV5_SCALE);
}

static bool is_known_source(uint32_t source)
{
    return source == PICA_TEV_SOURCE_PRIMARY_COLOR || source == PICA_TEV_SOURCE_TEXTURE0 ||
           source == PICA_TEV_SOURCE_CONSTANT || source == PICA_TEV_SOURCE_PREVIOUS;
}

/* Replace and modulate of whole colours, without a scale; stage 0 has no previous one. */
static bool supports_stage(const uint32_t *stage, bool is_first)
{
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t rgb = stage[0] >> 4 * k & 15, alpha = stage[0] >> (16 + 4 * k) & 15;
        if (!is_known_source(rgb) || !is_known_source(alpha))
            return false;
        if (is_first && (rgb == PICA_TEV_SOURCE_PREVIOUS || alpha == PICA_TEV_SOURCE_PREVIOUS))
            return false;
    }
    const uint32_t rgb_mode = pica_texenv_combiner_rgb_mode(stage[2]);
    const uint32_t alpha_mode = pica_texenv_combiner_alpha_mode(stage[2]);
    return (stage[1] & 0x000330FF) == 0 && rgb_mode <= PICA_TEV_MODE_MODULATE && alpha_mode <= PICA_TEV_MODE_MODULATE &&
           stage[4] == 0;
}

static bool supports_combiner(const uint32_t *registers)
{
    static const uint32_t stages[6] = { PICA_REG_TEXENV0_SOURCE, PICA_REG_TEXENV1_SOURCE, PICA_REG_TEXENV2_SOURCE,
                                        PICA_REG_TEXENV3_SOURCE, PICA_REG_TEXENV4_SOURCE, PICA_REG_TEXENV5_SOURCE };
    for (uint32_t i = 0; i < 6; i++)
        if (!supports_stage(&registers[stages[i]], i == 0))
            return false;
    return true;
}

static bool is_power_of_two(uint32_t size)
{
    return size >= 8 && size <= 1024 && (size & (size - 1)) == 0;
}

static bool supports_texture(const uint32_t *registers)
{
    const uint32_t param = registers[PICA_REG_TEXUNIT0_PARAM], dim = registers[PICA_REG_TEXUNIT0_DIM];
    if ((registers[PICA_REG_TEXUNIT_CONFIG] & ~UINT32_C(1)) != 0)
        return false;
    if (!pica_texunit_config_unit0_enable(registers[PICA_REG_TEXUNIT_CONFIG]))
        return true;
    return pica_texunit_param_type(param) == PICA_TEXTURE_TYPE_2D &&
           pica_texunit_type_format(registers[PICA_REG_TEXUNIT0_TYPE]) == PICA_TEXTURE_FORMAT_RGBA8 &&
           (pica_texunit_param_wrap_s(param) == PICA_TEXTURE_WRAP_CLAMP_TO_EDGE ||
            pica_texunit_param_wrap_s(param) == PICA_TEXTURE_WRAP_REPEAT ||
            pica_texunit_param_wrap_s(param) == PICA_TEXTURE_WRAP_MIRRORED_REPEAT) &&
           (pica_texunit_param_wrap_t(param) == PICA_TEXTURE_WRAP_CLAMP_TO_EDGE ||
            pica_texunit_param_wrap_t(param) == PICA_TEXTURE_WRAP_REPEAT ||
            pica_texunit_param_wrap_t(param) == PICA_TEXTURE_WRAP_MIRRORED_REPEAT) &&
           pica_texunit_param_mag_filter(param) == pica_texunit_param_min_filter(param) &&
           pica_texunit_lod_max_level(registers[PICA_REG_TEXUNIT0_LOD]) == 0 &&
           is_power_of_two(pica_texunit_dim_width(dim)) && is_power_of_two(pica_texunit_dim_height(dim));
}

/* OpenGL's minimum and maximum take no factors; the GPU's do (BLD-02). */
static bool supports_blending(const uint32_t *registers)
{
    const uint32_t blend = registers[PICA_REG_BLEND_FUNC];
    const bool rgb_chooses = pica_blend_func_rgb_equation(blend) == PICA_BLEND_EQUATION_MIN ||
                             pica_blend_func_rgb_equation(blend) == PICA_BLEND_EQUATION_MAX;
    const bool alpha_chooses = pica_blend_func_alpha_equation(blend) == PICA_BLEND_EQUATION_MIN ||
                               pica_blend_func_alpha_equation(blend) == PICA_BLEND_EQUATION_MAX;
    return !rgb_chooses && !alpha_chooses;
}

static bool supports_target(const uint32_t *registers)
{
    const uint32_t mask = registers[PICA_REG_DEPTH_COLOR_MASK], operation = registers[PICA_REG_COLOR_OPERATION];
    const uint32_t dim = registers[PICA_REG_FRAMEBUFFER_DIM];
    return pica_colorbuffer_format_format(registers[PICA_REG_COLORBUFFER_FORMAT]) == PICA_COLOR_FORMAT_RGBA8 &&
           pica_colorbuffer_access_enable(registers[PICA_REG_COLORBUFFER_READ]) != 0 &&
           pica_colorbuffer_access_enable(registers[PICA_REG_COLORBUFFER_WRITE]) != 0 &&
           pica_depthbuffer_access_enable(registers[PICA_REG_DEPTHBUFFER_WRITE]) == 0 &&
           pica_depth_color_mask_depth_test(mask) == 0 &&
           pica_color_operation_fragment_mode(operation) == PICA_FRAGMENT_MODE_DEFAULT &&
           (pica_color_operation_blend_mode(operation) == PICA_BLEND_MODE_BLEND ||
            pica_logic_op_operation(registers[PICA_REG_LOGIC_OP]) == PICA_LOGIC_OP_COPY) &&
           pica_framebuffer_dim_width(dim) >= 1 && pica_framebuffer_dim_width(dim) <= 512 &&
           pica_framebuffer_dim_height_minus_1(dim) < 512;
}

/* Checked above, field by field. */
static bool is_looked_at(uint32_t id)
{
    switch (id) {
    case PICA_REG_TEXUNIT_CONFIG:
    case PICA_REG_TEXUNIT0_PARAM:
    case PICA_REG_TEXUNIT0_LOD:
    case PICA_REG_TEXUNIT0_TYPE:
    case PICA_REG_COLOR_OPERATION:
    case PICA_REG_LOGIC_OP:
    case PICA_REG_DEPTH_COLOR_MASK:
    case PICA_REG_COLORBUFFER_WRITE:
    case PICA_REG_DEPTHBUFFER_WRITE:
    case PICA_REG_COLORBUFFER_FORMAT: return true;
    default: return false;
    }
}

bool gl_supports(const uint32_t *registers)
{
    for (uint32_t id = PICA_REG_FACECULLING_CONFIG; id <= PICA_REG_FRAGOP_SHADOW; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        const bool matters = info->reg_class == PICA_REG_CLASS_CONFIG && !is_free(id) && !is_switched_off(id) &&
                             !is_combiner(id) && !is_looked_at(id);
        if (matters && registers[id] != info->reset)
            return false;
    }
    return pica_geostage_config_mode(registers[PICA_REG_GEOSTAGE_CONFIG]) == PICA_GEOSTAGE_MODE_OFF &&
           supports_combiner(registers) && supports_texture(registers) && supports_target(registers) &&
           (pica_color_operation_blend_mode(registers[PICA_REG_COLOR_OPERATION]) != PICA_BLEND_MODE_BLEND ||
            supports_blending(registers));
}
